"""Wrong answers to `split_heads`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import mistake, solution


@mistake(
    marks="slip",
    hint="Neighbouring features belong to the same head: the head is the slower of the two new axes.",
    ko="이웃한 특징은 같은 헤드에 속합니다. 새 두 축 가운데 헤드가 더 느리게 변하는 축입니다.",
)
def split_interleaved(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, d_model // num_heads, num_heads).permute(0, 3, 1, 2)


@mistake(
    marks="slip",
    hint="The features are cut, but the heads do not stand before the tokens yet: swap those two axes.",
    ko="특징은 나누었지만 헤드 축이 아직 토큰 축보다 뒤에 있습니다. 두 축을 바꾸세요.",
)
def split_without_transposing(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads)


@mistake(
    marks="slip",
    hint="A reshape straight to (B, H, T, head_dim) mixes tokens and features: cut the features first, then swap axes.",
    ko="(B, H, T, head_dim)으로 바로 reshape하면 토큰과 특징이 섞입니다. 먼저 특징을 나누고 그다음 축을 바꾸세요.",
)
def split_straight_to_heads(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, num_heads, T, d_model // num_heads)


@mistake(
    hint="You swapped the last two axes; the heads have to change places with the tokens.",
    ko="마지막 두 축을 바꾸었습니다. 헤드 축과 토큰 축이 자리를 바꾸어야 합니다.",
)
def split_wrong_axes_swapped(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(2, 3)


@mistake(
    hint="This is the layout of transposed keys, (B, H, head_dim, T); the tokens come before the features.",
    ko="이것은 전치된 키의 배치 (B, H, head_dim, T)입니다. 토큰 축이 특징 축보다 먼저입니다.",
)
def split_as_transposed_keys(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).permute(0, 2, 3, 1)


@mistake(
    marks="slip",
    hint="The heads come out in reverse order: head 0 holds the first features.",
    ko="헤드의 순서가 거꾸로입니다. 0번 헤드가 첫 특징들을 가집니다.",
)
def split_heads_reversed(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2).flip(1)


@mistake(
    hint="Every head got all features; it should get its own share of them only.",
    ko="모든 헤드가 전체 특징을 받았습니다. 각 헤드는 자기 몫만 받아야 합니다.",
)
def split_every_head_sees_all(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x[:, None].expand(-1, num_heads, -1, -1)


@mistake(
    hint="The heads stand before the batch; the batch axis stays first.",
    ko="헤드 축이 배치 축보다 앞에 있습니다. 배치 축이 맨 앞입니다.",
)
def split_heads_before_batch(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).permute(2, 0, 1, 3)


@mistake(hint="Raise ValueError if features don't divide evenly.", ko="나누어떨어지지 않으면 ValueError를 내세요.")
def split_no_divisibility_check(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    hint="An assert raises AssertionError; here a ValueError is asked for.",
    ko="assert는 AssertionError를 일으킵니다. 여기서는 ValueError가 필요합니다.",
)
def split_asserts(x, num_heads):
    B, T, d_model = x.shape
    assert d_model % num_heads == 0, "not divisible"
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
    marks="point",
)
def split_detached(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.detach().reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def split_into_float32(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    heads = torch.zeros(B, num_heads, T, d_model // num_heads)
    for h in range(num_heads):
        heads[:, h] = x[..., h * heads.shape[-1] : (h + 1) * heads.shape[-1]]
    return heads


@mistake(hint="Operations that end in `_` change the tensor.", ko="`_`로 끝나는 연산은 텐서를 바꿉니다.", marks="point")
def split_in_place(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.transpose_(1, 2).chunk(num_heads, dim=1), dim=1).transpose(2, 3)


@mistake(hint="This is the input as it came.", ko="받은 입력 그대로입니다.", marks="trivial")
def split_nothing_done(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.clone()


@mistake(hint="The new axes have changed sizes: (H, head_dim) is asked for.", ko="나눈 두 축의 크기가 뒤바뀌었습니다.")
def split_into_head_dim_heads(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, d_model // num_heads, num_heads).transpose(1, 2)


@mistake(
    marks="device",
    hint="The heads are moved to the CPU.",
    ko="헤드를 CPU로 옮겼습니다.",
)
def split_on_the_cpu(x, num_heads):
    return solution.split_heads(x, num_heads).cpu()
