"""TFD407 dataset-misuse."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.knowledge.operations import OPTIONS
from tfdata_lint.pipeline.mapped.uses import ARITHMETIC
from tfdata_lint.pipeline.nouns.code import calls_of, caught_around, has_own_steps, is_passed_in, is_variable
from tfdata_lint.pipeline.nouns.consumers import Consumer, Misuse
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import by_place, consumed, endless_stage, is_batched
from tfdata_lint.pipeline.nouns.stages import Context, Stage, tips
from tfdata_lint.pipeline.nouns.structure import Dict_, Tuple_
from tfdata_lint.pipeline.nouns.values import Computed, Expr, Unknown
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.correctness.examples import (
    functions_on,
    has_batches_of_it,
    has_no_targets,
    is_one_example,
    is_single,
    is_single_of_tfds,
    reader_losing_weights,
    zipped_alike,
)
from tfdata_lint.rules.correctness.models import KERAS, is_of_keras
from tfdata_lint.rules.correctness.ranks import OTHER_KERAS

#: Arguments of Keras that are for arrays, what Keras does with them beside a dataset, and what to do instead.
_ARGUMENTS = {
    "y": (
        "Keras raises a ValueError: the dataset must contain the targets",
        "Add them to the dataset with `zip` or `map`",
    ),
    "sample_weight": (
        "Keras raises a ValueError: the dataset must contain the weights",
        "Add them to the dataset as the third part of its elements",
    ),
    "validation_split": (
        "Keras raises a ValueError: it splits arrays and tensors only",
        "Split the dataset with `take` and `skip`, and pass one part as `validation_data`",
    ),
}
#: Arguments of Keras 2 for generators.
_OF_GENERATORS = ("use_multiprocessing", "workers", "max_queue_size")
_BY_KIND = {"fit": ("y", "sample_weight", "validation_split"), "evaluate": ("y", "sample_weight")}
#: Stages that leave nobody knowing how many elements there are, as TensorFlow answers it.
_UNCOUNTED = frozenset({
    "filter", "flat_map", "interleave", "from_generator", "TFRecordDataset", "TextLineDataset",
    "FixedLengthRecordDataset", "CsvDataset", "take_while", "ignore_errors", "group_by_window",
    "bucket_by_sequence_length", "unique", "rejection_resample", "sample_from_datasets", "choose_from_datasets",
})  # fmt: skip
#: Stages after which that is still not known.
_STILL_UNCOUNTED = frozenset({
    "map", "batch", "padded_batch", "ragged_batch", "shuffle", "prefetch", "cache", "take", "skip", "shard",
    "enumerate", "window", "with_options",
})  # fmt: skip
#: What a Keras utility hangs on the dataset that it returns, and no transformation takes along.
_HUNG_ON = ("class_names", "file_paths")
#: What datasets of TensorFlow 1 have.
_GONE = frozenset({"output_classes", "output_shapes", "output_types"})
#: Layers that learn from the elements, each as a whole, and what they make of pairs. `Normalization` takes the inputs.
_ADAPTED = {
    "Discretization": "The layer raises a ValueError, or treats the targets as more inputs (measured)",
    "IntegerLookup": "The targets become part of the vocabulary, without an error (measured)",
    "StringLookup": "The layer raises an InvalidArgumentError; targets that are text become part of the vocabulary "
    "(measured)",
    "TextVectorization": "The layer raises an InvalidArgumentError (measured)",
}
_SOURCES = frozenset({
    "from_tensor_slices", "from_tensors", "from_generator", "list_files", "range", "TFRecordDataset",
    "TextLineDataset",
})  # fmt: skip


_SPLIT = "sklearn.model_selection.train_test_split"
#: Options that TensorFlow 2 calls otherwise.
_RENAMED = {"auto_shard": "auto_shard_policy"}


class DatasetMisuse(Rule):
    code = "TFD407"
    name = "dataset-misuse"
    group = "correctness"
    summary = "A dataset is used in a way that Keras or tf.data reject or ignore"
    triggers = (
        "to:fit to:evaluate to:predict to:validation to:adapt to:len misuse options"
        " to:sklearn.model_selection.train_test_split sample_from_datasets",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        yield from (
            *self._arguments(graph, target),
            *self._unbatched(graph),
            *self._validated_on_single(graph),
            *self._splits(graph),
            *self._without_targets(graph),
            *self._of_pairs(graph),
            *self._mixtures(graph),
            *self._adapted(graph),
            *self._lengths(graph),
            *self._misuses(graph, target),
            *self._options(graph),
        )

    def _arguments(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in consumed(graph, "fit", "evaluate", "predict"):
            ways = paths(consumer.dataset, consumer.context.conditions)
            if not _may_be_keras(consumer) or not ways.always(lambda way: not way.is_open):
                continue
            is_keras = bool(consumer.made_by)
            for name in _BY_KIND.get(consumer.kind, ()):
                if not _is_given(graph, consumer, name) or (
                    name == "validation_split" and "validation_data" in consumer.arguments
                ):
                    continue
                cost, advice = _ARGUMENTS[name]
                yield self.finding(
                    consumer.span,
                    f"`{consumer.target}` gets `{name}` in addition to a dataset",
                    cost=cost,
                    advice=advice,
                    severity=None if is_keras else "warning",
                    # What else is in `**options` may make it unused.
                    confidence="proven" if is_keras and not consumer.open_arguments else "likely",
                )
            for name in [name for name in _OF_GENERATORS if _is_given(graph, consumer, name)]:
                is_refused = is_keras and target.at_least(2, 16) and not any(map(graph.source.text.count, OTHER_KERAS))
                words = consumer.node.keywords if isinstance(consumer.node, ast.Call) else []
                yield self.finding(
                    next((span_of(word, consumer.span.file) for word in words if word.arg == name), consumer.span),
                    f"`{consumer.target}` gets `{name}` in addition to a dataset",
                    cost=(
                        "Keras 3 raises a TypeError: it has no such argument"
                        if is_refused
                        else "Keras 2 ignores it for a dataset, and Keras 3 raises a TypeError"
                    ),
                    advice="Remove it: `map` with `num_parallel_calls` prepares elements in parallel",
                    severity="warning" if is_refused else "advice",
                    confidence="proven" if is_keras else "likely",
                    fix=_without(graph, consumer, name),
                )
            if _is_given(graph, consumer, "batch_size"):
                is_refused = target.below(2, 2) and is_keras
                yield self.finding(
                    consumer.span,
                    f"`{consumer.target}` gets `batch_size` in addition to a dataset",
                    cost="Keras raises a ValueError"
                    if is_refused
                    else "Keras ignores it: the dataset already consists of batches",
                    advice="Remove it, and set the size in the dataset's `batch` call",
                    severity=None if is_refused else "advice" if has_batches_of_it(consumer, ways) else "warning",
                    confidence="proven" if is_keras else "likely",
                )

    def _unbatched(self, graph: PipelineGraph) -> Iterator[Finding]:
        for consumer in consumed(graph, "fit", "evaluate", "validation"):
            ways = paths(consumer.dataset, consumer.context.conditions)
            # A model of one's own may take single examples.
            is_keras = bool(consumer.made_by) and _may_be_keras(consumer)
            if not is_keras or not ways.always(lambda way: not way.is_open):
                continue
            if is_one_example(structure_of(consumer.dataset)) or ways.always(is_single_of_tfds):
                given = "validation data" if consumer.kind == "validation" else "data"
                yield self.finding(
                    consumer.span,
                    f"`{consumer.target}` gets {given} that is not batched",
                    cost="Keras treats the first dimension of each example as the batch dimension: most layers"
                    " raise a ValueError, others silently train on the wrong dimension (measured)",
                    advice="Call `batch` on the dataset",
                )

    def _validated_on_single(self, graph: PipelineGraph) -> Iterator[Finding]:
        """The training data are batched, and the validation data are not."""
        for consumer in graph.consumers:
            trained = _trained_beside(graph, consumer) if consumer.kind == "validation" else None
            if trained is None or consumer.context.in_test or not is_of_keras(graph, consumer):
                continue
            training = paths(trained.dataset, trained.context.conditions)
            functions = [function for way in training for function in functions_on(way)]
            ways = paths(consumer.dataset, consumer.context.conditions)
            is_same = all(one in functions for way in ways for one in functions_on(way))
            if not is_same or not ways.always(is_single) or is_one_example(structure_of(consumer.dataset)):
                continue
            if training.always(is_batched):
                last_stage = next(tips(consumer.dataset))
                yield self.finding(
                    last_stage.span,
                    f"The validation data of `{consumer.target}` are not batched, but the training data are",
                    cost="Each example is taken for a batch: most models raise a ValueError about the shape at the end"
                    " of the first epoch (measured)",
                    advice="Call `batch` on the validation dataset too",
                    is_guess=True,
                    related=(Related(consumer.span, "validated on here"),),
                )

    def _splits(self, graph: PipelineGraph) -> Iterator[Finding]:
        for consumer in graph.consumers:
            if consumer.kind == "argument" and consumer.target == _SPLIT and not consumer.context.in_test:
                yield self.finding(
                    consumer.span,
                    "`train_test_split` gets a dataset, but splits what can be indexed",
                    cost="A dataset cannot be indexed: this raises a TypeError",
                    advice="Use `tf.keras.utils.split_dataset`, or `take` and `skip` before any shuffle",
                    # Of a list of datasets it takes some.
                    is_guess=True,
                )

    def _without_targets(self, graph: PipelineGraph) -> Iterator[Finding]:
        for consumer in consumed(graph, "fit", "evaluate", "validation"):
            if not consumer.made_by.startswith(KERAS[0]) or consumer.has("y"):
                continue
            ways = paths(consumer.dataset, consumer.context.conditions)
            if not ways.always(lambda way: not way.is_open) or not has_no_targets(structure_of(consumer.dataset)):
                continue
            if not _compares(graph, consumer) or has_own_steps(graph.tree, graph.source.text):
                continue
            given = "validation data" if consumer.kind == "validation" else "data"
            yield self.finding(
                consumer.span,
                f"`{consumer.target}` gets {given} without targets",
                cost="Keras raises a ValueError: the model's loss has nothing to compare with",
                advice="Let each element be a pair of inputs and targets; for an autoencoder `map(lambda x: (x, x))`",
            )

    def _of_pairs(self, graph: PipelineGraph) -> Iterator[Finding]:
        for consumer in consumed(graph, "fit", "evaluate"):
            if not consumer.made_by:
                continue
            zipped = zipped_alike(consumer.dataset)
            if zipped is None or not _compares(graph, consumer) or has_own_steps(graph.tree, graph.source.text):
                continue
            pairs = f"{len(zipped.inputs)} pairs of inputs and targets"
            yield self.finding(
                zipped.span,
                f"`{consumer.target}` gets elements of {pairs}",
                cost="Keras takes the first for inputs, the second for targets, a third for weights: this raises a"
                " ValueError (measured)",
                advice="Make one pair of them: `map(lambda one, other: ((one[0], other[0]), one[1]))`, or read them one"
                " after the other with `concatenate`",
                is_guess=True,
                related=(Related(consumer.span, "goes to the model here"),),
            )

    def _mixtures(self, graph: PipelineGraph) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "sample_from_datasets"):
            readers = [reader_losing_weights(graph, stage) for stage in stages]
            if (reader := readers[0]) is None or None in readers:
                continue
            yield self.finding(
                stages[0].span,
                "The weights of `sample_from_datasets` end with the first dataset that is used up",
                cost="The others go on without it, in other proportions than the weights say (measured: 100 and 10"
                " elements by halves end in 84 of the first alone)",
                advice="Pass `stop_on_empty_dataset=True`, or repeat each dataset",
                severity="advice",
                confidence="likely",
                related=(Related(reader.span, "reads all of it"),),
            )

    def _adapted(self, graph: PipelineGraph) -> Iterator[Finding]:
        for consumer in graph.consumers:
            layer = last(consumer.made_by) if consumer.made_by.startswith(KERAS[0]) else ""
            if consumer.kind != "adapt" or layer not in (*_ADAPTED, "Normalization") or consumer.context.in_test:
                continue
            ways = paths(consumer.dataset, consumer.context.conditions)
            if not ways.always(lambda way: not way.is_open) or caught_around(graph.tree, consumer.node):
                continue
            match structure_of(consumer.dataset):
                case Tuple_((_, _, *_)) if layer in _ADAPTED:
                    what, cost, keep = "pairs", _ADAPTED[layer], "`map(lambda x, y: x)`"
                case Dict_() | Tuple_((Dict_(), *_)):
                    what, cost, keep = "dicts", "The layer raises an error (measured)", '`map(lambda x: x["name"])`'
                case _:
                    continue
            yield self.finding(
                consumer.span,
                f"`adapt` of `{layer}` gets a dataset of {what}",
                cost=cost,
                advice=f"Pass only the inputs of the layer: {keep}",
            )

    def _lengths(self, graph: PipelineGraph) -> Iterator[Finding]:
        for consumer in consumed(graph, "len"):
            ways = paths(consumer.dataset, consumer.context.conditions)
            if not ways.always(lambda way: _uncounted(way) is not None):
                continue
            if caught_around(graph.tree, consumer.node) & {"TypeError", "Exception", "BaseException"}:
                continue
            stage = _uncounted(ways.paths[0])
            assert stage is not None
            yield self.finding(
                consumer.span,
                f"`len` fails because `{stage.op}` makes the number of elements unknown",
                cost='This raises a TypeError: "The dataset length is unknown"',
                advice=(
                    "Count with `reduce`, or declare the number with"
                    " `apply(tf.data.experimental.assert_cardinality(n))`"
                ),
                related=(Related(stage.span, "the number of elements is unknown from here on"),),
            )

    def _misuses(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for misuse in graph.misuses:
            if misuse.context.in_test or not _is_dataset(graph, misuse) or _is_expected(graph, misuse):
                continue
            if misuse.kind == "iterator" and target.below(2, 16):
                # Keras 2 reads it, once.
                continue
            if misuse.name in _GONE and (target.below(2, 0) or is_tensorflow_1(graph)):
                continue
            message, cost, advice = _explain(misuse)
            yield self.finding(misuse.span, message, cost=cost, advice=advice)

    def _options(self, graph: PipelineGraph) -> Iterator[Finding]:
        for options in graph.options:
            for path, span, context in options.written:
                meant = _meant(path)
                if meant and not _is_asked(context):
                    yield self.finding(
                        span,
                        f"`tf.data.Options` has no `{path}`",
                        cost="Setting it raises an AttributeError",
                        advice=f"Set `{meant}`",
                    )


@guarded
def _without(graph: PipelineGraph, consumer: Consumer, name: str) -> Fix | None:
    draft, call = Draft(graph), consumer.node
    if not isinstance(call, ast.Call) or all(word.arg != name for word in call.keywords):
        return None
    draft.remove_keyword(call, name)
    return draft.fix("unsafe", f"Remove `{name}`", "today the code raises an error, or Keras 2 ignores the argument")


def _may_be_keras(consumer: Consumer) -> bool:
    return not consumer.made_by or consumer.made_by.startswith(KERAS)


def _trained_beside(graph: PipelineGraph, consumer: Consumer) -> Consumer | None:
    """What a model is trained on where it is validated on something."""
    return next((other for other in graph.consumers if other.kind == "fit" and other.node is consumer.node), None)


def _compares(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it a plain model, and are all that the file compiles compiled with a loss?"""
    return last(consumer.made_by) in ("Model", "Sequential") and graph.once(_have_losses)


def _have_losses(graph: PipelineGraph) -> bool:
    compiled = [
        call
        for call in calls_of(graph.tree, "compile")
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) not in ("re", "regex")
    ]
    return bool(compiled) and all(map(_has_loss, compiled))


def _has_loss(compiled: ast.Call) -> bool:
    given = [word.value for word in compiled.keywords if word.arg == "loss"] or compiled.args[1:2]
    return bool(given) and not (isinstance(given[0], ast.Constant) and given[0].value is None)


def _is_given(graph: PipelineGraph, consumer: Consumer, name: str) -> bool:
    """Is there an argument that is not None? Who passes on what was passed in may be given None."""
    argument = consumer.arguments.get(name)
    if argument is None or argument.literal in (None, 0):
        return False
    # Without a name they are these parameters only in Keras; other models have batches of their own.
    is_named = isinstance(consumer.node, ast.Call) and any(word.arg == name for word in consumer.node.keywords)
    if not consumer.made_by and not (is_named and (name != "batch_size" or is_of_keras(graph, consumer))):
        return False
    match argument.value:
        case Computed(expr=Expr(by=by)) if name != "validation_split" and (by in ARITHMETIC or by == "array.astype"):
            # That is never None.
            return True
        case Unknown():
            source = graph.source_of(consumer.span.file)
            is_here = source is not None and not is_passed_in(source.tree, argument.node)
            return is_here and is_variable(argument.node)
    return True


def _uncounted(path: Path) -> Stage | None:
    """The stage behind which the number of elements is not known, to the end of a path."""
    for stage in reversed(path.stages):
        if stage.op in _UNCOUNTED:
            return None if path.is_open or endless_stage(path) is not None else stage
        if stage.op not in _STILL_UNCOUNTED:
            return None
    return None


def _is_dataset(graph: PipelineGraph, misuse: Misuse) -> bool:
    """Is that sure? Of a source, what it returns may depend on its arguments."""
    stage = misuse.dataset
    if not isinstance(stage, Stage) or stage.cls is not None:
        return False
    if misuse.kind in ("iterator", "list"):
        return True
    # Who passes on what a function is given may know better, such as a decorator.
    is_near = stage.span.file == misuse.span.file and stage.context.definition == misuse.context.definition
    if not is_near and [place.node for place in origins(graph, misuse.used)] != [stage.node]:
        return False
    if stage.operation.kind != "transformation" and stage.op not in _SOURCES:
        return False
    return paths(stage, misuse.context.conditions).always(lambda way: not way.is_open)


def _is_expected(graph: PipelineGraph, misuse: Misuse) -> bool:
    """Is it tried, or asked before?"""
    if _is_asked(misuse.context):
        return True
    return bool(caught_around(graph.tree, misuse.node) & {"AttributeError", "TypeError", "Exception", "BaseException"})


def _is_asked(context: Context) -> bool:
    """Does it stand under a test of what there is?"""
    tests = (*context.conditions, *context.guards)
    return any(word in test.text for test in tests for word in ("hasattr", "isinstance", "version"))


def _explain(misuse: Misuse) -> tuple[str, str, str]:
    assert isinstance(misuse.dataset, Stage)
    if misuse.kind == "list":
        return (
            f"`{misuse.name}` gets several datasets",
            "Keras raises a ValueError: it takes one dataset",
            (
                "Combine them: with `tf.data.Dataset.zip` if each is an input, with `concatenate` if they are parts"
                " of the data"
            ),
        )
    if misuse.kind == "iterator":
        return (
            f"`{misuse.name}` gets an iterator over a dataset",
            "Keras 3 raises a ValueError: it takes the dataset itself",
            "Pass the dataset itself: Keras reads it again in each epoch, which an iterator does not allow",
        )
    if misuse.kind == "item":
        return (
            "A dataset is no iterator" if misuse.name else "A dataset cannot be indexed",
            "This raises a TypeError",
            "Take the first element with `next(iter(ds))`, a part with `skip` and `take`",
        )
    if misuse.name in _GONE:
        return (
            f"A dataset no longer has `{misuse.name}`",
            "This raises an AttributeError: only TensorFlow 1 had it",
            f"Use `element_spec`, or `tf.compat.v1.data.get_{misuse.name}`",
        )
    if misuse.name in _HUNG_ON:
        return (
            f"The dataset has no `{misuse.name}` after `{misuse.dataset.op}`",
            "This raises an AttributeError: only the dataset that the Keras utility returns has it",
            f"Read `{misuse.name}` before the first transformation",
        )
    return (
        f"A dataset has no `{misuse.name}`",
        "This raises an AttributeError",
        "Use `element_spec` for the type of the elements, or look at an element",
    )


def _meant(path: str) -> str:
    """What somebody means who sets an option that is not there; empty where it is, or where that cannot be said."""
    group, _, name = path.rpartition(".")
    if group not in OPTIONS or name in OPTIONS[group].split():
        return ""
    name = _RENAMED.get(name, name)
    others = [f"{other}.{name}".lstrip(".") for other, names in OPTIONS.items() if name in names.split()]
    if others:
        return others[0]
    from difflib import get_close_matches

    close = get_close_matches(name, OPTIONS[group].split(), 1, 0.85)
    return f"{group}.{close[0]}".lstrip(".") if close else ""
