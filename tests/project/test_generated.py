"""Files made from the code are up to date. `python tests/project/test_generated.py` makes them anew, pages included."""

from __future__ import annotations

import json
import os
import re
import runpy
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from argparse_manpage.manpage import Manpage

from tfdata_lint import __version__
from tfdata_lint.cli.parser import make_parser
from tfdata_lint.config import schema
from tfdata_lint.config.settings import page
from tfdata_lint.observing import schema as run_schema
from tfdata_lint.output import json_schema
from tfdata_lint.rules import all_rules, own_rules
from tfdata_lint.rules.base import Entry, Rule
from tfdata_lint.verify import schema as verify_schema

ROOT = Path(__file__).parents[2]


def man_page() -> str:
    """As on a terminal of 80 columns."""
    about = {
        "project_name": "tfdata-lint",
        "version": __version__,
        "manual_title": "tfdata-lint",
        "description": "lint tf.data input pipelines",
    }
    with (
        patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "0"}),
        patch("os.get_terminal_size", return_value=os.terminal_size((80, 24))),
    ):
        lines = str(Manpage(make_parser(), _data=about)).splitlines(keepends=True)
    # Of a page that follows the code, the date would say nothing.
    return lines[0].replace("1970\\-01\\-01", "") + "".join(lines[1:])


def changelog() -> str:
    """With a row for each new rule, at the end of what the newest version adds."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    new = [rule for rule in all_rules() if rule.status == "preview" and rule.code not in text]
    rows = "".join(f"\n- {rule.code} {rule.name}, a preview: {rule.summary}." for rule in new)
    return re.sub(r"### Added\n\n.+?(?=\n\n)", lambda added: added[0] + rows, text, count=1, flags=re.DOTALL)


def index() -> str:
    """Our rules as they are known before they are imported."""
    rows = sorted((Entry.of(rule) for rule in own_rules()), key=lambda entry: entry.code)
    return (
        '"""Our rules, known without being imported. `python tests/project/test_generated.py` writes this."""\n\n'
        "from __future__ import annotations\n\nfrom tfdata_lint.rules.base import Row\n\n"
        f"# fmt: off\nROWS: tuple[Row, ...] = (\n{''.join(map(_row, rows))})\n"
    )


def _row(entry: Entry) -> str:
    """One row if it fits, else with its triggers below."""
    known = (entry.code, entry.name, entry.group, entry.status, entry.home.removeprefix("tfdata_lint.rules."))
    begun = f"    ({', '.join(map(json.dumps, known))},"
    begun += f"{' ' if len(begun) < 113 else chr(10) + '     '}{entry.denies},"
    lines = [part for trigger in entry.triggers for part in _wrapped(trigger)]
    whole = f"{begun} ({' '.join(lines)})),\n"
    if len(whole) <= 121:
        return whole
    triggers = " ".join(lines) if sum(map(len, lines)) < 90 else "\n      ".join(lines)
    return f"{begun}\n     ({triggers})),\n"


def _wrapped(trigger: str) -> list[str]:
    parts = textwrap.wrap(trigger, 100, drop_whitespace=False, break_long_words=False) or [""]
    return [*map(json.dumps, parts[:-1]), f"{json.dumps(parts[-1])},"]


#: What a performance finding is judged by, where it needs no GPU and no comparison alone.
EVIDENCE = {
    "speed": "the fix, compared; without one: a map without it and all above it, which can only refute; else not run",
    "parallel": "the fix, compared; without one: the pipeline without this work, which can only refute",
    "share": "the fix, compared; without one: the pipeline without this work, or how long the consumer waits for it",
    "again": "the fix, compared; without one: the same of what is done again, and how often the code reads the dataset",
    "step": "the steps of the loop with the fix and without it; without one: how long that takes, which can only clear",
    "loop": "the steps of the loop with the fix and without it; without one: not run",
    "none": "how long the consumer waits, which can only clear: there is no fix to compare",
    "profile": "whether the code starts a profile, and how long the consumer waits outside of its steps",
    "beginnings": "how much longer the first step of an epoch takes, while a new cache is filled; else open",
    "memory": "how much the buffer holds",
    "transposes": "what a GPU transposes: needs a GPU",
}  # fmt: skip


def _judged_by(rule: Rule) -> str:
    """A key of the table above, or why nothing does."""
    if rule.unmeasured or rule.experiment != "speed":
        return rule.unmeasured or rule.experiment
    page = next((ROOT / "rules").glob(f"{rule.code}-*.md")).read_text(encoding="utf-8")
    without = "parallel" if rule.done_by_runtime == "parallel" else "speed"
    return "none" if "fix: none" in page.splitlines()[2] else without


def evidence() -> str:
    """The page with its table of what judges each rule about speed."""
    text = (ROOT / "docs" / "verify.md").read_text(encoding="utf-8")
    by: dict[str, list[str]] = {}
    for rule in own_rules():
        if rule.group == "performance":
            by.setdefault(_judged_by(rule), []).append(rule.code)
    order = {name: number for number, name in enumerate(EVIDENCE)}
    rows = "".join(
        f"| {EVIDENCE.get(name, f'nothing. {name}')} | {' '.join(sorted(by[name]))} |\n"
        for name in sorted(by, key=lambda name: (order.get(name, len(order)), name))
    )
    table = f"| evidence | rules |\n|---|---|\n{rows}"
    return re.sub(r"\| evidence \| rules \|\n(?:\|.*\n)*", lambda _: table, text, count=1)


def _as_text(made: Mapping[str, Any]) -> str:
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


GENERATED = {
    "CHANGELOG.md": changelog,
    "docs/findings.schema.json": lambda: _as_text(json_schema.schema()),
    "docs/rules.md": lambda: runpy.run_path(str(ROOT / "website" / "write.py"))["rules_page"](),
    "docs/run.schema.json": lambda: _as_text(run_schema.schema()),
    "docs/verify.schema.json": lambda: _as_text(verify_schema.schema()),
    "docs/settings.md": page.document,
    "docs/verify.md": evidence,
    "docs/tfdata-lint.1": man_page,
    "tfdata_lint/config/schema.json": schema.document,
    "tfdata_lint/rules/index.py": index,
}


@pytest.mark.parametrize("name", GENERATED)
def test_it_is_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == GENERATED[name](), (
        f"run `python {Path(__file__).relative_to(ROOT)}`"
    )


def test_the_manual_page_has_every_option_that_the_help_has() -> None:
    page = (ROOT / "docs" / "tfdata-lint.1").read_text(encoding="utf-8").replace("\\", "")
    for option in ("--print-completion", "--output-file", "--watch", "--fix", "--stdin-filename", "--all"):
        assert f"fB{option}fR" in page


if __name__ == "__main__":
    if (ROOT / "tfdata_lint/rules/index.py").read_text(encoding="utf-8") != (made := index()):
        # The rest asks rules, which were found by the old one.
        (ROOT / "tfdata_lint/rules/index.py").write_text(made, encoding="utf-8")
        if sys.argv[1:] == ["index"]:
            sys.exit()
        os.execv(sys.executable, [sys.executable, *sys.argv])
    for name, make in GENERATED.items():
        before, made = (ROOT / name).read_text(encoding="utf-8"), make()
        (ROOT / name).write_text(made, encoding="utf-8")
        print(f"{name}: {'unchanged' if made == before else 'written'}")
    runpy.run_path(str(Path(__file__).with_name("test_readme.py")), run_name="__main__")
