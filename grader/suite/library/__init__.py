"""What authors of suites call: each function asks one thing of an answer."""
