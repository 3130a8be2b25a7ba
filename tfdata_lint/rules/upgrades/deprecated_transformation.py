"""TFD702."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import may_be_endless, may_ignore_errors, may_reorder
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import chooses_version, is_tensorflow_1, may_need_older
from tfdata_lint.rewriting.calls import Argument, OldCall, literal
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Applicability, Finding, Fix, Rule
from tfdata_lint.rules.overlap.ahead import why_further_unsafe
from tfdata_lint.rules.upgrades.fused import CHAINS


class _Modern(NamedTuple):
    """What an old name is today."""

    form: str
    """As one writes it now."""
    since: tuple[int, int]
    """The TensorFlow that has it."""
    applicability: Applicability = "safe"
    note: str = ""
    """What to mind: the reason why the fix is not safe, or what a safe one must add."""
    removed: bool = False
    """The old name is gone from `tf.data.experimental` too."""
    applied: bool = True
    """It was given to `.apply(…)`."""


def _function(form: str, since: tuple[int, int], note: str = "") -> _Modern:
    return _Modern(form, since, note=note, applied=False)


def _by_hand(form: str, since: tuple[int, int], note: str, removed: bool = False) -> _Modern:
    return _Modern(form, since, "display-only", note, removed, applied=False)


_STATISTICS = _by_hand("the TensorFlow profiler", (2, 2), "there is no drop-in replacement", removed=True)

#: Deprecated and removed names of `tf.data.experimental`; all were in `tf.contrib.data` before.
_MODERN: dict[str, _Modern] = {
    "map_and_batch": _Modern(
        "map(f, num_parallel_calls=tf.data.AUTOTUNE).batch(n)", (2, 4), note="keep `drop_remainder`"
    ),
    "map_and_batch_with_legacy_function": _by_hand("map(f).batch(n)", (2, 0), "it is traced anew", removed=True),
    "shuffle_and_repeat": _Modern(
        "shuffle(n).repeat()",
        (2, 0),
        "unsafe",
        "seeded, whatever reads it a second time gets another order than before",
    ),
    "parallel_interleave": _Modern("interleave(f, cycle_length=n, num_parallel_calls=n)", (2, 2)),
    "unbatch": _Modern("unbatch()", (2, 0)),
    "enumerate_dataset": _Modern("enumerate()", (2, 0)),
    "bucket_by_sequence_length": _Modern("bucket_by_sequence_length(…)", (2, 6)),
    "group_by_window": _Modern("group_by_window(…)", (2, 6)),
    "scan": _Modern("scan(…)", (2, 6)),
    "snapshot": _Modern("snapshot(…)", (2, 6)),
    "take_while": _Modern("take_while(…)", (2, 6)),
    "unique": _Modern("unique()", (2, 6)),
    "rejection_resample": _Modern("rejection_resample(…)", (2, 7)),
    "ignore_errors": _Modern("ignore_errors()", (2, 11)),
    "dense_to_ragged_batch": _Modern("ragged_batch(…)", (2, 12)),
    "dense_to_sparse_batch": _Modern("sparse_batch(…)", (2, 12)),
    "parse_example_dataset": _Modern(
        "map(lambda batch: tf.io.parse_example(batch, features))",
        (2, 0),
        "unsafe",
        "the static shape of sparse features can lose the batch size",
    ),
    "choose_from_datasets": _function(
        "tf.data.Dataset.choose_from_datasets(…)", (2, 7), "pass `stop_on_empty_dataset=False`, whose default changed"
    ),
    "sample_from_datasets": _function("tf.data.Dataset.sample_from_datasets(…)", (2, 7)),
    "get_single_element": _function("dataset.get_single_element()", (2, 6)),
    "RandomDataset": _function("tf.data.Dataset.random(…)", (2, 6)),
    "Counter": _function("tf.data.Dataset.counter(…)", (2, 11)),
    "save": _function("dataset.save(…)", (2, 11)),
    "load": _function("tf.data.Dataset.load(…)", (2, 11)),
    "get_next_as_optional": _function("iterator.get_next_as_optional()", (2, 3)),
    "make_saveable_from_iterator": _by_hand("tf.train.Checkpoint(iterator=iterator)", (2, 0), "it is used differently"),
    "CheckpointInputPipelineHook": _by_hand(
        "tf.train.Checkpoint(iterator=iterator)", (2, 0), "it is used differently", removed=True
    ),
    "TFRecordWriter": _by_hand("tf.io.TFRecordWriter(path)", (2, 0), "it writes records one by one"),
    "MapVectorizationOptions": _by_hand("batch(n).map(f)", (2, 0), "the runtime no longer does it", removed=True),
    "TensorStructure": _by_hand("tf.TensorSpec(shape, dtype)", (2, 0), "the arguments changed places", removed=True),
    "SparseTensorStructure": _by_hand("tf.SparseTensorSpec", (2, 0), "the arguments changed places", removed=True),
    "RaggedTensorStructure": _by_hand("tf.RaggedTensorSpec", (2, 0), "the arguments changed places", removed=True),
    "TensorArrayStructure": _by_hand("tf.TensorArraySpec", (2, 0), "the arguments changed places", removed=True),
    "NestedStructure": _by_hand("a structure of `tf.TensorSpec`", (2, 0), "it is plain Python", removed=True),
    "StatsAggregator": _STATISTICS,
    "StatsOptions": _STATISTICS,
    "latency_stats": _STATISTICS,
    "bytes_produced_stats": _STATISTICS,
    "set_stats_aggregator": _STATISTICS,
}

#: Those that TensorFlow 1 has deprecated already.
_OLD_IN_1 = frozenset({"map_and_batch", "parallel_interleave", "unbatch"})

#: Those that went from `tf.contrib.data` to `tf.data.experimental`, as they were, with TensorFlow 1.13.
_MOVED = _MODERN.keys() - {"set_stats_aggregator"} | {"AUTOTUNE"}

#: Names that only `tf.contrib.data` had, or that `tf.data.experimental` still has without deprecation.
_FROM_CONTRIB: dict[str, _Modern] = {
    "batch_and_drop_remainder": _Modern("batch(n, drop_remainder=True)", (1, 10)),
    "padded_batch_and_drop_remainder": _Modern("padded_batch(n, shapes, drop_remainder=True)", (1, 10)),
    "sliding_window_batch": _by_hand("window(size, shift=n)", (1, 12), "windows are datasets, not tensors"),
    "assert_element_shape": _by_hand("map(tf.ensure_shape)", (1, 12), "the shapes are given differently"),
    "read_batch_features": _by_hand("tf.data.experimental.make_batched_features_dataset(…)", (1, 12), "defaults vary"),
    "reduce_dataset": _by_hand("dataset.reduce(state, f)", (1, 11), "the function is given differently"),
    "LMDBDataset": _by_hand("a reader of `tensorflow_io`", (1, 15), "TensorFlow itself has none any more"),
    "Dataset": _function("tf.data.Dataset", (1, 4)),
    "Iterator": _function("tf.data.Iterator", (1, 4)),
    "TFRecordDataset": _function("tf.data.TFRecordDataset", (1, 4)),
    "TextLineDataset": _function("tf.data.TextLineDataset", (1, 4)),
    "FixedLengthRecordDataset": _function("tf.data.FixedLengthRecordDataset", (1, 4)),
    "AUTOTUNE": _function("tf.data.AUTOTUNE", (2, 4)),
    **{
        name: _function(f"tf.data.experimental.{name}", (1, 13))
        for name in (
            "CsvDataset", "Optional", "Reducer", "SqlDataset", "copy_to_device", "group_by_reducer",
            "make_batched_features_dataset", "make_csv_dataset", "prefetch_to_device",
        )
    },
}  # fmt: skip


class DeprecatedTransformation(Rule):
    code = "TFD702"
    name = "deprecated-transformation"
    group = "upgrade"
    summary = "A deprecated or removed name of `tf.data.experimental` or `tf.contrib.data`"
    triggers = ("use:tensorflow.data.experimental use:tensorflow.contrib.data",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found = [(use, old, modern) for use in graph.uses for old, modern in _old_name(use)]
        is_old = target.below(2, 0) or (bool(found) and not target.is_declared and may_need_older(graph))
        for use, old, today in found:
            contrib = ".contrib." in use.name
            modern = _of_contrib(use, today, target) if contrib else today
            is_known = is_old and use.name.rpartition(".")[2] in _OLD_IN_1
            if not is_known and (target.below(*modern.since) or (is_old and not contrib)):
                continue
            if chooses_version(graph, use.node):
                continue
            gone = (contrib or modern.removed) and not target.below(2, 0)
            written = _written(modern, target)
            form = f"`.{written}`" if modern.applied else written if " `" in written else f"`{written}`"
            yield self.finding(
                use.span,
                f"`{old}` {'was removed' if gone else 'is deprecated'}",
                severity="advice" if is_old else None,
                cost=_cost(contrib, modern, is_known),
                advice=f"Use {form}"
                + (f", and {modern.note}" if modern.note and modern.applicability == "safe" else ""),
                fix=_fix(graph, use, modern, target),
            )


def _old_name(use: SymbolUse) -> Iterator[tuple[str, _Modern]]:
    prefix, _, name = use.name.rpartition(".")
    if prefix == "tensorflow.data.experimental" and name in _MODERN:
        yield f"tf.data.experimental.{name}", _MODERN[name]
    if prefix == "tensorflow.contrib.data" and (modern := _MODERN.get(name) or _FROM_CONTRIB.get(name)):
        yield f"tf.contrib.data.{name}", modern


def _of_contrib(use: SymbolUse, modern: _Modern, target: Target) -> _Modern:
    """What a name of `tf.contrib.data` is where the target does not have, or may not have, what it is today."""
    name = use.name.rpartition(".")[2]
    if name not in _MOVED or not target.below(*max(modern.since, (2, 0))):
        return modern
    is_known = name in _OLD_IN_1 and target.below(2, 0)
    return modern if is_known else _function(f"tf.data.experimental.{name}", (1, 13))


def _written(modern: _Modern, target: Target) -> str:
    """Its form as one writes it for the target."""
    return modern.form.replace("data.AUTOTUNE", "data.experimental.AUTOTUNE") if target.below(2, 4) else modern.form


def _cost(contrib: bool, modern: _Modern, is_known: bool) -> str:
    if contrib:
        return "`tf.contrib` is gone since TensorFlow 2.0, where this fails with AttributeError"
    if modern.removed:
        return "Current TensorFlow no longer has it: this fails with AttributeError"
    if is_known:
        return "TensorFlow 1.15 itself warns that it will be removed, and has its replacement"
    major, minor = modern.since
    return f"It will be removed, and its replacement is there since TensorFlow {major}.{minor}"


def _fix(graph: PipelineGraph, use: SymbolUse, modern: _Modern, target: Target) -> Fix:
    title = f"Rewrite as `{_written(modern, target)}`"
    draft = Draft(graph)
    if modern.applicability == "display-only":
        return draft.fix("display-only", title, modern.note)
    given = _write(draft, use, modern, target)
    reason = _why_unsafe(graph, use, modern, given)
    return draft.fix("unsafe" if reason else "safe", title, reason)


def _write(draft: Draft, use: SymbolUse, modern: _Modern, target: Target) -> Mapping[str, ast.expr]:
    """Write it anew. The arguments of a fused transformation are given back."""
    name = use.name.rpartition(".")[2]
    form = modern.form.partition("(")[0]
    if not draft.can_edit(use.node):
        return {}
    if modern.applied:
        if use.call is None or use.apply is None:
            draft.refuse("it is not called directly inside `.apply(…)`")
            return {}
        old = OldCall(draft, use.call, use.apply)
        if name not in CHAINS:
            old.rename(form)
            return {}
        signature, chain = CHAINS[name]
        given = old.bound(signature)
        if given:
            old.write(*chain(old, given, target))
        return given
    if form.startswith(("dataset.", "iterator.")) and use.call is not None:
        receiver, _, method = form.partition(".")
        OldCall(draft, use.call).write_on_first(receiver, method)
    elif use.call is None and modern.form.endswith(")"):
        draft.refuse("it is not called here")
    else:
        full = draft.data(use.node, form.removeprefix("tf.data."))
        if use.call is None:
            draft.replace(use.node, full)
        elif name == "choose_from_datasets" and modern.note:
            _choose_from_datasets(OldCall(draft, use.call), full)
        else:
            OldCall(draft, use.call).rename(full)
    return {}


def _choose_from_datasets(old: OldCall, name: str) -> None:
    given = old.bound("datasets choice_dataset stop_on_empty_dataset=")
    if not given or "stop_on_empty_dataset" in given:
        old.rename(name)
    else:
        old.write((name, [*old.arguments, Argument("stop_on_empty_dataset", text="False")]))


def _why_unsafe(graph: PipelineGraph, use: SymbolUse, modern: _Modern, given: Mapping[str, ast.expr]) -> str:
    """Why something else may come out, in one sentence; empty when it cannot."""
    if ".contrib." in use.name:
        return "it may still run on TensorFlow 1, which does not have everything that this needs"
    if is_tensorflow_1(graph) or ".compat." in use.written:
        return "under `compat.v1` the new dataset may lack `make_one_shot_iterator`"
    if modern.applicability == "unsafe":
        return modern.note
    stages = [stage for stage in graph.stages if stage.node is use.apply]
    if modern.applied and not stages:
        return "it is not seen that `apply` is that of a dataset"
    name = use.name.rpartition(".")[2]
    if graph.is_written(f"@{name}"):
        return f"`{name}` may be set to something else"
    if name == "RandomDataset" and _is_asked_for(graph, use.name):
        return "`tf.data.Dataset.random` gives a dataset of another class"
    given = {name: value for name, value in given.items() if literal(value) is not None}
    if name == "map_and_batch" and "num_parallel_batches" in given:
        return "`num_parallel_batches` has no counterpart"
    if name == "parallel_interleave" and (reason := _why_interleave_differs(given)):
        return reason
    if name not in ("map_and_batch", "parallel_interleave"):
        return ""
    if any(may_reorder(graph, stage) for stage in stages):
        return "`deterministic` is or may be switched off, which the old one does not heed"
    if name == "parallel_interleave" and any(may_ignore_errors(graph, stage) for stage in stages):
        return "`ignore_errors` comes behind it, and an input that fails is left in another way now"
    if name == "parallel_interleave" and any(map(may_be_endless, stages)):
        return "its cardinality was unknown, and becomes infinite where its input never ends"
    return why_further_unsafe(graph, stages)


def _is_asked_for(graph: PipelineGraph, name: str) -> bool:
    """Is a class named where no object of it is made, here or in another file?"""
    is_named = any(use.call is None for use in graph.uses if use.name == name)
    return is_named or graph.is_written(f"={name.rpartition('.')[2]}")


def _why_interleave_differs(given: Mapping[str, ast.expr]) -> str:
    if "sloppy" in given and literal(given["sloppy"]) is not False:
        return "`sloppy=True` becomes `deterministic=False`, and the order was and is left open"
    if given.keys() & {"buffer_output_elements", "prefetch_input_elements"}:
        return "`buffer_output_elements` and `prefetch_input_elements` have no counterpart"
    if "block_length" in given and literal(given["block_length"]) != 1:
        return "where an input ends inside a block of `block_length` elements, the order is another one"
    return ""
