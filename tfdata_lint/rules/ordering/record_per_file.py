"""TFD327."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds, last_name, nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import GUARDS, passes
from tfdata_lint.pipeline.project.bindings import FUNCTIONS
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named, is_for_debugging
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.pipeline.python.runs import Pass, loop_around, passes_of
from tfdata_lint.pipeline.python.uses import use_of, uses
from tfdata_lint.pipeline.python.values import HOLE, texts_at
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

_WRITERS = ("tensorflow.io.TFRecordWriter", "tensorflow.python_io.TFRecordWriter")
#: As many files are no matter.
_FEW = 16
#: What opens a file of records by its name.
_READERS = ("TFRecordDataset", "tf_record_iterator")
_HOLE = "*"
_EXISTING = ("exists", "isfile", "is_file")


class RecordPerFile(Rule):
    code = "TFD327"
    name = "record-per-file"
    group = "performance"
    summary = "A TFRecord file is written for each example"
    unmeasured = "The files that it writes are not read in this run"
    without_pipelines = True
    triggers = ("text:TFRecordWriter",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        for _, call in calls_named(graph, *_WRITERS):
            if is_for_debugging(graph.tree, call) or not _writes_one(graph, call):
                continue
            ways = passes_of(syntax_of(graph.source), call)
            loop = next((way.loop for way in ways if _is_over_many(graph, way)), None)
            if (loop is None and not _is_run_elsewhere(graph, call)) or _is_looked_up(graph, call):
                continue
            yield self.finding(
                span_of(call, graph.file),
                "A new file is opened for each record that is written",
                cost=(
                    "Each file is opened and closed for one record (measured for records of 1 kB: writing takes 20"
                    " times as long or more), and every reader must open each file again"
                ),
                advice="Open the writer before the loop; for many records write several files of 100 MB or more",
                confidence="likely",
                related=tuple(
                    Related(span_of(part, graph.file), "each pass writes its own file")
                    for part in (getattr(loop, "target", loop),)
                    if isinstance(part, ast.expr)
                ),
            )


def _is_over_many(graph: PipelineGraph, way: Pass) -> bool:
    """Does a loop run for each of many things, and lead in each pass to the place?"""
    walked_of = getattr(way.loop, "iter", None)
    goes_in_steps = isinstance(walked_of, ast.Call) and len(walked_of.args) == 3
    if (
        isinstance(way.loop, ast.While)
        or goes_in_steps
        or _skips_what_is_there(way.loop)
        or (passes(way.loop, graph.ranges) or _FEW + 1) <= _FEW
    ):
        return False
    syntax = syntax_of(graph.source)
    steps = syntax.way(way.place)
    inside = steps[steps.index(way.loop) + 1 :] if way.place is not way.loop else []
    inner = [step for call in way.calls[1:] for step in _inside(syntax, call)]
    return not any(isinstance(step, GUARDS) for step in (*inside, *inner))


def _skips_what_is_there(loop: ast.AST) -> bool:
    """Does it go on where a file exists already? Then each has a name of its own, by which others find it."""
    return any(
        isinstance(step, ast.If)
        and any(isinstance(part, ast.Continue) for part in step.body)
        and any(last_name(part) in _EXISTING for part in walk(step.test) if isinstance(part, ast.Call))
        for step in walk(loop)
    )


def _inside(syntax: Syntax, node: ast.AST) -> list[ast.AST]:
    """What stands between a node and the function around it."""
    return syntax.way(node)[len(syntax.way(syntax.scopes.scope_of(node))) :]


def _is_run_elsewhere(graph: PipelineGraph, call: ast.Call) -> bool:
    """Is the function that it stands in called in a loop of another file?"""
    syntax = syntax_of(graph.source)
    function = syntax.scopes.scope_of(call)
    is_guarded = any(isinstance(step, GUARDS) for step in _inside(syntax, call))
    is_alone = loop_around(syntax, call) is None and not is_guarded
    return is_alone and isinstance(function, ast.FunctionDef) and graph.is_run_in_loop(function.name)


def _is_looked_up(graph: PipelineGraph, call: ast.Call) -> bool:
    """Does the project open a file of this kind by its name, in a function, rather than all of them?"""
    written = {_form(text) for text in texts_at(graph, call.args[0])} if call.args else set()
    # Of a name of which nothing is written nothing can be said.
    if not any(_HOLE in form and form != _HOLE for form in written):
        return False
    for source in dict.fromkeys((graph.source, *[one for name in _READERS for one in graph.having(name)])):
        syntax = syntax_there(source, graph.source)
        for node in nodes_on(syntax.tree, rows_with(source.text, *map(whole, _READERS))):
            if not isinstance(node, ast.Call) or last_name(node) not in _READERS or not node.args:
                continue
            is_in_function = isinstance(syntax.scopes.scope_of(node), FUNCTIONS)
            if is_in_function and loop_around(syntax, node) is None and _is_text(graph, node.args[0], source):
                if not written.isdisjoint(map(_form, texts_at(graph, node.args[0], source))):
                    return True
    return False


def _is_text(graph: PipelineGraph, node: ast.expr, source: Source) -> bool:
    """Is one path written there, rather than a list of them?"""
    places = origins(graph, node, source)
    return bool(places) and not any(isinstance(place.node, (ast.List, ast.ListComp)) for place in places)


def _form(text: str) -> str:
    """The name of a file without its folder, and without what is known of its holes."""
    return re.sub(f"(?:{HOLE}[^{HOLE}]*{HOLE})+", _HOLE, text).rpartition("/")[2]


def _writes_one(graph: PipelineGraph, call: ast.Call) -> bool:
    """Is all that is done with the writer one `write`, in no loop of its own?"""
    syntax = syntax_of(graph.source)
    made = use_of(syntax, call)
    match made.by:
        case ast.With(items=items):
            targets = [item.optional_vars for item in items if item.context_expr is call]
        case ast.Assign(targets=targets):
            pass
        case _:
            return made.kind == "method" and made.what == "write"
    if len(targets) != 1 or not isinstance(targets[0], ast.Name):
        return False
    name = targets[0]
    scope = loop_around(syntax, call) or syntax.scopes.scope_of(call)
    found = [use for use in uses(syntax, name.id, name) if holds(scope, use.node) and use.node is not name]
    writes = [use for use in found if use.kind == "method" and use.what == "write"]
    others = [use for use in found if use not in writes]
    is_closed = all(use.kind == "method" and use.what in ("close", "flush", "__exit__") for use in others)
    return len(writes) == 1 and is_closed and loop_around(syntax, writes[0].node) is loop_around(syntax, call)
