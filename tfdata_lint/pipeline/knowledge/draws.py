"""Draws of `random` and `numpy.random` that TensorFlow has too, and what takes a tensor for a number."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

COUNTERPARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rand": ("uniform",),
        "random": ("uniform", "shape"),
        "random_sample": ("uniform", "shape"),
        "uniform": ("uniform", "minval", "maxval", "shape"),
        "randint": ("uniform", "minval", "maxval"),
        "randrange": ("uniform", "minval", "maxval"),
        "randn": ("normal",),
        "standard_normal": ("normal", "shape"),
        "normal": ("normal", "mean", "stddev", "shape"),
        "gauss": ("normal", "mean", "stddev"),
        "normalvariate": ("normal", "mean", "stddev"),
    }
)
"""By the name in Python, the operation of `tf.random` and what its parameters are called there, in Python's order."""

KEYWORDS: Mapping[str, str] = MappingProxyType(
    {
        "low": "minval", "a": "minval", "start": "minval", "high": "maxval", "b": "maxval", "stop": "maxval",
        "loc": "mean", "mu": "mean", "scale": "stddev", "sigma": "stddev", "size": "shape",
    }
)  # fmt: skip
"""The parameters of the operation by their names in Python."""

KEEPING = frozenset(
    {
        "clip_by_value", "identity", "reverse",
        "image.adjust_brightness", "image.adjust_contrast", "image.adjust_gamma", "image.adjust_hue",
        "image.adjust_saturation", "image.flip_left_right", "image.flip_up_down", "image.random_brightness",
        "image.random_contrast", "image.random_flip_left_right", "image.random_flip_up_down", "image.random_hue",
        "image.random_saturation",
    }
)  # fmt: skip
"""Operations that keep the type and shape of their first argument."""


class Taking(NamedTuple):
    """An operation that takes a tensor for a number (measured)."""

    kind: str
    """`float` or `int`; empty when it does not matter."""
    places: tuple[str, ...]
    """The positions and keywords where it does."""


TAKING: Mapping[str, Taking] = MappingProxyType(
    {
        "image.adjust_brightness": Taking("float", ("1", "delta")),
        "image.adjust_contrast": Taking("float", ("1", "contrast_factor")),
        "image.adjust_hue": Taking("float", ("1", "delta")),
        "image.adjust_saturation": Taking("float", ("1", "saturation_factor")),
        "image.adjust_gamma": Taking("float", ("1", "gamma", "2", "gain")),
        "image.adjust_jpeg_quality": Taking("int", ("1", "jpeg_quality")),
        "image.rot90": Taking("int", ("1", "k")),
        "roll": Taking("int", ("1", "shift")),
        "gather": Taking("int", ("1", "indices")),
        "one_hot": Taking("int", ("0", "indices")),
        "cast": Taking("", ("0", "x")),
    }
)
