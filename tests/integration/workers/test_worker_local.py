"""A student's own run has the same worker in a plain process, started once and replaced when it hangs or dies."""

import sys

import pytest
import torch

from grader.errors import UsageError
from grader.inside.protocol.messages import Cell
from grader.limits import Limits
from grader.workers.calls.student import Student
from grader.workers.process.failures import StudentFailure
from grader.workers.process.local_process import LocalWorkers
from grader.workers.session import WorkerSession

X = torch.ones(3)
SOURCE = """
import os, sys
print("loading")
def pid(): return os.getpid()
def fine(x):
    print("said")
    os.write(1, b"past the streams")
    return x * 2
def forever():
    while True: pass
def dies(): os._exit(3)
def collects():
    import gc
    return gc.isenabled()
def eats(): return len(bytearray(3 << 30))
def looks():
    import __main__
    kept = [name for name in sys.modules if name.split(".")[0] in ("runtime", "pytest", "_pytest", "hypothesis")]
    return kept, sys.argv, hasattr(sys.modules["grader"], "__path__"), sorted(vars(__main__))
"""


@pytest.fixture(scope="module")
def session():
    with LocalWorkers() as workers:
        session = WorkerSession(
            workers, [Cell(1, SOURCE)], limits=Limits(check_wall_s=5.0), file_name="simple_attention.py"
        )
        yield session
        session.close()


@pytest.fixture
def student(session):
    session.limits = Limits()
    session.begin_check()
    return Student(session)


def test_what_refers_to_itself_is_collected_as_in_any_python(student):
    assert student.collects() is True


def test_values_and_print_come_back_and_stray_bytes_disturb_nothing(student):
    assert torch.equal(student.fine(X), 2 * X)
    assert torch.equal(student.fine(X), 2 * X)
    assert student._session.take_output() == ("said\nsaid\n", 0)


def test_process_is_kept_between_exercises(student):
    pid = student.pid()
    student._session.drop_worker()
    student._session.begin_check()
    assert student.pid() == pid and not student._session.worker_is_used


def test_hang_costs_its_check_and_the_next_one_has_a_new_process(student):
    pid = student.pid()
    student._session.limits = Limits(check_wall_s=0.5)
    student._session.begin_check()
    with pytest.raises(StudentFailure) as caught:
        student.forever()
    assert caught.value.status == "timeout"
    student._session.limits = Limits()
    student._session.begin_check()
    assert student.pid() != pid


def test_death_is_told_and_replaced(student):
    with pytest.raises(StudentFailure) as caught:
        student.dies()
    assert caught.value.status == "crash" and "exit status 3" in caught.value.sentence
    assert torch.equal(student.fine(X), 2 * X)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux holds a process to its address space")
def test_memory_eater_is_stopped(student):
    with pytest.raises(StudentFailure) as caught:
        student.eats()
    assert caught.value.status == "memory"


def test_nothing_of_the_kit_lies_about_in_the_process(student):
    kept, argv, is_package, main_names = student.looks()
    assert kept == [] and argv == ["python"] and is_package is False
    assert not {"bundle", "take", "Memory"} & {*main_names}


def test_process_that_cannot_start_is_told_with_its_last_words(tmp_path):
    with LocalWorkers(path=[str(tmp_path)]) as workers, pytest.raises(UsageError, match=r"No module named '\w+'"):
        workers.transport()
