"""What a status means for the student, in sentences that hold nothing of the run.

They are in the student's copy of hidden checks too, so they are fixed: no name, no number, no text of the student's
process goes into them. What does is in the report's `detail`.
"""

from grader.language import N_, translation

from .verdict import CheckVerdict, Status

OUTCOMES: dict[Status, str] = {
    "failed": N_("This does not hold for your answer."),
    "error": N_("Your code raised an exception."),
    "timeout": N_("Your code did not end within the time limit. Look for a loop that never ends."),
    "memory": N_("Your code needed more memory than it may use. Look for a tensor that is larger than it needs to be."),
    "crash": N_("The process that ran your code ended before it could answer."),
    "forbidden": N_("Your code did something that the grader does not allow."),
    "missing": N_("This is not written yet, or its name was changed."),
    "skipped": N_("This check was not run."),
}
BY_HAND = N_(
    "Write this yourself: with a forbidden call, an exercise earns at most 30 percent of its points. Its text says "
    "what is not allowed."
)
NO_VERDICT = N_("Some checks have no verdict, because the process that graded this submission ended early.")
NO_VERDICTS = N_(
    "The process that graded this submission ended before its first verdict, so nothing was graded. Grade it again; "
    "if it happens again, tell your teacher."
)
MACHINES_ENDED = N_(
    "Every machine that was grading this submission ended before it had a result, so nothing was graded. Grade it "
    "again; if it happens again, tell your teacher."
)
STRANGE_VERDICTS = N_(
    "The verdicts of this submission are not those of its checks, so none of them counts. Grade it again; if it "
    "happens again, tell your teacher."
)
UNGRADED = {
    "killed": N_(
        "{exercises}: not graded, because this machine ran out of memory, and the system ended the process of this "
        "submission twice. Grade it again with fewer --jobs, or on a machine with more memory."
    ),
    "time": N_(
        "{exercises}: not graded, because this submission had used up the time that a submission has. Look for code "
        "that waits or takes very long, and grade it again."
    ),
}
"""Why exercises have no score, by the word that says it."""
BY_HEART = N_(
    "{exercise}: some checks with known numbers pass, but none with other inputs does, so it earns no points yet."
)


def outcome(verdict: CheckVerdict, language: str) -> str:
    """Return what came of a check for the student: of a forbidden call what the exercise asks; empty if it passed."""
    sentence = BY_HAND if verdict.is_forbidden_call else OUTCOMES.get(verdict.status)
    return translation(language).gettext(sentence) if sentence else ""
