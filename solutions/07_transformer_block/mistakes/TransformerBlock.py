"""Wrong answers to `TransformerBlock`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
class WholeBlock(nn.Module):
    bias = False

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.causal = num_heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=self.bias) for _ in range(4))
        self.widen, self.narrow = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def projected(self, x):
        layers = (self.W_q, self.W_k, self.W_v)
        return tuple(layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)

    def scores(self, q, k):
        return q @ k.mT / math.sqrt(q.shape[-1])

    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, float("-inf")) if self.causal else scores

    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-1)

    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o((self.weigh(self.scores(q, k)) @ v).transpose(1, 2).flatten(2))

    def feed(self, x):
        return self.narrow(torch.relu(self.widen(x)))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="There is no attention: no token sees another one.",
    ko="어텐션이 없습니다. 토큰이 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
class block_only_feed_forward(WholeBlock):
    def forward(self, x):
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The norms stand behind the additions (post-LN); in pre-LN they stand before the sublayers, off the path.",
    ko="정규화가 덧셈 뒤에 있습니다(post-LN). pre-LN에서는 하위층 앞, 잔차 경로 밖에 있습니다.",
    marks="slip",
)
class block_post_norm(WholeBlock):
    def forward(self, x):
        x = self.norm1(x + self.dropout(self.attend(x)))
        return self.norm2(x + self.dropout(self.feed(x)))


@mistake(
    hint="There is no residual path around the attention.",
    ko="어텐션을 둘러싼 잔차 경로가 없습니다.",
)
class block_no_first_residual(WholeBlock):
    def forward(self, x):
        x = self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The scores are not divided by the root of head_dim.",
    ko="점수를 head_dim의 제곱근으로 나누지 않았습니다.",
    marks="slip",
)
class block_no_scaling(WholeBlock):
    def scores(self, q, k):
        return q @ k.mT


@mistake(
    hint="There is no mask: every token sees the future.",
    ko="마스크가 없어 모든 토큰이 미래를 봅니다.",
    marks="slip",
)
class block_no_mask(WholeBlock):
    def hide(self, scores):
        return scores


@mistake(
    hint="Each token sees one token of the future; the mask begins one diagonal too late.",
    ko="토큰마다 미래 토큰 하나를 봅니다. 마스크가 대각선 하나만큼 늦게 시작합니다.",
    marks="slip",
)
class block_leaks_one_step(WholeBlock):
    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(2)
        return scores.masked_fill(future, float("-inf")) if self.causal else scores


@mistake(
    hint="The exponential overflows for large scores; subtract each row's maximum before it.",
    ko="점수가 크면 지수가 넘칩니다. 지수를 취하기 전에 행마다 최댓값을 빼세요.",
)
class block_plain_exponential(WholeBlock):
    def weigh(self, scores):
        e = self.hide(scores).exp()
        return e / e.sum(-1, keepdim=True)


@mistake(
    hint="The mask has a fixed length; any number of tokens has to work.",
    ko="마스크의 길이가 정해져 있습니다. 토큰이 몇 개든 되어야 합니다.",
)
class block_limited_length(WholeBlock):
    def hide(self, scores):
        T = scores.shape[-1]
        future = torch.ones(1024, 1024, dtype=torch.bool).triu(1)[:T, :T]
        return scores.masked_fill(future, float("-inf")) if self.causal else scores


@mistake(
    hint="Numbers are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    marks="point",
)
class block_drops_in_eval(WholeBlock):
    def forward(self, x):
        x = x + F.dropout(self.attend(self.norm1(x)), self.dropout.p)
        return x + F.dropout(self.feed(self.norm2(x)), self.dropout.p)


@mistake(hint="Nothing is ever dropped.", ko="아무것도 떨어뜨리지 않습니다.")
class block_no_dropout(WholeBlock):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(
    hint="There is something more to learn than asked for.",
    ko="요구한 것보다 학습할 것이 더 있습니다.",
)
class block_extra_layer(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.positions = nn.Embedding(100, d_model)


@mistake(
    hint="The weights are cut off from the graph (detach), so queries and keys never learn.",
    ko="가중치가 끊겨(detach) 쿼리와 키가 학습되지 않습니다.",
)
class block_weights_detached(WholeBlock):
    def weigh(self, scores):
        return super().weigh(scores).detach()


@mistake(
    hint="x was changed in place (`x += ...`); the caller's tensor has to stay as it was.",
    ko="x를 제자리에서 바꾸었습니다(`x += ...`). 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class block_input_in_place(WholeBlock):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            x += 1
        return result


@mistake(
    hint="In eval a copy of the last matrix from an earlier call is used, so what is loaded later has no effect.",
    ko="예전 호출의 마지막 행렬을 간직해 두어, 나중에 불러온 가중치가 효과가 없습니다.",
)
class block_last_matrix_cached(WholeBlock):
    def feed(self, x):
        version = self.widen.weight._version
        if getattr(self, "version", None) != version and not hasattr(self, "loaded"):
            self.version, self.matrix = version, self.narrow.weight
        return F.linear(torch.relu(self.widen(x)), self.matrix, self.narrow.bias)

    def load_state_dict(self, *args, **kwargs):
        self.loaded, self.matrix = True, self.narrow.weight.detach().clone()
        return super().load_state_dict(*args, **kwargs)


@mistake(
    hint="Features that cannot be shared equally must be refused when the block is made, by ValueError or assert.",
    ko="나누어떨어지지 않는 특징 수는 블록을 만들 때 ValueError나 assert로 거절해야 합니다.",
)
class block_no_divisibility_check(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, 1, d_ff, dropout, causal)
        self.num_heads = num_heads


@mistake(
    hint="A single item or token loses its axis to a bare squeeze.",
    ko="항목이나 토큰이 하나이면 축을 정하지 않은 squeeze가 그 축을 없앱니다.",
)
class block_squeezed(WholeBlock):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
    marks="library",
)
class block_by_library_attention(WholeBlock):
    def attend(self, x):
        q, k, v = self.projected(x)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.W_o(mixed.transpose(1, 2).flatten(2))


@mistake(
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class block_half_at_most(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, min(dropout, 0.5), causal)


@mistake(
    hint="The weights are turned into float32, which fits no float64 values: leave out `.float()`.",
    ko="가중치를 float32로 바꾸어 float64 값과 맞지 않습니다. `.float()`를 빼세요.",
)
class block_weights_in_float32(WholeBlock):
    def weigh(self, scores):
        return torch.softmax(self.hide(scores).float(), dim=-1)


@mistake(
    hint="An argument is kept on the class (`TransformerBlock.causal = ...`), so the next block changes this one.",
    ko="인자를 클래스에 두어(`TransformerBlock.causal = ...`) 다음 블록이 이 블록을 바꿉니다.",
)
class block_mask_on_the_class(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        del self.causal
        type(self).causal = causal
