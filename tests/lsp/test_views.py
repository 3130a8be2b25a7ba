"""What is shown of pipelines: hover, inlay hints, symbols."""

from __future__ import annotations

import gc
import os
import re
import shutil
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from lsp_editor import PIPELINE, ROOT, Editor, identifier, span
from lsprotocol import types
from markdown_it import MarkdownIt

from tfdata_lint.lsp.analysis import Analyst
from tfdata_lint.lsp.documents import Documents
from tfdata_lint.lsp.views import View

pytestmark = pytest.mark.asyncio(loop_scope="session")

TRAINING = """\
import tensorflow as tf

def load(files):
    x = "😋"; ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg)
    ds = ds.cache()
    ds = ds.shuffle(100)  # noqa: TFD306
    return ds.batch(8).prefetch(tf.data.AUTOTUNE)

def train(model, files):
    model.fit(load(files))
"""


async def test_hover_on_a_stage(plain: Editor, tmp_path: Path) -> None:
    """The pipeline so far, and what the runtime does with the stage; then the findings, each in a few rows."""
    file = plain.open(tmp_path / "a.py", TRAINING)
    assert await plain.hover(file, 5, 14) == (
        "**shuffle**\n```text\nTFRecordDataset |> map |> cache |> shuffle\n```\nElements: `uint8[*,*,?]`\n"
        "- The buffer fills before the first element is returned, and stays in memory.\n"
        "- Every epoch has a new order, also with a seed."
    )
    map_ = await plain.hover(file, 3, 54)
    assert "\nTFRecordDataset |> map\n" in map_
    assert "Stateless: TensorFlow 2.7 and later parallelize it" in map_
    assert "\n\n---\n\n[**TFD102 sequential-map**](file://" in map_


async def test_hover_says_what_a_cache_keeps(plain: Editor, tmp_path: Path) -> None:
    """Only where all that is made of a stage goes through a cache."""
    kept = "A later `cache` keeps its results"
    file = plain.open(tmp_path / "a.py", TRAINING)
    assert kept in await plain.hover(file, 3, 54)
    split = TRAINING.replace("    ds = ds.cache()\n", "    part = ds.take(100)\n    ds = ds.skip(100).cache()\n")
    file = plain.open(tmp_path / "b.py", split.replace("return ds", "return part.batch(8), ds"))
    assert kept not in await plain.hover(file, 3, 54)
    # So it has no new order, whatever a shuffle does by itself.
    file = plain.open(tmp_path / "c.py", TRAINING.replace("ds.cache()", "ds.shuffle(9).cache()"))
    said = await plain.hover(file, 4, 14)
    assert "**shuffle** · cached later\n" in said
    assert "- Every epoch has the order of the first: a later `cache` keeps it." in said
    assert "new order" not in said


async def test_hover_on_a_code_in_a_comment(plain: Editor, tmp_path: Path) -> None:
    file = plain.open(tmp_path / "a.py", TRAINING)
    said = await plain.hover(file, 5, 36)
    assert re.search(r"\[\*\*TFD306 shuffle-after-batch\*\*\]\(file:\S+\): Whole batches .*\.\n\nWhole batches", said)
    assert await plain.hover(file, 0, 3) == ""


FOREIGN = """\
from tfdata_lint import Rule

class BatchOfOne(Rule):
    \"""Ours are never that small.\"""

    code, name, group, summary = "ACME001", "batch-of-one", "performance", "A batch of one element"

    def check(self, graph, target):
        for stage in graph.stages:
            if stage.literal("batch_size") == 1:
                yield self.finding(stage.span, "one", cost="time", advice="use more")
"""


async def test_hover_on_a_rule_of_another_distribution(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no page: what it says of itself is shown, and nothing else."""
    (tmp_path / "acme_rules.py").write_text(FOREIGN)
    declare(tmp_path, "acme_rules")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    await editor.start()
    text = (
        "import tensorflow as tf\nfor x in tf.data.Dataset.range(3).batch(1).prefetch(1):\n    pass\n# noqa: ACME001\n"
    )
    file = editor.open(tmp_path / "a.py", text)
    (found,) = await editor.told(file)
    assert (found.code, found.code_description) == ("ACME001", None)
    about = (
        "# ACME001 batch-of-one\n\nA batch of one element.\n\nOurs are never that small.\n\n"
        "performance, warning, stable, on by default"
    )
    assert (await editor.hover(file, 1, 40)).endswith("**ACME001 batch-of-one**: one  \nTime.  \nUse more.")
    assert await editor.hover(file, 3, 10) == about


def declare(site: Path, module: str) -> None:
    """What `pip install` writes of a distribution with a rule."""
    metadata = site / "acme-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[tfdata_lint.rules]\nacme = {module}\n")


async def test_hover_on_the_rule_of_the_example(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a page, and a fix."""
    shutil.copytree(ROOT / "examples" / "custom_rule" / "acme_rules", tmp_path / "acme_rules")
    declare(tmp_path, "acme_rules.uneven_batch")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "tfdata-lint.toml").write_text('extend-select = ["ACME001"]\n')
    await editor.start()
    text = "import tensorflow as tf\nfor x in tf.data.Dataset.range(90).batch(30).prefetch(1):\n    pass\n"
    file = editor.open(tmp_path / "a.py", text)
    assert "ACME001" in [found.code for found in await editor.told(file)]
    said = await editor.hover(file, 1, 42)
    assert "\n[**ACME001 uneven-batch**](file://" in said
    assert "```diff\n- for x in tf.data.Dataset.range(90).batch(30).prefetch(1):\n+ for x in " in said
    assert any("32" in action.title for action in await editor.actions(file))


async def test_hover_stays_short(plain: Editor, tmp_path: Path) -> None:
    """Where findings meet, and where a fix changes many rows: a diff of what there is room for, or none."""
    text = (
        "import tensorflow as tf\n\ndef train(model, files):\n    ds = tf.data.TFRecordDataset(files).repeat()\n"
        "    ds = ds.batch(8).shuffle(2).map(tf.io.decode_jpeg).cache()\n    model.fit(ds)\n"
    )
    file = plain.open(tmp_path / "a.py", text)
    rows = text.splitlines()
    said = [await plain.hover(file, row, column) for row in (3, 4) for column in range(len(rows[row]))]
    assert max(len(each.splitlines()) for each in said) <= 25
    assert any(each.count("](file://") > 1 for each in said)
    assert any("```diff\n- " in each for each in said)


async def test_inlay_hints(able: Editor, tmp_path: Path) -> None:
    """Behind the stages, for clients that want them."""
    file = able.open(tmp_path / "a.py", TRAINING)
    params = types.InlayHintParams(identifier(file), span(0, 0, 10, 0))
    hints = await able.client.text_document_inlay_hint_async(params)
    end = len(TRAINING.splitlines()[3]) + 1  # The emoji is two UTF-16 units.
    assert [(hint.label, hint.position.line, hint.position.character) for hint in hints or ()] == [
        ("cached later, string[]", 3, end - len(".map(tf.io.decode_jpeg)")),
        ("sequential, cached later, uint8[*,*,?]", 3, end),
        ("uint8[?,*,*,?]", 6, len("    return ds.batch(8)")),
    ]


async def test_inlay_hints_are_off_by_default(plain: Editor, tmp_path: Path) -> None:
    file = plain.open(tmp_path / "a.py", TRAINING)
    params = types.InlayHintParams(identifier(file), span(0, 0, 10, 0))
    assert not await plain.client.text_document_inlay_hint_async(params)


async def test_symbols_are_the_pipelines(plain: Editor, tmp_path: Path) -> None:
    file = plain.open(tmp_path / "a.py", PIPELINE)
    found = await plain.client.text_document_document_symbol_async(types.DocumentSymbolParams(identifier(file)))
    (symbol,) = found or ()
    assert isinstance(symbol, types.DocumentSymbol)
    assert (symbol.name, symbol.detail) == ("TFRecordDataset |> shuffle |> map |> batch", "fit")
    assert [stage.name for stage in symbol.children or ()] == ["TFRecordDataset", "shuffle", "map", "batch"]
    assert symbol.range.start.line == 3
    assert symbol.range.end.line == 5


async def test_a_view_that_is_dropped_is_free() -> None:
    """No circle keeps its graph: in the server nobody looks for garbage while somebody types."""
    analyst = Analyst()
    gc.collect()
    gc.disable()
    try:
        document = Documents(None).closed("file:///a.py", "/a.py")
        found = await analyst.pipelines(replace(document, content=TRAINING.encode()))
        view = View(document, *found)
        names = [symbol.name for symbol in view.symbols("file:///a.py")]
        tree = weakref.ref(view.graph.tree)
        del view, found
        # Until then the thread may still hold it.
        await analyst.call(int)
        assert (len(names), tree()) == (1, None)
    finally:
        gc.enable()
        analyst.close()


HOSTILE = '''\
import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices({"a`<img src=x>\\x1b[2J``\\u202e": [1.0]})
ds = ds.filter(lambda row: row["a`<img src=x>\\x1b[2J``\\u202e"] > 0).cache("""```
# heading\x1b[2J""").batch(8)
for row in ds:
    print(row)
'''


async def test_hover_quotes_hostile_code(plain: Editor, tmp_path: Path) -> None:
    """What the code says is code in Markdown, too, whatever marks it has."""
    file = plain.open(tmp_path / "a.py", HOSTILE)
    for row, column in ((1, 24), (2, 10), (3, 20)):
        said = await plain.hover(file, row, column)
        assert "Elements: " in said
        assert [character for character in said if not character.isprintable() and character != "\n"] == []
        page = MarkdownIt("commonmark").render(said.partition("\n\n---\n\n")[0])
        assert "<img" not in page
        assert "<h1" not in page
