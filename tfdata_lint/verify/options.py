"""What is to be executed, as it was typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class VerifyOptions(NamedTuple):
    """Nothing is executed without `targets`, whatever else is given."""

    targets: Sequence[str] = ()
    script_arguments: Sequence[str] = ()
    keywords: Sequence[str] = ()
    seconds: str | None = None
    budget: str | None = None
    network: bool = False
    tempdir: bool = False
    python: str | None = None
    step_ms: str | None = None
    synthetic: bool = False
    report: str | None = None
    json: str | None = None
    trace_out: str | None = None

    @property
    def is_asked_for(self) -> bool:
        """Is anything given at all? Then it is a plan, or it is refused."""
        return any(self._replace(script_arguments=()))
