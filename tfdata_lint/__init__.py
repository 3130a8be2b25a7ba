"""A static linter for tf.data pipelines. To lint, TensorFlow is never imported.

The public API, each name imported when it is first used:

- `lint_source(text, path="pipeline.py")`: a report on one module or notebook
- `lint_paths(paths)`: a report on each file, of one path or several
- `fix_source(text, path="pipeline.py", unsafe=False, needless=False)`: one module or notebook after its fixes
- `recover(text)`: the graph of every pipeline in one module or notebook
- `Settings`: what these take as their settings, as `Settings(select=["TFD1"], target_tensorflow="2.15")`
- `to_json(*reports)`: what reports say, as `--output-format json` has it
- `Rule`, `Option`, `Finding`, `Related`, `Fix`, `Edit`, `Draft`, `guarded`, `Target`: what a rule is made of
- `PipelineGraph`, `Stage`, `Consumer`: what it asks
- `observe()`, `profile(dataset)`, `keras.Observe()`: what the pipelines of this process do; these use TensorFlow

`tfdata_lint.testing.check_page` makes a test of the page of a rule.

A report is a `FileReport` of `tfdata_lint.lint.reports`, with its `diagnostics`. Code that cannot be read is a
diagnostic (TFD000), a failure of ours another one (TFD002). Arguments that are wrong raise TypeError or ValueError with
one sentence, that of the command line; rules of other distributions that cannot be loaded raise RuleError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tfdata_lint import keras
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.config.target import Target
    from tfdata_lint.lint.changing import fix_source
    from tfdata_lint.lint.linting import lint_source, recover
    from tfdata_lint.observing.api import observe, profile
    from tfdata_lint.output.json import to_json
    from tfdata_lint.pipeline.nouns.consumers import Consumer
    from tfdata_lint.pipeline.nouns.graph import PipelineGraph
    from tfdata_lint.pipeline.nouns.stages import Stage
    from tfdata_lint.rewriting.draft import Draft
    from tfdata_lint.rules.base import Edit, Finding, Fix, Option, Related, Rule, guarded
    from tfdata_lint.run.engine import lint_paths

__version__ = "0.1.0"

#: Where the site of `website/` and the repository are to be read, without a slash at the end; empty while there is no
#: such address. Links of SARIF and reviewdog, of the site and of the distribution follow from these.
DOCUMENTATION = ""
REPOSITORY = ""

__all__ = [
    "Consumer", "Draft", "Edit", "Finding", "Fix", "Option", "PipelineGraph", "Related", "Rule", "Settings", "Stage",
    "Target", "__version__", "fix_source", "guarded", "keras", "lint_paths", "lint_source", "observe", "profile",
    "recover", "to_json",
]  # fmt: skip

_HOMES = {
    "load_ipython_extension": "tfdata_lint.observing.magics",
    "unload_ipython_extension": "tfdata_lint.observing.magics",
    "observe": "tfdata_lint.observing.api",
    "profile": "tfdata_lint.observing.api",
    "fix_source": "tfdata_lint.lint.changing",
    "lint_paths": "tfdata_lint.run.engine",
    "lint_source": "tfdata_lint.lint.linting",
    "recover": "tfdata_lint.lint.linting",
    "to_json": "tfdata_lint.output.json",
    "Consumer": "tfdata_lint.pipeline.nouns.consumers",
    "Draft": "tfdata_lint.rewriting.draft",
    "Edit": "tfdata_lint.rules.base",
    "Finding": "tfdata_lint.rules.base",
    "Fix": "tfdata_lint.rules.base",
    "guarded": "tfdata_lint.rules.base",
    "Option": "tfdata_lint.rules.base",
    "PipelineGraph": "tfdata_lint.pipeline.nouns.graph",
    "Related": "tfdata_lint.rules.base",
    "Stage": "tfdata_lint.pipeline.nouns.stages",
    "Target": "tfdata_lint.config.target",
    "Rule": "tfdata_lint.rules.base",
    "Settings": "tfdata_lint.config.settings.model",
}


def __getattr__(name: str) -> Any:
    if name == "keras":
        from importlib import import_module

        return import_module("tfdata_lint.keras")
    if not (home := _HOMES.get(name)):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
