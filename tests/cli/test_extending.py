"""Configuration files that extend one another, which files are looked for, and what is ignored in some of them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import samples

import tfdata_lint
from tfdata_lint.config.settings.extending import Layer, merged
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.settings.selection import active_rules

Run = Callable[..., Any]
Project = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def checkout(project: Project) -> Project:
    """A project that git has."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        return project({".git/HEAD": "ref: refs/heads/main\n", **files})

    return write


def read(path: str = "sub/a.py") -> Settings:
    configuration = Configuration()
    settings = configuration.for_file(path)
    assert not configuration.problems
    return settings


def problems(path: str = "a.py") -> list[str]:
    configuration = Configuration()
    configuration.for_file(path)
    return [str(problem) for problem in configuration.problems]


def codes(settings: Settings) -> set[str]:
    return {rule.code for rule in active_rules(settings)}


class TestExtend:
    def test_the_extending_file_wins_key_by_key(self, checkout: Project) -> None:
        checkout(
            {
                "pyproject.toml": '[tool.tfdata-lint]\nfail-level = "error"\ntarget-tensorflow = "2.15"\n',
                "sub/.tfdata-lint.toml": 'extend = "../pyproject.toml"\nfail-level = "advice"\n',
                "deep/pyproject.toml": '[tool.tfdata-lint]\nextend = "../sub/.tfdata-lint.toml"\nformat = "off"\n',
            }
        )
        settings = read()
        assert (settings.fail_level, settings.target_tensorflow.version) == ("advice", (2, 15))
        assert (settings.root, settings.file) == (os.path.abspath("sub"), os.path.join("sub", ".tfdata-lint.toml"))
        farther = read("deep/a.py")
        assert (farther.fail_level, farther.format, farther.target_tensorflow.version) == ("advice", "off", (2, 15))
        origins = dict(farther.origins)
        assert origins["target_tensorflow"] == "pyproject.toml:3"
        assert origins["format"] == os.path.join("deep", "pyproject.toml") + ":3"

    def test_tables_are_merged_and_lists_added_to(self, checkout: Project) -> None:
        checkout(
            {
                "base.toml": """
extend-exclude = ["old"]
unfixable = ["TFD1"]
[per-file-ignores]
"*_test.py" = ["TFD1"]
"sub/tests/**" = ["TFD2"]
"other/**" = ["TFD3"]
[verify]
batch_size = 8
workers = 2
[verify."sub/input.py::make"]
size = 1
epochs = 2
[rules.TFD308]
""",
                "sub/tfdata-lint.toml": """
extend = "../base.toml"
extend-exclude = ["new"]
unfixable = ["TFD2"]
[per-file-ignores]
"*_test.py" = ["TFD4"]
"tests/**" = ["TFD5"]
[verify]
batch_size = 4
[verify."input.py::make"]
size = 3
""",
            }
        )
        settings = read()
        assert settings.extend_exclude == ("old", "new")
        assert settings.unfixable == ("TFD1", "TFD2")
        assert settings.ignored_in("sub/a_test.py") == ("TFD4",)
        # Both files mean the same files.
        assert settings.ignored_in("sub/tests/b.py") == ("TFD5",)
        assert settings.ignored_in("tests/b.py") == ()
        assert settings.ignored_in("other/b.py") == ("TFD3",)
        assert settings.arguments_of("sub/input.py", "make") == {
            "batch_size": 4, "workers": 2, "size": 3, "epochs": 2,
        }  # fmt: skip

    def test_options_of_rules_are_merged(self) -> None:
        said = ('{"few": 1, "names": ["a"]}', '{"few": 2}')
        layers = [
            Layer(f"{n}.toml", f"{n}.toml", {"rules": (("TFD308", text),)}, {"rules": n}) for n, text in enumerate(said)
        ]
        settings = merged(layers[::-1])
        assert settings.options_of("TFD308") == {"few": 2, "names": ("a",)}
        assert dict(settings.origins)["rules"] == "0.toml, 1.toml:1"

    def test_rules_are_selected_file_by_file(self, checkout: Project) -> None:
        checkout(
            {
                "base.toml": 'select = ["TFD1", "TFD401"]\nignore = ["TFD101"]\n',
                "adds/tfdata-lint.toml": 'extend = "../base.toml"\nextend-select = ["TFD404"]\nignore = ["TFD102"]\n',
                "anew/tfdata-lint.toml": 'extend = "../base.toml"\nselect = ["TFD101"]\n',
            }
        )
        added = codes(read("adds/a.py"))
        assert {"TFD103", "TFD401", "TFD404"} <= added
        assert not {"TFD101", "TFD102", "TFD402"} & added
        anew = codes(read("anew/a.py"))
        assert "TFD101" in anew
        assert "TFD103" not in anew

    def test_paths_are_those_of_the_file_that_names_them(self, checkout: Project) -> None:
        root = checkout(
            {
                "etc/base.toml": 'baseline = "known.json"\nevidence = ["run.json"]\ncache-dir = "../kept"\n',
                "sub/tfdata-lint.toml": 'extend = "../etc/base.toml"\n',
            }
        )
        settings = read()
        for path, expected in (
            (settings.baseline, root / "etc" / "known.json"),
            (settings.evidence[0], root / "etc" / "run.json"),
            (settings.cache_dir, root / "kept"),
        ):
            assert path is not None
            assert os.path.normpath(os.path.join(settings.root, path)) == str(expected)

    def test_results_are_kept_where_the_extended_file_says(self, checkout: Project, run: Run) -> None:
        root = checkout(
            {"tfdata-lint.toml": 'cache-dir = "kept"\n', "sub/tfdata-lint.toml": 'extend = "../tfdata-lint.toml"\n'}
        )
        (root / "sub" / "a.py").write_text(samples.DISCARDED)
        os.chdir("sub")
        done = run("check")
        assert (done.code, done.err) == (1, "")
        assert (root / "kept" / "CACHEDIR.TAG").exists()

    def test_excluded_as_the_extended_file_says(self, checkout: Project, run: Run) -> None:
        checkout(
            {
                "base.toml": 'exclude = ["/sub/one", "two", "!/sub/two/kept.py"]\n',
                "sub/tfdata-lint.toml": 'extend = "../base.toml"\nextend-exclude = ["three/*_old.py"]\n',
                **{
                    f"sub/{name}": ""
                    for name in ("one/a.py", "three/a.py", "three/b_old.py", "x/one/a.py", "x/two/a.py")
                },
            }
        )
        listed = ["sub/three/a.py", "sub/x/one/a.py"]
        assert run("check", "--show-files", "sub").out.split() == listed
        assert run("check", "--show-files", "--force-exclude", "sub/one/a.py", "sub/x/one/a.py").out.split() == [
            "sub/x/one/a.py"
        ]
        os.chdir("sub")
        assert run("check", "--show-files").out.split() == ["three/a.py", "x/one/a.py"]

    def test_folders_above_the_extending_file_are_not_excluded(self, checkout: Project, run: Run) -> None:
        """The patterns are relative to a folder above, but which folders lead to the file does not matter."""
        checkout({"base.toml": "", "build/tfdata-lint.toml": 'extend = "../base.toml"\n', "build/a.py": ""})
        assert run("check", "--show-files", "--force-exclude", "build/a.py").out.split() == ["build/a.py"]

    def test_required_versions_of_all_are_checked(self, checkout: Project) -> None:
        checkout(
            {
                "base.toml": 'required-version = ">=99"\n',
                "tfdata-lint.toml": f'extend = "base.toml"\nrequired-version = "{tfdata_lint.__version__}"\n',
            }
        )
        assert problems() == [
            f"base.toml:1: the project requires tfdata-lint >=99, but this is {tfdata_lint.__version__}"
        ]

    def test_mistakes_are_told_of_the_file_that_has_them(self, checkout: Project) -> None:
        checkout({"base.toml": "\nfail-lvel = 1\n", "tfdata-lint.toml": 'extend = "base.toml"\n'})
        assert problems() == ["base.toml:2: unknown key `fail-lvel`; did you mean `fail-level`?"]
        (Path("base.toml")).write_text("x = = 1")
        (problem,) = problems()
        assert problem.startswith("base.toml:1: not valid TOML: ")

    @pytest.mark.parametrize(
        ("files", "expected"),
        [
            ({}, "tfdata-lint.toml:2: `extend` names base.toml, which cannot be read: No such file or directory"),
            (
                {"base.toml": 'extend = "tfdata-lint.toml"'},
                "base.toml:1: `extend` names tfdata-lint.toml, which is extended by itself: "
                "tfdata-lint.toml → base.toml → tfdata-lint.toml",
            ),
            ({"base.toml/a": ""}, "which cannot be read: this is a folder and no regular file"),
            (
                {"tfdata-lint.toml": 'extend = "pyproject.toml"', "pyproject.toml": "[tool.other]\n"},
                "tfdata-lint.toml:1: `extend` names pyproject.toml, which has no section [tool.tfdata-lint]",
            ),
            ({"tfdata-lint.toml": "extend = 1"}, "tfdata-lint.toml:1: `extend` must be the name of a file in quotes"),
            ({"tfdata-lint.toml": 'extnd = "base.toml"'}, "unknown key `extnd`; did you mean `extend`?"),
        ],
    )
    def test_one_error_for_what_cannot_be_extended(
        self, files: Mapping[str, str], expected: str, checkout: Project, run: Run
    ) -> None:
        checkout({"a.py": "", "tfdata-lint.toml": '\nextend = "base.toml"\nfail-level = "error"\n', **files})
        (problem,) = problems()
        assert expected in problem
        assert run("check").code == 2

    def test_the_other_keys_hold(self, checkout: Project) -> None:
        checkout({"tfdata-lint.toml": 'extend = "missing.toml"\nfail-level = "error"\n'})
        configuration = Configuration()
        assert configuration.for_file("a.py").fail_level == "error"

    def test_a_long_chain(self, checkout: Project) -> None:
        checkout({f"{number}.toml": f'extend = "{number + 1}.toml"' for number in range(100)})
        Path("tfdata-lint.toml").write_text('extend = "0.toml"')
        (problem,) = problems()
        assert (
            problem == "14.toml:1: `extend` names 15.toml, which is one too many: at most 16 files extend one another"
        )

    def test_named_on_the_command_line(self, checkout: Project, run: Run) -> None:
        checkout(
            {
                "a.py": samples.DISCARDED,
                "tfdata-lint.toml": 'ignore = ["TFD401"]\n',
                "etc/ours.toml": 'extend = "../tfdata-lint.toml"\noutput-format = "concise"\n',
            }
        )
        assert run("check", "--config", "etc/ours.toml").code == 0
        done = run("check", "--config", 'extend = "etc/ours.toml"')
        assert (done.code, done.out) == (2, "")
        assert "name one instead: --config FILE" in done.err

    def test_no_setting_of_a_program(self) -> None:
        with pytest.raises(ValueError, match="`extend` is for configuration files"):
            Settings(extend="base.toml")

    def test_it_is_shown(self, checkout: Project, run: Run) -> None:
        checkout(
            {
                "base.toml": 'ignore = ["TFD1"]\nextend-exclude = ["a"]\n',
                "tfdata-lint.toml": 'extend = "base.toml"\nignore = ["TFD2"]\nextend-exclude = ["b"]\n',
            }
        )
        rows = json.loads(run("check", "--show-settings", "--output-format", "json").out)
        shown = [(row["value"], row["origin"]) for row in rows if row["key"] == "ignore"]
        assert shown == [(["TFD2"], "tfdata-lint.toml:2"), (["TFD1"], "base.toml")]
        (excluded,) = (row for row in rows if row["key"] == "extend-exclude")
        assert (excluded["value"], excluded["origin"]) == (["a", "b"], "base.toml:2, tfdata-lint.toml:3")

    def test_another_result_when_the_extended_file_changes(self, checkout: Project, run: Run) -> None:
        """Nothing that was kept is taken for the new one."""
        checkout({"a.py": samples.DISCARDED, "base.toml": "", "tfdata-lint.toml": 'extend = "base.toml"\n'})
        assert run("check").code == 1
        Path("base.toml").write_text('ignore = ["TFD401"]')
        assert run("check").code == 0
        Path("base.toml").write_text('exclude = ["a.py"]')
        assert "no Python files" in run("check").err


class TestHostileOnes:
    """Whoever has written the settings of a checkout is not who runs this."""

    @pytest.mark.parametrize("way", ["../secret.toml", "link.toml", "linked/secret.toml"])
    def test_no_file_outside_of_the_checkout_is_read(self, way: str, checkout: Project) -> None:
        root = checkout({"tfdata-lint.toml": f'\nextend = "{way}"\n'})
        (root.parent / "secret.toml").write_text("token = 'hunter2'\n")
        (root / "link.toml").symlink_to(root.parent / "secret.toml")
        (root / "linked").symlink_to(root.parent)
        assert problems() == [
            "tfdata-lint.toml:2: `extend` leads out of the project; only --config may name such a place"
        ]

    def test_nor_by_way_of_a_file_in_it(self, checkout: Project) -> None:
        root = checkout({"tfdata-lint.toml": 'extend = "base.toml"\n', "base.toml": 'extend = "../secret.toml"\n'})
        (root.parent / "secret.toml").write_text("token = 'hunter2'\n")
        assert problems() == ["base.toml:1: `extend` leads out of the project; only --config may name such a place"]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX")
    def test_a_pipe(self, checkout: Project) -> None:
        root = checkout({"tfdata-lint.toml": 'extend = "pipe"\n'})
        os.mkfifo(root / "pipe")
        (problem,) = problems()
        assert "which cannot be read: this is a pipe" in problem

    def test_a_pattern_that_is_costly(self, checkout: Project) -> None:
        checkout({"tfdata-lint.toml": 'include = ["**/a/**/b/**/c/**/d.py"]\n'})
        (problem,) = problems()
        assert problem.startswith("tfdata-lint.toml:1: `include` has `**/a/")


class TestInclude:
    FILES = ("a.py", "b.pyi", "c.ipynb", "d.pyw", "tools/e", "tools/f.py", "g.txt", "old.py/h.py", "i.pyw/j.py")

    def listed(self, project: Project, run: Run, text: str, *arguments: str) -> list[str]:
        project({**dict.fromkeys(self.FILES, ""), "tfdata-lint.toml": text})
        done = run("check", "--show-files", *arguments)
        assert (done.code, done.err) == (0, "")
        return sorted(done.out.split())

    def test_by_default(self, project: Project, run: Run) -> None:
        expected = ["a.py", "b.pyi", "c.ipynb", "i.pyw/j.py", "old.py/h.py", "tools/f.py"]
        assert self.listed(project, run, "") == expected

    def test_others_instead(self, project: Project, run: Run) -> None:
        assert self.listed(project, run, 'include = ["*.pyw", "/tools/*"]') == ["d.pyw", "tools/e", "tools/f.py"]
        # Patterns are about files: what names a folder takes nothing in.
        assert self.listed(project, run, 'include = ["tools", "i.pyw/"]') == []

    def test_others_besides(self, project: Project, run: Run) -> None:
        expected = ["a.py", "b.pyi", "c.ipynb", "d.pyw", "i.pyw/j.py", "old.py/h.py", "tools/e", "tools/f.py"]
        assert self.listed(project, run, 'extend-include = ["*.pyw", "tools/e"]') == expected

    def test_not_these(self, project: Project, run: Run) -> None:
        assert self.listed(project, run, 'include = ["*.py", "!tools/*"]\nexclude = ["i.pyw"]') == [
            "a.py",
            "old.py/h.py",
        ]

    def test_what_is_named_is_read(self, project: Project, run: Run) -> None:
        assert self.listed(project, run, 'include = ["*.pyw"]', "a.py", "tools") == ["a.py"]

    def test_they_are_linted(self, project: Project, run: Run) -> None:
        project({"d.pyw": samples.DISCARDED, "tfdata-lint.toml": 'extend-include = ["*.pyw"]\n'})
        for _ in range(2):
            done = run("check", "--output-format", "concise")
            assert (done.code, done.out.split()[0]) == (1, "d.pyw:4:1:")
        Path("tfdata-lint.toml").write_text("")
        assert run("check").code == 0


class TestPerFileIgnores:
    FILES: Mapping[str, str | bytes] = {
        "a.py": samples.DISCARDED,
        "sub/b.py": samples.DISCARDED,
        "tfdata-lint.toml": 'per-file-ignores = {"/a.py" = ["TFD401"]}\noutput-format = "concise"\n',
    }

    def found(self, run: Run, *arguments: str) -> list[str]:
        return [row.partition(":")[0] for row in run("check", *arguments).out.splitlines() if " TFD401 " in row]

    def test_in_place_of_those_of_the_file(self, project: Project, run: Run) -> None:
        project(self.FILES)
        assert self.found(run) == ["sub/b.py"]
        assert self.found(run, "--per-file-ignores", "sub/*:TFD401") == ["a.py"]
        assert self.found(run, "--per-file-ignores", "b.py:TFD1, TFD4,a.py:discarded-result") == []

    def test_besides_those_of_the_file(self, project: Project, run: Run) -> None:
        project(self.FILES)
        assert self.found(run, "--extend-per-file-ignores", "sub/**:TFD4") == []
        assert self.found(run, "--extend-per-file-ignores", "sub/**:TFD1") == ["sub/b.py"]

    def test_patterns_are_those_of_the_working_directory(self, project: Project, run: Run) -> None:
        project(self.FILES)
        os.chdir("sub")
        assert self.found(run, "--extend-per-file-ignores", "/b.py:TFD401") == []
        assert self.found(run, "--extend-per-file-ignores", "/sub/b.py:TFD401") == ["b.py"]

    def test_what_was_kept_is_not_taken_for_it(self, project: Project, run: Run) -> None:
        project(self.FILES)
        for _ in range(2):
            assert self.found(run) == ["sub/b.py"]
            assert self.found(run, "--extend-per-file-ignores", "sub/*:TFD401") == []

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ("TFD401", "--per-file-ignores: `TFD401` is not as PATTERN:RULE"),
            (":TFD401", "--per-file-ignores: `:TFD401` is not as PATTERN:RULE"),
            ("a.py:", "--per-file-ignores: `a.py:` is not as PATTERN:RULE"),
            ("a.py:TFD40l", "--per-file-ignores: unknown rule `TFD40l`; did you mean `TFD40"),
            ("**/a/**/b/**/c/**/d:TFD4", "--per-file-ignores has `**/a/**/b/**/c/**/d`, which has too many `**`"),
        ],
    )
    def test_wrong_ones(self, given: str, said: str, project: Project, run: Run) -> None:
        project(self.FILES)
        done = run("check", "--per-file-ignores", given)
        assert (done.code, done.out) == (2, "")
        assert said in done.err

    def test_they_are_shown(self, project: Project, run: Run) -> None:
        project(self.FILES)
        shown = run("check", "--show-settings", "--extend-per-file-ignores", "b.py:TFD4").out
        rows = [row.split(maxsplit=2) for row in shown.splitlines() if row.startswith("per-file-ignores")]
        assert rows == [
            ["per-file-ignores", "tfdata-lint.toml:1", '{"/a.py" = ["TFD401"]}'],
            ["per-file-ignores", "--extend-per-file-ignores", '{"b.py" = ["TFD4"]}'],
        ]


class TestExclude:
    FILES: Mapping[str, str | bytes] = {
        "a.py": samples.DISCARDED,
        "old/b.py": samples.DISCARDED,
        "sub/old/c.py": samples.DISCARDED,
        "sub/d.py": samples.DISCARDED,
        "tfdata-lint.toml": 'extend-exclude = ["/sub/d.py"]\n',
    }

    def found(self, run: Run, *arguments: str) -> list[str]:
        done = run("check", "--show-files", *arguments)
        assert done.code == 0, done.err
        return done.out.split()

    def test_besides_those_of_the_file(self, project: Project, run: Run) -> None:
        project(self.FILES)
        assert self.found(run) == ["a.py", "old/b.py", "sub/old/c.py"]
        assert self.found(run, "--extend-exclude", "old") == ["a.py"]
        assert self.found(run, "--extend-exclude", "/old, a.py") == ["sub/old/c.py"]
        assert self.found(run, "--extend-exclude", "sub/old") == ["a.py", "old/b.py"]

    def test_in_place_of_the_default(self, project: Project, run: Run) -> None:
        project({**self.FILES, "build/e.py": samples.DISCARDED})
        assert "build/e.py" not in self.found(run)
        assert self.found(run, "--exclude", "old") == ["a.py", "build/e.py"]
        assert self.found(run, "--exclude", "old", "--config", "extend-exclude=[]") == [
            "a.py",
            "build/e.py",
            "sub/d.py",
        ]

    def test_patterns_are_those_of_the_working_directory(self, project: Project, run: Run) -> None:
        project(self.FILES)
        os.chdir("sub")
        assert self.found(run, "..", "--extend-exclude", "old/*.py") == ["../a.py", "../old/b.py"]

    def test_a_settings_file_below_the_working_directory(self, project: Project, run: Run) -> None:
        project({**self.FILES, "sub/tfdata-lint.toml": 'extend-exclude = ["/d.py"]\n'})
        assert self.found(run, "sub") == ["sub/old/c.py"]
        assert self.found(run, "sub", "--extend-exclude", "/old") == ["sub/old/c.py"]
        assert self.found(run, "sub", "--extend-exclude", "/sub/old") == []

    def test_what_is_named_is_read_unless_it_is_forced(self, project: Project, run: Run) -> None:
        project(self.FILES)
        assert self.found(run, "a.py", "--exclude", "a.py") == ["a.py"]
        assert self.found(run, "a.py", "--exclude", "a.py", "--force-exclude") == []

    def test_what_was_kept_is_not_taken_for_it(self, project: Project, run: Run) -> None:
        project(self.FILES)
        counts = [
            run("check", *given).out.count(" TFD401 ")
            for given in ((), ("--exclude", "sub"), (), ("--exclude", "a.py"))
        ]
        assert counts == [3, 2, 3, 2]

    def test_they_are_shown(self, project: Project, run: Run) -> None:
        project(self.FILES)
        shown = run("check", "--show-settings", "--extend-exclude", "old", "--exclude", "x").out.splitlines()
        rows = [row.split(maxsplit=1) for row in shown if re.match("(extend-)?exclude", row)]
        assert [row[0] for row in rows] == ["exclude", "extend-exclude"]
        assert rows[0][1].split() == ["--exclude", '["x"]']
        assert rows[1][1].split("  ") == ["tfdata-lint.toml:1, --extend-exclude", '["/sub/d.py", "old"]']

    def test_a_wrong_one(self, project: Project, run: Run) -> None:
        done = run("check", "--exclude", "**/a/**/b/**/c/**/d")
        assert (done.code, done.err.count("--exclude has `**/a/**/b/**/c/**/d`, which has too many `**`")) == (2, 1)


class TestFixable:
    TWO = (
        "import tensorflow as tf\n"
        "A = tf.data.experimental.AUTOTUNE\n"
        "ds = tf.data.Dataset.range(4).map(lambda x: x + 1, num_parallel_calls=A).batch(2)\n"
        "for x in ds:\n    print(x)\n"
    )

    @pytest.mark.parametrize(
        ("settings", "given", "fixed"),
        [
            ("", (), True),
            ("", ("--unfixable", "TFD701"), False),
            ("", ("--unfixable", "upgrade"), False),
            ("", ("--unfixable", "TFD701", "--extend-fixable", "TFD701"), False),
            ("", ("--unfixable", "TFD7", "--extend-fixable", "TFD701"), True),
            ("", ("--fixable", "TFD102"), False),
            ("", ("--fixable", "TFD102", "--extend-fixable", "upgrade"), True),
            ('unfixable = ["TFD701"]', (), False),
            ('unfixable = ["TFD701"]', ("--extend-fixable", "TFD701"), True),
            ('unfixable = ["TFD701"]', ("--fixable", "TFD7"), True),
            ('fixable = ["TFD102"]', (), False),
            ('fixable = ["TFD102"]\nextend-fixable = ["TFD701"]', (), True),
            ('fixable = ["TFD102"]', ("--fixable", "ALL"), True),
        ],
    )
    def test_it_wins(self, settings: str, given: tuple[str, ...], fixed: bool, project: Project, run: Run) -> None:
        project({"a.py": self.TWO, "tfdata-lint.toml": settings})
        run("check", "--fix-only", "--select", "TFD701", *given)
        assert ("experimental" not in Path("a.py").read_text()) == fixed

    def test_they_are_shown(self, project: Project, run: Run) -> None:
        shown = run("check", "--show-settings", "--unfixable", "TFD1,upgrade").out
        assert re.search(r'(?m)^unfixable +--unfixable +\["TFD1", "upgrade"\]$', shown)

    def test_a_wrong_one(self, project: Project, run: Run) -> None:
        done = run("check", "--extend-fixable", "TFD99")
        assert (done.code, done.err.count("--extend-fixable: unknown rule `TFD99`")) == (2, 1)
