"""Draws `icon.png`: a pipeline of three stages, the last of which is checked. `python icon.py` writes it anew."""

from __future__ import annotations

import itertools
import math
import struct
import zlib
from pathlib import Path

SIZE = 256
FILE = Path(__file__).with_name("icon.png")
NAVY, ORANGE, WHITE = (20, 33, 61), (252, 163, 17), (255, 255, 255)
#: Bars from the left to the right, each with its row, and the marks of a tick, as fractions of the side.
BARS = ((0.20, 0.80, 0.27), (0.29, 0.71, 0.46), (0.38, 0.41, 0.65))
TICK = ((0.55, 0.68), (0.65, 0.79), (0.84, 0.56))


def distance(x: float, y: float, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return how far a point is from a line between two others."""
    run, rise = end[0] - start[0], end[1] - start[1]
    along = ((x - start[0]) * run + (y - start[1]) * rise) / (run * run + rise * rise)
    along = min(1.0, max(0.0, along))
    return math.hypot(x - start[0] - along * run, y - start[1] - along * rise)


def pixel(x: float, y: float) -> tuple[int, int, int, int]:
    """Return the color at a place, with edges that are one pixel soft."""

    def covered(far: float, width: float) -> float:
        return min(1.0, max(0.0, 0.5 - (far - width) * SIZE))

    # A square whose corners have a radius of 0.2.
    corner = math.hypot(max(0.0, abs(x - 0.5) - 0.3), max(0.0, abs(y - 0.5) - 0.3))
    color: tuple[float, ...] = NAVY
    bars = min(distance(x, y, (left, row), (right, row)) for left, right, row in BARS)
    tick = min(distance(x, y, *line) for line in itertools.pairwise(TICK))
    for paint, share in ((ORANGE, covered(bars, 0.055)), (WHITE, covered(tick, 0.045))):
        color = tuple(old + (new - old) * share for old, new in zip(color, paint, strict=True))
    red, green, blue = map(round, color)
    return red, green, blue, round(255 * covered(corner, 0.2))


def drawn() -> bytes:
    """Return the rows of the picture as PNG has them, before they are compressed."""
    places = [(number + 0.5) / SIZE for number in range(SIZE)]
    return b"".join(b"\0" + bytes(value for x in places for value in pixel(x, y)) for y in places)


def png() -> bytes:
    """Return the picture as a file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(drawn(), 9)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


if __name__ == "__main__":
    FILE.write_bytes(png())
