"""`tfdata-lint rule`: what a rule is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tfdata_lint import rules
from tfdata_lint.cli.common import CLEAN, UsageError
from tfdata_lint.config.settings.values import nearest_rule
from tfdata_lint.rules.base import Rule


def run(code: str | None, *, in_full: bool, with_cases: bool, as_json: bool, pages: bool) -> int:
    """Explain one rule, or all of them; or list them."""
    explained = (_one_rule(code),) if code is not None else rules.all_rules()
    if as_json:
        import json

        described = [_describe(rule, with_cases=with_cases) for rule in explained]
        print(json.dumps(described[0] if code is not None else described, indent=2))
    elif code is None and not in_full:
        print("\n".join(_listed(explained)))
    else:
        from tfdata_lint.cli.pager import show

        show("\n\n".join(rules.explanation(rule, with_cases=with_cases) for rule in explained), pages=pages)
    return CLEAN


def _listed(explained: Sequence[Rule]) -> Iterator[str]:
    names = max(len(rule.name) for rule in explained)
    groups = max(len(rule.group) for rule in explained)
    for rule in explained:
        yield f"{rule.code}  {rule.name:{names}}  {rule.group:{groups}}  {rule.summary}"


def _one_rule(code: str) -> Rule:
    if found := rules.rule(code):
        return found
    known = rules.all_rules()
    if beginning := [r.code for r in known if code and r.code.startswith(code.upper())]:
        raise UsageError(f"`{code}` is the beginning of {len(beginning)} codes: {', '.join(beginning)}")
    near = nearest_rule(code, [name for r in known for name in (r.code, r.name)])
    hint = f"; did you mean `{near}`?" if near else "; `tfdata-lint rule` lists all of them"
    raise UsageError(f"unknown rule `{code}`{hint}")


def _describe(rule: Rule, *, with_cases: bool) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "group": rule.group,
        "severity": rule.severity,
        "status": rule.status,
        "default": rule.on_by_default,
        "summary": rule.summary,
        "page": rules.explanation(rule, with_cases=with_cases),
    }
