"""What travels between the machine that asks and a node, and how a node grades it.

A worker of Dask has threads, and grading forks, so a node grades in a process of its own: `python -m
grader.cluster.batches` reads a `Batch` from standard input and writes an `Answer`, both JSON of closed types. Whoever
reaches a scheduler of Dask can run anything on its workers, so nobody else may reach it (Dask has TLS for that).
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from grader.course.layout import Assignment, Course, find_course
from grader.errors import GraderError
from grader.grading.options import ONE_THREAD
from grader.grading.suite_run import Result, SuiteRun
from grader.limits import Limits
from grader.records.cache_key import run_conditions, suite_digest
from grader.results.report import Fact
from grader.results.verdict import Language, ManifestCheck
from grader.source_cells import Source
from grader.suite.runner.tries import Job
from grader.system.devices import choose_device
from grader.system.processors import cores
from grader.text import listed


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Submissions of one assignment as they were read, and the `conditions` under which they are to be graded."""

    course: str
    assignment: str
    conditions: dict[str, Any]
    device: str
    limits: Limits
    tier: str
    jobs: int | None
    language: Language
    raw: bool
    sources: list[Source]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a node made of a batch, numbered by the place there; `refused` says in a sentence why nothing."""

    refused: str = ""
    isolation: dict[str, Fact] = {}
    manifest: list[ManifestCheck] = []
    graded: list[Result] = []


def conditions(course: Course, assignment: Assignment, device: str, limits: Limits) -> dict[str, Any]:
    """Return by name what decides grades besides submissions, as this machine has it; the same on every node."""
    run: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(run_conditions(course, device, limits)))
    if device != "cpu":  # the machine that asks for a GPU may have torch for the processor only
        run["libraries"]["torch"] = run["libraries"]["torch"].partition("+")[0]
    return {"suite": suite_digest(course, assignment), **run}


def grade_batch(request: bytes) -> bytes:
    """Grade a batch in a process of its own; this is the task that Dask runs, both ways in bytes."""
    command = [sys.executable, "-P", "-m", "grader.cluster.batches"]
    done = subprocess.run(command, input=request, capture_output=True, env={**os.environ, **ONE_THREAD}, cwd="/")
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip()[-1000:]
        return msgspec.json.encode(Answer(refused=f"the grader ended there with {done.returncode}: {words}."))
    return done.stdout


def answer_to(batch: Batch) -> Answer:
    """Prove a jail and grade a batch in it, as `grader grade` does."""
    from grader.grading.jails import isolation_of, open_course_jail

    course = find_course(Path(batch.course))
    assignment = course.assignment(batch.assignment)
    choose_device(batch.device, batch.device)
    here = conditions(course, assignment, batch.device, batch.limits)
    if other := [name for name in here if here[name] != batch.conditions[name]]:
        return Answer(refused=f"it has another {listed(other)}; install the same, and share the course and its secret.")
    jobs, checks, graded = batch.jobs or cores(), list[ManifestCheck](), list[Result]()

    def take(manifest: list[ManifestCheck], result: Result) -> None:
        checks[:] = manifest
        graded.append(result if batch.raw else msgspec.structs.replace(result, raw={}))

    with open_course_jail(course, batch.tier, batch.limits, batch.device, jobs, len(batch.sources), []) as jail:
        SuiteRun(
            course=course,
            assignment=assignment,
            jail=jail,
            limits=batch.limits,
            device=batch.device,
            language=batch.language,
            jobs=jobs,
            job=lambda place: Job(batch.sources[place]),
            take=take,
        ).run(range(len(batch.sources)))
        return Answer(isolation=isolation_of(jail), manifest=checks, graded=graded)


def main() -> None:
    """Answer the batch on standard input."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a suite prints must not come between
    try:
        answer = answer_to(msgspec.json.decode(sys.stdin.buffer.read(), type=Batch))
    except GraderError as error:
        answer = Answer(refused=str(error))
    answers.write(msgspec.json.encode(answer, enc_hook=dict))
    answers.close()


if __name__ == "__main__":
    main()
