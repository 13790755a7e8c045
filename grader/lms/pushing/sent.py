"""What came of sending scores: who has theirs, who has not and why, and of whom it is not known."""

from dataclasses import dataclass, field

import click

from grader.text import name_shown, one_line

from .web import PlatformError


@dataclass
class Sent:
    """What came of sending, a student's folder and a sentence for each of whom there is something to say.

    Attributes:
        failed: Whose score was not taken.
        unconfirmed: Whose score was taken, and whom the platform then shows without it.
        untried: Whose score was not sent any more.
        looked: Whether the platform was asked afterwards what it has; if not, only that it took the scores is known.
        stopped: What ended the sending early; None where it came to its end.
    """

    failed: list[tuple[str, str]] = field(default_factory=list)
    unconfirmed: list[tuple[str, str]] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    looked: bool = True
    stopped: PlatformError | None = None

    @property
    def complete(self) -> bool:
        """Whether every score arrived, as far as anybody looked."""
        return not (self.failed or self.unconfirmed or self.untried or self.stopped)


def show_sent(sent: Sent, count: int) -> None:
    """Print what came of sending so many scores."""
    arrived = count - len(sent.failed) - len(sent.unconfirmed) - len(sent.untried)
    outcome = "are there now" if sent.looked else "were accepted; whether they are there was not looked at"
    click.echo(f"{arrived} of {count} scores {outcome}.")
    for heading, listed in (("Not taken", sent.failed), ("Accepted, but not seen there", sent.unconfirmed)):
        if listed:
            click.echo(f"{heading} ({len(listed)}):")
            for student, reason in listed:
                click.echo(f"  {name_shown(student)}: {one_line(reason, 400)}")
    if sent.untried:
        click.echo(f"Not tried ({len(sent.untried)}):")
        for student in sent.untried:
            click.echo(f"  {name_shown(student)}")
        click.echo("Give the command again later: what is there is not sent twice.")
