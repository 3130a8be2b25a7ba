"""How near does `tfdata-lint tune` come to what a person would write? Twenty pipelines that it was not made with.

    pip install . tensorflow
    python benchmarks/tune_held_out.py RESULTS.jsonl [--output docs/tune.md]
    python benchmarks/tune_held_out.py EVERYDAY.jsonl --everyday --budget 120 [--output docs/tune.md]

Ten of them are made for one move each, ten are everyday ones: records, folders of pictures, CSV and text, for `fit` and
for loops. Each program of `tuning/` is tuned (`tune --fix`, on a copy), and its elements per second are measured by
hand: as it was, as it was tuned, and in its best form (`tuning/best/`), several processes each, in turn. One that has a
`model` is measured inside `fit`. The first elements of two epochs are compared. Each result is a line of RESULTS: what
is there already is not done again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("tuning")
NAMES = (
    "arithmetic", "records", "shuffled_records", "waiting", "pictures_again", "cached_early", "interleaved", "skipped",
    "unprefetched", "finished",
)  # fmt: skip
EVERYDAY = (
    "records_fit", "records_augmented", "records_once", "images_fit", "images_directory", "images_python", "csv_fit",
    "csv_once", "text_fit", "text_once",
)  # fmt: skip
#: As near to the best form, and as much slower than before, as measuring can tell.
NEAR, SLOWER = 0.90, 0.95
#: Where a page has the table of these programs.
RESULTS = r"(?<=<!-- {0}: begin -->\n).*(?=<!-- {0}: end -->)"
#: A child prints what it has measured: elements per second of its stride, and digests of its elements.
CHILD = """
import contextlib, hashlib, importlib.util, json, os, sys, time
path, what, warm_s, counted_s = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
with contextlib.suppress(OSError):
    os.setpriority(os.PRIO_PROCESS, 0, -15)
    with open("/proc/self/autogroup", "w") as file:
        file.write("-15")
import tensorflow as tf
tf.random.set_seed(7)
sys.path.insert(0, os.path.dirname(path))
spec = importlib.util.spec_from_file_location("tuned", path)
module = importlib.util.module_from_spec(spec)
sys.modules["tuned"] = module
spec.loader.exec_module(module)
dataset, step_s = module.dataset, getattr(module, "STEP_S", 0.0)
if what == "elements":
    digests = []
    for element in dataset.take(400).repeat(2):
        arrays = [part.numpy() for part in tf.nest.flatten(element)]
        known = [array.tolist() if array.dtype == object else array.tobytes() for array in arrays]
        text = repr([(str(array.dtype), array.shape, one) for array, one in zip(arrays, known)])
        digests.append(hashlib.blake2b(text.encode(), digest_size=8).hexdigest())
    print(json.dumps(digests), flush=True)
    os._exit(0)
if model := getattr(module, "model", None):
    import keras
    class Steps(keras.callbacks.Callback):
        began, full, count = time.perf_counter(), False, 0
        def on_epoch_end(self, epoch, logs=None):
            self.full = True
        def on_train_batch_end(self, batch, logs=None):
            spent = time.perf_counter() - self.began
            if not self.count:
                # As below.
                if spent > warm_s and (self.full or spent > 3 * warm_s):
                    self.count, self.began = 1, time.perf_counter()
            elif spent < counted_s:
                self.count += 1
            else:
                print(self.count / spent, flush=True)
                os._exit(0)
    model.fit(dataset, epochs=10**6, verbose=0, callbacks=[Steps()])
def forever():
    kept = []
    while True:
        iterator = iter(dataset)
        for element in iterator:
            yield element, len(kept)
        # Deleting one may take long.
        kept.append(iterator)
elements = forever()
began = time.perf_counter()
for element, epoch in elements:
    time.sleep(step_s)
    spent = time.perf_counter() - began
    # A cache is full after an epoch.
    if spent > warm_s and (epoch or spent > 3 * warm_s):
        break
count, began = 0, time.perf_counter()
while (spent := time.perf_counter() - began) < counted_s:
    next(elements)
    time.sleep(step_s)
    count += 1
print(count / spent, flush=True)
os._exit(0)
"""


def child(path: Path, what: str, warm_s: float = 3.0, counted_s: float = 4.0) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), what, str(warm_s), str(counted_s)],
        capture_output=True, text=True, start_new_session=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{path}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.split("\n")[-2])


def tune(name: str, folder: Path, budget: float) -> dict[str, Any]:
    """What the command does to a copy of the program."""
    began = time.monotonic()
    words = ["-m", "tfdata_lint", "tune", f"{name}.py", "--fix", "--budget", f"{budget:g}", "--python", sys.executable]
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True)
    said = {"code": done.returncode, "seconds": round(time.monotonic() - began, 1), "said": done.stdout}
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{name}: {done.stdout}\n{done.stderr}")
    return {**said, "text": (folder / f"{name}.py").read_text()}


def measured(forms: Mapping[str, Path], rounds: int) -> dict[str, list[float]]:
    """Elements per second, the forms in turn, in another order each time."""
    rates: dict[str, list[float]] = {form: [] for form in forms}
    for number in range(rounds):
        for form in sorted(forms, reverse=number % 2 == 1):
            rates[form].append(child(forms[form], "rate"))
    return rates


def result(name: str, rounds: int, budget: float, *, by_hand: bool) -> dict[str, Any]:
    """With `by_hand`, only the best form is compared with the program."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "tuning"
        shutil.copytree(FOLDER, folder)
        shutil.copy(FOLDER / "data.py", folder / "best")
        forms = {"before": FOLDER / f"{name}.py", "best": folder / "best" / f"{name}.py"}
        tuned: dict[str, Any] = {}
        if not by_hand:
            tuned = tune(name, folder, budget)
            forms["tuned"] = folder / f"{name}.py"
        elements = {form: child(path, "elements") for form, path in forms.items()}
        rates = measured(forms, rounds)
    same = {form: found == elements["before"] for form, found in elements.items() if form != "before"}
    return {"name": name, "rates": rates, "same": same, **tuned}


def told(row: Mapping[str, Any]) -> str:
    rates = {form: statistics.median(each) for form, each in row["rates"].items()}
    parts = [f"{form} {rate:,.0f}/s ({rate / rates['before']:.2f}×)" for form, rate in rates.items()]
    others = ", ".join(form for form, is_same in row["same"].items() if not is_same)
    return f"{row['name']:17} {', '.join(parts)}{f'; OTHER ELEMENTS: {others}' if others else ''}"


def markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        "| program | before, batches/s | tuned | best form | tuned / best | elements | s |",
        "|---|---:|---:|---:|---:|---|---:|",
    ]
    near = slower = other = 0
    tuned = [row for row in rows if "tuned" in row["rates"]]
    for row in tuned:
        before, found, best = (statistics.median(row["rates"][form]) for form in ("before", "tuned", "best"))
        same = row["same"]["tuned"]
        near += found >= NEAR * best
        slower += found < SLOWER * before
        other += not same
        lines.append(
            f"| `{row['name']}` | {before:,.0f} | {found / before:.2f}× | {best / before:.2f}× | {found / best:.2f} "
            f"| {'the same' if same else 'OTHERS'} | {row['seconds']:.0f} |"
        )
    summary = f"Within 10 % of the best form: {near} of {len(tuned)}; slower: {slower}; with other elements: {other}."
    return "\n".join([*lines, "", summary]) + "\n"


def known(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--everyday", action="store_true", help="the everyday ones")
    parser.add_argument("--only", help="names of programs, with commas")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each form (3)")
    parser.add_argument("--budget", type=float, default=300.0, help="seconds for `tune` (300)")
    parser.add_argument("--by-hand", action="store_true", help="tune nothing: what the best forms are worth")
    parser.add_argument("--output", type=Path, help="a Markdown page: its table is replaced")
    arguments = parser.parse_args()

    names = arguments.only.split(",") if arguments.only else EVERYDAY if arguments.everyday else NAMES
    done = {row["name"] for row in known(arguments.results)}
    with arguments.results.open("a", encoding="utf-8") as file:
        for name in names:
            if name not in done:
                row = result(name, arguments.rounds, arguments.budget, by_hand=arguments.by_hand)
                file.write(json.dumps(row) + "\n")
                file.flush()
                print(told(row), flush=True)
    table = markdown(known(arguments.results))
    print(table)
    if arguments.output:
        page = arguments.output.read_text(encoding="utf-8")
        place = re.compile(RESULTS.format("everyday" if arguments.everyday else "held out"), re.DOTALL)
        arguments.output.write_text(place.sub(lambda _: f"\n{table}\n", page), encoding="utf-8")


if __name__ == "__main__":
    main()
