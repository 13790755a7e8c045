"""Zip files of students' pages, named so that Moodle and Canvas give each page to its student.

Both go by numbers in names that they made for the download of all submissions, and pass over a file without a word
whose numbers they do not know. A page whose name would not be understood, or could be another student's, is left out.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator

from grader.errors import UsageError
from grader.lms.feedback import copies_of
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.reports import ClassReports
from grader.lms.roster import DOWNLOADED, roster_of_folders
from grader.lms.scores import Scores
from grader.pages.student import student_page
from grader.release.archive import pack
from grader.results.student_report import StudentReport
from grader.text import name_shown

CANVAS = re.compile(r"((?:LATE_)?anon_[A-Za-z0-9]{5}|.+?_(?:LATE_)?[0-9]+)_([0-9]+)_.+")
NUMBER = re.compile(r"[1-9][0-9]*")
OF_MOODLE = "Grade Moodle's download of all submissions, or add --roster with the column participant."
OF_CANVAS = "Grade Canvas's download of all submissions, with the files' names as they are."


def moodle_feedback(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the zip of pages for "Upload multiple feedback files in a zip".

    Moodle takes a folder `Ann Lee_9001_assignsubmission_file_` apart at its underscores; of the name it takes no
    notice. The underscore at the end is for versions before 4.1.

    Raises:
        UsageError: Nobody has a participant's number, or two students have the same.
    """
    students = [each.row.student for each in reports.of(scores.assignment)]
    known = [student for student in students if DOWNLOADED["participant"].fullmatch(student)]
    roster = options.roster or roster_of_folders(known, "participant")
    people, _ = roster.match(students)

    def name_of(copy: StudentReport) -> str | None:
        person = people.get(copy.student)
        if person is None or not NUMBER.fullmatch(person.participant):
            return None
        own = person.name or copy.student.partition(f"_{person.participant}_")[0]
        folder = f"{_words(own)}_{person.participant}_assignsubmission_file_"
        return f"{folder}/{scores.assignment}.html"

    return _zipped(reports, scores, options, name_of, f"has no participant's number in {roster.name}.", OF_MOODLE)


def canvas_feedback(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return the zip of pages for "Upload Submissions".

    Raises:
        UsageError: No report is of a file with a name of Canvas.
    """
    why_not = "has no file under the name that Canvas gave it, such as leeann_123_456_attention.py."
    return _zipped(reports, scores, options, _canvas_name, why_not, OF_CANVAS)


def _canvas_name(copy: StudentReport) -> str | None:
    """Return the name by which Canvas finds the submission of a file that was downloaded; None where it would not."""
    found = CANVAS.fullmatch(copy.submission.uploaded or "")
    if found is None or found[1].replace("_LATE_", "_").removeprefix("LATE_") != copy.student:
        return None
    parts = [part for part in found[0].split("_") if part != "LATE"]  # Canvas takes the first two numbers in it
    numbers = [part for part in parts if part.isascii() and part.isdigit()]
    user, file = copy.student.rpartition("_")[2], found[2]
    ids = parts[1:3] if parts[0] == "anon" else numbers[:2]
    return f"{found[1]}_{file}_feedback.html" if ids == [user, file] else None


def _zipped(
    reports: ClassReports,
    scores: Scores,
    options: ExportOptions,
    name_of: Callable[[StudentReport], str | None],
    why_not: str,
    hint: str,
) -> ExportedFile:
    """Return the pages of a class under their names, also of those whose submission could not be graded.

    Args:
        name_of: Gives the name of a student's page in the zip file; None where the platform would not know whose it is.
        why_not: What is said of such a student, behind the name.
        hint: What to try where nobody is left, which is refused.
    """
    graded = reports.of(scores.assignment)
    entries = {each.row.student: each.entry for each in graded}
    left_out: list[str] = []

    def pages() -> Iterator[tuple[str, bytes]]:
        for copy in copies_of(graded, due_passed=options.due_passed):
            if (name := name_of(copy)) is None:
                left_out.append(f"{name_shown(copy.student)} {why_not}")
            else:
                yield name, student_page(copy, entries.get(copy.student))

    data = pack(pages(), compressed=True)
    if len(left_out) == len(graded):
        raise UsageError("Students to give their pages to were looked for.", f"There are none: {left_out[0]}", hint)
    return ExportedFile(data, len(graded) - len(left_out), [], left_out, unit="page")


def _words(name: str) -> str:
    """Return a name for a person to read, without what takes names apart or what file systems do not like."""
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFC", name)).strip()[:50] or "student"
