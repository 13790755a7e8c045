"""Variants are read as functions and as whole submissions, and both forms mean the same answer."""

import sys
from types import ModuleType

import pytest
import torch

from grader.course.run_source import load_solution
from grader.course.variants.read_variants import build_submission, load_variants
from grader.errors import CourseError

from ...support.courses import RIGHTS, SOURCE, small_course

FILE = "solutions/01_tiny/mistakes/shares.py"
RIGHT_FILE = "solutions/01_tiny/rights/shares.py"
WITHOUT = dict.fromkeys(
    f"solutions/01_tiny/{kind}/{name}.py" for kind in ("mistakes", "rights") for name in ("shares", "Shift")
)


@pytest.fixture
def tiny(tmp_path):
    return small_course(tmp_path).assignments["01_tiny"]


def named(assignment, name):
    (variant,) = (variant for variant in load_variants(assignment).all if variant.name == name)
    return variant


def run_as_student(text, monkeypatch):
    """Run the text of a submission as the worker does: as a module of its own, with a `grader` that does nothing."""
    shim = ModuleType("grader")
    shim.check = lambda *_: None
    monkeypatch.setitem(sys.modules, "grader", shim)
    module = ModuleType("tiny")
    exec(compile(text, "tiny.py", "exec"), vars(module))
    return module


def test_solution_is_loaded_without_its_check_cells(tmp_path):
    text = SOURCE.replace("from grader import check", "check = 0  # which cannot be called")
    course = small_course(tmp_path, {"solutions/01_tiny/tiny.py": text})
    module = load_solution(course.assignments["01_tiny"])
    assert torch.equal(module.shares(torch.tensor([1.0, 3.0])), torch.tensor([0.25, 0.75]))
    assert module.Shift(2).beta.shape == (2,)


def test_solution_that_fails_is_refused_with_its_own_line(tmp_path, refuses):
    text = SOURCE.replace("from torch import nn\n", "from torch import nn\n\ntorch.nothing()\n")
    assignment = small_course(tmp_path, {"solutions/01_tiny/tiny.py": text}).assignments["01_tiny"]
    with refuses(CourseError):
        load_solution(assignment)


def test_variants_come_in_order_with_what_their_author_says(tiny):
    variants = load_variants(tiny)
    assert [variant.name for variant in variants.mistakes] == ["divided_by_largest", "divided_twice", "subtracted"]
    assert [variant.name for variant in variants.rights] == ["looped", "as_lambda", "by_function"]
    first = named(tiny, "divided_by_largest")
    assert (first.exercise, first.hint) == ("shares", "Divide by the sum, not by the largest entry.")
    assert (first.ko, first.why) == ("가장 큰 값이 아니라 합으로 나누세요.", "")
    assert named(tiny, "as_lambda").why == "a lambda"
    assert [variant.name for variant in variants.mistakes_of("Shift")] == ["subtracted"]


def test_variant_can_be_called_after_reading(tiny):
    x = torch.tensor([1.0, 3.0])
    for name, times in (("divided_by_largest", 3), ("divided_twice", 16), ("looped", 4)):
        assert torch.equal(named(tiny, name).make(x), x / times)
    assert torch.equal(named(tiny, "subtracted").make(2)(x), x)


def test_an_exercise_may_have_a_second_file_of_mistakes_which_takes_helpers_from_the_first(tmp_path):
    helper = "@helper\ndef half(x):\n    return x / 2\n\n\n"
    more = IMPORT + "from .shares import half\n\n\n" + ONE.replace("return x", "return half(x)")
    assignment = small_course(tmp_path, {FILE: IMPORT + helper + ONE.replace("wrong", "first"),
                                         FILE.replace(".py", ".more.py"): more}).assignments["01_tiny"]  # fmt: skip
    first, wrong = load_variants(assignment).mistakes_of("shares")
    assert wrong.make(4) == 2 and not first.helpers
    assert "return x / 2" in build_submission(assignment, wrong)


def test_mistakes_are_read_where_no_right_variants_lie_and_none_where_no_file_lies(tmp_path):
    """Mistakes explain answers; right variants prove a suite only."""
    for kind, kinds in (("rights", ["mistake"] * 3), ("", [])):
        files = {name: None for name in WITHOUT if kind in name}
        assignment = small_course(tmp_path / f"no {kind}", files).assignments["01_tiny"]
        assert [variant.kind for variant in load_variants(assignment).all] == kinds


@pytest.mark.parametrize("name", ["divided_twice", "as_lambda"])
def test_submission_of_a_variant_answers_as_the_variant_does(tiny, monkeypatch, name):
    x = torch.tensor([1.0, 2.0, 5.0])
    variant = named(tiny, name)
    module = run_as_student(build_submission(tiny, variant), monkeypatch)
    assert torch.equal(module.shares(x), variant.make(x))
    assert torch.equal(module.Shift(3)(x), x)


@pytest.mark.parametrize(("name", "expected"), [("subtracted", -1.0), ("by_function", 1.0)])
def test_submission_of_a_class_variant_answers_as_the_variant_does(tiny, monkeypatch, name, expected):
    module = run_as_student(build_submission(tiny, named(tiny, name)), monkeypatch)
    layer = module.Shift(2)
    torch.nn.init.ones_(layer.beta)
    assert torch.equal(layer(torch.zeros(2)), torch.full((2,), expected))


def test_submission_holds_the_variant_alone_unless_it_builds_on_the_solution(tiny):
    text = build_submission(tiny, named(tiny, "looped"))
    assert "def total(x):" in text
    assert "def shares(" not in text
    assert "class Shift(" in text
    assert text.endswith("shares = looped\n")
    text = build_submission(tiny, named(tiny, "divided_twice"))
    assert "def shares(" in text
    assert "def total(" not in text


ONE = '@mistake(hint="h", ko="k")\ndef wrong(x):\n    return x\n'
IMPORT = "from grader.course.variants import helper, mistake, right, solution\n"
BROKEN = {
    "no hint": (IMPORT + ONE.replace('hint="h"', 'hint=" "'), 3),
    "misspelt mark": (IMPORT + ONE.replace("@mistake", "@mistke"), 3),
    "same name twice": (IMPORT + ONE + ONE, 6),
    "name of an exercise": (IMPORT + ONE.replace("wrong", "Shift"), 3),
    "unmarked function": (IMPORT + "def half(x):\n    return x / 2\n", 2),
    "name from nowhere": (IMPORT + ONE.replace("return x", "return halve(x)"), 3),
    "import from the course": ("from .tiny import shares\n" + IMPORT + ONE, 1),
    "import from the kit": ("import grader.errors\n" + IMPORT + ONE, 1),
    "no variant at all": (IMPORT + "x = mistake(hint='h', ko='k')(3)\n", 2),
    "right among mistakes": (IMPORT + "@right(why='w')\ndef well(x):\n    return x\n", 3),
    "fails": (IMPORT + "import torch\nEPS = helper(torch.nothing)\n", 3),
    "not Python": (IMPORT + "def\n", 2),
}


def test_broken_file_of_mistakes_is_refused_with_file_line_and_reason(subtests, tmp_path, refuses):
    for case in BROKEN:
        with subtests.test(case=case):
            text, line = BROKEN[case]
            assignment = small_course(tmp_path / case, {FILE: text}).assignments["01_tiny"]
            with refuses(CourseError) as caught:
                load_variants(assignment)
            assert f"{FILE}, line {line}: " in str(caught.value)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("mistakes/share.py", IMPORT),
        ("mistakes/shares.more.py", IMPORT + "from .shares import halve\n" + ONE),
        ("mistakes.py", IMPORT),
        ("mistakes/shares.py", IMPORT + ONE.replace("wrong", "subtracted")),
        ("rights/shares.py", RIGHTS.replace('why="a lambda"', 'why=""')),
    ],
    ids=[
        "unknown exercise",
        "helper that the first file lacks",
        "old mistakes",
        "name of another",
        "no reason",
    ],
)
def test_file_that_breaks_a_rule_among_files_is_refused(tmp_path, file, text, refuses):
    assignment = small_course(tmp_path, {f"solutions/01_tiny/{file}": text}).assignments["01_tiny"]
    with refuses(CourseError):
        load_variants(assignment)


def test_helper_may_be_repeated_in_files_but_only_as_it_is(tmp_path, refuses):
    half = "@helper\ndef half(x):\n    return x / 2\n\n"
    right = half + "@right(why='w')\ndef well(x):\n    return x / x.sum() + half(x) * 0\n"
    wrong = half + ONE.replace("return x", "return half(x)")
    assignment = small_course(tmp_path / "a", {FILE: IMPORT + wrong, RIGHT_FILE: IMPORT + right}).assignments["01_tiny"]
    assert named(assignment, "well").helpers == ("def half(x):\n    return x / 2",)
    other = IMPORT + right.replace("x / 2", "x * 2")
    assignment = small_course(tmp_path / "b", {FILE: IMPORT + wrong, RIGHT_FILE: other}).assignments["01_tiny"]
    with refuses(CourseError):
        load_variants(assignment)


@pytest.mark.parametrize(
    ("helpers", "body", "result"),
    [
        ("EPS = helper(3)\n", "x + EPS", 5),
        (
            "@helper\ndef one():\n    return 1\n\n@helper\ndef two():\n    return one() + one()\n\n", "x * two()", 4,
        ),
    ],
    ids=["a constant", "a helper of a helper"],
)  # fmt: skip
def test_helpers_travel_with_their_variant(tmp_path, monkeypatch, helpers, body, result):
    text = IMPORT + helpers + ONE.replace("return x", f"return {body}")
    assignment = small_course(tmp_path, {FILE: text}).assignments["01_tiny"]
    module = run_as_student(build_submission(assignment, named(assignment, "wrong")), monkeypatch)
    assert module.shares(2) == result
