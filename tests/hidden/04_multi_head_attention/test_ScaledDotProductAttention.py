"""Checks of `ScaledDotProductAttention`: the attention itself, masks, and what dropout does to the weights.

Dropout is tried with probabilities away from 0.5, where keeping and dropping look the same, and on so many weights that
the measured share is known to a few hundredths. Two random inputs have the same size and other numbers.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors

scaled_dot_product_attention_module = exercise("ScaledDotProductAttention")

NAME = "ScaledDotProductAttention"
P, MORE = 0.2, 0.7
SIZES = (
    {},
    {},
    {"B": 4, "Tq": 6, "Tk": 2, "d": 3, "dv": 5},
    {"B": 1, "Tq": 1, "Tk": 4, "d": 10, "dv": 1},
    {"B": 3, "Tq": 3, "Tk": 3, "d": 3, "dv": 3},
)
MASK_DTYPES = (torch.bool, torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.uint8)
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential


def triple(draw, *, B=2, Tq=3, Tk=5, d=7, dv=6, dtype=torch.float32):
    """Return random (Q, K, V)."""
    return draw.normal(B, Tq, d, dtype=dtype), draw.normal(B, Tk, d, dtype=dtype), draw.normal(B, Tk, dv, dtype=dtype)


def scored(draw, scores, *, d=6, dv=4):
    """Return float64 (Q, K, V) whose scores (B, Tq, Tk), after the division by the root of d, are the given ones."""
    B, Tq, Tk = scores.shape
    K = torch.zeros(B, Tk, d, dtype=torch.float64)
    K[..., :Tq] = scores.mT * d**0.5
    return torch.eye(Tq, d, dtype=torch.float64).repeat(B, 1, 1), K, draw.normal(B, Tk, dv, dtype=torch.float64)


def visible(draw, *shape):
    """Return a random bool mask that hides about half of the keys; two are always seen, so no weight is just 1."""
    mask = draw.integers(0, 2, *shape).bool()
    mask[..., :2] = True
    mask[..., 2] = False
    return mask


@scaled_dot_product_attention_module.check(
    "property", weight=2, ko="결과의 차원과 원소의 수가 맞고, Q, K, V 가운데 둘 이상을 씁니다."
)
def test_the_gate(student, reference, draw):
    """The results have as many dimensions and entries as asked, and change with two of Q, K and V at least."""
    handle, module = checks.twin(student, reference, draw, NAME)
    handle.eval()
    checks.module_uses_every_input(handle, module.eval(), *triple(draw, Tq=5, dv=7), draw=draw)


@scaled_dot_product_attention_module.check("document", weight=1, ko="노트의 두 헤드에서 노트에 찍힌 결과가 나옵니다.")
def test_heads_of_the_note(student, reference, golden, draw):
    """The note's two heads, taken as a batch, give the weights and the outputs that the note prints."""
    heads = [golden(f"N2 In[39] {name}h transposed").float32 for name in "QKV"]
    module = checks.twin(student, reference, draw, NAME)[0]
    output, weights = as_tensors(module(*heads), 2)
    checks.matches_figure(weights, golden("N2 In[41]"))
    checks.matches_figure(output, golden("N2 In[42] transposed"))
    output, weights = as_tensors(module(*heads, mask=golden("N2 In[61]").value == 0), 2)
    checks.matches_figure(weights, golden("N2 In[63]"))
    checks.matches_figure(output, golden("N2 In[64] transposed"))


@scaled_dot_product_attention_module.check("value", weight=2, ko="임의의 입력에서 출력과 가중치가 정의와 같습니다.")
def test_random_input(student, reference, draw):
    """Random queries, keys and values of several lengths give the output and the weights of the definition."""
    handle, module = checks.twin(student, reference, draw, NAME)
    for sizes in SIZES:
        Q, K, V = triple(draw, **sizes)
        lengths = {"the number of queries": Q.shape[1], "the number of keys": K.shape[1]}
        checks.module_matches(
            handle, module, Q, K, V, scaling=checks.Scaling(Q.shape[-1], "d", argument=0, sizes=lengths)
        )


@scaled_dot_product_attention_module.check("value", weight=6, ko="0 또는 False로 가린 키는 가중치를 받지 못합니다.")
def test_masks(student, reference, draw):
    """A key that the mask hides gets no weight, whatever the mask is broadcast from, bools or numbers."""
    handle, module = checks.twin(student, reference, draw, NAME)
    cases = []
    for shape in ((2, 3, 5), (2, 1, 5), (1, 3, 5), (3, 5), (1, 5), (5,)):
        for dtype in MASK_DTYPES if shape == (2, 3, 5) else (torch.bool, torch.float32):
            cases.append(checks.given(*triple(draw), mask=visible(draw, *shape).to(dtype)))
        cases.append(checks.given(*triple(draw)))  # nothing of a mask stays for the next call
    for sizes, masks in (  # a mask of pairs looks like one of items here, and the other way round
        ({"B": 3}, ((3, 5), (3, 1, 5), (3, 3, 5))),
        ({"B": 1}, ((3, 5), (1, 1, 5), (1, 3, 5))),
        ({"B": 4, "Tq": 4, "Tk": 4}, ((4, 4), (4, 1, 4), (4,))),
    ):
        cases += [checks.given(*triple(draw, **sizes), mask=visible(draw, *shape)) for shape in masks]
    checks.module_matches_on_each(handle, module, cases)


@scaled_dot_product_attention_module.check(
    "property", weight=2, needs=("test_the_gate",), ko="가중치는 음수가 아니고 행의 합은 1입니다."
)
def test_rows_sum_to_one(student, draw):
    """In eval no weight is negative, and every row of them sums to 1."""
    handle = student.ScaledDotProductAttention(dropout=P)
    handle.eval()
    checks.rows_sum_to_one(as_tensors(handle(*triple(draw)), 2)[1])


@scaled_dot_product_attention_module.check(
    "property", weight=4, needs=("test_the_gate",), ko="가려진 키는 가중치를 받지 않고 결과에 영향도 없습니다."
)
def test_hidden_keys_do_not_matter(student, draw):
    """A hidden key gets no weight, and it and its value may hold anything: the results stay the same."""
    handle, mask = student.ScaledDotProductAttention(), visible(draw, 3, 5)
    handle.eval()
    Q, K, V = triple(draw)
    before = as_tensors(handle(Q, K, V, mask=mask), 2)
    checks.close(checks.has_shape(before[1], (2, 3, 5))[..., 2], torch.zeros(2, 3))
    checks.has_shape(before[0], (2, 3, 6))
    K[:, 2], V[:, 2] = 3 * draw.normal(2, 7), 3 * draw.normal(2, 6)
    checks.close(handle(Q, K, V, mask=mask), tuple(each.double() for each in before), kind="module")


@scaled_dot_product_attention_module.check(
    "stability", weight=15, needs=("test_masks",), ko="점수가 아무리 크거나 작아도 가중치가 맞고 가려진 키는 0입니다."
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the weights are right and a hidden key gets none."""
    handle, module = checks.twin(student, reference, draw, NAME)
    mask, scores = visible(draw, 2, 3, 5), draw.normal(2, 3, 5, dtype=torch.float64)
    rows = torch.tensor([[1.0], [-1.0], [1.0]]) * LEVEL
    cases = []
    for level, hidden in ((-FAR, FAR), (0.0, FAR), (-LEVEL, 0.0), (-LEVEL, FAR), (LEVEL, 0.0), (rows, FAR)):
        cases.append(checks.given(*scored(draw, scores + level + torch.where(mask, 0.0, hidden)), mask=mask))
    cases.append(checks.given(*scored(draw, scores + rows)))
    checks.module_matches_on_each(handle, module, cases)


@scaled_dot_product_attention_module.check("value", weight=2, ko="eval에서는 dropout이 꺼지고 결과가 정의와 같습니다.")
def test_eval_is_right(student, reference, draw):
    """In eval a module with dropout gives what one without gives, also after training, with a mask and without."""
    handle, module = checks.twin(student, reference, draw, NAME, dropout=P)
    arguments = triple(draw)
    handle(*arguments)
    handle.eval()
    module.eval()
    low = scored(draw, draw.normal(2, 3, 5, dtype=torch.float64) - FAR)  # so a finite fill of -100 shows
    masked = checks.given(*low, mask=visible(draw, 3, 5))
    checks.module_matches_on_each(
        handle, module, [checks.given(*arguments), masked, checks.given(*arguments), checks.given(*triple(draw))]
    )


@scaled_dot_product_attention_module.check(
    "property", weight=4, needs=("test_the_gate",), ko="eval에서는 아무것도 무작위로 떨어지지 않습니다."
)
def test_eval_drops_nothing(student, draw):
    """In eval the same input gives the same results every time, also after the module was in training."""
    handle = student.ScaledDotProductAttention(dropout=P)
    arguments = triple(draw, Tq=12, Tk=10)
    handle(*arguments)
    handle.eval()
    first = as_tensors(handle(*arguments), 2)
    checks.close(handle(*arguments), tuple(each.double() for each in first), kind="module")


@scaled_dot_product_attention_module.check(
    "property", weight=4, needs=("test_the_gate",), ko="학습 중에는 가중치가 하나하나 dropout 비율만큼 0이 됩니다."
)
def test_dropout_in_training(student, draw):
    """In training the asked share of eval's weights is dropped, the others grow, and the output is made with them."""
    for p in (P, MORE):
        handle = student.ScaledDotProductAttention(dropout=p)
        arguments = triple(draw, B=12, Tq=24, Tk=30)
        output, weights = as_tensors(handle(*arguments), 2)
        handle.eval()
        expected = checks.has_shape(as_tensors(handle(*arguments), 2)[1], (12, 24, 30)).double()
        checks.weights_are_dropped(weights, expected, p, places=("items", "queries", "keys"))
        checks.close(output, checks.has_shape(weights, (12, 24, 30)).double() @ arguments[2].double())


@scaled_dot_product_attention_module.check(
    "property",
    weight=8,
    needs=("test_dropout_in_training", "test_hidden_keys_do_not_matter"),
    ko="dropout 중에도 가려진 키는 보이지 않습니다.",
)
def test_mask_with_dropout(student, draw):
    """In training with dropout a hidden key gets no weight, and the visible ones are dropped as without a mask."""
    handle = student.ScaledDotProductAttention(dropout=P)
    arguments, mask = triple(draw, B=32, Tq=24, Tk=30), visible(draw, 32, 24, 30)
    handle.eval()
    expected = checks.has_shape(as_tensors(handle(*arguments, mask=mask), 2)[1], (32, 24, 30)).double()
    checks.is_true(
        bool((expected[~mask] == 0).all()),
        "A hidden key gets weight in eval.",
        "eval에서 가려진 키가 가중치를 받습니다.",
    )
    handle.train()
    checks.weights_are_dropped(as_tensors(handle(*arguments, mask=mask), 2)[1], expected, P)


@scaled_dot_product_attention_module.check(
    "property", weight=2, needs=("test_dropout_in_training",), ko="dropout은 부를 때마다 새로 뽑습니다."
)
def test_dropout_is_drawn_anew(student, draw):
    """Other weights are dropped in every call, also after a time in eval."""
    handle = student.ScaledDotProductAttention(dropout=P)
    arguments = triple(draw, Tq=24, Tk=30)
    first = as_tensors(handle(*arguments), 2)[1] == 0
    handle.eval()
    handle(*arguments)
    handle.train()
    second = as_tensors(handle(*arguments), 2)[1] == 0
    checks.is_true(
        not torch.equal(first, second) and bool(second.any()),
        "Two calls in training drop the same weights: a seed is set in forward, or an old draw is kept.",
        "학습 중에 두 번 불렀는데 같은 가중치가 0이 됩니다. forward에서 시드를 고정했거나 앞의 것을 남겨 두었습니다.",
        for_students=True,
    )


@scaled_dot_product_attention_module.check(
    "value",
    weight=2,
    needs=("test_masks",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    handle, module = checks.twin(student, reference, draw, NAME)
    checks.module_any_layout(handle, module, *triple(draw), mask=visible(draw, 2, 3, 5))


@scaled_dot_product_attention_module.check(
    "value",
    weight=1,
    needs=("test_random_input",),
    ko="항목, 쿼리, 키, 특징이 작은 예보다 훨씬 많아도, 마스크가 있어도 됩니다.",
)
def test_large_sizes(student, reference, draw):
    """Far more items, queries, keys or features than in small examples are treated rightly, with a mask and without."""
    handle, module = checks.twin(student, reference, draw, NAME)
    cases = [checks.given(*triple(draw, **{axis: 1000 + draw.large()})) for axis in ("B", "Tq", "Tk", "d", "dv")]
    many = 300 + draw.large()
    cases.append(checks.given(*triple(draw, B=1, Tq=many, Tk=many), mask=visible(draw, many, many)))
    checks.module_matches_on_each(handle, module, cases)


@scaled_dot_product_attention_module.check(
    "dtype", weight=2, needs=("test_the_gate",), ko="결과의 dtype은 마스크가 있어도 Q와 같습니다."
)
def test_keeps_the_dtype(student, draw):
    """Both results have the dtype of Q, whatever that of the mask: float32, float64 and bfloat16."""
    handle = student.ScaledDotProductAttention()
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        arguments = triple(draw, Tq=5, dtype=dtype)
        masks = [visible(draw, 5, 5).to(each) for each in (torch.bool, torch.float32, torch.float64)]
        for options in ({}, *({"mask": mask} for mask in masks)):
            checks.have_dtypes(as_tensors(handle(*arguments, **options), 2), (dtype, dtype))


@scaled_dot_product_attention_module.check(
    "dtype", weight=1, needs=("test_masks",), ko="float64에서는 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """Q, K and V in float64 give results as exact as float64, with a mask and without."""
    handle, module = checks.twin(student, reference, draw, NAME)
    arguments = triple(draw, d=9, dtype=torch.float64)
    cases = [checks.given(*arguments), checks.given(*arguments, mask=visible(draw, 3, 5))]
    checks.module_matches_on_each(handle, module, cases, kind="exact")


@scaled_dot_product_attention_module.check(
    "gradient", weight=6, needs=("test_the_gate",), ko="기울기가 Q, K, V까지 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """Gradients of the output reach Q, K and V."""
    handle, module = checks.twin(student, reference, draw, NAME)
    checks.module_gradients_flow(handle, module, *triple(draw))


@scaled_dot_product_attention_module.check(
    "gradient", weight=6, needs=("test_random_input",), ko="기울기가 올바릅니다."
)
def test_gradients(student, reference, draw):
    """The gradients of both results with respect to Q, K and V are right, also in eval."""
    handle, module = checks.twin(student, reference, draw, NAME)
    arguments = triple(draw)
    for output in (0, 1):
        checks.module_gradients_match(handle, module, *arguments, output=output)
    handle.eval()
    for output in (0, 1):
        checks.module_gradients_match(handle, module, *arguments, output=output)


@scaled_dot_product_attention_module.check(
    "gradient", weight=2, needs=("test_random_input", "test_masks"), ko="마스크를 주어도 기울기가 올바릅니다."
)
def test_gradients_with_a_mask(student, reference, draw):
    """Given a mask, the gradients of both results with respect to Q, K and V are right too."""
    handle, module = checks.twin(student, reference, draw, NAME)
    for shape in ((2, 3, 5), (3, 5)):
        for output in (0, 1):
            mask = visible(draw, *shape)
            checks.module_gradients_match(handle, module, *triple(draw), mask=mask, output=output)


@scaled_dot_product_attention_module.check(
    "gradient",
    weight=1,
    needs=("test_dropout_in_training", "test_random_input"),
    ko="학습 중에 dropout이 켜져 있어도 기울기가 올바릅니다.",
)
def test_gradients_with_dropout(student, reference, draw):
    """In training with dropout the gradients of both results with respect to Q, K and V are right too."""
    handle, module = checks.twin(student, reference, draw, NAME, dropout=P)
    module.eval()

    def dropped(results):
        return checks.has_shape(as_tensors(results, 2)[1], (2, 12, 10))

    for output in (0, 1):
        checks.module_gradients_match(handle, module, *triple(draw, Tq=12, Tk=10), output=output, dropped=dropped)


@scaled_dot_product_attention_module.check("parameters", weight=1, needs=("test_the_gate",), ko="매개변수가 없습니다.")
def test_has_no_parameters(student):
    """The module has no parameters."""
    names = sorted(student.ScaledDotProductAttention(dropout=P).parameters())
    checks.is_true(not names, f"It has the parameters {names}.", f"매개변수 {names}가 있습니다.")


@scaled_dot_product_attention_module.check(
    "property",
    weight=1,
    needs=("test_random_input",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME)
    checks.module_computed_anew(handle, module, *triple(draw), before=triple(draw))


@scaled_dot_product_attention_module.check(
    "purity", weight=15, needs=("test_the_gate",), ko="입력과 마스크는 바뀌지 않습니다."
)
def test_input_unchanged(student, draw):
    """Q, K, V and the mask hold the same numbers after the call, with a mask and without."""
    module = student.ScaledDotProductAttention()
    arguments = triple(draw, Tq=5)
    for options in ({}, {"mask": visible(draw, 5, 5)}, {"mask": visible(draw, 2, 1, 5).float()}):
        checks.module_input_unchanged(module, *arguments, **options)


@scaled_dot_product_attention_module.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (P,), *triple(draw), mask=visible(draw, 2, 3, 5))
    checks.module_on_another_device(student, NAME, (), *triple(draw), gradients=False)


@scaled_dot_product_attention_module.check("policy", needs=("test_random_input",), ko="금지된 호출이 없습니다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    handle, module = checks.twin(student, reference, draw, NAME)
    also = [checks.given(*triple(draw), mask=visible(draw, *shape)) for shape in ((3, 5), (2, 3, 5))]
    checks.no_forbidden_call_in_module(handle, module, *triple(draw, **draw.choice(SIZES)), also=also)
