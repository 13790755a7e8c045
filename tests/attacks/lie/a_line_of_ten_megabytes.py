"""Returns, prints and raises a line of ten megabytes; would swell the report or stop the viewer of it."""


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    print("TRIED" + "x" * 10_000_000)
    raise ValueError("y" * 10_000_000)


def normalize_scores(scores):
    return "z" * 10_000_000


def softmax_stable(x, dim=-1):
    return 10**100_000


def context_vector(weights, inputs):
    return {"k" * 10_000_000: 1}
