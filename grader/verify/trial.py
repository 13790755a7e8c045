"""Grades texts as a class, in the jail and by the same way as students' files, and reads the reports back."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from grader.course.layout import Assignment, Course
from grader.course.variants.read_variants import Variant
from grader.errors import CourseError, IsolationError
from grader.grading import ClassRun, GradeOptions, Judge, run
from grader.grading.jails import MANY, open_course_jail
from grader.grading.options import merged_limits
from grader.jail.leftovers import kept_folder
from grader.submissions.submission import Submission
from grader.system.processors import cores

PATIENCE = {"check_cpu_s": 20.0}  # a slow machine is not a property of a suite


@dataclass(frozen=True)
class Trial:
    reports: Mapping[str, Any]

    def part(self, variant: Variant) -> Any:
        return self.exercise(variant.name, variant.exercise)

    def exercise(self, name: str, exercise: str) -> Any:
        return next(part for part in self.reports[name]["exercises"] if part["id"] == exercise)

    def not_passed(self, variant: Variant) -> list[Any]:
        """Return the checks of a variant's exercise that did not pass and count."""
        return [check for check in self.part(variant)["checks"] if check["status"] != "passed" and check["counts"]]

    def lost(self, name: str) -> dict[str, list[str]]:
        """Return the checks that were not passed, for each exercise without full marks."""
        return {
            part["id"]: [check["id"].partition(".")[2] for check in part["checks"] if check["status"] != "passed"]
            for part in self.reports[name]["exercises"]
            if part["score"] != part["max_score"]
        }


@contextlib.contextmanager
def one_jail(course: Course, jobs: int | None) -> Iterator[Judge]:
    """Open one jail for all trials while this process imports torch; where there is none, the first trial says so."""
    limits, jobs = merged_limits(course.limits, dict(PATIENCE)), jobs or cores()
    try:
        jail = open_course_jail(course, "auto", limits, "cpu", jobs, max(jobs, MANY), [])
    except IsolationError:
        yield ClassRun.in_jails
        return

    def judge(class_run: ClassRun, left: dict[str, list[Submission]]) -> None:
        try:
            class_run.in_jail(left, jail)
        except IsolationError:  # its process was killed, so what is left needs another
            class_run.in_jails(left)

    with jail:
        yield judge


def grade_texts(
    course: Course, assignment: Assignment, texts: Mapping[str, str], jobs: int | None, shuffle: int | None = None,
    *, exercise: str | None = None, alone: Mapping[str, str] = MappingProxyType({}),
    device: str = "cpu", limits: Mapping[str, float] = PATIENCE, judge: Judge = ClassRun.in_jails,
) -> Trial:  # fmt: skip
    """Hand in each text as a student's file and grade them all.

    Args:
        texts: A submission's text by a name that is a folder's name.
        shuffle: What another order of the checks is drawn from; None for the suite's own.
        exercise: The exercise that alone is run, and once, and which the reports are of; None for all.
        alone: The same of single texts, by the text's name.
        judge: Grades in jails of its own, or in one that is open.

    Raises:
        CourseError: The suite is broken, or a text could not be graded at all.
    """
    alone = dict.fromkeys(texts, exercise) if exercise is not None else alone
    with kept_folder("verify") as folder:
        for name, text in texts.items():
            file = folder / "class" / name / assignment.id / f"{assignment.name}.py"
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
        output = folder / "reports"
        order = GradeOptions(
            [folder / "class"],
            output,
            course.root,
            assignment.id,
            jobs=jobs,
            language="en",
            device=device,
            limits=dict(limits),
            shuffle=shuffle,
            alone=alone,
            remember=False,
        )
        graded = run(order, judge=judge)
        if graded.code:
            problems = [ungraded.problem for ungraded in graded.summary.not_graded] + graded.summary.warnings
            raise CourseError(f"A made-up submission could not be graded: {' '.join(problems)}")
        reports = {name: output / name / f"{assignment.id}.json" for name in texts}
        return Trial({name: read_report(path, alone.get(name)) for name, path in reports.items()})


def read_report(path: Path, exercise: str | None) -> Any:
    """Return a report, or what it says of one exercise, its points as exact decimals."""
    decoder: Any = msgspec.json.Decoder(float_hook=Decimal)
    report = decoder.decode(path.read_bytes())
    report["exercises"] = [part for part in report["exercises"] if exercise in (None, part["id"])]
    return report
