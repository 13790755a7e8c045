"""What student code prints is kept up to a limit, costs nothing, and a keyboard that nobody sits at says so."""

from ...support.workers.open_workers import failure_of, open_student


def test_endless_print_ends_with_the_clock_and_not_with_the_memory():
    student = open_student("def f():\n    while True: print('y' * 10000)\n", check_cpu_s=0.4)
    assert failure_of(student.f).status == "timeout"


def test_streams_are_back_after_student_code_moved_them():
    student = open_student("import sys\ndef f():\n    print('before')\n    sys.stdout = open('/dev/null', 'w')\n")
    student.f()
    student.f()
    assert student._session.take_output() == ("before\nbefore\n", 0)
