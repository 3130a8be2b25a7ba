"""How much work is done for one module before the analysis gives up; what is cut off is unknown, never a hang."""

from __future__ import annotations

from typing import NamedTuple

from tfdata_lint.source.module import LONGEST


class Limits(NamedTuple):
    """The bounds of one run. Fuel is spent by expressions and statements: 1,000,000 steps take a few seconds."""

    fuel: int = 1_000_000
    """As the setting `analysis-limit` has it."""
    asked: int = 2_500_000
    """Stages and ways that are looked at to answer what is asked of pipelines. Real code asks for 30,000 at most."""
    abroad: int = 50_000
    """The part of it that functions of other modules may take."""
    mapped: int = 6_000
    """The part of it that one mapped function may take."""
    modules: int = 320
    """Other modules read for one."""
    characters: int = LONGEST
    """Of one module, which are parsed."""
    depth: int = 14
    """Project functions entered one inside another."""
    nesting: int = 60
    """Of one expression, beyond which it is not looked at."""
    pipeline: int = 64
    """Stages and joins one behind another; of what lies further upstream nothing is known. Real code has 30 at most."""
    unrolled: int = 12
    """Items of a literal sequence that a loop walks one by one."""
    columns: int = 40
    """The same where they are columns: in short loops of mapped functions, and to make a dict."""
    passes: int = 64
    """Passes through all such loops around one statement; beyond that a loop is one of unknown length."""
    repeated: int = 3
    """Loops inside one another that run twice: each level doubles the work."""
    alternatives: int = 12
    """Values that are not datasets, beyond which the value is unknown."""
    branches: int = 4
    """Alternatives of a called value that are followed."""
    setters: int = 3
    """Methods that are run for an attribute that they set."""

    @staticmethod
    def of(steps: int) -> Limits:
        """Return the limits for a number of steps, which grow with it."""
        usual = Limits()
        share = steps / usual.fuel
        asked, abroad = int(usual.asked * share), int(usual.abroad * share)
        modules, characters = (int(most * max(share, 1)) for most in (usual.modules, usual.characters))
        return usual._replace(fuel=steps, asked=asked, abroad=abroad, modules=modules, characters=characters)


LIMITS = Limits()
