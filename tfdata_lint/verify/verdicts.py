"""What is said of each finding, and of all of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tfdata_lint import __version__
from tfdata_lint.verify import as_json
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import Place, Run, Stop

#: Goes up when a field changes its meaning or is taken away, not when one is added.
SCHEMA = 1

Outcome = Literal[
    "confirmed",  # it is as the finding says
    "refuted",
    "harmful",  # the fix is slower, or gives other elements
    "not-needed",  # the run shows that nothing is to be gained here: no word against the finding, and nothing is tried
    "inconclusive",
    "not-run",  # nothing was measured: why, says the reason
]

Reason = Literal[
    "speedup",
    "shown",  # not a matter of speed: what the finding says was seen
    "limits-input",  # the consumer waits, and mostly for what the finding is about; no fix was compared
    "below-threshold",
    "runtime-already-does-it",
    "not-bottleneck",
    "not-shown",
    "slowdown",
    "not-equivalent",
    "noise",
    "stage-not-executed",
    "no-fix",  # nothing to compare with
    "not-measurable",  # no experiment of ours would say anything
    # and why there was no run to judge by:
    "no-consumption", "user-error", "needs-data", "timeout", "memory", "no-interpreter", "unsupported", "crashed",
    "interrupted", "budget",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """What a verdict says, before it is known of what."""

    outcome: Outcome
    reason: Reason
    detail: str
    comparison: Comparison | None = None
    equality: Equality | None = None
    share: float | None = None
    without: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """On one finding."""

    code: str
    name: str
    message: str
    place: Place
    where: str
    """The place as its reader counts: `input.py:12:9`, `input.ipynb:cell 3:2:9`."""
    outcome: Outcome
    reason: Reason
    detail: str
    """A sentence."""
    fix: str = ""
    """Its title."""
    applicability: Literal["", "safe", "unsafe", "display-only"] = ""
    pipeline: int | None = None
    """The one it was judged in: its index in `run.pipelines`."""
    node: int | None = None
    """The runtime's iterator that stands for its stage: the index in `nodes` of that pipeline."""
    comparison: Comparison | None = None
    equality: Equality | None = None
    without: Comparison | None = None
    """The pipeline without the work of the finding, compared with the pipeline as it is."""
    share: float | None = None
    """Of a finding about correctness: the part of the elements that it concerns."""
    pipelines: tuple[str, ...] = ()
    """The digests of the pipelines that the finding is about, by which a ledger knows it again."""


@dataclass(frozen=True, slots=True)
class Together:
    """Several fixes of a pipeline at once."""

    pipeline: int
    fixes: tuple[str, ...]
    """Code and place of the findings."""
    comparison: Comparison
    equality: Equality


@dataclass(frozen=True, slots=True)
class Verification:
    """A run and what follows from it."""

    run: Run
    verdicts: tuple[Verdict, ...] = ()
    together: tuple[Together, ...] = ()
    """All fixes of a pipeline that do no harm."""
    proven: tuple[Together, ...] = ()
    """Those that may be written, where that was asked for: together no slower than each, with the same elements."""
    stopped: Stop | Literal[""] = ""
    """Why not all findings were judged: `interrupted` or `budget`."""
    seconds: float = 0.0
    """How long judging took, on top of the run."""
    executions: int = 1
    """How often the target was started, for the run and for judging."""
    version: str = __version__
    schema: int = SCHEMA


def from_json(data: Mapping[str, object]) -> Verification:
    """A verification as it was written by `report.json`."""
    return as_json.from_json(Verification, data)
