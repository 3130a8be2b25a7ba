"""What the analyser keeps of objects: `tf.data.Options`, iterators, and attributes that hold datasets."""

from __future__ import annotations

import textwrap

import pytest

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.options import Options
from tfdata_lint.pipeline.nouns.text import one_line
from tfdata_lint.pipeline.nouns.values import Constant
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load


def recovered(source: str) -> PipelineGraph:
    text = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\n" + textwrap.dedent(source)
    return recover(load(text.encode(), "module.py"))


def options(source: str) -> Options:
    """The only options object of a module."""
    (found,) = recovered(source).options
    return found


# ---- options ------------------------------------------------------------------------------------------------------


def test_options_that_are_applied() -> None:
    found = options(
        """
        options = tf.data.Options()
        options.deterministic = False
        options.threading.private_threadpool_size = 8
        ds = ds.with_options(options)
        """
    )
    assert found.span.row == 4
    assert found.settings == {"deterministic": Constant(False), "threading.private_threadpool_size": Constant(8)}
    assert found.applied == 1
    assert found.later == []
    assert not found.escapes
    assert not found.of_dataset


def test_a_setting_that_comes_too_late() -> None:
    found = options(
        """
        options = tf.data.Options()
        ds = ds.with_options(options)
        options.threading.private_threadpool_size = 8
        """
    )
    ((path, span),) = found.later
    assert path == "threading.private_threadpool_size"
    assert (span.row, span.column) == (6, 0)


def test_options_that_are_never_applied() -> None:
    found = options("options = tf.data.Options()\noptions.deterministic = False")
    assert found.applied == 0
    assert not found.escapes


def test_options_of_a_dataset_are_a_copy() -> None:
    found = options("options = ds.options()\noptions.deterministic = False")
    assert found.of_dataset
    assert [path for path, _ in found.later] == ["deterministic"]


def test_options_of_a_dataset_set_at_once() -> None:
    found = options("ds.options().deterministic = False")
    assert found.of_dataset
    assert [path for path, _ in found.later] == ["deterministic"]


def test_options_applied_to_two_datasets() -> None:
    assert options("o = tf.data.Options()\na = ds.with_options(o)\nb = ds.batch(2).with_options(o)").applied == 2


def test_a_group_under_a_name_of_its_own() -> None:
    found = options("o = tf.data.Options()\nt = o.threading\nt.max_intra_op_parallelism = 1\nds.with_options(o)")
    assert found.settings == {"threading.max_intra_op_parallelism": Constant(1)}


@pytest.mark.parametrize(
    "maker", ["tf.data.Options()", "tf.compat.v1.data.Options()", "tf.data.experimental.Options()"]
)
def test_options_by_every_name(maker: str) -> None:
    assert options(f"o = {maker}\nds = ds.with_options(o)").applied == 1


@pytest.mark.parametrize(
    "statement",
    ["use(o)", "use([o])", "use({'options': o})", "x.options = o", "x['options'] = o", "use(o.threading)",
     "def f():\n  o = tf.data.Options()\n  return o\nuse(f())", "class C:\n  def __init__(self, o): pass\nC(o)",
     "use(o if x else None)"],
)  # fmt: skip
def test_options_that_may_be_applied_elsewhere(statement: str) -> None:
    # A function that is called is also run alone.
    found = recovered(f"o = tf.data.Options()\n{statement}").options
    assert any(one.escapes for one in found if one.span == found[-1].span)


@pytest.mark.parametrize("statement", ["print(o)", "o = o", "o.deterministic = True", "ds.with_options(o)"])
def test_options_that_stay(statement: str) -> None:
    assert not options(f"o = tf.data.Options()\n{statement}").escapes


def test_options_in_one_of_two_branches() -> None:
    graph = recovered(
        """
        if x:
            o = tf.data.Options()
            o.deterministic = False
        else:
            o = tf.data.Options()
        ds = ds.with_options(o)
        """
    )
    assert [found.applied for found in graph.options] == [1, 1]
    assert graph.option(graph.stages[-1], "deterministic") is ...


# ---- attributes ---------------------------------------------------------------------------------------------------


def fitted(source: str) -> list[str]:
    """The pipelines that models are fitted on."""
    return [one_line(consumer.dataset) for consumer in recovered(source).consumers if consumer.kind == "fit"]


def test_an_attribute_set_in_another_method() -> None:
    source = """
        class Trainer:
            def fit(self):
                self.model.fit(self.train)
            def load(self):
                self.train = tf.data.Dataset.range(3).batch(2)
        """
    assert fitted(source) == ["range |> batch"]


def test_an_attribute_of_a_base_class() -> None:
    source = """
        class Base:
            def __init__(self):
                self.train = tf.data.Dataset.range(3)
        class Trainer(Base):
            def __init__(self):
                super().__init__()
                self.train = self.train.batch(2)
            def fit(self):
                self.model.fit(self.train)
        """
    assert fitted(source) == ["range |> batch"]


def test_properties_and_class_methods() -> None:
    source = """
        class Data:
            size = 3
            @classmethod
            def raw(cls): return tf.data.Dataset.range(cls.size)
            @staticmethod
            def batched(ds): return ds.batch(2)
            @property
            def train(self): return self.batched(self.raw())
        model.fit(Data().train)
        """
    assert fitted(source) == ["range |> batch"]


def test_a_dataclass() -> None:
    source = """
        import dataclasses
        @dataclasses.dataclass
        class Splits:
            train: tf.data.Dataset
            name: str = "x"
        model.fit(Splits(ds.batch(2)).train)
        model.fit(Splits(name="y", train=ds.skip(1)).train)
        """
    assert fitted(source) == ["range |> batch", "range |> skip"]


@pytest.mark.parametrize(
    "changed", ["dataclasses.replace(config, batch=8)", "copy.replace(config, batch=8)", "config._replace(batch=8)"]
)
def test_an_object_with_another_field(changed: str) -> None:
    kind = "typing.NamedTuple" if "_replace" in changed else ""
    graph = recovered(
        f"""
        import copy, dataclasses, typing
        {"" if kind else "@dataclasses.dataclass"}
        class Config({kind}):
            count: int = 5
            batch: int = 2
        config = Config(count=7)
        other = {changed}
        ds.take(other.count).batch(other.batch)
        ds.skip(config.batch)
        """
    )
    given = {stage.op: stage.literal("count", stage.literal("batch_size")) for stage in graph.stages[1:]}
    assert given == {"take": 7, "batch": 8, "skip": 2}


def test_an_attribute_that_a_branch_changes() -> None:
    source = """
        class Trainer:
            def fit(self, shuffled):
                self.train = tf.data.Dataset.range(3)
                if shuffled:
                    self.train = self.train.shuffle(3)
                self.model.fit(self.train)
        """
    assert fitted(source) == ["range |> (shuffle if shuffled)"]


def test_an_attribute_that_a_called_method_changes() -> None:
    source = """
        class Trainer:
            def fit(self):
                self.train = tf.data.Dataset.range(3)
                self.prepare()
                self.model.fit(self.train)
            def prepare(self):
                self.train = self.train.batch(2)
        """
    assert fitted(source) == ["range |> batch"]


def test_containers() -> None:
    source = """
        splits = {"train": ds.batch(2), "test": ds}
        splits["train"] = splits["train"].prefetch(1)
        model.fit(splits["train"])
        first, second = [ds.skip(1), ds.take(1)]
        model.fit(second)
        many = []
        many.append(ds.cache())
        model.fit(many[0])
        model.fit(splits.get("test"))
        for name, one in splits.items(): model.fit(one)
        """
    assert fitted(source) == [
        "range |> batch |> prefetch",
        "range |> take",
        "range |> cache",
        "range",
        "range |> batch |> prefetch",
        "range",
    ]


def test_a_dataset_class_of_the_project() -> None:
    source = """
        class Records(tf.data.Dataset):
            pass
        model.fit(Records("a").batch(2))
        """
    assert fitted(source) == ["unresolved |> batch"]


# ---- objects that are walked --------------------------------------------------------------------------------------

WALKED = """
class Flow:
    def __init__(self, ds):
        self.ds = ds

    def __iter__(self):
        return iter(self.ds)


class Rows:
    def __init__(self, ds):
        self.ds = ds

    def __iter__(self):
        for batch in self.ds:
            yield batch
"""


@pytest.mark.parametrize(
    ("loop", "kind"),
    [
        ("for batch in Flow(ds): step(batch)", "iter"),
        ("for i, batch in enumerate(Flow(ds)): step(batch)", "iter"),
        ("losses = [step(batch) for batch in Flow(ds)]", "comprehension"),
        ("walk = iter(Flow(ds))\nfor i in range(9): step(next(walk))", "iter"),
        ("for batch in Rows(ds): step(batch)", "for"),
        ("for a, b in zip(Rows(ds), labels): step(a, b)", "for"),
        ("for batch in Other(ds): step(batch)", ""),
    ],
)
def test_a_loop_walks_what_iter_gives(loop: str, kind: str) -> None:
    kinds = {consumer.kind for consumer in recovered(f"{WALKED}\n{loop}").consumers}
    assert kind in kinds if kind else kinds.isdisjoint({"iter", "for"})
