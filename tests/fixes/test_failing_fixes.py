"""A fix never costs a finding: one that fails is an internal error, and nodes of other files are refused."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from cli import conftest
from cli.conftest import Run
from cli.samples import FIXABLE
from rows import drawn

from tfdata_lint import Finding, Fix, PipelineGraph, Rule, Settings, Target, guarded, lint_source, recover
from tfdata_lint.config.formats import FORMATS, TEXTS
from tfdata_lint.lint import foreign
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.pipeline.nouns.places import ForeignNode
from tfdata_lint.pipeline.nouns.work import OutOfWork
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.edits import Edits
from tfdata_lint.testing import pages
from tfdata_lint.testing.blocks import Block, blocks

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[..., Run]

project, run, with_rules = conftest.project, conftest.run, conftest.with_rules
_plain_environment = conftest._plain_environment

PAGES = sorted((Path(__file__).parents[2] / "rules").glob("*.md"))


def failing(*given: object, **named: object) -> None:
    raise IndexError("made up")


def found(block: Block) -> list[Diagnostic]:
    settings = Settings(extend_select=(pages.code_of(block.file),), target_tensorflow=pages.target_of(block))
    return list(lint_source(block.text, settings=settings).diagnostics)


def rules_of(errors: list[Diagnostic]) -> set[str]:
    """Of each error that the fix of a rule is, the code of the rule."""
    return {error.message.split("the fix of rule ")[1][:6] for error in errors}


@pytest.mark.slow
def test_no_finding_of_a_page_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    valid = drawn(block for page in PAGES for block in blocks(page) if block.option("invalid") is None)
    before = {str(block): found(block) for block in valid}
    monkeypatch.setattr(Draft, "fix", failing)
    failed = 0
    for block in valid:
        now = found(block)
        errors = [diagnostic for diagnostic in now if diagnostic.code == "TFD002"]
        left = [diagnostic for diagnostic in now if diagnostic.code != "TFD002"]
        assert [d[:8] for d in left] == [d[:8] for d in before[str(block)]], block
        unfixed = {d.code for d, was in zip(left, before[str(block)], strict=True) if was.fix and not d.fix}
        assert rules_of(errors) == unfixed, block
        failed += len(errors)
    assert failed > 50


def test_the_error_is_told_and_its_finding_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Draft, "fix", failing)
    *findings, error, other = lint_source(FIXABLE, "a.py").diagnostics
    assert [(d.code, d.fix) for d in findings] == [("TFD102", None), ("TFD401", None)]
    assert error.message == "the fix of rule TFD102 sequential-map failed on a.py: IndexError: made up"
    assert error.cost == "The finding is reported without a fix; everything was checked"
    assert other.message.startswith("the fix of rule TFD401 discarded-result failed")


def test_edits_that_fail_when_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Edits, "_text", failing)
    unwritten = lint_source(FIXABLE, settings=Settings(with_edits=False)).diagnostics
    assert [diagnostic.code for diagnostic in unwritten] == ["TFD102", "TFD401"]
    *findings, _, _ = lint_source(FIXABLE, settings=Settings(with_edits=True)).diagnostics
    assert [(d.code, d.fix) for d in findings] == [("TFD102", None), ("TFD401", None)]


def test_a_fix_that_takes_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def fix(*given: object) -> None:
        raise OutOfWork

    monkeypatch.setattr(Draft, "fix", fix)
    assert [(d.code, d.fix) for d in lint_source(FIXABLE).diagnostics] == [
        ("TFD003", None), ("TFD102", None), ("TFD401", None)
    ]  # fmt: skip


class Slow(Rule):
    """As one of another distribution, whose fix never ends, nor does the rule."""

    code, name, group, summary = "ACME001", "slow", "performance", "Made up"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        @guarded
        def fix() -> None:
            while True:
                pass

        for _ in range(2):
            yield self.finding(graph.stages[0].span, "seen", cost="", advice="", fix=fix())
        while True:
            pass


def test_a_rule_of_others_that_never_ends(with_rules: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that a fix takes is over, and so is that of its rule."""
    monkeypatch.setattr(foreign, "TIME", 0.1)
    with_rules(Slow())
    finding, *errors = lint_source(FIXABLE, "a.py").diagnostics
    assert (finding.code, finding.fix) == ("ACME001", None)
    assert sorted(error.message.partition(" (in ")[0] for error in errors) == [
        "rule ACME001 slow failed on a.py: TimeoutError: it took longer than 0.1 seconds",
        "the fix of rule ACME001 slow failed on a.py: TimeoutError: it took longer than 0.1 seconds",
    ]


class TestTold:
    @pytest.mark.parametrize("form", sorted(FORMATS))
    def test_on_standard_error_unless_people_read_it(
        self, form: str, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Draft, "fix", failing)
        project({"a.py": FIXABLE})
        said = "tfdata-lint: error: an internal error occurred, so findings or fixes may be missing: see TFD002"
        for options in [], ["--output-file", "report"]:
            done = run("check", "-q", "--no-cache", "--output-format", form, *options)
            assert done.code == 2
            assert done.err.count(said) == (form not in TEXTS or bool(options))

    @pytest.mark.parametrize(("form", "errors"), [("json", 2), ("full", 1)])
    def test_a_file_whose_fixes_fail_is_left_as_it_is(
        self, form: str, errors: int, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Edits are written for formats that have them, and else when they are put into the file."""
        monkeypatch.setattr(Edits, "_text", failing)
        root = project({"a.py": FIXABLE})
        done = run("check", "--no-cache", "--fix", "--output-format", form)
        assert done.code == 2
        assert [done.out.count(f"{code}") > 0 for code in ("TFD102", "TFD401")] == [True, True]
        assert done.out.count("IndexError: made up") == errors
        assert (root / "a.py").read_text() == FIXABLE


#: What a draft can be asked to do with a statement of another file, its call, and an attribute in that.
USES: Mapping[str, Callable[[Draft, ast.Return, ast.Call, ast.Attribute], object]] = {
    "replace": lambda draft, statement, call, name: draft.replace(call, "g"),
    "insert_before": lambda draft, statement, call, name: draft.insert_before(statement, "g"),
    "add_arguments": lambda draft, statement, call, name: draft.add_arguments(call, "z=2"),
    "rename_attribute": lambda draft, statement, call, name: draft.rename_attribute(name, "AUTOTUNE", "g"),
    "rename_keyword": lambda draft, statement, call, name: draft.rename_keyword(call, "y", "z"),
    "leave_experimental": lambda draft, statement, call, name: draft.leave_experimental(name),
}


class TestForeignNodes:
    """The file of the draft is shorter than the one that the nodes are from."""

    HELPERS = "import tensorflow as tf\n" + "# Nothing.\n" * 50 + "def make(x):\n    return f(x, tf.AUTOTUNE, y=1)\n"

    @pytest.fixture
    def draft(self) -> Draft:
        return Draft(recover("import tensorflow as tf\n\nds = tf.data.Dataset.range(3)\n"))

    @pytest.fixture
    def nodes(self) -> tuple[ast.Return, ast.Call, ast.Attribute]:
        statement = next(node for node in ast.walk(ast.parse(self.HELPERS)) if isinstance(node, ast.Return))
        call = statement.value
        assert isinstance(call, ast.Call)
        name = call.args[1]
        assert isinstance(name, ast.Attribute)
        return statement, call, name

    @pytest.mark.parametrize("use", USES.values(), ids=USES)
    def test_what_edits_them_is_refused(
        self,
        use: Callable[[Draft, ast.Return, ast.Call, ast.Attribute], object],
        draft: Draft,
        nodes: tuple[ast.Return, ast.Call, ast.Attribute],
    ) -> None:
        use(draft, *nodes)
        fix = draft.fix("safe", "Change it")
        assert (fix.applicability, fix.reason) == ("display-only", "the code cannot be changed in this place")

    def test_they_have_no_place(self, draft: Draft, nodes: tuple[ast.Return, ast.Call, ast.Attribute]) -> None:
        for node in nodes:
            for ask in (draft.syntax.start, draft.syntax.end, draft.syntax.written):
                with pytest.raises(ForeignNode):
                    ask(node)

    def test_a_function_that_asks_for_one_makes_no_fix(
        self, draft: Draft, nodes: tuple[ast.Return, ast.Call, ast.Attribute]
    ) -> None:
        @guarded
        def fix() -> Fix:
            draft.put(draft.syntax.start(nodes[0]), 0, "")
            return draft.fix("safe", "Change it")

        assert fix() is None
