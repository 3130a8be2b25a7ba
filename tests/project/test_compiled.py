"""A wheel with the compiled pipeline does what the sources do. It takes minutes to build, hence only in the night.

That mypyc understands the sources is always asked.
"""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from processes import PATIENCE, started, wait_for
from rows import each

from tfdata_lint import __version__

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.release
TRANSLATE = "import sys, hatch_build; hatch_build.translated(sys.argv[1])"


@pytest.mark.thorough
def test_it_can_be_translated(tmp_path: Path) -> None:
    """mypyc crashes on some Python, `x in (a, *b)` for one: this is all but the C compiler."""
    done = subprocess.run([sys.executable, "-c", TRANSLATE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert list(tmp_path.rglob("*.c"))


def test_what_rules_derive_from_allows_it() -> None:
    """A class that is compiled has no subclass that is not, unless it says so."""
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tfdata_lint").rglob("*.py")}
    compiled = {path: tree for path, tree in modules.items() if path.is_relative_to(ROOT / "tfdata_lint" / "pipeline")}
    classes = {
        (".".join(path.relative_to(ROOT).with_suffix("").parts), node.name): node
        for path, tree in compiled.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    derived = []
    for tree in (tree for path, tree in modules.items() if path not in compiled):
        imported = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
            derived += [classes.get(imported.get(ast.unparse(base), ("", ""))) for base in bases]
    bases = [cls for cls in derived if cls is not None]
    assert bases
    assert {
        cls.name
        for cls in bases
        if "allow_interpreted_subclasses" not in " ".join(map(ast.unparse, cls.decorator_list))
    } == set()


def test_a_version_says_what_it_is() -> None:
    assert run(ROOT, "-m", "tfdata_lint", "--version") == f"tfdata-lint {__version__} (pure)\n"


def test_without_a_compiler_the_wheel_is_the_pure_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build
    finally:
        sys.path.remove(str(ROOT))
    from setuptools import Extension

    (tmp_path / "a.c").write_text("int a;")
    extension = Extension("a", [str(tmp_path / "a.c")])
    monkeypatch.setattr(hatch_build, "translated", lambda folder: [extension])
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.delenv("CIBUILDWHEEL", raising=False)
    warnings: list[str] = []
    app = SimpleNamespace(display_warning=warnings.append)
    hook = hatch_build.CompiledPipeline(str(ROOT), {}, None, None, str(tmp_path), "wheel", app)
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", data)
    hook.finalize("standard", data, "")
    assert data == {"force_include": {}}
    assert len(warnings) == 1
    monkeypatch.setenv("CIBUILDWHEEL", "1")
    with pytest.raises(Exception, match="no-such-compiler"):
        hook.initialize("standard", data)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if built := os.environ.get("TFDATA_LINT_COMPILED"):
        # A folder with a wheel that was unpacked: it takes minutes to build one.
        return Path(built)
    folder = tmp_path_factory.mktemp("compiled")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        env=os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"}, check=True,
    )  # fmt: skip
    ZipFile(next(folder.glob("*.whl"))).extractall(folder)
    return folder


def run(package: Path, *arguments: str, cwd: Path = ROOT / "examples", beside: Path | None = None) -> str:
    """What a Python prints that has the package, and what lies in a folder beside it."""
    path = os.pathsep.join(map(str, filter(None, [package, beside])))
    done = subprocess.run(
        [sys.executable, *arguments], env=os.environ | {"PYTHONPATH": path}, cwd=cwd, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.nightly
def test_all_of_the_pipeline_is_compiled(compiled: Path) -> None:
    sources = [path for path in (compiled / "tfdata_lint/pipeline").rglob("*.py") if path.stat().st_size]
    assert sources
    assert all(list(path.parent.glob(f"{path.stem}.*-*")) for path in sources)
    loaded = run(compiled, "-c", "import tfdata_lint.pipeline.recover as door; print(door.__file__)")
    assert not loaded.rstrip().endswith(".py")


@pytest.mark.nightly
@each("arguments", [["check", "--output-format=full"], ["check", "--diff"], ["graph"]])
def test_it_finds_the_same(arguments: list[str], compiled: Path) -> None:
    files = sorted(path.name for path in (ROOT / "examples").glob("*.py"))
    command = ["-m", "tfdata_lint", *arguments, *files]
    if arguments[0] == "check":
        command.append("--no-cache")
    found = run(compiled, *command)
    assert found
    assert found == run(ROOT, *command)


HEAD = "import tensorflow as tf\nds = tf.data.Dataset.range(300)\n"
END = "for x in ds.map(lambda x: x + 1).batch(2):\n    print(x)\n"
#: What ends at a limit: of recursion, of the parser, of the steps that a file may take.
HOSTILE = {
    "attributes": f"{HEAD}ds = ds{'.map(f)' * 3000}\n{END}",
    "operands": f"{HEAD}y = {' + '.join(['1'] * 4000)}\n{END}",
    "nested": HEAD + "".join(f"{' ' * i}if a{i}:\n" for i in range(90)) + f"{' ' * 90}ds = ds.map(f)\n{END}",
    "calls": f"{HEAD}def f0(ds):\n    return ds.map(g).batch(2)\n"
    + "".join(f"def f{i}(ds):\n    return f{i - 1}(ds.map(g))\n" for i in range(1, 600))
    + "for x in f599(ds):\n    pass\n",
    "recursive": f"{HEAD}def f(ds, n):\n    return f(ds.map(g), n + 1)\nfor x in f(ds, 0):\n    pass\n",
    "rows": HEAD + "".join(f"ds = ds.map(f{i})\n" for i in range(1000)) + END,
}


@pytest.mark.nightly
@each("name", HOSTILE)
def test_limits_are_the_same(name: str, compiled: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(HOSTILE[name])
    for limit in (1_000_000, 300):
        command = ["-m", "tfdata_lint", "check", "--no-cache", f"--config=analysis-limit = {limit}", "a.py"]
        assert run(compiled, *command, cwd=tmp_path) == run(ROOT, *command, cwd=tmp_path)


RULE = """
from tfdata_lint import Rule

class {name}(Rule):
    code, name, group, summary = "{code}", "seen-by-acme", "advice", "x"

    def check(self, graph, target):
        {body}
"""
BODIES = {
    "finds": "yield from (self.finding(stage.span, 'seen', cost='c', advice='a') for stage in graph.stages)",
    "fails": "yield graph.no_such_attribute",
    "recurses": "yield from self.check(graph, target)",
}


@pytest.mark.nightly
@each("body", BODIES)
def test_rules_of_others(body: str, compiled: Path, tmp_path: Path) -> None:
    """They extend our classes, ask compiled ones, and fail with the same words."""
    metadata = tmp_path / "acme-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: acme\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[tfdata_lint.rules]\nacme = acme\n")
    text = RULE.format(name="Acme", code="ACME1", body=BODIES[body])
    (tmp_path / "acme.py").write_text(text)
    (tmp_path / "a.py").write_text(HEAD + END)
    command = ["-m", "tfdata_lint", "check", "--isolated", "--no-cache", "--extend-select=ACME1", "a.py"]
    found = run(compiled, *command, cwd=tmp_path, beside=tmp_path)
    assert ("ACME1" if body == "finds" else "TFD002") in found
    assert found == run(ROOT, *command, cwd=tmp_path, beside=tmp_path)


def _tree(folder: Path) -> None:
    for number in range(6):
        (folder / f"m{number}.py").write_text(f"from m{number - 1} import *\n{HEAD}{END}")


@pytest.mark.nightly
@each("jobs", ["processes", "spawned", "dask"])
def test_workers_give_the_same_back(jobs: str, compiled: Path, tmp_path: Path) -> None:
    script = f"""
from tfdata_lint import lint_paths, to_json
from tfdata_lint.run import workers
if __name__ == "__main__":
    if {jobs!r} == "dask":
        from distributed import Client
        with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
            print(to_json(*lint_paths("tree", executor=client.get_executor(pure=False))))
    else:
        if {jobs!r} == "spawned":
            start = workers._processes
            workers._processes = lambda count, copies: start(count, copies=False)
        print(to_json(*lint_paths("tree", jobs=2)))
"""
    (tmp_path / "tree").mkdir()
    _tree(tmp_path / "tree")
    (tmp_path / "s.py").write_text(script)
    found = run(compiled, "s.py", cwd=tmp_path)
    assert found.count('"code"') >= 6
    serial = "from tfdata_lint import lint_paths, to_json; print(to_json(*lint_paths('tree')))"
    assert found == run(ROOT, "-c", serial, cwd=tmp_path)


@pytest.mark.nightly
def test_an_interrupt_ends_it(compiled: Path, tmp_path: Path) -> None:
    # Minutes of work, all of it in the compiled part.
    for number in range(40):
        (tmp_path / f"a{number}.py").write_text(HEAD + "".join(f"if a{i}: ds = ds.map(f)\n" for i in range(2000)) + END)
    with started(
        [sys.executable, "-m", "tfdata_lint", "check", "--no-cache", "--jobs=1", "--config=analysis-limit = 2000000"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(compiled)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        maps = Path(f"/proc/{process.pid}/maps")
        wait_for(lambda: "tfdata_lint_pipeline__mypyc" in maps.read_text())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "tfdata-lint: interrupted\n")


@pytest.mark.nightly
def test_a_fold_is_asked_of_all_operands(compiled: Path) -> None:
    """The number of a parameter is one, and no value."""
    code = "from tfdata_lint.pipeline.facts.draw import Draws; print(Draws().among(0, None))"
    assert run(compiled, "-c", code) == run(ROOT, "-c", code) == "frozenset()\n"
