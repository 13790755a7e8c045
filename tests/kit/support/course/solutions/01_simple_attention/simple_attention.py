# %% [markdown]
# # Four exercises on attention
#
# A frozen course for the tests of the kit: changing an exercise of the real course changes nothing here.

# %%
import torch

from grader import check


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

    Hints:
        Write down the two shapes, (T, d) and (d,). Which of the letters has to disappear in the result?
        If you fill an empty tensor in a loop, give it the dtype of the inputs.
    """
    ### BEGIN SOLUTION
    return inputs @ query  # (T, d) @ (d,) -> (T,)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "attention_scores_for_query-check"}
check("attention_scores_for_query")


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "normalize_scores"} exercise={"title": "Scores divided by their sum", "title_ko": "합으로 나눈 점수", "difficulty": 1, "minutes": 5, "source": "N0 In[7]", "forbids": []}
def normalize_scores(scores):
    """Divide scores by their sum, so that they sum to 1.

    Args:
        scores: Tensor (T,), of any sign. The sum is not 0, but it can be negative.

    Returns:
        Tensor (T,) in the dtype of `scores`, bfloat16 included: each score over the sum of all of them, sign included.

    Not allowed:
        Nothing is forbidden.

    Hints:
        One division does it. Dividing by a tensor without dimensions is as good as dividing by a number.
        A new tensor is asked for: `/=` would write into the scores of the caller.
    """
    ### BEGIN SOLUTION
    return scores / scores.sum()
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 2, "grade_id": "normalize_scores-check"}
check("normalize_scores")


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "softmax_naive"} exercise={"title": "Softmax, written out", "title_ko": "직접 쓰는 소프트맥스", "difficulty": 1, "minutes": 10, "source": "N0 In[8]", "forbids": ["softmax"]}
def softmax_naive(x):
    """Turn scores into positive weights that sum to 1.

    Args:
        x: Tensor (T,) of moderate numbers, of any sign.

    Returns:
        Tensor (T,) in the dtype of `x`, bfloat16 included: exp(x_i) divided by the sum of exp(x_j) over all j.

    Not allowed:
        Any softmax, log_softmax, softmin, logsumexp or logcumsumexp of a library, as a function, a method or a module.

    Hints:
        The exponential comes first, the sum is taken of what it gives.
        Large numbers overflow in this form. That is what makes it naive, and it costs nothing here.
    """
    ### BEGIN SOLUTION
    powers = torch.exp(x)
    return powers / powers.sum()
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "softmax_naive-check"}
check("softmax_naive")


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

    Hints:
        The dimension is the whole question: along which one do the numbers of a single query lie?
        Count it from the end, then leading dimensions do not matter.
    """
    ### BEGIN SOLUTION
    return torch.softmax(scores, dim=-1)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "attention_weights-check"}
check("attention_weights")
