"""What a worker with a GPU's driver is told, on any machine: the driver starts, and nothing of it reaches anybody."""

import pytest

from ...support.jails.raw_jails import CALL, raw_jail_or_sentence, raw_worker, refused

C_LIBRARY = f"{CALL}\nimport os\nlibc.fopen.restype = ctypes.c_void_p\n"
SEQUENCES_IN_UNIX = "libc.socket(1, 5 | 0o2000000, 0)"


@pytest.fixture(scope="module")
def cuda_jail():
    jail = raw_jail_or_sentence("namespaces", device="cuda")
    if isinstance(jail, str):
        pytest.skip(jail)
    yield jail
    jail.close()


@pytest.fixture
def driver(cuda_jail):
    with raw_worker(cuda_jail) as worker:
        yield worker


def test_it_believes_that_it_has_a_socket_and_has_none(driver):
    made = driver.run(f"{C_LIBRARY}answer = [{SEQUENCES_IN_UNIX}, libc.bind(0, b'', 3), libc.listen(0, 1)]")
    assert made == [0, 0, 0]
    assert driver.run(f"{C_LIBRARY}answer = [libc.accept(0, 0, 0), ctypes.get_errno()]") == [-1, 1]
    closed = f"libc.close({SEQUENCES_IN_UNIX})\nanswer = os.path.samestat(os.fstat(0), os.stat('/dev/null'))"
    assert driver.run(C_LIBRARY + closed)


def test_it_believes_that_it_names_its_threads_and_writes_into_nothing(driver):
    text = "file = libc.fopen(b'/proc/self/task/9/comm', b'w')\n"
    text += "answer = [libc.fwrite(b'cuda', 1, 4, ctypes.c_void_p(file)), libc.fclose(ctypes.c_void_p(file))]"
    assert driver.run(C_LIBRARY + text) == [4, 0]


def test_it_sees_maps_of_no_process_and_nothing_else_of_procfs(driver):
    assert driver.run("answer = open('/proc/self/maps').read()").count("\n") == 1
    for name in ("environ", "status", "exe", "task"):
        assert refused(driver.run(f"answer = open('/proc/self/{name}').read()")), name


def test_python_still_opens_nothing_for_writing_and_makes_no_other_socket(driver):
    for text in ("open('/tmp/x', 'w')", "open('/dev/null', 'a')", "__import__('socket').socket()"):
        assert refused(driver.run(f"answer = {text}")), text


@pytest.mark.parametrize("tier", ["landlock", "no-open"])
def test_tiers_that_cannot_hold_a_driver_say_so(tier):
    assert "CUDA" in raw_jail_or_sentence(tier, device="cuda")
