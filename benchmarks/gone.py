"""The public API that is gone: names and arguments that some TensorFlow had and the newest does not have.

`python benchmarks/gone.py FOLDER` writes `tfdata_lint/rules/upgrades/removed_symbol/table.txt`. It needs the newest
TensorFlow that is known, and downloads the wheels of older ones into the folder (1.3 GB): their names stand in them, so
that none is installed. Names of TensorFlow 1, and what they are called today, are from the tables that TensorFlow ships
for its own upgrade script; whether arguments are still the same is asked of the signatures of both.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import tensorflow as tf
from tensorflow.tools.compatibility.tf_upgrade_v2 import TFAPIChangeSpec

FILE = Path(__file__).parents[1] / "tfdata_lint" / "rules" / "upgrades" / "removed_symbol" / "table.txt"

#: Wheels, the Python that they are for, what their version is in terms of TensorFlow, and where their names stand.
_TENSORFLOW = {"2.2.3": "3.7", "2.4.4": "3.8", "2.8.4": "3.8", "2.12.1": "3.11", "2.16.2": "3.11", "2.18.1": "3.11"}
_KERAS = {"2.6.0": "2.6", "2.8.0": "2.8", "2.9.0": "2.9", "2.10.0": "2.10", "2.11.0": "2.11", "2.12.0": "2.12",
          "2.13.1": "2.13", "2.14.0": "2.14", "2.15.0": "2.15", "3.0.5": "2.16", "3.6.0": "2.18"}  # fmt: skip
_LEGACY = "2.21.0"

#: What other rules are about, and what has nothing to do with a program that reads data.
_LEFT_OUT = ("data", "lite", "saved_model", "tpu", "raw_ops", "keras.dtensor", "keras.datasets", "contrib",
             "types")  # fmt: skip
#: Modules that the tables speak of without their names, or not at all, and that no wheel lists.
_MODULES = {"2.0": ("contrib", "flags", "python"), "2.16": ("estimator",)}
#: What they are today by another road than a second name: not the same object, but what is used instead.
_BY_HAND = {
    **{f"keras.optimizers.legacy.{name}": f"keras.optimizers.{name}" for name in ("Adadelta", "Adamax", "Nadam")},
    "keras.callbacks.experimental.BackupAndRestore": "keras.callbacks.BackupAndRestore",
    "keras.mixed_precision.experimental.global_policy": "keras.mixed_precision.global_policy",
    "keras.mixed_precision.experimental.set_policy": "keras.mixed_precision.set_global_policy",
    "keras.mixed_precision.experimental.Policy": "keras.mixed_precision.Policy/1-loss_scale",
    "keras.mixed_precision.experimental.LossScaleOptimizer": "keras.mixed_precision.LossScaleOptimizer/1-loss_scale",
}
#: Of TensorFlow Datasets: gone with 4.0, which needs TensorFlow 2.
_ENCODERS = ("ByteTextEncoder", "SubwordTextEncoder", "TextEncoder", "TokenTextEncoder", "Tokenizer")
_DATASETS = {
    "2.4 tfds": (
        *(f"tensorflow_datasets.features.text.{n}=tensorflow_datasets.deprecated.text.{n}" for n in _ENCODERS),
        "tensorflow_datasets.features.text.",
        *(f"tensorflow_datasets.Split.{split}.subsplit" for split in ("ALL", "TEST", "TRAIN", "VALIDATION")),
        "tensorflow_datasets.percent",
        "tensorflow_datasets.units.",
    )
}

#: Arguments of functions without `**kwargs` are compared by their signatures. These are tried, behind so many of
#: `_GIVEN` as are needed. Left out are names that any code has: `options`, `weights`, `batch_size`.
_TRIED = {
    "layers": {"batch_input_shape": (1, 2), "time_major": False, "fused": False,
               "virtual_batch_size": 2, "max_tokens": 3},
    "callbacks": {"period": 2, "write_grads": True, "embeddings_layer_names": None},
    "optimizers": {"lr": 0.5, "decay": 0.1},
}  # fmt: skip
_GIVEN = {"layers": (3, 2), "callbacks": ("a.keras",), "optimizers": (0.1,)}
_OF_MODELS = {
    "compile": ("experimental_run_tf_function", "experimental_steps_per_execution", "pss_evaluation_shards",
                "sample_weight_mode", "target_tensors"),
    "save_weights": ("save_format",),
}  # fmt: skip
_OF_FUNCTIONS = {
    "utils.image_dataset_from_directory": ("smart_resize",),
    "preprocessing.image_dataset_from_directory": ("smart_resize",),
    "mixed_precision.Policy": ("loss_scale",),
}
#: What is there, and raises an error when it is called.
_STUBS = ("optimizers.legacy.Adagrad", "optimizers.legacy.Adam", "optimizers.legacy.Ftrl", "optimizers.legacy.RMSprop",
          "optimizers.legacy.SGD")  # fmt: skip
_METHODS = {
    "2.16 keras ()": {
        "keras.Model.evaluate_generator": "keras.Model.evaluate/1-generator",
        "keras.Model.fit_generator": "keras.Model.fit/1-generator",
        "keras.Model.predict_generator": "keras.Model.predict/1-generator",
    },
    "2.4 - ()": {
        "distribute.Strategy.experimental_make_numpy_dataset": "",
        "distribute.Strategy.experimental_run_v2": "distribute.Strategy.run",
    },
}
_RENAMED = {"lr": "learning_rate"}
#: TensorFlow 2.11 already refuses or ignores them, and so does what is left of Keras 2.
_SINCE = {"lr": ("2.11", "-"), "decay": ("2.11", "-")}
_NOT_TOLD = (
    r"Input$|(?:de)?serialize|applications\.|datasets\.|legacy\.|models\.|get_source_inputs|to_categorical|\.relu$"
)
_ABSENT: Any = object()
_WIDTH = 118


def found(name: str, root: Any = tf) -> Any:
    """What `image.resize` is."""
    for part in name.split("."):
        try:
            root = getattr(root, part)
        except (AttributeError, ImportError):
            return _ABSENT
    return root


def is_gone(name: str) -> bool:
    """Has neither TensorFlow nor Keras the name, nor a module that is imported under it?"""
    of_keras = found(name[6:], importlib.import_module("keras")) if name.startswith("keras.") else _ABSENT
    if found(name) is not _ABSENT or of_keras is not _ABSENT:
        return False
    with contextlib.suppress(ImportError, AttributeError):
        importlib.import_module(f"tensorflow.{name}")
        return False
    return True


def of_tensorflow_1() -> dict[str, str]:
    """What becomes of each name of TensorFlow 1: `random_uniform` is `random.uniform`, empty where only `tf.compat.v1`
    has it. Behind a slash stands how many arguments are the same by position, behind a minus one that went away."""
    tables = TFAPIChangeSpec()
    names = {
        old[3:]: new[3:]
        for old, new in tables.symbol_renames.items()
        if old.startswith("tf.") and not _is_left_out(old[3:]) and found(old[3:]) is _ABSENT
    }
    keywords = tables.function_keyword_renames
    return {old: _today(old, new, keywords.get(f"tf.{old}", {})) for old, new in names.items()}


def _is_left_out(name: str) -> bool:
    return f"{name}.".startswith(tuple(f"{left}." for left in _LEFT_OUT)) or "able_mlir" in name


def _today(old: str, new: str, keywords: Mapping[str, str | None]) -> str:
    if new.startswith("compat.") or found(new) is _ABSENT:
        return ""
    before, after = _parameters(found(old, tf.compat.v1)), _parameters(found(new))
    if before is None or after is None:
        return new
    pairs = zip(before, after, strict=False)
    changed = (index for index, (name, today) in enumerate(pairs) if keywords.get(name, name) != today)
    same = next(changed, min(len(before), len(after)))
    gone = "".join(f"-{name}" for name in before if name not in after)
    return f"{new}{f'/{same}' if same < len(before) else ''}{gone}"


def _parameters(function: Any) -> list[str] | None:
    """The parameters that may be given by position; None where that is not known, or nothing is called."""
    if not callable(function):
        return None
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]


def modules(names: Iterable[str]) -> set[str]:
    """The modules of these names that are gone as a whole."""
    around = {".".join(name.split(".")[:end]) for name in names for end in range(1, name.count(".") + 1)}
    return {name for name in around if found(name) is _ABSENT}


def section_of_1() -> list[str]:
    """The words of the section `[2.0]`."""
    names = of_tensorflow_1()
    words = [f"{old}={new}" if new else old for old, new in names.items()]
    return sorted([*words, *(f"{name}." for name in {*modules(names), *_MODULES["2.0"]})])


def names_in(wheel: Path, home: str) -> dict[str, str]:
    """The public names in a folder of a wheel, with what each of them is."""
    names: dict[str, str] = {}
    with zipfile.ZipFile(wheel) as opened:
        for file in opened.namelist():
            match = re.fullmatch(rf"{home}/((?:\w+/)*)(?:__init__|v2)\.py", file)
            parts = match[1].split("/")[:-1] if match else ["_"]
            if any(part.startswith("_") or part == "compat" for part in parts):
                continue
            if parts:
                names.setdefault(".".join(parts), "")
            for node in ast.walk(ast.parse(opened.read(file))):
                for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                    if not (name := alias.asname or alias.name).startswith(("_", "*")):
                        names[".".join([*parts, name])] = f"{node.module}.{alias.name}"
    return names


def versions(folder: Path) -> dict[tuple[int, int], dict[str, str]]:
    """The names that each version of TensorFlow has; of some, only those of Keras are known."""
    known: dict[tuple[int, int], dict[str, str]] = {}
    for version, python in _TENSORFLOW.items():
        wheel, parsed = _wheel(folder, "tensorflow-cpu", version, python), _version(version)
        names = known.setdefault(parsed, {})
        names.update({n: of for n, of in names_in(wheel, "tensorflow/_api/v2").items() if not n.startswith("keras")})
        if parsed < (2, 6):
            names.update({f"keras.{n}": of for n, of in names_in(wheel, "tensorflow/keras").items()})
    for version, of in _KERAS.items():
        wheel = _wheel(folder, "keras", version, "3.9")
        home = "keras/api/_v2/keras" if version.startswith("2") else "keras/_tf_keras/keras"
        names = {f"keras.{name}": source for name, source in names_in(wheel, home).items()}
        known.setdefault(_version(of), {}).update(names)
    return dict(sorted(known.items()))


def _version(text: str) -> tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def _wheel(folder: Path, package: str, version: str, python: str) -> Path:
    pattern = f"{package.replace('-', '_')}-{version}-*.whl"
    if not list(folder.glob(pattern)):
        platforms = ("manylinux2010_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64", "any")
        options = ["--only-binary=:all:", "--python-version", python, *(f"--platform={name}" for name in platforms)]
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *options, "-d", str(folder)]
        subprocess.run([*command, f"{package}=={version}"], check=True)
    return next(folder.glob(pattern))


def later(known: Mapping[tuple[int, int], Mapping[str, str]], legacy: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The names that a later TensorFlow than 2.0 has removed: (section, word)."""
    old = set(legacy)
    every = sorted({name for names in known.values() for name in names})
    gone = {name for name in every if not _is_left_out(name) and is_gone(name)}
    # A list of all names of Keras that has none of TensorFlow says nothing about those.
    for name in sorted(gone | set(_MODULES["2.16"])):
        is_module = any(other.startswith(f"{name}.") for other in every) or name in _MODULES["2.16"]
        asked = [version for version, names in known.items() if name.startswith("keras.") or "math" in names]
        last = max((version for version in asked if name in known[version]), default=(2, 15))
        since = next((version for version in asked if version > last), (2, 21))
        new = _BY_HAND.get(name) or _alias(name, known[last])
        around = [".".join(name.split(".")[:end]) for end in range(1, name.count(".") + 1)]
        if not new and any(module in gone for module in around):
            continue
        head = "{}.{}{}".format(*since, " keras" if name in old else "")
        yield head, f"{name}{'.' * is_module}{f'={new}' if new else ''}"


def _alias(name: str, names: Mapping[str, str]) -> str:
    """A second name of the same object that is still there; of a module, that of all that is in it."""
    below = [other for other in names if other.startswith(f"{name}.")]
    if below:
        homes = [home for other in below if (home := {_home(today) for today in _others(other, names)})]
        common = set.intersection(*homes) if len(homes) * 2 > len(below) else set()
        return min(common, key=len, default="")
    return min(_others(name, names), key=len, default="")


def _others(name: str, names: Mapping[str, str]) -> list[str]:
    of, last = names.get(name), name.rpartition(".")[2]
    same = [other for other, source in names.items() if of and source == of and other.rpartition(".")[2] == last]
    return [other for other in same if found(other) is not _ABSENT]


def _home(name: str) -> str:
    return name.rpartition(".")[0]


def arguments(legacy: Any, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The arguments that Keras 2 takes and Keras 3 does not: (section, function)."""
    keras = tf.keras
    for name in sorted(names):
        before, after = found(name, legacy), found(name, keras)
        if not callable(before) or not callable(after) or re.search(_NOT_TOLD, name):
            continue
        for argument in (*_dropped(before, after), *_refused(name, before, after)):
            yield _head(argument), f"keras.{name}"
    for name in _STUBS:
        assert not _works(found(name, keras), 0.1), f"{name}() works"
        yield "2.16 keras ()", f"keras.{name}=keras.{name.replace('legacy.', '')}"
    for head, methods in _METHODS.items():
        for method, new in methods.items():
            assert found(method) is _ABSENT, f"{method} is there"
            yield head, f"{method}={new}" if new else method
    for method, given in _OF_MODELS.items():
        for argument in given:
            is_known = argument in inspect.signature(getattr(keras.Model, method)).parameters
            assert not is_known, f"{method}({argument}=) is there"
            yield _head(argument), f"keras.Model.{method}"
    for name, given in _OF_FUNCTIONS.items():
        for argument in given:
            assert argument not in inspect.signature(found(name, keras)).parameters
            yield _head(argument), f"keras.{name}"


def _head(argument: str) -> str:
    new = _RENAMED.get(argument)
    return " ".join(filter(None, (*_SINCE.get(argument, ("2.16", "keras")), argument, new)))


def _dropped(before: Any, after: Any) -> list[str]:
    try:
        old, new = (inspect.signature(function).parameters for function in (before, after))
    except (TypeError, ValueError):
        return []
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in new.values())
    named = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [name for name, parameter in old.items() if parameter.kind in named and name not in ("self", "options")]
    return [] if takes_any else [name for name in names if name not in new]


def _refused(name: str, before: Any, after: Any) -> Iterator[str]:
    """The arguments of a class that are refused, or ignored with a warning."""
    tried = _TRIED.get(name.split(".")[0], {}) if inspect.isclass(after) and name.count(".") == 1 else {}
    for argument, value in tried.items():
        for given in (_GIVEN[name.split(".")[0]][:count] for count in range(3)):
            if _works(after, *given) and (argument in _SINCE or _works(before, *given, **{argument: value})):
                # Keras 3 ignores it.
                if argument == "decay" or not _works(after, *given[argument == "lr" :], **{argument: value}):
                    yield argument
                break


def _works(function: Any, *given: Any, **named: Any) -> bool:
    try:
        function(*given, **named)
    except Exception:
        return False
    return True


def document(folder: Path) -> str:
    wheel = _wheel(folder, "tf_keras", _LEGACY, "3.11")
    sys.path.append(str(wheel))
    names = [f"keras.{name}" for name in names_in(wheel, "tf_keras/api/_v2/keras")]
    known = versions(folder)
    sections: dict[str, list[str]] = {"2.0": section_of_1()}
    # `tf.losses` was `tf.keras.losses`.
    every = {name.removeprefix(root) for of in known.values() for name in of for root in ("", "keras.")}
    sections["2.0"] = [word for word in sections["2.0"] if word.partition("=")[0].rstrip(".") not in every]
    told = ((since, word) for since, words in _DATASETS.items() for word in words)
    tried = arguments(importlib.import_module("tf_keras"), (name[6:] for name in names))
    for head, word in (*later(known, names), *told, *tried):
        sections.setdefault(head, []).append(word)
    order = sorted(sections, key=lambda head: (_version(head.split()[0]), head))
    return "\n".join(f"[{head}]\n{_table(sorted(sections[head]))}" for head in order) + "\n"


def _table(words: list[str]) -> str:
    rows = [""]
    for word in words:
        if len(rows[-1]) + len(word) >= _WIDTH:
            rows.append("")
        rows[-1] += f" {word}" if rows[-1] else word
    return "\n".join(rows)


if __name__ == "__main__":
    FILE.write_text(document(Path(sys.argv[1])), encoding="utf-8")
