"""The names that TensorFlow 2 does not have, from the tables that it ships for its own upgrade script.

`python tests/project/removed_names.py` writes them to `tfdata_lint/rules/upgrades/removed_symbol/table.py`.
It needs the newest TensorFlow that is known. What a name is called today is taken from the tables, whether its
arguments are still the same from the signatures of both.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import tensorflow as tf
from tensorflow.tools.compatibility.tf_upgrade_v2 import TFAPIChangeSpec

FILE = Path(__file__).parents[2] / "tfdata_lint" / "rules" / "upgrades" / "removed_symbol" / "table.py"

#: What other rules are about, what has nothing to do with a program that reads data, and what comes and goes with the
#: version of Keras.
_LEFT_OUT = ("tf.contrib", "tf.data", "tf.keras", "tf.lite", "tf.mixed_precision", "tf.saved_model", "tf.tpu",
             "tf.train.experimental", "tf.initializers.", "tf.losses.", "tf.metrics.")  # fmt: skip
#: Modules that the tables speak of without their names, or not at all.
_MODULES = ("flags", "python")
_ABSENT: Any = object()
_WIDTH = 118


def found(name: str, root: Any = tf) -> Any:
    """What `tf.image.resize` is."""
    for part in name.split(".")[1:]:
        try:
            root = getattr(root, part)
        except AttributeError:
            return _ABSENT
    return root


def removed() -> dict[str, str]:
    """What becomes of each name: `random_uniform` is `random.uniform`. Empty where only `tf.compat.v1` has it.

    Behind a slash stands how many arguments are the same by position, behind a minus a parameter that went away.
    """
    tables = TFAPIChangeSpec()
    names = {
        old: new
        for old, new in tables.symbol_renames.items()
        if old.startswith("tf.") and not old.startswith(_LEFT_OUT) and found(old) is _ABSENT
    }
    return {old[3:]: _today(old, new, tables.function_keyword_renames.get(old, {})) for old, new in names.items()}


def _today(old: str, new: str, keywords: dict[str, str | None]) -> str:
    if new.startswith("tf.compat.") or found(new) is _ABSENT:
        return ""
    before, after = _parameters(found(old, tf.compat.v1)), _parameters(found(new))
    if before is None or after is None:
        return new[3:]
    pairs = zip(before, after, strict=False)
    changed = (index for index, (name, today) in enumerate(pairs) if keywords.get(name, name) != today)
    same = next(changed, min(len(before), len(after)))
    gone = "".join(f"-{name}" for name in before if name not in after)
    return f"{new[3:]}{f'/{same}' if same < len(before) else ''}{gone}"


def _parameters(function: Any) -> list[str] | None:
    """The parameters that may be given by position; None where that is not known, or nothing is called."""
    if not callable(function):
        return None
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]


def modules(names: dict[str, str]) -> list[str]:
    """The modules of these names that are gone as a whole."""
    around = {".".join(name.split(".")[:end]) for name in names for end in range(1, name.count(".") + 1)}
    return sorted({*(name for name in around if found(f"tf.{name}") is _ABSENT), *_MODULES})


def document() -> str:
    names = removed()
    return f'''"""Names that TensorFlow 2 does not have. `python tests/project/removed_names.py` makes this file."""

from __future__ import annotations

NAMES = """
{_table([f"{old}={new}" if new else old for old, new in sorted(names.items())])}
"""
"""Old names and new ones, `tf.` left out. Without a new one, only `tf.compat.v1` has it. Behind a slash stands how many
arguments are the same by position, behind a minus a parameter that went away."""

MODULES = """
{_table(modules(names))}
"""
"""Modules that are gone with all that is in them."""
'''


def _table(words: list[str]) -> str:
    rows = [""]
    for word in words:
        if len(rows[-1]) + len(word) >= _WIDTH:
            rows.append("")
        rows[-1] += f" {word}" if rows[-1] else word
    return "\n".join(rows)


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
