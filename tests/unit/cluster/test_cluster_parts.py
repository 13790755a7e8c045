"""How a class is cut into batches, what becomes of one that nodes die of, and what a seal holds for."""

from types import SimpleNamespace

import msgspec
import pytest

from grader.cluster.batch_io import shared
from grader.cluster.cut import MOST_AT_ONCE, Batch, WaitingSubmission, after_death, cut_batches, size_of
from grader.cluster.messages import Finished, Opening, Seals, difference, identity_of
from grader.errors import UsageError
from grader.results.assemble import Outcome
from grader.submissions.submission import Submission
from grader.system.devices import device_of_nodes

from ...support.courses import small_course

SECRET = b"s" * 32
OPENING = Opening(isolation={"tier": "namespaces"}, manifest=[])


def waiting(count, assignment="01_tiny"):
    return [WaitingSubmission(n, SimpleNamespace(id=assignment), Submission(f"s{n}", assignment)) for n in range(count)]


def finished(number):
    outcome = Outcome(verdicts=[], notes=[], started="2026-01-01T00:00:00Z", duration_s=1.0)
    return Finished(number=number, problem=None, outcome=outcome, lasting=True, raw=b"\x00raw")


@pytest.mark.parametrize(
    ("submissions", "nodes", "processors", "size"),
    [(1, 4, 8, 1), (10, 2, 1, 5), (300, 2, 1, 50), (300, 2, 8, 150), (10_000, 4, 64, 500), (10_000, 10, 4, 240)],
)
def test_a_batch_is_worth_its_start_and_leaves_no_node_idle(submissions, nodes, processors, size):
    assert size_of(submissions, nodes, processors) == size <= MOST_AT_ONCE


def test_a_batch_is_of_one_assignment_and_nothing_is_left_out():
    both = [*waiting(30), *waiting(7, "02_more")]
    batches = cut_batches(both, nodes=2, processors=1)
    assert [each for batch in batches for each in batch.items] == both
    assert all(len({each.assignment.id for each in batch.items}) == 1 for batch in batches)


def test_a_batch_is_tried_again_whole_and_then_in_halves():
    batch = Batch(waiting(5))
    (again,) = after_death(batch, batch.items)
    assert again.items == batch.items
    assert [len(part.items) for part in after_death(again, again.items)] == [2, 3]


def test_a_submission_that_node_after_node_dies_of_is_given_up():
    tries, batches = 0, [Batch(waiting(1))]
    while batches:
        tries += 1
        batches = after_death(batches[0], batches[0].items)
    assert tries == 3


def test_what_has_a_result_is_not_tried_again():
    batch = Batch(waiting(5))
    assert [each.number for each in after_death(batch, batch.items[3:])[0].items] == [3, 4]


def test_an_answer_is_read_as_it_was_sent():
    seals = Seals(SECRET)
    lines = [OPENING, finished(0), finished(1)]
    sent = b"".join(seals.line("nonce", place, line) for place, line in enumerate(lines))
    assert list(Seals(SECRET).lines("nonce", sent)) == lines


@pytest.mark.parametrize("change", ["secret", "nonce", "order", "text", "cut"])
def test_what_another_wrote_or_changed_does_not_count(change):
    seals = Seals(b"t" * 32 if change == "secret" else SECRET)
    nonce = "other" if change == "nonce" else "nonce"
    places = [0, 2, 1] if change == "order" else [0, 1, 2]
    lines = [
        seals.line(nonce, place, line) for place, line in zip(places, [OPENING, *map(finished, (0, 1))], strict=True)
    ]
    sent = b"".join(lines)
    if change == "text":
        sent = sent.replace(b'"number":0', b'"number":9')
    if change == "cut":
        sent = sent[: len(lines[0]) + 100]
    told = list(Seals(SECRET).lines("nonce", sent))
    assert told == ([] if change in ("secret", "nonce") else [OPENING])


def test_what_differs_on_a_node_is_named(tmp_path):
    course = small_course(tmp_path)
    tiny = course.assignment("01_tiny")
    here = identity_of(course, tiny, "cpu", course.limits)
    assert difference(here, here) is None

    def other(**changes):
        return msgspec.structs.replace(here, run=msgspec.structs.replace(here.run, **changes))

    assert "kit is another" in difference(here, other(kit="k"))
    assert "secret is another" in difference(here, other(secret="s"))
    assert "suite is another" in difference(here, msgspec.structs.replace(here, suite="s"))
    assert "numpy 1.0 instead of" in difference(here, other(libraries={**here.run.libraries, "numpy": "1.0"}))
    assert "processor is abacus" in difference(here, other(machine="abacus"))


def test_builds_of_torch_may_differ_where_a_gpu_computes(tmp_path):
    course = small_course(tmp_path)
    for device, same in (("cuda", True), ("cpu", False)):
        here = identity_of(course, course.assignment("01_tiny"), device, course.limits)
        libraries = {**here.run.libraries, "torch": here.run.libraries["torch"].partition("+")[0] + "+cu1"}
        there = msgspec.structs.replace(here, run=msgspec.structs.replace(here.run, libraries=libraries))
        assert (difference(here, there) is None) is same


def test_only_what_holds_for_all_nodes_is_told_of_the_run():
    one, two = {"tier": "namespaces", "uid": 1, "kernel": "6"}, {"tier": "landlock", "uid": 1, "kernel": "5"}
    assert shared(one, one) == one
    assert shared(shared(one, two), one) == {"tier": "landlock, namespaces", "uid": 1}


def test_auto_is_no_device_of_nodes():
    assert device_of_nodes(None, "cuda") == "cuda"
    with pytest.raises(UsageError, match="--device cpu or --device cuda"):
        device_of_nodes("auto", "cpu")
