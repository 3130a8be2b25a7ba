"""The table of what TensorFlow no longer has, against the TensorFlow that is installed."""

from __future__ import annotations

from pathlib import Path

from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.target import NEWEST
from tfdata_lint.rules.upgrades.removed_symbol import symbols

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gone.py"
FILE = Path(symbols.__file__).with_name("table.txt")


def _sections() -> dict[str, list[str]]:
    sections = (section.partition("]") for section in FILE.read_text(encoding="utf-8").removeprefix("[").split("\n["))
    return {head: words.split() for head, _, words in sections}


def test_what_it_says_is_so(run_on_tensorflow: RunOnTensorFlow) -> None:
    """Old names are gone, and new ones are there."""
    sections = _sections()
    named = [word for head, words in sections.items() if head.count(" ") < 2 and "tfds" not in head for word in words]
    # What only raises an error may be there or not.
    heads = [head for head in sections if head.count(" ") > 1 and "()" not in head]
    given = [word.partition("=")[0] for head in heads for word in sections[head]]
    today = [
        word.partition("=")[2].partition("-")[0].partition("/")[0] for words in sections.values() for word in words
    ]
    code = f"""
import tensorflow as tf

def is_there(name, root=tf):
    for part in name.split("."):
        if not hasattr(root, part):
            return False
        root = getattr(root, part)
    return True

gone = {[word.partition("=")[0].rstrip(".") for word in named]!r}
there = {[name for name in (*today, *given) if name and "tensorflow_datasets" not in name]!r}
__answer__ = {{
    "still there": [name for name in gone if is_there(name)],
    "not there": [name for name in there if not is_there(name)],
}}
"""
    ended = run_on_tensorflow(code, "names.py")
    assert not ended["error"], ended["detail"]
    assert ended["answer"] == {"still there": [], "not there": []}


def test_names_of_tensorflow_1_are_up_to_date(run_on_tensorflow: RunOnTensorFlow) -> None:
    """On the newest TensorFlow the script makes them as they are; what is newer takes wheels of older ones."""
    code = f"""
import runpy
import tensorflow as tf
made = runpy.run_path({str(SCRIPT)!r})
__answer__ = [tf.__version__, made["section_of_1"]()]
"""
    ended = run_on_tensorflow(code, "document.py")
    assert not ended["error"], ended["detail"]
    version, made = ended["answer"]
    if version.split(".")[:2] == [str(part) for part in NEWEST]:
        # Without those that TensorFlow 2 has had for a while.
        assert set(_sections()["2.0"]) <= set(made), f"run `python {SCRIPT.name}`"
