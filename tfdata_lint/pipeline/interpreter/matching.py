"""`match`: which of its patterns a value fits, and what they take out of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial

from tfdata_lint.pipeline.interpreter import branching, declared, names, objects
from tfdata_lint.pipeline.interpreter.folding import compare, is_of
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.nouns.conditions import REMEMBERED, Condition
from tfdata_lint.pipeline.nouns.values import (
    UNKNOWN,
    Class,
    Constant,
    Element,
    Instance,
    Mapping_,
    Sequence,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.source.trees import walk

#: What a pattern binds, by its name.
Taken = dict[str, Value]
_TYPES = {"int": int, "str": str, "float": float, "bool": bool, "bytes": bytes}


def do_match(run: Run, node: ast.Match) -> bool:
    """Execute the arm whose pattern fits; where that is not known, all that may."""
    subject = run.evaluate(node.subject)
    run.recorder.asks(subject)
    if not isinstance(subject, Element):
        # What patterns find in it is not followed.
        run.recorder.misses(node.subject, UNKNOWN)
    text = run.text(node.subject)
    arms: list[tuple[list[Condition], Callable[[], bool]]] = []
    missed: list[Condition] = []
    for case in node.cases:
        taken: Taken = {}
        outcome = fits(run, case.pattern, subject, taken)
        if outcome is False:
            continue
        execute = partial(_arm, run, case, subject, taken if outcome else None)
        if outcome and case.guard is None:
            arms.append((missed, execute))
            break
        pattern = ast.unparse(case.pattern)
        condition = Condition(f"{text} matches {pattern}", True, f"{text} matches {pattern}@{run.identity(subject)}")
        arms.append(([*missed, condition], execute))
        missed = [*missed, condition.negated][-REMEMBERED:]
    else:
        arms.append((missed, lambda: False))
    return branching.fork(run, arms) if len(arms) > 1 else arms[0][1]()


def _arm(run: Run, case: ast.match_case, subject: Value, taken: Taken | None) -> bool:
    for pattern in walk(case.pattern):
        name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
        if isinstance(name, str):
            known = taken.get(name) if taken is not None else subject if pattern is case.pattern else None
            names.assign_name(run, name, Unknown() if known is None else known)
    return run.block(case.body)


def fits(run: Run, pattern: ast.pattern, subject: Value, taken: Taken) -> bool | None:
    """Does a value fit a pattern, if that is known? What it binds then is added to `taken`."""
    run.spend()
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            outcome = True if inner is None else fits(run, inner, subject, taken)
            if name is not None:
                taken[name] = subject
            return outcome
        case ast.MatchValue() | ast.MatchSingleton():
            asked = pattern.value
            other = run.evaluate(asked) if isinstance(asked, ast.expr) else Constant(asked)
            is_other = isinstance(other, Constant) and (_is_plain(subject) or isinstance(subject, (Sequence, Mapping_)))
            return False if is_other else compare(ast.Eq() if isinstance(asked, ast.expr) else ast.Is(), subject, other)
        case ast.MatchOr(patterns=patterns):
            for one in patterns:
                if (outcome := fits(run, one, subject, taken)) is not False:
                    return outcome
            return False
        case ast.MatchSequence(patterns=patterns):
            return _fits_items(run, patterns, subject, taken)
        case ast.MatchMapping():
            return _fits_keys(run, pattern, subject, taken)
        case ast.MatchClass():
            return _fits_class(run, pattern, subject, taken)
    return None


def _all(run: Run, pairs: list[tuple[ast.pattern, Value]], taken: Taken) -> bool | None:
    outcomes = [fits(run, pattern, value, taken) for pattern, value in pairs]
    return False if False in outcomes else None if None in outcomes else True


def _fits_items(run: Run, patterns: list[ast.pattern], subject: Value, taken: Taken) -> bool | None:
    if isinstance(subject, (Mapping_, Constant)) or _is_plain(subject):
        return False
    if not isinstance(subject, Sequence) or subject.rest is not None or not subject.exact:
        return None
    if any(isinstance(one, ast.MatchStar) for one in patterns):
        return None
    if len(patterns) != len(subject.items):
        return False
    return _all(run, list(zip(patterns, subject.items, strict=True)), taken)


def _fits_keys(run: Run, pattern: ast.MatchMapping, subject: Value, taken: Taken) -> bool | None:
    if isinstance(subject, (Sequence, Constant)) or _is_plain(subject):
        return False
    keys = [run.evaluate(key) for key in pattern.keys]
    if not isinstance(subject, Mapping_) or not subject.exact or not all(isinstance(key, Constant) for key in keys):
        return None
    held = [subject.items.get(key.value) for key in keys if isinstance(key, Constant)]
    if None in held:
        return None if subject.rest is not None or subject.spread is not None else False
    return _all(run, [(one, value) for one, value in zip(pattern.patterns, held, strict=True) if value], taken)


def _fits_class(run: Run, pattern: ast.MatchClass, subject: Value, taken: Taken) -> bool | None:
    cls = run.evaluate(pattern.cls)
    kind = _TYPES.get(cls.name.removeprefix("builtins.")) if isinstance(cls, Symbol) else None
    if kind is not None and isinstance(subject, Constant) and isinstance(subject.value, kind):
        return _all(run, [(one, subject) for one in pattern.patterns], taken)
    if kind is not None:
        return False if isinstance(subject, (Constant, Sequence, Mapping_)) or _is_plain(subject) else None
    if not isinstance(cls, Class):
        return None
    if not isinstance(subject, Instance) or not is_of(subject, cls):
        # A member of an enumeration is held as its value.
        is_held = isinstance(subject, (Constant, Sequence, Mapping_))
        return False if _is_plain(subject) or (is_held and objects.is_closed(cls)) else None
    positions = _positions(subject.cls)
    if len(pattern.patterns) > len(positions):
        return None
    asked = [
        *zip(positions, pattern.patterns, strict=False),
        *zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True),
    ]
    return _all(run, [(one, objects.instance_attribute(run, subject, name)) for name, one in asked], taken)


def _is_plain(value: Value) -> bool:
    """Is it an object of a class that is none of a library's, and that compares as objects do?"""
    return isinstance(value, Instance) and objects.is_closed(value.cls) and value.cls.attribute("__eq__") is None


def _positions(cls: Class) -> list[str]:
    """The attributes that patterns without a name stand for: the fields of a dataclass, or `__match_args__`."""
    named = cls.attribute("__match_args__")
    if isinstance(named, Sequence):
        return [str(item.value) for item in named.items if isinstance(item, Constant)]
    return list(declared.fields_of(cls))
