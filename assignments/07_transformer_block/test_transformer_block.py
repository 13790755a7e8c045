"""The checks that you can see and run while you work on the transformer block.

The numbers are small enough to work out by hand. More checks, with other numbers and sizes, grade your work later; each
of them says in a sentence what it asks.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.figures import printed
from grader.suite.core.gradients import uneven

positional_encoding = exercise("positional_encoding")
add_positional_encoding = exercise("add_positional_encoding")
feed_forward = exercise("FeedForward")
transformer_block = exercise("TransformerBlock")

ENCODING = printed("""
    0.0000  1.0000  0.0000  1.0000
    0.8415  0.5403  0.0100  1.0000
    0.9093 -0.4161  0.0200  0.9998
""")


TOKENS = torch.tensor([[[10.0, -20.0, 30.0, 5.0], [0.0, 40.0, -10.0, 20.0], [20.0, 0.0, 10.0, -10.0]]])
CAUSAL = printed("""
    17.0130 -15.1945  34.9069  13.4001
    -1.3303  41.0721 -11.0264  23.2833
    25.5877   1.3336  13.2600  -4.2858
""")
WHOLE = printed("""
    17.2171 -15.2912  34.5709  12.8949
    -1.0228  41.3051 -10.8863  23.3053
    25.5877   1.3336  13.2600  -4.2858
""")
LAYERS = {"linear1.weight": (3, 2), "linear1.bias": (3,), "linear2.weight": (2, 3), "linear2.bias": (2,)}


def ones_and_halves(network):
    """Load 1 into every weight of a network with two features and three inside, and 0.5 into every bias."""
    network.load({name: torch.full(shape, 0.5 if len(shape) == 1 else 1.0) for name, shape in LAYERS.items()})
    return network


def uneven_block(student, **options):
    """Return a block with four features and two heads that holds fixed numbers of uneven size."""
    maps = {f"attention.{name}.weight": (4, 4) for name in ("W_q", "W_k", "W_v", "W_o")}
    norms = {f"norm{number}.{part}": (4,) for number in (1, 2) for part in ("weight", "bias")}
    layers = {"linear1.weight": (6, 4), "linear1.bias": (6,), "linear2.weight": (4, 6), "linear2.bias": (4,)}
    shapes = maps | norms | {f"feed_forward.{name}": shape for name, shape in layers.items()}
    block = student.TransformerBlock(4, 2, 6, **options)
    block.load({name: uneven(shape).float() for name, shape in shapes.items()})
    return block


@positional_encoding.check("value", ko="위치 세 개, 특징 네 개의 표입니다.")
def test_three_positions_four_features(student):
    """Three positions and four features: the second pair turns a hundred times slower than the first."""
    checks.matches_figure(student.positional_encoding(3, 4), ENCODING)


@positional_encoding.check(
    "errors", needs=("test_three_positions_four_features",), ko="특징이 세 개이면 ValueError가 납니다."
)
def test_three_features(student):
    """Three features cannot be paired: ValueError."""
    checks.raises(student, "positional_encoding", "ValueError", 4, 3)


@add_positional_encoding.check("value", ko="0인 토큰에 더하면 표가 나옵니다.")
def test_zeros_become_the_table(student):
    """Added to two items of three zero tokens, the table itself comes out twice."""
    answer = checks.has_shape(student.add_positional_encoding(torch.zeros(2, 3, 4)), (2, 3, 4))
    for item in answer:
        checks.matches_figure(item, ENCODING)


@add_positional_encoding.check(
    "dtype", needs=("test_zeros_become_the_table",), ko="bfloat16을 넣으면 bfloat16이 나옵니다."
)
def test_bfloat16_stays(student):
    """A bfloat16 tensor in, a bfloat16 tensor out."""
    checks.has_dtype(student.add_positional_encoding(torch.zeros(1, 3, 4, dtype=torch.bfloat16)), torch.bfloat16)


@add_positional_encoding.check(
    "device",
    needs=("test_zeros_become_the_table",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값이 같습니다.",
)
def test_add_positional_encoding_on_another_device(student):
    """On another device than the CPU, such as a GPU, the result is there, with the same values."""
    checks.on_another_device(student, "add_positional_encoding", torch.zeros(2, 3, 4), gradients=False)


@feed_forward.check("value", ko="행렬이 모두 1, 편향이 모두 0.5이면 손으로 셈할 수 있습니다.")
def test_all_ones(student):
    """With every weight 1 and every bias 0.5, [1, 2] becomes three times 3.5, and plus 0.5 that is 11."""
    module = ones_and_halves(student.FeedForward(2, 3))
    checks.close(module(torch.tensor([[[1.0, 2.0]]])), torch.tensor([[[11.0, 11.0]]]))


@feed_forward.check("value", ko="첫 층의 결과가 음수이면 ReLU가 0으로 만듭니다.")
def test_negative_features_are_cut(student):
    """[-2, 1] gives three features of -0.5, which the ReLU cuts to 0: only the last bias 0.5 is left."""
    module = ones_and_halves(student.FeedForward(2, 3))
    checks.close(module(torch.tensor([[[-2.0, 1.0], [1.0, 0.0]]])), torch.tensor([[[0.5, 0.5], [5.0, 5.0]]]))


@transformer_block.check("value", ko="정해진 수를 이름으로 넣은 작은 블록의 출력이 인쇄된 값과 같습니다.")
def test_small_causal_block(student):
    """A small block with fixed numbers in its parameters gives the printed output; it is causal by default."""
    checks.matches_figure(checks.has_shape(uneven_block(student)(TOKENS), (1, 3, 4))[0], CAUSAL)


@transformer_block.check("value", ko="causal=False이면 모든 토큰이 서로를 봅니다.")
def test_small_block_without_a_mask(student):
    """With causal=False, every token of the same block attends to all others."""
    checks.matches_figure(checks.has_shape(uneven_block(student, causal=False)(TOKENS), (1, 3, 4))[0], WHOLE)


@transformer_block.check("shape", ko="모양이 바뀌지 않습니다.")
def test_shape_stays(student):
    """Two items of five tokens with six features keep their shape, with three heads and with one."""
    for heads in (3, 1):
        block = student.TransformerBlock(6, heads, 10)
        answer = checks.has_shape(block(torch.arange(60.0).reshape(2, 5, 6) % 7), (2, 5, 6))
        checks.stays_finite(answer)


@transformer_block.check(
    "property",
    ko="causal이면 마지막 토큰을 바꾸어도 앞의 출력이 그대로입니다.",
)
def test_last_token_is_invisible(student):
    """Another last token changes no earlier output, but its own."""
    block, x = student.TransformerBlock(4, 2, 6), TOKENS
    other = x.clone()
    other[0, 2] = torch.tensor([-30.0, 10.0, 0.0, 20.0])
    before, after = checks.has_shape(block(x), (1, 3, 4)), checks.has_shape(block(other), (1, 3, 4))
    checks.close(after[:, :2], before[:, :2])


@transformer_block.check("errors", ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다.")
def test_five_features_two_heads(student):
    """Five features cannot be shared by two heads: ValueError or AssertionError when the block is made."""
    checks.raises(student, "TransformerBlock", ("ValueError", "AssertionError"), 5, 2, 8)
