"""Arrow columns of Python values, and back: a whole column at a time, never value by value.

Belongs here: the two ways between a column and a list. Stays out: which columns there are (``records``).
A list of named tuples goes field by field: Arrow takes a struct apart at four times the cost of its fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from typing import Any

import pyarrow as pa


def column_of(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """``values`` as a column; those of a list of structs are tuples of tuples."""
    if not (pa.types.is_list(kind) and pa.types.is_struct(kind.value_type)):
        return pa.array(values, type=kind)
    fields = list(kind.value_type)
    columns = list(zip(*chain.from_iterable(values), strict=True)) or [()] * len(fields)
    parts = [pa.array(part, type=field.type) for part, field in zip(columns, fields, strict=True)]
    offsets = pa.array([0, *accumulate(map(len, values))], type=pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(parts, fields=fields), type=kind)


def values_of(column: pa.ChunkedArray, nested: Any) -> list[Any]:
    """The values of a column; lists are tuples, structs in them named tuples of the class ``nested``."""
    values: list[Any] = []
    for part in column.chunks:
        values += _tuples(part, nested) if pa.types.is_list(part.type) else _plain(part)
    return values


def _plain(array: pa.Array) -> list[Any]:
    # By way of numpy it costs a quarter; but numbers with gaps would become floats.
    if array.null_count and not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
        return array.to_pylist()  # type: ignore[no-any-return]
    return array.to_numpy(zero_copy_only=False).tolist()  # type: ignore[no-any-return]


def _tuples(lists: pa.ListArray, nested: Any) -> list[tuple[Any, ...]]:
    ends = lists.offsets.to_pylist()
    items = lists.values.slice(ends[0], ends[-1] - ends[0])
    if nested is None:
        values = _plain(items)
    else:
        parts = dict(zip((field.name for field in items.type), items.flatten(), strict=True))
        values = list(map(nested._make, zip(*(_plain(parts[name]) for name in nested._fields), strict=True)))
    return [tuple(values[start - ends[0] : end - ends[0]]) for start, end in pairwise(ends)]
