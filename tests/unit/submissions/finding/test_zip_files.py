"""A zip file is as good as the folder that comes out of it, nothing of it is written, a hostile one does nothing."""

import io
import os
import random
import stat
import struct
import unicodedata
import warnings
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.limits import DEFAULT_LIMITS
from grader.submissions.reading.read import Source, StubTexts, read_submission
from grader.system import zip_files

from ....support.submission_folders import FOUR, ONE, find, pairs, put, refused

FILE = "simple_attention.py"
STUB, ANSWER, OTHER = (
    "def f():\n    raise NotImplementedError\n",
    "def f():\n    return 1\n",
    "def f():\n    return 2\n",
)


def packed(
    *entries: tuple[str, str | bytes] | tuple[zipfile.ZipInfo, str | bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """Return a zip file with some entries, also two of one name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, raw in entries:
            archive.writestr(name, raw)
    return made.getvalue()


def handed_in(folder, raw: bytes, name: str = "hw.zip", beside: str | None = None, layout: str | None = None) -> Source:
    """Return what is read of bob, who handed in one zip file, in a class with ann."""
    put(folder, f"ann/{FILE}", text=ANSWER)
    (folder / "bob").mkdir()
    (folder / "bob" / name).write_bytes(raw)
    if beside is not None:
        put(folder, f"bob/{FILE}", text=beside)
    before = sorted(folder.rglob("*"))
    (bob,) = (each for each in find(folder, assignment=ONE, layout=layout).submissions if each.student == "bob")
    source = read_submission(bob, StubTexts(py=STUB), DEFAULT_LIMITS)
    assert sorted(folder.rglob("*")) == before
    return source


@pytest.mark.parametrize(
    "name",
    [FILE, f"hw/{FILE}", f"{ONE}/{ONE}/{FILE}", f"Colab Notebooks/a/b/{FILE}", f"답안/{FILE}", "hw/Simple_Attention.PY",
     f"./hw//{FILE}"],
)  # fmt: skip
def test_the_file_is_found_in_a_zip_file_at_any_depth(tmp_path, name):
    source = handed_in(tmp_path, packed((name, ANSWER), (f"__MACOSX/hw/._{FILE}", b"\0")))
    assert (source.problem, source.cells[0].source) == (None, ANSWER)


@pytest.mark.parametrize("folder", ["hw/", f"{ONE}/{ONE}/", "Colab Notebooks/x/", "hw.zip/"])
def test_the_file_is_found_in_folders_of_a_class_and_of_a_student(tmp_path, folder):
    if folder == "hw.zip/":
        for who in ("ann", "bob"):
            put(tmp_path, f"{who}/")
            (tmp_path / who / "hw.zip").write_bytes(packed((FILE, ANSWER)))
    else:
        put(tmp_path, f"ann/{folder}{FILE}", f"bob/{folder}{FILE}", text=ANSWER)
    assert pairs(find(tmp_path, layout="folders")) == [("ann", ONE), ("bob", ONE)]
    if folder != "hw/":  # alone that is a class with the student `hw`, as it ever was
        assert pairs(find(tmp_path / "bob", student="bob")) == [("bob", ONE)]


def test_several_assignments_in_one_zip_file_are_all_found(tmp_path):
    put(tmp_path, f"ann/{FILE}", "bob/")
    (tmp_path / "bob" / "all.zip").write_bytes(packed((f"a/{FILE}", ANSWER), ("b/multi_head_attention.py", OTHER)))
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("bob", ONE), ("bob", FOUR)]
    assert [each.beside for each in found.submissions] == [(), (), ()]


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([("a/", STUB), ("a/b/", ANSWER)], ANSWER),
        ([("a/", ANSWER), ("a/b/", ANSWER), ("", ANSWER)], ANSWER),
        ([("a/", ANSWER), ("a/b/", OTHER)], None),
        ([("a/", ANSWER), ("a/b/", "\xe9".encode("latin-1"))], None),
        ([("a/", STUB), ("a/b/", STUB)], STUB),
        ([("a/", STUB), ("b/", ANSWER)], ANSWER),
    ],
)
@pytest.mark.parametrize("layout", [None, "folders"])
def test_of_several_places_the_only_answer_counts_where_all_is_surely_one_students(tmp_path, entries, code, layout):
    source = handed_in(tmp_path, packed(*((f"{folder}{FILE}", text) for folder, text in entries)), layout=layout)
    wanted = code if layout else None
    assert (source.cells[0].source if source.cells else None) == wanted
    if wanted is None:
        assert f"b/{FILE}" in str(source.problem)
    else:
        assert source.problem is None


@pytest.mark.parametrize("other", ["final/solution.py", "more.zip", "hw.tar.gz", "hw.7z", "답.rar", "report.docx"])
def test_a_stub_in_a_zip_file_beside_what_may_be_the_work_is_not_0(tmp_path, other):
    text = ANSWER if other.endswith(".py") else "x"
    source = handed_in(tmp_path, packed((f"hw/{FILE}", STUB), (f"hw/{other}", text)))
    if text is ANSWER:
        assert source.cells[0].source == ANSWER
    else:
        assert Path(other).name in str(source.problem)


@pytest.mark.parametrize("beside", [STUB, ANSWER])
def test_a_zip_file_beside_the_file_is_named_and_never_lets_a_stub_be_0(tmp_path, beside):
    source = handed_in(tmp_path, packed((FILE, OTHER)), beside=beside)
    assert (source.cells[0].source if source.cells else None) == (ANSWER if beside is ANSWER else None)
    assert "hw.zip" in f"{source.problem}{source.notes}"


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(FILE)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def patched(raw: bytes, at: int, value: bytes) -> bytes:
    """Return a zip file with some bytes of the list's first entry changed."""
    begin = raw.index(b"PK\1\2") + at
    return raw[:begin] + value + raw[begin + len(value) :]


PLAIN = packed((FILE, ANSWER))
HOSTILE = {
    "a path upwards": (packed(("../ann/" + FILE, OTHER)), "leads out"),
    "a path upwards inside": (packed(("a/../../" + FILE, OTHER)), "leads out"),
    "an absolute path": (packed(("/tmp/" + FILE, OTHER)), "leads out"),
    "a path of Windows": (packed(("C:/" + FILE, OTHER)), "leads out"),
    "a null character": (PLAIN.replace(b"simple_attention", b"simple\0attention"), "not the name of a file"),
    "one name twice": (packed((FILE, ANSWER), (FILE, OTHER)), "twice"),
    "a file that is a folder too": (packed(("a", "x"), (f"a/{FILE}", ANSWER)), "twice"),
    "a link": (packed((link(), "/etc/passwd")), "symbolic link"),
    "a password": (patched(PLAIN, 8, b"\1\0"), "password"),
    "cut at the end": (PLAIN[:-30], "not a whole zip file"),
    "cut in the middle": (PLAIN[: len(PLAIN) // 2], "not a whole zip file"),
    "nothing": (b"", "not a whole zip file"),
    "another kind of file": (b"x = 1\n" * 50, "not a whole zip file"),
    "another checksum": (patched(PLAIN, 16, b"\0\0\0\0"), "broken"),
    "another size": (patched(PLAIN, 24, struct.pack("<L", 5)), "broken"),
    "another method": (packed((FILE, ANSWER), method=zipfile.ZIP_BZIP2), "method"),
    "a bomb": (packed((FILE, b"#" * 30_000_000)), "30,000,000 bytes"),
    "folders without end": (packed(("a/" * 60 + FILE, ANSWER)), "more than is looked through"),
    "more folders than are looked through": (packed(("a/" * 20 + FILE, ANSWER)), "more than is looked through"),
    "nothing of the course": (packed(("notes.txt", "x")), "hw.zip"),
    "a zip file in a zip file": (packed(("more.zip", PLAIN)), "'more.zip' is a zip file in a zip file"),
    "no file": (packed(), "'hw.zip' is empty"),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "said"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_zip_file_is_one_sentence_in_its_students_report(tmp_path, raw, said):
    source = handed_in(tmp_path, raw)
    assert (source.cells, said in str(source.problem)) == ([], True), source.problem
    assert str(source.problem).endswith(".")


@pytest.mark.parametrize("name", ["a path upwards", "one name twice", "cut at the end", "nothing"])
def test_a_hostile_download_is_refused_with_a_sentence(tmp_path, name):
    raw, said = HOSTILE[name]
    (tmp_path / "class.zip").write_bytes(raw)
    sentence = refused(tmp_path / "class.zip")
    assert "class.zip" in sentence and said in sentence


def test_a_list_of_contents_of_any_length_costs_nothing(tmp_path, monkeypatch):
    """The end of the file says that 100 MB of list are before it."""
    with (tmp_path / "class.zip").open("wb") as file:
        file.truncate(100_000_000)
        file.seek(0, os.SEEK_END)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, 100_000_000, 0, 0))
    assert "too many files" in refused(tmp_path / "class.zip")
    monkeypatch.setattr(zip_files, "MOST_ENTRIES", 12)
    (tmp_path / "other.zip").write_bytes(packed(*((f"{number}/{FILE}", ANSWER) for number in range(8))))
    assert "too many files" in refused(tmp_path / "other.zip")


def test_an_entry_that_says_that_it_is_a_folder_and_is_a_file_stops_nobody_elses(tmp_path):
    info = zipfile.ZipInfo("cid")
    info.create_system, info.external_attr = 3, (stat.S_IFDIR | 0o755) << 16
    (tmp_path / "class.zip").write_bytes(packed((f"ann/{FILE}", ANSWER), (f"bob/{FILE}", ANSWER), (info, "x")))
    assert pairs(find(tmp_path / "class.zip")) == [("ann", ONE), ("bob", ONE), ("cid", ONE)]


def test_a_link_to_a_zip_file_is_not_followed(tmp_path):
    put(tmp_path, f"ann/{FILE}", f"bob/{FILE}", text=STUB)
    (tmp_path / "x.zip").write_bytes(PLAIN)
    (tmp_path / "bob" / "hw.zip").symlink_to(tmp_path / "x.zip")
    bob = next(each for each in find(tmp_path).submissions if each.student == "bob")
    assert "hw.zip" in str(read_submission(bob, StubTexts(py=STUB), DEFAULT_LIMITS).problem)
    with pytest.raises(UsageError, match="link"):
        find(tmp_path / "bob" / "hw.zip")


@pytest.mark.parametrize("top", ["", "hw1/", "hw1/all/"])
def test_a_class_in_a_zip_file_is_the_class(tmp_path, top):
    (tmp_path / "class.zip").write_bytes(packed(*((f"{top}{who}/{ONE}/{FILE}", ANSWER) for who in ("ann", "bob"))))
    assert pairs(find(tmp_path / "class.zip")) == [("ann", ONE), ("bob", ONE)]


def test_a_student_in_a_zip_file_is_called_as_it_is_without_its_suffix(tmp_path):
    (tmp_path / "ann.zip").write_bytes(PLAIN)
    assert pairs(find(tmp_path / "ann.zip")) == [("ann", ONE)]
    assert pairs(find(tmp_path / "ann.zip", student="bob")) == [("bob", ONE)]


def test_zip_files_in_a_download_are_bounded_and_each_costs_its_own_student_only(tmp_path):
    """A zip file that unpacks to much more, one that holds a million names, one in one in one, one with a password."""
    handed = {
        "ann": PLAIN,
        "bob": packed(("x.py", b"\0" * 9_000_000), method=zipfile.ZIP_STORED),
        "cem": PLAIN[:-12] + struct.pack("<LLH", 2**31, len(PLAIN), 0),
        "dan": packed(("b.zip", PLAIN)),
        "eve": patched(PLAIN, 8, b"\1\0"),
        "fay": patched(PLAIN, 16, b"\0\0\0\0"),
    }
    (tmp_path / "class.zip").write_bytes(packed(*((f"{who}_{len(who)}_9_hw.zip", raw) for who, raw in handed.items())))
    found = find(tmp_path / "class.zip", assignment=ONE).submissions
    read = {each.student[:3]: read_submission(each, StubTexts(), DEFAULT_LIMITS) for each in found}
    assert {who: len(source.cells) for who, source in read.items()} == {**dict.fromkeys(handed, 0), "ann": 1}
    said = {"bob": "100 times", "cem": "hw.zip", "dan": "hw.zip", "eve": "password", "fay": "broken"}
    assert {who: words for who, words in said.items() if words not in str(read[who].problem)} == {}


def test_students_whose_zip_files_are_read_at_the_same_time_get_their_own(tmp_path):
    files = [(f"s_{number}_9_hw.zip", packed((FILE, f"x = {number}\n"))) for number in range(40)]
    (tmp_path / "class.zip").write_bytes(packed(*files))
    found = find(tmp_path / "class.zip").submissions
    with ThreadPoolExecutor(8) as pool:
        read = pool.map(lambda each: read_submission(each, StubTexts(), DEFAULT_LIMITS), found * 5)
    assert [source.cells[0].source for source in read] == [f"x = {each.student[2:]}\n" for each in found * 5]


def test_a_zip_file_of_windows_with_entries_for_its_folders_is_read(tmp_path):
    entries = []
    for name in ("ann\\", f"ann\\{FILE}", "bob\\", f"bob\\{FILE}"):
        info = zipfile.ZipInfo(name)
        info.create_system = 0
        entries.append((info, ANSWER if name.endswith("py") else b""))
    (tmp_path / "class.zip").write_bytes(packed(*entries))
    assert pairs(find(tmp_path / "class.zip")) == [("ann", ONE), ("bob", ONE)]


@pytest.mark.parametrize(("other", "code"), [(OTHER, None), (ANSWER, ANSWER), (STUB, ANSWER)])
def test_two_names_that_differ_by_case_only_are_two_files(tmp_path, other, code):
    source = handed_in(tmp_path, packed((f"hw/{FILE}", ANSWER), (f"hw/{FILE.title()}", other)))
    assert (source.cells[0].source if source.cells else None) == code


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_in_each_form_of_unicode_are_one_student_or_refused(tmp_path, form):
    name, other = (unicodedata.normalize(one, "이서연") for one in (form, "NFC"))
    (tmp_path / "class.zip").write_bytes(packed((f"{name}/{FILE}", ANSWER), (f"ann/{FILE}", ANSWER)))
    assert pairs(find(tmp_path / "class.zip")) == [("ann", ONE), (name, ONE)]
    if form == "NFD":
        raw = packed((f"{name}/{FILE}", ANSWER), (f"{other}/{FILE}", OTHER), (f"ann/{FILE}", ANSWER))
        (tmp_path / "class.zip").write_bytes(raw)
        found = find(tmp_path / "class.zip")
        assert pairs(found) == [("ann", ONE)] and "how an accent is encoded" in found.warnings[0]


def test_whatever_is_broken_in_a_download_nobody_gets_another_code(tmp_path):
    """Bytes are changed at random: each student's own code is read, or a sentence."""
    codes = {who: f"def f():\n    return '{who}'\n" for who in ("ann", "bob", "cem")}
    whole = packed(*((f"{who}/{FILE}", code) for who, code in codes.items()))
    draw = random.Random(7)
    read = 0
    for number in range(400):
        raw = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            raw[draw.randrange(len(raw))] = draw.randrange(256)
        place = tmp_path / f"{number}.zip"
        place.write_bytes(raw)
        try:
            found = find(place)
        except UsageError:
            continue
        for each in found.submissions:
            source = read_submission(each, StubTexts(), DEFAULT_LIMITS)
            read += not source.problem
            assert source.problem or source.cells[0].source in codes.values()
            assert source.problem or each.student not in codes or source.cells[0].source == codes[each.student]
    assert read > 50
