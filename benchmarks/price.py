"""What does each rule and each room of tfdata-lint cost, and what do users get for it?

    python benchmarks/price.py [CHECKOUT...] [--room pipeline/mapped] [--json]
    python benchmarks/price.py CHECKOUT... --without pipeline/mapped/writing.py:may_write=False
    python benchmarks/price.py --ledger [--buys "what users get"]

A CHECKOUT is a folder with one repository. All rules check it, previews and pedantic ones too, without its settings.
Statements include imports and docstrings (all bare strings), which are also counted separately. A safe fix is needless
where TensorFlow already does the same, so that `--fix` skips it. `ms` is CPU time in the `check` of rules and in the
public functions of a `--room`, including what they call. The first rule that needs a shared result pays for it.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from inspect import isfunction, isgenerator, unwrap
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path
from time import process_time
from types import FunctionType
from typing import Any

import ledger
from ledger import PACKAGE, grouped, room_of, size_of

import tfdata_lint
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.rules import entries
from tfdata_lint.run.engine import lint_paths

_TEXTS = ("name", "codes", "without", "rules")
#: Codes in a cell of a table at most.
_SHOWN = 4


@dataclass
class Clock:
    """Counts calls, and adds up the CPU time of the outermost ones in seconds."""

    calls: int = 0
    cpu: float = 0
    is_running: bool = False

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*values: Any, **named: Any) -> Any:
            self.calls += 1
            result = self.run(partial(function, *values, **named))
            return iter(partial(self.run, partial(next, result, self)), self) if isgenerator(result) else result

        return timed

    def run(self, work: Callable[[], Any]) -> Any:
        if self.is_running:
            return work()
        self.is_running, start = True, process_time()
        try:
            return work()
        finally:
            self.is_running, self.cpu = False, self.cpu + process_time() - start


@dataclass
class Run:
    """The results of linting all checkouts."""

    found: list[tuple[str, str, str, str]] = field(default_factory=list)
    """The code, the checkout, the place and the applicability of the fix of each finding."""
    clocks: dict[str, Clock] = field(default_factory=lambda: defaultdict(Clock))
    """By the code of a rule, or by `--room`."""

    def safe(self) -> set[tuple[str, ...]]:
        return {one[:3] for one in self.found if one[3] in ("safe", "needless")}

    def failures(self) -> int:
        return sum(code == "TFD002" for code, *_ in self.found)


# ── linting ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def lint(checkouts: Sequence[Path], rooms: Sequence[str], without: str = "") -> Run:
    """Lint the checkouts. Call it in a new process, because it replaces functions for good."""
    run = Run()
    for room in rooms:
        for function in public_functions(room):
            replace(function, run.clocks[room].timed)
    if without:
        function, value = parsed(without)
        replace(function, lambda _: lambda *_, **__: value)
    for entry in entries():
        entry.rule.check = run.clocks[entry.code].timed(entry.rule.check)  # type: ignore[method-assign]
    for checkout in checkouts:
        print(checkout, without and f"without {without}", file=sys.stderr)
        for report in lint_paths(checkout, Settings(select=("ALL",))):
            for found in report.diagnostics:
                fix = found.fix.applicability if found.fix else ""
                is_needless = found.fix and found.fix.is_needless and fix == "safe"
                run.found.append((found.code, str(checkout), str(found.place), "needless" if is_needless else fix))
    return run


def public_functions(room: str) -> Iterator[FunctionType]:
    for path in modules_of(room):
        module = import_module(dotted(path))
        for name, value in vars(module).items():
            function = unwrap(value) if callable(value) else None
            if isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
                yield function


def modules_of(room: str) -> list[Path]:
    return sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / room]


def dotted(module: Path) -> str:
    return ".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def parsed(without: str) -> tuple[FunctionType, Any]:
    """Return a function or method, and the value to return. Raise ValueError if there is no such function."""
    name, _, value = without.partition("=")
    module, _, name = name.partition(":")
    try:
        function = unwrap(attrgetter(name)(import_module(dotted(PACKAGE / module))))
        literal = ast.literal_eval(value)
    except (ImportError, AttributeError, SyntaxError, ValueError) as error:
        raise ValueError(f"{without}: {error}") from None
    if not isfunction(function):
        raise ValueError(f"{without}: {name} is not a function")
    return function, literal


def replace(function: FunctionType, make: Callable[[FunctionType], Callable[..., Any]]) -> None:
    """Make a function do what `make` returns for it, also where it is already imported."""
    original = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    original.__kwdefaults__ = function.__kwdefaults__
    function.__code__, function.__defaults__, function.__kwdefaults__ = _call.__code__, (), {"_by": make(original)}


def _call(*values: Any, _by: Callable[..., Any], **named: Any) -> Any:
    return _by(*values, **named)


# ── prices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def prices(groups: Mapping[str, Sequence[Path]], run: Run | None) -> list[dict[str, Any]]:
    """Return a row for each group of modules, the largest first."""
    homes = {entry.code: PACKAGE.parent.joinpath(*entry.home.split(".")).with_suffix(".py") for entry in entries()}
    rows = []
    for name, modules in groups.items():
        codes = [code for code, home in homes.items() if home in modules]
        rows.append({"name": name, "codes": codes, **size_of(modules), **(worth(name, codes, run) if run else {})})
    return sorted(rows, key=lambda row: -row["statements"])


def worth(name: str, codes: Sequence[str], run: Run) -> dict[str, int]:
    row = {}
    if codes:
        found = [one for one in run.found if one[0] in codes]
        fixes = Counter(fix for *_, fix in found)
        row = {"findings": len(found), "repositories": len({checkout for _, checkout, *_ in found})}
        row |= {kind: fixes[kind] for kind in ("safe", "needless", "unsafe")}
    if clocks := [run.clocks[key] for key in ([name] if name in run.clocks else codes)]:
        row["calls"] = sum(clock.calls for clock in clocks)
        row["ms"] = round(1000 * sum(clock.cpu for clock in clocks))
    return row


def decided(without: str, before: Run, after: Run) -> dict[str, Any]:
    """Return how many safe fixes a function decides, and of which rules."""
    lost, gained = before.safe() - after.safe(), after.safe() - before.safe()
    rules = Counter(code for code, *_ in sorted(lost | gained))
    failures = after.failures() - before.failures()
    row = {"without": without, "safe fixes decided": len(lost | gained), "lost": len(lost), "gained": len(gained)}
    return row | {"failures": failures, "rules": [f"{code} {count}" for code, count in rules.most_common()]}


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    cells = [columns, *([_cell(row.get(column, "")) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    pads = [str.ljust if column in _TEXTS else str.rjust for column in columns]
    lines = ([pad(cell, width) for pad, cell, width in zip(pads, line, widths, strict=True)] for line in cells)
    return "\n".join("  ".join(line).rstrip() for line in lines)


def _cell(value: object) -> str:
    return f"{' '.join(value[:_SHOWN])}{' …' * (len(value) > _SHOWN)}" if isinstance(value, list) else str(value)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="*", metavar="CHECKOUT", type=Path, help="without one, only sizes are shown")
    parser.add_argument(
        "--room", action="append", default=[], metavar="PATH",
        help="also count and time the public functions of a package or module, such as pipeline/mapped/writing.py",
    )  # fmt: skip
    parser.add_argument(
        "--without", action="append", default=[], metavar="MODULE:FUNCTION=VALUE",
        help="lint again while a function returns this Python literal, and count the safe fixes that change",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--ledger", action="store_true", help="write lower counts to benchmarks/ledger.tsv")
    parser.add_argument("--buys", default="", metavar="TEXT", help="write higher counts, too: what users get for them")
    arguments = parser.parse_args()
    if arguments.ledger or arguments.buys:
        refused = ledger.write(ledger.counts(), arguments.buys)
        for room, change in refused.items():
            print(f"{room}: {change}. Raise it with --buys", file=sys.stderr)
        return int(bool(refused))
    # Another installation would be measured instead.
    if Path(tfdata_lint.__file__).parent != PACKAGE:
        parser.error(f"Python imports {tfdata_lint.__file__}: set PYTHONPATH={PACKAGE.parent}")
    rooms, checkouts = arguments.room, arguments.checkouts
    if (rooms or arguments.without) and not checkouts:
        parser.error("--room and --without need a CHECKOUT")
    if missing := [path for path in (*checkouts, *(PACKAGE / room for room in rooms)) if not path.exists()]:
        parser.error(f"no such file or folder: {', '.join(map(str, missing))}")
    try:
        [parsed(without) for without in arguments.without]
    except ValueError as error:
        parser.error(str(error))
    run = in_new_process(checkouts, rooms) if checkouts else None
    groups = grouped(lambda _: "all") | grouped(room_of) | {room: modules_of(room) for room in rooms}
    files = grouped(lambda parts: "/".join(parts[:3]))
    rules = {name: modules for name, modules in files.items() if name.startswith("rules/")}
    result = {"rules": prices(rules, run), "rooms": prices(groups, run)}
    if run:
        result["without"] = [decided(each, run, in_new_process(checkouts, (), each)) for each in arguments.without]
    print(json.dumps(result, indent=1) if arguments.json else "\n\n".join(map(table, filter(None, result.values()))))
    return 0


def in_new_process(*given: Any) -> Run:
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(lint, given)


if __name__ == "__main__":
    sys.exit(main())
