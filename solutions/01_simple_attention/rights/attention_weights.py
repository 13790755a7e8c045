"""Right answers to `attention_weights` in other styles than the solution's, which must have full marks."""

import torch
from torch.nn import functional as F

from grader.course.variants import right


@right(why="log_softmax and back")
def log_and_back(scores):
    return F.log_softmax(scores, dim=-1).exp()


@right(why="a module of the library")
def softmax_module(scores):
    return torch.nn.Softmax(dim=scores.dim() - 1)(scores)


@right(why="row by row in a loop")
def rows_in_a_loop(scores):
    flat = scores.reshape(-1, scores.shape[-1])
    return torch.stack([torch.softmax(row, dim=0) for row in flat]).reshape(scores.shape)


@right(why="float64 inside, the dtype given back")
def weights_by_way_of_float64(scores):
    return scores.double().softmax(-1).to(scores.dtype)
