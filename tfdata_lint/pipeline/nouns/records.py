"""Values that are equal where they hold the same."""

from __future__ import annotations

from typing import Any


class Record:
    """What is not changed once it is made. Named tuples would be equal to those of other classes."""

    __slots__ = ()

    def _parts(self) -> tuple[Any, ...]:
        """All that it holds."""
        return ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Record) and other.__class__ is self.__class__ and other._parts() == self._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._parts()}"
