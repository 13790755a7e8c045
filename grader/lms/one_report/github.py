"""The result that graders in GitHub Actions hand to their reporter: version 3 of the autograding plugins' JSON.

The reporter reads it in base64 from the step's output. It adds up the scores itself, so every test has a number. The
maximum must be whole: where an assignment's points are not, all are multiplied by the power of ten that makes them so,
the same for every student.
"""

from typing import Any

from grader.lms.formats import ExportOptions
from grader.lms.visibility import LONGEST, PlatformView
from grader.text import sanitise

from .json_text import json_bytes

VERSION = 3
OUTPUT = 500  # characters that the platform shows of a test's output


def export(view: PlatformView, options: ExportOptions) -> bytes:
    """Return the result of a submission.

    A submission that could not be graded has the status `error`, and 0 on every test because the reporter needs a
    number: it has no way to say that there is none.
    """
    now = view.now
    exponent = now.max_score.normalize().as_tuple().exponent
    factor = 10 ** max(0, -exponent if isinstance(exponent, int) else 0)
    everything = all(exercise.passed for exercise in view.exercises)
    document: dict[str, Any] = {
        "version": VERSION,
        "status": "error" if view.problem else "pass" if everything else "fail",
        "max_score": int(now.max_score * factor),
    }
    if view.problem:
        document["message"] = view.problem
    document["tests"] = [
        {
            "name": f"{exercise.number} {exercise.title}",
            "status": "error" if view.problem else "pass" if exercise.passed else "fail",
            "score": exercise.score * factor,
            "message": view.problem or sanitise(exercise.text(now.language), LONGEST),
            "output": sanitise(exercise.text(now.language, 0), OUTPUT),
            "test_code": "",
            "task_id": int(exercise.number),
            "filename": now.submission.graded or "",
            "line_no": 0,
            "duration": round(sum(check.seconds or 0 for check in exercise.checks), 3),
        }
        for exercise in view.exercises
    ]
    return json_bytes(document)
