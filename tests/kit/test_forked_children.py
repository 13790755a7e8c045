"""A forked child gets one submission after the other from its parent, and nothing is lost when it goes."""

import os
import select
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.suite.child import Child, Work, fork

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux has descriptors of processes")
LEFT, PATIENCE_S = 7, 20.0


def jobs(count):
    return {number: SimpleNamespace(number=number) for number in range(-1, count)}


def child_that(does, known, others=()):
    """Fork a child that does something with its work and leaves."""
    child = fork(known, None, list(others))
    if isinstance(child, Work):
        try:
            does(child)
        finally:
            os._exit(LEFT)
    return child


def grade_all(work):
    for _ in work.jobs():
        work.done()


def wait(*descriptors):
    assert select.select(descriptors, [], [], PATIENCE_S)[0], "the child said nothing in time"


def heard(child, count):
    """Wait until a child has said that so many submissions are done; returns their numbers."""
    done = []
    while len(done) < count:
        wait(child.told)
        done += [job.number for job, _ in child.hear()]
    return done


def left(child):
    wait(child.pidfd)
    return child.let_go()


def test_a_child_does_what_it_is_given_in_order_and_leaves_when_there_is_no_more():
    known = jobs(4)
    child = child_that(grade_all, known)
    assert isinstance(child, Child)
    for number in (2, -1, 3):
        child.give(known[number])
    assert heard(child, 3) == [2, -1, 3]
    child.give(known[0])
    assert heard(child, 1) == [0]
    assert (child.given, list(child.jobs)) == (4, [])
    child.close()
    assert left(child) == LEFT


def test_a_child_leaves_though_another_one_was_forked_after_it():
    known = jobs(2)
    first = child_that(grade_all, known)
    second = child_that(grade_all, known, [first])
    first.close()
    assert left(first) == LEFT
    second.give(known[1])
    assert heard(second, 1) == [1]
    second.close()
    assert left(second) == LEFT


def test_what_a_child_was_given_and_did_not_do_is_still_there_when_it_is_gone():
    known = jobs(3)
    child = child_that(lambda work: next(work.jobs()) and time.sleep(60), known)
    for number in (0, 1):
        child.give(known[number])
    child.kill()
    wait(child.pidfd)
    child.give(known[2])  # to nobody
    assert list(child.hear()) == []
    assert child.let_go() == -9
    assert child.end()[0].number == 0
    assert [job.number for job in child.jobs] == [1, 2]


def test_the_time_of_a_submission_begins_when_the_one_before_it_was_done():
    known = jobs(2)

    def slowly(work):
        for job in work.jobs():
            time.sleep(0.5 if job.number else 0.1)
            work.done()

    child = child_that(slowly, known)
    time.sleep(0.5)  # waiting for work is nobody's time
    for number in (0, 1):
        child.give(known[number])
    took = []
    while len(took) < 2:
        wait(child.told)
        took += [seconds for _, seconds in child.hear()]
    child.close()
    assert left(child) == LEFT
    assert took[0] < 0.4 < took[1]


def none(*_):
    raise BlockingIOError


def open_descriptors():
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def test_a_fork_that_fails_leaves_no_descriptor_open(monkeypatch):
    before = open_descriptors()
    monkeypatch.setattr(os, "fork", none)
    with pytest.raises(BlockingIOError):
        fork({}, None, [])
    assert open_descriptors() == before


def test_a_child_that_cannot_be_waited_for_is_ended_at_once(monkeypatch):
    forked, usual = [], os.fork

    def noted():
        forked.append(usual())
        return forked[-1]

    before = open_descriptors()
    monkeypatch.setattr(os, "fork", noted)
    monkeypatch.setattr(os, "pidfd_open", none)
    with pytest.raises(BlockingIOError):
        child_that(grade_all, {})
    assert open_descriptors() == before
    with pytest.raises(ChildProcessError):
        os.waitpid(forked[0], 0)
