"""Finds a course and what belongs to each of its assignments.

A course is a folder that holds `solutions/` and `tests/hidden/`. An assignment needs no registration: its folder in
`solutions/`, its suites and its visible tests are found by name, and whatever is missing is said at once.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.course.content.exercises import Exercise, read_exercises
from grader.course.content.percent_format import split_cells
from grader.course.content.settings import Settings, read_secret, read_settings
from grader.course.output_place import is_course
from grader.errors import CourseError, UsageError
from grader.faults import MISSPELT, course_path, did_you_mean, fault, read_text
from grader.limits import Limits

ASSIGNMENT_ID = re.compile(r"(\d{2})_([a-z][a-z0-9_]*)")


@dataclass(frozen=True)
class Assignment:
    """One assignment of a course.

    Attributes:
        id: The folder's name, such as `01_simple_attention`.
        name: The id without its number; the stem of the students' file.
        source: The solution, from which everything a student gets is made.
        mistakes: The folder of named wrong answers, a file for each exercise; it need not exist.
        rights: The folder of right answers in other styles, likewise.
        hint_levels: Hints in three levels, written by the author; it need not exist.
        tasks: What each exercise asks, in Korean; it need not exist.
        released: The folder that students get, made by the build.
    """

    id: str
    name: str
    title: str
    source: Path
    exercises: list[Exercise]
    hidden: Path
    visible: Path
    golden: Path
    mistakes: Path
    rights: Path
    hint_levels: Path
    tasks: Path
    released: Path

    @property
    def points(self) -> Decimal:
        """What the assignment is worth."""
        return sum((exercise.points for exercise in self.exercises), Decimal(0))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that students write."""
        return tuple(exercise.id for exercise in self.exercises)

    def exercise(self, name: str) -> Exercise:
        """Return the exercise of that name.

        Raises:
            UsageError: There is none; the sentence names the closest.
        """
        for exercise in self.exercises:
            if exercise.id == name:
                return exercise
        hint = did_you_mean(name, [exercise.id for exercise in self.exercises])
        raise UsageError(f"The assignment {self.id} has no exercise `{name}`.", hint=hint)

    def suite(self, exercise: Exercise) -> Path:
        """Return the file of the hidden suite of an exercise."""
        return self.hidden / f"test_{exercise.id}.py"


@dataclass(frozen=True)
class Course:
    """A course on disk.

    Attributes:
        root: Its folder, absolute.
    """

    root: Path
    assignments: dict[str, Assignment]
    settings: Settings
    limits: Limits

    def secret(self) -> bytes:
        """Return the key that hidden inputs are drawn from; see `settings.read_secret`."""
        return read_secret(self.root)

    @property
    def secret_paths(self) -> list[Path]:
        """What student code must not be able to read: the course's own folders and this package."""
        kit = Path(__file__).resolve().parent.parent
        folders = [self.root / name for name in ("tests", "solutions", "assignments", ".grader", "examples")]
        return [path for path in (*folders, kit, kit / "__main__.py") if path.exists()]

    def assignment(self, name: str) -> Assignment:
        """Return an assignment by its id, or by its name without the number.

        Raises:
            UsageError: There is none; the sentence names the closest.
        """
        for assignment in self.assignments.values():
            if name in (assignment.id, assignment.name):
                return assignment
        raise UsageError(f"This course has no assignment `{name}`.", hint=did_you_mean(name, self.assignments))


def find_course(start: Path) -> Course:
    """Find the course that `start` is in, and read it.

    Raises:
        UsageError: There is no course there.
        CourseError: The course is broken; the sentence names the file and, where it can, the line.
    """
    place = start.resolve()
    for folder in (place, *place.parents):
        if is_course(folder):
            return _read_course(folder)
    raise UsageError(
        f"{place} is not in a course (a folder with `solutions/` and `tests/hidden/`).",
        "Run the command inside the course's folder, or begin a course by `grader new course DIR`. "
        "(Students need none: `grader check` works without.)",
    )


def _read_course(root: Path) -> Course:
    settings, limits = read_settings(root)
    assignments: dict[str, Assignment] = {}
    numbers: dict[str, str] = {}
    for folder in sorted((root / "solutions").iterdir()):
        if not folder.is_dir() or folder.name.startswith((".", "_")):
            continue
        match = ASSIGNMENT_ID.fullmatch(folder.name)
        if match is None:
            hint = "Rename it, or begin its name with `_` to keep it out of the course."
            raise CourseError(f"{course_path(folder)} is not named like `01_simple_attention`.", hint)
        if match[1] in numbers:
            problem = f"{course_path(folder)} has the same number as `{numbers[match[1]]}`."
            raise CourseError(problem, "Renumber one of them.")
        numbers[match[1]] = folder.name
        assignments[folder.name] = _read_assignment(root, folder.name, match[2])
    if not assignments:
        raise CourseError("solutions/ holds no assignment.", "Begin with `solutions/01_<name>/<name>.py`.")
    return Course(root, assignments, settings, limits)


def _read_assignment(root: Path, assignment_id: str, name: str) -> Assignment:
    folder = root / "solutions" / assignment_id
    source = folder / f"{name}.py"
    text = read_text(source)
    cells = split_cells(text, source)
    headings = [
        line[2:].strip()
        for cell in cells
        if cell.kind == "markdown"
        for line in cell.source.split("\n")
        if line.startswith("# ")
    ]
    if not headings or not headings[0]:
        hint = "Open it with `# %% [markdown]` and `# # The title`."
        raise CourseError(f"{course_path(source)} has no heading.", hint)
    assignment = Assignment(
        id=assignment_id,
        name=name,
        title=headings[0],
        source=source,
        exercises=read_exercises(cells, text, source),
        hidden=root / "tests" / "hidden" / assignment_id,
        visible=root / "tests" / "visible" / f"test_{name}.py",
        golden=root / "tests" / "golden",
        mistakes=folder / "mistakes",
        rights=folder / "rights",
        hint_levels=folder / "hints.toml",
        tasks=folder / "tasks.ko.md",
        released=root / "assignments" / assignment_id,
    )
    _check_suites(assignment)
    return assignment


def _check_suites(assignment: Assignment) -> None:
    known = {f"test_{exercise.id}.py": exercise for exercise in assignment.exercises}
    for name, exercise in known.items():
        if not (assignment.hidden / name).is_file():
            suite = "/".join((*assignment.hidden.parts[-3:], name))
            problem = f"the exercise `{exercise.id}` has no hidden suite {suite}."
            raise fault(assignment.source, exercise.line, problem, MISSPELT)
    for path in sorted(assignment.hidden.glob("test_*.py")):
        if path.name not in known:
            raise CourseError(f"{course_path(path)} belongs to no exercise.", did_you_mean(path.name, known))
    if not assignment.visible.is_file():
        raise CourseError(f"There is no {course_path(assignment.visible)}, which students get.", MISSPELT)
