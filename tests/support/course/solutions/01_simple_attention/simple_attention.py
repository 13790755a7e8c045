# %% [markdown]
# # Four exercises on attention
#
# A frozen course for the tests of the kit: changing an exercise of the real course changes nothing here.

# %%
import torch

from grader import check

# %% [markdown]
# ## Scores of all tokens for one query


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "attention_scores_for_query"} exercise={"title": "Scores of all tokens for one query", "title_ko": "쿼리 하나에 대한 모든 토큰의 점수", "difficulty": 1, "minutes": 5, "source": "N0 In[5]", "forbids": []}
def attention_scores_for_query(inputs, query):
    """Compare one query (d,) with every token of inputs (T, d) by the dot product: (T,)."""
    ### BEGIN SOLUTION
    return inputs @ query  # (T, d) @ (d,) -> (T,)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "attention_scores_for_query-check"}
check("attention_scores_for_query")

# %% [markdown]
# ## Scores divided by their sum


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "normalize_scores"} exercise={"title": "Scores divided by their sum", "title_ko": "합으로 나눈 점수", "difficulty": 1, "minutes": 5, "source": "N0 In[7]", "forbids": []}
def normalize_scores(scores):
    """Divide scores (T,) by their sum."""
    ### BEGIN SOLUTION
    return scores / scores.sum()
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 2, "grade_id": "normalize_scores-check"}
check("normalize_scores")

# %% [markdown]
# ## Softmax, written out


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "softmax_naive"} exercise={"title": "Softmax, written out", "title_ko": "직접 쓰는 소프트맥스", "difficulty": 1, "minutes": 10, "source": "N0 In[8]", "forbids": ["softmax"]}
def softmax_naive(x):
    """Turn scores (T,) into positive weights that sum to 1, without a softmax of a library."""
    ### BEGIN SOLUTION
    powers = torch.exp(x)
    return powers / powers.sum()
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "softmax_naive-check"}
check("softmax_naive")

# %% [markdown]
# ## Weights of all pairs


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "attention_weights"} exercise={"title": "Weights of all pairs", "title_ko": "모든 쌍의 가중치", "difficulty": 1, "minutes": 5, "source": "N0 In[13], In[14]", "forbids": []}
def attention_weights(scores):
    """Turn each row of scores (..., T, T) into weights; a softmax of a library is allowed."""
    ### BEGIN SOLUTION
    return torch.softmax(scores, dim=-1)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "attention_weights-check"}
check("attention_weights")
