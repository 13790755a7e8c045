"""Wrong answers to `causal_mask_simple`, each with the hint that a student with this answer gets."""

import torch
from torch import nn

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="Rows and columns are swapped: row i belongs to the token that looks, and it looks back, not ahead.",
    ko="행과 열이 바뀌었습니다. i번째 행은 바라보는 토큰이고, 앞이 아니라 지나온 쪽을 봅니다.",
)
def simple_transposed(context_length):
    return torch.ones(context_length, context_length).triu()


@mistake(
    marks="slip",
    hint="The diagonal is 0, so no token may look at itself, and the first one sees nothing at all.",
    ko="대각선이 0이라 어떤 토큰도 자신을 볼 수 없고, 첫 토큰은 아무것도 보지 못합니다.",
)
def simple_without_the_diagonal(context_length):
    return torch.ones(context_length, context_length).tril(-1)


@mistake(
    marks="slip",
    hint="Every token sees one token of the future: the ones go one place too far to the right.",
    ko="모든 토큰이 미래의 토큰 하나를 봅니다. 1이 오른쪽으로 한 칸 더 나갔습니다.",
)
def simple_one_step_ahead(context_length):
    return torch.ones(context_length, context_length).tril(1)


@mistake(
    marks="slip",
    hint="The ones mark what is hidden. Here they mark what a token may look at.",
    ko="1이 가려진 곳을 나타내고 있습니다. 여기서는 볼 수 있는 곳이 1입니다.",
)
def simple_marks_the_future(context_length):
    return torch.ones(context_length, context_length).triu(1)


@mistake(
    marks="trivial",
    hint="Every place is 1, so nothing is hidden: clear one of the triangles.",
    ko="모든 자리가 1이라 아무것도 가려지지 않습니다. 한쪽 삼각형을 지우세요.",
)
def simple_all_visible(context_length):
    return torch.ones(context_length, context_length)


@mistake(
    hint="Only the diagonal is 1, so a token sees itself alone; the tokens before it are visible too.",
    ko="대각선만 1이라 토큰이 자신만 봅니다. 앞의 토큰들도 보여야 합니다.",
)
def simple_diagonal_alone(context_length):
    return torch.eye(context_length)


@mistake(hint="The triangle is mirrored left to right.", ko="삼각형이 좌우로 뒤집혔습니다.")
def simple_mirrored(context_length):
    return torch.ones(context_length, context_length).tril().flip(-1)


@mistake(
    hint="The rows were divided by their sums already; this mask holds ones and zeros only.",
    ko="행을 이미 합으로 나누었습니다. 이 마스크에는 1과 0만 있습니다.",
)
def simple_rows_shared(context_length):
    mask = torch.ones(context_length, context_length).tril()
    return mask / mask.sum(dim=-1, keepdim=True)


@mistake(
    hint="This mask is meant to be added to scores (0 and -inf); here ones and zeros to multiply with are asked for.",
    ko="점수에 더하는 마스크(0과 -inf)입니다. 여기서는 곱하는 데 쓰는 1과 0이 필요합니다.",
)
def simple_to_be_added(context_length):
    return torch.full((context_length, context_length), float("-inf")).triu(1)


@mistake(hint="There is an axis too many; (T, T) is asked for.", ko="축이 더 있습니다. (T, T)여야 합니다.")
def simple_with_a_batch_axis(context_length):
    return torch.ones(1, context_length, context_length).tril()


@mistake(hint="One token needs a (1, 1) tensor: keep axes of size 1.", ko="토큰이 하나면 (1, 1)이어야 합니다.")
def simple_squeezed(context_length):
    return torch.ones(context_length, context_length).tril().squeeze()


@mistake(hint="The size is off by one: make T rows and T columns.", ko="크기가 하나 어긋났습니다. 행도 열도 T개입니다.")
def simple_one_token_too_many(context_length):
    return torch.ones(context_length + 1, context_length + 1).tril()


@mistake(
    marks="point",
    hint="The places are right, but the mask holds bools; numbers of the default dtype are asked for.",
    ko="자리는 맞지만 bool입니다. 기본 dtype의 숫자여야 합니다.",
)
def simple_of_bools(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril()


@mistake(
    hint="The mask is cut out of one of a fixed size, which is too small for longer sequences.",
    ko="정해진 크기의 마스크에서 잘라내어, 더 긴 문장에는 모자랍니다.",
)
def simple_of_256_at_most(context_length):
    return torch.ones(256, 256).tril()[:context_length, :context_length]


@mistake(
    marks="library",
    hint="This is the library's mask, only changed a little; make it yourself.",
    ko="라이브러리의 마스크를 조금 바꾼 것입니다. 직접 만드세요.",
)
def simple_by_library(context_length):
    return torch.exp(nn.Transformer.generate_square_subsequent_mask(context_length))


@mistake(hint="All earlier tokens are visible, not just a window.", ko="앞의 토큰이 모두 보여야 합니다.")
def simple_window_of_three(context_length):
    return torch.ones(context_length, context_length).tril().triu(-2)


@mistake(hint="The number of tokens is fixed: use the argument.", ko="토큰 수가 고정되었습니다. 인자를 쓰세요.")
def simple_for_six_tokens(context_length):
    return torch.ones(6, 6).tril()
