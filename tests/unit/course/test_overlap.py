"""Reports are not written among submissions, nor submissions looked for among reports."""

from pathlib import Path

import pytest

from grader.course.output_place import refuse_place
from grader.errors import UsageError


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
        refuse_place(klass.parent / output, apart=[klass.parent / path])
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
    refuse_place(klass.parent / output, apart=[klass.parent / path])


def test_relative_paths_are_compared_by_where_they_lead(klass, monkeypatch):
    monkeypatch.chdir(klass)
    with pytest.raises(UsageError, match=r"'reports' overlaps with '\.'"):
        refuse_place(Path("reports"), apart=[Path()])
    refuse_place(Path("../reports"), apart=[Path()])


def test_a_circle_of_links_is_no_traceback(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    refuse_place(tmp_path / "reports", apart=[tmp_path / "a"])
