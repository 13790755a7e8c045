"""From a student's text to a module: which statements run, which definition counts, what is a stub."""
