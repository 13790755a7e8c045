"""What is in a bundle: all that grading one assignment needs and nothing more, the same bytes for the same sources."""

import re
import tomllib
from importlib.metadata import requires

import pytest

from grader.bundles.content import bundle_secret
from grader.bundles.lock import runtime_lock
from grader.bundles.make import LAYOUTS, make_bundle
from grader.cli import status
from grader.course.layout import find_course

from ....support.courses import ASSIGNMENT as TINY
from ....support.courses import small_course
from ....support.grading_runs import ASSIGNMENT, FROZEN, ROOT, SECOND, frozen_course
from ....support.in_a_bundle import SECRET, course_files, files_of

OTHERS = (SECOND, "tiny", "shares", "Shift", "examples", "benchmarks")


@pytest.mark.parametrize("platform", LAYOUTS)
def test_it_holds_the_course_of_one_assignment_and_nothing_else(bundles, platform):
    held = course_files(bundles[platform])
    name = ASSIGNMENT.partition("_")[2]
    private = [path for path in FROZEN.rglob("*") if path.suffix in (".py", ".json")]
    assert set(held) == {
        *(path.relative_to(FROZEN).as_posix() for path in private),
        "tests/golden/N9.json",
        *(f"assignments/{ASSIGNMENT}/{name}{suffix}" for suffix in (".py", ".ipynb")),
        "assignment",
        "course.toml",
        ".grader/secret",
    }


@pytest.mark.parametrize("platform", LAYOUTS)
def test_no_name_in_it_is_of_another_assignment(bundles, platform):
    assert not [name for name in bundles[platform] if any(word in name for word in OTHERS)]


@pytest.mark.parametrize("platform", LAYOUTS)
def test_the_same_sources_and_secret_give_the_same_bytes(tmp_path, platform):
    course = small_course(tmp_path / "course")
    first, second = (make_bundle(course, platform, None) for _ in range(2))
    assert first.data == second.data
    assert first.file_name == f"{platform}-{TINY}.zip"


def test_the_secret_is_the_bundles_own(tmp_path, monkeypatch):
    """Whoever reads a bundle can draw the inputs of that bundle alone."""
    course = small_course(tmp_path / "course")
    assignment = course.assignments[TINY]
    secrets = {bundle_secret(course, assignment, platform) for platform in LAYOUTS}
    assert len(secrets) == len(LAYOUTS)
    before = files_of(make_bundle(course, "gradescope", None).data)
    assert before["course/.grader/secret"].decode() == bundle_secret(course, assignment, "gradescope")
    assert not [name for name, data in before.items() if SECRET.encode() in data]
    monkeypatch.setenv("GRADER_SECRET", "another secret of the tests")
    after = files_of(make_bundle(course, "gradescope", None).data)
    assert {name for name in before if before[name] != after[name]} == {"course/.grader/secret"}


def test_what_lies_around_in_the_course_does_not_get_in(tmp_path):
    course = small_course(tmp_path / "course")
    clean = make_bundle(course, "gradescope", None).data
    for name in ("reports/ann/x.json", "tests/hidden/01_tiny/.notes.swp", "tests/hidden/01_tiny/__pycache__/a.pyc"):
        (course.root / name).parent.mkdir(parents=True, exist_ok=True)
        (course.root / name).write_text("private")
    (course.root / "solutions" / TINY / "old.py").write_text("private")
    assert make_bundle(course, "gradescope", None).data == clean


@pytest.mark.parametrize("platform", LAYOUTS)
def test_no_file_names_a_host_or_a_path_of_this_machine(bundles, platform):
    known = r"https?://(?!localhost|127\.0\.0\.1)[\w.]+"
    texts = {name: data.decode() for name, data in bundles[platform].items() if not name.endswith((".whl", ".tar"))}
    own = {name: text for name, text in texts.items() if "course/" not in name}
    assert not [(name, found[0]) for name, text in own.items() if (found := re.search(known, text))]
    assert not [name for name, text in texts.items() if str(ROOT) in text or "/root/" in text]


def test_the_index_of_torch_is_a_setting(tmp_path):
    course = small_course(tmp_path / "course")
    script = files_of(make_bundle(course, "gradescope", None, "https://wheels.test/cpu").data)["kit/install.sh"]
    assert b"index=${TORCH_INDEX:-https://wheels.test/cpu}" in script
    assert b"index=${TORCH_INDEX:-}" in files_of(make_bundle(course, "gradescope", None).data)["kit/install.sh"]


def test_the_lock_has_what_grading_needs_with_hashes_and_no_tool_of_the_tests():
    lock = runtime_lock()
    names = re.findall(r"^([a-z0-9-]+)==", lock, re.M)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {re.match(r"[\w-]+", need)[0].lower() for need in settings["project"]["dependencies"]} - {"torch"}
    of_torch = {re.match(r"[\w-]+", need)[0].lower() for need in requires("torch") if "extra ==" not in need}
    whole = (ROOT / "requirements.lock").read_text()
    assert wanted | {name for name in of_torch if f"\n{name}==" in whole} <= set(names)
    assert not {"mypy", "ruff", "hypothesis", "distributed", "jsonschema", "libcst"} & set(names)
    for block in re.split(r"\n(?=[a-z0-9-]+==)", lock)[1:]:
        assert block in whole and "--hash=sha256:" in block
    for name in names:
        assert names.count(name) == len(re.findall(rf"^{name}==", whole, re.M))  # one for some Pythons, one for others


def test_what_is_locked_is_all_that_a_container_may_take_from_an_index(bundles):
    script = bundles["gradescope"]["kit/install.sh"].decode()
    lines = [line for line in script.splitlines() if line.startswith("install ")]
    assert [line.split()[1] for line in lines] == ["--require-hashes", "${index:+--index-url", "--no-index"]
    assert '"torch==2.13.0"' in lines[1]


def test_further_packages_for_students_are_installed_in_the_version_of_this_machine(tmp_path):
    course = small_course(tmp_path / "course", {"course.toml": 'extra_packages = ["rich"]\nlanguage = "ko"\n'})
    files = files_of(make_bundle(course, "gradescope", None).data)
    assert re.search(rb"^install rich==\d", files["kit/install.sh"], re.M)
    assert tomllib.loads(files["course/course.toml"].decode()) == {"language": "ko", "extra_packages": ["rich"]}


def test_limits_that_the_teacher_set_come_along_and_the_device_does_not(tmp_path):
    text = 'device = "cuda"\n[limits]\ncheck_wall_s = 2.5\nmemory_bytes = 1073741824\n'
    course = small_course(tmp_path / "course", {"course.toml": text})
    files = files_of(make_bundle(course, "gradescope", None).data)
    assert tomllib.loads(files["course/course.toml"].decode()) == {"language": "en", "limits": {"check_wall_s": 2.5}}


def test_the_small_course_in_a_bundle_is_a_course(bundles, tmp_path):
    for name, data in course_files(bundles["gradescope"]).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    whole, small = find_course(frozen_course()).assignments[ASSIGNMENT], find_course(tmp_path)
    assert list(small.assignments) == [ASSIGNMENT]
    assert small.assignments[ASSIGNMENT].exercises == whole.exercises


def test_the_command_writes_the_file_and_says_what_it_is(tmp_path, capsys):
    course = small_course(tmp_path / "course")
    assert (
        status(["bundle", "gradescope", "--course", str(course.root), "--output", str(tmp_path / "x" / "b.zip")]) == 0
    )
    told = capsys.readouterr().out
    assert (tmp_path / "x" / "b.zip").read_bytes() == make_bundle(course, "gradescope", None).data
    assert "For staff only" in told and "sha256: " in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["moodle"], "is not one of"),
        (["gradescope", "--assignment", "01_tyni"], "01_tiny"),
        (["gradescope", "--output", "."], "is a folder"),
        (["gradescope", "--torch-index", 'x"; rm -rf /'], "index was looked for"),
    ],
)
def test_wrong_use_is_a_sentence(tmp_path, capsys, arguments, said):
    course = small_course(tmp_path / "course")
    assert status(["bundle", *arguments, "--course", str(course.root)]) == 2
    assert said in capsys.readouterr().err


def test_of_several_assignments_one_must_be_named(capsys):
    assert status(["bundle", "gradescope", "--course", str(frozen_course())]) == 2
    assert "Add --assignment ID." in capsys.readouterr().err
