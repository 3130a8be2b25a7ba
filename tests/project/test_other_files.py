"""Findings in other files: what a script does with a helper's dataset is told where the helper is, once."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from cli import conftest
from cli.conftest import Run
from two_files import INPUTS, TRAIN

from tfdata_lint.config.formats import FORMATS, TEXTS
from tfdata_lint.config.requirements import tensorflow_of
from tfdata_lint.run import batches
from tfdata_lint.run.cache import cache

pytestmark = pytest.mark.slow

Project = Callable[[Mapping[str, str | bytes]], Path]
Check = Callable[..., Run]

project, run, _plain_environment = conftest.project, conftest.run, conftest._plain_environment

EVALUATE = TRAIN.replace("train-*", "test-*").replace("fit", "evaluate")
#: A log of whole structures under a flag, and of a value.
STEPS = """\
import logging
import os

import tensorflow as tf

DEBUG = os.environ.get("DEBUG")


def preprocess(data):
    if DEBUG:
        logging.info("Before: %s", data)
        logging.info("Size: %s", tf.strings.length(data))
    return data
"""
#: A builder that shuffles whole batches on one way.
BUILDER = """\
import tensorflow as tf


def batches(files, training):
    ds = tf.data.TFRecordDataset(files, num_parallel_reads=4)
    ds = ds.batch(32)
    if training:
        ds = ds.shuffle(10)
    return ds.prefetch(2)
"""
#: The finding in `INPUTS` that the others cause.
FROZEN = "inputs.py:7 TFD302"


def findings(run: Check, *arguments: str) -> list[dict[str, Any]]:
    done = run("check", "-q", "--output-format", "json", *arguments)
    assert done.code in (0, 1), done.err
    told: list[dict[str, Any]] = json.loads(done.out)
    return told


def told(run: Check, *arguments: str) -> list[str]:
    """What is reported: `file:row code`."""
    return [f"{place(finding)} {finding['code']}" for finding in findings(run, "--no-cache", *arguments)]


def place(finding: dict[str, Any]) -> str:
    return f"{finding['filename']}:{finding['location']['row']}"


def look_again() -> None:
    """As another run does."""
    tensorflow_of.cache_clear()


def test_a_way_that_no_caller_takes(run: Check, project: Project) -> None:
    """What callers do is remembered, and asked again when one of them has changed, or a new one has come."""
    folder = project({"builder.py": BUILDER, ".git/HEAD": ""})
    found = ["builder.py:8 TFD306"]

    def again(**callers: str) -> list[str]:
        for name, call in callers.items():
            text = f"from builder import batches\n\n{call}\n"
            (folder / f"{name}.py").write_text(text)
        look_again()
        kept = [f"{place(one)} {one['code']}" for one in findings(run, "--select", "TFD306")]
        assert kept == told(run, "--select", "TFD306")
        return kept

    assert again() == found
    assert again(train='batches("a", False)') == []
    assert again(train='batches("a", True )') == found
    assert again(train='batches("a", False)') == []
    assert again(other="print(batches)") == found


#: A model in a file of its own, and who trains it.
MODEL = """\
import tensorflow as tf


def make_model(bias):
    inputs = tf.keras.Input([8, 8, 3])
    x = tf.keras.layers.Conv2D(4, 3, use_bias=bias)(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.BatchNormalization()(x))


def plain_model():
    inputs = tf.keras.Input([8, 8, 3])
    x = tf.keras.layers.Conv2D(4, 3)(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.BatchNormalization()(x))
"""
FITS = """\
import tensorflow as tf
from models import plain_model

plain_model().predict(tf.data.Dataset.from_tensor_slices(tf.zeros([32, 8, 8, 3])).batch(8).prefetch(2))
"""


def test_a_model_beside_the_pipeline_that_runs_it(run: Check, project: Project) -> None:
    project({"models.py": MODEL, "train.py": FITS})
    assert "models.py:12:9: advice TFD602" in run("check", "--output-format", "concise", "--fail-level", "advice").out


def test_a_model_that_only_tests_run(run: Check, project: Project) -> None:
    project({"models.py": MODEL, "test_train.py": FITS})
    assert "TFD602" not in run("check", "--output-format", "concise", "--fail-level", "advice").out


class TestWhereItIsTold:
    def test_nobody_calls_it(self, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS})
        assert told(run) == []

    def test_in_the_file_it_is_in(self, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS, "train.py": TRAIN})
        assert told(run) == [FROZEN]

    def test_a_flag_around_a_log(self, run: Check, project: Project) -> None:
        train = TRAIN.replace("from inputs import cached", "from steps import preprocess")
        train = train.replace('cached("train-0", augment)', 'tf.data.TextLineDataset("a").map(preprocess)')
        project({"steps.py": STEPS, "train.py": train})
        assert told(run, "--select", "TFD204") == ["steps.py:12 TFD204"]

    def test_once_for_all_who_cause_it(self, run: Check, project: Project) -> None:
        project({"evaluate.py": EVALUATE, "inputs.py": INPUTS, "train.py": TRAIN})
        assert told(run) == [FROZEN]
        assert "Found 1 error in 1 of 3 files.\n" in run("check", "--no-cache").out

    def test_once_where_it_is_found_anyway(self, run: Check, project: Project) -> None:
        """The helper does itself what another file does too."""
        own = TRAIN.replace("from inputs import cached\n", INPUTS.partition("\n")[2])
        project({"inputs.py": own, "train.py": TRAIN})
        assert told(run) == [FROZEN]

    def test_files_with_findings_are_counted_once(self, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS.replace("data.AUTO", "data.experimental.AUTO"), "train.py": TRAIN})
        assert sorted(told(run)) == ["inputs.py:6 TFD701", FROZEN]
        assert "Found 1 error, 1 warning in 1 of 2 files.\n" in run("check", "--no-cache").out

    def test_with_the_way_through_all_files(self, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS, "train.py": TRAIN})
        (finding,) = findings(run, "--no-cache")
        assert [f"{place(related)} {related['message']}" for related in finding["related"]] == [
            "train.py:10 `shuffle` follows here",
            "train.py:10 consumed here",
            "train.py:6 drawn once for each element, then read from the cache",
        ]

    def test_not_in_a_file_that_is_not_linted(self, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS, "train.py": TRAIN})
        assert told(run, "train.py") == []
        assert told(run, "inputs.py") == []
        assert told(run, "inputs.py", "train.py") == [FROZEN]

    def test_under_the_name_the_file_was_given_by(self, run: Check, project: Project) -> None:
        root = project({"inputs.py": INPUTS, "train.py": TRAIN})
        assert told(run, "./train.py", str(root / "inputs.py")) == [f"{root / 'inputs.py'}:7 TFD302"]

    @pytest.mark.parametrize("name", ["test_inputs.py", "tests/helpers.py", "conftest.py"])
    def test_what_only_a_test_does_says_nothing(self, name: str, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS, name: TRAIN})
        assert told(run) == []


class TestFixes:
    def test_nothing_is_fixed_from_there(self, run: Check, project: Project) -> None:
        root = project({"inputs.py": INPUTS, "train.py": TRAIN})
        assert findings(run, "--no-cache")[0]["fix"] is None
        assert told(run, "--fix", "--unsafe-fixes") == [FROZEN]
        assert (root / "inputs.py").read_text() == INPUTS
        assert (root / "train.py").read_text() == TRAIN

    def test_fixed_where_it_is_found_anyway(self, run: Check, project: Project) -> None:
        """The file fixes itself, and is not told of what was fixed."""
        helper = "import tensorflow as tf\n\n\ndef cached(a, f):\n    return tf.data.TFRecordDataset(a).map(f)\n"
        root = project({"inputs.py": helper, "train.py": TRAIN.replace("random_flip", "flip")})
        assert told(run) == ["inputs.py:5 TFD102"]
        assert told(run, "--fix", "--unsafe-fixes") == []
        assert "map(f, num_parallel_calls=tf.data.AUTOTUNE)" in (root / "inputs.py").read_text()


#: A safe fix in one file, and a finding in the other that hangs on what the first one does.
GENERATE = """\
import tensorflow as tf


def rows(reader, n):
    for i in range(n):
        yield reader(i)


def dataset(reader, n):
    spec = tf.TensorSpec([64, 64, 3], tf.float32)
    return tf.data.Dataset.from_generator(lambda: rows(reader, n), output_signature=spec)
"""
CONSUME = """\
import tensorflow as tf
from generate import dataset

AUTO = tf.data.experimental.AUTOTUNE


def train(model, reader, n):
    model.fit(dataset(reader, n).batch(8).prefetch(AUTO), epochs=n)
"""


class TestWhatIsLeft:
    """`--fix` says what a check says right after it."""

    @pytest.mark.parametrize("name", ["a_consume.py", "z_consume.py"])
    @pytest.mark.parametrize("options", [[], ["--statistics"], ["--summary"], ["--sort", "severity"]], ids=str)
    def test_in_text(self, name: str, options: list[str], run: Check, project: Project) -> None:
        root = project({"generate.py": GENERATE, name: CONSUME})
        fixed = run("check", "--no-cache", "--fix", *options)
        after = run("check", "--no-cache", *options)
        assert "data.AUTOTUNE" in (root / name).read_text()
        assert "TFD201" in after.out
        assert (fixed.code, fixed.err) == (after.code, after.err) == (1, "")
        said = "Fixed 1 finding in 1 file: 1 TFD701.\n"
        assert fixed.out.count(said) == 1
        assert fixed.out.replace(said, "") == after.out

    @pytest.mark.parametrize("form", [form for form in FORMATS if form not in TEXTS])
    def test_in_other_formats(self, form: str, run: Check, project: Project) -> None:
        project({"generate.py": GENERATE, "consume.py": CONSUME})
        fixed, after = (run("check", "--no-cache", "--output-format", form, *option) for option in (["--fix"], []))
        assert "TFD201" in after.out
        assert (fixed.code, fixed.out) == (after.code, after.out)

    def test_in_a_diff(self, run: Check, project: Project) -> None:
        root = project({"generate.py": GENERATE, "consume.py": CONSUME})
        done = run("check", "--no-cache", "--diff")
        assert (done.code, done.err) == (1, "Would fix 1 finding in 1 file: 1 TFD701.\n")
        assert (root / "consume.py").read_text() == CONSUME


class TestSilence:
    """What silences a finding is said in the file it is in, not in those that cause it."""

    COMMENT = "  # tfdata-lint: ignore[TFD302]"
    SILENCED = INPUTS.replace("cache()", f"cache(){COMMENT}")

    def test_a_comment_there(self, run: Check, project: Project) -> None:
        project({"inputs.py": self.SILENCED, "train.py": TRAIN})
        assert told(run) == []
        assert told(run, "--ignore-noqa") == [FROZEN]

    def test_a_comment_where_it_is_caused(self, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS, "train.py": TRAIN.replace("AUTOTUNE))", f"AUTOTUNE)){self.COMMENT}")})
        assert set(told(run)) == {FROZEN, "train.py:10 TFD001"}

    def test_settings(self, run: Check, project: Project) -> None:
        settings = '[per-file-ignores]\n"{}" = ["TFD302"]\n'
        root = project({"inputs.py": INPUTS, "train.py": TRAIN})
        (root / "tfdata-lint.toml").write_text(settings.format("inputs.py"))
        assert told(run) == []
        (root / "tfdata-lint.toml").write_text(settings.format("other.py"))
        assert told(run) == [FROZEN]

    def test_a_baseline(self, run: Check, project: Project) -> None:
        project({"inputs.py": INPUTS, "train.py": TRAIN})
        assert run("check", "--no-cache", "--baseline", "known.json", "--write-baseline").code == 0
        assert told(run, "--baseline", "known.json") == []

    @pytest.mark.parametrize("callers", [{}, {"train.py": TRAIN}], ids=["nobody calls it", "called"])
    def test_a_comment_for_callers_is_not_unused(self, callers: dict[str, str], run: Check, project: Project) -> None:
        root = project({"inputs.py": self.SILENCED, **callers})
        assert told(run) == []
        assert told(run, "--fix") == []
        assert (root / "inputs.py").read_text() == self.SILENCED

    def test_other_comments_are(self, run: Check, project: Project) -> None:
        """Nothing that callers do makes a name deprecated, or reaches what does not leave the function."""
        project(
            {
                "a.py": INPUTS.replace("cache()", "cache()  # tfdata-lint: ignore[TFD701]"),
                "b.py": f"import tensorflow as tf\n\n\ndef count():\n    return len([1]){self.COMMENT}\n",
                "c.py": f"import tensorflow as tf\n\nds = tf.data.TFRecordDataset('a'){self.COMMENT}\n",
            }
        )
        assert told(run) == ["a.py:7 TFD001", "b.py:5 TFD001", "c.py:3 TFD001"]
        # Who imports a module may cause any other finding in it.
        project({"d.py": "import a, b, c\n"})
        assert told(run) == ["a.py:7 TFD001"]


class TestEnds:
    """Whether a pipeline is prefetched is decided by all who go on from it."""

    BATCHES = """\
import tensorflow as tf


def batches(pattern):
    return tf.data.TFRecordDataset(pattern).batch(8)
"""
    ENDS = """\
import tensorflow as tf
from inputs import batches

AUTOTUNE = tf.data.AUTOTUNE


def main(model: tf.keras.Model):
    model.fit(batches("train-*"))
"""

    def test_nobody_goes_on(self, run: Check, project: Project) -> None:
        project({"inputs.py": self.BATCHES, "train.py": self.ENDS})
        assert told(run, "--select", "TFD101") == ["inputs.py:5 TFD101"]

    def test_another_file_goes_on(self, run: Check, project: Project) -> None:
        other = self.ENDS.replace('"train-*")', '"test-*").prefetch(AUTOTUNE)')
        project({"inputs.py": self.BATCHES, "train.py": self.ENDS, "evaluate.py": other})
        assert told(run, "--select", "TFD101") == []
        # Places are the same for all files, also behind letters of two bytes.
        project({"inputs.py": self.BATCHES.replace("(pattern).", '("données" or pattern).')})
        assert told(run, "--select", "TFD101") == []
        project({"evaluate.py": ""})
        assert told(run, "--select", "TFD101") == ["inputs.py:5 TFD101"]


class TestAllWaysThatLeadThere:
    """Of what must be so in all contexts, every file that leads there is asked."""

    MAKE = """\
import tensorflow as tf


def make(files, threads):
    ds = tf.data.TFRecordDataset(files)
    return ds.map(tf.io.decode_jpeg, num_parallel_calls=threads).batch(8).prefetch(2)
"""
    USE = """\
import tensorflow as tf
from data import make


def main(model: tf.keras.Model, flags):
    model.fit(make(["a", "b"], THREADS))
"""
    SAID = "`map` runs `tf.io.decode_jpeg` on one element at a time: `threads` is 1 in the call for "

    def use(self, threads: str) -> str:
        return self.USE.replace("THREADS", threads)

    def said(self, run: Check, *arguments: str) -> list[tuple[str, str, str]]:
        given = findings(run, "--no-cache", "--select", "TFD102", *arguments)
        return [(place(finding), finding["severity"], finding["message"]) for finding in given]

    @pytest.mark.parametrize("threads", ["8", "flags.threads", "tf.data.AUTOTUNE"])
    @pytest.mark.parametrize("name", ["a_train.py", "train.py"])
    def test_another_one_is_right(self, name: str, threads: str, run: Check, project: Project) -> None:
        project({"data.py": self.MAKE, "infer.py": self.use("1"), name: self.use(threads)})
        assert self.said(run) == []
        assert self.said(run, "--jobs", "2") == []
        project({"data.py": self.MAKE.replace("return", 'kind = "données"; return')})
        assert self.said(run) == []

    def test_all_are_wrong(self, run: Check, project: Project) -> None:
        """Those who call are named: it is their choice, so it is advice."""
        project({"data.py": self.MAKE, "infer.py": self.use("1"), "train.py": self.use("1")})
        ((where, severity, message),) = self.said(run)
        assert (where, severity) == ("data.py:6", "advice")
        assert message == f"{self.SAID}infer.py:6"

    def test_the_file_calls_it_itself(self, run: Check, project: Project) -> None:
        own = self.MAKE + self.use("8").partition("make\n")[2]
        project({"data.py": own, "infer.py": self.use("1")})
        assert self.said(run) == []
        project({"data.py": own.replace("8))", "1))"), "infer.py": self.use("8")})
        ((_, severity, message),) = self.said(run)
        assert severity == "advice"
        assert message == f"{self.SAID}data.py:10"
        assert findings(run, "--no-cache", "--select", "TFD102")[0]["fix"]["applicability"] == "unsafe"

    def test_a_test_says_nothing(self, run: Check, project: Project) -> None:
        project({"data.py": self.MAKE, "infer.py": self.use("1"), "test_data.py": self.use("8")})
        assert len(self.said(run)) == 1

    def test_files_of_which_only_one_is_several(self, run: Check, project: Project) -> None:
        project({"data.py": self.MAKE, "infer.py": self.use("8"), "train.py": self.use("8").replace(', "b"', "")})
        assert told(run, "--select", "TFD105") == []
        project({"train.py": self.use("4")})
        assert told(run, "--select", "TFD105") == ["data.py:5 TFD105"]

    def test_what_others_do_is_kept(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cache, "_STEP", -3600 * 10**9)
        root = project({"data.py": self.MAKE, "infer.py": self.use("1"), "train.py": self.use("8")})
        for _ in range(2):
            assert findings(run, "--select", "TFD102") == []
        (root / "train.py").write_text(self.use("1"))
        assert len(findings(run, "--select", "TFD102")) == 1
        (root / "train.py").write_text(self.use("8"))
        assert findings(run, "--select", "TFD102") == []


#: In the manner of zzh8829/yolov3-tf2: who trains prefetches, who validates does not.
YOLO_DATASET = """\
import tensorflow as tf


def load(pattern, size):
    files = tf.data.Dataset.list_files(pattern)
    dataset = files.flat_map(tf.data.TFRecordDataset)
    return dataset.map(lambda record: parse(record, size))


def parse(record, size):
    return tf.image.resize(tf.image.decode_jpeg(record), (size, size)), record


def scale(image, size):
    return tf.image.resize(image, (size, size)) / 255
"""
YOLO_TRAIN = """\
import tensorflow as tf
from absl.flags import FLAGS

import yolo.dataset as dataset

AUTOTUNE = tf.data.experimental.AUTOTUNE


def main(model: tf.keras.Model):
    train = dataset.load(FLAGS.train, FLAGS.size)
    train = train.shuffle(512).batch(8)
    train = train.map(lambda x, y: (dataset.scale(x, FLAGS.size), y))
    train = train.prefetch(AUTOTUNE)

    val = dataset.load(FLAGS.val, FLAGS.size)
    val = val.batch(8)
    val = val.map(lambda x, y: (dataset.scale(x, FLAGS.size), y))

    model.fit(train, validation_data=val)
"""


def test_a_script_that_goes_on_with_the_dataset_of_a_module(run: Check, project: Project) -> None:
    """The end is judged where it is, the way is shown through both files."""
    project({"yolo/__init__.py": "", "yolo/dataset.py": YOLO_DATASET, "train.py": YOLO_TRAIN})
    (finding,) = findings(run, "--no-cache", "--select", "TFD101")
    assert place(finding) == "train.py:17"
    assert finding["message"].endswith("consumes ends in `map` without `prefetch`")
    assert finding["fix"]["applicability"] == "safe"
    assert [f"{place(related)} {related['message']}" for related in finding["related"]] == [
        "yolo/dataset.py:5 the pipeline starts with `list_files`",
        "yolo/dataset.py:6 then comes `flat_map`",
        "yolo/dataset.py:7 then comes `map`",
        "train.py:19 consumed here",
    ]


class TestAllWaysToRun:
    FILES: Mapping[str, str | bytes] = {
        "a/evaluate.py": EVALUATE, "a/inputs.py": INPUTS, "a/train.py": TRAIN, "b/inputs.py": TestEnds.BATCHES,
        "b/train.py": TestEnds.ENDS, "c/inputs.py": TestSilence.SILENCED, "c/train.py": TRAIN,
        "d/data.py": TestAllWaysThatLeadThere.MAKE, "d/infer.py": TestAllWaysThatLeadThere.USE.replace("THREADS", "1"),
        "d/train.py": TestAllWaysThatLeadThere.USE.replace("THREADS", "8"),
        "train.py": YOLO_TRAIN, "yolo/dataset.py": YOLO_DATASET,
    }  # fmt: skip

    @pytest.fixture(autouse=True)
    def _files_are_old(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Files that were changed a moment ago are not told by their times."""
        monkeypatch.setattr(cache, "_STEP", -3600 * 10**9)

    def test_the_output_is_the_same(self, run: Check, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        # Several batches, even of so few files.
        monkeypatch.setattr(batches, "_BATCH_FILES", 2)
        project(self.FILES)
        serial = run("check", "--output-format", "json", "--no-cache", "--jobs", "1")
        assert serial.code == 1
        assert "inputs.py" in serial.out
        ways = {
            "two processes": ["--no-cache", "--jobs", "2"],
            "a cold cache": ["--jobs", "1", "--cache-dir", "one"],
            "a warm cache": ["--jobs", "1", "--cache-dir", "one"],
            "two processes, a cold cache": ["--jobs", "2", "--cache-dir", "two"],
            "two processes, a warm cache": ["--jobs", "2", "--cache-dir", "two"],
        }
        for way, options in ways.items():
            look_again()
            assert run("check", "--output-format", "json", *options) == serial, way

    @pytest.mark.parametrize(
        ("changed", "text", "expected"),
        [
            ("inputs.py", INPUTS.replace("dataset.cache()", "dataset"), []),
            ("inputs.py", "\n" + INPUTS, ["inputs.py:8"]),
            ("inputs.py", TestSilence.SILENCED, []),
            ("train.py", TRAIN.replace("random_flip", "flip"), []),
            ("train.py", "", []),
            ("tfdata-lint.toml", '[per-file-ignores]\n"inputs.py" = ["TFD302"]\n', []),
        ],
    )
    def test_what_is_cached_is_renewed(
        self, changed: str, text: str, expected: list[str], run: Check, project: Project
    ) -> None:
        root = project({"inputs.py": INPUTS, "train.py": TRAIN})
        assert [place(finding) for finding in findings(run)] == ["inputs.py:7"]
        (root / changed).write_text(text)
        look_again()
        assert [place(finding) for finding in findings(run)] == expected


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
class TestSinceRevision:
    """`--diff-base` lints what has changed, and tells what that brings wherever it is."""

    @pytest.fixture(autouse=True)
    def _no_settings_of_git(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def commit(self) -> None:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        for arguments in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "first"]):
            subprocess.run(["git", *arguments], check=True)

    def test_what_a_new_caller_brings(self, run: Check, project: Project) -> None:
        root = project({"inputs.py": INPUTS})
        self.commit()
        (root / "train.py").write_text(TRAIN)
        assert told(run, "--diff-base", "HEAD") == [FROZEN]

    def test_what_a_changed_caller_brings(self, run: Check, project: Project) -> None:
        root = project({"inputs.py": INPUTS, "train.py": TRAIN.replace("random_flip", "flip")})
        self.commit()
        (root / "train.py").write_text(TRAIN)
        assert told(run, "--diff-base", "HEAD") == [FROZEN]

    def test_a_change_that_brings_nothing(self, run: Check, project: Project) -> None:
        root = project({"inputs.py": INPUTS, "train.py": TRAIN, "other.py": TRAIN.replace("random_flip", "flip")})
        self.commit()
        (root / "other.py").write_text("import tensorflow as tf\n")
        assert told(run, "--diff-base", "HEAD") == []

    def test_an_old_finding_in_a_file_that_did_not_change(self, run: Check, project: Project) -> None:
        root = project({"inputs.py": INPUTS, "train.py": TRAIN})
        self.commit()
        (root / "train.py").write_text(TRAIN + "\n\nprint(1)\n")
        assert told(run, "--diff-base", "HEAD") == []


#: Makes batches, and who imports it trains on them without a word of tf.data.
BATCHES = """\
import tensorflow as tf


def batches():
    return tf.data.TFRecordDataset("train").shuffle(9).batch(8)
"""
TRAINER = """\
import tensorflow as tf
from inputs import batches


def main(model: tf.keras.Model):
    model.fit(batches())
"""


#: Neither has a word of tf.data; the map is in row 4.
USES = {
    "a loop over a call": (
        "from inputs import batches\n\nfor batch in batches().map(lambda x: tf.image.resize(x, [8, 8])):\n"
        "    tf.reduce_sum(batch)\n"
    ),
    "a loop over a name": (
        "import inputs\n\nresized = inputs.batches().map(lambda x: tf.image.resize(x, [8, 8]))\n"
        "for step, batch in enumerate(resized):\n    tf.reduce_sum(batch)\n"
    ),
    "a function that maps": (
        "from inputs import batches\n\ndef resized(): return batches().map(lambda x: tf.image.resize(x, [8, 8]))\n"
    ),
    "names of several": (
        "import inputs as io\ntrain, test = io.batches(), io.batches()\nresized = train.map(lambda x: tf.image.resize("
        "x, [8, 8]))\nprint([tf.shape(x) for x in resized])\n"
    ),
}


class TestConsumersWithoutTheWords:
    def test_what_they_lack(self, run: Check, project: Project) -> None:
        project({"inputs.py": BATCHES, "train.py": TRAINER})
        assert told(run, "--target-tensorflow", "2.10") == ["inputs.py:5 TFD101"]

    def test_one_that_imports_no_dataset(self, run: Check, project: Project) -> None:
        project({"inputs.py": "def batches():\n    return []\n", "train.py": TRAINER})
        assert told(run) == []

    @pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
    def test_one_that_loops_or_maps(self, use: str, run: Check, project: Project) -> None:
        project({"inputs.py": BATCHES, "train.py": f"import tensorflow as tf\n{use}"})
        assert "train.py:4 TFD102" in told(run, "--target-tensorflow", "2.5")

    def test_one_that_does_not_name_tensorflow(self, run: Check, project: Project) -> None:
        project({"inputs.py": BATCHES, "train.py": TRAINER.partition("\n")[2].replace(": tf.keras.Model", "")})
        assert told(run, "--target-tensorflow", "2.10") == ["inputs.py:5 TFD101"]

    def test_the_module_gets_a_dataset_later(self, run: Check, project: Project) -> None:
        root = project({"inputs.py": "def batches():\n    return []\n", "train.py": TRAINER})
        options = "--target-tensorflow", "2.10"
        assert findings(run, *options) == []
        (root / "inputs.py").write_text(BATCHES)
        look_again()
        assert [place(finding) for finding in findings(run, *options)] == ["inputs.py:5"]


def test_comments_are_added_where_the_findings_are(run: Check, project: Project) -> None:
    root = project({"inputs.py": INPUTS, "train.py": TRAIN})
    run("check", "--add-noqa", "--no-cache")
    assert (root / "inputs.py").read_text() == INPUTS.replace("cache()", "cache()  # tfdata-lint: ignore[TFD302]")
    look_again()
    assert told(run) == []


#: It has findings by itself, and others because another file uses it.
BOTH = """\
import tensorflow as tf


def parse(record):
    print(record)
    return tf.io.decode_jpeg(record)


def dataset(pattern):
    files = tf.data.Dataset.list_files(pattern)
    return tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg, num_parallel_calls=8)
"""
USE_BOTH = """\
import tensorflow as tf
from inputs import dataset, parse


def main(model: tf.keras.Model):
    model.fit(dataset("train-*").shuffle(99).batch(8))
    for image in tf.data.TFRecordDataset("test").map(parse).batch(8):
        model(image)
"""


@pytest.mark.parametrize("name", ["a_train.py", "train.py"])
def test_comments_are_added_in_one_run(name: str, run: Check, project: Project) -> None:
    """Also in a file that gets some for what it is found to have by itself; and none is unused then."""
    project({"inputs.py": BOTH, name: USE_BOTH})
    before = told(run)
    assert {place.partition(":")[0] for place in before} == {"inputs.py", name}
    done = run("check", "--add-ignore", "--no-cache")
    assert (done.code, done.out) == (0, f"Suppressed {len(before)} findings in 2 files.\n")
    assert told(run) == []
    assert run("check", "--add-ignore", "--no-cache").out == "Nothing to suppress.\n"
    assert sorted(told(run, "--ignore-noqa")) == sorted(before)


def test_the_diff_of_all_comments(run: Check, project: Project) -> None:
    root = project({"inputs.py": BOTH, "train.py": USE_BOTH})
    number = len(told(run))
    done = run("check", "--add-ignore", "--no-cache", "--diff")
    assert (done.code, done.err) == (1, f"Would suppress {number} findings in 2 files.\n")
    assert done.out.count("+++ ") == 2
    assert (root / "inputs.py").read_text() == BOTH


def test_what_was_fixed_is_not_told_again_at_an_old_place(run: Check, project: Project) -> None:
    """The script is read first, and the fix moves the finding in the helper."""
    inputs = INPUTS.replace(
        "tf.data.AUTOTUNE)\n    return dataset.cache()", "tf.data.experimental.AUTOTUNE).cache()\n    return dataset"
    )
    project({"inputs.py": inputs, "a_train.py": TRAIN})
    done = run("check", "--fix", "--no-cache", "--output-format", "concise")
    again = run("check", "--no-cache", "--output-format", "concise")
    assert re.findall(r".*TFD302", done.out) == re.findall(r".*TFD302", again.out) != []


def test_a_pipeline_is_shown_with_the_files_of_its_stages(run: Check, project: Project) -> None:
    project({"lib/inputs.py": BATCHES, "train.py": TRAINER.replace("from inputs", "from lib.inputs")})
    out = run("graph", "train.py").out
    assert "lib/inputs.py:5" in out
    assert "fitted at line 6" in out


def test_the_constructor_of_an_imported_class_decides(run: Check, project: Project) -> None:
    """Nothing random is mapped where the flag is off."""
    library = """\
import tensorflow as tf


class Prepare:
    def __init__(self, train):
        self._train = train

    def __call__(self, image):
        return tf.image.random_flip_left_right(image) if self._train else image * 2.0
"""
    script = """\
import tensorflow as tf
from library import Prepare

dataset = tf.data.TFRecordDataset("a").map(tf.io.decode_jpeg).map(Prepare(train=False)).cache().batch(8)
for epoch in range(3):
    for batch in dataset.prefetch(tf.data.AUTOTUNE):
        total = tf.reduce_sum(batch)
"""
    root = project({"library.py": library, "script.py": script})
    assert "TFD302" not in " ".join(told(run))
    (root / "script.py").write_text(script.replace("False", "True"))
    assert "script.py:4 TFD302" in told(run)


def test_a_choice_is_seen_in_the_file_that_makes_it(run: Check, project: Project) -> None:
    """Who moves channels to the front because a flag says so has chosen, whoever imports that."""
    library = """\
import tensorflow as tf


class Prepare:
    def __init__(self, data_format):
        self._data_format = data_format

    def __call__(self, image):
        image = tf.image.random_flip_left_right(image)
        if self._data_format == "channels_first":
            image = tf.transpose(image, [2, 0, 1])
        return image


def dataset(images, data_format):
    return tf.data.Dataset.from_tensor_slices(images).map(Prepare(data_format), num_parallel_calls=tf.data.AUTOTUNE)
"""
    script = """\
import tensorflow as tf
from library import dataset


def train(model, images, flags):
    model.fit(dataset(images, flags.data_format).batch(8).prefetch(2))
"""
    root = project({"library.py": library, "script.py": script})
    assert "TFD601" not in " ".join(told(run))
    always = library.replace('        if self._data_format == "channels_first":\n            image', "        image")
    (root / "library.py").write_text(always)
    assert "library.py:15 TFD601" in told(run)


#: A decorator of the project that hands functions to Python.
IN_PYTHON = """\
import numpy as np
import tensorflow as tf


def in_python(output_types):
    def decorator(function):
        def call(*args):
            return tf.nest.pack_sequence_as(output_types, tf.numpy_function(function, args, output_types))

        return call

    return decorator


def numbered(rows, output_types):
    dataset = tf.data.Dataset.range(len(rows))

    @in_python(output_types)
    def to_row(number):
        return rows[number]

    return dataset.map(to_row, num_parallel_calls=4)


class Reader:
    def __len__(self):
        return 100

    def __getitem__(self, number):
        return np.zeros(3) if np.random.random() < 0.9 else np.ones(3)

    def dataset(self, batch_size):
        return numbered(self, "float32").batch(batch_size).prefetch(4)
"""


def test_what_a_decorator_of_the_project_hands_to_python_is_not_traced(run: Check, project: Project) -> None:
    train = "import tensorflow as tf\nfrom reader import Reader\n\nfor x in Reader().dataset(4):\n    train_step(x)\n"
    project({".git/HEAD": "", "reader.py": IN_PYTHON, "train.py": train})
    assert "TFD203" not in run("check", ".", "--no-cache", "--select", "TFD203", "--output-format", "concise").out
    project({"reader.py": IN_PYTHON.replace("    @in_python(output_types)\n", "")})
    assert "TFD203" in run("check", ".", "--no-cache", "--select", "TFD203", "--output-format", "concise").out


#: Lists that one method fills and another splits.
LOADER = """\
import numpy as np
import tensorflow as tf


class Loader:
    def __init__(self, n):
        self.points = []
        self.labels = []
        self.n = n

    def read(self, files):
        for file in files:
            self.points.append(np.load(file)["x"])
            self.labels.append(np.load(file)["y"])

    def _sample(self):
        for i in range(len(self.points)):
            self.points[i] = self.points[i][: self.n]
        self.points = np.array(self.points)
        self.labels = np.array(self.labels)

    def _make(self, points, labels, batch_size, is_training):
        ds = tf.data.Dataset.from_tensor_slices((points, labels))
        ds = ds.shuffle(batch_size * 100) if is_training else ds
        return ds.batch(batch_size)

    def datasets(self, val_split=0.2, batch_size=16):
        self._sample()
        at = int(len(self.points) * (1 - val_split))
        train_points = self.points[:at]
        train_labels = self.labels[:at]
        val_points = self.points[at:]
        val_labels = self.labels[at:]
        train = self._make(train_points, train_labels, batch_size, is_training=True)
        val = self._make(val_points, val_labels, batch_size, is_training=False)
        return train, val
"""


def test_lists_that_other_methods_fill_are_not_empty(run: Check, project: Project) -> None:
    train = (
        "import tensorflow as tf\nfrom loader import Loader\n\nloader = Loader(10)\nloader.read(FILES)\n"
        "train, val = loader.datasets()\nmodel.fit(train, validation_data=val, epochs=3)\n"
    )
    project({".git/HEAD": "", "loader.py": LOADER, "train.py": train})
    assert "TFD414" not in run("check", ".", "--no-cache", "--output-format", "concise").out
    project({"loader.py": LOADER.replace("[:at]", "").replace("[at:]", "")})
    assert "TFD414" in run("check", ".", "--no-cache", "--output-format", "concise").out


def test_what_a_script_gives_a_function_is_told_in_its_module(run: Check, project: Project) -> None:
    """Bytes where text is meant, floats that are not scaled, and a size that the strategy divides again."""
    library = """\
import tensorflow as tf


def lines(names):
    for name in names:
        with open("texts/" + name) as file:
            yield file.read()


def prepare(example):
    image = tf.image.resize(example["image"], [128, 128])
    return tf.image.convert_image_dtype(image, tf.float32), example["label"]


def batches(files, batch_size):
    return tf.data.TFRecordDataset(files).batch(batch_size)
"""
    script = """\
import tensorflow as tf
import tensorflow_datasets as tfds
from library import batches, lines, prepare

PER_REPLICA_BATCH_SIZE = 8
signature = tf.TensorSpec([], tf.string)
texts = tf.data.Dataset.from_generator(lines, args=(["a.txt"],), output_signature=signature)
images = tfds.load("tf_flowers", split="train").map(prepare)
strategy = tf.distribute.MirroredStrategy()
ds = strategy.experimental_distribute_dataset(batches(["a.tfrecord"], PER_REPLICA_BATCH_SIZE))
"""
    root = project({"library.py": library, "script.py": script})
    codes = ("--select", "TFD205,TFD430,TFD805")
    assert told(run, *codes) == ["library.py:6 TFD205", "library.py:12 TFD430", "library.py:16 TFD805"]
    healthy = library.replace("+ name", "+ name.decode()").replace('example["image"]', 'example["image"] / 255')
    (root / "library.py").write_text(healthy)
    (root / "script.py").write_text(script.replace("PER_REPLICA", "GLOBAL"))
    assert told(run, *codes) == []


def test_what_may_be_none_is_not_given(run: Check, project: Project) -> None:
    library = """\
import tensorflow as tf


class Trainer:
    def fit(self, data, sample_weight=None):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.model.compile("sgd", "mse")
        self.model.fit(data.batch(8), sample_weight=sample_weight)
"""
    script = """\
import tensorflow as tf
from library import Trainer


def train(rows, sample_weight=None):
    Trainer().fit(tf.data.Dataset.from_tensor_slices(rows), sample_weight=sample_weight)
"""
    root = project({"library.py": library, "script.py": script})
    assert told(run, "--select", "TFD407") == []
    (root / "script.py").write_text(script.replace("=sample_weight)", "=tf.ones(len(rows)))"))
    assert told(run, "--select", "TFD407") == ["library.py:8 TFD407"]


def test_a_script_that_sets_the_seed_gives_all_workers_one_order(run: Check, project: Project) -> None:
    library = """\
import tensorflow as tf


def files(names, rank, size):
    return tf.data.Dataset.from_tensor_slices(names).shuffle(len(names)).shard(size, rank)
"""
    script = """\
import tensorflow as tf
from library import files

tf.keras.utils.set_random_seed(1)
for name in files(NAMES, RANK, SIZE).batch(1).prefetch(1):
    train(name)
"""
    project({"library.py": library, "test_library.py": script, "train.py": script.replace("tf.keras.utils.set", "# ")})
    assert told(run, "--select", "TFD310") == ["library.py:5 TFD310"]
    project({"library.py": library, "train.py": script})
    assert told(run, "--select", "TFD310") == []


def test_a_decorator_of_the_package_that_calls_python(run: Check, project: Project) -> None:
    package = """\
import tensorflow as tf


def in_python(function):
    def wrapper(self, x):
        return tf.py_function(lambda x: function(self, x), inp=(x,), Tout=tf.float32)
    return wrapper


from package.loader import Loader
"""
    loader = """\
import time

import package
import tensorflow as tf


class Loader:
    def __init__(self, files):
        self.files, self.spent = files, 0

    def get(self):
        ds = tf.data.TFRecordDataset(self.files).map(self.read)
        return ds.batch(8).prefetch(1)

    @package.in_python
    def read(self, x):
        start = time.time()
        self.spent += time.time() - start
        return x
"""
    project({"setup.py": "", "package/__init__.py": package, "package/loader.py": loader})
    assert told(run, "--select", "TFD203,TFD204") == []
