"""Wrong answers to `merge_heads`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="Without moving the axes first, token 0 gets head 0 of several tokens: bring the heads next to the features.",
    ko="축을 먼저 옮기지 않으면 0번 토큰에 여러 토큰의 0번 헤드가 들어갑니다. 헤드 축을 특징 축 옆으로 옮기세요.",
)
def merge_without_transposing(x):
    B, H, T, head_dim = x.shape
    return x.reshape(B, T, H * head_dim)


@mistake(
    hint="`view` cannot follow a swap of axes, as the numbers still lie in the old order: use contiguous or reshape.",
    ko="축을 바꾼 뒤에는 숫자가 예전 순서로 놓여 있어 view를 쓸 수 없습니다. contiguous나 reshape을 쓰세요.",
)
def merge_view_on_swapped(x):
    B, H, T, head_dim = x.shape
    return x.transpose(1, 2).view(B, T, H * head_dim)


@mistake(hint="The heads are averaged; put them side by side.", ko="헤드를 평균했습니다. 나란히 놓아야 합니다.")
def merge_mean(x):
    return x.mean(dim=1)


@mistake(hint="The heads were added up; they are to stand side by side.", ko="헤드를 더했습니다. 나란히 놓아야 합니다.")
def merge_sum(x):
    return x.sum(dim=1)


@mistake(
    hint="The heads were put one after another as more tokens; they belong next to each other in the features.",
    ko="헤드를 토큰 방향으로 이어 붙였습니다. 특징 방향으로 나란히 놓아야 합니다.",
)
def merge_along_tokens(x):
    return torch.cat(list(x.unbind(1)), dim=1)


@mistake(hint="Only the first head is left; all of them are needed.", ko="첫 헤드만 남았습니다. 모두 필요합니다.")
def merge_first_head_only(x):
    return x[:, 0].contiguous()


@mistake(hint="The heads are reversed: head 0 comes first.", ko="순서가 거꾸로입니다. 0번이 먼저입니다.", marks="slip")
def merge_reversed(x):
    B, H, T, head_dim = x.shape
    return x.flip(1).transpose(1, 2).reshape(B, T, H * head_dim)


@mistake(
    marks="slip",
    hint="The heads are interleaved feature by feature; the features of one head stay together.",
    ko="헤드가 특징마다 번갈아 섞였습니다. 한 헤드의 특징은 함께 있어야 합니다.",
)
def merge_interleaved(x):
    B, H, T, head_dim = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * head_dim)


@mistake(
    marks="point",
    hint="The numbers are right but do not lie in memory in the order of the axes: call contiguous at the end.",
    ko="값은 맞지만 메모리에서 축의 순서대로 놓여 있지 않습니다. 마지막에 contiguous를 부르세요.",
)
def merge_not_contiguous(x):
    B, H, T, head_dim = x.shape
    return x.transpose(2, 3).reshape(B, H * head_dim, T).transpose(1, 2)


@mistake(
    hint="The heads stand next to the features, but are still an axis of their own: join the last two.",
    ko="헤드 축이 특징 축 옆에 있지만 아직 따로입니다. 마지막 두 축을 합치세요.",
)
def merge_stays_split(x):
    return x.transpose(1, 2).contiguous()


@mistake(
    hint="You swapped the heads with the features; they have to change places with the tokens.",
    ko="헤드 축과 특징 축을 바꾸었습니다. 헤드 축과 토큰 축이 자리를 바꾸어야 합니다.",
)
def merge_wrong_axes_swapped(x):
    B, H, T, head_dim = x.shape
    return x.transpose(1, 3).reshape(B, T, H * head_dim)


@mistake(
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
    marks="point",
)
def merge_detached(x):
    B, H, T, head_dim = x.shape
    return x.data.transpose(1, 2).reshape(B, T, H * head_dim)


@mistake(hint="Operations that end in `_` change the tensor.", ko="`_`로 끝나는 연산은 텐서를 바꿉니다.", marks="point")
def merge_in_place(x):
    return x.transpose_(1, 2).flatten(2)


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def merge_into_float32(x):
    B, H, T, head_dim = x.shape
    merged = torch.zeros(B, T, H * head_dim)
    merged[:] = x.transpose(1, 2).flatten(2)
    return merged


@mistake(
    hint="Tokens and features changed places: the result is (B, T, H * head_dim).",
    ko="토큰과 특징의 자리가 바뀌었습니다. 결과는 (B, T, H * head_dim)입니다.",
)
def merge_features_before_tokens(x):
    B, _H, T, _head_dim = x.shape
    return x.permute(0, 1, 3, 2).reshape(B, -1, T)


@mistake(
    hint="`view` refuses heads that are a view of another tensor, as `split_heads` gives them; `reshape` takes them.",
    ko="`view`는 `split_heads`가 주는 것 같은 뷰를 받지 않습니다. `reshape`는 받습니다.",
)
def merge_heads_by_view(x):
    heads = x.view(x.shape[0], x.shape[1], -1).unflatten(-1, x.shape[2:])
    return heads.transpose(1, 2).flatten(2).contiguous()


@mistake(hint="Only zeros come back: the input is not used.", ko="0뿐입니다. 입력을 쓰지 않았습니다.", marks="trivial")
def merge_zeros(x):
    return x.new_zeros(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])


@mistake(hint="Move the heads, not the features.", ko="특징이 아니라 헤드를 옮기세요.")
def merge_features_moved(x):
    return x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1)


@mistake(
    marks="device",
    hint="The merged heads are moved to the CPU.",
    ko="합친 헤드를 CPU로 옮겼습니다.",
)
def merge_on_the_cpu(x):
    return x.cpu().transpose(1, 2).flatten(2).contiguous()
