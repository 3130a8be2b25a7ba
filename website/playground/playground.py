"""What the page asks of the linter, each answer as JSON. Runs in the browser, on Pyodide.

Its last expression is what the worker calls.
"""

import json
from typing import Any

from tfdata_lint import Settings, fix_source, lint_source, to_json
from tfdata_lint.output.change import change
from tfdata_lint.output.diff import unified
from tfdata_lint.output.graph import render
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.rules import explanation, rule
from tfdata_lint.source.module import load

PATH = "pipeline.py"


def checked(text: str, target: str) -> dict[str, Any]:
    """The findings, each with the rows that its fix changes, and the drawing of the pipelines if there are any."""
    source = load(text.encode(), PATH)
    report = lint_source(text, PATH, _settings(target))
    graph = recover(source) if source.tree is not None else None
    drawn = render([(source, graph)], "svg", findings=report.diagnostics) if graph is not None and graph.stages else ""
    findings = json.loads(to_json(report))
    for found, diagnostic in zip(findings, report.diagnostics, strict=True):
        found["change"] = change(diagnostic.fix.edits) if diagnostic.fix and diagnostic.fix.edits else []
    return {"findings": findings, "graph": drawn}


def fixed(text: str, unsafe: bool, target: str) -> dict[str, str]:
    """The code as `--fix` leaves it, and what that changes."""
    before = text.encode()
    after = fix_source(text, PATH, _settings(target), unsafe=unsafe).after or before
    return {"text": after.decode(), "diff": unified(PATH, before, after).decode()}


def _settings(target: str) -> Settings:
    """`target`: a version of TensorFlow; empty for what the code shows, else the newest."""
    return Settings(target_tensorflow=target) if target else Settings()


def page(code: str) -> str:
    """The page of a rule, in Markdown."""
    found = rule(code)
    return explanation(found) if found else ""


def answer(name: str, *words: Any) -> str:
    return json.dumps({"checked": checked, "fixed": fixed, "page": page}[name](*words))


answer  # noqa: B018
