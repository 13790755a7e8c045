"""Wrong answers to `TransformerBlock`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
class WholeBlock(nn.Module):
    bias, diagonal, fill, activation = False, 1, float("-inf"), staticmethod(torch.relu)

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.causal = num_heads, causal
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention, self.feed_forward = nn.Module(), nn.Module()
        for name in ("W_q", "W_k", "W_v", "W_o"):
            self.attention.add_module(name, nn.Linear(d_model, d_model, bias=self.bias))
        self.feed_forward.linear1, self.feed_forward.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def projected(self, x):
        layers = (self.attention.W_q, self.attention.W_k, self.attention.W_v)
        return tuple(layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)

    def scores(self, q, k):
        return q @ k.mT / math.sqrt(q.shape[-1])

    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(self.diagonal)
        return scores.masked_fill(future, self.fill) if self.causal else scores

    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-1)

    def attend(self, x):
        q, k, v = self.projected(x)
        return self.attention.W_o((self.weigh(self.scores(q, k)) @ v).transpose(1, 2).flatten(2))

    def feed(self, x):
        return self.feed_forward.linear2(self.activation(self.feed_forward.linear1(x)))

    def first(self, x):
        return x + self.dropout(self.attend(self.norm1(x)))

    def second(self, x):
        return x + self.dropout(self.feed(self.norm2(x)))

    def forward(self, x):
        return self.second(self.first(x))


@mistake(hint="Without attention no token sees another.", ko="어텐션이 없어 다른 토큰을 못 봅니다.", marks="trivial")
class block_only_feed_forward(WholeBlock):
    def first(self, x):
        return x


@mistake(hint="The norms come before the sublayers (pre-LN).", ko="정규화는 서브레이어 앞입니다(pre-LN).", marks="slip")
class block_post_norm(WholeBlock):
    def forward(self, x):
        x = self.norm1(x + self.dropout(self.attend(x)))
        return self.norm2(x + self.dropout(self.feed(x)))


@mistake(hint="There is no residual path around the attention.", ko="어텐션을 둘러싼 잔차 경로가 없습니다.")
class block_no_first_residual(WholeBlock):
    def first(self, x):
        return self.dropout(self.attend(self.norm1(x)))


@mistake(hint="Divide the scores by the root of head_dim.", ko="점수를 head_dim의 제곱근으로 나누세요.", marks="slip")
class block_no_scaling(WholeBlock):
    def scores(self, q, k):
        return q @ k.mT


@mistake(hint="Without a mask every token sees the future.", ko="마스크가 없어 미래를 봅니다.", marks="slip")
class block_no_mask(WholeBlock):
    def hide(self, scores):
        return scores


@mistake(hint="Every token still sees one token of the future.", ko="아직 미래의 토큰 하나를 봅니다.", marks="slip")
class block_leaks_one_step(WholeBlock):
    diagonal = 2


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
class block_plain_exponential(WholeBlock):
    def weigh(self, scores):
        e = self.hide(scores).exp()
        return e / e.sum(-1, keepdim=True)


@mistake(
    hint="The mask of the first call is kept, and a longer sequence does not fit it. Make it anew, as long as T.",
    ko="첫 호출의 마스크를 간직해서 더 긴 문장에는 맞지 않습니다. 호출할 때마다 T에 맞추어 만드세요.",
)
class block_mask_of_the_first_call(WholeBlock):
    mask = None

    def hide(self, scores):
        if self.mask is None:
            self.mask = torch.ones_like(scores[0, 0], dtype=torch.bool).triu(1)
        T = scores.shape[-1]
        return scores.masked_fill(self.mask[:T, :T], self.fill) if self.causal else scores


@mistake(hint="The mask has a fixed length; make it fit T.", ko="마스크 길이가 고정되어 있습니다. T에 맞추세요.")
class block_limited_length(WholeBlock):
    def hide(self, scores):
        T = scores.shape[-1]
        future = torch.ones(64, 64, dtype=torch.bool, device=scores.device).triu(1)[:T, :T]
        return scores.masked_fill(future, float("-inf")) if self.causal else scores


@mistake(
    hint="F.dropout needs `training=self.training`.",
    ko="F.dropout에 self.training을 넘기세요.",
    marks="point",
)
class block_drops_in_eval(WholeBlock):
    def forward(self, x):
        x = x + F.dropout(self.attend(self.norm1(x)), self.dropout.p)
        return x + F.dropout(self.feed(self.norm2(x)), self.dropout.p)


@mistake(marks="point", hint="Nothing is ever dropped.", ko="아무것도 떨어뜨리지 않습니다.")
class block_no_dropout(WholeBlock):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(hint="There is something more to learn than asked for.", ko="요구한 것보다 학습할 것이 더 있습니다.")
class block_extra_layer(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.positions = nn.Embedding(100, d_model)


@mistake(hint="Raise ValueError if features don't divide evenly.", ko="나누어떨어지지 않으면 ValueError를 내세요.")
class block_no_divisibility_check(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, 1, d_ff, dropout, causal)
        self.num_heads = num_heads


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class block_by_library_attention(WholeBlock):
    def attend(self, x):
        q, k, v = self.projected(x)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.attention.W_o(mixed.transpose(1, 2).flatten(2))


@mistake(hint="`.float()` breaks float64: leave it out.", ko="`.float()`는 float64와 맞지 않으니 빼세요.")
class block_weights_in_float32(WholeBlock):
    def weigh(self, scores):
        return torch.softmax(self.hide(scores).float(), dim=-1)


@mistake(hint="Divide by the root of head_dim, not of d_model.", ko="head_dim의 제곱근으로 나누세요.")
class block_by_root_of_d_model(WholeBlock):
    def scores(self, q, k):
        return q @ k.mT / math.sqrt(q.shape[-1] * self.num_heads)


@mistake(hint="Hide the future only if `causal` is true.", ko="causal일 때만 미래를 가리세요.")
class block_always_causal(WholeBlock):
    def hide(self, scores):
        return scores.masked_fill(torch.ones_like(scores).triu(1) > 0, float("-inf"))


@mistake(hint="The diagonal is hidden too: row 0 is NaN.", ko="대각선까지 가려 첫 행이 NaN입니다.")
class block_diagonal_hidden(WholeBlock):
    diagonal = 0


@mistake(hint="The past is hidden: the mask is transposed.", ko="마스크가 전치되어 과거를 가립니다.")
class block_past_hidden(WholeBlock):
    def hide(self, scores):
        return scores.masked_fill(torch.ones_like(scores).tril(-1) > 0, float("-inf")) if self.causal else scores


@mistake(hint="A hidden score of 0 still gets weight: use -inf.", ko="점수 0도 가중치를 받습니다. -inf를 쓰세요.")
class block_hidden_scores_of_zero(WholeBlock):
    fill = 0.0


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
class block_fill_of_minus_100(WholeBlock):
    fill = -100.0


@mistake(hint="Hide scores before the softmax, so rows sum to 1.", ko="행의 합이 1이 되게 소프트맥스 전에 가리세요.")
class block_masked_afterwards(WholeBlock):
    def weigh(self, scores):
        return torch.softmax(scores, dim=-1).tril() if self.causal else torch.softmax(scores, dim=-1)


@mistake(hint="The activation is ReLU, not GELU.", ko="활성화 함수는 GELU가 아니라 ReLU입니다.")
class block_gelu(WholeBlock):
    activation = staticmethod(F.gelu)


@mistake(hint="The ReLU is missing.", ko="ReLU가 없습니다.")
class block_no_relu(WholeBlock):
    activation = nn.Identity()


@mistake(marks="slip", hint="The network lacks a residual path.", ko="피드포워드 신경망에 잔차 경로가 없습니다.")
class block_no_second_residual(WholeBlock):
    def second(self, x):
        return self.dropout(self.feed(self.norm2(x)))


@mistake(hint="The residual path carries x itself, not norm1(x).", ko="잔차 경로에는 norm1(x)가 아니라 x입니다.")
class block_normed_residual(WholeBlock):
    def first(self, x):
        return self.norm1(x) + self.dropout(self.attend(self.norm1(x)))


@mistake(hint="norm2 sees the sum, not the block's input.", ko="norm2는 처음 x가 아니라 합을 봅니다.")
class block_parallel(WholeBlock):
    def forward(self, x):
        return x + self.dropout(self.attend(self.norm1(x))) + self.dropout(self.feed(self.norm2(x)))


@mistake(hint="There is no norm before the feed-forward network.", ko="피드포워드 신경망 앞에 정규화가 없습니다.")
class block_no_second_norm(WholeBlock):
    def second(self, x):
        return x + self.dropout(self.feed(x))


@mistake(hint="There is no norm before the attention.", ko="어텐션 앞에 정규화가 없습니다.")
class block_no_first_norm(WholeBlock):
    def first(self, x):
        return x + self.dropout(self.attend(x))


@mistake(hint="Move the heads next to the features first.", ko="먼저 헤드를 특징 옆으로 옮기세요.")
class block_merged_straight(WholeBlock):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.attention.W_o((self.weigh(self.scores(q, k)) @ v).reshape(x.shape))


@mistake(hint="The last linear map of the attention is missing.", ko="어텐션의 마지막 선형 변환이 없습니다.")
class block_no_output_projection(WholeBlock):
    def attend(self, x):
        q, k, v = self.projected(x)
        return (self.weigh(self.scores(q, k)) @ v).transpose(1, 2).flatten(2)


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.")
class block_softmax_over_queries(WholeBlock):
    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-2)


@mistake(hint="The features are never cut into heads.", ko="특징을 헤드로 나누지 않았습니다.")
class block_one_head(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, 1, d_ff, dropout, causal)


@mistake(hint="Every head needs a draw of its own.", ko="헤드마다 따로 뽑아야 합니다.")
class block_same_draw_in_heads(WholeBlock):
    def weigh(self, scores):
        weights = super().weigh(scores)
        return weights * self.dropout(torch.ones_like(weights[:, :1]))


@mistake(marks="point", hint="The values are dropped, not the weights.", ko="가중치가 아니라 값을 떨어뜨립니다.")
class block_drops_values(WholeBlock):
    def attend(self, x):
        q, k, v = self.projected(x)
        mixed = self.weigh(self.scores(q, k)) @ self.dropout(v)
        return self.attention.W_o(mixed.transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(marks="point", hint="The hidden features are dropped, too.", ko="은닉 특징까지 떨어뜨립니다.")
class block_drops_hidden_features(WholeBlock):
    def feed(self, x):
        return self.feed_forward.linear2(self.dropout(self.activation(self.feed_forward.linear1(x))))


@mistake(marks="point", hint="The weights are dropped twice.", ko="가중치를 두 번 떨어뜨립니다.")
class block_drops_weights_twice(WholeBlock):
    def weigh(self, scores):
        return self.dropout(self.dropout(super().weigh(scores)))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(marks="point", hint="The merged heads are dropped before W_o.", ko="W_o 앞에서 합친 헤드를 떨어뜨립니다.")
class block_drops_merged_heads(WholeBlock):
    def attend(self, x):
        q, k, v = self.projected(x)
        mixed = self.weigh(self.scores(q, k)) @ v
        return self.attention.W_o(self.dropout(mixed.transpose(1, 2).flatten(2)))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.dropout(self.feed(self.norm2(x)))
