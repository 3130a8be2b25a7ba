"""What a rule is and what it reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import wraps
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, ParamSpec, TypeAlias

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import NOWHERE, ForeignNode, Span, Standing
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.rewriting.fix import BY_RUNTIME, Applicability, Edit, Fix

__all__ = [
    "BY_RUNTIME", "Applicability", "Edit", "Entry", "Experiment", "Failed", "Finding", "Fix", "Group", "Made", "Option",
    "Related", "Rule", "Severity", "Status", "guarded",
]  # fmt: skip

P = ParamSpec("P")

Severity = Literal["error", "warning", "advice"]
#: What `--verify` looks at to judge a finding: how fast it is with the fix; whether another epoch, iterator or process
#: gives the same elements, or one part of a split those of the other; whether what is scored is drawn, what is zipped
#: meets the same partners again, and one draw moves an image and its mask; how much a buffer holds; whether what is
#: made is consumed; what a GPU transposes; which share of the time the work takes that would be gone, its own or
#: that of the place which does it again, where no fix can be compared; whether a profile leaves the wait out; how long
#: the step of the consumer takes; how long it takes with all that the loop does around it; how late epochs begin.
Experiment = Literal[
    "speed", "epochs", "iterators", "processes", "parts", "scores", "partners", "draws", "memory", "consumption",
    "transposes", "share", "again", "profile", "step", "loop", "beginnings",
]  # fmt: skip
Group = Literal["correctness", "performance", "advice", "upgrade", "pedantic", "meta"]
#: A preview is for those who ask for it, until it has proven itself on real code.
Status = Literal["stable", "preview"]


class Related(NamedTuple):
    """Another place that the finding refers to, with a message."""

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
    standing: Standing = NOWHERE
    """The pipelines that it is about, where the setting `with_standing` asks for that; no rule says so."""
    failure: Exception | None = None
    """Why its fix could not be made, which is an error of the rule."""


class Failed(NamedTuple):
    """A fix that could not be made."""

    error: Exception


Made: TypeAlias = Fix | Failed | None


def guarded(make: Callable[P, Made]) -> Callable[P, Made]:
    """Decorate what makes a fix: where it raises an error, the finding is reported all the same."""

    @wraps(make)
    def made(*args: P.args, **named: P.kwargs) -> Made:
        try:
            return make(*args, **named)
        except ForeignNode:
            return None
        except Exception as error:
            return Failed(error)

    return made


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
    unmeasured: ClassVar[str] = ""
    """Why no run tells what it costs, if none does: a sentence, without the final stop."""
    done_by_runtime: ClassVar[Literal["", "buffer", "parallel"]] = ""
    """What of its advice the runtime may follow by itself."""
    related_comes: ClassVar[Literal["", "before", "after"]] = ""
    """When the elements pass its one related place, seen from the place of the finding."""
    of_ends: ClassVar[bool] = False
    """It is about the end of a pipeline, which does not count where another file goes on from it."""
    without_pipelines: ClassVar[bool] = False
    """It is also about files that have none."""
    in_importers: ClassVar[bool] = False
    """What it finds in a module may stand in one that imports this, which gives it something."""
    options: ClassVar[tuple[Option, ...]] = ()
    triggers: ClassVar[tuple[str, ...]] = ()
    """What a graph has wherever the rule finds anything: one word of each of these, as `rules/signs.py` lists them.

    Where one is missing the rule is not even imported. The first says of which stages `denies` may speak.
    """

    _set: Mapping[str, Any] = MappingProxyType({})
    """The options that the settings give another value."""

    @abstractmethod
    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        """Yield the findings of this rule in one module. Never reads files, and never raises on odd code."""

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        """Return whether a stage is correct on some path, so that no other file may report its place.

        For rules that speak only where all ways to a place agree: `a.py` calls a helper with one parallel call, `b.py`
        with AUTOTUNE, so that the graph of `b.py` denies what the graph of `a.py` says of the helper's `map`.
        """
        return False

    def option(self, name: str) -> Any:
        """Return the value of an option. Raise KeyError for an unknown name."""
        return {**{option.name: option.default for option in self.options}, **self._set}[name]

    def configured(self, values: Mapping[str, Any]) -> Rule:
        """Return the same rule with other, already checked option values."""
        if not values:
            return self
        from copy import copy

        rule = copy(self)
        rule._set = MappingProxyType(dict(values))
        return rule

    @property
    def severity(self) -> Severity:
        """The default severity of the group; a finding may have a lower one."""
        return _SEVERITIES[self.group]

    @property
    def on_by_default(self) -> bool:
        return _is_on_by_default(self.group, self.status)

    def finding(
        self,
        span: Span,
        message: str,
        *,
        cost: str,
        advice: str,
        severity: Severity | None = None,
        confidence: Confidence = "proven",
        is_guess: bool = False,
        related: tuple[Related, ...] = (),
        fix: Made = None,
        alternatives: tuple[Made, ...] = (),
        by_version: bool = False,
    ) -> Finding:
        """Return a finding of this rule; a guess is likely, and a warning."""
        level = severity or ("warning" if is_guess else self.severity)
        confidence = "likely" if is_guess else confidence
        first = None if isinstance(fix, Failed) else fix
        others = tuple(made for made in alternatives if isinstance(made, Fix))
        finding = Finding(
            self.code, self.name, level, confidence, message, cost, advice, span, related, first, others, by_version
        )
        failed = [made.error for made in (fix, *alternatives) if isinstance(made, Failed)]
        return finding._replace(failure=failed[0]) if failed else finding


_SEVERITIES: dict[Group, Severity] = {
    "correctness": "error",
    "performance": "warning",
    "advice": "advice",
    "upgrade": "warning",
    "pedantic": "advice",
    "meta": "error",
}


#: Of a rule: code, name, group, status, module, whether it has a `denies` of its own, and its triggers.
Row: TypeAlias = tuple[str, str, Group, Status, str, bool, tuple[str, ...]]


class Entry:
    """A rule in the index, which knows when it is enabled and needed. Its module is imported on first use."""

    def __init__(
        self, code: str, name: str, group: Group, status: Status, home: str, denies: bool, triggers: tuple[str, ...]
    ) -> None:
        self.code = code
        self.name = name
        self.group = group
        self.status = status
        self.home = home
        """Its module. The class of one of ours is called as the rule is: `MissingPrefetch`."""
        self.denies = denies
        self.triggers = triggers
        self._clauses = [trigger.split() for trigger in triggers]
        is_text = [[word.startswith("text:") for word in clause] for clause in self._clauses]
        self.asks_text = all(map(any, is_text)) and any(map(all, is_text))
        """What is written may call for it where nothing else does, and some text must be there."""
        self._rule: Rule | None = None

    @classmethod
    def of(cls, rule: Rule) -> Entry:
        """Return the entry of a rule object."""
        kind = type(rule)
        denies = kind.denies is not Rule.denies
        entry = cls(rule.code, rule.name, rule.group, rule.status, kind.__module__, denies, rule.triggers)
        entry._rule = rule
        return entry

    @property
    def rule(self) -> Rule:
        if self._rule is None:
            kind = "".join(word.capitalize() for word in self.name.split("-"))
            self._rule = getattr(import_module(self.home), kind)()
        return self._rule

    def configured(self, values: Mapping[str, Any]) -> Entry:
        """Return the same rule with other, already checked option values."""
        return Entry.of(self.rule.configured(values)) if values else self

    @property
    def on_by_default(self) -> bool:
        return _is_on_by_default(self.group, self.status)

    @property
    def selectors(self) -> tuple[str, str, str]:
        """Return what a comment may call the rule: its code, its name, and its group or `preview`."""
        return self.code, self.name, self.group if self.status == "stable" else self.status

    @property
    def is_foreign(self) -> bool:
        """Whether another distribution provides the rule."""
        return not self.home.startswith("tfdata_lint.rules.")

    def is_called_for(self, signs: Collection[str], text: str) -> bool:
        """Return whether the rule may find anything in a graph with these signs and this text."""
        return all(
            any(word in signs or (word.startswith("text:") and word[5:] in text) for word in words)
            for words in self._clauses
        )

    def may_deny(self, stage: Stage) -> bool:
        """Return whether its `denies` may be true for a stage."""
        return self.denies and (not self._clauses or stage.op in self._clauses[0])


def _is_on_by_default(group: Group, status: Status) -> bool:
    return group != "pedantic" and status == "stable"
