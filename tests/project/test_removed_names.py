"""The table of names that TensorFlow 2 does not have, against the TensorFlow that is installed."""

from __future__ import annotations

from pathlib import Path

from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.config.target import NEWEST
from tfdata_lint.rules.upgrades.removed_symbol import table as removed

SCRIPT = Path(__file__).with_name("removed_names.py")


def test_what_it_says_is_so(run_on_tensorflow: RunOnTensorFlow) -> None:
    """Old names are gone, new ones are there, and what has none is in `tf.compat.v1`."""
    words = [word.partition("=")[::2] for word in removed.NAMES.split()]
    code = f"""
import tensorflow as tf

def is_there(name, root=tf):
    for part in name.split("."):
        if not hasattr(root, part):
            return False
        root = getattr(root, part)
    return True

words = {words!r}
modules = {removed.MODULES.split()!r}
new = [form.partition("-")[0].partition("/")[0] for _, form in words if form]
__answer__ = {{
    "still there": [name for name in [old for old, _ in words] + modules if is_there(name)],
    "not there": [name for name in new if not is_there(name)],
}}
"""
    ended = run_on_tensorflow(code, "names.py")
    assert not ended["error"], ended["detail"]
    assert ended["answer"] == {"still there": [], "not there": []}


def test_it_is_up_to_date(run_on_tensorflow: RunOnTensorFlow) -> None:
    """On the newest TensorFlow the script makes it as it is."""
    code = f"""
import runpy
import tensorflow as tf
made = runpy.run_path({str(SCRIPT)!r})
__answer__ = [tf.__version__, made["document"](), made["FILE"].read_text()]
"""
    ended = run_on_tensorflow(code, "document.py")
    assert not ended["error"], ended["detail"]
    version, made, there = ended["answer"]
    if version.split(".")[:2] == [str(part) for part in NEWEST]:
        assert made == there, f"run `python {SCRIPT.name}`"
