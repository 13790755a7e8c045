"""Steps of a layer that remembers: batches in training and in eval, one after the other."""

from itertools import groupby

from grader.suite import checks

from .samples import batch


def random_steps(draw, features, *modes):
    """Return a step (mode, batch) in each of the modes, with batches of several sizes."""
    return [(mode, batch(draw, 5 + number % 3, features)) for number, mode in enumerate(modes)]


def compare(submitted, solution, steps, *buffers, outputs=True, kind="value"):
    """Ask that a layer gives in each step what the solution's gives, and has the same in these buffers in the end."""
    for mode, several in groupby(steps, key=lambda step: step[0]):
        getattr(submitted, mode)()
        getattr(solution, mode)()
        cases = [checks.given(x) for _, x in several]
        if outputs:
            checks.matches(submitted, solution, *cases, kind=kind)
        else:
            submitted.answers(cases)
            for case in cases:
                solution(case.args[0].double())
    kept = checks.remembered(submitted, *buffers) if buffers else {}
    for name in buffers:
        checks.close(kept[name], solution.get_buffer(name), kind=kind)
