"""The three reports, and the table of several workers."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from verify.conftest import Verify
from verify.verdicts import FASTER, NO_FASTER, SAME, UNCLEAR, run, script, with_pipeline

from tfdata_lint.verify import workers
from tfdata_lint.verify.judge import Together, Verdict, Verification, from_json
from tfdata_lint.verify.model import Input, Node, Place, Step, to_json
from tfdata_lint.verify.report import drawing, html, json as verdict_file, terminal

DOCUMENT = Path(__file__).parents[2] / "docs" / "verify-json.md"


def verdict(outcome: Any, reason: Any, **more: Any) -> Verdict:
    place = Place("/input.py", 2, 18, 2, 29)
    told = {"detail": "It was seen", "fix": "Use `more`", "applicability": "safe", "pipeline": 0, "node": 3, **more}
    return Verdict(
        "TFD102", "sequential-map", "`map` runs <one> at a time", place, "input.py:2:19", outcome, reason, **told
    )


@pytest.fixture
def verification(tmp_path: Path) -> Verification:
    verdicts = (
        verdict("refuted", "below-threshold", comparison=NO_FASTER, equality=SAME),
        verdict("confirmed", "speedup", comparison=FASTER, equality=SAME),
        verdict("inconclusive", "noise", comparison=UNCLEAR, equality=SAME),
        verdict("not-run", "no-fix"),
        verdict("harmful", "not-equivalent", detail="With the fix the elements are others"),
    )
    together = Together(0, ("TFD102 input.py:2:19", "TFD101 input.py:3:19"), FASTER, SAME)
    return Verification(run(script(tmp_path)), verdicts, (together,), seconds=42.0)


def test_json_is_read_back_as_it_was(verification: Verification) -> None:
    assert from_json(json.loads(verdict_file.render(verification))) == verification


def test_json_is_documented(verification: Verification) -> None:
    text = DOCUMENT.read_text()
    data = to_json(verification)
    keys = {*data, *data["verdicts"][0], *data["together"][0], *data["verdicts"][0]["comparison"], *data["run"]}
    keys |= {*data["verdicts"][0]["equality"], *data["run"]["pipelines"][0]}
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []
    words = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)",?  ?#|"([a-z]+(?:-[a-z]+)*)",', _literals()))
    assert [word for pair in words for word in pair if word and f"`{word}`" not in text] == []


def _literals() -> str:
    """What outcomes and reasons there are, as the code declares them."""
    from tfdata_lint.verify import equality, judge

    text = Path(judge.__file__).read_text() + Path(equality.__file__).read_text()
    return "\n".join(re.findall(r"^(?:Outcome|Reason) = Literal\[(.*?)^\]", text, re.MULTILINE | re.DOTALL))


def test_the_terminal_tells_what_matters_first(verification: Verification) -> None:
    lines = list(terminal.render(verification))
    told = [line.split()[0] for line in lines if " TFD102 " in line]
    assert told == ["confirmed", "harmful", "inconclusive", "refuted", "not-run"]
    assert lines[-1] == "verdicts: 1 confirmed, 1 harmful, 1 inconclusive, 1 refuted, 1 not-run in 50 s"
    assert re.search(r"all 2 fixes of .* together: 2\.00×", " ".join(line.strip() for line in lines))
    assert all(len(line) <= 110 for line in lines if " TFD102 " not in line)


def test_made_up_data_are_named_everywhere(verification: Verification) -> None:
    made_up = replace(verification, run=replace(verification.run, data="synthetic", synthetic=("3 TFRecord files",)))
    assert list(terminal.render(made_up))[-1].endswith("data: synthetic")
    assert "Data: synthetic.</b> 3 TFRecord files" in html.render(made_up)
    assert json.loads(verdict_file.render(made_up))["run"]["data"] == "synthetic"


class _Page(HTMLParser):
    """Elements that are left open, and what the page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "img", "iframe"):
            self.loads.append(tag)
        self.loads += [f"{name}={value}" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else(verification: Verification) -> None:
    text = html.render(verification)
    page = _Page()
    page.feed(text)
    assert page.open == []
    assert page.loads == []
    assert not re.search(r"https?://|url\(|@import", text)
    assert "runs &lt;one&gt; at a time" in text


def test_a_run_that_failed_has_a_page_too(verification: Verification) -> None:
    failed = replace(
        verification.run, reason="user-error", detail="ValueError: <b>", pipelines=(), place=Place("/input.py", 7)
    )
    text = html.render(Verification(failed))
    assert "ValueError: &lt;b&gt;" in text
    assert "/input.py:7" in text


def test_the_graph_shows_the_way_to_the_bottleneck(verification: Verification) -> None:
    seen = verification.run.pipelines[0]
    picture = ElementTree.fromstring(drawing.graph(verification.run, seen))
    boxes = {group.findtext("text"): group.get("class") for group in picture.iter("g")}
    assert boxes == {"Prefetch": "injected critical", "Batch": "critical", "Map": "critical bottleneck"}
    assert [path.get("class") for path in picture.iter("path")] == ["critical", "critical"]


def test_branches_of_a_graph_stand_side_by_side(verification: Verification) -> None:
    nodes = (Node("R", "Root", None), Node("R::Z", "Zip", 0), Node("R::Z::A", "Range", 1), Node("R::Z::B", "Map", 1))
    picture = ElementTree.fromstring(
        drawing.graph(verification.run, replace(verification.run.pipelines[0], nodes=nodes, bottleneck=None))
    )
    at = {group.findtext("text"): group.get("transform", "") for group in picture.iter("g")}
    x, y = ({op: int(re.findall(r"\d+", text)[n]) for op, text in at.items()} for n in (0, 1))
    assert x["Range"] < x["Zip"] < x["Map"]
    assert y["Range"] == y["Map"] < y["Zip"]


def test_an_interval_lies_on_the_scale_of_all() -> None:
    picture = ElementTree.fromstring(drawing.interval(FASTER, drawing.bounds([FASTER, UNCLEAR]), "confirmed"))
    one, _, span = picture.findall("line")
    low, middle, high = (
        float(x.rstrip("%")) for x in (span.get("x1", ""), picture.find("circle").get("cx"), span.get("x2", ""))
    )  # type: ignore[union-attr]
    assert float(one.get("x1", "").rstrip("%")) < low < middle < high <= 96


def test_a_timeline_has_the_faster_side_wait_less() -> None:
    picture = ElementTree.fromstring(drawing.timeline(FASTER))
    before, after = (
        sum(float(bar.get("width", "").rstrip("%")) for bar in side.findall("rect") if bar.get("class") == "wait")
        for side in picture.findall("svg")
    )
    assert after < before
    assert "200.0 after" in picture.get("aria-label", "")


# ── workers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_workers_are_told_with_the_one_that_waits_most_first(tmp_path: Path) -> None:
    paths = []
    for name, share, step in (("worker0", 0.02, 10.0), ("worker1", 0.6, 22.0), ("worker2", 0.03, 10.5)):
        seen = with_pipeline(
            run(script(tmp_path)), step=Step(step, "fit"), input=Input(share, step * share * 1e3, 9e3, 50, "trace")
        )
        path = tmp_path / f"{name}.json"
        path.write_text(verdict_file.render(Verification(seen)))
        paths.append(str(path))
    lines = list(workers.table(workers.read(paths)))
    assert [line.split()[0] for line in lines[:4]] == ["worker", "worker1", "worker2", "worker0"]
    assert "60.0%" in lines[1]
    assert "Map at" in lines[1]
    assert lines[4].startswith("behind the others: worker1;")


def test_profiles_are_read_by_a_python_with_tensorflow(verify: Verify, tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    profile = str(tmp_path / "worker0.xplane.pb")
    seen = verify(
        """\
        import time
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
        model.compile(loss="mse")
        ds = tf.data.Dataset.from_tensors((tf.zeros([1]), tf.zeros([1]))).repeat().batch(4)
        model.fit(ds, steps_per_epoch=10**6, verbose=0)
        """,
        trace_out=profile,
    )
    (worker,) = workers.read([profile], sys.executable)
    (pipeline,) = seen.pipelines
    assert worker.name == "worker0"
    assert pipeline.input
    assert worker.share == pytest.approx(pipeline.input.share, abs=0.001)
    assert worker.get_next_median_us == pytest.approx(pipeline.input.get_next_median_us)

    (tmp_path / "empty.xplane.pb").touch()
    with pytest.raises(workers.Unreadable, match="no dataset was consumed"):
        workers.read([str(tmp_path / "empty.xplane.pb")], sys.executable)


def test_other_files_are_no_verdicts(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    for text in (b"[]", b"{}", b"no JSON", b"\xff", b'{"schema": 99, "run": {}}'):
        other.write_bytes(text)
        with pytest.raises(workers.Unreadable):
            workers.read([str(other)])
