"""TFD324."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import counter, passes
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import readers_by_place
from tfdata_lint.pipeline.nouns.stages import Loop, Stage
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import children, walk

#: Who reads a dataset once in each pass.
_READING = ("for", "fit", "iter", "as_numpy_iterator")
#: Names of loops over epochs. Others may count trials, each with a pipeline of its own.
_EPOCHS = r"(?i)_|e|i|.*(epoch|iter|step).*"
#: These may be told to give something else each time that they are made.
_RANDOM = ("from_generator", "random", "sample_from_datasets", "rejection_resample")
#: Calls that leave what they are given as it is.
_HARMLESS = frozenset({"len", "print", "range", "int", "float", "str", "isinstance", "format"})


class PipelineRebuilt(Rule):
    code = "TFD324"
    name = "pipeline-rebuilt"
    group = "performance"
    summary = "The same pipeline is built again for every epoch"
    triggers = ("to:for to:fit to:iter to:as_numpy_iterator", "loop")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[Span] = set()
        for consumers in readers_by_place(graph, *_READING):
            consumer, loop = consumers[0], _loop_over_epochs(consumers[0])
            path = _only_path(consumers) if loop is not None else None
            if loop is None or path is None or not _is_made_in(graph, path, loop):
                continue
            source, cache = path.stages[0], path.find("cache")
            if source.span in reported:
                continue
            reported.add(source.span)
            cost = (
                "Every pass copies the data in memory and restarts threads and buffers (measured for 50 MB: 1.8 to"
                " 3.7 times as long as with one pipeline)"
            )
            if cache is not None and not cache.has("filename"):
                cost = "The `cache` is filled in every pass and thrown away, so it is never used"
            yield self.finding(
                source.span,
                "Every pass of this loop builds the same pipeline again",
                cost=cost,
                advice="Build the dataset once, before the loop",
                confidence=source.confidence,
                related=(Related(loop.span, "the loop"), Related(consumer.span, "read once, then built again")),
            )


def _loop_over_epochs(consumer: Consumer) -> Loop | None:
    """The loop in each pass of which it reads the dataset once."""
    if consumer.context.in_test or not consumer.context.loops:
        return None
    loop = consumer.context.loops[-1]
    if loop.over is not None or loop.kind != "for" or not re.fullmatch(_EPOCHS, counter(loop.node)):
        return None
    # Several epochs in one call are a training of their own.
    if consumer.kind == "fit" and consumer.literal("epochs", 1) != 1:
        return None
    number = passes(loop.node)
    return None if number is not None and number < 2 else loop


def _only_path(consumers: list[Consumer]) -> Path | None:
    """The way through the pipeline, where there is one in all passes."""
    ways = [paths(consumer.dataset, consumer.context.conditions) for consumer in consumers]
    places = {tuple(stage.span for stage in path.stages) for known in ways for path in known}
    return ways[0].paths[0] if len(places) == 1 and all(known.complete for known in ways) else None


def _is_made_in(graph: PipelineGraph, path: Path, loop: Loop) -> bool:
    """Is all of it made in the loop, from what does not change there?"""
    if graph.tree is None or not any(stage.operation.batches or stage.op == "cache" for stage in path.stages):
        return False
    if any(map(_varies, path.stages)):
        return False
    calls = [stage.node for stage in path.stages if stage.node is not None]
    functions = [stage.function.node for stage in path.stages if stage.function and stage.function.node]
    return len(calls) == len(path.stages) and _makes_the_same(graph.tree, loop.node, calls, functions)


def _varies(stage: Stage) -> bool:
    """May it be made anew in order to give something else, or is that not seen?"""
    if stage.is_opaque or stage.op in _RANDOM or stage.open_arguments:
        return True
    if stage.operation.functions and (stage.function is None or not stage.function.resolved):
        return True
    # One order for all epochs, but another one for each pipeline.
    return stage.op == "shuffle" and stage.literal("reshuffle_each_iteration") not in (None, True)


def _makes_the_same(
    tree: ast.Module, loop: ast.AST, calls: Collection[ast.AST], functions: Collection[ast.AST]
) -> bool:
    """Do these calls in its body, which are given these functions, make the same in each pass, as far as one can see?

    What they read is neither assigned in the loop nor handed to what might change it.
    """
    made = {id(call) for call in calls}
    parts = {id(part): part for call in calls for part in _run_by(call)}
    if not made <= {id(part) for part in walk(loop)}:
        return False
    if any(isinstance(part, ast.Call) and key not in made and last_name(part) != "len" for key, part in parts.items()):
        return False
    inside = {id(part) for call in calls for part in walk(call)}
    rest = [part for part in walk(loop) if id(part) not in inside]
    own = {id(target): target.id for part in rest for target in _named(part, made)}
    assigned = {name for part in rest if id(part) not in own for name in _assigned(part)}
    handed = {name for part in rest for name in _handed(part)} - _imported(tree)
    read = {name for part in (*calls, *functions) for name in _free(part)}
    return not assigned & (read | set(own.values())) and not handed & (read - set(own.values()))


def _run_by(call: ast.AST) -> Iterator[ast.AST]:
    """What runs where a call does: not what is in lambdas."""
    todo = [call]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.Lambda):
            todo.extend(children(node))


def _named(node: ast.AST, made: Collection[int]) -> list[ast.Name]:
    """The name that a statement gives to what one of these calls makes."""
    match node:
        case ast.Assign(targets=[ast.Name() as target], value=value) if id(value) in made:
            return [target]
    return []


def _assigned(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case (
            ast.Attribute(value=value, ctx=ast.Store() | ast.Del())
            | ast.Subscript(value=value, ctx=ast.Store() | ast.Del())
        ):
            return names(value)
    return set()


def _handed(node: ast.AST) -> set[str]:
    """The names of what a call is given, or is a method of."""
    if not isinstance(node, ast.Call) or last_name(node) in _HARMLESS:
        return set()
    receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return names(*receiver, *node.args, *(keyword.value for keyword in node.keywords))


def _free(node: ast.AST) -> set[str]:
    """The names that some code reads, but for its parameters and what it assigns itself."""
    bound = {part.arg for part in walk(node) if isinstance(part, ast.arg)}
    parts = [part for part in walk(node) if isinstance(part, ast.Name)]
    bound |= {part.id for part in parts if isinstance(part.ctx, ast.Store)}
    return {part.id for part in parts} - bound


def _imported(tree: ast.Module) -> set[str]:
    """The names of modules and of what is imported from them."""
    imports = (node for node in walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {(alias.asname or alias.name).partition(".")[0] for node in imports for alias in node.names}
