"""Plain faults in files that students hand in, as edits of one right submission to the frozen course.

Half of them must cost nothing: a byte-order mark, prints, warnings, magics or a plot say nothing about attention. The
others cost what cannot be graded.
"""

import io
import json
import zipfile
from typing import Any, NamedTuple

TEXT = '''\
"""The right answers."""

import torch


def attention_scores_for_query(inputs, query):
    return inputs @ query


def normalize_scores(scores):
    return scores / scores.sum()


def softmax_naive(x):
    powers = torch.exp(x)
    return powers / powers.sum()


def attention_weights(scores):
    return torch.softmax(scores, dim=-1)
'''
CELLS = TEXT.replace("\n\ndef", "\n\n# %%\ndef")
SOURCES = ["import torch", *("def" + part.rstrip() + "\n" for part in TEXT.split("\ndef")[1:])]
"""The same as the cells of a notebook."""
TOP = "import torch\n"
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


def notebook(sources: list[str], keys: dict[str, Any] | None = None, metadata: dict[str, Any] | None = None) -> bytes:
    """Return a notebook of these code cells, with `keys` set in each of them."""
    cells = [
        {"cell_type": "code", "id": f"cell-{place}", "metadata": {}, "source": source.splitlines(keepends=True)}
        | ({"execution_count": place, "outputs": []} if keys is None else keys)
        for place, source in enumerate(sources, start=1)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    first = {"cell_type": "markdown", "id": "cell-0", "metadata": {}, "source": ["# My answers"]}
    document = {"cells": [first, *cells], "metadata": kernel | (metadata or {}), "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1).encode()


def notebook_without_outputs() -> bytes:
    """Return a notebook whose cells have lost outputs, counts and ids."""
    document = json.loads(notebook(SOURCES, keys={}))
    for cell in document["cells"]:
        del cell["id"]
    return json.dumps(document).encode()


def notebook_of_format_3() -> bytes:
    """Return a notebook in the format of ten years ago."""
    keys = {"cell_type": "code", "collapsed": False, "language": "python", "metadata": {}, "outputs": []}
    cells = [keys | {"input": [source], "prompt_number": 1} for source in SOURCES]
    sheet = {"cells": cells, "metadata": {}}
    return json.dumps({"metadata": {"name": "old"}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [sheet]}).encode()


def archive() -> bytes:
    """Return a zip archive of the submission."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("simple_attention.py", TEXT)
    return data.getvalue()


OUTPUTS = [
    {"output_type": "display_data", "data": {"image/png": "A" * 50_000}, "metadata": {}},
    {"output_type": "error", "ename": "ValueError", "evalue": "old", "traceback": ["old"]},
]
WIDGETS = {"application/vnd.jupyter.widget-state+json": {"state": {"a": [1, 2, {"b": None}]}, "version_major": 2}}

NO_ANSWER = "input() was called, but nobody can type an answer"
NO_TENSOR = "A torch.Tensor is asked for"
NOT_UTF8 = "not UTF-8"
SAVE_AS_UTF8 = "save it as UTF-8"

FREE = {
    "bom.py": Fault(b"\xef\xbb\xbf" + TEXT.encode()),
    "crlf.py": Fault(edit(("\n", "\r\n"))),
    "old_mac_line_ends.py": Fault(edit(("\n", "\r"))),
    "tabs.py": Fault(edit(("    ", "\t"))),
    "main_guard.py": Fault(TEXT.encode() + b'\n\nif __name__ == "__main__":\n    print(softmax_naive("no tensor"))\n'),
    "prints_everywhere.py": Fault(
        edit(("    return", '    print("here", locals())\n    return'))
        + b'\n\nprint("done")\nfor number in range(20_000):\n    print("line", number)\n'
    ),
    "warnings_made_errors.py": Fault(
        edit((TOP, "import warnings\n\nimport torch\n\nwarnings.simplefilter('error')\n"))
    ),
    "warnings_on_stderr.py": Fault(
        edit(
            (TOP, "import logging\nimport sys\nimport warnings\n\nimport torch\n\nwarnings.simplefilter('always')\n"),
            ("\n\n\ndef attention_sc", "\nlogging.basicConfig(level=logging.DEBUG)\n\n\ndef attention_sc"),
            ("    return", "    warnings.warn('careful', stacklevel=1)\n    return"),
            ("    return", "    print('error: traceback', file=sys.stderr)\n    logging.error('failed')\n    return"),
        )
    ),
    "missing_import.py": Fault(
        edit((TOP, f"import pandas as pd\n{TOP}from sklearn.metrics import accuracy_score\nfrom tqdm import tqdm\n")),
        says=("No module named 'pandas'", "No module named 'sklearn'"),
    ),
    "asks_for_input_at_the_top.py": Fault(
        edit((TOP, TOP + '\n# %%\nname = input("Your name? ")\n'), text=CELLS), says=(NO_ANSWER, "Line 6")
    ),
    "asks_for_input_at_the_end.py": Fault(
        TEXT.encode() + b'\n\nanswer = input("Press return")\n', says=(NO_ANSWER, "Line 23")
    ),
    "stops_half_way.py": Fault(
        edit(("# %%\ndef softmax_naive", "# %%\nraise SystemExit\n\n\n# %%\ndef softmax_naive"), text=CELLS),
        says=("SystemExit",),
    ),
    "shows_a_plot.py": Fault(
        edit(
            (TOP, "import matplotlib.pyplot as plt\nimport seaborn as sns\nimport torch\n"),
            ("    return torch.softmax(scores, dim=-1)\n", "    weights = torch.softmax(scores, dim=-1)\n"),
        )
        + b"""\
    plt.imshow(weights.detach())
    plt.colorbar()
    plt.show()
    return weights


sns.set_theme()
figure, axes = plt.subplots(1, 2, figsize=(8, 3))
axes[0].plot(softmax_naive(torch.randn(5)).numpy())
plt.title("weights")
plt.savefig("weights.png")
plt.show()
""",
        says=("replaced by something that does nothing: matplotlib",),
    ),
    "plain.ipynb": Fault(notebook(SOURCES)),
    "cells_in_another_order.ipynb": Fault(
        notebook(
            [source.replace("powers = torch.exp(x)\n", "powers = helper(x)\n") for source in SOURCES]
            + ["def helper(x):\n    return x.exp()\n"]
        )
    ),
    "without_outputs.ipynb": Fault(notebook_without_outputs()),
    "pictures_and_widgets.ipynb": Fault(
        notebook(SOURCES, keys={"execution_count": 1, "outputs": OUTPUTS}, metadata={"widgets": WIDGETS})
    ),
    "scratch_that_fails.ipynb": Fault(
        notebook(
            [SOURCES[0], "1 / 0", *SOURCES[1:3], "softmax_naive(", "undefined_name", *SOURCES[3:], "assert False"]
        ),
        says=("ZeroDivisionError", "cell 2", "never closed", "undefined_name"),
    ),
    "magics.ipynb": Fault(
        notebook(
            [
                "!pip install torch\n%matplotlib inline\n%pip install seaborn\nimport torch",
                "%load_ext autoreload\n%autoreload 2",
                "%%bash\nls -la\nrm -rf build",
                "%%html\n<b>attention</b>",
                "%%time\n" + SOURCES[1],
                "%%timeit -n 10\nsum(range(10))",
                *SOURCES[2:4],
                "torch.softmax?\n?torch.exp",
                "files = !ls\nwhere = %pwd",
                "%%writefile notes.txt\nnot python at all",
                "%time total = sum(range(1000))",
                *SOURCES[4:],
                "!nvidia-smi",
                "get_ipython().run_line_magic('matplotlib', 'inline')\ndisplay(torch.ones(2))",
            ]
        ),
        says=("Left out, since only a notebook's kernel understands it: !pip install torch (cell 1)",),
    ),
}

COSTLY = {
    "asks_for_input.py": Fault(
        edit((RETURN, RETURN.rstrip() + ' * float(input("scale? "))\n')), "softmax_naive", (NO_ANSWER, "line 16")
    ),
    "forgets_an_import.py": Fault(
        edit(("torch.exp(x)", "np.e**x")), "softmax_naive", ("name 'np' is not defined", "powers = np.e**x")
    ),
    "missing_function.py": Fault(
        edit(("def normalize_scores(scores):\n    return scores / scores.sum()\n", "")),
        "normalize_scores",
        ("normalize_scores is not defined in simple_attention.py",),
    ),
    "misspelt_function.py": Fault(
        edit(("softmax_naive", "softmax_navie")), "softmax_naive", ("Did you mean softmax_navie?",)
    ),
    "prints_instead_of_returning.py": Fault(
        edit((RETURN, "    print(powers / powers.sum())\n")), "softmax_naive", ("the result is None",)
    ),
    "returns_a_list.py": Fault(
        edit((RETURN, "    return [v / sum(powers.tolist()) for v in powers.tolist()]\n")),
        "softmax_naive",
        (NO_TENSOR, "list"),
    ),
    "returns_none.py": Fault(
        edit((RETURN, "    powers / powers.sum()\n")), "softmax_naive", (f"{NO_TENSOR}, but the result is None",)
    ),
    "returns_numpy.py": Fault(
        edit((TOP, "import numpy as np\nimport torch\n"), ("torch.exp(x)", "np.exp(x.detach().numpy())")),
        "softmax_naive",
        (NO_TENSOR, "numpy"),
    ),
    "wrong_arguments.py": Fault(
        edit(("naive(x):", "naive(x, dim):")), "softmax_naive", ("missing 1 required positional argument: 'dim'",)
    ),
    "syntax_error.py": Fault(
        edit(("naive(x):", "naive(x)"), text=CELLS),
        "softmax_naive",
        ("Line 17 stopped with SyntaxError", "def softmax_naive(x)"),
    ),
    "syntax_error_without_cells.py": Fault(
        edit(("powers.sum()\n", "(powers.sum()\n")),
        "softmax_naive",
        ("Line 16 stopped with SyntaxError", "was never closed"),
    ),
    "tabs_and_blanks.py": Fault(
        edit((RETURN, "\treturn powers / powers.sum()\n"), text=CELLS),
        "softmax_naive",
        ("inconsistent use of tabs and spaces",),
    ),
    "hidden_state.ipynb": Fault(
        notebook([source.replace("torch.exp(x)", "torch.exp(x * scale)") for source in SOURCES]),
        "softmax_naive",
        ("name 'scale' is not defined", "powers = torch.exp(x * scale)"),
    ),
    "empty.py": Fault(b"", "all", ("holds no code",)),
    "only_blanks.py": Fault(b"\n   \n\t\n", "all", ("holds no code",)),
}

UNREADABLE = {
    "latin1.py": Fault(
        edit(("right answers", "answers à é")).decode().encode("latin-1"), problem=(NOT_UTF8, SAVE_AS_UTF8)
    ),
    "latin1_cookie.py": Fault(
        ("# -*- coding: latin-1 -*-\n# café\n" + TEXT).encode("latin-1"), problem=(NOT_UTF8, SAVE_AS_UTF8)
    ),
    "utf16.py": Fault(TEXT.encode("utf-16"), problem=("saved as UTF-16", SAVE_AS_UTF8)),
    "utf16_without_mark.py": Fault(TEXT.encode("utf-16-le"), problem=(NOT_UTF8, SAVE_AS_UTF8)),
    "utf7_cookie.py": Fault(
        b"# coding: utf-7\n" + TEXT.encode(), problem=("asks to be read as utf-7", "Delete that line")
    ),
    "null_bytes.py": Fault(TEXT.encode() + bytes(64), problem=("byte 0x00 in line 21",)),
    "word_document.py": Fault(
        bytes.fromhex("504b030414000600080000002100") + b"word/document.xml" + bytes(range(256)),
        problem=("not a program but has the format ZIP",),
    ),
    "zip.ipynb": Fault(archive(), problem=("not a program but has the format ZIP",)),
    "web_page.ipynb": Fault(
        b"<!DOCTYPE html>\n<html><head><title>simple_attention.ipynb - Colab</title></head><body>Sign in</body></html>",
        problem=("not a program but has the format HTML",),
    ),
    "half_a_notebook.ipynb": Fault(
        notebook(SOURCES)[:900], problem=("is not a notebook", "Hand in the whole notebook")
    ),
    "old_format.ipynb": Fault(notebook_of_format_3(), problem=("of format 3", "Open it in Jupyter")),
    "not_json.ipynb": Fault(
        b"# this is no notebook\nimport torch\n", problem=("is not a notebook", "rename it to end with .py")
    ),
    "json_but_no_notebook.ipynb": Fault(b'{"answers": [1, 2, 3]}\n', problem=("is not a notebook",)),
}

FAULTS = {**FREE, **COSTLY, **UNREADABLE}
