# %% [markdown]
# # Trainable attention
#
# Without weights a token can only be found by what it is. Here three matrices are learned: one turns a token into the
# query that it asks with, one into the key by which others find it, and one into the value that it hands over. You go
# from words to vectors, from vectors to queries, keys and values, and from there to self-attention, first as a function
# and then as a module that an optimiser can train.
#
# The letters are the same everywhere: `T` tokens, `d_in` features of a token, `d_out` features of a query, a key and a
# value, `Tq` queries, `Tk` keys, `d_k` features of a key, `B` items in a batch. `...` stands for any number of leading
# dimensions, none included; what stands there is computed item by item.
#
# Four rules hold in every exercise. The tensors of a call share one dtype, and the result has it too: float32,
# bfloat16, or float64, which is computed in float64 (a module is turned to another dtype by `.to(torch.float64)`). What
# is handed in, which may be a view of another tensor (transposed, say), is left as it is. Gradients flow from the result
# back to every input and every parameter, so compute with tensors all the way: what was made of `.item()`, `.tolist()`,
# `.numpy()`, `.data` or `.detach()` is cut off. And every call is computed anew from what it is given.
#
# Your code has to run on a GPU too: a tensor that you make gets the device of the input (`device=x.device`), and one that
# a module keeps is a parameter or a buffer.
#
# Fill in the marked places, run the cell, then run the `check` below it. Every exercise is graded for itself. You may
# use your own earlier answers in later ones, but then a mistake in the earlier one counts there too.

# %%
import math

import torch
from torch import nn

from grader import check

# %% [markdown]
# Six words, three made-up features each: the same that the study note works with, so you can compare your results with
# what it prints.

# %%
inputs = torch.tensor(
    [
        [0.43, 0.15, 0.89],  # Your
        [0.55, 0.87, 0.66],  # journey
        [0.57, 0.85, 0.64],  # starts
        [0.22, 0.58, 0.33],  # with
        [0.77, 0.25, 0.10],  # one
        [0.05, 0.80, 0.55],  # step
    ]
)

# %% [markdown]
# ## 1. From words to vectors
#
# A model does not read words. A vocabulary gives each of them a number, and an embedding holds one row of learned
# features for each number.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "embed_tokens"} exercise={"title": "Look up the tokens", "title_ko": "토큰의 임베딩 찾기", "difficulty": 1, "minutes": 10, "source": "N1 In[3] to In[5], N4", "forbids": []}
def embed_tokens(tokens, vocab, embedding):
    """Turn a list of words into a batch of one sentence of vectors.

    Args:
        tokens: List of T words (T >= 1); a word may occur in it several times.
        vocab: Dictionary from a word to its id. The ids are different whole numbers from 0 to V - 1, in any order and
            not necessarily all of them. Words are compared as they are written.
        embedding: nn.Embedding(V, d) on the CPU. Row i of its weight belongs to the id i.

    Returns:
        Tensor (1, T, d) in the dtype of the embedding's weight, bfloat16 included: the rows of the tokens in their
        order. Gradients flow from it back to the embedding, and `tokens`, `vocab` and `embedding` are left as they are.

    Raises:
        KeyError: A token is not in the vocabulary. The error's text holds the first such token of the list.

    Not allowed:
        Nothing is forbidden. A loop over the tokens is fine here.

    Example:
        >>> rows = nn.Embedding.from_pretrained(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> embed_tokens(["b", "a", "b"], {"a": 0, "b": 1}, rows)
        tensor([[[3., 4.],
                 [1., 2.],
                 [3., 4.]]])

    Hints:
        An embedding is called like a function. What does it take: words, or whole numbers in a tensor?
        It gives a row for every number and keeps the axes. Where does the batch of one come from?
    """
    ### BEGIN SOLUTION
    ids = torch.tensor([[vocab[token] for token in tokens]])  # (1, T); an unknown token raises its own KeyError
    return embedding(ids)  # (1, T, d)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "embed_tokens-check"}
check("embed_tokens")

# %% [markdown]
# ## 2. Three roles for every token
#
# Each role has a matrix of its own. The same token is multiplied by all three.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "project_qkv"} exercise={"title": "Queries, keys and values", "title_ko": "쿼리, 키, 값으로 투영하기", "difficulty": 1, "minutes": 10, "source": "N0 In[18], In[19]; N2, the projections", "forbids": []}
def project_qkv(x, W_query, W_key, W_value):
    """Project every token to its query, its key and its value.

    Args:
        x: Tensor (..., T, d_in).
        W_query: Tensor (d_in, d_out); the query of a token is the row vector token @ W_query.
        W_key: Tensor (d_in, d_out), the same for the keys.
        W_value: Tensor (d_in, d_out), the same for the values.

    Returns:
        (queries, keys, values): a tuple of three tensors (..., T, d_out) in the dtype of `x`, bfloat16 included, in
        this order.

    Not allowed:
        Nothing is forbidden. A loop over the tokens is fine here.

    Example:
        >>> project_qkv(torch.tensor([[1.0, 2.0]]), torch.eye(2), 2 * torch.eye(2), -torch.eye(2))
        (tensor([[1., 2.]]), tensor([[2., 4.]]), tensor([[-1., -2.]]))

    Hints:
        Write the shapes side by side: which of the letters meet in the product, and which is left?
    """
    ### BEGIN SOLUTION
    return x @ W_query, x @ W_key, x @ W_value  # three times (..., T, d_in) @ (d_in, d_out) -> (..., T, d_out)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "project_qkv-check"}
check("project_qkv")

# %% [markdown]
# ## 3. Scores, and why they are scaled
#
# A score says how well a key fits a query. It is a sum of as many products as a key has features, so it grows with that
# number: of independent numbers of size one, the sum of `d_k` has the size of the root of `d_k`. Large scores push the
# softmax towards 0 and 1, where almost no gradient is left. Divided by the root, they stay at the size of one.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "dot_product_scores"} exercise={"title": "Every query with every key", "title_ko": "모든 쿼리와 키의 점수", "difficulty": 1, "minutes": 10, "source": "N0 In[20], In[21]; N2 In[4]", "forbids": []}
def dot_product_scores(queries, keys):
    """Compare every query with every key by the dot product.

    Args:
        queries: Tensor (..., Tq, d).
        keys: Tensor (..., Tk, d). The leading dimensions of both are equal; Tq and Tk may differ.

    Returns:
        Tensor (..., Tq, Tk) in the dtype of `queries`, bfloat16 included: at [..., i, j] the dot product of query i
        with key j, neither scaled nor turned into weights.

    Not allowed:
        Nothing is forbidden. A loop is fine here.

    Example:
        >>> dot_product_scores(torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[3.0, 4.0]]))
        tensor([[3.],
                [8.]])

    Hints:
        The result has a row for each query and a column for each key.
        `.T` turns all dimensions round. Which two have to change places?
    """
    ### BEGIN SOLUTION
    return queries @ keys.transpose(-2, -1)  # (..., Tq, d) @ (..., d, Tk) -> (..., Tq, Tk)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "dot_product_scores-check"}
check("dot_product_scores")

# %% [markdown]
# So divide by the root first, and share out afterwards: each query's scores become weights that sum to 1.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "scaled_attention_weights"} exercise={"title": "Weights from scaled scores", "title_ko": "스케일한 점수를 가중치로 바꾸기", "difficulty": 1, "minutes": 10, "source": "N0 In[22]; N2 In[12], In[14]", "forbids": []}
def scaled_attention_weights(scores, d_k):
    """Divide the scores by the root of the key size and turn each row into weights.

    Args:
        scores: Tensor (..., Tq, Tk). Row i holds the scores of query i.
        d_k: Number of features of a key, a whole number of at least 1. It can't be read from the shape of the scores.

    Returns:
        Tensor (..., Tq, Tk) in the dtype of `scores`, bfloat16 included: the softmax of scores / sqrt(d_k) over the
        keys, so that every row sums to 1. Scores may lie in the hundreds: where you write the softmax out, subtract
        each row's maximum first.

    Not allowed:
        Nothing is forbidden; `torch.softmax` is welcome here.

    Example:
        >>> scaled_attention_weights(4 * torch.tensor([[1.0, 3.0]]).log(), 16)
        tensor([[0.2500, 0.7500]])

    Hints:
        First the division, then the softmax: the other way round the rows would not sum to 1.
        A power binds tighter than a division: what does Python make of `d_k**1 / 2`?
    """
    ### BEGIN SOLUTION
    return torch.softmax(scores / math.sqrt(d_k), dim=-1)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "scaled_attention_weights-check"}
check("scaled_attention_weights")

# %% [markdown]
# ## 4. Self-attention
#
# Now the whole way: three projections, scores, weights, and the values mixed by the weights. It is called
# self-attention because queries, keys and values come from the same tokens.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "self_attention"} exercise={"title": "Self-attention as a function", "title_ko": "함수로 쓰는 셀프 어텐션", "difficulty": 2, "minutes": 15, "source": "N0 In[23], In[24]; N2 In[15]", "forbids": ["attention"]}
def self_attention(x, W_query, W_key, W_value):
    """Let every token attend to all tokens of its sequence, with learned queries, keys and values.

    Args:
        x: Tensor (..., T, d_in).
        W_query: Tensor (d_in, d_out); the queries are x @ W_query.
        W_key: Tensor (d_in, d_out); the keys are x @ W_key.
        W_value: Tensor (d_in, d_out); the values are x @ W_value.

    Returns:
        Tensor (..., T, d_out) in the dtype of `x`, bfloat16 included: for each token the sum of all values of its
        sequence, weighted by the softmax over the keys of its query's dot products with them, divided by sqrt(d_out).
        Nothing is masked. Scores may lie in the hundreds: where you write the softmax out, subtract each row's maximum
        first.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward. `torch.softmax` is
        allowed, and so is a loop.

    Example:
        >>> self_attention(torch.tensor([[0.0], [2.0]]), torch.zeros(1, 1), torch.eye(1), torch.eye(1))
        tensor([[1.],
                [1.]])

    Hints:
        Four lines, one for each step. Write the shape behind each of them.
        How long are the vectors that meet in a score? That number's root is the divisor.
    """
    ### BEGIN SOLUTION
    queries, keys, values = x @ W_query, x @ W_key, x @ W_value  # (..., T, d_out) each
    scores = queries @ keys.transpose(-2, -1)  # (..., T, T)
    weights = torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)  # (..., T, T)
    return weights @ values  # (..., T, T) @ (..., T, d_out) -> (..., T, d_out)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "self_attention-check"}
check("self_attention")

# %% [markdown]
# ## 5. The same as modules
#
# A function is handed its matrices; a module owns them. What is an `nn.Parameter`, or lies in a layer such as
# `nn.Linear`, is found by an optimiser, saved by `state_dict` and moved by `.to()`. A plain tensor is not.
#
# In the first two modules the way of drawing the numbers is part of the task, so that the seed of the study note leads
# to the numbers of the study note.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "SelfAttention_v1"} exercise={"title": "Self-attention with parameters of your own", "title_ko": "직접 만든 파라미터로 쓰는 셀프 어텐션", "difficulty": 2, "minutes": 20, "source": "N0 In[24]", "forbids": ["attention"]}
class SelfAttention_v1(nn.Module):
    """Self-attention with three matrices as parameters.

    Its parameters are W_query, W_key and W_value, each an nn.Parameter (d_in, d_out), and no others. Their numbers are
    drawn from 0 to 1 by torch.rand, one draw for each, in this order. The class sets no seed: after
    torch.manual_seed(123) a new module holds the note's numbers, and one made after it holds others.

    Args:
        d_in: Features of a token.
        d_out: Features of a query, a key and a value.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
    """

    def __init__(self, d_in, d_out):
        super().__init__()
        ### BEGIN SOLUTION
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        ### END SOLUTION

    def forward(self, x):
        """Attend.

        Args:
            x: Tensor (..., T, d_in).

        Returns:
            Tensor (..., T, d_out) in the dtype of `x`: for each token the sum of all values of its sequence, weighted
            by the softmax over the keys of its query's dot products with them, divided by sqrt(d_out). The queries are
            x @ W_query, the keys and the values likewise. The same in training and in evaluation. Scores may lie in the
            hundreds: where you write the softmax out, subtract each row's maximum first.

        Example:
            >>> SelfAttention_v1(4, 3)(torch.zeros(2, 5, 4)).shape
            torch.Size([2, 5, 3])

        Hints:
            Everything from `self_attention` is needed again; only the matrices come from elsewhere.
            With a batch, `.T` on the keys turns round more than you want.
        """
        ### BEGIN SOLUTION
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value  # (..., T, d_out) each
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])  # (..., T, T)
        return torch.softmax(scores, dim=-1) @ values  # (..., T, d_out)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "SelfAttention_v1-check"}
check("SelfAttention_v1")

# %% [markdown]
# `nn.Linear` keeps a matrix of the same kind, the other way round, and draws better numbers to begin with. So the same
# module comes in a second version.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "SelfAttention_v2"} exercise={"title": "Self-attention with linear layers", "title_ko": "선형 층으로 쓰는 셀프 어텐션", "difficulty": 2, "minutes": 15, "source": "N0 In[25] to In[27]", "forbids": ["attention"]}
class SelfAttention_v2(nn.Module):
    """Self-attention with three linear layers.

    Its parameters are those of three layers nn.Linear(d_in, d_out, bias=qkv_bias), named W_query, W_key and W_value and
    made in this order, and no others. Their numbers are those that nn.Linear draws by itself. The class sets no seed:
    after torch.manual_seed(123) a new module holds the note's numbers, and one made after it holds others.

    Args:
        d_in: Features of a token.
        d_out: Features of a query, a key and a value.
        qkv_bias: Whether the three layers add a bias.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
    """

    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        ### BEGIN SOLUTION
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        ### END SOLUTION

    def forward(self, x):
        """Attend.

        Args:
            x: Tensor (..., T, d_in).

        Returns:
            Tensor (..., T, d_out) in the dtype of `x`: for each token the sum of all values of its sequence, weighted
            by the softmax over the keys of its query's dot products with them, divided by sqrt(d_out). Queries, keys
            and values are what the layers give for x. The same in training and in evaluation. Scores may lie in the
            hundreds: where you write the softmax out, subtract each row's maximum first.

        Example:
            >>> SelfAttention_v2(4, 3)(torch.zeros(2, 5, 4)).shape
            torch.Size([2, 5, 3])

        Hints:
            A layer is called with x. Its weight is stored the other way round, (d_out, d_in); the call sees to that.
        """
        ### BEGIN SOLUTION
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)  # (..., T, d_out) each
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])  # (..., T, T)
        return torch.softmax(scores, dim=-1) @ values  # (..., T, d_out)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "SelfAttention_v2-check"}
check("SelfAttention_v2")

# %% [markdown]
# ## 6. Looking at the weights
#
# The weights say which word looked at which. Returned beside the output, they can be drawn or printed.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "SelfAttention"} exercise={"title": "Self-attention that shows its weights", "title_ko": "가중치도 돌려주는 셀프 어텐션", "difficulty": 2, "minutes": 15, "source": "N4, SelfAttention", "forbids": ["attention"]}
class SelfAttention(nn.Module):
    """Self-attention that also returns its weights.

    Its parameters are those of three layers nn.Linear(embedding_dim, attention_dim) with bias, named q, k and v, and no
    others. The order in which you make them and the way their numbers are drawn are free.

    Args:
        embedding_dim: Features of a token.
        attention_dim: Features of a query, a key and a value.

    Not allowed:
        F.scaled_dot_product_attention, nn.MultiheadAttention, F.multi_head_attention_forward.
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
            x: Tensor (B, T, embedding_dim) or (T, embedding_dim).

        Returns:
            (output, weights): a tuple of output (B, T, attention_dim) or (T, attention_dim), and weights (B, T, T) or
            (T, T). Row i of the weights is the softmax over the keys of the dot products of query i with them, divided
            by sqrt(attention_dim); row i of the output is the sum of the values by these weights. Both have the dtype
            of `x` and are the same in training and in evaluation. Scores may lie in the hundreds: where you write the
            softmax out, subtract each row's maximum first.

        Example:
            >>> [result.shape for result in SelfAttention(4, 3)(torch.zeros(2, 5, 4))]
            [torch.Size([2, 5, 3]), torch.Size([2, 5, 5])]

        Hints:
            Give the weights a name on the way; both results need them.
        """
        ### BEGIN SOLUTION
        queries, keys, values = self.q(x), self.k(x), self.v(x)  # (..., T, attention_dim) each
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])  # (..., T, T)
        weights = torch.softmax(scores, dim=-1)  # (..., T, T)
        return weights @ values, weights  # (..., T, attention_dim), (..., T, T)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "SelfAttention-check"}
check("SelfAttention")
