"""Wrong answers to `all_context_vectors`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="The softmax runs down the columns, so a query's weights do not sum to 1.",
    ko="소프트맥스를 열을 따라 계산해 한 쿼리의 가중치 합이 1이 아닙니다.",
)
def softmax_down_the_columns(inputs):
    return torch.softmax(inputs @ inputs.T, dim=0) @ inputs


@mistake(
    hint="The weights are turned round before the mixture: row i mixes by what others give to token i.",
    ko="가중치를 전치한 뒤 섞었습니다. i번째 행은 i번째 쿼리의 가중치로 섞어야 합니다.",
)
def weights_of_the_others(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).T @ inputs


@mistake(
    marks="slip",
    hint="The scores are divided by the root of d. Here they are plain dot products.",
    ko="점수를 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 내적을 씁니다.",
)
def scaled_self_attention(inputs):
    return torch.softmax(inputs @ inputs.T / inputs.shape[-1] ** 0.5, dim=-1) @ inputs


@mistake(hint="The softmax is missing: scores aren't weights.", ko="소프트맥스가 없습니다. 점수는 가중치가 아닙니다.")
def scores_for_weights(inputs):
    return inputs @ inputs.T @ inputs


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


@mistake(hint="Later tokens are hidden. Here every token sees all.", ko="뒤 토큰을 가렸습니다. 여기서는 모두 봅니다.")
def only_earlier_tokens(inputs):
    scores = inputs @ inputs.T
    future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(future, -math.inf), dim=-1) @ inputs


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
    hint="The features are compared with each other. Compare the tokens: turn the other factor round.",
    ko="특징끼리 비교했습니다. 다른 쪽을 전치해 토큰을 비교하세요.",
)
def features_compared_and_mixed(inputs):
    return torch.softmax(inputs.T @ inputs, dim=-1) @ inputs.T


@mistake(
    marks="trivial",
    hint="Every token comes back alone, mixed with no other.",
    ko="토큰이 섞이지 않고 그대로 돌아옵니다.",
)
def tokens_handed_back(inputs):
    return inputs.clone()


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
def contexts_without_a_shift(inputs):
    powers = torch.exp(inputs @ inputs.T)
    return powers @ inputs / powers.sum(dim=-1, keepdim=True)


@mistake(hint="The softmax lacks its exponential.", ko="소프트맥스에 지수 함수가 빠졌습니다.")
def contexts_without_exponential(inputs):
    scores = inputs @ inputs.T
    return scores / scores.sum(dim=-1, keepdim=True) @ inputs


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
def contexts_of_a_double_softmax(inputs):
    return torch.softmax(torch.softmax(inputs @ inputs.T, dim=-1), dim=-1) @ inputs


@mistake(hint="This is a sigmoid: no row sums to 1.", ko="시그모이드라서 행의 합이 1이 아닙니다.")
def contexts_of_sigmoids(inputs):
    return torch.sigmoid(inputs @ inputs.T) @ inputs


@mistake(hint="Return the mixture alone; don't add the tokens.", ko="토큰을 더하지 말고 문맥만 돌려주세요.")
def contexts_plus_tokens(inputs):
    return inputs + torch.softmax(inputs @ inputs.T, dim=-1) @ inputs


@mistake(
    marks="device",
    hint="The weights are moved to the CPU.",
    ko="가중치를 CPU로 옮겼습니다.",
)
def contexts_by_weights_on_the_cpu(inputs):
    return torch.softmax(inputs @ inputs.mT, dim=-1).cpu() @ inputs
