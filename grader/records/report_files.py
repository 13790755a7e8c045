"""Reads the files of a reports folder one by one, and says in a sentence what is wrong with one.

A report must be whole, of this version, in the folder of its own student, and the very bytes that the run wrote: the
journal remembers their hash.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.report import SCHEMA_VERSION, Report, read_report
from grader.results.scoring import total_of
from grader.results.write import STUDENT_COPIES, folder_of, student_of
from grader.system.folder_listing import open_plain
from grader.text import name_shown, one_line

from .journal import NAME as JOURNAL
from .journal import Journal
from .journal_lines import Line, Place, line_of
from .plain_files import AGAIN, digest_of

LARGEST = 64 << 20  # bytes of one report; the largest that grading can write stays far below
SHAPE = "Name the folder that `grader grade --output` wrote."
WITHOUT_ISOLATION = "Graded without isolation, so the program could have changed its own grade: {}."
UNSAFE = "none"  # the isolation tier of a run whose operator switched the jail off


def places(folder: Path, faults: list[str]) -> Iterator[Path]:
    """Give every place of a report, and note what is there in place of one.

    Raises:
        UsageError: A folder cannot be looked into.
    """
    for student in _inside(folder):
        if student.name == STUDENT_COPIES or student.name.startswith(".") or not student.is_dir():
            continue
        if student.is_symlink():
            faults.append(f"{name_shown(student.name)} is a link, and links are not followed.")
            continue
        for place in _inside(student):
            if place.suffix == ".json" and not place.name.startswith("."):
                yield place


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as problem:
        raise UsageError(f"{name_shown(str(folder), 200)} cannot be read: {problem.strerror}.", SHAPE) from None


def read_file(place: Path) -> Report:
    """Return the report in a file.

    Raises:
        UsageError: It is not there, not a file, too large, torn, of another version, or the student's copy.
    """
    shown = name_shown(str(place), 200)
    try:
        with open_plain(place) as file:
            text = file.read(LARGEST + 1)
    except OSError as problem:
        raise UsageError(f"{shown} cannot be read: {problem.strerror}.", SHAPE) from None
    if len(text) > LARGEST:
        raise UsageError(f"{shown} is larger than any report.", SHAPE)
    try:
        return read_report(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise UsageError(f"{shown} {_fault(text, problem)}", AGAIN) from None


def _fault(text: bytes, problem: Exception) -> str:
    """Return why a text is not a report, as the rest of a sentence."""
    try:
        document = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return "is torn: it is not a complete JSON document."
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version is None:
        return "is not a report of this kit."
    if version != SCHEMA_VERSION:
        shown = one_line(str(version), 20)
        return f"has the schema version {shown!r}; this grader reads {SCHEMA_VERSION}. Grade it again."
    if "seed" not in document:
        return "is a student's copy; the instructor's, in the folder of that student, is needed."
    return f"is not a complete report: {one_line(str(problem))}."


def refuse_misplaced(report: Report, place: Path) -> None:
    """Refuse a report that is in another student's folder or under another assignment's name."""
    if folder_of(report.student) != place.parent.name or f"{report.assignment}.json" != place.name:
        whose = f"{name_shown(report.student)} for {name_shown(report.assignment)}"
        raise UsageError(f"{name_shown(str(place), 200)} is the report of {whose}.", "Put it back where it belongs.")


def refuse_unsafe(report: Report) -> None:
    """Refuse a grade of a run without any isolation."""
    if report.isolation.get("tier") == UNSAFE:
        problem = f"{report.assignment} of {name_shown(report.student)} was graded without isolation."
        raise UsageError(problem, "Grade it again without `--isolation none`.")


def refuse_unsound(report: Report, place: Path) -> None:
    """Refuse a report whose exercises' points are not its points."""
    total = None if report.problem is not None else total_of(exercise.score for exercise in report.exercises)
    points = sum((exercise.max_score for exercise in report.exercises), Decimal(0))
    if (total, points) != (report.score, report.max_score) or not (total is None or 0 <= total <= points):
        raise UsageError(f"The scores in {name_shown(str(place), 200)} do not add up.", AGAIN)


def lines_of_reports(folder: Path, notes: list[str]) -> dict[Place, Line]:
    """Return what every report of a folder says, in the journal's form, and note what a reader must know.

    A report that was changed or removed since it was written counts as not graded: its problem says so. One that the
    journal does not know counts where there is no journal, or where it says that it was graded without isolation.
    """
    has_journal = (folder / JOURNAL).is_file()
    remembered = {line.place: line for line in Journal(folder, None).lines()}
    there = {(student_of(place.parent.name), place.stem): place for place in places(folder, notes)}
    lines, unsafe = {}, []
    for place in sorted({*remembered, *there}):
        line = remembered.get(place)
        if place not in there:
            lines[place] = _changed(remembered[place], "Its report was removed from the folder.")
            continue
        try:
            if line is not None and there[place].lstat().st_size <= LARGEST and digest_of(there[place]) == line.report:
                lines[place] = line
                continue
            report = read_file(there[place])
            refuse_misplaced(report, there[place])
            refuse_unsound(report, there[place])
        except UsageError as fault:
            if line is None:
                notes.append(str(fault))
            else:
                lines[place] = _changed(line, "Its report is not as it was written.")
            continue
        handed_in = report.submission
        file = handed_in.graded or ", ".join(handed_in.files)
        line = line_of(report, file=file, submitted=handed_in.submitted, late=bool(handed_in.late))
        if report.isolation.get("tier") == UNSAFE:
            unsafe.append(name_shown(report.student))
        elif has_journal:
            line = _changed(line, "Its report is not as it was written.")
        lines[place] = line
    if unsafe:
        notes.append(WITHOUT_ISOLATION.format(", ".join(sorted(set(unsafe)))))
    return lines


def _changed(line: Line, why: str) -> Line:
    return msgspec.structs.replace(line, problem=f"{why} Run `grader grade` again.")
