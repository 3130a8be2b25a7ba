"""What is to be linted, what is to be changed, and what came of it: the words that the parts of the engine share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.rules.base import Finding
    from tfdata_lint.source.module import Source

#: Gives those of a file's findings that are reported: a baseline, or the changes since a revision.
Sieve: TypeAlias = "Callable[[Sequence[Diagnostic]], list[Diagnostic]]"


class File(NamedTuple):
    path: str
    explicit: bool
    settings: Settings
    problem: str | None = None
    """Why there is nothing to read."""


class Fixing(NamedTuple):
    """That findings shall be fixed, and how."""

    unsafe: bool = False
    write: bool = True
    """Replace the files; otherwise only say what they would be."""
    sieves: tuple[Sieve, ...] = ()
    """What they do not let through is left as it is."""
    needless: bool = False
    """Make those fixes, too, by which nothing is gained."""
    formats: bool = False
    """Run the formatter of the project afterwards, unless the settings switch that off."""
    choose: Callable[[Source, Iterable[Finding]], Iterable[Finding]] | None = None
    """Gives those of a text's findings that a person wants to be fixed; by default all."""

    def wants(self, finding: Finding) -> bool:
        """Shall this one be fixed?"""
        if finding.fix is None or not finding.fix.edits or (finding.fix.is_needless and not self.needless):
            return False
        return finding.fix.applicability == "safe" or (self.unsafe and finding.fix.applicability == "unsafe")


class Suppressing(NamedTuple):
    """That findings shall be suppressed by comments."""

    reason: str = ""
    write: bool = True
    sieves: tuple[Sieve, ...] = ()


class FileReport(NamedTuple):
    """What linting one file gave."""

    path: str
    diagnostics: tuple[Diagnostic, ...] = ()
    """What was found; after fixing, what is left."""
    fixed: tuple[Diagnostic, ...] = ()
    """What was fixed, as it stood in the text of its pass."""
    before: bytes = b""
    after: bytes | None = None
    """The new content, when there is one."""
    formatter: str = ""
    """What has formatted it."""
    problem: str = ""
    """Why the file could not be written."""
    hidden: int = 0
    """How many findings sieves have kept back."""
    depends: tuple[str, ...] = ()
    """The other files whose text the findings depend on, and the modules that were looked for, there or not, as paths
    without `.py`; all absolute."""
    elsewhere: tuple[Diagnostic, ...] = ()
    """What was found in other files because this one uses them."""
    of_ends: tuple[str, ...] = ()
    """The rules among them that are about the end of a pipeline, by code."""
    continued: tuple[str, ...] = ()
    """The stages in other files that pipelines of this one go on from."""
    denied: tuple[str, ...] = ()
    """What is not to be said of other files: rules with places that this file leads to in a way that is right."""
    uses_tf_data: bool = False
    """Does it hold a stage of a pipeline?"""
    is_addition: bool = False
    """It adds to an earlier report on the same file what was found because others use it."""

    def sifted(self, sieves: Iterable[Sieve]) -> FileReport:
        """With what all sieves let through. It must have been made with the setting `with_surroundings`."""
        left: Sequence[Diagnostic] = self.diagnostics
        for sieve in sieves:
            left = sieve(left)
        return self._replace(diagnostics=tuple(left), hidden=len(self.diagnostics) - len(left))


def gone(diagnostics: Iterable[Diagnostic], left: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Those findings that are not left at their rows."""
    still = {(d.code, *d.place[:3]) for d in left}
    return tuple(d for d in diagnostics if (d.code, *d.place[:3]) not in still)
