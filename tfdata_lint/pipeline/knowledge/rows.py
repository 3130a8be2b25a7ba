"""What a row of knowledge is: all that may be said of a function, and how it is written for several at once."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tfdata_lint.pipeline.knowledge.kinds import Doing, Made, OnBatches, Role, Work


class Known(NamedTuple):
    """What is known of a function."""

    effect: Doing = "unknown"
    seed: int = -1
    """Position of `seed`; -1 where it is given by name only, or there is none."""
    cost: Work = "light"
    batches: OnBatches = ""
    why_not: str = ""
    """Why it is not the same on batches, apart from what `batches` says."""
    made: Made = ""
    calls: tuple[int | str, ...] = ()
    """Where it takes the functions that it calls with elements."""
    role: Role = ""
    gone: str = ""
    """Why the TensorFlow of today lacks it."""
    fails: str = ""
    """What it raises when it is given a tensor while a function is traced (measured on 2.21)."""
    gives: str = ""
    """The rule by which dtype and shape of its result follow from its arguments (`operators.py`, `tensors.py`,
    `contents.py`); in rows with the parameters that it looks at: `resized images size method`. `test_structure.py`
    compares it all."""
    parameters: tuple[str, ...] = ()
    """Those, in their order."""
    dtype: str = ""
    """Of its result, where that is always the same."""
    needs_rank: str = ""
    """The argument of which it must know the rank, or raises a ValueError."""
    draws: str = ""
    """Of Python and NumPy: the operation of `tf.random` that draws for every element what this draws once."""
    proven: bool = False
    """It computes from its arguments alone: called again, in parallel, in another order it gives the same."""

    @property
    def is_pure(self) -> bool:
        """Is it known to be? What is said to be pure only shows no state that is known of."""
        return self.proven and self.effect == "pure"


Rows: TypeAlias = "list[tuple[str, Mapping[str, Any]]]"


def row(names: str, *, under: str = "", **said: Any) -> Rows:
    """A row for each name, with fields of `Known`. `*` stands for anything."""
    shared = MappingProxyType(said)
    return [(under + name, shared) for name in names.split()]


def tf(names: str, **said: Any) -> Rows:
    return row(names, under="tensorflow.", **said)


def keras(names: str, **said: Any) -> Rows:
    return row(names, under="tensorflow.keras.", **said)


def layers(names: str, **said: Any) -> Rows:
    """Calls of Keras layers, by class."""
    return row("() ".join(names.split()) + "()", under="tensorflow.keras.layers.", **said)


V1 = "only under tf.compat.v1 since TensorFlow 2.0"
CONTRIB = "went with tf.contrib, which TensorFlow 2 does not have"
SHAPE = "sees the batch dimension"
RAGGED = "gives lists of other lengths"
