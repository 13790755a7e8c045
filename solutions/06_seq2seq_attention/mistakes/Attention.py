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


@helper
class Steps(solution.Attention):
    """The right answer in steps, of which a mistake replaces one."""

    def energy(self, both):
        return torch.tanh(self.attn(both))

    def weigh(self, both):
        return torch.softmax(self.energy(both) @ self.v, dim=-1)

    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        return answer(self.weigh(torch.cat([repeated, encoder_outputs], dim=-1)), encoder_outputs)


@mistake(hint="Without tanh the hidden state has no effect.", ko="tanh가 없어 은닉 상태가 무시됩니다.", marks="slip")
class attn_no_tanh(Steps):
    def energy(self, both):
        return self.attn(both)


@mistake(hint="The energy needs tanh; this cuts negatives off.", ko="tanh를 쓰세요. 음수가 잘립니다.")
class attn_relu(Steps):
    def energy(self, both):
        return torch.relu(self.attn(both))


@mistake(hint="Lay both tensors side by side before attn.", ko="두 텐서를 이어 붙여 attn에 넣으세요.")
class attn_product(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        asked, read = self.attn.weight.chunk(2, dim=1)
        energy = torch.tanh((hidden @ asked.T).unsqueeze(1) * (encoder_outputs @ read.T) + self.attn.bias)
        return answer(torch.softmax(energy @ self.v, dim=-1), encoder_outputs)


@mistake(hint="Take the softmax over tokens, not the batch.", ko="소프트맥스는 배치가 아니라 토큰 방향입니다.")
class attn_softmax_over_batch(Steps):
    def weigh(self, both):
        return torch.softmax(self.energy(both) @ self.v, dim=0)


@mistake(hint="The vector v plays no part.", ko="벡터 v가 쓰이지 않습니다.", marks="slip")
class attn_sum_instead_of_v(Steps):
    def weigh(self, both):
        return torch.softmax(self.energy(both).sum(-1), dim=-1)


@mistake(hint="Additive scores are not divided by a root.", ko="여기서는 제곱근으로 나누지 않습니다.", marks="slip")
class attn_scaled(Steps):
    def weigh(self, both):
        return torch.softmax(self.energy(both) @ self.v / math.sqrt(len(self.v)), dim=-1)


@mistake(
    hint="The hidden state stands in both halves, so every token gets the same weight: the second half is the output.",
    ko="두 절반에 모두 은닉 상태가 들어가 모든 토큰의 가중치가 같습니다. 둘째 절반은 인코더 출력입니다.",
    marks="trivial",
)
class attn_keys_ignored(Steps):
    def energy(self, both):
        hidden = both.chunk(2, dim=-1)[0]
        return torch.tanh(self.attn(torch.cat([hidden, hidden], dim=-1)))


@mistake(
    hint="The context is the plain mean of the encoder's outputs; the weights have to come from the scores.",
    ko="문맥 벡터가 인코더 출력의 단순 평균입니다. 가중치는 점수에서 나와야 합니다.",
    marks="trivial",
)
class attn_uniform(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        B, T, _ = encoder_outputs.shape
        return answer(encoder_outputs.new_full((B, T), 1 / T), encoder_outputs)


@mistake(hint="The hidden state plays no part.", ko="은닉 상태가 쓰이지 않습니다.", marks="slip")
class attn_query_ignored(Steps):
    def energy(self, both):
        outputs = both.chunk(2, dim=-1)[1]
        return torch.tanh(self.attn(torch.cat([outputs, outputs], dim=-1)))


@mistake(hint="Put the hidden state first, then the outputs.", ko="은닉 상태가 먼저, 출력이 다음입니다.", marks="slip")
class attn_halves_swapped(Steps):
    def energy(self, both):
        return torch.tanh(self.attn(torch.cat(both.chunk(2, dim=-1)[::-1], dim=-1)))


@mistake(hint="The softmax is missing: scores aren't weights.", ko="소프트맥스가 빠졌습니다.", marks="slip")
class attn_no_softmax(Steps):
    def weigh(self, both):
        return self.energy(both) @ self.v


@mistake(hint="Only the first 64 tokens are weighed; take all T.", ko="처음 64개만 씁니다. T개를 모두 쓰세요.")
class attn_of_64_tokens(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        scores[:, 64:] = float("-inf")
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(hint="The context comes first, then the weights.", ko="문맥 벡터가 먼저입니다.", marks="slip")
class attn_results_swapped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return weights, context


@mistake(hint="Only the context is returned; return both.", ko="가중치도 함께 돌려주세요.")
class attn_context_only(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        return super().forward(hidden, encoder_outputs)[0]


@mistake(hint="A bare `squeeze` also removes axes that you need.", ko="축 없는 `squeeze`는 필요한 축도 없앱니다.")
class attn_bare_squeeze(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.unsqueeze(1).squeeze(), weights


@mistake(hint="v itself has to be an nn.Parameter.", ko="v 자체가 nn.Parameter여야 합니다.")
class attn_plain_v(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = torch.rand(hidden_size)

    def forward(self, hidden, encoder_outputs):
        return answer(torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1), encoder_outputs)


@mistake(hint="There is a parameter or a layer too many.", ko="매개변수나 층이 더 있습니다.")
class attn_extra_layer(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.out = nn.Linear(2 * hidden_size, hidden_size)


@mistake(
    hint="In eval the scores are computed differently.",
    ko="eval에서 점수를 다르게 계산합니다.",
)
class attn_other_in_eval(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        factor = 1.0 if self.training else 2.0
        scores = energy_of(self, hidden, encoder_outputs) @ self.v * factor
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(hint="Always float32: keep the dtype of the inputs.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
class attn_always_float32(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.float(), weights.float()


@mistake(hint="The returned weights are cut off (detach).", ko="돌려준 가중치가 끊겼습니다(detach).", marks="point")
class attn_weights_detached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context, weights.detach()


@mistake(hint="The encoder's outputs are changed in place.", ko="인코더 출력을 바꾸었습니다.", marks="point")
class attn_outputs_in_place(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        with torch.no_grad():
            encoder_outputs *= weights.unsqueeze(-1)
        return context, weights


@mistake(hint="Use `unsqueeze`, not `unsqueeze_`.", ko="`unsqueeze_` 대신 `unsqueeze`를 쓰세요.")
class attn_hidden_reshaped(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        results = super().forward(hidden, encoder_outputs)
        hidden.unsqueeze_(1)
        return results


@mistake(hint="The first v is kept, so training has no effect.", ko="처음 v를 간직해 학습이 효과가 없습니다.")
class attn_v_cached(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        if not hasattr(self, "copy"):
            self.copy = self.v.clone()
        scores = energy_of(self, hidden, encoder_outputs) @ self.copy.to(hidden.dtype)
        return answer(torch.softmax(scores, dim=-1), encoder_outputs)


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class attn_by_library(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        scores = energy_of(self, hidden, encoder_outputs) @ self.v
        none = torch.zeros_like(encoder_outputs)
        context = F.scaled_dot_product_attention(none[:, :1], none, encoder_outputs, attn_mask=scores.unsqueeze(1))
        return context.squeeze(1), torch.softmax(scores, dim=-1)


@mistake(hint="The energy needs tanh, not a sigmoid.", ko="시그모이드가 아니라 tanh입니다.")
class attn_sigmoid_energy(Steps):
    def energy(self, both):
        return torch.sigmoid(self.attn(both))


@mistake(hint="The tanh comes before the product with v, not after it.", ko="tanh는 v와 곱하기 전에 합니다.")
class attn_tanh_after_v(Steps):
    def weigh(self, both):
        return torch.softmax(torch.tanh(self.attn(both) @ self.v), dim=-1)


@mistake(hint="The products with v are summed, not averaged.", ko="v와의 곱을 평균하지 말고 더하세요.")
class attn_mean_of_products(Steps):
    def weigh(self, both):
        return torch.softmax((self.energy(both) * self.v).mean(-1), dim=-1)


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
class attn_double_softmax(Steps):
    def weigh(self, both):
        return torch.softmax(super().weigh(both), dim=-1)


@mistake(hint="This is a sigmoid: the weights do not sum to 1.", ko="시그모이드라서 합이 1이 아닙니다.")
class attn_sigmoid_weights(Steps):
    def weigh(self, both):
        return torch.sigmoid(self.energy(both) @ self.v)


@mistake(hint="The softmax lacks its exponential.", ko="소프트맥스에 지수 함수가 빠졌습니다.")
class attn_without_exponential(Steps):
    def weigh(self, both):
        scores = self.energy(both) @ self.v
        return scores / scores.sum(-1, keepdim=True)


@mistake(hint="Each item has its own maximum.", ko="항목마다 최댓값이 따로 있습니다.", marks="point")
class attn_one_maximum(Steps):
    def weigh(self, both):
        powers = torch.exp(self.energy(both) @ self.v - (self.energy(both) @ self.v).max())
        return powers / powers.sum(-1, keepdim=True)


@mistake(hint="A score far above the mean overflows.", ko="평균보다 훨씬 큰 점수가 넘칩니다.", marks="point")
class attn_less_the_mean(Steps):
    def weigh(self, both):
        scores = self.energy(both) @ self.v
        powers = torch.exp(scores - scores.mean(-1, keepdim=True))
        return powers / powers.sum(-1, keepdim=True)


@mistake(hint="These are dot products; the scores come from attn and v.", ko="내적이 아니라 attn과 v로 구하세요.")
class attn_dot_products(Steps):
    def weigh(self, both):
        hidden, outputs = both.chunk(2, dim=-1)
        return torch.softmax((hidden * outputs).sum(-1), dim=-1)


@mistake(hint="The context has the shape (B, h).", ko="문맥 벡터의 모양은 (B, h)입니다.")
class attn_context_with_axis(Steps):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context.unsqueeze(1), weights


@mistake(hint="The weights have the shape (B, T).", ko="가중치의 모양은 (B, T)입니다.")
class attn_weights_with_axis(Steps):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context, weights.unsqueeze(1)


@mistake(hint="Mix the encoder's outputs, not the energies.", ko="energy가 아니라 인코더 출력을 섞으세요.")
class attn_mixes_energies(Steps):
    def forward(self, hidden, encoder_outputs):
        weights = super().forward(hidden, encoder_outputs)[1]
        return answer(weights, energy_of(self, hidden, encoder_outputs))[0], weights
