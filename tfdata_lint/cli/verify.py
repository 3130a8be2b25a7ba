"""`tfdata-lint check --verify`: what is planned, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from tfdata_lint.cli.common import UsageError
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.verify import command
from tfdata_lint.verify.options import VerifyOptions
from tfdata_lint.verify.plan import Plan, PlanError
from tfdata_lint.verify.report import html, json, terminal


def plans(options: VerifyOptions, configuration: Configuration) -> list[Plan]:
    """Raises UsageError."""
    try:
        return command.plans(options, configuration)
    except PlanError as error:
        raise UsageError(f"--verify: {error}") from None


def run(
    plans: Iterable[Plan],
    options: VerifyOptions,
    configuration: Configuration,
    *,
    color: bool,
    write: Callable[[str, str, str], None],
) -> None:
    """Execute, observe and judge; what is written is complete or not there."""
    sys.stdout.flush()
    for plan in plans:
        done = command.execute(plan, configuration)
        for line in (*command.summary(done.run), *terminal.render(done, color=color)):
            print(line)
        if options.report is not None:
            write("--report", options.report, html.render(done))
        if options.json is not None:
            write("--verify-json", options.json, json.render(done))
