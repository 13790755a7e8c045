"""A process for each submission, forked from the session that collected the suite."""
