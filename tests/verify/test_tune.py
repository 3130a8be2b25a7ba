"""Which moves the graph allows, and what the search makes of what is measured."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from verify.verdicts import SAME, comparison, run as observed

from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.verify.copies import folders
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.experiments import Experiments, Size
from tfdata_lint.verify.held import Gone
from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import Input, Node, Pipeline, Place, Run, Stage
from tfdata_lint.verify.moves import executed, moves, read_code
from tfdata_lint.verify.plan import Interpreter, Limits, Plan, target
from tfdata_lint.verify.tune import Search, tune
from tfdata_lint.verify.tuned import Tuned

ALONE = Configuration(None, isolated=True)
DECODE = """\
import tensorflow as tf

def decode(data):
    return tf.image.resize(tf.io.decode_jpeg(data, channels=3), [96, 96])

def augment(image):
    return tf.image.random_flip_left_right(image)

encoded = [open(f"{number}.jpg", "rb").read() for number in range(100)]
"""
EPOCHS = """\
for epoch in range(10):
    for batch in ds:
        print(batch)
"""


# ── moves ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def found(pipeline: str, before: str = DECODE, after: str = EPOCHS, *, waits: bool = False) -> dict[str, str]:
    """What becomes of the rows of a pipeline by each move, by its kind; the first of each."""
    pipeline = dedent(pipeline)
    text = f"{before}{pipeline}{after}"
    code = read_code("input.py", text.encode(), ALONE.for_file("input.py"), {})
    chain = executed(code, lambda stage: True)
    assert chain is not None
    became: dict[str, str] = {}
    for move in moves(chain, waits=lambda stage: waits, is_prefetched=True):
        if move.draws:
            continue
        assert move.data.decode().startswith(before)
        became.setdefault(move.kind, plain(move.data.decode()[len(before) : -len(after)]))
    return became


def plain(code: str) -> str:
    """However its rows are broken."""
    return ast.unparse(ast.parse(code))


def test_a_cache_comes_behind_the_last_stage_that_repeats_itself() -> None:
    row = "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode){}.map(augment).batch(8)\n"
    assert found(row.format(""))["cache"] == plain(row.format(".cache()"))


def test_what_draws_comes_behind_the_cache() -> None:
    rows = "ds = tf.data.Dataset.from_tensor_slices(encoded)\n{}\nds = ds.batch(8)\n"
    became = found(rows.format("ds = ds.shuffle(100)\nds = ds.repeat()\nds = ds.map(decode)"))
    assert became["cache"] == plain(rows.format("ds = ds.map(decode).cache()\nds = ds.shuffle(100)\nds = ds.repeat()"))


def test_a_cache_of_what_was_read_becomes_one_of_what_was_decoded() -> None:
    became = found("ds = tf.data.Dataset.from_tensor_slices(encoded).cache().map(decode).batch(8)\n")
    assert became["cache"] == plain("ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode).batch(8).cache()\n")


@pytest.mark.parametrize(
    "pipeline",
    [
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(augment).map(decode)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(unseen.function)\n",
        "ds = tf.data.Dataset.from_generator(unseen.function, output_types=tf.string).map(decode)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode).batch(8).cache()\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode, num_parallel_calls=4, deterministic=False)\n",
        "ds = tf.data.Dataset.from_tensor_slices(encoded).batch(8)\n",
    ],
    ids=["behind what draws", "unknown", "Python", "cached already", "in any order", "nothing to save"],
)
def test_nothing_else_is_cached(pipeline: str) -> None:
    assert "cache" not in found(pipeline)


def test_what_is_read_once_is_not_cached() -> None:
    pipeline = "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode).batch(8)\n"
    assert "cache" not in found(pipeline, after="for batch in ds:\n    print(batch)\n")


def test_whole_batches_are_mapped_across_what_only_draws_and_repeats() -> None:
    rows = "ds = tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]] * 100){}\n"
    became = found(rows.format(".map(lambda x: x * 2).shuffle(100).repeat().batch(8)"))
    assert became["vectorise"] == plain(rows.format(".shuffle(100).repeat().batch(8).map(lambda x: x * 2)"))


def test_several_maps_come_behind_the_batch_at_once() -> None:
    rows = "ds = tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]] * 100){}\n"
    became = found(rows.format(".map(lambda x: x * 2).map(lambda y: y + 1).batch(8)"))
    assert became["vectorise"] == plain(rows.format(".batch(8).map(lambda x: x * 2).map(lambda y: y + 1)"))


@pytest.mark.parametrize(
    "function",
    ["lambda x: x + tf.random.uniform([2])", "tf.reduce_sum", "unseen.function", "lambda x: x + variable"],
)
def test_what_draws_or_is_other_on_batches_is_not_moved(function: str) -> None:
    before = "import tensorflow as tf\nimport unseen\nvariable = tf.Variable(1.0)\n"
    became = found(
        f"ds = tf.data.Dataset.from_tensor_slices([[1.0, 2.0]] * 100).map({function}).shuffle(100).batch(8)\n", before
    )
    assert not {"vectorise", "order"} & set(became)


@pytest.mark.parametrize("function", ["augment", "unseen.function", "lambda x: variable.assign_add(1.0)"])
def test_what_draws_or_changes_something_is_not_run_in_parallel(function: str) -> None:
    before = f"{DECODE}\nimport unseen\nvariable = tf.Variable(1.0)\n"
    became = found(f"ds = tf.data.Dataset.from_tensor_slices(encoded).map({function})\n", before)
    assert "parallel" not in became
    assert found("ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode)\n")["parallel"] == plain(
        "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode, num_parallel_calls=tf.data.AUTOTUNE)\n"
    )


def test_what_only_draws_may_be_run_in_parallel_where_nobody_sets_a_seed() -> None:
    rows = "ds = tf.data.Dataset.from_tensor_slices(encoded).map(augment)\n"
    code = read_code("input.py", f"{DECODE}{rows}{EPOCHS}".encode(), ALONE.for_file("input.py"), {})
    chain = executed(code, lambda stage: True)
    assert chain
    (move,) = (m for m in moves(chain, waits=lambda stage: False, is_prefetched=True) if m.draws)
    assert ".map(augment, num_parallel_calls=tf.data.AUTOTUNE)" in plain(move.data.decode())
    python = "ds = tf.data.Dataset.from_tensor_slices(encoded).map(lambda x: augment(unseen.function(x)))\n"
    code = read_code("input.py", f"import unseen\n{DECODE}{python}{EPOCHS}".encode(), ALONE.for_file("input.py"), {})
    chain = executed(code, lambda stage: True)
    assert chain
    assert not [m for m in moves(chain, waits=lambda stage: False, is_prefetched=True) if m.draws]


def test_what_another_pipeline_reads_stays_between() -> None:
    pipeline = """\
        shuffled = tf.data.Dataset.from_tensor_slices(encoded).shuffle(100)
        ds = shuffled.map(decode)
        """
    assert "cache" not in found(pipeline, after=f"{EPOCHS}for batch in shuffled.batch(8):\n    print(batch)\n")


def test_more_calls_than_cores_are_for_what_waits() -> None:
    pipeline = "ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode, num_parallel_calls=tf.data.AUTOTUNE)\n"
    assert "calls" not in found(pipeline)
    many = pipeline.replace("tf.data.AUTOTUNE", "16, use_unbounded_threadpool=True")
    assert found(pipeline, waits=True)["calls"] == plain(many)
    assert found(many, waits=True)["calls"] == plain(many.replace("16", "64"))
    assert "calls" not in found(many.replace("16", "64"), waits=True)


@pytest.mark.parametrize(
    ("calls", "reason"), [(", num_parallel_calls=4", "run ahead of the loop"), ("", "run several times at once")]
)
def test_python_that_is_not_known_must_be_measured(calls: str, reason: str) -> None:
    text = f"""\
import tensorflow as tf
import unseen
ds = tf.data.Dataset.range(100).map(
    lambda x: tf.numpy_function(unseen.function, [x], tf.int64){calls}
)
for x in ds:
    print(x)
"""
    code = read_code("input.py", text.encode(), ALONE.for_file("input.py"), {})
    chain = executed(code, lambda stage: True)
    assert chain
    (move, *_) = (m for m in moves(chain, waits=lambda stage: True, is_prefetched=True) if m.kind == "calls")
    assert reason in move.reason


def test_python_that_changes_something_stays_one_call_at_a_time() -> None:
    text = """\
import tensorflow as tf
seen = []
ds = tf.data.Dataset.range(100).map(lambda x: tf.numpy_function(lambda n: seen.append(n) or n, [x], tf.int64))
for x in ds:
    print(x)
"""
    chain = executed(read_code("input.py", text.encode(), ALONE.for_file("input.py"), {}), lambda stage: True)
    assert chain
    assert not [m for m in moves(chain, waits=lambda stage: True, is_prefetched=True) if m.kind == "calls"]


def test_only_what_was_executed_is_changed() -> None:
    text = f"{DECODE}ds = tf.data.Dataset.from_tensor_slices(encoded).map(decode)\n{EPOCHS}"
    code = read_code("input.py", text.encode(), ALONE.for_file("input.py"), {})
    assert executed(code, lambda stage: stage.op != "map") is None


# ── the search ──────────────────────────────────────────────────────────────────────────────────────────────────────

CODE = """\
import tensorflow as tf

table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([0], [1]), 0)
ds = tf.data.Dataset.range(1000)
ds = ds.map(table.lookup)
ds = ds.map(lambda x: x * 2 + 1)
ds = ds.batch(100)
ds = ds.map(lambda x: x + tf.random.uniform([], 0, 9, tf.int64))
for epoch in range(10):
    for batch in ds:
        tf.reduce_sum(batch)
"""
CACHED = re.compile(r"cache\(\)")
VECTORISED = re.compile(r"ds.batch\(100\)\nds = ds.map\(lambda x: x \* 2")
PARALLEL = re.compile(r"lookup, num_parallel_calls=tf.data.AUTOTUNE")


def seen(path: Path, text: str, **changes: Any) -> Run:
    """A pipeline of all calls of the file that make a dataset."""
    stages = tuple(
        Stage(row, "Other", (), (Place(os.path.realpath(path), row, 5, row, len(line)),))
        for row, line in enumerate(text.splitlines(), 1)
        if line.startswith("ds = ")
    )
    nodes = (Node("Root", "Root", None), *(Node(f"Root::{s.id}", s.op, 0, (s.id,), share=0.5) for s in stages))
    whole = observed(path)
    (pipeline,) = whole.pipelines
    pipeline = replace(pipeline, stages=tuple(s.id for s in stages), nodes=nodes, bottleneck=None, **changes)
    return replace(whole, stages=stages, pipelines=(pipeline,))


class Machine(Experiments):
    """How fast a text is follows from what it has; and whether its elements are others."""

    def __init__(
        self,
        factors: Mapping[re.Pattern[str], float],
        *,
        others: re.Pattern[str] | None = None,
        size: Size | None = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._factors, self._others, self._size, self._tell = factors, others, size, tell
        self.before = CODE
        self.tried: list[str] = []

    def at(self, run: Run, texts: Mapping[str, str]) -> Machine:
        self.before = next(iter(texts.values()), CODE)
        return self

    def rate(self, text: str) -> float:
        rate = 100.0
        for pattern, factor in self._factors.items():
            rate *= factor if pattern.search(text) else 1.0
        return rate

    def same(self, pipeline: Pipeline, texts: Mapping[str, str], **_: bool) -> Equality:
        (text,) = texts.values()
        return Equality("differs", 64) if self._others and self._others.search(text) else SAME

    def size(self, pipeline: Pipeline, texts: Mapping[str, str], span: Span, most: int) -> Size | None:
        return self._size

    def speed(
        self, pipeline: Pipeline, texts: Mapping[str, str], filling_s: float = 0.0, **_: bool
    ) -> tuple[Equality, Comparison | None]:
        (text,) = texts.values()
        self._tell(text)
        self.tried.append(text)
        ratio = self.rate(text) / self.rate(self.before)
        return self.same(pipeline, texts), comparison(ratio, ratio * 0.98, ratio * 1.02)


Find = Callable[..., Tuned]


@pytest.fixture
def find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Find:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "input.py"

    def find(machine: Machine, *, confirm: bool = True, code: str = CODE, **changes: Any) -> Tuned:
        path.write_text(code)
        search = Search(
            seen(path, code, **changes),
            ALONE,
            lambda phase: None,
            lambda texts: seen(path, next(iter(texts.values())), **changes),
            machine.at,
        )
        try:
            search.search()
        except KeyboardInterrupt:
            confirm = False
        if confirm:
            search.confirm()
        return search.result()

    return find


def text(tuned: Tuned) -> str:
    return next((after.decode() for _, after in (tuned.files or {}).values()), CODE)


SMALL = Size(1000, 8000, 0.1)


def test_what_is_faster_is_combined(find: Find) -> None:
    tuned = find(Machine({CACHED: 3.0, VECTORISED: 2.0}, size=SMALL))
    assert CACHED.search(text(tuned))
    assert VECTORISED.search(text(tuned))
    assert tuned.comparison
    assert tuned.comparison.ratio == pytest.approx(6.0)
    assert [one.kept for one in tuned.tried].count(True) == 2
    assert Path("input.py").read_text() == CODE, "nothing is written"


def test_what_is_no_faster_is_left(find: Find) -> None:
    machine = Machine({VECTORISED: 0.5, CACHED: 1.04}, size=SMALL)
    tuned = find(machine)
    assert text(tuned) == CODE
    assert not tuned.kept
    assert len(machine.tried) == len(set(machine.tried)), "nothing is measured twice"
    assert any("0.50 times as fast" in one.detail for one in tuned.tried)


def test_what_became_the_bottleneck_is_tried_again(find: Find) -> None:
    """Alone it gains nothing; with another one it does."""

    class Later(Machine):
        def rate(self, text: str) -> float:
            rate = 200.0 if CACHED.search(text) else 100.0
            return rate * 2 if CACHED.search(text) and PARALLEL.search(text) else rate

    assert PARALLEL.search(text(find(Later({}, size=SMALL))))


def test_other_elements_are_never_taken(find: Find) -> None:
    tuned = find(Machine({PARALLEL: 5.0, VECTORISED: 3.0, CACHED: 2.0}, others=VECTORISED, size=SMALL))
    assert not VECTORISED.search(text(tuned))
    assert CACHED.search(text(tuned))
    assert PARALLEL.search(text(tuned))


def test_other_elements_that_only_all_of_them_show_are_not_taken_either(find: Find) -> None:
    class Late(Machine):
        def speed(self, *of: Any, **_: bool) -> tuple[Equality, Comparison | None]:
            return SAME, super().speed(*of)[1]

    tuned = find(Late({VECTORISED: 3.0}, others=VECTORISED))
    assert tuned.files is None
    assert "elements of 2 epochs are others" in tuned.problem


def test_a_code_that_does_not_repeat_itself_rests_on_the_graph(find: Find) -> None:
    class Random(Machine):
        def same(self, *_: Any, **__: bool) -> Equality:
            return Equality("not-comparable", 64)

    assert VECTORISED.search(text(find(Random({VECTORISED: 3.0}))))


@pytest.mark.parametrize("size", [None, Size(1000, 2**50, 0.1)], ids=["not known", "too large"])
def test_what_might_not_fit_is_not_cached(find: Find, size: Size | None) -> None:
    tuned = find(Machine({CACHED: 9.0}, size=size))
    assert text(tuned) == CODE
    assert any(one.detail.startswith(("its size is unknown", "it would hold")) for one in tuned.tried)


def test_where_all_together_are_no_faster_only_the_first_is_kept(find: Find) -> None:
    class Deceptive(Machine):
        def rate(self, text: str) -> float:
            are_both = CACHED.search(text) and VECTORISED.search(text)
            return 100.0 if are_both and self.before == CODE else super().rate(text)

    tuned = find(Deceptive({CACHED: 2.0, VECTORISED: 2.0}, size=SMALL))
    assert bool(CACHED.search(text(tuned))) != bool(VECTORISED.search(text(tuned)))
    (kept,) = tuned.kept
    assert tuned.comparison == kept.comparison
    assert any("but all changes together are 1.00 times as fast" in one.detail for one in tuned.tried)


def test_what_was_found_before_an_interrupt_is_shown(find: Find) -> None:
    def tell(text: str) -> None:
        if VECTORISED.search(text) and CACHED.search(text):
            raise KeyboardInterrupt

    tuned = find(Machine({VECTORISED: 2.0, CACHED: 2.0}, size=SMALL, tell=tell))
    assert bool(VECTORISED.search(text(tuned))) != bool(CACHED.search(text(tuned)))
    assert not tuned.is_checked


def test_what_seems_to_be_faster_is_shown_where_nothing_is_certain(find: Find) -> None:
    class Noisy(Machine):
        def speed(self, *of: Any, **_: bool) -> tuple[Equality, Comparison | None]:
            same, seen = super().speed(*of)
            assert seen
            return same, comparison(seen.ratio, seen.ratio * 0.6, seen.ratio * 1.6)

    tuned = find(Noisy({VECTORISED: 1.2, CACHED: 1.5}, size=SMALL))
    assert not tuned.kept
    assert tuned.is_estimate
    assert tuned.comparison
    assert tuned.comparison.ratio == pytest.approx(1.5)
    assert CACHED.search(text(tuned))
    assert not find(Noisy({VECTORISED: 0.9}, size=None)).files


def test_what_was_being_tried_when_the_time_was_over_is_told(
    find: Find, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how far it was: that is all there is to show."""

    def tell(text: str) -> None:
        raise KeyboardInterrupt

    far = property(lambda _: comparison(1.9, 1.2, 3.0))
    monkeypatch.setattr(Machine, "so_far", far)
    path = tmp_path / "input.py"
    path.write_text(CODE)
    machine = Machine({}, size=SMALL, tell=tell)
    search = Search(seen(path, CODE), ALONE, lambda phase: None, lambda texts: seen(path, CODE), machine.at)
    with pytest.raises(KeyboardInterrupt):
        search.search(steps=1)
    search.leave()
    tuned = search.result()
    assert tuned.is_estimate
    assert text(tuned) != CODE
    assert "so far about 1.90 times as fast (1.20 to 3.00), not certain" in tuned.tried[-1].detail


def test_what_is_certain_is_shown_where_the_rest_was_not_compared(find: Find) -> None:
    class Late(Machine):
        compared = 0

        def same(self, *of: Any, **_: bool) -> Equality:
            # The first two steps are tried and confirmed one by one; what they are together is asked for last.
            self.compared += 1
            if self.compared > self.most:
                raise KeyboardInterrupt
            return super().same(*of)

        most = 10**9

    machine = Late({VECTORISED: 2.0, CACHED: 2.0}, size=SMALL)
    Path("input.py").write_text(CODE)
    path = Path("input.py").resolve()
    search = Search(
        seen(path, CODE), ALONE, lambda phase: None, lambda texts: seen(path, next(iter(texts.values()))), machine.at
    )
    search.find_first()
    assert search.result().is_checked
    search.search()
    assert len(search.result().kept) == 2
    machine.most = machine.compared
    with pytest.raises(KeyboardInterrupt):
        search.confirm()
    search.return_to_checked()
    tuned = search.result()
    assert tuned.is_checked
    assert len(tuned.kept) == 1
    assert any("there was no time to compare all changes together" in one.detail for one in tuned.tried)
    assert bool(CACHED.search(text(tuned))) != bool(VECTORISED.search(text(tuned)))


def test_what_does_not_hold_is_as_if_it_had_not_been_tried(find: Find) -> None:
    class Deep(Machine):
        def speed(self, *of: Any, **_: bool) -> tuple[Equality, Comparison | None]:
            return SAME, super().speed(*of)[1]

    machine = Deep({VECTORISED: 3.0, CACHED: 2.0}, others=VECTORISED, size=SMALL)
    Path("input.py").write_text(CODE)
    path = Path("input.py").resolve()
    search = Search(
        seen(path, CODE), ALONE, lambda phase: None, lambda texts: seen(path, next(iter(texts.values()))), machine.at
    )
    search.find_first()
    tuned = search.result()
    assert tuned.is_checked
    assert any(not one.kept and "elements of 2 epochs are others" in one.detail for one in tuned.tried)
    assert CACHED.search(text(tuned))
    assert not VECTORISED.search(text(tuned))


def test_draws_are_run_in_parallel_only_where_no_file_sets_a_seed(find: Find) -> None:
    drawn = re.compile(r"tf.int64\),\s*num_parallel_calls=tf.data.AUTOTUNE")
    tuned = find(Machine({drawn: 2.0}))
    assert "num_parallel_calls" in text(tuned)
    assert any("as in every run without seeds" in one.detail for one in tuned.kept)
    seeded = CODE.replace("for epoch", "tf.random.set_seed(1)\nfor epoch")
    assert "num_parallel_calls" not in text(find(Machine({drawn: 2.0}), code=seeded))


def test_what_cannot_be_measured_is_left(find: Find) -> None:
    def tell(text: str) -> None:
        raise Gone("memory", "6 processes would need 99.0 GB")

    tuned = find(Machine({VECTORISED: 2.0}, tell=tell))
    assert text(tuned) == CODE
    assert any("6 processes would need" in one.detail for one in tuned.tried)


def test_nobody_waits_for_what_is_fast_enough(find: Find) -> None:
    machine = Machine({VECTORISED: 9.0})
    tuned = find(machine, input=Input(0.01, 10.0, 10.0, 100, "windows"))
    assert not machine.tried
    assert "waits for 1.0% of its time" in tuned.problem


# ── on TensorFlow ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.nightly
@pytest.mark.tensorflow
def test_it_finds_what_is_ten_times_as_fast(tmp_path: Path) -> None:
    path = tmp_path / "input.py"
    head = "import tensorflow as tf\n\nds = tf.data.Dataset.range(10**12)"
    rest = "\nfor batch in ds:\n    pass\n"
    path.write_text(f"{head}.map(lambda x: x * 2 + 1).batch(1_000){rest}")
    what = target(str(path))
    plan = Plan(what, Interpreter(sys.executable, "it runs the tests"), Limits(), folders(what))
    tuned = tune(plan, ALONE, budget=600.0)
    assert f"{head}.batch(1_000).map(lambda x: x * 2 + 1)" in text(tuned)
    assert tuned.kept[0].comparison
    assert tuned.kept[0].comparison.ratio > 4
