"""What the engine does with sources, rules and findings."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from cli.samples import BROKEN, CLEAN, DEPRECATED, DISCARDED

from tfdata_lint import Finding, Rule, Settings, lint_paths, lint_source, recover
from tfdata_lint.config.target import Target
from tfdata_lint.lint.changing import fix_source
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lint.linting import lint_bytes
from tfdata_lint.lint.reports import FileReport
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.rules.base import Edit, Fix, Related

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[[PipelineGraph, Target], Iterator[Finding]]


def make_rule(code: str, check: Callable[[Rule, PipelineGraph], Iterator[Finding]]) -> Rule:
    body = {
        "code": code, "name": "made-up", "group": "performance", "summary": "Made up",
        "check": lambda self, graph, target: check(self, graph), "__module__": "tfdata_lint.rules.made_up",
    }  # fmt: skip
    return type("MadeUp", (Rule,), body)()  # type: ignore[no-any-return]


def at(rule: Rule, row: int, column: int, **more: object) -> Finding:
    span = Span("pipeline.py", row, column, row, column + 2)
    return rule.finding(span, "seen", cost="", advice="", **more)  # type: ignore[arg-type]


def codes(report: FileReport) -> list[str]:
    return [diagnostic.code for diagnostic in report.diagnostics]


def only(report: FileReport) -> Diagnostic:
    (diagnostic,) = report.diagnostics
    return diagnostic


SOURCE = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\n猫 = ds\n"


class TestFindings:
    def test_in_the_order_of_the_source(self, with_rules: Callable[..., None]) -> None:
        first = make_rule("TFD199", lambda r, g: iter([at(r, 3, 0), at(r, 2, 5), at(r, 2, 0)]))
        second = make_rule("TFD198", lambda r, g: iter([at(r, 2, 5)]))
        with_rules(first, second)
        found = [(d.place.row, d.place.column, d.code) for d in lint_source(SOURCE).diagnostics]
        assert found == [(2, 1, "TFD199"), (2, 6, "TFD198"), (2, 6, "TFD199"), (3, 1, "TFD199")]

    def test_one_for_each_code_and_place_the_most_severe(self, with_rules: Callable[..., None]) -> None:
        def check(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            yield at(rule, 2, 0, severity="advice")
            yield at(rule, 2, 0, severity="warning", confidence="likely")
            yield at(rule, 2, 0, severity="warning")
            yield at(rule, 2, 0, severity="advice")

        with_rules(make_rule("TFD199", check))
        diagnostic = only(lint_source(SOURCE))
        assert (diagnostic.severity, diagnostic.confidence) == ("warning", "proven")

    def test_columns_are_characters(self, with_rules: Callable[..., None]) -> None:
        def check(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            yield rule.finding(Span("pipeline.py", 3, 6, 3, 8), "seen", cost="", advice="")

        with_rules(make_rule("TFD199", check))
        place = only(lint_source(SOURCE)).place
        assert (place.column, place.end_column) == (5, 7)
        assert place.lines == ((3, "猫 = ds"),)

    def test_fixes_and_related_places(self, with_rules: Callable[..., None]) -> None:
        def check(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            span = Span("pipeline.py", 2, 0, 2, 2)
            fix = Fix("unsafe", "Do", "order changes", (Edit(Span("pipeline.py", 3, 6, 3, 6), ".x()"),))
            yield at(rule, 2, 0, related=(Related(span, "here"),), fix=fix)

        with_rules(make_rule("TFD199", check))
        diagnostic = only(lint_source(SOURCE))
        assert [(r.place.row, r.message) for r in diagnostic.related] == [(2, "here")]
        assert diagnostic.fix
        (edit,) = diagnostic.fix.edits
        assert (edit.text, edit.place.row, edit.place.column, edit.place.end_column) == (".x()", 3, 5, 5)

    def test_places_in_other_files(self, with_rules: Callable[..., None], project: Project) -> None:
        project({"helpers.py": "猫 = make()\n"})

        def check(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            there, lost = Span("helpers.py", 1, 6, 1, 10), Span("lost.py", 4, 6, 4, 10)
            yield at(rule, 2, 0, related=(Related(there, "made here"), Related(lost, "used here")))

        with_rules(make_rule("TFD199", check))
        there, lost = (related.place for related in only(lint_source(SOURCE)).related)
        assert (str(there), there.lines) == ("helpers.py:1:5", ((1, "猫 = make()"),))
        assert (str(lost), lost.lines) == ("lost.py:4:7", ())

    def test_a_long_range_leaves_out_its_middle(self, with_rules: Callable[..., None]) -> None:
        def check(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            yield rule.finding(Span("pipeline.py", 2, 5, 7, 1), "seen", cost="", advice="")

        with_rules(make_rule("TFD199", check))
        text = "import tensorflow as tf\nds = tf.data.Dataset.from_tensors(\n1,\n2,\n3,\n4,\n)\n\nx = 1\n"
        assert [row for row, _ in only(lint_source(text)).place.lines] == [2, 7]


class TestFailures:
    def test_a_rule_that_raises_is_named_and_the_others_go_on(self, with_rules: Callable[..., None]) -> None:
        def fail(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            yield at(rule, 2, 0)
            raise KeyError("lost")

        with_rules(make_rule("TFD198", fail), make_rule("TFD199", lambda r, g: iter([at(r, 2, 0)])))
        report = lint_source(SOURCE, "pipeline.py")
        assert sorted(codes(report)) == ["TFD002", "TFD198", "TFD199"]
        diagnostic = next(d for d in report.diagnostics if d.code == "TFD002")
        assert diagnostic.message == "rule TFD198 made-up failed on pipeline.py: KeyError: 'lost'"
        assert "report" in diagnostic.advice

    @pytest.mark.parametrize("error", [RecursionError("deep"), MemoryError()])
    def test_even_these(self, error: Exception, with_rules: Callable[..., None]) -> None:
        def fail(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            raise error

        with_rules(make_rule("TFD198", fail))
        assert codes(lint_source(SOURCE)) == ["TFD002"]

    def test_recovering_that_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*given: object) -> PipelineGraph:
            raise ValueError("two\nlines")

        monkeypatch.setattr("tfdata_lint.pipeline.recover.recover", fail)
        diagnostic = only(lint_source(SOURCE))
        assert diagnostic.message == "recovering the pipelines failed on pipeline.py: ValueError: two lines"

    def test_reading_that_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(data: bytes, path: str) -> None:
            raise ValueError("odd")

        monkeypatch.setattr("tfdata_lint.source.sources.load", fail)
        assert "reading the source failed on odd.py" in only(lint_source(SOURCE, "odd.py")).message

    def test_the_traceback_on_demand(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], with_rules: Callable[..., None]
    ) -> None:
        def fail(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            raise KeyError("lost")

        with_rules(make_rule("TFD198", fail))
        lint_source(SOURCE)
        assert capsys.readouterr().err == ""
        monkeypatch.setenv("TFDATA_LINT_DEBUG", "1")
        lint_source(SOURCE)
        assert "Traceback" in capsys.readouterr().err

    def test_a_failure_makes_the_exit_code_2(
        self, run: Callable[..., object], project: Project, with_rules: Callable[..., None]
    ) -> None:
        def fail(rule: Rule, graph: PipelineGraph) -> Iterator[Finding]:
            raise KeyError("lost")

        project({"a.py": SOURCE})
        with_rules(make_rule("TFD198", fail))
        assert run("check", "--exit-zero").code == 2  # type: ignore[attr-defined]


class TestSuppressions:
    @pytest.mark.parametrize(
        "comment", ["# noqa", "# noqa: TFD401", "# noqa: E501, TFD401", "# tfdata-lint: ignore[TFD401]"]
    )
    def test_suppressed(self, comment: str) -> None:
        assert codes(lint_source(DISCARDED.rstrip() + f"  {comment}\n")) == []

    def test_for_the_whole_file(self) -> None:
        assert codes(lint_source("# tfdata-lint: ignore-file[TFD401]\n" + DISCARDED)) == []

    def test_on_any_line_of_the_statement(self) -> None:
        text = DISCARDED.replace("dataset.shuffle(1024)", "(\n    dataset\n    .shuffle(1024)\n)  # noqa: TFD401")
        assert codes(lint_source(text)) == []

    def test_of_another_rule(self) -> None:
        assert codes(lint_source(DISCARDED.rstrip() + "  # noqa: TFD102\n")) == ["TFD401", "TFD001"]

    def test_unused(self) -> None:
        diagnostic = only(lint_source("x = 1  # noqa: TFD401\n"))
        assert (diagnostic.code, diagnostic.severity) == ("TFD001", "warning")
        assert "TFD401" in diagnostic.message
        assert (diagnostic.place.row, diagnostic.place.column) == (1, 8)
        assert diagnostic.fix
        assert diagnostic.fix.applicability == "safe"

    @pytest.mark.parametrize(
        ("comment", "message"),
        [
            ("# noqa: TFD102", "`# noqa: TFD102`: TFD102 has nothing to suppress"),
            ("# noqa: TFD401, TFD102", "`# noqa: TFD401, TFD102`: TFD102 has nothing to suppress"),
            ("# noqa: TFD401, TFD990", "`# noqa: TFD401, TFD990`: there is no rule TFD990"),
            ("# tfdata-lint: ignroe[TFD401]", "`# tfdata-lint: ignroe[TFD401]` is not understood"),
            ("# tfdata-lint: ignore[TFD401", "`# tfdata-lint: ignore[TFD401` is not understood"),
            (
                "# tfdata-lint: ignore[discarded-results] old",
                "`# tfdata-lint: ignore[discarded-results]`: there is no rule discarded-results",
            ),
            (
                "\n# tfdata-lint: ignore[TFD401]\n",
                "`# tfdata-lint: ignore[TFD401]`: it suppresses nothing in a row of its own",
            ),
        ],
    )
    def test_what_is_said(self, comment: str, message: str) -> None:
        report = lint_source(DISCARDED.rstrip() + f"  {comment}\n")
        (found,) = [d for d in report.diagnostics if d.code == "TFD001"]
        assert found.message == message
        assert found.fix
        # What may be a mistake is not removed without being asked for.
        assert found.fix.applicability == ("safe" if message.endswith("TFD102 has nothing to suppress") else "unsafe")

    def test_what_to_write(self) -> None:
        advice = {
            "# tfdata-lint: disable=TFD306": "Write `# tfdata-lint: ignore[TFD306]`",
            "# tfdata-lint: ignore: as agreed": "Write `# tfdata-lint: ignore[TFD101]`",
            "# tfdata-lint: ignore[leaky-split]": "Remove leaky-split",
            "# tfdata-lint: ignore[TFD102]": "Remove TFD102",
            "# noqa: TFD3O6": "Did you mean `TFD306`?",
            "# noqa: TFD3O6 as agreed": "Write `# noqa: TFD306`",
            "# tfdata-lint: ignore[tfd36] old": "Did you mean `TFD306`?",
        }
        for comment, wanted in advice.items():
            report = lint_source(f"{DISCARDED.rstrip()}  {comment}\n")
            assert [d.advice for d in report.diagnostics if d.code == "TFD001"] == [wanted]

    def test_not_where_something_was_not_read(self) -> None:
        assert codes(lint_source("x = 1  # noqa: TFD401\n" + BROKEN)) == ["TFD000"]

    def test_of_a_rule_that_is_off(self) -> None:
        assert codes(lint_source("x = 1  # noqa: TFD401\n", settings=Settings(ignore=("TFD401",)))) == []

    def test_not_selected(self) -> None:
        assert codes(lint_source("x = 1  # noqa: TFD401\n", settings=Settings(select=("TFD4",)))) == []


class TestByteSearch:
    def test_a_file_found_in_a_folder_is_not_parsed_without_need(self) -> None:
        assert codes(lint_bytes(b"def f(:\n", "a.py", Settings(), explicit=False)) == []
        assert codes(lint_bytes(b"def f(:\n", "a.py", Settings(), explicit=True)) == ["TFD000"]

    def test_with_a_pipeline_it_is(self) -> None:
        assert codes(lint_bytes(BROKEN.encode(), "a.py", Settings(), explicit=False)) == ["TFD000"]

    def test_with_a_suppression_it_is(self) -> None:
        assert codes(lint_bytes(b"x = 1  # noqa: TFD401\n", "a.py", Settings(), explicit=False)) == ["TFD001"]

    def test_unreadable_sources_can_be_ignored(self) -> None:
        assert codes(lint_source(BROKEN, settings=Settings(ignore=("TFD000",)))) == []


class TestPublicFunctions:
    def test_lint_source(self) -> None:
        report = lint_source(DISCARDED, "train.py")
        assert (report.path, codes(report)) == ("train.py", ["TFD401"])
        assert codes(lint_source(DISCARDED.encode())) == ["TFD401"]

    def test_lint_paths(self, project: Project) -> None:
        project({"b.py": DEPRECATED, "a.py": DISCARDED, "c.py": CLEAN, "tfdata-lint.toml": 'ignore = ["TFD401"]\n'})
        assert [(report.path, codes(report)) for report in lint_paths(["."])] == [
            ("a.py", []), ("b.py", ["TFD701"]), ("c.py", []),
        ]  # fmt: skip
        assert [codes(report) for report in lint_paths(["a.py"], Settings())] == [["TFD401"]]

    @pytest.mark.parametrize("paths", ["b.py", Path("b.py"), ["b.py"], (path for path in [Path("b.py")])])
    def test_one_path_or_several(self, paths: Any, project: Project) -> None:
        project({"b.py": DISCARDED, "p.py": CLEAN, "y.py": CLEAN})
        assert [(report.path, codes(report)) for report in lint_paths(paths)] == [("b.py", ["TFD401"])]

    def test_a_path_that_is_not_there(self, project: Project) -> None:
        project({})
        assert [only(report).message for report in lint_paths("missing.py")] == ["no such file or folder"]

    @pytest.mark.parametrize(
        ("arguments", "error", "message"),
        [
            ({"paths": b"a.py"}, TypeError, "not the name of a file as text: b'a.py'"),
            ({"paths": 3}, TypeError, "'int' object is not iterable"),
            ({"paths": ["a.py", None]}, TypeError, "expected str, bytes or os.PathLike object, not NoneType"),
            ({"paths": "a.py", "settings": {"select": ["TFD1"]}}, TypeError, "not Settings: {'select': ['TFD1']}"),
            ({"paths": "a.py", "jobs": 0}, ValueError, "not a number of processes: 0"),
        ],
    )
    def test_what_is_wrong_raises_at_once(
        self, arguments: dict[str, Any], error: type[Exception], message: str
    ) -> None:
        with pytest.raises(error, match=re.escape(message)):
            lint_paths(**arguments)

    def test_fix_source(self) -> None:
        assert fix_source(DISCARDED).after is None
        report = fix_source(DISCARDED, unsafe=True)
        assert report.after == DISCARDED.replace("dataset.shuffle", "dataset = dataset.shuffle").encode()
        assert (codes(report), [diagnostic.code for diagnostic in report.fixed]) == ([], ["TFD401"])

    def test_recover(self) -> None:
        assert [stage.op for stage in recover(SOURCE).stages] == ["range"]

    @pytest.mark.parametrize("function", [lint_source, fix_source, recover])
    def test_what_is_no_text(self, function: Callable[..., object]) -> None:
        with pytest.raises(
            TypeError, match=r"not the text of a module: .*Path\('a\.py'\) \(`lint_paths` reads files\)"
        ):
            function(Path("a.py"))

    def test_half_a_character(self) -> None:
        assert codes(lint_source("x = '\ud800'\n")) == ["TFD000"]
        assert codes(fix_source("x = '\ud800'\n")) == ["TFD000"]

    def test_a_loaded_source(self) -> None:
        from tfdata_lint.source.module import load

        source = load(DISCARDED.encode(), "train.py")
        assert codes(lint_source(source)) == ["TFD401"]
        assert recover(source).file == "train.py"


def test_the_collector_is_on_again(project: Project) -> None:
    project({f"{number}.py": SOURCE for number in range(3)})
    for _ in lint_paths(["."]):
        assert not gc.isenabled()
    assert gc.isenabled()
    reports = lint_paths(["."])
    next(reports)
    reports.close()
    assert gc.isenabled()
