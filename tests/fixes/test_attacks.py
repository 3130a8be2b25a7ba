"""Attacks the proof that a fix is safe, with the programs of `attacks/`: each shares something that a safe fix would
show to somebody too early, too late or in other pieces, and each has a twin that shares nothing.

Both stand in one block: rows marked `# attack` are in the attack only, rows marked `# twin` in its twin only. What
follows `python` are the rules whose fix is right for the twin and wrong for the attack. A line `# file: name.py`
begins another file; the last one is run.

`assumptions.md` has those that break an assumption of docs/fixes.md: they get the fix, and differ.
"""

from __future__ import annotations

import functools
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from fixes.comparison import Files
from fixes.trusted import Fixed, Outcome, fix_safely, judge
from rows import drawn
from tensorflow_runner import RunOnTensorFlow

from tfdata_lint import Settings, lint_paths
from tfdata_lint.config.target import Target
from tfdata_lint.testing.blocks import blocks

pytestmark = pytest.mark.slow

PAGES = sorted((Path(__file__).parent / "attacks").glob("*.md"))
ASSUMPTIONS = Path(__file__).parent / "assumptions.md"

_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
_MARKED = re.compile(r"  # (attack|twin)$")
_TITLE = re.compile(r"#{2,3} (.*)")

Program = tuple[tuple[str, str], ...]
"""Names of files, and what they hold."""


class Pair(NamedTuple):
    place: str
    title: str
    codes: frozenset[str]
    assumes: str
    """The number of the assumption that the attack breaks; "refused" where no proof is attempted."""
    attack: Program
    twin: Program


def pairs_of(page: Path) -> list[Pair]:
    rows = page.read_text(encoding="utf-8").splitlines()
    pairs = []
    for block in blocks(page):
        title = next(found[1] for row in reversed(rows[: block.line]) if (found := _TITLE.match(row)))
        attack, twin = (_files(block.text, role) for role in ("attack", "twin"))
        codes = frozenset(word for word in block.words if word.startswith("TFD"))
        assumes = block.option("assumes") or ("refused" if "refused" in block.words else "")
        pairs.append(Pair(block.place(1), title, codes, assumes, attack, twin))
    return pairs


def _files(text: str, role: str) -> Program:
    """What a block says in one of its two roles."""
    kept = [row for row in text.splitlines() if (mark := _MARKED.search(row)) is None or mark[1] == role]
    first, *parts = _FILE.split("".join(_MARKED.sub("", row) + "\n" for row in kept))
    return tuple(zip(parts[::2], parts[1::2], strict=True)) if parts else (("program.py", first),)


@functools.cache
def fixes_of(program: Program) -> tuple[Fixed, ...]:
    return fix_safely(dict(program))


def judged(programs: list[Program], run: RunOnTensorFlow, **how: int) -> list[Outcome]:
    wanted: list[tuple[Files, tuple[Fixed, ...]]] = [(dict(program), fixes_of(program)) for program in programs]
    return judge(wanted, run, **how)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_attacks_get_no_such_fix(page: Path) -> None:
    pairs = pairs_of(page)
    fixed = [f"{pair.place} {pair.title}: {', '.join(codes)}" for pair in pairs if (codes := made(pair, pair.attack))]
    assert not fixed, _listed(fixed, pairs)


def test_twins_keep_their_fix() -> None:
    """Nine in ten: that nothing is shared need not always be seen."""
    pairs = drawn(pair for page in PAGES for pair in pairs_of(page))
    lost = [
        f"{pair.place} {pair.title}: {', '.join(codes)}"
        for pair in pairs
        if (codes := sorted(pair.codes.difference(made(pair, pair.twin))))
    ]
    assert len(lost) <= len(pairs) // 10, _listed(lost, pairs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_nothing_differs(page: Path, run_on_tensorflow: RunOnTensorFlow) -> None:
    pairs = drawn(pairs_of(page))
    programs = {f"{pair.place} {pair.title}": pair.attack for pair in pairs}
    programs |= {f"{pair.place} {pair.title}, twin": pair.twin for pair in pairs}
    # Without a fix there is nothing to compare with.
    wanted = {place: program for place, program in programs.items() if fixes_of(program)}
    failed = []
    for place, outcome in zip(wanted, judged([*wanted.values()], run_on_tensorflow), strict=True):
        if outcome.error:
            failed.append(f"{place}: it ends with {outcome.error}")
        elif all(value["spec"] in ("int", "str", "float") for value in outcome.values.values()):
            failed.append(f"{place}: there is nothing to compare")
        elif outcome.difference:
            failed.append(f"{place} differs after {outcome.difference}")
    assert not failed, _listed(failed, pairs)


def test_what_breaks_an_assumption_is_fixed_all_the_same() -> None:
    broken = [pair for pair in pairs_of(ASSUMPTIONS) if pair.assumes != "refused"]
    assert {pair.assumes for pair in broken} == {"1", "2", "3", "4"}
    tried = drawn(broken)
    lost = [f"{pair.place} {pair.title}" for pair in tried if not (made(pair, pair.attack) and made(pair, pair.twin))]
    assert not lost, _listed(lost, broken)


def test_python_code_is_refused() -> None:
    refused = drawn(pair for pair in pairs_of(ASSUMPTIONS) if pair.assumes == "refused")
    for pair in refused:
        for program in (pair.attack, pair.twin):
            assert not made(pair, program), pair.place
            reasons = [reason for code, reason in reasons_of(program) if code in pair.codes]
            assert any("runs Python code for each element, which would then " in reason for reason in reasons), (
                pair.place
            )


def reasons_of(program: Program) -> list[tuple[str, str]]:
    """The rules and reasons of the unsafe fixes of a program."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in program:
            Path(folder, name).write_text(text, encoding="utf-8")
        reports = list(lint_paths([folder], Settings(select=("ALL",), target_tensorflow=Target((2, 4)))))
    found = [diagnostic for report in reports for diagnostic in report.diagnostics]
    return [(one.code, one.fix.reason) for one in found if one.fix is not None and one.fix.applicability == "unsafe"]


def test_what_breaks_an_assumption_differs(run_on_tensorflow: RunOnTensorFlow) -> None:
    pairs = drawn(pair for pair in pairs_of(ASSUMPTIONS) if pair.assumes != "refused")
    attacks = judged([pair.attack for pair in pairs], run_on_tensorflow, most_doubts=0)
    twins = judged([pair.twin for pair in pairs], run_on_tensorflow)
    wrong = [
        f"{pair.place} {pair.title}: {'the twin differs' if twin.difference else 'nothing differs'}"
        for pair, attack, twin in zip(pairs, attacks, twins, strict=True)
        if twin.difference or not attack.difference
    ]
    assert not wrong, _listed(wrong, pairs)


def test_there_are_enough_of_them() -> None:
    pairs = [pair for page in PAGES for pair in pairs_of(page)]
    assert len(pairs) >= 100
    assert all(pair.codes and pair.attack != pair.twin for pair in pairs)
    # Each stands for a class of its own.
    assert len({pair.attack for pair in pairs}) == len({pair.title for pair in pairs}) == len(pairs)


def made(pair: Pair, program: Program) -> list[str]:
    """The fixes in question that a program gets."""
    return sorted(pair.codes & {code for fixed in fixes_of(program) for code in fixed.codes})


def _listed(failed: list[str], pairs: list[Pair]) -> str:
    return "\n".join([f"{len(failed)} of {len(pairs)} pairs", *failed])
