"""Tests: their outcomes, what they say of names, and the joining of the arms behind them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tfdata_lint.pipeline.interpreter import objects, operators
from tfdata_lint.pipeline.interpreter.folding import negated, positive, truth
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.nouns.conditions import Condition, further
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.values import (
    NOTHING,
    UNKNOWN,
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    Instance,
    Method,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.source.trees import children

Names = dict[str, Value]


def test(run: Run, node: ast.expr) -> tuple[bool | None, list[Condition], list[Condition]]:
    """The outcome of a test if it is known, else the conditions of its two arms."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        outcome, yes, no = test(run, node.operand)
        return (None if outcome is None else not outcome), no, yes
    if isinstance(node, ast.BoolOp):
        return test_several(run, node)
    value = run.evaluate(node)
    operators.apply(run, value)
    outcome = truth(value)
    if outcome is not None:
        return outcome, [], []
    text, holds = run.text(node), not _is_negative(node)
    key = condition_key(run, node)
    condition = Condition(text if holds else positive(text), holds, key, equality_subject(run, node))
    known = run.frame.facts.outcome(condition)
    if known is not None:
        run.relied += 1
        return known == holds, [], []
    run.recorder.asks(value, key)
    return None, [condition], [condition.negated]


def test_several(run: Run, node: ast.BoolOp) -> tuple[bool | None, list[Condition], list[Condition]]:
    is_and = isinstance(node.op, ast.And)
    operators.noted(run, Computed(Expr(type(node.op).__name__, (), node=node)), node)
    open_parts: list[tuple[list[Condition], list[Condition]]] = []
    for part in node.values:
        outcome, yes, no = test(run, part)
        if outcome is (not is_and):
            return outcome, [], []
        if outcome is None:
            open_parts.append((yes, no))
    if not open_parts:
        return is_and, [], []
    if len(open_parts) == 1:
        return None, *open_parts[0]
    whole = Condition(run.text(node), True, condition_key(run, node))
    if is_and:
        return None, [c for yes, _ in open_parts for c in yes], [whole.negated]
    return None, [whole], [c for _, no in open_parts for c in no]


def condition_key(run: Run, node: ast.expr) -> str:
    """Equal for two tests that must have one outcome: same text, same values of the names read."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        whole = run.frame.scope.find(node.id) if isinstance(node, ast.Name) else run.evaluate(node)
        if whole is not None and whole is not UNKNOWN and not isinstance(whole, (Element, Method, Symbol)):
            # The same value by another name is the same test.
            return run.identity(whole)
    known = run.tests.get(id(node))
    if known is None:
        text = run.whole_text(node)
        text = positive(text) if _is_negative(node) else text
        known = run.tests[id(node)] = text, tuple(_what_it_reads(node))
    text, reads = known
    parts: list[str] = []
    for part in reads:
        if isinstance(part, ast.Call):
            parts.append(f"call{next(run.counter)}")
            continue
        if isinstance(part, ast.Attribute):
            value = run.evaluate(part)
            if value is not UNKNOWN and not isinstance(value, (Method, Symbol)):
                parts.append(run.identity(value))
                continue
            part = part.value
        assert isinstance(part, ast.Name)
        found = run.frame.scope.find(part.id)
        if found is None:
            parts.append(part.id)
        elif not isinstance(found, Symbol):
            parts.append(run.identity(found))
    return f"{text}@{','.join(parts)}"


def _is_negative(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.IsNot, ast.NotEq, ast.NotIn))


def _what_it_reads(node: ast.expr) -> Iterator[ast.expr]:
    """What the outcome of a test depends on: names, attributes of names, and calls that may answer differently."""
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Call) and not _is_stable_call(part):
            yield part
        if isinstance(part, ast.Name) or (isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)):
            yield part
        else:
            todo.extend(children(part))


def equality_subject(run: Run, node: ast.expr) -> str:
    """What `x` is in `x == constant` or its negation; empty for other tests."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        value = run.evaluate(node.comparators[0])
        if isinstance(value, Constant) or (isinstance(value, Symbol) and value.name.rpartition(".")[2].isupper()):
            return condition_key(run, node.left)
    return ""


def fork(run: Run, arms: list[tuple[list[Condition], Callable[[], bool]]]) -> bool:
    """Execute alternative arms from one state and join what they leave. True when none reaches its end."""
    frame, scope = run.frame, run.frame.scope
    before, conditions, facts = scope.names, frame.conditions, frame.facts
    results: list[tuple[list[Condition], Names]] = []
    ended: Names = {}
    frame.saved.append(before)
    for given, execute in arms:
        scope.names = dict(before)
        frame.conditions = further(conditions, given)
        frame.facts = facts.given(given)
        if execute():
            # Functions that it has made, and returned, still read its names.
            ended |= {name: value for name, value in scope.names.items() if "." not in name}
        else:
            results.append((given, scope.names))
    frame.saved.pop()
    frame.conditions, frame.facts = conditions, facts
    if not results:
        scope.names = ended | before
        return True
    given, names = results[-1]
    if len(results) == 1 and len(arms) > 1:
        # The other arms do not come back: from here on this arm's conditions hold.
        frame.conditions = further(conditions, given)
        frame.facts = facts.given(given)
    for other, left in reversed(results[:-1]):
        names = join_names(run, before, other, left, given, names)
        given = negated(other)
    scope.names = ended | names
    return False


def join_names(run: Run, before: Names, yes: list[Condition], a: Names, no: list[Condition], b: Names) -> Names:
    """The names after a branch: those on which the arms differ become alternatives."""
    joined = dict(b)
    for name, value in a.items():
        other = b.get(name)
        if other is value:
            continue
        if other is None:
            if "." not in name or not isinstance(run.frame.scope.find(name.partition(".")[0]), Instance):
                # An object holds its attributes itself.
                joined[name] = value
            continue
        joined[name] = result = run.join(yes, value, no, other, before.get(name))
        if "." in name:
            objects.write_back(run, name, result)
    return joined


def _is_stable_call(node: ast.Call) -> bool:
    """A call that gives the same answer twice."""
    match node.func:
        case ast.Name(id="isinstance" | "len" | "hasattr" | "callable" | "bool" | "getattr" | "issubclass"):
            return True
        case ast.Attribute(attr="get" | "startswith" | "endswith" | "lower" | "upper" | "keys"):
            return True
    return False


def narrow_by_test(run: Run, test: ast.expr, outcome: bool) -> None:
    """In an arm of a test, drop the alternatives of the tested name that the test rules out."""
    if isinstance(test, ast.Name):
        _keep(run, test.id, lambda value: truth(value) is not (not outcome))
    elif isinstance(test, ast.UnaryOp):
        if isinstance(test.op, ast.Not):
            narrow_by_test(run, test.operand, not outcome)
    elif isinstance(test, ast.BoolOp):
        if outcome and isinstance(test.op, ast.And):
            for value in test.values:
                narrow_by_test(run, value, True)
    elif isinstance(test, ast.Compare):
        match test:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]
            ):
                is_none = outcome == isinstance(test.ops[0], ast.Is)
                _keep(run, name, lambda value: (value == NOTHING) is is_none)
    elif outcome and isinstance(test, ast.Call):
        match test:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), cls]):
                if isinstance(run.frame.scope.find(name), Unknown) and run.is_dataset_annotation(cls):
                    run.frame.scope.names[name] = run.origin("unresolved", test.args[0])


def _keep(run: Run, name: str, possible: Callable[[Value], bool]) -> None:
    value = run.frame.scope.names.get(name)
    if not isinstance(value, Alternatives):
        return
    left = [b for b in value.branches if isinstance(b.value, (Unknown, Alternatives)) or possible(b.value)]
    if left and len(left) < len(value.branches):
        only = left[0].value
        run.frame.scope.names[name] = only if len(left) == 1 else Alternatives(tuple(left), value.loop)


@recursive
def consistent(run: Run, value: Alternatives) -> Value:
    """The alternatives that the tests made so far leave open."""
    facts = run.frame.facts
    left = [branch for branch in value.branches if facts.allow(branch.conditions)]
    if len(left) == len(value.branches) or not left:
        return value
    run.relied += 1
    if len(left) == 1:
        only = left[0].value
        return consistent(run, only) if isinstance(only, Alternatives) else only
    return Alternatives(tuple(left), value.loop)
