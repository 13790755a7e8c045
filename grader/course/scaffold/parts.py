"""Which files make a new course, a new assignment and a new exercise, and from which templates."""

from pathlib import Path

from grader.course.layout import find_course
from grader.course.output_place import is_course
from grader.errors import UsageError

from .draft import Draft, filled
from .names import check_exercise_name, new_assignment_id

FIRST = "01_first_steps"
EXAMPLES = (("smooth_maximum", False), ("LearnedSlope", True))


def new_course(folder: Path) -> Draft:
    """Draft a course of one assignment with two exercises, a function and a module, outside of any course."""
    root = folder.resolve()
    if root.exists() and not root.is_dir():
        raise UsageError(f"{root} is a file.", "Name a folder for the new course.")
    for above in (root, *root.parents):
        if is_course(above):
            problem = f"{above} is a course already." if root == above else f"{root} is in the course {above}."
            raise UsageError(problem, "Name a folder outside it, or add to it by `grader new assignment NAME`.")
    draft = Draft(root)
    for name in ("README.md", "course.toml"):
        draft.add(name, filled(f"course/{name}", folder=root.name, assignment=FIRST, exercise=EXAMPLES[0][0]))
    draft.add(".gitignore", filled("course/gitignore"))
    draft.add("tests/golden/figures.json", "[]\n")
    _add_assignment(draft, FIRST)
    for name, module in EXAMPLES:
        _add_exercise(draft, FIRST, name, module)
    return draft


def new_assignment(start: Path, name: str) -> Draft:
    """Draft the next assignment of a course, with one example exercise."""
    course = find_course(start)
    assignment = new_assignment_id(course, name)
    draft = Draft(course.root)
    korean = "ko" in course.settings.languages
    _add_assignment(draft, assignment, korean=korean)
    _add_exercise(draft, assignment, f"example_of_{name}", module=False, tasks=korean)
    return draft


def new_exercise(start: Path, name: str, assignment: str | None, module: bool) -> Draft:
    """Draft an exercise at the end of an assignment, which is named unless there is only one."""
    course = find_course(start)
    check_exercise_name(course, name)
    if assignment is None and len(course.assignments) > 1:
        raise UsageError("The course has several assignments.", f"Add --assignment: {', '.join(course.assignments)}.")
    chosen = course.assignment(assignment or next(iter(course.assignments)))
    draft = Draft(course.root)
    _add_exercise(draft, chosen.id, name, module, tasks=chosen.tasks.exists())
    return draft


def _add_assignment(draft: Draft, assignment: str, korean: bool = True) -> None:
    name, folder = assignment.partition("_")[2], f"solutions/{assignment}"
    title = name.replace("_", " ").capitalize()
    draft.add(f"{folder}/{name}.py", filled("assignment/source.py", title=title))
    for file in ("handout.md", *(("handout.ko.md", "tasks.ko.md") if korean else ())):
        draft.add(f"{folder}/{file}", filled(f"assignment/{file}", title=title))
    draft.add(f"tests/visible/test_{name}.py", filled("assignment/visible.py"))


def _add_exercise(draft: Draft, assignment: str, name: str, module: bool, tasks: bool = True) -> None:
    kind = "module" if module else "function"
    stem, folder = assignment.partition("_")[2], f"solutions/{assignment}"

    def part(template: str) -> str:
        return filled(f"{kind}/{template}", name=name, lower=name.lower())

    draft.add(f"tests/hidden/{assignment}/test_{name}.py", part("hidden.py"))
    for variants in ("mistakes", "rights"):
        draft.add(f"{folder}/{variants}/{name}.py", part(f"{variants}.py"))
    draft.grow(f"{folder}/{stem}.py", part("cell.py"))
    draft.grow(f"tests/visible/test_{stem}.py", part("visible.py"))
    if tasks:
        draft.grow(f"{folder}/tasks.ko.md", part("tasks.ko.md"))
