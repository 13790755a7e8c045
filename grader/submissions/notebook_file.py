"""Reads the code cells of a notebook.

The JSON is decoded into typed structs and into nothing else: outputs and attachments are skipped as bytes and never
become objects, so a notebook of empty arrays costs no more than its size. Of the metadata only a grade id
is looked at, and whatever has another form than nbgrader's is as good as none. Jupyter itself writes some things that
no JSON may hold; they are mended in the text where it cannot be read otherwise.
"""

import re
from typing import Annotated

import msgspec

from grader.inside.protocol.messages import Cell
from grader.source_cells import Unreadable

from .python_file import decode

FORMATS = (3, 4)
AGAIN = "Open it in Jupyter, save it and hand in that file."
AGAIN_KO = "Jupyter에서 열어 저장한 파일을 제출하세요."
WHOLE = "Hand in the whole notebook that you worked in."
WHOLE_KO = "작업한 노트북 전체를 제출하세요."
MOST_CELLS = 5000
LONGEST_ID = 200
PYTHON = re.compile(r"^(?:# ?%%|#!|import \w|from \w+ import |def \w+\(|class \w+)", re.MULTILINE)

HALF_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
STRING_OR_NO_NUMBER = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*"?)|NaN|-?Infinity', re.DOTALL)

Text = str | list[str] | None
NOTHING = msgspec.Raw(b"{}")


class _NotebookCell(msgspec.Struct):
    cell_type: str
    source: Text = ""
    input: Text = ""  # the name of a code cell's text in format 3
    metadata: msgspec.Raw = NOTHING


class _Metadata(msgspec.Struct):
    nbgrader: msgspec.Raw = NOTHING


class _Nbgrader(msgspec.Struct):
    grade_id: str = ""


class _Worksheet(msgspec.Struct):
    cells: list[_NotebookCell] = []


class _Notebook(msgspec.Struct):
    nbformat: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    cells: list[_NotebookCell] = []
    worksheets: list[_Worksheet] = []


_DECODER = msgspec.json.Decoder(_Notebook)
_METADATA = msgspec.json.Decoder(_Metadata)
_NBGRADER = msgspec.json.Decoder(_Nbgrader)


def read_notebook(raw: bytes, name: str, limit: int) -> list[Cell]:
    """Return the code cells of a notebook, numbered from 1 among the code cells.

    Raises:
        Unreadable: It is not a notebook, one of another format, or holds too much code.
    """
    text = decode(raw, name)
    if not text.strip():
        raise Unreadable(
            f"The file {name} is empty, so it is not a notebook. {WHOLE}",
            f"{name} 파일은 비어 있어 노트북이 아닙니다. {WHOLE_KO}",
        )
    try:
        notebook = _decoded(text)
    except RecursionError:
        raise Unreadable(
            f"The file {name} is nested deeper than any notebook. {AGAIN}",
            f"{name} 파일은 어떤 노트북보다도 깊이 중첩되어 있습니다. {AGAIN_KO}",
        ) from None
    except msgspec.ValidationError as problem:
        raise Unreadable(
            f"The file {name} is JSON, but not a notebook: {problem}. {AGAIN}",
            f"{name} 파일은 JSON이지만 노트북이 아닙니다({problem}). {AGAIN_KO}",
        ) from None
    except (msgspec.DecodeError, UnicodeError) as problem:
        english, korean = _not_json(text, str(problem))
        raise Unreadable(
            f"The file {name} is not a notebook, because {english}", f"{name} 파일은 노트북이 아닙니다. {korean}"
        ) from None
    if notebook.nbformat not in FORMATS:
        found = f"is a notebook of format {notebook.nbformat}, and only the formats 3 and 4 are read"
        raise Unreadable(
            f"The file {name} {found}. {AGAIN}",
            f"{name} 파일의 노트북 형식은 {notebook.nbformat}입니다. 3과 4만 읽습니다. {AGAIN_KO}",
        )
    found_cells = notebook.cells if notebook.nbformat == 4 else [c for w in notebook.worksheets for c in w.cells]
    return _code(found_cells, notebook.nbformat, name, limit)


def _decoded(text: str) -> _Notebook:
    """Return a notebook from its JSON, or else from its mended JSON."""
    try:
        return _DECODER.decode(text)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeError):
        mended = mended_json(text)
        if mended == text:
            raise
    return _DECODER.decode(mended)


def mended_json(text: str) -> str:
    """Return the JSON of a notebook without NaN, Infinity and halves of characters, such as of a cut emoji.

    In the place of a number there is null then, and for half a character the sign that stands for an unknown one.
    Strings are passed over, so code that speaks of NaN stays as it is.
    """
    apart = text.replace("\\\\", "\0")  # after a backslash that stands for one, `ud83d` are five letters
    text = HALF_CHARACTER.sub(r"\\ufffd", apart).replace("\0", "\\\\")
    if "NaN" not in text and "Infinity" not in text:
        return text
    return STRING_OR_NO_NUMBER.sub(lambda found: found[1] or "null", text)


def _code(cells: list[_NotebookCell], version: int, name: str, limit: int) -> list[Cell]:
    code: list[Cell] = []
    size = 0
    for cell in cells:
        if cell.cell_type != "code":
            continue
        source = _joined(cell.source if version == 4 else cell.input)
        size += len(source.encode("utf-8"))
        if size > limit:
            found = f"holds more than {limit // 1024} KiB of code, which is not read"
            raise Unreadable(
                f"The file {name} {found}. Delete what is not part of the assignment.",
                f"{name} 파일의 코드가 {limit // 1024} KiB를 넘어 읽지 않습니다. 과제가 아닌 것을 지우세요.",
            )
        code.append(Cell(len(code) + 1, source, _grade_id(cell.metadata)))
    if len(code) > MOST_CELLS:
        raise Unreadable(
            f"The file {name} has {len(code)} code cells, and at most {MOST_CELLS} are read. {AGAIN}",
            f"{name} 파일에 코드 셀이 {len(code)}개 있습니다. 많아야 {MOST_CELLS}개를 읽습니다. {AGAIN_KO}",
        )
    return code


def _grade_id(metadata: msgspec.Raw) -> str:
    """Return the grade id in a cell's metadata where it can be the name of an exercise; else an empty text."""
    try:
        inner = _METADATA.decode(metadata).nbgrader
        found = _NBGRADER.decode(inner).grade_id if inner != NOTHING else ""
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return ""
    return found if len(found) <= LONGEST_ID and found.isascii() and found.isidentifier() else ""


def _joined(text: Text) -> str:
    whole = text if isinstance(text, str) else "".join(text or ())
    return whole.replace("\r\n", "\n").replace("\r", "\n")


def _not_json(text: str, problem: str) -> tuple[str, str]:
    """Return why a text is not JSON and what to do, in English and in Korean."""
    if "\n<<<<<<< " in text and "\n>>>>>>> " in text:
        return (
            "it holds the marks of an unsolved Git conflict (<<<<<<<). Take the file as it is in one of the two "
            "versions.",
            "풀리지 않은 Git 충돌 표시(<<<<<<<)가 있습니다. 두 버전 가운데 하나의 파일을 쓰세요.",
        )
    if not text.lstrip().startswith("{"):
        if PYTHON.search(text):
            return (
                "it looks like a Python file under the name of a notebook. Rename it to end with .py.",
                "노트북의 이름을 가진 Python 파일로 보입니다. 이름이 .py로 끝나게 바꾸세요.",
            )
        return (
            f"a notebook begins with a brace, and this file does not. {WHOLE}",
            f"노트북은 중괄호로 시작하는데 이 파일은 그렇지 않습니다. {WHOLE_KO}",
        )
    return (
        f"it is not a complete JSON text ({problem[:200]}). {WHOLE}",
        f"온전한 JSON이 아닙니다({problem[:200]}). {WHOLE_KO}",
    )
