"""Attributes, items and instances: what the interpreter reads from a value and writes into it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tfdata_lint.pipeline.interpreter import calls, datasets
from tfdata_lint.pipeline.interpreter.folding import truth
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.mapped.effects import Mutation
from tfdata_lint.pipeline.nouns.stages import Dataset, Iterator, Join, Options, OptionsGroup, Stage, tips
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
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
    Sequence,
    Super,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.index import span_of

if TYPE_CHECKING:
    from tfdata_lint.pipeline.interpreter.run import Interpreter

#: Callables whose result walks the dataset they are given.
WRAPPERS = frozenset(
    {"builtins.enumerate", "builtins.zip", "builtins.reversed", "tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm",
     "tqdm.trange", "rich.progress.track", "itertools.chain", "tqdm.tqdm_notebook", "progressbar.progressbar"}
)  # fmt: skip


def get_attribute(run: Interpreter, value: Value, name: str, node: ast.Attribute | None = None) -> Value:
    """An attribute of a value."""
    match value:
        case Symbol(module):
            return run.resolve(Symbol(f"{module}.{name}"))
        case Stage() | Join():
            return Method(value, name)
        case Instance():
            return instance_attribute(run, value, name)
        case Class():
            found = class_attribute(value, name)
            if isinstance(found, Function) and found.is_classmethod:
                return replace(found, receiver=value)
            return UNKNOWN if found is None else found
        case Super(receiver, owner):
            return _super_attribute(run, receiver, owner, name)
        case Options():
            return value.settings.get(name) or OptionsGroup(value, name)
        case OptionsGroup(options, path):
            return options.settings.get(f"{path}.{name}") or OptionsGroup(options, f"{path}.{name}")
        case Alternatives():
            dataset = run.dataset(value)
            if dataset is not None:
                return Method(dataset, name)
            return run.choose(value, [get_attribute(run, branch.value, name, node) for branch in value.branches])
    return Method(value, name)


def class_attribute(cls: Class, name: str, depth: int = 0) -> Value | None:
    """A class attribute along the bases that belong to the project."""
    if name in cls.attributes:
        return cls.attributes[name]
    if depth > 8:
        return None
    for base in cls.bases:
        if isinstance(base, Class) and (found := class_attribute(base, name, depth + 1)) is not None:
            return found
    return None


def instance_attribute(run: Interpreter, instance: Instance, name: str) -> Value:
    """An attribute of an object: its own, its class's (bound), or one that some method of the class sets."""
    if name in instance.attributes:
        return instance.attributes[name]
    found = class_attribute(instance.cls, name)
    if isinstance(found, Function):
        if found.is_static:
            return found
        bound = replace(found, receiver=instance.cls if found.is_classmethod else instance)
        if found.is_property:
            value = calls.call_function(run, bound, Arguments(), found.node)
            return instance.attributes.setdefault(name, value) if isinstance(value, Unknown) else value
        return bound
    # A value set by a method wins over a class attribute, which is often a `None` to be filled in.
    if _set_by_methods(run, instance, name) and name in instance.attributes:
        return instance.attributes[name]
    if found is not None:
        return found
    if is_dataset_class(instance.cls):
        return Method(instance, name)
    value = Unknown() if _is_closed(instance.cls) or not _is_method_like(name) else Method(instance, name)
    if isinstance(value, Unknown):
        instance.attributes[name] = value
    return value


def _is_method_like(name: str) -> bool:
    """Methods of Keras models and other bases that are not of the project."""
    return name in operations.MODEL_METHODS


def _is_closed(cls: Class) -> bool:
    """All its bases are of the project."""
    return all(isinstance(base, Class) and _is_closed(base) for base in cls.bases)


def _set_by_methods(run: Interpreter, instance: Instance, name: str) -> bool:
    """Run the methods that set an attribute, `__init__` first. True when one was run."""
    if instance.filling:
        return False
    methods = [method for method in _methods(instance.cls) if name in _attributes_set(run, method)]
    methods.sort(key=lambda method: not method.name.endswith("__init__"))
    instance.filling = True
    try:
        for method in methods[:3]:
            if method.node not in run.active:
                calls.call_alone(run, method, instance)
                if name in instance.attributes:
                    break
    finally:
        instance.filling = False
    return bool(methods)


def _methods(cls: Class, depth: int = 0) -> list[Function]:
    own = [value for value in cls.attributes.values() if isinstance(value, Function)]
    if depth < 8:
        for base in cls.bases:
            if isinstance(base, Class):
                own += _methods(base, depth + 1)
    return own


_SELF_ASSIGNMENT = re.compile(r"\bself\.(\w+)(?:\s*,\s*self\.\w+)*\s*(?::[^=\n]*)?=(?!=)|,\s*self\.(\w+)")


def _attributes_set(run: Interpreter, method: Function) -> frozenset[str]:
    """The attributes of `self` that a method assigns, by its text."""
    key = ("attributes", id(method.node))
    known = run.described.get(key)
    if known is None:
        node = method.node
        text = "\n".join(run.lines[node.lineno - 1 : node.end_lineno])
        known = frozenset(name for match in _SELF_ASSIGNMENT.finditer(text) for name in match.groups() if name)
        run.described[key] = known
    found: frozenset[str] = known
    return found


def _super_attribute(run: Interpreter, receiver: Value, owner: Class, name: str) -> Value:
    for base in owner.bases:
        if isinstance(base, Class) and (found := class_attribute(base, name)) is not None:
            if isinstance(found, Function):
                bound = replace(found, receiver=receiver)
                return calls.call_function(run, bound, Arguments(), found.node) if found.is_property else bound
            return found
    return UNKNOWN


def is_dataset_class(cls: Class) -> bool:
    """A subclass of tf.data.Dataset."""
    for base in cls.bases:
        if isinstance(base, Symbol) and operations.normalise(base.name) in datasets.DATASET_CLASSES:
            return True
        if isinstance(base, Class) and is_dataset_class(base):
            return True
    return False


def generic(run: Interpreter, cls: Class) -> Instance:
    """The object that stands for `self` when a method is read on its own."""
    instance = run.generics.get(id(cls))
    if instance is None:
        instance = run.generics[id(cls)] = Instance(cls)
        initialise = class_attribute(cls, "__init__")
        if isinstance(initialise, Function) and initialise.node not in run.active:
            instance.filling = True
            calls.call_alone(run, initialise, instance)
            instance.filling = False
    return instance


def assign_attribute(run: Interpreter, target: ast.Attribute, value: Value, statement: ast.stmt) -> None:
    """`base.name = value`."""
    base = run.evaluate(target.value)
    span = span_of(target, run.file)
    if isinstance(base, (Options, OptionsGroup)):
        _set_option(run, base, target, value)
        return
    if run.recordings:
        if isinstance(base, Element) or (isinstance(base, Instance) and id(base) in run.recordings[-1].created):
            pass
        elif isinstance(base, Instance) or is_outside(run, target.value):
            run.recordings[-1].body.mutations.append(Mutation("attribute", run.text(target), span))
            return
    for dataset in run.datasets_in(value):
        run.consume("stored", dataset, statement, span)
    escape(value)
    if isinstance(value, Unknown):
        value = Unknown()
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
        base.attributes[target.attr] = value


def _set_option(run: Interpreter, base: Options | OptionsGroup, target: ast.Attribute, value: Value) -> None:
    options = base if isinstance(base, Options) else base.options
    path = target.attr if isinstance(base, Options) else f"{base.path}.{target.attr}"
    if options.applied or options.of_dataset:
        options.later.append((path, span_of(target, run.file)))
    options.settings[path] = value


def write_back(run: Interpreter, dotted: str, value: Value) -> None:
    """Keep an object's attribute in step with its joined value after a branch."""
    root, _, attribute = dotted.partition(".")
    base = run.frame.scope.find(root)
    if isinstance(base, Instance):
        base.attributes[attribute] = value


def assign_item(run: Interpreter, target: ast.Subscript, value: Value, statement: ast.stmt) -> None:
    """`base[key] = value`."""
    base = run.evaluate(target.value)
    key = run.evaluate(target.slice) if not isinstance(target.slice, ast.Slice) else UNKNOWN
    if run.recordings and not isinstance(base, Element) and is_outside(run, target.value):
        run.recordings[-1].body.mutations.append(Mutation("item", run.text(target.value), span_of(target, run.file)))
        return
    if isinstance(base, Mapping_):
        put(run, base, key, value)
        return
    if isinstance(base, Sequence):
        run.extend(base, (), value)
        return
    for dataset in run.datasets_in(value):
        run.consume("stored", dataset, statement, span_of(target, run.file))
    escape(value)


def put(run: Interpreter, mapping: Mapping_, key: Value, value: Value) -> None:
    """Set an item of a dict; in a branch the earlier item stays an alternative."""
    if not isinstance(key, Constant) or isinstance(key.value, (list, dict, set)):
        mapping.rest = value if mapping.rest is None else run.join([], mapping.rest, [], value)
        return
    old = mapping.items.get(key.value)
    conditions = run.frame.conditions
    if old is not None and conditions:
        value = run.join(conditions, value, [conditions[-1].negated], old)
    mapping.items[key.value] = value


def is_outside(run: Interpreter, node: ast.expr) -> bool:
    """Does an expression start at a name from outside of the function being run, or of the mapped one it is part of?"""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    own = run.frame.scope
    if node.id in own.names and node.id not in own.global_names | own.nonlocal_names:
        return False
    scope = own.parent
    while scope is not None and node.id not in scope.names:
        scope = scope.parent
    # What a function called by the mapped one has made is new for each element.
    return scope is None or not run.recordings or id(scope) not in run.recordings[-1].created


def get_item(run: Interpreter, container: Value, key: Value, is_slice: bool) -> Value:
    """`container[key]`."""
    match container:
        case Element():
            return ELEMENT
        case Mapping_(items=items, rest=rest):
            if isinstance(key, Constant):
                try:
                    if key.value in items:
                        return items[key.value]
                except TypeError:
                    return UNKNOWN
                return rest if rest is not None else UNKNOWN
            values = [*items.values(), *([rest] if rest is not None else [])]
            return _one_of(run, values)
        case Sequence(kind=kind, items=items, rest=rest):
            if is_slice:
                return Sequence(kind, (), _one_of(run, [*items, *([rest] if rest is not None else [])]))
            if isinstance(key, Constant) and isinstance(key.value, int) and rest is None:
                return items[key.value] if -len(items) <= key.value < len(items) else UNKNOWN
            return _one_of(run, [*items, *([rest] if rest is not None else [])])
        case Alternatives(branches=branches):
            if run.dataset(container) is not None:
                return UNKNOWN
            return run.choose(container, [get_item(run, branch.value, key, is_slice) for branch in branches])
    return UNKNOWN


def _one_of(run: Interpreter, values: list[Value]) -> Value:
    if not values:
        return UNKNOWN
    result = values[0]
    for value in values[1:]:
        result = run.join([], result, [], value)
    return result


def iterated(run: Interpreter, value: Value) -> Dataset | None:
    """The dataset that a `for` over this value walks: itself, or inside enumerate, zip, tqdm."""
    if isinstance(value, External) and value.symbol in WRAPPERS:
        for argument in value.arguments:
            if (dataset := iterated(run, argument)) is not None:
                return dataset
        return None
    return run.dataset(value)


def item_of(run: Interpreter, value: Value) -> Value:
    """What the loop variable of a `for` over this value holds."""
    match value:
        case Stage() | Join():
            if any(tip.op == "window" for tip in tips(value)):
                return run.origin("parameter", None)
            return ELEMENT
        case Element() | Iterator():
            return ELEMENT
        case Sequence(items=items, rest=rest):
            return _one_of(run, [*items, *([rest] if rest is not None else [])])
        case External(symbol="builtins.enumerate", arguments=(first, *_)):
            return Sequence("tuple", (UNKNOWN, item_of(run, first)))
        case External(symbol="builtins.zip", arguments=arguments):
            return Sequence("tuple", tuple(item_of(run, argument) for argument in arguments))
        case External(symbol=symbol, arguments=(first, *_)) if symbol in WRAPPERS:
            return item_of(run, first)
        case Alternatives(branches=branches):
            return run.choose(value, [item_of(run, branch.value) for branch in branches])
    return UNKNOWN


def escape(value: Value, depth: int = 0) -> None:
    """Options that are returned, stored or handed on may be applied elsewhere."""
    if depth > 4:
        return
    match value:
        case Options():
            value.escapes = True
        case OptionsGroup(options, _):
            options.escapes = True
        case Sequence(items=items):
            for item in items:
                escape(item, depth + 1)
        case Mapping_(items=entries):
            for item in entries.values():
                escape(item, depth + 1)
        case Alternatives(branches=branches):
            for branch in branches:
                escape(branch.value, depth + 1)


def narrow_by_test(run: Interpreter, test: ast.expr, outcome: bool) -> None:
    """In an arm of a test, drop the alternatives of the tested name that the test rules out."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            narrow_by_test(run, operand, not outcome)
        case ast.BoolOp(op=ast.And(), values=values) if outcome:
            for value in values:
                narrow_by_test(run, value, True)
        case ast.Name(id=name):
            _keep(run, name, lambda value: _maybe(value) if outcome else not _surely(value))
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            is_none = outcome == isinstance(test.ops[0], ast.Is)
            _keep(run, name, lambda value: value == Constant(None) if is_none else value != Constant(None))
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), cls]) if outcome:
            if isinstance(run.frame.scope.find(name), Unknown) and run.is_dataset_annotation(cls):
                run.frame.scope.names[name] = run.origin("unresolved", test.args[0])


def _keep(run: Interpreter, name: str, possible: Callable[[Value], bool]) -> None:
    value = run.frame.scope.names.get(name)
    if not isinstance(value, Alternatives):
        return
    left = [b for b in value.branches if isinstance(b.value, (Unknown, Alternatives)) or possible(b.value)]
    if left and len(left) < len(value.branches):
        only = left[0].value
        run.frame.scope.names[name] = only if len(left) == 1 else Alternatives(tuple(left), value.loop)


def _maybe(value: Value) -> bool:
    return truth(value) is not False


def _surely(value: Value) -> bool:
    return truth(value) is True
