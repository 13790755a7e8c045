"""Reports are not written among submissions, nor submissions looked for among reports."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submissions.overlap import refuse_overlap


@pytest.fixture
def klass(tmp_path):
    file = tmp_path / "class" / "ann" / "01_simple_attention" / "simple_attention.py"
    file.parent.mkdir(parents=True)
    file.touch()
    return tmp_path / "class"


@pytest.mark.parametrize(
    ("path", "output"),
    [
        ("class", "class"),
        ("class", "class/reports"),
        ("class/ann", "class/ann/out/deep"),
        ("class", "."),
        ("class/ann/01_simple_attention/simple_attention.py", "class"),
        ("class/ann/01_simple_attention/simple_attention.py", "class/ann/01_simple_attention/simple_attention.py"),
        ("link", "class/reports"),
        ("class", "link/reports"),
    ],
)
def test_one_in_the_other_is_refused(klass, path, output):
    (klass.parent / "link").symlink_to(klass)
    with pytest.raises(UsageError, match="overlaps with") as caught:
        refuse_overlap([klass.parent / path], klass.parent / output)
    assert "--output" in str(caught.value)


@pytest.mark.parametrize(
    ("path", "output"),
    [
        ("class", "reports"),
        ("class", "class-reports"),
        ("class/ann", "class/reports"),
        ("class/ann/01_simple_attention/simple_attention.py", "class/ann/01_simple_attention/reports"),
        ("nowhere", "reports"),
    ],
)
def test_places_beside_each_other_are_fine(klass, path, output):
    refuse_overlap([klass.parent / path], klass.parent / output)


def test_relative_paths_are_compared_by_where_they_lead(klass, monkeypatch):
    monkeypatch.chdir(klass)
    with pytest.raises(UsageError, match=r"'reports' overlaps with '\.'"):
        refuse_overlap([Path()], Path("reports"))
    refuse_overlap([Path()], Path("../reports"))


def test_a_circle_of_links_is_no_traceback(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    refuse_overlap([tmp_path / "a"], tmp_path / "reports")
