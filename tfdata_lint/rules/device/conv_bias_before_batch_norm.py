"""TFD602."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import Syntax, bound_value, syntax_of
from tfdata_lint.pipeline.python.origins import origins
from tfdata_lint.pipeline.python.uses import mentions
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.source.trees import walk

_NORMS = re.compile(r"tensorflow\.keras\.layers\.(?:experimental\.)?(?:Sync)?BatchNormalization")
#: Layers with a bias for each channel, and how many arguments may come by position, before `data_format` or the like.
_LAYERS = {"Dense": 1, "DepthwiseConv1D": 3, "DepthwiseConv2D": 3} | dict.fromkeys(
    ("Conv1D", "Conv2D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose", "SeparableConv1D",
     "SeparableConv2D"), 4)  # fmt: skip
#: Weights from elsewhere have a bias in each of these layers.
_LOADING = re.compile(
    r"load_weights|set_weights|custom_objects|\.restore\(|checkpoint_path|from_checkpoint|(?i:pretrained)"
)
_COMMENT = re.compile(r"#.*")
_LOOPS = (ast.For, ast.While)


class ConvBiasBeforeBatchNorm(Rule):
    code = "TFD602"
    name = "conv-bias-before-batch-norm"
    group = "advice"
    summary = "A layer directly before batch normalization has a bias, which has no effect"
    unmeasured = "It is about the model, and what that does in a step is left as it is"
    triggers = ("text:BatchNormalization", "text:Conv text:Dense")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or _LOADING.search(_COMMENT.sub("", graph.source.text)):
            return
        syntax = syntax_of(graph.source)
        functions: dict[int, list[ast.Call]] = {}
        for layer in _biased(graph, syntax):
            functions.setdefault(id(syntax.function_of(syntax.way(layer))), []).append(layer)
        # One finding for each function, as its layers change together.
        for first, *others in functions.values():
            more = f" ({len(others)} more in this function)" if others else ""
            yield self.finding(
                span_of(first, graph.file),
                f"`{last_name(first)}` directly before `BatchNormalization` has a bias{more}",
                cost=(
                    "Batch normalization subtracts each channel's mean, and the bias with it: every step updates the"
                    " bias without any effect"
                ),
                advice="Pass `use_bias=False`",
                related=tuple(Related(span_of(other, graph.file), "has a bias, too") for other in others),
                fix=_fix(graph, [first, *others]),
            )


@guarded
def _fix(graph: PipelineGraph, layers: list[ast.Call]) -> Fix:
    draft = Draft(graph)
    for layer in layers:
        draft.add_arguments(layer, "use_bias=False")
    return draft.fix("unsafe", "Remove the bias", "checkpoints that were saved before no longer fit")


def _biased(graph: PipelineGraph, syntax: Syntax) -> Iterator[ast.Call]:
    """The layers with a bias whose output goes only into batch normalization, in the order of the file."""
    found: dict[int, ast.Call] = {}
    nodes = list(nodes_on(syntax.tree, rows_with(syntax.text, "BatchNormalization")))
    for node in [*nodes, *(call for one in nodes for call in _calls_of_partial(one, syntax))]:
        if isinstance(node, ast.Call) and _normalizes(node, syntax):
            before = _before(node, syntax)
            layers = _handed(graph, syntax, before) if isinstance(before, ast.Name) else [before]
            found |= {id(one): one for one in layers if isinstance(one, ast.Call) and _has_bias(one, syntax)}
    yield from sorted(found.values(), key=lambda layer: (layer.lineno, layer.col_offset))


def _handed(graph: PipelineGraph, syntax: Syntax, name: ast.Name) -> list[ast.expr]:
    """The layers that a parameter stands for, each made where it is handed on: `super().__init__(Dense(8))`."""
    made = [place.node for place in origins(graph, name) if place.source is graph.source]
    return [
        one for one in made if isinstance(one, ast.Call) and isinstance(syntax.way(one)[-2], (ast.Call, ast.keyword))
    ]


def _calls_of_partial(node: ast.AST, syntax: Syntax) -> Iterator[ast.AST]:
    """The calls of `Norm = functools.partial(BatchNormalization, momentum=0.9)`."""
    match syntax.way(node)[-2:] if isinstance(node, ast.Call) else ():
        case [ast.Assign(targets=[ast.Name(id=name) as target]), ast.Call(args=[made, *_])] if last_name(made).endswith(
            "BatchNormalization"
        ):
            yield from (syntax.way(one)[-2] for one in mentions(syntax, name, target) if one is not target)


def _before(norm: ast.Call, syntax: Syntax) -> ast.expr | None:
    """The layer whose output a normalization, and nothing else, is applied to."""
    match syntax.way(norm)[-2]:
        case ast.List(elts=layers) | ast.Tuple(elts=layers) if all(isinstance(layer, ast.Call) for layer in layers):
            place = next(number for number, layer in enumerate(layers) if layer is norm)
            return layers[place - 1] if place else None
        case ast.Call(func=ast.Attribute(value=model, attr="add"), args=[_], keywords=[]):
            match _previous(norm, syntax):
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=same, attr="add"), args=[layer], keywords=[])):
                    return layer if ast.unparse(same) == ast.unparse(model) else None
    applied = _applied(norm, syntax)
    match applied:
        case ast.Call(args=[ast.Call(func=layer)]):
            return _made(layer, syntax)
        case ast.Call(args=[ast.Name(id=name)]):
            match _previous(applied, syntax):
                case ast.Assign(targets=[ast.Name(id=given)], value=ast.Call(func=layer)) if given == name:
                    return _made(layer, syntax) if _is_read_once(name, applied, syntax) else None
    return None


def _previous(node: ast.AST, syntax: Syntax) -> ast.stmt | None:
    block = syntax.block(node)
    return block.previous if block else None


def _applied(layer: ast.Call, syntax: Syntax) -> ast.Call | None:
    """The call of a layer, directly or by the name that it is assigned to."""
    call: ast.AST | None = None
    match syntax.way(layer)[-2]:
        case ast.Call(func=function) as call if function is layer:
            return call
        case ast.Assign(targets=[target]) if (named := _set_and_read(target, syntax)) is not None:
            call = syntax.way(named[1])[-2]
            return call if isinstance(call, ast.Call) and call.func is named[1] else None
    return None


def _made(layer: ast.expr, syntax: Syntax) -> ast.expr | None:
    """What makes a layer that is called in one place only."""
    named = _set_and_read(layer, syntax)
    return layer if isinstance(layer, ast.Call) else bound_value(syntax.way(named[0])) if named is not None else None


def _set_and_read(node: ast.expr, syntax: Syntax) -> tuple[ast.expr, ast.expr] | None:
    """Where a variable or an attribute of `self` is set and where it is read, if both are one place."""
    found: list[ast.expr] = []
    match node:
        case ast.Name(id=name):
            found += mentions(syntax, name, node)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            places = [one for one in syntax.named(name) if not syntax.scopes.full_name(one)]
            owners = [_class_of(one, syntax) for one in places if isinstance(one.ctx, ast.Store)]
            # A subclass, or code outside of the class, may use it, too.
            if all(last_name(one.value) == "self" and _class_of(one, syntax) in owners for one in places):
                found += [one for one in places if _class_of(one, syntax) is _class_of(node, syntax)]
    stores = [one for one in found if isinstance(getattr(one, "ctx", None), ast.Store)]
    reads = [one for one in found if one not in stores]
    return (stores[0], reads[0]) if len(stores) == len(reads) == 1 else None


def _class_of(node: ast.AST, syntax: Syntax) -> ast.AST | None:
    return next((step for step in reversed(syntax.way(node)) if isinstance(step, ast.ClassDef)), None)


def _is_read_once(name: str, applied: ast.Call, syntax: Syntax) -> bool:
    """Tell whether nothing but a normalization reads what a name stands for just before it."""
    way, block = syntax.way(applied), syntax.block(applied)
    if block is None:
        return False
    function: ast.AST | None = block.statement
    match block.statement:
        case ast.Assign(targets=[ast.Name(id=same)]) if same == name:
            pass
        case _:
            function = next((step for step in reversed(way) if isinstance(step, (ast.FunctionDef, ast.Module))), None)
            if any(isinstance(step, _LOOPS) for step in way):
                return False
    reads = [node for node in walk(function) if isinstance(node, ast.Name) and node.id == name] if function else []
    first = block.statement.lineno
    return sum(isinstance(node.ctx, ast.Load) and node.lineno >= first for node in reads) == 1


def _normalizes(norm: ast.Call, syntax: Syntax) -> bool:
    """Tell whether it normalizes each channel and adds an offset."""
    function, arguments, keywords = _completed(norm, syntax)
    if arguments or _NORMS.fullmatch(plain(syntax.scopes.full_name(function))) is None:
        return False
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in keywords}
    return None not in given and given.get("center", "True") == "True" and given.get("axis", "-1") == "-1"


def _has_bias(layer: ast.Call, syntax: Syntax) -> bool:
    """Tell whether a layer adds a bias, and nothing else, to the last axis."""
    function, arguments, keywords = _completed(layer, syntax)
    full = plain(syntax.scopes.full_name(function))
    if full.rpartition(".")[0] != "tensorflow.keras.layers" or len(arguments) > _LAYERS.get(last(full), -1):
        return False
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in keywords}
    if None in given or any(isinstance(argument, ast.Starred) for argument in arguments):
        return False
    if any(name is not None and ("bias" in name or name in ("weights", "data_format")) for name in given):
        return False
    return given.get("activation", "None") in ("None", "'linear'")


def _completed(layer: ast.Call, syntax: Syntax) -> tuple[ast.expr, list[ast.expr], list[ast.keyword]]:
    """What a call calls, and with what: of a `functools.partial` under a name, also what that is given."""
    function = layer.func
    _, bindings = (syntax.scopes.binds(function.id, function) if isinstance(function, ast.Name) else None) or (None, [])
    match bound_value(syntax.way(bindings[0])) if len(bindings) == 1 else None:
        case ast.Call(func=maker, args=[made, *given], keywords=keywords) if (
            syntax.scopes.full_name(maker) == "functools.partial"
        ):
            return made, [*given, *layer.args], [*keywords, *layer.keywords]
    return function, layer.args, layer.keywords
