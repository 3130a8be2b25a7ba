"""What a mapped function does besides computing: randomness, Python, variables; what it costs; and all of it together.

The interpreter runs the function's body with `ELEMENT` for its parameters and notes what it sees in a `Body`; here
that record is judged by what is known of the functions it calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.functions import LOGGING_METHODS, RANKS, known
from tfdata_lint.pipeline.knowledge.kinds import Cost, Doing
from tfdata_lint.pipeline.knowledge.names import canonical, displayed, last, plain
from tfdata_lint.pipeline.mapped.batches import batch_safety
from tfdata_lint.pipeline.mapped.features import parsed_by
from tfdata_lint.pipeline.mapped.footprint import UNKNOWN, effects_seen
from tfdata_lint.pipeline.mapped.layers import applied, layers_of
from tfdata_lint.pipeline.mapped.reads import reads, unseen_in_layers
from tfdata_lint.pipeline.mapped.record import (
    Body,
    Call,
    FunctionNode,
    below,
    callables_in,
    called_by,
    is_option,
    is_settings,
    makes_tensor,
)
from tfdata_lint.pipeline.mapped.rows import rows_of
from tfdata_lint.pipeline.mapped.uses import looked_up
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.recursion import recursive, within
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction, PythonFunction, tips, upstream
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    Alternatives,
    Computed,
    Constant,
    Expr,
    External,
    Function,
    Instance,
    Method,
    Parameter,
    Partial,
    Sequence,
    Slice,
    Symbol,
    Unknown,
    Value,
    kinds,
    parts_of,
)
from tfdata_lint.source.trees import walk

#: Names of calls that are no operations of a library.
_NO_LIBRARY = ("builtins.", "?.", "local.")
_NOT_SEEN = ("?.", "local.")
#: Names that say less than the source does.
_NO_NAME = ("Element.", "?.", "local.", "list.", "set.", "dict.", "collections.")
#: What a written call is shown with at most; beyond it only its name is.
_LONGEST_CALL = 60
#: What makes it matter when, and how often, a function is called.
_ACTING: frozenset[str] = frozenset({
    "random", "generator", "random_layer", "stateful_layer", "py_function", "variable_assign", "variable_read",
    "tf_print",
})  # fmt: skip
_ACTING_IN_PYTHON = _ACTING | {"python_random", "side_effect", "changes", "logging"}
#: What makes a tensor or an array of what it is given.
_SPLITTING = ("split", "fold_in", "stateless_split", "stateless_fold_in")
_FREEZING = ("array", "asarray", "cast", "constant", "convert_to_tensor")
#: What may be another one, or do something else, later.
_CHANGEABLE = kinds(Function, Instance, Partial)
_WORKING = (ast.For, ast.While, ast.MatMult)
_COMPUTING = (ast.While, ast.BinOp, ast.AugAssign)
#: Modules that draw, and those whose functions take long.
_ORDERING = ("shuffle", "permutation", "permuted", "sample")
_RANDOM = ("numpy.random.", "random.", "scipy.stats.", "tensorflow.")
_SLOW = ("cv2.", "PIL.", "imageio.", "librosa.", "scipy.", "skimage.", "soundfile.", "np.load")
#: In names of parts of augmentations that draw, unless they always do the same.
_AUGMENTS = (
    r"Random|Flip|Rotate|Affine|Crop(?<!^CenterCrop)|Distort|Jitter|Noise|Blur|Dropout|Brightness|Contrast|Cutout|Hue"
)
#: Ends of names of calls that read the environment.
_OF_ENVIRONMENT = (".expanduser", ".expandvars", ".home")
#: Names of calls that run at tracing only: of Python, of containers, of the element as a dict.
_ARRANGING = ("builtins.", "dict.", "list.", "set.", "tuple.", "str.", "collections.", "copy.", "itertools.", "?.",
              "local.", "Element.pop", "Element.get", "Element.items", "Element.keys", "Element.values",
              "Element.copy", "Element.update", "Element.setdefault", "Element.popitem")  # fmt: skip


def describe_python(body: Body) -> PythonFunction:
    """Judge a function that runs as Python, for every element."""
    acts = next(
        (
            displayed(call.name)
            for call in body.calls
            if known(call.name).effect in _ACTING_IN_PYTHON
            and (known(call.name).effect != "changes" or _is_of_outside(call, body))
        ),
        next((mutation.target for mutation in body.mutations), ""),
    )
    is_known = body.complete and not body.consumed and not any(_may_read_state(call.name) for call in body.calls)
    calls = [(call, displayed(call.name.removesuffix("()"))) for call in body.calls]
    return PythonFunction(
        tuple(body.functions),
        acts,
        is_known and body.node is not None,
        next((name for call, name in calls if _draws(call)), ""),
        any(_draws(call) and isinstance(call.receiver, External) and bool(call.receiver.given) for call in body.calls),
        next((name for call, name in calls if known(call.name).cost in RANKS or name.startswith(_SLOW)), ""),
    )


def _draws(call: Call) -> bool:
    """Does it draw values, for sure, rather than an order or the time?"""
    row = known(call.name)
    if row.role == "augments":
        return any(isinstance(part, External) and _is_drawing(part) for part in within(call.receiver, _made_with))
    return row.effect in ("random", "generator", "random_layer") or (
        row.effect == "python_random" and call.name.startswith(_RANDOM) and last(call.name) not in _ORDERING
    )


def _made_with(value: Value) -> Iterable[Value]:
    return value.given if isinstance(value, External) else parts_of(value)


def _is_drawing(made: External) -> bool:
    """Is it a part of an augmentation that changes some images and others not?"""
    name, chance = last(made.symbol), made.keywords.get("p", Constant(None))
    is_chance = chance == Constant(None) or (isinstance(chance, Constant) and chance.value not in (0, 1))
    return is_chance and re.search(_AUGMENTS, name) is not None


def _may_read_state(name: str) -> bool:
    """May a call give what somebody else has set? Of Python's own library that is asked of the module."""
    row, is_tensorflow = known(name), canonical(name).startswith("tensorflow.")
    if row.effect == "unknown" or name.endswith(_OF_ENVIRONMENT):
        return True
    return row.effect == "pure" and is_tensorflow and not row.proven


def describe(body: Body) -> MappedFunction:
    """Judge a mapped function by what was seen in it."""
    wrapped = [function.node for call in body.calls for function in _wrapped(call)]
    calls = [expanded for call in _outside(body.calls, wrapped) for expanded in _expand(call)]
    effects = [effect for call in calls if (effect := _effect(call, body)) is not None]
    effects += [
        Effect("side_effect", mutation.target, mutation.span, settles=mutation.settles)
        for mutation in body.mutations
        if not any(_covers(node, mutation.span) for node in wrapped)
    ]
    effects += [
        Effect("eager_only", displayed(ast.unparse(found.expr.node)), found.span, node=found.expr.node,
               fails="TypeError", sometimes=found.sometimes)
        for found in looked_up(body.operators) if found.expr.node is not None
    ]  # fmt: skip
    effects += reads(body, calls)
    taken = list(_taken(body))
    effects += [effect for effect in taken if effect.kind not in UNKNOWN]
    effects = list({(effect.kind, effect.what, effect.span): effect for effect in effects}.values())
    resolved = _is_resolved(body, calls) and not any(effect.kind in UNKNOWN for effect in taken)
    cost, heavy = _cost(body, calls, resolved)
    safety, reason = batch_safety(body, tuple(effects), resolved)
    return MappedFunction(
        body.name,
        body.span,
        body.node,
        resolved,
        effects=tuple(effects),
        operations=tuple(plain(call.name) for call in calls if call.name and not call.name.startswith(_NO_LIBRARY)),
        cost=cost,
        heavy=displayed(heavy),
        batch_safety=safety,
        batch_reason=reason,
        unknown=_unknown(calls),
        unseen=body.unseen or unseen_in_layers(calls),
        methods=frozenset(body.methods),
        rows=rows_of(calls, body.operators, body.complete),
        reads_files=any(_reads_files(call.name) for call in calls),
        is_wrapped=body.is_wrapped,
        parsed=tuple(parsed for call in calls if (parsed := parsed_by(call)) is not None),
        calls=tuple(calls),
        operators=tuple(body.operators),
        result=body.result,
        functions=tuple(body.functions),
    )


# ---- which calls count --------------------------------------------------------------------------------------------


def _wrapped(call: Call) -> Iterator[Function]:
    """The Python function under `py_function`/`numpy_function`, when it is seen."""
    value = call.argument(0, "func") if known(call.name).effect == "py_function" else None
    for found in callables_in(value) if value is not None else ():
        function = below(found)
        if isinstance(function, Function):
            yield function


def _outside(calls: Iterable[Call], wrapped: list[FunctionNode]) -> list[Call]:
    """The calls that are not made inside of these functions: those run as Python, for every element."""
    inside = {id(part) for node in wrapped for part in walk(node) if isinstance(part, ast.Call)}
    return [call for call in calls if id(call.node) not in inside]


def _expand(call: Call) -> Iterator[Call]:
    """A call, and those of the library functions handed to it: `tf.map_fn(tf.io.decode_jpeg, x)`."""
    yield call
    handed = called_by(call.name, call.positional, call.keywords)
    for function in handed:
        if name := _callee(below(function)):
            yield call._replace(name=name, positional=(ELEMENT,), keywords={})
    if known(call.name).calls:
        return
    # An unknown callee may call any function passed to it.
    for function in (found for value in call.arguments for found in callables_in(value)):
        if known(name := _callee(below(function))).effect in _ACTING:
            yield call._replace(name=name, positional=(ELEMENT,), keywords={})


def _callee(value: Value) -> str:
    """The name under which a call of a library's function or object is noted."""
    match value:
        case Symbol(name):
            return name
        case External(symbol=symbol):
            return f"{symbol}()"
        case Method(receiver=External(symbol=symbol), name=name):
            return f"{symbol}().{name}"
    return ""


def _is_resolved(body: Body, calls: list[Call]) -> bool:
    """Is every call known, and was every function followed?"""
    if not body.complete or (body.node is None and not calls):
        return False
    return all(known(call.name).effect != "unknown" and not _holds_unfollowed(call, body) for call in calls)


def _holds_unfollowed(call: Call, body: Body) -> bool:
    """Is a project function handed to this call whose own calls were not met?"""
    if known(call.name).effect == "py_function":
        return False
    for value in call.arguments:
        for function in map(below, callables_in(value)):
            if isinstance(function, Function):
                inner = {id(part) for part in walk(function.node) if isinstance(part, ast.Call)}
                if inner and inner.isdisjoint(_met(body)):
                    return True
    return False


def _met(body: Body) -> Iterator[int]:
    """The calls of a body, those of what it was followed into included, by `id`."""
    yield from (id(call.node) for call in body.calls)
    yield from (id(part) for function in body.functions for part in walk(function) if isinstance(part, ast.Call))


def _covers(node: ast.AST, span: Span) -> bool:
    first, last_row = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return bool(first <= span.row and span.end_row <= last_row)


def _cost(body: Body, calls: list[Call], resolved: bool) -> tuple[Cost, str]:
    """What it costs for each element, and the most expensive call (the first of several equals) where that is much."""
    works = [("trivial" if _draws_one(call) else known(call.name).cost, call.name) for call in calls]
    heavy = [(RANKS[work], name) for work, name in works if work in RANKS]
    if heavy:
        return "heavy", min(heavy, key=lambda found: found[0])[1]
    if not resolved:
        return "unknown", ""
    is_trivial = all(work == "trivial" for work, _ in works) and not _works_without_calls(body, calls)
    return "trivial" if is_trivial else "light", ""


def _draws_one(call: Call) -> bool:
    """Does it draw a single number?"""
    shape = call.argument(0, "shape")
    is_drawn = known(call.name).effect in ("random", "generator", "stateless_random")
    return is_drawn and isinstance(shape, Sequence) and not shape.items and shape.rest is None


def _works_without_calls(body: Body, calls: list[Call]) -> bool:
    """Matrix products do, and loops; but not one over a container that only arranges what is in it."""
    parts = list(walk(body.node)) if body.node is not None else []
    if not any(isinstance(part, _WORKING) for part in parts):
        return False
    arranges = all(call.name.startswith(_ARRANGING) for call in calls)
    return not arranges or any(isinstance(part, _COMPUTING) for part in parts)


def _reads_files(name: str) -> bool:
    """Does a call build a dataset over record or text files?"""
    operation = operations.lookup(name)
    return operation is not None and operation.reads not in ("", "files")


# ---- what they do -------------------------------------------------------------------------------------------------

#: What is told the same once more is what it was.
_TOLD_AGAIN = frozenset({"set.add", "set.discard", "set.update", "dict.pop", "dict.setdefault", "dict.update"})
#: Where layers take their seed, if not behind their first argument.
_SEEDS = {"RandomCrop": 2, "RandomRotation": 3, "RandomTranslation": 4, "RandomZoom": 4}
_LayerKind = Literal["pure", "random_layer", "stateful_layer"]


def _effect(call: Call, body: Body) -> Effect | None:
    """What a call does besides computing from its arguments."""
    seeded = False
    wrapped: ast.AST | None = None
    kind: Doing = known(call.name).effect
    match kind:
        case "changes":
            kind = "side_effect" if _is_of_outside(call, body) else "pure"
        case "logging":
            kind = "side_effect" if last(call.name) in LOGGING_METHODS and call.takes_element else "pure"
        case "python":
            kind = "eager_only" if call.takes_element else "pure"
        case "python_random" if known(call.name).role == "arrays" and call.takes_element:
            kind = "eager_only"
        case "random":
            seeded = _is_seeded(call)
        case "stateless_random":
            seed = call.argument(known(call.name).seed, "seed")
            seeded = seed is not None and _is_fixed(seed, {id(other.node) for other in body.calls})
        case "py_function":
            wrapped = next((function.node for function in _wrapped(call)), None)
        case "pure" if call.name.endswith("()"):
            kind = _layer_kind("pure", call)
        case "stateful_layer" | "random_layer":
            kind = _layer_kind(kind, call)
            seeded = kind == "random_layer" and is_seeded_layer(call.receiver)
    if kind == "pure" or kind == "unknown":
        return None
    fails = known(call.name).fails if kind == "eager_only" else ""
    return Effect(
        kind,
        _what(call),
        call.span,
        seeded,
        call.node,
        wrapped,
        call.python,
        call.name.startswith(_NOT_SEEN),
        fails,
        call.sometimes,
        settles=kind == "side_effect" and call.name in _TOLD_AGAIN and not call.takes_element,
    )


def _what(call: Call) -> str:
    """The call as the field writes it; a method of what has no name of its own as it stands in the source."""
    if not call.name.startswith(_NO_NAME):
        return displayed(call.name)
    text = ast.unparse(call.node.func)
    return text if len(text) <= _LONGEST_CALL else displayed(call.name)


def _is_seeded(call: Call) -> bool:
    """Is an op seed given that is known not to be None?"""
    value = call.argument(known(call.name).seed, "seed")
    if value == Constant(0) and known(call.name).role == "zero_is_no_seed":
        return False
    return value is not None and _is_given(value)


@recursive
def _is_given(value: Value) -> bool:
    """Is a value known and not None?"""
    if isinstance(value, Alternatives):
        return all(_is_given(branch.value) for branch in value.branches)
    return not isinstance(value, Unknown) and value != Constant(None)


@recursive
def _is_fixed(value: Value, inside: set[int]) -> bool:
    """Is a value the same for every element: a literal, what is computed of such, what was drawn before?"""
    match value:
        case Constant(inner):
            return inner is not None
        case Symbol() | Slice():
            return True
        case Parameter(default=default):
            # Whoever gives it gives a number of Python, as the default is one.
            return default != Constant(None)
        case _ if is_settings(value) or is_option(value):
            return True
        case Computed(expr=expr):
            return _is_fixed(expr, inside)
        case Sequence(items=items, rest=None):
            return bool(items) and all(_is_fixed(item, inside) for item in items)
        case Expr(by=by, of=of, named=named):
            is_computed = "." not in by or known(by).is_pure or last(by) in _FREEZING
            return is_computed and by != "parameter" and all(_is_fixed(one, inside) for one in (*of, *named.values()))
        case External(symbol=symbol, arguments=arguments, given=given):
            if last(symbol) in _FREEZING and arguments:
                return _is_fixed(arguments[0], inside)
            if known(symbol).effect in ("random", "generator", "python_random"):
                return id(value.call) not in inside
            return (known(symbol).is_pure or last(symbol) in _SPLITTING) and all(
                _is_fixed(one, inside) for one in given
            )
    return False


def _is_of_outside(call: Call, body: Body) -> bool:
    """Was the container whose method this is made outside of the function?"""
    if not call.name.startswith("collections."):
        return True
    receiver = body.constants.get(id(call.node.func.value)) if isinstance(call.node.func, ast.Attribute) else None
    return isinstance(receiver, External) and all(receiver.call is not other.node for other in body.calls)


def _layer_kind(kind: _LayerKind, call: Call) -> _LayerKind:
    """A Keras layer or model by what it was made with: its layers, `mean=`/`variance=`, `training=False`."""
    if kind != "pure" and call.keywords.get("training") == Constant(False):
        return "stateful_layer"
    return made_kind(call.receiver, kind) if isinstance(call.receiver, External) else kind


@recursive
def is_seeded_layer(made: Value | None) -> bool:
    """Is a layer, or one of a `Sequential`, given a seed; or is it not seen how it is made?"""
    if not isinstance(made, External) or made.further:
        return True
    name = last(made.symbol)
    if name == "Sequential":
        layers = layers_of(made)
        return layers is None or any(map(is_seeded_layer, layers))
    return "seed" in made.keywords or len(made.arguments) > _SEEDS.get(name, 1)


@recursive
def made_kind(made: External, kind: _LayerKind) -> _LayerKind:
    """The most telling kind among the layers of a `Sequential`, else that of the layer itself."""
    name = last(made.symbol)
    if applied(made) is not None:
        # What its function does is recorded by itself.
        return "pure"
    if (kind == "pure" or name == "Normalization") and any(map(_may_be_changed, made.given)):
        return "stateful_layer"
    if name == "Normalization":
        return "pure" if {"mean", "variance"} <= made.keywords.keys() else kind
    layers = layers_of(made)
    if layers is None:
        return kind
    kinds: set[_LayerKind] = set()
    for layer in layers:
        if not isinstance(layer, External):
            return kind
        effect = known(f"{layer.symbol}()").effect
        own: _LayerKind = effect if effect in ("pure", "random_layer") else "stateful_layer"
        kinds.add(made_kind(layer, own))
    if "random_layer" in kinds:
        return "random_layer"
    return "pure" if kinds <= {"pure"} else kind


def _may_be_changed(given: Value) -> bool:
    """Is a layer made with what changes, or may do something else, later: a variable, a function of the project?"""
    return any(
        known(part.symbol).role == "variable" if isinstance(part, External) else type(part) in _CHANGEABLE
        for part in within(given, parts_of)
    )


def _taken(body: Body) -> Iterator[Effect]:
    """What taking elements of datasets does."""
    for dataset, node, span, goes_on in body.consumed:
        text = ast.unparse(node) if isinstance(node, ast.expr) else ""
        what = text if 0 < len(text) <= _LONGEST_CALL else next(tips(dataset)).op
        if goes_on:
            yield Effect("iterator", what, span, node=node)
            continue
        for effect in (effect for stage in upstream(dataset) for effect in effects_seen(stage, body.own)):
            is_of_order = effect.kind in ("shuffle", "from_generator")
            yield Effect("iterator", what, span, node=node) if is_of_order else effect


def _unknown(calls: Iterable[Call]) -> str:
    """The first call that is in no catalog, or that is not known to compute from its arguments alone, as written."""
    for call in calls:
        row = known(call.name)
        if row.effect == "unknown" or (row.effect == "pure" and not _is_proven(call.name)):
            return _what(call)
    return ""


def _is_proven(name: str) -> bool:
    """Is a function known to compute from its arguments alone, or a method of what one made?"""
    made, of, _ = name.partition("().")
    return known(name).proven or bool(of and (makes_tensor(made) or known(made).calls))
