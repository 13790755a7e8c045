"""What a sublayer of the block adds to its input in training, compared with what it adds in eval."""

import torch

from grader.suite import checks


def what_stays(twin, *sizes, dropout, values, x, times=1, causal=False):
    """Ask that in training what a sublayer adds to x is dropped number by number.

    Args:
        sizes: d_model, num_heads and d_ff.
        values: Parameters by name; all others are 0.
        times: How many times a number may be dropped; twice in attention.

    Returns:
        The fraction that stays, next to 1, 1 - dropout, ...; where numbers stay, and where there are any.
    """
    submitted, solution = twin(*sizes, dropout=dropout, causal=causal)
    submitted.load({name: torch.zeros_like(value).float() for name, value in solution.named_parameters()} | values)
    output, expected = (checks.has_shape(answer, x.shape) - x for answer in submitted.in_both_modes(x))
    added = expected > 0.02 * expected.max()
    kept = added & (output > expected / 2)
    fraction = float(kept[added].double().mean())
    rate = min(((1 - dropout) ** time for time in range(times + 1)), key=lambda rate: abs(rate - fraction))
    error = float((output - expected * kept / rate).abs().max() / expected.max())
    masks = [mask.unflatten(-1, (sizes[1], -1)) for mask in (kept, added)]  # (item, token, head, number)
    # Where tokens see those before them alone, a weight may have no other in its row, and none at its place.
    axes = [axis for axis, size in enumerate(masks[0].shape) if size > 1 and (axis in (0, 2) or not causal)]
    reached = [float(masks[0].any(axis)[masks[1].any(axis)].double().mean()) for axis in axes]
    checks.is_true(
        abs(fraction - rate) <= 0.08,
        f"With dropout {dropout} a fraction of {fraction:.2f} stays.",
        f"dropout이 {dropout}인데 {fraction:.2f}가 남습니다.",
    )
    checks.is_true(
        error <= 0.04,  # what is too small to count as added is up to 0.02 / rate
        "What stays is not divided by 1 - dropout, or something else is dropped, too: x, say, or hidden features.",
        "남은 것을 1 - dropout으로 나누지 않거나, x나 은닉 특징처럼 다른 것도 떨어뜨립니다.",
    )
    checks.is_true(
        min(reached) > 1 - dropout / 2, "One draw serves several numbers.", "한 번 뽑은 것을 여러 수에 함께 씁니다."
    )
    return fraction, kept, added


def require_right_places(fraction, kept, added, *, heads, dropout):
    """Ask that weights, output or both are dropped once, and nothing between them.

    The output holds every weight at four places of its head: one merged number at 0 and 2, another one at 1 and 3.
    """
    kept, added = (mask.unflatten(-1, (heads, 4, -1)) for mask in (kept, added))
    pairs = [float((kept[..., 0, :] & kept[..., place, :])[added[..., 0, :]].double().mean()) for place in (1, 2)]
    stays = 1 - dropout
    # The share of pairs that both stay, by the share that stays: one weight serves both, an output is drawn for each.
    right = {1: [1], stays: [stays, stays**2], stays**2: [stays**3]}
    rate = min(right, key=lambda rate: abs(rate - fraction))
    nearest = min(right[rate], key=lambda both: abs(both - pairs[0]))
    checks.is_true(
        max(abs(both - nearest) for both in pairs) <= 0.08,
        "Something is dropped twice, or what is neither a weight nor the output of attention.",
        "같은 것을 두 번 떨어뜨리거나, 가중치도 어텐션의 출력도 아닌 것을 떨어뜨립니다.",
    )
