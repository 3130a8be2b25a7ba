"""Holding a run where a pipeline is about to be consumed, and answering questions about that pipeline.

Two such processes, one with the code as it is and one with a fix, are what a comparison asks in turns. Commands and
answers are lines of JSON:

`{"do": "rate", "seconds": 0.2, "step_ms": 4.0, "graph": false}` → `{"event": "rate", "elements", "seconds", …}`
    Consumes for so long, each element followed by a step of that length, in a Python loop or (`graph`) in a loop of a
    tf.function. The iterator goes on from one command to the next, and over the end; making and deleting it does not
    count. With `to_end` it goes no further than to the end of an epoch. So much it `waited`, for one
    element at the `longest`. `ran` and `ready`: how long all threads together ran `within` so many seconds, and how
    long they could have run, but had no core; `others`: how long whoever else had the cores meanwhile.
`{"do": "elements", "count": 64, "epochs": 2, "whole": false}` → `{"event": "elements", "spec", "keys", "epochs", …}`
    Digests of the elements of each epoch, of one iterator over all epochs; `rows` by the rows of each batch, None where
    elements are no batches. An epoch is the first `count` elements, or (`whole`) all that there are. Deterministic.
    With `at` (`{"file", "end_row", "end_column"}`) of the dataset that the call which ends there made, of this pipeline
    or of another one; `missing` where there is none by now, and nothing else. With `partners` digests are pairs: of the
    first of its components, and of all others. `keys` are those of dicts in an element, of which `only` these count.
`{"do": "sums", "count": 8}` → `{"event": "sums", "sums"}`
    Of each of the first elements a digest of all but its floats, and sums over parts of those, each with the sum of the
    absolute values: what is equal to rounding nearly has the same. Deterministic.
`{"do": "trace", "seconds": 0.5, "step_ms": 4.0, "graph": false}` → `{"event": "trace", "timeline"}`
    Consumes as `rate` does, traced: what ran when.
`{"do": "size", "file": "/a.py", "end_row": 3, "end_column": 9, "seconds": 5.0, "most": 1000}` → `{"event": "size", …}`
    Goes once through the dataset that the call which ends there made, for so long, or until it is clear that it has
    more bytes than that: how many `elements` and `bytes` there were, how many `seconds` it took, and `whole` if it came
    to the end. `cardinality` is what TensorFlow says.
`{"do": "draws", "image": {"file", "row", "end_row"}, "mask": …, "count": 64}` → `{"event": "draws", …}`
    Calls the mapped function that draws in these rows, and compares what is drawn: see `draws.compare`.
`{"do": "leave_out", "file": "/a.py", "end_row": 3, "end_column": 9, "elements": 100, "whole": false}` → `{"why": ""}`
    From now on the dataset is what it would be without the work of the stage that the call which ends there made: see
    `without.without`. Nothing is changed where there is a `why`.
`{"do": "end"}`
"""

from __future__ import annotations

import hashlib
import importlib
import os
import random
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, NoReturn

from . import draws, trace
from .recorder import graphs_of
from .run import Run
from .watch import drop
from .without import Impossible, without

#: The parent has clocks of its own.
PATIENCE_S = 3600.0
#: So many iterators are kept at their end: deleting one may wait for the thread that tunes it.
KEPT = 64
TASKS = "/proc/self/task"
STAT = "/proc/stat"
#: As `tf.data.INFINITE_CARDINALITY`.
INFINITE = -1
#: Elements that tell how large others are.
FEW = 16
#: Numbers are summed up in so many parts, with weights that are as different as can be.
PARTS, _GOLDEN = 4096, 0.6180339887498949


def seed(number: int) -> None:
    """Make the code's randomness the same in every process."""
    random.seed(number)
    importlib.import_module("numpy").random.seed(number)
    importlib.import_module("tensorflow").random.set_seed(number)


def serve(run: Run, dataset: Any) -> NoReturn:
    answers: Any = Answers(run, dataset)
    run.phase("a pipeline is compared", PATIENCE_S)
    run.wire.tell("stages", stages=run.recorder.news())
    run.wire.tell("held", root=run.recorder.number(dataset), spec=str(dataset.element_spec))
    while True:
        command = run.commands.next()
        do = command.pop("do")
        if do == "end":
            run.leave()
        run.wire.tell(do, **getattr(answers, do)(**command))


class Answers:
    """A dataset, and its iterator."""

    def __init__(self, run: Run, dataset: Any) -> None:
        self._run = run
        self._dataset = dataset
        self._iterator: list[Any] = []
        self._ended: list[Any] = []
        self._ends = 0
        self._loop: Any = None

    def rate(self, seconds: float, step_ms: float = 0.0, graph: bool = False, to_end: bool = False) -> dict[str, Any]:
        began, (ran, ready), busy = time.perf_counter(), used(), taken()
        answer = self._rate(seconds, 0.0, to_end=True) if to_end else self._consume(seconds, step_ms, graph)
        now_ran, now_ready = used()
        within = time.perf_counter() - began
        others = max(0.0, taken() - busy - (now_ran - ran))
        return {**answer, "ran": now_ran - ran, "ready": now_ready - ready, "others": others, "within": within}

    def trace(self, seconds: float, step_ms: float = 0.0, graph: bool = False) -> dict[str, Any]:
        recorder, tracer = self._run.recorder, self._run.tracer
        tracer.start()
        self._consume(seconds, step_ms, graph)
        return {"timeline": trace.read(tracer.stop(), recorder.stages_of(recorder.number(self._dataset)))["timeline"]}

    def size(self, file: str, end_row: int, end_column: int, seconds: float, most: int) -> dict[str, Any]:
        recorder = self._run.recorder
        place = {"file": file, "end_row": end_row, "end_column": end_column}
        made = [n for n in recorder.stages_of(recorder.number(self._dataset)) if _is_at(recorder.frames(n)[:1], place)]
        dataset = recorder.datasets.get(made[-1]) if made else None
        cardinality = INFINITE if dataset is None else int(dataset.cardinality())
        if dataset is None or cardinality == INFINITE:
            return {"elements": 0, "bytes": 0, "seconds": 0.0, "whole": False, "cardinality": cardinality}
        elements = size = 0
        began, whole = time.perf_counter(), True
        for element in dataset:
            elements += 1
            size += sum(map(_bytes, _arrays(element)))
            is_too_large = size * max(1, cardinality // elements) > most and elements >= FEW
            if is_too_large or time.perf_counter() - began > seconds:
                whole = False
                break
        spent = time.perf_counter() - began
        return {"elements": elements, "bytes": size, "seconds": spent, "whole": whole, "cardinality": cardinality}

    def draws(self, image: dict[str, Any], mask: dict[str, Any] | None, count: int) -> dict[str, Any]:
        recorder = self._run.recorder
        for number in recorder.stages_of(recorder.number(self._dataset)):
            dataset = recorder.datasets.get(number)
            # One that is made inside a mapped function cannot be consumed by itself.
            if dataset is None or not recorder.is_own(number) or len(above := dataset._inputs()) != 1:
                continue
            for graph in graphs_of(dataset):
                answer = draws.compare(graph, above[0], image, mask, count)
                if "missing" not in answer:
                    return answer
        return {"missing": True}

    def leave_out(self, elements: int, whole: bool, **place: Any) -> dict[str, Any]:
        recorder = self._run.recorder
        numbers = recorder.stages_of(recorder.number(self._dataset))
        made = [number for number in numbers if _is_at(recorder.frames(number)[:1], place)]
        try:
            if not made:
                raise Impossible("the stage does not exist")
            self._dataset = without(recorder, self._dataset, made[-1], elements, whole=whole)
            self._ask()
        except Exception as error:
            return {"why": f"{type(error).__name__}: {error}"[:200]}
        return {"why": ""}

    def _made_at(self, place: dict[str, Any]) -> Any:
        """The dataset that a call made, the last one: of those that this one is made of, if it is one of them."""
        recorder = self._run.recorder
        for numbers in (recorder.stages_of(recorder.number(self._dataset)), list(recorder.datasets)):
            made = [number for number in numbers if _is_at(recorder.frames(number)[:1], place)]
            if made and (dataset := recorder.datasets.get(made[-1])) is not None:
                return dataset
        return None

    def _consume(self, seconds: float, step_ms: float, graph: bool) -> dict[str, Any]:
        return self._rate_in_graph(seconds, step_ms / 1e3) if graph else self._rate(seconds, step_ms / 1e3)

    def _rate(self, seconds: float, step_s: float, *, to_end: bool = False) -> dict[str, Any]:
        elements, spent, waited, longest, owed = 0, 0.0, 0.0, 0.0, 0.0
        ends = self._ends
        while spent < seconds:
            asked = self._ask()
            if to_end and self._ends > ends:
                break
            got = time.perf_counter()
            # Sleeping takes longer than it should; the next steps are the shorter.
            if step_s > owed:
                time.sleep(step_s - owed)
            ended = time.perf_counter()
            owed += ended - got - step_s
            elements += 1
            waited += got - asked
            longest = max(longest, got - asked)
            spent += ended - asked
        return {"elements": elements, "seconds": spent, "waited": waited, "longest": longest}

    def _ask(self) -> float:
        """Take an element; when it was asked for."""
        for _ in range(2):
            if not self._iterator:
                self._iterator = [iter(self._dataset)]
            asked = time.perf_counter()
            try:
                next(self._iterator[0])
            except StopIteration:
                self._ended.append(self._iterator.pop())
                self._ends += 1
                if len(self._ended) > KEPT:
                    drop([self._ended.pop(0)])
            else:
                return asked
        raise ValueError("the dataset has no elements")

    def _rate_in_graph(self, seconds: float, step_s: float) -> dict[str, Any]:
        if self._loop is None:
            self._loop = _loop(self._dataset, step_s)
        elements, spent = self._loop(seconds)
        return {"elements": int(elements), "seconds": float(spent), "waited": None}

    def elements(
        self,
        count: int,
        epochs: int = 2,
        whole: bool = False,
        at: dict[str, Any] | None = None,
        partners: bool = False,
        only: Collection[str] | None = None,
    ) -> dict[str, Any]:
        made = self._made_at(at) if at else self._dataset
        if made is None:
            return {"missing": True}
        dataset = _in_order(made)
        digest = _partners if partners else _digest
        one = dataset if whole else dataset.take(count)
        # Numbered within each epoch, for the ends of the epochs to be seen.
        numbered = one.enumerate().repeat(epochs)
        digests: list[list[str]] = []
        rows: list[list[str]] | None = [] if _is_batched(made) else None
        for number, element in numbered:
            if int(number) == 0:
                digests.append([])
                if rows is not None:
                    rows.append([])
            arrays = _arrays(element if only is None else _only(element, only))
            digests[-1].append(digest(arrays))
            rows = _with_rows(rows, arrays, digest)
        keys = sorted(_keys(dataset.element_spec))
        spec = str(dataset.element_spec if only is None else _only(dataset.element_spec, only))
        return {"spec": spec, "keys": keys, "epochs": digests, "rows": rows}

    def sums(self, count: int) -> dict[str, Any]:
        found = []
        for element in _in_order(self._dataset).take(count):
            arrays = _arrays(element)
            floats = [array for array in arrays if array.dtype.kind == "f"]
            rest = _digest([array for array in arrays if array.dtype.kind != "f"])
            shapes = [array.shape for array in floats]
            found.append((f"{rest} {shapes}", [pair for array in floats for pair in _sums(array)]))
        return {"sums": found}


def used() -> tuple[float, float]:
    """Seconds that all threads together have run, and could have run but had no core; 0 where no system tells."""
    ran = ready = 0
    with suppress(OSError):
        for thread in os.listdir(TASKS):
            # One may have ended by now.
            with suppress(OSError, ValueError), open(f"{TASKS}/{thread}/schedstat", encoding="ascii") as file:
                figures = file.read().split()
                ran, ready = ran + int(figures[0]), ready + int(figures[1])
    return ran / 1e9, ready / 1e9


def taken() -> float:
    """Seconds for which the cores that we may use have been taken, by whomever; infinite where no system tells."""
    try:
        ours = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        with open(STAT, encoding="ascii") as file:
            rows = [line.split() for line in file]
    except (OSError, AttributeError):
        return float("inf")
    # All but the idle and waiting ones, and the two that are in the first already.
    ticks = sum(sum(map(int, (*row[1:4], *row[6:9]))) for row in rows if row and row[0] in ours)
    return ticks / os.sysconf("SC_CLK_TCK")


def _loop(dataset: Any, step_s: float) -> Any:
    tensorflow = importlib.import_module("tensorflow")

    def step() -> Any:
        time.sleep(step_s)
        return 0

    @tensorflow.function  # type: ignore[untyped-decorator]
    def loop(seconds: Any) -> Any:
        elements = 0
        began = tensorflow.timestamp()
        for _ in dataset:
            if elements == 0:
                began = tensorflow.timestamp()
            if tensorflow.timestamp() - began > seconds:
                break
            if step_s:
                tensorflow.numpy_function(step, [], tensorflow.int64)
            elements += 1
        return elements, tensorflow.timestamp() - began

    return loop


def _in_order(dataset: Any) -> Any:
    options = importlib.import_module("tensorflow").data.Options()
    options.deterministic = True
    return dataset.with_options(options)


def _arrays(element: Any) -> list[Any]:
    flatten = importlib.import_module("tensorflow").nest.flatten
    return [_array(part) for part in flatten(element, expand_composites=True)]


def _keys(element: Any) -> set[str]:
    """Of all dicts in it."""
    if not isinstance(element, (dict, tuple)):
        return set()
    parts = element.values() if isinstance(element, dict) else element
    return {*(map(str, element) if isinstance(element, dict) else ()), *(key for part in parts for key in _keys(part))}


def _only(element: Any, keys: Collection[str]) -> Any:
    """What there is of an element under these keys, and beside dicts."""
    if isinstance(element, dict):
        return {key: _only(part, keys) for key, part in element.items() if str(key) in keys}
    return tuple(_only(part, keys) for part in element) if isinstance(element, tuple) else element


def _sums(array: Any) -> Any:
    """Of every n-th number, weighted so that a place counts, with the sum of the absolute values."""
    numpy = importlib.import_module("numpy")
    weighted = array.astype("float64").ravel() * (1 + numpy.arange(array.size) * _GOLDEN % 1)
    padded = numpy.pad(weighted, (0, -array.size % PARTS)).reshape(-1, PARTS)[:, : max(1, array.size)]
    return numpy.stack([padded.sum(0), abs(padded).sum(0)], 1).tolist()


def _array(part: Any) -> Any:
    return importlib.import_module("numpy").asarray(part.numpy() if hasattr(part, "numpy") else part)


def _bytes(array: Any) -> int:
    # Strings are objects.
    return sum(map(len, array.ravel().tolist())) if array.dtype == object else int(array.nbytes)


def _is_at(frames: list[dict[str, Any]], place: dict[str, Any]) -> bool:
    return any(place.items() <= frame.items() for frame in frames)


def _digest(arrays: list[Any]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for array in arrays:
        digest.update(f"{array.dtype}{array.shape}".encode())
        # Strings are objects: their addresses are not what counts.
        digest.update(repr(array.tolist()).encode() if array.dtype == object else array.tobytes())
    return digest.hexdigest()


def _is_batched(dataset: Any) -> bool:
    """Are its elements batches, as far as what it is made of tells? Else their rows are no examples, but pixels."""
    name = type(dataset).__name__
    if "Batch" in name or "Unbatch" in name or "GroupByWindow" in name:
        return "Unbatch" not in name
    return any(map(_is_batched, dataset._inputs()))


def _partners(arrays: list[Any]) -> str:
    return f"{_digest(arrays[:1])} {_digest(arrays[1:])}"


def _with_rows(
    rows: list[list[str]] | None, arrays: list[Any], digest: Callable[[list[Any]], str]
) -> list[list[str]] | None:
    if rows is None or not arrays or any(not a.shape or a.shape[0] != arrays[0].shape[0] for a in arrays):
        return None
    # Slices: a single string would be no array any more.
    rows[-1] += [digest([array[row : row + 1] for array in arrays]) for row in range(arrays[0].shape[0])]
    return rows
