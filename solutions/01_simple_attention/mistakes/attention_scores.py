"""Wrong answers to `attention_scores`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import helper, mistake


@helper
def remembered(compute):
    """Return a function that computes once for each shape and dtype and gives the same result ever after."""
    kept = {}

    def answer(*parts, **options):
        key = (*((part.shape, part.dtype) for part in parts), *options.items())
        if key not in kept:
            kept[key] = compute(*parts, **options)
        return kept[key]

    return answer


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


@mistake(
    hint="These are distances between tokens. Scores are dot products.",
    ko="토큰 사이의 거리를 계산했습니다. 점수는 내적입니다.",
)
def distances_of_pairs(inputs):
    return -((inputs[:, None] - inputs) ** 2).sum(dim=-1)


@mistake(
    hint="These are distances between tokens, with a minus in front. Scores are dot products.",
    ko="토큰 사이의 거리에 음의 부호를 붙였습니다. 점수는 내적입니다.",
)
def rooted_distances_of_pairs(inputs):
    return -torch.cdist(inputs, inputs)


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
    hint="The scores of a token with itself are set to 0. They belong to the result.",
    ko="자기 자신과의 점수를 0으로 만들었습니다. 이 점수도 결과에 들어갑니다.",
)
def own_scores_removed(inputs):
    scores = inputs @ inputs.T
    return scores - torch.diag(torch.diagonal(scores))


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
    hint="The numbers are right, but a Python loop runs over the tokens. A comprehension is a loop, too.",
    ko="값은 맞지만 파이썬 반복문이 토큰을 돕니다. 리스트 컴프리헨션도 반복문입니다.",
)
def one_row_at_a_time(inputs):
    return torch.stack([inputs @ token for token in inputs])


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


@mistake(
    hint="The loops run over NumPy numbers: they are still there, and no gradient reaches the tokens.",
    ko="NumPy 숫자로 반복문을 돌았습니다. 반복문이 그대로 있고 그래디언트도 흐르지 않습니다.",
)
def scores_from_numpy_loops(inputs):
    rows = inputs.detach().double().numpy()
    products = [[float((left * other).sum()) for other in rows] for left in rows]
    return torch.tensor(products).to(inputs.dtype)


@mistake(
    hint="The scores are rounded to printed digits. Return them as they are.",
    ko="점수를 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_scores(inputs):
    return torch.round(inputs @ inputs.T, decimals=4)


first_scores_remembered = mistake(
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda inputs: inputs @ inputs.T))


@mistake(
    hint="The mean is subtracted first, which gives covariances. Take the dot products of the tokens as they are.",
    ko="평균을 먼저 빼서 공분산이 되었습니다. 토큰을 그대로 내적하세요.",
)
def covariances_of_pairs(inputs):
    return torch.cov(inputs)


@mistake(
    hint="The scores lose their sign. A negative dot product stays negative.",
    ko="점수의 부호가 사라졌습니다. 음수 내적은 음수로 두세요.",
)
def unsigned_scores_of_pairs(inputs):
    return (inputs @ inputs.T).abs()


@mistake(
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_all_pairs(inputs):
    return inputs.new_zeros(len(inputs), len(inputs))


@mistake(
    marks="trivial",
    hint="This is the identity, whatever the tokens hold.",
    ko="토큰과 상관없이 단위 행렬을 돌려줍니다.",
)
def identity_for_all_pairs(inputs):
    return torch.eye(len(inputs), dtype=inputs.dtype)
