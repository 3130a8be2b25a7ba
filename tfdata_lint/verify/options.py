"""What is to be executed, as it was typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Typed:
    """Options as they were typed, by name. Named tuples of as many take a part of the start of each run."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        for name in type(self).__annotations__:
            if name in given:
                setattr(self, name, given[name])


class VerifyOptions(Typed):
    """Nothing is executed without `targets`, whatever else is given."""

    targets: Sequence[str] = ()
    script_arguments: Sequence[str] = ()
    keywords: Sequence[str] = ()
    seconds: str | None = None
    budget: str | None = None
    everything: bool = False
    network: bool = False
    tempdir: bool = False
    python: str | None = None
    step_ms: str | None = None
    report: str | None = None
    json: str | None = None
    ledger: str | None = None
    evidence: str | None = None
    trace_out: str | None = None

    @property
    def is_asked_for(self) -> bool:
        """Is anything given at all? Then it is a plan, or it is refused."""
        return any(value for name, value in vars(self).items() if name != "script_arguments")
