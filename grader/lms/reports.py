"""Reads a reports folder that `grader grade` wrote, for whoever carries its scores elsewhere.

A score that goes into a gradebook is the end of the line: nobody looks at it again. So a folder is taken whole or not
at all. A report that is torn, of another version, of another student than its folder says, or not as the journal
remembers it stops everything with a sentence; nothing is skipped.
"""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.errors import UsageError
from grader.records.departed_students import KEEP, departed_sentences
from grader.records.journal_lines import Place, line_of
from grader.records.report_files import (
    AGAIN,
    SHAPE,
    departed_in,
    places,
    read_file,
    refuse_changed,
    refuse_misplaced,
    refuse_unsafe,
    refuse_unsound,
    summary_in,
    unlike_journal,
)
from grader.results.report import Report
from grader.results.write import student_of
from grader.text import name_shown

from .scores import Graded, Scores

SHOWN = 5  # faults that are named before the rest is counted


@dataclass(frozen=True)
class ClassReports:
    """A reports folder, read whole.

    Attributes:
        graded: One entry for each report, by assignment and student.
        absent: Who handed nothing in, as the summary of the last run says.
        notes: What else a person must know before they use the scores, a sentence each.
        gone: The submissions whose reports were left out, since the class no longer has them.
    """

    folder: Path
    graded: list[Graded]
    absent: list[str]
    notes: list[str]
    gone: frozenset[Place] = frozenset()

    @property
    def assignments(self) -> list[str]:
        """Every assignment that somebody handed in."""
        return sorted({each.row.assignment for each in self.graded})

    @property
    def students(self) -> list[str]:
        """Everybody, those without a submission included."""
        return sorted({*(each.row.student for each in self.graded), *self.absent})

    def of(self, assignment: str) -> list[Graded]:
        """Return the reports of an assignment, by student."""
        return [each for each in self.graded if each.row.assignment == assignment]

    def assignment(self, named: str | None) -> str:
        """Return the assignment that is meant: the named one, or the only one.

        Raises:
            UsageError: There is none of that name, or several and none is named.
        """
        from grader.faults import did_you_mean

        if named in self.assignments:
            return named
        shown = name_shown(str(self.folder))
        if named is not None:
            raise UsageError(
                f"The assignment {named!r} was looked for in {shown}.",
                "No report in it is of that assignment.",
                did_you_mean(named, self.assignments),
            )
        if len(self.assignments) > 1:
            names = ", ".join(self.assignments)
            raise UsageError(
                "The assignment to export was looked for.", f"{shown} has {names}.", "Add --assignment ID."
            )
        return self.assignments[0]

    def find(self, student: str, assignment: str) -> Graded:
        """Return one entry.

        Raises:
            UsageError: There is no such report.
        """
        from grader.faults import did_you_mean

        for each in self.of(assignment):
            if each.row.student == student:
                return each
        found = f"{name_shown(str(self.folder))} has no such student."
        if student in self.students:
            found = "This student has handed in nothing for it."
        if (student, assignment) in self.gone:
            found = departed_sentences([(student, assignment)])[0]
        raise UsageError(
            f"The report of {name_shown(student)} for {assignment} was looked for.",
            found,
            did_you_mean(student, [each.row.student for each in self.graded])[:300],
        )

    def scores(self, assignment: str, *, failed_as_zero: bool = False) -> Scores:
        """Return the scores of an assignment.

        Args:
            failed_as_zero: Whether a submission that could not be graded has the score 0 instead of none.

        Raises:
            UsageError: Not all reports count the same points, so some are older than the others' suite.
        """
        graded = self.of(assignment)
        maxima = sorted({each.row.max_score for each in graded})
        if len(maxima) != 1:
            found = " and ".join(f"{number:f}" for number in maxima)
            raise UsageError(
                f"The points of {assignment} were looked for.", f"Reports count {found} points in all.", AGAIN
            )
        known = {each.row.student: each for each in graded}
        points = {student: each.points for student, each in known.items()}
        return Scores(
            assignment=assignment,
            max_score=maxima[0],
            scores={
                student: each or Decimal(0) for student, each in points.items() if each is not None or failed_as_zero
            },
            failed={student: known[student].why_failed for student, each in points.items() if each is None},
            absent=sorted(set(self.students) - known.keys()),
            graded=known,
        )


def read_class(folder: Path, *, unsafe: bool = False, keep_gone: bool = False) -> ClassReports:
    """Read a reports folder.

    Args:
        unsafe: Whether grades of a run without any isolation are taken too.
        keep_gone: Whether reports are taken too whose submission the class no longer has.

    Raises:
        UsageError: There is no such folder, no report in it, or anything in it is not as grading left it.
    """
    shown = name_shown(str(folder))
    if not folder.is_dir():
        raise UsageError("A folder of reports was looked for.", f"There is no folder {shown}.", SHAPE)
    summary = summary_in(folder)
    departed = departed_in(folder, summary)
    gone = set() if keep_gone else departed
    graded: list[Graded] = []
    faults: list[str] = []
    for place in places(folder, faults):
        if (student_of(place.parent.name), place.stem) in gone:
            continue
        try:
            report, sha256 = read_file(place)
            refuse_misplaced(report, place)
            refuse_unsafe(report, unsafe)
            refuse_unsound(report, place)
            graded.append(Graded(line_of(report).row(), report.language, place, sha256))
        except UsageError as fault:
            faults.append(_found_and_advice(fault))
    known = {(each.row.student, each.row.assignment): each.sha256 for each in graded}
    faults += [f"{name_shown(who)}, {what}: {why}" for (who, what), why in unlike_journal(folder, known, gone).items()]
    if faults:
        more = f" And {len(faults) - SHOWN} more." if len(faults) > SHOWN else ""
        found = " ".join(faults[:SHOWN]) + more
        raise UsageError(f"Whole reports of one run were looked for in {shown}.", found, AGAIN)
    if not graded:
        raise UsageError("Reports were looked for.", f"{shown} holds none.", KEEP if gone else SHAPE)
    absent = summary.absent if summary is not None else []
    have = {each.row.student for each in graded}
    notes = [
        f"{name_shown(student)} handed nothing in in the last run; what counts is the report of an earlier one."
        for student in absent
        if student in have
    ]
    notes += [f"left out: {sentence}" for sentence in departed_sentences(gone)]
    graded.sort(key=lambda each: (each.row.assignment, each.row.student))
    absent = [name for name in absent if name not in have]
    return ClassReports(folder, graded, absent, notes, frozenset(gone))


def read_one(place: Path, *, unsafe: bool = False) -> Report:
    """Read one report, the instructor's copy.

    A report that is in a reports folder must be its student's and as the journal remembers it; one that was taken
    out of there is read alone.

    Raises:
        UsageError: It is not there, torn, of another version, the student's copy, another student's, not as it was
            written, or was graded without isolation.
    """
    report, sha256 = read_file(place)
    refuse_changed(report, place, sha256)
    refuse_unsafe(report, unsafe)
    refuse_unsound(report, place)
    return report


def _found_and_advice(fault: UsageError) -> str:
    advice = fault.hint if "--" in fault.hint else ""
    return " ".join(part for part in (fault.found, advice) if part)
