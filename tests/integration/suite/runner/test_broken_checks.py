"""A check that is itself broken is named with its file, its line and what to try; the solution is not blamed."""

import re

import pytest

from ....support.courses import HIDDEN_SHARES
from ....support.exercises.small_suites import ONE_EACH
from ....unit.suite.runner.test_plugin import RIGHT
from ...grading.test_grade_command import ends_with_a_sentence, graded

pytestmark = pytest.mark.usefixtures("kept_jails")

FILE = "tests/hidden/01_tiny/test_shares.py"
CALL = "checks.inputs_unchanged(student.shares, draw.uniform(5) + 0.5)"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("(student, draw):", "(student, drow):", 15, ("'drow'", "Did you mean `draw`?")),
        (CALL, CALL.replace("student", "studnt"), 18, ("ends with NameError: name 'studnt'",)),
        (CALL, CALL.replace("_unchanged", "_unchangd"), 18, ("ends with AttributeError", "inputs_unchangd")),
        (CALL, "assert 1 == 2", 18, ("own assertion fails: assert 1 == 2.",)),
        (CALL, "checks.close(draw.normal(3), draw.normal(3))", 18, ("3 of 3 entries differ",)),
        (CALL, CALL.replace("shares", "sharez"), 18, ("sharez is not defined in tiny.py.",)),
    ],
)
def test_a_broken_check_is_one_sentence_with_its_file_line_and_name(tmp_path, old, new, line, words):
    assert old in HIDDEN_SHARES
    done = graded(tmp_path, replaced={FILE: HIDDEN_SHARES.replace(old, new)})
    ends_with_a_sentence(done, 2, f"{FILE}, line {line}: ", "test_input_unchanged", *words)
    assert "^^^" not in done.stderr and "site-packages" not in done.stderr


def test_a_misspelt_argument_of_check_is_named_with_the_nearest(tmp_path):
    done = graded(tmp_path, replaced={FILE: HIDDEN_SHARES.replace("weight=2", "wieght=2")})
    ends_with_a_sentence(done, 2, f"{FILE}, line 8: ", "`check` has no argument `wieght`. Did you mean `weight`?")


def test_an_unknown_figure_is_named_with_the_line_that_asks_and_the_nearest(graded, monkeypatch):
    from grader.suite.core import fixtures

    near = {"N0 In[8]": None}
    monkeypatch.setattr(
        fixtures, "unknown_figure_error", lambda name, _, tell=fixtures.unknown_figure_error: tell(name, near)
    )
    monkeypatch.setattr(fixtures.AssignmentContext, "__post_init__", lambda self: setattr(self, "reference", object()))
    suite = ONE_EACH.replace("(student)", "(student, golden)").replace("student.first()", "golden('N0 In[88]')")
    raised = graded(suite, RIGHT)["first.first"].suite_raised
    assert re.search(r"test_all\.py, line 9: .*no figure 'N0 In\[88\]'.*mean `N0 In\[8\]`\?", raised)
