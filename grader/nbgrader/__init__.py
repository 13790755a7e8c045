"""Joins the kit to nbgrader: makes a course of nbgrader, grades inside `nbgrader autograde`, and fills its gradebook.

nbgrader is an extra. The parts that import it are `exporter`, `preprocessors` and `gradebook`; nothing else of the kit
imports these, and `needed` says in one sentence what to install where it is missing.
"""
