"""Names the checks in which one submission met an error of the course, although the solution had passed all of them."""

from collections.abc import Sequence

from grader.results.verdict import COURSE_ERROR, CheckVerdict
from grader.submissions.submission import Submission
from grader.text import name_shown


def course_error_notes(submission: Submission, verdicts: Sequence[CheckVerdict]) -> list[str]:
    """Return a sentence for whoever can tell whether the answer or a check is at fault, or none.

    Args:
        submission: Whose it is.
        verdicts: What its checks came to.
    """
    met = [each for each in verdicts if each.suite_raised.startswith(COURSE_ERROR)]
    if not met:
        return []
    reason = met[0].suite_raised.removeprefix(COURSE_ERROR).strip(": ")
    many = "checks that count as failed since they" if len(met) > 1 else "a check that counts as failed since it"
    names = ", ".join(each.id for each in met)
    who = f"{name_shown(submission.student)}, {submission.assignment}"
    return [f"{who}: {many} could not be made with this answer ({names}). {reason}"]
