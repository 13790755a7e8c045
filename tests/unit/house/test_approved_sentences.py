"""The file of approved sentences: what is recorded is what is asked for, and tests that are gone leave nothing."""

from ...support import approved as support

HERE = "unit/course/test_build_stub.py::test_exercise_without_a_region_is_refused"
OTHER = "unit/course/test_course_layout.py::test_course_without_assignments_is_refused"
WITHOUT = "unit/course/test_build_stub.py::test_region_becomes_a_place_to_write_at_its_own_indentation"


def test_what_a_file_of_tests_recorded_is_approved_and_what_belongs_to_no_test_goes(monkeypatch, tmp_path):
    monkeypatch.setattr(support, "FILE", tmp_path / "sentences.txt")
    support.write({f"{HERE}[gone]": ["Of no case."], f"{HERE}x": ["Of no test."], OTHER: ["Of another file."]})
    support.write({f"{HERE}[one]": ["A [first] sentence.", "A second one."], f"{HERE}[two]": [], WITHOUT: ["Refused."]})
    assert support.approved() == {f"{HERE}[one]": ["A [first] sentence.", "A second one."], OTHER: ["Of another file."]}
