"""Applies the rules to a reports folder: writes `gradebook.json` and `gradebook.csv`, and keeps what was said.

No report is changed. `current` reads the gradebook again, and refuses it where anything was changed since.
"""

import contextlib
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.faults import did_you_mean
from grader.records.journal import Journal
from grader.records.journal_lines import Place
from grader.records.overrides import overrides_of
from grader.records.report_files import departed_in, summary_in
from grader.results.counted import Gradebook
from grader.results.report import to_json
from grader.results.spreadsheet import formula_safe
from grader.results.summary import Summary
from grader.results.write import ReportsFolder
from grader.text import composed, counted, listed, name_shown

from .count import Counter, attempts_of
from .current import NAME, read_gradebook, sources_in
from .given import NAME as GIVEN
from .given import Given, Person, Submitted, read_given
from .policy import NAME as POLICY
from .policy import Policy
from .sentences import WHY
from .sheet import sheet_bytes

SHEET = "gradebook.csv"
OTHER_SUITE = (
    "An earlier file counts as another suite graded it than the newest one; if today's should judge both, grade it and "
    "then the newest again"
)


@dataclass(frozen=True)
class Applied:
    """What came of the rules: the gradebook, and what a person should know of it, a sentence each."""

    gradebook: Gradebook
    notes: list[str]


def apply_rules(
    folder: Path,
    secret: bytes,
    policy: Policy,
    points: Mapping[str, Decimal],
    now: datetime,
    *,
    times: Mapping[Place, Submitted] | None = None,
    people: list[Person] | None = None,
    platform: str = "",
) -> Applied:
    """Work out what counts in a reports folder, and write it there; no report is changed.

    Args:
        secret: The course's, which seals the journal.
        points: What each assignment of the course is worth; what reports say of it counts before.
        times: When things were handed in, beside what was said before.
        people: Who is on the roster, by the folders that are there now; None leaves who was there before.
        platform: The platform's table that this is; see `Given`.

    Raises:
        UsageError: There is nothing graded, or a student, an assignment or a time is not clear.
        OutputError: It could not be written.
    """
    sources = sources_in(folder)  # before they are read: what is added meanwhile makes the gradebook an old one
    before = _gradebook_before(folder)
    if before is not None and before.policy is not None and policy.path is None:
        found = f"There is none, and the gradebook was made with {name_shown(before.policy.file, 200)}."
        raise UsageError("The rules of the course were looked for.", found, "Name them with --policy FILE.")
    summary = summary_in(folder)
    gone = departed_in(folder, summary)
    journal = Journal(folder, secret)
    attempts = attempts_of(journal.lines(), gone, overrides_of(folder))
    if not attempts:
        found = f"The journal in {name_shown(str(folder))} has none that was made with the secret of this course."
        raise UsageError("Graded submissions were looked for.", found, "Grade the class first: `grader grade`.")
    given = read_given(folder)
    if people is not None:
        given = msgspec.structs.replace(given, people=people, platform=platform)
    absent = set(summary.absent) if summary is not None else set()
    if before is not None and (summary is None or not summary.whole):  # whom the newest run did not look at
        absent |= {each.student for each in before.students if not each.on_roster} - {student for student, _ in gone}
    points = {**points, **{assignment: own.newest.max_score for (_, assignment), own in attempts.items()}}
    unseen = _unseen(journal, summary)
    roster = {each.student for each in given.people or []}
    known = {student for student, _ in attempts} | absent | roster
    notes = _lost_lines(journal) + _other_policy(before, policy) + _unknown(policy, known, given)
    if unseen and policy.missing_is_zero:
        every = listed(sorted(unseen))
        notes.append(f"Nobody has a 0 for what is missing where no run was over the whole class: {every}.")
    files = {place: own.submission for place, own in attempts.items()}
    said = _placed(times or {}, known, {student for student, _ in gone}, points)
    given, old = given.with_times(said, {}, files)
    timed = {place for place in old if said[place].at}
    output = ReportsFolder(folder)
    made = Counter(policy, given, points, now, gone, unseen).gradebook(attempts, absent)
    if given != Given() or GIVEN in sources:
        output.write_beside(GIVEN, to_json(given))
        sources[GIVEN] = hashlib.sha256(to_json(given)).hexdigest()
    made = msgspec.structs.replace(made, sources=sources)
    output.write_beside(SHEET, sheet_bytes(made))
    output.write_beside(NAME, to_json(made))  # last: until then exports refuse the one before
    entries = made.by_place()
    counts = {place: each.attempt for place, each in entries.items() if each.attempt}
    alone = [place for place in counts if policy.chooses and attempts[place].by_hand]
    for what, those in (
        ("Points set by hand count alone, and no better attempt beside them", alone),
        (OTHER_SUITE, [place for place, attempt in counts.items() if attempts[place].by_another_suite(attempt)]),
        ("Nothing counts, and no 0 either, where the class no longer has what was graded", gone & entries.keys()),
        ("Times of what is not in the class were left aside", said.keys() - files.keys()),
        ("Times of an earlier file were not taken for the file that is there now; say when it was handed in", timed),
        ("The days late that were said of an earlier file are taken for the file that is there now", {*old} - timed),
    ):
        names = [f"{name_shown(student)} ({assignment})" for student, assignment in sorted(those)]
        notes += [f"{what}: {listed(names)}."] if names else []
    handed_in = {student for student, _ in attempts.keys() | gone}
    return Applied(made, notes + _notes(made, policy, handed_in, given.platform))


def _gradebook_before(folder: Path) -> Gradebook | None:
    """Return the gradebook that is there; None also for one that is torn, since it is made anew."""
    with contextlib.suppress(UsageError):
        return read_gradebook(folder)
    return None


def keep_platform_times(folder: Path, secret: bytes, times: Mapping[Place, datetime]) -> None:
    """Keep when a platform's download says that things were handed in, also where no rules are applied yet.

    Raises:
        UsageError: What was said before cannot be read.
        OutputError: It could not be written.
    """
    if not times:
        return
    files = {line.place: line.submission for line in Journal(folder, secret).lines() if line.place in times}
    before = read_given(folder)
    given, _ = before.with_times({}, times, files)
    if given != before:
        ReportsFolder(folder).write_beside(GIVEN, to_json(given))


def _unseen(journal: Journal, summary: Summary | None) -> set[str]:
    """Return the assignments of which no run was over a whole class, so that nobody knows who handed nothing in."""
    if summary is None or summary.whole is None:  # by a kit that did not say it
        return set()
    looked_at = {line.assignment for line in journal.lines() if line.klass}
    looked_at |= set(summary.handed_in or ()) if summary.whole else set()
    return {line.assignment for line in journal.lines()} - looked_at


def _placed(
    times: Mapping[Place, Submitted], known: set[str], gone: set[str], points: Mapping[str, Decimal]
) -> dict[Place, Submitted]:
    """Return the times by the students' names as they are known here.

    Raises:
        UsageError: A student or an assignment is not known, or a student has two times.
    """
    names = {}
    for name in (*sorted(gone), *sorted(known)):  # who is there has the name, not who left
        names[composed(name)] = names[composed(formula_safe(name))] = name
    found: dict[Place, Submitted] = {}
    for (student, assignment), each in times.items():
        name = student if student in known else names.get(composed(student), "")
        if not name or assignment not in points:
            what = assignment if name else student
            hint = did_you_mean(what, points if name else {*names.values()})[:300]
            looked_for = f"Who handed in {assignment} was looked for." if not name else "An assignment was looked for."
            raise UsageError(looked_for, f"The times name {name_shown(what)}, which is not known here.", hint)
        if (name, assignment) in found:
            raise UsageError(
                "One time for each submission was looked for.", f"{name_shown(name)} has two for {assignment}."
            )
        found[name, assignment] = each
    return found


def _unknown(policy: Policy, known: Iterable[str], given: Given) -> list[str]:
    """Refuse an extension of nobody where a roster says who there is; else say it.

    Raises:
        UsageError: A student is neither in the class nor on the roster.
    """
    notes = []
    for student in policy.unknown_students(known):
        found = f"{POLICY} has an extension of {name_shown(student)}"
        if given.people is not None:
            hint = did_you_mean(student, known)[:300]
            raise UsageError(
                "A student was looked for.", f"{found}, who is neither in the class nor on the roster.", hint
            )
        notes.append(f"{found}, who has handed nothing in; without a --roster nobody knows whether the name is right.")
    return notes


def _lost_lines(journal: Journal) -> list[str]:
    if not journal.damaged_lines:
        return []
    return [
        "Lines of the journal that were damaged or made with another secret were left aside, and so was what only they "
        f"say, be it an attempt or points that were set by hand: {journal.damaged_lines} in all."
    ]


def _other_policy(before: Gradebook | None, policy: Policy) -> list[str]:
    if before is None or before.policy is None or before.policy.file == str(policy.path):
        return []
    return [f"Before, the gradebook was made with the rules in {name_shown(before.policy.file, 200)}."]


def _notes(book: Gradebook, policy: Policy, handed_in: set[str], platform: str) -> list[str]:
    """Return what a person should know of a gradebook."""
    unknown = sum(each.en == WHY["no_time"][0] for entry in book.entries for each in entry.why)
    notes = []
    endless = [each for each in book.assignments if each not in policy.due]
    if endless and (policy.penalty.is_any or policy.missing_is_zero):
        notes.append(f"{POLICY} has no due date of these, so nothing of them is late or missing: {listed(endless)}.")
    if unknown:
        notes.append(f"Submissions whose time is not known count as on time (see --times): {unknown}.")
    strangers = [each.student for each in book.students if each.on_roster is False]
    missing = [each.student for each in book.students if each.on_roster and each.student not in handed_in]
    for what, names in (
        ("In the class, but not on the roster", strangers),
        ("On the roster, without a submission", missing),
    ):
        if names:
            notes.append(f"{what} ({counted(len(names), 'student')}): {listed(list(map(name_shown, names)))}.")
    if platform and strangers and missing and policy.missing_is_zero:
        notes.append(
            "The former could be the latter, so nobody without a folder has a 0. A roster.csv says who is who: "
            "`grader export roster`."
        )
    return notes
