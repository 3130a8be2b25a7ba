"""The formats for other programs: what each of them makes of a finding."""

from __future__ import annotations

import io
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from junitparser import Failure, JUnitXml, Skipped
from output import findings as samples
from output.findings import BATCH, CELL, FINDINGS, FIX, PLACE, SHOWN, UNSAFE, finding, related

from tfdata_lint.config.formats import FORMATS, STREAMED, TEXTS
from tfdata_lint.lint.surroundings import Surroundings
from tfdata_lint.output import azure, github, gitlab, junit, markdown, pylint, rdjson
from tfdata_lint.output.json import render as render_json
from tfdata_lint.output.json_lines import render as render_lines
from tfdata_lint.output.shared import fingerprints, relative

#: A file that the findings are in, in the checkout of a CI service.
Checkout = Path


checkout = samples.checkout


@pytest.mark.parametrize("name", [name for name in STREAMED if name not in TEXTS])
def test_a_streamed_format_has_one_line_for_each_finding(name: str) -> None:
    text = import_module(f"tfdata_lint.output.{name.replace('-', '_')}").render(FINDINGS)
    assert len(text.splitlines()) == len(FINDINGS)


class TestJsonLines:
    def test_they_are_the_objects_of_the_list(self) -> None:
        assert [json.loads(line) for line in render_lines(FINDINGS).splitlines()] == json.loads(render_json(FINDINGS))


class TestGitHub:
    def test_a_finding(self, checkout: Checkout) -> None:
        assert github.render([finding()]) == (
            f"::warning title=TFD102 sequential-map,file={checkout}/src/train.py,line=9,col=16,endLine=9,endColumn=26"
            "::src/train.py:9:16: TFD102 `map` is sequential.%0AIt was 1.8 times slower.%0AUse `num_parallel_calls`."
        )

    def test_severities(self) -> None:
        commands = [github.render([finding(severity=name)]).split()[0] for name in ("error", "warning", "advice")]
        assert commands == ["::error", "::warning", "::notice"]

    def test_rows_of_a_cell_are_not_those_of_the_file(self, checkout: Checkout) -> None:
        line = github.render([finding(CELL)])
        assert (
            f"file={checkout}/train.ipynb,line=1,col=1,endLine=1,endColumn=1::train.ipynb:cell 3:2:9: TFD102 " in line
        )

    def test_what_would_end_a_property_or_the_line_is_escaped(self) -> None:
        line = github.render(FINDINGS[-1:])
        assert " name%2C;%3A]%25.py,line=1," in line
        assert "100 %25 of%0D%0Ait" in line

    def test_the_worst_come_first_as_only_some_are_shown(self) -> None:
        found = [finding(severity="advice"), finding(severity="error"), finding(severity="warning")]
        assert [line.split()[0] for line in github.render(found).splitlines()] == ["::error", "::warning", "::notice"]

    def test_more_than_are_shown_go_to_the_summary_of_the_step(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = tmp_path / "summary.md"
        monkeypatch.setenv(github.SUMMARY, str(page))
        github.render([finding()] * github.SHOWN)
        assert not page.exists()
        github.render([finding()] * (github.SHOWN + 1))
        assert page.read_text().startswith("### tfdata-lint\n\nFound 11 warnings.\n")


class TestAzure:
    def test_a_finding(self, checkout: Checkout) -> None:
        assert azure.render([finding()]) == (
            f"##vso[task.logissue type=warning;sourcepath={checkout}/src/train.py;linenumber=9;columnnumber=16;"
            "code=TFD102;]sequential-map: `map` is sequential. It was 1.8 times slower. Use `num_parallel_calls`."
        )

    def test_advice_is_no_issue(self) -> None:
        assert azure.render([finding(severity="advice")]).startswith("src/train.py:9:16: advice TFD102 sequential-map")

    def test_what_would_end_a_property_or_the_line_is_escaped(self) -> None:
        line = azure.render(FINDINGS[-1:])
        assert " name,%3B:%5D%AZP25.py;linenumber=1;" in line
        assert "100 %AZP25 of%0D%0Ait" in line


class TestPylint:
    #: As the plugin of Jenkins reads it.
    PATTERN = re.compile(r"(?P<path>[^:]*):(?P<line>\d+): \[(?P<type>[A-Z]\d*)?.*?\] (?P<message>.*)")

    def test_findings(self) -> None:
        assert pylint.render(FINDINGS[:2]).splitlines() == [
            "src/train.py:9: [TFD102] sequential-map: `map` is sequential",
            "train.ipynb:1: [TFD102] cell 3, line 2: sequential-map: `map` is sequential",
        ]

    def test_programs_can_read_it(self) -> None:
        match = self.PATTERN.fullmatch(pylint.render([finding()]))
        assert match
        assert match["path"] == "src/train.py"
        assert match["line"] == "9"


class TestGitLab:
    def test_a_finding(self) -> None:
        (issue,) = json.loads(gitlab.render([finding()]))
        assert re.fullmatch("[0-9a-f]{64}", issue.pop("fingerprint"))
        assert issue == {
            "description": "TFD102 `map` is sequential. It was 1.8 times slower. Use `num_parallel_calls`.",
            "check_name": "sequential-map",
            "severity": "minor",
            "location": {
                "path": "src/train.py",
                "positions": {"begin": {"line": 9, "column": 16}, "end": {"line": 9, "column": 26}},
            },
        }

    def test_a_cell(self) -> None:
        (issue,) = json.loads(gitlab.render([finding(CELL)]))
        assert issue["description"].startswith("cell 3, line 2: TFD102 ")
        assert issue["location"]["positions"]["begin"] == {"line": 1, "column": 1}

    def test_nothing(self) -> None:
        assert json.loads(gitlab.render([])) == []


class TestFingerprints:
    def test_they_stay_when_rows_move(self) -> None:
        moved = finding(PLACE._replace(row=30, end_row=30))
        assert [*fingerprints([moved])] == [*fingerprints([finding()])]

    @pytest.mark.parametrize(
        "other",
        [
            finding(code="TFD103"),
            finding(PLACE._replace(path="src/other.py")),
            finding(surroundings=Surroundings("write", "ds = ds.map(parse)", "d1")),
            finding(surroundings=Surroundings("read", "ds = ds.map(load)", "d2")),
        ],
    )
    def test_what_makes_another_finding(self, other: Any) -> None:
        assert [*fingerprints([other])] != [*fingerprints([finding()])]

    def test_equal_statements_are_told_apart(self) -> None:
        assert len({*fingerprints([finding(), finding(), *FINDINGS])}) == 2 + len(FINDINGS)


class TestPathsOfReports:
    """A report is read where the project is checked out, whatever folder the command ran in."""

    def test_without_a_ci_service(self, checkout: Checkout) -> None:
        assert relative("src/train.py") == "src/train.py"
        assert relative(str(checkout / "src" / "train.py")) == "src/train.py"
        assert relative("../train.py") is None

    def test_in_a_checkout(self, checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
        (checkout / "part").mkdir()
        monkeypatch.chdir(checkout / "part")
        monkeypatch.setenv("CI_PROJECT_DIR", str(checkout))
        assert relative("train.py") == "part/train.py"

    def test_outside_of_the_checkout(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GITHUB_WORKSPACE", "/somewhere/else")
        assert relative("train.py") == "train.py"


class TestJunit:
    def read(self, findings: Any) -> JUnitXml:
        return JUnitXml.fromroot(JUnitXml.fromfile(io.StringIO(junit.render(findings)))._elem)

    def test_a_suite_for_each_file_and_a_case_for_each_finding(self) -> None:
        first, second = self.read(FINDINGS[:2])
        assert (first.name, first.tests, first.failures, first.skipped) == ("src/train.py", 1, 1, 0)
        assert (second.name, second.tests, second.failures, second.skipped) == ("train.ipynb", 1, 0, 1)
        assert [case.name for case in second] == ["TFD102 sequential-map at cell 3:2:9"]

    def test_what_a_case_says(self) -> None:
        ((case,),) = self.read([finding()])
        (failure,) = case.result
        assert isinstance(failure, Failure)
        assert (failure.type, failure.message) == ("warning", "`map` is sequential")
        assert failure.text.splitlines() == [
            "src/train.py:9:16",
            "`map` is sequential.",
            "It was 1.8 times slower.",
            "Use `num_parallel_calls`.",
        ]

    def test_advice_fails_no_build(self) -> None:
        ((case,),) = self.read([finding(severity="advice")])
        assert isinstance(case.result[0], Skipped)

    def test_sums(self) -> None:
        report = self.read(FINDINGS)
        assert (report.tests, report.failures, report.errors) == (5, 4, 0)

    def test_a_report_without_a_test_would_be_an_error(self) -> None:
        ((case,),) = self.read([])
        assert (case.name, case.is_passed) == ("no findings", True)

    def test_what_xml_cannot_hold(self) -> None:
        ((case,),) = self.read(FINDINGS[-1:])
        assert case.classname == "bad\ufffd name,;:]%.py"


class TestRdjson:
    def read(self, *findings: Any) -> Any:
        return json.loads(rdjson.render(findings))["diagnostics"]

    def test_columns_count_bytes(self) -> None:
        (found,) = self.read(finding(related=related()))
        assert found == {
            "message": "`map` is sequential.\nIt was 1.8 times slower.\nUse `num_parallel_calls`.",
            "location": {
                "path": "src/train.py",
                "range": {"start": {"line": 9, "column": 21}, "end": {"line": 9, "column": 31}},
            },
            "severity": "WARNING",
            "code": {"value": "TFD102"},
            "related_locations": [
                {
                    "message": "batches here",
                    "location": {
                        "path": "src/train.py",
                        "range": {"start": {"line": 12, "column": 4}, "end": {"line": 12, "column": 12}},
                    },
                }
            ],
            "suggestions": [],
        }

    def test_a_fix_of_one_edit_is_suggested(self) -> None:
        (found,) = self.read(finding(fix=FIX))
        at = {"line": 9, "column": 30}
        assert found["suggestions"] == [
            {"range": {"start": at, "end": at}, "text": ", num_parallel_calls=tf.data.AUTOTUNE"}
        ]

    @pytest.mark.parametrize("fix", [UNSAFE, SHOWN, FINDINGS[1].fix])
    def test_what_cannot_be_suggested(self, fix: Any) -> None:
        """Several edits, of which one may be taken without the others; none; those of a cell."""
        (found,) = self.read(finding(fix=fix))
        assert found["suggestions"] == []

    def test_a_cell_has_no_range(self) -> None:
        (found,) = self.read(finding(CELL))
        assert found["location"] == {"path": "train.ipynb", "range": {"start": {"line": 1}}}
        assert found["message"].startswith("cell 3, line 2: ")


class TestMarkdown:
    def test_the_worst_comes_first(self) -> None:
        findings = [finding(), finding(BATCH, severity="error", code="TFD404", name="leaky-split", fix=FIX)]
        assert markdown.render(findings).splitlines() == [
            "### tfdata-lint",
            "",
            "Found 1 error, 1 warning.",
            "",
            "| place | finding |",
            "|---|---|",
            "| `src/train.py:12:4` | error **TFD404** leaky-split<br>"
            "`map` is sequential.<br>It was 1.8 times slower.<br>Use `num_parallel_calls`. |",
            "| `src/train.py:9:16` | warning **TFD102** sequential-map<br>"
            "`map` is sequential.<br>It was 1.8 times slower.<br>Use `num_parallel_calls`. |",
            "",
            "1 can be fixed with `--fix`.",
        ]

    def test_what_is_no_code_is_no_markup(self) -> None:
        (row,) = markdown.render([finding(message="`a|<b>` and *c* <d> @e | f")]).splitlines()[6:]
        assert "`a\\|<b>` and &#42;c&#42; &#60;d&#62; &#64;e \\| f." in row

    def test_a_comment_has_an_end(self) -> None:
        text = markdown.render([finding()] * 2000)
        assert len(text) < 65_536
        shown = text.count("**TFD102**")
        assert f"And {2000 - shown} more." in text

    def test_nothing(self) -> None:
        assert markdown.render([]) == "### tfdata-lint\n\nNo findings."


def test_every_format_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
    assert "".join(f"| `{name}` | {what} |\n" for name, what in FORMATS.items()) in page
