"""The tiers under a container's rules, emulated by a filter over the whole grader and a short list of capabilities."""

import os

import pytest

from grader.inside.sandbox import landlock

from ...support.jails.raw_jails import run_program

BY_DEFAULT = """unshare mount umount2 pivot_root setns ptrace process_vm_readv process_vm_writev bpf keyctl add_key
request_key userfaultfd perf_event_open io_uring_setup open_by_handle_at mount_setattr open_tree pidfd_getfd"""
NO_LANDLOCK = f"{BY_DEFAULT} landlock_create_ruleset landlock_add_rule landlock_restrict_self"
NO_FILTERS = f"{NO_LANDLOCK} seccomp prctl"
CONTAINED = """
import ctypes, errno, json, os, sys
from pathlib import Path
import msgspec
from grader.errors import IsolationError
from grader.inside.sandbox import seccomp
from grader.inside.sandbox.bpf import ALLOW, Bits, Outside, Rule, assemble, refuse
from grader.inside.sandbox.syscalls import NUMBERS, PR_SET_SECCOMP, forbid_new_privileges, libc
from grader.inside.sandbox.syscalls import machine
from grader.inside.sandbox.syscalls import set_capabilities
from grader.jail import open_jail
from grader.limits import Limits

PR_CAPBSET_DROP = 24
names, numbers = sys.argv[1].split(), NUMBERS[machine()]
denied = refuse(errno.EPERM)
rules = {numbers[name]: Rule((), denied) for name in names if name in numbers}
rules[numbers["clone"]] = Rule(((Bits(0, 0x7E020000),),), denied)
rules[numbers["clone3"]] = Rule((), refuse(errno.ENOSYS))
if "prctl" in names:
    rules[numbers["prctl"]] = Rule(((Outside(0, 0xFFFFFFFF, PR_SET_SECCOMP),),), denied)
root = os.geteuid() == 0
kept = sum(1 << int(number) for number in sys.argv[3].split())
if not root:
    forbid_new_privileges()
seccomp.install(assemble(machine(), rules, ALLOW))
if root:
    for number in range(41):
        if not kept >> number & 1:
            libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    set_capabilities(kept)
try:
    with open_jail(limits=Limits(), pool=1, secret_paths=[Path(sys.argv[2])]) as jail:
        print(json.dumps(msgspec.to_builtins(jail.isolation)))
except IsolationError as error:
    print(json.dumps(str(error)))
"""


def contained(rules, capabilities="0 1 3 4 5 6 7 8 10 13 18 27 29 31"):
    """Open a jail under a container's rules; return the isolation, or the sentence of the refusal."""
    return run_program(CONTAINED, rules, __file__, capabilities)


def test_a_container_that_dropped_every_capability_is_no_worse():
    if not landlock.version():
        pytest.skip("this kernel offers no Landlock")
    isolation = contained(BY_DEFAULT, capabilities="")
    assert isolation["tier"] == "landlock"
    assert isolation["uid"] == os.geteuid()
    assert any("as the user who graded" in note for note in isolation["notes"])


def test_a_container_without_privileges_gets_landlock():
    if not landlock.version():
        pytest.skip("this kernel offers no Landlock")
    isolation = contained(BY_DEFAULT)
    assert isolation["tier"] == "landlock"
    assert isolation["attempts"] > 100


def test_a_container_that_refuses_landlock_too_gets_no_open():
    isolation = contained(NO_LANDLOCK)
    assert isolation["tier"] == "no-open"
    assert isolation["landlock_abi"] == 0


def test_a_container_that_refuses_filters_is_refused_with_a_sentence_for_each_tier():
    sentence = contained(NO_FILTERS)
    assert isinstance(sentence, str)
    assert "nothing is graded" in sentence
    for tier in ("namespaces", "landlock", "no-open"):
        assert f"Tier '{tier}':" in sentence
    assert "refused to install the system-call filter (EPERM" in sentence
    assert "refused to make user, mount, pid" in sentence
