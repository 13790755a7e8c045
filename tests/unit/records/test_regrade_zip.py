"""A class in a zip file is the class: the same submissions are kept, and nothing of the zip file is written."""

import shutil

from ...support.classes.class_runs import RIGHT, grade, reports
from ...support.courses import hand_in


def packed(klass):
    """Return the class as a zip file beside it, in place of one that is there."""
    return klass.parent / shutil.make_archive(str(klass.parent / "packed"), "zip", klass)


def test_a_class_is_the_same_in_its_folder_and_in_its_zip_file_of_which_no_file_is_left(klass, course, tmp_path):
    first = grade(klass, course)
    before = reports(tmp_path / "out")
    zipped = packed(klass)
    second = grade(zipped, course)
    assert (first.summary.kept, second.summary.kept, second.summary.submissions) == (0, 4, 4)
    assert grade(klass, course).summary.kept == 4
    assert reports(tmp_path / "out") == before
    hand_in(klass, "ben", RIGHT + "# ben\n")
    third = grade(packed(klass), course)
    scores = {row.student: row.score for row in third.rows}
    assert (third.summary.kept, scores["ben"]) == (3, scores["cho"])
    shutil.rmtree(klass)
    fresh = grade(zipped, course, fresh=True)
    assert fresh.summary.kept == 0
    assert [(row.student, row.score) for row in fresh.rows] == [(row.student, row.score) for row in third.rows]
    assert [path for path in tmp_path.rglob("tiny*.py") if not path.is_relative_to(course)] == []
