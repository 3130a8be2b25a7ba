"""How close does `tune` come to the best form of pipelines for which that is known?

    pip install . tensorflow
    python benchmarks/tune_pipelines.py RESULTS.jsonl [--only NAME] [--output docs/tune.md]

Each program below stands beside its best form, which was written and measured by hand. `tune --fix` gets the program
and nothing else, with its usual budget. What it has written is compared with the program, and the best form with what
it has written, in the way that fixes are compared. Each result is a line of RESULTS: what is there already is not done
again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.experiments import Experiments
from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.plan import Limits, Plan, interpreter, target
from tfdata_lint.verify.runner import observe
from tfdata_lint.verify.warm import Warm

RESULTS = re.compile(r"(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)", re.DOTALL)
#: The best form may be faster by so much.
NEAR = 1.10
FILLING_S = 3.0
OBSERVED_S = 3.0


class Program(NamedTuple):
    what: str
    data: str
    pipeline: str
    best: str

    def text(self, pipeline: str) -> str:
        return f"import tensorflow as tf\n{self.data}\n{pipeline}{LOOP}"


LOOP = """
for epoch in range(1_000_000):
    for batch in ds:
        pass
"""
PICTURES = """
noise = tf.random.Generator.from_seed(1)
encoded = [
    tf.io.encode_jpeg(tf.cast(noise.uniform([160, 160, 3], 0, 256, tf.int32), tf.uint8)).numpy() for _ in range(128)
]


def decode(data):
    image = tf.io.decode_jpeg(data, channels=3)
    return tf.image.resize(image, [96, 96])

"""
RECORDS = """
import os
import tempfile

folder = os.path.join(tempfile.gettempdir(), "tfdata-lint-tune-records")
if not os.path.isdir(folder):
    os.makedirs(new := tempfile.mkdtemp(), exist_ok=True)
    for number in range(8):
        options = tf.io.TFRecordOptions(compression_type="GZIP")
        with tf.io.TFRecordWriter(f"{new}/{number}.tfrecord.gz", options) as writer:
            for record in range(%(records)d):
                feature = {
                    "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[record])),
                    "values": tf.train.Feature(
                        float_list=tf.train.FloatList(value=[(record * 31 + n * 17) %% 101 for n in range(%(values)d)])
                    ),
                }
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                writer.write(example.SerializeToString())
    try:
        os.rename(new, folder)
    except OSError:
        pass
files = sorted(os.path.join(folder, name) for name in os.listdir(folder))

"""


def _records(name: str, records: int, values: int) -> str:
    return (RECORDS % {"records": records, "values": values}).replace("tune-records", f"tune-{name}")


LOOKUP = """
words = tf.constant([f"word {number}" for number in range(1_000)])
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(words, tf.range(1_000, dtype=tf.int64)), default_value=-1
)


def numbered(text):
    parts = tf.strings.regex_replace(tf.strings.split(text, ","), "  +", " ")
    return tf.reduce_sum(table.lookup(parts))


lines = [",".join(f"word   {(line * 7 + n) % 1_000}" for n in range(200)) for line in range(500)]
"""
SERVICE = """
import time


def fetched(number):
    time.sleep(0.01)
    return number


def fetch(number):
    return tf.ensure_shape(tf.numpy_function(fetched, [number], tf.int64), [])

"""
TABLE = """
rows = tf.reshape(tf.range(50_000 * 8, dtype=tf.float32), [50_000, 8])


def scaled(row):
    return tf.clip_by_value(row, 0.0, 1e6)

"""
PARSE = """
features = {"label": tf.io.FixedLenFeature([], tf.int64), "values": tf.io.FixedLenFeature([4], tf.float32)}


def parse(record):
    example = tf.io.parse_%s(record, features)
    return example["values"], example["label"]

"""

PROGRAMS = {
    "cheap map": Program(
        "numbers, counted up",
        "",
        "ds = tf.data.Dataset.range(10**12).map(lambda x: x * 2 + 1).batch(256)\n",
        "ds = tf.data.Dataset.range(10**12).batch(256).map(lambda x: x * 2 + 1)\n",
    ),
    "lookup": Program(
        "a table that the runtime does not look up in parallel",
        LOOKUP,
        "ds = tf.data.Dataset.from_tensor_slices(lines).shuffle(500).map(numbered).batch(16).prefetch(2)\n"
        "ds = ds.map(lambda x: x + tf.random.uniform([], 0, 2, tf.int64))\n",
        "ds = tf.data.Dataset.from_tensor_slices(lines).map(numbered, num_parallel_calls=tf.data.AUTOTUNE).cache()\n"
        "ds = ds.shuffle(500).batch(16).prefetch(2)\n"
        "ds = ds.map(lambda x: x + tf.random.uniform([], 0, 2, tf.int64))\n",
    ),
    "decode": Program(
        "pictures, decoded again in each epoch",
        PICTURES,
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode).batch(16).prefetch(tf.data.AUTOTUNE)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode).batch(16).cache().prefetch(tf.data.AUTOTUNE)\n",
    ),
    "shuffle, decode": Program(
        "the same, shuffled before",
        PICTURES,
        "ds = tf.data.Dataset.from_tensor_slices(encoded)\n"
        "ds = ds.shuffle(128)\n"
        "ds = ds.map(decode)\n"
        "ds = ds.batch(16)\n"
        "ds = ds.prefetch(tf.data.AUTOTUNE)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded)\n"
        "ds = ds.map(decode)\n"
        "ds = ds.cache()\n"
        "ds = ds.shuffle(128)\n"
        "ds = ds.batch(16)\n"
        "ds = ds.prefetch(tf.data.AUTOTUNE)\n",
    ),
    "repeat, decode": Program(
        "the same, repeated before",
        PICTURES,
        "ds = tf.data.Dataset.from_tensor_slices(encoded).repeat().map(decode).batch(16).prefetch(1)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode).cache().repeat().batch(16).prefetch(1)\n",
    ),
    "cache, decode": Program(
        "what is cached is what was read, not what was decoded; then it is drawn",
        PICTURES,
        "ds = tf.data.Dataset.from_tensor_slices(encoded).cache().map(decode)\n"
        "ds = ds.map(lambda x: tf.image.random_flip_left_right(x)).batch(16)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode).cache()\n"
        "ds = ds.map(lambda x: tf.image.random_flip_left_right(x)).batch(16)\n",
    ),
    "files": Program(
        "compressed files without an end, four open at a time, one read at a time",
        _records("large", 40, 40_000),
        "ds = tf.data.Dataset.from_tensor_slices(files).repeat()\n"
        "ds = ds.interleave(lambda file: tf.data.TFRecordDataset(file, compression_type='GZIP'), cycle_length=4)\n"
        "ds = ds.batch(2)\n",
        "ds = tf.data.Dataset.from_tensor_slices(files).repeat()\n"
        "ds = ds.interleave(\n"
        "    lambda file: tf.data.TFRecordDataset(file, compression_type='GZIP'),\n"
        "    cycle_length=4,\n"
        "    num_parallel_calls=tf.data.AUTOTUNE,\n"
        ")\n"
        "ds = ds.batch(2)\n",
    ),
    "parse": Program(
        "small records, parsed one by one",
        _records("small", 5_000, 4) + PARSE % "single_example",
        "ds = tf.data.TFRecordDataset(files, compression_type='GZIP').map(parse).batch(128).prefetch(4).repeat()\n",
        "ds = tf.data.TFRecordDataset(files, compression_type='GZIP')"
        ".map(parse).batch(128).cache().prefetch(4).repeat()\n",
    ),
    "service": Program(
        "a function that waits 10 ms for an answer",
        SERVICE,
        "ds = tf.data.Dataset.range(10**12).map(fetch, num_parallel_calls=tf.data.AUTOTUNE).batch(4)\n",
        "ds = tf.data.Dataset.range(10**12)\n"
        "ds = ds.map(fetch, num_parallel_calls=64, use_unbounded_threadpool=True).batch(4)\n",
    ),
    "rows": Program(
        "a cheap map, then shuffled and repeated, then batched",
        TABLE,
        "ds = tf.data.Dataset.from_tensor_slices(rows)\n"
        "ds = ds.map(scaled)\n"
        "ds = ds.shuffle(10_000)\n"
        "ds = ds.repeat()\n"
        "ds = ds.batch(512)\n",
        "ds = tf.data.Dataset.from_tensor_slices(rows)\n"
        "ds = ds.shuffle(10_000)\n"
        "ds = ds.repeat()\n"
        "ds = ds.batch(512)\n"
        "ds = ds.map(scaled)\n",
    ),
    "tuned": Program(
        "nothing is left to do",
        PICTURES,
        "ds = tf.data.Dataset.from_tensor_slices(encoded).repeat()\n"
        "ds = ds.map(lambda x: tf.image.random_flip_left_right(decode(x)), num_parallel_calls=tf.data.AUTOTUNE)\n"
        "ds = ds.batch(16).prefetch(tf.data.AUTOTUNE)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).repeat()\n"
        "ds = ds.map(lambda x: tf.image.random_flip_left_right(decode(x)), num_parallel_calls=tf.data.AUTOTUNE)\n"
        "ds = ds.batch(16).prefetch(tf.data.AUTOTUNE)\n",
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--only", action="append", choices=PROGRAMS)
    parser.add_argument("--by-hand", action="store_true", help="compare programs and best forms only; keep nothing")
    parser.add_argument("--budget", default="300")
    parser.add_argument("--output", type=Path, help="write the table into this page")
    arguments = parser.parse_args()
    known = _known(arguments.results)
    for name in arguments.only or PROGRAMS:
        if arguments.by_hand:
            program = PROGRAMS[name]
            print(name, *_words(*compared(program.text(program.pipeline), program.text(program.best))), flush=True)
        elif name not in known:
            known[name] = measured(name, arguments.budget)
            with arguments.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"name": name, **known[name]}) + "\n")
    text = "".join(f"{row}\n" for row in table(known))
    print(text)
    if arguments.output:
        page = arguments.output.read_text(encoding="utf-8")
        arguments.output.write_text(RESULTS.sub(lambda _: text, page), encoding="utf-8")
    return 0


def measured(name: str, budget: str) -> dict[str, Any]:
    """What `tune` makes of a program, beside its best form."""
    program = PROGRAMS[name]
    before, best = program.text(program.pipeline), program.text(program.best)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "input.py")
        path.write_text(before, encoding="utf-8")
        words = [sys.executable, "-m", "tfdata_lint", "tune", "--isolated", "--fix", "--budget", budget, str(path)]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
        after = path.read_text(encoding="utf-8")
    seconds = time.monotonic() - began
    print(done.stdout, flush=True)
    gain = compared(before, after) if after != before else None
    left = compared(after, best) if after != best else None
    return {
        "seconds": seconds,
        "code": done.returncode,
        "after": after,
        "said": done.stdout,
        "gain": _figures(*gain) if gain else None,
        "left": _figures(*left) if left else None,
    }


def compared(before: str, after: str) -> tuple[Equality, Comparison | None]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "input.py")
        path.write_text(before, encoding="utf-8")
        plan = Plan(target(str(path)), interpreter(str(path), sys.executable), Limits(pace=OBSERVED_S))
        with Warm(plan.interpreter) as warm:
            run = observe(plan, warm=warm)
            pipeline = next(p for p in run.pipelines if p.consumer != "waiting")
            experiments = Experiments(plan, run, warm=warm)
            return experiments.speed(pipeline, {os.path.abspath(path): after}, FILLING_S)


def _figures(same: Equality, seen: Comparison | None) -> dict[str, Any]:
    if seen is None:
        return {"same": same.outcome, "ratio": None}
    rates = [seen.before.elements_per_s, seen.after.elements_per_s]
    return {"same": same.outcome, "ratio": seen.ratio, "low": seen.low, "high": seen.high, "rates": rates}


def _words(same: Equality, seen: Comparison | None) -> Iterator[str]:
    yield str(same)
    if seen is not None:
        yield f"{seen.ratio:.2f} ({seen.low:.2f}-{seen.high:.2f})"
        yield f"{seen.before.elements_per_s:,.0f} -> {seen.after.elements_per_s:,.0f}"


def _known(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {row["name"]: row for row in rows}


def table(known: dict[str, Any]) -> Iterator[str]:
    yield "| pipeline | | found, times as fast | the best form, times as fast as that | near | elements | seconds |"
    yield "|---|---|---|---|---|---|---|"
    for name, program in PROGRAMS.items():
        if (row := known.get(name)) is None:
            continue
        gain, left = row["gain"], row["left"]
        found = f"{gain['ratio']:.2f} ({gain['low']:.2f} to {gain['high']:.2f})" if gain else "nothing"
        rest = f"{left['ratio']:.2f} ({left['low']:.2f} to {left['high']:.2f})" if left else "it is the best form"
        near = "yes" if left is None or left["ratio"] <= NEAR else "no"
        same = gain["same"] if gain else "identical"
        yield f"| {name} | {program.what} | {found} | {rest} | {near} | {same} | {row['seconds']:.0f} |"


if __name__ == "__main__":
    raise SystemExit(main())
