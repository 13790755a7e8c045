"""Right answers to `attention_scores_for_query` in other styles than the solution's, which must have full marks."""

import functools

import torch

from grader.course.variants import right


@right(why="a loop that fills an empty tensor of the right dtype")
def loop_of_dots(inputs, query):
    scores = torch.empty(inputs.shape[0], dtype=inputs.dtype, device=inputs.device)
    for index, token in enumerate(inputs):
        scores[index] = torch.dot(token, query)
    return scores


@right(why="a comprehension, stacked")
def stacked_dots(inputs, query):
    return torch.stack([(token * query).sum() for token in inputs])


@right(why="einsum bound with partial, so that the name is no function")
def einsum_for_query(inputs, query):
    return functools.partial(torch.einsum, "td,d->t")(inputs, query)


partial_of_einsum = right(why="a partial object")(functools.partial(torch.einsum, "td,d->t"))


lambda_for_query = right(why="a lambda")(lambda inputs, query: torch.mv(inputs, query))


@right(why="pure Python sums over the features")
def summed_by_python(inputs, query):
    return sum(inputs[:, feature] * query[feature] for feature in range(len(query)))


@right(why="other names for the arguments, which are passed by position")
def scores_with_other_names(tokens, q):
    return (tokens * q.unsqueeze(0)).sum(dim=1)
