"""Hidden checks of `MultiHeadSelfAttention`: all three kinds of mask, and dropout of the weights.

Where dropout is active, the weights are checked on their own, and then that they produced the output: students may use
dropout on the output as well.
"""

import torch

from grader.suite import checks, exercise

from .inputs import masks_of, visible

DROPOUT = 0.3
SIZES = (4, 4), (1, 5), (2, 3)
"""Numbers of items and of tokens, some of them alike, or as many as there are heads."""

multi_head_self_attention = exercise("MultiHeadSelfAttention")
multi_head_self_attention.contract(
    init="H*head_dim H dropout=p",
    x="B T H*head_dim",
    result=("B T H*head_dim", "B H T T"),
    options={"mask": "T T"},
    draws={"mask": visible},
)


def tokens(draw, B, T):
    """Return tokens of 21 features, the second of them zeros: all of its scores are 0."""
    return draw.normal(B, T, 21) * (torch.arange(T) != 1)[:, None]


@multi_head_self_attention.check("value", ko="패딩 마스크 (B,1,1,T)로 가린 키는 어느 쿼리에게도 보이지 않습니다.")
def test_padding_masks(twin, draw):
    """A mask (B, 1, 1, T) hides its keys from every query of its item, also where sizes are equal or 1."""
    masks = masks_of(draw, [(B, 1, 1, T) for B, T in SIZES])
    cases = [checks.given(tokens(draw, B, T), mask=mask) for (B, T), mask in zip(SIZES, masks, strict=True)]
    checks.matches(*twin(21, 3), *cases)


@multi_head_self_attention.check("value", ko="마스크 (B,1,T,T)와 (T,T)도 쿼리마다 키를 가립니다.")
def test_pair_masks(twin, draw):
    """Masks (B, 1, T, T) and (T, T) say for every query which keys it sees, also where sizes are equal or 1."""
    # (T, T) could be taken for (B, T), and either for (H, T)
    masks = iter(masks_of(draw, [shape for B, T in SIZES for shape in ((B, 1, T, T), (T, T))]))
    cases = [checks.given(tokens(draw, B, T), mask=mask) for B, T in SIZES for mask in (next(masks), next(masks))]
    checks.matches(*twin(21, 3), *cases)


@multi_head_self_attention.check("purity", ko="0과 1로 된 마스크도 호출 뒤에 그대로입니다.")
def test_mask_of_numbers_unchanged(student, draw):
    """A mask of the numbers 0 and 1 is the same after the call."""
    mask = visible(draw, 4, 4).float()
    checks.inputs_unchanged(student.MultiHeadSelfAttention.built(6, 2), draw.normal(2, 4, 6), mask=mask)


@multi_head_self_attention.check("stability", ko="점수가 아무리 크거나 작아도 결과가 맞고 가려진 키는 0입니다.")
def test_far_scores(twin, draw):
    """Where scores lie far from zero, at 2000 or -2000, the results are right and a hidden key gets no weight."""
    # In both heads a token's first six features are its query and the next six its key; W_v ignores its key.
    values = {"W_q.weight": torch.eye(9, 18).repeat(2, 1), "W_k.weight": torch.eye(9, 18).roll(6, 1).repeat(2, 1)}
    values["W_v.weight"] = draw.normal(18, 18) / 4
    values["W_q.weight"][:, 6:] = values["W_k.weight"][:, 12:] = values["W_v.weight"][:, 6:12] = 0
    submitted, solution = twin(18, 2, values=values)
    submitted.to(dtype=torch.float64)

    def scored(scores):
        parts = torch.eye(6, dtype=torch.float64), scores.T * 9**0.5, draw.normal(6, 6, dtype=torch.float64)
        return torch.cat(parts, dim=1).repeat(2, 1, 1)

    mask = visible(draw, 6, 6)
    masked = checks.given(scored(draw.far_scores(6, 6, hidden=~mask)), mask=mask)
    plain = checks.given(scored(draw.far_scores(6, 6)))
    checks.matches(submitted, solution, masked, plain, kind="extreme", dtype="float32")


@multi_head_self_attention.check("document", ko="노트의 크기에서 노트의 모양이 나옵니다.")
def test_shapes_of_the_note(twin, golden, draw):
    """The note's sizes give the note's shapes, and what the loaded weights make of the tokens."""
    (B, T, d_model), *shapes = (
        tuple(golden(f"N3 In[4] {name} shape").value.int().tolist()) for name in ("x", "output", "weights")
    )
    pair = twin(d_model, shapes[1][1])
    x = draw.normal(B, T, d_model) / 8  # of so many features the scores are moderate
    for result, shape in zip(checks.matches(*pair, x), shapes, strict=True):
        checks.has_shape(result, shape)


@multi_head_self_attention.check("property", weight=8, ko="학습 중에는 가중치가 하나하나 dropout 비율만큼 0이 됩니다.")
def test_dropout_in_training(student, draw):
    """In training the requested share of eval's weights is dropped, weight by weight, and the others are scaled up.

    A hidden key gets no weight then, either.
    """
    submitted = student.MultiHeadSelfAttention.built(6, 2, dropout=DROPOUT)
    for mask in (None, visible(draw, 2, 1, 1, 16)):
        answers = submitted.in_both_modes(draw.normal(2, 16, 6), mask=mask)
        weights, expected = (checks.has_shape(answer, (2, 16, 6), (2, 2, 16, 16))[1] for answer in answers)
        right = expected.double() * (1 if mask is None else mask)
        checks.weights_are_dropped(weights, right, DROPOUT, apart=mask is None)


@multi_head_self_attention.check("property", ko="학습 중에 돌려준 가중치가 출력을 만든 가중치입니다.")
def test_dropped_weights_make_the_output(twin, draw):
    """In training the output is made with the weights that are returned, apart from dropout on the output itself."""
    identity = {"W_o.weight": torch.eye(30)}  # so that dropout before and after W_o look the same
    submitted, solution = twin(30, 3, dropout=DROPOUT, values=identity)
    x = draw.normal(2, 24, 30)
    output, weights = checks.has_shape(submitted(x), (2, 24, 30), (2, 3, 24, 24))
    values = solution.W_v(x.double()).detach().unflatten(-1, (3, 10)).transpose(1, 2)  # (B, H, T, head_dim)
    made = (weights.double() @ values).transpose(1, 2).flatten(2)  # (B, T, d_model)
    share = float((output != 0).double().mean())  # of 1,440 numbers, which dropout may meet never, once or twice
    kept = next((stay for stay in (1.0, 1 - DROPOUT, (1 - DROPOUT) ** 2) if abs(share - stay) <= 0.06), None)
    checks.is_true(
        kept is not None,
        f"A share of {share:.2f} of the output is there in training.",
        f"학습 중에 출력 가운데 {share:.2f}만 남습니다.",
    )
    checks.close(output, made * (output != 0) / kept, kind="module")


@multi_head_self_attention.check(
    "gradient", weight=2, ko="학습 중에 dropout이 켜져 있어도 가중치에서 x, W_q, W_k까지 올바른 기울기가 흐릅니다."
)
def test_gradients_with_dropout(twin, draw):
    """In training with dropout the right gradients flow from the weights to the input, W_q and W_k."""
    submitted, solution = twin(15, 3, dropout=DROPOUT)

    def dropped(results):
        return checks.has_shape(results, (2, 12, 15), (2, 3, 12, 12))[1]

    checks.gradients_match(submitted, solution.eval(), draw.normal(2, 12, 15), output=1, dropped=dropped)


@multi_head_self_attention.check("errors", ko="나누어떨어지지 않으면 만들 때 오류가 납니다.")
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    checks.raises(student.MultiHeadSelfAttention, ("ValueError", "AssertionError"), checks.given(10, 4))
