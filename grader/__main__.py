"""`python -m grader` is the same as `grader`."""

from .cli import run

if __name__ == "__main__":
    run()
