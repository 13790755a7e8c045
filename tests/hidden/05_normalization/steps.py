"""Steps of a layer that remembers: batches in training and in eval, one after the other."""

from grader.suite import checks

from .samples import batch


def history(draw, features, *modes):
    """Return a step in each of the modes, with batches of several sizes."""
    return [(mode, batch(draw, 5 + number % 3, features)) for number, mode in enumerate(modes)]


def ask(handle, module, steps, *buffers, outputs=True, kind="value"):
    """Ask that a new layer gives in each step what the solution's gives, and keeps the same in these buffers."""
    for mode, x in steps:
        getattr(handle, mode)()
        getattr(module, mode)()
        if outputs:
            checks.matches(handle, module, x, kind=kind)
        else:
            handle(x), module(x.double())
        kept = checks.remembered(handle, *buffers) if buffers else {}
        for name in buffers:
            checks.close(kept[name], module.get_buffer(name), kind=kind)
