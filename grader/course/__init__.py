"""The course on disk: its assignments, exercises and variants, and the build of what students get."""
