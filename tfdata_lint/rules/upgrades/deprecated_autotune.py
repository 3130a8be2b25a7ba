"""TFD701."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import SymbolUse
from tfdata_lint.pipeline.project.eras import choosing_code, is_tensorflow_1
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule

_EXPERIMENTAL = ".experimental"


class DeprecatedAutotune(Rule):
    code = "TFD701"
    name = "deprecated-autotune"
    group = "upgrade"
    summary = "`tf.data.experimental.AUTOTUNE` is `tf.data.AUTOTUNE` since TensorFlow 2.4"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        uses = [use for use in graph.uses if use.name == "tensorflow.data.experimental.AUTOTUNE"]
        if not uses or target.below(2, 4) or (target.version is None and is_tensorflow_1(graph)):
            return
        choosing = choosing_code(graph)
        for use in uses:
            if id(use.node) in choosing:
                continue
            yield self.finding(
                use.span,
                "`tf.data.experimental.AUTOTUNE` is the old name of `tf.data.AUTOTUNE`",
                cost="The experimental name is kept as an alias only, and experimental names go away without notice",
                advice="Write `tf.data.AUTOTUNE` (TensorFlow 2.4 and later)",
                fix=_fix(graph, use),
            )


def _fix(graph: PipelineGraph, use: SymbolUse) -> Fix:
    draft = Draft(graph)
    match use.node:
        case ast.Attribute(value=ast.Attribute(value=data)) if draft.can_edit(data):
            if ")" in draft.syntax.text[draft.syntax.end(data) : draft.syntax.end(use.node)]:
                draft.refuse("a part of its name stands in parentheses")
            # Whatever `data` is called here.
            draft.put(draft.syntax.end(data), draft.syntax.end(use.node), ".AUTOTUNE")
        case ast.Name(id=name) if draft.can_edit(use.node):
            _import_anew(draft, use.node, name)
        case node if draft.can_edit(node):
            draft.replace(node, draft.data(node, "AUTOTUNE"))
    return draft.fix("safe", "Replace with `tf.data.AUTOTUNE`")


def _import_anew(draft: Draft, node: ast.expr, name: str) -> None:
    """`from tensorflow.data import AUTOTUNE`: the name stays, and so do all of its uses."""
    syntax = draft.syntax
    found = syntax.binds(name, node)
    statement = found[1][0] if found is not None and len(found[1]) == 1 else None
    if not isinstance(statement, ast.ImportFrom) or not (module := statement.module or "").endswith(_EXPERIMENTAL):
        draft.refuse("it is not imported in one place")
        return
    if id(statement) in choosing_code(draft.graph):
        draft.refuse("its import chooses between versions")
        return
    position = next(index for index, alias in enumerate(statement.names) if (alias.asname or alias.name) == name)
    alias = statement.names[position]
    if len(statement.names) == 1:
        start = syntax.text.index(module, syntax.start(statement))
        draft.put(start, start + len(module), module.removesuffix(_EXPERIMENTAL))
        return
    draft.insert_before(statement, f"from {module.removesuffix(_EXPERIMENTAL)} import {syntax.written(alias)}")
    if alias is statement.names[-1]:
        draft.put(syntax.end(statement.names[position - 1]), syntax.end(alias), "")
    else:
        draft.put(syntax.start(alias), syntax.start(statement.names[position + 1]), "")
