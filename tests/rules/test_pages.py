"""Runs the pages in `rules/`: they are the specification, the documentation and the tests of the rules.

A fenced `python` block is linted as a module of its own. A finding of the page's rule must be announced on the line
where it starts, and what is announced must be found:

    ds = ds.batch(32)  # warning: [TFD101] "part of the message"

Words after `python` in the opening fence:

- `fixed`: the exact result of all fixes of the page's rule, unsafe ones included, for the block before it. Where all
  of them are safe, both blocks are run on TensorFlow, and their datasets are compared over two epochs
- `no-run`: not run on TensorFlow (it needs files or hardware)
- `raises`, `raises=InvalidArgumentError`: running it on TensorFlow fails, and should
- `invalid`: not valid Python
- `target=2.15`: linted for this TensorFlow
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from fixes.comparison import compare
from markdown_blocks import Block, blocks, headings
from tensorflow_runner import RunOnTensorFlow

import tfdata_lint.rules
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.lint import examining
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules import all_rules, rule
from tfdata_lint.rules.base import Finding, Rule

PAGES = sorted((Path(__file__).parents[2] / "rules").glob("*.md"))
BLOCKS = [block for page in PAGES for block in blocks(page)]
WORDS = {"fixed", "no-run", "raises", "invalid", "target"}

SECTIONS = ["What it does", "Why it costs", "Example", "Use instead", "When it stays silent", "Fix safety", "Options",
            "Verify", "References"]  # fmt: skip

FIXES = [(flagged, block) for flagged, block in pairwise(BLOCKS) if block.option("fixed") is not None]

#: Files that blocks may read.
_FILES = """
import tensorflow as _tf
for _name in [f"train-{_i}.tfrecord" for _i in range(8)]:
    with _tf.io.TFRecordWriter(_name) as _writer:
        for _i in range(3 + int(_name[6]) % 4):
            _writer.write(f"{_name} {_i}".encode())
for _i, _name in enumerate(("a.jpg", "b.jpg")):
    _tf.io.write_file(_name, _tf.io.encode_jpeg(_tf.fill([16, 16, 3], _tf.cast(_i, _tf.uint8))))
"""
_MARKER_COMMENT = re.compile(r"[ \t]*#[^#\n]*(?:error|warning|advice): \[TFD\d{3}\].*")
_MARKER = re.compile(r'(?P<severity>error|warning|advice): \[(?P<code>TFD\d{3})\](?: "(?P<text>(?:[^"\\]|\\.)*)")?')


@dataclass(frozen=True)
class Report:
    """A finding, or the announcement of one."""

    row: int
    severity: str
    code: str
    text: str

    def announces(self, found: Report) -> bool:
        return (self.row, self.severity, self.code) == (found.row, found.severity, found.code) and (
            self.text in found.text
        )

    def __str__(self) -> str:
        return f'{self.severity}: [{self.code}] "{self.text}"'


def code_of(page: Path) -> str:
    return page.name[:6]


def markers(text: str) -> Iterator[Report]:
    """The announcements in a block: after a number sign, alone or one behind the other."""
    for row, line in enumerate(text.splitlines(), 1):
        _, _, comment = line.partition("#")
        for match in _MARKER.finditer(comment):
            yield Report(row, match["severity"], match["code"], (match["text"] or "").replace('\\"', '"'))


def findings(checked: Rule, block: Block) -> list[Report]:
    """What a rule finds in a block. The rules about linting itself speak through the engine."""
    target, path = target_of(block), f"{block.file.stem}.py"
    if checked.group == "meta":
        report = lint_source(block.text, path, Settings(target_tensorflow=target))
        return [
            Report(d.place.row, d.severity, d.code, d.message) for d in report.diagnostics if d.code == checked.code
        ]
    from tfdata_lint.pipeline.recover import recover
    from tfdata_lint.source.module import load

    source = load(block.text.encode(), path)
    target = examining.target_of(source, Settings(target_tensorflow=target))
    found = {(f.code, f.span): f for f in checked.check(recover(source), target)}
    return [Report(f.span.row, f.severity, f.code, f.message) for f in found.values()]


def target_of(block: Block) -> Target:
    version = block.option("target")
    return Target.parse(version, "page") if version else Target()


def fix(block: Block) -> FileReport:
    """All fixes of the page's rule, the unsafe ones too, for the code without the announcements."""
    text = _MARKER_COMMENT.sub("", block.text)
    code = code_of(block.file)
    settings = Settings(extend_select=(code,), fixable=(code,), target_tensorflow=target_of(block))
    return fix_source(text, f"{block.file.stem}.py", settings, unsafe=True)


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_block(block: Block) -> None:
    announced = list(markers(block.text))
    problems: list[str] = []
    for code in sorted({code_of(block.file), *(marker.code for marker in announced)}):
        checked = rule(code)
        assert checked is not None, f"{block}: no rule has the code {code}"
        expected = [marker for marker in announced if marker.code == code]
        found = findings(checked, block)
        for marker in expected:
            match = next((report for report in found if marker.announces(report)), None)
            if match is None:
                problems.append(f"{block.place(marker.row)}: announced, not found: {marker}")
            else:
                found.remove(match)
        if code == code_of(block.file):
            problems += [f"{block.place(report.row)}: found, not announced: {report}" for report in found]
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_block_is_python(block: Block) -> None:
    unknown = {word.partition("=")[0] for word in block.words} - WORDS
    assert not unknown, f"{block}: unknown words after `python`: {', '.join(sorted(unknown))}"
    if block.option("invalid") is None:
        compile(block.text, str(block), "exec", dont_inherit=True)
    else:
        with pytest.raises((SyntaxError, ValueError)):
            compile(block.text, str(block), "exec", dont_inherit=True)


@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if block.option("no-run") is None and block.option("invalid") is None],
    ids=str,
)
def test_block_runs_on_tensorflow(block: Block, run_on_tensorflow: RunOnTensorFlow) -> None:
    ended = run_on_tensorflow(block.text, str(block.file), block.line)
    expected = block.option("raises")
    if expected is None:
        assert not ended["error"], f"{block} fails on TensorFlow:\n{ended['detail']}"
    else:
        assert ended["error"], f"{block} should fail on TensorFlow, and does not"
        assert expected in ("", ended["error"]), f"{block} fails with {ended['error']}:\n{ended['detail']}"


@pytest.mark.parametrize(("flagged", "fixed"), FIXES, ids=str)
def test_fix_gives_the_next_block(flagged: Block, fixed: Block) -> None:
    report = fix(flagged)
    assert report.after is not None, f"{flagged}: nothing was fixed: {[d.fix for d in report.diagnostics]}"
    assert report.after.decode() == fixed.text


@pytest.mark.parametrize(
    ("flagged", "fixed"),
    [
        (flagged, fixed)
        for flagged, fixed in FIXES
        if flagged.option("no-run") is None and all(d.fix and d.fix.applicability == "safe" for d in fix(flagged).fixed)
    ],
    ids=str,
)
def test_safe_fix_changes_no_dataset(flagged: Block, fixed: Block, run_on_tensorflow: RunOnTensorFlow) -> None:
    compared = compare(_FILES + flagged.text, _FILES + fixed.text, run_on_tensorflow)
    assert not compared.difference, f"{fixed}: {compared.difference}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_shows_the_fix(page: Path) -> None:
    """Where the rule has one that can be applied to a block of the page."""
    can_fix = any(fix(block).fixed for block in blocks(page) if block.option("invalid") is None)
    shows = any(block.option("fixed") is not None for block in blocks(page))
    assert shows == can_fix


class Pedantic(Rule):
    code, name, group, summary = "TFD399", "batch-of-one", "pedantic", "A batch of one element"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.literal("batch_size") == 1:
                draft = Draft(graph)
                draft.set_arguments(stage, batch_size="32")
                fix = draft.fix("unsafe", "Use more", "batches get another shape")
                yield self.finding(stage.span, "one", cost="time", advice="use more", fix=fix)


def test_a_page_of_a_rule_that_is_off_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    known = all_rules()
    monkeypatch.setattr(tfdata_lint.rules, "all_rules", lambda: (*known, Pedantic()))
    text = "import tensorflow as tf\nds = tf.data.Dataset.range(9).batch(1)  # advice: [TFD399]\n"
    block = Block(Path("TFD399-batch-of-one.md"), 1, "python", (), text)
    assert [(found.row, found.severity) for found in findings(Pedantic(), block)] == [(2, "advice")]
    assert fix(block).after == b"import tensorflow as tf\nds = tf.data.Dataset.range(9).batch(32)\n"


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert [page.stem for page in PAGES] == [f"{r.code}-{r.name}" for r in all_rules()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_has_its_parts(page: Path) -> None:
    described = rule(code_of(page))
    assert described is not None, f"{page.name}: no rule has the code {code_of(page)}"
    title, *sections = [heading for heading in headings(page) if not heading.startswith("###")]
    assert title == f"# {described.code} {described.name}"
    wanted = [f"## {section}" for section in SECTIONS]
    optional = {"## Options"}
    assert sections == [section for section in wanted if section not in optional or section in sections]
    text = page.read_text(encoding="utf-8")
    assert re.search(rf"^\*\*{described.group}\*\*", text, re.MULTILINE), (
        f"{page.name}: no line starts with **{described.group}**"
    )
    if described.group != "meta":
        assert any(marker.code == described.code for block in blocks(page) for marker in markers(block.text)), (
            f"{page.name}: no block shows what the rule finds"
        )
