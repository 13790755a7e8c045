"""The rule on diagnosis: a mistake whose answer gives it away is recognised."""

from collections.abc import Sequence

from grader.course.layout import Assignment
from grader.course.variants.read_variants import Variant
from grader.suite.diagnosis.device_faults import DEVICE_FAULTS

from .rules import Findings, Unmet, mistakes_file
from .trial import Trial

ON_THE_CPU = frozenset(each.name for each in DEVICE_FAULTS)


def mistakes_are_named(assignment: Assignment, mistakes: Sequence[Variant], trial: Trial) -> Findings:
    """Ask that a mistake which an answer gives away is diagnosed as itself or as a declared twin.

    One that is right on the CPU alone is named by what keeps it there.
    """
    for each in mistakes:
        if each.marks == "device":
            if not trial.named(each, "report") & ON_THE_CPU:
                rule = f"The report on the mistake `{each.name}` must say what keeps it on the CPU."
                yield Unmet(rule, mistakes_file(assignment, each.exercise), each.exercise, "It does not.")
            continue
        named = trial.named(each, "answer")
        if named and named.isdisjoint({each.name, *each.twins}):
            rule = f"The mistake `{each.name}` must be diagnosed as itself or as a declared twin."
            found = f"It is taken for {', '.join(sorted(named))}."
            yield Unmet(rule, mistakes_file(assignment, each.exercise), each.exercise, found)
