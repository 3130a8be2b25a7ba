"""The strategies of `tf.distribute` in a module: of which kind they are, and what they run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import holds, last_name, names, nodes_on, rows_with, targets, whole
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.purposes import purpose_of_loop
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.pipeline.python.values import HOLE, texts_at
from tfdata_lint.rules.device.steps import defined
from tfdata_lint.source.trees import walk

#: These share a step among several replicas. `OneDeviceStrategy`, the default strategy and that of Graphcore do not.
SEVERAL = frozenset({
    "MirroredStrategy", "MultiWorkerMirroredStrategy", "TPUStrategy", "ParameterServerStrategy",
    "CentralStorageStrategy",
})  # fmt: skip
_ALL = SEVERAL | {"OneDeviceStrategy", "get_strategy", "IPUStrategy"}
#: They take a dataset of whole (global) batches, and share each batch out among the replicas.
DIVIDING = ("experimental_distribute_dataset", "make_dataset_iterator")
FROM_FUNCTION = ("distribute_datasets_from_function", "experimental_distribute_datasets_from_function")
#: Each worker of these makes the dataset for itself.
_OF_WORKERS = frozenset({"MultiWorkerMirroredStrategy", "ParameterServerStrategy"})
#: A parameter with such a name is taken for a strategy.
_NAMED = r"(?i)strateg"
#: What a context is asked for that says nothing about which elements to read.
_OF_SIZES = {"get_per_replica_batch_size", "num_replicas_in_sync"}
_RESOLVER = "TPUClusterResolver"


def kinds(graph: PipelineGraph, node: ast.expr) -> frozenset[str]:
    """Return the strategies that an expression may be: `TPUStrategy`, say, and "" where it may be something else."""
    found = [place for place in origins(graph, node) if getattr(place.node, "value", place) is not None]
    return frozenset(_kind(graph, place) for place in found) or frozenset({""})


def may_be_several(graph: PipelineGraph, node: ast.expr) -> bool:
    """Is an expression a strategy that may have several replicas, by what makes it, or else by its name?"""
    found = kinds(graph, node)
    return bool(found & SEVERAL) or (not found & _ALL and re.search(_NAMED, last_name(node)) is not None)


def running(graph: PipelineGraph, consumer: Consumer) -> frozenset[str]:
    """Return the strategies that a consumer shares its batches out under, as `kinds` does; none where there is none."""
    if consumer.span.file != graph.file or not isinstance(consumer.node, ast.Call):
        return frozenset()
    match consumer.kind, consumer.node.func:
        case "distribute", ast.Attribute(value=strategy):
            return kinds(graph, strategy)
        case "fit" | "evaluate" | "predict", ast.Attribute(value=model):
            bound = graph.once(_around, tuple(bindings(syntax_of(graph.source), model)))
            # A helper may open the scope itself, and give back what it makes there.
            return bound or graph.once(_around, tuple([made.node for made in origins(graph, model)]))
    return frozenset()


def unsharded(graph: PipelineGraph, consumer: Consumer) -> str:
    """Return why each worker of a strategy gets all elements of what a consumer is given; empty where it may not."""
    found = running(graph, consumer)
    if not found or not found <= _OF_WORKERS or not isinstance(consumer.node, ast.Call):
        return ""
    if consumer.target in FROM_FUNCTION:
        given = consumer.node.args[0] if consumer.node.args else None
        by_name = defined(graph.tree, given) if isinstance(given, ast.Name) else None
        match by_name or given:
            case ast.Lambda(args=ast.arguments(args=[context]), body=body):
                return _why_whole(context.arg, [body])
            case ast.FunctionDef(args=ast.arguments(args=[context]), body=body, decorator_list=[]):
                return _why_whole(context.arg, body)
        return ""
    policies = [tip.options.get("experimental_distribute.auto_shard_policy") for tip in tips(consumer.dataset)]
    is_off = all(isinstance(policy, Symbol) and policy.name.endswith("AutoShardPolicy.OFF") for policy in policies)
    return "the sharding policy is off" if policies and is_off else ""


def _why_whole(context: str, body: Sequence[ast.AST]) -> str:
    """Why a function of this code gives all elements; empty where it may ask its context for a share."""
    nodes = [node for part in body for node in walk(part)]
    asked = [node for node in nodes if isinstance(node, ast.Attribute) and last_name(node.value) == context]
    if len(asked) < sum(isinstance(node, ast.Name) and node.id == context for node in nodes):
        return ""
    if not {node.attr for node in asked} <= _OF_SIZES:
        return ""
    return "the function asks its context for the size of batches only" if asked else "the function ignores its context"


def reaches_far(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does a consumer run on TPUs of other machines: is each resolver given an address, or a name but "local"?"""
    return "TPUStrategy" in running(graph, consumer) and graph.once(_resolves_far)


def _resolves_far(graph: PipelineGraph) -> bool:
    found = nodes_on(graph.tree, rows_with(graph.source.text, _RESOLVER))
    made = [node for node in found if isinstance(node, ast.Call) and _RESOLVER in ast.unparse(node.func)]
    given = [argument(graph, call, 0, "tpu", graph.source) for call in made]
    names = [texts_at(graph, *place) if place is not None else [] for place in given]
    return bool(names) and all(texts and all(map(_is_address, texts)) for texts in names)


def _is_address(text: str) -> bool:
    """Is it the name of a TPU, or `"grpc://" + …`, written in the code?"""
    return text.startswith("grpc://") or (HOLE not in text and text not in ("", "local"))


def trains(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does `fit`, or a loop over the distributed dataset that a consumer makes, train for sure?"""
    if consumer.kind != "distribute":
        return consumer.kind == "fit"
    made = {target.id for target in targets(graph.tree, consumer.node) if isinstance(target, ast.Name)}
    nodes = list(nodes_on(graph.tree, rows_with(graph.source.text, *map(whole, made)))) if made else []
    for node in nodes:
        if isinstance(node, ast.Assign) and last_name(node.value) == "iter" and names(node.value) & made:
            made |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    loops = [node for node in nodes if isinstance(node, ast.For) and names(node) & made]
    inner = [loop for loop in loops if not any(holds(loop, other) for other in loops if other is not loop)]
    found = [purpose_of_loop(graph, loop) for loop in inner]
    return any(purpose is not None and purpose.kind == "training" for purpose in found)


def _kind(graph: PipelineGraph, place: Place) -> str:
    full = plain(syntax_there(place.source, graph.source).scopes.full_name(getattr(place.node, "func", place.node)))
    name = full.rpartition(".")[2]
    return name if isinstance(place.node, ast.Call) and full.startswith("tensorflow.") and name in _ALL else ""


def bindings(syntax: Syntax, node: ast.expr) -> list[ast.AST]:
    """Return what binds a name in its scope, or sets an attribute of `self`."""
    match node:
        case ast.Name(id=name):
            _, found = syntax.scopes.binds(name, node) or (None, [])
            return found
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return list(syntax.stores(name))
    return []


def _around(graph: PipelineGraph, models: tuple[ast.AST, ...]) -> frozenset[str]:
    """The strategies in whose scope a model is made, where it is made in one wherever it is."""
    made = [list(_scopes_around(syntax_of(graph.source).way(binding))) for binding in models]
    return frozenset(kind for scopes in made for scope in scopes for kind in kinds(graph, scope) if all(made))


def _scopes_around(way: list[ast.AST]) -> Iterator[ast.expr]:
    for step in way:
        for item in step.items if isinstance(step, ast.With) else ():
            match item.context_expr:
                case ast.Call(func=ast.Attribute(value=strategy, attr="scope")):
                    yield strategy
