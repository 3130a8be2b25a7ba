"""What the other files of a project give for the parameters of a function, where all of them agree."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from typing import Any

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import is_test_file
from tfdata_lint.pipeline.project.command_line import is_option
from tfdata_lint.pipeline.project.modules import LIBRARIES
from tfdata_lint.pipeline.project.syntax import default_of, syntax_there
from tfdata_lint.pipeline.python.callers import named_in
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.source.module import Source

#: From an argument to the literal that it is: `config.training`, or one or two functions further out.
_STEPS = 4
_PLAIN = (bool, int, float, str, type(None))


def agreed(
    graph: PipelineGraph, function: ast.FunctionDef | ast.AsyncFunctionDef, cls: ast.ClassDef | None
) -> dict[str, Any]:
    """The literal that all calls of a function, or of the class that it is the constructor of, give for a parameter.

    `...` where they give several, or what is not known, but none leaves it at its default. Nothing is said where no
    other file but tests calls it, or where one of the calls is not seen.
    """
    name, here = (function if cls is None else cls).name, os.path.dirname(os.path.abspath(graph.file))
    others = [one for one in graph.using(name) if not is_test_file(os.path.relpath(one.path, here))]
    calls = _calls_of(graph, function if cls is None else cls, name, others) if others else []
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args][cls is not None :]
    found: dict[str, Any] = {}
    for place, parameter in enumerate([*positional, *spec.kwonlyargs]) if calls else ():
        position, default = place if place < len(positional) else -1, default_of(function, parameter)
        given = [argument(graph, call.node, position, parameter.arg, call.source) for call in calls]
        if default is None and None in given:
            continue
        values: dict[str, Any] = {}
        # Literals first: of what is not the same everywhere no more is asked.
        for one in sorted(given, key=lambda one: one is not None and not isinstance(one.node, ast.Constant)):
            if len(values) < 2 and ... not in values.values():
                values |= {repr(value): value for value in literals(graph, one or Place(default, graph.source))}
        if len(values) == 1 and ... not in values.values():
            found[parameter.arg] = next(iter(values.values()))
        elif all(given) and default is not None:
            found[parameter.arg] = ...
    return found


def literals(graph: PipelineGraph, given: Place) -> list[Any]:
    """The literals that an argument may be; `...` for what is not known, or an option of the user."""
    # What calls give is hardly ever a literal.
    places = [] if isinstance(given.node, ast.Call) else origins(graph, given.node, given.source, _STEPS)
    return [_literal(graph, place) for place in places] or [...]


def _literal(graph: PipelineGraph, place: Place) -> Any:
    if not isinstance(place.node, ast.Constant) or not isinstance(place.node.value, _PLAIN):
        return ...
    # What `store_true` leaves it at is written nowhere.
    way = syntax_there(place.source, graph.source).way(place.node)
    return ... if not way or any(map(is_option, way)) else place.node.value


def _calls_of(graph: PipelineGraph, definition: ast.AST, name: str, others: Sequence[Source]) -> list[Place]:
    """The calls of what a module defines, here and in others; none where something else is done with it."""
    found: list[Place] = []
    for there in (graph.source, *others):
        if is_renamed(there, name):
            return []
        for node, call in named_in(syntax_there(there, graph.source), name):
            if _is_another(graph, node, definition, there):
                continue
            if call is None:
                return []
            found.append(Place(call, there))
    return found if any(place.source is not graph.source for place in found) else []


def is_renamed(source: Source, name: str) -> bool:
    """Does a file give it another name, or tell it by its name as text?"""
    text = re.sub(r"__all__\s*\+?=\s*[\[(][^\])]*[\])]", "", source.text)
    return re.search(rf"\b{name}\s+as\s|['\"]{name}['\"]", text) is not None


def _is_another(graph: PipelineGraph, node: ast.Name | ast.Attribute, definition: Any, there: Source) -> bool:
    """Is it a variable, a method, or what another module defines under this name?"""
    scopes = syntax_there(there, graph.source).scopes
    full = scopes.full_name(node)
    if full.partition(".")[0] in LIBRARIES or (not full and isinstance(node, ast.Attribute)):
        return True
    meant = origins(graph, node, there, _STEPS)
    here = definition.lineno, os.path.abspath(graph.file)
    is_it = any((getattr(one.node, "lineno", 0), os.path.abspath(one.source.path)) == here for one in meant)
    return bool(meant) and not is_it
