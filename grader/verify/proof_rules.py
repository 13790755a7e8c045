"""The rules that only grading can show: the solution, the stub, right variants and mistakes get what they should."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.course.handed_out.stub import make_stub
from grader.course.layout import Assignment, Course
from grader.course.variants.read_variants import Variant, build_submission, load_variants, solution_submission
from grader.course.variants.variant_marks import SHARES, Marks
from grader.faults import read_text
from grader.grading import Judge
from grader.suite.rules.items import RULES
from grader.text import counted

from .mutants import mutants_are_killed, mutants_of_exercises, right_on_examples, text_of_mutant
from .repeat_runs import results_repeat
from .rules import Findings, Unmet, VerifyOptions, hidden_suite, mistakes_file, print_stage
from .trial import Trial, grade_texts

SOLUTION, STUB = "the-solution", "the-stub"
MEANT: dict[Marks, str] = {
    "slip": "an own answer with one plain slip",
    "library": "an answer by a forbidden call",
    "point": "an answer without something that the text names as its point",
    "trivial": "an answer that looks at nothing",
    "device": "an answer that is right on the CPU alone",
}


def proven(course: Course, assignment: Assignment, options: VerifyOptions, judge: Judge) -> Findings:
    """Grade every variant of an assignment and every mutant of its solutions, and ask that each gets what it should.

    Of a variant only its exercise is graded, in the way in which an exercise is run once more that lost something; and
    so it is of a mutant that the examples do not show.
    """
    exercises = options.exercises(assignment)
    variants = load_variants(assignment)
    variants = replace(variants, all=[variant for variant in variants.all if variant.exercise in exercises])
    stub = make_stub(read_text(assignment.source), assignment.exercises, assignment.source)
    whole = {SOLUTION: solution_submission(assignment), STUB: stub}
    among = {}
    if len(exercises) > 1:
        among = {f"among-others-{bug.exercise}": bug for bug in reversed(variants.mistakes)}  # the first of each
    single = {variant.name: variant for variant in variants.all} | among
    texts = whole | {name: build_submission(assignment, variant) for name, variant in single.items()}
    mutants = mutants_of_exercises(assignment, exercises)
    unseen = right_on_examples(assignment, mutants)
    texts |= {mutant.name: text_of_mutant(assignment, mutant) for mutant in unseen}
    words = (
        f"grading {counted(len(variants.all), 'variant')}, the solution, the stub and {counted(len(unseen), 'mutant')}"
    )
    print_stage(assignment, f"{words}; {len(mutants) - len(unseen)} others are wrong on the examples")
    alone = {variant.name: variant.exercise for variant in variants.all}
    alone |= {mutant.name: mutant.exercise for mutant in unseen}
    trial = grade_texts(course, assignment, texts, options.jobs, exercise=options.exercise, alone=alone, judge=judge)
    yield from ends_right(assignment, trial)
    yield from rights_are_right(assignment, variants.rights, trial)
    yield from mistakes_are_caught(assignment, variants.mistakes, trial)
    yield from nothing_is_lost_elsewhere(assignment, among, trial)
    yield from kinds_are_there(assignment, exercises, variants.mistakes)
    yield from marks_are_kept(assignment, variants.mistakes, trial)
    yield from checks_are_needed(assignment, variants.mistakes, trial)
    yield from mutants_are_killed(course, assignment, exercises, mutants, unseen, trial)
    yield from results_repeat(course, assignment, whole, variants.all, trial, options, judge)


def ends_right(assignment: Assignment, trial: Trial) -> Findings:
    for exercise, checks in trial.lost(SOLUTION).items():
        rule = "The solution must get every point."
        yield Unmet(rule, hidden_suite(assignment, exercise), exercise, f"It does not pass {', '.join(checks)}.")
    for part in trial.reports[STUB]["exercises"]:
        if part["score"] != 0:
            rule = "The untouched stub must get nothing."
            yield Unmet(rule, hidden_suite(assignment, part["id"]), part["id"], f"It gets {part['score']}.")


def rights_are_right(assignment: Assignment, rights: Sequence[Variant], trial: Trial) -> Findings:
    for variant in rights:
        lost = trial.lost(variant.name)
        if variant.exercise in lost:
            rule = f"The right variant `{variant.name}` must get every point."
            sentence = f"It does not pass {', '.join(lost[variant.exercise])}."
            yield Unmet(rule, hidden_suite(assignment, variant.exercise), variant.exercise, sentence)


def mistakes_are_caught(assignment: Assignment, mistakes: Sequence[Variant], trial: Trial) -> Findings:
    for mistake in mistakes:
        if mistake.exercise not in trial.lost(mistake.name):
            rule = f"The mistake `{mistake.name}` must lose points."
            sentence = f"It is in line {mistake.line} and keeps them all."
            hint = "If it answers as the solution does, mark it with @right; otherwise write a check that it fails."
            yield Unmet(rule, mistakes_file(assignment, mistake.exercise), mistake.exercise, f"{sentence} {hint}")


def nothing_is_lost_elsewhere(assignment: Assignment, among: Mapping[str, Variant], trial: Trial) -> Findings:
    """Ask that a mistake loses nothing in other exercises, with which it was graded under these names."""
    for name, mistake in among.items():
        for exercise, checks in trial.lost(name).items():
            if exercise != mistake.exercise:
                rule = f"The mistake `{mistake.name}` of {mistake.exercise} must cost nothing elsewhere."
                yield Unmet(rule, hidden_suite(assignment, exercise), exercise, f"It loses {', '.join(checks)}.")


def checks_are_needed(assignment: Assignment, mistakes: Sequence[Variant], trial: Trial) -> Findings:
    failed = {check["id"] for bug in mistakes for check in trial.not_passed(bug) if check["status"] != "skipped"}
    for exercise in trial.reports[SOLUTION]["exercises"]:
        for check in exercise["checks"]:
            id_ = check["id"]
            if check["visibility"] == "visible" or not check["counts"] or id_.partition(".")[2] in RULES:
                continue  # the rules of contracts are proven by the kit's own tests
            if id_ not in failed:
                rule = f"The hidden check `{id_}` must be failed by a mistake."
                file = hidden_suite(assignment, exercise["id"])
                yield Unmet(rule, file, exercise["id"], "No mistake fails it: add one, or take the check away.")


def kinds_are_there(assignment: Assignment, exercises: Sequence[str], mistakes: Sequence[Variant]) -> Findings:
    for exercise in exercises:
        known = {mistake.marks for mistake in mistakes if mistake.exercise == exercise} - {None}
        wanted = ["slip", "point", "trivial"] + ["library"] * bool(assignment.exercise(exercise).forbids)
        for kind in (kind for kind in wanted if known and kind not in known):
            rule = f'An exercise with marked mistakes must have one with `marks="{kind}"`.'
            yield Unmet(rule, mistakes_file(assignment, exercise), exercise, "There is none.")


def marks_are_kept(assignment: Assignment, mistakes: Sequence[Variant], trial: Trial) -> Findings:
    """Ask that each mistake earns what its `marks` allow."""
    for mistake in mistakes:
        if mistake.marks is None:
            continue
        result = trial.part(mistake)
        least, most = SHARES[mistake.marks]
        points, score = Fraction(result["max_score"]), Fraction(result["score"])
        if not least * points - Fraction(1, 10) < score <= most * points:  # points are rounded down to tenths
            share = share_text(least, most)
            rule = f"The mistake `{mistake.name}` must earn {share} of the points: it is {MEANT[mistake.marks]}."
            passed = [check["id"].partition(".")[2] for check in result["checks"] if check["status"] == "passed"]
            sentence = f"It earns {result['score']} of {result['max_score']}, by {', '.join(passed) or 'no check'}."
            yield Unmet(rule, hidden_suite(assignment, mistake.exercise), mistake.exercise, sentence)


def share_text(least: Fraction, most: Fraction) -> str:
    if most == 0:
        return "none"
    return f"{int(least * 100)} to {int(most * 100)} %" if least else f"at most {int(most * 100)} %"
