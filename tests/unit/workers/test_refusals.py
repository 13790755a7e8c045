"""A worker's refusal comes as a name and values, and is said in English and in Korean."""

import re
from pathlib import Path

import pytest

from grader.inside.protocol.answers import RaisedReply
from grader.inside.protocol.wire import ProtocolViolation
from grader.workers.calls.refusals import SENTENCES, refusal

GRADER = Path(__file__).resolve().parents[3] / "grader"


def refused(why, *values):
    """Return the failure that such a reply comes to."""
    return refusal(RaisedReply(nonce=b"0" * 16, kind="refused", text=why, values=list(values)), "A.load")


def test_a_students_braces_fill_no_gap():
    failure = refused("other_parameter_shape", "A", "{0.__class__}", "(4, 2)", "(2, 4)")
    assert failure.sentence == "The parameter {0.__class__} of A has the shape (4, 2), but (2, 4) is asked for."
    assert "모양이 (4, 2)인데 (2, 4)이어야" in failure.sentence.to("ko")


@pytest.mark.parametrize(("why", "values"), [("anything else", ["A"]), ("other_names", ["A", "b"]), ("", [])])
def test_a_refusal_that_no_worker_of_the_kit_sends_breaks_the_protocol(why, values):
    with pytest.raises(ProtocolViolation, match="refus"):
        refused(why, *values)


def test_every_refusal_of_a_worker_has_its_sentence():
    texts = [path.read_text(encoding="utf-8") for path in GRADER.glob("inside/worker/*.py")]
    raised = {why for text in texts for line in re.findall(r"raise Refused\((.*)\)", text) for why in
              re.findall(r'"([a-z_]+)"', line)}  # fmt: skip
    assert raised | {"too_much_together"} == set(SENTENCES)
