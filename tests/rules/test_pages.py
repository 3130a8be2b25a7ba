"""The pages in `rules/` specify, document and test the rules: `tfdata_lint/testing/` says how.

Here they are also run on TensorFlow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from fixes.comparison import compare
from rows import drawn, try_all
from tensorflow_runner import RunOnTensorFlow, check_end

import tfdata_lint.rules
from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules import all_rules, entries, explanation, rule
from tfdata_lint.rules.base import Entry, Finding, Rule
from tfdata_lint.testing import check_page, pages
from tfdata_lint.testing.blocks import Block, blocks, headings

PAGES = sorted((Path(__file__).parents[2] / "rules").glob("*.md"))
BLOCKS = [block for page in PAGES for block in blocks(page)]
SECTIONS = ["What it does", "Why it costs", "Example", "Use instead", "When it stays silent", "Fix safety", "Options",
            "Verify", "References", "Cases"]  # fmt: skip

FIXES = pages.fixes(BLOCKS)

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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path) -> None:
    check_page(page)


RUNNING = [block for block in BLOCKS if block.option("no-run") is None and block.option("invalid") is None]


@pytest.mark.parametrize("page", sorted({block.file for block in RUNNING}), ids=lambda page: page.stem)
def test_blocks_run_on_tensorflow(page: Path, run_on_tensorflow: RunOnTensorFlow) -> None:
    running = drawn(block for block in RUNNING if block.file == page)
    try_all(running, lambda block: check_end(block, run_on_tensorflow))


@pytest.mark.parametrize(
    ("flagged", "fixed"),
    drawn(pair for pair in FIXES if pair[0].option("no-run") is None and pair[0].option("raises") is None),
    ids=str,
)
def test_safe_fix_changes_no_dataset(flagged: Block, fixed: Block, run_on_tensorflow: RunOnTensorFlow) -> None:
    made = pages.fix(flagged, pages.code_of(flagged.file)).fixed
    if any(not d.fix or d.fix.applicability != "safe" for d in made):
        pytest.skip("the fix is not safe")
    compared = compare(_FILES + flagged.text, _FILES + fixed.text, run_on_tensorflow)
    assert not compared.difference, f"{fixed}: {compared.difference}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_shows_the_fix(page: Path) -> None:
    """Where the rule has one that can be applied to a block of the page."""
    can_fix = any(
        pages.fix(block, pages.code_of(page)).fixed for block in blocks(page) if block.option("invalid") is None
    )
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
    known = (*entries(), Entry.of(Pedantic()))
    monkeypatch.setattr(tfdata_lint.rules, "entries", lambda: known)
    text = "import tensorflow as tf\nds = tf.data.Dataset.range(9).batch(1)  # advice: [TFD399]\n"
    block = Block(Path("TFD399-batch-of-one.md"), 1, "python", (), text)
    assert [(found.row, found.severity) for found in pages.findings(Pedantic(), block)] == [(2, "advice")]
    assert pages.fix(block, "TFD399").after == b"import tensorflow as tf\nds = tf.data.Dataset.range(9).batch(32)\n"


def test_what_readers_get_is_short() -> None:
    """The part above "Cases", in rows: hovers, SARIF and the site show no more. One bad and one good example do."""
    parts = {found.code: explanation(found) for found in all_rules()}
    rows = {code: len(part.splitlines()) for code, part in parts.items()}
    assert max(rows.values()) <= 145, max(rows, key=lambda code: rows[code])
    assert median(rows.values()) <= 70
    assert {code: count for code, part in parts.items() if (count := part.count("\n```python")) > 3} == {}


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert [page.stem for page in PAGES] == [f"{r.code}-{r.name}" for r in all_rules()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_has_its_parts(page: Path) -> None:
    described = rule(pages.code_of(page))
    assert described is not None, f"{page.name}: no rule has the code {page.stem}"
    title, *sections = [heading for heading in headings(page) if not heading.startswith("###")]
    assert title == f"# {described.code} {described.name}"
    wanted = [f"## {section}" for section in SECTIONS]
    optional = {"## Options", "## Cases"}
    assert sections == [section for section in wanted if section not in optional or section in sections]
    text = page.read_text(encoding="utf-8")
    assert re.search(rf"^\*\*{described.group}\*\*", text, re.MULTILINE), (
        f"{page.name}: no line starts with **{described.group}**"
    )
    for option in described.options:
        row = f"- `{option.name}` (default: `{option.default}`): {option.text}"
        assert row in " ".join(text.split()), f'{page.name}: under "Options" there must be the row {row}'
