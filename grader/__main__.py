"""`python -m grader` is the same as `grader`."""

from grader.cli import run

if __name__ == "__main__":
    run()
