"""Random programs with input pipelines, as Hypothesis strategy: each a module that builds datasets and consumes them.

A pipeline is drawn first: a source and stages, each knowing what elements it takes and gives, so that most programs
run. Then it is written down, in one of the many ways in which people write such code.
"""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Elements:
    """What the elements of a dataset are."""

    kind: str
    """`int`, `float`, `vector` (four floats), `dict` (vector `x`, int `y`), `pair` (vector, int), `string`, `example`
    (a serialized dict), `ragged` (ints, as many as they like)."""
    batched: bool = False
    infinite: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """A transformation as it is written: `.method(arguments)`, or around the dataset where `{}` stands."""

    method: str
    arguments: tuple[str, ...] = ()
    around: str = ""
    gives: Elements = field(kw_only=True)


# ── functions of elements ───────────────────────────────────────────────────────────────────────────────────────────

#: By what they take and give. `x` is the element; of a pair, `y` is the second. Those marked `*` take batches too.
_FUNCTIONS: dict[tuple[str, str], tuple[str, ...]] = {
    ("int", "int"): (
        "* x * 2 + 1", "* tf.abs(x - 5)", "* x // 2", "* tf.where(x > 3, x, tf.zeros_like(x))", "* tf.minimum(x, 7)",
        "* tf.clip_by_value(x, 1, 6)", "* tf.gather(TABLE, x % 4)", "* VOCABULARY.lookup(x)", "* x + OFFSET",
        "* tf.cast(tf.cast(x, tf.int32), tf.int64)", "tf.ensure_shape(tf.numpy_function(count, [x], tf.int64), [])",
        "tf.ensure_shape(tf.py_function(add, [x], tf.int64), [])", "x + tf.random.uniform([], 0, 9, tf.int64)",
        "x + tf.random.uniform([], 0, 9, tf.int64, seed=3)", "x + GENERATOR.uniform([], 0, 9, tf.int64)",
        "x + tf.random.stateless_uniform([], [x, 1], 0, 9, tf.int64)", "tf.cond(x > 4, lambda: x, lambda: -x)",
        "x + COUNTER.assign_add(1)", "tf.reshape(x, [])", "x + tf.size(x, tf.int64)", "x + random.randint(0, 3)",
    ),
    ("int", "float"): ("* tf.cast(x, tf.float32) / 3", "* tf.exp(tf.cast(x, tf.float32) / 10)"),
    ("int", "vector"): ("tf.one_hot(x % 4, 4)", "tf.fill([4], tf.cast(x, tf.float32) / 7)",
                        "tf.range(4.0) + tf.cast(x, tf.float32)"),
    ("int", "dict"): ("{'x': tf.one_hot(x % 4, 4), 'y': x}", "dict(x=tf.range(4.0) * tf.cast(x, tf.float32), y=x)"),
    ("int", "pair"): ("(tf.one_hot(x % 4, 4), x)", "(tf.fill([4], tf.cast(x, tf.float32)), x % 3)"),
    ("int", "string"): ("* tf.strings.as_string(x)",),
    ("int", "ragged"): ("tf.range(x % 5)", "tf.fill([x % 4 + 1], x)"),
    ("float", "float"): ("* x * 0.5 + 1.0", "* tf.exp(x * 0.1)", "* tf.sqrt(tf.abs(x))", "* tf.round(x)", "* x / 3",
                         "x + tf.random.normal([])", "x + tf.random.normal([], seed=1)", "* tf.tanh(x)"),
    ("float", "int"): ("* tf.cast(x, tf.int64)",),
    ("vector", "vector"): (
        "* x / 255.0", "* x - 0.5", "* x * tf.constant([1.0, 2.0, 3.0, 4.0])", "* tf.nn.softmax(x)", "* tf.sigmoid(x)",
        "* tf.nn.relu(x - 1.0)", "* tf.sort(x)", "* tf.clip_by_value(x, 0.0, 0.5)", "* tf.cast(x > 0.5, tf.float32)",
        "tf.reverse(x, [0])", "x / (1.0 + tf.reduce_max(x))", "x - tf.reduce_mean(x)", "tf.reshape(x, [4])", "x[::-1]",
        "tf.cumsum(x)", "tf.nn.l2_normalize(x, 0)", "x + tf.cast(tf.shape(x)[0], tf.float32)", "x * x[0]",
        "tf.where(tf.reduce_sum(x) > 2.0, x, -x)", "x + tf.random.normal([4])", "x + tf.random.normal([4], seed=5)",
        "x * tf.random.uniform([], 0.5, 1.5)", "x + tf.random.stateless_normal([4], [1, 2])",
        "tf.image.random_brightness(x, 0.2)", "tf.transpose(x)", "* x * SCALE",
    ),
    ("vector", "float"): ("tf.reduce_sum(x)", "x[0]", "* tf.reduce_mean(x, axis=-1)", "tf.norm(x)", "* x[..., 1]"),
    ("dict", "dict"): (
        "* {'x': x['x'] * 2.0, 'y': x['y']}", "* {**x, 'y': x['y'] + 1}", "dict(x, x=x['x'] - tf.reduce_mean(x['x']))",
        "{'x': x['x'] * tf.cast(x['y'], tf.float32), 'y': x['y']}",
        "{'x': x['x'] + tf.random.normal([4]), 'y': x['y']}",
    ),
    ("dict", "pair"): ("* (x['x'], x['y'])", "* (x['x'] / 255.0, x['y'] % 2)", "(x['x'][::-1], x['y'])"),
    ("dict", "vector"): ("* x['x']", "* x['x'] * 2.0 + 1.0"),
    ("dict", "int"): ("* x['y']", "* x['y'] * 2"),
    ("pair", "pair"): (
        "* (x * 2.0, y)", "* (x, y % 2)", "* (tf.cast(x > 0.5, tf.float32), tf.cast(y, tf.int64))", "(x - x[0], y)",
        "(x * tf.cast(y, tf.float32), y)", "(x + tf.random.normal([4], seed=2), y)", "(tf.reverse(x, [0]), y)",
    ),
    ("pair", "dict"): ("* {'x': x, 'y': y}", "* dict(x=x / 2.0, y=y)"),
    ("pair", "vector"): ("* x", "* x + 1.0", "x + tf.cast(y, tf.float32)"),
    ("pair", "int"): ("* y", "* y * 3"),
    ("string", "string"): ("* tf.strings.lower(x)", "* tf.strings.join([x, '!'])", "* tf.strings.substr(x, 0, 2)",
                           "tf.strings.split(x, ',')[0]", "* tf.strings.regex_replace(x, 'a', 'b')"),
    ("string", "int"): ("* tf.strings.to_hash_bucket_fast(x, 100)", "* tf.cast(tf.strings.length(x), tf.int64)"),
    ("example", "dict"): ("parse(x)", "tf.io.parse_single_example(x, FEATURES)",
                          "* tf.io.parse_example(x, FEATURES)"),
    ("example", "pair"): ("features(x)",),
    ("ragged", "int"): ("tf.reduce_sum(x)", "tf.size(x, tf.int64)"),
    ("ragged", "ragged"): ("* x + 1", "x[::-1]", "* tf.abs(x)"),
}  # fmt: skip

_PREDICATES = {
    "int": ("x % 3 != 1", "tf.random.uniform([]) < 0.9", "x > -100"),
    "float": ("x < 1000.0",),
    "vector": ("tf.reduce_sum(x) > -100.0", "x[0] < 0.9"),
    "dict": ("x['y'] != 3",),
    "pair": ("y != 3",),
    "string": ("tf.strings.length(x) > 0",),
    "ragged": ("tf.size(x) > 0",),
}

#: What programs need, by the words that tell, in the order in which it is written above them.
_NEEDED = {
    "functools": "import functools",
    "random": "import random",
    "AUTO": "AUTO = tf.data.experimental.AUTOTUNE",
    "TRAINING": "TRAINING = True",
    "VERBOSE": "VERBOSE = False",
    "SEED": "SEED = 11",
    "BATCH_SIZE": "BATCH_SIZE = 4",
    "SCALE": "SCALE = 1 / 255",
    "TABLE": "TABLE = tf.constant([5, 7, 9, 11], tf.int64)",
    "OFFSET": "OFFSET = tf.Variable(2, dtype=tf.int64)",
    "COUNTER": "COUNTER = tf.Variable(0, dtype=tf.int64)",
    "GENERATOR": "GENERATOR = tf.random.Generator.from_seed(5)",
    "VOCABULARY": """
        VOCABULARY = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.range(4, dtype=tf.int64), tf.range(10, 14, dtype=tf.int64)), 99
        )""",
    "FEATURES": """
        FEATURES = {"x": tf.io.FixedLenFeature([4], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}""",
    "parse": """
        def parse(record):
            return tf.io.parse_single_example(record, FEATURES)""",
    "features": """
        def features(record):
            row = tf.io.parse_single_example(record, FEATURES)
            return row["x"] * 2.0, row["y"]""",
    "counted": "counted = [0]",
    "count": """
        def count(x):
            counted[0] += 1
            return x + counted[0]""",
    "add": """
        def add(x):
            return x + 1""",
    "walk": """
        def walk():
            for row in range(9):
                yield row * 3""",
    "rows": """
        def rows():
            for row in range(7):
                yield [row / 2, 1.0, 0.0, -1.0], row""",
    r"RECORDS|tfrecord": """
        RECORDS = ["part-0.tfrecord", "part-1.tfrecord", "part-2.tfrecord"]
        for part, size in enumerate((4, 7, 2)):
            with tf.io.TFRecordWriter(RECORDS[part]) as writer:
                for row in range(size):
                    values = {
                        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[row / 3, part, 1, 0])),
                        "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[10 * part + row])),
                    }
                    writer.write(tf.train.Example(features=tf.train.Features(feature=values)).SerializeToString())""",
    r"TEXTS|\.txt": """
        TEXTS = ["part-0.txt", "part-1.txt", "part-2.txt"]
        for part, size in enumerate((3, 6, 2)):
            with open(TEXTS[part], "w") as file:
                file.write("".join(f"{part},Word {row}\\n" for row in range(size)))""",
    "UNORDERED": """
        UNORDERED = tf.data.Options()
        UNORDERED.deterministic = False""",
    "ORDERED": """
        ORDERED = tf.data.Options()
        ORDERED.deterministic = True""",
    "UNTUNED": """
        UNTUNED = tf.data.Options()
        UNTUNED.autotune.enabled = False""",
    "PLAIN": """
        PLAIN = tf.data.Options()
        PLAIN.experimental_optimization.map_parallelization = False""",
    "digest": """
        def digest(element):
            total = tf.constant(0, tf.int64)
            for part in tf.nest.flatten(element):
                text = part if part.dtype == tf.string else tf.strings.as_string(part)
                hashed = tf.reshape(tf.strings.to_hash_bucket_fast(text, 1000003), [-1])
                total = total * 31 + tf.reduce_sum(hashed * tf.range(1, tf.size(hashed, tf.int64) + 1))
            return total""",
    "consume": """
        @tf.function
        def consume(dataset):
            total = tf.constant(0, tf.int64)
            for element in dataset:
                total = total * 7 + digest(element)
            return total""",
    "step": """
        @tf.function
        def step(element):
            return digest(element)""",
    "evaluate": """
        def evaluate(dataset, steps=None):
            results = []
            for number, element in enumerate(dataset):
                results.append(digest(element))
                if steps and number == steps:
                    break
            return results""",
}  # fmt: skip

_IMPORTS = {
    "import tensorflow as tf": {},
    "import tensorflow": {"tf.": "tensorflow."},
    "import tensorflow.compat.v2 as tf": {},
    "import tensorflow as tf\nfrom tensorflow import data": {"tf.data.": "data."},
    "import tensorflow as tf\nfrom tensorflow.data import Dataset": {"tf.data.Dataset.": "Dataset."},
    "import tensorflow as tf\n\ntfd = tf.data": {"tf.data.": "tfd."},
    "import tensorflow as tf\n\nD = tf.data.Dataset": {"tf.data.Dataset.": "D."},
}

_FLAGS = ("TRAINING", "VERBOSE", "not VERBOSE", "TRAINING and not VERBOSE")
_NAMES = ("ds", "dataset", "train", "train_ds", "pipeline", "examples", "elements")
_COMMENTS = ("# as in the paper", "# tuned by hand", "# (x, y)", "# .batch(4)", "# é ✓ 日本", "#no space")


_AUTOTUNE = (
    "AUTOTUNE = tf.data.AUTOTUNE",
    "AUTOTUNE = tf.data.experimental.AUTOTUNE",
    "from tensorflow.data import AUTOTUNE",
    "from tensorflow.data.experimental import AUTOTUNE",
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of a program."""
    return _Author(draw).program()


@dataclass(slots=True)
class _Author:
    draw: st.DrawFn
    definitions: list[str] = field(default_factory=list)
    """Functions, in the order in which they are written."""
    lines: list[str] = field(default_factory=list)
    """What is written below them."""
    autotunes: Sequence[str] = ()
    flags: Sequence[str] = _FLAGS
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    # ---- choices ----

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def choice(self, options: Sequence[T]) -> T:
        return self.draw(st.sampled_from(options))

    def weighted(self, weights: dict[str, int]) -> str:
        return self.choice([name for name, weight in weights.items() for _ in range(weight)])

    def fresh(self, base: str) -> str:
        return f"{base}_{next(self.numbers)}"

    # ---- the program ----

    def program(self) -> str:
        self.autotunes = self.choice(
            (
                ("tf.data.AUTOTUNE",),
                ("tf.data.experimental.AUTOTUNE",),
                ("AUTOTUNE",),
                ("AUTO",),
                ("tf.data.AUTOTUNE", "AUTOTUNE", "tf.data.experimental.AUTOTUNE", "-1"),
            )
        )
        if self.chance(15):
            self.write(f"tf.random.set_seed({self.choice(('SEED', '3'))})")
        self.write("seen = []")
        names = [self.dataset() for _ in range(2 if self.chance(15) else 1)]
        for name, elements in [*names, *self.split(*names[0])]:
            self.consume(name, elements)
        return self.assemble()

    def assemble(self) -> str:
        body = "\n".join([*self.definitions, *self.lines])
        if self.chance(15):
            body += "\n# AUTOTUNE"
        needed: list[str] = []
        for words, text in reversed({"AUTOTUNE": self.choice(_AUTOTUNE), **_NEEDED}.items()):
            if re.search(rf"\b(?:{words})\b", "\n".join([*needed, body])):
                needed.insert(0, textwrap.dedent(text).strip("\n"))
        header = self.choice(tuple(_IMPORTS))
        text = "\n".join([*needed, "", body]) + "\n"
        for old, new in _IMPORTS[header].items():
            text = re.sub(rf"\b{re.escape(old)}", new, text)
        text = f"{header}\n\n{text}"
        indent = self.choice(("    ", "    ", "  ", "\t"))
        return re.sub(r"^(?:    )+", lambda match: indent * (len(match[0]) // 4), text, flags=re.MULTILINE)

    def write(self, statement: str) -> None:
        if self.chance(6):
            self.lines.append(self.choice(_COMMENTS))
        self.lines += (statement + self.comment(6)).splitlines()

    def comment(self, percent: int) -> str:
        return f"  {self.choice(_COMMENTS)}" if self.chance(percent) else ""

    # ---- datasets: where they are written ----

    def dataset(self) -> tuple[str, Elements]:
        """Writes the code that builds a dataset."""
        name = self.fresh(self.choice(_NAMES))
        source, elements, stages = self.source()
        stages += self.stages(stages[-1].gives if stages else elements)
        gives = stages[-1].gives if stages else elements
        match self.weighted({"module": 10, "function": 5, "method": 2, "prepare": 6}):
            case "module":
                self.pipeline(name, source, elements, stages)
            case "function":
                self.write(f"{name} = {self.function_building('build', '', source, elements, stages)}")
            case "method":
                self.write(f"{name} = {self.method(source, elements, stages)}")
            case "prepare":
                cut = self.draw(st.integers(0, len(stages)))
                self.pipeline(name, source, elements, stages[:cut])
                before = stages[cut - 1].gives if cut else elements
                call = self.function_building("prepare", "dataset", "dataset", before, stages[cut:])
                if self.chance(30) and gives == before:
                    self.write(f"{name} = {call.replace('dataset', f'{name}.take(5)', 1)}")
                applied = re.sub(r"\(dataset(?:, .*)?\)", "", call)
                if ", " not in call and self.chance(40):
                    self.write(f"{name} = {name}.apply({applied})")
                else:
                    self.write(f"{name} = {call.replace('dataset', name, 1)}")
        return name, gives

    def function_building(
        self, base: str, parameter: str, source: str, elements: Elements, stages: Sequence[Stage]
    ) -> str:
        """Defines a function that returns the dataset, and gives the call."""
        name = self.fresh(base)
        flag = self.choice(("", "training", "shuffle"))
        parameters = ", ".join(filter(None, (parameter, flag)))
        self.definitions += [f"def {name}({parameters}):", *self.body(flag, source, elements, stages, 1), ""]
        value = self.choice((f"{flag}=True", "False", "TRAINING")) if flag else ""
        return f"{name}({', '.join(filter(None, (parameter, value)))})"

    def method(self, source: str, elements: Elements, stages: Sequence[Stage]) -> str:
        """Defines a class with a method that returns the dataset, and gives the call."""
        name = self.choice(("Loader", "Input"))
        flag = "self.training"
        self.definitions += [
            f"class {name}:",
            "    def __init__(self, training):",
            f"        {flag} = training",
            "",
            "    def build(self):",
            *self.body(flag, source, elements, stages, 2),
            "",
        ]
        return f"{name}({self.choice(('True', 'False'))}).build()"

    def body(self, flag: str, source: str, elements: Elements, stages: Sequence[Stage], depth: int) -> list[str]:
        outer, self.lines = self.lines, []
        flags, self.flags = self.flags, (flag, f"not {flag}") if flag else self.flags
        name = source if source == "dataset" else self.choice(("ds", "dataset", "result"))
        autotunes = self.autotunes
        if self.chance(15):
            self.write("tune = tf.data.experimental.AUTOTUNE")
            self.autotunes = ("tune",)
        if self.chance(35):
            self.write(f"return {self.layout(source, stages)}")
        else:
            self.pipeline(name, source, elements, stages)
            self.write(f"return {name}")
        written, self.lines, self.flags, self.autotunes = self.lines, outer, flags, autotunes
        return textwrap.indent("\n".join(written), "    " * depth).splitlines()

    # ---- datasets: how they are written ----

    def pipeline(self, name: str, source: str, elements: Elements, stages: Sequence[Stage]) -> None:
        """Writes statements that leave the dataset in a name."""
        text, rest, gives = source, list(stages), elements
        while rest or text != name:
            if text == name and rest[0].gives == gives and self.chance(25):
                self.conditional(name, rest.pop(0))
                continue
            if text == name and rest[0].method == "map" and rest[0].gives == gives and self.chance(10):
                self.write(f"for number in range({self.choice((1, 2))}):\n    {name} = {self.layout(name, rest[:1])}")
                rest.pop(0)
                continue
            count = self.draw(st.integers(min(1, len(rest)), len(rest)))
            chunk, rest = rest[:count], rest[count:]
            gives = chunk[-1].gives if chunk else gives
            target = self.fresh("part") if rest and self.chance(10) else name
            self.write(f"{target} = {self.layout(text, chunk)}")
            if self.chance(3):
                self.write(f"{target}.{self.choice(('cache()', 'prefetch(2)', 'shuffle(4, seed=1)'))}")
            text = target

    def conditional(self, name: str, stage: Stage) -> None:
        """A stage under a condition."""
        flag, changed = self.choice(self.flags), self.layout(name, [stage])
        match self.weighted({"if": 4, "else": 2, "expression": 2}):
            case "if":
                self.write(f"if {flag}:\n" + textwrap.indent(f"{name} = {changed}", "    "))
            case "else":
                other = self.choice((name, f"{name}.prefetch(1)", f"{name}.skip(1)"))
                self.write(f"if {flag}:\n{textwrap.indent(f'{name} = {changed}', '    ')}\nelse:\n    {name} = {other}")
            case "expression":
                self.write(f"{name} = (\n{textwrap.indent(changed, '    ')}\n    if {flag}\n    else {name}\n)")

    def layout(self, head: str, stages: Sequence[Stage]) -> str:
        """A chain, in one line or broken over several."""
        calls: list[str] = []
        for stage in stages:
            if stage.around:
                head, calls = stage.around.replace("{}", head + "".join(calls)), []
            else:
                calls.append(f".{stage.method}({', '.join(stage.arguments)})")
        head, calls = self.tuned(head), [self.tuned(call) for call in calls]
        match self.weighted({"line": 4, "parentheses": 4, "backslashes": 2, "arguments": 2}) if calls else "line":
            case "line":
                return head + "".join(calls)
            case "parentheses":
                lines = [line + self.comment(8) for line in (head, *calls)]
                if self.chance(10):
                    lines.insert(1, self.choice(_COMMENTS))
                return "(\n" + textwrap.indent("\n".join(lines), "    ") + "\n)"
            case "backslashes":
                return " \\\n    ".join((head, *calls))
        text = head
        for call in calls:
            method, _, arguments = call[:-1].partition("(")
            comma = "," if arguments and self.chance(50) else ""
            text += f"{method}(\n    {arguments}{comma}{self.comment(8)}\n)" if arguments else call
        return text

    def tuned(self, text: str) -> str:
        return re.sub("<autotune>", lambda match: self.choice(self.autotunes), text)

    # ---- sources ----

    def source(self) -> tuple[str, Elements, list[Stage]]:
        """The expression of a source, what it gives, and the stages that belong to it."""
        size = self.choice((8, 10, 13, 20))
        rows = self.choice(("[[0.5, 1, 2, 3], [4, 5, 6, 7.25]] * 5", "tf.random.stateless_uniform([11, 4], [1, 2])"))
        slices = "tf.data.Dataset.from_tensor_slices"
        match self.weighted({"int": 8, "slices": 8, "files": 8, "generator": 2, "several": 3, "random": 2, "texts": 2}):
            case "int":
                text = self.choice((f"range({size})", f"range(2, {size})", f"from_tensor_slices(list(range({size})))"))
                return f"tf.data.Dataset.{text}", Elements("int"), [] if "list" not in text else [self.cast()]
            case "slices":
                kind, text = self.choice(
                    (
                        ("vector", rows),
                        ("float", "[0.1 * row for row in range(12)]"),
                        ("dict", f"{{'x': {rows}, 'y': tf.range(len({rows}), dtype=tf.int64)}}"),
                        ("pair", f"({rows}, tf.range(len({rows}), dtype=tf.int64))"),
                        ("string", "['a,Bc', 'dE,f', 'G', 'ha,i', 'b'] * 2"),
                    )
                )
                return f"{slices}({text})", Elements(kind), []
            case "files":
                return self.files()
            case "generator":
                kind, text = self.choice(
                    (
                        ("int", "walk, output_signature=tf.TensorSpec([], tf.int64)"),
                        ("int", "walk, output_types=tf.int64, output_shapes=[]"),
                        ("pair", "rows, output_types=(tf.float32, tf.int64), output_shapes=([4], [])"),
                    )
                )
                return f"tf.data.Dataset.from_generator({text})", Elements(kind), []
            case "several":
                a, b = f"tf.data.Dataset.range({size})", "tf.data.Dataset.range(100, 106)"
                where = self.choice(("tf.data.experimental", "tf.data.Dataset"))
                seed = self.choice(("", ", seed=2", ", weights=[0.5, 0.5], seed=4", ", [0.3, 0.7], 5"))
                text = self.choice(
                    (
                        f"{a}.concatenate({b})",
                        f"{where}.sample_from_datasets([{a}, {b}]{seed})",
                        f"{where}.choose_from_datasets([{a}, {b}], tf.data.Dataset.range(2).repeat(5))",
                    )
                )
                return text, Elements("int"), []
            case "random":
                text = self.choice(
                    (
                        "tf.data.Dataset.random(seed=4).take(12)",
                        "tf.data.Dataset.random().take(9)",
                        "tf.data.experimental.RandomDataset(seed=8).take(10)",
                        "tf.data.experimental.Counter().take(14)",
                        "tf.data.experimental.Counter(start=3, step=2)",
                        "tf.data.Dataset.counter()",
                    )
                )
                modulo = Stage("map", ("lambda x: x % 10",), gives=Elements("int", infinite="take" not in text))
                return text, modulo.gives, [modulo]
        parallel = self.choice(("", "", ", num_parallel_reads=2", ", num_parallel_reads=<autotune>"))
        return f"tf.data.TextLineDataset(TEXTS{parallel})", Elements("string"), []

    def cast(self) -> Stage:
        return Stage("map", ("lambda x: tf.cast(x, tf.int64)",), gives=Elements("int"))

    def files(self) -> tuple[str, Elements, list[Stage]]:
        """Records, in one of the ways to read several files."""
        parallel = self.choice(("", "", ", num_parallel_reads=2", ", num_parallel_reads=<autotune>"))
        names = self.choice(("RECORDS", "['part-0.tfrecord', 'part-1.tfrecord']", "['part-1.tfrecord']"))
        if self.chance(35):
            shuffled = Stage("shuffle", (self.choice(("6", "100")),), gives=Elements("example"))
            stages = [shuffled] if self.chance(35) else []
            return f"tf.data.TFRecordDataset({names}{parallel})", Elements("example"), stages
        listed = self.choice(
            (
                f"tf.data.Dataset.from_tensor_slices({names})",
                "tf.data.Dataset.list_files('part-*.tfrecord', shuffle=False)",
                "tf.data.Dataset.list_files('part-*.tfrecord', seed=4)",
                "tf.data.Dataset.list_files('part-*.tfrecord')",
            )
        )
        inner, kind = self.choice(
            (
                ("tf.data.TFRecordDataset", "example"),
                ("lambda path: tf.data.TFRecordDataset(path)", "example"),
                ("lambda path: tf.data.TFRecordDataset(path, buffer_size=1024)", "example"),
                ("lambda path: tf.data.TFRecordDataset(path).map(parse)", "dict"),
                ("lambda path: tf.data.TFRecordDataset(path).map(parse).shuffle(3, seed=1)", "dict"),
            )
        )
        gives = Elements(kind)
        if self.chance(25):
            return listed, gives, [Stage("flat_map", self.arguments(("map_func", inner)), gives=gives)]
        if self.chance(12):
            return listed, gives, [self.parallel_interleave(inner, gives)]
        return listed, gives, [self.interleave(inner, gives)]

    # ---- stages ----

    def stages(self, elements: Elements) -> list[Stage]:
        written: list[Stage] = []
        for _ in range(self.draw(st.integers(1, 5))):
            written += self.stage(elements)
            elements = written[-1].gives
        return written

    def stage(self, elements: Elements) -> list[Stage]:
        """A stage, or some that belong together."""
        kind, batched, infinite = elements.kind, elements.batched, elements.infinite
        endless = replace(elements, infinite=True)
        single = not batched
        weights = {
            "map": 24 * (kind != "ragged" or single),
            "map_batch": 12 * (single and kind not in ("example", "ragged")),
            "batch": 9 * (single and kind != "ragged"),
            "padded_batch": 10 * (single and kind == "ragged"),
            "shuffle": 8,
            "cache": 4 * (not infinite),
            "cache_take": 4,
            "prefetch": 6 + 3 * batched,
            "take": 3,
            "skip": 2,
            "repeat": 4 * (not infinite),
            "filter": 3 * (single and not infinite and kind in _PREDICATES),
            "enumerate": 2 * single,
            "window": 3 * (single and kind in ("int", "float", "vector")),
            "shard": 2,
            "interleave": 5 * (single and kind == "int"),
            "unbatch": 5 * (batched and kind != "ragged"),
            "rebatch": 2 * (batched and kind != "ragged"),
            "options": 5,
            "old": 9,
            "around": 3,
        }
        match op := self.weighted(weights):
            case "map":
                return [self.mapping(elements)]
            case "map_batch":
                stage = self.mapping(elements, marked=True)
                return [stage, self.batch(stage.gives)]
            case "batch":
                return [self.batch(elements)]
            case "padded_batch":
                arguments = self.arguments(("batch_size", "3"), ("padded_shapes", self.choice(("", "[None]", "[6]"))))
                return [Stage(op, arguments, gives=replace(elements, batched=True))]
            case "shuffle":
                return [self.shuffle(elements)]
            case "cache_take":
                arguments = self.arguments(("count", self.choice(("3", "5"))))
                finite = replace(elements, infinite=False)
                return [Stage("cache", gives=elements), Stage("take", arguments, gives=finite)]
            case "prefetch":
                size = self.choice(
                    ("2", "<autotune>", "64", "100", "BATCH_SIZE") if batched else ("0", "1", "<autotune>")
                )
                return [Stage(op, self.arguments(("buffer_size", size)), gives=elements)]
            case "take" | "skip":
                count = self.choice(("4", "7", "2"))
                return [Stage(op, (count,), gives=replace(elements, infinite=infinite and op == "skip"))]
            case "repeat":
                count = self.choice(("", "2", "2", "None", "1"))
                return [Stage(op, (count,) if count else (), gives=elements if count in "12" and count else endless)]
            case "filter":
                predicate = self.function(self.choice(_PREDICATES[kind]), kind)
                return [Stage(op, (predicate,), gives=elements)]
            case "enumerate":
                return [Stage(op, gives=elements), Stage("map", ("lambda number, x: x",), gives=elements)]
            case "window":
                arguments = self.arguments(("size", "3"), ("shift", self.choice(("", "1", "2"))))
                window = Stage(op, (*arguments, "drop_remainder=True"), gives=elements)
                inner = self.choice(("window.batch(3)", "window.batch(2)", "window.batch(3).map(lambda x: x + 1)"))
                return [window, Stage("flat_map", (f"lambda window: {inner}",), gives=replace(elements, batched=True))]
            case "shard":
                return [Stage(op, self.arguments(("num_shards", "2"), ("index", "0")), gives=elements)]
            case "interleave":
                inner = self.choice(
                    (
                        "lambda n: tf.data.Dataset.range(n % 4 + 1)",
                        "lambda n: tf.data.Dataset.range(n % 3).map(lambda x: x + n)",
                        "lambda n: tf.data.Dataset.from_tensors(n).repeat(2)",
                    )
                )
                if self.chance(25):
                    return [Stage("flat_map", (inner,), gives=elements)]
                return [self.interleave(inner, elements)]
            case "rebatch":
                return [Stage("unbatch", gives=replace(elements, batched=False)), self.batch(elements)]
            case "options":
                options = self.choice(("UNORDERED", "ORDERED", "UNTUNED", "PLAIN"))
                return [Stage("with_options", (options,), gives=elements)]
            case "old":
                return self.old(elements)
            case "around":
                text, gives = self.choice(
                    (
                        ("tf.data.Dataset.zip(({}, tf.data.Dataset.range(50))).map(lambda *parts: parts[0])", elements),
                        ("tf.data.Dataset.zip({}, tf.data.Dataset.range(6)).map(lambda *parts: parts[0])",
                         replace(elements, infinite=False)),
                    )
                )  # fmt: skip
                if kind == "pair":
                    text = text.replace("lambda *parts: parts[0]", "lambda first, second: first")
                return [Stage("zip", around=text, gives=replace(gives, infinite=False))]
        return [Stage(op, gives=replace(elements, batched=batched and op != "unbatch"))]

    def arguments(self, *given: tuple[str, str]) -> tuple[str, ...]:
        """Arguments in the order of the signature, by position or by keyword; an empty one is left out."""
        gap = next((i for i, (_, text) in enumerate(given) if not text), len(given))
        positional = self.draw(st.integers(0, gap))
        return tuple(
            text if position < positional else f"{name}={text}" for position, (name, text) in enumerate(given) if text
        )

    def mapping(self, elements: Elements, marked: bool = False) -> Stage:
        """A map; a marked one has a function that takes batches too."""
        options = [
            (gives, text)
            for (takes, gives), texts in _FUNCTIONS.items()
            for text in texts
            if takes == elements.kind and (text.startswith("* ") or not (marked or elements.batched))
        ]
        gives = self.choice(sorted({gives for gives, _ in options}))
        function = self.function(self.choice([text for kind, text in options if kind == gives]), elements.kind)
        parallel = self.choice(("", "", "", "<autotune>", "<autotune>", "2", "1"))
        ordered = self.choice(("", "", "", "True", "False")) if parallel else ""
        arguments = self.arguments(("map_func", function), ("num_parallel_calls", parallel), ("deterministic", ordered))
        return Stage("map", arguments, gives=replace(elements, kind=gives))

    def function(self, marked: str, kind: str) -> str:
        """A function of elements, in one of the ways to write one."""
        expression, parameters = marked.removeprefix("* "), "x, y" if kind == "pair" else "x"
        if self.chance(30):
            expression = expression.replace("'", '"')
        form = self.weighted({"lambda": 8, "def": 4, "steps": 2, "helper": 2, "partial": 1, "traced": 2, "prints": 1})
        if form == "lambda":
            return f"lambda {parameters}: {expression}"
        name = self.fresh(self.choice(("scale", "augment", "convert")))
        define = f"def {name}({parameters}):"
        match form:
            case "steps":
                lines = [define, f"    result = {expression}", "    return result"]
            case "helper":
                inner = self.fresh("inner")
                lines = [f"def {inner}({parameters}):", f"    return {expression}", "", define]
                lines.append(f"    return {inner}({parameters})")
            case "partial":
                lines = [f"def {name}({parameters}, flag=False):", f"    return {expression} if flag else None"]
            case "prints":
                what = self.choice(("tf.print('an element', output_stream='file:///dev/null')", "print('traced')"))
                lines = [define, f"    {what}", f"    return {expression}"]
            case "traced":
                lines = ["@tf.function", define, f"    return {expression}"]
            case _:
                lines = [define, f"    return {expression}"]
        self.definitions += [*lines, ""]
        if form == "partial":
            return f"functools.partial({name}, flag=True)"
        return f"lambda {parameters}: {name}({parameters})" if self.chance(25) else name

    def batch(self, elements: Elements) -> Stage:
        size = self.choice(("2", "3", "4", "5", "BATCH_SIZE"))
        remainder = self.choice(("", "", "", "True", "False"))
        arguments = self.arguments(("batch_size", size), ("drop_remainder", remainder))
        return Stage("batch", arguments, gives=replace(elements, batched=True))

    def shuffle(self, elements: Elements) -> Stage:
        seed, again = self.choice(("", "3", "SEED")), self.choice(("", "", "True", "False"))
        arguments = self.arguments(
            ("buffer_size", self.choice(("4", "8", "100"))), ("seed", seed), ("reshuffle_each_iteration", again)
        )
        return Stage("shuffle", arguments, gives=elements)

    def interleave(self, inner: str, gives: Elements) -> Stage:
        cycle = self.choice(("", "1", "2", "3", "4"))
        parallel = self.choice(("", "", "", "", "", "<autotune>", cycle))
        ordered = self.choice(("", "", "", "True", "False")) if parallel else ""
        arguments = self.arguments(
            ("map_func", inner),
            ("cycle_length", cycle),
            ("block_length", self.choice(("", "", "1", "2"))),
            ("num_parallel_calls", parallel),
            ("deterministic", ordered),
        )
        return Stage("interleave", arguments, gives=gives)

    def parallel_interleave(self, inner: str, gives: Elements) -> Stage:
        arguments = self.arguments(
            ("map_func", inner),
            ("cycle_length", self.choice(("1", "2", "3"))),
            ("block_length", self.choice(("", "2"))),
            ("sloppy", self.choice(("", "False", "True"))),
        )
        return self.applied(f"parallel_interleave({', '.join(arguments)})", gives)

    def applied(self, text: str, gives: Elements) -> Stage:
        return Stage("apply", (f"tf.data.experimental.{text}",), gives=gives)

    def old(self, elements: Elements) -> list[Stage]:
        """A transformation that had a function of its own before it was a method."""
        kind, single = elements.kind, not elements.batched
        batched, alone = replace(elements, batched=True), replace(elements, batched=False)
        weights = {
            "unbatch": 12 * (not single and kind != "ragged"),
            "map_and_batch": 4 * (single and kind not in ("example", "ragged")),
            "shuffle_and_repeat": 3 * (not elements.infinite),
            "parallel_interleave": 3 * (single and kind == "int"),
            "enumerate_dataset": 2,
            "take_while": 2 * (single and kind == "int"),
            "unique": 2 * (single and kind in ("int", "string") and not elements.infinite),
            "scan": 2 * (single and kind == "int"),
            "ignore_errors": 1,
            "group_by_window": 2 * (single and kind == "int"),
            "rejection_resample": 1 * (single and kind == "int"),
            "dense_to_ragged_batch": 9 * (single and kind == "ragged"),
            "dense_to_sparse_batch": 4 * (single and kind == "ragged"),
            "bucket_by_sequence_length": 4 * (single and kind == "ragged"),
            "parse_example_dataset": 9 * (not single and kind == "example"),
        }
        first = Stage("map", ("lambda first, second: second",), gives=elements)
        sums = replace(batched, kind="int")
        match op := self.weighted(weights):
            case "map_and_batch":
                function = self.mapping(elements)
                arguments = self.arguments(
                    ("map_func", function.arguments[0].removeprefix("map_func=")),
                    ("batch_size", self.choice(("3", "BATCH_SIZE"))),
                    ("num_parallel_batches", self.choice(("", "", "", "2"))),
                    ("drop_remainder", self.choice(("", "True", "False"))),
                )
                if not any("num_parallel_batches" in text for text in arguments) and self.chance(50):
                    arguments += (f"num_parallel_calls={self.choice(('<autotune>', '2'))}",)
                return [self.applied(f"{op}({', '.join(arguments)})", replace(function.gives, batched=True))]
            case "shuffle_and_repeat":
                count = self.choice(("", "2", "None"))
                arguments = self.arguments(("buffer_size", "8"), ("count", count), ("seed", self.choice(("", "5"))))
                return [self.applied(f"{op}({', '.join(arguments)})", replace(elements, infinite=count != "2"))]
            case "parallel_interleave":
                return [self.parallel_interleave("lambda n: tf.data.Dataset.range(n % 4)", elements)]
            case "enumerate_dataset":
                return [self.applied(f"{op}({self.choice(('', 'start=1', '2'))})", elements), first]
            case "take_while":
                return [self.applied(f"{op}({self.function(self.choice(('x < 9', 'x != 8')), kind)})", elements)]
            case "scan":
                start = self.choice(("tf.constant(0, tf.int64)", "initial_state=tf.constant(3, tf.int64)"))
                name = "scan_func=" if start.startswith("initial") else self.choice(("", "scan_func="))
                text = f"{op}({start}, {name}lambda state, x: (state + x, state))"
                return [self.applied(text, elements)]
            case "group_by_window":
                arguments = self.arguments(
                    ("key_func", "lambda x: x % 2"),
                    ("reduce_func", "lambda key, window: window.batch(2)"),
                    ("window_size", "2"),
                )
                return [self.applied(f"{op}({', '.join(arguments)})", batched)]
            case "rejection_resample":
                text = f"{op}(lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], seed=1)"
                return [self.applied(text, elements), first]
            case "dense_to_ragged_batch":
                total = Stage("map", ("lambda x: tf.reduce_sum(x, axis=1)",), gives=sums)
                return [self.applied(f"{op}({self.choice(('3', 'batch_size=2', '3, True'))})", batched), total]
            case "dense_to_sparse_batch":
                total = Stage("map", ("lambda x: tf.reduce_sum(tf.sparse.to_dense(x), axis=1)",), gives=sums)
                arguments = self.arguments(("batch_size", "3"), ("row_shape", "[6]"))
                return [self.applied(f"{op}({', '.join(arguments)})", batched), total]
            case "bucket_by_sequence_length":
                total = Stage("map", ("lambda x: tf.reduce_sum(x, axis=1)",), gives=sums)
                return [self.applied(f"{op}(lambda x: tf.size(x), [3], [2, 2])", batched), total]
            case "parse_example_dataset":
                return [self.applied(f"{op}(FEATURES{self.choice(('', ', 2'))})", replace(batched, kind="dict"))]
        return [self.applied(f"{op}()", alone if op == "unbatch" else elements)]

    # ---- consumers ----

    def split(self, name: str, elements: Elements) -> list[tuple[str, Elements]]:
        """Sometimes two further datasets, made from the first elements of one and from the others."""
        if not self.chance(20):
            return []
        parts = []
        for part, method in (("valid", "take"), ("training", "skip")):
            first = Stage(method, ("3",), gives=replace(elements, infinite=elements.infinite and method == "skip"))
            stages = [first, *self.stage(first.gives)]
            self.pipeline(part, name, elements, stages)
            parts.append((part, stages[-1].gives))
        return parts

    def consume(self, name: str, elements: Elements) -> None:
        """Writes code that takes what a dataset gives."""
        stages: list[Stage] = []
        if elements.infinite:
            stages = [Stage("take", ("9",), gives=replace(elements, infinite=False))]
        elif self.chance(25):
            stages = self.stage(elements)
            if stages[-1].gives.infinite:
                stages.append(Stage("take", ("9",), gives=elements))
        gives = stages[-1].gives if stages else elements
        inline = self.layout(name, stages)
        weights = {
            "for": 6, "enumerate": 4, "epochs": 2, "graph": 5, "iterator": 3, "helper": 3, "reduce": 1, "numpy": 2,
            "trace": 3, "recreated": 1, "single": 1, "optional": 1, "nothing": 1,
            "fit": gives.kind == "pair" and gives.batched,
        }  # fmt: skip
        match self.weighted(weights):
            case "for":
                self.write(f"for element in {inline}:\n    seen.append(digest(element))")
            case "enumerate":
                self.write(
                    f"for number, element in enumerate({inline}):\n"
                    "    seen.append(digest(element))\n    if number == 5:\n        break"
                )
            case "epochs":
                epochs = f"{inline}.repeat(2)" if "\n" not in inline and self.chance(50) else inline
                self.write(
                    f"for epoch in range(2):\n    for element in {epochs}:\n        seen.append(digest(element))"
                )
            case "graph":
                self.write(f"seen.append(consume({inline}))")
            case "iterator":
                self.write(f"iterator = iter({inline})\nseen.append(digest(next(iterator)))")
            case "helper":
                steps = self.choice(("", ", 4", ", steps=3"))
                self.write(f"seen += evaluate({inline}{steps})")
            case "reduce":
                self.write(f"seen.append({inline}.reduce(0, lambda count, *element: count + 1))")
            case "numpy":
                self.write(f"for element in {inline}.as_numpy_iterator():\n    seen.append(str(element))")
            case "trace":
                arguments = self.choice(("step_num=number", "step_num=number, _r=1", ""))
                arguments = f"'train', {arguments}" if arguments else "'train'"
                self.write(
                    f"for number, element in enumerate({inline}):\n"
                    f"    with tf.profiler.experimental.Trace({arguments}):\n        seen.append(step(element))"
                )
            case "recreated":
                self.write(f"for number in range(3):\n    seen.append(digest(next(iter({inline}))))")
            case "single":
                self.write(f"seen.append(digest(tf.data.experimental.get_single_element({name}.take(1))))")
            case "optional":
                self.write(
                    f"iterator = iter({inline})\n"
                    "seen.append(digest(tf.data.experimental.get_next_as_optional(iterator).get_value()))"
                )
            case "fit":
                self.write(
                    "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
                    f"model.fit({inline}, epochs=2, verbose=0)"
                )
