# %% [markdown]
# # Attention without weights
#
# Attention answers one question for every token of a sentence: how much should I listen to each of the others? In this
# assignment nothing is trained yet. You compare tokens by dot products, turn the comparisons into shares that sum to 1,
# and mix the tokens by these shares. Three steps, first for a single token, then for all of them at once.
#
# The letters are the same everywhere: `T` tokens, `d` features of a token, `Tq` queries, `Tk` keys, `dv` features of a
# value. `...` stands for any number of leading dimensions, none included.
#
# Four rules hold in every exercise. The tensors of a call share one dtype, and the result has it too: float32,
# bfloat16, or float64, which is computed in float64. The inputs, which may be views of others (transposed, say), are left
# as they are. Gradients flow from the result back to every input, so compute with tensors all the way: what was made of
# `.item()`, `.tolist()`, `.numpy()` or `.detach()` is cut off from the inputs. And every call is computed anew from what
# it is given.
#
# Your code has to run on a GPU too: a tensor that you make gets the device of the input (`device=x.device`), and one that
# a module keeps is a parameter or a buffer.
#
# Fill in the marked places, run the cell, then run the `check` below it. Every exercise is graded for itself: a mistake
# in one costs nothing in the others.

# %%
import torch
from torch.nn import functional as F

from grader import check

# %% [markdown]
# Six words, three made-up features each. The words and their numbers come from the study note, so you can compare
# your results with what it prints.

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
# ## 1. Scores: who resembles the query?
#
# The dot product of two vectors is large where both point the same way. Taken between a query and each token it gives
# one number a token, its score.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "attention_scores_for_query"} exercise={"title": "Scores of all tokens for one query", "title_ko": "쿼리 하나에 대한 모든 토큰의 점수", "difficulty": 1, "minutes": 5, "source": "N0 In[5]", "forbids": []}
def attention_scores_for_query(inputs, query):
    """Compare one query with every token by the dot product.

    Args:
        inputs: Tensor (T, d), one token in each row.
        query: Tensor (d,).

    Returns:
        Tensor (T,) in the dtype of `inputs`, bfloat16 included. Entry i is the dot product of token i with the query:
        not scaled, not normalised. One token gives a tensor of shape (1,).

    Not allowed:
        Nothing is forbidden. A loop over the tokens is fine here.

    Example:
        >>> attention_scores_for_query(
        ...     torch.tensor([[1.0, 2.0], [3.0, 4.0], [0.0, -1.0]]),
        ...     torch.tensor([10.0, -1.0])
        ... )
        tensor([ 8., 26.,  1.])

    Hints:
        Write down the two shapes, (T, d) and (d,). Which of the letters has to disappear in the result?
        If you fill an empty tensor in a loop, give it the dtype of the inputs.
    """
    # YOUR CODE HERE
    raise NotImplementedError("attention_scores_for_query is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "attention_scores_for_query-check"}
check("attention_scores_for_query")

# %% [markdown]
# ## 2. The simplest way to make shares
#
# Shares have to sum to 1. Dividing by the sum is enough for that, and you will see with negative scores why it is not
# what attention uses in the end.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "normalize_scores"} exercise={"title": "Scores divided by their sum", "title_ko": "합으로 나눈 점수", "difficulty": 1, "minutes": 5, "source": "N0 In[7]", "forbids": []}
def normalize_scores(scores):
    """Divide scores by their sum, so that they sum to 1.

    Args:
        scores: Tensor (T,), of any sign. The sum is not 0, but it can be negative.

    Returns:
        Tensor (T,) in the dtype of `scores`, bfloat16 included: each score over the sum of all of them, sign included.

    Not allowed:
        Nothing is forbidden.

    Example:
        >>> normalize_scores(torch.tensor([1.0, 4.0, -2.0, 5.0]))
        tensor([ 0.1250,  0.5000, -0.2500,  0.6250])

    Hints:
        One division does it. Dividing by a tensor without dimensions is as good as dividing by a number.
        A new tensor is asked for: `/=` would write into the scores of the caller.
    """
    # YOUR CODE HERE
    raise NotImplementedError("normalize_scores is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 2, "grade_id": "normalize_scores-check"}
check("normalize_scores")

# %% [markdown]
# ## 3. Softmax
#
# The exponential makes every score positive before the division, keeps their order, and stretches the differences: one
# more in the score is a factor of e in the weight.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "softmax_naive"} exercise={"title": "Softmax, written out", "title_ko": "직접 쓰는 소프트맥스", "difficulty": 1, "minutes": 10, "source": "N0 In[8]", "forbids": ["softmax"]}
def softmax_naive(x):
    """Turn scores into positive weights that sum to 1.

    Args:
        x: Tensor (T,) of moderate numbers, of any sign.

    Returns:
        Tensor (T,) in the dtype of `x`, bfloat16 included: exp(x_i) divided by the sum of exp(x_j) over all j.

    Not allowed:
        Any softmax, log_softmax, softmin, logsumexp or logcumsumexp of a library, as a function, a method or a module.

    Example:
        >>> softmax_naive(torch.tensor([1.0, 2.0, 5.0]).log())
        tensor([0.1250, 0.2500, 0.6250])

    Hints:
        The exponential comes first, the sum is taken of what it gives.
        Large numbers overflow in this form. That is what makes it naive, and it costs nothing here.
    """
    # YOUR CODE HERE
    raise NotImplementedError("softmax_naive is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "softmax_naive-check"}
check("softmax_naive")

# %% [markdown]
# ## 4. Softmax for real numbers
#
# In float32 `exp(89)` is already infinite, and infinity divided by infinity is NaN. The softmax of a library never runs
# into this. Write one that does not either.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "softmax_stable"} exercise={"title": "Softmax that does not overflow", "title_ko": "오버플로 없는 소프트맥스", "difficulty": 3, "minutes": 20, "source": "N0 In[9]", "forbids": ["softmax"]}
def softmax_stable(x, dim=-1):
    """Take the softmax along one dimension, also of very large numbers.

    Args:
        x: Tensor (...) of at least one dimension. Entries of size 10,000 and more, of either sign, may stand beside
            small ones, and a row may hold -inf as long as it holds a finite number too.
        dim: The dimension along which the weights sum to 1; any dimension of `x`, counted from either end.

    Returns:
        Tensor of the shape and dtype of `x`, bfloat16 included, without NaN. Where `x` holds -inf the weight is 0.

    Not allowed:
        Any softmax, log_softmax, softmin, logsumexp or logcumsumexp of a library, as a function, a method or a module.

    Example:
        >>> softmax_stable(torch.tensor([[1000.0, 1000.0], [0.0, -1000.0]]))
        tensor([[0.5000, 0.5000],
                [1.0000, 0.0000]])

    Hints:
        What happens to the weights when the same number is added to all scores of a row? Which number is the safest?
        Keep the dimension that you reduce, so that the result lines up with `x` again.
    """
    # YOUR CODE HERE
    raise NotImplementedError("softmax_stable is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "softmax_stable-check"}
check("softmax_stable")

# %% [markdown]
# ## 5. Context: the mixture
#
# A token with weight 0.9 gives nine tenths of itself, one with weight 0.01 hardly anything.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "context_vector"} exercise={"title": "Weighted sum of the tokens", "title_ko": "토큰의 가중합", "difficulty": 1, "minutes": 5, "source": "N0 In[10]", "forbids": []}
def context_vector(weights, inputs):
    """Mix the tokens by their weights.

    Args:
        weights: Tensor (T,), of any sign; they need not sum to 1.
        inputs: Tensor (T, d), one token in each row.

    Returns:
        Tensor (d,) in the dtype of `inputs`, bfloat16 included: the sum over all tokens of weight times token.

    Not allowed:
        Nothing is forbidden. A loop over the tokens is fine here.

    Example:
        >>> context_vector(
        ...     torch.tensor([2.0, 0.0, -3.0]),
        ...     torch.tensor([[1.0, 2.0], [5.0, 5.0], [0.0, 3.0]])
        ... )
        tensor([ 2., -5.])

    Hints:
        Which of the letters T and d is summed away?
        With a loop: start from zeros of the right size and dtype and add one weighted token after the other.
    """
    # YOUR CODE HERE
    raise NotImplementedError("context_vector is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "context_vector-check"}
check("context_vector")

# %% [markdown]
# ## 6. Every token asks
#
# So far one token was the query. Now each of them is: row i of the result holds the scores that token i gives to all
# tokens. Two nested loops would do it; one matrix product does it at once, and on a GPU thousands of times faster.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "attention_scores"} exercise={"title": "Scores of all pairs", "title_ko": "모든 쌍의 점수", "difficulty": 2, "minutes": 10, "source": "N0 In[11], In[12]", "forbids": []}
def attention_scores(inputs):
    """Compare every token with every token by the dot product.

    Args:
        inputs: Tensor (T, d), one token in each row.

    Returns:
        Tensor (T, T) in the dtype of `inputs`, bfloat16 included. Entry (i, j) is the dot product of token i with token
        j: not scaled, not normalised.

    Not allowed:
        A Python loop over the tokens, in whatever form (also a comprehension): the number of torch operations must not
        grow with T. An answer with a loop keeps at most 85 percent of the points.

    Example:
        >>> attention_scores(torch.tensor([[1.0, -2.0], [0.0, 3.0]]))
        tensor([[ 5., -6.],
                [-6.,  9.]])

    Hints:
        A matrix product takes the dot product of every row on the left with every column on the right.
        Tokens are rows. What turns rows into columns?
    """
    # YOUR CODE HERE
    raise NotImplementedError("attention_scores is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "attention_scores-check"}
check("attention_scores")

# %% [markdown]
# ## 7. A row of weights for every query
#
# Every query distributes its own attention. With a square of scores a wrong dimension goes through without an error,
# and only the sums give it away.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "attention_weights"} exercise={"title": "Weights of all pairs", "title_ko": "모든 쌍의 가중치", "difficulty": 1, "minutes": 5, "source": "N0 In[13], In[14]", "forbids": []}
def attention_weights(scores):
    """Turn each row of scores into weights.

    Args:
        scores: Tensor (..., T, T). Row i holds the scores of query i.

    Returns:
        Tensor (..., T, T) in the dtype of `scores`, bfloat16 included: the softmax over the last dimension, so that
        every row sums to 1. Scores in the hundreds are no trouble: where you write the softmax out, subtract each row's
        maximum first.

    Not allowed:
        Nothing is forbidden; `torch.softmax` is welcome here.

    Example:
        >>> attention_weights(torch.tensor([[1.0, 3.0], [1.0, 1.0]]).log())
        tensor([[0.2500, 0.7500],
                [0.5000, 0.5000]])

    Hints:
        The dimension is the whole question: along which one do the numbers of a single query lie?
        Count it from the end, then leading dimensions do not matter.
    """
    # YOUR CODE HERE
    raise NotImplementedError("attention_weights is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "attention_weights-check"}
check("attention_weights")

# %% [markdown]
# ## 8. The three steps together
#
# Scores, weights, mixture: this is self-attention, only without anything to learn.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "all_context_vectors"} exercise={"title": "From tokens to context vectors", "title_ko": "토큰에서 문맥 벡터까지", "difficulty": 2, "minutes": 10, "source": "N0 In[15]", "forbids": ["attention"]}
def all_context_vectors(inputs):
    """Let every token attend to all tokens: scores, softmax over each row, weighted sum.

    Args:
        inputs: Tensor (T, d), one token in each row.

    Returns:
        Tensor (T, d) in the dtype of `inputs`, bfloat16 included. Row i is the mixture of all tokens by the weights of
        query i. The scores are plain dot products: not scaled. They may lie in the hundreds: where you write the
        softmax out, subtract each row's maximum first.

    Not allowed:
        `F.scaled_dot_product_attention`, `nn.MultiheadAttention` and `F.multi_head_attention_forward`. `torch.softmax`
        is allowed, and so is a loop.

    Example:
        >>> all_context_vectors(torch.tensor([[0.0, 0.0], [0.0, 2.0]]))
        tensor([[0.0000, 1.0000],
                [0.0000, 1.9640]])

    Hints:
        Follow the shapes: (T, d) to (T, T), to (T, T), and back to (T, d).
        Row i of the weights belongs to query i. On which side of the tokens do the weights have to be?
    """
    # YOUR CODE HERE
    raise NotImplementedError("all_context_vectors is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "all_context_vectors-check"}
check("all_context_vectors")

# %% [markdown]
# ## 9. Three roles
#
# Up to here one tensor played all parts. Apart, the query says what is looked for, the key what a token offers to be
# found by, and the value what it hands over. There may be more keys than queries, and a value may have another size.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "attention"} exercise={"title": "Queries, keys and values apart", "title_ko": "쿼리, 키, 값을 나눈 어텐션", "difficulty": 2, "minutes": 15, "source": "N1 In[6]", "forbids": ["attention"]}
def attention(query, key, value):
    """Compare queries with keys and mix the values by the result.

    Args:
        query: Tensor (..., Tq, d).
        key: Tensor (..., Tk, d).
        value: Tensor (..., Tk, dv). The leading dimensions of all three are equal; Tq and Tk may differ, d and dv too.

    Returns:
        Tensor (..., Tq, dv) in the dtype of `value`, bfloat16 included: for each query the sum of all values, weighted
        by the softmax over the keys of the dot products of that query with the keys. The dot products are not scaled,
        and may lie in the hundreds: where you write the softmax out, subtract each row's maximum first.

    Not allowed:
        `F.scaled_dot_product_attention`, `nn.MultiheadAttention` and `F.multi_head_attention_forward`. `torch.softmax`
        is allowed, and so is a loop.

    Example:
        >>> attention(torch.zeros(1, 2), torch.ones(3, 2), torch.tensor([[1.0], [2.0], [6.0]]))
        tensor([[3.]])

    Hints:
        `.T` turns all dimensions round. Which two have to change places?
        The weights have the shape (..., Tq, Tk); a row of them belongs to one query and runs over the keys.
    """
    # YOUR CODE HERE
    raise NotImplementedError("attention is not written yet")


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 4, "grade_id": "attention-check"}
check("attention")
