"""Makes what a platform needs to grade one assignment by itself, and runs there.

`make` puts a bundle together on the teacher's machine; `run` is what a bundle's scripts start in the container.
"""
