"""What `--output` names is replaced, followed or written into, by what it is."""

import os
import threading
from pathlib import Path

import pytest

from grader.cli.outputs import write_named
from grader.errors import OutputError


def test_a_file_is_replaced_and_a_link_leads_on_to_its_file(tmp_path):
    file, link = tmp_path / "grades.csv", tmp_path / "link.csv"
    file.write_text("old, and longer than the new one")
    link.symlink_to(file)
    write_named(link, b"new")
    assert link.is_symlink() and file.read_bytes() == b"new"


def test_a_pipe_is_written_into(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arrived = []
    reader = threading.Thread(target=lambda: arrived.append(pipe.read_bytes()))
    reader.start()
    write_named(pipe, b"grades")
    reader.join(10)
    assert arrived == [b"grades"] and pipe.is_fifo()


def test_a_device_stays_a_device():
    write_named(Path("/dev/null"), b"grades")
    assert Path("/dev/null").is_char_device()


def test_without_a_file_it_is_printed(capsysbinary):
    write_named(None, b"grades")
    assert capsysbinary.readouterr().out == b"grades"


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(OutputError, match=tmp_path.name):
        write_named(tmp_path, b"grades")
