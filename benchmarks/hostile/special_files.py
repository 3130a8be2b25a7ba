"""Files that are no regular files or never end, links, names and folders, wherever the linter reads something."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from inputs import PROGRAM, Input

BOM = b"\xef\xbb\xbf"
CHECK = ("check", "--no-cache", "--output-format=concise")
IMPORTING = "from {} import make\n\ntry:\n    make()\nfinally:\n    pass\n" + PROGRAM


# ── what a file can be ──────────────────────────────────────────────────────────────────────────────────────────────


def _zero(path: Path) -> Path:
    os.symlink("/dev/zero", path)
    return path


def _loop(path: Path) -> None:
    os.symlink(path.name, path)


def _socket(path: Path) -> None:
    # The name of a socket may have some hundred characters, which the folder may exceed.
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def _endless(path: Path) -> None:
    """A file with a hole, which takes no room on the disk."""
    path.touch()
    os.truncate(path, 1 << 40)


KINDS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link to `/dev/zero`": (_zero, "a device"),
    "a pipe": (os.mkfifo, "a pipe"),
    "a link to itself": (_loop, "symbolic links"),
    "a socket": (_socket, "a socket"),
    "a terabyte long": (_endless, r"more than \d+ MB"),
}
#: What is read of a project.
PLACES = (
    "a.py", "a.pyi", "a.ipynb", "sub/a.py", ".gitignore", "sub/.gitignore", ".git/info/exclude", "pyproject.toml",
    "tfdata-lint.toml", ".tfdata-lint.toml", "setup.py", "setup.cfg", "requirements.txt", "requirements/base.txt",
    "environment.yml", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "Dockerfile", "ruff.toml", ".ruff.toml",
    ".style.yapf", "tox.ini", ".flake8", "pylintrc", ".pylintrc",
)  # fmt: skip
#: Each of them as a link to a device and as a pipe, these as everything.
EVERYTHING = ("a.py", ".gitignore", "pyproject.toml", "requirements.txt", "uv.lock", "ruff.toml")


def at(place: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if place.startswith("sub/"):
            (folder / "sub" / "b.py").touch()
        make(path)

    return build


def _placed() -> Iterator[Input]:
    for place in PLACES:
        for number, (kind, (make, reason)) in enumerate(KINDS.items()):
            if number < 2 or place in EVERYTHING:
                yield Input(f"`{place}` is {kind}", at(place, make), f"{place.replace('.', '[.]')}.*{reason}")


# ── what is imported, and what the command line and settings name ───────────────────────────────────────────────────


def _imported(place: str, module: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        at(place, make)(folder)
        (folder / "train.py").write_text(IMPORTING.format(module))

    return build


def _baseline(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        (folder / "tfdata-lint.toml").write_text('baseline = "known.json"\n')
        make(folder / "known.json")

    return build


def _named() -> Iterator[Input]:
    for kind, (make, reason) in KINDS.items():
        yield Input(
            f"the imported `helper.py` is {kind}", _imported("helper.py", "helper", make), f"helper[.]py.*{reason}"
        )
        yield Input(
            f"the `__init__.py` of an imported package is {kind}",
            _imported("package/__init__.py", "package", make), f"__init__[.]py.*{reason}",
        )  # fmt: skip
        said = f"cannot read known.json: .*{reason}|`baseline` leads out"
        yield Input(f"the baseline is {kind}", _baseline(make), said, linted=False)
        yield Input(
            f"`--config` names what is {kind}", at("my.toml", make), f"my.toml: cannot be read: .*{reason}",
            (*CHECK, "--config=my.toml", "."),
        )  # fmt: skip
        yield Input(
            f"a file that is {kind} is named", at("a.py", make), "a.py.*(neither a file|link to nothing|more than)",
            (*CHECK, "a.py", "train.py"),
        )  # fmt: skip
    for command in ("graph", "check --diff", "check --fix", "check --add-noqa=x", "check --write-baseline"):
        yield Input(
            f"`a.py` and `.gitignore` are links to `/dev/zero`, with `{command}`",
            lambda folder: list(map(_zero, (folder / "a.py", folder / ".gitignore"))),
            "(?s)(?=.*a[.]py.*a device).*gitignore.*a device", (*command.split(), "."), linted=False,
        )  # fmt: skip


# ── folders and names ───────────────────────────────────────────────────────────────────────────────────────────────


def _deep(folder: Path, levels: int = 3_000, ignored: bool = False) -> None:
    """A path that is too long for the system."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        for _ in range(levels):
            os.mkdir("d")
            os.chdir("d")
            if ignored:
                Path(".gitignore").write_text("*_pb2.py\n/gen/\n")
        Path("a.py").touch()
    finally:
        os.chdir(here)


def _deep_ignores(folder: Path) -> None:
    _deep(folder, ignored=True)


def _many(folder: Path) -> None:
    for number in range(100_000):
        (folder / f"empty_{number}.py").touch()


def _names(*names: str | bytes) -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        for name in names:
            with open(os.path.join(os.fsencode(folder), os.fsencode(name)), "wb") as file:
                file.write(b"import tensorflow as tf\nds = tf.data.Dataset(\n")

    return build


def _closed(place: str) -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        path = folder / place
        if path.suffix:
            path.touch()
        else:
            path.mkdir()
        path.chmod(0)

    return build


def _linked_folders(folder: Path) -> None:
    (folder / "sub").mkdir()
    for number in range(50):
        os.symlink("..", folder / "sub" / f"up{number}")
        os.symlink("sub", folder / f"same{number}.py")


def _pointing(folder: Path) -> None:
    os.symlink("gone.py", folder / "a.py")
    os.symlink("train.py/gone.py", folder / "b.py")


def _around(folder: Path) -> None:
    """Links that lead to one another."""
    for number in range(100):
        os.symlink(f"l{(number + 1) % 100}.py", folder / f"l{number}.py")


FOLDERS = [
    Input("3,000 folders in one another", _deep, "nested more than [0-9]+ folders deep"),
    Input("3,000 of them with a `.gitignore` each", _deep_ignores, "nested more than [0-9]+ folders deep"),
    Input("100,000 empty files", _many),
    Input(
        "a `.gitignore` with a pattern of 20 `*`",
        lambda folder: [
            (folder / ".gitignore").write_text("*a" * 20 + "[^q]b.py\n"),
            (folder / ("a" * 250 + ".py")).write_text(""),
        ],
    ),
    Input(
        "a `.gitignore` of 200,000 patterns",
        lambda folder: (folder / ".gitignore").write_text("".join(f"[a]*{n}?x.py\n" for n in range(200_000))),
        r"\.gitignore:.*more than 10,000 rows",
    ),
    Input("links to folders, in circles", _linked_folders),
    Input("links to nothing", _pointing),
    Input("100 links that lead to one another", _around, "(?s)l0[.]py.*symbolic links.*l99[.]py.*symbolic links"),
    Input("a folder `x.py`", lambda folder: (folder / "x.py").mkdir()),
    Input("a folder `pyproject.toml`", lambda folder: (folder / "pyproject.toml").mkdir(), "pyproject.toml.*a folder"),
    Input("`.git` is a pipe", lambda folder: os.mkfifo(folder / ".git")),
    Input("`.git` is a link to itself", lambda folder: _loop(folder / ".git")),
    Input("a name that is not UTF-8", _names(b"a\xff.py"), r"\.py:2:\d+: error TFD000"),
    Input("a name with newlines", _names("a\nb\r.py"), r"\.py:2:\d+: error TFD000"),
    Input("a name of control characters", _names("\x1b[31m\x07.py"), r"\.py:2:\d+: error TFD000"),
    Input("a name of 255 bytes", _names("a" * 252 + ".py"), "TFD000"),
]
if os.geteuid():
    # Nothing is closed to root.
    FOLDERS += [
        Input(f"`{place}` may not be read", _closed(place), f"{place}.*Permission denied")
        for place in ("a.py", "sub", ".gitignore", "pyproject.toml", "requirements.txt")
    ]


# ── texts ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _text(data: bytes, name: str = "a.py") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(data)


PLAIN = PROGRAM.encode()
TEXTS = [
    Input("two marks of UTF-8", _text(BOM + BOM + PLAIN), "a.py.*two marks of UTF-8"),
    Input("two marks of UTF-8 in a notebook", _text(BOM + BOM + b'{"cells": []}', "tensorflow.ipynb")),
    Input("a NUL", _text(PLAIN + b"\0"), "a.py.*NUL"),
    Input("UTF-16", _text(PROGRAM.encode("utf-16") + PLAIN), "a.py.*UTF-16"),
    Input("UTF-32", _text(PROGRAM.encode("utf-32") + PLAIN), "a.py.*not valid UTF-8|a.py.*UTF-16"),
    Input("half of a surrogate", _text(PLAIN + b"x = '\xed\xa0\x80'\n"), "a.py.*not valid UTF-8"),
    *(
        Input(f"`coding: {name}`", _text(b"# coding: %b\n%b%b" % (name.encode(), PLAIN, rest)), f"a.py.*`{name}`")
        for name, rest in (
            ("utf-7", b"x = '+2AA-'\n"), ("unicode_escape", b"x = '\\ud800'\n"), ("raw_unicode_escape", b"#\\u000a1 1"),
            ("idna", b"#" + b"xn--a-ecp." * 100_000), ("punycode", b"#" + b"\n-" + b"a" * 400_000), ("zip", b""),
            ("undefined", b""), ("cp037", b""),
        )
    ),
    Input(
        "16 MB on standard input", lambda folder: None, "standard input is larger than 16 MB",
        (*CHECK, "--stdin-filename=a.py", "-"), linted=False, stdin=b"x = 1\n" * 2_700_000,
    ),
    Input(
        "a `pyproject.toml` that is nested deeply",
        _text(b"[tool.tfdata-lint]\nselect = " + b"[" * 100_000, "pyproject.toml"), "pyproject.toml: not valid TOML",
    ),
    Input(
        "a baseline that is nested deeply",
        _baseline(lambda path: path.write_bytes(b"[" * 100_000)), "known.json.*", linted=False,
    ),
]  # fmt: skip

PLACED, NAMED = list(_placed()), list(_named())
INPUTS = [*PLACED, *NAMED, *FOLDERS, *TEXTS]
