"""Makes sure that nbgrader is there and can be worked with, before anything of it is imported."""

import importlib.util
import os
import sys
import warnings
from pathlib import Path

from grader.errors import UsageError

INSTALL = "python -m pip install 'attention-grader[nbgrader]'"


def need_nbgrader() -> None:
    """Prepare this process for nbgrader.

    nbgrader starts `alembic` by its name when it makes a gradebook, and leaves a broken one behind when that fails, so
    the programs of this Python's environment come first on the path. SQLAlchemy's warnings about nbgrader's own way to
    add a submission are dropped: they tell a teacher nothing.

    Raises:
        UsageError: nbgrader is not installed here.
    """
    if importlib.util.find_spec("nbgrader") is None:
        raise UsageError("nbgrader is not installed in this environment.", hint=f"Install it: {INSTALL}")
    warnings.filterwarnings("ignore", module="nbgrader")
    programs = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join(part for part in (programs, os.environ.get("PATH", "")) if part)
