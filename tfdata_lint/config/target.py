"""Which TensorFlow the linted code runs on."""

from __future__ import annotations

import re
from typing import NamedTuple

#: The newest that we know. It is meant where nothing tells another one.
NEWEST = (2, 21)

#: Where nothing tells a version, names of this one are taken to be there.
_COMMON = (2, 4)


class Target(NamedTuple):
    """A TensorFlow version, `(2, 15)`."""

    version: tuple[int, int] = NEWEST
    origin: str = "assumed"
    """Where the version was found: a setting, a file; or why it is assumed."""
    is_declared: bool = False
    """Does a setting or the project tell it?"""
    oldest: tuple[int, int] | None = None
    """Where the code may have to run on an older one, too: fixes use no name that this one lacks."""
    mentioned: tuple[int, int] | None = None
    """One that a text for people speaks of, such as a README: no name that it lacks is advised, and nothing more."""

    def at_least(self, major: int, minor: int) -> bool:
        return self.version >= (major, minor)

    def below(self, major: int, minor: int) -> bool:
        return self.version < (major, minor)

    def lacks(self, major: int, minor: int) -> bool:
        """May a version that the code runs on lack what this one brought?"""
        return min(self.version, self.oldest or self.version, self.mentioned or self.version) < (major, minor)

    def may_lack(self, major: int, minor: int) -> bool:
        """Is it only assumed to be new enough for what this one brought?"""
        return not self.is_declared and self.oldest is None and (major, minor) > _COMMON

    def __str__(self) -> str:
        return "{}.{}".format(*self.version)

    @classmethod
    def parse(cls, text: str, origin: str) -> Target:
        """From `2.15` or `2.15.1`. Raises ValueError when it is no version, or one after TensorFlow 2."""
        if not (match := re.fullmatch(r"\s*(\d{1,4})\.(\d{1,4})(?:\.\w+)*\s*", text)):
            raise ValueError(f"not a TensorFlow version: {text!r} (write it as 2.15)")
        version = int(match[1]), int(match[2])
        if version[0] > NEWEST[0]:
            known = "{}.{}".format(*NEWEST)
            raise ValueError(f"not a TensorFlow version: {text!r} (the newest known version is {known})")
        return cls(version, origin, is_declared=True)


#: What code means that only TensorFlow 1 runs. Nothing that rules know is older.
LAST_OF_1 = Target((1, 15), "assumed, because the code uses TensorFlow 1")
#: TensorFlow Addons ended with it: later ones raise ModuleNotFoundError at `import tensorflow_addons` (0.23.0 on 2.21).
LAST_WITH_ADDONS = Target((2, 15), "assumed, because the code imports TensorFlow Addons")
