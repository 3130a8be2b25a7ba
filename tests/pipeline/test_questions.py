"""The questions that rules share: what the elements are, whether they matter, and when something is so."""

from __future__ import annotations

import textwrap

import pytest

from tfdata_lint.pipeline.nouns.files import is_one_file
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths
from tfdata_lint.pipeline.nouns.questions import is_batched, is_few, is_made_up, is_shuffled, is_toy
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.rules.ordering.map_before_batch import is_windowed
from tfdata_lint.rules.overlap.missing_prefetch.consuming import is_private
from tfdata_lint.rules.python_code.from_generator.generator import generator_of
from tfdata_lint.source.module import load

IMPORTS = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow.data import Dataset\n"


def recovered(source: str) -> PipelineGraph:
    code = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow.data import Dataset\n" + textwrap.dedent(
        source
    )
    return recover(load(code.encode(), "module.py"))


def way(chain: str) -> Path:
    """The only path to the end of a pipeline that is not nested in another."""
    graph = recovered(f"ds = {chain}")
    (end,) = [stage for stage in graph.stages if stage.nested_in is None and not graph.users(stage)]
    (path,) = paths(end)
    return path


@pytest.mark.parametrize(
    ("chain", "batched"),
    [
        ("Dataset.range(8)", False),
        ("Dataset.range(8).batch(2).map(f).prefetch(1)", True),
        ("Dataset.range(8).batch(2).unbatch()", False),
        ("Dataset.range(8).batch(2).interleave(Dataset.from_tensor_slices)", False),
        ("Dataset.range(8).batch(2).flat_map(lambda x: Dataset.from_tensor_slices(x))", False),
        ("Dataset.range(8).flat_map(lambda x: Dataset.range(x).batch(2))", True),
        ("Dataset.range(8).interleave(lambda x: Dataset.range(x).batch(2))", True),
        ("Dataset.range(8).window(2).flat_map(lambda x: x.batch(2))", False),
        ("Dataset.range(8).apply(tf.data.experimental.dense_to_ragged_batch(2))", True),
        ("tf.keras.utils.image_dataset_from_directory('images')", True),
        ("tf.keras.utils.image_dataset_from_directory('images', batch_size=None)", False),
    ],
)
def test_batches(chain: str, batched: bool) -> None:
    assert is_batched(way(chain)) is batched


def test_windows() -> None:
    assert is_windowed(way("Dataset.range(8).window(2).map(f)"))
    assert not is_windowed(way("Dataset.range(8).window(2).flat_map(lambda x: x.batch(2))"))


@pytest.mark.parametrize(
    ("chain", "toy", "made_up"),
    [
        ("Dataset.range(8).map(f)", True, True),
        ("Dataset.from_tensors(x)", True, True),
        ("Dataset.from_tensor_slices({'x': [1, 2], 'y': np.array([[1], [2]])})", True, False),
        ("Dataset.from_tensor_slices(list(range(17)))", False, False),
        ("Dataset.from_tensor_slices([])", False, False),
        ("Dataset.counter().map(f)", False, True),
        ("Dataset.list_files('*')", False, False),
        ("Dataset.from_tensor_slices(['a', 'b']).map(f)", True, False),
        ("Dataset.from_tensor_slices(['a', 'b']).flat_map(tf.data.TFRecordDataset)", False, False),
        ("Dataset.from_tensor_slices(['a']).interleave(lambda p: tf.data.TextLineDataset(p).skip(1))", False, False),
        ("tf.data.TFRecordDataset(Dataset.from_tensor_slices(['a', 'b']))", False, False),
        ("Dataset.from_tensor_slices([1, 2]).flat_map(lambda n: Dataset.range(n))", True, False),
    ],
)
def test_toys(chain: str, toy: bool, made_up: bool) -> None:
    assert is_toy(way(chain)) is toy
    assert is_made_up(way(chain)) is made_up


@pytest.mark.parametrize(
    ("chain", "few"),
    [
        ("Dataset.range(99).take(3).map(f)", True),
        ("Dataset.range(99).take(99)", False),
        ("Dataset.range(99).take(n)", False),
        ("Dataset.range(99).take(3).flat_map(g)", False),
        ("tf.data.TFRecordDataset(Dataset.list_files('*').take(3))", False),
    ],
)
def test_few(chain: str, few: bool) -> None:
    assert is_few(way(chain)) is few


@pytest.mark.parametrize(
    ("chain", "shuffled"),
    [
        ("Dataset.range(9).shuffle(9).batch(3)", True),
        ("Dataset.list_files('*')", False),
        ("Dataset.from_generator(g, output_signature=s)", True),
        ("Dataset.sample_from_datasets([Dataset.range(9)])", True),
        ("tf.keras.utils.image_dataset_from_directory('images')", True),
        ("tf.keras.utils.image_dataset_from_directory('images', shuffle=False)", False),
    ],
)
def test_shuffled(chain: str, shuffled: bool) -> None:
    assert is_shuffled(way(chain)) is shuffled


@pytest.mark.parametrize(
    ("chain", "one"),
    [
        ("Dataset.list_files('a.tfrecord')", True),
        ("Dataset.list_files('*.tfrecord')", False),
        ("Dataset.from_tensor_slices(['a.tfrecord'])", True),
        ("Dataset.from_tensor_slices(['a', 'b'])", False),
        ("Dataset.from_tensors('a.tfrecord')", True),
        ("tf.data.experimental.make_csv_dataset('*.csv', 8)", False),
    ],
)
def test_one_file(chain: str, one: bool) -> None:
    assert is_one_file(way(chain)) is one


def test_a_case_names_what_is_wrong_and_when() -> None:
    graph = recovered("""
        ds = Dataset.range(9)
        if training: ds = ds.repeat()
        ds = ds.shuffle(9)
    """)

    def repeated(stage: Stage, path: Path) -> Stage | None:
        return path.find("repeat")

    (case,) = cases([stage for stage in graph.stages if stage.op == "shuffle"], repeated)
    assert (case.stage.op, case.culprit.op, case.when) == ("shuffle", "repeat", " if `training` is true")
    assert not list(cases(graph.stages[:1], repeated))


def test_who_else_may_call_a_function() -> None:
    graph = recovered("""
        def public():
            def inner(): return Dataset.range(1)
        def _own(): pass
        class Plain:
            def _own(self): pass
        class Derived(Base):
            def _own(self): pass
        @registered
        def _known(): pass
    """)
    names = ["public", "public.inner", "_own", "Plain._own", "Derived._own", "_known", "_absent"]
    assert [name for name in names if is_private(graph, name)] == ["public.inner", "_own", "Plain._own"]


@pytest.mark.parametrize(
    ("given", "name", "in_batches", "arrays"),
    [
        ("rows", "rows", False, ("table",)),
        ("batches", "batches", True, ()),
        ("Reader()", "Reader", True, ()),
        ("lambda: rows()", "lambda", False, ("table",)),
        ("unseen", "unseen", False, ()),
    ],
)
def test_what_a_generator_does(given: str, name: str, in_batches: bool, arrays: tuple[str, ...]) -> None:
    graph = recovered(f"""
        table = np.zeros([8, 2])
        def rows():
            for row in table:
                yield row
        def batches():
            for start in range(0, 8, 2):
                yield table[start : start + 2]
        class Base:
            def __call__(self):
                for batch in self.all: yield batch
        class Reader(Base): pass
        ds = Dataset.from_generator({given}, output_signature=tf.TensorSpec([2]))
    """)
    generator = generator_of(graph.stages[0], graph)
    assert (generator.name, generator.yields_batches, generator.arrays) == (name, in_batches, arrays)
