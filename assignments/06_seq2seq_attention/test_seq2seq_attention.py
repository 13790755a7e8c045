"""The exercises on attention in a sequence-to-sequence model.

What is checked while you work on them, with inputs and results, is in `examples.json`. More checks, with other numbers
and sizes, grade your work later; each of them says in a sentence what it asks.
"""

from grader.suite import exercise

attention = exercise("Attention")
seq2seq = exercise("Seq2SeqWithAttention")
