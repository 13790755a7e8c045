"""Writes the pages of a reports folder beside its reports, or of one report beside its file.

    for-students/<student>/<assignment>.html     a student's page, and .md where Markdown is asked for
    for-teachers/<assignment>/class.html         the class, with class.svg (one slide), its tables as CSV and class.json

For the web each student's pages are alone in a folder whose name nobody can guess, and there is no page of the class.

A report that is torn, another student's or not as the journal remembers it gets no page and is named; the others do.
"""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import UsageError
from grader.records.changes import changes_of_run
from grader.records.departed_students import KEEP, departed_sentences
from grader.records.overrides import overrides_around, overrides_of, report_after
from grader.records.report_files import (
    SHAPE,
    departed_in,
    places,
    read_copy,
    read_file,
    refuse_changed,
    refuse_misplaced,
    refuse_unsound,
    summary_in,
    text_of,
    unlike_journal,
)
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.student_report import StudentReport
from grader.results.summary import Summary
from grader.results.write import CLASS_PAGES, OWN_NAMES, STUDENT_COPIES, ReportsFolder, folder_of, student_of
from grader.system.whole_file import write_whole
from grader.text import name_shown

from .class_page import class_page, slide
from .figure_files import figure_files
from .figures import ClassFigures
from .student import student_markdown, student_page


@dataclass
class Written:
    """What was written.

    Attributes:
        students: How many pages of students.
        classes: The pages of classes.
        left_out: The reports that got no page and why, a sentence each.
        gone: The submissions that the class no longer has, a sentence each; they get no page either.
    """

    students: int = 0
    classes: list[Path] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def write_pages(
    reports: Path,
    output: Path | None = None,
    *,
    as_markdown: bool = False,
    secret: bytes | None = None,
) -> Written:
    """Write the pages of every report in a folder, and of every class.

    Args:
        reports: What `grader grade --output` wrote, or a folder of students' copies.
        output: Where the pages go; into the reports folder when not given.
        as_markdown: Whether students' pages are written as Markdown too.
        secret: Of the course, where the pages are for the web; then `output` must be a folder for nothing else.

    Raises:
        UsageError: It is not such a folder, holds no report.
        OutputError: A page could not be written.
    """
    written, classes = Written(), dict[str, ClassFigures]()
    summary = summary_in(reports)
    found = _find(reports, summary, written)
    folder = ReportsFolder(output or reports)
    folder.prepare()
    if secret is not None:
        folder.write_page((), "index.html", b"")  # where a server lists folders, it shows this instead
    overrides = overrides_of(reports)
    for place, report in _read(found, written.left_out):
        copy = student_copy(report) if isinstance(report, Report) else report
        copy = report_after(copy, overrides)
        own = folder_of(student_of(place.parent.name))
        inside = (STUDENT_COPIES, own) if isinstance(report, Report) else (own,)
        if secret is not None:
            inside = (web_folder(secret, copy.student),)
        for name, data in _pages_of(copy, place.stem, as_markdown):
            folder.write_page(inside, name, data)
        written.students += 1
        if isinstance(report, Report) and secret is None:
            classes.setdefault(report.assignment, ClassFigures(report.assignment)).add(report, overrides)
    run = None if summary is None else summary.run
    changes = [] if run is None or not classes else changes_of_run(reports, run)
    for assignment, figures in sorted(classes.items()):
        figures.students.sort(key=lambda one: one.name)
        inside = (CLASS_PAGES, assignment)
        data = class_page(figures, summary, changes)
        written.classes.append(folder.write_page(inside, "class.html", data))
        for name, data in {"class.svg": slide(figures), **figure_files(figures)}.items():
            folder.write_page(inside, name, data)
    return written


def web_folder(secret: bytes, student: str) -> str:
    """Return the name of a student's folder on the web: each time the same, and 128 bits that nobody can guess."""
    return hmac.digest(secret, f"pages of {student}".encode(errors="surrogateescape"), "sha256").hex()[:32]


def refuse_for_web(reports: Path, output: Path) -> None:
    """Refuse a folder for the web that holds, or is in, what students must not see.

    Raises:
        UsageError: It is the reports folder, in it or around it, or holds files of a run or other pages.
    """
    place, other = output.resolve(), reports.resolve()
    there = next((name for name in OWN_NAMES if (output / name).exists()), None)
    if there is not None or place.is_relative_to(other) or other.is_relative_to(place):
        found = f"holds {there}." if there else "is the reports folder, in it, or around it."
        hint = "Name an empty folder elsewhere with --output: everybody can read it on the web."
        raise UsageError("A folder for the web was looked for.", f"{name_shown(str(output), 200)} {found}", hint)


def copy_at(place: Path) -> StudentReport:
    """Return the student's copy of one report with the points that count.

    Args:
        place: The report, or the student's copy of it.

    Raises:
        UsageError: It is not a report, not as it was written.
    """
    copy = read_copy(place)
    if copy is None:
        report, sha256 = read_file(place)
        refuse_changed(report, place, sha256)
        refuse_unsound(report, place)
        copy = student_copy(report)
    return report_after(copy, overrides_around(place))


def write_page(copy: StudentReport, folder: Path, stem: str, *, as_markdown: bool = False) -> list[Path]:
    """Write the page of one report, its name without the ending given, and return what was written.

    Raises:
        OutputError: The page could not be written.
    """
    written = []
    for name, data in _pages_of(copy, stem, as_markdown):
        written.append(folder / name)
        write_whole(written[-1], data)
    return written


def _pages_of(copy: StudentReport, stem: str, as_markdown: bool) -> Iterator[tuple[str, bytes]]:
    yield f"{stem}.html", student_page(copy)
    if as_markdown:
        yield f"{stem}.md", student_markdown(copy)


def _find(folder: Path, summary: Summary | None, written: Written) -> list[Path]:
    """Return where the reports of a folder are that are as the journal remembers them; the others are noted.

    Raises:
        UsageError: There is none at all.
    """
    gone = departed_in(folder, summary)
    written.gone = [sentence.removesuffix(f" {KEEP}") for sentence in departed_sentences(gone)]
    found = {(student_of(place.parent.name), place.stem): place for place in places(folder, written.left_out)}
    if not found and not written.left_out:
        raise UsageError("Reports were looked for.", f"{name_shown(str(folder), 200)} holds none.", SHAPE)
    for who in gone:
        found.pop(who, None)
    hashes = {}
    for who, place in list(found.items()):
        try:
            hashes[who] = hashlib.sha256(text_of(place)).hexdigest()
        except UsageError as fault:
            written.left_out.append(fault.found)
            del found[who]
    changed = unlike_journal(folder, hashes, gone)
    written.left_out += [f"{name_shown(who)}, {what}: {why}" for (who, what), why in changed.items()]
    return [place for who, place in sorted(found.items()) if who not in changed]


def _read(found: list[Path], left_out: list[str]) -> Iterator[tuple[Path, Report | StudentReport]]:
    """Give the reports one by one, and note those that cannot be read."""
    for place in found:
        try:
            report = read_copy(place) or read_file(place)[0]
            if isinstance(report, Report):
                refuse_misplaced(report, place)
                refuse_unsound(report, place)
        except UsageError as fault:
            left_out.append(fault.found)
        else:
            yield place, report
