"""Right answers to `Seq2SeqWithAttention` in other styles than the solution's, which must have full marks."""

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, right


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


@right(why="an attention module of its own, the context repeated by repeat, other order of parts")
class s2s_own_attention(nn.Module):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        self.fc = nn.Linear(hidden_dim * 2, output_dim)
        self.decoder_input_transform = nn.Linear(input_dim, hidden_dim)
        self.attention = Additive(hidden_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim, num_layers=1, batch_first=True)
        self.encoder = nn.GRU(input_dim, hidden_dim, num_layers=1, batch_first=True)

    def forward(self, encoder_input, decoder_input):
        outputs, hidden = self.encoder(encoder_input)
        context, _ = self.attention(hidden.squeeze(0), outputs)
        answers, _ = self.decoder(self.decoder_input_transform(decoder_input), hidden)
        return self.fc(torch.cat((answers, context.unsqueeze(1).repeat(1, answers.size(1), 1)), dim=2))


@right(why="the decoder step by step, the last output as the hidden state")
class s2s_step_by_step(Parts):
    def forward(self, encoder_input, decoder_input):
        outputs, state = self.encoder(encoder_input)
        context = self.attention(outputs[:, -1], outputs)[0].unsqueeze(1)
        answers = []
        for step in decoder_input.split(1, dim=1):
            output, state = self.decoder(self.decoder_input_transform(step), state)
            answers.append(self.fc(torch.cat([output, context], dim=-1)))
        return torch.cat(answers, dim=1)


@right(why="GRUs without batch_first on transposed inputs: a result that is not contiguous")
class s2s_transposed(Parts):
    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__(input_dim, hidden_dim, output_dim)
        self.encoder = nn.GRU(input_dim, hidden_dim)
        self.decoder = nn.GRU(hidden_dim, hidden_dim)

    def forward(self, encoder_input, decoder_input):
        outputs, hidden = self.encoder(encoder_input.transpose(0, 1))
        context = self.attention(hidden[0], outputs.transpose(0, 1))[0]
        answers = self.decoder(self.decoder_input_transform(decoder_input.transpose(0, 1)), hidden)[0]
        return self.fc(torch.cat([answers, context.expand_as(answers)], dim=-1)).transpose(0, 1)


@right(why="fc taken apart into its two halves and added")
class s2s_fc_in_halves(Parts):
    def forward(self, encoder_input, decoder_input):
        _, hidden, context = self.read(encoder_input)
        outputs = self.decode(decoder_input, hidden)
        left, right_half = self.fc.weight.chunk(2, dim=1)
        return outputs @ left.T + (context @ right_half.T)[:, None] + self.fc.bias


@right(why="GRU cells written out by hand in modules with the names of nn.GRU's parameters")
class s2s_gru_by_hand(nn.Module):
    class Recurrent(nn.Module):
        def __init__(self, size, hidden):
            super().__init__()
            for name, shape in (("weight_ih", (size,)), ("weight_hh", (hidden,)), ("bias_ih", ()), ("bias_hh", ())):
                setattr(self, f"{name}_l0", nn.Parameter(torch.randn(3 * hidden, *shape) / hidden))

        def forward(self, tokens, state):
            outputs = []
            for token in tokens.unbind(1):
                given = F.linear(token, self.weight_ih_l0, self.bias_ih_l0).chunk(3, dim=-1)
                kept = F.linear(state, self.weight_hh_l0, self.bias_hh_l0).chunk(3, dim=-1)
                reset, update = torch.sigmoid(given[0] + kept[0]), torch.sigmoid(given[1] + kept[1])
                fresh = torch.tanh(given[2] + reset * kept[2])
                state = (1 - update) * fresh + update * state
                outputs.append(state)
            return torch.stack(outputs, dim=1), state

    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        self.encoder = self.Recurrent(input_dim, hidden_dim)
        self.decoder = self.Recurrent(hidden_dim, hidden_dim)
        self.attention = Additive(hidden_dim)
        self.fc = nn.Linear(hidden_dim * 2, output_dim)
        self.decoder_input_transform = nn.Linear(input_dim, hidden_dim)

    def forward(self, encoder_input, decoder_input):
        start = encoder_input.new_zeros(len(encoder_input), self.fc.in_features // 2)
        outputs, state = self.encoder(encoder_input, start)
        context = self.attention(state, outputs)[0]
        answers, _ = self.decoder(self.decoder_input_transform(decoder_input), state)
        return self.fc(torch.cat([answers, context[:, None].expand_as(answers)], dim=-1))
