"""Statements: what each kind of them does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence as Seq
from functools import partial
from typing import Any

from tfdata_lint.pipeline.interpreter import (
    branching,
    calls,
    containers,
    fields,
    losing,
    matching,
    names,
    objects,
    operators,
)
from tfdata_lint.pipeline.interpreter.folding import fold_binary, negated
from tfdata_lint.pipeline.interpreter.frames import Frame, OutOfFuel, Scope
from tfdata_lint.pipeline.interpreter.inspection import ends_program, is_inspection, is_test_name
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.kinds import ConsumerKind
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.conditions import REMEMBERED, Condition
from tfdata_lint.pipeline.nouns.loops import passes
from tfdata_lint.pipeline.nouns.stages import Context, Dataset, Join, Loop, Stage
from tfdata_lint.pipeline.nouns.values import (
    NOTHING,
    Branch,
    Class,
    Constant,
    Element,
    External,
    Function,
    Mapping_,
    Sequence,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.bindings import assigned, counted_in
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.source.trees import children

#: Statements of a loop that is run for each of many columns.
_SHORT_LOOP = 3


def block(run: Run, body: Seq[ast.stmt]) -> bool:
    """Execute statements. True when control does not reach their end."""
    is_own = run.unit is run.main and (run.frame.standalone or run.frame.scope is run.module)
    for node in body:
        if is_own:
            run.row = node.lineno
        # As `spend`, without a call for each statement.
        run.fuel -= 1
        if run.fuel < 0:
            raise OutOfFuel
        if isinstance(node, ast.Expr):
            if not isinstance(node.value, ast.Constant):
                value = run.evaluate(node.value)
                if isinstance(value, (Stage, Join)):
                    losing.lose(run, node, value, body)
                elif isinstance(node.value, (ast.ListComp, ast.IfExp, ast.BoolOp)):
                    for dataset in run.datasets_in(value):
                        losing.lose(run, node, dataset, body)
                elif isinstance(node.value, ast.Call) and ends_program(run.frame.scope, node.value):
                    # The cells of a notebook are run all the same, one by one.
                    if run.source.kind != "notebook":
                        return True
            continue
        handler = HANDLERS.get(type(node))
        if handler is not None:
            if handler(run, node):
                return True
        elif not isinstance(node, ast.Pass):
            run.recorder.loses_track()
    return False


def do_function(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    owner = run.frame.function
    prefix = f"{run.frame.definition}." if run.frame.definition else ""
    function = Function(node, run.frame.scope, prefix + node.name, owner=owner.owner if owner else None)
    run.frame.defined.append(function)
    earlier = run.frame.scope.names.get(node.name)
    if run.frame.scope is run.module and isinstance(earlier, Function) and earlier.node is not node:
        run.forget()
    value: Value = function
    for decorator in reversed(node.decorator_list):
        value = calls.decorate(run, value, decorator)
    names.assign_name(run, node.name, value)


def do_class(run: Run, node: ast.ClassDef) -> None:
    prefix = f"{run.frame.definition}." if run.frame.definition else ""
    bases = tuple(
        fields.made_class(run, run.evaluate(base)) for base in node.bases if not isinstance(base, ast.Starred)
    )
    scope = Scope(parent=run.frame.scope, is_class=True)
    run.graph.keep(scope)
    cls = Class(node, run.frame.scope, prefix + node.name, bases)
    run.graph.keep(cls)
    outer = run.frame
    in_test = outer.in_test or is_test_name(node.name)
    run.frame = Frame(scope, cls.name, facts=outer.facts, in_test=in_test, root=outer.root)
    try:
        run.block(node.body)
        outer.defined += [function for function in run.frame.defined if isinstance(function.node, ast.Lambda)]
    finally:
        run.frame = outer
    for name, value in scope.names.items():
        if isinstance(value, Function) and value.owner is None and value.node in node.body:
            value = value.copy()
            value.owner = cls
        cls.attributes[name] = value
    if objects.is_dataset_class(cls):
        run.graph.overridden |= cls.attributes.keys() & operations.METHODS.keys()
    decorated: Value = cls
    # Of other modules those count that fill a table.
    for decorator in reversed(node.decorator_list) if run.filling or run.unit is run.main else ():
        decorated = calls.decorate(run, decorated, decorator)
    names.assign_name(run, node.name, decorated)


def do_return(run: Run, node: ast.Return) -> bool:
    value = run.evaluate(node.value) if node.value is not None else Constant(None)
    frame = run.frame
    frame.returns.append(Branch(frame.conditions, value))
    if frame.standalone:
        containers.escape(value)
        for dataset in run.datasets_in(value):
            run.consume("return", dataset, node, span_of(node, run.file))
    return True


def do_assign(run: Run, node: ast.Assign) -> None:
    value = run.evaluate(node.value)
    for target in node.targets:
        names.assign(run, target, value, node)


def do_annotated(run: Run, node: ast.AnnAssign) -> None:
    if node.value is None:
        return
    value = run.evaluate(node.value)
    if isinstance(value, (Unknown, External)) and run.is_dataset_annotation(node.annotation):
        value = run.origin("unresolved", node.value)
    names.assign(run, node.target, value, node)


def do_augmented(run: Run, node: ast.AugAssign) -> None:
    right = run.evaluate(node.value)
    left = run.evaluate(node.target)
    operators.apply(run, left, right)
    if isinstance(left, Sequence) and isinstance(right, Sequence):
        containers.extend(run, left, right.items, right.rest)
        return
    if isinstance(left, Mapping_) and isinstance(node.op, ast.BitOr):
        containers.update(run, left, right)
        return
    names.assign(run, node.target, operators.noted(run, fold_binary(node, left, right), node), node)


def do_delete(run: Run, node: ast.Delete) -> None:
    for target in node.targets:
        match target:
            case ast.Name(id=name):
                run.frame.scope.names.pop(name, None)
            case ast.Subscript(value=owner, slice=key):
                if run.recorder.on and containers.is_outside(run, owner):
                    run.recorder.changes(run.text(owner), span_of(target, run.file))
                containers.delete(run, run.evaluate(owner), run.evaluate(key), node)


def do_import(run: Run, node: ast.Import | ast.ImportFrom) -> None:
    for name, symbol in run.project.imported(node, run.file):
        names.assign_name(run, name, symbol)


def do_global(run: Run, node: ast.Global) -> None:
    run.frame.scope.global_names |= frozenset(node.names)


def do_nonlocal(run: Run, node: ast.Nonlocal) -> None:
    run.frame.scope.nonlocal_names |= frozenset(node.names)


def do_exit(run: Run, node: ast.Break | ast.Continue) -> bool:
    run.frame.exits.append((run.frame.conditions, run.frame.scope.names))
    return True


def do_assert(run: Run, node: ast.Assert) -> None:
    run.recorder.asks(run.evaluate(node.test))


def do_if(run: Run, node: ast.If) -> bool:
    """A test with all its `elif`s, which are walked, not recursed into, however many there are."""
    frame = run.frame
    facts, guards = frame.facts, frame.guards
    arms: list[tuple[list[Condition], Callable[[], bool]]] = []
    failed: list[ast.expr] = []
    missed: list[Condition] = []
    orelse: Seq[ast.stmt] = [node]
    while len(orelse) == 1 and isinstance(branch := orelse[0], ast.If):
        frame.facts = facts.given(missed) if missed else facts
        outcome, yes, no = branching.test(run, branch.test)
        frame.facts = facts
        if outcome is not None:
            frame.guards = (*frame.guards, guard(run, branch.test, outcome))
        if outcome is not False:
            arms.append(([*missed, *yes], partial(narrowed, run, tuple(failed), branch.test, branch.body)))
        if outcome is True:
            break
        orelse = branch.orelse
        failed = [*failed, branch.test][-REMEMBERED:]
        missed = [*missed, *no][-REMEMBERED:]
    else:
        arms.append((missed, partial(narrowed, run, tuple(failed), None, orelse)))
    ended = branching.fork(run, arms) if len(arms) > 1 else arms[0][1]()
    frame.guards = guards
    return ended


def guard(run: Run, test: ast.expr, outcome: bool) -> Condition:
    """A test whose outcome is known, for those who read names."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, outcome = test.operand, not outcome
    return Condition(run.text(test), outcome, "")


def narrowed(run: Run, failed: Seq[ast.expr], test: ast.expr | None, body: Seq[ast.stmt]) -> bool:
    """Execute an arm with what its test, and those that failed before it, say of the tested names."""
    for earlier in failed:
        branching.narrow_by_test(run, earlier, False)
    if test is not None:
        branching.narrow_by_test(run, test, True)
    return run.block(body)


def do_try(run: Run, node: ast.Try) -> bool:
    if not node.handlers:
        # Nothing goes on when it fails: what comes after depends on no condition, and no error is reckoned with.
        ended = run.block(node.body)
        return run.block(node.finalbody) or ended
    key = f"try@{node.lineno}:{next(run.counter)}"
    condition = Condition(f"the try at {row_of(run, node)} succeeds", True, key)
    arms: list[tuple[list[Condition], Callable[[], bool]]] = [([condition], partial(attempt, run, node))]
    counted = tuple(counted_in(node.body))
    arms += [([condition.negated], partial(handle, run, handler, counted)) for handler in node.handlers]
    ended = branching.fork(run, arms)
    return run.block(node.finalbody) or ended


def row_of(run: Run, node: ast.stmt) -> str:
    """Where a statement begins, as a reader counts."""
    return run.unit.source.row_in_words(node.lineno, is_elsewhere=run.unit is not run.main)


def attempt(run: Run, node: ast.Try) -> bool:
    outer = run.frame.expects_error
    # Who waits for Ctrl-C expects nothing of the code.
    run.frame.expects_error = outer or [last_name(handler.type) for handler in node.handlers] != ["KeyboardInterrupt"]
    try:
        ended = run.block(node.body)
    finally:
        run.frame.expects_error = outer
    return ended or run.block(node.orelse)


def handle(run: Run, handler: ast.ExceptHandler, counted: tuple[str, ...]) -> bool:
    """Execute a handler. What was counted before the failure is not known: `while True: next(it); n += 1`."""
    _forget(run, counted)
    if handler.name:
        names.assign_name(run, handler.name, Unknown())
    return run.block(handler.body)


def do_with(run: Run, node: ast.With | ast.AsyncWith) -> bool:
    frame = run.frame
    scope, errors = frame.in_strategy_scope, frame.expects_error
    for item in node.items:
        value = run.evaluate(item.context_expr)
        operators.apply(run, value)
        if isinstance(value, External) and value.symbol.endswith(".scope"):
            frame.in_strategy_scope = True
        if "raises" in run.text(item.context_expr).lower():
            frame.expects_error = True
        if item.optional_vars is not None:
            names.assign(run, item.optional_vars, value if isinstance(value, (Element, External)) else Unknown(), node)
    try:
        return run.block(node.body)
    finally:
        frame.in_strategy_scope, frame.expects_error = scope, errors


def do_for(run: Run, node: ast.For | ast.AsyncFor) -> bool:
    iterable = run.evaluate(node.iter)
    operators.apply(run, iterable)
    iterable = operators.opened(run, iterable, node.iter)
    dataset = containers.iterated(run, iterable)
    if dataset is not None:
        kind: ConsumerKind = "inspection" if is_inspection(node, dataset) else "for"
        run.consume(kind, dataset, node, span_of(node.iter, run.file))
    elif (source := containers.pulled(run, iterable)) is not None:
        if is_inspection(node, source.dataset):
            run.reclassify(source, "inspection")
        else:
            run.consume("walk", source.dataset, node, span_of(node.iter, run.file), iterator=source)
    if (iterator := containers.walked(run, iterable)) is not None:
        run.walk(iterator, node, span_of(node.iter, run.file))
    items = containers.items(run, iterable, run.recorder.on and len(node.body) <= _SHORT_LOOP)
    if items is not None:
        unsure = not containers.is_exact(iterable) or _has_break(node)
        passes = run.passes
        run.repeating += unsure
        run.passes *= max(len(items), 1)
        try:
            for item in items:
                names.assign(run, node.target, item, node)
                if loop_pass(run, node, None):
                    return True
        finally:
            run.repeating -= unsure
            run.passes = passes
        return run.block(node.orelse)
    item = containers.item_of(run, iterable)
    loop(run, node, dataset, lambda: names.assign(run, node.target, item, node))
    return run.block(node.orelse)


def do_while(run: Run, node: ast.While) -> bool:
    outcome, _, _ = branching.test(run, node.test)
    if outcome is False:
        return run.block(node.orelse)
    endless = outcome is True and isinstance(node.test, ast.Constant)
    loop(run, node, None, lambda: run.evaluate(node.test), always=endless)
    return (endless and not _has_break(node)) or run.block(node.orelse)


def loop(
    run: Run,
    node: ast.For | ast.AsyncFor | ast.While,
    over: Dataset | None,
    step: Callable[[], Any],
    always: bool = False,
) -> None:
    """Run a loop of unknown length: twice when it carries a dataset from pass to pass, else once."""
    run.repeating += 1
    try:
        _loop(run, node, over, step, always)
    finally:
        run.repeating -= 1


def _loop(
    run: Run, node: ast.For | ast.AsyncFor | ast.While, over: Dataset | None, step: Callable[[], Any], always: bool
) -> None:
    frame, scope = run.frame, run.frame.scope
    before = dict(scope.names)
    run.spend(10)
    if (known := run.assigned.get(id(node))) is None:
        known = run.assigned[id(node)] = tuple(dict.fromkeys(assigned(node.body)))
    # What the loop changes has no constant value in a later pass.
    _forget(run, known)
    condition = Condition(f"the loop at {row_of(run, node)} runs", True, f"loop@{node.lineno}:{next(run.counter)}")
    outer_conditions, outer_facts = frame.conditions, frame.facts
    marks = _marks(run)
    frame.saved.append(before)
    step()
    loop_pass(run, node, over)
    after = scope.names
    carried = [name for name, value in after.items() if before.get(name, value) is not value and run.datasets_in(value)]
    if carried and len(frame.loops) < run.limits.repeated:
        # The second pass sees what the first one left; what the first one recorded is said again by the second.
        forget_pass(run, node, marks)
        scope.names = dict(after)
        again = condition._replace(key=f"{condition.key}:again")
        for name in carried:
            scope.names[name] = run.join([again.negated], before[name], [again], after[name], before[name], loop=True)
        frame.conditions, frame.facts = outer_conditions, outer_facts
        step()
        loop_pass(run, node, over)
    frame.saved.pop()
    frame.conditions, frame.facts = outer_conditions, outer_facts
    if always:
        return
    for name, value in list(scope.names.items()):
        earlier = before.get(name, value)
        if earlier is not value:
            scope.names[name] = run.join([condition.negated], earlier, [condition], value, earlier, loop=True)
            if "." in name:
                objects.write_back(run, name, scope.names[name])


def _marks(run: Run) -> tuple[int, ...]:
    """How much was recorded until now."""
    graph = run.graph
    return len(graph.stages), len(graph.consumers), len(graph.walks), len(graph.discarded), len(run.reveals)


def forget_pass(run: Run, node: ast.AST, marks: tuple[int, ...]) -> None:
    """Drop what was recorded directly inside a loop since the marks."""
    graph = run.graph
    stages, consumers, walks, discarded, reveals = marks
    graph.stages[stages:] = [stage for stage in graph.stages[stages:] if not _is_in(stage.context, node)]
    run.gone.clear()
    graph.consumers[consumers:] = [c for c in graph.consumers[consumers:] if not _is_in(c.context, node)]
    graph.walks[walks:] = [walk for walk in graph.walks[walks:] if not _is_in(walk.context, node)]
    graph.discarded[discarded:] = [lost for lost in graph.discarded[discarded:] if not _is_in(lost.stage.context, node)]
    del run.reveals[reveals:]


def loop_pass(run: Run, node: ast.For | ast.AsyncFor | ast.While, over: Dataset | None) -> bool:
    """One pass through a loop's body; its `break`s and `continue`s meet at the end. True when it only returns."""
    frame = run.frame
    kind: Any = "while" if isinstance(node, ast.While) else "for"
    outer_loops, outer_exits = frame.loops, frame.exits
    outer_conditions, outer_facts = frame.conditions, frame.facts
    frame.loops = (*outer_loops, Loop(kind, node, span_of(node, run.file), over, passes(node, run.graph.ranges)))
    frame.exits = []
    ended = run.block(node.body)
    exits = frame.exits
    frame.loops, frame.exits = outer_loops, outer_exits
    frame.conditions, frame.facts = outer_conditions, outer_facts
    if ended and exits:
        frame.scope.names = exits.pop()[1]
    for conditions, left in exits:
        given = conditions[len(outer_conditions) :]
        frame.scope.names = branching.join_names(run, {}, list(given), left, negated(given), frame.scope.names)
    return ended and not exits and not isinstance(node.body[-1], (ast.Break, ast.Continue))


def _forget(run: Run, changed: Seq[str]) -> None:
    """Of names and attributes that change several times no constant is known any more."""
    known = run.frame.scope.names
    for name in changed:
        value = known.get(name)
        if isinstance(value, Constant) and value != NOTHING:
            known[name] = Unknown()
            if "." in name:
                objects.write_back(run, name, known[name])


def _is_in(context: Context, node: ast.AST) -> bool:
    return any(loop.node is node for loop in context.loops)


def _has_break(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    todo: list[ast.AST] = list(node.body)
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Break):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While)):
            todo.extend(children(part))
    return False


HANDLERS: dict[type, Callable[[Run, Any], bool | None]] = {
    ast.Assign: do_assign,
    ast.AnnAssign: do_annotated,
    ast.AugAssign: do_augmented,
    ast.Return: do_return,
    ast.If: do_if,
    **dict.fromkeys((ast.For, ast.AsyncFor), do_for),
    ast.While: do_while,
    **dict.fromkeys((ast.With, ast.AsyncWith), do_with),
    ast.Try: do_try,
    ast.Match: matching.do_match,
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef), do_function),
    ast.ClassDef: do_class,
    **dict.fromkeys((ast.Import, ast.ImportFrom), do_import),
    ast.Global: do_global,
    ast.Nonlocal: do_nonlocal,
    ast.Raise: lambda run, node: True,
    **dict.fromkeys((ast.Break, ast.Continue), do_exit),
    ast.Delete: do_delete,
    ast.Assert: do_assert,
}
