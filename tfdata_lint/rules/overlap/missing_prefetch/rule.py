"""TFD101."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tfdata_lint.config.target import LAST_OF_1, Target
from tfdata_lint.pipeline.mapped.generators import is_live
from tfdata_lint.pipeline.nouns.consumers import DRIVING, Consumer
from tfdata_lint.pipeline.nouns.crossing import stages_by_span
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, Paths, paths, when
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import HANDING_ON, SHUFFLES, batching, is_batched, is_few, is_handful, is_toy
from tfdata_lint.pipeline.nouns.stages import Stage, tips, upstream
from tfdata_lint.pipeline.nouns.values import Constant, External
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import BY_RUNTIME, Finding, Fix, Related, Rule, Severity, guarded
from tfdata_lint.rules.overlap.ahead import why_unsafe
from tfdata_lint.rules.overlap.missing_prefetch.consuming import fetches_at_leisure, is_private, only_keeps, works
from tfdata_lint.rules.overlap.parallel import REWRITES, is_parallel

_OPTIONS = (*REWRITES, "experimental_optimization.inject_prefetch")
#: Consumers that take batches, whoever made them: a generator may yield batches too.
_TAKING_BATCHES = ("fit", "evaluate", "predict", "validation", "distribute", "input_fn")
#: Sources that do more than hand out what is in memory.
_WORKING_SOURCES = ("from_generator", "load", "tfds.load", "tfds.as_dataset")
#: A `prefetch` that is commented out on the row where the pipeline ends.
_TAKEN_OUT = re.compile(r"#\s*(?:\w+\s*=\s*\w+)?\.prefetch\(")
_LITTLE = "Batching small rows that are in memory takes little time (measured: 1.1 times slower without it)"
_BEFORE = (
    "TensorFlow before 2.11 adds no prefetch by itself, so preparing a batch and consuming it take turns (measured:"
    " 1.95 times slower)"
)
_KEPT = "The cache hands out finished batches from the second epoch on, which takes little time"
_AHEAD = "The earlier `prefetch` works ahead, so only putting the batches together takes turns"
#: What trains under one of these takes batches ahead for its devices, in a thread of its own.
_STRATEGIES = re.compile(r"\b(?:Mirrored|MultiWorkerMirrored|CollectiveAllReduce|TPU)Strategy\(|\btrain_distribute=")
_WORKS_AHEAD = "The last stage already works ahead, so a prefetch gains little (measured: no difference)"
_DISTRIBUTED = "A distribution strategy takes batches ahead for its devices (tried with `fit`: the two overlap)"
_TAKEN = "a `prefetch` is commented out here, so it may be on purpose"
#: Why its fix is skipped, by the cost, where that is not what TensorFlow does.
_NEEDLESS = {
    _WORKS_AHEAD: "the last stage already works ahead",
    _AHEAD: "an earlier `prefetch` already works ahead",
    _DISTRIBUTED: "a distribution strategy already takes batches ahead",
}
#: Sets of pictures of 784 bytes, which tfds caches in memory.
_DIGITS = frozenset({"mnist", "fashion_mnist", "kmnist"})
_IN_MEMORY = ("from_tensor_slices", "from_tensors")
#: Ends of one name, beyond which there is no place behind all of them.
_MANY = 20
#: They fill a buffer of batches in a thread of their own, with one call as with many (measured: no difference).
_FUSED = ("map_and_batch", "map_and_batch_with_legacy_function")
_CONSUMERS = {
    "for": "the loop", "comprehension": "the comprehension", "validation": "`validation_data`",
    "as_numpy": "`tfds.as_numpy`", "input_fn": "the Estimator",
}  # fmt: skip
#: What they give the devices is prefetched (measured on 2.21 with the injection switched off).
_PREFETCHING = ("experimental_distribute_dataset", "make_dataset_iterator")
_ADVICE = "End the pipeline with `.prefetch(tf.data.AUTOTUNE)`"
_MOVE = "End the pipeline with `.prefetch(tf.data.AUTOTUNE)`, instead of the earlier `prefetch`"


_IN_VAIN = re.compile(r"StagingArea|control_dependencies\(\s*\[[^\]]*\.initializer\b")


class MissingPrefetch(Rule):
    code = "TFD101"
    name = "missing-prefetch"
    group = "performance"
    summary = "A pipeline reaches its consumer without `prefetch` as its last effective stage"
    triggers = (
        "to:for to:iter to:as_numpy_iterator to:as_numpy to:fit to:evaluate to:predict to:validation to:distribute "
        "to:input_fn to:make_iterator to:comprehension to:return",
    )
    done_by_runtime = "buffer"
    related_comes = "after"
    of_ends = True

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: dict[Span, Finding] = {}
        working: dict[Span, set[Span]] = {}
        for consumer in graph.consumers:
            if finding := self._judge(graph, target, consumer, found):
                found[finding.span] = finding
                working[finding.span] = {_last_working(path).span for path in paths(consumer.dataset)}
        alike: dict[Severity, set[Span]] = {}
        for span, finding in found.items():
            alike.setdefault(finding.severity, set()).add(span)
        for span, finding in found.items():
            # `ds.repeat()` of a `ds` that is reported too: prefetching that one is enough.
            if not working[span] or span in working[span] or not working[span] <= alike[finding.severity]:
                yield finding

    def _judge(
        self, graph: PipelineGraph, target: Target, consumer: Consumer, found: Mapping[Span, Finding]
    ) -> Finding | None:
        is_driven = consumer.kind in DRIVING or (consumer.kind == "comprehension" and works(consumer.node))
        if not is_driven and not _is_last_to_see(graph, consumer):
            return None
        if any(tip.nested_in for tip in tips(consumer.dataset)):
            return None
        known = paths(consumer.dataset, consumer.context.conditions)
        ways = known if known.always(_lacks_prefetch) else _forgotten(known)
        if not ways or ways.always(is_few) or ways.always(is_handful):
            return None
        if all(_last_working(path).op in _FUSED for path in ways):
            return None
        if _is_only_kept(graph, consumer) or any(is_live(graph, stage) for path in ways for stage in path.stages):
            return None
        if consumer.kind == "return" and any(path.stages[0].op == "parameter" for path in ways):
            # It continues what its caller has, who may well go on: `reduce_func` of `group_by_window`, say.
            return None
        if not any(_is_finished(path, consumer) for path in ways) or _IN_VAIN.search(graph.source.text):
            # Of TensorFlow 1: what a StagingArea holds was prepared while the step before was run, and an iterator that
            # is set back before each element drops what was prefetched.
            return None
        if consumer.context.in_test or ways.always(is_toy):
            # A warning about them must not rest on the age of TensorFlow.
            if _weigh(Target(), consumer, ways.paths)[0] == "advice":
                return None
        severity, cost = _weigh(target, consumer, ways.paths)
        if consumer.kind in _TAKING_BATCHES and _STRATEGIES.search(graph.source.text):
            severity, cost = "advice", _DISTRIBUTED
        if consumer.kind in ("evaluate", "predict") and not consumer.context.loops and severity == "warning":
            severity, cost = "advice", f"{cost}; little in sum here, because one pass reads it"
        severity = severity if ways is known else "advice"
        ends = _named_last(target, ways)
        *others, last = ends
        is_taken_out = last.span.file == graph.file and _TAKEN_OUT.search(graph.source.lines[last.span.end_row - 1])
        # Who wrote it may have had a reason.
        why = _TAKEN if is_taken_out and severity == "warning" else _NEEDLESS.get(cost, BY_RUNTIME)
        if cost == _WORKS_AHEAD and not any(is_parallel(stage) for path in ways for stage in path.stages[1:]):
            # It works ahead because of TensorFlow.
            why = BY_RUNTIME
        severity = "advice" if is_taken_out else severity
        # One finding per pipeline; the consumer that loses most speaks for all.
        if (said := found.get(last.span)) and (said.severity, severity) != ("advice", "warning"):
            return None
        fix = _fix(graph, target, consumer, ways.paths)
        if isinstance(fix, Fix) and ways is not known:
            fix = fix.as_needless("other cases have a prefetch, so it may be on purpose")
        elif isinstance(fix, Fix) and severity == "advice" and cost not in (_LITTLE, _KEPT, _BEFORE):
            fix = fix.as_needless(why)
        empty = any(map(_is_empty_prefetch, ends))
        what = "`prefetch(0)`, which buffers nothing" if empty else f"`{last.op}` without `prefetch`"
        misplaced = dict.fromkeys(stage.span for path in ways for stage in path.stages if _buffers(stage))
        is_guess = consumer.kind == "return" or any(end.confidence == "likely" for end in ends)
        return self.finding(
            last.span,
            f"The pipeline that {_use(consumer)} ends in {what}{when(ways.paths, known.paths, last)}",
            cost=cost,
            advice=_MOVE if misplaced else _ADVICE,
            severity=severity,
            confidence="likely" if is_guess else "proven",
            related=(
                *(Related(end.span, "the pipeline may end here too") for end in others if end.span != last.span),
                *(Related(span, "this `prefetch` only works ahead of the next stage") for span in misplaced),
                Related(consumer.span, "consumed here"),
            ),
            fix=fix,
            # Without AUTOTUNE it is advice for another reason.
            by_version=ways is known
            and not (is_taken_out or cost == _DISTRIBUTED)
            and not target.below(1, 13)
            and len({_weigh(other, consumer, ways.paths)[0] for other in (LAST_OF_1, Target())}) > 1,
        )


# ---- which pipelines ----------------------------------------------------------------------------------------------


def _is_last_to_see(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does a dataset leave by a `return` to where nobody can be expected to continue it?

    A public function may be called from other modules; where this module calls it, the calls are judged instead.
    """
    name = consumer.context.definition
    is_here = consumer.kind == "return" and consumer.span.file == graph.file
    return is_here and name not in graph.called and (is_private(graph, name) or _has_finished_sibling(graph, consumer))


def _has_finished_sibling(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does the same `return` give a batched pipeline that is prefetched? Whoever takes both does not go on with one."""
    others = (other for other in graph.consumers if other.node is consumer.node and other is not consumer)
    finished = (paths(other.dataset, other.context.conditions) for other in others)
    own = paths(consumer.dataset, consumer.context.conditions)
    return own.always(is_batched) and any(
        ways.always(lambda path: is_batched(path) and path.stages[-1].op == "prefetch") for ways in finished
    )


def _ends(ways: Iterable[Path]) -> list[Stage]:
    return [path.stages[-1] for path in ways]


def _lacks_prefetch(path: Path) -> bool:
    """Is it known that no prefetch works at the end of a path?"""
    for stage in reversed(path.stages):
        if stage.is_opaque:
            # It may be prefetched.
            return False
        if _buffers(stage):
            return False
        if stage.operation.ends_prefetched:
            return not _is_given_prefetched(stage)
        if not (_is_cheap(stage) or stage.op == "prefetch" or stage.operation.keeps_prefetch):
            return True
    return True


def _forgotten(known: Paths) -> Paths:
    """The ways that lack it, each batched by itself or worked on behind its `prefetch`, where others have it; none
    where it is a decision.

    That is where what they share is prefetched on some ways, or where a condition speaks of it.
    """
    none = Paths((), complete=True)
    if (
        not known.complete
        or len(known) < 2
        or any(path.is_open and not any(map(_buffers, path.stages)) for path in known)
    ):
        return none
    lacking = tuple(path for path in known if _lacks_prefetch(path))
    if any("fetch" in condition.text for path in lacking for condition in path.conditions):
        return none
    others = {stage.span for path in known if path not in lacking for stage in path.stages}
    batches = [(path, batching(path)) for path in lacking]
    is_forgotten = all(
        batch is not None and (batch.span not in others or any(map(_buffers, path.after(batch))))
        for path, batch in batches
    )
    return Paths(lacking, complete=True) if is_forgotten else none


def _is_cheap(stage: Stage) -> bool:
    """Behind a prefetch, does it leave the overlap as it is? Measured: 3.84 s with `shuffle` there, 4.02 s with the
    prefetch last, 6.19 s without."""
    function = stage.function if stage.op in ("map", "filter") else None
    if function is not None and (function.cost == "trivial" or (function.resolved and not function.operations)):
        return True
    if stage.op == "filter":
        return function is not None and function.cost == "light"
    if stage.op == "cache" and not stage.has("filename"):
        # What it keeps in memory needs no work any more.
        return True
    return stage.op in (*SHUFFLES, "shard")


def _is_only_kept(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Are its elements but counted or put into a list, or one of them taken, so that nothing runs beside it?"""
    if consumer.kind == "make_iterator":
        return fetches_at_leisure(graph, graph.tree, consumer.node)
    return consumer.kind == "for" and only_keeps(consumer.node)


def _named_last(target: Target, ways: Iterable[Path]) -> list[Stage]:
    """The last stages, one that keeps its consumer waiting at the end of the list."""
    slow = {id(path.stages[-1]) for path in ways if not _is_asynchronous(path, target, "")}
    ends = {id(end): end for end in _ends(ways)}.values()
    return sorted(ends, key=lambda end: (id(end) in slow, end.span.row, end.span.column))


def _last_working(path: Path) -> Stage:
    """The last stage that does more than pass elements on."""
    return next((s for s in reversed(path.stages) if not s.operation.keeps_prefetch), path.stages[0])


def _is_empty_prefetch(stage: Stage) -> bool:
    return stage.op == "prefetch" and stage.literal("buffer_size", ...) == 0


def _buffers(stage: Stage) -> bool:
    return stage.op == "prefetch" and not _is_empty_prefetch(stage)


def _is_given_prefetched(source: Stage) -> bool:
    """Does a library end what it gives in a prefetch, without `read_config=tfds.ReadConfig(skip_prefetch=True)`?"""
    argument = source.arguments.get("read_config")
    match argument.value if argument else None:
        case External(keywords=keywords) if keywords.get("skip_prefetch") == Constant(True):
            return False
    return source.operation.ends_prefetched


def _is_finished(path: Path, consumer: Consumer) -> bool:
    """Is it what a training or evaluation loop takes, rather than elements on their way somewhere else?"""
    if is_batched(path):
        return True
    works = any(stage.function or stage.operation.reads or stage.op in _WORKING_SOURCES for stage in path.stages)
    return works and (consumer.kind in _TAKING_BATCHES or _is_loop_in_graph(consumer))


# ---- what to write ------------------------------------------------------------------------------------------------


@guarded
def _fix(graph: PipelineGraph, target: Target, consumer: Consumer, ways: tuple[Path, ...]) -> Fix:
    """One prefetch behind all ends where the code has such a place, else one at each end."""
    draft = Draft(graph)
    title = "Append `.prefetch(tf.data.AUTOTUNE)`"
    ends = list({end.span: end for end in _ends(ways)}.values())
    together = _ends_with(ends, graph, draft)
    if len(together) > 1 and draft.append_behind(together, lambda place: draft.prefetch(place, target), consumer.node):
        return _judged(draft, title, together, graph, consumer)
    working = list({stage.span: stage for stage in map(_last_working, ways)}.values())
    # Behind what some of them share: what follows only passes on what was prefetched.
    ends = working if len(working) < len(ends) else ends
    for stage in ends:
        if _is_empty_prefetch(stage):
            title = "Replace `prefetch(0)`"
            draft.set_arguments(stage, buffer_size=draft.autotune(stage.node, target))
        elif any(loop not in consumer.context.loops for loop in stage.context.loops):
            draft.refuse("a loop builds the pipeline")
        elif any(_goes_on(graph, other) for other in graph.once(stages_by_span).get(stage.span, ())):
            draft.refuse("other pipelines continue from here and would then prefetch twice")
        else:
            draft.append(stage, draft.prefetch(stage.node, target))
    return _judged(draft, title, ends, graph, consumer)


def _goes_on(graph: PipelineGraph, stage: Stage) -> bool:
    """Does a pipeline go on behind a stage, or around it, with work of its own?"""
    return bool(stage.nested_in) or any(
        not user.operation.keeps_prefetch and user.op != "prefetch" for user in graph.downstream(stage)
    )


def _judged(draft: Draft, title: str, ends: list[Stage], graph: PipelineGraph, consumer: Consumer) -> Fix:
    reason = _why_unsafe(graph, ends, consumer)
    if any(_may_be_repeated(end, graph, consumer) for end in ends):
        reason = "with a stage between this `shuffle` and its `repeat`, the elements come in another order"
    return draft.fix("unsafe" if reason else "safe", title, reason)


def _why_unsafe(graph: PipelineGraph, ends: list[Stage], consumer: Consumer) -> str:
    known = graph.once(_judgements)
    key = tuple(map(id, ends))
    if key not in known:
        alike = graph.once(stages_by_span)
        stages = (stage for span in dict.fromkeys(end.span for end in ends) for stage in alike.get(span, ()))
        others = (other for stage in stages for other in graph.reached(stage))
        consumers = {id(other): other for other in (consumer, *others)}
        known[key] = consumers, why_unsafe(graph, ends, list(consumers.values()))
    judged, reason = known[key]
    # Else it is reached in no way that is followed.
    return reason if id(consumer) in judged else why_unsafe(graph, ends, [consumer, *judged.values()])


def _judgements(graph: PipelineGraph) -> dict[tuple[int, ...], tuple[dict[int, Consumer], str]]:
    """By the ends: the consumers that were judged together, which may be many, and why that is unsafe."""
    return {}


def _may_be_repeated(end: Stage, graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it a shuffle that someone may repeat? TensorFlow makes the two one stage, which draws otherwise (measured)."""
    shuffle = next((s for s in upstream(end) if s.op != "with_options"), end)
    if shuffle.op != "shuffle" or shuffle.literal("reshuffle_each_iteration") is False:
        return False
    return consumer.kind == "return" or any(user.op == "repeat" for user in graph.users(end))


def _ends_with(ends: list[Stage], graph: PipelineGraph, draft: Draft) -> list[Stage]:
    """These ends of pipelines, with those that other calls of the same function give to the same name.

    None when some of those are prefetched, or where a script gives one name to pipeline after pipeline.
    """
    names = {draft.assigned(end) for end in ends}
    if names == {None}:
        return []
    by_name = graph.once(_ends_by_name)
    if sum(len(by_name.get(name, ())) for name in names) > _MANY:
        return []
    found = {end.span: end for name in names if name for end in by_name.get(name, {}).values()}
    found.update((end.span, end) for end in ends)
    ways = (path for end in found.values() for path in paths(end, end.context.conditions))
    return list(found.values()) if all(map(_lacks_prefetch, ways)) else []


def _ends_by_name(graph: PipelineGraph) -> dict[object, dict[int, Stage]]:
    """The ends of consumed pipelines, by the name and the function that they are assigned in."""
    draft = Draft(graph)
    found: dict[object, dict[int, Stage]] = {}
    for consumer in graph.consumers:
        for tip in tips(consumer.dataset):
            if name := draft.assigned(tip):
                found.setdefault(name, {})[id(tip)] = tip
    return found


# ---- how much it costs --------------------------------------------------------------------------------------------


def _weigh(target: Target, consumer: Consumer, ways: tuple[Path, ...]) -> tuple[Severity, str]:
    """The severity, and why."""
    ends = _ends(ways)
    off = next((name for name in _OPTIONS for end in ends if end.options.get(name) == Constant(False)), "")
    if all(_is_asynchronous(path, target, off) for path in ways):
        return "advice", _WORKS_AHEAD
    if consumer.target in _PREFETCHING:
        return "advice", f"`{consumer.target}` appends a prefetch itself (measured: no difference)"
    if all(map(_only_batches, ways)) and (_is_loop_in_graph(consumer) or not target.at_least(2, 11)):
        return "advice", _LITTLE
    if consumer.kind in ("fit", "validation") and all(map(_is_kept, ways)):
        return "advice", _KEPT
    if all(map(_is_made_ahead, ways)):
        return "advice", _AHEAD
    if _is_loop_in_graph(consumer):
        return "warning", (
            "A loop over a dataset inside `tf.function` waits for each element: the prefetch that TensorFlow adds"
            " does not help there (measured: 1.95 times slower)"
        )
    if off:
        return "warning", (
            f"The options of this dataset switch `{off}` off, so TensorFlow adds no prefetch by itself: preparing a"
            " batch and consuming it take turns (measured: 1.95 times slower; `AUTOTUNE` works here, too)"
        )
    if any(map(_is_empty_prefetch, ends)) and target.at_least(2, 18):
        return "warning", (
            "It also keeps TensorFlow from adding a prefetch: preparing a batch and consuming it take turns"
            " (measured: 1.95 times slower)"
        )
    if not target.at_least(2, 11):
        return "advice" if target.below(1, 13) else "warning", _BEFORE
    return "advice", (
        "TensorFlow 2.11 and later add a prefetch here (measured: no difference), unless autotuning is off (1.95"
        " times slower)"
    )


def _only_batches(path: Path) -> bool:
    """Does it no more than put together rows that are in memory, or scale the digits that tfds keeps there?"""
    source, *others = path.stages
    if source.op == "tfds.load" and str(source.literal("name")).partition(":")[0] in _DIGITS:
        return all(stage.function is None or stage.function.cost in ("trivial", "light") for stage in others)
    return source.op in _IN_MEMORY and all(map(_is_handing_on, others))


def _is_made_ahead(path: Path) -> bool:
    """Does a prefetch work ahead, behind which elements are only shuffled and put together?

    Behind a generator, which is what takes the time, they may be mapped in parallel, too.
    """
    held = [stage for stage in path.stages if _buffers(stage) or _is_given_prefetched(stage)]
    later = path.after(held[-1]) if held else ()
    is_generated = path.stages[0].op == "from_generator"
    return bool(later) and all(_is_left_over(stage) or (is_generated and stage.is_parallel) for stage in later)


def _is_left_over(stage: Stage) -> bool:
    return stage.operation.batches or stage.operation.keeps_prefetch or stage.op in SHUFFLES


def _is_kept(path: Path) -> bool:
    """Does it end in a cache that keeps its batches in memory?"""
    last = path.stages[-1]
    return last.op == "cache" and not last.has("filename") and is_batched(path)


def _is_handing_on(stage: Stage) -> bool:
    function = stage.function if stage.op == "map" else None
    if function is not None:
        return function.cost == "trivial" and function.is_stateless
    return stage.op == "batch" or stage.op in HANDING_ON


def _is_loop_in_graph(consumer: Consumer) -> bool:
    return consumer.kind == "for" and consumer.context.in_tf_function


def _is_asynchronous(path: Path, target: Target, off: str) -> bool:
    """Does the last effective stage prepare elements ahead of being asked?"""
    last = _last_working(path)
    # `map` directly before `batch` becomes one stage that works ahead, also without being parallel.
    before = path.before(last)[-1:]
    if last.op == "batch" and before and before[0].op == "map" and target.at_least(1, 13) and not off:
        return True
    for stage in reversed(path.stages):
        if stage.op in SHUFFLES or (stage.op == "batch" and stage.presumed("batch_size") == 1):
            continue
        if stage.op != "prefetch" and not stage.operation.keeps_prefetch:
            is_ahead = stage.op in _FUSED or is_parallel(stage)
            return is_ahead or (not off and target.at_least(2, 6) and _is_parallelised(stage))
    return False


def _is_parallelised(stage: Stage) -> bool:
    """Does TensorFlow make this map parallel by itself?"""
    function = stage.function
    is_free = stage.op == "map" and not stage.has("num_parallel_calls") and not stage.nested_in
    return is_free and function is not None and function.is_stateless


def _use(consumer: Consumer) -> str:
    if consumer.kind == "return":
        return f"`{consumer.context.definition.rpartition('.')[2]}` returns"
    return _CONSUMERS.get(consumer.kind, f"`{consumer.target or consumer.kind}`") + " consumes"
