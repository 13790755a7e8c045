"""The gate of a release: proves an assignment's suite by right answers, by mistakes and by mutants of its solution."""
