"""`grader alike`: which pairs of a class of 120 it lists, and which it does not."""

import json
import random
import re

import pytest

from grader.course.handed_out.build import build
from grader.grading import alike_class

from ...support.command_line import run_here
from ...support.courses import ASSIGNMENT, hand_in, small_course

METHODS = ["abs", "cos", "sin", "exp", "log", "neg", "sqrt", "tanh", "floor", "square", "sigmoid", "erf"]
REDUCED = ["sum", "mean", "amax", "amin", "prod", "std", "var", "cumsum"]
CLASS = 120
PLAIN = '''
def softmax(x):
    """What everybody writes."""
    shifted = x - x.max(dim=-1, keepdim=True).values
    exponentials = torch.exp(shifted)
    return exponentials / exponentials.sum(dim=-1, keepdim=True)
'''
PLAIN_ALONE = {
    "plain_ann": "    scores = query @ key.transpose(-2, -1)\n    return torch.softmax(scores, dim=-1) @ value\n",
    "plain_ben": "    attn = F.softmax(torch.matmul(query, key.mT), -1)\n    return torch.matmul(attn, value)\n",
}
RENAMED = {"state": "zz", "first": "v1", "second": "v2", "x": "inp", "whole": "total"}


def function(name: str, chance: random.Random) -> str:
    """Return a function that nobody else would write."""
    lines = [f"def {name}(x):", "    first = second = state = x"]
    for _ in range(6):
        target, left, right = (chance.choice(["first", "second", "state"]) for _ in range(3))
        calls = f"{chance.choice(METHODS)}().{chance.choice(REDUCED)}(dim={chance.randrange(4)}, keepdim=True)"
        lines.append(f"    {target} = {left}.{calls} {chance.choice('+-*/@')} {right}.{chance.choice(METHODS)}()")
    return "\n".join([*lines, "    return state", ""])


def written(student: str) -> list[str]:
    """Return the functions of a student's own."""
    chance = random.Random(student)
    return [function(name, chance) for name in ("shares", "helper", "Shift")]


def renamed(text: str) -> str:
    """Return code with other names in it."""
    return re.sub(r"\b\w+\b", lambda found: RENAMED.get(found[0], found[0]), text)


def commented(text: str) -> str:
    """Return code with other comments, docstrings and blanks."""
    text = re.sub(r"(def .*\n)", r'\1    """Something else."""\n', text)
    return re.sub(r" = (.*)\n", r" = (  # here\n        \1\n    )\n", text).replace(", ", ",").replace("= (", "=(")


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """A class of 120, some of whose submissions share code, and what the command made of it."""
    root = tmp_path_factory.mktemp("alike")
    course = small_course(root / "course")
    build(course)
    released = course.assignments[ASSIGNMENT].released
    stub = (released / "tiny.py").read_text(encoding="utf-8")
    school = root / "class"
    own = [f"student_{number:03}" for number in range(CLASS - 10)]
    for student in own:
        hand_in(school, student, stub + PLAIN + "\n".join(written(student)))
    for student, body in PLAIN_ALONE.items():
        hand_in(school, student, f"{stub}{PLAIN}\ndef attention(query, key, value):\n{body}")
    hand_in(school, "copy_renamed", stub + PLAIN + renamed("\n".join(written(own[0]))))
    hand_in(school, "copy_reordered", stub + "\n".join(reversed(written(own[1]))) + PLAIN)
    hand_in(school, "copy_commented", stub + PLAIN + commented("\n".join(written(own[2]))))
    notebook = json.loads((released / "tiny.ipynb").read_text(encoding="utf-8"))
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"] += [
        {**code, "source": text} for text in ["%matplotlib inline\n!ls it's", PLAIN, *written(own[3])]
    ]
    hand_in(school, "copy_notebook", json.dumps(notebook), suffix=".ipynb")
    hand_in(school, "copy_of_a_part", stub + PLAIN + "\n".join([*written("somebody")[:2], written(own[4])[1]]))
    hand_in(school, "copy_broken", f"def half(:\n    x = '\n{stub}{PLAIN}" + "\n".join(written(own[5])) + "\nprint((")
    hand_in(school, "untouched", stub)
    hand_in(school, "the_solution", (root / "course/solutions/01_tiny/tiny.py").read_text(encoding="utf-8"))
    path = hand_in(school, "not_text", "")
    path.write_bytes(b"\xff\xfe\x00")
    done = run_here("alike", school, "--output", root / "reports", "--course", root / "course")
    return done, root / "reports"


def test_a_pair_is_listed_for_each_copy_and_for_nobody_else(compared):
    """Not those who wrote what everybody writes, nor two plain answers, the stub, or the course's own solution."""
    done, _ = compared
    pairs = dict(re.findall(r"^  '(copy_\w+)' and '(\w+)': \d+ lines$", done.stdout, re.MULTILINE))
    copies = ["copy_renamed", "copy_reordered", "copy_commented", "copy_notebook", "copy_of_a_part", "copy_broken"]
    assert pairs == {copy: f"student_{number:03}" for number, copy in enumerate(copies)}
    assert "These pairs share code; look at them (6):" in done.stdout


def test_what_cannot_be_read_is_named_and_ends_with_1(compared):
    done, _ = compared
    assert done.returncode == 1
    assert f"{ASSIGNMENT}: {CLASS} submissions compared.\n" in done.stdout
    assert re.search(r"Not compared \(1\):\n  'not_text', 01_tiny: The file 'tiny.py' is saved as UTF-16", done.stdout)


def test_the_page_lies_beside_that_of_the_class_and_shows_both_sides(compared):
    done, reports = compared
    place = reports / "for-teachers" / ASSIGNMENT / "alike.html"
    assert f"The page: {place}\n" in done.stdout
    page = place.read_text(encoding="utf-8")
    assert page.count("<pre>") == 2 * (5 * 3 + 1)
    assert "Something else" not in page
    assert "UTF-16" in page


def test_a_class_without_shared_code_ends_with_0_and_has_a_page(tmp_path):
    course = small_course(tmp_path / "course")
    for student in ("ann", "ben"):
        hand_in(tmp_path / "class", student, "\n".join(written(student)))
    done = run_here("alike", tmp_path / "class", "--output", tmp_path / "out", "--course", course.root)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("01_tiny: 2 submissions compared; no two share unusual code.\n")
    assert "No two submissions share" in (tmp_path / "out/for-teachers/01_tiny/alike.html").read_text(encoding="utf-8")


def test_nothing_that_was_handed_in_is_run(tmp_path):
    course = small_course(tmp_path / "course")
    touched = tmp_path / "touched"
    code = f"open({str(touched)!r}, 'w').close()\n"
    hand_in(tmp_path / "class", "ann", code + "\n".join(written("x")))
    hand_in(tmp_path / "class", "ben", code + "\n".join(written("x")))
    done = run_here("alike", tmp_path / "class", "--output", tmp_path / "out", "--course", course.root)
    assert "'ann' and 'ben'" in done.stdout
    assert not touched.exists()


def test_a_file_beyond_the_bound_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(alike_class, "MOST_TOKENS", 2000)
    course = small_course(tmp_path / "course")
    hand_in(tmp_path / "class", "ann", "x = [" + "1, " * 1000 + "]\n")
    hand_in(tmp_path / "class", "ben", "y = 1\n")
    done = run_here("alike", tmp_path / "class", "--output", tmp_path / "out", "--course", course.root)
    assert done.returncode == 1
    assert "'ann', 01_tiny: It has more than" in done.stdout


@pytest.mark.parametrize(
    ("output", "said"), [("class/reports", "is in"), ("course/solutions", "belongs to the course")]
)
def test_an_output_in_the_class_or_the_course_is_refused(tmp_path, output, said):
    course = small_course(tmp_path / "course")
    hand_in(tmp_path / "class", "ann", "x = 1\n")
    done = run_here("alike", tmp_path / "class", "--output", tmp_path / output, "--course", course.root)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
