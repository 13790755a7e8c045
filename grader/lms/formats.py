"""The formats that scores can be exported to: their names, what each is for, and which options it takes.

A format is a function of a module, which is imported only when the format is asked for.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from grader.errors import UsageError

if TYPE_CHECKING:
    from .reports import ClassReports, Scores
    from .roster import Roster
    from .visibility import PlatformView


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """What was asked for on the command line; a format reads what it needs of it.

    Attributes:
        failed_as_zero: Whether a submission that could not be graded is written as 0.
        show_total: Whether students shall see their total, at the cost of hidden tests (Gradescope).
        environ: The environment, for what a platform's runner says there.
        roster: Who the students are.
        into: The file that the platform wrote, to be filled in.
        column: The column to fill in, as its heading says or by its id.
        columns: The headings of a file in a language that the kit does not know, by what they are.
        by: The identity that the platform matches by.
        title: What to call the scores in a table that is made anew.
        out_of: The platform's maximum, where its file does not say it.
        scale: Whether scores are scaled to the platform's maximum.
        overwrite_comments: Whether comments that are there already are replaced.
        now: The time.
        before: The place of the output, for a format that keeps what is there; None for standard output.
    """

    failed_as_zero: bool = False
    show_total: bool = False
    environ: Mapping[str, str] = field(default_factory=dict)
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
        written: How many scores are in it, or what `unit` says.
        notes: What to know of it, a sentence each.
        left_out: Who is not in it though they handed something in, a sentence each.
        unit: What was counted, in the singular.
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
        module: The module that writes it, in `grader/lms/one_report/` or `grader/lms/class_sheets/`.
        scope: Whether it holds `one` submission, a `class` in one assignment, or `all` of a reports folder.
        line: What it is, in a line.
        options: The options of the command that it takes, beside those that all take.
        function: The function of that module that writes it.
    """

    name: str
    module: str
    scope: Literal["one", "class", "all"]
    line: str
    options: tuple[str, ...] = ()
    function: str = "export"

    def one(self, view: "PlatformView", options: ExportOptions) -> bytes:
        """Return the file of one submission."""
        export = cast("Callable[[PlatformView, ExportOptions], bytes]", self._export())
        return export(view, options)

    def of_class(self, reports: "ClassReports", scores: "Scores", options: ExportOptions) -> ExportedFile:
        """Return the file of a class in one assignment."""
        export = cast("Callable[[ClassReports, Scores, ExportOptions], ExportedFile]", self._export())
        return export(reports, scores, options)

    def of_all(self, reports: "ClassReports", options: ExportOptions) -> ExportedFile:
        """Return the file of a whole reports folder."""
        export = cast("Callable[[ClassReports, ExportOptions], ExportedFile]", self._export())
        return export(reports, options)

    def _export(self) -> Callable[..., object]:
        room = "one_report" if self.scope == "one" else "class_sheets"
        module = importlib.import_module(f"grader.lms.{room}.{self.module}")
        export: Callable[..., object] = getattr(module, self.function)
        return export


PEOPLE = ("roster", "folders_are")
FILL = (*PEOPLE, "into", "column", "out_of", "scale")
MAKE = (*PEOPLE, "title", "out_of", "scale")
FORMATS = {
    each.name: each
    for each in (
        Format("gradescope", "gradescope", "one", "Gradescope's results.json.", ("show_total",)),
        Format("prairielearn", "prairielearn", "one", "PrairieLearn's results.json of an external grader."),
        Format("autolab", "autolab", "one", "Autolab's feedback and scores: the last two lines of its job."),
        Format("classroom50", "classroom50", "one", "Classroom 50's result.json, in whole points."),
        Format("github", "github", "one", "The autograding result of a grader in GitHub Actions."),
        Format("exercism", "exercism", "one", "Exercism's results.json, version 3."),
        Format("ctrf", "ctrf", "one", "Common Test Report Format, for build servers."),
        Format("junit", "junit", "one", "JUnit XML, for GitLab, Jenkins, Artemis and other build servers."),
        Format("canvas", "canvas", "class", "Canvas: the gradebook exported as CSV, filled in.", FILL),
        Format("moodle", "moodle", "class", "Moodle: a CSV for Grades > Import.", (*MAKE, "by")),
        Format(
            "moodle-worksheet",
            "moodle_worksheet",
            "class",
            "Moodle: the offline grading worksheet of an assignment, filled in.",
            (*PEOPLE, "into", "columns", "out_of", "scale", "overwrite_comments"),
        ),
        Format("brightspace", "brightspace", "class", "Brightspace: a CSV for Grades > Import.", (*FILL, "title")),
        Format("blackboard", "blackboard", "class", "Blackboard: the file of Work Offline, filled in.", FILL),
        Format("lti", "lti_scores", "class", "LTI 1.3 score objects (AGS), as a JSON list.", PEOPLE),
        Format("csv", "plain", "all", "A plain CSV: a line for each student, a column for each assignment."),
        Format(
            "csv-questions",
            "plain",
            "all",
            "A plain CSV: a line for each student and exercise.",
            function="export_exercises",
        ),
        Format("roster", "roster_sheet", "all", "A roster.csv to fill in, or more lines for the one that is there."),
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
