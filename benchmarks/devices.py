"""`make gpu-report`: every solution, right variant and listed mistake on the CPU, the pretended device and a GPU.

It writes docs/gpu-report.md, which names every check whose verdict is not the same on all of them.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2

from benchmarks.machine import cores, this_machine
from benchmarks.processes import ROOT
from grader.course.content.settings import drawn_from
from grader.errors import GraderError, UsageError
from grader.grading.options import ONE_THREAD
from grader.inside.protocol.rows import PRETENDED
from grader.system.devices import why_no_cuda

if TYPE_CHECKING:
    from benchmarks.compare_devices import Answer, Compared
    from grader.course.layout import Course

PAGE = ROOT / "docs" / "gpu-report.md"
TEMPLATE = Path(__file__).resolve().parent / "gpu-report.md.jinja"
SECRET = "the devices are compared by the same inputs"
TITLES = {"cpu": "CPU", PRETENDED: "pretended", "cuda": "CUDA"}
NAME = "import torch; torch.ones(1, device='cuda'); print(torch.cuda.get_device_name())"


def compare(course: "Course", devices: Sequence[str], jobs: int, mistakes: bool) -> "Iterator[Compared]":
    """Compare the devices on one assignment of a course after another: on right answers, then on mistakes as well.

    So a run that is cut off has seen the right answers of them all.
    """
    from benchmarks.compare_devices import compare_devices
    from grader.course.variants.read_variants import load_variants

    with drawn_from(SECRET):
        for with_mistakes in [False, True][: 1 + mistakes]:
            for assignment in course.assignments.values():
                variants = load_variants(assignment)
                chosen = variants.all if with_mistakes else variants.rights
                yield compare_devices(course, assignment, chosen, devices, jobs)


def name_of_gpu() -> str:
    """Return what the GPU is called; a process of its own says it, since this one must not wake a GPU.

    Raises:
        UsageError: It cannot be used.
    """
    done = subprocess.run([sys.executable, "-c", NAME], capture_output=True, text=True, check=False)
    if done.returncode:
        raise UsageError(f"The GPU cannot be used here: {done.stderr.strip().rpartition(chr(10))[2]}")
    return done.stdout.strip()


def rows(answer: "Answer") -> list[tuple[list[str], str]]:
    """Return the verdicts of an answer that are not the same everywhere, with the checks that have them."""
    together: dict[tuple[str, ...], list[str]] = {}
    for check, verdicts in answer.differences.items():
        together.setdefault(tuple(verdicts), []).append(check.partition(".")[2])
    return [(list(verdicts), ", ".join(f"`{check}`" for check in checks)) for verdicts, checks in together.items()]


def render(
    compared: "Sequence[Compared]",
    devices: Sequence[str],
    gpu: str,
    jobs: int,
    left: Sequence[str] = (),
) -> str:
    """Return the page; `left` names the assignments that were not compared."""
    loader = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                                keep_trailing_newline=True, autoescape=False)  # fmt: skip
    return loader.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        compared=compared,
        titles=[TITLES[device] for device in devices],
        devices=devices,
        machine=this_machine(gpu),
        jobs=jobs,
        left=left,
        rows=rows,
    )


def main(given: list[str] | None = None) -> int:
    """Compare, and write the page.

    Returns:
        0, also where devices differ, which the page says; 2 where there is no GPU or something could not be graded.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.devices", description="Compare the devices.")
    parser.add_argument("--without-cuda", action="store_true", help="compare the CPU with the pretended device only")
    parser.add_argument("--without-mistakes", action="store_true", help="compare right answers only")
    parser.add_argument("--jobs", type=int, default=cores(), help="submissions at once (%(default)s)")
    options = parser.parse_args(given)
    devices = list(TITLES)[: 2 if options.without_cuda else 3]
    os.environ.update(ONE_THREAD)  # before torch is imported
    try:
        if "cuda" in devices and (reason := why_no_cuda()):
            raise UsageError(
                f"This report needs a machine with an NVIDIA GPU, and none can be used here: {reason}",
                "ARGS=--without-cuda compares the CPU with the pretended device only.",
            )
        from grader.course.layout import find_course

        gpu = name_of_gpu() if "cuda" in devices else ""  # first, since it asks that the device works
        by_assignment: dict[str, Compared] = {}
        course = find_course(ROOT)
        for compared in compare(course, devices, options.jobs, not options.without_mistakes):
            by_assignment[compared.assignment] = compared  # the page so far stays where a run is cut off
            left = [name for name in course.assignments if name not in by_assignment]
            page = render(list(by_assignment.values()), devices, gpu, options.jobs, left)
            PAGE.write_text(page, encoding="utf-8")
    except GraderError as error:
        print(f"gpu-report: {error}", file=sys.stderr)
        return error.exit_code
    print(f"Written: {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
