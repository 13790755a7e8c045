"""Gets the examples of an assignment from its suites and solution, and hints for wrong answers from its mistakes."""

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec
import torch

from grader.course.layout import Assignment
from grader.course.run_source import load_solution
from grader.course.variants.read_variants import load_variants
from grader.errors import CourseError
from grader.suite.core.context import AssignmentContext
from grader.suite.core.contract import Contract
from grader.suite.core.manifest import Check
from grader.suite.examples.make import make_examples, make_hints
from grader.suite.examples.model import ExerciseExamples, examples_text
from grader.suite.runner.collect import Collection


def text_of_examples(assignment: Assignment) -> str:
    """Return the text of the file of examples.

    It is made in another process, since torch lets no copy of one that has taken gradients take any.

    Raises:
        CourseError: The solution, the mistakes or a suite cannot be read.
    """
    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(made_here, assignment).result()
        except (BrokenProcessPool, SystemExit):
            problem = f"A listed mistake of {assignment.id} ended the process in which the examples are made."
            raise CourseError(problem, "Look for the one that calls exit or needs too much memory.") from None


def made_here(assignment: Assignment) -> str:
    """Make it in this process; an exercise without a contract has no examples."""
    torch.set_num_threads(1)
    known = {exercise.id: ExerciseExamples([], forbids=list(exercise.forbids)) for exercise in assignment.exercises}
    solution = load_solution(assignment)
    variants = load_variants(assignment, solution)
    for name, contract in contracts_of(assignment).items():
        made = make_examples(name, contract, solution, follows=True)
        hints = make_hints(made.examples, variants.mistakes_of(name))
        known[name] = msgspec.structs.replace(made, hints=hints, forbids=known[name].forbids)
    return examples_text(known)


def contracts_of(assignment: Assignment) -> dict[str, Contract]:
    """Return the contracts that the hidden suites of an assignment declare, by exercise."""
    course = AssignmentContext(
        assignment=assignment.id, module_name=assignment.name, exercises=assignment.names, solution=None,
        mistakes={}, forbids={}, figures={}, secret=b"nothing is drawn",
    )  # fmt: skip
    contracts: dict[str, Contract] = {}

    def use(checks: list[Check]) -> None:
        contracts.update({check.spec.exercise: check.spec.contract for check in checks if check.spec.contract})

    Collection(course, assignment.visible, assignment.hidden, use).run()
    return contracts
