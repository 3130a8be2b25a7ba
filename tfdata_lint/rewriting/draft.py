"""The fix of one finding: its edits, in the style of the code around them, and the names that these use."""

from __future__ import annotations

import ast
import re

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.knowledge.operations import AUTOTUNES
from tfdata_lint.pipeline.project.eras import chooses_version, has_no_autotune, may_lack_autotune, prefetches_one
from tfdata_lint.rewriting.chains import Chains
from tfdata_lint.rewriting.imports import place_of
from tfdata_lint.source.trees import walk

_TENSORFLOW = "tensorflow"
_EXPERIMENTAL = ".experimental"


class Draft(Chains):
    """Everything that a rule can write. What cannot be written is noted, and the fix is then for display only."""

    def is_local(self, name: str, node: ast.AST) -> bool:
        """May this name be assigned where a node stands without becoming another variable?"""
        scopes = self.syntax.scopes
        scope, found = scopes.scope_of(node), scopes.binds(name, node)
        return name in scopes.declared(scope) or (found is not None and found[0] is scope)

    def counts(self, loop: ast.AST, name: str) -> bool:
        """Does a name stand for the number of the pass, and for nothing else, wherever it is read in a loop?"""
        found = self.syntax.scopes.binds(name, loop)
        ways = [self.syntax.way(binding) for binding in found[1]] if found is not None else []
        function = self.syntax.function_of(self.syntax.way(loop))
        inside = [way for way in ways if any(step is loop for step in way)]
        if len(inside) != 1 or any(self.syntax.function_of(way) is not function for way in ways):
            return False
        return (isinstance(loop, ast.For) and loop.target in inside[0]) or self.syntax.scopes.is_bound(name, loop)

    def autotune(self, node: ast.AST | None, target: Target) -> str:
        """`AUTOTUNE` as it is written at a node: a constant that is in scope, or through the name of TensorFlow."""
        if node is None or not self.can_edit(node):
            return "tf.data.AUTOTUNE"
        if constant := self._constant(node):
            return constant
        if has_no_autotune(self.graph, target):
            self.refuse("the oldest TensorFlow that the project allows has no AUTOTUNE")
        return self.data(node, "experimental.AUTOTUNE" if may_lack_autotune(self.graph, target) else "AUTOTUNE")

    def prefetch(self, node: ast.AST | None, target: Target) -> str:
        """A `prefetch` to append at a node: of one element where the TensorFlow of the code may have no `AUTOTUNE`."""
        is_one = (
            node is not None and self.can_edit(node) and not self._constant(node) and prefetches_one(self.graph, target)
        )
        return f"prefetch({1 if is_one else self.autotune(node, target)})"

    def data(self, node: ast.AST, name: str) -> str:
        """A name of `tf.data` as one writes it at a node."""
        for alias, module in self._modules(node):
            if module == f"{_TENSORFLOW}.data":
                return f"{alias}.{name}"
            if module == f"{_TENSORFLOW}.data.experimental" and name.startswith("experimental."):
                return f"{alias}.{name.removeprefix('experimental.')}"
        return f"{self.tensorflow(node)}.data.{name}"

    def tensorflow(self, node: ast.AST) -> str:
        """The name of TensorFlow at a node; an import is added where there is none."""
        for alias, module in self._modules(node):
            if module == _TENSORFLOW:
                return alias
        if re.search(r"\btf\b", self.syntax.text):
            self.refuse("TensorFlow is not imported under a usable name here")
            return "tf"
        if self.graph.is_used_elsewhere("*"):
            self.refuse("another file may import all names of this one, and would get an additional one")
            return "tf"
        if self._is_imported_late(node):
            self.refuse("TensorFlow may not be imported yet, or not at all, where an import would be added")
            return "tf"
        self._import(_TENSORFLOW, "import tensorflow as tf", node)
        return "tf"

    def standard(self, module: str, node: ast.AST) -> str:
        """The name of a module of Python's library at a node; an import is added where there is none."""
        scopes = self.syntax.scopes
        for name, full in self.syntax.imports():
            if full == module and scopes.meaning(name, node) == full and scopes.is_bound(name, node):
                return name
        if re.search(rf"(?<![\w.]){module}\b", self.syntax.text):
            self.refuse(f"`{module}` is not imported under a usable name here")
        self._import(module, f"import {module}", node)
        return module

    def rename_attribute(self, node: ast.expr, old: str, new: str) -> None:
        """Write another path for the last attributes of a chain: `deterministic` for `experimental_deterministic`."""
        if not self.can_edit(node):
            return
        start, end = self.syntax.end(node) - len(old), self.syntax.end(node)
        if self.syntax.text[start - 1 : end] == f".{old}":
            self.put(start, end, new)
        else:
            self.refuse("its name is not written as one expression")

    def rename_keyword(self, call: ast.Call, old: str, new: str) -> None:
        """Call the parameter of an argument otherwise."""
        if not self.can_edit(call):
            return
        if any(keyword.arg in (new, None) for keyword in call.keywords):
            self.refuse(f"`{new}` is, or may be, passed as well")
            return
        for keyword in call.keywords:
            if keyword.arg == old:
                start = self.syntax.start(keyword)
                self.put(start, start + len(old), new)

    def remove_keyword(self, call: ast.Call, name: str) -> None:
        """Leave out an argument that stands behind others."""
        given: list[ast.expr | ast.keyword] = sorted((*call.args, *call.keywords), key=self.syntax.start)
        names = [part.arg if isinstance(part, ast.keyword) else None for part in given]
        if self.can_edit(call) and (place := names.index(name)):
            self.put(self.syntax.end(given[place - 1]), self.syntax.end(given[place]), "")
        else:
            self.refuse("it is the first argument")

    def leave_experimental(self, node: ast.expr) -> None:
        """Write the name `tf.data.AUTOTUNE` for `tf.data.experimental.AUTOTUNE`, or import that."""
        if not self.can_edit(node):
            return
        match node:
            case ast.Attribute(value=ast.Attribute(value=data), attr=name):
                start, end = self.syntax.end(data), self.syntax.end(node)
                if ")" in self.syntax.text[start:end]:
                    self.refuse("a part of its name is in parentheses")
                # Whatever `data` is called here.
                self.put(start, end, f".{name}")
            case ast.Name(id=name):
                self._import_anew(node, name)
            case ast.Attribute(attr=name):
                self.replace(node, self.data(node, name))

    def _import_anew(self, node: ast.expr, name: str) -> None:
        """`from tensorflow.data import AUTOTUNE`: the name stays, and so do all of its uses."""
        syntax = self.syntax
        found = syntax.scopes.binds(name, node)
        statement = found[1][0] if found is not None and len(found[1]) == 1 else None
        if not isinstance(statement, ast.ImportFrom) or not (module := statement.module or "").endswith(_EXPERIMENTAL):
            self.refuse("it is imported in several places")
            return
        if chooses_version(self.graph, statement):
            self.refuse("its import chooses between versions")
            return
        position = next(index for index, alias in enumerate(statement.names) if (alias.asname or alias.name) == name)
        alias, home = statement.names[position], module.removesuffix(_EXPERIMENTAL)
        if len(statement.names) == 1:
            start = syntax.text.index(module, syntax.start(statement))
            self.put(start, start + len(module), home)
            return
        self.insert_before(statement, f"from {home} import {syntax.written(alias)}")
        if alias is statement.names[-1]:
            self.put(syntax.end(statement.names[position - 1]), syntax.end(alias), "")
        else:
            self.put(syntax.start(alias), syntax.start(statement.names[position + 1]), "")

    def _modules(self, node: ast.AST) -> list[tuple[str, str]]:
        """The names of TensorFlow and its modules that are seen at a node: (name, module), TensorFlow itself first."""
        names = {name for name, full in self.syntax.imports() if _home(name, full)}
        scopes = self.syntax.scopes
        bound = [name for name in names if scopes.is_bound(name, node)]
        seen = [(name, home) for name in bound if (home := _home(name, scopes.meaning(name, node)))]
        return sorted(seen, key=lambda entry: (entry[1], entry[0] != "tf", entry[0]))

    def _constant(self, node: ast.AST) -> str:
        """A name that stands for AUTOTUNE at a node."""
        imports = (name for name, full in self.syntax.imports() if plain(full) in AUTOTUNES)
        names = dict.fromkeys((*imports, *self.syntax.aliases("AUTOTUNE")))
        scopes = self.syntax.scopes
        known = ((name, {plain(full) for full in scopes.meanings(name, node)}) for name in names)
        return next((name for name, full in known if full and full <= AUTOTUNES and scopes.is_bound(name, node)), "")

    def _import(self, module: str, code: str, node: ast.AST) -> None:
        """Add an import of a module where it belongs, so that it has run before a node does."""
        body = self.syntax.tree.body
        place = place_of(self.syntax, module, body[: self._number(node)])
        if place is None:
            first = next((s for s in body if not is_docstring(s)), None)
            if first is not None:
                self.insert_before(first, f"{code}\n")
            return
        if place.is_above:
            self.insert_before(place.neighbour, f"{code}\n" if place.is_apart else code)
        elif not self.write_below(place.neighbour, f"\n{code}" if place.is_apart else code):
            self.refuse(f"there is no row to import `{module}` on")

    def _is_imported_late(self, node: ast.AST) -> bool:
        """Is TensorFlow imported in this module, but nowhere at its top, in any case, before this node?"""
        first = [_is_of_tensorflow(statement) for statement in self.syntax.tree.body[: self._number(node) + 1]]
        return not any(first) and any(map(_is_of_tensorflow, walk(self.syntax.tree)))

    def _number(self, node: ast.AST) -> int:
        """Which statement of the module a node is in."""
        top = self.syntax.way(node)[1:2]
        return next((index for index, statement in enumerate(self.syntax.tree.body) if statement in top), 0)


def _home(name: str, full: str) -> str:
    """`tensorflow`, `tensorflow.data`, … for what an import brings, whatever version it goes through; else nothing."""
    home = plain(full)
    if home in (_TENSORFLOW, f"{_TENSORFLOW}.data", f"{_TENSORFLOW}.data.experimental"):
        return home
    # A project may wrap its import, to make it lazy say. `horovod.tensorflow` is something else.
    return _TENSORFLOW if full.endswith(".tensorflow") and name in ("tf", _TENSORFLOW) else ""


def _is_of_tensorflow(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] == _TENSORFLOW for alias in names)
        case ast.ImportFrom(module=str(module), level=0):
            return module.partition(".")[0] == _TENSORFLOW
    return False


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
