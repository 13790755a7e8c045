"""Prepares the process of an nbgrader command; its course's settings call it before anything else."""

import os
import sys
import warnings
from pathlib import Path


def need_nbgrader() -> None:
    """Put the programs of this Python's environment first on the path, and drop warnings that tell a teacher nothing.

    nbgrader starts `alembic` by its name when it makes a gradebook, and leaves a broken one behind when that fails. The
    warnings are SQLAlchemy's about nbgrader's own way to add a submission.
    """
    warnings.filterwarnings("ignore", module="nbgrader")
    programs = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join(part for part in (programs, os.environ.get("PATH", "")) if part)
