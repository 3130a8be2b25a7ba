"""What may be said in settings, by a file or by a program: values of each kind, and selectors of rules."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast, get_args

from tfdata_lint.config.formats import FORMATS
from tfdata_lint.config.target import Target
from tfdata_lint.source.globs import is_costly

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Entry, Severity

#: Entries of a list, characters of each, and the largest count: a project may have been written by a stranger.
MOST = 1_000
LONGEST = 1_000
LARGEST = 2_000_000
SEVERITIES: tuple[Severity, ...] = ("advice", "warning", "error")
FORMATTERS = ("auto", "off")

#: What is typed for a digit.
_LOOK_ALIKES = str.maketrans("OIL", "011")

#: Between the file and the function of a target.
TARGET_SEPARATOR = "::"


def read(kind: str, raw: Any, origin: str) -> Any:
    """A value as `Settings` has it, from one as TOML has it. Raises ValueError, which goes on after the key."""
    if _has_nul(raw):
        raise ValueError("has the character NUL, which no name of a file or rule has")
    return _READERS[kind](raw, origin)


def _has_nul(raw: Any) -> bool:
    if isinstance(raw, str):
        return "\0" in raw
    parts = (*raw, *raw.values()) if isinstance(raw, Mapping) else raw if isinstance(raw, (list, tuple)) else ()
    return any(map(_has_nul, parts))


def selectors(kind: str, value: Any) -> Iterator[str]:
    """The selectors of rules in a value that was read."""
    if kind == "rules":
        yield from value
    elif kind == "ignores":
        for _, ignored in value:
            yield from ignored


def selector_problem(selector: str) -> str | None:
    """Why a selector selects no rule, in one line with the nearest one that does; None when it does."""
    from tfdata_lint.rules import entries
    from tfdata_lint.rules.base import Group

    rules = entries()
    groups = (*get_args(Group), "preview")
    if selector == "ALL" or selector in groups or any(_names(selector, rule) for rule in rules):
        return None
    known = ["ALL", *(r.code for r in rules), *(r.name for r in rules), *groups]
    near = nearest_rule(selector, known)
    hint = f"; did you mean `{near}`?" if near else "; `tfdata-lint rule` lists them"
    return f"unknown rule `{selector}`{hint}"


def is_prefix(selector: str) -> bool:
    """Is it written as the beginning of codes is?"""
    return re.fullmatch(r"[A-Z]+\d*", selector) is not None


def unknown_key(name: str, known: Collection[str]) -> str:
    """What to say of a key that there is not."""
    near = nearest(name, known) or nearest(name.replace("_", "-"), known)
    hint = f"; did you mean `{near}`?" if near else f"; the keys are {', '.join(known)}"
    return f"unknown key `{name}`{hint}"


def nearest_rule(selector: str, known: Collection[str]) -> str | None:
    """The code, name or group that a wrong one means. All codes are alike: what counts is their digits."""
    exact = next((one for one in known if one.lower() == selector.lower()), None)
    digits = re.fullmatch(r"(?i)[TFD]{0,4}[-_]?((?=.*\d)[\dOIL]+)", selector)
    if exact or not digits:
        return exact or nearest(selector, known) or nearest(selector.lower(), known)
    return nearest(f"TFD{digits[1].upper().translate(_LOOK_ALIKES)}", known, 0.8)


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The most similar of the known words, if there is one; among equals that which begins alike, or is the first."""
    from difflib import SequenceMatcher, get_close_matches
    from itertools import takewhile

    def likeness(other: str) -> tuple[float, int]:
        return SequenceMatcher(None, other, word).ratio(), sum(takewhile(bool, map(str.__eq__, word, other)))

    return max(sorted(get_close_matches(word, list(known), n=20, cutoff=cutoff)), key=likeness, default=None)


def _names(selector: str, rule: Entry) -> bool:
    begins = is_prefix(selector) and rule.code.startswith(selector)
    return selector in (rule.name, rule.code) or (begins and rule.on_by_default)


# ── kinds ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _strings(raw: Any, origin: str) -> tuple[str, ...]:
    if not isinstance(raw, (list, tuple)):
        raise ValueError(f'must be a list of strings, such as ["…"], not {_type(raw)}')
    if len(raw) > MOST:
        raise ValueError(f"must have at most {MOST:,} entries, not {len(raw):,}")
    for item in raw:
        if isinstance(item, str) and len(item) > LONGEST:
            raise ValueError(f"must have entries of at most {LONGEST:,} characters, and has one of {len(item):,}")
        if not isinstance(item, str):
            raise ValueError(f'must be a list of strings, such as ["…"], and has {_type(item)}')
    return tuple(raw)


def _names_of_magics(raw: Any, origin: str) -> tuple[str, ...]:
    names = tuple(name.removeprefix("%%") for name in _strings(raw, origin))
    if wrong := next((name for name in names if not name.isidentifier()), None):
        raise ValueError(f"has `{wrong}`, which is not the name of a magic")
    return names


def _patterns(raw: Any, origin: str) -> tuple[str, ...]:
    patterns = _strings(raw, origin)
    for pattern in patterns:
        if is_costly(pattern):
            raise ValueError(f"has `{pattern}`, which has too many `**`")
    return patterns


def _ignores(raw: Any, origin: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if (table := _table(raw)) is None:
        raise ValueError(f'must be a table of patterns, such as {{"tests/**" = ["TFD101"]}}, not {_type(raw)}')
    patterns = _patterns(tuple(table), origin)
    return tuple(
        (pattern, _strings(ignored, origin)) for pattern, ignored in zip(patterns, table.values(), strict=True)
    )


def _arguments(raw: Any, origin: str) -> tuple[tuple[str, str], ...]:
    """Names and values; these as JSON, for settings to be hashable."""
    import json

    if isinstance(raw, tuple) and _table(raw) is not None:
        return raw
    if not isinstance(raw, dict):
        raise ValueError(f"must be a table of arguments, such as {{batch_size = 8}}, not {_type(raw)}")
    for name, value in raw.items():
        if TARGET_SEPARATOR in name and not isinstance(value, dict):
            raise ValueError(f'must have a table of arguments for "{name}", not {_type(value)}')
        if TARGET_SEPARATOR not in name and not name.isidentifier():
            raise ValueError(f"has `{name}`, which is neither the name of an argument nor FILE.py::FUNCTION")
    try:
        return tuple((name, json.dumps(value)) for name, value in raw.items())
    except TypeError:
        raise ValueError("must have only values that JSON supports: write dates as strings") from None


def _options(raw: Any, origin: str) -> tuple[tuple[str, str], ...]:
    """The options of rules: their codes, and a table each; these as JSON, for settings to be hashable."""
    import json

    from tfdata_lint.rules import rule

    if isinstance(raw, tuple) and _table(raw) is not None:
        return raw
    if not isinstance(raw, dict):
        raise ValueError(f"must be a table of rules, not {_type(raw)}")
    found: dict[str, str] = {}
    for name, values in raw.items():
        wanted = rule(name)
        if wanted is None:
            raise ValueError(f"has {selector_problem(name) or f'`{name}`, which is more than one rule'}")
        if not isinstance(values, dict):
            raise ValueError(f"must have a table of options for `{name}`, not {_type(values)}")
        known = {option.name: option.default for option in wanted.options}
        if wrong := next((given for given in values if given not in known), None):
            hint = f"the options are {', '.join(known)}" if known else "it has none"
            raise ValueError(f"has `{wrong}`, which is not an option of {wanted.code} {wanted.name}; {hint}")
        for given, value in values.items():
            if problem := _option_problem(known[given], value):
                raise ValueError(f"has {problem} for `{given}` of {wanted.code}")
        found[wanted.code] = json.dumps(values, sort_keys=True)
    return tuple(sorted(found.items()))


def _option_problem(default: Any, value: Any) -> str:
    """What is wrong with the value of an option, which has the type of its default."""
    if isinstance(default, tuple):
        is_right = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return "" if is_right else f"{_type(value)} instead of a list of strings"
    if isinstance(default, int) and isinstance(value, float):
        return "a fraction"
    return "" if _type(value) == _type(default) else f"{_type(value)} instead of {_type(default)}"


def _switch(raw: Any, origin: str) -> bool:
    if not isinstance(raw, bool):
        raise ValueError(f"must be true or false, not {_type(raw)}")
    return raw


def _count(raw: Any, origin: str) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or raw < 1:
        shown = raw if isinstance(raw, int) and not isinstance(raw, bool) else _type(raw)
        raise ValueError(f"must be a whole number of at least 1, not {shown}")
    if raw > LARGEST:
        raise ValueError(f"must be at most {LARGEST:,}")
    return raw


def _path(raw: Any, origin: str) -> str:
    if not isinstance(raw, str) or not raw:
        raise ValueError('must be the name of a file in quotes, such as "tfdata-lint-baseline.json"')
    return raw


def _files(raw: Any, origin: str) -> tuple[str, ...]:
    files = _strings(raw, origin)
    if not all(files):
        raise ValueError('must be a list of the names of files, such as ["tfdata-lint-evidence.json"]')
    return files


def _version(raw: Any, origin: str) -> Target:
    if isinstance(raw, Target):
        return raw
    if not isinstance(raw, str):
        raise ValueError(f'must be a version in quotes, such as "2.15", not {_type(raw)}')
    try:
        return Target.parse(raw, origin)
    except ValueError as error:
        raise ValueError(f"is {error}") from None


#: How a version may be bound.
_BOUNDS: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    "==": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def _requirement(raw: Any, origin: str) -> str:
    if not isinstance(raw, str):
        raise ValueError(f'must be a version in quotes, such as ">=1.2", not {_type(raw)}')
    if not list(_bounds(raw)):
        raise ValueError(f'is "{raw}", which is no version such as "1.2" or ">=1.2,<2"')
    return raw


def is_met(requirement: str, version: str) -> bool:
    """Does a version meet what `required-version` says? What follows the numbers of a version does not count."""
    return all(_BOUNDS[sign](*_filled(_numbers(version), bound)) for sign, bound in _bounds(requirement))


def _bounds(requirement: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The signs and the versions; none where one is not understood."""
    parts = [
        re.fullmatch(r"\s*(==|!=|>=|<=|>|<|)\s*(\d{1,9}(?:\.\d{1,9}){0,5})\s*", part) for part in requirement.split(",")
    ]
    if all(parts):
        yield from ((part[1] or "==", _numbers(part[2])) for part in parts if part)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", re.match(r"[\d.]*", version)[0])))  # type: ignore[index]


def _filled(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both with as many numbers: `1.2` is `1.2.0`."""
    most = max(len(one), len(other))
    return one + (0,) * (most - len(one)), other + (0,) * (most - len(other))


def _one_of(choices: tuple[str, ...]) -> Callable[[Any, str], str]:
    def chosen(raw: Any, origin: str) -> str:
        if raw not in choices:
            shown = f'"{raw}"' if isinstance(raw, str) else _type(raw)
            raise ValueError(f"must be one of {', '.join(choices)}, not {shown}")
        return cast(str, raw)

    return chosen


_READERS: dict[str, Callable[[Any, str], Any]] = {
    "rules": _strings,
    "patterns": _patterns,
    "names": _names_of_magics,
    "ignores": _ignores,
    "arguments": _arguments,
    "options": _options,
    "switch": _switch,
    "count": _count,
    "path": _path,
    "files": _files,
    "version": _version,
    "requirement": _requirement,
    "severity": _one_of(SEVERITIES),
    "format": _one_of(tuple(FORMATS)),
    "formatter": _one_of(FORMATTERS),
}


def _table(raw: Any) -> dict[str, Any] | None:
    """A table, also as `Settings` has it: pairs."""
    if isinstance(raw, tuple) and all(isinstance(row, tuple) and len(row) == 2 for row in raw):
        return dict(raw)
    return raw if isinstance(raw, dict) else None


def _type(raw: Any) -> str:
    names = {
        bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a table",
        tuple: "a list", type(None): "None",
    }  # fmt: skip
    return names.get(type(raw), f"a {type(raw).__name__}")
