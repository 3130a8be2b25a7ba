"""Keeping the user's code off the network, and what it writes off the user's disk."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

_NEW_MOUNTS, _NEW_USER, _NEW_NETWORK = 0x20000, 0x10000000, 0x40000000
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
_BE_SUBREAPER = 36
#: With the privileges of the system folders that were there before can be renamed; without there is only the second.
_PRIVILEGED, _ANYBODY = "redirect_dir=on", "userxattr"


def isolate(network: bool, folder: str, copies: Sequence[str]) -> tuple[str, bool]:
    """How the network is off: `open`, `blocked`, or `blocked in Python` where the system cannot. Are there copies?

    To be called while there is only one thread. In a namespace of its own every process of a run is known by the mount
    of its folder; elsewhere what has lost its parent becomes our child.
    """
    entered = _own_namespaces(_NEW_MOUNTS | (0 if network else _NEW_NETWORK)) if sys.platform == "linux" else ""
    copied = False
    if entered:
        with suppress(OSError):
            _mount("none", "/", None, _RECURSIVE | _PRIVATE)
            _mount(folder, folder, None, _BIND)
            copied = _copy(copies, os.path.join(folder, "layers"), entered)
    elif sys.platform == "linux":
        ctypes.CDLL(None).prctl(_BE_SUBREAPER, 1)
    if network:
        return "open", copied
    if entered:
        _loopback_up()
        return "blocked", copied
    _patch_sockets()
    return "blocked in Python", copied


def main(folder: str, *copies: str) -> None:
    """Could such copies be made? Ends with 0 if so."""
    below = os.path.join(folder, "lower", "below")
    os.makedirs(os.path.join(below, "old"))
    os.mkdir(os.path.join(folder, "layers"))
    _, copied = isolate(True, folder, [os.path.dirname(below), *copies])
    if not copied:
        sys.exit(1)
    # Not every file system can remember that something is gone.
    shutil.rmtree(below)
    os.mkdir(below)
    sys.exit(1 if os.listdir(below) else 0)


def end_children() -> None:
    """Where there is no namespace, nobody else knows of those that have left everything behind."""
    while children := _children():
        for child in children:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        with suppress(OSError):
            os.waitpid(-1, 0)


def _children() -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    return found


# ── copies of folders ───────────────────────────────────────────────────────────────────────────────────────────────


def _copy(folders: Sequence[str], layers: str, option: str) -> bool:
    """What is written in these folders goes into layers of our own, as do deletions. Raises `OSError`."""
    for number, folder in enumerate(folders):
        parts = [os.path.join(layers, str(number), name) for name in ("upper", "work")]
        for part in parts:
            os.makedirs(part)
        shutil.copymode(folder, parts[0])
        below = [(point, os.open(point, os.O_PATH)) for point in _mounts_below(folder)]
        # By number, for no character of a path to be taken for an option.
        lower, upper, work = (os.open(path, os.O_PATH) for path in (folder, *parts))
        where = f"lowerdir=/proc/self/fd/{lower},upperdir=/proc/self/fd/{upper},workdir=/proc/self/fd/{work}"
        _mount("tfdata-lint", folder, "overlay", 0, f"{where},{option}")
        for point, descriptor in below:
            _mount(f"/proc/self/fd/{descriptor}", point, None, _BIND | _RECURSIVE)
        for descriptor in (lower, upper, work, *(number for _, number in below)):
            os.close(descriptor)
    if folders:
        # Until now it is the folder below.
        os.chdir(os.getcwd())
        _rename_folders()
    return True


def _mounts_below(folder: str) -> list[str]:
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        points = [line.split()[4] for line in file]
    decoded = [point.encode(errors="surrogateescape").decode("unicode_escape") if "\\" in point else point
               for point in points]  # fmt: skip
    inside = [point for point in dict.fromkeys(decoded) if point.startswith(folder.rstrip("/") + "/")]
    # What is mounted further below comes with them.
    return [point for point in inside if not any(point.startswith(f"{other}/") for other in inside)]


def _rename_folders() -> None:
    """A folder that was there before cannot be renamed in every such copy."""

    def renaming(original: Any) -> Any:
        def rename(source: Any, target: Any, **keywords: Any) -> None:
            try:
                original(source, target, **keywords)
            except OSError as error:
                if error.errno != errno.EXDEV or keywords or not os.path.isdir(source):
                    raise
                shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
                shutil.rmtree(source)

        return rename

    os.rename, os.replace = renaming(os.rename), renaming(os.replace)


def _mount(what: str, where: str, kind: str | None, flags: int, options: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (what, where, kind, options)]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]) != 0:
        raise OSError(ctypes.get_errno(), f"{where} cannot be mounted")


# ── namespaces ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _own_namespaces(wanted: int) -> str:
    """Enter namespaces of our own; without privileges that needs a user namespace around them.

    Which option overlays need there; empty if it cannot be.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(wanted) == 0:
        return _PRIVILEGED
    if libc.unshare(_NEW_USER | wanted) != 0:
        return ""
    _keep_identity(user, group)
    return _ANYBODY


def _keep_identity(user: int, group: int) -> None:
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(probe, _GET_FLAGS, request))[1]
        fcntl.ioctl(probe, _SET_FLAGS, struct.pack("16sH14s", b"lo", flags | _UP, b""))


def _patch_sockets() -> None:
    def refusing(original: Any) -> Any:
        def connect(self: socket.socket, address: Any) -> Any:
            local = not isinstance(address, tuple) or str(address[0]) in ("localhost", "127.0.0.1", "::1")
            if local:
                return original(self, address)
            raise OSError(101, "Network is unreachable (tfdata-lint --verify; --verify-network allows it)")

        return connect

    class Socket(socket.socket):
        connect = refusing(socket.socket.connect)
        connect_ex = refusing(socket.socket.connect_ex)

    socket.socket = Socket  # type: ignore[misc]
