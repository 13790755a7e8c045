"""Wrong answers to `positional_encoding`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn

from grader.course.variants import helper, mistake


@helper
def even(d_model):
    if d_model % 2:
        raise ValueError("d_model must be even")


@helper
def table_of(seq_len, d_model, divisors):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@helper
def divisors_of(d_model, base=10000.0):
    return base ** (torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)


@mistake(hint="All positions have the same row.", ko="모든 위치의 행이 같습니다.", marks="trivial")
def pe_zeros(seq_len, d_model):
    even(d_model)
    return torch.zeros(seq_len, d_model)


@mistake(hint="The exponent lost its factor 2.", ko="지수에서 2가 빠졌습니다.", marks="slip")
def pe_factor_two_lost(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(d_model // 2) / d_model))


@mistake(hint="Sine and cosine of a pair share one angle.", ko="한 쌍의 사인과 코사인은 각도가 같습니다.")
def pe_column_doubled(seq_len, d_model):
    even(d_model)
    columns = torch.arange(d_model, dtype=torch.float32)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / 10000.0 ** (2 * columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


@mistake(
    hint="Every column has an angle of its own here (10000^(column / d_model)); column 2i + 1 has that of column 2i.",
    ko="열마다 각도가 다릅니다(10000^(열 / d_model)). 2i + 1열은 2i열과 같은 각도를 씁니다.",
)
def pe_own_angle_for_cosine(seq_len, d_model):
    even(d_model)
    columns = torch.arange(d_model, dtype=torch.float32)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / 10000.0 ** (columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


@mistake(hint="Sines and cosines have to alternate.", ko="사인과 코사인을 번갈아 놓으세요.", marks="slip")
def pe_halves(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


@mistake(
    hint="Sine and cosine have changed places: position 0 begins with sin(0) = 0.",
    ko="사인과 코사인이 바뀌었습니다. 0번 위치는 sin(0) = 0으로 시작합니다.",
    marks="slip",
)
def pe_sine_and_cosine_swapped(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)


@mistake(hint="Only sines: the odd columns hold the cosine.", ko="사인뿐입니다. 홀수 열에는 코사인이 들어갑니다.")
def pe_only_sines(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return angles.sin().repeat_interleave(2, dim=-1)


@mistake(hint="The base is not 10000. Count its zeros.", ko="밑이 10000이 아닙니다. 0을 세어 보세요.", marks="slip")
def pe_other_base(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model, base=1000.0))


@mistake(hint="Divide the position by the power of 10000.", ko="위치를 10000의 거듭제곱으로 나누세요.")
def pe_multiplied(seq_len, d_model):
    return table_of(seq_len, d_model, 1 / divisors_of(d_model))


@mistake(hint="All pairs turn equally fast: the exponent is 0.", ko="지수가 0이라 모두 똑같이 돕니다.")
def pe_integer_division(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(0, d_model, 2) // d_model))


@mistake(hint="Divide by d_model, not by d_model - 2.", ko="d_model - 2가 아니라 d_model로 나누세요.")
def pe_runs_up_to_one(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** torch.linspace(0, 1, d_model // 2))


@mistake(hint="The positions are counted from 1; the first is 0.", ko="위치를 1부터 세었습니다. 첫 위치는 0입니다.")
def pe_counts_from_one(seq_len, d_model):
    return table_of(seq_len + 1, d_model, divisors_of(d_model))[1:]


@mistake(hint="Positions are rows, features are columns.", ko="위치가 행, 특징이 열입니다.")
def pe_transposed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).T


@mistake(hint="There is an axis too many: (seq_len, d_model).", ko="축이 더 있습니다. (seq_len, d_model)입니다.")
def pe_with_batch_axis(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).unsqueeze(0)


@mistake(hint="A bare `squeeze` also removes axes that you need.", ko="축 없는 `squeeze`는 필요한 축도 없앱니다.")
def pe_squeezed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).squeeze()


@mistake(hint="The table is float64; float32 is asked for.", ko="표가 float64입니다. float32여야 합니다.")
def pe_float64(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model).double())


@mistake(hint="The table is a constant, not a parameter.", ko="표는 매개변수가 아니라 상수입니다.")
def pe_trainable(seq_len, d_model):
    return nn.Parameter(table_of(seq_len, d_model, divisors_of(d_model)))


@mistake(
    hint="An odd d_model gives a table or another error; ValueError is asked for.",
    ko="d_model이 홀수일 때 표가 나오거나 다른 오류가 납니다. ValueError여야 합니다.",
)
def pe_odd_accepted(seq_len, d_model):
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


@mistake(
    hint="An odd d_model ends in an error of torch's own (RuntimeError); raise ValueError before it comes to that.",
    ko="d_model이 홀수이면 torch의 오류(RuntimeError)가 납니다. 그 전에 ValueError를 내세요.",
)
def pe_odd_ends_in_torch(seq_len, d_model):
    table = torch.zeros(seq_len, d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


@mistake(
    hint="The table ends at 10000 rows; any length must work.",
    ko="10000행뿐입니다. 더 길어도 되어야 합니다.",
    marks="point",
)
def pe_ten_thousand_rows(seq_len, d_model):
    return table_of(10000, d_model, divisors_of(d_model))[:seq_len]


@mistake(hint="The exponent is doubled: 2i is the column.", ko="2i가 열 번호이므로 지수가 두 배입니다.")
def pe_exponent_doubled(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model) ** 2
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(hint="The base is not 10000. Count its zeros.", ko="밑이 10000이 아닙니다. 0을 세어 보세요.")
def pe_a_zero_too_many(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len)[:, None] / 100000.0 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(hint="The base is not e; look at the formula.", ko="밑이 e가 아닙니다. 공식을 보세요.")
def pe_base_e(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len)[:, None] / torch.exp(torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(hint="The cosine has the angle of the next pair.", ko="코사인에 다음 쌍의 각도를 썼습니다.")
def pe_cosine_of_the_next_pair(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len)[:, None] / 10000.0 ** (torch.arange(0, d_model + 2, 2) / d_model)
    return torch.stack([angles[:, :-1].sin(), angles[:, 1:].cos()], dim=-1).flatten(1)


@mistake(hint="The angles are multiplied by 2 pi: leave it out.", ko="각도에 2π를 곱하지 마세요.")
def pe_whole_turns(seq_len, d_model):
    even(d_model)
    angles = 2 * torch.pi * torch.arange(seq_len)[:, None] / divisors_of(d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(
    hint="The exponent lost its minus: divide, don't multiply.", ko="지수의 음수 부호가 빠졌습니다. 나누어야 합니다."
)
def pe_minus_lost(seq_len, d_model):
    even(d_model)
    factors = torch.exp(torch.arange(0, d_model, 2).float() * (math.log(10000.0) / d_model))
    angles = torch.arange(seq_len, dtype=torch.float32).unsqueeze(1) * factors
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(hint="A power of e needs the logarithm of 10000.", ko="e의 거듭제곱에는 10000의 로그가 필요합니다.")
def pe_without_logarithm(seq_len, d_model):
    return table_of(seq_len, d_model, torch.exp(torch.arange(0, d_model, 2) * (10000.0 / d_model)))


@mistake(hint="The power of e needs the natural logarithm.", ko="상용로그가 아니라 자연로그입니다.")
def pe_common_logarithm(seq_len, d_model):
    return table_of(seq_len, d_model, torch.exp(torch.arange(0, d_model, 2) * (4.0 / d_model)))


@mistake(hint="There are only cosines; the sines are missing.", ko="코사인뿐입니다. 짝수 열에는 사인이 들어갑니다.")
def pe_only_cosines(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model))[:, 1::2].repeat_interleave(2, dim=1)


@mistake(hint="Positions are whole numbers; do not divide them by the length.", ko="위치를 길이로 나누지 마세요.")
def pe_position_by_length(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model) * seq_len)


@mistake(hint="Each pair's own i begins at 0, not at 1.", ko="쌍의 번호 i는 1이 아니라 0에서 시작합니다.")
def pe_pairs_from_one(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(2, d_model + 2, 2) / d_model))


@mistake(
    hint="The first table of that many features is kept, and is too short for more positions.",
    ko="그만큼의 특징에서 처음 만든 표를 남겨 두어, 위치가 더 많으면 표가 모자랍니다.",
)
def pe_first_table_kept(seq_len, d_model, kept={}):  # noqa: B006
    if kept.get("features") != d_model:
        table = table_of(max(seq_len, 16), d_model, divisors_of(d_model))
        kept.update(features=d_model, table=table)
    return kept["table"][:seq_len]
