"""TFD438."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.path import files_of, paths_given
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import may_fail
from tfdata_lint.pipeline.nouns.consumers import DRIVING, Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import CACHES
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.values import External, Mapping_, Symbol, Value
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.contract_in_one_file.encoded import decoded, encoded
from tfdata_lint.rules.correctness.contract_in_one_file.gone import TEMPORARY, is_read_later, kept
from tfdata_lint.rules.correctness.contract_in_one_file.written import Written, features, pattern_of, written

_PARSING = ("parse_single_example", "parse_example")
_READERS = frozenset({"TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset", "load"})
_READING = (*DRIVING, "inspection", "list", "reduce", "comprehension", "save", "return")
#: Sources whose elements are names of files.
_NAMING = ("list_files", "from_tensor_slices")


class ContractInOneFile(Rule):
    code = "TFD438"
    name = "contract-in-one-file"
    group = "correctness"
    summary = "A file is read with other settings than it was written with, or after it was deleted"
    triggers = (
        "TFRecordDataset TextLineDataset FixedLengthRecordDataset load CsvDataset make_csv_dataset list_files "
        "make_batched_features_dataset from_tensor_slices audio_dataset_from_directory image_dataset_from_directory "
        "text_dataset_from_directory",
        f"to:save text:Writer text:gzip text:{TEMPORARY}",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        syntax = syntax_of(graph.source)
        files = graph.once(written)
        readers = [s for s in graph.stages if s.op in _READERS and s.span.file == graph.file and not s.context.in_test]
        for reader in readers if files else ():
            paths_read = {pattern_of(path) for path in _files_read(graph, reader)}
            ways = [file for file in files if file.is_saved == (reader.op == "load") and file.path in paths_read]
            if paths_read <= {file.path for file in ways} and paths_read:
                yield from self._other_compression(graph, reader, ways)
                yield from self._other_types(graph, reader)
                yield from self._other_numbers(graph, reader)
        for consumer in graph.consumers:
            if consumer.span.file != graph.file or consumer.context.in_test:
                continue
            if consumer.kind == "save":
                yield from self._saved_onto(graph, consumer)
            if consumer.kind in _READING and TEMPORARY in graph.source.text:
                yield from self._gone(syntax, consumer)

    def _other_compression(self, graph: PipelineGraph, reader: Stage, ways: list[Written]) -> Iterator[Finding]:
        name = "compression" if reader.op == "load" else "compression_type"
        read = reader.literal(name) or ""
        compressions = {file.compression for file in ways}
        if len(compressions) != 1 or read is ... or compressions & {read, ...}:
            return
        if reader.node is not None and may_fail(graph.tree, reader.node):
            return
        compression = ways[0].compression
        yield self.finding(
            reader.span,
            f"This file is written {_with(compression)} and read {_with(read)}",
            cost="The lines are compressed bytes, and nothing fails"
            if reader.op == "TextLineDataset" and not read
            else "Reading the first element fails with a DataLossError",
            advice=f"Use the same compression for both, here `{name}={compression or None!r}`",
            confidence=reader.confidence,
            related=(Related(ways[0].span, "written here"),),
        )

    def _other_types(self, graph: PipelineGraph, reader: Stage) -> Iterator[Finding]:
        """`FixedLenFeature([], tf.int64)` of what is written as a `float_list`."""
        for stage in graph.downstream(reader.nested_in or reader):
            for call in stage.function.calls if stage.function is not None else ():
                spec = call.argument(1, "features") if last(call.name) in _PARSING else None
                for key, feature in spec.items.items() if isinstance(spec, Mapping_) else ():
                    said = _dtype(feature)
                    kinds = graph.once(features).get(key, set())
                    if said and len(kinds) == 1 and not kinds & {said, ""}:
                        yield self.finding(
                            call.span,
                            f"The feature {key!r} is written as {max(kinds)} and parsed as {said}",
                            cost="Reading the first element fails with an InvalidArgumentError",
                            advice=f"Parse it as `tf.{max(kinds)}`, or write it as {said}",
                            confidence=reader.confidence,
                            related=(Related(reader.span, "reads the file"),),
                        )
                        return

    def _other_numbers(self, graph: PipelineGraph, reader: Stage) -> Iterator[Finding]:
        """`decode_raw(x, tf.float32)` of the bytes of 64 bit numbers."""
        for stage in graph.downstream(reader.nested_in or reader):
            # What `tf.bitcast` makes of the bytes is another matter.
            is_cast = stage.function is None or "bitcast" in map(last, stage.function.operations)
            for call in stage.function.calls if stage.function is not None and not is_cast else ():
                by, key, dtype = decoded(call) or ("", "", "")
                kinds = graph.once(encoded).get((by, key), set())
                if len(kinds) != 1 or kinds & {dtype, ""} or reader.op == "load":
                    continue
                what = f"feature {key!r}" if key else "record"
                yield self.finding(
                    call.span,
                    f"The bytes of the {what} are written as {max(kinds)} and read as {dtype}",
                    cost="The numbers that are read have nothing to do with those that were written, and nothing fails"
                    " as long as the number of bytes fits"
                    if by == "decode_raw"
                    else "Reading the first element fails with an InvalidArgumentError",
                    advice=f"Read them as `tf.{max(kinds)}`, or write them as {dtype}",
                    confidence=reader.confidence,
                    related=(Related(reader.span, "reads the file"),),
                )
                return

    def _saved_onto(self, graph: PipelineGraph, consumer: Consumer) -> Iterator[Finding]:
        given = consumer.arguments.get("path")
        folders = paths_given(graph, given, consumer.span.file) if given is not None else []
        for stage in upstream(consumer.dataset) if len(folders) == 1 else ():
            if stage.op in CACHES:
                return
            if stage.op == "load" and files_of(graph, stage) == folders:
                yield self.finding(
                    consumer.span,
                    "This dataset is saved to the folder that it is read from",
                    cost="Saving clears the folder before it is read, so all data is lost without an error"
                    " (measured: 0 of 5 elements are left)",
                    advice="Save to another folder",
                    confidence=stage.confidence,
                    related=(Related(stage.span, "read from here"),),
                )
                return

    def _gone(self, syntax: Syntax, consumer: Consumer) -> Iterator[Finding]:
        known = paths(consumer.dataset, consumer.context.conditions)
        for path in known:
            reader = path.stages[0]
            files = kept(syntax, path)
            if files is None or not known.complete or any(stage.op in CACHES for stage in path.stages):
                continue
            if not is_read_later(syntax, consumer, files, reader):
                continue
            yield self.finding(
                reader.span,
                "The temporary folder of these files is gone when the dataset is read",
                cost="A dataset opens its files only when it is read: the first element fails with a NotFoundError",
                advice="Read the dataset before the folder is removed, or keep that as long as the dataset",
                confidence=reader.confidence,
                related=(Related(consumer.span, "read from here on"),),
            )
            return


def _files_read(graph: PipelineGraph, reader: Stage) -> list[str]:
    """The files that a reader is given, be it one by one: `files.interleave(tf.data.TFRecordDataset)`."""
    outer = reader.nested_in
    first = next(iter(paths(outer, outer.context.conditions).paths), None) if outer is not None else None
    if first is None:
        return files_of(graph, reader)
    return files_of(graph, first.stages[0], "tensors") if first.stages[0].op in _NAMING else []


def _with(compression: object) -> str:
    return f"with {compression}" if compression else "without compression"


def _dtype(feature: Value) -> str:
    """The dtype that a feature is parsed as, as it is written in a record."""
    if not isinstance(feature, External) or last(feature.symbol) not in ("FixedLenFeature", "VarLenFeature"):
        return ""
    position = 1 if last(feature.symbol) == "FixedLenFeature" else 0
    said = feature.keywords.get("dtype") or next(iter(feature.arguments[position : position + 1]), None)
    return last(said.name) if isinstance(said, Symbol) else ""
