"""The rules about linting itself. Their findings are made by the engine, which alone knows of files and failures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules.base import Finding, Rule, Severity


class _Meta(Rule):
    group = "meta"
    triggers = ("",)
    level: ClassVar[Severity] = "error"

    @property
    def severity(self) -> Severity:
        return self.level

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        return iter(())


class UnreadableSource(_Meta):
    code = "TFD000"
    name = "unreadable-source"
    summary = "A file, or a cell of a notebook, cannot be read or parsed"


class UnusedSuppression(_Meta):
    code = "TFD001"
    name = "unused-suppression"
    summary = "A comment suppresses a finding that is not there"
    level = "warning"


class InternalError(_Meta):
    code = "TFD002"
    name = "internal-error"
    summary = "A rule or a fix failed on a file; everything else went on"


class UnreadRest(_Meta):
    code = "TFD003"
    name = "unread-rest"
    summary = "A part of a file was not read, because it takes too much work or is nested too deeply"
    level = "advice"
