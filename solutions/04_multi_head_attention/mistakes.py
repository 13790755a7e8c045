"""Wrong variants by name, each with the hint that a student gets, and right ones in other styles.

The wrong ones prove that the suite sees them and name a student's mistake; the right ones prove that the suite asks for
the result and not for a way of writing it.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, right, solution

# --- split_heads ------------------------------------------------------------------------------------------------------


@mistake(
    "split_heads",
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
    "split_heads",
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
    "split_heads",
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
    "split_heads",
    hint="You swapped the last two axes; the heads have to change places with the tokens.",
    ko="마지막 두 축을 바꾸었습니다. 헤드 축과 토큰 축이 자리를 바꾸어야 합니다.",
)
def split_wrong_axes_swapped(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(2, 3)


@mistake(
    "split_heads",
    hint="This is the layout of transposed keys, (B, H, head_dim, T); the tokens come before the features.",
    ko="이것은 전치된 키의 배치 (B, H, head_dim, T)입니다. 토큰 축이 특징 축보다 먼저입니다.",
)
def split_as_transposed_keys(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).permute(0, 2, 3, 1)


@mistake(
    "split_heads",
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
    "split_heads",
    hint="Every head got all features; it should get its own share of them only.",
    ko="모든 헤드가 전체 특징을 받았습니다. 각 헤드는 자기 몫만 받아야 합니다.",
)
def split_every_head_sees_all(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x[:, None].expand(-1, num_heads, -1, -1)


@mistake(
    "split_heads",
    hint="The heads stand before the batch; the batch axis stays first.",
    ko="헤드 축이 배치 축보다 앞에 있습니다. 배치 축이 맨 앞입니다.",
)
def split_heads_before_batch(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, d_model // num_heads).permute(2, 0, 1, 3)


@mistake(
    "split_heads",
    hint="Check the divisibility yourself and raise ValueError, before a reshape fails with a message of its own.",
    ko="reshape이 실패하기 전에 나누어떨어지는지 직접 확인하고 ValueError를 일으키세요.",
)
def split_no_divisibility_check(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    "split_heads",
    hint="Features that do not fit were dropped silently; raise ValueError instead.",
    ko="맞지 않는 특징을 말없이 버렸습니다. 대신 ValueError를 일으키세요.",
)
def split_drops_the_rest(x, num_heads):
    B, T, d_model = x.shape
    head_dim = d_model // num_heads
    return x[..., : num_heads * head_dim].reshape(B, T, num_heads, head_dim).transpose(1, 2)


@mistake(
    "split_heads",
    hint="An assert raises AssertionError; here a ValueError is asked for.",
    ko="assert는 AssertionError를 일으킵니다. 여기서는 ValueError가 필요합니다.",
)
def split_asserts(x, num_heads):
    B, T, d_model = x.shape
    assert d_model % num_heads == 0, "not divisible"
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    "split_heads",
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
    "split_heads",
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
    "split_heads",
    marks="point",
    hint="An operation that ends in an underscore changes the caller's tensor itself; use the one without it.",
    ko="밑줄로 끝나는 연산은 부른 쪽의 텐서를 바꿉니다. 밑줄이 없는 연산을 쓰세요.",
)
def split_in_place(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.transpose_(1, 2).chunk(num_heads, dim=1), dim=1).transpose(2, 3)


@mistake(
    "split_heads",
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
    "split_heads",
    hint="Where the batch is as large as the number of heads, the two axes are mixed up: go by position, not by size.",
    ko="배치 크기와 헤드 수가 같으면 두 축이 뒤섞입니다. 크기가 아니라 자리로 축을 정하세요.",
)
def split_batch_taken_for_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    heads = torch.stack(x.chunk(num_heads, dim=-1))
    return heads if heads.shape[0] == x.shape[0] else heads.transpose(0, 1)


@mistake(
    "split_heads",
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
    "split_heads",
    hint="The new axes are cut in the wrong order, so the place in the head comes where the heads belong.",
    ko="새 축을 나눈 순서가 바뀌어 헤드가 있을 자리에 헤드 안의 위치가 있습니다.",
)
def split_sizes_exchanged(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, d_model // num_heads, num_heads).transpose(1, 2)


@mistake(
    "split_heads",
    hint="Items and heads were folded into one axis; the heads have an axis of their own.",
    ko="배치와 헤드를 한 축으로 합쳤습니다. 헤드에 축이 따로 있어야 합니다.",
)
def split_folded_into_batch(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, -1).transpose(1, 2).reshape(B * num_heads, T, -1)


@mistake(
    "split_heads",
    hint="The heads come in a list; stack them along a new axis.",
    ko="헤드가 리스트로 나옵니다. 새 축을 따라 쌓으세요.",
)
def split_into_a_list(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return list(x.chunk(num_heads, dim=-1))


@mistake(
    "split_heads",
    hint="The tokens were shared out instead of the features: cut along the last axis.",
    ko="특징이 아니라 토큰을 나누었습니다. 마지막 축을 따라 나누세요.",
)
def split_tokens_shared_out(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.chunk(num_heads, 1), 1)


@mistake(
    "split_heads",
    hint="The batch size is written as 1; take it from the shape of x.",
    ko="배치 크기를 1로 적었습니다. x의 모양에서 가져오세요.",
)
def split_batch_of_one(x, num_heads):
    _B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.view(1, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    "split_heads",
    hint="Batch and tokens changed places in the view, which mixes items and tokens.",
    ko="view에서 배치와 토큰의 자리를 바꾸어 항목과 토큰이 섞였습니다.",
)
def split_tokens_before_batch(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.view(T, B, num_heads, d_model // num_heads).permute(1, 2, 0, 3)


@right("split_heads", why="a view, which can split an axis whatever the layout")
def split_by_view(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.view(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@mistake(
    "split_heads",
    hint="This is the input as it came.",
    ko="받은 입력 그대로입니다.",
    marks="trivial",
)
def split_nothing_done(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.clone()


@mistake(
    "split_heads",
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
def split_zeros(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.new_zeros(x.shape[0], num_heads, x.shape[1], x.shape[2] // num_heads)


@right("split_heads", why="unflatten and a permutation")
def split_unflatten(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)


@right("split_heads", why="chunks of the features, stacked")
def split_by_chunks(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


@right("split_heads", why="a loop over the heads into a tensor of its own")
def split_by_loop(x, num_heads):
    B, T, d_model = x.shape
    head_dim, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(d_model, num_heads)
    heads = x.new_empty(B, num_heads, T, head_dim)
    for h in range(num_heads):
        heads[:, h] = x[:, :, h * head_dim : (h + 1) * head_dim]
    return heads


@right("split_heads", why="a view, made contiguous, with an error class of its own derived from ValueError")
def split_contiguous(x, num_heads):
    class Indivisible(ValueError):
        pass

    B, T, d_model = x.size()
    if d_model % num_heads != 0:
        raise Indivisible(f"{d_model} / {num_heads}")
    return x.view(B, T, num_heads, d_model // num_heads).swapaxes(1, 2).contiguous()


# --- merge_heads ------------------------------------------------------------------------------------------------------


@mistake(
    "merge_heads",
    marks="slip",
    hint="Without moving the axes first, token 0 gets head 0 of several tokens: bring the heads next to the features.",
    ko="축을 먼저 옮기지 않으면 0번 토큰에 여러 토큰의 0번 헤드가 들어갑니다. 헤드 축을 특징 축 옆으로 옮기세요.",
)
def merge_without_transposing(x):
    B, H, T, head_dim = x.shape
    return x.reshape(B, T, H * head_dim)


@mistake(
    "merge_heads",
    hint="`view` cannot follow a swap of axes, as the numbers still lie in the old order: use contiguous or reshape.",
    ko="축을 바꾼 뒤에는 숫자가 예전 순서로 놓여 있어 view를 쓸 수 없습니다. contiguous나 reshape을 쓰세요.",
)
def merge_view_on_swapped(x):
    B, H, T, head_dim = x.shape
    return x.transpose(1, 2).view(B, T, H * head_dim)


@mistake(
    "merge_heads",
    hint="The heads were averaged; they are to stand side by side.",
    ko="헤드를 평균했습니다. 나란히 놓아야 합니다.",
)
def merge_mean(x):
    return x.mean(dim=1)


@mistake(
    "merge_heads",
    hint="The heads were added up; they are to stand side by side.",
    ko="헤드를 더했습니다. 나란히 놓아야 합니다.",
)
def merge_sum(x):
    return x.sum(dim=1)


@mistake(
    "merge_heads",
    hint="The heads were put one after another as more tokens; they belong next to each other in the features.",
    ko="헤드를 토큰 방향으로 이어 붙였습니다. 특징 방향으로 나란히 놓아야 합니다.",
)
def merge_along_tokens(x):
    return torch.cat(list(x.unbind(1)), dim=1)


@mistake(
    "merge_heads",
    hint="Only the first head is left; all of them are needed.",
    ko="첫 헤드만 남았습니다. 모두 필요합니다.",
)
def merge_first_head_only(x):
    return x[:, 0].contiguous()


@mistake(
    "merge_heads",
    marks="slip",
    hint="The heads stand in reverse order: head 0 comes first.",
    ko="헤드의 순서가 거꾸로입니다. 0번 헤드가 먼저입니다.",
)
def merge_reversed(x):
    B, H, T, head_dim = x.shape
    return x.flip(1).transpose(1, 2).reshape(B, T, H * head_dim)


@mistake(
    "merge_heads",
    marks="slip",
    hint="The heads are interleaved feature by feature; the features of one head stay together.",
    ko="헤드가 특징마다 번갈아 섞였습니다. 한 헤드의 특징은 함께 있어야 합니다.",
)
def merge_interleaved(x):
    B, H, T, head_dim = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * head_dim)


@mistake(
    "merge_heads",
    hint="The numbers are right but do not lie in memory in the order of the axes: call contiguous at the end.",
    ko="값은 맞지만 메모리에서 축의 순서대로 놓여 있지 않습니다. 마지막에 contiguous를 부르세요.",
)
def merge_not_contiguous(x):
    B, H, T, head_dim = x.shape
    return x.transpose(2, 3).reshape(B, H * head_dim, T).transpose(1, 2)


@mistake(
    "merge_heads",
    marks="trivial",
    hint="The heads stand next to the features, but are still an axis of their own: join the last two.",
    ko="헤드 축이 특징 축 옆에 있지만 아직 따로입니다. 마지막 두 축을 합치세요.",
)
def merge_stays_split(x):
    return x.transpose(1, 2).contiguous()


@mistake(
    "merge_heads",
    hint="You swapped the heads with the features; they have to change places with the tokens.",
    ko="헤드 축과 특징 축을 바꾸었습니다. 헤드 축과 토큰 축이 자리를 바꾸어야 합니다.",
)
def merge_wrong_axes_swapped(x):
    B, H, T, head_dim = x.shape
    return x.transpose(1, 3).reshape(B, T, H * head_dim)


@mistake(
    "merge_heads",
    marks="point",
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
)
def merge_detached(x):
    B, H, T, head_dim = x.shape
    return x.data.transpose(1, 2).reshape(B, T, H * head_dim)


@mistake(
    "merge_heads",
    marks="point",
    hint="An operation that ends in an underscore changes the caller's tensor itself; use the one without it.",
    ko="밑줄로 끝나는 연산은 부른 쪽의 텐서를 바꿉니다. 밑줄이 없는 연산을 쓰세요.",
)
def merge_in_place(x):
    return x.transpose_(1, 2).flatten(2)


@mistake(
    "merge_heads",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def merge_into_float32(x):
    B, H, T, head_dim = x.shape
    merged = torch.zeros(B, T, H * head_dim)
    merged[:] = x.transpose(1, 2).flatten(2)
    return merged


@mistake(
    "merge_heads",
    hint="Tokens and features changed places: the result is (B, T, H * head_dim).",
    ko="토큰과 특징의 자리가 바뀌었습니다. 결과는 (B, T, H * head_dim)입니다.",
)
def merge_features_before_tokens(x):
    B, _H, T, _head_dim = x.shape
    return x.permute(0, 1, 3, 2).reshape(B, -1, T)


@mistake(
    "merge_heads",
    hint="The features stand where the tokens belong: the right order was given the wrong sizes.",
    ko="토큰이 있을 자리에 특징이 있습니다. 순서는 맞는데 크기가 바뀌었습니다.",
)
def merge_sizes_exchanged(x):
    B, H, T, head_dim = x.shape
    return x.transpose(1, 2).reshape(B, H * head_dim, T)


@mistake(
    "merge_heads",
    hint="The tokens stand before the batch; the batch axis stays first.",
    ko="토큰이 배치보다 앞에 있습니다. 배치 축이 먼저입니다.",
)
def merge_tokens_before_batch(x):
    B, _H, T, _head_dim = x.shape
    return x.permute(2, 0, 1, 3).reshape(T, B, -1)


@mistake(
    "merge_heads",
    hint="`squeeze` removes the batch axis where it is 1; the result always has three axes.",
    ko="배치 크기가 1이면 `squeeze`가 그 축을 없앱니다. 결과는 항상 축이 셋입니다.",
)
def merge_squeezed(x):
    B, _H, T, _head_dim = x.shape
    return x.transpose(1, 2).reshape(B, T, -1).squeeze(0)


@mistake(
    "merge_heads",
    hint="The batch size is written as 1; take it from the shape of x.",
    ko="배치 크기를 1로 적었습니다. x의 모양에서 가져오세요.",
)
def merge_batch_of_one(x):
    return x.transpose(1, 2).reshape(1, x.shape[2], -1)


@mistake(
    "merge_heads",
    hint="The last two axes were swapped and then reshaped to the right sizes, which mixes heads and tokens.",
    ko="마지막 두 축을 바꾼 뒤 크기만 맞추어 헤드와 토큰이 섞였습니다.",
)
def merge_reshaped_after_wrong_swap(x):
    B, _H, T, _head_dim = x.shape
    return x.transpose(2, 3).reshape(B, T, -1)


@mistake(
    "merge_heads",
    hint="The largest number of all heads is taken; they are to stand side by side.",
    ko="헤드들 가운데 가장 큰 값을 골랐습니다. 헤드를 나란히 이으세요.",
)
def merge_largest(x):
    return x.max(1).values


@mistake(
    "merge_heads",
    hint="Only the last head is left; all of them are needed.",
    ko="마지막 헤드만 남았습니다. 모든 헤드가 필요합니다.",
)
def merge_last_head_only(x):
    return x[:, -1]


@mistake(
    "merge_heads",
    hint="The heads were averaged and the mean repeated; they are to stand side by side.",
    ko="헤드를 평균 내어 되풀이했습니다. 헤드를 나란히 이으세요.",
)
def merge_mean_repeated(x):
    return x.mean(1).repeat(1, 1, x.shape[1])


@mistake(
    "merge_heads",
    hint="Batch and tokens were folded into one axis; both stay.",
    ko="배치와 토큰을 한 축으로 합쳤습니다. 두 축 모두 남아야 합니다.",
)
def merge_batch_folded(x):
    B, _H, T, _head_dim = x.shape
    return x.transpose(1, 2).reshape(B * T, -1)


@mistake(
    "merge_heads",
    hint="The numbers were divided by the number of heads; they stay as they are.",
    ko="값을 헤드 수로 나누었습니다. 값은 그대로 두세요.",
)
def merge_divided_by_heads(x):
    B, H, T, _head_dim = x.shape
    return x.transpose(1, 2).reshape(B, T, -1) / H


@mistake(
    "merge_heads",
    hint="The items of the batch were put side by side instead of the heads.",
    ko="헤드가 아니라 배치의 항목을 나란히 이었습니다.",
)
def merge_items(x):
    return torch.cat(list(x), dim=-1)


@mistake(
    "merge_heads",
    hint="`view` refuses heads that are a view of another tensor, as `split_heads` gives them; `reshape` takes them.",
    ko="`view`는 `split_heads`가 주는 것 같은 뷰를 받지 않습니다. `reshape`는 받습니다.",
)
def merge_heads_by_view(x):
    heads = x.view(x.shape[0], x.shape[1], -1).unflatten(-1, x.shape[2:])
    return heads.transpose(1, 2).flatten(2).contiguous()


@mistake(
    "merge_heads",
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
def merge_zeros(x):
    return x.new_zeros(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])


@right("merge_heads", why="reshape instead of contiguous and view")
def merge_by_reshape(x):
    B, H, T, head_dim = x.shape
    return x.permute(0, 2, 1, 3).reshape(B, T, H * head_dim)


@right("merge_heads", why="concatenation of the heads")
def merge_by_cat(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)


@right("merge_heads", why="flatten of the last two axes")
def merge_by_flatten(x):
    return x.transpose(-3, -2).flatten(start_dim=-2).contiguous()


@right("merge_heads", why="a loop over tokens and heads into a tensor of its own")
def merge_by_loop(x):
    B, H, T, head_dim = x.shape
    merged = torch.zeros(B, T, H * head_dim, dtype=x.dtype, device=x.device)
    for t in range(T):
        for h in range(H):
            merged[:, t, h * head_dim : (h + 1) * head_dim] = x[:, h, t]
    return merged


# --- multi_head_scores ------------------------------------------------------------------------------------------------


@mistake(
    "multi_head_scores",
    marks="slip",
    hint="These scores are already divided by the root of head_dim; here they are asked for as they are.",
    ko="점수를 이미 head_dim의 제곱근으로 나누었습니다. 여기서는 나누지 않은 점수가 필요합니다.",
)
def scores_scaled(queries, keys):
    return queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])


@mistake(
    "multi_head_scores",
    marks="slip",
    hint="These are weights already; the softmax comes in a later step.",
    ko="이미 가중치입니다. 소프트맥스는 다음 단계에서 합니다.",
)
def scores_softmaxed(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)


@mistake(
    "multi_head_scores",
    hint="The keys have to be transposed, so that each of their rows meets each query.",
    ko="키를 전치해야 각 키가 각 쿼리와 만납니다.",
)
def scores_transpose_forgotten(queries, keys):
    return queries @ keys


@mistake(
    "multi_head_scores",
    hint="Rows and columns are swapped: the rows belong to the queries, the columns to the keys.",
    ko="행과 열이 바뀌었습니다. 행은 쿼리, 열은 키입니다.",
)
def scores_swapped(queries, keys):
    return keys @ queries.transpose(-2, -1)


@mistake(
    "multi_head_scores",
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
def scores_queries_only(queries, keys):
    return queries @ queries.transpose(-2, -1)


@mistake(
    "multi_head_scores",
    hint="The scores of all heads are added up; every head keeps its own.",
    ko="모든 헤드의 점수를 더했습니다. 헤드마다 따로 두어야 합니다.",
)
def scores_heads_added(queries, keys):
    return (queries @ keys.transpose(-2, -1)).sum(dim=-3)


@mistake(
    "multi_head_scores",
    hint="Only one head's scores come out; all heads are asked for.",
    ko="한 헤드의 점수만 나옵니다. 모든 헤드가 필요합니다.",
)
def scores_of_one_head(queries, keys):
    return queries[..., 0, :, :] @ keys[..., 0, :, :].transpose(-2, -1)


@mistake(
    "multi_head_scores",
    hint="Heads are compared with heads here; compare tokens with tokens inside each head.",
    ko="헤드끼리 비교했습니다. 각 헤드 안에서 토큰끼리 비교하세요.",
)
def scores_between_heads(queries, keys):
    return queries.transpose(-3, -2) @ keys.transpose(-3, -2).transpose(-2, -1)


@mistake(
    "multi_head_scores",
    marks="trivial",
    hint="Only each token's own key was met: every query needs a score with every key.",
    ko="자기 자신의 키하고만 비교했습니다. 모든 쿼리가 모든 키와 점수를 가져야 합니다.",
)
def scores_own_key_only(queries, keys):
    return (queries * keys).sum(dim=-1)


@mistake(
    "multi_head_scores",
    marks="slip",
    hint="The products are averaged over the features; a dot product is their sum.",
    ko="곱을 특징에 대해 평균했습니다. 내적은 합입니다.",
)
def scores_mean(queries, keys):
    return (queries[..., :, None, :] * keys[..., None, :, :]).mean(dim=-1)


@mistake(
    "multi_head_scores",
    hint="Axes counted from the front are right for one number of dimensions only: count them from the end.",
    ko="앞에서 센 축 번호는 차원 수가 하나로 정해져 있을 때만 맞습니다. 뒤에서 세세요.",
)
def scores_axes_from_the_front(queries, keys):
    return queries @ keys.transpose(2, 3)


@mistake(
    "multi_head_scores",
    hint="A negative distance grows with similarity too, but the dot product is asked for.",
    ko="음의 거리도 비슷할수록 커지지만, 여기서는 내적이 필요합니다.",
)
def scores_negative_distance(queries, keys):
    return -((queries[..., :, None, :] - keys[..., None, :, :]) ** 2).sum(dim=-1)


@mistake(
    "multi_head_scores",
    marks="point",
    hint="The result is cut off from the queries and keys: no gradient can flow back.",
    ko="결과가 쿼리와 키에서 끊겨 기울기가 흐르지 않습니다.",
)
def scores_detached(queries, keys):
    return (queries @ keys.transpose(-2, -1)).detach()


@mistake(
    "multi_head_scores",
    marks="point",
    hint="An operation that ends in an underscore changes the caller's tensor itself; use the one without it.",
    ko="밑줄로 끝나는 연산은 부른 쪽의 텐서를 바꿉니다. 밑줄이 없는 연산을 쓰세요.",
)
def scores_keys_in_place(queries, keys):
    return queries @ keys.transpose_(-2, -1)


@mistake(
    "multi_head_scores",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def scores_into_float32(queries, keys):
    scores = torch.zeros(*queries.shape[:-1], keys.shape[-2])
    for h in range(queries.shape[-3]):
        scores[..., h, :, :] = queries[..., h, :, :] @ keys[..., h, :, :].mT
    return scores


@mistake(
    "multi_head_scores",
    hint="The equation has a letter for exactly one leading axis; `...` stands for any number of them.",
    ko="식에 앞 축이 꼭 하나인 글자만 있습니다. `...`은 몇 개든 나타냅니다.",
)
def scores_by_einsum_of_four(queries, keys):
    return torch.einsum("bhid,bhjd->bhij", queries, keys)


@mistake(
    "multi_head_scores",
    hint="`permute(0, 1, 3, 2)` needs exactly four axes; swap the last two, whatever stands in front.",
    ko="`permute(0, 1, 3, 2)`는 축이 꼭 넷이어야 합니다. 앞에 무엇이 있든 마지막 두 축을 바꾸세요.",
)
def scores_permuted_four_axes(queries, keys):
    return queries @ keys.permute(0, 1, 3, 2)


@mistake(
    "multi_head_scores",
    hint="`.T` turns all axes round, also batch and heads; swap the last two only.",
    ko="`.T`는 배치와 헤드까지 모든 축을 뒤집습니다. 마지막 두 축만 바꾸세요.",
)
def scores_all_axes_reversed(queries, keys):
    return queries @ keys.permute(*reversed(range(keys.dim())))


@mistake(
    "multi_head_scores",
    hint="Heads and tokens of the keys were swapped; swap the last two axes.",
    ko="키의 헤드와 토큰을 바꾸었습니다. 마지막 두 축을 바꾸세요.",
)
def scores_heads_and_tokens_swapped(queries, keys):
    return queries @ keys.transpose(1, 2)


@mistake(
    "multi_head_scores",
    hint="The scores of all heads are averaged; every head keeps its own.",
    ko="모든 헤드의 점수를 평균 냈습니다. 헤드마다 점수가 따로 있어야 합니다.",
)
def scores_heads_averaged(queries, keys):
    return (queries @ keys.mT).mean(-3)


@mistake(
    "multi_head_scores",
    hint="`*` multiplies entry by entry; a score is a dot product.",
    ko="`*`는 원소끼리 곱합니다. 점수는 내적입니다.",
)
def scores_entry_by_entry(queries, keys):
    return queries * keys


@mistake(
    "multi_head_scores",
    hint="The scores lose their sign; a negative dot product stays negative.",
    ko="점수의 부호가 사라졌습니다. 음수 내적은 음수로 두세요.",
)
def scores_unsigned(queries, keys):
    return (queries @ keys.mT).abs()


@mistake(
    "multi_head_scores",
    hint="The heads of the keys stand in reverse order; compare inside the same head.",
    ko="키의 헤드 순서가 거꾸로입니다. 같은 헤드 안에서 비교하세요.",
)
def scores_with_other_heads(queries, keys):
    return queries @ keys.flip(-3).mT


@mistake(
    "multi_head_scores",
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않았습니다.",
)
def scores_keys_only(queries, keys):
    return keys @ keys.mT


@mistake(
    "multi_head_scores",
    hint="Scores of later keys were set to 0; no mask is asked for here.",
    ko="뒤에 오는 키의 점수를 0으로 바꾸었습니다. 여기서는 가리지 않습니다.",
)
def scores_causal(queries, keys):
    return (queries @ keys.mT).tril()


@mistake(
    "multi_head_scores",
    hint="Heads and tokens were folded into one axis, so heads meet each other.",
    ko="헤드와 토큰을 한 축으로 합쳐 헤드끼리 만납니다.",
)
def scores_heads_folded(queries, keys):
    return queries.flatten(-3, -2) @ keys.flatten(-3, -2).mT


@mistake(
    "multi_head_scores",
    hint="The features are compared with each other; turn the keys round, not the queries.",
    ko="특징끼리 비교했습니다. 쿼리가 아니라 키를 전치하세요.",
)
def scores_of_features(queries, keys):
    return queries.mT @ keys


@mistake(
    "multi_head_scores",
    hint="The products are added over the keys; a dot product adds over the features.",
    ko="곱을 키 방향으로 더했습니다. 내적은 특징 방향으로 더합니다.",
)
def scores_added_over_keys(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-2)


@mistake(
    "multi_head_scores",
    hint="The scores are divided by the root of the number of heads; nothing is scaled here.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 여기서는 나누지 않습니다.",
)
def scores_by_root_of_heads(queries, keys):
    return queries @ keys.mT / queries.shape[-3] ** 0.5


@mistake(
    "multi_head_scores",
    hint="The heads are stacked in front; their axis stands before the last two.",
    ko="헤드를 맨 앞에 쌓았습니다. 헤드 축은 마지막 두 축 바로 앞입니다.",
)
def scores_heads_in_front(queries, keys):
    return torch.stack([queries[..., h, :, :] @ keys[..., h, :, :].mT for h in range(queries.shape[-3])])


@mistake(
    "multi_head_scores",
    hint="The scores of the heads come in a list; stack them to one tensor.",
    ko="헤드의 점수가 리스트로 나옵니다. 한 텐서로 쌓으세요.",
)
def scores_in_a_list(queries, keys):
    return [queries[..., h, :, :] @ keys[..., h, :, :].mT for h in range(queries.shape[-3])]


@mistake(
    "multi_head_scores",
    hint="A negative distance is no dot product, though both grow with similarity.",
    ko="음의 거리는 내적이 아닙니다. 둘 다 비슷할수록 커질 뿐입니다.",
)
def scores_from_distances(queries, keys):
    return -torch.cdist(queries, keys)


@mistake(
    "multi_head_scores",
    hint="The sign is turned round; similar vectors have large scores.",
    ko="부호가 뒤집혔습니다. 비슷한 벡터의 점수가 커야 합니다.",
)
def scores_negated(queries, keys):
    return -(queries @ keys.mT)


@mistake(
    "multi_head_scores",
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
def scores_zeros(queries, keys):
    return queries.new_zeros(*queries.shape[:-1], queries.shape[-2])


@right("multi_head_scores", why="einsum")
def scores_by_einsum(queries, keys):
    return torch.einsum("...id,...jd->...ij", queries, keys)


@right("multi_head_scores", why="batched matrix product over the flattened leading dimensions")
def scores_by_bmm(queries, keys):
    *lead, T, head_dim = queries.shape
    flat = torch.bmm(queries.reshape(-1, T, head_dim), keys.reshape(-1, T, head_dim).mT)
    return flat.reshape(*lead, T, T)


@right("multi_head_scores", why="a sum over a broadcast product")
def scores_by_broadcast(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1)


@right("multi_head_scores", why="a loop over the heads, float64 inside")
def scores_by_loop(queries, keys):
    heads = []
    for h in range(queries.size(-3)):
        heads.append(queries[..., h, :, :].double() @ keys[..., h, :, :].double().mT)
    return torch.stack(heads, dim=-3).to(queries.dtype)


# --- scaled_dot_product_attention -------------------------------------------------------------------------------------


@helper
def hide(scores, mask, fill=float("-inf")):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


@helper
def attend(query, key, value, mask, divisor):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / divisor, mask), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
def sdpa_no_scaling(query, key, value, mask=None):
    return attend(query, key, value, mask, 1)


@mistake(
    "scaled_dot_product_attention",
    marks="slip",
    hint="The scores are divided by d itself (or both sides by its root); divide them by the root of d once.",
    ko="점수를 d로(또는 양쪽을 √d로) 나누었습니다. √d로 한 번만 나누세요.",
)
def sdpa_by_d(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-1])


@mistake(
    "scaled_dot_product_attention",
    hint="The scores are multiplied by the root of d; divide instead.",
    ko="점수에 √d를 곱했습니다. 나누세요.",
)
def sdpa_multiplied(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-1] ** -0.5)


@mistake(
    "scaled_dot_product_attention",
    hint="The divisor is the root of the number of queries; take the number of features that are compared.",
    ko="쿼리 개수의 제곱근으로 나누었습니다. 비교되는 특징의 개수를 쓰세요.",
)
def sdpa_by_root_of_queries(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-2] ** 0.5)


@mistake(
    "scaled_dot_product_attention",
    hint="The divisor is the root of the number of keys; take the number of features that are compared.",
    ko="키 개수의 제곱근으로 나누었습니다. 비교되는 특징의 개수를 쓰세요.",
)
def sdpa_by_root_of_keys(query, key, value, mask=None):
    return attend(query, key, value, mask, key.shape[-2] ** 0.5)


@mistake(
    "scaled_dot_product_attention",
    hint="The divisor is the root of the values' size; it is the size of the queries and keys that counts.",
    ko="값(value)의 차원으로 나누었습니다. 쿼리와 키의 차원을 써야 합니다.",
)
def sdpa_by_root_of_values(query, key, value, mask=None):
    return attend(query, key, value, mask, value.shape[-1] ** 0.5)


@mistake(
    "scaled_dot_product_attention",
    hint="The root was rounded to a whole number (math.isqrt, int): keep its digits.",
    ko="제곱근을 정수로 내렸습니다(math.isqrt, int). 소수 부분을 지키세요.",
)
def sdpa_integer_root(query, key, value, mask=None):
    return attend(query, key, value, mask, math.isqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="Only one side was divided by the fourth root of d: together both must give the root of d.",
    ko="한쪽만 d의 네제곱근으로 나누었습니다. 양쪽을 합쳐 √d가 되어야 합니다.",
)
def sdpa_half_the_root(query, key, value, mask=None):
    return attend(query, key, value, mask, query.shape[-1] ** 0.25)


@mistake(
    "scaled_dot_product_attention",
    hint="The values were divided instead of the scores.",
    ko="점수 대신 값(value)을 나누었습니다.",
)
def sdpa_values_scaled(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1), mask), dim=-1)
    return weights @ (value / math.sqrt(query.shape[-1])), weights


@mistake(
    "scaled_dot_product_attention",
    marks="slip",
    hint="The softmax runs over the queries; every query's weights, over the keys, have to sum to one.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 쿼리마다 키에 대한 가중치의 합이 1이어야 합니다.",
)
def sdpa_softmax_over_queries(query, key, value, mask=None):
    scores = hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1e9)
    weights = torch.softmax(scores, dim=-2)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="The softmax runs over the first axis; it belongs on the last one, that of the keys.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축, 곧 키의 축이어야 합니다.",
)
def sdpa_softmax_over_first_axis(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1e9), dim=0)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    marks="slip",
    hint="There is no softmax: the scores themselves were used as weights.",
    ko="소프트맥스가 없습니다. 점수를 그대로 가중치로 썼습니다.",
)
def sdpa_no_softmax(query, key, value, mask=None):
    weights = hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, 0.0)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    marks="slip",
    hint="The two results are swapped: the output comes first, then the weights.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저, 가중치가 다음입니다.",
)
def sdpa_results_swapped(query, key, value, mask=None):
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))[::-1]


@mistake(
    "scaled_dot_product_attention",
    hint="Only the output is returned; return the weights as well.",
    ko="출력만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
def sdpa_output_only(query, key, value, mask=None):
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))[0]


@mistake(
    "scaled_dot_product_attention",
    marks="slip",
    hint="The mask is never used.",
    ko="마스크를 쓰지 않았습니다.",
)
def sdpa_mask_ignored(query, key, value, mask=None):
    return attend(query, key, value, None, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="The mask is used the other way round: 0 or False means hidden here.",
    ko="마스크를 반대로 썼습니다. 여기서는 0이나 False가 가려짐을 뜻합니다.",
)
def sdpa_mask_inverted(query, key, value, mask=None):
    return attend(query, key, value, None if mask is None else mask == 0, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="A hidden score of 0 is still exponentiated to 1: hide with -inf, not with a product.",
    ko="가려진 점수가 0이 되어도 지수를 취하면 1입니다. 곱하지 말고 -inf로 가리세요.",
    twins=("sdpa_mask_tiny_fill",),
)
def sdpa_mask_multiplied(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores if mask is None else scores * mask, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="-1e-9 is almost zero, not almost minus infinity: look at the sign of the exponent.",
    ko="-1e-9는 음의 무한대가 아니라 거의 0입니다. 지수의 부호를 보세요.",
    twins=("sdpa_mask_multiplied",),
)
def sdpa_mask_tiny_fill(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1e-9), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="The fill for hidden scores is not low enough: visible scores can lie below it. Use -inf.",
    ko="가려진 점수에 넣은 값이 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
def sdpa_mask_fill_too_small(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -20.0), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 0으로 만들면 행의 합이 1이 아닙니다. 소프트맥스 전에 점수를 가리세요.",
)
def sdpa_mask_after_softmax(query, key, value, mask=None):
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    weights = hide(weights, mask, 0.0)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="Adding the mask raises the visible scores by one and hides nothing.",
    ko="마스크를 더하면 보이는 점수가 1 커질 뿐 아무것도 가려지지 않습니다.",
)
def sdpa_mask_added(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="0 times infinity is NaN: choose between score and -inf (masked_fill, where) instead of multiplying.",
    ko="0 곱하기 무한대는 NaN입니다. 곱하지 말고 masked_fill이나 where로 고르세요.",
)
def sdpa_mask_zero_times_infinity(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask.to(scores.dtype)) * float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="`~mask` works on bools only; a mask of the numbers 0 and 1 has to work as well.",
    ko="`~mask`는 bool에서만 됩니다. 0과 1로 된 마스크도 되어야 합니다.",
)
def sdpa_mask_bool_only(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="`1 - mask` works on numbers only; a bool mask has to work as well.",
    ko="`1 - mask`는 숫자에서만 됩니다. bool 마스크도 되어야 합니다.",
)
def sdpa_mask_numbers_only(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask) * -1e9
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="The mask of the first item is used for all of them.",
    ko="첫 항목의 마스크를 모든 항목에 썼습니다.",
)
def sdpa_mask_of_first_item(query, key, value, mask=None):
    if mask is not None and mask.dim() > 2:
        mask = mask[:1]
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    marks="slip",
    hint="The keys were averaged where the values belong.",
    ko="값(value)이 들어갈 자리에 키를 썼습니다.",
)
def sdpa_keys_as_values(query, key, value, mask=None):
    return attend(query, key, key, mask, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    marks="point",
    hint="The results are cut off from the inputs: no gradient can flow back.",
    ko="결과가 입력에서 끊겨 기울기가 흐르지 않습니다.",
)
def sdpa_detached(query, key, value, mask=None):
    output, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return output.detach(), weights.detach()


@mistake(
    "scaled_dot_product_attention",
    hint="The weights that are returned are cut off; return them as they were used.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다. 쓰인 그대로 돌려주세요.",
)
def sdpa_weights_detached(query, key, value, mask=None):
    output, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return output, weights.detach()


@mistake(
    "scaled_dot_product_attention",
    marks="point",
    hint="The query was scaled in place, so the caller's tensor changed: write `query = query / ...`.",
    ko="query를 제자리에서 바꾸어 부른 쪽의 텐서가 달라졌습니다. `query = query / ...`로 쓰세요.",
)
def sdpa_query_in_place(query, key, value, mask=None):
    with torch.no_grad():
        query /= math.sqrt(query.shape[-1])
    return attend(query, key, value, mask, 1)


@mistake(
    "scaled_dot_product_attention",
    hint="The caller's mask was turned round in place, and the next call hides the wrong keys: use `mask == 0`.",
    ko="부른 쪽의 마스크를 제자리에서 뒤집어 다음 호출이 엉뚱한 키를 가립니다. `mask == 0`을 쓰세요.",
)
def sdpa_mask_in_place(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not_().bool(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="The results come back in float32 whatever went in; keep the dtype of the query.",
    ko="무엇을 넣어도 결과가 float32입니다. query의 dtype을 지키세요.",
)
def sdpa_always_float32(query, key, value, mask=None):
    return attend(query.float(), key.float(), value.float(), mask, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="Axes counted from the front are right for one number of dimensions only: count them from the end.",
    ko="앞에서 센 축 번호는 차원 수가 하나로 정해져 있을 때만 맞습니다. 뒤에서 세세요.",
)
def sdpa_axes_from_the_front(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(1, 2) / math.sqrt(query.shape[-1]), mask), dim=2)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
def sdpa_by_library(query, key, value, mask=None):
    allowed = None if mask is None else mask.bool()
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
    return output, attend(query, key, value, mask, math.sqrt(query.shape[-1]))[1]


@mistake(
    "scaled_dot_product_attention",
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
def sdpa_mask_fill_of_minus_100(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -100.0), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="A large hidden score stays large after 100 is taken away: put -inf in its place.",
    ko="가려진 점수가 크면 100을 빼도 여전히 큽니다. 그 자리에 -inf를 넣으세요.",
)
def sdpa_mask_takes_100_away(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores - 100.0 * (mask == 0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="Masks of some dtypes are ignored; `mask == 0` works for every one of them.",
    ko="어떤 dtype의 마스크는 무시됩니다. `mask == 0`은 모든 dtype에서 됩니다.",
)
def sdpa_mask_of_few_dtypes(query, key, value, mask=None):
    known = mask is not None and mask.dtype in (torch.bool, torch.float32, torch.int64, torch.uint8)
    return attend(query, key, value, mask if known else None, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="The softmax runs along another axis when two leading sizes are equal; it is always the last one.",
    ko="앞쪽 두 차원의 크기가 같으면 소프트맥스의 축이 달라집니다. 축은 항상 마지막입니다.",
)
def sdpa_axis_by_size(query, key, value, mask=None):
    scores = hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask)
    weights = torch.softmax(scores, dim=1 if scores.dim() == 4 and scores.shape[0] == scores.shape[1] else -1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="A fill of -10 is not low enough: hidden keys keep a small weight. Use -inf.",
    ko="-10은 충분히 낮지 않아 가려진 키에 작은 가중치가 남습니다. -inf를 쓰세요.",
)
def sdpa_mask_fill_of_minus_10(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.mT / math.sqrt(query.shape[-1]), mask, -10.0), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="A fill of -1 is a score like any other: hidden keys keep a weight. Use -inf.",
    ko="-1은 다른 점수와 다를 것이 없어 가려진 키에 가중치가 남습니다. -inf를 쓰세요.",
)
def sdpa_mask_fill_of_minus_1(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.mT / math.sqrt(query.shape[-1]), mask, -1.0), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="`if mask:` asks a whole tensor for one truth value; ask `if mask is not None:`.",
    ko="`if mask:`는 텐서 전체를 참이나 거짓 하나로 묻습니다. `if mask is not None:`으로 물으세요.",
)
def sdpa_mask_asked_for_truth(query, key, value, mask=None):
    return attend(query, key, value, mask if mask else None, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="The weights that are returned are those without the mask; return those that made the output.",
    ko="마스크가 없는 가중치를 돌려줍니다. 출력을 만든 가중치를 돌려주세요.",
)
def sdpa_unmasked_weights_shown(query, key, value, mask=None):
    output, _ = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return output, torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1)


@mistake(
    "scaled_dot_product_attention",
    hint="The second result holds the scores; the weights, after the softmax, are asked for.",
    ko="둘째 결과가 점수입니다. 소프트맥스를 적용한 가중치가 필요합니다.",
)
def sdpa_scores_shown(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    return torch.softmax(scores, dim=-1) @ value, scores


@mistake(
    "scaled_dot_product_attention",
    hint="`.T` turns all axes round, also the leading ones; swap the last two only.",
    ko="`.T`는 앞의 축까지 모든 축을 뒤집습니다. 마지막 두 축만 바꾸세요.",
)
def sdpa_all_axes_reversed(query, key, value, mask=None):
    turned = key.permute(*reversed(range(key.dim())))
    weights = torch.softmax(hide(query @ turned / math.sqrt(query.shape[-1]), mask), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="The weights are transposed before they meet the values; row i belongs to query i.",
    ko="값과 곱하기 전에 가중치를 전치했습니다. i번째 행은 i번째 쿼리의 것입니다.",
)
def sdpa_weights_transposed(query, key, value, mask=None):
    _, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    return weights.mT @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="An axis is added to the mask, which broadcasts to the scores as it is.",
    ko="마스크에 축을 더했습니다. 마스크는 그대로 점수에 브로드캐스트됩니다.",
)
def sdpa_mask_axis_added(query, key, value, mask=None):
    return attend(query, key, value, None if mask is None else mask.unsqueeze(1), math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="The mask is transposed: its last axis is that of the keys already.",
    ko="마스크를 전치했습니다. 마스크의 마지막 축은 이미 키의 축입니다.",
)
def sdpa_mask_transposed(query, key, value, mask=None):
    return attend(query, key, value, None if mask is None else mask.transpose(-2, -1), math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="Later keys are hidden whatever the mask says; hide only what the mask hides.",
    ko="마스크와 상관없이 뒤에 오는 키를 가렸습니다. 마스크가 가리는 것만 가리세요.",
)
def sdpa_always_causal(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="Only the first 64 keys take part; there may be any number of them.",
    ko="처음 64개의 키만 참여합니다. 키는 몇 개든 될 수 있습니다.",
)
def sdpa_of_64_keys(query, key, value, mask=None):
    scores = hide(query @ key.mT / math.sqrt(query.shape[-1]), mask)
    scores[..., 64:] = float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="Query and key have changed places: row i of the scores belongs to query i.",
    ko="쿼리와 키가 뒤바뀌었습니다. 점수의 i번째 행은 i번째 쿼리의 것입니다.",
)
def sdpa_queries_and_keys_swapped(query, key, value, mask=None):
    return attend(key, query, value, mask, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="The values are divided by a root as well; only the scores are.",
    ko="값도 제곱근으로 나누었습니다. 점수만 나눕니다.",
)
def sdpa_values_divided_too(query, key, value, mask=None):
    return attend(query, key, value / math.sqrt(value.shape[-1]), mask, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def sdpa_softmax_twice(query, key, value, mask=None):
    _, weights = attend(query, key, value, mask, math.sqrt(query.shape[-1]))
    again = torch.softmax(weights, dim=-1)
    return again @ value, again


@mistake(
    "scaled_dot_product_attention",
    hint="masked_fill takes a bool mask; `mask == 0` makes one of any mask.",
    ko="masked_fill은 bool 마스크를 받습니다. `mask == 0`은 어떤 마스크든 그렇게 만듭니다.",
)
def sdpa_mask_stays_a_number(query, key, value, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.to(scores.dtype) - 1, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="The scores are cut off (detach, .data, NumPy) where there is a mask, so no gradient reaches query, key.",
    ko="마스크가 있으면 점수가 끊겨(detach, .data, NumPy) query, key에 기울기가 닿지 않습니다.",
)
def sdpa_cut_off_with_a_mask(query, key, value, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.detach().clone()
        scores[(mask == 0).expand(scores.shape)] = float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
def sdpa_plain_exponentials(query, key, value, mask=None):
    exponentials = torch.exp(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]))
    exponentials = exponentials if mask is None else exponentials * (mask != 0)
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="-1000 is not low enough: visible scores may lie below it.",
    ko="-1000은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있습니다.",
)
def sdpa_mask_fill_of_minus_1000(query, key, value, mask=None):
    weights = torch.softmax(hide(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), mask, -1000.0), dim=-1)
    return weights @ value, weights


@mistake(
    "scaled_dot_product_attention",
    hint="A mask of pairs (queries, keys) is taken for one of items where there are as many items as queries.",
    ko="항목 수가 쿼리 수와 같으면 쿼리와 키의 쌍에 대한 마스크를 항목에 대한 것으로 봅니다.",
)
def sdpa_pairs_taken_for_items(query, key, value, mask=None):
    if mask is not None and mask.dim() == 2 and query.dim() == 3 and len(mask) == len(query):
        mask = mask.unsqueeze(1)
    return attend(query, key, value, mask, math.sqrt(query.shape[-1]))


@mistake(
    "scaled_dot_product_attention",
    hint="A mask of float64 makes float64 of everything; only ask it where it is zero.",
    ko="float64 마스크 때문에 결과가 모두 float64가 됩니다. 마스크는 0인 곳만 물어보세요.",
)
def sdpa_dtype_of_the_mask(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        visible = (mask != 0).to(mask.dtype if mask.is_floating_point() else scores.dtype)
        scores = scores - (1 - visible) * 1e9
    weights = torch.softmax(scores, dim=-1)
    return weights @ value.to(weights.dtype), weights


@mistake(
    "scaled_dot_product_attention",
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
def sdpa_zeros(query, key, value, mask=None):
    return query.new_zeros(*query.shape[:-1], value.shape[-1]), query.new_zeros(*query.shape[:-1], key.shape[-2])


@mistake(
    "scaled_dot_product_attention",
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
def sdpa_even_shares(query, key, value, mask=None):
    return attend(torch.zeros_like(query), key, value, mask, 1)


@right("scaled_dot_product_attention", why="a fill that lies 100 below the lowest score, so no hidden weight is seen")
def sdpa_fill_below_the_lowest(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, scores.min() - 100)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


@right("scaled_dot_product_attention", why="a list of the two results, which unpacks as a tuple does")
def sdpa_in_a_list(query, key, value, mask=None):
    return list(attend(query, key, value, mask, math.sqrt(query.shape[-1])))


@right("scaled_dot_product_attention", why="einsum and a mask of -1e9")
def sdpa_by_einsum(query, key, value, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


@right("scaled_dot_product_attention", why="the query scaled first, torch.where with the lowest number of the dtype")
def sdpa_query_first(query, key, value, mask=None):
    scores = (query / math.sqrt(query.shape[-1])) @ key.mT
    if mask is not None:
        scores = torch.where(mask.bool(), scores, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    return weights.matmul(value), weights


@right("scaled_dot_product_attention", why="an additive mask of 0 and -inf")
def sdpa_additive_mask(query, key, value, mask=None):
    scores = torch.matmul(query, key.transpose(-1, -2)).div(math.sqrt(key.size(-1)))
    if mask is not None:
        hidden = torch.zeros_like(mask, dtype=scores.dtype).masked_fill_(mask.logical_not(), float("-inf"))
        scores = scores + hidden
    weights = nn.Softmax(dim=-1)(scores)
    return weights @ value, weights


@right("scaled_dot_product_attention", why="masked after the softmax and renormalised")
def sdpa_renormalised(query, key, value, mask=None):
    weights = torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask.bool()
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ value, weights


@right("scaled_dot_product_attention", why="a fill of -1e4, before the scaling")
def sdpa_fill_of_minus_10000(query, key, value, mask=None):
    scores = query @ key.mT
    if mask is not None:
        scores = torch.where(mask != 0, scores, -1e4)
    weights = torch.softmax(scores / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


@right("scaled_dot_product_attention", why="query and key each divided by the fourth root, exponentials of its own")
def sdpa_own_exponentials(query, key, value, mask=None):
    root = query.shape[-1] ** 0.25
    scores = hide((query / root) @ (key / root).transpose(-2, -1), mask)
    exponentials = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ value, weights


@right("scaled_dot_product_attention", why="float64 inside and logarithms of the weights")
def sdpa_double_inside(query, key, value, mask=None):
    scores = query.double() @ key.double().mT / math.sqrt(query.shape[-1])
    weights = F.log_softmax(hide(scores, mask), dim=-1).exp()
    return (weights @ value.double()).to(query.dtype), weights.to(query.dtype)


@right("scaled_dot_product_attention", why="a loop over the queries, in place on its own tensors, mask before scaling")
def sdpa_by_loop(query, key, value, mask=None):
    scores = torch.stack([(key * query[..., i : i + 1, :]).sum(-1) for i in range(query.shape[-2])], dim=-2)
    if mask is not None:
        scores.masked_fill_(torch.broadcast_to(mask, scores.shape) == 0, float("-inf"))
    scores /= query.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


# --- multi_head_attention ---------------------------------------------------------------------------------------------


@helper
def heads_of(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


@helper
def joined(heads):
    return heads.transpose(-3, -2).flatten(-2)


@helper
def future_of(scores, diagonal=1):
    T = scores.shape[-1]
    return torch.ones(T, T, dtype=torch.bool, device=scores.device).triu(diagonal)


@helper
def weights_of(queries, keys, causal, divisor=None):
    scores = queries @ keys.mT / (math.sqrt(queries.shape[-1]) if divisor is None else divisor)
    return torch.softmax(scores.masked_fill(future_of(scores), float("-inf")) if causal else scores, dim=-1)


@helper
def projected(x, W_Q, W_K, W_V, num_heads):
    return heads_of(x @ W_Q, num_heads), heads_of(x @ W_K, num_heads), heads_of(x @ W_V, num_heads)


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="The scores are divided by the root of d_model; inside a head only head_dim features are compared.",
    ko="점수를 d_model의 제곱근으로 나누었습니다. 한 헤드 안에서는 head_dim개의 특징만 비교됩니다.",
)
def mha_by_root_of_d_model(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, math.sqrt(x.shape[-1])) @ v) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="The scores are not divided by the root of head_dim.",
    ko="점수를 head_dim의 제곱근으로 나누지 않았습니다.",
)
def mha_no_scaling(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, 1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The scores are divided by the root of the number of heads; take the features of a head.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 한 헤드의 특징 수를 쓰세요.",
)
def mha_by_root_of_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, math.sqrt(num_heads)) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The scores are divided by head_dim itself; divide by its root.",
    ko="점수를 head_dim으로 나누었습니다. 그 제곱근으로 나누세요.",
)
def mha_by_head_dim(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, x.shape[-1] // num_heads) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The features were reshaped straight to (H, T, head_dim), which mixes tokens: cut first, then swap axes.",
    ko="특징을 (H, T, head_dim)으로 바로 reshape하여 토큰이 섞였습니다. 먼저 나누고 축을 바꾸세요.",
)
def mha_split_straight_to_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).reshape(*lead, num_heads, T, d_model // num_heads) for W in (W_Q, W_K, W_V))
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="The heads were merged without moving them next to the features first.",
    ko="헤드 축을 특징 축 옆으로 옮기지 않고 합쳤습니다.",
)
def mha_merge_without_transposing(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).reshape(x.shape) @ W_O


@mistake(
    "multi_head_attention",
    hint="Split and merge undo each other but both skip the swap of axes: the heads hold mixed tokens in between.",
    ko="나누기와 합치기가 서로 되돌리지만 둘 다 축을 바꾸지 않아, 그 사이 헤드에 토큰이 섞여 있습니다.",
)
def mha_both_without_transposing(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).reshape(*lead, num_heads, T, d_model // num_heads) for W in (W_Q, W_K, W_V))
    return (weights_of(q, k, causal) @ v).reshape(x.shape) @ W_O


@mistake(
    "multi_head_attention",
    hint="The heads take every H-th feature; head h owns a block of neighbouring columns.",
    ko="헤드가 H칸씩 건너뛴 특징을 가집니다. 헤드는 이웃한 열의 블록을 가져야 합니다.",
)
def mha_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    q, k, v = ((x @ W).unflatten(-1, (-1, num_heads)).movedim(-1, -3) for W in (W_Q, W_K, W_V))
    return (weights_of(q, k, causal) @ v).movedim(-3, -1).flatten(-2) @ W_O


@mistake(
    "multi_head_attention",
    hint="The features are never cut into heads: this is attention with one head.",
    ko="특징을 헤드로 나누지 않았습니다. 헤드가 하나인 어텐션입니다.",
)
def mha_one_head(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return weights_of(x @ W_Q, x @ W_K, causal) @ (x @ W_V) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="The output projection W_O is missing.",
    ko="출력 투영 W_O가 빠졌습니다.",
)
def mha_no_output_projection(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ v)


@mistake(
    "multi_head_attention",
    hint="The matrices are used transposed, as nn.Linear stores them; here it is x @ W.",
    ko="행렬을 nn.Linear가 저장하는 방식처럼 전치해서 썼습니다. 여기서는 x @ W입니다.",
)
def mha_matrices_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q.T, W_K.T, W_V.T, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O.T


@mistake(
    "multi_head_attention",
    hint="Queries and keys are swapped: row i of the scores belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 i번째 행은 i번째 쿼리의 것입니다.",
)
def mha_queries_and_keys_swapped(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(k, q, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="The keys were averaged where the values belong: W_V plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. W_V가 쓰이지 않습니다.",
)
def mha_keys_as_values(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, _ = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ k) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="The softmax runs over the heads; it belongs on the keys, the last axis.",
    ko="소프트맥스를 헤드 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def mha_softmax_over_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores), -1e9) if causal else scores
    return joined(torch.softmax(scores, dim=-3) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def mha_softmax_over_queries(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores), -1e9) if causal else scores
    return joined(torch.softmax(scores, dim=-2) @ v) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="`causal` is never used: with causal=True later tokens must be hidden.",
    ko="causal을 쓰지 않았습니다. causal=True이면 뒤의 토큰을 가려야 합니다.",
)
def mha_causal_ignored(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, False) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The future is hidden even where causal is False.",
    ko="causal이 False일 때도 미래를 가렸습니다.",
)
def mha_always_causal(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, True) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The past is hidden instead of the future: take the other triangle.",
    ko="미래 대신 과거를 가렸습니다. 반대쪽 삼각형을 쓰세요.",
)
def mha_past_hidden(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores).T, float("-inf")) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="A token's own position is hidden too, so the first token sees nothing (NaN): begin above the diagonal.",
    ko="자기 자신의 자리까지 가려서 첫 토큰은 아무것도 보지 못합니다(NaN). 대각선 위부터 가리세요.",
)
def mha_diagonal_hidden(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores, 0), float("-inf")) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="Every token still sees the one right after it: the mask begins one step too late.",
    ko="토큰이 바로 다음 토큰을 볼 수 있습니다. 마스크가 한 칸 늦게 시작합니다.",
)
def mha_one_step_leak(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores, 2), float("-inf")) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Scores multiplied by 0 are still exponentiated to 1: hide with -inf, not with a product.",
    ko="0을 곱한 점수도 지수를 취하면 1입니다. 곱하지 말고 -inf로 가리세요.",
)
def mha_mask_multiplied(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.tril() if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 0으로 만들면 행의 합이 1이 아닙니다. 소프트맥스 전에 점수를 가리세요.",
)
def mha_mask_after_softmax(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    weights = weights_of(q, k, False)
    return joined((weights.tril() if causal else weights) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Check the divisibility yourself and raise ValueError, before a reshape fails with a message of its own.",
    ko="reshape이 실패하기 전에 나누어떨어지는지 직접 확인하고 ValueError를 일으키세요.",
)
def mha_no_divisibility_check(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    split = (*lead, T, num_heads, d_model // num_heads)
    q, k, v = ((x @ W).reshape(split).transpose(-3, -2) for W in (W_Q, W_K, W_V))
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="This needs exactly one leading dimension; x may come without one, or with two.",
    ko="앞쪽 차원이 꼭 하나여야만 됩니다. x는 앞쪽 차원이 없거나 둘일 수도 있습니다.",
)
def mha_batch_needed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    B, T, d_model = x.shape
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).transpose(1, 2).reshape(B, T, d_model) @ W_O


@mistake(
    "multi_head_attention",
    hint="Items of the batch see each other: the batch was folded into the tokens.",
    ko="배치의 항목들이 서로를 봅니다. 배치 축이 토큰 축에 합쳐졌습니다.",
)
def mha_batch_mixed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x.reshape(-1, x.shape[-1]), W_Q, W_K, W_V, num_heads)
    return (joined(weights_of(q, k, causal) @ v) @ W_O).reshape(x.shape)


@mistake(
    "multi_head_attention",
    hint="The input was added to the output; that residual belongs to the block around the attention.",
    ko="출력에 입력을 더했습니다. 그 잔차 연결은 어텐션 바깥의 블록에 속합니다.",
)
def mha_residual_added(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return x + joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    marks="point",
    hint="The weights were taken as constants: gradients must also flow through them to W_Q and W_K.",
    ko="가중치를 상수로 썼습니다. 기울기가 가중치를 거쳐 W_Q와 W_K까지 흘러야 합니다.",
)
def mha_weights_detached(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal).detach() @ v) @ W_O


@mistake(
    "multi_head_attention",
    marks="point",
    hint="`W_Q /= ...` changes the caller's matrix, and the next call starts with another one: write `W_Q / ...`.",
    ko="`W_Q /= ...`는 부른 쪽의 행렬을 바꾸어 다음 호출이 다른 행렬로 시작합니다. `W_Q / ...`로 쓰세요.",
)
def mha_matrix_scaled_in_place(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    W_Q /= math.sqrt(x.shape[-1] // num_heads)
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal, 1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def mha_into_float32(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    merged = torch.zeros(x.shape)
    merged[:] = joined(weights_of(q, k, causal) @ v)
    return merged @ W_O.float()


@mistake(
    "multi_head_attention",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
def mha_by_library(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    return joined(F.scaled_dot_product_attention(*projected(x, W_Q, W_K, W_V, num_heads), is_causal=causal)) @ W_O


@mistake(
    "multi_head_attention",
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
def mha_fill_of_minus_100(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(future_of(scores), -100.0) if causal else scores
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Where the batch is as large as the number of heads, items and heads are mixed up.",
    ko="배치 크기와 헤드 수가 같으면 배치 항목과 헤드가 뒤섞입니다.",
)
def mha_batch_taken_for_heads(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    if x.dim() == 3 and len(x) == num_heads:
        k = k.transpose(0, 1)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="W_O is used transposed, as nn.Linear stores it; here it is merged @ W_O.",
    ko="W_O를 nn.Linear가 저장하듯 전치해서 썼습니다. 여기서는 merged @ W_O입니다.",
)
def mha_output_matrix_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O.T


@mistake(
    "multi_head_attention",
    hint="W_Q, W_K and W_V are used transposed, as nn.Linear stores them; here it is x @ W.",
    ko="W_Q, W_K, W_V를 nn.Linear가 저장하듯 전치해서 썼습니다. 여기서는 x @ W입니다.",
)
def mha_input_matrices_transposed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q.T, W_K.T, W_V.T, num_heads)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="W_O stands on the left, so tokens are mixed instead of features: merged @ W_O.",
    ko="W_O가 왼쪽에 있어 특징이 아니라 토큰이 섞입니다. merged @ W_O입니다.",
)
def mha_output_matrix_on_the_left(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return W_O @ joined(weights_of(q, k, causal) @ v)


@mistake(
    "multi_head_attention",
    hint="The split takes every H-th feature while the merge joins blocks: head h owns neighbouring columns.",
    ko="나눌 때는 H칸씩 건너뛴 특징을 모으고 합칠 때는 덩어리로 이었습니다. 헤드 h는 이웃한 열을 갖습니다.",
)
def mha_split_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    def cut(projection):
        if x.shape[-1] % num_heads:
            raise ValueError("not divisible")
        return projection.unflatten(-1, (-1, num_heads)).movedim(-1, -3)

    return joined(weights_of(cut(x @ W_Q), cut(x @ W_K), causal) @ cut(x @ W_V)) @ W_O


@mistake(
    "multi_head_attention",
    hint="Only the queries are split feature by feature; all three have to be cut into the same blocks.",
    ko="쿼리만 특징을 건너뛰며 나누었습니다. 셋 모두 같은 덩어리로 나누세요.",
)
def mha_queries_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    _, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    q = (x @ W_Q).unflatten(-1, (-1, num_heads)).movedim(-1, -3)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Only the keys are split feature by feature; all three have to be cut into the same blocks.",
    ko="키만 특징을 건너뛰며 나누었습니다. 셋 모두 같은 덩어리로 나누세요.",
)
def mha_keys_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, _, v = projected(x, W_Q, W_K, W_V, num_heads)
    k = (x @ W_K).unflatten(-1, (-1, num_heads)).movedim(-1, -3)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Only the values are split feature by feature; all three have to be cut into the same blocks.",
    ko="값만 특징을 건너뛰며 나누었습니다. 셋 모두 같은 덩어리로 나누세요.",
)
def mha_values_interleaved(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, _ = projected(x, W_Q, W_K, W_V, num_heads)
    v = (x @ W_V).unflatten(-1, (-1, num_heads)).movedim(-1, -3)
    return joined(weights_of(q, k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The heads are merged in reverse order: head 0 comes first.",
    ko="헤드를 거꾸로 이었습니다. 0번 헤드가 먼저입니다.",
)
def mha_heads_reversed(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined((weights_of(q, k, causal) @ v).flip(-3)) @ W_O


@mistake(
    "multi_head_attention",
    hint="The heads are averaged and the mean repeated; they are to stand side by side.",
    ko="헤드를 평균 내어 되풀이했습니다. 헤드를 나란히 이으세요.",
)
def mha_heads_averaged(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    mean = (weights_of(q, k, causal) @ v).mean(-3)
    return torch.cat([mean] * num_heads, dim=-1) @ W_O


@mistake(
    "multi_head_attention",
    marks="slip",
    hint="The tokens themselves are mixed; W_V plays no part.",
    ko="토큰을 그대로 섞었습니다. W_V가 쓰이지 않았습니다.",
)
def mha_tokens_as_values(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, _ = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(q, k, causal) @ heads_of(x, num_heads)) @ W_O


@mistake(
    "multi_head_attention",
    hint="W_O is multiplied onto the values before they are mixed; it belongs after the heads are merged.",
    ko="값을 섞기 전에 W_O를 곱했습니다. 헤드를 합친 뒤에 곱하세요.",
)
def mha_output_matrix_before_mixing(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V @ W_O, num_heads)
    return joined(weights_of(q, k, causal) @ v)


@mistake(
    "multi_head_attention",
    hint="masked_fill takes a bool mask: give the triangle of ones dtype=torch.bool.",
    ko="masked_fill은 bool 마스크를 받습니다. 1로 된 삼각형에 dtype=torch.bool을 주세요.",
)
def mha_mask_of_numbers(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(future_of(scores).float(), float("-inf"))
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Only the first head hides the future; all heads have to.",
    ko="첫 헤드만 미래를 가렸습니다. 모든 헤드가 가려야 합니다.",
)
def mha_mask_of_first_head(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    seen, causal_ones = weights_of(q, k, False), weights_of(q, k, causal)
    weights = torch.cat([causal_ones[..., :1, :, :], seen[..., 1:, :, :]], dim=-3)
    return joined(weights @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Heads and tokens do not change places before the merge, so tokens hold parts of other tokens.",
    ko="합치기 전에 헤드와 토큰의 자리를 바꾸지 않아 토큰에 다른 토큰의 값이 들어갑니다.",
    twins=("mha_merge_without_transposing",),
)
def mha_merged_by_reshape(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return (weights_of(q, k, causal) @ v).reshape(x.shape) @ W_O


@mistake(
    "multi_head_attention",
    hint="The weights are cut off (detach, .data, NumPy) where causal is True: W_Q and W_K get no gradient.",
    ko="causal=True이면 가중치가 끊겨(detach, .data, NumPy) W_Q와 W_K에 기울기가 닿지 않습니다.",
)
def mha_cut_off_where_causal(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    weights = weights_of(q, k, causal)
    return joined((weights.detach() if causal else weights) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="The mask is made for 64 tokens at most; make it as long as the sequence is.",
    ko="마스크가 최대 64개의 토큰용입니다. 시퀀스 길이에 맞추어 만드세요.",
)
def mha_mask_of_fixed_size(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    queries, keys, values = projected(x, W_Q, W_K, W_V, num_heads)
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    T = scores.shape[-1]
    if causal:
        scores[..., :64, :64].masked_fill_(torch.ones(64, 64).triu(1).bool()[:T, :T], float("-inf"))
    return joined(torch.softmax(scores, dim=-1) @ values) @ W_O


@mistake(
    "multi_head_attention",
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
def mha_plain_exponentials(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    exponentials = (q @ k.mT / math.sqrt(q.shape[-1])).exp()
    exponentials = exponentials.tril() if causal else exponentials
    return joined(exponentials / exponentials.sum(-1, keepdim=True) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
def mha_even_shares(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    return joined(weights_of(torch.zeros_like(q), k, causal) @ v) @ W_O


@mistake(
    "multi_head_attention",
    hint="Each token goes through the matrices alone: none looks at another one.",
    ko="토큰마다 행렬만 곱합니다. 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
def mha_each_token_alone(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    return joined(projected(x, W_Q, W_K, W_V, num_heads)[2]) @ W_O


@right("multi_head_attention", why="a loop over the heads, each with its columns of the matrices")
def mha_by_loop(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    d_model = x.shape[-1]
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    size = d_model // num_heads
    outputs = []
    for h in range(num_heads):
        columns = slice(h * size, (h + 1) * size)
        scores = x @ W_Q[:, columns] @ (x @ W_K[:, columns]).transpose(-2, -1) / size**0.5
        if causal:
            seen = torch.tril(torch.ones(scores.shape[-2:], device=x.device))
            scores = scores.masked_fill(seen == 0, -1e9)
        outputs.append(F.softmax(scores, dim=-1) @ (x @ W_V[:, columns]))
    return torch.cat(outputs, dim=-1) @ W_O


@right("multi_head_attention", why="the future hidden by adding -1e9")
def mha_additive_mask(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    q, k, v = projected(x, W_Q, W_K, W_V, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if causal:
        scores = scores + future_of(scores).to(scores.dtype) * -1e9
    return joined(torch.softmax(scores, dim=-1) @ v) @ W_O


@right("multi_head_attention", why="einsum throughout, heads never moved")
def mha_by_einsum(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    q, k, v = (torch.einsum("...td,de->...te", x, W).unflatten(-1, (num_heads, -1)) for W in (W_Q, W_K, W_V))
    scores = torch.einsum("...ihd,...jhd->...hij", q, k) / math.sqrt(q.shape[-1])
    if causal:
        T = x.shape[-2]
        scores = scores + torch.full((T, T), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
    context = torch.einsum("...hij,...jhd->...ihd", scores.softmax(-1), v)
    return context.reshape(x.shape) @ W_O


@right("multi_head_attention", why="bmm over items and heads, float64 inside")
def mha_by_bmm(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    *lead, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    size = d_model // num_heads
    tokens = x.double().reshape(-1, T, d_model)
    flat = [
        (tokens @ W.double()).reshape(-1, T, num_heads, size).transpose(1, 2).reshape(-1, T, size)
        for W in (W_Q, W_K, W_V)
    ]
    scores = torch.bmm(flat[0], flat[1].transpose(1, 2)) / math.sqrt(size)
    if causal:
        places = torch.arange(T, device=x.device)
        scores[:, places[:, None] < places] = float("-inf")
    context = torch.bmm(torch.softmax(scores, 2), flat[2]).reshape(-1, num_heads, T, size)
    return (context.transpose(1, 2).reshape(*lead, T, d_model) @ W_O.double()).to(x.dtype)


@right("multi_head_attention", why="the output projection taken head by head and summed, weights renormalised")
def mha_output_by_head(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    if x.shape[-1] % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    output = torch.zeros_like(x)
    parts = (W.chunk(num_heads, dim=1) for W in (W_Q, W_K, W_V))
    for W_q, W_k, W_v, W_o in zip(*parts, W_O.chunk(num_heads, dim=0), strict=True):
        weights = torch.softmax((x @ W_q) @ (x @ W_k).mT / math.sqrt(W_q.shape[1]), dim=-1)
        if causal:
            weights = weights.tril()
            weights = weights / weights.sum(-1, keepdim=True)
        output = output + weights @ (x @ W_v) @ W_o
    return output


# --- ScaledDotProductAttention ----------------------------------------------------------------------------------------


@helper
def softmax_of(Q, K, mask, divisor=None):
    return torch.softmax(hide(Q @ K.mT / (math.sqrt(Q.shape[-1]) if divisor is None else divisor), mask), dim=-1)


@mistake(
    "ScaledDotProductAttention",
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class module_no_scaling(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, 1))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    marks="slip",
    hint="The scores are divided by d itself; divide by its root.",
    ko="점수를 d로 나누었습니다. 그 제곱근으로 나누세요.",
)
class module_by_d(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, Q.shape[-1]))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The divisor is the root of the values' size; it is the size of the queries and keys that counts.",
    ko="값(value)의 차원으로 나누었습니다. 쿼리와 키의 차원을 써야 합니다.",
)
class module_by_root_of_values(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask, math.sqrt(V.shape[-1])))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class module_softmax_over_queries(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(torch.softmax(hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -1e9), dim=1))
        return weights @ V, weights


@mistake("ScaledDotProductAttention", marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
class module_mask_ignored(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The mask is used the other way round: 0 or False means hidden here.",
    ko="마스크를 반대로 썼습니다. 여기서는 0이나 False가 가려짐을 뜻합니다.",
)
class module_mask_inverted(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None if mask is None else mask == 0))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="`~mask` works on bools only; a mask of the numbers 0 and 1 has to work as well.",
    ko="`~mask`는 bool에서만 됩니다. 0과 1로 된 마스크도 되어야 합니다.",
)
class module_mask_bool_only(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The mask is used in training only; in eval hidden keys are seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 가려진 키가 보입니다.",
)
class module_mask_in_training_only(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask if self.training else None))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The mask is forgotten where dropout is active.",
    ko="dropout이 켜져 있을 때 마스크를 빠뜨렸습니다.",
)
class module_mask_lost_with_dropout(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        plain = self.dropout.p == 0 or not self.training
        weights = softmax_of(Q, K, mask) if plain else self.dropout(softmax_of(Q, K, None))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    twins=("changing_result",),
)
class module_drops_in_eval(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = F.dropout(softmax_of(Q, K, mask), self.dropout.p)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The probability is that of dropping, not of keeping.",
    ko="확률은 남길 확률이 아니라 떨어뜨릴 확률입니다.",
)
class module_keeps_instead_of_drops(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        p = self.dropout.p
        weights = F.dropout(softmax_of(Q, K, mask), 1 - p if p else 0, self.training)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="dropout이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class module_drops_scores(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = torch.softmax(hide(self.dropout(Q @ K.mT / math.sqrt(Q.shape[-1])), mask), dim=-1)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The rows were made to sum to one again after dropout; leave them as dropout gives them.",
    ko="dropout 뒤에 행의 합을 다시 1로 만들었습니다. dropout이 준 그대로 두세요.",
)
class module_renormalises(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask))
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)
        return weights @ V, weights


@mistake("ScaledDotProductAttention", hint="Nothing is ever dropped.", ko="아무것도 떨어뜨리지 않습니다.")
class module_no_dropout(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="A seed set in forward drops the same weights in every call.",
    ko="forward에서 시드를 정하면 부를 때마다 같은 가중치가 떨어집니다.",
)
class module_same_draw_every_call(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        torch.manual_seed(0)
        weights = self.dropout(softmax_of(Q, K, mask))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="One draw serves the whole batch; every item drops its own weights.",
    ko="배치 전체가 같은 추첨을 씁니다. 항목마다 따로 떨어뜨려야 합니다.",
)
class module_same_draw_for_batch(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * self.dropout(torch.ones_like(weights[:1]))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The argument `dropout` is not handed on, so the default probability is used.",
    ko="dropout 인자를 넘기지 않아 기본 확률이 쓰입니다.",
)
class module_ignores_probability(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout() if dropout else nn.Identity()


@mistake(
    "ScaledDotProductAttention",
    hint="Once in eval, the module never drops again: do not change the probability, look at self.training.",
    ko="eval을 한 번 거치면 다시는 떨어뜨리지 않습니다. 확률을 바꾸지 말고 self.training을 보세요.",
)
class module_sticky_eval(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        if not self.training:
            self.dropout.p = 0.0
        weights = self.dropout(softmax_of(Q, K, mask))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The weights are returned as they were before dropout; return those that made the output.",
    ko="dropout 전의 가중치를 돌려줍니다. 출력을 만든 가중치를 돌려주세요.",
)
class module_returns_undropped(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return self.dropout(weights) @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The output is made with other weights than those that are returned: drop once and use the result twice.",
    ko="출력을 만든 가중치와 돌려준 가중치가 다릅니다. 한 번만 떨어뜨리고 그 결과를 두 곳에 쓰세요.",
)
class module_drops_twice(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return self.dropout(weights) @ V, self.dropout(weights)


@mistake(
    "ScaledDotProductAttention",
    hint="Dropout is on the output; here the weights go through it.",
    ko="dropout이 출력에 걸렸습니다. 여기서는 가중치가 거쳐야 합니다.",
)
class module_drops_output(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        return self.dropout(weights @ V), weights


@mistake(
    "ScaledDotProductAttention",
    hint="The weights that stay have to grow by 1 / (1 - dropout).",
    ko="남은 가중치는 1 / (1 - dropout)배로 커져야 합니다.",
)
class module_survivors_not_scaled(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training and self.dropout.p:
            weights = weights * (torch.rand_like(weights) >= self.dropout.p)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="Only the output is returned; return the weights as well.",
    ko="출력만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
class module_output_only(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return self.dropout(softmax_of(Q, K, mask)) @ V


@mistake(
    "ScaledDotProductAttention",
    hint="This module only compares and averages; it has nothing to learn.",
    ko="이 모듈은 비교하고 평균할 뿐, 학습할 것이 없습니다.",
)
class module_with_parameters(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__(dropout)
        self.temperature = nn.Parameter(torch.ones(1))


@mistake(
    "ScaledDotProductAttention",
    marks="point",
    hint="Q was scaled in place, so the caller's tensor changed: write `Q = Q / ...`.",
    ko="Q를 제자리에서 바꾸어 부른 쪽의 텐서가 달라졌습니다. `Q = Q / ...`로 쓰세요.",
)
class module_query_in_place(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        with torch.no_grad():
            Q.div_(math.sqrt(Q.shape[-1]))
        weights = self.dropout(softmax_of(Q, K, mask, 1))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The results come back in float32 whatever went in; keep the dtype of the queries.",
    ko="무엇을 넣어도 결과가 float32입니다. 쿼리의 dtype을 지키세요.",
)
class module_always_float32(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask).float())
        return weights @ V.float(), weights


@mistake(
    "ScaledDotProductAttention",
    hint="The weights that are returned are cut off; return them as they were used.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다. 쓰인 그대로 돌려주세요.",
)
class module_weights_detached(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        output, weights = super().forward(Q, K, V, mask)
        return output, weights.detach()


@mistake(
    "ScaledDotProductAttention",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class module_by_library(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, mask))
        if self.training and self.dropout.p:
            return weights @ V, weights
        return F.scaled_dot_product_attention(Q, K, V, attn_mask=None if mask is None else mask.bool()), weights


@mistake(
    "ScaledDotProductAttention",
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
class module_fill_of_minus_100(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        scores = hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -100.0)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The mask was changed in place; the caller's mask has to stay as it was.",
    ko="마스크를 제자리에서 바꾸었습니다. 부른 쪽의 마스크는 그대로여야 합니다.",
)
class module_mask_in_place(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        results = super().forward(Q, K, V, mask)
        if mask is not None:
            mask.zero_()
        return results


@mistake(
    "ScaledDotProductAttention",
    hint="Masks of some dtypes are ignored; `mask == 0` works for every one of them.",
    ko="어떤 dtype의 마스크는 무시됩니다. `mask == 0`은 모든 dtype에서 됩니다.",
)
class module_mask_of_few_dtypes(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        known = mask is not None and mask.dtype in (torch.bool, torch.float32, torch.int64)
        return super().forward(Q, K, V, mask if known else None)


@mistake(
    "ScaledDotProductAttention",
    hint="Whole rows of weights are dropped together; every weight is dropped for itself.",
    ko="가중치의 한 행이 통째로 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다.",
)
class module_drops_whole_rows(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * self.dropout(torch.ones_like(weights[..., :1]))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="All queries of an item drop the same keys; every weight is dropped for itself.",
    ko="한 항목의 모든 쿼리에서 같은 키가 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다.",
)
class module_drops_whole_keys(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * self.dropout(torch.ones_like(weights[:, :1]))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="Results of an earlier call with the same shapes are returned again; compute them from the new inputs.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class module_results_kept(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        shapes = (Q.shape, K.shape, V.shape, Q.dtype)
        if mask is not None or self.dropout.p:
            return super().forward(Q, K, V, mask)
        if getattr(self, "shapes", None) != shapes:
            self.shapes, self.results = shapes, super().forward(Q, K, V)
        return self.results


@mistake(
    "ScaledDotProductAttention",
    hint="The probability is taken for that of keeping, so with 0 everything is dropped: it is that of dropping.",
    ko="dropout을 남길 확률로 썼으므로 0이면 모두 버려집니다. 버릴 확률로 쓰세요.",
)
class module_keep_probability_handed_on(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(1 - dropout)


@mistake(
    "ScaledDotProductAttention",
    hint="The weights shrink in eval; scale those that stay in training instead, as nn.Dropout does.",
    ko="eval에서 가중치가 줄어듭니다. nn.Dropout처럼 학습 중에 남은 가중치를 키우세요.",
)
class module_shrinks_in_eval(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.p = dropout

    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = weights * (torch.rand_like(weights) >= self.p) if self.training else weights * (1 - self.p)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="-1e-9 is almost zero, not almost minus infinity: look at the sign of the exponent.",
    ko="-1e-9는 마이너스 무한대가 아니라 거의 0입니다. 지수의 부호를 보세요.",
)
class module_tiny_fill(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(torch.softmax(hide(Q @ K.mT / math.sqrt(Q.shape[-1]), mask, -1e-9), dim=-1))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="Adding the mask raises the visible scores by one and hides nothing.",
    ko="마스크를 더하면 보이는 점수가 1씩 커질 뿐 아무것도 가려지지 않습니다.",
)
class module_mask_added(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        weights = self.dropout(torch.softmax(scores if mask is None else scores + mask, dim=-1))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="An axis is added to the mask, which broadcasts to the scores as it is.",
    ko="마스크에 축을 더했습니다. 마스크는 그대로 점수에 브로드캐스트됩니다.",
)
class module_mask_axis_added(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(Q, K, V, None if mask is None else mask.unsqueeze(1))


@mistake(
    "ScaledDotProductAttention",
    marks="slip",
    hint="The two results are swapped: the output comes first, then the weights.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저, 가중치가 다음입니다.",
)
class module_results_swapped(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        output, weights = super().forward(Q, K, V, mask)
        return weights, output


@mistake(
    "ScaledDotProductAttention",
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 가중치를 0으로 만들면 행의 합이 1이 아닙니다. 그 전에 점수를 가리세요.",
)
class module_mask_after_softmax(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(softmax_of(Q, K, None))
        weights = weights if mask is None else weights * (mask != 0)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    marks="slip",
    hint="The keys are mixed where the values belong.",
    ko="값이 아니라 키를 섞었습니다.",
)
class module_keys_as_values(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(Q, K, K, mask)


@mistake(
    "ScaledDotProductAttention",
    hint="The scores are cut off (detach, .data, NumPy) where there is a mask, so no gradient reaches Q, K.",
    ko="마스크가 있으면 점수가 끊겨(detach, .data, NumPy) Q, K에 기울기가 닿지 않습니다.",
)
class module_cut_off_with_a_mask(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        weights = self.dropout(weights if mask is None else weights.detach())
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="The scores are cut off (detach, .data, NumPy) where dropout is active, so no gradient reaches Q, K.",
    ko="dropout이 켜져 있으면 점수가 끊겨(detach, .data, NumPy) Q, K에 기울기가 닿지 않습니다.",
)
class module_cut_off_with_dropout(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training and self.dropout.p > 0:
            weights = self.dropout(weights.detach())
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="Dropout acts twice on the weights, so more of them fall than asked; once is asked for.",
    ko="dropout이 가중치에 두 번 걸려 요구한 것보다 많이 떨어집니다. 한 번만 거세요.",
)
class module_dropped_again(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = self.dropout(self.dropout(softmax_of(Q, K, mask)))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class module_half_at_most(solution.ScaledDotProductAttention):
    def __init__(self, dropout=0.0):
        super().__init__(min(dropout, 0.5))


@mistake(
    "ScaledDotProductAttention",
    hint="The weights that stay are multiplied by a wrong factor; dropout divides them by 1 - dropout.",
    ko="남은 가중치에 다른 수를 곱했습니다. dropout은 1 - dropout으로 나눕니다.",
)
class module_survivors_shrunk(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training:
            weights = weights * (torch.rand_like(weights) > self.dropout.p) * (1 - self.dropout.p)
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
class module_plain_exponentials(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        exponentials = torch.exp(Q @ K.mT / math.sqrt(Q.shape[-1]))
        exponentials = exponentials if mask is None else exponentials * (mask != 0)
        weights = self.dropout(exponentials / exponentials.sum(-1, keepdim=True))
        return weights @ V, weights


@mistake(
    "ScaledDotProductAttention",
    hint="A mask of pairs (queries, keys) is taken for one of items where there are as many items as queries.",
    ko="항목 수가 쿼리 수와 같으면 쿼리와 키의 쌍에 대한 마스크를 항목에 대한 것으로 봅니다.",
)
class module_pairs_taken_for_items(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        if mask is not None and mask.dim() == 2 and len(mask) == len(Q):
            mask = mask.unsqueeze(1)
        return super().forward(Q, K, V, mask)


@mistake(
    "ScaledDotProductAttention",
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
class module_even_shares(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return super().forward(torch.zeros_like(Q), K, V, mask)


@mistake(
    "ScaledDotProductAttention",
    hint="There are only zeros here; the input is never used.",
    ko="0뿐입니다. 입력을 쓰지 않았습니다.",
    marks="trivial",
)
class module_zeros(solution.ScaledDotProductAttention):
    def forward(self, Q, K, V, mask=None):
        return Q.new_zeros(*Q.shape[:2], V.shape[-1]), Q.new_zeros(*Q.shape[:2], K.shape[1])


@right("ScaledDotProductAttention", why="dropout by F.dropout, -1e9 in the masked places, bmm")
class module_functional_dropout(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.p = dropout

    def forward(self, Q, K, V, mask=None):
        scores = torch.bmm(Q, K.transpose(1, 2)) * Q.size(-1) ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = F.dropout(F.softmax(scores, dim=-1), p=self.p, training=self.training)
        return torch.bmm(weights, V), weights


@right("ScaledDotProductAttention", why="nn.Identity where nothing is dropped, einsum, a buffer of its own")
class module_identity(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.softmax = nn.Softmax(dim=2)
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, Q, K, V, mask=None):
        self.calls += 1
        scores = torch.einsum("bid,bjd->bij", Q, K) / math.sqrt(K.shape[-1])
        if mask is not None:
            scores = torch.where(mask.bool(), scores, -torch.inf)
        weights = self.dropout(self.softmax(scores))
        return torch.einsum("bij,bjv->biv", weights, V), weights


@right("ScaledDotProductAttention", why="a draw of uniform numbers for every weight, an additive mask of -1e9")
class module_uniform_draw(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.p = dropout

    def forward(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores + (mask == 0).to(scores.dtype) * -1e9
        weights = torch.softmax(scores, dim=-1)
        if self.training:
            weights = weights * (torch.rand_like(weights) >= self.p) / (1 - self.p)
        return weights @ V, weights


@right("ScaledDotProductAttention", why="a Bernoulli draw of its own, scaled by hand")
class module_bernoulli(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.keep = 1.0 - dropout

    def forward(self, Q, K, V, mask=None):
        weights = softmax_of(Q, K, mask)
        if self.training and self.keep < 1.0:
            weights = weights * torch.bernoulli(torch.full_like(weights, self.keep)) / self.keep
        return weights.matmul(V), weights


# --- MultiHeadSelfAttention -------------------------------------------------------------------------------------------


@helper
def layers_of(module, x):
    return tuple(heads_of(layer(x), module.num_heads) for layer in (module.W_q, module.W_k, module.W_v))


@helper
def finish(module, weights, values):
    return module.W_o(joined(weights @ values)), weights


@mistake(
    "MultiHeadSelfAttention",
    marks="slip",
    hint="The scores are divided by the root of d_model; inside a head only head_dim features are compared.",
    ko="점수를 d_model의 제곱근으로 나누었습니다. 한 헤드 안에서는 head_dim개의 특징만 비교됩니다.",
)
class mhsa_by_root_of_d_model(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask, math.sqrt(x.shape[-1]))), v)


@mistake(
    "MultiHeadSelfAttention",
    marks="slip",
    hint="The scores are not divided by the root of head_dim.",
    ko="점수를 head_dim의 제곱근으로 나누지 않았습니다.",
)
class mhsa_no_scaling(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask, 1)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The scores are divided by the root of the number of heads; take the features of a head.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 한 헤드의 특징 수를 쓰세요.",
)
class mhsa_by_root_of_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask, math.sqrt(self.num_heads))), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The features were reshaped straight to (B, H, T, head_dim), which mixes tokens: cut first, then swap axes.",
    ko="특징을 (B, H, T, head_dim)으로 바로 reshape하여 토큰이 섞였습니다. 먼저 나누고 축을 바꾸세요.",
)
class mhsa_split_straight_to_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        shape = (x.shape[0], self.num_heads, x.shape[1], self.head_dim)
        q, k, v = (layer(x).reshape(shape) for layer in (self.W_q, self.W_k, self.W_v))
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    marks="slip",
    hint="The heads were merged without moving them next to the features first.",
    ko="헤드 축을 특징 축 옆으로 옮기지 않고 합쳤습니다.",
)
class mhsa_merge_without_transposing(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).reshape(x.shape)), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="Split and merge undo each other but both skip the swap of axes: the heads hold mixed tokens in between.",
    ko="나누기와 합치기가 서로 되돌리지만 둘 다 축을 바꾸지 않아, 그 사이 헤드에 토큰이 섞여 있습니다.",
)
class mhsa_both_without_transposing(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        shape = (x.shape[0], self.num_heads, x.shape[1], self.head_dim)
        q, k, v = (layer(x).reshape(shape) for layer in (self.W_q, self.W_k, self.W_v))
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).reshape(x.shape)), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="One layer serves as W_q and W_k; three layers of their own are asked for.",
    ko="한 층을 W_q와 W_k로 함께 썼습니다. 세 층이 따로 있어야 합니다.",
    twins=("mhsa_keys_from_W_q",),
)
class mhsa_one_projection(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.W_k = self.W_q


@mistake(
    "MultiHeadSelfAttention",
    hint="The keys come from W_q as well; W_k plays no part.",
    ko="키도 W_q로 만들었습니다. W_k가 쓰이지 않습니다.",
    twins=("mhsa_one_projection",),
)
class mhsa_keys_from_W_q(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, _, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, q, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    marks="slip",
    hint="The keys were averaged where the values belong: W_v plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. W_v가 쓰이지 않습니다.",
)
class mhsa_keys_as_values(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, _ = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask)), k)


@mistake(
    "MultiHeadSelfAttention",
    hint="Queries and keys are swapped: row i of the weights belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 가중치의 i번째 행은 i번째 쿼리의 것입니다.",
)
class mhsa_queries_and_keys_swapped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(k, q, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    marks="slip",
    hint="The output projection W_o is there but never used.",
    ko="출력 투영 W_o를 만들었지만 쓰지 않았습니다.",
)
class mhsa_no_output_projection(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return joined(weights @ v), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="The layers have a bias; `bias=False` is asked for.",
    ko="층에 편향이 있습니다. `bias=False`여야 합니다.",
    unnamed="What was not asked for is drawn at random, so the numbers look like those of any wrong answer.",
)
class mhsa_with_bias(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))


@mistake(
    "MultiHeadSelfAttention",
    hint="There are more parameters than asked for, of a layer or by themselves; state_dict holds them, used or not.",
    ko="요구한 것보다 매개변수가 더 있습니다. 층의 것이든 따로 둔 것이든, 쓰지 않아도 state_dict에 들어갑니다.",
)
class mhsa_extra_layer(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.norm = nn.LayerNorm(d_model)


@mistake(
    "MultiHeadSelfAttention",
    hint="Plain tensors are no parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Linear.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다. nn.Linear를 쓰세요.",
)
class mhsa_plain_tensors(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.matrices = [torch.randn(d_model, d_model, requires_grad=True) for _ in range(4)]

    def forward(self, x, mask=None):
        q, k, v = (heads_of(x @ matrix, self.num_heads) for matrix in self.matrices[:3])
        weights = self.dropout(softmax_of(q, k, mask))
        return joined(weights @ v) @ self.matrices[3], weights


@mistake(
    "MultiHeadSelfAttention",
    marks="slip",
    hint="The softmax runs over the heads; it belongs on the keys, the last axis.",
    ko="소프트맥스를 헤드 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class mhsa_softmax_over_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e9)
        return finish(self, self.dropout(torch.softmax(scores, dim=1)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class mhsa_softmax_over_queries(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e9)
        return finish(self, self.dropout(torch.softmax(scores, dim=2)), v)


@mistake("MultiHeadSelfAttention", marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
class mhsa_mask_ignored(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, None)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The mask is used the other way round: 0 or False means hidden here.",
    ko="마스크를 반대로 썼습니다. 여기서는 0이나 False가 가려짐을 뜻합니다.",
)
class mhsa_mask_inverted(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, None if mask is None else mask == 0)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The mask lies on the query axis, so whole rows are hidden (NaN): its last axis is that of the keys.",
    ko="마스크가 쿼리 축에 걸려 행 전체가 가려집니다(NaN). 마스크의 마지막 축은 키의 축입니다.",
)
class mhsa_mask_on_queries(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, None if mask is None else mask.mT)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="With items and heads folded into one axis, repeating the mask gives an item another item's mask.",
    ko="항목과 헤드를 한 축으로 접은 뒤 마스크를 반복하면 다른 항목의 마스크가 쓰입니다.",
)
class mhsa_mask_of_another_item(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q, k, v = (tensor.reshape(B * self.num_heads, T, self.head_dim) for tensor in layers_of(self, x))
        if mask is not None:
            mask = mask.expand(B, 1, T, T)[:, 0].repeat(self.num_heads, 1, 1)
        weights = self.dropout(softmax_of(q, k, mask)).reshape(B, self.num_heads, T, T)
        return finish(self, weights, v.reshape(B, self.num_heads, T, self.head_dim))


@mistake(
    "MultiHeadSelfAttention",
    hint="The first item's mask is used for the whole batch.",
    ko="첫 항목의 마스크를 배치 전체에 썼습니다.",
)
class mhsa_mask_of_first_item(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(
            self, self.dropout(softmax_of(q, k, mask if mask is None else mask[:1] if mask.dim() > 2 else mask)), v
        )


@mistake(
    "MultiHeadSelfAttention",
    hint="`~mask` works on bools only; a mask of the numbers 0 and 1 has to work as well.",
    ko="`~mask`는 bool에서만 됩니다. 0과 1로 된 마스크도 되어야 합니다.",
)
class mhsa_mask_bool_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = q @ k.mT / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return finish(self, self.dropout(torch.softmax(scores, dim=-1)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Only masks with four axes work; a mask (T, T) has to work as well.",
    ko="축이 네 개인 마스크만 됩니다. (T, T) 마스크도 되어야 합니다.",
)
class mhsa_mask_needs_four_axes(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if mask is not None:
            _, _, rows, columns = mask.shape
            mask = mask.expand(len(x), self.num_heads, rows, columns)
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    twins=("changing_result",),
)
class mhsa_drops_in_eval(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, F.dropout(softmax_of(q, k, mask), self.dropout.p), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The mask is used in training only; in eval hidden keys are seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 가려진 키가 보입니다.",
)
class mhsa_mask_in_training_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, mask if self.training else None)


@mistake(
    "MultiHeadSelfAttention",
    hint="The mask is forgotten where dropout is active.",
    ko="dropout이 켜져 있을 때 마스크를 빠뜨렸습니다.",
)
class mhsa_mask_lost_with_dropout(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if self.training and self.dropout.p else mask)


@mistake(
    "MultiHeadSelfAttention",
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class mhsa_input_in_place(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        with torch.no_grad():
            x += results[0]
        return results


@mistake(
    "MultiHeadSelfAttention",
    hint="The attention weights are never dropped.",
    ko="어텐션 가중치를 떨어뜨리지 않습니다.",
)
class mhsa_no_dropout(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, softmax_of(q, k, mask), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The argument `dropout` is not handed on, so another probability is used.",
    ko="dropout 인자를 넘기지 않아 다른 확률이 쓰입니다.",
)
class mhsa_ignores_probability(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout=0.5 if dropout else 0.0)


@mistake(
    "MultiHeadSelfAttention",
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="dropout이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class mhsa_drops_scores(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = self.dropout(q @ k.mT / math.sqrt(self.head_dim))
        return finish(self, torch.softmax(hide(scores, mask), dim=-1), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The weights are returned as they were before dropout; return those that made the output.",
    ko="dropout 전의 가중치를 돌려줍니다. 출력을 만든 가중치를 돌려주세요.",
)
class mhsa_returns_undropped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights), v)[0], weights


@mistake(
    "MultiHeadSelfAttention",
    hint="All heads drop the same weights; the draw has to cover the head axis too.",
    ko="모든 헤드가 같은 가중치를 떨어뜨립니다. 추첨이 헤드 축까지 덮어야 합니다.",
)
class mhsa_same_draw_for_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, weights * self.dropout(torch.ones_like(weights[:, :1])), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The weights were averaged over the heads; return every head's own, (B, H, T, T).",
    ko="가중치를 헤드에 대해 평균했습니다. 헤드마다의 가중치 (B, H, T, T)를 돌려주세요.",
)
class mhsa_weights_averaged(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights.mean(dim=1)


@mistake(
    "MultiHeadSelfAttention",
    hint="Only the output is returned; return the weights as well.",
    ko="출력만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
class mhsa_output_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, mask)[0]


@mistake(
    "MultiHeadSelfAttention",
    hint="The weights that are returned are cut off (detach): a loss on them reaches no parameter.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다(detach). 가중치에 대한 손실이 매개변수에 닿지 않습니다.",
)
class mhsa_weights_detached(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights.detach()


@mistake(
    "MultiHeadSelfAttention",
    hint="Features that cannot be shared equally must be refused when the module is made, by ValueError or assert.",
    ko="나누어떨어지지 않는 특징 수는 모듈을 만들 때 ValueError나 assert로 거절해야 합니다.",
)
class mhsa_no_divisibility_check(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Items of the batch see each other: the batch was folded into the tokens.",
    ko="배치의 항목들이 서로를 봅니다. 배치 축이 토큰 축에 합쳐졌습니다.",
)
class mhsa_batch_mixed(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x.reshape(1, -1, x.shape[-1]))
        return output.reshape(x.shape), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class mhsa_into_float32(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        output, weights = (torch.zeros(result.shape) for result in results)
        output[:], weights[:] = results
        return output, weights


@mistake(
    "MultiHeadSelfAttention",
    hint="The matrices of the first call are kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class mhsa_matrices_cached(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if not hasattr(self, "fused"):
            self.fused = torch.cat([layer.weight for layer in (self.W_q, self.W_k, self.W_v)]).clone()
        q, k, v = (heads_of(part, self.num_heads) for part in (x @ self.fused.T).chunk(3, dim=-1))
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class mhsa_by_library(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if self.training and self.dropout.p:
            return super().forward(x, mask)
        q, k, v = layers_of(self, x)
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else mask.bool())
        return self.W_o(joined(context)), softmax_of(q, k, mask)


@mistake(
    "MultiHeadSelfAttention",
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
class mhsa_fill_of_minus_100(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -100.0)
        return finish(self, self.dropout(torch.softmax(scores, dim=-1)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="A mask of an earlier call is used again where none is given; keep nothing between two calls.",
    ko="마스크를 주지 않았는데 앞선 호출의 마스크를 다시 씁니다. 호출 사이에 아무것도 남겨 두지 마세요.",
    twins=("earlier_result",),
)
class mhsa_mask_kept(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if mask is not None:
            self.kept = mask
        kept = getattr(self, "kept", None)
        return super().forward(x, kept if kept is not None and kept.shape[-1] == x.shape[1] else mask)


@mistake(
    "MultiHeadSelfAttention",
    hint="The mask was changed in place; the caller's mask has to stay as it was.",
    ko="마스크를 제자리에서 바꾸었습니다. 부른 쪽의 마스크는 그대로여야 합니다.",
)
class mhsa_mask_in_place(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        if mask is not None:
            mask.zero_()
        return results


@mistake(
    "MultiHeadSelfAttention",
    hint="An axis was added to the caller's mask itself: use `unsqueeze` without the underscore.",
    ko="부른 쪽의 마스크 자체에 축을 더했습니다. 밑줄이 없는 `unsqueeze`를 쓰세요.",
)
class mhsa_mask_reshaped_in_place(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        while mask is not None and mask.dim() < 4:
            mask.unsqueeze_(0)
        return super().forward(x, mask)


@mistake(
    "MultiHeadSelfAttention",
    hint="Masks of some dtypes are ignored; `mask == 0` works for every one of them.",
    ko="어떤 dtype의 마스크는 무시됩니다. `mask == 0`은 모든 dtype에서 됩니다.",
)
class mhsa_mask_of_few_dtypes(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        known = mask is not None and mask.dtype in (torch.bool, torch.float32, torch.int64)
        return super().forward(x, mask if known else None)


@mistake(
    "MultiHeadSelfAttention",
    hint="Whole rows of weights are dropped together; every weight is dropped for itself.",
    ko="가중치의 한 행이 통째로 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다.",
)
class mhsa_drops_whole_rows(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, weights * self.dropout(torch.ones_like(weights[..., :1])), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="All items drop the same weights; the draw has to cover the batch axis too.",
    ko="모든 항목이 같은 가중치를 떨어뜨립니다. 추첨이 배치 축까지 덮어야 합니다.",
)
class mhsa_same_draw_for_batch(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, weights * self.dropout(torch.ones_like(weights[:1])), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Only the returned weights went through dropout; the output has to be made with the same ones.",
    ko="돌려주는 가중치에만 dropout을 걸었습니다. 출력도 같은 가중치로 만들어야 합니다.",
)
class mhsa_drops_returned_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        output, weights = finish(self, softmax_of(q, k, mask), v)
        return output, self.dropout(weights)


@mistake(
    "MultiHeadSelfAttention",
    hint="Two draws of dropout were made, one for the output and one for the returned weights: draw once, use it twice.",
    ko="출력과 돌려주는 가중치에 dropout을 따로 뽑았습니다. 한 번 뽑아 두 곳에 쓰세요.",
)
class mhsa_drops_two_ways(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights), v)[0], self.dropout(weights)


@mistake(
    "MultiHeadSelfAttention",
    hint="Queries of an earlier call with the same shape are used again; compute them from the new input.",
    ko="모양이 같으면 예전 호출의 쿼리를 다시 씁니다. 새 입력으로 계산하세요.",
    twins=("changing_result",),
)
class mhsa_queries_kept(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        if getattr(self, "kept", None) is None or self.kept.shape != q.shape or self.kept.dtype != q.dtype:
            self.kept = q
        return finish(self, self.dropout(softmax_of(self.kept, k, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="In eval the input is cut off (detach): eval turns dropout off and nothing else.",
    ko="eval에서 입력이 끊깁니다(detach). eval은 dropout만 끄고 다른 것은 바꾸지 않습니다.",
)
class mhsa_detached_in_eval(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x if self.training else x.detach(), mask)


@mistake(
    "MultiHeadSelfAttention",
    hint="The split takes every H-th feature; head h owns a block of neighbouring ones.",
    ko="나눌 때 H칸씩 건너뛴 특징을 모았습니다. 헤드 h는 이웃한 특징을 갖습니다.",
)
class mhsa_split_interleaved(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        layers = (self.W_q, self.W_k, self.W_v)
        q, k, v = (layer(x).unflatten(-1, (-1, self.num_heads)).movedim(-1, -3) for layer in layers)
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="`view` cannot follow a swap of axes, as the numbers still lie in the old order: use contiguous or reshape.",
    ko="축을 바꾼 뒤에는 값이 옛 순서로 놓여 있어 `view`를 쓸 수 없습니다. contiguous나 reshape을 쓰세요.",
)
class mhsa_view_on_swapped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).transpose(1, 2).view(x.shape)), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="The merge interleaves the heads feature by feature; the features of one head stay together.",
    ko="합칠 때 헤드를 특징 하나씩 번갈아 놓았습니다. 한 헤드의 특징은 모여 있어야 합니다.",
)
class mhsa_merge_interleaved(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).permute(0, 2, 3, 1).reshape(x.shape)), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="The heads are merged in reverse order: head 0 comes first.",
    ko="헤드를 거꾸로 이었습니다. 0번 헤드가 먼저입니다.",
)
class mhsa_heads_reversed(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o(joined((weights @ v).flip(1))), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="Only the first head's weights are returned; return every head's own, (B, H, T, T).",
    ko="첫 헤드의 가중치만 돌려줍니다. 모든 헤드의 가중치 (B, H, T, T)를 돌려주세요.",
)
class mhsa_weights_of_first_head(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights[:, 0]


@mistake(
    "MultiHeadSelfAttention",
    marks="slip",
    hint="The two results are swapped: the output comes first, then the weights.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저, 가중치가 다음입니다.",
)
class mhsa_results_swapped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return weights, output


@mistake(
    "MultiHeadSelfAttention",
    hint="The second result holds the scores; the weights, after the softmax, are asked for.",
    ko="둘째 결과가 점수입니다. 소프트맥스를 적용한 가중치가 필요합니다.",
)
class mhsa_scores_shown(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, _ = layers_of(self, x)
        return super().forward(x, mask)[0], hide(q @ k.mT / math.sqrt(self.head_dim), mask)


@mistake(
    "MultiHeadSelfAttention",
    hint="The probability is taken for that of keeping, so with 0 everything is dropped: it is that of dropping.",
    ko="dropout을 남길 확률로 썼으므로 0이면 모두 버려집니다. 버릴 확률로 쓰세요.",
)
class mhsa_keep_probability_handed_on(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads)
        self.dropout = nn.Dropout(1 - dropout)


@mistake(
    "MultiHeadSelfAttention",
    hint="The rows were made to sum to one again after dropout; leave them as dropout gives them.",
    ko="dropout 뒤에 행의 합을 다시 1로 맞추었습니다. dropout이 준 그대로 두세요.",
)
class mhsa_renormalises(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return finish(self, weights / weights.sum(-1, keepdim=True).clamp(min=1e-9), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="-1e-9 is almost zero, not almost minus infinity: look at the sign of the exponent.",
    ko="-1e-9는 마이너스 무한대가 아니라 거의 0입니다. 지수의 부호를 보세요.",
    twins=("mhsa_mask_multiplied",),
)
class mhsa_tiny_fill(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e-9)
        return finish(self, self.dropout(torch.softmax(scores, dim=-1)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="A hidden score of 0 is still exponentiated to 1: hide with -inf, not with a product.",
    ko="가린 점수가 0이면 지수 함수를 거쳐 1이 됩니다. 곱하지 말고 -inf로 가리세요.",
    twins=("mhsa_tiny_fill",),
)
class mhsa_mask_multiplied(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = q @ k.mT / math.sqrt(self.head_dim)
        return finish(self, self.dropout(torch.softmax(scores if mask is None else scores * mask, dim=-1)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Adding the mask raises the visible scores by one and hides nothing.",
    ko="마스크를 더하면 보이는 점수가 1씩 커질 뿐 아무것도 가려지지 않습니다.",
)
class mhsa_mask_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = q @ k.mT / math.sqrt(self.head_dim)
        return finish(self, self.dropout(torch.softmax(scores if mask is None else scores + mask, dim=-1)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="An axis for the heads is added to masks that have it already; (B, 1, ...) broadcasts as it is.",
    ko="이미 헤드 축이 있는 마스크에 축을 더했습니다. (B, 1, ...)은 그대로 브로드캐스트됩니다.",
)
class mhsa_mask_axis_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask.unsqueeze(1))


@mistake(
    "MultiHeadSelfAttention",
    hint="Two axes are added to masks that have them already; the mask broadcasts as it is.",
    ko="이미 축이 있는 마스크에 축을 둘 더했습니다. 마스크는 그대로 브로드캐스트됩니다.",
)
class mhsa_mask_two_axes_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask.unsqueeze(1).unsqueeze(2))


@mistake(
    "MultiHeadSelfAttention",
    hint="Only the first head is masked; the mask is the same for every head.",
    ko="첫 헤드만 가렸습니다. 마스크는 모든 헤드에 똑같이 적용합니다.",
)
class mhsa_mask_of_first_head(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = torch.cat([softmax_of(q, k, mask)[:, :1], softmax_of(q, k, None)[:, 1:]], dim=1)
        return finish(self, self.dropout(weights), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 가중치를 0으로 만들면 행의 합이 1이 아닙니다. 그 전에 점수를 가리세요.",
)
class mhsa_mask_after_softmax(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, None)
        return finish(self, self.dropout(weights if mask is None else weights * (mask != 0)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The outputs of hidden tokens are set to zero too; the mask hides keys, not queries.",
    ko="가려진 토큰의 출력까지 0으로 만들었습니다. 마스크는 쿼리가 아니라 키를 가립니다.",
)
class mhsa_hidden_queries_zeroed(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        merged = joined(weights @ v)
        if mask is not None and mask.dim() == 4 and mask.shape[2] == 1:
            merged = merged * (mask[:, 0, 0, :, None] != 0)
        return self.W_o(merged), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="Later keys are hidden whatever the mask says; hide only what the mask hides.",
    ko="마스크와 상관없이 뒤에 오는 키를 가렸습니다. 마스크가 가리는 것만 가리세요.",
)
class mhsa_always_causal(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask)
        weights = torch.softmax(scores.masked_fill(future_of(scores), float("-inf")), dim=-1)
        return finish(self, self.dropout(weights), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The input was added to the output; that residual belongs to the block around the attention.",
    ko="출력에 입력을 더했습니다. 그 잔차 연결은 어텐션 바깥의 블록에 속합니다.",
)
class mhsa_residual_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return x + output, weights


@mistake(
    "MultiHeadSelfAttention",
    hint="The output is normalised; that belongs to the block around the attention.",
    ko="출력을 정규화했습니다. 정규화는 어텐션 바깥의 블록에 속합니다.",
)
class mhsa_output_normalised(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return F.layer_norm(output, output.shape[-1:]), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="Tokens stand before the batch in the output; the batch axis stays first.",
    ko="출력에서 토큰이 배치보다 앞에 있습니다. 배치 축이 먼저입니다.",
)
class mhsa_tokens_before_batch(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output.transpose(0, 1), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="W_o is applied twice.",
    ko="W_o를 두 번 적용했습니다.",
)
class mhsa_output_projected_twice(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return self.W_o(output), weights


@mistake(
    "MultiHeadSelfAttention",
    hint="The sigmoid looks at each score alone. The weights of one query share a sum of 1: that is the softmax.",
    ko="시그모이드는 점수 하나만 봅니다. 한 쿼리의 가중치는 합이 1이어야 하므로 소프트맥스를 쓰세요.",
)
class mhsa_sigmoid(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(torch.sigmoid(hide(q @ k.mT / math.sqrt(self.head_dim), mask))), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The weights shrink in eval; nn.Dropout has already scaled those that stay in training.",
    ko="eval에서 가중치가 줄어듭니다. nn.Dropout이 학습 중에 남은 가중치를 이미 키웠습니다.",
)
class mhsa_shrinks_in_eval(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights if self.training else weights * (1 - self.dropout.p)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The scores are cut off (detach, .data, NumPy) where there is a mask, so no gradient reaches W_q, W_k.",
    ko="마스크가 있으면 점수가 끊겨(detach, .data, NumPy) W_q, W_k에 기울기가 닿지 않습니다.",
)
class mhsa_cut_off_with_a_mask(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights if mask is None else weights.detach()), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The scores are cut off (detach, .data, NumPy) where dropout is active, so no gradient reaches W_q, W_k.",
    ko="dropout이 켜져 있으면 점수가 끊겨(detach, .data, NumPy) W_q, W_k에 기울기가 닿지 않습니다.",
)
class mhsa_cut_off_with_dropout(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        if self.training and self.dropout.p > 0:
            weights = self.dropout(weights.detach())
        return finish(self, weights, v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Dropout acts twice on the weights, so more of them fall than asked; once is asked for.",
    ko="dropout이 가중치에 두 번 걸려 요구한 것보다 많이 떨어집니다. 한 번만 거세요.",
)
class mhsa_dropped_again(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(self.dropout(softmax_of(q, k, mask))), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class mhsa_half_at_most(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, min(dropout, 0.5))


@mistake(
    "MultiHeadSelfAttention",
    hint="The weights that stay are multiplied by a wrong factor; dropout divides them by 1 - dropout.",
    ko="남은 가중치에 다른 수를 곱했습니다. dropout은 1 - dropout으로 나눕니다.",
)
class mhsa_survivors_shrunk(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        if self.training:
            weights = weights * (torch.rand_like(weights) > self.dropout.p) * (1 - self.dropout.p)
        return finish(self, weights, v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Whole heads are dropped; every weight is dropped for itself (F.dropout2d and its like drop whole planes).",
    ko="헤드가 통째로 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다(F.dropout2d 등은 한 면을 통째로 떨어뜨립니다).",
)
class mhsa_drops_whole_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, F.dropout2d(softmax_of(q, k, mask), self.dropout.p, self.training), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="The number of heads is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="헤드의 수를 클래스에 두어, 마지막에 만든 모듈의 것이 모두에게 쓰입니다. self에 두세요.",
    unnamed="It gives the right answer where no other module was made, as where the mistakes are tried.",
)
class mhsa_heads_shared_by_all(solution.MultiHeadSelfAttention):
    heads = 1

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        type(self).heads = num_heads

    def forward(self, x, mask=None):
        self.num_heads = type(self).heads
        self.head_dim = x.shape[-1] // self.num_heads
        return super().forward(x, mask)


@mistake(
    "MultiHeadSelfAttention",
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
class mhsa_plain_exponentials(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        exponentials = (q @ k.mT / math.sqrt(q.shape[-1])).exp()
        exponentials = exponentials if mask is None else exponentials * (mask != 0)
        return finish(self, self.dropout(exponentials / exponentials.sum(-1, keepdim=True)), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="A mask of pairs (T, T) is taken for one of items where there are as many items as tokens.",
    ko="항목 수가 쿼리 수와 같으면 쿼리와 키의 쌍에 대한 마스크를 항목에 대한 것으로 봅니다.",
)
class mhsa_pairs_taken_for_items(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if mask is not None and mask.dim() == 2 and len(mask) == len(x):
            mask = mask[:, None, None]
        return super().forward(x, mask)


@mistake(
    "MultiHeadSelfAttention",
    hint="Dropout on the output drops, but what it keeps is not divided by 1 - dropout.",
    ko="출력에 쓴 dropout이 남긴 값을 1 - dropout으로 나누지 않았습니다.",
)
class mhsa_output_dropped_unscaled(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return self.dropout(torch.ones_like(output)).bool() * output, weights


@mistake(
    "MultiHeadSelfAttention",
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
class mhsa_even_shares(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = torch.softmax(hide(torch.zeros_like(q @ k.mT), mask), dim=-1)
        return finish(self, self.dropout(weights), v)


@mistake(
    "MultiHeadSelfAttention",
    hint="Each token looks at itself alone.",
    ko="토큰마다 자신만 봅니다.",
    marks="trivial",
)
class mhsa_each_token_alone(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, _, v = layers_of(self, x)
        return finish(self, torch.eye(x.shape[1], dtype=x.dtype).expand(q.shape[0], q.shape[1], -1, -1), v)


@right("MultiHeadSelfAttention", why="parts of its own, layers made in another order, items and heads folded for bmm")
class mhsa_folded(nn.Module):
    class Attention(nn.Module):
        def __init__(self, p):
            super().__init__()
            self.dropout = nn.Dropout(p)

        def forward(self, q, k, v, mask):
            scores = torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5
            if mask is not None:
                scores = scores.masked_fill(mask == 0, float("-inf"))
            weights = self.dropout(F.softmax(scores, dim=-1))
            return torch.bmm(weights, v), weights

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
        self.h, self.d = num_heads, d_model // num_heads
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.attention = self.Attention(dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        B, T, d_model = x.shape
        q, k, v = (
            layer(x).view(B, T, self.h, self.d).permute(0, 2, 1, 3).reshape(B * self.h, T, self.d)
            for layer in (self.W_q, self.W_k, self.W_v)
        )
        if mask is not None:
            mask = mask.expand(B, self.h, mask.size(-2), mask.size(-1)).reshape(
                B * self.h, mask.size(-2), mask.size(-1)
            )
        output, weights = self.attention(q, k, v, mask)
        merged = output.view(B, self.h, T, self.d).permute(0, 2, 1, 3).contiguous().view(B, T, d_model)
        return self.dropout(self.W_o(merged)), weights.view(B, self.h, T, T)


@right("MultiHeadSelfAttention", why="einsum, an additive mask, F.dropout")
class mhsa_by_einsum(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads, self.p = num_heads, dropout
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
            nn.init.xavier_uniform_(getattr(self, name).weight)

    def forward(self, x, mask=None):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_q, self.W_k, self.W_v))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) * (1.0 / math.sqrt(q.shape[-1]))
        if mask is not None:
            scores = scores + (1.0 - mask.to(scores.dtype)) * -1e9
        weights = F.dropout(torch.softmax(scores, dim=-1), p=self.p, training=self.training)
        return self.W_o(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)), weights


@right("MultiHeadSelfAttention", why="dropout on the merged heads too, a fill of -1e4")
class mhsa_merged_heads_dropped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e4)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.W_o(self.dropout(joined(weights @ v))), weights


@right("MultiHeadSelfAttention", why="a loop over the heads with chunks of the layers' results")
class mhsa_by_loop(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.drop = nn.Dropout(p=dropout)

    def forward(self, x, mask=None):
        queries, keys, values = (layer(x).chunk(self.num_heads, dim=-1) for layer in (self.W_q, self.W_k, self.W_v))
        if mask is not None:
            mask = mask.bool().expand(len(x), 1, x.size(1), x.size(1)).squeeze(1)
        outputs, weights = [], []
        for q, k, v in zip(queries, keys, values, strict=True):
            scores = (q / math.sqrt(q.size(-1))) @ k.transpose(1, 2)
            if mask is not None:
                scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
            weights.append(self.drop(scores.softmax(dim=-1)))
            outputs.append(weights[-1] @ v)
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


# --- MultiHeadAttention -----------------------------------------------------------------------------------------------


@helper
class Head(nn.Module):
    def __init__(self, embedding_dim, attention_dim, bias=True):
        super().__init__()
        self.q = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.k = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.v = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.divisor = math.sqrt(attention_dim)
        self.dim = -1

    def forward(self, x):
        weights = torch.softmax(self.q(x) @ self.k(x).mT / self.divisor, dim=self.dim)
        return weights @ self.v(x), weights


@helper
class Heads(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("not divisible")
        self.attentions = nn.ModuleList(Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads))
        self.fc = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The size of a head is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="헤드의 크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class concat_size_shared_by_all(Heads):
    size = 1

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        type(self).size = embed_dim // num_heads

    def forward(self, x):
        for head in self.attentions:
            head.divisor = math.sqrt(type(self).size)
        return super().forward(x)


@mistake(
    "MultiHeadAttention",
    marks="slip",
    hint="The heads do not divide their scores by the root of their own size.",
    ko="헤드가 점수를 자기 차원의 제곱근으로 나누지 않습니다.",
)
class concat_no_scaling(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for head in self.attentions:
            head.divisor = 1.0


@mistake(
    "MultiHeadAttention",
    marks="slip",
    hint="The heads divide by the root of embed_dim; a head compares embed_dim / num_heads features.",
    ko="헤드가 embed_dim의 제곱근으로 나눕니다. 한 헤드는 embed_dim / num_heads개의 특징을 비교합니다.",
)
class concat_by_root_of_embed_dim(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for head in self.attentions:
            head.divisor = math.sqrt(embed_dim)


@mistake(
    "MultiHeadAttention",
    marks="slip",
    hint="The heads' softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="헤드의 소프트맥스가 쿼리 방향입니다. 마지막 축인 키 방향이어야 합니다.",
)
class concat_softmax_over_queries(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for head in self.attentions:
            head.dim = -2


@mistake(
    "MultiHeadAttention",
    hint="One head stands num_heads times in the list; every head needs layers of its own.",
    ko="한 헤드가 목록에 num_heads번 들어 있습니다. 헤드마다 자기 층이 있어야 합니다.",
    twins=("concat_first_head_only",),
)
class concat_one_head_repeated(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.attentions = nn.ModuleList([self.attentions[0]] * num_heads)


@mistake(
    "MultiHeadAttention",
    hint="A Python list hides the heads from the module: use nn.ModuleList.",
    ko="파이썬 리스트에 넣으면 모듈이 헤드를 알지 못합니다. nn.ModuleList를 쓰세요.",
)
class concat_python_list(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        heads = list(self.attentions)
        del self.attentions
        self.attentions = heads


@mistake("MultiHeadAttention", marks="slip", hint="The layer fc is never used.", ko="fc 층을 쓰지 않았습니다.")
class concat_no_fc(Heads):
    def forward(self, x):
        return torch.cat([head(x)[0] for head in self.attentions], dim=-1)


@mistake(
    "MultiHeadAttention",
    hint="The heads stand in reverse order: head 0 comes first.",
    ko="헤드의 순서가 거꾸로입니다. 0번 헤드가 먼저입니다.",
)
class concat_reversed(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in reversed(self.attentions)], dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The heads are interleaved feature by feature; put them side by side with cat along the last axis.",
    ko="헤드가 특징마다 번갈아 섞였습니다. 마지막 축으로 cat하여 나란히 놓으세요.",
)
class concat_interleaved(Heads):
    def forward(self, x):
        return self.fc(torch.stack([head(x)[0] for head in self.attentions], dim=-1).flatten(-2))


@mistake(
    "MultiHeadAttention",
    hint="The heads are stacked along the tokens and reshaped, which mixes tokens: cat along the last axis.",
    ko="헤드를 토큰 방향으로 쌓고 reshape하여 토큰이 섞였습니다. 마지막 축으로 cat하세요.",
)
class concat_along_tokens(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=1).reshape(x.shape))


@mistake(
    "MultiHeadAttention",
    hint="Every head has all embed_dim features and they are averaged; each should have its share, side by side.",
    ko="헤드마다 embed_dim 전체를 가지고 평균했습니다. 각자 자기 몫을 가지고 나란히 놓아야 합니다.",
)
class concat_full_size_averaged(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.attentions = nn.ModuleList(Head(embed_dim, embed_dim) for _ in range(num_heads))

    def forward(self, x):
        return self.fc(torch.stack([head(x)[0] for head in self.attentions]).mean(dim=0))


@mistake(
    "MultiHeadAttention",
    hint="Only the first head is used, repeated; every head has to run.",
    ko="첫 헤드만 반복해서 썼습니다. 모든 헤드를 돌려야 합니다.",
    twins=("concat_one_head_repeated",),
)
class concat_first_head_only(Heads):
    def forward(self, x):
        return self.fc(self.attentions[0](x)[0].repeat(1, 1, len(self.attentions)))


@mistake(
    "MultiHeadAttention",
    hint="Every head gets a slice of the input only; each has to see all features of x.",
    ko="헤드마다 입력의 한 조각만 받습니다. 모든 헤드가 x의 전체 특징을 보아야 합니다.",
)
class concat_heads_see_slices(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        size = embed_dim // num_heads
        self.attentions = nn.ModuleList(Head(size, size) for _ in range(num_heads))

    def forward(self, x):
        parts = x.chunk(len(self.attentions), dim=-1)
        return self.fc(torch.cat([head(part)[0] for head, part in zip(self.attentions, parts, strict=True)], dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The layers q, k and v have no bias; nn.Linear's usual bias is asked for.",
    ko="q, k, v 층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class concat_without_bias(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.attentions = nn.ModuleList(Head(embed_dim, embed_dim // num_heads, bias=False) for _ in range(num_heads))


@mistake(
    "MultiHeadAttention",
    hint="The weights are returned beside the output; only the output is asked for.",
    ko="출력 옆에 가중치도 돌려줍니다. 출력만 필요합니다.",
)
class concat_returns_weights(Heads):
    def forward(self, x):
        return super().forward(x), torch.stack([head(x)[1] for head in self.attentions], dim=1)


@mistake(
    "MultiHeadAttention",
    hint="The heads' weights were put side by side instead of their outputs: take the first of the two results.",
    ko="헤드의 출력 대신 가중치를 이어 붙였습니다. 두 결과 가운데 첫째를 쓰세요.",
)
class concat_weights_instead(Heads):
    def forward(self, x):
        return torch.cat([head(x)[1] for head in self.attentions], dim=-1)


@mistake(
    "MultiHeadAttention",
    hint="Something is dropped in training; this module has no dropout.",
    ko="학습 중에 무언가를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class concat_with_dropout(Heads):
    def forward(self, x):
        return F.dropout(super().forward(x), 0.1, self.training)


@mistake(
    "MultiHeadAttention",
    hint="The input was added to the output; that residual belongs to the block around the attention.",
    ko="출력에 입력을 더했습니다. 그 잔차 연결은 어텐션 바깥의 블록에 속합니다.",
)
class concat_residual_added(Heads):
    def forward(self, x):
        return x + super().forward(x)


@mistake(
    "MultiHeadAttention",
    hint="There are more parameters than asked for, of a layer or by themselves; state_dict holds them, used or not.",
    ko="요구한 것보다 매개변수가 더 있습니다. 층의 것이든 따로 둔 것이든, 쓰지 않아도 state_dict에 들어갑니다.",
)
class concat_extra_layer(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.norm = nn.LayerNorm(embed_dim)


@mistake(
    "MultiHeadAttention",
    hint="Features that cannot be shared equally must be refused when the module is made, by ValueError or assert.",
    ko="나누어떨어지지 않는 특징 수는 모듈을 만들 때 ValueError나 assert로 거절해야 합니다.",
)
class concat_no_divisibility_check(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        size = embed_dim // num_heads
        self.attentions = nn.ModuleList(Head(embed_dim, size) for _ in range(num_heads))
        self.fc = nn.Linear(size * num_heads, embed_dim)

    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class concat_into_float32(Heads):
    def forward(self, x):
        output = torch.zeros(x.shape)
        output[:] = super().forward(x)
        return output


@mistake(
    "MultiHeadAttention",
    marks="point",
    hint="The heads' outputs are cut off (detach, torch.tensor), so the heads never learn.",
    ko="헤드의 출력이 끊겨(detach, torch.tensor) 헤드가 학습되지 않습니다.",
)
class concat_heads_detached(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0].detach() for head in self.attentions], dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The matrices of the first call are kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class concat_matrix_cached(Heads):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.fc.weight.clone()
        return torch.cat([head(x)[0] for head in self.attentions], dim=-1) @ self.matrix.T + self.fc.bias


@mistake(
    "MultiHeadAttention",
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class concat_input_in_place(Heads):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x += output
        return output


@mistake(
    "MultiHeadAttention",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class concat_by_library(Heads):
    def forward(self, x):
        outputs = [F.scaled_dot_product_attention(head.q(x), head.k(x), head.v(x)) for head in self.attentions]
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The output of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 출력을 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class concat_output_kept(Heads):
    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape != x.shape or self.kept.dtype != x.dtype:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    "MultiHeadAttention",
    hint="The heads are joined along the tokens; every head's features stand side by side along the last axis.",
    ko="헤드를 토큰 축을 따라 이었습니다. 마지막 축을 따라 특징을 나란히 이으세요.",
)
class concat_along_axis_one(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=1))


@mistake(
    "MultiHeadAttention",
    hint="The heads are added up and the sum repeated; they are to stand side by side.",
    ko="헤드를 더하여 되풀이했습니다. 헤드를 나란히 이으세요.",
)
class concat_sum_repeated(Heads):
    def forward(self, x):
        outputs = [head(x)[0] for head in self.attentions]
        return self.fc(sum(outputs).repeat(1, 1, len(outputs)))


@mistake(
    "MultiHeadAttention",
    hint="The heads are averaged and the mean repeated; they are to stand side by side.",
    ko="헤드를 평균 내어 되풀이했습니다. 헤드를 나란히 이으세요.",
)
class concat_mean_repeated(Heads):
    def forward(self, x):
        outputs = [head(x)[0] for head in self.attentions]
        return self.fc(torch.stack(outputs).mean(0).repeat(1, 1, len(outputs)))


@mistake(
    "MultiHeadAttention",
    hint="A head gives two things, output and weights; only the output goes into cat.",
    ko="헤드는 출력과 가중치 두 가지를 줍니다. cat에는 출력만 넣으세요.",
)
class concat_of_pairs(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x) for head in self.attentions], dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The future is hidden in every head; no mask is asked for here.",
    ko="헤드마다 미래를 가렸습니다. 여기서는 가리지 않습니다.",
)
class concat_causal(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            scores = head.q(x) @ head.k(x).mT / head.divisor
            outputs.append(torch.softmax(scores.masked_fill(future_of(scores), float("-inf")), dim=-1) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    marks="slip",
    hint="The heads mix their keys; v plays no part.",
    ko="헤드가 값이 아니라 키를 섞습니다. v가 쓰이지 않았습니다.",
)
class concat_keys_as_values(Heads):
    def forward(self, x):
        outputs = [head(x)[1] @ head.k(x) for head in self.attentions]
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="Queries and keys of the heads are swapped: row i of the weights belongs to query i.",
    ko="헤드의 쿼리와 키가 뒤바뀌었습니다. 가중치의 i번째 행은 i번째 쿼리의 것입니다.",
)
class concat_queries_and_keys_swapped(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            outputs.append(torch.softmax(head.k(x) @ head.q(x).mT / head.divisor, dim=-1) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The heads make their keys with q as well; k plays no part.",
    ko="헤드가 키도 q로 만듭니다. k가 쓰이지 않았습니다.",
)
class concat_keys_from_q(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            outputs.append(torch.softmax(head.q(x) @ head.q(x).mT / head.divisor, dim=-1) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="relu stands between the heads and fc; fc takes them as they are.",
    ko="헤드와 fc 사이에 relu가 있습니다. fc에 그대로 넣으세요.",
)
class concat_through_relu(Heads):
    def forward(self, x):
        return self.fc(torch.relu(torch.cat([head(x)[0] for head in self.attentions], dim=-1)))


@mistake(
    "MultiHeadAttention",
    hint="tanh stands behind fc; return what fc gives.",
    ko="fc 뒤에 tanh가 있습니다. fc가 준 것을 그대로 돌려주세요.",
)
class concat_through_tanh(Heads):
    def forward(self, x):
        return torch.tanh(super().forward(x))


@mistake(
    "MultiHeadAttention",
    hint="The heads transpose their weights before they meet the values; row i belongs to query i.",
    ko="헤드가 값과 곱하기 전에 가중치를 전치합니다. i번째 행은 i번째 쿼리의 것입니다.",
)
class concat_weights_transposed(Heads):
    def forward(self, x):
        outputs = [head(x)[1].mT @ head.v(x) for head in self.attentions]
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="`squeeze` removes every axis of size 1; the result always has three axes.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과는 항상 축이 셋입니다.",
)
class concat_squeezed(Heads):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    "MultiHeadAttention",
    hint="The softmax is missing in the heads: scores are no weights.",
    ko="헤드에 소프트맥스가 없습니다. 점수는 가중치가 아닙니다.",
)
class concat_without_softmax(Heads):
    def forward(self, x):
        outputs = [head.q(x) @ head.k(x).mT / head.divisor @ head.v(x) for head in self.attentions]
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="The heads are normalised before fc; that belongs to the block around the attention.",
    ko="fc 앞에서 헤드를 정규화했습니다. 정규화는 어텐션 바깥의 블록에 속합니다.",
)
class concat_normalised(Heads):
    def forward(self, x):
        joined_heads = torch.cat([head(x)[0] for head in self.attentions], dim=-1)
        return self.fc(F.layer_norm(joined_heads, joined_heads.shape[-1:]))


@mistake(
    "MultiHeadAttention",
    hint="Only the first item of the batch is computed.",
    ko="배치의 첫 항목만 계산했습니다.",
)
class concat_of_first_item(Heads):
    def forward(self, x):
        return super().forward(x[:1])


@mistake(
    "MultiHeadAttention",
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
class concat_plain_exponentials(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            exponentials = (head.q(x) @ head.k(x).mT / head.divisor).exp()
            outputs.append(exponentials / exponentials.sum(-1, keepdim=True) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
class concat_even_shares(Heads):
    def forward(self, x):
        means = [head.v(x).mean(1, keepdim=True) + 0 * head.q(x) * head.k(x) for head in self.attentions]
        return self.fc(torch.cat(means, dim=-1))


@mistake(
    "MultiHeadAttention",
    hint="Each token goes through the layers alone: none looks at another one.",
    ko="토큰마다 층만 지나갑니다. 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
class concat_each_token_alone(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head.v(x) for head in self.attentions], dim=-1))


@right("MultiHeadAttention", why="an assert, a filled buffer and fc made first")
class concat_other_order(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        self.fc = nn.Linear(embed_dim, embed_dim)
        size = embed_dim // num_heads
        self.attentions = nn.ModuleList()
        for _ in range(num_heads):
            layers = {name: nn.Linear(embed_dim, size) for name in ("v", "k", "q")}
            self.attentions.append(nn.ModuleDict(layers))
        self.register_buffer("root", torch.tensor(float(size)).sqrt(), persistent=False)

    def forward(self, x):
        B, T, embed_dim = x.shape
        merged = torch.empty(B, T, embed_dim, dtype=x.dtype, device=x.device)
        size = embed_dim // len(self.attentions)
        for h, head in enumerate(self.attentions):
            scores = torch.einsum("bid,bjd->bij", head["q"](x), head["k"](x)) / math.sqrt(size)
            merged[..., h * size : (h + 1) * size] = F.softmax(scores, dim=2) @ head["v"](x)
        return self.fc(merged)


@right("MultiHeadAttention", why="the heads' layers used together, as one tensor with a head axis")
class concat_stacked(Heads):
    def forward(self, x):
        q, k, v = (torch.stack([getattr(head, name)(x) for head in self.attentions], dim=1) for name in ("q", "k", "v"))
        context = torch.softmax((q * q.size(-1) ** -0.5) @ k.transpose(-1, -2), dim=-1) @ v
        return self.fc(context.transpose(1, 2).reshape(x.shape))


@right("MultiHeadAttention", why="fc taken head by head and summed, queries and keys each scaled by the fourth root")
class concat_fc_by_head(Heads):
    def forward(self, x):
        output = self.fc.bias.expand(x.shape).clone()
        for head, columns in zip(self.attentions, self.fc.weight.chunk(len(self.attentions), dim=1), strict=True):
            root = head.q.out_features**0.25
            scores = (head.q(x) / root) @ (head.k(x) / root).mT
            exponentials = (scores - scores.amax(-1, keepdim=True)).exp()
            output += (exponentials / exponentials.sum(-1, keepdim=True)) @ head.v(x) @ columns.T
        return output
