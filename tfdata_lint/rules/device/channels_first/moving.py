"""How a model comes to have its channels last inside, while its callers still give and get them first."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.knowledge.words import CHANNELS_FIRST
from tfdata_lint.pipeline.nouns.code import holds, last_name, names, receiver
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.syntax import Syntax
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.pipeline.python.uses import mentions, uses
from tfdata_lint.rewriting.draft import Draft, is_docstring
from tfdata_lint.rewriting.fix import Fix
from tfdata_lint.rewriting.statements import free_name
from tfdata_lint.rules.base import guarded
from tfdata_lint.rules.device.channels_first.layouts import Layout, is_layer
from tfdata_lint.source.trees import walk

_REASON = (
    "results may then differ in the last digits, and what else reads the tensors inside of the model gets them channels"
    " last"
)
#: Where they have the axis of the channels by position.
_AXES = {"BatchNormalization": 0, "Concatenate": 0, "GroupNormalization": 1, "concat": 1, "concatenate": 1}
#: These treat all axes alike, or only the last of what has no others.
_ALIKE = frozenset(
    {"Activation", "Add", "AlphaDropout", "Average", "Dense", "Dropout", "ELU", "GaussianDropout", "GaussianNoise",
     "Input", "LeakyReLU", "Maximum", "Minimum", "Model", "Multiply", "ReLU", "Rescaling", "Sequential", "Subtract",
     "add", "add_n", "dropout", "elu", "gelu", "leaky_relu", "multiply", "partial", "relu", "relu6", "selu", "sigmoid",
     "silu", "softplus", "swish", "tanh"}
)  # fmt: skip
#: And these take no tensor.
_AROUND = r"(tensorflow\.)?keras\.(callbacks|initializers|losses|metrics|mixed_precision|optimizers|regularizers)\..*"
_MODELS = ("Model", "Sequential")
_COMPUTING = (ast.BinOp, ast.Call)
_METHODS = frozenset({"__init__", "append", "compile", "extend", "fit", "pop", "summary"})
#: Arguments that name axes.
_OF_AXES = frozenset({"axes", "axis", "batch_input_shape", "input_shape", "keepdims", "noise_shape", "shared_axes"})
_TESTS = r"(?i)data_format|layout|nchw|nhwc|channels_(first|last)"
_UNSEEN = "it is not seen where images come in"


@guarded
def to_last(graph: PipelineGraph, found: list[Layout]) -> Fix:
    """Say channels last everywhere in the model, and transpose once where the images come in."""
    draft = Draft(graph)
    code = _code_of_model(draft.syntax, found)
    nodes = [node for part in code for node in walk(part)]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    named = (getattr(node, "attr", getattr(node, "arg", "")) for node in nodes if not isinstance(node, ast.keyword))
    items = (node.slice for node in nodes if isinstance(node, ast.Subscript))
    draft.refuse_where(
        (any(str(name).endswith("shape") for name in named), "it depends on the shapes of tensors"),
        (any(isinstance(item, (ast.Slice, ast.Tuple)) for item in items), "it takes tensors apart"),
        (any(isinstance(node, ast.MatMult) for node in nodes), "it multiplies matrices"),
    )
    _say_last(draft, found, nodes)
    for call in calls:
        _move_axis(draft, call, {id(one.call) for one in found})
    if not draft.problem:
        # What comes out of pooling over all of an image has no layout.
        gives_images = not any(re.search("Global(Max|Average|Avg)Pool", ast.unparse(part)) for part in code)
        classes = [part for part in code if isinstance(part, ast.ClassDef)]
        if gives_images and any(re.search(r"(?i)softmax|Dense\(", ast.unparse(part)) for part in code):
            draft.refuse("a layer may work on another axis then")
        elif classes:
            _transpose_in_call(draft, classes, gives_images)
        else:
            _permute(draft, found[0], calls, gives_images)
    return draft.fix("unsafe", "Use channels last inside of the model", _REASON)


def _code_of_model(syntax: Syntax, found: list[Layout]) -> list[ast.stmt]:
    """The statements of the module that make layers, and the functions and values that they use."""
    calls = [node for node in walk(syntax.tree) if isinstance(node, ast.Call) and last_name(node) in ("Input", *_AXES)]
    calls += [one.call for one in found]
    code = [part for part in syntax.tree.body if any(holds(part, call) for call in calls)]
    for part in code:
        nodes = list(walk(part))
        parts = (node.func if isinstance(node, ast.Call) else node for node in nodes if isinstance(node, _COMPUTING))
        mentioned = (node for part in parts for node in walk(part) if isinstance(node, ast.Name))
        used = {node.id for node in mentioned if (syntax.scopes.binds(node.id, node) or "")[:1] == (syntax.tree,)}
        # Tensors are passed on by statements of the module, too; of the model only its callers hear.
        bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for other in syntax.tree.body if last_name(getattr(part, "value", None)) not in _MODELS else ():
            is_assigned = isinstance(part, ast.Assign) and isinstance(other, ast.Assign) and bound & names(other.value)
            is_used = used & (
                {getattr(other, "name", "")} | (names(*other.targets) if isinstance(other, ast.Assign) else set())
            )
            if (is_assigned or is_used) and other not in code:
                code.append(other)
    return code


def _say_last(draft: Draft, found: list[Layout], nodes: list[ast.AST]) -> None:
    """Write another layout wherever one is written."""
    syntax, graph = draft.syntax, draft.graph
    literals = {id(one.literal.node): one.literal for one in found}
    texts = {id(node) for node in walk(syntax.tree) if isinstance(node, ast.Constant) and node.value in CHANNELS_FIRST}
    tests = (node.test for node in nodes if isinstance(node, (ast.If, ast.IfExp, ast.While)))
    ways = [way for place in literals.values() if (way := syntax.way(place.node)[:-1])]  # none leads to another file
    # What another file may know of: a setting, or a parameter's default.
    shared = {
        name.id if isinstance(name, ast.Name) else getattr(name, "name", "")
        for way in ways
        for step in (way if isinstance(way[-1], ast.FunctionDef) else way[-1:])
        for name in getattr(step, "targets", [step])
    } - {""}
    draft.refuse_where(
        (any(one.is_global for one in found), "the setting is for all models of the program"),
        (any(one.is_default for one in found), "an option may ask for another layout"),
        (any(place.source is not graph.source for place in literals.values()), "the layout is set in another file"),
        (texts != set(literals), "other code asks for the layout"),
        (any(re.search(_TESTS, ast.unparse(test)) for test in tests), "other code asks for the layout"),
        (any(re.search(r"[13][Dd]|NCDHW", one.called + one.text) for one in found), "not all layers are for images"),
        (any(map(graph.is_used_elsewhere, shared)), "another file uses the setting"),
    )
    for place in literals.values() if not draft.problem else ():
        draft.replace(place.node, syntax.written(place.node).replace("first", "last").replace("NCHW", "NHWC"))


def _move_axis(draft: Draft, call: ast.Call, told: set[int]) -> None:
    """Write the last axis for that of the channels; refuse what depends on axes in another way."""
    name, full = last_name(call), draft.syntax.scopes.full_name(call.func)
    is_known = name in _ALIKE or id(call) in told or re.fullmatch(_AROUND, full) is not None
    if name in _AXES and isinstance(
        place := argument(draft.graph, call, _AXES[name], "axis", draft.graph.source), Place
    ):
        ones = origins(draft.graph, place.node)
        used = uses(draft.syntax, place.node.id, place.node) if isinstance(place.node, ast.Name) else []
        is_known = [getattr(one.node, "value", None) for one in ones] == [1] and all(
            use.kind == "set" or use.what == "axis" for use in used
        )
        if is_known:
            draft.replace(ones[0].node, "-1")
    elif full == "" and not is_layer(name):
        # A function of the file, or a layer that has been made.
        is_known = not isinstance(call.func, ast.Attribute) or name in _METHODS or receiver(call) == "self"
    if not is_known or {keyword.arg for keyword in call.keywords if name not in _AXES} & _OF_AXES:
        draft.refuse(f"`{name}` may depend on the order of the axes")


def _permute(draft: Draft, layout: Layout, calls: list[ast.Call], gives_images: bool) -> None:
    """Bring the channels to the end where images come in, and back where the model gives images."""
    syntax, home = draft.syntax, layout.call.args[0] if layout.called == "partial" else layout.call.func
    inputs = [call for call in calls if last_name(call) == "Input"]
    models = [call for call in calls if last_name(call) in _MODELS]
    if len(inputs) != 1 or len(models) != 1 or not isinstance(home, ast.Attribute):
        draft.refuse(_UNSEEN)
        return
    permute = f"{syntax.written(home.value)}.Permute"
    match syntax.way(inputs[0])[-2], argument(draft.graph, models[0], 1, "outputs", draft.graph.source):
        case ast.Assign(targets=[ast.Name(id=name) as target]) as made, Place(node=ast.Name() | ast.Call() as outputs):
            new = free_name(draft, made, set(), "channels_last", "images_last")
            read = [node for node in mentions(syntax, name, target) if node is not target]
            given = argument(draft.graph, models[0], 0, "inputs", draft.graph.source)
            if not draft.write_below(made, f"{new} = {permute}((2, 3, 1))({name})") or any(
                not isinstance(node.ctx, ast.Load) or isinstance(syntax.way(node)[-2], ast.Attribute) for node in read
            ):
                draft.refuse(_UNSEEN)
            for node in read:
                if given is None or not holds(given.node, node):
                    draft.replace(node, new)
            if gives_images:
                _wrap(draft, outputs, f"{permute}((3, 1, 2))(", ")")
        case ast.List(elts=[first, second, *_] as elts), None if elts is getattr(models[0].args[0], "elts", []):
            gap = syntax.text[syntax.end(first) : syntax.start(second)]
            _wrap(draft, first, "", f"{gap}{permute}((2, 3, 1))")
            if gives_images:
                _wrap(draft, elts[-1], "", f"{gap}{permute}((3, 1, 2))")
        case _:
            draft.refuse(_UNSEEN)


def _transpose_in_call(draft: Draft, classes: list[ast.ClassDef], gives_images: bool) -> None:
    """The same in the method of a model's class."""
    methods = {part.name: part for cls in classes for part in cls.body if isinstance(part, ast.FunctionDef)}
    returns = [node for part in classes for node in walk(part) if isinstance(node, ast.Return)]
    match methods.get("call"), returns, classes:
        case ast.FunctionDef(args=ast.arguments(args=[_, images, *_])) as call, [
            ast.Return(value=ast.expr() as value)
        ], [ast.ClassDef(bases=[base])] if set(methods) == {"__init__", "call"} and last_name(base) == "Model":
            first = next(part for part in call.body if not is_docstring(part))
            transpose = f"{draft.tensorflow(first)}.transpose"
            draft.insert_before(first, f"{images.arg} = {transpose}({images.arg}, [0, 2, 3, 1])")
            if gives_images:
                _wrap(draft, value, f"{transpose}(", ", [0, 3, 1, 2])")
        case _:
            draft.refuse(_UNSEEN)


def _wrap(draft: Draft, node: ast.expr, before: str, behind: str) -> None:
    draft.put(draft.syntax.start(node), draft.syntax.start(node), before)
    draft.put(draft.syntax.end(node), draft.syntax.end(node), behind)
