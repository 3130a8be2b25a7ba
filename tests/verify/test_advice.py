"""What to do next, by figures that are given, and of programs whose trouble is known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from verify.conftest import Verify, alone
from verify.verdicts import FASTER, NO_FASTER, SAME, UNCLEAR

from tfdata_lint.verify.advice import MOST, Advice, Kind, advise
from tfdata_lint.verify.model import (
    Bottleneck,
    Buffer,
    Environment,
    Input,
    Node,
    Passes,
    Pipeline,
    Place,
    Run,
    Slowest,
    Stage,
    Step,
    Target,
)
from tfdata_lint.verify.nodes import buffers_of
from tfdata_lint.verify.report import answers, html, json as verdict_file, terminal
from tfdata_lint.verify.verdicts import Verdict, Verification

DOCUMENT = Path(__file__).parents[2] / "docs" / "verify-json.md"
SOURCE, MAP, LAST = 1, 2, 3
"""The stages, in rows 10, 20 and 30; their nodes are 3, 2 and 1."""
SEQUENTIAL = {"op": "Map", "parallelism": None, "autotuned": False}
AT_SOURCE, AT_MAP, AT_LAST = (Place("/input.py", row, 0, row, 40) for row in (10, 20, 30))


def observed(
    middle: dict[str, Any] | None = None,
    last: dict[str, Any] | None = None,
    source: dict[str, Any] | None = None,
    *,
    bottleneck: dict[str, Any] | None = None,
    sizes: tuple[int | None, ...] = (None, None, None),
    **pipeline: Any,
) -> Run:
    """A second of `source → middle → last`; the middle, a parallel map, is what takes the time, and all cores."""
    nodes = (
        Node("Root", "Root", None, calls=100, parameters={"threadpool_size": 2, "ram_budget_megabytes": 8000}),
        Node("Root::Batch", "Batch", 0, (LAST,), "", 100, 990.0, 20.0, 0.99, processor_ms=20.0),
        Node(
            "Root::Batch::ParallelMap", "ParallelMap", 1, (MAP,), "", 1000, 950.0, 900.0, 0.95,
            parallelism=2, autotuned=True, processor_ms=1900.0,
        ),
        Node("Root::Batch::ParallelMap::Range", "Range", 2, (SOURCE,), "", 1000, 3.0, 3.0, 0.0, processor_ms=3.0),
    )  # fmt: skip
    changed = tuple(
        replace(node, **(change or {})) for node, change in zip(nodes, ({}, last, middle, source), strict=True)
    )
    found = {"node": 2, "path": (0, 1, 2), "stage": MAP, "place": AT_MAP, "share": 0.95, **(bottleneck or {})}
    row: dict[str, Any] = {
        "elements_per_s": 100.0, "step": Step(10.0, "loop"), "input": Input(0.8, 8000.0, 9000.0, 100, "windows"),
        "limited_by": "input", "nodes": changed, "prefetched": "code", "cores_used": 2.0, "cores_of_others": 0.0,
        "bottleneck": Bottleneck(**found), "trace_seconds": 1.0, "frames": (Place("/input.py", 40),), **pipeline,
    }  # fmt: skip
    stages = zip((SOURCE, MAP, LAST), (AT_SOURCE, AT_MAP, AT_LAST), sizes, strict=True)
    return Run(
        Target("script", "/input.py"), "python", environment=Environment("3.11", "2.21.0", "3.15", 2, (), "Linux"),
        stages=tuple(Stage(number, "", frames=(place,), element_bytes=size) for number, place, size in stages),
        pipelines=(Pipeline(LAST, row.pop("consumer", "for"), **row),),
    )  # fmt: skip


def kinds(run: Run, verdicts: tuple[Verdict, ...] = ()) -> list[Kind]:
    return [advice.kind for advice in advise(run, 0, verdicts)]


def the(kind: Kind, run: Run) -> Advice:
    (found,) = (advice for advice in advise(run, 0) if advice.kind == kind)
    return found


def traced(share: float, waits: int, at_most: float | None) -> dict[str, Any]:
    limited = "input" if share >= 0.05 else "consumer"
    return {"input": Input(share, 50.0, 90.0, waits, "trace", at_most), "limited_by": limited, "consumer": "fit"}


# ── nothing to be done, or nothing known ────────────────────────────────────────────────────────────────────────────


def test_where_the_consumer_takes_the_time_nothing_is_to_be_done() -> None:
    (advice,) = advise(observed(**traced(0.02, 40, 0.03)), 0)
    assert advice.kind == "enough"
    assert advice.what.startswith("Nothing: the input is fast enough")
    assert (
        advice.why
        == "2.0% of the time is spent waiting for input, at most 3.0% according to untraced steps; 40 waits traced"
    )


@pytest.mark.parametrize("figures", [(0.02, 2, 0.03), (0.02, 40, 0.3)])
def test_a_few_waits_or_uneven_steps_are_no_proof_of_that(figures: tuple[float, int, float]) -> None:
    (advice,) = advise(observed(**traced(*figures)), 0)
    assert advice.what.startswith("Nothing certain")


@pytest.mark.parametrize(
    "run",
    [
        observed(bottleneck={"node": 0}, nodes=(Node("Root", "Root", None, calls=2),)),
        observed(cores_used=None, cores_of_others=None),
    ],
)
def test_without_figures_nothing_is_said(run: Run) -> None:
    assert kinds(run) == []


def test_what_was_made_beside_the_consumed_pipeline_is_passed_by() -> None:
    alone = observed(consumer="waiting")
    assert kinds(alone) == ["cheaper"]
    assert advise(replace(alone, pipelines=(*alone.pipelines, *observed().pipelines)), 0) == ()


def test_other_programs_have_the_cores() -> None:
    busy = observed(cores_used=0.8, cores_of_others=1.1)
    assert kinds(busy)[0] == "busy-machine"
    assert the("busy-machine", busy).why == "they used 1.1 of 2 cores, this program 0.8"
    assert "busy-machine" not in kinds(observed(cores_used=0.2, cores_of_others=0.9))
    # It would sleep for as long on a quiet machine.
    sleeps = {"processor_ms": 20.0, "waiting_ms": {"python": 900.0}}
    assert "busy-machine" not in kinds(
        observed(sleeps, bottleneck={"waits_for": "python"}, cores_used=0.8, cores_of_others=1.1)
    )


# ── the beginning of an epoch ───────────────────────────────────────────────────────────────────────────────────────

SHUFFLE = {"op": "Shuffle", "parameters": {"buffer_size": 500}, "calls": 1000}
#: 500 elements of 1,900 / 2 / 1,000 ms.
REFILLED = Passes(4, 840.0, 1800.0, 100)


def test_the_buffer_is_filled_again_in_each_epoch() -> None:
    run = observed(last=SHUFFLE, passes=REFILLED)
    advice = advise(run, 0)[0]
    assert (advice.kind, advice.place) == ("refill", AT_LAST)
    assert "`repeat()` directly after the shuffle" in advice.what
    assert advice.what.endswith("or shuffle before the map on line 20, which makes filling it slow")
    assert advice.why == (
        "an epoch takes 1.8 s; its first step takes 840 ms longer than the others, while the shuffle buffer refills "
        "with 500 elements"
    )
    assert "steps_per_epoch" in advise(observed(last=SHUFFLE, passes=REFILLED, consumer="fit"), 0)[0].what


def test_a_buffer_that_holds_an_epoch_has_taken_it_all_before_the_first_element() -> None:
    """While elements were traced, nothing was at work below the shuffle."""
    nodes = (
        Node("Root", "Root", None, calls=100),
        Node("Root::Shuffle", "Shuffle", 0, (LAST,), calls=100, parameters={"buffer_size": 100}),
    )
    alone = {"bottleneck": {"node": 1, "stage": LAST, "place": AT_LAST}, "nodes": nodes, "passes": REFILLED}
    (advice,) = advise(observed(**alone), 0)
    assert (advice.kind, advice.place) == ("refill", AT_LAST)
    assert advice.what.endswith("the buffer stays full")
    small = (nodes[0], replace(nodes[1], parameters={"buffer_size": 50}))
    assert kinds(observed(**{**alone, "nodes": small})) == ["late-epoch"]


@pytest.mark.parametrize(
    ("last", "late_ms"),
    [
        ({}, 480.0),  # there is no shuffle
        (SHUFFLE, 5000.0),  # filling it is too little for that
        ({**SHUFFLE, "parameters": {"buffer_size": 100_000}}, 5.0e3),  # it is no larger than an epoch
    ],
)
def test_an_epoch_that_begins_late_for_other_reasons_is_no_refill(last: dict[str, Any], late_ms: float) -> None:
    found = kinds(observed(last=last, passes=Passes(4, late_ms, 10 * late_ms, 100)))
    assert "late-epoch" in found
    assert "refill" not in found


def test_a_full_buffer_gains_nothing_where_the_slowest_stage_works_all_the_time() -> None:
    assert kinds(observed(last=SHUFFLE, passes=Passes(4, 480.0, 1000.0, 100)))[0] == "cheaper"


def test_a_short_wait_at_the_beginning_is_not_worth_a_word() -> None:
    assert kinds(observed(last=SHUFFLE, passes=Passes(4, 40.0, 1500.0, 100))) == ["cheaper"]


def test_a_fraction_of_a_millisecond_is_not_worth_a_word() -> None:
    assert "late-epoch" not in kinds(observed(passes=Passes(4, 0.4, 3.0, 10)))
    assert "late-epoch" in kinds(observed(passes=Passes(4, 4.0, 30.0, 10)))


def test_what_a_stage_could_gain_is_not_said_where_a_slower_one_may_not_have_been_traced() -> None:
    unknown = {"bottleneck": {"by": "processor", "untraced": 1}}
    assert kinds(observed(**unknown)) == []
    assert kinds(observed(last=SHUFFLE, passes=REFILLED, **unknown)) == ["refill"]


def test_cores_of_a_profile_are_an_estimate() -> None:
    advice = the("cheaper", observed(bottleneck={"by": "work"}))
    assert advice.why.startswith("about 2.0 of 2 cores are busy, an estimate, 95% of that in this stage")
    assert "cannot help" not in advice.why


def test_the_first_element_waits_for_a_full_buffer() -> None:
    large = {**SHUFFLE, "parameters": {"buffer_size": 5000}}
    advice = the("first-element", observed(last=large, first_element_s=4.8))
    assert advice.place == AT_LAST
    assert advice.why == "the first element took 4.8 s, while the shuffle buffer was filled with 5,000 elements"
    for other in ({"last": {}}, {"last": SHUFFLE}, {"last": large, "consumer": "fit"}):
        assert "first-element" not in kinds(observed(**other, first_element_s=4.8))


@pytest.mark.parametrize("between", ["Cache", "Batch", "Unbatch"])
def test_a_shuffle_does_not_change_places_with_what_it_must_not(between: str) -> None:
    """Before a cache its order would be the same in each epoch; before a batch it would shuffle other things."""
    large = {**SHUFFLE, "parameters": {"buffer_size": 5000}}
    source = {"op": "Map", "processor_ms": 1900.0}
    middle = {"op": between, "processor_ms": 1.0, "parallelism": None}
    advice = the("first-element", observed(middle, large, source, first_element_s=9.0))
    assert advice.what == "To start sooner, use a smaller shuffle buffer"
    assert "; or shuffle before" in the("first-element", observed(last=large, first_element_s=4.8)).what


# ── the stage that takes longest ────────────────────────────────────────────────────────────────────────────────────


def test_all_cores_at_work_in_parallel() -> None:
    (advice,) = advise(observed(bottleneck={"by": "processor"}), 0)
    assert (advice.kind, advice.place) == ("cheaper", AT_MAP)
    assert advice.why == "2.0 of 2 cores are busy, 95% of that in this stage: more parallel calls cannot help"
    # Together with others, of which it is told.
    shared = observed(bottleneck={"by": "processor"}, cores_used=1.4, cores_of_others=0.5)
    assert "other programs use 0.5" in the("cheaper", shared).why
    assert kinds(observed(cores_used=1.0)) == []
    assert kinds(observed({"op": "Shuffle"})) == []


@pytest.mark.parametrize(
    ("middle", "of", "kind"),
    [
        (SEQUENTIAL, {"cores_used": 1.0}, "parallel"),
        # Others have the second core, for now.
        (SEQUENTIAL, {"cores_used": 1.0, "cores_of_others": 0.6}, "parallel"),
        ({**SEQUENTIAL, "op": "Generator"}, {"cores_used": 1.0}, "parallel"),
        # The runtime chooses, or all cores are taken, or nobody knows how to.
        ({"parallelism": 1}, {"cores_used": 1.0}, None),
        (SEQUENTIAL, {"cores_used": 1.9}, "cheaper"),
        ({**SEQUENTIAL, "op": "Window"}, {"cores_used": 1.0}, None),
        # More threads copy no faster, and elements may be too small to be handed over.
        ({**SEQUENTIAL, "op": "Batch"}, {"cores_used": 1.0}, None),
        ({**SEQUENTIAL, "op": "Interleave"}, {"cores_used": 1.0}, "parallel"),
        ({**SEQUENTIAL, "op": "Interleave", "calls": 20_000}, {"cores_used": 1.0}, None),
        # It does not even fill its own thread, while others have the cores.
        ({**SEQUENTIAL, "processor_ms": 200.0}, {"cores_used": 0.7, "cores_of_others": 1.2}, "busy-machine"),
    ],
)
def test_one_thread_at_work_and_cores_left(middle: dict[str, Any], of: dict[str, Any], kind: Kind | None) -> None:
    assert kinds(observed(middle, **of)) == ([kind] if kind else [])


def test_the_interleave_that_takes_from_a_reader_is_made_parallel() -> None:
    reader = {"op": "TFRecord", "calls": 1000, "self_ms": 900.0}
    found = {"node": 3, "path": (0, 1, 2, 3), "stage": SOURCE, "place": AT_SOURCE, "share": 0.9}
    run = observed({**SEQUENTIAL, "op": "Interleave"}, source=reader, bottleneck=found, cores_used=1.0)
    (advice,) = advise(run, 0)
    assert (advice.kind, advice.place) == ("parallel", AT_MAP)
    assert "to the interleave" in advice.what


@pytest.mark.parametrize(
    ("waits_for", "op", "kind", "said"),
    [
        ("lock", "ParallelMap", "lock", "more calls at once cannot help"),
        ("elsewhere", "ParallelMap", "elsewhere", "one thread for each call"),
        ("files", "ParallelMap", "files", "TFRecord"),
        ("python", "ParallelMap", "waiting", "`options.threading.private_threadpool_size = 8`"),
        ("python", "Generator", "waiting", "in an `interleave`"),
    ],
)
def test_what_a_stage_waits_for(waits_for: Any, op: str, kind: Kind, said: str) -> None:
    middle = {"op": op, "processor_ms": 100.0, "waiting_ms": {waits_for: 900.0}}
    (advice,) = advise(observed(middle, bottleneck={"waits_for": waits_for}, cores_used=0.2), 0)
    assert (advice.kind, advice.place) == (kind, AT_MAP)
    assert said in advice.what
    assert "for 90% of its time" in advice.why


def test_short_calls_become_batches() -> None:
    short = {"calls": 90_000}
    advice = the("vectorise", observed(short))
    assert advice.why == "each call takes 21 µs, much of it overhead of the call"
    # Of a fused map and batch the calls are those of its input.
    fused = {"op": "MapAndBatch", "calls": 100}
    assert kinds(observed(fused, source={"calls": 90_000})) == ["vectorise"]
    # A function of several operations that makes little.
    parse = {"calls": 19_000}
    assert kinds(observed(parse, sizes=(None, 268, None))) == ["vectorise"]
    assert kinds(observed(parse, sizes=(None, 12_288, None))) == kinds(observed(parse)) == ["cheaper"]
    assert kinds(observed({"calls": 9_000}, sizes=(None, 268, None))) == ["cheaper"]
    # Long ones, without a batch, or beside something that takes longer.
    assert kinds(observed(fused)) == ["cheaper"]
    assert kinds(observed(short, {"op": "Take"})) == ["cheaper"]
    assert kinds(observed(short, bottleneck={"share": 0.3})) == ["cheaper"]


def test_few_batches_of_many_calls_are_enough_to_say_something() -> None:
    fused = {"op": "MapAndBatch", "calls": 4}
    assert kinds(observed(fused, source={"calls": 128})) == ["cheaper"]
    assert kinds(observed(fused, source={"calls": 5})) == []


def test_one_slow_input_of_an_interleave() -> None:
    interleave = {"op": "ParallelInterleave", "parameters": {"deterministic": True}}
    reader = {"calls": 200, "total_ms": 1100.0, "slowest": Slowest(4, 50, 1000.0)}
    (advice,) = advise(observed(interleave, source=reader, cores_used=0.2), 0)
    assert (advice.kind, advice.place) == ("slow-input", AT_MAP)
    assert advice.what.endswith("`interleave(…, deterministic=False)`")
    assert advice.why == "one of 4 inputs takes 30 times as long per element as the others"
    sequential = advise(observed({"op": "Interleave"}, source=reader, cores_used=0.2), 0)
    assert "num_parallel_calls=tf.data.AUTOTUNE, deterministic=False" in sequential[0].what
    split = advise(observed({**interleave, "parameters": {"deterministic": False}}, source=reader, cores_used=0.2), 0)
    assert split[0].what.startswith("Split")


@pytest.mark.parametrize(
    ("middle", "source"),
    [
        # They are alike; or it was hardly read; or the iterators are those of epochs.
        ({"op": "ParallelInterleave"}, {"calls": 200, "total_ms": 1100.0, "slowest": Slowest(4, 50, 300.0)}),
        ({"op": "ParallelInterleave"}, {"calls": 200, "total_ms": 1100.0, "slowest": Slowest(4, 2, 1000.0)}),
        ({}, {"calls": 200, "total_ms": 1100.0, "slowest": Slowest(4, 50, 1000.0)}),
    ],
)
def test_inputs_that_are_alike(middle: dict[str, Any], source: dict[str, Any]) -> None:
    assert "slow-input" not in kinds(observed(middle, source=source))


# ── around it ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_input_and_step_in_turns() -> None:
    half = {"input": Input(0.4, 8000.0, 9000.0, 100, "windows"), "prefetched": "", "cores_used": 1.2}
    advice = the("prefetch", observed(**half))
    assert advice.place == AT_LAST
    assert advice.why.endswith("40% and 60% of the time; overlapping them makes it at best 1.7 times as fast")
    for other in ({"prefetched": "runtime"}, {"cores_used": 1.9}, {"input": Input(0.98, 1.0, 1.0, 9, "windows")}):
        assert "prefetch" not in kinds(observed(**{**half, **other}))


def test_what_is_made_anew_in_each_epoch_is_cached_if_there_is_room() -> None:
    passes = Passes(4, 0.0, 1000.0, 100)
    advice = the("cache", observed(passes=passes, sizes=(8, 2**20, 2**24)))
    assert (advice.place, advice.why) == (AT_MAP, "its results are recomputed in each epoch, and would take 1,000.0 MB")
    assert "cache" not in kinds(observed(sizes=(8, 2**20, 2**24)))
    assert "cache" not in kinds(observed(passes=passes))
    assert "cache" not in kinds(observed(passes=passes, sizes=(8, 2**24, 2**28)))
    assert "cache" not in kinds(observed(passes=passes, sizes=(8, 2**20, 2**24), source={"op": "MemoryCache"}))
    shuffled = the("cache", observed(passes=passes, sizes=(8, 2**20, 2**24), source={"op": "Shuffle"}))
    assert shuffled.what.startswith("Shuffle after the map instead of before it, and between them put `cache()`")
    # Of random numbers it would keep those of one epoch; before them it is of use.
    fits = observed(passes=passes, sizes=(8, 2**20, 2**24))
    for drawing, is_advised in ((SOURCE, False), (MAP, False), (LAST, True)):
        stages = tuple(replace(stage, draws=stage.id == drawing) for stage in fits.stages)
        assert ("cache" in kinds(replace(fits, stages=stages))) is is_advised
    # What is no map may depend on the order.
    kept = observed({"op": "Filter"}, passes=passes, sizes=(8, 2**20, 2**24), source={"op": "Shuffle"})
    assert "cache" not in kinds(kept)
    assert "cache" not in kinds(observed({"op": "Shuffle"}, passes=passes, sizes=(8, 2**20, 2**24)))


def test_the_buffer_of_a_cache_is_its_own_node() -> None:
    # As TensorFlow 2.21 names them.
    nodes = tuple(Node(op, op, None, (MAP,), calls=10) for op in ("MemoryCache", "MemoryCacheImpl", "Map"))
    run = observed(sizes=(8, 2**10, 2**10))
    (buffer,) = buffers_of(nodes, {stage.id: stage for stage in run.stages})
    assert (buffer.node, buffer.kind, buffer.element_bytes) == (0, "cache", 2**10)


def test_a_cache_holds_what_it_was_given_not_what_was_asked_of_it() -> None:
    paths = {
        "Root::MemoryCache": 30,
        "Root::MemoryCache::MemoryCacheImpl": 30,
        "Root::MemoryCache::MemoryCacheImpl::Map": 10,
    }
    nodes = tuple(
        Node(path, path.rpartition(":")[2], number - 1 if number else None, (MAP,), calls=calls)
        for number, (path, calls) in enumerate(paths.items())
    )
    run = observed(sizes=(8, 2**10, 2**10))
    (buffer,) = buffers_of(nodes, {stage.id: stage for stage in run.stages})
    assert (buffer.elements, buffer.held_bytes) == (10, 10 * 2**10)


def test_a_cache_holds_an_epoch_once_however_often_it_is_read() -> None:
    several = Slowest(15, 101, 1.0)
    nodes = (
        Node("Root", "Root", None, calls=165),
        Node("Root::MemoryCache", "MemoryCache", 0, (MAP,), calls=1515, slowest=several),
    )
    stages = {stage.id: stage for stage in observed(sizes=(8, 2**10, 2**10)).stages}
    (buffer,) = buffers_of(nodes, stages)
    assert buffer.elements == 101
    (buffer,) = buffers_of(nodes, stages, Passes(15, 0.0, 10.0, 10))
    assert buffer.elements == 101


def test_a_shuffle_holds_what_it_had_at_most() -> None:
    given = {"buffer_size": 50, "buffered_elements": 3, "most_elements": 50}
    nodes = (Node("Shuffle", "Shuffle", None, (MAP,), calls=1000, parameters=given),)
    stages = {stage.id: stage for stage in observed(sizes=(8, 2**10, 2**10)).stages}
    (buffer,) = buffers_of(nodes, stages)
    assert (buffer.elements, buffer.held_bytes) == (50, 50 * 2**10)


def test_a_buffer_that_takes_gigabytes() -> None:
    def holding(kind: Any, capacity: int | None, size: int, **more: Any) -> Run:
        return observed(last=SHUFFLE, buffers=(Buffer(1, kind, 10, capacity, size, None),), **more)

    advice = the("memory", holding("shuffle", 4096, 2**20, sizes=(8, 2**20, 2**20)))
    assert (
        advice.what
        == "Use a smaller shuffle buffer; or shuffle before the map on line 20, where an element has 8 bytes"
    )
    assert advice.why == "the full buffer takes 4.0 GB: 4,096 elements of 1.0 MB"
    assert the("memory", holding("prefetch", 4096, 2**20)).what == "Use a smaller prefetch buffer"
    assert "memory" not in kinds(holding("shuffle", 100, 2**20))
    # How much a cache takes is known after an epoch.
    assert "memory" not in kinds(holding("cache", None, 2**22))
    assert "4.0 GB after an epoch" in the("memory", holding("cache", None, 2**22, passes=Passes(2, 0.0, 9.0, 102))).why


# ── with verdicts ───────────────────────────────────────────────────────────────────────────────────────────────────


def verdict(outcome: Any, **more: Any) -> Verdict:
    told = {"fix": "Use `num_parallel_calls=tf.data.AUTOTUNE`", "pipeline": 0, "node": 2, "comparison": FASTER, **more}
    return Verdict("TFD102", "sequential-map", "", AT_MAP, "input.py:20:1", outcome, "speedup", "", **told)


def test_a_fix_that_was_measured_comes_first() -> None:
    sequential = observed(SEQUENTIAL, cores_used=1.0)
    assert kinds(sequential) == ["parallel"]
    (advice,) = advise(sequential, 0, [verdict("confirmed", equality=SAME)])
    assert advice.kind == "fix"
    assert advice.what == "Use `num_parallel_calls=tf.data.AUTOTUNE` (TFD102)"
    assert advice.why == "measured: 2.00 times as fast, 1.80 to 2.20"


def test_what_was_measured_in_vain_is_not_advised() -> None:
    sequential = observed(SEQUENTIAL, cores_used=1.0)
    assert kinds(sequential, (verdict("refuted", comparison=NO_FASTER),)) == []
    # It stays open, or is about another pipeline.
    assert kinds(sequential, (verdict("inconclusive", comparison=UNCLEAR),)) == ["parallel"]
    assert kinds(sequential, (verdict("refuted", comparison=NO_FASTER, pipeline=1),)) == ["parallel"]


@pytest.mark.parametrize(
    ("op", "own", "kind", "said"),
    [
        ("Generator", (0.05, 0.2), "overhead", "Yield whole batches"),
        ("ParallelMap", (0.05, 0.2), "overhead", "once for each batch"),
        ("Generator", (0.8, 0.9), "cheaper", "Do less in the generator"),
        ("Generator", (0.1, 0.9), "parallel", "names or indices"),
    ],
)
def test_what_calls_of_python_code_gain_by_depends_on_what_they_do(op: str, own: Any, kind: Kind, said: str) -> None:
    middle = {**SEQUENTIAL, "op": op, "own_code": own}
    (advice,) = advise(observed(middle, cores_used=1.0), 0)
    assert (advice.kind, advice.place) == (kind, AT_MAP)
    assert said in advice.what


def test_never_more_than_three() -> None:
    run = observed(
        last=SHUFFLE, passes=REFILLED, sizes=(8, 2**20, 2**20), first_element_s=4.8,
        buffers=(Buffer(1, "shuffle", 10, 4096, 2**20, None),),
    )  # fmt: skip
    assert kinds(run) == ["refill", "cheaper", "cache"]
    assert len(kinds(run, (verdict("confirmed"),))) == MOST


# ── where it is told ────────────────────────────────────────────────────────────────────────────────────────────────


def test_it_is_told_everywhere_and_again_once_verdicts_change_it() -> None:
    run = observed(SEQUENTIAL, cores_used=1.0)
    lines = list(answers.render(run))
    told = next(number for number, line in enumerate(lines) if line.startswith("    next?         /input.py:20: Pass"))
    assert lines[told + 2].strip() == "(it takes 95% of the time, one at a time; of 2 cores the program uses 1.0)"
    assert all(len(line) <= 110 for line in lines[told:])

    for verdicts, again in (
        ((), False),
        ((verdict("not-run", comparison=None),), False),
        ((verdict("confirmed"),), True),
    ):
        judged = Verification(run, verdicts)
        assert any("measured: 2.00 times" in line for line in terminal.render(judged)) == again
        (advice,) = json.loads(verdict_file.render(judged))["advice"]
        assert (advice["pipeline"], advice["kind"]) == (0, "fix" if again else "parallel")
        assert advice["place"]["row"] == 20
        assert "<dt>Next?</dt>" in html.render(judged)


def test_kinds_are_documented() -> None:
    text = DOCUMENT.read_text()
    assert [kind for kind in (*get_args(Kind), *vars_of(Passes), *vars_of(Slowest)) if f"`{kind}`" not in text] == []


def vars_of(kind: type) -> Iterator[str]:
    yield from kind.__dataclass_fields__


# ── on TensorFlow ───────────────────────────────────────────────────────────────────────────────────────────────────


def without_others(run: Run) -> tuple[Advice, ...]:
    """Tests run beside each other."""
    quiet = tuple(replace(pipeline, cores_of_others=None) for pipeline in run.pipelines)
    return advise(replace(run, pipelines=quiet), 0)


@pytest.mark.tensorflow
def test_a_shuffle_buffer_that_is_filled_in_each_epoch(verify: Verify) -> None:
    run = verify(
        """\
        import time

        import keras
        import tensorflow as tf

        class Slow(keras.callbacks.Callback):
            def on_train_batch_end(self, batch, logs=None):
                time.sleep(0.012)

        def prepared(x):
            a = tf.random.uniform([240, 240])
            return tf.zeros([4]) + tf.reduce_sum(a @ a) * 0.0, 0.0

        ds = tf.data.Dataset.range(400)
        ds = ds.map(prepared, num_parallel_calls=2)
        ds = ds.shuffle(200)
        ds = ds.batch(20)
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
        model.compile(loss="mse")
        model.fit(ds, epochs=10**6, verbose=0, callbacks=[Slow()])
        """
    )
    (fit,) = run.pipelines
    assert fit.passes
    assert fit.passes.elements == 19  # the last step of an epoch ends unseen
    assert fit.passes.late > 0.1
    # Of a trace within an epoch it is not a part, of the share it is.
    assert fit.input
    assert fit.input.share
    assert fit.input.share > fit.passes.late
    advice = without_others(run)[0]
    assert "first step takes" in advice.why
    # While others keep the machine busy, the work of the elements does not explain how late the step is.
    row = advice.place and advice.place.row
    assert (advice.kind, row) in (("refill", 16), ("late-epoch", 17))
    if advice.kind == "refill":
        assert "refills with 200 elements" in advice.why
        assert "before the map on line 15" in advice.what


@pytest.mark.tensorflow
def test_a_first_element_that_waits_for_a_full_buffer(verify: Verify) -> None:
    run = verify(
        """\
        import time
        import tensorflow as tf

        def slow(x):
            return tf.numpy_function(lambda v: (time.sleep(0.004), v)[1], [x], tf.int64)

        ds = tf.data.Dataset.range(10**9).map(slow)
        ds = ds.shuffle(900).batch(2)
        for x in ds:
            pass
        """
    )
    told = {advice.kind: advice for advice in without_others(run)}
    assert "filled with 900 elements" in told["first-element"].why
    assert "private_threadpool_size" in told["waiting"].what
    assert [told[kind].place.row for kind in ("first-element", "waiting") if told[kind].place] == [8, 7]


@pytest.mark.tensorflow
def test_a_slow_input_among_others(verify: Verify) -> None:
    run = verify(
        """\
        import time
        import tensorflow as tf

        def read(number):
            def generate(number):
                while True:
                    time.sleep(0.02 if number == 2 else 0.0)
                    yield number
            spec = tf.TensorSpec((), tf.int64)
            return tf.data.Dataset.from_generator(generate, args=(number,), output_signature=spec)

        ds = tf.data.Dataset.range(4)
        ds = ds.interleave(read, cycle_length=4, num_parallel_calls=4)
        for x in ds.batch(2):
            pass
        """
    )
    advice = without_others(run)[0]
    assert (advice.kind, advice.place and advice.place.row) == ("slow-input", 13)
    assert "one of 4 inputs" in advice.why


@pytest.mark.tensorflow
@pytest.mark.nightly
@alone
def test_all_cores_at_work_in_a_parallel_map(verify: Verify) -> None:
    run = verify(
        """\
        import tensorflow as tf

        def work(x):
            a = tf.random.uniform([400, 400])
            return tf.cast(x, tf.float32) + tf.reduce_sum(a @ a) * 0.0

        ds = tf.data.Dataset.range(10**9).map(work, num_parallel_calls=64)
        for x in ds.batch(4):
            pass
        """
    )
    kinds_and_rows = {advice.kind: advice.place.row if advice.place else 0 for advice in advise(run, 0)}
    # Where other programs have some of the cores, these are told of.
    assert kinds_and_rows.pop("busy-machine", 0) == 0
    assert kinds_and_rows == {"cheaper": 7}
