"""Writes the output folder: every file whole or not at all, and nothing outside of it.

A file is written beside its place, made durable and moved there, so a full disk or a pulled plug leaves the old one.
Folders are entered by descriptor and never through a link, since a link inside an output folder that others may write
to would turn a report into an overwritten file elsewhere.
"""

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from grader.errors import OutputError
from grader.text import name_shown, same_name_key

from .redact import student_copy
from .report import Report, to_json
from .summary import Summary

STUDENT_COPIES = "for-students"
CLASS_PAGES = "for-teachers"
OWN_NAMES = (
    *(STUDENT_COPIES, CLASS_PAGES),
    *("grades.json", "grades.csv", "class.json", "run.json", "journal.jsonl"),
)
OF_A_STUDENT = " (student)"
ANOTHER = "Choose another folder with --output."

NO_PERMISSION = "there is no permission to write there", "Change the folder's permissions, or " + ANOTHER.lower()
NO_FOLDER = "a file is in the place of a folder", "Move it away, or " + ANOTHER.lower()
CAUSES = {
    errno.EACCES: NO_PERMISSION,
    errno.EPERM: NO_PERMISSION,
    errno.ENOSPC: ("the disk is full", "Free some space, or " + ANOTHER.lower()),
    errno.EDQUOT: ("the disk quota is used up", "Free some space, or " + ANOTHER.lower()),
    errno.EFBIG: ("the file would be larger than this process may write", "Raise the limit (ulimit -f)."),
    errno.EROFS: ("the file system can only be read", ANOTHER),
    errno.ENAMETOOLONG: ("its name is longer than the file system allows", ANOTHER),
    errno.EISDIR: ("there is a folder in its place", "Move it away, or " + ANOTHER.lower()),
    errno.ENOTDIR: NO_FOLDER,
    errno.EEXIST: NO_FOLDER,
    errno.ENOENT: ("a folder on the way is gone or cannot be made", ANOTHER),
}


def folder_of(student: str) -> str:
    """Return the name of a student's folder: the student's own, or one beside it where that is a file of the run."""
    bare = student
    while bare.endswith(OF_A_STUDENT):  # so that a student who is called like such a folder gets another one
        bare = bare.removesuffix(OF_A_STUDENT)
    return student + OF_A_STUDENT if same_name_key(bare) in map(same_name_key, OWN_NAMES) else student


def student_of(folder: str) -> str:
    """Return whose folder one of that name is."""
    student = folder.removesuffix(OF_A_STUDENT)
    return student if folder_of(student) == folder else folder


class ReportsFolder:
    """The folder that a run writes into. What cannot be written is an OutputError, and what was written is whole."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def prepare(self) -> None:
        """Make the folder and prove that it can be written to, so that a mistake shows before an hour of grading."""
        with output_errors(self.root):
            self.root.mkdir(parents=True, exist_ok=True)
        with self._entered(()) as folder, output_errors(self.root):
            name = _spare_name("probe")
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder))
            os.unlink(name, dir_fd=folder)

    def set_aside(self, name: str) -> None:
        """Move what earlier runs wrote into a hidden folder of that name, so that a class begins again."""
        with output_errors(self.root):
            earlier = [entry.name for entry in os.scandir(self.root) if not entry.name.startswith(".")]
            if earlier:
                (self.root / name).mkdir()
            for entry in earlier:
                (self.root / entry).rename(self.root / name / entry)

    def write_report(self, report: Report) -> tuple[str, str]:
        """Write both copies of a report; return SHA-256 of the instructor's and of the student's."""
        whole, student = to_json(report), to_json(student_copy(report))
        folder, name = folder_of(report.student), f"{report.assignment}.json"
        self._write((folder,), name, whole)
        self._write((STUDENT_COPIES, folder), name, student)
        return hashlib.sha256(whole).hexdigest(), hashlib.sha256(student).hexdigest()

    def places_of(self, student: str, assignment: str) -> tuple[Path, Path]:
        """Return where a submission's reports belong: the instructor's copy and the student's."""
        path = Path(folder_of(student), f"{assignment}.json")
        return self.root / path, self.root / STUDENT_COPIES / path

    def write_raw(self, student: str, assignment: str, exercise: str, content: bytes) -> Path:
        """Write pytest-json-report's raw report of a submission, or of an exercise of it that was run once more."""
        name = f"{assignment}.{exercise}.json" if exercise else f"{assignment}.json"
        return self._write((folder_of(student),), name, content)

    def write_summary(self, summary: Summary) -> Path:
        return self._write((), "run.json", to_json(summary))

    def write_beside(self, name: str, content: bytes) -> Path:
        """Write a file that is made of the reports, beside them."""
        return self._write((), name, content)

    def write_page(self, folders: tuple[str, ...], name: str, content: bytes) -> Path:
        """Write a page that is made of the reports, if it is not there; nobody waits until it is durable."""
        return self._write(folders, name, content, durable=False)

    def _write(self, folders: tuple[str, ...], name: str, content: bytes, *, durable: bool = True) -> Path:
        place = self.root.joinpath(*folders, name)
        with self._entered(folders) as folder, output_errors(place):
            _refuse_other_than_file(folder, name, place)
            if durable or not _holds(folder, name, content):
                _write_whole(folder, name, content, durable=durable)
        return place

    @contextlib.contextmanager
    def _entered(self, folders: tuple[str, ...]) -> Iterator[int]:
        """Give a descriptor of a folder inside the output, made when it is not there."""
        with output_errors(self.root):
            here = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for depth, name in enumerate(folders):
                place = self.root.joinpath(*folders[: depth + 1])
                with output_errors(place):
                    inner = _inner_folder(here, name, place)
                os.close(here)
                here = inner
            yield here
        finally:
            os.close(here)


def _inner_folder(here: int, name: str, place: Path) -> int:
    if name in ("", ".", "..") or "/" in name:
        raise OutputError(f"{_quoted_path(place)} is not a folder inside the output folder.")
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o777, dir_fd=here)
    if stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
        raise _link(place)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)


def _refuse_other_than_file(folder: int, name: str, place: Path) -> None:
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise _link(place)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        problem = f"{_quoted_path(place)} could not be written: something that is not a file is there."
        raise OutputError(problem, "Remove it.")


def _holds(folder: int, name: str, content: bytes) -> bool:
    """Return whether a file holds these bytes already: to replace it costs milliseconds, even by the same."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return False
    with os.fdopen(descriptor, "rb") as file:
        return file.read(len(content) + 1) == content


def _write_whole(folder: int, name: str, content: bytes, *, durable: bool) -> None:
    spare = _spare_name(name)
    descriptor = os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
    try:
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(spare, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # Ctrl-C too leaves no spare file
        with contextlib.suppress(OSError):
            os.unlink(spare, dir_fd=folder)
        raise


def _spare_name(name: str) -> str:
    return f".{name[:100]}.{secrets.token_hex(8)}.part"


@contextlib.contextmanager
def output_errors(place: Path) -> Iterator[None]:
    """Turn the system's error about a file into the sentence that says which, why, and what to do: an OutputError."""
    try:
        yield
    except OSError as problem:
        cause, hint = CAUSES.get(problem.errno or 0, (f"the system says: {problem.strerror}", ANOTHER))
        raise OutputError(f"{_quoted_path(place)} could not be written: {cause}.", hint) from None


def _link(place: Path) -> OutputError:
    problem = f"{_quoted_path(place)} is a symbolic link, and links inside the output folder are not followed."
    return OutputError(problem, f"Remove the link, or {ANOTHER.lower()}")


def _quoted_path(place: Path) -> str:
    return name_shown(str(place), 200)
