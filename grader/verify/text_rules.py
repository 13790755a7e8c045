"""The rules that can be read off the files: what students get, and what an author must write for each exercise.

Nothing runs here but the examples of docstrings. A solution's line in `assignments/` counts as given away only when it
says something: a bare `return x` is in any stub.
"""

import ast
import doctest
import inspect
import re
from collections.abc import Iterator, Sequence

from grader.course.content.percent_format import parse, split_cells
from grader.course.handed_out.given import read_tasks
from grader.course.handed_out.hint_levels import NAME as HINTS
from grader.course.handed_out.hint_levels import levels_of
from grader.course.handed_out.stub import find_regions
from grader.course.layout import Assignment, Course
from grader.course.run_source import load_solution
from grader.faults import read_text
from grader.release.build import build

from .rules import Findings, Unmet, hidden_suite

SHORTEST = 20  # characters of a line that can give an answer away
CHECK = re.compile(r"^def (test_\w+)\(", re.MULTILINE)


def in_step(course: Course) -> Findings:
    built = build(course, check=True)
    for path in built.changed:
        yield Unmet("The generated files must be in step with their sources.", path, "", "Run `grader build`.")


def nothing_given_away(assignment: Assignment, exercises: Sequence[str]) -> Findings:
    """Ask that no line of these exercises' regions and nothing of their hidden suites is in what students get."""
    given = {
        path: path.read_text(encoding="utf-8")
        for path in sorted(assignment.released.rglob("*"))
        if path.is_file() and path.suffix in (".py", ".ipynb", ".md", ".toml")
    }
    for owner, line in telling_lines(assignment):
        if owner not in exercises:
            continue
        for path, text in given.items():
            if line in text:
                yield Unmet("No line of a solution may reach the students.", path, owner, f"It holds {line!r}.")
    visible = set(CHECK.findall(read_text(assignment.visible)))
    for exercise in exercises:
        for name in CHECK.findall(read_text(hidden_suite(assignment, exercise))):
            for path, text in given.items():
                if name in CHECK.findall(text) and name not in visible:
                    yield Unmet("No hidden check may reach the students.", path, exercise, f"It holds {name!r}.")


def telling_lines(assignment: Assignment) -> list[tuple[str, str]]:
    """Return the lines of the solution regions that are nowhere else in the source, with their exercise."""
    text = read_text(assignment.source)
    regions = find_regions(text, split_cells(text, assignment.source), assignment.exercises, assignment.source)
    lines = text.split("\n")
    inside = {number for region in regions for number in range(region.begin, region.end + 1)}
    outside = {line.strip() for number, line in enumerate(lines, start=1) if number not in inside}
    return [
        (region.exercise, line)
        for region in regions
        for line in (raw.partition("  #")[0].strip() for raw in lines[region.begin : region.end - 1])
        if len(line) >= SHORTEST and line not in outside
    ]


def everything_said(assignment: Assignment, exercises: Sequence[str]) -> Findings:
    """Ask for a docstring with arguments, result and hints of these exercises.

    Points and difficulty are asked for when the course is read, so an assignment without them does not come so far.
    """
    text = read_text(assignment.source)
    tree = parse(text, assignment.source)
    definitions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for exercise in exercises:
        texts = docstrings(definitions[exercise])
        for part in ("Args:", "Returns:", "Hints:"):
            if not any(part in text for text in texts):
                rule = f"The docstring of an exercise must have a part `{part}`."
                yield Unmet(rule, assignment.source, exercise, "There is none.")


def everything_translated(course: Course, assignment: Assignment, exercises: Sequence[str]) -> Findings:
    """Ask for the Korean of what students read of these exercises, in a course that is written in Korean, too."""
    rule = "What students read must be in all languages of the course."
    if "ko" not in course.settings.languages:
        return
    if not (handout := assignment.source.parent / "handout.ko.md").exists():
        yield Unmet(rule, handout, "", "There is no such file.")
    for entry in map(assignment.exercise, exercises):
        if entry.title_ko == entry.title:
            yield Unmet(rule, assignment.source, entry.id, "It has no `title_ko`.")
        levels = levels_of(hints := assignment.source.parent / HINTS, entry.id)
        if levels is not None and not all((levels.where_ko, levels.idea_ko, levels.nearly_ko)):
            yield Unmet(rule, hints, entry.id, "A hint has no Korean.")
    files = [(hidden_suite(assignment, exercise), exercise) for exercise in exercises] + [(assignment.visible, "")]
    files += [(path, name) for name in exercises for path in sorted(assignment.mistakes.glob(f"{name}.*"))]
    for path, exercise in files:
        for line in untranslated(parse(read_text(path), path)):
            yield Unmet(rule, path, exercise, f"Line {line} has no `ko`.")


def untranslated(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of decorators of checks and mistakes that have no Korean."""
    calls = [mark for node in tree.body for mark in getattr(node, "decorator_list", []) if isinstance(mark, ast.Call)]
    for mark in calls:
        is_read = ast.unparse(mark.func).endswith(("mistake", ".check"))
        if is_read and not {"ko", None} & {keyword.arg for keyword in mark.keywords}:
            yield mark.lineno


def examples_are_true(assignment: Assignment, exercises: Sequence[str]) -> Findings:
    """Ask that the solution gives what the docstrings of these exercises show, as does the task in Korean."""
    if ">>>" not in read_text(assignment.source):
        return
    solution, tasks = vars(load_solution(assignment)), read_tasks(assignment.tasks, assignment.exercises)
    for exercise in exercises:
        methods = filter(inspect.isfunction, vars(solution[exercise]).values())
        for text in filter(None, (part.__doc__ for part in (solution[exercise], *methods))):
            examples = doctest.DocTestParser().get_doctest(text, {**solution}, exercise, str(assignment.source), 0)
            told: list[str] = []
            if doctest.DocTestRunner(verbose=False).run(examples, out=told.append).failed:
                rule = "An example in a docstring must be what the solution gives."
                report = [line.strip() for line in "".join(told).splitlines() if not line.startswith(("*", "File "))]
                yield Unmet(rule, assignment.source, exercise, " ".join(filter(None, report)))
            for example in examples.examples:
                lines = example.source.splitlines()
                if tasks and not all(line in tasks[exercise] for line in [*lines, *example.want.splitlines()]):
                    rule = "The task in Korean must show the example of the docstring."
                    yield Unmet(rule, assignment.tasks, exercise, f"It does not show `{lines[0]}`.")


def docstrings(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    inner = [definition for definition in ast.walk(node) if isinstance(definition, ast.FunctionDef | ast.ClassDef)]
    return [text for definition in inner if (text := ast.get_docstring(definition)) is not None]
