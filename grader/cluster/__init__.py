"""Grades over many machines: Dask carries batches to nodes, each of which grades them in its own jail."""
