"""Writing a file so that it is either as before or as wanted, whatever happens meanwhile."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress

from tfdata_lint.source.content import read
from tfdata_lint.source.inside import leads_out

_WRITABLE_BY_ANYONE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_NO_SPACE = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_NO_ATTRIBUTES = (errno.ENOTSUP, errno.ENOSYS)
#: They sign the content that was: the system gives new ones.
_SIGNATURES = frozenset({"security.ima", "security.evm"})
#: What is said to who may not set an attribute, or where nobody can.
_REFUSED = (errno.EPERM, errno.ENOTSUP)


class CannotWrite(Exception):
    """The file was left as it is: why, in one sentence."""


def replace_file(path: str, before: bytes, after: bytes) -> None:
    """Replace the content of a file that was read as `before`. Raises CannotWrite."""
    temporary = os.path.join(os.path.dirname(path), f".tfdata-lint-{os.urandom(8).hex()}.tmp")
    try:
        status = _status_of_writable(path)
        try:
            _write(temporary, after, status)
            _copy_attributes(path, temporary)
            if read(path) != before:
                raise CannotWrite("this file was changed since it was read; run again")
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except FileNotFoundError:
        raise CannotWrite("this file is no longer there; run again") from None
    except OSError as error:
        if error.errno in _NO_SPACE:
            raise CannotWrite("there is no space left on the disk; make room and run again") from error
        raise CannotWrite(f"this file cannot be written: {error.strerror or error}") from error


def _status_of_writable(path: str) -> os.stat_result:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        raise CannotWrite(f"this is a symbolic link to `{os.readlink(path)}`; fix that file instead")
    if leads_out(path):
        raise CannotWrite("this file lies outside of the project, behind a link; fix it by its own path")
    if not stat.S_ISREG(status.st_mode):
        raise CannotWrite("this is not a regular file; fix a copy of it")
    if status.st_nlink > 1:
        # The new file would have one of the names, and the others what was there.
        raise CannotWrite(f"this file has {status.st_nlink} names (hard links); fix a copy of it that has one")
    if not status.st_mode & _WRITABLE_BY_ANYONE:
        # Root could write it all the same, but it was marked so on purpose.
        raise CannotWrite("this file is read-only; allow writing it (`chmod u+w`) and run again")
    # Replacing a file asks only for the right to write its folder; that to write the file is needed too.
    os.close(os.open(path, os.O_WRONLY))
    return status


def _write(path: str, data: bytes, like: os.stat_result) -> None:
    """A new file with the owner and mode of another one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except PermissionError:
        raise CannotWrite("nothing can be written to the folder of this file; allow writing it and run again") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)
    if hasattr(os, "chown"):
        for owner, group in ((-1, like.st_gid), (like.st_uid, -1)):
            # Only root may give a file away.
            with suppress(PermissionError):
                os.chown(path, owner, group)
    os.chmod(path, stat.S_IMODE(like.st_mode))


def _copy_attributes(old: str, new: str) -> None:
    """Extended attributes, which access control lists are among, exactly as those of another file."""
    # Elsewhere Python has no way to them.
    if sys.platform != "linux":
        return
    wanted, there = _attributes(old), _attributes(new)
    for name in {**there, **wanted}.keys() - _SIGNATURES:
        try:
            if name not in wanted:
                # Given by the folder to whatever is made in it.
                os.removexattr(new, name)
            elif there.get(name) != wanted[name]:
                os.setxattr(new, name, wanted[name])
        except OSError as error:
            if error.errno in _NO_SPACE:
                raise
            if name.startswith("security.") and error.errno in _REFUSED:
                # The system's own, as it gives them to new files.
                continue
            why = f"this file has the attribute `{name}`, which its new version cannot be given: {error.strerror}"
            raise CannotWrite(why) from error


def _attributes(path: str) -> dict[str, bytes]:
    if sys.platform != "linux":
        return {}
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except OSError as error:
        if error.errno in _NO_ATTRIBUTES:
            return {}
        raise
