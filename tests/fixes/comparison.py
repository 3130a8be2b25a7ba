"""Compares programs by what they give on real TensorFlow: the datasets they build, and what they saw of them.

`observe` runs inside the process that has TensorFlow; `difference` asks it through the fixture `run_on_tensorflow`.
A dataset is read as two epochs of one iterator. What the original does not reproduce itself cannot be demanded of the
other program: then less is compared, as far as the original is stable.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import itertools
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensorflow_runner import RunOnTensorFlow

Files = dict[str, str]
"""A program: names of files and what they hold. The last is run."""

#: Global seeds: one, and none at all.
SEEDS = (7, None)
ELEMENTS = 200

_RANDOM = re.compile("random|shuffle|sampl|list_files|keras")
#: Asks for any order, and gets another one only now and then: by name, or as the argument behind the number of calls.
_UNORDERED = re.compile(r"deterministic\s*=\s*False|sloppy\s*=\s*True|AUTOTUNE, False|, \d+, False\)")
_IN_DOUBT = 12

# ── inside TensorFlow ───────────────────────────────────────────────────────────────────────────────────────────────


def observe(programs: Sequence[str], seed: int | None) -> list[dict[str, Any]]:
    """What each program gives under a global seed. Ends with the first that fails."""
    observed = []
    for program in programs:
        observed.append(_observe({"program.py": program}, seed))
        if observed[-1]["error"]:
            break
        gc.collect()
    return observed


def observe_all(programs: Sequence[tuple[Files, bool]]) -> list[dict[str, Any]]:
    """What each program does, one that fails included: what it prints, and what its names hold when it ends.

    Their consumers are slow, so that whatever reads ahead has done so. Nothing does that, or works in parallel, unless
    the program asks for it, as in older releases of TensorFlow. Where the runtime chooses how far, the hurried ones
    work on four elements at a time and read four ahead.
    """
    import tensorflow as tf
    from tensorflow.python.data.ops import map_op, prefetch_op
    from tensorflow.python.data.ops.iterator_ops import OwnedIterator

    as_asked = tf.data.Options()
    # Not one by one: some read a batch ahead that have no option of their own.
    as_asked.experimental_optimization.apply_default_optimizations = False
    as_asked.experimental_optimization.shuffle_and_repeat_fusion = True
    create, take = OwnedIterator._create_iterator, OwnedIterator.__next__

    def create_as_asked(iterator: Any, dataset: Any) -> None:
        create(iterator, dataset.with_options(as_asked))

    def take_slowly(iterator: Any) -> Any:
        element = take(iterator)
        time.sleep(0.002)
        return element

    OwnedIterator._create_iterator, OwnedIterator.__next__ = create_as_asked, take_slowly
    hurry = [False]
    for kind in (map_op._ParallelMapDataset, prefetch_op._PrefetchDataset):
        kind.__init__ = _hurrying(kind.__init__, hurry)
    observed = []
    for files, hurry[0] in programs:
        observed.append(_observe(files, None))
        gc.collect()
    return observed


def _hurrying(make: Callable[..., None], hurry: list[bool]) -> Callable[..., None]:
    def hurrying(*args: Any, **keywords: Any) -> None:
        def tuned(value: Any) -> Any:
            return 4 if hurry[0] and type(value) is int and value == -1 else value

        make(*map(tuned, args), **{name: tuned(value) for name, value in keywords.items()})

    return hurrying


def _observe(files: Files, seed: int | None) -> dict[str, Any]:
    """Runs the last of some files."""
    import tensorflow as tf

    tf.compat.v1.set_random_seed(seed)
    folder = os.path.abspath(tempfile.mkdtemp(dir="."))
    before = os.getcwd()
    os.chdir(folder)
    if len(files) > 1:
        sys.path.insert(0, folder)
    printed, namespace = io.StringIO(), {}
    raised: BaseException | None = None
    try:
        # Real files: AutoGraph reads the source.
        for name, text in files.items():
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.write(text)
        namespace = {"__name__": "__main__", "__file__": path}
        with contextlib.redirect_stdout(printed):
            exec(compile(text, path, "exec"), namespace)
    except BaseException as error:
        raised = error
    values = {"(printed)": _value(printed.getvalue().splitlines())} if printed.getvalue() else {}
    for name, value in list(namespace.items()):
        if _is_of_interest(name, value):
            try:
                values[name] = _value(value)
            except Exception as error:
                raised = raised or error
                values[name] = {"spec": "fails", "elements": [type(error).__name__], "atoms": ""}
    os.chdir(before)
    if len(files) > 1:
        sys.path.remove(folder)
        for name in files:
            sys.modules.pop(name.removesuffix(".py"), None)
    if raised is None:
        return {"error": "", "detail": "", "values": values}
    detail = "".join(traceback.format_exception(raised)[-4:])
    return {"error": type(raised).__name__, "detail": detail, "values": values}


def _is_of_interest(name: str, value: Any) -> bool:
    import tensorflow as tf

    kinds = (tf.data.Dataset, tf.Tensor, tf.Variable, list, dict, int, float, str)
    return not name.startswith("_") and isinstance(value, kinds)


def _value(value: Any) -> dict[str, Any]:
    import tensorflow as tf

    if isinstance(value, tf.Variable):
        value = value.value()
    if isinstance(value, tf.data.Dataset):
        cardinality = int(value.cardinality())
        # A `shuffle` right before `repeat` is fused with it, and then draws other seeds for the iterators that follow.
        two_epochs = value if cardinality == tf.data.INFINITE_CARDINALITY else value.prefetch(1).repeat(2)
        elements = list(itertools.islice(two_epochs, ELEMENTS))
        spec = f"{value.element_spec}, cardinality {cardinality}"
    else:
        elements = value if isinstance(value, list) else [value]
        spec = type(value).__name__
    atoms = sorted(itertools.chain.from_iterable(map(_atoms, elements)))
    digest = hashlib.sha256("\n".join(atoms).encode()).hexdigest()
    return {"spec": spec, "elements": [_text(element) for element in elements], "atoms": digest}


def _text(element: Any) -> str:
    """An element, exactly: `tolist` and `repr` keep every bit of a floating-point number."""
    import numpy as np
    import tensorflow as tf

    match element:
        case tf.Tensor():
            return f"{element.dtype.name}{element.shape.as_list()} {np.asarray(element).tolist()!r}"
        case tf.RaggedTensor():
            return f"ragged {element.dtype.name} {element.to_list()!r}"
        case tf.SparseTensor():
            return f"sparse({', '.join(map(_text, (element.indices, element.values, element.dense_shape)))})"
        case Mapping():
            return "{" + ", ".join(f"{key}: {_text(part)}" for key, part in element.items()) + "}"
        case tuple() | list() | tf.data.Dataset():
            return "(" + ", ".join(map(_text, element)) + ")"
    return repr(element)


def _atoms(element: Any, path: str = "") -> Iterator[str]:
    """The scalars of an element, each with the component it is in: however they are batched, they are the same."""
    import numpy as np
    import tensorflow as tf

    match element:
        case Mapping():
            for key, part in element.items():
                yield from _atoms(part, f"{path}.{key}")
        case tuple():
            for position, part in enumerate(element):
                yield from _atoms(part, f"{path}.{position}")
        case tf.Tensor():
            yield from (f"{path} {atom!r}" for atom in np.ravel(element.numpy()).tolist())
        case _:
            yield f"{path} {_text(element)}"


# ── outside ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class OriginalFails(Exception):
    """There is nothing to compare with."""


@dataclass(frozen=True, slots=True)
class Comparison:
    difference: str
    """Empty if there is none."""
    views: frozenset[str]
    """How closely the values were compared: names of views, or `nothing`."""


#: What can be demanded of values, the strictest that the original itself fulfils each time it runs.
_VIEWS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "in order": lambda value: value["elements"],
    "in any order": lambda value: sorted(value["elements"]),
    "their scalars": lambda value: (len(value["elements"]), value["atoms"]),
    "their number": lambda value: len(value["elements"]),
}


def compare(original: str, other: str, run: RunOnTensorFlow) -> Comparison:
    """Does another program give the same? A difference counts if the original never shows it, however often it runs."""
    views: set[str] = set()
    demanded = tuple(_VIEWS)[-1:] if _UNORDERED.search(original) else tuple(_VIEWS)
    for seed in SEEDS if _RANDOM.search(original) else SEEDS[1:]:
        observed = _observed([original, original, other], seed, run)
        if isinstance(observed[-1], str) and len(observed) < 3:
            raise OriginalFails(observed[-1])
        if isinstance(observed[-1], str):
            return Comparison(f"with the seed {seed}, it fails:\n{observed[-1]}", frozenset(views))
        runs, others = _values(observed[:2]), _values(observed[2:])
        if _difference(runs, others, demanded, views):
            runs += _values(_observed([original] * _IN_DOUBT, seed, run))
            if difference := _difference(runs, others, demanded, views):
                return Comparison(f"with the seed {seed}, {difference}", frozenset(views))
    return Comparison("", frozenset(views))


def failure(original: str, other: str, run: RunOnTensorFlow) -> str:
    """How another program fails, if it does."""
    *_, last = observed = _observed([original, other], SEEDS[0], run)
    if isinstance(last, str) and len(observed) == 1:
        raise OriginalFails(last)
    return last if isinstance(last, str) else ""


def difference(runs: list[dict[str, Any]], others: list[dict[str, Any]]) -> str:
    """What other programs do (as `observe_all` tells it) that the original never does; empty if there is nothing."""
    endings = {run["error"] for run in runs}
    for other in others:
        if other["error"] not in endings:
            return f"it ends with {other['error'] or 'no error'}, not with {endings}:\n{other['detail']}"
    return _difference([run["values"] for run in runs], [other["values"] for other in others], tuple(_VIEWS), set())


Values = dict[str, dict[str, Any]]


#: What a fix may leave out when nothing uses it any more.
_CONSTANTS = ("int", "str")


def _observed(programs: list[str], seed: int | None, run: RunOnTensorFlow) -> list[Values | str]:
    """What each program gave, or how it failed; those after a failure are left out."""
    code = (
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parents[1])!r})\n"
        f"from fixes.comparison import observe\n__answer__ = observe({programs!r}, {seed})"
    )
    ended = run(code, "observe.py")
    if ended["error"] and len(programs) > 1:
        # The process crashed or hangs: whose fault is it?
        alone = [observed for program in programs for observed in _observed([program], seed, run)]
        return alone[: next((i for i, observed in enumerate(alone, 1) if isinstance(observed, str)), len(alone))]
    if ended["error"]:
        return [f"{ended['error']}: {ended['detail']}"]
    return [
        f"{values['error']}: {values['detail']}" if values["error"] else values["values"] for values in ended["answer"]
    ]


def _values(observed: list[Values | str]) -> list[Values]:
    return [values for values in observed if not isinstance(values, str)]


def _difference(runs: list[Values], others: list[Values], demanded: tuple[str, ...], views: set[str]) -> str:
    for name in runs[0]:
        if any(name not in values for values in others):
            if runs[0][name]["spec"] in _CONSTANTS:
                continue
            return f"`{name}` is gone"
        ours, theirs = [values[name] for values in runs if name in values], [values[name] for values in others]
        if spec := _unlike(ours, theirs, lambda value: value["spec"]):
            return f"`{name}` is\n{spec[0]}\nand becomes\n{spec[1]}"
        stable = next((view for view in demanded if len({repr(_VIEWS[view](value)) for value in ours}) == 1), "")
        views.add(stable or "nothing")
        if stable and (seen := _unlike(ours, theirs, _VIEWS[stable])):
            return f"`{name}` differs ({stable}), was\n{seen[0]}\nand becomes\n{seen[1]}"
    return ""


def _unlike(
    ours: list[dict[str, Any]], theirs: list[dict[str, Any]], see: Callable[[dict[str, Any]], Any]
) -> tuple[Any, Any] | None:
    """A value of theirs that none of ours has, and one of ours."""
    seen = [see(value) for value in ours]
    return next(((seen[0], see(value)) for value in theirs if see(value) not in seen), None)
