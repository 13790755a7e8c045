"""Right answers to `split_heads` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import right


@right(why="a view, which can split an axis whatever the layout")
def split_by_view(x, num_heads):
    B, T, d_model = x.shape
    if d_model % num_heads:
        raise ValueError("not divisible")
    return x.view(B, T, num_heads, d_model // num_heads).transpose(1, 2)


@right(why="unflatten and a permutation")
def split_unflatten(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)


@right(why="chunks of the features, stacked")
def split_by_chunks(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


@right(why="a loop over the heads into a tensor of its own")
def split_by_loop(x, num_heads):
    B, T, d_model = x.shape
    head_dim, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(d_model, num_heads)
    heads = x.new_empty(B, num_heads, T, head_dim)
    for h in range(num_heads):
        heads[:, h] = x[:, :, h * head_dim : (h + 1) * head_dim]
    return heads


@right(why="a view, made contiguous, with an error class of its own derived from ValueError")
def split_contiguous(x, num_heads):
    class Indivisible(ValueError):
        pass

    B, T, d_model = x.size()
    if d_model % num_heads != 0:
        raise Indivisible(f"{d_model} / {num_heads}")
    return x.view(B, T, num_heads, d_model // num_heads).swapaxes(1, 2).contiguous()
