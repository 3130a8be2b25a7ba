"""The verdict on each finding: what a run, and the experiments that it leads to, say about it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from tfdata_lint.verify import figures
from tfdata_lint.verify.experiments import Experiments
from tfdata_lint.verify.findings import Located, fixed, is_compared, is_consumed_at, name, where_of
from tfdata_lint.verify.held import Gone
from tfdata_lint.verify.interrupts import reason_of
from tfdata_lint.verify.measure import THRESHOLD
from tfdata_lint.verify.model import STOPPED, Pipeline, Place, Run, Stop
from tfdata_lint.verify.verdicts import Outcome, Said, Together, Verdict, Verification
from tfdata_lint.verify.warm import Warm

if TYPE_CHECKING:
    from tfdata_lint.pipeline.nouns.places import Span
    from tfdata_lint.rules.base import Applicability, Finding
    from tfdata_lint.verify.plan import Plan


_JUDGED = frozenset({"correctness", "performance", "advice", "pedantic"})
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
    told: Callable[[Verdict], None] = lambda _: None,
    *,
    everything: bool = False,
) -> Verification:
    """Judge each finding. `progress` is told what is being tried out, and for how long it may still go on.

    Each verdict is `told` once it is known: first those that the run itself decides, then those that need an
    experiment, the short ones first. `everything`: also what the run shows not to be needed is measured. A finding at
    one of these `calls`, which make datasets, is judged only where that was executed. `prove`: of which fixes to say
    whether they may be written. Where it is interrupted, what is known by then comes back.
    """
    began = time.monotonic()
    experiments = experiments or Experiments(plan, run, progress, warm)
    judge = Judge(run, experiments, calls, everything=everything)
    judged = [finding for finding in findings if figures.rule(finding).group in _JUDGED]
    verdicts: dict[int, Verdict] = {}
    together: list[Together] = []
    proven: list[Together] = []
    stopped: Stop | Literal[""] = run.reason if run.reason in ("interrupted", "budget") else ""

    def tell(number: int, verdict: Verdict) -> None:
        verdicts[number] = verdict
        told(verdict)

    try:
        if not stopped:
            for number, finding in enumerate(judged):
                if verdict := judge.known(finding):
                    tell(number, verdict)
            left = [number for number in range(len(judged)) if number not in verdicts]
            left.sort(key=lambda number: judge.urgency(judged[number]))
            since = time.monotonic()
            for done, number in enumerate(left):
                each = (time.monotonic() - since) / done if done else TYPICAL_S
                seconds = math.ceil(each * (len(left) - done) / 10) * 10
                progress(f"{judged[number].code} is tried, {done + 1} of {len(left)}; up to {seconds} s are left")
                tell(number, judge.verdict(judged[number]))
            together += judge.together()
            proven += judge.proven(prove)
    except KeyboardInterrupt as interrupt:
        stopped = reason_of(interrupt)
    if stopped:
        verdicts |= {n: judge.unjudged(finding, stopped) for n, finding in enumerate(judged) if n not in verdicts}
    took = time.monotonic() - began
    of_all = tuple(verdicts[number] for number in sorted(verdicts))
    return Verification(run, of_all, tuple(together), tuple(proven), stopped, took, experiments.executions)


class Judge:
    def __init__(
        self, run: Run, experiments: Experiments, calls: Collection[Span] = (), *, everything: bool = False
    ) -> None:
        self._run = run
        self._everything = everything
        self._calls = calls
        self._experiments = experiments
        self._trying: Finding | None = None
        self._first: Said | None = None
        """What its first fix has said, while another one is tried."""
        self._tried: dict[int, list[tuple[Finding, Said]]] = {}
        """The fixes whose speed was measured, by pipeline."""
        self._several: dict[tuple[str, ...], Together | None] = {}
        """What was measured of several at once."""

    def known(self, finding: Finding) -> Verdict | None:
        """What the run itself says of it; None where an experiment has to."""
        located = self._locate(finding)
        said = self._known(finding, located)
        return self._verdict(finding, located, said) if said else None

    def verdict(self, finding: Finding) -> Verdict:
        located = self._locate(finding)
        self._trying, self._first = finding, None
        self._experiments.forget()
        try:
            said = self._known(finding, located) or self._shown(finding, located)
            self._first = said
            finding, said = self._with_alternatives(finding, located, said)
        except Gone as gone:
            outcome: Outcome = "inconclusive" if gone.reason == "timeout" else "not-run"
            said = Said(outcome, gone.reason or "crashed", figures.failed(gone))
        if said.comparison and located.pipeline is not None:
            self._tried.setdefault(located.pipeline, []).append((finding, said))
        return self._verdict(finding, located, said)

    def urgency(self, finding: Finding) -> tuple[Any, ...]:
        """Short experiments first; then what the code trains on, and what is waited for most: that is soon clear."""
        is_long = figures.rule(finding).experiment in ("speed", "share", "again", "step", "loop")
        located = self._locate(finding)
        if not is_long or located.pipeline is None:
            return (is_long,)
        pipeline = self._run.pipelines[located.pipeline]
        waited = pipeline.input.share if pipeline.input and pipeline.input.share else 0.0
        return (is_long, *_rank(pipeline), -waited, -figures.part_of(pipeline, located.stages))

    def unjudged(self, finding: Finding, stopped: Stop) -> Verdict:
        """What is known of it by then: what a comparison has shown so far, or its share of the time."""
        located = self._locate(finding)
        said = Said("not-run", stopped, figures.sentence(STOPPED[stopped]))
        seen = self._experiments.so_far if finding is self._trying else None
        if finding is self._trying and self._first:
            said = self._first
        elif seen:
            what = "Without this work" if self._experiments.leaves_out else "With the fix"
            said = Said("inconclusive", stopped, f"{said.detail}: {figures.so_far(what, seen)}")
        elif located.pipeline is not None and figures.rule(finding).experiment in ("share", "again"):
            pipeline = self._run.pipelines[located.pipeline]
            said = self._with_own_code(finding, located, pipeline, self._bound(finding, located, pipeline))
        return self._verdict(finding, located, said)

    def _verdict(self, finding: Finding, located: Located, said: Said) -> Verdict:
        span, fix = finding.span, finding.fix
        return Verdict(
            finding.code, finding.name, finding.message,
            Place(os.path.realpath(span.file), span.row, span.column, span.end_row, span.end_column), where_of(finding),
            said.outcome, said.reason, said.detail, fix.title if fix else "", fix.applicability if fix else "",
            located.pipeline, located.node, said.comparison, said.equality, said.without, said.share,
            finding.standing.digests,
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
                and said.equality.outcome in figures.SAME
            ]
            if not each:
                continue
            best = max(each, key=lambda one: one.comparison.ratio)
            names = {name for one in each for name in one.fixes}
            fixes = [finding for finding, _ in tried if name(finding) in names]
            seen = self._measured(number, fixes, "those that may be written") if len(each) > 1 else None
            yield seen if seen and figures.is_as_good(seen, best) else best

    def _measured(self, pipeline: int, fixes: Sequence[Finding], what: str) -> Together | None:
        names = tuple(map(name, fixes))
        if names not in self._several:
            self._several[names] = None
            self._experiments.progress(f"{what} together are measured")
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
        return figures.already(finding, self._run.pipelines[located.pipeline], located.seen)

    # ── where ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _locate(self, finding: Finding) -> Located:
        stages = self._stages(finding)
        by_related = not stages and finding.span not in self._calls
        seen = [
            (number, pipeline)
            for number, pipeline in enumerate(self._run.pipelines)
            if pipeline.nodes
            and (set(stages) & set(pipeline.stages) or is_consumed_at(pipeline, finding, related=by_related))
        ]
        if not seen:
            return Located(stages)
        # The one that the code itself consumes, if there is one.
        number, pipeline = min(seen, key=lambda both: (*_rank(both[1]), both[0]))
        nodes = [n for n, node in enumerate(pipeline.nodes) if set(stages) & set(node.stages)]
        node = max(nodes, key=lambda n: pipeline.nodes[n].total_ms, default=None)
        return Located(stages, number, node, None if node is None else pipeline.nodes[node])

    def _stages(self, finding: Finding) -> tuple[int, ...]:
        """Those that the call makes.

        If it is no such call, those of the places that the finding names; or of the call around it; or those in whose
        mapped functions it stands.
        """
        related = () if finding.span in self._calls else (other.span for other in finding.related)
        for span in (finding.span, *related):
            if found := self._at(span):
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

    def _at(self, span: Span) -> tuple[int, ...]:
        """The stages that the call makes which ends there."""
        return tuple(s.id for s in self._run.stages_at(os.path.realpath(span.file), span.end_row, span.end_column))

    # ── what ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _known(self, finding: Finding, located: Located) -> Said | None:
        run = self._run
        if run.reason and not any(pipeline.nodes for pipeline in run.pipelines):
            return Said("not-run", run.reason, figures.sentence(run.detail or run.reason))
        rule = figures.rule(finding)
        if rule.unmeasured:
            return Said("not-run", "not-measurable", rule.unmeasured)
        if rule.experiment == "consumption":
            return self._discarded(located)
        if rule.experiment == "transposes":
            return figures.layout(run)
        if located.pipeline is None:
            return Said("not-run", "stage-not-executed", "No observed pipeline uses it")
        pipeline = run.pipelines[located.pipeline]
        if rule.experiment == "memory":
            return figures.held_memory(pipeline, located.node)
        if rule.experiment in ("profile", "beginnings"):
            return figures.profiled(run, pipeline) if rule.experiment == "profile" else figures.rebuilt(pipeline)
        if rule.experiment in ("step", "loop"):
            step = figures.step(pipeline) if rule.experiment == "step" else figures.without_fix(None)
            return None if step.outcome != "not-needed" and is_compared(finding) else step
        if rule.experiment not in ("speed", "share", "again"):
            return None
        if rule.group == "correctness":
            return Said("not-run", "not-measurable", "No experiment can show it: it is not about speed")
        if not self._everything and (said := self._not_needed(finding, located, pipeline)):
            return said
        if rule.experiment == "again" and figures.is_read_once(run, pipeline):
            return Said("refuted", "not-shown", "The code reads it once: nothing is done again")
        if is_compared(finding):
            return None
        if rule.experiment in ("share", "again"):
            said = self._bound(finding, located, pipeline)
            is_open = said.outcome in ("confirmed", "inconclusive") and said.reason != "no-consumption"
            return None if is_open and self._left_out(finding, located) else said
        stage, is_parallel = self._left_out(finding, located), rule.done_by_runtime == "parallel"
        if stage and (pipeline.prefetched if is_parallel else self._is_moved(finding, located)):
            return None
        return figures.without_fix(
            located.seen, "" if not finding.fix or not finding.fix.edits else "that can be applied "
        )

    def _bound(self, finding: Finding, located: Located, pipeline: Pipeline) -> Said:
        """By shares of the time: of the finding's own work, or of what is done again."""
        if figures.rule(finding).experiment != "again":
            said = figures.limiting(pipeline, located.stages)
            return figures.locked(said, said) if figures.takes_lock(finding, pipeline, located.stages) else said
        again = figures.limiting(pipeline, self._run.above(self._related(finding), located.stages))
        return figures.in_later_passes(again, pipeline)

    def _related(self, finding: Finding) -> list[int]:
        """The stages at the places that a finding names: of one about a cache, those that work behind it."""
        return [number for one in finding.related for number in self._at(one.span)]

    def _left_out(self, finding: Finding, located: Located) -> int | None:
        """The stage that can be left out to see what the work of a finding costs; None if it is not one alone."""
        stages = self._related(finding) if figures.rule(finding).experiment == "again" else located.stages
        made = {self._run.stage(number).place for number in stages}
        return max(stages) if len(made) == 1 and None not in made else None

    def _without(self, finding: Finding, located: Located) -> Said:
        """What the work of a finding costs: measured, or else by its share of the time."""
        assert located.pipeline is not None
        pipeline, rule = self._run.pipelines[located.pipeline], figures.rule(finding)
        stage = self._left_out(finding, located)
        is_again, is_moved = rule.experiment == "again", self._is_moved(finding, located)
        try:
            if stage is None:
                raise Gone("unsupported", "it is the work of several stages")
            said = figures.left_out(self._experiments.without(pipeline, stage, whole=is_again or is_moved))
        except Gone as gone:
            if rule.experiment == "speed":
                return Said("not-run", "no-fix", f"There is no fix to compare with, and it cannot be left out: {gone}")
            said = self._bound(finding, located, pipeline)
        if rule.experiment == "speed" and said.outcome == "confirmed":
            # How much of it the advice saves is another question.
            more = ", and this leaves out all before it, too" if is_moved else ""
            detail = f"There is no fix to compare with{more}. {said.detail}"
            said = replace(said, outcome="inconclusive", reason="no-fix", detail=detail)
        return said

    def _is_moved(self, finding: Finding, located: Located) -> bool:
        """Is it about calls of a function for each element? Calls for batches save all above a map, at most."""
        rule, ops = figures.rule(finding), {self._run.stage(number).op for number in located.stages}
        is_compared = rule.experiment == "speed" and rule.done_by_runtime != "parallel"
        return is_compared and ops <= {"Map", "ParallelMap"} and self._call(finding, located) is not None

    def _with_own_code(self, finding: Finding, located: Located, pipeline: Pipeline, said: Said) -> Said:
        """What is confirmed, with what calls for whole batches could gain."""
        if figures.rule(finding).experiment != "share" or said.outcome != "confirmed":
            return said
        whole = "yielding batches" if finding.code == "TFD201" else "one call for each batch"
        return replace(said, detail=said.detail + figures.own_code(pipeline, located.stages, whole))

    def _not_needed(self, finding: Finding, located: Located, pipeline: Pipeline) -> Said | None:
        """Where the run shows that nothing is to be gained. That is no word against the finding."""
        if already := figures.already(finding, pipeline, located.seen):
            return Said("not-needed", "runtime-already-does-it", f"TensorFlow already does this: {already}")
        share = pipeline.input.share if pipeline.input else None
        is_locked = figures.takes_lock(finding, pipeline, located.stages)
        if pipeline.input and share is not None and not is_locked and not figures.matters(pipeline.input.most):
            detail = f"The consumer waits for {share:.1%} of its time{figures.at_most(pipeline.input)}"
            detail += f": no fix could make it {THRESHOLD:g} times faster"
            return Said("not-needed", "not-bottleneck", detail)
        return self._beside(finding, located, pipeline)

    def _beside(self, finding: Finding, located: Located, pipeline: Pipeline) -> Said | None:
        """Of a call that could work in parallel: if it hardly works at all."""
        if figures.rule(finding).done_by_runtime != "parallel" or not self._call(finding, located):
            return None
        if located.seen is None:
            return figures.cached(self._run, pipeline, located.stages)
        return figures.beside(pipeline, located.seen)

    def _shown(self, finding: Finding, located: Located) -> Said:
        """What an experiment says of it."""
        assert located.pipeline is not None
        pipeline = self._run.pipelines[located.pipeline]
        match figures.rule(finding).experiment:
            case "epochs":
                share = self._experiments.epochs_equal(pipeline, self._call(finding, located))
                return figures.frozen(share, "the second epoch", "the first")
            case "iterators":
                return figures.frozen(self._experiments.iterators_equal(pipeline), "a second iterator", "the first one")
            case "processes":
                return figures.partition(self._experiments.processes_equal(pipeline))
            case "parts":
                return self._leak(finding)
            case "scores":
                return self._scores(finding, located)
            case "partners":
                return figures.partners(self._experiments.partners_equal(pipeline, finding.span))
            case "draws":
                # With a related place that is the draw for the image, and the finding stands at the one for the mask.
                image, mask = (*(other.span for other in finding.related[:1]), finding.span, None)[:2]
                assert image is not None
                return figures.apart(self._experiments.draws(pipeline, image, mask))
            case "step" | "loop":
                return figures.steps(*self._experiments.steps(pipeline, fixed([finding])))
        # Shares of the time are those with the true step.
        bound = self._beside(finding, located, pipeline)
        if figures.rule(finding).experiment in ("share", "again") and located.node is not None:
            bound = self._bound(finding, located, pipeline)
        said = figures.as_observed(self._compared(finding, located, pipeline), pipeline, bound)
        if figures.rule(finding).experiment == "again":
            said = figures.in_later_passes(said, pipeline)
            with suppress(Gone):
                if said.outcome == "confirmed" and (taken := figures.taken_through(self._run, pipeline, located.node)):
                    size = self._experiments.size(pipeline, {}, finding.span, figures.COUNTED)
                    return figures.in_repetitions(said, taken, size)
            return said
        if figures.takes_lock(finding, pipeline, located.stages):
            said = figures.locked(said, self._bound(finding, located, pipeline))
        return self._with_own_code(finding, located, pipeline, said)

    def _compared(self, finding: Finding, located: Located, pipeline: Pipeline) -> Said:
        """By its fix, where there is one, and by leaving its work out where that does not show what it costs."""
        if not is_compared(finding):
            return self._without(finding, located)
        experiment = figures.rule(finding).experiment
        said = self._with_fix(finding, located, pipeline)
        if experiment == "again" and said.outcome == "refuted" and not self._experiments.is_filled:
            detail = f"{said.detail}, before its cache was full"
            said = replace(said, outcome="inconclusive", reason="timeout", detail=detail)
        if experiment == "share" and said.outcome == "confirmed" and self._experiments.is_coarse:
            detail = f"{said.detail}, but its elements come in blocks that take longer than was measured at once"
            said = replace(said, outcome="inconclusive", reason="noise", detail=detail)
        # A cache that is full saves all that was done again; another edit saves a part of the work, at most.
        open_ones = {"speed": (), "again": ("inconclusive",)}.get(experiment, ("refuted", "inconclusive"))
        if said.outcome not in open_ones or said.comparison is None:
            return said
        rest = self._without(finding, located)
        return said if rest.outcome != "confirmed" else replace(rest, detail=f"{said.detail}. {rest.detail}")

    def _with_fix(self, finding: Finding, located: Located, pipeline: Pipeline) -> Said:
        # What moves a cache is measured once that is full.
        filling_s = figures.filling(pipeline) if figures.rule(finding).experiment == "again" else 0.0
        same, seen = self._experiments.speed(pipeline, fixed([finding]), filling_s)
        is_bottleneck = figures.is_bottleneck(pipeline, located.seen)
        return figures.compared(finding, same, seen, is_bottleneck=is_bottleneck)

    def _with_alternatives(self, finding: Finding, located: Located, said: Said) -> tuple[Finding, Said]:
        """With the fix that it is judged by: the first one, unless another one settles more."""
        if said.equality is None or located.pipeline is None:
            return finding, said
        pipeline = self._run.pipelines[located.pipeline]
        for other in (finding._replace(fix=fix) for fix in finding.alternatives):
            with suppress(Gone):
                seen = figures.as_observed(self._with_fix(other, located, pipeline), pipeline)
                finding, said = figures.with_another((finding, said), (other, seen))
        return finding, said

    def _discarded(self, located: Located) -> Said:
        if not located.stages:
            return Said("not-run", "stage-not-executed", "It was not called")
        if located.pipeline is None:
            return Said("confirmed", "shown", "A dataset was created here, but no consumed pipeline contains it")
        return Said("refuted", "not-shown", "The dataset that was created here is consumed")

    def _leak(self, finding: Finding) -> Said:
        spans = [related.span for related in finding.related[:2]]
        seen = sorted({part for span in spans if (part := self._pipeline_at(span)) is not None}, reverse=True)
        if len(spans) < 2 or not seen:
            return Said("not-run", "stage-not-executed", "The run did not consume pipelines of both parts")
        # Where the later one is consumed, both are made, as a rule.
        for number in seen:
            try:
                return figures.leak(self._experiments.leak(self._run.pipelines[number], spans))
            except Gone as gone:
                if gone.reason != "no-consumption" or number == seen[-1]:
                    raise
        raise AssertionError

    def _scores(self, finding: Finding, located: Located) -> Said:
        """By the pipeline that is scored: one that has the stage, and that no `fit` consumes to train on."""
        with_it = [p for p in self._run.pipelines if set(located.stages) & set(p.stages) and p.nodes]
        scored = sorted((p for p in with_it if p.consumer != "fit"), key=lambda p: p.consumer == "waiting")
        files = {(os.path.realpath(one.span.file), one.span.row) for one in finding.related[:1]}
        named = [p for p in scored if {(frame.file, frame.row) for frame in p.frames[:1]} & files]
        if not scored:
            return Said("not-run", "stage-not-executed", "The scored data was not consumed while this was observed")
        return figures.drawn(self._experiments.epochs_equal((named or scored)[0], self._call(finding, located)))

    def _call(self, finding: Finding, located: Located) -> Span | None:
        """The call that a finding is about, if it is one that made a dataset here."""
        return finding.span if set(self._at(finding.span)) & set(located.stages) else None

    def _pipeline_at(self, span: Span) -> int | None:
        made = set(self._at(span))
        return next((n for n, pipeline in enumerate(self._run.pipelines) if made & set(pipeline.stages)), None)


def _rank(pipeline: Pipeline) -> tuple[bool, bool, bool]:
    """What the code itself consumes first, and of that what it trains on before a loop."""
    return pipeline.consumer == "waiting", pipeline.ended, pipeline.consumer != "fit"
