"""TFD318."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Parsed
from tfdata_lint.pipeline.project.syntax import assigned_value
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.ordering.unused_features.unread import Unread, mentions, parses, unread
from tfdata_lint.source.trees import walk

#: So many features that only cost the parsing of them are worth a word, where they are the half of all.
_MANY = 3


class UnusedFeatures(Rule):
    code = "TFD318"
    name = "unused-features"
    group = "performance"
    summary = "Features of records are parsed, or even decoded, and nobody reads them"
    triggers = ("parses",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for parsed, stages in parses(graph.stages):
            if any(stage.context.in_test for stage in stages) or is_only_looked_at(graph, stages):
                continue
            found = unread(graph, parsed, stages)
            if not found.names or len(found.names) == len(parsed.features) or not _is_much(found, parsed):
                continue
            yield self.finding(
                parsed.span,
                f"{_listed(found.names)} {'is' if len(found.names) == 1 else 'are'} parsed but never read",
                cost=_cost(found),
                advice="Remove the unused features from the specification, so that parsing skips them",
                severity="warning" if found.worked_on and found.travel else "advice",
                confidence="proven" if all(stage.confidence == "proven" for stage in stages) else "likely",
                related=tuple(Related(stage.span, "maps the function that parses them") for stage in stages[:1]),
                fix=_fix(graph, parsed, found, stages[0].function),
            )


def _is_much(found: Unread, parsed: Parsed) -> bool:
    return (
        found.travel
        or bool(found.worked_on)
        or (len(found.names) >= _MANY and 2 * len(found.names) >= len(parsed.features))
    )


def _listed(names: list[str]) -> str:
    """The first of them, and how many others."""
    shown = [f"`{name}`" for name in names[:3]]
    if len(names) > len(shown):
        return f"{', '.join(shown)} and {len(names) - len(shown)} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _cost(found: Unread) -> str:
    if found.worked_on and not found.travel:
        return (
            f"Nobody reads what is made of {_listed(found.worked_on)}: TensorFlow prunes that work, but parses, and so"
            " copies, the bytes of each record"
        )
    if found.worked_on:
        return (
            f"The work on {_listed(found.worked_on)} is wasted for every element (measured: a JPEG image of 300 × 300"
            " pixels that is decoded, shuffled, batched and not read makes a pipeline 10 to 18 times slower)"
        )
    if found.travel:
        return (
            "Shuffle buffers hold what is not read, and batching copies it (measured: an encoded image of 100 KB that"
            " nobody reads makes a pipeline of small features 1.5 times slower)"
        )
    return (
        "Each feature costs 0.2 to 2 µs per record (measured: seven unread features of ImageNet take 1.2 times as long)"
    )


@guarded
def _fix(graph: PipelineGraph, parsed: Parsed, found: Unread, function: MappedFunction | None) -> Fix | None:
    """Drop them from the dict of the specification, where it is written out for this call, and what sets them anew."""
    if parsed.depth:
        # Sequences have two specifications.
        return None
    body = function.node.body if function is not None and isinstance(function.node, ast.FunctionDef) else []
    setting = [statement for statement in body if isinstance(statement, ast.Assign) and len(statement.targets) == 1]
    places = [place for name in found.names for place in mentions(graph.tree, name)]
    works = [statement for statement in setting if any(statement.targets[0] is place for place in places)]
    left = [part for statement in body if statement not in works for part in walk(statement)]
    keys = [
        part.slice.value for part in left if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant)
    ]
    if len(works) != len(places) or len(works) < len(found.worked_on) or (works and {*keys} & {*found.worked_on}):
        return None
    draft = Draft(graph)
    for statement in works:
        end = draft.end_of_rows(statement)
        draft.refuse_where((end is None, "other code is on the rows of the work on it"))
        draft.put(draft.start_of_rows(statement), (end or 0) + 1, "")
    _drop_features(draft, parsed.node, found.names)
    what = "it" if len(found.names) == 1 else "them"
    reason = (
        "records that lack the feature no longer raise an error, and other callers of the function no longer get it"
    )
    return draft.fix("unsafe", f"Do not parse {what}", reason)


def _drop_features(draft: Draft, call: ast.Call, names: Sequence[str]) -> None:
    """Take features out of the dict of those that a call parses, where that is written out for this call alone."""
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "features")]
    written = _for_this_alone(draft, given[0]) if len(given) == 1 else None
    if written is None or not draft.can_edit(written):
        draft.refuse("other code may use the same feature specification")
        return
    keys = [key.value if isinstance(key, ast.Constant) else None for key in written.keys]
    if any(keys.count(name) != 1 for name in names):
        draft.refuse("not all keys of the specification are literal")
        return
    syntax = draft.syntax
    starts = [syntax.start(key) for key in written.keys if key is not None]
    ends = [syntax.end(value) for value in written.values]
    gaps = [syntax.text[end:start] for end, start in zip(ends, starts[1:], strict=False)]
    if len(starts) != len(ends) or any("(" in gap or ")" in gap for gap in gaps):
        draft.refuse("an entry is in parentheses")
        return
    gone = [key in names for key in keys]
    for first, is_gone in enumerate(gone):
        if not is_gone or (first and gone[first - 1]):
            continue
        last = next((index for index in range(first, len(gone)) if not gone[index]), len(gone)) - 1
        if last + 1 < len(gone):
            draft.put(starts[first], starts[last + 1], "")
        else:
            draft.put(ends[first - 1], ends[last], "")


def _for_this_alone(draft: Draft, given: ast.expr) -> ast.Dict | None:
    """The dict itself, or the one that a name stands for which is read in no other place."""
    if isinstance(given, ast.Dict):
        return given
    if not isinstance(given, ast.Name):
        return None
    uses = [node for node in walk(draft.syntax.tree) if isinstance(node, ast.Name) and node.id == given.id]
    found = draft.syntax.scopes.binds(given.id, given)
    block = draft.syntax.block(found[1][0]) if found is not None and len(found[1]) == 1 and len(uses) == 2 else None
    value = assigned_value(block.statement, given.id) if block is not None else None
    return value if isinstance(value, ast.Dict) else None
