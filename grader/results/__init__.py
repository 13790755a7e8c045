"""From verdicts to points, reports, tables and files."""
