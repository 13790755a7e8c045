"""More wrong answers to `MultiHeadAttention`, each with the hint that a student with this answer gets."""

from torch import nn

from grader.course.variants import mistake, solution


@mistake(marks="slip", hint="The layer fc lacks its bias.", ko="fc 층에 편향이 없습니다.")
class concat_fc_without_bias(solution.MultiHeadAttention):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.fc = nn.Linear(embed_dim, embed_dim, bias=False)


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class concat_kept_in_eval(solution.MultiHeadAttention):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        results = self.__dict__.setdefault("results", {})
        if x.shape not in results:
            results[x.shape] = super().forward(x)
        return results[x.shape]
