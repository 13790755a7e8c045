"""Times and rosters go to the folders that are there, however their names are encoded, and to nobody who left."""

import json
import unicodedata
from pathlib import Path

import pytest

from ..lms.lms_reports import report_of
from ..support.command_line import Done, run_here
from ..support.courses import write_files
from .graded_classes import TINY, course_with

NFC, NFD = (unicodedata.normalize(form, "Jos\u00e9") for form in ("NFC", "NFD"))


def apply(course: Path, *more: object) -> Done:
    done = run_here("apply", course / "reports", "--course", course, *more)
    assert done.returncode == 0, done.stderr
    return done


def counted(course: Path) -> dict[str, object]:
    book = json.loads((course / "reports" / "gradebook.json").read_bytes())
    return {each["student"]: each["counted"] for each in book["entries"]}


def leave(course: Path, student: str) -> None:
    """Note that the class no longer has a submission."""
    place = course / "reports" / "summary.json"
    summary = json.loads(place.read_bytes())
    summary["handed_in"][TINY] = [each for each in summary["handed_in"][TINY] if each != student]
    summary |= {"gone": {TINY: [student]}, "journal_bytes": (place.parent / "journal.jsonl").stat().st_size}
    place.write_text(json.dumps(summary))


@pytest.mark.parametrize(("left", "there"), [(NFC, NFD), (NFD, NFC)])
def test_a_time_goes_to_the_folder_that_is_there_and_not_to_one_of_the_same_name_that_left(tmp_path, left, there):
    course_with(tmp_path, [report_of(NFC), report_of(NFD)])
    leave(tmp_path, left)
    write_files(tmp_path, {"t.csv": f"student,assignment,submitted\n{left},{TINY},2026-03-04 18:00\n"})
    apply(tmp_path, "--times", tmp_path / "t.csv")
    assert counted(tmp_path) == {there: 3.85}
