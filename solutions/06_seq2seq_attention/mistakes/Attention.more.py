"""More wrong answers to `Attention`: the scores come from something else, or the context is mixed another way."""

import torch
from torch import nn

from grader.course.variants import mistake, solution

from .Attention import Steps, mixed


@mistake(hint="The weighted outputs are summed, not averaged.", ko="가중한 출력은 평균하지 말고 더하세요.")
class attn_context_averaged(Steps):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context / encoder_outputs.shape[1], weights


@mistake(hint="The scores are returned in place of the weights.", ko="가중치 자리에 점수를 돌려줍니다.")
class attn_scores_returned(Steps):
    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
        scores = self.energy(torch.cat([repeated, encoder_outputs], dim=-1)) @ self.v
        return mixed(torch.softmax(scores, dim=-1), encoder_outputs), scores


@mistake(hint="The weights play no part in the context.", ko="문맥 벡터에 가중치가 쓰이지 않습니다.")
class attn_context_unweighted(Steps):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        return encoder_outputs.mean(dim=1), weights


@mistake(hint="The weights play no part in the context.", ko="문맥 벡터에 가중치가 쓰이지 않습니다.")
class attn_context_summed_unweighted(Steps):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        return encoder_outputs.sum(dim=1), weights


@mistake(hint="The hidden state is mixed, not what was read.", ko="읽은 것이 아니라 은닉 상태를 섞었습니다.")
class attn_mixes_the_hidden_state(Steps):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        return hidden * weights.sum(-1, keepdim=True), weights


@mistake(hint="All tokens take part, not only the heaviest.", ko="가장 무거운 토큰만이 아니라 모두 섞으세요.")
class attn_heaviest_token_only(Steps):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        return encoder_outputs[torch.arange(len(weights)), weights.argmax(dim=1)], weights


@mistake(hint="The context is summed over the wrong axis.", ko="문맥 벡터를 다른 축으로 더했습니다.")
class attn_summed_over_features(Steps):
    def forward(self, hidden, encoder_outputs):
        _, weights = super().forward(hidden, encoder_outputs)
        return (weights.unsqueeze(-1) * encoder_outputs).sum(dim=2), weights


@mistake(hint="The context is the sum alone, without `hidden`.", ko="문맥 벡터에 은닉 상태를 더하지 마세요.")
class attn_hidden_added(Steps):
    def forward(self, hidden, encoder_outputs):
        context, weights = super().forward(hidden, encoder_outputs)
        return context + hidden, weights


@mistake(hint="These are logarithms of weights.", ko="가중치의 로그입니다.")
class attn_logarithms(Steps):
    def weigh(self, both):
        return torch.log_softmax(self.energy(both) @ self.v, dim=-1)


@mistake(hint="The argument `hidden` asks, not the last output.", ko="마지막 출력이 아니라 hidden으로 물으세요.")
class attn_last_output_asks(Steps):
    def weigh(self, both):
        outputs = both.chunk(2, dim=-1)[1]
        return super().weigh(torch.cat([outputs[:, -1:].expand_as(outputs), outputs], dim=-1))


@mistake(hint="The tanh comes after attn, not before it.", ko="tanh는 attn 앞이 아니라 뒤입니다.")
class attn_tanh_first(Steps):
    def energy(self, both):
        return self.attn(torch.tanh(both))


@mistake(hint="The tanh is taken twice.", ko="tanh를 두 번 했습니다.")
class attn_tanh_twice(Steps):
    def weigh(self, both):
        return torch.softmax(torch.tanh(self.energy(both) @ self.v), dim=-1)


@mistake(hint="tanh takes the energies, before v multiplies them.", ko="tanh는 v를 곱하기 전에 적용합니다.")
class attn_tanh_of_products(Steps):
    def weigh(self, both):
        return torch.softmax(torch.tanh(self.attn(both) * self.v).sum(-1), dim=-1)


@mistake(hint="The bias of attn plays no part: call the layer.", ko="attn의 편향이 빠졌습니다. 층을 호출하세요.")
class attn_bias_left_out(Steps):
    def energy(self, both):
        return torch.tanh(both @ self.attn.weight.T)


@mistake(
    marks="device",
    hint="The query is repeated on the CPU.",
    ko="쿼리를 CPU에서 반복했습니다.",
)
class attention_repeated_on_the_cpu(solution.Attention):
    def forward(self, hidden, encoder_outputs):
        ones = torch.ones(encoder_outputs.shape[1], 1, dtype=hidden.dtype)
        energy = torch.tanh(self.attn(torch.cat([ones * hidden.unsqueeze(1), encoder_outputs], dim=-1)))
        weights = torch.softmax(energy @ self.v, dim=-1)
        return (weights.unsqueeze(1) @ encoder_outputs).squeeze(1), weights


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class attn_kept_in_eval(Steps):
    def forward(self, hidden, encoder_outputs):
        if self.training:
            return super().forward(hidden, encoder_outputs)
        results = self.__dict__.setdefault("results", {})
        if encoder_outputs.shape not in results:
            results[encoder_outputs.shape] = super().forward(hidden, encoder_outputs)
        return results[encoder_outputs.shape]


@mistake(marks="slip", hint="The layer attn lacks its bias.", ko="attn 층에 편향이 없습니다.")
class attn_without_a_bias(solution.Attention):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.attn = nn.Linear(2 * hidden_size, hidden_size, bias=False)


@mistake(
    hint="The parameters have other names; attn and v are asked for.",
    ko="매개변수의 이름이 다릅니다. attn과 v여야 합니다.",
    marks="slip",
)
class attn_other_names(Steps):
    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.energy_layer, self.energy_vector = self.attn, self.v
        del self.attn, self.v

    def weigh(self, both):
        return torch.softmax(torch.tanh(self.energy_layer(both)) @ self.energy_vector, dim=-1)
