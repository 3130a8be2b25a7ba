"""TFD617."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.bindings import imported
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule

#: Consumers of a training in JAX: whoever fits trains with Keras.
_LOOPS = ("for", "next", "walk", "as_numpy", "as_numpy_iterator", "iter")
_TRAINS = r"\b(?:grad|value_and_grad|optax|apply_gradients|TrainState)\b"
#: Who computes with TensorFlow needs the GPU for both; on a TPU there is none.
_COMPUTES = r"\b(?:GradientTape|jax2tf|call_tf)\b|\.fit\("


class GpuSharedWithJax(Rule):
    code = "TFD617"
    name = "gpu-shared-with-jax"
    group = "advice"
    summary = "TensorFlow, which only reads the data, holds GPU memory that JAX needs"
    unmeasured = "It takes a GPU"
    triggers = ("to:for to:next to:walk to:as_numpy to:as_numpy_iterator to:iter", "text:jax")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        text = graph.source.text
        if graph.is_test or not re.search(_TRAINS, text) or re.search(_COMPUTES, text):
            return
        if "tpu" in text.lower() and "gpu" not in text.lower():
            return
        loops = (one for one in graph.consumers if one.kind in _LOOPS and one.span.file == graph.file)
        loop = next((one for one in loops if not one.context.in_test), None)
        imports = list(_imports(graph.tree))
        if loop is None or not any(root == "jax" for root, _ in imports) or not _is_program(graph):
            return
        if graph.says("device memory"):
            return
        own = next((node for root, node in imports if root in ("tensorflow", "tensorflow_datasets")), None)
        yield self.finding(
            loop.span if own is None else span_of(own, graph.file),
            "TensorFlow takes GPU memory, although JAX trains the model and TensorFlow only reads the data",
            cost=(
                "Both reserve most of the memory of each GPU by default, so the one that comes second runs out of"
                " memory"
            ),
            advice='Call `tf.config.set_visible_devices([], "GPU")` at the start of the program',
            confidence="likely",
            related=(Related(loop.span, "JAX takes the elements here"),),
        )


def _imports(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The libraries that a module imports, and where."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((symbol.name.partition(".")[0], node) for _, symbol in imported(node))


def _is_program(graph: PipelineGraph) -> bool:
    """Is it run, or imported by what is run? Of a library alone its users say what has the GPU."""
    return (
        graph.is_imported
        or re.search(r"__main__|\bapp\.run\(", graph.source.text) is not None
        or any(not consumer.context.definition for consumer in graph.consumers)
    )
