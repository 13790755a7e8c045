"""Wrong answers to `MultiHeadAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def future_of(scores, diagonal=1):
    T = scores.shape[-1]
    return torch.ones(T, T, dtype=torch.bool, device=scores.device).triu(diagonal)


@helper
class Head(nn.Module):
    def __init__(self, embedding_dim, attention_dim, bias=True):
        super().__init__()
        self.q = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.k = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.v = nn.Linear(embedding_dim, attention_dim, bias=bias)
        self.divisor = math.sqrt(attention_dim)
        self.dim = -1

    def forward(self, x):
        weights = torch.softmax(self.q(x) @ self.k(x).mT / self.divisor, dim=self.dim)
        return weights @ self.v(x), weights


@helper
class Heads(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("not divisible")
        self.attentions = nn.ModuleList(Head(embed_dim, embed_dim // num_heads) for _ in range(num_heads))
        self.fc = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=-1))


@mistake(
    marks="slip",
    hint="The heads do not divide their scores by the root of their own size.",
    ko="헤드가 점수를 자기 차원의 제곱근으로 나누지 않습니다.",
)
class concat_no_scaling(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for head in self.attentions:
            head.divisor = 1.0


@mistake(
    marks="slip",
    hint="The heads' softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="헤드의 소프트맥스가 쿼리 방향입니다. 마지막 축인 키 방향이어야 합니다.",
)
class concat_softmax_over_queries(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for head in self.attentions:
            head.dim = -2


@mistake(
    hint="One head stands num_heads times in the list; every head needs layers of its own.",
    ko="한 헤드가 목록에 num_heads번 들어 있습니다. 헤드마다 자기 층이 있어야 합니다.",
)
class concat_one_head_repeated(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.attentions = nn.ModuleList([self.attentions[0]] * num_heads)


@mistake(
    hint="A Python list hides the heads from the module: use nn.ModuleList.",
    ko="파이썬 리스트에 넣으면 모듈이 헤드를 알지 못합니다. nn.ModuleList를 쓰세요.",
)
class concat_python_list(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        heads = list(self.attentions)
        del self.attentions
        self.attentions = heads


@mistake(marks="slip", hint="The layer fc is never used.", ko="fc 층을 쓰지 않았습니다.")
class concat_no_fc(Heads):
    def forward(self, x):
        return torch.cat([head(x)[0] for head in self.attentions], dim=-1)


@mistake(
    hint="The heads stand in reverse order: head 0 comes first.",
    ko="헤드의 순서가 거꾸로입니다. 0번 헤드가 먼저입니다.",
)
class concat_reversed(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in reversed(self.attentions)], dim=-1))


@mistake(
    hint="The heads are stacked along the tokens and reshaped, which mixes tokens: cat along the last axis.",
    ko="헤드를 토큰 방향으로 쌓고 reshape하여 토큰이 섞였습니다. 마지막 축으로 cat하세요.",
)
class concat_along_tokens(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=1).reshape(x.shape))


@mistake(
    hint="The layers q, k and v have no bias; nn.Linear's usual bias is asked for.",
    ko="q, k, v 층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class concat_without_bias(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.attentions = nn.ModuleList(Head(embed_dim, embed_dim // num_heads, bias=False) for _ in range(num_heads))


@mistake(
    hint="Features that cannot be shared equally must be refused when the module is made, by ValueError or assert.",
    ko="나누어떨어지지 않는 특징 수는 모듈을 만들 때 ValueError나 assert로 거절해야 합니다.",
)
class concat_no_divisibility_check(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        size = embed_dim // num_heads
        self.attentions = nn.ModuleList(Head(embed_dim, size) for _ in range(num_heads))
        self.fc = nn.Linear(size * num_heads, embed_dim)

    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=-1))


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class concat_into_float32(Heads):
    def forward(self, x):
        output = torch.zeros(x.shape)
        output[:] = super().forward(x)
        return output


@mistake(
    marks="point",
    hint="The heads' outputs are cut off (detach, torch.tensor), so the heads never learn.",
    ko="헤드의 출력이 끊겨(detach, torch.tensor) 헤드가 학습되지 않습니다.",
)
class concat_heads_detached(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0].detach() for head in self.attentions], dim=-1))


@mistake(
    hint="The matrices of the first call are kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class concat_matrix_cached(Heads):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.fc.weight.clone()
        return torch.cat([head(x)[0] for head in self.attentions], dim=-1) @ self.matrix.T + self.fc.bias


@mistake(
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class concat_input_in_place(Heads):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x += output
        return output


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class concat_by_library(Heads):
    def forward(self, x):
        outputs = [F.scaled_dot_product_attention(head.q(x), head.k(x), head.v(x)) for head in self.attentions]
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    hint="The heads are joined along the tokens; every head's features stand side by side along the last axis.",
    ko="헤드를 토큰 축을 따라 이었습니다. 마지막 축을 따라 특징을 나란히 이으세요.",
)
class concat_along_axis_one(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=1))


@mistake(
    hint="The future is hidden in every head; no mask is asked for here.",
    ko="헤드마다 미래를 가렸습니다. 여기서는 가리지 않습니다.",
)
class concat_causal(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            scores = head.q(x) @ head.k(x).mT / head.divisor
            outputs.append(torch.softmax(scores.masked_fill(future_of(scores), float("-inf")), dim=-1) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    marks="slip",
    hint="The heads mix their keys; v plays no part.",
    ko="헤드가 값이 아니라 키를 섞습니다. v가 쓰이지 않았습니다.",
)
class concat_keys_as_values(Heads):
    def forward(self, x):
        outputs = [head(x)[1] @ head.k(x) for head in self.attentions]
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    hint="Queries and keys of the heads are swapped: row i of the weights belongs to query i.",
    ko="헤드의 쿼리와 키가 뒤바뀌었습니다. 가중치의 i번째 행은 i번째 쿼리의 것입니다.",
)
class concat_queries_and_keys_swapped(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            outputs.append(torch.softmax(head.k(x) @ head.q(x).mT / head.divisor, dim=-1) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    hint="`squeeze` removes every axis of size 1; the result always has three axes.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과는 항상 축이 셋입니다.",
)
class concat_squeezed(Heads):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
class concat_plain_exponentials(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            exponentials = (head.q(x) @ head.k(x).mT / head.divisor).exp()
            outputs.append(exponentials / exponentials.sum(-1, keepdim=True) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
class concat_even_shares(Heads):
    def forward(self, x):
        means = [head.v(x).mean(1, keepdim=True) + 0 * head.q(x) * head.k(x) for head in self.attentions]
        return self.fc(torch.cat(means, dim=-1))
