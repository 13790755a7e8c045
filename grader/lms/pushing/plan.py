"""What a push would change, the scores of the reports beside those that the platform has; and what came of it.

A plan is made before anything is sent, and a dry run ends with it. Whoever is not in the plan is listed with the
reason, so that nobody is left out without a word.
"""

from dataclasses import dataclass, field
from decimal import Decimal

import click

from grader.results.scoring import plain
from grader.results.table import plain_table
from grader.text import name_shown, one_line

from .web import PlatformError

STEP = Decimal("0.0001")  # platforms keep scores as binary numbers; a smaller difference does not count
LARGE = 10**9  # from here on a score is shown by its first digits


@dataclass(frozen=True)
class Change:
    """A score that the platform has otherwise, or a comment that it has not.

    Attributes:
        student: The student's folder.
        user: Who that is on the platform.
        before: The score there; None for none.
        after: The score to send.
        called: How the platform calls the student, for a person who compares.
        comment: What to say to the student; empty for nothing.
    """

    student: str
    user: str
    before: Decimal | None
    after: Decimal
    called: str = ""
    comment: str = ""

    @property
    def score_differs(self) -> bool:
        """Whether the platform has another score, as well as it can keep one."""
        return not scores_equal(self.before, self.after)

    @property
    def lower(self) -> bool:
        """Whether the score goes down; where a comment is sent alone it does not."""
        return self.before is not None and self.after < self.before and (not self.comment or self.score_differs)


@dataclass
class Plan:
    """What a push would do.

    Attributes:
        target: Where the scores go, in words.
        changes: What to send, by student.
        unchanged: How many scores are there already.
        left_out: Who is left out, with the reason in a sentence.
        absent: Who handed nothing in; nothing is sent for them.
        notes: What else a person should know.
    """

    target: str
    changes: list[Change] = field(default_factory=list)
    unchanged: int = 0
    left_out: list[tuple[str, str]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add_score(
        self,
        student: str,
        user: str,
        before: Decimal | None,
        after: Decimal,
        called: str = "",
        within: Decimal = STEP,
        comment: str = "",
    ) -> None:
        """Take a score into the plan, for which see `Change`; the platform has it where it differs by less."""
        if scores_equal(before, after, within) and not comment:
            self.unchanged += 1
        else:
            self.changes.append(Change(student, user, before, after, called or name_shown(user), comment))


def show(plan: Plan) -> None:
    """Print a plan."""
    click.echo(one_line(plan.target, 400))
    for note in plan.notes:
        click.echo(one_line(note, 600))
    if plan.changes:
        click.echo("")
        rows = [["student", "on the platform", "there", "new", ""]]
        for each in plan.changes:
            scores = [score_text(each.before), f"{plain(each.after):f}"]
            marks = " ".join(["LOWER"] * each.lower + ["comment"] * bool(each.comment))
            rows.append([name_shown(each.student), each.called, *scores, marks])
        for line in plain_table(rows).splitlines():
            click.echo(line.rstrip())
        click.echo("")
    lower = sum(change.lower for change in plan.changes)
    counts = f"{len(plan.changes)} to send, {plan.unchanged} there already, {len(plan.left_out)} left out"
    click.echo(f"{counts}, {len(plan.absent)} without a submission." if plan.absent else f"{counts}.")
    if lower:
        click.echo(f"{lower} {'score goes' if lower == 1 else 'scores go'} down.")
    _show_reasons("Left out", plan.left_out)


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
        _show_reasons(heading, listed)
    if sent.untried:
        click.echo(f"Not tried ({len(sent.untried)}):")
        for student in sent.untried:
            click.echo(f"  {name_shown(student)}")
        click.echo("Give the command again later: what is there is not sent twice.")


def _show_reasons(title: str, listed: list[tuple[str, str]]) -> None:
    if listed:
        click.echo(f"{title} ({len(listed)}):")
    for student, reason in listed:
        click.echo(f"  {name_shown(student)}: {one_line(reason, 400)}")


def scores_equal(there: Decimal | None, ours: Decimal, within: Decimal = STEP) -> bool:
    """Return whether a platform has our score, as well as it can keep it."""
    return there is not None and abs(there - ours) < within


def score_text(score: Decimal | None) -> str:
    """Return what a platform has, for people: a dash for none, and no digits that nobody entered."""
    if score is None:
        return "-"
    return f"{plain(score.quantize(STEP)):f}" if abs(score) < LARGE else f"{score:.6g}"
