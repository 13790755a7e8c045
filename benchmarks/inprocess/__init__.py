"""Runs an assignment's suite on student code in one and the same process, without any isolation.

This is what other graders do with a suite. It grades nobody: student code here could read every answer. The checks, the
solution beside them, the inputs and the points are those of the kit; only `student` is another one, which calls the
student's functions directly.
"""
