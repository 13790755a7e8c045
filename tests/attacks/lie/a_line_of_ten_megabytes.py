"""Returns, prints and raises a line of ten megabytes; would swell the report or stop the viewer of it."""


def softmax_naive(x):
    print("TRIED" + "x" * 10_000_000)
    raise ValueError("y" * 10_000_000)


def normalize_scores(scores):
    return "z" * 10_000_000


def attention_weights(scores):
    return {"k" * 10_000_000: 10**100_000}
