"""The three reports, and the table of several workers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from schemas import schema, validator
from verify.conftest import Verify
from verify.verdicts import FASTER, NO_FASTER, SAME, UNCLEAR, run, script, with_pipeline

from tfdata_lint.observing.page import page
from tfdata_lint.verify import workers
from tfdata_lint.verify.agent.timeline import LANES, TICKS, timeline
from tfdata_lint.verify.as_json import to_json
from tfdata_lint.verify.model import Bottleneck, Buffer, Input, Node, Place, Row, Step, Timeline
from tfdata_lint.verify.profile.files import File
from tfdata_lint.verify.profile.host import read
from tfdata_lint.verify.report import answers, drawing, html, json as verdict_file, terminal
from tfdata_lint.verify.report.headline import headline
from tfdata_lint.verify.report.words import rate, rates
from tfdata_lint.verify.verdicts import Together, Verdict, Verification, from_json

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


def test_what_was_left_out_is_drawn_as_without_it(verification: Verification) -> None:
    left_out = verdict("confirmed", "limits-input", detail="Without this work it is faster, measured", without=FASTER)
    text = html.render(replace(verification, verdicts=(left_out,), together=()))
    assert f"{rate(FASTER.after.elements_per_s)} without, between" in text
    assert "Confirmed: TFD102 sequential-map" in text
    assert "Proven: with the fix" not in text


def test_why_a_training_was_not_reached_is_said(verification: Verification) -> None:
    seen = replace(verification, run=replace(verification.run, detail="its training was not reached"))
    assert "Its training was not reached." in html.render(seen)
    assert next(answers.render(seen.run)).endswith("its training was not reached")


def test_json_is_read_back_as_it_was(verification: Verification) -> None:
    assert from_json(json.loads(verdict_file.render(verification))) == verification


def test_json_is_as_its_schema_says(verification: Verification, traced: Verification) -> None:
    for one in (verification, traced):
        validator(schema("verify")).validate(json.loads(verdict_file.render(one)))
    wrong = json.loads(verdict_file.render(replace(verification, stopped="tired")))  # type: ignore[arg-type]
    assert not validator(schema("verify")).is_valid(wrong)


def test_json_has_figures_in_a_row(traced: Verification) -> None:
    text = verdict_file.render(replace(traced, run=replace(traced.run, detail="[\n  1,\n  2\n]")))
    assert '"lanes": [\n' in text
    assert "[0, 300]" in text
    assert json.loads(text)["run"]["detail"] == "[\n  1,\n  2\n]"


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
    picture = ElementTree.fromstring(drawing.graph(verification.run, verification.run.pipelines[0], "The loop"))
    boxes = {group.findtext("text"): group.get("class") for group in picture.iter("g")}
    assert boxes == {
        "Map": "critical bottleneck",
        "Batch": "critical",
        "Prefetch": "injected critical",
        "The loop: waits 80%": "consumer",
    }
    assert [path.get("class") for path in picture.iter("path")] == ["critical"] * 3


def test_branches_of_a_graph_flow_past_each_other_and_stay_narrow(verification: Verification) -> None:
    """Those of a join stand above it, each a little more to the right."""
    nodes = (Node("R", "Root", None), Node("R::Z", "Zip", 0), Node("R::Z::A", "Range", 1), Node("R::Z::B", "Map", 1))
    seen = replace(verification.run.pipelines[0], nodes=nodes, bottleneck=None)
    picture = ElementTree.fromstring(drawing.graph(verification.run, seen, "The loop"))
    at = {group.findtext("text"): group.get("transform", "") for group in picture.iter("g")}
    x, y = ({op: int(re.findall(r"\d+", text)[n]) for op, text in at.items()} for n in (0, 1))
    assert x["Range"] == x["Zip"] < x["Map"]
    assert y["Range"] < y["Map"] < y["Zip"]
    assert float(picture.get("width", "")) < 340


def test_an_interval_lies_around_the_speed_after() -> None:
    after = ElementTree.fromstring(drawing.bars(FASTER, "confirmed")).findall("svg")[1]
    bar = after.find("rect")
    assert bar is not None
    dashed, span = (
        [float(line.get(end, "").rstrip("%")) for end in ("x1", "x2")] for line in after.findall("line")[:2]
    )
    assert dashed[0] < span[0] < float(bar.get("width", "").rstrip("%")) < span[1] <= 100


def timed(*rows: Row, tick_ms: float = 0.5) -> Timeline:
    return Timeline(12, 400, tick_ms, rows)


WORK, MAP_WORK = Row("Batch", "work", ((0, 1),), 2), Row("Map", "work", ((0, 300), (100, 200)), 3)
CONSUMER = (Row("", "wait", ((0, 300),)), Row("", "step", ((300, 400),)))


@pytest.fixture
def traced(verification: Verification) -> Verification:
    before, after = timed(MAP_WORK, *CONSUMER), timed(replace(MAP_WORK, node=None), *CONSUMER, tick_ms=0.25)
    faster = replace(FASTER, timelines=(before, after))
    refuted, confirmed, *others = verification.verdicts
    seen = with_pipeline(verification.run, timeline=timed(WORK, MAP_WORK, *CONSUMER), trace_seconds=0.1)
    return replace(
        verification,
        run=replace(seen, began="2025-01-31T12:34:56+00:00", load=1.5),
        verdicts=(refuted, replace(confirmed, comparison=faster), *others),
        together=(replace(verification.together[0], comparison=faster),),
        executions=19,
    )


def text_of(page: str) -> str:
    """Without tags and style."""
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL))


def tracks(page: str) -> list[str]:
    """What the rows of the timelines are named."""
    found = re.findall(r'<div class="track[^"]*"><div class="name">(.*?)<svg', page)
    return [text_of(name).strip() for name in found]


def test_the_answer_comes_first(traced: Verification) -> None:
    lead = re.search(r'<p class="answer">(.*?)</p>', html.render(traced))
    assert lead
    assert text_of(lead[1]).strip() == (
        "The loop waits for its input for 80% of its time: it is highly input-bound. "
        f"The bottleneck is Map at {traced.run.target.path}:2. "
        "Proven: with 2 fixes together it is 2.00 times as fast (1.80 to 2.20). Of the other findings "
        "1 has a harmful fix, 1 stays open, 1 does not matter here, 1 was not judged."
    )


@pytest.mark.parametrize(
    ("share", "consumer", "said"),
    [
        (0.8, "fit", "Training waits for its input for 80% of its time: it is highly input-bound."),
        (0.1, "for", "The loop waits for its input for 10% of its time: it is moderately input-bound."),
        (0.01, "for", "The loop hardly waits for its input: for 1.0% of its time."),
        (
            None,
            "returned",
            "The pipeline gives 100 elements/s: fast enough for steps of 10.0 ms and longer; no consumer was",
        ),
    ],
)
def test_whether_the_input_is_waited_for_is_said_in_a_sentence(
    verification: Verification, share: float | None, consumer: Any, said: str
) -> None:
    seen = with_pipeline(verification.run, consumer=consumer, input=Input(share, 8e3, 9e3, 9, "windows"))
    assert next(headline(Verification(seen))).startswith(said)


def test_a_bottleneck_of_few_calls_is_not_certain(verification: Verification) -> None:
    for calls, is_certain in ((100, True), (1, False)):
        nodes = tuple(replace(node, calls=calls) for node in verification.run.pipelines[0].nodes)
        seen = with_pipeline(verification.run, nodes=nodes)
        told = "\n".join(answers.render(seen))
        assert "prefetched?   yes, by the " in told
        assert ("bottleneck?   perhaps Map (calls traced: 1; more steps would tell)" not in told) is is_certain
        assert ("The bottleneck is " in " ".join(headline(Verification(seen)))) is is_certain


def test_a_bottleneck_behind_a_buffer_that_was_not_filled_is_not_certain(verification: Verification) -> None:
    (one,) = verification.run.pipelines[:1]
    assert one.bottleneck
    seen = with_pipeline(verification.run, bottleneck=replace(one.bottleneck, untraced=len(one.nodes) - 1))
    told = "\n".join(answers.render(seen))
    assert f"perhaps {one.nodes[one.bottleneck.node].op} (elements came from the buffer of " in told
    assert "The bottleneck may be " in " ".join(headline(Verification(seen)))


def test_a_slow_consumer_is_no_fault_of_the_input(verification: Verification) -> None:
    seen = with_pipeline(verification.run, limited_by="consumer", input=Input(0.01, 80, 90, 9, "windows"))
    assert "a faster input would not make it faster" in " ".join(headline(Verification(seen)))
    assert 'class="critical bottleneck"' not in html.render(Verification(seen))
    assert 'class="consumer bottleneck"' in html.render(Verification(seen))


def test_the_page_has_every_verdict_and_both_speeds(traced: Verification) -> None:
    page = html.render(traced)
    articles = [text_of(one) for one in re.findall(r'<article class="verdict">.*?</article>', page, re.DOTALL)]
    outcomes = [one.split()[0] for one in articles]
    assert outcomes == ["confirmed", "harmful", "inconclusive", "refuted", "not-run", "All"]
    assert "before 100/s , waits 80% after 200/s , waits 60%" in articles[0]
    assert "between 180 and 220" in page


def test_what_runs_when_is_drawn_before_and_after_on_one_scale(traced: Verification) -> None:
    page = html.render(traced)
    captions = [text_of(one) for one in re.findall("<figcaption>.*?</figcaption>", page)]
    assert "12 elements in 200 ms" in captions[0]
    assert "After, with 2 fixes together" in captions[1]
    assert "12 elements in 100 ms" in captions[1]
    assert tracks(page) == ["Map", "A step of 2.0 ms"] * 2
    assert re.findall(r'viewBox="0 0 ([\d.]+) 2"', page) == ["400.00", "800.00"]
    assert page.count('class="end"') == 2


def test_what_was_observed_is_drawn_where_nothing_is_faster(traced: Verification) -> None:
    page = html.render(replace(traced, verdicts=(), together=()))
    at = f"{traced.run.target.path}:2"
    assert tracks(page) == [f"Map {at}", "The loop"]
    assert "At work for less than 1% of the time: Batch." in page
    assert 'aria-label="at work for 75% of the time"' in page


def test_figures_have_descriptions_and_tables_headers(traced: Verification) -> None:
    page = html.render(traced)
    drawings = re.findall(r"<(?:svg|div)[^>]*role=\"img\"[^>]*>", page)
    assert drawings
    assert all('aria-label="' in one for one in drawings)
    assert re.findall(r'<th scope="col">(\w[\w ]*)</th>', page)[:2] == ["line", "stage"]
    assert re.findall(r'<th scope="row">(\w+)</th>', page) == ["Map", "Batch", "Prefetch"]


def test_the_page_tells_its_circumstances(traced: Verification) -> None:
    told = text_of(html.render(traced))
    for text in (
        "2025-01-31 12:34 UTC",
        "and 18 times to judge, in 42 s",
        "1.5 processes on average",
        "TensorFlow 2.21.0",
    ):
        assert text in told


def test_fused_stages_have_the_places_of_all(verification: Verification) -> None:
    fused = Node("R::MapAndBatch", "MapAndBatch", 0, (2, 3), "fused", 10, 80.0, 80.0, 0.8)
    seen = with_pipeline(
        verification.run, nodes=(Node("R", "Root", None), fused), bottleneck=Bottleneck(1, (0, 1), 2, None)
    )
    at = f"{seen.target.path}:2, 3"
    assert at in " ".join(headline(Verification(seen)))
    assert drawing.graph(seen, seen.pipelines[0], "").count(at[-20:]) == 2
    assert next(row for row in answers.stages(seen, seen.pipelines[0]))[0] == at


# ── what ran when ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_timeline_begins_with_the_second_wait_and_has_one_row_for_each_that_worked() -> None:
    waits = [(number * 1000, number * 1000 + 400) for number in range(6)]
    seen = timeline(waits, [(1, "Map", [(1500, 2000), (1600, 2100), (4900, 5400)]), (2, "Batch", [])], elements=4)
    assert seen
    assert (seen["elements"], seen["ticks"], seen["tick_ms"]) == (4, 400, pytest.approx(1e-8))
    assert seen["rows"] == [
        {"node": 1, "op": "Map", "what": "work", "lanes": [[50, 100, 390, 400], [60, 110]]},
        {"node": None, "op": "", "what": "wait", "lanes": [[0, 40, 100, 140, 200, 240, 300, 340]]},
        {"node": None, "op": "", "what": "step", "lanes": [[40, 100, 140, 200, 240, 300, 340, 400]]},
    ]
    assert timeline(waits[:2], []) is None


@pytest.mark.slow
def test_a_timeline_is_small_however_much_happened_and_as_full_as_it_was() -> None:
    """A quarter of the time, in a million pieces; and twenty threads at once."""
    pieces = [(begin, begin + 1) for begin in range(0, 4_000_000, 4)]
    threads = [(begin, begin + 300_000) for begin in range(20)]
    seen = timeline([(0, 1), (0, 1), (4_000_000, 4_000_001)], [(1, "Map", pieces), (2, "Read", threads)])
    assert seen
    (lane,) = seen["rows"][0]["lanes"]
    assert sum(lane[1::2]) - sum(lane[::2]) == pytest.approx(100, abs=1)
    assert all(len(lane) <= TICKS for row in seen["rows"] for lane in row["lanes"])
    assert len(seen["rows"][1]["lanes"]) == LANES


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
    assert lines[4] == "steps: 10.0 to 22.0 ms, 2.20 times as long"
    assert lines[5].startswith("slower than the others: worker1;")


@pytest.mark.tensorflow
def test_a_profile_says_what_was_observed_while_it_was_recorded(verify: Verify, tmp_path: Path) -> None:
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
    (worker,) = workers.read([], [read(File("worker0", profile))])
    (pipeline,) = seen.pipelines
    assert worker.name == "worker0"
    assert pipeline.input
    # In the profile a step reaches to the next one.
    assert worker.share == pytest.approx(pipeline.input.share, abs=0.03)
    assert worker.get_next_median_us == pytest.approx(pipeline.input.get_next_median_us, rel=0.05)


def test_other_files_are_no_verdicts(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    for text in (b"[]", b"{}", b"no JSON", b"\xff", b'{"schema": 99, "run": {}}'):
        other.write_bytes(text)
        with pytest.raises(workers.Unreadable):
            workers.read([str(other)])


def test_of_what_is_drained_it_is_said_for_which_steps_it_is_fast_enough(verification: Verification) -> None:
    drained = with_pipeline(verification.run, consumer="returned", step=None, input=Input(None, 8e3, 9e3, 9, "windows"))
    (line,) = (line for line in answers.render(drained) if "fast enough?" in line)
    assert line == "    fast enough?  for steps of 10.0 ms and longer; GetNext 8,000 µs, p95 9,000 µs"
    late = with_pipeline(drained, prefetched="", first_element_s=2.34)
    (line,) = (line for line in answers.render(late) if "fast enough?" in line)
    assert "for steps of 10.0 ms and longer, once it is prefetched; " in line
    assert any(line.endswith("first element after 2.3 s") for line in answers.render(late))


def test_the_size_of_batches_is_said_where_the_consumer_reads_them(verification: Verification) -> None:
    root, prefetch, batch, mapped = verification.run.pipelines[0].nodes
    sized = replace(batch, parameters={"batch_size": 16})
    for nodes, said in (
        ((root, prefetch, sized, mapped), "100 elements/s (batches of 16)"),
        ((root, mapped, sized), "100 elements/s"),
        ((), "100 elements/s"),
    ):
        assert rates(with_pipeline(verification.run, nodes=nodes).pipelines[0]) == said
    assert rates(with_pipeline(verification.run, elements_per_s=None).pipelines[0]) == ""


@pytest.mark.parametrize(("at_most", "said"), [(None, ""), (0.801, ""), (0.87, ", 87% at most")])
def test_an_upper_bound_is_said_where_it_differs(verification: Verification, at_most: float | None, said: str) -> None:
    seen = with_pipeline(verification.run, input=Input(0.8, 8e3, 9e3, 9, "trace", at_most))
    assert f"is spent waiting{said}; GetNext" in "\n".join(answers.render(seen))


def test_of_what_ended_early_the_rate_is_that_of_draining_it(verification: Verification) -> None:
    """The steps that it took say something else than how fast the rest was drained: both are said for what they are."""
    ended = with_pipeline(verification.run, drained=True, step=Step(14.1, "loop"))
    lines = list(answers.render(ended))
    (line,) = (line for line in lines if "fast enough?" in line)
    assert "; before its consumer ended, 80% of a step of 14.1 ms (loop) was spent waiting; GetNext" in line
    assert any(line.endswith("100 elements/s, drained") for line in lines)
    unknown = with_pipeline(ended, input=None, consumer="fit")
    (line,) = (line for line in answers.render(unknown) if "fast enough?" in line)
    assert line == "    fast enough?  for steps of 10.0 ms and longer"
    said = " ".join(headline(replace(verification, run=unknown)))
    assert "fast enough for steps of 10.0 ms and longer; its `fit` ended before it was seen to wait" in said


def test_the_table_says_when_the_first_element_was_there_and_what_buffers_hold(verification: Verification) -> None:
    buffers = (Buffer(1, "prefetch", 4, 4, 500, 2_000), Buffer(2, "shuffle", 4, 1_000, 2**20, 3 * 2**20))
    seen = with_pipeline(verification.run, first_element_s=0.1124, buffers=buffers)
    prefetch, batch, last = (
        next(line.split() for line in answers.render(seen) if f" {stage} " in line and "pipeline" not in line)
        for stage in ("Prefetch", "Batch", "for")
    )
    assert prefetch[-6:-4] == ["2.0", "kB"]
    assert batch[-2:] == ["3.0", "MB"]
    assert last[1:] == ["for", "first", "element", "after", "112", "ms"]
    for shown in (html.render(replace(verification, run=seen)), page(seen, ())):
        assert "first element after 112 ms" in shown
        assert "2.0 kB" in shown
