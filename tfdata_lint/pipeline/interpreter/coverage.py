"""Which calls of dataset operations a run has put into pipelines, and why not the others."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.interpreter.outside import call_span
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.interpreter.witness import Witness
from tfdata_lint.pipeline.knowledge import operations, telling
from tfdata_lint.pipeline.nouns.coverage import Coverage, LostCall, Reason
from tfdata_lint.pipeline.nouns.stages import Join, Stage
from tfdata_lint.pipeline.nouns.values import External, Method, Symbol, Unknown, Value
from tfdata_lint.pipeline.project.calls import OperationCall, operation_calls
from tfdata_lint.pipeline.project.index import Index
from tfdata_lint.source.module import Source


def covered(run: Run, witness: Witness) -> Coverage:
    """How many calls stand in pipelines, and why not the others."""
    made = {id(stage.node) for stage in run.graph.stages} | {id(consumer.node) for consumer in run.graph.consumers}
    seen, lost = 0, []
    for call in operation_calls(run.main.source, run.index):
        values = witness.called.get(id(call.node), [])
        if id(call.node) in made or any(map(_is_operation, values)):
            seen += 1
        elif not call.is_certain and call.operation not in telling.PLAIN:
            continue
        elif not values or not all(_is_other(value, call) for value in values):
            lost.append(_lost(run.main.source, call, _why(run, call.node, bool(values))))
    return _coverage(seen, lost)


def skipped(source: Source, index: Index) -> Coverage:
    """The same for a module that is not read: there are calls all the same."""
    calls = [call for call in operation_calls(source, index) if call.is_certain]
    return _coverage(0, [_lost(source, call, "skipped") for call in calls])


def _lost(source: Source, call: OperationCall, reason: Reason) -> LostCall:
    return LostCall(call.operation, call_span(call.node, source.path), reason, call.is_certain)


def _coverage(seen: int, lost: list[LostCall]) -> Coverage:
    return Coverage(seen, tuple(sorted(lost, key=lambda call: (call.span.row, call.span.column))))


def _is_operation(value: Value) -> bool:
    match value:
        case Method(receiver=Stage() | Join()):
            return True
        case Symbol(name):
            return operations.lookup(name) is not None or operations.is_dataset_class(name.rpartition(".")[0])
    return False


def _is_other(value: Value, call: OperationCall) -> bool:
    """Has it only the name of an operation?"""
    match value:
        case Method(receiver=Unknown()) | Unknown():
            return False
        case External() | Method(receiver=External()) | Symbol():
            return not call.is_certain
    return True


def _why(run: Run, call: ast.Call, is_called: bool) -> Reason:
    ending = run.graph.ending
    if ending is not None and (not is_called or ending.limit in ("steps elsewhere", "modules")):
        return "limit"
    return "unknown receiver" if is_called else "not reached"
