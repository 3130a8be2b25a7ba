"""What a fix is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, NamedTuple, overload

from tfdata_lint.pipeline.nouns.places import Span

Applicability = Literal["safe", "unsafe", "display-only"]


class Edit(NamedTuple):
    """A range of a file and its new text."""

    span: Span
    text: str


class Unwritten(Sequence[Edit]):
    """Edits that are written when somebody looks at them. There are some, unless the code cannot be read for it."""

    def __init__(self, write: Callable[[bool], tuple[Edit, ...]]) -> None:
        self.write = cache(write)
        """Write them, with the statements that they touch laid out or not."""

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self.write(True))

    @overload
    def __getitem__(self, index: int) -> Edit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Edit, ...]: ...
    def __getitem__(self, index: int | slice) -> Edit | tuple[Edit, ...]:
        return self.write(True)[index]


#: Why most fixes are needless that are.
BY_RUNTIME = "TensorFlow already does this"


class Fix(NamedTuple):
    """A rewrite of the code. `reason` says why it is not simply applied, in one sentence; empty when it is."""

    applicability: Applicability
    title: str
    reason: str = ""
    edits: Sequence[Edit] = ()
    needless: str = ""
    """Why nothing is gained by it: the runtime does it, say. Nobody's code is rewritten then unless it is asked for."""

    @property
    def is_needless(self) -> bool:
        return bool(self.needless)

    @property
    def is_done_by_runtime(self) -> bool:
        return self.needless == BY_RUNTIME

    @property
    def bare(self) -> Sequence[Edit]:
        """The edits before the statements that they touch are laid out, to be applied with those of other fixes."""
        return self.edits.write(False) if isinstance(self.edits, Unwritten) else self.edits

    def as_needless(self, why: str = BY_RUNTIME) -> Fix:
        reason = f"`--fix` skips it, because {why}" if self.applicability == "safe" else self.reason
        return self._replace(reason=reason, needless=why)
