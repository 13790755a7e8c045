"""What several commands have: paths that are not empty, `--course`, `--language`, and a console."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.errors import UsageError
from grader.language import LANGUAGES, preferred_language

if TYPE_CHECKING:
    from rich.console import Console


class NamedPath(click.Path):
    """A path; an empty one would silently mean the current folder, and is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text, what = str(value), "PATH"
        if param is not None:
            what = param.opts[0] if isinstance(param, click.Option) else param.human_readable_name.rstrip(".")
        if not text.strip():
            raise UsageError(f"{what} is empty.", hint="Name a file or a folder; the current folder is a single dot.")
        if "\0" in text:
            raise UsageError(f"{what} holds a null character, which no path can.")
        return super().convert(value, param, ctx)


PATH = NamedPath(path_type=Path)
course_option = click.option(
    "--course", "start", type=PATH, default=".", help="The course's folder.  [default: found upwards from here]"
)


def _remember(context: click.Context, _: click.Parameter, language: str) -> str:
    """Keep the language for an error that ends the command (`grader.cli` prints it)."""
    context.ensure_object(dict)["language"] = language
    return language


language_option = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=preferred_language,
    callback=_remember,
    help="The language of the output.  [default: GRADER_LANGUAGE or LANG, else en]",
)


def console() -> "Console":
    """Return a console that breaks lines between words in a terminal, and nowhere else."""
    from rich.console import Console

    made = Console(highlight=False)
    made.soft_wrap = not made.is_terminal
    return made
