"""What is known of the modules around a file belongs to a project, which sees them as they were at one time."""

from __future__ import annotations

import ast
import gc
import weakref
from pathlib import Path

import pytest

from tfdata_lint.pipeline.project.bindings import bound_by, bound_in
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.sources import Sources

MAIN = b"from inputs import dataset\nfor x in dataset():\n    pass\n"
INPUTS = "import tensorflow as tf\ndef dataset():\n    return tf.data.Dataset.range(3).{}\n"


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A module that makes a dataset, beside one that takes it."""
    (tmp_path / "inputs.py").write_text(INPUTS.format("batch(2)"))
    return tmp_path / "inputs.py"


def stages(inputs: Path, project: Project) -> list[str]:
    """What the module beside is seen to make."""
    source = project.sources.load(MAIN, str(inputs.with_name("main.py")))
    return [stage.op for stage in recover(source, project).stages]


def unsaved(inputs: Path, method: str) -> Sources:
    sources = Sources()
    sources.unsaved[str(inputs)] = INPUTS.format(method).encode()
    return sources


def test_two_editors_see_what_each_has_not_saved(inputs: Path) -> None:
    one, other, none = Project(unsaved(inputs, "take(1)")), Project(unsaved(inputs, "skip(1)")), Project()
    for _ in range(2):
        assert stages(inputs, one) == ["range", "take"]
        assert stages(inputs, other) == ["range", "skip"]
        assert stages(inputs, none) == ["range", "batch"]


def test_dropping_one_leaves_the_other(inputs: Path) -> None:
    kept, dropped = Project(), Project()
    assert stages(inputs, kept) == stages(inputs, dropped) == ["range", "batch"]
    inputs.unlink()
    assert stages(inputs, Project(dropped.sources)) == []
    del dropped
    assert kept.locate("inputs", str(inputs)) is not None
    assert Project().locate("inputs", str(inputs)) is None


WRITTEN = "import tensorflow as tf\nSIZES = {'batch': 2}\nclass C:\n    size = 3\n"
WRITES = b"import settings\nsettings.SIZES['batch'] = 8\nsettings.C.size = 9\n"
READS = b"""import tensorflow as tf
import settings
ds = tf.data.Dataset.range(9).batch(settings.SIZES['batch']).repeat(settings.C.size)
"""


@pytest.mark.parametrize("names", [("writes", "reads", "again"), ("reads", "writes", "again")])
def test_a_file_does_not_see_what_another_writes(names: tuple[str, ...], tmp_path: Path) -> None:
    """Nor what it depends on, in whatever order they are read."""
    (tmp_path / "settings.py").write_text(WRITTEN)
    texts = {"writes": WRITES + READS, "reads": READS, "again": READS}
    project = Project()
    for name in names:
        graph = recover(project.sources.load(texts[name], str(tmp_path / f"{name}.py")), project)
        _, batch, repeat = graph.stages
        assert (batch.literal("batch_size"), repeat.literal("count")) == ((8, 9) if name == "writes" else (2, 3))
        assert str(tmp_path / "settings.py") in graph.depends


def test_what_is_parsed_outlives_a_project(inputs: Path) -> None:
    """Whose answers do not: other files may have changed."""
    sources = Sources()
    first, second = (Project(sources).module(str(inputs)) for _ in range(2))
    assert first is second is not None
    stages(inputs, Project(sources))
    sources.unsaved[str(inputs)] = INPUTS.format("take(1)").encode()
    assert stages(inputs, Project(sources)) == ["range", "take"]


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("import a.b, c as d\nfrom e import f as g, h\nfrom i import *", "a d g h"),
        ("def f(x):\n    y = x\nclass C:\n    z = 1\nasync def g(): ...", "f C g"),
        ("a, *b = c\nd: int = 1\ne += 1\nf.g = 1\ndel h", "a b d e h"),
        ("for a in b:\n    with c as d, e as (f, g): pass", "a d f g"),
        ("try:\n    pass\nexcept E as e:\n    a = 1", "e a"),
        ("match a:\n    case [b, *c] | {'d': b, **c}:\n        pass\n    case e:\n        pass", "b c e"),
        ("x = [a for a in b if (c := a)]\ny = lambda z: (w := z)", "x c y"),
    ],
)
def test_bound_names(module: str, names: str) -> None:
    tree = ast.parse(module)
    assert {name for name, _ in bound_in(tree)} == {name for name, _ in bound_by(tree.body)} == set(names.split())


def test_a_module_is_free_when_it_is_dropped(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No circle keeps the tree of a file: a run never looks for garbage."""
    project = Project()
    gc.collect()
    gc.disable()
    try:
        linted = project.sources.load(MAIN, str(inputs.with_name("main.py")))
        graph = recover(linted, project)
        assert [stage.op for stage in graph.stages] == ["range", "batch"]
        graph.close()
        beside = project.source(str(inputs))
        assert beside is not None
        # What is found out about a tree in other ways.
        for source in (linted, beside):
            syntax = syntax_of(source)
            assert source.tree is not None
            assert syntax.way(source.tree.body[-1])
            assert syntax.scopes.bindings(source.tree)
        trees = [weakref.ref(linted.tree), weakref.ref(beside.tree)]
        del graph, linted, beside, source, syntax
        monkeypatch.setattr("tfdata_lint.source.sources._KEPT", 0)
        project.sources.load(b"x = 1\n", "another.py")
        assert [tree() for tree in trees] == [None, None]
    finally:
        gc.enable()
