"""What the README and pages show of the linter is so. `python tests/project/test_readme.py` writes it anew."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

from tfdata_lint.cli import main
from tfdata_lint.config.files import parse_toml
from tfdata_lint.config.settings.model import Settings
from tfdata_lint.lint.linting import lint_source

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
#: For newcomers.
NEW = ("faq", "how-it-works", "keras", "rules", "usage")
SHOWING = (README, ROOT / "docs" / "tutorial.md", ROOT / "docs" / "recovery.md")

#: Pictures that show what the linter says, each by the command that draws it.
PICTURES = {ROOT / "docs" / "pipeline.svg": "graph --format svg examples/train.py"}

_TEXTS = (".lua", ".md", ".py", ".toml", ".ts", ".yaml", ".yml")
_INSTALLED_BY_NAME = re.compile(r"""(install|uvx|pipx run)\b[^#&\n]*[\s'"]tfdata-lint([\[=<>~'"\s`]|$)""")

#: Written below a command that readers see, which is the one that is run for it.
_MARK = "<!-- output -->"
_OUTPUT = re.compile(
    rf"(?P<command>^```console\n\$ tfdata-lint (?P<arguments>[^\n]+)\n```\n\n{_MARK}\n```(?:text|diff)\n).*?(?=^```\n)",
    re.DOTALL | re.MULTILINE,
)


def output(arguments: str) -> str:
    """What a command prints, run from the root of the project."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(printed):
            main([*arguments.split(), "--color", "never"])
    finally:
        os.chdir(before)
    printed.seek(0)
    return printed.read().strip("\n") + "\n"


def updated(text: str) -> str:
    return _OUTPUT.sub(lambda match: match["command"] + output(match["arguments"]), text)


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.name)
def test_it_shows_what_the_linter_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count("<!-- output") == len(_OUTPUT.findall(text)) > 0, "an output has no command above it"
    assert updated(text) == text, f"out of date: run `python {Path(__file__).relative_to(ROOT)}`"


def test_the_readme_is_short() -> None:
    rows = README.read_text(encoding="utf-8").splitlines()
    assert len(rows) <= 150
    assert any(row.startswith("![") for row in rows[:20]), "a picture belongs into the first screen"


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_it_draws_what_the_linter_says(picture: Path) -> None:
    assert picture.read_text(encoding="utf-8") == output(PICTURES[picture]), "out of date, as above"


def test_the_pipeline_for_keras_has_no_findings() -> None:
    """Nor any advice, whichever rules are on."""
    page = (ROOT / "docs" / "keras.md").read_text(encoding="utf-8")
    [text] = re.findall(r"^```python\n(import tensorflow.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert "model.fit(batches(" in text
    assert lint_source(text, settings=Settings(extend_select=("pedantic",))).diagnostics == ()


def test_links_lead_somewhere() -> None:
    for page in (README, ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / f"{name}.md" for name in NEW)):
        targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
        missing = [target for target in targets if not (page.parent / target).exists()]
        assert not missing, f"{page.name}: {missing}"


def test_what_is_to_be_installed_can_be() -> None:
    """From a checkout, as long as no package index has us; what we need besides by its own name."""
    folders = ("docs", "editors", "rules", "tfdata_lint", "benchmarks")
    files = [*ROOT.glob("*.*"), *(path for name in folders for path in (ROOT / name).rglob("*"))]
    texts = [path for path in files if path.suffix in _TEXTS and "node_modules" not in path.parts]
    wrong = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in texts
        for line in path.read_text(encoding="utf-8").splitlines()
        if _INSTALLED_BY_NAME.search(line)
    ]
    assert README in texts
    assert not wrong
    extras = parse_toml((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    package = "".join(path.read_text(encoding="utf-8") for path in texts if path.suffix == ".py")
    # `--watch` does without its extra, so that only a page names it.
    pages = "".join(path.read_text(encoding="utf-8") for path in texts if path.suffix == ".md")
    for extra, told in (("lsp", package), ("dask", package), ("profile", package), ("watch", pages)):
        (requirement,) = extras[extra]
        assert f"pip install '{requirement}'" in told


if __name__ == "__main__":
    # What `--diff` says beside it would only hide what was written.
    with contextlib.redirect_stderr(io.StringIO()):
        made = {picture: output(command) for picture, command in PICTURES.items()}
        made |= {page: updated(page.read_text(encoding="utf-8")) for page in SHOWING}
    for path, text in made.items():
        is_new = path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {'written' if is_new else 'unchanged'}")
