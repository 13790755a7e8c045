"""Hidden checks of `SelfAttention`: two results, the output and the weights that made it.

Random numbers are loaded into the parameters by name. The sizes are pairwise different and the root of the divisor is
no whole number; equal sizes and sizes of one follow. All modules are made before the first is called, so that what one
leaves behind for another shows, and every one is called with two inputs.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors

self_attention_module = exercise("SelfAttention")

NAME = "SelfAttention"
SIZES = (
    ((2,), 5, 3, 7),
    ((), 4, 6, 3),
    ((1,), 4, 3, 5),
    ((3,), 3, 3, 3),
    ((), 1, 4, 3),
    ((), 4, 5, 1),
    ((2,), 5, 1, 6),
)


@self_attention_module.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 결과가 입력과 매개변수에 달려 있습니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and depends on x and on the layers; values come later."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 5, 5)
    handle.eval()  # who drops numbers in training, which is not asked for, keeps what is right in evaluation
    checks.module_uses_every_input(
        handle, module, draw.normal(2, 4, 5), draw=draw, parameters=("q.weight", "k.weight", "v.weight")
    )


@self_attention_module.check(
    "shape",
    weight=4,
    needs=("test_the_gate",),
    ko="출력의 모양은 (B, T, attention_dim) 또는 (T, attention_dim), 가중치의 모양은 (B, T, T) 또는 (T, T)입니다.",
)
def test_shapes(student, draw):
    """The output has the shape (B, T, attention_dim) or (T, attention_dim), the weights (B, T, T) or (T, T)."""
    shapes = (4, 5), (2, 4, 5), (1, 1, 5)
    cases = [checks.given(draw.normal(*shape)) for shape in shapes]
    for results, shape in zip(checks.answers(student.SelfAttention(5, 3), cases), shapes, strict=True):
        output, weights = as_tensors(results, 2)
        checks.has_shape(output, (*shape[:-1], 3))
        checks.has_shape(weights, (*shape[:-1], shape[-2]))


@self_attention_module.check(
    "property", weight=3, needs=("test_the_gate",), ko="둘째 결과의 가중치는 음수가 아니고 행마다 합이 1입니다."
)
def test_rows_sum_to_one(student, draw):
    """In the second result no weight is negative, and every row sums to 1."""
    _, weights = as_tensors(student.SelfAttention(5, 3)(draw.normal(2, 4, 5)), 2)
    checks.rows_sum_to_one(weights)


@self_attention_module.check(
    "dtype",
    weight=4,
    needs=("test_the_gate",),
    ko="결과의 dtype은 모듈과 입력의 dtype과 같습니다: float32, .to로 바꾼 float64와 bfloat16.",
)
def test_follows_the_dtype(student, draw):
    """The result has the dtype of the module and its input: float32, or float64 or bfloat16 after `.to`."""
    handle = student.SelfAttention(5, 3)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        x = draw.normal(2, 4, 5, dtype=dtype)
        handle.to(dtype=dtype)
        checks.have_dtypes(as_tensors(handle(x), 2), [dtype] * 2)


@self_attention_module.check(
    "property", weight=4, needs=("test_the_gate",), ko="eval에서도 학습 중과 같은 결과가 나옵니다."
)
def test_the_same_in_evaluation(student, draw):
    """The results are the same in evaluation as in training, one input after the other."""
    handle, inputs = student.SelfAttention(5, 3), [draw.normal(2, 4, 5) for _ in range(2)]
    in_training = [tuple(as_tensors(handle(x), 2)) for x in inputs]
    handle.eval()
    for x, before in zip(inputs, in_training, strict=True):
        checks.close(handle(x), before)


@self_attention_module.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 x와 모든 매개변수로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result gradients flow to the input and to every parameter, in training and in evaluation."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, 5, 3)
    for output in (0, 1):
        checks.module_gradients_flow(handle, module, draw.normal(2, 4, 5), output=output)
    handle.eval()
    for output in (0, 1):
        checks.module_gradients_flow(handle, module, draw.normal(4, 5), output=output)


@self_attention_module.check(
    "parameters", weight=4, needs=("test_the_gate",), ko="매개변수는 편향이 있는 세 선형 층 q, k, v의 것뿐입니다."
)
def test_parameters(student):
    """There are the parameters of the layers q, k and v, each with a bias, and nothing else to learn."""
    found = {name: tuple(value.shape) for name, value in student.SelfAttention(5, 3).parameters().items()}
    wanted = {f"{layer}.weight": (3, 5) for layer in "qkv"} | {f"{layer}.bias": (3,) for layer in "qkv"}
    checks.is_true(
        found == wanted,
        f"The parameters are {found}, but {wanted} are asked for.",
        f"매개변수가 {found}인데 {wanted}이어야 합니다.",
    )


@self_attention_module.check("purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 입력은 그대로입니다.")
def test_input_unchanged(student, draw):
    """The input is the same after the call."""
    checks.module_input_unchanged(student.SelfAttention(5, 3), draw.normal(2, 4, 5))


@self_attention_module.check(
    "document", weight=2, ko="노트의 크기에서 노트의 모양이 나오고, 가중치는 행마다 합이 1입니다."
)
def test_shapes_of_the_note(student, reference, golden, draw):
    """The note's sizes give the note's shapes, and every row of the weights sums to 1."""
    output, weights = (
        tuple(golden(f"N4 attention {name} shape").value.int().tolist()) for name in ("output", "weights")
    )
    handle, module = checks.twin(student, reference, draw, NAME, 20, output[-1])
    results = checks.module_matches(handle, module, draw.normal(*output[:-1], 20) / 3)
    checks.has_shape(results[0], output)
    checks.rows_sum_to_one(checks.has_shape(results[1], weights))


@self_attention_module.check("document", weight=1, ko="노트의 정수 예제를 넣으면 노트에 찍힌 출력과 가중치가 나옵니다.")
def test_whole_numbers_of_the_note(student, reference, golden, draw):
    """With the note's whole numbers loaded by name, the output and the weights that the note prints come out."""
    handle, _ = checks.twin(student, reference, draw, NAME, 4, 3)
    for layer, name in (("q", "query"), ("k", "key"), ("v", "value")):
        handle.load({f"{layer}.weight": golden(f"N2 w_{name}").float32.T, f"{layer}.bias": torch.zeros(3)})
    output, weights = as_tensors(handle(golden("N2 x").float32), 2)
    checks.matches_figure(output, golden("N2 In[15]"))
    checks.matches_figure(weights, golden("N2 In[14]"))


@self_attention_module.check(
    "value", weight=5, ko="이름으로 무작위 값을 넣으면 배치가 있든 없든 출력과 가중치가 정의와 같습니다."
)
def test_random_weights(student, reference, draw):
    """With random numbers loaded by name, the results are as defined, with a batch and without."""
    twins = [checks.twin(student, reference, draw, NAME, d_in, d_out) for _, _, d_in, d_out in SIZES]
    for (leading, tokens, d_in, d_out), (handle, module) in zip(SIZES, twins, strict=True):
        lengths = {"the number of features": d_in, "the number of tokens": tokens}
        scaling = checks.Scaling(d_out, "attention_dim", parameters=("q.weight", "q.bias"), sizes=lengths)
        for _ in range(2):
            checks.module_matches(handle, module, draw.normal(*leading, tokens, d_in), scaling=scaling)


@self_attention_module.check(
    "stability",
    weight=15,
    needs=("test_random_weights",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    checks.module_matches(handle, module, 10 * draw.normal(2, 12, 5), kind="extreme")


@self_attention_module.check(
    "dtype",
    weight=2,
    needs=("test_random_weights",),
    ko="float64로 바꾼 모듈은 float64로 계산합니다.",
)
def test_float64_stays_float64(student, reference, draw):
    """A module that was turned to float64 computes in float64."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 4)  # the root of 4 is exact in float32 too
    handle.to(dtype=torch.float64)
    checks.module_matches(handle, module, draw.normal(3, 6, 5, dtype=torch.float64), kind="exact")


@self_attention_module.check(
    "parameters", weight=2, needs=("test_random_weights",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's results as soon as it has loaded its state_dict."""
    first, module = checks.twin(student, reference, draw, NAME, 5, 3)
    second = student.SelfAttention(5, 3)
    x = draw.normal(2, 4, 5)
    second(x)
    second.load_state_dict(first.state_dict())
    checks.module_matches(second, module, x)


@self_attention_module.check(
    "value",
    weight=1,
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


@self_attention_module.check(
    "gradient", weight=8, needs=("test_random_weights",), ko="x와 모든 매개변수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the input and to every parameter, in training and in evaluation."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    x = draw.normal(2, 4, 5)
    for output in (0, 1):
        checks.module_gradients_match(handle, module, x, output=output)
    handle.eval()
    checks.module_gradients_match(handle, module, draw.normal(4, 5))


@self_attention_module.check(
    "value",
    weight=2,
    needs=("test_random_weights",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    checks.module_any_layout(handle, module, draw.normal(2, 4, 5))


@self_attention_module.check(
    "property",
    weight=2,
    needs=("test_random_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, 5, 3)
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 5), before=(draw.normal(2, 4, 5),))


@self_attention_module.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, (5, 3), draw.normal(2, 4, 5))


@self_attention_module.check(
    "policy",
    needs=("test_random_weights",),
    ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    leading, tokens, d_in, d_out = draw.choice(SIZES)
    handle, module = checks.twin(student, reference, draw, NAME, d_in, d_out)
    also = [checks.given(draw.normal(*each, tokens, d_in)) for each in ((), (2,))]
    checks.no_forbidden_call_in_module(handle, module, draw.normal(*leading, tokens, d_in), also=also)
