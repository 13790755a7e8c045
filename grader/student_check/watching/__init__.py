"""`grader watch`: reruns what a student changed whenever they save."""
