"""Grades texts as a class, in the jail and by the same way as students' files, and reads the reports back."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from grader.course.layout import Assignment, Course
from grader.errors import CourseError
from grader.grading import GradeOptions, run
from grader.jail.leftovers import kept_folder

PATIENCE = {"check_cpu_s": 20.0}  # a slow machine is not a property of a suite


@dataclass(frozen=True)
class Trial:
    """The reports of a class that was made up."""

    reports: Mapping[str, Any]

    def exercise(self, name: str, exercise: str) -> Any:
        """Return the part of a report on one exercise."""
        return next(each for each in self.reports[name]["exercises"] if each["id"] == exercise)

    def not_passed(self, name: str, exercise: str) -> list[Any]:
        """Return the checks of an exercise that did not pass and count."""
        checks = self.exercise(name, exercise)["checks"]
        return [check for check in checks if check["status"] != "passed" and check["counts"]]

    def lost(self, name: str) -> dict[str, list[str]]:
        """Return the checks that were not passed, for each exercise without full marks."""
        return {
            each["id"]: [check["id"].partition(".")[2] for check in each["checks"] if check["status"] != "passed"]
            for each in self.reports[name]["exercises"]
            if each["score"] != each["max_score"]
        }

    def diagnosed(self, name: str, exercise: str) -> set[str]:
        """Return the names of the mistakes whose answer a check of the exercise recognised."""
        known = [check["diagnosis"] for check in self.exercise(name, exercise)["checks"] if check["diagnosis"]]
        return {each for diagnosis in known if diagnosis["evidence"] == "answer" for each in diagnosis["mistakes"]}

    def faults(self, name: str, exercise: str) -> set[str]:
        """Return the names of the faults that the words of the exercise's checks say."""
        known = [check["diagnosis"] for check in self.exercise(name, exercise)["checks"] if check["diagnosis"]]
        return {each for diagnosis in known if diagnosis["evidence"] == "report" for each in diagnosis["mistakes"]}


def grade_texts(
    course: Course, assignment: Assignment, texts: Mapping[str, str], jobs: int | None, shuffle: int | None = None,
    *, exercise: str | None = None, first_loss: bool = False, device: str = "cpu",
    limits: Mapping[str, float] = PATIENCE,
) -> Trial:  # fmt: skip
    """Hand in each text as a student's file and grade them all.

    Args:
        texts: A submission's text by a name that is a folder's name.
        shuffle: What another order of the checks is drawn from; None for the suite's own.
        exercise: The exercise whose checks are run, and which the reports are of; None for all.
        first_loss: Whether the checks of an exercise end at the first one that costs points.

    Raises:
        CourseError: The suite is broken, or a text could not be graded at all.
    """
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
            exercise=exercise,
            first_loss=first_loss,
            remember=False,
        )
        graded = run(order)
        if graded.code:
            problems = [each.problem for each in graded.summary.not_graded] + graded.summary.warnings
            raise CourseError(f"A made-up submission could not be graded: {' '.join(problems)}")
        return Trial({name: read_report(output / name / f"{assignment.id}.json", exercise) for name in texts})


def read_report(path: Path, exercise: str | None) -> Any:
    """Return a report, or what it says of one exercise, its points as exact decimals."""
    decoder: Any = msgspec.json.Decoder(float_hook=Decimal)
    report = decoder.decode(path.read_bytes())
    report["exercises"] = [each for each in report["exercises"] if exercise in (None, each["id"])]
    return report
