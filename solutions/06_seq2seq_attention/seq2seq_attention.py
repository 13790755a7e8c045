# %% [markdown]
# # Attention in a sequence-to-sequence model
#
# Before there were transformers, attention was put between two recurrent networks: an encoder reads a sentence, a
# decoder writes another, and attention lets the decoder look back at everything that the encoder has read. Here the
# comparison is no dot product but a small network of its own, which is why it is called additive attention.
#
# The letters are the same everywhere: `B` items in a batch, `T` tokens that the encoder reads, `T_dec` steps of the
# decoder, `h` features of a hidden state (`hidden_size`, `hidden_dim`).
#
# float64 is computed in float64 all the way. A tensor that is handed in may lie in memory in any way, as a transposed or a sliced one does, which `reshape` takes and
# `view` may refuse.
#
# Your code has to run on a GPU too: a tensor that you make gets the device of the input (`device=x.device`), and one that
# a module keeps is a parameter or a buffer.
#
# Fill in the marked places, run the cell, then run the `check` below it. Every exercise is graded for itself. You may use
# your own earlier answer in the later one, but then a mistake in the earlier one counts there too.

# %%
import torch
from torch import nn
from torch.nn import functional as F

from grader import check

# %% [markdown]
# ## 1. Additive attention
#
# One hidden state asks a question of every token that the encoder has read. Both are laid side by side, sent through a
# linear layer and a tanh, and a vector `v` turns what comes out into one number: the score of that token. From there on
# it is attention as you know it: the scores become weights that sum to one, and the weights mix the encoder's outputs.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "Attention"} exercise={"title": "Additive attention", "title_ko": "덧셈 어텐션", "difficulty": 2, "minutes": 25, "source": "N1 In[7]", "forbids": ["attention"]}
class Attention(nn.Module):
    """Additive attention of one hidden state over the encoder's outputs.

    Its parameters are those of `attn`, an nn.Linear(2 * hidden_size, hidden_size) with bias, and `v`, an nn.Parameter
    of shape (hidden_size,); and no others. How they are drawn is up to you.

    Args:
        hidden_size: Features h of a hidden state and of an encoder output.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
    """

    def __init__(self, hidden_size):
        super().__init__()
        ### BEGIN SOLUTION
        self.attn = nn.Linear(2 * hidden_size, hidden_size)
        self.v = nn.Parameter(torch.rand(hidden_size))
        ### END SOLUTION

    def forward(self, hidden, encoder_outputs):
        """Compare the hidden state with every encoder output and mix the outputs.

        Args:
            hidden: Tensor (B, h), one state for each item.
            encoder_outputs: Tensor (B, T, h); T may be another number in every call.

        Returns:
            (context, weights), a tuple of tensors in the dtype of the inputs, which is that of the parameters
            (float32, float64 or bfloat16).

            weights (B, T): softmax over the T tokens of score_t = sum(v * energy_t), where
            energy_t = tanh(attn([hidden, encoder_output_t])) has h features and `[a, b]` is a in front of b along the
            features. Nothing is scaled and nothing is dropped.

            context (B, h): the encoder's outputs, weighted and summed over the tokens.

            No result depends on an earlier call, and the arguments stay as they were. Gradients of both results
            reach both arguments and all parameters. The softmax is exact also where scores lie near 50 or near -50,
            and where they do so in different items of one batch.

        Example:
            >>> [result.shape for result in Attention(4)(torch.zeros(2, 4), torch.zeros(2, 5, 4))]
            [torch.Size([2, 4]), torch.Size([2, 5])]

        Hints:
            The hidden state has no axis for the tokens. Where does it have to get one, and how long is it to be?
            A bare `squeeze()` takes away every axis of size one, also that of a batch with a single item.
        """
        ### BEGIN SOLUTION
        repeated = hidden.unsqueeze(1).expand_as(encoder_outputs)  # (B, T, h)
        energy = torch.tanh(self.attn(torch.cat([repeated, encoder_outputs], dim=-1)))  # (B, T, h)
        weights = F.softmax(energy @ self.v, dim=-1)  # (B, T)
        context = (weights.unsqueeze(1) @ encoder_outputs).squeeze(1)  # (B, 1, T) @ (B, T, h) -> (B, h)
        return context, weights
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 8, "grade_id": "Attention-check"}
check("Attention")


# %% [markdown]
# ## 2. An encoder, a decoder and attention between them
#
# The encoder's last hidden state sums up what was read. It has two tasks: it asks the attention for a context, and it is
# what the decoder starts from. The context is made **once** and stands beside the decoder's output at **every** step.
#
# In training the decoder is given all its inputs at once, so `T_dec` is seldom one. What has to happen to a context of
# shape (B, h) before it can stand beside outputs of shape (B, T_dec, h)?


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "Seq2SeqWithAttention"} exercise={"title": "A sequence-to-sequence model with attention", "title_ko": "어텐션이 있는 시퀀스-투-시퀀스 모델", "difficulty": 3, "minutes": 35, "source": "N1 In[8], In[9]", "forbids": []}
class Seq2SeqWithAttention(nn.Module):
    """A GRU encoder, a GRU decoder, and attention from the encoder's last state over all it has read.

    It has these parts, and no parameters but theirs:

    - encoder: nn.GRU(input_dim, hidden_dim, batch_first=True), one layer, one direction
    - decoder: nn.GRU(hidden_dim, hidden_dim, batch_first=True), one layer, one direction
    - attention: additive attention with the parameters of `Attention(hidden_dim)`: a layer `attn` and a vector `v`
    - decoder_input_transform: nn.Linear(input_dim, hidden_dim)
    - fc: nn.Linear(2 * hidden_dim, output_dim)

    The linear layers have biases. You may take your `Attention` from above or write the attention anew, as long as
    the parameters are named `attention.attn.weight`, `attention.attn.bias` and `attention.v`.

    Args:
        input_dim: Features of a token, for the encoder and for the decoder.
        hidden_dim: Features h of a hidden state.
        output_dim: Features of the result.

    Not allowed:
        Nothing is forbidden.
    """

    def __init__(self, input_dim, hidden_dim, output_dim):
        super().__init__()
        ### BEGIN SOLUTION
        self.encoder = nn.GRU(input_dim, hidden_dim, batch_first=True)
        self.decoder = nn.GRU(hidden_dim, hidden_dim, batch_first=True)
        self.attention = nn.Module()  # only holds the parameters, so that this class stands alone
        self.attention.attn = nn.Linear(2 * hidden_dim, hidden_dim)
        self.attention.v = nn.Parameter(torch.rand(hidden_dim))
        self.decoder_input_transform = nn.Linear(input_dim, hidden_dim)
        self.fc = nn.Linear(2 * hidden_dim, output_dim)
        ### END SOLUTION

    def forward(self, encoder_input, decoder_input):
        """Read one sequence, and answer every step of another.

        Args:
            encoder_input: Tensor (B, T, input_dim).
            decoder_input: Tensor (B, T_dec, input_dim), T_dec >= 1; T and T_dec may differ.

        Returns:
            Tensor (B, T_dec, output_dim) in the dtype of the inputs, which is that of the parameters (float32, float64
            or bfloat16).

            The encoder starts from zeros and reads encoder_input. The context is that of the attention between the
            encoder's last hidden state and all its outputs; it is made once and is the same for every step of the
            decoder. The decoder starts from the encoder's last hidden state and reads
            decoder_input_transform(decoder_input). The result of step t is fc([decoder_output_t, context]), where
            `[a, b]` is a in front of b along the features; nothing else is applied to it.

            Nothing is dropped, no result depends on an earlier call, and the arguments stay as they were. Gradients
            flow to both inputs and to all parameters.

        Example:
            >>> Seq2SeqWithAttention(3, 4, 6)(torch.zeros(2, 5, 3), torch.zeros(2, 7, 3)).shape
            torch.Size([2, 7, 6])

        Hints:
            What does nn.GRU return, and which axes does its hidden state have? One of them is there for the layers.
            Try it with T_dec = 3 before you believe it.
        """
        ### BEGIN SOLUTION
        encoder_outputs, hidden = self.encoder(encoder_input)  # (B, T, h), (1, B, h)
        query = hidden[-1].unsqueeze(1).expand_as(encoder_outputs)  # (B, T, h)
        energy = torch.tanh(self.attention.attn(torch.cat([query, encoder_outputs], dim=-1)))  # (B, T, h)
        weights = F.softmax(energy @ self.attention.v, dim=-1)  # (B, T)
        context = weights.unsqueeze(1) @ encoder_outputs  # (B, 1, h)
        decoder_outputs, _ = self.decoder(self.decoder_input_transform(decoder_input), hidden)  # (B, T_dec, h)
        beside = context.expand_as(decoder_outputs)  # (B, T_dec, h)
        return self.fc(torch.cat([decoder_outputs, beside], dim=-1))  # (B, T_dec, output_dim)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 12, "grade_id": "Seq2SeqWithAttention-check"}
check("Seq2SeqWithAttention")
