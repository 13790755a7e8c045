"""The ways to grade that are held against each other, one module each."""
