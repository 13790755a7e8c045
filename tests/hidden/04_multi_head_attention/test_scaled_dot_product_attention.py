"""Checks of `scaled_dot_product_attention`: scaling, softmax axis, every form of mask that broadcasts, both results.

Tq, Tk, d and dv are pairwise different and d is no perfect square, so that every wrong divisor and axis shows; a square
case follows, in which a wrong axis is silent. Rows that may see nothing never occur. One size comes twice, with other
numbers.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors

scaled_dot_product_attention = exercise("scaled_dot_product_attention")

NAME = "scaled_dot_product_attention"
SIZES = (
    {},
    {},
    {"Tq": 6, "Tk": 2, "d": 3, "dv": 5},
    {"Tq": 1, "Tk": 4, "d": 10, "dv": 1},
    {"Tq": 4, "Tk": 1, "d": 1, "dv": 2},
    {"Tq": 5, "Tk": 5, "d": 5, "dv": 5},
)
NUMBERS = (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.uint8)
FAR = 150.0  # beyond a fill of -100, and within what a softmax of float64 leaves of the visible scores
LEVEL = 2000.0  # beyond a fill of -1000 and every plain exponential


def triple(draw, *lead, Tq=3, Tk=5, d=7, dv=6, dtype=torch.float32):
    """Return random query, key and value with the given leading dimensions."""
    return (
        draw.normal(*lead, Tq, d, dtype=dtype),
        draw.normal(*lead, Tk, d, dtype=dtype),
        draw.normal(*lead, Tk, dv, dtype=dtype),
    )


def visible(draw, *shape):
    """Return a random bool mask that hides about half of the keys; two are always seen, so no weight is just 1."""
    mask = draw.integers(0, 2, *shape).bool()
    mask[..., :2] = True
    mask[..., 2] = False
    return mask


def scored(draw, scores, *, d=6, dv=4):
    """Return float64 query, key and value whose scores, after the division by the root of d, are the given ones."""
    Tq, Tk = scores.shape
    key = torch.zeros(Tk, d, dtype=torch.float64)
    key[:, :Tq] = scores.T * d**0.5
    return torch.eye(Tq, d, dtype=torch.float64), key, draw.normal(Tk, dv, dtype=torch.float64)


@scaled_dot_product_attention.check(
    "property", weight=4, ko="결과의 차원과 원소의 수가 맞고, 쿼리, 키, 값 가운데 둘 이상을 씁니다."
)
def test_the_gate(student, reference, draw):
    """The results have as many dimensions and entries as asked, and change with at least two of query, key, value."""
    checks.uses_every_input(student, reference, NAME, *triple(draw, 2, Tq=5, dv=7), draw=draw)


@scaled_dot_product_attention.check("document", weight=2, ko="노트의 두 헤드에서 노트에 찍힌 가중치와 출력이 나옵니다.")
def test_heads_of_the_note(student, golden):
    """The note's two heads give the weights and the outputs that the note prints."""
    heads = (golden(f"N2 In[39] {name}h transposed").float32 for name in "QKV")
    output, weights = as_tensors(student.scaled_dot_product_attention(*heads), 2)
    checks.matches_figure(weights, golden("N2 In[41]"))
    checks.matches_figure(output, golden("N2 In[42] transposed"))


@scaled_dot_product_attention.check("document", weight=1, ko="인과 마스크를 주면 노트의 마스크 예제와 같습니다.")
def test_masked_heads_of_the_note(student, golden):
    """With a causal mask, the note's masked weights and outputs come out."""
    heads = (golden(f"N2 In[53] {name}h transposed").float32 for name in "QKV")
    mask = golden("N2 In[61]").value == 0
    output, weights = as_tensors(student.scaled_dot_product_attention(*heads, mask=mask), 2)
    checks.matches_figure(weights, golden("N2 In[63]"))
    checks.matches_figure(output, golden("N2 In[64] transposed"))


@scaled_dot_product_attention.check("value", weight=3, ko="임의의 입력에서 가중치와 출력이 정의와 같습니다.")
def test_random_input(student, reference, draw):
    """Random queries, keys and values of several lengths give the output and the weights of the definition."""
    for sizes in SIZES:
        query, key, value = triple(draw, 2, **sizes)
        lengths = {"the number of queries": query.shape[1], "the number of keys": key.shape[1]}
        scaling = checks.Scaling(query.shape[-1], "d", argument=0, sizes=lengths)
        checks.matches_reference(student, reference, NAME, query, key, value, scaling=scaling)


@scaled_dot_product_attention.check("value", weight=2, ko="앞쪽 차원이 없거나 둘, 셋, 넷이어도 됩니다.")
def test_leading_dimensions(student, reference, draw):
    """No leading dimension, two, three and four of them work as well as one."""
    cases = [checks.given(*triple(draw, *lead)) for lead in ((2, 6), (3, 3), (), (2, 1, 3), (2, 3, 1, 2))]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@scaled_dot_product_attention.check(
    "value", weight=6, ko="bool 마스크로 가린 키는 가중치가 0이고 나머지의 합은 1입니다."
)
def test_bool_masks(student, reference, draw):
    """A bool mask hides its keys, whatever shape it is broadcast from, also where sizes are equal or 1."""
    shapes = ((3, 5), (5,), (1, 5), (2, 1, 1, 5), (2, 1, 3, 5), (2, 6, 3, 5), (6, 1, 5))
    cases = [checks.given(*triple(draw, 2, 6), mask=visible(draw, *shape)) for shape in shapes]
    for lead, sizes, masks in (  # a mask of pairs looks like one of items here, and the other way round
        ((3,), {}, ((3, 5), (3, 1, 5), (3, 3, 5))),
        ((1,), {}, ((3, 5), (1, 1, 5), (1, 3, 5))),
        ((4,), {"Tq": 4, "Tk": 4}, ((4, 4), (4, 1, 4), (4,))),
        ((3, 3), {"Tk": 3}, ((3, 3), (3, 1, 1, 3), (3, 1, 3))),
    ):
        cases += [checks.given(*triple(draw, *lead, **sizes), mask=visible(draw, *shape)) for shape in masks]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@scaled_dot_product_attention.check("value", weight=3, ko="0과 1로 된 마스크도 자료형에 관계없이 같은 뜻입니다.")
def test_numeric_masks(student, reference, draw):
    """A mask of the numbers 0 and 1, of any dtype, means the same as one of False and True."""
    cases = [checks.given(*triple(draw, 2), mask=visible(draw, 2, 3, 5).to(dtype)) for dtype in NUMBERS]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@scaled_dot_product_attention.check(
    "property", weight=3, needs=("test_the_gate",), ko="가중치는 음수가 아니고 행의 합은 1입니다."
)
def test_rows_sum_to_one(student, draw):
    """No weight is negative, and every row of them sums to 1."""
    checks.rows_sum_to_one(as_tensors(student.scaled_dot_product_attention(*triple(draw, 2)), 2)[1])


@scaled_dot_product_attention.check(
    "property", weight=2, needs=("test_the_gate",), ko="출력은 돌려준 가중치로 값을 평균한 것입니다."
)
def test_weights_make_the_output(student, draw):
    """The output is the mean of the values with the weights that are returned."""
    query, key, value = triple(draw, 2)
    output, weights = as_tensors(student.scaled_dot_product_attention(query, key, value), 2)
    checks.close(output, checks.has_shape(weights, (2, 3, 5)).double() @ value.double())


@scaled_dot_product_attention.check(
    "property", weight=4, needs=("test_the_gate",), ko="가려진 키는 가중치를 받지 않고 결과에 영향도 없습니다."
)
def test_hidden_keys_do_not_matter(student, draw):
    """A hidden key gets no weight, and it and its value may hold anything: the results stay the same."""
    query, key, value = triple(draw, 2)
    mask = visible(draw, 3, 5)
    before = as_tensors(student.scaled_dot_product_attention(query, key, value, mask=mask), 2)
    checks.has_shape(before[0], (2, 3, 6))
    checks.close(checks.has_shape(before[1], (2, 3, 5))[..., 2], torch.zeros(2, 3))
    key[:, 2], value[:, 2] = 3 * draw.normal(2, 7), 3 * draw.normal(2, 6)
    after = student.scaled_dot_product_attention(query, key, value, mask=mask)
    checks.close(after, tuple(tensor.double() for tensor in before))


@scaled_dot_product_attention.check(
    "stability",
    weight=15,
    needs=("test_bool_masks",),
    ko="점수가 아무리 크거나 작아도 가중치가 맞고 가려진 키는 0입니다.",
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the weights are right and a hidden key gets none."""
    query, key, value = triple(draw)
    shown = visible(draw, 3, 5)
    cases = [checks.given(1 + query.abs() / 2, -4 - 2 * key.abs(), value, mask=shown)]
    mask, scores = visible(draw, 3, 5), draw.normal(3, 5, dtype=torch.float64)
    rows = torch.tensor([[1.0], [-1.0], [1.0]]) * LEVEL
    for level, hidden in ((-FAR, FAR), (0.0, FAR), (-LEVEL, 0.0), (-LEVEL, FAR), (LEVEL, 0.0), (rows, FAR)):
        cases.append(checks.given(*scored(draw, scores + level + torch.where(mask, 0.0, hidden)), mask=mask))
    cases.append(checks.given(*scored(draw, scores + rows)))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@scaled_dot_product_attention.check(
    "value",
    weight=3,
    needs=("test_bool_masks",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, NAME, *triple(draw, 2), mask=visible(draw, 2, 3, 5))


@scaled_dot_product_attention.check(
    "value",
    weight=2,
    needs=("test_random_input",),
    ko="쿼리, 키, 특징, 항목이 작은 예보다 훨씬 많아도, 마스크가 있어도 됩니다.",
)
def test_large_sizes(student, reference, draw):
    """Far more queries, keys, features or items than in small examples are treated rightly, with a mask and without."""
    cases = [checks.given(*triple(draw, **{axis: 1000 + draw.large()})) for axis in ("Tq", "Tk", "d", "dv")]
    many, square = 1000 + draw.large(), 300 + draw.large()
    cases.append(checks.given(*triple(draw, many), mask=visible(draw, many, 3, 5)))
    cases.append(checks.given(*triple(draw, Tq=square, Tk=square), mask=visible(draw, square, square)))
    checks.matches_reference_on_each(student, reference, NAME, cases)


@scaled_dot_product_attention.check(
    "dtype", weight=6, needs=("test_the_gate",), ko="두 결과의 dtype은 마스크가 있어도 query의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, draw):
    """Both results have the dtype of the query, whatever that of the mask: float32, float64 and bfloat16."""
    cases = []
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        cases.append(checks.given(*triple(draw, 2, Tq=5, dtype=dtype)))
        for mask in (torch.bool, torch.float32, torch.float64, torch.int64):
            cases.append(checks.given(*triple(draw, 2, Tq=5, dtype=dtype), mask=visible(draw, 5, 5).to(mask)))
    checks.keeps_dtypes(student, NAME, cases)


@scaled_dot_product_attention.check(
    "dtype", weight=1, needs=("test_bool_masks",), ko="float64에서는 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """A query, keys and values in float64 give results as exact as float64, with a mask and without."""
    for options in ({}, {"mask": visible(draw, 3, 5)}):
        arguments = triple(draw, 2, d=9, dtype=torch.float64)
        checks.matches_reference(student, reference, NAME, *arguments, **options, kind="exact")


@scaled_dot_product_attention.check(
    "gradient", weight=8, needs=("test_the_gate",), ko="기울기가 query, key, value까지 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """Gradients of the output reach query, key and value."""
    checks.gradients_flow(student, reference, NAME, *triple(draw, 2))


@scaled_dot_product_attention.check(
    "gradient", weight=5, needs=("test_random_input",), ko="두 결과의 기울기가 올바릅니다."
)
def test_gradients(student, reference, draw):
    """The gradients of both results with respect to query, key and value are right."""
    arguments = triple(draw, 2)
    for output in (0, 1):
        checks.gradient_matches(student, reference, NAME, *arguments, output=output)


@scaled_dot_product_attention.check(
    "gradient",
    weight=2,
    needs=("test_random_input", "test_bool_masks"),
    ko="마스크를 주어도 두 결과의 기울기가 올바릅니다.",
)
def test_gradients_with_a_mask(student, reference, draw):
    """Given a mask, the gradients of both results with respect to query, key and value are right too."""
    for shape in ((2, 3, 5), (3, 5)):
        for output in (0, 1):
            mask = visible(draw, *shape)
            checks.gradient_matches(student, reference, NAME, *triple(draw, 2), mask=mask, output=output)


@scaled_dot_product_attention.check(
    "property",
    weight=1,
    needs=("test_random_input",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *triple(draw, 2), before=triple(draw, 2))


@scaled_dot_product_attention.check(
    "purity", weight=15, needs=("test_the_gate",), ko="입력과 마스크는 바뀌지 않습니다."
)
def test_input_unchanged(student, draw):
    """Query, key, value and mask hold the same numbers after the call."""
    arguments = triple(draw, 2, Tq=5)
    checks.input_unchanged(student, NAME, *arguments)
    for mask in (visible(draw, 5, 5), visible(draw, 5, 5).float()):
        checks.input_unchanged(student, NAME, *arguments, mask=mask)


@scaled_dot_product_attention.check("policy", needs=("test_random_input",), ko="금지된 호출 없이 직접 계산합니다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    checks.no_forbidden_call(student, reference, NAME, *triple(draw, 2, **draw.choice(SIZES)))


@scaled_dot_product_attention.check(
    "policy", needs=("test_bool_masks",), ko="마스크가 있어도 금지된 호출 없이 직접 계산합니다."
)
def test_masked_is_written_by_hand(student, reference, draw):
    """Given a mask, the attention is written out as well."""
    checks.no_forbidden_call(student, reference, NAME, *triple(draw, 2, 6), mask=visible(draw, 3, 5))
