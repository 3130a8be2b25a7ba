"""Where reading ends is told, and long files take work that grows with their length."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType

import pytest
from rows import each

from tfdata_lint import lint_source
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.diagnostics import unread_rest
from tfdata_lint.pipeline.interpreter.limits import LIMITS, Limits
from tfdata_lint.pipeline.nouns.graph import Ending, Limit, PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.recover import recover, recover_within
from tfdata_lint.source.module import LONGEST, load

pytestmark = pytest.mark.slow

HEAD = "import tensorflow as tf\n"
#: Ways of growing that are like one of those that are always tried.
_OTHER_SHAPES = ("unseen", "ladder", "returns", "loops", "pipelines")
START = 'ds = tf.data.TFRecordDataset(["a"])\n'


def recovered(text: str, limits: Limits = LIMITS) -> PipelineGraph:
    return recover(load((HEAD + text).encode(), "module.py"), limits=limits)


class TestEndings:
    def test_a_file_that_is_read_to_its_end_has_none(self) -> None:
        assert recovered(START + "ds = ds.map(f)\n" * 100).ending is None

    def test_a_file_of_which_the_beginning_tells_of_no_pipeline(self) -> None:
        graph = recovered("#" * LONGEST + "\n" + START)
        assert graph.stages == []
        assert graph.ending == Ending(1, "size")

    def test_the_steps_of_the_body(self) -> None:
        graph = recovered(START + "ds = ds.map(f)\n" * 100, Limits.of(500))
        assert graph.ending == Ending(graph.stages[-1].span.row + 1, "steps")
        assert 10 < len(graph.stages) < 100

    def test_inside_of_a_compound_statement(self) -> None:
        graph = recovered(START + "if x:\n" + "    ds = ds.map(f)\n" * 100, Limits.of(500))
        assert graph.ending is not None
        assert graph.ending.row > 10

    def test_inside_of_a_function_the_row_is_that_of_the_call(self) -> None:
        body = "    ds = ds.map(f)\n" * 100
        graph = recovered(f"def make(ds):\n{body}    return ds\n{START}ds = make(ds)\n", Limits.of(300))
        assert graph.ending == Ending(105, "steps")

    def test_functions_that_nobody_calls(self) -> None:
        one = "def make{}(ds):\n    return ds.padded_batch(2).prefetch(2)\n"
        graph = recovered("".join(one.format(i) for i in range(50)), Limits.of(1000))
        assert graph.ending is not None
        assert graph.ending.limit == "steps"
        assert 1 < graph.ending.row < 101

    def test_nesting(self) -> None:
        deep = "f(" * 70 + "tf.data.Dataset.range(3)" + ")" * 70
        assert recovered(f"x = 1\nds = {deep}\n").ending == Ending(3, "nesting")

    def test_deep_code_without_datasets_is_none(self) -> None:
        assert recovered(START + "x = " + "f(" * 70 + "1" + ")" * 70 + "\n").ending is None

    def test_size(self) -> None:
        filler = f'text = "{"x" * 500}"\n'
        text = START + filler * (LONGEST // 500) + START + "class Last:\n    pass\n"
        graph = recovered(text)
        assert graph.ending is not None
        assert graph.ending.limit == "size"
        assert abs(graph.ending.row - LONGEST // len(filler)) < 5
        assert len(graph.stages) == 1
        more = recover_within(load((HEAD + text).encode(), "module.py"), None, LIMITS.fuel * 2)
        assert more.ending is None
        assert len(more.stages) == 2

    def test_datasets_with_a_name_are_handed_on(self) -> None:
        graph = recovered(
            f"{START}other = ds.cache()\n" + "x = f(1)\n" * 200 + "for a in other:\n    g(a)\n", Limits.of(300)
        )
        assert graph.ending is not None
        assert {(consumer.kind, consumer.dataset.op) for consumer in graph.consumers} == {
            ("argument", "TFRecordDataset"), ("argument", "cache"),
        }  # fmt: skip

    def test_the_setting_is_the_limit(self) -> None:
        assert Settings().analysis_limit == LIMITS.fuel == Limits.of(LIMITS.fuel).fuel
        assert Limits.of(LIMITS.fuel) == LIMITS
        assert Limits.of(LIMITS.fuel * 3).abroad == LIMITS.abroad * 3
        text = HEAD + START + "x = f(1)\n" * 200 + "ds.map(f)\n"
        assert [found.code for found in lint_source(text, settings=Settings(analysis_limit=300)).diagnostics] == [
            "TFD003"
        ]
        assert "TFD401" in {found.code for found in lint_source(text).diagnostics}

    @each(
        ("limit", "words"),
        [
            ("steps", "it has used its 2,000 steps"),
            ("steps elsewhere", "they have used their 100 steps"),
            ("modules", "320 have been read"),
            ("size", "no more than 800,000 characters"),
            ("nesting", "60 calls or brackets"),
            ("questions", "5,000 steps do not answer"),
        ],
    )
    def test_the_limit_that_was_met_is_named_with_its_setting(self, limit: Limit, words: str) -> None:
        note = unread_rest(Ending(1, limit), 2_000, load(b"x = 1\n", "module.py"))
        assert words in note.message
        assert ("`analysis-limit` (here 2,000)" in note.advice) == (limit != "nesting")

    def test_suppressions_in_what_was_not_read_are_not_unused(self) -> None:
        text = HEAD + START + "x = f(1)\n" * 200 + "ds.map(f)  # tfdata-lint: ignore[TFD401]\n"
        assert [found.code for found in lint_source(text, settings=Settings(analysis_limit=300)).diagnostics] == [
            "TFD003"
        ]


class TestLongPipelines:
    def test_only_the_nearest_past_is_seen(self) -> None:
        graph = recovered(START + "ds = ds.map(f)\n" * 300)
        assert max(stage.depth for stage in graph.stages) == LIMITS.pipeline
        assert all(len(path.stages) <= LIMITS.pipeline for stage in graph.stages for path in paths(stage))
        assert graph.ending is None

    def test_the_future_goes_on_behind_a_cut(self) -> None:
        graph = recovered(START + "ds = ds.map(f)\n" * 80 + "ds = ds.cache()\nfor x in ds:\n    g(x)\n")
        first = graph.stages[0]
        assert any(stage.op == "cache" for stage in graph.downstream(first))
        assert {consumer.kind for consumer in graph.reached(first)} == {"argument", "for"}

    def test_options_go_on(self) -> None:
        setting = "options = tf.data.Options()\noptions.deterministic = False\nds = ds.with_options(options)\n"
        graph = recovered(START + setting + "ds = ds.map(f)\n" * 300)
        assert graph.option(graph.stages[-1], "deterministic") is False

    def test_every_stage_has_its_findings(self) -> None:
        text = HEAD + START + "".join(f"ds = ds.map(f{i})\n" for i in range(300)) + "for x in ds:\n    g(x)\n"
        rows = {found.place.row for found in lint_source(text).diagnostics if found.code == "TFD102"}
        assert rows == set(range(3, 303))


@pytest.fixture
def shapes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[int], str]]:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    scaling: ModuleType = __import__("scaling")
    found: dict[str, Callable[[int], str]] = scaling.SHAPES
    return found


@contextmanager
def counted() -> Iterator[list[int]]:
    """Calls of Python functions: the same on every machine."""
    calls = [0]

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            calls[0] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "shape",
    [
        *("chain", "branches", "leaving", "called", "zips", "readers"),
        *(pytest.param(shape, marks=pytest.mark.thorough) for shape in _OTHER_SHAPES),
    ],
)
def test_work_grows_with_the_length(shape: str, shapes: dict[str, Callable[[int], str]]) -> None:
    lint_source(shapes[shape](3))
    work = []
    for size in (200, 600):
        with counted() as calls:
            report = lint_source(shapes[shape](size))
        assert "TFD003" not in {found.code for found in report.diagnostics}
        work.append(calls[0] / size)
    assert work[1] <= 1.3 * work[0]
