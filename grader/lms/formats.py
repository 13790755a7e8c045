"""The formats that scores can be exported to: their names, what each is for, and which options it takes.

A format is a function of a module, which is imported only when the format is asked for.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from grader.errors import UsageError

if TYPE_CHECKING:
    from .roster import Roster


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """What was asked for on the command line, for which see its help; a format reads what it needs of it.

    Attributes:
        columns: The headings of a file in a language that the kit does not know, by what they are.
        out_of: The platform's maximum, where its file does not say it.
        before: The place of the output, for a format that keeps what is there; None for standard output.
    """

    failed_as_zero: bool = False
    show_total: bool = False
    roster: "Roster | None" = None
    into: Path | None = None
    column: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    by: str | None = None
    title: str | None = None
    out_of: Decimal | None = None
    scale: bool = False
    overwrite_comments: bool = False
    now: datetime = datetime.min
    before: Path | None = None


@dataclass(frozen=True)
class ExportedFile:
    """What an export of a class came to.

    Attributes:
        data: The file.
        written: How many scores are in it, or what `unit` says, in the singular.
        notes: What to know of it, a sentence each.
        left_out: Who is not in it though they handed something in, a sentence each.
    """

    data: bytes
    written: int
    notes: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unit: str = "score"


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes:
        name: What it is called on the command line.
        module: The module that writes it, below `grader/lms/`, by a function of the format's name.
        scope: Whether it holds `one` submission, a `class` in one assignment, or `all` of a reports folder.
        line: What it is, in a line.
        options: The options of the command that it takes, beside those that all take.
    """

    name: str
    module: str
    scope: Literal["one", "class", "all"]
    line: str
    options: tuple[str, ...] = ()

    @property
    def is_zip(self) -> bool:
        """Whether it is a zip file, which cannot be printed."""
        return self.module == FEEDBACK

    @property
    def write(self) -> Callable[..., Any]:
        """The function that writes it.

        Of one submission it is given a `PlatformView` and the `ExportOptions`, and returns the bytes. Of a class it
        takes `ClassReports`, `Scores` and the options, of all `ClassReports` and the options; both return an
        `ExportedFile`.
        """
        module = importlib.import_module(f"grader.lms.{self.module}")
        function: Callable[..., Any] = getattr(module, self.name.replace("-", "_"))
        return function


PEOPLE = ("roster", "folders_are")
FILL = (*PEOPLE, "into", "column", "out_of", "scale")
MAKE = (*PEOPLE, "title", "out_of", "scale")
WORKSHEET = (*PEOPLE, "into", "columns", "out_of", "scale", "overwrite_comments")
GRADERS, TESTS = "one_report.autograders", "one_report.build_servers"
MOODLE, POINTS, PLAIN = "class_sheets.moodle", "class_sheets.points_in_headings", "class_sheets.plain"
FEEDBACK = "class_sheets.feedback_zips"
FORMATS = {
    each.name: each
    for each in (
        Format("gradescope", GRADERS, "one", "Gradescope's results.json.", ("show_total",)),
        Format("prairielearn", GRADERS, "one", "PrairieLearn's results.json of an external grader."),
        Format("junit", TESTS, "one", "JUnit XML, for GitLab, Jenkins, Artemis and other build servers."),
        Format("canvas", "class_sheets.canvas", "class", "Canvas: the gradebook exported as CSV, filled in.", FILL),
        Format("moodle", MOODLE, "class", "Moodle: a CSV for Grades > Import.", (*MAKE, "by")),
        Format(
            "moodle-worksheet",
            MOODLE,
            "class",
            "Moodle: the offline grading worksheet of an assignment, filled in.",
            WORKSHEET,
        ),
        Format("brightspace", POINTS, "class", "Brightspace: a CSV for Grades > Import.", (*FILL, "title")),
        Format("blackboard", POINTS, "class", "Blackboard: the file of Work Offline, filled in.", FILL),
        Format("moodle-feedback", FEEDBACK, "class", "Moodle: students' pages in a zip file.", PEOPLE),
        Format("canvas-feedback", FEEDBACK, "class", "Canvas: students' pages in a zip file."),
        Format("csv", PLAIN, "all", "A plain CSV: a line for each student, a column for each assignment.", ("roster",)),
        Format("roster", PLAIN, "all", "A roster.csv to fill in, or more lines for the one that is there."),
    )
}


def find_format(name: str) -> Format:
    """Return a format by its name.

    Raises:
        UsageError: There is none; the sentence names the closest.
    """
    from grader.faults import did_you_mean

    if name in FORMATS:
        return FORMATS[name]
    raise UsageError(f"The format {name!r} was looked for.", "There is none of that name.", did_you_mean(name, FORMATS))
