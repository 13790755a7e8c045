"""Hidden checks of `dropout_weights`: the mask decides, whatever it is made of, and p says by how much the kept grow.

p is away from one half, where dropping and keeping look the same.
"""

import torch
from torch import nn

from grader.suite import checks, exercise

dropout_weights = exercise("dropout_weights")

NAME = "dropout_weights"
NUMBERS = (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.uint8)


def kept(draw, *shape):
    """Return a random bool mask; one row keeps nothing, and one keeps all."""
    mask = draw.mask(*shape)
    mask[..., 0, :] = False
    mask[..., 1, :] = True
    return mask


def weights_of_the_note(golden):
    """Return the causal weights that the note prints in In[33], with all their digits."""
    tokens = golden("N0 inputs").float32
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(123)
        queries, keys = (nn.Linear(3, 2, bias=False)(tokens) for _ in range(2))
    scores = queries @ keys.T / 2**0.5
    return torch.softmax(scores.masked_fill(torch.ones(6, 6).triu(1).bool(), float("-inf")), dim=-1)


@dropout_weights.check(
    "property", weight=4, ko="결과의 차원과 원소의 수가 맞고, 가중치나 마스크가 바뀌면 결과도 바뀝니다."
)
def test_the_gate(student, reference, draw):
    """The result has as many dimensions and entries as the weights, and changes with the weights and with the mask."""
    checks.uses_every_input(student, reference, NAME, draw.weights(5, 5), kept(draw, 5, 5), 0.2, draw=draw)


@dropout_weights.check("document", weight=3, ko="노트에 찍힌 마스크를 주면 노트에 찍힌 결과가 나옵니다.")
def test_figures_of_the_note(student, golden):
    """With the mask that the note prints, its causal weights and a matrix of ones give what the note prints."""
    drawn = golden("N0 In[34]")
    checks.matches_figure(student.dropout_weights(torch.ones(6, 6), drawn.float32, 0.5), drawn)
    after = student.dropout_weights(weights_of_the_note(golden), drawn.float32, 0.5)
    checks.matches_figure(after, golden("N0 In[35]"))


@dropout_weights.check("value", weight=9, ko="남긴 가중치는 1 - p로 나누어지고 나머지는 0이 됩니다.")
def test_random_masks(student, reference, draw):
    """With random bool masks the kept weights are divided by 1 - p, and the others are zero."""
    sizes = ((5, 0.2), (5, 0.2), (2, 0.7), (8, 0.1), (3, 0.9))
    cases = [checks.given(draw.weights(tokens, tokens), kept(draw, tokens, tokens), p) for tokens, p in sizes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dropout_weights.check("value", weight=5, ko="앞에 차원이 몇 개 더 있어도 자리마다 똑같이 계산합니다.")
def test_leading_dimensions(student, reference, draw):
    """With one, two, three or four dimensions in front, every entry follows its own place in the mask."""
    shapes = ((2, 4, 4), (4, 4, 4), (2, 3, 5, 5), (2, 3, 2, 4, 4), (2, 1, 3, 2, 4, 4))
    cases = [checks.given(draw.weights(*shape), kept(draw, *shape), 0.3) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dropout_weights.check("value", weight=6, ko="0과 1, 0과 2로 된 마스크도 dtype에 관계없이 같은 뜻입니다.")
def test_masks_of_numbers(student, reference, draw):
    """Masks of 0 and 1, and of 0 and 2, mean the same as bools, whatever their dtype."""
    masks = [(mark * kept(draw, 4, 4)).to(dtype) for dtype in NUMBERS for mark in (1, 2)]
    cases = [checks.given(draw.weights(4, 4), mask, 0.2) for mask in masks]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dropout_weights.check(
    "value", weight=4, needs=("test_masks_of_numbers",), ko="0이 아닌 수는 음수이든 소수이든 모두 남긴다는 뜻입니다."
)
def test_any_number_but_zero(student, reference, draw):
    """Any number but zero means kept, negative ones and fractions too."""
    cases = []
    for numbers in (draw.integers(1, 4, 5, 5) * (2 * draw.integers(0, 2, 5, 5) - 1), 0.1 + 0.8 * draw.uniform(5, 5)):
        masks = numbers * kept(draw, 5, 5), -numbers * kept(draw, 5, 5)
        cases += [checks.given(draw.weights(5, 5), mask, 0.2) for mask in masks]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dropout_weights.check(
    "value",
    weight=2,
    needs=("test_random_masks",),
    ko="p가 0이면 남긴 가중치는 그대로이고, 마스크는 여전히 지켜집니다.",
)
def test_probability_of_zero(student, reference, draw):
    """With p zero the kept weights stay what they are, and the mask still decides."""
    checks.matches_reference(student, reference, NAME, draw.weights(5, 5), kept(draw, 5, 5), 0.0)


@dropout_weights.check(
    "property", weight=5, needs=("test_the_gate",), ko="0이 되는 것은 마스크가 남기지 않는 가중치뿐입니다."
)
def test_the_mask_decides(student, draw):
    """Zero are those weights that the mask does not keep, and no others."""
    mask = kept(draw, 2, 5, 5)
    answer = checks.has_shape(student.dropout_weights(draw.weights(2, 5, 5), mask, 0.2), (2, 5, 5))
    checks.is_true(
        torch.equal(answer == 0, ~mask),
        "Other weights are zero than those that the mask does not keep.",
        "마스크가 남기지 않는 가중치와 다른 것이 0이 되었습니다.",
    )


@dropout_weights.check("shape", weight=3, needs=("test_the_gate",), ko="토큰이 하나여도 모양은 그대로입니다.")
def test_single_token(student, draw):
    """A single token's weight keeps its shape, kept or dropped."""
    for mask in (torch.tensor([[True]]), torch.tensor([[False]])):
        checks.has_shape(student.dropout_weights(draw.weights(1, 1), mask, 0.2), (1, 1))


@dropout_weights.check(
    "value",
    weight=3,
    needs=("test_random_masks",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, NAME, draw.weights(2, 5, 5), kept(draw, 2, 5, 5), 0.2)


@dropout_weights.check(
    "value",
    weight=3,
    needs=("test_random_masks",),
    ko="토큰이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens or items than in small examples are treated rightly."""
    tokens, items = draw.large(), 1000 + draw.large()
    shapes = ((tokens, tokens), (items, 2, 2))
    cases = [checks.given(draw.weights(*shape), kept(draw, *shape), 0.3) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@dropout_weights.check(
    "dtype", weight=5, needs=("test_the_gate",), ko="결과의 dtype은 마스크가 아니라 가중치의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the weights, half precision or float64 too, whatever that of the mask."""
    dtypes, masks = (torch.float32, torch.float64, torch.bfloat16, torch.float16), (torch.bool, *NUMBERS)
    cases = [
        checks.given(draw.weights(5, 5, dtype=dtype), kept(draw, 5, 5).to(mask), 0.2)
        for dtype in dtypes
        for mask in masks
    ]
    checks.keeps_dtypes(student, NAME, cases)


@dropout_weights.check(
    "dtype", weight=2, needs=("test_random_masks",), ko="float64 가중치에서는 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """Weights in float64 give a result as exact as float64, also with a mask of another dtype."""
    arguments = draw.weights(9, 9, dtype=torch.float64), kept(draw, 9, 9).long(), 0.9
    checks.matches_reference(student, reference, NAME, *arguments, kind="exact")


@dropout_weights.check("gradient", weight=8, needs=("test_the_gate",), ko="그래디언트가 가중치까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the weights."""
    checks.gradients_flow(student, reference, NAME, draw.weights(2, 5, 5), kept(draw, 2, 5, 5), 0.2)


@dropout_weights.check("gradient", weight=7, needs=("test_random_masks",), ko="가중치로 올바른 그래디언트가 흐릅니다.")
def test_gradients(student, reference, draw):
    """The right gradients flow to the weights."""
    checks.gradient_matches(student, reference, NAME, draw.weights(2, 5, 5), kept(draw, 2, 5, 5), 0.2)


@dropout_weights.check(
    "property",
    weight=3,
    needs=("test_random_masks",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    first, second = ((draw.weights(5, 5), kept(draw, 5, 5), 0.2) for _ in range(2))
    checks.computed_anew(student, reference, NAME, *second, before=first)


@dropout_weights.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 가중치와 마스크는 그대로입니다."
)
def test_inputs_unchanged(student, draw):
    """The weights and the mask are the same after the call, a mask of bools or of numbers."""
    for mark in (True, 2.0):
        checks.input_unchanged(student, NAME, draw.weights(5, 5), mark * kept(draw, 5, 5), 0.2)


@dropout_weights.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, NAME, draw.weights(2, 5, 5), kept(draw, 2, 5, 5), 0.2)
