"""What `grader doctor` finds and says; no jail is built."""

import sys

import pytest

from grader.inside.sandbox.syscalls import StepRefused
from grader.jail import EscapeAttempt, Jail, doctor, tiers

HELD = EscapeAttempt("read", "open a file", "refused with EPERM", True)
LOST = EscapeAttempt("network", "connect to a TCP port", "it worked (0)", False)


def test_the_doctor_names_the_proven_tier_and_the_first_failure(monkeypatch):
    class Fake(Jail):
        def __init__(self):
            self.attempts = (HELD,)
            facts = {"landlock_abi": 7, "seccomp": True, "nested_user_namespaces": False, "uid": 1, "kernel": "6"}
            self.isolation = tiers.Isolation(tier="landlock", attempts=1, notes=("A note.",), **facts)

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
