"""Files that are no regular files or never end, wherever one is read, cost nothing and are said. All else is linted.

The rows are those of the table that `benchmarks/hostile` makes. Each is a process, with the memory that it may take.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from processes import run
from rows import each

pytest.importorskip("resource")

import inputs
import special_files
from inputs import Input


@contextmanager
def built(row: Input) -> Iterator[Path]:
    # Not in a folder of pytest, which could not remove all of them.
    folder = Path(tempfile.mkdtemp())
    try:
        inputs.build(row, folder)
        yield folder
    finally:
        inputs.remove(folder)


def printed(row: Input, folder: Path, *, env: dict[str, str] | None = None) -> tuple[int, str]:
    with tempfile.TemporaryFile() as stdin:
        stdin.write(row.stdin)
        stdin.seek(0)
        environment = {**os.environ, **(env or {})}
        done = run(
            inputs.command(row), cwd=folder, stdin=stdin, errors="replace", preexec_fn=inputs.limit, env=environment
        )
    return done.returncode, done.stdout


def check(row: Input) -> None:
    with built(row) as folder:
        code, said = printed(row, folder)
    assert not (problem := inputs.misses(row, code, said)), f"{problem}: {said[-3000:]}"


@each("kind", special_files.KINDS)
def test_all_places_at_once(kind: str) -> None:
    make, reason = special_files.KINDS[kind]

    def everywhere(folder: Path) -> None:
        for place in special_files.PLACES:
            special_files.at(place, make)(folder)

    row = Input(kind, everywhere, reason)
    with built(row) as folder:
        code, said = printed(row, folder)
    assert not (problem := inputs.misses(row, code, said)), f"{problem}: {said}"
    # Settings that cannot be read are an error.
    assert code == 2
    rows = said.splitlines()
    for place in special_files.PLACES:
        about = [line for line in rows if re.search(rf"(?:^|error: ){re.escape(place)}:", line)]
        assert len(about) == 1, f"{place}: {about}"
        assert re.search(reason, about[0])


@pytest.mark.slow
@each("row", special_files.NAMED)
def test_what_is_named_and_imported(row: Input) -> None:
    check(row)


@pytest.mark.thorough
@pytest.mark.slow
@each("row", special_files.FOLDERS)
def test_folders_and_names(row: Input) -> None:
    check(row)


@each("row", special_files.TEXTS)
def test_texts(row: Input) -> None:
    check(row)


@each("kind", special_files.KINDS)
def test_what_a_distribution_declares(kind: str) -> None:
    make, _ = special_files.KINDS[kind]
    row = Input(kind, special_files.at("some.egg-info/entry_points.txt", make))
    with built(row) as folder:
        code, said = printed(row, folder, env={"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"})
    assert not (problem := inputs.misses(row, code, said)), f"{problem}: {said}"
