"""A pipeline on one line, and the words for its conditions. The manual of the analyser has many more of these."""

from __future__ import annotations

import json
import textwrap

import pytest

from tfdata_lint.pipeline.nouns.conditions import Condition, Facts
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path
from tfdata_lint.pipeline.nouns.stages import JoinBranch, Stage
from tfdata_lint.pipeline.nouns.text import branch_text, conditions_text, flags, one_line
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load


def recovered(source: str) -> PipelineGraph:
    return recover(load(("import tensorflow as tf\n" + textwrap.dedent(source)).encode(), "module.py"))


def line(source: str) -> str:
    """The dataset that is fitted last."""
    return one_line(recovered(source).consumers[-1].dataset)


RANGE = "ds = tf.data.Dataset.range(3)\n"


def test_a_chain() -> None:
    assert line(f"{RANGE}model.fit(ds.map(f).batch(2))") == "range |> map |> batch"


def test_a_condition() -> None:
    assert line(f"{RANGE}if a: ds = ds.cache()\nmodel.fit(ds.batch(2))") == "range |> (cache if a) |> batch"
    assert line(f"{RANGE}if not a: ds = ds.cache()\nmodel.fit(ds)") == "range |> (cache if not a)"


def test_two_arms() -> None:
    source = f"{RANGE}ds = ds.cache() if a else ds.skip(1).take(1)\nmodel.fit(ds)"
    assert line(source) == "range |> (cache if a else skip |> take)"


def test_many_arms() -> None:
    source = f"{RANGE}if m == 1: ds = ds.skip(1)\nelif m == 2: ds = ds.take(1)\nelse: ds = ds.cache()\nmodel.fit(ds)"
    assert line(source) == "range |> (skip if m == 1 | take if m == 2 | cache)"


def test_arms_without_a_name() -> None:
    source = f"{RANGE}many = [ds.skip(1), ds.take(1)]\nmodel.fit(many[n])"
    assert line(source) == "one of (range |> skip | range |> take)"


def test_a_loop() -> None:
    assert (
        line(f"{RANGE}for x in y: ds = ds.map(x).skip(1)\nmodel.fit(ds.batch(2))") == "range |> (map |> skip)* |> batch"
    )


def test_several_inputs() -> None:
    source = f"{RANGE}a = ds.skip(1)\nmodel.fit(tf.data.Dataset.zip((a, ds.take(1))).batch(2))"
    assert line(source) == "zip(range |> skip, range |> take) |> batch"


def test_a_nested_pipeline() -> None:
    source = f"{RANGE}model.fit(ds.interleave(lambda x: tf.data.TFRecordDataset(x).map(f), num_parallel_calls=4))"
    assert line(source) == "range |> interleave{TFRecordDataset |> map}[parallel]"


def test_outcomes_that_are_known_are_not_shown() -> None:
    graph = recovered(f"{RANGE}if a: ds = ds.cache()\nmodel.fit(ds)")
    dataset = graph.consumers[0].dataset
    held = Condition("a", True, "?")
    for branch in getattr(dataset, "branches", ()):
        held = branch.conditions[0]
    assert one_line(dataset, facts=Facts([held])) in ("range |> cache", "range")
    assert one_line(dataset, facts=Facts([held])) != one_line(dataset, facts=Facts([held.negated]))


def test_another_label() -> None:
    graph = recovered(f"{RANGE}model.fit(ds.batch(2))")
    assert one_line(graph.consumers[0].dataset, lambda stage: f"{stage.op}@{stage.span.row}") == "range@2 |> batch@3"


def mapped(function: str) -> list[str]:
    graph = recovered(f"{RANGE}table = tf.lookup.StaticHashTable(i, 0)\nv = tf.Variable(0)\nds = ds.map({function})")
    stage: Stage = graph.stages[-1]
    return flags(stage)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("lambda x: x + 1", []),
        ("lambda x: x + 1, num_parallel_calls=4", ["parallel"]),
        ("lambda x: x + 1, num_parallel_calls=1", []),
        ("lambda x: tf.image.random_flip_left_right(x)", ["random"]),
        ("lambda x: table.lookup(x)", ["stateful"]),
        ("lambda x: tf.py_function(print, [x], tf.int64)", ["python"]),
        ("lambda x: tf.print(tf.random.uniform([])), num_parallel_calls=-1", ["parallel", "random", "stateful"]),
    ],
)
def test_flags(arguments: str, expected: list[str]) -> None:
    assert mapped(arguments) == expected


def condition(text: str, holds: bool = True) -> Condition:
    return Condition(text, holds, text)


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("a", "not a"),
        ("len(a) > 3", "not (len(a) > 3)"),
        ("a is None", "a is not None"),
        ("a is not None", "a is None"),
        ("a == 3", "a != 3"),
        ("a in b", "a not in b"),
        ("a not in b", "a in b"),
        ("a == 3 and b", "not (a == 3 and b)"),
        ("a == (b == c)", "not (a == (b == c))"),
    ],
)
def test_a_negated_condition(text: str, negated: str) -> None:
    assert str(condition(text)) == text
    assert str(condition(text).negated) == negated


@pytest.mark.parametrize(
    ("text", "held", "failed"),
    [
        ("a", "`a` is true", "`a` is false"),
        ("len(a) > 3", "`len(a) > 3`", "`len(a) > 3` is false"),
        ("a == 3", "`a == 3`", "`a != 3`"),
        ("not in_test(a)", "`not in_test(a)` is true", "`not in_test(a)` is false"),
        ("a matches 'b'", "`a matches 'b'`", "`a matches 'b'` is false"),
        ("the loop at line 3 runs", "the loop at line 3 runs", "the loop at line 3 does not run"),
        ("the try at line 3 succeeds", "the try at line 3 succeeds", "the try at line 3 fails"),
    ],
)
def test_clauses(text: str, held: str, failed: str) -> None:
    assert condition(text).clause == held
    assert condition(text).negated.clause == failed


def test_clauses_of_a_path() -> None:
    assert Path((), (condition("a"), condition("b"))).when == "if `a` and `b` are true"
    assert Path((), (condition("a"), condition("b", False))).when == "if `a` is true and `b` is false"
    assert Path((), ()).when == ""


def test_conditions() -> None:
    assert conditions_text((condition("a"), condition("b"))) == "a and b"
    assert conditions_text((condition("a", False), condition("b", False))) == "not a and not b"
    # What an elif rules out goes without saying.
    assert conditions_text((condition("a", False), condition("b"))) == "b"
    assert conditions_text(()) == ""


def test_an_arm_without_conditions() -> None:
    graph = recovered(RANGE)
    assert branch_text(JoinBranch((), graph.stages[0])) == "otherwise"


def test_rows_of_a_notebook_are_those_of_its_cells() -> None:
    tried = "x = 1\ntry:\n  ds = ds.ragged_batch(2)\nexcept AttributeError:\n  pass\nmodel.fit(ds)"
    cells = [f"import tensorflow as tf\n{RANGE}", tried]
    text = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "metadata": {}, "source": c} for c in cells]})
    (consumer,) = recover(load(text.encode(), "a.ipynb")).consumers
    assert one_line(consumer.dataset) == "range |> (ragged_batch if the try at line 2 of cell 2 succeeds)"
