"""Names the mistake behind a wrong answer: by the answer, by measuring, by its message, by the whole report."""
