"""Choosing a tier, refusing with a sentence, and what the doctor says of it; no jail is built where none is needed."""

import os
import signal
import stat
import sys
from importlib import metadata
from pathlib import Path

import pytest

from grader.errors import CourseError, IsolationError, UsageError
from grader.inside import landlock
from grader.inside.syscalls import StepRefused
from grader.jail import Attempt, Jail, bootstrap, doctor, launch, libraries, open_jail, probe, rootfs, tiers
from grader.limits import Limits

from .raw_jails import run_program

HELD = Attempt("read", "open a file", "refused with EPERM", True)
LOST = Attempt("network", "connect to a TCP port", "it worked (0)", False)


def refuse_all(monkeypatch):
    """Make every tier fail at its first step."""

    def start(order, meanwhile=None):
        raise StepRefused(f"Step one of {order.tier} failed.")

    monkeypatch.setattr(launch, "start", start)


def test_when_no_tier_is_proven_each_failure_is_told(monkeypatch):
    refuse_all(monkeypatch)
    with pytest.raises(IsolationError) as caught:
        open_jail(limits=Limits())
    assert caught.value.exit_code == 3
    for tier in tiers.TIERS:
        assert f"Tier {tier!r}: Step one of {tier} failed." in str(caught.value)
    assert "grader doctor" in str(caught.value)


def test_a_forced_tier_is_not_replaced_by_another(monkeypatch):
    refuse_all(monkeypatch)
    with pytest.raises(IsolationError) as caught:
        open_jail("landlock", limits=Limits())
    assert "Tier 'landlock'" in str(caught.value)
    assert "namespaces" not in caught.value.found


@pytest.fixture
def started(monkeypatch):
    """The numbers of the processes that were started to become jails."""
    numbers, lead = [], launch._lead

    def noting(tier, view, pid, *rest):
        numbers.append(pid)
        lead(tier, view, pid, *rest)

    monkeypatch.setattr(launch, "_lead", noting)
    return numbers


@pytest.mark.parametrize("tier", tiers.TIERS)
def test_a_jail_that_is_killed_while_it_starts_is_started_again_on_the_same_tier(jails, started, tier):
    jails(tier)  # skips where it is not proven
    started.clear()

    def kill_the_first():
        if len(started) == 1:
            os.kill(started[0], signal.SIGKILL)

    with open_jail(tier, limits=Limits(), meanwhile=kill_the_first) as jail:
        assert jail.isolation.tier == tier
    assert len(started) == 2


@pytest.mark.parametrize("tier", tiers.TIERS)
def test_a_jail_that_is_killed_while_it_is_proven_is_started_again_on_the_same_tier(jails, started, monkeypatch, tier):
    jails(tier)
    started.clear()
    proving = probe.run

    def kill_the_first(*rest):
        if len(started) == 1:
            os.kill(started[0], signal.SIGKILL)
        return proving(*rest)

    monkeypatch.setattr(probe, "run", kill_the_first)
    with open_jail(tier, limits=Limits()) as jail:
        assert jail.isolation.tier == tier
    assert len(started) == 2


def test_a_jail_that_is_killed_whenever_it_starts_is_given_up(jails, started):
    jails("no-open")
    started.clear()
    with pytest.raises(IsolationError, match="ended before it was ready"):
        open_jail("no-open", limits=Limits(), meanwhile=lambda: os.kill(started[-1], signal.SIGKILL))
    assert len(started) == tiers.TRIES


def test_process_only_is_never_chosen_by_itself(monkeypatch):
    refuse_all(monkeypatch)
    with pytest.raises(IsolationError) as caught:
        open_jail("auto", limits=Limits())
    assert "'none'" not in str(caught.value)


def test_an_unknown_tier_is_a_wrong_use():
    with pytest.raises(UsageError, match="'chroot'"):
        open_jail("chroot", limits=Limits())


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_are_refused_with_a_sentence(monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(IsolationError, match="only Linux has"):
        open_jail(limits=Limits())


def test_the_doctors_modules_can_be_imported_where_unix_modules_are_missing():
    """On Windows there is neither fcntl nor resource, and `grader doctor` must still say so in a sentence."""
    program = "import sys, json; sys.modules.update(fcntl=None, resource=None, termios=None); import grader.jail.doctor"
    assert run_program(f"{program}; print(json.dumps(sorted(grader.jail.TIERS)))") == sorted(tiers.TIERS)


def test_one_attempt_that_is_not_held_refuses_the_tier(monkeypatch):
    """The sentence names the attempt, and the half-built jail is closed."""
    closed = []

    class Zygote:
        link = None
        close = staticmethod(lambda: closed.append(True))

    monkeypatch.setattr(launch, "start", lambda order, meanwhile=None: (Zygote(), None))
    monkeypatch.setattr(tiers, "Branch", lambda link: None)
    monkeypatch.setattr(probe, "run", lambda *arguments: [HELD, LOST])
    with pytest.raises(IsolationError) as caught:
        open_jail("no-open", limits=Limits())
    assert "connect to a TCP port from inside (network): it worked (0)." in str(caught.value)
    assert closed == [True]


def test_cuda_is_refused_where_no_file_can_be_opened(monkeypatch):
    monkeypatch.setattr(launch, "start", lambda order, meanwhile=None: pytest.fail("it must not be built"))
    with pytest.raises(IsolationError, match="CUDA opens its device files"):
        open_jail("no-open", limits=Limits(), device="cuda")


def test_a_package_that_is_not_installed_is_the_courses_fault():
    with pytest.raises(CourseError, match="no_such_package_here"):
        libraries.find(["no_such_package_here"])


def test_the_packages_are_torch_and_its_needs_and_nothing_of_the_kit():
    names = set(libraries.find())
    assert {"torch", "numpy", "msgspec", "sympy", "typing_extensions.py"} <= names
    assert not names & {"pytest", "_pytest", "click", "rich", "grader", "pip"}


def test_extra_packages_are_shown():
    assert "click" in libraries.find(["click"])


def test_requirements_of_extras_are_left_out():
    names = {name.lower() for name in libraries.requirements(metadata.distribution("torch"))}
    assert "sympy" in names
    assert not names & {"optree", "opt-einsum", "pyyaml"}


@pytest.fixture
def tree(tmp_path):
    """A small system: a library folder with packages to hide and a secret."""
    for name in (
        "lib/libm.so",
        "lib/python3/os.py",
        "lib/python3/site-packages/kit/answers.py",
        "lib/course/hidden.py",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path / "lib"


def test_installed_packages_are_masked(tree):
    assert list(rootfs._package_folders(str(tree))) == [str(tree / "python3/site-packages")]


def test_landlock_is_led_around_what_is_masked(tree):
    masked = [str(tree / "python3/site-packages"), str(tree / "course")]
    rules = dict(rootfs._around(str(tree), masked, [str(tree / "course")]))
    readable = {path for path, rights in rules.items() if rights & landlock.READ}
    assert readable == {str(tree / "libm.so"), str(tree / "python3/os.py")}
    assert rules[str(tree / "python3")] == landlock.FOLDER
    assert str(tree) not in rules


def test_a_secret_within_the_system_is_masked(monkeypatch, tree):
    monkeypatch.setattr(rootfs, "SYSTEM", (str(tree),))
    view = rootfs.view(libraries.find(), [tree / "course"], cuda=False)
    assert str(tree / "course") in view.masked
    assert view.secret == (str(tree / "course"),)
    assert str(tree / "python3/site-packages") in view.mounts()["masks"]


def test_the_environments_own_folder_is_not_shown():
    view = rootfs.view(libraries.find(), [], cuda=False)
    environment = Path(sys.prefix)
    if sys.prefix != sys.base_prefix:
        assert not any(Path(tree).is_relative_to(environment) for tree in view.trees)
    targets = {target for _, target in view.mounts()["binds"]}
    assert f"{rootfs.SITE}/torch" in targets
    assert not any(str(environment) in target for target in targets if sys.prefix != sys.base_prefix)


def test_the_gpus_files_are_shown_only_when_asked_for(monkeypatch):
    real = Path.glob
    fake = [Path("/dev/nvidia0"), Path("/dev/nvidiactl")]
    monkeypatch.setattr(Path, "glob", lambda self, pattern: fake if pattern == "nvidia*" else real(self, pattern))
    monkeypatch.setattr(Path, "is_char_device", lambda self: True)
    plain, cuda = (rootfs.view(libraries.find(), [], cuda=wanted) for wanted in (False, True))
    assert not any("nvidia" in device for device in plain.devices)
    rights = dict(cuda.readable("/tmp/site"))
    assert rights["/dev/nvidia0"] == landlock.READ | landlock.WRITE | landlock.DEVICE
    assert rights["/dev/null"] == landlock.READ


@pytest.mark.parametrize(("abi", "highest"), [(1, 12), (2, 13), (3, 14), (4, 14), (5, 15), (7, 15)])
def test_every_right_that_a_version_of_landlock_knows_is_restricted(abi, highest):
    assert landlock.file_rights(abi) == 2 ** (highest + 1) - 1


def test_the_starting_environment_names_nothing_of_this_machine():
    assert all(str(Path.home()) not in value or str(Path.home()) == "/" for value in launch.ENVIRONMENT.values())
    assert "PYTHONPATH" not in launch.ENVIRONMENT
    assert launch.ENVIRONMENT["OMP_NUM_THREADS"] == launch.ENVIRONMENT["OMP_THREAD_LIMIT"] == "1"


def test_the_command_line_of_a_jail_names_nothing_of_the_kit():
    command = bootstrap.start_command("/usr/bin/python3", 64, fixed_hashes=True)
    kit = str(Path(bootstrap.__file__).parents[2])
    assert not any(kit in word or "grader" in word for word in command)
    assert {"-P", "-s", "-S", "-B"} <= set(command)


def test_a_probe_that_ends_early_names_the_attempt():
    import socket

    from grader.jail import Lease

    ours, theirs = socket.socketpair()
    theirs.sendall(b'{"name": "fork", "tried": "clone a process"}\n')
    theirs.shutdown(socket.SHUT_WR)
    with ours, theirs, pytest.raises(StepRefused, match="ended at the attempt to clone a process"):
        probe._converse(Lease(ours, -1, 0), b"{}\n")


def test_the_targets_notice_who_reaches_them():
    import socket

    targets = probe.Targets([], [])
    try:
        assert all(attempt.held for attempt in targets.seen())
        with socket.create_connection(targets.tcp.getsockname()):
            lost = [attempt for attempt in targets.seen() if not attempt.held]
        assert [attempt.tried for attempt in lost] == ["reach the listening TCP socket"]
        targets.canary.write_text("changed")
        assert [attempt.name for attempt in targets.seen() if not attempt.held] == ["write"]
    finally:
        targets.close()


def test_everybody_may_read_the_canary_but_for_the_jail():
    targets = probe.Targets([], [])
    try:
        assert stat.S_IMODE(targets.canary.stat().st_mode) == 0o644
        assert stat.S_IMODE(targets.canary.parent.stat().st_mode) == 0o755
    finally:
        targets.close()


def test_samples_of_a_secret_pass_over_what_is_shown_on_purpose(tmp_path):
    for name in ("venv/torch/a.py", "tests/hidden.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    samples = set(probe._samples(tmp_path, [tmp_path / "venv/torch"]))
    assert samples == {tmp_path, tmp_path / "tests/hidden.py"}


def test_an_attempt_counts_as_held_only_when_the_kernel_refused_it():
    from grader.inside import attempts

    def wrong():
        raise OSError(22, "invalid argument")

    def broken():
        raise TypeError("a mistake of the probe")

    def held():
        raise PermissionError(1, "no")

    assert attempts._judge(held) == ("refused with EPERM", True)
    assert not attempts._judge(wrong)[1]
    assert not attempts._judge(broken)[1]
    assert not attempts._judge(lambda: 0)[1]


def test_the_doctor_names_the_proven_tier_and_the_first_failure(monkeypatch):
    class Fake(Jail):
        def __init__(self):
            self.attempts = (HELD,)
            self.isolation = tiers.Isolation(
                tier="landlock",
                landlock_abi=7,
                seccomp=True,
                nested_user_namespaces=False,
                uid=1,
                kernel="6",
                attempts=1,
                notes=("A note.",),
            )

        def close(self):
            pass

    def build(tier, **more):
        if tier == "namespaces":
            raise StepRefused("The kernel refused to make namespaces (EPERM).")
        if tier == "no-open":
            raise tiers.Escaped([HELD, LOST])
        return Fake()

    monkeypatch.setattr(tiers, "build", build)
    findings = doctor.examine()
    assert findings.can_grade
    assert [finding.proven for finding in findings.tiers] == [False, True, False]
    lines = list(doctor.render(findings))
    assert lines[-1] == "Grading is possible here, with tier 'landlock'."
    assert "  The kernel refused to make namespaces (EPERM)." in lines
    assert "  [held] read: open a file: refused with EPERM" in lines
    assert "  [FAILED] network: connect to a TCP port: it worked (0)" in lines
    assert "  Note: A note." in lines


def test_the_doctor_says_that_nothing_is_proven(monkeypatch):
    def build(tier, **more):
        raise StepRefused("No.")

    monkeypatch.setattr(tiers, "build", build)
    findings = doctor.examine()
    assert not findings.can_grade
    assert findings.verdict.startswith("Grading is refused here")


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_doctor_sends_other_systems_to_check(monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    findings = doctor.examine()
    assert findings.tiers == ()
    assert "`grader check` works here" in list(doctor.render(findings))[-1]


def test_something_else_can_be_done_while_the_jail_starts():
    """It is done once, before the jail is handed over, and what goes wrong in it is not hidden."""
    done = []
    with open_jail(limits=Limits(), meanwhile=lambda: done.append("imported")) as jail:
        assert done == ["imported"]
        assert jail.status().threads == 1
    with pytest.raises(ZeroDivisionError):
        open_jail(limits=Limits(), meanwhile=lambda: 1 / 0)
