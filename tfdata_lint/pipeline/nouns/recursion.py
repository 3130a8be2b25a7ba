"""The one way to recurse over what is held by others: values, elements, stages.

`a = (b, b)`, and the same again forty times, is a graph of forty nodes, which as a tree would have a million millions.
So what is shared is looked at once, and each look is a step of what the file may cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar, cast

from tfdata_lint.pipeline.nouns.work import step

Function = TypeVar("Function", bound=Callable[..., Any])

#: What holds nothing; values.py adds its own.
LEAVES: Final[set[type]] = {type(None)}


class _Recursion:
    """A function that calls itself: within one call from outside, it answers once for the same arguments."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._answers: dict[tuple[int, ...], tuple[tuple[Any, ...], Any]] | None = None

    def __call__(self, *arguments: Any) -> Any:
        if type(arguments[0]) in LEAVES:
            return self._function(*arguments)
        if self._answers is None:
            self._answers = {}
            try:
                return self._function(*arguments)
            finally:
                self._answers = None
        key = tuple([id(argument) for argument in arguments])
        known = self._answers.get(key)
        if known is None:
            step()
            # The arguments are kept too: the key holds their identity.
            known = self._answers[key] = arguments, self._function(*arguments)
        return known[1]


def recursive(function: Function) -> Function:
    """Mark a function that calls itself with what its first argument holds. It only asks, or does a thing once."""
    return cast(Function, _Recursion(function))


def within(value: Any, parts: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    """A value and all that it holds, as `parts` says it of each, from left to right, each once but for leaves."""
    todo, seen = [value], set[int]()
    while todo:
        one = todo.pop()
        if type(one) in LEAVES:
            yield one
        elif id(one) not in seen:
            step()
            seen.add(id(one))
            yield one
            todo += [*parts(one)][::-1]
