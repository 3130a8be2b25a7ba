"""Triggers are honest: a rule that nothing calls for finds nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from pipeline.growing_programs import GROWING
from pipeline.shaped_programs import program
from rows import each

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.eras import target_of
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.rules import entries, entry_of
from tfdata_lint.rules.base import Entry
from tfdata_lint.rules.signs import signs_of
from tfdata_lint.source.module import load
from tfdata_lint.testing.blocks import blocks

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("rules/*.md"))
CASES = sorted(path for path in ROOT.glob("tests/*/**/*.md") if path.parent.name != "snapshots")
#: An old one, where rules of upgrades speak or are silent, and one that is declared.
TARGETS = (Target.parse("1.15", "test"), Target.parse("2.21", "test"))


def found_unasked(graph: PipelineGraph, known: Iterable[Entry] = entries()) -> Iterator[str]:
    """What rules find, or would not have said elsewhere, though nothing in a graph calls for them."""
    signs, text = signs_of(graph), graph.source.text
    targets = (target_of(graph.source, Target()), *TARGETS)
    for entry in known:
        if not entry.is_called_for(signs, text):
            for target in targets:
                yield from (f"{f.code} in row {f.span.row}: {f.message}" for f in entry.rule.check(graph, target))
        for stage in graph.stages:
            if not entry.may_deny(stage) and entry.rule.denies(graph, stage):
                yield f"{entry.code} denies {stage}"


def problems_of(file: Path) -> Iterator[str]:
    for block in blocks(file):
        source = load(block.text.encode(), "pipeline.py")
        if source.tree is not None:
            yield from (f"{block}: {found}" for found in found_unasked(recover(source)))


@pytest.mark.parametrize("files", [PAGES, CASES], ids=["pages", "cases"])
def test_what_nothing_calls_for_finds_nothing(files: list[Path]) -> None:
    assert len(files) > 20
    assert [problem for file in files for problem in problems_of(file)] == []


def test_triggers_that_are_too_narrow_are_seen() -> None:
    graph = recover(load(b"import tensorflow as tf\nds = tf.data.Dataset.range(9)\nds.batch(3)\n", "a.py"))
    entry = entry_of("TFD401")
    assert entry is not None
    narrow = Entry(entry.code, entry.name, entry.group, entry.status, entry.home, entry.denies, ("window",))
    assert list(found_unasked(graph, [entry])) == []
    assert [found.partition(":")[0] for found in found_unasked(graph, [narrow])] == ["TFD401 in row 3"] * 3


@each("name", GROWING)
def test_nor_in_programs_that_grow(name: str) -> None:
    assert list(found_unasked(recover(load(GROWING[name](8).encode(), "a.py")))) == []


@each("seed", range(40))
def test_nor_in_programs_of_all_shapes(seed: int) -> None:
    assert list(found_unasked(recover(load(program(seed).encode(), "a.py")))) == []
