"""What hangs or ends its process while a source is run costs itself and not what stands around it."""

import pytest
import torch

from grader.workers.calls.student import Student
from grader.workers.process import clock

from ...support.workers.open_workers import failure_of, open_session, open_student

X = torch.ones(3)
ONE, OWN = "def f(x):\n    return x + 1\n", "f"
SLOW = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"


def test_two_hundred_thousand_statements_are_no_hang():
    lenient = {"check_cpu_s": 45}  # some 5 s of work
    student = open_student("def f(x): return x + n\n" + "n = 1\n" * 200_000, **lenient)
    assert torch.equal(student.f(X), X + 1)


def test_hang_beyond_the_notes_of_each_statement_costs_few_others():
    many = "\n".join(f"def f{n}(x): return x" for n in range(3000))
    student = open_student(f"{many}\nimport time\ntime.sleep(0.1)\ny = 1\nwhile True: pass\n", check_cpu_s=1)
    assert torch.equal(student.f2700(X), X)
    assert [problem.status for problem in student._session.record.problems] == ["timeout"]


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("while True: pass", "timeout"),
        ("import os; os._exit(0)", "crash"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crash"),
        ("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nimport time; time.sleep(60)", "timeout"),
    ],
    ids=["loop", "_exit", "segfault", "sleep"],
)
def test_statement_that_never_ends_or_kills_costs_the_rest_of_its_cell_only(statement, status, monkeypatch):
    monkeypatch.setattr(clock, "WALL_MORE_S", 1.0)
    source = (
        f"# %%\ndef early(x): return x\n{statement}\ndef kept(x): return x\nlate = kept\n# %%\ndef f(x): return x\n"
    )
    student = open_student(source, check_cpu_s=0.2)
    assert torch.equal(student.f(X), X)
    assert torch.equal(student.early(X), X) and torch.equal(student.kept(X), X)
    lost = failure_of(student.late, X)
    assert lost.status == status and lost.sentence.startswith("late is not defined. Line")
    assert len(student._session.stops) == 1


def test_file_that_kills_its_reader_again_and_again_is_given_up():
    student = open_student([(f"import os; os._exit({n})", f"g{n}") for n in range(1, 9)])
    first, second = failure_of(student.f, X), failure_of(student.f, X)
    assert first.status == second.status == "crash" and first.sentence == second.sentence
    assert first.sentence in student._session.notes()


def test_endless_print_ends_with_the_clock_and_not_with_the_memory():
    student = open_student("def f():\n    while True: print('y' * 10000)\n", check_cpu_s=0.4)
    assert failure_of(student.f).status == "timeout"


def test_an_endless_statement_of_a_cell_that_is_gone_on_with_is_left_there():
    session = open_session(["later\nwhile True: pass\nlost = 1", "later = 1", ONE], check_cpu_s=1.0)
    assert torch.equal(Student(session).f(X), X + 1)
    assert any("Line 2 of cell 1 was not run any further" in note for note in session.notes())


def test_cells_that_are_slow_together_cost_nothing():
    cells = [SLOW] * 12
    session = open_session(["import torch", *cells[:6], (ONE, OWN), *cells[6:]], check_cpu_s=0.5)
    assert torch.equal(Student(session).f(X), X + 1)
    notes = session.notes()
    assert any("the cells together took too long, so only what defines something was run here" in n for n in notes)
