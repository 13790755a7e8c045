"""What stands for a state of an exercise on a page: a sign, a word and a colour, so that nobody needs the colour."""

from grader.language import N_
from grader.results.report import ExerciseStatus

SIGNS: dict[ExerciseStatus, str] = {
    "passed": "\u2713",
    "partial": "\u25d0",
    "failed": "\u2717",
    "error": "!",
    "timeout": "\u221e",
    "memory": "\u25b2",
    "crash": "\u2020",
    "forbidden": "\u2298",
    "missing": "\u2013",
    "skipped": "\u00b7",
    "ungraded": "?",
}
STATES: dict[str, str] = {
    "passed": N_("passed"),
    "partial": N_("partly right"),
    "failed": N_("wrong"),
    "error": N_("raised an exception"),
    "timeout": N_("took too long"),
    "memory": N_("too much memory"),
    "crash": N_("process ended"),
    "forbidden": N_("not allowed"),
    "missing": N_("not written"),
    "skipped": N_("not run"),
    "ungraded": N_("not graded"),
}
VISIBILITIES = {"visible": N_("visible"), "hidden": N_("hidden")}
TONES = {"passed": "good", "partial": "part", "missing": "none", "skipped": "none", "ungraded": "none"}


def tone(status: str) -> str:
    """Return the colour class of a state: good, part, none or bad."""
    return TONES.get(status, "bad")
