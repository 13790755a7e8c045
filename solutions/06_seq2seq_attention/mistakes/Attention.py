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
    hint="The scores are divided by a root. That belongs to dot products; here the tanh keeps the size in bounds.",
    ko="점수를 제곱근으로 나누었습니다. 그것은 내적에 쓰는 방법이고, 여기서는 tanh가 크기를 지켜 줍니다.",
    marks="slip",
)
class attn_scaled(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v / math.sqrt(hidden.shape[-1])
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
    hint="The scores are returned and used as they are; a softmax has to turn them into weights.",
    ko="점수를 그대로 돌려주고 그대로 썼습니다. 소프트맥스로 가중치를 만들어야 합니다.",
)
class attn_no_softmax(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return answer(energy_of(self, hidden, encoder_outputs) @ self.v, encoder_outputs)


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
    marks="slip",
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
    hint="`squeeze()` without an axis takes away every axis of size one, also the batch with a single item.",
    ko="축을 정하지 않은 `squeeze()`는 항목이 하나인 배치 축까지 없앱니다.",
)
class attn_bare_squeeze(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.unsqueeze(1).squeeze(), weights


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
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class attn_extra_layer(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.out = nn.Linear(2 * hidden_size, hidden_size)


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
    hint="The weights that are returned are cut off (detach): a loss on them reaches no parameter.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다(detach). 가중치에 대한 손실이 매개변수에 닿지 않습니다.",
    marks="point",
)
class attn_weights_detached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context, weights.detach()


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
    hint="An axis was added to the caller's hidden state itself: use `unsqueeze` without the underscore.",
    ko="부른 쪽의 은닉 상태 자체에 축을 더했습니다. 밑줄이 없는 `unsqueeze`를 쓰세요.",
)
class attn_hidden_reshaped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        results = super().forward(hidden, encoder_outputs)
        hidden.unsqueeze_(1)
        return results


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
