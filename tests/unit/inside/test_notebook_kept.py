"""An exercise stays what its own cell makes of it, whatever other cells do; slow and failing cells cost nothing."""

import pytest
import torch

from grader.workers.calls.replies import RaisedError
from grader.workers.calls.student import Student

from ...support.workers.open_workers import failure_of, open_session

ONE = "def f(x):\n    return x + 1\n"
TWO = "def f(x):\n    return x + 2\n"
OWN = "f"


def value(session):
    return float(Student(session).f(torch.zeros(1)))


def test_no_other_cell_changes_what_the_own_cell_defined(subtests):
    for scratch in [
        TWO,
        "for f in [torch.ones(2)]: pass\n",
        "(f := 3)\n",
        "if True:\n    def f(x): return x\n",
        "def g():\n    global f\n    f = 3\ng()\n",
        "globals()['f'] = 3\n",
        "from math import exp as f\n",
        "from torch.nn.functional import *\nf = softmax\n",
        "class f: pass\n",
    ]:
        with subtests.test(scratch=scratch):
            session = open_session(["import torch", (ONE, OWN), scratch, "after = 1"])
            assert value(session) == 1
            told = "f is defined more than once: its own cell counts (cell 2), and not cell 3."
            assert any(told in note for note in session.notes())


def test_cells_that_only_use_it_are_not_mentioned(subtests):
    for scratch in ["", "f\n", "f.note = 1\n", "y = f(torch.ones(1))\nprint(y)\n", "def g(f): return f\n"]:
        with subtests.test(scratch=scratch):
            session = open_session(["import torch", (ONE, OWN), scratch])
            assert value(session) == 1 and session.notes() == []


def test_an_own_cell_counts_however_it_comes_to_the_definition(subtests):
    for cell in [
        "1 / 0\n" + ONE,
        "if True:\n    def f(x):\n        return x + 1\n",
        "try:\n    from nowhere import f\nexcept ImportError:\n    def f(x):\n        return x + 1\n",
    ]:
        with subtests.test(cell=cell):
            session = open_session(["import torch", (cell, OWN), TWO])
            assert value(session) == 1


def test_an_own_cell_that_fails_at_the_definition_itself_is_not_replaced_by_what_nobody_read():
    """The reading for forbidden calls saw the own cell; what it did not see must not be graded."""
    session = open_session(["import torch", ("@nowhere.at_all\n" + ONE, OWN), TWO])
    with pytest.raises(Exception, match="nowhere"):
        value(session)


def test_a_cell_that_tidies_up_takes_nothing_away(subtests):
    for scratch in [
        "del torch\n",
        "del f\n",
        "try:\n    1 / 0\nexcept ZeroDivisionError as f:\n    pass\n",
        "%reset -f\ndel D, torch\n",
        "globals().clear()\n",
    ]:
        with subtests.test(scratch=scratch):
            session = open_session(["import torch\nD = 1", ("def f(x):\n    return torch.relu(x) + D\n", OWN), scratch])
            assert value(session) == 1


def test_an_own_cell_that_waits_for_a_later_one_counts_when_that_has_run():
    session = open_session(["import torch", ("@twice\n" + ONE, OWN), TWO, "def twice(g): return lambda x: g(g(x))\n"])
    assert value(session) == 2
    assert any("Cell 2 needs twice" in note for note in session.notes())


def test_a_class_may_be_written_in_two_cells():
    first = "class f:\n    def __init__(self): self.a = 1\n"
    second = "class f(f):\n    def __call__(self, x): return x + self.a\n"
    session = open_session(["import torch", (first, OWN), second, "class f: pass\n"])
    Student(session).f()
    assert any("and not cell 4." in note for note in session.notes())


def test_what_counts_as_written(subtests):
    for body, written in [
        ("    if x is not None:\n        return x + 1\n    raise NotImplementedError('left over')\n", True),
        ("    with torch.no_grad():\n        return x + 1\n    raise NotImplementedError\n", True),
        ("    pass\n", False),
        ("    ...\n", False),
        ("    '''Text.'''\n    return None\n", False),
        ("    return\n", False),
        ("    raise NotImplementedError\n    return x + 1\n", False),
        ("    y = 1\n    raise NotImplementedError\n", False),
        ("    def g(): return 1\n    raise NotImplementedError\n", False),
    ]:
        with subtests.test(body=body, written=written):
            session = open_session(["import torch", ("def f(x):\n" + body, OWN), TWO])
            assert value(session) == (1 if written else 2)


@pytest.mark.parametrize(
    ("more", "written"),
    [
        ("    def save(self): raise NotImplementedError\n", True),
        ("    def __init__(self): pass\n", True),
        ("    def __init__(self): raise NotImplementedError\n", False),
        ("    def __call__(self, x): raise NotImplementedError\n", False),
    ],
)
def test_a_class_is_written_when_the_methods_that_make_and_call_it_are(more, written):
    cell = "class f:\n    def __call__(self, x): return x + 1\n" + more
    session = open_session(["import torch", (cell, OWN), "def f(x): return x + 2\n"])
    kinds = {defined.name: defined.kind for defined in (session.ready(), session.record.names)[1]}
    assert kinds["f"] == ("class" if written else "function")


def test_a_notebook_sees_what_is_not_there(subtests):
    for cell in [
        "try:\n    import google.colab\n    IN = True\nexcept ImportError:\n    IN = False\n",
        "import matplotlib, IPython\nprint(matplotlib.__version__, IPython.__version__)\nIN = False\n",
        "check('f')\nIN = False\n",
    ]:
        with subtests.test(cell=cell):
            session = open_session([cell, f"import torch\n{ONE}\nif IN:\n    del f\n"])
            assert value(session) == 1
            assert [note for note in session.notes() if "stopped with" in note] == []


def test_what_colab_gives_is_stood_in_for_where_nobody_asks_whether_it_is_there():
    session = open_session([f"from google.colab import drive\ndrive.mount('/content')\nimport torch\n{ONE}"])
    assert value(session) == 1
    assert session.notes() == ["Not installed here and replaced by something that does nothing: google.colab."]


@pytest.mark.parametrize(("kind", "added"), [(str, 1), (lambda text: [text], 5)], ids=["a file", "a notebook"])
def test_a_main_guard_runs_in_a_notebook_as_it_does_in_a_kernel(kind, added):
    guard = "if __name__ == '__main__':\n    D = 5\n"
    session = open_session(kind(f"import torch\nD = 1\n{guard}def f(x):\n    return x + D\n"))
    assert value(session) == added


APART = {
    "a function": "def f(x, more):\n    return x * more\ndef g(x):\n    return f(x, 3)\n",
    "a lambda": "f = lambda x, more: x * more\ndef g(x):\n    return f(x, 3)\n",
    "a class": "class f:\n    def times(self, x):\n        return x * 3\ndef g(x):\n    return f().times(x)\n",
    "below its use": "def g(x):\n    return f(x, 3)\ndef f(x, more):\n    return x * more\n",
    "one that calls itself": "def f(x, n):\n    return f(x * 3, n - 1) if n else x\ndef g(x):\n    return f(x, 1)\n",
}


def test_a_helper_with_another_exercises_name_serves_its_own_cell_alone(subtests):
    for text in APART.values():
        for above in [True, False]:
            with subtests.test(text=text, above=above):
                cell, other = ("def f(x):\n    return x + 1\n", "f"), (text, "g")
                session = open_session([other, cell] if above else [cell, other, "def h(x):\n    return f(x)\n"])
                student = Student(session)
                assert torch.equal(student.f(torch.ones(1)), torch.full((1,), 2.0))
                assert torch.equal(student.g(torch.ones(1)), torch.full((1,), 3.0))
                if not above:
                    assert torch.equal(student.h(torch.ones(1)), torch.full((1,), 2.0))


@pytest.mark.parametrize(
    "helper", ["def f(x, more):\n    return x", "class f:\n    def __init__(self, more):\n        pass"]
)
def test_errors_speak_of_such_a_helper_by_the_name_that_it_was_given(helper):
    session = open_session([("def f(x):\n    return x + 1\n", "f"), (f"{helper}\ndef g(x):\n    return f()\n", "g")])
    with pytest.raises(RaisedError, match=r"\bf(\.__init__)?\(\) missing") as raised:
        Student(session).g(torch.ones(1))
    assert "f_of_g" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "y = f(torch.ones(1))\ndef f(x):\n    return x * 7\ndef g(x):\n    return x * 0 + y + 1\n",
        "f = torch.no_grad()(f)\ndef g(x):\n    return f(x) + 1\n",
        "def f(x):\n    return x * 7\ndef g(x, f=lambda x: x + 2):\n    return f(x)\n",
    ],
)
def test_where_the_name_may_mean_the_exercise_the_exercise_is_meant(text):
    session = open_session(["import torch", ("def f(x):\n    return x + 1\n", "f"), (text, "g")])
    student = Student(session)
    assert torch.equal(student.f(torch.ones(1)), torch.full((1,), 2.0))
    assert torch.equal(student.g(torch.ones(1)), torch.full((1,), 3.0))


def test_a_forbidden_call_of_a_helper_with_another_exercises_name_is_heard():
    text = "def f(x):\n    return torch.softmax(x, -1)\ndef g(x):\n    return f(x)\n"
    student = Student(open_session(["import torch", ("def f(x):\n    return x + 1\n", "f"), (text, "g")]))
    assert student.f.observe(torch.ones(1), forbids=["softmax"]).value == 2
    assert failure_of(student.g.observe, torch.ones(1), forbids=["softmax"]).status == "forbidden"
