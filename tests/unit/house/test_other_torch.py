"""A student's own check takes the torch that is there; one version of torch grades."""

from importlib import metadata

from grader.release.wheel import TORCH
from grader.system import machine


def test_grading_says_so_where_another_torch_is_installed(monkeypatch):
    assert machine.other_torch() == []
    version = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "2.8.0+cu126" if name == "torch" else version(name))
    (sentence,) = machine.other_torch()
    told = f"torch 2.8.0+cu126 is installed here, and the course's grades are those of torch {TORCH}"
    assert sentence.startswith(told)
