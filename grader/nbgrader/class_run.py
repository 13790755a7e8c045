"""Has what nbgrader is about to grade graded by `grader grade`, in one run, and gives out the reports.

nbgrader goes from notebook to notebook. Starting the grader for each would cost seconds a student, so the whole class
is graded before the first one; what is unchanged since an earlier run is taken over. The run is a process of its own: a
grader forks all the time, and a server with its threads must not. A report is only used for the very file that it is
of.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import UsageError
from grader.grading.options import ONE_THREAD
from grader.records.plain_files import digest_of
from grader.records.report_files import read_file
from grader.results.report import Report
from grader.results.write import ReportsFolder
from grader.submissions.names import collisions, name_fault
from grader.text import name_shown

MOST_PATHS = 1000  # of one command line
GRADED = (0, 1)


class GradingFailedError(Exception):
    """The grader could not grade anything; its own sentence says why."""


@dataclass(frozen=True)
class HandedIn:
    """A submission as nbgrader knows it: the ids of its student and assignment, and where it is."""

    student: str
    assignment: str
    folder: Path


@dataclass
class ClassRun:
    """The grading of what one command of nbgrader works on.

    Attributes:
        course: A folder in the kit's course.
        reports: Where reports go.
        arguments: More options for `grader grade`.
        say: Whom to tell what the grader said, a line each.
    """

    course: Path
    reports: Path
    arguments: Sequence[str]
    say: Callable[[str], None]
    _done: set[tuple[str, str]] = field(default_factory=set)

    def grade(self, submissions: Iterable[HandedIn]) -> None:
        """Grade submissions, or take over what is unchanged.

        Raises:
            GradingFailedError: Nothing could be graded.
        """
        wanted = [each for each in submissions if name_fault(each.student) is None]
        clashing = {name for group in collisions(each.student for each in wanted) for name in group}
        for assignment in sorted({each.assignment for each in wanted}):
            mine = [each for each in wanted if each.assignment == assignment and each.student not in clashing]
            for start in range(0, len(mine), MOST_PATHS):
                self._run(assignment, mine[start : start + MOST_PATHS])

    def _run(self, assignment: str, some: Sequence[HandedIn]) -> None:
        options = ["--course", str(self.course), "--output", str(self.reports), "--assignment", assignment]
        paths = sorted({str(each.folder.parent.parent) for each in some})  # the class, with everybody in it
        if len(some) == 1:
            paths = [str(some[0].folder)]
            options += ["--student", some[0].student]
        command = [sys.executable, "-P", "-m", "grader", "grade", *options, *self.arguments, "--", *paths]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="backslashreplace", check=False,
            env={**os.environ, **ONE_THREAD},
        )  # fmt: skip
        if done.returncode not in GRADED:
            said = [line for line in done.stderr.splitlines() if line.strip()]
            for line in said[:-1]:
                self.say(line)
            raise GradingFailedError(said[-1] if said else f"grader grade ended with {done.returncode}.")
        _, _, closing = done.stdout.partition("\n\n")
        for line in closing.splitlines():
            self.say(line)
        self._done.update((each.student, each.assignment) for each in some)

    def report(self, submission: HandedIn, notebook: str | None) -> Report | None:
        """Return the report of a submission as it is there now; None when there is none, and a line says why.

        Args:
            notebook: The file name of the notebook that nbgrader grades; None for the file that the kit graded.

        Raises:
            GradingFailedError: It had to be graded once more, and nothing could be.
        """
        for again in (False, True):
            if again or (submission.student, submission.assignment) not in self._done:
                self.grade([submission])
            found = self._read(submission)
            if found is not None and _is_of(found, submission.folder, notebook or found.submission.graded):
                return found
        name = name_shown(submission.student)
        self.say(f"{name}, {submission.assignment}: there is no report of what is in its folder, so nothing is said.")
        return None

    def _read(self, submission: HandedIn) -> Report | None:
        place = ReportsFolder(self.reports).places_of(submission.student, submission.assignment)[0]
        try:
            found, _ = read_file(place)
        except UsageError:
            return None
        right = (found.student, found.assignment) == (submission.student, submission.assignment)
        return found if right and (submission.student, submission.assignment) in self._done else None


def _is_of(report: Report, folder: Path, name: str | None) -> bool:
    """Return whether a report is of a file; one that says why nothing could be graded need not have read it."""
    known = None if name is None else report.submission.sha256.get(name)
    if name is None or known is None:
        return report.problem is not None
    return known == digest_of(folder / name)
