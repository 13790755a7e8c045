# %% [markdown]
# # A transformer block
#
# A transformer is a stack of equal blocks. In each, the tokens first exchange what they know (attention), then every
# token thinks for itself (a feed-forward network). Before the first block each token is told where it stands, because
# attention alone cannot tell: it sees a set of tokens and not a row of them.
#
# The letters are the same everywhere: `B` items in a batch, `T` tokens, `d_model` features of a token, `H` heads
# (`num_heads`), `head_dim = d_model / H` features of a head, `d_ff` features inside the feed-forward network.
#
# Five rules hold in every exercise that takes tensors. The result has the dtype of the input (float32 in, float32 out;
# float64 and bfloat16 likewise; a module is turned to another dtype by `.to(...)`, and computes in float64 then all the
# way; an encoding may be made in float32). What is handed in is left as it is.
# Gradients flow from the result back to the input and every parameter, in training and in eval, so compute with tensors
# all the way: what was made of `.item()`, `.tolist()`, `.numpy()`, `.data` or `.detach()` is cut off. And every call is
# computed anew from what it is given, and by a module's own arguments, whatever was called or made before. A tensor may
# lie in memory in any way, as a transposed or a sliced one does, which `reshape` takes and `view` may refuse.
#
# Your code has to run on a GPU too: a tensor that you make gets the device of the input (`device=x.device`), and one that
# a module keeps is a parameter or a buffer.
#
# Fill in the marked places, run the cell, then run the `check` below it. Every exercise is graded for itself. You may use
# your own earlier answers in later ones, but then a mistake in the earlier one counts there too.

# %%
import math

import torch
from torch import nn
from torch.nn import functional as F

from grader import check

# %% [markdown]
# ## 1. Where does a token stand?
#
# Think of a clock. The second hand turns fast, the minute hand slower, the hour hand slower still; together they tell
# any moment of the day. Positional encoding gives each position such a set of hands: pairs of a sine and a cosine, the
# first pair fast, each later one slower.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "positional_encoding"} exercise={"title": "Positional encoding", "title_ko": "위치 인코딩", "difficulty": 2, "minutes": 20, "source": "N4, Positional Encoding", "forbids": []}
def positional_encoding(seq_len, d_model):
    """Make the table of positional encodings.

    Args:
        seq_len: Number of positions, at least 1 and as many as you like; they are counted from 0.
        d_model: Features of a token, an even number of at least 2.

    Returns:
        Tensor (seq_len, d_model), float32, which requires no gradient. In row `pos`, for i = 0, ..., d_model / 2 - 1,
        column 2i holds sin(pos / 10000^(2i / d_model)) and column 2i + 1 holds cos(pos / 10000^(2i / d_model)).

    Raises:
        ValueError: d_model is odd.

    Example:
        >>> positional_encoding(2, 4)
        tensor([[0.0000, 1.0000, 0.0000, 1.0000],
                [0.8415, 0.5403, 0.0100, 0.9999]])

    Hints:
        Columns 2i and 2i + 1 share one angle. How many different angles does a position have?
        A slice with a step, `table[:, 0::2]`, names every second column.
    """
    # YOUR CODE HERE
    raise NotImplementedError("positional_encoding is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "positional_encoding-check"}
check("positional_encoding")

# %% [markdown]
# The encoding is added to the tokens, whatever their dtype, and every item of a batch gets the same.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "add_positional_encoding"} exercise={"title": "Add the encoding to the tokens", "title_ko": "토큰에 위치 인코딩 더하기", "difficulty": 1, "minutes": 10, "source": "N4, Positional Encoding", "forbids": []}
def add_positional_encoding(x):
    """Tell every token where it stands by adding the encoding of its position.

    Args:
        x: Tensor (B, T, d_model) of any floating dtype, d_model even; T may be any length.

    Returns:
        Tensor (B, T, d_model): x plus the positional encoding of `positional_encoding(T, d_model)`, the same for every
        item of the batch. It has the dtype of `x` (also float16 and bfloat16) and is on its device; an encoding that
        is made in float32 and then turned into that dtype is precise enough, one whose angles are float16 or bfloat16
        is not. `x` is left as it was, is neither scaled nor rounded to a narrower dtype, and gradients reach it.

    Raises:
        ValueError: d_model is odd.

    Example:
        >>> add_positional_encoding(torch.zeros(1, 2, 2))
        tensor([[[0.0000, 1.0000],
                 [0.8415, 0.5403]]])

    Hints:
        Which axis of `x` counts the positions? Try a batch with more items than tokens.
        float32 plus bfloat16 gives float32.
    """
    # YOUR CODE HERE
    raise NotImplementedError("add_positional_encoding is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "add_positional_encoding-check"}
check("add_positional_encoding")


# %% [markdown]
# ## 2. Every token for itself
#
# Attention mixes tokens but computes little with what it has mixed. The feed-forward network does: two linear layers
# with a bend between them, the same for every token, and no token sees another.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "FeedForward"} exercise={"title": "Feed-forward network", "title_ko": "피드포워드 신경망", "difficulty": 1, "minutes": 10, "source": "Attention Is All You Need, which N4 cites", "forbids": []}
class FeedForward(nn.Module):
    """Two linear layers with a ReLU between them, applied to every token.

    Its parameters are those of `linear1`, an nn.Linear(d_model, d_ff), and `linear2`, an nn.Linear(d_ff, d_model), both
    with bias, and no others. The order in which they are made is up to you.

    Args:
        d_model: Features of a token.
        d_ff: Features between the two layers.

    Not allowed:
        Nothing is forbidden.
    """

    def __init__(self, d_model, d_ff):
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError("FeedForward is not written yet")

    def forward(self, x):
        """Transform every token.

        Args:
            x: Tensor (B, T, d_model).

        Returns:
            Tensor (B, T, d_model) in the dtype of `x`: linear2(relu(linear1(x))). There is no dropout, and `x` is not
            added to the result (the block does that). `x` is left as it was, and gradients reach it and every
            parameter, in training and in eval.

        Example:
            >>> FeedForward(4, 8)(torch.zeros(2, 5, 4)).shape
            torch.Size([2, 5, 4])

        Hints:
            A linear layer works on the last axis and leaves the others alone.
        """
        # YOUR CODE HERE
        raise NotImplementedError("FeedForward is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "FeedForward-check"}
check("FeedForward")


# %% [markdown]
# ## 3. The block
#
# Attention and feed-forward network each sit on a **residual path**: what they compute is added to what came in, so a
# block that has learned nothing passes its input on unharmed. In the pre-LN order a layer norm stands in front of each
# of the two, and none on the path itself:
#
# ```
# x ──┬───────────────────────────► + ──┬──────────────────────────────► + ──► result
#     └► norm ─► attention ─────────┘    └► norm ─► feed-forward ─────────┘
# ```


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "TransformerBlock"} exercise={"title": "A transformer block", "title_ko": "트랜스포머 블록", "difficulty": 4, "minutes": 50, "source": "N4, the architecture; N2, Pre-LN", "forbids": ["attention", "transformer_layer"]}
class TransformerBlock(nn.Module):
    """Multi-head self-attention and a feed-forward network, each behind a layer norm and on a residual path (pre-LN).

    It has these parts, and no parameters but theirs; all of them are trained:

    - norm1, norm2: layer norms over the features, nn.LayerNorm or your own: mean and population variance (divided by
      d_model), an eps of 1e-5 under the root, and a `weight` and a `bias` (d_model,).
    - attention: multi-head self-attention, a module with four layers nn.Linear(d_model, d_model, bias=False) named W_q,
      W_k, W_v and W_o. Head h owns the features h * head_dim, ..., (h + 1) * head_dim - 1 of what W_q, W_k and W_v
      give, with head_dim = d_model / num_heads. In each head softmax(q k^T / sqrt(head_dim)) v; the heads side by side,
      head 0 first, go through W_o.
    - feed_forward: a network as in `FeedForward(d_model, d_ff)`: linear1, ReLU, linear2.

    You may take your `FeedForward` from above or write the network anew, as long as the parameters are named
    `feed_forward.linear1.weight` and so on. The order in which parts are made is up to you.

    Args:
        d_model: Features of a token.
        num_heads: Number of heads H.
        d_ff: Features inside the feed-forward network.
        dropout: Probability, 0 <= dropout < 1, that a number is dropped in training, of the attention weights and of
            what attention and feed-forward network give before it is added; the others are divided by 1 - dropout.
            Never of x itself along the residual path, nor of anything else, such as queries or hidden features. Each
            number of each item is dropped for itself and anew in every call. In eval nothing is dropped. Any of these
            places earns the points; you need not use all three.
        causal: If True, token i attends to the tokens 0, ..., i only; if False, to all.

    Raises:
        ValueError or AssertionError: d_model is not divisible by num_heads (when constructed).

    Not allowed:
        nn.TransformerEncoderLayer (nor nn.Transformer and its other layers), F.scaled_dot_product_attention,
        nn.MultiheadAttention, F.multi_head_attention_forward. nn.LayerNorm and F.layer_norm are allowed.
    """

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, causal=True):
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError("TransformerBlock is not written yet")

    def forward(self, x):
        """Let the tokens exchange what they know, then let each of them think.

        Args:
            x: Tensor (B, T, d_model); T may be any length, another one in every call.

        Returns:
            Tensor (B, T, d_model) in the dtype of `x`. With x' = x + attention(norm1(x)) it is
            x' + feed_forward(norm2(x')). The softmax is right whatever the scores are, also where all of a row are near
            2000 or near -2000, and a token that is hidden gets the weight 0 there as well. No result depends on an
            earlier call, `x` is left as it was, and gradients reach it and every parameter, in training and in eval.

        Example:
            >>> TransformerBlock(6, 3, 12)(torch.zeros(2, 5, 6)).shape
            torch.Size([2, 5, 6])

        Hints:
            Which two lines of the result show that the block passes x on unharmed when both sublayers give zero?
            Test your block on its own: change the last token at random and look which outputs move. Adding a constant
            to all features of the token would show nothing, because a layer norm takes it away again.
            A softmax by hand subtracts the largest score of each row first; torch.softmax does so by itself.
        """
        # YOUR CODE HERE
        raise NotImplementedError("TransformerBlock is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 15, "grade_id": "TransformerBlock-check"}
check("TransformerBlock")
