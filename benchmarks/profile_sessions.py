"""What the trusted side spends a submission's processor time on, function by function.

Two kinds of runs: one that only adds up the processor time of each process of the trusted side, and one under cProfile,
whose own cost makes its figures good for comparing with each other only. `benchmarks.grading_cost --profile` calls it.
"""

import cProfile
import os
import pstats
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.errors import BenchmarkError
from benchmarks.processes import ROOT, run, spent_on

UNDER_PROFILE = "GRADING_COST_PROFILE"


def arguments(paths: Path, output: Path, isolation: str, jobs: int | None) -> list[str]:
    """Return the arguments of `grader` for one run over a class."""
    most = [] if jobs is None else ["--jobs", str(jobs)]
    return [
        "grade",
        "--fresh",
        str(paths),
        "--output",
        str(output),
        "--course",
        str(ROOT),
        "--isolation",
        isolation,
        *most,
    ]


def profile(small: Path, large: Path, size: int, folder: Path, isolation: str, jobs: int | None) -> None:
    """Tell the trusted side's time from the students' processes' time, then show what the trusted side spends it on.

    Args:
        small: A class of one.
        large: A class of many.
        size: How many these are.
        folder: A folder for what the runs write.
        isolation: The tier of the jail.
        jobs: Submissions at once; None for what the command takes.
    """
    one, many = (noted_run(paths, folder / "times", isolation, jobs, "") for paths in (small, large))
    further = {name: (many[name] - one[name]) / (size - 1) * 1000 for name in one}
    rest = further["all"] - further["sessions"] - further["first"]
    print(f"\nOf {further['all']:.1f} ms in one further pair of runs:")
    print(f"  {further['sessions']:7.1f} ms  the forked pytest sessions: checks, references, calls' own side")
    print(f"  {further['first']:7.1f} ms  the first process: finding, reading, forking, scoring, writing reports")
    print(f"  {rest:7.1f} ms  the jail: zygote, workers, the students' code")
    noted_run(large, folder / "profiles", isolation, jobs, "1")
    files = sorted((folder / "profiles").glob("session-*.prof"))
    if not files:
        raise BenchmarkError("No forked session left a profile; was the way a session ends changed?")
    stats = pstats.Stats(str(files[0]))
    for file in files[1:]:
        stats.add(str(file))
    print_profile(stats, len(files), size + 1)  # the solution is graded too


def noted_run(paths: Path, folder: Path, isolation: str, jobs: int | None, under_profile: str) -> dict[str, float]:
    """Run `grader grade` inside this module, in a process of its own, with every process of the trusted side noted.

    Returns:
        Seconds of processor time: `all` processes, the forked `sessions`, and the `first` one.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = [sys.executable, "-m", "benchmarks.profile_sessions", str(folder)]
    command += arguments(paths, folder / "reports", isolation, jobs)
    spent = spent_on(lambda: run(command, more={UNDER_PROFILE: under_profile}))
    notes = {"all": spent.cpu, "sessions": 0.0, "first": 0.0}
    for file in folder.glob("*.seconds"):
        notes["first" if file.name.startswith("first") else "sessions"] += float(file.read_text(encoding="utf-8"))
    return notes


def print_profile(stats: pstats.Stats, sessions: int, submissions: int) -> None:
    """Print own time by package, and the functions with the most own and the most whole time, for one submission."""
    packages: Counter[str] = Counter()
    rows = []
    for (file, line, name), (_, calls, own, whole, _) in stats.stats.items():  # type: ignore[attr-defined]
        packages[package_of(file, name)] += own
        rows.append((own, whole, calls, f"{short(file)}:{line} {name}" if line else name))
    scale = 1000 / submissions
    print(f"\n{sessions} forked sessions under cProfile (slower than life), milliseconds for a submission:")
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


def short(file: str) -> str:
    """Return the last two parts of a path."""
    return "/".join(Path(file).parts[-2:])


def grade_and_note(folder: Path, command: list[str]) -> int:
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
            spent = time.process_time()
            (folder / f"session-{os.getpid()}.seconds").write_text(str(spent), encoding="utf-8")
            if under_profile:
                profiler.dump_stats(folder / f"session-{os.getpid()}.prof")
        leave(code)

    os._exit = end  # type: ignore[assignment]
    os.register_at_fork(after_in_child=begin)
    code = status(command)
    (folder / "first.seconds").write_text(str(time.process_time()), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(grade_and_note(Path(sys.argv[1]), sys.argv[2:]))
