"""How the file of a submission is read, and the sentence for everything that can't be."""

import hashlib
import io
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.course.content.student_course import StudentFiles
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.submissions.read import read_file, read_own
from tests.support.classes.submission_folders import file_at

SMALL = msgspec.structs.replace(DEFAULT_LIMITS, source_bytes=1000, notebook_bytes=5000)


def _zip_bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.ipynb", b"\0" * 3_000_000)
    return packed.getvalue()


ZIP_BOMB = _zip_bomb()


def read(tmp_path: Path, raw: bytes | str, name: str = "simple_attention.py") -> Source:
    path = tmp_path / name
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    return read_file(file_at(path), SMALL)


def problem_of(tmp_path: Path, raw: bytes | str, name: str = "simple_attention.py") -> str:
    source = read(tmp_path, raw, name)
    assert source.cells == []
    assert source.problem is not None
    assert source.problem.endswith(".")
    korean = read_file(file_at(tmp_path / name), SMALL, language="ko").problem or ""
    assert re.search("[가-힣]", korean) and "The file" not in korean and korean.endswith(".")
    return source.problem


def notebook(*cells: Any, **changes: Any) -> str:
    listed = [cell if isinstance(cell, dict) else {"cell_type": "code", "source": cell} for cell in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": listed, **changes})


def test_a_py_file_is_one_cell_with_its_digest(tmp_path):
    source = read(tmp_path, "x = '안녕'\n")
    assert [(cell.number, cell.source) for cell in source.cells] == [(1, "x = '안녕'\n")]
    assert source.digest == hashlib.sha256("x = '안녕'\n".encode()).hexdigest()
    assert (source.kind, source.file_name, source.notes, source.problem) == ("py", "simple_attention.py", (), None)


def test_a_byte_order_mark_and_foreign_line_ends_cost_nothing(tmp_path):
    assert read(tmp_path, b"\xef\xbb\xbfa = 1\r\nb = 2\rc = 3\n").cells[0].source == "a = 1\nb = 2\nc = 3\n"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("x = 1\n".encode("utf-16"), "byte 0xff in line 1 is not UTF-8"),
        ("\ufeffx = 1\n".encode("utf-16-be"), "byte 0xfe in line 1 is not UTF-8"),
        ("x = 1\n".encode("utf-16-le"), "byte 0x00 in line 1 is not UTF-8"),
        ("a = 1\nx = 'é'\n".encode("latin-1"), "byte 0xe9 in line 2 is not UTF-8"),
        ("x = '안녕하세요'\n".encode("cp949"), "byte 0xbe in line 1 is not UTF-8"),
        (b"a = 1\nb = '\x00'\n", "byte 0x00 in line 2 is not UTF-8"),
        (b"\xff" * 20, "is not UTF-8"),
        (b"%PDF-1.7\n%\xe2\xe3", "byte 0xe2 in line 2 is not UTF-8"),
        (b"\n <!DOCTYPE html><html>", "HTML"),
        (notebook("x = 1").encode(), "a notebook under the name of a .py file"),
    ],
)
def test_a_file_that_is_no_utf8_program_is_named_for_what_it_is(tmp_path, raw, reason):
    assert reason in problem_of(tmp_path, raw)


@pytest.mark.parametrize("named", ["utf-8", "latin-1", "cp949", "utf-7"])
def test_a_file_is_read_as_utf8_whatever_encoding_it_names(tmp_path, named):
    text = f"# -*- coding: {named} -*-\nx = '안녕'  # +AGE-=1\n"
    assert read(tmp_path, text).cells[0].source == text


def test_an_empty_file_is_read_with_a_note(tmp_path):
    source = read(tmp_path, b"")
    assert (source.problem, source.notes) == (None, ("The file 'simple_attention.py' holds no code.",))


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    assert "1,001 bytes" in problem_of(tmp_path, b"#" * 1001)
    assert read(tmp_path, b"#" * 1000).problem is None
    huge = tmp_path / "huge.ipynb"
    with huge.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    assert "209,715,200 bytes" in (read_file(file_at(huge), DEFAULT_LIMITS).problem or "")


def test_a_file_that_grows_while_it_is_read_is_not_read_on(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_bytes(b"#" * 5000)
    real = os.fstat

    def earlier(descriptor: int) -> os.stat_result:
        fields = list(real(descriptor))
        fields[6] = 10
        return os.stat_result(fields)

    monkeypatch.setattr(os, "fstat", earlier)
    assert "at most 1,000" in (read_file(file_at(tmp_path / "a.py"), SMALL).problem or "")


def test_links_pipes_folders_and_devices_are_not_opened_for_reading(tmp_path):
    (tmp_path / "secret.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to("secret.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    problems = {
        name: read_file(file_at(tmp_path / name), SMALL).problem
        for name in ("link.py", "pipe.py", "folder.py", "gone.py")
    }
    assert "symbolic link" in (problems["link.py"] or "")
    assert "not a file" in (problems["pipe.py"] or "")
    assert "not a file" in (problems["folder.py"] or "")
    assert "No such file" in (problems["gone.py"] or "")
    assert "not a file" in (read_file(file_at(Path("/dev/zero")), SMALL).problem or "")


def test_a_link_is_followed_in_a_students_own_run_alone(tmp_path):
    def own(name):
        return read_own(StudentFiles("01_link", "link", tmp_path / name, tmp_path / "test_link.py", []), SMALL, "en")[1]

    (tmp_path / "real.txt").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to("real.txt")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "pipe.py").symlink_to("pipe")
    (tmp_path / "circle.py").symlink_to("circle.py")
    assert "symbolic link" in (read_file(file_at(tmp_path / "link.py"), SMALL).problem or "")
    assert ([cell.source for cell in own("link.py").cells], own("link.py").file_name) == (["x = 1\n"], "link.py")
    assert "not a file" in (own("pipe.py").problem or "")
    assert "symbolic link" in (own("circle.py").problem or "")


def test_a_file_without_permission_is_named(tmp_path, monkeypatch):
    """The refusal is played, since root may read everything."""

    def refusing(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refusing)
    assert "Permission denied" in (read_file(file_at(tmp_path / "a.py"), SMALL).problem or "")


def test_a_notebook_gives_its_code_cells_in_order(tmp_path):
    text = notebook(
        "a = 1\r\n", {"cell_type": "markdown", "source": "# no"}, ["b = 2\n", "c = 3"], {"cell_type": "raw"}
    )
    source = read(tmp_path, "\ufeff" + text, "a.ipynb")
    assert [(cell.number, cell.source) for cell in source.cells] == [(1, "a = 1\n"), (2, "b = 2\nc = 3")]
    assert source.kind == "ipynb"


NO_NOTEBOOK = "is not a whole notebook of format 4"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (ZIP_BOMB, "is not UTF-8"),
        (b"", NO_NOTEBOOK),
        (b"x = 1\n", NO_NOTEBOOK),
        (b'{"nbformat": 4, "cells": [', NO_NOTEBOOK),
        (b"<html><body>Please sign in", NO_NOTEBOOK),
        (b'{"cells": []}', NO_NOTEBOOK),
        (b'{"nbformat": 2, "cells": []}', NO_NOTEBOOK),
        (b'{"nbformat": "4", "cells": []}', NO_NOTEBOOK),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": 5}]}', NO_NOTEBOOK),
        (b'{"nbformat": 3, "worksheets": []}', NO_NOTEBOOK),
        (
            b'{"nbformat": 4,\n<<<<<<< HEAD\n=======\n>>>>>>> main\n}',
            NO_NOTEBOOK,
        ),
        (b"[]", NO_NOTEBOOK),
        ('{"nbformat": 4}'.encode("utf-16"), "is not UTF-8"),
    ],
)
def test_what_is_no_notebook_is_named_for_what_it_is(tmp_path, raw, reason):
    assert reason in problem_of(tmp_path, raw, "a.ipynb")


def test_deep_nesting_is_refused_and_not_followed(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(b'{"x":' * 1_000_000)
    assert NO_NOTEBOOK in (read_file(file_at(path), DEFAULT_LIMITS).problem or "")
    path.write_bytes(b'{"nbformat": 4, "metadata": ' + b"[" * 1_000_000)
    assert NO_NOTEBOOK in (read_file(file_at(path), DEFAULT_LIMITS).problem or "")


def test_too_much_code_in_a_notebook_is_refused(tmp_path):
    assert "of code" in problem_of(tmp_path, notebook("#" * 600, "#" * 600), "a.ipynb")
    (tmp_path / "a.ipynb").write_text(notebook(*[""] * 5001))
    assert "5000 code cells" in (read_file(file_at(tmp_path / "a.ipynb"), DEFAULT_LIMITS).problem or "")


def test_an_odd_file_name_is_made_harmless(tmp_path):
    source = read(tmp_path, "x = 1", "a\x1b[31m\n.py")
    assert source.file_name == "a\\x1b[31m\\n.py"
