"""Files are read if they are regular, and up to a size."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tfdata_lint.source.content import Refused, read


def test_content_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x\r\n\0")
    assert read(str(tmp_path / "a.py")) == b"x\r\n\0"
    with pytest.raises(FileNotFoundError):
        read(str(tmp_path / "b.py"))


def test_no_more_than_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"x" * 3_000_000)
    assert len(read(str(file), 3_000_000)) == 3_000_000
    with pytest.raises(Refused, match="more than 2 MB") as caught:
        read(str(file), 2_999_999)
    assert caught.value.strerror == str(caught.value)


def test_a_file_that_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"x" * 100)
    monkeypatch.setattr("tfdata_lint.source.content._check", lambda *_: 10)
    assert len(read(str(file), 100)) == 100
    with pytest.raises(Refused):
        read(str(file), 99)


@contextmanager
def _special(folder: Path, kind: str) -> Iterator[str]:
    path = str(folder / "a.py")
    if kind == "folder":
        os.mkdir(path)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        os.symlink("/dev/zero", path)
    elif kind == "loop":
        os.symlink("a.py", path)
    elif kind == "socket":
        # The name of a socket may have some hundred characters, which the folder of a test may exceed.
        with socket.socket(socket.AF_UNIX) as server:
            os.chdir(folder)
            server.bind("a.py")
            yield path
            return
    yield path


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("folder", "directory|folder"),
        ("pipe", "a pipe"),
        ("device", "a device"),
        ("loop", "symbolic links"),
        ("socket", "a socket"),
    ],
)
def test_special_files_are_refused(kind: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with _special(tmp_path, kind) as path, pytest.raises(OSError, match=reason) as caught:
        read(path)
    assert caught.value.strerror
