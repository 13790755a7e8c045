"""Sends the scores of a class to Canvas: plan, ask, send, read back.

Nothing else imports this package; `grader push` is its only way in, and `grades.json` is all that it reads.
"""
