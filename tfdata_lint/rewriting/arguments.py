"""Arguments and names of the calls of stages, laid out as they are."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rewriting.edits import REST_OF_ROW, Edits


class Arguments(Edits):
    """Edits of the call of one stage."""

    def set_arguments(self, stage: Stage, **values: str) -> None:
        """Give a stage arguments: in the place of those it has, the others behind the last one as keywords."""
        call = self.call_of(stage)
        if call is None:
            return
        new: list[str] = []
        for name, value in values.items():
            given = stage.arguments.get(name)
            if given is None:
                new.append(f"{name}={value}")
            elif any(part is given.node for part in (*call.args, *(keyword.value for keyword in call.keywords))):
                self.replace(given.node, value)
            else:
                self.refuse(f"`{name}` is set in another place")
        if new:
            self.add_arguments(call, *new)

    def call_of(self, stage: Stage) -> ast.Call | None:
        """The call that is written for a stage; noted as a problem where it is called in another way."""
        if stage.op in self.graph.overridden:
            self.refuse(f"a class of the project has a `{stage.op}` of its own")
            return None
        match stage.node:
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)) as call if self.can_edit(call):
                if called == stage.op or stage.symbol.endswith(f".{stage.op}"):
                    return call
        self.refuse(f"`{stage.op}` is not called by its name here")
        return None

    def add_arguments(self, call: ast.Call, *texts: str) -> None:
        """Write more arguments behind the others, laid out as they are."""
        arguments: list[ast.expr] = sorted(
            (*call.args, *(keyword.value for keyword in call.keywords)), key=self.syntax.start
        )
        starred = [argument for argument in call.args if isinstance(argument, ast.Starred)]
        if starred or any(keyword.arg is None for keyword in call.keywords):
            self.refuse("not all arguments are seen")
            return
        close = self.syntax.end(call) - 1
        if not arguments:
            opening = self.syntax.text.rindex("(", 0, close)
            self.put(opening + 1, opening + 1, ", ".join(texts))
            return
        if isinstance(arguments[-1], ast.GeneratorExp) and len(arguments) == 1:
            self.refuse("its only argument is a generator expression")
            return
        self._add_behind(arguments[-1], call, texts, close)

    def _add_behind(self, last: ast.expr, call: ast.Call, texts: tuple[str, ...], close: int) -> None:
        code = self.syntax.text
        end, comma = end_of_argument(code, self.syntax.end(last), close)
        first = next((keyword for keyword in call.keywords if keyword.value is last), last)
        start_of_row, _ = self.syntax.line(self.syntax.start(first))
        if code[start_of_row : self.syntax.start(first)].strip():
            self.put(end, end, f", {', '.join(texts)}")
            return
        indent = self.syntax.indent(self.syntax.start(first))
        rows = [f"\n{indent}{text}" for text in texts]
        anchor = comma + 1 if comma is not None else end
        _, end_of_row = self.syntax.line(anchor)
        ends_row = end_of_row < close and REST_OF_ROW.fullmatch(code, anchor, end_of_row)
        if ends_row and comma is not None:
            self.put(end_of_row, end_of_row, "".join(f"{row}," for row in rows))
        elif ends_row and "#" in code[anchor:end_of_row]:
            # The comment behind the last argument stays with it.
            self.put(end, end, ",")
            self.put(end_of_row, end_of_row, ",".join(rows))
        else:
            self.put(end, end, "".join(f",{row}" for row in rows))

    def rename(self, stage: Stage, new: str) -> None:
        """Call another operation."""
        call = self.call_of(stage)
        if stage.detached:
            self.refuse(f"`{stage.op}` is not called on the dataset here")
        elif call is not None:
            end = self.syntax.end(call.func)
            length = len(call.func.attr if isinstance(call.func, ast.Attribute) else self.syntax.written(call.func))
            self.put(end - length, end, new)


def end_of_argument(code: str, end: int, limit: int) -> tuple[int, int | None]:
    """The end of an argument with the parentheses around it, and where a comma behind it is."""
    position = end
    while position < limit:
        match code[position]:
            case "#":
                position = code.index("\n", position)
            case ",":
                return end, position
            case ")":
                end = position + 1
        position += 1
    return end, None
