"""Which exercises a save has changed is told by the text alone."""

from grader.inside.protocol.messages import Cell
from grader.source_cells import Source
from grader.student_check.exercise_sources import sources_of

NAMES = ("first", "second")
TEXT = """\
# %%
import torch
SCALE = 2

def helper(x):
    return x * SCALE

# %%
def first(x):
    return helper(x)

# %%
def second(x):
    raise NotImplementedError

# %%
check("first")
print(first(1))
"""


def changed(text, kind="py"):
    """Return the exercises whose code differs from the first text's."""
    before, after = (sources_of(Source(cells=cells_of(version, kind), kind=kind), NAMES) for version in (TEXT, text))
    return [name for name in NAMES if before.get(name) != after.get(name)]


def cells_of(text, kind):
    return [Cell(1, text)] if kind == "py" else [Cell(at, part) for at, part in enumerate(text.split("# %%\n"))]


CHANGES = {
    "nothing": (("x", "x"), []),
    "its own body": (("raise NotImplementedError", "return x"), ["second"]),
    "a helper of one": (("x * SCALE", "x + SCALE"), ["first"]),
    "what runs at the top": (("SCALE = 2", "SCALE = 3"), ["first", "second"]),
    "an experiment": (("print(first(1))", "print(first(2))"), []),
    "lines above it": (("import torch", "import torch\n\n"), []),
    "a broken body": (("raise NotImplementedError", "return ("), ["second"]),
    "a lost name": (("def second", "def secnod"), ["second"]),
}


def test_an_exercise_is_changed_with_the_code_that_it_uses(subtests):
    for kind in ["py", "ipynb"]:
        for change, expected in CHANGES.values():
            with subtests.test(kind=kind, change=change, expected=expected):
                assert changed(TEXT.replace(*change), kind) == expected


def test_a_stub_is_not_written_and_a_broken_answer_is():
    sources = sources_of(Source(cells=[Cell(1, TEXT)]), NAMES)
    assert [sources[name].written for name in NAMES] == [True, False]
    broken = sources_of(Source(cells=[Cell(1, TEXT.replace("raise NotImplementedError", "return ("))]), NAMES)
    assert [broken[name].written for name in NAMES] == [True, True]


def test_exercises_that_call_each_other_are_told():
    text = "def first(x):\n    return second(x)\ndef second(x):\n    return first(x)\n"
    assert set(sources_of(Source(cells=[Cell(1, text)]), NAMES)) == set(NAMES)
