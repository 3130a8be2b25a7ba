"""What is training and what is evaluation: certain where the program does it, likely where names say so."""

from __future__ import annotations

import textwrap

import pytest

from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.purposes import Purpose, purpose_of
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.rules.ordering.cache_after_random import purpose
from tfdata_lint.source.module import load

HEAD = """
import tensorflow as tf
from tensorflow.data import Dataset
from somewhere import model, optimizer

ds = Dataset.range(64)
"""


def of_last(code: str) -> Purpose | None:
    """What the last batch of a program is for."""
    graph = recover(load((HEAD + textwrap.dedent(code)).encode(), "module.py"))
    *_, stage = (stage for stage in graph.stages if stage.op == "batch")
    (path,) = paths(stage)
    return purpose(graph, stage, path)


@pytest.mark.parametrize(
    ("code", "kind", "why"),
    [
        ("model.fit(ds.batch(8))", "training", "`fit`"),
        ("model.fit(ds, validation_data=ds.batch(8))", "evaluation", "`validation_data`"),
        ("model.evaluate(ds.batch(8))", "evaluation", "`evaluate`"),
        ("model.predict(ds.batch(8))", "evaluation", "`predict`"),
        ("estimator.train(input_fn=lambda: ds.batch(8))", "training", "`train`"),
        ("spec = tf.estimator.EvalSpec(lambda: ds.batch(8))", "evaluation", "`EvalSpec`"),
        ("for x in ds.batch(8):\n    model(x, training=False)", "evaluation", "loop"),
        (
            "for x in ds.batch(8):\n    with tf.GradientTape() as t: y = model(x)\n    t.gradient(y, v)",
            "training",
            "loop",
        ),
        ("def step(x):\n    model.test_on_batch(x)\n\nfor x in ds.batch(8):\n    step(x)", "evaluation", "loop"),
        ("def step(x):\n    optimizer.minimize(x)\n\nfor x in ds.batch(8):\n    step(x)", "training", "loop"),
        (
            "from somewhere import step\nfor epoch in range(9):\n    for x in ds.batch(8):\n        w = step(w, x)",
            "training",
            "loop",
        ),
        (
            "from somewhere import step, hits\nfor epoch in range(9):\n    for x in ds:\n        w = step(w, x)\n"
            "    for x in ds.batch(8):\n        hits(w, x)",
            "evaluation",
            "loop that scores",
        ),
        (
            "def make(is_training):\n    if is_training:\n        return ds.shuffle(9)\n    else:\n"
            "        return ds.batch(8)\n\nmake(False)",
            "evaluation",
            "`not is_training`",
        ),
    ],
)
def test_what_the_program_does_is_certain(code: str, kind: str, why: str) -> None:
    found = of_last(code)
    assert found is not None
    assert (found.kind, found.is_certain) == (kind, True)
    assert why in found.why


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("def val_data():\n    return Dataset.range(9).batch(8)", "evaluation"),
        ("def train_data():\n    return Dataset.range(9).batch(8)", "training"),
        ("test = ds.batch(8)\ntest.prefetch(1)", "evaluation"),
        ("def make(training):\n    if not training:\n        return Dataset.range(9).batch(8)", "evaluation"),
        # Whoever reads both evaluates what is trained on, too.
        ("both = ds.batch(8)\nmodel.fit(both)\nmodel.evaluate(both)\ntrain = both.prefetch(1)", None),
        ("ds.batch(8)", None),
        # A sum of one epoch is not trained, nor is what is drawn for an element.
        ("for epoch in range(9):\n    total = 0\n    for x in ds.batch(8):\n        total = add(total, x)", None),
        ("for epoch in range(9):\n    for x in ds.batch(8):\n        key, own = split(key)", None),
        ("for epoch in range(9):\n    for x in ds:\n        look(x)\n    for x in ds.batch(8):\n        look(x)", None),
    ],
)
def test_what_names_say_is_likely(code: str, kind: str | None) -> None:
    found = of_last(code)
    assert (found.kind if found else None) == kind
    assert found is None or not found.is_certain


@pytest.mark.parametrize("look", ["print(ds.cardinality())", "for x in ds:\n    print(x)", "len(ds)"])
def test_who_only_looks_has_no_purpose(look: str) -> None:
    graph = recover(load((HEAD + look).encode(), "module.py"))
    (consumer,) = graph.consumers
    assert purpose_of(graph, consumer) is None
