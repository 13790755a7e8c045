"""What a package puts on the search path is found by its list of files, or by its name where it has none."""

from importlib.metadata import PathDistribution

from grader.jail.libraries import top_level

RECORD = """
heads/__init__.py,,
heads/split.py,,
"with,comma/a.py",,
alone.py,,
gone.py,,
__pycache__/alone.cpython-311.pyc,,
heads-1.0.dist-info/RECORD,,
../../bin/heads,,
/opt/heads.txt,,
"""


def installed(folder, record):
    for name in ("heads", "with,comma", "unlisted", "heads-1.0.dist-info"):
        (folder / name).mkdir()
    (folder / "alone.py").touch()
    (folder / "heads-1.0.dist-info/METADATA").write_text("Name: heads\nVersion: 1.0\n")
    if record is not None:
        (folder / "heads-1.0.dist-info/RECORD").write_text(record)
    return [path.name for path in top_level(PathDistribution(folder / "heads-1.0.dist-info"))]


def test_what_is_listed_and_there_is_found(tmp_path):
    assert installed(tmp_path, RECORD) == ["alone.py", "heads", "with,comma"]


def test_without_a_list_the_name_says_it(tmp_path):
    assert installed(tmp_path, None) == ["heads"]
