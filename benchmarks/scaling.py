"""How the time and memory of one file grow with its length, for shapes that were, or could be, quadratic.

    python benchmarks/scaling.py [--fix] [--sizes 500,1000,2000,4000] [SHAPE …]

Each measurement is a process of its own; times are of its processor, without its start.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

HEAD = "import tensorflow as tf\n"
START = 'ds = tf.data.TFRecordDataset(["a", "b"])\n'
END = "for x in ds:\n    step(x)\n"


def chain(n: int) -> str:
    """`ds = ds.map(f_i)`, one after another."""
    functions = "".join(f"def f{i}(x):\n    return tf.cast(x, tf.float32) + {i}\n" for i in range(n))
    return HEAD + functions + START + "".join(f"ds = ds.map(f{i})\n" for i in range(n)) + END


def unseen(n: int) -> str:
    """A chain of functions that nobody defines."""
    return HEAD + START + "".join(f"ds = ds.map(f{i})\n" for i in range(n)) + END


def one_expression(n: int) -> str:
    """A chain of method calls in one statement."""
    calls = "".join(f"    .map(f{i})\n" for i in range(n))
    return f'{HEAD}ds = (\n    tf.data.TFRecordDataset(["a", "b"])\n{calls})\n{END}'


def mixed(n: int) -> str:
    """A chain of many operations."""
    ops = ["map(f{i})", "filter(g{i})", "batch({i})", "unbatch()", "shuffle(10)", "cache()", "take(5)", "prefetch(2)"]
    return HEAD + START + "".join(f"ds = ds.{ops[i % len(ops)].format(i=i)}\n" for i in range(n)) + END


def branches(n: int) -> str:
    """`if a_i: ds = ds.map(f_i)`, one after another."""
    return HEAD + START + "".join(f"if a{i}:\n    ds = ds.map(f{i})\n" for i in range(n)) + END


def parameters(n: int) -> str:
    """The same in a function, whose parameters the tests are."""
    names = ", ".join(f"a{i}" for i in range(n))
    body = "".join(f"    if a{i}:\n        ds = ds.map(f{i})\n" for i in range(n))
    return f"{HEAD}def make({names}):\n    {START}{body}    return ds\n"


def ladder(n: int) -> str:
    """`if … elif … else` of as many arms."""
    arms = "".join(f"elif k == {i}:\n    ds = ds.map(f{i})\n" for i in range(n))
    return HEAD + START + arms[2:] + "else:\n    ds = ds.batch(2)\n" + END


def distinct(n: int) -> str:
    """A ladder of tests that have nothing in common."""
    arms = "".join(f"elif a{i}:\n    ds = ds.map(f{i})\n" for i in range(n))
    return HEAD + START + arms[2:] + "else:\n    ds = ds.batch(2)\n" + END


def returns(n: int) -> str:
    """`if a_i: return ds.map(f_i)`, one after another in one function."""
    arms = "".join(f"    if a{i}:\n        return ds.map(f{i})\n" for i in range(n))
    return f"{HEAD}def make():\n    {START}{arms}    return ds\nds = make()\n{END}"


def leaving(n: int) -> str:
    """`if a_i: raise ValueError`, one after another, and a chain."""
    arms = "".join(f"    if a{i}:\n        raise ValueError\n    ds = ds.map(f{i})\n" for i in range(n))
    return f"{HEAD}def make():\n    {START}{arms}    return ds\nds = make()\n{END}"


def nested(n: int) -> str:
    """Tests inside one another, eighteen deep, as many times as needed."""
    deep = "".join("    " * d + f"if a{d}:\n" + "    " * (d + 1) + f"ds = ds.map(f{d})\n" for d in range(18))
    return HEAD + START + deep * (n // 18) + END


def loops(n: int) -> str:
    """`for i in range(k): ds = ds.map(f_i)`, one after another."""
    return HEAD + START + "".join(f"for i in range(k{i}):\n    ds = ds.map(f{i})\n" for i in range(n)) + END


def tries(n: int) -> str:
    return (
        HEAD
        + START
        + "".join(f"try:\n    ds = ds.map(f{i})\nexcept ValueError:\n    ds = ds.map(g)\n" for i in range(n))
        + END
    )


def ternaries(n: int) -> str:
    return HEAD + START + "".join(f"ds = ds.map(f{i}) if a{i} else ds\n" for i in range(n)) + END


def pipelines(n: int) -> str:
    """Pipelines of four stages, each with a loop."""
    one = "ds{i} = tf.data.Dataset.from_tensor_slices(x{i}).map(f).shuffle(9).batch(2)\nfor x in ds{i}:\n    step(x)\n"
    return HEAD + "".join(one.format(i=i) for i in range(n // 2))


def functions(n: int) -> str:
    """Functions that each make a pipeline."""
    one = "def make{i}(files):\n    ds = tf.data.TFRecordDataset(files)\n    return ds.map(f).batch(8)\n"
    return HEAD + "".join(one.format(i=i) for i in range(n // 2))


def called(n: int) -> str:
    """Functions that each add to what they are given, called one after another."""
    made = "".join(f"def add{i}(ds):\n    return ds.map(f{i})\n" for i in range(n))
    return HEAD + made + START + "".join(f"ds = add{i}(ds)\n" for i in range(n)) + END


def helper(n: int) -> str:
    """One function that adds to what it is given, called again and again."""
    return f"{HEAD}def add(ds):\n    return ds.map(f)\n{START}" + "ds = add(ds)\n" * n + END


def classes(n: int) -> str:
    """Classes that hold a dataset."""
    made = "    def __init__(self, ds):\n        self.ds = ds.map(f)\n"
    made += "    def get(self):\n        return self.ds.batch(2)\n"
    return HEAD + "".join(f"class C{i}:\n{made}" for i in range(n // 4))


def zips(n: int) -> str:
    """One `zip` of many datasets."""
    parts = "".join(f"d{i} = tf.data.Dataset.from_tensor_slices(x{i}).map(f)\n" for i in range(n))
    return f"{HEAD}{parts}ds = tf.data.Dataset.zip(({', '.join(f'd{i}' for i in range(n))}))\n{END}"


def concatenations(n: int) -> str:
    return HEAD + START + "".join(f"ds = ds.concatenate(tf.data.TFRecordDataset(p{i}))\n" for i in range(n)) + END


def readers(n: int) -> str:
    """One dataset that many read."""
    return HEAD + START + "".join(f"d{i} = ds.map(f{i})\nfor x in d{i}:\n    step(x)\n" for i in range(n // 2))


def discarded(n: int) -> str:
    return HEAD + START + "ds.map(f)\n" * n + END


def options(n: int) -> str:
    """A chain with options in force."""
    one = "options = tf.data.Options()\noptions.autotune.enabled = True\nds = ds.with_options(options).map(f{i})\n"
    return HEAD + START + "".join(one.format(i=i) for i in range(n // 3)) + END


def suppressed(n: int) -> str:
    return HEAD + START + "".join(f"ds = ds.map(f{i})  # noqa: TFD102\n" for i in range(n)) + END


def interleaved(n: int) -> str:
    one = "ds{i} = files.interleave(lambda f: tf.data.TFRecordDataset(f).map(g))\n"
    return HEAD + "files = tf.data.Dataset.list_files(p)\n" + "".join(one.format(i=i) for i in range(n))


def iterators(n: int) -> str:
    return HEAD + START + "".join(f"it{i} = iter(ds)\nx = next(it{i})\n" for i in range(n // 2))


def cells(n: int) -> str:
    """A notebook of a chain, a statement in each cell."""
    sources = [HEAD, START, *(f"ds = ds.map(f{i})" for i in range(n)), END]
    made = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for source in sources
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def one_line(n: int) -> str:
    """Everything in one row."""
    return HEAD + "; ".join([START.strip(), *(f"ds = ds.map(f{i})" for i in range(n))]) + "\n" + END


def literal(n: int) -> str:
    """A dict literal of fifty entries for each unit."""
    return HEAD + "table = {" + ", ".join(f'"k{i}": {i}' for i in range(50 * n)) + "}\n" + START + END


def string(n: int) -> str:
    """One row of 250 bytes for each unit."""
    return f"{HEAD}text = '{'x' * 250 * n}'\n{START}{END}"


SHAPES: dict[str, Callable[[int], str]] = {
    made.__name__: made
    for made in (
        chain, unseen, one_expression, mixed, branches, parameters, ladder, distinct, returns, leaving, nested, loops,
        tries, ternaries, pipelines, functions, called, helper, classes, zips, concatenations, readers, discarded,
        options, suppressed, interleaved, iterators, cells, one_line, literal, string,
    )
}  # fmt: skip


def measure(shape: str, size: int, fix: bool) -> dict[str, float]:
    """In this process: seconds, megabytes, findings."""
    from tfdata_lint.lint.changing import fix_source
    from tfdata_lint.lint.linting import lint_source

    path = "big.ipynb" if shape == "cells" else "big.py"
    fix_source(chain(3))
    data = SHAPES[shape](size).encode()
    # As the command does.
    gc.disable()
    start = time.process_time()
    report = fix_source(data, path, unsafe=True) if fix else lint_source(data, path)
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    codes = [found.code for found in report.diagnostics]
    return {"seconds": seconds, "megabytes": memory, "findings": len(codes), "failed": codes.count("TFD002")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--sizes", default="500,1000,2000,4000")
    parser.add_argument("--fix", action="store_true", help="apply all fixes, too")
    parser.add_argument("--limit", type=float, default=120, help="seconds for each")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.shapes[0], options.one, options.fix)))
        return
    sizes = [int(size) for size in options.sizes.split(",")]
    print(f"{'shape':16}" + "".join(f"{size:>10}" for size in sizes) + "   growth      MB  findings")
    for shape in options.shapes or SHAPES:
        found = []
        print(f"{shape:16}", end="", flush=True)
        for size in sizes:
            command = [sys.executable, __file__, shape, "--one", str(size), *["--fix"] * options.fix]
            try:
                ran = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=True)
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
                print(f"{'> time' if isinstance(error, subprocess.TimeoutExpired) else 'failed':>10}", flush=True)
                break
            found.append(json.loads(ran.stdout))
            print(f"{found[-1]['seconds']:>9.2f}s", end="", flush=True)
        else:
            first, last = found[0], found[-1]
            growth = (last["seconds"] / sizes[-1]) / (first["seconds"] / sizes[0])
            failed = "  FAILED" if last["failed"] else ""
            print(f"{growth:>8.2f}x{last['megabytes']:>8.0f}{last['findings']:>10}{failed}", flush=True)


if __name__ == "__main__":
    main()
