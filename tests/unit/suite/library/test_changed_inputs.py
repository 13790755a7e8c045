"""What the gate changes in an input: an answer that sees only signs, or only the order, changes too on every draw."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.suite.core.draw import Draw
from grader.suite.library.changed_inputs import CHANGES, CORNERS, differing

numbers = st.floats(-8, 8, width=32).filter(lambda number: abs(number) > 1e-3)


def changed_rows(values: list[float], count: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return the row that differs, before and after, of each copy of a (2, 3) tensor."""
    before = torch.tensor(values).view(2, 3)
    copies = list(differing(before, Draw(0), count))
    places = [int((copy != before).any(-1).nonzero()[0]) for copy in copies]
    return [(before[place], copy[place]) for place, copy in zip(places, copies, strict=True)]


@given(st.lists(numbers, min_size=6, max_size=6, unique=True))
def test_one_of_the_first_copies_has_another_largest_entry(values: list[float]) -> None:
    rows = changed_rows(values, CHANGES)
    assert any(int(before.argmax()) != int(after.argmax()) for before, after in rows)


@given(st.lists(numbers, min_size=6, max_size=6, unique=True).filter(lambda values: min(values) < 0))
def test_a_corner_that_is_hidden_by_a_causal_mask_changes_its_sign(values: list[float]) -> None:
    before, after = changed_rows(values, len(CORNERS))[-1]
    assert float(before[-1]) * float(after[-1]) < 0


@given(st.lists(numbers.map(abs), min_size=6, max_size=6, unique=True))
def test_positive_numbers_stay_positive(values: list[float]) -> None:
    assert all(bool((after > 0).all()) for _, after in changed_rows(values, 12))
