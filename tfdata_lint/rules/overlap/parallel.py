"""What it means to run a function in parallel."""

from __future__ import annotations

from collections.abc import Iterable

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import inside, may_reorder
from tfdata_lint.pipeline.nouns.stages import Stage

#: Options that, when False, leave a pipeline without the rewrites that TensorFlow makes by itself.
REWRITES = ("autotune.enabled", "experimental_optimization.apply_default_optimizations")


def why_unsafe(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    """Why running the function of a stage in parallel changes more than the time it takes, in one of its contexts.

    Empty when it does not.
    """
    return next((reason for stage in stages if (reason := _why_unsafe(graph, stage))), "")


def _why_unsafe(graph: PipelineGraph, stage: Stage) -> str:
    for part in (stage, *inside(stage)):
        if part.is_opaque or (part.operation.functions and (part.function is None or not part.function.resolved)):
            return "what the function does is not fully known"
        if part.op == "from_generator":
            return "several Python generators run at the same time"
        if part is not stage and part.operation.shuffles and part.literal("shuffle", True) is not False:
            return f"the `{part.op}` in its function draws at another time, so a seeded run gives another order"
        effects = part.function.effects if part.function is not None else ()
        if effect := next((effect for effect in effects if effect.kind in _REASONS), None):
            return _REASONS[effect.kind].format(what=effect.what)
    if may_reorder(graph, stage):
        return "`deterministic` is or may be switched off, which only counts in parallel: the order of elements changes"
    return ""


_REASONS: dict[str, str] = {
    "random": "the draws of `{what}` land on other elements, so a seeded run gives other data",
    "generator": "the draws of `{what}` land on other elements, so a seeded run gives other data",
    "random_layer": "the draws of `{what}` land on other elements, so a seeded run gives other data",
    "py_function": "Python state behind `{what}` gets lost in several threads (measured: 100 increments left 50)",
    "variable_read": "`{what}` may change while several elements are in work",
    "variable_assign": "`{what}` happens in another order",
    "tf_print": "`{what}` writes its lines in another order",
    "stateful_layer": "`{what}` may hold variables that several elements change at once",
}
