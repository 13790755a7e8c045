"""What the students' commands share: the option of the language, and a console for long sentences."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

language_option = click.option(
    "--language", type=click.Choice(["en", "ko"]), default="en", show_default=True, help="The language of what is said."
)


def console() -> "Console":
    """Return a console that breaks lines between words in a terminal, and nowhere else."""
    from rich.console import Console

    made = Console(highlight=False)
    made.soft_wrap = not made.is_terminal
    return made
