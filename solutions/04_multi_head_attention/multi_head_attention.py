# %% [markdown]
# # Multi-head attention
#
# One attention head gives every token one way of looking at the others. Several heads side by side, each on its own
# slice of the features, give it several ways at once. This assignment builds that from the reshapes up to the module.
#
# The letters are the same everywhere: `B` items in a batch, `T` tokens, `d_model` features of a token, `H` heads
# (`num_heads`), `head_dim = d_model / H` features of a head. `...` stands for any number of leading dimensions, none
# included.
#
# Four rules hold in every exercise that takes tensors. The result has the dtype of the first tensor, bfloat16 included,
# and lies on its device; float64 is computed in float64 all the way, also inside a softmax. The tensors you are given,
# which may be views of others (transposed, say), are left as they are. Gradients flow from the result back to the
# tensors it was computed from, and to the parameters of a module. And every call is computed anew from what it is given.
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
# ## 1. From features to heads and back
#
# Splitting cuts the features of **each token** into `H` consecutive blocks; block `h` belongs to head `h`. Nothing is
# computed, no number changes. Think of which index moves where before you reach for a reshape: a reshape keeps the
# order of the numbers in memory, a transpose does not.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "split_heads"} exercise={"title": "Split the features into heads", "title_ko": "특징을 헤드로 나누기", "difficulty": 1, "minutes": 10, "source": "N2 In[39], N3", "forbids": []}
def split_heads(x, num_heads):
    """Cut the features of every token into heads.

    Args:
        x: Tensor (B, T, d_model).
        num_heads: Number of heads H.

    Returns:
        Tensor (B, H, T, head_dim) in the dtype of `x`, with head_dim = d_model / H. Head h holds the features
        h * head_dim, ..., (h + 1) * head_dim - 1 of every token.

    Raises:
        ValueError: d_model is not divisible by num_heads.

    Example:
        >>> split_heads(torch.arange(8.0).reshape(1, 2, 4), 2).tolist()
        [[[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]]]

    Hints:
        Give the feature axis two axes first: which of the two varies faster, the head or the place in the head?
        Then look at which axes stand in the wrong order.
    """
    ### BEGIN SOLUTION
    B, T, d_model = x.shape
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} features cannot be shared equally by {num_heads} heads")
    blocks = x.reshape(B, T, num_heads, d_model // num_heads)  # (B, T, H, head_dim)
    return blocks.transpose(1, 2)  # (B, H, T, head_dim)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "split_heads-check"}
check("split_heads")

# %% [markdown]
# When every head has done its work, each token gathers what its heads found, one next to the other.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "merge_heads"} exercise={"title": "Put the heads back together", "title_ko": "헤드를 다시 합치기", "difficulty": 1, "minutes": 10, "source": "N2 In[44], N3", "forbids": []}
def merge_heads(x):
    """Write the heads of every token next to each other, head 0 first.

    Args:
        x: Tensor (B, H, T, head_dim).

    Returns:
        Tensor (B, T, H * head_dim) in the dtype of `x`, contiguous in memory (`.is_contiguous()` is True).

    Example:
        >>> merge_heads(torch.arange(8.0).reshape(1, 2, 2, 2))
        tensor([[[0., 1., 4., 5.],
                 [2., 3., 6., 7.]]])

    Hints:
        This is the way back from `split_heads`; its steps in the opposite order.
        A tensor keeps its old place in memory when its axes are swapped, so `view` may refuse; think of what `reshape`
        or `contiguous` would do.
    """
    ### BEGIN SOLUTION
    B, H, T, head_dim = x.shape
    tokens_first = x.transpose(1, 2).contiguous()  # (B, T, H, head_dim)
    return tokens_first.view(B, T, H * head_dim)  # (B, T, d_model)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "merge_heads-check"}
check("merge_heads")


# %% [markdown]
# ## 2. Attention in every head
#
# Each head compares its own queries with its own keys and never sees another head's. With the heads as a leading axis,
# the matrix product does all heads in one call.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "multi_head_scores"} exercise={"title": "Scores of every head", "title_ko": "헤드마다 점수 구하기", "difficulty": 2, "minutes": 10, "source": "N2 In[50], the einsum cell", "forbids": []}
def multi_head_scores(queries, keys):
    """Compare every query with every key of the same head.

    Args:
        queries: Tensor (..., H, T, head_dim).
        keys: Tensor (..., H, T, head_dim).

    Returns:
        Tensor (..., H, T, T): at [..., h, i, j] the dot product of query i with key j of head h, neither scaled nor
        turned into weights.

    Example:
        >>> multi_head_scores(
        ...     torch.tensor([[[1.0, 0.0]], [[0.0, 2.0]]]),
        ...     torch.tensor([[[3.0, 4.0]], [[3.0, 4.0]]])
        ... ).tolist()
        [[[3.0]], [[8.0]]]

    Hints:
        Only two axes take part in the product; the others go along. Count axes from the end.
    """
    ### BEGIN SOLUTION
    return queries @ keys.transpose(-2, -1)  # (..., H, T, T)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "multi_head_scores-check"}
check("multi_head_scores")


# %% [markdown]
# A mask says who may look at whom: 1 or `True` where a query may see a key, 0 or `False` where it must not. A hidden
# key gets weight zero **and** the remaining weights of the row still sum to one, so the hiding has to happen before
# the softmax.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "scaled_dot_product_attention"} exercise={"title": "Scaled dot-product attention with a mask", "title_ko": "마스크가 있는 스케일드 닷 프로덕트 어텐션", "difficulty": 2, "minutes": 20, "source": "N2 In[41], In[42], In[63], In[64]", "forbids": ["attention"]}
def scaled_dot_product_attention(query, key, value, mask=None):
    """Let every query take a weighted mean of the values it may see.

    Args:
        query: Tensor (..., Tq, d).
        key: Tensor (..., Tk, d).
        value: Tensor (..., Tk, dv). Tk and dv may differ from Tq and d.
        mask: None, or a tensor of any shape that broadcasts to (..., Tq, Tk), bool or numbers 0 and 1 of any dtype.
            Where it is 0 or False, the key is hidden from the query. Every query sees at least one key.

    Returns:
        (output, weights): output (..., Tq, dv) and weights (..., Tq, Tk) = softmax(query key^T / sqrt(d)) over the
        keys, 0 where hidden. Both have the dtype of `query`; the arguments stay as they were. They are right also where
        scores lie in the thousands, above zero or below: exponentials want each row's largest visible score subtracted
        first, which the library's softmax does by itself.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.

    Example:
        >>> scaled_dot_product_attention(
        ...     torch.zeros(1, 2),
        ...     torch.ones(3, 2),
        ...     torch.tensor([[1.0], [2.0], [6.0]])
        ... )
        (tensor([[3.]]), tensor([[0.3333, 0.3333, 0.3333]]))

    Hints:
        What must a score be so that its exponential is zero?
        `mask == 0` is a bool tensor for bools and for numbers alike.
    """
    ### BEGIN SOLUTION
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., Tq, Tk)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)  # (..., Tq, Tk)
    return weights @ value, weights  # (..., Tq, dv), (..., Tq, Tk)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "scaled_dot_product_attention-check"}
check("scaled_dot_product_attention")

# %% [markdown]
# All pieces are there. Put them together, with the four matrices as plain tensors.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "multi_head_attention"} exercise={"title": "Multi-head attention from four matrices", "title_ko": "네 행렬로 만드는 멀티헤드 어텐션", "difficulty": 3, "minutes": 25, "source": "N2 In[35] to In[45], In[51] to the last masked cell", "forbids": ["attention"]}
def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, causal=False):
    """Project, split into heads, attend in every head, merge, project once more.

    Args:
        x: Tensor (..., T, d_model) with no, one or two leading dimensions.
        W_Q: Tensor (d_model, d_model); the queries are x @ W_Q, and head h owns its columns
            h * head_dim, ..., (h + 1) * head_dim - 1.
        W_K: The same for the keys.
        W_V: The same for the values.
        W_O: Tensor (d_model, d_model), by which the merged heads are multiplied: merged @ W_O.
        num_heads: Number of heads H.
        causal: If True, token i sees the tokens 0, ..., i only.

    Returns:
        Tensor (..., T, d_model) in the dtype of `x`, right also where scores lie in the thousands, above zero or below.

    Raises:
        ValueError: d_model is not divisible by num_heads.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.

    Example:
        >>> multi_head_attention(
        ...     torch.tensor([[1.0, 2.0], [3.0, 6.0]]),
        ...     *torch.zeros(2, 2, 2),
        ...     torch.eye(2),
        ...     torch.eye(2),
        ...     2
        ... )
        tensor([[2., 4.],
                [2., 4.]])

    Hints:
        The scores are divided by the root of the length of the vectors that were compared. How long are they inside a
        head?
        `x` may come without a batch axis; axes counted from the end are the same either way.
    """
    ### BEGIN SOLUTION
    T, d_model = x.shape[-2:]
    if d_model % num_heads != 0:
        raise ValueError(f"{d_model} features cannot be shared equally by {num_heads} heads")
    head_dim = d_model // num_heads

    def heads(projected):
        return projected.unflatten(-1, (num_heads, head_dim)).transpose(-3, -2)  # (..., H, T, head_dim)

    queries, keys, values = heads(x @ W_Q), heads(x @ W_K), heads(x @ W_V)
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(head_dim)  # (..., H, T, T)
    if causal:
        future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)  # (T, T)
        scores = scores.masked_fill(future, float("-inf"))
    context = torch.softmax(scores, dim=-1) @ values  # (..., H, T, head_dim)
    return context.transpose(-3, -2).flatten(-2) @ W_O  # (..., T, d_model)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "multi_head_attention-check"}
check("multi_head_attention")


# %% [markdown]
# ## 3. The same as modules
#
# A module keeps its weights between calls and knows whether it is being trained. Dropout on the attention weights is
# active in training only: each weight becomes zero with probability `dropout`, the others grow by 1 / (1 - dropout) so
# that the expected sum of a row stays one.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "ScaledDotProductAttention"} exercise={"title": "Scaled dot-product attention as a module", "title_ko": "모듈로 만든 스케일드 닷 프로덕트 어텐션", "difficulty": 2, "minutes": 15, "source": "N3 In[2]", "forbids": ["attention"]}
class ScaledDotProductAttention(nn.Module):
    """Scaled dot-product attention with dropout on the weights; it has no parameters.

    Args:
        dropout: Probability, 0 <= dropout < 1, that a weight is dropped in training.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
    """

    def __init__(self, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, Q, K, V, mask=None):
        """Attend, and drop weights when in training.

        Args:
            Q: Tensor (B, Tq, d).
            K: Tensor (B, Tk, d).
            V: Tensor (B, Tk, dv). Tk and dv may differ from Tq and d.
            mask: None, or a tensor that broadcasts to (B, Tq, Tk), bool or numbers 0 and 1; where it is 0 or False
                the key is hidden. Every query sees at least one key.

        Returns:
            (output, weights): output (B, Tq, dv) = weights V, and weights (B, Tq, Tk) = dropout of
            softmax(Q K^T / sqrt(d)) over the keys, 0 where hidden. In training some weights are dropped to 0 and the
            others divided by 1 - dropout; in eval nothing is dropped. Both have the dtype of `Q`, and are right also where scores lie in the thousands, above zero or below.

        Example:
            >>> [result.shape for result in ScaledDotProductAttention()(*torch.zeros(3, 2, 5, 4))]
            [torch.Size([2, 5, 4]), torch.Size([2, 5, 5])]

        Hints:
            `nn.Dropout` already knows whether the module is in training. Which tensor has to go through it?
        """
        ### BEGIN SOLUTION
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])  # (B, Tq, Tk)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))  # (B, Tq, Tk)
        return weights @ V, weights  # (B, Tq, dv), (B, Tq, Tk)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "ScaledDotProductAttention-check"}
check("ScaledDotProductAttention")

# %% [markdown]
# The last module does all of it: four layers of its own, heads, attention with dropout, and the way back. It also hands
# out the weights, so that one can see what each head looked at.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "MultiHeadSelfAttention"} exercise={"title": "Multi-head self-attention as a module", "title_ko": "모듈로 만든 멀티헤드 셀프 어텐션", "difficulty": 3, "minutes": 30, "source": "N3 In[3], In[4]", "forbids": ["attention"]}
class MultiHeadSelfAttention(nn.Module):
    """Multi-head self-attention that also returns what each head looked at.

    Its parameters are those of four layers nn.Linear(d_model, d_model, bias=False) named W_q, W_k, W_v and W_o, and no
    others.

    Args:
        d_model: Features of a token.
        num_heads: Number of heads H; head h owns the features h * head_dim, ..., (h + 1) * head_dim - 1 of what W_q,
            W_k and W_v give.
        dropout: Probability, 0 <= dropout < 1, that an attention weight is dropped in training.

    Raises:
        ValueError or AssertionError: d_model is not divisible by num_heads (when constructed).

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
    """

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} features cannot be shared equally by {num_heads} heads")
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x, mask=None):
        """Attend in every head.

        Args:
            x: Tensor (B, T, d_model).
            mask: None, or a tensor (B, 1, 1, T), (B, 1, T, T) or (T, T), bool or numbers 0 and 1; the same for every
                head. Where it is 0 or False the key (last axis) is hidden. Every query sees at least one key.

        Returns:
            (output, weights), both in the dtype of `x`: weights (B, H, T, T) = dropout of
            softmax(q k^T / sqrt(head_dim)) over the keys in every head, 0 where hidden; output (B, T, d_model) = W_o of
            the heads' weights v, merged with head 0 first. In training the weights are those after dropout (dropped
            ones 0, the others divided by 1 - dropout); in eval nothing is dropped. Dropout on the merged heads or on
            the output, with the same probability, is allowed and not asked for; what it keeps is divided by
            1 - dropout, too. Both are right also where scores lie in the thousands, above zero or below.

        Example:
            >>> [result.shape for result in MultiHeadSelfAttention(6, 3)(torch.zeros(2, 5, 6))]
            [torch.Size([2, 5, 6]), torch.Size([2, 3, 5, 5])]

        Hints:
            Follow one token's vector through the shapes before writing a line.
            A mask of shape (B, 1, 1, T) or (B, 1, T, T) already has an axis where the heads are.
        """
        ### BEGIN SOLUTION
        B, T, d_model = x.shape

        def heads(projected):
            return projected.view(B, T, self.num_heads, self.head_dim).transpose(1, 2)  # (B, H, T, head_dim)

        queries, keys, values = heads(self.W_q(x)), heads(self.W_k(x)), heads(self.W_v(x))
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(self.head_dim)  # (B, H, T, T)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = self.dropout(torch.softmax(scores, dim=-1))  # (B, H, T, T)
        merged = (weights @ values).transpose(1, 2).reshape(B, T, d_model)  # (B, T, d_model)
        return self.W_o(merged), weights  # (B, T, d_model), (B, H, T, T)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 7, "grade_id": "MultiHeadSelfAttention-check"}
check("MultiHeadSelfAttention")


# %% [markdown]
# ## 4. Heads as separate modules
#
# The same idea can be built the other way round: every head is a small attention module of its own with its own layers,
# and the results are put side by side. Slower, but each head can be looked at alone.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "MultiHeadAttention"} exercise={"title": "Multi-head attention from separate heads", "title_ko": "따로 만든 헤드를 이어 붙인 멀티헤드 어텐션", "difficulty": 2, "minutes": 20, "source": "N4, MultiHead Attention", "forbids": ["attention"]}
class SelfAttention(nn.Module):
    """One head of `MultiHeadAttention`: scaled dot-product attention of a sequence with itself, without a mask.

    Its parameters are those of the layers q, k and v, each an nn.Linear(embedding_dim, attention_dim) with bias.

    Args:
        embedding_dim: Features of a token.
        attention_dim: Features of a query, a key and a value.
    """

    def __init__(self, embedding_dim, attention_dim):
        super().__init__()
        ### BEGIN SOLUTION
        self.q = nn.Linear(embedding_dim, attention_dim)
        self.k = nn.Linear(embedding_dim, attention_dim)
        self.v = nn.Linear(embedding_dim, attention_dim)
        ### END SOLUTION

    def forward(self, x):
        """Attend.

        Args:
            x: Tensor (B, T, embedding_dim).

        Returns:
            (output, weights), both in the dtype of `x`: weights (B, T, T) = softmax(q k^T / sqrt(attention_dim)) over
            the keys, and output (B, T, attention_dim) = weights v.
        """
        ### BEGIN SOLUTION
        queries, keys, values = self.q(x), self.k(x), self.v(x)  # (B, T, attention_dim)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])  # (B, T, T)
        weights = F.softmax(scores, dim=-1)  # (B, T, T)
        return weights @ values, weights
        ### END SOLUTION


class MultiHeadAttention(nn.Module):
    """Several `SelfAttention` heads side by side, then one linear layer over what they give.

    Its parameters are those of an nn.ModuleList `attentions` that holds num_heads heads, each with nn.Linear layers q,
    k, v (with bias) from embed_dim to embed_dim / num_heads features, and of `fc`, an nn.Linear(embed_dim, embed_dim)
    with bias; and no others. You may build the heads from the `SelfAttention` above or otherwise, as long as those
    names hold.

    Args:
        embed_dim: Features of a token.
        num_heads: Number of heads.

    Raises:
        ValueError or AssertionError: embed_dim is not divisible by num_heads (when constructed).

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        if embed_dim % num_heads != 0:
            raise ValueError(f"{embed_dim} features cannot be shared equally by {num_heads} heads")
        self.attentions = nn.ModuleList(SelfAttention(embed_dim, embed_dim // num_heads) for _ in range(num_heads))
        self.fc = nn.Linear(embed_dim, embed_dim)
        ### END SOLUTION

    def forward(self, x):
        """Run every head on the same input and combine what they give.

        Args:
            x: Tensor (B, T, embed_dim).

        Returns:
            Tensor (B, T, embed_dim) in the dtype of `x`: fc of the heads' outputs, written next to each other with head
            0 first, where a head gives softmax(q k^T / sqrt(embed_dim / num_heads)) v. It is right also where scores
            lie in the thousands, above zero or below.

        Example:
            >>> MultiHeadAttention(6, 3)(torch.zeros(2, 5, 6)).shape
            torch.Size([2, 5, 6])

        Hints:
            A head gives two things; only one of them is passed on.
            Every head gives embed_dim / num_heads features. Along which axis do they have to stand side by side?
        """
        ### BEGIN SOLUTION
        outputs = [head(x)[0] for head in self.attentions]  # H times (B, T, head_dim)
        return self.fc(torch.cat(outputs, dim=-1))  # (B, T, embed_dim)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "MultiHeadAttention-check"}
check("MultiHeadAttention")
