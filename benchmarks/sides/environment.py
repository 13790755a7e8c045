"""The environments of the other graders, `.bench-venv/<name>`: made once, with torch shared from the kit's own.

Each grader has one for itself, as it has on its users' machines: what one brings along would slow another down (beside
JupyterLab, `import jsonschema` takes a second). A path file lets it see the packages of `.venv`, so torch is neither
fetched nor loaded from a second place, and nothing of the others gets into the environment that grades.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import distributions
from pathlib import Path

from benchmarks.processes import ROOT

PLACE = ROOT / ".bench-venv"
REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements.txt"


def pinned(file: Path = REQUIREMENTS) -> dict[str, str]:
    """Return the version of each package that is asked for."""
    lines = (line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    return dict(line.split("==", 1) for line in lines if line)


class Environment:
    """One grader's environment.

    Args:
        packages: Names of packages of requirements.txt; the first is the grader, after which its folder is called.
    """

    def __init__(self, packages: Sequence[str]) -> None:
        self.folder = PLACE / "".join(packages[:1])
        self.packages = packages

    @property
    def _library(self) -> Path:
        return Path(sysconfig.get_path("purelib", vars={"base": str(self.folder), "platbase": str(self.folder)}))

    def make(self) -> None:
        """Make it, unless it was made for this folder, this Python and these versions; `missing` tells a failure."""
        asked = [f"{name}=={pinned()[name]}" for name in self.packages]
        wanted = "\n".join([str(ROOT), sys.prefix, sys.version, *asked])
        stamp = self.folder / ".stamp"
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
            return
        print(
            f"Setting up {self.folder.relative_to(ROOT)} with {', '.join(asked)}; this takes minutes once.", flush=True
        )
        venv.create(self.folder, clear=True, with_pip=True)
        shared = [sysconfig.get_path("purelib"), str(ROOT)]
        (self._library / "shared.pth").write_text("\n".join(shared) + "\n", encoding="utf-8")
        # What `.venv` has of it counts as installed through the path file, but its programs would be missing here.
        quiet = ["--quiet", "--disable-pip-version-check", "--ignore-installed"]
        command = [self.program("python"), "-m", "pip", "install", *quiet, *asked]
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            stamp.write_text(wanted, encoding="utf-8")

    @cached_property
    def installed(self) -> dict[str, str]:
        """The versions of the packages that it sees; its own come before those of `.venv`."""
        found: dict[str, str] = {}
        for each in distributions(path=[str(self._library), sysconfig.get_path("purelib")]):
            found.setdefault(each.metadata["Name"].lower().replace("_", "-"), each.version)
        return found

    def missing(self) -> str:
        """Return a sentence when a package is not there in the version that was asked for; empty when all are."""
        for name in self.packages:
            wanted, found = pinned()[name], self.installed.get(name, "none")
            if found != wanted:
                return f"{name} {wanted} could not be installed here (found: {found})."
        return ""

    def program(self, name: str) -> str:
        """Return the path of one of its programs."""
        return str(self.folder / "bin" / name)

    def variables(self, home: Path) -> dict[str, str]:
        """Return what Jupyter's programs need: themselves on the path, and a home that holds nobody's settings."""
        folders = ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
        homes = {name: str(home / name.lower()) for name in folders}
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return {"PATH": path, "JUPYTER_PREFER_ENV_PATH": "1", **homes}
