"""What was observed, below a cell of a notebook: no script, nothing loaded, light or dark as the notebook is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tfdata_lint.source.visible import visible
from tfdata_lint.verify.advice import advise
from tfdata_lint.verify.model import MODERATE, Pipeline, Run
from tfdata_lint.verify.nodes import shares_of
from tfdata_lint.verify.report import answers
from tfdata_lint.verify.report.words import OWN, cores, devices, fast_enough_for, near, of_stages, rates

_STYLE = (
    ".tfdl{max-width:70em;font:14px/1.5 system-ui,sans-serif}"
    ".tfdl h4{margin:14px 0 4px;font-size:15px}"
    ".tfdl dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:6px 0}"
    ".tfdl dt{opacity:.65}.tfdl dd{margin:0}"
    ".tfdl table{border-collapse:collapse;margin:8px 0;font-variant-numeric:tabular-nums}"
    ".tfdl th{font-weight:600;opacity:.65}"
    ".tfdl th,.tfdl td{padding:2px 8px;border-bottom:1px solid rgba(128,128,128,.3);background:none;"
    "text-align:left;white-space:nowrap}"
    ".tfdl .n{text-align:right}.tfdl tr.most td{font-weight:600}"
    ".tfdl i.bar{display:inline-block;height:9px;background:#b9791f;margin-right:6px;border-radius:2px}"
    ".tfdl tr.most i.bar{background:#c4371f}"
    ".tfdl b.no{color:#c4371f}.tfdl b.yes{color:#2a8a4f}.tfdl p{margin:4px 0}.tfdl p.soft{opacity:.65}"
)
_CONSUMERS = {
    "for": "loop", "fit": "fit", "evaluate": "evaluate", "predict": "predict", "graph": "loop in a tf.function",
    "distribute": "distributed loop", "returned": "profile", "waiting": "not consumed",
}  # fmt: skip
#: Pixels of a share of 100 %.
_BAR = 90


def page(run: Run, facts: Sequence[str]) -> str:
    """A piece of HTML. `facts` stand at its end."""
    parts = [f"<style>{_STYLE}</style>", *_notices(run)]
    for number in range(len(run.pipelines)):
        parts += _pipeline(run, number)
    parts.append(f'<p class="soft">{escape("; ".join(facts))}</p>')
    return visible(f'<div class="tfdl">{"".join(parts)}</div>', keep="\n")


def _notices(run: Run) -> Iterator[str]:
    if run.detail:
        yield f"<p>{escape(run.detail)}</p>"


def _pipeline(run: Run, number: int) -> Iterator[str]:
    pipeline = run.pipelines[number]
    where = f" at {near(pipeline.frames[0])}" if pipeline.frames else ""
    yield f"<h4>{escape(_CONSUMERS[pipeline.consumer] + where)}</h4><dl>"
    yield from (f"<dt>{name}</dt><dd>{answer}</dd>" for name, answer in _answers(run, number))
    yield "</dl>"
    if pipeline.nodes:
        yield from _table(run, pipeline)


def _answers(run: Run, number: int) -> Iterator[tuple[str, str]]:
    pipeline = run.pipelines[number]
    seen, step = pipeline.input, pipeline.step
    speed = rates(pipeline)
    if seen and seen.share is not None:
        word = '<b class="yes">yes</b>' if seen.share < MODERATE else '<b class="no">no</b>'
        of = f" of a step of {step.median_ms:,.1f} ms" if step else ""
        yield "Fast enough?", f"{word}: {seen.share:.0%}{of} is spent waiting{speed and f'; {speed}'}"
    elif speed:
        yield "Fast enough?", f"{fast_enough_for(pipeline)}; {speed}"
    if pipeline.nodes:
        yield "Prefetched?", answers.PREFETCHED[pipeline.prefetched]
    if pipeline.cores_used is not None and run.environment:
        yield "CPU used?", escape(cores(pipeline, run.environment))
    for device in devices(pipeline):
        yield "GPU used?", escape(device)
    if pipeline.bottleneck:
        yield "Bottleneck?", escape(answers.bottleneck(pipeline, pipeline.bottleneck))
    if pipeline.problem:
        yield "Not seen", escape(pipeline.problem)
    label = "Next?"
    for advice in advise(run, number):
        yield label, f"{escape(answers.where(advice))} ({escape(advice.why)})"
        label = ""


def _table(run: Run, pipeline: Pipeline) -> Iterator[str]:
    """The table of the terminal, and with it how large the share of each stage is."""
    by, shares = shares_of(pipeline)
    most = pipeline.bottleneck.node if pipeline.bottleneck else None
    rows = [*answers.stages(run, pipeline), *answers.consumer_row(pipeline)]
    columns = [n for n in range(len(answers.HEAD)) if any(row[n] for row in rows)]
    cells = [_cell("th", n, answers.HEAD[n]) for n in columns]
    yield f"<table><tr>{''.join([*cells[:2], '<th>share</th>', *cells[2:]])}</tr>"
    for number, row in zip([*answers.shown(pipeline), None], rows, strict=False):
        share = 0.0 if number is None else max(0.0, shares.get(number, 0.0))
        bar = f'<i class="bar" style="width:{share * _BAR:.0f}px"></i>{share:.0%}' if share >= 0.005 else ""
        cells = [_cell("td", n, row[n]) for n in columns]
        css = ' class="most"' if number is not None and number == most else ""
        yield f"<tr{css}>{''.join([*cells[:2], f'<td>{bar}</td>', *cells[2:]])}</tr>"
    yield f'</table><p class="soft">{escape(f"{OWN} {of_stages(by)}")}</p>'


def _cell(kind: str, column: int, text: str) -> str:
    # The line, the stage and the notes are words.
    css = "" if column in (0, 1, 7) else ' class="n"'
    return f"<{kind}{css}>{escape(text)}</{kind}>"
