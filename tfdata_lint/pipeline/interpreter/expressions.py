"""Expressions: what each kind of them evaluates to."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

from tfdata_lint.pipeline.interpreter import (
    branching,
    calls,
    containers,
    fields,
    folding,
    functions,
    methods,
    names,
    objects,
    operators,
)
from tfdata_lint.pipeline.interpreter.folding import fold_binary, truth
from tfdata_lint.pipeline.interpreter.frames import Arguments, Scope
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.interpreter.signatures import joined
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.mapped.record import is_option
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.fold import either
from tfdata_lint.pipeline.nouns.loops import names_columns
from tfdata_lint.pipeline.nouns.stages import Iterator as IteratorValue, Join, Loop, Stage
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Function,
    Instance,
    Mapping_,
    Method,
    Sequence,
    Slice,
    Symbol,
    Unknown,
    Value,
    expr_of,
    holds_element,
    kinds,
)
from tfdata_lint.pipeline.project.index import mentions_data, span_of
from tfdata_lint.pipeline.project.modules import LIBRARIES
from tfdata_lint.source.trees import walk

#: What makes an expression of a comparison.
_COMPARED = kinds(Element, Computed, External)
#: What may be something else where it is read.
_MOVING = kinds(Symbol, Alternatives, Constant)
_DISPLAYS = {ast.Tuple: "tuple", ast.List: "list", ast.Set: "set"}
_BUILTINS = {name: Symbol(f"builtins.{name}") for name in dir(builtins)}


def name(run: Run, node: ast.Name) -> Value:
    scope, recorder = run.frame.scope, run.recorder
    value = scope.names.get(node.id) if not scope.global_names else None
    if value is None:
        value = scope.find(node.id)
    if value is None:
        value = _BUILTINS.get(node.id, UNKNOWN)
        recorder.misses(node, value)
        return value
    if not recorder.on:
        if type(value) not in _MOVING or (type(value) is Symbol and value.name in LIBRARIES):
            return value
        return _now(run, node, value)
    is_outside = containers.is_outside(run, node)
    if is_outside and not isinstance(value, (Symbol, Function)):
        recorder.body.captured.append((scope, node.id, value))
    if isinstance(value, Constant) and node.id in run.unit.rebound and _is_rebound(run, node.id):
        return UNKNOWN
    if type(value) in _MOVING:
        value = _now(run, node, value)
    recorder.reads(run.frame, node, value)
    if is_outside:
        recorder.misses(node, value)
    return value


def _now(run: Run, node: ast.Name, value: Value) -> Value:
    """What the value of a name stands for here."""
    if isinstance(value, Symbol):
        return value if value.name in LIBRARIES else objects.resolve(run, value)
    if isinstance(value, Alternatives):
        value = branching.consistent(run, value)
        if isinstance(value, Alternatives) and all(isinstance(branch.value, Symbol) for branch in value.branches):
            return objects.at_work(run, value, [_now(run, node, branch.value) for branch in value.branches])
        return value
    return UNKNOWN if node.id in run.unit.rebound and _is_rebound(run, node.id) else value


def _is_rebound(run: Run, name: str) -> bool:
    """Is it a name of the module that may have another value by the time that this function is called?"""
    frame = run.frame
    scope: Scope | None = frame.scope
    if frame.function is None or name in frame.scope.global_names:
        return False
    while scope is not None and scope.unit is None:
        if name in scope.names and not scope.is_class:
            return False
        scope = scope.parent
    return True


def attribute(run: Run, node: ast.Attribute) -> Value:
    if run.frame.dotted and isinstance(node.value, ast.Name):
        known = run.frame.scope.find(f"{node.value.id}.{node.attr}")
        if known is not None:
            return branching.consistent(run, known) if isinstance(known, Alternatives) else known
    receiver = run.evaluate(node.value)
    value = objects.get_attribute(run, receiver, node.attr, node)
    if type(value) is Symbol and not run.recorder.on:
        return value
    if run.frame.evidence and objects.is_evident(run, node, value):
        value = run.origin("unresolved", node)
        run.frame.scope.names[f"self.{node.attr}"] = value
        run.frame.dotted = True
    if isinstance(value, Method):
        if node.attr in operations.ATTRIBUTES and isinstance(value.receiver, (Stage, Join)):
            run.consume("inspection", value.receiver, node, span_of(node, run.file), target=node.attr)
        if isinstance(receiver, Element):
            found = expr_of("attribute", receiver, Constant(node.attr), node=node)
            return Computed(found) if node.attr in methods.STATIC_ATTRIBUTES else run.element(found)
        if isinstance(receiver, Computed) or (isinstance(receiver, External) and node.attr in methods.VIEWS):
            return Computed(expr_of("attribute", receiver, Constant(node.attr), node=node))
        if isinstance(receiver, Unknown):
            run.recorder.misses(node, UNKNOWN)
            return UNKNOWN
    if isinstance(value, Alternatives):
        value = branching.consistent(run, value)
    if run.recorder.on:
        run.recorder.reads(run.frame, node, value)
        if not isinstance(receiver, Element):
            run.recorder.misses(node, value)
    return value


def subscript(run: Run, node: ast.Subscript) -> Value:
    container = run.evaluate(node.value)
    key = run.evaluate(node.slice)
    operators.apply(run, container, key)
    if isinstance(container, Stage) and isinstance(node.ctx, ast.Load):
        run.misuse("item", "", container, node)
    own = container.cls.attribute("__getitem__") if isinstance(container, Instance) else None
    if isinstance(own, Function):
        return functions.call_function(run, own.bound(container), Arguments(((node.slice, key),)), node)
    value = containers.get_item(run, fields.as_tuple(run, container), key, node)
    if run.recorder.on:
        if isinstance(container, (Element, Computed)) or holds_element(key):
            operators.noted(run, Computed(expr_of("item", containers.kept(container), key, node=node)), node)
        run.recorder.reads(run.frame, node, value)
        if containers.is_outside(run, node):
            run.recorder.misses(node, value)
    return value


def bounds(run: Run, node: ast.Slice) -> Value:
    lower = None if node.lower is None else run.evaluate(node.lower)
    upper = None if node.upper is None else run.evaluate(node.upper)
    step = None if node.step is None else run.evaluate(node.step)
    if run.recorder.on:
        operators.apply(run, *[value for value in (lower, upper, step) if value is not None])
    return Slice(lower, upper, step)


def conditional(run: Run, node: ast.IfExp) -> Value:
    outcome, yes, no = branching.test(run, node.test)
    if outcome is not None:
        return run.evaluate(node.body if outcome else node.orelse)
    results: list[Value] = []
    branching.fork(run, [(yes, lambda: _arm(run, node, True, results)), (no, lambda: _arm(run, node, False, results))])
    # Only a chain `a if x else b if y else c` is one flat choice; a variable keeps its own.
    variable = None if isinstance(node.orelse, ast.IfExp) else results[1]
    return run.join(yes, results[0], no, results[1], variable)


def _arm(run: Run, node: ast.IfExp, outcome: bool, results: list[Value]) -> bool:
    """One of the two values, with what the outcome of the test says of names."""
    branching.narrow_by_test(run, node.test, outcome)
    results.append(run.evaluate(node.body if outcome else node.orelse))
    return False


def bool_op(run: Run, node: ast.BoolOp) -> Value:
    values = [run.evaluate(part) for part in node.values]
    operators.apply(run, *values)
    if run.recorder.on and any(isinstance(value, (Element, Computed)) for value in values):
        operators.noted(run, Computed(expr_of(type(node.op).__name__, *values, node=node)), node)
    is_or = isinstance(node.op, ast.Or)
    for value in values[:-1]:
        outcome = truth(value)
        if outcome is None:
            break
        if outcome is is_or:
            return value
    else:
        return values[-1]
    if any(isinstance(value, Constant) and value.value is is_or for value in values):
        # Whatever the others are: `flag and False`.
        return Constant(is_or)
    met = {type(value) for value in values}
    if Element in met:
        return either(values)
    if Computed in met:
        return Computed(expr_of("either", *values, node=node))
    if is_or and len(values) == 2:
        condition = Condition(run.text(node.values[0]), True, branching.condition_key(run, node.values[0]))
        return run.join([condition], values[0], [condition.negated], values[1])
    return UNKNOWN


def binary(run: Run, node: ast.BinOp) -> Value:
    left, right = run.evaluate(node.left), run.evaluate(node.right)
    operators.apply(run, left, right)
    if (made := operators.together(run, node, left, right)) is not None:
        return made
    value = fold_binary(node, left, right)
    if isinstance(value, Sequence):
        value.since = run.here
    return operators.noted(run, value, node)


def unary(run: Run, node: ast.UnaryOp) -> Value:
    value = run.evaluate(node.operand)
    operators.apply(run, value)
    if isinstance(value, Element):
        return operators.noted(run, Element(expr_of(type(node.op).__name__, value, node=node)), node)
    if isinstance(node.op, ast.Not):
        outcome = truth(value)
        return UNKNOWN if outcome is None else Constant(not outcome)
    if isinstance(value, Constant) and isinstance(value.value, (int, float)):
        if isinstance(node.op, ast.USub):
            return Constant(-value.value)
        return value if isinstance(node.op, ast.UAdd) else UNKNOWN
    if isinstance(value, (Computed, External, Symbol)):
        return operators.noted(run, Computed(expr_of(type(node.op).__name__, value, node=node)), node)
    return UNKNOWN


def compare(run: Run, node: ast.Compare) -> Value:
    values = [run.evaluate(node.left), *[run.evaluate(part) for part in node.comparators]]
    if run.recorder.on:
        operators.apply(run, *values)
    outcomes = [folding.compare(op, left, right) for op, left, right in zip(node.ops, values, values[1:])]  # noqa: B905
    if False in outcomes:
        return Constant(False)
    if None not in outcomes:
        return Constant(True)
    met = {type(value) for value in values}
    if met.isdisjoint(_COMPARED):
        return UNKNOWN
    by = type(node.ops[0]).__name__ if len(node.ops) == 1 else "Compare"
    if Element in met:
        return operators.noted(run, Element(expr_of(by, *values, node=node)), node)
    if Computed in met or run.recorder.on:
        return operators.noted(run, Computed(expr_of(by, *values, node=node)), node)
    return UNKNOWN


def display(run: Run, node: ast.Tuple | ast.List | ast.Set) -> Value:
    items: list[Value] = []
    rest: list[Value] = []
    exact = True
    for part in node.elts:
        if not isinstance(part, ast.Starred):
            # Behind what is not known of its length nothing has a place that is known.
            (rest or items).append(run.evaluate(part))
            continue
        inner = run.evaluate(part)
        operators.apply(run, inner)
        exact &= containers.is_exact(inner)
        known = inner.items if isinstance(inner, Sequence) and inner.rest is None and not rest else None
        if known is not None and len(items) + len(known) <= folding.MAX_ITEMS:
            items.extend(known)
        else:
            rest.append(containers.item_of(run, inner))
    further = joined(run, rest) if rest else None
    return Sequence(_DISPLAYS[type(node)], tuple(items), further, run.here, exact)


def dictionary(run: Run, node: ast.Dict) -> Value:
    result = Mapping_({}, since=run.here)
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = run.evaluate(value_node)
        if key_node is None:
            containers.spread(run, result, value)
            continue
        containers.put(run, result, run.evaluate(key_node), value)
    return result


def comprehension(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    kind = "set" if isinstance(node, ast.SetComp) else "list"
    mark = len(run.graph.consumers)
    results, known, exact = generate(run, node, node.generators, lambda: run.evaluate(node.elt))
    if known:
        made = Sequence(kind, tuple(results), None, run.here, exact)
        if not exact:
            containers.shift(run, made)
        return made
    value = Sequence(kind, (), joined(run, results))
    if isinstance(node, ast.GeneratorExp):
        for consumer in run.graph.consumers[mark:]:
            if consumer.node is node:
                run.gives_once(value, consumer.dataset, node)
        walked = node.generators[0].iter
        if isinstance(walked, ast.Name) and (iterator := containers.walked(run, run.evaluate(walked))) is not None:
            run.once[id(value)] = value, iterator
    return value


def dict_comprehension(run: Run, node: ast.DictComp) -> Value:
    result = Mapping_({}, since=run.here)
    keys: list[Value] = []

    def produce() -> None:
        keys.append(run.evaluate(node.key))
        containers.put(run, result, keys[-1], run.evaluate(node.value))

    _, known, exact = generate(run, node, node.generators, produce)
    if not known and not result.items and result.rest is None:
        result.rest = UNKNOWN
    match keys, node.generators:
        case [Computed(expr=Expr(by="key"))], [ast.comprehension(ifs=[])]:
            # Whatever keys the element has.
            exact = True
    result.exact = exact
    return result


def generate(
    run: Run, node: ast.expr, generators: list[ast.comprehension], produce: Callable[[], Any]
) -> tuple[list[Any], bool, bool]:
    """Run a comprehension. Its results, whether they are its items (else one stands for all), and that for sure."""
    scope, before = run.frame.scope, run.frame.scope.names
    scope.names = dict(before)
    if (bound := run.assigned.get(id(node))) is None:
        # They belong to the scope around it: `[last := x for x in items]`.
        found = (part.target.id for part in walk(node) if isinstance(part, ast.NamedExpr))
        bound = run.assigned[id(node)] = tuple(found)
    results: list[Any] = []
    outer_loops = run.frame.loops
    run.frame.loops = (*outer_loops, Loop("comprehension", node, span_of(node, run.file)))
    unsure, run.unsure = run.unsure, False
    try:
        known = _generate(run, node, generators, produce, results)
        exact = known and not run.unsure
    finally:
        run.frame.loops = outer_loops
        before.update({name: scope.names[name] for name in bound if name in scope.names})
        scope.names = before
        run.unsure |= unsure
    return results, known, exact


def _generate(
    run: Run, node: ast.expr, generators: list[ast.comprehension], produce: Callable[[], Any], results: list[Any]
) -> bool:
    if not generators:
        results.append(produce())
        return True
    generator = generators[0]
    iterable = run.evaluate(generator.iter)
    operators.apply(run, iterable)
    iterable = operators.opened(run, iterable, generator.iter)
    dataset = containers.iterated(run, iterable)
    if dataset is not None:
        run.consume("comprehension", dataset, node, span_of(generator.iter, run.file))
    elif isinstance(iterable, IteratorValue):
        # Who reads a generator, and how far, is not seen.
        run.reclassify(iterable, "argument" if isinstance(node, ast.GeneratorExp) else "comprehension")
    iterator = containers.walked(run, iterable)
    if iterator is not None and not isinstance(node, ast.GeneratorExp):
        run.walk(iterator, node, span_of(generator.iter, run.file))
    items = containers.items(run, iterable, names_columns(node))
    exact = items is not None
    run.unsure |= not containers.is_exact(iterable)
    statement = ast.Pass(lineno=node.lineno, col_offset=node.col_offset)
    passes = run.passes
    run.passes *= len(items) if items else 1
    run.repeating += items is None
    try:
        for item in (containers.item_of(run, iterable),) if items is None else items:
            names.assign(run, generator.target, item, statement)
            outcomes = [truth(run.evaluate(condition)) for condition in generator.ifs]
            exact &= None not in outcomes
            if items is None or False not in outcomes:
                exact &= _generate(run, node, generators[1:], produce, results)
    finally:
        run.passes = passes
        run.repeating -= items is None
    return exact


def function_expression(run: Run, node: ast.Lambda) -> Value:
    owner = run.frame.function
    prefix = f"{run.frame.definition}." if run.frame.definition else ""
    function = Function(node, run.frame.scope, f"{prefix}lambda", owner=owner.owner if owner else None)
    if run.unit is run.main and mentions_data(run.index, node.lineno, node.end_lineno or node.lineno):
        run.frame.defined.append(function)
    return function


def walrus(run: Run, node: ast.NamedExpr) -> Value:
    value = run.evaluate(node.value)
    names.assign_name(run, node.target.id, value, node.target)
    return run.frame.scope.names.get(node.target.id, value)


def joined_string(run: Run, node: ast.JoinedStr) -> Value:
    is_of_element = False
    texts: list[str] = []
    made: list[Value] = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            texts.append(str(part.value))
        if isinstance(part, ast.FormattedValue):
            value = run.evaluate(part.value)
            if isinstance(value, Constant) and part.conversion < 0 and part.format_spec is None:
                texts.append(str(value.value))
            operators.apply(run, value)
            is_of_element |= isinstance(value, Element)
            made.append(value)
    if len(texts) == len(node.values) and sum(map(len, texts)) <= folding.MAX_TEXT:
        return Constant("".join(texts))
    if not all(isinstance(value, (Computed, External, Constant)) or is_option(value) for value in made):
        # It may be another text in each call.
        made = [value for value in made if isinstance(value, (Computed, External))]
    if is_of_element or not made:
        return ELEMENT if is_of_element else UNKNOWN
    return Computed(expr_of("str", *made, *map(Constant, texts), node=node))


def awaited(run: Run, node: ast.Await) -> Value:
    run.evaluate(node.value)
    return UNKNOWN


def yielded(run: Run, node: ast.Yield | ast.YieldFrom) -> Value:
    frame = run.frame
    frame.yields = made = frame.yields or Sequence("list", (), None, frame.begun)
    value = run.evaluate(node.value) if node.value is not None else UNKNOWN
    if isinstance(node, ast.Yield):
        containers.extend(run, made, (value,))
    else:
        containers.extend(run, made, (), UNKNOWN)
    if node.value is not None:
        for dataset in run.datasets_in(value):
            run.consume("yield", dataset, node, span_of(node, run.file))
    return UNKNOWN


HANDLERS: dict[type, Callable[[Run, Any], Value]] = {
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Call: calls.evaluate_call,
    ast.Subscript: subscript,
    ast.Slice: bounds,
    ast.IfExp: conditional,
    ast.BoolOp: bool_op,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.Compare: compare,
    **dict.fromkeys(_DISPLAYS, display),
    ast.Dict: dictionary,
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.GeneratorExp), comprehension),
    ast.DictComp: dict_comprehension,
    ast.Lambda: function_expression,
    ast.NamedExpr: walrus,
    ast.JoinedStr: joined_string,
    ast.Starred: lambda run, node: fields.as_tuple(run, run.evaluate(node.value)),
    ast.Await: awaited,
    **dict.fromkeys((ast.Yield, ast.YieldFrom), yielded),
}
