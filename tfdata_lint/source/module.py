"""A module or notebook as text, with what is needed to find one's way in it."""

from __future__ import annotations
