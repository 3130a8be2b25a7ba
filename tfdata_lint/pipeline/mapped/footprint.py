"""What running a stage reads, changes and draws besides its elements, and which change of when it runs that allows."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.kinds import EffectKind
from tfdata_lint.pipeline.mapped.layers import is_layer_call
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import inside
from tfdata_lint.pipeline.nouns.stages import Effect, Join, Stage, upstream
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

#: Effects that say that something is not known.
UNKNOWN: tuple[EffectKind, ...] = ("unknown", "opaque", "overridden")
#: These draw, beside what shuffles.
_DRAWING = ("random", "sample_from_datasets", "rejection_resample")
#: By these a layer is set to something else.
_SETTING = (
    r"\.(?:activation|call|mean|offset|scale|variance)\s*=(?!=)|\bsetattr\b|\.__(?:dict|setattr|init)__\b"
    r"|(?<!def )\bvars\(\w+\)\["
)
#: What assigns variables, and what a layer, a model or an optimizer calls its own.
_VARIABLES = r"\.(?:(?:assign|assign_add|assign_sub|scatter_\w+)\(|(?:bias|iterations|kernel|variables|weights)\b)"
#: Keras layers that keep what they were adapted to; all other layers and models may be trained.
_ADAPTED = r"(^|\.)(TextVectorization|\w+Lookup|Discretization|Normalization|CategoryEncoding|Hash\w+)(\(\))?$"


class Change(NamedTuple):
    """A change of when, how often or on what the functions of a stage run."""

    then: str
    """What they would do, at the end of a sentence."""
    allowed: frozenset[EffectKind] = frozenset()
    """What is the same all the same."""
    reasons: Mapping[EffectKind, str] = MappingProxyType({})
    """Sentences that say more of an effect than `_DOES` does."""


READ_AHEAD = Change(
    "run ahead of the loop",
    frozenset({"lookup", "random", "shuffle", "side_effect", "eager_only", "python_random", "stateless_random"}),
    MappingProxyType({
        "tf_print": "`{what}` would print sooner, also for elements that nobody reads",
        "random_layer": "if the consumer stops early, `{what}` has drawn values for elements that nobody read",
    }),
)  # fmt: skip
FURTHER_AHEAD = Change(
    "run at another time", READ_AHEAD.allowed | {"unknown", "overridden", "random_layer"}, READ_AHEAD.reasons
)
_OTHER_DRAWS = "`{what}` gives its random values to other elements, so a seeded run gives different data"
IN_PARALLEL = Change(
    "run several times at once",
    frozenset({"lookup", "side_effect", "eager_only", "python_random", "stateless_random"}),
    MappingProxyType({
        "random": _OTHER_DRAWS,
        "generator": _OTHER_DRAWS,
        "random_layer": _OTHER_DRAWS,
        "tf_print": "`{what}` writes its lines in another order",
        "variable_assign": "`{what}` happens in another order",
        "iterator": "`{what}` hands out values in turn, and parallel calls take them in another order",
        "shuffle": "the `{what}` in the function draws at another time, so a seeded run gives another order",
    }),
)  # fmt: skip
ON_BATCHES = Change("run once for a whole batch", frozenset({"lookup"}))
ONCE = Change("run once instead of in each epoch")

_DOES: Mapping[EffectKind, str] = MappingProxyType({
    "unknown": "tfdata-lint does not know `{what}`, which would then {then}",
    "opaque": "the start of the pipeline is not seen, and would then {then}",
    "overridden": "another class overrides, or may override, `{what}`, which would then {then}",
    "py_function": "`{what}` runs Python code for each element, which would then {then}",
    "from_generator": "`{what}` runs Python code for each element, which would then {then}",
    "variable_read": "the function reads `{what}`, which the program may change, and would then {then}",
    "variable_assign": "the function changes `{what}`, and would then {then}",
    "stateful_layer": "`{what}` may hold variables that the program changes, and would then {then}",
    "iterator": "`{what}` takes elements that others may take, and would then {then}",
    "random": "`{what}` draws from a state that others may draw from, and would then {then}",
    "generator": "`{what}` draws from a state that others may draw from, and would then {then}",
})  # fmt: skip
_ACTS = "`{what}` has an effect of its own, and would then {then}"


def conflict(graph: PipelineGraph, stage: Stage, change: Change) -> str:
    """Why a change would be seen in what a stage does, in one sentence; empty where it would not."""
    for effect in footprint(graph, stage):
        is_allowed = effect.kind in change.allowed and not _keeps_state(effect)
        if is_allowed or _is_settled(graph, effect, change):
            continue
        sentence = change.reasons.get(effect.kind) or _DOES.get(effect.kind, _ACTS)
        return sentence.format(what=effect.what, then=change.then)
    if change is ON_BATCHES and graph.is_imported and stage.function is not None and stage.function.methods:
        # Who inherits from a class, or makes an object of it, may set what its methods compute with.
        _, cls, method = min(stage.function.methods)
        return _DOES["overridden"].format(what=f"{cls}.{method}", then=change.then)
    return ""


def _is_settled(graph: PipelineGraph, effect: Effect, change: Change) -> bool:
    """Is it the same all the same: a layer that nothing changes any more, values without a seed that come sooner?"""
    if effect.kind == "stateful_layer":
        return change in (READ_AHEAD, FURTHER_AHEAD) and is_adapted(effect)
    if effect.kind == "opaque" and change is FURTHER_AHEAD:
        # What a library makes may be filled while it is read, as a replay buffer is.
        return effect.what == "parameter"
    if effect.kind == "random_layer" and change is READ_AHEAD:
        return not graph.seeds and not graph.says("any seed")
    return False


def _keeps_state(effect: Effect) -> bool:
    """Does it draw from a generator of Keras, which all of its functions share?"""
    return effect.kind == "random" and effect.what.startswith(("keras.", "tf.keras."))


def is_adapted(effect: Effect) -> bool:
    """Is it a Keras layer that nothing changes any more?"""
    return re.search(_ADAPTED, effect.what) is not None


def footprint(graph: PipelineGraph, stage: Stage) -> Iterator[Effect]:
    """What running a stage reads, changes and draws besides its elements, its nested pipelines included.

    What is not known is an effect, too.
    """
    yield from effects_seen(stage)
    for argument in stage.arguments.values():
        # Weights that are a dataset of their own.
        if isinstance(argument.value, (Stage, Join)) and all(argument.value is not given for given in stage.inputs):
            for part in upstream(argument.value):
                yield from effects_seen(part)
    for part in (stage, *inside(stage)):
        # An object that is made in what is read has the class that it has.
        methods = part.function.methods if part.function is not None and part.context.root else ()
        for path, cls, method in sorted(methods):
            if graph.overrides(path, cls, method):
                yield Effect("overridden", f"{cls}.{method}", part.span)
        if given := _parameter(graph, part):
            yield Effect("unknown", given, part.span)
        if shared := _written_into(graph, part) or _assigned(graph, part):
            yield Effect("variable_read", shared, part.span, is_guess=True)


def _parameter(graph: PipelineGraph, part: Stage) -> str:
    """A parameter that stands for the function of a stage, or that this calls: callers in other files give others."""
    given = [part.arguments[name].node for name in part.operation.functions[:1] if name in part.arguments]
    scopes = syntax_of(graph.source).scopes
    for node in given if graph.is_imported and part.span.file == graph.file else ():
        called = [node]
        if isinstance(node, ast.Lambda):
            called = [call.func for call in walk(node) if isinstance(call, ast.Call)]
        for one in called:
            # A method is known; an attribute that holds a function may hold another one.
            is_held = isinstance(one, ast.Attribute) and part.function is not None and not part.function.methods
            name = one.value if isinstance(one, ast.Attribute) and is_held else one
            found = scopes.binds(name.id, name) if isinstance(name, ast.Name) else None
            if found is not None and found[0] is not node and any(isinstance(arg, ast.arg) for arg in found[1]):
                return ast.unparse(one)
    return ""


def _assigned(graph: PipelineGraph, part: Stage) -> str:
    """What a function reads that is not seen, or a layer that may be set: where a module assigns variables, to one."""
    if part.function is None or not graph.once(_assigns):
        return ""
    layers = (call.node.func for call in part.function.calls if is_layer_call(call))
    return part.function.unseen or (next(map(ast.unparse, layers), "") if graph.once(_sets_layers) else "")


def _sets_layers(graph: PipelineGraph) -> bool:
    """Does a module set what a layer computes with, or may it, after the layer is made?"""
    return re.search(_SETTING, graph.source.text) is not None


def _assigns(graph: PipelineGraph) -> bool:
    """Does a module assign variables, or take those out of which a model or an optimizer is made?"""
    return re.search(_VARIABLES, graph.source.text) is not None


def _written_into(graph: PipelineGraph, part: Stage) -> str:
    """A table that a source is made of and that is written to, as `table.loc[…] = …`: both may share its memory."""
    argument = part.arguments.get("tensors") if part.op in ("from_tensor_slices", "from_tensors") else None
    return min(names(argument.node) & graph.once(_tables), default="") if argument is not None else ""


def _tables(graph: PipelineGraph) -> set[str]:
    return set(re.findall(r"\b(?=(\w+)(?:\.\w+)+\[[^\n]*\]\s*[-+*/]?=(?!=))", graph.source.text))


def effects_seen(stage: Stage, own: Collection[int] = ()) -> Iterator[Effect]:
    """As far as it is seen. `own`: stages of elements, by `id`."""
    for part in (stage, *inside(stage)):
        if part.is_opaque:
            if id(part) not in own:
                yield Effect("opaque", part.op, part.span)
            continue
        if part.operation.functions:
            yield from _of_function(part)
        if part.op == "from_generator":
            yield Effect("from_generator", part.op, part.span, node=part.node, python=part.python)
        elif part.op in _DRAWING or part.may_shuffle:
            yield Effect("shuffle", part.op, part.span, node=part.node)


def _of_function(part: Stage) -> Iterator[Effect]:
    function = part.function
    if function is None:
        yield Effect("unknown", part.op, part.span)
        return
    yield from function.effects
    guess = next((effect.what for effect in function.effects if effect.is_guess), "")
    if unknown := function.unknown or guess or ("" if function.resolved else function.name):
        yield Effect("unknown", unknown, part.span)
