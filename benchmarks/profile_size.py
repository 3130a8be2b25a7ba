"""How long a large profile takes to read, and how much memory: `profile_size.py PROFILE [MEGABYTES]`.

A real profile is recorded over and over, one after the other, until it has that size (default: 300).
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from tfdata_lint.verify.agent import xplane

#: Field numbers of XSpace and XPlane.
PLANES, LINES = 1, 3
SECONDS, MEMORY = 20.0, 1.5e9


def enlarged(path: str, size: int) -> bytes:
    """Each line with its events as often as needed."""
    space = xplane.load(path)
    times = -(-size // os.path.getsize(path))
    lines = [line for plane in space.planes for line in plane.lines]
    length = max(event.offset_ps + event.duration_ps for line in lines for event in line.events)
    written = bytearray()
    for plane in space.planes:
        whole = bytearray()
        for line in plane.lines:
            whole += _field(LINES, _repeated(line, times, length))
        written += _field(PLANES, bytes(whole) + plane.rest)
    return bytes(written)


def _repeated(line: xplane.Any, times: int, length: int) -> bytes:
    events = list(line.events)
    text = bytearray(line.SerializeToString())
    for _ in range(1, times):
        for event in events:
            event.offset_ps += length
        more = type(line)(events=events)
        text += more.SerializeToString()
    return bytes(text)


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def main(path: str, megabytes: str = "300") -> int:
    with tempfile.TemporaryDirectory() as folder:
        large = os.path.join(folder, "host.xplane.pb")
        with open(large, "wb") as file:
            file.write(enlarged(path, int(megabytes) * 1_000_000))
        began = time.perf_counter()
        command = [sys.executable, "-m", "tfdata_lint", "profile", large, "--source", folder, "--isolated"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds = time.perf_counter() - began
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = os.path.getsize(large)
    print(done.stdout)
    processor = used.ru_utime + used.ru_stime
    print(
        f"{size / 1e6:,.0f} MB: {seconds:.1f} s ({processor:.1f} s of a core), {used.ru_maxrss / 1e3:,.0f} MB at most"
    )
    return int(seconds > SECONDS or used.ru_maxrss * 1e3 > MEMORY)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
