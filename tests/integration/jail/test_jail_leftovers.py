"""What a killed run leaves in the temporary folder is removed by the next one, and nothing else is."""

import os
import subprocess
import sys
import tempfile

import pytest

from grader.jail import leftovers


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A temporary folder that no other run uses."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def dead():
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left_by(folder, pid, purpose="site"):
    place = folder / f"{purpose}-{pid}-abc_12"
    place.mkdir()
    (place / "torch").symlink_to(folder)
    return place


@pytest.mark.parametrize("purpose", ["site", "canary", "grading", "verify"])
def test_the_folder_of_a_dead_run_is_removed_and_what_it_leads_to_stays(temporary, dead, purpose):
    (temporary / "kept.txt").touch()
    place = left_by(temporary, dead, purpose)
    leftovers.sweep()
    assert not place.exists()
    assert (temporary / "kept.txt").exists()


def test_a_locked_folder_stays_whatever_its_number_says(temporary, dead):
    """A run in another container counts its processes anew, and may share the temporary folder."""
    folder, lock = leftovers.make_folder()
    moved = folder.rename(temporary / f"site-{dead}-abc")
    leftovers.sweep()
    assert moved.exists()
    os.close(lock)
    leftovers.sweep()
    assert not moved.exists()


def test_links_other_names_and_folders_of_living_runs_stay(temporary, dead):
    (temporary / "mine").mkdir()
    link = temporary / f"site-{dead}-link"
    link.symlink_to(temporary / "mine")
    kept = [left_by(temporary, os.getppid()), temporary / "mine"]
    for name in (f"site-{dead}", "site-packages", f"other-{dead}-abc", f"site-{dead}-a.b"):
        kept.append(temporary / name)
        kept[-1].mkdir()
    leftovers.sweep()
    assert link.is_symlink() and all(place.exists() for place in kept)


def test_only_this_user_may_enter_the_folder_with_raw_reports(temporary):
    with leftovers.kept_folder("grading") as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()
