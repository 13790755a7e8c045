"""What a platform packs when all submissions are downloaded is graded as it comes, each file as its student's."""

import pytest

from grader.limits import DEFAULT_LIMITS
from grader.submissions.reading.read import StubTexts, read_submission

from ....support.submission_folders import FOUR, ONE, find, laid, pairs, put
from ..platforms.generated import zipped

SA = "simple_attention.py"
CANVAS = (f"leeann_123_456_{SA}", "ray_LATE_124_457_simple_attention-2.ipynb")
BOTH = ["leeann_123 1", "ray_124 1"]
MOODLE = "Ann_9001_assignsubmission"
CASES = {
    "a name that says nothing beside others": laid(["kim_125 1", *BOTH], *CANVAS, "kim_125_458_homework.py"),
    "names that say nothing, where the assignment is told": laid(
        ["kim_125 4", "lee_126 4"], "kim_125_458_homework.py", "lee_126_459_final-1.py", assignment=FOUR
    ),
    "two files of each, and of one two attempts": laid(
        BOTH, *CANVAS, "leeann_123_460_simple_attention.ipynb", "ray_LATE_124_461_simple_attention.ipynb",
        problems={"ray_124": "Keep one"},
    ),
    "an archive": laid(
        ["kim_125 1", *BOTH], *CANVAS, "kim_125_458_simple_attention.zip",
        problems={"kim_125": "simple_attention.zip"},
    ),
    "a name with underscores": laid([*BOTH, "van_der_berg_12 1"], *CANVAS, f"van_der_berg_12_34_{SA}"),
    "what was typed": laid(["kim_125 1", *BOTH], *CANVAS, "kim_125_text.html", problems={"kim_125": "text.html"}),
    "files of nobody": laid(BOTH, *CANVAS, "late list.txt", warning="'late list.txt'"),
    "an unpacked folder of nobody": laid(
        ["ann_1 1", "bob_3 1"], f"ann_1_2_{SA}", f"bob_3_4_{SA}", "hw/a.png", warning="'hw'"
    ),
    "another assignment's name than the wanted one": laid(
        ["kim_125", "lee_126 1", *BOTH], *CANVAS, "kim_125_458_multi_head_attention.py", "lee_126_459_homework.py",
        warning="'kim_125' handed in 'kim_125_458_multi_head_attention.py'", assignment=ONE,
    ),
    "another assignment's name than the wanted one in Moodle's folders": laid(
        [f"{MOODLE}_file_", "Bo_9002_assignsubmission_file_ 1"], f"{MOODLE}_file_/multi_head_attention.py",
        f"Bo_9002_assignsubmission_file_/{SA}", warning=f"'{MOODLE}_file_' handed in 'multi_head_attention.py'",
        assignment=ONE,
    ),
    "an unpacked archive": laid(
        ["ann_1 1", "kim_5 1"], f"ann_1_2_{SA}", f"kim_5_6_hw/{SA}"
    ),
    "an unpacked archive with a copy": laid(
        ["ann_1 1", "kim_5 1"], f"ann_1_2_{SA}", "kim_5_6_hw/Copy of simple_attention.ipynb",
        notes={"kim_5": "'Copy of simple_attention.ipynb' was taken"},
    ),
    "an unpacked archive with a folder": laid(
        ["ann_1 1", "kim_5 1"], f"ann_1_2_{SA}", f"kim_5_6_hw/hw/{SA}", notes={"kim_5": f"'hw/{SA}'"}
    ),
    "Moodle's folders": laid(
        [f"{MOODLE}_file_ 1", "Bo_9002_assignsubmission_file_ 1"], f"{MOODLE}_file_/{SA}",
        "Bo_9002_assignsubmission_file_/hw (1).py",
    ),
    "a text typed into Moodle": laid(
        [f"{MOODLE}_file_ 1"], f"{MOODLE}_file_/{SA}", f"{MOODLE}_onlinetext_/onlinetext.html",
        warning=f"'{MOODLE}_onlinetext_'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_download_is_its_students_and_the_rest_is_said(tmp_path, case):
    case.check(tmp_path)


def test_canvas_files_side_by_side_are_each_their_students(tmp_path):
    put(tmp_path, *CANVAS)
    found = find(tmp_path)
    assert pairs(found) == [("leeann_123", ONE), ("ray_124", ONE)]
    assert [each.files for each in found.submissions] == [(tmp_path / name,) for name in CANVAS]
    assert found.warnings == []


def test_anonymous_students_of_canvas_are_told_apart_by_the_names_that_it_made_up(tmp_path):
    names = (f"anon_4fKx9_456_{SA}", f"LATE_anon_12345_457_2_{SA}", "anon_zzzzz_text.html")
    put(tmp_path, *names)
    found = find(tmp_path)
    assert pairs(found) == [("anon_12345", ONE), ("anon_4fKx9", ONE), ("anon_zzzzz", ONE)]
    assert [each.files for each in found.submissions] == [(tmp_path / names[1],), (tmp_path / names[0],), ()]


def test_where_no_name_says_the_assignment_each_student_is_named(tmp_path):
    put(tmp_path, "kim_125_458_homework.py", "lee_126_459_final-1.py")
    found = find(tmp_path)
    assert pairs(found) == []
    assert ["'kim_125'" in found.warnings[0], "'lee_126'" in found.warnings[1]] == [True, True]


def test_of_a_downloaded_students_files_the_one_with_the_name_counts(tmp_path):
    put(tmp_path, *CANVAS, "leeann_123_460_utils.py", "leeann_123_461_report.pdf", "leeann_123_462_hw/x.py")
    lee, _ = find(tmp_path).submissions
    assert (lee.files, len(lee.others), lee.beside) == (
        (tmp_path / CANVAS[0],), 1, ("leeann_123_461_report.pdf", "leeann_123_462_hw"),
    )  # fmt: skip
    notes = read_submission(lee, StubTexts(), DEFAULT_LIMITS).notes
    assert "'leeann_123_460_utils.py', 'leeann_123_461_report.pdf'" in notes[0]


STUB, ANSWER = "def scores():\n    raise NotImplementedError\n", "def scores():\n    return 1\n"


def test_a_downloaded_copy_may_hold_the_answers_that_the_file_with_the_name_lacks(tmp_path):
    put(tmp_path, *CANVAS)
    put(tmp_path, f"kim_1_2_{SA}", text=STUB)
    put(tmp_path, "kim_1_3_simple_attention (1).py", text=ANSWER)
    source = read_submission(find(tmp_path).submissions[0], StubTexts(py=STUB, ipynb=""), DEFAULT_LIMITS)
    assert source.file_name == "kim_1_3_simple_attention (1).py"


BESIDE = {
    "a program": ("hw1.py", ANSWER, ANSWER, "'kim_1_3_hw1.py' was graded"),
    "a document": ("hw1.docx", "", None, "'kim_1_3_hw1.docx'"),
    "an archive": ("hw1.rar", "", None, "'kim_1_3_hw1.rar'"),
    "plain text": ("notes.txt", "", STUB, ""),
}


@pytest.mark.parametrize(("name", "text", "graded", "said"), BESIDE.values(), ids=BESIDE)
def test_what_is_beside_a_stub_counts_in_a_download_as_in_a_folder(tmp_path, name, text, graded, said):
    """Also where somebody else handed in another assignment, so that no name says of which one the file is."""
    put(tmp_path, *CANVAS, "lee_4_5_multi_head_attention.py")
    put(tmp_path, f"kim_1_2_{SA}", text=STUB)
    put(tmp_path, f"kim_1_3_{name}", text=text)
    found = find(tmp_path)
    source = read_submission(found.submissions[0], StubTexts(py=STUB, ipynb=""), DEFAULT_LIMITS)
    assert [cell.source for cell in source.cells] == ([graded] if graded else [])
    assert said in f"{source.problem} {source.notes}" and found.warnings == []


def test_of_files_of_other_names_that_which_is_closest_counts_in_a_download_as_in_a_folder(tmp_path):
    put(tmp_path, *CANVAS, "kim_1_2_simple_attention (1).py", "kim_1_3_utils.py")
    kim = find(tmp_path, assignment=ONE).submissions[0]
    assert [path.name for path in kim.files] == ["kim_1_2_simple_attention (1).py"]
    assert [path.name for path in kim.others] == ["kim_1_3_utils.py"]


NAMES = {
    "two notebooks or programs of other names": (["hw1.py", "Untitled.ipynb"], None),
    "a copy and one more": (["simple_attention (1).py", "Copy of simple_attention.ipynb"], None),
    "a number that Canvas would have added": (["simple_attention.ipynb", "simple_attention-1.py"], 0),
    "a helper beside another assignment": (["multi_head_attention.py", "utils.py"], None),
    "another program beside a zip file with the file": (["Untitled.ipynb", "hw.zip"], 1),
}


@pytest.mark.parametrize(("names", "graded"), NAMES.values(), ids=NAMES)
def test_of_several_files_the_same_one_counts_in_moodles_folders_and_without(tmp_path, names, graded):
    texts = {"hw.zip": zipped({f"hw/{SA}": b"x = 1\n"}), "Untitled.ipynb": b"{}"}
    for place in ("folders/Ann_1_assignsubmission_file_/", "flat/Ann_1_assignsubmission_file_"):
        put(tmp_path, place.replace("Ann_1", "Bo_2") + SA)
        for name in names:
            (tmp_path / (place + name)).parent.mkdir(exist_ok=True)
            (tmp_path / (place + name)).write_bytes(texts.get(name, b"x = 1\n"))
    for place in ("folders", "flat"):
        ann = [each for each in find(tmp_path / place, assignment=ONE).submissions if each.student.startswith("Ann")]
        files = [str(path) for each in ann for path in each.files]
        assert [names[graded] in path for path in files] == ([] if graded is None else [True]), place


def test_a_newer_attempt_of_another_name_counts_whatever_the_older_one_was_called(tmp_path):
    older, newer = "1-2 - Ann - Oct 3, 2026 1112 AM - ", "1-2 - Ann - Oct 4, 2026 812 AM - "
    put(tmp_path, f"{older}multi_head_attention.py", f"{newer}hw1.py", f"2-2 - Bo - Oct 3, 2026 1112 AM - {SA}")
    ann = find(tmp_path, assignment=ONE).submissions[0]
    assert [path.name for path in ann.files] == [f"{newer}hw1.py"]


def test_a_zip_file_beside_the_one_with_the_file_is_named(tmp_path):
    put(tmp_path, *CANVAS)
    for name, raw in ((f"kim_1_2_{SA}.zip", {SA: b"x = 1\n"}), ("kim_1_3_hw2.zip", {"x.txt": b""})):
        (tmp_path / name).write_bytes(zipped(raw))
    kim = find(tmp_path, assignment=ONE).submissions[0]
    assert kim.files and kim.beside == ("kim_1_3_hw2.zip",)


def test_a_broken_zip_file_in_a_download_of_several_assignments_is_called_broken(tmp_path):
    put(tmp_path, *CANVAS, "lee_4_5_multi_head_attention.py", "kim_1_2_hw.zip")
    (warning,) = find(tmp_path).warnings
    assert "'kim_1'" in warning and "'kim_1_2_hw.zip' could not be read: it is not a whole zip file." in warning


def test_a_stub_beside_a_text_typed_into_moodle_is_not_0(tmp_path):
    put(tmp_path, f"{MOODLE}_file_/{SA}", f"{MOODLE}_onlinetext_/onlinetext.html", text=STUB)
    found = find(tmp_path)
    (ann,) = found.submissions
    assert found.read_as == [f"Read '{tmp_path}' as a download from Moodle: 1 student, 2 folders."]
    assert "_onlinetext_'" in str(read_submission(ann, StubTexts(py=STUB), DEFAULT_LIMITS).problem)
