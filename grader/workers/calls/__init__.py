"""A call as a suite makes it: from arguments to a request, from a reply to a value or a failure."""
