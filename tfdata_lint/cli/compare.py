"""`tfdata-lint compare`: two measured runs, as a guard in CI."""

from __future__ import annotations

from tfdata_lint.cli import comparison
from tfdata_lint.cli.common import CLEAN, FOUND, UsageError
from tfdata_lint.run.evidence.comparing import compare
from tfdata_lint.run.evidence.reading import EvidenceError
from tfdata_lint.run.evidence.runs import load_run

#: Percent.
THRESHOLD = 5.0
_FORMATS = {"text": comparison.text, "markdown": comparison.markdown, "json": comparison.as_json}


def run(before: str, after: str, threshold: str | None, output_format: str) -> int:
    """The exit code is that of findings where something is worse. Raises UsageError."""
    percent = _percent(threshold)
    try:
        runs = load_run(before), load_run(after)
    except EvidenceError as error:
        raise UsageError(str(error)) from None
    compared = compare(*runs, percent / 100)
    if not any(pipeline.rate or pipeline.waits for pipeline in compared.pipelines):
        raise UsageError(f"{before} and {after} share no measured pipeline")
    print(_FORMATS[output_format](compared))
    return FOUND if compared.is_worse else CLEAN


def _percent(given: str | None) -> float:
    if given is None:
        return THRESHOLD
    try:
        number = float(given.removesuffix("%"))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        raise UsageError(f"--threshold: {given!r} is not a percentage")
    return number
