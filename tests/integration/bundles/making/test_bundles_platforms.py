"""What each platform finds in its bundle: scripts, settings and pages by its own rules."""

import json
import re
import shutil
import subprocess

import pytest
import yaml

from grader.bundles.make import LAYOUTS, fill, make_bundle
from grader.cli.release import PLATFORMS
from grader.course.layout import find_course

from ....support.courses import small_course
from ....support.grading_runs import ASSIGNMENT, frozen_course
from ....support.in_a_bundle import files_of, modes_of


@pytest.mark.parametrize("platform", LAYOUTS)
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
    for exercise in find_course(frozen_course()).assignments[ASSIGNMENT].exercises:
        assert f"| {exercise.id} | {exercise.points.normalize():f} |" in text


def test_what_a_person_types_is_no_part_of_a_command_in_the_workflow_for_github(bundles):
    """An input that is in a command would be run by the shell; in a variable it is text."""
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


@pytest.mark.parametrize("platform", LAYOUTS)
def test_its_page_says_the_tier_and_what_happens_without_one(bundles, platform):
    page = bundles[platform]["README.md"].decode()
    assert "`landlock`" in page and "**If no tier can be proven** nothing is graded" in page
    assert "staff" in page


def test_the_zip_for_gradescope_has_its_two_scripts_at_its_root(bundles):
    assert "setup.sh" in bundles["gradescope"]
    assert bundles["gradescope"]["run_autograder"].startswith(b"#!/usr/bin/env bash\n")


def test_the_command_offers_the_platforms_that_have_a_bundle():
    assert set(PLATFORMS) == set(LAYOUTS)


def test_a_gap_that_nothing_was_given_for_is_an_error():
    with pytest.raises(KeyError):
        fill("@ASSIGNMENT@ @NOBODY@", {"ASSIGNMENT": "01_tiny"})


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
