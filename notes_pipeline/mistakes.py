"""What is wrong with a ``notes.toml``, as one line a person can act on.

Belongs here: the words for an error of validation. Stays out: what may be said at all (``settings``).
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

_WANTED = {
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "string_type": 'a text in quotes, such as "rules"',
    "tuple_type": 'a list, such as ["Archive/", "*.tmp.md"]',
}
"""What to write, by the kind of pydantic's error, where its own words are a programmer's."""


def first_mistake(
    error: ValidationError, model: type[BaseModel], table: str = "", extra: Iterable[str] = ()
) -> str:
    """``key: what is wrong``, the key as it stands in the file.

    ``table`` is where in the file the data of ``model`` stand; ``extra`` are keys that are good there
    beside the model's own.
    """
    first = error.errors()[0]
    parts = [str(part) for part in first["loc"]]
    place = ".".join([*([table] if table else []), *parts]) or "the file"
    return f"{place}: {_what(first, model, parts, place, extra)}"


def _what(error: Any, model: type[BaseModel], parts: list[str], place: str, extra: Iterable[str]) -> str:
    if error["type"] == "extra_forbidden":
        owner = _model_at(model, parts[:-1])
        known = [*_keys(owner), *(extra if len(parts) == 1 else ())]
        return unknown_key(parts[-1], known)
    if error["type"] == "model_type":
        keys = ", ".join(_keys(_model_at(model, parts)))
        return f"is a table with the keys {keys}; write a line [{place}] and these under it"
    wanted = _WANTED.get(error["type"])
    return f"wants {wanted}, not {error['input']!r}" if wanted else error["msg"].removeprefix("Value error, ")


def unknown_key(key: str, known: list[str]) -> str:
    """That a key is not known, and the one that was meant or all there are."""
    like = get_close_matches(key, known, n=1)
    return (
        f"unknown key; did you mean {like[0]!r}?" if like else f"unknown key; known are: {', '.join(known)}"
    )


def _model_at(model: type[BaseModel], parts: Iterable[str]) -> type[BaseModel]:
    for part in parts:
        inner = model.model_fields[part].annotation if part in model.model_fields else None
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            model = inner
    return model


def _keys(model: type[BaseModel]) -> list[str]:
    return list(model.model_fields)
