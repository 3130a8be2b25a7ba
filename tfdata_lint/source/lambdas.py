"""Lambdas that AutoGraph cannot tell apart: it finds the code of one by its row, and then by its parameters."""

from __future__ import annotations

import re
from collections import Counter

from tfdata_lint.source import layout

_PARAMETERS = re.compile(r"\blambda\b([^:]*):")
_MARKS = rf"{layout.TOKEN} | (?P<colon> : ) | \b(?P<lambda> lambda )\b | \Z"


def may_be_confused(code: str) -> bool:
    """Return whether two lambdas have the same parameters, wherever they stand."""
    parameters = list(map(_names, _PARAMETERS.findall(code)))
    return len(parameters) != len(set(parameters))


def confused(code: str) -> Counter[str]:
    """Count the lambdas that begin on a row of another one with the same parameters, by these."""
    lambdas = sorted(_lambdas(code)) if may_be_confused(code) else []
    beginning = Counter((first, parameters) for first, _, parameters in lambdas)
    found: Counter[str] = Counter()
    lasts: dict[str, int] = {}
    for first, last, parameters in lambdas:
        if beginning[first, parameters] > 1 or lasts.get(parameters, 0) >= first:
            found[parameters] += 1
        lasts[parameters] = max(last, lasts.get(parameters, 0))
    return found


def _lambdas(code: str) -> list[tuple[int, int, str]]:
    """The first row, the last row and the parameters of each lambda."""
    found: list[tuple[int, int, str]] = []
    # Of those that have begun: in how many brackets, on which row, and where the parameters and the body begin.
    opened: list[tuple[int, int, int, int]] = []
    depth, row = 0, 1
    for mark in re.finditer(_MARKS, code):
        match mark.lastgroup:
            case "lambda":
                opened.append((depth, row, mark.end(), 0))
            case "colon" if opened and (opened[-1][0], opened[-1][3]) == (depth, 0):
                opened[-1] = (*opened[-1][:3], mark.end())
            case "open":
                depth += 1
            case "close":
                depth -= 1
            case None if not mark[0]:
                depth = -1
        ends = mark.lastgroup == "comma" or (mark.lastgroup == "newline" and depth <= 0)
        while opened and (opened[-1][0] > depth or (ends and opened[-1][0] == depth and opened[-1][3])):
            _, first, start, body = opened.pop()
            end = body + len(code[body : mark.start()].rstrip())
            found.append((first, row - code.count("\n", end, mark.start()), _names(code[start : max(body - 1, start)])))
        row += mark[0].count("\n")
    return found


def _names(parameters: str) -> str:
    """The names of parameters, without their defaults."""
    return re.sub(r"=[^,]*|\s", "", parameters)
