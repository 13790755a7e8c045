"""Right answers to `normalize_scores` in other styles than the solution's, which must have full marks."""

import torch

from grader.course.variants import right


@right(why="the sum by Python and a division in a comprehension")
def shares_one_by_one(scores):
    total = sum(scores)
    return torch.stack([score / total for score in scores])


@right(why="torch.div, and a sum that keeps its dimension")
def shares_by_div(scores):
    return torch.div(scores, scores.sum(dim=0, keepdim=True))


@right(why="in place on its own copy")
def shares_in_own_copy(scores):
    own = scores.clone()
    own /= scores.sum()
    return own


@right(why="multiplied by the reciprocal")
def times_reciprocal(scores):
    return scores * scores.sum().reciprocal()
