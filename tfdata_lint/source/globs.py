"""Patterns as in `.gitignore`, which a stranger may have written: comparing them with names must not take for ever."""

from __future__ import annotations

import re

#: Characters of a pattern, and `**` before its end, beyond which it is not used.
_LONGEST, _DEEP = 1_000, 2
_STAR = "[^/]*"
#: What the regular expressions of pathspec consist of.
_TOKEN = r"(?s)\[\^/\]\*|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|."


def is_costly(pattern: str) -> bool:
    """May comparing a name with a pattern take time with a high power of its length? No one writes such patterns."""
    return len(pattern) > _LONGEST or pattern.rstrip("/*").count("**") > _DEEP


def linear(expression: re.Pattern[str]) -> re.Pattern[str]:
    """A regular expression of pathspec in which a `*` takes the first place that fits what follows, and no other.

    With `*` after `*` the number of ways to share a name out among them grows with a power of its length.
    """
    if expression.pattern.count(_STAR) < 3:
        return expression
    parts: list[str] = []
    chunk = ""
    number = 0
    for token in re.findall(_TOKEN, expression.pattern):
        if token == _STAR:
            if not (parts and parts[-1] == _STAR):
                parts += [chunk, token]
            elif chunk:
                number += 1
                parts[-1] = f"(?=(?P<star{number}>[^/]*?{chunk}))(?P=star{number})"
                parts.append(token)
            chunk = ""
        elif len(token) > 1 or token not in "/()?:+.^$|*":
            chunk += token
        else:
            parts += [chunk, token]
            chunk = ""
    return re.compile("".join([*parts, chunk]))
