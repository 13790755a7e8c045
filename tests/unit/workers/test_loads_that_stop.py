"""What becomes of a source whose load hangs or kills, from its first load to the one that is given up."""

import os
import time

import pytest

from grader.inside.protocol.answers import StatementReached
from grader.inside.protocol.messages import Cell
from grader.limits import Limits
from grader.words import CourseWords
from grader.workers.process import transport
from grader.workers.process.failures import StudentFailure
from grader.workers.source_loading import SourceLoading
from grader.workers.source_notes import SourceRecord

HANG = StudentFailure("timeout", CourseWords("It hangs.", "멈췄습니다."))


def step(statement, group=0):
    return StatementReached(nonce=bytes(16), group=group, statement=statement)


@pytest.fixture
def loading():
    limits = Limits(output_bytes=111, reply_bytes=222)
    return SourceLoading([Cell(1, "x = 1")], "tiny", SourceRecord("mine.py", False), limits)


def test_what_stopped_an_earlier_session_is_left_out_from_the_first_load_on(loading):
    loading.note_failure(HANG, None)
    loading.note_failure(HANG, step(1))
    limits = Limits()
    again = SourceLoading([Cell(1, "x = 1")], "tiny", SourceRecord("mine.py", False), limits, loading.stops)
    assert again.request().steps and again.request().stops == loading.stops
    again.note_failure(HANG, step(2))
    assert [stop.statement for stop in again.stops[0]] == [1, 2] and len(loading.stops[0]) == 1


@pytest.mark.parametrize("reached", [None, step(3)])
def test_a_source_that_stops_at_no_known_place_or_at_one_that_is_left_out_is_given_up(loading, reached):
    loading.note_failure(HANG, None)
    if reached:
        loading.note_failure(HANG, reached)
    with pytest.raises(StudentFailure, match="It hangs"):
        loading.note_failure(HANG, reached)
    assert loading.unloadable is HANG


def test_what_is_no_fault_of_a_statement_ends_the_load_and_not_the_source(loading):
    failure = StudentFailure("error", "It is wrong.")
    with pytest.raises(StudentFailure) as raised:
        loading.note_failure(failure, step(1))
    assert raised.value is failure and loading.unloadable is None and not loading.request().steps


# -- the time that a worker used ----------------------------------------------------------------------------------


def test_a_processs_time_is_told_by_its_clock_and_by_proc_alike(monkeypatch):
    pid = os.getpid()
    used = time.process_time()
    exact = transport.process_seconds(pid)
    assert used <= exact < used + 1
    assert transport.process_seconds_by_ticks(pid) == pytest.approx(exact, abs=0.2)

    def no_such_clock(number):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("grader.workers.process.transport.time.clock_gettime", no_such_clock)
    assert transport.process_seconds(pid) == pytest.approx(exact, abs=0.2)
    assert transport.process_seconds(2**22 + 5) is None
