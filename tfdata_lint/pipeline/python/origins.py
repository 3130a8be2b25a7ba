"""Where the value of an expression is written, through names, attributes, items, parameters and modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from tfdata_lint.pipeline.nouns.code import last_name, names, nodes_on, own_nodes, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.bindings import FUNCTIONS, imported, member
from tfdata_lint.pipeline.project.command_line import default_in, is_option, name_of, options_in
from tfdata_lint.pipeline.project.index import definitions_of
from tfdata_lint.pipeline.project.modules import LIBRARIES
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value, default_of, loop_of, syntax_there
from tfdata_lint.pipeline.python.callers import Caller, calls_of, made_below
from tfdata_lint.source.module import Source

#: Steps from an expression to where its value is written, and alternatives on the way.
_DEEPEST, _MOST = 16, 12
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_PARSING = ("parse_args", "parse_known_args", "parse_intermixed_args")
#: The key of an item that is not known, and a pattern of all keys.
_ANY = r"\w+"
#: What holds its keywords, or the items of a dict, as attributes.
_METHODS = frozenset({"staticmethod", "classmethod"})
_HOLDERS = ("dict", "SimpleNamespace", "Namespace", "ConfigDict", "EasyDict", "AttrDict", "Munch", "edict")


class Place(NamedTuple):
    """An expression or definition, and the module that it stands in."""

    node: Any
    source: Source


def origins(graph: PipelineGraph, node: ast.AST, source: Source | None = None, steps: int = _DEEPEST) -> list[Place]:
    """Where all that an expression may be is written: literals, calls, definitions; none where that is not known."""
    return graph.once(_followed, node, source or graph.source, steps)


def argument(
    graph: PipelineGraph, call: ast.Call, position: int, name: str, source: Source, steps: int = _DEEPEST
) -> Place | None:
    """What a call gives for a parameter, also from `**settings`; what may hold it where that is not known."""
    if given := next((word.value for word in call.keywords if word.arg == name), None):
        return Place(given, source)
    if 0 <= position < len(call.args):
        starred = next((part for part in call.args[: position + 1] if isinstance(part, ast.Starred)), None)
        return Place(starred or call.args[position], source)
    for spread in (word.value for word in call.keywords if word.arg is None):
        found = origins(graph, spread, source, steps)
        items = [*_put(graph, spread, name, source), *(_item_of(one, name) for one in found)]
        if not all(_lacks(one, name, ast.unparse(spread)) for one in found) or not found:
            return next(filter(None, items), Place(spread, source))
    return None


def _put(graph: PipelineGraph, spread: ast.expr, key: str, source: Source) -> list[Place]:
    """What a function itself puts under a key into what it spreads: `kw["axis"] = 1`, `kw = {**kw, "axis": 1}`."""
    syntax = _syntax(graph, source)
    if not isinstance(spread, ast.Name) or (bound := syntax.scopes.binds(spread.id, spread)) is None:
        return []
    values = [bound_value(syntax.way(one)) for one in in_force(syntax, spread, sorted(bound[1], key=_row))]
    found = [_item_of(Place(value, source), key) for value in values if isinstance(value, (ast.Dict, ast.Call))]
    for node in nodes_on(syntax.tree, rows_with(source.text, rf"\[['\"]{key}['\"]\]\s*=(?!=)")):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name) as held)], value=value):
                found += [Place(value, source)] if syntax.scopes.binds(name, held) == bound else []
    return [one for one in found if one is not None]


def _lacks(place: Place, name: str, written: str) -> bool:
    """Are all keywords of some `**settings` seen, and is this one not among them, then or later?"""
    match place.node:
        case ast.Dict(keys=keys) if all(isinstance(key, ast.Constant) for key in keys):
            names = [key.value for key in keys if isinstance(key, ast.Constant)]
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=words) if all(word.arg for word in words):
            names = [word.arg for word in words]
        case _:
            return False
    later = rf"\[['\"]{name}['\"]\]\s*=(?!=)", rf"{re.escape(written)}\.(?:update|setdefault)\("
    return name not in names and not rows_with(place.source.text, *later)


def _followed(graph: PipelineGraph, node: ast.AST, source: Source, left: int) -> list[Place]:
    if left < 1:
        return []
    full = _syntax(graph, source).scopes.full_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
    if full.partition(".")[0] in LIBRARIES and ".FLAGS." not in full:
        return [Place(node, source)]
    match node:
        case ast.Name():
            found = _named(graph, node, source, left - 1)
        case ast.Attribute():
            found = _member(graph, full, source, left - 1) if full else []
            found = found or _attribute(graph, node, source, left - 1)
        case ast.Subscript(value=base, slice=ast.Constant(value=key)):
            found = _items(graph, base, key, source, left - 1)
        case ast.Subscript(value=base, slice=ast.expr() as index) if not isinstance(index, ast.Slice):
            keys = _keys(graph, index, source, left)
            found = _together([_items(graph, base, key, source, left - 1) for key in keys or [_ANY]])
            found = found if found or keys else [Place(node, source)]
        case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[ast.Constant(value=key), *_]):
            found = _items(graph, base, key, source, left - 1) or [Place(node, source)]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            holds = decided(graph, test, source, left)
            found = _each(graph, [body, orelse] if holds is None else [body if holds else orelse], source, left)
        case ast.BoolOp(op=ast.Or(), values=values):
            found = _each(graph, values, source, left)
        case ast.NamedExpr(value=value):
            found = _each(graph, [value], source, left)
        case ast.Call():
            found = _returned(graph, node, source, left - 1)
        case _:
            found = [Place(node, source)]
    return found[:_MOST]


def decided(graph: PipelineGraph, test: ast.AST, source: Source, left: int = _DEEPEST) -> bool | None:
    """How a test comes out in the whole program; None where that is not known, or an option of the command line."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.NotEq)):
        sides = [_constant(graph, side, source, left) for side in (test.left, *test.comparators)]
        known = [side.value for side in sides if side is not None]
        return (known[0] == known[1]) is isinstance(test.ops[0], ast.Eq) if len(known) == 2 else None
    found = graph.once(_followed, test, source, left - 1)
    match found:
        case [Place(ast.Constant(value=bool() as value) as node, there)]:
            way = _syntax(graph, there).way(node)
            return None if not way or any(is_option(step) for step in way) else value
    return None


def _constant(graph: PipelineGraph, node: ast.AST, source: Source, left: int) -> ast.Constant | None:
    """The literal that an expression is in any case, which no option of the command line changes."""
    match graph.once(_followed, node, source, left - 1):
        case [Place(ast.Constant() as value, there)]:
            return None if any(map(is_option, _syntax(graph, there).way(value))) else value
    return None


def _syntax(graph: PipelineGraph, source: Source) -> Syntax:
    return syntax_there(source, graph.source)


def _each(graph: PipelineGraph, nodes: Iterable[ast.AST | None], source: Source, left: int) -> list[Place]:
    """Those of all; none where one is not known."""
    found = [graph.once(_followed, node, source, left - 1) if node is not None else [] for node in nodes]
    return list(dict.fromkeys(chain(*found))) if all(found) else []


def _together(found: list[list[Place]]) -> list[Place]:
    return list(dict.fromkeys(chain(*found))) if all(found) else []


def _named(graph: PipelineGraph, node: ast.Name, source: Source, left: int) -> list[Place]:
    syntax = _syntax(graph, source)
    _, bindings = syntax.scopes.binds(node.id, node) or (None, [])
    bindings = sorted(bindings, key=_row)
    if not bindings:
        stars = (_member(graph, member(star, node.id), source, left) for star in definitions_of(source).stars)
        return next(filter(None, stars), [])
    return _together([_bound(graph, one, node.id, source, left) for one in in_force(syntax, node, bindings)])


def in_force(syntax: Syntax, node: ast.AST, bindings: list[ast.AST]) -> list[ast.AST]:
    """The bindings that may be the one that is read at a node: none that another one has replaced for sure."""
    way = syntax.way(node)
    inside = syntax.function_of(way)
    if len(bindings) < 2 or any(syntax.function_of(syntax.way(one)) is not inside for one in bindings):
        return bindings
    around = set(map(id, way))
    blocks = [(one, syntax.block(one)) for one in bindings if not isinstance(one, ast.arg)]
    sure = [
        _row(one)
        for one, block in blocks
        if block is not None and any(id(statement) in around for statement in block.statements[block.index + 1 :])
    ]
    first, is_again = max(sure, default=0), any(isinstance(step, _LOOPS) for step in way)
    # In `x = x or y` it is not that `x` yet.
    own = [step for step in way if isinstance(step, (ast.Assign, ast.AnnAssign)) and not is_again]
    bindings = [one for one in bindings if not any(step in own for step in syntax.way(one))]
    return [one for one in bindings if first <= _row(one) and (is_again or _row(one) <= _row(node))]


def _row(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _bound(graph: PipelineGraph, binding: ast.AST, name: str, source: Source, left: int) -> list[Place]:
    """What a name is by one of the nodes that bind it."""
    match binding:
        case ast.Import() | ast.ImportFrom():
            symbol = dict(imported(binding)).get(name)
            return _member(graph, symbol.name, source, left) if symbol is not None else []
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [Place(binding, source)]
        case ast.arg():
            return _passed(graph, binding, source, left)
    way = _syntax(graph, source).way(binding)
    if (value := bound_value(way)) is not None:
        return _each(graph, [value], source, left)
    match way[-3:]:
        case [ast.Assign(targets=[ast.Tuple(elts=targets)], value=whole), ast.Tuple(), _] if binding in targets:
            # `data, steps = make()`
            is_counted = not any(isinstance(target, ast.Starred) for target in targets)
            return _items(graph, whole, targets.index(binding), source, left - 1) if is_counted else []
    if (loop := loop_of(way)) is not None:
        parts = _walked(graph, *loop, source, left)
        return _together([graph.once(_followed, part.node, part.source, left - 1) for part in parts])
    items = way[-2].items if isinstance(way[-2], ast.With) else ()
    return [Place(item.context_expr, source) for item in items if item.optional_vars is binding]


def _walked(graph: PipelineGraph, iterable: ast.expr, path: list[int], source: Source, left: int) -> list[Place]:
    """What is in one place of all items that a loop walks; nothing where one of them is not known."""
    match iterable, path:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), [1, *rest]:
            return _walked(graph, inner, rest, source, left)
        case ast.Call(func=ast.Name(id="zip"), args=walked), [place, *rest] if place < len(walked):
            return _walked(graph, walked[place], rest, source, left)
        case ast.Call(func=ast.Attribute(value=base, attr="items" | "values" as kind), args=[]), _:
            held = graph.once(_followed, base, source, left)
            place, *path = path if kind == "items" and path else [1, *path]
            items = [Place(part, one.source) for one in held if isinstance(one.node, ast.Dict)
                     for part in (one.node.values if place else one.node.keys)]  # fmt: skip
        case _:
            found = [_elements(one, last_name(iterable)) for one in _each(graph, [iterable], source, left)]
            items = [Place(part, one.source) for one, parts in found for part in parts] if all(found) else []
    for index in path:
        items = _together([_items(graph, item.node, index, item.source, left) for item in items])
    return items


def _elements(place: Place, name: str) -> tuple[Place, list[ast.expr]]:
    """What a list or tuple holds, which nobody adds to under the name that it is walked by."""
    later = (rf"\b{name}\.(?:append|extend|insert)\(", rf"\b{name}\s*\+=") if name else ()
    if isinstance(place.node, (ast.List, ast.Tuple, ast.ListComp)) and not rows_with(place.source.text, *later):
        return place, [place.node.elt] if isinstance(place.node, ast.ListComp) else place.node.elts
    return place, []


def _member(graph: PipelineGraph, full: str, source: Source, left: int) -> list[Place]:
    """What a module of the project binds."""
    there, rest = graph.locate(full, source) if left > 0 else (None, "")
    tree = there.tree if there is not None else None
    if there is None or tree is None:
        return []
    bindings = _syntax(graph, there).scopes.bindings(_syntax(graph, there).tree).get(rest, [])
    return _together([_bound(graph, one, rest, there, left - 1) for one in bindings])


# ── parameters ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _passed(graph: PipelineGraph, parameter: ast.arg, source: Source, left: int) -> list[Place]:
    """What the calls of a function give for a parameter, or leave it at; nobody knows where there are none."""
    function, owner = _syntax(graph, source).way(parameter)[-2:-4:-1]
    if not isinstance(function, FUNCTIONS) or left < 1:
        return []
    if isinstance(owner, ast.ClassDef) and not _is_static(function) and _names(function)[:1] == [parameter.arg]:
        return [Place(owner, source)]
    given = graph.once(given_for, parameter, source, left - 1)
    if not given:
        return [] if given is None else _each(graph, [_option_of(function, parameter, source)], source, left)
    return _together([graph.once(_followed, one.node, one.source, left - 1) if one else [] for one in given])


def given_for(
    graph: PipelineGraph, parameter: ast.arg, source: Source, steps: int = _DEEPEST
) -> list[Place | None] | None:
    """What each call of a function gives for a parameter, or leaves it at; None where not all calls are seen."""
    function, owner = _syntax(graph, source).way(parameter)[-2:-4:-1]
    if not isinstance(function, FUNCTIONS) or parameter in (function.args.vararg, function.args.kwarg):
        return None
    cls = owner if isinstance(owner, ast.ClassDef) else None
    names = _names(function)
    position = names.index(parameter.arg) if parameter.arg in names else -1
    position -= cls is not None and not _is_static(function)
    default = _option_of(function, parameter, source) or default_of(function, parameter)
    called = cls.name if cls is not None and function.name == "__init__" else function.name
    calls = calls_of(graph, called, function, source)
    if cls is not None and calls is not None and function.name == "__init__":
        calls += made_below(graph, cls, source)
    found: list[Place | None] = []
    for call in (calls or ())[:_MOST]:
        # An Estimator gives the function of its model its own `params`; the rest comes from elsewhere.
        is_handed = last_name(call.node) != called and last_name(call.node).endswith("Estimator")
        given = argument(graph, call.node, 3 if is_handed else position, parameter.arg, call.source, steps)
        if given is None and default is not None and not is_handed:
            given = Place(default, source)
        found.append(given if not is_handed or parameter.arg == "params" else None)
    return found if calls is not None else None


def _names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args)]


def _is_static(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(last_name(one) == "staticmethod" for one in function.decorator_list)


def _option_of(function: ast.FunctionDef | ast.AsyncFunctionDef, parameter: ast.arg, source: Source) -> ast.expr | None:
    """The default of `@click.option("--layout", default="NCHW")`."""
    options = (one for one in function.decorator_list if isinstance(one, ast.Call) and last_name(one) == "option")
    return next((default_in(one) for one in options if name_of(one, source) == parameter.arg), None)


def _returned(graph: PipelineGraph, call: ast.Call, source: Source, left: int) -> list[Place]:
    """What functions of the project return; of all others the call itself."""
    found: list[list[Place]] = []
    for made in graph.once(_followed, call.func, source, left):
        match made.node:
            case ast.FunctionDef(decorator_list=decorators, body=body) if _METHODS.issuperset(
                map(last_name, decorators)
            ):
                returns = [node.value for node in own_nodes(body) if isinstance(node, ast.Return)]
                found.append(_each(graph, returns, made.source, left))
            case ast.Lambda(body=value):
                found.append(_each(graph, [value], made.source, left))
            case _:
                found.append([])
    return _together(found) or [Place(call, source)]


# ── attributes and items ────────────────────────────────────────────────────────────────────────────────────────────


def _attribute(graph: PipelineGraph, node: ast.Attribute, source: Source, left: int) -> list[Place]:
    syntax = _syntax(graph, source)
    bases = graph.once(_followed, node.value, source, left)
    if not bases and (annotated := _annotated(graph, node, source, left)) is not None:
        return _of_class(graph, annotated, node.attr, None, left)
    if any(isinstance(base.node, ast.ClassDef) for base in bases) or not bases:
        return _together([_field(graph, base, node.attr, left) for base in bases])
    written = ast.unparse(node.value)
    stores = [store for store in syntax.stores(node.attr) if ast.unparse(store.value) == written]
    set_here = [_each(graph, [bound_value(syntax.way(store))], source, left) for store in stores]
    return _together(set_here or [_field(graph, base, node.attr, left) for base in bases])


def _annotated(graph: PipelineGraph, node: ast.Attribute, source: Source, left: int) -> Place | None:
    """The class of the project that the parameter is said to be of whose field this is: `def train(config: Config)`."""
    syntax = _syntax(graph, source)
    found = syntax.scopes.binds(node.value.id, node.value) if isinstance(node.value, ast.Name) else None
    match found:
        case (_, [ast.arg(annotation=ast.Name() | ast.Attribute() as annotation)]):
            match graph.once(_followed, annotation, source, left):
                case [Place(ast.ClassDef(), there) as cls] if not _may_differ(graph, cls, node.attr, (source, there)):
                    return cls
    return None


def _may_differ(graph: PipelineGraph, cls: Place, name: str, sources: Iterable[Source]) -> bool:
    """May an object of a class have another field than the class says: of a class below it, or set from outside?"""
    changes = (
        rf"class \w+\(.*\b{cls.node.name}\b", rf"(?<!self)\.{name}\s*=(?!=)", rf"\breplace\([^)]*\b{name}\s*=",
        r"\b(?:cls|setattr)\(",
    )  # fmt: skip
    return any(rows_with(one.text, *changes) for one in (*sources, *graph.importers(cls.source)))


def _field(graph: PipelineGraph, base: Place, name: str, left: int) -> list[Place]:
    """An attribute of what is written at a place."""
    match base.node:
        case ast.ClassDef():
            return _of_class(graph, base, name, None, left)
        case ast.Call() as call if last_name(call) in _PARSING:
            return _option(graph, base.source, name, left)
        case ast.Call(func=func) as call:
            if (item := _item_of(base, name)) is not None:
                return graph.once(_followed, item.node, item.source, left - 1) if left > 0 else []
            made = graph.once(_followed, func, base.source, left)
            classes = [one for one in made if isinstance(one.node, ast.ClassDef)]
            return _together([_of_class(graph, cls, name, Place(call, base.source), left) for cls in classes])
        case ast.Name() | ast.Attribute() if last_name(base.node) == "FLAGS":
            return _option(graph, base.source, name, left)
        case ast.Constant() if name == "value":
            # A literal has none: it is what a member of an enumeration is.
            return [base]
    return []


def _of_class(graph: PipelineGraph, cls: Place, name: str, call: Place | None, left: int) -> list[Place]:
    """A field of a class: what its methods set, what the call gives that makes the object, or what the class says."""
    syntax = _syntax(graph, cls.source)
    own = [s for s in syntax.stores(name) if ast.unparse(s.value) == "self" and cls.node in syntax.way(s)]
    values = [bound_value(syntax.way(store)) for store in own]
    if values:
        filled = [value for value in values if not (isinstance(value, ast.Constant) and value.value is None)]
        return _each(graph, filled or values, cls.source, left)
    fields = [s for s in cls.node.body if isinstance(s, (ast.AnnAssign, ast.Assign))]
    names = [ast.unparse(s.target if isinstance(s, ast.AnnAssign) else s.targets[0]) for s in fields]
    if name in names:
        is_filled = not any(isinstance(step, FUNCTIONS) and step.name == "__init__" for step in cls.node.body)
        made = [call] if call is not None else calls_of(graph, cls.node.name, cls.node, cls.source) or []
        calls, place = made if is_filled else [], names.index(name)
        given = [_filled(graph, cls, fields[place], place, one, left) for one in calls]
        return _together(given) if given else _each(graph, [_default_of(fields[place])], cls.source, left)
    match [step for step in cls.node.body if isinstance(step, ast.FunctionDef) and step.name == name]:
        case [method] if any("property" in last_name(by) for by in method.decorator_list):
            returns = [node.value for node in own_nodes(method.body) if isinstance(node, ast.Return)]
            return _each(graph, returns, cls.source, left)
        case [method] if not _may_differ(graph, cls, name, [cls.source]):
            return [Place(method, cls.source)]
    bases = [one for base in cls.node.bases for one in graph.once(_followed, base, cls.source, left)]
    found = (_of_class(graph, base, name, call, left - 1) for base in bases if isinstance(base.node, ast.ClassDef))
    return next(filter(None, found), []) if left > 0 else []


def _filled(
    graph: PipelineGraph, cls: Place, field: Any, position: int, call: Place | Caller, left: int
) -> list[Place]:
    """A field of an object that a call makes: what the call gives, or the default."""
    name = ast.unparse(field.target if isinstance(field, ast.AnnAssign) else field.targets[0])
    given = argument(graph, call.node, position, name, call.source, left)
    return _each(graph, [given.node if given else _default_of(field)], given.source if given else cls.source, left)


def _default_of(field: Any) -> ast.expr | None:
    value: ast.expr | None = field.value
    if isinstance(value, ast.Call) and last_name(value) in ("field", "Field"):
        given = next((word.value for word in value.keywords if word.arg in ("default", "default_factory")), None)
        # A class stands for the object that it makes.
        return given.body if isinstance(given, ast.Lambda) else given
    return value


def _items(graph: PipelineGraph, base: ast.expr, key: object, source: Source, left: int) -> list[Place]:
    """The item of dicts, tuples and lists under a key that is written, which nobody sets later."""
    held = graph.once(_followed, base, source, left)
    if left < 1 or any(rows_with(one.source.text, rf"\[['\"]?{key}['\"]?\]\s*=(?!=)") for one in held):
        return []
    items = (_item_of(one, key) for one in held)
    return _together([graph.once(_followed, item.node, item.source, left - 1) if item else [] for item in items])


def _keys(graph: PipelineGraph, index: ast.expr, source: Source, left: int) -> list[object]:
    """The literals that a key may be, where all are seen: `{"NCHW": "channels_first"}[layout]`."""
    found = [one.node for one in _each(graph, [index], source, left)]
    keys: list[object] = [one.value for one in found if isinstance(one, ast.Constant)]
    return keys if len(keys) == len(found) else []


def _item_of(place: Place, key: object) -> Place | None:
    node = place.node
    match node:
        case ast.Dict(keys=keys, values=values):
            found = [value for one, value in zip(keys, values, strict=True)
                     if isinstance(one, ast.Constant) and one.value == key]  # fmt: skip
            return Place(found[-1], place.source) if found else None
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return Place(parts[key], place.source) if type(key) is int and -len(parts) <= key < len(parts) else None
        case ast.ListComp(elt=one, generators=parts) if not names(one) & names(*(part.target for part in parts)):
            return Place(one, place.source)
        case ast.Call(args=given, keywords=words) if last_name(node) in _HOLDERS:
            named = next((word.value for word in words if word.arg == key), None)
            if named is not None:
                return Place(named, place.source)
            return _item_of(Place(given[0], place.source), key) if given else None
    return None


def _option(graph: PipelineGraph, source: Source, name: str, left: int) -> list[Place]:
    """The default of an option of the command line."""
    for there in dict.fromkeys((source, graph.source)):
        if defaults := options_in(there).get(name):
            return _each(graph, defaults[:1], there, left)
    return []
