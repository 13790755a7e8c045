"""Makes the classes that are graded, and says what every honest side has to find in them.

A class is so many members whose answers come from a pattern: right ones, which are copies of the course's solution,
then two wrong ones. A side that gives everybody full marks, or nobody any, is seen by that and does not count as fast.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmarks.errors import BenchmarkError
from benchmarks.processes import ROOT
from grader.course.build import released_files
from grader.course.layout import Assignment, find_course
from grader.course.variants import build_submission, load_variants, solution_submission
from grader.errors import GraderError

Kind = Literal["right", "mistake", "stub"]
WRONG: tuple[Kind, ...] = ("mistake", "stub")
SMALLEST = len(WRONG) + 1
MISTAKES = {"01_simple_attention": "library_attention"}  # costs some checks of its exercise and not all
ROUNDING = 0.011  # a side may round each exercise's points to hundredths
ASKS = re.compile(r"^check\(.*\)\n", re.MULTILINE)  # a cell that runs the visible checks, which no side should do twice
Scores = Mapping[str, float]


@dataclass(frozen=True)
class Member:
    """One student of a class.

    Attributes:
        name: The student.
        kind: What the answers are.
        text: The file that is handed in; no other member's is the same.
    """

    name: str
    kind: Kind
    text: str


@dataclass(frozen=True)
class Answers:
    """The files that a class hands in copies of.

    Attributes:
        assignment: Of which assignment.
        texts: The file of each kind.
        points: Each exercise's points.
        wrong: The exercise that the mistake is in.
        mistake: The name of the mistake.
    """

    assignment: Assignment
    texts: Mapping[Kind, str]
    points: Scores
    wrong: str
    mistake: str


def answers_of(name: str, root: Path = ROOT) -> Answers:
    """Read the solution of an assignment, put a listed mistake into its last exercise, and take its untouched stub.

    Lines that ask for the visible checks are left out of all three.

    Raises:
        BenchmarkError: The course cannot be read, or lists no mistake.
    """
    try:
        assignment = find_course(root).assignment(name)
        variants = load_variants(assignment)
        wrong = assignment.exercises[-1].id
        wanted = MISTAKES.get(assignment.id)
        mistakes = [each for each in variants.mistakes_of(wrong) if wanted in (None, each.name)]
        if not mistakes:
            raise BenchmarkError(f"{wrong} lists no mistake {wanted or ''}, so no side could be shown to see one.")
        stub = next(text for path, text in released_files(assignment) if path.name == f"{assignment.name}.py")
        texts: dict[Kind, str] = {
            "right": solution_submission(assignment),
            "mistake": build_submission(assignment, mistakes[0], variants),
            "stub": stub,
        }
    except GraderError as problem:
        raise BenchmarkError(str(problem)) from None
    points = {each.id: float(each.points) for each in assignment.exercises}
    texts = {kind: ASKS.sub("", text) for kind, text in texts.items()}
    return Answers(assignment, texts, points, wrong, mistakes[0].name)


def members(answers: Answers, size: int, period: int) -> list[Member]:
    """Return the members of a class; every `period` of them end with the wrong ones, so all sizes have the same mix.

    Raises:
        BenchmarkError: A period has no room for a right answer beside the wrong ones.
    """
    if period < SMALLEST:
        raise BenchmarkError(f"A class needs {SMALLEST} members or more; {period} leave no room for a right answer.")
    first_wrong = period - len(WRONG)
    places = [number % period for number in range(size)]
    kinds: list[Kind] = ["right" if place < first_wrong else WRONG[place - first_wrong] for place in places]
    return [
        Member(f"student_{number:05}", kind, f"# copy {number}\n{answers.texts[kind]}")
        for number, kind in enumerate(kinds, start=1)
    ]


def write_class(folder: Path, assignment: Assignment, group: Sequence[Member]) -> Path:
    """Write members as `<student>/<assignment>/<file>`, the form that the kit and nbgrader know; returns the folder."""
    for member in group:
        file = folder / member.name / assignment.id / f"{assignment.name}.py"
        file.parent.mkdir(parents=True)
        file.write_text(member.text, encoding="utf-8")
    return folder


def look_at(side: str, answers: Answers, group: Sequence[Member], found: Mapping[str, Scores]) -> None:
    """Refuse a side that left somebody out or gave points that the answers are not worth.

    A right answer has all points and a stub none. The mistake costs some points of its own exercise and no others.

    Args:
        side: Whose scores these are, for the sentence.
        answers: What was handed in.
        group: By whom.
        found: Points by student and exercise.

    Raises:
        BenchmarkError: It did.
    """
    for member in group:
        scores = found.get(member.name)
        if scores is None or set(scores) != set(answers.points):
            missing = "any score" if scores is None else f"scores of {sorted(set(answers.points) - set(scores))}"
            raise BenchmarkError(f"{side} does not count: it has not given {member.name} {missing}.")
        for exercise, most in answers.points.items():
            got, spoilt = scores[exercise], member.kind == "mistake" and exercise == answers.wrong
            if member.kind == "stub":
                fine, wanted = abs(got) < 1e-9, "0"
            elif spoilt:
                fine, wanted = 1e-9 < got < most - 1e-9, f"more than 0 and less than {most:g}"
            else:
                fine, wanted = abs(got - most) < 1e-9, f"{most:g}"
            if not fine:
                raise BenchmarkError(
                    f"{side} does not count: it gave {member.name} ({member.kind}) {got:g} points for {exercise}, "
                    f"which is worth {wanted}."
                )


def same_scores(first: str, scores: Mapping[str, Scores], second: str, others: Mapping[str, Scores]) -> None:
    """Refuse a side whose points differ from another side's by more than rounding explains.

    Args:
        first: A side.
        scores: Its points by student and exercise.
        second: Another side.
        others: Its points; students that the first did not grade are left out.

    Raises:
        BenchmarkError: They differ.
    """
    for student in scores.keys() & others.keys():
        for exercise, points in scores[student].items():
            other = others[student].get(exercise, float("nan"))
            if not abs(points - other) <= ROUNDING:
                raise BenchmarkError(
                    f"{second} does not count: it gave {student} {other:g} points for {exercise}, {first} {points:g}."
                )
