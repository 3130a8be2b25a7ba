"""Much of one thing."""

from __future__ import annotations

from inputs import Input

INPUTS: list[Input] = []
