"""TFD209 backend-model-in-map."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import displayed, last, plain
from tfdata_lint.pipeline.mapped.layers import MODELS, is_application
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.agreed import literals
from tfdata_lint.pipeline.python.origins import Place
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.steps import always_in
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

_ENVIRONMENT = "KERAS_BACKEND"
_SETTING = "tensorflow.keras.config.set_backend"
_KERAS = "tensorflow.keras."
#: Ways to have a model compute.
_RUNNING = frozenset({"", ".__call__", ".call", ".predict", ".predict_on_batch"})
_OTHERS = {"jax": "JAX", "torch": "PyTorch"}


class BackendModelInMap(Rule):
    code = "TFD209"
    name = "backend-model-in-map"
    group = "correctness"
    summary = "A mapped function calls a Keras model, but Keras runs on JAX or PyTorch"
    triggers = ("given:map_func given:predicate", "text:keras")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if "LEGACY_KERAS" in graph.source.text:
            return
        for stage in graph.stages:
            for call in stage.function.calls if stage.function is not None and not stage.context.in_test else ():
                model = _model_run_by(call.name)
                if not model or call.name.startswith("tf_keras.") or call.sometimes:
                    continue
                if call.name.startswith("tensorflow.") and target.below(2, 16):
                    # That Keras knows no other backend.
                    continue
                if (setting := graph.once(_setting)) is None:
                    return
                where, backend = setting
                yield self.finding(
                    call.span,
                    f"A mapped function calls the model `{displayed(model)}`, but Keras runs on {_OTHERS[backend]}",
                    cost="Tracing the function raises a NotImplementedError or a TypeError",
                    advice=(
                        "Call the model on batches outside tf.data, or call only preprocessing layers in `map`, which"
                        " use TensorFlow there"
                    ),
                    related=(Related(where, f"sets the backend to {_OTHERS[backend]}"),),
                )


def _setting(graph: PipelineGraph) -> tuple[Span, str] | None:
    """The one statement that certainly sets the backend of Keras to another one, and to which: of a module, or of one
    that it imports before Keras."""
    found: list[tuple[Span, str]] = []
    sources = [graph.source]
    is_imported = False
    run = [node for node in always_in(graph.tree.body) if isinstance(node, ast.stmt)]
    for statement in sorted(run, key=lambda node: node.lineno):
        modules: list[str] = []
        match statement:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), level=0):
                modules = [module]
        is_imported |= any(module.partition(".")[0] == "keras" for module in modules)
        others = [
            other
            for name in modules
            if (other := graph.locate(f"{name}.{_ENVIRONMENT}")[0]) is not None and not is_imported
        ]
        sources += others
        rows = [(graph.source, statement), *((other, row) for other in others for row in _body(other))]
        for source, row in rows:
            backend, is_environment = _set_by(graph, source, row)
            if backend and not (is_environment and is_imported):
                found.append((span_of(row, graph.file if source is graph.source else source.path), backend))
    # What is set elsewhere, too, may be another one.
    nodes = [node for source in sources if source.tree is not None for node in walk(source.tree)]
    texts = [node for node in nodes if isinstance(node, ast.Constant) and node.value == _ENVIRONMENT]
    calls = [node for node in nodes if isinstance(node, ast.Call) and last_name(node) == "set_backend"]
    is_single = len(found) == 1 and len(texts) + len(calls) == 1
    return found[0] if is_single and found[0][1] in _OTHERS else None


def _body(source: Source) -> list[ast.stmt]:
    """The rows of a module, as far as it imports no Keras."""
    rows = source.tree.body if source.tree is not None else []
    return list(
        takewhile(lambda row: not (isinstance(row, (ast.Import, ast.ImportFrom)) and "keras" in ast.unparse(row)), rows)
    )


def _set_by(graph: PipelineGraph, source: Source, statement: ast.stmt) -> tuple[str, bool]:
    """To what a statement sets the backend, and whether by the environment, which counts where Keras is imported."""
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=key))],
            value=given,
        ) if key == _ENVIRONMENT:
            is_environment = True
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="setdefault"),
                args=[ast.Constant(value=key), given],
            )
        ) if key == _ENVIRONMENT:
            is_environment = True
        case ast.Expr(value=ast.Call(func=function, args=[given])) if last_name(function) == "set_backend":
            is_environment = False
            if plain(syntax_of(source).scopes.full_name(function)) != _SETTING:
                return "", False
        case _:
            return "", False
    match literals(graph, Place(given, source)):
        case [str(backend)]:
            return backend, is_environment
    return "", False


def _model_run_by(name: str) -> str:
    """The full name of what has made the model of Keras that a call with this full name runs; empty for others."""
    maker, called, method = plain(name).partition("()")
    is_model = maker.startswith(_KERAS) and (last(maker) in MODELS or is_application(maker))
    return maker if called and is_model and method in _RUNNING else ""
