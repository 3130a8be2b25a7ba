"""What `--help` says below the options, and what is meant by words that are no commands."""

from __future__ import annotations

EXIT_CODES = """\
exit codes:
  0  no findings, or only ones below --fail-level (default: warning)
  1  findings: the check succeeded (--exit-zero turns this into 0)
     (with --fix: findings that remain; with --diff: files that would change)
  2  error: a missing path, wrong options or configuration, or an internal error
"""
OTHER_EXIT_CODES = """\
exit codes:
  0  success
  2  error: a missing path, wrong options or configuration, or an internal error
"""
MAIN_EXAMPLES = """\
examples:
  tfdata-lint check                      lint everything below the working directory
  tfdata-lint check train.py --select TFD1,TFD4
  tfdata-lint graph input_pipeline.py    print the pipelines of a file
  tfdata-lint rule TFD101                explain a rule
  tfdata-lint tune train.py              run it, and search for a faster pipeline

measurements:
  tfdata-lint check --verify train.py    run the code, and check findings against what its pipelines do
  tfdata-lint profile logs               say what a recorded TensorFlow profile tells about the input pipeline
  with tfdata_lint.observe(): ...        in your own program: measure its pipelines while it runs

"""
#: What is no command, and what is meant by it.
MEANT = {
    "lint": "tfdata-lint check",
    "verify": "tfdata-lint check --verify TARGET",
    "fix": "tfdata-lint check --fix",
    "diff": "tfdata-lint check --diff",
    "baseline": "tfdata-lint check --write-baseline",
    "explain": "tfdata-lint rule CODE",
    "rules": "tfdata-lint rule",
    "version": "tfdata-lint --version",
    "help": "tfdata-lint --help",
    "observe": "with tfdata_lint.observe():` in your program, or `tfdata-lint check --verify TARGET",
}
CHECK_EXAMPLES = """\
examples:
  tfdata-lint check src notebooks/train.ipynb
  tfdata-lint check --ignore advice --target-tensorflow 2.15
  tfdata-lint check --diff               show what --fix would change
  tfdata-lint check --fix --unsafe-fixes train.py
  tfdata-lint check --fix --interactive  ask about each fix
  tfdata-lint check --output-format json . > findings.json
  git show HEAD:train.py | tfdata-lint check - --stdin-filename train.py

RULES are codes (TFD101), their beginnings (TFD1), names (missing-prefetch), groups (correctness, performance, advice,
upgrade, pedantic) or ALL, separated by commas. The more specific selector wins. Options override
the settings of the same names in [tool.tfdata-lint] of pyproject.toml.

"""
TUNE_EXAMPLES = """\
examples:
  tfdata-lint tune train.py -- --epochs 1
  tfdata-lint tune input_pipeline.py::make_dataset --verify-arg batch_size=64 --step-ms 20
  tfdata-lint tune --budget 600 --fix notebook.ipynb

exit codes:
  0  no faster pipeline was found, or --fix wrote it
  1  a faster pipeline was found and is shown
  2  error: nothing was observed, wrong options, or an internal error
"""
PROFILE_EXAMPLES = """\
examples:
  tfdata-lint profile logs               the newest run below this folder
  tfdata-lint profile host.xplane.pb --source src
  tfdata-lint profile worker*.json       compare the workers of a training
  tfdata-lint check src --profile logs   findings, with what the profile says of their stages

"""
COMPARE_EXAMPLES = """\
examples:
  tfdata-lint compare main.json run.tfdata.json
  tfdata-lint compare --threshold 10 --output-format markdown main.json run.tfdata.json > comment.md

exit codes:
  0  no pipeline is certainly worse by more than the threshold
  1  the whole interval of a pipeline's speed, or of its consumer's wait, is worse by more than the threshold
  2  error: a file is missing or is not a run, or the runs share no pipeline
"""
GRAPH_EXIT_CODES = """\
exit codes:
  0  every file was read
  1  a file, or a cell of a notebook, is no Python
  2  something could not be done: a missing path, wrong options or configuration, an internal error
"""
GRAPH_EXAMPLES = """\
examples:
  tfdata-lint graph input_pipeline.py
  tfdata-lint graph --format svg train.py > pipelines.svg
  tfdata-lint graph --format mermaid src > pipelines.mmd
  tfdata-lint graph --coverage src       list what is not recovered, and why

"""
