"""Hidden checks of `TransformerBlock`: what it drops and what it never drops, scores far from zero, equal features."""

import torch

from grader.suite import checks, exercise

transformer_block = exercise("TransformerBlock")


def spread(draw, *shape, dtype=torch.float32):
    """Return tokens whose features lie far apart; with nearly equal features the eps of a norm would matter."""
    return 10 * draw.normal(*shape, dtype=dtype)


transformer_block.contract(
    init="H*head_dim H d_ff dropout=p",
    further={"causal": False},
    x="B T H*head_dim",
    result="B T H*head_dim",
    causal=True,
    draws={"x": spread},
    scaling=("head_dim", "W_q.weight"),
)

NAME = "TransformerBlock"
SIZES = (15, 5, 22)  # d_model, num_heads, d_ff
LEVEL = 20000.0  # its exponential overflows, and a fill of -10,000 would be larger than scores of -LEVEL


@transformer_block.check(
    "property",
    row="values",
    weight=3,
    needs="test_the_gate",
    ko="학습 중에는 항목마다, 호출마다 새로 떨어뜨리고, dropout=0이면 아무것도 떨어지지 않습니다.",
)
def test_dropout_in_training(student, draw):
    """In training, numbers are dropped anew in every call and for every item; in eval or with dropout 0 nothing is."""
    x = draw.normal(1, 4, 15).repeat(16, 1, 1)
    dropping, without = (student.TransformerBlock.built(*SIZES, dropout=p) for p in (0.5, 0.0))
    first, second = (checks.has_shape(answer, (16, 4, 15)) for answer in dropping.answers([checks.given(x)] * 2))
    checks.is_true(
        not torch.equal(first, second),
        "Two calls in training give the same; dropout has to be drawn anew in every call.",
        "학습 중에 두 번 불렀는데 결과가 같습니다. dropout은 호출마다 새로 뽑아야 합니다.",
    )
    checks.is_true(
        len(torch.unique(second.flatten(1), dim=0)) == 16,
        "Of many items that are equal, some come out equal in training: every item needs its own random draw.",
        "같은 항목 여럿 가운데 일부의 학습 중 결과가 같습니다. 항목마다 따로 뽑아야 합니다.",
    )
    dropping.eval()
    third, fourth = dropping.answers([checks.given(x)] * 2)
    checks.close(third, checks.has_shape(fourth, (16, 4, 15)).double(), kind="module")
    checks.is_true(
        torch.equal(*without.answers([checks.given(x)] * 2)),
        "Two calls with dropout 0 differ.",
        "dropout이 0인데 두 번의 결과가 다릅니다.",
    )


@transformer_block.check(
    "property",
    weight=12,
    needs="test_dropout_in_training",
    ko="학습 중에는 dropout 비율만큼 떨어지고 나머지는 1 - dropout으로 나눕니다. 잔차 경로의 x에는 dropout이 없습니다.",
)
def test_share_that_is_dropped(student, reference, draw):
    """In training the asked share of what a part gives is dropped, the rest divided by 1 - dropout; x never is."""
    # All other parameters are 0, so each part adds ones to x; the weight of a single token is 1 in each of 30 heads.
    attention = {f"attention.{name}.weight": torch.eye(60) for name in ("W_v", "W_o")} | {"norm1.bias": torch.ones(60)}
    feed_forward = {"feed_forward.linear2.bias": torch.ones(15)}
    shares = []
    for sizes, values, (B, T) in (((60, 30, 22), attention, (32, 1)), ((15, 1, 22), feed_forward, (20, 6))):
        zeros = {
            name: torch.zeros_like(value)
            for name, value in reference.module.TransformerBlock(*sizes).named_parameters()
        }
        handle, _ = checks.twin(student, reference, draw, NAME, *sizes, dropout=0.2, values=zeros | values)
        x = draw.normal(B, T, sizes[0])
        added = checks.has_shape(handle(x), x.shape) - x
        share = float((added != 0).double().mean())
        draws = (1.0, 0.8, 0.8**2)  # none, one, and one of the weights with one of what they give
        kept = next((stay for stay in draws if abs(share - stay) <= 0.08), None)
        checks.is_true(
            kept is not None,
            f"With dropout 0.2 a share of {share:.2f} stays.",
            f"dropout이 0.2인데 {share:.2f}가 남습니다.",
        )
        checks.close(added, (added != 0) / kept, kind="module")
        if T > 1 and share < 0.9:
            checks.drawn_apart(added == 0, 0, 1, 2)
        shares.append(share)
    checks.is_true(
        min(shares) < 0.9,
        "Nothing is dropped of the attention weights, nor of what attention or feed-forward network give.",
        "어텐션 가중치에서도, 어텐션이나 피드포워드가 낸 값에서도 떨어지는 것이 없습니다.",
    )


@transformer_block.check("value", needs="test_value", ko="한 블록이 길이가 다른 문장을 차례로 받고, 더 긴 것도 됩니다.")
def test_sequences_in_turn(student, reference, draw):
    """One block takes sequences of other lengths one after the other, longer ones too."""
    cases = [checks.given(spread(draw, 2, T, 15)) for T in (3, 7, 5)]
    checks.matches(*checks.twin(student, reference, draw, NAME, *SIZES), *cases)


@transformer_block.check(
    "stability", ko="점수가 아무리 크거나 작아도, 미래의 점수가 훨씬 커도 출력이 맞고 미래는 가려집니다."
)
def test_far_scores(student, reference, draw):
    """Where all scores lie near 20,000 or -20,000, or later ones far above, the output is right, causal or not."""
    for causal, level in ((True, -LEVEL), (True, LEVEL), (False, -LEVEL), (False, LEVEL)):
        # With this shift a norm's features sum to 15, so each number of q and of k gets 15 * added, and q @ k / 3**0.5
        # gets 3 * (15 * added)**2 / 3**0.5 = LEVEL.
        added = (LEVEL / 3**0.5) ** 0.5 / 15
        values = {"norm1.weight": torch.ones(15), "norm1.bias": torch.ones(15)}
        values["attention.W_q.weight"] = 0.3 * draw.normal(15, 15) + added
        values["attention.W_k.weight"] = 0.3 * draw.normal(15, 15) + (added if level > 0 else -added)
        handle, module = checks.twin(student, reference, draw, NAME, *SIZES, causal=causal, values=values)
        handle.to(dtype=torch.float64)
        checks.matches(
            handle, module, 30 * spread(draw, 3, 5, 15, dtype=torch.float64), kind="extreme", dtype="float32"
        )

    # Each token is a 1 of its own and one that all share, of which W_q makes the query; the keys grow with the token.
    x = torch.eye(4, 15) + torch.eye(15)[14]
    values = {f"norm1.{name}": torch.full((15,), number) for name, number in (("weight", 1.0), ("bias", 0.0))}
    values |= {"attention.W_q.weight": torch.zeros(15, 15), "attention.W_k.weight": torch.zeros(15, 15)}
    values["attention.W_q.weight"][::3, 14] = 1
    values["attention.W_k.weight"][::3, :4] = LEVEL * torch.arange(4)
    checks.matches(*checks.twin(student, reference, draw, NAME, *SIZES, values=values), x[None], kind="extreme")


@transformer_block.check(
    "property", needs="test_the_gate", ko="특징이 모두 같은 토큰(예: 0으로 채운 패딩)에서도 결과가 유한합니다."
)
def test_equal_features_stay_finite(student):
    """A token whose features are all equal, such as padding with zeros, comes out finite (the norms' small eps)."""
    output = student.TransformerBlock.built(*SIZES)(torch.tensor([[[0.0], [1.0], [-2.5]]]).expand(1, 3, 15))
    checks.is_true(
        bool(checks.has_shape(output, (1, 3, 15)).isfinite().all()),
        "Entries are NaN or infinite.",
        "NaN이거나 무한대인 값이 있습니다.",
    )


@transformer_block.check("errors", needs="test_the_gate", ko="나누어떨어지지 않으면 만들 때 오류가 납니다.")
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    sizes = checks.given(10, 4, 9), checks.given(7, 2, 9)
    checks.raises(student.TransformerBlock, ("ValueError", "AssertionError"), *sizes)
