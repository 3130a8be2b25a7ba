"""May code write files? Only what is known not to, and the project's own functions that do not, is known not to."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with, writes_files
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.bindings import member
from tfdata_lint.pipeline.project.syntax import Syntax, assigned_value, syntax_of, syntax_there
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import children, walk

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Methods that write no file, whatever has them.
_METHODS = frozenset(
    {"add", "append", "apply_gradients", "assign", "assign_add", "assign_sub", "astype", "clear", "copy", "count",
     "decode",
     "encode", "evaluate", "extend", "fit", "format", "get", "gradient", "index", "insert", "item", "items", "join",
     "keys",
     "lower", "max", "mean", "min", "minimize", "numpy", "pop", "predict", "predict_on_batch", "ravel", "replace",
     "reset_state",
     "reset_states", "reshape", "result", "set_description", "set_postfix", "setdefault", "sort", "split", "startswith",
     "endswith", "strip", "sum", "test_on_batch", "test_step", "tolist", "train_on_batch", "train_step", "update",
     "update_state", "upper", "values", "with_suffix"}
)  # fmt: skip
#: Called by name.
_CALLED = ("__init__", "__new__", "__call__")
#: Where a function is told what file it writes to.
_OUTPUTS = ("file", "output_stream")
_STREAMS = ("sys.stderr", "sys.stdout")
#: What is put into arrays that these make is put into files.
_MAPPED = ("memmap", "mmap", "open_memmap")
_LOGGING = ("debug", "error", "exception", "info", "log", "warning")
_HANDLERS = re.compile(r"FileHandler|Config\(|filename\s*=")
_WRITERS = ("builtins.exec", "builtins.eval", "builtins.open", "tensorflow.io.write_", "tensorflow.io.gfile.",
            "numpy.save", "numpy.memmap", "numpy.lib", "numpy.ctypeslib")  # fmt: skip
_READERS = ("tensorflow.io.gfile.exists", "tensorflow.io.gfile.glob", "tensorflow.io.gfile.isdir",
            "tensorflow.io.gfile.listdir", "tensorflow.io.gfile.stat")  # fmt: skip
_ANYTHING = ("__import__", "compile", "eval", "exec")
_IMPLICIT = re.compile(r"\bdef __(?!init__|new__|call__)|^\s+@", re.MULTILINE)
#: Modules that are looked into, at most.
_MODULES = 40
_LOOKING = ("os.listdir", "os.path.")
#: Of these, what only looks at the text of a path.
_OF_PATHS = frozenset(f"os.path.{name}" for name in ("basename", "dirname", "join", "normpath", "split", "splitext"))
#: Of Python's library these write nothing.
_QUIET = ("abc.", "array.", "bisect.", "collections.", "copy.", "datetime.", "functools.", "heapq.", "itertools.",
          "json.dumps", "json.loads",
          "math.", "operator.", "os.environ", "os.getenv", "os.listdir", "os.path.", "pickle.dumps", "pickle.loads",
          "random.", "re.", "string.", "struct.", "time.", "timeit.", "typing.", "tqdm.")  # fmt: skip


def may_write(graph: PipelineGraph, node: ast.AST) -> bool:
    """May code write files, itself or through what it calls?"""
    writing = _Writing(graph)
    return writing.may(node, graph.source) or writing.may_unasked(node, graph.source)


def may_look(graph: PipelineGraph, node: ast.AST) -> bool:
    """May code look for files, or write some?"""
    writing = _Writing(graph, looks=True)
    return writing.may(node, graph.source) or writing.may_unasked(node, graph.source)


class _Writing:
    def __init__(self, graph: PipelineGraph, looks: bool = False) -> None:
        self.graph = graph
        self.looks = looks
        """Is looking for files meant, too?"""
        self.seen: set[int] = set()

    def may(self, node: ast.AST, source: Source) -> bool:
        if id(node) in self.seen:
            return False
        self.seen.add(id(node))
        if writes_files(node):
            return True
        # What is walked is the pipeline itself.
        parts = [part for part in children(node) if part is not getattr(node, "iter", None)]
        syntax = syntax_of(source) if source is self.graph.source else syntax_there(source)
        calls = (part for top in parts for part in walk(top) if isinstance(part, ast.Call))
        return any(self._calls(call, syntax, source) for call in calls)

    def may_unasked(self, node: ast.AST, source: Source) -> bool:
        """Might a file be written of which the code says nothing: through one that stays open, or by an operator?"""
        syntax = syntax_of(source) if source is self.graph.source else syntax_there(source)
        tree = syntax.tree
        if self._acts_unasked(source):
            return True
        if not re.search(r"open\(|GFile\(|mmap|memmap", syntax.text):
            return False
        around = {id(step) for step in syntax.way(node)}
        closed = {
            id(item.context_expr)
            for part in walk(tree)
            if isinstance(part, ast.With) and id(part) not in around
            for item in part.items
        }
        closed |= {id(part.value) for part in walk(tree) if isinstance(part, ast.Attribute)}
        return any(isinstance(part, ast.Call) and id(part) not in closed and _opens(part) for part in walk(tree))

    def _acts_unasked(self, source: Source) -> bool:
        """Has a class of this module, or of one that it may have objects from, an operator or the like that writes?"""
        todo, met = [source], {source.path}
        while todo:
            source = todo.pop()
            syntax = syntax_of(source) if source is self.graph.source else syntax_there(source)
            if _IMPLICIT.search(syntax.text):
                classes = (part for part in walk(syntax.tree) if isinstance(part, ast.ClassDef))
                methods = (part for one in classes for part in one.body if isinstance(part, _DEFINITIONS[:2]))
                if any(_is_implicit(method) and self.may(method, source) for method in methods):
                    return True
            for there in self._imported_by(syntax, source):
                if there.path not in met:
                    met.add(there.path)
                    todo.append(there)
            if len(met) > _MODULES:
                return True
        return False

    def _imported_by(self, syntax: Syntax, source: Source) -> Iterator[Source]:
        """The modules of the project whose names a module has."""
        for node in nodes_on(syntax.tree, rows_with(syntax.text, r"\bimport\b")):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [member(node, ""), *(member(node, alias.name) for alias in node.names)]
            for name in names:
                found = (self.graph.locate(place)[0] for place in _places_of(name, source))
                yield from filter(None, found)

    def _calls(self, call: ast.Call, syntax: Syntax, source: Source) -> bool:
        """Might a call write, itself or by what it is given to call?"""
        given = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
        if isinstance(call.func, ast.Name) and call.func.id in ("filter", "map", "reduce"):
            given += call.args[:1]
        outputs = (keyword.value for keyword in call.keywords if keyword.arg in _OUTPUTS)
        if any(syntax.scopes.full_name(value) not in _STREAMS for value in outputs):
            return True
        return any(
            self._may_called(func, syntax, source)
            for func in (call.func, *given)
            if not isinstance(func, (ast.Constant, ast.Lambda))
        )

    def _may_called(self, func: ast.expr, syntax: Syntax, source: Source) -> bool:
        name = syntax.scopes.full_name(func)
        match func:
            case ast.Name(id=builtin) if syntax.scopes.binds(builtin, func) is None:
                # How a file is opened has been looked at.
                if builtin == "print":
                    return self.graph.is_written("streams")
                return builtin in _ANYTHING or (self.looks and builtin == "open")
            case ast.Name(id=called):
                return self._leads(called, func, syntax, source)
            case ast.Attribute(attr=method) if not name:
                own = (
                    [part for part in walk(syntax.tree) if isinstance(part, _DEFINITIONS[:2]) and part.name == method]
                    if re.search(rf"\bdef {method}\b", syntax.text)
                    else []
                )
                if own:
                    return any(self.may(part, source) for part in own)
                if method in operations.METHODS and method not in ("cache", "save", "snapshot"):
                    return False
                return method not in _METHODS and not (method in _LOGGING and not _HANDLERS.search(syntax.text))
        return self._is_writing(name, syntax)

    def _is_writing(self, name: str, syntax: Syntax) -> bool:
        """Might a function of a library, or of another module of the project, write?"""
        # `shutil.os.path`
        name = re.sub(r"^\w+\.(?=(?:json|math|os|time)\.)", "", name)
        root = name.partition(".")[0]
        if root in ("logging", "absl"):
            return _HANDLERS.search(syntax.text) is not None
        if root in ("tensorflow", "numpy", "keras"):
            return name.startswith(_WRITERS) and (self.looks or name not in _READERS)
        there, rest = self.graph.locate(name)
        if there is not None and rest:
            found = [part for part in getattr(there.tree, "body", ()) if getattr(part, "name", "") == rest]
            return len(found) != 1 or self.may(found[0], there)
        if self.looks and name.startswith(_LOOKING) and name not in _OF_PATHS:
            return True
        return not (name.startswith(_QUIET) or known(name).is_pure)

    def _leads(self, name: str, node: ast.expr, syntax: Syntax, source: Source) -> bool:
        """Might what a name stands for write, when it is called?"""
        found = syntax.scopes.binds(name, node)
        if found is None:
            return True
        return any(self._is_bound_to(binding, name, syntax, source) for binding in found[1])

    def _is_bound_to(self, binding: ast.AST, name: str, syntax: Syntax, source: Source) -> bool:
        if isinstance(binding, _DEFINITIONS):
            bare = (part for part in binding.decorator_list if not isinstance(part, ast.Call))
            return self.may(binding, source) or any(self._may_called(part, syntax, source) for part in bare)
        if isinstance(binding, (ast.Import, ast.ImportFrom)):
            full = syntax.scopes.full_name(ast.copy_location(ast.Name(name, ast.Load()), binding)) or _imported(
                binding, name
            )
            return self._is_writing(full, syntax)
        way = syntax.way(binding)
        value = assigned_value(way[-2], name) if len(way) > 1 else None
        match value:
            case ast.Name(id=other) if other != name:
                return self._leads(other, value, syntax, source)
            case ast.Lambda():
                return self.may(value, source)
            case ast.Call(func=func, args=args):
                full = syntax.scopes.full_name(func)
                if known(full).role == "compiles":
                    return any(
                        self._leads(part.id, part, syntax, source) for part in args if isinstance(part, ast.Name)
                    )
                return not full.startswith(("tensorflow.keras.", "keras."))
        return True


def _places_of(name: str, source: Source) -> list[str]:
    """What to look up for a module that is imported: its path, where the name tells it, or a name in it."""
    inner = name.lstrip(".")
    if inner == name:
        return [f"{name}._"]
    folder = os.path.abspath(source.path)
    for _ in range(len(name) - len(inner)):
        folder = os.path.dirname(folder)
    path = os.path.join(folder, *inner.split("."))
    return [f"{path}.py", os.path.join(path, "__init__.py")]


def _imported(node: ast.Import | ast.ImportFrom, name: str) -> str:
    from tfdata_lint.pipeline.project.bindings import imported

    return next((symbol.name for bound, symbol in imported(node) if bound == name), "")


def _opens(call: ast.Call) -> bool:
    """Does it open a file for writing?"""
    mode = call.args[0] if isinstance(call.func, ast.Attribute) and call.args else None
    is_path = isinstance(mode, ast.Constant) and bool(set("wax+") & set(str(mode.value))) and len(str(mode.value)) < 4
    return (last_name(call) in ("open", "GFile") and (is_path or writes_files(call))) or last_name(call) in _MAPPED


def _is_implicit(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is it called by code that does not write a call of it?"""
    return bool(method.decorator_list) or (method.name.startswith("__") and method.name not in _CALLED)


def callbacks_of(call: ast.AST, graph: PipelineGraph) -> Iterator[ast.AST]:
    """What `fit` calls between batches, as far as it is of this module."""
    syntax = syntax_of(graph.source)
    for keyword in call.keywords if isinstance(call, ast.Call) else ():
        if keyword.arg == "callbacks":
            names = [part for part in walk(keyword.value) if isinstance(part, ast.Name)]
            for part in names:
                found = syntax.scopes.binds(part.id, part)
                for binding in found[1] if found is not None else ():
                    way = syntax.way(binding)
                    value = assigned_value(way[-2], part.id) if len(way) > 1 else None
                    yield from (
                        (value,) if value is not None else (binding,) if isinstance(binding, ast.ClassDef) else ()
                    )
