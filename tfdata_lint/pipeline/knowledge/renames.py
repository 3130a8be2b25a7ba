"""Options and arguments that are called otherwise today, or gone; observed on TensorFlow 2.4 to 2.9 and 2.21.

Names that TensorFlow 2 has removed are in `rules/upgrades/removed_symbol/table.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Renamed(NamedTuple):
    """What an old name is today."""

    name: str
    """Empty where there is nothing like it."""
    since: tuple[int, int]
    """The first TensorFlow that has the new name; of what is gone, the first without the old one."""
    is_gone: bool = False


_GROUP = "experimental_optimization"

OPTIONS: Mapping[str, Renamed] = MappingProxyType(
    {
        "experimental_deterministic": Renamed("deterministic", (2, 7)),
        "experimental_threading": Renamed("threading", (2, 6)),
        "experimental_autotune": Renamed("autotune.enabled", (2, 7), True),
        "experimental_numa_aware": Renamed("", (2, 4), True),
        "experimental_stats": Renamed("", (2, 6), True),
        f"{_GROUP}.autotune": Renamed("autotune.enabled", (2, 7), True),
        f"{_GROUP}.autotune_buffers": Renamed("", (2, 7), True),
        f"{_GROUP}.autotune_cpu_budget": Renamed("autotune.cpu_budget", (2, 7), True),
        f"{_GROUP}.autotune_ram_budget": Renamed("autotune.ram_budget", (2, 7), True),
        f"{_GROUP}.filter_with_random_uniform_fusion": Renamed("", (2, 6), True),
        f"{_GROUP}.hoist_random_uniform": Renamed("", (2, 6), True),
        f"{_GROUP}.map_vectorization": Renamed("", (2, 6), True),
        f"{_GROUP}.reorder_data_discarding_ops": Renamed("", (2, 6), True),
    }
)
"""Attributes of `tf.data.Options`."""

ARGUMENTS: Mapping[str, Renamed] = MappingProxyType(
    {
        "experimental_compile": Renamed("jit_compile", (2, 5)),
        "experimental_relax_shapes": Renamed("reduce_retracing", (2, 9)),
    }
)
"""Arguments of `tf.function`."""

THREADING_OPTIONS = "tensorflow.data.experimental.ThreadingOptions"
