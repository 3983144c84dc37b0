"""Arrow schemas read off the annotations of records, so that a record and its table cannot disagree.

Belongs here: how an annotation becomes a column. Stays out: which records there are (``records``).

``str`` and ``bool`` are themselves; ``Annotated[int, pa.int32()]`` names its column's type; a tuple is
a list; a named tuple is a struct; ``X | None`` may be null.
"""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pyarrow as pa

_PLAIN: dict[Any, pa.DataType] = {str: pa.string(), bool: pa.bool_()}


def schema_of(record: type) -> pa.Schema:
    """The schema of the table that holds records of this kind."""
    return pa.schema(_fields(record))


def nested_in(hint: Any) -> Any:
    """The named tuple that a column's list holds, if it holds one."""
    item = get_args(hint)[0] if get_origin(hint) is tuple else None
    return item if isinstance(item, type) and hasattr(item, "_fields") else None


def _fields(record: Any) -> list[pa.Field]:
    return [_field(name, hint) for name, hint in get_type_hints(record, include_extras=True).items()]


def _field(name: str, hint: Any) -> pa.Field:
    optional = isinstance(hint, UnionType) or NoneType in get_args(hint)
    kind = next(part for part in get_args(hint) if part is not NoneType) if optional else hint
    return pa.field(name, _type(kind), nullable=optional)


def _type(hint: Any) -> pa.DataType:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if get_origin(hint) is Annotated:
        return get_args(hint)[1]
    if get_origin(hint) is tuple:
        return pa.list_(_type(get_args(hint)[0]))
    return pa.struct(_fields(hint))
