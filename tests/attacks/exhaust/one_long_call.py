"""Makes one C call that holds everything and never looks at signals; would hang a limit that waits for Python."""


def softmax_naive(x):
    return sum(range(10**13))
