"""Programs that Horovod runs in several processes."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.project.index import definitions_of, span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.source.trees import walk

#: What one worker does alone, or which device it takes: `if hvd.rank() == 0`, `gpus[hvd.local_rank()]`. Compiled where
#: it is asked for.
_ALONE = (
    r"(?<!\w)\w*\.?local_rank\(\)|(?<!\w)\w*\.?\brank\(\)\s*(?:==|!=|>)\s*0\b|\b0\s*==\s*\w*\.?rank\(\)"
    r"|(?:\bif|\bnot|\band|\bor)\s+\w*\.?rank\(\)(?=\s*(?::|\)|else\b|and\b|or\b))"
)
#: What each worker has of its own: its number, its variables of the environment, its machine.
_OWN = r"(?i:rank)|getenv|environ\.get|environ\[[^\]]{0,200}\](?!\s*=)|gethostname|getpid|getnode|platform\.node"
_AVERAGES = r"\bDistributed(?:Optimizer|GradientTape)\b"


def worker_start(graph: PipelineGraph) -> Span | None:
    """Where a program calls `hvd.init()` that averages the gradients of its workers."""
    if "horovod" not in graph.source.text or re.search(_AVERAGES, graph.source.text) is None:
        return None
    imports = definitions_of(graph.source).imports
    names = {alias for alias, symbol in imports.items() if symbol.name.startswith("horovod.")}
    for node in walk(syntax_of(graph.source).tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="init")) if name in names:
                return span_of(node, graph.file)
    return None


def tells_workers_apart(graph: PipelineGraph) -> bool:
    """Is the number of the worker, or what else each has of its own, asked for more than what one does alone?"""
    return re.search(_OWN, re.sub(_ALONE, "", graph.source.text)) is not None
