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


@mistake(hint="The result is the same whatever is read.", ko="무엇을 읽든 결과가 같습니다.", marks="trivial")
class s2s_constant(Parts):
    def forward(self, encoder_input, decoder_input):
        return self.fc.bias.expand(*decoder_input.shape[:2], -1).clone()


@mistake(hint="What the encoder reads plays no part.", ko="인코더가 읽은 것을 쓰지 않습니다.", marks="trivial")
class s2s_encoder_unread(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, _ = self.decoder(self.decoder_input_transform(decoder_input))
        return self.fc(torch.cat([outputs, torch.zeros_like(outputs)], dim=-1))


@mistake(hint="Every decoder step has its own answer.", ko="디코더의 단계마다 답이 있어야 합니다.")
class s2s_last_step_only(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input)[:, -1:]


@mistake(hint="Make the context once, from the last encoder state.", ko="마지막 인코더 상태로 한 번만 구하세요.")
class s2s_context_for_every_step(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        contexts = [self.attention(outputs[:, t], encoder_outputs)[0] for t in range(outputs.shape[1])]
        return self.fc(torch.cat([outputs, torch.stack(contexts, dim=1)], dim=-1))


@mistake(hint="Before fc, the decoder's output comes first.", ko="fc 앞에서는 디코더 출력이 먼저입니다.", marks="slip")
class s2s_context_first(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat([context.unsqueeze(1).expand_as(outputs), outputs], dim=-1))


@mistake(hint="Start the decoder at the encoder's last state.", ko="인코더 마지막 상태에서 시작하세요.", marks="slip")
class s2s_decoder_from_zeros(Parts):
    def forward(self, encoder_input, decoder_input):
        _, _, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, None), context)


@mistake(hint="Start from the encoder's state, not the context.", ko="문맥 벡터가 아니라 인코더 상태에서 시작하세요.")
class s2s_decoder_from_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, _, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, context.unsqueeze(0)), context)


@mistake(hint="Each decoder step goes on from the one before.", ko="디코더는 앞 단계에서 이어 갑니다.", marks="slip")
class s2s_steps_not_linked(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = [self.decode(decoder_input[:, t : t + 1], hidden) for t in range(decoder_input.shape[1])]
        return self.beside(torch.cat(outputs, dim=1), context)


@mistake(hint="The context plays no part.", ko="문맥 벡터가 쓰이지 않습니다.")
class s2s_no_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), torch.zeros_like(context))


@mistake(hint="The context is a plain mean; use the attention.", ko="단순 평균입니다. 어텐션을 쓰세요.", marks="slip")
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
    hint="The decoder reads its input without decoder_input_transform; the input has input_dim features, not h.",
    ko="디코더가 decoder_input_transform 없이 입력을 읽습니다. 입력의 특징은 h개가 아니라 input_dim개입니다.",
)
class s2s_no_transform(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.decoder = nn.GRU(input_dim, hidden_dim, batch_first=True)

    def decode(self, decoder_input, hidden):
        return self.decoder(decoder_input, hidden)[0]


@mistake(hint="Under no_grad the encoder can't learn.", ko="no_grad 안의 인코더는 학습되지 않습니다.", marks="point")
class s2s_encoder_without_gradient(Parts):
    def read(self, encoder_input):
        with torch.no_grad():
            encoder_outputs, hidden = self.encoder(encoder_input)
        return encoder_outputs, hidden, self.attention(hidden[-1], encoder_outputs)[0]


@mistake(hint="Leave the first state out: a GRU starts from zeros.", ko="첫 상태를 빼세요. GRU는 0에서 시작합니다.")
class s2s_zeros_of_float32(Parts):
    def read(self, encoder_input):
        zeros = torch.zeros(1, len(encoder_input), self.fc.in_features // 2)
        encoder_outputs, hidden = self.encoder(encoder_input, zeros)
        return encoder_outputs, hidden, self.attention(hidden[-1], encoder_outputs)[0]


@mistake(hint="Return fc's result as it is, without a softmax.", ko="소프트맥스 없이 fc의 결과를 돌려주세요.")
class s2s_softmax_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.softmax(super().forward(encoder_input, decoder_input), dim=-1)


@mistake(hint="A bare `squeeze` also removes axes that you need.", ko="축 없는 `squeeze`는 필요한 축도 없앱니다.")
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


@mistake(hint="There is a parameter or a layer too many.", ko="매개변수나 층이 더 있습니다.")
class s2s_extra_layer(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder_input_transform = nn.Linear(input_dim, hidden_dim)


@mistake(hint="The decoder's input is changed in place.", ko="디코더 입력을 바꾸었습니다.", marks="point")
class s2s_input_in_place(Parts):
    def forward(self, encoder_input, decoder_input):
        output = super().forward(encoder_input, decoder_input)
        with torch.no_grad():
            decoder_input.zero_()
        return output


@mistake(hint="The first matrix is kept, so training has no effect.", ko="처음 행렬을 간직해 학습이 효과가 없습니다.")
class s2s_matrix_cached(Parts):
    def beside(self, outputs, context):
        if not hasattr(self, "matrix"):
            self.matrix = self.fc.weight.clone()
        pairs = torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1)
        return F.linear(pairs, self.matrix.to(pairs.dtype), self.fc.bias)


@mistake(hint="Return fc's result as it is.", ko="fc의 결과를 그대로 돌려주세요.")
class s2s_relu_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.relu(super().forward(encoder_input, decoder_input))


@mistake(hint="The attention looks at the encoder's outputs.", ko="어텐션은 인코더의 출력을 봅니다.")
class s2s_context_of_the_decoder(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.beside(outputs, self.attention(hidden[-1], outputs)[0])


@mistake(hint="The attention's query is the last state, not the first.", ko="첫 상태가 아니라 마지막 상태로 물으세요.")
class s2s_first_state_asks(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), self.attention(outputs[:, 0], outputs)[0])


@mistake(hint="The last state is where the context belongs.", ko="문맥 벡터 자리에 마지막 상태가 있습니다.")
class s2s_last_state_as_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), hidden[-1])


@mistake(hint="The decoder's input passes the linear layer alone.", ko="디코더 입력에는 선형 층만 쓰세요.")
class s2s_tanh_of_the_input(Parts):
    def decode(self, decoder_input, hidden):
        return self.decoder(torch.tanh(self.decoder_input_transform(decoder_input)), hidden)[0]


@mistake(hint="The decoder's input passes the linear layer alone.", ko="디코더 입력에는 선형 층만 쓰세요.")
class s2s_relu_of_the_input(Parts):
    def decode(self, decoder_input, hidden):
        return self.decoder(torch.relu(self.decoder_input_transform(decoder_input)), hidden)[0]


@mistake(hint="Use every step's output, not only the last.", ko="마지막만이 아니라 단계마다 출력을 쓰세요.")
class s2s_last_output_for_all(Parts):
    def decode(self, decoder_input, hidden):
        outputs = super().decode(decoder_input, hidden)
        return outputs[:, -1:].expand_as(outputs)


@mistake(hint="The hidden state comes first in the attention.", ko="어텐션에서 은닉 상태가 앞에 옵니다.")
class s2s_attention_halves_swapped(Parts):
    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        repeated = hidden[-1].unsqueeze(1).expand_as(outputs)
        energy = torch.tanh(self.attention.attn(torch.cat([outputs, repeated], dim=-1)))
        return outputs, hidden, mixed(torch.softmax(energy @ self.attention.v, dim=-1), outputs)
