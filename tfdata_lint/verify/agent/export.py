"""A trace of the runtime for other programs that show traces."""

from __future__ import annotations

import json
from typing import Any

from .recorder import operation, stages_in
from .trace import GET_NEXT, ITERATOR, NOISE, STEP, value

#: Enough for a reader, and not more than a browser can show.
MAX_EXPORTED = 200_000


def export(space: Any, path: str) -> None:
    """The trace in Chrome's format, which Perfetto reads too, with the names of the stages."""
    exported: list[dict[str, Any]] = []
    for plane in space.planes:
        names = {key: value.name for key, value in plane.stat_metadata.items()}
        events = {key: value.name for key, value in plane.event_metadata.items()}
        for thread, line in enumerate(plane.lines):
            for event in line.events:
                name = events[event.metadata_id]
                if not (_matters(name) or name == STEP):
                    continue
                stats = {names[s.metadata_id]: value(s, names) for s in event.stats}
                row = {
                    # `Iterator::Root::Prefetch::Map` is a Map; where it stands can be seen.
                    "name": operation(name.split("::")[-1]) if name.startswith(ITERATOR) else name.split("::")[0],
                    "ph": "X",
                    "tid": thread,
                    "ts": line.timestamp_ns / 1e3 + event.offset_ps / 1e6,
                    "dur": event.duration_ps / 1e6,
                    "stages": stages_in(str(stats.pop("name", ""))),
                    "args": {key: value for key, value in stats.items() if key not in NOISE},
                }
                exported.append(row)
    exported.sort(key=lambda event: event["ts"])
    with open(path, "w", encoding="utf-8") as file:
        json.dump(exported[:MAX_EXPORTED], file)


def _matters(name: str) -> bool:
    return name.startswith(ITERATOR) or (name.startswith(GET_NEXT) and name.endswith("::DoCompute"))
