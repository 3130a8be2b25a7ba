"""Objects that hold fields: dataclasses, named tuples, namespaces."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter import folding, objects
from tfdata_lint.pipeline.interpreter.declared import fields_of
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.nouns.values import Class, Constant, External, Instance, Sequence, Symbol, Value


def fill(run: Run, instance: Instance, arguments: Arguments) -> None:
    """Give an object what its class is called with."""
    for position, (name, statement) in enumerate(fields_of(instance.cls).items()):
        value = arguments.get(position, name)
        if value is not None:
            instance.attributes[name] = value
        elif run.is_dataset_annotation(statement.annotation):
            instance.attributes[name] = run.origin("unresolved", statement.target)


def made_class(run: Run, made: Value) -> Value:
    """The class that `collections.namedtuple(…)` makes, where its fields are known; all else as it is."""
    match made:
        case External(symbol="collections.namedtuple", arguments=(Constant(str() as name), Constant(str() as words))):
            fields = words.replace(",", " ").split()
        case External(
            symbol="collections.namedtuple", arguments=(Constant(str() as name), Sequence(items=items, rest=None))
        ) if all(isinstance(item, Constant) for item in items):
            fields = [str(item.value) for item in items if isinstance(item, Constant)]
        case _:
            return made
    lines: list[ast.stmt] = [ast.AnnAssign(ast.Name(field), ast.Name("object"), None, 1) for field in fields]
    node = ast.ClassDef(name=name, bases=[], keywords=[], body=lines, decorator_list=[])
    cls = Class(ast.copy_location(node, made.call), run.module, name, (made,))
    defaults = made.keywords.get("defaults")
    if isinstance(defaults, Sequence) and defaults.rest is None:
        cls.attributes.update(zip(reversed(fields), reversed(defaults.items), strict=False))
    return cls


def as_tuple(run: Run, value: Value) -> Value:
    """A named tuple as the tuple that it is; all else as it is."""
    if not isinstance(value, Instance) or not any(map(_is_tuple, value.cls.ancestors)):
        return value
    items = [objects.instance_attribute(run, value, name) for name in fields_of(value.cls)]
    return Sequence("tuple", tuple(items))


def _is_tuple(base: Value) -> bool:
    match base:
        case Symbol(name="typing.NamedTuple") | External(symbol="collections.namedtuple"):
            return True
    return False


def namespace(run: Run, arguments: Arguments, node: ast.Call) -> Value | None:
    """`SimpleNamespace(batch_size=32)`: an object with these attributes."""
    if run.recorder.on or arguments.is_open or arguments.positional:
        return None
    cls = ast.ClassDef(name="SimpleNamespace", bases=[], keywords=[], body=[], decorator_list=[])
    instance = Instance(Class(ast.copy_location(cls, node), run.module, cls.name))
    instance.attributes.update({name: value for name, (_, value) in arguments.keywords.items()})
    return instance


def copied(run: Run, arguments: Arguments) -> Value | None:
    """`copy.copy(config)`, `dataclasses.replace(config, batch=8)`: an object of its own, with some fields of others."""
    value = arguments.positional[0][1] if arguments.positional else None
    if not isinstance(value, Instance) or not (names := fields_of(value.cls)):
        return value if not arguments.keywords else None
    if arguments.is_open:
        return None
    made = Instance(value.cls)
    made.attributes.update({name: objects.instance_attribute(run, value, name) for name in names}, **value.attributes)
    made.attributes.update({name: given for name, (_, given) in arguments.keywords.items()})
    return made


def from_json(run: Run, arguments: Arguments, node: ast.Call) -> Value | None:
    """`json.loads`, also with what turns each dict into an object."""
    text, hook = arguments.get(0, "s"), arguments.keywords.get("object_hook")
    if text is None or len(arguments.keywords) > (hook is not None):
        return None
    if hook is None:
        return folding.of_json(text, lambda held: held)
    return folding.of_json(text, lambda held: run.call(hook[1], Arguments(((node, held),)), node))
