"""Bytes to grids: a workbook or a delimited text opened safely, its sheets as their reader sees them.

Belongs here: signatures, archives, XML, old formats, merges, and what a grid is.
Stays out: how one value is shown (shown), where a grid has its tables (tables).
"""
