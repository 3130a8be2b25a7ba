"""Files that are not plain modules: scripts with magics, documents with code, and what is no Python at all."""

from __future__ import annotations

import pytest

from tfdata_lint.lint.linting import lint_source
from tfdata_lint.source.module import load

SCRIPT = """\
# %% imports
%matplotlib inline
!pip install x
import tensorflow as tf

# %%
%%bash
ls -la
#%%
x = (3
% 2)
if x:
    %time y = f(x)
help?
"""


def test_a_script_of_cells_is_read_without_its_magics() -> None:
    source = load(SCRIPT.encode(), "a.py")
    assert source.tree is not None
    assert source.problems == []
    assert source.text.split("\n")[:9] == ["# %% imports", "", "", "import tensorflow as tf", "", "", "", "", "#%%"]
    assert source.text.split("\n")[9:] == ["x = (3", "% 2)", "if x:", "    pass; y = f(x)", "", ""]
    assert source.lines == SCRIPT.split("\n")


def test_so_is_one_of_ipython() -> None:
    source = load(b"%cd data\nx = 1\n", "a.ipy")
    assert source.tree is not None
    assert source.text == "\nx = 1\n"


@pytest.mark.parametrize("text", ["%matplotlib inline\nx = 1\n", "# %\n!ls\n", "# %%\n!ls\nx = = 1\n"])
def test_what_else_python_does_not_accept_is_a_mistake(text: str) -> None:
    source = load(text.encode(), "a.py")
    assert source.tree is None
    assert len(source.problems) == 1


@pytest.mark.parametrize("text", ["# %%\nx = 1\n", "# %%\nx = (\n    3\n    % 2\n)\n", "# %%\nx = '''\n%cd\n!ls'''\n"])
def test_plain_python_stays_as_it_is(text: str) -> None:
    assert load(text.encode(), "a.py").text == text


@pytest.mark.parametrize(
    ("path", "message", "advice"),
    [
        ("a.qmd", "Quarto documents are not read", "`quarto convert a.qmd`"),
        ("b.Rmd", "R Markdown documents are not read", "`jupytext --to ipynb b.Rmd`"),
        ("c.md", "Markdown documents are not read", "`jupytext --to ipynb c.md`"),
        ("d.txt", "this is not Python, as its ending `.txt` says", "`.py`, `.pyi` or `.ipynb`"),
    ],
)
def test_other_kinds_are_named(path: str, message: str, advice: str) -> None:
    text = '---\ntitle: x\n---\n\n```{python}\nprint "x"\nimport tensorflow as tf\n```\n'
    (diagnostic,) = lint_source(text, path).diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("TFD000", "error")
    assert message in diagnostic.message
    assert advice in diagnostic.advice


def test_python_is_read_whatever_its_ending() -> None:
    code = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds.batch(2)\n"
    assert [d.code for d in lint_source(code, "a.txt").diagnostics] == ["TFD401"]
    assert [d.code for d in lint_source(code, "a").diagnostics] == ["TFD401"]
