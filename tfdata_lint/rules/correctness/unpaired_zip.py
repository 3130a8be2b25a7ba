"""TFD418 unpaired-zip."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.role import roles
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import items, last_name, names, parameters_of
from tfdata_lint.pipeline.nouns.conditions import Facts
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.purposes import words
from tfdata_lint.pipeline.nouns.questions import CACHES, MIXTURES, mentions, reshuffles
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, MappedFunction, Stage, upstream
from tfdata_lint.pipeline.nouns.values import External, Mapping_, Sequence as Sequence_, parts_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import walk

#: What neither leaves out elements nor puts them in another order.
_KEEPING = frozenset({"map", "batch", "padded_batch", "unbatch", "prefetch", "with_options", "repeat", "enumerate"})
_SEEDS = ("seed", "shuffle_seed")
_BUFFERS = ("buffer_size", "shuffle_buffer_size")
#: Sources that give the same order each time, if nothing else is said.
_ORDERED = frozenset({"from_tensor_slices", "list_files", "TFRecordDataset", "TextLineDataset", "CsvDataset", "range"})

_FEATURES = frozenset({"image", "images", "img", "imgs", "x", "feature", "features", "input", "inputs", "wav", "audio"})
_TARGETS = frozenset({"label", "labels", "lbl", "y", "mask", "masks", "target", "targets", "annotation", "annotations"})
#: Other examples are what is wanted: domains of a GAN, negatives, partners to mix with.
_DELIBERATE = frozenset({
    "unpaired", "mix", "mixup", "cutmix", "mosaic", "random", "negative", "negatives", "neg", "fake", "noise", "wrong",
    "mismatched", "shuffled", "permuted", "gan", "cyclegan", "domain", "style", "unlabeled", "unlabelled",
})  # fmt: skip

#: Inputs of a `zip` that are compared with one another.
_COMPARED = 8
#: Networks that take examples of two domains, which need not be pairs.
_ADVERSARIES = ("cyclegan", "cycle_gan", "discriminator", "adversarial", "domain")


#: What makes a tensor of one number.
_SAME = frozenset({"ones", "zeros", "ones_like", "zeros_like", "fill", "full"})


class _Branch(NamedTuple):
    """A way to an input, and the words in its names."""

    path: Path
    names: frozenset[str]


class _Parting(NamedTuple):
    """Where two branches get different orders, and how sure it is that one belongs to the other."""

    shuffle: Stage
    one: Stage
    other: Stage
    is_one_shuffle: bool
    is_proven: bool


class UnpairedZip(Rule):
    code = "TFD418"
    name = "unpaired-zip"
    group = "correctness"
    experiment = "partners"
    summary = "`zip` pairs branches that are shuffled separately: images get the labels of other images"
    triggers = ("zip", "shuffles")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.op != "zip" or stage.context.in_test or any(map(_is_one_value, stage.inputs)):
                continue
            parting = _parting(graph, stage) if not _is_mixed(graph, stage) else None
            if parting is not None and (parting.is_proven or not mentions(graph, _ADVERSARIES)):
                yield self._report(stage, parting)

    def _report(self, stage: Stage, parting: _Parting) -> Finding:
        shuffle = parting.shuffle
        if parting.is_one_shuffle:
            seen = f"`zip` pairs two branches of one `{shuffle.op}`, which puts each in another order"
            cost = "Nearly all pairs are wrong, with or without a seed (measured: 1 of 100 matches)"
        else:
            seen = f"`zip` pairs inputs that belong together, but `{shuffle.op}` reorders one differently"
            cost = "Nearly all pairs are wrong (measured: 1 of 100 matches)"
        return self.finding(
            stage.span,
            seen,
            severity=None if parting.is_proven else "warning",
            cost=cost,
            advice=_advice(parting),
            confidence=shuffle.confidence if parting.is_proven else "likely",
            related=tuple(_related(parting)),
        )


def _is_mixed(graph: PipelineGraph, stage: Stage) -> bool:
    """Does a function behind it say that it mixes the two: `lambda one, other: cut_mix(one, other)`?"""
    functions = [user.function for user in graph.users(stage) if user.function is not None]
    calls = (node for function in functions if function.node for node in walk(function.node))
    called = [last_name(call) for call in calls if isinstance(call, ast.Call)]
    return bool(words(*(function.name for function in functions), *called) & _DELIBERATE)


def _is_one_value(given: Dataset) -> bool:
    """Are its elements all the same, such as the label of one class? Any order of them will do."""
    for source in (path.stages[0] for path in paths(given)):
        argument = source.arguments.get("tensors")
        # A name may stand for any data, also where an example makes it up.
        value = argument.value if argument is not None and isinstance(argument.node, ast.Call) else None
        if not isinstance(value, External) or last(value.symbol) not in _SAME:
            return False
    return True


def _related(parting: _Parting) -> Iterator[Related]:
    """Where the branches part."""
    yield Related(
        parting.shuffle.span, "each branch iterates over this again" if parting.is_one_shuffle else "shuffled here"
    )
    ends = (parting.one, "one branch"), (parting.other, "the other branch")
    yield from (Related(end.span, name) for end, name in ends if end is not parting.shuffle)


def _advice(parting: _Parting) -> str:
    if "reshuffle_each_iteration" in parting.shuffle.operation.parameters:
        if parting.is_one_shuffle:
            return "Return pairs from one `map`, or pass `reshuffle_each_iteration=False`"
        return "Shuffle the pairs after the `zip`, or shuffle both inputs with one seed and one buffer size"
    if parting.is_one_shuffle:
        return "Return pairs from one `map`, or pass `shuffle=False` and shuffle after the `zip`"
    return "Pass `shuffle=False` to both, and shuffle the pairs after the `zip`"


def _parting(graph: PipelineGraph, stage: Stage) -> _Parting | None:
    """The first two inputs that are shuffled apart on some way, though they belong together."""
    if not any(part.may_shuffle for part in upstream(*stage.inputs)):
        return None
    known = [paths(given, stage.context.conditions) for given in stage.inputs]
    branches = [
        [_Branch(path, _names(path, name, *taken)) for path in ways]
        for ways, name, taken in zip(known, _given(stage), _taken_as(graph, stage), strict=True)
    ]
    places = _places(stage)
    taken = roles(graph, stage, list(dict.fromkeys(places)))
    inputs = list(zip(places, branches[:_COMPARED], strict=False))
    for (here, ones), (there, others) in combinations(inputs, 2):
        stage.spend(len(ones) * len(others))
        # One is what is learned from the other, alone or with further inputs that have an order of their own too.
        is_fitted = any(
            (here in one and there in other) and not one & other and _all_apart(inputs, one, other)
            for one, other in permutations(taken, 2)
        )
        for one in ones:
            facts = Facts((*stage.context.conditions, *one.path.conditions))
            for other in others:
                if facts.allow(other.path.conditions) and (parting := _compare(one, other, is_fitted)):
                    return parting
    return None


def _all_apart(inputs: Sequence[tuple[Any, list[_Branch]]], one: frozenset[Any], other: frozenset[Any]) -> bool:
    """Has each input of one role another order than each of the other? What has that of one may be its own partner."""
    if len(one) == len(other) == 1:
        return True
    firsts, seconds = ([ways for place, ways in inputs if place in role] for role in (one, other))
    pairs = [(first, second) for first in firsts for second in seconds]
    return all(len(first) == len(second) == 1 and _compare(first[0], second[0], True) for first, second in pairs)


def _compare(one: _Branch, other: _Branch, is_fitted: bool) -> _Parting | None:
    shared = _shared(one.path, other.path)
    common, mine, theirs = one.path.stages[:shared], one.path.stages[shared:], other.path.stages[shared:]
    if any(stage.op in MIXTURES for stage in (*mine, *theirs)) or (one.names | other.names) & _DELIBERATE:
        return None
    is_named, is_proven = is_fitted or _are_named(one.names, other.names), _take_apart(mine, theirs)
    if _orders(mine) or _orders(theirs):
        # What is shuffled once more on its own may be meant for another partner.
        return _apart(one.path, other.path, mine, theirs) if is_named or is_proven else None
    shuffle = unfrozen(common)
    if shuffle is None or not all(stage.op in _KEEPING for stage in (*mine, *theirs)):
        return None
    if _is_seeded(shuffle) and shuffle.context.definition and not _begin_with_one(mine, theirs):
        # Two calls of a function with one seed give one order.
        return None
    # `zip((ds, ds.map(f)))` joins what is given with what is made of it.
    is_made_of_it = bool(_functions(mine)) != bool(_functions(theirs))
    if not (is_proven or is_named or is_made_of_it):
        return None
    return _Parting(shuffle, (*common, *mine)[-1], (*common, *theirs)[-1], True, is_proven)


def _begin_with_one(mine: Sequence[Stage], theirs: Sequence[Stage]) -> bool:
    """Do both branches begin with one variable, or is one of them that itself?"""
    if not mine or not theirs:
        return True
    return mine[0].receiver == theirs[0].receiver != ""


def _apart(one: Path, other: Path, mine: Sequence[Stage], theirs: Sequence[Stage]) -> _Parting | None:
    """Each has shuffles of its own, or only one has."""
    first, second = _orders(mine), _orders(theirs)
    if not _differ(first, second) or not ((first and second) or _is_ordered(other if first else one)):
        return None
    return _Parting((first or second)[-1], one.stages[-1], other.stages[-1], False, False)


def _shared(one: Path, other: Path) -> int:
    """How many stages from the source on two paths have in common."""
    pairs = zip(one.stages, other.stages, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a is not b), min(len(one.stages), len(other.stages)))


def unfrozen(stages: Sequence[Stage]) -> Stage | None:
    """The last shuffle that gives each reader another order; a cache gives all the same, once it is filled."""
    for stage in reversed(stages):
        if stage.op in CACHES:
            return None
        if reshuffles(stage):
            return stage
    return None


def _orders(stages: Sequence[Stage]) -> list[Stage]:
    return [stage for stage in stages if stage.may_shuffle]


def _differ(first: Sequence[Stage], second: Sequence[Stage]) -> bool:
    """Are two inputs shuffled differently for sure? One seed and one buffer give one order, in each epoch."""
    if any(stage.open_arguments or stage.literal("shuffle", True) is ... for stage in (*first, *second)):
        return False
    return len(first) != len(second) or any(map(_draw_differently, first, second))


def _draw_differently(one: Stage, other: Stage) -> bool:
    if not _is_seeded(one) or not _is_seeded(other):
        return True
    for name in (*_SEEDS, *_BUFFERS):
        first, second = one.literal(name), other.literal(name)
        if first is not ... and second is not ... and first != second:
            return True
    return False


def _is_seeded(stage: Stage) -> bool:
    return any(stage.literal(seed) is not None for seed in _SEEDS)


def _is_ordered(path: Path) -> bool:
    source = path.stages[0]
    return source.op in _ORDERED and not source.is_parallel and not _orders(path.stages)


def _functions(stages: Sequence[Stage]) -> list[MappedFunction]:
    return [stage.function for stage in stages if stage.op == "map" and stage.function is not None]


def _take_apart(mine: Sequence[Stage], theirs: Sequence[Stage]) -> bool:
    """Do the first functions in which two branches differ read different parts of one element?"""
    for one, other in zip(_functions(mine), _functions(theirs), strict=False):
        if one.node is None or one.node is not other.node:
            first, second = _parts_read(one.node), _parts_read(other.node)
            return bool(first and second and first.isdisjoint(second))
    return False


def _are_named(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Do the names on two branches say that one has the examples and the other what they are to give?"""
    one, other = mine - theirs, theirs - mine
    return bool(one & _FEATURES and other & _TARGETS) or bool(one & _TARGETS and other & _FEATURES)


def _names(path: Path, *given: str) -> frozenset[str]:
    """The words in what an input is called, and in the names of what it is made of."""
    names = [*given, path.stages[-1].context.definition]
    for stage in path.stages:
        names += [stage.receiver, stage.function.name if stage.function else ""]
    for argument in path.stages[0].arguments.values():
        names += [argument.written, argument.literal if isinstance(argument.literal, str) else ""]
    return words(*names)


def _given(stage: Stage) -> list[str]:
    """What the inputs are called."""
    match stage.node:
        case ast.Call(args=[ast.Dict(keys=keys)]):
            found = [ast.unparse(key) for key in keys if key is not None]
        case ast.Call(args=[one]):
            found = items(one)
        case ast.Call(args=several):
            found = [ast.unparse(part) for part in several]
        case _:
            found = []
    if len(found) != len(stage.inputs):
        # A dict that is made elsewhere has keys all the same.
        found = [str(place) for place in _places(stage)]
    return found if len(found) == len(stage.inputs) else [""] * len(stage.inputs)


def _taken_as(graph: PipelineGraph, stage: Stage) -> list[list[str]]:
    """What functions and loops call each input; there x and y are often two of a kind."""
    found: list[list[str]] = [[] for _ in stage.inputs]
    nodes = [user.function.node for user in graph.users(stage) if user.function is not None]
    for node in (*nodes, *(consumer.node for consumer in graph.consumers_of(stage))):
        match node:
            case ast.FunctionDef(args=taken) | ast.Lambda(args=taken):
                several = [part.arg for part in taken.args if part.arg != "self"]
            case ast.For(target=ast.Tuple(elts=parts)):
                several = [ast.unparse(part) for part in parts]
            case _:
                several = []
        for called, name in zip(found, several if len(several) == len(found) else [], strict=False):
            called += [name] if all(len(word) > 1 for word in words(name)) else []
    return found


def _places(stage: Stage) -> list[Any]:
    """In which part of the tuples, or dicts, the inputs are: 0, 0 and 1 of `zip(((a, b), c))`."""
    argument = stage.arguments.get("datasets")
    if argument is not None and isinstance(argument.value, Mapping_) and len(argument.value.items) == len(stage.inputs):
        return list(argument.value.items)
    if argument is None or not isinstance(argument.value, Sequence_):
        return list(range(len(stage.inputs)))
    counts = [sum(isinstance(part, (Stage, Join)) for part in within(item, parts_of)) for item in argument.value.items]
    return [place for place, count in enumerate(counts) for _ in range(count)]


def _parts_read(function: ast.AST | None) -> frozenset[object] | None:
    """Which parts of its element a function reads: parameters by position, or keys of its only one; None if all."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) or function.args.kwonlyargs:
        return None
    body = function.body if isinstance(function.body, list) else [function.body]
    given = parameters_of(function)
    if function.args.vararg is not None and not given:
        # `lambda *x: x[0]`
        given = [function.args.vararg.arg]
    elif function.args.vararg is not None or not given:
        return None
    if len(given) > 1:
        read = names(*body)
        return frozenset(position for position, name in enumerate(given) if name in read)
    keys = {id(node.value): node.slice for part in body for node in walk(part) if isinstance(node, ast.Subscript)}
    uses = [node for part in body for node in walk(part) if isinstance(node, ast.Name) and node.id == given[0]]
    found = [key.value for use in uses if isinstance(key := keys.get(id(use)), ast.Constant)]
    return frozenset(found) if len(found) == len(uses) else None
