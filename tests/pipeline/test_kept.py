"""What is said for sure of datasets in containers is so on TensorFlow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

import pytest
from pipeline.kept_programs import HEADER, programs
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage, upstream
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load

PROGRAMS = list(programs(200))

#: Runs each program, and notes the elements of the datasets that it looks at.
_HARNESS = """
import json, sys
_seen = []
for text, unseen in json.loads(PROGRAMS):
    namespace = {}
    exec(unseen, namespace)
    project, found = namespace["project"], {}
    def probe(number, dataset):
        found.setdefault(number, []).append([element.tolist() for element in dataset.as_numpy_iterator()])
    project.probe = probe
    sys.modules["project"] = project
    try:
        exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})
    except Exception as error:
        found["error"] = f"{type(error).__name__}: {error}"
    _seen.append(found)
__answer__ = _seen
"""


def claims(text: str) -> Iterator[tuple[int, Dataset]]:
    """What is looked at, of which it is said for sure what it is, by the number of the look."""
    for consumer in recover(load(text.encode(), "program.py")).consumers:
        if consumer.target == "project.probe" and consumer.dataset.confidence == "proven":
            yield int(consumer.node.args[0].value), consumer.dataset  # type: ignore[attr-defined]


def elements(stages: Sequence[Stage]) -> list[Any] | None:
    """What a chain gives; None where an argument is not known."""
    found: list[Any] = []
    for stage in stages:
        given = [argument.literal for argument in stage.arguments.values()]
        if ... in given:
            return None
        match stage.op, given:
            case "range", [stop]:
                found = list(range(stop))
            case "skip", [count]:
                found = found[count:]
            case "take", [count]:
                found = found[:count]
            case "repeat", [count]:
                found = found * count
            case "batch", [size, _]:
                found = [list(pair) for pair in pairwise(found)][::size]
    return found


def problems(text: str, seen: dict[str, Any]) -> Iterator[str]:
    said: dict[int, str] = {}
    for number, dataset in claims(text):
        actual = seen.get(str(number), [])
        ways = [elements(path.stages) for path in paths(dataset)]
        if actual and None not in ways and not any(way in actual for way in ways):
            yield f"{text.removeprefix(HEADER)}\nprobe {number}: {ways} is not in {actual}"
        if isinstance(dataset, Stage) and len(actual) == 1:
            # What is one stage is taken for the same data.
            other = said.setdefault(id(dataset), str(actual))
            if other != str(actual):
                yield f"{text.removeprefix(HEADER)}\nprobe {number}: {actual} is taken for {other}"


@pytest.mark.tensorflow
def test_what_is_proven_of_kept_datasets_is_so(run_on_tensorflow: RunOnTensorFlow) -> None:
    ended = run_on_tensorflow(f"PROGRAMS = {json.dumps(PROGRAMS)!r}\n{_HARNESS}", __file__)
    assert not ended["error"], ended["detail"]
    seen = ended["answer"]
    found = list(chain.from_iterable(map(problems, (text for text, _ in PROGRAMS), seen)))
    assert not found, f"{len(found)} are wrong\n\n" + "\n\n".join(found[:5])
    failed = [one["error"] for one in seen if "error" in one]
    assert len(failed) < len(seen) / 10, failed


def test_much_is_proven_of_kept_datasets() -> None:
    known = [dataset for text, _ in PROGRAMS for _, dataset in claims(text)]
    assert len(known) > len(PROGRAMS)
    assert all(stage.op != "unresolved" for dataset in known for stage in upstream(dataset))
