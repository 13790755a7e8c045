"""What a run leaves behind, also when a write fails: whole files inside the output folder, or one clear sentence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.results.write import ReportsFolder

from ...support.classes.class_results import refused

FULL_DISK = """
import sys
from pathlib import Path
from grader.errors import OutputError
from grader.results.write import ReportsFolder
folder = ReportsFolder(Path(sys.argv[1]) / "reports")
folder.prepare()
try:
    folder.write_beside("grades.csv", b"s" * 200_000)
except OutputError as problem:
    print(problem)
print("left:", [path.name for path in folder.root.iterdir()])
"""


def test_a_disk_that_is_full_is_named(tmp_path: Path) -> None:
    """On a real file system of 64 KiB, in a mount namespace of its own."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "fill.py").write_text(FULL_DISK)
    own = ["unshare", "--user", "--map-root-user", "--mount"]
    mount = f"mount -t tmpfs -o size=64k none {tmp_path}/disk"
    if shutil.which("unshare") is None or subprocess.run([*own, "sh", "-c", mount], capture_output=True).returncode:
        pytest.skip("this machine gives no mount namespace, so there is no small disk to fill")
    fill = f"{mount} && exec {sys.executable} {tmp_path}/fill.py {tmp_path}/disk"
    done = subprocess.run(
        [*own, "sh", "-c", fill], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert "the disk is full" in done.stdout
    assert "left: []" in done.stdout


def test_a_folder_without_permission_is_named(tmp_path: Path) -> None:
    """Run as another user, since root may write everywhere."""
    if os.geteuid() != 0:
        locked = tmp_path / "locked"
        locked.mkdir(mode=0o500)
        assert "no permission" in refused(ReportsFolder(locked).prepare)
        assert "no permission" in refused(ReportsFolder(locked / "reports").prepare)
        return
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setuid(65534)
            refused(ReportsFolder(Path("/usr/reports-of-nobody")).prepare)
            assert "no permission" in refused(ReportsFolder(Path("/usr")).prepare)
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
