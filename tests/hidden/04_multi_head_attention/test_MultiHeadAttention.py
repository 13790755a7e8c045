"""Checks of `MultiHeadAttention`: heads as modules of their own, put side by side and mixed by `fc`.

Random weights are loaded by name into every head, so heads that share their layers or stand in another order show.
Every size is tried with two inputs, so that a result kept from the first call shows, and all of these modules are made
before the first is called, so that what one leaves behind for another shows.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.library.modules.module_checks import load

multi_head_attention_module = exercise("MultiHeadAttention")

NAME = "MultiHeadAttention"
# B, T, heads, head_dim; the last head_dim is no size of the first, so that it is not taken for one
SIZES = ((2, 5, 3, 7), (3, 3, 3, 3), (2, 4, 4, 1), (1, 1, 2, 3), (2, 4, 1, 6))
LEVEL = 2000.0  # beyond every plain exponential


@multi_head_attention_module.check(
    "property", weight=4, ko="출력의 차원과 원소의 수가 맞고, 출력이 x와 층에 달려 있습니다. 값은 아직 묻지 않습니다."
)
def test_the_gate(student, reference, draw):
    """The output has as many dimensions and entries as asked, and depends on x and on the layers; values come later."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 6, 2)
    weights = [f"attentions.0.{name}.weight" for name in "qkv"]
    checks.module_uses_every_input(handle, module, draw.normal(2, 4, 6), draw=draw, parameters=weights)


@multi_head_attention_module.check("value", weight=9, ko="가중치를 넣으면 출력이 정의와 같습니다.")
def test_random_weights(student, reference, draw):
    """With random weights loaded, the output is that of the definition."""
    twins = [checks.twin(student, reference, draw, NAME, heads * head_dim, heads) for _, _, heads, head_dim in SIZES]
    for (B, T, heads, head_dim), (handle, module) in zip(SIZES, twins, strict=True):
        lengths = {"embed_dim": heads * head_dim, "num_heads": heads, "the number of tokens": T}
        queries = ("q.weight", "q.bias")
        scaling = checks.Scaling(head_dim, "the size of a head", parameters=queries, sizes=lengths)
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(B, T, heads * head_dim), scaling=scaling)


@multi_head_attention_module.check("document", weight=2, ko="노트의 크기에서 노트의 모양이 나옵니다.")
def test_shape_of_the_note(student, reference, golden, draw):
    """The note's sizes give the note's shape, and what the loaded weights make of the tokens."""
    shape = tuple(golden("N4 multi-head output shape").value.int().tolist())
    handle, module = checks.twin(student, reference, draw, NAME, shape[-1], 4)
    checks.has_shape(checks.module_matches(handle, module, draw.normal(*shape)), shape)


@multi_head_attention_module.check(
    "stability", weight=15, needs=("test_random_weights",), ko="점수가 아무리 크거나 작아도 출력이 맞습니다."
)
def test_far_scores(student, reference, draw):
    """Where scores lie far from zero, at 2000 or -2000, the output is right."""
    handle, module = checks.twin(student, reference, draw, NAME, 6, 2)
    handle.to(dtype=torch.float64)
    biases = {f"attentions.{head}.q.bias": torch.tensor([1.0, 0.0, 0.0]) for head in range(2)}
    keys = {f"attentions.{head}.k.weight": torch.eye(3, 6) for head in range(2)}
    values = {**biases, **keys, **{f"attentions.{head}.q.weight": torch.zeros(3, 6) for head in range(2)}}
    load(module, values)
    handle.load(values)
    for level in (-LEVEL, LEVEL):
        x = draw.normal(2, 4, 6, dtype=torch.float64)
        x[..., 0] += level * 3**0.5
        checks.module_matches(handle, module, x)


@multi_head_attention_module.check(
    "property", weight=3, needs=("test_the_gate",), ko="토큰의 순서를 바꾸면 출력의 순서만 바뀝니다."
)
def test_order_of_tokens(student, draw):
    """Tokens in another order give the same outputs in that order."""
    handle = student.MultiHeadAttention(6, 2)
    x, order = draw.normal(2, 5, 6), torch.tensor([3, 0, 4, 2, 1])
    before = checks.has_shape(handle(x), (2, 5, 6))
    checks.close(handle(x[:, order]), before[:, order].double(), kind="module")


@multi_head_attention_module.check(
    "property", weight=2, needs=("test_the_gate",), ko="배치의 항목은 서로 영향을 주지 않습니다."
)
def test_items_for_themselves(student, draw):
    """An item gives the same alone and among others."""
    handle, x = student.MultiHeadAttention(6, 2), draw.normal(3, 4, 6)
    alone = torch.cat([checks.has_shape(handle(x[item : item + 1]), (1, 4, 6)) for item in range(3)])
    checks.close(handle(x), alone.double(), kind="module")


@multi_head_attention_module.check(
    "parameters", weight=3, needs=("test_the_gate",), ko="매개변수의 이름과 모양이 정해진 대로입니다."
)
def test_parameters(student):
    """Every head in `attentions` has q, k and v with bias, there is one `fc`, and there is nothing else to learn."""
    found = {name: tuple(value.shape) for name, value in student.MultiHeadAttention(15, 3).parameters().items()}
    wanted = {"fc.weight": (15, 15), "fc.bias": (15,)}
    for head in range(3):
        for layer in "qkv":
            wanted[f"attentions.{head}.{layer}.weight"] = (5, 15)
            wanted[f"attentions.{head}.{layer}.bias"] = (5,)
    checks.is_true(
        found == wanted,
        f"The parameters are {found}, but {wanted} are asked for.",
        f"매개변수가 {found}인데 {wanted}이어야 합니다.",
    )


@multi_head_attention_module.check(
    "parameters", weight=2, needs=("test_random_weights",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's output as soon as it has loaded its state_dict."""
    first, module = checks.twin(student, reference, draw, NAME, 6, 2)
    second = student.MultiHeadAttention(6, 2)
    x = draw.normal(2, 4, 6)
    second(x)
    second.load_state_dict(first.state_dict())
    checks.module_matches(second, module, x)


@multi_head_attention_module.check(
    "value",
    weight=3,
    needs=("test_random_weights",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    handle, module = checks.twin(student, reference, draw, NAME, 6, 2)
    checks.module_any_layout(handle, module, draw.normal(2, 4, 6))


@multi_head_attention_module.check(
    "value",
    weight=3,
    needs=("test_random_weights",),
    ko="토큰, 헤드, 특징, 항목이 작은 예보다 훨씬 많아도 됩니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, heads, features or items than in small examples are treated rightly."""
    handle, module = checks.twin(student, reference, draw, NAME, 11, 11)
    for shape in ((1, 300 + draw.large(), 11), (1000 + draw.large(), 4, 11)):
        checks.module_matches(handle, module, draw.normal(*shape))
    many = 300 + draw.large()
    handle, module = checks.twin(student, reference, draw, NAME, many, 1)
    checks.module_matches(handle, module, draw.normal(2, 4, many) / many**0.5)


@multi_head_attention_module.check(
    "dtype", weight=3, needs=("test_the_gate",), ko="결과의 dtype은 모듈과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, draw):
    """The output has the dtype of the module and its input: float32, and float64 and bfloat16 after `.to(...)`."""
    handle = student.MultiHeadAttention(6, 2)
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        handle.to(dtype=dtype)
        checks.has_dtype(handle(draw.normal(2, 4, 6, dtype=dtype)), dtype)


@multi_head_attention_module.check(
    "dtype", weight=2, needs=("test_random_weights",), ko="float64로 바꾼 모듈은 float64의 정밀도로 계산합니다."
)
def test_float64_is_exact(student, reference, draw):
    """A module that was turned to float64 computes as exactly as float64."""
    handle, module = checks.twin(student, reference, draw, NAME, 8, 2)
    handle.to(dtype=torch.float64)
    checks.module_matches(handle, module, draw.normal(2, 4, 8, dtype=torch.float64), kind="exact")


@multi_head_attention_module.check(
    "gradient", weight=9, needs=("test_the_gate",), ko="기울기가 x와 모든 매개변수까지 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """Gradients reach the input and the parameters of every head and of fc."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 6, 2)
    checks.module_gradients_flow(handle, module, draw.normal(2, 4, 6))


@multi_head_attention_module.check(
    "gradient", weight=7, needs=("test_random_weights",), ko="x와 모든 매개변수의 기울기가 올바릅니다."
)
def test_gradients(student, reference, draw):
    """The gradients with respect to the input and to the parameters of every head and of fc are right."""
    handle, module = checks.twin(student, reference, draw, NAME, 6, 2)
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 6))
    handle.eval()
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 6))


@multi_head_attention_module.check(
    "errors", weight=5, needs=("test_the_gate",), ko="나누어떨어지지 않으면 만들 때 오류가 납니다."
)
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    for embed_dim, num_heads in ((10, 4), (7, 2)):
        checks.raises(student, NAME, ("ValueError", "AssertionError"), embed_dim, num_heads)


@multi_head_attention_module.check(
    "property",
    weight=2,
    needs=("test_random_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 6, 2)
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 6), before=(draw.normal(2, 4, 6),))


@multi_head_attention_module.check("purity", weight=15, needs=("test_the_gate",), ko="입력은 바뀌지 않습니다.")
def test_input_unchanged(student, draw):
    """The input holds the same numbers after the call."""
    checks.module_input_unchanged(student.MultiHeadAttention(6, 2), draw.normal(2, 4, 6))


@multi_head_attention_module.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (6, 2), draw.normal(2, 4, 6))


@multi_head_attention_module.check("policy", needs=("test_random_weights",), ko="금지된 호출이 없습니다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    B, T, heads, head_dim = draw.choice(SIZES)
    handle, module = checks.twin(student, reference, draw, NAME, heads * head_dim, heads)
    checks.no_forbidden_call_in_module(handle, module, draw.normal(B, T, heads * head_dim))
