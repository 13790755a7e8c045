"""Hidden checks of `TransformerBlock`: what it drops and what it never drops, scores far from zero, equal features."""

import torch
from torch.nn import functional

from grader.suite import checks, exercise

from .sublayers import require_right_places, what_stays

transformer_block = exercise("TransformerBlock")


def spread(draw, *shape, dtype=torch.float32):
    """Return tokens none of which has nearly equal features, so that the eps of a norm shows where it is asked for."""
    tokens = functional.layer_norm(draw.normal(*shape, dtype=torch.float64), shape[-1:])
    return (2 * tokens + draw.normal(*shape[:-1], 1)).to(dtype)


transformer_block.contract(
    init="H*head_dim H 2*d_ff dropout=p",  # enough hidden features that a ReLU leaves some of nearly every token
    further={"causal": False},
    x="B T H*head_dim",
    result="B T H*head_dim",
    causal=True,
    draws={"x": spread},
)

SIZES = (15, 5, 22)  # d_model, num_heads, d_ff
LEVEL = 20000.0  # its exponential overflows, and a fill of -10,000 would be larger than scores of -LEVEL


@transformer_block.check(
    "property",
    row="values",
    weight=3,
    ko="학습 중에는 항목마다, 호출마다 새로 떨어뜨리고, eval이거나 dropout=0이면 아무것도 떨어지지 않습니다.",
)
def test_dropout_in_training(student, draw):
    """In training every call and every item of a batch drops other numbers; in eval, or with dropout 0, none does."""
    x = draw.normal(1, 4, 15).repeat(8, 1, 1)
    with_dropout, without = (student.TransformerBlock.built(*SIZES, dropout=p) for p in (0.5, 0.0))
    first, second = (checks.has_shape(answer, (8, 4, 15)) for answer in with_dropout.answers([checks.given(x)] * 2))
    checks.is_true(
        not torch.equal(first, second),
        "Two calls in training give the same; dropout has to be drawn anew in every call.",
        "학습 중에 두 번 불렀는데 결과가 같습니다. dropout은 호출마다 새로 뽑아야 합니다.",
    )
    checks.is_true(
        len(torch.unique(second.flatten(1), dim=0)) == 8,
        "Of many items that are equal, some come out equal in training: every item needs its own random draw.",
        "같은 항목 여럿 가운데 일부의 학습 중 결과가 같습니다. 항목마다 따로 뽑아야 합니다.",
    )
    with_dropout.eval()
    third, fourth = with_dropout.answers([checks.given(x)] * 2)
    checks.close(third, checks.has_shape(fourth, (8, 4, 15)).double(), kind="module")
    checks.is_true(
        torch.equal(*without.answers([checks.given(x)] * 2)),
        "Two calls with dropout 0 differ.",
        "dropout이 0인데 두 번의 결과가 다릅니다.",
    )


@transformer_block.check(
    "property",
    weight=50,
    needs="test_dropout_in_training",
    ko="학습 중에는 dropout 비율만큼 떨어지고 나머지는 1 - dropout으로 나눕니다. 잔차 경로의 x에는 dropout이 없습니다.",
)
def test_share_that_is_dropped(twin, draw):
    """In training a fraction `dropout` of what each sublayer gives is zeroed, the rest rescaled; x itself is kept."""
    H, T, d = 3, 4, 48
    # norm1 makes of token i a 1 at place i; each head merges its weights twice, and W_o takes all of it twice.
    once, twice = torch.eye(T, d), torch.eye(2 * T, 4 * T)
    attention = {"attention.W_v.weight": torch.cat([once, once, torch.zeros(2 * T, d)]).repeat(H, 1)}
    attention["attention.W_o.weight"] = torch.block_diag(*[torch.cat([twice, twice])] * H)
    attention["norm1.weight"] = torch.full((d,), (d - 1) ** 0.5 / d)
    attention["norm1.bias"] = torch.full((d,), 1 / d)
    attention |= {f"attention.{name}.weight": 0.6 * draw.normal(d, d) for name in ("W_q", "W_k")}
    # Each layer of the network gives the mean of equal numbers, which dropout inside of it would change.
    feed_forward = {"norm2.bias": torch.ones(15), "feed_forward.linear1.weight": torch.full((22, 15), 1 / 15)}
    feed_forward["feed_forward.linear2.weight"] = torch.full((15, 22), 1 / 22)
    for causal, items in ((True, 48), (False, 24)):  # a causal token has fewer weights
        x = 9 * once.repeat(items, 1, 1)
        weights, *masks = what_stays(twin, d, H, 22, dropout=0.2, values=attention, x=x, times=2, causal=causal)
        require_right_places(weights, *masks, heads=H, dropout=0.2)
    given, *_ = what_stays(twin, 15, 1, 22, dropout=0.2, values=feed_forward, x=draw.normal(20, 6, 15))
    checks.is_true(
        min(weights, given) < 0.9,
        "Nothing is dropped of the attention weights, nor of what attention or feed-forward network give.",
        "어텐션 가중치에서도, 어텐션이나 피드포워드가 낸 값에서도 떨어지는 것이 없습니다.",
    )


@transformer_block.check("value", needs="test_value", ko="한 블록이 길이가 다른 문장을 차례로 받고, 더 긴 것도 됩니다.")
def test_sequences_in_turn(twin, draw):
    """One block takes sequences of different lengths in turn, short after long and long after short."""
    cases = [checks.given(spread(draw, 1, T, 15)) for T in (3, 20, 5)]
    checks.matches(*twin(*SIZES), *cases)


@transformer_block.check("stability", ko="점수가 아무리 크거나 작아도 출력이 맞고 미래는 가려집니다.")
def test_far_scores(twin, draw):
    """With scores near 20,000 or -20,000, or later tokens' far larger, the output is right, causal or not."""
    # norm1 gives 15 features whose sum is 15, so `added` in all of W_q adds 15 * added to each number of q; with the
    # same in W_k each score gets 3 * (15 * added)**2 / 3**0.5 = LEVEL, and -LEVEL in every other head.
    added, signs = (LEVEL / 3**0.5) ** 0.5 / 15, torch.tensor([1, -1, 1, -1, 1])[:, None, None]
    for causal in (True, False):
        values = {"norm1.weight": torch.ones(15), "norm1.bias": torch.ones(15)}
        values["attention.W_q.weight"] = 0.3 * draw.normal(15, 15) + added
        keys = 0.3 * draw.normal(5, 3, 15)
        keys -= keys.mean(1, keepdim=True)  # so that what is added to a query moves all of its scores alike
        values["attention.W_k.weight"] = (keys + added * signs).flatten(0, 1)
        submitted, solution = twin(*SIZES, causal=causal, values=values)
        submitted.to(dtype=torch.float64)
        x = 100 * spread(draw, 3, 5, 15, dtype=torch.float64)
        checks.matches(submitted, solution, x, kind="extreme", dtype="float32")

    # Token i has the features i and 14: queries read feature 14, which all have, and keys grow with i.
    x = torch.eye(4, 15) + torch.eye(15)[14]
    values = {f"norm1.{name}": torch.full((15,), number) for name, number in (("weight", 1.0), ("bias", 0.0))}
    values |= {"attention.W_q.weight": torch.zeros(15, 15), "attention.W_k.weight": torch.zeros(15, 15)}
    values["attention.W_q.weight"][::3, 14] = 1
    values["attention.W_k.weight"][::3, :4] = LEVEL * torch.arange(4)
    for causal in (True, False):
        checks.matches(*twin(*SIZES, causal=causal, values=values), x[None], kind="extreme")


@transformer_block.check(
    "value", ko="특징이 같거나 거의 같은 토큰(예: 0으로 채운 패딩)에서도 맞습니다. 두 정규화의 eps는 1e-5입니다."
)
def test_equal_features(twin, draw):
    """Tokens whose features are equal, such as padding with zeros, or nearly so come out right: both eps are 1e-5."""
    equal = torch.tensor([[[0.0], [0.125], [-0.25]]]).expand(1, 3, 15)
    cases = [checks.given(x) for x in (equal, draw.normal(2, 4, 15) / 50, 4 + draw.normal(2, 4, 15) / 300)]
    for values in ({}, {"norm1.bias": torch.zeros(15)}):  # without it all scores of equal features are 0
        checks.matches(*twin(*SIZES, values=values), *cases, kind="extreme")


@transformer_block.check("errors", ko="나누어떨어지지 않으면 만들 때 오류가 납니다.")
def test_indivisible_features(student):
    """Where d_model is not divisible by num_heads, the constructor raises ValueError or AssertionError."""
    sizes = checks.given(10, 4, 9), checks.given(7, 2, 9)
    checks.raises(student.TransformerBlock, ("ValueError", "AssertionError"), *sizes)
