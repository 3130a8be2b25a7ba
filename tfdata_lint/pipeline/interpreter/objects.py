"""Attributes of modules, classes and objects: what is read from them and written to them."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tfdata_lint.pipeline.interpreter import containers, functions, operators, outside, setting
from tfdata_lint.pipeline.interpreter.frames import Arguments, Frame, Scope, Unit
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.mapped.record import NOBODY, holds_element
from tfdata_lint.pipeline.nouns.options import Options, OptionsGroup, Setting
from tfdata_lint.pipeline.nouns.places import Span, is_test_file
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import (
    UNKNOWN,
    Alternatives,
    Class,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Mapping_,
    Method,
    Partial,
    Super,
    Symbol,
    Unknown,
    Value,
    expr_of,
    same,
)
from tfdata_lint.pipeline.project.bindings import member
from tfdata_lint.pipeline.project.evidence import of_module
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.modules import LIBRARIES, Module, module_of
from tfdata_lint.pipeline.project.reach import ABROAD, index_of
from tfdata_lint.source.module import Source

#: The beginnings of nearly all names, none of which is one of the project.
_NEVER = tuple(f"{library}." for library in LIBRARIES)


def resolve(run: Run, symbol: Symbol) -> Value:
    """What a name of another module stands for, where that is a module of the project; else the name."""
    name = symbol.name
    if name.startswith(_NEVER):
        return symbol
    key = (run.folder, name)
    if key not in run.resolved:
        run.resolved[key] = None
        run.resolved[key] = _resolve(run, name)
    return run.resolved[key] or symbol


def _resolve(run: Run, name: str) -> Value | None:
    place = run.project.locate(name, run.file)
    if place is None or not place.rest or place.path == run.path:
        return None
    path, (first, *attributes) = place
    unit = _unit(run, path)
    value = unit.scope.find(first) if unit is not None else None
    if unit is None or value is None:
        return None
    outer = run.unit
    run.go_to(unit)
    try:
        if isinstance(value, Symbol):
            value = resolve(run, value)
        for attribute in attributes:
            value = get_attribute(run, value, attribute)
    finally:
        run.go_to(outer)
    return value


def _unit(run: Run, path: str) -> Unit | None:
    known = run.units.get(path)
    if known is None:
        if len(run.units) >= run.limits.modules:
            run.graph.end(run.row, "modules")
            return None
        source = run.project.source(path)
        if source is None:
            return None
        shown = path if os.path.isabs(run.main.path) else os.path.relpath(path)
        scope = Scope({"__name__": Constant(path)})
        index = index_of(source, run.project, ABROAD)
        known = scope.unit = Unit(shown, source, index, scope)
        known.load = partial(_load, run, known, module_of(source), set())
        run.units[path] = known
        run.graph.keep(scope)
        run.graph.depends |= {os.path.abspath(path), *index.reads}
        if not index.work.data:
            run.graph.beside.append(source)
    return known


def _load(run: Run, unit: Unit, module: Module, asked: set[str], name: str) -> None:
    """Execute what binds a name of an imported module, once."""
    if name in asked:
        return
    asked.add(name)
    if name not in module.bindings and not module.stars:
        # Most are builtins.
        return
    outer = run.unit, run.frame, run.recorder, run.nested_in
    in_test = is_test_file(unit.path)
    run.go_to(unit)
    run.frame = Frame(unit.scope, in_test=in_test, evidence=of_module(unit.source, unit.index))
    run.recorder, run.nested_in = NOBODY, None
    try:
        run.block(module.bindings.get(name, []))
        if module.decorated and isinstance(unit.scope.names.get(name), (Instance, Mapping_)):
            _fill(run, unit, module, name)
        for star in module.stars if name not in unit.scope.names and not name.startswith("_") else ():
            there = Symbol(member(star, name))
            value = resolve(run, there)
            if not same(value, there) or plain(member(star, "")) == "tensorflow":
                unit.scope.names[name] = value
    finally:
        run.go_to(outer[0])
        _, run.frame, run.recorder, run.nested_in = outer


def _fill(run: Run, unit: Unit, module: Module, table: str) -> None:
    """Put into a table what decorators put there: `@table.register`, or `@register` of a function that names it."""
    run.filling += 1
    for root, statements in module.decorated.items():
        if root == table or any(_mentions(unit.source, node, table) for node in module.bindings[root]):
            run.block(statements)
    run.filling -= 1


def _mentions(source: Source, node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        name in line for line in source.lines[node.lineno - 1 : node.end_lineno]
    )


def get_attribute(run: Run, value: Value, name: str, node: ast.Attribute | None = None) -> Value:
    """An attribute of a value."""
    # Most are names of libraries.
    if isinstance(value, Symbol):
        module = value.name
        known = run.members.get((module, name))
        if known is None:
            symbol = Symbol(f"{module}.{name}")
            if not symbol.name.startswith(_NEVER):
                return resolve(run, symbol)
            if module.endswith("flags.FLAGS") and (flag := setting.flag(run, symbol.name, name)) is not None:
                symbol = flag
            known = run.members[module, name] = symbol
        return known
    if isinstance(value, Instance):
        if name in operations.METHODS and not is_dataset_class(value.cls):
            run.graph.others.add(id(node))
        return instance_attribute(run, value, name)
    handler = _ATTRIBUTES.get(type(value))
    found = handler(run, value, name, node) if handler is not None else None
    return Method(value, name, node) if found is None else found


def _stage_attribute(run: Run, stage: Stage, name: str, node: ast.Attribute | None) -> Value | None:
    own = stage.cls.attribute(name) if isinstance(stage.cls, Class) else None
    if own is not None:
        return own.bound(stage) if isinstance(own, Function) else own
    if node is not None and name in operations.ABSENT:
        run.misuse("attribute", name, stage, node)
    return None


def _function_attribute(run: Run, function: Function, name: str, node: ast.Attribute | None) -> Value | None:
    is_named = name == "__name__" and not function.is_wrapped and isinstance(function.node, ast.FunctionDef)
    return Constant(function.name.rpartition(".")[2]) if is_named else None


def _class_attribute(run: Run, cls: Class, name: str, node: ast.Attribute | None) -> Value:
    if name == "__name__":
        return Constant(cls.name)
    found = cls.attribute(name)
    if isinstance(found, Function) and found.is_classmethod:
        return found.bound(cls)
    return UNKNOWN if found is None else found


def _option(run: Run, base: Options | OptionsGroup, name: str, node: ast.Attribute | None) -> Value:
    options, path = (base, name) if isinstance(base, Options) else (base.options, f"{base.path}.{name}")
    return options.settings.get(path) or OptionsGroup(options, path)


def _attribute_of_one(run: Run, value: Alternatives, name: str, node: ast.Attribute | None) -> Value:
    dataset = run.dataset(value)
    if dataset is not None:
        if any(isinstance(branch.value, Instance) for branch in value.branches):
            run.graph.others.add(id(node))
        return Method(dataset, name, node)
    return at_work(run, value, [get_attribute(run, branch.value, name, node) for branch in value.branches])


def at_work(run: Run, value: Alternatives, found: list[Value]) -> Value:
    """What is found under the alternatives of a name, without those of modules that have nothing to do with datasets:
    `import torch_data as data`, otherwise `tf_data`."""
    some = [one for one in found if not _is_far(one)]
    return some[0] if len(some) == 1 else run.choose(value, found)


def _is_far(value: Value) -> bool:
    unit = value.scope.module.unit if isinstance(value, (Function, Class)) else None
    return unit is not None and not unit.index.tensorflow


def instance_attribute(run: Run, instance: Instance, name: str) -> Value:
    """An attribute of an object: its own, its class's (bound), or one that some method of the class sets."""
    if instance.cls.attribute("__getattribute__") is not None:
        run.recorder.loses_track()
    if name == "__dict__":
        return held(run, instance.attributes)
    if name in instance.attributes:
        return instance.attributes[name]
    found = instance.cls.attribute(name)
    if isinstance(found, Instance) and found.cls.attribute("__get__") is not None:
        run.recorder.loses_track()
    if isinstance(found, External) and last(found.symbol) in _FIELDS and found.keywords.keys() & _DEFAULTS:
        return instance.attributes.setdefault(name, _default(run, found))
    if isinstance(found, Function):
        if found.is_static:
            return found
        bound = found.bound(instance.cls if found.is_classmethod else instance)
        if found.is_property:
            value = functions.call_function(run, bound, Arguments(), found.node)
            return instance.attributes.setdefault(name, value) if isinstance(value, Unknown) else value
        return bound
    # A value set by a method wins over a class attribute, which is often a `None` to be filled in.
    if _set_by_methods(run, instance, name) and name in instance.attributes:
        return instance.attributes[name]
    if found is not None:
        return found
    if name == "_replace":
        # Of a named tuple.
        return Partial(Symbol("copy.replace"), (instance,), {})
    if is_dataset_class(instance.cls):
        return Method(instance, name)
    if (name in operations.MODEL_METHODS or name == "compile") and not is_closed(instance.cls):
        return Method(instance, name)
    if name == "as_dataset" and library_base(instance.cls).startswith("tensorflow_datasets."):
        return Method(instance, name)
    if name in ("add_weight", "add_variable") and not is_closed(instance.cls):
        return Symbol("tensorflow.Variable")
    delegating = instance.cls.attribute("__getattr__")
    if delegating is not None:
        # It is called each time.
        run.recorder.loses_track()
        if name in operations.METHODS and isinstance(delegating, Function):
            asked = Arguments(((ast.Constant(name), Constant(name)),))
            found = functions.call_function(run, delegating.bound(instance), asked, delegating.node)
            # A wrapper that hands on what a dataset has. Where it puts a function around that, calls stand in there.
            if isinstance(found, Method) and run.dataset(found.receiver) is not None:
                return found
        return UNKNOWN
    return instance.attributes.setdefault(name, Unknown())


def _default(run: Run, field: External) -> Value:
    """What `dataclasses.field(default_factory=…)` gives an object that is told nothing else."""
    if (value := field.keywords.get("default")) is not None:
        return value
    outer, run.recorder = run.recorder, NOBODY
    try:
        factory = field.keywords.get("default_factory") or field.keywords["factory"]
        return run.call(factory, Arguments(), field.call)
    finally:
        run.recorder = outer


def is_closed(cls: Class) -> bool:
    """All its bases are of the project."""
    return all(isinstance(base, Class) for base in cls.ancestors)


def _set_by_methods(run: Run, instance: Instance, name: str) -> bool:
    """Run the methods that set an attribute, `__init__` first. True when one was run."""
    if instance.filling:
        return False
    methods = [method for method in _methods(instance.cls) if name in _attributes_set(run, method)]
    methods.sort(key=lambda method: not method.name.endswith("__init__"))
    instance.filling = True
    try:
        for method in methods[: run.limits.setters]:
            if method.node not in run.active:
                functions.call_alone(run, method, instance)
                if name in instance.attributes:
                    break
    finally:
        instance.filling = False
    return bool(methods)


def _methods(cls: Class) -> list[Function]:
    return [value for one in cls.lineage for value in one.attributes.values() if isinstance(value, Function)]


#: What makes a field of a dataclass, and the keywords that say what it holds if nothing else is given.
_FIELDS = ("field", "Field", "ib", "attrib")
_DEFAULTS = frozenset({"default", "default_factory", "factory"})
_SELF_ASSIGNMENT = re.compile(r"\bself\.(\w+)(?:\s*,\s*self\.\w+){0,50}\s*(?::[^=\n]{0,500})?=(?!=)|,\s*self\.(\w+)")


def _attributes_set(run: Run, method: Function) -> frozenset[str]:
    """The attributes of `self` that a method assigns, by its text."""
    node, source = method.node, (method.scope.module.unit or run.unit).source
    known: dict[int, frozenset[str]] = source.notes.setdefault(_SELF_ASSIGNMENT, {})
    found = known.get(id(node))
    if found is None:
        text = "\n".join(source.lines[node.lineno - 1 : node.end_lineno])
        found = frozenset(name for match in _SELF_ASSIGNMENT.finditer(text) for name in match.groups() if name)
        known[id(node)] = found
    return found


def _super_attribute(run: Run, value: Super, name: str, node: ast.Attribute | None) -> Value:
    for base in value.owner.bases:
        if isinstance(base, Class) and (found := base.attribute(name)) is not None:
            if isinstance(found, Function):
                bound = found.bound(value.receiver)
                return functions.call_function(run, bound, Arguments(), found.node) if found.is_property else bound
            return found
    return Method(value.receiver, name) if is_dataset_class(value.owner) and name in operations.METHODS else UNKNOWN


#: Whose attributes are more than names of methods; None where they know of no such one.
def _member_value(run: Run, value: Constant, name: str, node: ast.Attribute | None) -> Value | None:
    """A member of an enumeration is held as its value, which has no attribute of this name."""
    return value if name == "value" else None


_ATTRIBUTES: dict[type, Callable[[Run, Any, str, ast.Attribute | None], Value | None]] = {
    Constant: _member_value,
    Stage: _stage_attribute,
    Class: _class_attribute,
    Function: _function_attribute,
    Super: _super_attribute,
    External: setting.parsed,
    **dict.fromkeys((Options, OptionsGroup), _option),
    Alternatives: _attribute_of_one,
}


def is_dataset_class(cls: Class) -> bool:
    """A subclass of tf.data.Dataset."""
    return any(isinstance(base, Symbol) and operations.is_dataset_class(base.name) for base in cls.ancestors)


def library_base(cls: Class) -> str:
    """The library class that a project class extends, or an empty string."""
    return next((plain(base.name) for base in cls.ancestors if isinstance(base, Symbol)), "")


def assign_attribute(run: Run, target: ast.Attribute, value: Value, statement: ast.stmt) -> None:
    """`base.name = value`."""
    base = run.evaluate(target.value)
    span = span_of(target, run.file)
    if isinstance(base, (Options, OptionsGroup)):
        set_option(run, base, target.attr, value, span)
        return
    if isinstance(base, Instance):
        run.graph.others.add(id(target))
    if isinstance(base, Symbol) and isinstance(value, (Function, Partial, Instance)):
        # `tf.square = counted`
        run.members[base.name, target.attr] = value
    if run.recorder.on:
        if isinstance(base, Instance) and _is_set_by_code(base, target.attr):
            run.recorder.loses_track()
        if isinstance(base, Element) or (isinstance(base, Instance) and run.recorder.owns(base)):
            pass
        elif isinstance(base, Instance) or setting.is_outside(run, target.value):
            if not setting.is_kept(run, target, value, statement):
                run.recorder.changes(run.text(target), span, settles=setting.settles(target, value, statement))
            return
    for dataset in run.datasets_in(value):
        run.consume("stored", dataset, statement, span)
    if isinstance(value, Options) and isinstance(base, Instance):
        value.held = target.attr
    else:
        containers.escape(value)
    if is_evident(run, target, value):
        value = run.origin("unresolved", target)
    elif isinstance(value, Unknown) or (isinstance(base, Instance) and _is_set_by_code(base, target.attr)):
        value = value.anew() if isinstance(value, Unknown) else Unknown()
    if isinstance(target.value, ast.Name):
        key = f"{target.value.id}.{target.attr}"
        names = run.frame.scope.names
        if isinstance(base, Instance) and (old := base.attributes.get(target.attr)) is not None:
            for saved in run.frame.saved:
                saved.setdefault(key, old)
        names[key] = value
        run.frame.dotted = True
    if isinstance(base, Instance):
        base.attributes[target.attr] = value
        run.writes += 1
    elif isinstance(base, Class):
        run.changes += 1
        base.attributes[target.attr] = value
    else:
        outside.set_layer(run, base, value)


def held(run: Run, attributes: dict[str, Value]) -> Mapping_:
    """`vars(x)`, `globals()`: names or attributes as a dict that changes with them."""
    run.writes += 1
    functions.forget_attributes(run)
    is_sure = not run.frame.conditions and not run.repeating
    return Mapping_(attributes, UNKNOWN, run.here if is_sure else (None, 0), exact=False)


def set_attribute(run: Run, owner: Instance | Class, key: Value, value: Value, node: ast.Call) -> None:
    """`setattr(owner, key, value)`."""
    if isinstance(key, Constant) and isinstance(node.args[0], (ast.Name, ast.Attribute)):
        target = ast.copy_location(ast.Attribute(node.args[0], str(key.value), ast.Store()), node)
        assign_attribute(run, target, value, ast.copy_location(ast.Expr(node), node))
        return
    for dataset in run.datasets_in(value):
        run.consume("stored", dataset, node, span_of(node, run.file))
    containers.put(run, held(run, owner.attributes), key, value)


def _is_set_by_code(base: Instance, name: str) -> bool:
    """Does a property, a descriptor or `__setattr__` get what an attribute is set to?"""
    found = base.cls.attribute(name)
    is_property = isinstance(found, Function) and found.is_property
    return is_property or isinstance(found, Instance) or base.cls.attribute("__setattr__") is not None


def is_evident(run: Run, node: ast.Attribute, value: Value) -> bool:
    """Is it an attribute of `self` on which something is called here that only a dataset has?"""
    if not run.frame.evidence or not isinstance(value, (Unknown, External)):
        return False
    return isinstance(node.value, ast.Name) and f"{node.value.id}.{node.attr}" in run.frame.evidence


def set_option(run: Run, base: Options | OptionsGroup, name: str, value: Value, span: Span) -> None:
    """`options.name = value`."""
    options = base if isinstance(base, Options) else base.options
    path = name if isinstance(base, Options) else f"{base.path}.{name}"
    run.changes += 1
    if options.applied or options.of_dataset:
        options.later.append((path, span))
    options.settings[path] = value
    options.written.append(Setting(path, span, run.frame.context()))


def write_back(run: Run, dotted: str, value: Value) -> None:
    """Keep an object's attribute in step with its joined value after a branch."""
    root, _, attribute = dotted.partition(".")
    base = run.frame.scope.find(root)
    if isinstance(base, Instance):
        base.attributes[attribute] = value


def assign_item(run: Run, target: ast.Subscript, value: Value, statement: ast.stmt) -> None:
    """`base[key] = value`."""
    base = run.evaluate(target.value)
    key = run.evaluate(target.slice)
    operators.apply(run, base)
    if run.recorder.on and not isinstance(base, Element) and setting.is_outside(run, target.value):
        is_settled = not holds_element(key) and (
            setting.settles(target.value, value, statement) or setting.is_first(run, target, statement)
        )
        run.recorder.changes(run.text(target.value), span_of(target, run.file), settles=is_settled)
        return
    if containers.store(run, base, key, value):
        return
    if isinstance(base, Element):
        containers.alter(run, base, expr_of("set", base, key, value, node=target))
    for dataset in run.datasets_in(value):
        run.consume("stored", dataset, statement, span_of(target, run.file))
    containers.escape(value)
