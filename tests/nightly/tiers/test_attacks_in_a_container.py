"""Attacks under a container's default profile, where the first tiers cannot be had."""

import sys

import pytest

from ...attacks.arenas import HONEST, LIMITS, hand_in, student_of
from ...support.classes.grading_runs import ASSIGNMENT, REFUSED, Playground, set_limits
from ...support.jails import container_profile


@pytest.mark.parametrize(("older_kernel", "tier"), [(False, "landlock"), (True, "no-open")])
def test_attacks_gain_nothing_in_a_container(tmp_path, older_kernel, tier):
    """The next tier is proven by itself, and attacks gain nothing there either."""
    place = Playground(tmp_path)
    set_limits(place.course, **LIMITS)
    attacks = ("steal/read_the_disk", "steal/parent_memory", "forge/daemon", "break_out/kernel_doors")
    for name in attacks:
        hand_in(place, name)
    profile = [sys.executable, container_profile.__file__, *(["--without-landlock"] if older_kernel else [])]
    graded = place.grade("reports", through=profile)
    if graded.code == REFUSED:
        pytest.skip(graded.stderr.strip())
    assert graded.code == 0, graded.stderr
    assert "LEFT OVER" not in graded.stderr
    for name in attacks:
        assert graded.report(student_of(name))["isolation"]["tier"] == tier
        assert graded.points(student_of(name)).keys() == {HONEST}
        text = graded.written[f"{student_of(name)}/{ASSIGNMENT}.json"]
        assert "TRIED" in text
        assert "GAINED" not in text
    for meaning, word in place.canaries.items():
        assert word not in graded.everything, meaning
