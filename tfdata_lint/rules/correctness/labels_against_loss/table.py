"""Losses of Keras and the labels that they refuse. `python tests/project/losses.py` makes this file."""

from __future__ import annotations

REFUSED: dict[str, tuple[str, ...]] = {
    "CategoricalCrossentropy": ("indices", "column"),
    "CategoricalFocalCrossentropy": ("indices",),
    "CategoricalGeneralizedCrossEntropy": ("one_hot",),
    "SparseCategoricalCrossentropy": ("one_hot",),
    "categorical_crossentropy": ("indices", "column"),
    "categorical_focal_crossentropy": ("indices",),
    "categorical_generalized_cross_entropy": ("one_hot",),
    "sparse_categorical_crossentropy": ("one_hot",),
}
"""By the name of the function or class: forms of labels with which no model learns anything, whatever its outputs."""
