"""Measures what grading one more submission costs in processor time, beyond the start that a whole class shares.

`grader grade` is run on a class of one and on a class of many copies of the solution, which differ in a comment. The
time of every process that took part is added up, and (cost of many - cost of one) / (many - 1) is the cost of a
submission. Runs of the two sizes alternate, so that a machine that is busy for a while disturbs both; the median says
what is typical and the range how far to trust it. The clock on the wall says little on a shared machine and is shown
only for comparison.
"""

import argparse
import cProfile
import ctypes
import json
import os
import platform
import pstats
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET_MS = 150.0
BUSY = 0.1  # share of the processors that others may take before a figure is called too high
SECRET = "the benchmark draws the same inputs in every run"
PR_SET_CHILD_SUBREAPER = 36
PACKAGES = ("torch", "numpy", "pytest", "pytest-json-report", "msgspec")


class BenchmarkError(Exception):
    """A sentence that says why there is nothing to measure."""


def main() -> int:
    """Measure, print a table, and say whether the target is met.

    Returns:
        0 when the median is within the target, 1 when not, 2 when nothing could be measured.
    """
    options = read_options()
    if options.profiled is not None:
        return run_profiled(options)
    adopt_orphans()
    try:
        with tempfile.TemporaryDirectory(prefix="grading-cost-") as folder:
            return measure(options, Path(folder))
    except BenchmarkError as problem:
        print(f"grading_cost: {problem}", file=sys.stderr)
        return 2


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure the processor time that grading a submission costs.")
    parser.add_argument("--assignment", default="01_simple_attention", help="the assignment to grade")
    parser.add_argument("--submission", type=Path, help="a .py file to copy instead of the solution, at any score")
    parser.add_argument("--size", type=int, default=21, help="submissions in the large class (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="pairs of runs (default: %(default)s)")
    parser.add_argument("--jobs", type=int, help="submissions at once (default: what `grader grade` takes)")
    parser.add_argument("--isolation", default="auto", help="the tier of the jail (default: %(default)s)")
    parser.add_argument("--profile", action="store_true", help="show where the time goes, too")
    parser.add_argument("--profiled", nargs=2, metavar=("CLASS", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.size < 2 or options.repeats < 1:
        parser.error("--size must be 2 or more and --repeats 1 or more.")
    return options


def measure(options: argparse.Namespace, folder: Path) -> int:
    """Run the pairs and print what they come to."""
    text = submission_text(options)
    small, large = folder / "one", folder / "many"
    make_class(small, options.assignment, text, 1)
    make_class(large, options.assignment, text, options.size)
    print_conditions(options)
    full = options.submission is None
    grade(small, folder / "reports", options, full)  # unmeasured: fills the caches of bytecode and files
    pairs, shares = [], []
    print(f"{'run':>4}  {'class of 1':>11}  {f'class of {options.size}':>12}  {'a submission':>14}  {'others':>7}")
    for number in range(1, options.repeats + 1):
        began, busy = time.monotonic(), machine_seconds()
        one = grade(small, folder / "reports", options, full)
        many = grade(large, folder / "reports", options, full)
        share = (machine_seconds() - busy - one - many) / (time.monotonic() - began) / (os.cpu_count() or 1)
        cost = (many - one) / (options.size - 1) * 1000
        pairs.append(cost)
        shares.append(max(0.0, share))
        print(f"{number:>4}  {one:>9.2f} s  {many:>10.2f} s  {cost:>11.1f} ms  {shares[-1]:>7.0%}", flush=True)
    median = statistics.median(pairs)
    print(f"\nProcessor time of a submission: median {median:.1f} ms, from {min(pairs):.1f} to {max(pairs):.1f} ms.")
    met = median <= TARGET_MS
    print(f"The target of at most {TARGET_MS:g} ms is {'met' if met else 'missed'}.")
    if statistics.median(shares) > BUSY:
        share = statistics.median(shares)
        print(
            f"Other work took {share:.0%} of this machine's processors, which makes every figure larger. Try it idle."
        )
    if options.profile:
        profile(options, small, large, folder)
    return 0 if met else 1


def submission_text(options: argparse.Namespace) -> str:
    """Return the text to grade: the solution as a student would hand it in, or the file that was named."""
    if options.submission is not None:
        try:
            return str(options.submission.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as problem:
            raise BenchmarkError(f"The submission {options.submission} cannot be read: {problem}.") from None
    from grader.course.layout import find_course
    from grader.course.variants import solution_submission
    from grader.errors import GraderError

    try:
        return solution_submission(find_course(ROOT).assignment(options.assignment))
    except GraderError as problem:
        raise BenchmarkError(str(problem)) from None


def make_class(folder: Path, assignment: str, text: str, size: int) -> None:
    """Write a class of copies that differ in their first line, so that none has the hash of another."""
    name = assignment.split("_", 1)[1]
    for number in range(1, size + 1):
        place = folder / f"student_{number:03}" / assignment
        place.mkdir(parents=True)
        (place / f"{name}.py").write_text(f"# copy {number}\n{text}", encoding="utf-8")


def command(paths: Path, output: Path, options: argparse.Namespace) -> list[str]:
    """Return the arguments of `grader` for one run."""
    jobs = [] if options.jobs is None else ["--jobs", str(options.jobs)]
    course = ["--course", str(ROOT), "--isolation", options.isolation]
    return ["grade", "--fresh", str(paths), "--output", str(output), *course, *jobs]


def grade(paths: Path, output: Path, options: argparse.Namespace, full: bool) -> float:
    """Grade a class from a process of its own and see that the reports say what they must.

    Args:
        paths: The class.
        output: Where the reports go; removed before and after.
        options: The command line.
        full: Whether every submission must get full marks.

    Returns:
        Seconds of processor time of all processes together.
    """
    shutil.rmtree(output, ignore_errors=True)
    before = children_seconds()
    done = subprocess.run(
        [sys.executable, "-m", "grader", *command(paths, output, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "GRADER_SECRET": SECRET},
        cwd=ROOT,
    )
    wait_for_orphans()
    spent = children_seconds() - before
    if done.returncode != 0:
        raise BenchmarkError(f"`grader grade` ended with {done.returncode} and said:\n{done.stdout[-2000:]}")
    look_at_reports(paths, output, options.assignment, full)
    shutil.rmtree(output)
    return spent


def look_at_reports(paths: Path, output: Path, assignment: str, full: bool) -> None:
    """Refuse to count a run in which somebody has no report, or the solution less than full marks."""
    for student in sorted(path.name for path in paths.iterdir()):
        file = output / student / f"{assignment}.json"
        if not file.is_file():
            raise BenchmarkError(f"The run is not worth measuring: there is no report of {student}.")
        report = json.loads(file.read_bytes())
        if full and report["score"] != report["max_score"]:
            said = f"{report['score']} of {report['max_score']} points"
            raise BenchmarkError(f"The run is not worth measuring: the solution got {said} as {student}.")


def children_seconds() -> float:
    """Return the processor time of all ended and waited-for descendants, in user and system mode."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def machine_seconds() -> float:
    """Return the processor time that everybody on this machine has used, idle time left out."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, interrupts, soft_interrupts, stolen = map(int, fields[:8])
    return (user + nice + system + interrupts + soft_interrupts + stolen) / os.sysconf("SC_CLK_TCK")


def adopt_orphans() -> None:
    """Become the parent of descendants that lose theirs, so that their time is counted here; Linux only."""
    if sys.platform != "linux":
        raise BenchmarkError("Grading needs Linux, and so does this measurement; nothing was measured.")
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise BenchmarkError("This kernel does not let a process adopt orphans, so their time would be lost.")


def wait_for_orphans() -> None:
    """Take the time of every descendant that outlived its parent; nothing of a run stays behind in the next."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def print_conditions(options: argparse.Namespace) -> None:
    """Print what a figure means nothing without: the machine, the versions, what was run."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    busy = os.getloadavg()[0]
    print(f"Machine: {model}, {os.cpu_count()} cores, Linux {platform.release()}, load {busy:.1f} at the start")
    print(f"Python {platform.python_version()}, " + ", ".join(f"{name} {installed(name)}" for name in PACKAGES))
    jobs = "as many at once as `grader grade` takes" if options.jobs is None else f"{options.jobs} at once"
    what = options.submission.name if options.submission else "the solution"
    print(f"{options.assignment}: copies of {what}, isolation {options.isolation}, {jobs}\n", flush=True)


def installed(name: str) -> str:
    """Return the version of a package, or a word when it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "(none)"


# -- where the time goes -----------------------------------------------------------------------------------------------


def profile(options: argparse.Namespace, small: Path, large: Path, folder: Path) -> None:
    """Tell the trusted side's time from the students' processes' time, then show what the trusted side spends it on.

    Two kinds of runs: one that only adds up the processor time of each process of the trusted side, and one under
    cProfile, whose own cost makes its figures good for comparing with each other only.
    """
    more = options.size - 1
    whole, children, starts = [], [], []
    for paths in (small, large):
        notes = profiled_run(options, paths, folder / "times", under_profile=False)
        whole.append(notes["all"])
        children.append(notes["graders"])
        starts.append(notes["start"])
    sessions = (children[1] - children[0]) / more * 1000
    parent = (starts[1] - starts[0]) / more * 1000
    total = (whole[1] - whole[0]) / more * 1000
    print(f"\nOf {total:.1f} ms in one further pair of runs:")
    print(f"  {sessions:7.1f} ms  the forked pytest sessions: checks, references, comparisons, calls' own side")
    print(f"  {parent:7.1f} ms  the first process: finding, reading, forking, scoring, writing reports")
    print(f"  {total - sessions - parent:7.1f} ms  the jail: zygote, workers, the students' code")
    notes = profiled_run(options, large, folder / "profiles", under_profile=True)
    files = sorted((folder / "profiles").glob("grader-*.prof"))
    if not files:
        raise BenchmarkError("No forked session left a profile; was the way a session ends changed?")
    stats = pstats.Stats(str(files[0]))
    for file in files[1:]:
        stats.add(str(file))
    print_profile(stats, len(files))


def print_profile(stats: pstats.Stats, sessions: int) -> None:
    """Print own time by package, and the functions with the most own and the most whole time, for one session."""
    packages: Counter[str] = Counter()
    rows = []
    for (file, line, name), (_, calls, own, whole, _) in stats.stats.items():  # type: ignore[attr-defined]
        packages[package_of(file, name)] += own
        rows.append((own, whole, calls, f"{short(file)}:{line} {name}" if line else name))
    scale = 1000 / sessions
    print(f"\nForked sessions under cProfile (slower than life), {sessions} of them, milliseconds for one:")
    print("  own time by package")
    for name, seconds in packages.most_common(12):
        print(f"  {seconds * scale:9.2f}  {name}")
    for title, key in (("most own time", 0), ("most time with all that they call", 1)):
        print(f"  functions with the {title}\n  {'own':>9}  {'whole':>9}  {'calls':>8}")
        for own, whole, calls, label in sorted(rows, key=lambda row: row[key], reverse=True)[: 20 + 15 * key]:
            print(f"  {own * scale:9.2f}  {whole * scale:9.2f}  {calls / sessions:8.1f}  {label}")


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


def profiled_run(options: argparse.Namespace, paths: Path, folder: Path, under_profile: bool) -> dict[str, float]:
    """Run `grader grade` inside this script, in a process of its own, with every process of the trusted side noted.

    Returns:
        Seconds of processor time: `all` processes, the `graders` (forked sessions), and the `start` (the first one).
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    before = children_seconds()
    arguments = ["--profiled", str(paths), str(folder), "--assignment", options.assignment]
    arguments += ["--isolation", options.isolation] + ([] if options.jobs is None else ["--jobs", str(options.jobs)])
    environment = {**os.environ, "GRADER_SECRET": SECRET, "GRADING_COST_PROFILE": "1" if under_profile else ""}
    done = subprocess.run(
        [sys.executable, __file__, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        cwd=ROOT,
    )
    wait_for_orphans()
    if done.returncode != 0:
        raise BenchmarkError(f"The profiled run ended with {done.returncode} and said:\n{done.stdout[-2000:]}")
    notes = {"all": children_seconds() - before, "graders": 0.0, "start": 0.0}
    for file in folder.glob("*.seconds"):
        notes["start" if file.name.startswith("start") else "graders"] += float(file.read_text(encoding="utf-8"))
    return notes


def run_profiled(options: argparse.Namespace) -> int:
    """Be the process that `profiled_run` starts: grade, and note each forked session's time as it leaves."""
    from grader.cli import status

    paths, folder = (Path(part) for part in options.profiled)
    under_profile = bool(os.environ.get("GRADING_COST_PROFILE"))
    first, leave = os.getpid(), os._exit
    profiler = cProfile.Profile(timer=time.process_time)

    def begin() -> None:
        if under_profile:
            profiler.enable()

    def end(code: int) -> None:
        if os.getpid() != first:
            profiler.disable()
            spent = time.process_time()
            (folder / f"grader-{os.getpid()}.seconds").write_text(str(spent), encoding="utf-8")
            if under_profile:
                profiler.dump_stats(folder / f"grader-{os.getpid()}.prof")
        leave(code)

    os._exit = end  # type: ignore[assignment]
    os.register_at_fork(after_in_child=begin)
    code = status(command(paths, folder / "reports", options))
    (folder / "start.seconds").write_text(str(time.process_time()), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
