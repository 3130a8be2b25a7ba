"""Random programs whose pipelines have effects, as Hypothesis strategy.

What a pipeline computes is of little interest here: each element is a number. What counts is what it observes and
changes beside that (Variables, generators, iterators, datasets from outside, objects that assign, Python), what its
consumer does to the same things meanwhile, and how oddly a program says so.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeVar

from fixes.comparison import Files
from hypothesis import strategies as st

T = TypeVar("T")


class State(NamedTuple):
    """Something outside of a pipeline."""

    definition: str
    seen: tuple[str, ...]
    """What an element `x` may become by it."""
    touched: tuple[str, ...] = ()
    """What a consumer may do with it: expressions."""


_OPERATORS = {
    "__add__": "{} + x", "__radd__": "x + {}", "__mul__": "{} * x", "__rmul__": "x * {}", "__getitem__": "{}[x]",
    "__call__": "{}(x)", "__rsub__": "x - {}", "__matmul__": "{} @ x", "__rfloordiv__": "x // {}",
    "method": "{}.method(x)", "__getattr__": "x + {}.number", "__mod__": "{} % x",
}  # fmt: skip

_STATES = (
    State("V = tf.Variable(1, dtype=tf.int64)", ("x + V", "x * V.read_value()", "x + V.assign_add(1)", "tf.add(x, V)"),
          ("V.assign_add(10)", "V.assign(V * 3 % 1009)", "int(V)", "V.assign_sub(2)")),
    State("W = {'scale': [tf.Variable(2, dtype=tf.int64)]}", ("x * W['scale'][0]", "x + W['scale'][-1].assign_add(1)"),
          ("W['scale'][0].assign_add(5)",)),
    State("""
        class Holder:
            value = tf.Variable(3, dtype=tf.int64)

            @property
            def doubled(self):
                return self.value * 2

            @property
            def ticked(self):
                return self.value.assign_add(1)

            def apply(self, x):
                return x + self.value

            @classmethod
            def count(cls, x):
                return x + cls.value.assign_add(1)

        HOLDER = Holder()
     """, ("x + HOLDER.value", "x + HOLDER.doubled", "x + HOLDER.ticked", "HOLDER.apply(x)", "Holder.count(x)"),
          ("HOLDER.value.assign_add(7)", "int(HOLDER.doubled)")),
    State("R = tf.random.Generator.from_seed(5)",
          ("x + R.uniform([], 0, 99, tf.int64)", "x + tf.cast(R.normal([]) * 9, tf.int64)"),
          ("int(R.uniform([], 0, 99, tf.int64))",)),
    State("""
        from dataclasses import dataclass, field


        @dataclass
        class Noise:
            size: int = 9
            rng: tf.random.Generator = field(default_factory=lambda: tf.random.Generator.from_seed(1))

            def __call__(self, x):
                return x + self.rng.uniform([], 0, self.size, tf.int64)


        NOISE = Noise()
     """, ("NOISE(x)", "x + NOISE.rng.uniform([], 0, 9, tf.int64)", "x + NOISE.size"),
          ("int(NOISE.rng.uniform([], 0, 9, tf.int64))",)),
    State("I = iter(tf.data.Dataset.range(3000))", ("x * 100 + next(I)", "x + I.get_next()", "x + I.__next__()"),
          ("int(next(I))",)),
    State("P = tf.data.Dataset.range(50).shuffle(50, seed=2)",
          ("x + P.take(1).get_single_element()", "x + tf.data.experimental.get_single_element(P.take(1))",
           "x + P.take(2).reduce(tf.constant(0, tf.int64), lambda a, b: a * 9 + b)"), ("int(next(iter(P)))",)),
    State("Q = tf.data.Dataset.range(4, 9)", ("x + Q.take(1).get_single_element()",)),
    State("C = tf.constant(3, tf.int64)", ("x * C", "tf.add(x, C)", "tf.where(x > C, x, C)", "tf.maximum(x, C)")),
    State("LIMIT = 40", ("x % LIMIT", "tf.minimum(x, LIMIT)", "x - LIMIT")),
    State("TABLE = tf.range(100, 200, dtype=tf.int64)", ("tf.gather(TABLE, x % 100)", "TABLE[x % 100]")),
    State("M = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, 0)", ("x + M.lookup(x % 5)",),
          ("M.insert([1, 2], [30, 40])",)),
    State("""
        log = []


        def note(x):
            log.append(int(x))
            return x + len(log)
     """, ("tf.ensure_shape(tf.py_function(note, [x], tf.int64), [])",), ("log.append(-1)", "len(log)")),
    State("""
        box = {"step": 0}


        def boxed(x):
            return x + box["step"]
     """, ("tf.ensure_shape(tf.numpy_function(boxed, [x], tf.int64), [])",), ("box.update(step=box['step'] + 50)",)),
)  # fmt: skip

#: How a function comes to be called: `{}` is what it does with `x`.
_CALLED = (
    "{}", "{}", "{}", "{}",
    "tf.map_fn(lambda x: {}, tf.stack([x, x + 1]))[0]",
    "functools.reduce(lambda total, x: total + ({}), [x, x + 1])",
    "twice(lambda x: {}, x)",
    "tf.ragged.map_flat_values(lambda x: {}, tf.RaggedTensor.from_row_lengths(tf.stack([x]), [1])).flat_values[0]",
    "tf.grad_pass_through(lambda x: {})(x)",
    "tf.nest.map_structure(lambda x: {}, [x])[0]",
    "tf.cond(x > 5, lambda: {}, lambda: x)",
    "list(map(lambda x: {}, [x]))[0]",
    "[{} for x in (x, x)][-1]",
    "STEPS['step'](lambda x: {}, x)",
    "(lambda f: f(x))(lambda x: {})",
    "tf.identity(noted(lambda x: {})(x))",
    "tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, {}), (0, x))[1]",
    "traced(lambda x: {})(x)",
)  # fmt: skip

_NEEDED = {
    "functools": "import functools",
    "twice": """
        def twice(function, x):
            return function(function(x))""",
    "STEPS": "STEPS = {'step': lambda function, x: function(x)}",
    "noted": """
        def noted(function):
            def wrapper(*args):
                return function(*args)

            return wrapper""",
    "traced": """
        def traced(function):
            return tf.function(function)""",
    "work": """
        def work(x):
            return tf.strings.to_number(tf.strings.regex_replace(tf.strings.as_string(x), "a", "b"), tf.int64)""",
    "LINES": """
        LINES = ["a.txt", "b.txt", "c.txt"]
        for number, name in enumerate(LINES):
            with open(name, "w") as file:
                file.write("".join(f"{10 * number + row}\\n" for row in range(6)))""",
    "train": """
        def train(batch):
            return tf.identity(batch * 2 - batch).numpy().tolist()""",
    "unbatch": "from tensorflow.data.experimental import unbatch",
}  # fmt: skip

_UNORDERED = (
    "options = tf.data.Options()\nsetattr(options, 'deterministic', False)",
    "options = tf.data.Options()\nfor name in ('deterministic',):\n    setattr(options, name, False)",
    "def relaxed(options):\n    options.deterministic = False\n    return options\n\n\n"
    "options = relaxed(tf.data.Options())",
    "class Relaxed(tf.data.Options):\n    def __init__(self):\n        super().__init__()\n"
    "        self.deterministic = False\n\n\noptions = Relaxed()",
    "options = tf.data.Options()\noptions.deterministic = LIMIT < 0 if 'LIMIT' in globals() else False",
    "options = tf.data.Options()\noptions.deterministic = True",
    "options = tf.data.Options()\noptions.autotune.enabled = False",
)

_SUBCLASS = """
class Own(tf.data.Dataset):
    def __init__(self, inner):
        self._inner = inner
        super().__init__(inner._variant_tensor)

    def _inputs(self):
        return [self._inner]

    @property
    def element_spec(self):
        return self._inner.element_spec

    def map(self, function):
        return Own(self._inner.map(function))

    def batch(self, size):
        return Own(self._inner.batch(size))

    def cache(self):
        return Own(self._inner.cache())
"""


def programs() -> st.SearchStrategy[Files]:
    """Programs of one file or two.

    Each is drawn anew: Hypothesis would rather vary what it has drawn, and a program takes longer to run than to draw.
    """
    return st.integers(0, 2**64).map(lambda seed: _Author(Random(seed)).program())


@dataclass(slots=True)
class _Author:
    random: Random
    states: list[State] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    number: int = 0

    # ---- choices ----

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def choice(self, options: Sequence[T]) -> T:
        return self.random.choice(options)

    def fresh(self, base: str) -> str:
        self.number += 1
        return f"{base}_{self.number}"

    # ---- the program ----

    def program(self) -> Files:
        if self.chance(20):
            self.lines.append(f"tf.random.set_seed({self.choice((3, 8))})")
        self.lines.append("seen = []")
        names = [self.dataset() for _ in range(2 if self.chance(25) else 1)]
        if self.chance(12):
            self.lines.append("AUTOTUNE = tf.data.AUTOTUNE")
        for name in names:
            self.consume(name)
        if self.chance(10):
            self.lines.append(f"ready = {names[0]}.prefetch(AUTOTUNE)\nAUTOTUNE = 1")
            if self.chance(80):
                self.lines.insert(0, "AUTOTUNE = tf.data.AUTOTUNE")
        return self.assemble()

    def assemble(self) -> Files:
        states = [textwrap.dedent(state.definition).strip("\n").rstrip() for state in dict.fromkeys(self.states)]
        body = "\n".join([*self.helpers, *self.lines])
        text = "\n".join([*states, body])
        needed = [
            textwrap.dedent(code).strip("\n") for word, code in _NEEDED.items() if re.search(rf"\b{word}\b", text)
        ]
        header = "import tensorflow as tf"
        if states and self.chance(15):
            outside = "\n".join(states)
            names = re.findall(r"^(?:class |def )?(\w+)(?: = |\(|:)", outside, re.MULTILINE)
            names = [name for name in dict.fromkeys(names) if name not in ("field", "dataclass")]
            imported = self.choice(("from states import *", f"from states import {', '.join(names)}"))
            main = "\n".join([header, imported, *needed, "", body])
            return {"states.py": f"{header}\n\n{outside}\n", "program.py": main + "\n"}
        return {"program.py": "\n".join([header, *needed, "", *states, "", body]) + "\n"}

    # ---- functions ----

    def effect(self) -> str:
        """What becomes of an element `x`."""
        if self.chance(25):
            return self.operator()
        if self.chance(20):
            return self.choice(("x + 1", "x * 2", "tf.abs(x - 5)", "x // 2", "tf.bitwise.bitwise_xor(x, 1)"))
        state = self.choice([*_STATES, *self.states * 3])
        self.states.append(state)
        return self.choice(state.seen)

    def operator(self) -> str:
        """An object of the project, one of whose methods assigns or only computes."""
        name, method = self.fresh("Object"), self.choice(tuple(_OPERATORS))
        does = self.choice(("x + self.state.assign_add(1)", "x + self.state", "x + self.size", "x * 2 + self.size"))
        parameters = "self, x"
        if method == "__getattr__":
            parameters, does = "self, name", does.replace("x * 2", "4").replace("x", "10")
        definition = (
            f"class {name}:\n    state = tf.Variable(0, dtype=tf.int64)\n    size = 3\n\n"
            f"    def {method}({parameters}):\n        return {does}\n\n\n{name.upper()} = {name}()"
        )
        touched = (f"{name}.state.assign_add(20)", f"int({name.upper()}.state)")
        state = State(definition, (_OPERATORS[method].format(name.upper()),), touched)
        self.states.append(state)
        return state.seen[0]

    def expression(self) -> str:
        called = self.choice(_CALLED).replace("{}", self.effect())
        return f"work({called})" if self.chance(55) else called

    def function(self) -> str:
        expression, name = self.expression(), self.fresh("step")
        match self.choice(("lambda", "lambda", "def", "steps", "class", "partial", "closure", "decorated", "default")):
            case "def":
                self.helpers.append(f"def {name}(x):\n    return {expression}\n\n")
            case "steps":
                self.helpers.append(f"def {name}(x):\n    y = {expression}\n    return y + 1 if True else y\n\n")
            case "class":
                self.helpers.append(f"class Step_{name}:\n    def __call__(self, x):\n        return {expression}\n\n")
                return f"Step_{name}()"
            case "partial":
                self.helpers.append(f"def {name}(y, x):\n    return {expression} + y\n\n")
                return f"functools.partial({name}, 1)"
            case "closure":
                self.helpers.append(
                    f"def make_{name}():\n    def inner(x):\n        return {expression}\n\n    return inner\n\n"
                )
                return f"make_{name}()"
            case "decorated":
                decorator = self.choice(("tf.function", "noted", "traced"))
                self.helpers.append(f"@{decorator}\ndef {name}(x):\n    return {expression}\n\n")
            case "default":
                self.helpers.append(f"def {name}(x, size=2):\n    return {expression} * size\n\n")
            case _:
                return f"lambda x: {expression}"
        return name

    # ---- datasets ----

    def source(self) -> str:
        match self.choice(("rows", "rows", "rows", "lines", "generator", "subclass", "fed")):
            case "lines":
                return "tf.data.TextLineDataset(LINES).map(lambda x: tf.strings.to_number(x, tf.int64))"
            case "generator":
                name = self.fresh("rows")
                effect = self.choice(("row", "row + len(seen)", "(seen.append(row), row)[1]"))
                self.helpers.append(f"def {name}():\n    for row in range(14):\n        yield {effect}\n\n")
                return f"tf.data.Dataset.from_generator({name}, output_signature=tf.TensorSpec([], tf.int64))"
            case "fed":
                return (
                    "tf.data.Dataset.from_generator(lambda: (row + 10 * len(seen) for row in range(14)),"
                    " output_signature=tf.TensorSpec([], tf.int64))"
                )
            case "subclass":
                if _SUBCLASS not in self.helpers:
                    self.helpers.insert(0, _SUBCLASS)
                return "Own(tf.data.Dataset.from_tensor_slices(tf.range(17, dtype=tf.int64)))"
        return "tf.data.Dataset.from_tensor_slices(tf.range(19, dtype=tf.int64))"

    def dataset(self) -> str:
        """Writes a pipeline of numbers, in batches at the end, and gives its name."""
        name = self.fresh("ds")
        source = self.source()
        stages = [self.stage() for _ in range(self.random.randint(1, 3))]
        if "Own(" in source:
            stages = [f"map({self.function()})", *stages[:1]] if self.chance(50) else stages
        stages.append(self.choice(("batch(3)", "batch(4)", "batch(5, drop_remainder=True)", "cache()\n.take(11)")))
        if "Own(" in source:
            stages[-1] = "batch(4)"
        if self.chance(12):
            self.lines.append(self.choice(_UNORDERED))
            stages.append("with_options(options)")
        if self.chance(10):
            stages.append("prefetch(200)")
        if self.chance(10):
            stages.append("ignore_errors()")
        self.write(name, source, [stage.replace("\n", "") for stage in stages])
        return name

    def stage(self) -> str:
        match self.choice(("map",) * 8 + ("filter", "flat_map", "interleave", "shuffle", "repeat", "cache", "unbatch")):
            case "map":
                calls = self.choice(("", "", "", ", num_parallel_calls=1"))
                return f"map({self.function()}{calls})"
            case "filter":
                return f"filter(lambda x: ({self.effect()}) % 3 != 1)"
            case "flat_map":
                return f"flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(2).map({self.function()}))"
            case "interleave":
                function = self.function()
                return f"interleave(lambda x: tf.data.Dataset.range(x % 3).map({function}), cycle_length=2)"
            case "shuffle":
                return self.choice(("shuffle(7, seed=4)", "shuffle(30, seed=1, reshuffle_each_iteration=False)"))
            case "repeat":
                return "repeat(2)"
            case "unbatch":
                return self.choice(
                    (
                        "batch(2).apply(unbatch())",
                        "batch(2).apply(tf.data.experimental.unbatch())",
                        "batch(2).unbatch()",
                    )
                )
        return "cache()"

    def write(self, name: str, source: str, stages: list[str]) -> None:
        chain = "".join(f".{stage}" for stage in stages)
        match self.choice(("line", "line", "steps", "function", "shadowed", "unbound", "late", "method")):
            case "steps":
                self.lines.append(f"{name} = {source}")
                self.lines += [f"{name} = {name}.{stage}" for stage in stages]
            case "function":
                self.helpers.append(f"def build_{name}(rows):\n    return rows{chain}\n\n")
                self.lines.append(f"{name} = build_{name}({source})")
            case "shadowed":
                shadow = self.choice(("unbatch", "tf2", "AUTOTUNE", "C", "V"))
                own = "lambda: lambda rows: rows.skip(1).unbatch()" if shadow == "unbatch" else "4"
                self.helpers.append(f"def build_{name}(rows, {shadow}={own}):\n    return rows{chain}\n\n")
                self.lines.append(f"{name} = build_{name}({source})")
            case "unbound":
                first, *rest = stages
                method, _, arguments = first.partition("(")
                arguments = f", {arguments}" if arguments != ")" else arguments
                chain = "".join(f".{stage}" for stage in rest)
                if first.count(").") or "Own(" in source:
                    self.lines.append(f"{name} = {source}.{first}{chain}")
                else:
                    self.lines.append(f"{name} = tf.data.Dataset.{method}({source}{arguments}{chain}")
            case "late":
                self.helpers.append(f"def build_{name}(rows):\n    rows = rows{chain}\n    return rows\n\n")
                self.lines.append(f"{name} = build_{name}({source})")
                if self.chance(50):
                    self.lines.append("AUTOTUNE = tf.data.AUTOTUNE")
            case "method":
                self.helpers.append(
                    f"class Loader_{name}:\n    def __init__(self, rows):\n        self.rows = rows\n\n"
                    f"    def load(self):\n        return self.rows{chain}\n\n"
                )
                self.lines.append(f"{name} = Loader_{name}({source}).load()")
            case _:
                self.lines.append(f"{name} = {source}{chain}")

    # ---- consumers ----

    def touch(self) -> str:
        """Something that a consumer does between two elements."""
        options = [touched for state in self.states for touched in state.touched]
        if options and self.chance(65):
            touched = self.choice(options)
            return f"seen.append(int({touched}))" if touched.startswith(("int(", "len(")) else touched
        return "pass"

    def consume(self, name: str) -> None:
        touch = self.touch()
        match self.choice(("for", "for", "for", "break", "function", "next", "epochs", "list", "zip", "recreated")):
            case "for":
                text = f"for batch in {name}:\n    seen.append(train(batch))\n    {touch}"
            case "break":
                text = f"for n, batch in enumerate({name}):\n    seen.append(train(batch))\n    {touch}\n"
                text += "    if n == 1:\n        break"
            case "function":
                self.helpers.append(
                    f"def train_{name}(data):\n    for batch in data:\n        {touch}\n"
                    "        seen.append(train(batch))\n\n"
                )
                text = f"train_{name}({name})"
            case "next":
                text = f"it_{name} = iter({name})\nseen.append(train(next(it_{name})))\n{touch}\n"
                text += f"seen.append(train(next(it_{name})))"
            case "epochs":
                text = f"for epoch in range(2):\n    for batch in {name}:\n        seen.append(train(batch))\n"
                text += f"    {touch}"
            case "list":
                text = f"seen += [train(batch) for batch in {name}]\n{touch}"
            case "zip":
                text = f"for one, two in zip({name}, {name}):\n    seen.append((train(one), train(two)))"
            case _:
                text = f"for n in range(3):\n    seen.append(train(next(iter({name}))))\n    {touch}"
        self.lines.append(text)
