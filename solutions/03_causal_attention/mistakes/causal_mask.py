"""Wrong answers to `causal_mask`, each with the hint that a student with this answer gets."""

import torch
from torch import nn

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="True marks what is visible. Here it has to mark what is hidden.",
    ko="True가 보이는 곳을 나타내고 있습니다. 여기서는 가려야 할 곳이 True입니다.",
)
def mask_marks_the_visible(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril()


@mistake(
    marks="slip",
    hint="The diagonal is True, so no token may look at itself, and nothing is left for the first one.",
    ko="대각선이 True라 어떤 토큰도 자신을 볼 수 없고, 첫 토큰에게는 아무것도 남지 않습니다.",
)
def mask_hides_the_diagonal(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu()


@mistake(
    marks="slip",
    hint="Every token sees one token of the future: True begins one place too late.",
    ko="모든 토큰이 미래의 토큰 하나를 봅니다. True가 한 칸 늦게 시작합니다.",
)
def mask_one_step_leak(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(2)


@mistake(
    marks="slip",
    hint="The past is hidden and the future is not: rows and columns are swapped.",
    ko="과거를 가리고 미래를 보입니다. 행과 열이 바뀌었습니다.",
)
def mask_hides_the_past(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril(-1)


@mistake(hint="The triangle is mirrored left to right.", ko="삼각형이 좌우로 뒤집혔습니다.")
def mask_mirrored(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(1).flip(-1)


@mistake(marks="trivial", hint="Nothing is hidden: True is nowhere.", ko="가려진 곳이 없습니다. True가 없습니다.")
def mask_hides_nothing(context_length):
    return torch.zeros(context_length, context_length, dtype=torch.bool)


@mistake(hint="There is an axis too many; (T, T) is asked for.", ko="축이 더 있습니다. (T, T)여야 합니다.")
def mask_with_a_batch_axis(context_length):
    return torch.ones(1, context_length, context_length, dtype=torch.bool).triu(1)


@mistake(hint="One token needs a (1, 1) tensor: keep axes of size 1.", ko="토큰이 하나면 (1, 1)이어야 합니다.")
def mask_squeezed(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(1).squeeze()


@mistake(hint="The size is off by one: make T rows and T columns.", ko="크기가 하나 어긋났습니다. 행도 열도 T개입니다.")
def mask_one_token_too_few(context_length):
    return torch.ones(context_length - 1, context_length - 1, dtype=torch.bool).triu(1)


@mistake(
    marks="point",
    hint="The places are right, but they hold the numbers 0 and 1; `masked_fill` asks for bools.",
    ko="자리는 맞지만 0과 1이라는 숫자입니다. `masked_fill`은 bool을 받습니다.",
)
def mask_of_numbers(context_length):
    return torch.ones(context_length, context_length).triu(1)


@mistake(
    hint="This mask is meant to be added to scores (0 and -inf); here True and False are asked for.",
    ko="점수에 더하는 마스크(0과 -inf)입니다. 여기서는 True와 False가 필요합니다.",
)
def mask_to_be_added(context_length):
    return torch.full((context_length, context_length), float("-inf")).triu(1)


@mistake(
    hint="The mask is cut out of one of a fixed size, which is too small for longer sequences.",
    ko="정해진 크기의 마스크에서 잘라내어, 더 긴 문장에는 모자랍니다.",
)
def mask_of_256_at_most(context_length):
    return torch.ones(256, 256).triu(1).bool()[:context_length, :context_length]


@mistake(
    marks="library",
    hint="This is the library's mask, only turned into bools; make it yourself.",
    ko="라이브러리의 마스크를 bool로 바꾼 것입니다. 직접 만드세요.",
)
def mask_by_library(context_length):
    return nn.Transformer.generate_square_subsequent_mask(context_length) < 0


@mistake(hint="Only three tokens are visible, not all earlier ones.", ko="앞의 토큰 모두가 아니라 셋만 보입니다.")
def mask_window_of_three(context_length):
    visible = torch.ones(context_length, context_length).tril().triu(-2)
    return visible == 0


@mistake(hint="Hide later tokens only; earlier ones are visible.", ko="뒤의 토큰만 가리세요. 앞의 토큰은 보입니다.")
def mask_of_all_others(context_length):
    return ~torch.eye(context_length, dtype=torch.bool)
