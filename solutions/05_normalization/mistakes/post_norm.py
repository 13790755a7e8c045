"""Wrong answers to `post_norm`, each with the hint that a student with this answer gets."""

from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(
    hint="This is x as it came: neither of the two layers is called.",
    ko="x를 그대로 돌려줍니다. 두 층 가운데 어느 것도 부르지 않았습니다.",
    marks="trivial",
)
def post_input_itself(x, sublayer, norm):
    return x


@mistake(
    hint="The norm stands in front of the sublayer: that is pre-norm. Here it has the last word.",
    ko="정규화가 서브레이어 앞에 있습니다. 그것은 pre-norm입니다. 여기서는 마지막에 합니다.",
    marks="slip",
)
def post_norm_first(x, sublayer, norm):
    return x + sublayer(norm(x))


@mistake(
    hint="The input was added after the norm; add it first and normalize the sum.",
    ko="정규화한 뒤에 입력을 더했습니다. 먼저 더하고 그 합을 정규화하세요.",
    marks="slip",
)
def post_residual_after_the_norm(x, sublayer, norm):
    return x + norm(sublayer(x))


@mistake(
    hint="The two layers are exchanged: the sublayer is the second argument, the norm the third.",
    ko="두 층이 바뀌었습니다. 두 번째 인자가 서브레이어, 세 번째 인자가 정규화입니다.",
)
def post_exchanged(x, sublayer, norm):
    sublayer, norm = norm, sublayer
    return norm(x + sublayer(x))


@mistake(hint="The input itself is not added.", ko="입력 자체를 더하지 않았습니다.")
def post_no_residual(x, sublayer, norm):
    return norm(sublayer(x))


@mistake(hint="The norm is not used.", ko="정규화를 쓰지 않았습니다.")
def post_no_norm(x, sublayer, norm):
    return x + sublayer(x)


@mistake(
    hint="Input and sublayer's result are normalized apart; normalize their sum.",
    ko="입력과 서브레이어의 결과를 따로 정규화했습니다. 합을 정규화하세요.",
)
def post_norm_of_each(x, sublayer, norm):
    return norm(x) + norm(sublayer(x))


@mistake(
    hint="The sublayer's result is subtracted; add it.",
    ko="서브레이어의 결과를 뺐습니다. 더하세요.",
    marks="slip",
)
def post_subtracted(x, sublayer, norm):
    return norm(x - sublayer(x))


@mistake(
    hint="Input and sublayer's result are multiplied; add them.",
    ko="입력과 서브레이어의 결과를 곱했습니다. 더하세요.",
)
def post_multiplied(x, sublayer, norm):
    return norm(x * sublayer(x))


@mistake(
    hint="Only the input is normalized; normalize the sum of input and sublayer's result.",
    ko="입력만 정규화했습니다. 입력과 서브레이어 결과의 합을 정규화하세요.",
)
def post_norm_of_the_input(x, sublayer, norm):
    return norm(x) + sublayer(x)


@mistake(hint="The sublayer plays no part.", ko="서브레이어가 쓰이지 않습니다.")
def post_sublayer_left_out(x, sublayer, norm):
    return norm(x + x)


@mistake(
    hint="A layer norm of its own is used instead of the norm that was handed over.",
    ko="건네받은 norm 대신 따로 만든 층 정규화를 썼습니다.",
)
def post_own_layer_norm(x, sublayer, norm):
    return F.layer_norm(x + sublayer(x), x.shape[-1:])


@mistake(
    hint="The result is cut off from the inputs (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def post_detached(x, sublayer, norm):
    return (norm(x + sublayer(x))).detach()


@mistake(
    hint="No gradient passes the sublayer (no_grad, detach): x and the layers would learn nothing from it.",
    ko="서브레이어로 그래디언트가 지나가지 않습니다(no_grad, detach). 거기에서 아무것도 배우지 못합니다.",
)
def post_sublayer_detached(x, sublayer, norm):
    return norm(x + sublayer(x).detach())


@mistake(
    hint="The caller's tensor was changed in place (-=, sub_); make a new one.",
    ko="부른 쪽의 텐서를 제자리에서 바꾸었습니다(-=, sub_). 새 텐서를 만드세요.",
    marks="point",
)
def post_in_place(x, sublayer, norm):
    x += sublayer(x)
    return norm(x)


@mistake(
    hint="The code takes x apart into exactly three sizes; any shape that the layers take has to work.",
    ko="x의 크기를 꼭 세 개로 나누어 받습니다. 층이 받는 모양이면 무엇이든 되어야 합니다.",
)
def post_three_axes_only(x, sublayer, norm):
    if x.dim() != 2:
        B, T, d = x.shape
        x = x.view(B, T, d)
    return norm(x + sublayer(x))


@mistake(
    hint="A layer is called once only to look at its result, and again to use it: what it remembers or draws changes.",
    ko="결과를 보려고 한 번, 쓰려고 또 한 번 층을 불렀습니다. 층이 기억하거나 추첨하는 것이 달라집니다.",
)
def post_called_twice(x, sublayer, norm):
    assert sublayer(x).shape == x.shape
    return norm(x + sublayer(x))


@mistake(
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
def post_into_float32(x, sublayer, norm):
    return (norm(x + sublayer(x))).float()
