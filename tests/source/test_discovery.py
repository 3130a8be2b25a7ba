"""Which files are found: in order, once, without what is excluded or ignored."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from tfdata_lint.source import content, discovery
from tfdata_lint.source.discovery import Found, discover


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(*paths: str, text: str = "") -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)


def found(*paths: str, **options: Any) -> list[str]:
    results = list(discover(paths, **options))
    assert [result.problem for result in results] == [None] * len(results)
    return [result.path.replace(os.sep, "/") for result in results]


@pytest.mark.usefixtures("tree")
def test_files_before_folders_in_order_of_names() -> None:
    write("b.py", "a.ipynb", "z.pyi", "c/d.py", "c/a/x.py", "a/y.py", "README.md", "c/data.csv", "x.py/in.py")
    expected = ["a.ipynb", "b.py", "z.pyi", "a/y.py", "c/d.py", "c/a/x.py", "x.py/in.py"]
    assert found(".") == expected
    assert found("") == expected
    assert found("c", "./a/") == ["a/y.py", "c/d.py", "c/a/x.py"]
    assert found(os.path.abspath("c")) == [
        os.path.abspath(path).replace(os.sep, "/") for path in ("c/d.py", "c/a/x.py")
    ]


@pytest.mark.usefixtures("tree")
def test_each_file_once() -> None:
    write("a/b.py", "a/script", "c.py")
    paths = ["a", "a/b.py", "./a/../a/b.py", os.path.abspath("a"), "a/script", "a"]
    results = list(discover(paths))
    assert len({os.path.abspath(result.path) for result in results}) == len(results) == 2
    assert all(result.explicit for result in results)
    assert [result.explicit for result in discover(["a", "c.py"])] == [False, True]


@pytest.mark.usefixtures("tree")
def test_paths_that_lead_nowhere() -> None:
    write("a.py")
    os.symlink("gone", "link.py")
    os.mkfifo("pipe.py")
    results = {result.path: result.problem for result in discover(["no.py", "a.py", "link.py", "pipe.py"])}
    assert results == {
        "no.py": "no such file or folder", "a.py": None, "link.py": "a link to nothing",
        "pipe.py": "neither a file nor a folder",
    }  # fmt: skip
    # Below a folder links to nothing are passed over; why others cannot be read is said when that is tried.
    assert found(".") == ["a.py", "pipe.py"]


@pytest.mark.usefixtures("tree")
def test_one_entry_does_not_hide_the_others() -> None:
    write("a.py", "sub/b.py")
    for name, target in {"loop.py": "loop.py", "sub/way.py": "../a.py/x.py", "far.py": "x" * 300}.items():
        os.symlink(target, name)
    assert found(".") == ["a.py", "far.py", "loop.py", "sub/b.py"]


@pytest.mark.usefixtures("tree")
def test_what_a_walk_depends_on() -> None:
    def is_kept(*paths: str) -> bool:
        visited: list[str] = []
        list(discover(paths or ["."], visited=visited))
        return "" not in visited

    write("a.py", ".gitignore")
    os.mkfifo("pipe.py")
    os.symlink("loop.py", "loop.py")
    assert is_kept()
    # What these lead to may become a file.
    os.symlink("gone.py", "b.py")
    assert not is_kept()
    os.unlink("b.py")
    os.symlink("/", "b.py")
    assert not is_kept()
    os.unlink("b.py")
    # Each run says that it cannot be read.
    os.unlink(".gitignore")
    os.symlink("/dev/null", ".gitignore")
    assert not is_kept()


@pytest.mark.usefixtures("tree")
def test_folders_in_one_another() -> None:
    write("d/" * 250 + "a.py", "e.py")
    assert found(".") == ["e.py", "d/" * 250 + "a.py"]
    write("d/" * 251 + "a.py")
    *_, last = discover(["."])
    assert last == Found(
        os.path.join(*"d" * 251), False, "cannot read this folder: it is nested more than 250 folders deep"
    )


@pytest.mark.usefixtures("tree")
def test_links_to_folders_are_not_followed() -> None:
    write("a/b.py", "c.py")
    os.symlink("..", "a/up")
    os.symlink("a", "same")
    os.symlink("../c.py", "a/c.py")
    assert found(".") == ["c.py", "a/b.py", "a/c.py"]
    assert found("same") == ["same/b.py", "same/c.py"]


@pytest.mark.usefixtures("tree")
def test_unreadable_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a/b.py", "c/d.py")
    scandir = os.scandir

    def refuse(path: str) -> Any:
        if path == os.path.join("a", ""):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(discovery.os, "scandir", refuse)
    assert list(discover(["."])) == [
        Found("a", False, "cannot read this folder: Permission denied"),
        Found(os.path.join("c", "d.py"), False),
    ]


# ── excludes ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("tree")
def test_default_excludes() -> None:
    write(".venv/a.py", "x/node_modules/a.py", "build/a.py", "x/builder.py", "lib/site-packages/p.py", ".git/h.py")
    write(".ipynb_checkpoints/n.ipynb")
    assert found(".") == ["x/builder.py"]
    assert found(".", exclude=["x"]) == [
        ".git/h.py", ".ipynb_checkpoints/n.ipynb", ".venv/a.py", "build/a.py", "lib/site-packages/p.py",
    ]  # fmt: skip
    # What is named is linted all the same.
    assert found("build") == ["build/a.py"]
    assert found("build/a.py", ".venv") == [".venv/a.py", "build/a.py"]
    assert found("build", "build/a.py", ".venv", "x", force_exclude=True) == ["x/builder.py"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        (["*_pb2.py"], ["a.py", "p/b.py", "p/q/c.py"]),
        (["p/q"], ["a.py", "a_pb2.py", "p/b.py", "p/b_pb2.py"]),
        (["/p/*.py"], ["a.py", "a_pb2.py", "p/q/c.py"]),
        (["**/q/"], ["a.py", "a_pb2.py", "p/b.py", "p/b_pb2.py"]),
        (["a.py", "p/**"], ["a_pb2.py"]),
        (["a.py/", "p/"], ["a.py", "a_pb2.py"]),
        (["*.py", "!b.py"], ["p/b.py"]),
        (["q", "*[!2].py"], ["a_pb2.py", "p/b_pb2.py"]),
        (["#p", ""], ["a.py", "a_pb2.py", "p/b.py", "p/b_pb2.py", "p/q/c.py"]),
    ],
)
@pytest.mark.usefixtures("tree")
def test_extend_exclude(patterns: list[str], left: list[str]) -> None:
    write("a.py", "a_pb2.py", "p/b.py", "p/b_pb2.py", "p/q/c.py", "build/x.py")
    assert found(".", extend_exclude=patterns) == left
    every = ["a.py", "a_pb2.py", "p/b.py", "p/b_pb2.py", "p/q/c.py", "build/x.py"]
    assert sorted(found(*every, extend_exclude=patterns)) == sorted(every)
    assert sorted(found(*every, extend_exclude=patterns, force_exclude=True)) == sorted(left)


def test_patterns_are_relative_to_the_root(tree: Path) -> None:
    write("sub/p/a.py", "sub/a.py")
    assert found("sub", extend_exclude=["/p"]) == ["sub/a.py", "sub/p/a.py"]
    assert found("sub", extend_exclude=["/p"], root=str(tree / "sub")) == ["sub/a.py"]
    assert found("sub/p", "sub", extend_exclude=["sub/p/a.py"]) == ["sub/a.py"]


# ── .gitignore ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("tree")
def test_gitignore() -> None:
    write("a.py", "gen/b.py", "gen/keep.py", "sub/gen_c.py", "sub/d.py", "sub/deep/e.py", "sub/deep/f.py")
    write(".gitignore", text="# generated\ngen/*\n!gen/keep.py\ngen_*.py\n/sub/deep/e.py\n!\n[\n")
    write("sub/.gitignore", text="!gen_c.py\nd.py\n")
    assert found(".") == ["a.py", "gen/keep.py", "sub/gen_c.py", "sub/deep/f.py"]
    assert len(found(".", respect_gitignore=False)) == 7
    assert "gen/b.py" in found(".", "gen/b.py")


@pytest.mark.usefixtures("tree")
def test_gitignores_of_the_folders_above() -> None:
    write("r/s/t/a.py", "r/s/t/b.py", "r/s/t/c.py", "r/s/t/d.py", "r/t/a.py")
    write(".gitignore", text="d.py\n")
    write("r/.gitignore", text="/s/t/a.py\nb.py\nt/a.py\n")
    write("r/s/.gitignore", text="!b.py\n")
    # Without a repository only the folders that are walked count.
    assert found("r/s/t") == ["r/s/t/a.py", "r/s/t/b.py", "r/s/t/c.py", "r/s/t/d.py"]
    write("r/.git/info/exclude", text="c.py\nb.py\n")
    assert found("r/s/t") == ["r/s/t/b.py", "r/s/t/d.py"]
    assert found("r/s") == ["r/s/t/b.py", "r/s/t/d.py"]


@pytest.mark.usefixtures("tree")
def test_an_ignored_folder_that_is_named() -> None:
    write("r/out/a.py", "r/out/in/b.py", "r/out/in/c.py", "r/.git/HEAD")
    write("r/.gitignore", text="out/\n")
    write("r/out/.gitignore", text="c.py\n")
    assert found("r") == []
    assert found("r/out") == ["r/out/a.py", "r/out/in/b.py"]


@pytest.mark.parametrize(
    "text",
    [
        "# a\x1c*.py", "# a\r*.py", "# a\x0b*.py\n", "# a\u2028*.py", "*.py\x0b", "a.py  \n", "a.py\\ \n", " a.py",
        "a.py\r\nb.py", "a.py\t", "\x0ca.py", "b.py \\ ", "[[a]*",
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("error::FutureWarning")
def test_lines_of_a_gitignore_as_git_has_them(text: str, repository: Path) -> None:
    for entry in repository.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for name in ("a.py", "b.py"):
        (repository / name).touch()
    (repository / ".gitignore").write_bytes(text.encode())
    command = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=repository, env=ENVIRONMENT, capture_output=True, check=True)
    expected = {name for name in listed.stdout.decode().split("\0") if name.endswith(".py")}
    assert {os.path.basename(result.path) for result in discover([str(repository)])} == expected


@pytest.mark.usefixtures("tree")
def test_patterns_that_take_exponential_time() -> None:
    # Only that they are done with: what comes before the brackets may match in more ways than can be tried.
    write("a" * 250 + ".py", "(" * 250 + ".py", "b.py")
    write(".gitignore", text="*a" * 20 + "[^q]b.py\n" + "*[(]" * 20 + "[^q]b.py\n" + "*(" * 20 + "[^q]b.py\nb.p[!x]\n")
    assert len(found(".")) == 2


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("rows", ["*?a\n" * 1_001, "a\n" * 10_001, "**/a/" * 5])
def test_too_many_patterns_are_said(rows: str) -> None:
    write("a.py", "sub/a.py")
    write(".gitignore", text=f"{rows}\n*.py\n")
    content.unread.clear()
    assert found(".") == ["a.py", "sub/a.py"]
    assert list(content.unread) == [os.path.abspath(".gitignore")]
    content.unread.clear()


NAMES = ["a", "b", "ab", "c.py", "a.py", "b.pyi"]
SEGMENTS = st.sampled_from(
    [
        "a", "b", "*", "**", "a*", "*.py", "?", "[ab]", "[!a]*", "[^b]", "c.py", "*.py[ci]", "\\a", "*a*b*",
        "*a*[!q]*y",
    ]
)  # fmt: skip
LINES = st.builds(
    lambda no, root, segments, folder: f"{no}{root}{'/'.join(segments)}{folder}",
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(SEGMENTS, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
PATHS = st.lists(st.sampled_from(NAMES[:3]), max_size=3).flatmap(
    lambda folders: st.sampled_from(NAMES[3:]).map(lambda name: "/".join([*folders, name]))
)


#: Without the ignores of whoever runs the tests.
ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@settings(max_examples=60, deadline=None)
@given(
    paths=st.sets(PATHS, min_size=1, max_size=8),
    lines=st.lists(LINES, min_size=1, max_size=4),
    nested=st.lists(LINES, max_size=2),
    top=st.sampled_from([".", "a"]),
)
def test_gitignore_as_git_has_it(
    repository: Path, paths: set[str], lines: list[str], nested: list[str], top: str
) -> None:
    for entry in repository.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for path in [*paths, "a/a.py"]:
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).touch()
    (repository / ".gitignore").write_text("\n".join(lines))
    (repository / "a" / ".gitignore").write_text("\n".join(nested))
    command = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=repository, env=ENVIRONMENT, capture_output=True, check=True)
    expected = {name for name in listed.stdout.decode().split("\0") if name.endswith((".py", ".pyi"))}
    if top == "a":
        # Git lists nothing of an ignored folder, which is linted when it is named.
        command = ["git", "check-ignore", "-q", "a/"]
        assume(subprocess.run(command, cwd=repository, env=ENVIRONMENT, check=False).returncode == 1)
        expected = {name for name in expected if name.startswith("a/")}
    ours = {os.path.relpath(result.path, repository) for result in discover([str(repository / top)], exclude=[])}
    assert ours == expected
