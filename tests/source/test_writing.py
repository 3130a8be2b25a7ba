"""Writing: a file is replaced whole, and whatever comes in between leaves it as it was, with nothing beside it."""

from __future__ import annotations

import errno
import os
import stat
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tfdata_lint.source.writing import CannotWrite, replace_file

OLD, NEW = b"a = 1\r\n", b"a = 2\r\n" * 100_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    return path


def refusal(path: Path) -> str:
    """Why the file cannot be written, which must then be as it was."""
    names = sorted(os.listdir(path.parent))
    content = path.read_bytes()
    with pytest.raises(CannotWrite) as refused:
        replace_file(str(path), OLD, NEW)
    assert path.read_bytes() == content
    assert sorted(os.listdir(path.parent)) == names
    return str(refused.value)


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Permissions do not keep root out. A relative path is needed: others may not enter the folders above."""
    here = os.getcwd()
    os.chdir(folder)
    if root := os.geteuid() == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        os.chdir(here)


posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")


@pytest.mark.parametrize("new", [NEW, b"", OLD])
def test_content_is_replaced(file: Path, new: bytes) -> None:
    replace_file(str(file), OLD, new)
    assert file.read_bytes() == new
    assert os.listdir(file.parent) == ["a.py"]


def test_path_in_the_working_directory(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    replace_file("a.py", OLD, NEW)
    assert file.read_bytes() == NEW


@pytest.mark.parametrize("length", [1, 255])
def test_names_of_any_length(tmp_path: Path, length: int) -> None:
    path = tmp_path / ("a" * length)
    path.write_bytes(OLD)
    replace_file(str(path), OLD, NEW)
    assert path.read_bytes() == NEW


@posix_only
@pytest.mark.parametrize("mode", [0o755, 0o640, 0o600, 0o666, 0o4750])
def test_mode_is_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    replace_file(str(file), OLD, NEW)
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_owner_is_kept(file: Path) -> None:
    os.chown(file, 65534, 12345)
    file.chmod(0o6755)
    replace_file(str(file), OLD, NEW)
    status = file.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (65534, 12345, 0o6755)


@posix_only
def test_owner_that_cannot_be_kept(file: Path) -> None:
    file.chmod(0o666)
    file.parent.chmod(0o777)
    with as_nobody(file.parent):
        replace_file("a.py", OLD, NEW)
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o666


def test_nobody_else_reads_it_meanwhile(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.chmod(0o600)
    modes = []

    def fsync(descriptor: int) -> None:
        modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o077)

    monkeypatch.setattr(os, "fsync", fsync)
    replace_file(str(file), OLD, NEW)
    assert modes == [0]


# ── files that are not to be written ────────────────────────────────────────────────────────────────────────────────


def test_read_only(file: Path) -> None:
    file.chmod(0o444)
    assert refusal(file) == "this file is read-only; allow writing it (`chmod u+w`) and run again"
    file.chmod(0o644)


@posix_only
def test_file_of_somebody_else(file: Path) -> None:
    file.parent.chmod(0o777)
    if os.geteuid() != 0:
        pytest.skip("needs root, to have a file that this user may not write")
    with as_nobody(file.parent):
        assert refusal(Path("a.py")) == "this file cannot be written: Permission denied"


@posix_only
def test_folder_that_cannot_be_written(file: Path) -> None:
    file.chmod(0o666)
    file.parent.chmod(0o555)
    with as_nobody(file.parent):
        assert refusal(Path("a.py")).startswith("nothing can be written to the folder of this file")
    file.parent.chmod(0o755)


@posix_only
def test_symbolic_link(file: Path) -> None:
    link = file.parent / "link.py"
    link.symlink_to("a.py")
    assert refusal(link) == "this is a symbolic link to `a.py`; fix that file instead"
    assert link.is_symlink()


@posix_only
def test_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    with pytest.raises(CannotWrite, match="not a regular file"):
        replace_file(str(tmp_path / "a.py"), OLD, NEW)


@pytest.mark.parametrize("content", [b"", OLD + b"b = 1\n", b"a = 3\r\n", NEW])
def test_changed_meanwhile(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert refusal(file) == "this file was changed since it was read; run again"


def test_changed_while_it_is_written(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: file.write_bytes(b"b = 1"))
    with pytest.raises(CannotWrite, match="changed since"):
        replace_file(str(file), OLD, NEW)
    assert file.read_bytes() == b"b = 1"
    assert os.listdir(file.parent) == ["a.py"]


def test_gone_meanwhile(file: Path) -> None:
    file.unlink()
    with pytest.raises(CannotWrite, match="no longer there"):
        replace_file(str(file), OLD, NEW)
    assert os.listdir(file.parent) == []


# ── what fails on the way ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("call", ["open", "fsync", "chmod", "replace"])
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "there is no space left on the disk; make room and run again"),
        (errno.EDQUOT, "there is no space left on the disk; make room and run again"),
        (errno.EROFS, "this file cannot be written: Read-only file system"),
        (errno.EIO, "this file cannot be written: Input/output error"),
    ],
)
@posix_only
def test_errors_of_the_system(file: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, words: str) -> None:
    real = getattr(os, call)

    def fails(*arguments: Any, **options: Any) -> Any:
        if call == "open" and not arguments[1] & os.O_CREAT:
            return real(*arguments, **options)
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fails)
        reason = ""
        try:
            replace_file(str(file), OLD, NEW)
        except CannotWrite as error:
            reason = str(error)
    assert reason == words
    assert file.read_bytes() == OLD
    assert os.listdir(file.parent) == ["a.py"]


@posix_only
def test_write_that_the_system_cuts_short(file: Path) -> None:
    """As on a full disk: some of the bytes are written, the rest is refused."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(NEW) // 2, limits[1]))
    try:
        reason = refusal(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert reason == "this file cannot be written: File too large"


@pytest.mark.parametrize("call", ["open", "fdopen", "fsync", "chmod", "replace"])
@pytest.mark.parametrize("after_it", [False, True])
def test_interrupt(file: Path, monkeypatch: pytest.MonkeyPatch, call: str, after_it: bool) -> None:
    real = getattr(os, call)

    def interrupted(*arguments: Any, **options: Any) -> NoReturn:
        if after_it:
            result = real(*arguments, **options)
            if call == "open":
                os.close(result)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        if call == "open":
            patched.setattr(os, "open", lambda *a: interrupted(*a) if a[1] & os.O_CREAT else real(*a))
        else:
            patched.setattr(os, call, interrupted)
        with pytest.raises(KeyboardInterrupt):
            replace_file(str(file), OLD, NEW)
    assert file.read_bytes() == (NEW if (call, after_it) == ("replace", True) else OLD)
    assert os.listdir(file.parent) == ["a.py"]


# ── what a file has besides its content ─────────────────────────────────────────────────────────────────────────────


@posix_only
def test_hard_links(file: Path) -> None:
    (file.parent / "b.py").hardlink_to(file)
    assert refusal(file) == "this file has 2 names (hard links); fix a copy of it that has one"
    assert os.path.samefile(file, file.parent / "b.py")


def attribute(path: Path, name: str, value: bytes) -> None:
    """Give a file an extended attribute, where it can have some."""
    if sys.platform != "linux":
        pytest.skip("needs extended attributes")
    try:
        os.setxattr(path, name, value)
    except OSError as error:
        pytest.skip(f"needs {name}: {error}")


#: Its owner may read and write it, user 12345 too, others nothing.
ACL = struct.pack(
    "<I" + "HHI" * 5, 2, 1, 6, 2**32 - 1, 2, 6, 12345, 4, 0, 2**32 - 1, 16, 6, 2**32 - 1, 32, 0, 2**32 - 1
)


@pytest.mark.parametrize(("name", "value"), [("user.label", b"kept\0so"), ("system.posix_acl_access", ACL)])
def test_attributes_are_kept(file: Path, name: str, value: bytes) -> None:
    attribute(file, name, value)
    mode = file.stat().st_mode
    replace_file(str(file), OLD, NEW)
    assert file.read_bytes() == NEW
    assert (os.getxattr(file, name), file.stat().st_mode) == (value, mode)


def test_attributes_that_the_folder_would_give(file: Path) -> None:
    attribute(file.parent, "system.posix_acl_default", ACL)
    before = os.listxattr(file), file.stat().st_mode
    replace_file(str(file), OLD, NEW)
    assert (os.listxattr(file), file.stat().st_mode) == before


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EPERM, "this file has the attribute `user.label`, which its new version cannot be given: Operation not"),
        (errno.ENOTSUP, "this file has the attribute `user.label`, which its new version cannot be given: Operation"),
        (errno.ENOSPC, "there is no space left on the disk"),
    ],
)
def test_attributes_that_cannot_be_kept(file: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str) -> None:
    attribute(file, "user.label", b"x")

    def fails(*arguments: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "setxattr", fails)
    assert refusal(file).startswith(words)
    assert os.getxattr(file, "user.label") == b"x"


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP, errno.EACCES])
def test_attributes_of_the_system(file: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Those that sign the old content are never set, others where the system lets us, and only where it can."""
    if sys.platform != "linux":
        pytest.skip("needs extended attributes")
    names = ["security.evm", "security.ima", "security.label"]
    asked = []

    def fails(path: str, name: str, value: bytes) -> NoReturn:
        asked.append(name)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "listxattr", lambda path: names if path == str(file) else [])
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"x")
    monkeypatch.setattr(os, "setxattr", fails)
    if number == errno.EACCES:
        assert "`security.label`, which its new version cannot be given" in refusal(file)
    else:
        replace_file(str(file), OLD, NEW)
        assert file.read_bytes() == NEW
    assert asked == ["security.label"]


def test_file_systems_without_attributes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: object) -> NoReturn:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(os, "listxattr", fails, raising=False)
    replace_file(str(file), OLD, NEW)
    assert file.read_bytes() == NEW
