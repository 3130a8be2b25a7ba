"""TFD210 variables-made-in-map."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import canonical, displayed, last
from tfdata_lint.pipeline.nouns.code import may_fail
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Call, MappedFunction
from tfdata_lint.rules.base import Finding, Rule

#: Layers that make variables when they are called for the first time.
BUILT = frozenset({
    "BatchNormalization", "Bidirectional", "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D",
    "Conv3DTranspose", "Dense", "DepthwiseConv1D", "DepthwiseConv2D", "EinsumDense", "Embedding", "GRU",
    "GroupNormalization", "LSTM", "LayerNormalization", "MultiHeadAttention", "PReLU", "SeparableConv1D",
    "SeparableConv2D", "SimpleRNN", "SpectralNormalization",
})  # fmt: skip
#: Layers that make the variable of their random numbers as soon as they are made.
DRAWING = frozenset({
    "RandomBrightness", "RandomContrast", "RandomCrop", "RandomFlip", "RandomRotation", "RandomTranslation",
    "RandomZoom",
})  # fmt: skip
#: Layers that do so in Keras 3 alone.
DROPPING = frozenset({
    "AlphaDropout", "Dropout", "GaussianDropout", "GaussianNoise", "SpatialDropout1D", "SpatialDropout2D",
    "SpatialDropout3D",
})  # fmt: skip
_LAYERS = "tensorflow.keras.layers."
_OBJECTS = ("tensorflow.keras.metrics.", "tensorflow.keras.optimizers.")
_MAKERS = frozenset({
    "tensorflow.Variable", "tensorflow.random.Generator.from_key_counter",
    "tensorflow.random.Generator.from_non_deterministic_state", "tensorflow.random.Generator.from_seed",
    "tensorflow.random.Generator.from_state",
})  # fmt: skip


class VariablesMadeInMap(Rule):
    code = "TFD210"
    name = "variables-made-in-map"
    group = "correctness"
    summary = "A mapped function creates a layer or a variable, which fails when it is traced"
    triggers = ("given:map_func given:predicate", "call:Variable text:Generator text:keras")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 13):
            # Variables are made anew there whenever the function is traced.
            return
        is_keras_3 = not target.below(2, 16)
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.context.in_test:
                continue
            for call in function.calls:
                if call.sometimes or not _makes_variables(call, function, is_keras_3):
                    continue
                if not may_fail(graph.tree, call.node):
                    yield self._finding(call)

    def _finding(self, call: Call) -> Finding:
        return self.finding(
            call.span,
            f"A mapped function creates `{displayed(call.name)}`, which creates variables",
            cost="Tracing raises a ValueError: a graph may create variables only in its first call",
            advice="Create it once, outside the function, and only use it inside",
        )


def _makes_variables(call: Call, function: MappedFunction, is_keras_3: bool) -> bool:
    name = canonical(call.name)
    if name in _MAKERS:
        return True
    kind = last(name)
    if name == f"{_LAYERS}{kind}":
        is_called = any(canonical(other.name) == f"{name}()" for other in function.calls)
        return (kind in BUILT and is_called) or kind in DRAWING or (kind in DROPPING and is_keras_3)
    return kind[:1].isupper() and any(name == f"{home}{kind}" for home in _OBJECTS)
