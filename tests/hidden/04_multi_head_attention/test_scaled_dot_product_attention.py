"""Checks of `scaled_dot_product_attention`: scaling, softmax axis, every form of mask that broadcasts, both results.

Tq, Tk, d and dv are pairwise different and d is no perfect square, so that every wrong divisor and axis shows; a square
case follows, in which a wrong axis is silent. Rows that may see nothing never occur. One size comes twice, with other
numbers.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.compare import as_tensors

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
NUMBERS = (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.uint8)
FAR = 150.0  # beyond a fill of -100, and within what a plain exponential of float64 can hold


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


@scaled_dot_product_attention.check("document", weight=1, ko="노트의 두 헤드에서 노트에 찍힌 가중치와 출력이 나온다.")
def test_heads_of_the_note(student, golden):
    """The note's two heads give the weights and the outputs that the note prints."""
    heads = (golden(f"N2 In[39] {name}h transposed").float32 for name in "QKV")
    output, weights = as_tensors(student.scaled_dot_product_attention(*heads), 2)
    checks.matches_figure(weights, golden("N2 In[41]"))
    checks.matches_figure(output, golden("N2 In[42] transposed"))


@scaled_dot_product_attention.check("document", weight=1, ko="인과 마스크를 주면 노트의 마스크 예제와 같다.")
def test_masked_heads_of_the_note(student, golden):
    """With a causal mask, the note's masked weights and outputs come out."""
    heads = (golden(f"N2 In[53] {name}h transposed").float32 for name in "QKV")
    mask = golden("N2 In[61]").value == 0
    output, weights = as_tensors(student.scaled_dot_product_attention(*heads, mask=mask), 2)
    checks.matches_figure(weights, golden("N2 In[63]"))
    checks.matches_figure(output, golden("N2 In[64] transposed"))


@scaled_dot_product_attention.check("value", weight=4, ko="임의의 입력에서 가중치와 출력이 정의와 같다.")
def test_random_input(student, reference, draw):
    """Random queries, keys and values of several lengths give the output and the weights of the definition."""
    for sizes in SIZES:
        query, key, value = triple(draw, 2, **sizes)
        lengths = {"the number of queries": query.shape[1], "the number of keys": key.shape[1]}
        scaling = checks.Scaling(query.shape[-1], "d", argument=0, sizes=lengths)
        checks.matches_reference(student, reference, NAME, query, key, value, scaling=scaling)


@scaled_dot_product_attention.check("value", weight=2, ko="앞쪽 차원이 없거나 둘이어도 된다.")
def test_leading_dimensions(student, reference, draw):
    """No leading dimension and two of them work as well as one."""
    for lead in ((2, 6), (3, 3), ()):
        checks.matches_reference(student, reference, NAME, *triple(draw, *lead))


@scaled_dot_product_attention.check("value", weight=5, ko="bool 마스크로 가린 키는 가중치가 0이고 나머지의 합은 1이다.")
def test_bool_masks(student, reference, draw):
    """A bool mask hides its keys, whatever shape it is broadcast from."""
    for shape in ((3, 5), (5,), (1, 5), (2, 1, 1, 5), (2, 1, 3, 5), (2, 6, 3, 5), (6, 1, 5)):
        checks.matches_reference(student, reference, NAME, *triple(draw, 2, 6), mask=visible(draw, *shape))


@scaled_dot_product_attention.check("value", weight=3, ko="0과 1로 된 마스크도 자료형에 관계없이 같은 뜻이다.")
def test_numeric_masks(student, reference, draw):
    """A mask of the numbers 0 and 1, of any dtype, means the same as one of False and True."""
    for dtype in NUMBERS:
        checks.matches_reference(student, reference, NAME, *triple(draw, 2), mask=visible(draw, 2, 3, 5).to(dtype))


@scaled_dot_product_attention.check(
    "stability", weight=2, needs=("test_bool_masks",), ko="보이는 점수가 훨씬 작아도 가려진 키의 가중치는 0이다."
)
def test_large_hidden_scores(student, reference, draw):
    """A hidden key gets no weight even where the visible scores lie far below its own."""
    query, key, value = triple(draw)
    checks.matches_reference(
        student, reference, NAME, 1 + query.abs() / 2, -4 - 2 * key.abs(), value, mask=visible(draw, 3, 5)
    )
    mask, scores = visible(draw, 3, 5), draw.normal(3, 5, dtype=torch.float64)
    for seen, hidden in ((-FAR, 0.0), (0.0, FAR)):
        arguments = scored(draw, scores + torch.where(mask, seen, hidden))
        checks.matches_reference(student, reference, NAME, *arguments, mask=mask)


@scaled_dot_product_attention.check(
    "value",
    weight=2,
    needs=("test_random_input",),
    ko="쿼리, 키, 특징, 항목이 작은 예보다 훨씬 많아도, 마스크가 있어도 된다.",
)
def test_large_sizes(student, reference, draw):
    """Far more queries, keys, features or items than in small examples are treated rightly, with a mask and without."""
    for axis in ("Tq", "Tk", "d", "dv"):
        checks.matches_reference(student, reference, NAME, *triple(draw, **{axis: draw.large()}))
    many = draw.large()
    checks.matches_reference(student, reference, NAME, *triple(draw, many), mask=visible(draw, many, 3, 5))
    square = triple(draw, Tq=many, Tk=many)
    checks.matches_reference(student, reference, NAME, *square, mask=visible(draw, many, many))


@scaled_dot_product_attention.check(
    "dtype", weight=1, needs=("test_random_input",), ko="두 결과의 dtype은 query의 dtype과 같다."
)
def test_keeps_the_dtype(student, reference, draw):
    """Both results have the dtype of the query: float32, float64 and bfloat16."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        arguments = triple(draw, 2, dtype=dtype)
        for result in as_tensors(student.scaled_dot_product_attention(*arguments), 2):
            checks.has_dtype(result, dtype)
        checks.matches_reference(student, reference, NAME, *arguments)


@scaled_dot_product_attention.check(
    "gradient", weight=1, needs=("test_random_input",), ko="두 결과의 기울기가 올바르다."
)
def test_gradients(student, reference, draw):
    """The gradients of both results with respect to query, key and value are right."""
    arguments = triple(draw, 2)
    for output in (0, 1):
        checks.gradient_matches(student, reference, NAME, *arguments, output=output)


@scaled_dot_product_attention.check(
    "gradient",
    weight=1,
    needs=("test_random_input", "test_bool_masks"),
    ko="마스크를 주어도 두 결과의 기울기가 올바르다.",
)
def test_gradients_with_a_mask(student, reference, draw):
    """Given a mask, the gradients of both results with respect to query, key and value are right too."""
    for shape in ((2, 3, 5), (3, 5)):
        for output in (0, 1):
            mask = visible(draw, *shape)
            checks.gradient_matches(student, reference, NAME, *triple(draw, 2), mask=mask, output=output)


@scaled_dot_product_attention.check("property", weight=1, ko="가려진 키와 값을 바꾸어도 결과가 그대로다.")
def test_hidden_keys_do_not_matter(student, reference, draw):
    """A hidden key and its value may hold anything: the results stay the same."""
    query, key, value = triple(draw, 2)
    mask = visible(draw, 3, 5)
    before = checks.matches_reference(student, reference, NAME, query, key, value, mask=mask)
    key[:, 2], value[:, 2] = 3 * draw.normal(2, 7), 3 * draw.normal(2, 6)
    after = as_tensors(student.scaled_dot_product_attention(query, key, value, mask=mask), 2)
    checks.close(tuple(after), tuple(tensor.double() for tensor in before))


@scaled_dot_product_attention.check(
    "property",
    weight=1,
    needs=("test_random_input",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산한다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, *triple(draw, 2), before=triple(draw, 2))


@scaled_dot_product_attention.check(
    "purity", weight=1, needs=("test_random_input", "test_bool_masks"), ko="입력과 마스크는 바뀌지 않는다."
)
def test_input_unchanged(student, draw):
    """Query, key, value and mask hold the same numbers after the call."""
    arguments, mask = triple(draw, 2), visible(draw, 3, 5)
    checks.input_unchanged(student, NAME, *arguments)
    checks.input_unchanged(student, NAME, *arguments, mask=mask)


@scaled_dot_product_attention.check("policy", needs=("test_random_input",), ko="금지된 호출 없이 직접 계산한다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    checks.no_forbidden_call(student, reference, NAME, *triple(draw, 2, **draw.choice(SIZES)))
