"""Reading a profile (`*.xplane.pb`) with the runtime of protocol buffers alone, a line of events at a time.

The messages are those of `xplane.proto` of openxla, by their published field numbers. The outer two are walked by hand:
a profile parsed as a whole takes seven times its size.
"""

from __future__ import annotations

import mmap
import os
import stat
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

#: Bytes of a file. A message cannot have more.
LARGEST = 2**31 - 1
#: Planes of a profile, and fields of a message that is walked.
_PLANES_MOST = 4096
_MOST = 5_000_000
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5
_PLANES, _LINES, _EVENTS = 1, 3, 4
#: A line with so small a part of what is read is read whole.
_SHORT = 1 / 64
#: Field types of `descriptor.proto`.
_INT64, _UINT64, _DOUBLE, _STRING, _RAW, _MESSAGE = 3, 4, 1, 9, 12, 11
#: Name, number and type of the fields; of a message `Name`, of many `Name*`, of a map from an integer `Name@`.
_FIELDS: dict[str, tuple[tuple[str, int, int | str], ...]] = {
    "XStat": (
        ("metadata_id", 1, _INT64), ("double_value", 2, _DOUBLE), ("uint64_value", 3, _UINT64),
        ("int64_value", 4, _INT64), ("str_value", 5, _STRING), ("bytes_value", 6, _RAW), ("ref_value", 7, _UINT64),
    ),
    "XStatMetadata": (("id", 1, _INT64), ("name", 2, _STRING)),
    "XEventMetadata": (("id", 1, _INT64), ("name", 2, _STRING)),
    "XEvent": (
        ("metadata_id", 1, _INT64), ("offset_ps", 2, _INT64), ("duration_ps", 3, _INT64), ("stats", 4, "XStat*"),
    ),
    "XLine": (
        ("id", 1, _INT64), ("name", 2, _STRING), ("timestamp_ns", 3, _INT64), ("events", 4, "XEvent*"),
    ),
    "XPlane": (
        ("name", 2, _STRING), ("event_metadata", 4, "XEventMetadata@"), ("stat_metadata", 5, "XStatMetadata@"),
        ("stats", 6, "XStat*"),
    ),
}  # fmt: skip


class Unreadable(ValueError):
    """A file is no profile; the text says why."""


class Plane:
    """The events of a host or a device: their metadata, and lines, which are parsed when they are asked for."""

    def __init__(self, data: memoryview) -> None:
        self._lines: list[memoryview] = []
        self._until: int | None = None
        rest = bytearray()
        for number, begin, inner, end in _fields(data):
            if number == _LINES:
                self._lines.append(data[inner:end])
            else:
                rest += data[begin:end]
        self.rest = bytes(rest)
        """All but the lines."""
        plane = _parsed("XPlane", self.rest)
        self.name: str = plane.name
        self.event_metadata: Any = plane.event_metadata
        self.stat_metadata: Any = plane.stat_metadata
        self.stats: Any = plane.stats

    @property
    def size(self) -> int:
        """Bytes of events."""
        return sum(map(len, self._lines))

    def cut(self, most: int, size: int) -> Iterator[int]:
        """Leave out the end of each line that is long, for `most` bytes of `size` in all.

        When the last event begins that is left of it, in ps.
        """
        for number, line in enumerate(self._lines):
            if len(line) > _SHORT * most:
                end, last = _beginning(line, len(line) * most // size)
                self._lines[number] = line[:end]
                yield last

    def end(self, until: int) -> None:
        """Leave out what begins after this, in ps."""
        self._until = until

    @property
    def lines(self) -> Iterator[Any]:
        """Each thread or stream, as an XLine."""
        for data in self._lines:
            line = _parsed("XLine", bytes(data))
            if self._until is not None:
                until = self._until - line.timestamp_ns * 1000
                del line.events[bisect_right(line.events, until, key=_offset) :]
            yield line


class Space:
    """A profile."""

    def __init__(self, data: bytes | mmap.mmap, most: int | None = None) -> None:
        """With `most` bytes of events, those of the first moments. Raises `Unreadable`."""
        self.data = data
        whole = memoryview(data)
        planes = [whole[inner:end] for number, _, inner, end in _fields(whole) if number == _PLANES]
        if len(planes) > _PLANES_MOST:
            raise Unreadable(f"it has {len(planes):,} planes, more than a profile has")
        self.planes = list(map(Plane, planes))
        size = sum(plane.size for plane in self.planes)
        self.is_cut = most is not None and size > most
        if most is not None and size > most:
            ends = [end for plane in self.planes for end in plane.cut(most, size)]
            for plane in self.planes if ends else ():
                plane.end(min(ends))


def load(path: str, most: int | None = None) -> Space:
    """A profile of a file, as `Space` reads it. Raises `Unreadable` and OSError."""
    about = os.stat(path)
    if not stat.S_ISREG(about.st_mode):
        raise Unreadable("it is no regular file")
    if not about.st_size:
        raise Unreadable("it is empty")
    if about.st_size > LARGEST:
        raise Unreadable(f"it has {about.st_size / 1e9:.1f} GB, more than a profile can have")
    with open(path, "rb") as file:
        space = Space(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), most)
    if not space.planes:
        raise Unreadable("it is no profile, or nothing was recorded in it")
    return space


def _offset(event: Any) -> int:
    offset: int = event.offset_ps
    return offset


def _beginning(line: memoryview, most: int) -> tuple[int, int]:
    """Where so many bytes of a line end with an event, and when that begins, in ps."""
    at, rest, last = 0, bytearray(), b""
    for number, begin, inner, end in _fields(line):
        if number != _EVENTS:
            rest += line[begin:end]
        elif end > most:
            break
        else:
            last = bytes(line[inner:end])
        at = end
    return at, _parsed("XLine", bytes(rest)).timestamp_ns * 1000 + _offset(_parsed("XEvent", last))


def _fields(data: memoryview) -> Iterator[tuple[int, int, int, int]]:
    """Of each field its number, where it begins, where its content does, and where it ends. Raises `Unreadable`."""
    at = count = 0
    while at < len(data):
        begin = at
        tag, at = _varint(data, at)
        kind, size = tag & 7, 0
        if kind == _VARINT:
            _, at = _varint(data, at)
        elif kind in (_FIXED_64, _FIXED_32):
            size = 8 if kind == _FIXED_64 else 4
        elif kind == _BYTES:
            size, at = _varint(data, at)
        else:
            raise Unreadable("it is no profile")
        count += 1
        if tag < 8 or at + size > len(data) or count > _MOST:
            raise Unreadable("it is damaged, or was cut off while it was written")
        yield tag >> 3, begin, at, at + size
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise Unreadable("it is damaged, or was cut off while it was written")


def _parsed(name: str, data: bytes) -> Any:
    message = _classes()[name]()
    try:
        message.ParseFromString(data)
    except Exception as error:
        # `DecodeError`; of some releases of protobuf RuntimeError.
        raise Unreadable("it is damaged, or was cut off while it was written") from error
    return message


@lru_cache(maxsize=1)
def _classes() -> dict[str, Any]:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name="tfdata_lint/xplane.proto", package="tfdata_lint", syntax="proto3")
    for name, fields in _FIELDS.items():
        message = file.message_type.add(name=name)
        if name == "XStat":
            message.oneof_decl.add(name="value")
        for field, number, kind in fields:
            _add_field(message, field, number, kind)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = {name: pool.FindMessageTypeByName(f"tfdata_lint.{name}") for name in _FIELDS}
    if hasattr(message_factory, "GetMessageClass"):
        return {name: message_factory.GetMessageClass(one) for name, one in found.items()}
    # Before protobuf 4.22.
    factory = message_factory.MessageFactory(pool)
    return {name: factory.GetPrototype(one) for name, one in found.items()}


def _add_field(message: Any, name: str, number: int, kind: int | str) -> None:
    field = message.field.add(name=name, number=number, label=1)
    if name.endswith("_value"):
        field.oneof_index = 0
    if isinstance(kind, int):
        field.type = kind
        return
    field.type, field.label, field.type_name = _MESSAGE, 3, f".tfdata_lint.{kind[:-1]}"
    if kind.endswith("@"):
        # A map is what its entries are, and an entry a message of two fields.
        entry = message.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=1, type=_INT64)
        entry.field.add(name="value", number=2, label=1, type=_MESSAGE, type_name=field.type_name)
        field.type_name = f".tfdata_lint.{message.name}.{entry.name}"
