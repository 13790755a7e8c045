"""Hidden checks of `Seq2SeqWithAttention`: random parameters loaded by name, one decoder step and many.

All sizes are pairwise different first, then equal, then one. Every module is asked twice, so that a hidden state kept
from the call before shows.
"""

import torch

from grader.suite import checks, exercise

from .places import model_placed

seq2seq = exercise("Seq2SeqWithAttention")

NAME = "Seq2SeqWithAttention"
DIMS = (3, 5, 4)  # input_dim, hidden_dim, output_dim
MANY = (3, 13, 17)  # of so many some are positive whatever is drawn, for an answer with a ReLU too many


def inputs(draw, B=2, T=4, T_dec=3, features=3, dtype=torch.float32):
    """Return a random (encoder_input, decoder_input)."""
    return draw.normal(B, T, features, dtype=dtype), draw.normal(B, T_dec, features, dtype=dtype)


def ask(student, reference, draw, dims, *sizes):
    """Ask that a module of these dimensions gives what the solution's gives, for inputs of each size, twice."""
    handle, module = checks.twin(student, reference, draw, NAME, *dims)
    for B, T, T_dec in sizes:
        for _ in range(2):
            given = inputs(draw, B, T, T_dec, dims[0])
            with model_placed(handle, module, *given):
                checks.module_matches(handle, module, *given, scaling=checks.Scaling(1, "", parameters=("n.v",)))


@seq2seq.check("property", weight=4, ko="결과가 두 입력에 달려 있습니다.")
def test_uses_every_input(student, reference, draw):
    """The output depends on both inputs."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, *MANY)
    handle.eval()  # who drops numbers in training, which is not asked for, keeps what is right in evaluation
    checks.module_uses_every_input(handle, module, *inputs(draw, T_dec=1), draw=draw, parameters=())


@seq2seq.check("document", weight=1, ko="노트의 크기에서 노트의 모양이 나오고, 값은 넣은 매개변수가 만드는 값입니다.")
def test_shape_of_the_note(student, reference, golden, draw):
    """The note's sizes give the note's shape, and what the loaded parameters make of the inputs."""
    B, T_dec, output_dim = golden("N1 In[9]").shape
    handle, module = checks.twin(student, reference, draw, NAME, 10, 20, output_dim)
    output = checks.module_matches(handle, module, *inputs(draw, B, 5, T_dec, 10))
    checks.has_shape(output, (B, T_dec, output_dim))


@seq2seq.check("value", weight=10, ko="디코더 단계가 하나일 때 출력이 정의와 같습니다.")
def test_one_decoder_step(student, reference, draw):
    """With a single decoder step, the output is that of the definition, in every call."""
    ask(student, reference, draw, DIMS, (2, 4, 1), (6, 3, 1))


@seq2seq.check("value", weight=10, ko="디코더 단계가 여럿이면 단계마다 같은 문맥 벡터를 씁니다.")
def test_many_decoder_steps(student, reference, draw):
    """With several decoder steps, every step has its own decoder output beside the one context of its item."""
    ask(student, reference, draw, DIMS, (2, 4, 6), (7, 3, 2))
    ask(student, reference, draw, (6, 2, 7), (3, 5, 4))


@seq2seq.check("value", weight=3, ko="크기가 모두 같아도 축마다 제 역할을 합니다.")
def test_equal_sizes(student, reference, draw):
    """Where all sizes are equal, every axis still plays its own part."""
    ask(student, reference, draw, (4, 4, 4), (4, 4, 4))


@seq2seq.check(
    "shape",
    weight=4,
    needs=("test_uses_every_input",),
    ko="항목, 토큰, 특징이 하나뿐이어도 모양은 (B, T_dec, output_dim)입니다.",
)
def test_smallest_sizes(student, reference, draw):
    """A single item, token or feature still gives a tensor (B, T_dec, output_dim)."""
    for dims, sizes in ((DIMS, ((1, 4, 1), (3, 1, 1), (1, 1, 1))), ((1, 1, 1), ((1, 2, 1), (3, 2, 1)))):
        handle = student.Seq2SeqWithAttention(*dims)
        for B, T, T_dec in sizes:
            checks.has_shape(handle(*inputs(draw, B, T, T_dec, dims[0])), (B, T_dec, dims[2]))


@seq2seq.check(
    "value",
    weight=3,
    needs=("test_many_decoder_steps",),
    ko="eval에서도, 다시 학습 모드로 돌아와도 결과가 같습니다.",
)
def test_eval_is_the_same(student, reference, draw):
    """In eval the output is that of the definition too, and in training again afterwards."""
    handle, module = checks.twin(student, reference, draw, NAME, *DIMS)
    for switch in (handle.eval, handle.train):
        switch()
        for T_dec in (1, 3):
            checks.module_matches(handle, module, *inputs(draw, T_dec=T_dec))


@seq2seq.check(
    "value",
    weight=2,
    needs=("test_many_decoder_steps",),
    ko="시퀀스가 길거나 배치가 커도 맞습니다.",
)
def test_large_sizes(student, reference, draw):
    """Far longer sequences and far larger batches than in small examples are treated rightly."""
    handle, module = checks.twin(student, reference, draw, NAME, *DIMS)
    for B, T, T_dec in ((1, 1024 + draw.large(), 1024 + draw.large()), (1024 + draw.large(), 4, 3)):
        checks.module_matches(handle, module, *inputs(draw, B, T, T_dec))


@seq2seq.check("dtype", weight=4, needs=("test_uses_every_input",), ko="결과의 dtype은 모듈과 입력의 dtype과 같습니다.")
def test_follows_the_dtype(student, reference, draw):
    """The output has the dtype of the module and its inputs: float32, or after `.to` float64 or bfloat16."""
    handle = student.Seq2SeqWithAttention(*DIMS)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        handle.to(dtype=dtype)
        checks.has_dtype(handle(*inputs(draw, T_dec=1, dtype=dtype)), dtype)


@seq2seq.check(
    "dtype",
    weight=1,
    needs=("test_one_decoder_step",),
    ko="float64의 정밀도를 잃지 않고, bfloat16에서도 값이 맞습니다.",
)
def test_precision(student, reference, draw):
    """In float64 its precision is kept, and in bfloat16 the numbers are right as far as it goes."""
    handle, module = checks.twin(student, reference, draw, NAME, *DIMS)
    for dtype in (torch.float64, torch.bfloat16):
        handle.to(dtype=dtype)
        checks.module_matches(handle, module, *inputs(draw, T_dec=1, dtype=dtype))


@seq2seq.check(
    "gradient",
    weight=10,
    needs=("test_uses_every_input",),
    ko="두 입력과 모든 매개변수에 그래디언트가 전달됩니다.",
)
def test_gradients_flow(student, reference, draw):
    """A gradient reaches both inputs and the parameters of every part, also in eval."""
    handle, module = checks.partial_twin(student, reference, draw, NAME, *MANY)
    checks.module_gradients_flow(handle, module, *inputs(draw, B=6, T_dec=1))
    handle.eval()
    checks.module_gradients_flow(handle, module, *inputs(draw, B=6, T_dec=1))


@seq2seq.check(
    "gradient",
    weight=5,
    needs=("test_one_decoder_step",),
    ko="두 입력과 모든 매개변수로 올바른 그래디언트가 흐릅니다.",
)
def test_gradients(student, reference, draw):
    """The right gradients flow to both inputs and to the parameters of every part, also in eval."""
    handle, module = checks.twin(student, reference, draw, NAME, *DIMS)
    checks.module_gradients_match(handle, module, *inputs(draw, T_dec=1))
    handle.eval()
    checks.module_gradients_match(handle, module, *inputs(draw, T_dec=1))


@seq2seq.check(
    "gradient",
    weight=2,
    needs=("test_many_decoder_steps",),
    ko="그래디언트가 디코더의 모든 단계를 거슬러 흐릅니다.",
)
def test_gradients_through_the_steps(student, reference, draw):
    """With several decoder steps, the right gradients flow back through all of them."""
    handle, module = checks.twin(student, reference, draw, NAME, *DIMS)
    checks.module_gradients_match(handle, module, *inputs(draw))


@seq2seq.check(
    "parameters",
    weight=4,
    needs=("test_uses_every_input",),
    ko="매개변수의 이름과 모양이 정해진 대로이고 다른 것은 없습니다.",
)
def test_parameters(student, reference):
    """The parts have the names and shapes that are asked for, and there is nothing else to learn."""
    found = {name: tuple(value.shape) for name, value in student.Seq2SeqWithAttention(*DIMS).parameters().items()}
    parts = reference.module.Seq2SeqWithAttention(*DIMS).named_parameters()
    wanted = {name: tuple(value.shape) for name, value in parts}
    surplus, missing = sorted(found.keys() - wanted.keys()), sorted(wanted.keys() - found.keys())
    checks.is_true(
        found == wanted,
        f"The parameters are not those that are asked for. Too many: {surplus}; missing: {missing}.",
        f"매개변수가 정해진 것과 다릅니다. 남는 것: {surplus}, 빠진 것: {missing}.",
    )


@seq2seq.check("parameters", weight=2, needs=("test_uses_every_input",), ko="state_dict로 옮기면 결과도 옮겨집니다.")
def test_state_dict_round_trip(student, reference, draw):
    """A second module, used before, gives the first one's output as soon as it has loaded its state_dict."""
    first, second = (student.Seq2SeqWithAttention(*DIMS) for _ in range(2))
    arguments = inputs(draw, T_dec=1)
    second(*arguments)
    second.load_state_dict(first.state_dict())
    checks.close(second(*arguments), checks.has_shape(first(*arguments), (2, 1, DIMS[2])))


@seq2seq.check(
    "property",
    weight=2,
    needs=("test_one_decoder_step",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
    guard="an answer that needs its input to lie in order in memory",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    handle, module = checks.twin(student, reference, draw, NAME, *DIMS)
    checks.module_any_layout(handle, module, *inputs(draw, T_dec=1))


@seq2seq.check(
    "property",
    weight=2,
    needs=("test_one_decoder_step",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = checks.twin(student, reference, draw, NAME, *DIMS)
    checks.module_computed_anew(handle, module, *inputs(draw, T_dec=1), before=inputs(draw, T_dec=1))


@seq2seq.check("purity", weight=15, needs=("test_uses_every_input",), ko="호출한 뒤에도 두 입력은 그대로입니다.")
def test_inputs_unchanged(student, draw):
    """Both inputs are the same after the call."""
    checks.module_input_unchanged(student.Seq2SeqWithAttention(*DIMS), *inputs(draw, T_dec=1))


@seq2seq.check(
    "device",
    weight=5,
    needs=("test_uses_every_input",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, DIMS, *inputs(draw, T_dec=1))
