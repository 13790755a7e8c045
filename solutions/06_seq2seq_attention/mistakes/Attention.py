"""Wrong answers to `Attention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


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
    hint="The energy went through another function than tanh: it cuts off what is negative.",
    ko="energy에 tanh가 아닌 함수를 썼습니다. 음수가 잘려 나갑니다.",
)
class attn_relu(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.relu(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    hint="The energy went through another function than tanh: its values lie between 0 and 1.",
    ko="energy에 tanh가 아닌 함수를 썼습니다. 값이 0과 1 사이에 있습니다.",
)
class attn_sigmoid(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.sigmoid(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    hint="The tanh comes after the product with v; it belongs on the energy, before v.",
    ko="tanh가 v와의 곱 다음에 있습니다. v를 곱하기 전의 energy에 걸어야 합니다.",
)
class attn_tanh_after_v(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        scores = torch.tanh(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)) @ self.v)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    hint="The halves of attn are multiplied with each other; the layer takes both tensors laid side by side.",
    ko="attn의 두 절반을 서로 곱했습니다. 두 텐서를 나란히 이어 붙여 층에 넣어야 합니다.",
)
class attn_product(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        asked, read = self.attn.weight.chunk(2, dim=1)
        energy = torch.tanh((hidden @ asked.T).unsqueeze(1) * (encoder_outputs @ read.T) + self.attn.bias)
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    hint="The softmax runs over the items of the batch; the weights of one item must sum to 1 over its tokens.",
    ko="소프트맥스가 배치 항목 방향입니다. 한 항목의 가중치가 토큰 방향으로 합해 1이어야 합니다.",
)
class attn_softmax_over_batch(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return answer(torch.softmax(scores, dim=0), encoder_outputs)


@mistake(
    hint="The vector v takes no part: every feature of the energy counts the same.",
    ko="벡터 v가 쓰이지 않습니다. energy의 모든 특징이 똑같이 더해집니다.",
    marks="slip",
)
class attn_sum_instead_of_v(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs).sum(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    hint="Each score goes through a sigmoid by itself; the weights are a softmax over all tokens.",
    ko="점수마다 시그모이드를 씌웠습니다. 가중치는 모든 토큰에 대한 소프트맥스입니다.",
)
class attn_sigmoid_weights(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return answer(torch.sigmoid(energy_of(self, hidden, encoder_outputs) @ self.v), encoder_outputs)


@mistake(
    hint="The weights are logarithms (log_softmax); softmax is asked for.",
    ko="가중치가 로그값(log_softmax)입니다. softmax여야 합니다.",
)
class attn_log_softmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return answer(torch.log_softmax(scores, dim=-1), encoder_outputs)


@mistake(
    hint="The context is divided by the number of tokens (a mean); the weights sum to 1 already.",
    ko="문맥 벡터를 토큰 수로 나누었습니다(평균). 가중치의 합이 이미 1입니다.",
)
class attn_mean_of_the_weighted(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context / encoder_outputs.shape[1], weights


@mistake(
    hint="The last encoder output is left out; all tokens are weighed.",
    ko="인코더의 마지막 출력이 빠졌습니다. 모든 토큰에 가중치를 줍니다.",
)
class attn_last_token_missing(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden, encoder_outputs[:, :-1])


@mistake(
    hint="The softmax runs over the features of the energy; first v makes one score of them, then the tokens compete.",
    ko="소프트맥스를 에너지의 특징 방향으로 했습니다. v로 점수 하나를 만든 뒤 토큰 방향으로 하세요.",
)
class attn_softmax_over_features(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        energy = torch.softmax(energy_of(self, hidden, encoder_outputs), dim=-1)
        return answer(energy @ self.v, encoder_outputs)


@mistake(
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
    hint="The scores are divided by a root. That belongs to dot products; here the tanh keeps the size in bounds.",
    ko="점수를 제곱근으로 나누었습니다. 그것은 내적에 쓰는 방법이고, 여기서는 tanh가 크기를 지켜 줍니다.",
    marks="slip",
)
class attn_scaled(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v / math.sqrt(hidden.shape[-1])
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    hint="The score is the mean of v * energy over the features; it has to be the sum.",
    ko="점수가 v * energy의 평균입니다. 합이어야 합니다.",
)
class attn_mean_over_features(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = (self.v * energy_of(self, hidden, encoder_outputs)).mean(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
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
    hint="The hidden state takes no part: the encoder's outputs stand in both halves.",
    ko="은닉 상태가 쓰이지 않습니다. 두 절반에 모두 인코더 출력이 들어갔습니다.",
    marks="trivial",
)
class attn_query_ignored(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        energy = torch.tanh(self.attn(torch.cat([encoder_outputs, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
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
    hint="These are dot products of the hidden state with the outputs; the layer attn and v take no part.",
    ko="은닉 상태와 인코더 출력의 내적입니다. attn 층과 v가 쓰이지 않습니다.",
)
class attn_dot_product(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = (encoder_outputs @ hidden.unsqueeze(-1)).squeeze(-1)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    hint="The context mixes the energies; it has to mix the encoder's outputs.",
    ko="문맥 벡터가 energy를 섞었습니다. 인코더 출력을 섞어야 합니다.",
)
class attn_mixes_energy(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        energy = energy_of(self, hidden, encoder_outputs)
        weights = torch.softmax(energy @ self.v, dim=-1)
        return mixed(weights, energy), weights


@mistake(
    hint="The context mixes copies of the hidden state, which gives it back; it has to mix the encoder's outputs.",
    ko="문맥 벡터가 은닉 상태의 사본을 섞어 은닉 상태가 그대로 나옵니다. 인코더 출력을 섞어야 합니다.",
)
class attn_mixes_hidden(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        return mixed(weights, hidden.unsqueeze(1).expand_as(encoder_outputs)), weights


@mistake(
    hint="The scores are returned and used as they are; a softmax has to turn them into weights.",
    ko="점수를 그대로 돌려주고 그대로 썼습니다. 소프트맥스로 가중치를 만들어야 합니다.",
)
class attn_no_softmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return answer(energy_of(self, hidden, encoder_outputs) @ self.v, encoder_outputs)


@mistake(
    hint="The scores are returned in place of the weights: return what the softmax gives.",
    ko="가중치 자리에 점수를 돌려줍니다. 소프트맥스의 결과를 돌려주세요.",
)
class attn_returns_scores(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return mixed(torch.softmax(scores, dim=-1), encoder_outputs), scores


@mistake(
    hint="The softmax is taken twice, which makes the weights nearly equal.",
    ko="소프트맥스를 두 번 해서 가중치가 거의 같아집니다.",
)
class attn_softmax_twice(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        weights = torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1)
        return answer(torch.softmax(weights, dim=-1), encoder_outputs)


@mistake(
    hint="Only the first 64 tokens are weighed; T may be any number.",
    ko="처음 64개의 토큰에만 가중치를 줍니다. T는 어떤 수든 될 수 있습니다.",
)
class attn_of_64_tokens(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        scores[:, 64:] = float("-inf")
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    hint="The largest score of the whole batch is taken away; every item needs its own, or its weights are NaN.",
    ko="배치 전체의 최댓값을 뺐습니다. 항목마다 자기 최댓값을 빼야 합니다. 그렇지 않으면 NaN이 나옵니다.",
)
class attn_largest_of_the_batch(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        powers = (scores - scores.max()).exp()
        return answer(powers / powers.sum(dim=-1, keepdim=True), encoder_outputs)


@mistake(
    hint="Only the highest score counts (argmax): that is no mixture, and no gradient goes through it.",
    ko="가장 큰 점수만 남깁니다(argmax). 섞는 것이 아니고 그래디언트도 흐르지 않습니다.",
)
class attn_argmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        weights = F.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)
        return answer(weights, encoder_outputs)


@mistake(
    hint="The two results are returned in the wrong order: the context comes first.",
    ko="두 결과의 순서가 바뀌었습니다. 문맥 벡터가 먼저입니다.",
)
class attn_results_swapped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return weights, context


@mistake(
    hint="Only the context is returned; return the weights as well.",
    ko="문맥 벡터만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
class attn_context_only(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden, encoder_outputs)[0]


@mistake(
    hint="The context still has an axis of size one in the middle: (B, 1, h). Take it away.",
    ko="문맥 벡터에 크기 1인 축이 남아 있습니다: (B, 1, h). 없애세요.",
)
class attn_context_with_axis(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.unsqueeze(1), weights


@mistake(
    hint="The weights still have an axis of size one at the end: (B, T, 1). Take it away.",
    ko="가중치 끝에 크기 1인 축이 남아 있습니다: (B, T, 1). 없애세요.",
)
class attn_weights_with_axis(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context, weights.unsqueeze(-1)


@mistake(
    hint="`squeeze()` without an axis takes away every axis of size one, also the batch with a single item.",
    ko="축을 정하지 않은 `squeeze()`는 항목이 하나인 배치 축까지 없앱니다.",
)
class attn_bare_squeeze(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.unsqueeze(1).squeeze(), weights


@mistake(
    hint="Both results go through `squeeze()` without an axis, which takes away the batch of a single item as well.",
    ko="두 결과에 축을 정하지 않은 `squeeze()`를 써서 항목이 하나인 배치 축까지 없앱니다.",
)
class attn_bare_squeeze_of_both(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.squeeze(), weights.squeeze()


@mistake(
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
    hint="`view` refuses a tensor that does not lie in order in memory; `reshape` takes any.",
    ko="`view`는 메모리에서 연속적이지 않은 텐서를 받지 않습니다. `reshape`는 무엇이든 받습니다.",
)
class attn_by_view(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        h = encoder_outputs.shape[-1]
        return super().forward(hidden, encoder_outputs.view(-1, h).view(encoder_outputs.shape))


@mistake(
    hint="The first item's hidden state asks for all items.",
    ko="첫 항목의 은닉 상태를 모든 항목에 썼습니다.",
)
class attn_first_hidden(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden[:1].expand_as(hidden), encoder_outputs)


@mistake(
    hint="The axes of batch and tokens are taken for each other.",
    ko="배치 축과 토큰 축을 서로 바꾸어 생각했습니다.",
)
class attn_batch_second(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(0).expand_as(encoder_outputs)
        energy = torch.tanh(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
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
    hint="The layer attn has no bias; nn.Linear's usual bias is asked for.",
    ko="attn 층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class attn_without_bias(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.attn = nn.Linear(2 * hidden_size, hidden_size, bias=False)


@mistake(
    hint="The bias of attn is there, but it is left out of the energy.",
    ko="attn의 편향이 있지만 energy에 더하지 않았습니다.",
)
class attn_bias_unused(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        energy = torch.tanh(torch.cat([repeated, encoder_outputs], dim=-1) @ self.attn.weight.T)
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class attn_extra_layer(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.out = nn.Linear(2 * hidden_size, hidden_size)


@mistake(
    hint="Something is dropped in training; this module has no dropout.",
    ko="학습 중에 무언가를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class attn_with_dropout(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        weights = torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1)
        return answer(F.dropout(weights, 0.1, self.training), encoder_outputs)


@mistake(
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
    hint="The results are always float32; keep the dtype of the inputs.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class attn_always_float32(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.float(), weights.float()


@mistake(
    hint="The scores are cut off from the graph (detach, no_grad), so attn and v never learn.",
    ko="점수가 계산 그래프에서 끊겨(detach, no_grad) attn과 v가 학습되지 않습니다.",
)
class attn_scores_detached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        with torch.no_grad():
            scores = energy_of(self, hidden, encoder_outputs) @ self.v
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
    hint="The weights that are returned are cut off (detach): a loss on them reaches no parameter.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다(detach). 가중치에 대한 손실이 매개변수에 닿지 않습니다.",
    marks="point",
)
class attn_weights_detached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context, weights.detach()


@mistake(
    hint="In eval the results are cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class attn_detached_in_eval(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden if self.training else hidden.detach(), encoder_outputs)


@mistake(
    hint="The softmax has a small number added to its sum. Where all scores are far below zero it swallows the weights.",
    ko="소프트맥스의 분모에 작은 수를 더했습니다. 모든 점수가 아주 작으면 그 수가 가중치를 삼켜 버립니다.",
)
class attn_eps_in_softmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        exponentials = (energy_of(self, hidden, encoder_outputs) @ self.v).exp()
        weights = exponentials / (exponentials.sum(-1, keepdim=True) + 1e-9)
        return answer(weights, encoder_outputs)


@mistake(
    hint="Scores above a bound were cut down to it, so large scores all look alike. Subtract the largest instead.",
    ko="큰 점수를 한계값으로 잘라 서로 구별되지 않습니다. 자르지 말고 최댓값을 빼세요.",
)
class attn_clamped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = (energy_of(self, hidden, encoder_outputs) @ self.v).clamp(-20, 20)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(
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
    hint="The encoder's outputs are multiplied in place (*=); the caller's tensor has to stay as it was.",
    ko="인코더 출력을 제자리에서 곱했습니다(*=). 부른 쪽의 텐서는 그대로여야 합니다.",
)
class attn_outputs_plainly_in_place(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        encoder_outputs *= weights.unsqueeze(-1)
        return encoder_outputs.sum(dim=1), weights


@mistake(
    hint="An axis was added to the caller's hidden state itself: use `unsqueeze` without the underscore.",
    ko="부른 쪽의 은닉 상태 자체에 축을 더했습니다. 밑줄이 없는 `unsqueeze`를 쓰세요.",
)
class attn_hidden_reshaped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        results = super().forward(hidden, encoder_outputs)
        hidden.unsqueeze_(1)
        return results


@mistake(
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
    hint="The number of tokens of the first call is kept and used for all later ones.",
    ko="첫 호출의 토큰 수를 간직해 두고 뒤의 호출에도 씁니다.",
    unnamed="Only a part of what is computed is old, so the numbers look like those of any wrong answer.",
)
class attn_length_kept(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        self.length = getattr(self, "length", encoder_outputs.shape[1])
        return super().forward(hidden, encoder_outputs[:, : self.length])


@mistake(
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
