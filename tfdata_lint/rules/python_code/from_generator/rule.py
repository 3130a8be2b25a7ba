"""TFD201 from-generator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.mapped.generators import is_live
from tfdata_lint.pipeline.mapped.written import READING, runs_python
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import DRIVING, Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import CACHES, is_in_parallel, outermost, takes_few
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.rules.base import Finding, Fix, Made, Rule
from tfdata_lint.rules.python_code.from_generator.blocks import in_blocks
from tfdata_lint.rules.python_code.from_generator.generator import Generator, generator_of, varies_in_length

#: What the generator calls (or reads), and the reader of tf.data that does the same.
_READERS = (
    (r"TFRecord|tf_record_iterator|tf\.train\.Example", "Read the records with `tf.data.TFRecordDataset`"),
    (
        r"imread|read_image$|^cv2\.|Image\.open|load_img|decode_(image|jpeg|png)|load_wav|wavfile\.read|soundfile\.read|librosa\.load",
        "List the files with `tf.data.Dataset.list_files`, then read and decode them in a parallel `map`",
    ),
    (
        r"\.flow(_from_\w+)?$",
        "Read the images with `tf.keras.utils.image_dataset_from_directory`, and change them in a parallel `map`",
    ),
    (r"csv\.(DictR|r)eader|read_csv", "Read the files with `tf.data.experimental.make_csv_dataset`"),
    (
        r"np\.load|h5py|pickle\.load|lmdb|frombuffer|zarr\.|netCDF4|sqlite3|fetchone|read_parquet",
        "Write the examples to TFRecord files once, and read those",
    ),
)
#: Where its lines are the rows, and no names of what it goes on to load.
_LINES = r"^open$|GFile|\.open$", "Read the lines with `tf.data.TextLineDataset`"
#: Those of them that take more than the lines of a text.
_HEAVY = "|".join(pattern for pattern, _ in _READERS if "csv" not in pattern)
#: What functions that read files are called, whoever wrote them.
_READING = r"(^|[._])(load|read)(er)?(_\w+)?$"
#: What draws anew each time the generator is begun.
_DRAWING = r"(^|[._])(random|rng)\."
_NATIVE = (
    "Where the data is in files or arrays, start from `TFRecordDataset`, `TextLineDataset`, `list_files` "
    "or `from_tensor_slices`"
)
_MEASURED = " (measured with rows of 32 floats in memory: yielding batches is 55 to 90 times faster)"
_ONE_THREAD = "One Python thread produces all elements while it holds the interpreter lock, and each one is copied"
#: Between the generator and `batch` these do with batches what they do with rows.
_INDIFFERENT = ("map", "prefetch", "with_options", "repeat", "assert_cardinality", "batch")


class FromGenerator(Rule):
    code = "TFD201"
    name = "from-generator"
    group = "performance"
    experiment = "share"
    summary = "A Python generator makes the elements, one at a time, under the interpreter lock"
    triggers = ("from_generator",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            # No reader gives what is only there when it is asked for; the wrapper of the fix gives blocks.
            if (
                stage.op != "from_generator"
                or any(last_name(given.node).endswith("in_blocks") for given in stage.arguments.values())
                or is_live(graph, stage)
            ):
                continue
            outer = outermost(stage)
            users = [consumer for consumer in graph.reached(outer) if _counts(consumer)]
            ways = [way for consumer in users for way in _ways(outer, consumer)]
            if not ways:
                continue
            # Behind a cache the generator runs once.
            is_cached = all(any(stage.op in CACHES for stage in later) for later in ways)
            is_driven = any(consumer.kind in DRIVING for consumer in users)
            generator = generator_of(stage, graph)
            later = graph.downstream(stage) + (graph.downstream(outer) if outer is not stage else [])
            reading = next((user for user in later if _reads_files(graph, user)), None)
            if reading is not None and not generator.hands_on and (_reader(generator) or not _is_native(reading)):
                # The generator reads files itself, or Python does later.
                reading = None
            if reading is not None:
                if not (_are_names(stage) and _is_native(reading)):
                    yield self._of_names(stage, generator)
                continue
            is_batched_later = any(user.operation.batches for user in later)
            if not generator.yields_batches and (is_batched_later or generator.arrays):
                found = self._of_rows(stage, generator, _may_be_batches(later), in_blocks(graph, stage))
                once = found._replace(severity="advice", cost=f"{found.cost}; the cache limits this to the first epoch")
                is_slow = not generator.is_made_up and _is_replaceable(generator)
                if all(map(_is_prefetched, ways)) and _is_light(generator):
                    is_slow = False
                yield once if is_cached else found if is_slow else found._replace(severity="advice")
            elif (
                not is_cached
                and not generator.is_made_up
                and (
                    generator.yields_batches
                    or generator.runs
                    or _reader(generator)
                    or (is_driven and stage.generator is None)
                )
            ):
                # What is made up is read from nowhere: no advice would fit.
                yield self._of_batches(stage, generator)

    def _of_rows(self, stage: Stage, generator: Generator, may_be_batches: bool, fix: Made) -> Finding:
        if generator.arrays:
            cost = (
                "Every row goes through Python (measured with rows of 32 floats: `from_tensor_slices` is 100 to 200"
                " times faster)"
            )
            advice = f"Pass {_written(generator.arrays)} to `tf.data.Dataset.from_tensor_slices`"
            if varies_in_length(stage):
                advice += ", as a ragged tensor where the rows differ in length"
        elif may_be_batches:
            cost = _ONE_THREAD
            if generator.is_cheap:
                cost = f"Every row goes through Python{_MEASURED}"
            advice = _reader(generator) or (
                f"Yield whole batches from `{generator.name}`, or read the data with TensorFlow operations"
            )
        else:
            cost = _ONE_THREAD
            advice = _reader(generator) or _NATIVE
        if any(re.search(_DRAWING, call) for call in generator.calls):
            advice += ", and draw what is random in a `map` behind it"
        return self._finding(stage, generator, cost, advice, fix)

    def _of_names(self, stage: Stage, generator: Generator) -> Finding:
        given = _written(generator.arrays) if generator.arrays else f"the columns that `{generator.name}` yields"
        advice = f"Pass {given} to `tf.data.Dataset.from_tensor_slices`"
        cost = "Python runs for every element, although reading the files later takes more of the time"
        return self._finding(stage, generator, cost, advice)._replace(severity="advice")

    def _of_batches(self, stage: Stage, generator: Generator) -> Finding:
        if generator.runs:
            advice = f"Do the work of `{generator.name}` in `map`, or store its results once"
            return self._finding(stage, generator, _ONE_THREAD, advice)
        found = self._finding(stage, generator, _ONE_THREAD, _reader(generator) or _NATIVE)
        if is_in_parallel(stage) and _reader(generator):
            # Calls side by side share one lock.
            return found._replace(cost="The parallel generators share one interpreter lock, so they take turns")
        return found._replace(severity="advice", confidence="likely")

    def _finding(self, stage: Stage, generator: Generator, cost: str, advice: str, fix: Made = None) -> Finding:
        return self.finding(
            stage.span,
            f"`from_generator` runs the Python generator `{generator.name}` for every element",
            cost=cost,
            advice=advice,
            confidence=stage.confidence,
            fix=fix or Fix("display-only", advice, "move the rest of the generator's work by hand"),
        )


def _is_replaceable(generator: Generator) -> bool:
    """Does it do what TensorFlow does as well: walk arrays or plain rows, or open and decode files?"""
    opens = any(re.search(_LINES[0], call) for call in generator.calls)
    return bool(generator.arrays or generator.is_cheap or opens or _loads(generator) or _reader(generator))


def _is_light(generator: Generator) -> bool:
    """Does it only work on the lines of a text, which takes microseconds, and opens or decodes nothing else?"""
    reads_lines = any(re.search(rf"{_LINES[0]}|^csv\.", call) for call in generator.calls)
    return reads_lines and not any(re.search(f"{_HEAVY}|{_READING}", call) for call in generator.calls)


def _loads(generator: Generator) -> bool:
    return any(re.search(_READING, call) for call in generator.calls)


def _counts(consumer: Consumer) -> bool:
    """Training, or somebody else's: what tests iterate is made up for them."""
    if consumer.context.in_test:
        return consumer.kind == "fit"
    return consumer.kind in DRIVING or consumer.kind == "return"


def _reads_files(graph: PipelineGraph, stage: Stage) -> bool:
    """Does it read files by what its elements name?"""
    function = stage.function
    if function is None:
        return False
    python = [effect.python for effect in function.effects if effect.kind == "py_function" and effect.python]
    if _is_native(stage) or any(not code.is_known for code in python):
        return True
    return bool(python) and runs_python(graph, function, READING)


def _is_native(stage: Stage) -> bool:
    """Does TensorFlow read them?"""
    function = stage.function
    return function is not None and (
        function.reads_files or any(known(operation).cost == "read" for operation in function.operations)
    )


def _are_names(stage: Stage) -> bool:
    """Is each element one text?"""
    elements = structure_of(stage)
    return isinstance(elements, Tensor) and elements.dtype == "string"


def _may_be_batches(later: Sequence[Stage]) -> bool:
    """Could the generator give batches as well? Not where single elements are shuffled, filtered or padded."""
    batch = next((number for number, stage in enumerate(later) if stage.operation.batches), len(later))
    return all(stage.op in _INDIFFERENT and not _takes_single(stage) for stage in later[: batch + 1])


def _takes_single(stage: Stage) -> bool:
    return stage.function is not None and stage.function.batch_safety in ("unsafe", "broadcast", "rewritten")


def _ways(stage: Stage, consumer: Consumer) -> Iterator[tuple[Stage, ...]]:
    """The stages from it to a consumer on each path; not where a `take(3)` only looks at it."""
    for path in paths(consumer.dataset, consumer.context.conditions):
        if stage in path.stages and not _is_only_looked_at(path.after(stage)):
            yield path.after(stage)


def _is_only_looked_at(later: Sequence[Stage]) -> bool:
    # The buffer of a shuffle is filled all the same.
    return any(takes_few(stage) for stage in takewhile(lambda stage: stage.op != "shuffle", later))


def _is_prefetched(later: Sequence[Stage]) -> bool:
    """Does a prefetch of batches let the generator work ahead of the step?"""
    batch = next((number for number, stage in enumerate(later) if stage.operation.batches), len(later))
    return any(stage.op == "prefetch" for stage in later[batch:])


def _written(arrays: Sequence[str]) -> str:
    if len(arrays) > 3:
        return f"`{arrays[0]}` and the other arrays that it reads"
    return f"`{arrays[0]}`" if len(arrays) == 1 else f"`({', '.join(arrays)})`"


def _reader(generator: Generator) -> str:
    """The reader of tf.data for what the generator reads."""
    readers = (*_READERS, _LINES) if generator.is_cheap else _READERS
    return next((text for pattern, text in readers if any(re.search(pattern, call) for call in generator.calls)), "")
