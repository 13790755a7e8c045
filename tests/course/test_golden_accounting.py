"""The accounting of the notes: what a made-up note prints is held against golden data that is right, and then not.

The last test accounts for the real notes. They are no part of the repository: `GRADER_NOTES` names their folder, or
they lie in `../shared/notes`.
"""

import importlib
import json
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTES = Path(os.environ.get("GRADER_NOTES") or ROOT.parent / "shared" / "notes")

NOTE = """# A lesson in 3 parts

In [1]:
import torch
x = torch.tensor([[1.0, 2.0], # one
                  [0.50, -3.0]])

- Step **2** shows 7 sizes.

In [2]:
%matplotlib inline
print("version", torch.__version__)

print("x.size: ", x.shape)
print("sum:", x.sum())

version 2.6.0+cpu
x.size:  torch.Size([2, 2])
sum: tensor(0.5000)


## 3.1 What follows

In [None]:
def double(x):

    return 2 * x

double(x), x > 0

(tensor([[ 2., 4.],
         [ 1., -6.]], device='cuda:0', grad_fn=<MulBackward0>),
 tensor([[ True, True],
         [ True, False]]))

In [4]:
print(f"twice: {double(x)[None]}\\n\\nrow: {x[0].numpy()}, mean {float(x.mean())}")

twice: tensor([[[ 2., 4.],

         [ 1., -6.]]])

row: [1. 2.], mean 0.125

1. The last sentence has 2 numbers."""

POST = """A post of 2024

  1. the model
import torch
class Model:
    pass
print(torch.tensor([1, 2]).shape)
# Out Put
size: torch.Size([2])
  2. the next one
class Other(Model):
    pass
# Output
[1.5e-03 -inf]

A comment

It has 5 words
"""


def entry(name: str, cell: str, value: Any, kind: str = "exact") -> dict[str, Any]:
    note = name.split()[0]
    return {"id": name, "note": note, "cell": cell, "kind": kind, "exercise": "a", "what": "b", "value": value}


def complete() -> list[dict[str, Any]]:
    """Return data that holds all that the two notes print."""
    doubled = [["2.", "4."], ["1.", "-6."]]
    return [
        entry("N0 x", "In[1]", [["1.0", "2.0"], ["0.50", "-3.0"]], "input"),
        entry("N0 In[2] size", "In [2]", ["2", "2"]),
        entry("N0 In[2] sum", "In[2]", "0.5000"),
        entry("N0 In[double]", "In [None] after In [2]", doubled),
        entry("N0 In[double] transposed", "In [None] after In [2]", [["2.", "1."], ["4.", "-6."]]),
        entry("N0 In[double] positive", "In[None] before In[4]", [["True", "True"], ["True", "False"]]),
        entry("N0 In[4] twice", "In[4]", [doubled]),
        entry("N0 In[4] row", "In[4]", ["1.", "2."]),
        entry("N0 In[4] mean", "In[4]", "0.125"),
        entry("N1 size", "Model", ["2"]),
        entry("N1 row", "Other", ["1.5e-03", "-inf"], "unseeded"),
    ]


@pytest.fixture
def accounting(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tests" / "golden")
    return importlib.import_module("accounting")


@pytest.fixture
def account(accounting: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Account for the made-up notes with the given data; return the exit code, the output and the error text."""

    def run(entries: list[dict[str, Any]], note: str = NOTE) -> tuple[int, str, str]:
        notes, golden = tmp_path / "notes", tmp_path / "golden"
        for folder in (notes, golden):
            folder.mkdir()
        (notes / "000_lesson.txt").write_text(note)
        (notes / "001_post.txt").write_text(POST)
        (golden / "N0.json").write_text(json.dumps(entries))
        code = accounting.main([str(notes), "--golden", str(golden)])
        return code, *capsys.readouterr()

    return run


def changed(name: str, **fields: Any) -> list[dict[str, Any]]:
    return [held | fields if held["id"] == name else held for held in complete()]


def without(name: str) -> list[dict[str, Any]]:
    return [held for held in complete() if held["id"] != name]


def faults(out: str) -> list[str]:
    return [line for line in out.splitlines() if any(word in line for word in ("MISSING:", "WRONG:", "SUPERFLUOUS:"))]


def test_complete_data_is_accounted_for(account):
    code, out, _ = account(complete())
    assert (code, faults(out)) == (0, [])
    assert out.splitlines()[-1] == (
        "9 printed figures are held by as many entries; 0 missing, 0 wrong, 0 superfluous; 1 not a figure; 2 unprinted."
    )
    assert "2.6.0+cpu" in out and "not a figure: the version of a library" in out
    assert "N0 In[double] transposed: copy of N0 In[double]" in out


@pytest.mark.parametrize("name", [held["id"] for held in complete() if held["id"] not in ("N0 x", "N0 In[double]")])
def test_a_figure_that_no_entry_holds_is_missing(account, name: str):
    code, out, _ = account(without(name))
    assert (code, len(faults(out))) == ((0, 0) if name.endswith("transposed") else (1, 1))
    assert name.endswith("transposed") or "MISSING: no entry holds it" in out


def test_a_copy_of_nothing_stands_in_no_figures_place(account):
    code, out, _ = account(without("N0 In[double]"))
    assert code == 1
    assert "WRONG: N0 In[double] transposed holds 1. where 4. is printed, number 2 of 4" in out


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("N0 In[2] sum", "0.500", "holds 0.500 where 0.5000 is printed"),
        ("N0 In[4] mean", "0.126", "holds 0.126 where 0.125 is printed"),
        ("N1 row", ["1.5e-03", "inf"], "holds inf where -inf is printed, number 2 of 2"),
        ("N0 In[4] twice", [["2.", "4."], ["1.", "-6."]], "(2 x 2) 2. ... -6., which is another shape"),
        ("N0 In[double] positive", [["True", "True"], ["True", "True"]], "holds True where False is printed"),
        ("N0 x", [["1.0", "2.0"], ["0.5", "-3.0"]], "the code of In[1] does not hold"),
    ],
)
def test_a_wrong_digit_is_named(account, name: str, value: Any, complaint: str):
    code, out, _ = account(changed(name, value=value))
    assert code == 1 and len(faults(out)) == 1
    assert f"WRONG: {name}" in out and complaint in out


def test_a_copy_with_a_wrong_digit_is_superfluous(account):
    code, out, _ = account(changed("N0 In[double] transposed", value=[["2.", "1."], ["4.", "6."]]))
    assert code == 1 and len(faults(out)) == 1
    assert "SUPERFLUOUS: N0 In[double] transposed" in out


@pytest.mark.parametrize("cell", ["In[4]", "In[9]", "In[None]", "In[1]", "Model"])
def test_an_entry_that_no_output_holds_is_superfluous(account, cell: str):
    code, out, _ = account([*complete(), entry("N0 more", cell, ["7", "8"])])
    assert code == 1 and len(faults(out)) == 1
    assert "SUPERFLUOUS: N0 more holds [7, 8]" in out


def test_an_entry_of_a_note_that_is_not_there_is_superfluous(account):
    code, out, _ = account([*complete(), entry("N2 more", "In[1]", "7")])
    assert code == 1 and "SUPERFLUOUS: N2 more" in out


def test_entries_in_another_order_than_the_note_prints_them_are_found(account):
    entries = complete()
    entries[-4], entries[-3] = entries[-3], entries[-4]
    code, out, _ = account(entries)
    assert code == 1 and faults(out)


def test_a_tensor_that_stands_in_prose_is_not_passed_over(account):
    note = NOTE.replace("## 3.1 What follows", "## 3.1 What follows\n\ntensor([8, 9]) and 0.12345 come after 2 steps")
    code, out, _ = account(complete(), note)
    assert code == 1
    assert [line.split("MISSING")[0].split(maxsplit=2)[2].strip() for line in faults(out)] == ["[8, 9]", "0.12345"]


def test_a_number_after_words_alone_is_still_an_output(account):
    code, out, _ = account(complete(), NOTE.replace("sum: tensor(0.5000)", "sum: tensor(0.5000)\n\ndone\n\n12.3s"))
    assert code == 1 and len(faults(out)) == 1 and " 12.3 " in faults(out)[0]


@pytest.mark.parametrize(
    ("note", "complaint"),
    [
        ("Nothing but prose.", "neither a line `In [1]:` nor a line `# Output`"),
        (NOTE.replace("import torch\n", "import import\n"), "What stands under its heading is not Python"),
        (NOTE.replace("[ 1., -6.]]])", "...]])"), "It cannot be read"),
    ],
)
def test_a_note_that_cannot_be_read_ends_with_a_sentence(account, note: str, complaint: str):
    code, _, err = account(complete(), note)
    assert code == 2 and complaint in err and "000_lesson.txt" in err


def test_broken_data_ends_with_a_sentence(account):
    code, _, err = account(changed("N0 In[2] sum", value="half"))
    assert code == 2 and "'half'" in err


@pytest.mark.parametrize("make", [lambda folder: folder, lambda folder: folder / "absent"])
def test_a_folder_without_notes_is_refused(accounting, make, tmp_path, capsys):
    assert accounting.main([str(make(tmp_path))]) == 2
    assert "Name their folder." in capsys.readouterr().err


@pytest.mark.skipif(not NOTES.is_dir(), reason="The notes are no part of the repository; GRADER_NOTES names no folder.")
def test_the_real_notes_are_accounted_for(accounting, capsys):
    code = accounting.main([str(NOTES)])
    assert (code, faults(capsys.readouterr().out)) == (0, [])
