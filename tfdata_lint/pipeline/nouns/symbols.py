"""Where names of TensorFlow are used in the source."""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.places import Span


class SymbolUse:
    """A name of TensorFlow (or a `.method` of interest) in the source, called or not."""

    __slots__ = ("apply", "call", "definition", "name", "node", "span")

    def __init__(
        self,
        name: str,
        node: ast.expr,
        span: Span,
        call: ast.Call | None,
        apply: ast.Call | None = None,
        definition: str = "",
    ) -> None:
        self.name = name
        """Full name, `compat.v1`/`compat.v2` removed: `tensorflow.data.experimental.map_and_batch`."""
        self.node = node
        self.span = span
        self.call = call
        """The call it is the function of."""
        self.apply = apply
        """The `.apply(…)` call that `call` is the argument of."""
        self.definition = definition

    @property
    def written(self) -> str:
        """The name as it is written: `tf.compat.v1.data.make_one_shot_iterator`."""
        return ast.unparse(self.node)

    @property
    def of(self) -> str:
        """The last name of what has the attribute: `options` of `self.options.experimental_threading`."""
        node: ast.AST = self.node
        for _ in range(self.name.count(".")):
            node = node.value if isinstance(node, ast.Attribute) else node
        return last_name(node)

    @property
    def called(self) -> str:
        """The last name of the function that its call is one of."""
        return last_name(self.call)

    @property
    def positional(self) -> int | None:
        """How many arguments its call is given by position; None where `*` gives some."""
        given = self.call.args if self.call else []
        return None if any(isinstance(argument, ast.Starred) for argument in given) else len(given)

    @property
    def keywords(self) -> set[str | None]:
        """What its call is given by name; None for `**`."""
        return {keyword.arg for keyword in self.call.keywords} if self.call else set()
