"""TFD322."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.nouns.code import calls_of, names
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.nouns.questions import by_place, is_only_looked_at
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import walk

_DECODES = r"tf\.(io|image|audio)\.decode_(jpeg|png|image|bmp|gif|webp|wav|and_crop_jpeg)"
_DRAWS = r"tf\.(image\.random_\w+|random\.\w+)"
#: Passes up to which a loop is no work to speak of.
_FEW = 16


class EagerPreprocessing(Rule):
    code = "TFD322"
    name = "eager-preprocessing"
    group = "performance"
    summary = "A Python loop decodes everything before the pipeline starts"
    triggers = ("from_tensor_slices", "text:decode_")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.tree is None or graph.is_test or "decode_" not in graph.source.text:
            return
        for stages in by_place(graph.stages, "from_tensor_slices"):
            stage = stages[0]
            given = stage.arguments.get("tensors")
            if given is None or stage.context.in_test or stage.span.file != graph.file:
                continue
            loop = _filling_loop(graph, graph.tree, given.node)
            scopes = syntax_of(graph.source).scopes
            calls = _called_in(graph, loop) if loop is not None else []
            called = [displayed(scopes.full_name(call)) for call in calls]
            decodes = next((name for name in called if re.fullmatch(_DECODES, name)), "")
            if loop is None or not decodes or is_only_looked_at(graph, stages):
                continue
            draws = next((name for name in called if re.fullmatch(_DRAWS, name)), "")
            cost = "One thread decodes all images before the first step, and all of them stay in memory (measured: the"
            cost += " first batch of 400 images came after 0.8 s instead of 0.05 s, all of them 1.5 times as late)"
            if draws:
                cost = f"`{draws}` draws only once, so every epoch trains on the same augmented images"
            yield self.finding(
                stage.span,
                f"Images are decoded one by one before the pipeline starts, with `{decodes}`",
                cost=cost,
                advice=(
                    "Pass the paths to `from_tensor_slices` and decode them in a parallel `map`, followed by a"
                    " `cache` if the images fit into memory"
                ),
                confidence="likely",
                related=(Related(span_of(loop, graph.file), "decodes one after the other"),),
            )


def _filling_loop(graph: PipelineGraph, tree: ast.Module, given: ast.AST) -> ast.For | ast.ListComp | None:
    """The loop around here that fills a list of what is given: `for p in paths: images.append(load(p))`."""
    wanted = names(given)
    return next((loop for filled, loop in graph.once(_fillings, scope_of(tree, given)) if filled & wanted), None)


def _fillings(graph: PipelineGraph, scope: ast.AST) -> list[tuple[set[str], ast.For | ast.ListComp]]:
    """The loops of a scope, each with the names of the lists that it fills."""
    found: list[tuple[set[str], ast.For | ast.ListComp]] = []
    for node in walk(scope):
        match node:
            case ast.For(iter=walked) if not _is_handful(walked):
                kept = (call.func.value for call in calls_of(node, "append") if isinstance(call.func, ast.Attribute))
                found.append(({part.id for part in kept if isinstance(part, ast.Name)}, node))
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.ListComp(generators=[ast.comprehension(iter=walked)]) as made
            ) if not _is_handful(walked):
                found.append(({name}, made))
    return found


def _is_handful(walked: ast.expr) -> bool:
    """A written list, or a written number of something."""
    match walked:
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return True
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]):
            return count <= _FEW
        case ast.Subscript(slice=ast.Slice(upper=ast.Constant(value=int(count)))):
            return count <= _FEW
    return False


def _defined(graph: PipelineGraph) -> dict[str, ast.FunctionDef]:
    nodes = walk(graph.tree) if graph.tree is not None else ()
    return {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}


def _called_in(graph: PipelineGraph, loop: ast.AST) -> list[ast.expr]:
    """The functions that a loop calls, with those that functions of the module call for it."""
    defined = graph.once(_defined)
    found: list[ast.expr] = []
    todo, entered = [loop], {id(loop)}
    while todo:
        for call in (part for part in walk(todo.pop()) if isinstance(part, ast.Call)):
            found.append(call.func)
            helper = defined.get(call.func.id) if isinstance(call.func, ast.Name) else None
            if helper is not None and id(helper) not in entered:
                entered.add(id(helper))
                todo.append(helper)
    return found
