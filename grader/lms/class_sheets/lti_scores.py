"""LTI 1.3 score objects of the Assignment and Grade Services (AGS 2.0), as a tool posts them to a line item.

A platform refuses a score that is not newer than the one it has, so the time is that of the export, with milliseconds
and a zone. A score that is left out of an object would wipe the grade out; so who has no score has no object at all.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from grader.errors import UsageError
from grader.lms.formats import ExportedFile, ExportOptions
from grader.lms.one_report.json_text import json_bytes
from grader.lms.reports import ClassReports
from grader.lms.scores import Scores
from grader.lms.visibility import grade_comment

from .matching import match_people, who_has


class Score(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A score as AGS 2.0 defines it.

    Attributes:
        user_id: The `sub` of the person.
        comment: What the student reads with it.
        timestamp: When it was set, by ISO 8601 with milliseconds and zone.
        grading_progress: The score is final; platforms keep no other.
    """

    user_id: Annotated[str, msgspec.Meta(min_length=1)]
    score_given: Annotated[Decimal, msgspec.Meta(ge=0)]
    score_maximum: Annotated[Decimal, msgspec.Meta(gt=0)]
    comment: str
    timestamp: str
    activity_progress: Literal["Completed"] = "Completed"
    grading_progress: Literal["FullyGraded"] = "FullyGraded"


def timestamp(now: datetime) -> str:
    """Return a time as AGS asks for it: `2026-11-21T10:00:00.123+00:00`."""
    return now.astimezone(UTC).isoformat(timespec="milliseconds")


def lti(reports: ClassReports, scores: Scores, options: ExportOptions) -> ExportedFile:
    """Return a JSON list with one score object for each student.

    Raises:
        UsageError: The assignment has no points, there is no roster, or nobody in it has an `lti_user_id`.
    """
    if not scores.max_score:
        raise UsageError(f"The points of {scores.assignment} were looked for.", "There are none; AGS asks for some.")
    people, left_out = match_people(scores, options)
    made = [
        Score(
            user_id=person.lti_user_id,
            score_given=scores.scores[student],
            score_maximum=scores.max_score,
            comment=grade_comment(scores.graded[student]),
            timestamp=timestamp(options.now),
        )
        for student, person in who_has(("lti_user_id",), people, options, left_out).items()
    ]
    return ExportedFile(json_bytes(made), len(made), [], left_out)
