"""Does `check --verify` say of a GPU what TensorFlow's profiler counts? `python benchmarks/gpu_check.py [NAME…]`.

Five small programs run under `--verify` on this machine: one that waits for its input, one that computes, one that
copies much to the GPU, one that prefetches nothing, one that augments on the GPU. What tfdata-lint says of each is
compared with the trace that it has read (`--trace-out`), which is read here anew and in another way. Prints a table in
Markdown, for a person to send.

Exits with 0 if all agree, 1 if not, 2 where there is no GPU or nothing was observed. Needs TensorFlow, a GPU, and five
minutes.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

#: Where TensorFlow, or a package of its profiler, has the protocol buffer.
PROTOBUFS = (
    "tensorflow.tsl.profiler.protobuf.xplane_pb2",
    "tsl.profiler.protobuf.xplane_pb2",
    "tensorflow.core.profiler.protobuf.xplane_pb2",
    "tensorboard_plugin_profile.protobuf.xplane_pb2",
    "xprof.protobuf.xplane_pb2",
)
#: Shares of the time may differ by so much. What waits is timed before the trace, and the trace has other steps.
OF_THE_GPU, OF_WAITING = 0.03, 0.15
#: From this share on a consumer is input-bound, as docs/verify.md says.
BOUND = 0.2
SECONDS = "60"

_HEAD = """\
import tensorflow as tf


def heavy(x):
    for _ in range(20):
        x = tf.linalg.matmul(x, x) / 500.0
    return x


@tf.function
def step(x, times):
    for _ in tf.range(times):
        x = tf.linalg.matmul(x, x) / 5000.0
    return tf.reduce_sum(x)


"""
_LOOP = "for x in ds:\n    step(x, {times}).numpy()\n"
PROGRAMS = {
    "input-bound": _HEAD
    + "ds = tf.data.Dataset.from_tensors(tf.random.uniform([512, 512])).repeat().map(heavy).prefetch(2)\n"
    + _LOOP.format(times=1),
    "compute-bound": _HEAD
    + "ds = tf.data.Dataset.from_tensors(tf.random.uniform([4096, 4096])).repeat(100_000).prefetch(2)\n"
    + _LOOP.format(times=40),
    "copy-bound": _HEAD.replace("x = tf.linalg.matmul(x, x) / 5000.0", "x += 1.0")
    + "with tf.device('CPU'):\n    images = tf.random.uniform([64, 512, 512, 3])\n"
    + "ds = tf.data.Dataset.from_tensors(images).repeat().prefetch(2)\n"
    + _LOOP.format(times=1),
    "no prefetch": _HEAD
    + "ds = tf.data.Dataset.from_tensors(tf.random.uniform([512, 512])).repeat().map(heavy)\n"
    + "options = tf.data.Options()\n"
    + "options.experimental_optimization.inject_prefetch = False\n"
    + "ds = ds.with_options(options)\n"
    + _LOOP.format(times=200),
    "augmentation on the GPU": _HEAD.replace(
        "x = tf.linalg.matmul(x, x) / 5000.0",
        "x = tf.image.adjust_contrast(tf.image.random_flip_left_right(x), 1.1)",
    )
    + "ds = tf.data.Dataset.from_tensors(tf.random.uniform([32, 256, 256, 3])).repeat().prefetch(2)\n"
    + _LOOP.format(times=20),
}
#: What was planted must be seen, whatever the two agree on: the share that waits, and that in which data are copied.
PLANTED: dict[str, Callable[[Counted], bool]] = {
    "input-bound": lambda seen: seen.waiting >= BOUND,
    "compute-bound": lambda seen: seen.waiting < BOUND,
    "no prefetch": lambda seen: seen.waiting >= BOUND / 4,
}


class Counted(NamedTuple):
    """Shares of the time that a trace took."""

    busy: float
    """Any stream of the GPU runs."""
    copying: float
    """Data are copied from the host to the GPU."""
    kernels: float
    """Kernels run: what is neither copied nor set to a value."""
    waiting: float
    """The program waits for an element."""
    idle_while_waiting: float
    """The GPU does nothing, and the program waits."""


class Row(NamedTuple):
    program: str
    figure: str
    said: float
    counted: float
    tolerance: float

    @property
    def agrees(self) -> bool:
        return abs(self.said - self.counted) <= self.tolerance


Spans = list[tuple[int, int]]


def counted(space: Any) -> Counted:
    """What a trace says of its first GPU. Raises ValueError where it has none."""
    gpu = next((plane for plane in space.planes if plane.name.startswith("/device:GPU")), None)
    if gpu is None:
        raise ValueError("the trace has no GPU")
    running = [
        (what, span)
        for line in gpu.lines
        if line.name.startswith("Stream")
        for what, span in _events(gpu, line)
    ]  # fmt: skip
    hosts = [plane for plane in space.planes if plane.name.startswith("/host:CPU")]
    waits = [
        span
        for host in hosts
        for line in host.lines
        for what, span in _events(host, line)
        if what.startswith("IteratorGetNext") and what.endswith("::DoCompute")
    ]
    begin, end = _window(space)
    busy, waiting = _union(span for _, span in running), _union(waits)
    copying = _union(span for what, span in running if "MemcpyH2D" in what)
    kernels = _union(span for what, span in running if not what.startswith(("Memcpy", "Memset")))
    while_waiting = _length(waiting) - _length(_both(busy, waiting))
    lengths = _length(busy), _length(copying), _length(kernels), _length(waiting), while_waiting
    return Counted(*(length / (end - begin) for length in lengths))


def _events(plane: Any, line: Any) -> list[tuple[str, tuple[int, int]]]:
    """Names, and begin and end in picoseconds."""
    found = []
    for event in line.events:
        begin = line.timestamp_ns * 1_000 + event.offset_ps
        found.append((plane.event_metadata[event.metadata_id].name, (begin, begin + event.duration_ps)))
    return found


def _window(space: Any) -> tuple[int, int]:
    """When the profiler was started and stopped; of an older one, from the first event to the last."""
    for plane in space.planes:
        names = {key: value.name for key, value in plane.stat_metadata.items()}
        stats = {names.get(stat.metadata_id): stat.uint64_value for stat in plane.stats}
        if stats.get("profile_start_time") and stats.get("profile_stop_time"):
            return stats["profile_start_time"] * 1_000, stats["profile_stop_time"] * 1_000
    spans = [span for plane in space.planes for line in plane.lines for _, span in _events(plane, line)]
    return min(begin for begin, _ in spans), max(end for _, end in spans)


def _union(spans: Iterable[tuple[int, int]]) -> Spans:
    """The same time, in spans that do not overlap."""
    edges = sorted(edge for begin, end in spans for edge in ((begin, -1), (end, 1)))
    found, depth, since = [], 0, 0
    for at, kind in edges:
        since = at if depth == 0 else since
        depth -= kind
        if depth == 0 and at > since:
            found.append((since, at))
    return found


def _both(one: Spans, other: Spans) -> Spans:
    spans = ((max(a, c), min(b, d)) for a, b in one for c, d in other if max(a, c) < min(b, d))
    return _union(spans)


def _length(spans: Spans) -> int:
    return sum(end - begin for begin, end in spans)


def compare(program: str, pipeline: Mapping[str, Any], seen: Counted) -> list[Row]:
    """What `--verify-json` says of a pipeline beside what the profiler counts."""
    device = next(iter(pipeline["devices"]), {"busy": 0.0, "copying": 0.0})
    share = (pipeline["input"] or {}).get("share")
    rows = [
        Row(program, "GPU busy", device["busy"], seen.busy, OF_THE_GPU),
        Row(program, "data copied to the GPU", device["copying"], seen.copying, OF_THE_GPU),
        # It is not said by itself: the GPU is busy, and does not only copy.
        Row(program, "kernels (said: busy without copying)", device["busy"] - device["copying"],
            seen.kernels, max(OF_THE_GPU, seen.copying)),
    ]  # fmt: skip
    if share is not None:
        rows.append(Row(program, "waiting for input", share, seen.waiting, OF_WAITING))
    return rows


def table(rows: Iterable[Row], planted: Mapping[str, tuple[Counted, bool]]) -> str:
    """In Markdown."""
    lines = [
        "| program | share of the time | tfdata-lint | profiler | may differ by | |",
        "|---|---|---:|---:|---:|---|",
    ]
    lines += [
        f"| {row.program} | {row.figure} | {row.said:.1%} | {row.counted:.1%} | {row.tolerance:.1%} "
        f"| {'agrees' if row.agrees else '**differs**'} |"
        for row in rows
    ]
    lines += ["", "| program | GPU idle while the program waits | planted effect |", "|---|---:|---|"]
    lines += [
        f"| {program} | {seen.idle_while_waiting:.1%} | {'seen' if is_seen else '**not seen**'} |"
        for program, (seen, is_seen) in planted.items()
    ]
    return "\n".join(lines)


def protobuf() -> Any:
    """The module with `XSpace`. Raises ModuleNotFoundError."""
    for name in PROTOBUFS:
        with suppress(ImportError):
            return importlib.import_module(name)
    raise ModuleNotFoundError("neither TensorFlow nor a package of its profiler has xplane_pb2")


def observed(program: str, folder: Path) -> tuple[Mapping[str, Any], Any]:
    """Run one program under `--verify`: its pipeline, and the trace. Raises ValueError where nothing was observed."""
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAMS[program], encoding="utf-8")
    command = [
        sys.executable, "-m", "tfdata_lint", "check", "program.py", "--isolated", "--ignore", "TFD", "--no-cache",
        "--python", sys.executable, "--verify", "program.py", "--verify-budget", SECONDS,
        "--verify-json", "seen.json", "--trace-out", "seen.xplane.pb",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    try:
        pipelines = json.loads((folder / "seen.json").read_text(encoding="utf-8"))["run"]["pipelines"]
        trace = (folder / "seen.xplane.pb").read_bytes()
    except OSError:
        raise ValueError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "nothing came back") from None
    if not pipelines:
        raise ValueError("no pipeline was observed")
    space = protobuf().XSpace()
    space.ParseFromString(trace)
    return pipelines[0], space


def gpus() -> list[str]:
    """What TensorFlow sees, in words."""
    tensorflow = importlib.import_module("tensorflow")
    devices = tensorflow.config.list_physical_devices("GPU")
    details = [tensorflow.config.experimental.get_device_details(device) for device in devices]
    return [str(one.get("device_name", "a GPU")) for one in details]


def main(names: list[str]) -> int:
    """0: all agree. 1: something differs. 2: there is no GPU, or nothing was observed."""
    seen = gpus()
    if not seen:
        sys.stderr.write("gpu_check: TensorFlow sees no GPU here, so there is nothing to compare\n")
        return 2
    rows: list[Row] = []
    planted: dict[str, tuple[Counted, bool]] = {}
    with tempfile.TemporaryDirectory(prefix="gpu-check-") as folder:
        for number, program in enumerate(names or PROGRAMS):
            sys.stderr.write(f"{program} …\n")
            try:
                pipeline, space = observed(program, Path(folder, str(number)))
                figures = counted(space)
            except ValueError as error:
                sys.stderr.write(f"gpu_check: {program}: {error}\n")
                return 2
            rows += compare(program, pipeline, figures)
            planted[program] = figures, PLANTED.get(program, lambda _: True)(figures)
    version = importlib.import_module("tensorflow").__version__
    print(f"{', '.join(seen)}; TensorFlow {version}\n\n{table(rows, planted)}")
    return 0 if all(row.agrees for row in rows) and all(is_seen for _, is_seen in planted.values()) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", choices=[[], *PROGRAMS], metavar="NAME", help="these programs only")
    sys.exit(main(parser.parse_args().names))
