"""Pieces of the agent, among stand-ins for the session and for the profiler's protocol buffers."""

from __future__ import annotations

import shutil
from types import SimpleNamespace
from typing import Any

import pytest
from verify.conftest import Verify

from tfdata_lint.verify.agent import accelerators, trace
from tfdata_lint.verify.agent.processor import PYTHON
from tfdata_lint.verify.agent.watch import Passes, Watch
from tfdata_lint.verify.model import Device, Pipeline
from tfdata_lint.verify.report.words import devices

MS = 10**9


def stat(number: int, **value: Any) -> SimpleNamespace:
    ((kind, content),) = value.items()
    given = {"int64_value": 0, "uint64_value": 0, kind: content}
    return SimpleNamespace(metadata_id=number, WhichOneof=lambda _: kind, **given)


def event(kind: int, begin_ms: int, ms: int, *stats: Any) -> SimpleNamespace:
    return SimpleNamespace(metadata_id=kind, offset_ps=begin_ms * MS, duration_ps=ms * MS, stats=stats)


def plane(name: str, lines: dict[str, list[Any]], events: list[str], stats: tuple[str, ...] = ()) -> SimpleNamespace:
    def named(names: Any) -> dict[int, SimpleNamespace]:
        return {number: SimpleNamespace(name=text) for number, text in enumerate(names)}

    rows = [SimpleNamespace(name=line, timestamp_ns=0, events=given) for line, given in lines.items()]
    return SimpleNamespace(name=name, lines=rows, event_metadata=named(events), stat_metadata=named(stats))


def test_what_the_runtime_does_not_know_is_no_figure() -> None:
    known = (stat(0, int64_value=7), stat(1, str_value="tfl_3"), stat(2, str_value="unavailable"))
    host = plane(
        "/host:CPU",
        {"main": [event(0, 0, 5, *known)]},
        ["Iterator::Root::ParallelMapV2"],
        ("id", "name", "parallelism"),
    )
    (node,) = trace.read(SimpleNamespace(planes=[host]), [3])["nodes"]
    assert (node["path"], node["stages"], node["parameters"]) == ("Root::ParallelMap", [3], {})


def test_observing_begins_when_the_first_step_is_over() -> None:
    """A model may be built in it for longer than a pipeline is observed."""
    begun: list[Watch] = []
    session: Any = SimpleNamespace(
        job={"pace": 20.0, "seconds": 20.0}, recorder=SimpleNamespace(number=lambda _: 1), observing=begun.append
    )
    watch = Watch(session, object(), "fit", [], 0)
    watch.step(100.0)
    watch.step(0.1)
    assert begun == [watch]


def test_a_pass_at_whose_end_all_is_observed_is_not_known_to_be_followed_by_another() -> None:
    tracer = SimpleNamespace(running_s=1.0, seconds=1.0, usage={}, stop=lambda: None)
    session: Any = SimpleNamespace(
        job={"pace": 4.0, "seconds": 20.0}, recorder=SimpleNamespace(number=lambda _: 1, stages_of=lambda _: []),
        tracer=tracer, passed=lambda _: None,
    )  # fmt: skip
    for traced, passes in ((0, 1), (10, 0)):
        watch = Watch(session, object(), "for", [], 0)
        watch._phase, watch._traced, watch._is_whole = "trace", traced, True
        watch.pause()
        assert watch.done == (traced == 10)
        assert watch._whole_passes == passes


def test_a_trace_that_the_end_of_a_pass_cuts_off_is_made_of_a_whole_pass() -> None:
    """Of the end, a buffer may be all that was at work."""
    tracer = SimpleNamespace(running_s=1.0, seconds=1.0, usage={}, stop=lambda: None, start=lambda: None)
    session: Any = SimpleNamespace(
        job={"pace": 4.0, "seconds": 20.0}, recorder=SimpleNamespace(number=lambda _: 1), tracer=tracer,
        passed=lambda _: None, phase=lambda *_: None,
    )  # fmt: skip
    watch = Watch(session, object(), "for", [], 0)
    watch.begins()
    assert not watch.is_tracing
    watch._phase, watch._traced = "trace", 10
    watch.pause()
    assert not watch.is_tracing
    assert not watch.done
    watch.begins()
    assert watch.is_tracing
    watch._traced = 10
    watch.pause()
    assert watch.done


def test_what_ends_before_it_is_traced_says_what_would_show_its_stages() -> None:
    session: Any = SimpleNamespace(
        job={"pace": 4.0, "seconds": 20.0}, recorder=SimpleNamespace(number=lambda _: 1, stages_of=lambda _: [])
    )
    watch = Watch(session, object(), "for", [], 0)
    watch.end()
    assert "`tfdata_lint.profile(dataset)` reads it" in watch.report()["problem"]


def test_a_pass_that_was_traced_has_elements_but_no_first_step() -> None:
    passes = Passes()
    for _ in range(2):
        for number in range(10):
            passes.step(0.1, 1, begins=number == 0)
            passes.drop()
        passes.pause()
    assert passes.report() == {"count": 0, "late_ms": 0.0, "ms": pytest.approx(1000.0), "elements": 10}
    for number in range(8):
        passes.step(0.5 if number == 0 else 0.1, 1, begins=number == 0)
    passes.pause()
    undisturbed = passes.report()
    assert undisturbed
    assert (undisturbed["count"], undisturbed["elements"]) == (1, 8)
    assert undisturbed["late_ms"] == pytest.approx(400.0)
    passes.end()
    assert passes.report() == undisturbed


def test_a_gpu_is_idle_when_none_of_its_streams_runs() -> None:
    gpu = plane(
        "/device:GPU:0",
        {
            "Stream #1(Compute)": [event(0, 0, 40), event(0, 60, 10)],
            "Stream #2(MemcpyH2D)": [event(1, 30, 20)],
            "Steps": [event(2, 0, 100)],
        },
        ["sgemm", "MemcpyH2D", "0"],
    )
    (seen,) = accelerators.devices(SimpleNamespace(planes=[gpu]), 0.1)
    assert (seen["name"], seen["busy"], seen["copying"]) == ("GPU:0", pytest.approx(0.6), pytest.approx(0.2))
    (told,) = devices(Pipeline(0, "fit", devices=(Device(**seen),)))
    assert told.startswith("GPU:0 is idle for 40% of the time, 20% of the time data is copied to it; ")
    assert not list(devices(Pipeline(0, "fit"))), "without a GPU there is nothing to tell"


@pytest.mark.parametrize(
    ("kernel", "operation", "transposing", "converting"),
    [
        ("void cudnn::ops::nchwToNhwcKernel<__half, __half, float>", "model/conv1/Conv2D:Conv2D", 1, 1),
        (
            "void tensorflow::functor::SwapDimension1And2InTensor3UsingTiles<unsigned int, 1024, 1024, 2, false>",
            "model/conv1/Conv2D-0-TransposeNHWCToNCHW-LayoutOptimizer:Transpose",
            1,
            1,
        ),
        ("void tensorflow::functor::ShuffleInTensor3Simple<float, 2, 1, 0, false>", "attention/t:Transpose", 1, 0),
        ("loop_transpose_fusion_3", "", 1, 0),
        ("sm80_xmma_dgrad_implicit_gemm", "model/conv2d_transpose/conv2d_transpose:Conv2DBackpropInput", 0, 0),
    ],
)
def test_what_a_gpu_transposes(kernel: str, operation: str, transposing: int, converting: int) -> None:
    gpu = plane(
        "/device:GPU:0",
        {"Stream #1(Compute)": [event(0, 0, 100, stat(0, int64_value=7), stat(1, str_value=operation))]},
        [kernel],
        ("correlation_id", "tf_op"),
    )
    (seen,) = accelerators.devices(SimpleNamespace(planes=[gpu]), 0.1)
    assert (seen["transposing"], seen["converting"]) == (pytest.approx(transposing), pytest.approx(converting))


@pytest.mark.tensorflow
@pytest.mark.skipif(not shutil.which("nvidia-smi"), reason="no GPU")
def test_a_real_gpu_is_seen_at_work(verify: Verify) -> None:
    run = verify(
        """\
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensors(tf.ones([512, 512])).repeat()
        for x in ds:
            tf.linalg.matmul(x, x)
        """
    )
    assert run.environment
    if not run.environment.gpus:
        pytest.skip("this TensorFlow does not use it")
    assert all(0 < device.busy <= 1 for pipeline in run.pipelines for device in pipeline.devices)
    assert run.pipelines[0].devices


# ── work ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_STATS = ("id", "parent_id", "name", "busy_us", "own_us", "own_processor_us")
_OF_MAP = (stat(0, int64_value=2), stat(1, int64_value=1), stat(2, str_value="tfl_3"))


def iterator(kind: int, begin_ms: int, ms: int, number: int, parent: int) -> SimpleNamespace:
    return event(kind, begin_ms, ms, stat(0, int64_value=number), stat(1, int64_value=parent))


def call(kind: int, begin_ms: int, ms: int, number: int) -> SimpleNamespace:
    return event(kind, begin_ms, ms, stat(0, int64_value=number))


def works(lines: dict[str, list[Any]], events: list[str]) -> dict[str, dict[str, float]]:
    """Of each node what was done for it, but what was not."""
    nodes = trace.read(SimpleNamespace(planes=[plane("/host:CPU", lines, events, _STATS)]), ())["nodes"]
    return {node["path"]: {name: round(ms, 3) for name, ms in node["work"].items() if ms} for node in nodes}


def test_work_is_that_of_the_stage_whose_function_is_carried_out_in_other_threads() -> None:
    """Decoding is parallel: called where its elements are asked for, not where they are taken. Flipping waits."""
    seen = works(
        {
            "main": [
                iterator(0, 0, 100, 1, 0),
                iterator(1, 10, 20, 2, 1),
                call(3, 30, 60, 77),
            ],
            "producer": [event(4, 0, 10), iterator(2, 1, 2, 3, 2), call(3, 4, 1, 55), call(3, 6, 1, 56)],
            "worker 1": [call(5, 5, 40, 55), call(5, 60, 5, 77), call(6, 70, 1, 77)],
            "worker 2": [call(5, 7, 42, 56), call(3, 47, 1, 57), call(5, 50, 6, 57)],
        },
        [
            "Iterator::Map",
            "Iterator::Map::ParallelMapV2",
            "Iterator::Map::ParallelMapV2::Range",
            "InstantiatedCapturedFunction::RunAsync",
            "ParallelMapProduce",
            "ExecutorState::Process",
            "ExecutorDoneCallback",
        ],
    )
    assert seen == {
        # 100 - 20 - 60 by itself, 6 of its function
        "Map": {"busy_ms": 26.0},
        # none while it is waited for; a function that its function calls is its own, too
        "Map::ParallelMap": {"busy_ms": 87.0},
        "Map::ParallelMap::Range": {"busy_ms": 2.0},
    }


def test_python_code_computes_or_sleeps_or_waits_for_the_lock() -> None:
    computed = [stat(3, int64_value=4000), stat(4, int64_value=25_000), stat(5, int64_value=2500)]
    seen = works(
        {
            "main": [iterator(0, 0, 60, 1, 0), call(1, 1, 55, 9)],
            "worker": [call(2, 2, 50, 9), event(3, 3, 40), event(4, 13, 30, *computed), event(5, 44, 7)],
        },
        [
            "Iterator::Map",
            "InstantiatedCapturedFunction::Run",
            "ExecutorState::Process",
            "EagerPyFunc:EagerPyFunc",
            PYTHON,
            "ReadFile:ReadFile",
        ],
    )
    assert seen == {
        "Map": {
            "busy_ms": 5 + 3 + 4.0,
            "python_ms": 26.0,
            "lock_ms": 10.0,
            "files_ms": 7.0,
            "called_ms": 4.0,
            "own_ms": 25.0,
            "own_processor_ms": 2.5,
        }
    }


def test_what_a_function_does_that_nobody_was_seen_to_call_is_nobodys() -> None:
    seen = works(
        {"main": [iterator(0, 0, 5, 1, 0)], "worker": [call(1, 0, 9, 4), call(2, 1, 1, 4)]},
        ["Iterator::Map", "ExecutorState::Process", "FunctionRun"],
    )
    assert seen == {"Map": {"busy_ms": 5.0}}


# ── what ran when ───────────────────────────────────────────────────────────────────────────────────────────────────


def rows(lines: dict[str, list[Any]], events: list[str], elements: int) -> dict[tuple[str, str], Any]:
    seen = trace.read(SimpleNamespace(planes=[plane("/host:CPU", lines, events, _STATS)]), (), elements)["timeline"]
    assert seen["ticks"] * seen["tick_ms"] == pytest.approx(400.0)
    return {(row["op"], row["what"]): row["lanes"] for row in seen["rows"]}


def test_a_timeline_has_what_is_done_for_a_stage_in_whatever_thread_and_no_waiting() -> None:
    """From the second wait on, at 100 ms: one tick is one ms."""
    events = [
        "IteratorGetNext::DoCompute", "Iterator::Root", "Iterator::Root::Prefetch", "Iterator::Root::Prefetch::Map",
        "InstantiatedCapturedFunction::Run", "ExecutorState::Process", "PrefetchProduce",
    ]  # fmt: skip
    taken = [
        one
        for begin in (0, 100, 300, 500)
        for one in (event(0, begin, 50), iterator(1, begin, 49, 1, 0), iterator(2, begin, 48, 2, 1))
    ]
    assert rows(
        {
            "main": taken,
            "producer": [event(6, 100, 200), iterator(3, 110, 90, 3, 2), call(4, 120, 60, 7)],
            "worker": [call(5, 130, 40, 7)],
        },
        events,
        2,
    ) == {
        ("Map", "work"): [[10, 20, 30, 70, 80, 100]],
        ("", "wait"): [[0, 50, 200, 250]],
        ("", "step"): [[50, 200, 250, 400]],
    }


def test_a_loop_in_a_graph_waits_for_its_last_stage_and_is_no_stage() -> None:
    """Scan is what AutoGraph makes of the loop."""
    lines = [
        one
        for begin in (0, 100, 300, 500)
        for one in (iterator(0, begin, 90, 1, 0), event(1, begin, 50, *_OF_MAP), iterator(2, begin, 20, 3, 2))
    ]
    names = ["ReduceIterator::Scan", "ReduceIterator::Scan::Map", "ReduceIterator::Scan::Map::Range"]
    assert rows({"main": lines}, names, 2) == {
        ("Map", "work"): [[20, 50, 220, 250]],
        ("Range", "work"): [[0, 20, 200, 220]],
        ("", "wait"): [[0, 50, 200, 250]],
        ("", "step"): [[50, 200, 250, 400]],
    }
