"""Where settings are found, what their keys may hold, and which rules they switch on."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from tfdata_lint.config.files import parse_toml
from tfdata_lint.config.settings.model import ALWAYS_ON, Selection, Settings, keys
from tfdata_lint.config.settings.page import document
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.settings.selection import active_rules
from tfdata_lint.config.target import Target

Project = Callable[[Mapping[str, str | bytes]], Path]


def problems(text: str, project: Project, name: str = "tfdata-lint.toml") -> list[str]:
    project({name: text})
    configuration = Configuration()
    configuration.for_file("train.py")
    return [str(problem) for problem in configuration.problems]


def codes(**fields: object) -> set[str]:
    return {rule.code for rule in active_rules(Settings(**fields))}


class TestWhereTheyAreFound:
    def test_nearest_folder_with_our_section_counts(self, project: Project) -> None:
        project(
            {
                "pyproject.toml": '[tool.tfdata-lint]\nfail-level = "error"\n',
                "package/pyproject.toml": "[tool.other]\nfail-level = 1\n",
                "package/a.py": "",
                "tool/tfdata-lint.toml": 'fail-level = "advice"\n',
            }
        )
        configuration = Configuration()
        assert configuration.for_file("package/a.py").fail_level == "error"
        assert configuration.for_file("tool/deep/down/b.py").fail_level == "advice"
        assert not configuration.problems

    def test_a_project_that_only_depends_on_us_has_no_section(self, project: Project) -> None:
        project(
            {
                ".tfdata-lint.toml": 'fail-level = "error"\n',
                "package/pyproject.toml": '[project]\ndependencies = ["tfdata-lint"]\n',
            }
        )
        assert Configuration().for_file("package/a.py").fail_level == "error"

    def test_the_hidden_file_wins_over_the_others_of_its_folder(self, project: Project) -> None:
        project(
            {
                "pyproject.toml": '[tool.tfdata-lint]\nfail-level = "error"\n',
                "tfdata-lint.toml": 'fail-level = "warning"\n',
                ".tfdata-lint.toml": 'fail-level = "advice"\n',
            }
        )
        assert Configuration().for_file("a.py").fail_level == "advice"

    def test_files_are_not_merged(self, project: Project) -> None:
        project({"tfdata-lint.toml": 'ignore = ["TFD1"]\n', "sub/tfdata-lint.toml": 'fail-level = "error"\n'})
        assert Configuration().for_file("sub/a.py").ignore == ()

    def test_one_file_for_all(self, project: Project) -> None:
        project({"tfdata-lint.toml": 'fail-level = "error"\n', "etc/ours.toml": 'fail-level = "advice"\n'})
        settings = Configuration("etc/ours.toml").for_file("a.py")
        assert settings.fail_level == "advice"
        assert settings.root == os.path.abspath("etc")

    def test_isolated(self, project: Project) -> None:
        project({"tfdata-lint.toml": 'fail-level = "error"\n'})
        assert Configuration(isolated=True).for_file("a.py").fail_level == "warning"

    def test_overrides_win(self, project: Project) -> None:
        project({"tfdata-lint.toml": 'fail-level = "error"\n'})
        assert Configuration(overrides={"fail_level": "advice"}).for_file("a.py").fail_level == "advice"


class TestWhatKeysHold:
    def test_every_key_is_read(self, project: Project) -> None:
        project(
            {
                "pyproject.toml": """
[tool.tfdata-lint]
select = ["TFD0"]
extend-select = ["unused-suppression"]
ignore = ["TFD001"]
exclude = ["vendor"]
extend-exclude = ["old/"]
force-exclude = true
respect-gitignore = false
target-tensorflow = "2.15.1"
fail-level = "error"
output-format = "json"
[tool.tfdata-lint.per-file-ignores]
"tests/**" = ["TFD0"]
"""
            }
        )
        configuration = Configuration()
        settings = configuration.for_file("a.py")
        assert not configuration.problems
        assert settings.select == ("TFD0",)
        assert settings.extend_select == ("unused-suppression",)
        assert settings.ignore == ("TFD001",)
        assert settings.exclude == ("vendor",)
        assert settings.extend_exclude == ("old/",)
        assert settings.force_exclude is True
        assert settings.respect_gitignore is False
        assert settings.target_tensorflow.version == (2, 15)
        assert settings.fail_level == "error"
        assert settings.output_format == "json"
        assert settings.per_file_ignores == (("tests/**", ("TFD0",)),)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('fail-lvel = "error"', "tfdata-lint.toml:1: unknown key `fail-lvel`; did you mean `fail-level`?"),
            ("fail_level = 1", "tfdata-lint.toml:1: unknown key `fail_level`; did you mean `fail-level`?"),
            ("\nzzz = 1", "tfdata-lint.toml:2: unknown key `zzz`; the keys are select, extend-select, "),
            ('select = "TFD1"', '`select` must be a list of strings, such as ["…"], not a string'),
            ("ignore = [1]", "`ignore` must be a list of strings"),
            ("force-exclude = 1", "`force-exclude` must be true or false, not a number"),
            ("target-tensorflow = 2.15", '`target-tensorflow` must be a version in quotes, such as "2.15"'),
            ('target-tensorflow = "new"', "`target-tensorflow` is not a TensorFlow version: 'new'"),
            (
                'target-tensorflow = "3.0"',
                "`target-tensorflow` is not a TensorFlow version: '3.0' (the newest known version is",
            ),
            ('fail-level = "note"', '`fail-level` must be one of advice, warning, error, not "note"'),
            ("output-format = []", "`output-format` must be one of full, concise, json, "),
            ('per-file-ignores = ["a"]', "`per-file-ignores` must be a table of patterns"),
            ('per-file-ignores = {"a" = "TFD1"}', "`per-file-ignores` must be a list of strings"),
            ("verify = 1", "`verify` must be a table of arguments, such as {batch_size = 8}, not a number"),
            ("verify = {batch-size = 1}", "`verify` has `batch-size`, which is neither the name of an argument nor "),
            ('verify = {"a.py::f" = 1}', '`verify` must have a table of arguments for "a.py::f", not a number'),
            ("verify = {day = 2025-01-01}", "`verify` must have only values that JSON supports"),
            ('\nignore = [\n  "TFD001",\n  "TFD0001",\n]', "tfdata-lint.toml:4: `ignore`: unknown rule `TFD0001`; did"),
            ('per-file-ignores = {"a" = ["QQQ"]}', "unknown rule `QQQ`; `tfdata-lint rule` lists them"),
            ('select = ["tfd001"]', "did you mean `TFD001`?"),
            ("select = [", "tfdata-lint.toml:1: not valid TOML: "),
            ("a = 1\nb = = 2", "tfdata-lint.toml:2: not valid TOML: "),
            ("a = 1\na = 2", "tfdata-lint.toml:2: not valid TOML: "),
            ("\n[tool.tfdata-lint]\nselect = []", "tfdata-lint.toml:2: keys belong at the top level of this file"),
            (
                "[tfdata-lint]\nselect = []",
                "tfdata-lint.toml:1: keys belong at the top level of this file, not in a section",
            ),
        ],
    )
    def test_one_clear_line_for_each_mistake(self, text: str, expected: str, project: Project) -> None:
        (problem,) = problems(text, project)
        assert expected in problem

    def test_mistakes_in_a_pyproject_are_found_in_our_section(self, project: Project) -> None:
        text = '[tool.other]\nselct = 1\n\n[tool.tfdata-lint]\nignore = []\nselct = ["TFD0"]\n'
        assert problems(text, project, "pyproject.toml") == [
            "pyproject.toml:6: unknown key `selct`; did you mean `select`?"
        ]

    @pytest.mark.parametrize("section", ["tool.tfdata_lint", "tfdata-lint", "tfdata_lint"])
    def test_section_with_another_name(self, section: str, project: Project) -> None:
        (problem,) = problems(f'[project]\nname = "a"\n\n[{section}]\nselect = []\n', project, "pyproject.toml")
        assert problem == f"pyproject.toml:4: unknown section [{section}]; did you mean [tool.tfdata-lint]?"

    def test_a_byte_order_mark(self, project: Project) -> None:
        project({"tfdata-lint.toml": b'\xef\xbb\xbffail-level = "error"\n'})
        assert Configuration().for_file("a.py").fail_level == "error"

    def test_section_of_the_wrong_type(self, project: Project) -> None:
        (problem,) = problems("[tool]\ntfdata-lint = 3\n", project, "pyproject.toml")
        assert problem == "pyproject.toml:2: `tfdata-lint` must be a table"

    def test_text_that_is_not_utf8(self, project: Project) -> None:
        project({"tfdata-lint.toml": b"\n# caf\xe9\n"})
        configuration = Configuration()
        configuration.for_file("a.py")
        assert [str(p) for p in configuration.problems] == ["tfdata-lint.toml:2: not valid TOML: it is not UTF-8"]

    def test_the_other_keys_hold(self, project: Project) -> None:
        project({"tfdata-lint.toml": 'wrong = 1\nfail-level = "error"\n'})
        assert Configuration().for_file("a.py").fail_level == "error"

    def test_a_mistake_is_told_once(self, project: Project) -> None:
        project({"tfdata-lint.toml": "wrong = 1\n"})
        configuration = Configuration()
        for name in ("a.py", "b/c.py", "d/e/f.py"):
            configuration.for_file(name)
        assert len(configuration.problems) == 1

    def test_named_pyproject_without_our_section(self, project: Project) -> None:
        project({"pyproject.toml": "[tool.other]\n"})
        (problem,) = Configuration("pyproject.toml").problems
        assert str(problem) == "pyproject.toml: has no section [tool.tfdata-lint]"


class TestWhichRules:
    def test_default_is_everything_but_the_pedantic(self) -> None:
        assert all(rule.group != "pedantic" for rule in active_rules(Settings()))
        assert {"TFD001", "TFD102", "TFD404"} <= codes()

    @pytest.mark.parametrize("selector", ["TFD102", "TFD10", "TFD1", "TFD", "sequential-map", "performance", "ALL"])
    def test_selectors(self, selector: str) -> None:
        assert "TFD102" in codes(select=(selector,))
        assert "TFD102" not in codes(select=("TFD001",))
        assert "TFD102" not in codes(ignore=(selector,))

    def test_a_prefix_selects_only_what_it_begins(self) -> None:
        assert codes(select=("TFD50",)) - set(ALWAYS_ON) == {"TFD501", "TFD502", "TFD503", "TFD504", "TFD505", "TFD506"}

    def test_the_more_specific_selector_wins(self) -> None:
        assert "TFD102" in codes(select=("TFD102",), ignore=("TFD1",))
        assert "TFD101" not in codes(select=("TFD1",), ignore=("TFD101",))
        assert "TFD102" in codes(select=("TFD10",), ignore=("TFD1",))
        assert "TFD102" in codes(select=("TFD1",), ignore=("TFD",))
        assert "TFD102" in codes(select=("performance",), ignore=("ALL",))

    def test_ignore_wins_among_equals(self) -> None:
        assert "TFD102" not in codes(select=("TFD102",), ignore=("sequential-map",))

    def test_extend_select_adds(self) -> None:
        assert {"TFD102", "TFD404"} <= codes(select=("TFD404",), extend_select=("TFD102",))

    def test_the_command_line_wins(self) -> None:
        assert "TFD102" in codes(ignore=("TFD102",), command_line=Selection(extend_select=("TFD1",)))
        assert "TFD102" not in codes(select=("TFD102",), command_line=Selection(ignore=("TFD1",)))
        assert "TFD404" not in codes(extend_select=("TFD404",), command_line=Selection(select=("TFD1",)))

    def test_unreadable_files_are_always_told_unless_ignored_by_code(self) -> None:
        assert "TFD000" in codes(select=("TFD1",))
        assert "TFD000" in codes(ignore=("TFD", "ALL"))
        assert "TFD000" not in codes(ignore=("TFD000",))

    def test_internal_errors_are_always_told(self) -> None:
        assert "TFD002" in codes(select=("TFD1",), ignore=("TFD002",))


class TestMadeByAProgram:
    def test_of_what_a_file_may_say(self) -> None:
        settings = Settings(
            select=["TFD1"],
            per_file_ignores={"tests/**": ["TFD101"]},
            target_tensorflow="2.15",
            verify={"batch_size": 8},
        )
        assert settings.select == ("TFD1",)
        assert settings.per_file_ignores == (("tests/**", ("TFD101",)),)
        assert settings.target_tensorflow.version == (2, 15)
        assert settings.verify == (("batch_size", "8"),)

    def test_of_what_their_fields_hold(self) -> None:
        settings = Settings(
            select=("TFD1",),
            per_file_ignores=(("tests/**", ("TFD101",)),),
            target_tensorflow=Target((2, 15)),
            verify=(("batch_size", "8"),),
            command_line=Selection(ignore=("TFD2",)),
            root="/project",
        )
        assert settings == Settings(**settings._asdict()) == pickle.loads(pickle.dumps(settings))
        assert type(settings._replace(root="")) is Settings

    @pytest.mark.parametrize(
        "text",
        [
            'select = "TFD1"',
            "ignore = [1]",
            'select = ["TFD9999"]',
            'extend-safe-fixes = ["missing-prefetsch"]',
            'per-file-ignores = {"a" = ["QQQ"]}',
            "force-exclude = 1",
            "target-tensorflow = 2.15",
            'target-tensorflow = "new"',
            'fail-level = "note"',
            "output-format = 1",
            'baseline = ""',
            "verify = {batch-size = 1}",
        ],
    )
    def test_what_is_wrong_is_said_as_it_is_of_a_file(self, text: str, project: Project) -> None:
        (problem,) = problems(text, project)
        given = {name.replace("-", "_"): value for name, value in parse_toml(text).items()}
        with pytest.raises(ValueError, match=re.escape(problem.removeprefix("tfdata-lint.toml:1: "))):
            Settings(**given)

    def test_and_as_it_is_of_an_option(self, project: Project, run: Callable[..., SimpleNamespace]) -> None:
        with pytest.raises(ValueError, match="unknown rule `TFD9999`; `tfdata-lint rule` lists") as raised:
            Settings(command_line=Selection(select=("TFD9999",)))
        said = run("check", "--select", "TFD9999").err
        assert said == f"tfdata-lint: error: --select: {str(raised.value).removeprefix('`select`: ')}\n"

    def test_a_field_that_there_is_not(self) -> None:
        with pytest.raises(TypeError, match="unknown key `selct`; did you mean `select`"):
            Settings(selct=["TFD1"])


class TestPerFileIgnores:
    def test_patterns_are_relative_to_the_configuration_file(self, project: Project) -> None:
        project(
            {
                "tfdata-lint.toml": '[per-file-ignores]\n"/tests/**" = ["TFD1"]\n"*_old.py" = ["TFD404"]\n',
                "sub/x.py": "",
            }
        )
        os.chdir("sub")
        settings = Configuration().for_file("x.py")
        assert settings.ignored_in("../tests/a/b.py") == ("TFD1",)
        assert settings.ignored_in("tests/a.py") == ()
        assert settings.ignored_in("../tests/train_old.py") == ("TFD1", "TFD404")

    def test_they_win_over_the_command_line(self) -> None:
        settings = Settings(command_line=Selection(select=("TFD102",)))
        assert "TFD102" not in {rule.code for rule in active_rules(settings, ("TFD1",))}


def test_the_page_of_settings_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "settings.md"
    assert page.read_text(encoding="utf-8") == document()
    assert all(f"| `{name}` |" in document() for name in keys())
