"""The process that has imported torch and forks workers."""
