"""Checks of `MultiHeadSelfAttention`: random weights loaded by name, both results, all three kinds of mask, dropout.

Batch, tokens, heads and features of a head are pairwise different and head_dim is no perfect square, so that every
wrong axis and divisor shows; equal sizes and sizes of one follow, and every size is tried with two inputs. All of these
modules are made before the first is called, so that what one leaves behind for another shows. Where dropout is active,
the weights are looked at alone, and then whether they made the output, since dropout on the output is left to the
student.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors
from grader.suite.core.gradients import uneven
from grader.suite.library.gradient_checks import gradients_arrive
from grader.suite.library.modules.module_checks import load
from grader.tolerances import tolerance

multi_head_self_attention = exercise("MultiHeadSelfAttention")

NAME = "MultiHeadSelfAttention"
P, MORE = 0.2, 0.7
MASK_DTYPES = (torch.bool, torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.uint8)
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential
# B, T, H, head_dim; those of the last are no size of the first, so that neither is taken for the other
SIZES = ((2, 4, 3, 7), (3, 3, 3, 3), (2, 5, 6, 1), (1, 1, 2, 3), (3, 2, 1, 6))


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


@multi_head_self_attention.check(
    "property", weight=1, ko="결과의 차원과 원소의 수가 맞고, 결과가 x와 층에 달려 있습니다. 값은 아직 묻지 않습니다."
)
def test_the_gate(student, reference, draw):
    """The results have as many dimensions and entries as asked, and depend on x and the layers; values come later."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 6, 2)
    handle.eval()
    weights = [f"{name}.weight" for name in ("W_q", "W_k", "W_v")]
    checks.module_uses_every_input(handle, module.eval(), draw.normal(2, 4, 6), draw=draw, parameters=weights)


@multi_head_self_attention.check("value", weight=2, ko="가중치를 넣으면 출력과 가중치 행렬이 정의와 같습니다.")
def test_random_weights(student, reference, draw):
    """With random weights loaded, the output and every head's weights are those of the definition."""
    twins = [checks.twin(student, reference, draw, NAME, H * head_dim, H) for _, _, H, head_dim in SIZES]
    for (B, T, H, head_dim), (handle, module) in zip(SIZES, twins, strict=True):
        lengths = {"d_model": H * head_dim, "num_heads": H, "the number of tokens": T}
        scaling = checks.Scaling(head_dim, "head_dim", parameters=("W_q.weight",), sizes=lengths)
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(B, T, H * head_dim), scaling=scaling)


@multi_head_self_attention.check(
    "value", weight=4, ko="패딩 마스크 (B,1,1,T)로 가린 키는 어느 쿼리에게도 보이지 않습니다."
)
def test_padding_masks(student, reference, draw):
    """A mask (B, 1, 1, T) hides its keys from every query of its item, also where sizes are equal or 1."""
    handle, module = checks.twin(student, reference, draw, NAME, 21, 3)
    cases = [checks.given(draw.normal(2, 4, 21), mask=padding(draw).to(dtype)) for dtype in MASK_DTYPES]
    for B, T in ((4, 4), (1, 5), (3, 3)):
        cases.append(checks.given(draw.normal(B, T, 21), mask=padding(draw, B=B, T=T)))
    cases.append(checks.given(draw.normal(2, 4, 21)))  # nothing of a mask stays for the next call
    checks.module_matches_on_each(handle, module, cases)


@multi_head_self_attention.check("value", weight=4, ko="마스크 (B,1,T,T)와 (T,T)도 쿼리마다 키를 가립니다.")
def test_pair_masks(student, reference, draw):
    """Masks (B, 1, T, T) and (T, T) say for every query which keys it sees, also where sizes are equal or 1."""
    handle, module = checks.twin(student, reference, draw, NAME, 21, 3)
    cases = []
    for shape in ((2, 1, 4, 4), (4, 4)):
        cases += [checks.given(draw.normal(2, 4, 21), mask=visible(draw, *shape).to(each)) for each in MASK_DTYPES]
    for B, T in ((4, 4), (1, 5), (3, 3)):  # (T, T) could be taken for (B, T), and either for (H, T)
        cases += [checks.given(draw.normal(B, T, 21), mask=visible(draw, *shape)) for shape in ((B, 1, T, T), (T, T))]
    checks.module_matches_on_each(handle, module, cases)


@multi_head_self_attention.check(
    "property", weight=1, needs=("test_the_gate",), ko="가중치는 음수가 아니고 행의 합은 1입니다."
)
def test_rows_sum_to_one(student, draw):
    """In eval no weight is negative, and every row of them sums to 1."""
    handle = student.MultiHeadSelfAttention(6, 2, dropout=P)
    handle.eval()
    checks.rows_sum_to_one(as_tensors(handle(draw.normal(2, 4, 6)), 2)[1])


@multi_head_self_attention.check(
    "property",
    weight=3,
    needs=("test_the_gate",),
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
    weight=15,
    needs=("test_pair_masks",),
    ko="점수가 아무리 크거나 작아도 결과가 맞고 가려진 키는 0입니다.",
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the results are right and a hidden key gets no weight."""
    handle, module = checks.twin(student, reference, draw, NAME, 12, 2)
    handle.to(dtype=torch.float64)
    mask, scores = visible(draw, 4, 4), draw.normal(4, 4)
    rows = torch.tensor([1.0, -1.0, -1.0, 1.0]).unsqueeze(1) * LEVEL
    for level, hidden in ((-FAR, FAR), (0.0, FAR), (-LEVEL, 0.0), (-LEVEL, FAR), (LEVEL, 0.0), (rows, FAR)):
        x = scored(handle, module, draw, scores + level + torch.where(mask, 0.0, hidden))
        checks.module_matches(handle, module, x, mask=mask)
    checks.module_matches(handle, module, scored(handle, module, draw, scores + rows))


@multi_head_self_attention.check("value", weight=2, ko="eval에서는 dropout이 꺼지고 결과가 정의와 같습니다.")
def test_eval_is_right(student, reference, draw):
    """In eval a module with dropout gives what one without gives, also after training, with a mask and without."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3, dropout=P)
    x = draw.normal(2, 4, 15)
    handle(x)
    handle.eval()
    module.eval()
    cases = [checks.given(x, **options) for options in ({}, {"mask": padding(draw)}, {})]
    cases.append(checks.given(draw.normal(2, 4, 15)))
    checks.module_matches_on_each(handle, module, cases)


@multi_head_self_attention.check(
    "property", weight=4, needs=("test_the_gate",), ko="eval에서는 아무것도 무작위로 떨어지지 않습니다."
)
def test_eval_drops_nothing(student, draw):
    """In eval the same input gives the same results every time, also after the module was in training."""
    handle = student.MultiHeadSelfAttention(6, 2, dropout=P)
    x = draw.normal(2, 12, 6)
    handle(x)
    handle.eval()
    first = as_tensors(handle(x), 2)
    checks.close(handle(x), tuple(each.double() for each in first), kind="module")


@multi_head_self_attention.check("document", weight=1, ko="노트의 크기에서 노트의 모양이 나옵니다.")
def test_shapes_of_the_note(student, reference, golden, draw):
    """The note's sizes give the note's shapes, and what the loaded weights make of the tokens."""
    sizes = (golden(f"N3 In[4] {name} shape").value.int().tolist() for name in ("x", "output", "weights"))
    x, output, weights = (tuple(size) for size in sizes)
    handle, module = checks.twin(student, reference, draw, NAME, x[-1], weights[1])
    results = checks.module_matches(handle, module, draw.normal(*x) / 8)
    checks.has_shape(results[0], output)
    checks.has_shape(results[1], weights)


@multi_head_self_attention.check(
    "property", weight=3, needs=("test_the_gate",), ko="학습 중에는 가중치가 하나하나 dropout 비율만큼 0이 됩니다."
)
def test_dropout_in_training(student, draw):
    """In training the asked share of eval's weights is dropped, weight by weight, and the others are scaled up."""
    for p in (P, MORE):
        handle = student.MultiHeadSelfAttention(6, 2, dropout=p)
        x = draw.normal(6, 24, 6)
        weights = as_tensors(handle(x), 2)[1]
        handle.eval()
        expected = checks.has_shape(as_tensors(handle(x), 2)[1], (6, 2, 24, 24)).double()
        checks.weights_are_dropped(weights, expected, p, places=("items", "", "queries", "keys"))


@multi_head_self_attention.check(
    "property", weight=1, needs=("test_dropout_in_training",), ko="학습 중에 돌려준 가중치가 출력을 만든 가중치입니다."
)
def test_dropped_weights_make_the_output(student, reference, draw):
    """In training the output is made with the weights that are returned, apart from dropout on the output itself."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3, dropout=P)
    one = {"W_o.weight": torch.eye(15)}  # so that dropout before and after W_o look the same
    load(module, one)
    handle.load(one)
    x = draw.normal(12, 24, 15)
    output, weights = as_tensors(handle(x), 2)
    checks.has_shape(output, (12, 24, 15))
    checks.has_shape(weights, (12, 3, 24, 24))
    values = module.W_v(x.double()).detach().unflatten(-1, (3, 5)).transpose(1, 2)  # (B, H, T, head_dim)
    made = (weights.double() @ values).transpose(1, 2).flatten(2)  # (B, T, d_model)
    dropped = output == 0
    share, room = float(dropped.double().mean()), tolerance("statistic", "float32").absolute
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
    weight=9,
    needs=("test_dropout_in_training", "test_hidden_tokens_do_not_matter"),
    ko="dropout 중에도 가려진 키는 보이지 않습니다.",
)
def test_mask_with_dropout(student, draw):
    """In training with dropout a hidden key gets no weight, and the visible ones are dropped as without a mask."""
    handle = student.MultiHeadSelfAttention(6, 2, dropout=P)
    x, mask = draw.normal(12, 24, 6), padding(draw, B=12, T=24)
    handle.eval()
    expected = checks.has_shape(as_tensors(handle(x, mask=mask), 2)[1], (12, 2, 24, 24)).double()
    checks.is_true(
        bool((expected[~mask.expand_as(expected)] == 0).all()),
        "A hidden key gets weight in eval.",
        "eval에서 가려진 키가 가중치를 받습니다.",
    )
    handle.train()
    checks.weights_are_dropped(as_tensors(handle(x, mask=mask), 2)[1], expected, P)


@multi_head_self_attention.check(
    "property", weight=1, needs=("test_dropout_in_training",), ko="dropout은 호출마다, 헤드마다 새로 뽑습니다."
)
def test_dropout_is_drawn_anew(student, draw):
    """Other weights are dropped in every call and head, also after a time in eval."""
    handle = student.MultiHeadSelfAttention(6, 2, dropout=P)
    x = draw.normal(2, 24, 6)
    first = as_tensors(handle(x), 2)[1] == 0
    handle.eval()
    handle(x)
    handle.train()
    second = as_tensors(handle(x), 2)[1] == 0
    checks.is_true(
        not torch.equal(first, second) and bool(second.any()),
        "Two calls in training drop the same weights: a seed is set in forward, or an old draw is kept.",
        "학습 중에 두 번 불렀는데 같은 가중치가 0이 됩니다. forward에서 시드를 고정했거나 앞의 것을 남겨 두었습니다.",
        for_students=True,
    )
    checks.drawn_apart(first, 1, places=("items", "heads", "queries", "keys"))


@multi_head_self_attention.check(
    "property", weight=1, needs=("test_the_gate",), ko="인과 마스크를 주면 미래가 과거에 영향을 주지 않습니다."
)
def test_causal_mask_hides_the_future(student, draw):
    """Given a causal mask, a change of later tokens changes no earlier output."""
    handle = student.MultiHeadSelfAttention(6, 2)
    x, mask = draw.normal(2, 4, 6), torch.ones(4, 4).tril().bool()
    checks.future_is_invisible(lambda tokens: handle(tokens, mask=mask), x, draw)


@multi_head_self_attention.check("parameters", weight=1, needs=("test_the_gate",), ko="매개변수는 네 행렬뿐입니다.")
def test_parameters(student):
    """W_q, W_k, W_v and W_o have a weight of d_model x d_model each and no bias, and there is nothing else to learn."""
    found = {
        name: tuple(value.shape)
        for name, value in student.MultiHeadSelfAttention(15, 3, dropout=P).parameters().items()
    }
    wanted = {f"{name}.weight": (15, 15) for name in ("W_q", "W_k", "W_v", "W_o")}
    checks.is_true(
        found == wanted,
        f"The parameters are {found}, but {wanted} are asked for.",
        f"매개변수가 {found}인데 {wanted}이어야 합니다.",
    )


@multi_head_self_attention.check(
    "parameters", weight=1, needs=("test_random_weights",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's results as soon as it has loaded its state_dict."""
    first, module = checks.twin(student, reference, draw, NAME, 6, 2)
    second = student.MultiHeadSelfAttention(6, 2)
    x = draw.normal(2, 4, 6)
    second(x)
    second.load_state_dict(first.state_dict())
    checks.module_matches(second, module, x)


@multi_head_self_attention.check(
    "value",
    weight=1,
    needs=("test_padding_masks",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    handle, module = checks.twin(student, reference, draw, NAME, 6, 2)
    checks.module_any_layout(handle, module, draw.normal(2, 4, 6), mask=padding(draw))


@multi_head_self_attention.check(
    "value",
    weight=1,
    needs=("test_random_weights",),
    ko="토큰, 항목, 헤드, 특징이 작은 예보다 훨씬 많아도, 마스크가 있어도 됩니다.",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, items, heads or features than in small examples are treated rightly, with a mask and without."""
    handle, module = checks.twin(student, reference, draw, NAME, 26, 13)
    T = draw.large()
    checks.module_matches(handle, module, draw.normal(1, T, 26) / 2, mask=visible(draw, T, T))
    checks.module_matches(handle, module, draw.normal(1000 + draw.large(), 2, 26) / 2)
    many, T = 300 + draw.large(), 300 + draw.large()
    handle, module = checks.twin(student, reference, draw, NAME, many, 1)
    checks.module_matches(handle, module, draw.normal(1, T, many) / many**0.5, mask=visible(draw, T, T))


@multi_head_self_attention.check(
    "dtype", weight=1, needs=("test_the_gate",), ko="두 결과의 dtype은 마스크가 있어도 모듈과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, draw):
    """The results have the dtype of the module and its input, whatever that of the mask: also float64 and bfloat16."""
    handle = student.MultiHeadSelfAttention(6, 2)
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        handle.to(dtype=dtype)
        x = draw.normal(2, 4, 6, dtype=dtype)
        masks = [visible(draw, 4, 4).to(each) for each in (torch.bool, torch.float32, torch.float64)]
        for options in ({}, *({"mask": mask} for mask in masks)):
            checks.have_dtypes(as_tensors(handle(x, **options), 2), (dtype, dtype))


@multi_head_self_attention.check(
    "dtype", weight=1, needs=("test_random_weights",), ko="float64로 바꾼 모듈은 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """A module that was turned to float64 computes as exactly as float64."""
    handle, module = checks.twin(student, reference, draw, NAME, 8, 2)
    handle.to(dtype=torch.float64)
    checks.module_matches(handle, module, draw.normal(2, 4, 8, dtype=torch.float64), kind="exact")


@multi_head_self_attention.check(
    "gradient", weight=2, needs=("test_the_gate",), ko="기울기가 x와 모든 매개변수까지 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """Gradients of the output reach the input and all parameters."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 6, 2)
    checks.module_gradients_flow(handle, module, draw.normal(2, 4, 6))


@multi_head_self_attention.check(
    "gradient", weight=10, needs=("test_random_weights",), ko="x와 모든 매개변수의 기울기가 올바릅니다."
)
def test_gradients(student, reference, draw):
    """The gradients of both results with respect to the input and to all parameters are right, also in eval."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3)
    x = draw.normal(2, 4, 15)
    for output in (0, 1):
        checks.module_gradients_match(handle, module, x, output=output)
    handle.eval()
    for output in (0, 1):
        checks.module_gradients_match(handle, module, x, output=output)


@multi_head_self_attention.check(
    "gradient",
    weight=2,
    needs=("test_random_weights", "test_padding_masks", "test_pair_masks"),
    ko="마스크를 주어도 x와 모든 매개변수의 기울기가 올바릅니다.",
)
def test_gradients_with_a_mask(student, reference, draw):
    """Given a mask, the gradients of both results with respect to the input and to all parameters are right too."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3)
    x = draw.normal(2, 4, 15)
    for mask in (padding(draw), visible(draw, 2, 1, 4, 4), visible(draw, 4, 4)):
        for output in (0, 1):
            checks.module_gradients_match(handle, module, x, mask=mask, output=output)


@multi_head_self_attention.check(
    "gradient",
    weight=1,
    needs=("test_dropped_weights_make_the_output", "test_random_weights"),
    ko="학습 중에 dropout이 켜져 있어도 기울기가 x와 모든 매개변수까지 흐릅니다.",
)
def test_gradients_with_dropout(student, reference, draw):
    """In training with dropout the weights' gradients are right, and the output's reach the input and all layers."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3, dropout=P)
    module.eval()
    x = draw.normal(2, 24, 15)
    seen = handle.observe(x, cotangent=uneven((2, 24, 15)).float())  # dropout on the output is nobody's to know
    layers = {f"{name}.weight": torch.ones(15, 15) for name in ("W_q", "W_k", "W_v", "W_o")}
    gradients_arrive({"x": seen.input_gradients[0], **seen.parameter_gradients}, {"x": x, **layers}, parameters=layers)

    def dropped(results):
        return checks.has_shape(as_tensors(results, 2)[1], (2, 3, 24, 24))

    checks.module_gradients_match(handle, module, x, output=1, dropped=dropped)


@multi_head_self_attention.check(
    "errors", weight=1, needs=("test_the_gate",), ko="나누어떨어지지 않으면 만들 때 오류가 납니다."
)
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    for d_model, num_heads in ((10, 4), (7, 2)):
        checks.raises(student, NAME, ("ValueError", "AssertionError"), d_model, num_heads)


@multi_head_self_attention.check(
    "property",
    weight=1,
    needs=("test_random_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3)
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 15), before=(draw.normal(2, 4, 15),))


@multi_head_self_attention.check("purity", weight=15, needs=("test_the_gate",), ko="입력과 마스크는 바뀌지 않습니다.")
def test_input_unchanged(student, draw):
    """The input and the mask hold the same numbers after the call, with a mask and without."""
    module = student.MultiHeadSelfAttention(6, 2)
    x = draw.normal(2, 4, 6)
    for options in ({}, {"mask": padding(draw)}, {"mask": visible(draw, 4, 4)}, {"mask": visible(draw, 4, 4).float()}):
        checks.module_input_unchanged(module, x, **options)


@multi_head_self_attention.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (6, 2, P), draw.normal(2, 4, 6), mask=padding(draw))


@multi_head_self_attention.check("policy", needs=("test_random_weights",), ko="금지된 호출이 없습니다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    B, T, H, head_dim = draw.choice(SIZES)
    handle, module = checks.twin(student, reference, draw, NAME, H * head_dim, H)
    x = draw.normal(B, T, H * head_dim)
    also = [checks.given(x, mask=torch.ones(shape)) for shape in ((T, T), (B, 1, T, T), (B, 1, 1, T))]
    checks.no_forbidden_call_in_module(handle, module, x, also=also)
