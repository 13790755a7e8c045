"""The rules about marks: what a mistake may keep of its exercise's points, by what kind of mistake it is."""

from collections.abc import Sequence
from fractions import Fraction

from grader.course.layout import Assignment
from grader.course.variants.read_variants import Variant
from grader.course.variants.variant_marks import SHARES, Marks

from .rules import Findings, Unmet, hidden_suite, submission_name
from .trial import Trial

MEANT: dict[Marks, str] = {
    "slip": "an own answer with one plain slip",
    "library": "an answer by a forbidden call",
    "point": "an answer without something that the text names as its point",
    "trivial": "an answer that looks at nothing",
}


def marks_are_kept(assignment: Assignment, mistakes: Sequence[Variant], trial: Trial) -> Findings:
    """Ask that each mistake earns what its `marks` allow."""
    for each in mistakes:
        if each.marks is None:
            continue
        result = trial.exercise(submission_name(each), each.exercise)
        least, most = SHARES[each.marks]
        points, score = Fraction(result["max_score"]), Fraction(result["score"])
        if not least * points - Fraction(1, 10) < score <= most * points:  # points are rounded down to tenths
            share = share_text(least, most)
            rule = f"The mistake `{each.name}` must earn {share} of the points: it is {MEANT[each.marks]}."
            passed = [check["id"].partition(".")[2] for check in result["checks"] if check["status"] == "passed"]
            found = f"It earns {result['score']} of {result['max_score']}, by {', '.join(passed) or 'no check'}."
            yield Unmet(rule, hidden_suite(assignment, each.exercise), each.exercise, found)


def share_text(least: Fraction, most: Fraction) -> str:
    """Return a range of shares in words."""
    if most == 0:
        return "none"
    return f"{int(least * 100)} to {int(most * 100)} %" if least else f"at most {int(most * 100)} %"
