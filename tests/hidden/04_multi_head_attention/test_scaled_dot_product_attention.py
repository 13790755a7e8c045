"""Hidden checks of `scaled_dot_product_attention`: every form of mask that broadcasts, and both results.

No query has all its keys hidden.
"""

import torch

from grader.suite import checks, exercise

from .inputs import NUMBERS, scored, triple, visible

scaled_dot_product_attention = exercise("scaled_dot_product_attention")
scaled_dot_product_attention.contract(
    query="... Tq d",
    key="... Tk d",
    value="... Tk dv",
    result=("... Tq dv", "... Tq Tk"),
    options={"mask": "... Tq Tk"},
    draws={"mask": visible},
)


@scaled_dot_product_attention.check("document", ko="노트의 두 헤드에서 노트에 찍힌 가중치와 출력이 나옵니다.")
def test_heads_of_the_note(student, golden):
    """The note's two heads give the weights and the outputs that the note prints."""
    heads = (golden(f"N2 In[39] {name}h transposed").float32 for name in "QKV")
    figures = golden("N2 In[42] transposed"), golden("N2 In[41]")
    checks.matches_figure(student.scaled_dot_product_attention(*heads), *figures)


@scaled_dot_product_attention.check("document", ko="인과 마스크를 주면 노트의 마스크 예제와 같습니다.")
def test_masked_heads_of_the_note(student, golden):
    """With a causal mask, the note's masked weights and outputs come out."""
    heads = (golden(f"N2 In[53] {name}h transposed").float32 for name in "QKV")
    mask = golden("N2 In[61]").value == 0
    figures = golden("N2 In[64] transposed"), golden("N2 In[63]")
    checks.matches_figure(student.scaled_dot_product_attention(*heads, mask=mask), *figures)


@scaled_dot_product_attention.check("purity", ko="0과 1로 된 마스크도 호출 뒤에 그대로입니다.")
def test_mask_of_numbers_unchanged(student, draw):
    """A mask of the numbers 0 and 1 is the same after the call."""
    checks.inputs_unchanged(student.scaled_dot_product_attention, *triple(draw), mask=visible(draw, 3, 5).float())


@scaled_dot_product_attention.check("value", ko="bool 마스크로 가린 키는 가중치가 0이고 나머지의 합은 1입니다.")
def test_bool_masks(student, reference, draw):
    """A bool mask hides its keys, whatever shape it is broadcast from, also where sizes are equal or 1."""
    shapes = ((5,), (2, 1, 3, 5), (2, 6, 3, 5), (6, 1, 5))
    cases = [checks.given(*triple(draw, 2, 6), mask=visible(draw, *shape)) for shape in shapes]
    for lead, Tk, masks in (  # a mask of pairs looks like one of items here, and the other way round
        ((3,), 5, ((3, 5), (3, 1, 5))),
        ((1,), 5, ((1, 1, 5),)),
        ((3, 3), 3, ((3, 3), (3, 1, 1, 3), (3,))),
    ):
        cases += [checks.given(*triple(draw, *lead, Tk=Tk), mask=visible(draw, *shape)) for shape in masks]
    checks.matches(student.scaled_dot_product_attention, reference.scaled_dot_product_attention, *cases)


@scaled_dot_product_attention.check(
    "value", ko="0과 1로 된 마스크도 자료형에 관계없이 같은 뜻이고, 결과의 dtype은 query와 같습니다."
)
def test_numeric_masks(student, reference, draw):
    """A mask of the numbers 0 and 1, of any dtype, means the same as bools, and the results keep the query's dtype."""
    masks = [visible(draw, 2, 3, 5).to(dtype) for dtype in NUMBERS]
    cases = [checks.given(*triple(draw, 2), mask=mask) for mask in masks]
    asked = student.scaled_dot_product_attention, reference.scaled_dot_product_attention
    for answer in checks.matches(*asked, *cases):
        for result in checks.has_shape(answer, (2, 3, 6), (2, 3, 5)):
            checks.has_dtype(result, torch.float32)


@scaled_dot_product_attention.check("property", ko="가려진 키는 가중치를 받지 않고 결과에 영향도 없습니다.")
def test_hidden_keys_do_not_matter(student, draw):
    """A hidden key gets no weight, and it and its value may hold anything: the results stay the same."""
    query, key, value = triple(draw, 2)
    mask = visible(draw, 5)
    answer = student.scaled_dot_product_attention(query, key, value, mask=mask)
    before = checks.has_shape(answer, (2, 3, 6), (2, 3, 5))
    checks.close(before[1][..., ~mask], torch.zeros(2, 3, 3))
    key[:, ~mask], value[:, ~mask] = 3 * draw.normal(2, 3, 7), 3 * draw.normal(2, 3, 6)
    after = student.scaled_dot_product_attention(query, key, value, mask=mask)
    checks.close(after, tuple(tensor.double() for tensor in before))


@scaled_dot_product_attention.check(
    "stability", needs=("test_bool_masks",), ko="점수가 아무리 크거나 작아도 가중치가 맞고 가려진 키는 0입니다."
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the weights are right and a hidden key gets none."""
    mask, asked = visible(draw, 6, 5), (student.scaled_dot_product_attention, reference.scaled_dot_product_attention)
    masked = checks.given(*scored(draw, draw.far_scores(6, 5, hidden=~mask)), mask=mask)
    plain = checks.given(*scored(draw, draw.far_scores(6, 5)))
    checks.matches(*asked, masked, plain, kind="extreme", dtype="float32")
