"""Shows a run's scores to a person at a terminal, and in plain aligned text everywhere else.

A Korean letter takes two columns, so widths are counted in columns. Names come from folders that students named, so
whatever could act on a terminal is shown as its number.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.text import counted, name_shown, one_line

from .scoring import plain, points_shown, total_of
from .summary import Lowered, Row, Summary

NOT_GRADED = "not graded"
WIDEST_NAME = 40
MOST_LOWERED = 20
LONGEST_REASON = 4000


def cells_of(rows: Sequence[Row], students: Mapping[str, str], assignments: Sequence[str]) -> list[list[str]]:
    """Return the table as texts: the headings and a line for each student, given what the table calls them.

    A score is the points alone, since the heading has the maximum. `-` means no submission, and `?` a
    sum of which a part could not be graded: added up as 0 it would be too low.
    """
    most = {row.assignment: row.max_score for row in rows}
    heading = [f"{one_line(id, WIDEST_NAME)} ({most[id]:f})" if id in most else one_line(id) for id in assignments]
    table = [["student", *heading, "total"]]
    by_place = {(row.student, row.assignment): row for row in rows}
    for student, shown in students.items():
        student_rows = [by_place.get((student, assignment)) for assignment in assignments]
        there = [row for row in student_rows if row is not None]
        total = f"{total_of([row.score for row in there]):f}" if there else "-"
        failed = any(row.problem is not None for row in there)
        table.append([name_cell(shown), *map(_score_cell, student_rows), "?" if failed else total])
    return table


def _score_cell(row: Row | None) -> str:
    if row is None:
        return "-"
    return NOT_GRADED if row.problem is not None or row.score is None else f"{plain(row.score):f}"


def name_cell(student: str) -> str:
    """Return a student's name as a table shows it, cut where it is long."""
    shown = one_line(student, 4 * WIDEST_NAME)
    return shown if cell_len(shown) <= WIDEST_NAME else set_cell_size(shown, WIDEST_NAME - 3).rstrip() + "..."


def plain_table(table: Sequence[Sequence[str]]) -> str:
    """Return the table as aligned text: names to the left, numbers to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    lines = []
    for line in (table[0], ["-" * width for width in widths], *table[1:]):
        spaces = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        numbers = (space + cell for space, cell in zip(spaces[1:], line[1:], strict=True))
        lines.append("  ".join([line[0] + spaces[0], *numbers]))
    return "\n".join(lines)


def _rich_table(table: Sequence[Sequence[str]]) -> Table:
    drawn = Table(box=None, header_style="bold", pad_edge=False)
    for column, heading in enumerate(table[0]):
        drawn.add_column(Text(heading), justify="left" if column == 0 else "right")
    for line in table[1:]:
        drawn.add_row(*(Text(cell, style="red" if cell == NOT_GRADED else "") for cell in line))
    return drawn


def closing_lines(summary: Summary, folder: Path, more: Sequence[str] = ()) -> list[str]:
    """Return the sentences under the table: what was graded, what was not and why, and where the reports are."""
    students = counted(summary.students, "student")
    lines = [f"{summary.graded} of {counted(summary.submissions, 'submission')} by {students} graded."]
    if summary.kept:
        lines[0] += f" Graded before, here or into another folder, and unchanged: {summary.kept}."
    if summary.lowered:
        lines.append(f"LOWER than before ({len(summary.lowered)}):")
        named = summary.lowered if len(summary.lowered) <= MOST_LOWERED else summary.lowered[: MOST_LOWERED - 1]
        lines += [f"  {_lowered(drop)}" for drop in named]
        if len(named) < len(summary.lowered):
            lines.append(f"  and {len(summary.lowered) - len(named)} more, all of them in run.json.")
    reasons = [f"{name_shown(entry.student)}, {entry.assignment}: {entry.problem}" for entry in summary.not_graded]
    reasons += summary.warnings
    if reasons:
        lines.append(f"Not graded or left out ({len(reasons)}):")
        lines += [f"  {one_line(reason, LONGEST_REASON)}" for reason in reasons]
    lines += [*summary.notes, *more]
    where = name_shown(str(folder), 300)
    lines.append(f"Reports are in {where}, the students' copies in its folder for-students, all grades in grades.csv.")
    return lines


def _lowered(drop: Lowered) -> str:
    cause = "the student handed in something else" if drop.resubmitted else "the same submission"
    where = f", in {', '.join(drop.exercises)}" if drop.exercises else ""
    scores = score_change_text(drop.before, drop.max_before, drop.after, drop.max_after)
    return one_line(f"{name_shown(drop.student)}, {drop.assignment}: {scores}{where} ({cause}).", 400)


def score_change_text(
    before: Decimal | None, most_before: Decimal | None, after: Decimal | None, most_after: Decimal | None
) -> str:
    """Return two scores for a sentence, with their maximum where it changed: `27 of 30 to 27 of 33`."""
    then, now = points_shown(before), points_shown(after)
    if most_before is None or most_after is None or most_before == most_after:
        return f"{then} to {now}"
    return f"{then} of {plain(most_before):f} to {now} of {plain(most_after):f}"


def show_results(
    rows: Sequence[Row],
    students: Mapping[str, str],
    assignments: Sequence[str],
    summary: Summary,
    folder: Path,
    more: Sequence[str] = (),
    console: Console | None = None,
) -> None:
    """Print the table, its lines and columns in these orders, and the closing lines.

    Args:
        students: What the table calls each student.
        more: What there is to say besides what the summary holds, a sentence each.
    """
    table = cells_of(rows, students, assignments)
    console = console or Console(highlight=False)
    if console.is_terminal:
        console.print(_rich_table(table))
    else:
        console.print(Text(plain_table(table)), soft_wrap=True)
    console.print()
    for line in closing_lines(summary, folder, more):
        console.print(Text(line), soft_wrap=True)
