"""At depth only the very file that was asked for counts, in one place, and never one of several people's."""

import pytest

from ...support.submission_folders import ONE
from .trees import MOODLE, SA, STUB, Case, code, graded

CANVAS: dict[str, object] = {f"stu{n}_{n}_10{n}_{SA}": code("stu3") if n == 3 else STUB for n in range(5)}
MOODLES: dict[str, object] = {f"Ann{MOODLE}{SA}": code("ann"), "Bob_2_assignsubmission_file_/r.pdf": ""}

READ = {
    "a download from Canvas in an assignment's folder": Case(
        {f"c/01/{ONE}/dl.zip": CANVAS, f"c/bob/{SA}": code("bob")}, {"01 1": None, "bob 1": "bob"}, ("c",)
    ),
    "a download in a student's folder": Case(
        {"hw1/dl.zip": MOODLES, f"bob/{SA}": code("bob")}, {"bob 1": "bob", "hw1 1": None}, options={"assignment": ONE}
    ),
    "a download's folders as a student's": Case(
        {f"hw1/{name}": held for name, held in MOODLES.items()} | {f"bob/{SA}": code("bob")},
        {"bob 1": "bob", "hw1 1": None}, options={"assignment": ONE},
    ),
    "one file of another name": Case(
        {"ann/x/simple_attention_v2.py": code("ann"), f"bob/{SA}": code("bob")}, {"ann 1": None, "bob 1": "bob"}
    ),
    "one place": Case({f"ann/x/y/{SA}": code("ann"), f"bob/{SA}": code("bob")}, {"ann 1": "ann", "bob 1": "bob"}),
    "one file twice": Case(
        {f"ann/x/{SA}": code("ann"), f"ann/x/y/{SA}": code("ann"), f"bob/{SA}": code("bob")},
        {"ann 1": None, "bob 1": "bob"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_at_depth_a_file_counts_only_where_it_can_be_only_one_persons(tmp_path, case):
    assert graded(case, tmp_path) == case.wanted
