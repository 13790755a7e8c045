"""`grader push`: sends the scores of a class to a learning platform, after showing what would change."""

from pathlib import Path
from typing import Any

import click

from .options import PATH

CANVAS_VARIABLE = "CANVAS_API_TOKEN"
IDENTITIES = ("canvas_id", "sis_id", "login")


def common_options(command: Any) -> Any:
    """Add what every platform needs to know."""
    options = (
        click.option("--roster", type=PATH, metavar="FILE", help="Who each folder is: roster.csv, or a platform's."),
        click.option("--folders-are", type=click.Choice(IDENTITIES), help="Instead: what the folders' names are."),
        click.option("--assignment", metavar="ID", help="Which one; not needed where there is only one."),
        click.option("--failed-as-zero", is_flag=True, help="Send 0 for a submission that could not be graded."),
        click.option("--dry-run", is_flag=True, help="Only show what would change."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def push() -> None:
    """Send scores to a learning platform.

    It is asked first what it has, and only what differs is sent, so a push that was cut off can be given again.
    Ends with 0 when every score is there, and with 1 when somebody was left out or a score was not taken.
    """


@push.command()
@click.argument("reports", type=PATH, metavar="REPORTS")
@click.option("--url", required=True, metavar="ADDRESS", help="The address of Canvas: https://...")
@click.option("--canvas-course", required=True, type=click.IntRange(1), metavar="N", help="The course's number in it.")
@click.option(
    "--canvas-assignment", required=True, type=click.IntRange(1), metavar="N", help="The assignment's number."
)
@click.option("--token-file", type=PATH, metavar="FILE", help=f"Holds the access token.  [default: ${CANVAS_VARIABLE}]")
@click.option("--scale", is_flag=True, help="Convert scores where Canvas counts other points.")
@click.option("--comments", is_flag=True, help="Comment in a line on each submission: points and what to do next.")
@common_options
def canvas(reports: Path, **options: Any) -> int:
    """Send the scores in REPORTS to an assignment of Canvas."""
    from grader.lms.pushing import web
    from grader.lms.pushing.canvas import Canvas
    from grader.lms.pushing.plan import Sent
    from grader.lms.pushing.secrets import Redactor, read_secret

    address = web.address(options["url"], "--url")
    wanted = _target_scores(reports, options)
    web.need_extra()
    token = read_secret(CANVAS_VARIABLE, options["token_file"], "The access token of Canvas")
    there = Canvas(address, options["canvas_course"], options["canvas_assignment"], token, Redactor())
    plan = there.plan(wanted, scale=options["scale"], comments=options["comments"])
    return _show_and_send(plan, lambda changes: Sent(there.send(changes, click.echo)), options["dry_run"])


def _target_scores(reports: Path, options: dict[str, Any]) -> Any:
    from grader.lms.pushing.target_scores import read_target_scores

    return read_target_scores(
        reports,
        options["roster"],
        options["folders_are"],
        options["assignment"],
        failed_as_zero=options["failed_as_zero"],
    )


def _show_and_send(plan: Any, send: Any, dry_run: bool) -> int:
    """Show a plan, send what it says, and say what came of it."""
    from grader.lms.pushing.plan import show, show_sent

    show(plan)
    if dry_run or not plan.changes:
        click.echo("Nothing was sent: this is a dry run." if dry_run else "Nothing had to be sent.")
        return 1 if plan.left_out else 0
    sent = send(plan.changes)
    show_sent(sent, len(plan.changes))
    if sent.stopped is not None:
        raise sent.stopped
    return 0 if sent.complete and not plan.left_out else 1
