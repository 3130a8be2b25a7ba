"""An open module or notebook."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.lsp import views
from tfdata_lint.lsp.analysis import Analysis
from tfdata_lint.lsp.documents import path_of


@dataclass(slots=True)
class Session:
    """What is known of it as it is now."""

    uri: str
    path: str = field(init=False)
    analysis: asyncio.Task[Analysis | None] | None = None
    view: asyncio.Task[views.View | None] | None = None
    settling: asyncio.Task[None] | None = None
    report: FileReport | None = None
    """What was found last."""
    settings: Settings | None = None
    """Those of the last analysis."""
    is_new: bool = True
    """Its text is not yet what others read of it."""

    def __post_init__(self) -> None:
        self.path = path_of(self.uri)

    @property
    def depends(self) -> tuple[str, ...]:
        """The files, and the modules looked for, that its findings depend on."""
        return self.report.depends if self.report else ()

    @property
    def elsewhere(self) -> tuple[Diagnostic, ...]:
        """What is found in other files because of this one."""
        return self.report.elsewhere if self.report else ()

    def renew(self) -> None:
        """It has changed: what is known is void, and what is under way in vain."""
        for task in (self.analysis, self.view):
            if task:
                task.cancel()
        self.analysis = self.view = None

    def close(self) -> None:
        self.renew()
        if self.settling:
            self.settling.cancel()
