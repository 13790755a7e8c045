"""Whatever the file that was handed in is called, its code sees one fixed name, and no trace of the other one."""

import pytest

from ...support.workers.open_workers import open_student

MARK = "q158"
NAMES = ("simple_attention.py", f"simple_attention ({MARK}).py", f"{MARK}.PY")
LOOK = """
import gc, inspect, linecache, os, sys, traceback

def everything():
    try:
        raise ValueError
    except ValueError:
        told = traceback.format_exc()
    frames = []
    frame = sys._getframe()
    while frame is not None:
        frames.append(frame.f_code.co_filename)
        frame = frame.f_back
    module = sys.modules[__name__]
    return repr([__name__, __file__, module.__spec__, everything.__code__.co_filename, everything.__module__,
                 inspect.getsourcefile(everything), inspect.getfile(module), inspect.getsource(everything),
                 sorted(map(str, linecache.cache)), sys.argv, sys.orig_argv, told, frames,
                 sorted(os.environ.items()), os.getcwd(), sorted(sys.modules), os.uname().nodename])

def texts():
    held = (each for holder in gc.get_objects() for each in gc.get_referents(holder))
    return {each for each in held if type(each) is str}

def holds(mark):
    return sorted(text for text in texts() if mark in text and text != mark)

def fails():
    raise ValueError(__file__)
"""


def test_code_finds_one_fixed_name_wherever_it_looks():
    seen = [open_student(LOOK, file_name=name).everything() for name in NAMES]
    assert len(set(seen)) == 1
    assert MARK not in seen[0] and seen[0].startswith("['simple_attention', 'simple_attention.py', ")


def test_the_name_of_the_file_is_in_no_object_of_the_worker():
    student = open_student(LOOK, file_name=NAMES[1])
    assert student.holds("(" + MARK) == []
    assert student.holds("attention.py") != []


def test_a_report_names_the_file_as_it_is_called():
    student = open_student("x = 1\n", file_name=NAMES[1])
    with pytest.raises(Exception, match=rf"everything is not defined in simple_attention \({MARK}\)\.py"):
        student.everything()
