"""Edits inside of mapped functions: a call of Python or of one element becomes one of TensorFlow or of batches."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction, Stage
from tfdata_lint.pipeline.project.syntax import assigned_value
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.draws import NoTensor, as_tensor
from tfdata_lint.source.trees import walk


def parse_batches(draft: Draft, function: MappedFunction) -> None:
    """Let a function parse a batch of examples, if nothing else calls it."""
    node = function.node
    name = node.name if isinstance(node, ast.FunctionDef) else ""
    if node is None or (name and len(re.findall(rf"\b{name}\b", draft.syntax.text)) != 2):
        draft.refuse("its function may be called in other places")
        return
    calls = [part.func for part in walk(node) if isinstance(part, ast.Call) and _parses(part.func)]
    if len(calls) != 1:
        draft.refuse("its function does not parse by itself")
        return
    written = draft.syntax.written(calls[0])
    draft.replace(calls[0], written.removesuffix("parse_single_example") + "parse_example")


def _parses(func: ast.expr) -> bool:
    return isinstance(func, ast.Attribute) and func.attr == "parse_single_example"


def draw_for_every_element(draft: Draft, stage: Stage, function: MappedFunction, effect: Effect) -> None:
    """An operation of `tf.random` in the place of a draw of Python."""
    call = effect.node
    if not isinstance(call, ast.Call) or not draft.can_edit(call):
        draft.refuse("the call is not written here")
        return
    try:
        draft.replace(call, as_tensor(draft.syntax, stage, function, effect, draft.tensorflow(call)))
    except NoTensor as reason:
        draft.refuse(str(reason))


# ── print ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def print_for_every_element(draft: Draft, effect: Effect) -> None:
    """`tf.print` in the place of a `print`."""
    call = effect.node
    if isinstance(call, ast.Call) and draft.can_edit(call):
        draft.refuse(_obstacle(call))
        draft.replace(call.func, f"{draft.tensorflow(call)}.print")
        _drop_value(draft, call)


def _obstacle(call: ast.Call) -> str:
    """What `tf.print` cannot do."""
    for keyword in call.keywords:
        if keyword.arg not in ("sep", "end"):
            return f"`tf.print` has no `{keyword.arg}=`" if keyword.arg else "not all arguments are seen"
        if not (isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str)):
            return f"`{keyword.arg}=` must be a string"
    if any(_is_text(node) for argument in call.args for node in walk(argument)):
        return "the text is put together in Python: give `tf.print` its parts as arguments"
    return ""


def _is_text(node: ast.AST) -> bool:
    """Does it make a string of a value, at tracing?"""
    match node:
        case ast.FormattedValue() | ast.Call(func=ast.Name(id="str" | "repr" | "format")):
            return True
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()))):
            return True
    return False


def _drop_value(draft: Draft, call: ast.Call) -> None:
    """`print` gives None and `tf.print` an operation, which must not become part of the element."""
    match draft.syntax.way(call)[-3:]:
        case [*_, ast.Expr(), _]:
            return
        case [ast.Subscript(slice=index), ast.Tuple(elts=items) | ast.List(elts=items), _]:
            # `(print(x), x)[1]`
            chosen = ast.unparse(index)
            if chosen.lstrip("-").isdigit() and int(chosen) % len(items) != items.index(call):
                return
        case [_, ast.BoolOp(op=ast.Or(), values=[first, _]) as either, _] if first is call:
            end = draft.syntax.end(call)
            between = re.compile(r"\s+or\s+").match(draft.syntax.text, end)
            if between is not None:
                draft.put(draft.syntax.start(either), draft.syntax.start(either), "(")
                draft.put(end, between.end(), ", ")
                draft.put(draft.syntax.end(either), draft.syntax.end(either), ")[1]")
                return
    draft.refuse("what `print` returns is used")


def drop_features(draft: Draft, call: ast.Call, names: Sequence[str]) -> None:
    """Take features out of the dict of those that a call parses, where that is written out for this call alone."""
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "features")]
    written = _for_this_alone(draft, given[0]) if len(given) == 1 else None
    if written is None or not draft.can_edit(written):
        draft.refuse("what is parsed is not written out for this call alone")
        return
    keys = [key.value if isinstance(key, ast.Constant) else None for key in written.keys]
    if any(keys.count(name) != 1 for name in names):
        draft.refuse("its keys are not all written out")
        return
    syntax = draft.syntax
    starts = [syntax.start(key) for key in written.keys if key is not None]
    ends = [syntax.end(value) for value in written.values]
    gaps = [syntax.text[end:start] for end, start in zip(ends, starts[1:], strict=False)]
    if len(starts) != len(ends) or any("(" in gap or ")" in gap for gap in gaps):
        draft.refuse("an entry stands in parentheses")
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
