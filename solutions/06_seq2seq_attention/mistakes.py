"""Wrong variants by name, each with the hint that a student gets, and right ones in other styles.

The wrong ones prove that the suite sees them and name a student's mistake; the right ones prove that the suite asks for
the result and not for a way of writing it.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, right, solution

# --- Attention --------------------------------------------------------------------------------------------------------


@helper
def energy_of(module, hidden, encoder_outputs):
    repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
    return torch.tanh(module.attn(torch.cat([repeated, encoder_outputs], dim=-1)))


@helper
def mixed(weights, encoder_outputs):
    return (weights.unsqueeze(1) @ encoder_outputs).squeeze(1)


@helper
def answer(weights, encoder_outputs):
    return mixed(weights, encoder_outputs), weights


@mistake(
    "Attention",
    hint="The tanh is missing. Without it the hidden state adds the same number to every score, and the softmax cannot "
    "see it.",
    ko="tanh가 빠졌습니다. tanh가 없으면 은닉 상태는 모든 점수에 같은 수를 더할 뿐이어서 소프트맥스가 알아보지 못합니다.",
    marks="slip",
)
class attn_no_tanh(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        scores = self.attn(torch.cat([repeated, encoder_outputs], dim=-1)) @ self.v
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The energy went through another function than tanh: it cuts off what is negative.",
    ko="energy에 tanh가 아닌 함수를 썼습니다. 음수가 잘려 나갑니다.",
)
class attn_relu(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.relu(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The energy went through another function than tanh: its values lie between 0 and 1.",
    ko="energy에 tanh가 아닌 함수를 썼습니다. 값이 0과 1 사이에 있습니다.",
)
class attn_sigmoid(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.sigmoid(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The tanh comes after the product with v; it belongs on the energy, before v.",
    ko="tanh가 v와의 곱 다음에 있습니다. v를 곱하기 전의 energy에 걸어야 합니다.",
)
class attn_tanh_after_v(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        scores = torch.tanh(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)) @ self.v)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The halves of attn are multiplied with each other; the layer takes both tensors laid side by side.",
    ko="attn의 두 절반을 서로 곱했습니다. 두 텐서를 나란히 이어 붙여 층에 넣어야 합니다.",
)
class attn_product(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        asked, read = self.attn.weight.chunk(2, dim=1)
        energy = torch.tanh((hidden @ asked.T).unsqueeze(1) * (encoder_outputs @ read.T) + self.attn.bias)
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The softmax runs over the items of the batch; the weights of one item must sum to 1 over its tokens.",
    ko="소프트맥스가 배치 항목 방향입니다. 한 항목의 가중치가 토큰 방향으로 합해 1이어야 합니다.",
)
class attn_softmax_over_batch(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return answer(torch.softmax(scores, dim=0), encoder_outputs)


@mistake(
    "Attention",
    hint="The vector v takes no part: every feature of the energy counts the same.",
    ko="벡터 v가 쓰이지 않습니다. energy의 모든 특징이 똑같이 더해집니다.",
    marks="slip",
)
class attn_sum_instead_of_v(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs).sum(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="Each score goes through a sigmoid by itself; the weights are a softmax over all tokens.",
    ko="점수마다 시그모이드를 씌웠습니다. 가중치는 모든 토큰에 대한 소프트맥스입니다.",
)
class attn_sigmoid_weights(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return answer(torch.sigmoid(energy_of(self, hidden, encoder_outputs) @ self.v), encoder_outputs)


@mistake(
    "Attention",
    hint="The weights are logarithms (log_softmax); softmax is asked for.",
    ko="가중치가 로그값(log_softmax)입니다. softmax여야 합니다.",
)
class attn_log_softmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return answer(torch.log_softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The context is divided by the number of tokens (a mean); the weights sum to 1 already.",
    ko="문맥 벡터를 토큰 수로 나누었습니다(평균). 가중치의 합이 이미 1입니다.",
)
class attn_mean_of_the_weighted(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context / encoder_outputs.shape[1], weights


@mistake(
    "Attention",
    hint="The last encoder output is left out; all tokens are weighed.",
    ko="인코더의 마지막 출력이 빠졌습니다. 모든 토큰에 가중치를 줍니다.",
)
class attn_last_token_missing(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden, encoder_outputs[:, :-1])


@mistake(
    "Attention",
    hint="The softmax runs over the features of the energy; first v makes one score of them, then the tokens compete.",
    ko="소프트맥스를 에너지의 특징 방향으로 했습니다. v로 점수 하나를 만든 뒤 토큰 방향으로 하세요.",
)
class attn_softmax_over_features(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        energy = torch.softmax(energy_of(self, hidden, encoder_outputs), dim=-1)
        return answer(energy @ self.v, encoder_outputs)


@mistake(
    "Attention",
    hint="v has another shape than (hidden_size,).",
    ko="v의 모양이 (hidden_size,)가 아닙니다.",
)
class attn_v_of_two_axes(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.v = nn.Parameter(torch.rand(1, hidden_size))

    def forward(self, hidden, encoder_outputs):
        scores = (energy_of(self, hidden, encoder_outputs) * self.v).sum(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The scores are divided by a root. That belongs to dot products; here the tanh keeps the size in bounds.",
    ko="점수를 제곱근으로 나누었습니다. 그것은 내적에 쓰는 방법이고, 여기서는 tanh가 크기를 지켜 줍니다.",
    marks="slip",
)
class attn_scaled(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v / math.sqrt(hidden.shape[-1])
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The score is the mean of v * energy over the features; it has to be the sum.",
    ko="점수가 v * energy의 평균입니다. 합이어야 합니다.",
)
class attn_mean_over_features(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = (self.v * energy_of(self, hidden, encoder_outputs)).mean(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The hidden state stands in both halves, so every token gets the same weight: the second half is the output.",
    ko="두 절반에 모두 은닉 상태가 들어가 모든 토큰의 가중치가 같습니다. 둘째 절반은 인코더 출력입니다.",
    twins=("attn_uniform",),
)
class attn_keys_ignored(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.tanh(self.attn(torch.cat([repeated, repeated], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The context is the plain mean of the encoder's outputs; the weights have to come from the scores.",
    ko="문맥 벡터가 인코더 출력의 단순 평균입니다. 가중치는 점수에서 나와야 합니다.",
    twins=("attn_keys_ignored",),
    marks="trivial",
)
class attn_uniform(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        B, T, _ = encoder_outputs.shape
        return answer(encoder_outputs.new_full((B, T), 1 / T), encoder_outputs)


@mistake(
    "Attention",
    hint="The hidden state takes no part: the encoder's outputs stand in both halves.",
    ko="은닉 상태가 쓰이지 않습니다. 두 절반에 모두 인코더 출력이 들어갔습니다.",
    marks="trivial",
)
class attn_query_ignored(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        energy = torch.tanh(self.attn(torch.cat([encoder_outputs, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The two halves stand in the wrong order: the hidden state comes first.",
    ko="두 절반의 순서가 바뀌었습니다. 은닉 상태가 앞에 옵니다.",
    marks="slip",
)
class attn_halves_swapped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.tanh(self.attn(torch.cat([encoder_outputs, repeated], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="These are dot products of the hidden state with the outputs; the layer attn and v take no part.",
    ko="은닉 상태와 인코더 출력의 내적입니다. attn 층과 v가 쓰이지 않습니다.",
)
class attn_dot_product(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = (encoder_outputs @ hidden.unsqueeze(-1)).squeeze(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The context mixes the energies; it has to mix the encoder's outputs.",
    ko="문맥 벡터가 energy를 섞었습니다. 인코더 출력을 섞어야 합니다.",
)
class attn_mixes_energy(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        energy = energy_of(self, hidden, encoder_outputs)
        weights = torch.softmax(energy @ self.v, dim=-1)
        return mixed(weights, energy), weights


@mistake(
    "Attention",
    hint="The context mixes copies of the hidden state, which gives it back; it has to mix the encoder's outputs.",
    ko="문맥 벡터가 은닉 상태의 사본을 섞어 은닉 상태가 그대로 나옵니다. 인코더 출력을 섞어야 합니다.",
)
class attn_mixes_hidden(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        return mixed(weights, hidden.unsqueeze(1).expand_as(encoder_outputs)), weights


@mistake(
    "Attention",
    hint="The scores are returned and used as they are; a softmax has to turn them into weights.",
    ko="점수를 그대로 돌려주고 그대로 썼습니다. 소프트맥스로 가중치를 만들어야 합니다.",
)
class attn_no_softmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return answer(energy_of(self, hidden, encoder_outputs) @ self.v, encoder_outputs)


@mistake(
    "Attention",
    hint="The scores are returned in place of the weights: return what the softmax gives.",
    ko="가중치 자리에 점수를 돌려줍니다. 소프트맥스의 결과를 돌려주세요.",
)
class attn_returns_scores(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return mixed(torch.softmax(scores, dim=-1), encoder_outputs), scores


@mistake(
    "Attention",
    hint="The softmax is taken twice, which makes the weights nearly equal.",
    ko="소프트맥스를 두 번 해서 가중치가 거의 같아집니다.",
)
class attn_softmax_twice(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        weights = torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1)
        return answer(torch.softmax(weights, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="Only the first 64 tokens are weighed; T may be any number.",
    ko="처음 64개의 토큰에만 가중치를 줍니다. T는 어떤 수든 될 수 있습니다.",
)
class attn_of_64_tokens(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        scores[:, 64:] = float("-inf")
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The largest score of the whole batch is taken away; every item needs its own, or its weights are NaN.",
    ko="배치 전체의 최댓값을 뺐습니다. 항목마다 자기 최댓값을 빼야 합니다. 그렇지 않으면 NaN이 나옵니다.",
)
class attn_largest_of_the_batch(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        powers = (scores - scores.max()).exp()
        return answer(powers / powers.sum(dim=-1, keepdim=True), encoder_outputs)


@mistake(
    "Attention",
    hint="Only the highest score counts (argmax): that is no mixture, and no gradient goes through it.",
    ko="가장 큰 점수만 남깁니다(argmax). 섞는 것이 아니고 그래디언트도 흐르지 않습니다.",
)
class attn_argmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        weights = F.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)
        return answer(weights, encoder_outputs)


@mistake(
    "Attention",
    marks="slip",
    hint="The two results are returned in the wrong order: the context comes first.",
    ko="두 결과의 순서가 바뀌었습니다. 문맥 벡터가 먼저입니다.",
)
class attn_results_swapped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return weights, context


@mistake(
    "Attention",
    hint="Only the context is returned; return the weights as well.",
    ko="문맥 벡터만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
class attn_context_only(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden, encoder_outputs)[0]


@mistake(
    "Attention",
    hint="The context still has an axis of size one in the middle: (B, 1, h). Take it away.",
    ko="문맥 벡터에 크기 1인 축이 남아 있습니다: (B, 1, h). 없애세요.",
)
class attn_context_with_axis(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.unsqueeze(1), weights


@mistake(
    "Attention",
    hint="The weights still have an axis of size one at the end: (B, T, 1). Take it away.",
    ko="가중치 끝에 크기 1인 축이 남아 있습니다: (B, T, 1). 없애세요.",
)
class attn_weights_with_axis(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context, weights.unsqueeze(-1)


@mistake(
    "Attention",
    hint="`squeeze()` without an axis takes away every axis of size one, also the batch with a single item.",
    ko="축을 정하지 않은 `squeeze()`는 항목이 하나인 배치 축까지 없앱니다.",
)
class attn_bare_squeeze(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.unsqueeze(1).squeeze(), weights


@mistake(
    "Attention",
    hint="Both results go through `squeeze()` without an axis, which takes away the batch of a single item as well.",
    ko="두 결과에 축을 정하지 않은 `squeeze()`를 써서 항목이 하나인 배치 축까지 없앱니다.",
)
class attn_bare_squeeze_of_both(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.squeeze(), weights.squeeze()


@mistake(
    "Attention",
    hint="`repeat` along the batch and a view put other items' hidden states beside a token; give the tokens an axis "
    "of their own.",
    ko="배치 방향으로 repeat한 뒤 view하면 다른 항목의 은닉 상태가 옆에 옵니다. 토큰 축을 따로 만드세요.",
)
class attn_repeat_mixes_items(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.repeat(encoder_outputs.shape[1], 1).view(encoder_outputs.shape)
        energy = torch.tanh(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="`view` refuses a tensor that does not lie in order in memory; `reshape` takes any.",
    ko="`view`는 메모리에서 연속적이지 않은 텐서를 받지 않습니다. `reshape`는 무엇이든 받습니다.",
)
class attn_by_view(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        h = encoder_outputs.shape[-1]
        return super().forward(hidden, encoder_outputs.view(-1, h).view(encoder_outputs.shape))


@mistake(
    "Attention",
    hint="The first item's hidden state asks for all items.",
    ko="첫 항목의 은닉 상태를 모든 항목에 썼습니다.",
)
class attn_first_hidden(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden[:1].expand_as(hidden), encoder_outputs)


@mistake(
    "Attention",
    hint="The axes of batch and tokens are taken for each other.",
    ko="배치 축과 토큰 축을 서로 바꾸어 생각했습니다.",
)
class attn_batch_second(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(0).expand_as(encoder_outputs)
        energy = torch.tanh(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="v is a plain tensor, which no optimiser and no state_dict sees: wrap it in nn.Parameter.",
    ko="v가 보통 텐서여서 옵티마이저도 state_dict도 보지 못합니다. nn.Parameter로 감싸세요.",
)
class attn_plain_v(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = torch.rand(hidden_size)

    def forward(self, hidden, encoder_outputs):
        return answer(torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="v is a buffer: it is saved, but never trained. Use nn.Parameter.",
    ko="v가 버퍼입니다. 저장은 되지만 학습되지 않습니다. nn.Parameter를 쓰세요.",
)
class attn_buffer_v(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.register_buffer("v", torch.rand(hidden_size))

    def forward(self, hidden, encoder_outputs):
        return answer(torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="v is a layer here (its parameter is v.weight); an nn.Parameter of shape (hidden_size,) is asked for.",
    ko="v가 층입니다(매개변수는 v.weight). 모양이 (hidden_size,)인 nn.Parameter가 필요합니다.",
)
class attn_v_as_layer(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Linear(hidden_size, 1, bias=False)

    def forward(self, hidden, encoder_outputs):
        scores = self.v(energy_of(self, hidden, encoder_outputs)).squeeze(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The layer attn has no bias; nn.Linear's usual bias is asked for.",
    ko="attn 층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class attn_without_bias(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.attn = nn.Linear(2 * hidden_size, hidden_size, bias=False)


@mistake(
    "Attention",
    hint="The bias of attn is there, but it is left out of the energy.",
    ko="attn의 편향이 있지만 energy에 더하지 않았습니다.",
)
class attn_bias_unused(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.tanh(torch.cat([repeated, encoder_outputs], dim=-1) @ self.attn.weight.T)
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class attn_extra_layer(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.out = nn.Linear(2 * hidden_size, hidden_size)


@mistake(
    "Attention",
    hint="Something is dropped in training; this module has no dropout.",
    ko="학습 중에 무언가를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class attn_with_dropout(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        weights = torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1)
        return answer(F.dropout(weights, 0.1, self.training), encoder_outputs)


@mistake(
    "Attention",
    hint="In eval the scores are computed differently; this module does the same in both modes.",
    ko="eval에서 점수를 다르게 계산합니다. 이 모듈은 두 모드에서 같은 일을 합니다.",
    unnamed="Only eval is another, and its numbers look like those of any wrong answer.",
)
class attn_other_in_eval(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        factor = 1.0 if self.training else 2.0
        scores = energy_of(self, hidden, encoder_outputs) @ self.v * factor
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The results are always float32; keep the dtype of the inputs.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class attn_always_float32(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.float(), weights.float()


@mistake(
    "Attention",
    hint="The scores are cut off from the graph (detach, no_grad), so attn and v never learn.",
    ko="점수가 계산 그래프에서 끊겨(detach, no_grad) attn과 v가 학습되지 않습니다.",
)
class attn_scores_detached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        with torch.no_grad():
            scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The weights that are returned are cut off (detach): a loss on them reaches no parameter.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다(detach). 가중치에 대한 손실이 매개변수에 닿지 않습니다.",
    marks="point",
)
class attn_weights_detached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context, weights.detach()


@mistake(
    "Attention",
    hint="In eval the results are cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class attn_detached_in_eval(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden if self.training else hidden.detach(), encoder_outputs)


@mistake(
    "Attention",
    hint="The softmax has a small number added to its sum. Where all scores are far below zero it swallows the weights.",
    ko="소프트맥스의 분모에 작은 수를 더했습니다. 모든 점수가 아주 작으면 그 수가 가중치를 삼켜 버립니다.",
)
class attn_eps_in_softmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        exponentials = (energy_of(self, hidden, encoder_outputs) @ self.v).exp()
        weights = exponentials / (exponentials.sum(-1, keepdim=True) + 1e-9)
        return answer(weights, encoder_outputs)


@mistake(
    "Attention",
    hint="Scores above a bound were cut down to it, so large scores all look alike. Subtract the largest instead.",
    ko="큰 점수를 한계값으로 잘라 서로 구별되지 않습니다. 자르지 말고 최댓값을 빼세요.",
)
class attn_clamped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = (energy_of(self, hidden, encoder_outputs) @ self.v).clamp(-20, 20)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The encoder's outputs were changed in place; the caller's tensor has to stay as it was.",
    ko="인코더 출력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class attn_outputs_in_place(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        with torch.no_grad():
            encoder_outputs *= weights.unsqueeze(-1)
        return context, weights


@mistake(
    "Attention",
    hint="The encoder's outputs are multiplied in place (*=); the caller's tensor has to stay as it was.",
    ko="인코더 출력을 제자리에서 곱했습니다(*=). 부른 쪽의 텐서는 그대로여야 합니다.",
)
class attn_outputs_plainly_in_place(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        encoder_outputs *= weights.unsqueeze(-1)
        return encoder_outputs.sum(dim=1), weights


@mistake(
    "Attention",
    hint="An axis was added to the caller's hidden state itself: use `unsqueeze` without the underscore.",
    ko="부른 쪽의 은닉 상태 자체에 축을 더했습니다. 밑줄이 없는 `unsqueeze`를 쓰세요.",
)
class attn_hidden_reshaped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        results = super().forward(hidden, encoder_outputs)
        hidden.unsqueeze_(1)
        return results


@mistake(
    "Attention",
    hint="The energies of an earlier call with the same shapes are used again; compute them from the new inputs.",
    ko="모양이 같으면 예전 호출의 energy를 다시 씁니다. 새 입력으로 계산하세요.",
    unnamed="Only a part of what is computed is old, so the numbers look like those of any wrong answer.",
)
class attn_energy_kept(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        if getattr(self, "energy", None) is None or self.energy.shape != encoder_outputs.shape:
            self.energy = energy_of(self, hidden, encoder_outputs)
        return answer(torch.softmax(self.energy.to(self.v.dtype) @ self.v, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The number of tokens of the first call is kept and used for all later ones.",
    ko="첫 호출의 토큰 수를 간직해 두고 뒤의 호출에도 씁니다.",
    unnamed="Only a part of what is computed is old, so the numbers look like those of any wrong answer.",
)
class attn_length_kept(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        self.length = getattr(self, "length", encoder_outputs.shape[1])
        return super().forward(hidden, encoder_outputs[:, : self.length])


@mistake(
    "Attention",
    hint="A copy of v from the first call is used, so values that are loaded or trained later have no effect.",
    ko="첫 호출의 v를 복사해 두고 써서, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class attn_v_cached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        if not hasattr(self, "copy"):
            self.copy = self.v.clone()
        scores = energy_of(self, hidden, encoder_outputs) @ self.copy.to(hidden.dtype)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    "Attention",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
    marks="library",
)
class attn_by_library(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        none = torch.zeros_like(encoder_outputs)
        context = F.scaled_dot_product_attention(none[:, :1], none, encoder_outputs, attn_mask=scores.unsqueeze(1))
        return context.squeeze(1), torch.softmax(scores, dim=-1)


@right("Attention", why="repeat, a sum over the features, bmm, v drawn by randn before attn")
class attn_in_small_steps(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.v = nn.Parameter(torch.randn(hidden_size))
        self.attn = nn.Linear(hidden_size * 2, hidden_size)

    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).repeat(1, encoder_outputs.size(1), 1)
        energy = torch.tanh(self.attn(torch.cat((repeated, encoder_outputs), dim=2)))
        weights = F.softmax(torch.sum(self.v * energy, dim=2), dim=1)
        context = torch.bmm(weights.unsqueeze(1), encoder_outputs).squeeze(1)
        return context, weights


@right("Attention", why="the halves of attn taken apart and added, einsum")
class attn_as_two_layers(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.empty(hidden_size).uniform_(-0.1, 0.1))

    def forward(self, hidden, encoder_outputs):
        asked, read = self.attn.weight.split(self.v.shape[0], dim=1)
        summed = (hidden @ asked.T).unsqueeze(1) + encoder_outputs @ read.T + self.attn.bias
        weights = torch.einsum("bth,h->bt", summed.tanh(), self.v).softmax(dim=1)
        return torch.einsum("bt,bth->bh", weights, encoder_outputs), weights


@right("Attention", why="a loop over the tokens and a plain exponential")
class attn_by_loop(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.ones(hidden_size))

    def forward(self, hidden, encoder_outputs):
        scores = []
        for t in range(encoder_outputs.shape[1]):
            energy = torch.tanh(self.attn(torch.cat([hidden, encoder_outputs[:, t]], dim=1)))
            scores.append((energy * self.v).sum(dim=1))
        exponentials = torch.stack(scores, dim=1).exp()
        weights = exponentials / exponentials.sum(dim=1, keepdim=True)
        context = sum(weights[:, t, None] * encoder_outputs[:, t] for t in range(encoder_outputs.shape[1]))
        return context, weights


@right("Attention", why="float64 inside, weights with the tokens as columns, a buffer of its own")
class attn_in_float64(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.rand(hidden_size))
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, hidden, encoder_outputs):
        self.calls += 1
        outputs = encoder_outputs.double()
        pairs = torch.cat([hidden.double()[:, None].expand(-1, outputs.size(1), -1), outputs], -1)
        energy = torch.tanh(F.linear(pairs, self.attn.weight.double(), self.attn.bias.double()))
        scores = torch.matmul(energy, self.v.double()[:, None])  # (B, T, 1)
        weights = torch.softmax(scores, dim=1)
        context = (outputs * weights).sum(dim=1)
        return context.to(hidden.dtype), weights[..., 0].to(hidden.dtype)


@right("Attention", why="its own layer class behind the name attn, results that are views")
class attn_own_layer(nn.Module):
    class Layer(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(size, 2 * size) / size)
            self.bias = nn.Parameter(torch.zeros(size))

        def forward(self, left, right):
            return torch.cat([left, right], dim=-1) @ self.weight.T + self.bias

    def __init__(self, hidden_size):
        super().__init__()
        self.attn = self.Layer(hidden_size)
        self.v = nn.Parameter(torch.full((hidden_size,), 0.5))

    def forward(self, hidden, encoder_outputs):
        tokens_first = encoder_outputs.transpose(0, 1)  # (T, B, h)
        energy = torch.tanh(self.attn(hidden.expand(len(tokens_first), -1, -1), tokens_first))
        weights = torch.softmax((energy * self.v).sum(-1), dim=0)  # (T, B)
        context = torch.einsum("tb,tbh->hb", weights, tokens_first)
        return context.T, weights.T


# --- Seq2SeqWithAttention ---------------------------------------------------------------------------------------------


@helper
class Additive(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.rand(hidden_size))

    def forward(self, hidden, encoder_outputs):
        return answer(torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1), encoder_outputs)


@helper
class Parts(nn.Module):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        self.encoder = nn.GRU(input_dim, hidden_dim, batch_first=True)
        self.decoder = nn.GRU(hidden_dim, hidden_dim, batch_first=True)
        self.attention = Additive(hidden_dim)
        self.fc = nn.Linear(2 * hidden_dim, output_dim)
        self.decoder_input_transform = nn.Linear(input_dim, hidden_dim)

    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        return outputs, hidden, self.attention(hidden[-1], outputs)[0]

    def decode(self, decoder_input, hidden):
        return self.decoder(self.decoder_input_transform(decoder_input), hidden)[0]

    def beside(self, outputs, context):
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))

    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="The result is the same whatever is read.",
    ko="무엇을 읽든 결과가 같습니다.",
    marks="trivial",
)
class s2s_constant(Parts):
    def forward(self, encoder_input, decoder_input):
        return self.fc.bias.expand(*decoder_input.shape[:2], -1).clone()


@mistake(
    "Seq2SeqWithAttention",
    hint="What the encoder reads plays no part; the decoder starts from its last state and looks back at its outputs.",
    ko="인코더가 읽은 것을 쓰지 않았습니다. 디코더는 인코더의 마지막 은닉 상태에서 시작하고 인코더의 출력을 돌아봅니다.",
    marks="trivial",
)
class s2s_encoder_unread(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, _ = self.decoder(self.decoder_input_transform(decoder_input))
        return self.fc(torch.cat([outputs, torch.zeros_like(outputs)], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The context has one step, the decoder's output has T_dec of them: the context has to stand beside each.",
    ko="문맥 벡터는 한 단계이고 디코더 출력은 T_dec 단계입니다. 문맥 벡터가 단계마다 옆에 있어야 합니다.",
)
class s2s_one_step_only(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat((outputs, context.unsqueeze(1)), dim=2))


@mistake(
    "Seq2SeqWithAttention",
    hint="Only the last decoder step is answered; every step has its own answer.",
    ko="디코더의 마지막 단계만 답합니다. 단계마다 답이 있어야 합니다.",
)
class s2s_last_step_only(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input)[:, -1:]


@mistake(
    "Seq2SeqWithAttention",
    hint="The context stands beside the first step only and is zero beside the others: repeat it for every step.",
    ko="문맥 벡터가 첫 단계 옆에만 있고 나머지에는 0입니다. 모든 단계에 반복하세요.",
)
class s2s_context_at_first_step(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        padded = torch.zeros_like(outputs)
        padded[:, 0] = context
        return self.fc(torch.cat([outputs, padded], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The contexts of the items were repeated and reshaped, so a step stands beside another item's context.",
    ko="문맥 벡터를 반복한 뒤 reshape해서 다른 항목의 문맥이 옆에 옵니다.",
)
class s2s_context_of_other_item(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        repeated = context.repeat(outputs.shape[1], 1).view(outputs.shape)
        return self.fc(torch.cat([outputs, repeated], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The attention is asked anew with every decoder output; here the context is made once, from the encoder's "
    "last hidden state.",
    ko="디코더 출력마다 어텐션을 다시 구합니다. 여기서는 인코더의 마지막 은닉 상태로 한 번만 구합니다.",
)
class s2s_context_for_every_step(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        contexts = [self.attention(outputs[:, t], encoder_outputs)[0] for t in range(outputs.shape[1])]
        return self.fc(torch.cat([outputs, torch.stack(contexts, dim=1)], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="From the second step on the attention is asked by the decoder's last output; the first context serves all.",
    ko="둘째 단계부터 디코더의 앞 출력으로 어텐션을 다시 구합니다. 처음 구한 문맥 벡터를 모든 단계에 쓰세요.",
)
class s2s_context_by_previous_output(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        contexts = [context]
        for t in range(outputs.shape[1] - 1):
            contexts.append(self.attention(outputs[:, t], encoder_outputs)[0])
        return self.fc(torch.cat([outputs, torch.stack(contexts, dim=1)], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The attention looks at the decoder's outputs; it has to look at the encoder's.",
    ko="어텐션이 디코더 출력을 봅니다. 인코더 출력을 보아야 합니다.",
)
class s2s_attends_to_decoder(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.beside(outputs, self.attention(hidden[-1], outputs)[0])


@mistake(
    "Seq2SeqWithAttention",
    hint="The attention is asked by the decoder's last state; the encoder's last hidden state has to ask.",
    ko="디코더의 마지막 상태로 어텐션을 구했습니다. 인코더의 마지막 은닉 상태로 구해야 합니다.",
)
class s2s_asked_by_decoder(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.beside(outputs, self.attention(outputs[:, -1], encoder_outputs)[0])


@mistake(
    "Seq2SeqWithAttention",
    hint="The attention is asked by the encoder's first output; its last hidden state has read everything.",
    ko="인코더의 첫 출력으로 어텐션을 구했습니다. 모두 읽은 것은 마지막 은닉 상태입니다.",
)
class s2s_asked_by_first_output(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        context = self.attention(encoder_outputs[:, 0], encoder_outputs)[0]
        return self.beside(self.decode(decoder_input, hidden), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="Decoder output and context stand in the wrong order before fc: the decoder's output comes first.",
    ko="fc 앞에서 디코더 출력과 문맥 벡터의 순서가 바뀌었습니다. 디코더 출력이 먼저입니다.",
    marks="slip",
)
class s2s_context_first(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat([context.unsqueeze(1).expand_as(outputs), outputs], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The decoder starts from zeros; it has to start from the encoder's last hidden state.",
    ko="디코더가 0에서 시작합니다. 인코더의 마지막 은닉 상태에서 시작해야 합니다.",
    marks="slip",
)
class s2s_decoder_from_zeros(Parts):
    def forward(self, encoder_input, decoder_input):
        _, _, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, None), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="The decoder starts from the context; it has to start from the encoder's last hidden state.",
    ko="디코더가 문맥 벡터에서 시작합니다. 인코더의 마지막 은닉 상태에서 시작해야 합니다.",
)
class s2s_decoder_from_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, _, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, context.unsqueeze(0)), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="The decoder starts every step from the encoder's state; each step goes on from the one before.",
    ko="디코더가 단계마다 인코더의 상태에서 다시 시작합니다. 앞 단계의 상태에서 이어 가야 합니다.",
)
class s2s_steps_not_linked(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = [self.decode(decoder_input[:, t : t + 1], hidden) for t in range(decoder_input.shape[1])]
        return self.beside(torch.cat(outputs, dim=1), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="From the second step on the decoder reads its own output; it has to read decoder_input at every step.",
    ko="둘째 단계부터 디코더가 자기 출력을 읽습니다. 단계마다 decoder_input을 읽어야 합니다.",
)
class s2s_reads_own_output(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs, fed = [], self.decoder_input_transform(decoder_input[:, :1])
        for _ in range(decoder_input.shape[1]):
            fed, hidden = self.decoder(fed, hidden)
            outputs.append(fed)
        return self.beside(torch.cat(outputs, dim=1), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="In eval the decoder reads its own output from the second step on; it has to read decoder_input there as well.",
    ko="eval에서는 둘째 단계부터 디코더가 자기 출력을 읽습니다. eval에서도 decoder_input을 읽어야 합니다.",
    twins=("s2s_reads_own_output",),
)
class s2s_reads_own_output_in_eval(Parts):
    def forward(self, encoder_input, decoder_input):
        if self.training:
            return super().forward(encoder_input, decoder_input)
        _, hidden, context = self.read(encoder_input)
        outputs, fed = [], self.decoder_input_transform(decoder_input[:, :1])
        for _ in range(decoder_input.shape[1]):
            fed, hidden = self.decoder(fed, hidden)
            outputs.append(fed)
        return self.beside(torch.cat(outputs, dim=1), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="The context takes no part: zeros stand where it belongs.",
    ko="문맥 벡터가 쓰이지 않고 그 자리에 0이 있습니다.",
)
class s2s_no_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), torch.zeros_like(context))


@mistake(
    "Seq2SeqWithAttention",
    hint="The encoder's last state stands where the context belongs; let the attention mix all outputs.",
    ko="문맥 벡터 자리에 인코더의 마지막 상태가 있습니다. 어텐션으로 모든 출력을 섞으세요.",
)
class s2s_last_state_as_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), hidden[-1])


@mistake(
    "Seq2SeqWithAttention",
    hint="The context is the plain mean of the encoder's outputs; the attention has to weigh them.",
    ko="문맥 벡터가 인코더 출력의 단순 평균입니다. 어텐션으로 무게를 주어야 합니다.",
    marks="slip",
)
class s2s_mean_as_context(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), outputs.mean(dim=1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The context comes from dot products; the attention's layer attn and its v take no part.",
    ko="문맥 벡터를 내적으로 구했습니다. 어텐션의 attn 층과 v가 쓰이지 않습니다.",
)
class s2s_dot_product(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        weights = torch.softmax((outputs @ hidden[-1].unsqueeze(-1)).squeeze(-1), dim=-1)
        return self.beside(self.decode(decoder_input, hidden), mixed(weights, outputs))


@mistake(
    "Seq2SeqWithAttention", hint="The tanh of the attention is missing.", ko="어텐션의 tanh가 빠졌습니다.", marks="slip"
)
class s2s_no_tanh(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        pairs = torch.cat([hidden[-1].unsqueeze(1).expand_as(outputs), outputs], dim=-1)
        weights = torch.softmax(self.attention.attn(pairs) @ self.attention.v, dim=-1)
        return self.beside(self.decode(decoder_input, hidden), mixed(weights, outputs))


@mistake(
    "Seq2SeqWithAttention",
    hint="The attention's softmax runs over the items of the batch; it belongs on the tokens.",
    ko="어텐션의 소프트맥스가 배치 항목 방향입니다. 토큰 방향이어야 합니다.",
)
class s2s_softmax_over_batch(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        scores = energy_of(self.attention, hidden[-1], outputs) @ self.attention.v
        return self.beside(self.decode(decoder_input, hidden), mixed(torch.softmax(scores, dim=0), outputs))


@mistake(
    "Seq2SeqWithAttention",
    hint="The encoder reads the sequence backwards.",
    ko="인코더가 시퀀스를 거꾸로 읽습니다.",
)
class s2s_reads_backwards(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input.flip(1), decoder_input)


@mistake(
    "Seq2SeqWithAttention",
    hint="Without batch_first=True a GRU takes the first axis for the time, so items become steps.",
    ko="batch_first=True가 없으면 GRU는 첫 축을 시간으로 여겨 항목이 단계가 됩니다.",
)
class s2s_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)

    def forward(self, encoder_input, decoder_input):
        outputs, hidden = self.encoder(encoder_input)
        if hidden.shape[1] != len(outputs):
            hidden = hidden[:, -1:].expand(-1, len(outputs), -1).contiguous()
        context = self.attention(hidden[-1], outputs)[0]
        start = hidden[:, : decoder_input.shape[1]].contiguous()
        return self.beside(self.decode(decoder_input, start), context)


@mistake(
    "Seq2SeqWithAttention",
    hint="The encoder lacks batch_first=True: it takes the first axis for the time, so items become steps.",
    ko="인코더에 batch_first=True가 없습니다. 첫 축을 시간으로 여겨 항목이 단계가 됩니다.",
)
class s2s_encoder_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)


@mistake(
    "Seq2SeqWithAttention",
    hint="Only the decoder lacks batch_first=True: it takes the items of the batch for steps.",
    ko="디코더에만 batch_first=True가 없습니다. 배치의 항목을 단계로 여깁니다.",
)
class s2s_decoder_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)


@mistake(
    "Seq2SeqWithAttention",
    hint="The decoder's hidden state of an earlier call is the start of the next: begin anew in every call.",
    ko="앞 호출의 디코더 은닉 상태에서 다음 호출을 시작합니다. 호출마다 새로 시작하세요.",
    twins=("changing_result",),
)
class s2s_state_kept(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        kept = getattr(self, "kept", None)
        if kept is not None and kept.shape == hidden.shape and kept.dtype == hidden.dtype:
            hidden = kept
        outputs, state = self.decoder(self.decoder_input_transform(decoder_input), hidden)
        self.kept = state.detach()
        return self.beside(outputs, context)


@mistake(
    "Seq2SeqWithAttention",
    hint="The encoder goes on from its state of the call before: it starts from zeros in every call.",
    ko="인코더가 앞 호출의 상태에서 이어 읽습니다. 호출마다 0에서 시작해야 합니다.",
    twins=("changing_result",),
)
class s2s_encoder_state_kept(Parts):
    def read(self, encoder_input):
        kept = getattr(self, "kept", None)
        fits = kept is not None and kept.shape[1] == len(encoder_input) and kept.dtype == encoder_input.dtype
        outputs, hidden = self.encoder(encoder_input, kept if fits else None)
        self.kept = hidden.detach()
        return outputs, hidden, self.attention(hidden[-1], outputs)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="The decoder reads its input without decoder_input_transform; the input has input_dim features, not h.",
    ko="디코더가 decoder_input_transform 없이 입력을 읽습니다. 입력의 특징은 h개가 아니라 input_dim개입니다.",
)
class s2s_no_transform(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.decoder = nn.GRU(input_dim, hidden_dim, batch_first=True)

    def decode(self, decoder_input, hidden):
        return self.decoder(decoder_input, hidden)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="What decoder_input_transform gives went through a function more; it goes to the decoder as it is.",
    ko="decoder_input_transform의 결과에 함수를 하나 더 걸었습니다. 그대로 디코더에 들어가야 합니다.",
)
class s2s_transform_with_relu(Parts):
    def decode(self, decoder_input, hidden):
        return self.decoder(torch.relu(self.decoder_input_transform(decoder_input)), hidden)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="A tanh follows the transform of the decoder's input; nothing does.",
    ko="디코더 입력 변환 뒤에 tanh가 있습니다. 아무것도 없어야 합니다.",
)
class s2s_transform_with_tanh(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs, _ = self.decoder(torch.tanh(self.decoder_input_transform(decoder_input)), hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="A log_softmax follows the last layer; nothing is applied to its result.",
    ko="마지막 층 뒤에 log_softmax가 있습니다. 결과에 아무것도 적용하지 마세요.",
)
class s2s_log_softmax_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.log_softmax(super().forward(encoder_input, decoder_input), dim=-1)


@mistake(
    "Seq2SeqWithAttention",
    hint="A ReLU stands before the last layer; it reads decoder output and context as they are.",
    ko="마지막 층 앞에 ReLU가 있습니다. 디코더 출력과 문맥 벡터를 그대로 넣으세요.",
)
class s2s_relu_before_the_last_layer(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.relu(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1)))


@mistake(
    "Seq2SeqWithAttention",
    hint="The scores of the attention are scaled; nothing is scaled here.",
    ko="어텐션의 점수를 나누었습니다. 여기서는 나누지 않습니다.",
)
class s2s_scores_scaled(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden = self.encoder(encoder_input)
        both = torch.cat([hidden[-1].unsqueeze(1).expand_as(encoder_outputs), encoder_outputs], dim=-1)
        scores = torch.tanh(self.attention.attn(both)) @ self.attention.v / math.sqrt(encoder_outputs.shape[-1])
        context = (torch.softmax(scores, dim=-1).unsqueeze(-1) * encoder_outputs).sum(1)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="Inside the attention the encoder's output stands in front of the hidden state; the hidden state comes first.",
    ko="어텐션 안에서 인코더 출력이 은닉 상태보다 앞에 있습니다. 은닉 상태가 먼저입니다.",
)
class s2s_attention_halves_swapped(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden = self.encoder(encoder_input)
        both = torch.cat([encoder_outputs, hidden[-1].unsqueeze(1).expand_as(encoder_outputs)], dim=-1)
        scores = torch.tanh(self.attention.attn(both)) @ self.attention.v
        context = (torch.softmax(scores, dim=-1).unsqueeze(-1) * encoder_outputs).sum(1)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The context is added to what the decoder reads; it belongs beside what the decoder gives.",
    ko="문맥 벡터를 디코더 입력에 더했습니다. 디코더 출력 옆에 있어야 합니다.",
)
class s2s_context_in_the_input(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs, _ = self.decoder(self.decoder_input_transform(decoder_input) + context.unsqueeze(1), hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The decoder's inputs are shifted by a step; step t reads decoder_input[:, t].",
    ko="디코더 입력이 한 단계 밀렸습니다. t 단계는 decoder_input[:, t]를 읽습니다.",
)
class s2s_inputs_shifted(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input.roll(1, dims=1))


@mistake(
    "Seq2SeqWithAttention",
    hint="The encoder runs under no_grad, so it never learns.",
    ko="인코더가 no_grad 안에서 돌아 학습되지 않습니다.",
    marks="point",
)
class s2s_encoder_without_gradient(Parts):
    def read(self, encoder_input):
        with torch.no_grad():
            encoder_outputs, hidden = self.encoder(encoder_input)
        return encoder_outputs, hidden, self.attention(hidden[-1], encoder_outputs)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="The encoder reads in both directions; one direction is asked for.",
    ko="인코더가 양방향입니다. 한 방향이어야 합니다.",
    unnamed="What the second direction adds is drawn at random; the failure itself names the surplus parameters.",
)
class s2s_bidirectional(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim, batch_first=True, bidirectional=True)

    def read(self, encoder_input):
        encoder_outputs, hidden = self.encoder(encoder_input)
        encoder_outputs = sum(encoder_outputs.chunk(2, dim=-1))
        return encoder_outputs, hidden[-1:], self.attention(hidden[-1], encoder_outputs)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="The last layer has no bias; the linear layers have biases.",
    ko="마지막 층에 편향이 없습니다. 선형층에는 편향이 있어야 합니다.",
)
class s2s_last_layer_without_bias(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.fc = nn.Linear(2 * hidden_dim, output_dim, bias=False)


@mistake(
    "Seq2SeqWithAttention",
    hint="The first hidden state is made as float32 whatever the input is: leave it out, a GRU starts from zeros itself.",
    ko="첫 은닉 상태를 항상 float32로 만들었습니다. GRU는 스스로 0에서 시작하니 빼세요.",
)
class s2s_zeros_of_float32(Parts):
    def read(self, encoder_input):
        zeros = torch.zeros(1, len(encoder_input), self.fc.in_features // 2)
        encoder_outputs, hidden = self.encoder(encoder_input, zeros)
        return encoder_outputs, hidden, self.attention(hidden[-1], encoder_outputs)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="A softmax follows fc; the result of fc is asked for as it is.",
    ko="fc 다음에 소프트맥스를 했습니다. fc의 결과를 그대로 돌려주어야 합니다.",
)
class s2s_softmax_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.softmax(super().forward(encoder_input, decoder_input), dim=-1)


@mistake(
    "Seq2SeqWithAttention",
    hint="A tanh follows fc; the result of fc is asked for as it is.",
    ko="fc 다음에 tanh를 했습니다. fc의 결과를 그대로 돌려주어야 합니다.",
)
class s2s_tanh_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.tanh(super().forward(encoder_input, decoder_input))


@mistake(
    "Seq2SeqWithAttention",
    hint="The result is a tuple; return the output alone.",
    ko="결과가 튜플입니다. 출력 하나만 돌려주세요.",
)
class s2s_returns_hidden(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input), self.encoder(encoder_input)[1]


@mistake(
    "Seq2SeqWithAttention",
    hint="A bare squeeze takes the axis of a single step, item or feature away: the result has three axes always.",
    ko="축을 정하지 않은 squeeze가 크기 1인 축을 없앱니다. 결과의 축은 언제나 셋입니다.",
)
class s2s_squeezed(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input).squeeze()


@mistake(
    "Seq2SeqWithAttention",
    hint="`squeeze()` on the hidden state takes away the batch as well when it has one item; take its last layer.",
    ko="은닉 상태에 `squeeze()`를 쓰면 항목이 하나일 때 배치 축까지 없어집니다. 마지막 층을 고르세요.",
)
class s2s_hidden_squeezed(Parts):
    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        return outputs, hidden, self.attention(hidden.squeeze(), outputs)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="The GRUs have two layers; one is asked for.",
    ko="GRU가 두 층입니다. 한 층이어야 합니다.",
    unnamed="The second layer is drawn at random, so the numbers look like those of any wrong answer.",
)
class s2s_two_layers(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim, num_layers=2, batch_first=True)
        self.decoder = nn.GRU(hidden_dim, hidden_dim, num_layers=2, batch_first=True)


@mistake(
    "Seq2SeqWithAttention",
    hint="These are LSTMs or plain RNNs; nn.GRU is asked for.",
    ko="LSTM이나 보통 RNN입니다. nn.GRU가 필요합니다.",
)
class s2s_plain_rnn(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.RNN(input_dim, hidden_dim, batch_first=True)
        self.decoder = nn.RNN(hidden_dim, hidden_dim, batch_first=True)


@mistake(
    "Seq2SeqWithAttention",
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class s2s_extra_layer(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder_input_transform = nn.Linear(input_dim, hidden_dim)


@mistake(
    "Seq2SeqWithAttention",
    hint="Something is dropped in training; this model has no dropout.",
    ko="학습 중에 무언가를 떨어뜨립니다. 이 모델에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class s2s_with_dropout(Parts):
    def decode(self, decoder_input, hidden):
        return F.dropout(super().decode(decoder_input, hidden), 0.1, self.training)


@mistake(
    "Seq2SeqWithAttention",
    hint="In eval the decoder feeds itself with its own output; this model does the same in both modes.",
    ko="eval에서 디코더가 자기 출력을 읽습니다. 이 모델은 두 모드에서 같은 일을 합니다.",
    unnamed="Only eval is another, and its numbers look like those of any wrong answer.",
)
class s2s_other_in_eval(Parts):
    def decode(self, decoder_input, hidden):
        outputs = super().decode(decoder_input, hidden)
        return outputs if self.training else self.decoder(outputs, hidden)[0]


@mistake(
    "Seq2SeqWithAttention",
    hint="The result is always float32; keep the dtype of the inputs (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class s2s_always_float32(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input).float()


@mistake(
    "Seq2SeqWithAttention",
    hint="The encoder's last state is cut off (detach) before the decoder, so the decoder teaches the encoder nothing.",
    ko="인코더의 마지막 상태가 디코더 앞에서 끊겨(detach) 디코더의 오차가 인코더에 전해지지 않습니다.",
)
class s2s_hidden_detached(Parts):
    def decode(self, decoder_input, hidden):
        return super().decode(decoder_input, hidden.detach())


@mistake(
    "Seq2SeqWithAttention",
    hint="The context is cut off (detach, no_grad), so the attention never learns.",
    ko="문맥 벡터가 끊겨(detach, no_grad) 어텐션이 학습되지 않습니다.",
)
class s2s_context_detached(Parts):
    def read(self, encoder_input):
        outputs, hidden, context = super().read(encoder_input)
        return outputs, hidden, context.detach()


@mistake(
    "Seq2SeqWithAttention",
    hint="In eval the results are cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class s2s_detached_in_eval(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input if self.training else encoder_input.detach(), decoder_input)


@mistake(
    "Seq2SeqWithAttention",
    hint="The hidden state is cut off between the decoder's steps (detach), so errors stop at one step.",
    ko="디코더의 단계 사이에서 은닉 상태가 끊겨(detach) 오차가 한 단계에서 멈춥니다.",
)
class s2s_steps_detached(Parts):
    def decode(self, decoder_input, hidden):
        outputs = []
        for t in range(decoder_input.shape[1]):
            output, hidden = self.decoder(self.decoder_input_transform(decoder_input[:, t : t + 1]), hidden)
            hidden = hidden.detach()
            outputs.append(output)
        return torch.cat(outputs, dim=1)


@mistake(
    "Seq2SeqWithAttention",
    hint="The decoder's input was changed in place; the caller's tensor has to stay as it was.",
    ko="디코더 입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class s2s_input_in_place(Parts):
    def forward(self, encoder_input, decoder_input):
        output = super().forward(encoder_input, decoder_input)
        with torch.no_grad():
            decoder_input.zero_()
        return output


@mistake(
    "Seq2SeqWithAttention",
    hint="The output of an earlier call with the same shapes is returned again; compute it from the new inputs.",
    ko="모양이 같으면 예전 호출의 출력을 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class s2s_output_kept(Parts):
    def forward(self, encoder_input, decoder_input):
        key = (encoder_input.shape, decoder_input.shape, encoder_input.dtype)
        if getattr(self, "key", None) != key:
            self.key, self.output = key, super().forward(encoder_input, decoder_input)
        return self.output


@mistake(
    "Seq2SeqWithAttention",
    hint="The matrix of fc is kept from the first call, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 fc 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class s2s_matrix_cached(Parts):
    def beside(self, outputs, context):
        if not hasattr(self, "matrix"):
            self.matrix = self.fc.weight.clone()
        pairs = torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1)
        return F.linear(pairs, self.matrix.to(pairs.dtype), self.fc.bias)


@mistake(
    "Seq2SeqWithAttention",
    hint="Encoder and decoder are one and the same GRU; each has weights of its own.",
    ko="인코더와 디코더가 같은 GRU입니다. 저마다 자기 가중치가 있어야 합니다.",
)
class s2s_one_gru(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = self.decoder

    def read(self, encoder_input):
        return super().read(self.decoder_input_transform(encoder_input))


@right(
    "Seq2SeqWithAttention", why="an attention module of its own, the context repeated by repeat, other order of parts"
)
class s2s_own_attention(nn.Module):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        self.fc = nn.Linear(hidden_dim * 2, output_dim)
        self.decoder_input_transform = nn.Linear(input_dim, hidden_dim)
        self.attention = Additive(hidden_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim, num_layers=1, batch_first=True)
        self.encoder = nn.GRU(input_dim, hidden_dim, num_layers=1, batch_first=True)

    def forward(self, encoder_input, decoder_input):
        outputs, hidden = self.encoder(encoder_input)
        context, _ = self.attention(hidden.squeeze(0), outputs)
        answers, _ = self.decoder(self.decoder_input_transform(decoder_input), hidden)
        return self.fc(torch.cat((answers, context.unsqueeze(1).repeat(1, answers.size(1), 1)), dim=2))


@right("Seq2SeqWithAttention", why="the decoder step by step, the last output as the hidden state")
class s2s_step_by_step(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, state = self.encoder(encoder_input)
        context = self.attention(outputs[:, -1], outputs)[0].unsqueeze(1)
        answers = []
        for step in decoder_input.split(1, dim=1):
            output, state = self.decoder(self.decoder_input_transform(step), state)
            answers.append(self.fc(torch.cat([output, context], dim=-1)))
        return torch.cat(answers, dim=1)


@right("Seq2SeqWithAttention", why="GRUs without batch_first on transposed inputs: a result that is not contiguous")
class s2s_transposed(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)

    def forward(self, encoder_input, decoder_input):
        outputs, hidden = self.encoder(encoder_input.transpose(0, 1))
        context = self.attention(hidden[0], outputs.transpose(0, 1))[0]
        answers = self.decoder(self.decoder_input_transform(decoder_input.transpose(0, 1)), hidden)[0]
        return self.fc(torch.cat([answers, context.expand_as(answers)], dim=-1)).transpose(0, 1)


@right("Seq2SeqWithAttention", why="fc taken apart into its two halves and added")
class s2s_fc_in_halves(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        left, right_half = self.fc.weight.chunk(2, dim=1)
        return outputs @ left.T + (context @ right_half.T)[:, None] + self.fc.bias


@right("Seq2SeqWithAttention", why="GRU cells written out by hand in modules with the names of nn.GRU's parameters")
class s2s_gru_by_hand(nn.Module):
    class Recurrent(nn.Module):
        def __init__(self, size, hidden):
            super().__init__()
            for name, shape in (("weight_ih", (size,)), ("weight_hh", (hidden,)), ("bias_ih", ()), ("bias_hh", ())):
                setattr(self, f"{name}_l0", nn.Parameter(torch.randn(3 * hidden, *shape) / hidden))

        def forward(self, tokens, state):
            outputs = []
            for token in tokens.unbind(1):
                given = F.linear(token, self.weight_ih_l0, self.bias_ih_l0).chunk(3, dim=-1)
                kept = F.linear(state, self.weight_hh_l0, self.bias_hh_l0).chunk(3, dim=-1)
                reset, update = torch.sigmoid(given[0] + kept[0]), torch.sigmoid(given[1] + kept[1])
                fresh = torch.tanh(given[2] + reset * kept[2])
                state = (1 - update) * fresh + update * state
                outputs.append(state)
            return torch.stack(outputs, dim=1), state

    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        self.encoder = self.Recurrent(input_dim, hidden_dim)
        self.decoder = self.Recurrent(hidden_dim, hidden_dim)
        self.attention = Additive(hidden_dim)
        self.fc = nn.Linear(hidden_dim * 2, output_dim)
        self.decoder_input_transform = nn.Linear(input_dim, hidden_dim)

    def forward(self, encoder_input, decoder_input):
        start = encoder_input.new_zeros(len(encoder_input), self.fc.in_features // 2)
        outputs, state = self.encoder(encoder_input, start)
        context = self.attention(state, outputs)[0]
        answers, _ = self.decoder(self.decoder_input_transform(decoder_input), state)
        return self.fc(torch.cat([answers, context[:, None].expand_as(answers)], dim=-1))
