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

    layers = (
        Selection(settings.select, settings.extend_select, settings.ignore),
        settings.command_line,
        Selection(ignore=ignored),
    )
    return tuple(rule.configured(settings.options_of(rule.code)) for rule in entries() if _is_on(rule, layers))


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
    fixable = _strongest(settings.fixable, rule)
    if not fixable or _strongest(settings.unfixable, rule) >= fixable:
        return "display-only", "the settings do not allow to fix it"
    if is_trusted(rule, settings):
        return "safe", ""
    if _strongest(settings.extend_unsafe_fixes, rule):
        return "unsafe", "the settings call it unsafe" if usual == "safe" else ""
    return usual, ""


def is_trusted(rule: Entry, settings: Settings) -> bool:
    """Shall the fixes of a rule be made even where they are unsafe, or where nothing is gained?"""
    return _strongest(settings.extend_safe_fixes, rule) > _strongest(settings.extend_unsafe_fixes, rule)


_EXACT = 100


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
        return 3
    # "TFD" is weaker than a group, "TFD1" stronger.
    if rule.on_by_default and is_prefix(selector) and rule.code.startswith(selector):
        return 2 if selector.isalpha() else 3 + len(selector)
    return 0
