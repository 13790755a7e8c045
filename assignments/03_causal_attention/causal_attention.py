# %% [markdown]
# # Hiding the future
#
# A model that writes a sentence word by word must not look at words that it has not written yet. So each token may
# attend to itself and to the tokens before it, and to nothing behind it. That is causal attention. You build the masks
# for it, put them to use in two ways that give the same weights, add dropout, and pack everything into a module.
#
# The letters are the same everywhere: `B` items in a batch, `T` tokens, `d_in` features of a token, `d_out` features of
# a query, key and value. `...` stands for any number of leading dimensions, none included. In a tensor (..., T, T) the
# row `i` belongs to the token that looks and the column `j` to the token that is looked at; `j > i` is the future.
#
# Four rules hold in every exercise that takes tensors. The result has the dtype of the first tensor, bfloat16 included,
# and lies on its device; float64 is computed in float64 all the way, also inside a softmax. The tensors you are given,
# which may be views of others (transposed, say), are left as they are. Gradients flow from the result back to the
# tensors it was computed from. And every call is computed anew from what it is given.
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
# ## 1. Weights first, mask afterwards
#
# The plainest way: compute the weights as if everything were visible, strike out those of the future, and divide what
# is left in each row by its sum. First the mask that strikes out, then its use.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "causal_mask_simple"} exercise={"title": "A mask of ones and zeros", "title_ko": "1과 0으로 된 마스크", "difficulty": 1, "minutes": 5, "source": "N0 In[28]", "forbids": ["causal_mask"]}
def causal_mask_simple(context_length):
    """Mark with 1 what each token may look at.

    Args:
        context_length: Number of tokens T, a whole number of at least 1.

    Returns:
        Tensor (T, T) of torch's default dtype, float32: 1 at [i, j] where token i may look at token j, which is itself
        or an earlier one, and 0 elsewhere.

    Not allowed:
        nn.Transformer.generate_square_subsequent_mask.

    Example:
        >>> causal_mask_simple(3)
        tensor([[1., 0., 0.],
                [1., 1., 0.],
                [1., 1., 1.]])

    Hints:
        Write the case T = 3 on paper. Which token sees one token only, and which sees all of them?
        torch can keep one triangle of a matrix and clear the other.
    """
    # YOUR CODE HERE
    raise NotImplementedError("causal_mask_simple is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "causal_mask_simple-check"}
check("causal_mask_simple")

# %% [markdown]
# With zeros in the place of the future, the weights that are left no longer sum to 1. Each row has to be shared out
# anew.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "mask_and_renormalize"} exercise={"title": "Strike out the future and share anew", "title_ko": "미래를 지우고 다시 나누기", "difficulty": 2, "minutes": 15, "source": "N0 In[29], In[30]", "forbids": []}
def mask_and_renormalize(attn_weights):
    """Set the weights of future tokens to zero and make every row sum to 1 again.

    Args:
        attn_weights: Tensor (..., T, T) of positive weights; each row (last axis) sums to 1.

    Returns:
        A new tensor (..., T, T) in the dtype of `attn_weights`: 0 at [..., i, j] where j > i, and each row's other
        weights divided by their own sum. The rows sum to 1 also where the weights that are left are tiny, say 1e-5
        together.

    Example:
        >>> mask_and_renormalize(torch.tensor([[0.5, 0.5], [0.25, 0.75]]))
        tensor([[1.0000, 0.0000],
                [0.2500, 0.7500]])

    Hints:
        After the striking out, what does the first row sum to? What must it be divided by?
        A sum over the last axis loses that axis; think of how it has to look to divide row by row.
    """
    # YOUR CODE HERE
    raise NotImplementedError("mask_and_renormalize is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "mask_and_renormalize-check"}
check("mask_and_renormalize")


# %% [markdown]
# ## 2. Mask first, weights afterwards
#
# The sum can be had for nothing: the softmax divides by a sum anyway. A score of minus infinity becomes a weight of
# exactly 0, since its exponential is 0, and the softmax shares the whole among the rest. So it is the scores that are
# masked, and the mask now marks what must be **hidden**.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "causal_mask"} exercise={"title": "A mask that says what is hidden", "title_ko": "가려야 할 곳을 알리는 마스크", "difficulty": 1, "minutes": 5, "source": "N2 In[61]", "forbids": ["causal_mask"]}
def causal_mask(context_length):
    """Mark with True what must be hidden from each token.

    Args:
        context_length: Number of tokens T, a whole number of at least 1.

    Returns:
        Bool tensor (T, T): True at [i, j] where token j comes after token i, False elsewhere.

    Not allowed:
        nn.Transformer.generate_square_subsequent_mask.

    Example:
        >>> causal_mask(3)
        tensor([[False,  True,  True],
                [False, False,  True],
                [False, False, False]])

    Hints:
        May a token look at itself? So what is on the diagonal?
        A mask of this kind goes straight into `masked_fill`, which asks for bools.
    """
    # YOUR CODE HERE
    raise NotImplementedError("causal_mask is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "causal_mask-check"}
check("causal_mask")

# %% [markdown]
# Where the mask says that a token lies in the future, its score gives way to minus infinity. The scores of the past and
# of the token itself stay as they are.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "apply_causal_mask"} exercise={"title": "Scores without a future", "title_ko": "미래를 가린 점수", "difficulty": 2, "minutes": 10, "source": "N0 In[32], N2 In[62]", "forbids": ["causal_mask"]}
def apply_causal_mask(scores):
    """Hide the scores of future tokens.

    Args:
        scores: Tensor (..., T, T) of finite numbers, zeros among them.

    Returns:
        A new tensor (..., T, T) in the dtype of `scores`: minus infinity at [..., i, j] where j > i, the same number as
        in `scores` elsewhere. `scores` itself is left as it was, and the result does not share its memory.

    Not allowed:
        nn.Transformer.generate_square_subsequent_mask.

    Example:
        >>> apply_causal_mask(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        tensor([[1., -inf],
                [3., 4.]])

    Hints:
        Methods of a tensor whose name ends in an underscore change the tensor itself.
        What is 0 times infinity? Choose an operation that replaces numbers instead of computing with them.
    """
    # YOUR CODE HERE
    raise NotImplementedError("apply_causal_mask is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "apply_causal_mask-check"}
check("apply_causal_mask")

# %% [markdown]
# Now the whole way: from plain dot products to weights that look back only.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "causal_attention_weights"} exercise={"title": "From scores to causal weights", "title_ko": "점수에서 인과 가중치까지", "difficulty": 2, "minutes": 10, "source": "N0 In[33], N2 In[63]", "forbids": []}
def causal_attention_weights(scores, d_k):
    """Turn scores into weights of which none falls on a future token.

    Args:
        scores: Tensor (..., T, T) of finite dot products, not scaled yet; zeros are among them.
        d_k: Number of features of a key, a whole number of at least 1; it need not be T.

    Returns:
        Tensor (..., T, T) in the dtype of `scores`: at [..., i, j] where j > i the weight is 0; along each row the
        others are the softmax of the visible scores divided by the root of d_k. They are right also where scores lie
        in the thousands, above zero or below, and hidden ones far above the others: exponentials want each row's
        largest visible score subtracted first, which the library's softmax does by itself.

    Example:
        >>> causal_attention_weights(2 * torch.tensor([[1.0, 5.0], [1.0, 3.0]]).log(), 4)
        tensor([[1.0000, 0.0000],
                [0.2500, 0.7500]])

    Hints:
        Three steps: hide, scale, softmax. Two of them may change places, one must be the last.
        However large a hidden score is, nothing of it may be left in the result.
    """
    # YOUR CODE HERE
    raise NotImplementedError("causal_attention_weights is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "causal_attention_weights-check"}
check("causal_attention_weights")


# %% [markdown]
# ## 3. Dropout on the weights
#
# In training some weights are struck out at random, so that the model does not come to lean on a single token. What is
# kept grows by 1 / (1 - p), so that a weight is the same as before on average. Here the coin has been tossed already:
# you are given which entries are kept.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "dropout_weights"} exercise={"title": "Dropout with a given mask", "title_ko": "주어진 마스크로 하는 드롭아웃", "difficulty": 1, "minutes": 10, "source": "N0 In[34], In[35]", "forbids": []}
def dropout_weights(attn_weights, keep_mask, p):
    """Drop the weights that the mask does not keep, and scale up the others.

    Args:
        attn_weights: Tensor (..., T, T), rows of weights.
        keep_mask: Tensor of the same shape, bools or numbers of any dtype. True, or any number but 0, means kept: the
            mask of 0 and 2 that the note prints means the same as one of False and True.
        p: The probability with which the mask was drawn, 0 <= p < 1.

    Returns:
        Tensor (..., T, T) in the dtype of `attn_weights`, whatever that of the mask: kept entries divided by 1 - p, the
        others 0. A row need not sum to 1. Nothing is drawn at random.

    Example:
        >>> dropout_weights(torch.tensor([[0.4, 0.6]]), torch.tensor([[True, False]]), 0.2)
        tensor([[0.5000, 0.0000]])

    Hints:
        How do you make True and False of numbers that may be 1, 2 or something else?
        p is the share that is dropped. By which factor do the kept ones grow if half of them are gone?
    """
    # YOUR CODE HERE
    raise NotImplementedError("dropout_weights is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "dropout_weights-check"}
check("dropout_weights")


# %% [markdown]
# ## 4. The module
#
# Three linear layers make queries, keys and values; the rest is what you have built above. Two things are new. The mask
# is not a parameter, since nothing about it is learned, but it has to move to the GPU together with the module: that is
# what `register_buffer` is for. And it is made once, for the longest sequence allowed, while the sequences that come may
# be shorter.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "CausalAttention"} exercise={"title": "Causal attention as a module", "title_ko": "모듈로 만든 인과 어텐션", "difficulty": 3, "minutes": 30, "source": "N0 In[37], In[38]", "forbids": ["attention"]}
class CausalAttention(nn.Module):
    """Scaled dot-product attention of a sequence with itself, in which no token sees a later one.

    Its parameters are those of three layers W_query, W_key and W_value, each an nn.Linear(d_in, d_out) that has a bias
    only if qkv_bias is true; and no others. The causal mask, context_length x context_length, is made when the module is
    constructed and kept as a buffer (`register_buffer`), so that it follows `.to()`; forward takes it from there. The
    buffer's name and dtype are yours to choose, and so is whether it marks what is hidden or what is visible, and
    whether state_dict holds it.

    Args:
        d_in: Features of a token.
        d_out: Features of a query, a key and a value.
        context_length: The largest number of tokens.
        dropout: Probability, 0 <= dropout < 1, that a weight is dropped in training.
        qkv_bias: Whether the three layers have a bias.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
    """

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError("CausalAttention is not written yet")

    def forward(self, x):
        """Attend to the past and to oneself.

        Args:
            x: Tensor (B, T, d_in) with 1 <= T <= context_length.

        Returns:
            Tensor (B, T, d_out): the values, averaged with the causal weights; the scores are divided by the root of
            d_out before the softmax. In training dropout acts on the weights after the softmax, each drawn for itself
            and anew in every call (some become 0, the others are divided by 1 - dropout), and on nothing else. In eval
            nothing is dropped. Every item of the batch is treated for itself.
            The weights are right also where scores lie in the thousands, above zero or below, and hidden ones far above
            the others: a hidden token gets none, and exponentials want each row's largest visible score subtracted
            first, which the library's softmax does by itself.

        Raises:
            ValueError: T is larger than context_length.

        Example:
            >>> CausalAttention(4, 3, 6, 0.0)(torch.zeros(2, 5, 4)).shape
            torch.Size([2, 5, 3])

        Hints:
            A sequence of T tokens needs the first T rows and columns of the mask.
            `nn.Dropout` already knows whether the module is in training.
        """
        # YOUR CODE HERE
        raise NotImplementedError("CausalAttention is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 10, "grade_id": "CausalAttention-check"}
check("CausalAttention")
