"""Answers of odd shapes and dtypes, in every exercise: they earn nothing, and no process takes much memory for them."""

import ast
import re
import sys

from ...support.classes.grading_runs import ROOT, grade
from ...support.course_copy import course_copy
from ...support.courses import hand_in

FORMS = {
    "column": "torch.zeros(1_600_000, 1, 1, 1, dtype=torch.uint8)",
    "many_dimensions": "torch.zeros(*[1] * 20, 1_000_000, *[1] * 20, dtype=torch.bool)",
    "expanded": "torch.zeros(1).expand(60, 80, 100)",
    "complex": "torch.zeros(500_000, 1, 1, 1, dtype=torch.complex64)",
    "nothing": "torch.zeros(0, 3, 5)",
    "pair": "(torch.zeros(1_600_000, 1, 1, 1, dtype=torch.uint8), torch.zeros(900_000, 1, 1, 1, 1))",
}
ANSWERED = {"07_transformer_block": list(FORMS), "04_multi_head_attention": ["column", "pair"]}
"""The forms by assignment; in one the others come to the same and cost half a minute."""
MEASURE = """\
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print("PEAK", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""
MOST_MIB = 2048


def answering(assignment, form):
    """Return the solution with every function and module made to give one answer, whatever it is asked."""
    name = assignment.partition("_")[2]
    text = (ROOT / "solutions" / assignment / f"{name}.py").read_text(encoding="utf-8")
    lines = [text.replace("# %%", "#"), f"ANSWER = {form}"]
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            lines.append(f"def {node.name}(*args, **kwargs):\n    return ANSWER")
        elif isinstance(node, ast.ClassDef):
            lines.append(
                f"class {node.name}({node.name}):\n    def forward(self, *args, **kwargs):\n        return ANSWER"
            )
    return "\n".join(lines) + "\n"


def test_no_form_of_an_answer_takes_much_memory_or_earns_a_point(tmp_path):
    for assignment, forms in ANSWERED.items():
        for form in forms:
            hand_in(tmp_path / "class", form, answering(assignment, FORMS[form]), assignment=assignment)
    through = (sys.executable, "-c", MEASURE)
    done = grade(tmp_path / "out", tmp_path / "class", "--jobs", "2", cwd=course_copy(), through=through)
    assert done.code == 0, done.stderr
    for assignment, forms in ANSWERED.items():
        assert {form: done.points(form, assignment) for form in forms} == {form: {} for form in forms}
    assert int(re.search(r"PEAK (\d+)", done.stderr)[1]) < MOST_MIB
