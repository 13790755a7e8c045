"""Whatever a platform packs is read as it comes, as folder and as zip file: nobody is lost, doubled or mixed."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.limits import DEFAULT_LIMITS
from grader.submissions.platforms import prairielearn
from grader.submissions.platforms.choose import LAYOUTS
from grader.submissions.platforms.handed_in import Listing
from grader.submissions.reading.read import StubTexts, read_submission
from grader.submissions.submission import FoundSubmissions

from ....support.submission_folders import ONE, STEMS, find, put, refused
from .generated import DOWNLOADS, lay, zipped


def code_of(found: FoundSubmissions) -> dict[str, bytes | None]:
    """Return what would be run of each student; None for a problem."""
    read = {each.student: read_submission(each, StubTexts(), DEFAULT_LIMITS) for each in found.submissions}
    return {student: None if source.problem else source.cells[0].source.encode() for student, source in read.items()}


@pytest.mark.parametrize("laid", DOWNLOADS.values(), ids=DOWNLOADS)
def test_as_a_folder_and_as_a_zip_file_the_same_is_said(tmp_path, laid):
    folder, packed = find(lay(tmp_path, laid, "folder")), find(lay(tmp_path, laid, "zip"))
    assert (folder.students, folder.warnings, folder.notes) == (packed.students, packed.warnings, packed.notes)
    for one, other in zip(folder.submissions, packed.submissions, strict=True):
        assert (one.student, one.notes, one.beside, one.submitted) == (
            other.student, other.notes, other.beside, other.submitted,
        )  # fmt: skip


@pytest.mark.parametrize("name", ["blackboard", "brightspace", "inbound", "autolab", "prairielearn"])
def test_an_older_attempt_is_named_with_its_student(tmp_path, name):
    found = find(lay(tmp_path, DOWNLOADS[name], "zip"))
    several = [each for each in found.submissions if each.notes and "attempts the newest by the " in each.notes[0]]
    assert len(several) == len([None for number in range(120) if number % 5 == 0])
    assert all(each.beside or each.others for each in several)


def test_the_time_of_handing_in_is_the_platforms(tmp_path):
    first = {name: find(lay(tmp_path, DOWNLOADS[name], "zip")).submissions[0]
             for name in ("gradescope", "inbound", "blackboard", "canvas")}  # fmt: skip
    assert {name: one.submitted and one.submitted.isoformat() for name, one in first.items()} == {
        "gradescope": "2026-11-05T11:02:33+00:00", "inbound": "2026-11-05T11:02:33+00:00",
        "blackboard": "2026-11-05T11:02:33", "canvas": None,
    }  # fmt: skip
    assert {name: one.late for name, one in first.items() if name != "canvas"} == dict.fromkeys(set(first) - {"canvas"})


@pytest.mark.parametrize("anonymous", [False, True])
def test_who_came_late_is_known_where_canvas_says_it(tmp_path, anonymous):
    found = find(lay(tmp_path, DOWNLOADS["canvas anonymous" if anonymous else "canvas"], "zip")).submissions
    assert sum(one.late is True for one in found) == len(range(0, 120, 7))
    assert sum(one.late is False for one in found) == 120 - len(range(0, 120, 7))


def test_a_layout_that_is_named_overrules_and_one_that_does_not_fit_is_refused(tmp_path):
    put(tmp_path, "hw_1_2_x/simple_attention.py", "hw_3_4_x/simple_attention.py")
    assert find(tmp_path).students == ["hw_1", "hw_3"]
    own = find(tmp_path, layout="folders")
    assert own.students == ["hw_1_2_x", "hw_3_4_x"] and own.read_as == []
    for layout in set(LAYOUTS) - {"canvas", "folders"}:
        with pytest.raises(UsageError, match="Leave --layout out"):
            find(tmp_path, layout=layout)
    with pytest.raises(UsageError, match="canvas"):
        find(tmp_path, layout="canva")


def test_names_that_two_platforms_may_have_made_are_refused_with_both_layouts(tmp_path):
    files = {f"HW_1_2_{who}_attempt_2026-11-05-11-02-33_simple_attention.py": b"x = 1\n" for who in ("ann", "bo")}
    name = "gradebook_CS101_HW_1_2_2026-11-05.zip"
    (tmp_path / name).write_bytes(zipped(files))
    sentence = refused(tmp_path / name)
    assert "--layout blackboard" in sentence and "--layout canvas" in sentence
    found = find(tmp_path / name, layout="blackboard")
    assert found.students == ["ann", "bo"]


def test_without_receipts_a_name_of_two_readings_is_refused(tmp_path):
    put(tmp_path, *(f"HW_{who}_attempt_2026-11-05-11-02-33_simple_attention.py" for who in ("s_1", "ann")))
    assert "nothing says where the title ends" in refused(tmp_path)


def test_two_files_of_one_name_in_drive_are_never_chosen_between(tmp_path):
    put(tmp_path, *(f"simple_attention - {who}.py" for who in ("Ann", "Ann (1)", "Bo")))
    ann, bo = find(tmp_path, layout="google").submissions
    assert (ann.student, ann.files, bo.student) == ("Ann", (), "Bo")
    assert "More than one file was handed in" in str(ann.problem)


def test_a_folder_that_gradescope_lists_and_that_is_not_there_is_named(tmp_path):
    put(tmp_path, "submission_1/simple_attention.py", "submission_2/simple_attention.py")
    entry = "submission_{0}:\n  :submitters:\n  - :name: A\n    :email: a{0}@x.edu\n"
    (tmp_path / "submission_metadata.yml").write_text("".join(map(entry.format, (1, 2, 3))))
    found = find(tmp_path)
    assert found.students == ["a1@x.edu", "a2@x.edu", "a3@x.edu"]
    assert [each.problem for each in found.submissions][:2] == [None, None]
    assert "lists a folder 'submission_3'" in str(found.submissions[2].problem)


def test_one_students_file_with_another_platforms_name_changes_nothing(tmp_path):
    files = {f"Ann_{n}_assignsubmission_file_simple_attention.py": b"x = 1\n" for n in (1, 2, 3)}
    files["Bo_4_assignsubmission_file_y_12_34_simple_attention.py"] = b"x = 2\n"
    (tmp_path / "m.zip").write_bytes(zipped(files))
    found = find(tmp_path / "m.zip")
    assert len(found.students) == 4
    assert found.read_as == [f"Read '{tmp_path / 'm.zip'}' as a download from Moodle: 4 students, 4 files."]


FORGED = {
    "blackboard": ("HW_{}_attempt_2026-11-05-11-02-33_{}", "HW_bob_attempt_2027-01-01-00-00-00_simple_attention.py"),
    "blackboard's receipt": ("HW_{}_attempt_2026-11-05-11-02-33_{}", "bob_attempt_2027-01-01-00-00-00.txt"),
    "brightspace": ("1-2 - {} - Nov 5, 2026 1102 PM - {}", "1-2 - bob - Nov 6, 2026 1102 PM - simple_attention.py"),
    "canvas": ("{}_11_101_{}", "bob_12_999_simple_attention.py"),
    "moodle": ("{}_9_assignsubmission_file_{}", "bob_9_assignsubmission_file_simple_attention.py"),
    "prairielearn": ("{}@x.edu_1_q_1_1_10_{}", "bob@x.edu_1_q_1_1_99_simple_attention.py"),
}


@pytest.mark.parametrize(("shape", "forged"), FORGED.values(), ids=FORGED)
def test_a_name_that_a_student_chose_makes_a_file_nobody_elses(tmp_path, shape, forged):
    own = "simple_attention.py"
    files = {shape.format("bob", own): b"x = 'bob'\n", shape.format("cem", own): b"x = 'cem'\n"}
    (tmp_path / "x.zip").write_bytes(zipped(files))
    before = code_of(find(tmp_path / "x.zip"))
    assert len(before) == 2
    (tmp_path / "x.zip").write_bytes(zipped({**files, shape.format("ann", forged): b"Name: Bob (bob)\nx = 'ann'\n"}))
    after = code_of(find(tmp_path / "x.zip"))
    assert len(after) == 3 and after.items() >= before.items()


def test_in_drive_a_persons_name_is_where_that_of_most_is(tmp_path):
    put(tmp_path, "simple_attention - Ann.py", "simple_attention - Bo.py", "simple_attention - v2 - Cem.py")
    assert find(tmp_path, layout="google").students == ["Ann", "Bo", "Cem"]
    put(tmp_path, "Bo - simple_attention - Dan.py", "hw1 - Eve.py")
    found = find(tmp_path, layout="google")
    assert found.students == ["Ann", "Bo", "Cem"]
    assert "No name in the download says whose 'Bo - simple_attention - Dan.py', 'hw1 - Eve.py' is" in found.warnings[0]


@pytest.mark.parametrize("assignment", [None, ONE])
def test_in_a_folder_of_forms_a_file_of_any_name_is_its_persons(tmp_path, assignment):
    names = ("hw1 - Ann.py", "simple_attention - Bo.py", "과제 - Cem.ipynb", "report - Bo.docx", "notes.txt")
    put(tmp_path, *(f"HW1 (File responses)/{name}" for name in names))
    found = find(tmp_path / "HW1 (File responses)", assignment=assignment)
    assert [(each.student, *(path.name for path in each.files)) for each in found.submissions] == [
        ("Ann", "hw1 - Ann.py"), ("Bo", "simple_attention - Bo.py"), ("Cem", "과제 - Cem.ipynb"),
    ]  # fmt: skip
    assert found.submissions[1].beside == ("report - Bo.docx",)
    assert ["'notes.txt'" in warning for warning in found.warnings] == [True]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("leeann_12_999_2026_simple_attention.py", "leeann_12"),
        ("leeann_12_LATE_999_5555_simple_attention.py", "leeann_12_999"),
        ("leeann_12_999_01_simple_attention.py", "leeann_12"),
        ("leeann_12_999_5555_hw.py", "leeann_12"),
        ("leeann_12_999_simple_attention_5_6_simple_attention.py", "leeann_12"),
        ("leeann_12_34_bob_13_999_simple_attention.py", "leeann_12"),
        ("bob_2_999_5555_simple_attention.py", None),
        ("anon_LATE_13_35_simple_attention.py", "anon_13"),
        ("LATE_anon_4fKx9_13_simple_attention.py", "anon_4fKx9"),
    ],
)
def test_a_name_of_canvas_that_may_be_read_in_two_ways_is_one_students_or_nobodys(tmp_path, name, student):
    put(tmp_path, "bob_2_3_simple_attention.py", "cid_3_4_simple_attention.py", name)
    found = find(tmp_path)
    assert set(found.students) - {"bob_2", "cid_3"} == ({student} if student else set())
    assert [name in warning for warning in found.warnings] == ([] if student else [True])


def test_a_download_from_canvas_without_programs_is_read_where_its_platform_is_said(tmp_path):
    for name in ("ann_1_2_hw.zip", "bob_2_3_hw.zip"):
        (tmp_path / name).write_bytes(zipped({"simple_attention.py": b"x = 1\n"}))
    put(tmp_path, "grades.csv", "cid_3_4_r.pdf", "dan_4_5_hw/simple_attention.py")
    assert "say --layout canvas" in refused(tmp_path)
    found = find(tmp_path, layout="canvas")
    assert found.students == ["ann_1", "bob_2", "cid_3", "dan_4"]
    assert code_of(found) == {"ann_1": b"x = 1\n", "bob_2": b"x = 1\n", "cid_3": None, "dan_4": b"x = 1\n"}


def test_a_class_of_one_in_drive_is_read_where_its_platform_is_said(tmp_path):
    put(tmp_path, "simple_attention - Ann Lee.py")
    assert find(tmp_path, layout="google").students == ["Ann Lee"]


@pytest.mark.parametrize("layout", [None, "github"])
def test_a_folder_beside_the_repositories_of_github_is_named(tmp_path, layout):
    put(tmp_path, *(f"hw1-submissions/{name}/simple_attention.py" for name in ("hw1-ann", "hw1-bob", "x")))
    found = find(tmp_path / "hw1-submissions", layout=layout)
    assert found.students == ["ann", "bob", "x"]
    assert "Taken as students' own folders: 'x'" in found.read_as[0]


def test_a_folder_of_nobody_in_a_download_of_folders_is_named(tmp_path):
    put(tmp_path, "1-2 - Ann - Nov 5, 2026 1102 PM/simple_attention.py", "extra/simple_attention.py")
    found = find(tmp_path)
    assert found.students == ["1-2 - Ann", "extra"]
    assert found.read_as[0].endswith("1 student, 1 folder. Taken as students' own folders: 'extra'.")


def test_in_another_language_blackboard_has_another_word_for_an_attempt(tmp_path):
    put(tmp_path, *(f"HW 1_{who}_poging_2026-11-05-11-02-33_simple_attention.py" for who in ("ann", "bo")))
    assert find(tmp_path).students == ["ann", "bo"]


def test_a_group_of_moodle_has_no_number_and_is_a_student(tmp_path):
    put(tmp_path, *(f"{who}_assignsubmission_file_simple_attention.py" for who in ("Default group", "Team A_7")))
    assert find(tmp_path).students == ["Default group_assignsubmission_file_", "Team A_7_assignsubmission_file_"]


def test_a_member_of_a_group_without_a_name_in_gradescope_takes_nobodys_place(tmp_path):
    put(tmp_path, "submission_1/simple_attention.py", "submission_2/simple_attention.py")
    people = "  - :name: A\n    :email: a@x.edu\n  - :name:\n    :sid: '7'\n    :email:\n"
    (tmp_path / "submission_metadata.yml").write_text(
        f"---\nsubmission_1:\n  :submitters:\n{people}submission_2:\n  :submitters:\n  - :email: b@x.edu\n"
    )
    assert find(tmp_path).students == ["7", "a@x.edu", "b@x.edu"]


def test_of_a_question_of_prairielearn_older_attempts_are_named_with_its_own_assignment(tmp_path):
    put(tmp_path, "a@x.edu_1_q1_1_1_1_simple_attention.py", "a@x.edu_1_q1_1_2_2_simple_attention.py")
    put(tmp_path, "a@x.edu_1_q2_1_1_3_multi_head_attention.py")
    one, four = find(tmp_path).submissions
    assert (one.beside, four.beside, four.notes) == (("a@x.edu_1_q1_1_1_1_simple_attention.py",), (), ())


def test_two_downloads_are_each_read_and_said_also_with_their_layout(tmp_path):
    for number in (1, 2):
        files = {
            f"ann{number}_1{number}_9_simple_attention.py": b"x = 1\n",
            f"bo{number}_2{number}_9_simple_attention.py": b"",
        }
        (tmp_path / f"part{number}.zip").write_bytes(zipped(files))
    paths = [tmp_path / f"part{number}.zip" for number in (1, 2)]
    found = find(*paths)
    assert (found.students, len(found.read_as)) == (["ann1_11", "ann2_12", "bo1_21", "bo2_22"], 2)
    assert find(*paths, layout="canvas").students == found.students


def test_a_gradescope_download_whose_students_nobody_knows_is_refused(tmp_path):
    put(tmp_path, "submission_1/simple_attention.py", "submission_2/simple_attention.py", "submission_metadata.yml")
    assert "names no submission" in refused(tmp_path)
    assert find(tmp_path, layout="folders").students == [
        "submission_1",
        "submission_2",
    ]


@pytest.mark.parametrize(
    ("rest", "part", "number", "file"),
    [
        ("q1_1_3_4711_simple_attention.py", "q1", 4711, "simple_attention.py"),
        ("q_1_2_3_1_3_4711_simple_attention.py", "q_1_2_3", 4711, "simple_attention.py"),
        ("q1_1_3_4711_my.py", "q1", 4711, "my.py"),
        ("q_1_2_3_1_3_4711_my.py", "", None, "q_1_2_3_1_3_4711_my.py"),
    ],
)
def test_numbers_in_a_question_of_prairielearn_are_no_submissions_number(rest, part, number, file):
    (one,) = prairielearn.read(Listing(Path("x"), {f"a@x.edu_1_{rest}": 0o100644}, STEMS))
    assert (one.student, one.part, one.number, one.file) == ("a@x.edu", part, number, file)
