"""The two locks hold everything but torch, for every machine, agree with each other, and name no machine."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[3]
PYTHONS = ["3.11.2", "3.11.9", "3.12.1", "3.13.0"]
GRADING, TESTS = "requirements", "requirements-test"
LISTS = [f"{purpose}.{kind}" for purpose in (GRADING, TESTS) for kind in ("in", "lock")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def name_of(requirement):
    return re.sub(r"[-_.]+", "-", re.match(r"[A-Za-z0-9._-]+", requirement)[0]).lower()


def asked(purpose):
    """Return the requirements of requirements.in, or of requirements-test.in, by name."""
    lines = (ROOT / f"{purpose}.in").read_text(encoding="utf-8").splitlines()
    return {name_of(line): line for line in lines if line and line[0] not in "#-"}


def blocks(purpose):
    """Return the requirement of each pin of a lock, and the number of its hashes."""
    text = (ROOT / f"{purpose}.lock").read_text(encoding="utf-8")
    pins = [block for block in re.split(r"\n(?=[a-z0-9])", text) if "==" in block.partition("\n")[0]]
    return [(Requirement(block.partition("\\")[0].strip()), block.count("--hash=sha256:")) for block in pins]


def locked(purpose, python="3.11.9"):
    """Return the version that a lock gives each package on Linux under one version of Python."""
    machine = {**default_environment(), "python_version": python.rpartition(".")[0], "python_full_version": python}
    pins = [need for need, _ in blocks(purpose) if need.marker is None or need.marker.evaluate(machine)]
    names = [name_of(need.name) for need in pins]
    assert len(names) == len(set(names))
    return {name_of(need.name): str(need.specifier).removeprefix("==") for need in pins}


def extra(name):
    """Return the requirements of one extra; an extra that names others has theirs too."""
    needs = PROJECT["optional-dependencies"][name]
    references = [need for need in needs if name_of(need) == PROJECT["name"]]
    others = [other for need in references for other in re.search(r"\[(.*)\]", need)[1].split(",")]
    return [need for need in needs if need not in references] + [need for other in others for need in extra(other)]


def test_versions_asked_for_are_those_of_the_project():
    needs = {**asked(GRADING), **asked(TESTS)}
    limits = {name_of(need): need for need in [*PROJECT["dependencies"], *extra("dev")] if re.search(r"[<>=]", need)}
    del limits["torch"]
    assert {name: needs[name] for name in limits} == limits


def test_everything_asked_for_is_locked_with_hashes(subtests):
    for purpose in (GRADING, TESTS):
        with subtests.test(purpose=purpose):
            assert [python for python in PYTHONS if not set(asked(purpose)) <= set(locked(purpose, python))] == []
            assert all(hashes >= 1 for _, hashes in blocks(purpose))


@pytest.mark.parametrize("python", PYTHONS)
def test_tests_run_with_the_versions_that_grade(python):
    grading, tests = locked(GRADING, python), locked(TESTS, python)
    assert {name: tests.get(name) for name in grading} == grading


def test_torch_is_pinned_in_one_version_and_kept_out_of_the_lock():
    (torch,) = extra("grade")
    tree = ast.parse((ROOT / ".ci" / "environment.py").read_text(encoding="utf-8"))
    constants = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    assert torch == constants["TORCH"]
    for purpose in (GRADING, TESTS):
        assert "torch" not in locked(purpose)
        assert "torch" not in asked(purpose)


def test_packaging_files_name_no_index_and_no_place_of_a_machine():
    place = re.compile(r"https?://\S+|file:\S+|--find-links|--extra-index-url|(?<![\w.$)}])/(?:opt|home|root|work)\b")
    names = [*LISTS, "Makefile", "pyproject.toml", ".ci/run", ".ci/environment.py"]
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in names}
    assert {name: place.findall(text) for name, text in texts.items() if place.search(text)} == {}
