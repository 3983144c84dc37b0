"""Dagster around the pipeline: which assets there are, when they run, what holds them back.

Belongs here, and nowhere else: everything that knows Dagster. Stays out: the work (``stages``).
"""
