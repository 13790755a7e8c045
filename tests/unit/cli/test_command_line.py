"""The command line as a whole: who a command is for, what stands before it, and how many options there are."""

import contextlib

import click
import pytest

from grader.cli import COMMANDS, main
from grader.grading import GradeOptions

from ...support.classes.class_runs import grade
from ...support.command_line import run_here


def options_of(command: click.Command) -> list[click.Option]:
    """Return the options of a command and of all commands in it."""
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        options += options_of(inner)
    return options


def test_the_help_names_the_commands_by_whom_they_are_for():
    sections = run_here("--help").stdout.split("\n\n")[-len(COMMANDS) :]
    shown = {
        heading.rstrip(":"): [line.split()[0] for line in lines if line[2] != " "]
        for heading, *lines in map(str.splitlines, sections)
    }
    assert shown == {
        "Students": ["check", "watch", "hint"],
        "Teachers": ["grade", "pages", "export", "appeal", "diff", "doctor"],
        "Authors": ["new", "build", "verify", "release"],
        "Extras": ["nbgrader", "push", "cluster"],
    }


def test_all_commands_together_have_at_most_fifty_options():
    options = options_of(main)
    assert len(options) <= 50
    assert all(option.help for option in options)


@pytest.mark.parametrize("command", [["grade", "class"], ["check"], ["new", "exercise", "x"], ["push", "canvas"]])
@pytest.mark.parametrize("option", ["--course", "--language"])
def test_an_option_of_every_command_behind_one_is_told_its_place(command, option):
    done = run_here(*command, option, "ko")
    assert done.returncode == 2
    assert f"{option} stands before the command" in done.stderr


def test_the_language_before_grade_is_that_of_the_reports(monkeypatch):
    asked: list[GradeOptions] = []
    monkeypatch.setattr("grader.grading.run_and_show", lambda options, judge: asked.append(options) or 0)
    monkeypatch.setenv("GRADER_LANGUAGE", "ko")
    for before in ([], ["--language", "en"], ["--language", "ko"]):
        assert run_here(*before, "grade", "class", "--no-pages").returncode == 0
    assert [options.language for options in asked] == [None, "en", "ko"]


def test_the_nodes_of_a_cluster_take_the_options_of_grade(monkeypatch):
    from grader.cluster import judge

    asked: list[GradeOptions] = []
    monkeypatch.setattr("grader.grading.run_and_show", lambda options, judge: asked.append(options) or 0)
    monkeypatch.setattr(judge, "nodes_of", lambda *where: contextlib.nullcontext(where))
    done = run_here("--language", "ko", "cluster", "grade", "class", "--on", "tcp://a:1", "--fresh", "--no-pages")
    assert done.returncode == 0, done.stderr
    (options,) = asked
    assert (options.fresh, options.on_nodes, options.language) == (True, True, "ko")
    assert [path.name for path in options.paths] == ["class"]
    refused = run_here("cluster", "grade", "class", "--freshly")
    assert (refused.returncode, "--freshly" in refused.stderr) == (2, True)


def appealed(klass, course, *arguments):
    return run_here("--course", course, "appeal", klass.parent / "out", *arguments)


def test_an_appeal_without_a_check_lists_those_of_the_report(klass, course):
    grade(klass, course)
    done = appealed(klass, course, "ben", "01_tiny")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {"'ben', 01_tiny", "  shares", "  Shift"} <= set(lines)
    quarters = "shares.quarters: The entries 1, 1, 2 become a quarter, a quarter and a half."
    assert [line.split(maxsplit=1) for line in lines if "quarters" in line] == [["failed", quarters]]
    only = appealed(klass, course, "ben", "tiny", "--check", "Shift").stdout
    assert "Shift.starts_at_zero" in only and "shares" not in only


def test_what_an_appeal_cannot_find_is_named(klass, course):
    grade(klass, course)
    for words, *arguments in (
        ("shares", "ben", "01_tiny", "--check", "share"),
        ("nobody in the class", "bne", "01_tiny"),
        ("PATH", "ben", "01_tiny", "--check", "shares.quarters"),
    ):
        done = appealed(klass, course, *arguments)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
