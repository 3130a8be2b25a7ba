"""Purity: a function is pure only where all that it calls is known to be, and all that it reads cannot change.

A mapped function is traced once. What Python gives it is what it was then; what a tensor is made of is not: a variable
has the value of the moment, wherever it is kept.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import canonical, displayed, plain
from tfdata_lint.pipeline.mapped.lasting import Lasting, makes
from tfdata_lint.pipeline.mapped.layers import made_of, settable
from tfdata_lint.pipeline.mapped.record import Body, Call
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import inside
from tfdata_lint.pipeline.nouns.stages import Argument, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import External, Symbol
from tfdata_lint.pipeline.project.bindings import imported
from tfdata_lint.pipeline.project.meant import is_meant
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

_LONGEST = 60
#: By these, others write to the memory of a tensor.
_MEMORY = re.compile(r"\b(?:__array__|__array_interface__|_numpy)\b")
#: Libraries in which nothing is made that a traced function sees change.
_STATELESS = sys.stdlib_module_names - {"importlib", "multiprocessing", "sys"} | {"numpy", "tensorflow"}
#: What finds names that are not written.
_FOREIGN = frozenset({"__import__", "eval", "exec", "getattr", "import_module"})
_TYPES = frozenset(
    f"tensorflow.{name}"
    for name in ["bfloat16", "bool", "complex128", "complex64", "double", "float16", "float32", "float64", "half",
                 "int16", "int32", "int64", "int8", "newaxis", "string", "uint16", "uint32", "uint64", "uint8",
                 "Tensor"]
)  # fmt: skip
#: What TensorFlow does of which a variable is no part.
_HARMLESS = ("py_function", "random", "stateless_random", "tf_print")


def unproven(body: Body, calls: Iterable[Call]) -> str:
    """What is not known to be the same each time that the function is called, as written; empty where all is."""
    calls = list(calls)
    own = {id(call.node) for call in body.calls}
    lasting = Lasting(own)
    for call in calls:
        if known(call.name).effect == "pure" and not _is_proven(call.name):
            return f"`{displayed(call.name)}` is not known to compute from its arguments alone"
        if not _is_kept(call, own, lasting):
            return f"`{shown(call.node.func)}` is made with, or set to, what may change between elements"
    noted = (part for parts in body.outside.values() for part in parts)
    return next((f"`{shown(node)}` may change between elements" for node, value in noted if not lasting.of(value)), "")


def _is_kept(call: Call, own: set[int], lasting: Lasting) -> bool:
    """Where a layer is called that looks pure, does it stay what it was made as?"""
    name = plain(call.name)
    if not name.startswith("tensorflow.keras.") or "()" not in name:
        return True
    if known(name).effect not in ("pure", "stateful_layer"):
        # Nobody takes the others for pure.
        return True
    if not isinstance(call.receiver, External):
        return False
    # Of one that is made in the function itself all that it reads is judged by itself.
    return id(call.receiver.call) in own or all(map(lasting.of, made_of(call.receiver)))


def why_unproven(graph: PipelineGraph, stage: Stage) -> str:
    """Why the functions of a stage are not known to give the same each time; empty where they are."""
    if name := graph.once(_reached_memory):
        return f"`{name}` gives the memory of a tensor, which may be written to"
    for part in (stage, *inside(stage)):
        function = part.function
        if function is None:
            continue
        if function.unproven and (part.context.root or not graph.once(makes_no_state)):
            return function.unproven
        given = [part.arguments[name] for name in part.operation.functions if name in part.arguments]
        names = function.names.union(*map(_names, given), {getattr(function.node, "name", "")})
        names = names.union(*(map("@{}".format, settable(made)) for made in _from_elsewhere(graph, function)))
        if name := rebound(graph, names, {*function.files, part.span.file} <= {graph.file}):
            return f"`{name}` may be set to something else"
    return ""


def _reached_memory(graph: PipelineGraph) -> str:
    found = _MEMORY.search(graph.source.text)
    return found[0] if found else ""


def _from_elsewhere(graph: PipelineGraph, function: MappedFunction) -> Iterator[External]:
    """The layers that a function calls and that another file makes."""
    way = syntax_of(graph.source).way
    return (
        call.receiver
        for call in function.calls
        if isinstance(call.receiver, External) and "()" in call.name and not way(call.receiver.call)
    )


def _names(argument: Argument) -> set[str]:
    """What is read to find a function that is given to a stage."""
    if isinstance(argument.value, Symbol):
        return {f"~{part}" for part in argument.value.name.split(".")[1:]}
    parts = list(walk(argument.node)) if not isinstance(argument.node, ast.Lambda) else []
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names | {part.attr for part in parts if isinstance(part, ast.Attribute)}


def rebound(graph: PipelineGraph, names: Iterable[str], is_here: bool) -> str:
    """One of these names that some file may set to something else than what is read here.

    Names of libraries begin with `~`; `@` is put before those of what may be made in another file.
    """
    is_here = is_here and not graph.is_imported
    text = graph.source.text
    names = sorted(filter(None, names))
    wanted = [name if name[0] in "~@" else f"@{name}" for name in names]
    nearby = {"*", *wanted}.difference(name for name in names if name[0] == "@") if is_here else ()
    found = (w for w in ("*", *wanted) if (is_meant(w, text) if w in nearby else graph.is_written(w)))
    word = next(found, "")
    return wanted[0][1:] if word == "*" and wanted else word[1:]


def makes_no_state(graph: PipelineGraph) -> bool:
    """Is nothing used in a module that may make a variable, a table or anything else that changes, nor given to it?"""
    tree = graph.tree
    if tree is None or graph.is_imported or not _FOREIGN.isdisjoint(_words(graph)):
        return False
    scopes = syntax_of(graph.source).scopes
    inner = {id(node.value) for node in walk(tree) if isinstance(node, ast.Attribute)}
    for node in walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                roots = {symbol.name.partition(".")[0] for _, symbol in imported(node)}
                if not roots or not roots <= _STATELESS:
                    return False
            case ast.Name() | ast.Attribute() if id(node) not in inner:
                name = canonical(scopes.full_name(node))
                if name.startswith("tensorflow") and not _is_stateless(name):
                    return False
    return True


def _words(graph: PipelineGraph) -> set[str]:
    return set(re.findall(r"\b(?:getattr|eval|exec|import_module|__\w+__)\b", graph.source.text))


def _is_stateless(name: str) -> bool:
    row = known(name)
    if name.startswith("tensorflow.keras."):
        return False
    return name in _TYPES or row.is_pure or row.role in ("compiles", "seeds") or row.effect in _HARMLESS


def _is_proven(name: str) -> bool:
    """Is a function that shows no state known to compute from its arguments alone, or a method of what one made?"""
    made, of, _ = name.partition("().")
    return known(name).proven or bool(of and (makes(made) or known(made).calls))


def shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST else "…"
