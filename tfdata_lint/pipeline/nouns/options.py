"""The options of datasets, and where they are set."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Context
from tfdata_lint.pipeline.nouns.values import Value


class Setting(NamedTuple):
    """Where an option is set."""

    path: str
    span: Span
    context: Context


class Options(Value):
    """A `tf.data.Options()` object.

    `settings` maps dotted attribute paths (`experimental_optimization.map_parallelization`) to their values;
    `later` are the paths set after the object was given to `with_options` with the place where, `applied` the number
    of times that happened; `root` is that of the context it was made in. `of_dataset` marks `dataset.options()`, which
    nobody may mutate. `escapes`: it was returned, stored or handed to code that we do not see; `held`: the attribute of
    an object of the project that it is.
    """

    __slots__ = ("applied", "escapes", "held", "later", "of_dataset", "root", "settings", "span", "written")

    def __init__(self, span: Span, of_dataset: bool = False, root: int = 0) -> None:
        self.span = span
        self.root = root
        self.held = ""
        self.settings: dict[str, Value] = {}
        self.written: list[Setting] = []
        self.later: list[tuple[str, Span]] = []
        self.applied = 0
        self.of_dataset = of_dataset
        self.escapes = False


class OptionsGroup(Value):
    """A nested group of options while an attribute path is being walked: `options.experimental_optimization`."""

    __slots__ = ("options", "path")
    __match_args__: ClassVar = ("options", "path")

    def __init__(self, options: Options, path: str) -> None:
        self.options = options
        self.path = path
