"""A class with an answer of each kind, and the scores that an honest side gives it."""

from collections.abc import Sequence

from benchmarks.classes import Answers, Member, members
from benchmarks.processes import ROOT
from grader.course.layout import find_course

ASSIGNMENT = "01_simple_attention"
EVERY = list(find_course(ROOT).assignments)


def group_of(answers: Answers) -> list[Member]:
    """Return a class with an answer of each kind."""
    return members([answers.right, answers.right, answers.slip, answers.stub])


def right_scores(answers: Answers, group: Sequence[Member]) -> dict[str, dict[str, float]]:
    """Return the scores that an honest side gives."""
    found = {}
    for member in group:
        scores = dict.fromkeys(answers.points, 0.0) if member.answer.kind == "stub" else dict(answers.points)
        if member.answer.wrong:
            scores[member.answer.wrong] /= 2
        found[member.name] = scores
    return found
