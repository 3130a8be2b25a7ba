"""As one page of HTML that needs nothing else: no network, no script, light or dark as its reader has it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from html import escape

from tfdata_lint.verify.judge import Verdict, Verification
from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import Category, Pipeline, Run
from tfdata_lint.verify.report import drawing
from tfdata_lint.verify.report.terminal import ORDER, ordered, ratio
from tfdata_lint.verify.report.words import devices, near, rate

_STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.css")
_CATEGORIES: dict[Category, str] = {
    "demanded read": "demanded", "advanced read": "advanced", "preprocessing": "preprocessing", "enqueue": "enqueue",
}  # fmt: skip
#: Smaller shares cannot be seen.
_LEAST = 0.005
_CONSUMERS = {
    "for": "looped over", "fit": "fitted", "evaluate": "evaluated", "predict": "predicted on",
    "graph": "looped over in a tf.function", "distribute": "distributed", "returned": "returned",
    "waiting": "made, and not consumed here",
}  # fmt: skip
_BANDS = {"high": "highly", "moderate": "moderately", "low": "not", "unknown": "perhaps"}


def render(verification: Verification) -> str:
    with open(_STYLE, encoding="utf-8") as file:
        style = file.read()
    title = f"tf.data verified: {escape(str(verification.run.target))}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>\n{style}</style></head>\n<body><main>\n"
        + "\n".join(_body(verification))
        + "\n</main></body></html>\n"
    )


def _body(verification: Verification) -> Iterator[str]:
    run = verification.run
    yield f"<header><h1>{escape(str(run.target))}</h1>"
    yield f'<p class="soft">{escape(_environment(verification))}</p>'
    counts = Counter(verdict.outcome for verdict in verification.verdicts)
    badges = "".join(f"<li>{_badge(o, f'{counts[o]} {o}')}</li>" for o in ORDER if counts[o])
    yield f'<ul class="counts">{badges}</ul></header>'
    yield from _notices(run)
    yield "<section><h2>Verdicts</h2>"
    yield from _verdicts(verification)
    yield "</section>"
    for number, pipeline in enumerate(run.pipelines):
        if pipeline.nodes:
            yield from _pipeline(verification, number, pipeline)
    yield "<section><h2>Environment</h2>"
    yield f'<div class="card"><dl>{_pairs(_facts(verification))}</dl></div></section>'


def _notices(run: Run) -> Iterator[str]:
    if run.data == "synthetic":
        yield f'<p class="card notice"><b>Data: synthetic.</b> {escape("; ".join(run.synthetic))}</p>'
    if run.reason:
        where = f" at {near(run.place)}" if run.place else ""
        detail = f"<code>{escape(run.detail)}</code>"
        yield f'<p class="card notice"><b>{escape(run.reason)}</b>{escape(where)}: {detail}</p>'


# ── verdicts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _verdicts(verification: Verification) -> Iterator[str]:
    compared = [verdict.comparison for verdict in verification.verdicts if verdict.comparison]
    scale = drawing.bounds([*compared, *(together.comparison for together in verification.together)])
    if not verification.verdicts:
        yield '<p class="card">There are no findings to judge in the code that was executed.</p>'
        return
    yield '<div class="table">'
    for verdict in ordered(verification):
        yield _verdict(verdict, scale)
    for together in verification.together:
        text = f"<b>All {len(together.fixes)} fixes together</b><p class='soft'>{_capital(str(together.equality))}.</p>"
        drawn = _ratio(together.comparison, scale, "")
        yield f'<article class="verdict"><div></div><div>{text}</div><div>{drawn}</div></article>'
    yield "</div>"


def _verdict(verdict: Verdict, scale: tuple[float, float]) -> str:
    drawn = _ratio(verdict.comparison, scale, verdict.outcome) if verdict.comparison else ""
    same = verdict.equality
    more = f'<p class="soft">{_capital(str(same))}.</p>' if same else ""
    fix = f'<p class="soft">Fix ({verdict.applicability}): {_code(verdict.fix)}</p>' if verdict.fix else ""
    # The interval is drawn beside it.
    detail = "" if verdict.comparison and verdict.reason != "not-equivalent" else f"<p>{_code(verdict.detail)}.</p>"
    return (
        f'<article class="verdict"><div>{_badge(verdict.outcome, verdict.outcome)}</div>'
        f"<div><b>{escape(verdict.code)} {escape(verdict.name)}</b> "
        f'<span class="where soft">{escape(verdict.where)}</span>'
        f"<p>{_code(verdict.message)}.</p>{detail}{more}{fix}</div>"
        f'<div><p class="soft">{escape(verdict.reason.replace("-", " "))}</p>{drawn}</div></article>'
    )


def _ratio(seen: Comparison, scale: tuple[float, float], outcome: str) -> str:
    return f'<p class="ratio">{escape(ratio(seen))}</p>{drawing.interval(seen, scale, outcome)}'


def _badge(outcome: str, text: str) -> str:
    return f'<span class="badge {outcome}">{text}</span>'


# ── pipelines ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _pipeline(verification: Verification, number: int, pipeline: Pipeline) -> Iterator[str]:
    where = f' <span class="where">{escape(near(pipeline.frames[0]))}</span>' if pipeline.frames else ""
    yield f"<section><h2>Pipeline {number + 1}, {_CONSUMERS[pipeline.consumer]}{where}</h2>"
    yield '<div class="pipeline"><div class="stack">'
    yield f'<div class="card"><dl>{_pairs(_answers(verification.run, pipeline))}</dl></div>'
    if pipeline.categories:
        yield f'<div class="card"><h3>Where the input’s time goes</h3>{_categories(pipeline)}</div>'
    if best := _best(verification, number):
        name, comparison = best
        yield f'<div class="card"><h3>Before and after: {escape(name)}</h3>{drawing.timeline(comparison)}'
        yield _legend({"waiting for input": "wait", "the consumer’s step": "step"})
        yield "</div>"
    yield f'</div><div class="card scroll">{drawing.graph(verification.run, pipeline)}</div></div></section>'


def _answers(run: Run, pipeline: Pipeline) -> Iterator[tuple[str, str]]:
    """To the guide's four questions."""
    seen, step = pipeline.input, pipeline.step
    if seen and seen.share is not None:
        of = f" of a step of {step.median_ms:,.1f} ms" if step else ""
        yield "Fast enough?", f"{_BANDS[seen.band]} input-bound: {seen.share:.1%}{of} is spent waiting"
    elif pipeline.elements_per_s:
        yield "Fast enough?", f"{rate(pipeline.elements_per_s)} elements a second; there is no step to compare with"
    if seen:
        yield "GetNext", f"{seen.get_next_median_us:,.0f} µs (median), {seen.get_next_p95_us:,.0f} µs (p95)"
    yield "Prefetched?", {"code": "yes, by the code", "runtime": "yes, by the runtime"}.get(pipeline.prefetched, "no")
    if pipeline.cores_used is not None and run.environment:
        yield "CPU used?", f"{pipeline.cores_used:.1f} of {run.environment.cores} cores"
    for device in devices(pipeline):
        yield "GPU used?", device
    if found := pipeline.bottleneck:
        limit = "the consumer; of the input " if pipeline.limited_by == "consumer" else ""
        at = f" at {near(found.place)}" if found.place else ""
        yield "Bottleneck", f"{limit}{pipeline.nodes[found.node].op}{at}"
    for buffer in pipeline.buffers:
        if buffer.held_bytes:
            yield f"Held by {buffer.kind}", f"{buffer.held_bytes / 2**20:,.1f} MB in {buffer.elements} elements"
    if pipeline.problem:
        yield "Not seen", pipeline.problem


def _categories(pipeline: Pipeline) -> str:
    shown = {name: share for name, share in pipeline.categories.items() if share >= _LEAST}
    drawn = drawing.shares([(_CATEGORIES[name], share) for name, share in shown.items()])
    return drawn + _legend({f"{name} {share:.0%}": _CATEGORIES[name] for name, share in shown.items()})


def _best(verification: Verification, number: int) -> tuple[str, Comparison] | None:
    """All fixes together, or the one that gives most."""
    for together in verification.together:
        if together.pipeline == number:
            return f"all {len(together.fixes)} fixes", together.comparison
    compared = [
        (f"{verdict.code} {verdict.name}", verdict.comparison)
        for verdict in verification.verdicts
        if verdict.pipeline == number and verdict.comparison
    ]
    return max(compared, key=lambda both: both[1].ratio, default=None)


def _legend(of: dict[str, str]) -> str:
    entries = "".join(f"<span>{drawing.key(css)}{escape(name)}</span>" for name, css in of.items())
    return f'<div class="legend">{entries}</div>'


# ── environment ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _environment(verification: Verification) -> str:
    seen = verification.run.environment
    took = f"observed in {verification.run.seconds:.0f} s, judged in {verification.seconds:.0f} s"
    return f"TensorFlow {seen.tensorflow} on {seen.cores} cores, {took}" if seen else took


def _facts(verification: Verification) -> Iterator[tuple[str, str]]:
    run, seen = verification.run, verification.run.environment
    if seen:
        yield "TensorFlow", seen.tensorflow
        yield "Keras", seen.keras
        yield "Python", f"{seen.python} ({run.interpreter})"
        yield "Processor cores", str(seen.cores)
        yield "GPUs", ", ".join(seen.gpus) or "none"
        yield "System", seen.platform
    yield "Data", run.data
    yield "Network", run.network
    yield "Peak memory", f"{run.peak_memory / 2**20:,.0f} MB"
    yield "tfdata-lint", verification.version


def _pairs(pairs: Iterator[tuple[str, str]]) -> str:
    return "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs if value)


def _capital(text: str) -> str:
    return escape(text[:1].upper() + text[1:])


def _code(message: str) -> str:
    """A message, with its `code` as such."""
    parts = escape(message).split("`")
    return "".join(f"<code>{part}</code>" if odd % 2 else part for odd, part in enumerate(parts))
