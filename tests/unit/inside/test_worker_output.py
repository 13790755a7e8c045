"""What student code prints is kept up to a limit, costs nothing, and a keyboard that nobody sits at says so."""

import pytest

from ...support.workers.open_workers import failure_of, open_student


def printed(body, **limits):
    source = f"import sys, warnings, logging, os\nlogging.basicConfig()\ndef f():\n    {body}\n    return 1\n"
    student = open_student(source, **limits)
    assert student.f() == 1
    return student._session.take_output()


def test_every_way_of_printing_is_kept(subtests):
    for body, text in [
        ("print('hi')", "hi\n"),
        ("sys.stderr.write('err')", "err"),
        ("sys.stdout.buffer.write(b'raw')", "raw"),
        ("sys.__stdout__.write('dunder')", "dunder"),
        ("warnings.warn('careful')", "UserWarning: careful"),
        ("logging.warning('logged')", "WARNING:root:logged"),
        ("print('\\ud800')", "\\ud800"),
        ("print(sys.stdout.isatty(), sys.stdout.encoding)", "False utf-8"),
        ("sys.stdout.close(); sys.stdout = None", ""),
        ("os.write(1, b'past the streams')", ""),
    ]:
        with subtests.test(body=body, text=text):
            assert text in printed(body)[0]


def test_print_beyond_the_limit_is_dropped_and_counted():
    assert printed("print('x' * 5000, end='')", output_bytes=100) == ("x" * 100, 4900)


def test_print_of_a_check_is_the_print_of_all_its_calls_and_begins_anew():
    student = open_student("print('loading')\ndef f(): print('call')\n")
    student.f()
    student.f()
    assert student._session.take_output() == ("call\ncall\n", 0)
    student._session.begin_check()
    student.f()
    assert student._session.take_output() == ("call\n", 0)


def test_print_of_a_check_is_bounded_over_many_calls():
    student = open_student("def f(): print('x' * 99)\n", output_bytes=100)
    for _ in range(10):
        student.f()
    text, dropped = student._session.take_output()
    assert len(text) == 400 and dropped == 600


@pytest.mark.parametrize(
    "body", ["input('name? ')", "import sys; sys.stdin.readline()", "import sys; sys.stdin.read()"]
)
def test_input_raises_with_a_sentence(body):
    failure = failure_of(open_student(f"def f():\n    {body}\n").f)
    assert failure.exception_type == "EOFError" and "nobody can type" in failure.text


def test_streams_are_back_after_student_code_moved_them():
    student = open_student("import sys\ndef f():\n    print('before')\n    sys.stdout = open('/dev/null', 'w')\n")
    student.f()
    student.f()
    assert student._session.take_output() == ("before\nbefore\n", 0)
