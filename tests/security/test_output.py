"""What is printed of hostile names, code and messages: it means the same in each format, and acts nowhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, strategies as st
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt
from output.findings import checkout, finding
from rows import try_all
from security.hostile import NAMES, lines, on_azure, on_github, read_back
from security.hostile import _azure as azure_command, _github_v2 as github_command
from verify.verdicts import FASTER, SAME, run as observed, script, with_pipeline

from tfdata_lint.cli import main
from tfdata_lint.config.formats import FORMATS
from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix, RelatedPlace
from tfdata_lint.output import summary
from tfdata_lint.output.diff import unified
from tfdata_lint.output.text import Text
from tfdata_lint.source.places import Place
from tfdata_lint.source.visible import code_line, inert, json_text, visible, xml_text
from tfdata_lint.verify.judge import Together, Verdict, Verification
from tfdata_lint.verify.model import Output, Place as SeenPlace, Target
from tfdata_lint.verify.report import answers, html, json as verdict_file, terminal

checkout = checkout
SCHEMA = json.loads((Path(__file__).parents[1] / "output" / "sarif-2.1.0.schema.json").read_text())
MARKDOWN = MarkdownIt("commonmark").enable("table")

#: What texts are put together from: what means something to a terminal, a service or a format.
PARTS = (
    "::error::", "::", ":", "##", "#", "[", "]", "##vso[", "##[error]", "vso", "task.x", " ", "\n", "\r", "\t", "\0",
    "\x1b", "[31m", "\x07", "\x7f", "\x9b", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff", "\ufe0f", "\u3164",
    "\U000e0041", "`", "``", "|", "\\", "<", ">", "&", "&lt;", '"', "'", "%", "%0A", "%25", ",", ";", "=", "]]>", "*",
    "_", "@a", "{0}", "%%{", "$", "/", "-", "a", "é", "猫", "😀", "\ud800", "\udcff", "\U0010ffff",
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PARTS), st.characters()), max_size=12).map("".join)
PATHS = st.one_of(
    st.sampled_from(NAMES),
    TEXTS.map(lambda text: os.fsdecode(text.replace("\0", "").encode("utf-8", "surrogatepass")) + ".py"),
)


def hostile(path: str, text: str = "") -> list[Diagnostic]:
    """Two findings with the path and the text at all their places."""
    place = Place(path, None, 2, 3, 2, 9, lines=((1, text.replace("\n", " ")), (2, f"x = {text}".replace("\n", " "))))
    edit = PlacedEdit(Place(path, None, 2, 9, 2, 9), ", n=1")
    words = {"message": f"`{text}` is {text}", "cost": text or "cost", "advice": f"Use {text}"}
    related = (RelatedPlace(place, f"here {text}"),)
    fix = PlacedFix("unsafe", f"Pass {text}", text, (edit,))
    first = finding(place, related=related, fix=fix, severity="error", **words)
    return [first, finding(place._replace(cell=3, executed=1), severity="advice", alternatives=(fix,), **words)]


def rendered(form: str, found: list[Diagnostic]) -> str:
    if form in ("full", "concise"):
        return "\n\n".join(Text(concise=form == "concise").render(diagnostic) for diagnostic in found)
    return str(import_module(f"tfdata_lint.output.{form.replace('-', '_')}").render(found))


def assert_acts_nowhere(text: str, form: str = "", count: int = 0) -> None:
    """No command but our own, and nothing that a terminal would do but to begin a line."""
    assert len(on_github(text)) == (count if form == "github" else 0)
    assert len(on_azure(text)) == (count if form == "azure" else 0)
    assert not [character for character in text if not character.isprintable() and character != "\n"]


def without_surrogates(text: str) -> str:
    """As JSON has it: a pair of them is a character, and one alone a visible escape."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", whole)


def in_xml(text: str) -> str:
    return re.sub("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


# ── what a name is in each format ───────────────────────────────────────────────────────────────────────────────────


def assert_json(text: str, path: str) -> None:
    assert {one["filename"] for one in json.loads(text)} == {without_surrogates(path)}


def assert_json_lines(text: str, path: str) -> None:
    assert [json.loads(line)["filename"] for line in lines(text)] == [without_surrogates(path)] * 2


def assert_gitlab(text: str, path: str) -> None:
    from tfdata_lint.output.shared import relative

    expected = without_surrogates(relative(path) or path)
    assert {one["location"]["path"] for one in json.loads(text)} == {expected}


def assert_rdjson(text: str, path: str) -> None:
    found = json.loads(text)["diagnostics"]
    assert {one["location"]["path"] for one in found} == {without_surrogates(path)}


def assert_sarif(text: str, path: str) -> None:
    log = json.loads(text)
    Draft7Validator(SCHEMA).validate(log)
    for result in log["runs"][0]["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[!-~]+", uri)
        assert unquote_to_bytes(uri.removeprefix("file://")).endswith(os.fsencode(os.path.normpath(path)))


def assert_junit(text: str, path: str) -> None:
    top = ElementTree.fromstring(text.encode("utf-8"))
    assert [suite.get("name") for suite in top] == [in_xml(path)]
    assert {case.get("classname") for case in top.iter("testcase")} == {in_xml(path)}
    told = top.findtext("testsuite/testcase/failure") or ""
    assert told.startswith(in_xml(f"{path}:2:3\n"))


def assert_github(text: str, path: str) -> None:
    for line in text.split("\n"):
        command = github_command(line)
        assert command
        assert read_back(command.properties["file"]) == read_back(os.path.abspath(path))


def assert_azure(text: str, path: str) -> None:
    issue, advice = text.split("\n")
    command = azure_command(issue)
    assert command
    assert read_back(command.properties["sourcepath"]) == read_back(os.path.abspath(path))
    assert_line(advice, path)


def assert_line(text: str, path: str) -> None:
    """A place, at the beginning of what is for people."""
    assert read_back(text).startswith(read_back(f"{path}:"))


def assert_lines(text: str, path: str) -> None:
    assert len(text.split("\n")) == 2
    for line in text.split("\n"):
        assert_line(line, path)


def assert_markdown(text: str, path: str) -> None:
    page = Page(text)
    assert page.tags <= {"h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "br"}
    assert page.cells == 3 * 2
    assert [" ".join(read_back(code).split()) for code in page.first_codes] == [
        " ".join(read_back(f"{path}:{within}").split()) for within in ("2:3", "In [1]:2:3")
    ]


class Page(HTMLParser):
    """What a page of Markdown is to its reader."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells = 0
        self.first_codes: list[str] = []
        self._is_first = self._is_code = False
        self.feed(MARKDOWN.render(text))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.cells += tag in ("td", "th")
        if tag == "tr":
            self._is_first = True
        if tag == "code" and self._is_first:
            self._is_code, self._is_first = True, False
            self.first_codes.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._is_first = False
        self._is_code &= tag != "code"

    def handle_data(self, text: str) -> None:
        if self._is_code:
            self.first_codes[-1] += text


MEANS: dict[str, Callable[[str, str], None]] = {
    "full": assert_line,
    "concise": lambda text, path: assert_lines(text.replace("\n\n", "\n"), path),
    "json": assert_json,
    "json-lines": assert_json_lines,
    "sarif": assert_sarif,
    "github": assert_github,
    "gitlab": assert_gitlab,
    "azure": assert_azure,
    "junit": assert_junit,
    "markdown": assert_markdown,
    "pylint": assert_lines,
    "rdjson": assert_rdjson,
}


def test_every_format_is_tried() -> None:
    assert set(MEANS) == set(FORMATS)
    assert len(NAMES) >= 30
    assert len(set(NAMES)) == len(NAMES)
    # Printed as they are, the names do act.
    assert sum(bool(on_github(name)) for name in NAMES) >= 8
    assert sum(bool(on_azure(name)) for name in NAMES) >= 3


@pytest.mark.parametrize("form", FORMATS)
def test_a_hostile_name_is_a_name_in_each_format(form: str) -> None:
    def check(name: str) -> None:
        text = rendered(form, hostile(name, "a"))
        assert_acts_nowhere(text, form, 1 if form == "azure" else 2)
        MEANS[form](text, name)

    try_all(NAMES, check, ascii)


@pytest.mark.parametrize("form", FORMATS)
@given(path=PATHS, text=TEXTS)
@example(path="::error::x.py", text="::error::")
@example(path="#", text="#[error]")
def test_no_text_acts_in_any_format(form: str, path: str, text: str) -> None:
    found = rendered(form, hostile(path, text))
    assert_acts_nowhere(found, form, 1 if form == "azure" else 2)
    MEANS[form](found, path)
