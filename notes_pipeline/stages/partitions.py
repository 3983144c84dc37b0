"""A notebook's partition key, and where a partition's products stand.

Belongs here: names of partitions and of their files. Stays out: what is in them.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from notes_pipeline.sources.walk import Found

_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH = 40
_HASH_DIGITS = 6


def partition_key(notebook: str) -> str:
    """A slug anyone can type and any file system holds, with a short hash of the true name.

    >>> partition_key("Réunions 2024"), partition_key("."), partition_key("会議")
    ('reunions-2024-91a967', 'root-cdb4ee', 'notebook-6f7de8')
    """
    plain = unicodedata.normalize("NFKD", notebook).encode("ascii", "ignore").decode().lower()
    slug = _NOT_SLUG.sub("-", plain)[:_SLUG_LENGTH].strip("-")
    digest = hashlib.sha256(notebook.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]
    return f"{slug or ('root' if notebook == '.' else 'notebook')}-{digest}"


def by_partition(found: Iterable[Found]) -> dict[str, list[Found]]:
    """Files by the key of their notebook, keys sorted, files in the order given."""
    groups: dict[str, list[Found]] = {}
    for file in found:
        groups.setdefault(file.notebook, []).append(file)
    return dict(sorted((partition_key(notebook), files) for notebook, files in groups.items()))


def product_path(data: Path, asset: str, key: str, side: str = "") -> Path:
    """The table an asset makes for one partition; ``side`` names one that stands beside it."""
    return data / asset / (f"{key}.{side}.parquet" if side else f"{key}.parquet")


def keys_on_disk(data: Path, asset: str) -> list[str]:
    """Sorted keys of the partitions that have this asset's main table."""
    names = (path.name.removesuffix(".parquet") for path in (data / asset).glob("[!.]*.parquet"))
    return sorted(name for name in names if "." not in name)


def remove_products(data: Path, assets: Iterable[str], key: str) -> None:
    """Takes away all that a partition left, the notebook being gone."""
    for asset in assets:
        for path in (data / asset).glob(f"{key}.*"):
            path.unlink(missing_ok=True)
