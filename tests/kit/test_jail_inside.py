"""What code in a worker can and cannot do, on every tier that this machine proves."""

import contextlib
import errno
import os
import signal
import socket
import sys
import threading
from pathlib import Path

import pytest

from grader.inside.syscalls import NUMBERS, machine

from .raw_jails import LIMITS, ROOT, Ended, Jails, raw_worker

TIERS = ["namespaces", "landlock", "no-open"]
REFUSED = {errno.EPERM, errno.EACCES, errno.ENOENT, errno.ENOSYS}
CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return result if result != -1 else [-1, ctypes.get_errno()]
"""


@pytest.fixture(scope="module")
def jails():
    """Open each tier's jail at most once for all tests of this file."""
    found = Jails(secret_paths=[ROOT / "solutions", ROOT / "tests", ROOT / "grader"])
    yield found
    found.close()


@pytest.fixture(params=TIERS)
def jail(request, jails):
    return jails(request.param)


@pytest.fixture
def worker(jail):
    with raw_worker(jail) as worker:
        yield worker


def refused(answer):
    """Return whether an answer is an operating-system refusal."""
    return isinstance(answer, list) and len(answer) == 3 and answer[1] in REFUSED


def test_everyday_torch_works(worker):
    text = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(4, 6, requires_grad=True)
layer = nn.MultiheadAttention(6, 2, batch_first=True)
optimizer = torch.optim.AdamW(layer.parameters())
y, _ = layer(x[None], x[None], x[None])
y.square().sum().backward()
optimizer.step()
answer = [list(y.shape), bool(x.grad.isfinite().all()), str(torch.ones(2))]
"""
    assert worker.run(text) == [[1, 4, 6], True, "tensor([1., 1.])"]


def test_threads_can_be_used(worker):
    text = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    answer = sum(pool.map(abs, range(-9, 1)))
"""
    assert worker.run(text) == 45


def test_threads_without_end_leave_room_for_other_workers(jail, worker):
    """One student's threads are bounded on every tier, so the next student's worker can be forked."""
    text = """
import threading
threading.stack_size(32768)
stop, started = threading.Event(), []
try:
    while len(started) < 3000:
        thread = threading.Thread(target=stop.wait, daemon=True)
        thread.start()
        started.append(thread)
except RuntimeError:
    pass
answer = len(started)
"""
    with contextlib.suppress(Ended):  # It took so many that it was ended for it.
        assert 4 <= worker.run(text) < 1000
    with raw_worker(jail) as other:
        assert other.run("answer = 1") == 1


def test_a_worker_that_takes_most_of_the_threads_is_ended(jail, worker):
    """Where all workers share one count, the one that uses it up is ended; elsewhere it has a count of its own."""
    text = """
import threading
threading.stack_size(32768)
stop = threading.Event()
try:
    for _ in range(400):
        threading.Thread(target=stop.wait, daemon=True).start()
except RuntimeError:
    answer = "the limit came first"
else:
    stop.wait(60)
"""
    if jail.isolation.tier == "namespaces":
        assert worker.run(text) == "the limit came first"
    else:
        with pytest.raises(Ended):
            assert worker.run(text) != "the limit came first", "this user has too few processes left to tell"


def test_modules_that_nothing_imported_yet_can_be_imported(jail, worker):
    if jail.isolation.tier == "no-open":
        text = "import colorsys, sched, graphlib, sqlite3; answer = colorsys.ONE_THIRD * 3"
    else:
        text = "import sys; assert 'wave' not in sys.modules; import colorsys, wave; answer = colorsys.ONE_THIRD * 3"
    assert worker.run(text) == 1


@pytest.mark.parametrize(
    "path", ["solutions", "tests/hidden", "grader/limits.py", "pyproject.toml", ".venv/pyvenv.cfg", ".git/config"]
)
def test_nothing_of_the_course_can_be_opened(worker, path):
    assert refused(worker.run(f"import os; answer = os.open({str(ROOT / path)!r}, os.O_RDONLY)"))


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/1/cmdline", "/proc/self/maps"]
)
def test_nothing_of_the_machine_can_be_opened(worker, path):
    assert refused(worker.run(f"answer = open({path!r}).read()"))


def test_the_trusted_process_is_out_of_reach(worker):
    pid = os.getpid()
    for path in ("mem", "environ", "maps", "fd/0", "cmdline"):
        assert refused(worker.run(f"answer = open('/proc/{pid}/{path}', 'rb').read(1)"))
    assert refused(worker.run(f"import os; os.kill({pid}, 0)"))


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


def test_the_kit_cannot_be_imported(worker):
    for name in ("grader.jail", "grader.limits", "runtime", "runtime.zygote", "_pytest", "pytest"):
        assert worker.run(f"import importlib; importlib.import_module({name!r})")[0] == "ModuleNotFoundError"


def test_only_torch_and_its_needs_are_importable(worker):
    answer = worker.run(
        "import importlib.util as u; answer = [n for n in ('jupytext', 'click', 'rich') if u.find_spec(n)]"
    )
    assert answer == []


@pytest.mark.parametrize(
    "text",
    [
        "open('/tmp/x', 'w')",
        "open('x', 'ab')",
        "import os; os.mkdir('/tmp/x')",
        "import os; os.unlink('/dev/null')",
        "import os; os.symlink('/', '/tmp/x')",
        "import os; os.rename('/dev/null', '/dev/zero')",
        "import os; os.mkfifo('/tmp/x')",
        "import os; os.truncate('/dev/null', 0)",
        "import os; os.utime('/dev/null')",
        "import os; os.setxattr('/dev/null', 'user.x', b'')",
        "import tempfile; tempfile.TemporaryFile('w', dir='/dev/shm')",
        "import os; os.memfd_create('x')",
    ],
)
def test_nothing_can_be_written(worker, text):
    assert refused(worker.run(text))


@pytest.mark.parametrize(
    "text",
    [
        "import socket; socket.socket()",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import socket; socket.socketpair()",
        "import socket; socket.create_connection(('127.0.0.1', 1))",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1/').read()",
        "import asyncio; asyncio.run(asyncio.sleep(0))",
    ],
)
def test_there_is_no_network(worker, text):
    answer = worker.run(text)
    assert answer[1] in REFUSED or answer[0] == "URLError", answer


def test_an_abstract_socket_that_listens_is_not_reached(worker):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0" + "attention-" + str(os.getpid()))
        listener.listen()
        listener.setblocking(False)
        name = f"attention-{os.getpid()}"
        assert refused(worker.run(f"import socket; socket.socket(socket.AF_UNIX).connect(chr(0) + {name!r})"))
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.parametrize(
    "text",
    [
        "import os; os.fork()",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import subprocess; subprocess.run(['/bin/true'])",
        "import os; os.system('true') and (_ for _ in ()).throw(PermissionError(1, 'refused'))",
        "import multiprocessing as m; m.get_context('fork').Process(target=print).start()",
        "import os; os.kill(-1, 0)",
        "import os; os.kill(os.getppid(), 9)",
        "import os; os.setsid()",
        "import os; os.setuid(0)",
        "import os; os.chroot('/')",
        "import os; os.sched_setaffinity(0, {0})",
        "import os; os.setpriority(os.PRIO_PROCESS, 0, -5)",
        "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')",
    ],
)
def test_there_is_no_way_to_other_processes(worker, text):
    answer = worker.run(text)
    assert isinstance(answer, list), answer
    assert answer[1] in REFUSED or answer[0] == "ModuleNotFoundError", answer


@pytest.mark.parametrize(
    "name", ["unshare", "io_uring_setup", "bpf", "userfaultfd", "keyctl", "ptrace", "pidfd_open", "setns"]
)
def test_raw_calls_are_refused_by_the_filter(worker, name):
    assert worker.run(f"{CALL}\nanswer = call({NUMBERS[machine()][name]}, 0, 0, 0, 0)") == [-1, errno.EPERM]


@pytest.mark.skipif(machine() != "x86_64", reason="only x86-64 has a second table of system calls")
def test_the_x32_table_kills(jail):
    with raw_worker(jail) as worker:
        with pytest.raises(Ended):
            worker.run(f"{CALL}\nanswer = call(0x40000000 | 39)")
        assert os.WTERMSIG(_fate(jail, worker)) == signal.SIGSYS


def _fate(jail, worker):
    """Wait until a worker has ended and return its wait status."""
    import select

    poll = select.poll()
    poll.register(worker.lease.pidfd, select.POLLIN)
    assert poll.poll(30_000), "the worker lives on"
    status = jail.fate(worker.lease.pid)
    assert status is not None
    return status


@pytest.mark.parametrize(
    "text",
    [
        "bytearray(400 * 2**20)",
        "import torch; torch.zeros(100 * 2**20)",
        "import mmap; mmap.mmap(-1, 400 * 2**20)",
        "import mmap; mmap.mmap(-1, 400 * 2**20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)",
    ],
)
def test_memory_past_the_limit_is_refused(worker, text):
    answer = worker.run(text)
    assert answer[0] in ("MemoryError", "RuntimeError") or answer[1] == errno.ENOMEM, answer


def test_memory_within_the_limit_can_be_had(worker):
    assert worker.run("answer = len(bytearray(200 * 2**20))") == 200 * 2**20


@pytest.mark.parametrize("name", ["RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE"])
def test_limits_cannot_be_raised(worker, name):
    text = f"import resource as r; r.setrlimit(r.{name}, (r.RLIM_INFINITY, r.RLIM_INFINITY))"
    answer = worker.run(text)
    assert answer[0] in ("ValueError", "OSError", "PermissionError"), answer


def test_the_limits_are_those_that_were_asked_for(worker):
    text = """
import resource as r
answer = {n: r.getrlimit(getattr(r, "RLIMIT_" + n)) for n in ("CORE", "FSIZE", "MEMLOCK", "NOFILE", "CPU")}
"""
    expected = {"CORE": [0, 0], "FSIZE": [0, 0], "MEMLOCK": [0, 0], "NOFILE": [32, 32], "CPU": [21, 21]}
    assert worker.run(text) == expected


def test_descriptors_run_out_early(jail, worker):
    if jail.isolation.tier == "no-open":
        pytest.skip("no file can be opened on this tier at all")
    answer = worker.run("kept = []\nwhile True: kept.append(open('/dev/null'))")
    assert answer[1] == errno.EMFILE


def test_threads_run_out_before_the_machine_does(jail, worker):
    text = """
import threading
stop = threading.Event()
count = 0
try:
    while count < 5000:
        threading.Thread(target=stop.wait).start()
        count += 1
except RuntimeError:
    pass
stop.set()
answer = count
"""
    assert 4 <= worker.run(text) < 200


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


def test_standard_output_is_not_the_answer(worker):
    assert worker.run("import os; os.write(1, b'forged'); os.write(2, b'forged'); print('forged'); answer = 1") == 1


def test_two_workers_do_not_reach_each_other(jail):
    with raw_worker(jail) as one, raw_worker(jail) as other:
        pid = other.run("import os; answer = os.getpid()")
        assert refused(one.run(f"import os; os.kill({pid}, 0)"))
        assert refused(one.run(f"import os; os.open('/proc/{pid}/mem', os.O_RDONLY)"))
        for name in ("pidfd_open", "process_vm_readv", "ptrace", "tkill"):
            assert one.run(f"{CALL}\nanswer = call({NUMBERS[machine()][name]}, {pid}, 0, 0, 0, 0)") == [-1, errno.EPERM]
        assert other.run("answer = 1") == 1


def test_workers_share_no_memory_and_no_state(jail):
    with raw_worker(jail) as one:
        assert one.run("import torch, builtins; builtins.poison = 1; torch.softmax = None; answer = 1") == 1
    with raw_worker(jail) as other:
        assert other.run("import torch, builtins; answer = [hasattr(builtins, 'poison'), torch.softmax is None]") == [
            False,
            False,
        ]


def test_a_worker_that_dies_does_not_hurt_the_next(jail):
    for text in ("import os; os._exit(0)", "import ctypes; ctypes.string_at(0)", "import os; os.abort()"):
        with raw_worker(jail) as worker, pytest.raises(Ended):
            worker.run(text)
    with raw_worker(jail) as worker:
        assert worker.run("answer = 1") == 1


def test_a_worker_that_hangs_with_signals_ignored_is_killed(jail):
    with raw_worker(jail) as worker:
        assert worker.run("import signal\nfor n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)\nanswer = 1") == 1
        worker.send("while True: pass")
        signal.pidfd_send_signal(worker.lease.pidfd, signal.SIGKILL)
        assert os.WTERMSIG(_fate(jail, worker)) == signal.SIGKILL


def test_an_exit_code_is_told(jail):
    with raw_worker(jail) as worker:
        worker.send("import os; os._exit(7)")
        assert os.waitstatus_to_exitcode(_fate(jail, worker)) == 7


def test_the_pid_of_a_lease_is_the_one_that_this_process_sees(jail):
    with raw_worker(jail) as worker:
        fields = Path(f"/proc/{worker.lease.pid}/status").read_text()
        assert "Seccomp:\t2" in fields
        assert "NoNewPrivs:\t1" in fields


def test_settings_reach_the_worker(worker):
    answer = worker.run("answer = settings")
    assert answer["memory_bytes"] == LIMITS.memory_bytes
    assert answer["device"] == "cpu"


def test_a_lease_names_an_entry_that_exists(jail):
    from grader.errors import IsolationError

    with pytest.raises(IsolationError, match="'mistake'"):
        jail.lease("mistake")


def test_hashes_of_strings_are_the_same_in_every_jail(worker):
    assert worker.run("answer = hash('attention')") == worker.run("answer = hash('attention')")
    assert worker.run("import sys; answer = sys.flags.hash_randomization") == 0


def test_the_zygote_has_one_thread_and_no_stray_descriptor(jail):
    status = jail.status()
    assert status.threads == 1
    assert status.descriptors <= 10 + status.pooled


def test_the_caller_keeps_its_threads_and_descriptors(jail):
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with raw_worker(jail) as worker:
        worker.run("answer = 1")
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert threading.active_count() >= 1
    assert sys.exc_info() == (None, None, None)
