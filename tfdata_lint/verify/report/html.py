"""As one page of HTML that needs nothing else: no network, no script, light or dark as its reader has it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape

from tfdata_lint import __version__
from tfdata_lint.source.visible import visible
from tfdata_lint.verify.advice import advise
from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import STOPPED, Pipeline, Run
from tfdata_lint.verify.report import answers, drawing, timeline
from tfdata_lint.verify.report.headline import best, consumer, headline
from tfdata_lint.verify.report.terminal import ORDER, ordered, ratio
from tfdata_lint.verify.report.words import OWN, cores, devices, near, of_stages, places, rates
from tfdata_lint.verify.verdicts import Verdict, Verification

_STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.css")
#: Smaller shares are not worth a word.
_LEAST = 0.005
_CONSUMERS = {
    "for": "looped over", "fit": "fitted", "evaluate": "evaluated", "predict": "predicted on",
    "graph": "looped over in a tf.function", "distribute": "distributed", "returned": "returned",
    "waiting": "created, and not consumed here",
}  # fmt: skip
_BANDS = {"high": "no, highly input-bound", "moderate": "no, moderately input-bound", "low": "yes"}
_READING = (
    "<p><b>Busy</b> is how much of the time a stage was at work itself, without those that it takes elements from. "
    "Stages work at the same time, so the shares do not add up to 100%, and one that works in several threads may have "
    "more. A buffer (<i>Prefetch</i>) hands over what was made ahead.</p>"
    "<p><b>Bold</b> is the way from the bottleneck to the consumer, <b>red</b> what holds the others up, <b>dashed</b> "
    "what the runtime has put there by itself.</p>"
    "<p><b>Before and after</b> are processes of their own, whose consumer sleeps as long as a step took: they may be "
    "faster than what was observed, where the step needs the processor, too.</p>"
)


def render(verification: Verification) -> str:
    with open(_STYLE, encoding="utf-8") as file:
        style = file.read()
    title = f"tf.data verified: {escape(str(verification.run.target))}"
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>\n{style}</style></head>\n<body><main>\n"
        + "\n".join(_body(verification))
        + "\n</main></body></html>\n"
    )
    return visible(page, keep="\n")


def _body(verification: Verification) -> Iterator[str]:
    run = verification.run
    yield f'<header><h1>{escape(str(run.target))}</h1><p class="soft">{escape(_in_short(verification))}</p>'
    first, *others = headline(verification)
    yield f'<p class="answer"><b>{_code(first)}</b> {" ".join(map(_code, others))}</p>'
    counts = Counter(verdict.outcome for verdict in verification.verdicts)
    badges = "".join(f"<li>{_badge(o, f'{counts[o]} {o}')}</li>" for o in ORDER if counts[o])
    yield f'<ul class="counts" aria-label="Verdicts">{badges}</ul></header>' if badges else "</header>"
    yield from _notices(verification)
    seen = [(number, pipeline) for number, pipeline in enumerate(run.pipelines) if pipeline.nodes]
    if seen:
        yield '<section class="cards">'
        yield from (_card(verification, number, pipeline) for number, pipeline in seen)
        yield "</section>"
    if verification.verdicts or (seen and run.target.kind != "profile"):
        yield "<section><h2>Verdicts</h2>"
        yield from _verdicts(verification)
        yield "</section>"
    for number, pipeline in seen:
        yield from _pipeline(verification, number, pipeline, explained=number == seen[0][0])
    yield f'<section><h2>Circumstances</h2><div class="card"><dl>{_pairs(_facts(verification))}</dl></div></section>'


def _notices(verification: Verification) -> Iterator[str]:
    run = verification.run
    if run.detail and not run.reason:
        yield f'<p class="card notice">{_capital(run.detail)}.</p>'
    if run.reason:
        where = f" at {near(run.place)}" if run.place else ""
        detail = f"<code>{escape(run.detail)}</code>"
        yield f'<p class="card notice"><b>{escape(run.reason)}</b>{escape(where)}: {detail}</p>'
    if verification.stopped and verification.stopped != run.reason:
        yield f'<p class="card notice"><b>Not all was judged</b>: {STOPPED[verification.stopped]}.</p>'


# ── answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _title(number: int, pipeline: Pipeline) -> str:
    where = f' <span class="where">{escape(near(pipeline.frames[0]))}</span>' if pipeline.frames else ""
    return f"Pipeline {number + 1}, {_CONSUMERS[pipeline.consumer]}{where}"


def _card(verification: Verification, number: int, pipeline: Pipeline) -> str:
    return (
        f'<div class="card"><h2>{_title(number, pipeline)}</h2>'
        f'<dl class="answers">{_pairs(_answers(verification, number))}</dl></div>'
    )


def _answers(verification: Verification, number: int) -> Iterator[tuple[str, str]]:
    """To the guide's four questions, and what to do next."""
    run, verdicts = verification.run, verification.verdicts
    pipeline = run.pipelines[number]
    seen, step = pipeline.input, pipeline.step
    speed = rates(pipeline)
    if seen and seen.share is not None:
        of = f" of a step of {timeline.length(step.median_ms)}" if step else ""
        yield "Fast enough?", f"{_BANDS[seen.band]}: {seen.share:.1%}{of} is spent waiting{speed and f'; {speed}'}"
    elif speed:
        yield "Fast enough?", f"{speed}; there is no step to compare with"
    if seen:
        yield "GetNext", f"{seen.get_next_median_us:,.0f} µs, p95 {seen.get_next_p95_us:,.0f} µs"
    yield "Prefetched?", answers.PREFETCHED[pipeline.prefetched]
    if pipeline.cores_used is not None and run.environment:
        yield "CPU used?", cores(pipeline, run.environment)
    for device in devices(pipeline):
        yield "GPU used?", device
    if pipeline.bottleneck:
        yield "Bottleneck?", answers.bottleneck(pipeline, pipeline.bottleneck)
    if pipeline.problem:
        yield "Not seen", pipeline.problem
    yield from (("Next?", f"{answers.where(one)} ({one.why})") for one in advise(run, number, verdicts))


# ── verdicts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _verdicts(verification: Verification) -> Iterator[str]:
    if not verification.verdicts:
        yield '<p class="card">The executed code has no findings to judge.</p>'
        return
    yield '<div class="verdicts">'
    yield from map(_verdict, ordered(verification))
    for together in verification.together:
        drawn = _compared(together.comparison, "together")
        yield (
            f'<article class="verdict"><div></div><div><h3>All {len(together.fixes)} fixes together</h3>'
            f'<p class="soft">{escape(", ".join(together.fixes))}.</p>'
            f'<p class="soft">{_capital(str(together.equality))}.</p></div><div>{drawn}</div></article>'
        )
    yield "</div>"


def _verdict(verdict: Verdict) -> str:
    drawn = _compared(verdict.comparison, verdict.outcome) if verdict.comparison else ""
    if verdict.without and not drawn:
        drawn = _compared(verdict.without, verdict.outcome, "without")
    same = verdict.equality
    more = f'<p class="soft">{_capital(str(same))}.</p>' if same else ""
    fix = f'<p class="soft">Fix ({verdict.applicability}): {_code(verdict.fix)}</p>' if verdict.fix else ""
    # What was compared is drawn beside it.
    detail = "" if verdict.comparison and verdict.reason == "speedup" else f"<p>{_code(verdict.detail)}.</p>"
    reason = escape(verdict.reason.replace("-", " "))
    return (
        f'<article class="verdict"><div>{_badge(verdict.outcome, verdict.outcome)}'
        f'<p class="soft reason">{reason}</p></div>'
        f"<div><h3>{escape(verdict.code)} {escape(verdict.name)} "
        f'<span class="where soft">{escape(verdict.where)}</span></h3>'
        f"<p>{_code(verdict.message)}.</p>{detail}{more}{fix}</div>{f'<div>{drawn}</div>' if drawn else ''}</article>"
    )


def _compared(seen: Comparison, outcome: str, after_is: str = "after") -> str:
    times, _, evidence = ratio(seen).partition(" ")
    said = f'<p><b class="times">{times}</b> <span class="soft">{escape(evidence)}</span></p>'
    return said + drawing.bars(seen, outcome, after_is)


def _badge(outcome: str, text: str) -> str:
    return f'<span class="badge {outcome}">{text}</span>'


# ── pipelines ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _pipeline(verification: Verification, number: int, pipeline: Pipeline, *, explained: bool) -> Iterator[str]:
    run = verification.run
    yield f"<section><h2>{_title(number, pipeline)}</h2>"
    yield f'<div class="card"><h3>What runs when</h3>{_timelines(verification, number, pipeline)}</div>'
    yield '<div class="pipeline">'
    yield f'<div class="card"><h3>What was executed</h3>{drawing.graph(run, pipeline, consumer(pipeline))}</div>'
    yield '<div class="stack">'
    yield f'<div class="card"><h3>Stage by stage</h3>{_table(run, pipeline)}{_categories(pipeline)}</div>'
    if explained:
        yield f'<div class="card"><h3>How to read this</h3>{_READING}</div>'
    yield "</div></div></section>"


def _table(run: Run, pipeline: Pipeline) -> str:
    rows = [*answers.stages(run, pipeline), *answers.consumer_row(pipeline)]
    columns = [n for n in range(len(answers.HEAD)) if any(row[n] for row in rows)]
    head = "".join(f'<th scope="col">{answers.HEAD[n] or "notes"}</th>' for n in columns)
    slowest = drawing.slowest(pipeline)
    body = "".join(
        f"<tr{' class=slowest' * (node == slowest)}>{''.join(_cell(n, row[n]) for n in columns)}</tr>"
        for node, row in zip([*answers.shown(pipeline), None], rows, strict=False)
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Stage by stage"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        f'<p class="soft">In {timeline.length(pipeline.trace_seconds * 1e3)} of tracing, all threads together. {OWN}'
        f"{f' {of_stages(pipeline.bottleneck.by)}' if pipeline.bottleneck else ''}</p>"
    )


def _cell(column: int, text: str) -> str:
    text = escape(text)
    if column == 1:
        return f'<th scope="row">{text}</th>'
    return f'<td class="where">{text}</td>' if column == 0 else f"<td>{text}</td>"


def _timelines(verification: Verification, number: int, pipeline: Pipeline) -> str:
    compared = best(verification, number)
    if compared and len(compared[1].timelines) == 2:
        name, seen = compared
        has_step = bool(seen.step_ms)
        who = f"A step of {timeline.length(seen.step_ms)}" if has_step else "Taking elements"
        scale = max(each.ms for each in seen.timelines)
        drawn = "".join(
            timeline.figure(each, title, who, scale_ms=scale, has_step=has_step)
            for each, title in zip(seen.timelines, ("Before", f"After, with {name}"), strict=True)
        )
    elif pipeline.timeline:
        has_step, slowest = pipeline.step is not None, drawing.slowest(pipeline)
        at = {number: places(verification.run, node) for number, node in enumerate(pipeline.nodes)}
        drawn = timeline.figure(
            pipeline.timeline, "As observed", consumer(pipeline), at, slowest=slowest, has_step=has_step
        )
    else:
        return '<p class="soft">Too few elements were traced to tell.</p>'
    step = {"its step": "step"} if has_step else {}
    return drawn + _legend({"a stage is busy": "work", "the consumer waits": "wait", **step})


def _categories(pipeline: Pipeline) -> str:
    shown = [f"{name} {share:.0%}" for name, share in pipeline.categories.items() if share >= _LEAST]
    return f'<p class="soft">Time in iterators: {", ".join(shown)}.</p>' if shown else ""


def _legend(of: dict[str, str]) -> str:
    entries = "".join(f"<span>{drawing.key(css)}{escape(name)}</span>" for name, css in of.items())
    return f'<div class="legend">{entries}</div>'


# ── circumstances ───────────────────────────────────────────────────────────────────────────────────────────────────


def _in_short(verification: Verification) -> str:
    run, seen = verification.run, verification.run.environment
    version = f"TensorFlow {seen.tensorflow}" if seen and seen.tensorflow else "recorded"
    parts = [_date(run.began), f"{version} on {seen.cores} cores" if seen else ""]
    return ", ".join(filter(None, (*parts, f"{run.seconds + verification.seconds:.0f} s")))


def _date(began: str) -> str:
    return f"{datetime.fromisoformat(began):%Y-%m-%d %H:%M} UTC" if began else ""


def _facts(verification: Verification) -> Iterator[tuple[str, str]]:
    run, seen = verification.run, verification.run.environment
    if run.target.kind == "profile":
        yield from _recorded(run)
        return
    yield "Executed", f"{run.interpreter} {run.target}"
    yield "Begun", _date(run.began)
    more = f", and {verification.executions - 1} times to judge, in {verification.seconds:.0f} s"
    yield "How often", f"once to observe it, in {run.seconds:.0f} s{more * (verification.executions > 1)}"
    if seen:
        yield "Machine", f"{seen.cores} cores, {', '.join(seen.gpus) or 'no GPU'}; {seen.platform}"
    yield "Its load", "; ".join(_load(verification))
    if seen:
        keras = f"Keras {seen.keras}" if seen.keras else ""
        yield "Versions", ", ".join(filter(None, (f"TensorFlow {seen.tensorflow}", keras, f"Python {seen.python}")))
    yield "tfdata-lint", verification.version
    yield "Network", run.network
    yield "Peak memory", f"{run.peak_memory / 2**20:,.0f} MB"


def _recorded(run: Run) -> Iterator[tuple[str, str]]:
    """Of a profile that was recorded elsewhere."""
    yield "Profile", str(run.target)
    yield "Recorded", f"{_date(run.began)}, for {run.seconds:.1f} s"
    if run.environment:
        yield "Machine", f"{run.environment.cores} cores"
    yield "tfdata-lint", __version__


def _load(verification: Verification) -> Iterator[str]:
    run = verification.run
    if run.load is not None:
        yield f"{run.load:.1f} processes on average in the minute before"
    others = [p.cores_of_others for p in run.pipelines if p.cores_of_others is not None]
    if others:
        yield f"other programs used {max(others):.1f} cores while it was traced"
    delayed = [seen.delayed for seen in _comparisons(verification)]
    if delayed:
        yield f"and took up to {max(delayed):.0%} of the time of a comparison, which widens its interval"


def _comparisons(verification: Verification) -> Iterable[Comparison]:
    each = (verdict.comparison or verdict.without for verdict in verification.verdicts)
    yield from filter(None, each)
    yield from (together.comparison for together in verification.together)


def _pairs(pairs: Iterator[tuple[str, str]]) -> str:
    return "".join(f"<div><dt>{escape(name)}</dt><dd>{_code(value)}</dd></div>" for name, value in pairs if value)


def _capital(text: str) -> str:
    return escape(text[:1].upper() + text[1:])


def _code(message: str) -> str:
    """A message, with its `code` as such."""
    parts = escape(message).split("`")
    return "".join(f"<code>{part}</code>" if odd % 2 else part for odd, part in enumerate(parts))
