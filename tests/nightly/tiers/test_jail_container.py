"""What a jail makes of stricter containers than the usual one, in which `test_attacks_in_a_container.py` grades."""

import os
import sys

import pytest

from grader.inside.sandbox import landlock

from ...support.jails import container_profile
from ...support.jails.raw_jails import OPEN, run_program


def contained(*without):
    """Open a jail in such a container; return the isolation, or the sentence of the refusal."""
    return run_program(OPEN, "auto", __file__, through=[sys.executable, container_profile.__file__, *without])


def test_a_container_that_dropped_every_capability_is_no_worse():
    if not landlock.version():
        pytest.skip("this kernel offers no Landlock")
    isolation = contained("--without-capabilities")
    assert isolation["tier"] == "landlock" and isolation["attempts"] > 100
    assert isolation["uid"] == os.geteuid()
    assert any("as the user who graded" in note for note in isolation["notes"])


def test_a_container_that_refuses_filters_is_refused_with_a_sentence_for_each_tier():
    sentence = contained("--without-landlock", "--without-filters")
    assert isinstance(sentence, str)
    assert "nothing is graded" in sentence
    for tier in ("namespaces", "landlock", "no-open"):
        assert f"Tier '{tier}':" in sentence
    assert "refused to install the system-call filter (EPERM" in sentence
    assert "refused to make user, mount, pid" in sentence
