# %%
import torch

from grader import check

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

# %%
def attention_scores_for_query(inputs, query):
    return inputs @ query  # (T, d) @ (d,) -> (T,)


# %%
check("attention_scores_for_query")

# %%
def normalize_scores(scores):
    return scores / scores.sum()


# %%
check("normalize_scores")

# %%
def softmax_naive(x):
    powers = torch.exp(x)
    return powers / powers.sum()


# %%
check("softmax_naive")

# %%
def softmax_stable(x, dim=-1):
    shifted = x - x.amax(dim=dim, keepdim=True)  # the largest entry of every row is now 0
    powers = shifted.exp()
    return powers / powers.sum(dim=dim, keepdim=True)


# %%
check("softmax_stable")

# %%
def context_vector(weights, inputs):
    return weights @ inputs  # (T,) @ (T, d) -> (d,)


# %%
check("context_vector")

# %%
def attention_scores(inputs):
    return inputs @ inputs.transpose(0, 1)  # (T, d) @ (d, T) -> (T, T)


# %%
check("attention_scores")

# %%
def attention_weights(scores):
    return torch.softmax(scores, dim=0)


# %%
check("attention_weights")

# %%
def all_context_vectors(inputs):
    scores = inputs @ inputs.transpose(0, 1)  # (T, d) @ (d, T) -> (T, T)
    weights = torch.softmax(scores, dim=-1)  # (T, T)
    return weights @ inputs  # (T, T) @ (T, d) -> (T, d)


# %%
check("all_context_vectors")

# %%
def attention(query, key, value):
    scores = query @ key.transpose(-2, -1)  # (..., Tq, d) @ (..., d, Tk) -> (..., Tq, Tk)
    weights = torch.softmax(scores, dim=-1)  # (..., Tq, Tk)
    return weights @ value  # (..., Tq, Tk) @ (..., Tk, dv) -> (..., Tq, dv)


# %%
check("attention")
