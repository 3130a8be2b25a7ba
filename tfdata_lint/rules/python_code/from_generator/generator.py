"""The Python generator behind a from_generator, from the code of its function."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from tfdata_lint.pipeline.mapped.generators import own_nodes
from tfdata_lint.pipeline.mapped.record import FunctionNode
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, is_generator, last_name, result_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.source.trees import walk

_LONGEST_NAME = 40
#: What a generator calls that makes its values up, or only plays at reading.
_MAKING_UP = r"^(time|random|np\.random|tf\.random)\.|^(range|print|float|int|str|len)$"
#: What it calls that walks, orders or names entries, and reads nothing.
_NAMING = (
    r"^(enumerate|zip|len|range|iter|reversed|sorted|list|dict|str|bytes|int|float|print|tqdm(\.tqdm)?|os\.path\.\w+)$"
    r"|^(random|np\.random|numpy\.random)\.|\.(items|keys|values|encode|format|strip|split|replace|lower)$"
)
#: What it calls to go through the rows of a text.
_TEXT = r"^((gzip|io)\.)?open$|^(csv\.\w+|json\.loads?|max|min|next|set|sum|tuple)$|\.(GFile|readlines?|join|append)$"
_CASTS = r"(^|\.)(astype|float|int|str|array|asarray|float32|int32|int64)$"
_ARRAY = r"(np|numpy|jnp|pd|pandas)\.|\.(numpy|to_numpy|tolist|values)(\(\))?$|\.load_data\(|^(list|sorted)\("
#: Calls of a network, by the method or by what it is called.
_NETWORK = r"\.predict(_on_batch|_step)?$|(^|[._])(model|teacher|encoder|network)$"


class Generator(NamedTuple):
    """What is behind a `from_generator`; only its name where the function is not seen."""

    name: str
    calls: tuple[str, ...] = ()
    """What it calls, itself or by functions of the project, which are left out."""
    arrays: tuple[str, ...] = ()
    """The arrays or lists in memory that it walks row by row, as written; none when not sure of all."""
    yields_batches: bool = False
    is_made_up: bool = False
    """It yields random numbers or the numbers of a range, and reads nothing."""
    is_cheap: bool = False
    """Its rows cost nothing beside the call of Python: it splits, casts and picks, and nothing else."""
    hands_on: bool = False
    """It yields entries of something in memory, with at most a cast, and reads nothing."""
    runs: bool = False
    """It calls a network."""


def generator_of(stage: Stage, graph: PipelineGraph) -> Generator:
    """Read the generator of a stage."""
    argument = stage.arguments.get("generator")
    given = argument.node if argument else None
    function = stage.generator
    result = result_of(function)
    if name := last_name(result) if isinstance(result, ast.Call) else "":
        nodes = walk(graph.tree) if graph.tree else ()
        defined = (node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name)
        function = next(defined, function)
    elif isinstance(given, ast.Call):
        function = _wrapped(given, graph) or function
    if function is None:
        return Generator(_name(None, given))
    called = syntax_of(graph.source).called
    seen = {id(node): node for node in (function, *(stage.python.nodes if stage.python is not None else ()))}.values()
    functions = [node for node in seen if isinstance(node, FUNCTIONS)]
    helpers = {getattr(node, "name", "") for node in functions}
    made = [node for one in functions for node in own_nodes(one) if isinstance(node, ast.Call)]
    calls = tuple([called(node.func) for node in made if not _is_one_of(node, helpers)])
    if (result := result_of(function)) is not None and not made:
        # `lambda: iterator`, which something of a library gave.
        calls = tuple(ast.unparse(one.node.func) for one in origins(graph, result) if isinstance(one.node, ast.Call))
    return Generator(
        _name(function, given),
        calls,
        tuple(_arrays(function, "args" in stage.arguments, graph)),
        _yields_batches(function),
        isinstance(function, ast.FunctionDef) and _is_made_up(function, calls),
        all(re.search(f"{_NAMING}|{_MAKING_UP}|{_CASTS}|{_TEXT}", call) for call in calls),
        stage.python is not None and all(re.search(_NAMING, call) for call in calls) and not _opens(function),
        any(re.search(_NETWORK, call) for call in calls),
    )


def _is_one_of(call: ast.Call, helpers: set[str]) -> bool:
    """Is a function called that was read, too, and not one of a library under the same name: `librosa.load`?"""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            return name in helpers
    return False


def _wrapped(given: ast.Call, graph: PipelineGraph) -> ast.FunctionDef | None:
    """The generator that a wrapper is handed: `remembering(rows, errors)`."""
    parts = (*given.args, *(keyword.value for keyword in given.keywords))
    handed = {part.id for part in parts if isinstance(part, ast.Name)}
    return next((node for node in graph.once(_generators_of) if node.name in handed), None)


def _generators_of(graph: PipelineGraph) -> list[ast.FunctionDef]:
    """The functions of a module that yield."""
    return [node for node in walk(graph.tree) if isinstance(node, ast.FunctionDef) and is_generator(node)]


def _name(function: FunctionNode | None, given: ast.expr | None) -> str:
    if isinstance(function, ast.Lambda) or isinstance(given, ast.Lambda):
        return "lambda"
    if function is not None and function.name != "__call__":
        return function.name
    if isinstance(given, ast.Call):
        given = given.func
    text = ast.unparse(given) if given is not None else "generator"
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 3] + "..."


def _yields_batches(function: FunctionNode) -> bool:
    """It steps by a batch size, or calls what it yields a batch."""
    for node in own_nodes(function):
        match node:
            case ast.Call(func=ast.Name(id="range"), args=[_, _, _]):
                return True
            case ast.Yield(value=ast.expr() as part) | ast.For(target=part) if "batch" in ast.unparse(part).lower():
                return True
    return False


def _opens(function: FunctionNode) -> bool:
    """Does it open something, as with a file?"""
    return any(isinstance(node, (ast.With, ast.AsyncWith)) for node in own_nodes(function))


def _is_made_up(function: FunctionNode, calls: tuple[str, ...]) -> bool:
    if not calls or not all(re.search(_MAKING_UP, call) for call in calls):
        return False
    return not any(
        isinstance(node, ast.Subscript) or (isinstance(node, ast.For) and not isinstance(node.iter, ast.Call))
        for node in own_nodes(function)
    )


def _arrays(function: FunctionNode, gets_arrays: bool, graph: PipelineGraph) -> list[str]:
    indexed: list[ast.expr] = []
    if isinstance(function, ast.Lambda):
        walked = _walked(function.body)
    else:
        loops = [node for node in own_nodes(function) if isinstance(node, ast.For) and _yields(node)]
        # A loop inside the loop, or a call on the way, makes other elements than the rows.
        walked = _walked(loops[0].iter) if len(loops) == 1 and _only_hands_on(loops[0]) else []
        indexed = _indexed(loops[0]) if walked else []
    if any(isinstance(node, ast.Name) and node.id == "self" for node in indexed):
        # `self[i]` is what `__getitem__` makes of it.
        return []
    parameters = {argument.arg for argument in function.args.args} if gets_arrays else set()
    if not all(_is_array(node, parameters, graph) for node in walked):
        return []
    return list(dict.fromkeys(ast.unparse(node) for node in (*walked, *indexed)))


def _yields(loop: ast.For) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in walk(loop))


def _only_hands_on(loop: ast.For) -> bool:
    """It yields what it walks, or casts, and calls nothing else."""
    calls = (node for part in loop.body for node in walk(part) if isinstance(node, ast.Call))
    return all(re.search(_CASTS, ast.unparse(call.func)) for call in calls)


def _indexed(loop: ast.For) -> list[ast.expr]:
    """What the loop reads at the place it has come to: `labels` in `labels[i]`."""
    places = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
    return [
        node.value
        for part in loop.body
        for node in walk(part)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and node.slice.id in places
    ]


def _walked(node: ast.expr) -> list[ast.expr]:
    """`zip(x, y)` walks `x` and `y`; so do `enumerate`, and `range(len(x))`."""
    match node:
        case ast.Call(func=ast.Name(id="zip" | "enumerate" | "tqdm" | "iter" | "reversed"), args=args):
            return [found for argument in args for found in _walked(argument)]
        case (
            ast.Call(func=ast.Name(id="range"), args=[ast.Call(func=ast.Name(id="len"), args=[inner])])
            | ast.Call(
                func=ast.Name(id="range"),
                args=[ast.Subscript(value=ast.Attribute(value=inner, attr="shape"), slice=ast.Constant(value=0))],
            )
        ):
            return _walked(inner)
        case ast.Name() | ast.Attribute():
            return [node]
    return []


def _is_array(node: ast.expr, parameters: set[str], graph: PipelineGraph) -> bool:
    """Is it certainly in memory? What `args=` hands to the generator is, as is what NumPy or a literal made."""
    if isinstance(node, ast.Name) and node.id in parameters:
        return True
    name = ast.unparse(node)
    values = [
        assignment.value
        for assignment in (walk(graph.tree) if graph.tree else ())
        if isinstance(assignment, ast.Assign) and any(name in _targets(target) for target in assignment.targets)
    ]
    # What is appended to an empty list may be of any shape.
    return bool(values) and all(
        (isinstance(value, (ast.List, ast.Tuple)) and value.elts)
        or isinstance(value, ast.ListComp)
        or re.search(_ARRAY, ast.unparse(value))
        for value in values
    )


def _targets(target: ast.expr) -> list[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for part in target.elts for name in _targets(part)]
    return [ast.unparse(target)]


def varies_in_length(stage: Stage) -> bool:
    """Is a dimension of the declared elements open?"""
    given = [stage.arguments[name].node for name in ("output_signature", "output_shapes") if name in stage.arguments]
    return any(isinstance(part, ast.Constant) and part.value is None for node in given for part in walk(node))
