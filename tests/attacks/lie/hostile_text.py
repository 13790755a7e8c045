"""Prints and raises ANSI commands, HTML, formulas and right-to-left marks; would forge what a person sees of the report."""

TEXT = "\x1b[2J\x1b[31mpassed\x1b]0;title\x07 <script>alert(1)</script> =cmd|'/c calc'!A1 \u202edessap\u202c\u2066 \x00\x08\x7f\ud800 </td>\r\npassed"


def softmax_naive(x):
    print("TRIED", TEXT)
    raise ValueError(TEXT)


def normalize_scores(scores):
    return TEXT


def attention_weights(scores):
    raise type("E\u202e<b>", (Exception,), {})(TEXT)
