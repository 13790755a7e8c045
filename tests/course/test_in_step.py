"""This repository's own assignments are what their sources make of them, and hold no answer."""

import jupytext
import nbformat
import pytest

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.stub import find_regions
from grader.course.handed_out.wrapping import wrapped
from grader.course.layout import find_course
from grader.course.variants.read_variants import build_submission, load_variants
from grader.release.build import build, released_files

from ..support.classes.grading_runs import ROOT

COURSE = find_course(ROOT)


def test_assignments_are_in_step_with_their_sources():
    built = build(COURSE, check=True)
    assert [str(path.relative_to(ROOT)) for path in (*built.changed, *built.strays)] == []


@pytest.mark.parametrize("name", COURSE.assignments)
def test_no_line_of_a_solution_region_reaches_a_student(name):
    assignment = COURSE.assignments[name]
    text = assignment.source.read_text(encoding="utf-8")
    regions = find_regions(text, split_cells(text, assignment.source), assignment.exercises, assignment.source)
    secret, told = set(), set()
    for number, line in enumerate(text.split("\n"), start=1):
        inside = any(region.begin < number < region.end for region in regions)
        (secret if inside else told).add(line.strip())
    answers = secret - told - {""}
    assert len(answers) >= len(assignment.exercises)
    for path, made in released_files(assignment):
        if path.suffix == ".ipynb":
            made = "\n".join(cell.source for cell in nbformat.reads(made, as_version=4).cells)
        assert answers & {line.strip() for line in made.split("\n")} == set(), path.name


@pytest.mark.parametrize("name", COURSE.assignments)
def test_notebook_is_valid_and_the_stub_again(name):
    assignment = COURSE.assignments[name]
    files = {path.suffix: text for path, text in released_files(assignment) if path.stem == assignment.name}
    notebook = nbformat.reads(files[".ipynb"], as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    stub = jupytext.reads(files[".py"], fmt="py:percent")
    cells = [cell for cell in notebook.cells if not cell.id.endswith("-ko")]  # the Korean tasks, folded
    assert len(notebook.cells) - len(cells) == len(assignment.exercises)
    assert [(cell.cell_type, cell.source) for cell in cells] == [
        (cell.cell_type, wrapped(cell.source) if cell.cell_type == "code" else cell.source) for cell in stub.cells
    ]
    assert [cell.metadata.get("nbgrader") for cell in cells] == [cell.metadata.get("nbgrader") for cell in stub.cells]


@pytest.mark.parametrize("name", COURSE.assignments)
def test_every_exercise_has_mistakes_and_every_variant_makes_a_submission(name):
    assignment = COURSE.assignments[name]
    variants = load_variants(assignment)
    for exercise in assignment.exercises:
        assert variants.mistakes_of(exercise.id), f"{exercise.id} has no mistakes"
    for variant in variants.all:
        compile(build_submission(assignment, variant), variant.name, "exec")
