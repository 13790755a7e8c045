"""What happens to a process that belongs to student code: it dies, or loses its descriptors."""

import pytest

from ...support.workers.open_workers import failure_of, open_student

CLOSED = """
import os
def closed():
    for fd in range(3, 64):
        try: os.close(fd)
        except OSError: pass
    return 1
def fine(): return 1
"""


def test_neither_the_kit_nor_pytest_can_be_seen_in_the_modules():
    source = "import sys\ndef tops(): return sorted({name.split('.')[0] for name in sys.modules})\n"
    assert not {"runtime", "pytest"} & set(open_student(source).tops())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("threading.Thread(target=lambda: os._exit(4)).start(); time.sleep(9)", "exit status 4"),
    ],
)
def test_a_process_that_dies_costs_its_check_and_no_other(body, words):
    student = open_student(f"import os, signal, threading, time\ndef f():\n    {body}\ndef g(): return 1\n")
    failure = failure_of(student.f)
    assert failure.status == "crash" and words in failure.sentence
    assert student.g() == 1


def test_what_was_told_and_failed_is_said_even_where_the_next_call_ends_the_process():
    student = open_student("import os\ndef Layer(d): return d\ndef end(): os._exit(4)\n")
    student.Layer.built(3)
    assert "is not an nn.Module" in failure_of(student.end).sentence
    assert failure_of(student.end).status == "crash"


def test_closed_descriptors_end_the_worker_and_the_next_call_has_another():
    student = open_student(CLOSED)
    assert failure_of(student.closed).status == "crash"
    assert student.fine() == 1
