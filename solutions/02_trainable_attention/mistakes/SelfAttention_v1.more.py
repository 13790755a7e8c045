"""More wrong answers to `SelfAttention_v1`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import mistake, solution

from .SelfAttention_v1 import weigh


@mistake(
    marks="point",
    hint="Large scores overflow: subtract the row's maximum.",
    ko="점수가 크면 넘칩니다. 행마다 최댓값을 빼세요.",
)
class v1_without_a_shift(solution.SelfAttention_v1):
    def forward(self, x):
        queries, keys = x @ self.W_query, x @ self.W_key
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ (x @ self.W_value)


@mistake(
    marks="library",
    twins=("v1_by_library",),
    hint="The library does the attention; write it yourself.",
    ko="라이브러리 대신 직접 쓰세요.",
)
class v1_by_library_in_evaluation(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k) @ v if self.training else F.scaled_dot_product_attention(q, k, v)
