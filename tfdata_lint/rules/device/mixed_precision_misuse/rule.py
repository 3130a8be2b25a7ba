"""TFD613."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, last_name, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.runs import mentions_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.half_precision import Policy, policies_of
from tfdata_lint.rules.device.mixed_precision_misuse.outputs import last_layers
from tfdata_lint.rules.device.mixed_precision_misuse.policies import is_trained, makes_layers, models_made, neighbours
from tfdata_lint.rules.device.steps import values_of
from tfdata_lint.source.trees import walk

#: Who scales a loss writes one of these.
_SCALING = re.compile(r"(?i)loss_?scal|scaled?_?(?:loss|grad)|\.scale\(")
#: Functions around a place that are left to where they are called.
_DEEPEST = 3
_OPTIMIZERS = "tensorflow.keras.optimizers."


class MixedPrecisionMisuse(Rule):
    code = "TFD613"
    name = "mixed-precision-misuse"
    group = "correctness"
    summary = "A 16-bit policy is set too late, or makes small gradients or outputs zero"
    triggers = ("text:set_global_policy text:set_dtype_policy text:experimental.set_policy",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        policies = list(policies_of(graph))
        late = {id(policy.call) for policy in policies if _model_before(graph, policy) is not None}
        for policy in policies:
            if id(policy.call) in late:
                yield self._of_late(graph, policy)
        halves = [policy for policy in policies if policy.name == "mixed_float16" and id(policy.call) not in late]
        if not halves:
            return
        place = (Related(span_of(halves[0].call, graph.file), "makes layers compute in float16"),)
        for tape in _unscaled_tapes(graph):
            yield self.finding(
                span_of(tape, graph.file),
                "float16 gradients are computed from an unscaled loss",
                cost=(
                    "Small gradients become zero in float16, and these weights are no longer trained; only `compile`"
                    " and `fit` scale the loss automatically"
                ),
                advice=(
                    "Wrap the optimizer in `tf.keras.mixed_precision.LossScaleOptimizer`, and compute the gradients"
                    " of the scaled loss"
                ),
                confidence="likely",
                related=place,
            )
        for layer in last_layers(graph):
            if _is_behind(graph, layer, halves[0].call):
                yield self.finding(
                    span_of(layer, graph.file),
                    "The last layer of the model returns float16 probabilities",
                    cost="Probabilities below 0.00000003 become zero before the loss is computed",
                    advice='Pass `dtype="float32"` to that layer',
                    is_guess=True,
                    related=place,
                )

    def _of_late(self, graph: PipelineGraph, policy: Policy) -> Finding:
        model = _model_before(graph, policy)
        assert model is not None
        return self.finding(
            span_of(policy.call, graph.file),
            f"`{policy.name}` is set after the model was created",
            cost=(
                "A layer uses the policy that is set when it is created: this model computes in float32, no faster"
                " than before"
            ),
            advice="Set the policy before creating the model",
            related=(Related(span_of(model, graph.file), "created here"),),
        )


def _is_behind(graph: PipelineGraph, layer: ast.Call, policy: ast.Call) -> bool:
    """Is a layer made when the policy is set: in a function, which runs later, or further below?"""
    there, here = scope_of(graph.tree, layer), scope_of(graph.tree, policy)
    return layer.lineno > policy.lineno or (isinstance(there, FUNCTIONS) and there is not here)


def _model_before(graph: PipelineGraph, policy: Policy) -> ast.Call | None:
    """The model that is made before a policy and trained behind it, where no layer is made behind it.

    A function that sets the policy runs where its only call is.
    """
    place: ast.AST | None = policy.call
    behind: list[ast.stmt] = []
    for _ in range(_DEEPEST):
        before, after = neighbours(graph, place) if place is not None else ([], [])
        behind += after
        if place is None or any(makes_layers(graph, statement) for statement in after):
            return None
        models = models_made(graph, before)
        found = next((call for name, call in models.items() if is_trained(behind, name)), None)
        if found is not None:
            return found
        calls = _calls_around(graph, place)
        place = calls[0] if len(calls) == 1 else None
    return None


def _calls_around(graph: PipelineGraph, node: ast.AST) -> list[ast.AST]:
    """The calls of the function that a node stands in, where it is only called."""
    syntax = syntax_of(graph.source)
    function = syntax.function_of(syntax.way(node)[:-1])
    found = list(mentions_of(syntax, function)) if isinstance(function, ast.FunctionDef) else []
    calls = [syntax.way(one)[-2] for one in found]
    return calls if all(isinstance(one, ast.Call) for one in calls) else []


def _unscaled_tapes(graph: PipelineGraph) -> Iterator[ast.expr]:
    """The tapes whose gradients an optimizer of Keras applies, in a module that scales no loss."""
    if _SCALING.search(graph.source.text):
        return
    syntax = syntax_of(graph.source)
    for node in nodes_on(graph.tree, rows_with(graph.source.text, "GradientTape")):
        if not isinstance(node, ast.With):
            continue
        tapes = [item.context_expr for item in node.items if last_name(item.context_expr) == "GradientTape"]
        scopes = [syntax.function_of(syntax.way(node)[:-1]) or graph.tree]
        # What returns the gradients is called by who applies them.
        scopes += [scope for call in _calls_around(graph, node) if (scope := syntax.function_of(syntax.way(call)[:-1]))]
        calls = (part for scope in scopes for part in walk(scope) if isinstance(part, ast.Call))
        applies = (call for call in calls if last_name(call) == "apply_gradients")
        if tapes and any(_is_plain_optimizer(graph, call) for call in applies):
            yield tapes[0]


def _is_plain_optimizer(graph: PipelineGraph, call: ast.Call) -> bool:
    """Is `apply_gradients` that of an optimizer that is made here, and of no parameter?"""
    if not isinstance(call.func, ast.Attribute):
        return False
    scopes, holder = syntax_of(graph.source).scopes, call.func.value
    found = scopes.binds(holder.id, holder) if isinstance(holder, ast.Name) else None
    made = values_of(graph.tree, ast.unparse(holder))
    if not made or (found is not None and not all(isinstance(binding, ast.Name) for binding in found[1])):
        return False
    return all(
        isinstance(value, ast.Call) and plain(scopes.full_name(value.func)).startswith(_OPTIMIZERS) for value in made
    )
