"""Wrong answers to `post_norm`, each with the hint that a student with this answer gets."""

from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(hint="This is x: neither layer is called.", ko="어느 층도 부르지 않았습니다.", marks="trivial")
def post_input_itself(x, sublayer, norm):
    return x


@mistake(hint="This is pre-norm: the norm comes last.", ko="pre-norm입니다. 정규화가 마지막입니다.", marks="slip")
def post_norm_first(x, sublayer, norm):
    return x + sublayer(norm(x))


@mistake(hint="Add the input first, then normalize.", ko="먼저 더하고 정규화하세요.", marks="slip")
def post_residual_after_the_norm(x, sublayer, norm):
    return x + norm(sublayer(x))


@mistake(hint="The two arguments sublayer and norm are exchanged.", ko="인자 sublayer와 norm이 바뀌었습니다.")
def post_exchanged(x, sublayer, norm):
    sublayer, norm = norm, sublayer
    return norm(x + sublayer(x))


@mistake(hint="The input itself is not added.", ko="입력 자체를 더하지 않았습니다.")
def post_no_residual(x, sublayer, norm):
    return norm(sublayer(x))


@mistake(hint="The norm is not used.", ko="정규화를 쓰지 않았습니다.")
def post_no_norm(x, sublayer, norm):
    return x + sublayer(x)


@mistake(hint="Normalize the sum, not each part.", ko="따로가 아니라 합을 정규화하세요.")
def post_norm_of_each(x, sublayer, norm):
    return norm(x) + norm(sublayer(x))


@mistake(hint="The sublayer's result is subtracted; add it.", ko="서브레이어의 결과를 더하세요.", marks="slip")
def post_subtracted(x, sublayer, norm):
    return norm(x - sublayer(x))


@mistake(hint="Add the sublayer's result; don't multiply by it.", ko="서브레이어의 결과를 곱하지 말고 더하세요.")
def post_multiplied(x, sublayer, norm):
    return norm(x * sublayer(x))


@mistake(hint="Only the input is normalized, not the sum.", ko="합이 아니라 입력만 정규화했습니다.")
def post_norm_of_the_input(x, sublayer, norm):
    return norm(x) + sublayer(x)


@mistake(hint="The sublayer plays no part.", ko="서브레이어가 쓰이지 않습니다.")
def post_sublayer_left_out(x, sublayer, norm):
    return norm(x + x)


@mistake(hint="Use the norm that is handed over, not one of your own.", ko="직접 만들지 말고 건네받은 norm을 쓰세요.")
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
    hint="No gradient passes the sublayer (no_grad).",
    ko="그래디언트가 서브레이어를 지나지 못합니다(no_grad).",
    marks="point",
)
def post_sublayer_detached(x, sublayer, norm):
    return norm(x + sublayer(x).detach())


@mistake(hint="The caller's tensor changes (-=, sub_).", ko="부른 쪽의 텐서가 바뀝니다(-=, sub_).", marks="point")
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


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
def post_into_float32(x, sublayer, norm):
    return (norm(x + sublayer(x))).float()


@mistake(hint="Don't add anything after the norm; it comes last.", ko="정규화가 마지막입니다. 그 뒤에 더하지 마세요.")
def post_input_added_again(x, sublayer, norm):
    return x + norm(x + sublayer(x))


@mistake(hint="The norm is applied twice; apply it once.", ko="정규화를 두 번 했습니다. 한 번만 하세요.")
def post_norm_twice(x, sublayer, norm):
    return norm(norm(x + sublayer(x)))


@mistake(hint="The sublayer sees x itself, not norm(x).", ko="서브레이어는 norm(x)가 아니라 x를 봅니다.")
def post_norm_and_pre_norm(x, sublayer, norm):
    return norm(x + sublayer(norm(x)))


@mistake(
    marks="device",
    hint="The sum is moved to the CPU before the norm.",
    ko="정규화하기 전에 합을 CPU로 옮겼습니다.",
)
def post_sum_on_the_cpu(x, sublayer, norm):
    return norm((x + sublayer(x)).cpu())


@mistake(hint="Do not freeze the layers that you are handed.", ko="건네받은 층을 고정하지 마세요.")
def post_layers_frozen(x, sublayer, norm):
    norm.requires_grad_(False)
    return norm(x + sublayer(x))


@mistake(
    hint="x is added into the sublayer's result in place, which may be x itself.",
    ko="서브레이어의 결과에 x를 제자리에서 더했습니다. 그 결과가 x 자신일 수 있습니다.",
    marks="point",
)
def post_added_into_the_result(x, sublayer, norm):
    result = sublayer(x)
    result += x
    return norm(result)
