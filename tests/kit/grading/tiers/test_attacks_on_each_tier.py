"""Grades every attack of `attacks/` in a class on each tier of isolation, and looks for anything that it gained.

The attacks are between honest students, whose reports must be the same as in a run without attackers (`arenas.py`).
What an attack may earn is declared in `attacks/expected.toml`; words that must never show are
planted in the course, the home folder, the environment and a neighbour's work.
"""

import re
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from ...support.grading_runs import ASSIGNMENT, FILE, REFUSED, TIERS, Playground, open_files_anywhere, timeless
from .arenas import ARENAS, ATTACKS, EXPECTED, LIMITS, NEIGHBOURS, Fight, attacks_in, source_of, student_of

HONEST = "attention_scores_for_query"
GAINED = "GAINED"

Enter = Callable[[str], Fight]


@pytest.fixture(scope="session")
def enter(tmp_path_factory: pytest.TempPathFactory) -> Enter:
    """Grade the class of an arena, once for all tests that ask for it; skips where its tier is not proven here."""
    fights: dict[str, Fight] = {}

    def enter(arena: str) -> Fight:
        if arena not in fights:
            fights[arena] = Fight(tmp_path_factory.mktemp(f"arena-{arena.replace(' ', '-')}"), arena)
        if fights[arena].refusal:
            pytest.skip(fights[arena].refusal)
        return fights[arena]

    return enter


in_each_arena = pytest.mark.parametrize("arena", ARENAS)
on_each_tier = pytest.mark.parametrize("tier", TIERS)
each_attack = pytest.mark.parametrize(
    ("arena", "attack"), [(arena, attack) for arena in ARENAS for attack in attacks_in(arena)]
)


def test_every_attack_is_declared():
    """Each file has a line in the table and a first sentence that says what it would gain."""
    found = {
        str(path.relative_to(ATTACKS).with_suffix("") if path.is_file() else path.relative_to(ATTACKS))
        for path in ATTACKS.glob("*/*")
        if path.is_dir() or path.suffix in (".py", ".ipynb")
    }
    assert found - {name for name in found if name.endswith("__pycache__")} == set(EXPECTED)
    for name in EXPECTED:
        source = source_of(name)
        text = (source / f"{FILE}.py" if source.is_dir() else source).read_text(encoding="utf-8")
        assert "; would" in text, f"{name} does not say what it would gain"


@in_each_arena
def test_the_run_ends_with_a_report_for_everybody(enter, arena):
    """Whatever the attackers do, each submission has both reports, and the run ends with 1 for the links alone."""
    fight = enter(arena)
    students = {path.name for path in fight.place.classroom.iterdir()}
    output = fight.together.output
    assert fight.together.code == 1, fight.together.stderr
    assert "LEFT OVER" not in fight.together.stderr
    for folder in (output, output / "for-students"):
        assert {path.parent.name for path in folder.glob(f"*/{ASSIGNMENT}.json")} >= students
    assert "Traceback" not in fight.together.stdout + fight.together.stderr


@each_attack
def test_an_attack_earns_only_what_it_did_honestly(enter, arena, attack):
    """Points come from right answers alone."""
    graded = enter(arena).together
    row = EXPECTED[attack]
    earned = graded.points(student_of(attack))
    if row.get("policy"):
        report = graded.report(student_of(attack))
        full = {exercise["id"] for exercise in report["exercises"] if exercise["score"] == exercise["max_score"]}
        allowed = {"attention_weights"} if attack.endswith("another_exercise") else set()
        assert full <= allowed
        return
    if row.get("figures"):
        passed = [check for check in graded.checks(student_of(attack)) if check["status"] == "passed"]
        assert all(check["visibility"] == "visible" or check["category"] == "document" for check in passed)
        assert graded.report(student_of(attack))["score"] < Decimal(2)
        return
    if row.get("garbage"):  # memory as it is may look like an answer that uses its inputs, and never like the right one
        report = graded.report(student_of(attack))
        kept = [each["score"] / each["max_score"] for each in report["exercises"] if each["id"] != HONEST]
        assert max(kept) < Decimal("0.5")
        assert earned[HONEST] > 0
        return
    most = {exercise["id"]: exercise["max_score"] for exercise in graded.report(student_of(attack))["exercises"]}
    assert earned == {name: most[name] for name in row.get("earns", [HONEST])}


@each_attack
def test_an_attack_was_really_run(enter, arena, attack):
    """The trick left its trace, so that a slip in an attack's own code cannot pass for a jail that held."""
    graded = enter(arena).together
    row = EXPECTED[attack]
    for exercise, status in row.get("ends", {}).items():
        statuses = [check["status"] for check in graded.checks(student_of(attack), exercise)]
        assert set(status.split("|")) & set(statuses)
    quiet = row.get("silent") or row.get("policy") or "ends" in row
    trace = row.get("shows", "" if quiet else "TRIED")
    assert trace in graded.written[f"{student_of(attack)}/{ASSIGNMENT}.json"]


@each_attack
def test_an_attack_got_at_nothing(enter, arena, attack):
    """No step that must be impossible was reported as done."""
    report = enter(arena).together.written[f"{student_of(attack)}/{ASSIGNMENT}.json"]
    assert [line for line in re.split(r"\\n|\n", report) if GAINED in line] == []


@in_each_arena
def test_no_planted_word_is_shown_anywhere(enter, arena):
    """Neither tests, solution, environment, secret and home nor a neighbour's work is in anything that was written."""
    fight = enter(arena)
    for meaning, word in fight.place.canaries.items():
        assert word not in fight.together.everything, meaning


@in_each_arena
def test_honest_neighbours_are_graded_as_if_alone(enter, arena):
    """The reports of honest students have the same bytes with and without attackers, times aside."""
    fight = enter(arena)
    for name in NEIGHBOURS:
        for place in (f"{name}/{ASSIGNMENT}.json", f"for-students/{name}/{ASSIGNMENT}.json"):
            assert without_times(fight.together.written[place]) == without_times(fight.alone.written[place])
        assert fight.together.points(name).keys() == {HONEST, "softmax_naive"}
        assert timeless(fight.together.report(name)) == timeless(fight.alone.report(name))


def without_times(text: str) -> list[str]:
    """Return the lines of a report that do not tell times."""
    return [line for line in text.split("\n") if not re.match(r'\s*"(started|duration_s)":', line)]


@in_each_arena
def test_nothing_is_written_but_the_reports(enter, arena):
    """Course, class, home and temporary folder are as they were, and no marked file is in a shared place."""
    fight = enter(arena)
    assert fight.after == fight.before
    assert list(open_files_anywhere("attacked")) == []


@in_each_arena
def test_links_are_not_followed(enter, arena):
    """A symbolic link in a submission earns nothing, and its target is not read."""
    graded = enter(arena).together
    for student in ("link-to-the-folder", "link-to-a-neighbour", "link-to-the-file", "link-to-a-device", "link-up"):
        report = graded.report(student)
        assert report["score"] == Decimal(0)
        assert "symbolic link" in report["problem"]


@on_each_tier
def test_a_student_sees_no_hidden_input(enter, tier):
    """What the code was given in hidden checks is in no student's report, however it was carried there."""
    graded = enter(tier).together
    for attack in ("by_print", "by_exception", "by_returned_type", "by_line", "across_exercises"):
        student = student_of(f"steal/hidden_inputs_{attack}")
        pattern = r"(?:NOW:|BITS_)([-+.e0-9a-f]+)"
        hidden, known = set(), set()
        for check in graded.checks(student):
            (known if check["visibility"] == "visible" else hidden).update(re.findall(pattern, str(check)))
        assert hidden - known, f"{student} was given no input by a hidden check"
        shown = graded.written[f"for-students/{student}/{ASSIGNMENT}.json"]
        assert [token for token in hidden - known if token in shown] == []


@on_each_tier
def test_a_students_copy_says_only_the_authors_sentence_of_a_hidden_check(enter, tier):
    """The messages that name expected and obtained values are the teacher's."""
    graded = enter(tier).together
    for attack in ("failure_messages", "hidden_inputs_by_print"):
        student = student_of(f"steal/{attack}")
        teacher = {check["id"]: check for check in graded.checks(student)}
        for exercise in graded.copy(student)["exercises"]:
            for check in exercise["checks"]:
                if check["visibility"] == "hidden" and check["status"] == "failed":
                    assert check["message"] == teacher[check["id"]]["message"]
                    assert not check.get("detail") and not check.get("output")


@on_each_tier
def test_a_resubmission_meets_other_inputs(enter, tier):
    """Two files that differ by a comment are given different hidden inputs, so answers can't be searched bit by bit."""
    graded = enter(tier).together
    seen = []
    for letter in "ab":
        checks = graded.checks(f"steal-resubmission-{letter}", "softmax_naive")
        drawn = [check for check in checks if check["category"] == "value" and check["visibility"] == "hidden"]
        seen.append({token for check in drawn for token in re.findall(r"NOW:(\S+):", str(check))})
    assert seen[0] and seen[1]
    assert not seen[0] & seen[1]


@pytest.mark.parametrize(("older_kernel", "tier"), [(False, "landlock"), (True, "no-open")])
def test_attacks_gain_nothing_in_a_container(tmp_path, older_kernel, tier):
    """Under a container's default profile the next tier is proven by itself, and attacks gain nothing there either."""
    place = Playground(tmp_path)
    attacks = ("steal/read_the_disk", "steal/parent_memory", "forge/daemon", "break_out/kernel_doors")
    for name in attacks:
        place.hand_in(student_of(name), source_of(name))
    profile = [sys.executable, str(Path(__file__).parents[2] / "support" / "container_profile.py")]
    graded = place.grade("reports", *LIMITS, through=[*profile, *(["--without-landlock"] if older_kernel else [])])
    if graded.code == REFUSED:
        pytest.skip(graded.stderr.strip())
    assert graded.code == 0, graded.stderr
    assert "LEFT OVER" not in graded.stderr
    for name in attacks:
        assert graded.report(student_of(name))["isolation"]["tier"] == tier
        assert graded.points(student_of(name)).keys() == {HONEST}
        text = graded.written[f"{student_of(name)}/{ASSIGNMENT}.json"]
        assert "TRIED" in text
        assert GAINED not in text
    for meaning, word in place.canaries.items():
        assert word not in graded.everything, meaning
