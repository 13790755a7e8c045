"""Sends the code of `grader/inside` to a fresh interpreter that cannot read this package.

The untrusted side must find nothing of the kit on disk, so its modules are sent as text over a descriptor and imported
from memory under the neutral name `runtime`. The command line holds only the few lines of `BOOT`. `BOOT` stops the
garbage collector; each `main` starts it again when it has imported what it needs.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

INSIDE = Path(__file__).resolve().parent.parent / "inside"

BOOT = """\
import gc, importlib.abc, importlib.util, json, os, sys
gc.disable()
def take(fd, count):
    parts = []
    while count:
        part = os.read(fd, min(count, 65536))
        if not part:
            raise SystemExit("the start-up text ended early")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
fd = int(sys.argv[1])
bundle = json.loads(take(fd, int.from_bytes(take(fd, 8), "big")))
class Memory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name in bundle["modules"]:
            return importlib.util.spec_from_loader(name, self, is_package=not bundle["modules"][name])
    def exec_module(self, module):
        name = module.__name__
        exec(compile(bundle["modules"][name], "<" + name + ">", "exec"), module.__dict__)
sys.argv[:] = ["python"]
sys.path.extend(bundle["path"])
memory = Memory()
sys.meta_path.insert(0, memory)
entry = importlib.import_module("runtime." + bundle["entry"])
parts = {name: importlib.import_module("runtime." + name) for name in bundle["parts"]}
sys.meta_path.remove(memory)
for name in bundle["modules"]:
    sys.modules.pop(name, None)
main, config = entry.main, {**bundle["config"], "parts": parts} if parts else bundle["config"]
del bundle, memory, Memory, entry, take, gc, json, os, importlib, name, parts
sys.exit(main(fd, config))
"""


def start_command(executable: str, fd: int, fixed_hashes: bool = False) -> list[str]:
    """Return the command line of an interpreter that waits for a bundle on `fd`.

    Args:
        fd: The descriptor from which the bundle is read.
        fixed_hashes: Whether Python reads its environment, for `PYTHONHASHSEED` (a set of strings then has the same
            order in every run); only with an environment that the kit wrote itself.
    """
    isolation = ["-P", "-s"] if fixed_hashes else ["-I"]
    return [executable, *isolation, "-S", "-B", "-X", "utf8", "-c", BOOT, str(fd)]


def bundle(
    entry: str,
    config: dict[str, Any],
    path: Sequence[str],
    parts: Sequence[str] = (),
    extra: Mapping[str, str] | None = None,
) -> bytes:
    """Pack every module of `grader/inside` with the configuration of the process to start.

    Args:
        entry: The module whose `main(fd, config)` is called, as `room.module`, such as `zygote.fork_server`.
        config: Plain JSON values for `main`.
        path: Folders that are added to the new interpreter's `sys.path` (torch and numpy live there).
        parts: Further modules that are imported before `main`, which gets them as `config["parts"]`; later nothing can
            be imported from memory.
        extra: Sources of modules that are not in `grader/inside`, by name.

    Returns:
        Eight bytes of length, big endian, and the JSON text.
    """
    modules = {"runtime": ""}  # A package is a module without text.
    for file in sorted(INSIDE.glob("*/*.py")):
        if file.stem == "__init__":
            modules[f"runtime.{file.parent.name}"] = ""
        else:
            modules[f"runtime.{file.parent.name}.{file.stem}"] = file.read_text(encoding="utf-8")
    modules |= {f"runtime.{name}": text for name, text in (extra or {}).items()}
    content = {"entry": entry, "config": config, "path": list(path), "parts": list(parts), "modules": modules}
    text = json.dumps(content).encode()
    return len(text).to_bytes(8, "big") + text


def library_path() -> str:
    """Return the folder that torch is installed in, without importing torch."""
    for entry in sys.path:
        if entry and (Path(entry) / "torch" / "__init__.py").is_file():
            return str(Path(entry).resolve())
    raise ModuleNotFoundError("torch is not installed in this environment")
