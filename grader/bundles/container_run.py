"""What a bundle's scripts start in a container: grades the one submission there and writes the platform's result.

Either the result is that of a whole report, or there is no result and a code that is not 0: a platform that finds no
result gives no score. Nothing is written before the report is whole. What is printed is harmless for a student, since
some platforms show it to them.
"""

import os
import sys
import traceback
from pathlib import Path

from grader.course.content.settings import SECRET_FILE, SECRET_VARIABLE
from grader.course.layout import Assignment, Course, find_course
from grader.errors import CourseError, GraderError, IsolationError, UsageError
from grader.jail.leftovers import kept_folder
from grader.results.report import Report
from grader.words import say

from . import places

BUG = 70
STUDENT = "submission"


def main(arguments: list[str]) -> int:
    """Grade for a platform, by its name and the bundle's folder.

    Returns:
        0 when the platform has its result, 3 when student code can't be shut in, 2 when the bundle is broken.
    """
    if len(arguments) != 2:
        print("Usage: python -I -m grader.bundles PLATFORM BUNDLE", file=sys.stderr)
        return 2
    name, folder = arguments
    language = "en"
    platform: places.Platform | None = None
    try:
        platform = places.platform(name)
        course, assignment = _course(Path(folder) / "course")
        language = course.settings.language
        report = _graded(course, assignment, platform.handed_in)
        print(f"Graded by attention-grader {report.kit_version}; isolation tier {report.isolation['tier']!r}.")
        for note in report.notes:  # a student reads them in the report, too
            print(f"Note: {note}")
        platform.give(report)
        return 0
    except GraderError as error:
        return _refused(platform, language, error, error.exit_code)
    except Exception as error:  # a bug of ours: the platform still gets no score, and a code
        if platform is None or not platform.shows_output:
            traceback.print_exc()
        return _refused(platform, language, error, BUG)


def _course(root: Path) -> tuple[Course, Assignment]:
    """Return the bundle's course and its one assignment, with its secret in force."""
    try:
        named = (root / "assignment").read_text(encoding="utf-8").strip()
        secret = (root / SECRET_FILE).read_text(encoding="utf-8").strip()
    except OSError as problem:
        found = f"{problem.filename}: {problem.strerror}."
        raise UsageError(f"A bundle was looked for in {root.parent}.", found) from None
    os.environ.setdefault(SECRET_VARIABLE, secret)
    course = find_course(root)
    return course, course.assignment(named)


def _graded(course: Course, assignment: Assignment, handed_in: Path) -> Report:
    from grader.grading import run
    from grader.grading.options import ONE_THREAD, GradeOptions
    from grader.results.report import read_report

    os.environ.update(ONE_THREAD)
    with kept_folder("grading") as work:
        reports = work / "reports"
        order = GradeOptions(
            paths=[handed_in],
            output=reports,
            course=course.root,
            student=STUDENT,
            assignment=assignment.id,
            jobs=1,
            fresh=True,
            remember=False,
        )
        run(order)
        return read_report((reports / STUDENT / f"{assignment.id}.json").read_bytes())


def _refused(platform: places.Platform | None, language: str, error: Exception, code: int) -> int:
    """Say why there is no result, and leave none."""
    print(f"Not graded: {_reason(error)}", file=sys.stderr)
    if platform is None:
        return code
    try:
        platform.refuse(say("bundle_not_graded", language))
    except GraderError as problem:  # then the platform has to see it by the code
        print(f"Not graded: {problem}", file=sys.stderr)
        return problem.exit_code
    return code if platform.refused_code is None else platform.refused_code


def _reason(error: Exception) -> str:
    """Return the reason for staff; what could quote a file of the course is left out."""
    if isinstance(error, IsolationError):
        return f"student code can't be shut in here. {error}"
    if isinstance(error, CourseError):
        return "a file of the bundle's course is broken (CourseError). `grader grade` with the course says which one."
    if isinstance(error, GraderError):
        return str(error)
    return f"a bug of the kit ({type(error).__name__})."
