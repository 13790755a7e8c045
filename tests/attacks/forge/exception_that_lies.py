"""Raises exceptions whose text, class and arguments lie, raise again or never end; would break the report's writer."""


class Liar(Exception):
    def __str__(self):
        print("TRIED")
        raise SystemExit(0)

    __repr__ = __str__

    @property
    def __class__(self):
        raise KeyboardInterrupt

    @property
    def args(self):
        return (self,)

    def __getattr__(self, name):
        raise GeneratorExit


class Long(Exception):
    def __str__(self):
        return "passed \x1b[2J\u202e" * 10_000_000


class Typed(type):
    @property
    def __name__(cls):
        return "passed"

    def mro(cls):
        return [cls, Exception, BaseException, object]

    def __instancecheck__(cls, thing):
        return True

    def __subclasscheck__(cls, thing):
        raise SystemExit(0)


class Odd(Exception, metaclass=Typed):
    pass


def softmax_naive(x):
    raise Liar("x")


def normalize_scores(scores):
    raise Long


def attention_weights(scores):
    error = Odd("round")
    error.__cause__ = error.__context__ = KeyError("and round")
    error.__cause__.__cause__ = error
    raise error
