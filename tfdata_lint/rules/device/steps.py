"""What a loop over elements does in each of its passes: trains, predicts, saves."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tfdata_lint.pipeline.nouns.code import holds, last_name, names, own_nodes, receiver, statements_in
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import ends_early
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import is_few, is_only_looked_at, is_toy, readers_by_place
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.source.trees import children, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Under these a piece of code does not run in every pass.
_GUARDS = (ast.If, ast.IfExp, ast.BoolOp, ast.ExceptHandler, ast.Match, ast.Break, ast.Return)
#: Functions that somebody makes run step by step say so with one of these.
_EAGER = ("run_functions_eagerly", "run_eagerly")
#: These leave nothing eager.
_ONLY_GRAPHS = ("disable_eager_execution", "disable_v2_behavior")
#: Who runs a function that it is given as it is: `strategy.run(step, args=(batch,))`.
RUNNERS = frozenset({"run", "experimental_run_v2", "experimental_run"})
MODELS = frozenset({"Sequential", "Model", "load_model", "clone_model", "model_from_json"})
#: Methods of models of Keras, which other libraries' models do not have.
_OF_MODELS = frozenset({"compile", "load_weights", "save_weights", "summary", "get_layer"})


def parts_of(code: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a loop or function, without those of functions that are defined in it."""
    return own_nodes(children(code))


def loops_here(graph: PipelineGraph, *others: str) -> Iterator[tuple[list[Consumer], Consumer, ast.AST]]:
    """The readers of each loop of the module over elements, the first of them, and the loop. Others are told there.

    `others`: kinds of consumers besides loops and what pulls in them.
    """
    for consumers in readers_by_place(graph, "for", "next", "walk", *others):
        first = consumers[0]
        loop = first.node if first.kind == "comprehension" else first.loop
        if loop is not None and first.span.file == graph.file:
            yield consumers, first, loop


def is_of_no_matter(graph: PipelineGraph, consumers: Iterable[Consumer], runs_eagerly: bool = False) -> bool:
    """Is a loop part of a test or of a graph, are its elements few, or only looked at? A loop that `runs_eagerly` may
    have a graph pull them."""
    for consumer in consumers:
        if consumer.context.in_test or (consumer.context.in_tf_function and not runs_eagerly):
            return True
        ways = paths(consumer.dataset, consumer.context.conditions)
        if not ways.always(lambda path: not (is_toy(path) or is_few(path))):
            return True
        if is_only_looked_at(graph, tips(consumer.dataset)):
            return True
    return False


def runs_once(consumer: Consumer) -> bool:
    """Does a loop run once in the program? A function may be called in each epoch."""
    return not consumer.context.definition and not consumer.context.loops


def callee(call: ast.Call) -> ast.expr:
    """What a call runs: the function itself, or the one that it gives to `strategy.run`."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in RUNNERS and call.args:
        return call.args[0]
    return call.func


def is_eager_on_purpose(text: str) -> bool:
    return any(word in text for word in (*_EAGER, *_ONLY_GRAPHS))


def is_never_eager(text: str) -> bool:
    """Does a module build graphs for sessions?"""
    return any(word in text for word in _ONLY_GRAPHS)


def defined(tree: ast.Module, called: ast.expr) -> ast.FunctionDef | None:
    """The one function or method of the module that a name, or an attribute of `self` or of a class, stands for."""
    known = _definitions(tree)
    match called:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
            owners = None
        case ast.Attribute(value=ast.Name(id=cls), attr=name):
            owners = known.get(cls, ())
        case _:
            return None
    match known.get(name), owners:
        case [ast.FunctionDef() as function], None:
            return function
        case [ast.FunctionDef() as function], [ast.ClassDef(body=body)] if function in body:
            return function
    return None


# A module is asked once for each of its loops: whatever a question needs of all of it is worked out once.
_ONCE = lru_cache(maxsize=8)


@_ONCE
def _definitions(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """Its functions and classes by their names."""
    found: dict[str, list[ast.stmt]] = defaultdict(list)
    for node in statements_in(tree.body):
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            found[node.name].append(node)
    return dict(found)


@_ONCE
def _assigned(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """The values of its assignments by what they are assigned to."""
    found: dict[str, list[ast.expr]] = defaultdict(list)
    for node in statements_in(tree.body):
        if isinstance(node, ast.Assign):
            for written in dict.fromkeys(map(ast.unparse, node.targets)):
                found[written].append(node.value)
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(
                values
            ):
                for target, value in zip(targets, values, strict=True):
                    found[ast.unparse(target)].append(value)
    return dict(found)


@_ONCE
def _used_as_models(tree: ast.Module) -> frozenset[str]:
    """What methods of models of Keras are called on."""
    calls = (node for node in walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return frozenset(receiver(call) for call in calls if last_name(call) in _OF_MODELS)


# ---- what is done with a model in every pass ---------------------------------------------------------------------


def methods_in_every_pass(loop: ast.AST, *wanted: str) -> Iterator[ast.Call]:
    """The calls of methods with these names that a loop makes in every pass."""
    for call in calls_in_every_pass(loop):
        if isinstance(call.func, ast.Attribute) and call.func.attr in wanted:
            yield call


def calls_in_every_pass(loop: ast.AST) -> Iterator[ast.Call]:
    if isinstance(loop, (ast.For, ast.While)) and not ends_early(loop):
        yield from (node for node in always_in(loop.body) if isinstance(node, ast.Call))


def always_in(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that run once each time when a body does, unless something leaves it before."""
    return own_nodes(body, *_GUARDS, ast.For, ast.While)


def is_keras_model(tree: ast.Module, call: ast.Call) -> bool:
    """Is what a method is called on a model of Keras, by how it is made or by what else is done with it?"""
    return is_made_by(tree, call, MODELS) or receiver(call) in _used_as_models(tree)


def is_made_by(tree: ast.Module, call: ast.Call, makers: frozenset[str]) -> bool:
    """Are all things that have the name of what a method is called on made by one of these?"""
    made = values_of(tree, receiver(call))
    return bool(made) and all(isinstance(value, ast.Call) and last_name(value) in makers for value in made)


def values_of(tree: ast.Module, written: str) -> list[ast.expr]:
    """What the statements of a module assign to a name, or to an attribute: `self.model`; what its functions give."""
    return [part for value in _assigned(tree).get(written, []) for part in given_by(tree, value)]


def given_by(tree: ast.Module, value: ast.expr, left: int = 3) -> list[ast.expr]:
    """What an expression gives: of a call of a plain function of the module, what that returns."""
    function = defined(tree, value.func) if isinstance(value, ast.Call) and left else None
    if function is None or function.decorator_list:
        return [value]
    own = list(statements_in(function.body))
    found: list[ast.expr] = []
    for one in (part.value for part in own if isinstance(part, ast.Return) and part.value is not None):
        if isinstance(one, ast.Tuple):
            return [value]
        written = ast.unparse(one)
        made = [
            part.value for part in own if isinstance(part, ast.Assign) and written in map(ast.unparse, part.targets)
        ]
        found += [part for each in made or [one] for part in given_by(tree, each, left - 1)]
    return found or [value]


def takes_element(loop: ast.AST, call: ast.Call, pull: ast.AST | None = None) -> bool:
    """Is a call given what a `for` loop got in this pass, or what it pulls from an iterator?"""
    given = names(loop.target) if isinstance(loop, ast.For) and pull in (None, loop) else set()
    if pull is not None and pull is not loop and any(holds(argument, pull) for argument in call.args):
        return True
    for node in walk(loop):
        if isinstance(node, ast.Assign) and pull is not None and holds(node.value, pull):
            given |= {name for target in node.targets for name in names(target)}
        if isinstance(node, ast.Assign) and node.lineno < call.lineno and names(node.value) & given:
            given |= {name for target in node.targets for name in names(target)}
    return any(names(argument) & given for argument in call.args)
