"""The extension for Visual Studio Code: its own tests, the package, and settings that the server has, too."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib
from dataclasses import fields
from pathlib import Path

import pytest
from processes import PATIENCE, run as run_program

from tfdata_lint import REPOSITORY, __version__
from tfdata_lint.lsp.options import Options

pytestmark = pytest.mark.editor

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
MADE = ("node_modules", "out", "dist", "*.vsix")
#: What npm says when it is the extension that is wrong, and not the way to the packages.
OURS = {"EUSAGE", "EJSONPARSE", "EINTEGRITY", "ERESOLVE"}


def test_the_settings_are_those_of_the_server() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    declared = manifest["contributes"]["configuration"]["properties"]
    options = {field.name: getattr(Options(), field.name) for field in fields(Options) if field.name != "problems"}
    expected = {
        "tfdata-lint." + re.sub("_(.)", lambda found: found[1].upper(), name): list(value) if value == () else value
        for name, value in options.items()
    }
    ours = {"tfdata-lint.interpreter": "", "tfdata-lint.installFrom": ""}
    assert {name: each["default"] for name, each in declared.items()} == expected | ours


def test_it_is_ready_for_a_marketplace() -> None:
    """What the page of an extension shows. A link into a repository leads nowhere while that has no address."""
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == __version__
    assert manifest.get("repository", {}).get("url", "") == REPOSITORY
    assert {"displayName", "description", "license", "galleryBanner", "publisher", "preview"} <= manifest.keys()
    assert len(manifest["categories"]) > 1
    assert len(manifest["keywords"]) <= 30
    page = (EXTENSION / "README.md").read_text(encoding="utf-8")
    assert [link for link in re.findall(r"\]\(([^)\s]+)\)", page) if "://" not in link] == []
    changes = (EXTENSION / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {__version__}" in changes


def test_its_icon_is_drawn_by_its_script() -> None:
    specification = importlib.util.spec_from_file_location("icon", EXTENSION / "icon.py")
    assert specification
    assert specification.loader
    specification.loader.exec_module(icon := importlib.util.module_from_spec(specification))
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    data = (EXTENSION / manifest["icon"]).read_bytes()
    # Another zlib may compress in another way.
    start = data.index(b"IDAT")
    length = int.from_bytes(data[start - 4 : start], "big")
    assert zlib.decompress(data[start + 4 : start + 4 + length]) == icon.drawn()
    assert data[16:24] == struct.pack(">II", 256, 256)


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of it, with what it needs."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").partition(".")[0]) < 20:
        pytest.skip(f"Node.js 20 is needed, this is {version}")
    copy = tmp_path_factory.mktemp("vscode") / "extension"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns(*MADE))
    try:
        installed = run(copy, "npm", "ci", "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000")
    except subprocess.TimeoutExpired:
        pytest.skip("`npm ci` does not come to an end here")
    if installed.returncode:
        codes = re.findall(r"^npm error code (\w+)", installed.stdout, re.MULTILINE)
        assert not OURS & set(codes), installed.stdout
        pytest.skip(f"the packages cannot be had here: {' '.join(codes) or installed.stdout[-200:]}")
    return copy


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"TFDATA_LINT_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    return run_program(command, cwd=folder, env=environment, patience=2 * PATIENCE)


@pytest.mark.thorough
def test_its_own_tests_pass(extension: Path) -> None:
    done = run(extension, "npm", "test")
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\S+ pass [1-9]", done.stdout, re.MULTILINE)


@pytest.mark.thorough
def test_its_package_holds_one_script(extension: Path) -> None:
    without = [] if REPOSITORY else ["--allow-missing-repository"]
    done = run(extension, "npx", "--no-install", "vsce", "package", *without, "--out", "made.vsix")
    assert done.returncode == 0, done.stdout
    with zipfile.ZipFile(extension / "made.vsix") as package:
        inside = {name.removeprefix("extension/") for name in package.namelist() if name.startswith("extension/")}
    shown = {"package.json", "readme.md", "changelog.md", "LICENSE.txt", "icon.png"}
    assert inside == shown | {"dist/extension.js"}
