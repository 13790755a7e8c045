"""What code in a worker cannot reach, on every tier that this machine proves."""

import os
import signal
import socket

import pytest

from grader.inside.sandbox.syscalls import machine

from ...support.jails.raw_jails import CALL, ROOT, Ended, raw_worker, refused, wait_status_of


def answers(worker, texts):
    """Return what a worker answers to each text; one that ends of a text is told by it."""
    result = {}
    for text in texts:
        try:
            result[text] = worker.run(text)
        except Ended:
            pytest.fail(f"the worker ended at {text}")
    return result


def test_nothing_of_the_course_can_be_opened(worker):
    """Not even what only some copies of the repository have, such as `.git`."""
    paths = ["solutions", "tests/hidden", "grader/limits.py", "pyproject.toml", ".venv/pyvenv.cfg", ".git/config"]
    texts = [f"import os; answer = os.open({str(ROOT / path)!r}, os.O_RDONLY)" for path in paths]
    assert {text: answer for text, answer in answers(worker, texts).items() if not refused(answer)} == {}


def test_nothing_of_the_machine_can_be_opened(worker):
    paths = ["/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/1/cmdline", "/proc/self/maps"]
    texts = [f"answer = open({path!r}).read()" for path in paths]
    assert {text: answer for text, answer in answers(worker, texts).items() if not refused(answer)} == {}


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
    for name in ("grader.jail", "grader.limits", "runtime", "runtime.zygote.fork_server", "_pytest", "pytest"):
        assert worker.run(f"import importlib; importlib.import_module({name!r})")[0] == "ModuleNotFoundError"


def test_only_torch_and_its_needs_are_importable(worker):
    answer = worker.run(
        "import importlib.util as u; answer = [n for n in ('jupytext', 'click', 'rich') if u.find_spec(n)]"
    )
    assert answer == []


def test_nothing_can_be_written(worker):
    texts = [
        "open('/tmp/x', 'w')", "open('x', 'ab')", "import os; os.mkdir('/tmp/x')", "import os; os.unlink('/dev/null')",
        "import os; os.symlink('/', '/tmp/x')", "import os; os.rename('/dev/null', '/dev/zero')",
        "import os; os.mkfifo('/tmp/x')", "import os; os.truncate('/dev/null', 0)", "import os; os.utime('/dev/null')",
        "import os; os.setxattr('/dev/null', 'user.x', b'')",
        "import tempfile; tempfile.TemporaryFile('w', dir='/dev/shm')", "import os; os.memfd_create('x')",
    ]  # fmt: skip
    assert {text: answer for text, answer in answers(worker, texts).items() if not refused(answer)} == {}


def test_there_is_no_network(worker):
    texts = [
        "import socket; socket.socket()", "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "import socket; socket.socket(socket.AF_UNIX)", "import socket; socket.socketpair()",
        "import socket; socket.create_connection(('127.0.0.1', PORT))",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:PORT/', timeout=5).read()",
        "import asyncio; asyncio.run(asyncio.sleep(0))",
    ]  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        port = str(listener.getsockname()[1])
        result = answers(worker, [text.replace("PORT", port) for text in texts])
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert {text: told for text, told in result.items() if not refused(told) and told[0] != "URLError"} == {}


def test_there_is_no_way_to_other_processes(worker):
    texts = [
        "import os; os.fork()", "import os; os.execv('/bin/true', ['true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})", "import subprocess; subprocess.run(['/bin/true'])",
        "import os; os.system('true') and (_ for _ in ()).throw(PermissionError(1, 'refused'))",
        "import multiprocessing as m; m.get_context('fork').Process(target=print).start()",
        "import os; os.kill(-1, 0)", "import os; os.kill(os.getppid(), 9)", "import os; os.setsid()",
        "import os; os.setuid(0)", "import os; os.chroot('/')", "import os; os.sched_setaffinity(0, {0})",
        "import os; os.setpriority(os.PRIO_PROCESS, 0, -5)",
        "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')",
    ]  # fmt: skip
    result = answers(worker, texts)
    assert {text: told for text, told in result.items() if not refused(told) and told[0] != "ModuleNotFoundError"} == {}


@pytest.mark.skipif(machine() != "x86_64", reason="only x86-64 has a second table of system calls")
def test_the_x32_table_kills(jail):
    with raw_worker(jail) as worker:
        with pytest.raises(Ended):
            worker.run(f"{CALL}\nanswer = call(0x40000000 | 39)")
        assert os.WTERMSIG(wait_status_of(jail, worker)) == signal.SIGSYS


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
