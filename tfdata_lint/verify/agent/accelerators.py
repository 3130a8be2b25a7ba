"""Reading a trace of the runtime: what the accelerators did."""

from __future__ import annotations

import re
from typing import Any

from .trace import value

_GPU = "/device:GPU"
_ANYTHING, _COPIES = re.compile(""), re.compile("MemcpyH2D")
#: In the first line of what is known of a kernel is its name, in the second one the operation that it is part of.
_TRANSPOSES = re.compile(r"(?i)\A.*(transpose|SwapDimension|ShuffleInTensor3|nchwToNhwc|nhwcToNchw)|:Transpose\Z")
#: `nchwToNhwcKernel` of cuDNN, `Conv2D-0-TransposeNHWCToNCHW-LayoutOptimizer` of TensorFlow.
_CONVERSIONS = re.compile(r"(?i)NCD?HWToND?HWC|ND?HWCToNCD?HW")


def devices(space: Any, seconds: float) -> list[dict[str, Any]]:
    """Of each GPU the shares of so many seconds in which it did anything, and certain things."""
    return [
        {
            "name": plane.name.partition("/device:")[2].partition(" ")[0],
            "busy": _covered(spans, _ANYTHING) / seconds,
            "copying": _covered(spans, _COPIES) / seconds,
            "transposing": _covered(spans, _TRANSPOSES) / seconds,
            "converting": _covered(spans, _CONVERSIONS) / seconds,
        }
        for plane in space.planes
        if plane.name.startswith(_GPU)
        for spans in [_device_spans(plane)]
    ]


def _device_spans(plane: Any) -> list[tuple[int, int, str]]:
    """Begin and length in ps of what ran on a device, in order, with what it was."""
    names = {key: value.name for key, value in plane.stat_metadata.items()}
    return sorted(
        (
            line.timestamp_ns * 1000 + event.offset_ps,
            event.duration_ps,
            f"{plane.event_metadata[event.metadata_id].name}\n{_operation_of(event, names)}",
        )
        for line in plane.lines
        # Other lines repeat what is in the streams.
        if line.name.startswith("Stream")
        for event in line.events
    )


def _operation_of(event: Any, names: dict[int, str]) -> str:
    """`model/conv1/Conv2D:Conv2D`, where the profiler knows it."""
    return next((str(value(stat, names)) for stat in event.stats if names[stat.metadata_id] == "tf_op"), "")


def _covered(spans: list[tuple[int, int, str]], kind: re.Pattern[str]) -> float:
    """Seconds in which at least one of this kind ran."""
    covered = until = 0
    for begin, length, what in spans:
        if kind.search(what):
            covered += max(0, begin + length - max(begin, until))
            until = max(until, begin + length)
    return covered / 1e12
