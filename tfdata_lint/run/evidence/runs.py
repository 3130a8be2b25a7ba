"""What a run was seen to do, from `run.tfdata.json` or from what `--verify-json` writes: the same nouns for both."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from statistics import median
from typing import Any, NamedTuple

from tfdata_lint.run.evidence.reading import PIPELINES, STAGES, Reader, load

#: The versions of the two formats that are known.
FORMAT, SCHEMA = 1, 1
#: Seconds of a window; of less there is no rate.
_SHORTEST = 1e-6
#: What makes a folder the one that paths of `run.tfdata.json` are relative to.
_PROJECT = (".git", "pyproject.toml", "setup.py", "setup.cfg")


class At(NamedTuple):
    """A call in the code; the row is 0 where it is not known."""

    file: str
    """Absolute, or relative to the project."""
    row: int
    end_row: int
    end_column: int
    function: str = ""
    """The function that it stands in; empty at the top of a module."""


class Interval(NamedTuple):
    """A figure, and between what it lies as far as can be told; without bounds nothing is known of that."""

    value: float
    low: float | None = None
    high: float | None = None


class Stage(NamedTuple):
    """A stage of the code that was executed."""

    at: At
    op: str
    """As the runtime calls it."""
    share: float | None
    """Of the time of the input, if that is known."""


class Seen(NamedTuple):
    """One pipeline of a run."""

    consumer: str
    place: At | None
    waits: Interval | None
    """The part of the step that waits for input; `high` is what it certainly does not exceed."""
    rate: Interval | None
    """Elements per second."""
    stages: tuple[Stage, ...]
    problem: str = ""
    ops: tuple[str, ...] = ()
    """Of the stages of the code, upstream first."""


class RunSeen(NamedTuple):
    """One run."""

    tensorflow: str
    """`2.21`; empty where it is not known."""
    pipelines: tuple[Seen, ...]
    machine: str = ""
    """What figures depend on, in words."""
    is_recorded: bool = False
    """By TensorFlow's own profiler."""


def minor(version: str) -> str:
    """`2.21` of `2.21.0`."""
    parts = version.split(".")
    return ".".join(parts[:2]) if len(parts) > 1 and all(part.isdecimal() for part in parts[:2]) else ""


def of_observed(data: Mapping[str, Any], reader: Reader) -> RunSeen:
    """What `tfdata_lint.observe()` has written. Raises EvidenceError."""
    if data.get("format") != FORMAT or isinstance(data.get("format"), bool):
        reader.refuse(f"this is format {str(data.get('format'))[:40]} of a run, and only {FORMAT} is known here")
    pipelines = [_observed(one, reader) for one in reader.rows(data.get("pipelines"), "pipelines", PIPELINES)]
    version = minor(reader.text(data, "tensorflow"))
    return RunSeen(version, tuple(pipelines), _machine(data, version, reader), data.get("made_by") == "recording")


def _machine(data: Mapping[str, Any], version: str, reader: Reader) -> str:
    gpus = data.get("gpus") or []
    many = len(gpus) if isinstance(gpus, list) else 0
    return f"TensorFlow {version or '?'}, {reader.whole(data, 'cores')} cores, {many} GPUs"


def _observed(data: Mapping[str, Any], reader: Reader) -> Seen:
    rows = list(reader.rows(data.get("written", []), "written", STAGES))
    shares: dict[int, float] = {}
    for stage in reader.rows(data.get("stages", []), "stages", STAGES):
        share = reader.share(stage, "share")
        for written in reader.wholes(stage, "from"):
            if share is not None:
                shares[written] = max(share, shares.get(written, 0.0))
    stages = []
    for one in rows:
        at = _relative(one.get("place"), reader)
        if at is not None:
            share = shares.get(reader.whole(one, "id", -1))
            inside = sum(shares.get(nested, 0.0) for nested in reader.wholes(one, "nested"))
            stages.append(Stage(at, reader.text(one, "op"), share if share is None else min(1.0, share + inside)))
    rate = data.get("elements_per_s")
    return Seen(
        reader.text(data, "consumer"),
        _relative(data.get("place"), reader),
        _waiting(data.get("waiting"), reader),
        None if rate is None else _interval(reader.table(rate, "elements_per_s"), "median", reader),
        tuple(stages),
        reader.text(data, "problem"),
        tuple(reader.text(one, "op") for one in rows),
    )


def _relative(data: Any, reader: Reader) -> At | None:
    """A place of `run.tfdata.json`: no file outside of the project is in it."""
    if data is None:
        return None
    file = reader.text(place := reader.table(data, "place"), "file", 1_000)
    if os.path.isabs(file) or ".." in file.split("/") or "\\" in file or ":" in file[:2]:
        reader.refuse("`file` must be relative to the project and in it")
    return _at(place, file, reader) if file else None


def _at(place: Mapping[str, Any], file: str, reader: Reader) -> At:
    rows = reader.whole(place, "row"), reader.whole(place, "end_row"), reader.whole(place, "end_column", -1)
    function = reader.text(place, "function")
    return At(file, *rows, "" if function == "<module>" else function)


def _waiting(data: Any, reader: Reader) -> Interval | None:
    if data is None:
        return None
    share = reader.share(table := reader.table(data, "waiting"), "share")
    if share is None:
        return None
    most = reader.share(table, "at_most")
    return Interval(share, None if most is None else share, None if most is None else max(share, most))


def _interval(table: Mapping[str, Any], key: str, reader: Reader) -> Interval | None:
    value = reader.number(table, key)
    return None if value is None else Interval(value, reader.number(table, "low"), reader.number(table, "high"))


def of_verified(data: Mapping[str, Any], reader: Reader) -> RunSeen:
    """The run in what `--verify-json` has written. Raises EvidenceError."""
    if data.get("schema") != SCHEMA or isinstance(data.get("schema"), bool):
        reader.refuse(f"this is schema {str(data.get('schema'))[:40]} of `--verify-json`, and only {SCHEMA} is known")
    run = reader.table(data.get("run"), "run")
    environment = run.get("environment") or {}
    version = minor(reader.text(reader.table(environment, "environment"), "tensorflow"))
    machine = _machine(environment, version, reader)
    made = {reader.whole(one, "id"): one for one in reader.rows(run.get("stages", []), "stages", STAGES)}
    pipelines = reader.rows(run.get("pipelines", []), "pipelines", PIPELINES)
    seen = tuple(_verified(one, made, reader) for one in pipelines)
    return RunSeen(version, seen, machine)


def load_run(file: str) -> RunSeen:
    """A run from either format. Raises EvidenceError."""
    data, reader = load(file), Reader(file)
    if "format" in data:
        return of_observed(data, reader)
    if "run" in data:
        return of_verified(data, reader)
    return reader.refuse("this is not a run: neither a `run.tfdata.json`, nor a file written by `--verify-json`")


def _verified(data: Mapping[str, Any], made: Mapping[int, Mapping[str, Any]], reader: Reader) -> Seen:
    shares: dict[int, float] = {}
    bottleneck = data.get("bottleneck")
    if bottleneck is not None:
        bottleneck = reader.table(bottleneck, "bottleneck")
        for one in (bottleneck, bottleneck.get("runner_up") or {}):
            share = reader.share(one := reader.table(one, "bottleneck"), "share")
            if share is not None and one.get("stage") is not None:
                shares[reader.whole(one, "stage")] = share
    stages, ops = [], []
    for number in reader.wholes(data, "stages"):
        if (one := made.get(number)) is not None:
            ops.append(reader.text(one, "op"))
            if at := _first(one.get("frames"), reader):
                stages.append(Stage(at, ops[-1], shares.get(number)))
    rates = [
        elements / seconds
        for window in reader.rows(data.get("windows") or [], "windows", STAGES)
        if (seconds := reader.number(window, "seconds") or 0.0) > _SHORTEST
        and (elements := reader.number(window, "elements")) is not None
    ]
    return Seen(
        reader.text(data, "consumer"),
        _first(data.get("frames"), reader),
        _waiting(data.get("input"), reader),
        spread(rates),
        tuple(stages),
        reader.text(data, "problem"),
        tuple(ops),
    )


def _first(frames: Any, reader: Reader) -> At | None:
    for place in reader.rows(frames or [], "frames", STAGES):
        file = reader.text(place, "file", 4_000)
        return _at(place, file, reader) if file else None
    return None


#: Of Student's distribution: 0.975 with so many degrees of freedom.
_T = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def spread(rates: list[float]) -> Interval | None:
    """The median of some windows, and the interval of 95 % that their mean has; none of fewer than three."""
    if not rates:
        return None
    middle, count = median(rates), len(rates)
    if count < 3:
        return Interval(middle)
    mean = sum(rates) / count
    deviation = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / (count - 1))
    half = _T[min(count - 2, len(_T) - 1)] * deviation / math.sqrt(count)
    return Interval(middle, max(0.0, min(middle, mean - half)), max(middle, mean + half))


def project_of(folder: str) -> str:
    """The next folder above that is a project, or the folder itself."""
    here = folder = os.path.realpath(folder)
    while not any(os.path.lexists(os.path.join(here, name)) for name in _PROJECT):
        above = os.path.dirname(here)
        if above == here:
            return folder
        here = above
    return here
