"""Grades every attack of `attacks/` as one class on each tier of isolation, and looks for anything that it gained.

One run of the command line a tier: the attacks are between honest students, whose reports must be the same as in a
run without attackers. What an attack may earn is declared in `attacks/expected.toml`; words that must never show are
planted in the course, the home folder, the environment and a neighbour's work.
"""

import re
import sys
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ..support.grading_runs import ASSIGNMENT, FILE, REFUSED, TIERS, Graded, Playground, open_files_anywhere, timeless

ATTACKS = Path(__file__).parents[1] / "attacks"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((ATTACKS / "expected.toml").read_text(encoding="utf-8"))
HONEST = "attention_scores_for_query"
GAINED = "GAINED"
NEIGHBOURS = ("aaron", "milo", "zoe")  # before, between and after the attackers
LIMITS = ("--check-seconds", "1", "--check-cpu-seconds", "1", "--memory-mib", "256", "--submission-seconds", "120")
BY_JAIL = ("steal/", "break_out/")
ALSO_BY_JAIL = (
    "exhaust/disk",
    "exhaust/fork_bomb",
    "exhaust/memory_by_shared_map",
    "exhaust/endless_loop",
    "forge/at_exit",
    "forge/daemon",
    "forge/shipped_files",
    "forge/write_the_report",
    "forge/reply_with_the_right_nonce",
    "cheat/is_anybody_there",
)
NEIGHBOUR = '''"""An honest student's work."""

import torch

NOTE = "{word}"


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    return torch.exp(x) / torch.exp(x).sum()


def attention_scores(inputs):
    return inputs + 1
'''

Arena = Callable[[str], "Fight"]


class Fight:
    """A class of attackers and honest students that was graded on one tier, and the honest ones alone."""

    def __init__(self, folder: Path, tier: str) -> None:
        self.place = Playground(folder)
        for name in NEIGHBOURS:
            source = folder / "neighbour.py"
            source.write_text(NEIGHBOUR.format(word=self.place.canaries["neighbour"]), encoding="utf-8")
            self.place.hand_in(name, source)
        honest = [self.place.classroom / name for name in NEIGHBOURS]
        self.alone = self.place.grade("alone", "--isolation", tier, *LIMITS, paths=honest)
        if self.alone.code == REFUSED:
            self.refusal = self.alone.stderr.strip()
            return
        self.refusal = ""
        for name in attacks_on(tier):
            self.place.hand_in(student_of(name), source_of(name))
        self.add_links()
        self.before = self.place.fingerprint()
        self.together: Graded = self.place.grade("together", "--isolation", tier, *LIMITS, "--jobs", "2")
        self.after = self.place.fingerprint()

    def add_links(self) -> None:
        """Hand in symbolic links to the solution, to the course and to a neighbour's work."""
        solution = self.place.course / "solutions" / ASSIGNMENT
        neighbour = self.place.classroom / NEIGHBOURS[0]
        for student, target in (("link-to-the-folder", solution), ("link-to-a-neighbour", neighbour / ASSIGNMENT)):
            (self.place.classroom / student).mkdir()
            (self.place.classroom / student / ASSIGNMENT).symlink_to(target)
        for student, target in (("link-to-the-file", solution / f"{FILE}.py"), ("link-to-a-device", Path("/dev/zero"))):
            (self.place.classroom / student / ASSIGNMENT).mkdir(parents=True)
            (self.place.classroom / student / ASSIGNMENT / f"{FILE}.py").symlink_to(target)
        (self.place.classroom / "link-up" / ASSIGNMENT).mkdir(parents=True)
        relative = Path("../../../course/solutions") / ASSIGNMENT / f"{FILE}.py"
        (self.place.classroom / "link-up" / ASSIGNMENT / f"{FILE}.py").symlink_to(relative)


def attacks_on(tier: str) -> list[str]:
    """Return the attacks of a tier: all on the first; on the others those that a weaker jail could let through."""
    return [name for name in EXPECTED if tier == TIERS[0] or name.startswith(BY_JAIL) or name in ALSO_BY_JAIL]


def student_of(name: str) -> str:
    """Return the folder name of an attack's student."""
    return name.replace("/", "-").replace("_", "-")


def source_of(name: str) -> Path:
    """Return the file or folder of an attack."""
    return next(path for path in (ATTACKS / f"{name}.py", ATTACKS / f"{name}.ipynb", ATTACKS / name) if path.exists())


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    """Grade the class on a tier, once for all tests that ask for it; skips where the tier is not proven here."""
    fights: dict[str, Fight] = {}

    def enter(tier: str) -> Fight:
        if tier not in fights:
            fights[tier] = Fight(tmp_path_factory.mktemp(f"arena-{tier}"), tier)
        if fights[tier].refusal:
            pytest.skip(fights[tier].refusal)
        return fights[tier]

    return enter


on_each_tier = pytest.mark.parametrize("tier", TIERS)
each_attack_on_each_tier = pytest.mark.parametrize(
    ("tier", "attack"), [(tier, attack) for tier in TIERS for attack in attacks_on(tier)]
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


@on_each_tier
def test_the_run_ends_with_a_report_for_everybody(arena, tier):
    """Whatever the attackers do, each submission has both reports, and the run ends with 1 for the links alone."""
    fight = arena(tier)
    students = {path.name for path in fight.place.classroom.iterdir()}
    output = fight.together.output
    assert fight.together.code == 1, fight.together.stderr
    assert "LEFT OVER" not in fight.together.stderr
    for folder in (output, output / "for-students"):
        assert {path.parent.name for path in folder.glob(f"*/{ASSIGNMENT}.json")} >= students
    assert "Traceback" not in fight.together.stdout + fight.together.stderr


@each_attack_on_each_tier
def test_an_attack_earns_only_what_it_did_honestly(arena, tier, attack):
    """Points come from right answers alone."""
    graded = arena(tier).together
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


@each_attack_on_each_tier
def test_an_attack_was_really_run(arena, tier, attack):
    """The trick left its trace, so that a slip in an attack's own code cannot pass for a jail that held."""
    graded = arena(tier).together
    row = EXPECTED[attack]
    for exercise, status in row.get("ends", {}).items():
        statuses = [check["status"] for check in graded.checks(student_of(attack), exercise)]
        assert set(status.split("|")) & set(statuses)
    quiet = row.get("silent") or row.get("policy") or "ends" in row
    trace = row.get("shows", "" if quiet else "TRIED")
    assert trace in graded.written[f"{student_of(attack)}/{ASSIGNMENT}.json"]


@each_attack_on_each_tier
def test_an_attack_got_at_nothing(arena, tier, attack):
    """No step that must be impossible was reported as done."""
    report = arena(tier).together.written[f"{student_of(attack)}/{ASSIGNMENT}.json"]
    assert [line for line in re.split(r"\\n|\n", report) if GAINED in line] == []


@on_each_tier
def test_no_planted_word_is_shown_anywhere(arena, tier):
    """Neither tests, solution, environment, secret and home nor a neighbour's work is in anything that was written."""
    fight = arena(tier)
    for meaning, word in fight.place.canaries.items():
        assert word not in fight.together.everything, meaning


@on_each_tier
def test_honest_neighbours_are_graded_as_if_alone(arena, tier):
    """The reports of honest students have the same bytes with and without attackers, times aside."""
    fight = arena(tier)
    for name in NEIGHBOURS:
        for place in (f"{name}/{ASSIGNMENT}.json", f"for-students/{name}/{ASSIGNMENT}.json"):
            assert without_times(fight.together.written[place]) == without_times(fight.alone.written[place])
        assert fight.together.points(name).keys() == {HONEST, "softmax_naive"}
        assert timeless(fight.together.report(name)) == timeless(fight.alone.report(name))


def without_times(text: str) -> list[str]:
    """Return the lines of a report that do not tell times."""
    return [line for line in text.split("\n") if not re.match(r'\s*"(started|duration_s)":', line)]


@on_each_tier
def test_nothing_is_written_but_the_reports(arena, tier):
    """Course, class, home and temporary folder are as they were, and no marked file is in a shared place."""
    fight = arena(tier)
    assert fight.after == fight.before
    assert list(open_files_anywhere("attacked")) == []


@on_each_tier
def test_links_are_not_followed(arena, tier):
    """A symbolic link in a submission earns nothing, and its target is not read."""
    graded = arena(tier).together
    for student in ("link-to-the-folder", "link-to-a-neighbour", "link-to-the-file", "link-to-a-device", "link-up"):
        report = graded.report(student)
        assert report["score"] == Decimal(0)
        assert "symbolic link" in report["problem"]


@on_each_tier
def test_a_student_sees_no_hidden_input(arena, tier):
    """What the code was given in hidden checks is in no student's report, however it was carried there."""
    graded = arena(tier).together
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
def test_a_students_copy_says_only_the_authors_sentence_of_a_hidden_check(arena, tier):
    """The messages that name expected and obtained values are the teacher's."""
    graded = arena(tier).together
    for attack in ("failure_messages", "hidden_inputs_by_print"):
        student = student_of(f"steal/{attack}")
        teacher = {check["id"]: check for check in graded.checks(student)}
        for exercise in graded.copy(student)["exercises"]:
            for check in exercise["checks"]:
                if check["visibility"] == "hidden" and check["status"] == "failed":
                    assert check["message"] == teacher[check["id"]]["message"]
                    assert not check.get("detail") and not check.get("output")


@on_each_tier
def test_a_resubmission_meets_other_inputs(arena, tier):
    """Two files that differ by a comment are given different hidden inputs, so answers can't be searched bit by bit."""
    graded = arena(tier).together
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
    profile = [sys.executable, str(Path(__file__).parents[1] / "support" / "container_profile.py")]
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
