"""What the page asks of the linter, each answer as JSON. Runs in the browser, on Pyodide.

Its last expression is what the worker calls.
"""

import json
from typing import Any

from tfdata_lint import fix_source, lint_source, to_json
from tfdata_lint.output.diff import unified
from tfdata_lint.output.graph import render
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.rules import explanation, rule
from tfdata_lint.source.module import load

PATH = "pipeline.py"


def checked(text: str) -> dict[str, Any]:
    """The findings, and the graph for Graphviz; no graph of what cannot be read."""
    source = load(text.encode(), PATH)
    return {
        "findings": json.loads(to_json(lint_source(text, PATH))),
        "graph": render([(source, recover(source))], "dot") if source.tree is not None else "",
    }


def fixed(text: str, unsafe: bool) -> dict[str, str]:
    """The code after its fixes, also those that the runtime makes needless, and what they change."""
    before = text.encode()
    after = fix_source(text, PATH, unsafe=unsafe, needless=True).after or before
    return {"text": after.decode(), "diff": unified(PATH, before, after).decode()}


def page(code: str) -> str:
    """The page of a rule, in Markdown."""
    found = rule(code)
    return explanation(found) if found else ""


def answer(name: str, *words: Any) -> str:
    return json.dumps({"checked": checked, "fixed": fixed, "page": page}[name](*words))


answer  # noqa: B018
