"""Which figures make which verdict, and a few verdicts on real TensorFlow."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from two_files import INPUTS, TRAIN
from verify.verdicts import (
    BATCH,
    FASTER,
    MAP,
    NO_FASTER,
    SAME,
    SHARD,
    SLOWER,
    UNCLEAR,
    Given,
    comparison,
    finding,
    run,
    script,
    span,
    with_pipeline,
)

from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.rules.base import Related
from tfdata_lint.verify import figures
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.experiments import Draws, Share, Size
from tfdata_lint.verify.findings import findings_of
from tfdata_lint.verify.held import Gone
from tfdata_lint.verify.interrupts import Interrupted
from tfdata_lint.verify.judge import verify
from tfdata_lint.verify.model import Buffer, Device, Input, Node, Passes, Place, Run, Stage, Step
from tfdata_lint.verify.plan import Interpreter, Limits, Plan, target
from tfdata_lint.verify.report import terminal
from tfdata_lint.verify.runner import observe
from tfdata_lint.verify.verdicts import Verdict, Verification


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return script(tmp_path)


def judged(seen: Run, one: Any, *outcomes: Any, calls: Collection[Span] = (), everything: bool = False) -> Verdict:
    plan, given = Plan(seen.target, Interpreter("python", "")), Given(seen, *outcomes)
    (verdict,) = verify(plan, seen, [one], experiments=given, calls=calls, everything=everything).verdicts
    return verdict


def by(given: Given, one: Any) -> Verdict:
    seen = given._run
    (verdict,) = verify(Plan(seen.target, Interpreter("python", "")), seen, [one], experiments=given).verdicts
    return verdict


def said(verdict: Verdict) -> tuple[str, str]:
    return verdict.outcome, verdict.reason


# ── speed ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("compared", "outcome", "reason"),
    [
        (FASTER, "confirmed", "speedup"),
        (SLOWER, "harmful", "slowdown"),
        (NO_FASTER, "refuted", "below-threshold"),
        (UNCLEAR, "inconclusive", "noise"),
    ],
)
def test_the_interval_decides(path: Path, compared: Any, outcome: str, reason: str) -> None:
    verdict = judged(run(path), finding("TFD102", path), (SAME, compared))
    assert said(verdict) == (outcome, reason)
    assert verdict.comparison == compared
    assert verdict.where == f"{path}:2:19"


def test_no_speedup_beside_the_bottleneck_is_no_wonder(path: Path) -> None:
    verdict = judged(run(path), finding("TFD305", path, BATCH), (SAME, NO_FASTER))
    assert said(verdict) == ("refuted", "not-bottleneck")


@pytest.mark.parametrize(("wait_ms", "outcome"), [(0.5, "inconclusive"), (6.0, "refuted")])
def test_a_simulated_step_that_hardly_waits_refutes_nothing(path: Path, wait_ms: float, outcome: str) -> None:
    compared = replace(NO_FASTER, before=replace(NO_FASTER.before, wait_ms=wait_ms, step_ms=2.0))
    verdict = judged(run(path), finding("TFD102", path), (SAME, compared))
    assert verdict.outcome == outcome
    assert ("simulated step" in verdict.detail) == (outcome == "inconclusive")


def test_work_that_hardly_takes_time_is_refuted_whatever_is_simulated(path: Path) -> None:
    """Its share is that with the true step; where it could work ahead, or share the lock, it is more than its share."""
    compared = replace(NO_FASTER, before=replace(NO_FASTER.before, wait_ms=0.5, step_ms=2.0))
    seen = run(path)
    *others, batch, node = seen.pipelines[0].nodes
    bottleneck = replace(seen.pipelines[0].bottleneck, node=2, stage=3)
    idle = with_pipeline(
        seen, nodes=(*others, batch, replace(node, total_ms=1.0, self_ms=1.0, share=0.01)), bottleneck=bottleneck
    )
    for code in ("TFD102", "TFD202"):
        one = finding(code, path)
        assert said(judged(idle, one, (SAME, compared), everything=True))[0] == "refuted"
        assert said(judged(seen, one, (SAME, compared), everything=True))[0] != "refuted"
    unready = with_pipeline(idle, prefetched="")
    assert said(judged(unready, finding("TFD102", path), (SAME, compared))) == ("inconclusive", "noise")


OTHER_ORDER, MORE = Equality("other-order", 64, whole=True), comparison(3.0, 2.8, 3.2)


@pytest.mark.parametrize(
    ("first", "second", "outcome", "fix", "words"),
    [
        # The elements stay as they are with the first one, which may be written: what the other one gives is said.
        ((SAME, FASTER), (OTHER_ORDER, MORE), "confirmed", "Use `more`", "another fix (Mix) it is 3.00 times as fast"),
        ((SAME, NO_FASTER), (OTHER_ORDER, MORE), "confirmed", "Mix", "another fix (Use `more`) it is 1.00 times"),
        ((SAME, UNCLEAR), (OTHER_ORDER, MORE), "confirmed", "Mix", "another fix (Use `more`) it is 1.10 times"),
        ((SAME, NO_FASTER), (OTHER_ORDER, NO_FASTER), "refuted", "Use `more`", "another fix (Mix) it is 1.00 times"),
        ((Equality("differs", 64, whole=True), None), (OTHER_ORDER, MORE), "confirmed", "Mix", "are others"),
        ((SAME, NO_FASTER), (Equality("differs", 64, whole=True), None), "refuted", "Use `more`", "are others"),
        ((SAME, NO_FASTER), Gone("timeout", "it hung"), "refuted", "Use `more`", "With the fix it is 1.00 times"),
    ],
)
def test_another_fix_is_tried_too_and_both_are_told(
    path: Path, first: Any, second: Any, outcome: str, fix: str, words: str
) -> None:
    one = finding("TFD104", path)
    assert one.fix
    edit = one.fix.edits[0]._replace(text=", mixed")
    mixing = one.fix._replace(applicability="unsafe", title="Mix", edits=(edit,))
    verdict = judged(run(path), one._replace(alternatives=(mixing,)), first, second)
    assert (verdict.outcome, verdict.fix) == (outcome, fix)
    assert words in verdict.detail


def test_what_the_first_fix_has_said_holds_where_another_one_is_interrupted(path: Path) -> None:
    one = finding("TFD104", path)
    assert one.fix
    given = Given(seen := run(path), (SAME, FASTER), KeyboardInterrupt())
    done = verify(
        Plan(seen.target, Interpreter("python", "")), seen, [one._replace(alternatives=(one.fix,))], experiments=given
    )
    assert (done.stopped, said(done.verdicts[0])) == ("interrupted", ("confirmed", "speedup"))
    assert done.verdicts[0].comparison == FASTER


def test_noise_comes_with_what_the_machine_could_have_told(path: Path) -> None:
    verdict = judged(run(path), finding("TFD102", path), (SAME, UNCLEAR))
    assert "only a speedup of at least 1.20 times" in verdict.detail


def test_what_is_compared_is_the_fixed_text(path: Path) -> None:
    seen = run(path)
    given = Given(seen, (SAME, FASTER))
    verify(Plan(seen.target, Interpreter("python", "")), seen, [finding("TFD102", path, fix=", g")], experiments=given)
    assert given.texts == [{str(path): path.read_text().replace("map(decode)", "map(decode, g)")}]


@pytest.mark.parametrize("outcome", ["spec-differs", "second-epoch-differs", "differs"])
def test_a_fix_that_changes_the_elements_is_harmful_however_fast(path: Path, outcome: Any) -> None:
    verdict = judged(run(path), finding("TFD102", path), (Equality(outcome, 64), None))
    assert said(verdict) == ("harmful", "not-equivalent")


def test_an_unsafe_fix_whose_first_elements_differ_may_only_have_another_order(path: Path) -> None:
    one = finding("TFD102", path)
    assert one.fix
    unsafe = one._replace(fix=one.fix._replace(applicability="unsafe", reason="the order changes"))
    verdict = judged(run(path), unsafe, (Equality("differs", 64), FASTER))
    assert said(verdict) == ("inconclusive", "not-equivalent")
    assert verdict.comparison == FASTER


# ── the step ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("waiting", "outcome", "reason"),
    [
        (0.01, "inconclusive", "not-measurable"),
        (0.5, "inconclusive", "not-measurable"),
        (0.97, "not-needed", "not-bottleneck"),
    ],
)
def test_what_a_step_does_is_no_matter_of_waiting(path: Path, waiting: float, outcome: str, reason: str) -> None:
    seen = with_pipeline(run(path), input=Input(waiting, 8000.0, 9000.0, 100, "windows"))
    verdict = judged(seen, finding("TFD609", path, fix=None))
    assert said(verdict) == (outcome, reason)
    assert f"The step itself takes {1 - waiting:.0%} of the time" in verdict.detail


@pytest.mark.parametrize(
    ("before", "after", "outcome", "reason"),
    [
        ([100.0, 180.0], [9.0, 12.0], "confirmed", "speedup"),
        ([10.0, 10.2, 10.1], [10.0, 10.1, 10.2], "refuted", "below-threshold"),
        # Of one run that was disturbed, or of other gains, nobody knows.
        ([100.0, 105.0, 200.0], [90.0, 92.0, 95.0], "inconclusive", "noise"),
        ([10.0, 40.0, 40.0], [9.0, 9.0, 9.0], "inconclusive", "noise"),
    ],
)
@pytest.mark.parametrize("code", ["TFD403", "TFD604"])
def test_a_fix_of_the_step_is_measured_in_runs_of_it(
    path: Path, code: str, before: list[float], after: list[float], outcome: str, reason: str
) -> None:
    assert said(judged(run(path), finding(code, path), (before, after))) == (outcome, reason)


@pytest.mark.parametrize("waiting", [0.03, 0.97])
def test_a_new_iterator_in_each_step_is_neither_step_nor_wait(path: Path, waiting: float) -> None:
    """It is made before the wait, and deleted behind it."""
    seen = with_pipeline(run(path), input=Input(waiting, 300.0, 400.0, 100, "windows"))
    assert said(judged(seen, finding("TFD403", path), ([9.0, 9.0], [1.0, 1.0]))) == ("confirmed", "speedup")
    assert said(judged(seen, finding("TFD403", path, fix=None))) == ("not-run", "no-fix")


def test_what_no_run_tells_is_not_judged_by_the_waiting(path: Path) -> None:
    """Neither that nobody waits, nor how fast a fix is, has to do with it."""
    hardly = with_pipeline(run(path), input=Input(0.01, 100.0, 200.0, 100, "windows"))
    for code in ("TFD307", "TFD410"):
        verdict = judged(hardly, finding(code, path), everything=True)
        assert said(verdict) == ("not-run", "not-measurable")
        assert verdict.detail == figures.rule(finding(code, path)).unmeasured


@pytest.mark.parametrize(
    ("late_ms", "ops", "outcome"),
    [
        (90.0, ("Prefetch", "Batch", "Shuffle", "MemoryCache"), ("confirmed", "shown")),
        # Nothing is known of what is built; or a map would do it again, or a buffer is filled from something else.
        (1.0, ("Prefetch", "Batch", "Shuffle", "MemoryCache"), ("inconclusive", "not-measurable")),
        (90.0, ("Batch", "Shuffle", "Map", "MemoryCache"), ("inconclusive", "not-measurable")),
        (90.0, ("Batch", "Shuffle", "Map"), ("inconclusive", "not-measurable")),
        (90.0, ("Batch", "MemoryCache"), ("inconclusive", "not-measurable")),
        (None, ("Batch", "Shuffle", "MemoryCache"), ("not-run", "not-measurable")),
    ],
)
def test_a_pipeline_that_is_built_for_each_epoch_fills_its_cache_again(
    path: Path, late_ms: float | None, ops: tuple[str, ...], outcome: tuple[str, str]
) -> None:
    source = run(path).pipelines[0].nodes[-1]
    nodes = [Node("Root", "Root", None)]
    nodes += [Node(op, op, number) for number, op in enumerate(ops)]
    nodes.append(replace(source, parent=len(ops)))
    passes = None if late_ms is None else Passes(3, late_ms, 100.0, 10)
    verdict = judged(with_pipeline(run(path), nodes=tuple(nodes), passes=passes), finding("TFD324", path))
    assert said(verdict) == outcome
    if outcome[0] == "confirmed":
        assert verdict.detail.startswith("An epoch takes 100 ms, its first step 90 ms longer than the others, while a ")
        assert verdict.share == pytest.approx(0.9)


# ── without an experiment ───────────────────────────────────────────────────────────────────────────────────────────


def test_what_the_runtime_parallelises_is_not_needed_unless_all_is_asked_for(path: Path) -> None:
    seen = run(path)
    *others, node = seen.pipelines[0].nodes
    parallel = replace(node, op="ParallelMap", rewrite="parallelised", parallelism=2, autotuned=True)
    seen = with_pipeline(seen, nodes=(*others, parallel))
    verdict = judged(seen, finding("TFD102", path))
    assert said(verdict) == ("not-needed", "runtime-already-does-it")
    assert verdict.detail.startswith("TensorFlow already does this")
    assert "`ParallelMap`, 2 at a time" in verdict.detail
    everything = judged(seen, finding("TFD102", path), (SAME, NO_FASTER), everything=True)
    assert said(everything) == ("refuted", "below-threshold")


def test_a_fused_map_that_still_runs_one_at_a_time_is_compared(path: Path) -> None:
    seen = run(path)
    *others, node = seen.pipelines[0].nodes
    fused = replace(node, op="MapAndBatch", rewrite="fused", parallelism=1)
    verdict = judged(with_pipeline(seen, nodes=(*others, fused)), finding("TFD102", path), (SAME, FASTER))
    assert said(verdict) == ("confirmed", "speedup")


def test_a_prefetch_that_the_runtime_appends_is_not_needed_unless_it_comes_too_late(path: Path) -> None:
    missing = finding("TFD101", path, BATCH)
    assert said(judged(run(path), missing)) == ("not-needed", "runtime-already-does-it")
    in_function = with_pipeline(run(path), consumer="graph", prefetched="")
    assert said(judged(in_function, missing, (SAME, FASTER))) == ("confirmed", "speedup")


def test_a_consumer_that_hardly_waits_cannot_become_faster(path: Path) -> None:
    seen = with_pipeline(run(path), input=Input(0.03, 300.0, 400.0, 100, "windows"))
    assert said(judged(seen, finding("TFD102", path))) == ("not-needed", "not-bottleneck")


def test_a_stage_that_hardly_works_is_not_tried(path: Path) -> None:
    """Where nothing is prefetched, or it is the bottleneck for another reason, it might gain more than its own time."""
    seen, one = run(path), finding("TFD102", path)
    *others, batch, node = seen.pipelines[0].nodes
    idle = replace(node, self_ms=1.0)
    beside = with_pipeline(
        seen, nodes=(*others, batch, idle), bottleneck=replace(seen.pipelines[0].bottleneck, node=2, stage=3)
    )
    verdict = judged(beside, one)
    assert said(verdict) == ("not-needed", "not-bottleneck")
    assert "its own work takes 1.0% of the time" in verdict.detail
    assert said(judged(beside, one, (SAME, FASTER), everything=True)) == ("confirmed", "speedup")
    assert said(judged(with_pipeline(beside, prefetched=""), one, (SAME, FASTER))) == ("confirmed", "speedup")
    busy = with_pipeline(beside, nodes=(*others, batch, node))
    assert said(judged(busy, one, (SAME, FASTER))) == ("confirmed", "speedup")


def test_a_reader_works_in_the_files_that_it_reads(path: Path) -> None:
    """`TFRecordDataset(files)` is a flat map of readers, whose own work is none."""
    seen = run(path)
    *others, node = seen.pipelines[0].nodes
    reader = Node("Root::Prefetch::Batch::FlatMap::TFRecord", "TFRecord", 3, (1,), "", 80, 87.0, 87.0, 0.87)
    nodes = (*others, replace(node, op="FlatMap", self_ms=1.0), reader)
    beside = replace(seen.pipelines[0].bottleneck, node=4, stage=None)
    seen = with_pipeline(seen, nodes=nodes, bottleneck=beside)
    assert said(judged(seen, finding("TFD105", path), (SAME, FASTER))) == ("confirmed", "speedup")


def test_what_a_full_cache_has_put_to_rest_is_not_tried(path: Path) -> None:
    seen, one = run(path), finding("TFD102", path)
    mapped, batch, shard = seen.stages
    root, prefetch, *_ = seen.pipelines[0].nodes
    cache = Stage(9, "Cache", (mapped.id,), (Place(os.path.realpath(path), 3, 0, 3, 9),))
    kept = Node("Root::Prefetch::MemoryCache", "MemoryCache", 1, (cache.id,), "", 80, 8.0, 8.0, 0.08)
    full = replace(seen, stages=(mapped, cache, replace(batch, inputs=(cache.id,)), shard))
    full = with_pipeline(full, stages=(2, 9, 3), nodes=(root, prefetch, kept), bottleneck=None)
    verdict = judged(full, one)
    assert said(verdict) == ("not-needed", "not-bottleneck")
    assert "the cache on line 3 is full" in verdict.detail
    other = with_pipeline(full, nodes=(root, prefetch))
    assert said(judged(other, one, (SAME, NO_FASTER))) == ("refuted", "below-threshold")


def test_verdicts_are_told_as_they_are_known_what_needs_no_experiment_first(path: Path) -> None:
    seen, told = run(path), []
    given = Given(seen, Share(64, 64), (SAME, FASTER))
    found = [finding("TFD102", path), finding("TFD302", path), finding("TFD101", path, BATCH)]
    done = verify(
        Plan(seen.target, Interpreter("python", "")), seen, found, experiments=given, told=lambda one: told.append(one)
    )
    assert [one.code for one in told] == ["TFD101", "TFD302", "TFD102"]
    assert [one.code for one in done.verdicts] == ["TFD102", "TFD302", "TFD101"], "as they were found"


def test_what_takes_most_of_the_time_is_tried_first(path: Path) -> None:
    seen, told = run(path), []
    given = Given(seen, (SAME, FASTER), (SAME, SLOWER))
    found = [finding("TFD305", path, BATCH), finding("TFD102", path)]
    verify(Plan(seen.target, Interpreter("python", "")), seen, found, experiments=given, told=told.append)
    assert [(one.code, one.outcome) for one in told] == [("TFD102", "confirmed"), ("TFD305", "harmful")]


def test_what_was_told_before_an_interrupt_is_told_once(path: Path) -> None:
    seen, told = run(path), []
    given = Given(seen, KeyboardInterrupt())
    found = [finding("TFD102", path), finding("TFD101", path, BATCH)]
    done = verify(
        Plan(seen.target, Interpreter("python", "")), seen, found, experiments=given, told=lambda one: told.append(one)
    )
    assert [(one.code, one.outcome) for one in done.verdicts] == [("TFD102", "not-run"), ("TFD101", "not-needed")]
    rest = "\n".join(terminal.render(done, told=told))
    assert "TFD102" in rest
    assert "TFD101" not in rest
    assert "1 not-needed, 1 not-run" in rest


def test_without_a_fix_there_is_nothing_to_compare(path: Path) -> None:
    verdict = judged(run(path), finding("TFD305", path, fix=None))
    assert said(verdict) == ("not-run", "no-fix")
    assert "cannot be left out" in verdict.detail
    batch = judged(run(path), finding("TFD312", path, BATCH, fix=None))
    assert said(batch) == ("not-run", "no-fix")
    assert "2% of the time" in batch.detail


@pytest.mark.parametrize(
    ("seen", "outcome"), [(NO_FASTER, "refuted"), (UNCLEAR, "inconclusive"), (FASTER, "inconclusive")]
)
def test_a_map_whose_calls_could_be_for_batches_costs_no_more_than_all_above_it(
    path: Path, seen: Any, outcome: str
) -> None:
    given = Given(run(path), left_out=seen)
    verdict = by(given, finding("TFD305", path, fix=None))
    assert verdict.outcome == outcome
    assert given.asked == [(2, True)]


@pytest.mark.parametrize("outcome", ["rounded", "fewer-parts"])
def test_a_fix_that_says_so_may_change_last_digits_and_drop_what_nobody_reads(path: Path, outcome: Any) -> None:
    """Nothing like that is written for being proven."""
    found = finding("TFD305", path)
    assert said(by(Given(run(path), (Equality(outcome, 64), FASTER)), found)) == ("harmful", "not-equivalent")
    unsafe = found._replace(fix=found.fix and found.fix._replace(applicability="unsafe"))
    seen = run(path)
    done = verify(
        Plan(seen.target, Interpreter("python", "")), seen, [unsafe], prove=("safe", "unsafe"),
        experiments=Given(seen, (Equality(outcome, 64), FASTER)),
    )  # fmt: skip
    assert said(done.verdicts[0]) == ("confirmed", "speedup")
    assert not done.proven


@pytest.mark.parametrize(
    ("waiting", "of_map", "others", "verdict"),
    [
        (0.8, 88.0, 0.0, ("confirmed", "limits-input")),
        (0.8, 2.0, 0.0, ("not-needed", "not-bottleneck")),
        (0.5, 30.0, 0.0, ("confirmed", "limits-input")),
        (0.5, 30.0, 1.0, ("inconclusive", "noise")),
        (0.1, 88.0, 0.0, ("inconclusive", "noise")),
        (0.03, 88.0, 0.0, ("not-needed", "not-bottleneck")),
    ],
)
def test_work_that_no_fix_takes_away_is_judged_by_its_share(
    path: Path, waiting: float, of_map: float, others: float, verdict: tuple[str, str]
) -> None:
    seen = run(path)
    root, prefetch, batch, one = seen.pipelines[0].nodes
    nodes = (root, prefetch, batch, replace(one, total_ms=of_map, self_ms=of_map))
    waited = Input(waiting, 8000.0, 9000.0, 100, "windows")
    seen = with_pipeline(seen, nodes=nodes, input=waited, cores_of_others=others)
    assert said(judged(seen, finding("TFD201", path, fix=None))) == verdict


def test_work_that_is_done_again_is_judged_by_what_does_it(path: Path) -> None:
    one = finding("TFD301", path, BATCH, fix=None, related=(Related(span(path, MAP), "runs again"),))
    assert said(judged(with_pipeline(run(path), whole_passes=3), one)) == ("confirmed", "limits-input")
    # It may go on where it was stopped; one that ended after a pass does not.
    assert said(judged(with_pipeline(run(path), whole_passes=1), one)) == ("confirmed", "limits-input")
    fixed = finding("TFD301", path, BATCH, related=one.related)
    for over in ("ended", "drained", "repeated"):
        seen = with_pipeline(run(path), whole_passes=1, **{over: True})
        assert said(judged(seen, one)) == said(judged(seen, fixed)) == ("refuted", "not-shown")
        assert said(judged(replace(seen, reason="timeout"), one)) == ("confirmed", "limits-input")
        # What a function returns, others read; and what nobody has read by then.
        for consumer in ("returned", "waiting"):
            unread = with_pipeline(seen, consumer=consumer, whole_passes=0)
            assert said(judged(unread, fixed, (SAME, FASTER))) == ("confirmed", "speedup")
        # One pass over what is repeated is several.
        *others, mapped = seen.pipelines[0].nodes
        repeat = Node("Root::Prefetch::Batch::Repeat", "FiniteRepeat", 2, (), "", 80, 89.0, 1.0, 0.89)
        often = with_pipeline(seen, nodes=(*others, repeat, replace(mapped, parent=3)), bottleneck=None)
        assert said(judged(often, one)) == ("confirmed", "limits-input")


@pytest.mark.parametrize(
    ("code", "seen", "verdict"),
    [
        ("TFD202", FASTER, ("confirmed", "limits-input")),
        ("TFD202", NO_FASTER, ("refuted", "not-bottleneck")),
        ("TFD202", UNCLEAR, ("inconclusive", "noise")),
        # So little may be what its replacement costs.
        ("TFD202", comparison(1.1, 1.06, 1.2), ("inconclusive", "noise")),
        # What the advice saves of it is another question.
        ("TFD102", FASTER, ("inconclusive", "no-fix")),
        ("TFD102", NO_FASTER, ("refuted", "not-bottleneck")),
    ],
)
def test_what_no_fix_takes_away_is_left_out(path: Path, code: str, seen: Any, verdict: tuple[str, str]) -> None:
    given = Given(run(path), left_out=seen)
    one = by(given, finding(code, path, fix=None))
    assert said(one) == verdict
    assert given.asked == [(2, False)]
    assert (one.without, one.comparison) == (seen, None)
    assert f"Without this work it is {seen.ratio:.2f} times as fast" in one.detail


def test_what_works_ahead_could_gain_more_than_leaving_a_stage_out(path: Path) -> None:
    given = Given(with_pipeline(run(path), prefetched=""), left_out=NO_FASTER)
    assert said(by(given, finding("TFD102", path, fix=None))) == ("not-run", "no-fix")


def test_where_the_first_pass_was_not_seen_whole_a_second_one_is_not_known_to_come(path: Path) -> None:
    one = finding("TFD301", path, BATCH, related=(Related(span(path, MAP), "runs again"),))
    first = with_pipeline(run(path), whole_passes=0)
    assert said(judged(first, one, (SAME, FASTER))) == ("inconclusive", "timeout")
    assert said(judged(first, one._replace(fix=None))) == ("inconclusive", "timeout")
    # The time of an epoch of `fit` is no sign that it is the only one.
    assert said(judged(with_pipeline(first, consumer="fit"), one, (SAME, FASTER))) == ("confirmed", "speedup")


def test_a_repetition_that_the_code_did_not_reach_does_nothing_again(path: Path) -> None:
    one = finding("TFD301", path, BATCH, related=(Related(span(path, MAP), "runs again"),))
    seen = run(path)
    root, prefetch, batch, mapped = seen.pipelines[0].nodes
    root, repeat = replace(root, calls=100), Node("Root::Prefetch::Repeat", "ForeverRepeat", 1, (), "", 1600)
    cache = replace(batch, op="MemoryCache", parent=3, calls=1600)
    nodes = (root, prefetch, repeat, replace(mapped, parent=2), cache)
    over = with_pipeline(seen, nodes=nodes, whole_passes=0, drained=True, taken=180)
    # 180 batches of 16 are 2,880.
    outcomes = (SAME, FASTER), Size(4000, 4000, 0.1)
    verdict = judged(over, one, *outcomes)
    assert said(verdict) == ("inconclusive", "no-consumption")
    assert "after about 2,880 of the 4,000 elements" in verdict.detail
    for size in (Size(2000, 2000, 0.1), Size(2900, 2900, 0.1), None, Gone("crashed", "it did")):
        assert said(judged(over, one, (SAME, FASTER), size)) == ("confirmed", "speedup")
    assert said(judged(with_pipeline(over, consumer="fit", whole_passes=3), one, *outcomes))[0] == "inconclusive"
    # Where the run was stopped, the code may go on.
    for other in (
        replace(over, reason="timeout"),
        with_pipeline(over, taken=None),
        with_pipeline(over, whole_passes=3),
    ):
        assert said(judged(other, one, *outcomes)) == ("confirmed", "speedup")


def test_of_what_is_done_again_all_that_a_cache_would_hold_is_left_out(path: Path) -> None:
    given = Given(with_pipeline(run(path), whole_passes=3), left_out=FASTER)
    one = finding("TFD301", path, BATCH, fix=None, related=(Related(span(path, MAP), "runs again"),))
    assert said(by(given, one)) == ("confirmed", "limits-input")
    assert given.asked == [(2, True)]


def test_an_edit_that_gains_nothing_is_not_all_that_the_work_costs(path: Path) -> None:
    given = Given(run(path), (SAME, NO_FASTER), left_out=FASTER)
    one = by(given, finding("TFD202", path))
    assert said(one) == ("confirmed", "limits-input")
    assert one.detail.startswith("With the fix it is 1.00 times as fast")
    assert said(by(Given(run(path), (SAME, NO_FASTER), left_out=NO_FASTER), finding("TFD202", path))) == (
        "refuted",
        "below-threshold",
    )


@pytest.mark.parametrize(
    ("waiting", "seen", "verdict"),
    [
        (0.02, NO_FASTER, ("inconclusive", "noise")),
        (0.3, NO_FASTER, ("inconclusive", "noise")),
        (0.8, NO_FASTER, ("confirmed", "limits-input")),
        (0.8, FASTER, ("confirmed", "limits-input")),
    ],
)
def test_python_code_that_takes_the_lock_from_the_step_slows_it(
    path: Path, waiting: float, seen: Any, verdict: tuple[str, str]
) -> None:
    """A step that is simulated is as slow as it was with that code, whatever is left out."""
    given = run(path)
    *others, node = given.pipelines[0].nodes
    nodes = (*others, replace(node, waiting_ms={"lock": 300.0}))
    waited = Input(waiting, 8000.0, 9000.0, 100, "windows")
    locked = with_pipeline(given, nodes=nodes, input=waited, trace_seconds=1.0, cores_of_others=1.0)
    assert said(by(Given(locked, left_out=seen), finding("TFD202", path, fix=None))) == verdict
    free = with_pipeline(locked, trace_seconds=10.0)
    expected = "not-needed" if waiting < 0.05 else "refuted" if seen is NO_FASTER else "confirmed"
    assert by(Given(free, left_out=seen), finding("TFD202", path, fix=None)).outcome == expected


@pytest.mark.parametrize(("code", "reason"), [("TFD201", "limits-input"), ("TFD102", "speedup")])
def test_blocks_that_take_longer_than_a_turn_prove_nothing(path: Path, code: str, reason: str) -> None:
    """Leaving the work out, or its share, does."""
    given = Given(run(path), (SAME, FASTER))
    given.is_coarse = True
    assert said(by(given, finding(code, path))) == ("confirmed", reason)
    refuted = Given(run(path), (SAME, FASTER), left_out=NO_FASTER)
    refuted.is_coarse = True
    expected = ("inconclusive", "noise") if code == "TFD201" else ("confirmed", "speedup")
    assert said(by(refuted, finding(code, path))) == expected


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (
            (0.05, 0.1),
            "the rest is overhead: one call for each batch makes it up to about 10 times as fast",
        ),
        ((0.8, 0.9), "Its own code takes 80% of a call: one call for each batch makes it at most 1.2 times as fast"),
        ((0.1, 0.8), ""),
    ],
)
def test_what_whole_batches_gain_depends_on_the_code_of_the_user(path: Path, own: Any, words: str) -> None:
    seen = run(path)
    *others, node = seen.pipelines[0].nodes
    seen = with_pipeline(seen, nodes=(*others, replace(node, own_code=own)))
    detail = by(Given(seen, left_out=FASTER), finding("TFD202", path, fix=None)).detail
    assert words in detail
    assert bool(words) == ("Its own code" in detail)


@pytest.mark.parametrize(
    ("code", "left", "verdict"),
    [
        ("TFD102", FASTER, ("inconclusive", "budget")),
        ("TFD102", None, ("not-run", "budget")),
        ("TFD201", None, ("confirmed", "limits-input")),
    ],
)
def test_a_comparison_that_is_ended_has_shown_something(path: Path, code: str, left: Any, verdict: Any) -> None:
    class Ended(Given):
        @property
        def so_far(self) -> Any:
            return left

    given = Ended(run(path), Interrupted("budget"), left_out=Interrupted("budget"))
    one = by(given, finding(code, path, fix=", f" if code == "TFD102" else None))
    assert said(one) == verdict
    assert not left or "it was about 2.00 times as fast in 8 rounds, which is not certain" in one.detail


@pytest.mark.parametrize(
    ("profiled", "waiting", "others", "verdict"),
    [
        (False, 0.8, 0.0, ("not-needed", "not-shown")),
        (True, 0.8, 1.0, ("confirmed", "shown")),
        (True, 0.02, 0.0, ("refuted", "below-threshold")),
        (True, 0.1, 0.0, ("confirmed", "shown")),
        (True, 0.1, 1.0, ("inconclusive", "noise")),
    ],
)
def test_a_fetch_outside_of_its_step_is_judged_by_the_wait_that_a_profile_leaves_out(
    path: Path, profiled: bool, waiting: float, others: float, verdict: tuple[str, str]
) -> None:
    waited = Input(waiting, 8000.0, 9000.0, 100, "windows")
    seen = with_pipeline(run(path, profiled=profiled), input=waited, cores_of_others=others)
    assert said(judged(seen, finding("TFD501", path))) == verdict
    # What a loop needs for an element that is ready is no wait for input.
    short = with_pipeline(seen, step=Step(2.5, "loop"))
    if waiting == 0.1 and profiled:
        assert said(judged(short, finding("TFD501", path))) == ("refuted", "below-threshold")
    # Neither the finding nor its iterator stands where `next` is called.
    elsewhere = with_pipeline(seen, frames=(Place(os.path.realpath(path), 1),), stages=())
    fetched = Related(span(path, (9, 0, 4)), "it is fetched here")
    found = finding("TFD501", path, (8, 0, 4), None, (fetched,))
    assert judged(elsewhere, found).outcome == "not-run"
    taken = with_pipeline(elsewhere, taken_at=(Place(os.path.realpath(path), 9),))
    assert said(judged(taken, found)) == verdict


@pytest.mark.parametrize(
    ("transposing", "converting", "verdict"),
    [
        (0.01, 0.01, ("refuted", "not-shown")),
        (0.30, 0.20, ("confirmed", "shown")),
        (0.30, 0.01, ("inconclusive", "not-measurable")),
    ],
)
def test_a_layout_is_judged_by_what_the_gpu_transposes(
    path: Path, transposing: float, converting: float, verdict: tuple[str, str]
) -> None:
    one = finding("TFD601", path, (1, 0, 7), fix=None)
    assert said(judged(run(path), one)) == ("inconclusive", "not-measurable")
    seen = with_pipeline(run(path), devices=(Device("GPU:0", 0.9, 0.0, transposing, converting),))
    assert seen.environment
    seen = replace(seen, environment=replace(seen.environment, gpus=("GPU:0",)))
    of_it = judged(seen, one)
    assert said(of_it) == verdict
    assert of_it.detail.startswith(f"GPU:0 transposes tensors for {transposing:.1%} of a step of 10.0 ms")
    drained = with_pipeline(seen, consumer="returned")
    assert said(judged(drained, one)) == ("not-run", "no-consumption")


def test_code_that_was_not_executed_is_not_judged(path: Path) -> None:
    assert said(judged(run(path), finding("TFD102", path, (1, 10, 16)))) == ("not-run", "stage-not-executed")


def test_nor_by_what_stands_around_its_place_in_the_pipeline(path: Path) -> None:
    """What is mapped is found by the stages that it names; a stage that was not executed is not."""
    follows = Related(span(path, BATCH), "`batch` follows here")
    one = finding("TFD102", path, (1, 10, 16), "f", (follows,))
    assert said(judged(run(path), one, (SAME, FASTER))) == ("confirmed", "speedup")
    assert said(judged(run(path), one, calls={one.span})) == ("not-run", "stage-not-executed")


def test_what_stands_in_a_mapped_function_belongs_to_its_map(path: Path) -> None:
    """Not to what only has that map in a function of its own, as an `interleave` would."""
    seen = run(path)
    mapped, batch, shard = seen.stages
    rows = {os.path.realpath(path): [9, 12]}
    around = replace(batch, function_rows=rows, nested=(mapped.id,))
    seen = replace(seen, stages=(replace(mapped, function_rows=rows), around, shard))

    def located(*at: int) -> Verdict:
        return judged(seen, finding("TFD305", path, at, fix=None))  # type: ignore[arg-type]

    inside = located(12, 4, 40)
    assert (inside.reason, inside.node) == ("no-fix", 3)
    assert inside.detail.endswith("its stage itself works for 88% of the time")
    assert said(located(13, 4, 40)) == ("not-run", "stage-not-executed")

    uncalled = finding("TFD305", path, (12, 4, 40), fix=None)
    assert said(judged(seen, uncalled, calls={uncalled.span})) == ("not-run", "stage-not-executed")


def test_what_one_file_causes_in_another_is_judged_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the files that were executed, and where no comment silences it."""
    monkeypatch.chdir(tmp_path)
    train, inputs = script(tmp_path), tmp_path / "inputs.py"
    train.write_text(TRAIN)
    inputs.write_text(INPUTS)
    seen = run(train)
    assert [one.code for one in findings_of(seen, Configuration())[0]] == []
    cached = Stage(5, "Cache", (), (Place(os.path.realpath(inputs), 7, 11, 7, 26),))
    seen = replace(seen, stages=(*seen.stages, cached))
    (one,), calls = findings_of(seen, Configuration())
    assert (one.code, one.span.file, one.span.row, one.fix) == ("TFD302", "inputs.py", 7, None)
    assert one.span in calls
    inputs.write_text(INPUTS.replace("cache()", "cache()  # noqa: TFD302"))
    assert findings_of(seen, Configuration())[0] == []


@pytest.mark.parametrize("reason", ["user-error", "needs-data", "timeout", "memory", "no-consumption"])
def test_a_run_that_failed_says_why_for_every_finding(path: Path, reason: Any) -> None:
    failed = run(path, reason=reason, detail="it raised", pipelines=())
    assert said(judged(failed, finding("TFD102", path))) == ("not-run", reason)


def test_a_comparison_that_fails_says_why(path: Path) -> None:
    hung = judged(run(path), finding("TFD102", path), Gone("timeout", "no answer within 20 s"))
    assert said(hung) == ("inconclusive", "timeout")
    raised = judged(run(path), finding("TFD102", path), Gone("user-error", "NameError: f"))
    assert said(raised) == ("not-run", "user-error")


# ── results ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_leak_is_counted(path: Path) -> None:
    seen = run(path)
    parts = (Related(span(path, MAP), "one part"), Related(span(path, BATCH), "the other part"))
    split = finding("TFD404", path, related=parts)
    verdict = judged(seen, split, Share(78, 100))
    assert said(verdict) == ("confirmed", "shown")
    assert verdict.share == 0.78
    assert "78%" in verdict.detail
    assert said(judged(seen, split, Share(0, 100))) == ("refuted", "not-shown")
    assert said(judged(seen, split, None)) == ("inconclusive", "not-measurable")


@pytest.mark.parametrize("code", ["TFD302", "TFD207"])
def test_frozen_randomness_shows_in_equal_epochs(path: Path, code: str) -> None:
    assert said(judged(run(path), finding(code, path), Share(64, 64))) == ("confirmed", "shown")
    assert said(judged(run(path), finding(code, path), Share(0, 64))) == ("refuted", "not-shown")
    assert said(judged(run(path), finding(code, path), Share(31, 64))) == ("inconclusive", "noise")


def test_shards_overlap_if_one_worker_gets_other_elements_each_time(path: Path) -> None:
    assert said(judged(run(path), finding("TFD310", path), Share(26, 100))) == ("confirmed", "shown")
    assert said(judged(run(path), finding("TFD310", path), Share(100, 100))) == ("refuted", "not-shown")


def test_an_image_and_its_mask_are_judged_by_what_is_drawn_for_each(path: Path) -> None:
    both = finding("TFD424", path, fix=None, related=(Related(span(path, BATCH), "the draw for `image`"),))
    given = Given(run(path), Draws(64, same=2))
    (verdict,) = verify(
        Plan(run(path).target, Interpreter("python", "")), run(path), [both], experiments=given
    ).verdicts
    assert (*said(verdict), verdict.share) == ("confirmed", "shown", 62 / 64)
    assert given.asked == [(span(path, BATCH), both.span)]
    assert said(judged(run(path), both, Draws(64, same=64))) == ("refuted", "not-shown")
    assert said(judged(run(path), both, None)) == ("inconclusive", "not-measurable")


def test_an_image_that_moves_alone_is_judged_by_whether_it_does(path: Path) -> None:
    alone = finding("TFD424", path, fix=None)
    given = Given(run(path), Draws(64, distinct=64, kept=True))
    (verdict,) = verify(
        Plan(run(path).target, Interpreter("python", "")), run(path), [alone], experiments=given
    ).verdicts
    assert said(verdict) == ("confirmed", "shown")
    assert given.asked == [(alone.span, None)]
    assert said(judged(run(path), alone, Draws(64, distinct=1, kept=True))) == ("refuted", "not-shown")
    assert said(judged(run(path), alone, Draws(64, distinct=64))) == ("inconclusive", "not-measurable")


def test_a_discarded_dataset_is_made_and_never_consumed(path: Path) -> None:
    assert said(judged(run(path), finding("TFD401", path, SHARD))) == ("confirmed", "shown")
    assert said(judged(run(path), finding("TFD401", path, MAP))) == ("refuted", "not-shown")


def test_an_oversized_buffer_is_weighed(path: Path) -> None:
    def holding(size: int) -> Run:
        return with_pipeline(run(path), buffers=(Buffer(2, "prefetch", 4, 1000, size, 4 * size),))

    assert said(judged(holding(2**20), finding("TFD107", path, BATCH))) == ("confirmed", "shown")
    assert said(judged(holding(100), finding("TFD107", path, BATCH))) == ("refuted", "below-threshold")


# ── several ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_fixes_of_a_pipeline_are_measured_together_too(path: Path) -> None:
    seen = run(path)
    given = Given(seen, (SAME, FASTER), (SAME, UNCLEAR), (SAME, FASTER))
    fixes = [finding("TFD102", path, MAP, ", g"), finding("TFD305", path, BATCH, ", h")]
    done = verify(Plan(seen.target, Interpreter("python", "")), seen, fixes, experiments=given)
    assert [said(verdict)[0] for verdict in done.verdicts] == ["confirmed", "inconclusive"]
    (together,) = done.together
    assert together.fixes == (f"TFD102 {path}:2:19", f"TFD305 {path}:3:19")
    assert given.texts[-1] == {
        str(path): path.read_text().replace("map(decode)", "map(decode, g)").replace("batch(8)", "batch(8, h)")
    }


def test_fixes_that_do_harm_are_left_out_of_that(path: Path) -> None:
    seen = run(path)
    given = Given(seen, (SAME, FASTER), (SAME, SLOWER))
    fixes = [finding("TFD102", path, MAP), finding("TFD305", path, BATCH)]
    assert not verify(Plan(seen.target, Interpreter("python", "")), seen, fixes, experiments=given).together


# ── on real TensorFlow ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def real(tmp_path: Path) -> Any:
    def judge(code: str, *codes: str) -> Verification:
        path = tmp_path / "script.py"
        path.write_text(dedent(code))
        plan = Plan(target(str(path)), Interpreter(sys.executable, "it runs the tests"), Limits(seconds=4.0))
        seen = observe(plan)
        findings, calls = findings_of(seen, Configuration())
        found = [one for one in findings if one.code in codes]
        assert found
        return verify(plan, seen, found, calls=calls)

    return judge


@pytest.mark.nightly  # More than a minute.
@pytest.mark.tensorflow
def test_a_loop_in_a_tf_function_needs_its_prefetch(real: Any) -> None:
    done = real(
        """\
        import time
        import tensorflow as tf


        def slow(x):
            return tf.ensure_shape(tf.numpy_function(lambda v: (time.sleep(0.01), v)[1], [x], tf.float32), [1])


        @tf.function
        def train(dataset):
            for x in dataset:
                tf.numpy_function(lambda v: (time.sleep(0.01), v)[1], [x], tf.float32)


        train(tf.data.Dataset.from_tensor_slices(tf.random.uniform([10_000])).batch(1).map(slow))
        """,
        "TFD101",
    )
    (verdict,) = done.verdicts
    assert verdict.equality
    assert verdict.equality.outcome == "identical"
    assert verdict.comparison
    assert verdict.comparison.ratio > 1.05
    # Both sides sleep, but a machine that is busy enough hides even that.
    assert said(verdict) in (("confirmed", "speedup"), ("inconclusive", "noise"))


@pytest.mark.tensorflow
def test_leaks_and_frozen_draws_are_shown_and_a_prefetch_of_the_runtime_is_enough(real: Any) -> None:
    done = real(
        """\
        import tensorflow as tf


        def noisy(x):
            return x + tf.random.uniform([4]), 1.0


        dataset = tf.data.Dataset.from_tensor_slices(tf.random.uniform([100, 4])).shuffle(100)
        train = dataset.take(80).batch(8)
        validation = dataset.skip(80).batch(8)
        frozen = tf.data.Dataset.from_tensor_slices(tf.random.uniform([40, 4])).map(noisy).cache().batch(8)
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile(loss="mse")
        model.fit(frozen, epochs=10_000, verbose=0)
        """,
        "TFD404",
        "TFD302",
        "TFD101",
    )
    by_code = {verdict.code: verdict for verdict in done.verdicts}
    assert said(by_code["TFD404"]) == ("confirmed", "shown")
    assert by_code["TFD404"].share is not None
    assert by_code["TFD404"].share > 0.5
    assert said(by_code["TFD302"]) == ("confirmed", "shown")
    assert said(by_code["TFD101"]) == ("not-needed", "runtime-already-does-it")
