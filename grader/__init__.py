"""Exercises on attention mechanisms, and a grader that keeps its answers out of the student's process."""

from typing import Any

__all__ = ["__version__", "check"]

__version__ = "0.1.0"


def check(exercise: str | Any, language: str = "en") -> None:
    """Run the visible checks of an exercise on the file or notebook that this call stands in, and print what they say.

    Args:
        exercise: The exercise's name, or the function or class itself.
        language: `en` or `ko`.
    """
    from grader.own import check_here

    check_here(exercise if isinstance(exercise, str) else str(exercise.__name__), language)
