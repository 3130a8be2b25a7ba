"""A wrapper that yields whole blocks of the rows of a generator."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from math import prod

from tfdata_lint.pipeline.mapped.generators import own_nodes
from tfdata_lint.pipeline.mapped.record import FunctionNode
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, last_name, names
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.structure import VARIES, WIDTHS, Dict_, Structure, Tensor, Tuple_, leaves
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS
from tfdata_lint.pipeline.project.syntax import bound_value
from tfdata_lint.pipeline.python.uses import mentions
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Fix, guarded
from tfdata_lint.source.trees import walk

#: In larger elements the copies cost more than the calls of Python (measured: 100 KB pay, 600 KB do not).
_LARGEST = 100_000
_ROWS = "256"
#: Batches of fewer rows gain little.
_FEW = 8
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
#: What a lambda gives whose rows are there already, or made one by one.
_KEPT = (ast.Name, ast.Attribute, ast.List, ast.ListComp, ast.GeneratorExp)
#: What is a new object each time.
_COPIES = r"\b(?:np\.array|np\.stack|list|tuple)\(\w+\)|\w+\.copy\(\)"
#: A statement that changes an object in place: `x[0] = …`, `x += …`, `x.append(…)`, `shuffle(x)`.
_CHANGED = r"^ *(?:{0}(?:[.\[].* \S*=| \S+=) |{0}[.\w]*\(|[\w.]+\(.*\b{0}\b)|(?:readinto\(|out=){0}\b"
#: A data set of a file, which is read when it is made an array.
_LAZY = r"\w+(\['[^']*'\])+(?=[,)}\]]|$)"
#: What a name may be another one for.
_HELD = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Dict)
#: The names that the wrapper uses.
_OWN = frozenset({"block", "iterator", "row", "_"})


@guarded
def in_blocks(graph: PipelineGraph, stage: Stage) -> Fix | None:
    """Let a generator of small rows yield lists of them: whole batches, or blocks that are taken apart again."""
    elements, given, draft = structure_of(stage), stage.arguments.get("generator"), Draft(graph)
    columns = _columns(elements) if _are_small(elements) and _gives_new_rows(stage) else ""
    places = [other for other in graph.stages if other.span == stage.span] if columns else []
    if (
        not columns
        or given is None
        or stage.open_arguments
        or any(structure_of(other) != elements or other.nested_in or other.context.in_tf_function for other in places)
    ):
        return None
    batch = _batch_of(draft, stage, places)
    size = draft.syntax.written(batch.arguments["batch_size"].node) if batch is not None else _ROWS
    if batch is not None:
        draft.remove(batch)
    else:
        draft.append(stage, "unbatch()")
    if not _wrap(draft, stage, given.node, size, columns) or not _widen(draft, stage, elements):
        return None
    return draft.fix(
        "unsafe",
        "Yield whole batches" if batch is not None else f"Yield blocks of {size} rows, and `unbatch` them",
        f"the generator runs up to {size} rows ahead, and rows before an error are lost",
    )


def _are_small(elements: Structure) -> bool:
    """Is each part a tensor whose shape is the same in all elements, and are all of them together small?"""
    return sum(
        prod(length or 0 for length in part.shape) * WIDTHS.get(part.dtype, 1)
        if isinstance(part, Tensor) and part.kind == "dense" and part.dtype and part.shape is not None
        and not {None, VARIES} & {*part.shape} else _LARGEST + 1
        for part in leaves(elements)
    ) <= _LARGEST  # fmt: skip


def _columns(elements: Structure, row: str = "row") -> str:
    """The code of the parts of a block; empty where they have names of their own."""
    match elements:
        case Tuple_(items, ()):
            parts = [_columns(item, f"{row}[{number}]") for number, item in enumerate(items)]
            return f"({', '.join(parts)}{',' * (len(parts) == 1)})" if all(parts) else ""
        case Dict_(entries) if all(isinstance(key, str) and re.fullmatch(r"[\w./ -]+", key) for key, _ in entries):
            parts = [f'"{key}": {_columns(item, f"""{row}["{key}"]""")}' for key, item in entries]
            return f"{{{', '.join(parts)}}}"
        case Tensor():
            return f"[{row} for row in block]" if row != "row" else "block"
    return ""


# ── may a row be kept until the others are there? ───────────────────────────────────────────────────────────────────


def _gives_new_rows(stage: Stage) -> bool:
    """Is the generator seen, and does it change nothing that it has yielded?"""
    if isinstance(stage.generator, ast.Lambda) and isinstance(stage.generator.body, _KEPT):
        return True
    nodes = stage.python.nodes if stage.python is not None else ()
    functions = [node for node in (stage.generator, *nodes) if isinstance(node, FUNCTIONS)]
    return not any(map(_changes_rows, functions)) and any(
        isinstance(part, (ast.Yield, ast.YieldFrom)) for node in functions for part in own_nodes(node)
    )


def _changes_rows(function: FunctionNode) -> bool:
    """Does it give what it changes in place, or what a file may be read for that is closed by then?"""
    code, nodes = ast.unparse(function), list(own_nodes(function))
    held = [node.value for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, _HELD)]
    for node in nodes:
        if isinstance(node, (ast.Yield, ast.Return)) and node.value is not None:
            text = re.sub(_COPIES, "", "\n".join(map(ast.unparse, [node.value, *held])))
            loops = (loop for loop in nodes if isinstance(loop, _LOOPS) and any(part is node for part in walk(loop)))
            inner = min(loops, key=lambda loop: (loop.end_lineno or 0) - loop.lineno, default=node)
            if ("h5py" in code and re.search(_LAZY, ast.unparse(node.value))) or any(
                re.search(_CHANGED.format(name), code, re.MULTILINE)
                for name in set(re.findall(r"[^\W\d]\w*", text))
                if not _makes(function if isinstance(node, ast.Return) else inner, name)
            ):
                return True
    return False


def _makes(around: ast.AST, name: str) -> bool:
    """Is the first thing that a pass of a loop, or a function, does with a name to set it to something new?"""
    steps = (*([around.target] if isinstance(around, ast.For) else []), *getattr(around, "body", ()))
    first = next((step for step in steps if name in names(step)), None)
    return any(
        name in names(target)
        for target in (first.targets if isinstance(first, ast.Assign) and name not in names(first.value) else [first])
        if isinstance(target, (ast.Name, ast.Tuple))
    )


# ── what is written ─────────────────────────────────────────────────────────────────────────────────────────────────


def _batch_of(draft: Draft, stage: Stage, places: Sequence[Stage]) -> Stage | None:
    """The `batch` that takes the rows at once, in all contexts; its size is a number, or a name that is set once."""
    users = [user for other in places for user in draft.graph.users(other)]
    batch = users[0] if users else stage
    size = batch.arguments["batch_size"].node if set(batch.arguments) == {"batch_size"} else None
    match batch.node, stage.node:
        case ast.Call(func=ast.Attribute(value=value)) as call, ast.Call() as made if (
            batch.op == "batch"
            and all(user.span == batch.span for user in users)
            and not any(draft.graph.consumers_of(other) for other in places)
            and (value is made or draft.are_neighbours(made, call))
        ):
            is_many = isinstance(size, ast.Constant) and size.value not in range(_FEW)
            return batch if is_many or (isinstance(size, ast.Name) and _is_set_once(draft, size)) else None
    return None


def _is_set_once(draft: Draft, node: ast.expr) -> bool:
    """Does a name, or that before a dot, stand for one thing, whenever a function beside this statement reads it?"""
    (name,), way = names(node), draft.syntax.way(node)
    found = draft.syntax.scopes.binds(name, node)
    inside = way[max((n for n, step in enumerate(way) if isinstance(step, FUNCTIONS)), default=0) :]
    is_one = found is not None and len(found[1]) == 1 and name not in _OWN
    return is_one and not any(isinstance(step, _LOOPS) for step in inside)


def _wrap(draft: Draft, stage: Stage, given: ast.expr, size: str, columns: str) -> bool:
    """Write the wrapper above the statement, and pass it instead of the generator."""
    syntax, arguments = draft.syntax, "*arguments" * ("args" in stage.arguments)
    block, way = syntax.block(given), syntax.way(given)
    match given:
        case ast.Lambda(args=ast.arguments(args=[], vararg=None, kwonlyargs=[], kwarg=None), body=body) if (
            not arguments
        ):
            source, name, is_one = syntax.written(body), "", not names(body) & _OWN
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name):
            source, is_one = f"{syntax.written(given)}({arguments})", _is_set_once(draft, given)
        case ast.Call() if not arguments:
            source, name, is_one, arguments = "generator()", "", True, f"generator={syntax.written(given)}"
        case _:
            return False
    name = f"{name}_in_blocks".lstrip("_")
    if (
        not is_one
        or block is None
        or not any(step is stage.node for step in way)
        or re.search(rf"\b{name}\b", syntax.text)
    ):
        return False
    number, place = way.index(block.statement), syntax.start(block.statement)
    if (
        any(isinstance(step, (*FUNCTIONS, *COMPREHENSIONS)) for step in way[number:-1])
        or isinstance(way[number - 1], ast.ClassDef)
        or syntax.text[syntax.line(place)[0] : place].strip()
    ):
        return False
    start, indent = draft.start_of_rows(block.statement), syntax.indent(place)
    above, gap = syntax.text[:start], "\n" * (1 if indent else 2)
    lead = "" if not above.strip() or above.rstrip().endswith(":") else gap[len(above) - len(above.rstrip("\n")) - 1 :]
    rows = (
        f"def {name}({arguments}):",
        f"    iterator = iter({source})",
        f"    while block := [row for _, row in zip(range({size}), iterator)]:",
        f"        yield {columns[1:-1] if columns[0] == '(' and columns[-2] != ',' else columns}",
    )
    draft.put(start, start, lead + "".join(f"{indent}{row}\n" for row in rows) + gap)
    draft.replace(given, name)
    return True


def _widen(draft: Draft, stage: Stage, elements: Structure) -> bool:
    """Give each shape of the signature one dimension more, in its place where only this call reads it."""
    argument = stage.arguments["output_signature" if "output_signature" in stage.arguments else "output_shapes"]
    given, name = argument.node, last_name(argument.node)
    found = draft.syntax.scopes.binds(name, given) if isinstance(given, ast.Name) else None
    way = draft.syntax.way(found[1][0]) if found is not None and len(found[1]) == 1 else []
    value = bound_value(way) or given
    shapes = [part for part in walk(value) if isinstance(part, (ast.List, ast.Tuple))
              and all(isinstance(length, (ast.Constant, ast.Name)) for length in part.elts)]  # fmt: skip
    ranks = sorted(len(part.shape or ()) for part in leaves(elements) if isinstance(part, Tensor))
    if (
        sorted(len(shape.elts) for shape in shapes) == ranks
        and (value not in shapes or isinstance(elements, Tensor))
        and (
            value is given
            or (len(mentions(draft.syntax, name, given)) == 2 and not draft.graph.is_used_elsewhere(name))
        )
    ):
        for shape in shapes:
            parts = ", ".join(["None", *map(draft.syntax.written, shape.elts)])
            draft.replace(shape, f"[{parts}]")
        return True
    if argument is not stage.arguments.get("output_signature"):
        return False
    tf = draft.tensorflow(given)
    spec = f"lambda spec: {tf}.TensorSpec([None, *spec.shape], spec.dtype)"
    draft.replace(given, f"{tf}.nest.map_structure({spec}, {draft.syntax.written(given)})")
    return any(step is stage.node for step in draft.syntax.way(given))
