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


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class v1_not_scaled(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, 1) @ v


@mistake(
    marks="slip",
    hint="The scores are divided by the key size itself; divide by its root.",
    ko="점수를 키 차원으로 나누었습니다. 그 제곱근으로 나누세요.",
)
class v1_by_key_size(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, k.shape[-1]) @ v


@mistake(
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
class v1_multiplied(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, k.shape[-1] ** -0.5) @ v


@mistake(
    hint="This is the root of the size of a token; the vectors that meet have the size of a key.",
    ko="토큰 크기의 제곱근입니다. 서로 만나는 벡터는 키의 크기를 가집니다.",
)
class v1_by_root_of_features(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.sqrt(x.shape[-1])) @ v


@mistake(
    hint="This is the root of the number of tokens; take that of the key size.",
    ko="토큰 개수의 제곱근입니다. 키 차원의 제곱근을 쓰세요.",
)
class v1_by_root_of_tokens(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.sqrt(x.shape[-2])) @ v


@mistake(
    hint="The root was cut to a whole number.",
    ko="제곱근을 정수로 잘랐습니다.",
)
class v1_by_integer_root(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.isqrt(k.shape[-1])) @ v


@mistake(
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class v1_over_queries(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=-2) @ v


@mistake(
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
    twins=(
        "v1_over_queries",
        "v1_axes_counted_from_the_front",
    ),
)
class v1_over_first_axis(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=0) @ v


@mistake(
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
    twins=("v1_over_queries",),
)
class v1_axes_counted_from_the_front(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=1) @ v


@mistake(
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
class v1_queries_and_keys_swapped(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(k, q) @ v


@mistake(
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
class v1_keys_only(solution.SelfAttention_v1):
    def forward(self, x):
        _q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(k, k) @ v


@mistake(
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
class v1_queries_only(solution.SelfAttention_v1):
    def forward(self, x):
        q, _k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, q) @ v


@mistake(
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class v1_keys_as_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, _v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k) @ k


@mistake(
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
class v1_tokens_as_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, _v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k) @ x


@mistake(
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class v1_weights_transposed(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).transpose(-2, -1) @ v


@mistake(
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
class v1_mean_of_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.inf) @ v


@mistake(
    hint="The values are divided by the root; it belongs to the scores.",
    ko="값을 제곱근으로 나누었습니다. 점수를 나누어야 합니다.",
)
class v1_values_scaled(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, 1) @ (v / math.sqrt(k.shape[-1]))


@mistake(
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
class v1_softmax_twice(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(weigh(q, k), dim=-1) @ v


@mistake(
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class v1_without_softmax(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
class v1_causal(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True) @ v


@mistake(
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
class v1_turned_round(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
class v1_squeezed(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q, k, v).squeeze()


@mistake(
    hint="The projections of the values were added to the output; only the mixture is asked for.",
    ko="출력에 값의 투영을 더했습니다. 섞은 것만 필요합니다.",
)
class v1_residual_added(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q, k, v) + v


@mistake(
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
class v1_detached(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).detach() @ v


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class v1_into_float32(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q.float(), k.float(), v.float())


@mistake(
    hint="All sequences of the batch were joined to one; each attends to itself alone.",
    ko="배치의 문장을 하나로 이었습니다. 문장마다 자기 안에서만 주의를 기울입니다.",
)
class v1_sequences_mixed(solution.SelfAttention_v1):
    def forward(self, x):
        output = super().forward(x.reshape(-1, x.shape[-1]))
        return output.reshape(*x.shape[:-1], output.shape[-1])


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class v1_by_library(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.scaled_dot_product_attention(q, k, v)


@mistake(
    hint="Some weights are dropped in training; this module has no dropout.",
    ko="학습 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v1_drops_in_training(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.dropout(weigh(q, k), 0.1, self.training) @ v


@mistake(
    hint="Some weights are dropped in evaluation; this module has no dropout.",
    ko="평가 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v1_drops_in_evaluation(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.dropout(weigh(q, k), 0.1, not self.training) @ v


@mistake(
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class v1_input_in_place(solution.SelfAttention_v1):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return output


@mistake(
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class v1_output_kept(solution.SelfAttention_v1):
    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape[:-1] != x.shape[:-1] or self.kept.dtype != x.dtype:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    hint="The input requires a gradient after the call; leave `requires_grad_` to the caller.",
    ko="호출 뒤에 입력이 기울기를 요구합니다. `requires_grad_`는 부르는 쪽에 맡기세요.",
)
class v1_input_followed(solution.SelfAttention_v1):
    def forward(self, x):
        return super().forward(x.requires_grad_() if x.is_leaf else x)


@mistake(
    hint="The size is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class v1_size_shared_by_all(solution.SelfAttention_v1):
    size = 1

    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        type(self).size = d_out

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.sqrt(type(self).size)) @ v


@mistake(
    hint="In evaluation no gradient flows: leave no_grad to the caller.",
    ko="평가 중에 기울기가 흐르지 않습니다. no_grad는 부르는 쪽에 맡기세요.",
)
class v1_no_grad_in_evaluation(solution.SelfAttention_v1):
    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            return super().forward(x)


@mistake(
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class v1_extra_layer(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.out = nn.Linear(d_out, d_out)


@mistake(
    hint="The weights are returned beside the output; only the output is asked for.",
    ko="출력 옆에 가중치도 돌려줍니다. 출력만 필요합니다.",
)
class v1_returns_weights_too(solution.SelfAttention_v1):
    def forward(self, x):
        return super().forward(x), weigh(x @ self.W_query, x @ self.W_key)


@mistake(
    hint="These are the weights; the values are still to be mixed by them.",
    ko="가중치입니다. 아직 값을 섞지 않았습니다.",
)
class v1_returns_weights(solution.SelfAttention_v1):
    def forward(self, x):
        return weigh(x @ self.W_query, x @ self.W_key)


@mistake(
    marks="point",
    hint="Plain tensors are no parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Parameter.",
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
    hint="A buffer is saved and moved, but never trained; the matrices have to be parameters.",
    ko="버퍼는 저장되고 옮겨지지만 학습되지 않습니다. 행렬은 매개변수여야 합니다.",
)
class v1_buffers(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.register_buffer(name, torch.rand(d_in, d_out))

    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value)


@mistake(
    hint="The parameters have other names; W_query, W_key and W_value are asked for.",
    ko="매개변수의 이름이 다릅니다. W_query, W_key, W_value여야 합니다.",
)
class v1_parameters_in_a_list(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.matrices = nn.ParameterList(torch.rand(d_in, d_out) for _ in range(3))

    def forward(self, x):
        return attend(*(x @ matrix for matrix in self.matrices))


@mistake(
    hint="Linear layers are the next exercise; here the matrices themselves are the parameters.",
    ko="선형 층은 다음 문제입니다. 여기서는 행렬 자체가 매개변수입니다.",
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
    hint="The matrices are stored as (d_out, d_in), as nn.Linear does; (d_in, d_out) is asked for.",
    ko="행렬을 nn.Linear처럼 (d_out, d_in)으로 두었습니다. (d_in, d_out)이어야 합니다.",
)
class v1_stored_transposed(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_out, d_in))
        self.W_key = nn.Parameter(torch.rand(d_out, d_in))
        self.W_value = nn.Parameter(torch.rand(d_out, d_in))

    def forward(self, x):
        return attend(x @ self.W_query.T, x @ self.W_key.T, x @ self.W_value.T)


@mistake(
    hint="The sizes of the note's example are written into the code; use d_in and d_out.",
    ko="노트 예제의 크기를 코드에 적어 두었습니다. d_in과 d_out을 쓰세요.",
)
class v1_sizes_of_the_note(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(3, 2)


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
    hint="The keys' matrix is drawn first; the order is query, key, value.",
    ko="키의 행렬을 먼저 뽑았습니다. 쿼리, 키, 값의 순서입니다.",
)
class v1_keys_drawn_first(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        nn.Module.__init__(self)
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))


@mistake(
    hint="The numbers are changed after the draw; they stay as torch.rand gives them.",
    ko="뽑은 뒤에 값을 바꾸었습니다. torch.rand가 준 그대로 두세요.",
)
class v1_draws_scaled(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        with torch.no_grad():
            for matrix in self.parameters():
                matrix /= math.sqrt(d_in)


@mistake(
    hint="The class sets the seed itself, so every module is the same; leave the seed to the caller.",
    ko="클래스가 시드를 스스로 정해 모듈이 모두 같아집니다. 시드는 부르는 쪽에 맡기세요.",
)
class v1_seeded(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        torch.manual_seed(123)
        super().__init__(d_in, d_out)


@mistake(
    hint="The parameters are frozen (requires_grad=False), so they are never trained.",
    ko="매개변수가 고정되어(requires_grad=False) 학습되지 않습니다.",
)
class v1_frozen(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.requires_grad_(False)


@mistake(
    hint="`.data` cuts the matrices off: no gradient can reach them.",
    ko="`.data`는 행렬을 끊어 기울기가 닿지 않습니다.",
)
class v1_matrix_data(solution.SelfAttention_v1):
    def forward(self, x):
        return attend(x @ self.W_query.data, x @ self.W_key.data, x @ self.W_value.data)


@mistake(
    hint="The matrices of the first call are kept, so numbers that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class v1_matrix_cached(solution.SelfAttention_v1):
    def forward(self, x):
        if not hasattr(self, "copies"):
            self.copies = [matrix.clone() for matrix in (self.W_query, self.W_key, self.W_value)]
        return attend(*(x @ matrix.to(x.dtype) for matrix in self.copies))


@mistake(
    hint="super().__init__() is missing: a module has to be set up before it can hold parameters.",
    ko="super().__init__()이 빠졌습니다. 매개변수를 담기 전에 모듈을 먼저 준비해야 합니다.",
)
class v1_without_super(nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))


@mistake(
    hint="The matrices were transposed: they are (d_in, d_out) already, as the product needs them.",
    ko="행렬을 전치했습니다. 이미 곱에 맞는 (d_in, d_out) 모양입니다.",
)
class v1_matrices_transposed(solution.SelfAttention_v1):
    def forward(self, x):
        return attend(x @ self.W_query.T, x @ self.W_key.T, x @ self.W_value.T)


@mistake(
    hint="The keys of the first call are kept, so later inputs meet old keys; keep nothing between two calls.",
    ko="첫 호출의 키가 남아 다른 입력도 옛 키와 만납니다. 호출 사이에 아무것도 남겨 두지 마세요.",
    unnamed="What comes out depends on what was called before, and a probe begins with a new module.",
)
class v1_keys_kept(solution.SelfAttention_v1):
    def forward(self, x):
        if not hasattr(self, "kept"):
            self.kept = x @ self.W_key
        return attend(x @ self.W_query, self.kept, x @ self.W_value)


@mistake(
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
class v1_without_a_shift(solution.SelfAttention_v1):
    def forward(self, x):
        queries, keys = x @ self.W_query, x @ self.W_key
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ (x @ self.W_value)


@mistake(
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
class v1_zeros(solution.SelfAttention_v1):
    def forward(self, x):
        return torch.zeros_like(x @ self.W_value)
