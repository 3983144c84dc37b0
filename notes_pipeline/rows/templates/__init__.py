"""Row templates: what a user may say about tables, read, checked, compiled and matched.

Belongs here: the YAML format, its registry, matching, and the three helpers of ``notes-pipeline templates``.
Stays out: finding tables (tables), wording a row (sentence).
"""
