"""What is not worth a warning: where nothing runs it, in tests, with data known to be small, and where it runs once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from tfdata_lint.config.target import Target
from tfdata_lint.lint.switched_off import option_off
from tfdata_lint.lint.unused import why_unused
from tfdata_lint.lint.versions import why_not_run
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.consumers import PULLING, Consumer
from tfdata_lint.pipeline.nouns.crossing import stages_by_span
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.pulls import pulled
from tfdata_lint.pipeline.nouns.purposes import LOOKS, TEST_WORDS, learns, purpose_of, words
from tfdata_lint.pipeline.nouns.questions import is_cached, is_toy
from tfdata_lint.pipeline.nouns.stages import MappedFunction, Stage, tips
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Entry, Finding
from tfdata_lint.source.trees import walk

#: Data sets of at most 21,000 short rows, by what loads them and by the names of their files. An epoch over the largest
#: (California housing: 20,640 rows of 8 numbers) takes a second.
_NAMES = r"(?:abalone|imports[-_]?85|auto[-_]mpg|heart|iris|penguins|pima-indians-diabetes|titanic|wine[-_]?quality)"
_SMALL = re.compile(
    r"\b(?:load_(?:iris|wine|breast_cancer|digits|diabetes|linnerud|boston)|fetch_california_housing"
    r"|make_(?:moons|circles|blobs))\s*\(|\bimport imports85\b|\b(?:boston|california)_housing\b"
    rf"|\b(?:load|load_dataset|builder)\(\s*[\"']{_NAMES}[\"']"
    rf"|[\"'/]{_NAMES}(?:[-_](?:red|white|train|training|test|eval))*(?:/(?:train|test|eval))?\.(?:csv|data|txt)[\"']"
)
#: What TensorFlow Recommenders makes of the batches that a model gives for the candidates.
_INDEXES = frozenset({"FactorizedTopK", "index_from_dataset"})
#: Heavy beside numbers, light beside files.
_WORDS = frozenset({"TextVectorization", "StringLookup"})
_FILES = {"tensorflow.io.read_file"}
#: Passes over data that nothing trains on, which are few beside those of training.
_TIMES = 3
#: Folders with code of others, and with what is kept as it was.
_KEPT = re.compile(r"(?:^|[\\/])(?:third_party|vendor(?:ed)?|deprecated\w*|archived?|obsolete)[\\/]")
#: So many steps take seconds.
_STEPS = 50
#: These read each element, and only once; what else reads little takes a few of them, or is not waited for.
_PASSES = frozenset({"`evaluate`", "`predict`", "a loop over test data"})
_ONCE = _PASSES | {
    "`adapt`", "`list`", "`get_single_element`", "a loop that writes files", "a loop that fills a list",
    "a script that writes files",
}  # fmt: skip
_HANDING = ("stored", "return")
#: Whoever reads it then is not seen.
_AWAY = (*_HANDING, "argument", "yield")
#: Reading these is all that their pipelines do with files.
_ROWS = frozenset({"", "csv", "text"})


#: What says whether something trains: a parameter, or the name of a part of the data.
_TRAINS = re.compile(r"""^(?:\w+\.)*(?:(?:is_)?train(?:ing)?|\w+ == ["']train(?:ing)?["'])$""")
#: Words of the names of functions that make the input of one or the other.
_EVALUATING = TEST_WORDS | {"eval", "evaluate", "evaluation", "val", "valid", "validation", "dev", "infer", "inference"}
_TRAINING = frozenset({"train", "training"})
_VALIDATION = frozenset({"val", "valid", "validation"})
#: Folders and files of nothing else.
_EVALUATION = frozenset({"eval", "evaluate", "evaluation"})
#: What a loop calls that only puts what it gets into lists.
_FILLING = frozenset({"append", "extend", "add", "print", "write"})
_CLOCKS = frozenset({"time", "timer", "default_timer", "perf_counter", "monotonic"})
_CONVERTING = frozenset({
    "run", "numpy", "len", "int", "float", "str", "tolist", "decode", "list", "tqdm", "enumerate", "range", "update",
})  # fmt: skip
#: Rules about the order of elements, which lessons show on a few numbers.
_ORDERS = frozenset({"TFD306", "TFD307", "TFD404"})


def as_worth(graph: PipelineGraph, rule: Entry, finding: Finding, target: Target) -> Finding:
    """A finding as advice, with the reason, where nothing runs the code, or where the time it saves is little."""
    if rule.code in _ORDERS and any(
        _is_shown(graph, stage) for stage in graph.once(stages_by_span).get(finding.span, ())
    ):
        return finding._replace(severity="advice", cost=f"{finding.cost}; but a few elements are only shown here")
    if finding.severity == "advice":
        return finding
    here = finding.span.row if finding.span.file == graph.file else 0
    if unused := why_unused(graph, finding.span) or why_not_run(graph, here, target):
        return finding._replace(severity="advice", cost=f"{finding.cost}; but {unused}", by_version=False)
    if finding.severity == "warning" and rule.group != "performance":
        return finding
    if option := option_off(graph, finding.span):
        cost = f"{finding.cost}; only with `{option}`, which is off by default"
        if finding.severity == "error":
            return finding._replace(severity="warning", confidence="likely", cost=cost)
        return finding._replace(severity="advice", cost=cost)
    if finding.severity == "error" or rule.group != "performance":
        return finding
    if graph.is_test or _KEPT.search(graph.file):
        # Nobody waits for the input of a test, nor changes other people's code, or retired one, for a little time.
        return finding._replace(severity="advice")
    if finding.span in graph.lost:
        # It does not even run: that is what TFD401 tells.
        return finding._replace(severity="advice")
    why = "the data is small" if graph.once(_is_small) else ""
    if not why and rule.rule.experiment in ("speed", "share"):
        why = _why_once(graph, graph.once(stages_by_span).get(finding.span, ()))
    if not why:
        return finding
    return finding._replace(
        severity="advice", cost=f"{finding.cost}; little in sum here, because {why}", by_version=False
    )


def _is_small(graph: PipelineGraph) -> bool:
    """Is a small data set all that the pipelines of a file read?"""
    text = graph.source.text
    # A module of an example of TensorFlow that is copied without its helper.
    return _SMALL.search(text) is not None and all(
        _reads_rows(stage) or (stage.is_opaque and "imports85" in text) for stage in graph.stages
    )


def _reads_rows(stage: Stage) -> bool:
    is_known = not stage.is_opaque and stage.operation.reads in _ROWS
    return is_known and (stage.function is None or not stage.function.reads_files)


def _why_once(graph: PipelineGraph, stages: Iterable[Stage]) -> str:
    # A stage that is only looked at says nothing.
    reasons = {reason for stage in stages if (reason := _why_stage_once(graph, stage)) is not None}
    return reasons.pop() if len(reasons) == 1 else ""


def _why_stage_once(graph: PipelineGraph, stage: Stage) -> str | None:
    consumers = _readers(graph, stage)
    if not consumers:
        is_whole = graph.source.kind == "notebook" and not stage.context.definition and graph.ending is None
        return "nothing in the notebook reads it" if is_whole else None
    if any(not test.holds and _TRAINS.search(test.text) for test in (*stage.context.conditions, *stage.context.guards)):
        return "only evaluation reads it"
    if all(consumer.kind in _AWAY for consumer in consumers) and _is_called_evaluation(graph, stage):
        return "only evaluation reads it, by its name"
    readers = [_reads_little(graph, consumer) for consumer in consumers]
    if all(readers) and sum(reader in _PASSES for reader in readers) <= _TIMES:
        return _told(list(dict.fromkeys(readers)))
    function = stage.function
    if function is not None and _is_soon_done(function) and is_cached(graph, stage):
        return "a cache keeps the results of the first epoch"
    return ""


def _is_called_evaluation(graph: PipelineGraph, stage: Stage) -> bool:
    """Do all names of datasets that it is a part of say so: `test_ds`, and no `train_ds`?"""
    bound = graph.once(_names_by_end)
    names = [name for part in (stage, *graph.downstream(stage)) for name in bound.get(id(part), ())]
    return bool(names) and all(words(name) & _EVALUATING and not words(name) & _TRAINING for name in names)


def _names_by_end(graph: PipelineGraph) -> dict[int, list[str]]:
    """The names of datasets, by their last stages."""
    found: dict[int, list[str]] = {}
    for target, made in graph.bound:
        for tip in tips(made):
            found.setdefault(id(tip), []).append(target.id)
    return found


def _reads_little(graph: PipelineGraph, consumer: Consumer) -> str:
    """What reads little of a pipeline, or all of it once; empty for what reads it for long."""
    loops = consumer.context.loops
    if consumer.kind == "adapt":
        return "`adapt`"
    # Does a loop write what it gets into TFRecord files?
    if "TFRecordWriter" in graph.source.text and _does(graph, consumer, "write"):
        return "a loop that writes files"
    # Does a loop show pictures, for somebody to look at?
    if _does(graph, consumer, "imshow", "waitKey", "show"):
        return "a loop that shows pictures"
    if last(consumer.target) in _INDEXES:
        return "an index of TensorFlow Recommenders"
    if consumer.kind == "validation" and _is_short(consumer, "validation_steps"):
        return "a few steps of validation"
    if _evaluates(graph, consumer):
        return "validation" if consumer.kind == "validation" else "evaluation"
    if consumer.kind in ("list", "get_single_element") and not loops:
        return f"`{consumer.kind}`"
    if _only_collects(graph, consumer):
        return "a loop that fills a list"
    if _is_timed(graph, consumer):
        return "a loop that is timed"
    if consumer.kind in ("for", "make_iterator") and graph.once(_only_writes):
        return "a script that writes files"
    if graph.once(_trains):
        if consumer.kind in ("evaluate", "predict"):
            few = f"a few steps of `{consumer.kind}`" if _is_short(consumer, "steps") else ""
            return few if loops and not _is_after_fit(graph, consumer) else f"`{consumer.kind}`"
        if _tests_once(graph, consumer):
            return "a loop over test data"
    steps = pulled(graph, consumer)
    return "a few steps" if steps is not None and steps <= _STEPS else ""


def _told(readers: list[str]) -> str:
    number = "s" if len(readers) == 1 and "steps" not in readers[0] else ""
    once = ", once" if all(reader in _ONCE for reader in readers) else ""
    return f"only {' and '.join(readers)} read{number} it{once}"


def _readers(graph: PipelineGraph, stage: Stage) -> list[Consumer]:
    # What `next` pulls from is a consumer of its own, and what is kept or returned is read by those that are seen.
    readers = [consumer for consumer in graph.reached(stage) if consumer.kind not in (*LOOKS, *PULLING)]
    return [consumer for consumer in readers if consumer.kind not in _HANDING] or readers


def _is_shown(graph: PipelineGraph, stage: Stage) -> bool:
    """Are a few made-up elements printed, to show in what order they come?"""
    readers = _readers(graph, stage)
    return bool(readers) and paths(stage).always(is_toy) and all(_only_collects(graph, reader) for reader in readers)


def _is_soon_done(function: MappedFunction) -> bool:
    """Does it take little in one pass, or only read files, which no function makes faster?"""
    return function.cost == "light" or last(function.heavy) in _WORDS or set(function.operations) == _FILES


def _is_short(consumer: Consumer, argument: str) -> bool:
    """Does it take a few steps, as the code says?"""
    steps = consumer.literal(argument)
    return isinstance(steps, int) and 0 < steps <= _STEPS


def _evaluates(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is it the smaller part of a program that trains: validation, or the input that an Estimator evaluates?"""
    if not learns(graph):
        # A script that evaluates what another one has trained.
        return bool(words(*graph.file.split("/")[-2:]) & _EVALUATION)
    if consumer.kind == "validation" or (consumer.kind == "input_fn" and consumer.target in ("evaluate", "EvalSpec")):
        return True
    if consumer.kind == "for" and isinstance(consumer.node, ast.For):
        return bool(words(ast.unparse(consumer.node.iter)) & _VALIDATION)
    named = words(consumer.context.definition)
    is_made = consumer.kind in ("make_iterator", "input_fn", "return")
    return is_made and bool(named & _EVALUATING) and not named & _TRAINING


def _is_after_fit(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Is a model trained in the same pass of the loops, in a `fit` of several epochs?"""
    fits = (other for other in graph.consumers if other.kind == "fit" and "epochs" in other.arguments)
    return any(other.context.loops == consumer.context.loops for other in fits)


def _tests_once(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does a loop go over data that are called test data, outside of other loops, and train nothing?"""
    if consumer.kind != "for" or consumer.context.loops or not isinstance(consumer.node, ast.For):
        return False
    use = purpose_of(graph, consumer)
    if use is not None:
        return use.kind == "evaluation"
    return bool(words(ast.unparse(consumer.node.iter)) & TEST_WORDS)


def _only_writes(graph: PipelineGraph) -> bool:
    """Is it a script that reads data to write records, and trains nothing?"""
    text = graph.source.text
    return "TFRecordWriter(" in text and "__main__" in text and not learns(graph)


def _trains(graph: PipelineGraph) -> bool:
    """Does something train, which takes longer than a pass over other data?"""
    uses = (purpose_of(graph, consumer) for consumer in graph.consumers)
    return any(use is not None and use.kind == "training" for use in uses)


def _only_collects(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does a loop that runs once only put what it gets into Python lists?"""
    if consumer.context.loops or consumer.kind not in ("for", "make_iterator", "as_numpy"):
        return False
    loops = [consumer.node] if consumer.kind == "for" else _runs(graph, consumer)
    if consumer.kind == "as_numpy":
        loops = [node for node in syntax_of(graph.source).way(consumer.node) if isinstance(node, ast.For)]
    body = [part for loop in loops if isinstance(loop, (ast.For, ast.While)) for part in loop.body]
    called = {last_name(node) for part in body for node in walk(part) if isinstance(node, ast.Call)}
    return not called.isdisjoint(_FILLING) and called <= _FILLING | _CONVERTING


def _is_timed(graph: PipelineGraph, consumer: Consumer) -> bool:
    """Does a function take the time of a loop that does nothing else, to compare pipelines?"""
    function = _function_around(graph, consumer)
    if consumer.kind != "for" or not isinstance(consumer.node, ast.For) or not isinstance(function, ast.FunctionDef):
        return False
    called = {last_name(node) for part in consumer.node.body for node in walk(part) if isinstance(node, ast.Call)}
    clocks = (last_name(node) for node in walk(function) if isinstance(node, ast.Call))
    return called <= _FILLING | _CONVERTING | _CLOCKS | {"sleep"} and not _CLOCKS.isdisjoint(clocks)


def _runs(graph: PipelineGraph, consumer: Consumer) -> list[ast.AST]:
    """The loops around a call of `run`, in the function that makes an iterator."""
    loops = (node for node in walk(_function_around(graph, consumer)) if isinstance(node, (ast.For, ast.While)))
    return [loop for loop in loops if any(isinstance(n, ast.Call) and last_name(n) == "run" for n in walk(loop))]


def _function_around(graph: PipelineGraph, consumer: Consumer) -> ast.AST:
    way = syntax_of(graph.source).way(consumer.node)
    return next((node for node in reversed(way) if isinstance(node, (ast.FunctionDef, ast.Module))), graph.tree)


def _does(graph: PipelineGraph, consumer: Consumer, *called: str) -> bool:
    """Does a loop that neither trains nor evaluates call one of these?"""
    if consumer.kind != "for" or purpose_of(graph, consumer) is not None:
        return False
    return any(isinstance(node, ast.Call) and last_name(node) in called for node in walk(consumer.node))
