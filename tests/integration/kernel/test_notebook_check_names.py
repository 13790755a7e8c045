"""`check(...)` in a real kernel finds what was meant, and says what is in the way where nothing can be checked."""

import pytest

from ...support.notebooks.kernels import told

RIGHT = "def shares(x):\n    return x / x.sum()\n"
THREAD = "import threading\nlock, held, end = threading.Lock(), threading.Event(), threading.Event()\n"
THREAD += "def hold():\n    with lock:\n        held.set()\n        end.wait()\n"


def test_a_name_that_holds_a_value_is_not_said_to_be_missing(running):
    text = told(running, "shares = 3", 'check("shares")')
    assert "shares is a value of type int here, not a function. Run the cell that defines it again" in text
    assert "is not defined" not in text
    assert "자료형이 int인 값입니다" in told(running, "", 'check("shares", "ko")')


@pytest.mark.parametrize(
    "code",
    [
        "shares = lambda x: x / x.sum()\n",
        "def timed(f):\n    def wrapper(*a):\n        return f(*a)\n    return wrapper\n\n@timed\n" + RIGHT,
        RIGHT.replace("shares", "mine") + "shares = mine\n",
        RIGHT.replace("shares(x", "mine(dim, x") + "import functools\nshares = functools.partial(mine, -1)\n",
    ],
    ids=["lambda", "decorated", "second_name", "partial"],
)
def test_a_function_is_found_by_the_name_that_it_has_in_the_notebook(running, code):
    assert "shares  ok  (2 of 2)" in told(running, code, "check(shares)")


def test_a_function_that_is_no_exercise_is_named_as_it_names_itself(running):
    text = told(running, "def helper(x):\n    return x\nother = helper\n", "check(other)")
    assert "There is no exercise `helper` here." in text


def test_a_lock_that_a_thread_of_the_notebook_holds_is_named_as_the_cause(running, in_a_second):
    """The copy of the kernel has the lock as it was held, and nobody in it who would release it."""
    locked = RIGHT.replace("    return", "    with lock: return")
    start = "thread = threading.Thread(target=hold, daemon=True)\nthread.start()\nassert held.wait(60)\n"
    text = told(running, THREAD + start + locked, 'check("shares")')
    assert "did not finish in the time that a check has" in text
    assert "note: A thread that a cell started is still running." in text
    assert running.run("end.set()\nthread.join()").status == "ok"
    assert "(2 of 2)" in told(running, "", 'check("shares")')
