"""The abstract interpreter: it walks a module's statements and gives back the pipelines they build.

Forward and flow-sensitive, over the module body and every function that may touch a dataset. Branches join as
labelled alternatives, loops run twice, calls of project functions are entered (`calls.py`). Too much work ends in
`Unknown`, never in a hang.
"""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Sequence as Seq
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tfdata_lint.pipeline import calls, objects, operations, resolve
from tfdata_lint.pipeline.frames import Frame, Method, Scope
from tfdata_lint.pipeline.graph import (
    Consumer,
    ConsumerKind,
    Context,
    Dataset,
    Discarded,
    Join,
    JoinBranch,
    Loop,
    PipelineGraph,
    Span,
    Stage,
)
from tfdata_lint.pipeline.index import Index, build, span_of
from tfdata_lint.pipeline.mapped import Mutation
from tfdata_lint.pipeline.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Class,
    Condition,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Iterator as IteratorValue,
    Mapping_,
    Options,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tfdata_lint.source.module import Source

#: Expressions and statements evaluated per module at most; 200,000 is about 0.5 s.
FUEL = 200_000
#: Fuel for one mapped function.
BODY_FUEL = 6_000
#: Nesting of one expression, beyond which it is not looked at.
MAX_NESTING = 60
#: Literal sequences up to this length are walked item by item.
MAX_UNROLL = 8
#: Alternatives of values that are not datasets, beyond which the value is unknown.
MAX_ALTERNATIVES = 12

Names = dict[str, Value]


class OutOfFuel(Exception):
    """The budget of work is used up."""


def recover(source: Source) -> PipelineGraph:
    """The pipelines of one module or notebook. Never runs it."""
    return _run(source).graph


def reveal(source: Source) -> list[tuple[int, str]]:
    """What each `reveal_pipeline(x)` call of a module sees, as (row, text), in the order of the source."""
    return sorted(_run(source).reveals, key=lambda found: found[0])


def _run(source: Source) -> Interpreter:
    tree = source.tree
    run = Interpreter(source, tree if tree is not None else ast.Module([], []))
    if tree is not None and run.index.mentions:
        run.module_body(tree)
    return run


class Interpreter:
    """One run over one module."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.source = source
        self.file = source.path
        self.lines = source.lines
        self.index: Index = build(tree, source.text, source.path)
        self.graph = PipelineGraph(source.path, tree=tree, uses=self.index.uses)
        self.module = Scope({"__name__": Constant("__main__")})
        self.frame = Frame(self.module, in_test=is_test_file(source.path))
        self.fuel = FUEL
        self.nesting = 0
        self.recordings: list[calls.Recording] = []
        self.active: list[ast.AST] = []
        self.touched: set[int] = set()
        self.memo: dict[Any, Any] = {}
        self.described: dict[Any, Any] = {}
        self.joins: dict[int, tuple[Alternatives, Dataset | None]] = {}
        self.generics: dict[int, Instance] = {}
        self.identities: dict[int, tuple[int, Value]] = {}
        self.counter = itertools.count()
        self.nested_in: Stage | None = None
        self.reveals: list[tuple[int, str]] = []
        self.writes = 0
        """Attributes of objects written so far."""

    # ---- the module and its functions -------------------------------------------------------------------------

    def module_body(self, tree: ast.Module) -> None:
        try:
            self.block(tree.body)
            for node, name, cls in self.index.functions:
                if name in self.index.relevant:
                    self.alone(node, name, cls)
        except OutOfFuel:
            pass
        self.finish()

    def alone(self, node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, cls: ast.ClassDef | None) -> None:
        """Interpret a function with parameters of which nothing is known."""
        if id(node) in self.touched and node.name.startswith("_") and not node.name.startswith("__"):
            return
        receiver: Value | None = None
        function: Value | None
        if cls is None:
            function = self.module.names.get(name)
            # Behind a decorator or a later definition of the same name it is still the same body.
            if not isinstance(function, Function) or function.node is not node:
                function = Function(node, self.module, name)
        else:
            owner = self.find_class(name.rpartition(".")[0])
            if owner is None or owner.node is not cls:
                return
            receiver = objects.generic(self, owner)
            found = owner.attributes.get(node.name)
            function = found if isinstance(found, Function) and found.node is node else None
            function = function or Function(node, owner.scope, name, owner=owner)
        calls.call_alone(self, function, receiver)

    def find_class(self, path: str) -> Class | None:
        """A class of the module by its qualified name."""
        found: Class | None = None
        for part in path.split("."):
            value = self.module.names.get(part) if found is None else found.attributes.get(part)
            if not isinstance(value, Class):
                return None
            found = value
        return found

    def finish(self) -> None:
        """What can only be said at the end."""
        graph = self.graph
        graph.stages.sort(key=lambda stage: (stage.span.row, stage.span.column))
        nexts: dict[int, list[Consumer]] = {}
        for consumer in graph.consumers:
            if consumer.kind == "next" and consumer.iterator is not None:
                nexts.setdefault(id(consumer.iterator), []).append(consumer)
        for consumer in graph.consumers:
            if consumer.kind == "iter" and (pulled := nexts.get(id(consumer.iterator))):
                if not consumer.context.loops and not any(pull.context.loops for pull in pulled):
                    consumer.kind = "inspection"
        graph.consumers.sort(key=lambda consumer: (consumer.span.row, consumer.span.column))

    # ---- statements -------------------------------------------------------------------------------------------

    def block(self, body: Seq[ast.stmt]) -> bool:
        """Execute statements. True when control does not reach their end."""
        for position, node in enumerate(body):
            self.spend()
            handler = _STATEMENTS.get(type(node))
            if handler is not None:
                if handler(self, node):
                    return True
            elif isinstance(node, ast.Expr):
                self.expression_statement(node, body, position)
        return False

    def spend(self) -> None:
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel

    def expression_statement(self, node: ast.Expr, body: Seq[ast.stmt], position: int) -> None:
        if isinstance(node.value, ast.Constant):
            return
        value = self.evaluate(node.value)
        if not isinstance(value, Stage) or value.node is not node.value or not isinstance(node.value, ast.Call):
            return
        if self.frame.expects_error or value.operation.kind != "transformation" or self._is_shown(node, body, position):
            return
        self.graph.discarded.append(Discarded(value, span_of(node, self.file)))

    def _is_shown(self, node: ast.Expr, body: Seq[ast.stmt], position: int) -> bool:
        """The last expression of a notebook cell is its output."""
        if self.source.kind != "notebook" or self.frame.scope is not self.module:
            return False
        if position + 1 == len(body):
            return True
        return self.source.location(node.lineno, 0).cell != self.source.location(body[position + 1].lineno, 0).cell

    def do_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        owner = self.frame.function
        prefix = f"{self.frame.definition}." if self.frame.definition else ""
        function = Function(node, self.frame.scope, prefix + node.name, owner=owner.owner if owner else None)
        self.frame.defined.append(function)
        value: Value = function
        for decorator in reversed(node.decorator_list):
            value = calls.decorate(self, value, decorator)
        self.assign_name(node.name, value)

    def do_class(self, node: ast.ClassDef) -> None:
        prefix = f"{self.frame.definition}." if self.frame.definition else ""
        bases = tuple(self.evaluate(base) for base in node.bases if not isinstance(base, ast.Starred))
        scope = Scope(parent=self.frame.scope, is_class=True)
        cls = Class(node, self.frame.scope, prefix + node.name, bases)
        outer = self.frame
        self.frame = Frame(scope, cls.name, facts=outer.facts, in_test=outer.in_test or is_test_name(node.name))
        try:
            self.block(node.body)
        finally:
            self.frame = outer
        for name, value in scope.names.items():
            if isinstance(value, Function) and value.owner is None and value.node in node.body:
                value = replace(value, owner=cls)
            cls.attributes[name] = value
        self.assign_name(node.name, cls)

    def do_return(self, node: ast.Return) -> bool:
        value = self.evaluate(node.value) if node.value is not None else Constant(None)
        frame = self.frame
        frame.returns.append(Branch(frame.conditions, value))
        objects.escape(value)
        if frame.standalone:
            for dataset in self.datasets_in(value):
                self.consume("return", dataset, node, span_of(node, self.file))
        return True

    def do_assign(self, node: ast.Assign) -> None:
        value = self.evaluate(node.value)
        for target in node.targets:
            self.assign(target, value, node)

    def do_annotated(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            return
        value = self.evaluate(node.value)
        if isinstance(value, (Unknown, External)) and self.is_dataset_annotation(node.annotation):
            value = self.origin("unresolved", node.value)
        self.assign(node.target, value, node)

    def do_augmented(self, node: ast.AugAssign) -> None:
        right = self.evaluate(node.value)
        left = self.evaluate(node.target)
        if isinstance(left, Sequence) and isinstance(right, Sequence):
            self.extend(left, right.items, right.rest)
            return
        self.assign(node.target, fold_binary(node.op, left, right), node)

    def do_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.frame.scope.names.pop(target.id, None)

    def do_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for name, symbol in resolve.imported(node):
            self.assign_name(name, symbol)

    def do_global(self, node: ast.Global) -> None:
        self.frame.scope.global_names |= frozenset(node.names)

    def do_nonlocal(self, node: ast.Nonlocal) -> None:
        self.frame.scope.nonlocal_names |= frozenset(node.names)

    def do_raise(self, node: ast.Raise) -> bool:
        return True

    def do_exit(self, node: ast.Break | ast.Continue) -> bool:
        self.frame.exits.append((self.frame.conditions, self.frame.scope.names))
        return True

    def do_assert(self, node: ast.Assert) -> None:
        self.evaluate(node.test)

    def do_if(self, node: ast.If) -> bool:
        outcome, yes, no = self.test(node.test)
        if outcome is not None:
            return self.block(node.body if outcome else node.orelse)
        return self.fork(
            [
                (yes, lambda: self.narrowed(node.test, True, node.body)),
                (no, lambda: self.narrowed(node.test, False, node.orelse)),
            ]
        )

    def narrowed(self, test: ast.expr, outcome: bool, body: Seq[ast.stmt]) -> bool:
        """Execute an arm with what the test says of the tested name."""
        objects.narrow_by_test(self, test, outcome)
        return self.block(body)

    def fork(self, arms: list[tuple[list[Condition], Callable[[], bool]]]) -> bool:
        """Execute alternative arms from one state and join what they leave. True when none reaches its end."""
        frame, scope = self.frame, self.frame.scope
        before, conditions, facts = scope.names, frame.conditions, frame.facts
        results: list[tuple[list[Condition], Names]] = []
        ended: list[list[Condition]] = []
        frame.saved.append(before)
        for given, run in arms:
            scope.names = dict(before)
            frame.conditions = conditions + tuple(given)
            frame.facts = facts.given(given)
            if run():
                ended.append(given)
            else:
                results.append((given, scope.names))
        frame.saved.pop()
        frame.conditions, frame.facts = conditions, facts
        if not results:
            scope.names = before
            return True
        given, names = results[-1]
        if len(results) == 1 and ended:
            # The other arms do not come back: from here on this arm's conditions hold.
            frame.conditions = conditions + tuple(given)
            frame.facts = facts.given(given)
        for other, left in reversed(results[:-1]):
            names = self.join_names(before, other, left, given, names)
            given = negated(other)
        scope.names = names
        return False

    def join_names(self, before: Names, yes: list[Condition], a: Names, no: list[Condition], b: Names) -> Names:
        """The names after a branch: those on which the arms differ become alternatives."""
        joined = dict(b)
        for name, value in a.items():
            other = b.get(name)
            if other is value:
                continue
            if other is None:
                joined[name] = value
                continue
            joined[name] = result = self.join(yes, value, no, other, before.get(name))
            if "." in name:
                objects.write_back(self, name, result)
        return joined

    def join(
        self,
        yes: Seq[Condition],
        a: Value,
        no: Seq[Condition],
        b: Value,
        before: Value | None = None,
        loop: bool = False,
    ) -> Value:
        """One of two values. Chains of elif become one flat choice."""
        if a is b or a == b:
            return a
        if isinstance(a, Unknown) and isinstance(b, Unknown):
            return Unknown()
        if isinstance(a, (Unknown, Element)) and isinstance(b, (Unknown, Element)):
            return ELEMENT
        branches = [Branch(tuple(yes), a)]
        if isinstance(b, Alternatives) and b is not before and not b.loop and not loop:
            branches += [Branch((*no, *branch.conditions), branch.value) for branch in b.branches]
        else:
            branches.append(Branch(tuple(no), b))
        size = sum(branch.value.size if isinstance(branch.value, Alternatives) else 1 for branch in branches)
        result = Alternatives(tuple(branches), loop, size)
        if size <= MAX_ALTERNATIVES:
            return result
        # Too many to tell apart: a dataset stays a join of its pipelines, anything else is unknown.
        return self.dataset(result) or Unknown()

    def do_match(self, node: ast.Match) -> bool:
        subject = self.evaluate(node.subject)
        text = self.text(node.subject)
        arms: list[tuple[list[Condition], Callable[[], bool]]] = []
        missed: list[Condition] = []
        exhaustive = False
        for case in node.cases:
            pattern = ast.unparse(case.pattern)
            key = f"{text} matches {pattern}@{self.identity(subject)}"
            condition = Condition(f"{text} matches {pattern}", True, key)
            exhaustive = case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            given = [*missed, *([] if exhaustive else [condition])]
            arms.append((given, lambda case=case: self.match_case(case, subject)))  # type: ignore[misc]
            missed = [*missed, condition.negated]
        if not exhaustive:
            arms.append((missed, lambda: False))
        return self.fork(arms)

    def match_case(self, case: ast.match_case, subject: Value) -> bool:
        for pattern in ast.walk(case.pattern):
            name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
            if isinstance(name, str):
                self.assign_name(name, subject if pattern is case.pattern else Unknown())
        return self.block(case.body)

    def do_try(self, node: ast.Try) -> bool:
        key = f"try@{node.lineno}:{next(self.counter)}"
        condition = Condition(f"the try at line {node.lineno} succeeds", True, key)
        arms: list[tuple[list[Condition], Callable[[], bool]]] = [
            ([condition], lambda: self.guarded(node.body) or self.block(node.orelse))
        ]
        for handler in node.handlers:
            arms.append(([condition.negated], lambda handler=handler: self.handle(handler)))  # type: ignore[misc]
        ended = self.fork(arms)
        return self.block(node.finalbody) or ended

    def guarded(self, body: Seq[ast.stmt]) -> bool:
        outer = self.frame.expects_error
        self.frame.expects_error = True
        try:
            return self.block(body)
        finally:
            self.frame.expects_error = outer

    def handle(self, handler: ast.ExceptHandler) -> bool:
        if handler.name:
            self.assign_name(handler.name, Unknown())
        return self.block(handler.body)

    def do_with(self, node: ast.With | ast.AsyncWith) -> bool:
        frame = self.frame
        scope, errors = frame.in_strategy_scope, frame.expects_error
        for item in node.items:
            value = self.evaluate(item.context_expr)
            if isinstance(value, External) and value.symbol.endswith(".scope"):
                frame.in_strategy_scope = True
            if "raises" in self.text(item.context_expr).lower():
                frame.expects_error = True
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value if isinstance(value, External) else Unknown(), node)
        try:
            return self.block(node.body)
        finally:
            frame.in_strategy_scope, frame.expects_error = scope, errors

    # ---- loops ------------------------------------------------------------------------------------------------

    def do_for(self, node: ast.For | ast.AsyncFor) -> bool:
        iterable = self.evaluate(node.iter)
        dataset = objects.iterated(self, iterable)
        if dataset is not None:
            kind: ConsumerKind = "inspection" if is_inspection(node, dataset) else "for"
            self.consume(kind, dataset, node, span_of(node.iter, self.file))
        elif isinstance(iterable, IteratorValue) and is_inspection(node, iterable.dataset):
            self.reclassify(iterable, "inspection")
        items = self.items(iterable)
        if items is not None:
            for item in items:
                self.assign(node.target, item, node)
                if self.loop_pass(node, None):
                    return True
            return self.block(node.orelse) if node.orelse else False
        item = objects.item_of(self, iterable)
        self.loop(node, dataset, lambda: self.assign(node.target, item, node))
        return self.block(node.orelse) if node.orelse else False

    def do_while(self, node: ast.While) -> bool:
        outcome, _, _ = self.test(node.test)
        if outcome is False:
            return self.block(node.orelse)
        endless = outcome is True and isinstance(node.test, ast.Constant)
        self.loop(node, None, lambda: self.evaluate(node.test), always=endless)
        if endless and not _has_break(node):
            return True
        return self.block(node.orelse) if node.orelse else False

    def items(self, iterable: Value) -> tuple[Value, ...] | None:
        """The items of a short literal sequence, to be walked one by one."""
        if isinstance(iterable, Mapping_) and iterable.rest is None:
            iterable = Sequence("tuple", tuple(Constant(key) for key in iterable.items))
        if isinstance(iterable, Sequence) and iterable.rest is None and len(iterable.items) <= MAX_UNROLL:
            return iterable.items
        return None

    def loop(
        self,
        node: ast.For | ast.AsyncFor | ast.While,
        over: Dataset | None,
        step: Callable[[], Any],
        always: bool = False,
    ) -> None:
        """Run a loop of unknown length: twice when it carries a dataset from pass to pass, else once."""
        frame, scope = self.frame, self.frame.scope
        before = dict(scope.names)
        condition = Condition(f"the loop at line {node.lineno} runs", True, f"loop@{node.lineno}:{next(self.counter)}")
        outer_conditions, outer_facts = frame.conditions, frame.facts
        marks = (len(self.graph.stages), len(self.graph.consumers), len(self.reveals))
        step()
        self.loop_pass(node, over)
        after = scope.names
        changed = [name for name, value in after.items() if name in before and value is not before[name]]
        carried = [name for name in changed if self.datasets_in(after[name])]
        counters = [name for name in changed if isinstance(before[name], Constant) and name not in carried]
        if carried or (counters and len(self.graph.stages) + len(self.graph.consumers) > sum(marks[:2])):
            # The second pass sees what the first one left; what the first one recorded is said again by the second.
            self.forget_pass(node, marks)
            scope.names = dict(after)
            for name in counters:
                # What the loop changes has no constant value in a later pass.
                scope.names[name] = Unknown()
            for name in carried:
                scope.names[name] = self.join(
                    [condition.negated], before[name], [condition], after[name], before[name], loop=True
                )
            frame.conditions, frame.facts = outer_conditions, outer_facts
            step()
            self.loop_pass(node, over)
        else:
            for name in counters:
                scope.names[name] = Unknown()
        frame.conditions, frame.facts = outer_conditions, outer_facts
        if always:
            return
        for name, value in list(scope.names.items()):
            earlier = before.get(name)
            if earlier is not None and earlier is not value:
                scope.names[name] = self.join([condition.negated], earlier, [condition], value, earlier, loop=True)
                if "." in name:
                    objects.write_back(self, name, scope.names[name])

    def forget_pass(self, node: ast.AST, marks: tuple[int, int, int]) -> None:
        """Drop what was recorded directly inside a loop since the marks."""
        graph = self.graph
        graph.stages[marks[0] :] = [stage for stage in graph.stages[marks[0] :] if not _is_in(stage.context, node)]
        graph.consumers[marks[1] :] = [c for c in graph.consumers[marks[1] :] if not _is_in(c.context, node)]
        graph.discarded = [lost for lost in graph.discarded if not _is_in(lost.stage.context, node)]
        del self.reveals[marks[2] :]

    def loop_pass(self, node: ast.For | ast.AsyncFor | ast.While, over: Dataset | None) -> bool:
        """One pass through a loop's body; its `break`s and `continue`s meet at the end. True when it only returns."""
        frame = self.frame
        kind: Any = "while" if isinstance(node, ast.While) else "for"
        outer_loops, outer_exits = frame.loops, frame.exits
        outer_conditions, outer_facts = frame.conditions, frame.facts
        frame.loops = (*outer_loops, Loop(kind, node, span_of(node, self.file), over))
        frame.exits = []
        ended = self.block(node.body)
        exits = frame.exits
        frame.loops, frame.exits = outer_loops, outer_exits
        frame.conditions, frame.facts = outer_conditions, outer_facts
        if ended and exits:
            frame.scope.names = exits.pop()[1]
        for conditions, names in exits:
            given = conditions[len(outer_conditions) :]
            frame.scope.names = self.join_names({}, list(given), names, negated(given), frame.scope.names)
        return ended and not exits and not isinstance(node.body[-1], (ast.Break, ast.Continue))

    # ---- assignment -------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, statement: ast.stmt) -> None:
        match target:
            case ast.Name(id=name):
                self.assign_name(name, value, target)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for part, item in zip(targets, self.unpack(value, targets), strict=True):
                    self.assign(part.value if isinstance(part, ast.Starred) else part, item, statement)
            case ast.Attribute():
                objects.assign_attribute(self, target, value, statement)
            case ast.Subscript():
                objects.assign_item(self, target, value, statement)

    def assign_name(self, name: str, value: Value, node: ast.expr | None = None) -> None:
        scope = self.frame.scope
        outside = name in scope.global_names or name in scope.nonlocal_names
        if outside and self.recordings:
            kind: Any = "global" if name in scope.global_names else "nonlocal"
            self.recordings[-1].body.mutations.append(
                Mutation(kind, name, span_of(node, self.file) if node is not None else Span(self.file, 0, 0, 0, 0))
            )
            return
        if isinstance(value, (Unknown, External)) and name in self.frame.evidence:
            value = self.origin("unresolved", node)
        elif isinstance(value, Unknown):
            value = Unknown()
        if name in scope.global_names:
            scope = scope.module
        elif name in scope.nonlocal_names:
            outer = scope.parent
            while outer is not None and name not in outer.names:
                outer = outer.parent
            scope = outer or scope
        scope.names[name] = value
        if self.frame.dotted:
            for key in [key for key in scope.names if key.startswith(f"{name}.")]:
                del scope.names[key]

    def unpack(self, value: Value, targets: list[ast.expr]) -> list[Value]:
        """The items of a value for as many targets."""
        count = len(targets)
        starred = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
        if isinstance(value, Sequence):
            if value.rest is None and starred is None and len(value.items) == count:
                return list(value.items)
            if value.rest is None and starred is not None and len(value.items) >= count - 1:
                tail = count - starred - 1
                middle = value.items[starred : len(value.items) - tail]
                return [*value.items[:starred], Sequence("list", middle), *value.items[len(value.items) - tail :]]
            if value.rest is not None:
                return [*value.items[:count], *[value.rest] * (count - len(value.items))]
        if isinstance(value, Alternatives):
            columns = [self.unpack(branch.value, targets) for branch in value.branches]
            return [self.choose(value, [column[i] for column in columns]) for i in range(count)]
        if isinstance(value, Element):
            return [ELEMENT] * count
        return [UNKNOWN] * count

    def choose(self, alternatives: Alternatives, values: Seq[Value]) -> Value:
        """Alternatives with the same conditions and other values."""
        if all(value is values[0] or value == values[0] for value in values):
            return values[0]
        if all(isinstance(value, Unknown) for value in values):
            return Unknown()
        branches = (
            Branch(branch.conditions, value) for branch, value in zip(alternatives.branches, values, strict=True)
        )
        return Alternatives(tuple(branches), alternatives.loop, alternatives.size)

    def extend(self, sequence: Sequence, items: Seq[Value], rest: Value | None = None) -> None:
        """Add to a list; in a loop of unknown length they are added any number of times."""
        if self.frame.loops or rest is not None:
            for item in [*items, *([rest] if rest is not None else [])]:
                sequence.rest = item if sequence.rest is None else self.join([], sequence.rest, [], item)
        else:
            sequence.items = (*sequence.items, *items)

    # ---- tests ------------------------------------------------------------------------------------------------

    def test(self, node: ast.expr) -> tuple[bool | None, list[Condition], list[Condition]]:
        """The outcome of a test if it is known, else the conditions of its two arms."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            outcome, yes, no = self.test(node.operand)
            return (None if outcome is None else not outcome), no, yes
        if isinstance(node, ast.BoolOp):
            return self.test_several(node)
        value = self.evaluate(node)
        outcome = truth(value)
        if outcome is not None:
            return outcome, [], []
        text, holds = self.text(node), True
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.IsNot, ast.NotEq, ast.NotIn)):
            holds = False
        key = self.condition_key(node)
        subject = self.equality_subject(node)
        condition = Condition(text if holds else positive(text), holds, key, subject)
        known = self.frame.facts.outcome(condition)
        if known is not None:
            return known == holds, [], []
        return None, [condition], [condition.negated]

    def test_several(self, node: ast.BoolOp) -> tuple[bool | None, list[Condition], list[Condition]]:
        is_and = isinstance(node.op, ast.And)
        open_parts: list[tuple[list[Condition], list[Condition]]] = []
        for part in node.values:
            outcome, yes, no = self.test(part)
            if outcome is (not is_and):
                return outcome, [], []
            if outcome is None:
                open_parts.append((yes, no))
        if not open_parts:
            return is_and, [], []
        if len(open_parts) == 1:
            return None, *open_parts[0]
        whole = Condition(self.text(node), True, self.condition_key(node))
        if is_and:
            return None, [c for yes, _ in open_parts for c in yes], [whole.negated]
        return None, [whole], [c for _, no in open_parts for c in no]

    def condition_key(self, node: ast.expr) -> str:
        """Equal for two tests that must have one outcome: same text, same values of the names read."""
        parts: list[str] = []
        todo: list[ast.AST] = [node]
        text = ast.unparse(node)
        while todo:
            part = todo.pop()
            if isinstance(part, ast.Call) and not _is_stable_call(part):
                parts.append(f"call{next(self.counter)}")
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                value = self.evaluate(part)
                if value is not UNKNOWN and not isinstance(value, (Method, Symbol)):
                    parts.append(self.identity(value))
                    continue
            if isinstance(part, ast.Name):
                value = self.frame.scope.find(part.id) or UNKNOWN
                if not isinstance(value, Symbol):
                    parts.append(self.identity(value))
            todo.extend(ast.iter_child_nodes(part))
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.IsNot, ast.NotEq, ast.NotIn)):
            text = positive(text)
        if len(parts) == 1 and isinstance(node, (ast.Name, ast.Attribute)):
            return parts[0]
        return f"{text}@{','.join(parts)}"

    def equality_subject(self, node: ast.expr) -> str:
        """What `x` is in `x == constant` or its negation; empty for other tests."""
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                value = self.evaluate(right)
                if isinstance(value, Constant) or (
                    isinstance(value, Symbol) and value.name.rpartition(".")[2].isupper()
                ):
                    return self.condition_key(left)
        return ""

    def identity(self, value: Value) -> str:
        """A text that is the same for the same value only."""
        if isinstance(value, Constant):
            return repr(value.value)
        known = self.identities.get(id(value))
        if known is None:
            known = self.identities[id(value)] = (len(self.identities), value)
        return f"#{known[0]}"

    # ---- expressions ------------------------------------------------------------------------------------------

    def evaluate(self, node: ast.expr) -> Value:
        """The abstract value of an expression."""
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel
        handler = _EXPRESSIONS.get(type(node))
        if handler is None:
            return UNKNOWN
        if self.nesting > MAX_NESTING:
            return UNKNOWN
        self.nesting += 1
        try:
            return handler(self, node)
        finally:
            self.nesting -= 1

    def name(self, node: ast.Name) -> Value:
        value = self.frame.scope.find(node.id)
        if value is None:
            return Symbol(f"builtins.{node.id}") if node.id in _BUILTINS else UNKNOWN
        if isinstance(value, Alternatives):
            value = self.consistent(value)
        if self.recordings:
            self.recordings[-1].note(self.frame, node, value)
        return value

    def consistent(self, value: Alternatives) -> Value:
        """The alternatives that the tests made so far leave open."""
        facts = self.frame.facts
        left = [branch for branch in value.branches if facts.allow(branch.conditions)]
        if len(left) == len(value.branches) or not left:
            return value
        if len(left) == 1:
            only = left[0].value
            return self.consistent(only) if isinstance(only, Alternatives) else only
        return Alternatives(tuple(left), value.loop)

    def constant(self, node: ast.Constant) -> Value:
        return Constant(node.value)

    def attribute(self, node: ast.Attribute) -> Value:
        if self.frame.dotted and isinstance(node.value, ast.Name):
            known = self.frame.scope.find(f"{node.value.id}.{node.attr}")
            if known is not None:
                return self.consistent(known) if isinstance(known, Alternatives) else known
        receiver = self.evaluate(node.value)
        value = objects.get_attribute(self, receiver, node.attr, node)
        if isinstance(value, Method):
            if isinstance(receiver, Element):
                return UNKNOWN if node.attr in calls.STATIC_ATTRIBUTES else ELEMENT
            if isinstance(receiver, Unknown):
                return UNKNOWN
        if isinstance(value, Alternatives):
            value = self.consistent(value)
        if self.recordings:
            self.recordings[-1].note(self.frame, node, value)
        return value

    def subscript(self, node: ast.Subscript) -> Value:
        container = self.evaluate(node.value)
        key = self.evaluate(node.slice) if not isinstance(node.slice, ast.Slice) else UNKNOWN
        return objects.get_item(self, container, key, isinstance(node.slice, ast.Slice))

    def conditional(self, node: ast.IfExp) -> Value:
        outcome, yes, no = self.test(node.test)
        if outcome is not None:
            return self.evaluate(node.body if outcome else node.orelse)
        results: list[Value] = []

        def arm(outcome: bool, expression: ast.expr) -> bool:
            objects.narrow_by_test(self, node.test, outcome)
            results.append(self.evaluate(expression))
            return False

        self.fork([(yes, lambda: arm(True, node.body)), (no, lambda: arm(False, node.orelse))])
        # Only a chain `a if x else b if y else c` is one flat choice; a variable keeps its own.
        variable = None if isinstance(node.orelse, ast.IfExp) else results[1]
        return self.join(yes, results[0], no, results[1], variable)

    def bool_op(self, node: ast.BoolOp) -> Value:
        values = [self.evaluate(part) for part in node.values]
        is_or = isinstance(node.op, ast.Or)
        for value in values[:-1]:
            outcome = truth(value)
            if outcome is None:
                break
            if outcome is is_or:
                return value
        else:
            return values[-1]
        if any(isinstance(value, Element) for value in values):
            return ELEMENT
        if is_or and len(values) == 2:
            condition = Condition(self.text(node.values[0]), True, self.condition_key(node.values[0]))
            return self.join([condition], values[0], [condition.negated], values[1])
        return UNKNOWN

    def binary(self, node: ast.BinOp) -> Value:
        return fold_binary(node.op, self.evaluate(node.left), self.evaluate(node.right))

    def unary(self, node: ast.UnaryOp) -> Value:
        value = self.evaluate(node.operand)
        if isinstance(value, Element):
            return ELEMENT
        if isinstance(node.op, ast.Not):
            outcome = truth(value)
            return UNKNOWN if outcome is None else Constant(not outcome)
        if isinstance(value, Constant) and isinstance(value.value, (int, float)):
            if isinstance(node.op, ast.USub):
                return Constant(-value.value)
            return value if isinstance(node.op, ast.UAdd) else UNKNOWN
        return UNKNOWN

    def compare(self, node: ast.Compare) -> Value:
        values = [self.evaluate(node.left), *(self.evaluate(part) for part in node.comparators)]
        outcomes = [compare(op, left, right) for op, left, right in zip(node.ops, values, values[1:])]  # noqa: B905
        if False in outcomes:
            return Constant(False)
        if None not in outcomes:
            return Constant(True)
        return ELEMENT if any(isinstance(value, Element) for value in values) else UNKNOWN

    def display(self, node: ast.Tuple | ast.List | ast.Set) -> Value:
        items: list[Value] = []
        rest: Value | None = None
        for part in node.elts:
            if not isinstance(part, ast.Starred):
                items.append(self.evaluate(part))
                continue
            inner = self.evaluate(part.value)
            if isinstance(inner, Sequence) and inner.rest is None:
                items.extend(inner.items)
            else:
                rest = objects.item_of(self, inner)
        return Sequence(type(node).__name__.lower(), tuple(items), rest)

    def dictionary(self, node: ast.Dict) -> Value:
        result = Mapping_({})
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.evaluate(value_node)
            if key_node is None:
                if isinstance(value, Mapping_):
                    result.items.update(value.items)
                    result.rest = result.rest or value.rest
                else:
                    result.rest = UNKNOWN
                continue
            objects.put(self, result, self.evaluate(key_node), value)
        return result

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        kind = "set" if isinstance(node, ast.SetComp) else "list"
        results, known = self.generate(node, node.generators, lambda: self.evaluate(node.elt))
        if known:
            return Sequence(kind, tuple(results))
        return Sequence(kind, (), results[0] if results else UNKNOWN)

    def dict_comprehension(self, node: ast.DictComp) -> Value:
        result = Mapping_({})
        _, known = self.generate(
            node,
            node.generators,
            lambda: objects.put(self, result, self.evaluate(node.key), self.evaluate(node.value)),
        )
        if not known and not result.items and result.rest is None:
            result.rest = UNKNOWN
        return result

    def generate(
        self, node: ast.expr, generators: list[ast.comprehension], produce: Callable[[], Any]
    ) -> tuple[list[Any], bool]:
        """Run a comprehension. Its results, and whether they are exactly its items (else one stands for all)."""
        scope, before = self.frame.scope, self.frame.scope.names
        scope.names = dict(before)
        statement = ast.Pass(lineno=node.lineno, col_offset=node.col_offset)
        results: list[Any] = []
        exact = True

        def walk(position: int) -> None:
            nonlocal exact
            if position == len(generators):
                results.append(produce())
                return
            generator = generators[position]
            iterable = self.evaluate(generator.iter)
            dataset = objects.iterated(self, iterable)
            if dataset is not None:
                self.consume("comprehension", dataset, node, span_of(generator.iter, self.file))
            elif isinstance(iterable, IteratorValue):
                self.reclassify(iterable, "comprehension")
            items = self.items(iterable) if not generator.ifs else None
            if items is None:
                exact = False
                items = (objects.item_of(self, iterable),)
            for item in items:
                self.assign(generator.target, item, statement)
                for condition in generator.ifs:
                    self.evaluate(condition)
                walk(position + 1)

        outer_loops = self.frame.loops
        self.frame.loops = (*outer_loops, Loop("comprehension", node, span_of(node, self.file)))
        try:
            walk(0)
        finally:
            self.frame.loops = outer_loops
            scope.names = before
        return results, exact

    def function_expression(self, node: ast.Lambda) -> Value:
        owner = self.frame.function
        prefix = f"{self.frame.definition}." if self.frame.definition else ""
        return Function(node, self.frame.scope, f"{prefix}lambda", owner=owner.owner if owner else None)

    def walrus(self, node: ast.NamedExpr) -> Value:
        value = self.evaluate(node.value)
        self.assign_name(node.target.id, value, node.target)
        return self.frame.scope.names.get(node.target.id, value)

    def joined_string(self, node: ast.JoinedStr) -> Value:
        found: Value = UNKNOWN
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and isinstance(self.evaluate(part.value), Element):
                found = ELEMENT
        return found

    def starred(self, node: ast.Starred) -> Value:
        return self.evaluate(node.value)

    def awaited(self, node: ast.Await) -> Value:
        self.evaluate(node.value)
        return UNKNOWN

    def yielded(self, node: ast.Yield | ast.YieldFrom) -> Value:
        self.frame.is_generator = True
        if node.value is not None:
            value = self.evaluate(node.value)
            for dataset in self.datasets_in(value):
                self.consume("yield", dataset, node, span_of(node, self.file))
        return UNKNOWN

    # ---- datasets ---------------------------------------------------------------------------------------------

    def consume(self, kind: ConsumerKind, dataset: Dataset, node: ast.AST, span: Span, **details: Any) -> Consumer:
        """Note that a dataset leaves the pipeline here."""
        consumer = Consumer(kind, dataset, span, node, context=self.frame.context(), **details)
        self.graph.consumers.append(consumer)
        return consumer

    def reclassify(self, iterator: IteratorValue, kind: ConsumerKind) -> None:
        """What was noted where an iterator was made turns out to be of another kind."""
        for consumer in self.graph.consumers:
            if consumer.iterator is iterator and consumer.kind in ("iter", "as_numpy_iterator", "as_numpy"):
                consumer.kind = kind

    def origin(self, op: str, node: ast.expr | ast.arg | None) -> Stage:
        """A dataset that comes from where we do not see."""
        operation = operations.PARAMETER if op == "parameter" else operations.UNRESOLVED
        if node is None:
            span = Span(self.file, 1, 0, 1, 0)
        else:
            span = Span(
                self.file, node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
            )
        name = node.arg if isinstance(node, ast.arg) else node.id if isinstance(node, ast.Name) else ""
        stage = Stage(op, operation, span, None, context=self.frame.context(), confidence="likely", receiver=name)
        stage.nested_in = self.nested_in
        self.graph.stages.append(stage)
        return stage

    def dataset(self, value: Value | None) -> Dataset | None:
        """The dataset that a value is, if it is one on some path."""
        if isinstance(value, (Stage, Join)):
            return value
        if not isinstance(value, Alternatives):
            return None
        known = self.joins.get(id(value))
        if known is not None:
            return known[1]
        result = self._join_of(value)
        self.joins[id(value)] = (value, result)
        return result

    def _join_of(self, value: Alternatives) -> Dataset | None:
        found = [(branch, self.dataset(branch.value)) for branch in value.branches]
        if not any(dataset is not None for _, dataset in found):
            return None
        branches: list[JoinBranch] = []
        for branch, dataset in found:
            if dataset is None and isinstance(branch.value, Unknown):
                dataset = self.origin("unresolved", None)
                first = next(d for _, d in found if d is not None)
                dataset.span = _first_span(first)
            if dataset is not None:
                branches.append(JoinBranch(branch.conditions, dataset))
        if len(branches) == 1:
            return branches[0].dataset
        return Join(tuple(branches), value.loop)

    def datasets_in(self, value: Value | None, depth: int = 0) -> list[Dataset]:
        """The datasets a value is or holds."""
        if depth > 4 or value is None:
            return []
        if isinstance(value, (Stage, Join)):
            return [value]
        if isinstance(value, Alternatives):
            dataset = self.dataset(value)
            if dataset is not None:
                return [dataset]
            return [d for branch in value.branches for d in self.datasets_in(branch.value, depth + 1)]
        inner: list[Value | None] = []
        if isinstance(value, Sequence):
            inner = [*value.items, value.rest]
        elif isinstance(value, Mapping_):
            inner = [*value.items.values(), value.rest]
        elif isinstance(value, External) and value.symbol in objects.WRAPPERS:
            inner = [*value.arguments]
        return [d for item in inner for d in self.datasets_in(item, depth + 1)]

    def is_dataset_annotation(self, node: ast.expr | None) -> bool:
        """`tf.data.Dataset`, `Optional[tf.data.Dataset]`, `"tf.data.Dataset"`, …"""
        if node is None:
            return False
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if "Dataset" not in node.value:
                return False
            try:
                node = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                return False
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.is_dataset_annotation(left) or self.is_dataset_annotation(right)
            case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
                return self.is_dataset_annotation(inner)
            case ast.Name() | ast.Attribute():
                value = self.evaluate(node)
                return isinstance(value, Symbol) and operations.normalise(value.name) in calls.DATASET_CLASSES
        return False

    def text(self, node: ast.expr) -> str:
        """An expression as written, on one line, shortened."""
        if node.lineno == node.end_lineno and node.lineno <= len(self.lines):
            line = self.lines[node.lineno - 1]
            if line.isascii():
                text = line[node.col_offset : node.end_col_offset]
                return text if len(text) <= 60 else text[:57] + "..."
        text = ast.unparse(node).replace("\n", " ")
        return text if len(text) <= 60 else text[:57] + "..."


_BUILTINS = frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)


def negated(conditions: Seq[Condition]) -> list[Condition]:
    """When these do not all hold; nothing is said when there are several."""
    return [condition.negated for condition in conditions] if len(conditions) == 1 else []


def truth(value: Value) -> bool | None:
    """Is a value true, if that is known?"""
    match value:
        case Constant(inner):
            return bool(inner)
        case Stage() | Join() | Function() | Class() | Partial() | Options() | IteratorValue() | Method():
            return True if not isinstance(value, Method) else None
        case Sequence(items=items, rest=None):
            return bool(items)
        case Mapping_(items=items, rest=None):
            return bool(items)
        case Alternatives(branches=branches):
            outcomes = {truth(branch.value) for branch in branches}
            return outcomes.pop() if len(outcomes) == 1 else None
    return None


def compare(op: ast.cmpop, left: Value, right: Value) -> bool | None:
    """The outcome of a comparison, if it is known."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        function = _COMPARISONS.get(type(op))
        try:
            return bool(function(left.value, right.value)) if function else None
        except TypeError:
            return None
    if isinstance(op, (ast.Eq, ast.NotEq)) and isinstance(left, Sequence) and isinstance(right, Sequence):
        if not all(isinstance(item, Constant) for item in (*left.items, *right.items)) or left.rest or right.rest:
            return None
        return ((left.kind, left.items) == (right.kind, right.items)) == isinstance(op, ast.Eq)
    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(left, Constant):
        contained = _contains(left, right)
        return None if contained is None else contained == isinstance(op, ast.In)
    if isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) and isinstance(right, Constant) and right.value is None:
        if isinstance(left, (Stage, Join, Function, Class, Partial, Options, IteratorValue, Sequence, Mapping_)):
            return isinstance(op, (ast.IsNot, ast.NotEq))
        if isinstance(left, Alternatives):
            outcomes = {compare(op, branch.value, right) for branch in left.branches}
            return outcomes.pop() if len(outcomes) == 1 else None
    return None


def _contains(item: Constant, container: Value) -> bool | None:
    match container:
        case Sequence(items=items, rest=None) if all(isinstance(part, Constant) for part in items):
            return item in items
        case Mapping_(items=entries, rest=None):
            return item.value in entries
    return None


def fold_binary(op: ast.operator, left: Value, right: Value) -> Value:
    """Fold arithmetic on constants; anything with an element is an element."""
    if isinstance(left, Element) or isinstance(right, Element):
        return ELEMENT
    if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(op, ast.Add):
        if left.rest is None and right.rest is None:
            return Sequence(left.kind, (*left.items, *right.items))
        return UNKNOWN
    if not isinstance(left, Constant) or not isinstance(right, Constant):
        return UNKNOWN
    function = _ARITHMETIC.get(type(op))
    if function is None or not all(isinstance(side.value, (int, float, str)) for side in (left, right)):
        return UNKNOWN
    if isinstance(op, ast.Pow) and (abs(right.value) > 64 or abs(left.value) > 1024):
        return UNKNOWN
    if isinstance(op, ast.Mult) and isinstance(left.value, str) | isinstance(right.value, str):
        return UNKNOWN
    try:
        return Constant(function(left.value, right.value))
    except (TypeError, ValueError, ArithmeticError):
        return UNKNOWN


_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip


def positive(text: str) -> str:
    """A negative comparison turned round: `x is not None` to `x is None`."""
    for negative, plain in ((" is not ", " is "), (" != ", " == "), (" not in ", " in ")):
        if negative in text:
            return text.replace(negative, plain, 1)
    return text


def _is_stable_call(node: ast.Call) -> bool:
    """A call that gives the same answer twice."""
    match node.func:
        case ast.Name(id="isinstance" | "len" | "hasattr" | "callable" | "bool" | "getattr" | "issubclass"):
            return True
        case ast.Attribute(attr="get" | "startswith" | "endswith" | "lower" | "upper" | "keys"):
            return True
    return False


def _is_in(context: Context, node: ast.AST) -> bool:
    return any(loop.node is node for loop in context.loops)


def _has_break(node: ast.While) -> bool:
    todo: list[ast.AST] = list(node.body)
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Break):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While)):
            todo.extend(ast.iter_child_nodes(part))
    return False


def _first_span(dataset: Dataset) -> Span:
    while isinstance(dataset, Join):
        dataset = dataset.branches[0].dataset
    return dataset.span


def is_test_name(name: str) -> bool:
    return name.startswith(("test_", "Test")) or name.endswith(("Test", "TestCase", "Tests"))


def is_test_file(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    name = parts[-1].rpartition(".")[0]
    return (
        name.startswith("test_")
        or name.endswith(("_test", "_tests"))
        or name in ("conftest", "test", "tests")
        or ("tests" in parts[:-1] or "testing" in parts[:-1])
    )


_SHOWING = frozenset({"print", "display", "pprint", "show", "imshow", "plot", "title", "axis", "subplot", "figure",
                      "info", "debug", "log", "assertEqual", "assertAllEqual", "assertTrue", "savefig"})  # fmt: skip


def is_inspection(node: ast.For | ast.AsyncFor, dataset: Dataset) -> bool:
    """A loop that only looks: a few elements, prints and plots, or a first element and out."""
    tip = dataset if isinstance(dataset, Stage) else None
    if tip is not None and tip.op == "take":
        count = tip.literal("count")
        if isinstance(count, int) and 0 <= count <= 16:
            return True
    if any(isinstance(part, (ast.Break, ast.Return)) for part in node.body):
        return True
    return all(_only_shows(part) for part in node.body)


def _only_shows(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _SHOWING
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert():
            return True
        case ast.Assign(value=value):
            # A name for what is shown next; work on it would be a call.
            return not any(isinstance(part, ast.Call) for part in ast.walk(value)) or _is_array_view(value)
    return False


def _is_array_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "numpy"


_STATEMENTS: dict[type, Callable[[Interpreter, Any], bool | None]] = {
    ast.Assign: Interpreter.do_assign,
    ast.AnnAssign: Interpreter.do_annotated,
    ast.AugAssign: Interpreter.do_augmented,
    ast.Return: Interpreter.do_return,
    ast.If: Interpreter.do_if,
    ast.For: Interpreter.do_for,
    ast.AsyncFor: Interpreter.do_for,
    ast.While: Interpreter.do_while,
    ast.With: Interpreter.do_with,
    ast.AsyncWith: Interpreter.do_with,
    ast.Try: Interpreter.do_try,
    ast.Match: Interpreter.do_match,
    ast.FunctionDef: Interpreter.do_function,
    ast.AsyncFunctionDef: Interpreter.do_function,
    ast.ClassDef: Interpreter.do_class,
    ast.Import: Interpreter.do_import,
    ast.ImportFrom: Interpreter.do_import,
    ast.Global: Interpreter.do_global,
    ast.Nonlocal: Interpreter.do_nonlocal,
    ast.Raise: Interpreter.do_raise,
    ast.Break: Interpreter.do_exit,
    ast.Continue: Interpreter.do_exit,
    ast.Delete: Interpreter.do_delete,
    ast.Assert: Interpreter.do_assert,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Interpreter.do_try

_EXPRESSIONS: dict[type, Callable[[Interpreter, Any], Value]] = {
    ast.Name: Interpreter.name,
    ast.Constant: Interpreter.constant,
    ast.Attribute: Interpreter.attribute,
    ast.Call: calls.evaluate_call,
    ast.Subscript: Interpreter.subscript,
    ast.IfExp: Interpreter.conditional,
    ast.BoolOp: Interpreter.bool_op,
    ast.BinOp: Interpreter.binary,
    ast.UnaryOp: Interpreter.unary,
    ast.Compare: Interpreter.compare,
    ast.Tuple: Interpreter.display,
    ast.List: Interpreter.display,
    ast.Set: Interpreter.display,
    ast.Dict: Interpreter.dictionary,
    ast.ListComp: Interpreter.comprehension,
    ast.SetComp: Interpreter.comprehension,
    ast.GeneratorExp: Interpreter.comprehension,
    ast.DictComp: Interpreter.dict_comprehension,
    ast.Lambda: Interpreter.function_expression,
    ast.NamedExpr: Interpreter.walrus,
    ast.JoinedStr: Interpreter.joined_string,
    ast.Starred: Interpreter.starred,
    ast.Await: Interpreter.awaited,
    ast.Yield: Interpreter.yielded,
    ast.YieldFrom: Interpreter.yielded,
}
