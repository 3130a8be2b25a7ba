"""What a fix is."""

from __future__ import annotations

from typing import Literal, NamedTuple

from tfdata_lint.pipeline.nouns.places import Span

Applicability = Literal["safe", "unsafe", "display-only"]


class Edit(NamedTuple):
    """A range of a file and its new text."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A rewrite of the code. `reason` says why it is not simply applied, in one sentence; empty when it is."""

    applicability: Applicability
    title: str
    reason: str = ""
    edits: tuple[Edit, ...] = ()
    is_needless: bool = False
    """The runtime does it by itself: nobody's code is rewritten for that unless it is asked for."""

    def as_needless(self) -> Fix:
        reason = "the runtime does it by itself, so `--fix` leaves it" if self.applicability == "safe" else self.reason
        return self._replace(reason=reason, is_needless=True)
