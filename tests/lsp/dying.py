"""How long a server outlives its client: `python tests/lsp/dying.py 100`, by hand.

A client is a process of its own, which starts a server, gives it work, and dies in one of several ways at a moment that
its seed chooses. The server and all that it has started have ended once nobody holds their error output any more.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
PIPELINE = """\
import tensorflow as tf

def load_{0}(files):
    ds = tf.data.TFRecordDataset(files).shuffle(99)
    ds = ds.map(tf.io.decode_jpeg)
    ds = ds.batch(32)
    return ds

def train_{0}(model, files):
    model.fit(load_{0}(files))
"""
#: As in `tests/processes.py`.
PATIENCE = 300.0
#: 300 rows: most clients are gone before all of it is analyzed.
MODULE = "".join(PIPELINE.format(number) for number in range(30))
ENDLESS = "import time\ntime.sleep(3600)\nimport tensorflow as tf\nfor x in tf.data.Dataset.range(9):\n    print(x)\n"

STDIO = (
    "killed", "killed in a message", "killed at the start", "killed while it is held", "input closed", "output closed",
    "exit without shutdown", "killed after shutdown", "killed while it verifies",
)  # fmt: skip
TCP = (
    "killed", "killed in a message", "killed at the start", "input closed", "reset", "exit without shutdown",
    "killed after shutdown", "killed while it verifies",
)  # fmt: skip
WAYS = {"stdio": STDIO, "tcp": TCP}


# ── the client ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Client:
    """Sends messages, and reads nothing that it does not need."""

    def __init__(self, transport: str, python: str) -> None:
        command = [python, "-m", "tfdata_lint", "server"]
        self.connection: socket.socket | None = None
        if transport == "stdio":
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self.server = subprocess.Popen(command, bufsize=0, **pipes)
            assert self.server.stdin
            assert self.server.stdout
            self.output, self.input = self.server.stdin.fileno(), self.server.stdout.fileno()
        else:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            nowhere = subprocess.DEVNULL
            self.server = subprocess.Popen([*command, "--tcp", str(port)], stdin=nowhere, stdout=nowhere)
            while self.connection is None:
                try:
                    self.connection = socket.create_connection(("127.0.0.1", port))
                except OSError:
                    time.sleep(0.01)
            self.output = self.input = self.connection.fileno()
        # From now on only the server has it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        self.read = b""
        self.number = 0

    def send(self, method: str, params: Any = None, *, asks: bool = False, cut: float = 1.0) -> int:
        self.number += 1
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": self.number} if asks else {})}
        body = json.dumps(message).encode()
        data = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        self._write(data[: int(len(data) * cut)])
        return self.number

    def _write(self, data: bytes) -> None:
        # A server that waits for us to read reads nothing.
        while data:
            readable, writable, _ = select.select([self.input], [self.output], [])
            if readable:
                self._read()
            if writable:
                data = data[os.write(self.output, data[: select.PIPE_BUF]) :]

    def _read(self) -> None:
        if not (data := os.read(self.input, 65_536)):
            sys.exit("the server has ended")
        self.read += data

    def next(self) -> dict[str, Any]:
        while (end := self.read.find(b"\r\n\r\n")) < 0 or len(self.read) < end + 4 + self._length(end):
            self._read()
        last = end + 4 + self._length(end)
        message: dict[str, Any] = json.loads(self.read[end + 4 : last])
        self.read = self.read[last:]
        return message

    def _length(self, end: int) -> int:
        return int(self.read[:end].partition(b"Content-Length: ")[2].partition(b"\r\n")[0])

    def until(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        while not holds(message := self.next()):
            pass
        return message

    def answer(self, number: int) -> None:
        self.until(lambda message: message.get("id") == number and "method" not in message)


def live_and_die(transport: str, way: str, seed: int, python: str) -> None:
    """Be the client."""
    chance = random.Random(seed)
    client = Client(transport, python)
    if way != "killed at the start":
        work(client, way, chance)
    elif transport == "tcp" or chance.random() < 0.5:
        client.send("initialize", {"capabilities": {}, "processId": os.getpid(), "rootUri": None}, asks=True)
    time.sleep(chance.random() * chance.choice([0.02, 0.3, 1]))
    if way == "killed in a message":
        client.send("textDocument/didOpen", {"text": "x" * 1000}, cut=chance.uniform(0.01, 0.99))
    elif way == "exit without shutdown":
        client.send("exit")
    elif way == "killed after shutdown":
        client.answer(client.send("shutdown", asks=True))
    elif way == "killed while it is held":
        # Its ends of the pipes stay open, in another process.
        forever = [sys.executable, "-c", "import sys; sys.stdin.read()"]
        subprocess.Popen(forever, pass_fds=(client.output, client.input), stdout=subprocess.DEVNULL)
    print(f"{time.monotonic()} {client.server.pid}", flush=True)
    if way == "input closed":
        client.connection.shutdown(socket.SHUT_WR) if client.connection else os.close(client.output)
    elif way == "output closed":
        os.close(client.input)
    elif way == "reset":
        assert client.connection
        client.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.connection.close()
    elif way != "exit without shutdown":
        os.kill(os.getpid(), signal.SIGKILL)
    # It lives on until it is ended.
    sys.stdin.read()


def work(client: Client, way: str, chance: random.Random) -> None:
    """Leave the server with as much to do as there is."""
    folder = tempfile.gettempdir()
    capabilities = {"textDocument": {"diagnostic": {}}} if chance.random() < 0.5 else {}
    client.send("initialize", {"capabilities": capabilities, "processId": os.getpid(), "rootUri": None}, asks=True)
    client.answer(client.number)
    client.send("initialized", {})
    uris = [f"file://{folder}/{number}.py" for number in range(chance.randint(1, 8))]
    for uri in uris:
        item = {"uri": uri, "languageId": "python", "version": 1, "text": MODULE}
        client.send("textDocument/didOpen", {"textDocument": item})
    for version in range(2, chance.randint(3, 20)):
        uri = chance.choice(uris)
        change = {"text": f"{MODULE}# {version}\n"}
        client.send(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
        )
        where = {"textDocument": {"uri": chance.choice(uris)}}
        client.send(chance.choice(["textDocument/diagnostic", "textDocument/documentSymbol"]), where, asks=True)
    if way == "killed while it verifies":
        path = Path(tempfile.mkdtemp()) / "endless.py"
        path.write_text(ENDLESS)
        client.send(
            "workspace/executeCommand", {"command": "tfdata-lint.verify", "arguments": [path.as_uri(), ""]}, asks=True
        )
        question = client.until(lambda message: message.get("method") == "window/showMessageRequest")
        body = json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": {"title": "Execute it"}}).encode()
        os.write(client.output, b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        time.sleep(chance.random() * 2)


# ── how long it takes ───────────────────────────────────────────────────────────────────────────────────────────────


class Death(NamedTuple):
    transport: str
    way: str
    seconds: float
    """From the end of the client to that of the server and all that it has started; infinite where there is none."""
    processors: float
    """How many the server keeps busy where it lives on."""


def death(transport: str, seed: int, *, patience: float, python: str = sys.executable, checkout: Path = ROOT) -> Death:
    """The death of one client."""
    way = WAYS[transport][seed % len(WAYS[transport])]
    reading, writing = os.pipe()
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    command = [sys.executable, __file__, "--client", transport, way, str(seed), python]
    pipe = subprocess.PIPE
    client = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=writing, cwd=checkout, env=environment)
    os.close(writing)
    assert client.stdout
    assert client.stdin
    server = 0
    try:
        assert select.select([client.stdout], [], [], PATIENCE)[0], f"{transport}, {seed}: the client hangs"
        said = client.stdout.readline().split()
        server = int(said[1])
        began, seconds = float(said[0]), 0.0
        while True:
            if not select.select([reading], [], [], max(0.0, began + patience - time.monotonic()))[0]:
                return Death(transport, way, float("inf"), busy(server))
            if not os.read(reading, 65_536):
                seconds = time.monotonic() - began
                return Death(transport, way, seconds, 0.0)
    finally:
        client.kill()
        client.stdin.close()
        client.stdout.close()
        client.wait()
        if server and seconds_left(reading):
            os.kill(server, signal.SIGKILL)
        os.close(reading)


def seconds_left(reading: int) -> bool:
    """Does somebody hold the other end?"""
    return not select.select([reading], [], [], 0)[0] or bool(os.read(reading, 65_536))


def busy(process: int) -> float:
    """How many processors it keeps busy; 0 where the system does not say so."""

    def used() -> float:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    try:
        before = used()
        time.sleep(0.5)
        return (used() - before) / 0.5
    except OSError:
        return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deaths", nargs="?", type=int, default=20, help="over each transport")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="whose server it is")
    parser.add_argument("--patience", type=float, default=10.0, help="seconds until a server counts as living on")
    parser.add_argument("--client", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.client:
        transport, way, seed, python = arguments.client
        live_and_die(transport, way, int(seed), python)
        return
    for transport, ways in WAYS.items():
        deaths = [
            death(transport, seed, patience=arguments.patience, checkout=arguments.checkout)
            for seed in range(arguments.deaths)
        ]
        for way in ways:
            print(f"{transport:5} {way:24} {shown([one for one in deaths if one.way == way])}")
        print(f"{transport:5} {'all':24} {shown(deaths)}", flush=True)


def shown(deaths: list[Death]) -> str:
    ended = [one.seconds for one in deaths if one.seconds != float("inf")]
    text = f"{len(deaths):4} deaths: "
    if ended:
        text += f"median {statistics.median(ended):.2f} s, at most {max(ended):.2f} s"
    if living := [one for one in deaths if one.seconds == float("inf")]:
        spinning = sum(one.processors > 0.5 for one in living)
        text += f"; {len(living)} servers lived on, {spinning} of them at full load"
    return text


if __name__ == "__main__":
    main()
