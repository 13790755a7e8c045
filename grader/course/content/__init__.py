"""Reads what an author wrote: settings, exercises, the percent format."""
