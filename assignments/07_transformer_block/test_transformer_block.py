"""The checks that you can see and run while you work on the transformer block.

The numbers are small enough to work out by hand. More checks, with other numbers and sizes, grade your work later; each
of them says in a sentence what it asks.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.figures import printed
from grader.suite.core.gradients import uneven
from grader.suite.library.modules.free_names import filled, shapes_of, tokens_weigh_each_other
from grader.workers.calls.student import ModuleHandle

positional_encoding = exercise("positional_encoding")
add_positional_encoding = exercise("add_positional_encoding")
feed_forward = exercise("FeedForward")
transformer_block = exercise("TransformerBlock")

ENCODING = printed("""
    0.0000  1.0000  0.0000  1.0000
    0.8415  0.5403  0.0100  1.0000
    0.9093 -0.4161  0.0200  0.9998
""")


def built(made):
    """Return what a class gave if it is a module."""
    checks.is_true(
        isinstance(made, ModuleHandle),
        "Calling the class does not give an nn.Module; derive the class from nn.Module.",
        "클래스를 불러도 nn.Module이 나오지 않습니다. nn.Module을 상속하세요.",
    )
    return made


def constant(module, matrix, vector):
    """Load one number into every entry of the matrices and another into every entry of the vectors."""
    module.load(filled(shapes_of(module), lambda shape: torch.full(shape, matrix if len(shape) > 1 else vector)))


@positional_encoding.check("value", weight=10, ko="위치 세 개, 특징 네 개의 표입니다.")
def test_three_positions_four_features(student):
    """Three positions and four features: the second pair turns a hundred times slower than the first."""
    checks.matches_figure(student.positional_encoding(3, 4), ENCODING)


@positional_encoding.check(
    "errors", weight=3, needs=("test_three_positions_four_features",), ko="특징이 세 개이면 ValueError가 납니다."
)
def test_three_features(student):
    """Three features cannot be paired: ValueError."""
    checks.raises(student, "positional_encoding", "ValueError", 4, 3)


@add_positional_encoding.check("value", weight=8, ko="0인 토큰에 더하면 표가 나옵니다.")
def test_zeros_become_the_table(student):
    """Added to two items of three zero tokens, the table itself comes out twice."""
    answer = checks.has_shape(student.add_positional_encoding(torch.zeros(2, 3, 4)), (2, 3, 4))
    for item in answer:
        checks.matches_figure(item, ENCODING)


@add_positional_encoding.check(
    "dtype", weight=4, needs=("test_zeros_become_the_table",), ko="bfloat16을 넣으면 bfloat16이 나옵니다."
)
def test_bfloat16_stays(student):
    """A bfloat16 tensor in, a bfloat16 tensor out."""
    checks.has_dtype(student.add_positional_encoding(torch.zeros(1, 3, 4, dtype=torch.bfloat16)), torch.bfloat16)


@add_positional_encoding.check(
    "device",
    weight=5,
    needs=("test_zeros_become_the_table",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값이 같습니다.",
)
def test_add_positional_encoding_on_another_device(student):
    """On another device than the CPU, such as a GPU, the result is there, with the same values."""
    checks.on_another_device(student, "add_positional_encoding", torch.zeros(2, 3, 4), gradients=False)


@feed_forward.check("value", weight=4, ko="행렬이 모두 1, 편향이 모두 0.5이면 손으로 셈할 수 있습니다.")
def test_all_ones(student):
    """With every weight 1 and every bias 0.5, [1, 2] becomes three times 3.5, and plus 0.5 that is 11."""
    module = built(student.FeedForward(2, 3))
    constant(module, 1.0, 0.5)
    checks.close(module(torch.tensor([[[1.0, 2.0]]])), torch.tensor([[[11.0, 11.0]]]))


@feed_forward.check("value", weight=4, ko="첫 층의 결과가 음수이면 ReLU가 0으로 만듭니다.")
def test_negative_features_are_cut(student):
    """[-2, 1] gives three features of -0.5, which the ReLU cuts to 0: only the last bias 0.5 is left."""
    module = built(student.FeedForward(2, 3))
    constant(module, 1.0, 0.5)
    checks.close(module(torch.tensor([[[-2.0, 1.0], [1.0, 0.0]]])), torch.tensor([[[0.5, 0.5], [5.0, 5.0]]]))


@transformer_block.check("property", weight=1, ko="토큰들이 서로를 보고, 얼마나 볼지는 토큰들이 스스로 정합니다.")
def test_four_tokens_weigh_each_other(student):
    """Tokens see each other, and how much one takes of another is decided by the two."""
    block = built(student.TransformerBlock(4, 2, 6))
    block.load({name: uneven(p.shape).float() for name, p in block.parameters().items()})
    tokens = uneven((2, 1, 4, 4)).float() * 3
    tokens_weigh_each_other(block, tokens[0], tokens[1], 6)


@transformer_block.check(
    "value",
    weight=1,
    needs=("test_four_tokens_weigh_each_other",),
    ko="행렬이 모두 0이고 벡터가 모두 1이면 x에 편향만 더해집니다.",
)
def test_only_biases_are_added(student):
    """With every matrix 0 and every vector 1, the result is x + 1, or x + 2 if the attention ends in a bias."""
    block = built(student.TransformerBlock(4, 2, 6))
    constant(block, 0.0, 1.0)
    x = torch.tensor([[[1.0, -2.0, 3.0, 0.5], [0.0, 4.0, -1.0, 2.0]]])
    answer = checks.has_shape(block(x), (1, 2, 4))
    checks.close(answer, x + (2.0 if float((answer - x).mean()) > 1.5 else 1.0))


@transformer_block.check("shape", weight=1, needs=("test_four_tokens_weigh_each_other",), ko="모양이 바뀌지 않습니다.")
def test_shape_stays(student):
    """Two items of five tokens with six features keep their shape, with three heads and with one."""
    for heads in (3, 1):
        block = built(student.TransformerBlock(6, heads, 10))
        answer = checks.has_shape(block(torch.arange(60.0).reshape(2, 5, 6) % 7), (2, 5, 6))
        checks.stays_finite(answer)


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_four_tokens_weigh_each_other",),
    ko="causal이면 마지막 토큰을 바꾸어도 앞의 출력이 그대로입니다.",
)
def test_last_token_is_invisible(student):
    """Another last token changes no earlier output, but its own."""
    block = built(student.TransformerBlock(4, 2, 6))
    x = torch.tensor([[[1.0, -2.0, 3.0, 0.5], [0.0, 4.0, -1.0, 2.0], [2.0, 0.0, 1.0, -1.0]]])
    other = x.clone()
    other[0, 2] = torch.tensor([-3.0, 1.0, 0.0, 2.0])
    before, after = checks.has_shape(block(x), (1, 3, 4)), checks.has_shape(block(other), (1, 3, 4))
    checks.close(after[:, :2], before[:, :2])


@transformer_block.check(
    "errors", weight=1, needs=("test_four_tokens_weigh_each_other",), ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다."
)
def test_five_features_two_heads(student):
    """Five features cannot be shared by two heads: ValueError or AssertionError when the block is made."""
    checks.raises(student, "TransformerBlock", ("ValueError", "AssertionError"), 5, 2, 8)
