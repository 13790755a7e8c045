"""Lists what a jail shows of the file system: as mounts for tier 1, as readable paths for tier 2.

Both come from one list, so that the tiers show the same: the base interpreter with its standard library, the system's
shared libraries, and the packages of `libraries.find` under a neutral path. The virtual environment itself is not
shown; it is usually in the course's folder.
"""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.inside.sandbox import landlock

SITE = "/site"
SYSTEM = ("/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib")
SMALL_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/proc/cpuinfo", "/sys/devices/system/cpu")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
EXTRA_STORES = ("/nix/store", "/gnu/store")
LIBRARY_CONFIGURATION = Path("/etc/ld.so.conf.d")
DRIVER_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib")
DRIVER_LIBRARY = "libcuda.so.1"
DRIVER_FILES = {"/proc/self/maps": "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0 [stack]\n"}
"""What CUDA's driver cannot start without where procfs is not mounted: it looks for a free range of addresses in there,
and asks the kernel for it without force."""
_MASK_NAMES = ("site-packages", "dist-packages")
_MASK_DEPTH = 3


@dataclass(frozen=True)
class View:
    """What a jail shows.

    Attributes:
        python: The base interpreter, with all links resolved.
        trees: Folders and files shown at their own paths.
        links: Links of the root to copy, such as `/lib` to `usr/lib`.
        masked: Folders below `trees` that are hidden.
        secret: Those of `masked` in which even file names must not be listed.
        packages: Folders and files of the search path by name.
        driver: Folders of the GPU driver's libraries, for the loader's search path.
        files: Small files that exist in the jail alone, with their texts.
    """

    python: str
    trees: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    devices: tuple[str, ...]
    masked: tuple[str, ...]
    secret: tuple[str, ...]
    packages: Mapping[str, Path]
    driver: tuple[str, ...]
    files: Mapping[str, str]

    def mounts(self) -> dict[str, Any]:
        """Return the plan for `inside.namespaces.build_root`."""
        packages = [[str(path), f"{SITE}/{name}"] for name, path in sorted(self.packages.items())]
        return {
            "folders": [SITE, "/tmp"],
            "links": [list(link) for link in self.links],
            "files": dict(self.files),
            "binds": [[path, path] for path in self.trees] + packages,
            "devices": [[path, path] for path in self.devices],
            "masks": list(self.masked),
        }

    def readable(self, site: str) -> list[tuple[str, int]]:
        """Return paths and rights for `inside.landlock.ruleset`; `site`, a folder of links, stands for `SITE`."""
        rules = [rule for tree in self.trees for rule in _around(tree, self.masked, self.secret)]
        rules += [(str(path), landlock.READ | landlock.FOLDER) for path in self.packages.values()]
        rules.append((site, landlock.FOLDER))
        return [*rules, *((device, landlock.READ) for device in self.devices)]

    def shown(self) -> list[Path]:
        """Return every folder and file that is shown on purpose."""
        return [*(Path(tree) for tree in self.trees), *self.packages.values()]

    def open_to_all(self) -> bool:
        """Return whether every user can read the interpreter and torch and enter their parent folders.

        torch is reached through a folder of links in this process's folder for temporary files, which may be private.
        """
        temporary = Path(tempfile.gettempdir()).resolve()
        wanted = (Path(self.python), self.packages["torch"])
        on_the_way = [temporary, *(parent for path in (*wanted, temporary) for parent in path.parents), wanted[1]]
        return self.open_inside() and all(path.stat().st_mode & stat.S_IXOTH for path in on_the_way)

    def open_inside(self) -> bool:
        """Return whether every user can read them once they are mounted, whatever the parent folders allow."""
        wanted = (Path(self.python), self.packages["torch"] / "__init__.py")
        return all(path.stat().st_mode & stat.S_IROTH for path in wanted)


def view(packages: Mapping[str, Path], secret: Sequence[Path], cuda: bool) -> View:
    """Find out what a jail has to show on this machine.

    Args:
        packages: From `libraries.find`.
        secret: Folders and files that must never be shown (course, kit, class).
        cuda: Show the GPU's device files and driver too.
    """
    python = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
    prefix = python.parent.parent
    wanted = [*SYSTEM, str(python), *SMALL_FILES, *(str(prefix / name) for name in ("lib", "lib64"))]
    wanted += [store for store in EXTRA_STORES if python.is_relative_to(store)]
    driver = driver_folders() if cuda else ()
    if cuda:
        wanted += [*driver, "/proc/driver/nvidia"]
    links = tuple((path, str(Path(path).readlink())) for path in SYSTEM if Path(path).is_symlink())
    real = [path for path in wanted if Path(path).exists() and not Path(path).is_symlink()]
    trees = tuple(_without_covered(real))
    secrets = tuple(str(path.resolve()) for path in secret)
    hidden = tuple(path for path in secrets if any(Path(path).is_relative_to(tree) for tree in trees))
    masked = sorted({*hidden, *(item for tree in trees for item in _package_folders(tree))})
    devices = [path for path in DEVICES if Path(path).exists()]
    if cuda:
        devices += sorted(str(path) for path in Path("/dev").glob("nvidia*") if path.is_char_device())
    files = DRIVER_FILES if cuda else {}
    return View(
        str(python), trees, links, tuple(devices), tuple(_without_covered(masked)), hidden, packages, driver, files
    )


def driver_folders() -> tuple[str, ...]:
    """Return the folders, besides the system's own, that hold the GPU driver's library."""
    named = [*DRIVER_FOLDERS, *os.environ.get("LD_LIBRARY_PATH", "").split(":")]
    for file in sorted(LIBRARY_CONFIGURATION.glob("*.conf")) if LIBRARY_CONFIGURATION.is_dir() else []:
        named += [line.strip() for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
    return tuple(
        dict.fromkeys(
            str(Path(name).resolve()) for name in named if name.startswith("/") and Path(name, DRIVER_LIBRARY).exists()
        )
    )


def _without_covered(paths: Sequence[str]) -> Iterator[str]:
    """Yield the paths, in order, that are not below another one."""
    for path in dict.fromkeys(paths):
        if not any(other != path and Path(path).is_relative_to(other) for other in paths):
            yield path


def _package_folders(tree: str, depth: int = _MASK_DEPTH) -> Iterator[str]:
    """Yield the folders of installed packages below a folder: in it and in its `python*` folders."""
    if not depth or not Path(tree).is_dir():
        return
    try:
        entries = sorted(os.scandir(tree), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name in _MASK_NAMES:
                yield entry.path
            elif entry.name.startswith(("python", "pypy")) or entry.name in ("lib", "lib64"):
                yield from _package_folders(entry.path, depth - 1)


def _around(path: str, masked: Sequence[str], secret: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield rules that make a folder readable but for what is masked below it.

    Landlock can only allow, and allows whole subtrees; so the way down to a masked folder is allowed child by child.
    The names in these folders can be listed (the import system needs that), except above something secret.
    """
    below = [item for item in masked if Path(item).is_relative_to(path)]
    if path in below:
        return
    if not below:
        yield path, landlock.READ | landlock.FOLDER
        return
    if not any(Path(item).is_relative_to(path) for item in secret):
        yield path, landlock.FOLDER
    for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
        if not entry.is_symlink():
            yield from _around(entry.path, masked, secret)
