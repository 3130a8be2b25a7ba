"""TFD324."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds, last_name, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import counter
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import readers_by_place
from tfdata_lint.pipeline.nouns.stages import Loop, Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value, syntax_of
from tfdata_lint.pipeline.python.runs import code_in, place_in
from tfdata_lint.pipeline.python.uses import use_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import children, walk

#: Who reads a dataset once in each pass.
_READING = ("for", "comprehension", "fit", "iter", "as_numpy_iterator")
#: Names of loops over epochs. Others may count trials, each with a pipeline of its own.
_EPOCHS = r"(?i)_|e|i|ep|.*(epoch|iter|step|round|cycle|pass).*"
#: These may be told to give something else each time that they are made.
_RANDOM = ("from_generator", "random", "sample_from_datasets", "rejection_resample")
#: Calls that leave what they are given as it is.
_HARMLESS = frozenset({"len", "print", "range", "int", "float", "str", "isinstance", "format"})


#: And these give the same for the same, where a function builds a pipeline.
_PURE = _HARMLESS | {"abspath", "astype", "Path", "basename", "cast", "constant", "expanduser", "glob", "iglob", "join",
                     "listdir", "max", "min", "sorted", "TensorSpec", "zip", "list", "tuple", "dict", "replace",
                     "Options", "FixedLenFeature", "VarLenFeature", "endswith", "startswith", "as_posix"}  # fmt: skip
_PARTS = (ast.Attribute, ast.Subscript)
#: Who makes a model, by name.
_MAKERS = r"(?i)Sequential|Model|compile|(clone|load|build|make|create|get|new|init)_?(the_)?(model|net|network)\w*"


class PipelineRebuilt(Rule):
    code = "TFD324"
    name = "pipeline-rebuilt"
    group = "performance"
    summary = "The same pipeline is built again for every epoch"
    experiment = "beginnings"
    triggers = ("to:for to:comprehension to:fit to:iter to:as_numpy_iterator", "loop")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumers in readers_by_place(graph, *_READING):
            consumer, loop = consumers[0], _loop_over_epochs(graph, consumers[0])
            path = _only_path(consumers) if loop is not None else None
            places = _made_in(graph, path, loop) if loop is not None and path is not None else []
            if loop is None or path is None or not places:
                continue
            source, cache = path.stages[0], path.find("cache")
            is_here = any(place is stage.node for place in places for stage in path.stages)
            span = source.span if is_here else span_of(places[0], graph.file)
            cost = (
                "Every pass copies the data in memory and restarts threads and buffers (measured for 50 MB: 1.8 to"
                " 3.7 times as long as with one pipeline)"
            )
            if cache is not None and not cache.has("filename"):
                cost = "The `cache` is filled in every pass and thrown away, so it is never used"
            yield self.finding(
                span,
                "Every pass of this loop builds the same pipeline again",
                cost=cost,
                advice="Build the dataset once, before the loop",
                confidence=source.confidence,
                related=(
                    Related(loop.span, "the loop"),
                    Related(consumer.span, "read once, then built again"),
                    *(() if is_here else (Related(source.span, "begins here"),)),
                ),
            )


def _loop_over_epochs(graph: PipelineGraph, consumer: Consumer) -> Loop | None:
    """The loop in each pass of which it reads the dataset once."""
    loops = [loop for loop in consumer.context.loops if loop.node is not consumer.node]
    if consumer.context.in_test or not loops:
        return None
    loop = loops[-1]
    if loop.over is not None or (loop.kind == "for" and not re.fullmatch(_EPOCHS, _counter(graph, loop.node))):
        return None
    # A loop that makes models counts trainings.
    if any(re.fullmatch(_MAKERS, last_name(part)) for part in walk(loop.node) if isinstance(part, ast.Call)):
        return None
    # Several epochs in one call are a training of their own.
    if consumer.kind == "fit" and consumer.literal("epochs", 1) != 1 and "initial_epoch" not in consumer.arguments:
        return None
    return None if loop.passes is not None and loop.passes < 2 else loop


def _counter(graph: PipelineGraph, loop: ast.AST) -> str:
    """What counts its passes, also where the progress that it shows has a name: `with trange(n) as bar`."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Name):
        return counter(loop)
    syntax = syntax_of(graph.source)
    found = syntax.scopes.binds(loop.iter.id, loop.iter)
    way = syntax.way(found[1][0]) if found is not None and len(found[1]) == 1 else []
    items = way[-2].items if len(way) > 1 and isinstance(way[-2], ast.With) else []
    shown = next((item.context_expr for item in items if item.optional_vars is way[-1]), bound_value(way))
    return counter(ast.For(loop.target, shown, loop.body, [])) if shown is not None else counter(loop)


def _only_path(consumers: list[Consumer]) -> Path | None:
    """The way through the pipeline, where there is one in all passes."""
    ways = [paths(consumer.dataset, consumer.context.conditions) for consumer in consumers]
    places = {tuple(stage.span for stage in path.stages) for known in ways for path in known}
    return ways[0].paths[0] if len(places) == 1 and all(known.complete for known in ways) else None


def _made_in(graph: PipelineGraph, path: Path, loop: Loop) -> list[ast.expr]:
    """The calls in a loop that make all of it, or have it made, from what does not change there; none if it may."""
    if not any(stage.operation.batches or stage.op == "cache" or stage.has("batch_size") for stage in path.stages):
        return []
    is_inside = all(any(other.node is loop.node for other in stage.context.loops) for stage in path.stages)
    calls = [stage.node for stage in path.stages if stage.node is not None]
    if not is_inside or len(calls) < len(path.stages) or any(map(_varies, path.stages)):
        return []
    found = [graph.once(place_in, loop.node, call) for call in calls]
    places = list({id(one[0]): one[0] for one in found if one is not None and isinstance(one[0], ast.expr)}.values())
    functions = [stage.function.node for stage in path.stages if stage.function and stage.function.node]
    is_all = None not in found and _makes_the_same(graph, loop.node, places, calls, functions)
    return places if is_all else []


def _varies(stage: Stage) -> bool:
    """May it be made anew in order to give something else, or is that not seen?"""
    if stage.is_opaque or stage.op in _RANDOM or stage.open_arguments:
        return True
    if stage.operation.functions and (stage.function is None or not stage.function.resolved):
        return True
    # One order for all epochs, but another one for each pipeline.
    return stage.op == "shuffle" and stage.literal("reshuffle_each_iteration") not in (None, True)


def _makes_the_same(
    graph: PipelineGraph,
    loop: ast.AST,
    places: Collection[ast.AST],
    calls: Collection[ast.AST],
    functions: Collection[ast.AST],
) -> bool:
    """Do these places in its body, in which these calls are made with these functions, make the same in each pass?

    What they read is neither assigned in the loop nor handed to what might change it, as far as one can see.
    """
    syntax = syntax_of(graph.source)
    made = {id(call) for call in (*calls, *places)}
    builders = [code for place in places for _, code in code_in(graph, syntax, place) if code is not place]
    helpers = {getattr(code, "name", "") for code in builders}
    for part in (part for code in (*places, *builders) for part in _run_by(code)):
        known = id(part) in made or last_name(part) in (_PURE if any(map(_holds(part), builders)) else ("len",))
        if isinstance(part, ast.Call) and not known and last_name(part) not in helpers:
            return False
    if not all(_keeps(syntax, attribute, builders) for code in builders for attribute in _own_attributes(code)):
        return False
    inside = {id(part) for place in places for part in walk(place)}
    rest = [part for part in walk(loop) if id(part) not in inside]
    own = {id(target): target.id for part in rest for target in _named(part, made)}
    assigned = {name for part in rest if id(part) not in own for name in _assigned(part)}
    seen = {text for code in (*places, *builders, *functions) for text in _seen(code)}
    handed = {name for part in rest for name in _handed(part, inside, seen)} - {name for name, _ in syntax.imports()}
    read = {name for part in (*places, *builders, *functions) for name in _free(part)} - {"self"}
    return not assigned & (read | set(own.values())) and not handed & (read - set(own.values()))


def _holds(part: ast.AST) -> Callable[[ast.AST], bool]:
    return lambda code: holds(code, part)


def _own_attributes(code: ast.AST) -> set[str]:
    """The attributes of `self` that some code reads."""
    found = (part for part in walk(code) if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name))
    return {part.attr for part in found if isinstance(part.value, ast.Name) and part.value.id == "self"}


def _keeps(syntax: Syntax, attribute: str, builders: Collection[ast.AST]) -> bool:
    """Is an attribute only set where the object is made, and only read elsewhere?"""
    for part in syntax.named(attribute):
        function = syntax.scopes.scope_of(part)
        use = use_of(syntax, part)
        is_first = isinstance(function, ast.FunctionDef) and function.name == "__init__"
        changes = use.kind in ("set", "deleted", "item set", "attribute set")
        is_handed = use.kind == "passed" and last_name(use.by) not in _HARMLESS
        if not is_first and not any(function is code for code in builders) and (changes or is_handed):
            return False
    return True


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


def _seen(code: ast.AST) -> Iterator[str]:
    """What some code reads, as written: names, and the parts of things that it reads no more of."""
    parts = list(walk(code))
    called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    inner = {id(part.value) for part in parts if isinstance(part, _PARTS) and id(part) not in called}
    for part in parts:
        if isinstance(part, (ast.Name, *_PARTS)) and id(part) not in called | inner:
            yield ast.unparse(part)


def _handed(node: ast.AST, inside: Collection[int], seen: Collection[str]) -> set[str]:
    """The names of what a call is given, or is a method of, without what is made inside, and parts of things of which
    only others are `seen`."""
    if not isinstance(node, ast.Call) or last_name(node) in _HARMLESS:
        return set()
    receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    given = [value for value in given if not isinstance(value, _PARTS) or _is_met(ast.unparse(value), seen)]
    parts = (part for value in (*receiver, *given) for part in walk(value) if id(part) not in inside)
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _is_met(part: str, seen: Collection[str]) -> bool:
    return any(one.startswith(part) or part.startswith(one) for one in seen)


def _free(node: ast.AST) -> set[str]:
    """The names that some code reads, but for its parameters and what it assigns itself."""
    bound = {part.arg for part in walk(node) if isinstance(part, ast.arg)}
    parts = [part for part in walk(node) if isinstance(part, ast.Name)]
    bound |= {part.id for part in parts if isinstance(part.ctx, ast.Store)}
    return {part.id for part in parts} - bound
