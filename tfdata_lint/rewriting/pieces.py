"""Calls as LibCST has them, changed: commas, blanks and comments are its business.

LibCST is imported when the text of an edit is written, and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import libcst


def call_of(code: str) -> libcst.Call:
    """The call that is written so. Raises ValueError where LibCST cannot read it."""
    import libcst

    from tfdata_lint.source.layout import is_tangled

    if is_tangled(code):
        raise ValueError("it is nested too deeply for LibCST")
    try:
        # In parentheses, which a chain over several rows may stand in.
        call = libcst.parse_expression(f"({code}\n)")
    except libcst.ParserSyntaxError as error:
        raise ValueError(f"LibCST cannot read it: {error.message}") from error
    if not isinstance(call, libcst.Call):
        raise ValueError(f"it is no call: {code}")
    return call.with_changes(lpar=call.lpar[1:], rpar=call.rpar[:-1])


def argument(code: str) -> libcst.Arg:
    """`name=value`, or a value."""
    import libcst

    return libcst.ensure_type(libcst.parse_expression(f"_({code})"), libcst.Call).args[0]


def add_arguments(call: libcst.Call, codes: Sequence[str], indent: str | None = None) -> libcst.Call:
    """The call with more arguments behind the others, on rows of their own where there is an indent for these."""
    import libcst as cst

    new = [argument(code) for code in codes]
    beside = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    if not call.args:
        return call.with_changes(args=[*(each.with_changes(comma=beside) for each in new[:-1]), new[-1]])
    *others, last = call.args
    ends, tail = last.comma, last.whitespace_after_arg
    below = cst.Comma(whitespace_after=cst.ParenthesizedWhitespace(last_line=cst.SimpleWhitespace(indent or "")))
    behind = beside if indent is None else below
    between = behind
    if indent is not None:
        rest = ends.whitespace_after if isinstance(ends, cst.Comma) else tail
        if isinstance(rest, cst.ParenthesizedWhitespace):
            # The comment behind the last argument stays with it.
            between = cst.Comma(
                whitespace_after=rest.with_changes(empty_lines=(), last_line=cst.SimpleWhitespace(indent))
            )
            rest = rest.with_changes(first_line=cst.TrailingWhitespace(newline=rest.first_line.newline))
        if isinstance(ends, cst.Comma):
            ends = ends.with_changes(whitespace_after=rest)
        else:
            tail = rest
    args = [
        *others,
        last.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace("")),
        *(each.with_changes(comma=behind) for each in new[:-1]),
        new[-1].with_changes(comma=ends, whitespace_after_arg=tail),
    ]
    return call.with_changes(args=args)


class Given(NamedTuple):
    """An argument as it is written."""

    code: str
    """Its value, with the stars before it."""
    name: str = ""
    """The parameter, where it is given by name."""
    above: tuple[str, ...] = ()
    """The comments on the rows above."""
    behind: tuple[str, ...] = ()
    """Those behind it, of which the first stands on its own row."""


def arguments_of(call: libcst.Call) -> list[Given]:
    """The arguments of a call in their order, each with the comments that stand beside it."""
    import libcst as cst

    from tfdata_lint.source.concrete import code_of

    found: list[Given] = []
    above = _comments(call.whitespace_before_args)
    for given in call.args:
        behind, next_above = _comments(given.whitespace_after_arg), []
        if isinstance(given.comma, cst.Comma):
            space = given.comma.whitespace_after
            behind += _comments(given.comma.whitespace_before)
            if isinstance(space, cst.ParenthesizedWhitespace):
                behind += _comments(space.first_line)
                next_above = [comment for line in space.empty_lines for comment in _comments(line)]
        if given is call.args[-1]:
            behind += next_above
        above += _comments(given.equal) if isinstance(given.equal, cst.AssignEqual) else []
        name = given.keyword.value if given.keyword else ""
        found.append(Given(given.star + code_of(given.value), name, tuple(above), tuple(behind)))
        above = next_above
    return found


def _comments(piece: libcst.CSTNode) -> list[str]:
    import libcst as cst
    import libcst.matchers as m

    return [comment.value for comment in m.findall(piece, m.Comment()) if isinstance(comment, cst.Comment)]
