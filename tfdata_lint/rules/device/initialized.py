"""Which statement before a piece of code has made TensorFlow initialize its devices."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import calls_of, is_generator, last_name, own_nodes
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.runs import constructor, mentions_of
from tfdata_lint.rules.device.steps import defined
from tfdata_lint.source.trees import walk

#: What runs an operation or asks for the devices in every TensorFlow 2, which initializes them: tried one by one.
_MAKERS = re.compile(
    r"tensorflow\.(?:constant|Variable|zeros|ones|fill|eye|range|linspace|convert_to_tensor|io\.read_file"
    r"|random\.(?:uniform|normal|truncated_normal|shuffle|Generator\.from_\w+)"
    r"|config\.(?:experimental\.)?list_logical_devices"
    r"|distribute\.(?:Mirrored|MultiWorkerMirrored|OneDevice)Strategy"
    r"|data\.(?:Dataset\.(?:range|list_files|from_\w+)|(?:TFRecord|TextLine|FixedLengthRecord)Dataset))"
    r"|tensorflow_datasets\.load"
)
_KERAS = re.compile(
    r"tensorflow\.keras\.(?:applications\.(?:\w+\.)?[A-Z]\w+|models\.load_model"
    r"|(?:utils|preprocessing)\.(?:image|text|audio)_dataset_from_directory)"
)
#: Layers that make variables when they know the shape of what they are given.
_WEIGHTED = re.compile(
    r"tensorflow\.keras\.layers\.(?:Dense|Embedding|LSTM|GRU|BatchNormalization|Conv[123]D(?:Transpose)?)"
)
_SEQUENTIAL = ("tensorflow.keras.Sequential", "tensorflow.keras.models.Sequential")
_SHAPES = ("input_shape", "batch_input_shape", "input_dim")
#: Without eager execution operations wait for a session; and private code can reset what was initialized.
_DIFFERENT = ("disable_eager_execution", "disable_v2_behavior", "_reset_context")
#: `with` statements whose body runs operation by operation.
_OPEN = ("device", "scope", "name_scope", "open", "GFile")
#: What these hold may not be evaluated.
_GUARDS = (ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEEP = 2


def may_be_too_late(graph: PipelineGraph, target: Target) -> bool:
    """Tell whether code of this module runs with eager execution, where an operation initializes the devices."""
    if graph.is_test or target.below(2, 0) or any(word in graph.source.text for word in _DIFFERENT):
        return False
    return not is_tensorflow_1(graph)


def too_late(graph: PipelineGraph, settings: list[tuple[str, ast.expr]]) -> Iterator[tuple[str, ast.expr, ast.Call]]:
    """The settings that run after the devices are initialized, each with the call that does that.

    A setting that also stands elsewhere in time is none: the second one then changes nothing, and fails nowhere.
    """
    found = [(name, node, initializing(graph, node)) for name, node in settings]
    in_time = {name for name, _, call in found if call is None}
    for name, node, call in found:
        if call is not None and name not in in_time:
            yield name, node, call


def initializing(graph: PipelineGraph, node: ast.expr) -> ast.Call | None:
    """The call that has initialized the devices before a node runs, whatever path leads there; None if unknown.

    Functions run after the statements above their definition, and above their only call, if nothing else runs them;
    methods after the constructor.
    """
    syntax = syntax_of(graph.source)
    search = _Search(graph)
    todo: list[ast.AST] = [node]
    for at in todo:
        for step in reversed(syntax.way(at)):
            block = syntax.block(step) if isinstance(step, ast.stmt) else None
            for statement in reversed(block.statements[: block.index] if block else ()):
                if call := search.in_statement(statement):
                    return call
        for statement in reversed(constructor(graph, at)):
            if call := search.in_statement(statement):
                return call
        function = scope_of(syntax.tree, at)
        if isinstance(function, ast.FunctionDef) and _is_plain(function) and len(todo) <= _DEEP:
            uses = list(mentions_of(syntax, function))
            calls = [call for call in calls_of(syntax.tree, function.name) if call.func in uses]
            todo += calls if len(calls) == len(uses) == 1 and not graph.is_imported else []
    return None


def _is_plain(function: ast.FunctionDef) -> bool:
    return all(last_name(decorator) == "staticmethod" for decorator in function.decorator_list)


class _Search:
    """Looks for calls that certainly run, and initialize the devices when they do."""

    def __init__(self, graph: PipelineGraph) -> None:
        self._graph = graph
        self._full_name = syntax_of(graph.source).scopes.full_name
        self._stages = {id(stage.node) for stage in graph.stages}
        # With another backend Keras makes no tensors of TensorFlow.
        self._has_keras = "KERAS_BACKEND" not in graph.source.text

    def in_statement(self, statement: ast.stmt, depth: int = 0) -> ast.Call | None:
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                both = self._in_body(body, depth) if orelse and self._in_body(orelse, depth) else None
                return self._in_code(test, depth) or both
            case ast.With(items=items, body=body):
                around = [item.context_expr for item in items]
                inner = self._in_body(body, depth) if all(last_name(part) in _OPEN for part in around) else None
                return next(filter(None, (self._in_code(part, depth) for part in around)), inner)
            case ast.For(iter=part) | ast.While(test=part):
                return self._in_code(part, depth)
            case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Return():
                return self._in_code(statement, depth)
        return None

    def _in_body(self, body: list[ast.stmt], depth: int) -> ast.Call | None:
        for statement in body:
            if call := self.in_statement(statement, depth):
                return call
            if any(isinstance(part, (ast.Return, ast.Break, ast.Continue)) for part in own_nodes([statement])):
                return None
        return None

    def _in_code(self, code: ast.AST, depth: int) -> ast.Call | None:
        # The inner ones run first.
        calls = [part for part in own_nodes([code], *_GUARDS) if isinstance(part, ast.Call)]
        return next((call for call in reversed(calls) if self._initializes(call, depth)), None)

    def _initializes(self, call: ast.Call, depth: int) -> bool:
        if id(call) in self._stages:
            return True
        name = plain(self._full_name(call.func))
        if name:
            return _MAKERS.fullmatch(name) is not None or (self._has_keras and self._makes_variables(name, call))
        if isinstance(call.func, ast.Call):
            return self._has_keras and self._is_weighted(call.func)
        function = defined(self._graph.tree, call.func) if depth < _DEEP else None
        if function is None or not _is_plain(function):
            return False
        return not is_generator(function) and self._in_body(function.body, depth + 1) is not None

    def _makes_variables(self, name: str, call: ast.Call) -> bool:
        if _KERAS.fullmatch(name):
            return True
        layers = call.args[0] if name in _SEQUENTIAL and call.args else None
        if not isinstance(layers, ast.List) or not any(map(self._is_weighted, layers.elts)):
            return False
        parts = [part for part in walk(layers) if isinstance(part, ast.Call)]
        keywords = {keyword.arg for part in parts for keyword in part.keywords}
        return any(last_name(part) in ("Input", "InputLayer") for part in parts) or bool(keywords & {*_SHAPES})

    def _is_weighted(self, node: ast.expr) -> bool:
        name = plain(self._full_name(node.func)) if isinstance(node, ast.Call) else ""
        return _WEIGHTED.fullmatch(name) is not None
