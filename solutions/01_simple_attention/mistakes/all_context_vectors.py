"""Wrong answers to `all_context_vectors`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

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
    marks="slip",
    hint="The softmax runs down the columns, so a query's weights do not sum to 1.",
    ko="소프트맥스를 열을 따라 계산해 한 쿼리의 가중치 합이 1이 아닙니다.",
    twins=("weights_of_the_others",),
)
def softmax_down_the_columns(inputs):
    return torch.softmax(inputs @ inputs.T, dim=0) @ inputs


@mistake(
    hint="The weights are turned round before the mixture: row i mixes by what others give to token i.",
    ko="가중치를 전치한 뒤 섞었습니다. i번째 행은 i번째 쿼리의 가중치로 섞어야 합니다.",
    twins=("softmax_down_the_columns",),
)
def weights_of_the_others(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).T @ inputs


@mistake(
    marks="slip",
    hint="The scores are divided by the root of d. Here they are plain dot products.",
    ko="점수를 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 내적을 씁니다.",
    twins=("library_attention_scaled",),
)
def scaled_self_attention(inputs):
    return torch.softmax(inputs @ inputs.T / inputs.shape[-1] ** 0.5, dim=-1) @ inputs


@mistake(
    hint="The softmax is missing: the scores themselves are used as weights.",
    ko="소프트맥스가 빠졌습니다. 점수를 그대로 가중치로 썼습니다.",
)
def scores_for_weights(inputs):
    return inputs @ inputs.T @ inputs


@mistake(
    hint="The scores are divided by their row's sum. The weights come from a softmax.",
    ko="점수를 행의 합으로 나누었습니다. 가중치는 소프트맥스로 구합니다.",
)
def scores_over_row_sum(inputs):
    scores = inputs @ inputs.T
    return scores / scores.sum(dim=-1, keepdim=True) @ inputs


@mistake(
    hint="This stops at the weights. The last step mixes the tokens by them.",
    ko="가중치에서 멈추었습니다. 마지막으로 토큰을 섞어야 합니다.",
)
def weights_without_mixture(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1)


@mistake(
    marks="trivial",
    hint="Every token is mixed in equal parts. The weights depend on the scores.",
    ko="모든 토큰을 똑같이 섞었습니다. 가중치는 점수에 따라 다릅니다.",
)
def equal_parts(inputs):
    return inputs.mean(dim=0, keepdim=True).expand(inputs.shape).clone()


@mistake(
    hint="Only the second token asks. Every token needs its own context vector.",
    ko="두 번째 토큰만 쿼리로 썼습니다. 토큰마다 문맥 벡터가 필요합니다.",
)
def context_of_second_token(inputs):
    query = inputs[min(1, len(inputs) - 1)]
    return torch.softmax(inputs @ query, dim=0) @ inputs


@mistake(
    hint="Features attend to features here. Compare the tokens: the weights have the shape (T, T).",
    ko="특징끼리 어텐션을 했습니다. 토큰을 비교하세요. 가중치의 모양은 (T, T)입니다.",
)
def features_attend(inputs):
    return inputs @ torch.softmax(inputs.T @ inputs, dim=-1)


@mistake(
    hint="Later tokens are hidden here. In this exercise every token sees every token.",
    ko="뒤의 토큰을 가렸습니다. 이 문제에서는 모든 토큰이 모든 토큰을 봅니다.",
)
def only_earlier_tokens(inputs):
    scores = inputs @ inputs.T
    future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(future, -math.inf), dim=-1) @ inputs


@mistake(
    hint="The tokens themselves are added to the mixture. Return the mixture alone.",
    ko="섞은 결과에 원래 토큰을 더했습니다. 섞은 결과만 돌려주세요.",
)
def tokens_added_to_mixture(inputs):
    return inputs + torch.softmax(inputs @ inputs.T, dim=-1) @ inputs


@mistake(
    hint="A softmax is also taken of the result. The mixture is returned as it is.",
    ko="결과에도 소프트맥스를 적용했습니다. 섞은 결과를 그대로 돌려주세요.",
)
def softmax_of_the_result(inputs):
    return torch.softmax(torch.softmax(inputs @ inputs.T, dim=-1) @ inputs, dim=-1)


@mistake(
    hint="Vectors and weights are returned together. Only the vectors are asked for.",
    ko="문맥 벡터와 가중치를 함께 돌려줍니다. 문맥 벡터만 필요합니다.",
)
def vectors_and_weights(inputs):
    weights = torch.softmax(inputs @ inputs.T, dim=-1)
    return weights @ inputs, weights


@mistake(
    marks="library",
    hint="The library's attention does the work here. This exercise asks you to write the three steps yourself.",
    ko="라이브러리의 어텐션이 계산했습니다. 이 문제에서는 세 단계를 직접 쓰세요.",
)
def library_attention_unscaled(inputs):
    batch = inputs[None, None]
    return F.scaled_dot_product_attention(batch, batch, batch, scale=1.0)[0, 0]


@mistake(
    marks="library",
    hint="The library's attention does the work here, and it scales the scores. Write the three steps yourself.",
    ko="라이브러리의 어텐션이 계산했고 점수를 나누기까지 합니다. 세 단계를 직접 쓰세요.",
    twins=("scaled_self_attention",),
)
def library_attention_scaled(inputs):
    return F.scaled_dot_product_attention(inputs[None], inputs[None], inputs[None])[0]


@mistake(
    hint="The weights are detached, so the gradient misses the part that runs through the scores.",
    ko="가중치를 detach해서, 점수를 거치는 그래디언트가 빠집니다.",
)
def weights_detached(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).detach() @ inputs


@mistake(
    hint="The result is always float32. Give it the dtype of the inputs.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 주세요.",
)
def context_always_float32(inputs):
    tokens = inputs.float()
    return torch.softmax(tokens @ tokens.T, dim=-1) @ tokens


@mistake(
    hint="The context vectors are written over the caller's tokens, also where later ones still need them.",
    ko="문맥 벡터를 호출한 쪽의 토큰에 덮어썼습니다. 뒤의 계산에 쓸 토큰까지 바뀝니다.",
)
def tokens_replaced_one_by_one(inputs):
    with torch.no_grad():
        for index in range(len(inputs)):
            inputs[index] = torch.softmax(inputs @ inputs[index], dim=0) @ inputs
    return inputs


@mistake(
    marks="point",
    hint="The right vectors are written over the caller's tokens. Return a new tensor.",
    ko="올바른 문맥 벡터를 호출한 쪽의 토큰에 덮어썼습니다. 새 텐서를 돌려주세요.",
)
def tokens_replaced_at_the_end(inputs):
    mixture = torch.softmax(inputs @ inputs.T, dim=-1) @ inputs
    with torch.no_grad():
        inputs.copy_(mixture)
    return mixture


@mistake(
    hint="With one token or one feature squeeze() removes too much. Name the dimension that you added: squeeze(0).",
    ko="토큰이나 특징이 하나이면 squeeze()가 너무 많이 없앱니다. 더한 차원을 정해서 squeeze(0)처럼 쓰세요.",
)
def context_vectors_squeezed(inputs):
    batch = inputs.unsqueeze(0)
    weights = torch.softmax(torch.bmm(batch, batch.transpose(1, 2)), dim=-1)
    return torch.bmm(weights, batch).squeeze()


@mistake(
    hint="The numbers are rounded to printed digits. Return them as they are.",
    ko="값을 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_context_vectors(inputs):
    return torch.round(torch.softmax(inputs @ inputs.T, dim=-1) @ inputs, decimals=4)


first_context_vectors_remembered = mistake(
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda inputs: torch.softmax(inputs @ inputs.T, dim=-1) @ inputs))


@mistake(
    marks="slip",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def context_of_a_double_softmax(inputs):
    return torch.softmax(torch.softmax(inputs @ inputs.T, dim=-1), dim=-1) @ inputs


@mistake(
    hint="The scores are divided by the sum of their sizes. Take the softmax of each row.",
    ko="점수를 절댓값의 합으로 나누었습니다. 행마다 소프트맥스를 적용하세요.",
)
def scores_over_their_sizes(inputs):
    return F.normalize(inputs @ inputs.T, p=1, dim=-1) @ inputs


@mistake(
    marks="slip",
    hint="A token does not see itself here. It takes part in its own mixture.",
    ko="토큰이 자기 자신을 보지 못합니다. 자기 자신도 섞어야 합니다.",
)
def own_token_hidden(inputs):
    own = torch.eye(len(inputs), dtype=torch.bool)
    return torch.softmax((inputs @ inputs.T).masked_fill(own, -math.inf), dim=-1) @ inputs


@mistake(
    marks="slip",
    hint="The mixture is divided by the number of tokens. The weights sum to 1 already.",
    ko="섞은 값을 토큰 수로 나누었습니다. 가중치의 합은 이미 1입니다.",
)
def mixture_divided_by_count(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1) @ inputs / len(inputs)


@mistake(
    hint="The weights mix the scores. They have to mix the tokens.",
    ko="가중치로 점수를 섞었습니다. 토큰을 섞으세요.",
)
def scores_mixed(inputs):
    scores = inputs @ inputs.T
    return torch.softmax(scores, dim=-1) @ scores


@mistake(
    hint="The features are compared with each other. Compare the tokens: turn the other factor round.",
    ko="특징끼리 비교했습니다. 다른 쪽을 전치해 토큰을 비교하세요.",
)
def features_compared_and_mixed(inputs):
    return torch.softmax(inputs.T @ inputs, dim=-1) @ inputs.T


@mistake(
    hint="Each token is only multiplied by the weights that it gets in sum. Mix all tokens for every query.",
    ko="토큰마다 받은 가중치의 합을 곱하기만 했습니다. 쿼리마다 모든 토큰을 섞으세요.",
)
def tokens_times_total_weight(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).sum(dim=0)[:, None] * inputs


@mistake(
    hint="Each token is only multiplied by its own weight. Mix all tokens for every query.",
    ko="토큰에 자기 가중치를 곱하기만 했습니다. 쿼리마다 모든 토큰을 섞으세요.",
)
def tokens_times_own_weight(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).diagonal()[:, None] * inputs


@mistake(
    hint="One softmax runs over all scores together. Every row has to sum to 1.",
    ko="모든 점수에 소프트맥스를 한꺼번에 적용했습니다. 행마다 합이 1이어야 합니다.",
)
def one_softmax_for_all(inputs):
    return torch.softmax((inputs @ inputs.T).flatten(), dim=0).reshape(len(inputs), -1) @ inputs


@mistake(
    hint="The tokens are not transposed in the product of tokens with tokens.",
    ko="토큰끼리 곱할 때 한쪽을 전치하지 않았습니다.",
)
def context_without_transposing(inputs):
    return torch.softmax(inputs @ inputs, dim=-1) @ inputs


@mistake(
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_all_contexts(inputs):
    return torch.zeros_like(inputs)


@mistake(
    marks="trivial",
    hint="Every token comes back alone, mixed with no other.",
    ko="토큰이 섞이지 않고 그대로 돌아옵니다.",
)
def tokens_handed_back(inputs):
    return inputs.clone()


@mistake(
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
def contexts_without_a_shift(inputs):
    powers = torch.exp(inputs @ inputs.T)
    return powers @ inputs / powers.sum(dim=-1, keepdim=True)
