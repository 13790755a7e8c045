"""Fills its namespace with five thousand names and objects that lie about themselves; would break the loader's list."""


class Lie:
    def __getattr__(self, name):
        raise SystemExit(0)

    def __call__(self, x):
        return x

    @property
    def __class__(self):
        raise KeyboardInterrupt


globals().update({f"name_{number}": number for number in range(5_000)})
globals()["name with spaces\n\x1b[2J"] = Lie()
globals()["x" * 100_000] = Lie()
globals()["../../../reports/attacked"] = Lie()
globals()[5] = Lie()
normalize_scores = Lie()
__builtins__ = {}


def softmax_naive(x):
    return x
