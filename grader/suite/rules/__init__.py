"""The checks that follow from an exercise's contract."""
