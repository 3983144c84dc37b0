"""One partition a notebook: registering the keys of those that are there, dropping the others."""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg

NOTEBOOKS = "notebooks"

notebooks = dg.DynamicPartitionsDefinition(name=NOTEBOOKS)

RANGE_START = "dagster/asset_partition_range_start"
RANGE_END = "dagster/asset_partition_range_end"


def register(instance: dg.DagsterInstance, keys: Sequence[str]) -> None:
    """Makes the instance know exactly these keys; old ones keep their place in the order."""
    known = instance.get_dynamic_partitions(NOTEBOOKS)
    for key in set(known) - set(keys):
        instance.delete_dynamic_partition(NOTEBOOKS, key)
    instance.add_dynamic_partitions(NOTEBOOKS, [key for key in sorted(keys) if key not in known])


def range_tags(ordered: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
    """The run tags for one run over all of ``wanted``; what lies between is unchanged and costs nothing.

    Dagster names the partitions of such a run by its first and last key, in the order of registration.
    """
    places = sorted(ordered.index(key) for key in wanted)
    return {RANGE_START: ordered[places[0]], RANGE_END: ordered[places[-1]]}
