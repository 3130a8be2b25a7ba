"""Work grows with the size of a program, whatever it is made of, and what is cut off is said. No clock is looked at."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, pairwise

import pytest
from pipeline.growing_programs import GROWING, NESTS
from rows import drawn

from tfdata_lint import lint_source
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.target import Target
from tfdata_lint.output.graph import render
from tfdata_lint.pipeline.facts.length import length
from tfdata_lint.pipeline.interpreter.limits import LIMITS, Limits
from tfdata_lint.pipeline.interpreter.reading import Interpreter, read_module
from tfdata_lint.pipeline.nouns.conditions import Condition, Facts
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.lengths import has_length
from tfdata_lint.pipeline.nouns.paths import MAX_PATHS, paths
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage, upstream
from tfdata_lint.pipeline.nouns.structure import Unknown, leaves
from tfdata_lint.pipeline.nouns.text import MAX_UNITS
from tfdata_lint.pipeline.nouns.work import OutOfWork, Work
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.rules import all_rules
from tfdata_lint.source.module import load

#: What is called again and again until the steps are used up, which is said.
CUT_OFF = {"decorators_that_call_twice", "twice_called_apart"}
#: As often as that the work of a program may grow when it gets twice as long.
FACTOR = 4
#: Each loop joins anew what all loops in it have left; whether a buffer holds many is asked from some number on,
#: and a dozen setters are run one by one.
STEEPER = {"loops_with_several": 6, "dicts_of_datasets": 5, "setters": 5}


def work_of(text: str) -> int:
    """The steps of evaluation and of all questions of all rules."""
    run = Interpreter(load(text.encode(), "a.py"), Project(), LIMITS)
    assert run.source.tree is not None
    read_module(run, run.source.tree)
    for rule in all_rules():
        list(rule.check(run.graph, Target()))
    for stage in run.graph.stages:
        structure_of(stage)
    return run.limits.fuel - run.fuel + run.graph.work.spent


@pytest.mark.slow
@pytest.mark.parametrize("name", drawn(sorted(GROWING.keys() - CUT_OFF)))
def test_work_grows_with_size(name: str) -> None:
    costs = [work_of(GROWING[name](size)) for size in ((8, 16, 20) if name in NESTS else (16, 32, 64))]
    for before, after in pairwise(costs):
        assert after <= STEEPER.get(name, FACTOR) * before, costs
    assert costs[-1] < LIMITS.fuel + LIMITS.asked


@pytest.mark.parametrize("name", sorted(CUT_OFF))
def test_what_calls_itself_again_and_again_is_cut_off(name: str) -> None:
    graph = recover(load(GROWING[name](32).encode(), "a.py"), limits=Limits.of(200_000))
    assert graph.ending is not None
    assert graph.ending.limit == "steps"


def test_every_program_is_one() -> None:
    for name, program in GROWING.items():
        for size in (1, 8, 16):
            assert ast.parse(program(size)), name


class TestSaying:
    """Rules spend from one budget: what it cuts off is said, and nothing is found by half of an answer."""

    TEXT = GROWING["branches"](40)

    def test_what_was_not_asked_is_said(self) -> None:
        result = lint_source(self.TEXT, settings=Settings(analysis_limit=1_200))
        said = [found for found in result.diagnostics if found.code == "TFD003"]
        assert [found.message.partition(":")[0] for found in said] == ["Pipelines from here on were not fully checked"]
        assert said[0].place.row == 9

    def test_enough_is_silent(self) -> None:
        assert "TFD003" not in {found.code for found in lint_source(self.TEXT).diagnostics}

    def test_what_is_found_before_is_found(self) -> None:
        every = {(found.code, found.place) for found in lint_source(self.TEXT).diagnostics}
        for steps in (1_200, 1_500, 2_000, 4_000):
            some = lint_source(self.TEXT, settings=Settings(analysis_limit=steps)).diagnostics
            assert {(found.code, found.place) for found in some if found.code != "TFD003"} <= every

    def test_a_suppression_is_not_called_unused(self) -> None:
        text = self.TEXT + "ds.map(parse)  # tfdata-lint: ignore[TFD305]\n"
        codes = {found.code for found in lint_source(text, settings=Settings(analysis_limit=1_300)).diagnostics}
        assert "TFD003" in codes
        assert "TFD001" not in codes

    def test_one_budget_is_for_all_questions(self) -> None:
        graph, other = recovered(self.TEXT), recovered(self.TEXT)
        graph.work.allowed = 20
        with graph.work, pytest.raises(OutOfWork):
            list(map(paths, graph.stages))
        # Outside of it nobody is refused, and what was begun is answered in full.
        for asked, alike in zip(graph.stages, other.stages, strict=True):
            found, wanted = paths(asked, asked.context.conditions), paths(alike, alike.context.conditions)
            assert [path.conditions for path in found] == [path.conditions for path in wanted]
            assert found.complete == wanted.complete

    def test_what_is_half_worked_out_is_not_kept(self) -> None:
        graph, other = recovered(self.TEXT), recovered(self.TEXT)
        graph.work.allowed = 3
        with graph.work, pytest.raises(OutOfWork):
            graph.reached(graph.stages[0])
        reached = [consumer.span for consumer in graph.reached(graph.stages[0])]
        assert reached == [consumer.span for consumer in other.reached(other.stages[0])] != []

    def test_the_setting_is_the_limit(self) -> None:
        assert Limits.of(LIMITS.fuel * 3).asked == LIMITS.asked * 3

    def test_unlimited_work_is_counted(self) -> None:
        work = Work()
        work.spend(3)
        with work:
            work.spend(4)
        assert work.spent == 7


class TestWays:
    """Ways are put together from those of what comes before; they are those that a walk from the end finds."""

    @pytest.mark.parametrize("name", drawn(sorted(GROWING)))
    @pytest.mark.parametrize("size", [2, 4])
    def test_as_by_walking(self, name: str, size: int) -> None:
        graph = recovered(GROWING[name](size))
        asked = [(stage, stage.context.conditions) for stage in graph.stages]
        asked += [(consumer.dataset, consumer.context.conditions) for consumer in graph.consumers]
        for dataset, conditions in asked:
            found = paths(dataset, conditions)
            walked = list(islice(walk(dataset, (), (), Facts(conditions)), MAX_PATHS + 1))
            assert [(path.stages, path.conditions) for path in found] == walked[:MAX_PATHS]
            if len(walked) != MAX_PATHS:
                assert found.complete == (len(walked) < MAX_PATHS)

    def test_many_are_counted_as_incomplete(self) -> None:
        found = paths(recovered(GROWING["branches"](10)).consumers[-1].dataset)
        assert (len(found), found.complete) == (MAX_PATHS, False)

    def test_ways_that_contradict_each_other_cost_nothing(self) -> None:
        head = "import tensorflow as tf\nif a:\n    ds = tf.data.Dataset.range(3)\n"
        head += "elif b:\n    ds = tf.data.Dataset.range(4)\n"
        rows = "".join(f"if f{n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\n" for n in range(25))
        graph = recovered(
            head + rows + "if not a and not b:\n    ds = ds.cache()\n    for x in ds:\n        print(x)\n"
        )
        before = graph.work.spent
        assert paths(graph.stages[-1], graph.stages[-1].context.conditions).paths == ()
        assert graph.work.spent - before < 1_000


def walk(
    dataset: Dataset, tail: tuple[Stage, ...], taken: tuple[Condition, ...], facts: Facts
) -> Iterator[tuple[tuple[Stage, ...], tuple[Condition, ...]]]:
    """All ways, one after the other, from the end of a pipeline."""
    if isinstance(dataset, Join):
        for branch in dataset.branches:
            if facts.allow(branch.conditions):
                new = tuple(each for each in branch.conditions if facts.outcome(each) is None)
                yield from walk(branch.dataset, tail, taken + new, facts.given(new))
    elif facts.allow(dataset.context.conditions):
        for origin in dataset.inputs:
            yield from walk(origin, (dataset, *tail), taken, facts)
        if not dataset.inputs:
            yield (dataset, *tail), taken[::-1]


def test_lengths_are_asked_once_for_all_ways() -> None:
    graph = recovered(GROWING["branches_of_literal"](20))
    before = graph.work.spent
    assert length(graph.stages[-1]) is None
    assert has_length(graph.stages[-1])
    assert graph.work.spent - before < 500


def test_elements_of_too_many_parts_are_unknown() -> None:
    graph = recovered(GROWING["zips_of_one"](30))
    assert any(isinstance(structure_of(stage), Unknown) for stage in graph.stages[-20:])
    assert max(len(list(leaves(structure_of(stage)))) for stage in graph.stages) < 2_000
    assert len(list(upstream(graph.stages[-1]))) > 20


def recovered(text: str) -> PipelineGraph:
    return recover(load(text.encode(), "a.py"))


@pytest.mark.parametrize("name", ["zips_of_one", "concatenates", "zips_in_branches"])
def test_drawings_end(name: str) -> None:
    source = load(GROWING[name](30).encode(), "a.py")
    # A unit is in several rows, with what it is given.
    assert render([(source, recover(source))], "text").count("\n") < 5 * MAX_UNITS
