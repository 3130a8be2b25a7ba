"""What is kept of a report: as text, with what it depends on."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from tfdata_lint.lint.reports import FileReport
from tfdata_lint.run.cache.stamps import digest_of_all, stamp_of
from tfdata_lint.source.digests import digest

#: Of a file that the byte search passes over nothing is kept but that.
QUIET = ""
#: Marks files that the byte search passes over, unless they are named.
ONLY_NAMED = "!"
SEPARATOR = "\x01"
#: What is kept of a report besides its path.
_FIELDS = tuple(
    name for name in FileReport._fields if name not in ("path", "fixed", "before", "after", "problem", "depends")
)
#: Of a file that has tf.data and nothing to report, which is not worth importing JSON for.
_ONLY_USES = "1"


def packed(report: FileReport, data: bytes, since: int, state: Callable[[str], str], *, quiet: bool) -> str | None:
    """A report as text, with what it depends on; None when it may not hold. `state`: of what it depends on."""
    if any(diagnostic.code == "TFD002" for diagnostic in report.diagnostics):
        return None
    # A file changed since it was read would be taken for the one that was.
    if any(os.path.isfile(other) and not stamp_of(other, since) for other in report.depends):
        return None
    depends = SEPARATOR.join(report.depends)
    if "\n" in depends:
        return None
    of_others = digest_of_all(map(state, report.depends)) if depends else ""
    beginning = f"{ONLY_NAMED * quiet}{digest(data)}\0{depends}\0{of_others}\0"
    values = tuple(getattr(report, name) for name in _FIELDS)
    if not any(values):
        return beginning
    if report.uses_tf_data and sum(map(bool, values)) == 1:
        return beginning + _ONLY_USES
    import json

    return beginning + json.dumps(_plain(values), separators=(",", ":"))


def unpacked(path: str, others: list[str], text: str) -> FileReport:
    values: dict[str, Any] = {}
    if text == _ONLY_USES:
        values = {"uses_tf_data": True}
    elif text:
        import json

        values = dict(zip(_FIELDS, map(_tuple, json.loads(text, object_hook=_object)), strict=True))
    return FileReport(path, depends=tuple(others), **values)


def _plain(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    parts = [_plain(part) for part in value]
    return parts if type(value) is tuple else {type(value).__name__: parts}


def _object(raw: dict[str, list[Any]]) -> Any:
    ((name, values),) = raw.items()
    return _class(name)(*[_tuple(value) if type(value) is list else value for value in values])


def _tuple(value: Any) -> Any:
    return tuple([_tuple(part) for part in value]) if type(value) is list else value


@cache
def _class(name: str) -> type[Any]:
    from tfdata_lint.lint.diagnostics import Diagnostic, PlacedEdit, PlacedFix, RelatedPlace
    from tfdata_lint.pipeline.nouns.places import Standing
    from tfdata_lint.source.places import Place

    if name == "Surroundings":
        from tfdata_lint.lint.surroundings import Surroundings

        return Surroundings
    return {cls.__name__: cls for cls in (Diagnostic, Place, PlacedEdit, PlacedFix, RelatedPlace, Standing)}[name]
