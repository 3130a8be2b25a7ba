"""TFD305."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import EllipsisType

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped.batches import REWRITTEN
from tfdata_lint.pipeline.mapped.footprint import ON_BATCHES, conflict
from tfdata_lint.pipeline.mapped.read_outside import read_outside, set_elsewhere
from tfdata_lint.pipeline.mapped.uses import MOST, computes
from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.errors import may_go_on
from tfdata_lint.pipeline.nouns.fold import Stems, expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.memory import element_bytes
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import (
    CACHES,
    SHUFFLES,
    SPLITTING,
    follows,
    is_barely_read,
    is_batched,
    is_handful,
    may_ignore_errors,
    may_reorder,
    runs_wherever,
)
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Mapping_, Sequence, Slice
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.ordering.swapping import are_in_step, is_in_loop
from tfdata_lint.rules.ordering.whole_batches import broadcasts_alike, why_not_alike
from tfdata_lint.rules.overlap.ahead import why_further_unsafe
from tfdata_lint.source.trees import walk

#: What becomes of a function that is to be given batches.
_REWRITTEN = {
    "parse": "Batch first and use `tf.io.parse_example`",
    "rewritten": "Batch first and count axes as in batches",
}
#: What is said of their axes for batches.
_AXES = {
    "stack": "stack numbers with `axis=-1`",
    "concat": "count the axis of `concat` from 1",
    "reshape": "reshape to `[batch, …]`",
    "ensure_shape": "ensure the shape `[None, …]`",
    "set_shape": "set the shape to `[None, …]`",
    "transpose": "count the axes of `transpose` from 1",
    "item": "take items as `[:, …]`",
}
_FIXED = ("elementwise", "approximate", "parse", "rewritten")
_SAFETIES = (*_FIXED, "broadcast")
#: Bytes that a function makes of an example.
_MUCH = 250_000
#: Data sets of tensorflow_datasets with lists in their examples.
_UNEVEN = re.compile("movielens|coco|voc|wider_face|open_images|kitti|lvis|squad|natural_questions|trivia_qa")
_DROPPED = "parts that the function drops must also fit into batches"
#: Between a map and `batch` these leave the elements what they are.
_KEEPING = frozenset({"prefetch", "repeat", "shard", "skip", "take", "with_options", "zip", *SHUFFLES})
#: Work that takes longer than calling a function.
_LONG = ("python", "layer", "decode", "spectrum", "image")
#: What hands on the elements of the datasets that its function makes.
_SPREADING = ("flat_map", "interleave")


class MapBeforeBatch(Rule):
    code = "TFD305"
    name = "map-before-batch"
    group = "performance"
    summary = "`map` runs a function on single elements that also works on whole batches"
    triggers = ("map", "batch")
    related_comes = "after"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        places: dict[Span, list[Stage]] = {}
        for stage in graph.stages:
            places.setdefault(stage.span, []).append(stage)
        for batch in graph.stages:
            if batch.op != "batch" or batch.open_arguments or batch.literal("batch_size") == 1:
                continue
            # Tests take what is short; a cache behind the batch keeps the result, so that all this is paid for once.
            if batch.context.in_test or any(later.op in CACHES for later in graph.downstream(batch)):
                continue
            if is_barely_read(graph, batch):
                continue
            for stage in _maps_before(batch):
                # In no calling context may anything else come between or beside.
                if stage.span in reported or not _is_batched_next(graph, places, stage):
                    continue
                if batch not in graph.users(stage) and paths(stage, stage.context.conditions).always(is_handful):
                    continue
                if stage.function is not None and not _is_as_fast(stage, stage.function):
                    reported.add(stage.span)
                    yield self._finding(stage, batch, stage.function, graph)

    def _finding(self, stage: Stage, batch: Stage, function: MappedFunction, graph: PipelineGraph) -> Finding:
        is_next = batch in graph.users(stage)
        where = "directly before `batch`" if is_next else "although `batch` comes later"
        # What stands between counts elements.
        what = "Put `batch` first" if is_next else "Put the map behind `batch`"
        axes = _axes(function)
        if _parses(function):
            message = f"`{function.name}` parses one example at a time {where}"
            cost = "Each call costs more than its work (measured: 15 times slower than `tf.io.parse_example`)"
            advice = f"{what} and parse whole batches with `tf.io.parse_example`{axes and f'; then {axes}'}"
        else:
            message = f"`{function.name}` runs on single elements {where}"
            cost = (
                "Each call costs more than its work (measured: 10 to 26 times slower for a trivial function of"
                " numbers, 1.5 to 6 times for a cast of images)"
            )
            same = "gives the same results on whole batches"
            advice = f"{what} and {axes}: the rest {same}" if axes else f"{what}: the function {same}"
        return self.finding(
            stage.span,
            message,
            cost=cost,
            advice=advice,
            # What gives single elements to another file may be meant to.
            severity="advice" if _is_hidden(stage, batch, function) or stage.span.file != batch.span.file else None,
            confidence="likely" if function.batch_safety == "broadcast" else stage.confidence,
            related=(Related(batch.span, "belongs before the map"),),
            fix=_fix(stage, batch, graph),
        )


def _maps_before(batch: Stage) -> Iterator[Stage]:
    """The maps before a batch that might as well come behind it, the last ones first."""
    todo = [(stage, False) for stage in tips(batch.inputs[0])]
    seen = set[tuple[int, bool]]()
    for stage, is_shuffled in todo:
        if (id(stage), is_shuffled) in seen:
            continue
        seen.add((id(stage), is_shuffled))
        before = [tip for each in stage.inputs for tip in tips(each)]
        function = stage.function
        if stage.op == "map":
            # What only packs the parts of an element costs nothing, and is no obstacle.
            is_packing = function is not None and not computes(function) and function.batch_safety == "elementwise"
            if function is None or not (is_packing or _works_on_batches(stage)) or _is_batched(stage):
                continue
            # `parse_example` would parse whole batches, before both. What a map leaves out a shuffle would hold.
            if any(map(_is_uneven, before)) and _may_drop(function):
                continue
            is_after_parse = any(map(_parses_each, before))
            if not is_after_parse and (_parses(function) or not is_shuffled or not _may_drop(function)):
                yield from () if is_packing else [stage]
        elif stage.op in _SPREADING and stage.nested is not None:
            before = list(tips(stage.nested))
        elif stage.op not in _KEEPING:
            continue
        todo += [(each, is_shuffled or stage.op in SHUFFLES) for each in before]


def _is_batched_next(graph: PipelineGraph, places: dict[Span, list[Stage]], first: Stage) -> bool:
    """Does everything that reads a map, in whatever context, make batches of what it gives, alone or mapped again?"""
    todo, seen = [first.span], set[Span]()
    while todo:
        span = todo.pop()
        if span in seen:
            continue
        seen.add(span)
        for stage in places[span]:
            users = graph.users(stage)
            if not users and stage.nested_in is not None and stage.nested_in.op in _SPREADING:
                users = graph.users(stage.nested_in)
            # What a builder keeps and goes on from is one step of it.
            if not users or any(
                consumer.kind not in ("inspection", "stored") for consumer in graph.consumers_of(stage)
            ):
                return False
            for user in users:
                if user.op in _KEEPING or (user.op == "map" and _takes_batches(user)):
                    todo.append(user.span)
                elif user.op != "batch":
                    return False
    return True


def _is_hidden(stage: Stage, batch: Stage, function: MappedFunction) -> bool:
    """Is it parallel already, with so few calls as there are pictures (50,000 take a second or two of an epoch), or
    behind a generator, or what takes long for each element?"""
    outer = stage.nested_in
    if any(
        before.op == "from_generator" or (_takes_long(before) and before is not stage) for before in upstream(batch)
    ):
        # Python makes each element, or an image is decoded, which takes longer than any call.
        return True
    if not (stage.is_parallel or (outer is not None and outer.is_parallel)) or _parses(function):
        return False
    parts = list(leaves(structure_of(stage.inputs[0])))
    return not parts or any(not isinstance(part, Tensor) or part.rank is None or part.rank > 1 for part in parts)


def _takes_long(stage: Stage) -> bool:
    """Does its function do for each element what takes milliseconds: decode, call Python or a model?"""
    function = stage.function
    return function is not None and any(known(name).cost in _LONG for name in function.operations)


def _is_as_fast(stage: Stage, function: MappedFunction) -> bool:
    """Does it make so much of an example that the call counts for little (measured: 3 times slower at 96 × 96 pixels,
    at 224 × 224 no more)?"""
    return function.batch_safety in ("parse", "rewritten") and (element_bytes(stage) or 0) > _MUCH


def _works_on_batches(stage: Stage) -> bool:
    return stage.function is not None and computes(stage.function) and _takes_batches(stage)


def _takes_batches(stage: Stage) -> bool:
    """Does its function give the same of whole batches?"""
    function = stage.function
    if function is None or stage.open_arguments or not function.resolved or function.batch_safety not in _SAFETIES:
        return False
    return function.batch_safety in _FIXED or broadcasts_alike(stage)


def _parses(function: MappedFunction) -> bool:
    return function.batch_safety in ("parse", "broadcast") and any(map(_is_parse, function.operations))


def _is_parse(operation: str) -> bool:
    return last(operation).startswith("parse_single_")


def _is_batched(stage: Stage) -> bool:
    """Are its elements batches already, on some path?"""
    return any(is_batched(path) or is_windowed(path) for path in paths(stage.inputs[0]))


def _is_uneven(source: Stage) -> bool:
    """Is it one of the data sets with features that are of another length in each example, which cannot be batched?"""
    return source.op.startswith("tfds.") and _UNEVEN.match(str(source.literal("name"))) is not None


def _parses_each(stage: Stage) -> bool:
    """Does it parse one example at a time, and could parse batches? Then that is what is to be done."""
    function = stage.function
    return function is not None and any(map(_is_parse, function.operations)) and _works_on_batches(stage)


@guarded
def _fix(stage: Stage, batch: Stage, graph: PipelineGraph) -> Fix | None:
    """Put the map, and those that follow it, behind the batch."""
    ways = [way for way in paths(batch) if stage in way.stages]
    path = max(ways, key=lambda way: len(way.stages), default=None)
    if path is None or stage.nested_in is not None or any(map(graph.consumers_of, (stage, *path.after(stage)[:-1]))):
        return None
    given = (stage, *path.after(stage))
    maps = [part for part in given if part.op == "map"]
    others = [part for part in given if part not in maps]
    functions = [part.function for part in maps if part.function is not None]
    is_open = any(
        function.batch_safety == "broadcast" and (_parses(function) or function.batch_reason == REWRITTEN)
        for function in functions
    )
    if is_open or any(part.op == "zip" for part in given):
        return None
    draft = Draft(graph)
    title = "Swap `map` and `batch`" if len(given) == 2 else "Move `map` behind `batch`"
    for function in functions:
        if function.batch_safety in _REWRITTEN:
            title = _REWRITTEN[function.batch_safety]
            _take_batches(draft, function)
    spans = {part.span for part in maps}
    alike = [other for other in graph.stages if other.span in spans]
    if len(given) == 2 and is_in_loop(stage):
        draft.carry(batch, stage, alike)
    elif len(given) == 2 or are_in_step(graph, given):
        draft.reorder(given, [*others, *maps])
    elif len(maps) == 1 and _is_alone(graph, stage, batch):
        others = [part for way in ways for part in way.after(stage)]
        draft.carry(stage, batch, others)
    else:
        draft.refuse("the two depend on different conditions")
    if any(draft.may_act(other.node) for other in others) and any(read_outside(graph, part) for part in maps):
        # A function is read when the map is made.
        draft.refuse("the arguments contain calls, which may change what the function reads")
    if not all(_works_on_batches(other) and not _is_batched(other) for other in alike):
        draft.refuse("another call passes another function or other elements")
    reason = next((reason for other in alike if (reason := _why_unsafe(other, batch, graph))), "")
    if not reason and any(map(_may_drop, functions)):
        reason = _DROPPED
    if not reason and any(part.op in ("skip", "shard") for part in others):
        reason = "the function is then not called for elements that are left out"
    if not reason and any(part.op in SHUFFLES for part in others):
        size, held = element_bytes(stage.inputs[0]), element_bytes(maps[-1])
        if size is not None and held is not None and size > held:
            reason = "the shuffle then holds what the map is given, which is larger"
    if not reason and len(given) == 2 and not follows(batch, stage):
        reason = "`batch` also follows other stages than this map"
    return draft.fix("unsafe" if reason else "safe", title, reason)


def _is_alone(graph: PipelineGraph, stage: Stage, batch: Stage) -> bool:
    """Is the map the one that comes before the batch, and that the batch comes behind, whatever stands between?"""
    return (
        runs_wherever(stage, batch)
        and runs_wherever(batch, stage)
        and all(
            {later.span for later in graph.downstream(other) if later.op == "batch"} == {batch.span}
            for other in graph.stages
            if other.span == stage.span
        )
        and all(
            [part.span for part in way.stages if part.op not in _KEEPING][-2:] == [stage.span, batch.span]
            for other in graph.stages
            if other.span == batch.span
            for way in paths(other)
        )
    )


def _why_unsafe(stage: Stage, batch: Stage, graph: PipelineGraph) -> str:
    function = stage.function
    if function is None:
        return "the effects of the function are not known"
    if function.batch_safety == "rewritten" or (function.batch_safety == "parse" and not _parses_fixed(function)):
        return "the function gets a whole batch"
    if function.batch_safety == "broadcast":
        return "operands that are no scalars may meet others in a batch"
    if function.batch_safety != "elementwise" and (function.batch_safety != "parse" or function.batch_reason):
        rounds = "rounding" in function.batch_reason or not function.batch_reason
        return "floating-point results may differ in the last digit" if rounds else function.batch_reason
    if function.batch_reason or _may_drop(function):
        return _DROPPED
    if stage.literal("deterministic") is not None or may_reorder(graph, stage):
        return "the order is not deterministic, and whole batches would move instead of elements"
    if reason := conflict(graph, stage, ON_BATCHES):
        return reason
    if reason := why_not_alike(graph, stage, batch):
        return reason
    if read := set_elsewhere(graph, stage):
        # It may be more than a number then.
        return f"the function reads `{read}`, which the program may change, and would then {ON_BATCHES.then}"
    if may_ignore_errors(graph, stage):
        return "the later `ignore_errors` would drop whole batches instead of elements"
    if may_go_on(graph, graph.reached(stage)):
        return "the consumer continues after an error, and would lose whole batches instead of elements"
    # It takes whole batches ahead then, where it took elements.
    return why_further_unsafe(graph, [stage]) if stage.parallelism is not None else ""


def _parses_fixed(function: MappedFunction) -> bool:
    """Is all that it parses of one length, so that batches of it are the same?"""
    call = next(expr for expr in expressions(function.result, most=MOST) if _is_parse(expr.by))
    features = call.named.get("features", call.of[1] if len(call.of) > 1 else None)
    return isinstance(features, Mapping_) and all(
        isinstance(feature, External) and last(feature.symbol) == "FixedLenFeature"
        for feature in features.items.values()
    )


def _may_drop(function: MappedFunction) -> bool:
    """May it leave out a part of the element? It reads a key of it, or does not read a parameter."""
    read: set[int] = set()
    for expr in expressions(function.result, most=MOST):
        match expr:
            case Expr(by="item", of=(Expr(by="parameter"), Constant(str()))):
                return True
            case Expr(by="parameter", of=(given, number)):
                read.add(number)
    return not read or len(read) < given.count


def is_windowed(path: Path) -> bool:
    """Are the elements at the end of a path windows, which are datasets?"""
    window = path.find("window", *SPLITTING)
    return window is not None and window.op == "window"


def _take_batches(draft: Draft, function: MappedFunction) -> None:
    """Let a function parse or stack a batch of elements, if nothing else calls it."""
    node = function.node
    name = node.name if isinstance(node, ast.FunctionDef) else ""
    is_shared = name and (
        len(re.findall(rf"\b{name}\b", draft.syntax.text)) != 2 or draft.graph.is_used_elsewhere(name)
    )
    if node is None or is_shared:
        draft.refuse("other code may also call the function")
        return
    parsing = [call for call in walk(node) if isinstance(call, ast.Call) and _is_parse(last_name(call))]
    if len(parsing) != (function.batch_safety == "parse"):
        draft.refuse("the function does not contain exactly one plain call of `parse_single_example`")
    for call in parsing:
        draft.replace(call.func, draft.syntax.written(call.func).removesuffix("parse_single_example") + "parse_example")
    for named in _naming_axes(function):
        if draft.problem or not holds(node, named):
            draft.refuse("axes are named in another function")
        else:
            _count_axes(draft, named)


def _naming_axes(function: MappedFunction) -> list[ast.expr]:
    """The calls and items in a function that name axes of one element, which are others in a batch."""
    if function.batch_safety != "rewritten" and function.batch_reason != REWRITTEN:
        return []
    stems = Stems()
    named = [expr for expr in expressions(function.result, most=MOST) if last(expr.by) in _AXES and stems.of(expr)]
    nodes = [expr.node for expr in named if expr.by != "item" or _is_of_axis(expr)]
    written = (node for node in nodes if isinstance(node, (ast.Call, ast.Subscript)))
    return [node for node in dict.fromkeys(written) if not _is_counted_from_last(node)]


def _is_counted_from_last(node: ast.expr) -> bool:
    """`tf.concat(parts, axis=-1)` is the same for a batch."""
    axis = _axis_of(node) if isinstance(node, ast.Call) and last_name(node) == "concat" else None
    return isinstance(axis, ast.UnaryOp)


def _axis_of(call: ast.Call) -> ast.expr | None:
    words = {word.arg: word.value for word in call.keywords}
    return words.get("axis", call.args[1] if len(call.args) > 1 else None)


def _is_of_axis(item: Expr) -> bool:
    """Is it one along the first axis of a tensor: not of a dict or list, nor counted from the last axis?"""
    base, key = item.of[:2]
    first = key.items[0] if isinstance(key, Sequence) and key.items else key
    is_number = isinstance(first, Constant) and not isinstance(first.value, (str, EllipsisType))
    is_tensor = isinstance(base, Expr) and known(base.by).batches != "csv"
    return is_tensor and (is_number or isinstance(first, Slice))


def _count_axes(draft: Draft, call: ast.expr) -> None:
    match call:
        case ast.Call(args=[columns], keywords=words) if last_name(call) == "stack":
            if not words:
                end = draft.syntax.end(columns)
                draft.put(end, end, ", axis=-1")
        case ast.Call(args=[*images, ast.List(elts=sizes) | ast.Tuple(elts=sizes)]) if last_name(call) == (
            "set_shape",
            "reshape",
        )[len(images)] and all(isinstance(size, ast.Constant) for size in sizes):
            place = draft.syntax.start(sizes[0])
            draft.put(place, place, "-1, " if images else "None, ")
        case ast.Call(args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]) if (
            last_name(call) == "concat"
            and isinstance(axis := _axis_of(call), ast.Constant)
            and isinstance(axis.value, int)
            and not any(isinstance(part, (ast.List, ast.Tuple)) for part in parts)
        ):
            draft.replace(axis, str(axis.value + 1))
        case _:
            draft.refuse(f"`{last_name(call) or 'an item'}` is not written in a form that can be changed")


def _axes(function: MappedFunction) -> str:
    """What a function that is given batches has to say of axes."""
    named = (last_name(node) if isinstance(node, ast.Call) else "item" for node in _naming_axes(function))
    *others, last_one = [*dict.fromkeys(_AXES[name] for name in named if name in _AXES)] or [""]
    return " and ".join([", ".join(others), last_one] if others else [last_one])
