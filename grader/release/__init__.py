"""Makes the one file that students get: the assignments, a page on how to begin, and the kit as a wheel."""
