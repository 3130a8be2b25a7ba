"""The forms in which `tfdata-lint graph` prints the pipelines of a file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.lint.linting import lint_source
from tfdata_lint.output.calls import short
from tfdata_lint.output.graph import render
from tfdata_lint.output.pipelines import pipelines
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.run.engine import read_pipelines
from tfdata_lint.source.module import Source, load


def read(source: str, path: str = "pipeline.py") -> Source:
    return load(textwrap.dedent(source).encode(), path)


def shown(source: str, form: str = "text", color: bool = False) -> str:
    module = read(source)
    return render([(module, recover(module))], form, color)


def text(source: str) -> str:
    """What is printed for a module that imports TensorFlow on its first line.

    Without the name of the file and what is said of checkpoints, with two spaces between columns however wide they are.
    """
    printed = shown("import tensorflow as tf\n" + textwrap.dedent(source))
    assert printed.startswith("pipeline.py\n\n")
    printed = re.sub(r"^ +iterator in a checkpoint: .*\n", "", printed, flags=re.MULTILINE)
    return re.sub(r"(?<=\S) {2,}", "  ", printed.removeprefix("pipeline.py\n\n"))


def expected(lines: str) -> str:
    return re.sub(r"(?<=\S) {2,}", "  ", textwrap.dedent(lines).lstrip("\n"))


# ---- text ---------------------------------------------------------------------------------------------------------


def test_what_two_pipelines_share_is_shown_once() -> None:
    source = """
        ds = tf.data.TFRecordDataset("a.tfrecord").map(tf.io.decode_jpeg).cache()
        model.fit(ds.shuffle(8), validation_data=ds.batch(8))
    """
    assert text(source) == expected(
        """
        module: fitted at line 4
          TFRecordDataset           3  filenames='a.tfrecord'  → string[]
          map                       3  [sequential]  tf.io.decode_jpeg  does tf.io.decode_jpeg  → uint8[*,*,?]
          cache                     3
          shuffle                   4  buffer_size=8

        module: validated on at line 4
          cache                     3  as above
          batch                     4  batch_size=8  → uint8[?,*,*,?]
        """
    )


def test_what_stands_in_another_file_names_it(tmp_path: Path) -> None:
    """Its rows, and the conditions under which they run."""
    (tmp_path / "data.py").write_text(
        "import tensorflow as tf\n\ndef make(n):\n    ds = tf.data.Dataset.range(n)\n    try:\n"
        "        ds = ds.map(abs)\n    except ValueError:\n        pass\n    return ds\n"
    )
    (tmp_path / "train.py").write_text(
        "from data import make\n\nds = make(9)\nfor x in ds:\n    pass\nfor x in ds.batch(2):\n    pass\n"
    )
    ((source, graph, _),) = read_pipelines([str(tmp_path / "train.py")], Configuration(isolated=True))
    assert source
    assert graph
    drawn = render([(source, graph)], "text")
    assert "  range                   data.py:4  " in drawn
    assert "if the try at line 5 of data.py succeeds:" in drawn
    assert "    map                   data.py:6  " in drawn


def test_findings_stand_below_their_stages() -> None:
    source = read("import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds.shuffle(3)\nfor x in ds: print(x)\n")
    report = lint_source(source.text, source.path)
    lines = render([(source, recover(source))], "text", findings=report.diagnostics).splitlines()
    (row,) = [number for number, line in enumerate(lines) if "^ error TFD401 discarded-result: " in line]
    assert lines[row - 1].split()[0] == "shuffle"


def test_a_straight_pipeline() -> None:
    source = """
        ds = tf.data.TFRecordDataset("a.tfrecord", num_parallel_reads=4)
        ds = ds.map(tf.io.decode_jpeg, num_parallel_calls=tf.data.AUTOTUNE).map(lambda x: x + 1)
        ds = ds.batch(8, drop_remainder=True)
        model.fit(ds)
    """
    assert text(source) == expected(
        """
        module: fitted at line 6
          TFRecordDataset           3  [parallel]  filenames='a.tfrecord'  num_parallel_reads=4  → string[]
          map                       4  [parallel]  tf.io.decode_jpeg  does tf.io.decode_jpeg  → uint8[*,*,?]
          map                       4  [sequential]  lambda
          batch                     5  batch_size=8  drop_remainder=True  → uint8[8,*,*,?]
        """
    )


def test_columns_are_aligned() -> None:
    source = (
        "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nif c: ds = ds.padded_batch(3)\nmodel.fit(ds.map(f))\n"
    )
    lines = [line for line in shown(source).splitlines() if re.match(r" +\w+ {2,}", line)]
    assert len(lines) == 3
    assert len({re.search(r"\d", line).start() for line in lines if re.search(r"\d", line)}) == 1  # type: ignore[union-attr]


def test_branches() -> None:
    source = """
        from project import mode, training
        ds = tf.data.Dataset.range(3)
        if training:
            ds = ds.shuffle(3)
        if mode == "a":
            ds = ds.skip(1)
        elif mode == "b":
            ds = ds.take(1)
        else:
            ds = ds.cache()
        model.fit(ds)
    """
    assert text(source) == expected(
        """
        module: fitted at line 13
          range                     4  args=3  → int64[]
          if training:
            shuffle                 6  buffer_size=3
          if mode == "a":
            skip                    8  count=1
          or if mode == "b":
            take                   10  count=1
          otherwise:
            cache                  12
        """
    )


def test_a_loop() -> None:
    source = """
        ds = tf.data.Dataset.range(3)
        for function in functions:
            ds = ds.map(function)
        model.fit(ds.batch(2))
    """
    assert text(source) == expected(
        """
        module: fitted at line 6
          range                     3  args=3  → int64[]
          each pass of the loop:
            map                     5  [sequential]  function  (incomplete)
          batch                     6  batch_size=2
        """
    )


def test_several_inputs() -> None:
    source = """
        numbers = tf.data.Dataset.range(3)
        pairs = tf.data.Dataset.zip((numbers.skip(1), tf.data.TFRecordDataset("a")))
        model.fit(pairs.batch(2))
    """
    assert text(source) == expected(
        """
        module: fitted at line 5
          input 1:
            range                   3  args=3  → int64[]
            skip                    4  count=1
          input 2:
            TFRecordDataset         4  filenames='a'  → string[]
          zip                       4  → (int64[], string[])
          batch                     5  batch_size=2  → (int64[?], string[?])
        """
    )


def test_a_nested_pipeline() -> None:
    source = """
        def read(name):
            return tf.data.TFRecordDataset(name).prefetch(1)
        files = tf.data.Dataset.list_files("*.tfrecord")
        model.fit(files.interleave(read, cycle_length=4))
    """
    assert text(source) == expected(
        """
        module: fitted at line 6
          list_files                5  file_pattern='*.tfrecord'  → string[]
          interleave                6  [sequential]  read  cycle_length=4
            · TFRecordDataset       4  filenames=name  → string[]
            · prefetch              4  buffer_size=1
        """
    )


def test_options_are_shown_by_what_they_set() -> None:
    source = """
        from project import size
        options = tf.data.Options()
        options.deterministic = False
        options.threading.private_threadpool_size = size
        model.fit(tf.data.Dataset.range(3).with_options(options))
    """
    assert "with_options  7  deterministic=False  threading.private_threadpool_size=…\n" in text(source)


def test_what_a_mapped_function_does() -> None:
    source = """
        import random
        def augment(image):
            print(image)
            return tf.image.random_flip_left_right(image) * random.random()
        model.fit(tf.data.Dataset.range(3).map(augment))
    """
    printed = text(source)
    assert "[sequential, random]" in printed
    assert "draws tf.image.random_flip_left_right" in printed
    assert "calls print" in printed


def test_what_the_elements_are() -> None:
    """It is said where it is another than before, as far as it is known."""
    source = """
        def parse(record):
            features = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}
            example = tf.io.parse_single_example(record, features)
            example["image"] = tf.image.resize(tf.io.decode_jpeg(example["image"], 3), [224, 224])
            return example
        ds = tf.data.TFRecordDataset("a").map(parse).shuffle(9).batch(32)
        model.fit(ds.map(unknown))
    """
    assert re.findall("→ .*", text(source)) == [
        "→ string[]",
        "→ (image: float32[224,224,3], label: int64[])",
        "→ (image: float32[?,224,224,3], label: int64[?])",
    ]


def test_what_stages_hold() -> None:
    source = """
        def load(path):
            return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), (224, 224))
        ds = tf.data.Dataset.list_files("*.jpg").map(load).shuffle(2_000).batch(32).prefetch(2)
        model.fit(ds.prefetch(tf.data.AUTOTUNE))
    """
    assert re.findall("(\\w+)  .*holds ≈ (.*)", text(source)) == [("shuffle", "1.2 GB"), ("prefetch", "38.5 MB")]
    stages = data("import tensorflow as tf\n" + textwrap.dedent(source))["stages"]
    assert [(stage["operation"], stage["bytes_held"]) for stage in stages if stage["bytes_held"]] == [
        ("shuffle", 2_000 * 224 * 224 * 3 * 4),
        ("prefetch", 2 * 32 * 224 * 224 * 3 * 4),
    ]


def test_a_little_is_not_worth_a_word() -> None:
    assert "holds" not in text("model.fit(tf.data.Dataset.range(9_000_000).shuffle(120_000).batch(8).prefetch(2))")
    assert "holds ≈ 1.04 MB" in text("model.fit(tf.data.Dataset.range(9_000_000).shuffle(130_000))")
    assert "holds ≈ 4,321 GB" in text("model.fit(tf.data.Dataset.range(540_125_000_000).cache())")


def test_whether_an_iterator_can_be_saved() -> None:
    source = """
        import tensorflow as tf
        ds = tf.data.Dataset.range(9).shuffle(3)
        model.fit(ds)
        model.fit(ds.map(lambda x: tf.py_function(str, [x], tf.string)))
        model.fit(ds.map(unknown))
    """
    printed = shown(source)
    assert re.findall("iterator in a checkpoint: (.*)", printed) == [
        "yes",
        "no: tf.py_function has state that is not saved (map, line 5)",
    ]
    found = data(source)
    (blocking,) = [stage["id"] for stage in found["stages"] if stage["function"] and stage["function"]["resolved"]]
    assert [pipeline["checkpoint"] for pipeline in found["pipelines"]] == [
        {"possible": True, "stage": None, "reason": None},
        {"possible": False, "stage": blocking, "reason": "tf.py_function has state that is not saved"},
        None,
    ]


def test_where_it_is_consumed() -> None:
    source = """
        @tf.function
        def train(ds: tf.data.Dataset):
            for epoch in epochs:
                for x in ds.batch(2):
                    step(x)
        def evaluate(ds: tf.data.Dataset):
            with strategy.scope():
                if flag:
                    model.evaluate(ds.batch(2))
    """
    printed = text(source)
    assert "train: looped over at line 6 (inside tf.function, in a loop)\n" in printed
    assert "evaluate: evaluated at line 11" in printed
    assert "if flag" in printed


def test_a_dataset_made_elsewhere() -> None:
    source = "def f(ds: tf.data.Dataset):\n  return ds.batch(2)\n"
    assert text(source) == expected(
        """
        f: returned at line 3
          parameter                 2  ds (made elsewhere)
          batch                     3  batch_size=2
        """
    )


def test_a_pipeline_that_nothing_consumes() -> None:
    assert text("ds = tf.data.Dataset.range(3)\n").startswith("module: not consumed in this file\n  range")


def test_what_it_is_handed_to() -> None:
    assert "handed on at line 3 (by project.use)" in text(
        "from project import use\nuse(tf.data.Dataset.range(3).batch(2))\n"
    )


def test_two_consumers_of_one_pipeline() -> None:
    source = "ds = tf.data.Dataset.range(3)\nmodel.fit(ds)\nmodel.evaluate(ds)\n"
    assert text(source).splitlines()[:3] == [
        "module: fitted at line 3",
        "module: evaluated at line 4",
        "  range  2  args=3  → int64[]",
    ]


def test_one_function_called_twice_is_shown_once() -> None:
    source = "def make():\n  return tf.data.Dataset.range(3).batch(2)\nmodel.fit(make())\nmodel.evaluate(make())\n"
    assert text(source).count("range") == 1


def test_handing_on_is_left_out_where_the_pipeline_goes_on() -> None:
    source = "ds = tf.data.Dataset.range(3)\nprepare(ds)\nlen(ds)\nmodel.fit(ds.batch(2))\n"
    assert text(source).splitlines()[0] == "module: fitted at line 5"


def test_long_arguments_are_cut() -> None:
    printed = text(f"model.fit(tf.data.Dataset.range({' + '.join(['some_name'] * 9)}))\n")
    (argument,) = re.findall(r"args=(.+?)  ", printed)
    assert len(argument) == 40
    assert argument.endswith("…")


def test_no_pipeline_no_output() -> None:
    assert shown("import tensorflow as tf\nx = tf.constant(1)\n") == ""


def test_several_files() -> None:
    one = read("import tensorflow as tf\nds = tf.data.Dataset.range(3)\n", "one.py")
    two = read("import tensorflow as tf\nx = tf.constant(1)\n", "two.py")
    three = read("import tensorflow as tf\nds = tf.data.TFRecordDataset('a')\n", "three.py")
    printed = render([(source, recover(source)) for source in (one, two, three)], "text")
    assert [line for line in printed.splitlines() if line.endswith(".py")] == ["one.py", "three.py"]


def test_color() -> None:
    source = "import tensorflow as tf\nmodel.fit(tf.data.Dataset.range(3).map(f))\n"
    plain, painted = shown(source), shown(source, color=True)
    assert "\033[" not in plain
    assert re.sub(r"\033\[\d+m", "", painted) == plain


def notebook() -> Source:
    cells = [
        "import tensorflow as tf\n",
        "# Data\nds = tf.data.Dataset.range(3)\nds = ds.batch(2)\n",
        "model.fit(ds)\n",
    ]
    made: list[dict[str, Any]] = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell.splitlines(keepends=True)} for cell in cells
    ]
    made.insert(1, {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n"]})
    return load(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode(), "a.ipynb")


def test_a_notebook() -> None:
    source = notebook()
    lines = render([(source, recover(source))], "text").splitlines()
    (batch,) = [line for line in lines if "batch" in line]
    (fit,) = [line for line in lines if "fitted" in line]
    first, second = re.search(r"(\d+):(\d+)", batch), re.search(r"cell (\d+), line (\d+)", fit)
    assert first is not None
    assert second is not None
    assert first[2] == "3"
    assert second[2] == "1"
    assert int(second[1]) == int(first[1]) + 1


# ---- JSON ---------------------------------------------------------------------------------------------------------

EVERYTHING = """\
import tensorflow as tf
from project import training

def read(name):
    return tf.data.TFRecordDataset(name)

def load():
    options = tf.data.Options()
    options.deterministic = False
    options.autotune.enabled = True
    options.threading.private_threadpool_size = 8
    ds = tf.data.Dataset.list_files("*").interleave(read, num_parallel_calls=4).with_options(options)
    if training:
        ds = ds.shuffle(3)
    return tf.data.Dataset.zip((ds, ds.map(lambda x: tf.random.uniform([]))))

@tf.function
def train(ds):
    for epoch in range(9):
        for x in ds:
            step(x)

train(load())
"""


def data(source: str = EVERYTHING) -> dict[str, Any]:
    (file,) = json.loads(shown(source, "json"))
    assert isinstance(file, dict)
    return file


def test_the_keys_of_json() -> None:
    file = data()
    assert [*file] == ["file", "pipelines", "stages"]
    assert file["file"] == "pipeline.py"
    for pipeline in file["pipelines"]:
        assert [*pipeline] == ["pipeline", "last_stages", "checkpoint", "consumers"]
        for consumer in pipeline["consumers"]:
            assert " ".join(consumer) == "kind location definition conditions in_tf_function in_loop in_strategy_scope"
            assert [*consumer["location"]] == ["cell", "row", "column"]
    for stage in file["stages"]:
        assert " ".join(stage) == (
            "id operation location definition conditions confidence inputs arguments flags structure bytes_held "
            "function nested nested_in"
        )
        if stage["function"] is not None:
            assert " ".join(stage["function"]) == "name resolved cost batch_safety effects"


def test_stages_name_their_inputs() -> None:
    stages = {stage["operation"]: stage for stage in data()["stages"]}
    assert stages["interleave"]["inputs"] == [[{"stage": stages["list_files"]["id"], "conditions": []}]]
    with_shuffle, without = stages["map"]["inputs"][0]
    assert with_shuffle == {"stage": stages["shuffle"]["id"], "conditions": ["training"]}
    assert without == {"stage": stages["with_options"]["id"], "conditions": ["not training"]}
    assert len(stages["zip"]["inputs"]) == 2
    assert stages["interleave"]["nested"] == "TFRecordDataset"
    assert stages["TFRecordDataset"]["nested_in"] == stages["interleave"]["id"]
    assert stages["interleave"]["flags"] == ["parallel"]
    assert stages["interleave"]["structure"] == "string[]"
    assert stages["list_files"]["arguments"] == {"file_pattern": "'*'"}
    assert stages["map"]["function"]["effects"] == [{"kind": "random", "what": "tf.random.uniform"}]


def test_consumers_say_where_they_stand() -> None:
    (consumer,) = [c for pipeline in data()["pipelines"] for c in pipeline["consumers"] if c["kind"] == "for"]
    assert consumer["location"] == {"cell": None, "row": 20, "column": 18}
    assert (consumer["definition"], consumer["in_tf_function"], consumer["in_loop"]) == ("train", True, True)


def test_json_of_a_notebook_counts_by_cell() -> None:
    source = notebook()
    (file,) = json.loads(render([(source, recover(source))], "json"))
    rows = [(stage["operation"], stage["location"]["row"]) for stage in file["stages"]]
    assert rows == [("range", 2), ("batch", 3)]
    assert all(stage["location"]["cell"] is not None for stage in file["stages"])


@pytest.mark.parametrize("form", ["text", "svg", "json", "dot", "mermaid"])
def test_the_output_is_the_same_in_every_process(form: str, tmp_path: Path) -> None:
    """Whatever order sets come in: the text depends on the source alone."""
    (tmp_path / "pipeline.py").write_text(EVERYTHING, encoding="utf-8")
    command = [sys.executable, "-m", "tfdata_lint", "graph", "pipeline.py", "--format", form]
    root = str(Path(__file__).parents[2])
    outputs = {
        subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3", "4")
    }
    assert len(outputs) == 1


# ---- drawings -----------------------------------------------------------------------------------------------------

_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_DOT_NODE = re.compile(rf"  (\w+) \[label={_QUOTED}, shape=(box|ellipse|note)\];")
_DOT_EDGE = re.compile(rf"  (\w+) -> (\w+)(?: \[label={_QUOTED}\])?;")
_MERMAID_NODE = re.compile(r'  (\w+)(?:\["[^"\n]*"\]|\(\["[^"\n]*"\]\)|\[/"[^"\n]*"/\])')
_MERMAID_EDGE = re.compile(r'  (\w+) --> ?(?:\|"[^"\n]*"\| )?(\w+)')

QUOTES = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\n"
QUOTES += 'if m == "a\\\\" and n < 3:\n  ds = ds.skip(1)\nmodel.fit(ds)\n'


@pytest.mark.parametrize("source", [EVERYTHING, QUOTES])
def test_dot(source: str) -> None:
    lines = shown(source, "dot").splitlines()
    assert lines[:3] == ["digraph pipelines {", "  rankdir=TB;", '  node [fontname="Helvetica"];']
    assert lines[-1] == "}"
    check_drawing(lines[3:-1], _DOT_NODE, _DOT_EDGE)


@pytest.mark.parametrize("source", [EVERYTHING, QUOTES])
def test_mermaid(source: str) -> None:
    lines = shown(source, "mermaid").splitlines()
    assert lines[0] == "flowchart TB"
    check_drawing(lines[1:], _MERMAID_NODE, _MERMAID_EDGE)


def check_drawing(lines: list[str], node: re.Pattern[str], edge: re.Pattern[str]) -> None:
    """Each line is a node or an edge; the ends of edges are nodes."""
    nodes: set[str] = set()
    ends: set[str] = set()
    for line in lines:
        if (match := node.fullmatch(line)) is not None:
            nodes.add(match[1])
        else:
            match = edge.fullmatch(line)
            assert match is not None, line
            ends |= {match[1], match[2]}
    assert ends <= nodes
    assert any(name.startswith("c0_") for name in nodes)


def test_edges_carry_the_conditions() -> None:
    source = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nif training: ds = ds.skip(1)\nmodel.fit(ds)\n"
    assert '-> c0_0_4_fit [label="training"];' in shown(source, "dot")
    assert '-> c0_0_4_fit [label="not training"];' in shown(source, "dot")
    assert '-->|"training"| c0_0_4_fit' in shown(source, "mermaid")


def test_drawings_of_several_files_keep_their_names_apart() -> None:
    one, two = (read("import tensorflow as tf\nmodel.fit(tf.data.Dataset.range(3))\n", f"{name}.py") for name in "ab")
    drawn = render([(one, recover(one)), (two, recover(two))], "dot")
    assert "  s0_0 -> c0_0_2_fit;" in drawn
    assert "  s1_0 -> c1_0_2_fit;" in drawn


SPLIT = """
    import tensorflow as tf
    ds = tf.data.Dataset.list_files("*.tfrecord").cache().map(parse)
    if training:
        ds = ds.shuffle(8)
        ds = ds.batch(8)
    pairs = tf.data.Dataset.zip((ds, tf.data.Dataset.range(3)))
    model.fit(pairs, validation_data=ds)
"""


def test_svg_draws_sources_on_top_and_nothing_over_another() -> None:
    root = ElementTree.fromstring(shown(SPLIT, "svg"))
    at = re.compile(r"translate\((\d+) (\d+)\)")
    boxes = {}
    for box in root.iter("{http://www.w3.org/2000/svg}g"):
        name = next(iter(box.itertext()))
        if (place := at.fullmatch(box.get("transform", ""))) and box.find("{*}rect[@class='box']") is not None:
            boxes[name.partition(" ")[0]] = (int(place[2]), int(place[1]))
    rows = {name: row for name, (row, _) in boxes.items()}
    chain = ["list_files", "cache", "map", "shuffle", "batch", "zip", "fitted"]
    assert [rows[name] for name in chain] == sorted({rows[name] for name in chain})
    assert rows["range"] == rows["batch"], "a branch begins as late as it can"
    assert len({*boxes.values()}) == len(boxes) == 9
    assert len([*root.iter("{http://www.w3.org/2000/svg}path")]) == 10
    assert len(root.findall(".//{*}rect[@class='frame']")) == 1


def test_svg_tells_conditions_from_nested_pipelines() -> None:
    source = """
        import tensorflow as tf
        ds = tf.data.Dataset.range(3)
        if nested:
            ds = ds.interleave(lambda x: tf.data.Dataset.range(x))
        model.fit(ds)
    """
    root = ElementTree.fromstring(shown(source, "svg"))
    boxes = root.findall(".//{*}rect[@class='box']")
    assert (len(boxes), len([*root.iter("{http://www.w3.org/2000/svg}path")])) == (3, 3)


def test_svg_tells_what_was_found() -> None:
    source = read("import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds.shuffle(3)\nfor x in ds: print(x)\n")
    report = lint_source(source.text, source.path)
    drawn = render([(source, recover(source))], "svg", findings=report.diagnostics)
    assert '<g class="error"' in drawn
    assert ">TFD401 discarded-result</text>" in drawn
    assert "<title>TFD401" in drawn
    page = render([(source, recover(source))], "html", findings=report.diagnostics)
    assert page.startswith("<!doctype html>")
    assert drawn in page


def test_svg_has_colors_for_viewers_without_variables() -> None:
    """They pass over a rule with `var(…)`, and draw in black on black."""
    plain, _, modern = shown(SPLIT, "svg").partition("@supports (color: var(--ink)) {")
    assert "var(" not in plain
    assert ".tfd .paper { fill: #fff }" in plain
    assert ".tfd text.error { fill: #bb2118 }" in plain
    for name in re.findall(r"var\(--(\w+)\)", modern):
        assert f" --{name}: #" in modern


# ---- pieces -------------------------------------------------------------------------------------------------------


def test_pipelines_come_in_the_order_of_their_ends() -> None:
    source = """
        import tensorflow as tf
        first = tf.data.Dataset.range(1)
        second = tf.data.Dataset.range(2)
        model.fit(second)
        model.fit(first)
    """
    found = pipelines(recover(read(source)))
    assert [pipeline.consumers[0].span.row for pipeline in found] == [5, 6]


def test_what_the_consumer_gets_comes_before_what_is_thrown_away() -> None:
    printed = text(
        """
        ds = tf.data.Dataset.range(9).batch(3)
        ds.map(tf.sqrt).prefetch(1)
        for x in ds:
            print(x)
        """
    )
    assert [line for line in printed.splitlines() if line.startswith("module: ")] == [
        "module: inspected at line 5",
        "module: not consumed in this file",
    ]
    assert printed.index("prefetch") > printed.index("not consumed")


def test_an_expression_is_shortened() -> None:
    import ast

    source = read("")
    long = ast.parse("[" + ", ".join(["name"] * 20) + "]", mode="eval").body
    assert short(source, long, 10) == "[name, na…"
    assert short(source, ast.parse("f( x )", mode="eval").body) == "f(x)"
