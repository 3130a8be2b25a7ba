"""Which rules the settings switch on, and which fixes they allow."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from tfdata_lint.config.settings.model import ALWAYS_ON, Selection, Settings
from tfdata_lint.config.settings.values import is_prefix

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Applicability, Entry


@lru_cache(maxsize=256)
def active_rules(settings: Settings, ignored: tuple[str, ...] = ()) -> tuple[Entry, ...]:
    """The rules that are on, for a file with these selectors under `per-file-ignores`."""
    from tfdata_lint.rules import entries

    layers = _layers(settings, ignored)
    return tuple(rule.configured(settings.options_of(rule.code)) for rule in entries() if _is_on(rule, layers))


def _layers(settings: Settings, ignored: tuple[str, ...]) -> tuple[Selection, ...]:
    own = Selection(settings.select, settings.extend_select, settings.ignore)
    inherited = (selection for _, selection in settings.inherited)
    return *inherited, own, settings.command_line, Selection(ignore=ignored)


def is_active(code: str, path: str, settings: Settings) -> bool:
    """Is a rule on for a file?"""
    return any(rule.code == code for rule in active_rules(settings, settings.ignored_in(path)))


def _is_on(rule: Entry, layers: Iterable[Selection]) -> bool:
    on = rule.on_by_default
    for layer in layers:
        if layer.select is not None and rule.code not in ALWAYS_ON:
            on = False
        chosen = _strongest((*(layer.select or ()), *layer.extend_select), rule)
        ignored = _strongest(layer.ignore, rule)
        if chosen > ignored:
            on = True
        elif ignored and (rule.code not in ALWAYS_ON or ignored == _EXACT):
            on = False
    # A rule that failed is never passed over in silence.
    return on or rule.code == "TFD002"


def applicability_of(rule: Entry, usual: Applicability, settings: Settings) -> tuple[Applicability, str]:
    """The applicability of a rule's fix after `fixable` and the like, and why it is another one."""
    if usual == "display-only":
        return usual, ""
    given = settings.command_line
    layers = (
        Selection(settings.fixable, settings.extend_fixable, settings.unfixable),
        Selection(given.fixable, given.extend_fixable, given.unfixable),
    )
    if not _is_on(rule, layers):
        return "display-only", "the settings disable this fix"
    if is_trusted(rule, settings):
        return "safe", ""
    if _strongest(settings.extend_unsafe_fixes, rule):
        return "unsafe", "the settings mark it as unsafe" if usual == "safe" else ""
    return usual, ""


def is_trusted(rule: Entry, settings: Settings) -> bool:
    """Shall the fixes of a rule be made even where they are unsafe, or where nothing is gained?"""
    return _strongest(settings.extend_safe_fixes, rule) > _strongest(settings.extend_unsafe_fixes, rule)


def hides_advice(code: str, path: str, settings: Settings) -> bool:
    """Do the settings ignore what has the severity advice, where a rule of the same layer is not selected by itself?"""
    layers = _layers(settings, settings.ignored_in(path))
    if not any(_ADVICE in layer.ignore for layer in layers):
        return False
    rule = _entry(code)
    hidden = False
    for layer in layers:
        chosen = _strongest((*(layer.select or ()), *layer.extend_select), rule)
        if _ADVICE in layer.ignore:
            hidden = chosen <= _GROUP
        elif chosen > _ALL:
            hidden = False
    return hidden


def is_named(code: str, settings: Settings) -> bool:
    """Is a rule selected by itself, by a part of its code or by its group, rather than with all others?"""
    layers = _layers(settings, ())
    selectors = [selector for layer in layers for selector in (*(layer.select or ()), *layer.extend_select)]
    # Who prints what is kept needs the rules for nothing else.
    return bool(selectors) and _strongest(selectors, _entry(code)) > _ALL


def _entry(code: str) -> Entry:
    from tfdata_lint.rules import entry_of

    rule = entry_of(code)
    assert rule is not None, code
    return rule


_ADVICE = "advice"
#: How specific selectors are: the rules of a project, a group of them, one of them.
_ALL, _GROUP, _EXACT = 2, 3, 100


def _strongest(selectors: Iterable[str], rule: Entry) -> int:
    return max((_strength(selector, rule) for selector in selectors), default=0)


def _strength(selector: str, rule: Entry) -> int:
    """How specific a selector is for a rule; 0 when it does not select it."""
    if selector in (rule.code, rule.name):
        return _EXACT
    if selector == "ALL":
        return 1
    # Pedantic rules and previews are for those who ask for them.
    if selector == (rule.group if rule.status == "stable" else rule.status):
        return _GROUP
    # "TFD" is weaker than a group, "TFD1" stronger.
    if rule.on_by_default and is_prefix(selector) and rule.code.startswith(selector):
        return _ALL if selector.isalpha() else _GROUP + len(selector)
    return 0
