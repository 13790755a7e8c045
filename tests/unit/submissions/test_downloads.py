"""A class of 120 in the downloads of six platforms: nobody lost, doubled, mixed up or called missing."""

import re

import pytest

from tests.support.classes.downloads import ID, PLATFORMS, submitted, zipped
from tests.support.classes.submission_folders import ONE, find, pairs, put, refused, sources

DOWNLOADS = [name for name in PLATFORMS if name != "nbgrader"]


def answers(listing):
    """Return the number in each student's answer, which tells whose it is; None where nothing can be graded."""
    return {
        student: None if source.problem else int(re.search(r"return (\d+)", source.cells[-1].source)[1])
        for student, source in sources(listing).items()
    }


@pytest.mark.parametrize("packed", [True, False], ids=["zip", "folder"])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_student_of_a_class_has_their_own_answer(platform, packed, tmp_path):
    made = PLATFORMS[platform]()
    listing = find(made.write(tmp_path, packed), layout=platform, assignment=made.assignment)
    assert answers(listing) == made.wanted
    assert listing.students == sorted(made.wanted)
    assert listing.warnings == []
    assert {submission.assignment for submission in listing.submissions} == {ID}
    assert {submission.student for submission in listing.submissions if submission.late} == made.late
    assert all((submission.submitted is not None) == made.times for submission in listing.submissions)


def test_a_submitted_tree_of_nbgrader_is_read_with_its_times(tmp_path):
    made = submitted()
    listing = find(made.write(tmp_path, packed=False), layout="nbgrader")
    assert {submission.submitted[11:13] for submission in listing.submissions} == {"11"}
    plain = find(tmp_path / "download")
    assert (answers(plain), plain.warnings) == (made.wanted, [])


@pytest.mark.parametrize("platform", DOWNLOADS)
def test_a_download_without_from_is_refused_with_the_option_to_give(platform, tmp_path):
    made = PLATFORMS[platform]()
    path = made.write(tmp_path, packed=True)
    assert f"--from {platform}" in refused(path, assignment=ID)
    assert "looks like" not in refused(path, layout="canvas" if platform != "canvas" else "moodle", assignment=ID)


@pytest.mark.parametrize("platform", DOWNLOADS)
def test_a_download_whose_names_do_not_say_the_assignment_needs_it(platform, tmp_path):
    assert "--assignment" in refused(PLATFORMS[platform]().write(tmp_path, packed=True), layout=platform)


def test_from_folders_overrules_what_looks_like_a_download(tmp_path):
    put(tmp_path, "Ann_12_assignsubmission_file/01_simple_attention/simple_attention.py")
    assert "--from moodle" in refused(tmp_path)
    assert pairs(find(tmp_path, layout="folders")) == [("Ann_12_assignsubmission_file", ONE)]


def test_files_that_match_no_student_are_named_and_never_graded(tmp_path):
    put(tmp_path, "ann_1_2_simple_attention.py", "solution.py", "old/ben_3_4_simple_attention.py")
    listing = find(tmp_path, layout="canvas", assignment=ONE)
    assert pairs(listing) == [("ann_1", ONE)]
    assert "'solution.py'" in listing.warnings[0]
    assert "'old/ben_3_4_simple_attention.py'" in listing.warnings[0]


def test_the_first_number_in_a_name_of_canvas_is_the_students(tmp_path):
    put(tmp_path, "kim_5012_90001_20231234_hw.py", "kim_5012_90002_report.pdf", "lee_5013_90003_12_345_hw.py")
    listing = find(tmp_path, layout="canvas", assignment=ONE)
    assert {submission.student: [file.where for file in submission.files] for submission in listing.submissions} == {
        "kim_5012": ["20231234_hw.py", "report.pdf"], "lee_5013": ["12_345_hw.py"],
    }  # fmt: skip


def test_the_name_in_a_download_is_text(tmp_path):
    put(tmp_path, "lee_12_90_\udcff.py")
    assert sources(find(tmp_path, layout="canvas", assignment=ONE))["lee_12"].uploaded == "lee_12_90_\\udcff.py"


def test_a_file_of_canvas_whose_name_begins_with_zero_is_no_other_student(tmp_path):
    put(tmp_path, "lee_12_90_01_simple_attention.py", "lee_12_91_notes.txt")
    by_student = sources(find(tmp_path, layout="canvas", assignment=ONE))
    assert {name: source.problem for name, source in by_student.items()} == {"lee_12": None}


def test_a_text_typed_into_canvas_by_somebody_anonymous_has_a_reason(tmp_path):
    put(tmp_path, "anon_4fKx9_text.html")
    assert sources(find(tmp_path, layout="canvas", assignment=ONE))["anon_4fKx9"].problem is not None


def test_a_user_of_blackboard_is_whom_the_receipt_of_that_name_says(tmp_path):
    for user in ("lee", "ann_lee", "eve"):
        start = f"HW_1_{user}_attempt_2026-11-03-09-31-02"
        put(tmp_path, f"{start}_simple_attention.py")
        put(tmp_path, f"{start}.txt", text=f"Name: X ({user})\n")
    put(tmp_path, "HW_1_eve_attempt_2026-11-03-09-31-02_HW_1_lee_attempt_2026-12-03-09-31-02_hw.py")
    listing = find(tmp_path, layout="blackboard", assignment=ONE)
    assert {work.student: (work.submitted[5:7], work.files[0].path.name[:8]) for work in listing.submissions} == {
        "lee": ("11", "HW_1_lee"), "ann_lee": ("11", "HW_1_ann"), "eve": ("11", "HW_1_eve"),
    }  # fmt: skip


def test_two_assignments_of_blackboard_in_one_folder_are_refused(tmp_path):
    for title, month in (("HW1", "03"), ("HW3", "04")):
        start = f"{title}_ann_lee_attempt_2026-{month}-03-09-31-02"
        put(tmp_path, f"{start}_simple_attention.py")
        put(tmp_path, f"{start}.txt", text="Name: Ann Lee (ann_lee)\n")
    assert "'HW1' and 'HW3'" in refused(tmp_path, layout="blackboard", assignment=ID)


def test_most_names_say_which_platform_a_download_is_from(tmp_path):
    names = [f"Ann_{number}_assignsubmission_file_hw.py" for number in range(1, 4)]
    put(tmp_path, *names, "Eve_9_assignsubmission_file_jungeve_123_456_hw.py", "my_attempt_2026-11-03-09-31-02_hw.py")
    assert "--from moodle" in refused(tmp_path, assignment=ID)
    assert len(find(tmp_path, layout="moodle", assignment=ONE).submissions) == 4


def test_an_anonymous_late_student_of_canvas_is_told_from_others(tmp_path):
    put(tmp_path, "anon_4fKx9_56_simple_attention.py", "LATE_anon_aaaaa_57_simple_attention.py")
    listing = find(tmp_path, layout="canvas", assignment=ONE)
    assert {work.student: work.late for work in listing.submissions} == {"anon_4fKx9": None, "anon_aaaaa": True}


def test_a_group_of_gradescope_has_a_submission_each_and_a_folder_that_is_gone_or_empty_a_reason(tmp_path):
    people = "".join(f"  - :name: X\n    :email: {name}@x.edu\n" for name in ("ann", "ben"))
    put(tmp_path, "submission_1/simple_attention.py", "submission_3/")
    told = f"---\nsubmission_1:\n  :submitters:\n{people}submission_2:\n  :submitters:\n  - :name: Cho\n"
    told += "submission_3:\n  :submitters:\n  - :name: Dan\n"
    (tmp_path / "submission_metadata.yml").write_text(told)
    by_student = sources(find(tmp_path, layout="gradescope", assignment=ONE))
    assert {name: source.problem is None for name, source in by_student.items()} == {
        "ann@x.edu": True, "ben@x.edu": True, "Cho_2": False, "Dan_3": False,
    }  # fmt: skip


def test_a_download_of_gradescope_without_any_folder_still_asks_which_assignment_it_is(tmp_path):
    put(tmp_path, "note.txt")
    (tmp_path / "submission_metadata.yml").write_text("---\nsubmission_2:\n  :submitters:\n  - :name: Cho\n")
    assert "--assignment" in refused(tmp_path, layout="gradescope")


def test_a_submission_of_gradescope_that_is_nobodys_is_named_and_capitals_make_nobody_two(tmp_path):
    put(tmp_path, *(f"submission_{number}/simple_attention.py" for number in (1, 2, 3)))
    person = "  - :email: {}\n  :created_at: 2026-11-0{} 11:00:00 Z\n"
    two = "".join(f"submission_{n}:\n  :submitters:\n" + person.format(mail, n) for n, mail in ((1, "A@x"), (2, "a@X")))
    (tmp_path / "submission_metadata.yml").write_text(f"---\n{two}submission_3:\n  :submitters: []\n")
    listing = find(tmp_path, layout="gradescope", assignment=ONE)
    assert [(work.student, work.uploaded) for work in listing.submissions] == [("a@x", "submission_2")]
    assert len(listing.warnings) == 1 and "'submission_3/simple_attention.py'" in listing.warnings[0]


def test_times_of_other_zones_are_compared_as_times(tmp_path):
    put(tmp_path, *(f"submission_{number}/simple_attention.py" for number in (1, 2)))
    person = "  :submitters:\n  - :email: ann@x\n  :created_at: 2026-11-05 "
    told = f"---\nsubmission_1:\n{person}10:00:00 -0800\nsubmission_2:\n{person}15:00:00 Z\n"
    (tmp_path / "submission_metadata.yml").write_text(told)
    (work,) = find(tmp_path, layout="gradescope", assignment=ONE).submissions
    assert work.uploaded == "submission_1"


def test_who_has_a_dot_for_a_first_name_is_named(tmp_path):
    put(tmp_path, ". Prince_9001_assignsubmission_file/simple_attention.py")
    (warning,) = find(tmp_path, layout="moodle", assignment=ONE).warnings
    assert "'. Prince_9001'" in warning


def test_a_roster_beside_the_folder_that_an_unpacked_download_is_in_costs_nothing(tmp_path):
    put(tmp_path, "download/Ann_12_assignsubmission_file/simple_attention.py", "roster.csv", "overrides.csv")
    (work,) = find(tmp_path, layout="moodle", assignment=ONE).submissions
    assert work.student == "Ann_12"


@pytest.mark.parametrize(
    "text", ["", "- 1", "submission_1: 3", "!!python/object/apply:os.system [ls]", "a: [", "[" * 9999]
)
def test_a_file_of_gradescope_that_says_nothing_is_refused(text, tmp_path):
    put(tmp_path, "submission_1/simple_attention.py")
    put(tmp_path, "submission_metadata.yml", text=text)
    assert "submission_metadata.yml" in refused(tmp_path, layout="gradescope", assignment=ONE)


@pytest.mark.parametrize("time", ["gestern 2026", "9" * 5000, "Nov 3, 20261234567890 1131 AM"])
def test_attempts_whose_times_cannot_be_read_are_not_graded(time, tmp_path):
    names = [f"1-2 - Ann - {when}/simple_attention.py" for when in ("heute 2026", time)]
    (tmp_path / "all.zip").write_bytes(zipped(dict.fromkeys(names, b"x = 1\n")))
    (source,) = sources(find(tmp_path / "all.zip", layout="brightspace", assignment=ONE)).values()
    assert "heute" in source.problem and "newest" in source.problem


@pytest.mark.parametrize(
    "times",
    [("Nov 5, 2026 959 AM", "Nov 5, 2026 1001 AM", "Nov 5, 2026 101 PM"),
     ("Nov 5, 2026 9:59 AM", "Nov 5, 2026 10:01 AM", "Nov 5, 2026 1:01 PM")],
)  # fmt: skip
def test_a_clock_is_read_with_and_without_a_colon(times, tmp_path):
    for number, time in enumerate(times):
        put(tmp_path, f"1-2 - Ann - {time}/simple_attention.py", text=f"def softmax(x):\n    return {number}\n")
    listing = find(tmp_path, layout="brightspace", assignment=ONE)
    assert answers(listing) == {"1-2 - Ann": 2}
    (submission,) = listing.submissions
    assert submission.submitted == "2026-11-05T13:01:00"


def test_a_plus_in_a_name_is_no_sign_of_the_exchange(tmp_path):
    put(tmp_path, f"ann+ben/{ONE}/simple_attention.py")
    assert pairs(find(tmp_path, layout="nbgrader")) == [("ann+ben", ONE)]


def test_a_course_has_layouts_of_its_own(tmp_path):
    put(tmp_path, "ann/hw/2/simple_attention.py", "ann/hw/10/simple_attention.py", "ben/hw/1/x.py")
    layouts = {"ours": r"(?P<student>[^/]+)/hw/(?P<number>\d+)/(?P<file>.+)"}
    listing = find(tmp_path, layout="ours", layouts=layouts, assignment=ONE)
    assert [(submission.student, submission.uploaded) for submission in listing.submissions] == [
        ("ann", "ann/hw/10/simple_attention.py"), ("ben", "ben/hw/1/x.py"),
    ]  # fmt: skip


@pytest.mark.parametrize("pattern", ["(", "(?P<student>.+)"])
def test_a_layout_that_cannot_be_used_is_the_courses_fault(pattern, tmp_path):
    from grader.errors import CourseError

    put(tmp_path, "x.py")
    with pytest.raises(CourseError):
        find(tmp_path, layout="ours", layouts={"ours": pattern}, assignment=ONE)


def test_a_platform_that_is_not_known_is_refused_with_those_that_are(tmp_path):
    assert "canvas" in refused(put(tmp_path, "x.py"), layout="canvsa", assignment=ONE)


def test_names_in_the_old_code_of_windows_in_korea_are_read(tmp_path):
    import zipfile

    class Old(zipfile.ZipInfo):
        def _encodeFilenameFlags(self):
            return self.filename.encode("cp949"), self.flag_bits & ~0x800

    with zipfile.ZipFile(tmp_path / "old.zip", "w") as archive:
        archive.writestr(Old("김민준_12_assignsubmission_file_/simple_attention.py"), "x = 1")
    assert pairs(find(tmp_path / "old.zip", layout="moodle", assignment=ONE)) == [("김민준_12", ONE)]


@pytest.mark.parametrize("name", ["../ann_1_2_x.py", "/ann_1_2_x.py", "C:/ann_1_2_x.py"])
def test_a_zip_file_whose_paths_lead_out_of_it_is_refused(name, tmp_path):
    (tmp_path / "bad.zip").write_bytes(zipped({name: b""}))
    assert "leads out" in refused(tmp_path / "bad.zip", layout="canvas", assignment=ONE)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_download_with_a_folder_around_all_is_read(platform, tmp_path):
    made = PLATFORMS[platform]()
    path = made.write(tmp_path, packed=False)  # Gradescope's has such a folder itself
    assert answers(find(path if platform == "gradescope" else tmp_path, layout=platform, assignment=ID)) == made.wanted
