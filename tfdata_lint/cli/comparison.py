"""Two runs side by side, as text, as Markdown for a pull request, or as JSON."""

from __future__ import annotations

import json
from typing import Any

from tfdata_lint.config.files import shown_path
from tfdata_lint.output.escapes import markdown_code, markdown_text
from tfdata_lint.run.evidence.comparing import Compared, Comparison, Figure, worse
from tfdata_lint.run.evidence.runs import At, Interval, Seen
from tfdata_lint.source.visible import json_text, visible

_OUTCOMES = {
    "worse": "worse", "better": "better", "same": "the same", "undecided": "too noisy to tell",
    "unknown": "no interval: too few measurements",
}  # fmt: skip


def text(comparison: Comparison) -> str:
    """A few lines for each pipeline, and one for all."""
    lines: list[str] = []
    for pipeline in comparison.pipelines:
        lines.append(f"{_name(pipeline.consumer, pipeline.place)}:")
        for name, figure in _figures(pipeline):
            said = f"{_before_after(name, figure)}  {_change(name, figure)}: {_OUTCOMES[figure.outcome]}"
            lines.append(f"  {name:<10}  {said}")
        if not _figures(pipeline):
            lines.append("   nothing was measured in both runs")
    lines += [f"only before: {_name(seen.consumer, seen.place)}" for seen in comparison.gone]
    lines += [f"only after: {_name(seen.consumer, seen.place)}" for seen in comparison.new]
    lines += [f"{note}." for note in comparison.notes]
    return "\n".join(map(visible, [*lines, _sum(comparison)]))


def markdown(comparison: Comparison) -> str:
    """A heading, a table, and a sentence."""
    lines = ["### tfdata-lint", "", _sum(comparison), ""]
    lines += ["| pipeline | figure | before | after | change | |", "|---|---|---|---|---|---|"]
    for pipeline in comparison.pipelines:
        for name, figure in _figures(pipeline):
            cells = [_shown(name, figure.before), _shown(name, figure.after), _change(name, figure)]
            mark = "**worse**" if figure.outcome == "worse" else _OUTCOMES[figure.outcome]
            where = markdown_code(_name(pipeline.consumer, pipeline.place))
            lines.append(f"| {where} | {name} | {' | '.join(map(markdown_text, cells))} | {mark} |")
    rest = [f"Only before: {_listed(comparison.gone)}."] * bool(comparison.gone)
    rest += [f"Only after: {_listed(comparison.new)}."] * bool(comparison.new)
    rest += [f"{markdown_text(note)}." for note in comparison.notes]
    return "\n".join([*lines, *(line for one in rest for line in ("", one))])


def as_json(comparison: Comparison) -> str:
    """`docs/evidence.md` says what each key means."""
    data = {
        "threshold": comparison.threshold,
        "worse": comparison.is_worse,
        "pipelines": [
            {
                "consumer": pipeline.consumer,
                "place": _place(pipeline.place),
                "rate": _data(pipeline.rate, "ratio"),
                "waits": _data(pipeline.waits, "difference"),
            }
            for pipeline in comparison.pipelines
        ],
        "only_before": [{"consumer": seen.consumer, "place": _place(seen.place)} for seen in comparison.gone],
        "only_after": [{"consumer": seen.consumer, "place": _place(seen.place)} for seen in comparison.new],
        "notes": list(comparison.notes),
    }
    return json_text(json.dumps(data, indent=2))


def _figures(pipeline: Compared) -> list[tuple[str, Figure]]:
    named = (("elements/s", pipeline.rate), ("waits", pipeline.waits))
    return [(name, figure) for name, figure in named if figure is not None]


def _name(consumer: str, place: At | None) -> str:
    where = f" at {shown_path(place.file)}:{place.row}" if place else ""
    return f"{consumer}{where}{f' in {place.function}' if place and place.function else ''}"


def _listed(pipelines: tuple[Seen, ...]) -> str:
    return ", ".join(markdown_code(_name(seen.consumer, seen.place)) for seen in pipelines)


def _before_after(name: str, figure: Figure) -> str:
    return f"{_shown(name, figure.before)} → {_shown(name, figure.after)}"


def _shown(name: str, interval: Interval) -> str:
    def one(value: float) -> str:
        return f"{value:.1%}".replace("%", " %") if name == "waits" else f"{value:,.4g}"

    if interval.low is None or interval.high is None:
        return one(interval.value)
    return f"{one(interval.value)} ({one(interval.low)} to {one(interval.high)})"


def _change(name: str, figure: Figure) -> str:
    change = figure.change
    if name == "waits":
        points = [f"{100 * value:+.1f}" for value in change if value is not None]
        said = f"{points[0]} points"
    else:
        points = [f"{value:.3f}" for value in change if value is not None]
        said = f"× {points[0]}"
    return f"{said} ({points[1]} to {points[2]})" if len(points) == 3 else said


def _sum(comparison: Comparison) -> str:
    limit = f"{100 * comparison.threshold:g} %"
    if not comparison.is_worse:
        return f"No pipeline is certainly worse by more than {limit}."
    names = ", ".join(_name(pipeline.consumer, pipeline.place) for pipeline in worse(comparison))
    return f"Certainly worse by more than {limit}: {names}."


def _place(place: At | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "row": place.row, "function": place.function}


def _data(figure: Figure | None, change: str) -> dict[str, Any] | None:
    if figure is None:
        return None
    parts = {"before": figure.before, "after": figure.after, change: figure.change}
    return {**{name: interval._asdict() for name, interval in parts.items()}, "outcome": figure.outcome}
