"""Pieces of code as LibCST has them, and back: for rules of other distributions that judge or rewrite syntax.

LibCST is imported when a piece is asked for; a piece takes about 0.2 ms, a whole file many times that.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst


def concrete(text: str, node: ast.expr | ast.stmt) -> libcst.CSTNode:
    """The piece of a module's text that a node stands for.

    Raises ValueError where LibCST cannot read it.
    """
    from textwrap import dedent

    import libcst

    written = ast.get_source_segment(text, node) or ""
    try:
        if isinstance(node, ast.stmt):
            # The first row lacks the indent of the others.
            return libcst.parse_statement(dedent(" " * node.col_offset + written))
        return expression_of(written)
    except libcst.ParserSyntaxError as error:
        raise ValueError(f"LibCST cannot read row {node.lineno}: {error.message}") from error


def expression_of(code: str) -> libcst.BaseExpression:
    """The expression that is written so. Raises ParserSyntaxError of LibCST."""
    import libcst

    # In parentheses, which a chain over several rows may stand in.
    inner = libcst.parse_expression(f"({code}\n)")
    return inner.with_changes(lpar=inner.lpar[1:], rpar=inner.rpar[:-1])


def code_of(piece: libcst.CSTNode) -> str:
    """The code of a piece, as it would be written."""
    import libcst

    return libcst.Module([]).code_for_node(piece)
