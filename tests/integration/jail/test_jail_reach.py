"""What code in a worker cannot reach, on every tier that this machine proves.

What a jail tries before it is used (`escape_attempts.py`) and what submissions try (`tests/attacks`) is not asked here.
"""

from ...support.jails.raw_jails import ROOT


def test_no_path_of_the_course_shows_in_a_worker(worker):
    """Neither the environment, the search path, the modules nor any text that Python holds names its folder."""
    text = f"""
import gc, os, sys
root = bytes({list(str(ROOT).encode())}).decode()
seen = [os.getcwd(), sys.executable, sys.prefix, sys.base_prefix, *sys.path, *sys.argv, *sys.orig_argv]
seen += [item for pair in os.environ.items() for item in pair]
for module in list(sys.modules.values()):
    seen += [str(vars(module).get(name, "")) for name in ("__file__", "__path__", "__spec__", "__cached__")]
gc.unfreeze()
for thing in gc.get_objects():
    if type(thing) is dict:
        seen += [item for pair in list(thing.items()) for item in pair if type(item) is str]
    elif type(thing) in (list, tuple, set, frozenset) and thing is not seen:
        seen += [item for item in list(thing) if type(item) is str]
assert len(seen) > 10000
answer = sorted({{item[:300] for item in seen if root in item and item is not root}})
"""
    assert worker.run(text) == []


def test_only_torch_and_its_needs_are_importable(worker):
    text = "import importlib.util as u; answer = [n for n in ('jupytext', 'click', 'rich') if u.find_spec(n)]"
    assert worker.run(text) == []


def test_nothing_is_open_but_the_own_socket(worker):
    text = """
import os
answer = []
for number in range(1024):
    try:
        os.fstat(number)
        answer.append(number)
    except OSError:
        pass
"""
    assert worker.run(text) == [0, 1, 2, 3]
