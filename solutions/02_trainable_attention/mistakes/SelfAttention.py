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


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class both_not_scaled(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, 1)
        return weights @ v, weights


@mistake(
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class both_over_queries(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=-2)
        return weights @ v, weights


@mistake(
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
class both_queries_and_keys_swapped(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(k, q)
        return weights @ v, weights


@mistake(
    marks="slip",
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class both_keys_as_values(solution.SelfAttention):
    def forward(self, x):
        q, k, _v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights @ k, weights


@mistake(
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class both_weights_transposed(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights.transpose(-2, -1) @ v, weights


@mistake(
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
class both_mean_of_values(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.inf)
        return weights @ v, weights


@mistake(
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class both_without_softmax(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        return weights @ v, weights


@mistake(
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
class both_detached(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k).detach()
        return weights @ v, weights


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class both_into_float32(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v).float(), weigh(q, k).float()


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class both_by_library(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return F.scaled_dot_product_attention(q, k, v), weigh(q, k)


@mistake(
    hint="Some weights are dropped in evaluation; this module has no dropout.",
    ko="평가 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class both_drops_in_evaluation(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = F.dropout(weigh(q, k), 0.1, not self.training)
        return weights @ v, weights


@mistake(
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class both_input_in_place(solution.SelfAttention):
    def forward(self, x):
        results = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return results


@mistake(
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class both_extra_layer(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.out = nn.Linear(attention_dim, attention_dim)


@mistake(
    hint="Only the output is returned; the weights are asked for as well.",
    ko="출력만 돌려주었습니다. 가중치도 필요합니다.",
)
class both_output_only(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x)[0]


@mistake(
    marks="slip",
    hint="The two results stand in the wrong order: output first.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저입니다.",
)
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


@mistake(
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
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


@mistake(
    hint="The layers have no bias; nn.Linear's usual bias is asked for.",
    ko="층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class both_without_bias(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        nn.Module.__init__(self)
        self.q = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.k = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.v = nn.Linear(embedding_dim, attention_dim, bias=False)


@mistake(
    hint="A matrix of the first call is kept, so numbers that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class both_layer_cached(solution.SelfAttention):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.v.weight.clone()
        weights = weigh(self.q(x), self.k(x))
        return weights @ (x @ self.matrix.to(x.dtype).T + self.v.bias), weights


@mistake(
    hint="The biases are subtracted; a layer adds its bias. Call the layers.",
    ko="편향을 뺐습니다. 층은 편향을 더합니다. 층을 호출하세요.",
)
class both_bias_subtracted(solution.SelfAttention):
    def forward(self, x):
        q, k, v = (x @ layer.weight.T - layer.bias for layer in (self.q, self.k, self.v))
        return attend(q, k, v), weigh(q, k)
