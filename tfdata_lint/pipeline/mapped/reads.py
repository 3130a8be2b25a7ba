"""What a mapped function reads that visibly holds state, in whatever it is kept: variables, tables, optimizers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import EffectKind
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.mapped.layers import is_layer, is_layer_call, made_of
from tfdata_lint.pipeline.mapped.record import Body, Call, makes_tensor, may_be_anything
from tfdata_lint.pipeline.nouns.fold import choices_of
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Constant,
    External,
    Mapping_,
    Method,
    Sequence,
    Symbol,
    Value,
    parts_of,
)
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.source.trees import walk

_HOLDING = (External, Method, Alternatives, Sequence, Mapping_)
#: Types of arrays whose parts are objects.
_OBJECTS = (Symbol("builtins.object"), Symbol("numpy.object_"), Constant("O"), Constant("object"))
#: What holds variables, and what is read of it that is none.
_STATEFUL = re.compile(
    r"tensorflow\.(?:keras\.(?!losses|initializers|utils|datasets|Input|backend|callbacks)|train\.Checkpoint|Module"
    r"|random\.(?:experimental\.)?(?:Generator|get_global_generator)|lookup\.(?:experimental\.)?(?!Static)\w+Table)"
)
_SETTLED = frozenset(
    {"dtype", "compute_dtype", "input_shape", "input_spec", "name", "output_shape", "trainable", "training"}
)
_READS = (ast.Name, ast.Attribute, ast.Subscript)


def reads(body: Body, calls: list[Call]) -> Iterator[Effect]:
    """Reads of visible state that are not calls of its methods: `x * scale`, `table[x]`, `optimizer.iterations`."""
    handed = [(call.node, value) for call in calls for value in call.arguments if isinstance(value, _HOLDING)]
    if not (body.helper_reads or handed) and not any(isinstance(value, _HOLDING) for value in body.constants.values()):
        return
    file = body.span.file if body.span is not None else ""
    parts = list(walk(body.node)) if body.node is not None else []
    # What a call does is recorded by itself.
    called = {id(call.node.func) for call in calls}
    called |= {id(call.node.func.value) for call in calls if isinstance(call.node.func, ast.Attribute)}
    subscripted = {
        id(part.value) for part in parts if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load)
    }
    own = ((part, body.constants.get(id(part))) for part in parts if isinstance(part, _READS))
    seen: set[str] = set()
    for node, read in (*own, *body.helper_reads, *handed):
        is_handed = isinstance(node, ast.Call)
        if id(node) in called or (is_handed and seen):
            # What is handed on has been read by name.
            continue
        for kind in _states(read, is_handed or id(node) in subscripted):
            text = ast.unparse(node)
            if text not in seen:
                seen.add(text)
                yield Effect(kind, text, span_of(node, file), node=node)


def _states(value: Value | None, is_used: bool) -> Iterator[EffectKind]:
    """What reading a value may see change; where it `is_used` as a whole, what is in it as well."""
    for one in within(value, _used_with if is_used else choices_of) if isinstance(value, _HOLDING) else ():
        match one:
            case External(symbol=symbol):
                looked_up = _looked_up(symbol) if is_used else ""
                if known(symbol).role == "variable" or looked_up == "variable_read":
                    yield "variable_read"
                elif looked_up == "lookup":
                    yield "lookup"
            case Method(receiver=External(symbol=symbol), name=name):
                # What is read of a layer, an optimizer, a metric, a checkpoint: its variables.
                if name not in _SETTLED and _STATEFUL.match(plain(symbol)):
                    yield "variable_read"


def _looked_up(symbol: str) -> str:
    return "" if "()" in symbol else known(f"{symbol}().lookup").effect


def _used_with(value: Value | None) -> Iterable[Value]:
    """What is used where a value is used as a whole."""
    if not isinstance(value, External):
        return parts_of(value)
    is_state = known(value.symbol).role == "variable" or _looked_up(value.symbol) in ("variable_read", "lookup")
    return value.given if not is_state and _keeps(value) else ()


def _keeps(made: External) -> bool:
    """May an object hold what it was made of: an object of a class, an array of objects?"""
    is_class = last(made.symbol)[:1].isupper()
    return is_class or not makes_tensor(made.symbol) or any(part in _OBJECTS for part in made.given)


def unseen_in_layers(calls: Iterable[Call]) -> str:
    """The first layer that is made with something of which nothing is known, as written."""
    for call in calls:
        made = call.receiver
        if not isinstance(made, External):
            # One of a class of the project, say.
            is_unseen = is_layer_call(call)
        else:
            is_unseen = is_layer(made) and any(map(may_be_anything, made_of(made)))
        if is_unseen:
            return ast.unparse(call.node.func)
    return ""
