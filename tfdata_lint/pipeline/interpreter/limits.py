"""How much work is done for one module before the analysis gives up; what is cut off is unknown, never a hang."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The bounds of one run. Fuel is spent by expressions and statements: 200,000 steps are about half a second."""

    fuel: int = 200_000
    """As the setting `analysis-limit` has it."""
    asked: int = 500_000
    """Stages and ways that are looked at to answer what is asked of pipelines. Real code asks for 30,000 at most."""
    abroad: int = 10_000
    """The part of it that functions of other modules may take."""
    mapped: int = 6_000
    """The part of it that one mapped function may take."""
    modules: int = 64
    """Other modules read for one."""
    depth: int = 14
    """Project functions entered one inside another."""
    nesting: int = 60
    """Of one expression, beyond which it is not looked at."""
    pipeline: int = 64
    """Stages and joins one behind another; of what lies further upstream nothing is known. Real code has 30 at most."""
    unrolled: int = 8
    """Items of a literal sequence that a loop walks one by one."""
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
        """Those for so many steps: functions of other modules may take their share, and more of them are read."""
        usual = Limits()
        share = steps / usual.fuel
        modules = max(usual.modules, int(usual.modules * share))
        asked, abroad = int(usual.asked * share), int(usual.abroad * share)
        return usual._replace(fuel=steps, asked=asked, abroad=abroad, modules=modules)


LIMITS = Limits()
