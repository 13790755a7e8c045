"""pytest collects a suite once; then each submission goes through its checks."""
