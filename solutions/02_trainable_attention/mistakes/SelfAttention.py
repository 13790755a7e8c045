"""Wrong answers to `SelfAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


@helper
def attend(queries, keys, values, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim) @ values


@helper
def weigh(queries, keys, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim)


@mistake(hint="Divide scores by the root of the key size.", ko="점수를 키 크기의 제곱근으로 나누세요.", marks="slip")
class both_not_scaled(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, 1)
        return weights @ v, weights


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
class both_by_the_size(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, k.shape[-1])
        return weights @ v, weights


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.", marks="slip")
class both_over_queries(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=-2)
        return weights @ v, weights


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
class both_queries_and_keys_swapped(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(k, q)
        return weights @ v, weights


@mistake(marks="slip", hint="The keys are mixed instead of the values.", ko="값 대신 키를 섞었습니다.")
class both_keys_as_values(solution.SelfAttention):
    def forward(self, x):
        q, k, _v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights @ k, weights


@mistake(
    marks="slip",
    hint="One layer makes queries, keys and values; each role has its own.",
    ko="층 하나로 쿼리, 키, 값을 모두 만들었습니다. 역할마다 자기 층이 있습니다.",
)
class both_one_layer_in_all_roles(solution.SelfAttention):
    def forward(self, x):
        projected = self.q(x)
        weights = weigh(projected, projected)
        return weights @ projected, weights


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
class both_weights_transposed(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights.transpose(-2, -1) @ v, weights


@mistake(hint="Every token gets the mean of the values.", ko="모든 토큰이 값의 평균을 받습니다.", marks="trivial")
class both_mean_of_values(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.inf)
        return weights @ v, weights


@mistake(hint="The softmax is missing: scores aren't weights.", ko="소프트맥스가 없습니다. 점수는 가중치가 아닙니다.")
class both_without_softmax(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        return weights @ v, weights


@mistake(hint="With detach, queries and keys never learn.", ko="detach로 쿼리와 키를 배우지 못합니다.", marks="point")
class both_detached(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k).detach()
        return weights @ v, weights


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
class both_into_float32(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v).float(), weigh(q, k).float()


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class both_by_library(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return F.scaled_dot_product_attention(q, k, v), weigh(q, k)


@mistake(hint="Don't drop weights here.", ko="여기서는 가중치를 떨어뜨리지 마세요.")
class both_drops_in_evaluation(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = F.dropout(weigh(q, k), 0.1, not self.training)
        return weights @ v, weights


@mistake(hint="The input is changed: make a new tensor.", ko="입력을 바꾸었습니다. 새 텐서를 만드세요.", marks="point")
class both_input_in_place(solution.SelfAttention):
    def forward(self, x):
        results = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return results


@mistake(hint="There is a parameter or a layer too many.", ko="매개변수나 층이 더 있습니다.")
class both_extra_layer(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.out = nn.Linear(attention_dim, attention_dim)


@mistake(hint="Only the output is returned; return both.", ko="출력만 돌려주었습니다. 가중치도 필요합니다.")
class both_output_only(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x)[0]


@mistake(marks="slip", hint="The output comes first, then the weights.", ko="출력이 먼저이고 가중치가 다음입니다.")
class both_weights_first(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return weights, output


@mistake(
    hint="The second result holds the scores; the weights that made the output are asked for.",
    ko="둘째 결과가 점수입니다. 출력을 만든 가중치가 필요합니다.",
)
class both_scores_for_weights(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v), q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
class both_without_a_shift(solution.SelfAttention):
    def forward(self, x):
        queries, keys = self.q(x), self.k(x)
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ self.v(x), weights


@mistake(
    hint="A batch axis is taken for granted; (T, embedding_dim) has to work as well.",
    ko="배치 축이 있다고 여겼습니다. (T, embedding_dim)도 되어야 합니다.",
)
class both_needs_a_batch(solution.SelfAttention):
    def forward(self, x):
        _B, _T, _embedding_dim = x.shape
        return super().forward(x)


@mistake(
    hint="Without a batch the results got a batch axis; take it away again.",
    ko="배치가 없을 때 결과에 배치 축이 생겼습니다. 다시 없애세요.",
)
class both_batch_axis_added(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x if x.dim() == 3 else x.unsqueeze(0))


@mistake(hint="The layers lack nn.Linear's usual bias.", ko="층에 nn.Linear의 편향이 없습니다.")
class both_without_bias(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        nn.Module.__init__(self)
        self.q = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.k = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.v = nn.Linear(embedding_dim, attention_dim, bias=False)


@mistake(hint="The first matrix is kept, so training has no effect.", ko="처음 행렬을 간직해 학습이 효과가 없습니다.")
class both_layer_cached(solution.SelfAttention):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.v.weight.clone()
        weights = weigh(self.q(x), self.k(x))
        return weights @ (x @ self.matrix.to(x.dtype).T + self.v.bias), weights


@mistake(hint="The biases are subtracted. Call the layers.", ko="편향을 뺐습니다. 층을 호출하세요.")
class both_bias_subtracted(solution.SelfAttention):
    def forward(self, x):
        q, k, v = (x @ layer.weight.T - layer.bias for layer in (self.q, self.k, self.v))
        return attend(q, k, v), weigh(q, k)


@mistake(hint="Divide the scores by the root, not the values.", ko="값이 아니라 점수를 나누세요.")
class both_values_divided(solution.SelfAttention):
    def forward(self, x):
        weights = weigh(self.q(x), self.k(x), 1)
        return weights @ self.v(x) / math.sqrt(self.v.out_features), weights


@mistake(hint="Queries and keys share a layer; each needs its own.", ko="쿼리와 키에 층이 하나씩 필요합니다.")
class both_queries_with_queries(solution.SelfAttention):
    def forward(self, x):
        weights = weigh(self.q(x), self.q(x))
        return weights @ self.v(x), weights


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
class both_double_softmax(solution.SelfAttention):
    def forward(self, x):
        weights = torch.softmax(weigh(self.q(x), self.k(x)), dim=-1)
        return weights @ self.v(x), weights


@mistake(hint="Later tokens are hidden. Here every token sees all.", ko="뒤 토큰을 가렸습니다. 여기서는 모두 봅니다.")
class both_future_hidden(solution.SelfAttention):
    def forward(self, x):
        weights = weigh(self.q(x), self.k(x)).tril()
        weights = weights / weights.sum(-1, keepdim=True)
        return weights @ self.v(x), weights


@mistake(hint="The returned weights are transposed: rows are queries.", ko="돌려준 가중치의 행이 쿼리여야 합니다.")
class both_weights_returned_transposed(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.mT


@mistake(hint="Take the softmax over the keys, not dimension 0.", ko="0번 차원이 아니라 키 방향으로 하세요.")
class both_over_the_first_axis(solution.SelfAttention):
    def forward(self, x):
        weights = weigh(self.q(x), self.k(x), dim=0)
        return weights @ self.v(x), weights


@mistake(
    marks="device",
    hint="The weights are moved to the CPU.",
    ko="가중치를 CPU로 옮겼습니다.",
)
class module_weights_on_the_cpu(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.cpu()


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class both_kept_in_eval(solution.SelfAttention):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        results = self.__dict__.setdefault("results", {})
        if x.shape not in results:
            results[x.shape] = super().forward(x)
        return results[x.shape]


@mistake(hint="In evaluation nothing differs from training.", ko="평가에서도 학습과 똑같이 계산합니다.", marks="point")
class both_sharper_in_eval(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, None if self.training else 1)
        return weights @ v, weights


@mistake(
    marks="slip",
    hint="Only the output is returned; return the weights too, behind a comma.",
    ko="출력만 반환했습니다. 쉼표 뒤에 가중치도 반환하세요.",
)
class both_output_alone(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x)[0]
