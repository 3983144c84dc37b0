"""Grids to tables: regions, their headers found with reasons, and the kind of every line.

Belongs here: all that is decided by looking at a sheet. Stays out: how a grid is read (workbook), which
template speaks for a table (templates), what a row says (sentence).
"""
