"""Runs a suite by plain pytest with the student's code in the same process, as a home-made grader would.

It grades nobody: student code here could read every answer. Checks, inputs and solution are the kit's; only `student`
is another one, which calls the student's functions directly.
"""
