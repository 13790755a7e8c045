"""Returns objects whose __class__, __reduce__, __len__ and shape lie; would be taken for a tensor or be unpickled."""

import os

import torch


class Fake:
    shape = torch.Size([6])
    dtype = torch.float32
    requires_grad = True

    @property
    def __class__(self):
        return torch.Tensor

    def __reduce__(self):
        return os.system, ("touch /tmp/attacked-by-pickle",)

    def __len__(self):
        return 2**62

    def __getattr__(self, name):
        return lambda *args, **kwargs: self

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return True

    def __array__(self, *args, **kwargs):
        raise SystemExit(0)


def softmax_naive(x):
    print("TRIED")
    return Fake()


normalize_scores = attention_weights = softmax_naive
