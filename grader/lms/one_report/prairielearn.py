"""PrairieLearn's `results.json` of an external grader.

PrairieLearn can hold nothing back, so there is only what the student's copy says. An exercise is a test with its
points: were they missing on one test, it would show none at all. The score is a share from 0 to 1, and 1 only for all
points. The file must stay below a megabyte, so with very long texts these are cut, never the points.
"""

from typing import Any

from grader.lms.formats import Choice
from grader.lms.visibility import LONGEST, Shown
from grader.words import say

from .json_text import json_bytes, share

MOST = 1_000_000  # bytes
LIMITS = (LONGEST, 1000, 200, 0)  # characters of what is told of one check


def export(seen: Shown, choice: Choice) -> bytes:
    """Return `results.json` of a submission.

    A submission that could not be graded is `gradable: false`, which costs the student no attempt; with
    `--failed-as-zero` it is graded with 0.
    """
    if seen.problem and not choice.failed_as_zero:
        return json_bytes({"gradable": False, "format_errors": [seen.problem], "message": seen.problem})
    return next(
        text
        for limit in LIMITS
        if len(text := json_bytes(_document(seen, limit))) <= MOST or limit == LIMITS[-1]
    )  # fmt: skip


def _document(seen: Shown, limit: int) -> dict[str, Any]:
    now = seen.now
    total = say("copy_points", now.language, score=f"{now.score:f}", max_score=f"{now.max_score:f}")
    return {
        "gradable": True,
        "score": share(now.score, now.max_score),
        "message": seen.problem or total,
        "tests": [
            {
                "name": exercise.title,
                "description": exercise.id,
                "points": exercise.score,
                "max_points": exercise.max_score,
                "output": exercise.text(now.language, limit),
            }
            for exercise in seen.exercises
        ],
    }
