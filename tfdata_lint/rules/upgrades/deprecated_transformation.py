"""TFD702."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.renames import MOVED, OLD_IN_1, Renamed
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import may_be_endless, may_ignore_errors, may_reorder
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.rewriting.calls import Argument, OldCall, literal
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Fix, guarded
from tfdata_lint.rules.overlap.ahead import why_further_unsafe
from tfdata_lint.rules.upgrades.fused import CHAINS, links
from tfdata_lint.rules.upgrades.renaming import Renaming, why_new


class DeprecatedTransformation(Renaming):
    code = "TFD702"
    name = "deprecated-transformation"
    summary = "A deprecated or removed name of `tf.data.experimental` or `tf.contrib.data`"
    triggers = ("use:tensorflow.data.experimental use:tensorflow.contrib.data",)
    kinds = ("symbol", "function", "method", "transformation", "by hand")
    message = "`{}` is deprecated"

    def today(self, use: SymbolUse, row: Renamed, target: Target) -> Renamed:
        """Of `tf.contrib.data`, where the target does not have, or may not have, what it is today, the next name."""
        home, _, name = use.name.rpartition(".")
        is_enough = not target.lacks(*max(row.since, (2, 0))) or (name in OLD_IN_1 and target.below(2, 0))
        if home != "tensorflow.contrib.data" or name not in MOVED or is_enough:
            return row
        return Renamed(f"tf.data.experimental.{name}", (1, 13))

    def counts(self, graph: PipelineGraph, use: SymbolUse, row: Renamed, target: Target, is_old: bool) -> bool:
        if is_old and use.name.rpartition(".")[2] in OLD_IN_1:
            return True
        if use.call is not None and any(word.arg == "external_state_policy" for word in use.call.keywords):
            # Nothing else lets somebody save an iterator beside Python.
            return False
        return not target.lacks(*row.since) and (not is_old or ".contrib." in use.name)

    def cost(self, use: SymbolUse, row: Renamed, is_old: bool) -> str:
        if ".contrib." in use.name:
            return "TensorFlow 2.0 removed `tf.contrib`, so this raises an AttributeError there"
        if row.is_gone:
            return "Current TensorFlow no longer has it: this raises an AttributeError"
        if is_old and use.name.rpartition(".")[2] in OLD_IN_1:
            return "TensorFlow 1.15 already warns that it will be removed, and has the replacement"
        return f"It will be removed; its replacement is available since {row.version}"

    def advice(self, old: str, row: Renamed, target: Target) -> str:
        written = _written(row, target)
        form = f".{written}" if row.kind == "transformation" else written
        also = (f" ({row.note})" if row.kind == "by hand" else f", and {row.note}") if row.note else ""
        return f"Use {_marked(form)}{also}"

    @guarded
    def fix(self, graph: PipelineGraph, use: SymbolUse, row: Renamed, target: Target) -> Fix:
        draft, title = Draft(graph), f"Rewrite as {_marked(_written(row, target))}"
        if row.kind == "by hand":
            return draft.fix("display-only", title, row.note)
        given = _write(draft, use, row, target)
        reason = _why_unsafe(graph, use, row, given) or why_new(row, target)
        return draft.fix("unsafe" if reason else "safe", title, reason)


def _marked(form: str) -> str:
    """A form with code marks; in words only their code has them."""
    return form if "`" in form else f"`{form}`"


def _written(row: Renamed, target: Target) -> str:
    """Its form as one writes it for the target."""
    return row.new.replace("data.AUTOTUNE", "data.experimental.AUTOTUNE") if target.lacks(2, 4) else row.new


def _write(draft: Draft, use: SymbolUse, row: Renamed, target: Target) -> Mapping[str, ast.expr]:
    """Write it anew. The arguments of a fused transformation are given back."""
    name, (new, called, _) = use.name.rpartition(".")[2], row.new.partition("(")
    call, is_applied = use.call, row.kind == "transformation"
    if not draft.can_edit(use.node):
        return {}
    if is_applied and (call is None or use.apply is None):
        draft.refuse("the call is not directly inside `.apply(…)`")
    elif call is None and called:
        draft.refuse("the name is used without a call")
    elif call is None:
        draft.replace(use.node, draft.data(use.node, new.removeprefix("tf.data.")))
    elif row.kind == "method":
        receiver, _, method = new.partition(".")
        OldCall(draft, call).write_on_first(receiver, method)
    elif is_applied and name not in CHAINS:
        OldCall(draft, call, use.apply).rename(new)
    elif is_applied:
        old = OldCall(draft, call, use.apply)
        if given := old.bound(CHAINS[name][0]):
            old.write(*links(old, name, given, target))
        return given
    else:
        old, new = OldCall(draft, call), draft.data(use.node, new.removeprefix("tf.data."))
        has_default = name == "choose_from_datasets" and row.note
        given = old.bound("datasets choice_dataset stop_on_empty_dataset=") if has_default else {}
        if given and "stop_on_empty_dataset" not in given:
            old.write((new, [*old.arguments, Argument("stop_on_empty_dataset", text="False")]))
        else:
            old.rename(new)
    return {}


def _why_unsafe(graph: PipelineGraph, use: SymbolUse, row: Renamed, given: Mapping[str, ast.expr]) -> str:
    """Why something else may come out, in one sentence; empty when it cannot."""
    if ".contrib." in use.name:
        return "the code may still run on TensorFlow 1, which lacks part of the replacement"
    name = use.name.rpartition(".")[2]
    is_old = is_tensorflow_1(graph) or ".compat." in use.written
    # `map`, `batch`, `shuffle`, `repeat` and `interleave` give datasets of TensorFlow 1 there (measured).
    if is_old and name not in CHAINS:
        return "under `compat.v1` the new dataset may lack `make_one_shot_iterator`"
    if row.differs:
        return row.differs
    stages = [stage for stage in graph.stages if stage.node is use.apply]
    if row.kind == "transformation" and not stages:
        return "`apply` may not be the method of a dataset"
    if is_old and row.new.startswith("map(") and not all(_is_read_by_iterator(graph, stage) for stage in stages):
        return "under `compat.v1` the number of elements is unknown behind `map`"
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
        return "`deterministic` is, or may be, off, which the old operation ignores"
    if any(may_ignore_errors(graph, stage) for stage in stages):
        return "`ignore_errors` comes after it, and now treats a failing input differently"
    if name == "parallel_interleave" and any(map(may_be_endless, stages)):
        return "its cardinality was unknown, and becomes infinite if its input is infinite"
    return why_further_unsafe(graph, stages)


def _is_read_by_iterator(graph: PipelineGraph, stage: Stage) -> bool:
    """Does all that reads it take elements, and nothing ask how many there are, as Keras does?"""
    readers = graph.reached(stage)
    return bool(readers) and all(reader.kind in ("input_fn", "make_iterator", "next") for reader in readers)


def _is_asked_for(graph: PipelineGraph, name: str) -> bool:
    """Is a class named where no object of it is made, here or in another file?"""
    is_named = any(use.call is None for use in graph.uses if use.name == name)
    return is_named or graph.is_used_elsewhere(name.rpartition(".")[2])


def _why_interleave_differs(given: Mapping[str, ast.expr]) -> str:
    if "sloppy" in given and literal(given["sloppy"]) is not False:
        return "`sloppy=True` becomes `deterministic=False`, and the order stays undefined"
    if given.keys() & {"buffer_output_elements", "prefetch_input_elements"}:
        return "`buffer_output_elements` and `prefetch_input_elements` have no counterpart"
    if "block_length" in given and literal(given["block_length"]) != 1:
        return "where an input ends inside a block of `block_length` elements, the order changes"
    return ""
