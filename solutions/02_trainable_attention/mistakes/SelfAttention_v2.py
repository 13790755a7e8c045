"""Wrong answers to `SelfAttention_v2`, each with the hint that a student with this answer gets."""

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
class v2_not_scaled(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, 1) @ v


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
class v2_by_the_size(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, k.shape[-1]) @ v


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.", marks="slip")
class v2_over_queries(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=-2) @ v


@mistake(
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
)
class v2_axes_counted_from_the_front(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=1) @ v


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
class v2_queries_and_keys_swapped(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(k, q) @ v


@mistake(marks="slip", hint="The keys are mixed instead of the values.", ko="값 대신 키를 섞었습니다.")
class v2_keys_as_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, _v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k) @ k


@mistake(
    marks="slip",
    hint="One layer makes queries, keys and values; each role has its own.",
    ko="층 하나로 쿼리, 키, 값을 모두 만들었습니다. 역할마다 자기 층이 있습니다.",
)
class v2_one_layer_in_all_roles(solution.SelfAttention_v2):
    def forward(self, x):
        projected = self.W_value(x)
        return weigh(projected, projected) @ projected


@mistake(hint="Every token gets the mean of the values.", ko="모든 토큰이 값의 평균을 받습니다.", marks="trivial")
class v2_mean_of_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.inf) @ v


@mistake(hint="The softmax is missing: scores aren't weights.", ko="소프트맥스가 없습니다. 점수는 가중치가 아닙니다.")
class v2_without_softmax(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(hint="`squeeze` also removes axes of size 1 that you need.", ko="`squeeze`는 필요한 크기 1인 축도 없앱니다.")
class v2_squeezed(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v).squeeze()


@mistake(hint="With detach, queries and keys never learn.", ko="detach로 쿼리와 키를 배우지 못합니다.", marks="point")
class v2_detached(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k).detach() @ v


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
class v2_into_float32(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q.float(), k.float(), v.float())


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class v2_by_library(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.scaled_dot_product_attention(q, k, v)


@mistake(hint="Don't drop weights here.", ko="여기서는 가중치를 떨어뜨리지 마세요.")
class v2_drops_in_evaluation(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.dropout(weigh(q, k), 0.1, not self.training) @ v


@mistake(hint="The input is changed: make a new tensor.", ko="입력을 바꾸었습니다. 새 텐서를 만드세요.", marks="point")
class v2_input_in_place(solution.SelfAttention_v2):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return output


@mistake(hint="The layers never have a bias: pass qkv_bias on.", ko="층에 편향이 없습니다. qkv_bias를 넘기세요.")
class v2_bias_never(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out)


@mistake(
    hint="A linear layer stores its matrix as (d_out, d_in); call the layer instead of multiplying by its weight.",
    ko="선형 층은 행렬을 (d_out, d_in)으로 둡니다. 가중치를 곱하지 말고 층을 호출하세요.",
)
class v2_weights_transposed_again(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(*(x @ layer.weight for layer in (self.W_query, self.W_key, self.W_value)))


@mistake(
    hint="The layers have other names; W_query, W_key and W_value are asked for.",
    ko="층의 이름이 다릅니다. W_query, W_key, W_value여야 합니다.",
    marks="slip",
)
class v2_other_names(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        return attend(self.q(x), self.k(x), self.v(x))


@mistake(
    marks="point",
    hint="The class sets the seed: leave it to the caller.",
    ko="시드를 정하지 말고 부르는 쪽에 맡기세요.",
)
class v2_seeded(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        torch.manual_seed(123)
        super().__init__(d_in, d_out, qkv_bias)


@mistake(hint="The first matrix is kept, so training has no effect.", ko="처음 행렬을 간직해 학습이 효과가 없습니다.")
class v2_layer_cached(solution.SelfAttention_v2):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.W_value.weight.clone()
        bias = 0 if self.W_value.bias is None else self.W_value.bias
        return attend(self.W_query(x), self.W_key(x), x @ self.matrix.to(x.dtype).T + bias)


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
class v2_without_a_shift(solution.SelfAttention_v2):
    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ self.W_value(x)


@mistake(hint="The biases are subtracted. Call the layers.", ko="편향을 뺐습니다. 층을 호출하세요.")
class v2_bias_subtracted(solution.SelfAttention_v2):
    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        return attend(*(x @ layer.weight.T - (0 if layer.bias is None else layer.bias) for layer in layers))


@mistake(hint="Divide the scores by the root, not the values.", ko="값이 아니라 점수를 나누세요.")
class v2_values_divided(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), self.W_value(x), 1) / math.sqrt(self.W_key.out_features)


@mistake(hint="The queries are where the values belong.", ko="값의 자리에 쿼리를 썼습니다.")
class v2_queries_as_values(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), self.W_query(x))


@mistake(hint="Queries and keys share a layer; each needs its own.", ko="쿼리와 키에 층이 하나씩 필요합니다.")
class v2_keys_with_keys(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_key(x), self.W_key(x), self.W_value(x))


@mistake(hint="Queries and keys share a layer; each needs its own.", ko="쿼리와 키에 층이 하나씩 필요합니다.")
class v2_queries_with_queries(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_query(x), self.W_query(x), self.W_value(x))


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
class v2_double_softmax(solution.SelfAttention_v2):
    def forward(self, x):
        return torch.softmax(weigh(self.W_query(x), self.W_key(x)), dim=-1) @ self.W_value(x)


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
class v2_weights_transposed(solution.SelfAttention_v2):
    def forward(self, x):
        return weigh(self.W_query(x), self.W_key(x)).mT @ self.W_value(x)


@mistake(hint="Later tokens are hidden. Here every token sees all.", ko="뒤 토큰을 가렸습니다. 여기서는 모두 봅니다.")
class v2_future_hidden(solution.SelfAttention_v2):
    def forward(self, x):
        weights = weigh(self.W_query(x), self.W_key(x)).tril()
        return weights / weights.sum(-1, keepdim=True) @ self.W_value(x)


@mistake(hint="Items of the batch see each other: keep them apart.", ko="배치의 항목이 서로 봅니다. 따로 두세요.")
class v2_items_see_each_other(solution.SelfAttention_v2):
    def forward(self, x):
        return super().forward(x.flatten(0, -2)).view(*x.shape[:-1], -1)


@mistake(hint="The softmax lacks its exponential.", ko="소프트맥스에 지수 함수가 빠졌습니다.")
class v2_without_exponential(solution.SelfAttention_v2):
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT
        return scores / scores.sum(-1, keepdim=True) @ self.W_value(x)


@mistake(
    marks="device",
    hint="The output is moved to the CPU.",
    ko="출력을 CPU로 옮겼습니다.",
)
class v2_output_on_the_cpu(solution.SelfAttention_v2):
    def forward(self, x):
        return super().forward(x).cpu()


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class v2_kept_in_eval(solution.SelfAttention_v2):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        results = self.__dict__.setdefault("results", {})
        if x.shape not in results:
            results[x.shape] = super().forward(x)
        return results[x.shape]
