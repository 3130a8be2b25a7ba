"""What is said of elements is never what TensorFlow denies, and much of it is said.

`TFDATA_LINT_EXAMPLES` says how many pipelines are compared, `TFDATA_LINT_SEED` which. The lines that `pytest -rP` shows
say how much is known.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from pipeline.shaped_programs import PIPELINES, program
from pipeline.structures import compare_structures
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.pipeline.nouns.structure import (
    NOTHING,
    UNKNOWN,
    VARIES,
    Dict_,
    Nested,
    Structure,
    Tensor,
    Tuple_,
    batched,
    dict_of,
    joined,
    leaves,
    padded,
    ragged_batched,
    refined,
    scalar,
    unbatched,
    windows_of,
)
from tfdata_lint.testing.blocks import blocks

PAGES = Path(__file__).parents[2] / "rules"
EXAMPLES = int(os.environ.get("TFDATA_LINT_EXAMPLES", "100"))
SEED = int(os.environ.get("TFDATA_LINT_SEED", "0"))
PARTS = 4

IMAGE = Tensor("uint8", (VARIES, VARIES, 3))
LABEL = scalar("int64")
EXAMPLE = dict_of([("image", IMAGE), ("label", LABEL)])


@pytest.mark.parametrize("part", range(PARTS))
def test_structure_is_what_tensorflow_says(part: int, run_on_tensorflow: RunOnTensorFlow) -> None:
    counts: Counter[str] = Counter()
    compared = 0
    for number in range(max(1, EXAMPLES // PIPELINES // PARTS)):
        text = program(10_000 * SEED + PARTS * number + part)
        seen = compare_structures(text, run_on_tensorflow)
        assert not seen.error, f"{seen.error}\n{text}"
        assert not seen.contradictions, "\n".join([*seen.contradictions, text])
        counts += seen.leaves
        compared += seen.compared
    print(f"{compared} stages, {counts['all']} leaves, of which {counts['known'] / counts['all']:.0%} are known whole")
    # Of one program it says little.
    assert counts["known"] > counts["all"] * (0.75 if EXAMPLES >= 100 else 0.4)


def test_structure_on_the_pages(run_on_tensorflow: RunOnTensorFlow) -> None:
    """The blocks of the pages of rules that run, of which each run takes others."""
    pages = (block for page in sorted(PAGES.glob("*.md")) for block in blocks(page))
    # What raises may have shapes that only TensorFlow infers.
    left_out = ("no-run", "invalid", "raises")
    running = [block for block in pages if not any(block.option(name) is not None for name in left_out)]
    for block in running[SEED :: max(1, len(running) // EXAMPLES * 4)]:
        assert not compare_structures(block.text, run_on_tensorflow).contradictions, block


@pytest.mark.parametrize(
    ("structure", "text"),
    [
        (EXAMPLE, "(image: uint8[*,*,3], label: int64[])"),
        (Tuple_((Tensor("float32"), UNKNOWN)), "(float32[...], ?)"),
        (Tuple_((LABEL,)), "(int64[],)"),
        (Tensor("", (None, 2), "sparse"), "sparse ?[?,2]"),
        (Tuple_((NOTHING, Nested(LABEL))), "(None, dataset of int64[])"),
        (Dict_(()), "{}"),
    ],
)
def test_how_it_is_written(structure: Structure, text: str) -> None:
    assert str(structure) == text


@pytest.mark.parametrize(
    ("structure", "text"),
    [
        (batched(EXAMPLE, 32), "(image: uint8[?,*,*,3], label: int64[?])"),
        (batched(EXAMPLE, 32, True), "(image: uint8[32,*,*,3], label: int64[32])"),
        (batched(Tensor("int64"), 32, True), "int64[...]"),
        (batched(UNKNOWN, 2), "?"),
        (unbatched(batched(EXAMPLE, 2)), "(image: uint8[*,*,3], label: int64[])"),
        (unbatched(LABEL), "?"),
        (padded(EXAMPLE, 4), "(image: uint8[?,?,?,3], label: int64[?])"),
        (padded(IMAGE, 4, True, Tensor("", (9, None, 3))), "uint8[4,9,?,3]"),
        (ragged_batched(EXAMPLE, 4), "(image: ragged uint8[?,*,*,3], label: int64[?])"),
        (ragged_batched(Tensor("int64", (None,)), 4), "?"),
        (windows_of(EXAMPLE), "(image: dataset of uint8[*,*,3], label: dataset of int64[])"),
        (joined(IMAGE, Tensor("uint8", (5, VARIES, 3))), "uint8[?,*,3]"),
        (joined(IMAGE, Tensor("int8", (5,))), "?[...]"),
        (joined(IMAGE, EXAMPLE), "?"),
        (joined(Tuple_((IMAGE, LABEL)), Tuple_((IMAGE, NOTHING))), "(uint8[*,*,3], ?)"),
    ],
)
def test_what_operations_make_of_it(structure: Structure, text: str) -> None:
    assert str(structure) == text


def test_parts() -> None:
    assert list(leaves(Tuple_((EXAMPLE, LABEL)))) == [IMAGE, LABEL, LABEL]
    assert refined((VARIES, None, 3), (4, 5, 3)) == (4, 5, 3)
    assert UNKNOWN != NOTHING != Tuple_(())
    assert EXAMPLE.get("label") == LABEL
    assert EXAMPLE.get("other") is None
