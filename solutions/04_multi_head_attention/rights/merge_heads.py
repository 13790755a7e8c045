"""Right answers to `merge_heads` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import right


@right(why="reshape instead of contiguous and view")
def merge_by_reshape(x):
    B, H, T, head_dim = x.shape
    return x.permute(0, 2, 1, 3).reshape(B, T, H * head_dim)


@right(why="concatenation of the heads")
def merge_by_cat(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)


@right(why="flatten of the last two axes")
def merge_by_flatten(x):
    return x.transpose(-3, -2).flatten(start_dim=-2).contiguous()


@right(why="a loop over tokens and heads into a tensor of its own")
def merge_by_loop(x):
    B, H, T, head_dim = x.shape
    merged = torch.zeros(B, T, H * head_dim, dtype=x.dtype, device=x.device)
    for t in range(T):
        for h in range(H):
            merged[:, t, h * head_dim : (h + 1) * head_dim] = x[:, h, t]
    return merged
