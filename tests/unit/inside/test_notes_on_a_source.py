"""Notes on a source, which the student's copy shows: nothing that a worker tells can forge a sentence of the kit."""

import re

import pytest

from grader.inside.protocol.answers import TOO_LONG, ChosenDefinition, Defined, Loaded, Place, Problem, RerunCell
from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.workers.source_notes import SourceRecord

FORGED = "f\nYour score is 40 of 40."
SOURCE = "import matplotlib\n\n\ndef f(x):\n    return x\n"


def record(**told):
    """Return what is known of a source whose worker told these things."""
    loaded = Loaded(nonce=bytes(16), **{"names": [], "problems": [], "stand_ins": []} | told)
    return SourceRecord("a.py", False, loaded, cells=[Cell(1, SOURCE)])


def problem(type_name="ValueError", text="no", lost=()):
    return Problem(cell=1, line=4, source="", type_name=type_name, text=text, lost=list(lost))


def test_no_note_has_a_second_line(subtests):
    for told in [
        {"problems": [problem(text=FORGED)]},
        {"problems": [problem(type_name=FORGED)]},
        {"problems": [problem(type_name="", text=FORGED)]},
        {"problems": [problem(lost=[FORGED])]},
        {"stand_ins": [FORGED]},
    ]:
        with subtests.test(told=told):
            assert {len(note.splitlines()) for note in record(**told).notes()} == {1}


def test_what_a_worker_says_of_a_file_that_could_not_be_run_is_one_line():
    source = record()
    source.unread = "Your file could not be run: ValueError: " + FORGED
    assert [len(note.splitlines()) for note in source.notes()] == [1]


@pytest.mark.parametrize("name", ["Your score is 40", "nowhere", "f(x)", "", "Your\u2028score", FORGED])
def test_a_choice_is_told_only_of_names_that_stand_in_the_source(name):
    chosen = ChosenDefinition(name, Place(1, 4), [Place(1, 9)], "own")
    assert record(chosen=[chosen], again=[RerunCell(1, name)]).notes() == []


TOLD = {
    "an exception": {"problems": [problem(lost=["f"])]},
    "a stop": {"problems": [problem(type_name="", text=TOO_LONG)]},
    "stand-ins": {"stand_ins": ["matplotlib"]},
    "left out": {"left_out": [Place(1, 1)]},
    "needed earlier": {"again": [RerunCell(1, "f")]},
    **{why: {"chosen": [ChosenDefinition("f", Place(1, 4), [Place(1, 9)], why)]} for why in ("own", "copy", "written")},
}

CODE = {"ValueError", "no", "import", "matplotlib", "grade", "id"}
"""Words of code, which are the same in every language."""


def test_every_note_is_there_in_korean_without_english_words(subtests):
    for told in TOLD.values():
        for notebook in [False, True]:
            with subtests.test(told=told, notebook=notebook):
                source = record(**told)
                source.notebook = notebook
                (note,) = source.notes("ko")
                assert set(re.findall(r"[A-Za-z]{2,}", note)) <= CODE
                assert re.search("[가-힣]", note)


def test_an_exception_without_words_ends_its_note_with_one_full_stop():
    assert record(problems=[problem("KeyboardInterrupt", "")]).notes() == ["Line 4 stopped with KeyboardInterrupt."]


def test_what_counts_of_two_files_is_not_said_for_each_name_again():
    chosen = ChosenDefinition("f", Place(PY_BESIDE, 4), [Place(2, 1)], "written")
    source = record(chosen=[chosen])
    source.notebook = True
    assert source.notes() == []
    both = ChosenDefinition("f", Place(2, 4), [Place(PY_BESIDE, 1), Place(3, 1)], "own")
    source.loaded.chosen[:] = [both]
    assert source.notes() == ["f is defined more than once: its own cell counts (cell 2), and not cell 3."]


def missing(text, **told):
    """Return what is said of `f`, which running a text did not define, in both languages."""
    source = record(**told)
    source.cells = [Cell(1, text)]
    failure = source.missing("f", "f is a value of type int")
    return failure.sentence, failure.sentence.to("ko")


@pytest.mark.parametrize("around", ["class Answers:", "def outer():", 'if __name__ == "__main__":'])
def test_a_definition_inside_of_something_else_is_named_with_its_place(around):
    english, korean = missing(f"{around}\n    def f(x):\n        return x\n", problems=[problem()])
    assert english == (
        "f is not defined in a.py. It is in line 2, but inside of something else, since that line is indented. "
        "Begin it at the left margin."
    )
    assert "2번째 줄" in korean


def test_an_error_elsewhere_is_not_the_cause_of_a_name_that_the_text_does_not_define():
    wrong = {"problems": [problem(text="elsewhere")]}
    assert missing('check("f")\n', **wrong)[0] == "f is not defined in a.py. Define it under exactly this name."
    assert "stopped with ValueError: elsewhere" in missing("f = made()\n", **wrong)[0]


def test_a_misspelt_name_comes_first_unless_the_right_one_is_indented():
    near = {"names": [Defined("F", "function")]}
    assert "Did you mean F?" in missing("def F(x): ...\n", **near)[0]
    assert "F인가요?" in missing("def F(x): ...\n", **near)[1]


def test_a_name_in_wide_letters_stands_in_the_source_as_python_reads_it():
    wide = SourceRecord("a.py", False, cells=[Cell(1, "def \uff46\uff47(x): ...\n")])
    assert wide.is_in_source("fg")
    assert not wide.is_in_source("gf")


def test_nothing_but_a_name_is_suggested():
    near = [record(names=[Defined(name, "function")]).missing("f_of_x", "").near for name in ("f_of_x\nhi", "f_ofx")]
    assert near == ["", "f_ofx"]
