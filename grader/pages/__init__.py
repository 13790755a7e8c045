"""Shows what `grader.results` computed: a page for each student, and for the teacher a page of the class.

A page is one file that needs nothing else: no address outside, no script but the class page's own, and a content
security policy that forbids the rest. Nothing here is imported unless pages are asked for.
"""
