"""Wrong answers to `pre_norm`, each with the hint that a student with this answer gets."""

from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(hint="This is x: neither layer is called.", ko="어느 층도 부르지 않았습니다.", marks="trivial")
def pre_input_itself(x, sublayer, norm):
    return x


@mistake(hint="Add the input as it came, not normalized.", ko="들어온 입력을 그대로 더하세요.", marks="slip")
def pre_adds_the_normalized(x, sublayer, norm):
    return norm(x) + sublayer(norm(x))


@mistake(hint="This is post-norm: the norm comes first here.", ko="여기서는 정규화가 먼저입니다.")
def pre_norm_on_the_sum(x, sublayer, norm):
    return norm(x + sublayer(x))


@mistake(
    hint="The norm was applied to what the sublayer gives; it comes before the sublayer.",
    ko="서브레이어의 결과를 정규화했습니다. 정규화가 서브레이어보다 먼저입니다.",
    marks="slip",
)
def pre_norm_of_the_sublayer(x, sublayer, norm):
    return x + norm(sublayer(x))


@mistake(
    hint="The two arguments sublayer and norm are exchanged.",
    ko="인자 sublayer와 norm이 바뀌었습니다.",
)
def pre_exchanged(x, sublayer, norm):
    sublayer, norm = norm, sublayer
    return x + sublayer(norm(x))


@mistake(hint="The input itself is not added.", ko="입력 자체를 더하지 않았습니다.")
def pre_no_residual(x, sublayer, norm):
    return sublayer(norm(x))


@mistake(hint="The norm is not used.", ko="정규화를 쓰지 않았습니다.")
def pre_no_norm(x, sublayer, norm):
    return x + sublayer(x)


@mistake(hint="The sublayer's result is subtracted; add it.", ko="서브레이어의 결과를 더하세요.", marks="slip")
def pre_subtracted(x, sublayer, norm):
    return x - sublayer(norm(x))


@mistake(hint="Add the sublayer's result; don't multiply by it.", ko="서브레이어의 결과를 곱하지 말고 더하세요.")
def pre_multiplied(x, sublayer, norm):
    return x * sublayer(norm(x))


@mistake(hint="The sublayer plays no part.", ko="서브레이어가 쓰이지 않습니다.")
def pre_sublayer_left_out(x, sublayer, norm):
    return x + norm(x)


@mistake(hint="Use the norm that is handed over, not one of your own.", ko="직접 만들지 말고 건네받은 norm을 쓰세요.")
def pre_own_layer_norm(x, sublayer, norm):
    return x + sublayer(F.layer_norm(x, x.shape[-1:]))


@mistake(
    hint="The result is cut off from the inputs (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def pre_detached(x, sublayer, norm):
    return (x + sublayer(norm(x))).detach()


@mistake(
    hint="No gradient passes the sublayer (no_grad).",
    ko="그래디언트가 서브레이어를 지나지 못합니다(no_grad).",
    marks="point",
)
def pre_sublayer_detached(x, sublayer, norm):
    return x + sublayer(norm(x)).detach()


@mistake(hint="The caller's tensor changes (-=, sub_).", ko="부른 쪽의 텐서가 바뀝니다(-=, sub_).", marks="point")
def pre_in_place(x, sublayer, norm):
    x += sublayer(norm(x))
    return x


@mistake(
    hint="The code takes x apart into exactly three sizes; any shape that the layers take has to work.",
    ko="x의 크기를 꼭 세 개로 나누어 받습니다. 층이 받는 모양이면 무엇이든 되어야 합니다.",
)
def pre_three_axes_only(x, sublayer, norm):
    if x.dim() != 2:
        B, T, d = x.shape
        x = x.view(B, T, d)
    return x + sublayer(norm(x))


@mistake(
    hint="A layer is called once only to look at its result, and again to use it: what it remembers or draws changes.",
    ko="결과를 보려고 한 번, 쓰려고 또 한 번 층을 불렀습니다. 층이 기억하거나 추첨하는 것이 달라집니다.",
)
def pre_called_twice(x, sublayer, norm):
    assert sublayer(norm(x)).shape == x.shape
    return x + sublayer(norm(x))


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def pre_into_float32(x, sublayer, norm):
    return (x + sublayer(norm(x))).float()


@mistake(hint="The norm is applied twice; apply it once.", ko="정규화를 두 번 했습니다. 한 번만 하세요.")
def pre_norm_twice(x, sublayer, norm):
    return x + sublayer(norm(norm(x)))


@mistake(hint="The sum is normalized too; leave it as it is.", ko="합까지 정규화했습니다. 합은 그대로 두세요.")
def pre_norm_and_post_norm(x, sublayer, norm):
    return norm(x + sublayer(norm(x)))


@mistake(hint="The sublayer's result is added once.", ko="서브레이어의 결과는 한 번만 더합니다.")
def pre_sublayer_added_twice(x, sublayer, norm):
    return x + 2 * sublayer(norm(x))


@mistake(hint="The sum is halved; leave it as it is.", ko="합을 반으로 나누지 말고 그대로 두세요.")
def pre_averaged(x, sublayer, norm):
    return (x + sublayer(norm(x))) / 2


@mistake(
    marks="device",
    hint="The sublayer's result is moved to the CPU.",
    ko="서브레이어의 결과를 CPU로 옮겼습니다.",
)
def pre_sublayer_on_the_cpu(x, sublayer, norm):
    return x + sublayer(norm(x)).cpu()


@mistake(hint="Do not clear the layers' gradients.", ko="층의 그래디언트를 지우지 마세요.")
def pre_gradients_cleared(x, sublayer, norm):
    sublayer.zero_grad()
    return x + sublayer(norm(x))


@mistake(
    hint="x is added into the sublayer's result in place, which may be x itself.",
    ko="서브레이어의 결과에 x를 제자리에서 더했습니다. 그 결과가 x 자신일 수 있습니다.",
    marks="point",
)
def pre_added_into_the_result(x, sublayer, norm):
    result = sublayer(norm(x))
    result += x
    return result
