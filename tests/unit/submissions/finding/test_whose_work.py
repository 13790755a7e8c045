"""Whose work is whose is never guessed: no student can change it, and what is not certain is refused."""

import os

import pytest

from grader.submissions.finding import deep
from grader.system import zip_files

from ....support.submission_folders import FOUR, ONE, find, refused
from .trees import BB, MHA, MOODLE, SA, STUB, Case, code, graded, lay, listed

SECTIONS: dict[str, object] = {
    f"secA/ann/{SA}": code("ann"), f"secA/bob/{SA}": STUB, f"secB/cid/{SA}": code("cid"), f"secB/dan/{SA}": STUB,
}  # fmt: skip
FIRST: dict[str, object] = {f"{ONE}/ann/{SA}": code("ann"), f"{ONE}/bob/{SA}": STUB}
OF_TWO: dict[str, object] = {f"ann/{SA}": code("ann"), f"bob/{SA}": code("bob")}

READ = {
    "sections that are named one by one": Case(
        SECTIONS, {"ann 1": "ann", "bob 1": "", "cid 1": "cid", "dan 1": ""}, ("secA", "secB")
    ),
    "unpacked downloads that are named one by one, with their assignment": Case(
        {f"sec{sec}/{who}_{SA}": code(who) for sec, who in (("A", "ann_1_2"), ("A", "bob_3_4"), ("B", "cid_5_6"))}
        | {"secB/dan_7_8_hw.zip": {SA: code("dan")}, "secB/eve_8_9_hw1.py": code("eve")},
        {"ann_1 1": "ann_1_2", "bob_3 1": "bob_3_4", "cid_5 1": "cid_5_6", "dan_7 1": "dan", "eve_8 1": "eve"},
        ("secA", "secB"), {"assignment": ONE},
    ),
    "a download beside a folder with a program": Case(
        {f"dl/ann_1_2_{SA}": code("ann"), "dl/bob_3_4_hw1.py": code("bob"), "scripts/mail.py": ""},
        {"ann_1 1": "ann", "bob_3 1": "bob"}, ("dl",), {"assignment": ONE},
    ),
    "assignments that are named one by one": Case(
        {**FIRST, f"{FOUR}/ann/{MHA}": code("ann4")}, {"ann 1": "ann", "ann 4": "ann4", "bob 1": ""}, (ONE, FOUR)
    ),
    "students' folders with several in one, as the teacher says": Case(
        {f"ann/a/{SA}": code("ann"), f"ann/b/{SA}": STUB, f"bob/a/{SA}": code("bob")},
        {"ann 1": "ann", "bob 1": "bob"}, options={"layout": "folders"},
    ),
    "a group's folder in a class": Case(
        {**OF_TWO, f"group/cid/{SA}": code("cid"), f"group/dan/{SA}": STUB},
        {"ann 1": "ann", "bob 1": "bob", "group 1": None},
    ),
    "a group's folder with one answer twice": Case(
        {**OF_TWO, f"group/cid/{SA}": code("cid"), "group/dan/simple_attention_v2.py": code("cid")},
        {"ann 1": "ann", "bob 1": "bob", "group 1": None},
    ),
    "one person's folders beside each other, as a platform says": Case(
        {f"Ann{MOODLE}a/{SA}": code("ann"), f"Ann{MOODLE}b/{SA}": STUB, f"Bob{MOODLE}{SA}": code("bob")},
        {"Ann_1_assignsubmission_file_ 1": "ann", "Bob_1_assignsubmission_file_ 1": "bob"},
    ),
    "a student's list of other folders": Case(
        {f"ann/{SA}": code("ann"), "ann/submission_metadata.yml": listed("../bob", of="ann"), f"bob/{SA}": code("bob")},
        {"ann 1": "ann"}, ("ann",),
    ),
    "a student's list in an assignment's folder": Case(
        {f"ann/{ONE}/submission_metadata.yml": listed("../../bob", of="ann"), f"ann/{ONE}/x": "", f"bob/{SA}": ""},
        {"ann 1": None}, (f"ann/{ONE}",),
    ),
    "a student's folder of another's name": Case(
        {f"ann/bob/{SA}": code("ann"), **{f"{who}/{SA}": code(who) for who in ("bob", "cid")}},
        {"ann 1": "ann"}, ("ann",),
    ),
    "a student's folders with names close to assignments'": Case(
        {f"ann/{ONE}/{SA}": code("ann")}
        | {f"ann/{name}/x/{MHA}": code("ann4") for name in ("04_multihead_attention", "4_multi_head_attention")},
        {"ann 1": "ann", "ann 4": None}, ("ann",),
    ),
    "a class in its course's folder": Case(
        {f"{of}/{ONE}/{SA}": "" for of in ("solutions", "assignments")} | {f"class/{n}": c for n, c in OF_TWO.items()},
        {"ann 1": "ann", "bob 1": "bob"}, ("class",),
    ),
    "a student's folders of others' names": Case(
        {f"ann/{who}/{SA}": code("ann") for who in ("bob", "cid")} | {f"bob/{SA}": "", f"cid/{ONE}/{SA}": ""},
        {"ann 1": None}, ("ann",),
    ),
    "a student's list in a class": Case(
        {f"ann/submission_1/{SA}": code("ann"), "ann/submission_metadata.yml": listed("submission_1"), **OF_TWO},
        {"ann 1": "ann", "bob 1": "bob"},
    ),
    "a list in Windows' lines, without addresses": Case(
        {f"submission_{n}/{SA}": code(str(n)) for n in (1, 2, 3)}
        | {"submission_metadata.yml": "".join(
            f"submission_{n}:\r\n  :submitters:\r\n  - :name: Kim\r\n    :email: {no}\r\n    :sid: null\r\n"
            for n, no in ((1, "null"), (2, "~"), (3, "")))},
        {"Kim_1 1": "1", "Kim_2 1": "2", "Kim_3 1": "3"},
    ),
    "two of one name in a group": Case(
        {f"submission_{n}/{SA}": code(str(n)) for n in (1, 2)}
        | {"submission_metadata.yml": listed("submission_1", of="\n  - :name: B") + listed("submission_2")},
        {"B_1 1": "1", "B_1 (2) 1": "1", "bob 1": "2"},
    ),
    "work on another assignment in Autolab": Case(
        {f"3_a@x.edu_{SA}": code("one"), "1_multi_a@x.edu_head_attention.py": code("four"),
         f"1_b@x.edu_{SA}": code("b")},
        {"a@x.edu 1": "one", "a@x.edu 4": "four", "b@x.edu 1": "b"},
    ),
    "work on another assignment in Blackboard": Case(
        {f"{BB.format(head, day)}{end}": text for head, day, file, text in (
            ("HW1_ann", 5, SA, code("one")), ("HW2_ann", 6, MHA, code("four")), ("HW1_bob", 6, SA, code("b")))
         for end, text in ((f"_{file}", text), (".txt", f"Name: X ({head[4:]})\n"))},
        {"ann 1": "one", "ann 4": "four", "bob 1": "b"},
    ),
    "attempts at one assignment and another's later": Case(
        {f"1-2 - Ann - Nov {day}, 2026 1102 PM/{file}": text for day, file, text in (
            (3, SA, code("old")), (4, SA, code("new")), (5, MHA, code("four")))},
        {"1-2 - Ann 1": "new", "1-2 - Ann 4": "four"},
    ),
    "a newest attempt of which nobody knows for what it is": Case(
        {f"{BB.format('HW1_ann', day)}_{file}": code("x") for day, file in ((3, SA), (4, MHA), (5, "hw.py"))},
        {"ann 1": None, "ann 4": None},
    ),
    "unpacked archives of two assignments": Case(
        {f"ann_1_2_a/{SA}": code("one"), f"ann_1_3_b/{MHA}": code("four"), f"bob_2_4_c/{SA}": code("b")},
        {"ann_1 1": "one", "ann_1 4": "four", "bob_2 1": "b"},
    ),
    "a list of a folder that is not there, beside another download": Case(
        {"e1/submission_metadata.yml": "".join(listed(f"submission_{who[0]}", of=who) for who in ("ann", "bob", "dan")),
         f"e1/submission_b/{SA}": code("bob"), f"e1/submission_d/{SA}": code("dan"),
         "e2/submission_metadata.yml": listed("submission_4", of="ann") + listed("submission_5", of="cid"),
         f"e2/submission_4/{MHA}": code("ann"), f"e2/submission_5/{MHA}": code("cid")},
        {"ann 1": None, "ann 4": "ann", "bob 1": "bob", "cid 4": "cid", "dan 1": "dan"}, ("e1", "e2"),
    ),
    "two unclear attempts at something else": Case(
        {f"ann+{ONE}+2026-11-06 11:02:33 UTC/{SA}": code("ann"), f"bob+{ONE}+2026-11-06 11:02:33 UTC/{SA}": code("bob"),
         "ann+ps1+2026-11-06 11:02:33 UTC+x/ps.py": "", "ann+ps1+2026-11-06 11:02:33 UTC+y/ps.py": ""},
        {"ann 1": "ann", "bob 1": "bob"},
    ),
    "a file of an assignment handed in for something else too": Case(
        {f"ann+{ONE}+2026-11-06 11:02:33 UTC/{SA}": code("ann"), f"bob+{ONE}+2026-11-06 11:02:33 UTC/{SA}": code("bob"),
         f"ann+a_ps1+2026-11-06 11:02:33 UTC/{SA}": code("other")},
        {"ann 1": "ann", "bob 1": "bob"},
    ),
    "a zip file for each student": Case(
        {"ann.zip": {f"bob/{SA}": code("ann")}, "cid.zip": {f"cid-hw/{ONE}/{SA}": code("cid")}},
        {"ann 1": "ann", "cid 1": "cid"}, ("ann.zip", "cid.zip"),
    ),
    "a zip file with folders of the assignments' names in each other": Case(
        {"ann.zip": {f"{ONE}/{SA}": code("one"), f"{FOUR}/{FOUR}/{MHA}": code("four")}},
        {"ann 1": "one", "ann 4": "four"}, ("ann.zip",),
    ),
    "a file beside an assignment's folder with an older one inside": Case(
        {f"ann/{ONE}/old/{SA}": code("old"), f"ann/{SA}": code("ann"), f"bob/{ONE}/hw.zip": {SA: code("old")},
         f"bob/{SA}": code("bob"), f"cid/{ONE}/old/{SA}": code("old"), f"cid/{SA}": STUB},
        {"ann 1": "ann", "bob 1": "bob", "cid 1": None},
    ),
    "a zip file with two answers in Canvas": Case(
        {"ann_1_2_hw.zip": {SA: code("a"), f"copy/{SA}": code("b")}, f"bob_2_3_{SA}": code("bob")},
        {"ann_1 1": None, "bob_2 1": "bob"},
    ),
    "a folder of the file's own name": Case(
        {**OF_TWO, f"cid/{ONE}/{SA}/{SA}": code("cid"), f"dan/{SA}/{SA}": code("dan")},
        {"ann 1": "ann", "bob 1": "bob", "cid 1": None, "dan 1": None},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_each_submission_has_its_own_students_code_or_a_problem(tmp_path, case):
    assert graded(case, tmp_path) == case.wanted


COPIES: dict[str, object] = {f"ann/simple_attention - {which}.py": code(which) for which in ("old", "final")}
REFUSED = {
    "sections": Case(SECTIONS, "give each of these by itself"),
    "sections in a zip file": Case({"x.zip": SECTIONS}, "by itself: 'secA' 'secB'", ("x.zip",)),
    "sections with downloads": Case(
        {f"{sec}/ann_1_2_{SA}": "" for sec in "AB"} | {f"{sec}/bob_2_3_{SA}": "" for sec in "AB"}, "Give each of these"
    ),
    "sections with zip files": Case({f"{sec}/x.zip": OF_TWO for sec in "AB"}, "give each of these"),
    "assignments with students": Case(FIRST, "give each of these"),
    "assignments with a platform's folders": Case(
        {f"{ONE}/{who}{MOODLE}{SA}": code(who) for who in ("Ann", "Bob")}, "give each of these"
    ),
    "assignments with one student each": Case(
        {f"{ONE}/ann/{SA}": code("ann"), f"{FOUR}/bob/{MHA}": code("bob")}, "give each of these"
    ),
    "assignments with students in a zip file": Case({"x.zip": FIRST}, "unpack it and give each", ("x.zip",)),
    "nbgrader's root": Case(
        {f"submitted/{who}/{ONE}/{SA}": code(who) for who in ("ann", "bob")} | {f"source/{ONE}/{SA}": code("x")},
        "submitted'",
    ),
    "a folder of downloads": Case({"a.zip": OF_TWO, "b.zip": OF_TWO}, "Give each of these by itself"),
    "zip files of a student and of several": Case(
        {"ann.zip": {f"bob/{SA}": "", f"cid/{SA}": ""}, "dan.zip": {SA: ""}}, "Unpack the latter",
        ("ann.zip", "dan.zip"),
    ),
    "a zip file of several beside those of students": Case(
        {"ann.zip": {f"bob/{SA}": "", f"cid/{SA}": ""}, "dan.zip": {SA: ""}, "eve.zip": {SA: ""}}, "Unpack the latter",
        ("ann.zip",),
    ),
    "a download beside students' folders": Case({**OF_TWO, f"dl/ann_1_2_{SA}": ""}, "--layout", ("dl",)),
    "a download beside students' folders, with its assignment": Case(
        {**OF_TWO, f"dl/ann_1_2_{SA}": "", "dl/bob_3_4_hw1.py": ""}, "--layout", ("dl",), {"assignment": ONE}
    ),
    "one student's folder with a list": Case(
        {f"ann/x/{SA}": code("ann"), "ann/submission_metadata.yml": listed("x")}, "--layout gradescope", ("ann",)
    ),
    "a list that leads elsewhere": Case(
        {"submission_metadata.yml": listed("submission_1", "lnk/bob"), f"submission_1/{SA}": ""}, "names 'lnk/bob'"
    ),
    "a list in a zip file that leads out of it": Case(
        {"x.zip": {"submission_metadata.yml": listed("/tmp/bob"), f"y/{SA}": ""}}, "names '/tmp/bob'", ("x.zip",)
    ),
    "a file beside a platform's folders with zip files": Case(
        {**{f"{who}{MOODLE}hw.zip": {SA: code(who)} for who in ("Ann", "Bob")}, SA: ""}, "like a class, since it holds"
    ),
    "an assignment beside a platform's folders, as the teacher says": Case(
        {**{f"{who}{MOODLE}hw1.py": code(who) for who in ("Ann", "Bob")}, f"{ONE}/{SA}": ""},
        "like a class, since it holds", options={"layout": "moodle"},
    ),
    "a file beside students' folders with folders": Case(
        {**{f"{who}/src/{SA}": code(who) for who in ("ann", "bob")}, SA: ""}, "like a class, since it holds"
    ),
    "a file beside a platform's folders of which one has a program": Case(
        {f"Ann{MOODLE}hw1.py": code("ann"), f"Bob{MOODLE}x.png": "", SA: ""}, "like a class, since it holds",
        options={"assignment": ONE},
    ),
    "everybody's files with names of their own": Case(
        {"2026_김민준.py": code("a"), "2027_이서연.py": code("b")}, "For several, give each one a folder",
        options={"assignment": ONE},
    ),
    "one student's copies": Case(COPIES, "--layout google", ("ann",)),
    "one student's copies in a class": Case({**COPIES, f"bob/{SA}": ""}, "holds none of this course's", ("ann",)),
    "users with one beginning": Case({f"{BB.format('HW1_s_lee', 5)}_{SA}": ""}, "nothing says where the title ends"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_may_be_several_peoples_is_refused_with_what_to_do(tmp_path, case):
    lay(tmp_path, case.tree)
    assert str(case.wanted) in refused(*(tmp_path / path for path in case.at), **case.options)


def test_a_place_that_is_a_link_in_one_class_is_said_and_stops_no_other(tmp_path):
    lay(tmp_path, {f"c1/bob/{SA}": code("bob"), f"c2/ann/{MHA}": code("ann"), f"c2/bob/{MHA}": code("bob")})
    (tmp_path / "c1" / "ann").symlink_to(tmp_path)
    found = find(tmp_path / "c1", tmp_path / "c2")
    assert [(one.student, one.assignment, one.problem is None) for one in found.submissions] == [
        ("ann", ONE, False), ("ann", FOUR, True), ("bob", ONE, True), ("bob", FOUR, True)
    ]  # fmt: skip


def test_a_zip_file_with_both_assignments_is_named_in_neither(tmp_path):
    lay(tmp_path, {"ann_1_2_hw.zip": {SA: code("one"), MHA: code("four")}, f"bob_2_3_{SA}": code("bob")})
    one, four, _ = find(tmp_path).submissions
    assert [(each.others, each.beside, each.notes) for each in (one, four)] == [((), (), ())] * 2


def test_a_file_of_a_download_that_begins_with_a_dot_is_named(tmp_path):
    lay(tmp_path, {f".ann_1_2_{SA}": "", f"._bob_2_3_{SA}": "", f"bob_2_3_{SA}": "", ".DS_Store": ""})
    found = find(tmp_path)
    assert found.students == ["bob_2"]
    (warning,) = found.warnings
    assert f".ann_1_2_{SA}" in warning


@pytest.mark.parametrize("deep", ["{n}/" + "a/" * 20, "a/" * 60, "{n}/" * 60])
def test_a_zip_file_with_too_much_in_one_students_folder_is_read_but_for_that(tmp_path, monkeypatch, deep):
    monkeypatch.setattr(zip_files, "MOST_ENTRIES", 100)
    of_bob = {f"class/bob/{deep.format(n=n)}{SA}": "" for n in range(20)}
    lay(tmp_path, {"x.zip": {f"class/ann/{SA}": code("ann"), **of_bob, f"class/cid/{SA}": code("cid")}})
    found = find(tmp_path / "x.zip")
    assert found.students == ["ann", "bob", "cid"]
    ann, bob, cid = found.submissions
    assert (ann.problem, cid.problem) == (None, None)
    assert "too many files" in str(bob.problem) or "more than is looked through" in str(bob.problem)


def test_what_is_looked_through_is_bounded_for_all_students_together(tmp_path, monkeypatch):
    looked: list[object] = []
    scan = os.scandir
    lay(tmp_path, {f"ann/{SA}": "", **{f"s{n}/{'a/' * 9}{SA}": "" for n in range(50)}})
    monkeypatch.setattr(deep, "MOST_IN_ALL", 60)
    monkeypatch.setattr(os, "scandir", lambda path: looked.append(path) or scan(path))
    found = find(tmp_path)
    assert len(found.students) == 51
    assert any("more than is looked through" in str(one.problem) for one in found.submissions)
    assert len(looked) < 50 * 9
