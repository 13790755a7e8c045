"""Hidden inputs: the same for the same submission, others for another."""

import pytest
import torch

from grader.suite.core.draw import Draw, check_seed

NORMAL = ["0x1.86cb2b51b77c2p-1", "0x1.c992a226180e2p-1"]
UNIFORM = ["0x1.c8d6c385006bep-1", "0x1.2f8c3c83f1246p-1"]
WHOLE, ORDER = [882, 23, 155, 715, 117], [3, 0, 2, 1, 5, 4]


def test_another_submission_secret_assignment_or_check_draws_other_numbers() -> None:
    seeds = {
        check_seed(b"secret", "01_a", "hash", "softmax.values"),
        check_seed(b"secret", "01_a", "hash2", "softmax.values"),
        check_seed(b"secret2", "01_a", "hash", "softmax.values"),
        check_seed(b"secret", "02_a", "hash", "softmax.values"),
        check_seed(b"secret", "01_a", "hash", "softmax.shape"),
    }
    assert len(seeds) == 5


def test_fields_cannot_run_into_each_other() -> None:
    assert check_seed(b"s", "a", "bc", "d") != check_seed(b"s", "ab", "c", "d")


def test_every_row_of_a_mask_shows_something() -> None:
    for seed in range(50):
        mask = Draw(seed).mask(3, 7)
        assert mask.dtype == torch.bool
        assert bool(mask.any(-1).all())


def test_far_scores_are_what_overflows_and_what_a_small_fill_does_not_hide() -> None:
    hidden = torch.tensor([[False, True, False], [False, False, True]]).repeat(4, 1)
    scores = Draw(1).far_scores(2, 8, 3, hidden=hidden)
    assert (tuple(scores.shape), scores.dtype) == ((2, 8, 3), torch.float64)
    shown = [scores[:, row, ~hidden[row]].median(-1).values.mean().item() for row in range(8)]
    above = [scores[:, row, hidden[row]].mean().item() - shown[row] for row in range(8)]
    assert shown == pytest.approx([-150, 0, -2000, -2000, 2000, -9000, -150, 0], abs=4)
    assert above == pytest.approx([150, 150, 0, 150, 0, 18000, 150, 150], abs=4)
    assert Draw(1).far_scores(6, 5)[:, 1].tolist() == pytest.approx([-150, 0, -2000, -2000, 2000, -9000], abs=4)


def test_far_scores_have_a_visible_key_far_above_the_others_first_or_last() -> None:
    hidden = torch.tensor([True, False, False, False, True]).expand(6, 5)
    scores = Draw(1).far_scores(2, 6, 5, hidden=hidden)
    assert scores[:, 1, 3].tolist() == pytest.approx([2000, 2000], abs=5)
    assert scores[:, 4, 1].tolist() == pytest.approx([4000, 4000], abs=5)
    assert int((scores > 1000).sum()) == 2 * (1 + 5 + 2)
    assert Draw(1).far_scores(1, 3).shape == (1, 3)


def test_uniform_numbers_stay_below_one_in_every_dtype() -> None:
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        assert float(Draw(9).uniform(10_000, dtype=dtype).max()) < 1.0


def test_large_sizes_are_far_above_those_of_small_examples_and_differ() -> None:
    sizes = {Draw(seed).large() for seed in range(200)}
    assert len(sizes) > 5
    assert min(sizes) > 64 and max(sizes) < 72


def test_a_seed_has_128_bits_and_all_of_them_count() -> None:
    assert max(check_seed(b"secret", "01_a", str(number), "f.values") for number in range(64)) >= 2**120
    assert len({tuple(Draw(1 << bit).normal(2).tolist()) for bit in range(128)}) == 128


def test_the_numbers_are_the_same_on_every_machine_and_for_every_numpy() -> None:
    draw = Draw(0x0123456789ABCDEF0123456789ABCDEF)
    assert [number.hex() for number in draw.normal(2, dtype=torch.float64).tolist()] == NORMAL
    assert [number.hex() for number in draw.uniform(2, dtype=torch.float64).tolist()] == UNIFORM
    assert draw.integers(0, 1000, 5).tolist() == WHOLE
    assert draw.permutation(6).tolist() == ORDER


def test_a_single_number_and_no_number_are_tensors() -> None:
    draw = Draw(2)
    assert draw.normal().shape == draw.uniform().shape == draw.integers(0, 2).shape == ()
    assert draw.normal(0, 3).shape == (0, 3) and draw.integers(0, 2, 0).dtype == torch.int64
