"""`tfdata-lint profile`: profiles that were recorded with TensorFlow 2.21, on CPUs, and read without it."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import validate

from tfdata_lint.cli import main
from tfdata_lint.config.settings.reading import Configuration
from tfdata_lint.observing.schema import schema
from tfdata_lint.verify.agent import xplane
from tfdata_lint.verify.profile import answers, matching, steps
from tfdata_lint.verify.profile.files import File, Unreadable, files
from tfdata_lint.verify.profile.host import Host, Written, read
from tfdata_lint.verify.profile.lines import Lines, graphs, locate
from tfdata_lint.verify.profile.steps import Events

HERE = Path(__file__).parent
#: By TensorBoard's callback in `fit`, and by `start` and `stop` around a loop.
TRAIN, LOOP, GRAPH = (
    HERE / "profiles" / f"{name}.xplane.pb.gz" for name in ("train", "generator_beside_files", "graph")
)
SOURCE = (HERE / "profiles" / "train.py").read_text()
KNOWN = HERE / "known_bottlenecks.py"
#: What xprof 2.24 says of the first: occurrences, total and own milliseconds.
XPROF = {
    "Root": (12, 1835.837, 0.263),
    "Root::Prefetch": (12, 1835.574, 1835.574),
    "Root::Prefetch::MapAndBatch": (10, 2499.973, 2499.973),
    "Root::Prefetch::MapAndBatch::ParallelMap": (41, 2245.421, 2245.421),
    "Root::Prefetch::MapAndBatch::ParallelMap::ForeverRepeat": (41, 2.218, 1.9),
}


def unpacked(packed: Path, folder: Path, name: str = "host") -> Path:
    path = folder / f"{name}.xplane.pb"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return read(File("host", str(unpacked(TRAIN, tmp_path_factory.mktemp("train")))))


def located(host: Host, *sources: Path, before: bool = True) -> Lines:
    """`before`: the source was written before the profile was recorded."""
    for source in sources:
        if before:
            os.utime(source, (1, 1))
    return locate(host, graphs(list(map(str, sources)), Configuration(isolated=True)))


def test_the_answers_are_on_lines_of_the_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "logs" / "train" / "plugins" / "profile" / "2026_11_29_01_48_40"
    run.mkdir(parents=True)
    unpacked(TRAIN, run, "vm")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(SOURCE)
    os.utime(tmp_path / "train.py", (1, 1))

    assert main(["profile", "logs", "--isolated"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (enough,) = (line for line in lines if "fast enough?" in line)
    assert enough.endswith("no: 70% of the time is spent waiting; 10 steps, 200.8 ms each")
    (bottleneck,) = (line for line in lines if "bottleneck?" in line)
    assert "ParallelMap, 99% of the work, parallelised by the runtime, at train.py:16;" in bottleneck
    assert any(re.match(r"  train.py:17, 18 +MapAndBatch +10 ", line) for line in lines)
    assert any(re.match(r"  input +70.2% ", line) for line in lines)
    assert not any("cannot tell" in line for line in lines)
    # Each share says what it is a share of.
    sentences = [line for line in lines if line.startswith(("  Own time is", "  The share of"))]
    assert sentences == [
        "  The share of a category is its part of the time of all steps; of that, input is the time spent waiting.",
        "  Own time is the time in a stage's own calls, which may include waiting for its threads or for a core.",
        "  The share of a stage is its part of the work of all stages, not of the step.",
    ]

    assert main(["profile", "logs", "--isolated", "--output-format", "json", "--save", "run.tfdata.json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["bottleneck"]["place"]["row"] == 16
    assert told["steps"] == {"count": 10, "marked": True, "median_ms": pytest.approx(200.8, abs=0.1)}
    saved = json.loads((tmp_path / "run.tfdata.json").read_text())
    validate(saved, schema())
    assert saved["pipelines"][0]["waiting"]["share"] == pytest.approx(0.702, abs=0.001)
    assert {stage["file"] for stage in saved["pipelines"][0]["stages"]} == {"train.py"}

    assert main(["profile", "logs", "--isolated", "--output-format", "html"]) == 0
    page = capsys.readouterr().out
    assert "train.py:16" in page
    assert all(line.strip().replace("'", "&#x27;") in page.replace("'", "&#x27;") for line in sentences[1:])
    assert "Verdicts" not in page


def test_findings_say_what_the_profile_says_of_their_stage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked(LOOP, tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "known.py").write_bytes(KNOWN.read_bytes())
    (tmp_path / "pyproject.toml").touch()
    os.utime(tmp_path / "known.py", (1, 1))
    arguments = ["check", "known.py", "--isolated", "--no-cache", "--select", "TFD201", "--output-format", "full"]
    main([*arguments, "--profile", "host.xplane.pb"])
    out = capsys.readouterr().out
    said = "= measured: this `from_generator` takes 89 % of the input time; the loop waits for 98 % of its time"
    assert out.count(said) == 1
    assert said in out.partition("known.py:234:")[2].partition("known.py:2")[0]
    assert main([*arguments, "--profile", "missing.xplane.pb"]) == 2


def test_a_loop_that_marks_its_steps_is_no_fit(train: Host, tmp_path: Path) -> None:
    """Keras has marks of its own; of others the source says what they are."""
    path = unpacked(TRAIN, tmp_path)
    path.write_bytes(path.read_bytes().replace(b"Profiled batch", b"steps of a job"))
    host = read(File("host", str(path)))
    assert (train.is_marked, host.is_marked) == (True, True)
    fits, loops = tmp_path / "fits.py", tmp_path / "loops.py"
    fits.write_text(SOURCE)
    loops.write_text(SOURCE.partition("model =")[0] + "for images in train_data():\n    print(images)\n")
    consumers = [
        answers.run_of(one, located(one, source)).pipelines[0] for one in (train, host) for source in (fits, loops)
    ]
    assert [one.consumer for one in consumers] == ["fit", "fit", "fit", "for"]
    assert [one.step.source for one in consumers if one.step] == ["fit", "fit", "loop", "loop"]


#: Programs that end in the same way, and do not begin so.
TAILS = {
    "a parameter": "def train(ds):\n    return ds.batch(4).prefetch(2)\n",
    "other files": (
        'ds = tf.data.TFRecordDataset("a").repeat().map(decode).map(augment, num_parallel_calls=-1)\n'
        "ds = ds.batch(4).prefetch(2)\n"
    ),
    "no source that is seen": "import mine\n\nds = mine.pictures().map(decode).batch(4).prefetch(2)\n",
    "another end": "ds = tf.data.Dataset.from_tensors(b'').repeat().map(decode).map(augment, num_parallel_calls=-1)\n",
    "nothing but its stages": (
        "import mine\n\nds = tf.data.Dataset.from_tensors(mine.picture()).repeat().map(mine.decode)\n"
        "ds = ds.map(mine.augment, num_parallel_calls=-1).batch(mine.SIZE).prefetch(mine.AHEAD)\n"
    ),
}


@pytest.mark.parametrize("name", TAILS)
def test_lines_of_another_program_are_not_certain(train: Host, tmp_path: Path, name: str) -> None:
    source = tmp_path / "other.py"
    source.write_text(SOURCE.partition("def train_data")[0] + TAILS[name] + "for images in ds:\n    print(images)\n")
    lines = located(train, source)
    assert not lines.places
    assert lines.why


def test_where_nothing_matches_one_row_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked(TRAIN, tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.py").write_text(
        "import tensorflow as tf\n\nfor x in tf.data.TextLineDataset('a').shuffle(9).batch(2):\n    print(x)\n"
    )
    said = (
        "no pipeline of other.py matches the profile's stages: Tensor → Repeat → Map → ParallelMap → Batch → Prefetch"
    )
    main(["profile", "host.xplane.pb", "--source", "other.py", "--isolated"])
    assert f", parallelised by the runtime, {said}\n" in capsys.readouterr().out
    main(["check", "other.py", "--isolated", "--no-cache", "--profile", "host.xplane.pb"])
    assert capsys.readouterr().err.splitlines() == [f"tfdata-lint: --profile host.xplane.pb: {said}"]
    # Nor is silence an answer where a pipeline matches that has no finding.
    (tmp_path / "train.py").write_text(SOURCE)
    os.utime("train.py", (1, 1))
    main(["check", "train.py", "--isolated", "--no-cache", "--select", "TFD702", "--profile", "host.xplane.pb"])
    (row,) = capsys.readouterr().err.splitlines()
    said = "no finding is about a stage of its pipeline; its bottleneck: ParallelMap,"
    assert row.startswith(f"tfdata-lint: --profile host.xplane.pb: {said}")
    assert "at train.py:16" in row


def test_counts_and_times_are_those_of_xprof(train: Host) -> None:
    ours = {row["path"]: (row["calls"], row["total_ms"], row["self_ms"]) for row in train.reading["nodes"]}
    for path, (calls, total, own) in XPROF.items():
        assert ours[path] == (calls, pytest.approx(total, abs=0.01), pytest.approx(own, abs=0.01))


def test_the_categories_of_a_step_add_up_to_it(train: Host) -> None:
    means = {one.name: one.mean_ms for one in train.categories}
    lengths = [(end - begin) / 1e9 for begin, end in train.steps]
    assert sum(means.values()) == pytest.approx(sum(lengths) / len(lengths))
    assert means["input"] == pytest.approx(148.1, abs=0.1)
    assert all(one.least_ms <= one.mean_ms <= one.most_ms for one in train.categories)


def test_a_loop_without_markers_is_told_by_its_elements(tmp_path: Path) -> None:
    host = read(File("host", str(unpacked(LOOP, tmp_path))))
    assert not host.is_marked
    assert any("Mark them" in note for note in host.notes)
    copy = tmp_path / "known.py"
    shutil.copy(KNOWN, copy)
    lines = located(host, copy)
    rows = KNOWN.read_text().split("\n")
    (pipeline,) = answers.run_of(host, lines).pipelines
    assert pipeline.bottleneck
    assert pipeline.bottleneck.place
    assert "# here" in rows[pipeline.bottleneck.place.end_row - 1]
    assert pipeline.input
    assert pipeline.input.share == pytest.approx(0.977, abs=0.001)


def test_a_loop_in_a_tf_function_is_no_stage(tmp_path: Path) -> None:
    """And nobody knows whether its Python code uses the cores, or how it is when the cache is full."""
    host = read(File("host", str(unpacked(GRAPH, tmp_path))))
    shutil.copy(HERE / "profiles" / "graph.py", tmp_path / "graph.py")
    told = list(answers.text(host, located(host, tmp_path / "graph.py")))
    assert any("fast enough?  no: 81% of the time is spent waiting" in line for line in told)
    assert any("prefetched?   no" in line for line in told)
    assert any("bottleneck?   Map, 100%" in line and line.endswith("graph.py:15") for line in told)
    (advice,) = (line for line in told if "next?" in line)
    assert "Append `prefetch(tf.data.AUTOTUNE)`" in advice
    assert advice.endswith("(TFD101: tfdata-lint rule TFD101)")
    unknown = "\n".join(line for line in told if "cannot tell" in line)
    assert "Python code (TFD202) computes or waits" in unknown
    assert "a cache was being filled" in unknown


@pytest.mark.parametrize(
    ("seen", "written", "agrees"),
    [
        # What draws without a state is another operation.
        ("random_uniform/RandomUniform:RandomUniform", "random.uniform", 1.0),
        ("random_uniform/RandomUniform:RandomUniform", "random.stateless_uniform", 0.0),
        ("x/StatelessRandomUniformV2:StatelessRandomUniformV2", "random.stateless_uniform", 1.0),
        ("x/StatelessRandomUniformV2:StatelessRandomUniformV2", "random.uniform", 0.0),
        # One decoder is not another.
        ("DecodePng:DecodePng", "io.decode_jpeg", 0.0),
        # It is carried out whatever is written.
        ("cond/StatelessIf:StatelessIf", "cast", None),
    ],
)
def test_functions_are_told_apart_by_their_operations(seen: str, written: str, agrees: float | None) -> None:
    row = {"parameters": {}, "branch": None, "operations": [seen]}
    node: Any = matching._Node(Written(1, "MapDataset", 1, "", 0), row)
    function = SimpleNamespace(operations=[f"tensorflow.{written}"], resolved=True, unknown=())
    stage: Any = SimpleNamespace(function=function)
    assert matching.agreement(node, stage) == agrees


def test_what_was_too_short_to_be_recorded_makes_another_call_possible(tmp_path: Path) -> None:
    """A call whose operations are missing is worse than one that agrees, and better than another one."""
    host = read(File("host", str(unpacked(TRAIN, tmp_path))))
    for row in host.reading["nodes"]:
        row["operations"] = [name for name in row["operations"] if name.endswith((":AddV2", ":Cast", ":Mul"))]
    (tmp_path / "train.py").write_text(SOURCE)
    assert located(host, tmp_path / "train.py").places


@pytest.mark.parametrize(
    ("held", "size", "name", "is_certain"),
    [
        # Less than it could hold: its input had ended, so that nothing before it ran.
        (383, 1000, "AdjustContrast:AdjustContrastv2", True),
        # It is full, or has another size: what should have run before it did not.
        (1000, 1000, "AdjustContrast:AdjustContrastv2", False),
        (383, 500, "AdjustContrast:AdjustContrastv2", False),
        # Nothing but its stages is as in other programs.
        (383, 1000, "", False),
    ],
)
def test_a_shuffle_buffer_may_hold_all_that_is_left(
    tmp_path: Path, held: int, size: int, name: str, is_certain: bool
) -> None:
    source = tmp_path / "train.py"
    source.write_text(
        "import tensorflow as tf\n\nds = tf.data.Dataset.range(600).map(lambda x: tf.zeros([9, 9, 3]) + x)\n"
        "ds = ds.shuffle(1000).map(lambda x: tf.image.adjust_contrast(x, 2.0))\nfor x in ds:\n    print(x)\n"
    )
    empty = {"branch": None, "operations": [], "parameters": {}}
    shuffle = {"buffer_size": size, "buffered_elements": held}
    rows = [
        {**empty, "parent": None, "operations": [name] if name else []},
        {**empty, "parent": 0, "parameters": shuffle},
    ]
    written = [Written(1, "MapDataset", 2, "", 0), Written(2, "ShuffleDatasetV3", 1, "", 1)]
    host: Any = SimpleNamespace(written=written, reading={"nodes": rows})
    (found,) = matching.candidates(host, graphs([str(source)], Configuration()))
    assert (found.cost < matching.CERTAIN and found.is_told) is is_certain


def test_what_a_device_does_comes_before_what_the_host_waits_for() -> None:
    kernels = {1: "ampere_h16816gemm_64x64", 2: "sgemm_128x64", 3: "MemcpyH2D", 4: "MemcpyD2H", 5: "ncclAllReduce"}
    ms = [(1, 0, 2), (2, 2, 4), (3, 6, 1), (4, 7, 1), (5, 8, 1)]
    events_of = [
        SimpleNamespace(metadata_id=kind, offset_ps=begin * 10**9, duration_ps=length * 10**9)
        for kind, begin, length in ms
    ]
    lines = [SimpleNamespace(name=name, timestamp_ns=0, events=events_of) for name in ("Stream #13", "Steps")]
    names = {key: SimpleNamespace(name=name) for key, name in kernels.items()}
    gpu = SimpleNamespace(name="/device:GPU:0", lines=lines, event_metadata=names)
    events = Events()
    events.add_devices(SimpleNamespace(planes=[gpu]))
    events.layers["input"].append((0, 20 * 10**9))
    means = {one.name: one.mean_ms for one in events.categories([(0, 25 * 10**9)])}
    assert means == {
        "device compute": 6, "device to device": 1, "output": 1, "input": 12, "kernel launch": 0, "compilation": 0,
        "host compute": 0, "all others": 5,
    }  # fmt: skip
    assert events.bits == [2 * 10**9, 4 * 10**9]


def test_the_hosts_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unpacked(TRAIN, tmp_path, "w0")
    unpacked(LOOP, tmp_path, "w1")
    (tmp_path / "empty").mkdir()
    assert main(["profile", str(tmp_path), "--source", str(tmp_path / "empty"), "--isolated"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["worker", "w1", "w0"]
    assert lines[3].startswith("steps: ")
    assert "w1.xplane.pb: " in "".join(lines)
    assert main(["profile", str(tmp_path), "--host", "w2", "--isolated"]) == 2
    assert "no host is called w2; there are w0, w1" in capsys.readouterr().err


# ── the source has changed since ────────────────────────────────────────────────────────────────────────────────────

#: What is replaced, and by what. The bottleneck was `pictures.map(decode)`.
EDITS = {
    "nothing": ("", ""),
    "rows above": ("import keras\n", "import os\nimport sys\n\nimport keras\n"),
    "a function renamed": (r"\bdecode\b", "load_picture"),
    "variables renamed": ("images", "ds"),
    "one chain": ("    images = images.map(", "    images = (images).map("),
    "a lambda": ("pictures.map(decode)", "pictures.map(lambda one: decode(one))"),
    "moved below": ("import keras\n", "import keras\n\nSIZE = 64\n"),
    "a prefetch in front": ("pictures.map(decode)", "pictures.map(decode).prefetch(1)"),
    "another batch size": ("batch(4)", "batch(32)"),
    "a shuffle": ("pictures.map(decode)", "pictures.shuffle(10).map(decode)"),
    "a repeat that is left out": ("pictures.map(decode)", "pictures.repeat(1).map(decode)"),
    "a cache": ("pictures.map(decode)", "pictures.map(decode).cache()"),
    "a map before": ("pictures.map(decode)", "pictures.map(lambda one: one).map(decode)"),
    "a map behind": ("pictures.map(decode)", "pictures.map(decode).map(lambda one: one / 255)"),
    "another function": ("pictures.map(decode)", "pictures.map(lambda one: (one, 1.0))"),
    "swapped": ("decode", "augment"),
    "both parallel": ("pictures.map(decode)", "pictures.map(decode, num_parallel_calls=tf.data.AUTOTUNE)"),
    "none parallel": (", num_parallel_calls=tf.data.AUTOTUNE", ""),
    "batched first": ("pictures.map(decode)", "pictures.batch(4).map(decode)"),
    "no second map": ("    images = images.map(augment, num_parallel_calls=tf.data.AUTOTUNE)\n", ""),
    "other functions": ("tf.image.random_flip_left_right(image), tf.reduce_mean(image)", "tf.strings.length(image), 0"),
    "gone": ("return images.batch(4).prefetch(2)", "return None"),
}

#: None of these changes what is made.
CERTAIN = (
    "rows above", "a function renamed", "variables renamed", "one chain", "moved below", "a repeat that is left out",
)  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_a_changed_source_has_the_right_line_or_none_for_certain(train: Host, tmp_path: Path, name: str) -> None:
    old, new = EDITS[name]
    text = SOURCE.replace(old, new) if old else SOURCE
    if name == "a function renamed":
        text = re.sub(old, new, SOURCE)
    if name == "swapped":
        text = (
            SOURCE.replace("map(decode", "map(X").replace("map(augment", "map(decode").replace("map(X", "map(augment")
        )
    source = tmp_path / "train.py"
    source.write_text(text)
    lines = located(train, source, before=False)
    rows = source.read_text().splitlines()
    (pipeline,) = answers.run_of(train, lines).pipelines
    assert pipeline.bottleneck
    place = pipeline.bottleneck.place
    right = [n for n, row in enumerate(rows, 1) if re.search(r"map\((lambda one: )?(decode|load_picture)", row)]
    assert [place.row] == right if place else lines.why
    if name in (
        "rows above",
        "a function renamed",
        "variables renamed",
        "one chain",
        "moved below",
        "a repeat that is left out",
    ):
        assert place


def test_two_pipelines_that_fit_are_both_named(train: Host, tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text(SOURCE)
    lines = located(train, tmp_path / "one.py", tmp_path / "other.py")
    assert not lines.places
    assert sorted(Path(place.file).name for place in lines.candidates) == ["one.py", "other.py"]
    assert {place.row for place in lines.candidates} == {16}


# ── files that are no profiles ──────────────────────────────────────────────────────────────────────────────────────


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def integer(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def plane(event: str = "", *events: bytes, line: bytes = b"") -> bytes:
    """Of a host, with one name of events."""
    metadata = field(4, integer(1, 1) + field(2, integer(1, 1) + field(2, event.encode())))
    return field(1, field(2, b"/host:CPU") + metadata + field(3, line + b"".join(field(4, one) for one in events)))


def an_event(begin: int, length: int, *stats: bytes, kind: int = 1) -> bytes:
    return integer(1, kind) + integer(2, begin) + integer(3, length) + b"".join(field(4, stat) for stat in stats)


GOOD = gzip.decompress(TRAIN.read_bytes())
RANDOM = random.Random(0)
NEXT = "IteratorGetNextOp::DoCompute"


def flipped(count: int) -> bytes:
    data = bytearray(GOOD)
    for _ in range(count):
        data[RANDOM.randrange(len(data))] = RANDOM.randrange(256)
    return bytes(data)


HOSTILE: dict[str, bytes] = {
    "empty": b"", "zeros": bytes(1000), "ones": b"\xff" * 1000, "text": b"no profile\n" * 50, "json": b'{"a": 1}',
    "gzip": TRAIN.read_bytes(), "no plane": field(4, b"host"), "an empty plane": field(1, b""),
    "too many planes": field(1, b"") * 5_000, "no UTF-8": field(1, field(2, b"\xff\xfe")),
    "nothing of tf.data": plane("MatMul", an_event(1, 5)), "an unknown name": plane("", an_event(1, 5, kind=7)),
    "an unknown key": plane("Iterator::Root", *[an_event(1, 5, integer(1, 9))] * 9),
    "too long": b"\x0a\xff\xff\xff\xff\x7f", "a group": b"\x0b\x0c", "no end": b"\x80" * 30,
    "a huge key": field(1, field(2, b"/host:CPU") + field(3, field(4, b"\x08" + b"\xff" * 9 + b"\x01"))),
    "a huge time": plane(NEXT, an_event(1, 5), line=integer(3, 2**63 - 1)),
    "an overlong number": field(1, field(2, b"/host:CPU") + field(3, field(4, b"\x08" + b"\xff" * 12))),
    **{f"cut at {size}": GOOD[:size] for size in (1, 10, 100, 1_000, 50_000, len(GOOD) - 1)},
    **{f"random {number}": RANDOM.randbytes(10_000) for number in range(3)},
    **{f"{count} bytes changed": flipped(count) for count in (300, 3_000, 30_000)},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_profile_gets_one_row(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = tmp_path / "host.xplane.pb"
    path.write_bytes(HOSTILE[name])
    assert main(["profile", str(path), "--source", str(path), "--isolated"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (row,) = err.splitlines()
    assert row.startswith(f"tfdata-lint: error: {path}: ")


@pytest.mark.parametrize("target", ["/dev/zero", "/", "/no/such/file"])
def test_what_is_no_file_gets_one_row(tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    path = tmp_path / "host.xplane.pb"
    path.symlink_to(target)
    code = main(["profile", str(path), "--isolated"])
    assert (code, len(capsys.readouterr().err.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    "events",
    [
        [an_event(2**63 - 1, 2**63 - 1)] * 50,
        [an_event(2**64 - 5, 2**64 - 7)] * 50,
        [an_event(5, 0)] * 50,
        [an_event(n, 1_000) for n in range(50)],
    ],
)
@pytest.mark.parametrize("name", [NEXT, "Iterator::Root", "Iterator::Root::" + "Map::" * 3_000, "train"])
def test_impossible_times_are_read_or_refused(tmp_path: Path, name: str, events: list[bytes]) -> None:
    path = tmp_path / "host.xplane.pb"
    path.write_bytes(plane(name, *events))
    try:
        host = read(File("host", str(path)))
    except Unreadable:
        return
    assert list(answers.text(host, Lines()))


def test_a_profile_of_jax_tells_how_long_python_waited(tmp_path: Path) -> None:
    path = tmp_path / "host.xplane.pb"
    path.write_bytes(plane("$iterator_ops.py:826 __next__", *[an_event(10**9 * n, 25 * 10**7) for n in range(9)]))
    told = list(answers.text(read(File("host", str(path))), Lines()))
    assert any("fast enough?  no: 25% of the time is spent waiting; 7 elements, 1.0 ms each" in line for line in told)
    assert not any("bottleneck?" in line for line in told)
    unknown = [line for line in told if "cannot tell" in line]
    assert "a profiler of JAX records none" in unknown[0]
    assert "jax.profiler.StepTraceAnnotation" in unknown[1]


def test_without_protobuf_one_row_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = unpacked(TRAIN, tmp_path)
    monkeypatch.setitem(sys.modules, "google.protobuf", None)
    xplane._classes.cache_clear()
    assert main(["profile", str(path), "--isolated"]) == 2
    (row,) = capsys.readouterr().err.splitlines()
    assert row.endswith("reading profiles needs protobuf: pip install 'protobuf>=4'")


def test_a_folder_without_profiles_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "vm.trace.json.gz").touch()
    with pytest.raises(
        Unreadable, match=r"no profile \(\*.xplane.pb\) in this folder or below; a .trace.json.gz is not"
    ):
        files([str(tmp_path)])


def test_of_a_folder_the_newest_run_is_read(tmp_path: Path) -> None:
    for number, run in enumerate(("2026_11_28", "2026_11_29", "2026_11_27")):
        (tmp_path / run).mkdir()
        for host in ("a", "b"):
            (tmp_path / run / f"{host}.xplane.pb").touch()
            os.utime(tmp_path / run / f"{host}.xplane.pb", (number % 2, number % 2))
    assert [(f.host, Path(f.path).parent.name) for f in files([str(tmp_path)])] == [
        ("a", "2026_11_29"),
        ("b", "2026_11_29"),
    ]


def test_of_a_large_profile_the_first_moments_are_read(tmp_path: Path) -> None:
    path = unpacked(TRAIN, tmp_path)
    whole, part = xplane.load(str(path)), xplane.load(str(path), most=60_000)
    assert (whole.is_cut, part.is_cut) == (False, True)

    def begins(space: Any) -> list[int]:
        return sorted(
            line.timestamp_ns * 1000 + event.offset_ps
            for plane in space.planes
            for line in plane.lines
            for event in line.events
        )

    first = begins(part)
    assert 100 < len(first) < len(begins(whole)) / 2
    # None is missing before the last: all threads end at the same moment.
    assert first[-1] <= begins(whole)[len(first) + len(first) // 5]


def test_many_steps_and_waits_are_gone_through_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each step of its own through all waits took minutes of a long profile."""
    path = tmp_path / "host.xplane.pb"
    number = field(5, integer(1, 1) + field(2, integer(1, 1) + field(2, b"step_num")))
    names = b"".join(
        field(4, integer(1, kind) + field(2, integer(1, kind) + field(2, name)))
        for kind, name in ((1, b"step"), (2, NEXT.encode()), (3, b"Iterator::Root"))
    )
    marks = [an_event(10**6 * n, 900_000, integer(1, 1) + integer(4, n)) for n in range(300)]
    waits = [an_event(10**6 * n, 450_000, kind=kind) for n in range(300) for kind in (2, 3)]
    events = b"".join(field(4, one) for one in (*marks, *waits))
    path.write_bytes(field(1, field(2, b"/host:CPU") + number + names + field(3, events)))
    calls = []
    merging = steps.merged
    monkeypatch.setattr(steps, "merged", lambda pieces: calls.append(1) or merging(pieces))
    host = read(File("host", str(path)))
    assert (host.is_marked, len(host.steps)) == (True, 298)
    assert host.run().pipelines[0].input.share == pytest.approx(0.45)
    assert len(calls) < 20
