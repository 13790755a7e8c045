"""Finds submissions of one assignment that share unusual code, by the k-grams of their tokens.

As winnowing does it, but nothing is sampled: the files are small, so every k-gram is kept. No k-gram goes beyond a
function, so their order does not matter.

A k-gram that d submissions have counts 1 / (d - 1) for any two of them, and one that the course has itself counts
nothing. So what many share weighs next to nothing, in a class of any size.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import combinations

from .code_tokens import Block, Code

K = 15
"""Tokens of a k-gram, a line or two of code."""
LEAST_WEIGHT = 25.0
"""From here on a pair is listed. Forty tokens in a row that only these two have come to 26, of about four lines."""
MOST_HOLDERS = 20
"""Submissions beyond which a k-gram is passed over."""
LEAST_OF_PASSAGE = 3.0
"""What two functions share is passed over below this; small coincidences do not add up."""
MOST_PASSAGES = 20
MOST_LINES = 200


@dataclass(frozen=True)
class Line:
    """A line of a submission: its number, its text, and whether it is shared."""

    number: str
    text: str
    shared: bool


@dataclass(frozen=True)
class Passage:
    """What two functions, or two stretches outside of functions, share.

    Attributes:
        weight: How much it is, and how unusual.
        left: The line with `def` or `class`, then the first shared line to the last, at most `MOST_LINES`.
        right: The same of the other submission.
        holders: How many submissions have the rarest of what is shared.
    """

    weight: float
    left: list[Line]
    right: list[Line]
    holders: int


@dataclass(frozen=True)
class Pair:
    """Two submissions that share unusual code.

    Attributes:
        weight: The sum of its passages'.
        passages: The `MOST_PASSAGES` with most weight, in the order of `left`.
    """

    left: str
    right: str
    weight: float
    passages: list[Passage]

    @property
    def lines(self) -> int:
        """How many lines of the passages are shared, counted in `left`."""
        return sum(line.shared for passage in self.passages for line in passage.left)


def alike(submissions: Mapping[str, Code], known: Iterable[Code]) -> list[Pair]:
    """Return the pairs of submissions that share unusual code, the weightiest first.

    Args:
        submissions: The code of each by its student.
        known: What the course has itself: what was handed out, and answers that it knows.
    """
    given = {gram for code in known for gram, _, _ in _grams(code)}
    holders: defaultdict[int, set[str]] = defaultdict(set)
    for student, code in submissions.items():
        for gram, _, _ in _grams(code):
            if gram not in given:
                holders[gram].add(student)
    shared: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    weights: defaultdict[tuple[str, str], float] = defaultdict(float)
    for gram, students in holders.items():
        if 2 <= len(students) <= MOST_HOLDERS:
            for pair in combinations(sorted(students), 2):
                shared[pair].add(gram)
                weights[pair] += 1 / (len(students) - 1)
    found = [
        _pair(pair, submissions, shared[pair], {gram: len(holders[gram]) for gram in shared[pair]})
        for pair, weight in weights.items()
        if round(weight, 6) >= LEAST_WEIGHT
    ]
    listed = [pair for pair in found if pair.weight >= LEAST_WEIGHT]
    return sorted(listed, key=lambda pair: (-pair.weight, pair.left, pair.right))


def _grams(code: Code) -> Iterator[tuple[int, int, int]]:
    """Yield every k-gram, as a hash, with the number of its block and where in it it begins."""
    for number, block in enumerate(code.blocks):
        for at in range(len(block.words) - K + 1):
            yield hash(tuple(block.words[at : at + K])), number, at


def _pair(names: tuple[str, str], submissions: Mapping[str, Code], shared: Set[int], counts: Mapping[int, int]) -> Pair:
    """Return a pair with its passages: for each block of the left one the right one's that shares most with it.

    Args:
        counts: How many submissions have each of the shared k-grams.
    """
    left, right = (submissions[name] for name in names)
    in_left, in_right = _by_block(left, shared), _by_block(right, shared)
    first = {gram: number for number in sorted(in_right, reverse=True) for gram in in_right[number]}
    found = []
    for number, grams in in_left.items():
        tally = Counter(first[gram] for gram in grams)
        partner = min(tally, key=lambda other: (-tally[other], other))
        common = grams.keys() & in_right[partner].keys()
        weight = round(sum(1 / (counts[gram] - 1) for gram in common), 6)  # the same whatever order the set has
        if weight >= LEAST_OF_PASSAGE:
            shown, beside = (
                _lines(code, code.blocks[at], {start for gram in common for start in places[at][gram]})
                for code, at, places in ((left, number, in_left), (right, partner, in_right))
            )
            found.append(Passage(weight, shown, beside, min(counts[gram] for gram in common)))
    kept = sorted(found, key=lambda passage: -passage.weight)[:MOST_PASSAGES]
    return Pair(*names, sum(each.weight for each in found), [each for each in found if each in kept])


def _by_block(code: Code, shared: Set[int]) -> dict[int, dict[int, list[int]]]:
    """Return where the shared k-grams of each block begin."""
    found: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for gram, number, at in _grams(code):
        if gram in shared:
            found[number][gram].append(at)
    return {number: dict(grams) for number, grams in found.items()}


def _lines(code: Code, block: Block, starts: Set[int]) -> list[Line]:
    """Return the lines to show of a block in which shared k-grams begin at these tokens."""
    marked = {line for start in starts for line in block.lines[start : start + K]}
    numbers = list(range(min(marked), max(marked) + 1))
    if block.begins is not None and block.begins not in numbers:
        numbers.insert(0, block.begins)
    shown = [Line(code.numbers[at], code.lines[at], at in marked) for at in numbers[:MOST_LINES]]
    return shown if len(numbers) <= MOST_LINES else [*shown, Line("", "\u2026", False)]
