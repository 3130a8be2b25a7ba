"""The first look at a module: what it imports and defines, what is worth reading, and the watched names it uses."""

from __future__ import annotations

import textwrap

import pytest

from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.pipeline.project.index import Index, Work, has_evidence, made_index, symbol_uses
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.reach import index_of
from tfdata_lint.source.module import load


def indexed(source: str) -> Index:
    module = load(textwrap.dedent(source).encode(), "module.py")
    return index_of(module, Project())


def looked_for(source: str, members: set[str]) -> set[str]:
    """The names that are looked for in a module that imports `a`, with these members at work on datasets."""
    module = load(source.encode(), "module.py")
    made_index(module, {"a": Symbol("a")}, {"a": frozenset(members)}, frozenset())
    return {name for key in module.notes if isinstance(key, tuple) and key[0] is Work for name in key[1]}


def uses(source: str) -> list[SymbolUse]:
    return symbol_uses(load(textwrap.dedent(source).encode(), "module.py"))


# ---- imports and definitions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "name", "stands_for"),
    [
        ("import tensorflow as tf", "tf", "tensorflow"),
        ("import tensorflow", "tensorflow", "tensorflow"),
        ("import tensorflow.data", "tensorflow", "tensorflow"),
        ("import tensorflow.data.experimental as tfde", "tfde", "tensorflow.data.experimental"),
        ("from tensorflow import data", "data", "tensorflow.data"),
        ("from tensorflow.data import Dataset as D", "D", "tensorflow.data.Dataset"),
        ("from . import readers", "readers", ".readers"),
        ("from ..input import readers", "readers", "..input.readers"),
    ],
)
def test_imports(statement: str, name: str, stands_for: str) -> None:
    assert indexed(statement).imports[name].name == stands_for


def test_a_star_import_binds_no_names() -> None:
    assert indexed("from tensorflow import *").imports == {}


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    import tensorflow as tf",
        "class C:\n    import tensorflow as tf",
        "if x:\n    pass\nelse:\n    import tensorflow as tf",
        "for x in y:\n    pass\nelse:\n    import tensorflow as tf",
        "while x:\n    import tensorflow as tf",
        "with x:\n    import tensorflow as tf",
        "try:\n    import a\nexcept ImportError:\n    import tensorflow as tf",
        "try:\n    import a\nfinally:\n    import tensorflow as tf",
        "match x:\n    case 1:\n        import tensorflow as tf",
    ],
)
def test_imports_are_found_wherever_they_stand(source: str) -> None:
    index = indexed(source)
    assert index.imports["tf"].name == "tensorflow"
    assert index.tensorflow


def test_definitions() -> None:
    index = indexed(
        """
        def f():
            def inside(): ...
        class C:
            async def method(self): ...
            class D:
                def deep(self): ...
        if x:
            def g(): ...
        """
    )
    assert [(name, owner.name if owner else None) for _, name, owner in index.definitions.functions] == [
        ("f", None),
        ("C.method", "C"),
        ("C.D.deep", "D"),
        ("g", None),
    ]


# ---- what is worth reading ----------------------------------------------------------------------------------------


def relevant(source: str) -> set[str]:
    return indexed(source).relevant


def test_functions_with_a_dataset_word() -> None:
    source = """
        import tensorflow as tf
        def makes(): return tf.data.Dataset.range(3)
        def other(): return tf.constant(1)
    """
    assert relevant(source) == {"makes"}


def test_functions_that_mention_those_by_name() -> None:
    source = """
        import tensorflow as tf
        def makes(): return tf.data.Dataset.range(3)
        def uses(): return makes()
        def user(): return uses()
        def remakes(): return 3
    """
    assert relevant(source) == {"makes", "uses", "user"}


def test_what_a_class_inherits_and_what_a_table_holds() -> None:
    source = """
        import tensorflow as tf

        class Reader:
            def __call__(self):
                return tf.data.TFRecordDataset(self.files)

        class Images(Reader):
            pass

        class Plain:
            pass

        def read(files):
            return tf.data.TFRecordDataset(files)

        READERS = {"records": read}

        def train(files):
            return Images(files)

        def look(name):
            return READERS[name]

        def other():
            return Plain()
    """
    assert relevant(source) == {"Reader.__call__", "Images", "read", "READERS", "train", "look"}


def test_a_decorator_belongs_to_its_function() -> None:
    source = """
        import tensorflow as tf
        @wrap(tf.data.Dataset.range(3))
        def f(): return 3
    """
    assert relevant(source) == {"f"}


def test_methods_that_share_an_attribute() -> None:
    source = """
        import tensorflow as tf
        class C:
            def __init__(self):
                self.train = (
                    tf.data.Dataset.range(3))
            def fit(self): return self.train.batch(2)
            def name(self): return "it"
        def main(): C().name()
    """
    assert relevant(source) == {"C.__init__", "C.fit", "main"}


@pytest.mark.parametrize(
    ("imported", "call"),
    [
        ("import tensorflow as t", "t.data.Dataset.range(3)"),
        ("import tensorflow as t", "t.compat.v1.data.Dataset.range(3)"),
        ("import tensorflow as t", "t.contrib.data.Dataset.range(3)"),
        ("import tensorflow.compat.v1 as t", "t.data.Dataset.range(3)"),
        ("from tensorflow.compat import v1 as t", "t.data.Dataset.range(3)"),
        ("from tensorflow import data as d", "d.Dataset.range(3)"),
        ("from tensorflow.data import Dataset as D", "D.range(3)"),
        ("from tensorflow.python.data.ops import dataset_ops", "dataset_ops.DatasetV2.range(3)"),
        ("import tensorflow_datasets as datasets", "datasets.load('mnist')"),
        ("from tensorflow_datasets import load", "load('mnist')"),
        ("import keras", "keras.utils.image_dataset_from_directory('x')"),
    ],
)
def test_datasets_under_every_import(imported: str, call: str) -> None:
    assert relevant(f"{imported}\ndef f():\n    return {call}\n") == {"f"}


def test_other_parts_of_tensorflow_are_not_worth_reading() -> None:
    index = indexed(
        "import tensorflow as tf\nfrom tensorflow_datasets import disable_progress_bar\nx = tf.constant(1)\n"
    )
    assert index.tensorflow
    assert not index.work.data


def test_without_tensorflow_nothing_is_worth_reading() -> None:
    index = indexed("def f(ds): return ds.map(g, num_parallel_calls=3)")
    assert not index.tensorflow
    assert not index.relevant


def test_evidence() -> None:
    source = "import tensorflow as tf\n\ndef f(ds):\n    ds = ds.padded_batch(3)\n    return ds\n"
    index = indexed(source)
    assert has_evidence(index, 3, 5)
    assert not has_evidence(index, 1, 3)
    assert not has_evidence(index, 5, 5)


# ---- uses of watched names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import tensorflow as tf\nx = tf.data.experimental.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
        ("import tensorflow\nx = tensorflow.data.experimental.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
        ("from tensorflow import data\nx = data.experimental.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
        ("from tensorflow.data import experimental as e\nx = e.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
        ("from tensorflow.data.experimental import AUTOTUNE\nx = AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
        ("import tensorflow.data.experimental as e\nx = e.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
        (
            "import tensorflow as tf\nx = tf.compat.v1.data.experimental.AUTOTUNE",
            "tensorflow.data.experimental.AUTOTUNE",
        ),
        (
            "import tensorflow.compat.v1 as tf\nx = tf.data.experimental.AUTOTUNE",
            "tensorflow.data.experimental.AUTOTUNE",
        ),
        (
            "import tensorflow.compat.v2 as tf\nx = tf.data.experimental.AUTOTUNE",
            "tensorflow.data.experimental.AUTOTUNE",
        ),
        (
            "import tensorflow as tf\nx = tf.contrib.data.shuffle_and_repeat",
            "tensorflow.contrib.data.shuffle_and_repeat",
        ),
        ("import tensorflow as tf\nx = tf.profiler.experimental.Trace", "tensorflow.profiler.experimental.Trace"),
        (
            "import keras\nkeras.backend.set_image_data_format('channels_first')",
            "tensorflow.keras.backend.set_image_data_format",
        ),
        (
            "import tensorflow as tf\nit = tf.compat.v1.data.make_one_shot_iterator(ds)",
            "tensorflow.data.make_one_shot_iterator",
        ),
    ],
)
def test_a_name_under_every_import(source: str, name: str) -> None:
    (use,) = uses(source)
    assert use.name == name


@pytest.mark.parametrize(
    "source",
    [
        "import tensorflow as tf\nx = tf.data.AUTOTUNE",
        "import torch as tf\nx = tf.data.experimental.AUTOTUNE",
        "from tensorflow.data.experimental import AUTOTUNE",
        "import tensorflow as tf\nx = tf.Trace",
    ],
)
def test_other_names_are_not_uses(source: str) -> None:
    assert uses(source) == []


def test_the_span_of_a_use_is_its_whole_name() -> None:
    (use,) = uses("import tensorflow as tf\nx = [tf.data.experimental.AUTOTUNE]\n")
    assert (use.span.row, use.span.column, use.span.end_column) == (2, 5, 34)
    assert use.call is None


def test_a_use_that_is_called() -> None:
    (use,) = uses("import tensorflow as tf\nx = tf.data.experimental.map_and_batch(f, 8)\n")
    assert use.call is not None
    assert use.apply is None


def test_a_use_that_is_applied() -> None:
    (use,) = uses("import tensorflow as tf\nds = ds.apply(tf.data.experimental.map_and_batch(f, 8))\n")
    assert use.call is not None
    assert use.apply is not None
    assert use.apply.args == [use.call]


def test_a_method_of_tensorflow_1() -> None:
    (use,) = uses("import tensorflow as tf\nit = make(3).make_one_shot_iterator()\n")
    assert use.name == ".make_one_shot_iterator"
    assert (use.span.column, use.span.end_column) == (13, 35)
    assert use.call is not None


@pytest.mark.parametrize("layout", ["channels_first", "NCHW", "NCDHW", "NCW"])
def test_a_layout_of_images(layout: str) -> None:
    # Every module that names a layout of this kind names one of the first three words.
    source = f"import tensorflow as tf\nx = tf.nn.bias_add(a, b, data_format='{layout}')  # not NCHW\n"
    (use,) = uses(source)
    assert use.name == "data_format="
    assert use.call is not None


def test_the_usual_layout_is_not_a_use() -> None:
    assert uses("import tensorflow as tf\nx = tf.nn.bias_add(a, b, data_format='NHWC')  # not NCHW\n") == []


def test_uses_come_in_the_order_of_the_source() -> None:
    found = uses(
        """
        import tensorflow as tf
        class C:
            def f(self, ds, n=tf.data.experimental.AUTOTUNE):
                if ds:
                    return ds.apply(tf.data.experimental.unbatch()).prefetch(tf.data.experimental.AUTOTUNE)
        """
    )
    assert [use.name.rpartition(".")[2] for use in found] == ["AUTOTUNE", "unbatch", "AUTOTUNE"]
    assert [use.span.row for use in found] == [4, 6, 6]


def test_of_the_members_of_a_module_those_are_looked_for_that_are_read() -> None:
    many = {f"load{number}" for number in range(1_000)} | {"data.make", "data", "data.deep.made"}
    assert looked_for("import a\nds = a.load7(a.b, xa.load8)\n", many) == {"a.load7", "a.load8"}
    assert looked_for("import a\nds = a.data.make()\n", many) == {"a.data", "a.data.make"}
    assert looked_for("import a\nds = a.data.deep.made.more\n", many) == {"a.data", "a.data.deep.made"}
    assert looked_for("import a\nds = a.load(a. load1, a)\n", many) == set()
    assert looked_for("import a\nds = a()\n", set()) == {"a"}
