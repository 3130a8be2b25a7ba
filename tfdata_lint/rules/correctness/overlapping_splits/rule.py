"""TFD414 overlapping-splits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence as Several
from itertools import chain, combinations, product
from math import inf
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.rows import Rows, is_steady, rows_of
from tfdata_lint.pipeline.knowledge.operations import METHODS
from tfdata_lint.pipeline.nouns.code import receiver, way
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import by_place, consumed, reshuffles
from tfdata_lint.pipeline.nouns.stages import Argument, Join, Stage
from tfdata_lint.pipeline.nouns.values import UNKNOWN, Constant, Mapping_, Sequence, parts_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.runs import code_in
from tfdata_lint.rules.base import Finding, Related, Rule, Severity
from tfdata_lint.rules.correctness.made_up import is_no_data
from tfdata_lint.rules.correctness.overlapping_splits.loops import (
    are_of_one_program,
    given_to,
    is_said_to_score,
    loops_of,
)
from tfdata_lint.rules.correctness.overlapping_splits.slices import Slice, parse
from tfdata_lint.source.trees import walk

#: What leaves no element out, or only by its position.
_POSITIONAL = frozenset({"take", "skip"})
_KEEPING = frozenset({
    "map", "batch", "padded_batch", "ragged_batch", "unbatch", "prefetch", "with_options", "repeat", "cache", "shuffle",
    "enumerate", "interleave", "TFRecordDataset", "TextLineDataset",
})  # fmt: skip
_BATCHING = frozenset({"batch", "padded_batch", "ragged_batch", "unbatch", "interleave"})
#: Several datasets come from one call of these, and what is one of them is not told apart.
_SEVERAL = frozenset({"split_dataset"})
#: What they give differs from one iteration to the next, or may.
_UNSTEADY = frozenset({"from_generator", "random", "parameter", "unresolved"})
_DIRECTORIES = "_from_directory"
_WINDOWS = "timeseries_dataset_from_array"
#: Arguments that say which part is read.
_PARTS = ("subset", "validation_split", "start_index", "end_index")


class _Overlap(NamedTuple):
    """What two datasets have in common, and whether that is no more than suspicious."""

    what: str
    is_all: bool
    """Both are one and the same, or training has all there is."""
    one: Stage
    other: Stage


class OverlappingSplits(Rule):
    code = "TFD414"
    name = "overlapping-splits"
    group = "correctness"
    summary = "Training and evaluation read the same data, so the score says little"
    triggers = ("to:validation to:evaluate given:subset given:split to:for to:walk to:comprehension",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        yield from self._fitted(graph)
        yield from self._looped(graph)
        yield from self._subsets(graph)
        yield from self._slices(graph)

    # ── `fit(train, validation_data=validation)` ────────────────────────────────────────────────────────────────

    def _fitted(self, graph: PipelineGraph) -> Iterator[Finding]:
        fits = [consumer for consumer in graph.consumers if consumer.kind == "fit"]
        for consumer in consumed(graph, "validation", "evaluate"):
            found = (_overlap(graph, fit, consumer) for fit in fits if _are_of_one_model(fit, consumer))
            overlap = next(filter(None, found), None)
            if overlap is not None:
                yield self._report(consumer, overlap)

    # ── a loop that trains, and one that scores ─────────────────────────────────────────────────────────────────

    def _looped(self, graph: PipelineGraph) -> Iterator[Finding]:
        trained, scored = loops_of(graph)
        for consumer in scored:
            found = (_overlap(graph, one, consumer) for one in trained if are_of_one_program(one, consumer))
            overlap = next(filter(None, found), None)
            if overlap is not None:
                yield self._report(consumer, overlap._replace(is_all=True))

    def _report(self, consumer: Consumer, overlap: _Overlap) -> Finding:
        severity: Severity | None = "warning" if overlap.is_all else None
        what = f"validation data of `{consumer.target}`" if consumer.kind == "validation" else "evaluation data"
        return self.finding(
            consumer.span,
            f"Training and {what} overlap: {overlap.what}",
            severity=severity,
            cost="The score includes data that the model has trained on, so a model that only memorizes looks best",
            advice="Validate on elements that the model does not train on",
            confidence="likely" if severity else "proven",
            related=tuple(
                Related(stage.span, text)
                for stage, text in ((overlap.one, "trained on"), (overlap.other, "validated on"))
                if stage.span.file
            ),
        )

    # ── `subset="training"` and `subset="validation"` of one directory ──────────────────────────────────────────

    def _subsets(self, graph: PipelineGraph) -> Iterator[Finding]:
        stages = [stage for stage in graph.stages if stage.op.endswith(_DIRECTORIES) and not stage.context.in_test]
        for validation in stages:
            if validation.literal("subset") != "validation":
                continue
            partners = [stage for stage in stages if _are_partners(graph, stage, validation)]
            reasons = [_drawn_apart(training, validation) for training in partners]
            # A training part that fits is the one that is meant.
            if not reasons or not all(reasons):
                continue
            yield self.finding(
                validation.span,
                f"The two subsets overlap: {reasons[-1]}",
                cost=(
                    "Each call orders and splits the files by its own arguments, so the model also trains on validation"
                    " files (measured for other orders: on 14 to 20 of 20)"
                ),
                advice='Give both calls the same `shuffle`, `seed` and `validation_split`, or use `subset="both"`, '
                "with which the validation part is not shuffled",
                confidence=validation.confidence,
                related=(Related(partners[-1].span, "the training part"),),
            )

    # ── slices of tensorflow_datasets in one call ───────────────────────────────────────────────────────────────

    def _slices(self, graph: PipelineGraph) -> Iterator[Finding]:
        for stage in graph.stages:
            split = stage.arguments.get("split")
            if split is None or stage.context.in_test or not isinstance(split.value, Sequence):
                continue
            texts = [item.value if isinstance(item, Constant) else None for item in split.value.items]
            names = _kept_under(graph, stage)
            known = [(i, text) for i, text in enumerate(texts) if isinstance(text, str)]
            for (i, one), (j, other) in combinations(known, 2):
                first, second = parse(one), parse(other)
                is_look = _is_within(first, second) or _is_within(second, first)
                is_scored = len(names) == len(texts) and is_said_to_score(names[i]) != is_said_to_score(names[j])
                if _meet(first, second) and (is_scored or not is_look):
                    yield self.finding(
                        stage.span,
                        f"The splits `{one}` and `{other}` share examples",
                        severity="warning",
                        cost=(
                            "A model that is trained on one and scored on the other is scored on examples that it has"
                            " seen"
                        ),
                        advice="Let one slice end where the next begins",
                        confidence="likely",
                    )
                    break


def _overlap(graph: PipelineGraph, fit: Consumer, validation: Consumer) -> _Overlap | None:
    """What both read, on some way on which both happen."""
    given = given_to(fit), given_to(validation)
    begin_with_one = _begin_with_one(*given)
    is_unsaid = validation.kind == "evaluate" and not is_said_to_score(given[1])
    if validation.kind != "validation" and (is_unsaid or _begin_with_one(*map(_of_object, given))):
        # Who evaluates what was trained on as it is, compares the scores.
        return None
    for one in paths(fit.dataset, fit.context.conditions):
        facts = Facts((*fit.context.conditions, *one.conditions))
        for other in paths(validation.dataset, validation.context.conditions):
            if not facts.allow(other.conditions) or _is_no_data(one) or _is_no_data(other):
                continue
            source, partner = one.stages[0], other.stages[0]
            is_elsewhere = source.context.definition != fit.context.definition
            if source is partner and is_elsewhere and not (begin_with_one or _is_steady(source)):
                # Two calls of a function, which may give something else each time.
                continue
            if source is partner and graph.once(_has_several):
                # What is made of several splits that are one stage may be one stage, too.
                continue
            if (found := _compare(one, other)) and not (source is partner and _keep_last_items(graph, one, other)):
                return found
    return None


def _keep_last_items(graph: PipelineGraph, one: Path, other: Path) -> bool:
    """Has each a map of its own, and one cuts off the ends of sequences? What comes last is often validated on."""
    own = [set(mine.stages) - set(theirs.stages) for mine, theirs in ((one, other), (other, one))]
    functions = [[stage.function.node for stage in stages if stage.function is not None] for stages in own]
    differ = all(functions) and functions[0] != functions[1]
    return differ and any(graph.once(_cuts_ends, node) for node in chain(*functions) if node is not None)


def _cuts_ends(graph: PipelineGraph, function: ast.AST) -> bool:
    """Does a function, or one that it calls, take a slice to or from a place counted from the end?"""
    parts = (node for _, code in code_in(graph, syntax_of(graph.source), function) for node in walk(code))
    bounds = (bound for node in parts if isinstance(node, ast.Slice) for bound in (node.lower, node.upper))
    return any(isinstance(bound, ast.UnaryOp) and isinstance(bound.op, ast.USub) for bound in bounds)


def _are_of_one_model(fit: Consumer, other: Consumer) -> bool:
    """Is it the validation in that call, or a later evaluation of that model?"""
    if other.kind == "validation":
        return other.node is fit.node
    here, there = fit.context, other.context
    is_same_place = (here.definition, here.root) == (there.definition, there.root)
    return is_same_place and other.span.row > fit.span.row and receiver(fit.node) == receiver(other.node) != ""


def _kept_under(graph: PipelineGraph, stage: Stage) -> list[str]:
    """What the datasets of one call are called: `(train, test), info = tfds.load(…)`."""
    steps = way(graph.tree, stage.node) if stage.node is not None else []
    for step in steps:
        match step:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Tuple(elts=names), _]) | ast.Tuple(elts=names)]):
                return [ast.unparse(name) for name in names]
    return []


def _begin_with_one(first: str, second: str) -> bool:
    """Do both begin with one variable: `fit(ds.skip(9), validation_data=ds)`?"""
    one, other = (re.match(r"(self\.)?\w+(?!\w*\()", text) for text in (first, second))
    return one is not None and other is not None and one[0] == other[0]


def _of_object(text: str) -> str:
    """What another object than a dataset gives, without that object: `learning()` of `curves.learning()`."""
    found = re.match(r"\w+\.(?=(\w+)\()", text)
    return text[found.end() :] if found is not None and found[1] not in METHODS else text


def _is_no_data(path: Path) -> bool:
    """Made up, a handful, or something else each time: nobody learns from the score."""
    return path.stages[0].op in _UNSTEADY or any(stage.op in _SEVERAL for stage in path.stages) or is_no_data(path)


def _compare(one: Path, other: Path) -> _Overlap | None:
    source, partner = one.stages[0], other.stages[0]
    if source is partner:
        return _compare_branches(one, other)
    if not all(stage.op in _KEEPING for stage in (*one.stages[1:], *other.stages[1:])):
        return None
    if slices := _slices_of(source, partner):
        first, second = slices
        if not _meet(first, second):
            return None
        texts = source.literal("split"), partner.literal("split")
        return _Overlap(f"`{texts[0]}` and `{texts[1]}`", first == second, source, partner)
    if source.op != partner.op or _has_parts(source, partner) or _is_blank(source):
        return None
    for mine, theirs in product(_rows(source), _rows(partner)):
        is_one_column = mine.columns.others or theirs.columns.others or mine.columns.names & theirs.columns.names
        if is_one_column and mine.overlap(theirs):
            is_all = mine.is_whole or mine[1:3] == theirs[1:3]
            if source.op == _WINDOWS and not is_all:
                # The first windows of the one part may begin in the other, as long as their targets do not.
                continue
            return _Overlap(_said(source, partner, mine, theirs), is_all, source, partner)
    return None


def _is_blank(source: Stage) -> bool:
    """Is what it reads still to be filled in, as in an exercise?"""
    given = next(iter(source.arguments.values()), None)
    return given is not None and given.literal is None


def _compare_branches(one: Path, other: Path) -> _Overlap | None:
    """Two branches of one source: what `take` and `skip` leave of it."""
    shared = next((i for i, (a, b) in enumerate(zip(one.stages, other.stages, strict=False)) if a is not b), None)
    if shared is None:
        shared = min(len(one.stages), len(other.stages))
    mine, theirs = one.stages[shared:], other.stages[shared:]
    if _are_cut_apart(mine, theirs) and not any(map(reshuffles, one.stages[:shared])):
        said = "one part is cut off behind a `shuffle` that the other does not have"
        return _Overlap(said, True, one.stages[-1], other.stages[-1])
    first, second = _window(mine), _window(theirs)
    if first is None or second is None or max(first[0], second[0]) >= min(first[1], second[1]):
        return None
    if first != (0, inf) and any(map(reshuffles, one.stages[:shared])):
        # Positions are others each time; TFD404 speaks of that.
        return None
    ends = (one.stages[-1], other.stages[-1])
    if first == second:
        return _Overlap("they are the same dataset", True, *ends)
    if first == (0, inf):
        return _Overlap("the model trains on all elements", True, *ends)
    return _Overlap(f"elements {_range(first)} and {_range(second)} of one dataset", False, *ends)


def _are_cut_apart(mine: Several[Stage], theirs: Several[Stage]) -> bool:
    """Do two parts that should complete one another count in two orders: `ds.shuffle(9).take(n)`, `ds.skip(n)`?"""
    my_cut, their_cut = _cut(mine), _cut(theirs)
    if my_cut is None or their_cut is None:
        return False
    (one, is_mixed), (other, is_other_mixed) = my_cut, their_cut
    first, second = one.arguments.get("count"), other.arguments.get("count")
    is_same = first is not None and second is not None and first.written == second.written
    return is_same and one.op != other.op and is_mixed != is_other_mixed


def _cut(stages: Several[Stage]) -> tuple[Stage, bool] | None:
    """The first stage that takes a part by its position, and whether a shuffle comes before it."""
    is_mixed = False
    for stage in stages:
        if stage.op in _POSITIONAL:
            return stage, is_mixed
        if stage.op in _BATCHING or stage.op not in _KEEPING:
            return None
        is_mixed = is_mixed or (stage.op == "shuffle" and stage.literal("buffer_size") != 1)
    return None


def _window(stages: Several[Stage]) -> tuple[float, float] | None:
    """The positions that are left of what a branch starts from; None where that is not known."""
    start, end = 0.0, inf
    is_mixed = False
    for stage in stages:
        if stage.op in _POSITIONAL:
            count = stage.literal("count")
            if is_mixed or not isinstance(count, int) or count < 0:
                return None
            start, end = (start + count, end) if stage.op == "skip" else (start, min(end, start + count))
        elif stage.op not in _KEEPING:
            return None
        # Positions count something else from here on.
        is_mixed = is_mixed or stage.op in _BATCHING or reshuffles(stage) or stage.may_shuffle or stage.op == "repeat"
    return start, end


def _range(window: tuple[float | None, ...]) -> str:
    start, end = (
        f"{bound:.0%}" if bound and 0 < bound < 1 else f"{bound:.0f}" for bound in window if bound is not None
    )
    return f"from {start} on" if end == "inf" else f"{start} to {end}"


# ── sources ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _gives_several(source: Stage) -> bool:
    """A dict or list of splits, which is one stage here."""
    if "split" in source.operation.parameters:
        return not isinstance(source.literal("split"), str)
    return bool(source.literal("subset") == "both")


def _has_several(graph: PipelineGraph) -> bool:
    return any(stage.op in _SEVERAL or _gives_several(stage) for stage in graph.stages)


def _slices_of(one: Stage, other: Stage) -> tuple[tuple[Slice, ...], tuple[Slice, ...]] | None:
    """The slices that two calls read of one dataset of tensorflow_datasets."""
    if one.op != "tfds.load" or other.op != "tfds.load" or one.literal("name") != other.literal("name"):
        return None
    texts = one.literal("split"), other.literal("split")
    if one.literal("name") is ... or not isinstance(texts[0], str) or not isinstance(texts[1], str):
        return None
    return parse(texts[0]), parse(texts[1])


def _meet(first: tuple[Slice, ...], second: tuple[Slice, ...]) -> bool:
    return any(one.overlaps(other) for one in first for other in second)


def _is_within(first: tuple[Slice, ...], second: tuple[Slice, ...]) -> bool:
    """Is all of the first one part of the second? Equal slices of less than the whole are no look at some of it."""
    is_look = first != second or any(part.is_whole for part in first)
    return is_look and all(any(one.holds(part) for one in second) for part in first)


def _data(source: Stage) -> Argument | None:
    """What a source reads: files, or arrays."""
    names = ("filenames", "file_pattern", "directory", "tensors", "data")
    return next((source.arguments[name] for name in names if name in source.arguments), None)


def _is_steady(source: Stage) -> bool:
    data = _data(source)
    return data is not None and is_steady(data.value)


def _rows(source: Stage) -> list[Rows]:
    """The rows of the arrays, or of the list of files, that a source reads."""
    data = _data(source)
    value = data.value if data is not None else None
    if isinstance(value, (Stage, Join)):
        # `tfds.load(…, batch_size=-1)[split]`: all of its splits are one stage here.
        return []
    if source.op == _WINDOWS:
        return _windows_of(source)
    is_several = "tensors" in source.arguments and isinstance(value, (Sequence, Mapping_))
    return [rows for part in (parts_of(value) if is_several else [value]) for rows in rows_of(part)]


def _windows_of(source: Stage) -> list[Rows]:
    """The rows that windows and their targets are of, from the first window to the last target."""
    given = [source.arguments[name].value for name in ("data", "targets") if name in source.arguments]
    first, *others = (rows_of(value) for value in given)
    last = others[0] if others else first
    return [rows._replace(stop=end.stop) for rows in first for end in last if end.table is rows.table] or list(first)


def _said(source: Stage, partner: Stage, mine: Rows, theirs: Rows) -> str:
    texts = [argument.written for argument in (_data(source), _data(partner)) if argument is not None]
    if mine[1:3] == theirs[1:3]:
        return f"both read `{texts[0]}`"
    whole = (f"`{text}` is all there is" for text, rows in zip(texts, (mine, theirs), strict=True) if rows.is_whole)
    return next(whole, f"{_range(mine[1:3])} and {_range(theirs[1:3])} of one array or list")


def _has_parts(one: Stage, other: Stage) -> bool:
    return any(stage.open_arguments or any(map(stage.has, _PARTS)) for stage in (one, other))


def _are_partners(graph: PipelineGraph, training: Stage, validation: Stage) -> bool:
    """Are these the two parts of one directory?"""
    if training.literal("subset") != "training" or training.op != validation.op:
        return False
    here, there = training.context, validation.context
    one, other = training.arguments.get("directory"), validation.arguments.get("directory")
    if one is None or other is None or not Facts(here.conditions).allow(there.conditions):
        return False
    is_known = bool(one.literal is not ... and one.literal == other.literal)
    if (here.definition, here.root) == (there.definition, there.root):
        return is_known or one.is_same_variable(other)
    is_one_object = one.value is other.value is not UNKNOWN
    is_only_pair = len(by_place(graph.stages, training.op)) == len({training.span, validation.span})
    return (is_known or is_one_object) and (is_only_pair or _are_fitted_together(graph, training, validation))


def _are_fitted_together(graph: PipelineGraph, training: Stage, validation: Stage) -> bool:
    """Does one call train a model on one and validate it on the other?"""
    fits = [id(consumer.node) for consumer in graph.reached(training) if consumer.kind == "fit"]
    return any(id(consumer.node) in fits for consumer in graph.reached(validation) if consumer.kind == "validation")


def _drawn_apart(training: Stage, validation: Stage) -> str:
    """Why the two parts are not parts of one order of the files; empty where they are, or may be."""
    one, other = training.literal("shuffle", True), validation.literal("shuffle", True)
    if {one, other} == {True, False}:
        return f"`shuffle={one}` in one call, `shuffle={other}` in the other"
    first, second = training.literal("seed"), validation.literal("seed")
    if one is other is True and isinstance(first, int) and isinstance(second, int) and first != second:
        return f"`seed={first}` in one call, `seed={second}` in the other"
    first, second = training.literal("validation_split"), validation.literal("validation_split")
    if one is other and isinstance(first, float) and isinstance(second, float) and second > first:
        return f"`validation_split` is {first} in one call, {second} in the other"
    return ""
