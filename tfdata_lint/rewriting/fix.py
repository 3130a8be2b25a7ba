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
    """A rewrite of the code. `reason` says why it is unsafe or display-only, in one sentence; empty when safe."""

    applicability: Applicability
    title: str
    reason: str = ""
    edits: tuple[Edit, ...] = ()
