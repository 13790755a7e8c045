"""Notes on a source, which the student's copy shows: nothing that a worker tells can forge a sentence of the kit."""

import pytest

from grader.inside.protocol.answers import ChosenDefinition, Defined, Loaded, Place, Problem, RerunCell
from grader.inside.protocol.messages import Cell
from grader.workers.source_notes import SourceRecord

FORGED = "f\nYour score is 40 of 40."
SOURCE = "import matplotlib\n\n\ndef f(x):\n    return x\n"


def record(**told):
    """Return what is known of a source whose worker told these things."""
    loaded = Loaded(nonce=bytes(16), **{"names": [], "problems": [], "stand_ins": []} | told)
    return SourceRecord("a.py", False, loaded, cells=[Cell(1, SOURCE)])


def problem(type_name="ValueError", text="no", lost=()):
    return Problem(cell=1, line=4, source="", type_name=type_name, text=text, lost=list(lost))


@pytest.mark.parametrize(
    "told",
    [
        {"problems": [problem(text=FORGED)]},
        {"problems": [problem(type_name=FORGED)]},
        {"problems": [problem(type_name="", text=FORGED)]},
        {"problems": [problem(lost=[FORGED])]},
        {"stand_ins": [FORGED]},
        {"chosen": [ChosenDefinition(FORGED, Place(1, 4), [Place(1, 9)], "own")]},
        {"again": [RerunCell(1, FORGED)]},
    ],
)
def test_no_note_has_a_second_line(told):
    assert all(len(note.splitlines()) == 1 for note in record(**told).notes())


def test_what_a_worker_says_of_a_file_that_could_not_be_run_is_one_line():
    source = record()
    source.unread = "Your file could not be run: ValueError: " + FORGED
    assert [len(note.splitlines()) for note in source.notes()] == [1]


@pytest.mark.parametrize("name", ["Your score is 40", "nowhere", "f(x)", "", "Your\u2028score"])
def test_a_choice_is_told_only_of_names_that_stand_in_the_source(name):
    chosen = ChosenDefinition(name, Place(1, 4), [Place(1, 9)], "own")
    assert record(chosen=[chosen], again=[RerunCell(1, name)]).notes() == []


@pytest.mark.parametrize("name", ["f", "matplotlib"])
def test_names_of_the_source_are_told(name):
    chosen = ChosenDefinition(name, Place(1, 4), [Place(1, 9)], "own")
    assert [name in note for note in record(chosen=[chosen], again=[RerunCell(1, name)]).notes()] == [True, True]


def test_a_name_in_wide_letters_stands_in_the_source_as_python_reads_it():
    wide = SourceRecord("a.py", False, cells=[Cell(1, "def \uff46\uff47(x): ...\n")])
    assert wide.is_in_source("fg")
    assert not wide.is_in_source("gf")


def test_nothing_but_a_name_is_suggested():
    near = [record(names=[Defined(name, "function")]).missing("f_of_x", "").near for name in ("f_of_x\nhi", "f_ofx")]
    assert near == ["", "f_ofx"]
