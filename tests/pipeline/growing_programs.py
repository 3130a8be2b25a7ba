"""Programs of any size that ask for more than their length: each `GROWING[name](size)` is the text of one."""

from __future__ import annotations

from collections.abc import Callable

_HEAD = """\
import tensorflow as tf
from options import *


def parse(record):
    return tf.io.decode_jpeg(record)


ds = tf.data.TFRecordDataset(files).map(parse)
"""
_TAIL = """\
ds = ds.shuffle(10_000).batch(32)
for batch in ds:
    step(batch)
"""


def _around(row: Callable[[int], str], head: str = _HEAD, tail: str = _TAIL) -> Callable[[int], str]:
    """Rows one after the other, between a source and a consumer."""
    return lambda size: head + "".join(row(number) for number in range(size)) + tail


def _deeper(size: int, row: str, step: str, last: str) -> str:
    """Rows inside one another; `step` is written on each level behind what is inside."""
    rows = [f"{'    ' * level}{row.format(level)}\n" for level in range(size)]
    rows.append(f"{'    ' * size}{last}\n")
    rows += [f"{'    ' * level}{step.format(level)}\n" for level in range(size - 1, 0, -1)] if step else []
    return "".join(rows)


def _nested(row: str, last: str, step: str = "", tail: str = _TAIL) -> Callable[[int], str]:
    return lambda size: _HEAD + _deeper(size, row, step, last) + tail


def _in_mapped(row: Callable[[int], str], head: str = "", end: str = "    return x\n") -> Callable[[int], str]:
    def text(size: int) -> str:
        body = "".join(row(number) for number in range(size))
        return f"{_HEAD}{head}\n\ndef work(x):\n{body}{end}\n\nds = ds.map(work)\n{_TAIL}"

    return text


def _diamonds(top: str, made: str) -> Callable[[int], str]:
    def text(size: int) -> str:
        rows = [f"class A0:\n{top}\n"]
        for n in range(size):
            rows.append(
                f"class B{n}(A{n}):\n    pass\nclass C{n}(A{n}):\n    pass\nclass A{n + 1}(B{n}, C{n}):\n    pass\n"
            )
        return _HEAD + "".join(rows) + made.format(size) + _TAIL

    return text


def _functions(row: Callable[[int], str], last: str, use: str) -> Callable[[int], str]:
    """Functions of which each calls the one before twice."""
    return lambda size: _HEAD + last + "".join(row(n) for n in range(1, size + 1)) + use.format(size) + _TAIL


def _decorated(size: int) -> str:
    made = "".join(
        f"def d{n}(f):\n    def inner(*a, **k):\n        return f(*a, **k)\n    return inner\n" for n in range(size)
    )
    return made + "".join(f"@d{n}\n" for n in range(size))


def _match(size: int) -> str:
    cases = "".join(f"    case {n}:\n        ds = ds.skip({n + 1})\n" for n in range(size))
    return f"{_HEAD}match option:\n{cases}{_TAIL}"


def _elifs(size: int) -> str:
    arms = "".join(f"elif name == {n}:\n    ds = ds.skip({n + 1})\n" for n in range(size))
    return f"{_HEAD}if name is None:\n    pass\n{arms}{_TAIL}"


def _ternary(size: int) -> str:
    inner = "ds"
    for n in range(size):
        inner = f"({inner}.skip({n + 1}) if f{n} else {inner if n < 3 else 'ds'}.take({n + 1}))"
    return f"{_HEAD}ds = {inner}\n{_TAIL}"


GROWING: dict[str, Callable[[int], str]] = {
    # conditions one after the other
    "branches": _around(lambda n: f"if f{n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\n"),
    "branches_of_one_kind": _around(lambda n: f"if f{n}:\n    ds = ds.skip(1)\nelse:\n    ds = ds.skip(1)\n"),
    "one_armed": _around(lambda n: f"if f{n}:\n    ds = ds.skip({n + 1})\n"),
    "one_armed_maps": _around(lambda n: f"if f{n}:\n    ds = ds.map(lambda x: x + {n})\n"),
    "branches_of_maps": _around(
        lambda n: f"if f{n}:\n    ds = ds.map(lambda x: x + {n})\nelse:\n    ds = ds.map(lambda x: x * {n})\n"
    ),
    "branches_of_types": _around(
        lambda n: f"if f{n}:\n    ds = ds.map(lambda x: (x, {n}))\nelse:\n    ds = ds.map(lambda x: {{'k': x}})\n"
    ),
    "branches_that_repeat": _around(lambda n: f"if f{n}:\n    ds = ds.repeat()\nelse:\n    ds = ds.cache()\n"),
    "branches_that_batch": _around(lambda n: f"if f{n}:\n    ds = ds.batch({n + 2})\nelse:\n    ds = ds.unbatch()\n"),
    "branches_then_stage": _around(
        lambda n: (
            f"if f{n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\nds = ds.map(lambda x: x + 1)\n"
        )
    ),
    "branches_in_function": lambda size: (
        _HEAD
        + "def make(ds, args):\n"
        + "".join(
            f"    if args.f{n}:\n        ds = ds.shuffle({n + 1})\n    else:\n        ds = ds.map(parse)\n"
            for n in range(size)
        )
        + "    return ds\n\nds = make(ds, args)\n"
        + _TAIL
    ),
    "branches_of_literal": _around(
        lambda n: f"if f{n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\n",
        head="import tensorflow as tf\nfrom options import *\nds = tf.data.Dataset.range(1000)\n",
        tail="ds = ds.map(tf.io.decode_jpeg).shuffle(100).batch(8)\nmodel.fit(ds)\n",
    ),
    "branches_that_contradict": _around(
        lambda n: f"if f{n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\n",
        tail="if f0:\n    ds = ds.shuffle(100)\nfor batch in ds.batch(2):\n    if not f0:\n        step(batch)\n",
    ),
    "equal_tests": _around(lambda n: f"if mode == {n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\n"),
    "conditional_expressions": _around(lambda n: f"ds = ds.skip({n + 1}) if f{n} else ds.take({n + 1})\n"),
    "conditional_arguments": _around(lambda n: f"ds = ds.take({n + 1} if f{n} else {n + 2})\n"),
    "conditional_receivers": _around(lambda n: f"ds = (ds if f{n} else ds.skip(1)).take({n + 1})\n"),
    "and_or": _around(lambda n: f"ds = f{n} and ds.skip({n + 1}) or ds.take({n + 1})\n"),
    "ternary_nest": _ternary,
    "tries": _around(lambda n: f"try:\n    ds = ds.skip({n + 1})\nexcept ValueError:\n    ds = ds.take({n + 1})\n"),
    "tries_with_else": _around(
        lambda n: (
            f"try:\n    go()\nexcept ValueError:\n    ds = ds.take({n + 1})\nelse:\n    ds = ds.skip({n + 1})\n"
            "finally:\n    done()\n"
        )
    ),
    "matches": _around(
        lambda n: (
            f"match f{n}:\n    case 1:\n        ds = ds.skip({n + 1})\n    case _:\n        ds = ds.take({n + 1})\n"
        )
    ),
    "match": _match,
    "elifs": _elifs,
    "whiles": _around(lambda n: f"while f{n}():\n    ds = ds.skip({n + 1})\n"),
    "fors": _around(lambda n: f"for i in things{n}:\n    ds = ds.skip({n + 1})\n"),
    "withs": _around(lambda n: f"with scope({n}):\n    ds = ds.skip({n + 1}) if f{n} else ds\n"),
    "returns": lambda size: (
        _HEAD
        + "".join(
            f"def m{n}(ds):\n    if f{n}:\n        return ds.skip({n + 1})\n    return ds.take({n + 1})\n"
            for n in range(size)
        )
        + "".join(f"ds = m{n}(ds)\n" for n in range(size))
        + _TAIL
    ),
    "helper": _around(
        lambda n: f"ds = helper(ds.skip({n + 1})) if f{n} else helper(ds)\n",
        head=_HEAD + "def helper(ds):\n    return ds.map(lambda x: x + 1) if flag() else ds\n",
    ),
    # datasets of several
    "zips": _around(lambda n: f"ds = tf.data.Dataset.zip((ds, ds.skip({n + 1})))\n"),
    "zips_of_one": _around(lambda n: "ds = tf.data.Dataset.zip((ds, ds))\n"),
    "zips_shuffled": _around(
        lambda n: "ds = tf.data.Dataset.zip((ds, ds.map(parse)))\n", head=_HEAD + "ds = ds.shuffle(8)\n"
    ),
    "zips_mapped": _around(lambda n: "ds = tf.data.Dataset.zip((ds, ds)).map(lambda a, b: a)\n"),
    "zips_of_dicts": _around(lambda n: "ds = tf.data.Dataset.zip({'a': ds, 'b': ds})\n"),
    "concatenates": _around(lambda n: f"ds = ds.concatenate(ds.skip({n + 1}))\n"),
    "samples": _around(lambda n: f"ds = tf.data.Dataset.sample_from_datasets([ds, ds.skip({n + 1})])\n"),
    "chooses": _around(
        lambda n: f"ds = tf.data.Dataset.choose_from_datasets([ds, ds.skip(1)], tf.data.Dataset.range({n + 1}))\n"
    ),
    "zips_in_branches": _around(lambda n: f"if f{n}:\n    ds = tf.data.Dataset.zip((ds, ds)).map(lambda a, b: a)\n"),
    "tuples": _around(lambda n: "ds = ds.map(lambda x: (x, x))\n"),
    "values_doubled": _around(lambda n: f"p{n + 1} = (p{n}, p{n})\n", head=_HEAD + "p0 = (ds, ds)\n"),
    "lists_doubled": _around(lambda n: f"p{n + 1} = p{n} + p{n}\n", head=_HEAD + "p0 = [ds, 1]\n"),
    # nests
    "loops": _nested("for i{0} in things:", "ds = ds.skip(1)"),
    "loops_over_datasets": _nested("for b{0} in ds:", "ds = ds.skip(1)"),
    "loops_with_steps": _nested("for i{0} in things:", "ds = ds.skip(1)", "ds = ds.take(2)"),
    "loops_with_several": _nested("for i{0} in things:", "ds = ds.skip(1)", "other{0} = ds.take(2)"),
    "literal_loops": _nested("for i{0} in (1, 2):", "ds = ds.skip(1)"),
    "while_loops": _nested("while more{0}():", "ds = ds.skip(1)"),
    "ifs": _nested("if f{0}:", "ds = ds.skip(1)"),
    "ifs_with_steps": _nested("if f{0}:", "ds = ds.skip(1)", "ds = ds.take(2)"),
    "withs_nested": _nested("with scope({0}):", "ds = ds.skip(1)"),
    "try_nest": lambda size: (
        _HEAD
        + "".join(f"{'    ' * n}try:\n" for n in range(size))
        + f"{'    ' * size}ds = ds.skip(1)\n"
        + "".join(
            f"{'    ' * n}except ValueError:\n{'    ' * n}    ds = ds.take({n + 1})\n" for n in range(size - 1, -1, -1)
        )
        + _TAIL
    ),
    "function_nest": lambda size: (
        _HEAD
        + "".join(f"{'    ' * n}def f{n}(ds):\n" for n in range(size))
        + f"{'    ' * size}return ds.skip(1)\n"
        + "".join(f"{'    ' * n}return f{n}(f{n}(ds))\n" for n in range(size - 1, 0, -1))
        + "ds = f0(ds)\n"
        + _TAIL
    ),
    "comprehensions": lambda size: (
        _HEAD
        + "many = "
        + "[" * size
        + "ds.skip(1)"
        + "".join(f" for i{n} in things]" for n in range(size))
        + "\n"
        + _TAIL
    ),
    "comprehension_of_many": lambda size: (
        _HEAD + "many = [ds.skip(1)" + "".join(f" for i{n} in things" for n in range(size)) + "]\n" + _TAIL
    ),
    "literal_comprehensions": lambda size: (
        _HEAD + "many = [ds.skip(1)" + "".join(f" for i{n} in (1, 2)" for n in range(size)) + "]\n" + _TAIL
    ),
    "lambdas": lambda size: (
        _HEAD + "ds = ds.map(" + "".join(f"lambda x{n}: (" for n in range(size)) + "0" + ")" * size + ")\n" + _TAIL
    ),
    "interleaves": lambda size: (
        _HEAD + "ds = ds" + ".interleave(lambda x: tf.data.TextLineDataset(x)" * size + ")" * size + "\n" + _TAIL
    ),
    # functions
    "decorators_of_dataset_function": lambda size: (
        _HEAD + _decorated(size) + "def make(ds):\n    return ds.skip(1)\nds = make(ds)\n" + _TAIL
    ),
    "decorators_of_mapped_function": lambda size: (
        _HEAD + _decorated(size) + "def work(x):\n    return x + 1\nds = ds.map(work)\n" + _TAIL
    ),
    "decorators_that_call_twice": lambda size: (
        _HEAD
        + "".join(
            f"def d{n}(f):\n    def inner(ds):\n        return f(ds) if c{n} else f(ds.skip(1))\n    return inner\n"
            for n in range(size)
        )
        + "".join(f"@d{n}\n" for n in range(size))
        + "def make(ds):\n    return ds.skip(1)\nds = make(ds)\n"
        + _TAIL
    ),
    "decorator_factories": lambda size: (
        _HEAD
        + "def d(n):\n    def outer(f):\n        def inner(*a):\n            return f(*a)\n        return inner\n"
        + "    return outer\n"
        + "".join(f"@d({n})\n" for n in range(size))
        + "def make(ds):\n    return ds.skip(1)\nds = make(ds)\n"
        + _TAIL
    ),
    "twice_called": _functions(
        lambda n: f"def m{n}(ds):\n    return m{n - 1}(m{n - 1}(ds))\n",
        "def m0(ds):\n    return ds.skip(1)\n",
        "ds = m{0}(ds)\n",
    ),
    "twice_called_apart": _functions(
        lambda n: f"def m{n}(ds):\n    return m{n - 1}(ds.skip({n})) if c{n} else m{n - 1}(ds.take({n}))\n",
        "def m0(ds):\n    return ds.skip(1)\n",
        "ds = m{0}(ds)\n",
    ),
    "twice_called_in_mapped": _functions(
        lambda n: f"def m{n}(x):\n    return m{n - 1}(x) + m{n - 1}(x + 1)\n",
        "def m0(x):\n    return x + 1\n",
        "ds = ds.map(m{0})\n",
    ),
    "partials": _around(
        lambda n: f"make = functools.partial(make, a{n}={n})\n",
        head="import functools\n" + _HEAD + "def make(ds, **k):\n    return ds.skip(1)\n",
        tail="ds = make(ds)\n" + _TAIL,
    ),
    "functions_chosen": _around(
        lambda n: f"g{n + 1} = (lambda d: g{n}(d.skip(1))) if f{n} else (lambda d: g{n}(d.take(2)))\n",
        head=_HEAD + "g0 = lambda d: d\n",
        tail="ds = g8(ds)\n" + _TAIL,
    ),
    # mapped functions
    "mapped_ifs": _in_mapped(lambda n: f"    if f{n}:\n        x = x + {n}\n    else:\n        x = x * {n + 1}\n"),
    "mapped_conds": _in_mapped(lambda n: f"    x = tf.cond(x > {n}, lambda: x + 1, lambda: x * 2)\n"),
    "mapped_wheres": _in_mapped(lambda n: "    x = tf.where(x > 0, x + 1, x * 2)\n"),
    "mapped_sums": _in_mapped(lambda n: "    x = x + x\n"),
    "mapped_products": _in_mapped(lambda n: "    x = tf.concat([x, x], 0)\n"),
    "mapped_ternaries": _in_mapped(lambda n: f"    x = x + {n} if f{n} else x * x\n"),
    "mapped_tuples": _in_mapped(lambda n: "    x = (x, x)\n"),
    "mapped_keys": _in_mapped(
        lambda n: f"    if f{n}:\n        e['k{n}'] = x + {n}\n", head="\n", end="    return e\n"
    ),
    "mapped_dict": lambda size: (
        f"{_HEAD}\n\ndef work(x):\n    e = {{'x': x}}\n"
        + "".join(
            f"    if f{n}:\n        e['k{n}'] = x + {n}\n    else:\n        e['k{n}'] = tf.cast(x, tf.int32)\n"
            for n in range(size)
        )
        + f"    return e\n\nds = ds.map(work)\n{_TAIL}"
    ),
    "mapped_dict_copies": _in_mapped(
        lambda n: f"    e = {{**e, 'k{n}': x}} if f{n} else dict(e, k{n}=x)\n", end="    return e\n", head=""
    ),
    "mapped_loops": lambda size: (
        _HEAD
        + "def work(x):\n"
        + "".join(f"{'    ' * (n + 1)}for i{n} in range(k):\n" for n in range(min(size, 19)))
        + f"{'    ' * (min(size, 19) + 1)}x = x + 1\n    return x\n\nds = ds.map(work)\n"
        + _TAIL
    ),
    "maps_of_one_function": _around(
        lambda n: "ds = ds.map(work)\n", head=_HEAD + "def work(x):\n    return x + 1 if flag else x\n"
    ),
    "py_functions": _in_mapped(lambda n: "    x = tf.py_function(lambda v: v + 1, [x], tf.float32)\n"),
    "aliases_doubled": _in_mapped(lambda n: f"    y{n} = x\n    x = (lambda q: q + y{n})(x)\n"),
    # classes
    "diamonds": _diamonds("    def make(self, ds):\n        return ds.skip(1)\n", "ds = A{0}().make(ds)\n"),
    "diamonds_absent": _diamonds("    pass\n", "ds = A{0}().make\n" + _HEAD),
    "diamonds_attribute": _diamonds(
        "    def __init__(self):\n        self.ds = tf.data.TFRecordDataset(files)\n"
        "    def other(self):\n        self.ds = self.ds.skip(1)\n",
        "ds = A{0}().ds\n",
    ),
    "diamonds_set_late": _diamonds(
        "    def build(self):\n        self.ds = tf.data.TFRecordDataset(files)\n", "ds = A{0}().ds\n"
    ),
    "diamonds_of_datasets": lambda size: (
        _HEAD
        + "class A0(tf.data.Dataset):\n    def own(self):\n        return self.skip(1)\n"
        + "".join(
            f"class B{n}(A{n}):\n    pass\nclass C{n}(A{n}):\n    pass\nclass A{n + 1}(B{n}, C{n}):\n    pass\n"
            for n in range(size)
        )
        + f"ds = A{size}().own()\n"
        + _TAIL
    ),
    "diamonds_of_models": lambda size: (
        _HEAD
        + "class A0(tf.keras.Model):\n    def call(self, x):\n        return x\n"
        + "".join(
            f"class B{n}(A{n}):\n    pass\nclass C{n}(A{n}):\n    pass\nclass A{n + 1}(B{n}, C{n}):\n    pass\n"
            for n in range(size)
        )
        + f"model = A{size}()\nmodel.fit(ds)\n"
        + _TAIL
    ),
    "diamonds_super": lambda size: (
        _HEAD
        + "class A0:\n    def make(self, ds):\n        return ds.skip(1)\n"
        + "".join(
            f"class B{n}(A{n}):\n    def make(self, ds):\n        return super().make(ds)\n"
            f"class C{n}(A{n}):\n    def make(self, ds):\n        return super().make(ds).take(1)\n"
            f"class A{n + 1}(B{n}, C{n}):\n    pass\n"
            for n in range(size)
        )
        + f"ds = A{size}().make(ds)\n"
        + _TAIL
    ),
    "diamonds_unused": _diamonds("    def make(self, ds):\n        return ds.skip(1)\n", "x = A{0}\n"),
    "class_chain": lambda size: (
        _HEAD
        + "class A0:\n    def make(self, ds):\n        return ds.skip(1)\n"
        + "".join(
            f"class A{n + 1}(A{n}):\n    def make(self, ds):\n        return super().make(ds).skip(1)\n"
            for n in range(size)
        )
        + f"ds = A{size}().make(ds)\n"
        + _TAIL
    ),
    "objects_in_objects": _around(
        lambda n: f"class K{n + 1}:\n    def __init__(self):\n        self.a = K{n}()\n        self.b = K{n}()\n",
        head=_HEAD + "class K0:\n    def __init__(self):\n        self.a = self.b = ds\n",
        tail="ds = K4().a.a.a.a.a\n" + _TAIL,
    ),
    "properties": _around(
        lambda n: f"    @property\n    def p{n + 1}(self):\n        return self.p{n}.concatenate(self.p{n})\n",
        head=_HEAD + "class K:\n    @property\n    def p0(self):\n        return ds\n",
        tail="ds = K().p4\n" + _TAIL,
    ),
    "setters": _around(
        lambda n: f"    def s{n}(self):\n        self.ds = self.ds.skip({n + 1}) if self.f{n} else self.ds\n",
        head=_HEAD + "class K:\n    def __init__(self):\n        self.ds = ds\n",
        tail="k = K()\n" + "ds = k.ds\n" + _TAIL,
    ),
    "attributes_in_branches": _around(
        lambda n: f"if f{n}:\n    k.ds = k.ds.skip({n + 1})\nelse:\n    k.ds = k.ds.take({n + 1})\n",
        head=_HEAD + "class K:\n    pass\nk = K()\nk.ds = ds\n",
        tail="ds = k.ds\n" + _TAIL,
    ),
    "dicts_of_datasets": _around(
        lambda n: f"if f{n}:\n    d['k'] = d['k'].skip({n + 1})\nelse:\n    d['k'] = d['k'].take({n + 1})\n",
        head=_HEAD + "d = {'k': ds}\n",
        tail="ds = d['k']\n" + _TAIL,
    ),
    "options_in_branches": _around(
        lambda n: f"o = tf.data.Options()\nif f{n}:\n    o.deterministic = False\nds = ds.with_options(o)\n"
    ),
    # readers
    "consumers_of_one": lambda size: (
        _HEAD
        + "".join(f"if f{n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\n" for n in range(size))
        + "".join(f"for b in ds.batch({n + 2}):\n    step(b)\n" for n in range(size))
    ),
    "fits_after_branches": lambda size: (
        _HEAD
        + "".join(f"if f{n}:\n    ds = ds.skip({n + 1})\nelse:\n    ds = ds.take({n + 1})\n" for n in range(size))
        + "train = ds.take(100).shuffle(10).batch(8)\nval = ds.skip(100).batch(8)\n"
        + "model.fit(train, validation_data=val)\n"
    ),
    "conditions_on_values": _around(
        lambda n: f"if f{n}:\n    n = n + {n}\nelse:\n    n = n * 2\nds = ds.take(n)\n", head=_HEAD + "n = 1\n"
    ),
    "functions_in_branches": _around(
        lambda n: f"if f{n}:\n    f = lambda x: x + {n}\nds = ds.map(f)\n", head=_HEAD + "f = lambda x: x\n"
    ),
}

#: Those that get deeper, not longer.
NESTS = frozenset(
    name for name in GROWING if name.endswith("_nest") or "loops" in name or "nested" in name or "comprehension" in name
) | {"ifs", "ifs_with_steps", "lambdas", "interleaves"}
