"""`grader export`: write grades as other platforms read them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import Common, pass_common, reports_argument
from .outputs import echo_list, write_named

if TYPE_CHECKING:
    from grader.export.grades import ClassGrades
    from grader.results.grades import Grade

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("format_name", metavar="FORMAT")
@reports_argument
@click.option("--output", type=FILE, metavar="FILE", help="The file to write.  [default: print it]")
@click.option("--assignment", metavar="ID", help="Which assignment, where there are several.")
@click.option("--student", metavar="NAME", help="Whose report: the folder, or any identity of the roster.")
@click.option("--into", type=FILE, metavar="FILE", help="csv: the platform's own table, of which a copy is filled in.")
@click.option("--column", metavar="NAME", help="csv: the column to fill in, by its heading or title.")
@click.option("--key", metavar="COLUMN", help="csv: the column that says who is who.  [default: known by its heading]")
@pass_common
def export(
    common: Common, format_name: str, reports: Path, output: Path | None, assignment: str | None, student: str | None,
    into: Path | None, column: str | None, key: str | None,
) -> int:  # fmt: skip
    """Write grades as another platform reads them.

    FORMAT is `gradescope`, `prairielearn` or `junit`, each of one student's report; a template in `formats/`, here or
    in --course, by its name; or `csv`, which fills one column of a gradebook of Canvas, Moodle, Brightspace, Blackboard
    or any other table. REPORTS is a folder that `grader grade` wrote.

    Ends with 0 when every submission is in the file; with 1 when some are not, each with its reason; with 2, and
    without a file, for wrong use.
    """
    from grader.course.output_place import refuse_place
    from grader.export.grades import read_grades

    if (format_name == "csv") != (into is not None and column is not None):
        raise click.UsageError("The format csv takes --into FILE and --column NAME, and only this one does.")
    if (format_name == "csv") != (student is None):
        raise click.UsageError("Every format but csv takes --student NAME, and csv has the whole class.")
    if output is not None:
        refuse_place(output, folder=False, apart=[reports, *([into] if into is not None else [])])
    grades = read_grades(reports)
    if into is not None and column is not None:
        return _fill(grades, output, into, column, key, grades.assignment(assignment))
    return _one(grades, output, format_name, grades.of_report(str(student), assignment), common.course)


def _fill(grades: "ClassGrades", output: Path | None, into: Path, column: str, key: str | None, assignment: str) -> int:
    from grader.export.fill import fill
    from grader.text import counted

    done = fill(into, column, key, grades, assignment)
    write_named(output, done.data)
    click.echo(f"{counted(done.written, 'grade')} written{'' if output is None else f' in {output}'}.", err=True)
    for note in done.notes:
        click.echo(f"Note: {note}", err=True)
    echo_list("Left as it was", done.left_out, err=True)
    echo_list("Missing, without points", done.missing, err=True)
    return 1 if done.left_out else 0


def _one(grades: "ClassGrades", output: Path | None, name: str, grade: "Grade", course: Path) -> int:
    from grader.export.formats import render
    from grader.text import name_shown

    data = render(name, grades.report(grade), grade.points, course)
    for note in grades.notes:
        click.echo(f"Note: {note}", err=True)
    if grade.points is None:
        who = name_shown(grade.shown)
        sentence = f"{who} has no points in {grade.assignment}: {grade.why_none}"
        click.echo(f"grader: {sentence}{'' if data else f' So there is no result for {name}.'}", err=True)
    if not data:
        return 1
    write_named(output, data)
    return 0
