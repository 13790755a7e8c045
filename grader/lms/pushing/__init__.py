"""Sends scores to a learning platform over its own interface, after looking at what it has.

Only what differs is sent, so a push that was cut off can be given again. Secrets come from the environment or a
file, go into one header or one signature, and are taken out of every text before a person reads it.
"""
