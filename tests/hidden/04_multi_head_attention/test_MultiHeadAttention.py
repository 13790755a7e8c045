"""Checks of `MultiHeadAttention`: heads as modules of their own, put side by side and mixed by `fc`.

Random weights are loaded by name into every head, so heads that share their layers or stand in another order show.
Every size is tried with two inputs, so that a result kept from the first call shows, and all of these modules are made
before the first is called, so that what one leaves behind for another shows.
"""

import torch

from grader.suite import checks, exercise

multi_head_attention_module = exercise("MultiHeadAttention")

NAME = "MultiHeadAttention"
# B, T, heads, head_dim; the last head_dim is no size of the first, so that it is not taken for one
SIZES = ((2, 5, 3, 7), (4, 2, 5, 3), (3, 3, 3, 3), (2, 4, 6, 1), (1, 1, 2, 3), (2, 4, 1, 6))


@multi_head_attention_module.check("value", weight=5, ko="가중치를 넣으면 출력이 정의와 같다.")
def test_random_weights(student, reference, draw):
    """With random weights loaded, the output is that of the definition."""
    twins = [checks.twin(student, reference, draw, NAME, heads * head_dim, heads) for _, _, heads, head_dim in SIZES]
    for (B, T, heads, head_dim), (handle, module) in zip(SIZES, twins, strict=True):
        lengths = {"embed_dim": heads * head_dim, "num_heads": heads, "the number of tokens": T}
        queries = ("q.weight", "q.bias")
        scaling = checks.Scaling(head_dim, "the size of a head", parameters=queries, sizes=lengths)
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(B, T, heads * head_dim), scaling=scaling)


@multi_head_attention_module.check("document", weight=1, ko="노트의 크기에서 노트의 모양이 나온다.")
def test_shape_of_the_note(student, reference, golden, draw):
    """The note's sizes give the note's shape, and what the loaded weights make of the tokens."""
    shape = tuple(golden("N4 multi-head output shape").value.int().tolist())
    handle, module = checks.twin(student, reference, draw, NAME, shape[-1], 4)
    checks.has_shape(checks.module_matches(handle, module, draw.normal(*shape)), shape)


@multi_head_attention_module.check(
    "parameters", weight=2, needs=("test_random_weights",), ko="매개변수의 이름과 모양이 정해진 대로다."
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
    "parameters", weight=1, needs=("test_random_weights",), ko="state_dict로 옮기면 결과도 옮겨진다."
)
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's output as soon as it has loaded its state_dict."""
    first, module = checks.twin(student, reference, draw, NAME, 15, 3)
    second = student.MultiHeadAttention(15, 3)
    x = draw.normal(2, 4, 15)
    second(x)
    second.load_state_dict(first.state_dict())
    checks.module_matches(second, module, x)


@multi_head_attention_module.check(
    "value",
    weight=1,
    needs=("test_random_weights",),
    ko="토큰, 특징, 항목이 작은 예보다 훨씬 많아도 된다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    handle, module = checks.twin(student, reference, draw, NAME, 6, 2)
    for shape in ((1, draw.large(), 6), (draw.large(), 4, 6)):
        checks.module_matches(handle, module, draw.normal(*shape))
    for embed_dim, num_heads in ((2 * 13, 13), (draw.large(), 1)):
        handle, module = checks.twin(student, reference, draw, NAME, embed_dim, num_heads)
        checks.module_matches(handle, module, draw.normal(2, 4, embed_dim) / embed_dim**0.5)


@multi_head_attention_module.check(
    "dtype", weight=1, needs=("test_random_weights",), ko="float64로 바꾼 모듈의 결과도 float64다."
)
def test_follows_the_dtype(student, reference, draw):
    """The output has the dtype of the module and its input: float32, and float64 after `.to(torch.float64)`."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3)
    for dtype in (torch.float32, torch.float64):
        handle.to(dtype=dtype)
        checks.has_dtype(checks.module_matches(handle, module, draw.normal(2, 4, 15, dtype=dtype)), dtype)


@multi_head_attention_module.check(
    "gradient", weight=2, needs=("test_random_weights",), ko="x와 모든 매개변수의 기울기가 올바르다."
)
def test_gradients(student, reference, draw):
    """The gradients with respect to the input and to the parameters of every head and of fc are right."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3)
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 15))
    handle.eval()
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 15))


@multi_head_attention_module.check(
    "errors", weight=1, needs=("test_random_weights",), ko="나누어떨어지지 않으면 만들 때 오류가 난다."
)
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    for embed_dim, num_heads in ((10, 4), (7, 2)):
        checks.raises(student, NAME, ("ValueError", "AssertionError"), embed_dim, num_heads)


@multi_head_attention_module.check(
    "property",
    weight=1,
    needs=("test_random_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산한다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 15, 3)
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 15), before=(draw.normal(2, 4, 15),))


@multi_head_attention_module.check("purity", weight=1, needs=("test_random_weights",), ko="입력은 바뀌지 않는다.")
def test_input_unchanged(student, draw):
    """The input holds the same numbers after the call."""
    checks.module_input_unchanged(student.MultiHeadAttention(15, 3), draw.normal(2, 4, 15))


@multi_head_attention_module.check("policy", needs=("test_random_weights",), ko="금지된 호출이 없다.")
def test_written_by_hand(student, reference, draw):
    """The attention is written out, without one of the library calls that are not allowed."""
    B, T, heads, head_dim = draw.choice(SIZES)
    handle, module = checks.twin(student, reference, draw, NAME, heads * head_dim, heads)
    checks.no_forbidden_call_in_module(handle, module, draw.normal(B, T, heads * head_dim))
