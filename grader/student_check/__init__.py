"""`check("...")` in a student's own notebook or script: what is checked, and how the outcome is shown."""
