"""Hidden checks of `dropout_weights`: the mask decides, whatever it is made of, and p says by how much the kept grow.

p is away from one half, where dropping and keeping look the same.
"""

import torch
from torch import nn

from grader.suite import checks, exercise

dropout_weights = exercise("dropout_weights")

NUMBERS = (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.uint8)


def kept(draw, *shape, dtype=torch.bool):
    """Return a random bool mask, whatever dtype is asked for; one row keeps nothing, and one keeps all."""
    mask = draw.mask(*shape)
    mask[..., :1, :] = False
    mask[..., 1:2, :] = True
    return mask


def weights(draw, *shape, dtype=torch.float32):
    """Return positive rows that sum to 1."""
    return torch.softmax(draw.normal(*shape, dtype=torch.float64), dim=-1).to(dtype)


def weights_of_the_note(golden):
    """Return the causal weights that the note prints in In[33], with all their digits."""
    tokens = golden("N0 inputs").float32
    torch.default_generator.manual_seed(123)
    with torch.no_grad():
        queries, keys = (nn.Linear(3, 2, bias=False)(tokens) for _ in range(2))
    scores = queries @ keys.T / 2**0.5
    return torch.softmax(scores.masked_fill(torch.ones(6, 6).triu(1).bool(), float("-inf")), dim=-1)


dropout_weights.contract(
    attn_weights="... T T",
    keep_mask="... T T",
    p=0.2,
    result="... T T",
    draws={"attn_weights": weights, "keep_mask": kept},
)


@dropout_weights.check("document", ko="노트에 찍힌 마스크를 주면 노트에 찍힌 결과가 나옵니다.")
def test_figures_of_the_note(student, golden):
    """With the mask that the note prints, its causal weights and a matrix of ones give what the note prints."""
    drawn = golden("N0 In[34]")
    checks.matches_figure(student.dropout_weights(torch.ones(6, 6), drawn.float32, 0.5), drawn)
    after = student.dropout_weights(weights_of_the_note(golden), drawn.float32, 0.5)
    checks.matches_figure(after, golden("N0 In[35]"))


@dropout_weights.check("value", ko="0과 1, 0과 2로 된 마스크도 dtype에 관계없이 같은 뜻입니다.")
def test_masks_of_numbers(student, reference, draw):
    """Masks of 0 and 1, and of 0 and 2, mean the same as bools, whatever their dtype."""
    masks = [(mark * kept(draw, 4, 4)).to(dtype) for dtype in NUMBERS for mark in (1, 2)]
    cases = [checks.given(weights(draw, 4, 4), mask, 0.2) for mask in masks]
    cases.append(checks.given(weights(draw, 4, 4), torch.ones(4, 4), 0.95))
    checks.matches(student.dropout_weights, reference.dropout_weights, *cases)


@dropout_weights.check(
    "value", needs=("test_masks_of_numbers",), ko="0이 아닌 수는 음수이든 소수이든 모두 남긴다는 뜻입니다."
)
def test_any_number_but_zero(student, reference, draw):
    """Any number but zero means kept, negative ones and fractions too."""
    cases = []
    for numbers in (draw.integers(1, 4, 5, 5) * (2 * draw.integers(0, 2, 5, 5) - 1), 0.1 + 0.8 * draw.uniform(5, 5)):
        masks = numbers * kept(draw, 5, 5), -numbers * kept(draw, 5, 5)
        cases += [checks.given(weights(draw, 5, 5), mask, 0.7) for mask in masks]
    checks.matches(student.dropout_weights, reference.dropout_weights, *cases)


@dropout_weights.check(
    "value", needs=("test_value",), ko="p가 0이면 남긴 가중치는 그대로이고, 마스크는 여전히 지켜집니다."
)
def test_probability_of_zero(student, reference, draw):
    """With p zero the kept weights stay what they are, and the mask still decides."""
    checks.matches(student.dropout_weights, reference.dropout_weights, weights(draw, 5, 5), kept(draw, 5, 5), 0.0)


@dropout_weights.check("property", ko="0이 되는 것은 마스크가 남기지 않는 가중치뿐입니다.")
def test_the_mask_decides(student, draw):
    """Zero are those weights that the mask does not keep, and no others."""
    mask = kept(draw, 2, 5, 5)
    answer = checks.has_shape(student.dropout_weights(weights(draw, 2, 5, 5), mask, 0.2), (2, 5, 5))
    checks.is_true(
        torch.equal(answer == 0, ~mask),
        "Other weights are zero than those that the mask does not keep.",
        "마스크가 남기지 않는 가중치와 다른 것이 0이 되었습니다.",
    )


@dropout_weights.check("dtype", ko="결과의 dtype은 마스크가 아니라 가중치의 dtype과 같습니다.")
def test_dtype_of_the_mask(student, draw):
    """The result has the dtype of the weights, half precision or float64 too, whatever that of the mask."""
    others = (torch.float64, torch.bfloat16, torch.float16)
    kinds = [*enumerate((torch.bool, *NUMBERS))]
    dtypes = [(dtype, kind) for number, kind in kinds for dtype in (torch.float32, others[number % 3])]
    cases = [checks.given(weights(draw, 5, 5, dtype=dtype), kept(draw, 5, 5).to(kind), 0.2) for dtype, kind in dtypes]
    for (dtype, _), answer in zip(dtypes, student.dropout_weights.answers(cases), strict=True):
        checks.has_dtype(answer, dtype)


@dropout_weights.check("purity", ko="숫자로 된 마스크를 주어도 받은 것은 그대로입니다.")
def test_a_mask_of_numbers_unchanged(student, draw):
    """The weights and a mask of numbers are the same after the call."""
    for dtype in (torch.float32, torch.int64):
        checks.inputs_unchanged(student.dropout_weights, weights(draw, 5, 5), 2 * kept(draw, 5, 5).to(dtype), 0.2)
