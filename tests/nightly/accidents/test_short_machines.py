"""Where a machine or a container is too small for a run, that is said, and it is taken from no student."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.results.sentences import UNGRADED

from ...support.classes.class_runs import RIGHT
from ...support.classes.grading_runs import grade
from ...support.courses import hand_in, write_course

ENTER = "import os, sys; open(sys.argv[1], 'w').write(str(os.getpid())); os.execvp(sys.argv[2], sys.argv[2:])"
GREEDY = (
    "import torch\nfrom torch import nn\ndef shares(x):\n    much = torch.ones(230_000_000)\n    return x / x.sum()\n"
)


@contextmanager
def container(kind, **limits):
    """Make a control group with these limits; gives the command line that runs another one in it."""
    top = Path("/sys/fs/cgroup")
    folder = (top / kind if (top / kind).is_dir() else top) / f"kit-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error}")
    try:
        try:
            for name, value in limits.items():
                (folder / f"{kind}.{name}").write_text(str(value))
        except OSError as error:
            pytest.skip(f"control groups of this machine limit no {kind}: {error}")
        yield [sys.executable, "-c", ENTER, str(folder / "cgroup.procs")]
    finally:
        folder.rmdir()


@pytest.fixture
def klass(tmp_path):
    """A class of two, one of whom uses 900 MB, as everybody may."""
    write_course(tmp_path / "course", {"tests/golden/N0.json": "[]"})
    hand_in(tmp_path / "class", "ann", RIGHT)
    hand_in(tmp_path / "class", "ben", GREEDY)
    return tmp_path


def test_what_the_system_kills_for_memory_is_not_graded_and_not_kept(klass):
    name = "limit_in_bytes" if Path("/sys/fs/cgroup/memory").is_dir() else "max"
    where, before = [klass / "class", "--jobs", "2"], ("--course", klass / "course")
    with container("memory", **{name: 800 << 20}) as through:
        done = grade(klass / "out", *where, before=before, through=through, fresh=False)
    assert done.code == 1, done.stderr
    assert "2 submissions at once may take 2.0 GiB of memory, and 0.8 GiB are free here" in done.stderr
    assert done.report("ann", "01_tiny")["problem"] is None
    assert done.report("ben", "01_tiny")["problem"] == UNGRADED["killed"].format(exercises="shares")
    assert done.report("ben", "01_tiny")["exercises"][0]["score"] is None
    assert "ben" in done.stdout
    roomy = grade(klass / "out", *where, before=before, fresh=False)
    assert roomy.code == 0
    assert roomy.report("ben", "01_tiny")["problem"] is None
    assert roomy.report("ben", "01_tiny")["score"] == roomy.report("ann", "01_tiny")["score"]


def test_a_limit_on_processes_is_told_and_costs_nobody(klass):
    where, before = [klass / "class", "--jobs", "2"], ("--course", klass / "course")
    with container("pids", max=12) as through:
        done = grade(klass / "out", *where, before=before, through=through)
    assert "2 submissions at once take up to 14 processes and threads" in done.stderr
    scores = {student: done.report(student, "01_tiny")["score"] for student in ("ann", "ben")}
    assert done.code == 0 and len(set(scores.values())) == 1


SURROUNDINGS = {
    "few open files": ("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))", 2, "needs 512"),
    "small files": (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))",
        2,
        "Raise the limit (ulimit -f)",
    ),
    "no assertions": ("os.environ['PYTHONOPTIMIZE'] = '2'", 2, "PYTHONOPTIMIZE"),
    "few open files at first, ends of children ignored, plugins and options of pytest": (
        "import resource, signal; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 4096)); "
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
        "os.environ |= {'PYTEST_PLUGINS': 'nothing_there', 'PYTEST_ADDOPTS': '-k nothing --bogus'}",
        0,
        "",
    ),
}


@pytest.mark.parametrize(("before", "code", "sentence"), SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_odd_surroundings_are_harmless_or_one_sentence(tmp_path, before, code, sentence):
    write_course(tmp_path / "course", {"tests/golden/N0.json": "[]"})
    hand_in(tmp_path / "class", "ann", RIGHT)
    through = [sys.executable, "-c", f"import os, sys; {before}; os.execvp(sys.argv[1], sys.argv[1:])"]
    done = grade(tmp_path / "out", tmp_path / "class", before=("--course", tmp_path / "course"), through=through)
    assert done.code == code, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    if code:
        assert sum(line.startswith("grader: ") for line in done.stderr.splitlines()) == 1
    else:
        assert done.report("ann", "01_tiny")["exercises"][0]["score"] == 2
