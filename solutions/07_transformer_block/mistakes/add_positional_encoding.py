"""Wrong answers to `add_positional_encoding`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import helper, mistake, solution


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


@helper
def encoding_of(seq_len, d_model):
    return table_of(seq_len, d_model, divisors_of(d_model))


@mistake(hint="The tokens come back as they were.", ko="토큰이 그대로 나옵니다.", marks="trivial")
def add_nothing(x):
    even(x.shape[-1])
    return x.clone()


@mistake(
    hint="The positions run along the batch: all tokens of an item get the same encoding.",
    ko="위치를 배치 방향으로 세었습니다. 한 항목의 모든 토큰에 같은 인코딩이 더해집니다.",
    marks="slip",
)
def add_along_the_batch(x):
    return x + encoding_of(x.shape[0], x.shape[2]).to(x.dtype).unsqueeze(1)


@mistake(hint="x is not scaled here.", ko="여기서는 x에 아무것도 곱하지 않습니다.", marks="slip")
def add_scaled(x):
    return x * math.sqrt(x.shape[2]) + encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(hint="x is multiplied by the encoding; add it.", ko="x에 인코딩을 곱했습니다. 더하세요.")
def add_multiplies(x):
    return x * encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(hint="Only the encoding is returned, without x.", ko="x 없이 인코딩만 돌려줍니다.", marks="trivial")
def add_returns_the_table(x):
    return encoding_of(*x.shape[1:]).to(x.dtype).expand_as(x)


@mistake(hint="Every token gets the first position's encoding.", ko="모두 첫 위치의 인코딩입니다.")
def add_first_position(x):
    return x + encoding_of(1, x.shape[2]).to(x.dtype)


@mistake(hint="Sines and cosines have to alternate.", ko="사인과 코사인을 번갈아 놓으세요.")
def add_halves(x):
    T, d_model = x.shape[1:]
    even(d_model)
    angles = torch.arange(T, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return x + torch.cat([angles.sin(), angles.cos()], dim=-1).to(x.dtype)


@mistake(hint="The exponent is 2i / d_model for the pair i.", ko="i번 쌍의 지수는 2i / d_model입니다.")
def add_wrong_exponent(x):
    T, d_model = x.shape[1:]
    return x + table_of(T, d_model, 10000.0 ** (torch.arange(d_model // 2) / d_model)).to(x.dtype)


@mistake(hint="The encoding is added to the first item only.", ko="첫 항목에만 인코딩을 더했습니다.")
def add_first_item_only(x):
    return torch.cat([x[:1] + encoding_of(*x.shape[1:]).to(x.dtype), x[1:]])


@mistake(hint="A batch axis of its own is in front of the result.", ko="결과 앞에 배치 축이 하나 더 있습니다.")
def add_extra_axis(x):
    return (x + encoding_of(*x.shape[1:]).to(x.dtype)).unsqueeze(0)


@mistake(hint="A bare `squeeze` also removes axes that you need.", ko="축 없는 `squeeze`는 필요한 축도 없앱니다.")
def add_squeezed(x):
    return (x + encoding_of(*x.shape[1:]).to(x.dtype)).squeeze()


@mistake(
    hint="float32 plus a narrower dtype gives float32: turn the encoding into the dtype of x.",
    ko="float32에 더 좁은 dtype을 더하면 float32가 됩니다. 인코딩을 x의 dtype으로 바꾸세요.",
)
def add_promotes(x):
    return x + encoding_of(*x.shape[1:])


@mistake(hint="Always float32: keep the dtype of x.", ko="결과가 항상 float32입니다. x의 dtype을 지키세요.")
def add_always_float32(x):
    return x.float() + encoding_of(*x.shape[1:])


@mistake(
    hint="The encoding is computed in the dtype of x, and a narrow one cannot hold the angles: make it in float32, then turn it.",
    ko="인코딩을 x의 dtype으로 계산했습니다. 좁은 dtype은 각도를 담지 못하니 float32로 만든 다음 바꾸세요.",
)
def add_angles_in_dtype_of_x(x):
    T, d_model = x.shape[1:]
    even(d_model)
    positions = torch.arange(T, dtype=x.dtype, device=x.device)[:, None]
    angles = positions / 10000.0 ** (torch.arange(0, d_model, 2, dtype=x.dtype, device=x.device) / d_model)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@mistake(hint="The first position is 0, not 1.", ko="첫 위치는 1이 아니라 0입니다.", marks="slip")
def add_counts_from_one(x):
    return x + encoding_of(x.shape[1] + 1, x.shape[2])[1:].to(x.dtype)


@mistake(hint="x is changed in place (`x += ...`); leave it.", ko="x를 제자리에서 바꾸었습니다.", marks="point")
def add_in_place(x):
    with torch.no_grad():
        x += encoding_of(*x.shape[1:]).to(x.dtype)
    return x * 1


@mistake(hint="With detach, no gradient reaches x.", ko="x에 그래디언트가 닿지 않습니다(detach).", marks="point")
def add_detached(x):
    return x.detach() + encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(hint="An odd d_model has to raise ValueError.", ko="홀수 d_model은 ValueError입니다.")
def add_odd_accepted(x):
    T, d_model = x.shape[1:]
    angles = torch.arange(T, dtype=torch.float32)[:, None] / divisors_of(d_model)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].to(x.dtype)


@mistake(hint="Add the encoding, do not subtract it.", ko="인코딩을 빼지 말고 더하세요.")
def add_subtracted(x):
    return x - encoding_of(*x.shape[1:]).to(x.dtype)


@mistake(hint="Add the encoding; a cat makes more features.", ko="cat이 아니라 덧셈입니다.")
def add_side_by_side(x):
    return torch.cat([x, encoding_of(*x.shape[1:]).to(x.dtype).expand_as(x)], dim=-1)


@mistake(hint="Sine and cosine are swapped: sines come first.", ko="사인과 코사인이 바뀌었습니다. 사인이 먼저입니다.")
def add_sine_and_cosine_swapped(x):
    return x + encoding_of(*x.shape[1:]).to(x.dtype).unflatten(-1, (-1, 2)).flip(-1).flatten(-2)


@mistake(hint="The sum is not normalized here.", ko="여기서는 합을 정규화하지 않습니다.")
def add_and_normalize(x):
    return torch.nn.functional.layer_norm(x + encoding_of(*x.shape[1:]).to(x.dtype), x.shape[-1:])


@mistake(hint="x is changed in place (`x += ...`); leave it.", ko="x를 제자리에서 바꾸었습니다.", marks="point")
def add_onto_x(x):
    x += encoding_of(*x.shape[1:]).to(x.dtype)
    return x


@mistake(hint="The encoding is scaled; add it as it is.", ko="인코딩에 수를 곱하지 말고 그대로 더하세요.")
def add_encoding_by_root(x):
    return x + (encoding_of(*x.shape[1:]) / x.shape[-1] ** 0.5).to(x.dtype)


@mistake(hint="The positions run backwards.", ko="위치가 거꾸로 매겨졌습니다.")
def add_backwards(x):
    return x + encoding_of(*x.shape[1:]).flip(0).to(x.dtype)


@mistake(
    marks="device",
    hint="The table is made on the CPU: move it to x.device.",
    ko="표를 CPU에서 만들었습니다. x.device로 옮기세요.",
)
def add_table_on_the_cpu(x):
    return x + solution.positional_encoding(*x.shape[1:]).to(x.dtype)
