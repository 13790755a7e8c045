"""More wrong answers to `SelfAttention`, each with the hint that a student with this answer gets."""

from torch import nn

from grader.course.variants import mistake

from .SelfAttention import attend, weigh


@mistake(
    hint="The layers have other names; q, k and v are asked for.",
    ko="층의 이름이 다릅니다. q, k, v여야 합니다.",
    marks="slip",
)
class both_other_names(nn.Module):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__()
        self.query_layer, self.key_layer, self.value_layer = (nn.Linear(embedding_dim, attention_dim) for _ in "qkv")

    def forward(self, x):
        queries, keys, values = self.query_layer(x), self.key_layer(x), self.value_layer(x)
        return attend(queries, keys, values), weigh(queries, keys)
