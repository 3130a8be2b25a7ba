"""Messages in a stream of bytes. Whatever is in it, the next proper message is found, and little is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Bytes of a message.
LARGEST = 128_000_000
#: Bytes of its header.
_LONGEST = 4_096
_FIELD = rb"[!-9;-~]{1,100}:[^\r\n]{0,400}\r\n"
# JSON has no newline inside of a string, so this never is a part of it.
_HEADER = re.compile(rb"Content-Length:[ \t]*(\d{1,300})[ \t]*\r\n(?:(?!Content-Length:)%s){0,9}\r\n" % _FIELD)
_FIELDS = re.compile(rb"(?:%s|\r\n)*" % _FIELD)


class Broken(ValueError):
    """What was sent is no message: in words."""


class Frames:
    """The bodies of messages, from bytes that come in pieces of any size."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._is_lost = False
        """What comes next is of something that was reported already."""

    def feed(self, data: bytes) -> Iterator[bytes | Broken]:
        """The messages that are complete now, and what is in between them."""
        # That much was looked through before.
        known = len(self._data)
        self._data += data
        while header := _HEADER.search(self._data):
            if header.start():
                yield from self._lose(header.start())
                known = 0
                continue
            length, start = int(header[1]), header.end()
            if length > LARGEST:
                yield Broken(f"a message of {header[1].decode()} bytes, of which at most {LARGEST:,} are read")
                self._is_lost = True
                del self._data[:start]
                continue
            complete = len(self._data) >= start + length
            if not complete and (other := _HEADER.search(self._data, max(start, known - _LONGEST))):
                yield Broken("a message that is shorter than its header says")
                self._is_lost = True
                del self._data[: other.start()]
                continue
            if not complete:
                return
            body = bytes(self._data[start : start + length])
            del self._data[: start + length]
            self._is_lost = False
            known = 0
            yield body
        if len(self._data) > _LONGEST:
            yield from self._lose(len(self._data) - _LONGEST)

    def unread(self, body: bytes) -> None:
        """This was no message. If another one begins in it, that comes next."""
        self._data[:0] = body
        self._is_lost = True

    def _lose(self, size: int) -> Iterator[Broken]:
        """Pass over what stands before a header, which may have other fields there."""
        is_lost = self._is_lost or bool(_FIELDS.fullmatch(self._data, 0, size))
        del self._data[:size]
        if not is_lost:
            self._is_lost = True
            yield Broken("bytes that are no message, without a length")
