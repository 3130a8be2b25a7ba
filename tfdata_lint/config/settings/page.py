"""`docs/settings.md`, made from the keys."""

from __future__ import annotations

from tfdata_lint.config.formats import FORMATS
from tfdata_lint.config.settings.model import Key, keys
from tfdata_lint.config.settings.values import FORMATTERS, SEVERITIES


def document() -> str:
    """`docs/settings.md`, made from the keys."""
    rows = "\n".join(f"| `{k.name}` | {_kind(k)} | {_default(k)} | {k.text} |" for k in keys().values())
    return _PAGE.replace("ROWS", rows)


def _kind(key: Key) -> str:
    choices = {"severity": SEVERITIES, "format": FORMATS, "formatter": FORMATTERS}
    if key.kind in choices:
        return " · ".join(f'`"{choice}"`' for choice in choices[key.kind])
    kinds = {
        "switch": "true or false", "count": "number", "version": "string", "path": "string", "requirement": "string",
        "ignores": "table of lists of rules", "arguments": "table",
        "options": "table of tables",
    }  # fmt: skip
    return kinds.get(key.kind, f"list of {key.kind}")


def _default(key: Key) -> str:
    if isinstance(key.default, bool):
        return f"`{str(key.default).lower()}`"
    if isinstance(key.default, int):
        return f"`{key.default}`"
    if isinstance(key.default, str):
        return f'`"{key.default}"`'
    empties = {
        "ignores": "`{}`",
        "arguments": "`{}`",
        "options": "`{}`",
        "version": "see below",
        "path": "none",
        "requirement": "none",
    }
    empty = empties.get(key.kind, "see meaning" if key.default is None else "`[]`")
    return f"`{list(key.default)}`".replace("'", '"') if key.kind == "rules" and key.default else empty


_PAGE = """\
# Settings

tfdata-lint reads settings from the section `[tool.tfdata-lint]` of `pyproject.toml`, or from the top level of
`tfdata-lint.toml` or `.tfdata-lint.toml`. Each linted file uses the settings of the nearest folder above it that
contains one of these files; a `pyproject.toml` without the section does not count. Files are not merged with files
further up, unless they [extend](#files-that-extend-others) them.

Options on the command line override settings. `--config FILE` uses one file for everything, and `--isolated` uses none.
`--config 'KEY = VALUE'` overrides one key; write it as in a file (`--config 'target-tensorflow = "2.15"'`). You can
repeat it.

| key | value | default | meaning |
|---|---|---|---|
ROWS

Some keys apply to more than one file:

- `baseline`, `evidence`, `cache-dir`, `fail-level` and `output-format` apply to the whole run. They come from the
  settings of the working directory.
- `include`, `exclude` and the other keys that select files come from the settings of each path on the command line, and
  apply to everything below that path.

The paths in `baseline`, `evidence` and `cache-dir` must be inside the folder of the config file, and links must not
lead out of it. `--baseline`, `--evidence` and `--cache-dir` may name any path.

```toml
[tool.tfdata-lint]
target-tensorflow = "2.15"
extend-select = ["pedantic"]
ignore = ["missing-prefetch"]

[tool.tfdata-lint.per-file-ignores]
"tests/**" = ["TFD1"]

[tool.tfdata-lint.verify."src/input.py::make_dataset"]
batch_size = 8
```

tfdata-lint reports a wrong key or value with its file and line, applies the other keys, and ends with exit code 2.

`--per-file-ignores 'tests/**:TFD101,TFD2'` replaces the table `per-file-ignores`, and `--extend-per-file-ignores` adds
to it. `--exclude` and `--extend-exclude` do the same for `exclude`. The patterns of these options are relative to the
working directory. `--fixable` starts over, as `--select` does. `--extend-fixable` and `--unfixable` modify the
settings.

`tfdata-lint check --show-files` lists the files that a run would check, without reading them.

| environment variable | same as |
|---|---|
| `TFDATA_LINT_OUTPUT_FORMAT` | `--output-format` |
| `TFDATA_LINT_OUTPUT_FILE` | `--output-file` |
| `TFDATA_LINT_CACHE_DIR` | `--cache-dir` |
| `TFDATA_LINT_NO_CACHE` | `--no-cache`, if it is set to any text |
| `NO_COLOR`, `FORCE_COLOR` | `--color never`, `--color always` |
| `TFDATA_LINT_PAGER`, `PAGER` | the pager for rule pages on a terminal (default: `less`; `cat` for none) |

Options on the command line override environment variables, and these override settings.

## Files that extend others

`extend = "../tfdata-lint.toml"` starts from the settings in another file. That file may have any name, and may extend a
third one. tfdata-lint reads the section of a `pyproject.toml`, and the top level of every other file.

- A key in the extending file replaces the same key in the extended file.
- Tables (`per-file-ignores`, `verify`, `rules`) are merged row by row. If both files have a row, the extending file
  wins.
- `unfixable` and the keys that begin with `extend-` are concatenated, except `extend-select`.
- Rules are selected in the order of the files, the extended file first, then the command line. `select` starts over;
  `extend-select` and `ignore` modify the earlier selection.
- `required-version` is checked in each file.
- Paths and patterns are relative to the file that contains them. A pattern without `/`, such as `*_test.py`, matches at
  any depth.

The extended file must be in the same checkout, and links must not lead out of it, because settings may come from a
stranger. If it is missing, or if files extend each other in a circle, the error names the file and line of `extend`.

## Which TensorFlow

Findings depend on the TensorFlow version that the code runs on: an old version may lack a replacement, and a new one
may do the work of a fix by itself. If `target-tensorflow` is not set, tfdata-lint uses the lowest version that the
project declares. It searches each folder from the linted file up to the root of the repository, in this order, and
stops at the first version:

1. the dependencies of the package: `pyproject.toml` (PEP 621, Poetry, pixi), `pixi.toml`, `setup.cfg`, and literal
   lists in `setup.py`;
2. `requirements*.txt`, `requirements/*.txt` and `environment*.yml`; if the package itself does not need TensorFlow,
   also its extras and dependency groups (PEP 735, Poetry, PDM, pixi, uv); else conda environment files of any other
   name (YAML with `dependencies:`);
3. `uv.lock`, `poetry.lock`, `pdm.lock`, `Pipfile.lock`;
4. the image of TensorFlow, NVIDIA or AWS that a `Dockerfile` starts from, there or in a folder `docker`;
5. what a `README` says to install: `pip install tensorflow-gpu==2.2.0`.

If none of them tells, no fix uses a name that the requirements in a folder of the repository's root lack, nor, in a
*safe* fix, one that is newer than TensorFlow 2.4. No fix or advice uses a name that the newest version lacks which a
README speaks of ("TensorFlow (version: 1.4)", `--runtime-version=1.10`).

A range with both bounds has precedence over a lock file, because fixes must work with all versions that the project
supports. If only one version matters, raise the lower bound or set `target-tensorflow`. A range without a lower bound
(`<2.11`) means the newest version that it allows. A range without an upper bound (`>=2.3`, `^2.3`) installs the newest
version, so it declares none; but no fix uses a name that its lower bound lacks. The search ends at a folder that names
TensorFlow without a version.

A file can declare its own version, which has precedence over all of these:

- a notebook with `!pip install tensorflow==2.3`, an image (`tensorflow/tensorflow:2.3.0`, `tf2-cpu.2-3`), or
  `--runtime-version=2.3`. This also applies to the modules that its cells write;
- a script whose dependencies (`# /// script`) fix a version.

If a file declares several versions, the lowest counts.

A notebook also shows what it was last run with: the version that a cell printed (`tf.__version__`) or that `pip`
reported, or the Python of its kernel (TensorFlow 2.11 is the last for Python 3.7). tfdata-lint assumes this version if
nothing is declared, and in any case no fix uses a newer name.

If nothing tells a version, tfdata-lint assumes 1.15 for files that only TensorFlow 1 can run. Such a file uses
sessions, placeholders, `tf.contrib` or `make_one_shot_iterator` without `tf.compat`, or it uses names that TensorFlow 2
removed and none that TensorFlow 1 lacks. For all other files, it assumes the newest TensorFlow that it knows.
`--isolated` ignores declarations, too. Installed versions are ignored, and nothing is imported or run, so the same
files give the same findings everywhere.

If the severity of findings depends on an assumed version, the run ends with a note: "TensorFlow 2.21 does the following
by itself (no version is declared: set `target-tensorflow` if you support older ones)" and the places, or "Assumed
TensorFlow 1.15, because no version is declared: 1 warning would have severity advice on a newer one."

## Where a value comes from

`tfdata-lint check --show-settings [PATH]` prints every key with its value for a path, and where the value was set. With
`--output-format json`, it prints a list of objects with `key`, `value` and `origin`. Selectors of extended files and of
the command line are in separate rows.
"""
