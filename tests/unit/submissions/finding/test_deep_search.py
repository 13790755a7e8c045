"""At depth only the very file that was asked for counts, in one place, and never one of several people's."""

import pytest

from ....support.submission_folders import FOUR, ONE, find, refused
from .trees import MHA, MOODLE, SA, STUB, Case, code, graded, lay

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
    "homes, as the teacher says": Case(
        {f"{who}/work/{SA}": code(who) for who in ("ann", "bob")} | {"cid/work/r.pdf": ""},
        {"ann 1": "ann", "bob 1": "bob", "cid 1": None}, options={"layout": "folders"},
    ),
    "a folder that is said to be one student's": Case(
        {f"work/submitted/{ONE}/{SA}": code("ann"), f"work/x/{SA}": STUB}, {"ann 1": "ann"},
        ("work",), {"student": "ann"},
    ),
    "a zip file that is said to be one student's": Case(
        {"x.zip": {f"hw1/{SA}": code("one"), f"hw4/{MHA}": code("four"), "r.md": ""}},
        {"ann 1": "one", "ann 4": "four"}, ("x.zip",), {"student": "ann"},
    ),
    "a junk list in one student's folder of homes": Case(
        {f"{who}/work/{SA}": code(who) for who in ("ann", "bob")} | {"bob/submission_metadata.yml": "junk"},
        {"ann 1": "ann", "bob 1": "bob"}, options={"layout": "folders"},
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


HOMES: dict[str, object] = {f"{who}/work/{SA}": code(who) for who in ("ann", "bob")}
ONE_EACH: dict[str, object] = {f"secA/ann/{SA}": code("ann"), "secA/bob/r.pdf": "", f"secB/cid/{SA}": code("cid")}
REFUSED = {
    "homes": Case(HOMES, "say --layout folders"),
    "sections with one each": Case(ONE_EACH, "secA'"),
    "sections with one assignment each": Case(
        {f"{sec}/{who}/{file}": "" for sec in "AB" for who, file in (("ann", SA), ("bob", MHA))}, "--layout folders"
    ),
    "assignments with one each": Case({f"{ONE}/ann/{SA}": "", f"{FOUR}/ann/{MHA}": ""}, "--student"),
    "an assignment with one file": Case({f"{ONE}/ann/{SA}": "", f"{ONE}/bob/r.pdf": ""}, "--student"),
    "a platform's folders with one each": Case(
        {f"HW1/Ann{MOODLE}{SA}": "", f"HW4/Ann{MOODLE}{MHA}": ""}, "give each of these by itself"
    ),
    "nbgrader's root with one student": Case({f"submitted/ann/{ONE}/{SA}": "", f"source/{ONE}/{SA}": ""}, "submitted'"),
    "nbgrader's downloads": Case(
        {f"downloaded/{ONE}/archive/ann_1_2_{SA}": "", f"release/{ONE}/{SA}": ""}, "downloaded'"
    ),
    "nbgrader's folder as a student": Case({f"ann/submitted/{ONE}/{SA}": ""}, "--student", ("ann/submitted",)),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_where_no_folder_has_its_work_in_its_place_somebody_has_to_say_whose_it_is(tmp_path, case):
    lay(tmp_path, case.tree)
    assert str(case.wanted) in refused(*(tmp_path / path for path in case.at), **case.options)


def test_a_courses_own_folders_are_not_students_and_are_named(tmp_path):
    lay(tmp_path, {f"ann/{SA}": code("ann"), **{f"{name}/{ONE}/{SA}": "" for name in ("solutions", "autograded")}})
    for layout in (None, "folders"):
        found = find(tmp_path, layout=layout)
        assert found.students == ["ann"]
        assert "'autograded', 'solutions'" in found.warnings[0]


def test_a_broken_zip_file_in_a_class_of_several_assignments_is_called_broken(tmp_path):
    lay(tmp_path, {"ann/hw.zip": "PK", f"bob/{SA}": code("bob"), f"cid/{MHA}": code("cid")})
    (warning,) = find(tmp_path).warnings
    assert "'ann' handed in 'hw.zip'" in warning and "could not be read: it is not a whole zip file" in warning
