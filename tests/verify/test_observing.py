"""Observing in the process that runs anyway: programs that do so, on real TensorFlow, and what they leave behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import jsonschema
import pytest
from processes import PATIENCE
from verify.verdicts import run as made_by_hand, script

from tfdata_lint.observing.evidence import evidence, project_of
from tfdata_lint.observing.page import page
from tfdata_lint.observing.schema import schema
from tfdata_lint.verify.model import Output

ROOT = Path(__file__).parents[2]
HEAD = """\
import os, sys, time
import tensorflow as tf
import tfdata_lint

def slow(x):
    return tf.numpy_function(lambda v: (time.sleep(0.003), v)[1], [x], tf.int64)

def patched():
    from tensorflow.python.data.ops import dataset_ops, iterator_ops
    from tensorflow.python.autograph.pyct import loader
    from tensorflow.python.ops import script_ops
    data = dataset_ops.DatasetV2
    of = (data.__init__, data.__iter__, data.reduce, data._metadata, iterator_ops.OwnedIterator.__next__,
          loader.load_ast, script_ops.FuncRegistry.__call__, tf.profiler.experimental.start)
    return [id(one) for one in of]

before = patched()
ds = tf.data.Dataset.range(10**9)
ds = ds.shuffle(10, seed=1, reshuffle_each_iteration=False)
ds = ds.map(slow)
ds = ds.batch(2)
"""
FIRST = HEAD.count("\n") + 1


def execute(folder: Path, code: str, status: int = 0, *, head: str = HEAD) -> str:
    """What a program prints, on both streams. It is a project of its own."""
    (folder / "pyproject.toml").touch()
    path = folder / "train.py"
    path.write_text(head + dedent(code))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, path], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def saved(folder: Path, name: str = "run.tfdata.json") -> dict[str, Any]:
    text = (folder / name).read_text()
    assert str(folder) not in text
    written: dict[str, Any] = json.loads(text)
    jsonschema.validate(written, schema())
    return written


def test_importing_is_light() -> None:
    code = "import sys, tfdata_lint; tfdata_lint.observe; tfdata_lint.keras; tfdata_lint.profile; "
    code += "sys.exit('tensorflow' in sys.modules or 'keras' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_a_run_is_written_with_places_in_the_project_only(tmp_path: Path) -> None:
    path = script(tmp_path)
    run = made_by_hand(path)

    written = evidence(run, str(tmp_path), "verify")
    jsonschema.validate(written, schema())
    (pipeline,) = written["pipelines"]
    (by_map,) = (stage for stage in pipeline["stages"] if stage["op"] == "Map")
    assert (by_map["file"], by_map["row"]) == ("input.py", 2)
    assert pipeline["stages"][pipeline["bottleneck"]]["op"] == "Map"

    outside = tmp_path / "other"
    outside.mkdir()
    text = json.dumps(evidence(run, str(outside), "verify"))
    assert "input.py" not in text
    assert str(tmp_path) not in text


def test_a_run_quotes_neither_the_machine_nor_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "s3cret-of-anna")
    run = made_by_hand(script(tmp_path))
    (pipeline,) = run.pipelines
    raised = f"it could not be traced: InvalidArgumentError: {tmp_path}/anna.jpg has no label"
    told = replace(
        run,
        target=replace(run.target, arguments=("--name", "anna")),
        reason="user-error",
        detail=raised,
        output=Output("anna", "anna", 8),
        environment=run.environment and replace(run.environment, platform="Linux-6.1.0-anna-x86_64"),
        written=("/home/anna/x",),
        pipelines=(replace(pipeline, problem=raised),),
    )
    written = evidence(told, str(tmp_path), "verify")
    jsonschema.validate(written, schema())
    assert "anna" not in json.dumps(written)
    assert str(tmp_path) not in json.dumps(written)
    assert (written["problem"], written["pipelines"][0]["problem"]) == ("user-error", "it could not be traced")


def test_a_page_shows_what_the_table_says_and_executes_nothing(tmp_path: Path) -> None:
    text = page(made_by_hand(script(tmp_path)), ("<script>",))

    assert "ParallelMap" in text or "Map" in text
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_the_project_is_above(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "a" / "b").mkdir(parents=True)

    assert project_of(str(tmp_path / "a" / "b")) == os.path.realpath(tmp_path)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_seconds_are_positive(seconds: float) -> None:
    import tfdata_lint

    with pytest.raises(ValueError, match="seconds must be positive"), tfdata_lint.observe(seconds=seconds):
        pass


@pytest.mark.tensorflow
def test_a_loop_over_what_was_made_before(tmp_path: Path) -> None:
    printed = execute(
        tmp_path,
        """\
        plain = [x.numpy().tolist() for x in ds.take(40)]
        with tfdata_lint.observe(seconds=3) as seen:
            until = time.time() + 60
            taken = []
            for x in ds:
                taken.append(x.numpy().tolist())
                if (len(taken) > 40 and seen.is_complete) or time.time() > until:
                    break
        assert taken[:40] == plain
        assert patched() == before
        """,
    )
    (pipeline,) = saved(tmp_path)["pipelines"]
    rows = {one["op"]: one["place"]["row"] for one in pipeline["written"] if one["place"]}

    assert "fast enough?" in printed
    assert (pipeline["consumer"], pipeline["place"]["row"]) == ("for", FIRST + 4)
    assert pipeline["fast_enough"] is False
    first = HEAD[: HEAD.index("ds = ")].count("\n") + 1
    assert rows == {"Range": first, "Shuffle": first + 1, "Map": first + 2, "Batch": first + 3}
    slowest = pipeline["stages"][pipeline["bottleneck"]]
    assert (slowest["file"], slowest["row"]) == ("train.py", first + 2)
    assert pipeline["waits_for"] == "python"


@pytest.mark.tensorflow
def test_what_unbatch_makes_in_a_chain_of_several_rows(tmp_path: Path) -> None:
    execute(
        tmp_path,
        """\
        ds = (
            tf.data.Dataset.range(8)
            .repeat()
            .map(slow, num_parallel_calls=2)
            .batch(4)
            .map(lambda x: x + 1)
            .unbatch()
            .prefetch(2)
        )
        with tfdata_lint.observe(seconds=2) as seen:
            for x in ds:
                if seen.is_complete:
                    break
        """,
    )
    (pipeline,) = saved(tmp_path)["pipelines"]
    rows = {one["op"]: one["place"]["row"] for one in pipeline["written"] if one["place"]}
    slowest = pipeline["stages"][pipeline["bottleneck"]]

    assert rows == {
        "Range": FIRST + 1, "Repeat": FIRST + 2, "ParallelMap": FIRST + 3, "Batch": FIRST + 4, "Map": FIRST + 6,
        "Restructured": FIRST + 6, "Unbatch": FIRST + 6, "Prefetch": FIRST + 7,
    }  # fmt: skip
    assert slowest["row"] == FIRST + 3


@pytest.mark.tensorflow
def test_fit_with_the_callback_and_a_profile(tmp_path: Path) -> None:
    execute(
        tmp_path,
        """\
        import keras
        train = ds.map(lambda x: (tf.reshape(tf.cast(x, tf.float32), [2, 1]), tf.zeros([2]))).repeat()
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
        model.compile(loss="mse")
        methods = [vars(keras.Model).get(name) for name in ("fit", "evaluate", "predict")]
        callback = tfdata_lint.keras.Observe(seconds=2, save="fit.json", show=False)
        model.fit(train, steps_per_epoch=500, verbose=0, callbacks=[callback])
        assert callback.observation.run.pipelines
        assert "Map" in str(tfdata_lint.profile(ds, seconds=2, save="profile.json"))
        with tfdata_lint.observe(seconds=2, save="observe.json", show=False):
            model.fit(train, steps_per_epoch=500, verbose=0)
        assert methods == [vars(keras.Model).get(name) for name in ("fit", "evaluate", "predict")]
        assert patched() == before
        """,
    )
    for name, consumer in (("fit.json", "fit"), ("observe.json", "fit"), ("profile.json", "returned")):
        (pipeline,) = saved(tmp_path, name)["pipelines"]
        assert pipeline["consumer"] == consumer
        assert pipeline["stages"][pipeline["bottleneck"]]["row"]


@pytest.mark.tensorflow
def test_what_happens_to_the_program_happens(tmp_path: Path) -> None:
    printed = execute(
        tmp_path,
        """\
        with tfdata_lint.observe(seconds=2, save="fork.json", show=False):
            iterator = iter(ds)
            next(iterator)
            child = os.fork()
            if child:
                next(iterator)
        if not child:
            os._exit(7 if patched() == before else 8)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7

        with tfdata_lint.observe(seconds=2, save="outer.json", show=False):
            with tfdata_lint.observe(save="inner.json"):
                for x in ds.take(3).as_numpy_iterator():
                    pass
        assert not os.path.exists("inner.json")

        try:
            with tfdata_lint.observe(save="nowhere/to/be.json"):
                raise KeyError
        except KeyError:
            assert patched() == before
        with tfdata_lint.observe(save="crash.json"):
            for number, x in enumerate(ds):
                if number == 5:
                    sys.exit(3)
        """,
        status=3,
    )

    assert "another observation is already active" in printed
    assert [one["consumer"] for one in saved(tmp_path, "outer.json")["pipelines"]] == ["for"]
    assert len(saved(tmp_path, "crash.json")["pipelines"]) == 1
    assert len(saved(tmp_path, "fork.json")["pipelines"]) == 1


@pytest.mark.tensorflow
def test_a_notebook(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    sources = [
        f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n"
        "import time, tensorflow as tf, tfdata_lint\n%load_ext tfdata_lint",
        "%%tfdata_lint\nds = tf.data.Dataset.range(10**9)\nds = ds.batch(8)\nds = ds.shuffle(10)",
        "ds = ds.map(lambda x: tf.numpy_function(lambda v: (time.sleep(0.004), v)[1], [x], tf.int64))",
        "%tfdata_profile ds --seconds 3",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(
        notebook, timeout=PATIENCE, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    _, linted, _, profiled = (cell["outputs"] for cell in notebook["cells"])

    (found,) = (output["data"] for output in linted)
    assert found["text/plain"].startswith("In [2]:4:9: ")
    (shown,) = (output["data"] for output in profiled if "data" in output)
    assert "In [3]:1" in shown["text/plain"]
    assert "In [2]:4" in shown["text/plain"]
    assert "Bottleneck?" in shown["text/html"]


@pytest.mark.thorough
@pytest.mark.tensorflow
def test_what_a_strategy_and_numpy_take(tmp_path: Path) -> None:
    two = "tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)"
    execute(
        tmp_path,
        """\
        import numpy as np
        with tfdata_lint.observe(seconds=2, save="numpy.json", show=False) as seen:
            for x in ds.as_numpy_iterator():
                np.sum(x)
                if seen.is_complete:
                    break
        strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
        step = tf.function(lambda x: tf.reduce_sum(x))
        with tfdata_lint.observe(seconds=2, save="strategy.json", show=False) as seen:
            for x in strategy.experimental_distribute_dataset(ds):
                strategy.run(step, args=(x,))
                if seen.is_complete:
                    break
        """,
        head=HEAD.replace("as tf\n", f"as tf; cpu, = tf.config.list_physical_devices('CPU'); {two}\n"),
    )
    for name, consumer in (("numpy.json", "for"), ("strategy.json", "distribute")):
        (pipeline,) = saved(tmp_path, name)["pipelines"]
        assert pipeline["consumer"] == consumer
        assert pipeline["stages"][pipeline["bottleneck"]]["row"] == FIRST - 2
