"""What made a model and of what it is made: its layers and networks, and what it is compiled with.

Objects are followed by their values, so through builder functions, classes, attributes and modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.mapped.layers import MODELS, is_application, layers_of
from tfdata_lint.pipeline.nouns.code import OWN_STEPS
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.values import (
    UNKNOWN,
    Constant,
    External,
    Function,
    Instance,
    Method,
    Sequence,
    Symbol,
    Unknown,
    Value,
    parts_of,
)
from tfdata_lint.source.trees import walk

#: Layers behind that which says how many outputs there are.
_SHAPELESS = ("Activation", "Softmax", "Dropout")
_KERAS = "tensorflow.keras."
_LOSSES = "tensorflow.keras.losses."


def made_of(model: Value | None) -> Iterator[Value]:
    """A model, its layers, the networks in it and what they are called on; `Unknown` stands for what is not seen."""
    return within(model, _inner)


def _inner(made: Value) -> Iterable[Value]:
    if isinstance(made, Instance):
        # What it calls on what, its code would have to say.
        layers = [layer for value in made.attributes.values() for layer in within(value, _held) if _is_layer(layer)]
        call = made.cls.attribute("call")
        is_plain = isinstance(call, Function) and not any(isinstance(node, ast.BinOp) for node in walk(call.node))
        return layers if is_plain else (UNKNOWN,)
    if isinstance(made, Method):
        # `base.output`
        return (made.receiver,)
    if not isinstance(made, External):
        return parts_of(made)
    if made.receiver is not None:
        return (made.receiver, *made.arguments, *made.further)
    given = (*made.given,)
    is_model = last(made.symbol) in MODELS or is_application(made.symbol)
    return given if is_model else [value for value in given if isinstance(value, External)]


def _held(value: Value) -> Iterable[Value]:
    """The items of a list of layers."""
    return value.items if isinstance(value, Sequence) else ()


def _is_layer(value: Value) -> bool:
    is_called = isinstance(value, Instance) and any(value.cls.attribute(name) for name in ("call", "__call__"))
    return is_called or isinstance(value, External)


def layers_in(model: Value | None) -> list[External] | None:
    """The layers and networks of a model; None where not all of it is seen."""
    found = list(made_of(model))
    layers = [value for value in found if isinstance(value, External) and value.receiver is None]
    is_whole = all(plain(layer.symbol).startswith(_KERAS) for layer in layers)
    return layers if layers and is_whole and not any(isinstance(value, Unknown) for value in found) else None


def loss_of(model: Value | None) -> tuple[External, str] | None:
    """The loss that a model is compiled with, by its name in Keras, and the call; None where that is not seen."""
    own = [name for name in OWN_STEPS if isinstance(model, Instance) and model.cls.attribute(name) is not None]
    calls = model.compiled if isinstance(model, (External, Instance)) and not own else ()
    given = [call.keywords.get("loss", call.arguments[1] if len(call.arguments) > 1 else None) for call in calls]
    names = {keras_name(loss) for loss in given}
    return (calls[-1], names.pop()) if len(names) == 1 and "" not in names else None


def keras_name(loss: Value | None) -> str:
    """`CategoricalCrossentropy`, however it is given."""
    match loss:
        case Constant(str(name)):
            return name
        case External(symbol=symbol) | Symbol(symbol) if plain(symbol).startswith(_LOSSES):
            return last(symbol)
    return ""


def units_of(model: Value | None) -> int | None:
    """The outputs of a model that ends with a `Dense`."""
    layer = _last(model)
    if layer is None or last(layer.symbol) != "Dense":
        return None
    units = layer.arguments[0] if layer.arguments else layer.keywords.get("units")
    return units.value if isinstance(units, Constant) and isinstance(units.value, int) else None


def _last(model: Value | None) -> External | None:
    """The layer that gives the outputs, but for one that only brings them into another range."""
    if not isinstance(model, External):
        return None
    chain: list[Value] = list(layers_of(model) or ())
    at = model.keywords.get("outputs", model.arguments[1] if len(model.arguments) > 1 else None)
    while not chain and isinstance(at, External) and at.receiver is not None:
        if last(at.receiver.symbol if isinstance(at.receiver, External) else "") not in _SHAPELESS:
            chain = [at.receiver]
        at = at.arguments[0] if at.arguments else None
    layers = [layer for layer in chain if not isinstance(layer, External) or last(layer.symbol) not in _SHAPELESS]
    return layers[-1] if layers and isinstance(layers[-1], External) else None
