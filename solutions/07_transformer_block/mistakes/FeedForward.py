"""Wrong answers to `FeedForward`, each with the hint that a student with this answer gets."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import mistake, solution


@mistake(
    hint="The tokens come back as they were; neither layer is used.",
    ko="토큰이 그대로 나옵니다. 두 층 가운데 어느 것도 쓰지 않았습니다.",
    marks="trivial",
)
class ff_nothing(solution.FeedForward):
    def forward(self, x):
        return x.clone()


@mistake(
    hint="The ReLU is missing: two linear layers in a row are one linear layer.",
    ko="ReLU가 없습니다. 선형층 둘을 이으면 선형층 하나와 같습니다.",
    marks="slip",
)
class ff_no_relu(solution.FeedForward):
    def forward(self, x):
        return self.narrow(self.widen(x))


@mistake(
    hint="Another activation than ReLU is used: small negative numbers get through (GELU, SiLU).",
    ko="ReLU가 아닌 활성화 함수입니다. 작은 음수가 조금 통과합니다(GELU, SiLU).",
    marks="slip",
)
class ff_gelu(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.gelu(self.widen(x)))


@mistake(
    hint="The activation squashes large numbers (tanh, sigmoid); a ReLU lets them pass.",
    ko="활성화 함수가 큰 수를 눌러 버립니다(tanh, sigmoid). ReLU는 그대로 통과시킵니다.",
)
class ff_tanh(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.tanh(self.widen(x)))


@mistake(
    hint="The activation squashes all numbers into (0, 1) (sigmoid); a ReLU lets positive numbers pass.",
    ko="활성화 함수가 모든 수를 (0, 1)로 누릅니다(sigmoid). ReLU는 양수를 그대로 통과시킵니다.",
)
class ff_sigmoid(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.sigmoid(self.widen(x)))


@mistake(
    hint="A ReLU follows the second layer; it belongs between the two.",
    ko="ReLU가 둘째 층 뒤에 있습니다. 두 층 사이에 있어야 합니다.",
    marks="slip",
)
class ff_relu_at_the_end(solution.FeedForward):
    def forward(self, x):
        return torch.relu(self.narrow(self.widen(x)))


@mistake(
    hint="The ReLU is on the input; it belongs between the two layers.",
    ko="ReLU를 입력에 걸었습니다. 두 층 사이에 있어야 합니다.",
)
class ff_relu_first(solution.FeedForward):
    def forward(self, x):
        return self.narrow(self.widen(torch.relu(x)))


@mistake(
    hint="x is added to the result; the residual path belongs to the block.",
    ko="결과에 x를 더했습니다. 잔차 경로는 블록의 일입니다.",
    marks="slip",
)
class ff_residual(solution.FeedForward):
    def forward(self, x):
        return x + super().forward(x)


@mistake(
    hint="The layers have no bias; nn.Linear's usual bias is asked for.",
    ko="층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class ff_without_bias(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.widen = nn.Linear(d_model, d_ff, bias=False)
        self.narrow = nn.Linear(d_ff, d_model, bias=False)


@mistake(
    hint="d_ff is not used: the width between the layers is written into the code.",
    ko="d_ff를 쓰지 않았습니다. 두 층 사이의 너비가 코드에 적혀 있습니다.",
)
class ff_fixed_width(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, 4 * d_model)


@mistake(
    hint="Plain tensors are no parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Linear.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다. nn.Linear를 쓰세요.",
)
class ff_plain_tensors(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.layers = [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)]

    def forward(self, x):
        return self.layers[1](torch.relu(self.layers[0](x)))


@mistake(
    hint="Something is dropped in training; this network has no dropout.",
    ko="학습 중에 무언가를 떨어뜨립니다. 이 신경망에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class ff_with_dropout(solution.FeedForward):
    def forward(self, x):
        return F.dropout(super().forward(x), 0.1, self.training)


@mistake(
    hint="In eval another activation is used; this network does the same in both modes.",
    ko="eval에서 다른 활성화 함수를 씁니다. 이 신경망은 두 모드에서 같은 일을 합니다.",
    unnamed="Only eval is another, and its numbers look like those of any wrong answer.",
)
class ff_other_in_eval(solution.FeedForward):
    def forward(self, x):
        return super().forward(x) if self.training else self.narrow(F.relu6(self.widen(x) * 4))


@mistake(
    hint="Tokens are mixed: the layers have to work on the features of each token.",
    ko="토큰이 섞였습니다. 층은 토큰마다 특징에 작용해야 합니다.",
)
class ff_mixes_tokens(solution.FeedForward):
    def forward(self, x):
        hidden = torch.relu(self.widen(x))
        return self.narrow(hidden.transpose(1, 2).reshape(hidden.shape))


@mistake(
    hint="A single item or token loses its axis to a bare squeeze.",
    ko="항목이나 토큰이 하나이면 축을 정하지 않은 squeeze가 그 축을 없앱니다.",
)
class ff_squeezed(solution.FeedForward):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    hint="The features between the layers are cut off (detach), so the first layer never learns.",
    ko="두 층 사이가 끊겨(detach) 첫 층이 학습되지 않습니다.",
    marks="point",
)
class ff_detached(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.relu(self.widen(x)).detach())


@mistake(
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class ff_input_in_place(solution.FeedForward):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            x.relu_()
        return result
