"""What a worker refuses in its own English sentence is told in Korean too."""

import re
from pathlib import Path

import pytest

from grader.workers.calls.refusals import SENTENCES, in_korean
from grader.workers.process.connection import TOO_MUCH_TOGETHER

INSIDE = Path(__file__).resolve().parents[3] / "grader" / "inside"
LOST = "is not in this process any more"  # nobody but the kit can bring it about


@pytest.mark.parametrize(
    ("english", "korean"),
    [
        (TOO_MUCH_TOGETHER.format(4096), "4,096바이트"),
        (
            "The module A has no parameter or buffer named q.weight; it has: none at all.",
            "모듈 A에 이름이 q.weight인 매개변수나 버퍼가 없습니다. 있는 것: 없음.",
        ),
        ("The parameter fc.weight of A has the shape (4, 2, 1), but (4, 2) is asked for.", "(4, 2, 1)인데 (4, 2)"),
        ("The parameter fc.weight of A has no size before the first call. Use another.", "크기가 없습니다"),
        ("A has no method `forward`; there is `foward`. Rename it.", "`foward`의 이름을 `forward`에 맞추어"),
        ("Output 2 is asked for a gradient, but only 1 came back.", "출력이 1개뿐"),
        ("A tensor is asked for to take gradients of, but the result is None.", "텐서가 아닙니다(None)"),
        ("The result has the shape (2,), but (3,) is asked for.", "(2,)인데 (3,)이어야"),
    ],
)
def test_refusal_is_told_in_korean(english, korean):
    assert korean in in_korean(english)


def test_another_sentence_is_not_known():
    assert in_korean("Anything else.") == "" and in_korean("x" * 2000) == ""


def test_every_refusal_of_a_worker_is_known():
    texts = [path.read_text(encoding="utf-8") for path in INSIDE.glob("*/*.py")]
    raised = [words for text in texts for words in re.findall(r"raise Refused\((.*?)\n? *\)\n", text, re.DOTALL)]
    known = [re.sub(r"\\(.)|\(.*?\)", r"\1", pattern) for pattern, _ in SENTENCES]
    assert len([words for words in raised if LOST not in words]) == len(known) - 1  # one is the trusted side's
