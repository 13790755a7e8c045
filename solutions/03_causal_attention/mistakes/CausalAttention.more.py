"""More wrong answers to `CausalAttention`, each with the hint that a student with this answer gets."""

import torch
from torch.nn import functional as F

from grader.course.variants import mistake, solution

from .CausalAttention import Steps, finished


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class module_kept_in_eval(solution.CausalAttention):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        results = self.__dict__.setdefault("results", {})
        if x.shape not in results:
            results[x.shape] = super().forward(x)
        return results[x.shape]


@mistake(
    hint="The mask is used for the longest sequences alone.",
    ko="가장 긴 문장에서만 마스크를 썼습니다.",
)
class module_mask_at_full_length_only(Steps):
    def finish(self, scores, values):
        T = scores.shape[-1]
        if len(self.mask) > T:
            return finished(self, scores, values, torch.zeros_like(scores, dtype=torch.bool))
        return finished(self, scores, values)


@mistake(
    marks="slip",
    hint="A sequence of context_length tokens is allowed; only a longer one is an error.",
    ko="토큰이 context_length개인 문장까지 됩니다. 그보다 길 때만 오류입니다.",
)
class module_refuses_the_longest(solution.CausalAttention):
    def forward(self, x):
        if x.shape[1] >= len(self.mask):
            raise ValueError("too many tokens")
        return super().forward(x)


@mistake(
    hint="The layers have other names; W_query, W_key and W_value are asked for.",
    ko="층의 이름이 다릅니다. W_query, W_key, W_value여야 합니다.",
    marks="slip",
)
class module_other_names(solution.CausalAttention):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.to_q, self.to_k, self.to_v = self.W_query, self.W_key, self.W_value
        del self.W_query, self.W_key, self.W_value

    def forward(self, x):
        if x.shape[1] > len(self.mask):
            raise ValueError("too many tokens")
        queries, keys = self.to_q(x), self.to_k(x)
        return finished(self, queries @ keys.mT / keys.shape[-1] ** 0.5, self.to_v(x))


@mistake(
    hint="Shorter sequences are left to the library; write the attention out there as well.",
    ko="짧은 문장은 라이브러리가 계산합니다. 그때도 직접 쓰세요.",
    marks="library",
)
class module_by_library_for_shorter_ones(solution.CausalAttention):
    def forward(self, x):
        if x.shape[1] >= len(self.mask):
            return super().forward(x)
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        p = self.dropout.p * self.training
        return F.scaled_dot_product_attention(queries, keys, values, is_causal=True, dropout_p=p)
