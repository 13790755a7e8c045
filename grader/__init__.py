"""Exercises on attention mechanisms, and a grader that keeps its answers out of the student's process."""

from typing import Any

__all__ = ["__version__", "check"]

__version__ = "0.3.0"


class Check:
    """Runs the visible checks of an exercise where the call is, in a notebook or a script, and shows what they say.

    Attributes:
        language: What it speaks unless a call says otherwise: `check.language = "ko"`; by default the language that
            the variables GRADER_LANGUAGE or LANG name.
    """

    language: str | None = None

    def __call__(self, exercise: str | Any = None, language: str | None = None, device: str = "cpu") -> None:
        """Check an exercise; in a notebook its function as it is now, in a script the file.

        Args:
            exercise: The exercise's name, or the function or class itself; every exercise of the assignment if left
                out.
            language: `en`, or another that the kit has, such as `ko`.
            device: Where its code computes: `cpu`, or `pretended`, which refuses what a GPU refuses.
        """
        from grader.inside.worker.reset_state import unchanged

        with unchanged():  # rich draws a random number when it is imported
            from grader.student_check.notebook_check import show_check

            show_check(exercise, self.language if language is None else language, device)

    def hint(self, exercise: str | Any, language: str | None = None) -> None:
        """Show the next hint of an exercise: each time it is asked for, one that says more.

        Args:
            exercise: The exercise's name, or the function or class itself.
            language: `en`, or another that the kit has, such as `ko`.
        """
        from grader.student_check.notebook_check import show_hint

        show_hint(exercise, self.language if language is None else language)

    def __repr__(self) -> str:
        return 'check("name of an exercise")'


check = Check()
