"""More wrong answers to `TransformerBlock`: the parts are joined another way, or the attention mixes something else."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import mistake

from .TransformerBlock import WholeBlock


@mistake(hint="One norm does the work of both: each has its own.", ko="정규화 하나가 둘의 일을 합니다. 따로 두세요.")
class block_first_norm_twice(WholeBlock):
    def second(self, x):
        return x + self.dropout(self.feed(self.norm1(x)))


@mistake(
    marks="slip",
    hint="The second residual path starts at the sum, not at the block's input.",
    ko="둘째 잔차는 처음 x가 아닙니다.",
)
class block_second_residual_from_the_input(WholeBlock):
    def forward(self, x):
        return x + self.dropout(self.feed(self.norm2(self.first(x))))


@mistake(hint="The norms come before the sublayers, not after.", ko="정규화는 서브레이어 뒤가 아니라 앞입니다.")
class block_norms_behind_sublayers(WholeBlock):
    def forward(self, x):
        x = x + self.dropout(self.norm1(self.attend(x)))
        return x + self.dropout(self.norm2(self.feed(x)))


@mistake(hint="Both norms have an eps of 1e-5.", ko="두 정규화의 eps는 1e-5입니다.")
class block_smaller_eps(WholeBlock):
    def forward(self, x):
        self.norm1.eps = self.norm2.eps = 5e-6
        return super().forward(x)


@mistake(hint="There is no norm on the path at the end.", ko="끝의 경로에는 정규화가 없습니다.")
class block_normed_at_the_end(WholeBlock):
    def second(self, x):
        return self.norm2(super().second(x))


@mistake(
    hint="The attention goes first, then the feed-forward network.", ko="어텐션이 먼저, 피드포워드 신경망이 다음입니다."
)
class block_feed_forward_first(WholeBlock):
    def forward(self, x):
        x = x + self.dropout(self.feed(self.norm1(x)))
        return x + self.dropout(self.attend(self.norm2(x)))


@mistake(
    marks="point", hint="x itself is dropped: drop before you add.", ko="x까지 떨어뜨립니다. 더하기 전에만 하세요."
)
class block_dropped_path(WholeBlock):
    def second(self, x):
        return self.dropout(x + self.feed(self.norm2(x)))


@mistake(hint="Both residual paths are missing.", ko="두 잔차 경로가 모두 없습니다.")
class block_no_residuals(WholeBlock):
    def forward(self, x):
        x = self.dropout(self.attend(self.norm1(x)))
        return self.dropout(self.feed(self.norm2(x)))


@mistake(hint="The ReLU comes between the two layers, not after them.", ko="ReLU는 두 층 사이에 있어야 합니다.")
class block_relu_at_the_end(WholeBlock):
    def feed(self, x):
        return torch.relu(self.feed_forward.linear2(self.feed_forward.linear1(x)))


@mistake(hint="The mask is inverted: the past is hidden, with the token.", ko="마스크가 뒤집혀 자신과 과거를 가립니다.")
class block_mask_inverted(WholeBlock):
    def hide(self, scores):
        return scores.masked_fill(torch.ones_like(scores).tril() > 0, float("-inf")) if self.causal else scores


@mistake(hint="A view cannot move the heads to the front.", ko="view로는 헤드를 앞으로 옮길 수 없습니다.")
class block_split_straight(WholeBlock):
    def projected(self, x):
        shape = len(x), self.num_heads, x.shape[1], -1
        return (
            self.attention.W_q(x).reshape(shape),
            self.attention.W_k(x).reshape(shape),
            self.attention.W_v(x).reshape(shape),
        )


@mistake(hint="The weights mix values, not keys.", ko="가중치는 키가 아니라 값을 섞습니다.")
class block_keys_as_values(WholeBlock):
    def projected(self, x):
        q, k, _ = super().projected(x)
        return q, k, k


@mistake(hint="Divide by the root of head_dim, not by head_dim.", ko="head_dim이 아니라 그 제곱근으로 나누세요.")
class block_by_head_dim(WholeBlock):
    def scores(self, q, k):
        return q @ k.mT / q.shape[-1]


@mistake(hint="x is changed in place (`x += ...`); leave it.", ko="x를 제자리에서 바꾸었습니다.", marks="point")
class block_added_in_place(WholeBlock):
    def forward(self, x):
        x += self.dropout(self.attend(self.norm1(x)))
        return self.second(x)


@mistake(
    hint="Every head has results of its own; none are averaged.", ko="헤드의 결과를 평균하지 마세요.", marks="slip"
)
class block_heads_averaged(WholeBlock):
    def attend(self, x):
        q, k, v = self.projected(x)
        return self.attention.W_o((self.weigh(self.scores(q, k)) @ v).mean(1).repeat(1, 1, self.num_heads))


@mistake(
    marks="device",
    hint="The mask is made on the CPU: give it x.device.",
    ko="마스크를 CPU에서 만들었습니다. x.device를 주세요.",
)
class block_mask_on_the_cpu(WholeBlock):
    def hide(self, scores):
        T = scores.shape[-1]
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        return scores.masked_fill(future, self.fill) if self.causal else scores


@mistake(
    marks="slip",
    hint="The parts have the names of the text: attention, with W_q to W_o, and feed_forward.",
    ko="부분의 이름은 글에 있는 attention(W_q부터 W_o까지)과 feed_forward입니다.",
)
class block_other_names(WholeBlock):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__(d_model, num_heads, d_ff, dropout, causal)
        self.attn, self.mlp = self.attention, self.feed_forward
        del self.attention, self.feed_forward

    def __getattr__(self, name):
        other = {"attention": "attn", "feed_forward": "mlp"}.get(name)
        return super().__getattr__(other if other in self._modules else name)
