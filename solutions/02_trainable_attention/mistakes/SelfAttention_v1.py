"""Wrong answers to `SelfAttention_v1`, each with the hint that a student with this answer gets."""

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
class v1_not_scaled(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, 1) @ v


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
class v1_by_the_size(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, k.shape[-1]) @ v


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.", marks="slip")
class v1_over_queries(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=-2) @ v


@mistake(
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
)
class v1_axes_counted_from_the_front(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=1) @ v


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
class v1_queries_and_keys_swapped(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(k, q) @ v


@mistake(marks="slip", hint="The keys are mixed instead of the values.", ko="값 대신 키를 섞었습니다.")
class v1_keys_as_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, _v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k) @ k


@mistake(
    marks="slip",
    hint="One matrix makes queries, keys and values; each role has its own.",
    ko="행렬 하나로 쿼리, 키, 값을 모두 만들었습니다. 역할마다 자기 행렬이 있습니다.",
)
class v1_one_matrix_in_all_roles(solution.SelfAttention_v1):
    def forward(self, x):
        projected = x @ self.W_query
        return weigh(projected, projected) @ projected


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
class v1_weights_transposed(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).transpose(-2, -1) @ v


@mistake(hint="Every token gets the mean of the values.", ko="모든 토큰이 값의 평균을 받습니다.", marks="trivial")
class v1_mean_of_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.inf) @ v


@mistake(hint="The softmax is missing: scores aren't weights.", ko="소프트맥스가 없습니다. 점수는 가중치가 아닙니다.")
class v1_without_softmax(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(hint="`squeeze` also removes axes of size 1 that you need.", ko="`squeeze`는 필요한 크기 1인 축도 없앱니다.")
class v1_squeezed(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q, k, v).squeeze()


@mistake(hint="With detach, queries and keys never learn.", ko="detach로 쿼리와 키를 배우지 못합니다.", marks="point")
class v1_detached(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).detach() @ v


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
class v1_into_float32(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q.float(), k.float(), v.float())


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class v1_by_library(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.scaled_dot_product_attention(q, k, v)


@mistake(
    marks="library",
    hint="The library does the attention; write it yourself.",
    ko="라이브러리 대신 직접 쓰세요.",
)
class v1_by_library_in_evaluation(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k) @ v if self.training else F.scaled_dot_product_attention(q, k, v)


@mistake(hint="Don't drop weights here.", ko="여기서는 가중치를 떨어뜨리지 마세요.")
class v1_drops_in_evaluation(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.dropout(weigh(q, k), 0.1, not self.training) @ v


@mistake(hint="The input is changed: make a new tensor.", ko="입력을 바꾸었습니다. 새 텐서를 만드세요.", marks="point")
class v1_input_in_place(solution.SelfAttention_v1):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return output


@mistake(
    marks="point",
    hint="Plain tensors are not parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Parameter.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다. nn.Parameter를 쓰세요.",
)
class v1_plain_tensors(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = torch.rand(d_in, d_out, requires_grad=True)
        self.W_key = torch.rand(d_in, d_out, requires_grad=True)
        self.W_value = torch.rand(d_in, d_out, requires_grad=True)

    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value)


@mistake(
    hint="Linear layers are the next exercise; here the matrices themselves are the parameters.",
    ko="선형 층은 다음 문제입니다. 여기서는 행렬 자체가 매개변수입니다.",
    marks="slip",
)
class v1_linear_layers(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), self.W_value(x))


@mistake(
    hint="All three names mean one matrix; each role has its own.",
    ko="세 이름이 한 행렬을 가리킵니다. 역할마다 자기 행렬이 있어야 합니다.",
)
class v1_one_matrix(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_key = self.W_value = self.W_query


@mistake(
    hint="torch.randn draws around 0; here torch.rand is asked for, from 0 to 1.",
    ko="torch.randn은 0 둘레에서 뽑습니다. 여기서는 0에서 1까지인 torch.rand가 필요합니다.",
)
class v1_drawn_by_randn(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))


@mistake(
    marks="point",
    hint="The class sets the seed: leave it to the caller.",
    ko="시드를 정하지 말고 부르는 쪽에 맡기세요.",
)
class v1_seeded(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        torch.manual_seed(123)
        super().__init__(d_in, d_out)


@mistake(hint="The first matrices are kept: training has no effect.", ko="처음 행렬을 간직해 학습이 효과가 없습니다.")
class v1_matrix_cached(solution.SelfAttention_v1):
    def forward(self, x):
        if not hasattr(self, "copies"):
            self.copies = [matrix.clone() for matrix in (self.W_query, self.W_key, self.W_value)]
        return attend(*(x @ matrix.to(x.dtype) for matrix in self.copies))


@mistake(hint="The keys play no part: W_key is needed.", ko="키가 쓰이지 않습니다. W_key가 필요합니다.")
class v1_queries_with_queries(solution.SelfAttention_v1):
    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_query, x @ self.W_value)


@mistake(hint="The values are x itself, not x @ W_value.", ko="값이 x @ W_value가 아니라 x입니다.")
class v1_tokens_as_values(solution.SelfAttention_v1):
    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x)


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
class v1_double_softmax(solution.SelfAttention_v1):
    def forward(self, x):
        return torch.softmax(weigh(x @ self.W_query, x @ self.W_key), dim=-1) @ (x @ self.W_value)


@mistake(hint="Later tokens are hidden. Here every token sees all.", ko="뒤 토큰을 가렸습니다. 여기서는 모두 봅니다.")
class v1_future_hidden(solution.SelfAttention_v1):
    def forward(self, x):
        weights = weigh(x @ self.W_query, x @ self.W_key).tril()
        return weights / weights.sum(-1, keepdim=True) @ (x @ self.W_value)


@mistake(hint="Items of the batch see each other: keep them apart.", ko="배치의 항목이 서로 봅니다. 따로 두세요.")
class v1_items_see_each_other(solution.SelfAttention_v1):
    def forward(self, x):
        return super().forward(x.flatten(0, -2)).view(*x.shape[:-1], -1)


@mistake(hint="`.T` turns all dimensions round: swap the last two.", ko="`.T` 대신 마지막 두 차원만 바꾸세요.")
class v1_all_dimensions_reversed(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    marks="device",
    hint="The divisor is a plain attribute that stays on the CPU; a number does.",
    ko="나누는 수가 CPU에 남는 일반 속성입니다. 그냥 수면 됩니다.",
)
class v1_divisor_on_the_cpu(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.roots = torch.full((d_out,), math.sqrt(d_out))

    def forward(self, x):
        roots = self.roots.to(x.dtype)
        scores = (x @ self.W_query / roots) @ (x @ self.W_key).mT
        return torch.softmax(scores, dim=-1) @ (x @ self.W_value)


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class v1_kept_in_eval(solution.SelfAttention_v1):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        results = self.__dict__.setdefault("results", {})
        if x.shape not in results:
            results[x.shape] = super().forward(x)
        return results[x.shape]


@mistake(
    hint="Nothing is dropped here, in training neither.",
    ko="여기서는 학습 중에도 아무것도 떨어뜨리지 않습니다.",
    marks="slip",
)
class v1_dropped_in_training(solution.SelfAttention_v1):
    def forward(self, x):
        return F.dropout(super().forward(x), 0.3, training=self.training)
