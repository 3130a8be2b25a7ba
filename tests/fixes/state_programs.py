"""Programs that share state between a pipeline and its consumer, drawn from parts: what holds the state, by which path
each of the two reaches it, where the pipeline reads it, and who consumes the pipeline and changes it meanwhile.

Each has a twin whose consumer changes something of its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeVar

from fixes.comparison import Files
from hypothesis import strategies as st

T = TypeVar("T")


class Holder(NamedTuple):
    """What holds a number. `{o}` is the way to `state`, where there is one."""

    setup: str
    read: str
    """The number that it holds."""
    write: str
    """A statement that changes it."""
    is_tensor: bool = False
    """Do operations of TensorFlow see the change?"""


_TENSORS = {
    "variable": Holder("state = tf.Variable(1, dtype=tf.int64)", "{o}", "{o}.assign_add(10)", True),
    "optimizer": Holder(
        "state = tf.keras.optimizers.SGD(0.5)",
        "tf.cast({o}.iterations, tf.int64)",
        "{o}.iterations.assign_add(10)",
        True,
    ),
    "metric": Holder(
        "state = tf.keras.metrics.Sum()", "tf.cast({o}.result(), tf.int64)", "{o}.update_state(10.0)", True
    ),
    "layer": Holder(
        """
        state = tf.keras.layers.Dense(1, kernel_initializer="ones")
        state.build([None, 1])
        """,
        "tf.cast(tf.reduce_sum({o}.kernel), tf.int64)",
        "{o}.kernel.assign_add([[10.0]])",
        True,
    ),
    "model": Holder(
        """
        state = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        state.build([None, 1])
        """,
        "tf.cast(tf.reduce_sum({o}(tf.ones([1, 1]))), tf.int64)",
        "{o}.weights[0].assign_add([[10.0]])",
        True,
    ),
    "generator of TensorFlow": Holder(
        "state = tf.random.Generator.from_seed(3)",
        "{o}.uniform([], 0, 99, tf.int64)",
        "{o}.uniform([], 0, 99, tf.int64)",
        True,
    ),
    "table": Holder(
        """
        state = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, 1)
        """,
        "{o}.lookup(tf.constant(0, tf.int64))",
        "{o}.insert([0], [int({o}.lookup(tf.constant(0, tf.int64))) + 10])",
        True,
    ),
    "iterator": Holder("state = iter(tf.data.Dataset.range(3000))", "next({o})", "next({o})", True),
    "file of TensorFlow": Holder(
        'tf.io.write_file("state.txt", "1")',
        'tf.strings.to_number(tf.io.read_file("state.txt"), tf.int64)',
        'tf.io.write_file("state.txt", str(10 * len(seen) + 11))',
        True,
    ),
}
_CLASS = """
class State:
    {body}


state = State()
"""
_PYTHON = {
    "list": Holder("state = [1]", "{o}[0]", "{o}[0] += 10"),
    "list that grows": Holder("state = [1]", "len({o})", "{o}.append(1)"),
    "dict": Holder('state = {"n": 1}', '{o}["n"]', '{o}.update(n={o}["n"] + 10)'),
    "deque": Holder("state = collections.deque([1, 2, 3])", "{o}[0]", "{o}.rotate(1)"),
    "array": Holder("state = np.ones(3, np.int64)", "{o}[1]", "{o}[:] += 10"),
    "memoryview": Holder("state = memoryview(bytearray([1, 2]))", "{o}[0]", "{o}[0] = ({o}[0] + 10) % 200"),
    "dataclass": Holder(
        """
        @dataclasses.dataclass
        class State:
            number: int = 1


        state = State()
        """,
        "{o}.number",
        "{o}.number += 10",
    ),
    "named tuple": Holder(
        'Pair = collections.namedtuple("Pair", "a b")\nstate = Pair(0, [1])', "{o}.b[0]", "{o}.b[0] += 10"
    ),
    "namespace": Holder(
        "state = types.SimpleNamespace(number=1)", "{o}.number", 'setattr({o}, "number", {o}.number + 10)'
    ),
    "generator of NumPy": Holder("state = np.random.default_rng(3)", "int({o}.integers(99))", "{o}.integers(99)"),
    "generator of Python": Holder("state = random.Random(3)", "{o}.randrange(99)", "{o}.randrange(99)"),
    "generator function": Holder("state = (n * 3 for n in range(3000))", "next({o})", "next({o})"),
    "file": Holder(
        """
        with open("state.txt", "w") as file:
            file.write("1")


        def number_of(name):
            with open(name) as file:
                return int(file.read() or 0)
        """,
        'number_of("state.txt")',
        'open("state.txt", "w").write(str(10 * len(seen) + 11))',
    ),
    "environment": Holder(
        'os.environ["STATE"] = "1"',
        'int(os.environ.get("STATE", "0"))',
        'os.environ["STATE"] = str(int(os.environ["STATE"]) + 10)',
    ),
    "global name": Holder("number = 1", "number", "number += 10"),
    "closure": Holder(
        """
        def make():
            number = 1

            def get():
                return number

            def add():
                nonlocal number
                number += 10

            return get, add


        get, add = make()
        """,
        "get()",
        "add()",
    ),
    "default argument": Holder(
        """
        def get(box=[1]):
            return box[0]
        """,
        "get()",
        "get.__defaults__[0][0] += 10",
    ),
    "class attribute": Holder(_CLASS.format(body="number = 1"), "{o}.number", "type({o}).number += 10"),
    "property": Holder(
        _CLASS.format(
            body="""hidden = 1

    @property
    def number(self):
        return self.hidden

    def bump(self):
        self.hidden += 10"""
        ),
        "{o}.number",
        "{o}.bump()",
    ),
    "__getattr__": Holder(
        "counts = [1]\n\n"
        + _CLASS.format(
            body="""def __getattr__(self, name):
        return counts[0]"""
        ),
        "{o}.number",
        "counts[0] += 10",
    ),
    "descriptor": Holder(
        """
        class Number:
            def __get__(self, owner, kind=None):
                return owner.__dict__.get("kept", 1)

            def __set__(self, owner, value):
                owner.__dict__["kept"] = value


        class State:
            number = Number()


        state = State()
        """,
        "{o}.number",
        "{o}.number = {o}.number + 10",
    ),
    "partial": Holder("state = functools.partial(lambda box: box[0], [1])", "{o}()", "{o}.args[0][0] += 10"),
    "cache": Holder(
        """
        @functools.cache
        def kept(key):
            return [key]
        """,
        "kept(1)[0]",
        "kept(1)[0] += 10",
    ),
    "context variable": Holder(
        'state = contextvars.ContextVar("state", default=[1])', "{o}.get()[0]", "{o}.get()[0] += 10"
    ),
    "thread's own": Holder(
        """
        class Own(threading.local):
            box = [1]


        state = Own()
        """,
        "{o}.box[0]",
        "{o}.box[0] += 10",
    ),
}
HOLDERS = {**_TENSORS, **_PYTHON}

#: Ways to `state`: what is defined for them, and how they are written.
PATHS = {
    "name": ("", "state"),
    "attributes": ("box = types.SimpleNamespace(inner=types.SimpleNamespace(state=state))", "box.inner.state"),
    "items": ('boxes = {"a": [state]}', 'boxes["a"][0]'),
    "method": (
        "class Keeper:\n    def __init__(self, kept):\n        self.kept = kept\n\n"
        "    def get(self):\n        return self.kept\n\n\nkeeper = Keeper(state)",
        "keeper.get()",
    ),
    "getattr": ("holder = types.SimpleNamespace(state=state)", 'getattr(holder, "state")'),
    "helper": ("def held():\n    return state\n\n", "held()"),
    "alias": ("other = state", "other"),
    "unpacking": ("first, second = 0, state", "second"),
    "walrus": ("if (again := state) is not None:\n    pass", "again"),
    "match": ("match [0, state]:\n    case [_, matched]:\n        pass", "matched"),
    "with": ("with contextlib.nullcontext(state) as opened:\n    pass", "opened"),
    "slice": ("parts = [0, state][1:]", "parts[0]"),
}
#: Where a pipeline reads: how `{f}`, a function of an element, is used.
STAGES = {
    "map": ".map({f})",
    "batched map": ".batch(2).map({f}).unbatch()",
    "filter": ".filter(lambda x: {f}(x) % 3 != 1)",
    "flat_map": ".flat_map(lambda x: tf.data.Dataset.from_tensors(x).map({f}))",
    "interleave": ".interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2).map({f}), cycle_length=2)",
    "scan": ".scan(tf.constant(0, tf.int64), lambda s, x: (s + 1, {f}(x) + s))",
    "generator": "",
}
_BETWEEN = ("", "", "", ".shuffle(5, seed=2)", ".cache()", ".map(work)", ".take(11)")
#: `{ds}` is consumed, and meanwhile `{m}` is done, a statement; `bump()` does the same.
CONSUMERS = {
    "for": "for batch in {ds}:\n    seen.append(train(batch))\n    {m}",
    "next": "it = iter({ds})\nfor _ in range(4):\n    seen.append(train(next(it)))\n    {m}",
    "while": "it = iter({ds})\nwhile True:\n    try:\n        seen.append(train(next(it)))\n        {m}\n"
    "    except StopIteration:\n        break",
    "enumerate": "for step, batch in enumerate({ds}):\n    {m}\n    seen.append((step, train(batch)))",
    "zip": "for one, two in zip({ds}, {ds}):\n    seen.append((train(one), train(two)))\n    {m}",
    "fit": "def fit(data, epochs):\n    for epoch in range(epochs):\n        for batch in data:\n"
    "            seen.append(train(batch))\n            bump()\n\n\nfit({ds}, 2)",
    "as_numpy_iterator": "for batch in {ds}.as_numpy_iterator():\n    seen.append(train(batch))\n    {m}",
    "generator": "def steps():\n    for batch in {ds}:\n        yield train(batch)\n\n\n"
    "for step in steps():\n    seen.append(step)\n    {m}",
    "comprehension": "seen += [(train(batch), bump())[0] for batch in {ds}]",
    "reduce": "seen = functools.reduce(lambda kept, batch: (kept + [train(batch)], bump())[0], {ds}, seen)",
    "callback": "class Callback:\n    def on_batch_end(self, batch):\n        bump()\n\n\n"
    "callbacks = [Callback()]\nfor batch in {ds}:\n    seen.append(train(batch))\n"
    "    for callback in callbacks:\n        callback.on_batch_end(batch)",
    "nested": "for epoch in range(2):\n    data = {ds}\n    for batch in data:\n        result = train(batch)\n"
    "        seen.append(result)\n        {m}\n    data = None",
    "break": "for number, batch in enumerate({ds}):\n    seen.append(train(batch))\n    {m}\n"
    "    if number == 2:\n        break",
    "epochs": "for epoch in range(2):\n    for batch in {ds}:\n        seen.append(train(batch))\n    {m}",
}
_MODULES = (
    "collections", "contextlib", "contextvars", "dataclasses", "functools", "os", "random", "threading", "types",
)  # fmt: skip
_HEADER = "import tensorflow as tf"
_WORK = """
def work(x):
    return tf.strings.to_number(tf.strings.regex_replace(tf.strings.as_string(x), "a", "b"), tf.int64)


def train(batch):
    return (batch * 2 - batch + 0).tolist() if isinstance(batch, np.ndarray) else (batch * 2 - batch).numpy().tolist()
"""


class Pair(NamedTuple):
    """A program, and its twin whose consumer changes nothing that the pipeline reads."""

    parts: tuple[str, ...]
    """The names of what it is made of."""
    shares: Files
    twin: Files


def pairs() -> st.SearchStrategy[Pair]:
    """Each is drawn anew, as in `effects_programs`."""
    return st.integers(0, 2**64).map(lambda seed: _Author(Random(seed)).pair())


@dataclass(slots=True)
class _Author:
    random: Random
    definitions: list[str] = field(default_factory=list)

    def choice(self, options: Sequence[T]) -> T:
        return self.random.choice(options)

    def pair(self) -> Pair:
        name = self.choice(tuple(_TENSORS) * 2 + tuple(_PYTHON))
        holder, is_elsewhere = HOLDERS[name], self.random.randrange(100) < 25
        to_read, read = self.path(holder.read)
        to_write, written = self.path(holder.write)
        if is_elsewhere:
            read, written = _from_elsewhere(name, to_read, read), _from_elsewhere(name, to_write, written)
        stage = self.choice(tuple(STAGES))
        pipeline = self.pipeline(holder, stage, read)
        kind = self.choice(tuple(CONSUMERS))
        end = self.choice((".batch(2)", ".batch(3)", ".batch(2).map(work)", ".batch(4, drop_remainder=True)"))
        if self.random.randrange(100) < 50:
            end += ".with_options(options)"
        consumer = CONSUMERS[kind].replace("{ds}", f"rows{end}" if self.random.randrange(100) < 60 else "ready")
        before = f"ready = rows{end}\n" if "ready" in consumer else ""
        programs = []
        for change in (written, "tally.append(len(tally))"):
            inline = change if self.random.randrange(2) else "bump()"
            outer = "    global number\n" if change.startswith("number ") else ""
            body = "\n".join(
                [
                    *self.definitions,
                    pipeline,
                    f"def bump():\n{outer}    {change}\n\n",
                    before + consumer.replace("{m}", inline),
                ]
            )
            programs.append(
                _assembled(holder, body, [*{to_read: 0, **({to_write: 0} if change is written else {})}], is_elsewhere)
            )
        return Pair((name, to_read or "name", to_write or "name", stage, kind), *programs)

    def path(self, template: str) -> tuple[str, str]:
        """The name of a way, and an expression or statement that goes it."""
        if "{o}" not in template:
            return "", template
        name = self.choice(tuple(PATHS))
        return name, template.replace("{o}", PATHS[name][1])

    def pipeline(self, holder: Holder, stage: str, read: str) -> str:
        value = f"work(x) + {read}" if self.random.randrange(2) else f"x + {read}"
        source = "tf.data.Dataset.from_tensor_slices(tf.range(13, dtype=tf.int64))"
        if stage == "generator":
            number = f"int({read})" if holder.is_tensor else read
            self.definitions.append(f"def numbers():\n    for row in range(13):\n        yield row + {number}\n\n")
            source = "tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64))"
        elif holder.is_tensor or self.random.randrange(100) < 20:
            # What is of Python is seen when the function is traced.
            self.definitions.append(f"def prepare(x):\n    return {value}\n\n")
        else:
            self.definitions.append(
                f"def prepared(x):\n    return np.int64(x + {read})\n\n\n"
                "def prepare(x):\n    return tf.reshape(tf.numpy_function(prepared, [x], tf.int64), tf.shape(x))\n\n"
            )
        first, last = self.choice(_BETWEEN), self.choice(_BETWEEN)
        return f"rows = {source}{first}{STAGES[stage].format(f='prepare')}{last}"


def _from_elsewhere(name: str, path: str, text: str) -> str:
    """A way as another file writes it."""
    names = ["number_of", "number", "get", "add", "kept", "counts"]
    names += [] if not path else [PATHS[path][1].partition(".")[0].partition("[")[0].partition("(")[0]]
    if path == "getattr":
        names[-1] = "holder"
    for one in names:
        text = _renamed(text, one)
    return text


def _renamed(text: str, name: str) -> str:
    import re

    return re.sub(rf"(?<![\w.\"']){name}(?![\w\"'=])", f"held.{name}", text)


def _assembled(holder: Holder, body: str, paths: list[str], is_elsewhere: bool) -> Files:
    setup = textwrap.dedent(holder.setup).strip("\n")
    ways = [PATHS[path][0] for path in paths if path and PATHS[path][0]]
    state = "\n".join([setup, *ways])
    options = "options = tf.data.Options()\noptions.autotune.enabled = False\nseen = []\ntally = []\n"
    if not is_elsewhere:
        return {"program.py": _with_imports("\n".join([_WORK, state, options, body]))}
    return {
        "held.py": _with_imports(state.replace("10 * len(seen)", "10")),
        "program.py": _with_imports("\n".join([_WORK, options, body]), "import held\n"),
    }


def _with_imports(text: str, own: str = "") -> str:
    needed = "".join(f"import {name}\n" for name in _MODULES if f"{name}." in text)
    return f"{needed}\nimport numpy as np\n{_HEADER}\n{own}\n{text}\n"
