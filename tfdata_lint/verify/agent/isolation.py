"""Keeping the user's code off the network."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
from typing import Any

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1


def block_network() -> str:
    """Leave only the loopback device, and say how: `blocked`, or `blocked in Python` where the system cannot."""
    if sys.platform == "linux" and _own_namespace():
        return "blocked"
    _patch_sockets()
    return "blocked in Python"


def _own_namespace() -> bool:
    """Enter a network namespace of our own; without privileges that needs a user namespace around it."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NEW_NETWORK) != 0:
        if libc.unshare(_NEW_USER | _NEW_NETWORK) != 0:
            return False
        _keep_identity(user, group)
    _loopback_up()
    return True


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
