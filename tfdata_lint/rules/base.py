"""What a rule is and what it reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rewriting.fix import Applicability, Edit, Fix

__all__ = [
    "Applicability", "Edit", "Experiment", "Finding", "Fix", "Group", "Option", "Related", "Rule", "Severity",
]  # fmt: skip

Severity = Literal["error", "warning", "advice"]
#: What `--verify` looks at to judge a finding: how fast it is with the fix; whether another epoch, iterator or process
#: gives the same elements, or one part of a split those of the other; how much a buffer holds; whether what is made is
#: consumed; what a GPU transposes.
Experiment = Literal["speed", "epochs", "iterators", "processes", "parts", "memory", "consumption", "transposes"]
Group = Literal["correctness", "performance", "advice", "upgrade", "pedantic", "meta"]
#: A preview is for those who ask for it, until it has proven itself on real code.
Status = Literal["stable", "preview"]


class Related(NamedTuple):
    """Another place that the finding is about, and what it is."""

    span: Span
    message: str


class Finding(NamedTuple):
    """One problem at one place.

    `message` says what was seen, `cost` why it matters (with the measured factor), `advice` what to do: a sentence
    each, without the final stop.
    """

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    cost: str
    advice: str
    span: Span
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    alternatives: tuple[Fix, ...] = ()
    """Other fixes, for a person to choose."""
    by_version: bool = False
    """Another TensorFlow gives it another severity."""


class Option(NamedTuple):
    """What may be set for one rule, under `[tool.tfdata-lint.rules.CODE]`. Its values have the type of the default."""

    name: str
    """In words with hyphens: `largest-buffer`."""
    default: bool | int | float | str | tuple[str, ...]
    text: str
    """What it means, in one sentence."""


class Rule(ABC):
    """One rule: a code, a name, a page in `rules/`, and one generator of early returns."""

    code: ClassVar[str]
    name: ClassVar[str]
    group: ClassVar[Group]
    summary: ClassVar[str]
    """One line, for tables and help."""
    status: ClassVar[Status] = "stable"
    experiment: ClassVar[Experiment] = "speed"
    done_by_runtime: ClassVar[Literal["", "buffer", "parallel"]] = ""
    """What of its advice the runtime may follow by itself."""
    related_comes: ClassVar[Literal["", "before", "after"]] = ""
    """When the elements pass its one related place, seen from the place of the finding."""
    of_ends: ClassVar[bool] = False
    """It is about the end of a pipeline, which does not count where another file goes on from it."""
    options: ClassVar[tuple[Option, ...]] = ()

    _set: Mapping[str, Any] = MappingProxyType({})
    """The options that the settings give another value."""

    @abstractmethod
    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        """The findings of this rule in one module. Asks the graph; never reads files, never raises on odd code."""

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        """Is a stage reached in a way that is right? Then it says nothing of its place, whatever other files do there.

        For rules that speak only where all ways to a place agree.
        """
        return False

    def option(self, name: str) -> Any:
        """The value of one of its options. Raises KeyError for another name."""
        return {**{option.name: option.default for option in self.options}, **self._set}[name]

    def configured(self, values: Mapping[str, Any]) -> Rule:
        """The same rule with other values of its options, which were checked."""
        if not values:
            return self
        rule = copy(self)
        rule._set = MappingProxyType(dict(values))
        return rule

    @property
    def severity(self) -> Severity:
        """The usual severity of its group; a finding may carry a lower one."""
        return _SEVERITIES[self.group]

    @property
    def on_by_default(self) -> bool:
        return self.group != "pedantic" and self.status == "stable"

    def finding(
        self,
        span: Span,
        message: str,
        *,
        cost: str,
        advice: str,
        severity: Severity | None = None,
        confidence: Confidence = "proven",
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
        alternatives: tuple[Fix, ...] = (),
        by_version: bool = False,
    ) -> Finding:
        """A finding of this rule."""
        level = severity or self.severity
        return Finding(
            self.code, self.name, level, confidence, message, cost, advice, span, related, fix, alternatives, by_version
        )


_SEVERITIES: dict[Group, Severity] = {
    "correctness": "error",
    "performance": "warning",
    "advice": "advice",
    "upgrade": "warning",
    "pedantic": "advice",
    "meta": "error",
}
