"""Wrong answers to `FeedForward`, each with the hint that a student with this answer gets."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import mistake, solution


@mistake(hint="The tokens come back as they were.", ko="토큰이 그대로 나옵니다.", marks="trivial")
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
        return self.linear2(self.linear1(x))


@mistake(
    hint="Another activation than ReLU is used: small negative numbers get through (GELU, SiLU).",
    ko="ReLU가 아닌 활성화 함수입니다. 작은 음수가 조금 통과합니다(GELU, SiLU).",
    marks="slip",
)
class ff_gelu(solution.FeedForward):
    def forward(self, x):
        return self.linear2(F.gelu(self.linear1(x)))


@mistake(hint="tanh squashes large numbers; a ReLU lets them pass.", ko="tanh는 큰 수를 누르고 ReLU는 통과시킵니다.")
class ff_tanh(solution.FeedForward):
    def forward(self, x):
        return self.linear2(torch.tanh(self.linear1(x)))


@mistake(hint="A sigmoid squashes; a ReLU lets positives pass.", ko="시그모이드는 누르고 ReLU는 양수를 통과시킵니다.")
class ff_sigmoid(solution.FeedForward):
    def forward(self, x):
        return self.linear2(torch.sigmoid(self.linear1(x)))


@mistake(hint="The ReLU belongs between the two layers.", ko="ReLU는 두 층 사이에 있어야 합니다.", marks="slip")
class ff_relu_at_the_end(solution.FeedForward):
    def forward(self, x):
        return torch.relu(self.linear2(self.linear1(x)))


@mistake(hint="The ReLU is on the input, not between the layers.", ko="ReLU는 두 층 사이에 있어야 합니다.")
class ff_relu_first(solution.FeedForward):
    def forward(self, x):
        return self.linear2(self.linear1(torch.relu(x)))


@mistake(hint="x is added; that is the block's part.", ko="x를 더하는 것은 블록의 일입니다.", marks="slip")
class ff_residual(solution.FeedForward):
    def forward(self, x):
        return x + super().forward(x)


@mistake(hint="The layers lack nn.Linear's usual bias.", ko="층에 nn.Linear의 편향이 없습니다.")
class ff_without_bias(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.linear1 = nn.Linear(d_model, d_ff, bias=False)
        self.linear2 = nn.Linear(d_ff, d_model, bias=False)


@mistake(hint="Use d_ff; the width is fixed in the code.", ko="너비가 코드에 고정되었습니다. d_ff를 쓰세요.")
class ff_fixed_width(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, 4 * d_model)


@mistake(
    hint="Plain tensors are not parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Linear.",
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
)
class ff_with_dropout(solution.FeedForward):
    def forward(self, x):
        return F.dropout(super().forward(x), 0.1, self.training)


@mistake(
    hint="In eval another activation is used; this network does the same in both modes.",
    ko="eval에서 다른 활성화 함수를 씁니다. 이 신경망은 두 모드에서 같은 일을 합니다.",
)
class ff_other_in_eval(solution.FeedForward):
    def forward(self, x):
        return super().forward(x) if self.training else self.linear2(F.leaky_relu(self.linear1(x), 0.1))


@mistake(hint="Tokens are mixed: work on each token's features.", ko="토큰이 섞였습니다. 토큰마다 특징에 작용하세요.")
class ff_mixes_tokens(solution.FeedForward):
    def forward(self, x):
        hidden = torch.relu(self.linear1(x))
        return self.linear2(hidden.transpose(1, 2).reshape(hidden.shape))


@mistake(hint="A bare `squeeze` also removes axes that you need.", ko="축 없는 `squeeze`는 필요한 축도 없앱니다.")
class ff_squeezed(solution.FeedForward):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(hint="With detach, the first layer never learns.", ko="detach로 첫 층이 학습되지 않습니다.", marks="point")
class ff_detached(solution.FeedForward):
    def forward(self, x):
        return self.linear2(torch.relu(self.linear1(x)).detach())


@mistake(hint="The input is changed: make a new tensor.", ko="입력을 바꾸었습니다. 새 텐서를 만드세요.", marks="point")
class ff_input_in_place(solution.FeedForward):
    def forward(self, x):
        result = super().forward(x)
        with torch.no_grad():
            x.relu_()
        return result


@mistake(hint="A leaky ReLU lets negatives through; use ReLU.", ko="음수가 새어 나옵니다. ReLU를 쓰세요.")
class ff_leaky(solution.FeedForward):
    def forward(self, x):
        return self.linear2(F.leaky_relu(self.linear1(x)))


@mistake(hint="SiLU is not ReLU: it lets negative numbers through.", ko="SiLU는 음수를 통과시킵니다.")
class ff_silu(solution.FeedForward):
    def forward(self, x):
        return self.linear2(F.silu(self.linear1(x)))


@mistake(hint="ELU is not ReLU: it lets negative numbers through.", ko="ELU는 음수를 통과시킵니다.")
class ff_elu(solution.FeedForward):
    def forward(self, x):
        return self.linear2(F.elu(self.linear1(x)))


@mistake(hint="ReLU has no upper limit.", ko="ReLU에는 위쪽 한계가 없습니다.")
class ff_relu_up_to_six(solution.FeedForward):
    def forward(self, x):
        return self.linear2(F.relu6(self.linear1(x)))


@mistake(hint="No ReLU follows the second layer.", ko="둘째 층 뒤에는 ReLU가 없습니다.")
class ff_relu_after_both(solution.FeedForward):
    def forward(self, x):
        return torch.relu(super().forward(x))


@mistake(hint="The biases are subtracted. Call the layers.", ko="편향을 뺐습니다. 층을 호출하세요.")
class ff_second_bias_subtracted(solution.FeedForward):
    def forward(self, x):
        return super().forward(x) - 2 * self.linear2.bias


@mistake(
    marks="device",
    hint="The inner numbers are compared with zeros that are made on the CPU.",
    ko="안쪽 값을 CPU에서 만든 0과 비교했습니다.",
)
class ff_zeros_on_the_cpu(solution.FeedForward):
    def forward(self, x):
        inner = self.linear1(x)
        return self.linear2(torch.maximum(inner, torch.zeros(inner.shape, dtype=x.dtype)))


@mistake(
    hint="In eval the result is kept, and comes again for another input of its shape.",
    ko="eval에서 결과를 남겨 두었다가 모양이 같은 다른 입력에 다시 돌려줍니다.",
)
class ff_kept_in_eval(solution.FeedForward):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        results = self.__dict__.setdefault("results", {})
        if x.shape not in results:
            results[x.shape] = super().forward(x)
        return results[x.shape]


@mistake(
    marks="slip",
    hint="There is no dropout in this network, in training neither.",
    ko="이 신경망에는 학습 중에도 드롭아웃이 없습니다.",
)
class ff_dropped_in_training(solution.FeedForward):
    def forward(self, x):
        return F.dropout(super().forward(x), 0.3, training=self.training)


@mistake(marks="slip", hint="The layers are named linear1 and linear2.", ko="층의 이름은 linear1과 linear2입니다.")
class ff_other_names(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))

    def forward(self, x):
        return self.net(x)
