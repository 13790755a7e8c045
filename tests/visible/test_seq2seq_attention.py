"""The checks that you can see and run while you work on attention in a sequence-to-sequence model.

The numbers are small enough to follow by hand, or come from parameters that stand here in full. More checks, with other
numbers and sizes, grade your work later; each of them says in a sentence what it asks.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensors
from grader.suite.core.figures import printed
from grader.workers.calls.student import ModuleHandle

attention = exercise("Attention")
seq2seq = exercise("Seq2SeqWithAttention")

# Three encoder outputs of two features: (1, 3, 2).
OUTPUTS = torch.tensor([[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]])

# The parameters of a model with input_dim 2, hidden_dim 2 and output_dim 3.
SHAPES = {
    "encoder.weight_ih_l0": (6, 2),
    "encoder.weight_hh_l0": (6, 2),
    "encoder.bias_ih_l0": (6,),
    "encoder.bias_hh_l0": (6,),
    "decoder.weight_ih_l0": (6, 2),
    "decoder.weight_hh_l0": (6, 2),
    "decoder.bias_ih_l0": (6,),
    "decoder.bias_hh_l0": (6,),
    "attention.attn.weight": (2, 4),
    "attention.attn.bias": (2,),
    "attention.v": (2,),
    "decoder_input_transform.weight": (2, 2),
    "decoder_input_transform.bias": (2,),
    "fc.weight": (3, 4),
    "fc.bias": (3,),
}
ENCODER_INPUT = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
DECODER_INPUT = torch.tensor([[[1.0, -1.0], [0.0, 2.0]]])
ANSWER = printed("""
    -1.4699 0.1014 -0.5372
    -1.7309 0.1768 -0.3139
""")


def built(made):
    """Return what a class gave if it is a module."""
    checks.is_true(
        isinstance(made, ModuleHandle),
        "Calling the class does not give an nn.Module; derive the class from nn.Module.",
        "클래스를 불러도 nn.Module이 나오지 않습니다. nn.Module을 상속하세요.",
    )
    return made


def filled(student):
    """Return a model whose every parameter holds -1, -0.5, 0, 0.5, 1, -1, -0.5, ... in this order."""
    model = built(student.Seq2SeqWithAttention(2, 2, 3))
    count = {name: torch.Size(shape).numel() for name, shape in SHAPES.items()}
    model.load({name: ((torch.arange(count[name]) % 5 - 2) / 2).reshape(shape) for name, shape in SHAPES.items()})
    return model


@attention.check("value", ko="v가 0이면 모든 토큰의 가중치가 같고 문맥 벡터는 평균입니다.")
def test_zero_v_gives_the_mean(student):
    """With v zero, all three tokens get the weight 1/3, and the context is their mean."""
    module = built(student.Attention(2))
    module.load({"attn.weight": torch.ones(2, 4), "attn.bias": torch.ones(2), "v": torch.zeros(2)})
    results = module(torch.tensor([[5.0, -5.0]]), OUTPUTS)
    checks.close(results, (torch.full((1, 2), 1 / 3), torch.full((1, 3), 1 / 3)))


@attention.check("value", ko="attn이 인코더 출력을 그대로 베끼면 점수는 0, tanh(1), 2 tanh(1)입니다.")
def test_attn_that_copies_the_outputs(student):
    """Where attn copies the encoder's output and v is [1, 2], the scores are 0, tanh(1) and 2 tanh(1)."""
    module = built(student.Attention(2))
    copying = torch.tensor([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    module.load({"attn.weight": copying, "attn.bias": torch.zeros(2), "v": torch.tensor([1.0, 2.0])})
    context, weights = as_tensors(module(torch.tensor([[5.0, -5.0]]), OUTPUTS), 2)
    checks.matches_figure(checks.has_shape(weights, (1, 3))[0], printed("0.1294 0.2771 0.5935"))
    checks.matches_figure(checks.has_shape(context, (1, 2))[0], printed("0.2771 0.5935"))


@attention.check(
    "value",
    ko="항목이 둘이면 저마다 자기 은닉 상태와 자기 출력을 씁니다.",
)
def test_two_items(student):
    """Each of two items is asked by its own hidden state, which stands in front of the encoder's output."""
    module = built(student.Attention(2))
    mixing = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]])
    module.load({"attn.weight": mixing, "attn.bias": torch.tensor([0.5, 0.0]), "v": torch.tensor([1.0, 2.0])})
    outputs = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]], [[0.0, 0.0], [1.0, 2.0], [-1.0, 1.0]]])
    context, weights = as_tensors(module(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), outputs), 2)
    checks.matches_figure(weights, printed("0.7265 0.1017 0.1718\n0.7706 0.1216 0.1079"))
    checks.matches_figure(context, printed("1.0701 0.2735\n0.0137 0.3510"))


@attention.check(
    "device",
    needs=("test_zero_v_gives_the_mean",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값이 같습니다.",
)
def test_attention_on_another_device(student):
    """On another device than the CPU, such as a GPU, the result is there, with the same values."""
    checks.module_on_another_device(student, "Attention", (2,), torch.tensor([[5.0, -5.0]]), OUTPUTS, gradients=False)


@seq2seq.check("value", ko="디코더 단계가 하나일 때 정해진 매개변수에서 이 값이 나옵니다.")
def test_first_step(student):
    """With the parameters filled in order, three tokens and one decoder step give these three numbers."""
    output = checks.has_shape(filled(student)(ENCODER_INPUT, DECODER_INPUT[:, :1]), (1, 1, 3))
    checks.matches_figure(output[0, 0], printed("-1.4699 0.1014 -0.5372"))


@seq2seq.check("value", ko="디코더 단계가 둘이면 단계마다 답이 하나씩 나옵니다.")
def test_two_steps(student):
    """Two decoder steps give an answer each; the first is the same as before."""
    output = checks.has_shape(filled(student)(ENCODER_INPUT, DECODER_INPUT), (1, 2, 3))
    checks.matches_figure(output[0], ANSWER)
