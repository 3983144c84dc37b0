"""What a cell shows: a value and its number format, as text.

Belongs here: the grammar of number formats, numbers, dates, times. Stays out: where values come from
(workbook) and what is cleaned out of them afterwards (cleaning).
"""
