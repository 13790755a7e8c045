"""`grader reset`: one exercise is as it was handed out again, everything else stays, and a copy is kept."""

import io
import json

import pytest

from ...support.answering import RIGHT, STUB, seen, write_answer
from ...support.command_line import run_here

SHIFT = "        return x + self.beta  # mine\n"


def reset(*arguments, answer="--yes"):
    """Reset `shares`."""
    return run_here("reset", "shares", *arguments, *([answer] if answer else []))


def copies(folder):
    """Return the copies that were kept, by name."""
    return {path.name: path.read_bytes() for path in sorted((folder / ".grader").glob("*-before-reset-*"))}


def test_only_the_exercises_cell_changes_and_the_file_before_is_kept(at_home):
    handed_out = (at_home / "tiny.py").read_bytes()
    write_answer(at_home, RIGHT + "\n\ndef helper(x):\n    return x")
    file = at_home / "tiny.py"
    before = file.read_bytes()
    done = reset()
    assert done.returncode == 0, done.stderr
    assert file.read_bytes() == handed_out
    assert copies(at_home) == {"tiny-before-reset-1.py": before}
    assert "shares in tiny.py is as it was handed out." in done.stdout
    assert str(at_home / ".grader" / "tiny-before-reset-1.py") in done.stdout


def test_a_second_copy_never_takes_the_place_of_the_first(at_home):
    for body in ("return 1", "return 2"):
        write_answer(at_home, body)
        assert reset().returncode == 0
    first, second = copies(at_home).values()
    assert b"return 1" in first and b"return 2" in second


def test_the_answer_to_another_exercise_stays(at_home):
    file = write_answer(at_home)
    text = file.read_text(encoding="utf-8")
    at = text.index("raise NotImplementedError", text.index("def forward"))
    text = text[:at] + SHIFT.strip() + text[text.index("\n", at) :]
    file.write_text(text, encoding="utf-8")
    assert reset().returncode == 0
    assert file.read_text(encoding="utf-8") == text.replace(RIGHT, STUB, 1)


@pytest.mark.parametrize("broken", ["return (", "return x\n  oops", '"""'])
def test_a_file_that_is_no_python_just_now_can_be_reset(at_home, broken):
    file = write_answer(at_home, broken)
    assert reset().returncode == 0
    assert STUB in file.read_text(encoding="utf-8")


def test_line_ends_of_windows_stay(at_home):
    file = write_answer(at_home)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert reset().returncode == 0
    assert STUB.encode() in file.read_bytes()
    assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")


@pytest.mark.parametrize("typed", ["n\n", "\n", "what?\n", ""], ids=["no", "enter", "nonsense", "the end of the input"])
def test_nothing_happens_without_a_yes(at_home, monkeypatch, typed):
    file = write_answer(at_home)
    before = file.read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    done = reset(answer=None)
    assert done.stdout.startswith("Put shares in tiny.py back as it was handed out?")
    assert done.stdout.endswith("Nothing was changed.\n")
    assert done.returncode == 1
    assert file.read_bytes() == before
    assert copies(at_home) == {}


def test_a_yes_resets(at_home, monkeypatch):
    write_answer(at_home)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert reset(answer=None).returncode == 0
    assert STUB in (at_home / "tiny.py").read_text(encoding="utf-8")


def notebook_of(folder, source):
    """Write a source into the notebook's cell of `shares`; return the notebook."""
    file = folder / "tiny.ipynb"
    notebook = json.loads(file.read_bytes())
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "shares":
            cell.update(source=source, execution_count=3,
                        outputs=[{"output_type": "stream", "name": "stdout", "text": "half \ud800"}])  # fmt: skip
    file.write_text(json.dumps(notebook), encoding="utf-8")
    return file


def test_a_notebooks_cell_is_reset_with_its_outputs(at_home):
    handed_out = json.loads((at_home / "tiny.ipynb").read_bytes())
    file = notebook_of(at_home, "def shares(x):\n    return 1\n")
    assert reset("tiny.ipynb").returncode == 0
    assert json.loads(file.read_bytes()) == handed_out


def test_where_both_files_hold_code_one_has_to_be_named(at_home):
    write_answer(at_home)
    notebook_of(at_home, ["def shares(x):\n", "    return 1\n"])
    done = reset()
    assert (done.returncode, "Both tiny.py and tiny.ipynb hold code for shares." in done.stderr) == (2, True)
    assert reset("tiny.py").returncode == 0
    assert reset().returncode == 0  # only the notebook is left


REFUSED = {
    "nothing to reset": (lambda text: text, "is as it was handed out, so there is nothing to reset"),
    "a lost mark": (lambda text: text.replace('"grade_id": "shares"}', "}"), "tiny.py has no such cell"),
    "a lost mark of the next": (
        lambda text: "".join(
            line for line in text.splitlines(keepends=True)
            if not line.startswith("# %%") or '"grade_id": "shares"' in line
        ),
        "or the cell holds another exercise too",
    ),
    "a mark twice": (lambda text: text + text, "tiny.py has no such cell"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), REFUSED.values(), ids=REFUSED)
def test_a_file_in_which_it_is_not_sure_what_to_reset_is_left_alone(at_home, change, said):
    (at_home / "tiny.ipynb").unlink()
    file = at_home / "tiny.py"
    text = change(file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")
    done = reset()
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert file.read_text(encoding="utf-8") == text
    assert copies(at_home) == {}


@pytest.mark.parametrize("data", [None, b"{", b"{}"])
def test_without_the_stub_nothing_is_reset(at_home, data):
    (at_home / "stubs.json").unlink() if data is None else (at_home / "stubs.json").write_bytes(data)
    write_answer(at_home)
    done = reset()
    assert (done.returncode, "Take the file out of the release once more." in done.stderr) == (2, True)


def test_a_copy_that_cannot_be_kept_stops_the_reset(at_home):
    file = write_answer(at_home)
    (at_home / ".grader").write_text("in the way")
    done = reset()
    assert (done.returncode, "A copy could not be kept" in done.stderr) == (2, True)
    assert RIGHT in file.read_text(encoding="utf-8")


def test_what_checks_saw_of_the_exercise_is_forgotten(at_home):
    seen(at_home).parent.mkdir()
    seen(at_home).write_text('{"exercises": {"shares": {"state": "done"}, "Shift": {"state": "done"}}}')
    write_answer(at_home)
    assert reset().returncode == 0
    kept = json.loads(seen(at_home).read_bytes())["exercises"]
    assert (kept["shares"].get("state", "open"), kept["Shift"]["state"]) == ("open", "done")
