"""Writes the pages of a reports folder beside its reports, or of one report beside its file.

    for-students/<student>/<assignment>.html     a student's page
    for-teachers/<assignment>/class.html         the class

A report that is torn, another student's or not as the journal remembers it gets no page and is named; the others do.
"""

import hashlib
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
from grader.results.write import CLASS_PAGES, STUDENT_COPIES, ReportsFolder, folder_of, student_of
from grader.system.whole_file import write_whole
from grader.text import name_shown

from .class_page import class_page
from .figures import ClassFigures
from .student import student_page


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


def write_pages(reports: Path, output: Path | None = None, language: str | None = None) -> Written:
    """Write the pages of every report in a folder, and of every class.

    Args:
        reports: What `grader grade --output` wrote, or a folder of students' copies.
        output: Where the pages go; into the reports folder when not given.
        language: That of the pages' own words; each report's if not given.

    Raises:
        UsageError: It is not such a folder, holds no report.
        OutputError: A page could not be written.
    """
    written, classes = Written(), dict[str, ClassFigures]()
    summary = summary_in(reports)
    found = _find(reports, summary, written)
    folder = ReportsFolder(output or reports)
    folder.prepare()
    overrides = overrides_of(reports)
    for place, report in _read(found, written.left_out):
        copy = student_copy(report) if isinstance(report, Report) else report
        copy = report_after(copy, overrides)
        own = folder_of(student_of(place.parent.name))
        inside = (STUDENT_COPIES, own) if isinstance(report, Report) else (own,)
        folder.write_page(inside, f"{place.stem}.html", student_page(copy, language))
        written.students += 1
        if isinstance(report, Report):
            classes.setdefault(report.assignment, ClassFigures(report.assignment)).add(report, overrides)
    run = None if summary is None else summary.run
    changes = [] if run is None or not classes else changes_of_run(reports, run)
    for assignment, figures in sorted(classes.items()):
        figures.students.sort(key=lambda one: one.name)
        inside = (CLASS_PAGES, assignment)
        data = class_page(figures, summary, changes, language)
        written.classes.append(folder.write_page(inside, "class.html", data))
    return written


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


def write_page(copy: StudentReport, folder: Path, stem: str, language: str | None = None) -> Path:
    """Write the page of one report, its name without the ending given, and return where it is.

    Raises:
        OutputError: The page could not be written.
    """
    path = folder / f"{stem}.html"
    write_whole(path, student_page(copy, language))
    return path


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
