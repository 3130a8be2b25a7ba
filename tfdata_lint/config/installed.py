"""Which TensorFlow a notebook or a script names for itself: what it installs, and the images that it is run in.

- rows of a notebook with `pip install tensorflow==2.3`, and its images of TensorFlow: `tensorflow/tensorflow:2.3.0`,
  those of Google's Deep Learning Containers and Vertex AI (`tf2-cpu.2-3`), `--runtime-version=2.3` of AI Platform,
  whose versions are those of TensorFlow (https://cloud.google.com/ai-platform/training/docs/runtime-version-list)
- the block `# /// script` of a script (PEP 723)
- names that only one version had

Only what fixes a version counts: `pip install "tensorflow>=2.0"` installs the newest. Of several the lowest counts.

What a notebook was last run with declares nothing, and is meant where nothing else is declared: the version that a cell
has printed or pip has installed, else the newest for its Python. Fixes use no newer names in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from tfdata_lint.config.files import parse_toml
from tfdata_lint.config.requirements import Version, highest, is_tensorflow, parts
from tfdata_lint.config.target import Target

if TYPE_CHECKING:
    from tfdata_lint.source.module import Source

_WORDS = ("pip install", "pip3 install", "uv add", "tensorflow/tensorflow:", "tf-", "tf2-", "--runtime-version")
_INSTALL = re.compile(r"\b(?:pip3?|uv)\s+(?:install|add)\s+([^\n|&;]*)")
_IMAGE = re.compile(r"(?:tensorflow/tensorflow:|\btf2?-[cg]pu[.:])(\d)[.-](\d{1,2})(?!\d)")
_RUNTIME = re.compile(r"--runtime-version[ =]['\"]?(\d)\.(\d{1,2})(?!\d)")
#: Images that serve a model run none of this code.
_SERVING = re.compile(r"(?i)predict|serving|deploy")
#: What only one version had, at the beginning of a row: `tf.config.gpu` was there in 2.0's previews.
_PASSING = re.compile(r"(?m)^[ \t]*tf\.config\.gpu\.")
_SCRIPT = re.compile(r"(?m)^# /// script$")
_ASKED = re.compile(r"\b(\w+)\.(?:__version__|version\.VERSION)\b")
_RELEASE = re.compile(r"(?<![\w.])(\d{1,4})\.(\d{1,4})\.\d{1,4}(?:-?\w{1,20})?(?![\w.])")
_FLAVOR = r"tensorflow(?:[-_](?:cpu|gpu|intel|macos|rocm))?"
_PIP = re.compile(
    r"(?m)^[ \t]*(?:"
    rf"(?:Successfully installed .{{0,4000}}?|Downloading (?:\S{{0,400}}/)?|Using cached )(?<![\w-]){_FLAVOR}-"
    rf"|Requirement already satisfied: {_FLAVOR}(?![\w.-])[^()\n]{{0,400}}(?:\(from [^()\n]*\) )?\("
    rf"|Name: {_FLAVOR}\nVersion: |{_FLAVOR}(?:==| {{1,80}})"
    r")(\d{1,4})\.(\d{1,4})\."
)
#: The first and the last TensorFlow for a Python, in which the newest cannot be installed. Nothing that rules know is
#: older than 1.13.
_OF_PYTHON: dict[str, tuple[Version, Version]] = {
    "2.7": ((1, 13), (2, 1)), "3.4": ((1, 13), (1, 14)), "3.5": ((1, 13), (2, 3)), "3.6": ((1, 13), (2, 6)),
    "3.7": ((1, 13), (2, 11)), "3.8": ((2, 2), (2, 13)), "3.9": ((2, 5), (2, 20)),
}  # fmt: skip


def tensorflow_in(source: Source) -> Target | None:
    """The TensorFlow that a notebook or a script names for itself; None where it fixes no version."""
    found = _in_script(source) if source.kind == "module" else _in_cells(source)
    version, where = min(found, default=(None, ""))
    if version is None and "tf.config.gpu." in source.text and _PASSING.search(source.text):
        version, where = (2, 0), "`tf.config.gpu`"
    return Target(version, where, is_declared=True) if version else None


def _in_script(source: Source) -> Iterator[tuple[Version, str]]:
    begin = _SCRIPT.search(source.text) if "# /// script" in source.text else None
    if begin is None:
        return
    rows = list(takewhile(lambda row: row.startswith("#"), source.text[begin.end() + 1 :].split("\n")))
    if "# ///" not in rows:
        return
    try:
        table = parse_toml("\n".join(row[2:] for row in rows[: rows.index("# ///")]))
    except ValueError:
        return
    dependencies = table.get("dependencies")
    for one in dependencies if isinstance(dependencies, list) else ():
        if isinstance(one, str) and (version := _fixed_version(one)):
            yield version, "the script's own dependencies"


def _in_cells(source: Source) -> Iterator[tuple[Version, str]]:
    for row, line in enumerate(source.lines, 1):
        if not any(word in line for word in _WORDS) or line.lstrip().startswith("#"):
            continue
        for version in _in_row(line):
            yield version, f"cell {source.location(row, 0).cell}"


def _in_row(line: str) -> Iterator[Version]:
    for installed in _INSTALL.findall(line):
        for word in re.findall(r"'[^']*'|\"[^\"]*\"|\S+", installed):
            if version := _fixed_version(word.strip("'\"")):
                yield version
    if not _SERVING.search(line):
        for major, minor in (*_IMAGE.findall(line), *_RUNTIME.findall(line)):
            if major in "12":
                yield int(major), int(minor)


def _fixed_version(requirement: str) -> Version | None:
    """The version that pip installs for a requirement, when it is one of TensorFlow and no matter of the day."""
    name, specifier = parts(requirement)
    if name.lower().startswith("tf-nightly") and name.lower().endswith("2.0-preview"):
        # The course of 2019; it was never followed by another.
        return (2, 0)
    return highest(specifier) if is_tensorflow(name) else None


def last_run_with(source: Source) -> Target | None:
    """The TensorFlow that a notebook was last run with, as far as it shows that."""
    version, cell = min(_in_outputs(source), default=(None, 0))
    if version:
        return Target(version, "assumed: cell {} shows {}.{}".format(cell, *version), oldest=version)
    python = ".".join(source.python.split(".")[:2])
    if python not in _OF_PYTHON:
        return None
    first, last = _OF_PYTHON[python]
    # What it uses itself is there.
    first = max(first, (2, 4)) if ".data.AUTOTUNE" in source.text else first
    return Target(last, "assumed: the kernel's Python {} runs {}.{} at most".format(python, *last), oldest=first)


def _in_outputs(source: Source) -> Iterator[tuple[Version, int]]:
    for cell in source.cells:
        output = source.outputs.get(cell.number, "")
        for major, minor in _PIP.findall(output):
            yield (int(major), int(minor)), cell.number
        # A cell that prints several versions prints them in order.
        asked = _ASKED.findall("\n".join(source.lines[cell.first - 1 : cell.last]))
        printed = _RELEASE.findall(output) if asked else []
        for module, (major, minor) in zip(asked, printed, strict=True) if len(asked) == len(printed) else ():
            if module in ("tf", "tensorflow") and major in "12":
                yield (int(major), int(minor)), cell.number


def narrowed(declared: Target, shown: Target) -> Target:
    """What is declared, as far as it holds for a notebook that was last run with another one."""
    oldest = min(version for version in (declared.oldest, shown.oldest, shown.version) if version)
    return (declared if declared.is_declared else shown)._replace(oldest=oldest)
