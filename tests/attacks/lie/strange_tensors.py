"""Returns meta, fake, sparse, nested, quantised and complex tensors in turn; would crash or fool a reader of plain bytes."""

import warnings

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

warnings.simplefilter("ignore")
COUNT = 0


def fake(x):
    with FakeTensorMode():
        return torch.empty(x.shape)


KINDS = [
    fake,
    lambda x: torch.empty(x.shape, device="meta"),
    lambda x: x.to_sparse(),
    lambda x: torch.eye(3).to_sparse_csr(),
    lambda x: torch.nested.nested_tensor([x.reshape(-1), x.reshape(-1)[:1]]),
    lambda x: torch.quantize_per_tensor(torch.zeros(x.shape), 0.1, 0, torch.quint8),
    lambda x: torch.softmax(x, -1).to(torch.complex64).conj(),
    lambda x: torch._neg_view(torch.zeros(x.shape)),
]


def softmax_naive(x):
    global COUNT
    COUNT += 1
    print("TRIED", COUNT)
    return KINDS[COUNT % len(KINDS)](x.detach())


normalize_scores = attention_weights = softmax_naive
