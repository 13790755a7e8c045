"""What the gate changes in an input: an answer that sees only signs, or only the order, changes too on every draw."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.suite.library.changed_inputs import differing
from grader.suite.rules.calls import at_some_places

numbers = st.floats(-8, 8, width=32).filter(lambda number: abs(number) > 1e-3)


def changed_rows(values: list[float]) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return the row that differs, before and after, of each copy of a (2, 3) tensor."""
    before = torch.tensor(values).view(2, 3)
    copies = list(differing(before))
    places = [int((copy != before).any(-1).nonzero()[0]) for copy in copies]
    return [(before[place], copy[place]) for place, copy in zip(places, copies, strict=True)]


@given(st.lists(numbers, min_size=6, max_size=6, unique=True))
def test_one_of_the_copies_has_another_largest_entry(values: list[float]) -> None:
    assert any(int(before.argmax()) != int(after.argmax()) for before, after in changed_rows(values))


@given(st.lists(numbers, min_size=6, max_size=6, unique=True).filter(lambda values: min(values) < 0))
def test_of_a_single_row_three_places_change_one_of_them_its_sign(values: list[float]) -> None:
    before = torch.tensor(values)
    changed = at_some_places(before)
    assert int((changed != before).sum()) == 3 and bool(before[0].sign() != changed[0].sign())


@given(st.lists(numbers.map(abs), min_size=6, max_size=6, unique=True))
def test_positive_numbers_stay_positive(values: list[float]) -> None:
    assert all(bool((after > 0).all()) for _, after in changed_rows(values))
