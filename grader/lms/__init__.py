"""Carries scores from the reports to learning platforms: one module for each platform, all fed by the one report.

`reports` reads what `grader grade` wrote, `roster` says who a folder is on a platform, `visibility` says what of a
check may be shown. Nothing here grades, and nothing here runs what a student wrote.
"""
