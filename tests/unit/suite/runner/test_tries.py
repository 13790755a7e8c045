"""What counts of the ways of a submission, whatever becomes of each of them."""

from dataclasses import replace
from functools import partial

import msgspec
import pytest

from grader.inside.protocol.messages import Stop
from grader.results.verdict import CheckVerdict
from grader.source_cells import Source
from grader.suite.runner.tries import Ended, Job, Tries
from grader.workers.process.clock import Allowance
from grader.workers.source_loading import TextReading

CHECKS = {"first": {"first.a", "first.b"}, "second": {"second.c"}}
IDS = {id[-1]: id for ids in CHECKS.values() for id in ids}
said = partial(Ended, text=TextReading())
SAID, DIED = said(), Ended()
JOB = Job(Source(), Allowance.of(120.0))


def way(last_words=SAID, seconds=1.0, raw=None, **statuses):
    """Return what a fork leaves: its last words, if it has any, and the statuses of its checks."""
    verdicts = [CheckVerdict(id=IDS[name], status=status) for name, status in statuses.items()]
    return msgspec.structs.replace(last_words, seconds=seconds, raw=raw, verdicts=verdicts)


class Going:
    """A submission whose forks left these things, one after the other.

    Attributes:
        jobs: The jobs of those after the first, in their order.
    """

    def __init__(self, *ways, exercise=None, checks=CHECKS):
        self.tries = Tries(replace(JOB, exercise=exercise), checks)
        job = self.tries.next_job()
        assert job == self.tries.job
        self.jobs = []
        for ended in ways:
            self.tries.ended.append(msgspec.structs.replace(ended, exercise=job.exercise))
            self.jobs.append(job := self.tries.next_job())
        assert self.jobs.pop() is None and None not in self.jobs, "It has more ways or fewer than were given."

    @property
    def again(self):
        return [job.exercise for job in self.jobs]

    @property
    def statuses(self):
        return {name: self.tries.verdicts[id].status for name, id in IDS.items() if id in self.tries.verdicts}


ALL = way(a="passed", b="passed", c="passed")


def test_what_passed_is_run_once_and_would_again():
    going = Going(ALL)
    assert going.statuses == {"a": "passed", "b": "passed", "c": "passed"} and going.tries.is_lasting


def test_the_second_verdicts_of_an_exercise_replace_the_first_better_and_worse():
    going = Going(way(a="failed", b="passed", c="passed"), way(a="passed", b="error"))
    assert going.again == ["first"] and going.statuses == {"a": "passed", "b": "error", "c": "passed"}
    assert going.tries.is_lasting


def test_nothing_is_run_again_of_an_exercise_that_is_run_alone():
    alone = Going(way(a="failed", b="skipped"), exercise="first", checks={"first": CHECKS["first"]})
    assert alone.statuses == {"a": "failed", "b": "skipped"}


def test_a_check_that_was_left_out_with_an_excuse_is_no_loss():
    excused = msgspec.structs.replace(ALL.verdicts[2], status="skipped", excused=True)
    assert Going(msgspec.structs.replace(ALL, verdicts=[*ALL.verdicts[:2], excused])).again == []


def test_what_hung_is_run_again_last_and_what_a_limit_decided_does_not_last():
    first = way(a="failed", b="timeout", c="failed")
    assert Going(first, way(c="failed"), way(a="passed", b="passed")).again == ["second", "first"]
    assert Going(first, way(c="failed"), way(a="passed", b="passed")).tries.is_lasting
    assert not Going(first, way(c="failed"), way(a="failed", b="timeout")).tries.is_lasting


def test_a_second_try_has_what_the_first_one_read_and_left_out_and_the_time_that_is_left():
    stops = {0: [Stop(3, "timeout", "It hangs.")]}
    text = TextReading(absent=frozenset({"third"}))
    first = way(said(text=text, stops=stops, cpu_s=20.0), 30.0, a="failed", b="passed", c="failed")
    going = Going(first, way(said(cpu_s=50.0), 60.0, a="failed", b="passed"), way(c="failed"))
    assert [(job.first.text, job.first.stops, job.exercise is None) for job in going.jobs] == [(text, stops, False)] * 2
    whole = Allowance.of(120.0)
    left = [Allowance(100.0, whole.wall_s - 30.0), Allowance(50.0, whole.wall_s - 90.0)]
    assert [job.left for job in going.jobs] == left
    assert going.tries.job.left == whole


# -- forks that die --------------------------------------------------------------------------------------------------


def test_a_fork_that_dies_keeps_its_lines_and_what_has_none_is_run_again():
    going = Going(way(DIED, a="passed", b="passed"), way(c="passed"))
    assert going.again == ["second"] and going.statuses == {"a": "passed", "b": "passed", "c": "passed"}
    assert going.jobs[0].first.text is None
    assert not going.tries.is_lasting


def test_an_exercise_whose_fork_dies_twice_has_no_verdict_which_is_a_crash_and_the_others_have_theirs():
    going = Going(way(DIED, a="passed"), way(DIED, a="passed"), way(c="passed"))
    assert going.again == ["first", "second"] and going.statuses == {"a": "passed", "c": "passed"}
    assert not going.tries.ungraded


def test_nothing_of_the_first_try_counts_where_the_second_dies():
    assert Going(way(a="passed", b="failed", c="passed"), way(DIED)).statuses == {"c": "passed"}


# -- what the system kills, and what no time is left for -------------------------------------------------------------

KILLED = said(early="killed")
BEGUN = way(KILLED, a="passed", b="passed")
LOST = way(a="passed", b="passed", c="failed")


@pytest.mark.parametrize("ways", [(BEGUN, way(c="failed")), (LOST, way(KILLED), way(c="failed"))])
def test_an_exercise_that_the_system_killed_once_is_run_once_more_and_counts(ways):
    going = Going(*ways)
    assert set(going.again) == {"second"} and going.statuses["c"] == "failed"
    assert not going.tries.ungraded and going.tries.is_lasting


@pytest.mark.parametrize("ways", [(BEGUN, way(KILLED)), (LOST, way(KILLED), way(KILLED))])
def test_an_exercise_that_the_system_killed_twice_has_no_score(ways):
    going = Going(*ways)
    assert going.tries.ungraded == {"second": "killed"} and not going.tries.is_lasting
    assert going.statuses == {"a": "passed", "b": "passed"}


def test_every_exercise_that_a_kill_left_without_a_verdict_is_run_once_more():
    going = Going(way(KILLED, a="passed"), way(a="passed", b="failed"), way(c="passed"))
    assert going.again == ["first", "second"] and going.statuses == {"a": "passed", "b": "failed", "c": "passed"}
    assert going.tries.is_lasting


OVER = said(early="time", cpu_s=120.0)


@pytest.mark.parametrize(
    "ways",
    [
        [way(OVER, a="passed", b="passed")],
        [way(said(cpu_s=120.0), a="passed", b="passed", c="failed")],
        [way(SAID, 800.0, a="passed", b="passed", c="failed")],
        [LOST, way(OVER)],
        [way(a="failed", b="passed", c="failed"), way(said(cpu_s=120.0), a="passed", b="passed")],
    ],
    ids=["not run", "no processor time", "no wall time", "not run again to its end", "not run again"],
)
def test_what_no_time_is_left_for_has_no_score_and_is_no_timeout(ways):
    going = Going(*ways)
    assert going.tries.ungraded == {"second": "time"} and not going.tries.is_lasting
    assert going.statuses["a"] == going.statuses["b"] == "passed" and "timeout" not in going.statuses.values()


# -- the rest --------------------------------------------------------------------------------------------------------


def test_a_submission_that_was_refused_is_not_gone_on_with():
    going = Going(LOST, way(said(refused="There is no worker.")))
    assert going.tries.refused == "There is no worker." and not going.tries.is_lasting
    assert Going(way(said(refused="There is no worker."))).again == []
