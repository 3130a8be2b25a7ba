"""SARIF: valid, and with all that a finding knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from output import findings as samples
from output.findings import CELL, FINDINGS, FIX, PLACE, SHOWN, UNSAFE, finding, related

import tfdata_lint
from tfdata_lint import Settings, lint_paths
from tfdata_lint.output import rdjson, sarif
from tfdata_lint.rules import all_rules

#: From the npm package @microsoft/sarif-multitool-linux 5.7.0, MIT licence.
SCHEMA = Path(__file__).with_name("sarif-2.1.0.schema.json")


checkout = samples.checkout


def run(*findings: Any) -> Any:
    (only,) = json.loads(sarif.render(findings))["runs"]
    return only


def result(**more: Any) -> Any:
    return run(finding(**more))["results"][0]


@pytest.mark.parametrize("findings", [FINDINGS, ()], ids=["findings", "nothing"])
def test_it_is_valid(findings: Any) -> None:
    validator = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert [*validator.iter_errors(json.loads(sarif.render(findings)))] == []


def test_links_lead_to_the_site_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def links() -> tuple[Any, Any]:
        driver = run(finding())["tool"]["driver"]
        return driver.get("informationUri"), driver["rules"][0].get("helpUri")

    assert links() == (None, None)
    monkeypatch.setattr(tfdata_lint, "DOCUMENTATION", "https://lint.example.org")
    code, name = FINDINGS[0].code, FINDINGS[0].name
    assert links() == ("https://lint.example.org", f"https://lint.example.org/rules/{code}-{name}/")
    found = json.loads(rdjson.render([finding()]))["diagnostics"][0]
    assert found["code"] == {"value": code, "url": f"https://lint.example.org/rules/{code}-{name}/"}


def test_a_finding(checkout: Path) -> None:
    (found,) = run(finding())["results"]
    assert len(found.pop("partialFingerprints")["statement/v1"]) == 64
    assert found == {
        "ruleId": "TFD102",
        "ruleIndex": 0,
        "level": "warning",
        "message": {"text": "`map` is sequential. It was 1.8 times slower. Use `num_parallel_calls`."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "src/train.py", "uriBaseId": "PROJECTROOT"},
                    "region": {"startLine": 9, "startColumn": 16, "endLine": 9, "endColumn": 26},
                }
            }
        ],
        "properties": {"confidence": "proven"},
    }
    assert run()["originalUriBaseIds"] == {"PROJECTROOT": {"uri": f"{checkout.as_uri()}/"}}


def test_columns_are_characters() -> None:
    assert run()["columnKind"] == "unicodeCodePoints"


def test_a_rule_is_explained_by_its_page() -> None:
    rules = run(*FINDINGS)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["TFD000", "TFD102", "TFD305", "TFD404"]
    assert rules[1]["help"]["markdown"].startswith("# TFD102 sequential-map\n")


def test_results_point_to_their_rules() -> None:
    only = run(*FINDINGS)
    rules = only["tool"]["driver"]["rules"]
    assert all(rules[found["ruleIndex"]]["id"] == found["ruleId"] for found in only["results"])


def test_links_of_pages_that_lead_nowhere_outside_of_the_project() -> None:
    every = run(*(finding(code=rule.code, name=rule.name) for rule in all_rules()))
    pages = [rule["help"]["markdown"] for rule in every["tool"]["driver"]["rules"]]
    assert not [page for page in pages if "](TFD" in page or "](../" in page]


def test_related_places() -> None:
    (place,) = result(related=related())["relatedLocations"]
    assert place["id"] == 1
    assert place["message"] == {"text": "batches here."}
    assert place["physicalLocation"]["region"]["startLine"] == 12


def rows_of_flow(**more: Any) -> list[int]:
    ((flow,),) = [flow["threadFlows"] for flow in result(**more)["codeFlows"]]
    return [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow["locations"]]


def test_the_way_of_the_elements() -> None:
    """A batch comes before what is too large a prefetch for it, and after the map that should follow it."""
    assert rows_of_flow(code="TFD107", related=related()) == [12, 9]
    assert rows_of_flow(code="TFD305", related=related()) == [9, 12]


def test_places_beside_each_other_are_no_way() -> None:
    assert "codeFlows" not in result(code="TFD404", related=related())
    assert "codeFlows" not in result(code="TFD101", related=related() + related(PLACE))


def test_fixes() -> None:
    safe, unsafe = result(fix=FIX, alternatives=(UNSAFE,))["fixes"]
    assert safe["description"] == {"text": "Pass it (safe)."}
    (change,) = safe["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "src/train.py"
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 9, "startColumn": 25, "endLine": 9, "endColumn": 25},
            "insertedContent": {"text": ", num_parallel_calls=tf.data.AUTOTUNE"},
        }
    ]
    assert unsafe["description"] == {"text": "Move it (unsafe: the order changes)."}
    assert len(unsafe["artifactChanges"][0]["replacements"]) == 2


@pytest.mark.parametrize("fix", [None, SHOWN, FINDINGS[1].fix], ids=["none", "without edits", "in a cell"])
def test_what_is_no_fix_of_the_file(fix: Any) -> None:
    assert "fixes" not in result(fix=fix)


def test_a_cell_is_a_logical_location() -> None:
    found = result(place=CELL)
    (location,) = found["locations"]
    assert location["logicalLocations"] == [{"fullyQualifiedName": "cell 3, line 2, column 9"}]
    assert location["physicalLocation"]["region"] == {
        "startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1,
    }  # fmt: skip
    assert found["message"]["text"].startswith("cell 3, line 2: ")


def test_a_cell_is_found_in_the_json_of_its_notebook(checkout: Path) -> None:
    source = [
        "import tensorflow as tf\n",
        '# "ä"\n',
        "ds = tf.data.TFRecordDataset('a').shuffle(1000)\n",
        "ds = ds.map(tf.io.decode_jpeg).batch(8)\n",
    ]
    code = {"cell_type": "code", "execution_count": 7, "metadata": {}, "outputs": [], "source": source}
    train = {**code, "execution_count": 8, "source": ["model.fit(ds)"]}
    text = {
        "cells": [{**code, "execution_count": None, "source": []}, code, train],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (checkout / "a.ipynb").write_text(json.dumps(text, indent=1, ensure_ascii=False), encoding="utf-8")
    reports = list(lint_paths("a.ipynb", Settings(select=("TFD102",), target_tensorflow="2.4", with_surroundings=True)))
    (found,) = run(*(d for each in reports for d in each.diagnostics))["results"]
    rows = (checkout / "a.ipynb").read_text(encoding="utf-8").split("\n")
    region = found["locations"][0]["physicalLocation"]["region"]
    assert rows[region["startLine"] - 1] == '    "ds = ds.map(tf.io.decode_jpeg).batch(8)\\n"'
    assert region["startLine"] == region["endLine"]
    marked = rows[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
    assert marked.startswith(("ds.map(", "map("))
    assert found["message"]["text"].startswith("cell 2, line 4: ")
    (checkout / "a.ipynb").write_text(json.dumps(text | {"cells": [train] * 3}, indent=1))
    moved = run(*(d for each in reports for d in each.diagnostics))
    assert moved["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_github_gets_what_it_reads() -> None:
    """As docs.github.com has it in "SARIF support for code scanning"."""
    only = run(*(finding(code=rule.code, name=rule.name) for rule in all_rules()))
    driver = only["tool"]["driver"]
    assert driver["version"] == driver["semanticVersion"] == tfdata_lint.__version__
    for rule in driver["rules"]:
        assert rule["id"]
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        assert 0 < len(rule["properties"]["tags"]) <= 20
    for found in run(*FINDINGS)["results"]:
        assert found["message"]["text"]
        assert found["partialFingerprints"]["statement/v1"]
        (location,) = found["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"]
        assert location["physicalLocation"]["region"].keys() == {"startLine", "startColumn", "endLine", "endColumn"}


def test_precision() -> None:
    kinds = {rule["id"]: rule["properties"]["precision"] for rule in run(*FINDINGS)["tool"]["driver"]["rules"]}
    assert kinds == {"TFD000": "very-high", "TFD102": "high", "TFD305": "high", "TFD404": "high"}
    (found,) = run(finding(code="TFD108", name="parallel-trivial-map"))["tool"]["driver"]["rules"]
    assert found["properties"]["precision"] == "medium"


def test_paths_are_uris(checkout: Path) -> None:
    def location(path: str) -> Any:
        (place,) = result(place=PLACE._replace(path=path))["locations"]
        return place["physicalLocation"]["artifactLocation"]

    assert location("a b/ä%.py") == {"uri": "a%20b/%C3%A4%25.py", "uriBaseId": "PROJECTROOT"}
    assert location("../other.py") == {"uri": (checkout.parent / "other.py").as_uri()}


def test_an_internal_error_is_no_success() -> None:
    assert run(finding())["invocations"] == [{"executionSuccessful": True}]
    assert run(finding(code="TFD002", name="internal-error"))["invocations"] == [{"executionSuccessful": False}]
