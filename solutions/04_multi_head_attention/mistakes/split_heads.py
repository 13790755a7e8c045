"""Wrong answers to `split_heads`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import mistake


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


@mistake(
    hint="Check the divisibility yourself and raise ValueError, before a reshape fails with a message of its own.",
    ko="reshape이 실패하기 전에 나누어떨어지는지 직접 확인하고 ValueError를 일으키세요.",
)
def split_no_divisibility_check(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    hint="Features that do not fit were dropped silently; raise ValueError instead.",
    ko="맞지 않는 특징을 말없이 버렸습니다. 대신 ValueError를 일으키세요.",
)
def split_drops_the_rest(x, num_heads):
    B, T, d_model = x.shape
    head_dim = d_model // num_heads
    return x[..., : num_heads * head_dim].reshape(B, T, num_heads, head_dim).transpose(1, 2)


@mistake(
    hint="An assert raises AssertionError; here a ValueError is asked for.",
    ko="assert는 AssertionError를 일으킵니다. 여기서는 ValueError가 필요합니다.",
)
def split_asserts(x, num_heads):
    B, T, d_model = x.shape
    assert d_model % num_heads == 0, "not divisible"
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    marks="point",
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
)
def split_detached(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.detach().reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def split_into_float32(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    heads = torch.zeros(B, num_heads, T, d_model // num_heads)
    for h in range(num_heads):
        heads[:, h] = x[..., h * heads.shape[-1] : (h + 1) * heads.shape[-1]]
    return heads


@mistake(
    marks="point",
    hint="An operation that ends in an underscore changes the caller's tensor itself; use the one without it.",
    ko="밑줄로 끝나는 연산은 부른 쪽의 텐서를 바꿉니다. 밑줄이 없는 연산을 쓰세요.",
)
def split_in_place(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.transpose_(1, 2).chunk(num_heads, dim=1), dim=1).transpose(2, 3)


@mistake(
    hint="With a single token the heads and the tokens keep their old places: swap the two axes in every case.",
    ko="토큰이 하나일 때 헤드 축과 토큰 축이 그대로입니다. 어느 경우에나 두 축을 바꾸세요.",
)
def split_single_token_left(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    heads = x.reshape(B, T, num_heads, d_model // num_heads)
    return heads if T == 1 else heads.transpose(1, 2)


@mistake(
    hint="Where the batch is as large as the number of heads, the two axes are mixed up: go by position, not by size.",
    ko="배치 크기와 헤드 수가 같으면 두 축이 뒤섞입니다. 크기가 아니라 자리로 축을 정하세요.",
)
def split_batch_taken_for_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    heads = torch.stack(x.chunk(num_heads, dim=-1))
    return heads if heads.shape[0] == x.shape[0] else heads.transpose(0, 1)


@mistake(
    hint="The number of tokens is checked; it is the number of features that the heads share.",
    ko="토큰의 수를 검사했습니다. 헤드가 나누어 갖는 것은 특징입니다.",
    unnamed="It raises its own error, in words of its own, wherever the tokens cannot be shared.",
)
def split_checks_the_tokens(x, num_heads):
    B, T, d_model = x.shape
    if T % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    hint="The new axes are cut in the wrong order, so the place in the head comes where the heads belong.",
    ko="새 축을 나눈 순서가 바뀌어 헤드가 있을 자리에 헤드 안의 위치가 있습니다.",
)
def split_sizes_exchanged(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, d_model // num_heads, num_heads).transpose(1, 2)


@mistake(
    hint="Items and heads were folded into one axis; the heads have an axis of their own.",
    ko="배치와 헤드를 한 축으로 합쳤습니다. 헤드에 축이 따로 있어야 합니다.",
)
def split_folded_into_batch(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, -1).transpose(1, 2).reshape(B * num_heads, T, -1)


@mistake(
    hint="The heads come in a list; stack them along a new axis.",
    ko="헤드가 리스트로 나옵니다. 새 축을 따라 쌓으세요.",
)
def split_into_a_list(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return list(x.chunk(num_heads, dim=-1))


@mistake(
    hint="The tokens were shared out instead of the features: cut along the last axis.",
    ko="특징이 아니라 토큰을 나누었습니다. 마지막 축을 따라 나누세요.",
)
def split_tokens_shared_out(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.chunk(num_heads, 1), 1)


@mistake(
    hint="The batch size is written as 1; take it from the shape of x.",
    ko="배치 크기를 1로 적었습니다. x의 모양에서 가져오세요.",
)
def split_batch_of_one(x, num_heads):
    _B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.view(1, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    hint="Batch and tokens changed places in the view, which mixes items and tokens.",
    ko="view에서 배치와 토큰의 자리를 바꾸어 항목과 토큰이 섞였습니다.",
)
def split_tokens_before_batch(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.view(T, B, num_heads, d_model // num_heads).permute(1, 2, 0, 3)


@mistake(
    hint="This is the input as it came.",
    ko="받은 입력 그대로입니다.",
    marks="trivial",
)
def split_nothing_done(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.clone()


@mistake(
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
def split_zeros(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.new_zeros(x.shape[0], num_heads, x.shape[1], x.shape[2] // num_heads)
