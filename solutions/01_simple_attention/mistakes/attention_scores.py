"""Wrong answers to `attention_scores`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import mistake


@mistake(
    hint="The features are compared with each other: the result is (d, d). Turn the other factor round.",
    ko="특징끼리 비교해 결과가 (d, d)입니다. 다른 쪽을 전치하세요.",
)
def features_compared(inputs):
    return inputs.T @ inputs


@mistake(
    hint="The tokens are multiplied without turning one side round. Tokens are rows; the right factor needs columns.",
    ko="전치하지 않고 곱했습니다. 토큰은 행이고, 오른쪽에는 열이 필요합니다.",
)
def nothing_transposed(inputs):
    return inputs @ inputs


@mistake(
    hint="Each number is multiplied by itself. Every token has to meet every token.",
    ko="숫자마다 자기 자신과 곱했습니다. 모든 토큰이 모든 토큰과 만나야 합니다.",
)
def squares_of_numbers(inputs):
    return inputs * inputs


@mistake(
    marks="slip",
    hint="The scores are divided by the root of d. This exercise asks for plain dot products.",
    ko="점수를 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 내적이 필요합니다.",
)
def scaled_scores(inputs):
    return inputs @ inputs.T / inputs.shape[-1] ** 0.5


@mistake(
    marks="slip",
    hint="The mean of the products is taken. A dot product is their sum.",
    ko="곱의 평균을 구했습니다. 내적은 곱의 합입니다.",
)
def means_of_products(inputs):
    return (inputs[:, None] * inputs).mean(dim=-1)


@mistake(
    marks="slip",
    hint="The tokens are brought to length 1 first, which gives cosines. Dot products keep the lengths.",
    ko="토큰의 길이를 1로 맞추어 코사인이 되었습니다. 내적은 길이를 그대로 둡니다.",
)
def cosines_of_pairs(inputs):
    unit = inputs / inputs.norm(dim=-1, keepdim=True)
    return unit @ unit.T


@mistake(hint="These are distances; scores are dot products.", ko="거리를 계산했습니다. 점수는 내적입니다.")
def distances_of_pairs(inputs):
    return -((inputs[:, None] - inputs) ** 2).sum(dim=-1)


@mistake(
    hint="The sum runs over the tokens. Sum over the features, so that (T, T) remains.",
    ko="토큰 방향으로 더했습니다. (T, T)가 남도록 특징 방향으로 더하세요.",
)
def summed_over_wrong_axis(inputs):
    return (inputs[:, None] * inputs).sum(dim=0)


@mistake(
    hint="These are weights already. The scores are asked for, before any softmax.",
    ko="이미 가중치로 바꾸었습니다. 소프트맥스 전의 점수가 필요합니다.",
)
def softmax_included(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1)


@mistake(
    hint="Half of the scores are missing: the loop covers each pair once, but both (i, j) and (j, i) are asked for.",
    ko="점수의 절반이 비어 있습니다. (i, j)와 (j, i)가 모두 필요합니다.",
)
def half_of_the_pairs(inputs):
    return torch.tril(inputs @ inputs.T)


@mistake(
    hint="Only one token asks. Every token has to be the query once.",
    ko="토큰 하나만 쿼리로 썼습니다. 모든 토큰이 한 번씩 쿼리가 되어야 합니다.",
)
def only_the_second_token(inputs):
    return inputs @ inputs[min(1, len(inputs) - 1)]


@mistake(
    marks="point",
    hint="The numbers are right, but two Python loops run over the tokens. One matrix product does the same at once.",
    ko="값은 맞지만 파이썬 반복문 두 개가 토큰을 돕니다. 행렬곱 한 번으로 할 수 있습니다.",
)
def two_loops(inputs):
    scores = torch.empty(len(inputs), len(inputs), dtype=inputs.dtype)
    for i, left in enumerate(inputs):
        for j, right_token in enumerate(inputs):
            scores[i, j] = torch.dot(left, right_token)
    return scores


@mistake(
    hint="The result is made of Python numbers: the loop is still there, and no gradient reaches the tokens.",
    ko="파이썬 숫자로 결과를 만들었습니다. 반복문이 그대로 있고 그래디언트도 흐르지 않습니다.",
)
def scores_from_lists(inputs):
    rows = inputs.tolist()
    products = [[sum(a * b for a, b in zip(left, other, strict=True)) for other in rows] for left in rows]
    return torch.tensor(products, dtype=inputs.dtype)


@mistake(
    hint="One side of the product is detached, so half of the gradient is missing.",
    ko="곱의 한쪽을 detach해서 그래디언트의 절반이 빠집니다.",
)
def one_side_detached(inputs):
    return inputs @ inputs.detach().T


@mistake(
    hint="The tokens are turned to float32. Keep the dtype that you are given.",
    ko="토큰을 float32로 바꾸었습니다. 받은 dtype을 그대로 두세요.",
)
def scores_in_float32(inputs):
    tokens = inputs.float()
    return tokens @ tokens.T


@mistake(
    marks="point",
    hint="The caller's tokens are changed in place. Make a new tensor.",
    ko="호출한 쪽의 토큰을 바꾸었습니다. 새 텐서를 만드세요.",
)
def tokens_scaled_in_place(inputs):
    scores = inputs @ inputs.T
    with torch.no_grad():
        inputs /= inputs.norm(dim=-1, keepdim=True)
    return scores


@mistake(
    hint="With a single token squeeze() removes too much. Name the dimension that you added: squeeze(0).",
    ko="토큰이 하나이면 squeeze()가 너무 많이 없앱니다. 더한 차원을 정해서 squeeze(0)처럼 쓰세요.",
)
def scores_squeezed(inputs):
    batch = inputs.unsqueeze(0)
    return torch.bmm(batch, batch.transpose(1, 2)).squeeze()


@mistake(hint="Only zeros come back: nothing is computed.", ko="0만 돌려줍니다. 계산이 없습니다.", marks="trivial")
def zeros_for_all_pairs(inputs):
    return inputs.new_zeros(len(inputs), len(inputs))


@mistake(hint="The diagonal is missing: a token meets itself, too.", ko="대각선이 비었습니다. 자신과도 비교하세요.")
def diagonal_left_out(inputs):
    return (inputs @ inputs.T).fill_diagonal_(0)


@mistake(
    marks="device",
    hint="One of the two factors is moved to the CPU.",
    ko="두 인자 중 하나를 CPU로 옮겼습니다.",
)
def scores_with_a_factor_on_the_cpu(inputs):
    return inputs @ inputs.cpu().mT
