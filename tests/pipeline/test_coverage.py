"""Which calls of dataset operations stand in pipelines, and the reason for each of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfdata_lint.lint.covering import cover_bytes
from tfdata_lint.pipeline.coverage import cover
from tfdata_lint.pipeline.interpreter.limits import LIMITS
from tfdata_lint.pipeline.nouns.coverage import REASONS, Coverage
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.source.module import load

HEAD = "import tensorflow as tf\n"


def covered(text: str, path: str = "module.py", steps: int = LIMITS.fuel) -> Coverage:
    coverage, _ = cover(load((HEAD + text).encode(), path), Project(), steps)
    return coverage


def lost(text: str, *, certain: bool = True) -> list[tuple[str, str]]:
    """What is lost, and why."""
    return [(call.operation, call.reason) for call in covered(text).lost if call.is_certain is certain]


def test_what_stands_in_pipelines_is_counted() -> None:
    coverage = covered("ds = tf.data.Dataset.range(9).map(f)\nfor x in ds.batch(2).as_numpy_iterator():\n    pass\n")
    assert coverage == Coverage(4, ())
    assert coverage.calls == 4


def test_other_ways_to_write_an_operation() -> None:
    text = (
        "from tensorflow.data import Dataset, TFRecordDataset as Records\n"
        "a = Dataset.map(Records('a'), f)\n"
        "a = a.apply(tf.data.experimental.unbatch())\n"
        "options = a.options()\n"
        "it = tf.compat.v1.data.make_one_shot_iterator(a)\n"
    )
    assert covered(text) == Coverage(5, ())


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import pipes\nds = pipes.make()\nds = ds.unbatch()", "unknown receiver"),
        ("import importlib\nm = importlib.import_module(name)\nds = m.make().unbatch()", "unknown receiver"),
        ("ds = train.unbatch()", "unknown receiver"),
        ("ds = {'a': [made] * 3}['a'][0].unbatch()", "unknown receiver"),
        ("def make():\n    return 1 + two\nds = make()\nds.unbatch()", "unknown receiver"),
        ("def f(ds):\n    ds.unbatch()", "not reached"),
        ("def f():\n    tf.data.Dataset\n    return\n    make().unbatch()", "not reached"),
        ("if False:\n    make().unbatch()", "not reached"),
    ],
)
def test_why_a_call_is_lost(code: str, reason: str) -> None:
    assert lost(code) == [("unbatch", reason)]
    assert reason in REASONS


def test_a_limit_is_named() -> None:
    text = "ds = tf.data.Dataset.range(3)\n" + "ds = ds.map(f).batch(2)\n" * 150
    coverage = covered(text, steps=2000)
    assert coverage.seen > 10
    assert {call.reason for call in coverage.lost} == {"limit"}
    assert coverage.calls == 301


class TestWhatMayBeSomethingElse:
    def test_without_tensorflow_nothing_counts(self) -> None:
        source = load(b"import pandas as pd\npd.read_csv('a').map(f)\nx.unbatch().prefetch(1)\n", "module.py")
        assert cover(source) == (Coverage(0, ()), None)

    @pytest.mark.parametrize(
        "code",
        [
            "import pandas as pd\ndf = pd.read_csv('a')\ndf.map(f)",
            "import random\nrandom.shuffle(x)",
            "import numpy as np\nnp.random.shuffle(x)\nrng = np.random.RandomState(0)\nrng.shuffle(x)",
            "[1].map(f)\n{}.map(f)\n'a'.batch(2)\nx = 'a'\nx.batch(2)",
            "class Queue:\n    def batch(self, n):\n        pass\nQueue().batch(3)",
        ],
    )
    def test_what_is_known_to_be_something_else(self, code: str) -> None:
        assert covered(code) == Coverage(0, ())

    def test_names_that_many_things_have(self) -> None:
        assert lost("ds = made().map(f)\nds.filter(g)") == []
        assert [call[0] for call in lost("ds = made().map(f)\nds.filter(g)", certain=False)] == ["map", "filter"]

    def test_in_a_chain_with_an_operation_of_tf_data_they_are_certain(self) -> None:
        assert [call[0] for call in lost("ds = made().map(f).unbatch().filter(g)")] == ["map", "unbatch", "filter"]
        # What comes behind a consumer is none.
        assert lost("x = made().cardinality().map(f)") == []

    def test_where_another_library_has_such_chains(self) -> None:
        code = "import torch\nds = made().unbatch()\nds = made().map(f, num_parallel_calls=2)"
        assert lost(code) == []
        assert covered(code).seen == 1


class TestFiles:
    def test_a_file_that_the_byte_search_skips(self, tmp_path: Path) -> None:
        file = str(tmp_path / "a.py")
        data = b"import tensorflow as tf\nfrom others import make\nfor x in make().batch(3).map(f):\n    tf.print(x)\n"
        (covered, problems) = cover_bytes(data, file, explicit=False)
        assert covered is not None
        assert problems == ()
        assert [(call.operation, call.reason) for call in covered.coverage.lost] == [
            ("batch", "skipped"), ("map", "skipped"),
        ]  # fmt: skip
        assert [(place.row, place.column) for place in covered.places] == [(3, 17), (3, 26)]
        asked_for, _ = cover_bytes(data, file, explicit=True)
        assert asked_for is not None
        assert {call.reason for call in asked_for.coverage.lost} == {"unknown receiver"}

    def test_a_file_without_such_calls(self, tmp_path: Path) -> None:
        data = b"import tensorflow as tf\nprint(tf.data.AUTOTUNE)\n"
        assert cover_bytes(data, str(tmp_path / "a.py"), explicit=True) == (None, ())

    def test_functions_of_other_files(self, tmp_path: Path) -> None:
        (tmp_path / "made.py").write_text(f"{HEAD}def make(n):\n    return tf.data.Dataset.range(n)\n", "utf-8")
        (tmp_path / "more.py").write_text(f"{HEAD}DATA = tf.data\ndef more(n):\n    return 1 + n\n", "utf-8")
        text = f"{HEAD}from made import make, missing\nfrom more import more\nmake(3).batch(2)\nmore(3).batch(2)\n"
        text += "missing(3).batch(2)\n"
        found, _ = cover_bytes(text.encode(), str(tmp_path / "use.py"), explicit=True)
        assert found is not None
        assert found.coverage.seen == 1
        assert [call.reason for call in found.coverage.lost] == ["unknown receiver"] * 2
