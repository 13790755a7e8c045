"""Small examples of each exercise, which a student sees and runs."""
