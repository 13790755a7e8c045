"""Grades every attack of this folder in a class, and looks for anything that it gained.

The attacks are between honest students, whose reports must be the same as in a run without attackers (`arenas.py`).
What an attack may earn is declared in `expected.toml`; words that must never show are planted in the course, the home
folder, the environment and a neighbour's work. `--tier` says on which tiers of isolation the class is graded. A test
lists all attacks that break its rule.
"""

import re
from decimal import Decimal
from typing import Any

import pytest

from ..support.classes.grading_runs import ASSIGNMENT, FILE, Graded, open_files_anywhere, timeless
from .arenas import ATTACKS, EXPECTED, HEAVY, HONEST, NEIGHBOURS, WAITING, Fight, attacks_in, source_of, student_of

GAINED = "GAINED"
LINKS = ("link-to-the-folder", "link-to-a-neighbour", "link-to-the-file", "link-to-a-device", "link-up")


@pytest.fixture(scope="module")
def fight(arena: str, tmp_path_factory: pytest.TempPathFactory) -> Fight:
    """The class of an arena, graded; skips where its tier is not proven here."""
    fought = Fight(tmp_path_factory.mktemp(f"arena-{arena}"), arena)
    if fought.refusal:
        pytest.skip(fought.refusal)
    return fought


@pytest.fixture
def graded(fight: Fight) -> Graded:
    return fight.together


def test_every_attack_is_declared():
    """Each file has a line in the table and a first sentence that says what it would gain."""
    names = {
        str(path.relative_to(ATTACKS).with_suffix("") if path.is_file() else path.relative_to(ATTACKS))
        for path in ATTACKS.glob("*/*")
        if path.is_dir() or path.suffix in (".py", ".ipynb")
    }
    assert {name for name in names if "__pycache__" not in name} == set(EXPECTED)
    texts = {
        name: (source / f"{FILE}.py" if source.is_dir() else source).read_text(encoding="utf-8")
        for name, source in ((name, source_of(name)) for name in EXPECTED)
    }
    assert [name for name, text in texts.items() if "; would" not in text] == []


def test_the_run_ends_with_a_report_for_everybody(fight):
    """Whatever the attackers do, each submission has both reports, and the run ends with 1 for the links alone."""
    students = {path.name for path in fight.place.classroom.iterdir()}
    output = fight.together.output
    assert fight.together.code == 1, fight.together.stderr
    assert "LEFT OVER" not in fight.together.stderr
    for folder in (output, output / "for-students"):
        assert {path.parent.name for path in folder.glob(f"*/{ASSIGNMENT}.json")} >= students
    assert "Traceback" not in fight.together.stdout + fight.together.stderr


def test_an_attack_earns_only_what_it_did_honestly(graded, arena):
    """Points come from right answers alone."""
    assert [name for name in attacks_in(arena) if not earned_honestly(graded, name, EXPECTED[name])] == []


def earned_honestly(graded: Graded, name: str, row: dict[str, Any]) -> bool:
    report = graded.report(student_of(name))
    earned = graded.points(student_of(name))
    most = {exercise["id"]: exercise["max_score"] for exercise in report["exercises"]}
    if row.get("policy"):
        allowed = {"attention_weights"} if name.endswith("another_exercise") else set()
        return {exercise for exercise, points in earned.items() if points == most[exercise]} <= allowed
    if row.get("figures"):
        passed = [check for check in graded.checks(student_of(name)) if check["status"] == "passed"]
        known = all(check["visibility"] == "visible" or check["category"] == "document" for check in passed)
        return known and report["score"] < Decimal(2)
    if row.get("garbage"):  # memory as it is may look like an answer that uses its inputs, and never like the right one
        kept = [points / most[exercise] for exercise, points in earned.items() if exercise != HONEST]
        return max(kept, default=0) < Decimal("0.5") and earned[HONEST] > 0
    return bool(earned == {exercise: most[exercise] for exercise in row.get("earns", [HONEST])})


def test_an_attack_was_really_run(graded, arena):
    """The trick left its trace, so that a slip in an attack's own code cannot pass for a jail that held."""
    assert [name for name in attacks_in(arena) if not left_its_trace(graded, name, EXPECTED[name])] == []


def left_its_trace(graded: Graded, name: str, row: dict[str, Any]) -> bool:
    """Return whether a report shows that an attack was run as its row says."""
    ended = all(
        set(status.split("|")) & {check["status"] for check in graded.checks(student_of(name), exercise)}
        for exercise, status in row.get("ends", {}).items()
    )
    quiet = row.get("silent") or row.get("policy") or "ends" in row
    trace = row.get("shows", "" if quiet else "TRIED")
    return ended and trace in graded.written[f"{student_of(name)}/{ASSIGNMENT}.json"]


def test_an_attack_got_at_nothing(graded, arena):
    """No step that must be impossible was reported as done."""
    reports = {name: graded.written[f"{student_of(name)}/{ASSIGNMENT}.json"] for name in attacks_in(arena)}
    gains = [(name, line) for name, text in reports.items() for line in re.split(r"\\n|\n", text) if GAINED in line]
    assert gains == []


def test_no_planted_word_is_shown_anywhere(fight):
    """Neither tests, solution, environment, secret and home nor a neighbour's work is in anything that was written."""
    shown = [meaning for meaning, word in fight.place.canaries.items() if word in fight.together.everything]
    assert shown == []


def test_honest_neighbours_are_graded_as_if_alone(fight):
    """The reports of honest students have the same bytes with and without attackers, times aside."""
    for name in NEIGHBOURS:
        for place in (f"{name}/{ASSIGNMENT}.json", f"for-students/{name}/{ASSIGNMENT}.json"):
            assert without_times(fight.together.written[place]) == without_times(fight.alone.written[place])
        assert fight.together.points(name).keys() == {HONEST, "softmax_naive"}
        assert timeless(fight.together.report(name)) == timeless(fight.alone.report(name))


def without_times(text: str) -> list[str]:
    """Return the lines of a report that do not tell times."""
    return [line for line in text.split("\n") if not re.match(r'\s*"(started|duration_s)":', line)]


def test_nothing_is_written_but_the_reports(fight):
    """Course, class, home and temporary folder are as they were, and no marked file is in a shared place."""
    assert fight.after == fight.before
    assert list(open_files_anywhere("attacked")) == []


def test_links_are_not_followed(graded):
    """A symbolic link in a submission is not graded, and its target is not read."""
    for student in LINKS:
        report = graded.report(student)
        assert report["score"] is None
        assert "symbolic link" in report["problem"]


def test_a_student_sees_no_hidden_input(graded, arena):
    """What the code was given in hidden checks is in no student's report, however it was carried there."""
    needs_attacks(arena)
    for attack in ("by_print", "by_exception", "by_returned_type", "by_line", "across_exercises"):
        student = student_of(f"steal/hidden_inputs_{attack}")
        pattern = r"(?:NOW:|BITS_)([-+.e0-9a-f]+)"
        hidden, known = set(), set()
        for check in graded.checks(student):
            (known if check["visibility"] == "visible" else hidden).update(re.findall(pattern, str(check)))
        assert hidden - known, f"{student} was given no input by a hidden check"
        shown = graded.written[f"for-students/{student}/{ASSIGNMENT}.json"]
        assert [token for token in hidden - known if token in shown] == []


def test_a_students_copy_says_only_the_authors_sentence_of_a_hidden_check(graded, arena):
    """The messages that name expected and obtained values are the teacher's."""
    needs_attacks(arena)
    for attack in ("failure_messages", "hidden_inputs_by_print"):
        student = student_of(f"steal/{attack}")
        teacher = {check["id"]: check for check in graded.checks(student)}
        for exercise in graded.copy(student)["exercises"]:
            for check in exercise["checks"]:
                if check["visibility"] == "hidden" and check["status"] == "failed":
                    assert check["message"] == teacher[check["id"]]["message"]
                    assert not check.get("detail") and not check.get("output")


def test_a_resubmission_meets_other_inputs(graded, arena):
    """Two files that differ by a comment are given different hidden inputs, so answers can't be searched bit by bit."""
    needs_attacks(arena)
    seen = []
    for letter in "ab":
        checks = graded.checks(f"steal-resubmission-{letter}", "softmax_naive")
        drawn = [check for check in checks if check["category"] == "value" and check["visibility"] == "hidden"]
        seen.append({token for check in drawn for token in re.findall(r"NOW:(\S+):", str(check))})
    assert seen[0] and seen[1]
    assert not seen[0] & seen[1]


def needs_attacks(arena: str) -> None:
    """Skip where the class holds only the attacks that take long."""
    if arena in (WAITING, HEAVY):
        pytest.skip("this class holds only the attacks that take long")
