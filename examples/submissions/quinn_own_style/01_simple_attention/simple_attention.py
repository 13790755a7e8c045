"""Everything right, and nothing as in the solution: loops, einsum, float64 inside, prints, warnings, a class that is called."""

import logging
import sys
import warnings
from functools import partial

import torch

logging.basicConfig(level=logging.DEBUG)
torch.manual_seed(0)
print("loaded", torch.__version__)


# %%
def attention_scores_for_query(inputs, query):
    print("scores for", query)
    return torch.stack([sum(a * b for a, b in zip(token, query)) for token in inputs])


normalize_scores = lambda scores: scores.double().div(scores.double().sum()).to(scores.dtype)  # noqa: E731


# %%
class Softmax:
    def __call__(self, x):
        warnings.warn("this may overflow", stacklevel=2)
        print("error: not really", file=sys.stderr)
        powers = [v.exp() for v in x]
        return torch.stack([p / sum(powers) for p in powers])


softmax_naive = Softmax()


# %%
def stable(x, dim, wide):
    z = x.to(wide)
    z = z - z.max(dim, keepdim=True).values
    z = torch.exp(z)
    return torch.div(z, z.sum(dim, keepdim=True)).to(x.dtype)


def softmax_stable(x, dim=-1):
    return partial(stable, wide=torch.float64)(x, dim)


# %%
def context_vector(weights, inputs):
    context = torch.zeros(inputs.shape[1], dtype=inputs.dtype, device=inputs.device)
    for weight, token in zip(weights, inputs):
        logging.info("adding %s", token)
        context = context + weight * token
    return context


# %%
def attention_scores(inputs):
    return torch.einsum("id,jd->ij", inputs, inputs)


# %%
def attention_weights(scores):
    return torch.nn.functional.log_softmax(scores, -1).exp()


# %%
def all_context_vectors(inputs):
    rows = []
    for query in inputs:
        rows.append(torch.softmax(inputs.mv(query), 0) @ inputs)
    return torch.stack(rows)


# %%
def attention(query, key, value):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    weights = torch.nn.Softmax(dim=-1)(scores)
    return torch.einsum("...qk,...kv->...qv", weights, value)
