"""What students hand in: found under a path and read without trusting a byte of it."""
