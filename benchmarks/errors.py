"""The one exception of the benchmarks: a sentence for the person who runs them."""


class BenchmarkError(Exception):
    """A sentence that says why there is nothing to measure, or why a measurement counts for nothing."""
