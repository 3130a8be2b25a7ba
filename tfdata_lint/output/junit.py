"""Findings as a JUnit report: a suite for each file, a test case for each finding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from tfdata_lint.output.shared import explained, level
from tfdata_lint.source.visible import xml_text

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic

#: What XML cannot hold, however it is written.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """The report. Advice is a skipped test, which fails no build; where there is nothing to tell, one test passes."""
    suites = [_suite(path, list(found)) for path, found in groupby(diagnostics, key=lambda d: d.place.path)]
    top = Element("testsuites", {"name": "tfdata-lint", **_sums(suites or [clean := _clean()])})
    top.extend(suites or [clean])
    ElementTree.indent(top)
    text: str = ElementTree.tostring(top, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{xml_text(text)}'


def _sums(suites: list[Element]) -> dict[str, str]:
    return {name: str(sum(int(suite.get(name, 0)) for suite in suites)) for name in ("tests", "failures", "errors")}


def _suite(path: str, diagnostics: list[Diagnostic]) -> Element:
    advice = sum(level(diagnostic) == "advice" for diagnostic in diagnostics)
    suite = _element_of_suite(path, tests=len(diagnostics), failures=len(diagnostics) - advice, skipped=advice)
    for diagnostic in diagnostics:
        place = diagnostic.place
        name = f"{diagnostic.code} {diagnostic.name} at {place.within}"
        case = SubElement(suite, "testcase", {"name": name, "classname": _text(path), "time": "0"})
        outcome = "skipped" if level(diagnostic) == "advice" else "failure"
        element = SubElement(case, outcome, {"type": diagnostic.severity, "message": _text(diagnostic.message)})
        element.text = _text(f"{place}\n{explained(diagnostic)}")
    return suite


def _clean() -> Element:
    suite = _element_of_suite("tfdata-lint", tests=1, failures=0, skipped=0)
    SubElement(suite, "testcase", {"name": "no findings", "classname": "tfdata-lint", "time": "0"})
    return suite


def _element_of_suite(name: str, *, tests: int, failures: int, skipped: int) -> Element:
    counts = {"tests": tests, "failures": failures, "errors": 0, "skipped": skipped, "time": 0}
    return Element("testsuite", {"name": _text(name), **{key: str(count) for key, count in counts.items()}})


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
