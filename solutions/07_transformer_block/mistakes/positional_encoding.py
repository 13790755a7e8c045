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


@mistake(
    hint="All positions have the same row.",
    ko="모든 위치의 행이 같습니다.",
    marks="trivial",
)
def pe_zeros(seq_len, d_model):
    even(d_model)
    return torch.zeros(seq_len, d_model)


@mistake(
    hint="Every row is the first one: the position plays no part.",
    ko="모든 행이 첫 행입니다. 위치를 쓰지 않았습니다.",
    marks="trivial",
)
def pe_first_row_everywhere(seq_len, d_model):
    return table_of(1, d_model, divisors_of(d_model)).repeat(seq_len, 1)


@mistake(
    hint="The exponent is i / d_model; a factor 2 is lost, so the later pairs turn too fast.",
    ko="지수가 i / d_model입니다. 2가 빠져 뒤쪽 쌍이 너무 빨리 돕니다.",
    marks="slip",
)
def pe_factor_two_lost(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(d_model // 2) / d_model))


@mistake(
    hint="The exponent counts columns instead of pairs: sine and cosine of a pair share one angle.",
    ko="지수가 쌍이 아니라 열을 셉니다. 한 쌍의 사인과 코사인은 같은 각도를 씁니다.",
)
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


@mistake(
    hint="All sines stand in front of all cosines; they have to alternate.",
    ko="사인이 모두 앞에, 코사인이 모두 뒤에 있습니다. 번갈아 놓아야 합니다.",
    marks="slip",
)
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


@mistake(
    hint="Only sines: the odd columns hold the cosine.",
    ko="사인뿐입니다. 홀수 열에는 코사인이 들어갑니다.",
)
def pe_only_sines(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return angles.sin().repeat_interleave(2, dim=-1)


@mistake(
    hint="The base is not 10000. Count its zeros.",
    ko="밑이 10000이 아닙니다. 0의 개수를 세어 보세요.",
    marks="slip",
)
def pe_other_base(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model, base=1000.0))


@mistake(
    hint="The position is multiplied by the power of 10000; it has to be divided.",
    ko="위치에 10000의 거듭제곱을 곱했습니다. 나누어야 합니다.",
)
def pe_multiplied(seq_len, d_model):
    return table_of(seq_len, d_model, 1 / divisors_of(d_model))


@mistake(
    hint="All pairs turn equally fast: the exponent is missing, or an integer division made it 0.",
    ko="모든 쌍이 똑같이 빨리 돕니다. 지수가 없거나 정수 나눗셈으로 0이 되었습니다.",
)
def pe_integer_division(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(0, d_model, 2) // d_model))


@mistake(
    hint="The exponents run up to 1, as with d_model - 2 in the denominator; divide by d_model.",
    ko="분모가 d_model - 2라서 지수가 1까지 갑니다. d_model로 나누세요.",
)
def pe_runs_up_to_one(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** torch.linspace(0, 1, d_model // 2))


@mistake(
    hint="The exponent is divided by d_model - 1; d_model is asked for.",
    ko="지수를 d_model - 1로 나누었습니다. d_model로 나누어야 합니다.",
)
def pe_by_one_feature_less(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(0, d_model, 2) / (d_model - 1)))


@mistake(
    hint="The angle is divided by 10000 * 2i / d_model; 2i / d_model is an exponent.",
    ko="각도를 10000 * 2i / d_model로 나누었습니다. 2i / d_model은 지수입니다.",
)
def pe_no_power(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 * torch.arange(0, d_model, 2) / d_model + 1)


@mistake(
    hint="The base is not 10000: it has a zero too many.",
    ko="밑이 10000이 아닙니다. 0이 하나 더 많습니다.",
)
def pe_base_100000(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model, base=100000.0))


@mistake(
    hint="The exponent is twice too large: it is 2i / d_model, and an index that runs in steps of 2 is 2i already.",
    ko="지수가 두 배입니다. 지수는 2i / d_model이고, 2씩 커지는 인덱스는 이미 2i입니다.",
)
def pe_exponent_doubled(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model) ** 2)


@mistake(
    hint="The position is multiplied by the power of 10000 (the sign in `exp` is missing); it has to be divided.",
    ko="위치에 10000의 거듭제곱을 곱했습니다(`exp` 안의 부호가 빠졌습니다). 나누어야 합니다.",
)
def pe_sign_missing(seq_len, d_model):
    even(d_model)
    factors = torch.exp(torch.arange(0, d_model, 2).float() * (math.log(10000.0) / d_model))
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] * factors
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(
    hint="The power of 10000 has a minus in its exponent and divides as well, so it multiplies after all.",
    ko="10000의 지수에 음의 부호가 있는데 나누기까지 해서 결국 곱한 것이 됩니다.",
)
def pe_sign_and_division(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** -(torch.arange(0, d_model, 2) / d_model))


@mistake(
    hint="The angles are taken for degrees; sine and cosine take them as they are, in radians.",
    ko="각도를 도(degree)로 여겼습니다. 사인과 코사인에 그대로(라디안) 넣으세요.",
)
def pe_degrees(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model) * 180 / math.pi)


@mistake(
    hint="`exp` undoes the natural logarithm, `math.log`, and not `math.log10`.",
    ko="`exp`의 역은 자연로그 `math.log`이고 `math.log10`이 아닙니다.",
)
def pe_decimal_logarithm(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model, base=math.exp(math.log10(10000.0))))


@mistake(
    hint="The columns stand in reverse order: the fast pair comes first, sine before cosine.",
    ko="열의 순서가 거꾸로입니다. 빠른 쌍이 먼저, 사인이 코사인보다 먼저입니다.",
)
def pe_columns_reversed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).flip(1)


@mistake(
    hint="The table is scaled by the root of d_model; sines and cosines are taken as they are.",
    ko="표에 d_model의 제곱근을 곱했습니다. 사인과 코사인을 그대로 두세요.",
)
def pe_scaled(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)) * math.sqrt(d_model)


@mistake(
    hint="The positions are counted from 1; the first is 0.",
    ko="위치를 1부터 세었습니다. 첫 위치는 0입니다.",
)
def pe_counts_from_one(seq_len, d_model):
    return table_of(seq_len + 1, d_model, divisors_of(d_model))[1:]


@mistake(
    hint="The table lies on its side: positions are rows, features are columns.",
    ko="표가 옆으로 누웠습니다. 위치가 행, 특징이 열입니다.",
)
def pe_transposed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).T


@mistake(
    hint="There is an axis for the batch in front; (seq_len, d_model) is asked for.",
    ko="앞에 배치 축이 있습니다. (seq_len, d_model)이어야 합니다.",
)
def pe_with_batch_axis(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).unsqueeze(0)


@mistake(
    hint="The numbers are integers: start from positions and exponents in float32.",
    ko="정수로 계산되어 값이 잘렸습니다. 위치와 지수를 float32로 두세요.",
)
def pe_truncated(seq_len, d_model):
    table = torch.zeros(seq_len, d_model, dtype=torch.long)
    table[:] = table_of(seq_len, d_model, divisors_of(d_model))
    return table


@mistake(
    hint="A single position loses its axis to a bare squeeze.",
    ko="위치가 하나이면 축을 정하지 않은 squeeze가 그 축을 없앱니다.",
)
def pe_squeezed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).squeeze()


@mistake(
    hint="The table ends at a length that is written into the code; every length has to work.",
    ko="코드에 적힌 길이에서 표가 끝납니다. 어떤 길이든 되어야 합니다.",
)
def pe_limited_length(seq_len, d_model):
    return table_of(512, d_model, divisors_of(d_model))[:seq_len]


@mistake(
    hint="Half precision cannot hold the angles: compute in float32.",
    ko="반정밀도로는 각도를 담을 수 없습니다. float32로 계산하세요.",
)
def pe_in_half(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.stack([angles.half().sin(), angles.half().cos()], dim=-1).flatten(1).float()


@mistake(
    hint="The table is float64; float32 is asked for.",
    ko="표가 float64입니다. float32여야 합니다.",
)
def pe_float64(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model).double())


@mistake(
    hint="The table is an nn.Parameter (or requires a gradient); it is a constant.",
    ko="표가 nn.Parameter이거나 그래디언트를 요구합니다. 표는 상수입니다.",
)
def pe_trainable(seq_len, d_model):
    return nn.Parameter(table_of(seq_len, d_model, divisors_of(d_model)))


@mistake(
    hint="An odd d_model gives a table or another error; ValueError is asked for.",
    ko="d_model이 홀수일 때 표가 나오거나 다른 오류가 납니다. ValueError여야 합니다.",
    marks="point",
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
    hint="An assert gives AssertionError; ValueError is asked for.",
    ko="assert는 AssertionError를 냅니다. ValueError여야 합니다.",
)
def pe_odd_asserted(seq_len, d_model):
    assert d_model % 2 == 0, "d_model must be even"
    return table_of(seq_len, d_model, divisors_of(d_model))


@mistake(
    hint="One table is kept for all calls and handed out again although another was asked for.",
    ko="표 하나를 간직해 두고 다른 표를 물어도 그것을 돌려줍니다.",
)
def pe_table_kept(seq_len, d_model):
    kept = getattr(table_of, "kept", None)
    if kept is None or kept.shape != (seq_len, d_model):
        table_of.kept = kept = table_of(seq_len, d_model, divisors_of(d_model)) + (0.5 if kept is not None else 0.0)
    return kept


@mistake(
    hint="The table of the first length is kept for each d_model, so a longer one has too few rows.",
    ko="d_model마다 처음 길이의 표를 간직해 두어, 더 긴 표를 물으면 행이 모자랍니다.",
    twins=("earlier_result",),
)
def pe_table_kept_by_features(seq_len, d_model):
    kept = table_of.__dict__.setdefault("by_features", {})
    if d_model not in kept:
        kept[d_model] = table_of(seq_len, d_model, divisors_of(d_model))
    return kept[d_model][:seq_len].clone()


@mistake(
    hint="The table ends at 10000 rows; every length has to work.",
    ko="표가 10000행에서 끝납니다. 어떤 길이든 되어야 합니다.",
    twins=("pe_limited_length",),
)
def pe_ten_thousand_rows(seq_len, d_model):
    return table_of(10000, d_model, divisors_of(d_model))[:seq_len]
