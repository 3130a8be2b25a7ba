"""The verdict on each finding: what a run, and the experiments that it leads to, say about it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tfdata_lint import rules
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.experiments import Experiments, Share
from tfdata_lint.verify.findings import fixed, name, where_of
from tfdata_lint.verify.held import Gone
from tfdata_lint.verify.interrupts import reason_of
from tfdata_lint.verify.measure import THRESHOLD, Comparison
from tfdata_lint.verify.model import STOPPED, Input, Node, Pipeline, Place, Run, Stop
from tfdata_lint.verify.verdicts import Outcome, Reason, Together, Verdict, Verification
from tfdata_lint.verify.warm import Warm

if TYPE_CHECKING:
    from tfdata_lint.pipeline.nouns.places import Span
    from tfdata_lint.rules.base import Applicability, Finding, Rule
    from tfdata_lint.verify.plan import Plan


#: A buffer is oversized from this size on.
OVERSIZED = 100 * 2**20
#: What other programs took is worth a word from this share of the time on.
_MUCH = 0.05
_PARALLEL = ("Parallel", "MapAndBatch")
_JUDGED = frozenset({"correctness", "performance", "advice", "pedantic"})
#: Elements that are the same, or of a code that does not repeat itself.
_SAME = ("identical", "not-comparable")
#: How long a comparison takes.
TYPICAL_S = 30.0


def verify(
    plan: Plan,
    run: Run,
    findings: Sequence[Finding],
    progress: Callable[[str], None] = lambda _: None,
    experiments: Experiments | None = None,
    calls: Collection[Span] = (),
    warm: Warm | None = None,
    prove: Collection[Applicability] = (),
) -> Verification:
    """Judge each finding. `progress` is told what is being tried out, and for how long it may still go on.

    A finding at one of these `calls`, which make datasets, is judged only where that was executed. `prove`: of which
    fixes to say whether they may be written. Where it is interrupted, what is known by then comes back.
    """
    began = time.monotonic()
    experiments = experiments or Experiments(plan, run, progress, warm)
    judge = Judge(run, experiments, progress, calls)
    judged = [finding for finding in findings if _rule(finding).group in _JUDGED]
    verdicts: list[Verdict] = []
    together: list[Together] = []
    proven: list[Together] = []
    stopped: Stop | Literal[""] = run.reason if run.reason in ("interrupted", "budget") else ""
    try:
        for number, finding in enumerate([] if stopped else judged):
            each = (time.monotonic() - began) / number if number else TYPICAL_S
            left = math.ceil(each * (len(judged) - number) / 10) * 10
            progress(f"{finding.code} is judged, {number + 1} of {len(judged)}; up to {left} s are left")
            verdicts.append(judge.verdict(finding))
        if not stopped:
            together += judge.together()
            proven += judge.proven(prove)
    except KeyboardInterrupt as interrupt:
        stopped = reason_of(interrupt)
    if stopped:
        verdicts += (judge.unjudged(finding, stopped) for finding in judged[len(verdicts) :])
    took = time.monotonic() - began
    return Verification(run, tuple(verdicts), tuple(together), tuple(proven), stopped, took, experiments.executions)


def _rule(finding: Finding) -> Rule:
    found = rules.rule(finding.code)
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class _Said:
    """What a verdict says, before it is known of what."""

    outcome: Outcome
    reason: Reason
    detail: str
    comparison: Comparison | None = None
    equality: Equality | None = None
    share: float | None = None


@dataclass(frozen=True, slots=True)
class _Located:
    """Where a finding is in the run."""

    stages: tuple[int, ...] = ()
    pipeline: int | None = None
    node: int | None = None


class Judge:
    def __init__(
        self,
        run: Run,
        experiments: Experiments,
        progress: Callable[[str], None] = lambda _: None,
        calls: Collection[Span] = (),
    ) -> None:
        self._run = run
        self._calls = calls
        self._experiments = experiments
        self._progress = progress
        self._tried: dict[int, list[tuple[Finding, _Said]]] = {}
        """The fixes whose speed was measured, by pipeline."""
        self._several: dict[tuple[str, ...], Together | None] = {}
        """What was measured of several at once."""

    def verdict(self, finding: Finding) -> Verdict:
        located = self._locate(finding)
        try:
            said = self._said(finding, located)
        except Gone as gone:
            outcome: Outcome = "inconclusive" if gone.reason == "timeout" else "not-run"
            said = _Said(outcome, gone.reason or "crashed", _sentence(f"comparing failed: {gone}"))
        if said.comparison and located.pipeline is not None:
            self._tried.setdefault(located.pipeline, []).append((finding, said))
        return self._verdict(finding, located, said)

    def unjudged(self, finding: Finding, stopped: Stop) -> Verdict:
        return self._verdict(finding, self._locate(finding), _Said("not-run", stopped, _sentence(STOPPED[stopped])))

    def _verdict(self, finding: Finding, located: _Located, said: _Said) -> Verdict:
        span, fix = finding.span, finding.fix
        return Verdict(
            finding.code, finding.name, finding.message,
            Place(os.path.realpath(span.file), span.row, span.column, span.end_row, span.end_column), where_of(finding),
            said.outcome, said.reason, said.detail, fix.title if fix else "", fix.applicability if fix else "",
            located.pipeline, located.node, said.comparison, said.equality, said.share, finding.standing.digests,
        )  # fmt: skip

    def together(self) -> Iterator[Together]:
        """Of each pipeline with several fixes that do no harm, all of these at once."""
        for number, tried in self._tried.items():
            fixes = [finding for finding, said in tried if said.outcome in ("confirmed", "refuted", "inconclusive")]
            if len(fixes) < 2 or not any(said.outcome == "confirmed" for _, said in tried):
                continue
            if seen := self._measured(number, fixes, "all fixes"):
                yield seen

    def proven(self, applicabilities: Collection[Applicability]) -> Iterator[Together]:
        """Of each pipeline those confirmed fixes that may be written.

        Where all of them together are slower than the best one, it is that one alone.
        """
        for number, tried in self._tried.items():
            each = [
                Together(number, (name(finding),), said.comparison, said.equality)
                for finding, said in tried
                if said.outcome == "confirmed"
                and finding.fix
                and finding.fix.applicability in applicabilities
                and said.comparison
                and said.equality
                and said.equality.outcome in _SAME
            ]
            if not each:
                continue
            best = max(each, key=lambda one: one.comparison.ratio)
            names = {name for one in each for name in one.fixes}
            fixes = [finding for finding, _ in tried if name(finding) in names]
            seen = self._measured(number, fixes, "those that may be written") if len(each) > 1 else None
            yield seen if seen and _is_as_good(seen, best) else best

    def _measured(self, pipeline: int, fixes: Sequence[Finding], what: str) -> Together | None:
        names = tuple(map(name, fixes))
        if names not in self._several:
            self._several[names] = None
            self._progress(f"{what} together are measured")
            with suppress(Gone):
                same, compared = self._experiments.speed(self._run.pipelines[pipeline], fixed(fixes))
                self._several[names] = Together(pipeline, names, compared, same) if compared else None
        return self._several[names]

    def pipeline_of(self, finding: Finding) -> int | None:
        """The one that a finding is judged in."""
        return self._locate(finding).pipeline

    def done_already(self, finding: Finding) -> str:
        """How the runtime does by itself what it asks for, if it does; in words."""
        located = self._locate(finding)
        if located.pipeline is None:
            return ""
        pipeline = self._run.pipelines[located.pipeline]
        return _already(finding, pipeline, pipeline.nodes[located.node] if located.node is not None else None)

    # ── where ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _locate(self, finding: Finding) -> _Located:
        stages = self._stages(finding)
        by_related = not stages and finding.span not in self._calls
        seen = [
            (number, pipeline)
            for number, pipeline in enumerate(self._run.pipelines)
            if pipeline.nodes
            and (set(stages) & set(pipeline.stages) or _is_consumed_at(pipeline, finding, related=by_related))
        ]
        if not seen:
            return _Located(stages)
        # The one that the code itself consumes, if there is one.
        number, pipeline = min(seen, key=lambda both: (both[1].consumer == "waiting", both[1].ended, both[0]))
        nodes = [n for n, node in enumerate(pipeline.nodes) if set(stages) & set(node.stages)]
        node = max(nodes, key=lambda n: pipeline.nodes[n].total_ms, default=None)
        return _Located(stages, number, node)

    def _stages(self, finding: Finding) -> tuple[int, ...]:
        """Those that the call makes.

        If it is no such call, those of the places that the finding names; or of the call around it; or those in whose
        mapped functions it stands.
        """
        related = () if finding.span in self._calls else (other.span for other in finding.related)
        for span in (finding.span, *related):
            file = os.path.realpath(span.file)
            if found := tuple(s.id for s in self._run.stages_at(file, span.end_row, span.end_column)):
                return found
        file, start = os.path.realpath(finding.span.file), (finding.span.row, finding.span.column)
        around = [
            (stage.place.end_row - stage.place.row, stage.id)
            for stage in self._run.stages
            if stage.place
            and stage.place.file == file
            and (stage.place.row, stage.place.column) <= start < (stage.place.end_row, stage.place.end_column)
        ]
        if around or finding.span in self._calls:
            return (min(around)[1],) if around else ()
        return tuple(s.id for s in self._run.stages_tracing(file, finding.span.row, finding.span.end_row))

    # ── what ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _said(self, finding: Finding, located: _Located) -> _Said:
        run = self._run
        if run.reason and not any(pipeline.nodes for pipeline in run.pipelines):
            return _Said("not-run", run.reason, _sentence(run.detail or run.reason))
        rule = _rule(finding)
        if rule.experiment == "consumption":
            return self._discarded(located)
        if rule.experiment == "transposes":
            return _layout(run)
        if located.pipeline is None:
            return _Said("not-run", "stage-not-executed", "No pipeline that was observed goes through it")
        pipeline = run.pipelines[located.pipeline]
        node = pipeline.nodes[located.node] if located.node is not None else None
        match rule.experiment:
            case "epochs":
                return _frozen(self._experiments.epochs_equal(pipeline), "the second epoch", "the first")
            case "iterators":
                return _frozen(self._experiments.iterators_equal(pipeline), "a second iterator", "the first one")
            case "processes":
                return _partition(self._experiments.processes_equal(pipeline))
            case "parts":
                return self._leak(finding)
            case "memory":
                return _held_memory(pipeline, located.node)
        if rule.group == "correctness":
            return _Said("not-run", "not-measurable", "No experiment would show it: it is not about speed")
        return self._performance(finding, pipeline, node)

    def _performance(self, finding: Finding, pipeline: Pipeline, node: Node | None) -> _Said:
        if already := _already(finding, pipeline, node):
            return _Said("refuted", "runtime-already-does-it", already)
        share = pipeline.input.share if pipeline.input else None
        if pipeline.input and share is not None and not matters(pipeline.input.most):
            detail = f"The consumer waits for {share:.1%} of its time{_at_most(pipeline.input)}"
            detail += f": no fix could make it {THRESHOLD:g} times faster"
            return _Said("refuted", "not-bottleneck", detail)
        if not finding.fix or not finding.fix.edits:
            return _without_fix(node)
        texts = fixed([finding])
        if not texts:
            return _Said("not-run", "no-fix", "Its fix cannot be written into the text")
        return _compared(
            finding, *self._experiments.speed(pipeline, texts), is_bottleneck=_is_bottleneck(pipeline, node)
        )

    def _discarded(self, located: _Located) -> _Said:
        if not located.stages:
            return _Said("not-run", "stage-not-executed", "It was not called")
        if located.pipeline is None:
            return _Said("confirmed", "shown", "A dataset was made here, and no pipeline that was consumed has it")
        return _Said("refuted", "not-shown", "The dataset that was made here is consumed")

    def _leak(self, finding: Finding) -> _Said:
        parts = [self._pipeline_at(related.span) for related in finding.related[:2]]
        if len(parts) < 2 or any(part is None for part in parts):
            return _Said("not-run", "stage-not-executed", "Not both parts were made into pipelines that were consumed")
        one, other = (self._run.pipelines[part] for part in parts if part is not None)
        leak = self._experiments.leak(one, other)
        if leak is None:
            detail = "The elements of the parts cannot be told apart, or are too many or too few"
            return _Said("inconclusive", "not-measurable", detail)
        detail = f"{leak.share:.0%} of the examples of one part ({leak.same} of {leak.of}) are in the other part too"
        if leak.same:
            return _Said("confirmed", "shown", detail, share=leak.share)
        return _Said("refuted", "not-shown", detail, share=0.0)

    def _pipeline_at(self, span: Span) -> int | None:
        made = {s.id for s in self._run.stages_at(os.path.realpath(span.file), span.end_row, span.end_column)}
        with_it = (n for n, pipeline in enumerate(self._run.pipelines) if made & set(pipeline.stages))
        return next(with_it, None)


# ── what each kind of figure says ───────────────────────────────────────────────────────────────────────────────────


def _already(finding: Finding, pipeline: Pipeline, node: Node | None) -> str:
    """How the runtime does by itself what the finding asks for, if it does."""
    done = _rule(finding).done_by_runtime
    if done == "buffer" and pipeline.prefetched == "runtime":
        return "The runtime has put a buffer between this pipeline and its consumer"
    return runs_parallel(node) if done == "parallel" and node is not None else ""


def runs_parallel(node: Node) -> str:
    """How the runtime executes a stage in parallel, if it does; in words."""
    if not node.op.startswith(_PARALLEL):
        return ""
    if node.autotuned or (node.parallelism or 1) > 1:
        many = f"{node.parallelism} at a time" if node.parallelism else "in parallel"
        return f"The runtime executes it as `{node.op}`, {many}"
    return ""


def _compared(finding: Finding, same: Equality, seen: Comparison | None, *, is_bottleneck: bool) -> _Said:
    if seen is None:
        return _Said("harmful", "not-equivalent", f"With the fix {same}", None, same)
    ratio = f"{seen.ratio:.2f} times as fast ({seen.confidence:.1%} interval {seen.low:.2f} to {seen.high:.2f})"
    if same.outcome == "differs":
        outcome: Outcome = "harmful" if finding.fix and finding.fix.applicability == "safe" else "inconclusive"
        return _Said(outcome, "not-equivalent", f"With the fix it is {ratio}, but {same}", seen, same)
    match seen.decision:
        case "faster":
            return _Said("confirmed", "speedup", f"With the fix it is {ratio}", seen, same)
        case "slower":
            return _Said("harmful", "slowdown", f"With the fix it is {ratio}", seen, same)
        case "not-faster":
            reason: Reason = "below-threshold" if is_bottleneck else "not-bottleneck"
            return _Said("refuted", reason, f"With the fix it is {ratio}", seen, same)
    could = f"here only from {seen.resolution:.2f} times on could a speedup be told"
    if seen.delayed > _MUCH:
        could += f", as other programs may have taken up to {seen.delayed:.0%} of the time"
    return _Said("inconclusive", "noise", f"With the fix it is {ratio}; {could}", seen, same)


def _is_as_good(several: Together, best: Together) -> bool:
    return (
        several.equality.outcome in _SAME
        and several.comparison.decision == "faster"
        and several.comparison.ratio * THRESHOLD >= best.comparison.ratio
    )


def matters(share: float) -> bool:
    """Would something be so much faster as counts, without what takes this share of its time?"""
    return THRESHOLD * (1 - share) <= 1


def _at_most(waited: Input) -> str:
    return "" if waited.at_most is None else f", {waited.most:.1%} at most ({waited.waits} traced)"


def _without_fix(node: Node | None) -> _Said:
    share = f"; its stage takes {node.share:.0%} of the time" if node else ""
    return _Said("not-run", "no-fix", f"There is no fix to compare with{share}")


def _is_bottleneck(pipeline: Pipeline, node: Node | None) -> bool:
    """Or is not known to be none."""
    if pipeline.bottleneck is None or node is None:
        return True
    return pipeline.nodes[pipeline.bottleneck.node] is node


def _frozen(share: Share, one: str, other: str) -> _Said:
    detail = f"{share.same} of {share.of} elements of {one} are those of {other}"
    if share.of and share.same == share.of:
        return _Said("confirmed", "shown", detail, share=1.0)
    if share.same == 0 and share.of:
        return _Said("refuted", "not-shown", detail, share=0.0)
    return _Said("inconclusive", "noise", detail, share=share.share)


def _partition(share: Share) -> _Said:
    detail = f"Two processes with the same index have {share.same} of {share.of} elements in common"
    if share.of and share.same == share.of:
        return _Said("refuted", "not-shown", detail, share=1.0)
    if not share.whole:
        return _Said("inconclusive", "timeout", f"{detail}, of the first", share=share.share)
    missing = "so that the shares of different workers overlap and leave others out"
    return _Said("confirmed", "shown", f"{detail}, {missing}", share=share.share)


def _layout(run: Run) -> _Said:
    """By what the GPU transposes while a model computes."""
    if not (run.environment and run.environment.gpus):
        return _Said("not-run", "not-measurable", "It is about GPUs, and TensorFlow sees none here")
    computing = (pipeline for pipeline in run.pipelines if pipeline.consumer not in ("returned", "waiting"))
    seen = [(device, pipeline) for pipeline in computing for device in pipeline.devices if device.busy]
    if not seen:
        return _Said("not-run", "no-consumption", "No GPU was seen at work")
    device, pipeline = max(seen, key=lambda both: both[0].transposing)
    step = f" of a step of {pipeline.step.median_ms:,.1f} ms" if pipeline.step else " of the time"
    detail = f"{device.name} transposes tensors for {device.transposing:.1%}{step}"
    if not matters(device.transposing):
        return _Said("refuted", "not-shown", detail)
    detail += f", and for {device.converting:.1%} from one layout of channels to the other"
    if not matters(device.converting):
        return _Said("inconclusive", "not-measurable", f"{detail}; of the rest it is not known")
    return _Said("confirmed", "shown", detail)


def _held_memory(pipeline: Pipeline, node: int | None) -> _Said:
    buffer = next((buffer for buffer in pipeline.buffers if buffer.node == node), None)
    if buffer is None or not buffer.element_bytes or not (buffer.capacity or buffer.elements):
        return _Said("inconclusive", "not-measurable", "How much it holds is not known")
    size = buffer.element_bytes * (buffer.capacity or buffer.elements or 0)
    detail = f"It may hold {size / 2**20:,.0f} MB"
    return _Said("confirmed", "shown", detail) if size >= OVERSIZED else _Said("refuted", "below-threshold", detail)


# ── texts ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _is_consumed_at(pipeline: Pipeline, finding: Finding, *, related: bool) -> bool:
    """At the finding; or at a place that it names, if it stands in a function that makes no dataset."""
    spans = (finding.span, *(other.span for other in finding.related if related))
    return any(
        frame.file == os.path.realpath(span.file) and span.row <= frame.row <= span.end_row
        for frame in pipeline.frames[:1]
        for span in spans
    )


def _sentence(text: str) -> str:
    line = " ".join(text.split())
    return line[:1].upper() + line[1:]
