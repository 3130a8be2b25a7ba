"""Patterns as in `.gitignore`, which a stranger may have written: comparing them with names must not take for ever."""

from __future__ import annotations

import re

#: Characters of a pattern, and `**` before its end, beyond which it is not used.
_LONGEST, _DEEP = 1_000, 3
_STAR = "[^/]*"
#: A character as it is, or one of several.
_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]")


def is_costly(pattern: str) -> bool:
    """May comparing a name with a pattern take time with a high power of its length? No one writes such patterns."""
    return len(pattern) > _LONGEST or pattern.rstrip("/*").count("**") > _DEEP


def compiled(line: str) -> list[tuple[bool, re.Pattern[str]]]:
    """The expressions of a line of patterns: whether each leaves files out, and what it matches. Raises ValueError."""
    import warnings

    from pathspec import GitIgnoreSpec

    with warnings.catch_warnings():
        # Python says of `[[a]` that it may mean something else one day.
        warnings.simplefilter("ignore", FutureWarning)
        patterns = GitIgnoreSpec.from_lines([line]).patterns
        return [(one.include, linear(one.regex)) for one in patterns if one.include is not None and one.regex]


def linear(expression: re.Pattern[str]) -> re.Pattern[str]:
    """A regular expression of pathspec as Git means it: `[!a]` is no `/`; and what follows a `*` is looked for once.

    To try each way to share out a name takes exponential time. The first place is as good as any, because another `*`
    comes behind it.
    """
    text = expression.pattern
    if "[" not in text:
        return expression
    text = _CLASS.sub(
        lambda found: found[0] if found[0][0] == "\\" or found[0] == _STAR[:-1] else f"(?!/){found[0]}", text
    )
    begun, *parts = text.split(_STAR)
    for number, part in enumerate(parts[:-1]):
        is_plain = part and "(" not in _CLASS.sub("", part.replace("(?!/)", ""))
        begun += f"(?=(?P<star{number}>[^/]*?{part}))(?P=star{number})" if is_plain else f"{_STAR}{part}"
    return re.compile(f"{begun}{_STAR}{parts[-1]}" if parts else begun)
