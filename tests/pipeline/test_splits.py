"""The slicing language of tensorflow_datasets."""

from __future__ import annotations

import pytest

from tfdata_lint.rules.correctness.overlapping_splits.slices import parse


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ("train", "train[:1%]", True),
        ("train[:80%]", "train[80%:]", False),
        ("train[:80%]", "train[79%:]", True),
        ("train[-20%:]", "train[:80%]", False),
        ("train[:100]", "train[99:]", True),
        ("train[:100]", "train[100:200]", False),
        ("train", "test", False),
        ("train+test", "test[:10]", True),
        ("train[:10%]+train[90%:]", "train[10%:90%]", False),
        # How many examples a percent is, and where the last ones begin, is not known.
        ("train[:100]", "train[1%:]", False),
        ("train[-100:]", "train[:100]", False),
        ("all", "train", False),
        ("train[{}:]", "train", False),
    ],
)
def test_overlaps(one: str, other: str, overlap: bool) -> None:
    for first, second in ((one, other), (other, one)):
        assert any(a.overlaps(b) for a in parse(first) for b in parse(second)) == overlap


@pytest.mark.parametrize(
    ("whole", "part", "holds"),
    [
        ("train", "train[5%:]", True),
        ("train[:50%]", "train[10%:20%]", True),
        ("train[:50%]", "train[10%:60%]", False),
        ("train[:100%]", "train", True),
        ("test", "train[:1%]", False),
    ],
)
def test_holds(whole: str, part: str, holds: bool) -> None:
    assert parse(whole)[0].holds(parse(part)[0]) == holds
