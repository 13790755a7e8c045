"""What is in a bundle: all that grading one assignment needs and nothing more, the same bytes for the same sources."""

import functools
import io
import json
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from importlib.metadata import requires

import pytest
import yaml

from grader.bundles import content
from grader.bundles.content import bundle_secret
from grader.bundles.lock import runtime_lock
from grader.bundles.make import PLATFORMS, make_bundle
from grader.bundles.scripts import fill
from grader.cli import status
from grader.course.layout import find_course

from .courses import ASSIGNMENT as TINY
from .courses import small_course
from .grading_runs import ASSIGNMENT, ROOT

SECRET = "a secret of the tests that is long enough"
OTHERS = ("02_", "03_", "04_", "05_", "06_", "07_", "trainable", "multi_head", "seq2seq", "examples", "benchmarks")


ONE_WHEEL = functools.cache(content.build_wheel)  # building one takes seconds; that it is the same is test_release's


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("GRADER_SECRET", SECRET)
    monkeypatch.setattr(content, "build_wheel", ONE_WHEEL)


@pytest.fixture(scope="module")
def bundles():
    """The files of each platform's bundle for the first assignment of this repository."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_SECRET", SECRET)
        patch.setattr(content, "build_wheel", ONE_WHEEL)
        made = {platform: make_bundle(find_course(ROOT), platform, ASSIGNMENT).data for platform in PLATFORMS}
    return {platform: files_of(data) for platform, data in made.items()}


def files_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for name, inner in list(files.items()):
        if name.endswith(".tar"):
            with tarfile.open(fileobj=io.BytesIO(inner)) as archive:
                files |= {f"{name}/{entry.name}": archive.extractfile(entry).read() for entry in archive}
    return files


def modes_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}


def course_files(files):
    return {name.partition("course/")[2]: data for name, data in files.items() if "course/" in name}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_it_holds_the_course_of_one_assignment_and_nothing_else(bundles, platform):
    held = course_files(bundles[platform])
    name = ASSIGNMENT.partition("_")[2]
    suites = {path.name for path in (ROOT / "tests" / "hidden" / ASSIGNMENT).glob("test_*.py")}
    figures = {path.name for path in (ROOT / "tests" / "golden").glob("*.json")}
    assert set(held) == {
        *(f"solutions/{ASSIGNMENT}/{file}" for file in (f"{name}.py", "mistakes.py", "fingerprints.json")),
        *(f"tests/hidden/{ASSIGNMENT}/{file}" for file in suites),
        *(f"tests/golden/{file}" for file in figures),
        *(f"assignments/{ASSIGNMENT}/{name}{suffix}" for suffix in (".py", ".ipynb")),
        f"tests/visible/test_{name}.py",
        "assignment",
        "course.toml",
        ".grader/secret",
    }


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_name_in_it_is_of_another_assignment(bundles, platform):
    assert not [name for name in bundles[platform] if any(word in name for word in OTHERS)]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_same_sources_and_secret_give_the_same_bytes(tmp_path, platform):
    course = small_course(tmp_path / "course")
    first, second = (make_bundle(course, platform, None) for _ in range(2))
    assert first.data == second.data
    assert first.file_name == f"{platform}-{TINY}.zip"


def test_the_secret_is_the_bundles_own(tmp_path, monkeypatch):
    """Whoever reads a bundle can draw the inputs of that bundle alone."""
    course = small_course(tmp_path / "course")
    assignment = course.assignments[TINY]
    secrets = {bundle_secret(course, assignment, platform) for platform in PLATFORMS}
    assert len(secrets) == len(PLATFORMS)
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


@pytest.mark.parametrize("platform", PLATFORMS)
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


@pytest.mark.parametrize("platform", PLATFORMS)
def test_its_scripts_are_programs_that_the_shell_can_read(platform, tmp_path):
    data = make_bundle(small_course(tmp_path / "course"), platform, None).data
    scripts = [name for name in files_of(data) if name.endswith((".sh", "run_autograder"))]
    assert scripts
    for name in scripts:
        if ".tar/" not in name:
            assert modes_of(data)[name] == 0o755
        read = subprocess.run(["bash", "-n"], input=files_of(data)[name], capture_output=True, check=False)
        assert (read.returncode, read.stderr) == (0, b"")
        assert not re.search(rb"@[A-Z_]+@|\r", files_of(data)[name])


def test_the_zip_for_gradescope_has_its_two_scripts_at_its_root(bundles):
    assert {"setup.sh", "run_autograder"} <= set(bundles["gradescope"])
    assert bundles["gradescope"]["run_autograder"].startswith(b"#!/usr/bin/env bash\n")


def test_the_question_for_prairielearn_keeps_answers_where_students_never_get_them(bundles):
    """Only `tests/` of a question stays with the grader; the image may be in a registry that others can read."""
    files = bundles["prairielearn"]
    info = json.loads(files[f"questions/{ASSIGNMENT}/info.json"])
    options = info["externalGradingOptions"]
    assert info["gradingMethod"] == "External" and options["enabled"] is True
    assert options["entrypoint"] == "/grade/tests/grade.sh" and options["timeout"] <= 600
    assert options["enableNetworking"] is False
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", info["uuid"])
    secret = [name for name in files if "course/" in name]
    assert secret and all(name.startswith(f"questions/{ASSIGNMENT}/tests/") for name in secret)


def test_the_makefile_for_autolab_prints_nothing_of_its_own(bundles):
    lines = bundles["autolab"]["autograde-Makefile"].decode().splitlines()
    recipe = [line for line in lines if line.startswith("\t")]
    assert recipe and all(line.startswith("\t@") for line in recipe)
    assert "autograde.tar/autograde/grade.sh" in bundles["autolab"]


def test_the_problems_for_autolab_are_named_as_its_scores_are(bundles):
    text = bundles["autolab"]["README.md"].decode()
    for exercise in find_course(ROOT).assignments[ASSIGNMENT].exercises:
        assert f"| {exercise.id} | {exercise.points.normalize():f} |" in text


def test_what_a_person_types_is_no_part_of_a_command_in_the_workflow_for_github(bundles):
    """An input that stands in a command would be run by the shell; in a variable it is text."""
    workflow = yaml.safe_load(bundles["github"][f".github/workflows/grade-{ASSIGNMENT}.yml"])
    steps = workflow["jobs"]["grade"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands and not any("${{" in command for command in commands)
    assert workflow["permissions"] == {"contents": "read"}
    checkouts = [step["with"] for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    assert len(checkouts) == 2 and all(each["persist-credentials"] is False for each in checkouts)
    named = set(workflow[True]["workflow_dispatch"]["inputs"])
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(workflow)))
    assert used == named


def test_the_workflow_gives_every_variable_that_the_run_needs(bundles):
    workflow = yaml.safe_load(bundles["github"][f".github/workflows/grade-{ASSIGNMENT}.yml"])
    (step,) = (step for step in workflow["jobs"]["grade"]["steps"] if step.get("name") == "Grade")
    from_script = {"SUBMISSION", "RESULT", "SUBMISSION_COMMIT", "SUBMISSION_TIME"}
    from_runner = {"GITHUB_SERVER_URL"}
    needed = {"CLASSROOM", "ASSIGNMENT", "OWNER", "SUBMISSION_TAG", "REPOSITORY"}
    assert set(step["env"]) == needed
    script = bundles["github"]["grade.sh"].decode()
    assert all(name in script for name in from_script | from_runner)


def test_the_pipeline_for_gitlab_reports_junit_and_shows_no_token(bundles):
    pipeline = yaml.safe_load(bundles["gitlab"][".gitlab-ci.yml"])
    job = pipeline["grade"]
    assert job["artifacts"]["reports"]["junit"] == "junit.xml"
    assert not any("SUBMISSIONS_TOKEN" in line for line in job["script"])
    assert b"unset SUBMISSIONS_TOKEN" in bundles["gitlab"]["grade.sh"]


def test_git_gets_the_token_and_the_student_code_does_not(bundles, tmp_path):
    script = tmp_path / "askpass.sh"
    script.write_bytes(bundles["gitlab"]["askpass.sh"])
    told = [
        subprocess.run(["sh", script, question], env={"SUBMISSIONS_TOKEN": "-n tok"}, capture_output=True, check=True)
        for question in ("Username for 'x': ", "Password for 'y': ")
    ]
    assert [each.stdout for each in told] == [b"oauth2\n", b"-n tok\n"]


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
    whole, small = find_course(ROOT).assignments[ASSIGNMENT], find_course(tmp_path)
    assert list(small.assignments) == [ASSIGNMENT]
    assert small.assignments[ASSIGNMENT].exercises == whole.exercises


@pytest.mark.parametrize("platform", PLATFORMS)
def test_its_page_says_the_tier_and_what_happens_without_one(bundles, platform):
    page = bundles[platform]["README.md"].decode()
    assert "`landlock`" in page and "**If no tier can be proven** nothing is graded" in page
    assert "staff" in page


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
    assert status(["bundle", "gradescope", "--course", str(ROOT)]) == 2
    assert "Add --assignment ID." in capsys.readouterr().err


def test_a_gap_that_nothing_was_given_for_is_an_error():
    with pytest.raises(KeyError):
        fill("@ASSIGNMENT@ @NOBODY@", ASSIGNMENT="01_tiny")


def test_without_a_python_that_fits_installing_says_so(bundles, tmp_path):
    if shutil.which("sh") is None:
        pytest.skip("there is no shell")
    (tmp_path / "install.sh").write_bytes(bundles["gradescope"]["kit/install.sh"])
    (tmp_path / "bin").mkdir()
    for name in ("sh", "dirname", "id"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    done = subprocess.run(
        ["/bin/sh", str(tmp_path / "install.sh"), str(tmp_path / "env")],
        env={"PATH": str(tmp_path / "bin")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Python 3.11, 3.12 or 3.13 with venv is needed" in done.stderr and not (tmp_path / "env").exists()
