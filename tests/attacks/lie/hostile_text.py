"""Prints and raises ANSI commands, HTML, formulas and right-to-left marks; would forge what a person sees of the report."""

TEXT = "\x1b[2J\x1b[31mpassed\x1b]0;title\x07 <script>alert(1)</script> =cmd|'/c calc'!A1 \u202edessap\u202c\u2066 \x00\x08\x7f\ud800 </td>\r\npassed"


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    print("TRIED", TEXT)
    raise ValueError(TEXT)


def normalize_scores(scores):
    return TEXT


def softmax_stable(x, dim=-1):
    raise type("E\u202e<b>", (Exception,), {})(TEXT)


def context_vector(weights, inputs):
    return {TEXT: TEXT}
