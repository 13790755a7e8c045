"""What stands before every command (`--course`, `--language`), and paths that are not empty."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from grader.errors import UsageError
from grader.language import preferred_language


class NamedPath(click.Path):
    """A path; an empty one would silently mean the current folder, and is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text, what = str(value), "PATH"
        if param is not None:
            what = param.opts[0] if isinstance(param, click.Option) else param.human_readable_name.strip("[].")
        if not text.strip():
            raise UsageError(f"{what} is empty.", hint="Name a file or a folder; the current folder is a single dot.")
        return super().convert(value, param, ctx)


PATH = NamedPath(path_type=Path)
reports_argument = click.argument("reports", type=PATH, default="reports", metavar="[REPORTS]")


@dataclass
class Common:
    """What was asked for before the command.

    Attributes:
        course: A folder in the course.
        language: None where `--language` was not given.
        command: The command's name.
    """

    course: Path = Path()
    language: str | None = None
    command: str | None = None

    def language_for_student(self) -> str:
        """Return the language of a command for students."""
        return self.language or preferred_language()


pass_common = click.make_pass_decorator(Common, ensure=True)
