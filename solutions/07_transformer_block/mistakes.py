"""Wrong variants by name, each with the hint that a student gets, and right ones in other styles.

The wrong ones prove that the suite sees them and name a student's mistake; the right ones prove that the suite asks for
the result and not for a way of writing it.
"""

import math
from functools import lru_cache

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, right, solution

# --- positional_encoding ----------------------------------------------------------------------------------------------


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
    "positional_encoding",
    hint="All positions have the same row.",
    ko="모든 위치의 행이 같습니다.",
    marks="trivial",
)
def pe_zeros(seq_len, d_model):
    even(d_model)
    return torch.zeros(seq_len, d_model)


@mistake(
    "positional_encoding",
    hint="Every row is the first one: the position plays no part.",
    ko="모든 행이 첫 행입니다. 위치를 쓰지 않았습니다.",
    marks="trivial",
)
def pe_first_row_everywhere(seq_len, d_model):
    return table_of(1, d_model, divisors_of(d_model)).repeat(seq_len, 1)


@mistake(
    "positional_encoding",
    hint="The exponent is i / d_model; a factor 2 is lost, so the later pairs turn too fast.",
    ko="지수가 i / d_model입니다. 2가 빠져 뒤쪽 쌍이 너무 빨리 돕니다.",
    marks="slip",
)
def pe_factor_two_lost(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(d_model // 2) / d_model))


@mistake(
    "positional_encoding",
    hint="The exponent counts columns instead of pairs: sine and cosine of a pair share one angle.",
    ko="지수가 쌍이 아니라 열을 셉니다. 한 쌍의 사인과 코사인은 같은 각도를 씁니다.",
)
def pe_column_doubled(seq_len, d_model):
    even(d_model)
    columns = torch.arange(d_model, dtype=torch.float32)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / 10000.0 ** (2 * columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


@mistake(
    "positional_encoding",
    hint="Every column has an angle of its own here (10000^(column / d_model)); column 2i + 1 has that of column 2i.",
    ko="열마다 각도가 다릅니다(10000^(열 / d_model)). 2i + 1열은 2i열과 같은 각도를 씁니다.",
)
def pe_own_angle_for_cosine(seq_len, d_model):
    even(d_model)
    columns = torch.arange(d_model, dtype=torch.float32)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / 10000.0 ** (columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


@mistake(
    "positional_encoding",
    hint="All sines stand in front of all cosines; they have to alternate.",
    ko="사인이 모두 앞에, 코사인이 모두 뒤에 있습니다. 번갈아 놓아야 합니다.",
    marks="slip",
)
def pe_halves(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


@mistake(
    "positional_encoding",
    hint="Sine and cosine have changed places: position 0 begins with sin(0) = 0.",
    ko="사인과 코사인이 바뀌었습니다. 0번 위치는 sin(0) = 0으로 시작합니다.",
    marks="slip",
)
def pe_sine_and_cosine_swapped(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)


@mistake(
    "positional_encoding",
    hint="Only sines: the odd columns hold the cosine.",
    ko="사인뿐입니다. 홀수 열에는 코사인이 들어갑니다.",
)
def pe_only_sines(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return angles.sin().repeat_interleave(2, dim=-1)


@mistake(
    "positional_encoding",
    hint="The base is not 10000. Count its zeros.",
    ko="밑이 10000이 아닙니다. 0의 개수를 세어 보세요.",
    marks="slip",
)
def pe_other_base(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model, base=1000.0))


@mistake(
    "positional_encoding",
    hint="The position is multiplied by the power of 10000; it has to be divided.",
    ko="위치에 10000의 거듭제곱을 곱했습니다. 나누어야 합니다.",
)
def pe_multiplied(seq_len, d_model):
    return table_of(seq_len, d_model, 1 / divisors_of(d_model))


@mistake(
    "positional_encoding",
    hint="All pairs turn equally fast: the exponent is missing, or an integer division made it 0.",
    ko="모든 쌍이 똑같이 빨리 돕니다. 지수가 없거나 정수 나눗셈으로 0이 되었습니다.",
)
def pe_integer_division(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(0, d_model, 2) // d_model))


@mistake(
    "positional_encoding",
    hint="The exponents run up to 1, as with d_model - 2 in the denominator; divide by d_model.",
    ko="분모가 d_model - 2라서 지수가 1까지 갑니다. d_model로 나누세요.",
)
def pe_runs_up_to_one(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** torch.linspace(0, 1, d_model // 2))


@mistake(
    "positional_encoding",
    hint="The exponent is divided by d_model - 1; d_model is asked for.",
    ko="지수를 d_model - 1로 나누었습니다. d_model로 나누어야 합니다.",
)
def pe_by_one_feature_less(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** (torch.arange(0, d_model, 2) / (d_model - 1)))


@mistake(
    "positional_encoding",
    hint="The angle is divided by 10000 * 2i / d_model; 2i / d_model is an exponent.",
    ko="각도를 10000 * 2i / d_model로 나누었습니다. 2i / d_model은 지수입니다.",
)
def pe_no_power(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 * torch.arange(0, d_model, 2) / d_model + 1)


@mistake(
    "positional_encoding",
    hint="The base is not 10000: it has a zero too many.",
    ko="밑이 10000이 아닙니다. 0이 하나 더 많습니다.",
)
def pe_base_100000(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model, base=100000.0))


@mistake(
    "positional_encoding",
    hint="The exponent is twice too large: it is 2i / d_model, and an index that runs in steps of 2 is 2i already.",
    ko="지수가 두 배입니다. 지수는 2i / d_model이고, 2씩 커지는 인덱스는 이미 2i입니다.",
)
def pe_exponent_doubled(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model) ** 2)


@mistake(
    "positional_encoding",
    hint="The position is multiplied by the power of 10000 (the sign in `exp` is missing); it has to be divided.",
    ko="위치에 10000의 거듭제곱을 곱했습니다(`exp` 안의 부호가 빠졌습니다). 나누어야 합니다.",
)
def pe_sign_missing(seq_len, d_model):
    even(d_model)
    factors = torch.exp(torch.arange(0, d_model, 2).float() * (math.log(10000.0) / d_model))
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] * factors
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(
    "positional_encoding",
    hint="The power of 10000 has a minus in its exponent and divides as well, so it multiplies after all.",
    ko="10000의 지수에 음의 부호가 있는데 나누기까지 해서 결국 곱한 것이 됩니다.",
)
def pe_sign_and_division(seq_len, d_model):
    return table_of(seq_len, d_model, 10000.0 ** -(torch.arange(0, d_model, 2) / d_model))


@mistake(
    "positional_encoding",
    hint="The angles are taken for degrees; sine and cosine take them as they are, in radians.",
    ko="각도를 도(degree)로 여겼습니다. 사인과 코사인에 그대로(라디안) 넣으세요.",
)
def pe_degrees(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model) * 180 / math.pi)


@mistake(
    "positional_encoding",
    hint="`exp` undoes the natural logarithm, `math.log`, and not `math.log10`.",
    ko="`exp`의 역은 자연로그 `math.log`이고 `math.log10`이 아닙니다.",
)
def pe_decimal_logarithm(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model, base=math.exp(math.log10(10000.0))))


@mistake(
    "positional_encoding",
    hint="The columns stand in reverse order: the fast pair comes first, sine before cosine.",
    ko="열의 순서가 거꾸로입니다. 빠른 쌍이 먼저, 사인이 코사인보다 먼저입니다.",
)
def pe_columns_reversed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).flip(1)


@mistake(
    "positional_encoding",
    hint="The table is scaled by the root of d_model; sines and cosines are taken as they are.",
    ko="표에 d_model의 제곱근을 곱했습니다. 사인과 코사인을 그대로 두세요.",
)
def pe_scaled(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)) * math.sqrt(d_model)


@mistake(
    "positional_encoding",
    hint="The positions are counted from 1; the first is 0.",
    ko="위치를 1부터 세었습니다. 첫 위치는 0입니다.",
)
def pe_counts_from_one(seq_len, d_model):
    return table_of(seq_len + 1, d_model, divisors_of(d_model))[1:]


@mistake(
    "positional_encoding",
    hint="The table lies on its side: positions are rows, features are columns.",
    ko="표가 옆으로 누웠습니다. 위치가 행, 특징이 열입니다.",
)
def pe_transposed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).T


@mistake(
    "positional_encoding",
    hint="There is an axis for the batch in front; (seq_len, d_model) is asked for.",
    ko="앞에 배치 축이 있습니다. (seq_len, d_model)이어야 합니다.",
)
def pe_with_batch_axis(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).unsqueeze(0)


@mistake(
    "positional_encoding",
    hint="The numbers are integers: start from positions and exponents in float32.",
    ko="정수로 계산되어 값이 잘렸습니다. 위치와 지수를 float32로 두세요.",
)
def pe_truncated(seq_len, d_model):
    table = torch.zeros(seq_len, d_model, dtype=torch.long)
    table[:] = table_of(seq_len, d_model, divisors_of(d_model))
    return table


@mistake(
    "positional_encoding",
    hint="A single position loses its axis to a bare squeeze.",
    ko="위치가 하나이면 축을 정하지 않은 squeeze가 그 축을 없앱니다.",
)
def pe_squeezed(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model)).squeeze()


@mistake(
    "positional_encoding",
    hint="The table ends at a length that is written into the code; every length has to work.",
    ko="코드에 적힌 길이에서 표가 끝납니다. 어떤 길이든 되어야 합니다.",
)
def pe_limited_length(seq_len, d_model):
    return table_of(512, d_model, divisors_of(d_model))[:seq_len]


@mistake(
    "positional_encoding",
    hint="Half precision cannot hold the angles: compute in float32.",
    ko="반정밀도로는 각도를 담을 수 없습니다. float32로 계산하세요.",
)
def pe_in_half(seq_len, d_model):
    even(d_model)
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.stack([angles.half().sin(), angles.half().cos()], dim=-1).flatten(1).float()


@mistake(
    "positional_encoding",
    hint="The table is float64; float32 is asked for.",
    ko="표가 float64입니다. float32여야 합니다.",
)
def pe_float64(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model).double())


@mistake(
    "positional_encoding",
    hint="The table is an nn.Parameter (or requires a gradient); it is a constant.",
    ko="표가 nn.Parameter이거나 그래디언트를 요구합니다. 표는 상수입니다.",
)
def pe_trainable(seq_len, d_model):
    return nn.Parameter(table_of(seq_len, d_model, divisors_of(d_model)))


@mistake(
    "positional_encoding",
    hint="An odd d_model gives a table or another error; ValueError is asked for.",
    ko="d_model이 홀수일 때 표가 나오거나 다른 오류가 납니다. ValueError여야 합니다.",
    marks="point",
)
def pe_odd_accepted(seq_len, d_model):
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model]


@mistake(
    "positional_encoding",
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
    "positional_encoding",
    hint="An assert gives AssertionError; ValueError is asked for.",
    ko="assert는 AssertionError를 냅니다. ValueError여야 합니다.",
)
def pe_odd_asserted(seq_len, d_model):
    assert d_model % 2 == 0, "d_model must be even"
    return table_of(seq_len, d_model, divisors_of(d_model))


@mistake(
    "positional_encoding",
    hint="One table is kept for all calls and handed out again although another was asked for.",
    ko="표 하나를 간직해 두고 다른 표를 물어도 그것을 돌려줍니다.",
)
def pe_table_kept(seq_len, d_model):
    kept = getattr(table_of, "kept", None)
    if kept is None or kept.shape != (seq_len, d_model):
        table_of.kept = kept = table_of(seq_len, d_model, divisors_of(d_model)) + (0.5 if kept is not None else 0.0)
    return kept


@mistake(
    "positional_encoding",
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
    "positional_encoding",
    hint="The table ends at 10000 rows; every length has to work.",
    ko="표가 10000행에서 끝납니다. 어떤 길이든 되어야 합니다.",
    twins=("pe_limited_length",),
)
def pe_ten_thousand_rows(seq_len, d_model):
    return table_of(10000, d_model, divisors_of(d_model))[:seq_len]


@right("positional_encoding", why="exp of a logarithm, slices with a step")
def pe_by_exp(seq_len, d_model):
    if d_model % 2 == 1:
        raise ValueError("d_model must be even")
    table = torch.zeros(seq_len, d_model)
    position = torch.arange(0, seq_len).unsqueeze(1).float()
    factor = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table[:, 0::2] = torch.sin(position * factor)
    table[:, 1::2] = torch.cos(position * factor)
    return table


@right("positional_encoding", why="plain loops and math")
def pe_by_loops(seq_len, d_model):
    if d_model % 2:
        raise ValueError("odd")
    rows = []
    for pos in range(seq_len):
        row = []
        for i in range(d_model // 2):
            angle = pos / math.pow(10000, 2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)


@right("positional_encoding", why="numpy in float64, turned into float32 at the end, a subclass of ValueError")
def pe_by_numpy(seq_len, d_model):
    class OddFeatures(ValueError):
        pass

    if d_model % 2:
        raise OddFeatures(d_model)
    columns = np.arange(d_model)
    angles = np.arange(seq_len)[:, None] / np.power(10000, 2 * (columns // 2) / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.from_numpy(angles).float()


@right("positional_encoding", why="cosines as shifted sines in float64, a view that is not contiguous")
def pe_shifted_sines(seq_len, d_model):
    if d_model & 1:
        raise ValueError
    columns = torch.arange(d_model)
    frequencies = torch.pow(torch.tensor(10000.0, dtype=torch.float64), -(columns - columns % 2) / d_model)
    angles = torch.outer(frequencies, torch.arange(seq_len, dtype=torch.float64))
    return torch.sin(angles + (columns % 2 * math.pi / 2)[:, None]).to(torch.float32).T


@right("positional_encoding", why="tables kept by their sizes, handed out as copies, under no_grad")
class Tables:
    def __init__(self):
        self.table = lru_cache(self.table)

    @staticmethod
    def table(seq_len, d_model):
        with torch.no_grad():
            return table_of(seq_len, d_model, divisors_of(d_model))

    def __new__(cls, *sizes):
        made = object.__new__(cls)
        cls.__init__(made)
        return made.table(*sizes).clone() if sizes else made


# --- add_positional_encoding ------------------------------------------------------------------------------------------


@helper
def encoding_of(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model))


@mistake(
    "add_positional_encoding",
    hint="The tokens come back as they were; nothing is added.",
    ko="토큰이 그대로 나옵니다. 더한 것이 없습니다.",
    marks="trivial",
)
def add_nothing(x):
    even(x.shape[-1])
    return x.clone()


@mistake(
    "add_positional_encoding",
    hint="The positions run along the batch: all tokens of an item get the same encoding.",
    ko="위치를 배치 방향으로 세었습니다. 한 항목의 모든 토큰에 같은 인코딩이 더해집니다.",
    marks="slip",
)
def add_along_the_batch(x):
    return x + encoding_of(x.shape[0], x.shape[2]).to(x.dtype).unsqueeze(1)


@mistake(
    "add_positional_encoding",
    hint="The table has as many rows as the batch has items; it needs one for each token.",
    ko="표의 행 수가 배치 항목 수입니다. 토큰마다 한 행이 필요합니다.",
)
def add_rows_for_items(x):
    return x + encoding_of(x.shape[0], x.shape[2]).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="x was scaled by the root of d_model first; it is taken as it is.",
    ko="먼저 x에 d_model의 제곱근을 곱했습니다. x를 그대로 쓰세요.",
    marks="slip",
)
def add_scaled(x):
    return x * math.sqrt(x.shape[2]) + encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="x is multiplied by the encoding; add it.",
    ko="x에 인코딩을 곱했습니다. 더하세요.",
)
def add_multiplies(x):
    return x * encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="Only the encoding is returned, without x.",
    ko="x 없이 인코딩만 돌려줍니다.",
    marks="trivial",
)
def add_returns_the_table(x):
    return encoding_of(*x.shape[1:]).to(x.dtype).expand_as(x)


@mistake(
    "add_positional_encoding",
    hint="The encoding of the first position is added to every token.",
    ko="모든 토큰에 첫 위치의 인코딩을 더했습니다.",
)
def add_first_position(x):
    return x + encoding_of(1, x.shape[2]).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="The positions go on counting from one item to the next; each item begins at 0.",
    ko="위치를 항목을 넘어 이어서 세었습니다. 항목마다 0에서 시작합니다.",
)
def add_counts_on(x):
    return x + encoding_of(x.shape[0] * x.shape[1], x.shape[2]).view(x.shape).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="Sines and cosines do not alternate: column 2i is a sine, column 2i + 1 a cosine.",
    ko="사인과 코사인이 번갈아 놓이지 않았습니다. 2i열이 사인, 2i + 1열이 코사인입니다.",
)
def add_halves(x):
    T, d_model = x.shape[1:]
    even(d_model)
    angles = torch.arange(T, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return x + torch.cat([angles.sin(), angles.cos()], dim=-1).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="The exponent of the encoding is wrong: it is 2i / d_model for the pair i.",
    ko="인코딩의 지수가 틀렸습니다. i번 쌍에서는 2i / d_model입니다.",
)
def add_wrong_exponent(x):
    T, d_model = x.shape[1:]
    return x + table_of(T, d_model, 10000.0 ** (torch.arange(d_model // 2) / d_model)).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="The encoding is added to the first item only.",
    ko="첫 항목에만 인코딩을 더했습니다.",
)
def add_first_item_only(x):
    return torch.cat([x[:1] + encoding_of(*x.shape[1:]).to(x.dtype), x[1:]])


@mistake(
    "add_positional_encoding",
    hint="A batch axis of its own is in front of the result.",
    ko="결과 앞에 배치 축이 하나 더 있습니다.",
)
def add_extra_axis(x):
    return (x + encoding_of(*x.shape[1:]).to(x.dtype)).unsqueeze(0)


@mistake(
    "add_positional_encoding",
    hint="A bare squeeze takes away the axis of a single item or token.",
    ko="축을 정하지 않은 squeeze가 항목이나 토큰이 하나인 축을 없앱니다.",
)
def add_squeezed(x):
    return (x + encoding_of(*x.shape[1:]).to(x.dtype)).squeeze()


@mistake(
    "add_positional_encoding",
    hint="The table is made for a fixed length, and longer sequences do not fit.",
    ko="표의 길이가 정해져 있어 더 긴 시퀀스에는 맞지 않습니다.",
)
def add_limited_length(x):
    return x + encoding_of(512, x.shape[2])[: x.shape[1]].to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="float32 plus a narrower dtype gives float32: turn the encoding into the dtype of x.",
    ko="float32에 더 좁은 dtype을 더하면 float32가 됩니다. 인코딩을 x의 dtype으로 바꾸세요.",
)
def add_promotes(x):
    return x + encoding_of(*x.shape[1:])


@mistake(
    "add_positional_encoding",
    hint="The result is always float32; keep the dtype of x.",
    ko="결과가 항상 float32입니다. x의 dtype을 지키세요.",
)
def add_always_float32(x):
    return x.float() + encoding_of(*x.shape[1:])


@mistake(
    "add_positional_encoding",
    hint="x itself went through float32, which costs a float64 its digits; turn the encoding, not x.",
    ko="x 자체를 float32로 바꾸어 float64의 자릿수를 잃었습니다. x가 아니라 인코딩의 dtype을 바꾸세요.",
)
def add_rounds_x(x):
    return (x.float() + encoding_of(*x.shape[1:])).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="An integer division (`//`) cuts off the angles; divide with `/`.",
    ko="정수 나눗셈(`//`)이 각도를 잘라 버립니다. `/`로 나누세요.",
)
def add_floor_division(x):
    T, d_model = x.shape[1:]
    even(d_model)
    angles = torch.arange(T)[:, None] // divisors_of(d_model)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="The encoding is computed in the dtype of x, and a narrow one cannot hold the angles: make it in float32, then turn it.",
    ko="인코딩을 x의 dtype으로 계산했습니다. 좁은 dtype은 각도를 담지 못하니 float32로 만든 다음 바꾸세요.",
)
def add_angles_in_dtype_of_x(x):
    T, d_model = x.shape[1:]
    even(d_model)
    positions = torch.arange(T, dtype=x.dtype, device=x.device)[:, None]
    angles = positions / 10000.0 ** (torch.arange(0, d_model, 2, dtype=x.dtype, device=x.device) / d_model)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(
    "add_positional_encoding",
    hint="The positions are counted from 1; the first is 0.",
    ko="위치를 1부터 세었습니다. 첫 위치는 0입니다.",
    marks="slip",
)
def add_counts_from_one(x):
    return x + encoding_of(x.shape[1] + 1, x.shape[2])[1:].to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="The encoding is put beside x as more features; it is added to the features that are there.",
    ko="인코딩을 x 옆에 특징으로 이어 붙였습니다. 있는 특징에 더하세요.",
)
def add_concatenates(x):
    return torch.cat([x, encoding_of(*x.shape[1:]).to(x.dtype).expand_as(x)], dim=-1)


@mistake(
    "add_positional_encoding",
    hint="Something is dropped at random; only the encoding is added here.",
    ko="무작위로 값을 떨어뜨립니다. 여기서는 인코딩만 더합니다.",
    twins=("changing_result",),
)
def add_drops(x):
    return F.dropout(x + encoding_of(*x.shape[1:]).to(x.dtype), 0.1)


@mistake(
    "add_positional_encoding",
    hint="`x += ...` changes the caller's tensor: write the sum to a new one.",
    ko="`x += ...`는 부른 쪽의 텐서를 바꿉니다. 합을 새 텐서에 두세요.",
)
def add_plainly_in_place(x):
    x += encoding_of(*x.shape[1:]).to(x.dtype)
    return x


@mistake(
    "add_positional_encoding",
    hint="An odd number of features ends in an error of torch's own (RuntimeError); raise ValueError before that.",
    ko="특징 수가 홀수이면 torch의 오류(RuntimeError)가 납니다. 그 전에 ValueError를 내세요.",
)
def add_odd_ends_in_torch(x):
    T, d_model = x.shape[1:]
    table = torch.zeros(T, d_model)
    angles = torch.arange(T, dtype=torch.float32)[:, None] / divisors_of(d_model)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return x + table.to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="An assert gives AssertionError; ValueError is asked for.",
    ko="assert는 AssertionError를 냅니다. ValueError여야 합니다.",
)
def add_odd_asserted(x):
    assert x.shape[2] % 2 == 0, "d_model must be even"
    return x + encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="x was changed in place (`x += ...`); the caller's tensor has to stay as it was.",
    ko="x를 제자리에서 바꾸었습니다(`x += ...`). 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
def add_in_place(x):
    with torch.no_grad():
        x += encoding_of(*x.shape[1:]).to(x.dtype)
    return x * 1


@mistake(
    "add_positional_encoding",
    hint="The result is cut off from x (detach, torch.tensor), so no gradient reaches the embedding.",
    ko="결과가 x에서 끊겨(detach, torch.tensor) 임베딩에 그래디언트가 닿지 않습니다.",
    marks="point",
)
def add_detached(x):
    return x.detach() + encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="An odd number of features must raise ValueError here too.",
    ko="여기서도 특징 수가 홀수이면 ValueError가 나야 합니다.",
)
def add_odd_accepted(x):
    T, d_model = x.shape[1:]
    angles = torch.arange(T, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="The encoding of an earlier call is kept in the dtype that came first, and is too coarse for a later one.",
    ko="앞선 호출의 인코딩을 그때의 dtype으로 간직해 두어, 나중에 온 dtype에는 너무 거칩니다.",
)
def add_kept_in_the_first_dtype(x):
    kept, size = encoding_of.__dict__.setdefault("by_size", {}), x.shape[1:]
    if size not in kept:
        kept[size] = encoding_of(*size).to(x.dtype)
    return (x + kept[size]).to(x.dtype)


@mistake(
    "add_positional_encoding",
    hint="The table ends at 6000 positions; every length has to work.",
    ko="표가 6000개 위치에서 끝납니다. 어떤 길이든 되어야 합니다.",
)
def add_six_thousand_rows(x):
    return x + encoding_of(6000, x.shape[-1])[: x.shape[1]].to(x.dtype)


@right("add_positional_encoding", why="loops over positions and columns, in float64")
def add_by_loops(x):
    _, T, d_model = x.shape
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    result = x.double()
    for pos in range(T):
        angles = pos / 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float64, device=x.device) / d_model)
        pairs = torch.stack([angles.sin(), angles.cos()], dim=1).reshape(d_model)
        result = torch.cat([result[:, :pos], result[:, pos : pos + 1] + pairs, result[:, pos + 1 :]], dim=1)
    return result.to(x.dtype)


@right("add_positional_encoding", why="a copy of x changed in place")
def add_to_a_copy(x):
    even(x.size(-1))
    position = torch.arange(x.size(1), device=x.device, dtype=torch.float32).unsqueeze(1)
    factor = torch.exp(torch.arange(0, x.size(-1), 2, device=x.device) * (-math.log(10000.0) / x.size(-1)))
    result = x.clone()
    result[..., 0::2] += torch.sin(position * factor).to(x.dtype)
    result[..., 1::2] += torch.cos(position * factor).to(x.dtype)
    return result


@right("add_positional_encoding", why="a module of its own with one long table as a buffer, called as a bound method")
def add_by_module(x):
    class Encoding(nn.Module):
        def __init__(self, d_model, length):
            super().__init__()
            even(d_model)
            angles = torch.arange(float(length))[:, None] * 10000.0 ** (-torch.arange(0.0, d_model, 2) / d_model)
            self.register_buffer("table", torch.stack((angles.sin(), angles.cos()), -1).view(1, length, d_model))

        def forward(self, x):
            return x + self.table[:, : x.size(1)].to(x)

    return Encoding(x.size(2), max(5000, x.size(1)))(x)


@right("add_positional_encoding", why="float32 inside, turned back at the end")
def add_in_float32(x):
    d_model = x.shape[-1]
    even(d_model)
    columns = torch.arange(d_model, device=x.device)
    angles = torch.arange(x.shape[-2], device=x.device)[:, None] / 10000.0 ** (2 * (columns // 2) / d_model)
    wide = x if x.dtype == torch.float64 else x.float()
    return torch.add(wide, torch.where(columns % 2 == 0, torch.sin(angles), torch.cos(angles))).to(x.dtype)


# --- FeedForward ------------------------------------------------------------------------------------------------------


@mistake(
    "FeedForward",
    hint="The tokens come back as they were; neither layer is used.",
    ko="토큰이 그대로 나옵니다. 두 층 가운데 어느 것도 쓰지 않았습니다.",
    marks="trivial",
)
class ff_nothing(solution.FeedForward):
    def forward(self, x):
        return x.clone()


@mistake(
    "FeedForward",
    hint="The result is the same whatever the tokens are.",
    ko="토큰이 무엇이든 결과가 같습니다.",
    marks="trivial",
)
class ff_constant(solution.FeedForward):
    def forward(self, x):
        return self.narrow.bias.expand(x.shape).clone()


@mistake(
    "FeedForward",
    hint="The ReLU is missing: two linear layers in a row are one linear layer.",
    ko="ReLU가 없습니다. 선형층 둘을 이으면 선형층 하나와 같습니다.",
    marks="slip",
)
class ff_no_relu(solution.FeedForward):
    def forward(self, x):
        return self.narrow(self.widen(x))


@mistake(
    "FeedForward",
    hint="Another activation than ReLU is used: small negative numbers get through (GELU, SiLU).",
    ko="ReLU가 아닌 활성화 함수입니다. 작은 음수가 조금 통과합니다(GELU, SiLU).",
    marks="slip",
)
class ff_gelu(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.gelu(self.widen(x)))


@mistake(
    "FeedForward",
    hint="The activation is SiLU, x times sigmoid(x); ReLU is asked for.",
    ko="활성화 함수가 SiLU(x 곱하기 sigmoid(x))입니다. ReLU이어야 합니다.",
)
class ff_silu(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.silu(self.widen(x)))


@mistake(
    "FeedForward",
    hint="Negative numbers get through with a small slope (leaky ReLU); a ReLU makes them 0.",
    ko="음수가 작은 기울기로 통과합니다(leaky ReLU). ReLU는 0으로 만듭니다.",
)
class ff_leaky(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.leaky_relu(self.widen(x)))


@mistake(
    "FeedForward",
    hint="The activation squashes large numbers (tanh, sigmoid); a ReLU lets them pass.",
    ko="활성화 함수가 큰 수를 눌러 버립니다(tanh, sigmoid). ReLU는 그대로 통과시킵니다.",
)
class ff_tanh(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.tanh(self.widen(x)))


@mistake(
    "FeedForward",
    hint="The activation is cut off at 6 (ReLU6); a ReLU has no upper end.",
    ko="활성화 함수가 6에서 잘립니다(ReLU6). ReLU에는 위쪽 끝이 없습니다.",
)
class ff_relu6(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.relu6(self.widen(x)))


@mistake(
    "FeedForward",
    hint="The activation squashes all numbers into (0, 1) (sigmoid); a ReLU lets positive numbers pass.",
    ko="활성화 함수가 모든 수를 (0, 1)로 누릅니다(sigmoid). ReLU는 양수를 그대로 통과시킵니다.",
)
class ff_sigmoid(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.sigmoid(self.widen(x)))


@mistake(
    "FeedForward",
    hint="A softmax stands where the ReLU belongs.",
    ko="ReLU가 있어야 할 자리에 소프트맥스가 있습니다.",
)
class ff_softmax(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.softmax(self.widen(x), dim=-1))


@mistake(
    "FeedForward",
    hint="Negative numbers come through with their sign changed (abs); a ReLU makes them 0.",
    ko="음수가 부호만 바뀌어 통과합니다(abs). ReLU는 0으로 만듭니다.",
)
class ff_absolute(solution.FeedForward):
    def forward(self, x):
        return self.narrow(self.widen(x).abs())


@mistake(
    "FeedForward",
    hint="The first layer has no bias; nn.Linear's usual bias is asked for in both.",
    ko="첫 층에 편향이 없습니다. 두 층 모두 nn.Linear의 보통 편향이 필요합니다.",
)
class ff_first_without_bias(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.widen = nn.Linear(d_model, d_ff, bias=False)


@mistake(
    "FeedForward",
    hint="The second layer has no bias; nn.Linear's usual bias is asked for in both.",
    ko="둘째 층에 편향이 없습니다. 두 층 모두 nn.Linear의 보통 편향이 필요합니다.",
)
class ff_second_without_bias(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model, bias=False)


@mistake(
    "FeedForward",
    hint="There is one more layer to learn that nothing uses.",
    ko="쓰이지 않는 층이 하나 더 있습니다.",
)
class ff_unused_layer(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.norm = nn.LayerNorm(d_model)


@mistake(
    "FeedForward",
    hint="`relu_` or `inplace=True` works on the input itself: it stands before the first layer and changes x.",
    ko="`relu_`나 `inplace=True`가 입력 자체에 걸려 x가 바뀝니다. ReLU는 두 층 사이에 있어야 합니다.",
)
class ff_relu_in_place_on_the_input(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.relu(self.widen(F.relu(x, inplace=True))))


@mistake(
    "FeedForward",
    hint="A ReLU follows the second layer; it belongs between the two.",
    ko="ReLU가 둘째 층 뒤에 있습니다. 두 층 사이에 있어야 합니다.",
    marks="slip",
)
class ff_relu_at_the_end(solution.FeedForward):
    def forward(self, x):
        return torch.relu(self.narrow(self.widen(x)))


@mistake(
    "FeedForward",
    hint="There is one ReLU too many, after the second layer; its result may be negative.",
    ko="둘째 층 뒤에 ReLU가 하나 더 있습니다. 둘째 층의 결과는 음수일 수 있습니다.",
)
class ff_relu_twice(solution.FeedForward):
    def forward(self, x):
        return torch.relu(super().forward(x))


@mistake(
    "FeedForward",
    hint="`view` refuses a tensor that does not lie in order in memory; `reshape` takes any.",
    ko="`view`는 메모리에서 연속적이지 않은 텐서를 받지 않습니다. `reshape`는 무엇이든 받습니다.",
)
class ff_by_view(solution.FeedForward):
    def forward(self, x):
        return super().forward(x.view(-1, x.shape[-1])).view(x.shape)


@mistake(
    "FeedForward",
    hint="The ReLU is on the input; it belongs between the two layers.",
    ko="ReLU를 입력에 걸었습니다. 두 층 사이에 있어야 합니다.",
)
class ff_relu_first(solution.FeedForward):
    def forward(self, x):
        return self.narrow(self.widen(torch.relu(x)))


@mistake(
    "FeedForward",
    hint="x is added to the result; the residual path belongs to the block.",
    ko="결과에 x를 더했습니다. 잔차 경로는 블록의 일입니다.",
    marks="slip",
)
class ff_residual(solution.FeedForward):
    def forward(self, x):
        return x + super().forward(x)


@mistake(
    "FeedForward",
    hint="The layers have no bias; nn.Linear's usual bias is asked for.",
    ko="층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class ff_without_bias(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.widen = nn.Linear(d_model, d_ff, bias=False)
        self.narrow = nn.Linear(d_ff, d_model, bias=False)


@mistake(
    "FeedForward",
    hint="d_ff is not used: the width between the layers is written into the code.",
    ko="d_ff를 쓰지 않았습니다. 두 층 사이의 너비가 코드에 적혀 있습니다.",
)
class ff_fixed_width(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, 4 * d_model)


@mistake(
    "FeedForward",
    hint="There is a third linear layer.",
    ko="선형층이 셋입니다.",
)
class ff_three_layers(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.between = nn.Linear(d_ff, d_ff)

    def forward(self, x):
        return self.narrow(torch.relu(self.between(torch.relu(self.widen(x)))))


@mistake(
    "FeedForward",
    hint="A layer norm is part of it; that belongs to the block.",
    ko="층 정규화가 들어 있습니다. 그것은 블록의 일입니다.",
)
class ff_with_norm(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x):
        return super().forward(self.norm(x))


@mistake(
    "FeedForward",
    hint="Plain tensors are no parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Linear.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다. nn.Linear를 쓰세요.",
)
class ff_plain_tensors(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.layers = [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)]

    def forward(self, x):
        return self.layers[1](torch.relu(self.layers[0](x)))


@mistake(
    "FeedForward",
    hint="Something is dropped in training; this network has no dropout.",
    ko="학습 중에 무언가를 떨어뜨립니다. 이 신경망에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class ff_with_dropout(solution.FeedForward):
    def forward(self, x):
        return F.dropout(super().forward(x), 0.1, self.training)


@mistake(
    "FeedForward",
    hint="In eval another activation is used; this network does the same in both modes.",
    ko="eval에서 다른 활성화 함수를 씁니다. 이 신경망은 두 모드에서 같은 일을 합니다.",
    unnamed="Only eval is another, and its numbers look like those of any wrong answer.",
)
class ff_other_in_eval(solution.FeedForward):
    def forward(self, x):
        return super().forward(x) if self.training else self.narrow(F.relu6(self.widen(x) * 4))


@mistake(
    "FeedForward",
    hint="Tokens are mixed: the layers have to work on the features of each token.",
    ko="토큰이 섞였습니다. 층은 토큰마다 특징에 작용해야 합니다.",
)
class ff_mixes_tokens(solution.FeedForward):
    def forward(self, x):
        hidden = torch.relu(self.widen(x))
        return self.narrow(hidden.transpose(1, 2).reshape(hidden.shape))


@mistake(
    "FeedForward",
    hint="A single item or token loses its axis to a bare squeeze.",
    ko="항목이나 토큰이 하나이면 축을 정하지 않은 squeeze가 그 축을 없앱니다.",
)
class ff_squeezed(solution.FeedForward):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    "FeedForward",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class ff_always_float32(solution.FeedForward):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
    "FeedForward",
    hint="The features between the layers are cut off (detach), so the first layer never learns.",
    ko="두 층 사이가 끊겨(detach) 첫 층이 학습되지 않습니다.",
    marks="point",
)
class ff_detached(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.relu(self.widen(x)).detach())


@mistake(
    "FeedForward",
    hint="In eval the result is cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class ff_detached_in_eval(solution.FeedForward):
    def forward(self, x):
        return super().forward(x if self.training else x.detach())


@mistake(
    "FeedForward",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class ff_input_in_place(solution.FeedForward):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            x.relu_()
        return result


@mistake(
    "FeedForward",
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class ff_result_kept(solution.FeedForward):
    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape != x.shape or self.kept.dtype != x.dtype:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    "FeedForward",
    hint="The matrix of the first call is kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class ff_matrix_cached(solution.FeedForward):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.widen.weight.clone()
        return self.narrow(torch.relu(F.linear(x, self.matrix.to(x.dtype), self.widen.bias)))


@mistake(
    "FeedForward",
    hint="d_model is kept on the class (`FeedForward.d = ...`), so the next module changes this one: use `self`.",
    ko="d_model을 클래스에 두어(`FeedForward.d = ...`) 다음 모듈이 이 모듈을 바꿉니다. `self`에 두세요.",
)
class ff_arguments_on_the_class(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        type(self).d_model = d_model

    def forward(self, x):
        return super().forward(x.reshape(-1, self.d_model)).reshape(x.shape)


@right("FeedForward", why="nn.Sequential")
class ff_sequential(nn.Sequential):
    def __init__(self, d_model, d_ff):
        super().__init__(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


@right("FeedForward", why="layers made in the other order, ReLU in place on its own tensor, flattened tokens")
class ff_other_order(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.fc2 = nn.Linear(d_ff, d_model)
        self.fc1 = nn.Linear(d_model, d_ff)
        self.relu = nn.ReLU(inplace=True)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        B, T, d_model = x.shape
        return self.fc2(self.relu(self.fc1(x.reshape(B * T, d_model)))).view(B, T, d_model)


@right("FeedForward", why="clamp for the ReLU, layers in a ModuleDict, einsum")
class ff_by_einsum(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.parts = nn.ModuleDict({"b": nn.Linear(d_model, d_ff), "a": nn.Linear(d_ff, d_model)})

    def forward(self, x):
        hidden = torch.einsum("btd,fd->btf", x, self.parts["b"].weight) + self.parts["b"].bias
        return torch.einsum("btf,df->btd", hidden.clamp(min=0), self.parts["a"].weight) + self.parts["a"].bias


@right("FeedForward", why="a loop over the tokens, float64 inside")
class ff_by_loop(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)])

    def forward(self, x):
        (w1, b1), (w2, b2) = [(layer.weight.double(), layer.bias.double()) for layer in self.layers]
        tokens = [torch.maximum(token.double() @ w1.T + b1, torch.zeros(())) @ w2.T + b2 for token in x.unbind(1)]
        return torch.stack(tokens, dim=1).to(x.dtype)


# --- TransformerBlock -------------------------------------------------------------------------------------------------


@helper
def heads_of(projected, num_heads):
    return projected.unflatten(-1, (num_heads, -1)).transpose(1, 2)


@helper
def joined(context):
    return context.transpose(1, 2).flatten(2)


@helper
class Block(nn.Module):
    bias = False

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.causal = num_heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=self.bias) for _ in range(4))
        self.widen, self.narrow = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def projected(self, x):
        return tuple(heads_of(layer(x), self.num_heads) for layer in (self.W_q, self.W_k, self.W_v))

    def scores(self, q, k):
        return q @ k.mT / math.sqrt(q.shape[-1])

    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, float("-inf")) if self.causal else scores

    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-1)

    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o(joined(self.weigh(self.scores(q, k)) @ v))

    def feed(self, x):
        return self.narrow(torch.relu(self.widen(x)))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="Only a bias is added to x: there is no attention, and no feed-forward network.",
    ko="x에 편향만 더합니다. 어텐션도 피드포워드도 없습니다.",
    marks="trivial",
)
class block_only_biases(Block):
    def forward(self, x):
        return x + self.narrow.bias


@mistake(
    "TransformerBlock",
    hint="There is no attention: no token sees another one.",
    ko="어텐션이 없습니다. 토큰이 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
class block_only_feed_forward(Block):
    def forward(self, x):
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="Every token takes its own value alone; it has to weigh the values of all tokens that it sees.",
    ko="토큰이 자기 값만 가져옵니다. 보이는 모든 토큰의 값에 가중치를 매겨 더하세요.",
    marks="trivial",
)
class block_own_value_alone(Block):
    def attend(self, x):
        return self.W_o(self.W_v(x))


@mistake(
    "TransformerBlock",
    hint="Every token averages what it sees evenly; queries and keys have to decide the weights.",
    ko="토큰이 보는 것을 똑같은 비율로 평균합니다. 가중치는 쿼리와 키가 정해야 합니다.",
    marks="trivial",
)
class block_even_weights(Block):
    def scores(self, q, k):
        return q @ k.mT * 0


@mistake(
    "TransformerBlock",
    hint="The norms stand behind the additions (post-LN); in pre-LN they stand before the sublayers, off the path.",
    ko="정규화가 덧셈 뒤에 있습니다(post-LN). pre-LN에서는 하위층 앞, 잔차 경로 밖에 있습니다.",
    marks="slip",
)
class block_post_norm(Block):
    def forward(self, x):
        x = self.norm1(x + self.dropout(self.attend(x)))
        return self.norm2(x + self.dropout(self.feed(x)))


@mistake(
    "TransformerBlock",
    hint="The residual path starts from the normalised tokens; add to x itself.",
    ko="잔차 경로가 정규화된 토큰에서 시작합니다. x 자체에 더하세요.",
)
class block_residual_from_norm(Block):
    def forward(self, x):
        x = self.norm1(x)
        x = x + self.dropout(self.attend(x))
        x = self.norm2(x)
        return x + self.dropout(self.feed(x))


@mistake(
    "TransformerBlock",
    hint="The first residual path starts behind the norm: add what attention gives to x itself, not to norm1(x).",
    ko="첫 잔차 경로가 정규화 뒤에서 시작합니다. 어텐션의 출력을 norm1(x)가 아니라 x에 더하세요.",
)
class block_first_residual_from_norm(Block):
    def forward(self, x):
        y = self.norm1(x)
        x = y + self.dropout(self.attend(y))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The norms stand behind the sublayers, inside the addition; they belong before the sublayers.",
    ko="정규화가 하위층 뒤, 덧셈 안에 있습니다. 하위층 앞에 있어야 합니다.",
)
class block_norm_of_the_result(Block):
    def forward(self, x):
        x = x + self.dropout(self.norm1(self.attend(x)))
        return x + self.dropout(self.norm2(self.feed(x)))


@mistake(
    "TransformerBlock",
    hint="One more norm stands at the end, on the residual path.",
    ko="끝의 잔차 경로 위에 정규화가 하나 더 있습니다.",
)
class block_norm_at_the_end(Block):
    def forward(self, x):
        return self.norm2(super().forward(x))


@mistake(
    "TransformerBlock",
    hint="There is no residual path around the attention.",
    ko="어텐션을 둘러싼 잔차 경로가 없습니다.",
)
class block_no_first_residual(Block):
    def forward(self, x):
        x = self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="There is no residual path around the feed-forward network.",
    ko="피드포워드 신경망을 둘러싼 잔차 경로가 없습니다.",
)
class block_no_second_residual(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="Both sublayers see the same x and are added together; the second has to see what the first has made of it.",
    ko="두 하위층이 같은 x를 보고 함께 더해집니다. 둘째는 첫째가 만든 것을 보아야 합니다.",
)
class block_parallel(Block):
    def forward(self, x):
        return x + self.dropout(self.attend(self.norm1(x))) + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The second residual path goes back to the block's input and leaves the attention's result behind.",
    ko="둘째 잔차 경로가 블록의 입력으로 돌아가 어텐션의 결과를 잃습니다.",
)
class block_second_residual_from_input(Block):
    def forward(self, x):
        between = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(between)))


@mistake(
    "TransformerBlock",
    hint="The feed-forward network comes first; the attention comes first here.",
    ko="피드포워드가 먼저입니다. 여기서는 어텐션이 먼저입니다.",
)
class block_feed_forward_first(Block):
    def forward(self, x):
        x = x + self.dropout(self.feed(self.norm2(x)))
        return x + self.dropout(self.attend(self.norm1(x)))


@mistake(
    "TransformerBlock",
    hint="One norm serves both sublayers; each has a norm of its own.",
    ko="정규화 하나를 두 하위층에 함께 썼습니다. 하위층마다 자기 정규화가 있어야 합니다.",
)
class block_one_norm(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm2 = self.norm1


@mistake(
    "TransformerBlock",
    hint="Only the attention has a norm before it; the feed-forward network needs one too.",
    ko="어텐션 앞에만 정규화가 있습니다. 피드포워드 앞에도 필요합니다.",
)
class block_no_second_norm(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(x))


@mistake(
    "TransformerBlock",
    hint="The queries come from the normalised tokens, but keys and values from x itself.",
    ko="쿼리는 정규화된 토큰에서, 키와 값은 x 자체에서 만들었습니다.",
)
class block_values_not_normalised(Block):
    def forward(self, x):
        q = heads_of(self.W_q(self.norm1(x)), self.num_heads)
        _, k, v = self.projected(x)
        x = x + self.dropout(self.W_o(joined(self.weigh(self.scores(q, k)) @ v)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The norm does not subtract the mean (RMSNorm).",
    ko="정규화가 평균을 빼지 않습니다(RMSNorm).",
)
class block_rms_norm(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * self.weight + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    "TransformerBlock",
    hint="The norm divides by the unbiased deviation (d_model - 1); a layer norm takes the population variance.",
    ko="정규화가 불편 표준편차(d_model - 1)로 나눕니다. 층 정규화는 모분산을 씁니다.",
)
class block_unbiased_norm(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) * self.weight + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    "TransformerBlock",
    hint="The norms have nothing to learn; each needs a scale and a shift.",
    ko="정규화에 학습할 것이 없습니다. 저마다 크기(scale)와 이동(shift)이 필요합니다.",
)
class block_norms_without_parameters(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = (nn.LayerNorm(d_model, elementwise_affine=False) for _ in range(2))


@mistake(
    "TransformerBlock",
    hint="The scores are not divided by the root of head_dim.",
    ko="점수를 head_dim의 제곱근으로 나누지 않았습니다.",
    marks="slip",
)
class block_no_scaling(Block):
    def scores(self, q, k):
        return q @ k.mT


@mistake(
    "TransformerBlock",
    hint="The scores are divided by the root of d_model; inside a head only head_dim features are compared.",
    ko="점수를 d_model의 제곱근으로 나누었습니다. 한 헤드 안에서는 head_dim개의 특징만 비교됩니다.",
    marks="slip",
)
class block_by_root_of_d_model(Block):
    def scores(self, q, k):
        return q @ k.mT / math.sqrt(self.num_heads * q.shape[-1])


@mistake(
    "TransformerBlock",
    hint="The scores are divided by the root of the number of heads; take the features of a head.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 한 헤드의 특징 수를 쓰세요.",
)
class block_by_root_of_heads(Block):
    def scores(self, q, k):
        return q @ k.mT / math.sqrt(self.num_heads)


@mistake(
    "TransformerBlock",
    hint="The scores are divided by head_dim itself; take its root.",
    ko="점수를 head_dim 자체로 나누었습니다. 제곱근으로 나누세요.",
    marks="slip",
)
class block_by_head_dim(Block):
    def scores(self, q, k):
        return q @ k.mT / q.shape[-1]


@mistake(
    "TransformerBlock",
    hint="There is one head only, whatever num_heads says.",
    ko="num_heads가 무엇이든 헤드가 하나뿐입니다.",
)
class block_single_head(Block):
    def projected(self, x):
        return tuple(heads_of(layer(x), 1) for layer in (self.W_q, self.W_k, self.W_v))


@mistake(
    "TransformerBlock",
    hint="The weights were averaged over the heads, so all heads look at the same tokens.",
    ko="가중치를 헤드에 대해 평균하여 모든 헤드가 같은 토큰을 봅니다.",
)
class block_weights_averaged(Block):
    def weigh(self, scores):
        return super().weigh(scores).mean(1, keepdim=True)


@mistake(
    "TransformerBlock",
    hint="The scores were averaged over the heads, so all heads look at the same tokens.",
    ko="점수를 헤드에 대해 평균하여 모든 헤드가 같은 토큰을 봅니다.",
)
class block_scores_averaged(Block):
    def scores(self, q, k):
        return super().scores(q, k).mean(1, keepdim=True)


@mistake(
    "TransformerBlock",
    hint="Only the first head is used, repeated; every head has to run.",
    ko="첫 헤드만 반복해서 썼습니다. 모든 헤드를 돌려야 합니다.",
)
class block_first_head_only(Block):
    def projected(self, x):
        return tuple(part[:, :1].expand_as(part) for part in super().projected(x))


@mistake(
    "TransformerBlock",
    hint="The features were reshaped straight to (B, H, T, head_dim), which mixes tokens: cut first, then swap axes.",
    ko="특징을 (B, H, T, head_dim)으로 바로 reshape하여 토큰이 섞였습니다. 먼저 나누고 축을 바꾸세요.",
)
class block_split_straight_to_heads(Block):
    def projected(self, x):
        B, T, _ = x.shape
        return tuple(layer(x).view(B, self.num_heads, T, -1) for layer in (self.W_q, self.W_k, self.W_v))


@mistake(
    "TransformerBlock",
    hint="The heads were merged without moving them next to the features first.",
    ko="헤드 축을 특징 축 옆으로 옮기지 않고 합쳤습니다.",
)
class block_merge_without_transposing(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o((self.weigh(self.scores(q, k)) @ v).reshape(x.shape))


@mistake(
    "TransformerBlock",
    hint="Features are cut into heads and merged again by a bare reshape, which mixes tokens: swap axes both times.",
    ko="축을 바꾸지 않고 reshape만으로 헤드를 나누고 합쳐 토큰이 섞였습니다. 두 번 다 축을 바꾸세요.",
)
class block_split_and_merge_without_transposing(Block):
    def attend(self, x):
        B, T, _ = x.shape
        q, k, v = (layer(x).view(B, self.num_heads, T, -1) for layer in (self.W_q, self.W_k, self.W_v))
        return self.W_o((self.weigh(self.scores(q, k)) @ v).reshape(x.shape))


@mistake(
    "TransformerBlock",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class block_softmax_over_queries(Block):
    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-2)


@mistake(
    "TransformerBlock",
    hint="The softmax runs over the heads; it belongs on the keys, the last axis.",
    ko="소프트맥스를 헤드 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class block_softmax_over_heads(Block):
    def weigh(self, scores):
        return torch.nan_to_num(torch.softmax(self.hide(scores), dim=1))


@mistake(
    "TransformerBlock",
    hint="The keys were averaged where the values belong: the map to the values plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. 값을 만드는 층이 쓰이지 않습니다.",
)
class block_keys_as_values(Block):
    def attend(self, x):
        q, k, _ = self.projected(x)
        return self.W_o(joined(self.weigh(self.scores(q, k)) @ k))


@mistake(
    "TransformerBlock",
    hint="Queries and keys come from one and the same map; each has its own.",
    ko="쿼리와 키를 같은 층으로 만들었습니다. 저마다 자기 층이 있어야 합니다.",
)
class block_shared_map(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.W_k = self.W_q


@mistake(
    "TransformerBlock",
    hint="The last map of the attention is missing: the heads side by side go through one more layer.",
    ko="어텐션의 마지막 층이 없습니다. 나란히 놓은 헤드는 층을 하나 더 거칩니다.",
)
class block_no_output_map(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.W_o = nn.Identity()


@mistake(
    "TransformerBlock",
    hint="The last map of the attention is there but never used.",
    ko="어텐션의 마지막 층을 만들었지만 쓰지 않았습니다.",
)
class block_output_map_unused(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return joined(self.weigh(self.scores(q, k)) @ v)


@mistake(
    "TransformerBlock",
    hint="There is no mask: every token sees the future.",
    ko="마스크가 없어 모든 토큰이 미래를 봅니다.",
    marks="slip",
)
class block_no_mask(Block):
    def hide(self, scores):
        return scores


@mistake(
    "TransformerBlock",
    hint="The mask hides future tokens also where causal=False.",
    ko="causal=False인데도 마스크가 미래를 가립니다.",
)
class block_always_causal(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal=True)


@mistake(
    "TransformerBlock",
    hint="The default of `causal` is True.",
    ko="`causal`의 기본값은 True입니다.",
)
class block_not_causal_by_default(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=False):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)


@mistake(
    "TransformerBlock",
    hint="`causal` is understood the other way round.",
    ko="`causal`을 반대로 이해했습니다.",
)
class block_causal_inverted(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, not causal)


@mistake(
    "TransformerBlock",
    hint="The mask hides the past and shows the future.",
    ko="마스크가 과거를 가리고 미래를 보여 줍니다.",
)
class block_anti_causal(Block):
    def hide(self, scores):
        past = torch.ones_like(scores, dtype=torch.bool).tril(-1)
        return scores.masked_fill(past, float("-inf")) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="Each token sees one token of the future; the mask begins one diagonal too late.",
    ko="토큰마다 미래 토큰 하나를 봅니다. 마스크가 대각선 하나만큼 늦게 시작합니다.",
    marks="slip",
)
class block_leaks_one_step(Block):
    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(2)
        return scores.masked_fill(future, float("-inf")) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="A token cannot see itself: the mask hides the diagonal too.",
    ko="토큰이 자신을 보지 못합니다. 마스크가 대각선까지 가립니다.",
)
class block_hides_itself(Block):
    def hide(self, scores):
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
        return scores.masked_fill(hidden, float("-inf")) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="A token cannot see itself, and the first one, with nothing left, sees all: the diagonal is not the future.",
    ko="토큰이 자신을 보지 못하고, 남는 것이 없는 첫 토큰은 모두를 봅니다. 대각선은 미래가 아닙니다.",
)
class block_hides_itself_by_1e9(Block):
    def hide(self, scores):
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
        return scores.masked_fill(hidden, -1e9) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="The future is hidden after the softmax, and the rest does not sum to 1 any more.",
    ko="소프트맥스 뒤에 미래를 가려 나머지의 합이 1이 아닙니다.",
)
class block_mask_after_softmax(Block):
    def weigh(self, scores):
        weights = torch.softmax(scores, dim=-1)
        return weights.tril() if self.causal else weights


@mistake(
    "TransformerBlock",
    hint="Hidden scores are 0; the exponential of 0 is 1. Use -inf.",
    ko="가려진 점수가 0입니다. 0의 지수는 1입니다. -inf를 쓰세요.",
)
class block_hidden_scores_zero(Block):
    def hide(self, scores):
        return scores.tril() if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="The exponential overflows for large scores; subtract each row's maximum before it.",
    ko="점수가 크면 지수가 넘칩니다. 지수를 취하기 전에 행마다 최댓값을 빼세요.",
)
class block_plain_exponential(Block):
    def weigh(self, scores):
        e = self.hide(scores).exp()
        return e / e.sum(-1, keepdim=True)


@mistake(
    "TransformerBlock",
    hint="A fill of -1000 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-1000은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
class block_fill_of_minus_1000(Block):
    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, -1000.0) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="A fill of -10 leaves the future a visible share. Use -inf.",
    ko="-10으로 가리면 미래가 눈에 띄는 몫을 받습니다. -inf를 쓰세요.",
)
class block_fill_of_minus_10(Block):
    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, -10.0) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="The mask is used in training only; in eval the future is seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 미래가 보입니다.",
)
class block_mask_in_training_only(Block):
    def hide(self, scores):
        return super().hide(scores) if self.training else scores


@mistake(
    "TransformerBlock",
    hint="The mask has a fixed length; any number of tokens has to work.",
    ko="마스크의 길이가 정해져 있습니다. 토큰이 몇 개든 되어야 합니다.",
)
class block_limited_length(Block):
    def hide(self, scores):
        T = scores.shape[-1]
        future = torch.ones(1024, 1024, dtype=torch.bool).triu(1)[:T, :T]
        return scores.masked_fill(future, float("-inf")) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="The mask of the first call is kept and fits no other length.",
    ko="첫 호출의 마스크를 간직해 두어 다른 길이에는 맞지 않습니다.",
)
class block_mask_kept(Block):
    def hide(self, scores):
        if not self.causal:
            return scores
        if not hasattr(self, "future"):
            self.future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        return scores.masked_fill(self.future, float("-inf"))


@mistake(
    "TransformerBlock",
    hint="In eval a single token attends to keys and values of the call before; nothing is kept between calls.",
    ko="eval에서 토큰 하나가 이전 호출의 키와 값을 봅니다. 호출 사이에는 아무것도 남기지 않습니다.",
    twins=("changing_result",),
)
class block_keys_remembered(Block):
    seen = None

    def projected(self, x):
        q, k, v = super().projected(x)
        if not self.training:
            if self.seen is not None and k.shape[2] == 1 and len(self.seen[0]) == len(k):
                k, v = (torch.cat([old, new], dim=2) for old, new in zip(self.seen, (k, v), strict=True))
            self.seen = k.detach(), v.detach()
        return q, k, v

    def hide(self, scores):
        return scores if scores.shape[-2] == 1 else super().hide(scores)


@mistake(
    "TransformerBlock",
    hint="Items of the batch see each other: the batch was folded into the tokens.",
    ko="배치의 항목들이 서로를 봅니다. 배치 축이 토큰 축에 합쳐졌습니다.",
)
class block_batch_mixed(Block):
    def forward(self, x):
        return super().forward(x.reshape(1, -1, x.shape[-1])).reshape(x.shape)


@mistake(
    "TransformerBlock",
    hint="The ReLU of the feed-forward network is missing.",
    ko="피드포워드 신경망의 ReLU가 없습니다.",
)
class block_no_relu(Block):
    def feed(self, x):
        return self.narrow(self.widen(x))


@mistake(
    "TransformerBlock",
    hint="ReLU6 cuts large numbers off at 6; ReLU leaves them.",
    ko="ReLU6는 큰 값을 6에서 자릅니다. ReLU는 그대로 둡니다.",
)
class block_relu6(Block):
    def feed(self, x):
        return self.narrow(F.relu6(self.widen(x)))


@mistake(
    "TransformerBlock",
    hint="The feed-forward network uses another activation (GELU); ReLU is asked for.",
    ko="피드포워드 신경망이 다른 활성화 함수(GELU)를 씁니다. ReLU여야 합니다.",
)
class block_gelu(Block):
    def feed(self, x):
        return self.narrow(F.gelu(self.widen(x)))


@mistake(
    "TransformerBlock",
    hint="The feed-forward network's layers have no bias; both need one.",
    ko="피드포워드 신경망의 층에 편향이 없습니다. 두 층 모두 필요합니다.",
)
class block_feed_forward_without_bias(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.widen, self.narrow = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_ff, d_model, bias=False)


@mistake(
    "TransformerBlock",
    hint="The second layer of the feed-forward network has no bias; a bias of the attention does not replace it.",
    ko="피드포워드 신경망의 둘째 층에 편향이 없습니다. 어텐션의 편향이 대신할 수 없습니다.",
)
class block_last_bias_missing(Block):
    bias = True

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.narrow = nn.Linear(d_ff, d_model, bias=False)


@mistake(
    "TransformerBlock",
    hint="d_ff is not used: the width of the feed-forward network is written into the code.",
    ko="d_ff를 쓰지 않았습니다. 피드포워드 신경망의 너비가 코드에 적혀 있습니다.",
)
class block_fixed_width(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, 4 * d_model, dropout, causal)


@mistake(
    "TransformerBlock",
    hint="Numbers are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    marks="point",
)
class block_drops_in_eval(Block):
    def forward(self, x):
        x = x + F.dropout(self.attend(self.norm1(x)), self.dropout.p)
        return x + F.dropout(self.feed(self.norm2(x)), self.dropout.p)


@mistake("TransformerBlock", hint="Nothing is ever dropped.", ko="아무것도 떨어뜨리지 않습니다.")
class block_no_dropout(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(
    "TransformerBlock",
    hint="The argument `dropout` is not handed on, so another probability is used.",
    ko="dropout 인자를 넘기지 않아 다른 확률이 쓰입니다.",
)
class block_ignores_probability(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout=0.1 if dropout else 0.0, causal=causal)


@mistake(
    "TransformerBlock",
    hint="With dropout 0 something is dropped all the same: the default of nn.Dropout is 0.5.",
    ko="dropout이 0인데도 떨어뜨립니다. nn.Dropout의 기본값은 0.5입니다.",
    twins=("changing_result",),
)
class block_default_probability(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout=0.5, causal=causal)

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x)) + self.dropout(torch.zeros_like(x) + 1e-3) - 1e-3


@mistake(
    "TransformerBlock",
    hint="What is kept has to grow by 1 / (1 - dropout).",
    ko="남은 값은 1 / (1 - dropout)배로 커져야 합니다.",
)
class block_survivors_not_scaled(Block):
    def drop(self, x):
        return x * (torch.rand_like(x) >= self.dropout.p) if self.training and self.dropout.p else x

    def forward(self, x):
        x = x + self.drop(self.attend(self.norm1(x)))
        return x + self.drop(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="dropout이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class block_drops_scores(Block):
    def scores(self, q, k):
        return self.dropout(super().scores(q, k))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(
    "TransformerBlock",
    hint="Dropout hits the residual path: it belongs on what is added, not on the sum.",
    ko="dropout이 잔차 경로에 걸렸습니다. 합이 아니라 더하는 것에 걸어야 합니다.",
)
class block_drops_the_sum(Block):
    def forward(self, x):
        x = self.dropout(x + self.attend(self.norm1(x)))
        return self.dropout(x + self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="Dropout hits x before anything else, and with it the residual path; drop only what is added.",
    ko="dropout이 맨 처음에 x에 걸려 잔차 경로까지 지워집니다. 더하는 것에만 거세요.",
)
class block_drops_the_input(Block):
    def forward(self, x):
        return super().forward(self.dropout(x))


@mistake(
    "TransformerBlock",
    hint="The same numbers are dropped in every call: no seed belongs into forward.",
    ko="호출마다 같은 값이 떨어집니다. forward에서 시드를 정하지 마세요.",
)
class block_seeded(Block):
    def forward(self, x):
        torch.manual_seed(0)
        return super().forward(x)


@mistake(
    "TransformerBlock",
    hint="One draw of dropout serves all items of the batch.",
    ko="배치의 항목들이 같은 드롭아웃 마스크를 함께 씁니다. 항목마다 새로 뽑으세요.",
)
class block_one_draw_for_all_items(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x)) * self.dropout(torch.ones_like(x[:1]))
        return x + self.feed(self.norm2(x)) * self.dropout(torch.ones_like(x[:1]))


@mistake(
    "TransformerBlock",
    hint="After a time in eval nothing is dropped any more: look at self.training and leave the probability alone.",
    ko="eval을 한 번 거치면 다시는 떨어뜨리지 않습니다. 확률을 바꾸지 말고 self.training을 보세요.",
)
class block_sticky_eval(Block):
    def forward(self, x):
        if not self.training:
            self.dropout.p = 0.0
        return super().forward(x)


@mistake(
    "TransformerBlock",
    hint="There is something more to learn than asked for.",
    ko="요구한 것보다 학습할 것이 더 있습니다.",
)
class block_extra_layer(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.positions = nn.Embedding(100, d_model)


@mistake(
    "TransformerBlock",
    hint="A part stands in a Python list, which hides its parameters: use nn.ModuleList or attributes.",
    ko="부분을 파이썬 리스트에 넣어 매개변수가 보이지 않습니다. nn.ModuleList나 속성을 쓰세요.",
)
class block_python_list(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.parts = [self.W_q, self.W_k, self.W_v]
        del self.W_q, self.W_k, self.W_v

    def projected(self, x):
        return tuple(heads_of(layer(x), self.num_heads) for layer in self.parts)


@mistake(
    "TransformerBlock",
    hint="The statistics of the norm are cut off (detach), which gives wrong gradients.",
    ko="정규화의 통계가 끊겨(detach) 그래디언트가 틀립니다.",
)
class block_norm_detached(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            mean, variance = x.detach().mean(-1, keepdim=True), x.detach().var(-1, correction=0, keepdim=True)
            return (x - mean) / (variance + 1e-5).sqrt() * self.weight + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    "TransformerBlock",
    hint="The weights are cut off from the graph (detach), so queries and keys never learn.",
    ko="가중치가 끊겨(detach) 쿼리와 키가 학습되지 않습니다.",
)
class block_weights_detached(Block):
    def weigh(self, scores):
        return super().weigh(scores).detach()


@mistake(
    "TransformerBlock",
    hint="In eval the result is cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class block_detached_in_eval(Block):
    def forward(self, x):
        return super().forward(x if self.training else x.detach())


@mistake(
    "TransformerBlock",
    hint="x was changed in place (`x += ...`); the caller's tensor has to stay as it was.",
    ko="x를 제자리에서 바꾸었습니다(`x += ...`). 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class block_input_in_place(Block):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            x += 1
        return result


@mistake(
    "TransformerBlock",
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class block_always_float32(Block):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
    "TransformerBlock",
    hint="The matrices of the first call are kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
    unnamed="It answers by matrices that were drawn before any were loaded, so no other block gives its answer.",
)
class block_matrices_cached(Block):
    def projected(self, x):
        if not hasattr(self, "fused"):
            self.fused = torch.cat([layer.weight for layer in (self.W_q, self.W_k, self.W_v)]).clone()
        return tuple(heads_of(part, self.num_heads) for part in (x @ self.fused.T).chunk(3, dim=-1))


@mistake(
    "TransformerBlock",
    hint="In eval a copy of the last matrix from an earlier call is used, so what is loaded later has no effect.",
    ko="예전 호출의 마지막 행렬을 간직해 두어, 나중에 불러온 가중치가 효과가 없습니다.",
)
class block_last_matrix_cached(Block):
    def feed(self, x):
        version = self.widen.weight._version
        if getattr(self, "version", None) != version and not hasattr(self, "loaded"):
            self.version, self.matrix = version, self.narrow.weight
        return F.linear(torch.relu(self.widen(x)), self.matrix, self.narrow.bias)

    def load_state_dict(self, *args, **kwargs):
        self.loaded, self.matrix = True, self.narrow.weight.detach().clone()
        return super().load_state_dict(*args, **kwargs)


@mistake(
    "TransformerBlock",
    hint="Features that cannot be shared equally must be refused when the block is made, by ValueError or assert.",
    ko="나누어떨어지지 않는 특징 수는 블록을 만들 때 ValueError나 assert로 거절해야 합니다.",
)
class block_no_divisibility_check(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, 1, d_ff, dropout, causal)
        self.num_heads = num_heads


@mistake(
    "TransformerBlock",
    hint="The result comes with the weights; return the tokens alone.",
    ko="결과에 가중치가 함께 있습니다. 토큰만 돌려주세요.",
)
class block_returns_weights(Block):
    def forward(self, x):
        q, k, _ = self.projected(self.norm1(x))
        return super().forward(x), self.weigh(self.scores(q, k))


@mistake(
    "TransformerBlock",
    hint="Positions are added inside the block; that is done once, before the first block.",
    ko="블록 안에서 위치를 더했습니다. 그것은 첫 블록 앞에서 한 번만 합니다.",
)
class block_adds_positions(Block):
    def forward(self, x):
        return super().forward(x + torch.arange(x.shape[1], dtype=x.dtype, device=x.device)[:, None].sin())


@mistake(
    "TransformerBlock",
    hint="A single item or token loses its axis to a bare squeeze.",
    ko="항목이나 토큰이 하나이면 축을 정하지 않은 squeeze가 그 축을 없앱니다.",
)
class block_squeezed(Block):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    "TransformerBlock",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
    marks="library",
)
class block_by_library_attention(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o(joined(F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)))


@mistake(
    "TransformerBlock",
    hint="The library's layer does the whole work; this exercise asks you to write the block.",
    ko="라이브러리의 층이 일을 다 합니다. 이 문제에서는 블록을 직접 써야 합니다.",
    marks="library",
)
class block_by_library_layer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.causal = causal
        self.layer = nn.TransformerEncoderLayer(
            d_model, num_heads, d_ff, dropout, activation="relu", batch_first=True, norm_first=True
        )

    def forward(self, x):
        T = x.shape[1]
        mask = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1) if self.causal else None
        return self.layer(x, src_mask=mask)


@mistake(
    "TransformerBlock",
    hint="The first layer of the feed-forward network has no bias; both need one.",
    ko="피드포워드 신경망의 첫 층에 편향이 없습니다. 두 층 모두 필요합니다.",
)
class block_first_bias_missing(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.widen = nn.Linear(d_model, d_ff, bias=False)


@mistake(
    "TransformerBlock",
    hint="A norm without parameters stands at the end, on the residual path; nothing follows the last addition.",
    ko="끝의 잔차 경로 위에 매개변수 없는 정규화가 있습니다. 마지막 덧셈 뒤에는 아무것도 없습니다.",
)
class block_final_norm(Block):
    def forward(self, x):
        return F.layer_norm(super().forward(x), x.shape[-1:])


@mistake(
    "TransformerBlock",
    hint="The number of heads and the features of a head have changed places.",
    ko="헤드의 수와 한 헤드의 특징 수가 바뀌었습니다.",
)
class block_heads_for_features(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.num_heads = d_model // num_heads


@mistake(
    "TransformerBlock",
    hint="The values come from x itself; queries, keys and values all come from the normalised tokens.",
    ko="값을 x 자체에서 만들었습니다. 쿼리, 키, 값 모두 정규화된 토큰에서 만듭니다.",
)
class block_values_from_x(Block):
    def forward(self, x):
        q, k, _ = self.projected(self.norm1(x))
        v = heads_of(self.W_v(x), self.num_heads)
        x = x + self.dropout(self.W_o(joined(self.weigh(self.scores(q, k)) @ v)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The queries come from x itself; queries, keys and values all come from the normalised tokens.",
    ko="쿼리를 x 자체에서 만들었습니다. 쿼리, 키, 값 모두 정규화된 토큰에서 만듭니다.",
)
class block_queries_from_x(Block):
    def forward(self, x):
        _, k, v = self.projected(self.norm1(x))
        q = heads_of(self.W_q(x), self.num_heads)
        x = x + self.dropout(self.W_o(joined(self.weigh(self.scores(q, k)) @ v)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The norm is an RMSNorm: it neither subtracts the mean nor has a shift.",
    ko="정규화가 RMSNorm입니다. 평균을 빼지 않고 이동(shift)도 없습니다.",
)
class block_rms_norm_of_torch(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = nn.RMSNorm(d_model), nn.RMSNorm(d_model)


@mistake(
    "TransformerBlock",
    hint="The tokens have the mean over the other tokens taken away before the norm; a token is normalised for itself.",
    ko="정규화 앞에서 토큰들의 평균을 뺐습니다. 토큰은 저마다 따로 정규화합니다.",
)
class block_centred_over_tokens(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x - x.mean(1, keepdim=True))))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The attention runs along the batch: the axis of the items was taken for that of the tokens.",
    ko="어텐션이 배치 방향으로 돕니다. 항목 축을 토큰 축으로 썼습니다.",
)
class block_attends_along_the_batch(Block):
    def attend(self, x):
        return super().attend(x.transpose(0, 1)).transpose(0, 1)


@mistake(
    "TransformerBlock",
    hint="The sum of a residual path is halved; what is added is added as it is.",
    ko="잔차 경로의 합을 반으로 나누었습니다. 더하기만 하세요.",
)
class block_halves_the_sum(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return (x + self.dropout(self.feed(self.norm2(x)))) / 2


@mistake(
    "TransformerBlock",
    hint="Another probability than `dropout` is used: its square.",
    ko="`dropout`이 아니라 그 제곱을 확률로 씁니다.",
)
class block_probability_squared(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout**2, causal)


@mistake(
    "TransformerBlock",
    hint="The weights are dropped as asked, but what the attention gives with half the probability.",
    ko="가중치는 정해진 대로 떨어지는데, 어텐션의 결과는 절반의 확률로 떨어집니다.",
)
class block_half_probability_at_the_end(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o(joined(self.dropout(self.weigh(self.scores(q, k))) @ v))

    def forward(self, x):
        x = x + F.dropout(self.attend(self.norm1(x)), self.dropout.p / 2, self.training)
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The layer `Dropout` was given the probability to keep, 1 - dropout; it takes the one to drop.",
    ko="`Dropout`에 남길 확률(1 - dropout)을 주었습니다. 떨어뜨릴 확률을 주어야 합니다.",
)
class block_keep_probability(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, 1 - dropout, causal)


@mistake(
    "TransformerBlock",
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class block_half_at_most(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, min(dropout, 0.5), causal)


@mistake(
    "TransformerBlock",
    hint="Attention weights are dropped in eval too: F.dropout needs `training=self.training`.",
    ko="eval에서도 어텐션 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
)
class block_drops_weights_in_eval(Block):
    def weigh(self, scores):
        return F.dropout(super().weigh(scores), self.dropout.p)


@mistake(
    "TransformerBlock",
    hint="Dropout is on the scores, which makes 0 * -inf = NaN of hidden ones; it belongs on the weights after the softmax.",
    ko="dropout이 점수에 걸려 가려진 점수가 0 * -inf = NaN이 됩니다. 소프트맥스 뒤의 가중치에 거세요.",
)
class block_drops_hidden_scores(Block):
    def weigh(self, scores):
        return torch.softmax(self.dropout(self.hide(scores)), dim=-1)


@mistake(
    "TransformerBlock",
    hint="Dropout is on the scores and nowhere else, after hiding, where 0 * -inf is NaN; put it on the weights.",
    ko="dropout이 가린 뒤의 점수에만 걸려 0 * -inf = NaN이 됩니다. 소프트맥스 뒤의 가중치에 거세요.",
)
class block_drops_hidden_scores_alone(Block):
    def weigh(self, scores):
        return torch.softmax(self.dropout(self.hide(scores)), dim=-1)

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(
    "TransformerBlock",
    hint="The feed-forward network's features are dropped by one draw for all items of the batch.",
    ko="피드포워드 신경망의 특징을 배치의 모든 항목이 한 번의 추첨으로 떨어뜨립니다.",
)
class block_one_draw_for_the_output(Block):
    def weigh(self, scores):
        return self.dropout(super().weigh(scores))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        added = self.feed(self.norm2(x))
        return x + added * self.dropout(torch.ones_like(added[:1]))


@mistake(
    "TransformerBlock",
    hint="What the norm gives is dropped before the attention. Drop the weights or what the attention gives.",
    ko="정규화가 낸 값을 어텐션 앞에서 떨어뜨립니다. 가중치나 어텐션의 출력을 떨어뜨리세요.",
)
class block_norm_dropped_before_attention(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.dropout(self.norm1(x))))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="What the norm gives is dropped before the feed-forward network. Drop its inner features or what it gives.",
    ko="정규화가 낸 값을 피드포워드 앞에서 떨어뜨립니다. 안쪽 특징이나 출력을 떨어뜨리세요.",
)
class block_norm_dropped_before_feed_forward(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.feed(self.dropout(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The features inside the feed-forward network are dropped by one draw for all items of the batch.",
    ko="피드포워드 신경망 안의 특징을 배치의 모든 항목이 한 번의 추첨으로 떨어뜨립니다.",
)
class block_one_draw_for_the_hidden(Block):
    def feed(self, x):
        hidden = torch.relu(self.widen(x))
        return self.narrow(hidden * self.dropout(torch.ones_like(hidden[:1])))


@mistake(
    "TransformerBlock",
    hint="The features that the attention gives are dropped by one draw for all items of the batch.",
    ko="어텐션의 출력을 배치의 모든 항목이 한 번의 추첨으로 떨어뜨립니다.",
)
class block_one_draw_for_the_attention(Block):
    def forward(self, x):
        added = self.attend(self.norm1(x))
        x = x + added * self.dropout(torch.ones_like(added[:1]))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="There is something to learn that the output does not depend on.",
    ko="출력에 쓰이지 않는, 학습할 것이 있습니다.",
)
class block_unused_vector(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.positions = nn.Parameter(torch.zeros(d_model))


@mistake(
    "TransformerBlock",
    hint="A norm is frozen (`requires_grad_(False)`); all parameters are trained.",
    ko="정규화를 얼렸습니다(`requires_grad_(False)`). 모든 매개변수가 학습됩니다.",
    unnamed="What is frozen is taken for a constant, as a mask is, so its part looks like one that is missing.",
)
class block_norm_frozen(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1.requires_grad_(False)


@mistake(
    "TransformerBlock",
    hint="`x += ...` changes the caller's tensor; write `x = x + ...`.",
    ko="`x += ...`는 부른 쪽의 텐서를 바꿉니다. `x = x + ...`로 쓰세요.",
)
class block_plainly_in_place(Block):
    def forward(self, x):
        x += self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    "TransformerBlock",
    hint="The weights are turned into float32, which fits no float64 values: leave out `.float()`.",
    ko="가중치를 float32로 바꾸어 float64 값과 맞지 않습니다. `.float()`를 빼세요.",
)
class block_weights_in_float32(Block):
    def weigh(self, scores):
        return torch.softmax(self.hide(scores).float(), dim=-1)


@mistake(
    "TransformerBlock",
    hint="The keys are used as queries too, and the map to the queries plays no part.",
    ko="키를 쿼리로도 써서, 쿼리를 만드는 층이 쓰이지 않습니다.",
)
class block_keys_as_queries(Block):
    def projected(self, x):
        _, k, v = super().projected(x)
        return k, k, v


@mistake(
    "TransformerBlock",
    hint="The queries are used as keys too, and the map to the keys plays no part.",
    ko="쿼리를 키로도 써서, 키를 만드는 층이 쓰이지 않습니다.",
)
class block_queries_as_keys(Block):
    def projected(self, x):
        q, _, v = super().projected(x)
        return q, q, v


@mistake(
    "TransformerBlock",
    hint="Queries, keys and values come from one and the same map; each has its own.",
    ko="쿼리, 키, 값을 모두 같은 층으로 만들었습니다. 저마다 자기 층이 있어야 합니다.",
)
class block_one_map(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.W_k = self.W_v = self.W_q


@mistake(
    "TransformerBlock",
    hint="num_heads is kept on the class (`TransformerBlock.h = ...`), so the next block changes this one: use `self`.",
    ko="num_heads를 클래스에 두어(`TransformerBlock.h = ...`) 다음 블록이 이 블록을 바꿉니다. `self`에 두세요.",
)
class block_heads_on_the_class(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        del self.num_heads
        type(self).num_heads = num_heads


@mistake(
    "TransformerBlock",
    hint="An argument is kept on the class (`TransformerBlock.causal = ...`), so the next block changes this one.",
    ko="인자를 클래스에 두어(`TransformerBlock.causal = ...`) 다음 블록이 이 블록을 바꿉니다.",
    twins=("block_probability_on_the_class",),
)
class block_mask_on_the_class(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        del self.causal
        type(self).causal = causal


@mistake(
    "TransformerBlock",
    hint="The probability is kept on the class (`TransformerBlock.p = ...`), so the next block's is used here too.",
    ko="확률을 클래스에 두어(`TransformerBlock.p = ...`) 다음 블록의 확률이 여기에도 쓰입니다.",
    twins=("block_mask_on_the_class",),
)
class block_probability_on_the_class(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        type(self).p = dropout
        self.dropout = nn.Identity()

    def attend(self, x):
        return F.dropout(super().attend(x), self.p, self.training)

    def feed(self, x):
        return F.dropout(super().feed(x), self.p, self.training)


@mistake(
    "TransformerBlock",
    hint="With dropout the weights are cut off from the graph (detach), so queries and keys never learn in training.",
    ko="dropout이 있으면 가중치가 끊겨(detach) 학습 중에 쿼리와 키가 배우지 못합니다.",
)
class block_detached_under_dropout(Block):
    def weigh(self, scores):
        weights = super().weigh(scores)
        return self.dropout(weights.detach()) if self.training and self.dropout.p else weights


@mistake(
    "TransformerBlock",
    hint="With causal=False a part, such as the scores, is cut off from the graph (detach) and never learns.",
    ko="causal=False이면 점수 같은 부분이 계산 그래프에서 끊겨(detach) 배우지 못합니다.",
)
class block_detached_without_a_mask(Block):
    def weigh(self, scores):
        return super().weigh(scores if self.causal else scores.detach())


@mistake(
    "TransformerBlock",
    hint="The norm divides by a root without an eps, which is 0 for a token whose features are all equal.",
    ko="정규화에 eps가 없어, 특징이 모두 같은 토큰에서 0으로 나눕니다.",
)
class block_norm_without_eps(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            centred = x - x.mean(-1, keepdim=True)
            return self.weight * centred / x.std(-1, keepdim=True, correction=0) + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    "TransformerBlock",
    hint="Whole heads are dropped (dropout2d): the weights of a head share a draw, each needs its own.",
    ko="헤드를 통째로 떨어뜨립니다(dropout2d). 가중치마다 따로 뽑아야 합니다.",
)
class block_whole_heads_dropped(Block):
    def weigh(self, scores):
        return F.dropout2d(super().weigh(scores), self.dropout.p, self.training)


@mistake(
    "TransformerBlock",
    hint="All heads drop the same weights: one draw serves them all.",
    ko="모든 헤드가 같은 가중치를 떨어뜨립니다. 한 번의 추첨을 함께 씁니다.",
)
class block_heads_dropped_alike(Block):
    def weigh(self, scores):
        weights = super().weigh(scores)
        return weights * self.dropout(torch.ones_like(weights[:, :1]))


@mistake(
    "TransformerBlock",
    hint="Whole tokens are dropped (dropout1d) inside the feed-forward network: each number needs a draw of its own.",
    ko="피드포워드 안에서 토큰을 통째로 떨어뜨립니다(dropout1d). 숫자마다 따로 뽑아야 합니다.",
)
class block_whole_tokens_dropped(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        hidden = torch.relu(self.widen(self.norm2(x)))
        return x + self.narrow(F.dropout1d(hidden, self.dropout.p, self.training))


@mistake(
    "TransformerBlock",
    hint="All tokens of an item drop the same features: one draw serves them all.",
    ko="한 항목의 모든 토큰이 같은 특징을 떨어뜨립니다. 한 번의 추첨을 함께 씁니다.",
    twins=("block_whole_heads_dropped",),
)
class block_tokens_dropped_alike(Block):
    def feed(self, x):
        hidden = torch.relu(self.widen(x))
        return self.narrow(hidden * self.dropout(torch.ones_like(hidden[:, :1])))


@mistake(
    "TransformerBlock",
    hint="What a sublayer adds is dropped for a whole item at once (DropPath); every number is dropped for itself.",
    ko="하위 층이 더하는 것을 항목째로 떨어뜨립니다(DropPath). 숫자마다 따로 떨어뜨려야 합니다.",
)
class block_drop_path(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x)) * self.dropout(torch.ones_like(x[:, :1, :1]))


@mistake(
    "TransformerBlock",
    hint="The mask is a buffer of a fixed length; any number of tokens has to work.",
    ko="마스크가 길이가 정해진 버퍼입니다. 토큰이 몇 개든 되어야 합니다.",
    twins=("block_limited_length",),
)
class block_buffer_of_fixed_length(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.register_buffer("future", torch.ones(1024, 1024, dtype=torch.bool).triu(1), persistent=False)

    def hide(self, scores):
        T = scores.shape[-1]
        return scores.masked_fill(self.future[:T, :T], float("-inf")) if self.causal else scores


@mistake(
    "TransformerBlock",
    hint="What attention gives is scaled by a parameter that is not asked for.",
    ko="어텐션의 출력에 요구하지 않은 매개변수를 곱했습니다.",
)
class block_scaled_attention(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.alpha = nn.Parameter(torch.ones(1))

    def attend(self, x):
        return self.alpha * super().attend(x)


@mistake(
    "TransformerBlock",
    hint="The root of head_dim is turned into a whole number, which changes the divisor.",
    ko="head_dim의 제곱근을 정수로 바꾸어 나누는 수가 달라졌습니다.",
)
class block_by_whole_root(Block):
    def scores(self, q, k):
        return q @ k.mT / int(math.sqrt(q.shape[-1]))


@mistake(
    "TransformerBlock",
    hint="A ReLU stands behind the second layer of the feed-forward network as well; only one between them is asked for.",
    ko="피드포워드의 둘째 층 뒤에도 ReLU가 있습니다. 두 층 사이의 하나뿐이어야 합니다.",
)
class block_relu_at_the_end(Block):
    def feed(self, x):
        return torch.relu(super().feed(x))


@mistake(
    "TransformerBlock",
    hint="In eval, two tokens see each other: the mask is left out there.",
    ko="eval에서 토큰이 둘이면 서로를 봅니다. 마스크가 빠졌습니다.",
    unnamed="It shows at two tokens in eval alone, in the words of any other wrong answer there.",
)
class block_two_tokens_unmasked_in_eval(Block):
    def hide(self, scores):
        return super().hide(scores) if self.training or scores.shape[-1] != 2 else scores


@right(
    "TransformerBlock",
    why="modules of its own for the parts, biases everywhere, dropout in four places, a mask that grows",
)
class block_of_modules(nn.Module):
    class Heads(nn.Module):
        def __init__(self, d_model, num_heads, p, causal):
            super().__init__()
            assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
            self.num_heads, self.causal = num_heads, causal
            self.qkv = nn.Linear(d_model, 3 * d_model)
            self.proj = nn.Linear(d_model, d_model)
            self.attn_drop, self.proj_drop = nn.Dropout(p), nn.Dropout(p)
            self.register_buffer("mask", torch.tril(torch.ones(1024, 1024)).view(1, 1, 1024, 1024), persistent=False)

        def forward(self, x):
            B, T, d = x.shape
            if self.mask.shape[-1] < T:
                self.mask = torch.tril(torch.ones(T, T)).view(1, 1, T, T)
            q, k, v = self.qkv(x).reshape(B, T, 3, self.num_heads, d // self.num_heads).permute(2, 0, 3, 1, 4)
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            if self.causal:
                scores = scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
            weights = self.attn_drop(F.softmax(scores, dim=-1))
            return self.proj_drop(self.proj((weights @ v).transpose(1, 2).contiguous().view(B, T, d)))

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        self.ln_1 = nn.LayerNorm(d_model)
        self.attn = self.Heads(d_model, num_heads, dropout, causal)
        self.ln_2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model), nn.Dropout(dropout)
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


@right("TransformerBlock", why="one module for each head, dropout on the weights alone, a layer norm of its own")
class block_of_heads(nn.Module):
    class Norm(nn.Module):
        def __init__(self, d):
            super().__init__()
            self.beta, self.gamma = nn.Parameter(torch.zeros(1, 1, d)), nn.Parameter(torch.ones(1, 1, d))

        def forward(self, x):
            centred = x - x.mean(dim=-1, keepdim=True)
            return self.gamma * centred / torch.sqrt((centred**2).mean(dim=-1, keepdim=True) + 1e-6) + self.beta

    class Head(nn.Module):
        def __init__(self, d, size, p, causal):
            super().__init__()
            self.value, self.key, self.query = (nn.Linear(d, size, bias=False) for _ in range(3))
            self.drop, self.causal = nn.Dropout(p), causal

        def forward(self, x):
            scores = torch.einsum("bid,bjd->bij", self.query(x), self.key(x)) * self.key.out_features**-0.5
            if self.causal:
                scores = scores + torch.full(scores.shape[1:], -1e9, dtype=x.dtype, device=x.device).triu(1)
            return self.drop(scores.softmax(-1)) @ self.value(x)

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.second, self.first = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)
        self.mix = nn.Linear(d_model, d_model)
        size = d_model // num_heads
        self.heads = nn.ModuleList([self.Head(d_model, size, dropout, causal) for _ in range(num_heads)])
        self.after, self.before = self.Norm(d_model), self.Norm(d_model)

    def forward(self, x):
        y = self.before(x)
        x = x + self.mix(torch.cat([head(y) for head in self.heads], dim=-1))
        return x + self.second(self.first(self.after(x)).clamp(min=0))


@right(
    "TransformerBlock", why="plain matrices multiplied from the right, queries, keys and values of a head side by side"
)
class block_of_matrices(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.h, self.p, self.causal = num_heads, dropout, causal
        self.W = nn.Parameter(torch.randn(d_model, 3 * d_model) / d_model**0.5)
        self.W_out = nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model, eps=1e-6) for _ in range(2))
        self.ff = nn.ModuleList([nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)])

    def forward(self, x):
        q, k, v = (self.norms[0](x) @ self.W).unflatten(-1, (self.h, -1)).transpose(1, 2).chunk(3, dim=-1)
        scores = (q @ k.mT / q.size(-1) ** 0.5).double()
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        if self.causal:
            weights = weights.tril()
        weights = (weights / weights.sum(-1, keepdim=True)).to(x.dtype)
        attended = (weights @ v).transpose(1, 2).flatten(2) @ self.W_out
        x = x + F.dropout(attended, self.p, self.training)
        return x + self.ff[1](
            F.dropout(
                F.relu(self.ff[0](F.layer_norm(x, x.shape[-1:], *self.norms[1].parameters()))), self.p, self.training
            )
        )


@right("TransformerBlock", why="a layer for each head, every second of them with a bias")
class block_of_uneven_heads(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        size = d_model // num_heads
        self.scale, self.causal = size**-0.5, causal
        self.heads = nn.ModuleList(nn.Linear(d_model, 3 * size, bias=bool(h % 2)) for h in range(num_heads))
        self.out = nn.Linear(d_model, d_model)
        self.n1, self.n2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.l1, self.l2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        y, found = self.n1(x), []
        for head in self.heads:
            q, k, v = head(y).chunk(3, dim=-1)
            scores = q @ k.mT * self.scale
            if self.causal:
                scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
            found.append(self.drop(scores.softmax(-1)) @ v)
        x = x + self.out(torch.cat(found, dim=-1))
        return x + self.drop(self.l2(self.drop(self.l1(self.n2(x)).relu())))


@right("TransformerBlock", why="biases of queries, keys and values in the rows of one matrix")
class block_with_biases_in_rows(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.rows = nn.Parameter(torch.zeros(3, d_model))

    def projected(self, x):
        layers = zip((self.W_q, self.W_k, self.W_v), self.rows, strict=True)
        return tuple(heads_of(layer(x) + row, self.num_heads) for layer, row in layers)


@right("TransformerBlock", why="one fused map whose bias is kept by head")
class block_with_biases_by_head(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.heads, self.causal = num_heads, causal
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.b = nn.Parameter(torch.zeros(3, num_heads, d_model // num_heads))
        self.proj = nn.Linear(d_model, d_model)
        self.ln_1, self.ln_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model), nn.Dropout(dropout))

    def forward(self, x):
        B, T, C = x.shape
        parts = self.qkv(self.ln_1(x)).view(B, T, 3, self.heads, C // self.heads) + self.b
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * (C // self.heads) ** -0.5
        if self.causal:
            scores = scores.masked_fill(torch.ones(T, T, device=x.device).tril() == 0, float("-inf"))
        x = x + self.proj((F.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln_2(x))


@right(
    "TransformerBlock",
    why="interleaved heads, keys and values in one layer, the library's mask, a bias on the last map",
)
class block_of_interleaved_heads(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.causal = num_heads, causal
        self.to_kv = nn.Linear(d_model, 2 * d_model, bias=False)
        self.to_q = nn.Linear(d_model, d_model, bias=False)
        self.to_out = nn.Sequential(nn.Linear(d_model, d_model), nn.Dropout(dropout))
        self.norm_b, self.norm_a = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.Dropout(dropout), nn.ReLU(), nn.Linear(d_ff, d_model))

    def forward(self, x):
        residual = x
        y = self.norm_a(x)
        q, k, v = (part.unflatten(-1, (-1, self.num_heads)) for part in (self.to_q(y), *self.to_kv(y).chunk(2, -1)))
        scores = torch.einsum("bidh,bjdh->bhij", q, k) / math.sqrt(q.shape[2])
        if self.causal:
            scores = scores + nn.Transformer.generate_square_subsequent_mask(x.shape[1], x.device, x.dtype)
        y = torch.einsum("bhij,bjdh->bidh", torch.softmax(scores, dim=-1), v).flatten(2)
        residual = residual + self.to_out(y)
        return residual + self.net(self.norm_b(residual))


@right("TransformerBlock", why="three-dimensional parameters for the heads, log_softmax, a result that is a view")
class block_of_einsum_heads(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert not d_model % num_heads
        size = d_model // num_heads
        self.query, self.key, self.value = (nn.Parameter(torch.randn(num_heads, d_model, size) * 0.1) for _ in range(3))
        self.out = nn.Parameter(torch.randn(num_heads, size, d_model) * 0.1)
        self.out_bias = nn.Parameter(torch.zeros(d_model))
        self.l1, self.l2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.n1, self.n2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout) if dropout else nn.Identity()
        self.causal = causal

    def forward(self, x):
        y = self.n1(x)
        q, k, v = (torch.einsum("btd,hde->bhte", y, part) for part in (self.query, self.key, self.value))
        scores = torch.einsum("bhie,bhje->bhij", q / q.shape[-1] ** 0.25, k / q.shape[-1] ** 0.25)
        if self.causal:
            order = torch.arange(x.shape[1], device=x.device)
            scores = torch.where(order[:, None] >= order, scores, torch.finfo(x.dtype).min)
        weights = torch.log_softmax(scores, dim=-1).exp()
        x = x + self.drop(torch.einsum("bhij,bhje,hed->bid", weights, v, self.out) + self.out_bias)
        return (x + self.drop(self.l2(self.l1(self.n2(x)).relu_()))).mT.contiguous().mT


@right("TransformerBlock", why="a loop over the queries, its own norm, in-place additions to tensors of its own")
class block_by_loop(Block):
    bias = True

    def attend(self, x):
        q, k, v = self.projected(x)
        rows = []
        for i in range(x.shape[1]):
            seen = i + 1 if self.causal else x.shape[1]
            scores = (q[:, :, i : i + 1] * k[:, :, :seen]).sum(-1) / math.sqrt(q.shape[-1])  # (B, H, seen)
            rows.append((torch.softmax(scores, dim=-1).unsqueeze(-1) * v[:, :, :seen]).sum(2))  # (B, H, head_dim)
        return self.W_o(torch.stack(rows, dim=1).flatten(2))

    def forward(self, x):
        out = x.clone()
        out += self.dropout(self.attend(self.norm1(x)))
        return out + self.dropout(self.feed(self.norm2(out)))
