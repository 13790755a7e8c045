"""`grader watch` answers a save or a key: runs what changed and says what came of it, whatever the file is like."""

import io
from contextlib import closing
from pathlib import Path

import pytest

from ...support.needed import skip_without

skip_without("watchfiles")
from rich.console import Console  # noqa: E402

from grader.course.content.student_course import find_student_files  # noqa: E402
from grader.student_check.children import Interpreters  # noqa: E402
from grader.student_check.watching import keys, loop  # noqa: E402

from ...support.command_line import run_here  # noqa: E402
from ...support.workers.answering import RIGHT, WRONG, write_answer  # noqa: E402

pytestmark = pytest.mark.usefixtures("warm_workers")


@pytest.fixture
def watched(at_home):
    """An assignment under watch; `said()` returns what it printed since it was asked last."""
    console = Console(file=io.StringIO(), highlight=False, soft_wrap=True)
    with closing(Interpreters()) as interpreters:
        watched = loop.Watched(at_home, find_student_files(at_home), interpreters, "en", console)

        def said():
            text = console.file.getvalue()
            console.file.seek(0)
            console.file.truncate()
            return text

        watched.said = said
        yield watched


def test_it_begins_with_the_first_exercise_and_goes_on_to_the_next(watched, at_home):
    watched.run()
    assert watched.current == "shares"
    assert "shares is not written yet" in watched.said()
    write_answer(at_home)
    watched.run()
    printed = watched.said()
    assert "2 / 2 visible checks passed." in printed
    assert printed.endswith("01_tiny: 1 of 2 done.\n")
    watched.answer("n")
    printed = watched.said()
    assert watched.current == "Shift"
    assert "Shift is not written yet" in printed and "shares is" not in printed


def test_tests_that_name_no_exercise_are_a_sentence(watched, at_home):
    (at_home / "test_tiny.py").write_text("x = 1\n")
    again = loop.Watched(at_home, find_student_files(at_home), watched.interpreters, "en", watched.console)
    again.run()
    again.answer("n")
    again.end()
    assert "examples.json is not as it came" in watched.said()


def test_a_save_runs_only_what_it_changed(watched, at_home):
    write_answer(at_home)
    watched.run()
    watched.said()
    file = at_home / "tiny.py"
    file.write_text(file.read_text().replace('raise NotImplementedError("Shift', 'raise ValueError("Shift'))
    watched.run()
    printed = watched.said()
    assert "ValueError" in printed
    assert "shares  ok" not in printed, "shares was run again"
    assert watched.current == "Shift"
    file.write_text(file.read_text().replace("import torch\n", "import torch\nHALF = 0.5\n", 1))
    watched.run()
    assert "shares  ok" in watched.said(), "what runs at the top was changed, which shares may use"


def test_a_save_without_a_change_and_the_key_r_run_the_current_exercise(watched):
    watched.run()
    first = watched.said()
    watched.run()
    assert watched.said() == first
    watched.answer("r")
    assert watched.said() == first


def test_the_list_says_what_is_done_begun_and_left(watched, at_home):
    write_answer(at_home, WRONG)
    watched.run()
    watched.said()
    watched.answer("l")
    lines = [" ".join(line.split()) for line in watched.said().splitlines()]
    assert lines == ["01_tiny 0 of 2 done", "shares x in progress", "Shift - not started"]


def test_tomorrow_starts_where_today_ended(watched, at_home):
    watched.run()
    watched.answer("n")
    assert watched.current == "Shift"
    again = loop.Watched(at_home, watched.files, watched.interpreters, "ko", watched.console)
    again.run()
    assert again.current == "Shift"


def test_all_done_is_said(watched, at_home):
    write_answer(at_home)
    file = at_home / "tiny.py"
    text = file.read_text(encoding="utf-8")
    text = text.replace("raise NotImplementedError", "self.beta = nn.Parameter(torch.zeros(d)) #", 1)
    file.write_text(text.replace("raise NotImplementedError", "return x + self.beta #", 1), encoding="utf-8")
    watched.run()
    assert "01_tiny: 2 of 2 done.\nEvery exercise is done." in watched.said()
    watched.answer("n")
    assert watched.said().startswith("Every exercise is done.")


@pytest.mark.parametrize(
    ("body", "words"), [("return (x /", "SyntaxError"), ("import os; os._exit(3)", "exit status 3")]
)
def test_what_is_broken_or_ends_its_process_costs_its_run_and_the_next_save_is_judged(watched, at_home, body, words):
    write_answer(at_home, body)
    watched.run()
    assert words in watched.said()
    write_answer(at_home, RIGHT)
    watched.run()
    assert "2 / 2 visible checks passed." in watched.said()


def test_a_file_that_is_gone_or_unreadable_is_a_sentence(watched, at_home):
    watched.run()
    watched.said()
    (at_home / "tiny.ipynb").unlink()
    text = (at_home / "tiny.py").read_bytes()
    (at_home / "tiny.py").unlink()
    watched.run()
    assert "holds neither" in watched.said()
    (at_home / "tiny.py").write_bytes(b"\xff\xfe\x00")
    watched.run()
    assert "tiny.py" in watched.said()
    (at_home / "tiny.py").write_bytes(text)
    watched.run()
    assert "shares is not written yet" in watched.said()


def test_a_check_meanwhile_counts(watched, at_home):
    watched.run()
    write_answer(at_home)
    assert run_here("check", at_home).returncode == 1
    watched.answer("r")
    watched.answer("l")
    assert "+ done" in watched.said()


def test_a_folder_that_is_gone_ends_the_watching_with_a_sentence(tmp_path):
    place = tmp_path / "gone"
    place.mkdir()
    saves = loop._saves(place, {"tiny.py"}, "en")
    assert next(saves) is False
    place.rmdir()
    with pytest.raises(loop.UsageError, match="cannot be watched: it is gone"):
        next(saves)


@pytest.mark.parametrize(
    ("names", "other", "saved", "way"),
    [
        ({"tiny.py"}, "other.py", "tiny.py", Path.touch),
        ({"tiny.py"}, "other.py", "tiny.py", lambda place: place.with_name("other.py").replace(place)),
        (None, "notes.txt", "tiny (1).py", Path.touch),
        (None, ".hidden.py", "tiny (1).py", Path.touch),
    ],
    ids=["written", "renamed", "any program, not a text", "any program, not a hidden one"],
)
def test_a_save_is_seen_however_the_editor_does_it_and_other_files_are_not(tmp_path, names, other, saved, way):
    saves = loop._saves(tmp_path, names, "en")
    assert next(saves) is False
    (tmp_path / other).write_text("1")
    assert [next(saves) for _ in range(3)] == [False] * 3
    way(tmp_path / saved)
    assert any(next(saves) for _ in range(50))


def test_keys_are_letters_in_both_languages_and_arrows_are_none():
    assert keys._plain("hL\x1b[A\x1b[1;5Cn\x1bOPr\x1bxㅂ\x1b") == "hlnrq"
