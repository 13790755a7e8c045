"""The errors that a person at the command line sees, each with its exit code.

    GraderError                 what every one of them is
    |- UsageError         2     the command line asks for something that cannot be
    |- CourseError        2     a file of the course (solution, suite, golden data) is broken
    |- OutputError        2     a report could not be written
    `- IsolationError     3     student code could not be shut in, so nothing is graded

The library raises them and `grader.cli` prints them in one place, so no user meets a traceback.
"""


class GraderError(Exception):
    """A sentence for the person at the command line.

    Args:
        problem: A sentence that begins with what is wrong.
        hint: A sentence that says what to do.
    """

    exit_code = 2

    def __init__(self, problem: str, hint: str = "") -> None:
        self.problem = problem
        self.hint = hint
        super().__init__(f"{problem} {hint}".rstrip())


class UsageError(GraderError):
    """The command line asks for something that cannot be."""


class CourseError(GraderError):
    """A file of the course is broken: the author's to mend, not the student's."""


class OutputError(GraderError):
    """A report could not be written: no permission, no space, or something in the way."""


class IsolationError(GraderError):
    """Student code could not be shut in, so nothing was graded."""

    exit_code = 3
