"""The lock holds everything but torch, for every machine, and names no machine."""

import ast
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def name_of(requirement):
    """Return the normalised name of a requirement."""
    return re.sub(r"[-_.]+", "-", re.match(r"[A-Za-z0-9._-]+", requirement)[0]).lower()


def asked():
    """Return the requirements of requirements.in by name."""
    lines = (ROOT / "requirements.in").read_text(encoding="utf-8").splitlines()
    return {name_of(line): line for line in lines if line and not line.startswith("#")}


def locked():
    """Return the locked versions by name, with the number of their hashes."""
    found = {}
    for block in re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements.lock").read_text(encoding="utf-8")):
        pin = re.match(r"([a-z0-9.-]+)==([^\s;\\]+)", block)
        if pin:
            found.setdefault(pin[1], []).append((pin[2], block.count("--hash=sha256:")))
    return found


def test_every_direct_need_of_the_project_is_asked_for():
    needs = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    assert {name_of(need) for need in needs} - {"torch"} <= set(asked())


def test_versions_asked_for_are_those_of_the_project():
    limits = {name_of(need): need for need in PROJECT["dependencies"] if re.search(r"[<>=]", need)}
    del limits["torch"]
    assert {name: asked()[name] for name in limits} == limits


def test_what_torch_needs_is_asked_for():
    needs = [need for need in metadata.requires("torch") if "extra ==" not in need]
    pure = {name_of(need) for need in needs if not re.match(r"nvidia|triton|cuda", need)}
    assert pure <= set(asked())


def test_everything_asked_for_is_locked_with_hashes():
    versions = locked()
    assert set(asked()) <= set(versions)
    assert all(hashes >= 1 for pins in versions.values() for _, hashes in pins)


def test_torch_is_pinned_in_one_version_and_kept_out_of_the_lock():
    torch = next(need for need in PROJECT["dependencies"] if need.startswith("torch"))
    tree = ast.parse((ROOT / ".ci" / "environment.py").read_text(encoding="utf-8"))
    constants = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    assert torch == constants["TORCH"]
    assert "torch" not in locked()
    assert "torch" not in asked()


@pytest.mark.parametrize("name", ["requirements.in", "requirements.lock", "Makefile", "pyproject.toml", ".ci/run"])
def test_packaging_files_name_no_index_and_no_place_of_a_machine(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert (
        re.findall(r"https?://\S+|file:\S+|--find-links|--extra-index-url|(?<![\w.$)}])/(?:opt|home|root|work)\b", text)
        == []
    )


def test_this_environment_fits_the_lock():
    here = {name_of(found.metadata["Name"]): found.version for found in metadata.distributions()}
    differing = {
        name: (here[name], pins) for name, pins in locked().items() if name in here and here[name] not in dict(pins)
    }
    assert differing == {}
