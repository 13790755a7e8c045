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
        looked_for: What was being done or looked for.
        found: What was met instead; empty when the first sentence says it all.
        hint: What to try; empty when nothing can be done.
        korean: The whole in Korean where a student reads it; empty where it is in English alone.
    """

    exit_code = 2

    def __init__(self, looked_for: str, found: str = "", hint: str = "", korean: str = "") -> None:
        self.looked_for = looked_for
        self.found = found
        self.hint = hint
        self.korean = korean
        super().__init__(" ".join(part for part in (looked_for, found, hint) if part))

    def in_language(self, language: str) -> str:
        """Return the sentence in a language; in English where there is no other."""
        return self.korean if language == "ko" and self.korean else str(self)


class UsageError(GraderError):
    """The command line asks for something that cannot be."""


class CourseError(GraderError):
    """A file of the course is broken: the author's to mend, not the student's."""


class OutputError(GraderError):
    """A report could not be written: no permission, no space, or something in the way."""


class IsolationError(GraderError):
    """Student code could not be shut in, so nothing was graded."""

    exit_code = 3
