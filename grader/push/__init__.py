"""Sends the scores of a class to Canvas: plan, ask, send, read back. Nothing but `grader push` imports it."""
