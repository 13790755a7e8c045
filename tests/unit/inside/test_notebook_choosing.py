"""Which of several definitions counts, and that what is read for forbidden calls is the one that is graded."""

import re

import torch

from grader.workers.calls.student import Student

from ...support.workers.open_workers import open_session

STUB = "def f(x):\n    '''Text.'''\n    raise NotImplementedError('f is not written yet')\n"
ONE = "def f(x):\n    return x + 1\n"
TWO = "def f(x):\n    return x + 2\n"
FORBIDDEN = "def f(x):\n    return x.softmax(-1)\n"
OWN = "f"


def test_the_definition_that_counts(subtests):
    for cells, value, note in [
        ([(ONE, OWN), TWO], 1, "f is defined more than once: its own cell counts (cell 1), and not cell 2."),
        ([TWO, (ONE, OWN)], 1, None),
        ([(STUB, OWN), TWO], 2, "f is taken from cell 2, since what is in cell 1 is not written yet."),
        ([TWO, (STUB, OWN)], 2, "f is taken from cell 1, since what is in cell 2 is not written yet."),
        ([(ONE, OWN), (TWO, OWN)], 2, "cell 2 counts, the last of them that is written, and not cell 1."),
        ([(ONE, OWN), (STUB, OWN)], 1, "cell 1 counts, the last of them that is written, and not cell 2."),
        ([(ONE, OWN), (STUB, OWN), TWO], 1, "the last of them that is written, and not cell 2 and cell 3."),
        ([(ONE + STUB, OWN), TWO], 1, "f is defined more than once: its own cell counts (cell 1), and not cell 2."),
        ([(ONE + "f = torch.no_grad()(f)\n", OWN)], 1, None),
        ([("'''Notes.'''\nimport math\nclass Help: pass\n" + ONE, OWN), TWO], 1, "its own cell counts"),
        ([ONE, TWO], 2, None),
        ([("g = 1\n", OWN), TWO], 2, None),
        ([("def f(:\n", OWN), TWO], 2, None),
        ([("def f(x):\n    return x + 1\n    raise NotImplementedError('left over')\n", OWN), TWO], 1, "its own cell"),
    ]:  # fmt: skip
        with subtests.test(cells=cells, value=value, note=note):
            session = open_session(["import torch", *cells])
            cells_down = note and re.sub(r"(?<=cell )\d", lambda match: str(int(match[0]) + 1), note)
            assert torch.equal(Student(session).f(torch.zeros(1)), torch.full((1,), float(value)))
            told = [sentence for sentence in session.notes() if "stopped with" not in sentence]
            assert [cells_down in sentence for sentence in told] == ([True] if note else [])


def test_the_definition_that_counts_is_the_one_that_is_run(subtests):
    for cells, is_softmax in [
        ([(FORBIDDEN, OWN), ONE], True),
        ([(ONE, OWN), FORBIDDEN], False),
        ([(ONE, OWN), (FORBIDDEN, OWN)], True),
        ([(FORBIDDEN, OWN), (STUB, OWN)], True),
        (["1 / 0\n", (ONE, OWN), "f = torch.softmax\n"], False),
        ([(ONE, OWN), "from torch.nn.functional import softmax as f\n"], False),
        ([(ONE.replace("x + 1", "sm(x, -1)"), OWN), "from torch import softmax as sm\nf = 1\n"], True),
    ]:
        with subtests.test(cells=cells, is_softmax=is_softmax):
            session = open_session(["import torch", *cells])
            answer = Student(session).f(torch.zeros(2))
            assert torch.equal(answer, torch.full((2,), 0.5)) is is_softmax


def test_a_cell_that_is_gone_on_with_does_not_take_over_what_stands_further_down():
    """Otherwise code could be hidden from the reading, which takes the last definition, by the order of cells."""
    session = open_session(["import torch", f"later\n{FORBIDDEN}\nmore = 1", ONE, "later = more_or_less = 1"])
    assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
    assert {"more", "later"} <= {defined.name for defined in session.record.names}
    assert "Cell 2 needs later, which is defined further down; the rest of it was run after that." in session.notes()


def test_cells_in_any_order_define_everything():
    session = open_session(["class C(B):\n    pass\n", "class B(A):\n    pass\n", "class A:\n    pass\n"])
    session.ready()
    assert {"A", "B", "C"} <= {defined.name for defined in session.record.names}
    assert session.record.problems == []


def test_a_name_that_nobody_defines_is_told_once():
    session = open_session(["lost = nowhere\nkept = abs(1)", "a = 1"])
    session.ready()
    assert session.notes() == [
        "Line 1 of cell 1 stopped with NameError: name 'nowhere' is not defined. Not defined because of it: lost."
    ]


def test_a_name_error_of_the_students_own_making_ends_its_cell_and_nothing_else():
    long = f"def {'b' * 400}(): "
    session = open_session(["raise NameError('x', name=[1])", "raise NameError('y', name='a' * 9)",
                            "a" * 400 + " = 1\n", ONE, f"{long}pass\n{long}raise NotImplementedError\n"])  # fmt: skip
    assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
    assert [problem.type_name for problem in session.record.problems] == ["NameError", "NameError"]


def test_two_cells_that_wait_for_each_other_end():
    session = open_session(["a = abs(b)", "b = abs(a)"])
    session.ready()
    assert len(session.record.problems) == 2
