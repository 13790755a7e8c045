"""Joins the kit to nbgrader: makes a course of nbgrader, and enters reports during `nbgrader autograde`.

nbgrader is an extra. The parts that import it are `exporter` and `preprocessors`; nothing else of the kit
imports these, and `needed` says in one sentence what to install where it is missing.
"""
