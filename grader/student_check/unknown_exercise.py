"""What a student is told of a name that no exercise has."""

from collections.abc import Sequence

from grader.faults import nearest
from grader.language import translation


def unknown_exercise(name: str, known: Sequence[str], language: str) -> str:
    """Return a sentence with the nearest of the exercises, or with all of them."""
    _ = translation(language).gettext
    near = nearest(name, known)
    if near is None:
        sentence = _("There is no exercise `{name}` here. The exercises are: {known}.")
        return sentence.format(name=name, known=", ".join(known))
    return _("There is no exercise `{name}` here. Did you mean `{near}`?").format(name=name, near=near)
