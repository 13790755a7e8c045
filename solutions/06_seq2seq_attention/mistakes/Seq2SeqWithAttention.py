"""Wrong answers to `Seq2SeqWithAttention`, each with the hint that a student with this answer gets."""

import math

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
    hint="The context has one step, the decoder's output has T_dec of them: the context has to stand beside each.",
    ko="문맥 벡터는 한 단계이고 디코더 출력은 T_dec 단계입니다. 문맥 벡터가 단계마다 옆에 있어야 합니다.",
)
class s2s_one_step_only(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat((outputs, context.unsqueeze(1)), dim=2))


@mistake(
    hint="Only the last decoder step is answered; every step has its own answer.",
    ko="디코더의 마지막 단계만 답합니다. 단계마다 답이 있어야 합니다.",
)
class s2s_last_step_only(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input)[:, -1:]


@mistake(
    hint="The context stands beside the first step only and is zero beside the others: repeat it for every step.",
    ko="문맥 벡터가 첫 단계 옆에만 있고 나머지에는 0입니다. 모든 단계에 반복하세요.",
)
class s2s_context_at_first_step(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        padded = torch.zeros_like(outputs)
        padded[:, 0] = context
        return self.fc(torch.cat([outputs, padded], dim=-1))


@mistake(
    hint="The contexts of the items were repeated and reshaped, so a step stands beside another item's context.",
    ko="문맥 벡터를 반복한 뒤 reshape해서 다른 항목의 문맥이 옆에 옵니다.",
)
class s2s_context_of_other_item(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        repeated = context.repeat(outputs.shape[1], 1).view(outputs.shape)
        return self.fc(torch.cat([outputs, repeated], dim=-1))


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
    hint="From the second step on the attention is asked by the decoder's last output; the first context serves all.",
    ko="둘째 단계부터 디코더의 앞 출력으로 어텐션을 다시 구합니다. 처음 구한 문맥 벡터를 모든 단계에 쓰세요.",
)
class s2s_context_by_previous_output(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        contexts = [context]
        for t in range(outputs.shape[1] - 1):
            contexts.append(self.attention(outputs[:, t], encoder_outputs)[0])
        return self.fc(torch.cat([outputs, torch.stack(contexts, dim=1)], dim=-1))


@mistake(
    hint="The attention looks at the decoder's outputs; it has to look at the encoder's.",
    ko="어텐션이 디코더 출력을 봅니다. 인코더 출력을 보아야 합니다.",
)
class s2s_attends_to_decoder(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.beside(outputs, self.attention(hidden[-1], outputs)[0])


@mistake(
    hint="The attention is asked by the decoder's last state; the encoder's last hidden state has to ask.",
    ko="디코더의 마지막 상태로 어텐션을 구했습니다. 인코더의 마지막 은닉 상태로 구해야 합니다.",
)
class s2s_asked_by_decoder(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.beside(outputs, self.attention(outputs[:, -1], encoder_outputs)[0])


@mistake(
    hint="The attention is asked by the encoder's first output; its last hidden state has read everything.",
    ko="인코더의 첫 출력으로 어텐션을 구했습니다. 모두 읽은 것은 마지막 은닉 상태입니다.",
)
class s2s_asked_by_first_output(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden, _ = self.read(encoder_input)
        context = self.attention(encoder_outputs[:, 0], encoder_outputs)[0]
        return self.beside(self.decode(decoder_input, hidden), context)


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
    hint="From the second step on the decoder reads its own output; it has to read decoder_input at every step.",
    ko="둘째 단계부터 디코더가 자기 출력을 읽습니다. 단계마다 decoder_input을 읽어야 합니다.",
)
class s2s_reads_own_output(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs, fed = [], self.decoder_input_transform(decoder_input[:, :1])
        for _ in range(decoder_input.shape[1]):
            fed, hidden = self.decoder(fed, hidden)
            outputs.append(fed)
        return self.beside(torch.cat(outputs, dim=1), context)


@mistake(
    hint="In eval the decoder reads its own output from the second step on; it has to read decoder_input there as well.",
    ko="eval에서는 둘째 단계부터 디코더가 자기 출력을 읽습니다. eval에서도 decoder_input을 읽어야 합니다.",
    twins=("s2s_reads_own_output",),
)
class s2s_reads_own_output_in_eval(Parts):
    def forward(self, encoder_input, decoder_input):
        if self.training:
            return super().forward(encoder_input, decoder_input)
        _, hidden, context = self.read(encoder_input)
        outputs, fed = [], self.decoder_input_transform(decoder_input[:, :1])
        for _ in range(decoder_input.shape[1]):
            fed, hidden = self.decoder(fed, hidden)
            outputs.append(fed)
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
    hint="The encoder's last state stands where the context belongs; let the attention mix all outputs.",
    ko="문맥 벡터 자리에 인코더의 마지막 상태가 있습니다. 어텐션으로 모든 출력을 섞으세요.",
)
class s2s_last_state_as_context(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), hidden[-1])


@mistake(
    hint="The context is the plain mean of the encoder's outputs; the attention has to weigh them.",
    ko="문맥 벡터가 인코더 출력의 단순 평균입니다. 어텐션으로 무게를 주어야 합니다.",
    marks="slip",
)
class s2s_mean_as_context(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        return self.beside(self.decode(decoder_input, hidden), outputs.mean(dim=1))


@mistake(
    hint="The context comes from dot products; the attention's layer attn and its v take no part.",
    ko="문맥 벡터를 내적으로 구했습니다. 어텐션의 attn 층과 v가 쓰이지 않습니다.",
)
class s2s_dot_product(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        weights = torch.softmax((outputs @ hidden[-1].unsqueeze(-1)).squeeze(-1), dim=-1)
        return self.beside(self.decode(decoder_input, hidden), mixed(weights, outputs))


@mistake(hint="The tanh of the attention is missing.", ko="어텐션의 tanh가 빠졌습니다.", marks="slip")
class s2s_no_tanh(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        pairs = torch.cat([hidden[-1].unsqueeze(1).expand_as(outputs), outputs], dim=-1)
        weights = torch.softmax(self.attention.attn(pairs) @ self.attention.v, dim=-1)
        return self.beside(self.decode(decoder_input, hidden), mixed(weights, outputs))


@mistake(
    hint="The attention's softmax runs over the items of the batch; it belongs on the tokens.",
    ko="어텐션의 소프트맥스가 배치 항목 방향입니다. 토큰 방향이어야 합니다.",
)
class s2s_softmax_over_batch(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, hidden, _ = self.read(encoder_input)
        scores = energy_of(self.attention, hidden[-1], outputs) @ self.attention.v
        return self.beside(self.decode(decoder_input, hidden), mixed(torch.softmax(scores, dim=0), outputs))


@mistake(
    hint="The encoder reads the sequence backwards.",
    ko="인코더가 시퀀스를 거꾸로 읽습니다.",
)
class s2s_reads_backwards(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input.flip(1), decoder_input)


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
    hint="The encoder lacks batch_first=True: it takes the first axis for the time, so items become steps.",
    ko="인코더에 batch_first=True가 없습니다. 첫 축을 시간으로 여겨 항목이 단계가 됩니다.",
)
class s2s_encoder_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)


@mistake(
    hint="Only the decoder lacks batch_first=True: it takes the items of the batch for steps.",
    ko="디코더에만 batch_first=True가 없습니다. 배치의 항목을 단계로 여깁니다.",
)
class s2s_decoder_time_first(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)


@mistake(
    hint="The decoder's hidden state of an earlier call is the start of the next: begin anew in every call.",
    ko="앞 호출의 디코더 은닉 상태에서 다음 호출을 시작합니다. 호출마다 새로 시작하세요.",
    twins=("changing_result",),
)
class s2s_state_kept(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        kept = getattr(self, "kept", None)
        if kept is not None and kept.shape == hidden.shape and kept.dtype == hidden.dtype:
            hidden = kept
        outputs, state = self.decoder(self.decoder_input_transform(decoder_input), hidden)
        self.kept = state.detach()
        return self.beside(outputs, context)


@mistake(
    hint="The encoder goes on from its state of the call before: it starts from zeros in every call.",
    ko="인코더가 앞 호출의 상태에서 이어 읽습니다. 호출마다 0에서 시작해야 합니다.",
    twins=("changing_result",),
)
class s2s_encoder_state_kept(Parts):
    def read(self, encoder_input):
        kept = getattr(self, "kept", None)
        fits = kept is not None and kept.shape[1] == len(encoder_input) and kept.dtype == encoder_input.dtype
        outputs, hidden = self.encoder(encoder_input, kept if fits else None)
        self.kept = hidden.detach()
        return outputs, hidden, self.attention(hidden[-1], outputs)[0]


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
    hint="What decoder_input_transform gives went through a function more; it goes to the decoder as it is.",
    ko="decoder_input_transform의 결과에 함수를 하나 더 걸었습니다. 그대로 디코더에 들어가야 합니다.",
)
class s2s_transform_with_relu(Parts):
    def decode(self, decoder_input, hidden):
        return self.decoder(torch.relu(self.decoder_input_transform(decoder_input)), hidden)[0]


@mistake(
    hint="A tanh follows the transform of the decoder's input; nothing does.",
    ko="디코더 입력 변환 뒤에 tanh가 있습니다. 아무것도 없어야 합니다.",
)
class s2s_transform_with_tanh(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs, _ = self.decoder(torch.tanh(self.decoder_input_transform(decoder_input)), hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    hint="A log_softmax follows the last layer; nothing is applied to its result.",
    ko="마지막 층 뒤에 log_softmax가 있습니다. 결과에 아무것도 적용하지 마세요.",
)
class s2s_log_softmax_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.log_softmax(super().forward(encoder_input, decoder_input), dim=-1)


@mistake(
    hint="A ReLU stands before the last layer; it reads decoder output and context as they are.",
    ko="마지막 층 앞에 ReLU가 있습니다. 디코더 출력과 문맥 벡터를 그대로 넣으세요.",
)
class s2s_relu_before_the_last_layer(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.relu(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1)))


@mistake(
    hint="The scores of the attention are scaled; nothing is scaled here.",
    ko="어텐션의 점수를 나누었습니다. 여기서는 나누지 않습니다.",
)
class s2s_scores_scaled(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden = self.encoder(encoder_input)
        both = torch.cat([hidden[-1].unsqueeze(1).expand_as(encoder_outputs), encoder_outputs], dim=-1)
        scores = torch.tanh(self.attention.attn(both)) @ self.attention.v / math.sqrt(encoder_outputs.shape[-1])
        context = (torch.softmax(scores, dim=-1).unsqueeze(-1) * encoder_outputs).sum(1)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    hint="Inside the attention the encoder's output stands in front of the hidden state; the hidden state comes first.",
    ko="어텐션 안에서 인코더 출력이 은닉 상태보다 앞에 있습니다. 은닉 상태가 먼저입니다.",
)
class s2s_attention_halves_swapped(Parts):
    def forward(self, encoder_input, decoder_input):
        encoder_outputs, hidden = self.encoder(encoder_input)
        both = torch.cat([encoder_outputs, hidden[-1].unsqueeze(1).expand_as(encoder_outputs)], dim=-1)
        scores = torch.tanh(self.attention.attn(both)) @ self.attention.v
        context = (torch.softmax(scores, dim=-1).unsqueeze(-1) * encoder_outputs).sum(1)
        outputs = self.decode(decoder_input, hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    hint="The context is added to what the decoder reads; it belongs beside what the decoder gives.",
    ko="문맥 벡터를 디코더 입력에 더했습니다. 디코더 출력 옆에 있어야 합니다.",
)
class s2s_context_in_the_input(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs, _ = self.decoder(self.decoder_input_transform(decoder_input) + context.unsqueeze(1), hidden)
        return self.fc(torch.cat([outputs, context.unsqueeze(1).expand_as(outputs)], dim=-1))


@mistake(
    hint="The decoder's inputs are shifted by a step; step t reads decoder_input[:, t].",
    ko="디코더 입력이 한 단계 밀렸습니다. t 단계는 decoder_input[:, t]를 읽습니다.",
)
class s2s_inputs_shifted(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input.roll(1, dims=1))


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
    hint="The encoder reads in both directions; one direction is asked for.",
    ko="인코더가 양방향입니다. 한 방향이어야 합니다.",
    unnamed="What the second direction adds is drawn at random; the failure itself names the surplus parameters.",
)
class s2s_bidirectional(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim, batch_first=True, bidirectional=True)

    def read(self, encoder_input):
        encoder_outputs, hidden = self.encoder(encoder_input)
        encoder_outputs = sum(encoder_outputs.chunk(2, dim=-1))
        return encoder_outputs, hidden[-1:], self.attention(hidden[-1], encoder_outputs)[0]


@mistake(
    hint="The last layer has no bias; the linear layers have biases.",
    ko="마지막 층에 편향이 없습니다. 선형층에는 편향이 있어야 합니다.",
)
class s2s_last_layer_without_bias(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.fc = nn.Linear(2 * hidden_dim, output_dim, bias=False)


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
    hint="A tanh follows fc; the result of fc is asked for as it is.",
    ko="fc 다음에 tanh를 했습니다. fc의 결과를 그대로 돌려주어야 합니다.",
)
class s2s_tanh_at_the_end(Parts):
    def forward(self, encoder_input, decoder_input):
        return torch.tanh(super().forward(encoder_input, decoder_input))


@mistake(
    hint="The result is a tuple; return the output alone.",
    ko="결과가 튜플입니다. 출력 하나만 돌려주세요.",
)
class s2s_returns_hidden(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input), self.encoder(encoder_input)[1]


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
    hint="The GRUs have two layers; one is asked for.",
    ko="GRU가 두 층입니다. 한 층이어야 합니다.",
    unnamed="The second layer is drawn at random, so the numbers look like those of any wrong answer.",
)
class s2s_two_layers(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim, num_layers=2, batch_first=True)
        self.decoder = nn.GRU(hidden_dim, hidden_dim, num_layers=2, batch_first=True)


@mistake(
    hint="These are LSTMs or plain RNNs; nn.GRU is asked for.",
    ko="LSTM이나 보통 RNN입니다. nn.GRU가 필요합니다.",
)
class s2s_plain_rnn(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.RNN(input_dim, hidden_dim, batch_first=True)
        self.decoder = nn.RNN(hidden_dim, hidden_dim, batch_first=True)


@mistake(
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class s2s_extra_layer(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder_input_transform = nn.Linear(input_dim, hidden_dim)


@mistake(
    hint="Something is dropped in training; this model has no dropout.",
    ko="학습 중에 무언가를 떨어뜨립니다. 이 모델에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class s2s_with_dropout(Parts):
    def decode(self, decoder_input, hidden):
        return F.dropout(super().decode(decoder_input, hidden), 0.1, self.training)


@mistake(
    hint="In eval the decoder feeds itself with its own output; this model does the same in both modes.",
    ko="eval에서 디코더가 자기 출력을 읽습니다. 이 모델은 두 모드에서 같은 일을 합니다.",
    unnamed="Only eval is another, and its numbers look like those of any wrong answer.",
)
class s2s_other_in_eval(Parts):
    def decode(self, decoder_input, hidden):
        outputs = super().decode(decoder_input, hidden)
        return outputs if self.training else self.decoder(outputs, hidden)[0]


@mistake(
    hint="The result is always float32; keep the dtype of the inputs (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class s2s_always_float32(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input, decoder_input).float()


@mistake(
    hint="The encoder's last state is cut off (detach) before the decoder, so the decoder teaches the encoder nothing.",
    ko="인코더의 마지막 상태가 디코더 앞에서 끊겨(detach) 디코더의 오차가 인코더에 전해지지 않습니다.",
)
class s2s_hidden_detached(Parts):
    def decode(self, decoder_input, hidden):
        return super().decode(decoder_input, hidden.detach())


@mistake(
    hint="The context is cut off (detach, no_grad), so the attention never learns.",
    ko="문맥 벡터가 끊겨(detach, no_grad) 어텐션이 학습되지 않습니다.",
)
class s2s_context_detached(Parts):
    def read(self, encoder_input):
        outputs, hidden, context = super().read(encoder_input)
        return outputs, hidden, context.detach()


@mistake(
    hint="In eval the results are cut off from the graph; eval does not turn gradients off.",
    ko="eval에서 결과가 계산 그래프에서 끊깁니다. eval은 그래디언트를 끄지 않습니다.",
)
class s2s_detached_in_eval(Parts):
    def forward(self, encoder_input, decoder_input):
        return super().forward(encoder_input if self.training else encoder_input.detach(), decoder_input)


@mistake(
    hint="The hidden state is cut off between the decoder's steps (detach), so errors stop at one step.",
    ko="디코더의 단계 사이에서 은닉 상태가 끊겨(detach) 오차가 한 단계에서 멈춥니다.",
)
class s2s_steps_detached(Parts):
    def decode(self, decoder_input, hidden):
        outputs = []
        for t in range(decoder_input.shape[1]):
            output, hidden = self.decoder(self.decoder_input_transform(decoder_input[:, t : t + 1]), hidden)
            hidden = hidden.detach()
            outputs.append(output)
        return torch.cat(outputs, dim=1)


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
    hint="The output of an earlier call with the same shapes is returned again; compute it from the new inputs.",
    ko="모양이 같으면 예전 호출의 출력을 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class s2s_output_kept(Parts):
    def forward(self, encoder_input, decoder_input):
        key = (encoder_input.shape, decoder_input.shape, encoder_input.dtype)
        if getattr(self, "key", None) != key:
            self.key, self.output = key, super().forward(encoder_input, decoder_input)
        return self.output


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


@mistake(
    hint="Encoder and decoder are one and the same GRU; each has weights of its own.",
    ko="인코더와 디코더가 같은 GRU입니다. 저마다 자기 가중치가 있어야 합니다.",
)
class s2s_one_gru(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = self.decoder

    def read(self, encoder_input):
        return super().read(self.decoder_input_transform(encoder_input))
