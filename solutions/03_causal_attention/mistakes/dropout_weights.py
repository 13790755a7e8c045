"""Wrong answers to `dropout_weights`, each with the hint that a student with this answer gets."""

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="The mask is used the other way round: what it keeps was dropped.",
    ko="마스크를 반대로 썼습니다. 남겨야 할 것을 떨어뜨렸습니다.",
)
def drop_inverted(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask == 0) / (1 - p)


@mistake(
    marks="slip",
    hint="The kept weights are not scaled up, so a row becomes smaller on average.",
    ko="남긴 가중치를 키우지 않아 행이 평균적으로 작아집니다.",
)
def drop_not_scaled(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0)


@mistake(
    marks="slip",
    hint="The kept weights are divided by p, the share that is dropped; think of the share that is kept.",
    ko="남긴 가중치를 떨어뜨리는 비율 p로 나누었습니다. 남기는 비율을 생각하세요.",
)
def drop_divided_by_p(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) / p


@mistake(
    marks="slip",
    hint="The kept weights were made smaller (multiplied by 1 - p); they have to grow.",
    ko="남긴 가중치가 작아졌습니다(1 - p를 곱했습니다). 커져야 합니다.",
)
def drop_multiplied(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) * (1 - p)


@mistake(
    hint="Dropped weights are minus infinity; they have to be 0.",
    ko="떨어진 가중치가 음의 무한대입니다. 0이어야 합니다.",
)
def drop_to_minus_infinity(attn_weights, keep_mask, p):
    return attn_weights.masked_fill(keep_mask == 0, float("-inf")) / (1 - p)


@mistake(
    hint="The factor is always that of p = 0.5; take it from the argument.",
    ko="항상 p = 0.5일 때의 배율입니다. 인자에서 구하세요.",
)
def drop_always_half(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) * 2


@mistake(
    hint="The rows were made to sum to 1 again; dropout divides by 1 - p only, whatever the rows sum to then.",
    ko="행의 합을 다시 1로 만들었습니다. 드롭아웃은 합이 얼마이든 1 - p로 나눌 뿐입니다.",
)
def drop_renormalised(attn_weights, keep_mask, p):
    kept = attn_weights * (keep_mask != 0)
    return kept / kept.sum(dim=-1, keepdim=True)


@mistake(
    marks="trivial",
    hint="The mask plays no part: every weight is scaled up.",
    ko="마스크가 쓰이지 않았습니다. 모든 가중치가 커졌습니다.",
)
def drop_nothing(attn_weights, keep_mask, p):
    return attn_weights / (1 - p)


@mistake(
    hint="The weights are dropped at random; here the mask has been drawn already and is given to you.",
    ko="가중치를 무작위로 떨어뜨렸습니다. 여기서는 이미 뽑은 마스크가 주어집니다.",
)
def drop_at_random(attn_weights, keep_mask, p):
    return F.dropout(attn_weights, p)


@mistake(
    hint="The given mask is used, and then dropout is drawn once more.",
    ko="주어진 마스크를 쓴 뒤 드롭아웃을 한 번 더 뽑았습니다.",
)
def drop_twice(attn_weights, keep_mask, p):
    return F.dropout(attn_weights * (keep_mask != 0), p)


@mistake(
    hint="The mask of the note is taken as the factor, without p: bools and ones leave the weights unscaled.",
    ko="p 없이 노트의 마스크를 배율로 썼습니다. bool이나 1이면 가중치가 커지지 않습니다.",
)
def drop_mask_as_factor(attn_weights, keep_mask, p):
    return attn_weights * keep_mask.to(attn_weights.dtype)


@mistake(
    hint="Negative numbers are taken for dropped; every number but 0 means kept.",
    ko="음수를 떨어뜨린다고 보았습니다. 0이 아닌 수는 모두 남긴다는 뜻입니다.",
)
def drop_negative_numbers(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask > 0) / (1 - p)


@mistake(
    hint="`~` turns bools only; the numbers 0 and 1 become -1 and -2. Compare the mask with 0.",
    ko="`~`는 bool에서만 뜻대로 됩니다. 숫자 0과 1은 -1과 -2가 됩니다. 마스크를 0과 비교하세요.",
)
def drop_bools_alone(attn_weights, keep_mask, p):
    return attn_weights.masked_fill(~keep_mask, 0) / (1 - p)


@mistake(
    hint="With p = 0 the mask is passed over; it decides in every case.",
    ko="p가 0이면 마스크를 건너뜁니다. 어느 경우에나 마스크가 정합니다.",
)
def drop_nothing_for_p_zero(attn_weights, keep_mask, p):
    if p == 0:
        return attn_weights.clone()
    return attn_weights * (keep_mask != 0) / (1 - p)


@mistake(hint="The first item's mask is used for the whole batch.", ko="첫 항목의 마스크를 배치 전체에 썼습니다.")
def drop_mask_of_first_item(attn_weights, keep_mask, p):
    if keep_mask.dim() > 2:
        keep_mask = keep_mask[:1]
    return attn_weights * (keep_mask != 0) / (1 - p)


@mistake(
    hint="Axes of size 1 are dropped; the result has the shape of the weights.",
    ko="크기가 1인 축이 사라집니다. 결과의 모양은 가중치와 같아야 합니다.",
)
def drop_squeezed(attn_weights, keep_mask, p):
    return (attn_weights * (keep_mask != 0) / (1 - p)).squeeze()


@mistake(
    marks="point",
    hint="The caller's weights were changed (`*=`, `masked_fill_`); work on a new tensor.",
    ko="부른 쪽의 가중치가 바뀌었습니다(`*=`, `masked_fill_`). 새 텐서로 계산하세요.",
)
def drop_in_place(attn_weights, keep_mask, p):
    return attn_weights.masked_fill_(keep_mask == 0, 0) / (1 - p)


@mistake(
    hint="The result is cut off from the weights (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 가중치와 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def drop_detached(attn_weights, keep_mask, p):
    return attn_weights.detach() * (keep_mask != 0) / (1 - p)


@mistake(
    marks="trivial",
    hint="This is the mask, divided by 1 - p; the weights are never used.",
    ko="마스크를 1 - p로 나눈 것입니다. 가중치를 쓰지 않았습니다.",
)
def drop_mask_alone(attn_weights, keep_mask, p):
    return torch.zeros_like(attn_weights) + (keep_mask != 0) / (1 - p)


@mistake(hint="Divide by 1 - p, not multiply by 1 + p.", ko="1 + p를 곱하지 말고 1 - p로 나누세요.")
def drop_times_one_plus_p(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) * (1 + p)


@mistake(hint="Any number but 0 means kept, and counts once.", ko="0이 아니면 남깁니다. 한 번만 곱하세요.")
def drop_mask_multiplied_and_scaled(attn_weights, keep_mask, p):
    return attn_weights * keep_mask / (1 - p)


@mistake(hint="Any number but 0 means kept, not just 1.", ko="1만이 아니라 0이 아니면 남깁니다.")
def drop_unless_one(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask == 1) / (1 - p)


@mistake(hint="Divide by 1 - p, not by the share that was kept.", ko="남은 비율이 아니라 1 - p로 나누세요.")
def drop_divided_by_kept_share(attn_weights, keep_mask, p):
    kept = (keep_mask != 0).to(attn_weights)
    return attn_weights * kept / kept.mean()


@mistake(
    marks="device",
    hint="What is kept is chosen on the CPU: compute where the weights are.",
    ko="남길 것을 CPU에서 골랐습니다. 가중치가 있는 장치에서 계산하세요.",
)
def dropout_kept_on_the_cpu(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask.cpu() != 0) / (1 - p)
