"""May code write files? Only what is known not to, and the project's own functions that do not, is known not to."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.quiet import BUILTINS, METHODS, writes
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, opens_to_write, rows_with, whole, writes_files
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import LAZY, companions
from tfdata_lint.pipeline.project.bindings import imported, member
from tfdata_lint.pipeline.project.syntax import Syntax, assigned_value, bound_value, places_imported, syntax_there
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import children, walk

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Functions that are followed into one another.
_DEEPEST = 40
#: Called by name.
_CALLED = ("__init__", "__new__", "__call__")
#: What Keras calls of one's own classes.
_HOOKS = frozenset(
    {"call", "compute_loss", "compute_metrics", "predict_step", "result", "test_step", "train_step", "update_state"}
)
#: What takes functions that Keras calls.
_TAKING_HOOKS = ("Lambda", "MeanMetricWrapper", "compile")
#: Decorators under which a function is called by its name alone.
_PLAIN = frozenset({"abstractmethod", "classmethod", "function", "overload", "override", "staticmethod"})
#: Where a function is told what file it writes to.
_OUTPUTS = ("file", "output_stream")
_STREAMS = ("sys.stderr", "sys.stdout")
_LOGGING = ("debug", "error", "exception", "info", "log", "warning")
_IMPLICIT = re.compile(r"\bdef __(?!init__|new__|call__)|^\s+@", re.MULTILINE)
#: Modules that are looked into, at most.
_MODULES = 40


def may_write(graph: PipelineGraph, node: ast.AST, looks: bool = False) -> bool:
    """May code write files, or look for some where that is meant, itself or through what it calls?"""
    return _asked(graph, (id(node), looks), lambda: _Writing(graph, looks).may_at_all(node, graph.source))


def may_write_between(graph: PipelineGraph, call: ast.AST, looks: bool = False) -> bool:
    """May Keras write files between the batches of a call, by the callbacks that it is given?"""
    return _asked(graph, ("between", id(call), looks), lambda: _Writing(graph, looks).may_by_callback(call))


def may_write_elsewhere(graph: PipelineGraph, looks: bool = False) -> bool:
    """May a file of the project write files that imports this one?"""
    return _asked(graph, ("elsewhere", looks), lambda: _Writing(graph, looks).may_elsewhere())


def _asked(graph: PipelineGraph, key: object, ask: Callable[[], bool]) -> bool:
    """The answer to a question, found once for a graph."""
    answers = graph.once(_answers)
    if key not in answers:
        answers[key] = ask()
    return answers[key]


def _answers(graph: PipelineGraph) -> dict[object, bool]:
    """What has been asked of it."""
    return {}


class _Writing:
    def __init__(self, graph: PipelineGraph, looks: bool) -> None:
        self.graph = graph
        self.looks = looks
        """Is looking for files meant, too?"""
        self.seen: set[int] = set()
        self.known: dict[tuple[str, int], bool] = {}
        """What was asked of the bindings of names. While it is being asked, they add nothing."""
        self.depth = 0

    def may_at_all(self, node: ast.AST, source: Source) -> bool:
        return self.may(node, source) or self.may_unasked(node, source)

    def may_elsewhere(self) -> bool:
        """Might a file that imports this one write? One that cannot be read might."""
        paths = self.graph.importers
        sources = [self.graph.locate(path)[0] for path in paths] if paths is not None else [None]
        return any(there is None or there.tree is None or self.may_at_all(there.tree, there) for there in sources)

    def may(self, node: ast.AST, source: Source) -> bool:
        if id(node) in self.seen:
            return False
        self.seen.add(id(node))
        if self.depth == _DEEPEST:
            return True
        self.depth += 1
        self.graph.work.spend(1)
        try:
            return writes_files(node) or self._may(node, source)
        finally:
            self.depth -= 1

    def _may(self, node: ast.AST, source: Source) -> bool:
        # What is walked is the pipeline itself, and what goes with it.
        walked = getattr(node, "iter", None)
        tops = [*(part for part in children(node) if part is not walked), *companions(walked)]
        tops = [node] if isinstance(node, (ast.Call, ast.Name, ast.Attribute)) else tops
        syntax = self._syntax(source)
        parts = [part for top in tops for part in walk(top)]
        calls = [part for part in parts if isinstance(part, ast.Call)]
        given = {id(one) for call in calls for one in [*call.args, *(word.value for word in call.keywords)]}
        inner = {id(call.func) for call in calls}
        inner |= {id(part.value) for part in parts if isinstance(part, ast.Attribute)}
        for part in parts:
            match part:
                case ast.Call():
                    if self._calls(part, syntax, source):
                        return True
                case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()) if id(part) not in inner:
                    if self._may_handed(part, syntax, source, is_given=id(part) in given):
                        return True
                case ast.Subscript(ctx=ast.Store()):
                    # What is put into an array of a library may be put into a file.
                    if self._is_foreign(part, syntax):
                        return True
        return False

    def _is_foreign(self, node: ast.expr, syntax: Syntax) -> bool:
        """Has a library made it that is not known?"""
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        if not isinstance(node, ast.Name) or (found := syntax.scopes.binds(node.id, node)) is None:
            return False
        for binding in found[1]:
            value = bound_value(syntax.way(binding))
            while isinstance(value, ast.Subscript):
                value = value.value
            full = syntax.scopes.full_name(value.func) if isinstance(value, ast.Call) else ""
            if full and self._is_writing(full) and self.graph.locate(full)[0] is None:
                return True
        return False

    def _syntax(self, source: Source) -> Syntax:
        return syntax_there(source, self.graph.source)

    # ---- what is not written as a call ----------------------------------------------------------------------------

    def may_unasked(self, node: ast.AST, source: Source) -> bool:
        """Might a file be written of which the code says nothing: through one that stays open, or by an operator?"""
        return self._has_open(node, source) or self._may_by_operator(source)

    def _has_open(self, node: ast.AST, source: Source) -> bool:
        syntax = self._syntax(source)
        tree = syntax.tree
        if tree is None or not re.search(r"open\(|GFile\(|mmap|memmap", syntax.text):
            return False
        around = {id(step) for step in syntax.way(node)}
        closed = {
            id(item.context_expr)
            for part in walk(tree)
            if isinstance(part, ast.With) and id(part) not in around
            for item in part.items
        }
        closed |= {id(part.value) for part in walk(tree) if isinstance(part, ast.Attribute)}
        return any(
            isinstance(part, ast.Call) and id(part) not in closed and opens_to_write(part) for part in walk(tree)
        )

    def _may_by_operator(self, source: Source, hooks: bool = False) -> bool:
        """Has a class of this module, or of one that it may have objects from, an operator or the like that writes?

        `hooks`: or what Keras calls of it.
        """
        todo, met = [source], {source.path}
        while todo:
            source = todo.pop()
            syntax = self._syntax(source)
            if hooks or _IMPLICIT.search(syntax.text):
                classes = (part for part in walk(syntax.tree) if isinstance(part, ast.ClassDef))
                methods = (part for one in classes for part in one.body if isinstance(part, _DEFINITIONS[:2]))
                asked = (one for one in methods if _is_implicit(one) or (hooks and one.name in _HOOKS))
                if any(self.may(method, source) for method in asked):
                    return True
            found = (self.graph.locate(place)[0] for place in places_imported(syntax))
            new = [there for there in found if there is not None and there.path not in met]
            met.update(there.path for there in new)
            todo += new
            if len(met) > _MODULES:
                return True
        return False

    # ---- calls ----------------------------------------------------------------------------------------------------

    def _calls(self, call: ast.Call, syntax: Syntax, source: Source) -> bool:
        """Might a call write, itself or by what it is given to call?"""
        outputs = [keyword.value for keyword in call.keywords if keyword.arg in _OUTPUTS]
        if any(syntax.scopes.full_name(value) not in _STREAMS for value in outputs):
            return True
        if (outputs or last_name(call) == "print") and self.graph.is_written("streams"):
            return True
        return not isinstance(call.func, ast.Lambda) and self._may_called(call.func, syntax, source)

    def _may_called(self, func: ast.expr, syntax: Syntax, source: Source) -> bool:
        name = syntax.scopes.full_name(func)
        match func:
            case ast.Name(id=builtin) if syntax.scopes.binds(builtin, func) is None:
                # How a file is opened has been looked at.
                if builtin == "open":
                    return self.looks
                if any(self._is_starred(builtin, name) for name in self._stars(syntax)):
                    return True
                return builtin not in BUILTINS and not builtin.endswith(("Error", "Exception"))
            case ast.Name(id=called):
                return self._leads(called, func, syntax, source)
            case ast.Attribute(attr=method) if not name:
                return self._may_method(method, func, syntax, source)
            case ast.Attribute():
                return self._is_writing(name)
        return True

    def _stars(self, syntax: Syntax) -> Iterator[str]:
        """The modules of the project of which a module imports all names."""
        for node in nodes_on(syntax.tree, rows_with(syntax.text, r"\bimport[ \t]*\*")):
            if isinstance(node, ast.ImportFrom):
                yield member(node, "")

    def _is_starred(self, name: str, module: str) -> bool:
        there, _ = self.graph.locate(f"{module}.{name}")
        return module.startswith(".") or (there is not None and bool(self._defined(name, self._syntax(there))))

    def _may_method(self, method: str, func: ast.Attribute, syntax: Syntax, source: Source) -> bool:
        if isinstance(func.value, ast.Name) and func.value.id == "self" and self._is_layer(method, syntax):
            return False
        if own := self._defined(method, syntax):
            return any(self.may(part, source) for part in own) or self.graph.is_written(f"-{method}")
        if method in _LOGGING:
            return self.graph.is_written("log file") or self.graph.is_written(f"-{method}")
        if method not in METHODS and (method not in operations.METHODS or method in ("cache", "save", "snapshot")):
            return True
        if self.graph.is_written(f"~{method}") or self.graph.is_written(f"@{method}"):
            return True
        return not self._is_of_library(func.value, syntax) and self.graph.is_written(f"-{method}")

    def _defined(self, name: str, syntax: Syntax) -> list[ast.AST]:
        """The functions of a module with this name, whatever has them."""
        if not re.search(rf"def {whole(name)}", syntax.text):
            return []
        return [part for part in walk(syntax.tree) if isinstance(part, _DEFINITIONS[:2]) and part.name == name]

    def _is_layer(self, attribute: str, syntax: Syntax) -> bool:
        """Are the attributes of this name objects that TensorFlow makes, and nothing else?"""
        rows = rows_with(syntax.text, whole(attribute))
        found = [node for node in nodes_on(syntax.tree, rows) if isinstance(node, ast.Assign)]
        values = [
            node.value
            for node in found
            if any(isinstance(target, ast.Attribute) and target.attr == attribute for target in node.targets)
        ]
        full = [syntax.scopes.full_name(value.func) if isinstance(value, ast.Call) else "" for value in values]
        return bool(full) and all(
            name.startswith(("tensorflow.keras.", "keras.", "tensorflow.Variable")) and not self._is_writing(name)
            for name in full
        )

    def _is_of_library(self, node: ast.expr, syntax: Syntax) -> bool:
        """Is it made by Python, TensorFlow or NumPy, whoever has it?"""
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.List() | ast.Dict() | ast.Set() | ast.Tuple() | ast.ListComp():
                return True
            case ast.Call(func=ast.Name(id=name)) if syntax.scopes.binds(name, node) is None:
                return name in BUILTINS
            case ast.Call(func=func) if name := syntax.scopes.full_name(func):
                return name.startswith(("tensorflow.", "keras.", "numpy.", "collections."))
            case ast.Call(func=ast.Attribute(value=value)) | ast.Subscript(value=value) | ast.Attribute(value=value):
                return self._is_of_library(value, syntax)
            case ast.Name(id=name):
                found = syntax.scopes.binds(name, node)
                return found is not None and all(self._makes_library(b, name, syntax) for b in found[1])
        return False

    def _makes_library(self, binding: ast.AST, name: str, syntax: Syntax) -> bool:
        key = ("made by a library", id(binding))
        if key not in self.known:
            self.known[key] = False
            way = syntax.way(binding)
            value = assigned_value(way[-2], name) if len(way) > 1 else None
            self.known[key] = value is not None and self._is_of_library(value, syntax)
        return self.known[key]

    def _is_writing(self, name: str) -> bool:
        """Might a function of a library, or of another module of the project, write?"""
        there, rest = self.graph.locate(name)
        if there is not None and rest:
            found = [part for part in getattr(there.tree, "body", ()) if getattr(part, "name", "") == rest]
            if len(found) != 1 or self.graph.is_written(f"@{rest}"):
                return True
            return self._may_defined(found[0], self._syntax(there), there)
        # `shutil.os.path`
        name = re.sub(r"^\w+\.(?=(?:json|math|os|time)\.)", "", name)
        if name.partition(".")[0] in ("logging", "absl"):
            return self.graph.is_written("log file")
        return writes(name, self.looks)

    # ---- names ----------------------------------------------------------------------------------------------------

    def _may_handed(self, node: ast.expr, syntax: Syntax, source: Source, is_given: bool = False) -> bool:
        """Might what a name stands for write, where others call it or take the next of it? `is_given`: to a call."""
        if isinstance(node, ast.Name):
            found = syntax.scopes.binds(node.id, node)
            return found is not None and any(self._may_bound(p, node.id, syntax, source, is_given) for p in found[1])
        name = syntax.scopes.full_name(node)
        if not name:
            return any(self.may(part, source) for part in self._defined(getattr(node, "attr", ""), syntax))
        return self._may_named(name, is_given)

    def _may_named(self, name: str, is_given: bool) -> bool:
        if name.startswith(("tensorflow.", "keras.", "numpy.")):
            return re.search(r"\.(?:raw_ops|gfile|write|save|tofile)", name) is not None
        there, rest = self.graph.locate(name)
        if there is not None:
            return bool(rest and self._defined(rest, self._syntax(there))) and self._is_writing(name)
        is_constant = name in _STREAMS or name.rpartition(".")[2].isupper()
        return is_given and "." in name and not is_constant and self._is_writing(name)

    def _may_bound(self, binding: ast.AST, name: str, syntax: Syntax, source: Source, is_given: bool) -> bool:
        key = (f"handed {is_given}", id(binding))
        if key not in self.known:
            self.known[key] = False
            if isinstance(binding, _DEFINITIONS):
                self.known[key] = self._may_defined(binding, syntax, source)
            elif isinstance(binding, (ast.Import, ast.ImportFrom)):
                self.known[key] = self._may_named(_imported(binding, name), is_given)
            else:
                self.known[key] = self._gives(bound_value(syntax.way(binding)), syntax, source)
        return self.known[key]

    def _gives(self, value: ast.expr | None, syntax: Syntax, source: Source) -> bool:
        """Might taking something of a value, or calling it, write?"""
        match value:
            case ast.GeneratorExp() | ast.Lambda():
                return self.may(value, source)
            case ast.Name() | ast.Attribute():
                return self._may_handed(value, syntax, source)
            case ast.Call(func=func):
                if not self._is_lazy(func, syntax):
                    return False
                given = [*value.args, *(keyword.value for keyword in value.keywords)]
                return self._may_called(func, syntax, source) or any(
                    self._may_handed(part, syntax, source, is_given=True)
                    if isinstance(part, (ast.Name, ast.Attribute))
                    else self._gives(part, syntax, source)
                    for part in given
                )
        return False

    def _is_lazy(self, func: ast.expr, syntax: Syntax) -> bool:
        """Does a call give what works when something is taken of it?"""
        name = syntax.scopes.full_name(func)
        if name:
            there, rest = self.graph.locate(name)
            found = self._defined(rest, self._syntax(there)) if there is not None else []
            return name.startswith(("functools.", "itertools.")) or any(map(_yields, found))
        if isinstance(func, ast.Attribute):
            return any(map(_yields, self._defined(func.attr, syntax)))
        if not isinstance(func, ast.Name):
            return False
        found_here = syntax.scopes.binds(func.id, func)
        return func.id in LAZY if found_here is None else any(map(_yields, found_here[1]))

    def _leads(self, name: str, node: ast.expr, syntax: Syntax, source: Source) -> bool:
        """Might what a name stands for write, when it is called?"""
        found = syntax.scopes.binds(name, node)
        return found is None or any(self._is_bound_to(binding, name, syntax, source) for binding in found[1])

    def _is_bound_to(self, binding: ast.AST, name: str, syntax: Syntax, source: Source) -> bool:
        if isinstance(binding, _DEFINITIONS):
            return self._may_defined(binding, syntax, source)
        if isinstance(binding, (ast.Import, ast.ImportFrom)):
            at = ast.copy_location(ast.Name(name, ast.Load()), binding)
            return self._is_writing(syntax.scopes.full_name(at) or _imported(binding, name))
        value = bound_value(syntax.way(binding))
        match value:
            case ast.Name(id=other):
                key = ("called", id(binding))
                if key not in self.known:
                    self.known[key] = False
                    self.known[key] = self._leads(other, value, syntax, source)
                return self.known[key]
            case ast.Lambda():
                return self.may(value, source)
            case ast.Call(func=func):
                full = syntax.scopes.full_name(func)
                if known(full).role == "compiles":
                    return self._hands_on(value, syntax, source)
                is_keras = full.startswith(("tensorflow.keras.", "keras."))
                return not is_keras or self._is_writing(full) or self._hands_on(value, syntax, source)
        return True

    def _hands_on(self, call: ast.Call, syntax: Syntax, source: Source) -> bool:
        """Might what is handed to a layer, a model or `tf.function` write?"""
        given = (part for one in [*call.args, *(word.value for word in call.keywords)] for part in walk(one))
        return any(
            self.may(part, source)
            if isinstance(part, ast.Lambda)
            else self._may_handed(part, syntax, source, is_given=True)
            for part in given
            if isinstance(part, (ast.Name, ast.Attribute, ast.Lambda))
        )

    def _may_defined(self, node: ast.AST, syntax: Syntax, source: Source) -> bool:
        bare = [part for part in getattr(node, "decorator_list", ()) if not isinstance(part, ast.Call)]
        bases = getattr(node, "bases", ())
        return self.may(node, source) or any(self._may_called(part, syntax, source) for part in [*bare, *bases])

    # ---- Keras ----------------------------------------------------------------------------------------------------

    def may_by_callback(self, call: ast.AST) -> bool:
        """Might what `fit` calls between batches write?"""
        if not isinstance(call, ast.Call):
            return False
        position = {"fit": 5, "evaluate": 5, "predict": 3}.get(last_name(call), len(call.args))
        given = [keyword.value for keyword in call.keywords if keyword.arg in ("callbacks", None)]
        given += call.args[position : position + 1]
        syntax = self._syntax(self.graph.source)
        return any(self._may_callback(part, syntax) for part in given) or self._may_by_hook(syntax)

    def _may_by_hook(self, syntax: Syntax) -> bool:
        """Might a model, a loss or a metric write?"""
        if self._may_by_operator(self.graph.source, hooks=True):
            return True
        rows = rows_with(syntax.text, *_TAKING_HOOKS)
        calls = (node for node in nodes_on(syntax.tree, rows) if isinstance(node, ast.Call))
        handed = (
            part
            for call in calls
            if last_name(call) in _TAKING_HOOKS
            for given in [*call.args, *(keyword.value for keyword in call.keywords)]
            for part in walk(given)
            if isinstance(part, (ast.Name, ast.Attribute, ast.Lambda))
        )
        return any(
            self.may(part, self.graph.source)
            if isinstance(part, ast.Lambda)
            else self._may_handed(part, syntax, self.graph.source)
            for part in handed
        )

    def _may_callback(self, node: ast.expr, syntax: Syntax) -> bool:
        match node:
            case ast.Constant():
                return False
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return any(self._may_callback(part, syntax) for part in parts)
            case ast.BinOp(left=left, right=right):
                return self._may_callback(left, syntax) or self._may_callback(right, syntax)
            case ast.Call():
                return self.may(node, self.graph.source)
            case ast.Name(id=name):
                found = syntax.scopes.binds(name, node)
                return found is None or any(self._may_added(part, name, syntax) for part in found[1])
        return True

    def _may_added(self, binding: ast.AST, name: str, syntax: Syntax) -> bool:
        """What a list of callbacks, or one, is when it is made; what is added to it as well."""
        if id(binding) in self.seen:
            return False
        self.seen.add(id(binding))
        value = bound_value(syntax.way(binding))
        if value is None:
            return True
        added: list[ast.expr] = []
        for part in walk(syntax.tree):
            match part:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr="append"), args=[one]) if found == name:
                    added.append(one)
                case ast.Attribute(value=ast.Name(id=found)) if found == name and part.attr != "append":
                    return True
        return any(self._may_callback(one, syntax) for one in (value, *added))


def _imported(node: ast.Import | ast.ImportFrom, name: str) -> str:
    return next((symbol.name for bound, symbol in imported(node) if bound == name), "")


def _is_implicit(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is it called by code that does not write a call of it?"""
    decorators = {last_name(part) for part in method.decorator_list}
    return not decorators <= _PLAIN or (method.name.startswith("__") and method.name not in _CALLED)


def _yields(node: ast.AST) -> bool:
    """Is it a function that works step by step, or gives what others have made?"""
    return isinstance(node, _DEFINITIONS[:2]) and any(
        isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(node)
    )
