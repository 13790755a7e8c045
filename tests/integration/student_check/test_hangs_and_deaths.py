"""A student's run goes on in another process where one hangs or dies, and the kit's side of it is not disturbed."""

import _thread
import signal
import threading
import time

import msgspec
import pytest

from grader.limits import DEFAULT_LIMITS
from grader.student_check.visible_checks import check_path
from grader.workers.process import clock

from ...support.workers.answering import write_answer
from ...support.workers.open_workers import ends

pytestmark = pytest.mark.usefixtures("warm_workers")
LIMITS = msgspec.structs.replace(DEFAULT_LIMITS, check_cpu_s=0.4)
QUARTERS, WHOLE, SHIFT = "shares.quarters", "shares.one_entry", "Shift.starts_at_zero"
ONCE = "import os; {0} if len(x) > 1 else 0; return x / x.sum()"


@pytest.fixture(autouse=True)
def few_seconds(monkeypatch):
    """Lets what waits instead of computing wait for little more than two seconds."""
    monkeypatch.setattr(clock, "WALL_MORE_S", 0.0)


def checked(folder, body, top="", exercise=None):
    file = write_answer(folder, body)
    file.write_text(file.read_text(encoding="utf-8").replace("\n\n\n", f"\n\n{top}\n\n", 1), encoding="utf-8")
    return check_path(file, exercise, LIMITS)


def statuses(run):
    return {id: verdict.status for id, verdict in run.verdicts.items()}


@pytest.mark.parametrize("wait", ["while True: pass", "import time; time.sleep(60)"])
def test_a_hang_costs_its_exercise_alone(at_home, wait):
    run = checked(at_home, wait)
    assert statuses(run) == {QUARTERS: "timeout", WHOLE: "timeout", SHIFT: "missing"}


@pytest.mark.parametrize(
    ("end", "status", "words"),
    [
        ("os._exit(3)", "crash", "status 3"),
        ("os.kill(os.getpid(), 9)", "crash", "SIGKILL"),
        ("bytearray(3 << 30)", "memory", ""),
    ],
)
def test_a_death_costs_its_check_alone(at_home, end, status, words):
    run = checked(at_home, ONCE.format(end))
    assert statuses(run) == {QUARTERS: status, WHOLE: "passed", SHIFT: "missing"}
    assert words in run.verdicts[QUARTERS].found


@pytest.mark.parametrize("stop", ["while True: pass", "import os; os._exit(4)"])
def test_a_statement_that_hangs_or_kills_is_left_out(at_home, stop):
    run = checked(at_home, "return x / x.sum()", stop, "shares")
    assert statuses(run) == {QUARTERS: "passed", WHOLE: "passed"}
    assert "was not run any further" in run.notes[0]


def test_nothing_that_the_code_does_to_its_process_reaches_a_verdict(at_home):
    top = "from grader import check\ncheck('shares')\nimport sys; sys.stdout = None; sys.setrecursionlimit(300)"
    body = "from grader import check; check(); print(1); import os; os.write(1, b'x'); "
    body += "torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); return x / x.sum()"
    run = checked(at_home, body, top, "shares")
    assert statuses(run) == {QUARTERS: "passed", WHOLE: "passed"} and run.notes == []


@pytest.fixture
def interruptible():
    """Python's own answer to an interrupt, which a test of notebooks in the same process may have taken away."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_process_too(at_home):
    begun = at_home / "begun"

    def stop():
        while not begun.exists() or not begun.read_text():
            time.sleep(0.01)
        _thread.interrupt_main()

    threading.Thread(target=stop).start()
    with pytest.raises(KeyboardInterrupt):
        checked(at_home, "import os; open('begun', 'w').write(str(os.getpid())); import time; time.sleep(60)")
    assert ends(int(begun.read_text()))
