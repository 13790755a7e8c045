"""`grader verify` passes a proven course and names the first rule that is not met, with its file and exercise."""

import ast
import os
from contextlib import nullcontext

import pytest

from grader.verify.mutate import mutants_of

from ...support.command_line import run_here
from ...support.courses import HIDDEN_SHARES, HINT_LEVELS, MISTAKES, SOURCE, VISIBLE, write_course


@pytest.fixture(autouse=True)
def no_jail(monkeypatch):
    """Nothing is graded here: what is found is found before."""
    monkeypatch.setattr("grader.verify.trial.one_jail", lambda *_: nullcontext())


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
    return run_here("--course", root, *arguments)


def verified(root, replaced=None, *arguments, build=True):
    """Write a course of which every rule but what is replaced is met, and verify it."""
    write_course(root, PROVEN | (replaced or {}))
    if build:
        assert grader(root, "build").returncode == 0
    return grader(root, "verify", *arguments)


def unmet(done, file, exercise, words):
    assert done.returncode == 1, done.stdout + done.stderr
    first = done.stdout.splitlines()[0]
    assert first.startswith(f"{file}, {exercise}:" if exercise else f"{file}:"), done.stdout
    assert words in first


def test_a_file_out_of_step_is_named_before_anything_runs(tmp_path):
    done = verified(tmp_path, build=False)
    unmet(done, "assignments/01_tiny/tiny.py", "", "in step")


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
        assert main.main(["--course", str(tmp_path), "verify"], standalone_mode=False) == 0
    assert seen[0] == seen[1] is not None
    assert seen[2] == "a secret of the teacher's that is long enough"


def test_marks_that_nobody_knows_are_refused_with_the_nearest(tmp_path):
    marked = PROVEN["solutions/01_tiny/mistakes/shares.py"].replace("ko=", 'marks="slips", ko=', 1)
    done = grader(write_course(tmp_path, {**PROVEN, "solutions/01_tiny/mistakes/shares.py": marked}), "build")
    assert done.returncode == 2
    assert "the unknown marks 'slips'" in done.stderr and "slip" in done.stderr


def test_a_mutant_is_the_text_with_one_slip_of_the_hand(subtests):
    for line, mutated in [
        ("return a @ b / 2", "return a * b / 2"),
        ("return a - b", "return a + b"),
        ("return f(a, dim=1)", "return f(a)"),
        ("return f(a, dim=1)", "return f(a, dim=2)"),
        ("return f(a, b)", "return f(b, a)"),
        ("return a.clone()", "return a"),
        ("if a < b: return a", "if a <= b: return a"),
        ("if 0 < a < b: return a", "if 0 < a <= b: return a"),
        ("if a: return b", "if not a: return b"),
        ("return a, b", "return b, a"),
        ("a += b", "pass"),
        ("return a.triu(1)", "return a.tril(1)"),
        ('return a + float("-inf")', 'return a + float("inf")'),
        ("return f(keepdim=True)", "return f(keepdim=False)"),
        ("return f(dim=1, keepdim=True)", "return f(keepdim=True)"),
        ("return (a + b).sum()", "return (a + b)"),
        ("return (f(a) +  # why\n        b)", "return (f(a) -  # why\n        b)"),
        ("return a if b is None else 2", "return a if b is not None else 2"),
        ("return a and not b", "return a or not b"),
        ('return f("가", a**b)', 'return f("가", a*b)'),
    ]:
        with subtests.test(line=line, mutated=mutated):
            text = f"def f(a, b):\n    ### BEGIN SOLUTION\n    {line}\n    ### END SOLUTION\n"
            wanted = ast.unparse(ast.parse(text.replace(line, mutated)))
            assert wanted in mutants_of(text)


@pytest.mark.parametrize(
    ("before", "line"),
    [("c = a + b", "return c"), ("", "return a[b, a]"), ("", "return f(a, device=b)"), ("", 'return f"{a - b}"')],
)
def test_nothing_is_mutated_outside_a_solution_region_nor_where_it_would_change_nothing(before, line):
    text = f"def f(a, b=1):\n    {before}\n    ### BEGIN SOLUTION\n    {line}\n    ### END SOLUTION\n"
    assert [text for text, (_, mutated) in mutants_of(text).items() if mutated != "return a"] == []
