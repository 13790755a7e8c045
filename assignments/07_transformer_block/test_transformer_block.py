"""The checks that you can see and run while you work on the transformer block.

What must raise an error is asked here. The examples in `examples.json` are checked beside them. More checks, with other
numbers and sizes, grade your work later; each of them says in a sentence what it asks.
"""

from grader.suite import checks, exercise

positional_encoding = exercise("positional_encoding")
add_positional_encoding = exercise("add_positional_encoding")
feed_forward = exercise("FeedForward")
transformer_block = exercise("TransformerBlock")


@positional_encoding.check("errors", ko="특징이 세 개이면 ValueError가 납니다.")
def test_three_features(student):
    """Three features cannot be paired: ValueError."""
    checks.raises(student.positional_encoding, "ValueError", 4, 3)


@transformer_block.check("errors", ko="특징 다섯 개는 두 헤드로 나눌 수 없습니다.")
def test_five_features_two_heads(student):
    """Five features cannot be shared by two heads: ValueError or AssertionError when the block is made."""
    checks.raises(student.TransformerBlock, ("ValueError", "AssertionError"), 5, 2, 8)
