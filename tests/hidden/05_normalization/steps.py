"""Steps of a layer that remembers: batches in training and in eval, one after the other."""

from grader.suite import checks

from .samples import batch


def random_steps(draw, features, *modes):
    """Return a step (mode, batch) in each of the modes, with batches of several sizes."""
    return [(mode, batch(draw, 5 + number % 3, features)) for number, mode in enumerate(modes)]


def compare_after_each(submitted, solution, steps, *buffers, outputs=True, kind="value"):
    """Ask that a layer gives in each step what the solution's gives, and has the same in these buffers after it."""
    for mode, x in steps:
        getattr(submitted, mode)()
        getattr(solution, mode)()
        if outputs:
            checks.matches(submitted, solution, x, kind=kind)
        else:
            submitted(x), solution(x.double())
        kept = checks.remembered(submitted, *buffers) if buffers else {}
        for name in buffers:
            checks.close(kept[name], solution.get_buffer(name), kind=kind)
