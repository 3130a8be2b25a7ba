"""What is noted while a mapped function is run; elsewhere nothing is."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Literal

from tfdata_lint.pipeline.mapped.effects import Body, Call, Mutation
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.values import External, Unknown, Value


class Recorder:
    """The run of one mapped function: what is seen goes into its `body`."""

    __slots__ = ("_made", "body", "frame")

    on = True

    def __init__(self, body: Body) -> None:
        self.body = body
        self.frame: object = None
        """The function itself; helpers that it calls have other frames."""
        self._made: set[int] = set()

    def made(self, thing: object) -> None:
        """An object of the project, or the scope of a function, that came into being here: it is new each time."""
        self._made.add(id(thing))

    def owns(self, thing: object) -> bool:
        return id(thing) in self._made

    def calls(
        self,
        frame: object,
        name: str,
        node: ast.Call,
        span: Span,
        positional: Iterable[Value],
        keywords: Mapping[str, Value],
    ) -> None:
        """A call of something that is not of the project."""
        is_own = frame is self.frame
        self.body.calls.append(Call(name, node, span, tuple(positional), keywords, helper=not is_own))
        if is_own:
            self.body.names[id(node)] = name

    def reads(self, frame: object, node: ast.expr, value: Value) -> None:
        """A name or an attribute is read."""
        if frame is not self.frame:
            if isinstance(value, External):
                self.body.helper_reads.append((node, value))
        elif not isinstance(value, Unknown):
            self.body.constants[id(node)] = value

    def changes(self, kind: Literal["global", "nonlocal", "attribute", "item"], target: str, span: Span) -> None:
        """Something outside of the function is changed by a statement."""
        self.body.mutations.append(Mutation(kind, target, span))

    def loses_track(self) -> None:
        """Something in it is not followed."""
        self.body.complete = False


class Nobody(Recorder):
    """Where no mapped function is run."""

    __slots__ = ()

    on = False

    def __init__(self) -> None:
        pass

    def made(self, thing: object) -> None:
        pass

    def owns(self, thing: object) -> bool:
        return False

    def calls(
        self,
        frame: object,
        name: str,
        node: ast.Call,
        span: Span,
        positional: Iterable[Value],
        keywords: Mapping[str, Value],
    ) -> None:
        pass

    def reads(self, frame: object, node: ast.expr, value: Value) -> None:
        pass

    def changes(self, kind: Literal["global", "nonlocal", "attribute", "item"], target: str, span: Span) -> None:
        pass

    def loses_track(self) -> None:
        pass


NOBODY = Nobody()
