"""What was measured, brought to findings: kept where the pipeline is the same, stale where it is another one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from schemas import schema, validator

from tfdata_lint import Settings, lint_source
from tfdata_lint.config.target import NEWEST
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.rules import entry_of, rule
from tfdata_lint.run.evidence.known import HELD, STEADY, TIMED
from tfdata_lint.run.evidence.ledger import Entry, dump, merged
from tfdata_lint.verify.model import Environment, Place, Run, Target
from tfdata_lint.verify.remembering import remembered
from tfdata_lint.verify.verdicts import Verdict, Verification

Runner = Callable[..., Any]
Project = Callable[[Mapping[str, "str | bytes"]], Path]

VERSION = "{}.{}".format(*NEWEST)
LEDGER = "tfdata-lint-evidence.json"
PIPELINE = """\
import tensorflow as tf

def augment(image):
    image = tf.image.random_flip_left_right(image)  # at random
    return tf.image.random_brightness(image, 0.1)

files = tf.io.gfile.glob("records/*")
ds = tf.data.TFRecordDataset(files, num_parallel_reads=8).shuffle(100)
ds = ds.map(augment)
ds = ds.batch(32)
ds = ds.prefetch(tf.data.AUTOTUNE)
model.fit(ds)
"""
CHAIN = """\
ds = tf.data.TFRecordDataset(files, num_parallel_reads=8).shuffle(100)
ds = ds.map(augment)
ds = ds.batch(32)
ds = ds.prefetch(tf.data.AUTOTUNE)
"""
#: What leaves the pipeline as it is.
KEPT = {
    "nothing": PIPELINE,
    "rename of a function": PIPELINE.replace("augment", "flipped"),
    "rename of variables": re.sub(r"\bds\b", "dataset", PIPELINE).replace("image = ", "x = ").replace("(image", "(x"),
    "comments": PIPELINE.replace("# at random", "").replace("ds = ds.map", "# each\n# image\n\nds = ds.map"),
    "layout": PIPELINE.replace("ds.map(augment)\nds = ds.batch(32)", "(ds\n    .map(augment)\n    .batch(32))"),
    "helper for the pipeline": PIPELINE.replace(
        CHAIN,
        "def make(names, size):\n" + re.sub("(?m)^", "    ", CHAIN.replace("files", "names").replace("32", "size"))
        + "return ds\nds = make(files, 32)\n",
    ),
    "helper of the function": PIPELINE.replace("return tf", "return dark(image)\n\ndef dark(image):\n    return tf"),
    "lambda": PIPELINE.replace("map(augment)", "map(lambda one: augment(one))"),
    "name of a constant": PIPELINE.replace("batch(32)", "batch(SIZE)").replace("files =", "SIZE = 32\nfiles ="),
    "other code": PIPELINE.replace("model.fit(ds)", "print('now')\nmodel.fit(ds)"),
}  # fmt: skip
#: What makes it another one.
STALE = {
    "stage added": PIPELINE.replace("batch(32)", "batch(32).repeat(2)"),
    "stage taken out": PIPELINE.replace(".shuffle(100)", ""),
    "stages swapped": PIPELINE.replace(".shuffle(100)", "").replace("batch(32)", "shuffle(100).batch(32)"),
    "argument": PIPELINE.replace("batch(32)", "batch(64)"),
    "function": PIPELINE.replace("random_brightness(image, 0.1)", "random_contrast(image, 0.1, 0.3)"),
    "constant in the function": PIPELINE.replace("0.1)", "0.2)"),
    "consumer": PIPELINE.replace("model.fit(ds)", "for x in ds:\n    model.train_on_batch(x)"),
    "another pipeline": PIPELINE + "model.evaluate(ds.take(2))\n",
}


def found(text: str) -> Diagnostic:
    """The `map` in one thread."""
    settings = Settings(with_standing=True, with_edits=False)
    return next(d for d in lint_source(text, settings=settings).diagnostics if d.code == "TFD102")


def entry(**more: Any) -> Entry:
    values: dict[str, Any] = {
        "rule": "TFD102", "pipelines": found(PIPELINE).standing.digests, "tensorflow": VERSION, "outcome": "refuted",
        "reason": "below-threshold", "detail": "With the fix it is 1.01 times as fast", "path": "train.py",
        "target": "train.py",
    }  # fmt: skip
    return Entry(**(values | more))


def findings(run: Runner, *options: str) -> dict[str, Any]:
    """As JSON, by code."""
    done = run("check", "train.py", "--evidence", LEDGER, "--no-cache", "--output-format", "json", *options)
    listed = json.loads(done.out)
    validator(schema("findings")).validate(listed)
    return {one["code"]: one for one in listed}


@pytest.mark.parametrize("edit", KEPT)
def test_a_verdict_is_kept(run: Runner, project: Project, edit: str) -> None:
    project({"train.py": KEPT[edit], LEDGER: dump([entry()])})
    seen = findings(run)["TFD102"]
    assert (seen["evidence"]["kind"], seen["evidence"]["folded"]) == ("refuted", True)


@pytest.mark.parametrize("edit", STALE)
def test_a_verdict_is_stale(run: Runner, project: Project, edit: str) -> None:
    """And says so, where the finding is still there."""
    project({"train.py": STALE[edit], LEDGER: dump([entry()])})
    seen = findings(run)["TFD102"]
    assert (seen["evidence"]["kind"], seen["evidence"]["folded"]) == ("stale", False)
    assert "are out of date" in run("check", "train.py", "--evidence", LEDGER).out


def test_another_tensorflow_makes_it_stale(run: Runner, project: Project) -> None:
    project({"train.py": PIPELINE, LEDGER: dump([entry()])})
    seen = findings(run, "--target-tensorflow", "2.10")["TFD102"]["evidence"]
    assert seen["kind"] == "stale"
    assert f"measured on TensorFlow {VERSION}, but the target is 2.10" in seen["text"]
    (Path(LEDGER)).write_text(dump([entry(tensorflow="2.10"), entry(outcome="confirmed")]))
    assert findings(run, "--target-tensorflow", "2.10")["TFD102"]["evidence"]["kind"] == "refuted"
    assert findings(run)["TFD102"]["evidence"]["kind"] == "confirmed"


def test_text_counts_what_is_folded_and_the_exit_code_stays(run: Runner, project: Project) -> None:
    project({"train.py": PIPELINE, LEDGER: dump([entry()])})
    plain, folded = run("check", "train.py"), run("check", "train.py", "--evidence", LEDGER)
    assert (plain.code, folded.code) == (1, 1)
    assert "TFD102" in plain.out
    assert "TFD102" not in folded.out
    assert "1 of them is folded: measurements show that it gains nothing (`--no-evidence` shows it)." in folded.out
    confirmed = dump([entry(outcome="confirmed", reason="speedup")])
    Path(LEDGER).write_text(confirmed)
    shown = run("check", "train.py", "--evidence", LEDGER).out
    assert f"= measured: confirmed on TensorFlow {VERSION}: with the fix it is 1.01 times as fast" in shown


def test_settings_name_evidence(run: Runner, project: Project) -> None:
    """Unless the command line says otherwise: a checkout does not silence what a reviewer asks for."""
    project({"train.py": PIPELINE, LEDGER: dump([entry()]), "tfdata-lint.toml": f'evidence = ["{LEDGER}"]'})
    Path("own.toml").write_text("")
    assert "TFD102" not in run("check", "train.py").out
    for options in (
        ["--no-evidence"], ["--isolated"], ["--config", "own.toml"], ["--select", "TFD102"],
        ["--extend-select", "TFD1"], ["--ignore-noqa"],
    ):  # fmt: skip
        assert "TFD102" in run("check", "train.py", *options).out, options
    # Who names it there means it.
    assert "TFD102" not in run("check", "train.py", "--select", "TFD102", "--evidence", LEDGER).out


def test_a_file_outside_of_the_project_is_refused(run: Runner, project: Project) -> None:
    project({"train.py": PIPELINE, "tfdata-lint.toml": 'evidence = ["../elsewhere.json"]'})
    done = run("check", "train.py")
    assert done.code == 2
    assert "`evidence` leads out of the project; only --evidence may name such a place" in done.err


def test_a_fix_that_was_refuted_is_not_made(run: Runner, project: Project) -> None:
    project({"train.py": PIPELINE, LEDGER: dump([entry()])})
    assert "AUTOTUNE)" in run("check", "train.py", "--diff", "--unsafe-fixes").out
    assert run("check", "train.py", "--diff", "--unsafe-fixes", "--evidence", LEDGER).out == ""


def test_formats_mark_what_is_folded(run: Runner, project: Project) -> None:
    project({"train.py": PIPELINE, LEDGER: dump([entry()])})

    def output(form: str, *options: str) -> str:
        done = run("check", "train.py", "--output-format", form, *options)
        return next((row for row in done.out.splitlines() if "TFD102" in row or "sequential" in row), "")

    assert output("github").startswith("::warning ")
    assert output("github", "--evidence", LEDGER).startswith("::notice ")
    assert "Folded: refuted on" in output("github", "--evidence", LEDGER)
    assert output("azure", "--evidence", LEDGER).startswith("train.py:9:9: warning TFD102")
    for form in ("markdown", "pylint", "json-lines"):
        assert "refuted on TensorFlow" in output(form, "--evidence", LEDGER), form
    reports = {
        form: run("check", "train.py", "--output-format", form, "--evidence", LEDGER).out
        for form in ("sarif", "gitlab", "junit", "rdjson")
    }
    results = {one["ruleId"]: one for one in json.loads(reports["sarif"])["runs"][0]["results"]}
    assert results["TFD102"]["level"] == "note"
    assert results["TFD102"]["suppressions"][0]["kind"] == "external"
    assert all("suppressions" not in one for code, one in results.items() if code != "TFD102")
    gitlab = {one["check_name"]: one["severity"] for one in json.loads(reports["gitlab"])}
    assert gitlab["sequential-map"] == "info"
    severities = {one["code"]["value"]: one["severity"] for one in json.loads(reports["rdjson"])["diagnostics"]}
    assert severities["TFD102"] == "INFO"
    assert '<skipped type="warning"' in reports["junit"]


# ── what may fold what ──────────────────────────────────────────────────────────────────────────────────────────────


def test_rules_about_time_are_about_nothing_else() -> None:
    for code in TIMED | HELD:
        known = entry_of(code)
        assert known is not None, code
        assert known.group in ("performance", "advice", "pedantic"), code
        asked = rule(code)
        assert asked is not None
        assert asked.experiment in (("memory",) if code in HELD else ("speed", "share", "again")), code
    assert not HELD & STEADY


SPLIT = """\
import tensorflow as tf

ds = tf.data.Dataset.range(100).shuffle(100)
train, test = ds.skip(10), ds.take(10)
model.fit(train.batch(8), validation_data=test.batch(8))
"""


def test_a_ledger_never_folds_what_is_wrong(run: Runner, project: Project) -> None:
    settings = Settings(with_standing=True, with_edits=False)
    found = {d.code: d for d in lint_source(SPLIT, settings=settings).diagnostics}
    forged = [
        entry(rule=code, pipelines=one.standing.digests, reason=reason)
        for code, one in found.items()
        if code not in TIMED and one.standing.digests
        for reason in ("below-threshold", "not-shown", "runtime-already-does-it", "not-bottleneck")
    ]
    assert "TFD404" in {one.rule for one in forged}
    for one in forged:
        project({"train.py": SPLIT, LEDGER: dump([one])})
        seen = findings(run)
        assert seen[one.rule]["evidence"]["kind"] == "refuted"
        assert not seen[one.rule]["evidence"]["folded"], one


# ── runs ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def place(row: int, column: int, end_column: int) -> dict[str, Any]:
    rows = {"row": row, "column": column, "end_row": row, "end_column": end_column}
    return {"file": "train.py", **rows, "function": "<module>"}


def observed(share: float | None, at_most: float | None = None, **more: Any) -> dict[str, Any]:
    """A `run.tfdata.json` of the pipeline."""
    waiting = None if share is None else {"share": share, "at_most": at_most, "source": "windows", "waits": 120}
    pipeline = {
        "consumer": "fit",
        "place": place(12, 0, 13),
        "waiting": waiting,
        "fast_enough": None if share is None else share < 0.05,
        "elements_per_s": {"median": 65.0, "low": 61.0, "high": 68.0, "windows": 5, "confidence": 0.95},
        "written": [{"id": 2, "op": "Map", "inputs": [1], "nested": [], "place": place(9, 5, 20), "called_at": None}],
        "stages": [{"op": "ParallelMap", "from": [2], **place(9, 5, 20), "share": 0.71, "calls": 5, "own_ms": 1.0}],
        "problem": "",
    }
    head = {"format": 1, "tensorflow": f"{VERSION}.0", "cores": 2, "gpus": []}
    return head | {"pipelines": [pipeline | more.pop("pipeline", {})]} | more


def test_what_costs_most_comes_first(run: Runner, project: Project) -> None:
    text = PIPELINE.replace("tf.data.AUTOTUNE)", "tf.data.experimental.AUTOTUNE)").replace(
        "files =", "old = tf.data.experimental.AUTOTUNE\nfiles ="
    )
    run_seen = observed(0.43)
    project({"train.py": text, LEDGER: json.dumps(run_seen).replace('"row": 9', '"row": 10').replace(
        '"end_row": 9', '"end_row": 10')})  # fmt: skip
    done = run("check", "train.py", "--evidence", LEDGER)
    first = re.findall(r"(?m)^train.py:\d+:\d+: \w+ (TFD\d+)", done.out)
    assert first[0] == "TFD102"
    assert first[1:] == ["TFD701"] * len(first[1:]) != []
    assert "= measured: this `map` takes 71 % of the input time; `fit` waits for 43 % of its time\n" in done.out


@pytest.mark.parametrize(
    ("seen", "kind", "folded"),
    [
        (observed(0.0, 0.0), "enough", True),
        (observed(0.01, 0.03), "enough", True),
        (observed(0.01, 0.3), "waits", False),
        (observed(0.43), "waits", False),
        (observed(None), "measured", False),
        (observed(0.01, tensorflow="2.9.1"), "stale", False),
        (observed(0.01, pipeline={"problem": "it ended too early"}), "enough", False),
    ],
)
def test_what_a_run_says(run: Runner, project: Project, seen: dict[str, Any], kind: str, folded: bool) -> None:
    project({"train.py": PIPELINE, LEDGER: json.dumps(seen)})
    evidence = findings(run)["TFD102"]["evidence"]
    assert (evidence["kind"], evidence["folded"]) == (kind, folded)


def test_what_a_function_makes_counts_for_the_stage_that_calls_it(run: Runner, project: Project) -> None:
    """A sequential interleave does nothing itself: it takes from readers."""
    seen = observed(0.43)
    (pipeline,) = seen["pipelines"]
    pipeline["written"][0]["nested"] = [7]
    pipeline["stages"].append({"op": "TFRecord", "from": [7], **place(9, 5, 20), "share": 0.1, "calls": 5, "own_ms": 1})
    project({"train.py": PIPELINE, LEDGER: json.dumps(seen)})
    assert findings(run)["TFD102"]["evidence"]["text"].startswith("this `map` takes 81 % of the input time; ")


CACHED = """\
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(images)
ds = ds.cache()
ds = ds.map(tf.io.decode_jpeg, num_parallel_calls=tf.data.AUTOTUNE).batch(8).prefetch(tf.data.AUTOTUNE)
model.fit(ds, epochs=9)
"""


def test_a_cache_at_the_wrong_place_is_not_said_to_take_little(run: Runner, project: Project) -> None:
    """What costs is what follows it."""
    at = place(4, 5, 15)
    written = [{"id": 2, "op": "Cache", "inputs": [1], "nested": [], "place": at, "called_at": None}]
    stages = [{"op": "MemoryCache", "from": [2], **at, "share": 0.01, "calls": 5, "own_ms": 1.0}]
    seen = observed(0.43, pipeline={"written": written, "stages": stages, "place": place(6, 0, 24)})
    project({"train.py": CACHED, LEDGER: json.dumps(seen)})
    assert findings(run)["TFD301"]["evidence"]["text"] == "`fit` waits for 43 % of its time"


def test_only_a_part_of_the_pipelines_ran(run: Runner, project: Project) -> None:
    """What was not seen may wait."""
    project({"train.py": PIPELINE + "model.evaluate(ds.take(2))\n", LEDGER: json.dumps(observed(0.01))})
    evidence = findings(run)["TFD102"]["evidence"]
    assert not evidence["folded"]
    assert evidence["text"].endswith("only 1 of the 2 pipelines that use it ran")


def test_another_place_or_operation_is_not_meant(run: Runner, project: Project) -> None:
    project({"train.py": "\n" + PIPELINE, LEDGER: json.dumps(observed(0.01))})
    assert findings(run)["TFD102"]["evidence"] is None
    text = json.dumps(observed(0.01)).replace('"Map"', '"Batch"')
    project({"train.py": PIPELINE, LEDGER: text})
    assert findings(run)["TFD102"]["evidence"] is None


def test_a_run_speaks_against_a_verdict_by_waiting(run: Runner, project: Project) -> None:
    """That nothing could be gained as nothing waited does not hold where something waits."""
    project(
        {"train.py": PIPELINE, LEDGER: dump([entry(reason="not-bottleneck")]), "run.json": json.dumps(observed(0.4))}
    )
    assert findings(run)["TFD102"]["evidence"]["folded"]
    evidence = findings(run, "--evidence", "run.json")["TFD102"]["evidence"]
    assert evidence["kind"] == "refuted"
    assert not evidence["folded"]
    assert "`fit` waits for 40 % of its time" in evidence["text"]


# ── files of strangers ──────────────────────────────────────────────────────────────────────────────────────────────

GOOD = observed(0.4)
HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "no JSON": b"{",
    "no UTF-8": b'{"format": 1, "\xff": 2}',
    "a list": b"[]",
    "another thing": b"{}",
    "nested": b'{"format": 1, "pipelines": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "huge number": b'{"format": 1, "pipelines": [{"consumer": "fit", "waiting": {"share": 1e999}}]}',
    "huge integer": b'{"format": 1, "cores": ' + b"9" * 10_000 + b', "pipelines": []}',
    "no number": b'{"format": 1, "pipelines": [{"waiting": {"share": NaN}}]}',
    "negative": b'{"format": 1, "pipelines": [{"waiting": {"share": -1}}]}',
    "wrong type": b'{"format": 1, "pipelines": [{"waiting": 3}]}',
    "a text": b'{"format": 1, "pipelines": "all"}',
    "another format": b'{"format": 2, "pipelines": []}',
    "format true": b'{"format": true, "pipelines": []}',
    "many pipelines": b'{"format": 1, "pipelines": [' + b"{}," * 1_000 + b"{}]}",
    "absolute": json.dumps(observed(0.4, pipeline={"place": place(12, 0, 13) | {"file": "/etc/passwd"}})).encode(),
    "outside": json.dumps(observed(0.4, pipeline={"place": place(12, 0, 13) | {"file": "a/../../b.py"}})).encode(),
    "verify: another schema": b'{"run": {}, "schema": 9}',
    "verify: no run": b'{"run": [], "schema": 1}',
    "verify: frames": b'{"schema": 1, "run": {"pipelines": [{"frames": [3]}]}}',
    "ledger: another version": b'{"version": 7, "verdicts": []}',
    "ledger: an entry": b'{"version": 1, "verdicts": [3]}',
    "ledger: an outcome": b'{"version": 1, "verdicts": [{"rule": "TFD101", "pipelines": ["a"], "outcome": "gone"}]}',
    "ledger: digests": b'{"version": 1, "verdicts": [{"rule": "TFD101", "pipelines": "abc", "outcome": "refuted"}]}',
    "ledger: no version": b'{"version": 1, "verdicts": [{"rule": "TFD1", "pipelines": ["a"], "outcome": "refuted"}]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_broken_file_is_one_clear_error(run: Runner, project: Project, name: str) -> None:
    project({"train.py": PIPELINE, LEDGER: HOSTILE[name]})
    done = run("check", "train.py", "--evidence", LEDGER)
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"tfdata-lint: error: {LEDGER}")
    assert len(line) < 300


def test_what_is_no_file(run: Runner, project: Project) -> None:
    root = project({"train.py": PIPELINE})
    (root / "folder").mkdir()
    with (root / "large.json").open("wb") as large:
        large.truncate(20_000_000)
    for name, why in (
        ("folder", "folder cannot be read: this is a folder and no regular file"),
        ("missing", "no such evidence file: missing"),
        ("large.json", "large.json cannot be read: this file has more than 16 MB, and no more are read"),
    ):
        done = run("check", "train.py", "--evidence", name)
        assert (done.code, done.err) == (2, f"tfdata-lint: error: {why}\n")


def test_texts_of_a_file_cannot_steer_a_terminal(run: Runner, project: Project) -> None:
    detail = "\x1b[2J\n::error::now " + "long " * 500
    project({"train.py": PIPELINE, LEDGER: dump([entry(outcome="confirmed", detail=detail)])})
    shown = run("check", "train.py", "--evidence", LEDGER).out
    assert "\x1b" not in shown
    assert "\n::error" not in run("check", "train.py", "--evidence", LEDGER, "--output-format", "github").out
    assert max(map(len, shown.splitlines())) < 600


# ── the ledger ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_ledger_is_brought_up_to_date() -> None:
    old = entry(pipelines=("old",))
    of_another_target = entry(pipelines=("other",), target="evaluate.py")
    of_another_version = entry(pipelines=("old",), tensorflow="2.15")
    new = entry(outcome="confirmed")
    known = [old, of_another_target, of_another_version, entry()]
    after = merged(known, [new], [("TFD102", "train.py", "train.py")])
    assert after == sorted([of_another_target, of_another_version, new])
    assert merged(after, [new], ()) == after


def test_a_ledger_is_as_its_schema_says() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = Path(dump.__code__.co_filename).with_name("ledger.schema.json")
    for ledger in ([], [entry(), entry(path="")]):
        jsonschema.validate(json.loads(dump(ledger)), json.loads(schema.read_text("utf-8")))


def verdict(code: str, outcome: str, digests: tuple[str, ...] = ("a",)) -> Verdict:
    here = Place(str(Path("train.py").resolve()), 9)
    return Verdict(code, "", "", here, "", outcome, "speedup", "It is", pipelines=digests)  # type: ignore[arg-type]


def verification(*verdicts: Verdict, stopped: str = "") -> Verification:
    environment = Environment("3.11", f"{VERSION}.0", "", 2, (), "Linux")
    run = Run(Target("script", "train.py"), "python", environment=environment)
    return Verification(run, verdicts, stopped=stopped)  # type: ignore[arg-type]


def test_verdicts_are_remembered(project: Project) -> None:
    root = project({LEDGER: dump([entry(pipelines=("old",)), entry(rule="TFD101", pipelines=("old",))])})
    verdicts = verdict("TFD102", "confirmed"), verdict("TFD103", "inconclusive"), verdict("TFD104", "refuted", ())
    text, told = remembered(LEDGER, verification(*verdicts))
    kept = {(one["rule"], *one["pipelines"], one["outcome"]) for one in json.loads(text)["verdicts"]}
    assert kept == {("TFD101", "old", "refuted"), ("TFD102", "a", "confirmed")}
    assert told.startswith(f"{LEDGER} has 2 verdicts: 1 written, 1 removed; 1 cannot be stored")
    assert str(root) not in text
    assert remembered("other.json", verification(verdict("TFD102", "confirmed")))[1].startswith(
        "other.json has 1 verdict:"
    )
    # Where it was ended, what is not judged may hold still.
    text, _ = remembered(LEDGER, verification(*verdicts, stopped="budget"))
    assert len(json.loads(text)["verdicts"]) == 3


def test_options_that_do_not_go_together(run: Runner, project: Project) -> None:
    project({"train.py": PIPELINE, LEDGER: dump([])})
    done = run("check", "train.py", "--ledger", LEDGER)
    assert (done.code, "--ledger needs --verify TARGET" in done.err) == (2, True)
    done = run("check", "train.py", "--evidence", LEDGER, "--no-evidence")
    assert (done.code, "--no-evidence cannot be combined with --evidence or --profile" in done.err) == (2, True)


# ── two runs ────────────────────────────────────────────────────────────────────────────────────────────────────────


def rate(median: float, half: float | None = 0.02) -> dict[str, Any]:
    low, high = (None, None) if half is None else (median * (1 - half), median * (1 + half))
    return {"elements_per_s": {"median": median, "low": low, "high": high, "windows": 5}}


@pytest.mark.parametrize(
    ("before", "after", "code", "outcomes"),
    [
        (observed(0.1, 0.1, pipeline=rate(100)), observed(0.1, 0.1, pipeline=rate(100)), 0, ("same", "same")),
        (observed(0.1, 0.1, pipeline=rate(100)), observed(0.1, 0.1, pipeline=rate(80)), 1, ("worse", "same")),
        (observed(0.1, 0.1, pipeline=rate(80)), observed(0.1, 0.1, pipeline=rate(100)), 0, ("better", "same")),
        (observed(0, 0, pipeline=rate(100, 0.3)), observed(0, 0, pipeline=rate(80, 0.3)), 0, ("undecided", "same")),
        (observed(0.1, 0.1, pipeline=rate(100, None)), observed(0.1, 0.1, pipeline=rate(50)), 0, ("unknown", "same")),
        (observed(0.1, 0.12, pipeline=rate(100)), observed(0.3, 0.4, pipeline=rate(100)), 1, ("same", "worse")),
        (observed(0.1, 0.5, pipeline=rate(100)), observed(0.3, 0.4, pipeline=rate(100)), 0, ("same", "undecided")),
        # Without an interval of its own, that of the rate tells.
        (observed(0.1, pipeline=rate(100)), observed(0.4, pipeline=rate(100)), 1, ("same", "worse")),
        (observed(0.1, pipeline=rate(100, None)), observed(0.4, pipeline=rate(100, None)), 0, ("unknown", "unknown")),
    ],
)  # fmt: skip
def test_compare(
    run: Runner, project: Project, before: dict[str, Any], after: dict[str, Any], code: int, outcomes: tuple[str, str]
) -> None:
    project({"before.json": json.dumps(before), "after.json": json.dumps(after)})
    done = run("compare", "before.json", "after.json", "--output-format", "json")
    (pipeline,) = json.loads(done.out)["pipelines"]
    assert done.code == code
    assert (pipeline["rate"]["outcome"], pipeline["waits"]["outcome"]) == outcomes
    for form in ("text", "markdown"):
        assert run("compare", "before.json", "after.json", "--output-format", form).code == code


def test_compare_with_a_threshold(run: Runner, project: Project) -> None:
    project({
        "before.json": json.dumps(observed(0.1, 0.1, pipeline=rate(100))),
        "after.json": json.dumps(observed(0.1, 0.1, pipeline=rate(80), cores=8)),
    })  # fmt: skip
    done = run("compare", "before.json", "after.json")
    assert done.code == 1
    assert "Certainly worse by more than 5 %: fit at train.py:12." in done.out
    assert "2 cores, 0 GPUs; then" in done.out
    assert run("compare", "before.json", "after.json", "--threshold", "30").code == 0
    table = run("compare", "before.json", "after.json", "--output-format", "markdown").out
    assert "| `fit at train.py:12` | elements/s | 100 (98 to 102) | 80 (78.4 to 81.6) |" in table
    assert "**worse**" in table


def test_compare_refuses_what_it_cannot_compare(run: Runner, project: Project) -> None:
    project({
        "good.json": json.dumps(GOOD), "bad.json": b"{", "none.json": json.dumps(observed(0.4, pipelines=[])),
        LEDGER: dump([entry()]),
    })  # fmt: skip
    for arguments, why in (
        (["good.json", "bad.json"], "not valid JSON"),
        (["good.json", "missing.json"], "no such evidence file"),
        (["good.json", LEDGER], "this is not a run"),
        (["good.json", "none.json"], "share no measured pipeline"),
        (["good.json", "good.json", "--threshold", "much"], "is not a percentage"),
    ):
        done = run("compare", *arguments)
        assert (done.code, done.out) == (2, "")
        assert why in done.err
