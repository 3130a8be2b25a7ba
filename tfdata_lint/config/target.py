"""Which TensorFlow the linted code runs on."""

from __future__ import annotations

import re
from typing import NamedTuple

#: What a nightly build without a version stands for.
NEWEST = (99, 0)


class Target(NamedTuple):
    """A TensorFlow version, `(2, 15)`; None when it is not known, which means the oldest: warn."""

    version: tuple[int, int] | None = None
    origin: str = "unknown"
    """Where the version was found: a setting, a file, an installed distribution."""
    exact: bool = True
    """Is it this one, or the lowest of those that it may be?"""

    def at_least(self, major: int, minor: int) -> bool:
        """Is it known to be this version or a newer one?"""
        return self.version is not None and self.version >= (major, minor)

    def below(self, major: int, minor: int) -> bool:
        """Is it known to be older than this version?"""
        return self.version is not None and self.version < (major, minor)

    @property
    def or_newest(self) -> Target:
        """Itself, or when it is not known exactly a version newer than all. For tests and toy data, where a warning
        must not rest on not knowing."""
        return self if self.version is not None and self.exact else Target(NEWEST, self.origin)

    def __str__(self) -> str:
        if self.version is None:
            return "unknown"
        return "newest" if self.version == NEWEST else "{}.{}".format(*self.version)

    @classmethod
    def parse(cls, text: str, origin: str) -> Target:
        """From `2.15` or `2.15.1`. Raises ValueError when it is no version."""
        if not (match := re.fullmatch(r"\s*(\d+)\.(\d+)(?:\.\w+)*\s*", text)):
            raise ValueError(f"not a TensorFlow version: {text!r} (write it as 2.15)")
        return cls((int(match[1]), int(match[2])), origin)
