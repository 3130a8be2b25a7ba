"""The connection to a client: over pipes or TCP, until one of the two has ended."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, BinaryIO

from tfdata_lint.lsp.frames import Broken, Frames
from tfdata_lint.lsp.greeting import CHUNK, Greeting
from tfdata_lint.lsp.state import Server
from tfdata_lint.lsp.watching import hung_up, in_background, outlived

#: What is still under way has so long to end by itself, in seconds.
_GRACE = 2.0


def over_pipes(server: Server, source: int, target: BinaryIO, greeting: Greeting) -> int:
    """Serve the client at a descriptor and a file, which was greeted there. The exit code of the server."""

    async def serve(leave: Leave) -> None:
        # Without somebody who reads it, what is still to come is in vain.
        in_background(hung_up, target.fileno(), leave)
        # It may be full of what is not read while nobody reads what is written.
        in_background(hung_up, source, leave.in_time)
        in_background(lambda _: greeting.is_alone.wait(), source, leave)
        server.watch = lambda process: in_background(outlived, process, leave)
        loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)

        def read() -> bytes:
            with suppress(OSError):
                if data := os.read(source, CHUNK):
                    return data
            return b""

        received = await loop.run_in_executor(thread, greeting.received)
        server.protocol.answered = greeting.answered
        await converse(server, lambda: loop.run_in_executor(thread, read), _Writer(target, leave), received)

    return _run(server, serve)


def over_tcp(server: Server, host: str, port: int) -> int:
    """Wait for a client and serve it. Raises `OSError` where that port cannot be had."""

    async def serve(leave: Leave) -> None:
        first: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
        first = asyncio.get_running_loop().create_future()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if first.done():
                writer.close()
            else:
                first.set_result((reader, writer))

        listening = await asyncio.start_server(connected, host, port)
        reader, writer = await first
        listening.close()
        in_background(hung_up, writer.get_extra_info("socket").fileno(), leave.in_time)
        if str(writer.get_extra_info("peername")[0]) in ("127.0.0.1", "::1"):
            server.watch = lambda process: in_background(outlived, process, leave)

        async def read() -> bytes:
            with suppress(OSError):
                # Who does not read is not read.
                await writer.drain()
                return await reader.read(CHUNK)
            return b""

        await converse(server, read, writer)

    return _run(server, serve)


async def converse(server: Server, read: Callable[[], Awaitable[bytes]], writer: Any, received: bytes = b"") -> None:
    """Handle all that a client sends, and what was received before."""
    server.protocol.set_writer(writer)
    frames = Frames()
    while data := received or await read():
        received = b""
        for body in frames.feed(data):
            try:
                if isinstance(body, Broken):
                    raise body
                server.protocol.receive(body)
            except Broken as problem:
                if isinstance(body, bytes):
                    frames.unread(body)
                server.refuse(str(problem))
            # What it has begun comes first.
            await asyncio.sleep(0)


class Leave:
    """Called from any thread, it ends the server: soon by itself, and in any case."""

    def __init__(self) -> None:
        self.code = 0
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._is_called = False
        self._lock = threading.Lock()
        self._end: threading.Timer | None = None

    def __call__(self, code: int = 0) -> None:
        if not self._is_called:
            self._is_called, self.code = True, code
            self.in_time()
            assert self._task
            with suppress(RuntimeError):
                # Otherwise it has ended.
                self._loop.call_soon_threadsafe(self._task.cancel)

    def in_time(self) -> None:
        """It is about to end by itself."""
        with self._lock:
            if self._end is None:
                self._end = threading.Timer(_GRACE, lambda: os._exit(self.code))
                self._end.daemon = True
                self._end.start()

    def done(self) -> None:
        """It has ended."""
        if self._end:
            self._end.cancel()


class _Writer:
    def __init__(self, target: BinaryIO, leave: Leave) -> None:
        self._target = target
        self._leave = leave

    def write(self, data: bytes) -> None:
        try:
            self._target.write(data)
            self._target.flush()
        except (OSError, ValueError):
            self._leave(0)

    def close(self) -> None:
        """There is nothing to close."""


def _run(server: Server, serve: Callable[[Leave], Coroutine[Any, Any, None]]) -> int:
    async def main() -> Leave:
        server.leave = leave = Leave()
        if os.name == "posix":
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, leave, 128 + number)
        # By `leave`.
        with suppress(asyncio.CancelledError):
            await serve(leave)
        # From here on it ends by itself, unless something is stuck.
        leave.in_time()
        return leave

    leave = asyncio.run(main())
    leave.done()
    return leave.code
