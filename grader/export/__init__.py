"""What goes out: who is in the class, `grades.json`, and the files that other platforms read."""
