"""The edits of one fix, gathered; what cannot be written is noted."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import Positioned, Syntax, syntax_of
from tfdata_lint.rewriting.another import of_another
from tfdata_lint.rewriting.fix import Applicability, Edit, Fix, Unwritten
from tfdata_lint.source import layout
from tfdata_lint.source.concrete import code_of
from tfdata_lint.source.replacement import changed_part

if TYPE_CHECKING:
    import libcst

    from tfdata_lint.source.style import TextEdit

_COMMENT_ROW = re.compile(r"[ \t]*#")
_Edit: TypeAlias = tuple[int, int, str | Callable[[], str]]
"""A range of the text and what comes there, or a function that writes it."""

#: Nothing, or a comment.
REST_OF_ROW = re.compile(r"[ \t]*(?:#[^\n]*)?")


class Edits:
    """The edits of one fix, gathered. What cannot be written is noted, and the fix is then for display only.

    Only nodes of this file can be edited: `can_edit` refuses the others, and `syntax` has no place for them.
    """

    def __init__(self, graph: PipelineGraph) -> None:
        self.graph = graph
        self.problem = ""
        """Why it cannot be written, in one sentence."""
        self.doubt = ""
        """Why it is not safe, whatever else holds, in one sentence."""
        self._edits: list[_Edit] = []
        self.touched: list[ast.AST] = []
        """The nodes that it changes."""

    @property
    def syntax(self) -> Syntax:
        return syntax_of(self.graph.source)

    def fits(self, length: int) -> bool:
        """May a row of this code be so long?"""
        from tfdata_lint.source.style import fits

        return fits(self.graph.source, length)

    def fix(self, applicability: Applicability, title: str, reason: str = "") -> Fix:
        """The fix with the edits so far."""
        if self.problem or applicability == "display-only":
            return Fix("display-only", title, self.problem or reason)
        edits = sorted(dict.fromkeys(self._edits), key=lambda edit: edit[:2])
        if any(end > start for (_, end, _), (start, _, _) in pairwise(edits)):
            return Fix("display-only", title, "its parts overlap")
        others = (of_another(self.graph, node) for node in self.touched) if applicability == "safe" else ()
        if name := next(filter(None, others), ""):
            return Fix("display-only", title, f"a class of the project has a `{name}` of its own")
        if applicability == "safe" and self.doubt:
            applicability, reason = "unsafe", self.doubt
        # Few files come so far that these edits are written before somebody looks at them.
        texts = cache(partial(self._texts, edits))
        if applicability == "safe" and "lambda" in self.graph.source.text and self._gathers_lambdas(edits, texts):
            applicability, reason = "unsafe", "two lambdas would stand on one row, which AutoGraph cannot tell apart"
        return Fix(applicability, title, reason, Unwritten(partial(self._written, texts)) if edits else ())

    def _gathers_lambdas(self, edits: Sequence[_Edit], texts: Callable[[], list[TextEdit]]) -> bool:
        """Would a lambda come to the row of another one that AutoGraph cannot tell from it?"""
        from tfdata_lint.source.style import gathers_lambdas, may_gather_lambdas

        source = self.graph.source
        plain = [(start, end, text if isinstance(text, str) else "") for start, end, text in edits]
        return may_gather_lambdas(source, plain) and gathers_lambdas(source, self._laid_out(texts(), parts=False))

    def _written(self, texts: Callable[[], list[TextEdit]], lays_out: bool) -> tuple[Edit, ...]:
        better = self._laid_out(texts(), parts=True) if lays_out else texts()
        return tuple(Edit(self.syntax.span(start, end), text) for start, end, text in better)

    def _texts(self, edits: Sequence[_Edit]) -> list[TextEdit]:
        """The edits with their text; none where LibCST cannot read the code, or is not there, as in the playground."""
        try:
            return [self._text(start, end, text) for start, end, text in edits]
        except (ImportError, ValueError):
            return []

    def _laid_out(self, texts: list[TextEdit], parts: bool) -> list[TextEdit]:
        """The same, laid out as the code around them."""
        # Most runs show no edits.
        from tfdata_lint.source.style import laid_out

        better = laid_out(self.graph.source, texts, parts=parts)
        return texts if any(self._obstacle(*edit) for edit in better) else better

    def _text(self, start: int, end: int, text: str | Callable[[], str]) -> TextEdit:
        """An edit with its text; of what LibCST writes only the part that becomes another one."""
        if isinstance(text, str):
            return start, end, text
        new = text()
        if _comments(self.syntax.text[start:end]) - _comments(new):
            raise ValueError("a comment would be lost")
        head, tail = changed_part(self.syntax.text[start:end], new)
        return start + head, end - tail, new[head : len(new) - tail]

    def refuse(self, problem: str) -> None:
        """Note why the fix cannot be written; the first reason is kept."""
        self.problem = self.problem or problem

    def refuse_where(self, *problems: tuple[object, str]) -> None:
        """Note the first of these that is there."""
        self.refuse(next((problem for is_there, problem in problems if is_there), ""))

    def can_edit(self, node: ast.AST | None) -> bool:
        """Is a node part of this file, where text can be changed?"""
        way = self.syntax.way(node) if node is not None else []
        if node is not None and way and not any(isinstance(step, ast.JoinedStr) for step in way):
            self.touched.append(node)
            return True
        self.refuse("the code cannot be changed in this place")
        return False

    def replace(self, node: Positioned, text: str) -> None:
        """Put other code in the place of a node."""
        if self.can_edit(node):
            self.put(self.syntax.start(node), self.syntax.end(node), text)

    def replace_by(self, node: ast.expr, piece: libcst.CSTNode) -> None:
        """Put an expression of LibCST, such as a changed one of `graph.cst(node)`, in the place of a node."""
        self.replace(node, code_of(piece))

    def put(self, start: int, end: int, text: str | Callable[[], str]) -> None:
        """Replace a range of the text; what comes in must not lack a comment that goes out.

        Text that takes LibCST is given as a function, which keeps the comments and is called when the edit is wanted.
        """
        if problem := self._obstacle(start, end, text):
            self.refuse(problem)
        self._edits.append((start, end, text))

    def _obstacle(self, start: int, end: int, text: str | Callable[[], str]) -> str:
        """Why a range of the text cannot become this."""
        if isinstance(text, str) and _comments(self.syntax.text[start:end]) - _comments(text):
            return "a comment is in the way"
        if not self.syntax.is_as_written(start, end):
            return "it follows a notebook magic"
        if self.syntax.crosses_cells(start, end):
            return "it spans several notebook cells"
        return ""

    def insert_before(self, statement: ast.stmt, code: str) -> None:
        """Write a statement on a row of its own before another one."""
        if not self.can_edit(statement):
            return
        start = self.syntax.start(statement)
        start_of_row, _ = self.syntax.line(start)
        if self.syntax.text[start_of_row:start].strip() or isinstance(statement, ast.FunctionDef | ast.ClassDef):
            self.refuse("the statement does not start on its own line")
            return
        self.put(start_of_row, start_of_row, f"{self.syntax.indent(start)}{code}\n")

    def decorate(self, function: ast.FunctionDef, decorator: str) -> None:
        """Write a decorator above a function that has none."""
        if function.decorator_list:
            self.refuse("it already has a decorator")
        elif self.can_edit(function):
            start, _ = self.syntax.line(self.syntax.start(function))
            self.put(start, start, f"{self.syntax.indent(start)}@{decorator}\n")

    def write_below(self, statement: ast.stmt, code: str) -> bool:
        """Write a statement on the row below another one; False where there is no such row."""
        end = self.end_of_rows(statement)
        if end is None:
            return False
        indent = self.syntax.indent(self.syntax.start(statement))
        # Comments that are indented further belong to its last block.
        while comment := re.compile(rf"\n{indent}[ \t]+#.*").match(self.syntax.text, end):
            end = comment.end()
        self.put(end, end, f"\n{indent}{code}")
        return True

    def start_of_rows(self, statement: ast.stmt) -> int:
        """Where the rows of a statement begin, the comments directly above it included."""
        start, _ = self.syntax.line(self.syntax.start(statement))
        indent = self.syntax.indent(start)
        while start:
            above, _ = self.syntax.line(start - 1)
            if not _COMMENT_ROW.match(self.syntax.text, above) or self.syntax.indent(above) != indent:
                break
            start = above
        return start

    def end_of_rows(self, statement: ast.stmt) -> int | None:
        """Where the rows of a statement end, if nothing else stands on them."""
        start, end = self.syntax.start(statement), self.syntax.end(statement)
        start_of_row, _ = self.syntax.line(start)
        _, end_of_row = self.syntax.line(end)
        code = self.syntax.text
        is_alone = not code[start_of_row:start].strip() and REST_OF_ROW.fullmatch(code, end, end_of_row)
        return end_of_row if is_alone else None


def places_of_comments(code: str, start: int = 0) -> list[int]:
    """Where the comments are from an offset on, which is no part of a string."""
    lines = layout.logical_lines(code[start:]) if "#" in code[start:] else ()
    return [start + offset for line in lines for offset in line.comments]


def _comments(code: str) -> Counter[str]:
    """The comments in a piece of code."""
    return Counter(code[start:].partition("\n")[0].rstrip() for start in places_of_comments(code))
