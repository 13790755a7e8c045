"""`grader check`: a student's own run of the visible checks, told in words that a beginner understands."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.checking import Checked
    from grader.results.verdict import CheckVerdict


@click.command()
@click.argument("path", default=".", metavar="[PATH]")
@click.option("--exercise", default=None, metavar="NAME", help="Check only this exercise.")
@click.option("--language", type=click.Choice(["en", "ko"]), default="en", show_default=True)
def check(path: str, exercise: str | None, language: str) -> int:
    """Check your own work against the visible checks.

    PATH is your .py or .ipynb file or the folder it is in. Ends with 0 when every check passes and with 1 when not.
    """
    from grader.checking import check_path

    checked = check_path(Path(path), exercise)
    show(checked, language)
    return 0 if checked.all_passed else 1


def show(checked: "Checked", language: str) -> None:
    """Print the verdicts, one exercise after another, and what to do next."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True)
    korean = language == "ko"
    console.print(f"[bold]{escape(checked.files.assignment)}[/bold] ({escape(str(checked.files.submission.name))})")
    for note in checked.notes:
        console.print(f"  [yellow]note:[/yellow] {escape(note)}")
    if checked.problem:
        console.print(f"  [red]{escape(checked.problem)}[/red]")
        return
    passed = 0
    for exercise in dict.fromkeys(item.spec.exercise for item in checked.checks):
        mine = [item for item in checked.checks if item.spec.exercise == exercise]
        good = sum(checked.verdicts[item.id].status == "passed" for item in mine)
        passed += good
        mark = "[green]ok[/green]" if good == len(mine) else "[red]not yet[/red]"
        console.print(f"\n[bold]{escape(exercise)}[/bold]  {mark}  ({good} of {len(mine)})")
        shown = False
        for item in mine:
            verdict = checked.verdicts[item.id]
            sentence = item.spec.sentence_ko if korean else item.spec.sentence
            sign = {"passed": "[green]+[/green]", "skipped": "[dim]-[/dim]"}.get(verdict.status, "[red]x[/red]")
            console.print(f"  {sign} {escape(sentence)}")
            if verdict.status not in ("passed", "skipped") and not shown:
                tell(console, verdict, korean)
                shown = verdict.status == "missing"
    total = len(checked.checks)
    done = "통과" if korean else "visible checks passed"
    console.print(f"\n{passed} / {total} {done}.")


def tell(console: object, verdict: "CheckVerdict", korean: bool) -> None:
    """Print what went wrong in one check: the sentence, the student's own line, and what the code printed."""
    from rich.console import Console
    from rich.markup import escape

    from grader.results.redact import sanitise

    assert isinstance(console, Console)
    found = (verdict.found_ko if korean else verdict.found) or verdict.found
    console.print(f"      {escape(sanitise(found))}")
    if verdict.line_text:
        place = f"cell {verdict.cell}, line {verdict.line}" if verdict.cell else f"line {verdict.line}"
        console.print(f"      {place}:  {escape(sanitise(verdict.line_text.strip()))}", style="cyan")
    if verdict.output:
        printed = sanitise(verdict.output[:500]).splitlines()
        console.print("      your code printed:", style="dim")
        for line in printed[:8]:
            console.print(f"        {escape(line)}", style="dim")
