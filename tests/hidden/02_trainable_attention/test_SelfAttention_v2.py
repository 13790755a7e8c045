"""Hidden checks of `SelfAttention_v2`: three linear layers, with a bias where it is asked for.

Random numbers are loaded into the parameters by name. The sizes are pairwise different and the root of the divisor is
no whole number; equal sizes and sizes of one follow. All modules are made before the first is called, so that what one
leaves behind for another shows, and every one is called with two inputs.
"""

import torch

from grader.suite import checks, exercise

self_attention_v2 = exercise("SelfAttention_v2")

NAME = "SelfAttention_v2"
SIZES = (
    ((2,), 5, 3, 7),
    ((), 4, 6, 3),
    ((2, 6), 5, 4, 6),
    ((2, 1, 3), 2, 2, 5),
    ((3,), 3, 3, 3),
    ((), 1, 4, 3),
    ((), 4, 5, 1),
    ((2,), 5, 1, 6),
)


def of_the_note(reference):
    """Return the weights of the layers that the note draws, by name."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(123)
        return {name: value.detach() for name, value in reference.module.SelfAttention_v2(3, 2).named_parameters()}


@self_attention_v2.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 결과가 입력과 매개변수에 달려 있습니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and depends on x and on the layers; values come later."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 5, 5)
    handle.eval()  # who drops numbers in training, which is not asked for, keeps what is right in evaluation
    checks.module_uses_every_input(handle, module, draw.normal(2, 4, 5), draw=draw)


@self_attention_v2.check("shape", weight=3, needs=("test_the_gate",), ko="결과의 모양은 (..., T, d_out)입니다.")
def test_shape(student, draw):
    """The result has the shape (..., T, d_out), also with a single token or feature."""
    for d_in, d_out, shapes in ((5, 3, ((4, 5), (2, 4, 5), (1, 2, 1, 5))), (1, 1, ((4, 1), (1, 1)))):
        cases = [checks.given(draw.normal(*shape)) for shape in shapes]
        for answer, shape in zip(checks.answers(student.SelfAttention_v2(d_in, d_out), cases), shapes, strict=True):
            checks.has_shape(answer, (*shape[:-1], d_out))


@self_attention_v2.check(
    "dtype",
    weight=3,
    needs=("test_the_gate",),
    ko="결과의 dtype은 모듈과 입력의 dtype과 같습니다: float32, .to로 바꾼 float64와 bfloat16.",
)
def test_follows_the_dtype(student, draw):
    """The result has the dtype of the module and its input: float32, or float64 or bfloat16 after `.to`."""
    handle = student.SelfAttention_v2(5, 3)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        x = draw.normal(2, 4, 5, dtype=dtype)
        handle.to(dtype=dtype)
        checks.has_dtype(handle(x), dtype)


@self_attention_v2.check(
    "property", weight=3, needs=("test_the_gate",), ko="eval에서도 학습 중과 같은 결과가 나옵니다."
)
def test_the_same_in_evaluation(student, draw):
    """The output is the same in evaluation as in training, one input after the other."""
    handle, inputs = student.SelfAttention_v2(5, 3), [draw.normal(2, 4, 5) for _ in range(2)]
    in_training = [checks.has_shape(handle(x), (2, 4, 3)) for x in inputs]
    handle.eval()
    for x, before in zip(inputs, in_training, strict=True):
        checks.close(handle(x), before)


@self_attention_v2.check(
    "gradient", weight=6, needs=("test_the_gate",), ko="결과에서 x와 모든 매개변수로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result gradients flow to the input and to every parameter, in training and in evaluation."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 5, 3)
    checks.module_gradients_flow(handle, module, draw.normal(2, 4, 5))
    handle.eval()
    checks.module_gradients_flow(handle, module, draw.normal(4, 5))


@self_attention_v2.check(
    "parameters",
    weight=2,
    needs=("test_the_gate",),
    ko="매개변수는 세 선형 층의 것뿐이고, 편향은 qkv_bias=True일 때만 있습니다.",
)
def test_parameters(student):
    """There are the parameters of three linear layers and nothing else, with biases only where qkv_bias is True."""
    for options in ({}, {"qkv_bias": False}, {"qkv_bias": True}):
        parameters = student.SelfAttention_v2(5, 3, **options).parameters()
        found = {name: tuple(value.shape) for name, value in parameters.items()}
        layers = ("W_query", "W_key", "W_value")
        wanted = {f"{layer}.weight": (3, 5) for layer in layers}
        wanted |= {f"{layer}.bias": (3,) for layer in layers if options.get("qkv_bias")}
        checks.is_true(
            found == wanted,
            f"The parameters are {found}, but {wanted} are asked for.",
            f"매개변수가 {found}인데 {wanted}이어야 합니다.",
        )


@self_attention_v2.check("parameters", weight=3, needs=("test_parameters",), ko="모듈마다 매개변수를 새로 뽑습니다.")
def test_every_module_draws_anew(student):
    """Two modules made one after the other hold different numbers: the class sets no seed."""
    first, second = (student.SelfAttention_v2(5, 3).parameters() for _ in range(2))
    checks.is_true(
        not any(torch.equal(first[name], second[name]) for name in first),
        "Two modules hold the same numbers: a seed is set in the class, or nothing is drawn.",
        "두 모듈의 값이 같습니다. 클래스 안에서 시드를 고정했거나 값을 뽑지 않았습니다.",
        for_students=True,
    )


@self_attention_v2.check(
    "parameters",
    weight=3,
    needs=("test_parameters",),
    ko="qkv_bias=True일 때도 시드를 정하면 세 nn.Linear가 순서대로 뽑는 값이 들어 있습니다.",
)
def test_drawn_as_linear_layers(student, draw):
    """After a seed, a module with biases holds what three layers with biases draw one after the other."""
    seed = draw.seed()
    found = student.SelfAttention_v2.seeded(seed, 5, 3, qkv_bias=True).parameters()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = {name: torch.nn.Linear(5, 3) for name in ("W_query", "W_key", "W_value")}
    for name, layer in layers.items():
        checks.close(found[f"{name}.weight"], layer.weight.detach())
        checks.close(found[f"{name}.bias"], layer.bias.detach())


@self_attention_v2.check("purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 입력은 그대로입니다.")
def test_input_unchanged(student, draw):
    """The input is the same after the call."""
    checks.module_input_unchanged(student.SelfAttention_v2(5, 3), draw.normal(2, 4, 5))


@self_attention_v2.check("document", weight=1, ko="노트가 뽑은 행렬을 이름으로 넣으면 노트에 찍힌 출력이 나옵니다.")
def test_output_of_the_note(student, reference, golden, draw):
    """With the weights that the note draws loaded by name, the output that the note prints comes out."""
    handle, _ = checks.twin(student, reference, draw, NAME, 3, 2)
    handle.load(of_the_note(reference))
    checks.matches_figure(handle(golden("N0 inputs").float32), golden("N0 In[26]"))


@self_attention_v2.check("document", weight=1, ko="그 모듈이 쓰는 어텐션 가중치는 노트에 찍힌 것과 같습니다.")
def test_weights_of_the_note(student, reference, golden, draw):
    """The attention weights that this module uses are those that the note prints."""
    inputs, weights = golden("N0 inputs").float32, of_the_note(reference)
    # Each token carries a mark of its own, which only the values see: two of six marks in every run come through.
    handle, _ = checks.twin(student, reference, draw, NAME, 9, 2)
    columns = []
    for start in (0, 2, 4):
        marks = torch.eye(6)[start : start + 2]
        for name in ("W_query", "W_key"):
            handle.load({f"{name}.weight": torch.cat([weights[f"{name}.weight"], torch.zeros(2, 6)], dim=1)})
        handle.load({"W_value.weight": torch.cat([torch.zeros(2, 3), marks], dim=1)})
        columns.append(checks.has_shape(handle(torch.cat([inputs, torch.eye(6)], dim=1)), (6, 2)))
    checks.matches_figure(torch.cat(columns, dim=1), golden("N0 In[27]"))


@self_attention_v2.check(
    "value", weight=4, ko="이름으로 무작위 값을 넣으면 앞의 차원이 몇 개든 출력이 정의와 같습니다."
)
def test_random_weights(student, reference, draw):
    """With random numbers loaded by name, the output is as defined, with up to three leading dimensions."""
    twins = [checks.twin(student, reference, draw, NAME, d_in, d_out) for _, _, d_in, d_out in SIZES]
    for (leading, tokens, d_in, d_out), (handle, module) in zip(SIZES, twins, strict=True):
        lengths = {"the number of features": d_in, "the number of tokens": tokens}
        scaling = checks.Scaling(d_out, "d_out", parameters=("W_query.weight", "W_query.bias"), sizes=lengths)
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(*leading, tokens, d_in), scaling=scaling)


@self_attention_v2.check("value", weight=3, ko="qkv_bias=True이면 세 층의 편향이 모두 결과에 들어갑니다.")
def test_random_biases(student, reference, draw):
    """With qkv_bias=True, the biases of the layers take part."""
    for leading, tokens, d_in, d_out in (((2,), 5, 3, 7), ((), 4, 6, 3), ((3,), 3, 3, 3)):
        handle, module = checks.twin(student, reference, draw, NAME, d_in, d_out, qkv_bias=True)
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(*leading, tokens, d_in))


@self_attention_v2.check(
    "stability",
    weight=15,
    needs=("test_random_weights",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    checks.module_matches(handle, module, 10 * draw.normal(2, 12, 5), kind="extreme")


@self_attention_v2.check(
    "dtype",
    weight=1,
    needs=("test_random_weights",),
    ko="float64로 바꾼 모듈은 float64로 계산합니다.",
)
def test_float64_stays_float64(student, reference, draw):
    """A module that was turned to float64 computes in float64."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 4)  # the root of 4 is exact in float32 too
    handle.to(dtype=torch.float64)
    checks.module_matches(handle, module, draw.normal(3, 6, 5, dtype=torch.float64), kind="exact")


@self_attention_v2.check(
    "parameters", weight=2, needs=("test_random_weights",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's output as soon as it has loaded its state_dict."""
    first, module = checks.twin(student, reference, draw, NAME, 5, 3)
    second = student.SelfAttention_v2(5, 3)
    x = draw.normal(2, 4, 5)
    second(x)
    second.load_state_dict(first.state_dict())
    checks.module_matches(second, module, x)


@self_attention_v2.check(
    "value",
    weight=2,
    needs=("test_random_weights",),
    ko="토큰이나 특징이나 항목이 작은 예보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens, features or items than in small examples are treated rightly."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    for shape in ((1, 300 + draw.large(), 5), (300 + draw.large(), 2, 5)):
        checks.module_matches(handle, module, draw.normal(*shape))
    many = 1025 + draw.large()
    for d_in, d_out in ((many, 2), (2, many)):
        handle, module = checks.twin(student, reference, draw, NAME, d_in, d_out)
        checks.module_matches(handle, module, draw.normal(2, 3, d_in) / d_in**0.5)


@self_attention_v2.check(
    "gradient",
    weight=9,
    needs=("test_random_weights", "test_random_biases"),
    ko="x와 모든 매개변수로 올바른 그래디언트가 흐릅니다.",
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the input and to every parameter, in training and in evaluation."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3, qkv_bias=True)
    checks.module_gradients_match(handle, module, draw.normal(2, 4, 5))
    handle.eval()
    checks.module_gradients_match(handle, module, draw.normal(4, 5))


@self_attention_v2.check(
    "value",
    weight=2,
    needs=("test_random_weights",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    checks.module_any_layout(handle, module, draw.normal(2, 3, 4, 5))


@self_attention_v2.check(
    "property",
    weight=2,
    needs=("test_random_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 5), before=(draw.normal(2, 4, 5),))


@self_attention_v2.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (5, 3), draw.normal(2, 3, 4, 5))


@self_attention_v2.check(
    "policy",
    needs=("test_random_weights",),
    ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    leading, tokens, d_in, d_out = draw.choice(SIZES)
    handle, module = checks.twin(student, reference, draw, NAME, d_in, d_out)
    also = [checks.given(draw.normal(*each, tokens, d_in)) for each in ((), (2,), (2, 3), (2, 1, 3))]
    checks.no_forbidden_call_in_module(handle, module, draw.normal(*leading, tokens, d_in), also=also)
