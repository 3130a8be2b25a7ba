"""`tfdata-lint rule`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

import tfdata_lint.rules
from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rules import all_rules
from tfdata_lint.rules.base import Entry, Finding, Rule

Run = Callable[..., SimpleNamespace]


def test_its_page(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfdata_lint.rules, "page", lambda rule: f"# {rule.code}\n\nText.\n")
    done = run("rule", "TFD401")
    assert (done.code, done.out) == (0, "# TFD401\n\nText.\n")


def test_its_cases_are_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, cases = "# TFD401\n\nText.", "\n\n## Cases\n\n### Silent\nMore.\n"
    monkeypatch.setattr(tfdata_lint.rules, "page", lambda rule: reader + cases)
    assert run("rule", "TFD401").out == f"{reader}\n"
    assert run("rule", "TFD401", "--cases").out == reader + cases
    found = [json.loads(run("rule", "TFD401", "--output-format=json", *more).out) for more in ((), ("--cases",))]
    assert [each["page"] for each in found] == [reader, (reader + cases).rstrip()]


class Documented(Rule):
    """Batches of one.

    Ours are never
        that small.
    """

    code = "ACME001"
    name = "batch-of-one"
    group = "pedantic"
    summary = "A batch of one element"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        return iter(())


class Silent(Documented):
    code = "ACME002"
    name = "another"


def test_a_rule_without_a_page_is_explained_by_its_docstring(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfdata_lint.rules, "entries", lambda: (Entry.of(Documented()),))
    text = (
        "# ACME001 batch-of-one\n\nA batch of one element.\n\nBatches of one.\n\nOurs are never\n    that small.\n\n"
        "pedantic, advice, stable, off by default"
    )
    assert run("rule", "ACME001").out == f"{text}\n"
    assert json.loads(run("rule", "ACME001", "--output-format", "json").out)["page"] == text


def test_a_docstring_of_another_class_is_not_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfdata_lint.rules, "entries", lambda: (Entry.of(Silent()),))
    text = "# ACME002 another\n\nA batch of one element.\n\npedantic, advice, stable, off by default\n"
    assert run("rule", "ACME002").out == text


@pytest.mark.parametrize("name", ["tfd401", "discarded-result"])
def test_by_name(name: str, run: Run) -> None:
    assert "TFD401" in run("rule", name).out


def test_as_json(run: Run) -> None:
    found = json.loads(run("rule", "TFD401", "--output-format", "json").out)
    assert list(found) == ["code", "name", "group", "severity", "status", "default", "summary", "page"]
    assert (found["code"], found["group"], found["severity"]) == ("TFD401", "correctness", "error")
    assert found["default"] is True


def test_all(run: Run) -> None:
    text = run("rule", "--all").out
    assert all(rule.code in text for rule in all_rules())
    found = json.loads(run("rule", "--all", "--output-format", "json").out)
    assert [item["code"] for item in found] == [rule.code for rule in all_rules()]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("TFD5O1", "tfdata-lint: error: unknown rule `TFD5O1`; did you mean `TFD501`?\n"),
        (
            "missing-prefetsch",
            "tfdata-lint: error: unknown rule `missing-prefetsch`; did you mean `missing-prefetch`?\n",
        ),
        ("E", "tfdata-lint: error: unknown rule `E`; `tfdata-lint rule` lists all of them\n"),
    ],
)
def test_unknown(code: str, message: str, run: Run) -> None:
    done = run("rule", code)
    assert (done.code, done.out, done.err) == (2, "", message)


def test_code_and_all(run: Run) -> None:
    assert run("rule", "TFD401", "--all").code == 2


def test_a_list(run: Run) -> None:
    rows = run("rule").out.splitlines()
    assert [row.split()[0] for row in rows] == [rule.code for rule in all_rules()]
    assert "TFD102  sequential-map                   performance  `map` works on one element at a time" in rows
