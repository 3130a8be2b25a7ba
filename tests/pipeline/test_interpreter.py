"""The analyser holds, whatever it is given: it raises nothing and comes to an end."""

from __future__ import annotations

import ast
import json
import re
import signal
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from processes import PATIENCE

from tfdata_lint.pipeline.interpreter.limits import LIMITS, Limits
from tfdata_lint.pipeline.interpreter.reading import Interpreter, read_module
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load

HEAD = "import tensorflow as tf\n"


def recovered(source: str, limits: Limits = LIMITS) -> PipelineGraph:
    return recover(load(source.encode(), "module.py"), limits=limits)


# ---- modules that nobody would write ------------------------------------------------------------------------------

# What stands first for a symbol is what the depth runs out with.
GRAMMAR: dict[str, tuple[str, ...]] = {
    "module": (
        "import tensorflow as tf\nimport tensorflow_datasets as tfds\nimport functools\n"
        "from other import flag, mode, rows, hook\n<statements>\n<statements>\n<statements>",
    ),
    "statements": ("<statement>", "<statement>\n<statement>", "<statement>\n<statement>\n<statement>\n<statement>"),
    "statement": (
        "<name> = <dataset>",
        "<name> = <expression>",
        "<name>, *<name> = <expression>, <dataset>, <expression>",
        "<target> = <dataset>",
        "<target> = <name> = <expression>",
        "<name> += <expression>",
        "<name>: tf.data.Dataset = <expression>",
        "<expression>",
        "<dataset>",
        "del <name>",
        "return <dataset>",
        "return <expression>, <dataset>",
        "yield <dataset>",
        "global <name>",
        "nonlocal <name>",
        "raise hook",
        "assert <test>",
        "break",
        "continue",
        "if <test>:\n  <statements>",
        "if <test>:\n  <statements>\nelif <test>:\n  <statements>\nelse:\n  <statements>",
        "for <name> in <dataset>:\n  <statements>",
        "for <name>, <name> in enumerate(<expression>):\n  <statements>\nelse:\n  <statements>",
        "for <name> in <expression>:\n  <statements>",
        "while <test>:\n  <statements>",
        "while True:\n  <statements>",
        "try:\n  <statements>\nexcept (ValueError, hook) as <name>:\n  <statements>\nelse:\n  <statements>\n"
        "finally:\n  <statements>",
        "with hook.scope() as <name>, <expression>:\n  <statements>",
        "match <expression>:\n  case [<name>, *_]:\n    <statements>\n"
        "  case {'a': 1, **rest} if <test>:\n    <statements>\n"
        "  case hook.Point(x=0) | None:\n    <statements>\n  case _:\n    <statements>",
        "def <name>(<parameters>):\n  <statements>\n  return <dataset>",
        "<decorator>\ndef <name>(<parameters>) -> tf.data.Dataset:\n  <statements>",
        "async def <name>(<parameters>):\n  async for <name> in <expression>:\n    <statements>\n"
        "  async with <expression> as <name>:\n    await <expression>",
        "class <name>(<bases>):\n  <name> = <expression>\n  def __init__(self, <parameters>):\n    <statements>\n"
        "  <decorator>\n  def <name>(self, <parameters>):\n    <statements>\n    return <dataset>",
        "import <name>.a, tensorflow.data as <name>",
        "from tensorflow.data import Dataset as <name>",
        "from . import *",
        "<name> = tf.data.Options()\n<name>.threading.private_threadpool_size = <expression>\n"
        "<name> = <dataset>.with_options(<name>)",
        "model.fit(<expression>, validation_data=<dataset>, **<expression>)",
    ),
    "name": ("a", "b", "ds", "self", "f", "g", "A", "model"),
    "target": ("self.ds", "a[0]", "a['k']", "a[:]", "(a, b)", "[a, (b, ds)]", "f().x", "a.b.c"),
    "decorator": (
        "@tf.function", "@tf.function(jit_compile=True)", "@property", "@staticmethod", "@classmethod", "@hook",
        "@<name>", "@functools.partial(<name>, 1)", "@<name>.setter",
    ),
    "bases": ("", "A", "tf.Module", "tf.data.Dataset", "*a", "metaclass=hook", "f(), object"),
    "parameters": ("", "ds", "a, b=None", "a, /, b, *f, ds=<expression>, **g", "ds: tf.data.Dataset = None", "*a: int"),
    "dataset": (
        "ds",
        "tf.data.Dataset.range(3)",
        "tf.data.Dataset.from_tensor_slices(<expression>)",
        "tf.data.TFRecordDataset(<expression>, num_parallel_reads=tf.data.AUTOTUNE)",
        "tfds.load('a', split=<expression>)",
        "tf.data.Dataset.zip((<dataset>, <expression>))",
        "tf.data.Dataset.zip({'a': <dataset>, <expression>: <dataset>})",
        "<dataset>.map(<function>, num_parallel_calls=<expression>)",
        "<dataset>.interleave(lambda a: <dataset>)",
        "<dataset>.filter(<expression>).batch(*<expression>)",
        "<dataset>.batch(**<expression>)",
        "<dataset>.concatenate(<expression>)",
        "<dataset>.apply(<expression>)",
        "<dataset>.apply(tf.data.experimental.shuffle_and_repeat(<expression>))",
        "<dataset>.shuffle(<expression>).repeat()",
        "<dataset>.window(3).flat_map(lambda a: a.batch(3))",
        "<dataset>.with_options(<expression>)",
        "<dataset> if <test> else <dataset>",
        "f(<dataset>)",
        "self.ds",
        "(<name> := <dataset>)",
        "<name>.padded_batch(3)",
    ),
    "function": (
        "f", "lambda x: x", "lambda *x, y=<expression>: <expression>", "functools.partial(f, <expression>)",
        "<expression>", "A()", "self.f", "tf.io.decode_jpeg",
    ),
    "expression": (
        "1", "None", "'k'", "a", "b", "hook", "-1.5", "b'x'", "...", "1j", "rows", "()", "{}", "<dataset>",
        "f(<expression>)", "A(<dataset>, *<expression>, **<expression>)", "self.f(<expression>)", "a.b",
        "a.b.c(<expression>)", "[<expression>, *<expression>]", "(<dataset>, <expression>)",
        "{'k': <expression>, **<expression>, 1: <dataset>}", "{<expression>}", "<expression>[<expression>]",
        "<expression>[1:]", "not <expression>", "-<expression>", "~<expression>", "<expression> + <expression>",
        "<expression> % <expression>", "<expression> * 3", "<expression> @ <expression>", "2 ** <expression>",
        "'k' ** <expression>", "<expression> // 0", "1 << 900", "<expression> or <dataset>",
        "<expression> and <expression> and <expression>", "<test>",
        "[<expression> for <name> in <expression> if <test>]",
        "{<name>: <dataset> for <name> in <expression>}",
        "{<expression> for <name> in <dataset> for <name> in <expression>}", "(<dataset> for _ in <expression>)",
        "lambda: <dataset>", "(<name> := <expression>)", "f'{<name>} {<name>!r:>{b}}'", "(yield <expression>)",
        "(yield from <expression>)", "(await <expression>)", "next(iter(<dataset>))", "iter(<expression>)",
        "list(<expression>)", "len(<expression>)", "zip(<dataset>, <expression>)", "enumerate(<expression>)",
        "range(3)",
        "range(<expression>)", "isinstance(<expression>, tf.data.Dataset)", "getattr(<expression>, <expression>)",
        "super().f(<expression>)", "dict(<expression>, a=<expression>)", "int(<expression>)", "a.append(<expression>)",
        "a.update(<expression>)", "a.pop(<expression>)", "a.items()", "a.get('k', <expression>)",
        "sorted(<expression>)",
        "min(<expression>, 2)", "tf.function(<expression>)", "functools.partial(<expression>, <expression>)",
        "print(<expression>)", "hook(<dataset>)", "tf.cond(<test>, <function>, <function>)",
    ),
    "test": (
        "flag", "not <test>", "mode == 'train'", "mode != <expression>", "a is None", "ds is not None", "<expression>",
        "<test> and <test>", "<test> or <test>", "0 < <expression> <= 3", "<expression> in <expression>",
        "isinstance(a, tf.data.Dataset)", "len(rows) > 1",
    ),
}  # fmt: skip

_HOLE = re.compile(r"<(\w+)>")


def grown(symbol: str, choose: Callable[[Sequence[str]], str], depth: int) -> str:
    """A text for a symbol of the grammar; blocks are indented by what stands before them."""
    forms = GRAMMAR[symbol]
    form = choose(forms if depth > 0 else forms[:2])
    text, end = "", 0
    for hole in _HOLE.finditer(form):
        text += form[end : hole.start()]
        line = text.rpartition("\n")[2]
        indent = line if line.isspace() else ""
        text += grown(hole[1], choose, depth - 1).replace("\n", "\n" + indent)
        end = hole.end()
    return text + form[end:]


def is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


MODULES = st.builds(
    lambda random, depth: grown("module", random.choice, depth),
    st.randoms(use_true_random=False),
    st.integers(min_value=2, max_value=9),
).filter(is_python)


@pytest.mark.slow
@settings(max_examples=200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(MODULES)
def test_any_module(source: str) -> None:
    graph = recovered(source)
    for consumer in graph.consumers:
        paths(consumer.dataset, consumer.context.conditions)
    for stage in graph.stages:
        graph.reached(stage)


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(MODULES, st.integers(min_value=0, max_value=400))
def test_any_module_with_too_little_fuel(source: str, fuel: int) -> None:
    module = load(source.encode(), "module.py")
    tree = module.tree
    assert tree is not None
    run = Interpreter(module, Project(), LIMITS._replace(fuel=fuel))
    read_module(run, tree)
    # What it has begun it ends: a loop over a few things, say.
    assert run.fuel >= -100


# ---- too much of something ----------------------------------------------------------------------------------------


def _calls(count: int, body: str, last: str) -> str:
    """Functions that each call the next one."""
    functions = [f"def f{i}(d):\n  {body.format(next=f'f{i + 1}')}\n" for i in range(count)]
    return "".join(functions) + f"def f{count}(d):\n  {last}\n"


def _nested(count: int, opening: str, body: str) -> str:
    lines = [" " * depth + opening.format(depth) + "\n" for depth in range(count)]
    return "".join(lines) + " " * count + body + "\n"


RANGE = "ds = tf.data.Dataset.range(3)\n"
FIT = "model.fit(ds)\n"
MUCH = {
    "a chain of 300 calls": RANGE + "ds = ds" + ".map(lambda x: x + 1)" * 300 + "\n" + FIT,
    "2000 ifs with conditions of their own": RANGE
    + "".join(f"if c({i}):\n  ds = ds.skip(1)\n" for i in range(2000))
    + FIT,
    "2000 ifs with one condition": RANGE + "if c:\n  ds = ds.skip(1)\n" * 2000 + FIT,
    "an elif of 500 arms": RANGE
    + "if m == 0: pass\n"
    + "".join(f"elif m == {i}: ds = ds.skip({i})\n" for i in range(500))
    + FIT,
    "a match of 500 arms": RANGE + "match m:\n" + "".join(f"  case {i}: ds = ds.skip({i})\n" for i in range(500)) + FIT,
    "500 returns": "def f(m):\n"
    + "".join(f"  if m({i}): return tf.data.Dataset.range({i})\n" for i in range(500))
    + "ds = f(m)\n",
    "40 ifs in one another": RANGE + _nested(40, "if c({}):", "ds = ds.skip(1)") + FIT,
    "15 loops in one another": RANGE + _nested(15, "for i{} in x:", "ds = ds.skip(1)") + FIT,
    "15 loops over literals": RANGE + _nested(15, "for i{} in (1, 2, 3, 4, 5, 6, 7, 8):", "ds = ds.skip(1)") + FIT,
    "a comprehension over literals": RANGE + "many = [ds.skip(1)" + " for i in (1, 2, 3, 4, 5, 6, 7, 8)" * 15 + "]\n",
    "a loop with 200 exits": RANGE
    + "while x():\n"
    + "".join(f"  if c({i}):\n    ds = ds.skip(1)\n    continue\n" for i in range(200))
    + FIT,
    "200 tries": RANGE
    + "try:\n  ds = ds.skip(1)\nexcept A:\n  ds = ds.take(1)\nfinally:\n  ds = ds.repeat(2)\n" * 200
    + FIT,
    "200 functions calling each other": _calls(200, "return {next}(d.skip(1))", "return d")
    + RANGE
    + "ds = f0(ds)\n"
    + FIT,
    "calls that double": _calls(30, "return {next}({next}(d))", "return d.skip(1)") + RANGE + "ds = f0(ds)\n" + FIT,
    "calls that double by a condition": _calls(30, "return {next}(d) if c() else {next}(d.skip(1))", "return d.skip(1)")
    + RANGE
    + "ds = f0(ds)\n"
    + FIT,
    "calls that double in a mapped function": _calls(30, "return {next}(d) + {next}(d)", "return d")
    + RANGE
    + "ds = ds.map(f0)\n"
    + FIT,
    "a function that calls itself": "def f(d):\n  return f(d.skip(1))\n" + RANGE + "ds = f(ds)\n" + FIT,
    "functions that call each other": "def f(d):\n  return g(d.skip(1))\ndef g(d):\n  return f(d.take(1))\n"
    + RANGE
    + "ds = f(ds)\n"
    + FIT,
    "40 nested pipelines": RANGE
    + "ds = ds"
    + ".interleave(lambda x: tf.data.Dataset.range(3)" * 40
    + ")" * 40
    + "\n"
    + FIT,
    "200 zips with itself": RANGE + "ds = tf.data.Dataset.zip((ds, ds))\n" * 200 + FIT,
    "a list that doubles": "many = [tf.data.Dataset.range(3)]\n"
    + "many = many + many\n" * 24
    + "ds = tf.data.Dataset.zip(many)\n",
    "a list that doubles by stars": "many = [tf.data.Dataset.range(3)]\n"
    + "many = [*many, *many]\n" * 24
    + "ds = tf.data.Dataset.zip(many)\n",
    "a list that doubles in place": "many = [tf.data.Dataset.range(3)]\n"
    + "many += many\n" * 24
    + "ds = tf.data.Dataset.zip(many)\n",
    "a list that is extended by itself": "many = [tf.data.Dataset.range(3)]\n"
    + "many.extend(many)\n" * 24
    + "ds = tf.data.Dataset.zip(many)\n",
    "a list in itself": "many = [tf.data.Dataset.range(3)]\nmany.append(many)\nuse(many)\n",
    "a dict in itself": "many = {'a': tf.data.Dataset.range(3)}\nmany['b'] = many\nuse(many)\n",
    "a text that doubles": "a = 'a'\n" + "a = a + a\n" * 28 + RANGE,
    "a number that is squared": "n = 1000\n" + "n = n * n\n" * 22 + RANGE,
    "a text of very many digits": "a = '%099999999d' % 1\n" + RANGE,
    "a power of a text": "a = 'a' ** 2\n" + RANGE,
    "a partial of partials": "import functools\nds = tf.data.Dataset.range\n"
    + "ds = functools.partial(ds, 1)\n" * 1200
    + "ds()\n",
    "60 decorators": "def same(f): return lambda *a: f(*a).skip(1)\n"
    + "@same\n" * 60
    + "def make(): return tf.data.Dataset.range(3)\nmake()\n",
    "a sum of 900 terms": "ds = tf.data.Dataset.range(" + " + ".join(["x"] * 900) + ")\n" + FIT,
    "900 attributes": "ds = tf.data.Dataset.range(x" + ".a" * 900 + ")\n" + FIT,
    "a test of 900 parts": RANGE + "if " + " and ".join(f"c({i})" for i in range(900)) + ":\n  ds = ds.skip(1)\n" + FIT,
}


@pytest.fixture
def alarm() -> Iterator[None]:
    """Ends a test that would not end."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(int(PATIENCE))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.slow
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("source", MUCH.values(), ids=MUCH.keys())
def test_too_much_comes_to_an_end(source: str) -> None:
    recovered(HEAD + source)


def test_a_long_chain_is_recovered_whole() -> None:
    source = HEAD + MUCH["a chain of 300 calls"]
    graph = recovered(source, LIMITS._replace(pipeline=1000))
    assert len(graph.stages) == 301
    (path,) = paths(graph.consumers[0].dataset)
    assert len(path.stages) == 301
    usual = recovered(source)
    assert [stage.node.end_col_offset for stage in usual.stages if stage.node] == [
        stage.node.end_col_offset for stage in graph.stages if stage.node
    ]


def test_work_that_is_too_much_keeps_what_was_seen() -> None:
    source = HEAD + RANGE + FIT + "for x in y: z(x)\n" * 1000 + "other = tf.data.Dataset.range(4)\n"
    assert [stage.op for stage in recovered(source, LIMITS._replace(fuel=500)).stages] == ["range"]
    assert [stage.op for stage in recovered(source).stages] == ["range", "range"]


def test_functions_that_are_not_known_are_told_apart() -> None:
    code = """
import tensorflow as tf
from somewhere import maker

ds = tf.data.Dataset.range(3).map(maker("a")).map(maker("b"))
for x in ds:
    print(x)
"""
    graph = recovered(code)
    assert [stage.function.name for stage in graph.stages if stage.function] == ['maker("a")', 'maker("b")']


@pytest.mark.parametrize(
    ("end", "rows"),
    [
        ("exit()", [3]),
        ("sys.exit(1)", [3]),
        ("if app.flag: quit()", [3, 5]),
        ("from app import exit; exit()", [3, 5]),
        ("app.exit()", [3, 5]),
        ("print()", [3, 5]),
    ],
)
def test_code_after_the_end_of_the_program(end: str, rows: list[int]) -> None:
    graph = recovered(f"{HEAD}import app, sys\nds = tf.data.Dataset.range(3)\n{end}\nds.batch(2)\n")
    assert [stage.span.row for stage in graph.stages] == rows


def test_the_cells_of_a_notebook_are_run_one_by_one() -> None:
    cells = ["import tensorflow as tf\nds = tf.data.Dataset.range(3)\nexit()", "ds.batch(2)"]
    text = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "metadata": {}, "source": c} for c in cells]})
    assert [stage.op for stage in recover(load(text.encode(), "a.ipynb")).stages] == ["range", "batch"]
