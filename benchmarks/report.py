"""The results as Markdown, and as a plot in SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from measure import Usage, own_peak

OURS = "tfdata-lint"
RUFF, TY, FLOOR = "Ruff", "ty", "the floor"
ONE, TWO, FROM_CACHE = ", 1 process", ", 2 processes", ", from its cache"

WIDTH, _LEFT, _RIGHT = 860, 285, 150
_BAR, _STEP, _GAP = 14, 24, 34
_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
.value { fill: #57606a }
.ours { fill: #e8710a }
.other { fill: #9aa4af }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .value { fill: #9da7b1 } .other { fill: #6e7781 } }
"""


@dataclass(frozen=True)
class Comparison:
    """Programs that were measured in the same rounds."""

    title: str
    what: str
    usages: Mapping[str, Usage]
    note: str = ""

    def markdown(self) -> str:
        compared = [base for base in (RUFF, TY, FLOOR) if base in self.usages]
        head = ["", "wall", *(f"× {base}" for base in compared), "CPU", f"× {OURS}", "peak memory"]
        rows = [self._row(label, usage, compared) for label, usage in self.usages.items()]
        table = "\n".join([row(head), "|---" + "|---:" * (len(head) - 1) + "|", *rows])
        return "\n\n".join(filter(None, [f"### {self.title}", self.what, table, self.note]))

    def _row(self, label: str, usage: Usage, compared: Sequence[str]) -> str:
        bases = (self.usages.get(_counterpart(label) if base == RUFF else base) for base in compared)
        ours = self._ours()
        times = [ratio(usage.wall, base and base.wall) for base in bases]
        cpu = [seconds(usage.cpu), ratio(usage.cpu, ours and ours.cpu)]
        return row([label, seconds(usage.wall), *times, *cpu, memory(usage)])

    def _ours(self) -> Usage | None:
        return next((usage for label, usage in self.usages.items() if label.startswith(OURS)), None)


@dataclass(frozen=True)
class Waits:
    """How long an editor waits, by installation: the median and the 95th percentile, in milliseconds."""

    what: str
    waits: Mapping[str, Sequence[float]]

    def markdown(self) -> str:
        rows = [row([label, *(f"{value:.1f} ms" for value in values)]) for label, values in self.waits.items()]
        return "\n".join([f"### An editor\n\n{self.what}\n", row(["", "median", "p95"]), "|---|---:|---:|", *rows])


@dataclass(frozen=True)
class Growth:
    """One program on more and more of the same: `start` is next to nothing, `files × 4` four times `files × 1`."""

    what: str
    usages: Mapping[str, Usage]

    def markdown(self) -> str:
        start = self.usages["start"].cpu
        rows = [self._row(label, usage, start) for label, usage in self.usages.items()]
        table = "\n".join(["| | CPU | × linear growth | peak memory |", "|---|---:|---:|---:|", *rows])
        return f"### Growth\n\n{self.what} The start is taken off before comparing.\n\n{table}"

    def _row(self, label: str, usage: Usage, start: float) -> str:
        name, _, factor = label.partition(" × ")
        linear = int(factor) * (self.usages[f"{name} × 1"].cpu - start) if factor not in ("", "1") else None
        return row([label, seconds(usage.cpu), ratio(usage.cpu - start, linear), memory(usage)])


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _counterpart(label: str) -> str:
    return RUFF + FROM_CACHE if label.endswith(FROM_CACHE) else RUFF


def seconds(value: float) -> str:
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def memory(usage: Usage) -> str:
    return f"{'≤ ' if usage.peak <= own_peak() else ''}{usage.peak:.0f} MiB"


def ratio(value: float, base: float | None) -> str:
    if not base or base < 0:
        return "–"
    times = value / base
    return f"{times:.2f}" if times < 10 else f"{times:.0f}"


def plot(comparisons: Sequence[Comparison]) -> str:
    """A panel of bars for each comparison, each with a scale of its own."""
    parts: list[str] = []
    y = 10
    for comparison in comparisons:
        y += _GAP
        parts.append(f'<text class="title" x="0" y="{y - 10}">{comparison.title}, wall-clock time</text>')
        longest = max(usage.wall for usage in comparison.usages.values())
        for label, usage in comparison.usages.items():
            length = max(1.0, usage.wall / longest * (WIDTH - _LEFT - _RIGHT))
            ruff = comparison.usages.get(_counterpart(label))
            compared = f" ({ratio(usage.wall, ruff.wall)} × {RUFF})" if ruff and ruff is not usage else ""
            kind = "ours" if label.startswith(OURS) else "other"
            parts += [
                f'<text x="{_LEFT - 8}" y="{y + 12}" text-anchor="end">{label}</text>',
                f'<rect class="{kind}" x="{_LEFT}" y="{y}" width="{length:.1f}" height="{_BAR}" rx="2"/>',
                f'<text class="value" x="{_LEFT + length + 8:.1f}" y="{y + 12}">{seconds(usage.wall)}{compared}</text>',
            ]
            y += _STEP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}">',
            f"<style>{_STYLE}</style>",
            *parts,
            "</svg>\n",
        ]
    )
