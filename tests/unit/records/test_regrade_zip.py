"""A class in a zip file is the class: the same submissions are kept, and nothing of the zip file is written."""

import shutil

from ...support.classes.class_runs import RIGHT, grade, reports
from ...support.courses import hand_in


def packed(klass):
    """Return the class as a zip file beside it, in place of one that is there."""
    return klass.parent / shutil.make_archive(str(klass.parent / "packed"), "zip", klass)


def test_a_class_is_kept_from_its_folder_to_its_zip_file_and_back(klass, course, tmp_path):
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


def test_a_class_graded_from_a_zip_file_has_the_scores_of_its_folder_and_leaves_no_file(klass, course, tmp_path):
    folder = grade(klass, course, fresh=True)
    zipped = packed(klass)
    shutil.rmtree(klass)
    again = grade(zipped, course, fresh=True)
    assert again.summary.kept == 0
    assert [(row.student, row.score) for row in again.rows] == [(row.student, row.score) for row in folder.rows]
    assert [path for path in tmp_path.rglob("tiny*.py") if not path.is_relative_to(course)] == []
