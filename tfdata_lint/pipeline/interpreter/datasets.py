"""Operations of tf.data: a call of one becomes a stage of the pipeline or a consumer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence as Seq
from itertools import repeat

from tfdata_lint.pipeline.interpreter import containers, functions, mapping, outside
from tfdata_lint.pipeline.interpreter.frames import Arguments
from tfdata_lint.pipeline.interpreter.run import Run
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.knowledge.operations import Operation
from tfdata_lint.pipeline.nouns.options import Options
from tfdata_lint.pipeline.nouns.stages import Argument, Dataset, Iterator as Iterator_, Stage
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    UNKNOWN,
    Alternatives,
    Branch,
    Class,
    Computed,
    Constant,
    Element,
    External,
    Function,
    Instance,
    Mapping_,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
    parts_of,
    snapshot,
)
from tfdata_lint.pipeline.project.index import span_of

#: What each dataset or container counts that is given to a stage.
_INPUT = 50
#: Sources of values that a program holds.
_MADE_OF_VALUES = frozenset({"from_tensors", "from_tensor_slices", "from_list"})


def consumer_symbol(run: Run, operation: Operation, arguments: Arguments, node: ast.Call) -> Value:
    """`tfds.as_numpy(ds)`, `tf.compat.v1.data.make_one_shot_iterator(ds)`, …"""
    if "input_fn" in operation.parameters and (function := arguments.get(0, "input_fn")) is not None:
        outside.input_function(run, function, node)
        return UNKNOWN
    kind = operation.consumer or "argument"
    span = outside.call_span(node, run.file)
    result: Value = UNKNOWN
    for dataset in [found for value in arguments.values for found in run.datasets_in(value)]:
        result = run.iterator(dataset, node, span, "as_numpy" if kind == "as_numpy" else "", kind == "as_numpy")
        run.consume(kind, dataset, node, span, iterator=result, target=operation.name)
    return result


def made_iterator(run: Run, dataset: Dataset, node: ast.Call, made: Iterator_ | None = None) -> Iterator_:
    """`iter(ds)`; of what is `made` already, as `map(f, ds)`, it is that."""
    span = span_of(node, run.file)
    iterator = run.iterator(dataset, node, span) if made is None else made
    run.consume("iter", dataset, node, span, iterator=iterator, target="iter")
    return iterator


def part(run: Run, value: Value, made: External) -> Value | None:
    """`islice(ds, n)`: of the iterator that it is given something is left."""
    source = containers.pulled(run, value)
    dataset = run.dataset(value) if source is None else source.dataset
    if dataset is None:
        return None
    run.gives_once(made, dataset, made.call)
    return made


def new_options(run: Run, node: ast.Call) -> Options:
    options = Options(span_of(node, run.file), root=run.frame.root)
    if run.unit is not run.main and run.frame.scope.unit is not None:
        # Of another module only what binds a name is read, not what is done to it there.
        options.settings["deterministic"] = UNKNOWN
    run.graph.options.append(options)
    return options


def merged(run: Run, options: Options, arguments: Arguments, node: ast.Call) -> Value:
    """`options.merge(others)`: new ones, with the settings of both; those of a dataset it has anyway."""
    several = [options, *arguments.values]
    for one in several:
        containers.escape(one)
    known = [one for one in several if isinstance(one, Options)]
    if len(known) < 2 or len(known) < len(several):
        return UNKNOWN
    made = new_options(run, node)
    made.settings |= {path: value for one in known if not one.of_dataset for path, value in one.settings.items()}
    return made


def source_stage(run: Run, operation: Operation, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A source, or a static combination such as `Dataset.zip`."""
    given, is_open = bind_operation(operation, arguments)
    inputs = _further(run, operation, given)
    if operation.name == "zip":
        inputs += [d for part, value in arguments.positional[1:] for d in inputs_in(run, Argument(part, value))]
    if not inputs and operation.datasets:
        # zip(datasets) of what is not seen.
        inputs = [run.origin("unresolved", node)]
    if operation.reads and not inputs:
        # A reader given a dataset of file names.
        inputs = [d for _, value in arguments.positional[:1] for d in run.datasets_in(value)]
    stage = new_stage(run, operation, node, tuple(inputs), given, is_open)
    stage.symbol = name
    stage.surplus = _surplus(operation, arguments)
    return _result_of_source(stage)


def _further(run: Run, operation: Operation, given: dict[str, Argument]) -> list[Dataset]:
    """The datasets among the arguments of an operation."""
    return [d for parameter in operation.datasets if parameter in given for d in inputs_in(run, given[parameter])]


def inputs_in(run: Run, argument: Argument) -> list[Dataset]:
    """The datasets of a structure of them; what is not seen in it is one from elsewhere."""
    # The same dataset counts as often as it is in there, so this grows as the structure does.
    run.spend(_INPUT)
    match argument.value:
        case Unknown() | External() if not run.datasets_in(argument.value):
            return [run.origin("unresolved", argument.node)]
        case Sequence() | Mapping_() as value:
            return [d for part in parts_of(value) for d in inputs_in(run, Argument(argument.node, part))]
        case value:
            return run.datasets_in(value)


def _result_of_source(stage: Stage) -> Value:
    """Some sources return several datasets, or a dataset and more."""
    value: Value = stage
    if stage.op in operations.BY_SPLIT:
        split = stage.arguments.get("split")
        if split is None or split.literal is None:
            value = stage if stage.open_arguments else Mapping_({}, stage)
        elif isinstance(split.value, Sequence):
            value = Sequence(split.value.kind, tuple(stage for _ in split.value.items))
        elif isinstance(split.value, Mapping_) and split.value.rest is None:
            value = Mapping_(dict.fromkeys(split.value.items, stage))
        if stage.literal("with_info", False) is True:
            return Sequence("tuple", (value, UNKNOWN))
        if stage.literal("with_info", False) is ... and not stage.open_arguments:
            return Alternatives((Branch((), value), Branch((), UNKNOWN)))
        return value
    if stage.op == "split_dataset" or stage.literal("subset") == "both":
        return Sequence("tuple", (stage, stage))
    return value


def bind_operation(operation: Operation, arguments: Arguments) -> tuple[dict[str, Argument], bool]:
    """Arguments by the parameter names of an operation."""
    given: dict[str, Argument] = {}
    positional = arguments.positional[:1] if operation.variadic else arguments.positional
    for parameter, (node, value) in zip(operation.parameters, positional, strict=False):
        given[parameter] = Argument(node, value)
    for name, (node, value) in arguments.keywords.items():
        given[name] = Argument(node, value)
    return given, arguments.is_open


def _surplus(operation: Operation, arguments: Arguments) -> int:
    parameters = 1 if operation.variadic else len(operation.parameters)
    return max(len(arguments.positional) - parameters, 0)


def new_stage(
    run: Run,
    operation: Operation,
    node: ast.Call,
    inputs: tuple[Dataset, ...],
    given: dict[str, Argument],
    is_open: bool,
) -> Stage:
    inputs = tuple(run.followed(dataset, node) for dataset in inputs)
    if not (is_open or any(parameter in given for parameter in operation.functions)):
        # The functions of `load` and `snapshot` need not be given.
        operation = operation._replace(functions=())
    stage = Stage(operation.name, operation, outside.call_span(node, run.file), node, inputs, given, is_open)
    stage.depth = 1 + max((dataset.depth for dataset in inputs), default=0)
    stage.context = run.frame.context()
    stage.nested_in, stage.work = run.nested_in, run.graph.work
    stage.options = {path: value for dataset in inputs for path, value in dataset.options.items()}
    if any(dataset.confidence == "likely" for dataset in inputs):
        stage.confidence = "likely"
    run.graph.stages.append(stage)
    run.spend(5)
    described = [run.describe(argument, stage, name) for name, argument in _functions(operation, given)]
    if described:
        stage.function = mapping.together([one.function for one in described])
        stage.nested = next((one.nested for one in described if one.nested is not None), None)
        stage.result = described[0].result
    if operation.name in _MADE_OF_VALUES and given:
        stage.result = snapshot(next(iter(given.values())).value)
    if operation.name == "from_generator" and "generator" in given:
        function = functions.function_of(given["generator"].value)
        stage.generator = function.node if function is not None else None
        stage.python = run.describe_python(given["generator"].value, given["generator"].node)
    return stage


def _functions(operation: Operation, given: dict[str, Argument]) -> Iterator[tuple[str, Argument]]:
    """The functions among the arguments of an operation; a `Reducer` holds three."""
    for parameter in operation.functions:
        argument = given.get(parameter)
        if argument is None:
            continue
        held = argument.value if parameter == "reducer" else None
        if isinstance(held, External) and last(held.symbol) == "Reducer":
            yield from ((parameter, Argument(argument.node, part)) for part in held.given)
        else:
            yield parameter, argument


def dataset_method(run: Run, dataset: Dataset, name: str, arguments: Arguments, node: ast.Call) -> Value:
    """A method called on a dataset."""
    operation = operations.METHODS.get(name)
    if name == "__iter__":
        return made_iterator(run, dataset, node)
    if operation is None:
        # A method of a subclass: nothing is known of what it returns.
        outside.hand_over(run, arguments, node, name)
        run.consume("argument", dataset, node, outside.call_span(node, run.file), target=name)
        run.recorder.loses_track()
        return UNKNOWN
    if operation.kind == "consumer":
        return _consumer_method(run, operation, dataset, arguments, node)
    if name == "apply":
        return _apply(run, dataset, arguments, node)
    given, is_open = bind_operation(operation, arguments)
    stage = new_stage(run, operation, node, (dataset, *_further(run, operation, given)), given, is_open)
    stage.surplus = _surplus(operation, arguments)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, (ast.Name, ast.Attribute)):
        stage.receiver = run.text(node.func.value)
    if name == "with_options" and "options" in given:
        _apply_options(given["options"].value, stage)
    return stage


def _apply_options(value: Value, stage: Stage) -> None:
    match value:
        case Options():
            value.applied += 1
            stage.options = {**stage.options, **value.settings}
        case Alternatives(branches=branches):
            for branch in branches:
                if isinstance(branch.value, Options):
                    branch.value.applied += 1
                    unsure = dict.fromkeys(branch.value.settings, UNKNOWN)
                    stage.options = {**unsure, **stage.options}
        case Unknown() | External() | Element() | Instance():
            stage.options = {**stage.options, "deterministic": UNKNOWN}


def _apply(run: Run, dataset: Dataset, arguments: Arguments, node: ast.Call) -> Value:
    """`ds.apply(f)`: a function of the project is entered, an applicable of tf.data is a stage of its own."""
    function = arguments.get(0, "transformation_func")
    if isinstance(function, External) and (operation := operations.applicable(function.symbol)) is not None:
        call_node = function.call
        # Those of `*` and of a `partial` stand elsewhere.
        nodes = call_node.args if len(call_node.args) == len(function.arguments) else repeat(call_node)
        named = {keyword.arg: keyword.value for keyword in call_node.keywords}
        given = {
            parameter: Argument(argument, value)
            for parameter, argument, value in zip(operation.parameters, nodes, function.arguments, strict=False)
        }
        given |= {name: Argument(named.get(name, call_node), value) for name, value in function.keywords.items()}
        stage = new_stage(run, operation, node, (dataset,), given, bool(function.further))
        stage.symbol = function.symbol
        stage.span = outside.call_span(call_node, run.file)
        return stage
    if isinstance(function, (Function, Partial, Alternatives, Class, Instance)):
        result = run.call(function, Arguments(((node, dataset),)), node)
        if run.dataset(result) is not None:
            return result
    if isinstance(function, Symbol) and (operation := operations.applicable(function.name)) is not None:
        return new_stage(run, operation, node, (dataset,), {}, False)
    run.consume("argument", dataset, node, outside.call_span(node, run.file), target="apply")
    return run.origin("unresolved", node)


def _consumer_method(run: Run, operation: Operation, dataset: Dataset, arguments: Arguments, node: ast.Call) -> Value:
    span = outside.call_span(node, run.file)
    given, is_open = bind_operation(operation, arguments)
    if operation.name == "options":
        options = new_options(run, node)
        options.of_dataset = True
        options.settings = dict(dataset.options)
        return options
    kind = operation.consumer or "argument"
    iterator = run.iterator(dataset, node, span)
    for value in arguments.values if run.recorder.on else ():
        if functions.function_of(value) is not None:
            run.call(value, mapping.elements_for(value), node)
    run.consume(
        kind, dataset, node, span, arguments=given, open_arguments=is_open, target=operation.name, iterator=iterator
    )
    if kind in ("as_numpy_iterator", "make_iterator"):
        return iterator
    return ELEMENT if kind in ("reduce", "get_single_element") else UNKNOWN


def columns(run: Run, values: Seq[Value]) -> list[Value]:
    """`zip(NAMES, decode_csv(x))`, `zip(("train", "test"), load_data())`: as many of the columns as there are names."""
    named = [value for value in values if isinstance(value, Sequence) and value.rest is None]
    counts = [len(value.items) for value in named]
    are_texts = all(isinstance(item, Constant) and isinstance(item.value, str) for one in named for item in one.items)
    found: list[Value] = []
    for value in values:
        is_made = isinstance(value, (External, Computed)) and are_texts and containers.iterated(run, value) is None
        if counts and ((isinstance(value, Element) and value.expr is not None) or is_made):
            items = [containers.get_item(run, value, Constant(place)) for place in range(min(counts))]
            found.append(Sequence("list", tuple(items)))
        elif isinstance(value, Sequence) and value.rest is None:
            found.append(value)
        else:
            return []
    return found
