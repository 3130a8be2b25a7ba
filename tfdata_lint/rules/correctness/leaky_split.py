"""TFD404 leaky-split."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.generators import own_nodes
from tfdata_lint.pipeline.nouns.code import last_name, names
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths, when
from tfdata_lint.pipeline.nouns.purposes import is_evaluated, is_only_evaluated, purpose_of
from tfdata_lint.pipeline.nouns.questions import reshuffles
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Expr
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.source.trees import walk

#: What fixes the order (or may), so that a split after it can be clean.
_FREEZING = frozenset({"cache", "snapshot"})
_PARTS = frozenset({"take", "skip", "shard"})
_RESHUFFLE = "reshuffle_each_iteration"

_TRAINED_ON = (
    "The parts exchange examples in every epoch, so the model trains on validation examples (measured with a"
    " buffer for all of the data: 76–96 % of them, with or without a seed)"
)
#: Of 4 files that are read in turns, as many at a time, 1 element of 40,000 changes sides.
_IN_TURNS = (
    "The files come in another order in every epoch, so the parts exchange examples: many of them where `interleave`"
    " reads a few files at a time, next to none where it reads all in turns"
)
_SCORED = "The parts exchange examples in every pass, so the test data contains examples that the model was chosen by"
#: One order of the elements does not help where the positions differ in each round (measured: all elements are in both
#: parts of 10 elements that are repeated three times and split by three).
_BY_ROUNDS = "Split before `repeat` and `shuffle`, or by something that the element holds, such as a hash of its name"
#: Each iterator of a graph shuffles by itself (measured on 2.21: with the argument alone 49 of 100 are in both parts).
_IN_GRAPHS = ", and a `seed` where the parts have iterators of their own"
#: What puts a list in another order with each call, in place or as a copy; what makes that the same order again.
_MIXING = frozenset({"permutation", "permuted", "sample", "shuffle"})
_SEEDING = frozenset({"seed", "Random", "RandomState", "default_rng"})


class LeakySplit(Rule):
    code = "TFD404"
    name = "leaky-split"
    group = "correctness"
    summary = (
        "`take` and `skip` split data that `shuffle` reorders in every epoch: the model trains on validation examples"
    )
    triggers = ("shuffles from_generator", "take shard enumerate")
    experiment = "parts"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for shuffle in graph.stages:
            if not (reshuffles(shuffle) or _reorders(shuffle)):
                continue
            parts = _split(graph, shuffle)
            if parts is None:
                continue
            one, other = parts
            known = tuple(paths(one))
            leaking = [path for path in known if shuffle in path.stages]
            # One of the forms of data that a function is for, of which nobody is seen to give it this one.
            if len(leaking) < len(known) and any(
                "isinstance" in test.text for path in leaking for test in path.conditions
            ):
                continue
            earlier = list({stage.span: stage for path in leaking for stage in _earlier(shuffle, path)}.values())
            repeats = [stage for path in leaking for stage in path.stages[:-1] if stage.op == "repeat"]
            # Validation and test, of which nothing is trained on.
            only_scored = is_evaluated(graph, shuffle) and (
                is_only_evaluated(graph, shuffle) or (is_evaluated(graph, one) and is_evaluated(graph, other))
            )
            in_turns = shuffle.op == "list_files" and all(map(_reads_in_turns, leaking))
            yield self.finding(
                shuffle.span,
                f"`{shuffle.op}` reorders the data on every epoch before {_named(one, other)} split it"
                + when(leaking, known),
                severity="warning" if only_scored or in_turns else None,
                cost=_SCORED if only_scored else _IN_TURNS if in_turns else _TRAINED_ON,
                advice=_BY_ROUNDS
                if repeats
                else _advice(shuffle, earlier) + _IN_GRAPHS * _is_in_graphs(graph, shuffle),
                confidence="likely" if in_turns else shuffle.confidence,
                related=(
                    Related(one.span, "one part"),
                    Related(other.span, "the other part"),
                    *(Related(stage.span, "reorders the data, too") for stage in earlier),
                ),
                fix=None if repeats else _fix(graph, shuffle, earlier),
            )


def _reads_in_turns(path: Path) -> bool:
    return any(stage.op == "interleave" and stage.literal("cycle_length") != 1 for stage in path.stages)


def _reorders(stage: Stage) -> bool:
    """Does a Python generator loop over what it puts in a new random order each time it is begun?"""
    function = stage.generator
    if function is None or stage.op != "from_generator":
        return False
    nodes = list(own_nodes(function))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if any(last_name(call) in _SEEDING and call.args for call in calls):
        return False
    in_place = [call.args[0] for call in calls if last_name(call) in _MIXING and call.args and not call.keywords]
    assigned = (node for node in nodes if isinstance(node, ast.Assign))
    copies = [node for node in assigned if any(last_name(part) in _MIXING for part in walk(node.value))]
    mixed = names(*in_place, *(target for node in copies for target in node.targets))
    loops = (node for node in nodes if isinstance(node, ast.For))
    return any(
        mixed & names(loop.iter) and any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(loop))
        for loop in loops
    )


def _named(one: Stage, other: Stage) -> str:
    return f"`{one.op}` and `{other.op}`" if one.op != "filter" else "two `filter`s by the number"


def _split(graph: PipelineGraph, shuffle: Stage) -> tuple[Stage, Stage] | None:
    """The first two stages that take complementary parts of what the shuffle gives."""
    todo, seen = [shuffle], {id(shuffle)}
    while todo:
        users = graph.users(todo.pop(0))
        numbered = [after for user in users if user.op == "enumerate" for after in graph.users(user)]
        parts = [user for user in users if user.op in _PARTS] + list(filter(_is_by_number, numbered))
        parts = [part for part in parts if part.span not in graph.lost]
        for one in parts:
            for other in parts:
                if _are_complements(graph, one, other) and _are_used_apart(graph, one, other):
                    return one, other
        for user in users:
            # A later one that reshuffles is looked at by itself.
            if id(user) not in seen and user.op not in _FREEZING and not reshuffles(user):
                seen.add(id(user))
                todo.append(user)
    return None


def _is_by_number(stage: Stage) -> bool:
    """Is it a filter behind `enumerate` that asks for the number, and not for the element?"""
    match stage.result:
        case Expr(by="mapped", of=(_, predicate)) if stage.op == "filter":
            asked = [expr.of[1] for expr in expressions(predicate) if expr.by == "parameter"]
            return bool(asked) and not any(asked)
    return False


def _earlier(shuffle: Stage, path: Path) -> Iterator[Stage]:
    """What reorders the data before the shuffle does, nearest first."""
    for stage in reversed(path.before(shuffle)):
        if stage.op in _FREEZING:
            return
        if reshuffles(stage):
            yield stage


def _are_complements(graph: PipelineGraph, one: Stage, other: Stage) -> bool:
    """`take(n)` and `skip(n)`, two shards of one number, or two filters by the number, that can both happen."""
    if not Facts(one.context.conditions).allow(other.context.conditions):
        return False
    if (one.op, other.op) == ("take", "skip"):
        # Whatever the numbers are, what is trained on and what is evaluated are parts of one order.
        return _is_same(one, other, "count") or _are_trained_and_scored(graph, one, other)
    if (one.op, other.op) == ("skip", "skip"):
        # `skip(offset).take(count)` in each pass of a loop, each from elsewhere.
        is_moved = one.span == other.span and one.literal("count") != other.literal("count")
        return is_moved and _are_trained_and_scored(graph, one, other)
    if (one.op, other.op) == ("filter", "filter"):
        return one.span < other.span and one.arguments["predicate"].written != other.arguments["predicate"].written
    if (one.op, other.op) == ("shard", "shard") and one is not other and _is_same(one, other, "num_shards"):
        first, second = one.literal("index"), other.literal("index")
        return isinstance(first, int) and isinstance(second, int) and first < second
    return False


def _are_trained_and_scored(graph: PipelineGraph, one: Stage, other: Stage) -> bool:
    """Is one part only trained on, and the other one only evaluated?"""
    known = [_purposes(graph, one), _purposes(graph, other)]
    return {"training"} in known and {"evaluation"} in known


def _purposes(graph: PipelineGraph, stage: Stage) -> set[str]:
    """What those who read it do, as far as that is certain."""
    found = [purpose_of(graph, consumer) for consumer in graph.reached(stage)]
    return {purpose.kind for purpose in found if purpose is not None and purpose.is_certain}


def _is_same(one: Stage, other: Stage, parameter: str) -> bool:
    """The same number, or the same expression."""
    if parameter not in one.arguments or parameter not in other.arguments:
        return False
    first, second = one.arguments[parameter], other.arguments[parameter]
    if first.literal is not ... and second.literal is not ...:
        return bool(first.literal == second.literal)
    return first.written == second.written


def _are_used_apart(graph: PipelineGraph, one: Stage, other: Stage) -> bool:
    """Each part goes somewhere of its own, and neither is only looked at."""
    first, second = _uses(graph, one), _uses(graph, other)
    if first is None or second is None:
        return False
    return not first or not second or {id(use) for use in first} != {id(use) for use in second}


def _uses(graph: PipelineGraph, stage: Stage) -> list[Consumer] | None:
    """What consumes a part; None when it is only looked at."""
    consumers = graph.reached(stage)
    used = [consumer for consumer in consumers if consumer.kind not in ("inspection", "cardinality", "len")]
    return None if consumers and not used else used


def _advice(shuffle: Stage, earlier: Sequence[Stage]) -> str:
    if _RESHUFFLE in shuffle.operation.parameters:
        return f"{', '.join(_steps(earlier))}, and shuffle the training part again after the split"
    if shuffle.op == "from_generator":
        return "Shuffle the list once, before the generator is made, or split the list"
    if shuffle.op.endswith("_from_directory"):
        return "Split with `validation_split`, `subset` and a `seed`, or split the list of files"
    return "Pass `shuffle=False`, and add a `shuffle` with `reshuffle_each_iteration=False` before the split"


def _is_in_graphs(graph: PipelineGraph, shuffle: Stage) -> bool:
    """Do iterators of TensorFlow 1 read the parts, and would each draw its own order?"""
    kinds = {consumer.kind for consumer in graph.reached(shuffle)}
    return "make_iterator" in kinds and not shuffle.has("seed")


def _steps(earlier: Sequence[Stage]) -> list[str]:
    names = [f"`shuffle=False` to `{stage.op}`" for stage in earlier if stage.op == "list_files"]
    return [f"Pass `{_RESHUFFLE}=False`", *names]


def _frozen(stage: Stage) -> dict[str, str]:
    """The argument that makes each iteration give one order; none where that needs more."""
    if _RESHUFFLE in stage.operation.parameters:
        return {_RESHUFFLE: "False"}
    return {"shuffle": "False"} if stage.op == "list_files" else {}


@guarded
def _fix(graph: PipelineGraph, shuffle: Stage, earlier: Sequence[Stage]) -> Fix | None:
    """All that reorders the data is frozen: one that is left leaks as before."""
    if _RESHUFFLE not in shuffle.operation.parameters or not all(map(_frozen, earlier)):
        return None
    draft = Draft(graph)
    for stage in (shuffle, *earlier):
        draft.set_arguments(stage, **_frozen(stage))
    return draft.fix(
        "unsafe",
        " and ".join(_steps(earlier)),
        "the order is then the same in every epoch, unless another shuffle follows the split",
    )
