"""Arguments and names of the calls of stages, laid out as they are."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rewriting.edits import Edits


class Arguments(Edits):
    """Edits of the call of one stage."""

    def __init__(self, graph: PipelineGraph) -> None:
        super().__init__(graph)
        self._added: dict[int, list[str]] = {}
        """The arguments that calls get, by the `id` of the call."""

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
                self.refuse(f"`{name}` is set elsewhere")
        if new:
            self.add_arguments(call, *new)

    def call_of(self, stage: Stage) -> ast.Call | None:
        """The call that is written for a stage; noted as a problem where it is called in another way."""
        if stage.op in self.graph.overridden:
            self.refuse(f"a class of the project has a `{stage.op}` of its own")
            return None
        match stage.node:
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)) as call if self.can_edit(call):
                if called == stage.op or (stage.symbol.endswith(f".{stage.op}") and called != "apply"):
                    return call
        self.refuse(f"`{stage.op}` is not called by its name here")
        return None

    def add_arguments(self, call: ast.Call, *texts: str) -> None:
        """Write more arguments behind the others, laid out as they are."""
        if not self.can_edit(call):
            return
        arguments: list[ast.expr] = sorted(
            (*call.args, *(keyword.value for keyword in call.keywords)), key=self.syntax.start
        )
        starred = [argument for argument in call.args if isinstance(argument, ast.Starred)]
        if starred or any(keyword.arg is None for keyword in call.keywords):
            self.refuse("not all arguments are known")
            return
        if len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp):
            self.refuse("its only argument is a generator expression")
            return
        if id(call) in self._added:
            self._added[id(call)] += texts
            return
        self._added[id(call)] = added = list(texts)
        # Of a name in parentheses all is read.
        start, end = self.syntax.end(call.func), self.syntax.end(call)
        is_plain = self.syntax.text[start] == "("
        start = start if is_plain else self.syntax.start(call)
        place = self.syntax.end(arguments[-1]) if arguments else start + is_plain
        indent = self._indent_of_row(call, arguments[-1]) if arguments else None
        self.put(place, end, lambda: self._with_arguments(start, place, end, added, indent))

    def _with_arguments(self, start: int, place: int, end: int, texts: Sequence[str], indent: str | None) -> str:
        """What comes behind the last argument of a call."""
        from tfdata_lint.rewriting.pieces import add_arguments, call_of
        from tfdata_lint.source.concrete import code_of

        code = self.syntax.text[start:end]
        name = "_" * (code[0] == "(")
        return code_of(add_arguments(call_of(f"{name}{code}"), texts, indent))[len(name) + place - start :]

    def _indent_of_row(self, call: ast.Call, last: ast.expr) -> str | None:
        """The indent of the last argument, where a row begins with it."""
        start = self.syntax.start(next((keyword for keyword in call.keywords if keyword.value is last), last))
        indent = self.syntax.indent(start)
        return indent if start == self.syntax.line(start)[0] + len(indent) else None

    def rename(self, stage: Stage, new: str) -> None:
        """Call another operation."""
        call = self.call_of(stage)
        if stage.detached:
            self.refuse(f"`{stage.op}` is not called on the dataset here")
        elif call is not None:
            end = self.syntax.end(call.func)
            length = len(call.func.attr if isinstance(call.func, ast.Attribute) else self.syntax.written(call.func))
            self.put(end - length, end, new)
