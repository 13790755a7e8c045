"""Names the mistake behind a wrong answer, by the answer or by torch's text, and writes down what was called."""
