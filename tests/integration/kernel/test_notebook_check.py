"""`check("...")` in a real kernel looks at the functions as they are now, shows HTML and text, and raises nothing."""

from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from grader.student_check import kernel_runs, notebook_check

from ...support.courses import ASSIGNMENT
from ...support.notebooks.kernels import Kernel, interrupted

RIGHT = "def shares(x):\n    return x / x.sum()\n"
KNOWN_ATTRIBUTES = {"style", "lang", "title", "role", "aria-label", "scope", "tabindex"}


def checked(running: Kernel, code: str, call: str = 'check("shares")'):
    """Run a cell and then a check; neither ends with an error or writes to a stream."""
    assert running.run(code).status == "ok"
    shown = running.run(call)
    assert shown.status == "ok", shown.outputs
    assert shown.streams == ""
    assert len(shown.of_type("text/html")) == len(shown.of_type("text/plain")) == 1
    well_formed(shown.html)
    return shown


def well_formed(html: str) -> str:
    """Require HTML that closes what it opens, loads nothing and runs nothing; returns its text."""
    opened: list[str] = []
    text: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            assert tag in {"div", "span", "code", "b", "table", "caption", "thead", "tbody", "tr", "th", "td"}
            assert {name for name, _ in attributes} <= KNOWN_ATTRIBUTES
            assert all("url(" not in (value or "") for _, value in attributes)
            opened.append(tag)

        def handle_endtag(self, tag):
            assert opened.pop() == tag

        def handle_data(self, data):
            text.append(data)

    reader = Reader()
    reader.feed(html)
    reader.close()
    assert opened == []
    return "".join(text)


def test_a_right_answer_is_shown_in_both_forms(running):
    shown = checked(running, RIGHT)
    assert shown.text.splitlines()[0] == ASSIGNMENT
    assert "shares  ok  (2 of 2)" in shown.text
    assert "2 / 2 visible checks passed." in shown.text
    page = well_formed(shown.html)
    assert "shares Shares of a whole ok 2 of 2" in page
    assert "Grading runs more checks than these." in page


def test_a_wrong_answer_shows_expected_and_found(running):
    shown = checked(running, "def shares(x):\n    return x / x.max()\n")
    for text in (shown.text, well_formed(shown.html)):
        assert "not yet" in text
        assert "the result is 0.5, expected 0.25" in text
    assert "Grading runs more" not in shown.html


def test_the_function_as_it_is_now_counts_and_not_its_history(running):
    """A name that an import, an assignment or exec bound is checked too, though no cell's text defines it."""
    checked(running, "def shares(x):\n    raise ValueError('an earlier attempt')\n")
    shown = checked(running, "exec('def made(x): return x / x.sum()')\nshares = made\n")
    assert "(2 of 2)" in shown.text
    shown = checked(running, "del shares\n")
    assert "shares is not defined here yet. Run the cell that defines it, then check again." in shown.text


def test_a_variable_named_in_is_the_students(running):
    """IPython keeps the cells under that name, too."""
    assert "(2 of 2)" in checked(running, f"cells, In = In, 3\n{RIGHT}").text
    assert running.run("In = cells").status == "ok"


def test_a_misspelt_function_is_found(running):
    shown = checked(running, RIGHT.replace("shares", "sharse") + "if 'shares' in vars(): "
                    "del shares\n")  # fmt: skip
    assert "shares is not defined here, but sharse is." in shown.text
    assert running.run("del sharse").status == "ok"


def test_an_exception_shows_the_cell_by_its_number_and_what_was_printed(running):
    code = "def shares(x):\n    print('so far <b>')\n    return undefined / x\n"
    shown = checked(running, code)
    number = running.run("print(len(In) - 2)").streams.split()[0]
    number = str(int(number) - 1)
    assert f"cell {number}, line 3:  return undefined / x" in shown.text
    assert "so far <b>" in shown.text
    assert "so far &lt;b&gt;" in shown.html


def test_the_function_itself_may_be_given_and_no_name_means_all(running):
    assert "(2 of 2)" in checked(running, RIGHT, "check(shares)").text
    shown = checked(running, RIGHT, "check()")
    assert "2 / 3 visible checks passed." in shown.text


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ('check("sharse")', "There is no exercise `sharse` here. Did you mean `shares`?"),
        ('check("zzz")', "The exercises are: shares, Shift"),
        ("check(3)", "and got a value of type int."),
        ('check("sharse", language="ko")', "`shares`인가요?"),
    ],
)
def test_wrong_use_is_one_sentence_and_no_traceback(running, call, sentence):
    shown = checked(running, RIGHT, call)
    assert sentence in shown.text
    assert sentence in well_formed(shown.html)
    assert "Traceback" not in shown.text


@pytest.mark.usefixtures("in_a_second")
def test_an_endless_loop_costs_the_time_limit_and_leaves_the_kernel_as_it_was(running):
    shown = checked(running, "kept = 7\ndef shares(x):\n    global kept\n    kept = 8\n    while True: pass\n")
    assert "shares did not finish in the time that a check has; look for a loop that never ends" in shown.text
    assert "thread" not in shown.text
    assert running.run("assert kept == 7").status == "ok"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("import os; os._exit(3)", "ended the whole Python process (exit status 3)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_a_crash_costs_the_check_and_not_the_kernel(running, body, reason):
    shown = checked(running, f"def shares(x):\n    {body}\n")
    assert "not yet  (0 of 2)" in shown.text
    assert reason in shown.text
    assert "(2 of 2)" in checked(running, RIGHT).text


def test_a_check_that_is_interrupted_ends_at_once_and_leaves_the_kernel_usable(running, folder):
    code = "import time\ndef shares(x):\n    open('begun', 'w').close()\n    while True: time.sleep(0.01)\n"
    assert running.run(code).status == "ok"
    shown = interrupted(running, 'check("shares")', folder / "begun")
    (error,) = shown.outputs
    assert (shown.status, error["ename"]) == ("error", "KeyboardInterrupt")
    assert len(error["traceback"]) < 8
    assert "(2 of 2)" in checked(running, RIGHT).text


def test_a_function_from_another_file_is_checked_and_said(running, folder):
    (folder / "mine.py").write_text(RIGHT.replace("x.sum()", "sum(x)"))
    try:
        shown = checked(running, "from mine import shares\n")
    finally:
        (folder / "mine.py").unlink()
    assert "(2 of 2)" in shown.text
    assert "shares comes from another file (mine). Only the notebook is handed in" in shown.text


def test_an_unforeseen_error_is_a_sentence_too(monkeypatch, folder):
    monkeypatch.chdir(folder)
    outcome = notebook_check.outcome_of("shares", "en", SimpleNamespace(user_ns={}, user_ns_hidden={}))
    assert "The check could not be run (AttributeError: " in repr(outcome)
    assert "Restart the kernel and try again" in well_formed(outcome._repr_html_())


def test_cells_are_told_apart_in_the_ipython_of_colab_too(monkeypatch):
    """IPython 7 has no name for the file of a cell, so the cell is known by its text."""
    import linecache

    cells = ["", "import torch", RIGHT, "x = 1"]
    kept = {f"<{number}>": (len(text), 0.0, [f"{line}\n" for line in text.splitlines()], "") for number, text in
            enumerate(cells) if number != 3}  # fmt: skip
    kept["<lost>"] = (1, 0.0, ["y = 2\n"], "<lost>")
    monkeypatch.setattr(linecache, "_ipython_cache", kept, raising=False)
    history = SimpleNamespace(input_hist_parsed=cells)
    shell = SimpleNamespace(compile=object(), history_manager=history)
    cell_numbers = kernel_runs.code_files(shell)
    assert {file: cell_numbers[file] for file in ("<1>", "<2>")} == {"<1>": 1, "<2>": 2}
    assert not {"<3>", "<lost>"} & set(cell_numbers)
