"""Compares devices check by check: how the solution, right variants and mistakes fare on each.

One submission carries a variant of every exercise at once. What comes out otherwise on some device is graded once more
by itself, on all of them, before it is called a difference.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from grader.course.layout import Assignment, Course
from grader.course.variants.read_variants import Variant, build_submission, solution_submission
from grader.text import counted
from grader.verify.proof_rules import SOLUTION
from grader.verify.repeat_runs import crowded, verdicts
from grader.verify.rules import print_stage
from grader.verify.trial import Trial, grade_texts

SLOWER = {"submission_cpu_s": 900.0, "check_cpu_s": 300.0}
"""Each small operation costs more on a device that is written in Python, and a loop over tokens has thousands."""


@dataclass(frozen=True)
class Answer:
    """How one answer to one exercise fared on each device.

    Attributes:
        name: That of the variant, or `the-solution`.
        kind: `solution`, `right` or `mistake`.
        verdicts: By device the status of each check.
    """

    exercise: str
    name: str
    kind: str
    verdicts: dict[str, dict[str, str]]

    @property
    def differences(self) -> dict[str, list[str]]:
        """The checks whose verdicts are not the same everywhere, each with its verdict on each device."""
        checks = {check: None for statuses in self.verdicts.values() for check in statuses}
        by_check = {check: [statuses.get(check, "absent") for statuses in self.verdicts.values()] for check in checks}
        return {check: statuses for check, statuses in by_check.items() if len(set(statuses)) > 1}


@dataclass(frozen=True)
class Compared:
    """What an assignment came to.

    Attributes:
        submissions: How many were graded on each device.
        seconds: By device what a submission took by the clock, on the average.
    """

    assignment: str
    answers: list[Answer]
    submissions: int
    seconds: dict[str, float]

    @property
    def has_mistakes(self) -> bool:
        """Whether listed mistakes are among the answers."""
        return any(answer.kind == "mistake" for answer in self.answers)


def compare_devices(
    course: Course, assignment: Assignment, variants: Sequence[Variant], devices: Sequence[str], jobs: int | None = None
) -> Compared:
    """Grade the solution and some variants of an assignment on each device."""

    def graded(texts: Mapping[str, str]) -> dict[str, Trial]:
        trials = {}
        for device in devices:
            print_stage(assignment, f"grading {counted(len(texts), 'submission')} on the device {device}")
            trials[device] = grade_texts(course, assignment, texts, jobs, device=device, limits=SLOWER)
        return trials

    crowds = {f"crowd-{number:04}": crowd for number, crowd in enumerate(crowded(variants))}
    texts = {name: build_submission(assignment, *crowd) for name, crowd in crowds.items()}
    trials = graded({SOLUTION: solution_submission(assignment)} | texts)
    seconds = {device: fmean(run["duration_s"] for run in trial.reports.values()) for device, trial in trials.items()}
    answers = [fared(trials, SOLUTION, exercise.id) for exercise in assignment.exercises]
    suspects = []
    for name, crowd in crowds.items():
        for variant in crowd:
            answer = fared(trials, name, variant.exercise, variant)
            if answer.differences:
                suspects.append(variant)
            else:
                answers.append(answer)
    if suspects:
        alone = graded({suspect.name: build_submission(assignment, suspect) for suspect in suspects})
        answers += [fared(alone, suspect.name, suspect.exercise, suspect) for suspect in suspects]
    return Compared(assignment.id, answers, len(texts) + 1, seconds)


def fared(trials: Mapping[str, Trial], submission: str, exercise: str, variant: Variant | None = None) -> Answer:
    """Return how a submission's answer to an exercise fared: that of a variant, or the solution's."""
    return Answer(
        exercise=exercise,
        name=variant.name if variant else SOLUTION,
        kind=variant.kind if variant else "solution",
        verdicts={device: verdicts(trial, submission, exercise) for device, trial in trials.items()},
    )
