"""TFD417 invalid-arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.operations import LACKING, is_checked
from tfdata_lint.pipeline.nouns.code import may_fail
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Argument, Join, Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, External, Function, Mapping_, Sequence
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.invalid_arguments.parts import open_features, undone, wrong_part
from tfdata_lint.rules.correctness.invalid_arguments.single import of_a_batch
from tfdata_lint.rules.correctness.invalid_arguments.values import wrong_value

#: What a condition around a call is about that calls it only where it fits.
_ASKING = ("version", "hasattr", "signature", "parameters")
#: What has a default since a version only.
_NEEDED = {"padded_batch": ("padded_shapes", (2, 2))}
_SIZES = {"prefetch": "tf.data.AUTOTUNE"}
#: Of these nobody gives the name without saying so.
_UNNAMED = ("from_tensor_slices", "from_tensors", "concatenate")


class InvalidArguments(Rule):
    code = "TFD417"
    name = "invalid-arguments"
    group = "correctness"
    summary = "The arguments of a call do not fit the operation, which raises an error"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.confidence != "proven" or stage.open_arguments:
                continue
            if stage.context.in_test or stage.op in graph.overridden:
                continue
            wrong = wrong_value(graph, stage) or wrong_part(graph, stage)
            finding = self._finding(stage, *wrong) if wrong is not None else None
            if finding is None and is_checked(stage.operation):
                finding = self._misfit(stage) or self._not_a_name(stage) or self._too_new(stage, target)
            if finding is not None and not _is_guarded(graph, stage):
                yield finding
            if finding is None and stage.op == "map":
                yield from self._of_batches(graph, stage)
            yield from self._of_features(graph, stage)

    def _misfit(self, stage: Stage) -> Finding | None:
        """What no version takes."""
        parameters = stage.operation.parameters
        missing = [name for name in parameters[: stage.operation.required] if name not in stage.arguments]
        if missing:
            names = " and ".join(f"`{name}`" for name in missing)
            size = _SIZES.get(stage.op, "…")
            return self._finding(
                stage,
                f"`{stage.op}` is called without {names}",
                f"{names} {'has' if len(missing) == 1 else 'have'} no default",
                "Give " + " and ".join(f"`{name}={size}`" for name in missing),
            )
        if stage.operation.variadic:
            return None
        if unknown := next((name for name in stage.arguments if name not in parameters), None):
            from difflib import get_close_matches

            close = get_close_matches(unknown, parameters, 1)
            return self._finding(
                stage,
                f"`{stage.op}` has no parameter `{unknown}`",
                "No TensorFlow version accepts it",
                f"Write `{close[0]}`" if close else f"Remove it; its parameters are {_listed(parameters)}",
            )
        if stage.surplus:
            return self._finding(
                stage,
                f"`{stage.op}` gets {len(parameters) + stage.surplus} positional arguments",
                f"It takes at most {len(parameters)}",
                f"Remove the extra arguments; its parameters are {_listed(parameters)}",
            )
        return None

    def _not_a_name(self, stage: Stage) -> Finding | None:
        """`from_tensor_slices(x, y)`: the second is taken for the name of the stage."""
        given = stage.arguments.get("name")
        if given is None:
            return None
        is_proven = _is_no_text(given)
        is_likely = stage.op in _UNNAMED and _is_positional(stage.node, given.node) and given.literal is ...
        if not is_proven and not is_likely:
            return None
        first = stage.operation.parameters[0]
        pair = stage.arguments[first].written if first in stage.arguments else "…"
        finding = self._finding(
            stage,
            f"`{stage.op}` takes `{given.written}` as its `name`, which must be a string",
            "It takes the data as one argument",
            f"Pass one tuple: `{stage.op}(({pair}, {given.written}))`"
            if stage.op in _UNNAMED[:2]
            else f"Remove `{given.written}`; the parameters are {_listed(stage.operation.parameters)}",
        )
        return finding if is_proven else finding._replace(severity="warning", confidence="likely")

    def _too_new(self, stage: Stage, target: Target) -> Finding | None:
        if not target.is_declared:
            return None
        needed, since = _NEEDED.get(stage.op, ("", (0, 0)))
        if needed and needed not in stage.arguments and target.below(*since):
            return self._finding(
                stage,
                f"`{stage.op}` is called without `{needed}`",
                f"The project declares TensorFlow {target} ({target.origin}), where it has no default",
                f"Give `{needed}=…`, or declare a newer TensorFlow",
            )._replace(severity="warning")
        given = [*stage.arguments, *(["args"] * bool(stage.surplus))]
        name = next((name for name in given if target.version <= LACKING.get((stage.op, name), (0, 0))), None)
        if name is None:
            return None
        what = "several datasets without a tuple around them" if name == "args" else f"`{name}`"
        return self._finding(
            stage,
            f"`{stage.op}` does not take {what} in TensorFlow {target}",
            f"The project declares TensorFlow {target} ({target.origin}), which does not have it yet",
            "Pass one tuple of datasets" if name == "args" else f"Remove `{name}`, or declare a newer TensorFlow",
        )._replace(severity="warning")

    def _of_batches(self, graph: PipelineGraph, stage: Stage) -> Iterator[Finding]:
        """`ds.batch(8).map(decode_jpeg)`"""
        if (misfit := of_a_batch(stage)) is None or _may_fail(graph, stage):
            return
        batches = next((part for part in upstream(stage.inputs[0]) if part.operation.batches), stage)
        yield self.finding(
            misfit.call.span,
            f"`{misfit.called}` takes one string but gets a batch of them",
            cost=misfit.cost,
            advice=f"Use `{misfit.instead}`, or call `map` before `{batches.op}`"
            if misfit.instead
            else f"Call `map` before `{batches.op}`",
            related=(Related(batches.span, "makes the batches"), Related(stage.span, "maps them")),
        )

    def _of_features(self, graph: PipelineGraph, stage: Stage) -> Iterator[Finding]:
        for span, name in open_features(stage) if not _may_fail(graph, stage) else ():
            yield self.finding(
                span,
                f"The feature {name!r} is a `FixedLenFeature` of which a size is None",
                cost="Its shape must be known: tracing the function raises a ValueError",
                advice="Use `tf.io.FixedLenSequenceFeature` with `allow_missing=True`, or `tf.io.VarLenFeature`",
            )

        for span, called, feature in undone(stage) if not _may_fail(graph, stage) else ():
            yield self.finding(
                span,
                f"`{called}` gets a `{feature}`, the description of a feature",
                cost="It takes a tensor: tracing the function raises an error",
                advice="Pass the part of this name of what `tf.io.parse_single_example` gives",
                related=(Related(stage.span, "maps the function"),),
            )

    def _finding(self, stage: Stage, message: str, cost: str, advice: str) -> Finding:
        return self.finding(stage.span, message, cost=f"{cost}: the call raises an error", advice=advice)


def _is_guarded(graph: PipelineGraph, stage: Stage) -> bool:
    """Is it called only where it fits, or may it fail; or may it be another library's?"""
    if _may_fail(graph, stage):
        return True
    # An exercise, for others to fill in.
    rows = graph.source.lines[max(stage.span.row - 4, 0) : stage.span.end_row]
    if any("TODO" in row for row in rows):
        return True
    tests = (*stage.context.conditions, *stage.context.guards)
    if any(word in test.text.lower() for test in tests for word in _ASKING):
        return True
    # The datasets of tf.contrib had more parameters.
    return any("contrib" in part.symbol for part in upstream(stage))


def _may_fail(graph: PipelineGraph, stage: Stage) -> bool:
    return stage.node is None or may_fail(graph.tree, stage.node)


def _is_no_text(argument: Argument) -> bool:
    match argument.value:
        case Constant(value):
            return value is not None and not isinstance(value, str)
        case External(symbol=symbol):
            return symbol.startswith(("numpy.", "tensorflow.")) and "strings" not in symbol
        case Sequence() | Mapping_() | Function() | Stage() | Join():
            return True
    return False


def _listed(parameters: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in parameters)


def _is_positional(call: ast.AST | None, node: ast.AST) -> bool:
    """Is it an argument that a call is given without a name?"""
    return isinstance(call, ast.Call) and any(node is part for part in call.args)
