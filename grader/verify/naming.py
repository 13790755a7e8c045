"""The rule on diagnosis: a mistake whose answer gives it away is recognised."""

from collections.abc import Sequence

from grader.course.layout import Assignment
from grader.course.variants.read_variants import Variant
from grader.suite.diagnosis.device_faults import DEVICE_FAULTS

from .rules import Findings, Unmet, mistakes_file
from .trial import Trial

ON_THE_CPU = frozenset(fault.name for fault in DEVICE_FAULTS)


def mistakes_are_named(assignment: Assignment, mistakes: Sequence[Variant], trial: Trial) -> Findings:
    """Ask that a mistake which an answer gives away is diagnosed as itself or as a declared twin.

    One that is right on the CPU alone is named by what keeps it there.
    """
    for mistake in mistakes:
        if mistake.marks == "device":
            if not trial.named(mistake, "report") & ON_THE_CPU:
                rule = f"The report on the mistake `{mistake.name}` must say what keeps it on the CPU."
                yield Unmet(rule, mistakes_file(assignment, mistake.exercise), mistake.exercise, "It does not.")
            continue
        named = trial.named(mistake, "answer")
        if named and named.isdisjoint({mistake.name, *mistake.twins}):
            rule = f"The mistake `{mistake.name}` must be diagnosed as itself or as a declared twin."
            sentence = f"It is taken for {', '.join(sorted(named))}."
            yield Unmet(rule, mistakes_file(assignment, mistake.exercise), mistake.exercise, sentence)
