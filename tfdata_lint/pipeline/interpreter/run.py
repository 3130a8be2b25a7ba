"""The abstract interpreter: it walks a module's statements and gives back the pipelines they build.

Forward and flow-sensitive, over the module body and every function that may touch a dataset. Branches join as
labelled alternatives, loops run twice, calls of project functions are entered (`calls.py`). Too much work ends in
`Unknown`, never in a hang.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import os
from collections.abc import Callable, Iterator, Sequence as Seq
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tfdata_lint.pipeline.interpreter import calls, datasets, expressions, mapping as recording, objects
from tfdata_lint.pipeline.interpreter.folding import MAX_ITEMS, fold_binary, negated, positive, truth
from tfdata_lint.pipeline.interpreter.frames import Frame, Method, OutOfFuel, Scope, Unit
from tfdata_lint.pipeline.interpreter.inspection import is_inspection, is_test_file, is_test_name
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.kinds import ConsumerKind
from tfdata_lint.pipeline.mapped.effects import Mutation
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import (
    Consumer,
    Context,
    Dataset,
    Discarded,
    Iterator as IteratorValue,
    Join,
    JoinBranch,
    Loop,
    Stage,
    tips,
    upstream,
)
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Class,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Mapping_,
    Sequence,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project import modules as resolve
from tfdata_lint.pipeline.project.index import blocks, index_of, span_of, symbol_uses

if TYPE_CHECKING:
    from tfdata_lint.pipeline.project.modules import Module
    from tfdata_lint.source.module import Source

#: Expressions and statements evaluated per module at most; 200,000 is about 0.5 s.
FUEL = 200_000
#: The beginnings of nearly all names, none of which is one of the project.
_NEVER = tuple(f"{library}." for library in resolve.LIBRARIES)
#: The part of it that functions of other modules may take.
FUEL_ABROAD = 10_000
#: Other modules read for one.
MAX_MODULES = 64
#: Nesting of one expression, beyond which it is not looked at.
MAX_NESTING = 60
#: Literal sequences up to this length are walked item by item.
MAX_UNROLL = 8
#: Loops inside this many others run once: each level would double the work.
MAX_REPEATED = 3
#: Alternatives of values that are not datasets, beyond which the value is unknown.
MAX_ALTERNATIVES = 12

#: Consumers that make an iterator; what is done with it shows what it is for.
_ITERATING = ("iter", "as_numpy_iterator", "as_numpy")

Names = dict[str, Value]


class Interpreter:
    """One run over one module."""

    def __init__(self, source: Source) -> None:
        index = index_of(source)
        self.graph = PipelineGraph(source.path, source, tree=source.tree, uses=symbol_uses(source))
        self.module = Scope({"__name__": Constant("__main__")})
        self.main = self.module.unit = Unit(source.path, source, index, self.module)
        self.units: dict[str, Unit] = {}
        """The modules that names led to, by their files."""
        self.resolved: dict[tuple[str, str], Value | None] = {}
        self.graph.depends |= index.reads
        self.go_to(self.main)
        self.scopes = [self.module]
        self.classes: list[Class] = []
        self.frame = Frame(self.module, in_test=is_test_file(source.path))
        self.fuel = FUEL
        self.fuel_abroad = FUEL_ABROAD
        self.nesting = 0
        self.recordings: list[recording.Recording] = []
        self.active: list[ast.AST] = []
        self.touched: set[int] = set()
        """Functions that something called or mapped."""
        self.roots: set[int] = set()
        """Functions read by themselves, with unknown parameters."""
        self.entered: dict[int, set[int]] = {}
        """The functions that each such reading (0: the module's body) entered."""
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

    def go_to(self, unit: Unit) -> None:
        """From here on the code of this module is read."""
        self.unit = unit
        self.source, self.index = unit.source, unit.index
        self.file, self.lines = unit.path, unit.source.lines
        self.folder = unit.folder

    def resolve(self, symbol: Symbol) -> Value:
        """What a name of another module stands for, where that is a module of the project; else the name."""
        name = symbol.name
        if name.startswith(_NEVER):
            return symbol
        key = (self.folder, name)
        if key not in self.resolved:
            self.resolved[key] = None
            self.resolved[key] = self._resolve(name)
        return self.resolved[key] or symbol

    def _resolve(self, name: str) -> Value | None:
        place = resolve.locate(name, self.file)
        if place is None or not place[1] or os.path.abspath(place[0]) == os.path.abspath(self.main.path):
            return None
        path, (first, *attributes) = place
        unit = self._unit(path)
        value = unit.scope.find(first) if unit is not None else None
        if unit is None or value is None:
            return None
        outer = self.unit
        self.go_to(unit)
        try:
            if isinstance(value, Symbol):
                value = self.resolve(value)
            for attribute in attributes:
                value = objects.get_attribute(self, value, attribute)
        finally:
            self.go_to(outer)
        return value

    def _unit(self, path: str) -> Unit | None:
        known = self.units.get(path)
        if known is None:
            module = resolve.module(path) if len(self.units) < MAX_MODULES else None
            if module is None:
                return None
            shown = path if os.path.isabs(self.main.path) else os.path.relpath(path)
            scope = Scope({"__name__": Constant(path)})
            index = index_of(module.source, resolve.ABROAD)
            known = scope.unit = Unit(shown, module.source, index, scope)
            known.load = partial(self._load, known, module, set())
            self.units[path] = known
            self.scopes.append(scope)
            self.graph.depends |= {os.path.abspath(path), *index.reads}
        return known

    def _load(self, unit: Unit, module: Module, asked: set[str], name: str) -> None:
        """Execute what binds a name of an imported module, once."""
        if name in asked:
            return
        asked.add(name)
        outer = self.unit, self.frame, self.recordings, self.nested_in
        in_test = is_test_file(unit.path)
        self.go_to(unit)
        self.frame, self.recordings, self.nested_in = Frame(unit.scope, in_test=in_test), [], None
        try:
            self.block(module.bindings.get(name, []))
            for star in module.stars if name not in unit.scope.names and not name.startswith("_") else ():
                value = self.resolve(Symbol(resolve.member(star, name)))
                if not isinstance(value, Symbol):
                    unit.scope.names[name] = value
        finally:
            self.go_to(outer[0])
            _, self.frame, self.recordings, self.nested_in = outer

    # ---- the module and its functions -------------------------------------------------------------------------

    def module_body(self, tree: ast.Module) -> None:
        self.bounded(lambda: self.block(tree.body))
        for node, name, cls in self.index.definitions.functions:
            if name in self.index.relevant and self.fuel > 0:
                self.bounded(lambda: self.alone(node, name, cls))  # noqa: B023
        self.finish()

    def release(self) -> None:
        """Break the circles between scopes or classes and their functions: the collector need not look for them."""
        for scope in self.scopes:
            scope.names, scope.parent, scope.unit = {}, None, None
        for unit in self.units.values():
            unit.load = None
        for cls in self.classes:
            cls.attributes = {}

    def bounded(self, work: Callable[[], Any]) -> None:
        """Work that may be too much: what was seen until then is kept."""
        frame = self.frame
        with contextlib.suppress(OutOfFuel, RecursionError):
            work()
        self.frame, self.recordings, self.active, self.nested_in, self.nesting = frame, [], [], None, 0
        self.go_to(self.main)

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
        self.drop_guesses()
        graph.stages.sort(key=lambda stage: (stage.span.row, stage.span.column))
        nexts: dict[int, list[Consumer]] = {}
        for consumer in graph.consumers:
            if consumer.kind == "next" and consumer.iterator is not None:
                nexts.setdefault(id(consumer.iterator), []).append(consumer)
        for consumer in graph.consumers:
            if consumer.kind in _ITERATING and (pulled := nexts.get(id(consumer.iterator))):
                if not consumer.context.loops and not any(pull.context.loops for pull in pulled):
                    consumer.kind = "inspection"
        graph.consumers.sort(key=lambda consumer: (consumer.span.row, consumer.span.column))

    def enter(self, function: Function) -> None:
        """Note that a function is called or mapped from here."""
        self.touched.add(id(function.node))
        if function.scope.module is self.module:
            self.graph.called.add(function.name)
        self.entered.setdefault(self.frame.root, set()).add(id(function.node))

    def drop_guesses(self) -> None:
        """Where the module itself calls a function, its calls count, not the reading with unknown parameters."""
        called = {node for root, nodes in self.entered.items() for node in nodes if node != root}
        todo = [root for root in (0, *self.roots) if root not in called]
        reached = set(todo)
        kept = set(todo)
        while todo:
            for node in self.entered.get(todo.pop(), ()):
                if node not in reached:
                    reached.add(node)
                    todo.append(node)
        dropped = (self.roots & reached) - kept
        if not dropped:
            return
        graph = self.graph
        stages = [stage for stage in graph.stages if stage.context.root not in dropped]
        known = {id(stage) for stage in stages}
        # A mapped function is run once for all who map it: what it builds stays with any of them.
        nested = [inner for stage in stages if stage.nested is not None for inner in upstream(stage.nested)]
        while nested:
            inner = nested.pop()
            if id(inner) not in known:
                known.add(id(inner))
                stages.append(inner)
                if inner.nested is not None:
                    nested.extend(upstream(inner.nested))
        graph.stages = stages
        graph.consumers = [consumer for consumer in graph.consumers if consumer.context.root not in dropped]
        graph.discarded = [lost for lost in graph.discarded if lost.stage.context.root not in dropped]

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

    def spend(self, amount: int = 1) -> None:
        self.fuel -= amount
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
        self.scopes.append(scope)
        cls = Class(node, self.frame.scope, prefix + node.name, bases)
        self.classes.append(cls)
        outer = self.frame
        in_test = outer.in_test or is_test_name(node.name)
        self.frame = Frame(scope, cls.name, facts=outer.facts, in_test=in_test, root=outer.root)
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
        for name, symbol in resolve.imported(node, self.file):
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
        """A test with all its `elif`s, which are walked, not recursed into, however many there are."""
        frame = self.frame
        facts, guards = frame.facts, frame.guards
        arms: list[tuple[list[Condition], Callable[[], bool]]] = []
        failed: list[ast.expr] = []
        missed: list[Condition] = []
        orelse: Seq[ast.stmt] = [node]
        while len(orelse) == 1 and isinstance(branch := orelse[0], ast.If):
            frame.facts = facts.given(missed)
            outcome, yes, no = self.test(branch.test)
            frame.facts = facts
            if outcome is not None:
                frame.guards = (*frame.guards, self.guard(branch.test, outcome))
            if outcome is not False:
                arms.append(([*missed, *yes], partial(self.narrowed, tuple(failed), branch.test, branch.body)))
            if outcome is True:
                break
            failed.append(branch.test)
            missed += no
            orelse = branch.orelse
        else:
            arms.append((missed, partial(self.narrowed, tuple(failed), None, orelse)))
        ended = self.fork(arms) if len(arms) > 1 else arms[0][1]()
        frame.guards = guards
        return ended

    def guard(self, test: ast.expr, outcome: bool) -> Condition:
        """A test whose outcome is known, for those who read names."""
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, outcome = test.operand, not outcome
        return Condition(self.text(test), outcome, "")

    def narrowed(self, failed: Seq[ast.expr], test: ast.expr | None, body: Seq[ast.stmt]) -> bool:
        """Execute an arm with what its test, and those that failed before it, say of the tested names."""
        for earlier in failed:
            objects.narrow_by_test(self, earlier, False)
        if test is not None:
            objects.narrow_by_test(self, test, True)
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
        self.spend(10)
        for name in _assigned(node.body):
            # What the loop changes has no constant value in a later pass.
            if isinstance(before.get(name), Constant) and before[name] != Constant(None):
                scope.names[name] = Unknown()
        condition = Condition(f"the loop at line {node.lineno} runs", True, f"loop@{node.lineno}:{next(self.counter)}")
        outer_conditions, outer_facts = frame.conditions, frame.facts
        marks = (len(self.graph.stages), len(self.graph.consumers), len(self.reveals))
        step()
        self.loop_pass(node, over)
        after = scope.names
        carried = [
            name
            for name, value in after.items()
            if name in before and value is not before[name] and self.datasets_in(value)
        ]
        if carried and len(frame.loops) < MAX_REPEATED:
            # The second pass sees what the first one left; what the first one recorded is said again by the second.
            self.forget_pass(node, marks)
            scope.names = dict(after)
            again = condition._replace(key=f"{condition.key}:again")
            for name in carried:
                scope.names[name] = self.join(
                    [again.negated], before[name], [again], after[name], before[name], loop=True
                )
            frame.conditions, frame.facts = outer_conditions, outer_facts
            step()
            self.loop_pass(node, over)
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
            if isinstance(value, Constant) and isinstance(value.value, bool):
                # A flag that says that something was done once, at tracing.
                return
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
        if self.frame.loops or rest is not None or len(sequence.items) + len(items) > MAX_ITEMS:
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
        if isinstance(node, (ast.Name, ast.Attribute)):
            whole = self.frame.scope.find(node.id) if isinstance(node, ast.Name) else self.evaluate(node)
            if whole is not None and whole is not UNKNOWN and not isinstance(whole, (Element, Method, Symbol)):
                # The same value by another name is the same test.
                return self.identity(whole)
        parts: list[str] = []
        todo: list[ast.AST] = [node]
        text = self.whole_text(node)
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
                known = self.frame.scope.find(part.id)
                if known is None:
                    parts.append(part.id)
                elif not isinstance(known, Symbol):
                    parts.append(self.identity(known))
            todo.extend(ast.iter_child_nodes(part))
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.IsNot, ast.NotEq, ast.NotIn)):
            text = positive(text)
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
        handler = expressions.HANDLERS.get(type(node))
        if handler is None or self.nesting > MAX_NESTING:
            return UNKNOWN
        # Only running out of fuel leaves from within, and that ends the run.
        self.nesting += 1
        value = handler(self, node)
        self.nesting -= 1
        return value

    # ---- datasets ---------------------------------------------------------------------------------------------

    def consume(self, kind: ConsumerKind, dataset: Dataset, node: ast.AST, span: Span, **details: Any) -> Consumer:
        """Note that a dataset leaves the pipeline here."""
        consumer = Consumer(kind, dataset, span, node, context=self.frame.context(), **details)
        self.graph.consumers.append(consumer)
        return consumer

    def reclassify(self, iterator: IteratorValue, kind: ConsumerKind) -> None:
        """What was noted where an iterator was made turns out to be of another kind."""
        for consumer in self.graph.consumers:
            if consumer.iterator is iterator and consumer.kind in _ITERATING:
                consumer.kind = kind

    def origin(self, op: str, node: ast.expr | ast.arg | None) -> Stage:
        """A dataset that comes from where we do not see."""
        operation = operations.PARAMETER if op == "parameter" else operations.UNRESOLVED
        span = Span(self.file, 1, 0, 1, 0) if node is None else span_of(node, self.file)
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
            if dataset is None and isinstance(branch.value, (Unknown, External)):
                dataset = self.origin("unresolved", None)
                first = next(d for _, d in found if d is not None)
                dataset.span = next(tips(first)).span
            if dataset is not None:
                branches.append(JoinBranch(branch.conditions, dataset))
        if len(branches) == 1:
            return branches[0].dataset
        return datasets.join_of(tuple(branches), value.loop)

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
                return isinstance(value, Symbol) and operations.normalise(value.name) in datasets.DATASET_CLASSES
        return False

    def text(self, node: ast.expr) -> str:
        """An expression as written, on one line, shortened."""
        text = self.whole_text(node)
        return text if len(text) <= 60 else text[:57] + "..."

    def whole_text(self, node: ast.expr) -> str:
        """An expression as written, on one line."""
        row = getattr(node, "lineno", 0)
        if row and row == node.end_lineno and row <= len(self.lines):
            line = self.lines[node.lineno - 1]
            if line.isascii():
                return line[node.col_offset : node.end_col_offset]
        return ast.unparse(node).replace("\n", " ")


def _is_stable_call(node: ast.Call) -> bool:
    """A call that gives the same answer twice."""
    match node.func:
        case ast.Name(id="isinstance" | "len" | "hasattr" | "callable" | "bool" | "getattr" | "issubclass"):
            return True
        case ast.Attribute(attr="get" | "startswith" | "endswith" | "lower" | "upper" | "keys"):
            return True
    return False


def _assigned(body: Seq[ast.stmt]) -> Iterator[str]:
    """The names that statements assign, those in nested functions left out."""
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name):
                yield target.id
            elif isinstance(target, ast.Tuple):
                yield from (part.id for part in target.elts if isinstance(part, ast.Name))
        for block in blocks(node):
            yield from _assigned(block)


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
