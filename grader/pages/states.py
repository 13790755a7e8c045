"""What stands for a state of an exercise on a page: a sign, a word and a colour, so that nobody needs the colour."""

from typing import NamedTuple

from grader.language import N_
from grader.results.report import ExerciseStatus


class State(NamedTuple):
    """A state's sign, its word, and its colour class: good, part, none or bad."""

    sign: str
    word: str
    tone: str = "bad"


STATES: dict[ExerciseStatus, State] = {
    "passed": State("\u2713", N_("passed"), "good"),
    "partial": State("\u25d0", N_("partly right"), "part"),
    "failed": State("\u2717", N_("wrong")),
    "error": State("!", N_("raised an exception")),
    "timeout": State("\u221e", N_("took too long")),
    "memory": State("\u25b2", N_("too much memory")),
    "crash": State("\u2020", N_("process ended")),
    "forbidden": State("\u2298", N_("not allowed")),
    "missing": State("\u2013", N_("not written"), "none"),
    "skipped": State("\u00b7", N_("not run"), "none"),
    "ungraded": State("?", N_("not graded"), "none"),
}
KINDS = (
    *(N_("document"), N_("value"), N_("shape"), N_("dtype"), N_("gradient"), N_("property"), N_("stability")),
    *(N_("purity"), N_("parameters"), N_("errors"), N_("policy"), N_("device"), N_("visible"), N_("hidden")),
)
"""The kinds of checks and who sees them, which are words of a page as they are; here they are translated."""
