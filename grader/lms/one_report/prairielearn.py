"""PrairieLearn's `results.json` of an external grader.

PrairieLearn can hold nothing back, so there is only what the student's copy says. An exercise is a test with its
points: were they missing on one test, it would show none at all. The score is a share from 0 to 1, and 1 only for all
points. The file must stay below a megabyte, so with very long texts these are cut, never the points.
"""

from typing import Any

from grader.lms.formats import ExportOptions
from grader.lms.visibility import LONGEST, PlatformView
from grader.words import say

from .json_text import json_bytes, longest_that_fits, share

MOST = 1_000_000  # bytes
LIMITS = (LONGEST, 1000, 200, 0)  # characters of the text of one check


def export(view: PlatformView, options: ExportOptions) -> bytes:
    """Return `results.json` of a submission.

    A submission that could not be graded is `gradable: false`, which costs the student no attempt; with
    `--failed-as-zero` it is graded with 0.
    """
    if view.problem and not options.failed_as_zero:
        return json_bytes({"gradable": False, "format_errors": [view.problem], "message": view.problem})
    return longest_that_fits(lambda limit: json_bytes(_document(view, limit)), LIMITS, MOST)


def _document(view: PlatformView, limit: int) -> dict[str, Any]:
    now = view.now
    total = say("copy_points", now.language, score=f"{now.score:f}", max_score=f"{now.max_score:f}")
    return {
        "gradable": True,
        "score": share(now.score, now.max_score),
        "message": view.problem or total,
        "tests": [
            {
                "name": exercise.title,
                "description": exercise.id,
                "points": exercise.score,
                "max_points": exercise.max_score,
                "output": exercise.text(now.language, limit),
            }
            for exercise in view.exercises
        ],
    }
