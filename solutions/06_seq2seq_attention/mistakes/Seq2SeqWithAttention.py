"""Wrong answers to `Seq2SeqWithAttention`, each with the hint that a student with this answer gets."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def energy_of(module, hidden, encoder_outputs):
    repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)
    return torch.tanh(module.attn(torch.cat([repeated, encoder_outputs], dim=-1)))


@helper
def mixed(weights, encoder_outputs):
    return (weights.unsqueeze(1) @ encoder_outputs).squeeze(1)


@helper
def answer(weights, encoder_outputs):
    return mixed(weights, encoder_outputs), weights


@helper
class Additive(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.rand(hidden_size))

    def forward(self, hidden, encoder_outputs):
        return answer(torch.softmax(energy_of(self, hidden, encoder_outputs) @ self.v, dim=-1), encoder_outputs)


@helper
class Parts(nn.Module):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        self.encoder = nn.GRU(input_dim, hidden_dim, batch_first=True)
        self.decoder = nn.GRU(hidden_dim, hidden_dim, batch_first=True)
        self.attention = Additive(hidden_dim)
        self.fc = nn.Linear(2 * hidden_dim, output_dim)
        self.decoder_input_transform = nn.Linear(input_dim, hidden_dim)

    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        return outputs, hidden, self.attention(hidden[-1], outputs)[0]

    def decode(self, decoder_input, hidden):
        return self.decoder(self.decoder_input_transform(decoder_input), hidden)[0]

    def beside(self, outputs, context):
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))

    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), context)


@mistake(
    hint="The result is the same whatever is read.",
    ko="무엇을 읽든 결과가 같습니다.",
    marks="trivial",
)
class s2s_constant(Parts):
    def forward(self, encoder_input, decoder_input):
        return self.fc.bias.expand(*decoder_input.shape[:2], -1).clone()


@mistake(
    hint="What the encoder reads plays no part; the decoder starts from its last state and looks back at its outputs.",
    ko="인코더가 읽은 것을 쓰지 않았습니다. 디코더는 인코더의 마지막 은닉 상태에서 시작하고 인코더의 출력을 돌아봅니다.",
    marks="trivial",
)
class s2s_encoder_unread(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, _ = self.decoder(self.decoder_input_transform(decoder_input))
        return self.fc(torch.cat([outputs, torch.zeros_like(outputs)], dim=-1))


@mistake(
    hint="Only the last decoder step is answered; every step has its own answer.",
    ko="디코더의 마지막 단계만 답합니다. 단계마다 답이 있어야 합니다.",
)
class s2s_last_step_only(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input)[:, -1:]


@mistake(
    hint="The attention is asked anew with every decoder output; here the context is made once, from the encoder's "
    "last hidden state.",
    ko="디코더 출력마다 어텐션을 다시 구합니다. 여기서는 인코더의 마지막 은닉 상태로 한 번만 구합니다.",
)
class s2s_context_for_every_step(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        contexts = [self.attention(outputs[:, t], encoder_outputs)[0] for t in range(outputs.shape[1])]
        return self.fc(torch.cat([outputs, torch.stack(contexts, dim=1)], dim=-1))


@mistake(
    hint="Decoder output and context stand in the wrong order before fc: the decoder's output comes first.",
    ko="fc 앞에서 디코더 출력과 문맥 벡터의 순서가 바뀌었습니다. 디코더 출력이 먼저입니다.",
    marks="slip",
)
class s2s_context_first(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat([context.unsqueeze(1).expand_as(outputs), outputs], dim=-1))


@mistake(
    hint="The decoder starts from zeros; it has to start from the encoder's last hidden state.",
    ko="디코더가 0에서 시작합니다. 인코더의 마지막 은닉 상태에서 시작해야 합니다.",
    marks="slip",
)
class s2s_decoder_from_zeros(Parts):
    def forward(self, encoder_input, decoder_input):
        _, _, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, None), context)


@mistake(
    hint="The decoder starts from the context; it has to start from the encoder's last hidden state.",
    ko="디코더가 문맥 벡터에서 시작합니다. 인코더의 마지막 은닉 상태에서 시작해야 합니다.",
)
class s2s_decoder_from_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, _, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, context.unsqueeze(0)), context)


@mistake(
    hint="The decoder starts every step from the encoder's state; each step goes on from the one before.",
    ko="디코더가 단계마다 인코더의 상태에서 다시 시작합니다. 앞 단계의 상태에서 이어 가야 합니다.",
)
class s2s_steps_not_linked(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = [self.decode(decoder_input[:, t : t + 1], hidden) for t in range(decoder_input.shape[1])]
        return self.beside(torch.cat(outputs, dim=1), context)


@mistake(
    hint="The context takes no part: zeros stand where it belongs.",
    ko="문맥 벡터가 쓰이지 않고 그 자리에 0이 있습니다.",
)
class s2s_no_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), torch.zeros_like(context))


@mistake(
    hint="The context is the plain mean of the encoder's outputs; the attention has to weigh them.",
    ko="문맥 벡터가 인코더 출력의 단순 평균입니다. 어텐션으로 무게를 주어야 합니다.",
    marks="slip",
)
class s2s_mean_as_context(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), outputs.mean(dim=1))


@mistake(hint="The tanh of the attention is missing.", ko="어텐션의 tanh가 빠졌습니다.", marks="slip")
class s2s_no_tanh(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        pairs = torch.cat([hidden[-1].unsqueeze(1).expand_as(outputs), outputs], dim=-1)
        weights = torch.softmax(self.attention.attn(pairs) @ self.attention.v, dim=-1)
        return self.beside(self.decode(decoder_input, hidden), mixed(weights, outputs))


@mistake(
    hint="Without batch_first=True a GRU takes the first axis for the time, so items become steps.",
    ko="batch_first=True가 없으면 GRU는 첫 축을 시간으로 여겨 항목이 단계가 됩니다.",
)
class s2s_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)

    def forward(self, encoder_input, decoder_input):
        outputs, hidden = self.encoder(encoder_input)
        if hidden.shape[1] != len(outputs):
            hidden = hidden[:, -1:].expand(-1, len(outputs), -1).contiguous()
        context = self.attention(hidden[-1], outputs)[0]
        start = hidden[:, : decoder_input.shape[1]].contiguous()
        return self.beside(self.decode(decoder_input, start), context)


@mistake(
    hint="The decoder reads its input without decoder_input_transform; the input has input_dim features, not h.",
    ko="디코더가 decoder_input_transform 없이 입력을 읽습니다. 입력의 특징은 h개가 아니라 input_dim개입니다.",
)
class s2s_no_transform(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.decoder = nn.GRU(input_dim, hidden_dim, batch_first=True)

    def decode(self, decoder_input, hidden):
        return self.decoder(decoder_input, hidden)[0]


@mistake(
    hint="The encoder runs under no_grad, so it never learns.",
    ko="인코더가 no_grad 안에서 돌아 학습되지 않습니다.",
    marks="point",
)
class s2s_encoder_without_gradient(Parts):
    def read(self, encoder_input):
        with torch.no_grad():
            encoder_outputs, hidden = self.encoder(encoder_input)
        return encoder_outputs, hidden, self.attention(hidden[-1], encoder_outputs)[0]


@mistake(
    hint="The first hidden state is made as float32 whatever the input is: leave it out, a GRU starts from zeros itself.",
    ko="첫 은닉 상태를 항상 float32로 만들었습니다. GRU는 스스로 0에서 시작하니 빼세요.",
)
class s2s_zeros_of_float32(Parts):
    def read(self, encoder_input):
        zeros = torch.zeros(1, len(encoder_input), self.fc.in_features // 2)
        encoder_outputs, hidden = self.encoder(encoder_input, zeros)
        return encoder_outputs, hidden, self.attention(hidden[-1], encoder_outputs)[0]


@mistake(
    hint="A softmax follows fc; the result of fc is asked for as it is.",
    ko="fc 다음에 소프트맥스를 했습니다. fc의 결과를 그대로 돌려주어야 합니다.",
)
class s2s_softmax_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.softmax(super().forward(encoder_input, decoder_input), dim=-1)


@mistake(
    hint="A bare squeeze takes the axis of a single step, item or feature away: the result has three axes always.",
    ko="축을 정하지 않은 squeeze가 크기 1인 축을 없앱니다. 결과의 축은 언제나 셋입니다.",
)
class s2s_squeezed(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input).squeeze()


@mistake(
    hint="`squeeze()` on the hidden state takes away the batch as well when it has one item; take its last layer.",
    ko="은닉 상태에 `squeeze()`를 쓰면 항목이 하나일 때 배치 축까지 없어집니다. 마지막 층을 고르세요.",
)
class s2s_hidden_squeezed(Parts):
    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        return outputs, hidden, self.attention(hidden.squeeze(), outputs)[0]


@mistake(
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class s2s_extra_layer(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder_input_transform = nn.Linear(input_dim, hidden_dim)


@mistake(
    hint="The decoder's input was changed in place; the caller's tensor has to stay as it was.",
    ko="디코더 입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
    marks="point",
)
class s2s_input_in_place(Parts):
    def forward(self, encoder_input, decoder_input):
        output = super().forward(encoder_input, decoder_input)
        with torch.no_grad():
            decoder_input.zero_()
        return output


@mistake(
    hint="The matrix of fc is kept from the first call, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 fc 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class s2s_matrix_cached(Parts):
    def beside(self, outputs, context):
        if not hasattr(self, "matrix"):
            self.matrix = self.fc.weight.clone()
        pairs = torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1)
        return F.linear(pairs, self.matrix.to(pairs.dtype), self.fc.bias)
