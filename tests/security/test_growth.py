"""Whatever a stranger writes, work and memory grow with its length. What is cut off is said. No clock is looked at."""

from __future__ import annotations

import re
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from growing_inputs import INPUTS, PIPELINE, Files
from rows import drawn

from tfdata_lint import lint_paths, lint_source
from tfdata_lint.cli import main
from tfdata_lint.config import requirements
from tfdata_lint.config.files import parse_toml
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.config.settings.values import LARGEST, MOST
from tfdata_lint.source import formatters, notebook
from tfdata_lint.source.globs import is_costly, linear
from tfdata_lint.source.module import load
from tfdata_lint.source.suppression import Suppressions

pytestmark = pytest.mark.no_cover

#: Of twice the length the work may be so many times as much: what is linear has 2, and what has a square 4.
FACTOR = 3
#: In one expression, which Python does not read where it is much deeper than this: 3 s at most.
STEEPER = {"stages": 5, "targets": 7}
#: What is no more than a start costs.
START = 3_000
#: What is about many files, each of which is looked at anew; what is about one is measured below.
MANY = {name for name in INPUTS if name.startswith(("modules", "folders", "packages", "names_alike", "notebooks"))}


@contextmanager
def counted() -> Iterator[list[int]]:
    """Calls of Python and of C functions: the same on every machine."""
    calls = [0]

    def count(frame: FrameType, event: str, argument: object) -> None:
        calls[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def written(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return folder


def work_of(folder: Path, files: Files) -> int:
    """The calls for linting a folder with these files."""
    written(folder, files)
    requirements.tensorflow_of.cache_clear()
    formatters.formatter_of.cache_clear()
    with counted() as calls:
        for _ in lint_paths([str(folder)]):
            pass
    return calls[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", drawn(sorted(INPUTS.keys() - MANY)))
def test_work_grows_with_size(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    costs = []
    # The first time modules are imported.
    for turn, size in enumerate((1, 1, 150, 300)):
        folder = tmp_path / str(turn)
        folder.mkdir()
        monkeypatch.chdir(folder)
        try:
            written(folder, INPUTS[name](size))
        except OSError:
            pytest.skip("no file may have such a name here")
        costs.append(work_of(folder, INPUTS[name](size)))
    _, start, one, two = costs
    assert two - start <= STEEPER.get(name, FACTOR) * max(one - start, START), costs


class TestExpressions:
    """Patterns over rows: that work is in C and no call counts it, so that what takes for ever is kept to few steps."""

    def test_patterns_of_a_stranger(self) -> None:
        from pathspec import GitIgnoreSpec

        (pattern,) = GitIgnoreSpec.from_lines(["*a" * 40 + "*b"]).patterns
        expression = linear(pattern.regex)
        # With the expression of pathspec this ends in no one's lifetime.
        assert expression.match("a" * 200) is None
        assert expression.match("a" * 200 + "b")

    @pytest.mark.parametrize(
        ("pattern", "fits", "does_not"),
        [
            ("*a*b*c", ["abc", "xaxbxc", "d/abc", "aabbcc"], ["acb", "abcd", "a/bc"]),
            ("*.t*st.*", ["a.test.py", ".tst."], ["a.text.py", "atest.py"]),
            ("/*a*b?*", ["abx", "xabxx"], ["ab", "d/abx"]),
            ("**/*x*y*/z*", ["xy/z", "a/b/x1y/zz"], ["x/y/z", "xy/a/z"]),
            ("*[a-c]*[!d]*e", ["axe", "bbe"], ["ade", "xxe"]),
            (r"*\**a*b", ["*ab", "x*xab"], ["xab"]),
            ("a***b*c*", ["abc", "axxbc"], ["acb"]),
        ],
    )
    def test_they_mean_the_same(self, pattern: str, fits: list[str], does_not: list[str]) -> None:
        from pathspec import GitIgnoreSpec

        (one,) = GitIgnoreSpec.from_lines([pattern]).patterns
        for expression in (one.regex, linear(one.regex)):
            assert [name for name in [*fits, *does_not] if expression.match(name)] == fits
        assert linear(one.regex) is not one.regex

    def test_deep_ones_are_costly(self) -> None:
        assert is_costly("**/a" * 4)
        assert is_costly("a" * 1_001)
        assert not is_costly("**/node_modules/**/dist/**")

    def test_a_word_with_horovod(self) -> None:
        from tfdata_lint.rules.distribution.unsharded_workers import _ALONE

        # Only where a word begins is it tried.
        assert re.sub(_ALONE, "", "a" * 50_000) == "a" * 50_000
        assert re.sub(_ALONE, "", "if hvd.rank() == 0: pass") == "if : pass"
        assert re.sub(_ALONE, "", "gpus[hvd.local_rank()]") == "gpus[]"

    def test_a_comparison(self) -> None:
        assert requirements.requirement("tensorflow" + "=" * 100_000, "") is not None
        found = requirements.requirement("tensorflow" + " " * 100_000 + ">= 2.4", "")
        assert found is not None
        assert found.oldest == (2, 4)
        assert requirements.lowest(">=2.4 , <3 || == 2.2") == (2, 2)
        assert requirements.lowest("==" + "9" * 10_000) == (999_999, 0)


class TestSetup:
    def test_names_made_of_names(self, tmp_path: Path) -> None:
        written(tmp_path, INPUTS["setup_doubled"](2_000))
        assert requirements.tensorflow_of(str(tmp_path)).oldest == (2, 4)

    def test_each_list_is_read(self, tmp_path: Path) -> None:
        text = (
            "base = ['numpy', 'tensorflow==2.6']\nmore = {'gpu': base + ['a'], 'old': ['tensorflow==2.3']}\n"
            "setup(install_requires=base, extras_require={'x': more['old'], 'y': more['gpu']})\n"
        )
        found = list(requirements._setup_py(text))
        assert [(is_optional, one.version, one.where) for is_optional, one in found] == [
            (False, (2, 6), ":1"), (True, (2, 3), ":2"), (True, (2, 6), ":1"),
        ]  # fmt: skip

    def test_a_circle(self) -> None:
        text = "a = b + ['tensorflow==2.5']\nb = a\nsetup(install_requires=b)\n"
        assert [one.version for _, one in requirements._setup_py(text)] == [(2, 5)]


class TestSettings:
    def problems(self, tmp_path: Path, text: str) -> list[str]:
        (tmp_path / "pyproject.toml").write_text(text)
        configuration = Configuration()
        configuration.for_folder(str(tmp_path))
        return [problem.message for problem in configuration.problems]

    def test_the_analysis_has_a_limit(self, tmp_path: Path) -> None:
        found = self.problems(tmp_path, f"[tool.tfdata-lint]\nanalysis-limit = {10**15}\n")
        assert found == ["`analysis-limit` must be at most 2,000,000"]
        with pytest.raises(ValueError, match="at most"):
            Settings(analysis_limit=LARGEST + 1)
        assert Settings(analysis_limit=LARGEST).analysis_limit == LARGEST

    def test_lists_have_a_limit(self, tmp_path: Path) -> None:
        entries = ",".join(['"TFD101"'] * (MOST + 1))
        found = self.problems(tmp_path, f"[tool.tfdata-lint]\nselect = [{entries}]\n")
        assert found == ["`select` must have at most 1,000 entries, not 1,001"]
        long = "a" * 1_001
        found = self.problems(tmp_path, f'[tool.tfdata-lint]\nexclude = ["{long}"]\n')
        assert found == ["`exclude` must have entries of at most 1,000 characters, and has one of 1,001"]

    def test_costly_patterns_are_refused(self, tmp_path: Path) -> None:
        found = self.problems(tmp_path, '[tool.tfdata-lint.per-file-ignores]\n"**/a/**/b/**/c/**/d" = ["TFD101"]\n')
        assert len(found) == 1
        assert "too many `**`" in found[0]

    def test_few_problems_are_told(self, tmp_path: Path) -> None:
        keys = "".join(f"key{number} = 1\n" for number in range(5_000))
        found = self.problems(tmp_path, f"[tool.tfdata-lint]\n{keys}")
        assert len(found) == 21
        assert found[-1] == "there are more problems"

    @pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{a = " * 100_000])
    def test_deep_toml(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(ValueError, match="nested too deeply"):
            parse_toml(text)
        assert self.problems(tmp_path, f"# tfdata\n{text}\n") == ["not valid TOML: it is nested too deeply"]

    @pytest.mark.parametrize("text", ["a." * 300 + "b = 1", "[" + "a." * 300 + "b]", '"a".' * 300 + "b = 1"])
    def test_long_keys(self, text: str) -> None:
        with pytest.raises(ValueError, match="more than 200 parts"):
            parse_toml(text)
        assert parse_toml("a = [" + "1.5, " * 300 + "]\nb = '" + "." * 300 + "'\n")["b"] == "." * 300


class TestComments:
    def test_a_row_of_directives(self) -> None:
        text = "x = 1  " + "# tfdata-lint: ignore[" * 20_000 + "\n"
        assert len(Suppressions([(1, text)]).unused(["TFD101"])) == 100

    def test_places_of_many(self) -> None:
        text = "é = f(  # noqa: TFD101\n    1,  # é # noqa: TFD102 # noqa: TFD103\n)\n"
        found = Suppressions([(1, text)]).unused(["TFD101", "TFD102", "TFD103"])
        assert [(one.row, one.column) for one in found] == [(1, 9), (2, 13), (2, 28)]


class TestNotebooks:
    def test_rows_of_broken_cells(self) -> None:
        source = load(INPUTS["cells_half_broken"](3)["train.ipynb"].encode(), "train.ipynb")
        assert source.tree is not None
        assert [source.location(problem.row, problem.column)[:3] for problem in source.problems] == [
            (2, 5, 2), (2, 5, 3), (2, 5, 4),
        ]  # fmt: skip

    def test_magics_on_end(self) -> None:
        assert notebook.without_magics("%%time\n  %%capture x\n\nx = 1") == "\n  \n\nx = 1"
        assert notebook.without_magics("\n pip install a b \n") == "\n\n"
        assert notebook.without_magics("pip install a\nx = 1") == "pip install a\nx = 1"


def _peak(text: str) -> int:
    tracemalloc.start()
    try:
        # The doubled one has a square until the steps are used up.
        lint_source(text, settings=Settings(analysis_limit=200_000))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class TestMemory:
    """Bytes at the peak, for each byte of the text."""

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["blank_rows", "comments", "newer_syntax", "error_at_the_end", "dict_doubled"])
    def test_memory_grows_with_size(self, name: str) -> None:
        # Sizes that no other test has: what was parsed once is kept, and would take no memory. Two that are alike: what
        # other threads of the process take meanwhile counts, too.
        small, large = (
            min(_peak(INPUTS[name](size)["train.py"]) for size in sizes) for sizes in ((701, 703), (1402, 1404))
        )
        assert large <= FACTOR * max(small, 2_000_000), (small, large)


def test_many_findings_are_cut_off_and_said() -> None:
    text = PIPELINE + "".join("for b in ds.map(f):\n    step(b)\n" for _ in range(300))
    codes = [found.code for found in lint_source(text, settings=Settings(analysis_limit=5_000)).diagnostics]
    assert "TFD003" in codes
    assert len(codes) < 400


def test_every_input_is_written() -> None:
    for name, make in INPUTS.items():
        assert make(2), name
        assert all(make(2).values()) or name == "cells_empty", name


def test_a_hostile_pyproject_is_no_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, INPUTS["pyproject_deep"](100_000))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["check", "--no-cache", "--jobs", "1", "."]))
    assert ended.value.code == 2
    assert "nested too deeply" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["check --diff", "check --fix --unsafe-fixes", "check --add-noqa", "graph", "graph --coverage"]
)
@pytest.mark.parametrize("name", ["findings", "noqas_of_ours", "ignores_malformed", "cells_half_broken", "pipelines"])
def test_other_commands_grow_with_size(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    rest = ["--no-cache", "--jobs", "1", "--exit-zero"] if command.startswith("check") else []
    costs = []
    for turn, size in enumerate((1, 1, 60, 120)):
        folder = written(tmp_path / str(turn), INPUTS[name](size))
        monkeypatch.chdir(folder)
        with counted() as calls:
            main([*command.split(), *rest, "."])
        costs.append(calls[0])
        capsys.readouterr()
    _, start, one, two = costs
    assert two - start <= FACTOR * max(one - start, START), costs
