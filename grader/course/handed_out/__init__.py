"""Makes what students get: stub, notebook, README and hints."""
