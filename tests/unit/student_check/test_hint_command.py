"""`grader hint` and `check.hint`: each time a hint is asked for, one that says more."""

import json
import sys

import pytest

from grader import check
from grader.course.content.student_course import find_student_files
from grader.student_check.progress import Progress, read_progress

from ...support.command_line import printed_by, run_here
from ...support.courses import HINT_LEVELS
from ...support.workers.answering import seen


def told(*arguments):
    return printed_by(*arguments, "hint", "shares")


def test_each_hint_says_more_than_the_one_before_and_the_last_stays(at_home):
    assert [told() for _ in range(4)] == [
        "shares, hint 1 of 3: This is where.\n",
        "shares, hint 2 of 3: This is idea.\n",
        "shares, hint 3 of 3: This is nearly.\n",
        "shares, hint 3 of 3: This is nearly.\nThat is the last hint.\n",
    ]


def test_hints_are_in_the_language_that_the_variables_name(at_home, capsys, monkeypatch):
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert told() == "shares, 힌트 1/3: 힌트 where.\n"
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(at_home / "tiny.py"), raising=False)
    check.hint("shares")
    assert capsys.readouterr().out == "shares, 힌트 2/3: 힌트 idea.\n"
    monkeypatch.setenv("GRADER_LANGUAGE", "en")
    assert told() == "shares, hint 3 of 3: This is nearly.\n"


def test_an_exercise_without_hints_has_a_sentence(at_home):
    assert "There is no further hint for Shift." in run_here("hint", "Shift").stdout


def test_what_acts_on_a_terminal_is_shown_as_its_number(at_home):
    text = HINT_LEVELS.replace("This is where.", "\\u001b[2Jgone\\u202e")
    (at_home / "hints.toml").write_text(text, encoding="utf-8")
    assert told() == "shares, hint 1 of 3: \\x1b[2Jgone\\u202e\n"


def test_a_script_or_notebook_asks_for_the_same_hints(at_home, capsys, monkeypatch):
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(at_home / "tiny.py"), raising=False)
    check.hint("shares")
    check.hint("shares", "ko")
    check.hint("sharse")
    check.hint(None)
    check.hint("shares", "fr")
    first, second, third, fourth, fifth = capsys.readouterr().out.splitlines()
    assert (first, second) == ("shares, hint 1 of 3: This is where.", "shares, 힌트 2/3: 힌트 idea.")
    assert "Did you mean `shares`?" in third
    assert "takes the name of an exercise" in fourth
    assert "'fr'" in fifth


HOSTILE = {
    "cut off": b'{"exercises": {"sha',
    "a level that is not there": json.dumps({"exercises": {"shares": {"level": 9}}}).encode(),
    "nested": b"[" * 100_000,
    "large": b" " * 1_100_000 + b"{}",
    "not text": b"\xff\xfe",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_broken_file_of_progress_is_named_left_aside_and_written_anew(at_home, data):
    seen(at_home).parent.mkdir()
    seen(at_home).write_bytes(data)
    first = told()
    assert "progress.json was changed or damaged, so your saved progress is ignored." in first
    assert first.endswith("hint 1 of 3: This is where.\n")
    assert told() == "shares, hint 2 of 3: This is idea.\n"


def test_progress_that_cannot_be_kept_costs_no_hint(at_home):
    (at_home / ".grader").write_text("in the way")
    assert "hint 1 of 3: This is where.\nYour progress could not be saved." in told()


def test_a_folder_in_the_place_of_the_file_is_ignored(at_home):
    seen(at_home).mkdir(parents=True)
    files = find_student_files(at_home)
    progress, notes = read_progress(files, "ko")
    assert progress == Progress()
    assert "진행 상황을 읽지 않았습니다" in notes[0]
