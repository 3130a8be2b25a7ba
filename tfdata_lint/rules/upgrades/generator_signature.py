"""TFD705."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.eras import chooses_version, may_need_older
from tfdata_lint.rewriting.calls import Argument, OldCall, literal
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, guarded

_PARAMETERS = "generator output_types output_shapes= args= name="
#: Types of a part.
_DTYPE = (
    r"(?:tensorflow\.(?:dtypes\.)?|numpy\.)"
    r"(?:u?int\d+|b?float\d+|complex\d+|bool_?|string|str_|bytes_|object_|half|single|double)"
)
_PYTHON = ("bool", "float")


class GeneratorSignature(Rule):
    code = "TFD705"
    name = "generator-signature"
    group = "upgrade"
    summary = "`output_types` and `output_shapes` of `from_generator` are `output_signature` since TensorFlow 2.4"
    triggers = ("from_generator", "given:output_types")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        stages = [stage for stage in graph.stages if stage.op == "from_generator" and "output_types" in stage.arguments]
        if not stages or target.lacks(2, 4) or (not target.is_declared and may_need_older(graph)):
            return
        for stage in stages:
            is_told = "output_signature" in stage.arguments or stage.open_arguments
            if (
                is_told
                or stage.literal("output_types") is None
                or stage.node is None
                or chooses_version(graph, stage.node)
            ):
                continue
            both = " and `output_shapes`" if "output_shapes" in stage.arguments else ""
            yield self.finding(
                stage.span,
                f"`output_types`{both} {'are' if both else 'is'} deprecated",
                cost=(
                    "`from_generator` logs a deprecation warning, and cannot describe sparse or ragged elements this"
                    " way"
                ),
                # The old arguments work in every TensorFlow 2.
                severity="advice",
                advice="Pass `output_signature`, with a `tf.TensorSpec` for each part (TensorFlow 2.4 and later)",
                confidence=stage.confidence,
                fix=_fix(graph, stage),
            )


@guarded
def _fix(graph: PipelineGraph, stage: Stage) -> Fix:
    draft = Draft(graph)
    write_signature(draft, stage)
    return draft.fix("safe", "Pass `output_signature`")


def write_signature(draft: Draft, stage: Stage) -> None:
    """Write the call of a `from_generator` anew, where all that its elements are is written in it."""
    call = draft.call_of(stage)
    if call is None:
        return
    old = OldCall(draft, call)
    given = old.bound(_PARAMETERS)
    if not given:
        return
    shapes = given.get("output_shapes")
    written = None if literal(shapes) is None else shapes
    signature = _signature(draft, given["output_types"], written, f"{_tensorflow(draft, call)}.TensorSpec")
    if not signature:
        draft.refuse("the types of the elements are not written here")
        return
    arguments: list[Argument] = []
    for name, value in given.items():
        if name == "output_types":
            arguments.append(Argument("output_signature", value, signature))
        elif name != "output_shapes":
            # It has another position now.
            arguments.append(Argument("" if name == "generator" else name, value))
    old.write((draft.syntax.written(call.func), arguments))


def _tensorflow(draft: Draft, call: ast.Call) -> str:
    """What TensorFlow is called at a call: as in `tf.data.Dataset.from_generator`, where it is written like this."""
    name = draft.syntax.written(call.func).removesuffix(".data.Dataset.from_generator")
    is_it = name.isidentifier() and plain(draft.syntax.scopes.meaning(name, call)) == "tensorflow"
    return name if is_it else draft.tensorflow(call)


def _signature(draft: Draft, types: ast.expr | None, shapes: ast.expr | None, spec: str) -> str:
    """The code of a signature; empty where it cannot be told from the code alone."""
    match types, shapes:
        case (ast.Tuple(elts=parts), None):
            return _tuple([_signature(draft, part, None, spec) for part in parts])
        case (ast.Tuple(elts=parts), ast.Tuple(elts=others)) if len(parts) == len(others):
            pairs = zip(parts, others, strict=True)
            return _tuple([_signature(draft, part, other, spec) for part, other in pairs])
        case (ast.Dict(keys=keys, values=parts), None):
            return _dict(draft, keys, [_signature(draft, part, None, spec) for part in parts])
        case (ast.Dict(keys=keys, values=parts), ast.Dict(keys=other_keys, values=others)):
            by_key = {key.value: other for key, other in zip(other_keys, others, strict=True)
                      if isinstance(key, ast.Constant)}  # fmt: skip
            known = [key.value for key in keys if isinstance(key, ast.Constant)]
            if len(by_key) != len(others) or len(known) != len(keys) or by_key.keys() != set(known):
                return ""
            pairs = zip(parts, map(by_key.__getitem__, known), strict=True)
            return _dict(draft, keys, [_signature(draft, part, other, spec) for part, other in pairs])
        case (ast.expr(), _) if _is_dtype(draft, types):
            return f"{spec}(shape={_shape(draft, shapes)}, dtype={draft.syntax.written(types)})"
    return ""


def _shape(draft: Draft, node: ast.expr | None) -> str:
    """The code of a shape, in one row where that is possible."""
    match node:
        case None:
            return "None"
        case ast.Call(func=func, args=[shape], keywords=[]) if not isinstance(shape, ast.Starred):
            if plain(draft.syntax.scopes.full_name(func)) == "tensorflow.TensorShape":
                node = shape
    text = draft.syntax.written(node)
    if "\n" not in text or any(mark in text for mark in "#'\"\\"):
        return text
    return re.sub(r"(?<=[(\[]) | (?=[)\]])", "", " ".join(text.split()))


def _is_dtype(draft: Draft, node: ast.expr) -> bool:
    """Is it certainly the type of one part?"""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Name(id=name) if name in _PYTHON:
            return draft.syntax.scopes.binds(name, node) is None
        case ast.Attribute() | ast.Name():
            return re.fullmatch(_DTYPE, plain(draft.syntax.scopes.full_name(node))) is not None
    return False


def _tuple(parts: list[str]) -> str:
    if not all(parts):
        return ""
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _dict(draft: Draft, keys: list[ast.expr | None], parts: list[str]) -> str:
    if not all(parts) or None in keys:
        return ""
    written = (draft.syntax.written(key) for key in keys if key is not None)
    return "{" + ", ".join(f"{key}: {part}" for key, part in zip(written, parts, strict=True)) + "}"
