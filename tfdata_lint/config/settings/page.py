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
    empty = empties.get(key.kind, "see there" if key.default is None else "`[]`")
    return f"`{list(key.default)}`".replace("'", '"') if key.kind == "rules" and key.default else empty


_PAGE = """\
# Settings

Settings stand in the section `[tool.tfdata-lint]` of `pyproject.toml`, or at the top level of `tfdata-lint.toml` or
`.tfdata-lint.toml`. For each linted file the nearest folder above it that holds one of these counts; a
`pyproject.toml` without the section is passed over. Files are not merged with those further up, unless they
[extend](#files-that-extend-others) them. Options of the command line win. `--config FILE` uses one file for all,
`--isolated` uses none. `--config 'KEY = VALUE'` sets one key, as it would stand in a file (`--config 'target-tensorflow
= "2.15"'`); it may be repeated, and wins over files.

| key | value | default | meaning |
|---|---|---|---|
ROWS

`baseline`, `evidence` and `cache-dir` stay inside of the folder of the config file, also by way of links; elsewhere is
what `--baseline`, `--evidence` and `--cache-dir` may name. `baseline`, `evidence`, `cache-dir`, `fail-level` and
`output-format` hold for a whole run, and are read from the settings of the working directory. Which files to look for
(`include`, `exclude` and the like) is read from the settings of each path named on the command line, and holds for
everything below it.

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

A wrong key or value is reported with its file and line, and the run ends with exit code 2; the other keys hold.

`--per-file-ignores 'tests/**:TFD101,TFD2'` replaces the table of that name, and `--extend-per-file-ignores` adds to it.
Their patterns are relative to the working directory.

`tfdata-lint check --show-files` lists the files that would be read, and reads none.

| variable of the environment | stands for |
|---|---|
| `TFDATA_LINT_OUTPUT_FORMAT` | `--output-format` |
| `TFDATA_LINT_OUTPUT_FILE` | `--output-file` |
| `TFDATA_LINT_CACHE_DIR` | `--cache-dir` |
| `TFDATA_LINT_NO_CACHE` | `--no-cache`, whatever it is set to but nothing |
| `NO_COLOR`, `FORCE_COLOR` | `--color never`, `--color always` |
| `TFDATA_LINT_PAGER`, `PAGER` | the pager for rule pages on a terminal (default: `less`; `cat` for none) |

Options win over them, and they over files.

## Files that extend others

`extend = "../tfdata-lint.toml"` starts from the settings in another file. That file may have any name, and may extend a
third one. tfdata-lint reads the section of a `pyproject.toml`, and the top level of every other file.

- A key in the extending file replaces the same key in the extended file.
- Tables (`per-file-ignores`, `verify`, `rules`) are merged row by row; on the same row the extending file wins.
- `extend-include`, `extend-exclude`, `unfixable`, `extend-safe-fixes` and `extend-unsafe-fixes` are concatenated.
- Rules are selected in the order of the files, the extended file first, then the command line. `select` starts over;
  `extend-select` and `ignore` modify the earlier selection.
- `required-version` is checked in each file.
- Paths and patterns are relative to the file that contains them. A pattern without `/`, such as `*_test.py`, matches at
  any depth.

The extended file must be in the same checkout, and links must not lead out of it, because settings may come from a
stranger. If it is missing, or if files extend each other in a circle, the error names the file and line of `extend`.

## Which TensorFlow

What a rule says may depend on the TensorFlow that the code runs on: a replacement must be there, a rewrite may be done
by the runtime itself. Without `target-tensorflow`, the lowest version that the project declares counts. In each folder,
from that of the linted file up to the root of its repository, these are asked, and the first that tells a version wins:

1. what the package needs: `pyproject.toml` (PEP 621, Poetry), `setup.cfg`, and lists written out in `setup.py`;
2. `requirements*.txt`, `requirements/*.txt`, `environment*.yml`; and, of a package that does not itself need
   TensorFlow, its extras and dependency groups (PEP 735, Poetry, PDM, uv);
3. `uv.lock`, `poetry.lock`, `pdm.lock`, `Pipfile.lock`;
4. the image of TensorFlow or NVIDIA that a `Dockerfile` starts from.

A range wins over a lock file, because a fix must hold for all that the project supports: raise its lower bound, or set
`target-tensorflow`, where only one version matters. A range without a lower bound (`<2.11`) means the newest that it
allows. A folder that names TensorFlow without any version ends the search.

A file that names its own TensorFlow comes before all of these: a notebook with `!pip install tensorflow==2.3`, with an
image (`tensorflow/tensorflow:2.3.0`, `tf2-cpu.2-3`) or with `--runtime-version=2.3`, and a script whose dependencies
(`# /// script`) fix a version. The lowest of several counts, also for the modules that the notebook's cells write. A
range without an upper bound, such as `tensorflow>=2.0`, installs the newest version and decides nothing.

Where no version is declared, the code decides: what only TensorFlow 1 runs (sessions, placeholders, `tf.contrib`,
`make_one_shot_iterator`, none of them through `tf.compat`) means 1.15 for that file, and so do names that
TensorFlow 2 has no more, beside nothing that 1 lacks; everything else means the newest TensorFlow that tfdata-lint
knows. `--isolated` looks at no declaration, either. What is installed decides nothing, and
nothing is imported or run: the same files give the same findings everywhere.

Where another version would give findings another severity, the run says so at its end: "TensorFlow 2.21 repairs the
following by itself (no version is declared: set `target-tensorflow` if you support older ones)", with the places, or
"Assumed TensorFlow 1.15, as no version is declared: 1 warning would have severity advice on a newer one."

## Where a value comes from

`tfdata-lint check --show-settings [PATH]` prints every key with its value for a path and where it is set. With
`--output-format json` it prints a list of objects with `key`, `value` and `origin`. Selectors of extended files and of
the command line are on separate rows.
"""
