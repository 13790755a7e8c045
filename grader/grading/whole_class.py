"""A run over a class, on one page: find the submissions, take over what is unchanged, grade the rest, sum up.

Nothing is graded before the jail is proven and the output folder can be written, and a run that was stopped anywhere
goes on where it stopped.
"""

import time
from dataclasses import dataclass
from functools import partial
from typing import Any

from grader import __version__
from grader.course.handed_out.given import out_of_step
from grader.course.layout import find_course
from grader.course.output_place import refuse_in_course
from grader.lms.rules import keep_times, read_rules, show_applied
from grader.records.overrides import by_hand_note, row_after
from grader.results.summary import Row, Summary, summarise
from grader.results.table import show_results
from grader.results.write import ReportsFolder
from grader.submissions.overlap import refuse_one_folder, refuse_overlap
from grader.submissions.submission import Submission
from grader.system.devices import choose_device, device_of_nodes
from grader.system.machine import other_torch

from .class_run import ClassRun, Judge
from .finding import class_of, find_all, is_asked_for
from .ledger import Ledger
from .options import GradeOptions, merged_limits, utc_now
from .progress import ProgressReporter, progress_reporter


@dataclass(frozen=True)
class Graded:
    """What a run over a class came to: its rows by assignment and student, everybody in the class, the summary,
    and what was handed in.

    The rows have the points that count, with those set by hand; the summary has those that grading gave.
    """

    rows: list[Row]
    students: list[str]
    summary: Summary
    submissions: list[Submission]

    @property
    def code(self) -> int:
        """The exit code: 0 when every submission was graded, 1 when some could not be."""
        return 1 if self.summary.not_graded or self.summary.warnings else 0

    @property
    def columns(self) -> list[str]:
        """The assignments that somebody handed in."""
        return [each.id for each in self.summary.assignments]


def run_and_show(options: GradeOptions, judge: Judge = ClassRun.in_jails) -> int:
    """Grade what the options name, write everything, print the class's table, and return `Graded.code`."""
    course = find_course(options.course)
    rules = read_rules(course, options.policy, options.times, options.roster)
    graded = run(options, progress_reporter(), judge)
    show_results(graded.rows, graded.students, graded.columns, graded.summary, options.output)
    if options.tier != "none" and options.shuffle is None:  # else the journal does not know these files
        keep_times(course, options.output, graded.submissions)
    if rules is not None and options.shard is None and options.tier != "none":
        print()
        show_applied(rules.apply(options.output, graded.submissions), options.output)
    return graded.code


def run(options: GradeOptions, progress: ProgressReporter | None = None, judge: Judge = ClassRun.in_jails) -> Graded:
    """Grade what the options name and write everything.

    Args:
        judge: Gives the verdicts; by default this machine's jails do.

    Raises:
        GraderError: Nothing could be graded, or a report could not be written.
    """
    begun, clock = utc_now(), time.monotonic()
    course = find_course(options.course)
    limits = merged_limits(course.limits, options.limits)
    found = find_all(course, options)
    device = (device_of_nodes if options.elsewhere else choose_device)(options.device, course.settings.device)
    output = ReportsFolder(options.output)
    raw = None if options.raw is None else ReportsFolder(options.raw)
    if raw is not None:
        refuse_one_folder(output.root, raw.root)
    for option, folder in (("--output", output), ("--keep-raw", raw)):
        if folder is not None:
            refuse_overlap(options.paths, folder.root, option)
            refuse_in_course(folder.root, option)
            folder.prepare()
    language: Any = options.language or course.settings.language
    remember = options.remember and options.shuffle is None and options.tier != "none"
    fresh = options.fresh or not remember or raw is not None
    klass = class_of(options)
    ledger = Ledger(course, output, device, limits, language, fresh=fresh, remember=remember, klass=klass)
    class_run = ClassRun(options, course, limits, device, language, ledger, raw, progress or ProgressReporter())
    handed_in = {(each.student, each.assignment) for each in found.submissions}
    try:
        class_run.grade(found.submissions, judge)
        ledger.note_stopped_runs()
        ledger.find_departed(handed_in, partial(is_asked_for, options))
    finally:
        class_run.progress.end()
        ledger.close()
    ids = {assignment for _, assignment in handed_in}
    overrides = ledger.overrides()
    rows = sorted(class_run.rows, key=lambda row: (row.assignment, row.student))  # they come in as they end
    summary = summarise(
        rows,
        found.students,
        found.warnings,
        kit_version=__version__,
        started=begun,
        duration_s=time.monotonic() - clock,
        device=device,
        isolation=class_run.isolation,
        kept=ledger.kept,
        lowered=ledger.lowered,
        run=ledger.begun,
        shard=options.shard,
        gone=ledger.gone,
        journal_bytes=ledger.announced_bytes,
        whole=klass != "",
        notes=[
            *found.notes,
            *other_torch(),
            *out_of_step([each for each in course.assignments.values() if each.id in ids]),
            *ledger.notes(),
            *by_hand_note(rows, overrides),
            *class_run.notes,
        ],
    )
    output.write_summary(summary)
    graded = Graded([row_after(row, overrides) for row in rows], found.students, summary, found.submissions)
    output.write_scores(graded.rows, graded.students, graded.columns)
    return graded
