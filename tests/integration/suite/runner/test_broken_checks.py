"""A check that is itself broken is named with its file, its line and what to try; the solution is not blamed."""

import json

import pytest

from ....support.courses import HIDDEN_SHARES
from ...grading.test_grade_command import graded

pytestmark = pytest.mark.usefixtures("kept_jails")

FILE = "tests/hidden/01_tiny/test_shares.py"
CALL = "checks.inputs_unchanged(student.shares, draw.uniform(5) + 0.5)"


def ends_with_a_sentence(done, *words):
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "INTERNALERROR" not in done.stderr
    for word in words:
        assert word in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 4


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("(student, draw):", "(student, drow):", 15, ("'drow'", "Did you mean `draw`?")),
        (CALL, CALL.replace("student", "studnt"), 18, ("ends with NameError: name 'studnt'",)),
        (CALL, "assert 1 == 2", 18, ("own assertion fails: assert 1 == 2.",)),
    ],
)
def test_a_broken_check_is_one_sentence_with_its_file_line_and_name(tmp_path, old, new, line, words):
    assert old in HIDDEN_SHARES
    done = graded(tmp_path, replaced={FILE: HIDDEN_SHARES.replace(old, new)})
    ends_with_a_sentence(done, f"{FILE}, line {line}: ", "test_input_unchanged", *words)
    assert "^^^" not in done.stderr and "site-packages" not in done.stderr
    assert not (tmp_path / "out" / "ann").exists()


def test_a_misspelt_argument_of_check_is_named_with_the_line(tmp_path):
    done = graded(tmp_path, replaced={FILE: HIDDEN_SHARES.replace("weight=2", "wieght=2")})
    ends_with_a_sentence(done, f"{FILE}, line 8: ", "unexpected keyword argument 'wieght'.")


def test_an_unknown_figure_is_named_with_the_line_that_asks_and_the_nearest(tmp_path):
    figure = {"id": "N0 In[8]", "note": "N0", "cell": "In[8]", "kind": "exact", "exercise": "shares", "what": "a"}
    asking = HIDDEN_SHARES.replace("(student, draw):", "(student, draw, golden):").replace(CALL, "golden('N0 In[88]')")
    replaced = {FILE: asking, "tests/golden/N0.json": json.dumps([{**figure, "value": "1"}])}
    done = graded(tmp_path, replaced=replaced)
    ends_with_a_sentence(done, f"{FILE}, line 18: ", "no figure 'N0 In[88]'", "mean `N0 In[8]`?")
