"""`grader push`: sends the scores of a class to a learning platform."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .options import reports_argument

if TYPE_CHECKING:
    from grader.push.plan import Plan


@click.group()
def push() -> None:
    """Send scores to a learning platform (an extra: attention-grader[push])."""


@push.command()
@reports_argument
@click.option("--to", "address", required=True, metavar="ADDRESS", help="The assignment's address in your browser.")
@click.option("--assignment", metavar="ID", help="The one in REPORTS; not needed where there is only one.")
@click.option("--yes", is_flag=True, help="Send without asking.")
def canvas(reports: Path, address: str, assignment: str | None, yes: bool) -> int:
    """Send the scores in REPORTS to an assignment of Canvas, after showing what would change.

    The variable CANVAS_API_TOKEN holds an access token. Ends with 0 when every score is there, with 1 when somebody was
    left out or Canvas has another score, and with 2 when Canvas refuses.
    """
    from grader.export.grades import read_grades
    from grader.push.canvas import Canvas
    from grader.push.plan import plan_of

    known = read_grades(reports)
    grades = known.of(known.assignment(assignment))
    there = Canvas(address)
    there.refuse_unfit(grades)
    plan = plan_of(grades, there.students())
    for note in known.notes:
        click.echo(f"Note: {note}", err=True)
    click.echo(there.title)
    _show(plan)
    if plan.changes and not yes and not click.confirm(f"Send {len(plan.changes)} to Canvas?"):
        click.echo("Nothing was sent.")
        return 1
    if plan.changes:
        click.echo(there.send(plan.changes))
        plan = plan_of(grades, there.students())
        click.echo("Read back from Canvas:")
        _show(plan)
    return 1 if plan.changes or plan.left_out else 0


def _show(plan: "Plan") -> None:
    from grader.results.scoring import plain
    from grader.results.table import plain_table
    from grader.text import name_shown, one_line

    rows = [["student", "in Canvas", "now", "new", ""]]
    for change in plan.changes:
        now, student = change.student.score, change.student
        lower = "LOWER" if now is not None and change.score < now else ""
        scores = ["-" if now is None else f"{plain(now):f}", f"{plain(change.score):f}", lower]
        rows.append([name_shown(change.folder), f"{name_shown(student.name)} {student.ids['canvas_id']}", *scores])
    if plan.changes:
        click.echo("\n".join(line.rstrip() for line in plain_table(rows).splitlines()))
    click.echo(f"{len(plan.changes)} to send, {plan.unchanged} there already, {len(plan.left_out)} left out.")
    for folder, reason in plan.left_out.items():
        click.echo(f"Left out: {name_shown(folder)} {one_line(reason, 400)}")
