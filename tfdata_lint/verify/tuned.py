"""What a search for a faster pipeline has tried and found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import Pipeline, Run, Stop


@dataclass(frozen=True, slots=True)
class Tried:
    """One move, and what came of it."""

    title: str
    where: str
    kept: bool
    detail: str
    """Why not, in words."""
    comparison: Comparison | None = None
    equality: Equality | None = None


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was found."""

    run: Run
    """Of the code as it was."""
    pipeline: Pipeline | None = None
    """The one that was tuned."""
    tried: tuple[Tried, ...] = ()
    files: Mapping[str, tuple[bytes, bytes]] | None = None
    """Those that would change: before, and after."""
    comparison: Comparison | None = None
    """Of the code as it was and all that was kept; None where that was not measured any more."""
    equality: Equality | None = None
    is_checked: bool = False
    """All elements were compared with those of the code as it was."""
    is_estimate: bool = False
    """The files are those of the most promising change, of which it was not yet certain that it is faster."""
    problem: str = ""
    """Why there is nothing to show, in words."""
    stopped: Stop | Literal[""] = ""
    seconds: float = 0.0

    @property
    def kept(self) -> list[Tried]:
        return [one for one in self.tried if one.kept]


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was kept."""

    contents: Mapping[str, bytes]
    """Of all files that are changed by then, by path."""
    is_proven: bool
    """It changes no elements, as the graph says."""
    draws: bool
    """Except for what is drawn for each."""
    comparison: Comparison
    """With the step before."""
    equality: Equality
    filling_s: float
    """What it takes to fill its cache."""
