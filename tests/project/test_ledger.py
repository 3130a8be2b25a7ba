"""No room of the package grows unless a user gets something for it: the counts of `benchmarks/ledger.tsv`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
HEAD = "room\tstatements without imports\twhat users got for the last raise\n"
PACKAGE = {
    "loose.py": "x = 1\n",
    "lint/steps/one.py": '"""A docstring."""\nimport os\nif os:\n    from os import path\n',
    "rules/base.py": "class Rule:\n    code: str\n    'Its code.'\n",
    "rules/overlap/__init__.py": "",
    "rules/overlap/prefetch/rule.py": "x = 1; y = 2\n",
    "rules/overlap/ahead.py": "import os\n",
}


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import ledger

    return ledger


def test_every_room_has_what_the_ledger_says(ledger: ModuleType) -> None:
    now, allowed = ledger.counts(), ledger.read()
    command = "python benchmarks/price.py --ledger"
    grown = ledger.raises(now, allowed)
    assert not grown, f'shorten them, or raise the ledger with `{command} --buys "what users get"`: {grown}'
    slack = ledger.slack(now, allowed)
    assert not slack, f"lower the ledger with `{command}`: {slack}"


def test_every_statement_counts_once(ledger: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(ledger, "PACKAGE", tmp_path)
    assert ledger.counts() == {"*.py": 1, "lint": 2, "rules/*.py": 3, "rules/overlap": 2}
    size = ledger.size_of([tmp_path / "lint/steps/one.py", tmp_path / "rules/base.py"])
    assert size == {"statements": 7, "imports": 2, "docstrings": 2, "rows": 7}


def test_what_is_higher_has_to_buy_something(ledger: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "ledger.tsv"
    path.write_text(f"{HEAD}cli\t20\thelp\ngone\t5\tmore\nlint\t10\tfixes\n", encoding="utf-8")
    now = {"lint": 8, "new": 3, "cli": 30}
    refused = {"new": "0 → 3 statements", "cli": "20 → 30 statements"}
    assert ledger.raises(now, ledger.read(path)) == refused
    assert ledger.write(now, "", path) == refused
    assert path.read_text(encoding="utf-8") == f"{HEAD}cli\t20\thelp\nlint\t8\tfixes\n"
    assert ledger.write(now, "shell\n\tcompletion", path) == {}
    bought = f"{HEAD}cli\t30\tshell completion\nlint\t8\tfixes\nnew\t3\tshell completion\n"
    assert path.read_text(encoding="utf-8") == bought
    assert not ledger.raises(now, ledger.read(path))


def test_what_is_lower_may_wait_a_little(ledger: ModuleType) -> None:
    allowed = {"small": (110, ""), "large": (5050, ""), "gone": (10, "")}
    now = {"small": 100, "large": 5000}
    assert not ledger.slack(now, allowed)
    assert ledger.slack({"small": 99, "large": 4999}, allowed).keys() == {"small", "large"}
    assert ledger.slack(now, allowed | {"gone": (11, "")}) == {"gone": "11 → 0 statements"}
