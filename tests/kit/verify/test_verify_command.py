"""`grader verify` passes a proven course and names the first rule that is not met, with its file and exercise."""

import json
import os

import pytest

from grader.cli import status
from grader.suite.runner import suite as suites
from grader.verify import proof_rules, repeat_runs
from grader.verify import trial as trials
from grader.verify.mutate import mutants_of

from ..support.command_line import run_here
from ..support.courses import HIDDEN_SHARES, HINT_LEVELS, MISTAKES, RIGHTS, SOURCE, VISIBLE, write_course

pytestmark = pytest.mark.usefixtures("kept_jails")

HINTS = "\n\n    Hints:\n        One step is enough.\n    "
PROVEN_SOURCE = (
    SOURCE.replace('"forbids": ["softmax"]', '"forbids": []')
    .replace("        Tensor (T,).\n    ", "        Tensor (T,)." + HINTS)
    .replace(
        "shape (d,) and begins at 0.\n    ",
        "shape (d,) and begins at 0.\n\n    Returns:\n        Tensor (..., d), from `forward`." + HINTS,
    )
)
IN_PLACE = """

@mistake(hint="Make a new tensor.", ko="새 텐서를 만드세요.")
def divided_in_place(x):
    x /= x.sum()
    return x
"""
PROVEN = {
    "solutions/01_tiny/tiny.py": PROVEN_SOURCE,
    "solutions/01_tiny/mistakes/shares.py": MISTAKES + IN_PLACE,
    "tests/hidden/01_tiny/test_shares.py": HIDDEN_SHARES,
}


def grader(root, *arguments):
    return run_here(*arguments, "--course", root)


def verified(root, replaced=None, *arguments, build=True, record=True):
    """Write a course of which every rule but what is replaced is met, and verify it."""
    write_course(root, PROVEN | (replaced or {}))
    if build:
        assert grader(root, "build").returncode == 0
    return grader(root, "verify", *(["--record"] if record else []), *arguments)


def unmet(done, file, exercise, words):
    assert done.returncode == 1, done.stdout + done.stderr
    first = done.stdout.splitlines()[0]
    assert first.startswith(f"{file}, {exercise}:" if exercise else f"{file}:"), done.stdout
    assert words in first


def test_a_proven_course_meets_every_rule_and_a_mistake_is_then_named_by_its_report(tmp_path):
    done = verified(tmp_path / "course")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "Every rule is met by 1 of 1 assignment."
    kept = json.loads((tmp_path / "course/solutions/01_tiny/fingerprints.json").read_text(encoding="utf-8"))
    assert [each["mistakes"] for each in kept["shares"]] == [["divided_in_place"]]
    file = tmp_path / "class/ann/01_tiny/tiny.py"
    file.parent.mkdir(parents=True)
    own = "import torch\n\ndef shares(values):\n    return values.div_(values.sum())\n"
    file.write_text(own, encoding="utf-8")
    graded = grader(tmp_path / "course", "grade", str(tmp_path / "class"), "--output", str(tmp_path / "out"))
    assert graded.returncode == 0, graded.stderr
    report = json.loads((tmp_path / "out/ann/01_tiny.json").read_text(encoding="utf-8"))
    told = [check["diagnosis"] for check in report["exercises"][0]["checks"] if check["diagnosis"]]
    assert told == [{"mistakes": ["divided_in_place"], "hint": "Perhaps: Make a new tensor.", "evidence": "report"}]


def test_a_file_out_of_step_is_named_before_anything_runs(tmp_path):
    done = verified(tmp_path, build=False, record=False)
    unmet(done, "assignments/01_tiny/tiny.py", "", "in step")


def test_an_exercise_without_hints_is_named(tmp_path):
    done = verified(tmp_path, {"solutions/01_tiny/tiny.py": PROVEN_SOURCE.replace("Hints:", "Notes:", 1)})
    unmet(done, "solutions/01_tiny/tiny.py", "shares", "`Hints:`")


TOLD = "return torch.multiply(x, 1 / whole)"
TELLING = {
    "test_tiny.py": {
        "tests/visible/test_tiny.py": VISIBLE.replace('"""What students', f'"""{TOLD} is one way.\n\nWhat students')
    },
    "hints.toml": {"solutions/01_tiny/hints.toml": HINT_LEVELS.replace("This is nearly.", f"Write `{TOLD}`.")},
}


@pytest.mark.parametrize(("file", "replaced"), TELLING.items(), ids=TELLING)
def test_a_solution_line_that_students_get_is_named(tmp_path, file, replaced):
    source = PROVEN_SOURCE.replace("return x / whole", TOLD)
    done = verified(tmp_path, {**replaced, "solutions/01_tiny/tiny.py": source})
    unmet(done, f"assignments/01_tiny/{file}", "shares", "No line of a solution")


def test_an_exercise_that_forbids_calls_without_a_check_for_them_is_named(tmp_path):
    forbids = PROVEN_SOURCE.replace('"forbids": []', '"forbids": ["softmax"]')
    done = verified(tmp_path, {"solutions/01_tiny/tiny.py": forbids})
    unmet(done, "tests/hidden/01_tiny/test_shares.py", "shares", "must have a policy check")


def test_the_same_sources_give_the_same_inputs_whoever_verifies_them(tmp_path, monkeypatch):
    from grader.cli import main
    from grader.course.content.settings import SECRET_VARIABLE
    from grader.verify import verify_course as run

    seen = []
    monkeypatch.delenv(SECRET_VARIABLE, raising=False)
    monkeypatch.setattr(run, "findings", lambda *_: seen.append(os.environ.get(SECRET_VARIABLE)) or iter(()))
    write_course(tmp_path, PROVEN)
    for given in (None, None, "a secret of the teacher's that is long enough"):
        if given:
            monkeypatch.setenv(SECRET_VARIABLE, given)
        assert main.main(["verify", "--course", str(tmp_path)], standalone_mode=False) == 0
    assert seen[0] == seen[1] is not None
    assert seen[2] == "a secret of the teacher's that is long enough"


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ("slip", "must earn 25 to 60 % of the points"),
        ("trivial", "must earn none of the points"),
        ("library", "must earn at most 30 %"),
    ],
)
def test_a_mistake_that_earns_more_or_less_than_its_marks_allow_is_named(tmp_path, marks, words):
    hint = 'hint="Make a new tensor."'
    marked = PROVEN["solutions/01_tiny/mistakes/shares.py"].replace(hint, f'marks="{marks}", {hint}')
    done = verified(tmp_path, {"solutions/01_tiny/mistakes/shares.py": marked})
    unmet(done, "tests/hidden/01_tiny/test_shares.py", "shares", words)


def test_marks_that_nobody_knows_are_refused_with_the_nearest(tmp_path):
    marked = PROVEN["solutions/01_tiny/mistakes/shares.py"].replace("ko=", 'marks="slips", ko=', 1)
    done = verified(tmp_path, {"solutions/01_tiny/mistakes/shares.py": marked})
    assert done.returncode == 2
    assert "the unknown marks 'slips'" in done.stderr and "slip" in done.stderr


def test_a_mistake_that_keeps_its_points_is_named(tmp_path):
    kept = '\n\n@mistake(hint="?", ko="?")\ndef no_mistake(x):\n    return x.div(x.sum())\n'
    done = verified(
        tmp_path, {"solutions/01_tiny/mistakes/shares.py": PROVEN["solutions/01_tiny/mistakes/shares.py"] + kept}
    )
    unmet(done, "solutions/01_tiny/mistakes/shares.py", "shares", "`no_mistake` must lose points")


def test_a_right_variant_that_loses_points_is_named(tmp_path):
    lost = '\n\n@right(why="it is not")\ndef not_right(x):\n    return x * 2 / x.sum()\n'
    done = verified(tmp_path, {"solutions/01_tiny/rights/shares.py": RIGHTS + lost})
    unmet(done, "tests/hidden/01_tiny/test_shares.py", "shares", "`not_right` must get every point")


def test_a_hidden_check_that_no_mistake_fails_is_named_unless_it_says_what_it_guards(tmp_path):
    without = {"solutions/01_tiny/mistakes/shares.py": MISTAKES}
    done = verified(tmp_path / "bare", without)
    unmet(done, "tests/hidden/01_tiny/test_shares.py", "shares", "shares.input_unchanged")
    guarded = HIDDEN_SHARES.replace('check("purity",', 'check("purity", guard="Against a later slip.",')
    done = verified(tmp_path / "guarded", without | {"tests/hidden/01_tiny/test_shares.py": guarded})
    assert done.returncode == 0, done.stdout


def test_a_mutant_that_survives_is_named_until_it_is_declared_equivalent(tmp_path):
    source = PROVEN_SOURCE.replace("return x / whole", "return x / (whole + 0 * 5)")
    done = verified(tmp_path / "bare", {"solutions/01_tiny/tiny.py": source})
    unmet(done, "tests/hidden/01_tiny/test_shares.py", "shares", "'return x / (whole - 0 * 5)' keeps them all")
    assert "or be listed in solutions/01_tiny/equivalent.toml with the reason" in done.stdout
    line = 'exercise = "shares"\nline = "return x / (whole + 0 * 5)"\nwhy = "Nothing is added."\n'
    declared = "\n".join(
        f'[[equivalent]]\n{line}mutant = "return x / (whole {changed})"\n'
        for changed in ("- 0 * 5", "+ 0 / 5", "+ 0 * 6")
    )
    listed = {"solutions/01_tiny/tiny.py": source, "solutions/01_tiny/equivalent.toml": declared}
    done = verified(tmp_path / "listed", listed)
    assert done.returncode == 0, done.stdout
    stale = declared + f'[[equivalent]]\n{line}mutant = "return x"\n'
    done = verified(tmp_path / "stale", listed | {"solutions/01_tiny/equivalent.toml": stale})
    unmet(done, "solutions/01_tiny/equivalent.toml", "shares", "None is 'return x' any more")


def test_fingerprints_that_are_out_of_step_are_named(tmp_path):
    done = verified(tmp_path, record=False)
    unmet(done, "solutions/01_tiny/fingerprints.json", "shares", "divided_in_place")


def test_a_verdict_that_hangs_on_the_drawn_inputs_is_named(tmp_path):
    moody = HIDDEN_SHARES.replace(
        "    for length in (1, 4, 9):",
        "    if draw.choice((True, False)):\n        return\n    for length in (1, 4, 9):",
    )
    assert moody != HIDDEN_SHARES
    done = verified(tmp_path, {"tests/hidden/01_tiny/test_shares.py": moody}, "--secrets", "2", "--all")
    assert done.returncode == 1
    assert "The verdict of `shares.random_shares` must depend on the answer alone." in done.stdout


def test_every_other_secret_is_graded_with_checks_that_ask_alone(tmp_path, monkeypatch):
    (tmp_path / "course").mkdir()
    asked_together, seen, usual = tmp_path / "asked-together", [], suites.run_together

    def run_together(run, bodies):
        if bodies:
            asked_together.touch()  # a file, since it is a forked process that grades
        usual(run, bodies)

    def grade_texts(*arguments, **options):
        asked_together.unlink(missing_ok=True)
        trial = trials.grade_texts(*arguments, **options)
        seen.append(asked_together.exists())
        return trial

    monkeypatch.setattr(suites, "run_together", run_together)
    for module in (proof_rules, repeat_runs):
        monkeypatch.setattr(module, "grade_texts", grade_texts)
    assert verified(tmp_path / "course", None, "--secrets", "2").returncode == 0
    assert seen[0], seen
    assert seen[-2:] == [False, True]


def test_a_right_variant_that_fails_off_the_cpu_is_named(tmp_path):
    on_cpu = """import torch\n\nfrom grader.course.variants import right\n\n
@right(why="a product with ones")
def by_ones(x):
    return x / (torch.ones(len(x)) * x).sum()
"""
    done = verified(tmp_path / "course", {"solutions/01_tiny/rights/shares.py": on_cpu})
    assert done.returncode == 0, done.stdout
    done = grader(tmp_path / "course", "verify", "--device", "pretended")
    unmet(done, "tests/hidden/01_tiny/test_shares.py", "shares", "The right variant `by_ones` must get every point on")
    assert done.stdout.splitlines()[-1].endswith("Only right answers on the device pretended were graded.")


def test_what_is_about_mistakes_is_refused_together_with_a_device(tmp_path):
    done = verified(tmp_path, None, "--device", "pretended", build=False)
    assert done.returncode == 2 and "Give them without --device." in done.stderr


def test_an_unknown_assignment_is_refused_with_a_sentence(tmp_path):
    done = verified(tmp_path, None, "--assignment", "02_tiny", build=False)
    assert done.returncode == 2
    assert "no assignment `02_tiny`" in done.stderr


@pytest.mark.parametrize(
    ("line", "mutated"),
    [
        ("return a @ b / 2", "return a * b / 2"),
        ("return a - b", "return a + b"),
        ("return f(a, dim=1)", "return f(a)"),
        ("return f(a, dim=1)", "return f(a, dim=2)"),
        ("return f(a, b)", "return f(b, a)"),
        ("return a.clone()", "return a"),
        ("if a < b: return a", "if a <= b: return a"),
        ("if a: return b", "if not a: return b"),
        ("return a, b", "return b, a"),
        ("a += b", "pass"),
        ("return a.triu(1)", "return a.tril(1)"),
        ('return a + float("-inf")', 'return a + float("inf")'),
        ("return f(keepdim=True)", "return f(keepdim=False)"),
    ],
)
def test_a_mutant_is_the_text_with_one_slip_of_the_hand(line, mutated):
    text = f"def f(a, b):\n    ### BEGIN SOLUTION\n    {line}\n    ### END SOLUTION\n"
    assert text.replace(line, mutated) in [mutant.text for mutant in mutants_of(text)]


def test_nothing_outside_a_solution_region_is_mutated():
    text = "def f(a, b=1):\n    c = a + b\n    ### BEGIN SOLUTION\n    return c\n    ### END SOLUTION\n"
    assert mutants_of(text) == []


def test_a_stop_is_said_without_a_promise(tmp_path, monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("grader.verify.verify_course.verify_course", stopped)
    assert status(["verify", "--course", str(write_course(tmp_path))]) == 130
    assert capsys.readouterr().err.strip() == "grader: stopped."
