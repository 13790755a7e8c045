"""What grading costs (`make bench`), and what differs between devices (`make gpu-report`); for a checkout only."""
