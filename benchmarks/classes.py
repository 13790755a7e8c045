"""Makes the classes that are graded, and says what every honest side has to find in them.

Right answers are copies of the course's solution. Wrong ones have a listed mistake in one exercise, in each exercise
alike, from all over its list: a class makes many different mistakes, and some cost far more to explain than others.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.errors import BenchmarkError
from benchmarks.processes import ROOT
from grader.course.handed_out.build import released_files
from grader.course.layout import Assignment, find_course
from grader.course.variants.read_variants import build_submission, load_variants, solution_submission
from grader.errors import GraderError

ROUNDING = 0.1 + 1e-9  # the kit rounds points down to tenths, others to hundredths or not at all
ASKS = re.compile(r"^check\(.*\)\n", re.MULTILINE)  # a cell that runs the visible checks, which no side should do twice
Scores = Mapping[str, float]


@dataclass(frozen=True)
class Answer:
    """A file that may be handed in.

    Attributes:
        kind: `right`, `stub`, or the name of a mistake.
        text: The file.
        wrong: The exercise that the mistake is in; empty where there is none.
    """

    kind: str
    text: str
    wrong: str = ""


@dataclass(frozen=True)
class Member:
    """One student of a class, whose file is no other member's."""

    name: str
    answer: Answer
    text: str


@dataclass(frozen=True)
class Answers:
    """What a class hands in.

    Attributes:
        assignment: Of which assignment.
        right: The solution.
        stub: The file as it is handed out.
        slip: The solution with one mistake in the last exercise, by which it is seen who is honest.
        wrong: The solution with a mistake in one exercise, as many as were asked for.
        points: Each exercise's points.
    """

    assignment: Assignment
    right: Answer
    stub: Answer
    slip: Answer
    wrong: Sequence[Answer]
    points: Scores


def answers_of(name: str, wrong: int = 0, root: Path = ROOT) -> Answers:
    """Read the solution of an assignment, its untouched stub, and so many mistakes; none asks for the visible checks.

    Raises:
        BenchmarkError: The course cannot be read, or lists no mistake of an exercise.
    """
    try:
        assignment = find_course(root).assignment(name)
        variants = load_variants(assignment)
        exercises = [each.id for each in assignment.exercises][::-1]
        listed = [
            [each for each in variants.mistakes_of(exercise) if each.marks != "library"]  # only the kit limits points
            for exercise in exercises
        ]
        if not all(listed):
            unlisted = exercises[listed.index([])]
            raise BenchmarkError(f"{unlisted} lists no mistake, so no side could be shown to see one.")
        chosen = [next((each for each in listed[0] if each.marks == "slip"), listed[0][0])]  # keeps some points
        for number in range(wrong):
            turn, place = divmod(number, len(exercises))
            turns = -(-(wrong - place) // len(exercises))
            chosen.append(listed[place][turn * len(listed[place]) // turns])
        stub = next(text for path, text in released_files(assignment) if path.name == f"{assignment.name}.py")
        mistakes = [Answer(each.name, build_submission(assignment, each), each.exercise) for each in chosen]
        right = Answer("right", solution_submission(assignment))
    except GraderError as problem:
        raise BenchmarkError(str(problem)) from None
    right, stubs, slip, *mistakes = [
        Answer(each.kind, ASKS.sub("", each.text), each.wrong) for each in (right, Answer("stub", stub), *mistakes)
    ]
    points = {each.id: float(each.points) for each in assignment.exercises}
    return Answers(assignment, right, stubs, slip, mistakes, points)


def members(handed_in: Sequence[Answer]) -> list[Member]:
    """Return a class of one member for each answer, whose texts differ in a comment."""
    return [
        Member(f"student_{number:05}", answer, f"# copy {number}\n{answer.text}")
        for number, answer in enumerate(handed_in, start=1)
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

    A right answer has all points and a stub none. A mistake costs points of its own exercise and no others.

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
            got = scores[exercise]
            if member.answer.kind == "stub":
                fine, wanted = abs(got) < 1e-9, "0"
            elif member.answer.wrong == exercise:
                fine, wanted = got < most - 1e-9, f"less than {most:g}"
            else:
                fine, wanted = abs(got - most) < 1e-9, f"{most:g}"
            if not fine:
                raise BenchmarkError(
                    f"{side} does not count: it gave {member.name} ({member.answer.kind}) {got:g} points for "
                    f"{exercise}, which is worth {wanted}."
                )


class Agreed:
    """The points of every text that was graded so far; whoever graded it first is the kit."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[str, Scores]] = {}

    def compare(self, side: str, assignment: str, group: Sequence[Member], found: Mapping[str, Scores]) -> None:
        """Refuse a side whose points for a text differ from those before by more than rounding explains.

        Raises:
            BenchmarkError: They do.
        """
        for member in group:
            first, scores = self._known.setdefault((assignment, member.text), (side, found[member.name]))
            for exercise, points in scores.items():
                other = found[member.name][exercise]
                if not abs(points - other) <= ROUNDING:
                    raise BenchmarkError(
                        f"{side} does not count: it gave {member.name} ({member.answer.kind}) {other:g} points for "
                        f"{exercise}, {first} {points:g}."
                    )
