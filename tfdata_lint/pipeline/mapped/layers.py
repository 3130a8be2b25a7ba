"""Keras layers and models: what they are made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.values import Constant, External, Method, Sequence, Value

#: Deeper than models are nested.
_DEPTH = 5
_MODELS = frozenset({"Functional", "Model", "Sequential", "clone_model", "load_model", "model_from_json"})
#: Ways to have a model compute.
_RUNNING = frozenset({"", ".__call__", ".call", ".predict", ".predict_on_batch"})
_KERAS = "tensorflow.keras."
_APPLICATIONS = f"{_KERAS}applications."
_LOADERS = frozenset({
    f"{_KERAS}models.load_model", f"{_KERAS}saving.load_model", "tensorflow.saved_model.load",
    "tensorflow_hub.KerasLayer", "tensorflow_hub.load",
})  # fmt: skip
#: In what is loaded: no network, but what prepares the input of one.
_PREPARING = ("preprocess", "token", "vocab")


def layers_of(made: External) -> tuple[Value, ...] | None:
    """The layers of a `Sequential`, where all of them are seen."""
    layers = made.arguments[0] if made.arguments else made.keywords.get("layers")
    if last(made.symbol) != "Sequential" or not isinstance(layers, Sequence) or layers.rest is not None:
        return None
    return layers.items


def applied(made: External) -> Value | None:
    """The function of a `Lambda` layer."""
    if known(made.symbol).role != "applies":
        return None
    return made.arguments[0] if made.arguments else made.keywords.get("function")


def all_applied(made: External, depth: int = 0) -> Iterator[Value]:
    """The functions of the `Lambda` layers of a model."""
    for layer in (layers_of(made) or ()) if depth < _DEPTH else ():
        if not isinstance(layer, External):
            continue
        function = applied(layer)
        if function is not None:
            yield function
        yield from all_applied(layer, depth + 1)


def model_run_by(name: str) -> str:
    """The full name of what has made the model of Keras that a call with this full name runs; empty for others."""
    maker, called, method = plain(name).partition("()")
    is_model = maker.startswith(_KERAS) and (last(maker) in _MODELS or is_application(maker))
    return maker if called and is_model and method in _RUNNING else ""


def is_application(symbol: str) -> bool:
    """Does it make one of the networks that Keras ships: `tf.keras.applications.ResNet50`?"""
    symbol = plain(symbol)
    return symbol.startswith(_APPLICATIONS) and last(symbol)[:1].isupper()


def pretrained(made: Value | None, depth: int = 0) -> External | None:
    """The network with weights that somebody else has trained, in a model: itself, or what it is made of."""
    if isinstance(made, Method):
        # `Model(base.input, base.output)`
        return pretrained(made.receiver, depth)
    if not isinstance(made, External) or depth > _DEPTH:
        return None
    symbol = plain(made.symbol)
    if is_application(symbol):
        return None if made.keywords.get("weights") == Constant(None) else made
    if symbol in _LOADERS:
        text = ast.unparse(made.call).lower()
        return None if any(word in text for word in _PREPARING) else made
    if last(symbol) not in _MODELS or not symbol.startswith(_KERAS):
        return None
    parts = layers_of(made) or made.given
    return next((found for part in parts if (found := pretrained(part, depth + 1)) is not None), None)
