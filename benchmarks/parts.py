"""Where a submission's processor time goes: the first process, the forked sessions, the jail; function by function.

`grader grade` runs in a process of this script's own, in which each forked session notes its time as it leaves. What
neither the sessions nor the first process used is the jail's: the zygote, the workers and the student's code in them.
`python -m benchmarks.parts 04_multi_head_attention` shows the sessions under cProfile as well, whose own cost makes its
figures good for comparing with each other only.
"""

import argparse
import cProfile
import os
import pstats
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.classes import Answer, Answers, answers_of, look_at, members
from benchmarks.errors import BenchmarkError
from benchmarks.machine import cores
from benchmarks.measure import Figure
from benchmarks.processes import ROOT, adopt_orphans, run, spent_on
from benchmarks.sides.kit import Kit, arguments

UNDER_PROFILE = "BENCH_PROFILE"
PARTS = ("first process", "sessions", "jail")


def measure(folder: Path, every: Sequence[Answers], further: int, wrong: bool = False) -> list[Figure]:
    """Return what each part used for a further submission."""
    figures = []
    for answers in every:
        place = folder / answers.assignment.id
        place.mkdir(parents=True)
        more = answers.wrong if wrong else [answers.right] * further
        started = [answers.right] * cores()
        base = noted_run(place / "base", answers, started)
        whole = noted_run(place / "whole", answers, [*started, *more])
        for part in PARTS:
            spent = (whole[part] - base[part]) / len(more)
            figures.append(Figure(answers.assignment.id, part, "wrong" if wrong else "right", 0, 0.0, spent))
        told = ", ".join(f"{each.side} {each.cpu * 1000:.1f}" for each in figures[-len(PARTS) :])
        print(f"  {answers.assignment.id:<24} ms of processor time: {told}", flush=True)
    return figures


def noted_run(place: Path, answers: Answers, handed_in: Sequence[Answer], profiled: bool = False) -> dict[str, float]:
    """Run `grader grade` inside this module, in a process of its own; returns the seconds that each part used.

    Raises:
        BenchmarkError: No session left its time, or somebody has points that the answer is not worth.
    """
    kit, group = Kit(), members(handed_in)
    kit.answers = answers
    place.mkdir()
    kit.lay_out(group, place)
    command = [sys.executable, "-m", "benchmarks.parts", "--into", str(place), *arguments(place, kit.jobs)]
    spent = spent_on(lambda: run(command, more={UNDER_PROFILE: "1" if profiled else ""}))
    look_at(kit.name, answers, group, kit.read(group, place))
    sessions = [float(file.read_text(encoding="utf-8")) for file in place.glob("session-*.seconds")]
    if not sessions:
        raise BenchmarkError("No forked session left its time; was the way a session ends changed?")
    first = float((place / "first.seconds").read_text(encoding="utf-8"))
    used = (first, sum(sessions), spent.cpu - first - sum(sessions))
    return dict(zip(PARTS, used, strict=True))


def grade_and_note(place: Path, command: list[str]) -> int:
    """Be the process that `noted_run` starts: grade, and note each forked session's time as it leaves."""
    from grader.cli import status

    under_profile = bool(os.environ.get(UNDER_PROFILE))
    first, leave = os.getpid(), os._exit
    profiler = cProfile.Profile(timer=time.process_time)

    def begin() -> None:
        if under_profile:
            profiler.enable()

    def end(code: int) -> None:
        if os.getpid() != first:
            profiler.disable()
            (place / f"session-{os.getpid()}.seconds").write_text(str(time.process_time()), encoding="utf-8")
            if under_profile:
                profiler.dump_stats(place / f"session-{os.getpid()}.prof")
        leave(code)

    os._exit = end  # type: ignore[assignment]
    os.register_at_fork(after_in_child=begin)
    code = status(command)
    (place / "first.seconds").write_text(str(time.process_time()), encoding="utf-8")
    return code


def print_profile(files: Sequence[Path], submissions: int) -> None:
    """Print own time by package, and the functions with the most own and the most whole time, for one submission."""
    stats = pstats.Stats(*map(str, files))
    packages: Counter[str] = Counter()
    rows = []
    for (file, line, name), (_, calls, own, whole, _) in stats.stats.items():  # type: ignore[attr-defined]
        packages[package_of(file, name)] += own
        rows.append((own, whole, calls, f"{'/'.join(Path(file).parts[-2:])}:{line} {name}" if line else name))
    scale = 1000 / submissions
    print(f"\n{len(files)} forked sessions under cProfile (slower than life), milliseconds for a submission:")
    print("  own time by package")
    for name, seconds in packages.most_common(12):
        print(f"  {seconds * scale:9.2f}  {name}")
    for title, key in (("most own time", 0), ("most time with all that they call", 1)):
        print(f"  functions with the {title}\n  {'own':>9}  {'whole':>9}  {'calls':>8}")
        for own, whole, calls, label in sorted(rows, key=lambda row: row[key], reverse=True)[: 20 + 15 * key]:
            print(f"  {own * scale:9.2f}  {whole * scale:9.2f}  {calls / submissions:8.1f}  {label}")


def package_of(file: str, name: str) -> str:
    """Return the package that a function belongs to; parts of the kit stand for themselves."""
    if file == "~":
        return "built in: " + name.strip("<>").removeprefix("built-in method ").removeprefix("method ").split(" ")[0]
    parts = Path(file).parts
    if "site-packages" in parts:
        return parts[parts.index("site-packages") + 1]
    if "grader" in parts:
        return ".".join(parts[len(parts) - 1 - parts[::-1].index("grader") :][:2]).removesuffix(".py")
    return "suites and solutions" if ROOT in Path(file).parents else "standard library"


def main() -> int:
    """Print the parts of one assignment and a profile of its sessions."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.parts", description="Show where the time goes.")
    parser.add_argument("assignment")
    parser.add_argument(
        "--wrong", action="store_true", help="submissions with one wrong exercise instead of right ones"
    )
    parser.add_argument("--further", type=int, default=32, help="submissions (default: %(default)s)")
    options = parser.parse_args()
    try:
        adopt_orphans()
        answers = answers_of(options.assignment, options.further)
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
            folder = Path(name)
            measure(folder, [answers], options.further, options.wrong)
            handed_in = answers.wrong if options.wrong else [answers.right] * options.further
            noted_run(folder / "profile", answers, handed_in, profiled=True)
            files = sorted((folder / "profile").glob("session-*.prof"))
            print_profile(files, options.further + 1)  # the solution is graded too
    except BenchmarkError as problem:
        print(f"parts: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--into"]:
        sys.exit(grade_and_note(Path(sys.argv[2]), sys.argv[3:]))
    sys.exit(main())
