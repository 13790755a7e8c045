"""Decodes a `.py` file, strictly as UTF-8.

Python would follow an encoding cookie in the first two lines; a file that reads as one program to a person and as
another to Python is the reason why it is not followed here. What other encodings and other kinds of file look like is
named, because a student who sees "invalid start byte" does not know what to do.
"""

import re

from grader.source_cells import Unreadable

COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
BLANK = re.compile(r"^[ \t\f]*(?:#.*)?$")
UTF8_NAMES = frozenset({"utf-8", "utf8", "u8", "utf", "utf-8-sig", "ascii", "us-ascii"})
SAVE = "Open it in your editor and save it as UTF-8."
SAVE_KO = "편집기에서 열어 UTF-8로 저장하세요."
SAMPLE = 4096

MARKS = (  # longest first: the mark of UTF-32 begins with that of UTF-16
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
OTHER_FILES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x7fELF", "a compiled program"),
    (b"MZ\x90", "a compiled program"),
    (b"version https://git-lfs", "a Git LFS pointer and not the file itself"),
)
PAGES = (b"<!doctype html", b"<html")


def _other_encoding(raw: bytes) -> str | None:
    """Return the wide encoding that a file is saved in, or None when its bytes show none."""
    for mark, name in MARKS:
        if raw.startswith(mark):
            return name
    sample = raw[:SAMPLE]
    even, odd = sample[::2], sample[1::2]
    if len(sample) >= 4 and (even.count(0) * 2 > len(even)) != (odd.count(0) * 2 > len(odd)):
        return "UTF-16"
    return None


def decode(raw: bytes, name: str) -> str:
    """Return the text of a file, with `\\n` as the only line end; a UTF-8 byte order mark is accepted.

    Raises:
        Unreadable: The bytes are not UTF-8 text.
    """
    if encoding := _other_encoding(raw):
        raise Unreadable(
            f"The file {name} is saved as {encoding}, and only UTF-8 is read. {SAVE}",
            f"{name} 파일의 인코딩이 {encoding}입니다. UTF-8만 읽습니다. {SAVE_KO}",
        )
    page = "a web page" if raw[:SAMPLE].lstrip().lower().startswith(PAGES) else None
    if kind := next((kind for start, kind in OTHER_FILES if raw.startswith(start)), page):
        raise Unreadable(
            f"The file {name} is {kind}, not a program. Hand in the file that you worked in.",
            f"{name} 파일은 프로그램이 아닙니다. 푼 파일을 제출하세요.",
        )
    body = raw.removeprefix(b"\xef\xbb\xbf")
    if 0 in body:
        line = body[: body.index(0)].count(b"\n") + 1
        raise Unreadable(
            f"The file {name} has a null byte in line {line}, so it is not a text file. Hand in a text file.",
            f"{name} 파일의 {line}번째 줄에 널 바이트가 있어 텍스트 파일이 아닙니다. 텍스트 파일을 제출하세요.",
        )
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = body[: problem.start].count(b"\n") + 1
        byte, (guess, guess_ko) = f"0x{body[problem.start]:02x}", _guess(body)
        raise Unreadable(
            f"The file {name} could not be read: byte {byte} in line {line} is not UTF-8{guess}. {SAVE}",
            f"{name} 파일의 {line}번째 줄에 UTF-8이 아닌 바이트가 있습니다: {byte}{guess_ko}. {SAVE_KO}",
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_python(raw: bytes, name: str) -> str:
    """Return the text of a `.py` file.

    Raises:
        Unreadable: It is not UTF-8 text, asks for another encoding, or is a notebook under another name.
    """
    text = decode(raw, name)
    if encoding := declared_encoding(text):
        raise Unreadable(
            f"The file {name} asks to be read as {encoding} in one of its first two lines, and only UTF-8 is read. "
            "Delete that line and save the file as UTF-8.",
            f"{name} 파일의 처음 두 줄에 {encoding} 인코딩으로 읽으라고 적혀 있습니다. UTF-8만 읽습니다. 그 줄을 "
            "지우고 UTF-8로 저장하세요.",
        )
    if text.lstrip().startswith("{") and '"nbformat"' in text:
        raise Unreadable(
            f"The file {name} is a notebook under the name of a .py file. Rename it to end with .ipynb.",
            f"{name} 파일은 이름이 .py로 끝나지만 노트북입니다. 이름이 .ipynb로 끝나게 바꾸세요.",
        )
    return text


def declared_encoding(text: str) -> str | None:
    """Return the encoding that the first two lines ask for by PEP 263, or None when it is UTF-8 or none is asked."""
    for line in text.split("\n", 2)[:2]:
        if match := COOKIE.match(line):
            asked = match[1].lower().replace("_", "-")
            return None if asked in UTF8_NAMES or asked.startswith("utf-8-") else match[1][:40]
        if not BLANK.match(line):
            return None
    return None


def _guess(raw: bytes) -> tuple[str, str]:
    """Return a guess at the encoding in brackets, in English and Korean.

    Korean is tried first, since its bytes rarely fit by chance.
    """
    try:
        text = raw.decode("cp949")
    except UnicodeDecodeError:
        return " (it looks like Latin-1 or Windows-1252)", "(Latin-1이나 Windows-1252로 보입니다)"
    hangul = sum("\uac00" <= letter <= "\ud7a3" for letter in text)
    others = sum(letter > "\x7f" for letter in text)
    if 2 * hangul > others:
        return " (it looks like CP949, the older Korean encoding)", "(CP949, EUC-KR로 보입니다)"
    return "", ""
