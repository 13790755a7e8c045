"""Hidden checks of `MultiHeadSelfAttention`: all three kinds of mask, and dropout of the weights.

Where dropout is active, the weights are looked at alone, and then whether they made the output, since dropout on the
output is left to the student.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors
from grader.suite.core.gradients import uneven
from grader.suite.library.gradient_checks import gradients_arrive
from grader.suite.library.modules.module_checks import load

multi_head_self_attention = exercise("MultiHeadSelfAttention")

NAME = "MultiHeadSelfAttention"
P, MORE = 0.2, 0.7
MASK_DTYPES = (torch.bool, torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.uint8)
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential


def visible(draw, *shape):
    """Return a random bool mask that hides about half of the keys; two are always seen, so no weight is just 1."""
    mask = draw.integers(0, 2, *shape).bool()
    mask[..., :2] = True
    mask[..., 2] = False
    return mask


def padding(draw, *, B=2, T=4):
    """Return a padding mask (B, 1, 1, T) that hides other keys in every item."""
    return visible(draw, B, 1, 1, T)


def scored(handle, module, draw, scores, *, B=2, H=2, head_dim=6):
    """Load matrices into both and return float64 tokens (B, T, d_model) for which every head has the given scores."""
    T, d_model = len(scores), H * head_dim
    W_q, W_k = torch.zeros(2, d_model, d_model)
    for start in range(0, d_model, head_dim):
        W_q[start : start + T, :T] = torch.eye(T)
        W_k[start : start + T, :T] = scores * head_dim**0.5
    values = {"W_q.weight": W_q, "W_k.weight": W_k}
    load(module, values)
    handle.load(values)
    marks = torch.eye(T, dtype=torch.float64).expand(B, T, T)
    return torch.cat([marks, draw.normal(B, T, d_model - T, dtype=torch.float64)], dim=-1)


multi_head_self_attention.contract(
    init="H*head_dim H dropout=p",
    x="B T H*head_dim",
    result=("B T H*head_dim", "B H T T"),
    options={"mask": "T T"},
    draws={"mask": visible},
    scaling=("head_dim", "W_q.weight"),
)


@multi_head_self_attention.check("value", ko="패딩 마스크 (B,1,1,T)로 가린 키는 어느 쿼리에게도 보이지 않습니다.")
def test_padding_masks(student, reference, draw):
    """A mask (B, 1, 1, T) hides its keys from every query of its item, also where sizes are equal or 1."""
    handle, module = checks.twin(student, reference, draw, NAME, 21, 3)
    cases = [checks.given(draw.normal(2, 4, 21), mask=padding(draw).to(dtype)) for dtype in MASK_DTYPES]
    for B, T in ((4, 4), (1, 5), (3, 3)):
        cases.append(checks.given(draw.normal(B, T, 21), mask=padding(draw, B=B, T=T)))
    cases.append(checks.given(draw.normal(2, 4, 21)))  # nothing of a mask stays for the next call
    checks.matches(handle, module, *cases)


@multi_head_self_attention.check("value", ko="마스크 (B,1,T,T)와 (T,T)도 쿼리마다 키를 가립니다.")
def test_pair_masks(student, reference, draw):
    """Masks (B, 1, T, T) and (T, T) say for every query which keys it sees, also where sizes are equal or 1."""
    handle, module = checks.twin(student, reference, draw, NAME, 21, 3)
    cases = []
    for number, dtype in enumerate(MASK_DTYPES):
        shape = ((2, 1, 4, 4), (4, 4))[number % 2]
        cases.append(checks.given(draw.normal(2, 4, 21), mask=visible(draw, *shape).to(dtype)))
    for B, T in ((4, 4), (1, 5), (3, 3)):  # (T, T) could be taken for (B, T), and either for (H, T)
        cases += [checks.given(draw.normal(B, T, 21), mask=visible(draw, *shape)) for shape in ((B, 1, T, T), (T, T))]
    checks.matches(handle, module, *cases)


@multi_head_self_attention.check("property", needs="test_the_gate", ko="가중치는 음수가 아니고 행의 합은 1입니다.")
def test_rows_sum_to_one(student, draw):
    """In eval no weight is negative, and every row of them sums to 1."""
    handle = student.MultiHeadSelfAttention(6, 2, dropout=P)
    handle.eval()
    checks.rows_sum_to_one(as_tensors(handle(draw.normal(2, 4, 6)), 2)[1])


@multi_head_self_attention.check(
    "property",
    needs="test_the_gate",
    ko="가려진 키는 가중치를 받지 않고 다른 토큰의 출력에 영향도 없습니다.",
)
def test_hidden_tokens_do_not_matter(student, draw):
    """A hidden token gets no weight, and it may hold anything: the outputs of the others stay the same."""
    handle = student.MultiHeadSelfAttention(6, 2)
    handle.eval()
    x, mask = draw.normal(2, 4, 6), torch.tensor([1, 1, 0, 1]).expand(2, 1, 1, 4)
    before = as_tensors(handle(x, mask=mask), 2)
    checks.close(checks.has_shape(before[1], (2, 2, 4, 4))[..., 2], torch.zeros(2, 2, 4))
    x[:, 2] = 3 * draw.normal(2, 6)
    after = as_tensors(handle(x, mask=mask), 2)[0]
    others = [0, 1, 3]
    expected = checks.has_shape(before[0], (2, 4, 6))[:, others].double()
    checks.close(checks.has_shape(after, (2, 4, 6))[:, others], expected, kind="module")


@multi_head_self_attention.check(
    "stability",
    ko="점수가 아무리 크거나 작아도 결과가 맞고 가려진 키는 0입니다.",
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the results are right and a hidden key gets no weight."""
    handle, module = checks.twin(student, reference, draw, NAME, 12, 2)
    handle.to(dtype=torch.float64)
    mask, scores = visible(draw, 4, 4), draw.normal(4, 4)
    rows = torch.tensor([1.0, -1.0, -1.0, 1.0]).unsqueeze(1) * LEVEL
    ways = ((-FAR, FAR), (0.0, FAR), (-LEVEL, 0.0), (-LEVEL, FAR), (LEVEL, 0.0), (rows, FAR), (-3 * LEVEL, 6 * LEVEL))
    for level, hidden in ways:
        x = scored(handle, module, draw, scores + level + torch.where(mask, 0.0, hidden))
        checks.matches(handle, module, x, mask=mask, kind="extreme", dtype="float32")
    checks.matches(handle, module, scored(handle, module, draw, scores + rows), kind="extreme", dtype="float32")


@multi_head_self_attention.check("document", ko="노트의 크기에서 노트의 모양이 나옵니다.")
def test_shapes_of_the_note(student, reference, golden, draw):
    """The note's sizes give the note's shapes, and what the loaded weights make of the tokens."""
    sizes = (golden(f"N3 In[4] {name} shape").value.int().tolist() for name in ("x", "output", "weights"))
    x, output, weights = (tuple(size) for size in sizes)
    handle, module = checks.twin(student, reference, draw, NAME, x[-1], weights[1])
    results = checks.matches(handle, module, draw.normal(*x) / 8)
    checks.has_shape(results[0], output)
    checks.has_shape(results[1], weights)


@multi_head_self_attention.check(
    "property", weight=4, needs="test_the_gate", ko="학습 중에는 가중치가 하나하나 dropout 비율만큼 0이 됩니다."
)
def test_dropout_in_training(student, draw):
    """In training the asked share of eval's weights is dropped, weight by weight, and the others are scaled up."""
    for p in (P, MORE):
        handle = student.MultiHeadSelfAttention(6, 2, dropout=p)
        x = draw.normal(3, 24, 6)
        weights = as_tensors(handle(x), 2)[1]
        handle.eval()
        expected = checks.has_shape(as_tensors(handle(x), 2)[1], (3, 2, 24, 24)).double()
        checks.weights_are_dropped(weights, expected, p, places=("items", "heads", "queries", "keys"))


@multi_head_self_attention.check(
    "property", needs="test_the_gate", ko="학습 중에 돌려준 가중치가 출력을 만든 가중치입니다."
)
def test_dropped_weights_make_the_output(student, reference, draw):
    """In training the output is made with the weights that are returned, apart from dropout on the output itself."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3, dropout=P)
    one = {"W_o.weight": torch.eye(15)}  # so that dropout before and after W_o look the same
    load(module, one)
    handle.load(one)
    x = draw.normal(4, 24, 15)
    output, weights = as_tensors(handle(x), 2)
    checks.has_shape(output, (4, 24, 15))
    checks.has_shape(weights, (4, 3, 24, 24))
    values = module.W_v(x.double()).detach().unflatten(-1, (3, 5)).transpose(1, 2)  # (B, H, T, head_dim)
    made = (weights.double() @ values).transpose(1, 2).flatten(2)  # (B, T, d_model)
    dropped = output == 0
    share, room = float(dropped.double().mean()), 0.06  # of 1,440 numbers
    times = min(
        (0, 1, 2), key=lambda count: abs(share - (1 - (1 - P) ** count))
    )  # on the heads, on the output, on both
    checks.is_true(
        abs(share - (1 - (1 - P) ** times)) <= room,
        f"A share of {share:.2f} of the output is zero in training; dropout there has the same probability.",
        f"학습 중에 출력의 {share:.2f}이 0입니다. 출력에 dropout을 쓴다면 확률이 같아야 합니다.",
    )
    checks.close(output, torch.where(dropped, torch.zeros_like(made), made / (1 - P) ** times), kind="module")


@multi_head_self_attention.check(
    "property",
    weight=4,
    needs="test_hidden_tokens_do_not_matter",
    ko="dropout 중에도 가려진 키는 보이지 않습니다.",
)
def test_mask_with_dropout(student, draw):
    """In training with dropout a hidden key gets no weight, and the visible ones are dropped as without a mask."""
    handle = student.MultiHeadSelfAttention(6, 2, dropout=P)
    x, mask = draw.normal(4, 24, 6), padding(draw, B=4, T=24)
    handle.eval()
    expected = checks.has_shape(as_tensors(handle(x, mask=mask), 2)[1], (4, 2, 24, 24)).double()
    checks.is_true(
        bool((expected[~mask.expand_as(expected)] == 0).all()),
        "A hidden key gets weight in eval.",
        "eval에서 가려진 키가 가중치를 받습니다.",
    )
    handle.train()
    checks.weights_are_dropped(as_tensors(handle(x, mask=mask), 2)[1], expected, P)


@multi_head_self_attention.check(
    "gradient",
    weight=2,
    ko="학습 중에 dropout이 켜져 있어도 기울기가 x와 모든 매개변수까지 흐릅니다.",
)
def test_gradients_with_dropout(student, reference, draw):
    """In training with dropout the weights' gradients are right, and the output's reach the input and all layers."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3, dropout=P)
    module.eval()
    x = draw.normal(2, 12, 15)
    seen = handle.observe(x, cotangent=uneven((2, 12, 15)).float())  # dropout on the output is nobody's to know
    layers = {f"{name}.weight": torch.ones(15, 15) for name in ("W_q", "W_k", "W_v", "W_o")}
    gradients_arrive({"x": seen.input_gradients[0], **seen.parameter_gradients}, {"x": x, **layers}, parameters=layers)

    def dropped(results):
        return checks.has_shape(as_tensors(results, 2)[1], (2, 3, 12, 12))

    checks.gradients_match(handle, module, x, output=1, dropped=dropped)


@multi_head_self_attention.check("errors", needs="test_the_gate", ko="나누어떨어지지 않으면 만들 때 오류가 납니다.")
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    for d_model, num_heads in ((10, 4), (7, 2)):
        checks.raises(student.MultiHeadSelfAttention, ("ValueError", "AssertionError"), d_model, num_heads)
