"""The registry of rules: every `Rule` in a module below this folder, and those of other distributions.

A new rule is a new file; `python tests/project/test_generated.py` enters it into `index.py`, by which rules are known
without being imported. Other distributions name a `Rule`, or a module of them, under the entry point group
`tfdata_lint.rules`; their pages lie in a folder `pages` beside their module, else their docstrings count.
"""

from __future__ import annotations

import os
import re
import sys
from abc import ABCMeta
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, get_args

import tfdata_lint
from tfdata_lint.rules.base import Entry, Group, Rule, Status
from tfdata_lint.rules.index import ROWS
from tfdata_lint.source.content import BESIDE, read

ENTRY_POINTS = "tfdata_lint.rules"


class RuleError(Exception):
    """The rules of another distribution cannot be used; the text says which and why."""


@cache
def entries() -> tuple[Entry, ...]:
    """Every rule, sorted by code, ours without being imported. Raises RuleError."""
    found = {row[0]: Entry(*row[:4], f"{__name__}.{row[4]}", *row[5:]) for row in ROWS}
    for rule in _foreign_rules():
        if (other := found.get(rule.code)) and type(other.rule) is not type(rule):
            raise RuleError(f"two rules have the code {rule.code}: {_where(other.rule)} and {_where(rule)}")
        found[rule.code] = Entry.of(rule)
    return tuple(found[code] for code in sorted(found))


def all_rules() -> tuple[Rule, ...]:
    """One instance of every rule, sorted by code. Raises RuleError."""
    return tuple(entry.rule for entry in entries())


def entry_of(code_or_name: str) -> Entry | None:
    """The rule with this code (`TFD101`) or name (`missing-prefetch`), whatever the case, as the index knows it."""
    wanted = code_or_name.upper()
    return next((entry for entry in entries() if wanted in (entry.code.upper(), entry.name.upper())), None)


def selectors_of(code: str) -> tuple[str, ...]:
    """Return what a comment may call the rule with this code."""
    found = entry_of(code)
    return found.selectors if found else (code,)


def rule(code_or_name: str) -> Rule | None:
    """The same, imported."""
    entry = entry_of(code_or_name)
    return entry.rule if entry else None


def page_file(wanted: Rule) -> str | None:
    """Where the page of a rule is: in an installed package, in the repository, or beside the module of a rule from
    outside. None if it has none."""
    package = os.path.dirname(os.path.dirname(__file__))
    folders = [os.path.join(package, "pages"), os.path.join(os.path.dirname(package), "rules")]
    if is_foreign(wanted) and (module := getattr(sys.modules.get(type(wanted).__module__), "__file__", None)):
        folders = [os.path.join(os.path.dirname(module), "pages")]
    pages = (os.path.join(folder, f"{wanted.code}-{wanted.name}.md") for folder in folders)
    return next(filter(os.path.isfile, pages), None)


def page(wanted: Rule) -> str | None:
    """The page of a rule in Markdown."""
    try:
        with open(page_file(wanted) or "", encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def page_address(wanted: Rule) -> str | None:
    """Where the page of a rule is on the site; None while the site has no address, and for rules from outside."""
    if not tfdata_lint.DOCUMENTATION or is_foreign(wanted):
        return None
    return f"{tfdata_lint.DOCUMENTATION}/rules/{wanted.code}-{wanted.name}/"


def is_foreign(wanted: Rule) -> bool:
    """Whether another distribution provides the rule."""
    return not type(wanted).__module__.startswith(f"{__name__}.")


def explanation(wanted: Rule, *, with_cases: bool = False) -> str:
    """Return what there is to read about a rule, in Markdown: its page, or else its own docstring.

    The section "Cases" of a page, which ends it, is for tests and for those who ask for it.
    """
    if text := page(wanted):
        return (text if with_cases else text.partition("\n## Cases\n")[0]).rstrip()
    default = "on" if wanted.on_by_default else "off"
    options = [f"- `{option.name}` (default: `{option.default}`): {option.text}" for option in wanted.options]
    parts = (
        f"# {wanted.code} {wanted.name}",
        f"{wanted.summary.rstrip('.')}.",
        _own_docstring(wanted),
        f"{wanted.group}, {wanted.severity}, {wanted.status}, {default} by default",
        "\n".join(options),
    )
    return "\n\n".join(filter(None, parts))


def _own_docstring(wanted: Rule) -> str:
    from inspect import cleandoc

    return cleandoc(vars(type(wanted)).get("__doc__") or "")


def own_rules() -> Iterator[Rule]:
    """Those of the modules below this folder."""
    for name in sorted(_modules(os.path.dirname(__file__), __name__)):
        yield from _rules_in(import_module(name))


def _modules(folder: str, package: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name, extension = os.path.splitext(entry.name)
            if name.isidentifier() and not name.startswith("__"):
                if extension == ".py":
                    yield f"{package}.{name}"
                elif entry.is_dir():
                    yield from _modules(entry.path, f"{package}.{name}")


def _rules_in(module: ModuleType) -> Iterator[Rule]:
    for value in vars(module).values():
        if _is_rule(value) and value.__module__ == module.__name__:
            yield value()


def _checked(found: Rule) -> Rule:
    """A rule whose attributes are what they have to be. Raises TypeError."""
    texts = {"code": r"[A-Z]+\d+", "name": r"[a-z0-9]+(-[a-z0-9]+)*", "summary": r"(?s).+"}
    for attribute, form in texts.items():
        value = getattr(found, attribute, None)
        if not isinstance(value, str) or not re.fullmatch(form, value):
            raise TypeError(f"{type(found).__name__}.{attribute} is {value!r}")
    if found.group not in get_args(Group):
        raise TypeError(f"{type(found).__name__}.group is {found.group!r}, not one of {', '.join(get_args(Group))}")
    if found.status not in get_args(Status):
        raise TypeError(f"{type(found).__name__}.status is {found.status!r}, not one of {', '.join(get_args(Status))}")
    return found


def _is_rule(value: Any) -> bool:
    # `Sequence[int]` calls itself a class before Python 3.11.
    is_class = issubclass(type(value), ABCMeta)
    return is_class and issubclass(value, Rule) and hasattr(value, "code") and not value.__abstractmethods__


def _foreign_rules() -> Iterator[Rule]:
    # `importlib.metadata` costs more than most runs: only where a look at the files says that there is something.
    if not any(map(_declares_rules, sys.path)):
        return
    from importlib.metadata import entry_points

    for entry_point in sorted(entry_points(group=ENTRY_POINTS)):
        try:
            target = entry_point.load()
            rules = [_checked(found) for found in ([target()] if _is_rule(target) else _rules_in(target))]
        except Exception as error:
            raise RuleError(f"cannot load the rules of {entry_point.value}: {type(error).__name__}: {error}") from error
        yield from rules


def _declares_rules(folder: str) -> bool:
    try:
        with os.scandir(folder or ".") as entries:
            metadata = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return False
    return any(_holds_group(os.path.join(path, "entry_points.txt")) for path in metadata)


def _holds_group(path: str) -> bool:
    try:
        return f"[{ENTRY_POINTS}]".encode() in read(path, BESIDE)
    except OSError:
        return False


def _where(found: Rule) -> str:
    return f"{type(found).__module__}.{type(found).__name__}"
