"""A pretended GPU: a device of its own name whose numbers the CPU computes, to find what would fail on a real one."""
