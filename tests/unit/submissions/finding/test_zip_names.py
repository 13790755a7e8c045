"""Names in a zip file of which nothing says how they are written are all read in one way, so that nobody has two."""

import zipfile

import pytest

from grader.system import zip_files

from ....support.submission_folders import ONE, find, pairs
from ..platforms.generated import FILE, zipped

CODES = {
    "Windows in Korea": ("cp949", "김민준", [FILE, "캡처①.png", "ㅋㅋ.txt"]),
    "macOS": ("utf-8", "김민준", [FILE, "캡처①.png"]),
    "Windows in Germany": ("cp850", "Jörg Müller", [FILE, "Übung.txt"]),
}


@pytest.mark.parametrize(("encoding", "student", "files"), CODES.values(), ids=CODES)
def test_names_that_are_not_marked_as_utf8_are_read_in_one_code(tmp_path, encoding, student, files):
    """Windows packs with the code of its country, macOS with UTF-8; neither says so."""
    coded = dict(zip("xyz", (f"{student}/{name}".encode(encoding) for name in files), strict=False))
    raw = zipped({**{letter * len(name): b"" for letter, name in coded.items()}, f"ann/{FILE}": b""})
    for letter, name in coded.items():
        raw = raw.replace(letter.encode() * len(name), name)
    (tmp_path / "class.zip").write_bytes(raw)
    found = find(tmp_path / "class.zip")
    assert pairs(found) == sorted([("ann", ONE), (student, ONE)])
    assert found.students == sorted(["ann", student])


def test_a_name_that_a_newer_python_took_from_another_field_is_read_or_kept():
    info = zipfile.ZipInfo("김/x.py")
    info.flag_bits = 0
    assert zip_files._name(info, "cp949") == "김/x.py"
