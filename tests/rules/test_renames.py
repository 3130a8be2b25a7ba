"""The table of renames against the TensorFlow that is installed: what it says of old names and of new ones is so."""

from __future__ import annotations

import inspect
import re
from functools import reduce
from typing import Any

import pytest

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.renames import ARGUMENTS, CONTRIB, EXPERIMENTAL, OPTIONS, ROWS, Renamed

ALIASES = {name: row for name, row in ROWS.items() if row.kind in ("constant", "class")}


def is_there(root: Any, path: str) -> bool:
    try:
        reduce(getattr, path.split("."), root)
    except AttributeError:
        return False
    return True


def missing(tf: Any, row: Renamed) -> list[str]:
    """What a new name is made of, and TensorFlow does not have."""
    if row.kind == "attribute":
        return [row.new] * (row.new != "" and not is_there(tf.data.Options(), row.new))
    if row.kind == "argument":
        return [row.new] * (row.new not in inspect.signature(tf.function).parameters)
    functions = re.findall(r"\btf\.([\w.]*\w)", row.new)
    homes = {"iterator": type(iter(tf.data.Dataset.range(1))), "dataset": tf.data.Dataset}
    methods = re.findall(r"(?:^|\b(iterator|dataset)\.|\)\.)([a-z_]+)\(", row.new)
    return [name for name in functions if not is_there(tf, name)] + [
        name for home, name in methods if not hasattr(homes[home or "dataset"], name)
    ]


def test_every_new_name_is_there(tf: Any) -> None:
    installed = Target.parse(".".join(tf.__version__.split(".")[:2]), "test")
    rows = {name: row for name, row in ROWS.items() if not installed.below(*row.since)}
    assert {name: absent for name, row in rows.items() if (absent := missing(tf, row))} == {}


def test_names_in_words_are_few() -> None:
    """All others are looked up."""
    in_words = {row.new for row in ROWS.values() if not re.search(r"tf\.|^\w[\w.]*$|[a-z_]+\(", row.new)}
    assert in_words == {"", "a reader of `tensorflow_io`"}


def test_old_names_are_deprecated_or_gone(tf: Any) -> None:
    old = {name: getattr(tf.data.experimental, name, None) for name in EXPERIMENTAL}
    assert [name for name, row in EXPERIMENTAL.items() if (old[name] is None) != row.is_gone] == []
    assert [name for name, found in old.items() if found and "deprecated" not in (found.__doc__ or "").lower()] == []
    assert not any(is_there(tf, f"contrib.data.{name}") for name in CONTRIB)
    for name, row in ALIASES.items():
        assert reduce(getattr, name.split(".")[1:], tf) == reduce(getattr, row.new.split(".")[1:], tf)


def test_old_options_are_aliases_or_gone(tf: Any) -> None:
    assert [name for name, row in OPTIONS.items() if is_there(tf.data.Options(), name) == row.is_gone] == []


@pytest.mark.parametrize("name", ARGUMENTS)
def test_old_arguments_are_taken_still(tf: Any, name: str) -> None:
    assert name in inspect.signature(tf.function).parameters
