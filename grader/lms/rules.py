"""Applies a course's rules to a reports folder, by `policy.toml` and the tables of times and of people that are named.

All files are read before anything is graded, so that a slip of the pen costs no run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from grader.course.layout import Course
from grader.gradebook.files import Applied, apply_rules, keep_platform_times
from grader.gradebook.given import Given, Person, Submitted, alone, read_given
from grader.gradebook.policy import NAME, YEARS, Policy, read_policy
from grader.gradebook.sheet import table_cells
from grader.records.journal import Journal
from grader.records.journal_lines import Place
from grader.records.report_files import departed_in, summary_in
from grader.results.counted import Gradebook
from grader.results.table import print_table
from grader.submissions.submission import Submission
from grader.text import listed, name_shown

from .platform_rosters import read_people, roster_of_platform
from .roster import COLUMNS, Identity, Roster
from .times import read_times

ELSE = sorted({*COLUMNS} - {*Person.__struct_fields__})
"""What a roster says of a person beside what the gradebook shows."""


@dataclass(frozen=True)
class Rules:
    """What is applied to a course's reports.

    Attributes:
        roster: The table of people; None where none is named.
    """

    course: Course
    policy: Policy
    times: Mapping[Place, Submitted]
    roster: Path | None

    def apply(self, folder: Path, submissions: Sequence[Submission] = ()) -> Applied:
        """Work out what counts in a reports folder and write it there.

        Args:
            submissions: What was graded just now, for whom the platform marks as late without a time.

        Raises:
            UsageError: There is nothing graded, or somebody or something is not clear.
            OutputError: It could not be written.
        """
        with alone(folder):
            applied = self._apply(folder)
        notes = applied.notes + _late_without_due(applied.gradebook, self.times)
        return replace(applied, notes=notes + _late_without_time(applied.gradebook, submissions))

    def _apply(self, folder: Path) -> Applied:
        students, gone = _students(folder)
        if self.roster is None:
            roster = _roster_before(read_given(folder), students, gone)
        else:
            roster = read_people(self.roster, students, gone)
        points = {each.id: each.points for each in self.course.assignments.values()}
        now = datetime.now(UTC)
        return apply_rules(
            folder,
            self.course.secret(),
            self.policy,
            points,
            now,
            times=self.times,
            people=None if roster is None else people_of(roster, students),
            platform="" if roster is None else roster.platform,
        )


def _students(folder: Path) -> tuple[set[str], set[str]]:
    """Return whose folders the class has, with or without something handed in, and whose it no longer has."""
    summary = summary_in(folder)
    departed = departed_in(folder, summary)
    there = {student for student, _ in Journal(folder, None).places() - departed}
    there |= set(summary.absent if summary is not None else ())
    return there, {student for student, _ in departed} - there


def _roster_before(given: Given, students: set[str], gone: set[str]) -> Roster | None:
    """Return the roster that was given before, its people looked for anew among the folders that are there now."""
    if given.people is None:
        return None
    people = [
        Identity(
            student=each.student,
            name=each.name,
            email=each.email,
            **{what: each.identities.get(what, "") for what in ELSE},
        )
        for each in given.people
    ]
    if given.platform:
        return roster_of_platform(people, students, given.platform, gone)
    return Roster("the roster that was given before", {each.student: each for each in people})


def keep_times(course: Course, folder: Path, submissions: Sequence[Submission]) -> None:
    """Keep when a platform's download says that these were handed in; a later run may not have that download.

    Raises:
        UsageError: What was said before cannot be read.
        OutputError: It could not be written.
    """
    times = {
        (each.student, each.assignment): each.submitted
        for each in submissions
        if each.submitted is not None and each.submitted.year in YEARS
    }
    with alone(folder):
        keep_platform_times(folder, course.secret(), times)


def _late_without_time(book: Gradebook, submissions: Sequence[Submission]) -> list[str]:
    """Return whom the platform marks as late without a time, in a sentence or none."""
    entries = book.by_place()
    names = [
        f"{name_shown(each.student)} ({each.assignment})"
        for each in submissions
        if each.late and (entry := entries.get((each.student, each.assignment))) and entry.due and not entry.submitted
    ]
    return [f"Late by the platform, which does not say how late; say it by --times: {listed(names)}."] if names else []


def _late_without_due(book: Gradebook, times: Mapping[Place, Submitted]) -> list[str]:
    """Return the assignments of which days late were said, and which have no due date, in a sentence or none."""
    due = {each.assignment for each in book.entries if each.due}
    names = sorted({assignment for (_, assignment), each in times.items() if each.late_days} - due)
    return [f"Days late do nothing where policy.toml has no due date: {listed(names)}."] if names else []


def read_rules(course: Course, policy: Path | None, times: Path | None, roster: Path | None) -> Rules | None:
    """Return what is to be applied: by the named files, or by the course's own `policy.toml`; None where there is none.

    Raises:
        UsageError: A file cannot be read, or is not what it should be.
        CourseError: The rules are not sound.
    """
    own = course.root / NAME
    place = policy.resolve() if policy is not None else own if own.exists() else None
    if place is None and times is None and roster is None:
        return None
    if roster is not None:
        read_people(roster, ())
    found = Policy() if place is None else read_policy(place, course.assignments)
    return Rules(course, found, {} if times is None else read_times(times), roster)


def people_of(roster: Roster, students: set[str]) -> list[Person]:
    """Return who is on a roster, by the names of their folders where they have one."""
    found, _ = roster.match(students)
    folders = {person.student: folder for folder, person in found.items()}
    return [
        Person(
            student=folders.get(each.student, each.student),
            name=each.name or f"{each.first_name} {each.last_name}".strip(),
            email=each.email,
            identities={what: value for what in ELSE if (value := getattr(each, what))},
        )
        for each in roster.people.values()
    ]


def show_applied(applied: Applied, folder: Path) -> None:
    """Print what counts, and where it is."""
    where = name_shown(str(folder), 300)
    line = f"The points that count are in gradebook.csv in {where}, the reasons in gradebook.json."
    print_table(table_cells(applied.gradebook), [*applied.notes, line])
