"""Plain faults in files that students hand in, as edits of one right submission to the frozen course.

Half of them must cost nothing: a byte-order mark, prints or warnings say nothing about attention. The others cost what
cannot be graded. Most faults are asked for where a file is read or run; here stands one of each kind.
"""

from typing import NamedTuple

from ..frozen_students import RIGHT
from .downloads import notebook

SOURCES = ["import torch\n", *RIGHT.values()]
"""The right answers, as the cells of a notebook."""
TEXT = '"""The right answers."""\n\n' + "\n\n".join(SOURCES)
CELLS = TEXT.replace("\n\ndef", "\n\n# %%\ndef")
RETURN = "    return powers / powers.sum()\n"


class Fault(NamedTuple):
    """A file, what its fault costs, and what its student reads.

    Attributes:
        data: The bytes of the file.
        costs: The exercise that loses all its points, "all", or nothing.
        says: Words that must stand in the student's copy of the report.
        problem: Words of the sentence that says why nothing of the file could be graded.
    """

    data: bytes
    costs: str = ""
    says: tuple[str, ...] = ()
    problem: tuple[str, ...] = ()


def edit(*edits: tuple[str, str], text: str = TEXT) -> bytes:
    """Return the submission with every `old` replaced by `new`; each `old` stands in the text."""
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text.encode()


NO_ANSWER = "input() was called, but nobody can type an answer"
NO_TENSOR = "A torch.Tensor is asked for"

FREE = {
    "bom.py": Fault(b"\xef\xbb\xbf" + TEXT.encode()),
    "prints_everywhere.py": Fault(
        edit(("    return", '    print("here", locals())\n    return'))
        + b'\n\nprint("done")\nfor number in range(20_000):\n    print("line", number)\n'
    ),
    "plain.ipynb": Fault(notebook(*SOURCES)),
    "scratch_that_fails.ipynb": Fault(
        notebook(SOURCES[0], "1 / 0", *SOURCES[1:3], "softmax_naive(", "undefined_name", *SOURCES[3:], "assert False"),
        says=("ZeroDivisionError", "cell 2", "never closed", "undefined_name"),
    ),
}

COSTLY = {
    "asks_for_input.py": Fault(
        edit((RETURN, RETURN.rstrip() + ' * float(input("scale? "))\n')), "softmax_naive", (NO_ANSWER, "line 16")
    ),
    "misspelt_function.py": Fault(
        edit(("softmax_naive", "softmax_navie")), "softmax_naive", ("Did you mean softmax_navie?",)
    ),
    "returns_none.py": Fault(
        edit((RETURN, "    powers / powers.sum()\n")), "softmax_naive", (f"{NO_TENSOR}, but the result is None",)
    ),
    "syntax_error.py": Fault(
        edit(("naive(x):", "naive(x)"), text=CELLS),
        "softmax_naive",
        ("Line 17 stopped with SyntaxError", "def softmax_naive(x)"),
    ),
    "empty.py": Fault(b"", "all", ("holds no code",)),
}

UNREADABLE = {
    "latin1.py": Fault(
        edit(("right answers", "answers à é")).decode().encode("latin-1"), problem=("not UTF-8", "save it as UTF-8")
    ),
    "half_a_notebook.ipynb": Fault(notebook(*SOURCES)[:-200], problem=("is not a whole notebook", "save it again")),
}

FAULTS = {**FREE, **COSTLY, **UNREADABLE}
