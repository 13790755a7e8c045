"""A complete tiny course for the kit's tests: one assignment, a function and a module, their suites and their mistakes.

`small_course(folder)` writes it and returns it opened. Any file can be replaced or, with None, left out:
`small_course(folder, {"solutions/01_tiny/mistakes/shares.py": None})`. `hand_in` lays down a submission in a class.
`files_as(id)` are the files of the same assignment under another name, for a course of two.
"""

from collections.abc import Mapping
from pathlib import Path

from grader.course.layout import Course, find_course
from grader.release.build import build

ASSIGNMENT = "01_tiny"

SOLUTION_CELL = '"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false'
CHECK_CELL = '"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false'
SHARES = (
    '"title": "Shares of a whole", "title_ko": "전체에서의 비율", "difficulty": 1, "minutes": 5, '
    '"source": "N0 In[7]", "forbids": ["softmax"]'
)
SHIFT = (
    '"title": "Shift | by a parameter", "title_ko": "매개변수만큼 옮기기", "difficulty": 2, "minutes": 10, '
    '"source": "N2 In[24]"'
)

SOURCE = f'''\
# %% [markdown]
# # Tiny steps
#
# Two exercises, small enough to read at once.

# %%
import torch
from torch import nn

from grader import check

# %% nbgrader={{{SOLUTION_CELL}, "grade_id": "shares"}} exercise={{{SHARES}}}
def shares(x):
    """Divide every entry by the sum of all.

    Args:
        x: Tensor (T,), whose sum is not 0.

    Returns:
        Tensor (T,).
    """
    ### BEGIN SOLUTION
    whole = x.sum()
    return x / whole
    ### END SOLUTION


# %% nbgrader={{{CHECK_CELL}, "points": 2, "grade_id": "shares-check"}}
check("shares")

# %% [markdown]
# Now with a parameter.

# %% nbgrader={{{SOLUTION_CELL}, "grade_id": "Shift"}} exercise={{{SHIFT}}}
class Shift(nn.Module):
    """Add a learned number to every feature.

    Args:
        d: Number of features; the parameter `beta` has the shape (d,) and begins at 0.
    """

    def __init__(self, d):
        super().__init__()
        ### BEGIN SOLUTION
        self.beta = nn.Parameter(torch.zeros(d))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return x + self.beta  # (..., d)
        ### END SOLUTION


# %% nbgrader={{{CHECK_CELL}, "points": 3.5, "grade_id": "Shift-check"}}
check("Shift")
'''

VISIBLE = '''\
"""What students can run themselves."""

import torch

from grader.suite import checks, exercise

shares = exercise("shares")
Shift = exercise("Shift")


@shares.check("value", weight=1, ko="1, 1, 2를 전체에 대한 비율로 바꾼다.")
def test_quarters(student):
    """The entries 1, 1, 2 become a quarter, a quarter and a half."""
    checks.close(student.shares(torch.tensor([1.0, 1.0, 2.0])), torch.tensor([0.25, 0.25, 0.5]))


@Shift.check("value", weight=1, ko="처음에는 아무것도 옮기지 않는다.")
def test_starts_at_zero(student):
    """A new module shifts nothing."""
    checks.close(student.Shift(2)(torch.ones(3, 2)), torch.ones(3, 2))
'''

ONE_ENTRY = '''

@shares.check("value", weight=1, ko="값이 하나면 전체이다.")
def test_one_entry(student):
    """A single entry is the whole."""
    checks.close(student.shares(torch.tensor([3.0])), torch.tensor([1.0]))
'''

HIDDEN_SHARES = '''\
"""Hidden checks of shares."""

from grader.suite import checks, exercise

shares = exercise("shares")


@shares.check("value", weight=2, ko="여러 길이의 입력에서 합으로 나눈다.")
def test_random_shares(student, reference, draw):
    """Random entries of several lengths are divided by their sum."""
    for length in (1, 4, 9):
        checks.matches(student.shares, reference.shares, draw.uniform(length) + 0.5)


@shares.check("purity", weight=1, needs=("test_random_shares",), ko="입력을 바꾸지 않는다.")
def test_input_unchanged(student, draw):
    """The input is left as it was."""
    checks.inputs_unchanged(student.shares, draw.uniform(5) + 0.5)
'''

HIDDEN_SHIFT = '''\
"""Hidden checks of Shift."""

from grader.suite import checks, exercise

Shift = exercise("Shift")


@Shift.check("value", weight=2, ko="매개변수를 더한다.")
def test_adds_the_parameter(student, draw):
    """The parameter beta is added to every row."""
    x, beta = draw.normal(4, 3), draw.normal(3)
    module = student.Shift(3)
    module.load({"beta": beta})
    checks.close(module(x), x + beta)
'''

MISTAKES = '''\
"""Answers that students might write."""

from grader.course.variants import helper, mistake, solution


@mistake(hint="Divide by the sum, not by the largest entry.", ko="가장 큰 값이 아니라 합으로 나누세요.")
def divided_by_largest(x):
    return x / x.max()


@mistake(hint="Divide only once.", ko="한 번만 나누세요.")
def divided_twice(x):
    return solution.shares(x) / x.sum()
'''

MISTAKES_OF_SHIFT = '''\
"""Modules that students might write."""

from grader.course.variants import mistake, solution


@mistake(
    hint="Add the parameter instead of taking it away.",
    ko="빼지 말고 더하세요.",
)
class subtracted(solution.Shift):
    def forward(self, x):
        return x - self.beta
'''

RIGHTS = '''\
"""Right answers in other styles."""

import torch

from grader.course.variants import helper, right


@helper
def total(x):
    return sum(x[i] for i in range(x.shape[0]))


@right(why="a loop for the sum")
def looped(x):
    return x / total(x)


as_lambda = right(why="a lambda")(lambda x: torch.div(x, x.sum()))
'''

RIGHTS_OF_SHIFT = '''\
"""Right modules in other styles."""

import torch
from torch import nn

from grader.course.variants import right


@right(why="torch.add")
class by_function(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return torch.add(x, self.beta)
'''

HANDOUT = "# {{ title }}\n\nThe formula is $x_i / \\sum_{j} x_{j}$.\n\n{{ exercises }}\n"
HANDOUT_KO = "# 작은 걸음\n\n식은 $x_i / \\sum_{j} x_{j}$ 입니다.\n\n{{ exercises }}\n"

FILES = {
    "solutions/01_tiny/tiny.py": SOURCE,
    "solutions/01_tiny/mistakes/shares.py": MISTAKES,
    "solutions/01_tiny/mistakes/Shift.py": MISTAKES_OF_SHIFT,
    "solutions/01_tiny/rights/shares.py": RIGHTS,
    "solutions/01_tiny/rights/Shift.py": RIGHTS_OF_SHIFT,
    "solutions/01_tiny/handout.md": HANDOUT,
    "solutions/01_tiny/handout.ko.md": HANDOUT_KO,
    "tests/visible/test_tiny.py": VISIBLE,
    "tests/hidden/01_tiny/test_shares.py": HIDDEN_SHARES,
    "tests/hidden/01_tiny/test_Shift.py": HIDDEN_SHIFT,
    "tests/golden/N9.json": "[]\n",
}


def files_as(assignment: str) -> dict[str, str]:
    """Return the tiny assignment's files, text by path, under another id such as `02_again`."""
    file = f"{assignment.partition('_')[2]}.py"
    return {path.replace(ASSIGNMENT, assignment).replace("tiny.py", file): text for path, text in FILES.items()}


def contents(folder: Path) -> dict[Path, bytes]:
    """Return the bytes of every file below a folder by its path, but for what Python compiled."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder): path.read_bytes() for path in files}


def write_course(root: Path, replaced: Mapping[str, str | None] | None = None) -> Path:
    """Write the tiny course into `root` without opening it.

    Args:
        root: A folder; it is made if need be.
        replaced: Texts by path that differ from the tiny course's own, or None to leave a file out.

    Returns:
        The root.
    """
    return write_files(root, {**FILES, **(replaced or {})})


def write_files(root: Path, files: Mapping[str, str | None]) -> Path:
    """Write texts by path into `root`, but for those that are None; return the root."""
    for name, text in files.items():
        if text is not None:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return root


def small_course(root: Path, replaced: Mapping[str, str | None] | None = None) -> Course:
    """Write the tiny course into `root` and open it; see `write_course`."""
    return find_course(write_course(root, replaced))


def student_folder(root: Path, replaced: Mapping[str, str | None] | None = None) -> Path:
    """Write and build the tiny course with two visible checks of shares; return what students get of it."""
    course = small_course(root, {"tests/visible/test_tiny.py": VISIBLE + ONE_ENTRY, **(replaced or {})})
    build(course)
    return course.assignments[ASSIGNMENT].released


def hand_in(class_folder: Path, student: str, text: str, *, assignment: str = ASSIGNMENT, suffix: str = ".py") -> Path:
    """Write a student's file of an assignment into a class and return its path."""
    path = class_folder / student / assignment / f"{assignment.partition('_')[2]}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


LEVELS = ("where", "idea", "nearly")
HINT_LEVELS = "[shares]\n" + "".join(
    f'{level}{ending} = "{text} {level}."\n' for ending, text in (("", "This is"), ("_ko", "힌트")) for level in LEVELS
)
"""Hints of `shares` in three levels, for `solutions/01_tiny/hints.toml`."""
