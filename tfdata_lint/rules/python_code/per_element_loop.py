"""TFD323."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.mapped.layers import MODELS, is_application
from tfdata_lint.pipeline.nouns.code import holds, last_name, made_of, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import passes, walked
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import AS_THEY_ARE, batching, is_batched, is_few, is_toy
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.pipeline.python.provenance import filled_with, provenance
from tfdata_lint.pipeline.python.runs import Pass, generators_called, passes_of
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import statements, walk

#: Names of models, and of their methods that are given a batch.
_MODEL = r"(.*_)?(model|net|network|encoder|classifier|extractor|detector|backbone)|predict|predict_on_batch|infer"
#: Of functions of the project that do the same as a method of a model would.
_STEP = r"\w+_step|(?:train|test)_on_batch"
#: Calls that are made for single elements, or that make each depend on the one before.
_ONE_BY_ONE = frozenset({"imshow", "show", "plot", "subplot", "savefig", "imsave", "save_img", "imwrite", "save",
                         "write_file", "display", "GradientTape", "train_on_batch", "input", "sleep", "reset_states",
                         "reset_state", "waitKey"})  # fmt: skip
#: What gives arrays, of which all rows have one shape, and what makes all of one.
_ARRAYS = frozenset({"load", "load_data", "array", "asarray", "stack", "to_numpy", "train_test_split", "loadtxt",
                     "itertuples", "iterrows", "zeros", "memmap"})  # fmt: skip
_STACKING = ("array", "asarray", "stack", "vstack")
_RESIZING = frozenset({"resize", "resize_with_pad", "load_img", "pad_sequences", "resize_with_crop_or_pad"})
#: Libraries with models of their own.
_OTHERS = r"(?m)^\s*(?:import|from) (?:torch|sklearn|xgboost|lightgbm|catboost|joblib|onnxruntime)\b"


#: What comes one by one by itself.
_STREAMS = r"(?i)stream|camera|capture|video|frames|env\b|episode|queue|listen|reader|client|request"
#: Passes up to which a loop is no work to speak of.
_FEW = 16
#: Each row of a table has as many fields as the others.
_TABLES = frozenset({"CsvDataset", "make_csv_dataset"})


class PerElementLoop(Rule):
    code = "TFD323"
    name = "per-element-loop"
    group = "performance"
    summary = "A Python loop calls a model for one element at a time"
    experiment = "step"
    without_pipelines = True
    triggers = ("to:for to:comprehension text:predict text:load_model",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test:
            return
        syntax, reported = syntax_of(graph.source), set[int]()
        for call in (node for node in walk(graph.tree) if isinstance(node, ast.Call) and node.args):
            is_step = re.fullmatch(_STEP, last_name(call)) is not None
            if not is_step and not re.fullmatch(_MODEL, last_name(call)) and not _is_made_as_model(graph, syntax, call):
                continue
            scope = syntax.scopes.scope_of(call)
            ways = list(passes_of(syntax, call))
            if not (ways or is_step) and isinstance(scope, ast.FunctionDef) and not re.fullmatch(_MODEL, scope.name):
                # Whether a loop elsewhere runs it, all files are asked.
                own = Pass(scope, call)
                ways = (
                    [own] if _takes_element(graph, own, call, scope, False) and graph.is_run_in_loop(scope.name) else []
                )
            for way in ways:
                loop = way.loop
                readers = _readers(graph, loop)
                code = [loop, *([scope] if way.calls else [])]
                # A training with batches of one is how some models are trained.
                is_one = not is_step and any(map(_has_batch_of_one, readers))
                if id(loop) in reported or not _takes_element(graph, way, call, scope, is_one):
                    continue
                if any(_shows_or_trains(part, call, bool(readers)) for part in code) or _writes_files(loop):
                    continue
                if readers and all(map(_gives_equal_elements, readers)) and not _is_in_test(readers):
                    stage = next(tips(readers[0].dataset))
                    reported.add(id(loop))
                    related = Related(stage.span, "gives single elements")
                    yield self._finding(call, readers[0].span, "Call `batch` on the dataset", related)
                elif not readers and not is_step and _is_over_rows(graph, syntax, way, call):
                    if way.calls and any(
                        last_name(part) == "print" for part in walk(scope) if isinstance(part, ast.Call)
                    ):
                        # Somebody reads each answer: a few uploaded pictures.
                        continue
                    reported.add(id(loop))
                    of = loop if isinstance(loop, (ast.stmt, ast.expr)) else call
                    related = Related(span_of(of, graph.file), "gives one after the other")
                    yield self._finding(call, span_of(call, graph.file), "Stack the elements to batches", related)

    def _finding(self, call: ast.Call, span: Span, advice: str, related: Related) -> Finding:
        return self.finding(
            span,
            f"This loop calls `{ast.unparse(call.func)}` with one element at a time",
            cost="Each call costs as much as one with a whole batch (measured: 30 times as long as with"
            " `batch(32)`; 100 ms for each `predict`)",
            advice=f"{advice}, and call the model once per batch",
            confidence="likely",
            related=(related,),
        )


def _readers(graph: PipelineGraph, loop: ast.AST) -> list[Consumer]:
    """Who takes the elements that a loop goes over: of `map(f, ds)` what it is given, or who walks what it gives."""
    if not isinstance(loop, ast.Call) or not isinstance(loop.func, ast.Name):
        generators = _handing_on(graph, walked(loop))
        return [
            one
            for one in graph.consumers
            if loop in (one.node, one.loop) or one.node in generators or _is_walked_by(one, loop)
        ]
    given = {id(one.node) for part in loop.args[1:] for one in origins(graph, part)}
    walking = ((one, {id(walked(one.node)), *map(id, getattr(one.node, "args", ()))}) for one in graph.consumers)
    return [one for one, over in walking if id(one.node) in given or id(loop) in over]


def _handing_on(graph: PipelineGraph, over: ast.AST) -> list[ast.stmt]:
    """The loops of generators that a loop walks, and that only hand on what they get."""
    places = generators_called(graph, over, graph.source) if isinstance(over, ast.Call) else []
    loops = [part for one in places for part in getattr(one.node, "body", ()) if isinstance(part, ast.For)]
    return [part for part in loops if all(_is_yield(step) for step in part.body)]


def _is_yield(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield)


def _is_walked_by(consumer: Consumer, loop: ast.AST) -> bool:
    """Does a loop walk what a function gives, which iterates in its own place: `return ds.as_numpy_iterator()`?"""
    around = consumer.context.loops
    is_elsewhere = consumer.kind in ("for", "comprehension") and isinstance(consumer.node, ast.Call)
    return is_elsewhere and bool(around) and around[-1].node is loop


def _is_made_as_model(graph: PipelineGraph, syntax: Syntax, call: ast.Call) -> bool:
    """Is what is called with a batch of one a model of Keras, whatever its name is?"""
    if not graph.once(_has_ones) or not isinstance(call.func, (ast.Name, ast.Attribute)):
        return False
    if syntax.scopes.full_name(call.func):
        # What a library has is no model that was made.
        return False
    if not (graph.once(_makes_batches_of_one) or _is_of_one(graph, syntax, call)):
        return False
    makers = [_maker(graph, one.node) for one in origins(graph, call.func)]
    symbols = [plain(syntax.scopes.full_name(maker)) if maker is not None else "" for maker in makers]
    return bool(symbols) and all(last(symbol) in MODELS or is_application(symbol) for symbol in symbols)


def _is_of_one(graph: PipelineGraph, syntax: Syntax, call: ast.Call) -> bool:
    if any(_is_batch_of_one(graph, part) for part in walk(call.args[0])):
        return True
    return not names(call.args[0]).isdisjoint(graph.once(_of_one, syntax.scopes.scope_of(call)))


def _of_one(graph: PipelineGraph, scope: ast.AST) -> set[str]:
    """The names to which a scope assigns a batch of one."""
    made = (
        targets
        for targets, value in graph.once(_assigned, scope)
        if any(_is_batch_of_one(graph, part) for part in walk(value))
    )
    return set().union(*made)


def _has_ones(graph: PipelineGraph) -> bool:
    """Are there batches of one at all? This is asked before anything is asked of each call."""
    return graph.once(_makes_batches_of_one) or any(_is_batch_of_one(graph, part) for part in walk(graph.tree))


def _makes_batches_of_one(graph: PipelineGraph) -> bool:
    return any(stage.op == "batch" and stage.literal("batch_size") == 1 for stage in graph.stages)


def _maker(graph: PipelineGraph, made: ast.AST) -> ast.expr | None:
    """What a call makes a model with, be it as a graph: `tf.function(model)`."""
    match made:
        case ast.Call(args=[model, *_]) if last_name(made) in ("function", "jit"):
            found = [one.node for one in origins(graph, model)]
            return _maker(graph, found[0]) if len(found) == 1 else None
        case ast.Call(func=maker):
            return maker
    return None


def _is_in_test(consumers: Iterable[Consumer]) -> bool:
    return any(consumer.context.in_test or consumer.context.in_tf_function for consumer in consumers)


def _has_batch_of_one(consumer: Consumer) -> bool:
    ways = paths(consumer.dataset, consumer.context.conditions)
    return ways.always(lambda path: (stage := batching(path)) is not None and stage.literal("batch_size") == 1)


def _gives_equal_elements(consumer: Consumer) -> bool:
    """Does it take single elements of many that have one shape, so that they could be batches?"""
    is_one = _has_batch_of_one(consumer)
    ways = paths(consumer.dataset, consumer.context.conditions)
    return ways.always(
        lambda path: (
            (is_one or not is_batched(path)) and not (is_toy(path) or is_few(path)) and _is_of_one_shape(path, is_one)
        )
    )


def _is_of_one_shape(path: Path, is_batch: bool) -> bool:
    """Rows of arrays, or what is seen to be of one size."""
    source, *later = path.stages
    shapes = [leaf.shape for leaf in leaves(structure_of(path.stages[-1])) if isinstance(leaf, Tensor)]
    known = [shape[1:] if shape and is_batch else shape for shape in shapes]
    if any(shape for shape in known if shape is not None) and all(map(_is_one_shape, known)):
        return True
    functions = [stage.function for stage in later if stage.function is not None]
    if any(last(name) in _RESIZING for function in functions for name in function.operations):
        return True
    if source.op in _TABLES:
        return True
    return source.op == "from_tensor_slices" and all(
        stage.op in (*AS_THEY_ARE, "filter", "enumerate") or (is_batch and stage.op == "batch") or _is_trivial(stage)
        for stage in later
    )


def _is_one_shape(shape: tuple[int | None, ...] | None) -> bool:
    """That of an image may lack the number of its channels."""
    return shape is not None and all((side or 0) > 0 for side in (shape[:-1] if len(shape) > 2 else shape))


def _is_trivial(stage: Stage) -> bool:
    return stage.op == "map" and stage.function is not None and stage.function.cost == "trivial"


# ── what the model is given ─────────────────────────────────────────────────────────────────────────────────────────


def _takes_element(graph: PipelineGraph, way: Pass, call: ast.Call, scope: ast.AST, is_batch_of_one: bool) -> bool:
    """Is the model given a batch of one that is made of what the loop got in this pass?"""
    elements = made_of(way.loop, _targets(way.loop))
    if way.calls:
        if way.place is not way.loop and not any(names(part) & elements for part in _given(way.calls[0])):
            return False
        elements = made_of(scope, _targets(scope))
    top = scope if way.calls else way.loop
    given = [call.args[0], *_values_of(graph, top, names(call.args[0]) & elements)]
    if any(names(*_given(call)) & names(*targets) for targets in _bound_to(top, call)):
        # What one call gives the next one takes.
        return False
    is_one = is_batch_of_one or any(_is_batch_of_one(graph, inner) for part in given for inner in walk(part))
    return is_one and bool(names(call.args[0]) & elements)


def _bound_to(top: ast.AST, call: ast.Call) -> Iterator[list[ast.expr]]:
    return (part.targets for part in walk(top) if isinstance(part, ast.Assign) and part.value is call)


def _given(call: ast.Call) -> list[ast.expr]:
    receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    return [*receiver, *call.args, *(keyword.value for keyword in call.keywords)]


def _targets(loop: ast.AST) -> set[str]:
    if isinstance(loop, ast.FunctionDef):
        return {part.arg for part in walk(loop.args) if isinstance(part, ast.arg)} - {"self"}
    targets = [loop.target] if isinstance(loop, ast.For) else []
    pulled = (part for part in statements(loop) if isinstance(part, ast.Assign) and last_name(part.value) == "next")
    targets += [target for part in pulled for target in part.targets]
    return names(*targets, *(part.target for part in getattr(loop, "generators", ())))


def _values_of(graph: PipelineGraph, code: ast.AST, wanted: set[str]) -> list[ast.expr]:
    return [value for targets, value in graph.once(_assigned, code) if targets & wanted]


def _assigned(graph: PipelineGraph, code: ast.AST) -> list[tuple[set[str], ast.expr]]:
    """The names that some code assigns to, with what, which is asked for each call in it."""
    return [(names(*part.targets), part.value) for part in statements(code) if isinstance(part, ast.Assign)]


def _is_batch_of_one(graph: PipelineGraph, node: ast.AST) -> bool:
    """`x[None]`, `x[tf.newaxis, ...]`, `tf.expand_dims(x, 0)`, `np.array([x])`, `x.reshape(1, -1)`, `x[i:i + 1]`."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=[first, *_]) | first):
            if isinstance(first, ast.Slice) and isinstance(first.lower, ast.Name):
                return first.upper is not None and ast.unparse(first.upper) == f"{first.lower.id} + 1"
            return (isinstance(first, ast.Constant) and first.value is None) or last_name(first) == "newaxis"
        case ast.Call(args=[_, *given], keywords=words) if last_name(node) == "expand_dims":
            axes = [*given, *(word.value for word in words if word.arg == "axis")]
            return len(axes) == 1 and value_at(graph, axes[0]) == 0
        case ast.Call(args=[ast.List(elts=[item]), *_]):
            return last_name(node) in ("array", "asarray", "constant", "convert_to_tensor", "stack") and not isinstance(
                item, (ast.Constant, ast.List)
            )
        case ast.Call(args=[*_, ast.Tuple(elts=[first, *_]) | ast.List(elts=[first, *_])]):
            return last_name(node) == "reshape" and isinstance(first, ast.Constant) and first.value == 1
        case ast.Call(args=[ast.Constant(value=1), _, *_]):
            return last_name(node) == "reshape"
    return False


def _is_over_rows(graph: PipelineGraph, syntax: Syntax, way: Pass, call: ast.Call) -> bool:
    """Does a loop go over the rows of an array, or over what is made to be of one size, and over many?"""
    is_short = isinstance(way.loop, ast.While) or (passes(way.loop, graph.ranges) or _FEW + 1) <= _FEW
    if is_short or re.search(_OTHERS, graph.source.text):
        return False
    over = getattr(way.loop, "args", None) if isinstance(way.loop, ast.FunctionDef) else walked(way.loop)
    if not isinstance(over, (ast.expr, ast.arguments)) or re.search(_STREAMS, ast.unparse(over)):
        return False
    if any(_resizes(part) for _, part in provenance(graph, syntax, call.args[0])):
        return True
    if _is_row(call.args[0], way.loop):
        return True
    if isinstance(over, ast.Call) and last_name(over) == "range" and "len" not in names(over):
        return False
    if _are_stacked(syntax, way, call):
        return True
    behind = list(provenance(graph, syntax, over)) if isinstance(over, ast.expr) else []
    items = [value for there, part in behind if isinstance(part, ast.Name) for value in filled_with(there, part)]
    if any(_resizes(part) for value in items for part in walk(value)):
        return True
    # An object may be given them: `Scorer(np.load(file))`.
    read = [part for part in walk(over) if isinstance(part, (ast.Name, ast.Attribute))]
    made = [place.node for part in read for place in origins(graph, part)]
    return bool(_ARRAYS & {last_name(part) for part in (*made, *(part for _, part in behind))})


def _is_row(given: ast.expr, loop: ast.AST) -> bool:
    """Is it `rows[i : i + 1]` of an array that the loop over `i` does not change?"""
    match given:
        case ast.Subscript(
            value=ast.Name() | ast.Attribute() as rows,
            slice=ast.Slice(
                lower=ast.Name(id=first),
                upper=ast.BinOp(left=ast.Name(id=last), op=ast.Add(), right=ast.Constant(value=1)),
            ),
        ) if first == last and first in _targets(loop):
            written = ast.unparse(rows)
            stores = (part for part in walk(loop) if isinstance(getattr(part, "ctx", None), ast.Store))
            return all(ast.unparse(part).partition("[")[0] != written for part in stores)
    return False


def _are_stacked(syntax: Syntax, way: Pass, call: ast.Call) -> bool:
    """Does the loop put what the model is given into a list of which one array is made, so that all have one shape?"""
    given = names(call.args[0]) & _targets(way.loop)
    lists, stacked = set[str](), set[str]()
    for part in walk(syntax.scopes.scope_of(way.loop)):
        match part:
            case ast.Call(func=ast.Attribute(value=kept, attr="append"), args=[ast.Name(id=name)]):
                lists |= {ast.unparse(kept)} if name in given and holds(way.loop, part) else set()
            case ast.Call(args=[ast.Name() | ast.Attribute() as kept, *_]) if last_name(part) in _STACKING:
                stacked.add(ast.unparse(kept))
    return bool(lists & stacked)


def _resizes(node: ast.AST) -> bool:
    """`load_img` gives an image as it is, unless it is told a size."""
    if not isinstance(node, ast.Call) or last_name(node) not in _RESIZING:
        return False
    return last_name(node) != "load_img" or len(node.args) > 2 or any(k.arg == "target_size" for k in node.keywords)


def _shows_or_trains(loop: ast.AST, call: ast.Call, reads_dataset: bool) -> bool:
    """Does it plot or save what it is given one by one, stop early, or train with it beside a call?"""
    # Who yields what comes of a dataset may take that from batches as well.
    stopping = (ast.Break, ast.Return) if reads_dataset else (ast.Break, ast.Return, ast.Yield)
    leaving = () if isinstance(loop, ast.FunctionDef) else stopping
    telling = _ONE_BY_ONE - {last_name(call)}
    return any(isinstance(part, leaving) or last_name(part) in telling for part in walk(loop))


def _writes_files(node: ast.AST) -> bool:
    """Does some code write or append to files, by the calls in it?"""
    for call in (part for part in walk(node) if isinstance(part, ast.Call)):
        name = last_name(call)
        modes = [argument.value for argument in call.args[1:2] if isinstance(argument, ast.Constant)]
        modes += [k.value.value for k in call.keywords if k.arg == "mode" and isinstance(k.value, ast.Constant)]
        if name in ("open", "GFile") and any(set("wax+") & set(str(mode)) for mode in modes):
            return True
        if name in ("TFRecordWriter", "write_file", "write_text", "write_bytes"):
            return True
    return False
