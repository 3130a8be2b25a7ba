"""What packages and runs the linter elsewhere: the image, the recipe for conda and the plugin for MegaLinter."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import samples
import yaml
from processes import run

from tfdata_lint import DOCUMENTATION, __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "editors" / "mega-linter-plugin-tfdata-lint" / "tfdata-lint.megalinter-descriptor.yml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


# ── the image ───────────────────────────────────────────────────────────────────────────────────────────────────────


def instructions() -> list[tuple[str, list[str]]]:
    """Those of the Dockerfile, each with its words."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    rows = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(row.split()[0], row.split()[1:]) for row in rows if row.strip()]


def test_the_image_is_built_from_what_is_there(tmp_path: Path) -> None:
    """What is copied into it is enough for the package, and not ignored."""
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for name, words in instructions():
        if name == "COPY" and not words[0].startswith("--from"):
            *sources, target = words
            assert target.startswith("/source/")
            for source in sources:
                assert f"!{source}" in allowed
                where = tmp_path / target.removeprefix("/source/")
                if (ROOT / source).is_dir():
                    shutil.copytree(ROOT / source, where, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    where.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / source, where)
    built = run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "made"], cwd=tmp_path)
    assert built.returncode == 0, built.stdout
    (wheel,) = (tmp_path / "made").glob("*.whl")
    with zipfile.ZipFile(wheel) as package:
        names = package.namelist()
    assert "tfdata_lint/pages/TFD101-missing-prefetch.md" in names
    assert any(name.endswith("entry_points.txt") for name in names)


def test_the_image_runs_the_linter_as_nobody_special() -> None:
    said = dict(instructions())
    (program,) = json.loads(" ".join(said["ENTRYPOINT"]))
    assert Path(program).name in PROJECT["project"]["scripts"]
    assert said["USER"] == ["lint"]
    assert any(name == "RUN" and words[0] == "useradd" and words[-1] == "lint" for name, words in instructions())
    assert json.loads(" ".join(said["CMD"])) == ["check"]


@pytest.mark.slow
@pytest.mark.release
def test_the_image(tmp_path: Path) -> None:
    if not shutil.which("docker") or subprocess.run(["docker", "info"], capture_output=True).returncode:
        pytest.skip("docker does not run here")
    built = run(["docker", "build", "--quiet", "--tag", "tfdata-lint-test", str(ROOT)])
    assert built.returncode == 0, built.stdout
    (tmp_path / "a.py").write_text(samples.DEPRECATED, encoding="utf-8")
    done = run(["docker", "run", "--rm", "-v", f"{tmp_path}:/code:ro", "tfdata-lint-test", "check", "--no-cache"])
    assert done.returncode == 1
    assert "a.py:3:12: warning TFD701" in done.stdout


# ── conda ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def recipe() -> Any:
    text = (ROOT / "recipe" / "meta.yaml").read_text(encoding="utf-8")
    values = dict(re.findall(r'{% set (\w+) = "(.*)" %}', text)) | {"PYTHON": "python"}
    text = re.sub(r"{%.*%}", "", text)
    return yaml.safe_load(re.sub(r"{{ (\w+) }}", lambda found: values[found[1]], text))


def needed(requirements: list[str]) -> list[str]:
    """Requirements as conda writes them, without those on the Python: a package for all Pythons has none."""
    found = (re.match(r"([\w-]+)(.*)", requirement.partition(";")[0].strip()) for requirement in requirements)
    return sorted(f"{each[1]} {each[2]}".strip() for each in found if each)


def test_the_recipe_says_what_the_project_says() -> None:
    about, project = recipe(), PROJECT["project"]
    assert (about["package"]["name"], str(about["package"]["version"])) == (project["name"], __version__)
    oldest = project["requires-python"].removeprefix(">=")
    assert f"python >={oldest}" in about["requirements"]["run"]
    assert f"python {oldest}" in about["requirements"]["host"]
    of_python = [f"python >={oldest}"]
    assert sorted(about["requirements"]["run"]) == sorted([*needed(project["dependencies"]), *of_python])
    assert set(needed(PROJECT["build-system"]["requires"])) <= set(about["requirements"]["host"])
    extras = project["optional-dependencies"]
    optional = [requirement for extra in ("lsp", "watch", "dask") for requirement in extras[extra]]
    assert sorted(about["requirements"]["run_constrained"]) == needed(optional)
    ((name, function),) = (each.split(" = ") for each in about["build"]["entry_points"])
    assert project["scripts"] == {name: function}
    assert (about["about"]["summary"], about["about"]["license"]) == (project["description"], project["license"])
    assert (ROOT / about["about"]["license_file"]).exists()


def test_the_commands_of_the_recipe_work() -> None:
    ours = [command for command in recipe()["test"]["commands"] if command.startswith("tfdata-lint ")]
    assert ours
    for command in ours:
        done = run([sys.executable, "-m", "tfdata_lint", *shlex.split(command)[1:]], cwd=ROOT)
        assert done.returncode == 0, done.stdout


# ── MegaLinter ──────────────────────────────────────────────────────────────────────────────────────────────────────

#: What its schema has of these, with the types; it takes no other keys.
_OF_A_LINTER = {
    "linter_name": str, "linter_url": str, "linter_spdx_license": str, "cli_lint_mode": str,
    "cli_lint_extra_args": list, "cli_lint_fix_arg_name": str, "config_file_name": str, "cli_config_arg_name": str,
    "cli_lint_errors_count": str, "cli_lint_errors_regex": str, "can_output_sarif": bool, "cli_sarif_args": list,
    "cli_help_arg_name": str, "cli_version_arg_name": str, "examples": list, "install": dict,
}  # fmt: skip


def plugin() -> Any:
    return yaml.safe_load(PLUGIN.read_text(encoding="utf-8"))


def called(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "-m", "tfdata_lint", *arguments], cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT)})


def test_the_plugin_is_a_descriptor() -> None:
    descriptor = plugin()
    assert {name: type(value) for name, value in descriptor.items()} == {
        "descriptor_id": str, "descriptor_type": str, "file_extensions": list, "linters": list,
    }  # fmt: skip
    (linter,) = descriptor["linters"]
    assert {name: type(value) for name, value in linter.items()} == _OF_A_LINTER
    # What MegaLinter asks of a plugin: its address has this in it, and it is installed by rows that begin so.
    assert PLUGIN.parent.name.startswith("mega-linter-plugin-")
    assert all(row.startswith("RUN ") for row in linter["install"]["dockerfile"])
    assert linter["linter_url"] == (DOCUMENTATION or "https://example.org/tfdata-lint")


def test_the_commands_of_the_plugin(tmp_path: Path) -> None:
    """As MegaLinter puts them together."""
    descriptor = plugin()
    (linter,) = descriptor["linters"]
    for name, text in {"a.py": samples.DEPRECATED, "b.py": samples.FIXABLE, "c.py": samples.CLEAN}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings = tmp_path / linter["config_file_name"]
    settings.write_text("", encoding="utf-8")
    command = [*linter["cli_lint_extra_args"], linter["cli_config_arg_name"], str(settings)]
    files = sorted(str(path) for path in tmp_path.iterdir() if path.suffix in descriptor["file_extensions"])
    done = called(*command, *files, cwd=tmp_path)
    assert done.returncode == 1
    assert linter["cli_lint_errors_count"] == "regex_count"
    assert len(re.findall(linter["cli_lint_errors_regex"], done.stdout)) == 3

    report = str(tmp_path / "report.sarif")
    sarif = [report if each == "{{SARIF_OUTPUT_FILE}}" else each for each in linter["cli_sarif_args"]]
    assert called(*command, *sarif, *files, cwd=tmp_path).returncode == 1
    results = json.loads(Path(report).read_text(encoding="utf-8"))["runs"][0]["results"]
    assert len(results) == 3

    assert called(*command, linter["cli_lint_fix_arg_name"], *files, cwd=tmp_path).returncode == 1
    assert (tmp_path / "b.py").read_text(encoding="utf-8") == samples.SAFE
    # Its own pattern for versions.
    assert re.search(r"\d+(\.\d+)+", called(linter["cli_version_arg_name"], cwd=tmp_path).stdout)
    assert called(linter["cli_help_arg_name"], cwd=tmp_path).returncode == 0
    for example in linter["examples"]:
        (tmp_path / "train.py").write_text(samples.CLEAN, encoding="utf-8")
        assert called(*shlex.split(example)[1:], cwd=tmp_path).returncode == 0
