"""Opens a submission's files and takes the code out of them, without running anything."""
