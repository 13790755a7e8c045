"""Wrong answers to `MultiHeadAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


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


@mistake(hint="Every head needs layers of its own.", ko="헤드마다 자기 층이 필요합니다.")
class concat_one_head_repeated(Heads):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.attentions = nn.ModuleList([self.attentions[0]] * num_heads)


@mistake(hint="One layer is used in all three roles.", ko="층 하나를 세 역할에 모두 썼습니다.", marks="slip")
class concat_one_layer_in_all_roles(Heads):
    def forward(self, x):
        values = [head.v(x) for head in self.attentions]
        roots = [head.divisor for head in self.attentions]
        mixed = [torch.softmax(v @ v.mT / root, dim=-1) @ v for v, root in zip(values, roots, strict=True)]
        return self.fc(torch.cat(mixed, dim=-1))


@mistake(hint="A list hides the heads: use nn.ModuleList.", ko="리스트 대신 nn.ModuleList를 쓰세요.")
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


@mistake(hint="The heads are reversed: head 0 comes first.", ko="순서가 거꾸로입니다. 0번이 먼저입니다.")
class concat_reversed(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in reversed(self.attentions)], dim=-1))


@mistake(hint="Join the heads along the last axis.", ko="헤드를 마지막 축으로 이으세요.")
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


@mistake(hint="Raise ValueError if features don't divide evenly.", ko="나누어떨어지지 않으면 ValueError를 내세요.")
class concat_no_divisibility_check(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        size = embed_dim // num_heads
        self.attentions = nn.ModuleList(Head(embed_dim, size) for _ in range(num_heads))
        self.fc = nn.Linear(size * num_heads, embed_dim)

    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=-1))


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
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


@mistake(hint="The first matrices are kept: training has no effect.", ko="처음 행렬을 간직해 학습이 효과가 없습니다.")
class concat_matrix_cached(Heads):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.fc.weight.clone()
        return torch.cat([head(x)[0] for head in self.attentions], dim=-1) @ self.matrix.T + self.fc.bias


@mistake(hint="The input is changed: make a new tensor.", ko="입력을 바꾸었습니다. 새 텐서를 만드세요.", marks="point")
class concat_input_in_place(Heads):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x += output
        return output


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class concat_by_library(Heads):
    def forward(self, x):
        outputs = [F.scaled_dot_product_attention(head.q(x), head.k(x), head.v(x)) for head in self.attentions]
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(hint="Join the heads along the last axis, not the tokens.", ko="토큰이 아니라 마지막 축으로 이으세요.")
class concat_along_axis_one(Heads):
    def forward(self, x):
        return self.fc(torch.cat([head(x)[0] for head in self.attentions], dim=1))


@mistake(hint="The future is hidden, but no mask is asked for.", ko="미래를 가렸습니다. 여기서는 가리지 않습니다.")
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
    marks="point",
)
class concat_plain_exponentials(Heads):
    def forward(self, x):
        outputs = []
        for head in self.attentions:
            exponentials = (head.q(x) @ head.k(x).mT / head.divisor).exp()
            outputs.append(exponentials / exponentials.sum(-1, keepdim=True) @ head.v(x))
        return self.fc(torch.cat(outputs, dim=-1))


@mistake(hint="Queries and keys are never compared.", ko="쿼리와 키를 비교하지 않습니다.", marks="trivial")
class concat_even_shares(Heads):
    def forward(self, x):
        means = [head.v(x).mean(1, keepdim=True) + 0 * head.q(x) * head.k(x) for head in self.attentions]
        return self.fc(torch.cat(means, dim=-1))


@mistake(hint="Merge the heads block by block, not interleaved.", ko="헤드를 섞지 말고 차례로 이으세요.")
class concat_interleaved(Heads):
    def forward(self, x):
        return self.fc(torch.stack([head(x)[0] for head in self.attentions], dim=-1).flatten(-2))


@mistake(hint="x is added; that is the block's part.", ko="x를 더하는 것은 블록의 일입니다.")
class concat_residual(Heads):
    def forward(self, x):
        return x + super().forward(x)


@mistake(hint="All places hold the first head; join them all.", ko="첫 헤드만 있습니다. 모든 헤드를 이으세요.")
class concat_first_head_everywhere(Heads):
    def forward(self, x):
        return self.fc(torch.cat([self.attentions[0](x)[0] for _ in self.attentions], dim=-1))


@mistake(hint="The heads are averaged, not joined.", ko="헤드를 잇지 않고 평균했습니다.")
class concat_mean_of_heads(Heads):
    def forward(self, x):
        mean = sum(head(x)[0] for head in self.attentions) / len(self.attentions)
        return self.fc(mean.repeat(1, 1, len(self.attentions)))


@mistake(hint="Every head needs its own weights, not their mean.", ko="평균이 아니라 헤드마다 자기 가중치를 쓰세요.")
class concat_one_averaged_weight(Heads):
    def forward(self, x):
        mean = sum(head(x)[1] for head in self.attentions) / len(self.attentions)
        return self.fc(torch.cat([mean @ head.v(x) for head in self.attentions], dim=-1))


@mistake(
    marks="device",
    hint="The heads are collected in zeros that are made on the CPU.",
    ko="헤드를 CPU에서 만든 0에 모읍니다.",
)
class heads_collected_on_the_cpu(solution.MultiHeadAttention):
    def forward(self, x):
        heads = torch.cat([head(x)[0] for head in self.attentions], dim=-1)
        return self.fc(heads + torch.zeros(heads.shape, dtype=x.dtype))
