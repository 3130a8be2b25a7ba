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

    from tfdata_lint.source.concrete import expression_of
    from tfdata_lint.source.layout import is_tangled

    if is_tangled(code):
        raise ValueError("it is nested too deeply for LibCST")
    try:
        call = expression_of(code)
    except libcst.ParserSyntaxError as error:
        raise ValueError(f"LibCST cannot read it: {error.message}") from error
    if not isinstance(call, libcst.Call):
        raise ValueError(f"not a call: {code}")
    return call


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
        if isinstance(ends, cst.Comma) or isinstance(rest, cst.ParenthesizedWhitespace):
            # Where the closing parenthesis has a row, so has each argument, with a comma.
            ends, tail = cst.Comma(whitespace_after=rest), cst.SimpleWhitespace("")
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
    """An argument as it is written, and the comments that stand beside it."""

    code: str
    """Its value, with the stars before it."""
    name: str = ""
    """The parameter, where it is given by name."""
    above: tuple[str, ...] = ()
    """The comments on the rows above."""
    behind: tuple[str, ...] = ()
    """Those behind it, of which the first stands on its own row."""

    @property
    def comments(self) -> tuple[str, ...]:
        return self.above + self.behind

    def __str__(self) -> str:
        return f"{self.name}={self.code}" if self.name else self.code


def arguments_of(call: libcst.Call) -> list[Given]:
    """The arguments of a call in their order."""
    import libcst as cst

    from tfdata_lint.source.concrete import code_of

    found: list[Given] = []
    above = _comments(call.whitespace_before_args)
    for given in call.args:
        behind = _comments(given.whitespace_after_arg)
        below: tuple[str, ...] = ()
        if isinstance(given.comma, cst.Comma):
            space = given.comma.whitespace_after
            behind += _comments(given.comma.whitespace_before)
            if isinstance(space, cst.ParenthesizedWhitespace) and given is not call.args[-1]:
                behind += _comments(space.first_line)
                below = _comments(*space.empty_lines)
            else:
                behind += _comments(space)
        if isinstance(given.equal, cst.AssignEqual):
            above += _comments(given.equal)
        name = given.keyword.value if given.keyword else ""
        value = given.value
        if isinstance(value, cst.GeneratorExp) and not value.lpar:
            # The parentheses of the call were its own.
            value = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        found.append(Given(given.star + code_of(value), name, above, behind))
        above = below
    return found


def _comments(*pieces: libcst.CSTNode) -> tuple[str, ...]:
    import libcst as cst
    import libcst.matchers as m

    found = (comment for piece in pieces for comment in m.findall(piece, m.Comment()))
    return tuple(comment.value for comment in found if isinstance(comment, cst.Comment))


class Blanks(NamedTuple):
    """What stands between the parentheses of a call and its arguments: blanks, or the beginning of a row."""

    first: str = ""
    between: str = " "
    last: str = ""
    comma: str = ""
    """The one behind the last argument, if any."""

    @classmethod
    def of(cls, call: libcst.Call) -> Blanks:
        """Those of a call, without the comments."""
        import libcst as cst

        if not call.args:
            return cls()
        spaces: list[cst.CSTNode] = [call.whitespace_before_args]
        spaces += [each.comma.whitespace_after for each in call.args if isinstance(each.comma, cst.Comma)]
        spaces += [call.args[-1].whitespace_after_arg] * (len(spaces) == len(call.args))
        first, *others, last = map(_row_below, spaces)
        return cls(first, (*others, first)[0] or " ", last, "," * isinstance(call.args[-1].comma, cst.Comma))

    def broken(self, indent: str) -> Blanks:
        """With a row for each argument, where it has none."""
        if "\n" in self.between:
            return self
        below, last = self.first or f"{indent}    ", self.last if self.first else indent
        return Blanks(below, below, last, "," * bool(last))


def _row_below(space: libcst.CSTNode) -> str:
    from tfdata_lint.source.concrete import code_of

    code = code_of(space)
    return "\n" + code.rpartition("\n")[2] if "\n" in code else ""
