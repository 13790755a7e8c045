"""The stub is the source without its solution regions, and no slip in a marker lets an answer through."""

from pathlib import Path

import pytest

from grader.course.content.exercises import read_exercises
from grader.course.content.percent_format import split_cells
from grader.course.handed_out.stub import make_stub
from grader.errors import CourseError

from ...support.courses import SOURCE

PATH = Path("solutions/01_tiny/tiny.py")


def stub_of(text):
    return make_stub(text, read_exercises(split_cells(text, PATH), text, PATH), PATH)


def test_every_line_outside_the_regions_stays():
    outside, inside = [], False
    for line in SOURCE.split("\n"):
        inside = inside or "BEGIN SOLUTION" in line
        if not inside:
            outside.append(line)
        inside = inside and "END SOLUTION" not in line
    made = ("# YOUR CODE HERE", "raise NotImplementedError(")
    assert [line for line in stub_of(SOURCE).split("\n") if not line.strip().startswith(made)] == outside


def test_stub_tells_in_python_that_nothing_is_written():
    namespace = {}
    text = stub_of(SOURCE).replace("from grader import check", "check = print")
    exec(compile(text, "tiny.py", "exec"), namespace)
    with pytest.raises(NotImplementedError, match="shares is not written yet"):
        namespace["shares"](None)
    with pytest.raises(NotImplementedError, match="Shift is not written yet"):
        namespace["Shift"](3)


BROKEN = {
    "not closed": ("    ### END SOLUTION\n\n\n# %% nbg", "\n\n# %% nbg", 22),
    "never closed": ("        ### END SOLUTION\n\n\n", "\n\n", 49),
    "never opened": ("    ### BEGIN SOLUTION\n    whole", "    whole", 24),
    "begun twice": ("    return x / whole", "    ### BEGIN SOLUTION", 22),
    "outside": ("import torch\n", "import torch\n### BEGIN SOLUTION\n", 8),
    "in markdown": ("# Now with", "# ### BEGIN SOLUTION\n# Now with", 32),
    "empty": ("    whole = x.sum()\n    return x / whole\n", "\n", 22),
    "small letters": ("### END SOLUTION\n\n\n# %% nbg", "### End Solution\n\n\n# %% nbg", 25),
    "two signs": ("### BEGIN SOLUTION\n    whole", "## BEGIN SOLUTION\n    whole", 22),
}


def test_broken_region_is_refused_with_its_line(subtests, refuses):
    for case in BROKEN:
        with subtests.test(case=case):
            old, new, line = BROKEN[case]
            assert old in SOURCE
            with refuses(CourseError) as caught:
                stub_of(SOURCE.replace(old, new, 1))
            assert f"01_tiny/tiny.py, line {line}: " in str(caught.value)


def test_region_outside_a_function_is_refused(refuses):
    text = SOURCE.replace("def shares(x):", "### BEGIN SOLUTION\nHALF = 0.5\n### END SOLUTION\n\n\ndef shares(x):")
    with refuses(CourseError):
        stub_of(text)


def test_exercise_without_a_region_is_refused(refuses):
    lines = [line for line in SOURCE.split("\n") if line not in ("    ### BEGIN SOLUTION", "    ### END SOLUTION")]
    with refuses(CourseError):
        stub_of("\n".join(lines))
