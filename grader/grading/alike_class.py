"""Compares the submissions of a class with each other, assignment by assignment, and writes a page of each.

They are found and read as for grading; nothing of them is run, so no jail is needed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.course.layout import Assignment, Course, find_course
from grader.course.output_place import refuse_in_course
from grader.pages.rendering import page
from grader.results.verdict import Language
from grader.results.write import CLASS_PAGES, ReportsFolder
from grader.submissions.alike import Pair, alike
from grader.submissions.code_tokens import Code, tokens_of
from grader.submissions.overlap import refuse_overlap
from grader.submissions.read import own_file, read_file, read_submission
from grader.submissions.submission import Submission

from .finding import find_all
from .options import GradeOptions

MOST_PAIRS = 50
"""Pairs that a page shows; the rest is counted."""
MOST_TOKENS = 20_000
"""Tokens of a submission that is compared; common ones have some 2,000."""
TOO_LONG = f"It has more than {MOST_TOKENS:,} tokens of code, and such a file is not compared."


@dataclass(frozen=True)
class Compared:
    """An assignment of a class, compared.

    Attributes:
        count: How many submissions were compared.
        pairs: Those that share unusual code, the one with most of it first.
        left_out: Why a student's submission was not compared, by student, or by all who handed it in as a group.
        page: Where it can be looked at.
    """

    assignment: str
    count: int
    pairs: list[Pair]
    left_out: dict[str, str]
    page: Path


def compare_class(options: GradeOptions) -> tuple[list[Compared], list[str]]:
    """Compare what the options name and write the pages; return what was found, and what of the class was left out.

    Raises:
        GraderError: There are no submissions, or a page could not be written.
    """
    course = find_course(options.course)
    found = find_all(course, options)
    refuse_overlap(options.paths, options.output)
    refuse_in_course(options.output)
    folder = ReportsFolder(options.output)
    folder.prepare()
    language: Any = options.language or course.settings.language
    compared = []
    for assignment in course.assignments.values():
        mine = [each for each in found.submissions if each.assignment == assignment.id]
        if mine:
            compared.append(_compare(course, assignment, mine, folder, language))
    return compared, found.warnings


def _compare(
    course: Course, assignment: Assignment, submissions: Sequence[Submission], folder: ReportsFolder, language: Any
) -> Compared:
    codes: dict[str, Code] = {}
    files: dict[str, str] = {}
    left_out: dict[str, str] = {}
    groups: defaultdict[object, list[Submission]] = defaultdict(list)
    for each in submissions:
        groups[each.files or each.student].append(each)
    for group in groups.values():
        student = ", ".join(each.student for each in group)
        source = read_submission(group[0], assignment.names, course.limits, language)
        code = tokens_of(source.cells)
        if source.problem is not None or code.size > MOST_TOKENS:
            left_out[student] = source.problem or TOO_LONG
        else:
            codes[student], files[student] = code, source.file_name
    pairs = alike(codes, _known(course, assignment))
    content = alike_page(assignment.id, language, pairs, files, left_out)
    place = folder.write_page((CLASS_PAGES, assignment.id), "alike.html", content)
    return Compared(assignment.id, len(codes), pairs, left_out, place)


def alike_page(
    assignment: str, language: Language, pairs: Sequence[Pair], files: Mapping[str, str], left_out: Mapping[str, str]
) -> bytes:
    """Return the teacher's page of an assignment: what two submissions share, side by side, and no verdict.

    Args:
        files: The name of the file of each student who was compared.
        left_out: Why a student was not.
    """
    shown, further = pairs[:MOST_PAIRS], max(0, len(pairs) - MOST_PAIRS)
    values = {"assignment": assignment, "shown": shown, "further": further, "files": files, "left_out": left_out}
    return page("alike.html", language, **values)


def _known(course: Course, assignment: Assignment) -> list[Code]:
    """Return the code that the course has: what students were given, the solution, right answers and mistakes."""
    own = sorted(assignment.source.parent.rglob("*.py"))
    given = sorted(path for suffix in ("py", "ipynb") for path in assignment.released.glob(f"*.{suffix}"))
    return [tokens_of(read_file(own_file(path), course.limits, follow=True).cells) for path in (*own, *given)]
