"""How many statements each room of the package has, and may have: ledger.tsv. `price.py --ledger` writes it.

A room is a package in tfdata_lint/, and each subpackage of pipeline/ and rules/. Loose modules are a room together.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

PACKAGE = Path(__file__).parents[1] / "tfdata_lint"
LEDGER = Path(__file__).with_name("ledger.tsv")
_HEAD = "room\tstatements without imports\twhat users got for the last raise"
#: Their subpackages are rooms.
_DIVIDED = ("pipeline", "rules")

#: For each room, the most statements that it may have, and what users got for the last raise.
Ledger: TypeAlias = "Mapping[str, tuple[int, str]]"


def size_of(modules: Iterable[Path]) -> dict[str, int]:
    """Count all statements of Python's grammar, the imports and docstrings (all bare strings) among them, and rows."""
    size = dict.fromkeys(("statements", "imports", "docstrings", "rows"), 0)
    for module in modules:
        text = module.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            size["statements"] += isinstance(node, ast.stmt)
            match node:
                case ast.Import() | ast.ImportFrom():
                    size["imports"] += 1
                case ast.Expr(ast.Constant(str())):
                    size["docstrings"] += 1
        size["rows"] += text.count("\n")
    return size


def grouped(name: Callable[[tuple[str, ...]], str]) -> dict[str, list[Path]]:
    """Return the modules of the package, grouped by a name made from the parts of their paths."""
    groups: dict[str, list[Path]] = defaultdict(list)
    for module in sorted(PACKAGE.rglob("*.py")):
        groups[name(module.relative_to(PACKAGE).parts)].append(module)
    return groups


def room_of(parts: tuple[str, ...]) -> str:
    depth = 2 if parts[0] in _DIVIDED else 1
    return "/".join(parts[:depth] if len(parts) > depth else (*parts[:-1], "*.py"))


def counts() -> dict[str, int]:
    """Return the number of statements without imports in each room."""
    sizes = {room: size_of(modules) for room, modules in grouped(room_of).items()}
    return {room: size["statements"] - size["imports"] for room, size in sizes.items()}


def read(path: Path = LEDGER) -> Ledger:
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])
    return {room: (int(count), bought) for room, count, bought in rows}


def raises(now: Mapping[str, int], ledger: Ledger) -> dict[str, str]:
    """Return the rooms with more statements than they may have."""
    most = {room: ledger.get(room, (0, ""))[0] for room in now}
    return {room: f"{most[room]} → {count} statements" for room, count in now.items() if count > most[room]}


def slack(now: Mapping[str, int], ledger: Ledger) -> dict[str, str]:
    """Return the rooms that may have over 1 % and over 10 statements more than they have, or that are gone."""
    have = {room: now.get(room, 0) for room in ledger}
    return {
        room: f"{most} → {have[room]} statements"
        for room, (most, _) in ledger.items()
        if most - have[room] > max(10, have[room] / 100)
    }


def write(now: Mapping[str, int], buys: str, path: Path = LEDGER) -> dict[str, str]:
    """Write the counts, higher ones only if they buy something. Return the raises that were not written."""
    ledger = dict(read(path))
    refused = {} if buys else raises(now, ledger)
    for room, count in now.items():
        most, bought = ledger.get(room, (0, ""))
        if room not in refused:
            ledger[room] = count, " ".join(buys.split()) if count > most else bought
    rows = [f"{room}\t{count}\t{bought}" for room, (count, bought) in sorted(ledger.items()) if room in now]
    path.write_text("\n".join([_HEAD, *rows, ""]), encoding="utf-8")
    return refused
