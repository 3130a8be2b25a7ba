"""Python state: is it shown that nobody changes what a function reads that runs as Python, for every element?

What it reads is followed by its name. It may be read ahead where it cannot change, or where it is made in this module
and every other use of it only reads: what is handed on, has a second name, or is reached from another file may change.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from tfdata_lint.pipeline.knowledge.functions import LOGGING_METHODS, known
from tfdata_lint.pipeline.nouns.code import nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import PythonFunction, Stage
from tfdata_lint.pipeline.project.syntax import bound_value, syntax_there
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

_Kind: TypeAlias = Literal["fixed", "flat", "vector", "array", "deep", ""]
"""Of a value: it cannot change; a container of such values, an array of one dimension, an array, a container of
containers, each of which only its name reaches; not known."""

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Libraries of which nothing that is read or called depends on what somebody else sets.
_FIXED = frozenset(
    {"array", "bisect", "collections", "copy", "csv", "dataclasses", "datetime", "enum", "functools", "glob",
     "hashlib", "heapq", "io", "itertools", "json", "keras", "math", "numpy", "operator", "os.fspath",
     "os.listdir", "os.path", "os.sep", "pathlib", "pickle", "random", "re", "shutil", "string", "struct",
     "tensorflow", "time", "typing"}
)  # fmt: skip
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
#: What reaches names and attributes otherwise than by writing them.
_BY_TEXT = {
    "name": re.compile(
        r"\b(?:globals|locals|exec|eval|__import__|reload|import_module|f_globals|f_locals|modules|patch|ctypes|gc"
        r"|cell_contents|__(?:globals|closure|builtins|code|wrapped)__)\b"
    ),
    "attribute": re.compile(r"\b(?:setattr|delattr|vars|exec|eval|patch|__(?:dict|setattr|delattr|setstate)__)\b"),
}
_ARRAYS: frozenset[_Kind] = frozenset({"array", "vector"})
_FLAT: frozenset[_Kind] = frozenset({"array", "fixed", "flat", "vector"})
_FIXED_BY = frozenset({"bool", "bytes", "float", "int", "len", "range", "repr", "str"})
#: These give one of what they are given, or keep it.
_FIXED_OF = frozenset({"frozenset", "max", "min", "round"})
_FLAT_BY = frozenset({"bytearray", "dict", "list", "set", "sorted", "tuple"})
_FLAT_OF = frozenset({"array.array", "collections.Counter", "collections.OrderedDict", "collections.deque"})
#: These make new arrays, whatever they are given.
_ARRAY_BY = frozenset(
    {"abs", "arange", "array", "concatenate", "copy", "empty", "exp", "eye", "full", "full_like", "genfromtxt",
     "linspace",
     "loadtxt", "log", "max", "mean", "min", "ones", "ones_like", "repeat", "sqrt", "stack", "std", "sum", "tile",
     "vstack",
     "hstack", "where", "zeros", "zeros_like", "random.normal", "random.permutation", "random.rand", "random.randint",
     "random.randn", "random.random", "random.uniform", "random.choice"}
)  # fmt: skip
#: How many arguments these take before the array that they write to.
_BEFORE_OUT = {"abs": 1, "concatenate": 2, "exp": 1, "log": 1, "max": 2, "mean": 3, "min": 2, "sqrt": 1, "stack": 2,
               "std": 3, "sum": 3}  # fmt: skip
#: Builtins that keep nothing of what they are given.
_READING = (
    _FIXED_BY
    | _FIXED_OF
    | _FLAT_BY
    | {"all", "any", "enumerate", "isinstance", "print", "reversed", "sum", "type", "zip"}
)
#: Attributes and methods that give no part of what has them.
_TELLING = frozenset(
    {"astype", "copy", "count", "dtype", "index", "keys", "max", "mean", "min", "nbytes", "ndim", "shape", "size",
     "std",
     "sum", "tobytes", "tolist"}
)  # fmt: skip
_FILLING = frozenset({"add", "append", "appendleft", "extend", "insert", "sort", "update"})
_DEEPEST = 6


def changed_elsewhere(python: PythonFunction, stage: Stage, graph: PipelineGraph) -> str:
    """What the function of a stage reads that may change between two elements, as written; empty if nothing does."""
    paths = {os.path.abspath(path) for path in python.files} - {os.path.abspath(graph.file)}
    sources = [graph.source, *filter(None, (graph.locate(path)[0] for path in sorted(paths)))]
    inside = {id(part) for node in python.nodes for part in walk(node)}
    proofs = [_Proof(source, inside, stage, graph) for source in sources]
    for node in python.nodes:
        proof = next((proof for proof in proofs if proof.syntax.way(node)), None)
        doubt = getattr(node, "name", "…") if proof is None else next(proof.doubts(node), "")
        if doubt:
            return doubt
    return ""


class _Proof:
    """That nobody else changes what functions of a module read."""

    def __init__(self, source: Source, inside: set[int], stage: Stage, graph: PipelineGraph) -> None:
        self.source = source
        self.syntax = syntax_there(source, graph.source)
        self.graph = graph
        self.stage = stage
        self.inside = inside

    def doubts(self, node: ast.AST) -> Iterator[str]:
        """What a function reads that is not shown to stay as it is, as written."""
        called = {id(part.func) for part in walk(node) if isinstance(part, ast.Call)}
        roots = {id(part.value) for part in walk(node) if isinstance(part, ast.Attribute)}
        own = self._receiver(node)
        given = getattr(node, "args", None)
        for default in [*given.defaults, *filter(None, given.kw_defaults)] if isinstance(given, ast.arguments) else ():
            if not isinstance(default, ast.Attribute) and self._kind(default) != "fixed":
                yield ast.unparse(default)
        for part in walk(node):
            match part:
                case ast.Name(id=name, ctx=ast.Load()) if not (id(part) in roots and self._is_import(part)):
                    is_used = id(part) in roots or id(part) in called
                    if not self._stays(name, part, id(part) in called) or (not is_used and self._is_instance(part)):
                        yield name
                case ast.Attribute(value=ast.Name(id=name) as root, attr=attribute, ctx=ast.Load()):
                    if self._is_import(root):
                        if not self._stays_there(self.syntax.scopes.full_name(part), id(part) in called):
                            yield ast.unparse(part)
                        continue
                    if self._is_function(root) and not attribute.startswith("__"):
                        yield ast.unparse(part)
                    holder = self._object() if name == own else name
                    is_held = name == own or self._is_object(root)
                    if is_held and not self._keeps(attribute, holder, id(part) in called):
                        yield ast.unparse(part)

    def _is_import(self, node: ast.Name) -> bool:
        return self.syntax.scopes.is_imported(node.id, node)

    def _stays_there(self, name: str, is_called: bool) -> bool:
        """Does a name of another module stand for the same all the time?"""
        source, rest = self.graph.locate(name) if name else (None, "")
        if source is None or not rest:
            root = name.partition(".")[0]
            is_log = is_called and root == "logging" and name.rpartition(".")[2] in LOGGING_METHODS
            return root in _FIXED or name in _FIXED or is_log
        there = _Proof(source, self.inside, self.stage, self.graph)
        bindings = there.syntax.scopes.bindings(there.syntax.tree).get(rest, [])
        if len(bindings) != 1 or there._by_text("name") or there._is_elsewhere(rest):
            return False
        if isinstance(bindings[0], _DEFINITIONS):
            is_changed = re.search(rf"\b{rest}\.__", there.syntax.text + self.syntax.text)
            return is_called and not is_changed and not any(True for _ in self._others(rest))
        kind = there._kind_of(rest, bindings[0])
        return bool(kind) and all(
            isinstance(getattr(mention, "ctx", None), ast.Load)
            and (kind == "fixed" or self._only_reads(mention, kind, self.syntax.tree))
            for mention in self._others(rest)
        )

    def _others(self, name: str) -> Iterator[ast.expr]:
        return (node for node in self._mentions(name) if id(node) not in self.inside)

    def _receiver(self, node: ast.AST) -> str:
        """`self`, of a method."""
        way = self.syntax.way(node)
        if len(way) < 2 or not isinstance(way[-2], ast.ClassDef) or not isinstance(node, _DEFINITIONS[:2]):
            return ""
        given = [*node.args.posonlyargs, *node.args.args]
        return given[0].arg if given else ""

    # ---- names ----------------------------------------------------------------------------------------------------

    def _stays(self, name: str, node: ast.expr, is_called: bool = False) -> bool:
        """Is it a name of its own, or one that stands for the same all the time?"""
        found = self.syntax.scopes.binds(name, node)
        if found is None or id(found[0]) in self.inside:
            return True
        if self._by_text("name"):
            return False
        scope, bindings = found
        if len(bindings) > 1:
            return False
        is_own = not isinstance(bindings[0], (ast.Import, ast.ImportFrom))
        if is_own and isinstance(scope, ast.Module) and (self._is_elsewhere(name) or self._is_used_by_main(name)):
            return False
        if isinstance(bindings[0], (ast.Import, ast.ImportFrom)):
            return self._stays_there(self.syntax.scopes.full_name(node), is_called)
        if isinstance(bindings[0], _DEFINITIONS):
            # `function.__defaults__ = …`
            return re.search(rf"\b{name}\.__", self.syntax.text) is None
        return self._is_object(node) or bool(self._kind_of(name, node))

    def _kind_of(self, name: str, node: ast.AST, depth: int = 0) -> _Kind:
        """What a variable stands for, where nobody changes it."""
        found = self.syntax.scopes.binds(name, node)
        if found is None or len(found[1]) != 1 or depth > _DEEPEST:
            return ""
        scope, (binding,) = found
        way = self.syntax.way(binding)
        inner = way[next((at for at, step in enumerate(way) if step is scope), 0) + 1 :]
        walked = next((walked for target, walked in _walks(way[-2:-1]) if target is binding), None)
        if walked is not None:
            return "fixed" if self._read(walked, depth) in ("fixed", "flat") else ""
        value = bound_value(way)
        if value is None or any(isinstance(step, _LOOPS) for step in inner):
            return ""
        kind = self._kind(value, depth + 1)
        mentions = [mention for mention in self._mentions(name) if id(mention) not in self.inside]
        if any(isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load) for part in mentions):
            # Perhaps that of the module itself.
            return ""
        if kind == "fixed" or not kind:
            return kind
        for mention in mentions:
            if mention is binding or not isinstance(mention, ast.Name):
                continue
            meant = self.syntax.scopes.binds(name, mention)
            if meant is not None and meant[0] is scope and not self._only_reads(mention, kind, scope):
                return ""
        return kind

    def _kind(self, node: ast.expr, depth: int = 0) -> _Kind:
        """What an expression makes."""
        if depth > _DEEPEST:
            return ""
        match node:
            case ast.Constant() | ast.JoinedStr():
                return "fixed"
            case ast.Compare(left=left, comparators=others):
                compared = {self._read(part, depth) for part in (left, *others)}
                # That of arrays is one, a new one.
                return "" if not compared <= _FLAT else "array" if compared & _ARRAYS else "fixed"
            case ast.Name(id=name):
                return "fixed" if self._kind_of(name, node, depth + 1) == "fixed" else ""
            case ast.UnaryOp(operand=part):
                return self._kind(part, depth + 1)
            case ast.BinOp(left=left, right=right):
                return self._widest([left, right], depth, empty="fixed")
            case ast.Tuple(elts=parts):
                return "fixed" if (kind := self._widest(parts, depth)) == "fixed" else kind and "deep"
            case ast.List(elts=parts) | ast.Set(elts=parts):
                return "flat" if (kind := self._widest(parts, depth)) == "fixed" else kind and "deep"
            case ast.Dict(keys=keys, values=values) if None not in keys:
                return "flat" if (kind := self._widest(values, depth)) == "fixed" else kind and "deep"
            case ast.ListComp(elt=part) | ast.SetComp(elt=part):
                return "flat" if (kind := self._kind(part, depth + 1)) == "fixed" else kind and "deep"
            case ast.Subscript(value=value):
                return "fixed" if self._read(value, depth) in ("fixed", "flat") else ""
            case ast.Call():
                return self._made(node, depth)
        return ""

    def _widest(self, parts: list[ast.expr], depth: int, empty: _Kind = "fixed") -> _Kind:
        kinds: list[_Kind] = [self._kind(part, depth + 1) for part in parts]
        if "" in kinds:
            return ""
        return next((kind for kind in kinds if kind != "fixed"), empty)

    def _read(self, node: ast.expr, depth: int) -> _Kind:
        """The kind of what is only read here, whoever else has it."""
        return self._kind_of(node.id, node, depth + 1) if isinstance(node, ast.Name) else self._kind(node, depth + 1)

    def _made(self, call: ast.Call, depth: int) -> _Kind:
        """What a call makes."""
        name = self.syntax.scopes.full_name(call.func)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        match call.func:
            case ast.Name(id=builtin) if self.syntax.scopes.binds(builtin, call) is None:
                kinds = {self._read(part, depth) for part in given}
                if builtin in _FIXED_BY or (builtin in _FIXED_OF and kinds <= {"fixed"}):
                    return "fixed"
                if builtin in _FIXED_OF and all(isinstance(part, (ast.List, ast.Tuple)) for part in given):
                    return "flat" if kinds <= {"fixed", "flat"} else ""
                return "flat" if builtin in _FLAT_BY and kinds <= {"fixed", "flat"} else ""
            case ast.Attribute(value=value, attr="copy" | "astype") if len(given) < 2 and not call.keywords:
                root = value.value if isinstance(value, ast.Subscript) else value
                return kind if (kind := self._read(root, depth)) in ("flat", "vector", "array") else ""
        if name.startswith("numpy."):
            is_new = self._makes_array(call, name) and not any(
                re.search("obj|['\"]O", ast.unparse(part)) for part in given
            )
            return "" if not is_new else "vector" if name in ("numpy.arange", "numpy.linspace") else "array"
        if name in _FLAT_OF:
            return "flat" if {self._read(part, depth) for part in given} <= {"fixed", "flat"} else ""
        return "fixed" if name.startswith("tensorflow.") and known(name).is_pure else ""

    def _makes_array(self, call: ast.Call, name: str) -> bool:
        """Does a function of NumPy give a new array, and write to none?"""
        name = name.removeprefix("numpy.")
        is_written = len(call.args) > _BEFORE_OUT.get(name, len(call.args)) or not {"out", None}.isdisjoint(
            _named(call)
        )
        may_be_old = any(map(_may_alias, call.keywords)) or any(isinstance(part, ast.Starred) for part in call.args)
        return name in _ARRAY_BY and not is_written and not may_be_old

    # ---- other uses -----------------------------------------------------------------------------------------------

    def _mentions(self, name: str) -> Iterator[ast.expr]:
        for node in nodes_on(self.syntax.tree, rows_with(self.syntax.text, whole(name))):
            if (isinstance(node, ast.Name) and node.id == name) or (
                isinstance(node, ast.Attribute) and node.attr == name
            ):
                yield node

    def _only_reads(self, mention: ast.expr, kind: _Kind, scope: ast.AST) -> bool:
        """Does the code around a mention neither change what is meant, nor keep it, nor a part of it?"""
        way = self.syntax.way(mention)
        if len(way) < 2:
            return False
        parent = way[-2]
        match parent:
            case ast.Call(args=args) if any(part is mention for part in args):
                return self._is_reading(parent, kind)
            case ast.Attribute(attr=attribute, ctx=ast.Load()):
                return (attribute in _TELLING and _only_tells(way)) or (
                    attribute in _FILLING and self._is_before(way, scope) and self._fills(way)
                )
            case ast.Subscript(value=value, ctx=ast.Load()) if value is mention:
                if kind == "flat" or (kind == "vector" and not isinstance(parent.slice, (ast.Slice, ast.Tuple))):
                    return True
                return kind in ("array", "vector") and self._only_reads(parent, kind, scope)
            case ast.Subscript(value=value, ctx=ast.Store()) if value is mention:
                return self._is_before(way, scope) and self._fills(way)
            case ast.For() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return kind in ("flat", "vector") and any(walked is mention for _, walked in _walks([parent]))
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
                return test is mention
            case ast.BoolOp():
                # `mine = levels or []` is a second name.
                return isinstance(way[-3], (ast.If, ast.While, ast.Assert)) and way[-3].test is parent
            case ast.BinOp():
                return kind != "deep"
            case ast.Starred():
                return kind in ("flat", "vector") and isinstance(way[-3], (ast.List, ast.Set, ast.Tuple))
        return isinstance(parent, (ast.Compare, ast.FormattedValue, ast.Expr, ast.UnaryOp))

    def _is_reading(self, call: ast.Call, kind: _Kind) -> bool:
        name = self.syntax.scopes.full_name(call.func)
        if isinstance(call.func, ast.Name) and self.syntax.scopes.binds(call.func.id, call) is None:
            return call.func.id in _READING and (kind == "flat" or call.func.id not in ("enumerate", "reversed", "zip"))
        if name.startswith("numpy."):
            return self._makes_array(call, name)
        return name.startswith("tensorflow.") and known(name).is_pure

    def _is_before(self, way: list[ast.AST], scope: ast.AST) -> bool:
        """Does it happen in the same run of the same code, before the pipeline is put together?"""
        node = self.stage.node
        functions = [step for step in way if isinstance(step, (*_DEFINITIONS, ast.Lambda))]
        if self.source is not self.graph.source:
            # It has been imported by then.
            return not functions
        if node is None or getattr(way[-1], "lineno", 0) >= self.stage.span.row or not self.syntax.way(node):
            return False
        if functions and functions[-1] is not scope:
            return False
        loops = {id(step) for step in way if isinstance(step, _LOOPS)}
        is_around = scope is self.syntax.tree or scope in functions[-1:]
        return is_around and loops.isdisjoint(map(id, self.syntax.way(node)))

    def _fills(self, way: list[ast.AST]) -> bool:
        """Is what it is filled with nobody else's?"""
        statement = next((step for step in reversed(way) if isinstance(step, ast.stmt)), None)
        match statement:
            case ast.Expr(value=ast.Call(args=args, keywords=[])):
                return all(map(self._kind, args))
            case ast.Assign(value=value):
                return bool(self._kind(value))
        return False

    # ---- attributes -----------------------------------------------------------------------------------------------

    def _is_object(self, node: ast.expr) -> bool:
        """Is a name that of a class of this module, or of an object of one?"""
        assert isinstance(node, ast.Name)
        found = self.syntax.scopes.binds(node.id, node)
        if found is None or id(found[0]) in self.inside or len(found[1]) != 1:
            return False
        binding = found[1][0]
        if isinstance(binding, ast.ClassDef):
            return True
        match bound_value(self.syntax.way(binding)):
            case ast.Call(func=ast.Name(id=name)) as call:
                made = self.syntax.scopes.binds(name, call)
                return made is not None and len(made[1]) == 1 and isinstance(made[1][0], ast.ClassDef)
        return False

    def _is_function(self, node: ast.Name) -> bool:
        """Is it a function of this module? Its attributes are anybody's."""
        found = self.syntax.scopes.binds(node.id, node)
        return found is not None and any(isinstance(binding, _DEFINITIONS[:2]) for binding in found[1])

    def _is_instance(self, node: ast.Name) -> bool:
        """Is it an object of a class of this module? Who gets one may ask it for attributes that are not looked at."""
        found = self.syntax.scopes.binds(node.id, node)
        return found is not None and self._is_object(node) and not isinstance(found[1][0], ast.ClassDef)

    def _keeps(self, attribute: str, holder: str, is_called: bool) -> bool:
        """Is an attribute set where objects are made, and nowhere else?"""
        if not self._reaches_others(holder) or self._is_elsewhere(attribute):
            return False
        if not holder and re.search(rf"['\"]{attribute}['\"]", self.syntax.text):
            return False
        defined = 0
        others: list[ast.expr] = []
        kinds: set[_Kind] = set()
        for mention in self._mentions(attribute):
            way = self.syntax.way(mention)
            if id(mention) in self.inside and isinstance(getattr(mention, "ctx", None), ast.Load):
                continue
            if isinstance(mention, ast.Attribute) and isinstance(mention.ctx, ast.Load):
                others.append(mention)
                continue
            maker = next((step for step in reversed(way[:-1]) if isinstance(step, _DEFINITIONS)), None)
            if isinstance(mention, ast.Name) and not isinstance(maker, ast.ClassDef):
                continue
            is_made = isinstance(maker, ast.ClassDef) or getattr(maker, "name", "") in ("__init__", "__post_init__")
            value = bound_value(way)
            if not is_made or value is None:
                return False
            defined += 1
            kinds.add(self._kind(value))
        if is_called and not defined:
            return True
        if not defined or "" in kinds:
            return False
        kind: _Kind = next((kind for kind in kinds if kind != "fixed"), "fixed")
        return kind == "fixed" or (defined == 1 and all(self._only_reads(other, kind, other) for other in others))

    def _object(self) -> str:
        """The name of the object that is called, where the stage is given one."""
        given = self.stage.arguments.get("generator")
        node = given.node if given is not None else None
        return node.id if isinstance(node, ast.Name) and self._is_object(node) else ""

    def _reaches_others(self, holder: str) -> bool:
        """Are attributes that are not written by name only those of other objects: `vars(other)`?"""
        pattern = _BY_TEXT["attribute"]
        found = len(pattern.findall(self.syntax.text))
        for node in nodes_on(self.syntax.tree, rows_with(self.syntax.text, pattern.pattern)) if found else ():
            match node:
                case (
                    ast.Call(func=ast.Name(id=by) | ast.Attribute(attr=by), args=[ast.Name(id=name) as other, *_])
                    | ast.Attribute(value=ast.Name(id=name) as other, attr=by)
                ):
                    found -= (
                        bool(holder)
                        and pattern.fullmatch(by) is not None
                        and (name != holder and self._is_object(other))
                    )
        return not found

    # ---- elsewhere ------------------------------------------------------------------------------------------------

    def _by_text(self, what: str) -> bool:
        return _BY_TEXT[what].search(self.syntax.text) is not None

    def _is_used_by_main(self, name: str) -> bool:
        """Is a name of another module written in the one that is read, but for what is looked at?"""
        if self.source is self.graph.source:
            return False
        return any(True for _ in _Proof(self.graph.source, self.inside, self.stage, self.graph)._others(name))

    def _is_elsewhere(self, name: str) -> bool:
        """Is it written in a further file that may have this module?"""
        path = os.path.abspath(self.source.path)
        is_there = self.source is not self.graph.source or self.graph.is_imported
        return is_there and self.graph.is_written(f"={name} {path}")


def _walks(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What takes on the items of what, in a loop or comprehension."""
    for node in nodes:
        for part in (node, *getattr(node, "generators", ())):
            if isinstance(part, (ast.For, ast.comprehension)):
                yield part.target, part.iter


def _may_alias(word: ast.keyword) -> bool:
    """Does an argument let NumPy give what it is given, or a file, instead of a new array?"""
    is_copy = word.arg == "copy" and isinstance(word.value, ast.Constant) and word.value.value is True
    return word.arg in ("copy", "mmap_mode", None) and not is_copy


def _only_tells(way: list[ast.AST]) -> bool:
    """Does an attribute give something new where it is called: `x.sum(0)`, not `x.sum(0, None, y)`?"""
    call = way[-3] if len(way) > 2 else None
    if not isinstance(call, ast.Call) or call.func is not way[-2]:
        return True
    return len(call.args) < 2 and {"copy", "out", None}.isdisjoint(_named(call))


def _named(call: ast.Call) -> set[str | None]:
    return {keyword.arg for keyword in call.keywords}
