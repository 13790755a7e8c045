"""A run over a class, on one page: find the submissions, take over what is unchanged, grade the rest, sum up.

Nothing is graded before the jail is proven and the output folder can be written, and a run that was stopped anywhere
goes on where it stopped.
"""

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import msgspec
from rich.console import Console

from grader import __version__
from grader.course.handed_out.given import out_of_step
from grader.course.layout import Course, find_course
from grader.course.output_place import refuse_place
from grader.errors import CourseError, UsageError
from grader.export.grades import (
    ClassGrades,
    read_class_files,
    student_named,
    write_grades,
)
from grader.records.announced_scores import stamp
from grader.records.folder_lock import one_run_at_a_time
from grader.results.summary import Row, Summary, summarise
from grader.results.table import show_results
from grader.results.verdict import Language
from grader.results.write import ReportsFolder
from grader.submissions.submission import Submission
from grader.system.devices import choose_device, device_of_nodes
from grader.system.machine import other_torch

from .class_run import ClassRun, Judge
from .finding import classes_of, find_all
from .ledger import Ledger
from .options import GradeOptions, merged_limits, utc_now
from .progress import ProgressReporter


@dataclass(frozen=True)
class Graded:
    """What a run over a class came to: its rows by assignment and student, everybody in the class, the summary,
    and what was handed in.

    The rows have the points that count, with those set by hand; the summary has those that grading gave. `grades` are
    those of the whole folder, other runs' too.
    """

    rows: list[Row]
    students: list[str]
    summary: Summary
    submissions: list[Submission]
    grades: ClassGrades

    @property
    def code(self) -> int:
        """The exit code: 0 when every submission was graded, 1 when some could not be."""
        return 1 if self.summary.not_graded or self.summary.warnings else 0

    @property
    def columns(self) -> list[str]:
        """The assignments that somebody handed in."""
        return sorted({row.assignment for row in self.rows})


def run_and_show(options: GradeOptions, judge: Judge = ClassRun.in_jails) -> int:
    """Grade what the options name, write everything, print the class's table, and return `Graded.code`."""
    graded = run(options, ProgressReporter(Console(stderr=True, highlight=False)), judge)
    shown = {grade.student: grade.shown for grade in graded.grades.all}
    shown = {student: shown.get(student, student) for student in graded.students}
    show_results(graded.rows, shown, graded.columns, graded.summary, options.output, graded.grades.lines())
    return graded.code


def run(options: GradeOptions, progress: ProgressReporter | None = None, judge: Judge = ClassRun.in_jails) -> Graded:
    """Grade what the options name and write everything.

    Args:
        judge: Gives the verdicts; by default this machine's jails do.

    Raises:
        GraderError: Nothing could be graded, or a report could not be written.
    """
    course = find_course(options.course)
    _refuse_policy(course)
    language = _language(options.language, course)
    limits = merged_limits(course.limits, options.limits)
    if options.student is not None and not options.new_class:
        options = replace(options, student=student_named(options.student, options.output, options.assignment))
    intake = find_all(course, options)
    device = (device_of_nodes if options.on_nodes else choose_device)(options.device, course.settings.device)
    output = ReportsFolder(options.output)
    raw = None if options.raw is None else ReportsFolder(options.raw)
    taken = [*options.paths]
    for option, folder in (("--output", output), ("--keep-raw", raw)):
        if folder is not None:
            refuse_place(folder.root, option, apart=taken)
            taken.append(folder.root)
            folder.prepare()
    with one_run_at_a_time(output.root):
        begun, clock = utc_now(), time.monotonic()
        kept = None if options.new_class else output.root
        places = [(submission.student, submission.assignment) for submission in intake.submissions]
        classes = read_class_files(classes_of(options), course, kept, places)
        if options.new_class:
            output.set_aside(f".before-{stamp(datetime.now(UTC)).replace(':', '-')}")  # two may begin in one second
        remember = options.remember and options.shuffle is None and options.tier != "none"
        fresh = options.fresh or not remember or raw is not None
        ledger = Ledger(course, output, device, limits, language, fresh=fresh, remember=remember)
        class_run = ClassRun(options, course, limits, device, language, ledger, raw, progress or ProgressReporter())
        try:
            class_run.grade(intake.submissions, judge)
            ledger.note_stopped_runs()
        finally:
            class_run.progress.end()
            ledger.close()
        ids = {submission.assignment for submission in intake.submissions}
        rows = sorted(class_run.rows, key=lambda row: (row.assignment, row.student))  # they come in as they end
        summary = summarise(
            rows,
            intake.students,
            intake.warnings,
            kit_version=__version__,
            started=begun,
            duration_s=time.monotonic() - clock,
            device=device,
            isolation=class_run.isolation,
            kept=ledger.kept,
            lowered=ledger.lowered,
            run=ledger.begun,
            journal_bytes=ledger.announced_bytes,
            notes=[
                *other_torch(),
                *out_of_step([assignment for assignment in course.assignments.values() if assignment.id in ids]),
                *ledger.notes(),
                *class_run.notes,
            ],
        )
        output.write_summary(summary)
        grades = write_grades(output, classes)
        by_hand = {(grade.student, grade.assignment): grade.by_hand for grade in grades.all}
        rows = [
            row
            if (points := by_hand.get((row.student, row.assignment))) is None
            else msgspec.structs.replace(row, score=points, problem=None)
            for row in rows
        ]
        rows += rows_of_absent(grades, ids)
        students = dict.fromkeys([*intake.students, *(row.student for row in rows)])
        return Graded(rows, [*students], summary, intake.submissions, grades)


def rows_of_absent(grades: ClassGrades, assignments: Collection[str]) -> list[Row]:
    """Return rows of those who handed nothing in and have points by hand."""
    absent = [grade for grade in grades.all if grade.status == "missing" and grade.assignment in assignments]
    return [
        Row(student=grade.student, assignment=grade.assignment, score=grade.by_hand, max_score=grade.max, problem=None)
        for grade in absent
        if grade.by_hand is not None
    ]


def _language(asked: str | None, course: Course) -> Language:
    """Return the language of the reports' sentences.

    Raises:
        UsageError: The course is not written in the language that was asked for.
    """
    settings = course.settings
    if asked is None:
        return settings.language
    language = next((language for language in settings.languages if language == asked), None)
    if language is None:
        raise UsageError(
            f"This course has no texts in {asked!r}; it has {' and '.join(settings.languages)}.",
            hint="Leave --language out, or add the language to `languages` in course.toml.",
        )
    return language


def _refuse_policy(course: Course) -> None:
    """Refuse the rules for late work of older versions.

    Raises:
        CourseError: There are some.
    """
    if (course.root / "policy.toml").exists():
        raise CourseError(
            f"{course.root} has a policy.toml, which is no longer read.",
            hint="Set late rules, extensions and attempts in your learning platform, and remove the file.",
        )
