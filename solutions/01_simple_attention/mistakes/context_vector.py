"""Wrong answers to `context_vector`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import mistake


@mistake(
    marks="trivial",
    hint="This is the sum of all tokens; each of them has to be multiplied by its own weight first.",
    ko="모든 토큰의 합입니다. 더하기 전에 토큰마다 자기 가중치를 곱해야 합니다.",
)
def weights_ignored(weights, inputs):
    return inputs.sum(dim=0)


@mistake(
    hint="This is the mean of all tokens; each of them has to be multiplied by its own weight, and nothing divided.",
    ko="모든 토큰의 평균입니다. 토큰마다 자기 가중치를 곱해 더하고, 나누지는 않습니다.",
)
def plain_mean_of_tokens(weights, inputs):
    return inputs.mean(dim=0)


@mistake(
    hint="The weighted tokens are not added up yet: one row a token remains.",
    ko="가중치를 곱한 토큰들을 아직 더하지 않아 토큰마다 한 행이 남아 있습니다.",
)
def weighted_tokens_not_added(weights, inputs):
    return weights.unsqueeze(-1) * inputs


@mistake(
    marks="slip",
    hint="The sum runs over the features. Sum over the tokens, so that d numbers remain.",
    ko="특징 방향으로 더했습니다. 숫자 d개가 남도록 토큰 방향으로 더하세요.",
)
def added_over_features(weights, inputs):
    return (weights.unsqueeze(-1) * inputs).sum(dim=1)


@mistake(
    hint="The product is the wrong way round: it multiplies the features by the weights.",
    ko="곱의 순서가 뒤바뀌어 특징에 가중치를 곱합니다.",
)
def product_turned_round(weights, inputs):
    return inputs @ weights


@mistake(
    marks="slip",
    hint="The weights are divided by their sum first. Use them as they are given.",
    ko="가중치를 먼저 그 합으로 나누었습니다. 주어진 그대로 쓰세요.",
)
def weights_divided_again(weights, inputs):
    return (weights / weights.sum()) @ inputs


@mistake(
    marks="slip",
    hint="A softmax is taken of the weights. They are weights already; use them as they are given.",
    ko="가중치에 소프트맥스를 적용했습니다. 이미 가중치이니 그대로 쓰세요.",
)
def softmax_of_weights(weights, inputs):
    return torch.softmax(weights, dim=0) @ inputs


@mistake(
    marks="slip",
    hint="The mean of the weighted tokens is taken. Their sum is asked for.",
    ko="가중치를 곱한 토큰의 평균을 구했습니다. 합이 필요합니다.",
)
def mean_of_weighted_tokens(weights, inputs):
    return (weights.unsqueeze(-1) * inputs).mean(dim=0)


@mistake(
    hint="In the loop each token replaces the one before. Add it instead: += where there is =.",
    ko="반복문에서 토큰이 앞의 값을 덮어씁니다. = 대신 +=로 더하세요.",
)
def replaced_in_the_loop(weights, inputs):
    result = torch.zeros_like(inputs[0])
    for weight, token in zip(weights, inputs, strict=True):
        result = weight * token
    return result


@mistake(
    hint="The result has the shape (1, d). The shape (d,) is asked for.",
    ko="결과의 모양이 (1, d)입니다. (d,) 모양이 필요합니다.",
)
def context_as_a_row(weights, inputs):
    return weights.unsqueeze(0) @ inputs


@mistake(
    hint="The zeros that the loop starts from are float32. Give them the dtype of the inputs.",
    ko="반복문이 시작하는 0 텐서가 float32입니다. 입력의 dtype을 주세요.",
)
def zeros_of_default_dtype(weights, inputs):
    result = torch.zeros(inputs.shape[1])
    for weight, token in zip(weights, inputs, strict=True):
        result += weight * token
    return result


@mistake(
    marks="point",
    hint="The caller's tokens are multiplied in place. Make a new tensor.",
    ko="호출한 쪽의 토큰에 곱을 덮어썼습니다. 새 텐서를 만드세요.",
)
def tokens_weighted_in_place(weights, inputs):
    inputs *= weights.unsqueeze(-1)
    return inputs.sum(dim=0)


@mistake(
    marks="point",
    hint="The weights are turned into Python numbers, so no gradient reaches them.",
    ko="가중치를 파이썬 숫자로 바꾸어 그래디언트가 가중치까지 흐르지 않습니다.",
)
def weights_as_python_numbers(weights, inputs):
    return sum(weight * token for weight, token in zip(weights.tolist(), inputs, strict=True))


@mistake(
    hint="With a single feature squeeze() removes too much. Name the dimension that you added: squeeze(0).",
    ko="특징이 하나이면 squeeze()가 너무 많이 없앱니다. 더한 차원을 정해서 squeeze(0)처럼 쓰세요.",
)
def context_squeezed(weights, inputs):
    return (weights.unsqueeze(0) @ inputs).squeeze()


@mistake(hint="Only the heaviest token is taken; add them all.", ko="가중치가 가장 큰 토큰만 썼습니다. 모두 더하세요.")
def heaviest_token(weights, inputs):
    return weights.max() * inputs[weights.argmax()]


@mistake(hint="The last token is left out.", ko="마지막 토큰이 빠졌습니다.")
def last_token_left_out(weights, inputs):
    return weights[:-1] @ inputs[:-1]


@mistake(
    marks="device",
    hint="The sum begins with zeros that are made on the CPU.",
    ko="합을 CPU에서 만든 0에서 시작합니다.",
)
def context_starts_on_the_cpu(weights, inputs):
    context = torch.zeros(inputs.shape[-1], dtype=inputs.dtype)
    for weight, row in zip(weights, inputs, strict=True):
        context = context + weight * row
    return context


@mistake(
    marks="slip",
    hint="Negative weights are taken for 0; take weights of any sign as they are.",
    ko="음수 가중치를 0으로 여겼습니다. 부호와 관계없이 그대로 쓰세요.",
)
def negative_weights_left_out(weights, inputs):
    return weights.clamp(min=0) @ inputs


@mistake(
    marks="slip",
    hint="The weights lose their sign; take them as they are.",
    ko="가중치의 부호가 없어졌습니다. 그대로 쓰세요.",
)
def weights_without_sign(weights, inputs):
    return weights.abs() @ inputs
