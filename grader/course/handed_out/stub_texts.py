"""The stub of each exercise as it is handed out, kept beside the file that students change, for `grader reset`.

It is JSON and not Python, so nobody takes it for a submission when a whole folder is handed in.
"""

import json
from pathlib import Path

import msgspec

from grader.course.content.percent_format import split_cells
from grader.errors import UsageError

NAME = "stubs.json"


def stubs_text(stub: str, path: Path) -> str:
    """Return the text of that file, made of the students' `.py` file: the code of each exercise's cell, by its name."""
    cells = [(cell.metadata.get("nbgrader", {}), cell.source) for cell in split_cells(stub, path)]
    texts = {nbgrader["grade_id"]: source for nbgrader, source in cells if nbgrader.get("solution")}
    return json.dumps(texts, ensure_ascii=False, indent=1) + "\n"


def stub_of(folder: Path, exercise: str) -> str:
    """Return the code of an exercise's cell as it was handed out.

    Args:
        folder: An assignment's folder, as a student has it.

    Raises:
        UsageError: The file is not there or not whole, or does not hold the exercise.
    """
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=dict[str, str])[exercise]
    except OSError as problem:
        found = f"It cannot be read: {problem.strerror}."
    except (msgspec.MsgspecError, RecursionError):
        found = "It is not as it was handed out."
    except KeyError:
        found = f"It does not have `{exercise}`."
    raise UsageError(f"The exercise as it was handed out was looked for in {folder / NAME}.", found,
                     "Take the file out of the release once more.")  # fmt: skip
