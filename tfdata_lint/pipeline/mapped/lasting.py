"""What lasts: a value that is what it was, whatever else happens while elements are read."""

from __future__ import annotations

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import canonical, last
from tfdata_lint.pipeline.nouns.fold import Fold
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Class,
    Constant,
    Element,
    Expr,
    External,
    Function,
    Mapping_,
    Method,
    Partial,
    Sequence,
    Symbol,
    Value,
    parts_of,
)

#: Of these what is made may change.
_CHANGING = ("tensorflow.nest.", "tensorflow.keras.", "tensorflow.lookup.")
#: Libraries whose names stand for functions, types and numbers.
_NAMED = ("absl.", "builtins.", "math.", "numpy.", "os.", "string.", "sys.", "tensorflow.", "tensorflow_text.")
#: Types of arrays whose parts are objects.
_OBJECTS = (Symbol("builtins.object"), Symbol("numpy.object_"), Constant("O"), Constant("object"))
#: What they give are settings: Python values.
_SETTINGS = ("absl.flags.", "argparse.", "tensorflow.app.flags.", "tensorflow.compat.v1.flags.", "tensorflow.flags.")


class Lasting(Fold[bool]):
    """Is something what it was, whatever else happens while elements are read?"""

    def __init__(self, made: set[int]) -> None:
        super().__init__()
        self._made = made
        """The calls that are made in the function itself, by `id`."""

    def expression(self, expr: Expr) -> bool:
        if makes(expr.by) or expr.by.startswith("plain."):
            return True
        if expr.by in ("item", "unpacked"):
            return self.of(expr.of[0])
        return bool(expr.by) and all(map(self.of, (*expr.of, *expr.named.values())))

    def value(self, value: Value | None) -> bool:
        match value:
            case Constant() | Function() | Class() | Element():
                return True
            case Symbol(name):
                return name.startswith(_NAMED) or known(name).is_pure
            case Sequence() | Mapping_() | Alternatives():
                return all(map(self.of, parts_of(value)))
            case Partial(arguments=arguments, keywords=keywords):
                return all(map(self.of, (*arguments, *keywords.values())))
            case External(symbol=symbol):
                if id(value.call) in self._made or symbol.startswith(_SETTINGS):
                    return True
                if not makes(symbol) or any(part in _OBJECTS for part in value.given):
                    return False
                return not _keeps(value) or all(map(self.of, value.given))
            case Method(receiver=receiver):
                return self.of(receiver)
        return value is None

    def too_deep(self) -> bool:
        return False


def _keeps(made: External) -> bool:
    """May an object hold what it was made of: an operator its matrix, an array its parts?"""
    if made.symbol.startswith("numpy."):
        return any(isinstance(part, (External, Sequence)) for part in made.given)
    return last(made.symbol)[:1].isupper()


def makes(name: str) -> bool:
    """Does a function make a tensor or an array of its own?"""
    name = canonical(name)
    if name.startswith("numpy."):
        return known(name).effect in ("python", "python_random", "pure")
    return (
        name.startswith("tensorflow.") and known(name).is_pure and not (name.startswith(_CHANGING) or known(name).calls)
    )
