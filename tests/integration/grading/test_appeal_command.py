"""`grader appeal`: one check is run again for the teacher, who sees all of it on a page; nothing else learns of it."""

import shutil

import pytest

from ...support.command_line import run_here
from ...support.courses import HIDDEN_SHARES, hand_in, write_course
from ...support.reports.page_structure import Document, assert_readable, assert_shut
from ...support.workers.pretended_engine import RIGHT_SHIFT

MARKER = "731.0586"
HIDDEN = (
    HIDDEN_SHARES
    + f'''

@shares.check("value", weight=1, ko="큰 수도 나눈다.")
def test_large_entries(student, reference):
    """Large entries are divided, too."""
    checks.matches(
        student.shares, reference.shares, checks.given(torch.tensor([3.0, {MARKER}])), checks.given(torch.ones(100))
    )
'''
).replace("from grader.suite", "import torch\n\nfrom grader.suite")
SHARES = """\
import torch
from torch import nn


def helper(x):
    return x.max()


@torch.no_grad()
def shares(x):
    print("seen")
    return x / helper(x)


"""
ANSWER = SHARES + RIGHT_SHIFT.replace("x + self.beta", "x - self.beta")
SOLUTION = {"tests/golden/N0.json": "[]", "tests/hidden/01_tiny/test_shares.py": HIDDEN}


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory, kept_open):
    folder = tmp_path_factory.mktemp("appeals")
    write_course(folder / "course", SOLUTION)
    hand_in(folder / "class", "ann", ANSWER)
    hand_in(folder / "class", "ben", "def shares(x)\n")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("grader.grading.jails.open_jail", kept_open.open)
        done = run_here("--course", folder / "course", "grade", folder / "class", "--output", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def scene(graded_once, tmp_path, kept_jails):
    """A course, a class of two, their reports and pages."""
    shutil.copytree(graded_once, tmp_path / "scene")
    return tmp_path / "scene"


def appeal(scene, check, *paths, student="ann", assignment="01_tiny"):
    where = paths or (scene / "class",)
    asked = ("appeal", scene / "out", student, assignment, *where, "--check", check)
    return run_here("--course", scene / "course", *asked)


def page_of(scene, check, student="ann"):
    return Document((scene / f"out/for-teachers/01_tiny/appeals/{student}/{check}.html").read_bytes())


def everything(scene):
    return {path: path.read_bytes() for path in scene.rglob("*") if path.is_file() and ".grader" not in path.parts}


def test_what_a_hidden_check_holds_is_on_the_teachers_page_and_in_no_other_file(scene):
    before = everything(scene / "out")
    done = appeal(scene, "shares.large_entries")
    assert done.returncode == 0, done.stderr
    after = everything(scene / "out")
    (page,) = after.keys() - before.keys()
    assert {path: after[path] for path in before} == before
    assert [path for path, content in after.items() if MARKER.encode() in content] == [page]
    assert f"The page, for the teacher alone: {page}" in done.stdout


def test_the_zip_file_of_a_class_and_a_download_are_looked_into_for_the_student(scene):
    shutil.make_archive(str(scene / "class"), "zip", scene / "class")
    assert appeal(scene, "shares.large_entries", scene / "class.zip").returncode == 0
    download = scene / "download"
    for number, student in ((11, "ann"), (12, "ben")):
        shutil.copytree(scene / f"class/{student}/01_tiny", download / f"{number}-1 - {student} - Nov 5, 2026 1102 PM")
    shutil.make_archive(str(download), "zip", download)
    course, download, other = scene / "course", scene / "download.zip", scene / "other"
    grade = ("grade", download, "--from", "brightspace", "--assignment", "01_tiny", "--output", other)
    assert run_here("--course", course, *grade).returncode == 0
    asked = ("appeal", other, "11-1 - ann", "01_tiny", download, "--check", "shares.large_entries")
    done = run_here("--course", course, *asked, "--from", "brightspace")
    told = "'11-1 - ann', 01_tiny\n  shares.large_entries: failed; in the report: failed\n"
    assert (done.returncode, told in done.stdout) == (0, True), done.stderr


def test_the_page_shows_every_call_with_inputs_answer_and_what_was_expected(scene):
    appeal(scene, "shares.large_entries")
    page = page_of(scene, "shares.large_entries")
    assert_shut(page)
    assert_readable(page, "en")
    text = " ".join(page.text.split())
    assert "Do not give it to students." in text
    assert "Large entries are divided, too. (hidden)" in text
    assert "Input args[0] (2,) float32 [ 3. , 731.0586]" in text
    assert "return (2,) float32 [0.00410364, 1. ] (2,) float64 [0.00408687, 0.99591313]" in text
    assert "(100,) float32 [1., 1., 1., ..., 1., 1., 1.]" in text  # a large one without its middle
    assert "The verdict is the same." in text
    assert "Nothing that decides a verdict." in text


def test_the_page_has_the_students_code_with_the_numbers_of_its_lines(scene):
    appeal(scene, "shares.large_entries")
    code = page_of(scene, "shares.large_entries").text.rpartition("The student's code")[2].strip().splitlines()
    assert code[0] == "tiny.py"
    assert ["10", "def shares(x):"] in [line.split(maxsplit=1) for line in code]


def test_calls_of_a_module_show_what_was_loaded_and_the_comparison(scene):
    appeal(scene, "Shift.adds_the_parameter")
    text = " ".join(page_of(scene, "Shift.adds_the_parameter").text.split())
    assert "1. Shift" in text
    assert "2. Shift.load" in text
    assert "Input beta (3,) float32" in text
    assert "(4, 3) float64" in text  # what was expected
    assert "wrong" in text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("suite", "The suite, the solution or something else that the course provides"),
        ("submission", "The student's file was changed."),
    ],
)
def test_a_different_verdict_says_what_is_different(scene, change, sentence):
    if change == "suite":
        suite = scene / "course/tests/hidden/01_tiny/test_shares.py"
        suite.write_text(
            suite.read_text().replace("[3.0, 731.0586]", "[0.0, 731.0586]").replace("torch.ones(100)", "torch.ones(1)")
        )
    else:
        hand_in(scene / "class", "ann", ANSWER.replace("x.max()", "x.sum()"))
    done = appeal(scene, "shares.large_entries")
    assert "shares.large_entries: passed; in the report: failed" in done.stdout
    text = " ".join(page_of(scene, "shares.large_entries").text.split())
    assert "The verdict is different." in text
    assert f"What is different now {sentence}" in text


def test_the_inputs_are_those_of_the_report_whatever_the_secret_is_now(scene):
    (scene / "course/.grader/secret").write_bytes(b"x" * 32)
    done = appeal(scene, "shares.random_shares")
    assert "shares.random_shares: failed; in the report: failed\n" in done.stdout
    text = page_of(scene, "shares.random_shares").text
    assert "The machine, its libraries or the course's secret are different." in text
    assert "The inputs are different" not in text and "seen" in text


def test_an_assignment_that_there_is_not_is_one_sentence(scene):
    before = everything(scene)
    done = appeal(scene, "shares.quarters", assignment="01_tyni")
    assert (done.returncode, "Did you mean `01_tiny`?" in done.stderr, "Traceback" in done.stderr) == (2, True, False)
    assert everything(scene) == before


def test_a_student_without_a_submission_there_is_one_sentence(scene):
    shutil.rmtree(scene / "class/ann")
    done = appeal(scene, "shares.quarters")
    assert (done.returncode, "has no submission of 'ann' for 01_tiny." in done.stderr) == (2, True)


def test_a_student_who_was_not_graded_ends_with_1(scene):
    (scene / "class/ben/01_tiny/tiny.py").write_bytes(b"\x00")
    done = appeal(scene, "shares.quarters", student="ben")
    assert (done.returncode, "byte 0x00" in done.stdout) == (1, True)
