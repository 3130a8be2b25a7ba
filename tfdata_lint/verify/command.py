"""`tfdata-lint check --verify TARGET`: what the command line asks for, announced first, then executed and judged."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tfdata_lint.verify.options import VerifyOptions
from tfdata_lint.verify.plan import SECONDS, Limits, Plan, PlanError, interpreter, keyword, target
from tfdata_lint.verify.report.words import devices, near, rate

if TYPE_CHECKING:
    from tfdata_lint.config.settings.reading import Configuration
    from tfdata_lint.verify.judge import Verification
    from tfdata_lint.verify.model import Pipeline, Run, Target


def plans(options: VerifyOptions, configuration: Configuration) -> list[Plan]:
    """What is asked for; only with which arguments a function is called may stand in the settings, too.

    Raises `PlanError`.
    """
    if not options.targets:
        _refuse_alone(options)
        return []
    keywords = dict(keyword(text) for text in options.keywords)
    limits = Limits(
        seconds=_positive("--verify-seconds", options.seconds, SECONDS),
        network=options.network,
        step_ms=_positive("--step-ms", options.step_ms, 0.0),
        synthetic=options.synthetic,
        temporary=options.tempdir,
        trace_out=options.trace_out or "",
    )
    written = limits.trace_out or options.report or options.json
    if len(options.targets) > 1 and (keywords or options.script_arguments or written):
        raise PlanError("arguments of the target and files to write need a single --verify TARGET")
    targets = [_configured(target(text, options.script_arguments, keywords), configuration) for text in options.targets]
    return [Plan(what, interpreter(what.path, options.python), limits) for what in targets]


def _configured(what: Target, configuration: Configuration) -> Target:
    if what.kind != "function":
        return what
    given = configuration.for_file(what.path).arguments_of(what.path, what.function)
    return replace(what, keywords={**given, **what.keywords})


def execute(plan: Plan, configuration: Configuration) -> Verification:
    """Say what will be executed, execute it, judge what the rules find in it; say what happens."""
    from tfdata_lint.verify.judge import findings_of, verify
    from tfdata_lint.verify.runner import observe
    from tfdata_lint.verify.warm import Warm

    sys.stderr.writelines(f"{line}\n" for line in plan.announcement())
    last = ""

    def progress(phase: str) -> None:
        nonlocal last
        if phase != last:
            sys.stderr.write(f"  … {phase}\n")
        last = phase

    with _terminable(), Warm(plan.interpreter) as warm:
        run = observe(plan, progress, warm)
        findings, calls = findings_of(run, configuration)
        return verify(plan, run, findings, progress, calls=calls, warm=warm)


@contextmanager
def _terminable() -> Iterator[None]:
    """Being terminated is like being interrupted: what was started is ended, and temporary folders go."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def summary(run: Run) -> Iterator[str]:
    """A run in a few lines."""
    yield f"{run.target}: {run.detail or 'observed'}" + (f" ({run.reason})" if run.reason else "")
    if run.place:
        yield f"  at {near(run.place)}"
    if run.reason == "timeout":
        less = "" if run.target.kind == "function" else "; FILE.py::FUNCTION executes nothing but what makes it"
        yield f"  --verify-seconds N gives it more time{less}"
    if run.reason == "user-error":
        yield from (f"  | {line}" for line in (run.output.tail or run.output.head).splitlines()[-5:])
    if run.data == "synthetic":
        yield f"  data: synthetic ({'; '.join(run.synthetic)})"
    if run.network == "blocked in Python":
        yield "  network: off for Python code only; this system has no way to block TensorFlow's own file systems"
    for pipeline in run.pipelines:
        if pipeline.nodes:
            yield from _described(run, pipeline)


def _described(run: Run, pipeline: Pipeline) -> Iterator[str]:
    where = f" at {near(pipeline.frames[0])}" if pipeline.frames else ""
    yield f"  pipeline {pipeline.consumer}{where}: {rate(pipeline.elements_per_s or 0)} elements/s"
    seen, step = pipeline.input, pipeline.step
    if seen:
        wait = f"GetNext {seen.get_next_median_us:,.0f} µs, p95 {seen.get_next_p95_us:,.0f} µs"
        of_step = f" of a step of {step.median_ms:,.1f} ms ({step.source})" if step else ""
        share = f"{seen.share:.0%}{of_step} is spent waiting; " if seen.share is not None else ""
        yield f"    fast enough?  {share}{wait}"
    yield f"    prefetched?   {pipeline.prefetched or 'no'}"
    if pipeline.cores_used is not None and run.environment:
        yield f"    CPU used?     {pipeline.cores_used:.1f} of {run.environment.cores} cores"
    for device in devices(pipeline):
        yield f"    GPU used?     {device}"
    if pipeline.bottleneck:
        node = pipeline.nodes[pipeline.bottleneck.node]
        rewrite = f", {node.rewrite} by the runtime" if node.rewrite else ""
        at = near(pipeline.bottleneck.place) if pipeline.bottleneck.place else "no place of the code"
        limit = "the consumer; of the input " if pipeline.limited_by == "consumer" else ""
        yield f"    bottleneck    {limit}{node.op}{rewrite}, at {at}"


def _refuse_alone(options: VerifyOptions) -> None:
    given = {
        "--verify-arg": options.keywords,
        "--verify-seconds": options.seconds is not None,
        "--verify-network": options.network,
        "--verify-tempdir": options.tempdir,
        "--python": options.python is not None,
        "--step-ms": options.step_ms is not None,
        "--synthetic": options.synthetic,
        "--report": options.report is not None,
        "--verify-json": options.json is not None,
        "--trace-out": options.trace_out is not None,
    }
    if alone := next((option for option, there in given.items() if there), None):
        raise PlanError(f"{alone} needs --verify TARGET: nothing is executed without it")


def _positive(option: str, value: str | None, default: float) -> float:
    if value is None:
        return default
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise PlanError(f"{option}: {value!r} is not a positive number")
    return number
