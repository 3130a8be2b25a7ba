"""What a run gives, on real TensorFlow: where pipelines are consumed, what the runtime did, where the time goes."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from verify.conftest import alone

from tfdata_lint.verify.as_json import from_json, to_json
from tfdata_lint.verify.measure import Asked, Paced
from tfdata_lint.verify.model import Pipeline, Place, Run
from tfdata_lint.verify.plan import Interpreter, Limits, Plan, target
from tfdata_lint.verify.runner import observe
from tfdata_lint.verify.warm import Warm

Verify = Callable[..., Run]

KNOWN = Path(__file__).with_name("known_bottlenecks.py")

pytestmark = pytest.mark.tensorflow


def text_at(place: Place | None) -> str:
    """The code of a place."""
    assert place
    lines = Path(place.file).read_bytes().split(b"\n")[place.row - 1 : place.end_row]
    lines[-1] = lines[-1][: place.end_column]
    return b"\n".join([lines[0][place.column :], *lines[1:]]).decode()


def rewrites(pipeline: Pipeline) -> dict[str, str]:
    return {node.op: node.rewrite for node in pipeline.nodes if node.op != "Root"}


def whats(pipeline: Pipeline, node: int | None) -> list[str]:
    """What its timeline has of a node."""
    assert pipeline.timeline
    return [row.what for row in pipeline.timeline.rows if row.node == node]


def test_a_loop_is_observed_where_it_stands_and_then_stopped(verify: Verify, outside: Path) -> None:
    run = verify(
        f"""\
        import time
        import tensorflow as tf

        # Possible only while nothing has been executed.
        tf.config.threading.set_inter_op_parallelism_threads(2)

        def slow(x):
            return tf.numpy_function(lambda v: (time.sleep(0.005), v)[1], [x], tf.int64)

        ds = tf.data.Dataset.range(10**9).map(lambda x: x + 1).map(slow).batch(2)
        later = tf.data.Dataset.from_tensor_slices([1, 2, 3]).batch(2).prefetch(1)
        for x in ds.take(2):
            print("a look")
        try:
            for x in ds:
                time.sleep(0.004)
        except BaseException:
            open({str(outside / "saved")!r}, "w")
        finally:
            open({str(outside / "saved")!r}, "w")
        """,
    )
    loop, waiting = (pipeline for pipeline in run.pipelines if pipeline.nodes)

    assert run.reason == ""
    assert not (outside / "saved").exists()
    assert run.output.head.count("a look") == 2

    assert (loop.consumer, loop.frames[0].row) == ("for", 15)
    assert loop.step
    assert loop.step.source == "loop"
    assert loop.input
    assert loop.input.share
    assert 0.2 < loop.input.share < 0.8
    assert loop.limited_by == "input"
    assert loop.bottleneck
    assert text_at(loop.bottleneck.place).endswith(".map(lambda x: x + 1).map(slow)")
    assert loop.bottleneck.waits_for == "python"
    assert loop.bottleneck.share > 0.5
    slow = run.stage(loop.bottleneck.stage or 0)
    assert slow.function_rows == {slow.frames[0].file: [8]}
    node = loop.nodes[loop.bottleneck.node]
    assert node.processor_ms is not None
    assert node.processor_ms < node.waiting_ms["python"]
    assert rewrites(loop) == {"MapAndBatch": "fused", "ParallelMap": "parallelised", "Range": ""}
    assert "work" in whats(loop, loop.bottleneck.node)
    assert whats(loop, None) == ["wait", "step"]
    assert datetime.now(timezone.utc) - datetime.fromisoformat(run.began) < timedelta(minutes=10)

    # Made, but not consumed before the end: observed all the same.
    assert (waiting.consumer, waiting.frames[0].row) == ("waiting", 11)
    assert waiting.prefetched == "code"
    assert waiting.input
    assert waiting.input.share is None

    assert from_json(Run, json.loads(json.dumps(to_json(run)))) == run


def test_a_loop_that_makes_a_new_iterator_in_each_step_is_observed(verify: Verify) -> None:
    run = verify(
        """\
        import tensorflow as tf

        ds = tf.data.Dataset.range(10**6).shuffle(1000).batch(8)
        for epoch in range(3):
            look = next(iter(ds))
            for x in ds.skip(1).take(4):
                pass
        while True:
            x = next(iter(ds))
        """
    )
    assert run.reason == ""
    (loop,) = (pipeline for pipeline in run.pipelines if pipeline.nodes and pipeline.frames[0].row == 9)
    assert loop.step
    assert loop.step.source == "loop"
    assert loop.bottleneck
    # A look between two epochs is no step.
    assert not [pipeline for pipeline in run.pipelines if pipeline.frames[0].row == 5 and pipeline.elements]


def test_a_loop_that_only_counts_is_not_what_a_training_waits_for(verify: Verify) -> None:
    run = verify(
        """\
        import tensorflow as tf

        ds = tf.data.Dataset.range(4 * 10**5).map(lambda x: tf.cast(x, tf.float32)).batch(8)
        steps = sum(1 for _ in ds)
        weight = tf.Variable(0.0)
        for x in ds:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(x) * weight
            weight.assign_sub(0.0 * tape.gradient(loss, weight))
        """,
        pace=1.0,
    )
    seen = {pipeline.frames[0].row: pipeline for pipeline in run.pipelines if pipeline.nodes}
    assert run.reason == run.detail == ""
    assert seen.keys() == {4, 6}
    assert seen[6].step


def test_fit_is_observed_step_by_step(verify: Verify) -> None:
    run = verify(
        """\
        import keras
        import tensorflow as tf

        def prepared(x):
            return x + tf.reduce_sum(tf.random.uniform([300, 300]) @ tf.random.uniform([300, 300])) * 0.0, x

        ds = tf.data.Dataset.from_tensors(tf.zeros([4])).repeat().map(prepared).batch(8)
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4)])
        model.compile(loss="mse")
        model.fit(ds, steps_per_epoch=10**6, verbose=0)
        raise ValueError("it went on")
        """
    )
    (fit,) = run.pipelines

    assert run.reason == ""
    assert (fit.consumer, fit.frames[0].row) == ("fit", 10)
    assert fit.step
    assert fit.step.source == "fit"
    assert fit.input
    assert fit.input.band == "high"
    assert fit.bottleneck
    assert fit.bottleneck.place
    assert fit.bottleneck.place.row == 7
    assert "work" in whats(fit, fit.bottleneck.node)
    assert whats(fit, None) == ["wait", "step"]
    assert abs(sum(fit.categories.values()) - 1) < 1e-6


def test_a_loop_inside_a_tf_function_is_not_prefetched(verify: Verify) -> None:
    run = verify(
        """\
        import time
        import tensorflow as tf

        def sleep(x):
            return tf.numpy_function(lambda v: (time.sleep(0.003), v)[1], [x], tf.int64)

        @tf.function
        def train(ds):
            total = tf.constant(0, tf.int64)
            for x in ds:
                total += sleep(x)
            return total

        train(tf.data.Dataset.range(10**9).map(sleep))
        """
    )
    (graph,) = run.pipelines

    assert (graph.consumer, graph.frames[0].row) == ("graph", 10)
    assert graph.prefetched == ""
    assert graph.input
    assert graph.input.share
    assert 0.3 < graph.input.share < 0.7
    assert graph.bottleneck
    assert graph.bottleneck.place
    assert graph.bottleneck.place.row == 14
    assert "work" in whats(graph, graph.bottleneck.node)
    assert whats(graph, None) == ["wait", "step"]
    assert graph.timeline
    assert all(graph.nodes[row.node].op != "Scan" for row in graph.timeline.rows if row.node is not None)


@pytest.mark.parametrize("graph", [False, True])
def test_a_held_process_tells_what_runs_when(graph: bool, tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    pipeline = "tf.data.Dataset.range(10**9).map(lambda x: tf.random.uniform([x % 9]))"
    path.write_text(f"import tensorflow as tf\nfor x in {pipeline}: pass\n")
    plan = Plan(target(str(path)), Interpreter(sys.executable, ""), Limits())
    with Paced(plan, ("for", 0)) as held:
        seen = Asked(held, 1.0, graph=graph, within=60).timeline()
    assert seen.elements == 12
    assert {row.op for row in seen.rows if row.what == "work"} >= {"Map"}
    assert [row.what for row in seen.rows[-2:]] == ["wait", "step"]


@pytest.mark.nightly
@alone
@pytest.mark.parametrize(
    ("work", "layer", "prefetch"),
    [(160, 256, False), (160, 512, True), (100, 1024, False), (60, 512, False), (8, 2048, True)],
)
def test_the_input_share_is_that_of_the_profiler(
    verify: Verify, tmp_path: Path, work: int, layer: int, prefetch: bool
) -> None:
    xprof = pytest.importorskip("xprof.convert.raw_to_tool_data")
    profile = str(tmp_path / "fit.xplane.pb")
    run = verify(
        f"""\
        import keras
        import tensorflow as tf

        def prepared(x):
            return x + tf.reduce_sum(tf.random.uniform([{work}, {work}]) @ tf.random.uniform([{work}, {work}])) * 0.0, x

        ds = tf.data.Dataset.from_tensors(tf.zeros([32])).repeat().map(prepared).batch(32)
        if {prefetch}:
            ds = ds.prefetch(2)
        layers = [keras.layers.Dense(size) for size in ({layer}, {layer}, 32)]
        model = keras.Sequential([keras.Input((32,)), *layers])
        model.compile(loss="mse")
        model.fit(ds, steps_per_epoch=10**6, verbose=0)
        """,
        pace=20.0,
        trace_out=profile,
    )
    tables, _ = xprof.xspace_to_tool_data([profile], "input_pipeline_analyzer", {"use_saved_result": False})
    told = {key: value for table in json.loads(tables) for key, value in (table.get("p") or {}).items()}
    theirs = float(told["infeed_time_ms_avg"]) / float(told["steptime_ms_average"])
    (ours,) = (pipeline.input for pipeline in run.pipelines)

    assert ours
    assert ours.share is not None
    print(f"ours {ours.share:.1%}, the profiler's {theirs:.1%}")
    assert abs(ours.share - theirs) < 0.01


DATA = """\
import tensorflow as tf

def make(rows, training):
    ds = tf.data.Dataset.from_tensor_slices((tf.random.normal([rows, 32]), tf.zeros([rows])))
    return (ds.shuffle(100) if training else ds).map(lambda x, y: (x * 2, y)).batch(32)
"""
FIT = """\
    import keras
    from data import make

    train, validation = make(640, True), make(320, False)
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile(loss="mse")
    model.fit(train, validation_data=validation, epochs=2)
    model.save("model.keras")
    """
LOOP = """\
    import time
    from data import make

    train, validation = make(640, True), make(320, False)
    for epoch in range(3):
        for x, y in train:
            time.sleep(0.01)
    """


@pytest.mark.parametrize(("code", "consumer"), [(FIT, "fit"), pytest.param(LOOP, "for", marks=pytest.mark.thorough)])
def test_a_short_training_is_fast_enough_or_not(verify: Verify, tmp_path: Path, code: str, consumer: str) -> None:
    """It ends before it is observed, has its data from another file, and some for validation."""
    (tmp_path / "data.py").write_text(DATA)
    run = verify(code)
    train, validation = (pipeline for pipeline in run.pipelines if pipeline.nodes)

    assert (train.consumer, validation.consumer) == (consumer, "waiting")
    assert train.input
    assert train.input.share is not None
    assert train.step
    assert train.step.source == {"fit": "fit", "for": "loop"}[consumer]
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".keras"] == []


# ── known bottlenecks ───────────────────────────────────────────────────────────────────────────────────────────────

_TREE = ast.parse(KNOWN.read_text())
_LINES = KNOWN.read_text().split("\n")
EXPECTED = {
    function.name: {
        row for row in range(function.lineno, (function.end_lineno or 0) + 1) if "# here" in _LINES[row - 1]
    }
    for function in _TREE.body
    if isinstance(function, ast.FunctionDef)
}
EXPECTED = {name: rows for name, rows in EXPECTED.items() if rows}
FEW = ("nested_reader_map", "zip_with_slow_side", "sleeping_generator")


def bottlenecks(name: str, pace: float = 3.0) -> list[int]:
    """The rows in which the bottlenecks of a function's pipelines end."""
    plan = Plan(target(f"{KNOWN}::{name}"), Interpreter(sys.executable, ""), Limits(seconds=30, pace=pace))
    places = [pipeline.bottleneck.place for pipeline in observe(plan).pipelines if pipeline.bottleneck]
    return [place.end_row or place.row for place in places if place]


def test_the_bottleneck_is_found_on_its_line() -> None:
    rows = bottlenecks("few")

    assert [row in EXPECTED[name] for name, row in zip(FEW, rows, strict=True)] == [True] * len(FEW)


@pytest.mark.nightly
@alone
def test_all_bottlenecks_are_found_on_their_lines() -> None:
    found = {name: bottlenecks(name, pace=4) for name in EXPECTED}
    wrong = {name: rows for name, rows in found.items() if not rows or rows[0] not in EXPECTED[name]}

    assert len(EXPECTED) >= 60
    assert len(wrong) <= 2, wrong


# ── the process that has TensorFlow imported ────────────────────────────────────────────────────────────────────────

LOOP = """\
for x in tf.data.Dataset.range(10**9).map(lambda x: x + 1).batch(4):
    pass
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="only there it forks")
def test_a_fork_has_what_the_code_would_have_imported_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it sets first what TensorFlow reads as it is imported."""
    path = tmp_path / "script.py"
    limits = Limits(seconds=10, pace=1)
    printed = []
    # Importing it sets this.
    monkeypatch.delenv("TF2_BEHAVIOR", raising=False)
    with Warm(Interpreter(sys.executable, "")) as warm:
        for first in ("import os, sys", "import os, sys\nos.environ['TF_ENABLE_ONEDNN_OPTS'] = '0'"):
            assert warm.is_there
            path.write_text(
                f"{first}\nimport random, numpy\nprint(random.random(), numpy.random.rand())\n"
                f"print('tensorflow' in sys.modules)\nimport tensorflow as tf\n"
                f"print(tf.__spec__.origin == tf.__file__, tf.keras.__name__, os.environ['TF2_BEHAVIOR'])\n{LOOP}"
            )
            plan = Plan(target(str(path)), Interpreter(sys.executable, ""), limits)
            for _ in range(2):
                run = observe(plan, warm=warm)
                assert run.pipelines[0].nodes
                printed.append(run.output.head.splitlines())
            assert warm.is_there, "the second time with what the code sets"
        # It is not asked for a third time.
        warm.again({})
        assert not warm.is_there

    drawn, there, modules = zip(*(lines[:3] for lines in printed), strict=True)
    assert len(set(drawn)) == 4
    assert set(there) == {"False"}
    assert set(modules) == {"True keras._tf_keras.keras 1"}
