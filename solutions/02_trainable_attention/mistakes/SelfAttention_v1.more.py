"""More wrong answers to `SelfAttention_v1`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import mistake, solution

from .SelfAttention_v1 import attend


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


@mistake(hint="Divide the scores by the root, not the values.", ko="값이 아니라 점수를 나누세요.")
class v1_values_divided(solution.SelfAttention_v1):
    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value, 1) / math.sqrt(self.W_key.shape[-1])
