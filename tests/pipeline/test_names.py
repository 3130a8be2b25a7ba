"""What one file of a project asks of the others: who imports it, what its program says, what is overridden."""

from __future__ import annotations

from pathlib import Path

import pytest
from rows import each

from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.names import (
    answer,
    is_imported,
    is_in_project,
    is_used,
    may_be_used_elsewhere,
    overrides,
    says,
    says_anywhere,
)
from tfdata_lint.source.content import LARGEST
from tfdata_lint.source.module import Source
from tfdata_lint.source.sources import load

CLASS = "class Reader:\n    def parse(self, x):\n        return x\n"


def at(folder: Path, file: str, **texts: str) -> Source:
    """One file of a project of several; `__` stands for a separator."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in texts.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    path = folder / file
    return load(path.read_bytes(), str(path))


@each(
    ("text", "expected"),
    [
        ("import data", True),
        ("import os, data", True),
        ("from data import load", True),
        ("from data import (  # all\n    read,\n    load,\n)", True),
        ("def late():\n    from data import *", True),
        ("import data.load", True),
        ("import database", False),
        ("from project import data", False),
        ("from other.data import load", False),
        ("# import data", False),
        ("text = 'import data'", False),
        ("import importlib\nimportlib.import_module(name)", False),
    ],
)
def test_who_imports_a_module(text: str, expected: bool, tmp_path: Path) -> None:
    source = at(tmp_path, "data.py", data="def load(): ...\n", main=text, other__data="def load(): ...\n")
    assert is_imported(Project(), source)[0] is expected


@each(
    ("name", "text", "expected"),
    [
        ("package/sub/main.py", "from . import data", "package/sub/data.py"),
        ("package/sub/main.py", "from .data import load", "package/sub/data.py"),
        ("package/sub/main.py", "from ..data import load", "package/data.py"),
        ("package/sub/main.py", "from .. import data", "package/data.py"),
        ("package/sub/main.py", "from package.sub import data", "package/sub/data.py"),
        # What lies beside a file comes before what lies above.
        ("package/sub/main.py", "import data", "package/sub/data.py"),
        ("main.py", "import data", "data.py"),
    ],
)
def test_the_nearest_module_is_meant(name: str, text: str, expected: str, tmp_path: Path) -> None:
    places = ("data.py", "package/data.py", "package/sub/data.py")
    (tmp_path / "package" / "sub").mkdir(parents=True)
    for folder in ("package", "package/sub"):
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / name).write_text(text)
    for place in places:
        (tmp_path / place).write_text("def load(): ...\n")
    found = [place for place in places if is_imported(Project(), at(tmp_path, place))[0]]
    assert found == [expected]


@each(
    ("text", "expected"),
    [
        ("from data import load", True),
        ("from data import load as read", True),
        ("from data import *", True),
        ("import data\n\ndata.load()", True),
        ("import data\n\ngetattr(data, name)()", True),
        ("import data\n\ndata.other()", False),
        ("from data import other", False),
        ("load = 1", False),
    ],
)
def test_who_uses_a_name(text: str, expected: bool, tmp_path: Path) -> None:
    source = at(tmp_path, "data.py", data="def load(): ...\ndef other(): ...\n", main=text)
    assert is_used(Project(), source, "load")[0] is expected


def test_who_uses_all_names(tmp_path: Path) -> None:
    source = at(tmp_path, "data.py", data="def load(): ...\n", main="import data")
    assert not is_used(Project(), source, "*")[0]
    (tmp_path / "more.py").write_text("from data import *")
    assert is_used(Project(), source, "*")[0]


@each(
    ("others", "expected"),
    [
        ({"main": "import data, seeds", "seeds": "tf.random.set_seed(1)"}, True),
        ({"main": "import data\ntf.keras.utils.set_random_seed(1)"}, True),
        ({"main": "import middle", "middle": "import data", "seeds": "tf.random.set_seed(1)"}, False),
        ({"main": "import middle\nimport seeds", "middle": "import data", "seeds": "tf.random.set_seed(1)"}, True),
        # A program of its own, a test: neither imports the module.
        ({"another": "tf.random.set_seed(1)", "main": "import data"}, False),
        ({"tests__test_it": "tf.random.set_seed(1)"}, False),
    ],
)
def test_what_the_program_of_a_module_says(others: dict[str, str], expected: bool, tmp_path: Path) -> None:
    source = at(tmp_path, "data.py", data="def load(): ...\n", **others)
    assert says(Project(), source, "seed")[0] is expected
    assert says_anywhere(Project(), source, "seed")[0] is any("set_" in text for text in others.values())


@each(
    ("other", "expected"),
    [
        ("class Mine(Reader):\n    def parse(self, x):\n        return -x\n", True),
        ("class Mine(data.Reader):\n    x = 1\n\n    async def parse(self, x):\n        return -x\n", True),
        ("class Middle(Reader):\n    pass\n\nclass Mine(Middle):\n    def parse(self, x): ...\n", True),
        ("class Mine(Other, Reader):\n    def parse(self, x): ...\n", True),
        ("class Mine(Reader):\n    def read(self, x): ...\n", False),
        ("class Mine(Writer):\n    def parse(self, x): ...\n", False),
        ("class Mine:\n    def parse(self, x): ...\n", False),
        ("def parse(x): ...\nclass Mine(Reader): ...\n", False),
        ("class Mine(Reader): ...\n\nclass Free:\n    def parse(self, x): ...\n", False),
    ],
)
def test_methods_that_are_overridden(other: str, expected: bool, tmp_path: Path) -> None:
    source = at(tmp_path, "data.py", data=CLASS, main=f"from data import Reader\n{other}")
    assert overrides(Project(), source, source.path, "Reader", "parse")[0] is expected
    # In the same text, which need not lie anywhere.
    same = load(f"{CLASS}\n{other}".encode(), "/nowhere/data.py")
    assert overrides(Project(), same, same.path, "Reader", "parse")[0] is expected


def test_what_cannot_be_read_may_say_anything(tmp_path: Path) -> None:
    source = at(tmp_path, "a.py", a="x = 1\n")
    (tmp_path / "b.py").symlink_to("nothing.py")
    (tmp_path / "c.py").symlink_to("c.py")
    (tmp_path / "d.py").mkdir()
    questions = [("says", "seed"), ("is_imported",), ("is_used", "x"), ("overrides", source.path, "A", "f")]
    assert not any(answer(Project(), source, *question)[0] for question in questions)
    assert not may_be_used_elsewhere(Project(), source)
    with (tmp_path / "e.py").open("wb") as file:
        file.truncate(LARGEST + 1)
    assert all(answer(Project(), source, *question)[0] for question in questions)
    assert may_be_used_elsewhere(Project(), source)


def test_a_broken_link_above_is_no_module(tmp_path: Path) -> None:
    """Where no project is marked, the files above a folder are looked at, too."""
    (tmp_path / "main.py").symlink_to("nothing.py")
    (tmp_path / "src").mkdir()
    path = tmp_path / "src" / "data.py"
    path.write_text("x = 1\n")
    assert not may_be_used_elsewhere(Project(), load(path.read_bytes(), str(path)))
    (tmp_path / "run.py").write_text("from src.data import x\n")
    assert may_be_used_elsewhere(Project(), load(path.read_bytes(), str(path)))


def test_an_old_program_is_not_presumed(tmp_path: Path) -> None:
    source = at(tmp_path, "data.py", data="x = 1\n")
    with open(tmp_path / "more.py", "wb") as file:
        file.truncate(LARGEST + 1)
    assert says(Project(), source, "seed")[0]
    assert not says(Project(), source, "contrib")[0]
    assert not says(Project(), source, "before 2.4")[0]


def test_each_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = at(tmp_path, "data.py", data=CLASS, main="from data import Reader", seeds="tf.random.set_seed(1)")
    project = Project()
    opened: list[str] = []
    read = project.sources.read
    monkeypatch.setattr(project.sources, "read", lambda path: opened.append(path) or read(path))
    for word in ("seed", "any seed", "deterministic", "ragged"):
        says(project, source, word)
    overrides(project, source, source.path, "Reader", "parse")
    is_used(project, source, "Reader")
    assert sorted(opened) == sorted(set(opened))
    assert len(opened) == 3


@each(
    ("marks", "expected"),
    [
        ((".git", "a/pyproject.toml"), ""),
        (("a/.git", "setup.cfg"), "a"),
        (("pyproject.toml", "a/b/setup.cfg"), ""),
        (("a/setup.py",), "a"),
        # A helper of this name sets nothing up.
        ((".git", "a/b/prepare/setup.py"), ""),
        (("a/b/prepare/setup.py",), None),
        ((), None),
    ],
)
def test_where_a_project_begins(marks: tuple[str, ...], expected: str | None, tmp_path: Path) -> None:
    (tmp_path / "a" / "b" / "prepare").mkdir(parents=True)
    for mark in marks:
        text = "def prepare(): ...\n" if "prepare" in mark else "from setuptools import setup\n\nsetup()\n"
        (tmp_path / mark).write_text(text)
    assert Project().root(str(tmp_path / "a" / "b")) == ("" if expected is None else str(tmp_path / expected))


@each(
    ("others", "expected"),
    [
        ({"train": "from model import data\n"}, True),
        ({"train": "import model.data\n"}, True),
        ({"other": "import data\n"}, False),
    ],
)
def test_who_imports_a_module_that_no_project_holds(others: dict[str, str], expected: bool, tmp_path: Path) -> None:
    source = at(tmp_path, "model/data.py", model__data="def load(): ...\n", **others)
    (tmp_path / ".git").rmdir()
    assert is_imported(Project(), source)[0] is expected
    assert not is_in_project(Project(), source)[0]
