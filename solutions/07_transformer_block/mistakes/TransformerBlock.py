"""Wrong answers to `TransformerBlock`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def heads_of(projected, num_heads):
    return projected.unflatten(-1, (num_heads, -1)).transpose(1, 2)


@helper
def joined(context):
    return context.transpose(1, 2).flatten(2)


@helper
class Block(nn.Module):
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
        return tuple(heads_of(layer(x), self.num_heads) for layer in (self.W_q, self.W_k, self.W_v))

    def scores(self, q, k):
        return q @ k.mT / math.sqrt(q.shape[-1])

    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, float("-inf")) if self.causal else scores

    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-1)

    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o(joined(self.weigh(self.scores(q, k)) @ v))

    def feed(self, x):
        return self.narrow(torch.relu(self.widen(x)))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="Only a bias is added to x: there is no attention, and no feed-forward network.",
    ko="x에 편향만 더합니다. 어텐션도 피드포워드도 없습니다.",
    marks="trivial",
)
class block_only_biases(Block):
    def forward(self, x):
        return x + self.narrow.bias


@mistake(
    hint="There is no attention: no token sees another one.",
    ko="어텐션이 없습니다. 토큰이 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
class block_only_feed_forward(Block):
    def forward(self, x):
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="Every token takes its own value alone; it has to weigh the values of all tokens that it sees.",
    ko="토큰이 자기 값만 가져옵니다. 보이는 모든 토큰의 값에 가중치를 매겨 더하세요.",
    marks="trivial",
)
class block_own_value_alone(Block):
    def attend(self, x):
        return self.W_o(self.W_v(x))


@mistake(
    hint="Every token averages what it sees evenly; queries and keys have to decide the weights.",
    ko="토큰이 보는 것을 똑같은 비율로 평균합니다. 가중치는 쿼리와 키가 정해야 합니다.",
    marks="trivial",
)
class block_even_weights(Block):
    def scores(self, q, k):
        return q @ k.mT * 0


@mistake(
    hint="The norms stand behind the additions (post-LN); in pre-LN they stand before the sublayers, off the path.",
    ko="정규화가 덧셈 뒤에 있습니다(post-LN). pre-LN에서는 하위층 앞, 잔차 경로 밖에 있습니다.",
    marks="slip",
)
class block_post_norm(Block):
    def forward(self, x):
        x = self.norm1(x + self.dropout(self.attend(x)))
        return self.norm2(x + self.dropout(self.feed(x)))


@mistake(
    hint="The residual path starts from the normalised tokens; add to x itself.",
    ko="잔차 경로가 정규화된 토큰에서 시작합니다. x 자체에 더하세요.",
)
class block_residual_from_norm(Block):
    def forward(self, x):
        x = self.norm1(x)
        x = x + self.dropout(self.attend(x))
        x = self.norm2(x)
        return x + self.dropout(self.feed(x))


@mistake(
    hint="The first residual path starts behind the norm: add what attention gives to x itself, not to norm1(x).",
    ko="첫 잔차 경로가 정규화 뒤에서 시작합니다. 어텐션의 출력을 norm1(x)가 아니라 x에 더하세요.",
)
class block_first_residual_from_norm(Block):
    def forward(self, x):
        y = self.norm1(x)
        x = y + self.dropout(self.attend(y))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The norms stand behind the sublayers, inside the addition; they belong before the sublayers.",
    ko="정규화가 하위층 뒤, 덧셈 안에 있습니다. 하위층 앞에 있어야 합니다.",
)
class block_norm_of_the_result(Block):
    def forward(self, x):
        x = x + self.dropout(self.norm1(self.attend(x)))
        return x + self.dropout(self.norm2(self.feed(x)))


@mistake(
    hint="One more norm stands at the end, on the residual path.",
    ko="끝의 잔차 경로 위에 정규화가 하나 더 있습니다.",
)
class block_norm_at_the_end(Block):
    def forward(self, x):
        return self.norm2(super().forward(x))


@mistake(
    hint="There is no residual path around the attention.",
    ko="어텐션을 둘러싼 잔차 경로가 없습니다.",
)
class block_no_first_residual(Block):
    def forward(self, x):
        x = self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="There is no residual path around the feed-forward network.",
    ko="피드포워드 신경망을 둘러싼 잔차 경로가 없습니다.",
)
class block_no_second_residual(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="Both sublayers see the same x and are added together; the second has to see what the first has made of it.",
    ko="두 하위층이 같은 x를 보고 함께 더해집니다. 둘째는 첫째가 만든 것을 보아야 합니다.",
)
class block_parallel(Block):
    def forward(self, x):
        return x + self.dropout(self.attend(self.norm1(x))) + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The second residual path goes back to the block's input and leaves the attention's result behind.",
    ko="둘째 잔차 경로가 블록의 입력으로 돌아가 어텐션의 결과를 잃습니다.",
)
class block_second_residual_from_input(Block):
    def forward(self, x):
        between = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(between)))


@mistake(
    hint="The feed-forward network comes first; the attention comes first here.",
    ko="피드포워드가 먼저입니다. 여기서는 어텐션이 먼저입니다.",
)
class block_feed_forward_first(Block):
    def forward(self, x):
        x = x + self.dropout(self.feed(self.norm2(x)))
        return x + self.dropout(self.attend(self.norm1(x)))


@mistake(
    hint="One norm serves both sublayers; each has a norm of its own.",
    ko="정규화 하나를 두 하위층에 함께 썼습니다. 하위층마다 자기 정규화가 있어야 합니다.",
)
class block_one_norm(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm2 = self.norm1


@mistake(
    hint="Only the attention has a norm before it; the feed-forward network needs one too.",
    ko="어텐션 앞에만 정규화가 있습니다. 피드포워드 앞에도 필요합니다.",
)
class block_no_second_norm(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(x))


@mistake(
    hint="The queries come from the normalised tokens, but keys and values from x itself.",
    ko="쿼리는 정규화된 토큰에서, 키와 값은 x 자체에서 만들었습니다.",
)
class block_values_not_normalised(Block):
    def forward(self, x):
        q = heads_of(self.W_q(self.norm1(x)), self.num_heads)
        _, k, v = self.projected(x)
        x = x + self.dropout(self.W_o(joined(self.weigh(self.scores(q, k)) @ v)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The norm does not subtract the mean (RMSNorm).",
    ko="정규화가 평균을 빼지 않습니다(RMSNorm).",
)
class block_rms_norm(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * self.weight + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    hint="The norm divides by the unbiased deviation (d_model - 1); a layer norm takes the population variance.",
    ko="정규화가 불편 표준편차(d_model - 1)로 나눕니다. 층 정규화는 모분산을 씁니다.",
)
class block_unbiased_norm(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) * self.weight + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    hint="The norms have nothing to learn; each needs a scale and a shift.",
    ko="정규화에 학습할 것이 없습니다. 저마다 크기(scale)와 이동(shift)이 필요합니다.",
)
class block_norms_without_parameters(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = (nn.LayerNorm(d_model, elementwise_affine=False) for _ in range(2))


@mistake(
    hint="The scores are not divided by the root of head_dim.",
    ko="점수를 head_dim의 제곱근으로 나누지 않았습니다.",
    marks="slip",
)
class block_no_scaling(Block):
    def scores(self, q, k):
        return q @ k.mT


@mistake(
    hint="The scores are divided by the root of d_model; inside a head only head_dim features are compared.",
    ko="점수를 d_model의 제곱근으로 나누었습니다. 한 헤드 안에서는 head_dim개의 특징만 비교됩니다.",
    marks="slip",
)
class block_by_root_of_d_model(Block):
    def scores(self, q, k):
        return q @ k.mT / math.sqrt(self.num_heads * q.shape[-1])


@mistake(
    hint="The scores are divided by the root of the number of heads; take the features of a head.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 한 헤드의 특징 수를 쓰세요.",
)
class block_by_root_of_heads(Block):
    def scores(self, q, k):
        return q @ k.mT / math.sqrt(self.num_heads)


@mistake(
    hint="The scores are divided by head_dim itself; take its root.",
    ko="점수를 head_dim 자체로 나누었습니다. 제곱근으로 나누세요.",
    marks="slip",
)
class block_by_head_dim(Block):
    def scores(self, q, k):
        return q @ k.mT / q.shape[-1]


@mistake(
    hint="There is one head only, whatever num_heads says.",
    ko="num_heads가 무엇이든 헤드가 하나뿐입니다.",
)
class block_single_head(Block):
    def projected(self, x):
        return tuple(heads_of(layer(x), 1) for layer in (self.W_q, self.W_k, self.W_v))


@mistake(
    hint="The weights were averaged over the heads, so all heads look at the same tokens.",
    ko="가중치를 헤드에 대해 평균하여 모든 헤드가 같은 토큰을 봅니다.",
)
class block_weights_averaged(Block):
    def weigh(self, scores):
        return super().weigh(scores).mean(1, keepdim=True)


@mistake(
    hint="The scores were averaged over the heads, so all heads look at the same tokens.",
    ko="점수를 헤드에 대해 평균하여 모든 헤드가 같은 토큰을 봅니다.",
)
class block_scores_averaged(Block):
    def scores(self, q, k):
        return super().scores(q, k).mean(1, keepdim=True)


@mistake(
    hint="Only the first head is used, repeated; every head has to run.",
    ko="첫 헤드만 반복해서 썼습니다. 모든 헤드를 돌려야 합니다.",
)
class block_first_head_only(Block):
    def projected(self, x):
        return tuple(part[:, :1].expand_as(part) for part in super().projected(x))


@mistake(
    hint="The features were reshaped straight to (B, H, T, head_dim), which mixes tokens: cut first, then swap axes.",
    ko="특징을 (B, H, T, head_dim)으로 바로 reshape하여 토큰이 섞였습니다. 먼저 나누고 축을 바꾸세요.",
)
class block_split_straight_to_heads(Block):
    def projected(self, x):
        B, T, _ = x.shape
        return tuple(layer(x).view(B, self.num_heads, T, -1) for layer in (self.W_q, self.W_k, self.W_v))


@mistake(
    hint="The heads were merged without moving them next to the features first.",
    ko="헤드 축을 특징 축 옆으로 옮기지 않고 합쳤습니다.",
)
class block_merge_without_transposing(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o((self.weigh(self.scores(q, k)) @ v).reshape(x.shape))


@mistake(
    hint="Features are cut into heads and merged again by a bare reshape, which mixes tokens: swap axes both times.",
    ko="축을 바꾸지 않고 reshape만으로 헤드를 나누고 합쳐 토큰이 섞였습니다. 두 번 다 축을 바꾸세요.",
)
class block_split_and_merge_without_transposing(Block):
    def attend(self, x):
        B, T, _ = x.shape
        q, k, v = (layer(x).view(B, self.num_heads, T, -1) for layer in (self.W_q, self.W_k, self.W_v))
        return self.W_o((self.weigh(self.scores(q, k)) @ v).reshape(x.shape))


@mistake(
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class block_softmax_over_queries(Block):
    def weigh(self, scores):
        return torch.softmax(self.hide(scores), dim=-2)


@mistake(
    hint="The softmax runs over the heads; it belongs on the keys, the last axis.",
    ko="소프트맥스를 헤드 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class block_softmax_over_heads(Block):
    def weigh(self, scores):
        return torch.nan_to_num(torch.softmax(self.hide(scores), dim=1))


@mistake(
    hint="The keys were averaged where the values belong: the map to the values plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. 값을 만드는 층이 쓰이지 않습니다.",
)
class block_keys_as_values(Block):
    def attend(self, x):
        q, k, _ = self.projected(x)
        return self.W_o(joined(self.weigh(self.scores(q, k)) @ k))


@mistake(
    hint="Queries and keys come from one and the same map; each has its own.",
    ko="쿼리와 키를 같은 층으로 만들었습니다. 저마다 자기 층이 있어야 합니다.",
)
class block_shared_map(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.W_k = self.W_q


@mistake(
    hint="The last map of the attention is missing: the heads side by side go through one more layer.",
    ko="어텐션의 마지막 층이 없습니다. 나란히 놓은 헤드는 층을 하나 더 거칩니다.",
)
class block_no_output_map(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.W_o = nn.Identity()


@mistake(
    hint="The last map of the attention is there but never used.",
    ko="어텐션의 마지막 층을 만들었지만 쓰지 않았습니다.",
)
class block_output_map_unused(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return joined(self.weigh(self.scores(q, k)) @ v)


@mistake(
    hint="There is no mask: every token sees the future.",
    ko="마스크가 없어 모든 토큰이 미래를 봅니다.",
    marks="slip",
)
class block_no_mask(Block):
    def hide(self, scores):
        return scores


@mistake(
    hint="The mask hides future tokens also where causal=False.",
    ko="causal=False인데도 마스크가 미래를 가립니다.",
)
class block_always_causal(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal=True)


@mistake(
    hint="The default of `causal` is True.",
    ko="`causal`의 기본값은 True입니다.",
)
class block_not_causal_by_default(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=False):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)


@mistake(
    hint="`causal` is understood the other way round.",
    ko="`causal`을 반대로 이해했습니다.",
)
class block_causal_inverted(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, not causal)


@mistake(
    hint="The mask hides the past and shows the future.",
    ko="마스크가 과거를 가리고 미래를 보여 줍니다.",
)
class block_anti_causal(Block):
    def hide(self, scores):
        past = torch.ones_like(scores, dtype=torch.bool).tril(-1)
        return scores.masked_fill(past, float("-inf")) if self.causal else scores


@mistake(
    hint="Each token sees one token of the future; the mask begins one diagonal too late.",
    ko="토큰마다 미래 토큰 하나를 봅니다. 마스크가 대각선 하나만큼 늦게 시작합니다.",
    marks="slip",
)
class block_leaks_one_step(Block):
    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(2)
        return scores.masked_fill(future, float("-inf")) if self.causal else scores


@mistake(
    hint="A token cannot see itself: the mask hides the diagonal too.",
    ko="토큰이 자신을 보지 못합니다. 마스크가 대각선까지 가립니다.",
)
class block_hides_itself(Block):
    def hide(self, scores):
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
        return scores.masked_fill(hidden, float("-inf")) if self.causal else scores


@mistake(
    hint="A token cannot see itself, and the first one, with nothing left, sees all: the diagonal is not the future.",
    ko="토큰이 자신을 보지 못하고, 남는 것이 없는 첫 토큰은 모두를 봅니다. 대각선은 미래가 아닙니다.",
)
class block_hides_itself_by_1e9(Block):
    def hide(self, scores):
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
        return scores.masked_fill(hidden, -1e9) if self.causal else scores


@mistake(
    hint="The future is hidden after the softmax, and the rest does not sum to 1 any more.",
    ko="소프트맥스 뒤에 미래를 가려 나머지의 합이 1이 아닙니다.",
)
class block_mask_after_softmax(Block):
    def weigh(self, scores):
        weights = torch.softmax(scores, dim=-1)
        return weights.tril() if self.causal else weights


@mistake(
    hint="Hidden scores are 0; the exponential of 0 is 1. Use -inf.",
    ko="가려진 점수가 0입니다. 0의 지수는 1입니다. -inf를 쓰세요.",
)
class block_hidden_scores_zero(Block):
    def hide(self, scores):
        return scores.tril() if self.causal else scores


@mistake(
    hint="The exponential overflows for large scores; subtract each row's maximum before it.",
    ko="점수가 크면 지수가 넘칩니다. 지수를 취하기 전에 행마다 최댓값을 빼세요.",
)
class block_plain_exponential(Block):
    def weigh(self, scores):
        e = self.hide(scores).exp()
        return e / e.sum(-1, keepdim=True)


@mistake(
    hint="A fill of -1000 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-1000은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
class block_fill_of_minus_1000(Block):
    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, -1000.0) if self.causal else scores


@mistake(
    hint="A fill of -10 leaves the future a visible share. Use -inf.",
    ko="-10으로 가리면 미래가 눈에 띄는 몫을 받습니다. -inf를 쓰세요.",
)
class block_fill_of_minus_10(Block):
    def hide(self, scores):
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, -10.0) if self.causal else scores


@mistake(
    hint="The mask is used in training only; in eval the future is seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 미래가 보입니다.",
)
class block_mask_in_training_only(Block):
    def hide(self, scores):
        return super().hide(scores) if self.training else scores


@mistake(
    hint="The mask has a fixed length; any number of tokens has to work.",
    ko="마스크의 길이가 정해져 있습니다. 토큰이 몇 개든 되어야 합니다.",
)
class block_limited_length(Block):
    def hide(self, scores):
        T = scores.shape[-1]
        future = torch.ones(1024, 1024, dtype=torch.bool).triu(1)[:T, :T]
        return scores.masked_fill(future, float("-inf")) if self.causal else scores


@mistake(
    hint="The mask of the first call is kept and fits no other length.",
    ko="첫 호출의 마스크를 간직해 두어 다른 길이에는 맞지 않습니다.",
)
class block_mask_kept(Block):
    def hide(self, scores):
        if not self.causal:
            return scores
        if not hasattr(self, "future"):
            self.future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        return scores.masked_fill(self.future, float("-inf"))


@mistake(
    hint="In eval a single token attends to keys and values of the call before; nothing is kept between calls.",
    ko="eval에서 토큰 하나가 이전 호출의 키와 값을 봅니다. 호출 사이에는 아무것도 남기지 않습니다.",
    twins=("changing_result",),
)
class block_keys_remembered(Block):
    seen = None

    def projected(self, x):
        q, k, v = super().projected(x)
        if not self.training:
            if self.seen is not None and k.shape[2] == 1 and len(self.seen[0]) == len(k):
                k, v = (torch.cat([old, new], dim=2) for old, new in zip(self.seen, (k, v), strict=True))
            self.seen = k.detach(), v.detach()
        return q, k, v

    def hide(self, scores):
        return scores if scores.shape[-2] == 1 else super().hide(scores)


@mistake(
    hint="Items of the batch see each other: the batch was folded into the tokens.",
    ko="배치의 항목들이 서로를 봅니다. 배치 축이 토큰 축에 합쳐졌습니다.",
)
class block_batch_mixed(Block):
    def forward(self, x):
        return super().forward(x.reshape(1, -1, x.shape[-1])).reshape(x.shape)


@mistake(
    hint="The ReLU of the feed-forward network is missing.",
    ko="피드포워드 신경망의 ReLU가 없습니다.",
)
class block_no_relu(Block):
    def feed(self, x):
        return self.narrow(self.widen(x))


@mistake(
    hint="ReLU6 cuts large numbers off at 6; ReLU leaves them.",
    ko="ReLU6는 큰 값을 6에서 자릅니다. ReLU는 그대로 둡니다.",
)
class block_relu6(Block):
    def feed(self, x):
        return self.narrow(F.relu6(self.widen(x)))


@mistake(
    hint="The feed-forward network uses another activation (GELU); ReLU is asked for.",
    ko="피드포워드 신경망이 다른 활성화 함수(GELU)를 씁니다. ReLU여야 합니다.",
)
class block_gelu(Block):
    def feed(self, x):
        return self.narrow(F.gelu(self.widen(x)))


@mistake(
    hint="The feed-forward network's layers have no bias; both need one.",
    ko="피드포워드 신경망의 층에 편향이 없습니다. 두 층 모두 필요합니다.",
)
class block_feed_forward_without_bias(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.widen, self.narrow = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_ff, d_model, bias=False)


@mistake(
    hint="The second layer of the feed-forward network has no bias; a bias of the attention does not replace it.",
    ko="피드포워드 신경망의 둘째 층에 편향이 없습니다. 어텐션의 편향이 대신할 수 없습니다.",
)
class block_last_bias_missing(Block):
    bias = True

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.narrow = nn.Linear(d_ff, d_model, bias=False)


@mistake(
    hint="d_ff is not used: the width of the feed-forward network is written into the code.",
    ko="d_ff를 쓰지 않았습니다. 피드포워드 신경망의 너비가 코드에 적혀 있습니다.",
)
class block_fixed_width(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, 4 * d_model, dropout, causal)


@mistake(
    hint="Numbers are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    marks="point",
)
class block_drops_in_eval(Block):
    def forward(self, x):
        x = x + F.dropout(self.attend(self.norm1(x)), self.dropout.p)
        return x + F.dropout(self.feed(self.norm2(x)), self.dropout.p)


@mistake(hint="Nothing is ever dropped.", ko="아무것도 떨어뜨리지 않습니다.")
class block_no_dropout(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(
    hint="The argument `dropout` is not handed on, so another probability is used.",
    ko="dropout 인자를 넘기지 않아 다른 확률이 쓰입니다.",
)
class block_ignores_probability(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout=0.1 if dropout else 0.0, causal=causal)


@mistake(
    hint="With dropout 0 something is dropped all the same: the default of nn.Dropout is 0.5.",
    ko="dropout이 0인데도 떨어뜨립니다. nn.Dropout의 기본값은 0.5입니다.",
    twins=("changing_result",),
)
class block_default_probability(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout=0.5, causal=causal)

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x)) + self.dropout(torch.zeros_like(x) + 1e-3) - 1e-3


@mistake(
    hint="What is kept has to grow by 1 / (1 - dropout).",
    ko="남은 값은 1 / (1 - dropout)배로 커져야 합니다.",
)
class block_survivors_not_scaled(Block):
    def drop(self, x):
        return x * (torch.rand_like(x) >= self.dropout.p) if self.training and self.dropout.p else x

    def forward(self, x):
        x = x + self.drop(self.attend(self.norm1(x)))
        return x + self.drop(self.feed(self.norm2(x)))


@mistake(
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="dropout이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class block_drops_scores(Block):
    def scores(self, q, k):
        return self.dropout(super().scores(q, k))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(
    hint="Dropout hits the residual path: it belongs on what is added, not on the sum.",
    ko="dropout이 잔차 경로에 걸렸습니다. 합이 아니라 더하는 것에 걸어야 합니다.",
)
class block_drops_the_sum(Block):
    def forward(self, x):
        x = self.dropout(x + self.attend(self.norm1(x)))
        return self.dropout(x + self.feed(self.norm2(x)))


@mistake(
    hint="Dropout hits x before anything else, and with it the residual path; drop only what is added.",
    ko="dropout이 맨 처음에 x에 걸려 잔차 경로까지 지워집니다. 더하는 것에만 거세요.",
)
class block_drops_the_input(Block):
    def forward(self, x):
        return super().forward(self.dropout(x))


@mistake(
    hint="The same numbers are dropped in every call: no seed belongs into forward.",
    ko="호출마다 같은 값이 떨어집니다. forward에서 시드를 정하지 마세요.",
)
class block_seeded(Block):
    def forward(self, x):
        torch.manual_seed(0)
        return super().forward(x)


@mistake(
    hint="One draw of dropout serves all items of the batch.",
    ko="배치의 항목들이 같은 드롭아웃 마스크를 함께 씁니다. 항목마다 새로 뽑으세요.",
)
class block_one_draw_for_all_items(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x)) * self.dropout(torch.ones_like(x[:1]))
        return x + self.feed(self.norm2(x)) * self.dropout(torch.ones_like(x[:1]))


@mistake(
    hint="After a time in eval nothing is dropped any more: look at self.training and leave the probability alone.",
    ko="eval을 한 번 거치면 다시는 떨어뜨리지 않습니다. 확률을 바꾸지 말고 self.training을 보세요.",
)
class block_sticky_eval(Block):
    def forward(self, x):
        if not self.training:
            self.dropout.p = 0.0
        return super().forward(x)


@mistake(
    hint="There is something more to learn than asked for.",
    ko="요구한 것보다 학습할 것이 더 있습니다.",
)
class block_extra_layer(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.positions = nn.Embedding(100, d_model)


@mistake(
    hint="A part stands in a Python list, which hides its parameters: use nn.ModuleList or attributes.",
    ko="부분을 파이썬 리스트에 넣어 매개변수가 보이지 않습니다. nn.ModuleList나 속성을 쓰세요.",
)
class block_python_list(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.parts = [self.W_q, self.W_k, self.W_v]
        del self.W_q, self.W_k, self.W_v

    def projected(self, x):
        return tuple(heads_of(layer(x), self.num_heads) for layer in self.parts)


@mistake(
    hint="The statistics of the norm are cut off (detach), which gives wrong gradients.",
    ko="정규화의 통계가 끊겨(detach) 그래디언트가 틀립니다.",
)
class block_norm_detached(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            mean, variance = x.detach().mean(-1, keepdim=True), x.detach().var(-1, correction=0, keepdim=True)
            return (x - mean) / (variance + 1e-5).sqrt() * self.weight + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    hint="The weights are cut off from the graph (detach), so queries and keys never learn.",
    ko="가중치가 끊겨(detach) 쿼리와 키가 학습되지 않습니다.",
)
class block_weights_detached(Block):
    def weigh(self, scores):
        return super().weigh(scores).detach()


@mistake(
    hint="In eval the result is cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class block_detached_in_eval(Block):
    def forward(self, x):
        return super().forward(x if self.training else x.detach())


@mistake(
    hint="x was changed in place (`x += ...`); the caller's tensor has to stay as it was.",
    ko="x를 제자리에서 바꾸었습니다(`x += ...`). 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class block_input_in_place(Block):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            x += 1
        return result


@mistake(
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class block_always_float32(Block):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
    hint="The matrices of the first call are kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
    unnamed="It answers by matrices that were drawn before any were loaded, so no other block gives its answer.",
)
class block_matrices_cached(Block):
    def projected(self, x):
        if not hasattr(self, "fused"):
            self.fused = torch.cat([layer.weight for layer in (self.W_q, self.W_k, self.W_v)]).clone()
        return tuple(heads_of(part, self.num_heads) for part in (x @ self.fused.T).chunk(3, dim=-1))


@mistake(
    hint="In eval a copy of the last matrix from an earlier call is used, so what is loaded later has no effect.",
    ko="예전 호출의 마지막 행렬을 간직해 두어, 나중에 불러온 가중치가 효과가 없습니다.",
)
class block_last_matrix_cached(Block):
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
class block_no_divisibility_check(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, 1, d_ff, dropout, causal)
        self.num_heads = num_heads


@mistake(
    hint="The result comes with the weights; return the tokens alone.",
    ko="결과에 가중치가 함께 있습니다. 토큰만 돌려주세요.",
)
class block_returns_weights(Block):
    def forward(self, x):
        q, k, _ = self.projected(self.norm1(x))
        return super().forward(x), self.weigh(self.scores(q, k))


@mistake(
    hint="Positions are added inside the block; that is done once, before the first block.",
    ko="블록 안에서 위치를 더했습니다. 그것은 첫 블록 앞에서 한 번만 합니다.",
)
class block_adds_positions(Block):
    def forward(self, x):
        return super().forward(x + torch.arange(x.shape[1], dtype=x.dtype, device=x.device)[:, None].sin())


@mistake(
    hint="A single item or token loses its axis to a bare squeeze.",
    ko="항목이나 토큰이 하나이면 축을 정하지 않은 squeeze가 그 축을 없앱니다.",
)
class block_squeezed(Block):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
    marks="library",
)
class block_by_library_attention(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o(joined(F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)))


@mistake(
    hint="The library's layer does the whole work; this exercise asks you to write the block.",
    ko="라이브러리의 층이 일을 다 합니다. 이 문제에서는 블록을 직접 써야 합니다.",
    marks="library",
)
class block_by_library_layer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.causal = causal
        self.layer = nn.TransformerEncoderLayer(
            d_model, num_heads, d_ff, dropout, activation="relu", batch_first=True, norm_first=True
        )

    def forward(self, x):
        T = x.shape[1]
        mask = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1) if self.causal else None
        return self.layer(x, src_mask=mask)


@mistake(
    hint="The first layer of the feed-forward network has no bias; both need one.",
    ko="피드포워드 신경망의 첫 층에 편향이 없습니다. 두 층 모두 필요합니다.",
)
class block_first_bias_missing(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.widen = nn.Linear(d_model, d_ff, bias=False)


@mistake(
    hint="A norm without parameters stands at the end, on the residual path; nothing follows the last addition.",
    ko="끝의 잔차 경로 위에 매개변수 없는 정규화가 있습니다. 마지막 덧셈 뒤에는 아무것도 없습니다.",
)
class block_final_norm(Block):
    def forward(self, x):
        return F.layer_norm(super().forward(x), x.shape[-1:])


@mistake(
    hint="The number of heads and the features of a head have changed places.",
    ko="헤드의 수와 한 헤드의 특징 수가 바뀌었습니다.",
)
class block_heads_for_features(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.num_heads = d_model // num_heads


@mistake(
    hint="The values come from x itself; queries, keys and values all come from the normalised tokens.",
    ko="값을 x 자체에서 만들었습니다. 쿼리, 키, 값 모두 정규화된 토큰에서 만듭니다.",
)
class block_values_from_x(Block):
    def forward(self, x):
        q, k, _ = self.projected(self.norm1(x))
        v = heads_of(self.W_v(x), self.num_heads)
        x = x + self.dropout(self.W_o(joined(self.weigh(self.scores(q, k)) @ v)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The queries come from x itself; queries, keys and values all come from the normalised tokens.",
    ko="쿼리를 x 자체에서 만들었습니다. 쿼리, 키, 값 모두 정규화된 토큰에서 만듭니다.",
)
class block_queries_from_x(Block):
    def forward(self, x):
        _, k, v = self.projected(self.norm1(x))
        q = heads_of(self.W_q(x), self.num_heads)
        x = x + self.dropout(self.W_o(joined(self.weigh(self.scores(q, k)) @ v)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The norm is an RMSNorm: it neither subtracts the mean nor has a shift.",
    ko="정규화가 RMSNorm입니다. 평균을 빼지 않고 이동(shift)도 없습니다.",
)
class block_rms_norm_of_torch(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = nn.RMSNorm(d_model), nn.RMSNorm(d_model)


@mistake(
    hint="The tokens have the mean over the other tokens taken away before the norm; a token is normalised for itself.",
    ko="정규화 앞에서 토큰들의 평균을 뺐습니다. 토큰은 저마다 따로 정규화합니다.",
)
class block_centred_over_tokens(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x - x.mean(1, keepdim=True))))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The attention runs along the batch: the axis of the items was taken for that of the tokens.",
    ko="어텐션이 배치 방향으로 돕니다. 항목 축을 토큰 축으로 썼습니다.",
)
class block_attends_along_the_batch(Block):
    def attend(self, x):
        return super().attend(x.transpose(0, 1)).transpose(0, 1)


@mistake(
    hint="The sum of a residual path is halved; what is added is added as it is.",
    ko="잔차 경로의 합을 반으로 나누었습니다. 더하기만 하세요.",
)
class block_halves_the_sum(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return (x + self.dropout(self.feed(self.norm2(x)))) / 2


@mistake(
    hint="Another probability than `dropout` is used: its square.",
    ko="`dropout`이 아니라 그 제곱을 확률로 씁니다.",
)
class block_probability_squared(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout**2, causal)


@mistake(
    hint="The weights are dropped as asked, but what the attention gives with half the probability.",
    ko="가중치는 정해진 대로 떨어지는데, 어텐션의 결과는 절반의 확률로 떨어집니다.",
)
class block_half_probability_at_the_end(Block):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.W_o(joined(self.dropout(self.weigh(self.scores(q, k))) @ v))

    def forward(self, x):
        x = x + F.dropout(self.attend(self.norm1(x)), self.dropout.p / 2, self.training)
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The layer `Dropout` was given the probability to keep, 1 - dropout; it takes the one to drop.",
    ko="`Dropout`에 남길 확률(1 - dropout)을 주었습니다. 떨어뜨릴 확률을 주어야 합니다.",
)
class block_keep_probability(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, 1 - dropout, causal)


@mistake(
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class block_half_at_most(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, min(dropout, 0.5), causal)


@mistake(
    hint="Attention weights are dropped in eval too: F.dropout needs `training=self.training`.",
    ko="eval에서도 어텐션 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
)
class block_drops_weights_in_eval(Block):
    def weigh(self, scores):
        return F.dropout(super().weigh(scores), self.dropout.p)


@mistake(
    hint="Dropout is on the scores, which makes 0 * -inf = NaN of hidden ones; it belongs on the weights after the softmax.",
    ko="dropout이 점수에 걸려 가려진 점수가 0 * -inf = NaN이 됩니다. 소프트맥스 뒤의 가중치에 거세요.",
)
class block_drops_hidden_scores(Block):
    def weigh(self, scores):
        return torch.softmax(self.dropout(self.hide(scores)), dim=-1)


@mistake(
    hint="Dropout is on the scores and nowhere else, after hiding, where 0 * -inf is NaN; put it on the weights.",
    ko="dropout이 가린 뒤의 점수에만 걸려 0 * -inf = NaN이 됩니다. 소프트맥스 뒤의 가중치에 거세요.",
)
class block_drops_hidden_scores_alone(Block):
    def weigh(self, scores):
        return torch.softmax(self.dropout(self.hide(scores)), dim=-1)

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


@mistake(
    hint="The feed-forward network's features are dropped by one draw for all items of the batch.",
    ko="피드포워드 신경망의 특징을 배치의 모든 항목이 한 번의 추첨으로 떨어뜨립니다.",
)
class block_one_draw_for_the_output(Block):
    def weigh(self, scores):
        return self.dropout(super().weigh(scores))

    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        added = self.feed(self.norm2(x))
        return x + added * self.dropout(torch.ones_like(added[:1]))


@mistake(
    hint="What the norm gives is dropped before the attention. Drop the weights or what the attention gives.",
    ko="정규화가 낸 값을 어텐션 앞에서 떨어뜨립니다. 가중치나 어텐션의 출력을 떨어뜨리세요.",
)
class block_norm_dropped_before_attention(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.dropout(self.norm1(x))))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="What the norm gives is dropped before the feed-forward network. Drop its inner features or what it gives.",
    ko="정규화가 낸 값을 피드포워드 앞에서 떨어뜨립니다. 안쪽 특징이나 출력을 떨어뜨리세요.",
)
class block_norm_dropped_before_feed_forward(Block):
    def forward(self, x):
        x = x + self.dropout(self.attend(self.norm1(x)))
        return x + self.feed(self.dropout(self.norm2(x)))


@mistake(
    hint="The features inside the feed-forward network are dropped by one draw for all items of the batch.",
    ko="피드포워드 신경망 안의 특징을 배치의 모든 항목이 한 번의 추첨으로 떨어뜨립니다.",
)
class block_one_draw_for_the_hidden(Block):
    def feed(self, x):
        hidden = torch.relu(self.widen(x))
        return self.narrow(hidden * self.dropout(torch.ones_like(hidden[:1])))


@mistake(
    hint="The features that the attention gives are dropped by one draw for all items of the batch.",
    ko="어텐션의 출력을 배치의 모든 항목이 한 번의 추첨으로 떨어뜨립니다.",
)
class block_one_draw_for_the_attention(Block):
    def forward(self, x):
        added = self.attend(self.norm1(x))
        x = x + added * self.dropout(torch.ones_like(added[:1]))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="There is something to learn that the output does not depend on.",
    ko="출력에 쓰이지 않는, 학습할 것이 있습니다.",
)
class block_unused_vector(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.positions = nn.Parameter(torch.zeros(d_model))


@mistake(
    hint="A norm is frozen (`requires_grad_(False)`); all parameters are trained.",
    ko="정규화를 얼렸습니다(`requires_grad_(False)`). 모든 매개변수가 학습됩니다.",
    unnamed="What is frozen is taken for a constant, as a mask is, so its part looks like one that is missing.",
)
class block_norm_frozen(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1.requires_grad_(False)


@mistake(
    hint="`x += ...` changes the caller's tensor; write `x = x + ...`.",
    ko="`x += ...`는 부른 쪽의 텐서를 바꿉니다. `x = x + ...`로 쓰세요.",
)
class block_plainly_in_place(Block):
    def forward(self, x):
        x += self.dropout(self.attend(self.norm1(x)))
        return x + self.dropout(self.feed(self.norm2(x)))


@mistake(
    hint="The weights are turned into float32, which fits no float64 values: leave out `.float()`.",
    ko="가중치를 float32로 바꾸어 float64 값과 맞지 않습니다. `.float()`를 빼세요.",
)
class block_weights_in_float32(Block):
    def weigh(self, scores):
        return torch.softmax(self.hide(scores).float(), dim=-1)


@mistake(
    hint="The keys are used as queries too, and the map to the queries plays no part.",
    ko="키를 쿼리로도 써서, 쿼리를 만드는 층이 쓰이지 않습니다.",
)
class block_keys_as_queries(Block):
    def projected(self, x):
        _, k, v = super().projected(x)
        return k, k, v


@mistake(
    hint="The queries are used as keys too, and the map to the keys plays no part.",
    ko="쿼리를 키로도 써서, 키를 만드는 층이 쓰이지 않습니다.",
)
class block_queries_as_keys(Block):
    def projected(self, x):
        q, _, v = super().projected(x)
        return q, q, v


@mistake(
    hint="Queries, keys and values come from one and the same map; each has its own.",
    ko="쿼리, 키, 값을 모두 같은 층으로 만들었습니다. 저마다 자기 층이 있어야 합니다.",
)
class block_one_map(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.W_k = self.W_v = self.W_q


@mistake(
    hint="num_heads is kept on the class (`TransformerBlock.h = ...`), so the next block changes this one: use `self`.",
    ko="num_heads를 클래스에 두어(`TransformerBlock.h = ...`) 다음 블록이 이 블록을 바꿉니다. `self`에 두세요.",
)
class block_heads_on_the_class(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        del self.num_heads
        type(self).num_heads = num_heads


@mistake(
    hint="An argument is kept on the class (`TransformerBlock.causal = ...`), so the next block changes this one.",
    ko="인자를 클래스에 두어(`TransformerBlock.causal = ...`) 다음 블록이 이 블록을 바꿉니다.",
    twins=("block_probability_on_the_class",),
)
class block_mask_on_the_class(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        del self.causal
        type(self).causal = causal


@mistake(
    hint="The probability is kept on the class (`TransformerBlock.p = ...`), so the next block's is used here too.",
    ko="확률을 클래스에 두어(`TransformerBlock.p = ...`) 다음 블록의 확률이 여기에도 쓰입니다.",
    twins=("block_mask_on_the_class",),
)
class block_probability_on_the_class(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        type(self).p = dropout
        self.dropout = nn.Identity()

    def attend(self, x):
        return F.dropout(super().attend(x), self.p, self.training)

    def feed(self, x):
        return F.dropout(super().feed(x), self.p, self.training)


@mistake(
    hint="With dropout the weights are cut off from the graph (detach), so queries and keys never learn in training.",
    ko="dropout이 있으면 가중치가 끊겨(detach) 학습 중에 쿼리와 키가 배우지 못합니다.",
)
class block_detached_under_dropout(Block):
    def weigh(self, scores):
        weights = super().weigh(scores)
        return self.dropout(weights.detach()) if self.training and self.dropout.p else weights


@mistake(
    hint="With causal=False a part, such as the scores, is cut off from the graph (detach) and never learns.",
    ko="causal=False이면 점수 같은 부분이 계산 그래프에서 끊겨(detach) 배우지 못합니다.",
)
class block_detached_without_a_mask(Block):
    def weigh(self, scores):
        return super().weigh(scores if self.causal else scores.detach())


@mistake(
    hint="The norm divides by a root without an eps, which is 0 for a token whose features are all equal.",
    ko="정규화에 eps가 없어, 특징이 모두 같은 토큰에서 0으로 나눕니다.",
)
class block_norm_without_eps(Block):
    class Norm(nn.Module):
        def __init__(self, d_model):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

        def forward(self, x):
            centred = x - x.mean(-1, keepdim=True)
            return self.weight * centred / x.std(-1, keepdim=True, correction=0) + self.bias

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.norm1, self.norm2 = self.Norm(d_model), self.Norm(d_model)


@mistake(
    hint="Whole heads are dropped (dropout2d): the weights of a head share a draw, each needs its own.",
    ko="헤드를 통째로 떨어뜨립니다(dropout2d). 가중치마다 따로 뽑아야 합니다.",
)
class block_whole_heads_dropped(Block):
    def weigh(self, scores):
        return F.dropout2d(super().weigh(scores), self.dropout.p, self.training)


@mistake(
    hint="All heads drop the same weights: one draw serves them all.",
    ko="모든 헤드가 같은 가중치를 떨어뜨립니다. 한 번의 추첨을 함께 씁니다.",
)
class block_heads_dropped_alike(Block):
    def weigh(self, scores):
        weights = super().weigh(scores)
        return weights * self.dropout(torch.ones_like(weights[:, :1]))


@mistake(
    hint="Whole tokens are dropped (dropout1d) inside the feed-forward network: each number needs a draw of its own.",
    ko="피드포워드 안에서 토큰을 통째로 떨어뜨립니다(dropout1d). 숫자마다 따로 뽑아야 합니다.",
)
class block_whole_tokens_dropped(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        hidden = torch.relu(self.widen(self.norm2(x)))
        return x + self.narrow(F.dropout1d(hidden, self.dropout.p, self.training))


@mistake(
    hint="All tokens of an item drop the same features: one draw serves them all.",
    ko="한 항목의 모든 토큰이 같은 특징을 떨어뜨립니다. 한 번의 추첨을 함께 씁니다.",
    twins=("block_whole_heads_dropped",),
)
class block_tokens_dropped_alike(Block):
    def feed(self, x):
        hidden = torch.relu(self.widen(x))
        return self.narrow(hidden * self.dropout(torch.ones_like(hidden[:, :1])))


@mistake(
    hint="What a sublayer adds is dropped for a whole item at once (DropPath); every number is dropped for itself.",
    ko="하위 층이 더하는 것을 항목째로 떨어뜨립니다(DropPath). 숫자마다 따로 떨어뜨려야 합니다.",
)
class block_drop_path(Block):
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x)) * self.dropout(torch.ones_like(x[:, :1, :1]))


@mistake(
    hint="The mask is a buffer of a fixed length; any number of tokens has to work.",
    ko="마스크가 길이가 정해진 버퍼입니다. 토큰이 몇 개든 되어야 합니다.",
    twins=("block_limited_length",),
)
class block_buffer_of_fixed_length(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.register_buffer("future", torch.ones(1024, 1024, dtype=torch.bool).triu(1), persistent=False)

    def hide(self, scores):
        T = scores.shape[-1]
        return scores.masked_fill(self.future[:T, :T], float("-inf")) if self.causal else scores


@mistake(
    hint="What attention gives is scaled by a parameter that is not asked for.",
    ko="어텐션의 출력에 요구하지 않은 매개변수를 곱했습니다.",
)
class block_scaled_attention(Block):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.alpha = nn.Parameter(torch.ones(1))

    def attend(self, x):
        return self.alpha * super().attend(x)


@mistake(
    hint="The root of head_dim is turned into a whole number, which changes the divisor.",
    ko="head_dim의 제곱근을 정수로 바꾸어 나누는 수가 달라졌습니다.",
)
class block_by_whole_root(Block):
    def scores(self, q, k):
        return q @ k.mT / int(math.sqrt(q.shape[-1]))


@mistake(
    hint="A ReLU stands behind the second layer of the feed-forward network as well; only one between them is asked for.",
    ko="피드포워드의 둘째 층 뒤에도 ReLU가 있습니다. 두 층 사이의 하나뿐이어야 합니다.",
)
class block_relu_at_the_end(Block):
    def feed(self, x):
        return torch.relu(super().feed(x))


@mistake(
    hint="In eval, two tokens see each other: the mask is left out there.",
    ko="eval에서 토큰이 둘이면 서로를 봅니다. 마스크가 빠졌습니다.",
    unnamed="It shows at two tokens in eval alone, in the words of any other wrong answer there.",
)
class block_two_tokens_unmasked_in_eval(Block):
    def hide(self, scores):
        return super().hide(scores) if self.training or scores.shape[-1] != 2 else scores
