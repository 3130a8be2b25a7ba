"""What a module is written for: which TensorFlow, which other libraries, which side of a choice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from tfdata_lint.config.target import LAST_OF_1, LAST_WITH_ADDONS, Target
from tfdata_lint.pipeline.knowledge import functions
from tfdata_lint.pipeline.nouns.code import nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.pipeline.project.bindings import imported
from tfdata_lint.pipeline.project.scopes import dotted
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk

_VERSION = r"version|VERSION|hasattr|executing_eagerly|(TF|tf)_?[12]\b|\bV1\b|tf2\.enabled|supports?\(|has_attr\("
_MISSING = {"AttributeError", "ImportError", "ModuleNotFoundError"}
#: What else TensorFlow may be called in a module.
_ALIAS = re.compile(r"import[ \t]+tensorflow(?:\.compat\.v[12])?[ \t]+as[ \t]+(\w+)")
_ADDONS = re.compile(r"^(?:import|from) tensorflow_addons\b", re.MULTILINE)
#: What only TensorFlow 1 runs: what such a file has, and patterns of the rows where it may be.
_PARTS = (
    "Session", "placeholder", "contrib", "_iterator", "from_structure", "enable_eager_execution", "ConfigProto",
    "app.run",
)  # fmt: skip
_ITERATORS = r"make_(?:one_shot|initializable)_iterator"
_ROWS = (
    r"Session\b", "placeholder", "contrib", "_iterator", "from_structure", "enable_eager_execution", "ConfigProto",
    r"run\b",
)  # fmt: skip
_NAME = re.compile("|".join(_ROWS))
_ONLY_OF_1 = (
    r"tensorflow\.(?:(?:Interactive)?Session|(?:sparse_)?placeholder(?:_with_default)?|contrib(?:\..*)?"
    rf"|train\.(?:Singular)?Monitored(?:Training)?Session|data\.(?:{_ITERATORS}|Iterator\.from_structure)"
    r"|enable_eager_execution|ConfigProto|app\.run)"
)


def needs_tensorflow_1(source: Source) -> bool:
    """Does only TensorFlow 1 run this module: has it sessions, placeholders, `tf.contrib`, `tf.app.run` or
    `make_one_shot_iterator` other than through `compat`?"""
    if source.tree is None or not any(part in source.text for part in _PARTS):
        return False
    syntax = syntax_of(source)
    nodes = nodes_on(syntax.tree, rows_with(source.text, *_ROWS))
    return any(_is_idiom(node, syntax) and not _is_chosen(node, syntax) for node in nodes)


def target_of(source: Source, declared: Target) -> Target:
    """The TensorFlow that a module is written for: as declared, else its code tells."""
    kept: Target | None = source.notes.get(Target)
    if kept:
        return kept
    if declared.is_declared:
        return declared
    for last, is_written_for in ((LAST_OF_1, _is_written_for_1), (LAST_WITH_ADDONS, _imports_addons)):
        if (declared.oldest or last.version) <= last.version and is_written_for(source):
            return last._replace(oldest=declared.oldest, mentioned=declared.mentioned)
    return declared


def _is_written_for_1(source: Source) -> bool:
    """Does only TensorFlow 1 run it, or has it names that 2 has no more and nothing that 1 has not?"""
    if needs_tensorflow_1(source):
        # What has both is code of 2 with a mistake.
        return not needs_tensorflow_2(source)
    if source.tree is None or not (gone := _gone_in(source.text)) or needs_tensorflow_2(source):
        return False
    # Code of 2 may still have one name of 1, which was overlooked.
    if len(gone) == 1 and seems_tensorflow_2(source):
        return False
    syntax = syntax_of(source)
    nodes = nodes_on(syntax.tree, rows_with(source.text, *_old(source.text)))
    return any(_is_gone(node, syntax) and not _is_chosen(node, syntax) for node in nodes)


def _imports_addons(source: Source) -> bool:
    return "tensorflow_addons" in source.text and _ADDONS.search(source.text) is not None


@lru_cache(maxsize=2)
def _called(text: str) -> frozenset[str]:
    """What TensorFlow is called in a module, and what it usually is."""
    return frozenset({"tf", "tensorflow", *_ALIAS.findall(text)})


def _gone_in(text: str) -> set[str]:
    """The names in a text that TensorFlow 2 does not have."""
    # One after the other they are found faster than all of them together.
    found = (functions.TF1_NAMES.intersection(re.findall(rf"{name}\.(\w+)", text)) for name in _called(text))
    return set().union(*found)


def _old(text: str) -> Iterator[str]:
    """Patterns of rows with what TensorFlow 2 does not have."""
    yield from (r"tensorflow\.contrib", "compat")
    yield from (rf"{whole(name)}\.(?:{'|'.join(sorted(functions.TF1_NAMES))})\b" for name in _called(text))


def _is_gone(node: ast.AST, syntax: Syntax) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(), attr=name) if name in functions.TF1_NAMES:
            return full_name(node, syntax) == f"tensorflow.{name}"
    return False


def _is_idiom(node: ast.AST, syntax: Syntax) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom():
            return any(re.fullmatch(_ONLY_OF_1, symbol.name) for _, symbol in imported(node))
        case ast.Attribute(attr=name) if _NAME.search(name):
            # What a name is bound to is asked last.
            if re.fullmatch(_ONLY_OF_1, f"tensorflow{dotted(node)[1]}") and full_name(node, syntax):
                return True
            # Datasets of `compat.v1` have it, too.
            return re.fullmatch(_ITERATORS, name) is not None and "compat" not in syntax.text
    return False


def full_name(node: ast.Attribute, syntax: Syntax) -> str:
    """`tensorflow.Session` for `tf.Session`; empty where `tf` may as well be `tf.compat.v1`."""
    root, path = dotted(node)
    _, bindings = (root and syntax.scopes.binds(root, node)) or (None, ())
    plain = all(
        isinstance(binding, ast.Import) and (root, Symbol("tensorflow")) in list(imported(binding))
        for binding in bindings
    )
    return f"tensorflow{path}" if bindings and plain else ""


def is_tensorflow_1(graph: PipelineGraph) -> bool:
    """Is this module written against the API of TensorFlow 1 (1.x itself, or `compat.v1` under its name)?"""
    return graph.once(_is_tensorflow_1)


def may_lack_autotune(graph: PipelineGraph, target: Target) -> bool:
    """May `tf.data.AUTOTUNE`, which TensorFlow 2.4 brought, be missing where a module runs?"""
    return target.lacks(2, 4) or (not target.is_declared and is_tensorflow_1(graph))


def has_no_autotune(graph: PipelineGraph, target: Target) -> bool:
    """Is it likely that the older name, which TensorFlow 1.13 brought, is missing, too, where a module runs?"""
    text = graph.source.text
    return target.lacks(1, 13) or ("contrib.data" in text and "data.experimental" not in text)


def prefetches_one(graph: PipelineGraph, target: Target) -> bool:
    """Is `prefetch(1)` what surely runs: may a program that names no version run on any TensorFlow 1?"""
    text = graph.source.text
    shows_more = ".experimental" in text or "compat.v1" in text
    return has_no_autotune(graph, target) or (not target.is_declared and is_tensorflow_1(graph) and not shows_more)


def _is_tensorflow_1(graph: PipelineGraph) -> bool:
    syntax = syntax_of(graph.source)
    if "compat" not in syntax.text and not _gone_in(syntax.text):
        return False
    names = _called(syntax.text)
    return any(_is_old(node, names) for node in nodes_on(syntax.tree, rows_with(syntax.text, *_old(syntax.text))))


def _is_old(node: ast.AST, called: frozenset[str]) -> bool:
    match node:
        case ast.Import(names=names):
            return any(alias.name.startswith(("tensorflow.compat.v1", "tensorflow.contrib")) for alias in names)
        case ast.ImportFrom(module="tensorflow.compat", names=names):
            return any(alias.name == "v1" for alias in names)
        case ast.ImportFrom(module=str() as module):
            return module.startswith(("tensorflow.compat.v1", "tensorflow.contrib"))
        case ast.Attribute(value=ast.Name(id=root), attr=name):
            return root in called and name in functions.TF1_NAMES
    return False


#: What TensorFlow 1 never had, behind what it is called. Compiled where it is asked for.
_ONLY_OF_2 = (
    r"\.(?:data\.AUTOTUNE\b|random\.set_seed\(|summary\.create_file_writer\("
    r"|config\.(?:list|get_visible|set_visible)_\w+\(|keras\.utils\.(?:\w+_from_directory|set_random_seed)\()"
)
_PARTS_OF_2 = ("AUTOTUNE", "set_seed(", "create_file_writer(", ".config.", "keras.utils.")
_ARGUMENTS_OF_2 = ("output_signature", "jit_compile", "reduce_retracing")
#: A test of which TensorFlow this is, not of which Python or whether a model has an optimizer.
_WHICH = r"__version__|VERSION|version\.parse|hasattr\(tf\b|(?i:tf_?v?[12]\b)|\bV[12]\b|tf2\.enabled"


def needs_tensorflow_2(source: Source) -> bool:
    """Has it something that only TensorFlow 2 has?"""
    text = source.text
    patterns = [f"{whole(name)}=" for name in _ARGUMENTS_OF_2]
    if any(part in text for part in _PARTS_OF_2):
        patterns += [whole(name) + _ONLY_OF_2 for name in _called(text)]
    return "%tensorflow_version 2" in text or any(re.search(pattern, text) for pattern in patterns)


#: What TensorFlow 1 runs only after `enable_eager_execution`, and hence nobody writes for it.
_EAGER = (
    r"\.(?:numpy|as_numpy_iterator)\(\)",
    r"(?m)^[ \t]*for [^\n]* in [^\n]*\.(?:batch|prefetch|shuffle|take)\([^\n]*:$",
)


def seems_tensorflow_2(source: Source) -> bool:
    """Is it code as written for TensorFlow 2: eager, with `tf.function` and tapes, or `fit` of Keras that counts no
    steps, which 1 needs for datasets?"""
    text = source.text
    if any(re.search(pattern, text) for pattern in _EAGER):
        return True
    if any(f"{name}.{of_2}" in text for name in _called(text) for of_2 in ("function", "GradientTape(")):
        return True
    return "keras" in text and ".fit(" in text and "steps_per_epoch" not in text


def tells_versions_apart(graph: PipelineGraph) -> bool:
    """Does a test anywhere in the module ask which TensorFlow this is?"""
    tests = (node.test for node in walk(syntax_of(graph.source).tree) if isinstance(node, (ast.If, ast.IfExp)))
    return any(re.search(_WHICH, _test(test, syntax_of(graph.source))) for test in tests)


def _test(test: ast.expr, syntax: Syntax) -> str:
    """A test as written, but for what TensorFlow is called: `tf2` says nothing of versions."""
    return re.sub(rf"\b(?:{'|'.join(sorted(_called(syntax.text)))})\b", "tf", ast.unparse(test))


def may_need_older(graph: PipelineGraph) -> bool:
    """May this module have to run on a TensorFlow that lacks what is new, where nothing is declared?"""
    if is_tensorflow_1(graph) or tells_versions_apart(graph) or graph.says("before 2.4"):
        return True
    if seems_tensorflow_2(graph.source) or needs_tensorflow_2(graph.source):
        return False
    return graph.says("contrib") and not graph.says("tensorflow 2")


def chooses_version(graph: PipelineGraph, node: ast.AST) -> bool:
    """Is it part of code that chooses between versions: `try`/`except AttributeError`, `if version…`, `getattr`?"""
    return _is_chosen(node, syntax_of(graph.source))


def _is_chosen(node: ast.AST, syntax: Syntax) -> bool:
    way = syntax.way(node)
    return any(_chooses(step, syntax) for step in way) or any(
        _leaves_it(before, syntax) for parent, child in pairwise(way) for before in _before(parent, child)
    )


def _before(parent: ast.AST, child: ast.AST) -> list[ast.stmt]:
    """The statements in front of one that is in the body of another."""
    body = getattr(parent, "body", None)
    return body[: body.index(child)] if isinstance(body, list) and child in body else []


def _leaves_it(statement: ast.stmt, syntax: Syntax) -> bool:
    """Is it an `if` for another version, which ends in a `return`?"""
    return isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return) and _chooses(statement, syntax)


def _chooses(node: ast.AST, syntax: Syntax) -> bool:
    match node:
        case ast.Try(handlers=handlers):
            return any(h.type and _MISSING & set(re.findall(r"\w+", ast.unparse(h.type))) for h in handlers)
        case ast.If(test=test) | ast.IfExp(test=test):
            return re.search(_VERSION, _test(test, syntax)) is not None
        case ast.Call(func=ast.Name(id="getattr")):
            return True
    return False
