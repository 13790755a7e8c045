"""More wrong answers to `MultiHeadSelfAttention`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import mistake, solution

from .MultiHeadSelfAttention import finish, heads_of, joined, layers_of, softmax_of


@mistake(hint="The mask is used in training only.", ko="마스크를 학습 중에만 썼습니다.")
class mhsa_mask_in_training_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, mask if self.training else None)


@mistake(
    marks="point",
    hint="Large scores overflow: subtract the row's maximum.",
    ko="점수가 크면 넘칩니다. 행마다 최댓값을 빼세요.",
)
class mhsa_plain_exponentials(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        exponentials = torch.exp(q @ k.mT / math.sqrt(q.shape[-1]))
        exponentials = exponentials if mask is None else exponentials * (mask != 0)
        return finish(self, self.dropout(exponentials / exponentials.sum(dim=-1, keepdim=True)), v)


@mistake(
    hint="The weights are detached in eval; gradients flow there too.",
    ko="eval에서 가중치를 끊었습니다. 그때도 기울기가 흘러야 합니다.",
)
class mhsa_weights_detached_in_eval(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights if self.training else weights.detach()


@mistake(
    hint="The layers have other names; W_q, W_k, W_v and W_o are asked for.",
    ko="층의 이름이 다릅니다. W_q, W_k, W_v, W_o여야 합니다.",
    marks="slip",
)
class mhsa_other_names(solution.MultiHeadSelfAttention):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.queries, self.keys, self.values, self.output = self.W_q, self.W_k, self.W_v, self.W_o
        del self.W_q, self.W_k, self.W_v, self.W_o

    def forward(self, x, mask=None):
        Q, K, V = (heads_of(layer(x), self.num_heads) for layer in (self.queries, self.keys, self.values))
        weights = self.dropout(softmax_of(Q, K, mask))
        return self.output(joined(weights @ V)), weights
