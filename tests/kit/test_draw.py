"""Hidden inputs: the same for the same submission, others for another."""

import torch

from grader.suite.draw import Draw, check_seed


def test_the_same_submission_draws_the_same_numbers() -> None:
    seed = check_seed(b"secret", "01_a", "hash", "softmax.values")
    assert torch.equal(Draw(seed).normal(3, 4), Draw(seed).normal(3, 4))


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


def test_drawing_leaves_torchs_own_generator_alone() -> None:
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    Draw(1).normal(10)
    assert torch.equal(torch.rand(3), wanted)


def test_weights_are_rows_that_sum_to_one() -> None:
    weights = Draw(3).weights(4, 5)
    assert torch.allclose(weights.sum(-1), torch.ones(4))


def test_every_row_of_a_mask_shows_something() -> None:
    for seed in range(50):
        mask = Draw(seed).mask(3, 7)
        assert mask.dtype == torch.bool
        assert bool(mask.any(-1).all())


def test_uniform_numbers_stay_below_one_in_every_dtype() -> None:
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        assert float(Draw(9).uniform(10_000, dtype=dtype).max()) < 1.0


def test_large_sizes_are_far_above_those_of_small_examples_and_differ() -> None:
    sizes = {Draw(seed).large() for seed in range(200)}
    assert len(sizes) > 10
    assert min(sizes) > 64 and max(sizes) < 80


def test_whole_numbers_stay_in_their_range() -> None:
    drawn = Draw(4).integers(2, 5, 1000)
    assert set(drawn.tolist()) == {2, 3, 4}
