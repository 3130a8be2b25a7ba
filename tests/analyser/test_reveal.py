"""Runs the manual of the analyser, the Markdown files beside this one.

A fenced `python` block is a module of its own. `reveal_pipeline(x)` stands for a function that nobody knows, and the
comment on its line says what the analyser must have recovered for `x`:

    reveal_pipeline(ds)  # revealed: range |> map[parallel] |> batch

`reveal_structure(x)` does the same for what the elements are, and `reveal_length(x)` and its like, in `facts/`, for the
facts of `tfdata_lint/pipeline/facts/`.

Blocks with a name, `python file=data/input.py`, are modules beside the next block that reveals something, which may
have a name as well.

A line that runs in several calling contexts reveals each different answer, joined with ` ; ` in the order they came.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rows import each, try_all

from tfdata_lint.testing.blocks import Block, blocks

_CALL = re.compile(r"\breveal_[a-z]+\(")
FILES = sorted(Path(__file__).parent.rglob("*.md"))
BLOCKS = [block for file in FILES for block in blocks(file) if _CALL.search(block.text)]

_EXPECTATION = re.compile(r"# revealed: (.+?)\s*$")


def expectations(block: Block) -> dict[int, str]:
    """What is announced, by row of the block."""
    return {
        row: match[1] for row, line in enumerate(block.text.splitlines(), 1) if (match := _EXPECTATION.search(line))
    }


def modules(block: Block) -> dict[str, str]:
    """The modules beside a block, by their paths."""
    found: dict[str, str] = {}
    for other in blocks(block.file):
        if other == block:
            return found
        found = {} if _CALL.search(other.text) else {**found, other.option("file") or "": other.text}
    return found


def revealed(block: Block, folder: Path) -> dict[int, str]:
    """What the analyser says, by row of the block."""
    from analyser.revealed import reveal

    from tfdata_lint.source.module import load

    for name, text in modules(block).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    path = str(folder / (block.option("file") or f"{block.file.stem}.py"))
    answers: dict[int, list[str]] = {}
    for row, text in reveal(load(block.text.encode(), path)):
        seen = answers.setdefault(row, [])
        if text not in seen:
            seen.append(text)
    return {row: " ; ".join(texts) for row, texts in answers.items()}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_is_revealed(file: Path, tmp_path: Path) -> None:
    def check(block: Block) -> None:
        (folder := tmp_path / str(block.line)).mkdir()
        check_block(block, folder)

    try_all((block for block in BLOCKS if block.file == file), check)


def check_block(block: Block, folder: Path) -> None:
    expected, got = expectations(block), revealed(block, folder)
    problems = [
        f"{block.place(row)}\n  expected: {expected.get(row, '(no comment on this line)')}"
        f"\n  got:      {got.get(row, '(never reached)')}"
        for row in sorted(expected.keys() | got.keys())
        if expected.get(row) != got.get(row)
    ]
    assert not problems, "\n" + "\n".join(problems)


@each("block", BLOCKS)
def test_block_is_complete(block: Block) -> None:
    compile(block.text, str(block), "exec", dont_inherit=True)
    calls = {row for row, line in enumerate(block.text.splitlines(), 1) if _CALL.search(line)}
    assert calls == expectations(block).keys(), f"{block}: each line that reveals something needs its `# revealed:`"
    assert {word.partition("=")[0] for word in block.words} <= {"file"}, f"{block}: unknown words after `python`"


def test_the_manual_is_thorough() -> None:
    assert sum(len(expectations(block)) for block in BLOCKS) >= 150
