"""Writes answers into a student's file as an editor does: the new file takes the place of the old one."""

import re

RIGHT, WRONG, STUB = (
    "return x / x.sum()",
    "return x / x.max()",
    'raise NotImplementedError("shares is not written yet")',
)


def write_answer(folder, body=RIGHT):
    """Write the body of `shares`, saved by rename."""
    file, draft = folder / "tiny.py", folder / ".tiny.py.swp"
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"(# YOUR CODE HERE\n    ).*", lambda match: match[1] + body, text, count=1)
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)
    return file


def seen(folder):
    """Return the text of the file that progress is kept in."""
    return folder / ".grader" / "progress.json"
