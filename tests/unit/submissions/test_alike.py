"""Which code counts as unusual, how much of it makes a pair, and how much of a pair is shown."""

import pytest

from grader.inside.protocol.messages import Cell
from grader.submissions.alike import MOST_LINES, MOST_PASSAGES, Pair, alike
from grader.submissions.code_tokens import tokens_of

LONG = "def f(x):\n" + "".join(f"    x = x.{name}().sum(dim={at})\n" for at, name in enumerate("abcdefgh"))


def compared(submissions: dict[str, str], known: str = "") -> list[Pair]:
    """Return the pairs of submissions that are given as text."""
    return alike(
        {name: tokens_of([Cell(1, text)]) for name, text in submissions.items()}, [tokens_of([Cell(1, known)])]
    )


@pytest.mark.parametrize(("members", "listed"), [(2, 1), (3, 3), (12, 0), (40, 0)])
def test_code_of_few_makes_pairs_and_code_of_many_does_not(members, listed):
    group = {f"s{number}": LONG for number in range(members)}
    assert len(compared({**group, "alone": "def f(x):\n    return x\n"})) == listed


def test_what_the_course_has_makes_no_pair():
    assert len(compared({"ann": LONG, "ben": LONG})) == 1
    assert compared({"ann": LONG, "ben": LONG}, known=LONG) == []


def test_a_few_shared_tokens_in_each_of_many_functions_do_not_add_up():
    ends = [f"    return x.w{at}().sum(-1) + -1\n" for at in range(30)]
    texts = ["".join(f"def f(x):\n    x = x {sign} x\n{end}" for end in ends) for sign in "+-"]
    assert compared(dict(zip(["ann", "ben"], texts, strict=True))) == []


def test_pairs_that_share_most_come_first_and_functions_stand_beside_their_like():
    other = LONG.replace("sum", "mean").replace("def f", "def g")
    found = compared({"ann": LONG + other, "ben": other + LONG, "cho": LONG.replace("sum", "amax"), "dan": "x = 1\n"})
    assert [(pair.left, pair.right) for pair in found] == [("ann", "ben")]
    assert [(each.left[0].text, each.right[0].text) for each in found[0].passages] == [
        ("def f(x):",) * 2,
        ("def g(x):",) * 2,
    ]
    assert found[0].lines == 16


def test_what_is_shown_of_a_pair_is_bounded():
    body = "".join(f"    x = x.w{at}()\n" for at in range(3 * MOST_LINES))
    many = "\n".join(f"def f(x):\n{LONG[10:].replace('sum', f'v{at}')}" for at in range(2 * MOST_PASSAGES))
    (pair,) = compared({"ann": f"def f(x):\n{body}", "ben": f"def f(x):\n{body}"})
    assert len(pair.passages[0].left) == MOST_LINES + 1
    (pair,) = compared({"ann": many, "ben": many})
    assert len(pair.passages) == MOST_PASSAGES
