"""What is printed of hostile names, code and messages: it means the same in each format, and acts nowhere."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings, strategies as st
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt
from output.findings import checkout, finding
from rows import each, try_all
from security.hostile import (
    NAMES,
    _azure as azure_command,
    _github_v2 as github_command,
    lines,
    on_azure,
    on_github,
    read_back,
)
from verify.verdicts import FASTER, SAME, run as observed, script, with_pipeline

from tfdata_lint.config.formats import FORMATS
from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix, RelatedPlace
from tfdata_lint.output import summary
from tfdata_lint.output.diff import unified
from tfdata_lint.output.text import Text
from tfdata_lint.source.places import Place
from tfdata_lint.source.visible import code_line, inert, json_text, visible, xml_text
from tfdata_lint.verify.model import Output, Place as SeenPlace, Target
from tfdata_lint.verify.report import answers, html, json as verdict_file, terminal
from tfdata_lint.verify.verdicts import Together, Verdict, Verification

# Names that Linux has, and others not.
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="names of Linux")]
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
    return [first, finding(place._replace(cell=3), severity="advice", alternatives=(fix,), **words)]


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
        " ".join(read_back(f"{path}:{within}").split()) for within in ("2:3", "cell 3:2:3")
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


# ── the functions themselves ────────────────────────────────────────────────────────────────────────────────────────


@given(TEXTS)
def test_a_visible_text_is_one_line_that_can_be_read_back(text: str) -> None:
    shown = visible(text)
    assert_acts_nowhere(shown)
    assert "\n" not in shown
    assert visible(shown) == shown
    if "\\" not in text:
        assert read_back(shown) == text


@given(
    st.text(st.characters(categories=("L", "N", "P", "S", "Zs"), exclude_characters="\u3164\u115f\u1160\uffa0\u2800"))
)
def test_what_is_ordinary_is_not_changed(text: str) -> None:
    text = "".join(character for character in text if character.isprintable() and character not in "#:")
    for function in (visible, inert, json_text, xml_text, code_line):
        assert function(text) == text


@each(
    "text",
    ["a.py:3:1: warning", "x[::2]", "::", ":: a ::", "C::D::e", "# ## ### [a]", "  ::: a.py:1:1: b::c", "# a:: b::"],
)
def test_what_no_service_takes_for_a_command_is_not_changed(text: str) -> None:
    assert not on_github(text)
    assert visible(text) == text


@given(TEXTS)
def test_json_and_xml_mean_what_they_meant(text: str) -> None:
    for is_ascii in (True, False):
        written = json_text(json.dumps([text], ensure_ascii=is_ascii, indent=1))
        assert_acts_nowhere(written)
        assert json.loads(written) == [without_surrogates(text)]
    element = ElementTree.Element("a", {"b": in_xml(text)})
    element.text = in_xml(text)
    written = xml_text(ElementTree.tostring(element, encoding="unicode"))
    assert_acts_nowhere(written)
    read = ElementTree.fromstring(written)
    assert (read.get("b"), read.text or "") == (in_xml(text), in_xml(text))


@given(before=TEXTS, marked=TEXTS, after=TEXTS)
@example(before="\t", marked="\x1b[2J", after="\u3000")
def test_marks_stand_under_what_they_mark(before: str, marked: str, after: str) -> None:
    before, marked, after = (text.replace("\n", "").replace("#", "") for text in (before, f"a{marked}b", after))
    begin = len(before) + 1
    place = Place("a.py", None, 1, begin, 1, begin + len(marked), lines=((1, before + marked + after),))
    _, code, marks, *_ = Text().render(finding(place)).split("\n")
    assert_acts_nowhere(code)
    column, end = columns(code, marks.index("^")), columns(code, marks.rindex("^") + 1)
    assert code[column] == "a"
    assert code[end - 1] == "b"


def columns(text: str, width: int) -> int:
    """How many characters take so many columns of a terminal."""
    from unicodedata import combining, east_asian_width

    for number, character in enumerate(text):
        if width <= 0 and not combining(character):
            return number
        width -= 0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
    return len(text)


# ── what is printed beside the findings ─────────────────────────────────────────────────────────────────────────────

PAINT = r"\x1b\[(?:0|1|2|3[1-6]|1;3[1-6])m"


@settings(max_examples=50)
@given(path=PATHS, text=TEXTS)
def test_nothing_but_colors_reaches_a_terminal(path: str, text: str) -> None:
    found = hostile(path, text)
    for width in (0, 40):
        printed = [Text(color=True, width=width).render(diagnostic) for diagnostic in found]
        printed += summary.overview(found, color=True, width=width)
        assert_acts_nowhere(re.sub(PAINT, "", "\n".join(printed)))


@given(path=PATHS, text=TEXTS)
def test_no_text_acts_in_a_summary(path: str, text: str) -> None:
    found = hostile(path, text)
    for fixing in (True, False):
        assert_acts_nowhere("\n".join(summary.fixable(found, unsafe=False, fixing=fixing)))
        assert_acts_nowhere("\n".join(summary.fixed(found, would=fixing, each=True)))


@given(path=PATHS, code=TEXTS)
def test_a_diff_for_people_holds_nothing_that_acts(path: str, code: str) -> None:
    before = f"a\n  {code}\nb\n".encode("utf-8", "surrogatepass")
    diff = unified(path, before, before + b"c\n", color=True, seen=True).decode()
    assert_acts_nowhere(re.sub(PAINT, "", diff.replace("\r\n", "\n")).replace("\t", ""))


def test_git_and_patch_apply_the_diff_of_a_hostile_name(tmp_path: Path) -> None:
    before = b"x = '''\n::error::a\n##vso[task.x]\x1b[2J'''\n"

    def check(numbered: tuple[int, str]) -> None:
        number, name = numbered
        for command in (["git", "apply", "-p0"], ["patch", "-p0"]):
            folder = tmp_path / f"{number}-{command[0]}"
            folder.mkdir()
            (folder / name).write_bytes(before)
            diff = unified(name, before, before + b"y = 1\n")
            assert_acts_nowhere(b"".join(diff.splitlines(keepends=True)[:2]).decode().replace("\t", ""))
            subprocess.run(
                command, input=diff, cwd=folder, check=True, capture_output=True, env=os.environ | {"LC_ALL": "C.UTF-8"}
            )
            assert (folder / name).read_bytes() == before + b"y = 1\n"

    try_all(enumerate(NAMES), check, lambda numbered: ascii(numbered[1]))


# ── reports of what was executed ────────────────────────────────────────────────────────────────────────────────────


def verified(folder: Path, text: str) -> Verification:
    """An execution in which each string that comes from outside is a hostile one."""
    seen = SeenPlace(f"{folder}/{text}", 2, 18, 2, 29)
    whole = observed(script(folder))
    bottleneck = replace(whole.pipelines[0].bottleneck, place=seen, called_at=seen)  # type: ignore[type-var]
    whole = with_pipeline(whole, frames=(seen,), bottleneck=bottleneck, problem=text)
    stages = tuple(replace(stage, frames=(seen,)) for stage in whole.stages)
    whole = replace(
        whole, stages=stages, target=Target("script", f"{folder}/{text}", (text,)), interpreter=text, place=seen,
        reason="user-error", detail=f"ValueError: {text}", output=Output(text, f"a\n{text}\nb", 9),
        written=(f"/{text}", text), deleted=(text,), downloaded=(text,),
    )  # fmt: skip
    verdict = Verdict(
        "TFD102", "sequential-map", f"`map` of `{text}`", seen, f"{text}:2:19", "confirmed", "speedup",
        detail=f"It was {text}", fix=f"Use `{text}`", applicability="safe", comparison=FASTER, equality=SAME,
        pipeline=0, node=3,
    )  # fmt: skip
    return Verification(whole, (verdict,), (Together(0, (f"TFD102 {text}", "TFD101 b"), FASTER, SAME),), seconds=4.0)


class Words(HTMLParser):
    """The tags of a page, their attributes, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, text: str) -> None:
        self.words += text


@functools.cache
def plain_page(folder: Path) -> Words:
    return Words(html.render(verified(folder, "a")))


def assert_reports_act_nowhere(folder: Path, text: str) -> None:
    plain = plain_page(folder)
    done = verified(folder, text)
    page = html.render(done)
    assert_acts_nowhere(page)
    words = Words(page)
    assert (words.tags, words.attributes) == (plain.tags, plain.attributes)
    assert_acts_nowhere(
        "\n".join([*terminal.render(done), *terminal.fixes(done, written=True), *answers.render(done.run)])
    )
    assert_acts_nowhere(re.sub(PAINT, "", "\n".join(terminal.render(done, color=True))))
    written = verdict_file.render(done)
    assert_acts_nowhere(written)
    assert json.loads(written)["run"]["interpreter"] == without_surrogates(text)


def test_hostile_names_in_reports(tmp_path: Path) -> None:
    try_all(NAMES, lambda name: assert_reports_act_nowhere(tmp_path, name), ascii)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verified")


@settings(max_examples=30)
@given(text=TEXTS)
def test_no_text_acts_in_a_report(folder: Path, text: str) -> None:
    assert_reports_act_nowhere(folder, text)
