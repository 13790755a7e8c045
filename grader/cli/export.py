"""`grader export`: write scores in the format of a learning platform."""

import os
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import PATH
from .outputs import echo_list, write_named

if TYPE_CHECKING:
    from grader.lms.formats import ExportedFile, ExportOptions, Format
    from grader.lms.reports import ClassReports
    from grader.results.report import Report

FILE = click.Path(path_type=Path, dir_okay=False)


def points(text: str) -> Decimal:
    """Return a number of points above 0, exact."""
    from grader.results.report_json import require_points
    from grader.text import name_shown

    try:
        number = Decimal(text)
        require_points(number)
    except (InvalidOperation, ValueError):
        number = Decimal(0)
    if number <= 0:
        raise click.BadParameter(f"{name_shown(text)} is not a number of points such as 30 or 2.5.")
    return number


class FormatListingCommand(click.Command):
    """A command whose help ends with the formats."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from grader.lms.formats import FORMATS

        scopes = {"one": "One submission", "class": "A class in one assignment", "all": "A whole reports folder"}
        for scope, title in scopes.items():
            with formatter.section(title):
                formatter.write_dl([(each.name, each.line) for each in FORMATS.values() if each.scope == scope])


@click.command(cls=FormatListingCommand)
@click.argument("format_name", metavar="FORMAT")
@click.argument("reports", type=PATH, metavar="REPORTS")
@click.option("--output", type=FILE, metavar="FILE", help="The file to write.  [default: print it]")
@click.option("--assignment", metavar="ID", help="Which assignment, where there are several.")
@click.option("--student", metavar="NAME", help="Whose report, for a format of one submission.")
@click.option("--roster", type=FILE, metavar="FILE", help="Who a folder is there: roster.csv, or a platform's CSV.")
@click.option("--folders-are", metavar="IDENTITY", help="Instead of a roster: folders are called by the login, ...")
@click.option("--into", type=FILE, metavar="FILE", help="The platform's own file, to be exported in.")
@click.option("--column", metavar="TEXT", help="The column to fill in: its heading, title or number.")
@click.option(
    "--columns", multiple=True, metavar="WHAT=HEADING", help="A heading of a worksheet in another language; repeatable."
)
@click.option("--by", metavar="IDENTITY", help="What the platform matches students by.")
@click.option("--title", metavar="TEXT", help="What to call the scores.  [default: the assignment's id]")
@click.option("--out-of", type=points, metavar="POINTS", help="The platform's maximum, where its file does not say it.")
@click.option("--scale", is_flag=True, help="Scale scores to the platform's maximum where it differs.")
@click.option("--overwrite-comments", is_flag=True, help="Replace comments that are in the file already.")
@click.option("--show-total", is_flag=True, help="Gradescope: fold hidden checks, so that students see their total.")
@click.option("--failed-as-zero", is_flag=True, help="Write 0 for a submission that could not be graded.")
@click.option("--keep-gone", is_flag=True, help="Take reports too whose submission the class no longer has.")
@click.option("--unsafe-grades", is_flag=True, help="Take grades of a run with --unsafe-no-isolation too.")
def export(format_name: str, reports: Path, output: Path | None, **options: Any) -> int:
    """Write scores in the format of a learning platform or build server.

    REPORTS is a folder that `grader grade` wrote; for a format of one submission it may be one report in it.

    Ends with 0 when every submission is in the file; with 1 when some are not, each with its reason; with 2, and
    without a file, for wrong use or a report, roster or gradebook that is not as it must be.
    """
    from grader.course.output_place import refuse_in_course
    from grader.lms.formats import find_format

    chosen = find_format(format_name)
    _refuse_idle_options(chosen, options)
    if output is None and chosen.is_zip:
        raise click.UsageError(f"{chosen.name} makes a zip file: add --output FILE.")
    if output is not None:
        refuse_in_course(output, folder=False)
        _refuse_output(output, reports, [options["into"], options["roster"]])
    if chosen.scope == "one":
        return _export_one(chosen, reports, output, options)
    from grader.lms.reports import read_class

    found = read_class(reports, unsafe=options["unsafe_grades"], keep_gone=options["keep_gone"])
    export_options = _export_options(options, found.students, output)
    if chosen.scope == "all":
        if options["assignment"] or options["student"]:
            raise click.UsageError(f"{chosen.name} holds all assignments and students: leave that option out.")
        exported = chosen.write(found, export_options)
    else:
        if options["student"]:
            raise click.UsageError(f"{chosen.name} holds a whole class: leave --student out.")
        assignment = found.assignment(options["assignment"])
        scores = found.scores(assignment, failed_as_zero=options["failed_as_zero"])
        exported = chosen.write(found, scores, export_options)
    write_named(output, exported.data)
    _print_summary(exported, found, output)
    echo_list("On the roster, without a submission", _without_submission(export_options, found), err=True)
    return 1 if exported.left_out else 0


def _refuse_idle_options(chosen: "Format", options: dict[str, Any]) -> None:
    """Refuse an option that this format has no use for, so that nobody believes it did something."""
    for_all = {"assignment", "student", "failed_as_zero", "unsafe_grades", "keep_gone"}
    for name, value in options.items():
        if value not in (None, False, ()) and name not in for_all and name not in chosen.options:
            raise click.UsageError(f"--{name.replace('_', '-')} has no meaning for {chosen.name}.")
    if options["roster"] is not None and options["folders_are"] is not None:
        raise click.UsageError("--roster and --folders-are both say who the students are: give one of them.")


def _refuse_output(output: Path, reports: Path, read: list[Path | None]) -> None:
    """Refuse to write over what is read: the file to fill in, the roster, the reports."""
    from grader.errors import UsageError
    from grader.text import name_shown

    real = Path(os.path.realpath(output))
    shown = name_shown(str(output), 200)
    if any(_is_same_file(output, each) for each in (reports, *read) if each is not None):
        raise UsageError("A file to write was looked for.", f"{shown} is the one to read.", "Name another --output.")
    if reports.is_dir() and real.is_relative_to(reports.resolve()):
        found = f"{shown} is in the reports folder, which holds what `grader grade` wrote and nothing else."
        raise UsageError("A file to write was looked for.", found, "Choose a file beside it.")


def _is_same_file(one: Path, other: Path) -> bool:
    if one.is_file() and other.is_file():
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def _export_one(chosen: "Format", place: Path, output: Path | None, options: dict[str, Any]) -> int:
    from grader.lms.visibility import platform_view

    view = platform_view(_report(place, options))
    write_named(output, chosen.write(view, _export_options(options, [], output)))
    if not view.now.problem:
        return 0
    click.echo(f"grader: {view.problem}", err=True)
    return 1


def _report(place: Path, options: dict[str, Any]) -> "Report":
    from grader.errors import UsageError
    from grader.lms.reports import read_class, read_one

    unsafe = options["unsafe_grades"]
    if not place.is_dir():
        report = read_one(place, unsafe=unsafe)
        for name in ("student", "assignment"):
            if options[name] not in (None, getattr(report, name)):
                raise UsageError(
                    f"A report of the {name} {options[name]!r} was looked for.",
                    f"{place} is of {getattr(report, name)!r}.",
                    f"Leave --{name} out, or name another report.",
                )
        return report
    found = read_class(place, unsafe=unsafe, keep_gone=options["keep_gone"])
    student, named = options["student"], options["assignment"]
    fits = [each for each in found.graded if student in (None, each.row.student)]
    if named is not None or (student is not None and len(fits) != 1):
        assignment = found.assignment(named)
        fits = [found.find(student, assignment)] if student is not None else found.of(assignment)
    if len(fits) > 1:
        raise UsageError(
            "The submission to export was looked for.",
            f"{len(fits)} reports could be meant.",
            "Add --student NAME and --assignment ID, or name one report.",
        )
    return read_one(fits[0].place, unsafe=unsafe)


def _export_options(options: dict[str, Any], students: list[str], output: Path | None) -> "ExportOptions":
    from datetime import UTC, datetime

    from grader.lms.formats import ExportOptions

    roster = None
    if options["roster"] is not None:
        from grader.lms.platform_rosters import read_people

        roster = read_people(options["roster"], students)
    elif options["folders_are"] is not None:
        from grader.lms.roster import roster_of_folders

        roster = roster_of_folders(students, options["folders_are"])
    given = {**options, "roster": roster, "columns": _columns(options["columns"])}
    return ExportOptions(
        **{name: value for name, value in given.items() if name in ExportOptions.__dataclass_fields__},
        now=datetime.now(UTC),
        before=output,
    )


def _columns(pairs: tuple[str, ...]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for pair in pairs:
        name, sign, heading = pair.partition("=")
        if not (name and sign and heading) or name in columns:
            raise click.UsageError(f"--columns is written WHAT=HEADING, each WHAT once, and not {pair!r}.")
        columns[name] = heading
    return columns


def _without_submission(options: "ExportOptions", found: "ClassReports") -> list[str]:
    """Return who is on the roster and handed nothing in."""
    from grader.text import name_shown

    if options.roster is None:
        return []
    people, _ = options.roster.match({each.row.student for each in found.graded})
    there = {person.student for person in people.values()}
    return [name_shown(each) for each in options.roster.people if each not in there]


def _print_summary(exported: "ExportedFile", found: "ClassReports", output: Path | None) -> None:
    """Say on standard error what became of everybody, since standard output may be the file."""
    from grader.text import counted

    where = "" if output is None else f" in {output}"
    click.echo(f"{counted(exported.written, exported.unit)} written{where}.", err=True)
    for note in [*found.notes, *exported.notes]:
        click.echo(f"Note: {note}", err=True)
    echo_list("Left out", exported.left_out, err=True)
