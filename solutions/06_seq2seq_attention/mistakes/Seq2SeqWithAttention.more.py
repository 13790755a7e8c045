"""More wrong answers to `Seq2SeqWithAttention`: its parts are put together another way."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution

from .Seq2SeqWithAttention import Parts, energy_of, mixed


@helper
class Repeating(nn.Module):
    """The attention of the note, which makes as many copies of the hidden state as there are tokens."""

    def __init__(self, hidden_size):
        super().__init__()
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.rand(hidden_size))

    def forward(self, hidden, encoder_outputs):
        repeated = hidden.unsqueeze(1).repeat(1, encoder_outputs.shape[1], 1)
        energy = torch.tanh(self.attn(torch.cat((repeated, encoder_outputs), dim=2)))
        weights = F.softmax(torch.sum(self.v * energy, dim=2), dim=1)
        return torch.bmm(weights.unsqueeze(1), encoder_outputs).squeeze(1), weights


@mistake(hint="The GRUs lack batch_first=True.", ko="GRU에 batch_first=True가 없습니다.")
class s2s_grus_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)
        self.attention = Repeating(hidden_dim)


@mistake(hint="The encoder's GRU lacks batch_first=True.", ko="인코더 GRU에 batch_first=True가 없습니다.")
class s2s_encoder_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)
        self.attention = Repeating(hidden_dim)


@mistake(hint="The decoder's GRU lacks batch_first=True.", ko="디코더 GRU에 batch_first=True가 없습니다.")
class s2s_decoder_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)


@mistake(hint="Return fc's result as it is, without a softmax.", ko="소프트맥스 없이 fc의 결과를 돌려주세요.")
class s2s_logarithms_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return F.log_softmax(super().forward(encoder_input, decoder_input), dim=-1)


@mistake(hint="Return fc's result as it is.", ko="fc의 결과를 그대로 돌려주세요.")
class s2s_tanh_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.tanh(super().forward(encoder_input, decoder_input))


@mistake(hint="Return fc's result as it is.", ko="fc의 결과를 그대로 돌려주세요.")
class s2s_sigmoid_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.sigmoid(super().forward(encoder_input, decoder_input))


@mistake(hint="Nothing is applied before fc: leave the tanh out.", ko="fc 앞에는 tanh가 없습니다.")
class s2s_tanh_before_fc(Parts):
    def beside(self, outputs, context):
        return self.fc(torch.tanh(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1)))


@mistake(hint="Nothing is applied before fc: leave the ReLU out.", ko="fc 앞에는 ReLU가 없습니다.")
class s2s_relu_before_fc(Parts):
    def beside(self, outputs, context):
        return self.fc(torch.relu(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1)))


@mistake(hint="The decoder's input is shifted by a step.", ko="디코더 입력이 한 단계 밀렸습니다.")
class s2s_input_shifted(Parts):
    def decode(self, decoder_input, hidden):
        steps = self.decoder_input_transform(decoder_input)
        steps = torch.cat([torch.zeros_like(steps[:, :1]), steps[:, :-1]], dim=1)
        return self.decoder(steps, hidden)[0]


@mistake(hint="The encoder does the decoder's work, too.", ko="디코더의 일까지 인코더가 합니다.")
class s2s_encoder_decodes(Parts):
    def decode(self, decoder_input, hidden):
        return self.encoder(decoder_input, hidden)[0]


@mistake(hint="The context is used only before fc, not in the input.", ko="문맥 벡터는 fc 앞에서만 씁니다.")
class s2s_context_joins_the_input(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        steps = self.decoder_input_transform(decoder_input) + context.unsqueeze(1)
        return self.beside(self.decoder(steps, hidden)[0], context)


@mistake(hint="The context takes the input's place at the decoder.", ko="디코더 입력 자리에 문맥 벡터가 있습니다.")
class s2s_context_is_the_input(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        steps = context.unsqueeze(1).expand(-1, decoder_input.shape[1], -1)
        return self.beside(self.decoder(steps, hidden)[0], context)


@mistake(hint="The context plays no part.", ko="문맥 벡터가 쓰이지 않습니다.")
class s2s_decoder_twice(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs = self.decode(decoder_input, self.read(encoder_input)[1])
        return self.fc(torch.cat([outputs, outputs], dim=-1))


@mistake(hint="The decoder's output plays no part.", ko="디코더 출력이 쓰이지 않습니다.")
class s2s_context_twice(Parts):
    def beside(self, outputs, context):
        return super().beside(context.unsqueeze(1).expand_as(outputs), context)


@mistake(
    hint="The encoder's last state asks, not the decoder's.", ko="디코더가 아니라 인코더의 마지막 상태로 물으세요."
)
class s2s_decoder_asks(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.beside(outputs, self.attention(outputs[:, -1], encoder_outputs)[0])


@mistake(hint="The decoder reads its own output, not the input.", ko="디코더가 입력 대신 자기 출력을 읽습니다.")
class s2s_feeds_itself(Parts):
    def decode(self, decoder_input, hidden):
        step, outputs = self.decoder_input_transform(decoder_input[:, :1]), []
        for _ in range(decoder_input.shape[1]):
            step, hidden = self.decoder(step, hidden)
            outputs.append(step)
        return torch.cat(outputs, dim=1)


@mistake(hint="The two inputs have changed places.", ko="두 입력의 자리가 바뀌었습니다.")
class s2s_inputs_swapped(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(decoder_input)
        return self.beside(self.decode(encoder_input, hidden), context)


@mistake(hint="The decoder starts at the last state, not the first.", ko="첫 상태가 아니라 마지막 상태에서 시작하세요.")
class s2s_decoder_from_first_state(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, _, context = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, outputs[:, 0].unsqueeze(0).contiguous()), context)


@mistake(hint="The decoder's input is added to its output.", ko="디코더 출력에 입력을 더하지 마세요.")
class s2s_input_added_to_output(Parts):
    def decode(self, decoder_input, hidden):
        return super().decode(decoder_input, hidden) + self.decoder_input_transform(decoder_input)


@mistake(hint="The context is added to the output; lay them side by side.", ko="더하지 말고 나란히 놓으세요.")
class s2s_context_added_to_output(Parts):
    def beside(self, outputs, context):
        return super().beside(outputs + context.unsqueeze(1), context)


@mistake(hint="The context is a plain sum; use the attention.", ko="단순한 합입니다. 어텐션을 쓰세요.")
class s2s_sum_as_context(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), outputs.sum(dim=1))


@mistake(hint="The attention divides its scores; nothing is scaled.", ko="어텐션 점수를 나누지 마세요.")
class s2s_attention_scaled(Parts):
    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        scores = energy_of(self.attention, hidden[-1], outputs) @ self.attention.v
        return outputs, hidden, mixed(torch.softmax(scores / scores.new_tensor(hidden.shape[-1]).sqrt(), -1), outputs)


@mistake(hint="The attention's v plays no part.", ko="어텐션의 v가 쓰이지 않습니다.")
class s2s_attention_without_v(Parts):
    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        scores = energy_of(self.attention, hidden[-1], outputs).sum(-1)
        return outputs, hidden, mixed(torch.softmax(scores, dim=-1), outputs)


@mistake(hint="The attention's softmax is over tokens, not the batch.", ko="어텐션의 소프트맥스는 토큰 방향입니다.")
class s2s_softmax_over_batch(Parts):
    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        scores = energy_of(self.attention, hidden[-1], outputs) @ self.attention.v
        return outputs, hidden, mixed(torch.softmax(scores, dim=0), outputs)


@mistake(hint="The attention lacks its softmax.", ko="어텐션에 소프트맥스가 없습니다.")
class s2s_no_softmax(Parts):
    def read(self, encoder_input):
        outputs, hidden = self.encoder(encoder_input)
        return outputs, hidden, mixed(energy_of(self.attention, hidden[-1], outputs) @ self.attention.v, outputs)


@mistake(
    marks="device",
    hint="The decoder starts from a state that is moved to the CPU.",
    ko="디코더가 CPU로 옮긴 상태에서 시작합니다.",
)
class seq_state_on_the_cpu(solution.Seq2SeqWithAttention):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input.cpu(), decoder_input)


@mistake(
    marks="slip",
    hint="Nothing is dropped here, in training neither.",
    ko="여기서는 학습 중에도 아무것도 떨어뜨리지 않습니다.",
)
class s2s_dropped_in_training(solution.Seq2SeqWithAttention):
    def forward(self, encoder_input, decoder_input):
        return F.dropout(super().forward(encoder_input, decoder_input), 0.3, training=self.training)
