"""Editors that people have, without a screen: what they show, and what is in their buffer after fixing.

Each loads the configuration that `editors/` has for it, opens a file with tabs, emoji and CRLF, notes what its
diagnostics cover, applies one quick fix and then all fixes, and saves the file.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import ROOT
from processes import run as run_program

from tfdata_lint import Settings, fix_source

pytestmark = pytest.mark.editor

CLIENTS = Path(__file__).parent / "clients"
EDITORS = ROOT / "editors"

TEXT = (
    "import tensorflow as tf\r\n\r\n"
    "def train(model, files):\r\n"
    '\tnames = "😋é"; ds = tf.data.TFRecordDataset(files).shuffle(999).map(tf.io.decode_jpeg)\r\n'
    '\tx = "🎉"; ds = ds.map(tf.image.rgb_to_grayscale).batch(32)  # é\r\n'
    '\tmodel.fit(ds, verbose="😋")\r\n'
)


def run(command: list[str], configuration: Path, folder: Path) -> dict[str, Any]:
    file, report = folder / "training 😋.py", folder / "report.json"
    file.write_bytes(TEXT.encode())
    # Newer ones do by themselves what is fixed here.
    (folder / "requirements.txt").write_text("tensorflow==2.5\n")
    (programs := folder / "bin").mkdir()
    program = programs / "tfdata-lint"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m tfdata_lint "$@"\n')
    program.chmod(0o755)
    environment = os.environ | {
        "LSP_CONFIGURATION": str(configuration),
        "LSP_FILE": str(file),
        "LSP_REPORT": str(report),
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "HOME": str(folder),
    }
    done = run_program(command, env=environment, cwd=folder)
    assert report.exists(), done.stdout
    told: dict[str, Any] = json.loads(report.read_text("utf-8"))
    assert "problem" not in told, told["problem"] + done.stdout
    assert "Error in server" not in done.stdout
    expected = fix_source(TEXT, str(file), Settings(target_tensorflow="2.5")).after
    assert expected
    assert file.read_bytes() == expected
    return told


@pytest.mark.skipif(not shutil.which("nvim"), reason="Neovim is not installed")
def test_neovim(tmp_path: Path) -> None:
    script = ["--headless", "--clean", "-c", f"luafile {CLIENTS / 'neovim.lua'}"]
    told = run(["nvim", *script], EDITORS / "neovim" / "tfdata_lint.lua", tmp_path)
    assert told["fileformat"] == "dos"
    assert told.get("warning") == ("tfdata_lint.lua needs Neovim 0.8 or later" if told["is_old"] else None)
    maps = ["TFD102 map(tf.image.rgb_to_grayscale)", "TFD102 map(tf.io.decode_jpeg)"]
    assert told["before"] == ["TFD101 batch(32)", *maps]
    assert len(told["between"]) == 2


def has_eglot() -> bool:
    look = ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    return bool(shutil.which("emacs")) and not subprocess.run(look, capture_output=True).returncode


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_emacs(tmp_path: Path) -> None:
    script = ["--batch", "--load", str(CLIENTS / "emacs.el")]
    told = run(["emacs", *script], EDITORS / "emacs" / "tfdata-lint.el", tmp_path)
    assert told["coding"].endswith("-dos")
    covered = ["batch(32)", "map(tf.image.rgb_to_grayscale)", "map(tf.io.decode_jpeg)"]
    assert sorted(found.partition(" | ")[2] for found in told["before"]) == covered
    assert len(told["between"]) == 2
