"""Keras layers and models: what they are made of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import displayed, last, plain
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.recursion import recursive, within
from tfdata_lint.pipeline.nouns.stages import Call, MappedFunction
from tfdata_lint.pipeline.nouns.values import Alternatives, Constant, External, Method, Sequence, Value

_APPLICATIONS = "tensorflow.keras.applications."
_LAYER = re.compile(r"tensorflow\.keras\.(.*\.)?(layers\..*|Sequential|Model|Functional)$")
#: What a layer computes does not depend on these arguments, or they cannot change.
_INDIFFERENT = ("dtype", "name", "trainable")
#: Functions and classes that give a model.
MODELS = frozenset({"Functional", "Model", "Sequential", "clone_model", "load_model", "model_from_json"})

_LOADERS = frozenset({
    "tensorflow.keras.models.load_model", "tensorflow.keras.saving.load_model", "tensorflow.saved_model.load",
    "tensorflow_hub.KerasLayer", "tensorflow_hub.load",
})  # fmt: skip
#: In what is loaded: no network, but what prepares the input of one.
_PREPARING = ("preprocess", "token", "vocab")


def is_layer(made: External) -> bool:
    return _LAYER.match(plain(made.symbol)) is not None


def is_layer_call(call: Call) -> bool:
    """Is it a call of a layer, as far as its name says?"""
    made, of, _ = plain(call.name).partition("()")
    return bool(of) and _LAYER.match(made) is not None


@recursive
def is_symbolic(value: Value) -> bool:
    """Is it an input of a model that is being built, or what layers make of one?"""
    match value:
        case External(symbol=symbol, receiver=receiver):
            return last(symbol) == "Input" or (receiver is not None and symbol.endswith("()"))
        case Method(receiver=External() as model, name="output" | "outputs"):
            return is_layer(model) or is_application(model.symbol)
        case Sequence(items=items):
            return any(isinstance(item, External) and is_symbolic(item) for item in items)
        case Alternatives(branches=branches):
            return all(_is_of_network(branch.value) for branch in branches)
    return False


def _is_of_network(value: Value) -> bool:
    """Is it what a network gives: one of those that a table may hold?"""
    made = value.receiver if isinstance(value, (External, Method)) else None
    return isinstance(made, External) and is_application(made.symbol) and is_symbolic(value)


def layers_of(made: External) -> tuple[Value, ...] | None:
    """The layers of a `Sequential`, where all of them are seen."""
    layers = made.arguments[0] if made.arguments else made.keywords.get("layers")
    if last(made.symbol) != "Sequential" or made.further or not isinstance(layers, Sequence):
        return None
    return layers.items if layers.rest is None else None


def _inner(made: Value) -> tuple[Value, ...]:
    return (layers_of(made) or ()) if isinstance(made, External) else ()


def made_of(made: External) -> Iterator[Value]:
    """What a layer, or each layer of a `Sequential`, was made with or set to."""
    for layer in within(made, _inner):
        if not isinstance(layer, External):
            yield layer
        elif layers_of(layer) is None:
            yield from (*layer.arguments, *layer.further)
            yield from (value for name, value in layer.keywords.items() if name not in _INDIFFERENT)


def applied(made: External) -> Value | None:
    """The function of a `Lambda` layer."""
    if known(made.symbol).role != "applies":
        return None
    return made.arguments[0] if made.arguments else made.keywords.get("function")


def all_applied(made: External) -> Iterator[Value]:
    """The functions of the `Lambda` layers of a model."""
    for layer in within(made, _inner):
        if isinstance(layer, External) and layer is not made and (function := applied(layer)) is not None:
            yield function


def is_application(symbol: str) -> bool:
    """Does it make one of the networks that Keras ships: `tf.keras.applications.ResNet50`?"""
    symbol = plain(symbol)
    return symbol.startswith(_APPLICATIONS) and last(symbol)[:1].isupper()


def network_in(function: MappedFunction | None) -> tuple[Call, str] | None:
    """The call of a pretrained network on whose result that of a mapped function depends, and what has made it."""
    if function is None or function.result is None:
        return None
    calls = {id(call.node): call for call in function.calls}
    for expr in expressions(function.result):
        call = calls.get(id(expr.node))
        made = _pretrained(expr.of[0]) if call is not None and "()" in expr.by and expr.of else None
        if call is not None and made is not None:
            return call, displayed(made.symbol)
    return None


@recursive
def _pretrained(made: Value | None) -> External | None:
    """The network with weights that somebody else has trained, in a model: itself, or what it is made of."""
    if isinstance(made, Method):
        # `Model(base.input, base.output)`
        return _pretrained(made.receiver)
    if not isinstance(made, External):
        return None
    symbol = plain(made.symbol)
    if is_application(symbol):
        return None if made.keywords.get("weights") == Constant(None) else made
    if symbol in _LOADERS:
        text = f"{ast.unparse(made.call)} {[part for part in made.given if isinstance(part, Constant)]}".lower()
        return None if any(word in text for word in _PREPARING) else made
    if last(symbol) not in MODELS or not symbol.startswith("tensorflow.keras."):
        return None
    parts = layers_of(made) or made.given
    return next((found for part in parts if (found := _pretrained(part)) is not None), None)
