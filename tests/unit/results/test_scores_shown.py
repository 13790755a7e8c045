"""The scores of a run as a table in the terminal."""

import io
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from grader.results.summary import Row, Summary
from grader.results.table import cells_of, closing_lines, plain_table, show_results

from ...support.classes.class_results import FOUR, ONE, row, summary_of

ROWS = [
    row("ann", ONE, "7.5"), row("ann", FOUR, "10"), row("bob", ONE, "0", "It is a folder."), row("cho", FOUR, "0"),
    row("dee", ONE, "0", "It is a folder."), row("dee", FOUR, "10"),
]  # fmt: skip
STUDENTS = {"ann": "Ann Lee (ann)", **{name: name for name in ("bob", "cho", "dee", "zoe")}}


def test_the_table_has_scores_dashes_and_what_was_not_graded() -> None:
    assert cells_of(ROWS, STUDENTS, [ONE, FOUR]) == [
        ["student", f"{ONE} (10)", f"{FOUR} (10)", "total"],
        ["Ann Lee (ann)", "7.5", "10", "17.5"],
        ["bob", "not graded", "-", "?"],
        ["cho", "-", "0", "0"],
        ["dee", "not graded", "10", "?"],
        ["zoe", "-", "-", "-"],
    ]


def shown(rows: list[Row], students: list[str], summary: Summary, terminal: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=80, highlight=False)
    show_results(rows, {name: name for name in students}, [ONE, FOUR], summary, Path("/some/reports"), (), console)
    return out.getvalue()


def test_wide_letters_keep_the_columns_aligned() -> None:
    table = cells_of(
        [row("김철수", ONE, "7.5"), row("ann", ONE, "10")], {name: name for name in ("ann", "김철수")}, [ONE]
    )
    lines = plain_table(table).split("\n")
    assert len({cell_len(line) for line in lines}) == 1
    assert lines[2].startswith("ann     ") and lines[3].startswith("김철수  ")


def test_hostile_and_long_names_are_harmless_in_the_table() -> None:
    names = ["[red]x[/red]", "\x1b[2Jgone\n", "가" * 300]
    rows = [row(name, ONE, "1") for name in names]
    for terminal in (False, True):
        text = shown(rows, names, summary_of(rows, names), terminal)
        assert "[red]x[/red]" in text
        assert "\x1b[2J" not in text
        assert "\\x1b[2Jgone" in text
        assert "가" * 30 not in text


def test_the_last_lines_say_what_was_graded_and_where_it_is() -> None:
    rows = [row("ann", ONE, "1"), row("bob", ONE, "0", "It is a folder.")]
    assert closing_lines(summary_of(rows, ["ann", "bob", "zoe"], ["A warning."]), Path("/some/reports"), ["More."]) == [
        "1 of 2 submissions by 3 students graded.",
        "Not graded or left out (2):",
        "  'bob', 01_simple_attention: It is a folder.",
        "  A warning.",
        "More.",
        "Reports are in '/some/reports', the students' copies in its folder for-students, all grades in grades.csv.",
    ]


def test_every_submission_that_was_not_graded_is_named_in_a_large_class_too() -> None:
    rows = [row(f"s{number:03}", ONE, "0", "It is a folder.") for number in range(120)]
    lines = closing_lines(summary_of(rows, [entry.student for entry in rows], ["A warning."]), Path("/r"))
    named = [line.partition(",")[0] for line in lines if line.startswith("  '")]
    assert named == [f"  '{entry.student}'" for entry in rows]
    assert lines[-2] == "  A warning."
