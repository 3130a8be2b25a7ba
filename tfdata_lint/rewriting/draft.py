"""The fix of one finding, in the style that the code around it has."""

from __future__ import annotations

from tfdata_lint.rewriting.chains import Chains
from tfdata_lint.rewriting.names import Names


class Draft(Chains, Names):
    """Everything that a rule can write. What cannot be written is noted, and the fix is then for display only."""
