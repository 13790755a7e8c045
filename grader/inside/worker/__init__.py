"""The process that runs one submission: reads a request, runs it, answers."""
