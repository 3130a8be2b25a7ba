"""Which stage is named as the bottleneck, by figures of a trace that are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tfdata_lint.verify.model import Bottleneck, Pipeline, Place, Stage
from tfdata_lint.verify.observe import pipeline

#: A parallel map, a sequential one, and a batch: the ids of their stages, which stand in rows 20, 30 and 40.
DECODE, FLIP, BATCH = 2, 3, 4
ALL_CORES = {"used": 1.95, "idle": 0.0, "cores": 2}
ONE_CORE = {"used": 1.05, "idle": 0.9, "cores": 2}


def at(row: int, function: str = "<module>") -> Place:
    return Place("/input.py", row, 0, row, 40, function)


def node(path: str, parent: int | None, total: float, busy: float, stage: int = 0, **given: Any) -> dict[str, Any]:
    """`parallelism` is a parameter, other keywords are milliseconds that it waited."""
    parallelism = {"parallelism": given.pop("parallelism")} if "parallelism" in given else {}
    work = {"busy_ms": busy, "python_ms": 0.0, "lock_ms": 0.0, "files_ms": 0.0, **given}
    return {
        "path": path, "name": "", "stages": [stage] if stage else [], "parent": parent, "calls": 100, "self_ms": 0.0,
        "total_ms": total, "work": work, "parameters": {"threadpool_size": 2} if path == "Root" else parallelism,
    }  # fmt: skip


def observed(
    usage: Mapping[str, Any] | None,
    flip: dict[str, Any],
    decode: dict[str, Any],
    frames: Mapping[int, tuple[Place, ...]] | None = None,
    ops: Mapping[int, str] | None = None,
    nodes: list[dict[str, Any]] | None = None,
    passes: Mapping[str, Any] | None = None,
) -> Pipeline:
    """A second of `decode → flip → batch`; most of it is spent in the flip, as its calls take."""
    places = {number: (at(10 * number),) for number in (DECODE, FLIP, BATCH)} | dict(frames or {})
    nodes = nodes or [
        node("Root", None, 1000, 0),
        node("Root::Batch", 0, 990, 20, BATCH),
        {**node("Root::Batch::Map", 1, 950, 0, FLIP), **flip},
        {**node("Root::Batch::Map::ParallelMap", 2, 300, 0, DECODE), **decode},
    ]
    return pipeline(
        {
            "root": BATCH, "consumer": "for", "number": 0, "frames": (), "stages": [DECODE, FLIP, BATCH],
            "ended": False, "elements": 100, "first_element_s": 0.0, "settled": True, "problem": "",
            "cores_used": None, "windows": (), "step_ms": None, "step_source": "",
            "waits": {"count": 0}, "passes": passes, "reading": {
                "nodes": nodes, "seconds": 1.0, "usage": usage, "calls_known": True,
                "waits": {"count": 0}, "ends": {"count": 0}, "steps": {"sum": 0.0},
            },
        },
        {
            number: Stage(number, (ops or {}).get(number, ""), (number - 1,) * (number > DECODE), places[number])
            for number in places
        },
    )  # fmt: skip


def worked(busy: float, **waited: float) -> dict[str, Any]:
    return {"work": node("", None, 0, busy, **waited)["work"]}


def named(of: Pipeline) -> Bottleneck:
    assert of.bottleneck
    return of.bottleneck


@pytest.mark.parametrize(
    ("usage", "flip", "decode", "stage", "by"),
    [
        # All cores are taken: the flip takes long because the workers have them.
        (ALL_CORES, worked(120), worked(1750), DECODE, "processor"),
        # By other programs, too.
        ({"used": 0.9, "idle": 0.1, "cores": 2}, worked(50), worked(800), DECODE, "processor"),
        # It is the flip itself that computes, all the time or nearly.
        (ALL_CORES, worked(930), worked(940), FLIP, "time"),
        (ALL_CORES, worked(1500), worked(300), FLIP, "processor"),
        # A core is free: nobody else keeps the flip from going on.
        (ONE_CORE, worked(500), worked(520), FLIP, "time"),
        # It sleeps, and would do so with all cores for itself.
        (ALL_CORES, worked(60, python_ms=700), worked(1700), FLIP, "time"),
        # There are cores, but no thread: decoding in Python holds both of them.
        (ONE_CORE, worked(60), worked(900, lock_ms=900), DECODE, "threads"),
        # Nothing is known of the processors.
        (None, worked(120), worked(1750), FLIP, "time"),
    ],
)
def test_it_is_the_stage_that_the_others_wait_for(
    usage: Mapping[str, Any] | None, flip: dict[str, Any], decode: dict[str, Any], stage: int, by: str
) -> None:
    found = named(observed(usage, flip, decode))
    assert (found.stage, found.by) == (stage, by)
    assert found.place == at(10 * stage)


@pytest.mark.parametrize(("recorded", "busy", "stage"), [(True, 100, DECODE), (True, 500, FLIP), (False, 100, FLIP)])
def test_in_a_profile_that_is_read_what_hardly_works_is_not_what_takes_long(
    recorded: bool, busy: float, stage: int
) -> None:
    """It does not say how long threads waited for a core."""
    usage = {**ONE_CORE, "idle": None, "taken": 0.7} if recorded else ONE_CORE
    flip = {"path": "Root::Batch::MapAndBatch", **worked(busy)}
    assert named(observed(usage, flip, worked(600))).stage == stage


def test_the_step_of_a_loop_in_a_tf_function_is_no_stage_of_the_input() -> None:
    """It is a `scan` behind the dataset, with the training as its function."""
    step = {"path": "Root::Batch::Scan", "stages": [9]}
    found = named(observed(ALL_CORES, {**worked(1500), **step}, worked(400)))
    assert (found.stage, found.by, found.share) == (DECODE, "processor", pytest.approx(400 / 420))
    assert found.runner_up
    assert found.runner_up.stage == BATCH


def test_a_prefetch_only_hands_on() -> None:
    """It waits for longer than its input was called: the first of these calls began before the trace."""
    found = named(observed(None, {"path": "Root::Batch::Prefetch", **worked(0)}, worked(200)))
    assert found.stage == DECODE


def test_its_share_and_the_runner_up() -> None:
    by_time = named(observed(ONE_CORE, worked(500), worked(520)))
    # 950 of 990 ms, and 300 of these are the child's
    assert by_time.share == pytest.approx(650 / 990 * 0.99)
    assert by_time.path == (0, 1, 2)
    assert by_time.runner_up
    assert (by_time.runner_up.stage, by_time.runner_up.place) == (DECODE, at(20))

    by_processor = named(observed(ALL_CORES, worked(160), worked(1820)))
    assert by_processor.share == pytest.approx(0.91)
    assert by_processor.path == (0, 1, 2, 3)
    assert by_processor.runner_up
    assert by_processor.runner_up.stage == FLIP
    assert by_processor.runner_up.share == pytest.approx(0.08)


def test_what_waits_for_a_core_does_not_use_it() -> None:
    """1,000 ms of the workers at work: they had half of them."""
    nodes = observed({"used": 0.51, "idle": 0.0, "cores": 2}, worked(0), worked(1000)).nodes
    assert nodes[3].processor_ms == pytest.approx(500)
    assert observed(None, worked(0), worked(1000)).nodes[3].processor_ms is None


@pytest.mark.parametrize(
    ("waited", "said"),
    [
        ({"python_ms": 800.0}, "python"),
        ({"lock_ms": 500.0, "python_ms": 100.0}, "lock"),
        ({"files_ms": 500.0}, "files"),
        ({"lock_ms": 300.0, "python_ms": 100.0}, ""),
    ],
)
def test_what_it_waits_for_is_said_if_it_does_so_for_most_of_its_time(waited: dict[str, float], said: str) -> None:
    assert named(observed(ONE_CORE, worked(450, **waited), worked(10))).waits_for == said


@pytest.mark.parametrize(
    ("main", "used", "work", "said"),
    [
        # Calls and the main thread compute as much as one thread at a time can.
        (0.2, 1.0, {"called_ms": 700.0, "python_ms": 6000.0}, "lock"),
        # The main thread computes, outside of the lock perhaps.
        (0.9, 1.0, {"called_ms": 50.0, "python_ms": 6000.0}, "python"),
        (0.1, 1.0, {"called_ms": 300.0, "python_ms": 6000.0}, "python"),
        # Somebody computes who is neither of them.
        (0.1, 1.7, {"called_ms": 300.0, "python_ms": 900.0}, "elsewhere"),
        (0.1, 0.9, {"called_ms": 300.0, "python_ms": 900.0}, "python"),
        # Nothing is known.
        (None, 1.7, {"called_ms": 700.0, "python_ms": 6000.0}, "python"),
    ],
)
def test_python_code_that_does_not_compute_sleeps_or_waits(
    main: float | None, used: float, work: dict[str, float], said: str
) -> None:
    usage = {"used": used, "idle": 0.9, "cores": 2, "main": main}
    assert named(observed(usage, worked(450, **work), worked(10))).waits_for == said


@pytest.mark.parametrize(
    ("own", "shares"),
    [((100.0, 50.0), (0.1, 0.125)), ((900.0, 390.0), (0.9, 0.975)), ((0.0, 0.0), None)],
)
def test_the_share_of_own_code_is_between_two_clocks(own: tuple[float, float], shares: Any) -> None:
    given = {"python_ms": 600.0, "own_ms": own[0], "own_processor_ms": own[1]}
    of_flip = observed(ONE_CORE, worked(400, **given), worked(10)).nodes[2].own_code
    assert of_flip == (shares and pytest.approx(shares))


def test_a_helper_is_named_with_its_call() -> None:
    inside = (at(30, "mapped"), at(50), at(60))
    found = named(observed(ONE_CORE, worked(900), worked(10), {FLIP: inside, DECODE: (at(20), at(50))}))
    assert (found.place, found.called_at) == (at(30, "mapped"), at(50))
    assert found.runner_up
    assert found.runner_up.called_at is None


def test_a_reader_that_has_no_number_is_what_its_stage_takes_elements_from() -> None:
    """`CsvDataset` gives the runtime no metadata."""
    busy = {"total_ms": 900, "work": node("", None, 0, 900)["work"]}
    csv = {"path": "Root::Batch::Map::CSV", "stages": [], **busy}
    flip = {"total_ms": 950, "work": node("", None, 0, 40)["work"]}
    found = observed(ONE_CORE, flip, csv, ops={DECODE: "Csv"}).bottleneck
    assert found
    assert found.place == at(10 * DECODE)
    other = observed(ONE_CORE, flip, csv, ops={DECODE: "TextLine"})
    assert other.nodes[3].stages == ()


def buffered(filled: int, op: str, late_ms: float | None = None) -> Pipeline:
    """`decode → shuffle → batch`: of the 100 elements that the buffer gave, so many were put into it."""
    nodes = [
        node("Root", None, 10, 0),
        node("Root::Batch", 0, 9, 8, BATCH),
        node("Root::Batch::Shuffle", 1, 1, 1, FLIP),
        *([{**node("Root::Batch::Shuffle::Map", 2, 1, 1, DECODE), "calls": filled}] if filled else []),
    ]
    passes = None if late_ms is None else {"count": 5, "late_ms": late_ms, "ms": 100.0, "elements": 10}
    return observed(None, {}, {}, ops={DECODE: op, FLIP: "Shuffle", BATCH: "Batch"}, nodes=nodes, passes=passes)


@pytest.mark.parametrize(
    ("filled", "op", "late_ms", "is_certain"),
    [
        # The end of a pass: the buffer only gives.
        (0, "Map", None, False),
        (10, "ParallelMap", None, False),
        (0, "Map", 60.0, False),
        # It is filled meanwhile, or what it is filled with costs nothing, or epochs begin as they go on.
        (100, "Map", None, True),
        (0, "TensorSlice", None, True),
        (0, "Map", 1.0, True),
    ],
)
def test_what_fills_a_buffer_may_be_slower_where_it_was_not_traced(
    filled: int, op: str, late_ms: float | None, is_certain: bool
) -> None:
    found = named(buffered(filled, op, late_ms))
    assert found.stage == BATCH
    assert (found.untraced is None) is is_certain
