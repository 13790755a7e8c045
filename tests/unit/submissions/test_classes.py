"""A class in folders and one student's work: only what is in PATH counts, and what does not fit is refused."""

import errno
import os
import re

import pytest

from grader.submissions.names import Course
from tests.support.classes.downloads import STUB, zipped
from tests.support.classes.submission_folders import FOUR, ONE, find, pairs, put, refused, sources

HANGUL = re.compile("[가-힣]")
PY, NB, OTHER = "simple_attention.py", "simple_attention.ipynb", "multi_head_attention.py"

FITS = {
    "a class": ([f"ann/{ONE}/{PY}", f"ben/{FOUR}/{OTHER}"], {}, ["ann 1", "ben 4"]),
    "a class of one": ([f"ann/{ONE}/{PY}"], {}, ["ann 1"]),
    "files of one assignment": ([f"ann/{PY}", f"ben/{PY}"], {"assignment": ONE}, ["ann 1", "ben 1"]),
    "one assignment of a class": ([f"ann/{ONE}/{PY}", f"ann/{FOUR}/{OTHER}"], {"assignment": FOUR}, ["ann 4"]),
    "both shapes": ([f"ann/{ONE}/{PY}", f"ben/{PY}"], {"assignment": ONE}, ["ann 1", "ben 1"]),
    "a file deep in its folder": ([f"ann/{ONE}/hw 1/src/{PY}"], {}, ["ann 1"]),
    "a folder of another assignment": ([f"ann/{FOUR}/{OTHER}", f"ben/{PY}"], {"assignment": ONE}, ["ben 1"]),
    "one student's folder": ([f"{ONE}/{PY}", f"{FOUR}/{OTHER}"], {"student": "ann"}, ["ann 1", "ann 4"]),
    "one student's files": ([f"hw1/{PY}"], {"student": "ann", "assignment": ONE}, ["ann 1"]),
    "odd names of students": ([f"김 민준/{ONE}/{PY}", f"O'Neil, Jr./{ONE}/{PY}"], {}, ["O'Neil, Jr. 1", "김 민준 1"]),
    "nothing in one's folder": ([f"ann/{ONE}/{PY}", f"ben/{ONE}/", "cho/"], {}, ["ann 1"]),
    "what belongs to tools": ([f"ann/{ONE}/{PY}", "__MACOSX/x.py", f"ben/{ONE}/.DS_Store", ".git/x.py"], {}, ["ann 1"]),
    "one file by its name": ([PY], {"path": PY, "student": "ann"}, ["ann 1"]),
    "one file of another name": (["hw.py"], {"path": "hw.py", "student": "ann", "assignment": FOUR}, ["ann 4"]),
    "one student's folder of an assignment": ([f"{ONE}/anything.py"], {"path": ONE, "student": "ann"}, ["ann 1"]),
}
REFUSED = {
    "a class one folder too deep": ([f"late/zoe/{ONE}/{PY}", f"ann/{ONE}/{PY}"], {}, f"late/zoe/{ONE}/{PY}'"),
    "that with an assignment": ([f"late/zoe/{ONE}/{PY}", f"ann/{PY}"], {"assignment": ONE}, f"late/zoe/{ONE}/{PY}'"),
    "zip files one folder too deep": (["late/zoe/hw.zip", f"ann/{PY}"], {"assignment": ONE}, "late/zoe/hw.zip'"),
    "files one folder too deep": ([f"late/zoe/{PY}", f"ann/{PY}"], {"assignment": ONE}, f"late/zoe/{PY}'"),
    "a class for a student": ([f"ann/{ONE}/{PY}", f"b/{ONE}/{PY}"], {"student": "ann", "assignment": ONE}, "several"),
    "one student's folder": ([f"{ONE}/{PY}"], {}, "--student"),
    "a student's files of what": ([PY], {"student": "ann"}, "does not say which assignment"),
    "one assignment's folder": ([PY], {}, "--student"),
    "files without an assignment": ([f"ann/{PY}"], {}, "--assignment"),
    "a misspelt folder": ([f"ann/01_simple_atention/{PY}"], {}, "01_simple_atention"),
    "an empty class": ([], {}, "not fit"),
    "one file": ([PY], {"path": PY}, "--student"),
    "one notebook": ([NB], {"path": NB}, "--student"),
    "one file of another name": (["hw.py"], {"path": "hw.py", "student": "ann"}, "--assignment"),
    "a path that is not there": ([], {"path": "gone"}, "gone"),
    "a text": (["file.txt"], {"path": "file.txt"}, "file.txt"),
    "a broken zip file": (["broken.zip"], {"path": "broken.zip"}, "broken.zip"),
}  # fmt: skip


@pytest.mark.parametrize("case", FITS)
def test_what_fits_is_found(case, tmp_path):
    files, options, wanted = FITS[case]
    listing = find(put(tmp_path, *files) / options.get("path", "."), **without_path(options))
    assert pairs(listing) == [(name[:-2], ONE if name[-1] == "1" else FOUR) for name in wanted]
    assert listing.warnings == []
    assert all(source.problem is None for source in sources(listing).values())


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused_with_a_sentence(case, tmp_path):
    files, options, sentence = REFUSED[case]
    assert sentence in refused(put(tmp_path, *files) / options.get("path", "."), **without_path(options))


def without_path(options):
    return {name: value for name, value in options.items() if name != "path"}


def test_what_lies_beside_a_class_decides_nothing(tmp_path):
    put(tmp_path / "hw", f"class/ann/{ONE}/{PY}", f"class/ben/{ONE}/{PY}")
    alone = find(tmp_path / "hw" / "class")
    put(tmp_path / "hw", f"older/zoe/{ONE}/{PY}", f"older/zoe/{FOUR}/{OTHER}")
    assert find(tmp_path / "hw" / "class") == alone
    assert pairs(alone) == [("ann", ONE), ("ben", ONE)]


def test_a_student_without_any_file_is_in_the_class_and_has_no_submission(tmp_path):
    listing = find(put(tmp_path, f"ann/{ONE}/{PY}", f"ben/{ONE}/", "cho/"))
    assert listing.students == ["ann", "ben", "cho"]


def test_one_notebook_says_its_assignment_by_its_name(tmp_path):
    assert pairs(find(put(tmp_path, NB) / NB, student="ann")) == [("ann", ONE)]


def test_several_classes_are_one_class_unless_they_hold_the_same_submission(tmp_path):
    put(tmp_path, f"a/ann/{ONE}/{PY}", f"b/ben/{ONE}/{PY}", f"c/ann/{ONE}/{PY}")
    assert pairs(find(tmp_path / "a", tmp_path / "b")) == [("ann", ONE), ("ben", ONE)]
    assert "'ann'" in refused(tmp_path / "a", tmp_path / "c")


def test_a_students_file_that_is_not_there_is_refused(tmp_path):
    assert "simple_attention.py" in refused(tmp_path / "simple_attention.py", student="ann")


def test_an_assignment_without_a_number_is_begun_by_its_name_alone() -> None:
    course = Course(frozenset({"01_tiny", "project"}))
    assert course.named("solution") == (None, False)
    assert course.named("project2") == ("project", False)


def test_files_in_no_assignments_place_are_named(tmp_path):
    put(tmp_path, f"ann/{ONE}/{PY}", f"ann/{OTHER}", "ann/hw.zip", "ben/report.pdf", "solution.py", "ann/notes.txt")
    listing = find(tmp_path)
    assert pairs(listing) == [("ann", ONE)]
    warned = " ".join(listing.warnings)
    places = ("ann/multi_head_attention.py", "ann/hw.zip", "ben/report.pdf", "solution.py")
    assert all(f"'{place}'" in warned for place in places)
    assert "'ann/hw.zip' (in another folder)" in sources(listing)["ann"].notes[-1]
    assert "notes.txt" not in warned


PROBLEMS = {
    "the work as plain text beside the stub": ({PY: STUB, "simple_attention.txt": ""}, "'simple_attention.txt'"),
    "an archive beside the stub": ({PY: STUB, "homework.7z": ""}, "'homework.7z'"),
    "a screenshot beside the stub": ({PY: STUB, "Bildschirmfoto 3.PNG": ""}, "No exercise is written"),
    "another assignment's file beside the stub": ({PY: STUB, OTHER: "def softmax(x):\n    return x\n"}, f"'{OTHER}'"),
    "an empty zip file": ({"homework.zip": "PK\5\6" + 18 * "\0"}, "an empty zip file"),
    "a broken zip file": ({"homework.zip": "PK"}, "not a whole zip file"),
    "a document": ({"homework.docx": ""}, "'homework.docx'"),
    "plain text": ({"README.txt": ""}, "'README.txt'"),
    "another assignment's file": ({OTHER: "def softmax(x):\n    return x\n"}, "another assignment's"),
    "a program without any exercise": ({"hw.py": "# softmax\nclass MySoftmax: pass"}, "not even as a stub"),
    "a long line without any exercise": ({PY: "import " * 140_000}, "not even as a stub"),
    "an empty program": ({PY: "\n"}, "not even as a stub"),
    "two programs with answers": ({"a.py": "softmax = 1", "b.py": "softmax = 2"}, "certain"),
    "too many programs": ({f"{n}.py": "x = 1" for n in range(21)}, "'9.py'"),
}  # fmt: skip


@pytest.mark.parametrize("case", PROBLEMS)
def test_whoever_handed_in_anything_has_a_submission_and_the_reason_why_it_is_not_graded(case, tmp_path):
    files, reason = PROBLEMS[case]
    for name, text in files.items():
        put(tmp_path, f"ann/{ONE}/{name}", text=text)
    (source,) = sources(find(tmp_path)).values()
    assert reason in source.problem
    assert source.cells == []
    (korean,) = sources(find(tmp_path), "ko").values()
    assert HANGUL.search(korean.problem) and not re.search("Hand in|folder|more", korean.problem)


def test_a_name_that_is_no_text_is_in_the_report_by_its_numbers(tmp_path):
    put(tmp_path, f"ann/{ONE}/\udcff.py")
    (source,) = sources(find(tmp_path)).values()
    assert (source.problem, source.file_name, [*source.sha256]) == (None, "\\udcff.py", ["\\udcff.py"])


COUNTS = {
    "the named file": ({PY: "1", "other.py": "2"}, 1),
    "the only program": ({"my own name.py": "1", "data.csv": "2"}, 1),
    "the only program with an answer": ({"mine.py": "1", "helper.py": None}, 1),
    "one beside the stub": ({PY: None, "final.py": "1"}, 1),
    "the named file in a folder": ({f"v1/{PY}": "1", "other.py": "2"}, 1),
    "the stub in the assignment's folder": ({PY: None, f"../{PY}": "1"}, "in another folder"),
    "the one in the assignment's folder": ({PY: "1", f"../{PY}": "2"}, 1),
    "one of another name in the assignment's folder": ({"solution.py": "1", f"../{PY}": "2"}, 1),
    "one above another": ({PY: "1", f"old/{PY}": "2"}, "certain"),
    "the stub above an answer": ({PY: None, f"new/{PY}": "1"}, 1),
    "one that a browser numbered": ({"simple_attention (1).py": "1", "other.py": "2"}, 1),
    "one in capitals": ({"Simple_Attention.PY": "1", "other.py": "2"}, 1),
    "a .py that a browser numbered, beside the notebook's stub": ({"simple_attention-1.py": "1", NB: None}, 1),
    "a second one that Canvas numbered": ({PY: "1", "simple_attention-1.py": "2"}, "certain"),
    "one that Canvas numbered, beside the stub": ({PY: None, "simple_attention-1.py": "1"}, 1),
    "two copies": ({"a.py": "1", "b.py": "1"}, 1),
    "the stub beside plain text": ({PY: None, "notes.txt": "2"}, None),
    "two places of one name": ({f"a/{PY}": "1", f"b/{PY}": "2"}, "certain"),
}


@pytest.mark.parametrize("case", COUNTS)
def test_which_of_several_files_counts(case, tmp_path):
    files, wanted = COUNTS[case]
    for name, value in files.items():
        put(tmp_path, f"ann/{ONE}/{name}", text=STUB if value is None else f"def softmax(x):\n    return {value}\n")
    (source,) = sources(find(tmp_path)).values()
    if isinstance(wanted, str):
        assert wanted in source.problem
    else:
        assert source.cells[0].source == (STUB if wanted is None else f"def softmax(x):\n    return {wanted}\n")


def test_a_zip_file_is_opened_once_and_one_in_it_is_not(tmp_path):
    answer = b"def softmax(x):\n    return 1\n"
    place = put(tmp_path, f"ann/{ONE}/") / "ann" / ONE
    (place / "hw.zip").write_bytes(zipped({f"hw/{PY}": answer, "more.zip": zipped({PY: b"x = 2"})}))
    source = sources(find(tmp_path))["ann"]
    assert source.cells[0].source == answer.decode()
    assert "'hw.zip/more.zip'" in source.notes[-1]
    assert HANGUL.search(sources(find(tmp_path), "ko")["ann"].notes[-1])
    (place / "hw.zip").write_bytes(zipped({"more.zip": zipped({PY: answer})}))
    assert "more.zip" in sources(find(tmp_path))["ann"].problem


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({f"{n}.txt": b"" for n in range(2001)}, "more than 2,000"),
        ({"../../simple_attention.py": b"x = 1"}, "leads out"),
        ({"/etc/simple_attention.py": b"x = 1"}, "leads out"),
        ({PY: b"#" * 3_000_000}, "bytes"),
    ],
)
def test_a_hostile_zip_file_costs_its_student_only(files, reason, tmp_path):
    put(tmp_path, f"ann/{ONE}/{PY}", f"ben/{ONE}/")
    (tmp_path / "ben" / ONE / "hw.zip").write_bytes(zipped(files))
    by_student = sources(find(tmp_path))
    assert reason in by_student["ben"].problem
    assert by_student["ann"].problem is None


def test_a_class_in_a_zip_file_is_a_class(tmp_path):
    (tmp_path / "class.zip").write_bytes(
        zipped({f"ann/{ONE}/{PY}": b"x = 1", f"ben/{ONE}/{PY}": b"x = 1", "cho/a/": b""})
    )
    listing = find(tmp_path / "class.zip")
    assert pairs(listing) == [("ann", ONE), ("ben", ONE)]
    assert listing.students == ["ann", "ben", "cho"]


def test_no_link_is_followed_out_of_a_class(tmp_path):
    put(tmp_path, f"secret/{PY}", f"class/ann/{ONE}/", f"class/ben/{ONE}/", f"class/cho/{ONE}/{PY}")
    (tmp_path / "class/ann" / ONE / PY).symlink_to(tmp_path / "secret" / PY)
    (tmp_path / "class/ben" / ONE / "hw").symlink_to(tmp_path / "secret")
    (tmp_path / "class/dan").symlink_to(tmp_path / "class/cho")
    put(tmp_path, "class/eve/")
    (tmp_path / "class/eve" / ONE).symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "class/cho" / ONE / "pipe.py")
    listing = find(tmp_path / "class")
    read = sources(listing)
    assert {name: source.problem is None for name, source in read.items()} == {
        "ann": False, "ben": False, "cho": True, "eve": False,
    }  # fmt: skip
    assert "symbolic link" in read["ann"].problem
    assert "dan" not in listing.students and "'dan'" in listing.warnings[0]
    assert "symbolic link" in refused(tmp_path / "class/dan")


def test_a_folder_that_may_not_be_read_is_named_before_anybody_is_graded(tmp_path, monkeypatch):
    put(tmp_path, f"ann/{ONE}/{PY}", f"ben/{ONE}/{PY}")
    closed, scandir = {str(tmp_path / "ben" / ONE)}, os.scandir

    def refuse(path):
        if str(path) in closed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert f"ben/{ONE}' could not be read" in refused(tmp_path)


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\u202eb", " ", "a\nb", os.fsdecode(b"\xff\xfe")])
def test_a_name_that_could_mislead_a_reader_is_left_out_with_a_sentence(name, tmp_path):
    listing = find(put(tmp_path, f"{name}/{ONE}/{PY}", f"ann/{ONE}/{PY}"))
    assert pairs(listing) == [("ann", ONE)]
    assert "Rename" in listing.warnings[0]
    assert not {"\x1b", "\u202e", "\n"} & set(listing.warnings[0])


def test_students_whose_names_fall_together_are_both_left_out(tmp_path):
    listing = find(put(tmp_path, *(f"{name}/{ONE}/{PY}" for name in ("Ann", "ann", "ben"))))
    assert pairs(listing) == [("ben", ONE)]
    assert len(listing.warnings) == 2


@pytest.mark.parametrize("names", [("Chlo\u00e9", "Chloe\u0301"), ("\ubbfc", "\u1106\u1175\u11ab")])
def test_a_name_is_the_same_however_its_letters_are_encoded_so_two_such_folders_are_refused(names, tmp_path):
    put(tmp_path, f"{names[1]}/{ONE}/{PY}")
    assert pairs(find(tmp_path)) == [(names[0], ONE)]
    put(tmp_path, f"{names[0]}/{ONE}/{PY}")
    assert "has two submissions" in refused(tmp_path)


def test_whoever_handed_in_something_further_down_alone_has_the_reason(tmp_path):
    (source,) = sources(find(put(tmp_path, "ann/hw/report.pdf"), assignment=ONE)).values()
    assert "'ann/hw/report.pdf' (in another folder)" in source.problem


@pytest.mark.parametrize("theirs", [f"late/zoe/{ONE}/{PY}", f"late/zoe/{PY}"])
@pytest.mark.parametrize("loose", ["helper.py", "all.zip", PY, f"{ONE}/{PY}"])
def test_what_is_in_a_folder_that_may_be_another_students_is_nobodys(loose, theirs, tmp_path):
    put(tmp_path, theirs, f"ann/{PY}")
    put(tmp_path, f"late/{loose}", text=STUB)
    listing = find(tmp_path, assignment=ONE)
    problems = {name: source.problem for name, source in sources(listing).items()}
    assert problems["ann"] is None and theirs in problems["late"]
    assert theirs in listing.warnings[0]


def test_a_download_says_itself_whose_its_files_are(tmp_path):
    path = put(tmp_path, f"annlee_12_345_{PY}")
    assert "--student" in refused(path, layout="canvas", student="ann", assignment=ONE)
