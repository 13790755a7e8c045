"""What students hand in: found under a path, read without trusting a byte of it, and compared."""
