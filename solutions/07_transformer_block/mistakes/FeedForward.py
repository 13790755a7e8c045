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
    hint="The result is the same whatever the tokens are.",
    ko="토큰이 무엇이든 결과가 같습니다.",
    marks="trivial",
)
class ff_constant(solution.FeedForward):
    def forward(self, x):
        return self.narrow.bias.expand(x.shape).clone()


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
    hint="The activation is SiLU, x times sigmoid(x); ReLU is asked for.",
    ko="활성화 함수가 SiLU(x 곱하기 sigmoid(x))입니다. ReLU이어야 합니다.",
)
class ff_silu(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.silu(self.widen(x)))


@mistake(
    hint="Negative numbers get through with a small slope (leaky ReLU); a ReLU makes them 0.",
    ko="음수가 작은 기울기로 통과합니다(leaky ReLU). ReLU는 0으로 만듭니다.",
)
class ff_leaky(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.leaky_relu(self.widen(x)))


@mistake(
    hint="The activation squashes large numbers (tanh, sigmoid); a ReLU lets them pass.",
    ko="활성화 함수가 큰 수를 눌러 버립니다(tanh, sigmoid). ReLU는 그대로 통과시킵니다.",
)
class ff_tanh(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.tanh(self.widen(x)))


@mistake(
    hint="The activation is cut off at 6 (ReLU6); a ReLU has no upper end.",
    ko="활성화 함수가 6에서 잘립니다(ReLU6). ReLU에는 위쪽 끝이 없습니다.",
)
class ff_relu6(solution.FeedForward):
    def forward(self, x):
        return self.narrow(F.relu6(self.widen(x)))


@mistake(
    hint="The activation squashes all numbers into (0, 1) (sigmoid); a ReLU lets positive numbers pass.",
    ko="활성화 함수가 모든 수를 (0, 1)로 누릅니다(sigmoid). ReLU는 양수를 그대로 통과시킵니다.",
)
class ff_sigmoid(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.sigmoid(self.widen(x)))


@mistake(
    hint="A softmax stands where the ReLU belongs.",
    ko="ReLU가 있어야 할 자리에 소프트맥스가 있습니다.",
)
class ff_softmax(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.softmax(self.widen(x), dim=-1))


@mistake(
    hint="Negative numbers come through with their sign changed (abs); a ReLU makes them 0.",
    ko="음수가 부호만 바뀌어 통과합니다(abs). ReLU는 0으로 만듭니다.",
)
class ff_absolute(solution.FeedForward):
    def forward(self, x):
        return self.narrow(self.widen(x).abs())


@mistake(
    hint="The first layer has no bias; nn.Linear's usual bias is asked for in both.",
    ko="첫 층에 편향이 없습니다. 두 층 모두 nn.Linear의 보통 편향이 필요합니다.",
)
class ff_first_without_bias(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.widen = nn.Linear(d_model, d_ff, bias=False)


@mistake(
    hint="The second layer has no bias; nn.Linear's usual bias is asked for in both.",
    ko="둘째 층에 편향이 없습니다. 두 층 모두 nn.Linear의 보통 편향이 필요합니다.",
)
class ff_second_without_bias(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model, bias=False)


@mistake(
    hint="There is one more layer to learn that nothing uses.",
    ko="쓰이지 않는 층이 하나 더 있습니다.",
)
class ff_unused_layer(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.norm = nn.LayerNorm(d_model)


@mistake(
    hint="`relu_` or `inplace=True` works on the input itself: it stands before the first layer and changes x.",
    ko="`relu_`나 `inplace=True`가 입력 자체에 걸려 x가 바뀝니다. ReLU는 두 층 사이에 있어야 합니다.",
)
class ff_relu_in_place_on_the_input(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.relu(self.widen(F.relu(x, inplace=True))))


@mistake(
    hint="A ReLU follows the second layer; it belongs between the two.",
    ko="ReLU가 둘째 층 뒤에 있습니다. 두 층 사이에 있어야 합니다.",
    marks="slip",
)
class ff_relu_at_the_end(solution.FeedForward):
    def forward(self, x):
        return torch.relu(self.narrow(self.widen(x)))


@mistake(
    hint="There is one ReLU too many, after the second layer; its result may be negative.",
    ko="둘째 층 뒤에 ReLU가 하나 더 있습니다. 둘째 층의 결과는 음수일 수 있습니다.",
)
class ff_relu_twice(solution.FeedForward):
    def forward(self, x):
        return torch.relu(super().forward(x))


@mistake(
    hint="`view` refuses a tensor that does not lie in order in memory; `reshape` takes any.",
    ko="`view`는 메모리에서 연속적이지 않은 텐서를 받지 않습니다. `reshape`는 무엇이든 받습니다.",
)
class ff_by_view(solution.FeedForward):
    def forward(self, x):
        return super().forward(x.view(-1, x.shape[-1])).view(x.shape)


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
    hint="There is a third linear layer.",
    ko="선형층이 셋입니다.",
)
class ff_three_layers(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.between = nn.Linear(d_ff, d_ff)

    def forward(self, x):
        return self.narrow(torch.relu(self.between(torch.relu(self.widen(x)))))


@mistake(
    hint="A layer norm is part of it; that belongs to the block.",
    ko="층 정규화가 들어 있습니다. 그것은 블록의 일입니다.",
)
class ff_with_norm(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x):
        return super().forward(self.norm(x))


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
    hint="The result is always float32; keep the dtype of the input.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요.",
)
class ff_always_float32(solution.FeedForward):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
    hint="The features between the layers are cut off (detach), so the first layer never learns.",
    ko="두 층 사이가 끊겨(detach) 첫 층이 학습되지 않습니다.",
    marks="point",
)
class ff_detached(solution.FeedForward):
    def forward(self, x):
        return self.narrow(torch.relu(self.widen(x)).detach())


@mistake(
    hint="In eval the result is cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class ff_detached_in_eval(solution.FeedForward):
    def forward(self, x):
        return super().forward(x if self.training else x.detach())


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


@mistake(
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class ff_result_kept(solution.FeedForward):
    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape != x.shape or self.kept.dtype != x.dtype:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    hint="The matrix of the first call is kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class ff_matrix_cached(solution.FeedForward):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.widen.weight.clone()
        return self.narrow(torch.relu(F.linear(x, self.matrix.to(x.dtype), self.widen.bias)))


@mistake(
    hint="d_model is kept on the class (`FeedForward.d = ...`), so the next module changes this one: use `self`.",
    ko="d_model을 클래스에 두어(`FeedForward.d = ...`) 다음 모듈이 이 모듈을 바꿉니다. `self`에 두세요.",
)
class ff_arguments_on_the_class(solution.FeedForward):
    def __init__(self, d_model, d_ff):
        super().__init__(d_model, d_ff)
        type(self).d_model = d_model

    def forward(self, x):
        return super().forward(x.reshape(-1, self.d_model)).reshape(x.shape)
