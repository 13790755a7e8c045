"""Returns lists, dicts and tuples that hold themselves or nest 100,000 deep; would recurse for ever in the reader."""


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    print("TRIED")
    ring = [1.0]
    ring.append(ring)
    return ring


def normalize_scores(scores):
    ring = {}
    ring["again"] = ring
    return ring


def softmax_stable(x, dim=-1):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep


def context_vector(weights, inputs):
    wide = (1.0,)
    for _ in range(40):
        wide = (wide, wide)
    return wide


def attention_scores(inputs):
    return [0.0] * 3_000_000
