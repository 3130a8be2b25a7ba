"""Where datasets leave the pipeline: the kinds of consumers and where they stand; statements that lose a dataset."""

from __future__ import annotations

import json
import textwrap

import pytest

from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load

MADE = "import tensorflow as tf\nfrom project import use\nds = tf.data.Dataset.range(3).batch(2)\n"


def recovered(source: str, path: str = "module.py") -> PipelineGraph:
    return recover(load(textwrap.dedent(source).encode(), path))


def consumed(statement: str) -> list[Consumer]:
    """The consumers of `ds` in a statement."""
    return recovered(MADE + textwrap.dedent(statement)).consumers


def kinds(statement: str) -> list[str]:
    return [consumer.kind for consumer in consumed(statement)]


# ---- kinds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("for e in ds: use(e)", "for"),
        ("for i, e in enumerate(ds): use(e)", "for"),
        ("for a, e in zip(x, ds): use(e)", "for"),
        ("import tqdm\nfor e in tqdm.tqdm(enumerate(ds)): use(e)", "for"),
        ("async def f(ds: tf.data.Dataset):\n  async for e in ds: use(e)", "for"),
        ("y = [use(e) for e in ds]", "comprehension"),
        ("y = {e: 1 for e in ds}", "comprehension"),
        ("y = {use(e) for _ in x for e in ds}", "comprehension"),
        ("use(use(e) for e in ds if e)", "comprehension"),
        ("it = iter(ds)", "iter"),
        ("it = ds.as_numpy_iterator()", "as_numpy_iterator"),
        ("it = ds.make_one_shot_iterator()", "make_iterator"),
        ("it = tf.compat.v1.data.make_initializable_iterator(ds)", "make_iterator"),
        ("import tensorflow_datasets as tfds\nit = tfds.as_numpy(ds)", "as_numpy"),
        ("model.fit(ds)", "fit"),
        ("model.fit(x=ds, epochs=3)", "fit"),
        ("model.fit_generator(ds)", "fit"),
        ("model.evaluate(ds)", "evaluate"),
        ("model.predict(ds)", "predict"),
        ("model.adapt(ds)", "adapt"),
        ("model.fit(x, validation_data=ds)", "validation"),
        ("strategy.experimental_distribute_dataset(ds)", "distribute"),
        ("strategy.distribute_datasets_from_function(lambda context: ds)", "distribute"),
        ("strategy.make_dataset_iterator(ds)", "distribute"),
        ("model.train(input_fn=lambda: ds)", "input_fn"),
        ("tf.estimator.TrainSpec(lambda: ds, max_steps=3)", "input_fn"),
        ("y = ds.reduce(0, use)", "reduce"),
        ("ds.save('here')", "save"),
        ("y = ds.get_single_element()", "get_single_element"),
        ("y = list(ds)", "list"),
        ("y = sorted(ds)", "list"),
        ("y = list(ds.as_numpy_iterator())", "list"),
        ("y = sum(ds)", "list"),
        ("y = len(ds)", "len"),
        ("y = ds.cardinality()", "cardinality"),
        ("y = tf.data.experimental.cardinality(ds)", "cardinality"),
        ("def f():\n  return tf.data.Dataset.range(3)", "return"),
        ("def f():\n  return {'train': tf.data.Dataset.range(3)}", "return"),
        ("def f():\n  yield tf.data.Dataset.range(3)", "yield"),
        ("use(ds)", "argument"),
        ("use([ds])", "argument"),
        ("x.add(data=ds)", "argument"),
        ("ds.a_method_of_a_subclass()", "argument"),
        ("x.ds = ds", "stored"),
        ("x['train'] = ds", "stored"),
    ],
)
def test_kind(statement: str, kind: str) -> None:
    assert kinds(statement) == [kind]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("for e in ds.as_numpy_iterator(): use(e)", "as_numpy_iterator"),
        ("import tensorflow_datasets as tfds\nfor e in tfds.as_numpy(ds): use(e)", "as_numpy"),
        ("for e in strategy.experimental_distribute_dataset(ds): use(e)", "distribute"),
    ],
)
def test_a_walk(statement: str, kind: str) -> None:
    assert kinds(statement) == ["walk", kind]


@pytest.mark.parametrize(
    "statement",
    [
        "for e in ds.take(1): use(e)",
        "for e in ds: print(e)",
        "for e in ds:\n  y = e['x']\n  print(y.shape)",
        "for e in ds:\n  use(e)\n  break",
        "for e in ds.take(3).as_numpy_iterator(): print(e)",
        "y = ds.element_spec",
    ],
)
def test_looking_at_a_pipeline(statement: str) -> None:
    assert kinds(statement) == ["inspection"]


def test_a_first_element() -> None:
    assert kinds("y = next(iter(ds))") == ["next", "inspection"]


def test_a_few_elements() -> None:
    assert kinds("it = iter(ds)\ny = next(it)\nz = next(it)") == ["inspection", "next", "next"]


def test_elements_pulled_in_a_loop() -> None:
    assert kinds("it = iter(ds)\nfor i in x: use(next(it))") == ["iter", "next"]


def test_next_says_which_iterator_it_pulls_from() -> None:
    iterated, pulled = consumed("it = iter(ds)\nfor i in x: use(it.get_next())")
    assert pulled.kind == "next"
    assert pulled.iterator is iterated.iterator


@pytest.mark.parametrize(
    "statement",
    ["print(ds)", "y = ds", "y = [ds, ds]", "y = {'a': ds}", "y = ds.map(use)", "repr(ds)",
     "isinstance(ds, tf.data.Dataset)", "assert ds is not None", "y = ds or x", "def f():\n  return 3",
     "f = lambda: ds", "del ds"],
)  # fmt: skip
def test_not_consumed(statement: str) -> None:
    assert kinds(statement) == []


def test_training_and_validation_are_told_apart() -> None:
    fitted, validated = consumed("model.fit(ds.repeat(), validation_data=ds, epochs=x, steps_per_epoch=10)")
    assert (fitted.kind, validated.kind) == ("fit", "validation")
    assert [tip.op for tip in tips(fitted.dataset)] == ["repeat"]
    assert fitted.literal("steps_per_epoch") == 10
    assert fitted.literal("epochs") is ...
    assert fitted.literal("verbose", "auto") == "auto"
    assert fitted.has("epochs")
    assert not fitted.has("verbose")


def test_arguments_that_are_not_seen() -> None:
    (fitted,) = consumed("model.fit(ds, **x)")
    assert fitted.open_arguments
    assert fitted.has("epochs")
    assert fitted.literal("epochs") is ...


def test_the_span_of_a_method_starts_at_its_name() -> None:
    (fitted,) = consumed("model.fit(ds)\n")
    assert (fitted.span.row, fitted.span.column, fitted.span.end_column) == (4, 6, 13)


def test_what_it_is_handed_to() -> None:
    assert consumed("use(ds)")[0].target == "project.use"
    assert consumed("x.consume(ds)")[0].target == "consume"


def test_a_function_that_calls_itself_is_not_followed() -> None:
    source = """
        import tensorflow as tf
        def deeper(ds, n): return deeper(ds.map(f), n - 1) if n else ds
        deeper(tf.data.Dataset.range(3), n)
    """
    assert "argument" in [consumer.kind for consumer in recovered(source).consumers]


# ---- where they stand ---------------------------------------------------------------------------------------------


def only(source: str, kind: str, path: str = "module.py") -> Consumer:
    (consumer,) = [consumer for consumer in recovered(source, path).consumers if consumer.kind == kind]
    return consumer


def test_at_module_level() -> None:
    context = only(f"{MADE}model.fit(ds)", "fit").context
    assert context.definition == ""
    assert (context.loops, context.conditions) == ((), ())
    assert not any((context.in_tf_function, context.in_strategy_scope, context.in_test))


def test_in_a_method() -> None:
    source = "import tensorflow as tf\nclass C:\n  def f(self, ds: tf.data.Dataset):\n    self.model.fit(ds)\n"
    assert only(source, "fit").context.definition == "C.f"


def test_under_a_condition() -> None:
    context = only(f"{MADE}if x:\n  model.fit(ds)\n", "fit").context
    assert [str(condition) for condition in context.conditions] == ["x"]


@pytest.mark.parametrize("decorator", ["tf.function", "tf.function()", "tf.function(jit_compile=True)"])
def test_in_a_tf_function(decorator: str) -> None:
    source = f"{MADE}@{decorator}\ndef train(ds):\n  for e in ds: use(e)\ntrain(ds)\n"
    assert only(source, "for").context.in_tf_function


def test_in_a_function_compiled_by_a_call() -> None:
    source = f"{MADE}def train(ds):\n  for e in ds: use(e)\ntf.function(train)(ds)\n"
    assert {c.context.in_tf_function for c in recovered(source).consumers if c.kind == "for"} == {True}


def test_in_a_helper_of_a_tf_function() -> None:
    source = f"{MADE}def loop(d):\n  for e in d: use(e)\n@tf.function\ndef train(d):\n  loop(d)\ntrain(ds)\n"
    assert only(source, "for").context.in_tf_function


def test_outside_of_the_tf_function_beside_it() -> None:
    source = f"{MADE}@tf.function\ndef step(e): use(e)\ndef train(d):\n  for e in d: step(e)\ntrain(ds)\n"
    assert not only(source, "for").context.in_tf_function


@pytest.mark.parametrize(
    ("loop", "kind"),
    [("for i in x:\n  model.fit(ds)", "for"), ("while x():\n  model.fit(ds)", "while"),
     ("y = [model.fit(ds) for i in x]", "comprehension")],
)  # fmt: skip
def test_in_a_loop(loop: str, kind: str) -> None:
    (around,) = only(f"{MADE}{loop}\n", "fit").context.loops
    assert (around.kind, around.over) == (kind, None)


def test_in_a_loop_over_a_dataset() -> None:
    (around,) = only(f"{MADE}for e in ds:\n  use(e)\n  model.evaluate(ds)\n", "evaluate").context.loops
    assert around.over is not None


def test_in_a_loop_around_the_call_of_its_function() -> None:
    source = f"{MADE}def train(d):\n  for e in d: use(e)\nfor epoch in x: train(ds)\n"
    (around,) = only(source, "for").context.loops
    assert around.span.row == 6


def test_under_a_strategy_scope() -> None:
    source = f"{MADE}s = tf.distribute.MirroredStrategy()\nwith s.scope():\n  model.fit(ds)\nmodel.predict(ds)\n"
    assert only(source, "fit").context.in_strategy_scope
    assert not only(source, "predict").context.in_strategy_scope


@pytest.mark.parametrize(
    ("path", "definition"),
    [("module.py", "def test_it(ds: tf.data.Dataset):"), ("module.py", "def BuildTest(ds: tf.data.Dataset):"),
     ("input_test.py", "def f(ds: tf.data.Dataset):"), ("tests/module.py", "def f(ds: tf.data.Dataset):"),
     ("conftest.py", "def f(ds: tf.data.Dataset):")],
)  # fmt: skip
def test_in_a_test(path: str, definition: str) -> None:
    source = f"import tensorflow as tf\n{definition}\n  for e in ds: use(e)\n"
    assert only(source, "for", path).context.in_test


def test_in_a_test_class() -> None:
    source = "import tensorflow as tf\nclass TestInput:\n  def f(self, ds: tf.data.Dataset):\n    for e in ds: use(e)\n"
    assert only(source, "for").context.in_test


# ---- statements that lose a dataset -------------------------------------------------------------------------------


def discarded(statement: str) -> list[str]:
    return [lost.stage.op for lost in recovered(MADE + textwrap.dedent(statement)).discarded]


@pytest.mark.parametrize(
    ("statement", "operation"),
    [
        ("ds.shuffle(3)", "shuffle"),
        ("ds.shuffle(3).repeat()", "repeat"),
        ("if x: ds.cache()", "cache"),
        ("def f(ds: tf.data.Dataset):\n  ds.cache()\n  return ds", "cache"),
        ("with strategy.scope():\n  ds.cache()", "cache"),
        ("def f(d): return d.map(use)\nif x:\n  ds.with_options(x)", "with_options"),
    ],
)
def test_discarded(statement: str, operation: str) -> None:
    assert discarded(statement) == [operation]


def test_the_span_of_a_discarded_statement() -> None:
    (lost,) = recovered(f"{MADE}ds.shuffle(\n  3)\n").discarded
    assert (lost.span.row, lost.span.column, lost.span.end_row, lost.span.end_column) == (4, 0, 5, 4)


def test_a_discarded_statement_in_a_loop_of_a_function_that_is_read_again() -> None:
    text = """
    def go(other, items):
        for item in items:
            made = tf.data.Dataset.from_tensor_slices(item)
            made.cache()
            other = made.map(f)
    if x:
        go(1, 2)
    """
    assert discarded(text) == ["cache"]


def test_a_discarded_statement_in_a_loop_is_said_once() -> None:
    assert discarded("for i in x:\n  ds = ds.skip(1)\n  ds.cache()") == ["cache"]


@pytest.mark.parametrize(
    "statement",
    [
        "ds = ds.shuffle(3)",
        "y = x if x else ds.shuffle(3)",
        "ds",
        "ds.save('here')",
        "ds.reduce(0, use)",
        "tf.data.Dataset.range(3)",
        "def f(d): return d.map(use)\nds = f(ds)",
        "def f(d):\n  d = d.map(use)\n  print(d)\n  return d\nf(ds)",
        "def f(d):\n  global batches\n  batches = d.batch(2)\n  return batches\nf(ds)",
        "def f(d): return d\nf(ds)",
        "@cached\ndef f(d): return d.batch(2)\nf(ds)",
        "with self.assertRaises(ValueError):\n  ds.batch(-1)",
        "import pytest\nwith pytest.raises(ValueError):\n  ds.batch(-1)",
        "try:\n  ds.batch(-1)\nexcept ValueError: pass",
        "def bad(): ds.batch(-1)\nwith pytest.raises(ValueError): bad()",
    ],
)
def test_not_discarded(statement: str) -> None:
    assert discarded(statement) == []


@pytest.mark.parametrize(
    "statement",
    [
        "import random\nrandom.shuffle(x)",
        "import numpy as np\nnp.random.shuffle(x)",
        "from multiprocessing import Pool\nwith Pool() as pool:\n  pool.map(use, x)",
        "import pandas as pd\ndf = pd.read_csv(x)\ndf.take(3)\ndf.filter(x)\ndf.cache()",
        "import jax\njax.tree.map(use, x)",
        "executor.map(use, x)",
        "queue.batch(3)",
        "list(map(use, x))",
        "class A:\n  def map(self, f): self.f = f\nA().map(use)",
        "logger.filter(x)",
    ],
)
def test_look_alikes(statement: str) -> None:
    graph = recovered(MADE + statement)
    assert not graph.discarded
    assert [stage.op for stage in graph.stages] == ["range", "batch"]


def notebook(*cells: str) -> PipelineGraph:
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    document = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return recover(load(json.dumps(document).encode(), "example.ipynb"))


def test_the_last_expression_of_a_cell_is_shown() -> None:
    assert notebook(MADE + "ds.shuffle(3)", "ds.cache()").discarded == []


def test_other_expressions_of_a_cell_are_lost() -> None:
    (lost,) = notebook(MADE + "ds.shuffle(3)\nds = ds.cache()").discarded
    assert lost.stage.op == "shuffle"


def test_the_last_expression_of_a_function_in_a_cell_is_lost() -> None:
    (lost,) = notebook(MADE + "def f(ds: tf.data.Dataset):\n  ds.shuffle(3)").discarded
    assert lost.stage.op == "shuffle"
