"""The questions that a recovered graph answers: paths, users, consumers reached, options in force, arguments."""

from __future__ import annotations

import textwrap

import pytest

from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import MAX_PATHS, Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Effect, Join, MappedFunction, Stage, tips, upstream
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load


def recovered(source: str) -> PipelineGraph:
    return recover(load(textwrap.dedent(source).encode(), "module.py"))


def last(source: str) -> tuple[PipelineGraph, Stage]:
    """The graph of a module and the last stage in it."""
    graph = recovered("import tensorflow as tf\n" + textwrap.dedent(source))
    return graph, graph.stages[-1]


def stage(graph: PipelineGraph, operation: str) -> Stage:
    (found,) = [stage for stage in graph.stages if stage.op == operation]
    return found


def written(path: Path) -> str:
    return " ".join(stage.op for stage in path.stages)


def ways(source: str, *conditions: Condition) -> list[str]:
    """The paths to the last stage of a module, each as its operations and when it is taken."""
    _, end = last(source)
    return [" ".join([written(path), path.when]).strip() for path in paths(end, conditions)]


# ---- paths --------------------------------------------------------------------------------------------------------


def test_a_straight_line() -> None:
    assert ways("ds = tf.data.Dataset.range(3).map(f).batch(2)") == ["range map batch"]


def test_a_condition() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        if training: ds = ds.shuffle(3)
        ds = ds.batch(2)
    """
    assert ways(source) == ["range shuffle batch if `training` is true", "range batch if `training` is false"]


def test_a_condition_that_is_known_to_hold() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        if training: ds = ds.shuffle(3)
        ds = ds.batch(2)
    """
    _, end = last(source)
    (training,) = paths(end).paths[0].conditions
    assert [written(path) for path in paths(end, (training,))] == ["range shuffle batch"]
    assert [written(path) for path in paths(end, (training.negated,))] == ["range batch"]


def test_equal_conditions_take_one_arm() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        if training: ds = ds.shuffle(3)
        ds = ds.map(f)
        if training: ds = ds.repeat()
        ds = ds.batch(2)
    """
    assert ways(source) == [
        "range shuffle map repeat batch if `training` is true",
        "range map batch if `training` is false",
    ]


def test_equal_texts_of_different_values_are_two_conditions() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        training = read()
        if training: ds = ds.shuffle(3)
        training = read()
        if training: ds = ds.repeat()
        ds = ds.batch(2)
    """
    assert len(ways(source)) == 4


def test_a_choice_between_constants_excludes_the_others() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        if mode == "train": ds = ds.shuffle(3)
        if mode == "eval": ds = ds.cache()
        ds = ds.batch(2)
    """
    assert {way.partition(" if ")[0] for way in ways(source)} == {
        "range shuffle batch",
        "range cache batch",
        "range batch",
    }


def test_arms_of_elif_exclude_each_other() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        if a: ds = ds.shuffle(3)
        elif b: ds = ds.cache()
        ds = ds.batch(2)
    """
    assert [way.partition(" if ")[0] for way in ways(source)] == [
        "range shuffle batch",
        "range cache batch",
        "range batch",
    ]


def test_every_input_has_its_paths() -> None:
    source = "ds = tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.TFRecordDataset('a').map(f))).batch(2)"
    assert ways(source) == ["range zip batch", "TFRecordDataset map zip batch"]


def test_a_loop() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        for x in y: ds = ds.map(x)
        ds = ds.batch(2)
    """
    operations = {way.partition(" if ")[0] for way in ways(source)}
    assert {"range batch", "range map batch"} <= operations <= {"range batch", "range map batch", "range map map batch"}


def test_too_many_paths() -> None:
    """Independent conditions double them each; nobody wants to hear of all."""
    few = "ds = tf.data.Dataset.range(3)\n" + "if c(): ds = ds.skip(1)\n" * 5 + "ds = ds.batch(2)\n"
    many = "ds = tf.data.Dataset.range(3)\n" + "if c(): ds = ds.skip(1)\n" * 40 + "ds = ds.batch(2)\n"
    _, end = last(few)
    assert len(paths(end)) == 32
    assert paths(end).complete
    _, end = last(many)
    assert len(paths(end)) == MAX_PATHS
    assert not paths(end).complete


def test_exactly_as_many_as_are_told() -> None:
    _, end = last("ds = tf.data.Dataset.range(3)\n" + "if c(): ds = ds.skip(1)\n" * 6 + "ds = ds.batch(2)\n")
    assert len(paths(end)) == MAX_PATHS
    assert paths(end).complete


def test_questions_to_a_path() -> None:
    _, end = last("ds = tf.data.Dataset.range(3).map(f).shuffle(3).map(g).batch(2)")
    (path,) = paths(end)
    source, first, shuffled, second, batched = path.stages
    assert path.find("map") is second
    assert path.find("shuffle", "range") is shuffled
    assert path.find("cache") is None
    assert path.after(shuffled) == (second, batched)
    assert path.before(shuffled) == (source, first)
    assert path.when == ""
    assert not path.is_open


def test_a_path_from_where_we_do_not_see() -> None:
    _, end = last("def f(ds: tf.data.Dataset): return ds.batch(2)")
    (path,) = paths(end)
    assert path.is_open
    assert written(path) == "parameter batch"


# ---- users and consumers ------------------------------------------------------------------------------------------


def test_users_of_a_stage() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        a = ds.shuffle(3)
        b = ds.cache()
        if c: a = a.repeat()
        a = a.batch(2)
    """
    graph, _ = last(source)
    assert [user.op for user in graph.users(stage(graph, "range"))] == ["shuffle", "cache"]
    # Through the join: `batch` comes after `shuffle` where the condition does not hold.
    assert [user.op for user in graph.users(stage(graph, "shuffle"))] == ["repeat", "batch"]
    assert graph.users(stage(graph, "batch")) == []
    assert [below.op for below in graph.downstream(stage(graph, "range"))] == ["shuffle", "cache", "repeat", "batch"]


def test_consumers_of_a_stage() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        model.fit(ds.batch(2))
        model.evaluate(ds)
    """
    graph, batch = last(source)
    source_stage = stage(graph, "range")
    assert [consumer.kind for consumer in graph.consumers_of(source_stage)] == ["evaluate"]
    assert [consumer.kind for consumer in graph.reached(source_stage)] == ["fit", "evaluate"]
    assert [consumer.kind for consumer in graph.reached(batch)] == ["fit"]


def test_what_a_dataset_depends_on() -> None:
    source = """
        a = tf.data.Dataset.range(3).map(f)
        b = tf.data.Dataset.zip((a, a.cache()))
        ds = b.interleave(lambda x: tf.data.TFRecordDataset(x))
    """
    graph, _ = last(source)
    names = [above.op for above in upstream(stage(graph, "interleave"))]
    # Nearest first, each once; the nested pipeline is not part of it.
    assert names == ["interleave", "zip", "map", "cache", "range"]


def test_the_last_stages_of_a_join() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        if a: ds = ds.shuffle(3)
        elif b: ds = ds.cache()
        model.fit(ds)
    """
    graph, _ = last(source)
    dataset = graph.consumers[0].dataset
    assert isinstance(dataset, Join)
    assert [tip.op for tip in tips(dataset)] == ["shuffle", "cache", "range"]


# ---- options in force ---------------------------------------------------------------------------------------------

OPTIONS = "options = tf.data.Options()\n"


def test_an_option_counts_before_and_after_it_is_set() -> None:
    graph, _ = last(
        f"{OPTIONS}options.deterministic = False\n"
        "ds = tf.data.Dataset.range(3).map(f).with_options(options).batch(2)\nother = tf.data.Dataset.range(4)"
    )
    assert graph.option(stage(graph, "map"), "deterministic") is False
    assert graph.option(stage(graph, "batch"), "deterministic") is False
    assert graph.option(stage(graph, "batch"), "autotune.enabled") is None
    assert graph.option(graph.stages[-1], "deterministic") is None


def test_an_option_in_a_group() -> None:
    graph, _ = last(
        f"{OPTIONS}options.experimental_optimization.map_parallelization = True\n"
        "ds = tf.data.Dataset.range(3).map(f).with_options(options)"
    )
    assert graph.option(stage(graph, "map"), "experimental_optimization.map_parallelization") is True


def test_an_option_whose_value_is_not_known() -> None:
    graph, _ = last(f"{OPTIONS}options.deterministic = flag\nds = tf.data.Dataset.range(3).with_options(options)")
    assert graph.option(stage(graph, "range"), "deterministic") is ...


def test_an_option_that_only_some_branches_set() -> None:
    source = f"""
        {OPTIONS}
        options.deterministic = False
        ds = tf.data.Dataset.range(3)
        if c: ds = ds.with_options(options)
        ds = ds.batch(2)
    """
    graph, _ = last(textwrap.dedent(source))
    assert graph.option(stage(graph, "batch"), "deterministic") is ...


def test_the_last_options_win() -> None:
    source = """
        a = tf.data.Options()
        a.deterministic = False
        b = tf.data.Options()
        b.deterministic = True
        ds = tf.data.Dataset.range(3).with_options(a).with_options(b)
    """
    graph, _ = last(source)
    assert graph.option(stage(graph, "range"), "deterministic") is True


# ---- a stage ------------------------------------------------------------------------------------------------------


def one(call: str) -> Stage:
    """The last stage of a call on a dataset."""
    return last(f"ds = tf.data.Dataset.range(3)\nds = ds.{call}")[1]


def test_arguments() -> None:
    batch = one("batch(8, drop_remainder=True, num_parallel_calls=n)")
    assert batch.literal("batch_size") == 8
    assert batch.literal("drop_remainder") is True
    assert batch.literal("num_parallel_calls") is ...
    assert batch.literal("deterministic") is None
    assert batch.literal("deterministic", 3) == 3
    assert batch.has("num_parallel_calls")
    assert not batch.has("deterministic")


def test_arguments_that_are_not_seen() -> None:
    batch = one("batch(8, **more)")
    assert batch.literal("batch_size") == 8
    assert batch.literal("drop_remainder") is ...
    assert batch.has("drop_remainder")
    assert batch.is_parallel


@pytest.mark.parametrize(
    ("argument", "parallelism", "parallel"),
    [("", None, False), (", num_parallel_calls=1", 1, False), (", num_parallel_calls=4", 4, True), (", 4", 4, True),
     (", num_parallel_calls=tf.data.AUTOTUNE", -1, True), (", tf.data.experimental.AUTOTUNE", -1, True),
     (", num_parallel_calls=n", ..., True), (", num_parallel_calls=None", None, False)],
)  # fmt: skip
def test_parallelism(argument: str, parallelism: object, parallel: bool) -> None:
    mapped = one(f"map(f{argument})")
    assert mapped.parallelism == parallelism
    assert mapped.is_parallel is parallel


def test_parallel_reads() -> None:
    _, reader = last("ds = tf.data.TFRecordDataset(files, num_parallel_reads=8)")
    assert reader.parallelism == 8


def test_where_a_stage_stands() -> None:
    shuffled = one("map(f).shuffle(\n  3)")
    assert (shuffled.span.row, shuffled.span.column, shuffled.span.end_row, shuffled.span.end_column) == (3, 15, 4, 4)
    assert repr(shuffled) == "<shuffle at 3>"


def test_receivers() -> None:
    graph, _ = last(
        "class C:\n  def f(self):\n    self.ds = tf.data.Dataset.range(3)\n    return self.ds.skip(1).take(2)\n"
    )
    assert stage(graph, "skip").receiver == "self.ds"
    assert stage(graph, "take").receiver == ""
    assert stage(graph, "range").symbol == "tensorflow.data.Dataset.range"


def test_a_nested_pipeline() -> None:
    graph, _ = last("ds = tf.data.Dataset.range(3).interleave(lambda x: tf.data.TFRecordDataset(x))")
    reader = stage(graph, "TFRecordDataset")
    assert stage(graph, "interleave").nested is reader
    assert reader.nested_in is stage(graph, "interleave")


# ---- a mapped function --------------------------------------------------------------------------------------------

HERE = Span("module.py", 1, 0, 1, 1)


def test_effects() -> None:
    random = Effect("random", "tf.random.uniform", HERE)
    printed = Effect("side_effect", "print", HERE)
    function = MappedFunction("f", HERE, None, resolved=True, effects=(printed, random))
    assert function.has("side_effect", "random") is printed
    assert function.has("lookup") is None
    assert function.is_random
    assert function.stateful is random
    assert not function.is_stateless


def test_stateless_is_said_only_of_what_is_known() -> None:
    assert MappedFunction("f", HERE, None, resolved=True).is_stateless
    assert not MappedFunction("f", HERE, None, resolved=False).is_stateless
    assert MappedFunction("f", HERE, None, resolved=True, effects=(Effect("stateless_random", "x", HERE),)).is_stateless


# ---- the whole graph ----------------------------------------------------------------------------------------------


def test_stages_and_consumers_come_in_the_order_of_the_source() -> None:
    source = """
        def later(): return make().batch(2)
        def make(): return tf.data.Dataset.range(3).shuffle(3)
        model.fit(later())
        for x in make(): use(x)
    """
    graph, _ = last(source)
    rows = [(stage.span.row, stage.span.column) for stage in graph.stages]
    assert rows == sorted(rows)
    places = [(consumer.span.row, consumer.span.column) for consumer in graph.consumers]
    assert places == sorted(places)


def test_functions_that_the_module_calls() -> None:
    source = """
        def called(): return tf.data.Dataset.range(3)
        def mapped(x): return x
        def not_called(): return tf.data.Dataset.range(4)
        class C:
            def method(self): return called().map(mapped)
        C().method()
    """
    graph, _ = last(source)
    assert graph.called == {"called", "mapped", "C", "C.method"}


@pytest.mark.parametrize(
    "call",
    ["tf.random.set_seed(3)", "tf.compat.v1.set_random_seed(3)", "tf.keras.utils.set_random_seed(3)",
     "tf.compat.v1.random.set_random_seed(3)"],
)  # fmt: skip
def test_seeds(call: str) -> None:
    graph, _ = last(f"{call}\nds = tf.data.Dataset.range(3)")
    assert [span.row for span in graph.seeds] == [2]


@pytest.mark.parametrize(
    "call", ["np.random.seed(3)", "random.seed(3)", "tf.random.uniform([], seed=3)", "set_seed(3)"]
)
def test_other_seeds(call: str) -> None:
    graph, _ = last(f"import random\nimport numpy as np\n{call}\nds = tf.data.Dataset.range(3)")
    assert graph.seeds == []


@pytest.mark.parametrize(
    "source", ["", "x = 1", "def f(ds): return ds.map(g).batch(8)", "import tensorflow as tf\nx = tf.constant(1)"]
)
def test_modules_without_a_pipeline(source: str) -> None:
    graph = recovered(source)
    assert [*graph.stages, *graph.consumers, *graph.discarded] == []


def test_a_module_that_does_not_parse() -> None:
    graph = recovered("import tensorflow as tf\nds = tf.data.Dataset.range(3\n")
    assert graph.stages == []
